//! Several partners for each vertex of a graph file.

use std::time::Instant;

use matching_core::{Degrees, EdgeList, Objective};
use matchmaking::GamesProblem;

use super::GamesReport;
use super::explain::Question;
use super::numbers::Numbers;
use super::solve::solve;
use super::wish::Wish;
use crate::cli::Verdict;
use crate::cli::args::ObjectiveArg;
use crate::cli::asked;
use crate::cli::decimal::{Decimal, MAX_DECIMALS};
use crate::cli::failure::Failure;
use crate::cli::formats::Weighted;
use crate::cli::json::Spent;
use crate::cli::memory;
use crate::cli::names::Names;
use crate::cli::pair::deliver;
use crate::cli::pair::explain::{About, Asked, Explanations};
use crate::cli::pair::graph::Run;
use crate::cli::pair::prices;
use crate::cli::pair::report::Report;
use crate::cli::pair::solve::Weight;

const PRICE: &str = "--missing-cost";

/// Solves the graph and reports.
pub(in crate::cli::pair) fn of_graph(run: &Run<'_>, wish: Wish, start: Instant) -> Result<Verdict, Failure> {
    let spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    let decimals = run.graph.decimals;
    let price = run.args.missing_cost.as_deref();
    let price = price
        .map(|text| prices::decimal(PRICE, text, MAX_DECIMALS))
        .transpose()?;
    let price = price.unwrap_or(Decimal::new(0, 0));
    let (finer, grid) = (
        price.decimals().saturating_sub(decimals),
        price.decimals().max(decimals),
    );
    let price = price.on_grid(grid).ok_or_else(too_large)?;
    let partners = Partners { run, wish, price, grid };
    match &run.graph.edges {
        Weighted::Narrow(edges) if finer == 0 && i64::from_wide(price).is_some() => partners.answer(edges, spent),
        Weighted::Narrow(edges) => partners.answer(&scaled(edges, finer)?, spent),
        Weighted::Wide(edges) if finer == 0 => partners.answer(edges, spent),
        Weighted::Wide(edges) => partners.answer(&scaled(edges, finer)?, spent),
    }
}

/// The same weights in units that are so many decimals finer, as the price needs them.
fn scaled<V: Weight>(edges: &EdgeList<V>, finer: u32) -> Result<EdgeList<i128>, Failure> {
    let factor = 10i128.checked_pow(finer).ok_or_else(too_large)?;
    let scaled = edges.map_weights(|weight| weight.into().checked_mul(factor));
    scaled.map_err(|_| too_large())
}

fn too_large() -> Failure {
    Failure::Usage {
        option: PRICE,
        problem: "the price and the weights of the file have too many digits together; write fewer".to_owned(),
    }
}

/// A graph, and how many partners its vertices should have.
struct Partners<'a> {
    run: &'a Run<'a>,
    wish: Wish,
    /// Of a missing partner, on the grid.
    price: i128,
    /// Decimals of the grid.
    grid: u32,
}

impl Partners<'_> {
    fn answer<V: Weight>(&self, edges: &EdgeList<V>, mut spent: Spent) -> Result<Verdict, Failure> {
        let run = self.run;
        let (vertices, count) = (edges.len(), edges.edges().len());
        let first = run.graph.first;
        let names = &Names::Numbers { first, len: vertices };
        let asked = run.args.explain.as_deref().map(|text| asked::two_or_one(text, names));
        let asked = asked.transpose()?;
        let degrees = self.degrees::<V>(vertices)?;
        let most = self.wish.everybody.most() as usize;
        memory::check_degrees(run.file, vertices, count, most)?;
        let (objective, _) = self.objective::<V>();
        run.progress
            .stage(&format!("matching {vertices} vertices by {count} edges"));
        let failed = |error: super::super::solve::SolveError| error.in_file(run.file);
        let settings = run.settings.clone().attended(run.progress);
        let solved = &solve(edges, &objective, &degrees, &settings, &mut spent).map_err(failed)?;
        let outcome = &solved.outcome;
        let (started, solving) = (Instant::now(), spent.solve);
        let explain = |asked| {
            run.progress.stage("explaining");
            let left = settings.after(outcome.work().unwrap_or(0), solving);
            Explanations::of(asked, outcome, left, |pair, settings| {
                let question = Question {
                    graph: Asked::List(edges),
                    objective: &objective,
                    settings,
                    solved,
                };
                question.explain(pair, About::EDGE)
            })
        };
        let explained = asked.map(explain).transpose().map_err(failed)?;
        spent.explain = explained.as_ref().map(|_| started.elapsed());
        let prices = (0..vertices).map(|v| degrees.price(v).into()).collect();
        let bounds = (degrees.least(), degrees.most());
        let report = Report {
            file: run.file,
            format: run.format,
            objective: run.args.objective,
            decimals: self.grid,
            names,
            edges: count,
            outcome,
            explained,
            pool: None,
            is_worst_first: false,
            games: Some(GamesReport::new(
                Numbers::of_graph(self.wish.everybody),
                bounds,
                prices,
                outcome,
            )),
            warnings: &run.warnings(),
            spent,
        };
        deliver(run.args, &report)
    }

    /// The objective, and whether it is one to be great.
    fn objective<V: Weight>(&self) -> (Objective<V>, bool) {
        match self.run.args.objective {
            ObjectiveArg::MaxPerfect => (Objective::MaxPerfect, true),
            _ => (Objective::MinPerfect, false),
        }
    }

    fn degrees<V: Weight>(&self, vertices: usize) -> Result<Degrees<V>, Failure> {
        let everybody = self.wish.everybody;
        let (least, others) = (everybody.least(), vertices.saturating_sub(1));
        if vertices > 0 && least as usize > others {
            return Err(Failure::Usage {
                option: "--games",
                problem: GamesProblem::TooMany { least, others }.to_string(),
            });
        }
        let (least, most) = (vec![least; vertices], vec![everybody.most(); vertices]);
        if self.run.args.missing_cost.is_some() {
            Numbers::of_graph(everybody).check_price(&least, &most)?;
        }
        let (_, is_maximum) = self.objective::<V>();
        let price = if is_maximum { -self.price } else { self.price };
        let price = V::from_wide(price).ok_or_else(too_large)?;
        Ok(Degrees::between(least, most).missing(vec![price; vertices]))
    }
}
