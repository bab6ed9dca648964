//! Who is told of progress, and how.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A glimpse of a running search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Least cost so far, on the search's own grid: see [`Instance::pairwise`](crate::Instance::pairwise). Costs of
    /// whole groups have no grid.
    pub cost: f64,
    /// Evaluations so far, of this walk.
    pub work: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Which of several walks; every child of a population is one.
    pub walk: usize,
}

/// The best grouping so far, readable from another thread while the search runs.
///
/// A search forgets what an earlier one has left here before it begins: the two may be about different players and
/// costs, and the cheaper would hide the other. So it serves one search at a time.
///
/// # Examples
/// ```
/// use matching_core::cost;
/// use matching_heuristics::{Groups, Incumbent, Instance, Search};
///
/// let cost = cost::from_symmetric_fn(6, |i, j| (i as i64 - j as i64).abs());
/// let instance = Instance::pairwise(&cost, Groups::of_size(6, 3)?)?;
/// let seen = Incumbent::new();
/// Search::auto(&instance).work(10_000).incumbent(&seen).run()?;
/// let best = seen.best().expect("one was found");
/// assert_eq!((best.cost(), best.groups().len(), best.bench().len()), (8.0, 2, 0));
/// # Ok::<(), matching_heuristics::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Incumbent(Arc<Mutex<Option<Shown>>>);

/// A grouping as it is shown.
#[derive(Clone, Debug)]
struct Shown {
    /// Its place among all, which the cost says only as well as floats do.
    order: i128,
    cost: f64,
    /// The bench last if there is one.
    groups: Vec<Vec<usize>>,
    /// How many of them are groups.
    costly: usize,
}

/// The best grouping so far, as [`Incumbent::best`] shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct BestSoFar {
    groups: Vec<Vec<usize>>,
    bench: Vec<usize>,
    cost: f64,
}

impl BestSoFar {
    /// The groups, in the order of their bounds; members ascending. Groups of the same bounds come in any order.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Who waits, ascending.
    pub fn bench(&self) -> &[usize] {
        &self.bench
    }

    /// [`Progress::cost`]: where pairs are rounded to a grid, as floats are, it is off by that much from what the groups
    /// cost.
    pub fn cost(&self) -> f64 {
        self.cost
    }
}

impl Incumbent {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The best grouping so far; `None` before the first.
    pub fn best(&self) -> Option<BestSoFar> {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = shown.as_ref()?;
        let (groups, bench) = shown.groups.split_at(shown.costly);
        Some(BestSoFar {
            groups: groups.to_vec(),
            bench: bench.concat(),
            cost: shown.cost,
        })
    }

    /// The same as the cost and one list of players for each group, in the order of their bounds. Where somebody may wait
    /// ([`Groups::bench`](crate::Groups::bench)), there is one list more, the last, of those who do, empty if nobody does:
    /// [`best`](Self::best) tells them apart.
    ///
    /// The cost is [`Progress::cost`]: where pairs are rounded to a grid, as floats are, it is off by that much from
    /// what the groups cost.
    pub fn get(&self) -> Option<(f64, Vec<Vec<usize>>)> {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.as_ref().map(|shown| (shown.cost, shown.groups.clone()))
    }

    /// None any more: a search begins.
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Shows a grouping that is better than what is shown, of so many groups, and the bench behind them.
    pub(crate) fn offer(&self, order: i128, cost: f64, costly: usize, groups: impl FnOnce() -> Vec<Vec<usize>>) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.as_ref().is_none_or(|best| order < best.order) {
            let groups = groups();
            *shown = Some(Shown {
                order,
                cost,
                groups,
                costly,
            });
        }
    }
}

/// Called with progress, from any thread.
pub(crate) type Observer<'a> = dyn Fn(&Progress) + Sync + 'a;
