//! The whole method, step by step.

use std::time::{Duration, Instant};

use matching_core::{CancelToken, CostValue};

use crate::certificate::{Certificate, Step};
use crate::classes::assigned;
use crate::conflict::{Feasibility, explain, find_grouping};
use crate::duals::Duals;
use crate::error::{Conflict, Error};
use crate::generate::Generation;
use crate::grid::Grid;
use crate::improve::Improvement;
use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model, SCALE};
use crate::pairs;
use crate::pool::Pool;
use crate::primal;
use crate::problem::Problem;
use crate::solution::{Solution, Status, StopReason};
use crate::tree::{Chosen, Tree};

/// A glimpse of a running solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// Least cost so far, if there is a grouping.
    pub cost: Option<f64>,
    /// No grouping costs less, if that much is known.
    pub bound: Option<f64>,
    /// Time since the start.
    pub elapsed: Duration,
}

/// The exact solver: limits, seed, and who watches.
///
/// 1. A search finds a good grouping.
/// 2. Column generation finds duals, which prove a bound.
/// 3. Every team that could be in a better grouping, judging by its reduced cost, goes to a pool.
/// 4. Branch and cut over the pool finds the best grouping, or proves that the one known is the best.
///
/// Without limits it runs until that is done, which may take long; with some, the best grouping and the best bound so far are
/// returned.
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
#[derive(Clone)]
pub struct Solver<'a> {
    limits: Limits,
    seed: u64,
    pool: usize,
    observer: Option<&'a (dyn Fn(&Progress) + 'a)>,
}

impl Default for Solver<'_> {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            seed: 0,
            pool: 1_000_000,
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

    /// Stop after so much work: candidates looked at, and numbers of the linear program changed; some 10^8 to 10^9 a second. The same
    /// limit gives the same answer on every machine. The search for the first grouping has its own limit.
    #[must_use]
    pub fn work(mut self, units: u64) -> Self {
        self.limits.work = Some(units);
        self
    }

    /// Stop when the token is cancelled.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.limits.cancel = Some(token);
        self
    }

    /// Where chance begins in the search for the first grouping; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Most teams that may go to the pool, some 100 bytes each; a million if not given.
    #[must_use]
    pub fn pool(mut self, teams: usize) -> Self {
        self.pool = teams;
        self
    }

    /// Called when a better grouping or bound is known.
    #[must_use]
    pub fn observer(mut self, observer: &'a (dyn Fn(&Progress) + 'a)) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Solves.
    ///
    /// # Errors
    /// Costs that are no numbers, differ by direction or do not fit: [`Error::PairNotANumber`], [`Error::Asymmetric`],
    /// [`Error::CostOverflow`]. [`Error::Infeasible`] where it is proven that there is no grouping; where no grouping is found and that is not
    /// proven, the status is [`Status::Unknown`].
    pub fn solve<V: CostValue>(&self, problem: &Problem<'_, V>) -> Result<Solution<V>, Error> {
        let start = Instant::now();
        check_sizes(problem)?;
        let grid = Grid::new(problem)?;
        let model = Model::new(problem, &grid)?;
        let mut clock = Clock::new(&self.limits, start);
        let mut run = Run {
            solver: self,
            problem,
            grid: &grid,
            model: &model,
            start,
            best: None,
            bound: None,
        };
        if let Some(outcome) = run.pairing(&clock) {
            return run.solution(outcome, &clock);
        }
        let mut teams = run.first_groupings(&clock);
        if run.best.is_none() {
            teams.clear();
            match find_grouping(&model.relaxed(), self.pool, &mut clock) {
                Feasibility::Found(chosen) => run.keep(chosen),
                Feasibility::Impossible => return Err(Error::Infeasible(explain(problem, self.pool, &mut clock))),
                Feasibility::Unknown => {}
            }
        }
        let outcome = run.prove(&teams, &mut clock);
        run.solution(outcome, &clock)
    }
}

impl core::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Solver")
            .field("limits", &self.limits)
            .field("seed", &self.seed)
            .field("pool", &self.pool)
            .finish_non_exhaustive()
    }
}

fn check_sizes<V: CostValue>(problem: &Problem<'_, V>) -> Result<(), Error> {
    let groups = problem.groups();
    let players = problem.len();
    let sum = |end: fn(&core::ops::RangeInclusive<usize>) -> usize| {
        (0..groups.len()).fold(0_usize, |sum, group| sum.saturating_add(end(&groups.bounds(group))))
    };
    let least = sum(|bounds| *bounds.start());
    let most = sum(|bounds| *bounds.end()).saturating_add(*groups.bench().end());
    if least <= players && players <= most {
        Ok(())
    } else {
        Err(Error::Infeasible(Conflict::Sizes { players, least, most }))
    }
}

