//! The worst pair first: as good as can be, before the total is.

use matching_core::{Blossom, Bottleneck, Instance, Objective, Status, TutteBerge};
use serde::Serialize;

use super::json::OddComponents;
use super::report::Report;
use super::solve::{Matched, Outcome, Settings, SolveError, Solved, Weight, judged, outcome};
use super::text::noun;
use crate::cli::args::PairArgs;
use crate::cli::failure::Failure;
use crate::cli::json::{Exact, Spent};
use crate::cli::names::Id;
use crate::cli::text::{counted, counted_as, say};

/// The worst pair of a matching, and why none has a better one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worst {
    pub(super) cost: i128,
    /// No matching's worst pair is better than this.
    pub(super) bound: i128,
    /// Why not.
    pub(super) witness: TutteBerge,
}

impl Worst {
    fn of<V: Weight>(answer: &Bottleneck<V>) -> Option<Self> {
        Some(Self {
            cost: answer.worst()?.into(),
            bound: answer.bound()?.into(),
            witness: answer.witness()?.clone(),
        })
    }

    /// With the sign of all costs changed.
    pub(super) fn negated(self) -> Self {
        Self {
            cost: -self.cost,
            bound: -self.bound,
            ..self
        }
    }
}

/// Refuses what does not say who is to be paired.
pub(super) fn check_options(args: &PairArgs) -> Result<(), Failure> {
    if !args.worst_first || args.objective.is_perfect() {
        return Ok(());
    }
    Err(Failure::Usage {
        option: "--worst-first",
        problem: format!(
            "under {} no pair at all would be best; ask for min-perfect or max-perfect",
            args.objective.word()
        ),
    })
}

/// Solves, and checks the answer against the graph.
pub(super) fn solve<V: Weight, I: Instance<Value = V> + ?Sized>(
    graph: &I,
    objective: &Objective<V>,
    settings: &Settings,
    spent: &mut Spent,
) -> Result<Solved<V>, SolveError> {
    let ask = |blossom: &Blossom<V>| blossom.solve_bottleneck(graph);
    judged((graph, objective), settings, spent, ask, |answer: Bottleneck<V>| {
        answer.verify(graph).map_err(SolveError::Unverified)?;
        Ok(Solved {
            outcome: with_worst(outcome(answer.solution(), None), &answer),
            solution: Some(answer.solution().clone()),
        })
    })
}

/// An outcome by its total, and what there is to say of its worst pair.
fn with_worst<V: Weight>(outcome: Outcome, answer: &Bottleneck<V>) -> Outcome {
    match outcome {
        Outcome::Matched(matched) => Outcome::Matched(Matched {
            stopped: match answer.status() {
                Status::Feasible(reason) | Status::Unknown(reason) if answer.worst() != answer.bound() => Some(reason),
                _ => matched.stopped,
            },
            worst: Worst::of(answer),
            ..matched
        }),
        other => other,
    }
}

/// The first of the worst pairs.
fn pair(matched: &Matched, worst: &Worst) -> Option<(usize, usize)> {
    let mut pairs = matched.pairs.iter();
    pairs.find(|pair| pair.2 == worst.cost).map(|&(u, v, _)| (u, v))
}

/// In words: which pair it is, and why it is not better.
pub(super) fn describe(out: &mut String, report: &Report<'_>, matched: &Matched, worst: &Worst) {
    let Some((u, v)) = pair(matched, worst) else { return };
    let (u, v) = (report.names.text(u), report.names.text(v));
    let verb = if noun(report) == "cost" { "costs" } else { "weighs" };
    let (cost, bound) = (report.number(worst.cost), report.number(worst.bound));
    say(out, format_args!("worst pair: {u} and {v}, which {verb} {cost}"));
    // Where a limit came first, less is known.
    let (claim, none, those) = if worst.cost == worst.bound {
        ("no pairing has a better one".to_owned(), "no better one", "better ones")
    } else {
        (format!("no pairing has one better than {bound}"), "none such", "those")
    };
    let alone = worst.witness.odd_components().iter().filter(|those| those.len() == 1);
    let alone: Vec<usize> = alone.filter_map(|those| those.first().copied()).collect();
    // Of an odd number one sits out, who needs none.
    let spare = report.names.len() % 2;
    let reason = match alone[..] {
        [first, ref more @ ..] if worst.witness.removed().is_empty() && more.len() >= spare => {
            let name = report.names.text(first);
            match more.len() {
                0 => format!("{name} has {none}"),
                more => format!("{name} and {more} more have {none}"),
            }
        }
        _ => {
            // What is left over of an even number is even.
            let left = worst.witness.deficiency();
            let left = left + (left + report.names.len()) % 2;
            let left = match &report.pool {
                Some(_) => counted(left, "player"),
                None => counted_as(left, "vertex", "vertices"),
            };
            format!("by {those} alone at least {left} would be left over")
        }
    };
    say(out, format_args!("{claim}: {reason}"));
}

/// The same for scripts.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    pair: Option<(Id<'a>, Id<'a>)>,
    cost: Exact,
    bound: Exact,
    witness: OddComponents<'a>,
}

impl<'a> Document<'a> {
    pub(super) fn new(report: &'a Report<'_>) -> Option<Self> {
        let matched = report.outcome.matched()?;
        let worst = matched.worst.as_ref()?;
        Some(Self {
            pair: pair(matched, worst).map(|(u, v)| (report.names.id(u), report.names.id(v))),
            cost: report.number(worst.cost).into(),
            bound: report.number(worst.bound).into(),
            witness: OddComponents::new(report, &worst.witness),
        })
    }
}
