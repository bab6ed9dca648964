//! The search: engine, limits, seed, and who watches.

use std::sync::Arc;
use std::time::{Duration, Instant};

use matching_core::{CancelToken, CostValue};

use crate::control::{Incumbent, Limits, Progress, Stop};
use crate::engine::Engine;
use crate::engines::{self, Outcome, Setting};
use crate::error::Error;
use crate::grouping::{Grouping, count};
use crate::instance::{Costs, Instance};
use crate::layout::Layout;
use crate::pairwise::{Gains, Grid};
use crate::partition::Partition;
use crate::start;
use crate::state::State;
use crate::whole::{Failure, Whole};

/// Makes groupings to start from, one for each number.
pub(crate) type Starts<'a> = dyn Fn(u64) -> Vec<Vec<usize>> + Sync + 'a;

/// A search for groups of little cost.
///
/// Without limits it does an amount of work that suits the size of the problem: well below a second for a few hundred
/// players. With limits on work alone, the same seed gives the same answer on every machine and number of threads.
///
/// # Examples
/// ```
/// use matching_core::cost;
/// use matching_heuristics::{Groups, Instance, Search};
///
/// let cost = cost::from_symmetric_fn(30, |i, j| ((i * j) % 17) as i64);
/// let instance = Instance::pairwise(&cost, Groups::of_size(30, 5)?)?;
/// let grouping = Search::auto(&instance).work(1_000_000).seed(7).run()?;
/// assert_eq!(grouping.groups().len(), 6);
/// # Ok::<(), matching_heuristics::Error>(())
/// ```
#[derive(Clone)]
pub struct Search<'a, V: CostValue> {
    instance: &'a Instance<'a, V>,
    engine: Engine,
    limits: Limits<'a>,
    seed: u64,
    walks: usize,
    warm: Option<Vec<Vec<usize>>>,
    starts: Option<&'a Starts<'a>>,
}

impl<'a, V: CostValue> Search<'a, V> {
    /// The engine that suits the problem and the budget.
    pub fn auto(instance: &'a Instance<'a, V>) -> Self {
        Self::with(instance, Engine::Auto)
    }

    /// A certain engine.
    pub fn with(instance: &'a Instance<'a, V>, engine: Engine) -> Self {
        Self {
            instance,
            engine,
            limits: Limits::default(),
            seed: 0,
            walks: 1,
            warm: None,
            starts: None,
        }
    }

    /// Stop after so many moves were looked at. Reproducible.
    #[must_use]
    pub fn work(mut self, evaluations: u64) -> Self {
        self.limits.work = Some(evaluations);
        self
    }

