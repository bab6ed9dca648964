//! Whether there is a grouping at all, and who is in the way.

use matching_core::CostValue;

use crate::branching::Branching;
use crate::error::Conflict;
use crate::generate::Generation;
use crate::limits::Clock;
use crate::model::{Kind, Model};
use crate::problem::Problem;
use crate::tree::Chosen;

/// What is known of a problem.
pub(crate) enum Feasibility {
    /// There is a grouping: this one.
    Found(Chosen),
    /// There is none, and that is proven.
    Impossible,
    /// A limit came first.
    Unknown,
}

/// Looks for any grouping, by the relaxed problem: the least number of units that are nowhere and groups that are not filled. It is
/// solved like any other, and an exact bound above zero is a proof.
pub(crate) fn find_grouping(model: &Model, most_columns: usize, clock: &mut Clock<'_>) -> Feasibility {
    let generation = Generation::new(model, &[], vec![0.5; model.rows()], 2.0, 1);
    let Some(duals) = generation.run(clock) else {
        return Feasibility::Unknown;
    };
    if duals.bound(model) > 0 {
        return Feasibility::Impossible;
    }
    // Only groupings that cost 0 are of interest, so anything that costs 1 is too much.
    let mut better = None;
    let mut keep = |_, chosen: &Chosen| better = Some(chosen.clone());
    let found = Branching::new(model, 1, most_columns, clock, &mut keep).run(&duals);
    match better {
        Some(chosen) => {
            let is_in = |column: &(Kind, Vec<u16>)| column.0 != Kind::Nowhere;
            Feasibility::Found(chosen.into_iter().filter(is_in).collect())
        }
        None if found.bound > 0 => Feasibility::Impossible,
        None => Feasibility::Unknown,
    }
}

/// A small set of players whose wishes cannot all be met, for a problem that has no grouping: leaves out one after the other
/// as long as what is left is still impossible.
pub(crate) fn explain<V: CostValue>(problem: &Problem<'_, V>, most_columns: usize, clock: &mut Clock<'_>) -> Conflict {
    let n = problem.len();
    let mut counts = has_wishes(problem);
    let mut is_minimal = true;
    for player in 0..n {
        if counts[player] {
            counts[player] = false;
            let model = Model::of_wishes(problem, &counts);
            match find_grouping(&model, most_columns, clock) {
                Feasibility::Impossible => {}
                Feasibility::Found(_) => counts[player] = true,
                Feasibility::Unknown => {
                    counts[player] = true;
                    is_minimal = false;
                }
            }
        }
    }
    Conflict::Players {
        players: (0..n).filter(|&player| counts[player]).collect(),
        is_minimal,
    }
}

/// Who is in a party or in a forbidden pair.
fn has_wishes<V: CostValue>(problem: &Problem<'_, V>) -> Vec<bool> {
    let n = problem.len();
    let mut has = vec![false; n];
    for &player in problem.parties().iter().flatten() {
        has[player] = true;
    }
    for &(i, j) in problem.pairs_apart() {
        (has[i], has[j]) = (true, true);
    }
    if problem.cost().has_forbidden() {
        for i in 0..n {
            for j in i + 1..n {
                if !problem.cost().is_allowed(i, j) {
                    (has[i], has[j]) = (true, true);
                }
            }
        }
    }
    has
}
