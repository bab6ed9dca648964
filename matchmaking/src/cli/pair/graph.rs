//! Graph files: their weights are what counts, vertices are numbers.

use std::time::Instant;

use matching_core::{EdgeList, Objective};

use super::explain::{Question, Terms, parse_pair};
use super::report::{Names, Report};
use super::solve::{Clock, Weight, solve};
use super::{deliver, limits};
use crate::cli::Verdict;
use crate::cli::args::{ObjectiveArg, PairArgs};
use crate::cli::failure::Failure;
use crate::cli::formats::{Graph, Weighted};
use crate::cli::input::Format;
use crate::cli::output::Progress;

/// Refuses options that only pools of players have.
pub(super) fn check_options(args: &PairArgs) -> Result<(), Failure> {
    let only_pools = |option, is_given: bool| {
        let problem = "only for CSV pools; a graph's weights stand in the file".to_owned();
        if is_given {
            Err(Failure::Usage { option, problem })
        } else {
            Ok(())
        }
    };
    only_pools("--cost", args.cost.is_some())?;
    only_pools("--bye-cost", args.bye_cost.is_some())
}

/// Solves a graph and reports.
pub(super) fn run(
    args: &PairArgs,
    file: &str,
    format: Format,
    graph: &Graph,
    start: Instant,
    progress: &Progress,
) -> Result<Verdict, Failure> {
    let clock = Clock {
        parse: start.elapsed(),
        ..Clock::default()
    };
    let names = |len| Names::Numbers {
        first: graph.first,
        len,
    };
    match &graph.edges {
        Weighted::Narrow(edges) => Run {
            args,
            file,
            format,
            graph,
            progress,
        }
        .solve(edges, &names(edges.len()), clock),
        Weighted::Wide(edges) => Run {
            args,
            file,
            format,
            graph,
            progress,
        }
        .solve(edges, &names(edges.len()), clock),
    }
}

struct Run<'a> {
    args: &'a PairArgs,
    file: &'a str,
    format: Format,
    graph: &'a Graph,
    progress: &'a Progress,
}

impl Run<'_> {
    fn solve<V: Weight>(&self, edges: &EdgeList<V>, names: &Names<'_>, mut clock: Clock) -> Result<Verdict, Failure> {
        let pair = self
            .args
            .explain
            .as_deref()
            .map(|text| parse_pair(text, names))
            .transpose()?;
        let objective = match self.args.objective {
            ObjectiveArg::MinPerfect => Objective::MinPerfect,
            ObjectiveArg::MaxPerfect => Objective::MaxPerfect,
            ObjectiveArg::MaxWeight => Objective::MaxWeight,
            ObjectiveArg::MaxCardinality => Objective::MaxCardinality,
        };
        let (vertices, count) = (edges.len(), edges.edges().len());
        self.progress
            .stage(&format!("matching {vertices} vertices by {count} edges"));
        let limits = limits(self.args);
        let outcome = solve(edges, &objective, limits, &mut clock).map_err(|error| error.in_file(self.file))?;
        let started = Instant::now();
        let explain = |pair| {
            self.progress.stage("explaining");
            let question = Question {
                graph: edges,
                objective: &objective,
                limits,
                outcome: &outcome,
            };
            question.explain(pair, Terms::Weight)
        };
        let explained = pair
            .map(explain)
            .transpose()
            .map_err(|error| error.in_file(self.file))?;
        clock.explain = started.elapsed();
        let report = Report {
            file: self.file,
            format: self.format,
            objective: self.args.objective,
            decimals: self.graph.decimals,
            names,
            edges: count,
            outcome: &outcome,
            explained,
            pool: None,
            warnings: &self.graph.warnings,
            clock,
        };
        deliver(self.args, &report)
    }
}