/// How the proof ended.
struct Outcome {
    certificate: Certificate,
    pool: usize,
    /// Why it is not complete.
    stop: Option<StopReason>,
}

/// One solve.
struct Run<'r, 's, V: CostValue> {
    solver: &'r Solver<'s>,
    problem: &'r Problem<'r, V>,
    grid: &'r Grid,
    model: &'r Model,
    start: Instant,
    best: Option<(i64, Chosen)>,
    bound: Option<i64>,
}

impl<V: CostValue> Run<'_, '_, V> {
    /// Groups of two by the exact pairing; `None` if groups are others, or it did not come to its end.
    fn pairing(&mut self, clock: &Clock<'_>) -> Option<Outcome> {
        if !pairs::is_pairing(self.model) {
            return None;
        }
        let pairing = pairs::solve(self.model, &self.solver.limits, clock)?;
        self.keep(pairs::teams(&pairing));
        self.bound = self.best.as_ref().map(|best| best.0);
        self.tell();
        Some(Outcome {
            certificate: Certificate {
                steps: Vec::new(),
                pairing: Some(pairing),
            },
            pool: 0,
            stop: None,
        })
    }

    /// Groupings by search; the best is kept, the teams of all are returned.
    fn first_groupings(&mut self, clock: &Clock<'_>) -> Vec<Vec<u16>> {
        let limits = &self.solver.limits;
        let found = primal::groupings(self.model, self.problem.groups(), limits, self.solver.seed, clock);
        for teams in &found {
            let mut is_waiting = vec![true; self.model.len()];
            teams
                .iter()
                .flatten()
                .for_each(|&unit| is_waiting[usize::from(unit)] = false);
            let waiting = (0..self.model.len() as u16).filter(|&unit| is_waiting[usize::from(unit)]);
            let chosen = teams
                .iter()
                .map(|units| (Kind::Team(0), units.clone()))
                .chain(waiting.map(|unit| (Kind::Bench, vec![unit])))
                .collect();
            if let Some(chosen) = assigned(self.model, chosen) {
                self.keep(chosen);
            }
        }
        found.into_iter().flatten().collect()
    }

    /// Keeps a grouping if it is the best so far.
    fn keep(&mut self, chosen: Chosen) {
        let cost = chosen
            .iter()
            .map(|(kind, units)| self.model.column_cost(*kind, units))
            .sum();
        if self.best.as_ref().is_none_or(|best| cost < best.0) {
            self.best = Some((cost, chosen));
            self.tell();
        }
    }

    fn tell(&self) {
        if let Some(observer) = self.solver.observer {
            let float = |units: i64| self.grid.lower_bound::<V>(units, 0).to_f64();
            observer(&Progress {
                cost: self.best.as_ref().map(|best| float(best.0)),
                bound: self.bound.map(float),
                elapsed: self.start.elapsed(),
            });
        }
    }

    /// Duals, pool, branch and cut.
    fn prove(&mut self, teams: &[Vec<u16>], clock: &mut Clock<'_>) -> Outcome {
        let mut steps = Vec::new();
        let (pool, stop) = self.prove_by_steps(teams, clock, &mut steps);
        Outcome {
            certificate: Certificate { steps, pairing: None },
            pool,
            stop,
        }
    }

    /// The size of the pool, and why the proof is not complete.
    fn prove_by_steps(
        &mut self,
        teams: &[Vec<u16>],
        clock: &mut Clock<'_>,
        steps: &mut Vec<Step>,
    ) -> (usize, Option<StopReason>) {
        let unfinished = |clock: &Clock<'_>| clock.over().or(Some(StopReason::PoolLimit));
        let upper = self.best.as_ref().map_or(i64::MAX / SCALE / 4, |best| best.0);
        let (center, width) = self.expected_duals();
        let generation = Generation::new(self.model, teams, center, width, upper);
        let Some(duals) = generation.run(clock) else {
            return (0, unfinished(clock));
        };
        let bound = duals.bound(self.model);
        self.bound = Some(bound);
        self.tell();
        steps.push(Step::Tighten(duals.clone()));
        self.improve(&duals, clock);
        let Some(upper) = self.best.as_ref().map(|best| best.0) else {
            return (0, unfinished(clock));
        };
        if bound >= upper {
            return (0, None);
        }
        let room = (upper - 1) * SCALE - duals.total(self.model);
        let Ok(pool) = Pool::enumerate(self.model, &duals, room, self.solver.pool, clock) else {
            return (0, unfinished(clock));
        };
        (pool.len(), self.search(pool, &duals, upper, clock, steps))
    }

    /// Looks for better groupings among the teams of least reduced cost, where there are too many teams for all of them to be
    /// looked at.
    fn improve(&mut self, duals: &Duals, clock: &mut Clock<'_>) {
        let Some((cost, chosen)) = &self.best else {
            return;
        };
        let seed = self.solver.seed;
        let found = Improvement::new(self.model, duals, (*cost, chosen.clone()), seed).run(clock);
        self.keep(found);
    }

