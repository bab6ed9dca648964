//! The solver: limits, seed, who watches, and the order of steps.

use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken, CostValue};

use crate::conflict::{
    Feasibility, crowd_conflict, explain, find_grouping, role_conflict, size_conflict, sizes_are_forbidden,
    torn_conflict,
};
use crate::error::Error;
use crate::grid::Grid;
use crate::limits::{Clock, Limits};
use crate::model::Model;
use crate::primal;
use crate::problem::Problem;
use crate::run::{Run, Settings};
use crate::solution::Solution;
use crate::terms::Fault;
use crate::tree::Chosen;
use crate::warm::Warm;

/// A glimpse of a running solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// What the best grouping so far costs, if there is one. Where floats are rounded to a grid, the best is the best on
    /// that, and may cost a little more than one before.
    pub cost: Option<f64>,
    /// No grouping costs less, if that much is known.
    pub bound: Option<f64>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The exact solver: limits, seed, and who watches.
///
/// 1. A search finds a good grouping.
/// 2. Ascent and column generation find duals, which prove a bound.
/// 3. Every team that could be in a better grouping, judging by its reduced cost, goes to a pool. Where that has no room for them, two
///    players are put together in one case and apart in the other, and each case begins anew at step 2.
/// 4. Branch and cut over the pool finds the best grouping, or proves that the one known is the best.
///
/// Without limits it runs until that is done, which may take long; with some, the best grouping and the best bound so
/// far are returned. Rarely, and for costs of very different sizes, a linear program needs more digits than floats have:
/// then cases stay open without a limit, too ([`StopReason::Numerics`](crate::StopReason::Numerics)).
///
/// # Examples
/// ```
/// use std::time::Duration;
/// use matching_core::cost;
/// use matching_lp::{Groups, Problem, Solver};
///
/// let cost = cost::from_symmetric_fn(12, |i, j| ((i * 7 + j * 11) * (i + j) % 23) as i64);
/// let problem = Problem::new(&cost, Groups::of_size(12, 4)?)?;
/// let solution = Solver::new().time(Duration::from_secs(10)).solve(&problem)?;
/// assert!(solution.is_optimal() && solution.cost() == solution.bound());
/// assert!(solution.verify(&problem).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # References
/// - F. Barahona, R. Anbil, "The volume algorithm", Mathematical Programming 87 (2000), 385-399,
///   doi:10.1007/s101070050002: the ascent.
/// - P. Wentges, "Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming", International Transactions
///   in Operational Research 4 (1997), 151-162, doi:10.1111/j.1475-3995.1997.tb00071.x: duals that teams are priced at.
/// - M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, "Subset-row inequalities applied to the vehicle-routing problem
///   with time windows", Operations Research 56 (2008), 497-511, doi:10.1287/opre.1070.0449; V. Chvátal, "Edmonds
///   polytopes and a hierarchy of combinatorial problems", Discrete Mathematics 4 (1973), 305-337,
///   doi:10.1016/0012-365X(73)90167-2: cuts.
/// - D. Ryan, B. Foster, "An integer programming approach to scheduling", in A. Wren (ed.), Computer Scheduling of Public
///   Transport, 1981, 269-280: two players together in one case and apart in the other.
#[derive(Clone)]
pub struct Solver<'a> {
    limits: Limits,
    seed: u64,
    pool: usize,
    warm: Option<Vec<Vec<usize>>>,
    observer: Option<&'a (dyn Fn(&Progress) + Sync + 'a)>,
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            seed: 0,
            pool: 1_000_000,
            warm: None,
            observer: None,
        }
    }
}