    /// Stop after so much time on the wall.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.limits.time = Some(limit);
        self
    }

    /// Stop as soon as a grouping costs no more than this.
    #[must_use]
    pub fn target(mut self, cost: f64) -> Self {
        self.limits.target = Some(cost);
        self
    }

    /// Stop when the token is cancelled; the best grouping so far is returned.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.limits.cancel = Some(token);
        self
    }

    /// Where chance begins; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Several independent walks, at least, that share the work evenly; the best one counts. They run side by side as far
    /// as there are threads. Annealing takes more where the budget is worth more coolings; a population and tempering have
    /// their own.
    #[must_use]
    pub fn walks(mut self, walks: usize) -> Self {
        self.walks = walks.max(1);
        self
    }

    /// Groups to begin with; players in none wait. The answer never costs more than they do.
    #[must_use]
    pub fn warm_start(mut self, groups: &[Vec<usize>]) -> Self {
        self.warm = Some(groups.to_vec());
        self
    }

    /// Groupings to start from, by number, in place of random ones.
    #[must_use]
    pub fn starts(mut self, starts: &'a (dyn Fn(u64) -> Vec<Vec<usize>> + Sync + 'a)) -> Self {
        self.starts = Some(starts);
        self
    }

    /// Called whenever a walk has found something better than it had, from any thread; not more often than every few
    /// dozen moves.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.limits.observer = Some(observer);
        self
    }

    /// Where the best grouping so far can be read while the search runs.
    #[must_use]
    pub fn incumbent(mut self, incumbent: &Incumbent) -> Self {
        self.limits.incumbent = Some(incumbent.clone());
        self
    }

    /// Searches.
    ///
    /// # Errors
    /// Costs that are no numbers, differ by direction or do not fit: [`Error::PairNotANumber`],
    /// [`Error::GroupNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`]. Parties that cannot be packed:
    /// [`Error::PartiesDoNotFit`], [`Error::PackingUnknown`]. Starts that do not fit: [`Error::WarmStart`],
    /// [`Error::WarmStartSizes`], [`Error::NoSuchPlayer`], [`Error::NoSuchGroup`]. Nothing found without forbidden pairs or groups: [`Error::OnlyForbidden`].
    pub fn run(&self) -> Result<Grouping<V>, Error> {
        let start = Instant::now();
        let layout = self.instance.layout();
        let warm = self
            .warm
            .as_ref()
            .map(|groups| start::from_groups(layout, groups))
            .transpose()?;
        let setting = |default_work: u64, stride: u64, failure: &CancelToken| Setting {
            limits: Limits {
                failed: failure.clone(),
                reached: CancelToken::new(),
                work: self
                    .limits
                    .work
                    .or_else(|| self.limits.time.is_none().then_some(default_work)),
                ..self.limits.clone()
            },
            start,
            seed: self.seed,
            stride,
            walks: self.walks,
            engine: self.engine,
            layout: Arc::clone(layout),
            warm: warm.clone(),
            starts: self.starts,
        };
        let len = self.instance.len() as u64;
        let (groups, outcome) = match self.instance.costs {
            Costs::Pairs(cost) => {
                let grid = Arc::new(Grid::new(cost, layout)?);
                let setting = setting(len * 200_000, 1 << 13, &CancelToken::new());
                solve(&setting, |partition| Gains::new(Arc::clone(&grid), partition))?
            }
            Costs::Whole(cost) => {
                let failure = Failure::default();
                let setting = setting(len * 2_000, 64, &failure.flag);
                let found = if V::IS_INTEGER {
                    solve(&setting, |partition| {
                        Whole::<V, i128>::new(cost, partition, failure.clone())
                    })
                } else {
                    solve(&setting, |partition| {
                        Whole::<V, f64>::new(cost, partition, failure.clone())
                    })
                };
                failure.take().map_or(Ok(()), Err)?;
                found?
            }
        };
        let found = self.grouping(groups, &outcome, layout, start);
        let Some(warm) = warm else {
            return found;
        };
        let first = self.grouping(
            Partition::new(Arc::clone(layout), &warm).players(),
            &outcome,
            layout,
            start,
        );
        // On a coarse grid, what looks no worse than the warm start may be worse, or forbidden even.
        match (found, first) {
            (Ok(found), Ok(first)) if first.cost < found.cost => Ok(first),
            (Err(_), Ok(first)) => Ok(first),
            (found, _) => found,
        }
    }

    fn grouping(
        &self,
        mut groups: Vec<Vec<usize>>,
        outcome: &Ended,
        layout: &Layout,
        start: Instant,
    ) -> Result<Grouping<V>, Error> {
        let bench = groups.split_off(self.instance.groups().len()).pop().unwrap_or_default();
        if self.warm.is_none() && !layout.has_pins() {
            sort_alike(&mut groups, layout);
        }
        Ok(Grouping {
            cost: count(self.instance, &groups)?,
            groups,
            bench,
            engine: outcome.engine,
            seed: self.seed,
            work: outcome.work,
            elapsed: start.elapsed(),
            stop: outcome.stop,
        })
    }
}

impl<V: CostValue> core::fmt::Debug for Search<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Search")
            .field("instance", &self.instance)
            .field("engine", &self.engine)
            .field("work", &self.limits.work)
            .field("time", &self.limits.time)
            .field("seed", &self.seed)
            .field("walks", &self.walks)
            .finish_non_exhaustive()
    }
}

/// How a search came to its end.
struct Ended {
    engine: Engine,
    work: u64,
    stop: Stop,
}

/// The best grouping of an engine, by players.
fn solve<T: State>(setting: &Setting<'_>, state: impl Fn(Partition) -> T) -> Result<(Vec<Vec<usize>>, Ended), Error> {
    let first = Partition::new(Arc::clone(&setting.layout), &setting.start(0)?);
    let Outcome {
        best,
        work,
        stop,
        engine,
    } = engines::run(setting, &state(first))?;
    let groups = Partition::new(Arc::clone(&setting.layout), &best.group_of).players();
    Ok((groups, Ended { engine, work, stop }))
}

/// Groups of the same bounds by their first member: which of them is which means nothing.
fn sort_alike(groups: &mut [Vec<usize>], layout: &Layout) {
    let mut bounds: Vec<(u32, u32)> = layout.bounds[..groups.len()].to_vec();
    bounds.sort_unstable();
    bounds.dedup();
    for bound in bounds {
        let places: Vec<usize> = (0..groups.len())
            .filter(|&group| layout.bounds[group] == bound)
            .collect();
        let mut alike: Vec<Vec<usize>> = places
            .iter()
            .map(|&place| core::mem::take(&mut groups[place]))
            .collect();
        alike.sort_unstable();
        places
            .into_iter()
            .zip(alike)
            .for_each(|(place, group)| groups[place] = group);
    }
}
