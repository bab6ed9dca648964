//! The cost of each pair of a pool, evaluated on all cores.

use std::panic;
use std::thread;

use matching_core::{Cost, EdgeList};
use matchmaking::{EngagementCost, SkillCost};

use super::explain::Terms;
use crate::cli::args::CostArg;

/// Rows of the cost matrix that a thread evaluates before it leaves the next ones to another.
const ROWS_AT_ONCE: usize = 16;

/// The cost that was asked for.
pub(super) enum Costs<'a> {
    Engagement(&'a EngagementCost<'a>),
    Skill(SkillCost<'a>),
}

impl Costs<'_> {
    pub(super) fn cost(&self) -> &(dyn Cost<Value = i64> + Sync) {
        match self {
            Self::Engagement(cost) => *cost,
            Self::Skill(cost) => cost,
        }
    }

    pub(super) fn word(&self) -> CostArg {
        match self {
            Self::Engagement(_) => CostArg::Engagement,
            Self::Skill(_) => CostArg::Skill,
        }
    }

    /// Cost of a bye where the command line gives none.
    pub(super) fn bye(&self, player: usize) -> i64 {
        match self {
            Self::Engagement(cost) => cost.bye(player),
            Self::Skill(_) => 0,
        }
    }

    pub(super) fn terms(&self, a: usize, b: usize) -> Terms {
        match self {
            Self::Engagement(cost) => Terms::Engagement(cost.terms(a, b)),
            Self::Skill(cost) => Terms::Ratings(cost.rating(a), cost.rating(b)),
        }
    }

    /// All allowed pairs in order of rows, evaluated by so many threads.
    pub(super) fn edges(&self, threads: usize) -> Result<EdgeList<i64>, matching_core::Error> {
        let cost = self.cost();
        let n = cost.len();
        let rows = |chunk: usize| {
            (chunk * ROWS_AT_ONCE..n.min((chunk + 1) * ROWS_AT_ONCE)).flat_map(|i| {
                (i + 1..n)
                    .filter(move |&j| cost.is_allowed(i, j))
                    .map(move |j| (i, j, cost.pair(i, j)))
            })
        };
        let chunks = n.div_ceil(ROWS_AT_ONCE);
        let threads = threads.min(chunks);
        if threads <= 1 {
            return EdgeList::new(n, (0..chunks).flat_map(rows));
        }
        // Thread t takes the chunks t, t + threads, ..: early rows are long, late ones short.
        let share = |t: usize| {
            (t..chunks)
                .step_by(threads)
                .map(|chunk| rows(chunk).collect())
                .collect()
        };
        let share = &share;
        let shares: Vec<Vec<Vec<(usize, usize, i64)>>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|t| scope.spawn(move || share(t))).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
                .collect()
        });
        let mut shares: Vec<_> = shares.into_iter().map(Vec::into_iter).collect();
        EdgeList::new(
            n,
            (0..chunks).flat_map(move |chunk| shares[chunk % threads].next().unwrap_or_default()),
        )
    }
}

#[cfg(test)]
mod tests {
    use matching_core::{Cost, EdgeList};
    use matchmaking::{Pool, SkillCost};

    use super::{Costs, ROWS_AT_ONCE};

    #[test]
    fn any_number_of_threads_gives_the_edges_of_the_cost() {
        for n in [0, 1, 2, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 101] {
            let mut players = Pool::synthetic(n, 5).players().to_vec();
            for i in (3..n).step_by(7) {
                players[i].avoid = vec![players[i - 2].id.clone()];
            }
            let pool = Pool::new(players).expect("synthetic players are valid");
            let cost = SkillCost::new(&pool);
            let pairs = (0..n)
                .flat_map(|i| (i + 1..n).map(move |j| (i, j)))
                .filter(|&(i, j)| cost.is_allowed(i, j));
            let expected = EdgeList::new(n, pairs.map(|(i, j)| (i, j, cost.pair(i, j))));
            for threads in [1, 2, 3, 64] {
                assert_eq!(
                    Costs::Skill(SkillCost::new(&pool)).edges(threads),
                    expected,
                    "{n} {threads}"
                );
            }
        }
    }
}