    /// Branch and cut over the pool; why it is not complete.
    fn search(
        &mut self,
        pool: Pool,
        duals: &Duals,
        upper: i64,
        clock: &mut Clock<'_>,
        steps: &mut Vec<Step>,
    ) -> Option<StopReason> {
        let mut told = Vec::new();
        let mut keep = |cost: i64, chosen: &Chosen| told.push((cost, chosen.clone()));
        let found = Tree::new(self.model, pool, duals, upper, clock, &mut keep).run(duals.bound(self.model));
        for (_, chosen) in told {
            self.keep(chosen);
        }
        steps.extend(found.steps);
        self.bound = Some(found.bound);
        self.tell();
        let cost = self.best.as_ref().map_or(i64::MAX, |best| best.0);
        (found.bound < cost).then(|| clock.over().unwrap_or(StopReason::PoolLimit))
    }

    /// Where duals are expected to be: what each unit has to do with the cost of its team.
    fn expected_duals(&self) -> (Vec<f64>, f64) {
        let mut center = vec![0.0; self.model.rows()];
        let Some((_, chosen)) = &self.best else {
            return (center, 1.0);
        };
        for (kind, units) in chosen {
            for &unit in units {
                let a = usize::from(unit);
                let pairs: i64 = units.iter().map(|&other| self.model.pair(a, usize::from(other))).sum();
                center[a] = match kind {
                    Kind::Bench => self.model.waiting[a] as f64,
                    _ => self.model.inside[a] as f64 + pairs as f64 / 2.0,
                };
            }
        }
        let sum: f64 = center.iter().map(|dual| dual.abs()).sum();
        (center, sum / self.model.len() as f64 + 1.0)
    }

    fn solution(self, outcome: Outcome, clock: &Clock<'_>) -> Result<Solution<V>, Error> {
        let Outcome {
            certificate,
            pool,
            stop,
        } = outcome;
        let (groups, bench) = match &self.best {
            Some((_, chosen)) => self.players(chosen),
            None => (Vec::new(), Vec::new()),
        };
        let cost = self.problem.total(&groups, &bench)?;
        let bound_units = match (&self.best, self.bound) {
            (Some((cost, _)), Some(bound)) => bound.min(*cost),
            (None, Some(bound)) => bound,
            (_, None) => crate::verify::trivial_bound(self.model),
        };
        let bound = self.grid.lower_bound::<V>(bound_units, pairs_at_most(self.problem));
        let status = match (&self.best, stop) {
            (None, reason) => Status::Unknown(reason.unwrap_or(StopReason::PoolLimit)),
            (Some(_), Some(reason)) => Status::Feasible(reason),
            (Some(_), None) if !self.grid.is_exact => Status::Feasible(StopReason::Rounding),
            (Some(_), None) => Status::Optimal,
        };
        Ok(Solution {
            groups,
            bench,
            cost,
            bound,
            status,
            certificate,
            pool,
            work: clock.work(),
            elapsed: self.start.elapsed(),
            seed: self.solver.seed,
        })
    }

    /// A grouping of units as one of players, groups in the order of their bounds.
    fn players(&self, chosen: &Chosen) -> (Vec<Vec<usize>>, Vec<usize>) {
        let expand = |units: &[u16]| {
            let mut players: Vec<usize> = units
                .iter()
                .flat_map(|&unit| self.model.units[usize::from(unit)].iter().copied())
                .collect();
            players.sort_unstable();
            players
        };
        let mut by_class: Vec<Vec<Vec<usize>>> = vec![Vec::new(); self.model.classes.len()];
        let mut bench = Vec::new();
        for (kind, units) in chosen {
            match kind {
                Kind::Team(class) | Kind::Unfilled(class) => by_class[usize::from(*class)].push(expand(units)),
                Kind::Bench | Kind::Nowhere => bench.extend(expand(units)),
            }
        }
        bench.sort_unstable();
        for teams in &mut by_class {
            teams.sort_unstable_by(|a, b| b.cmp(a));
        }
        let groups = self.problem.groups();
        let ordered = (0..groups.len()).map(|group| {
            let class = self.model.class_of(&groups.bounds(group));
            by_class[class].pop().unwrap_or_default()
        });
        (ordered.collect(), bench)
    }
}

/// Most pairs and players whose costs can be in a grouping.
pub(crate) fn pairs_at_most<V: CostValue>(problem: &Problem<'_, V>) -> usize {
    let groups = problem.groups();
    let pairs = (0..groups.len())
        .map(|group| (*groups.bounds(group).end()).min(problem.len()))
        .map(|most| most * most.saturating_sub(1) / 2);
    pairs.sum::<usize>() + problem.len()
}
