//! The search: engine, limits, seed, and who watches.

use std::time::Duration;

use matching_core::{Budget, CancelToken, CostValue};

use crate::control::Limits;
use crate::engine::Engine;
use crate::error::Error;
use crate::grouping::Grouping;
use crate::instance::Instance;
use crate::progress::{Incumbent, Progress};
use crate::run::run;

/// Makes groupings to start from, one for each number.
pub(crate) type Starts<'a> = dyn Fn(u64) -> Vec<Vec<usize>> + Sync + 'a;

/// A search for groups of little cost.
///
/// Without limits it looks at an amount of moves that grows with the players: by pairs, [`Engine::Auto`] and annealing
/// take well below a second for a few hundred of them, other engines some seconds; by group it is the cost that
/// decides. Where it takes about as long, at most, to try all groupings, as among 14 players, [`Engine::Auto`] does that.
/// With limits on work alone, the same seed gives the same answer on every machine and number of threads. (An error is
/// less certain: of several groups whose costs are no numbers it may name another one where threads are several.)
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
    pub(crate) instance: &'a Instance<'a, V>,
    pub(crate) engine: Engine,
    pub(crate) limits: Limits<'a>,
    pub(crate) target: Option<V::Total>,
    pub(crate) seed: u64,
    pub(crate) walks: usize,
    pub(crate) warm: Option<Vec<Vec<usize>>>,
    pub(crate) starts: Option<&'a Starts<'a>>,
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
            target: None,
            seed: 0,
            walks: 1,
            warm: None,
            starts: None,
        }
    }

    /// Stop once so many moves were looked at. Reproducible. Small budgets are overshot, as an engine ends what it is
    /// at: annealing by pairs looks at all moves of one group's members, each rung of a tempering and each child of a
    /// population does, and others at all exchanges of one unit with one group.
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

    /// Stop as soon as a grouping costs no more than this by the instance's own costs, and nothing forbidden is in it.
    /// Totals of integers are compared to the last digit.
    #[must_use]
    pub fn target(mut self, cost: V::Total) -> Self {
        self.target = Some(cost);
        self
    }

    /// Stop when the token is cancelled; the best grouping so far is returned.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.limits.cancel = Some(token);
        self
    }

    /// Tables of pairs may take so many bytes; 16 GiB if not given, which is enough for some 50,000 players. They take 5 for
    /// each two parties and single players in either order, and 4 for each of them and each group; where that is more than
    /// the limit, the search is refused before it begins. What further walks keep of their own, 4 bytes for each player and
    /// each group, is not counted. Costs of whole groups have no tables of pairs.
    #[must_use]
    pub fn memory(mut self, bytes: usize) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// The limits of a budget, in the place of all that were given before: [`work`](Self::work), [`time`](Self::time),
    /// [`cancel`](Self::cancel) and [`memory`](Self::memory). So one budget may be passed to several solvers; each has all
    /// of it.
    #[must_use]
    #[allow(clippy::needless_pass_by_value, reason = "as other solvers take it")]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.limits.take(&budget);
        self
    }

    /// Where chance begins; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Several independent walks, at least, that share the work evenly; the best one counts. They run side by side as
    /// far as there are threads. Annealing takes more where the budget is worth more coolings, a population has its
    /// own, and a walk of tempering is a whole ladder of temperatures. More than a million are taken for a million.
    #[must_use]
    pub fn walks(mut self, walks: usize) -> Self {
        self.walks = walks.clamp(1, 1_000_000);
        self
    }

    /// Groups to begin with; players in none wait, and so do those of one list more. The answer never costs more than
    /// they do.
    #[must_use]
    pub fn warm_start(mut self, groups: &[Vec<usize>]) -> Self {
        self.warm = Some(groups.to_vec());
        self
    }

    /// Groupings to start from, by number, in place of random ones; as in [`warm_start`](Self::warm_start).
    #[must_use]
    pub fn starts(mut self, starts: &'a (dyn Fn(u64) -> Vec<Vec<usize>> + Sync + 'a)) -> Self {
        self.starts = Some(starts);
        self
    }

    /// Called whenever a walk has found something better than it had, from any thread: when it begins, when it ends,
    /// and between no more than once a step of its engine, which is some dozens of moves or more, fewer only where
    /// little work is left.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.limits.observer = Some(observer);
        self
    }

    /// Where the best grouping so far can be read while the search runs; what it holds before is forgotten. It is for one
    /// search at a time: two that run together each take the other's groupings for their own.
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
    /// [`Error::WarmStartSizes`], [`Error::NoSuchPlayer`], [`Error::NoSuchGroup`]. Nothing found without forbidden
    /// pairs or groups: [`Error::OnlyForbidden`], or [`Error::AllForbidden`] where all groupings were tried.
    /// These two say how many moves were looked at, and the first what ended the search.
    /// [`Error::TooManyGroups`] for an engine that does not take so many, [`Error::OutOfMemory`] for more players than
    /// [`memory`](Self::memory) has room for, [`Error::TargetNotANumber`].
    ///
    /// # Complexity
    /// As much as the limits say. By pairs of n players in g groups, a move takes constant time to look at and O(n) to
    /// make, and a walk keeps O(n²) for costs and O(n g) for what each player would pay in each group. By group, a move takes
    /// two costs of groups, and a walk keeps a cost for each group.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Cost, cost};
    /// use matching_heuristics::{Engine, Error, Groups, Instance, Search, Stop};
    ///
    /// // Nobody may be with two others.
    /// let apart = cost::from_symmetric_fn(30, |i, j| ((i * j) % 17) as i64).restricted(|i, j| i / 2 == j / 2);
    /// let instance = Instance::pairwise(&apart, Groups::of_size(30, 3)?)?;
    /// let found = Search::with(&instance, Engine::Climb).work(5_000).run();
    /// assert!(matches!(found, Err(Error::OnlyForbidden { stop: Stop::Work, work: 5_000.., .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run(&self) -> Result<Grouping<V>, Error> {
        run(self)
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
