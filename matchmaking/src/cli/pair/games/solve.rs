//! One question to the engine, and the check of its answer.

use std::time::Instant;

use matching_core::{BMatching, Blossom, Degrees, Error, Instance, Objective, SolvedBy, Status, StopReason, verify};

use super::lack::Lack;
use crate::cli::json::Spent;
use crate::cli::pair::solve::{Matched, Outcome, Settings, SolveError, Weight};

/// An outcome, and where it comes from.
pub(super) struct Solved<V: Weight> {
    pub(super) outcome: Outcome,
    /// The answer behind it, unless there is none.
    pub(super) answer: Option<BMatching<V>>,
}

/// Solves, and checks the answer against the input.
pub(super) fn solve<V: Weight, I: Instance<Value = V> + ?Sized>(
    graph: &I,
    objective: &Objective<V>,
    degrees: &Degrees<V>,
    settings: &Settings,
    spent: &mut Spent,
) -> Result<Solved<V>, SolveError> {
    let start = Instant::now();
    let ask = |blossom: &Blossom<V>| blossom.solve_degrees(graph, degrees);
    let result = settings.ask(objective, ask);
    let gone = start.elapsed();
    spent.solve += gone;
    let start = Instant::now();
    let none = |outcome| Solved { outcome, answer: None };
    let solved = match result {
        Ok(answer) => {
            answer.verify(graph).map_err(SolveError::Unverified)?;
            Solved {
                outcome: outcome(&answer, degrees.len()),
                answer: Some(answer),
            }
        }
        Err(Error::NoDegrees(witness)) if witness.missing() == 0 => {
            none(Outcome::Unexplained(settings.stopped_after(gone)))
        }
        Err(Error::NoDegrees(witness)) => {
            verify::degrees_witness(graph, degrees, &witness).map_err(SolveError::Unverified)?;
            let edges = graph.to_edges().map_err(SolveError::Refused)?;
            none(Outcome::Lacking(Lack::of(&edges, degrees, &witness)))
        }
        Err(error) => return Err(SolveError::Refused(error)),
    };
    spent.verify += start.elapsed();
    Ok(solved)
}

/// What an answer for so many vertices says.
fn outcome<V: Weight>(answer: &BMatching<V>, vertices: usize) -> Outcome {
    let matched = |stopped| {
        let mut is_idle = vec![true; vertices];
        answer
            .pairs()
            .for_each(|(u, v, _)| (is_idle[u], is_idle[v]) = (false, false));
        Matched {
            stopped,
            cost: answer.cost(),
            bound: answer.bound(),
            more_pairs: None,
            pairs: answer.pairs().map(|(u, v, weight)| (u, v, weight.into())).collect(),
            unmatched: (0..vertices).filter(|&v| is_idle[v]).collect(),
            worst: None,
            work: answer.work(),
            solved_by: SolvedBy::Sparse,
        }
    };
    match answer.status() {
        Status::Optimal => Outcome::Matched(matched(None)),
        Status::Unknown(reason) => Outcome::Unknown {
            bound: answer.bound(),
            reason,
            work: answer.work(),
            solved_by: SolvedBy::Sparse,
        },
        // A bound that is reached proves as much as a solve that ends.
        Status::Feasible(_) if answer.cost() == answer.bound() => Outcome::Matched(matched(None)),
        Status::Feasible(reason) => Outcome::Matched(matched(Some(reason))),
        // A status this program does not know promises nothing beyond the bound.
        _ => Outcome::Matched(matched(Some(StopReason::Rounding))),
    }
}
