//! Graph files: their weights are what counts, vertices are numbers.

use std::time::Instant;

use matching_core::{EdgeList, Objective};

use super::deliver;
use super::explain::{About, Asked, Explanations, Question};
use super::report::Report;
use super::solve::{Settings, Weight, solve};
use super::worst;
use crate::cli::Verdict;
use crate::cli::args::{ObjectiveArg, PairArgs};
use crate::cli::asked;
use crate::cli::failure::Failure;
use crate::cli::formats::{Graph, Weighted};
use crate::cli::input::Format;
use crate::cli::json::Spent;
use crate::cli::memory;
use crate::cli::names::Names;
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
    only_pools("--model", args.model.is_some())?;
    only_pools("--fairness", args.fairness)?;
    only_pools("--rounds", args.rounds)?;
    only_pools("--bye-cost", args.bye_cost.is_some())?;
    only_pools("--rematch-cost", args.rematch_cost.is_some())?;
    only_pools("--gap-limit", args.gap_limit.is_some())?;
    only_pools("--region-cost", args.region_cost.is_some())
}

/// A graph to be solved.
pub(super) struct Run<'a> {
    pub(super) args: &'a PairArgs,
    pub(super) settings: Settings,
    pub(super) file: &'a str,
    pub(super) format: Format,
    pub(super) graph: &'a Graph,
    pub(super) progress: &'a Progress,
}

impl Run<'_> {
    /// Solves the graph and reports.
    pub(super) fn answer(&self, start: Instant) -> Result<Verdict, Failure> {
        let spent = Spent {
            parse: start.elapsed(),
            ..Spent::default()
        };
        match &self.graph.edges {
            Weighted::Narrow(edges) => self.solve(edges, spent),
            Weighted::Wide(edges) => self.solve(edges, spent),
        }
    }

    /// What was given in vain.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = self.graph.warnings.clone();
        if self.args.seed.is_some() {
            warnings.push("--seed changes nothing: nothing about a graph is left to chance".to_owned());
        }
        warnings
    }

    /// How often the engine keeps the graph: where not everybody must have a partner, two copies are matched.
    fn copies(&self) -> usize {
        match self.args.objective {
            ObjectiveArg::MinPerfect | ObjectiveArg::MaxPerfect => 1,
            ObjectiveArg::MaxWeight | ObjectiveArg::MaxCardinality => 2,
        }
    }

    fn solve<V: Weight>(&self, edges: &EdgeList<V>, mut spent: Spent) -> Result<Verdict, Failure> {
        let (vertices, count) = (edges.len(), edges.edges().len());
        let names = &Names::Numbers {
            first: self.graph.first,
            len: vertices,
        };
        let asked = self.args.explain.as_deref().map(|text| asked::two_or_one(text, names));
        let asked = asked.transpose()?;
        let settings = &self.settings;
        let is_dense = settings.engine().is_dense_for(edges);
        if is_dense {
            memory::check_dense(self.file, vertices, memory::LANE_BYTES)?;
        }
        // The search for the worst pair lists those that are better.
        if !is_dense || self.args.worst_first {
            memory::check_list(self.file, vertices, count, self.copies())?;
        }
        let objective = match self.args.objective {
            ObjectiveArg::MinPerfect => Objective::MinPerfect,
            ObjectiveArg::MaxPerfect => Objective::MaxPerfect,
            ObjectiveArg::MaxWeight => Objective::MaxWeight,
            ObjectiveArg::MaxCardinality => Objective::MaxCardinality,
        };
        self.progress
            .stage(&format!("matching {vertices} vertices by {count} edges"));
        let settings = &settings.clone().attended(self.progress);
        let solved = if self.args.worst_first {
            worst::solve(edges, &objective, settings, &mut spent)
        } else {
            solve(edges, &objective, settings, &mut spent)
        };
        let solved = solved.map_err(|error| error.in_file(self.file))?;
        let outcome = &solved.outcome;
        let (started, solving) = (Instant::now(), spent.solve);
        let explain = |asked| {
            self.progress.stage("explaining");
            let left = settings.after(outcome.work().unwrap_or(0), solving);
            Explanations::of(asked, outcome, left, |pair, settings| {
                let question = Question {
                    graph: Asked::List(edges),
                    objective: &objective,
                    settings,
                    solved: &solved,
                };
                question.explain(pair, About::EDGE)
            })
        };
        let explained = asked
            .map(explain)
            .transpose()
            .map_err(|error| error.in_file(self.file))?;
        spent.explain = explained.as_ref().map(|_| started.elapsed());
        let report = Report {
            file: self.file,
            format: self.format,
            objective: self.args.objective,
            decimals: self.graph.decimals,
            names,
            edges: count,
            outcome,
            explained,
            pool: None,
            is_worst_first: self.args.worst_first,
            games: None,
            warnings: &self.warnings(),
            spent,
        };
        deliver(self.args, &report)
    }
}