impl<'a> Solver<'a> {
    /// No limits but that of the pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stop after so much time on the wall.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.limits.time = Some(limit);
        self
    }

    /// Stop after so much work: candidates looked at, and rows and columns of linear programs times pivots; some ten to
    /// forty million a second. The same limit gives the same answer on every machine, as long as no linear program takes
    /// more than a second. The search for the first grouping comes on top of it: it takes no longer than about as much
    /// work would, but some hundredths of a second where that is less. Where a float cost of a whole group is beyond the
    /// grid that those of some groups suggested, the solve begins anew on a coarser one, with all of its work.
    #[must_use]
    pub fn work(mut self, units: u64) -> Self {
        self.limits.work = Some(units);
        self
    }

    /// About how much of such work the search for the first grouping is, by costs of pairs, for so many players and
    /// without a limit: it grows with the square of their number, up to 120 with the cube, up to 60 with its square. A limit
    /// well below it leaves a proof no room.
    #[must_use]
    pub fn first_work(players: usize) -> u64 {
        primal::work(players)
    }

    /// Stop when the token is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.limits.cancel = Some(token);
        self
    }

    /// Tables of pairs may take so many bytes; 16 GiB if not given, which is enough for 30,000 players. They take 18 for each
    /// two of those who can be apart (who stay together count as one), in either order, and where that is more than the limit
    /// the solve is refused before it begins. Where there are more groups than players, most of which stay empty, and the
    /// search for the first grouping does not fit, that is left out. Where there is no grouping, players are looked for who are
    /// in each other's way as far as there is room for those who leave their parties, and are said to be the fewest only where
    /// there was ([`Conflict`](crate::Conflict)). What comes on top of them grows with the players and
    /// with [`pool`](Self::pool).
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
        self.limits = Limits::of(&budget);
        self
    }

    /// Where chance begins in the search for the first grouping; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Most teams that may go to one pool, some 100 bytes each; a million if not given. With less room there are more
    /// cases, and it takes longer.
    #[must_use]
    pub fn pool(mut self, teams: usize) -> Self {
        self.pool = teams;
        self
    }

    /// Groups to begin with, in the order of the problem's; players in none wait, and so do those of one list more. The answer
    /// never costs more than they do.
    #[must_use]
    pub fn warm_start(mut self, groups: &[Vec<usize>]) -> Self {
        self.warm = Some(groups.to_vec());
        self
    }

    /// Called when a better grouping or bound is known.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + Sync + 'a)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Solves.
    ///
    /// # Errors
    /// Costs that are no numbers, differ by direction or do not fit: [`Error::PairNotANumber`],
    /// [`Error::GroupNotANumber`], [`Error::Asymmetric`], [`Error::CostOverflow`]. Wishes that contradict each other at
    /// once: [`Error::PartyTooLarge`], [`Error::PinsDisagree`], [`Error::TooManyPinned`]. [`Error::WarmStart`] for groups to start
    /// from that are none of the problem. [`Error::Infeasible`] where
    /// it is proven that there is no grouping, with [`Conflict::Unexplained`](crate::Conflict::Unexplained) where a
    /// limit came before it was known why; where no grouping is found and that is not proven, the status is
    /// [`Status::Unknown`](crate::Status::Unknown). [`Error::OutOfMemory`] for more players than [`memory`](Self::memory)
    /// has room for.
    ///
    /// # Complexity
    /// Exponential in the worst case; the README has what it takes in practice. Of n players, costs of pairs and what the
    /// search begins with take O(n²) memory and a little more than n² of time; then come the teams of a
    /// [`pool`](Self::pool), some 100 bytes each, and the proof, the duals of n rows for each of its steps. A limit on
    /// time or work ends all of it but the reading of costs.
    pub fn solve<V: CostValue>(&self, problem: &Problem<'_, V>) -> Result<Solution<V>, Error> {
        let start = Instant::now();
        if let Some(conflict) = size_conflict(problem) {
            return Err(Error::Infeasible(conflict));
        }
        self.limits
            .check_memory(Model::units_of(problem, &vec![true; problem.len()]))?;
        let mut grid = Grid::new(problem)?;
        let warm = self.warm.as_ref();
        let warm = warm.map(|groups| Warm::new(problem, groups)).transpose()?;
        let mut known: Option<Chosen> = None;
        let mut taken_for_less: Option<Solution<V>> = None;
        loop {
            let (doublings, found, solution) = match self.attempt(problem, &grid, warm.as_ref(), known.take(), start)? {
                Attempt::Solved(solution) => break Ok(nearer(solution, taken_for_less)),
                Attempt::TakenForLess(doublings, found, solution) => (doublings, found, Some(solution)),
                Attempt::BeyondGrid(doublings, found) => (doublings, found, None),
            };
            grid = grid.coarser(doublings);
            known = found;
            taken_for_less = solution;
        }
    }

    /// A solve on this grid, with groupings that are known.
    fn attempt<V: CostValue>(
        &self,
        problem: &Problem<'_, V>,
        grid: &Grid,
        warm: Option<&Warm>,
        known: Option<Chosen>,
        start: Instant,
    ) -> Result<Attempt<V>, Error> {
        let model = Model::new(problem, grid)?;
        let mut clock = Clock::new(&self.limits, start).with_terms(model.terms.clone());
        let at_sight = role_conflict(problem)
            .or_else(|| torn_conflict(problem, &model, self.pool, &mut clock))
            .or_else(|| crowd_conflict(problem, &model, self.pool, &mut clock));
        if let Some(conflict) = at_sight {
            return Err(Error::Infeasible(conflict));
        }
        if sizes_are_forbidden(problem, &|| clock.is_late()) {
            let conflict = explain(problem, &model, self.pool, &mut clock);
            return Err(Error::Infeasible(conflict));
        }
        let mut run = Run {
            settings: Settings {
                limits: &self.limits,
                seed: self.seed,
                pool: self.pool,
                observer: self.observer,
            },
            problem,
            grid,
            model: &model,
            start,
            best: None,
            bound: None,
            told: (None, None),
        };
        if let Some(warm) = warm {
            run.keep(warm.chosen(&model));
        }
        if let Some(outcome) = run.pairing(&clock) {
            return run.solution(outcome, &clock).map(Attempt::Solved);
        }
        if let Some(known) = known {
            run.keep(known);
        }
        let mut teams = run.first_groupings(warm, &clock);
        if run.best.is_none() {
            teams.clear();
            // Its copy without costs is given back before anything else is made.
            let feasibility = find_grouping(&model.relaxed(), self.pool, &mut clock);
            match feasibility {
                Feasibility::Found(chosen) => run.keep(chosen),
                Feasibility::Impossible => {
                    let conflict = explain(problem, &model, self.pool, &mut clock);
                    return Err(Error::Infeasible(conflict));
                }
                Feasibility::Unknown => {}
            }
        }
        let outcome = run.prove(&teams, &mut clock);
        let found = run.best.as_ref().map(|best| best.1.clone());
        match model.terms.as_ref().and_then(|terms| terms.fault()) {
            Some(Fault::Grid { doublings, .. }) => return Ok(Attempt::BeyondGrid(doublings, found)),
            Some(Fault::Error(error)) => return Err(error),
            None => {}
        }
        let solution = run.solution(outcome, &clock)?;
        let terms = model.terms.as_ref().filter(|_| !clock.is_over());
        Ok(match terms.and_then(|terms| terms.taken_for_less(&solution.groups)) {
            Some(doublings) => Attempt::TakenForLess(doublings, found, solution),
            None => Attempt::Solved(solution),
        })
    }
}

/// How a solve on a grid ended; where there is a number, the grid must be that many times two coarser.
enum Attempt<V: CostValue> {
    /// There is no more to be said.
    Solved(Solution<V>),
    /// The best grouping has a group that is dearer than the grid has room for. Bounds hold, but they are weak.
    TakenForLess(u32, Option<Chosen>, Solution<V>),
    /// There is a group that costs less than the grid has room for, and nothing is proven.
    BeyondGrid(u32, Option<Chosen>),
}

/// Of two answers, where there are two, the one that is nearer to its bound.
fn nearer<V: CostValue>(last: Solution<V>, before: Option<Solution<V>>) -> Solution<V> {
    let gap = |solution: &Solution<V>| solution.cost.to_f64() - solution.bound.to_f64();
    match before {
        Some(before) if gap(&before) < gap(&last) => before,
        _ => last,
    }
}

impl core::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Solver")
            .field("limits", &self.limits)
            .field("seed", &self.seed)
            .field("pool", &self.pool)
            .field("warm", &self.warm)
            .finish_non_exhaustive()
    }
}
