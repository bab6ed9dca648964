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
/// assert_eq!(seen.get().map(|(cost, _)| cost), Some(8.0));
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
}

impl Incumbent {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The cost and the groups of the best grouping so far; the bench last if there is one. `None` before the first.
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

    pub(crate) fn offer(&self, order: i128, cost: f64, groups: impl FnOnce() -> Vec<Vec<usize>>) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shown.as_ref().is_none_or(|best| order < best.order) {
            let groups = groups();
            *shown = Some(Shown { order, cost, groups });
        }
    }
}

/// Called with progress, from any thread.
pub(crate) type Observer<'a> = dyn Fn(&Progress) + Sync + 'a;
