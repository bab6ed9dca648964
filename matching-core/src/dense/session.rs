//! A pool that is solved again and again while players come and go.

use core::fmt;
use core::ops::Range;

use super::matrix::MatrixPairs;
use super::nearby::Nearby;
use super::parallel::{Workers, with_threads};
use super::pipeline::Pipeline;
use super::pool::PoolCosts;
use super::renewal::{Last, NONE, Renewal};
use crate::blossom::{Blossom, Objective};
use crate::budget::Budget;
use crate::cost::Cost;
use crate::edge_list::Edge;
use crate::engine::{Failure, FromI64, Limits, Numbers, Outcome, Warm, WideI64, Widths, widths};
use crate::error::Error;
use crate::input::Input;
use crate::numbers::Grid;
use crate::progress::{Observer, Progress};
use crate::reduction::Reduced;
use crate::solution::{Solution, SolvedBy};
use crate::witness::TutteBerge;

/// One new player for so many old ones, and more: everything is solved anew.
const TOO_NEW: usize = 3;

/// A pool of players that is solved again and again, each time from where the last solve ended.
///
/// Costs are `i64`, symmetric, and kept here: 5 bytes an entry of the matrix (13 where they reach over more than 27
/// bits), which has room for twice as many rows and columns once newcomers need some. After a few changes, a solve
/// costs about one look at all pairs and one search per change. Every answer is optimal, carries its certificate, and is
/// the answer that [`Blossom::solve`] would give up to ties: the session is itself a [`Cost`], so both
/// [`Solution::verify`] and a solve from scratch can read it.
///
/// Players are known by their positions, from 0. Removing one moves the last player to its position.
///
/// # Examples
/// ```
/// use matching_core::{Error, Session, cost};
///
/// let rating = [1510_i64, 1180, 1495, 1220];
/// let mut pool = Session::new(&cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs()))?;
/// assert_eq!(pool.solve()?.cost(), 55);
///
/// // Player 0 leaves: player 3 takes position 0. Somebody rated 1490 joins.
/// pool.remove(0);
/// let rating = [1220_i64, 1180, 1495];
/// let newcomer = pool.add(|other| Some((1490 - rating[other]).abs()));
/// assert_eq!(newcomer, 3);
///
/// let pairing = pool.solve()?;
/// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 1, 40), (2, 3, 5)]);
/// assert!(pairing.verify(&pool).is_ok());
/// # Ok::<(), Error>(())
/// ```
///
/// # References
/// M. O. Ball and U. Derigs, "An analysis of alternate strategies for implementing matching algorithms", Networks 13
/// (1983), 517-549, doi:10.1002/net.3230130406.
#[derive(Clone)]
pub struct Session {
    costs: PoolCosts,
    byes: Option<Vec<i64>>,
    budget: Budget,
    threads: usize,
    observer: Option<Observer>,
    /// What each player was called in the last solve; [`NONE`] for newcomers, and for one end of each pair whose cost
    /// was set since.
    origin: Vec<u32>,
    last: Option<Last>,
}

impl fmt::Debug for Session {
    /// What it is, and no costs: there are as many as pairs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("players", &self.len())
            .field("has_byes", &self.byes.is_some())
            .field("budget", &self.budget)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::empty()
    }
}

impl Session {
    /// A pool without players.
    pub fn empty() -> Self {
        Self {
            costs: PoolCosts::new(),
            byes: None,
            budget: Budget::new(),
            threads: 0,
            observer: None,
            origin: Vec::new(),
            last: None,
        }
    }

    /// A pool with the players of a cost, which is read once.
    ///
    /// # Errors
    /// What is wrong with the cost: [`Error::NotSquare`], [`Error::Asymmetric`], [`Error::CostOverflow`],
    /// [`Error::TooLarge`].
    pub fn new<C: Cost + ?Sized>(cost: &C) -> Result<Self, Error>
    where
        C::Value: Into<i64>,
    {
        let edges = crate::instance::Instance::to_edges(cost)?;
        let mut session = Self::empty();
        session.costs.reserve(edges.len());
        for _ in 0..edges.len() {
            session.seat();
        }
        let weights = || edges.edges().iter().map(|edge| edge.weight.into());
        for extreme in [weights().min(), weights().max()].into_iter().flatten() {
            session.costs.admit(extreme);
        }
        for edge in edges.edges() {
            session
                .costs
                .set(edge.u as usize, edge.v as usize, Some(edge.weight.into()));
        }
        Ok(session)
    }

    /// Lets one player stay alone when their number is odd, at these costs, one per player.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn byes(mut self, byes: Vec<i64>) -> Result<Self, Error> {
        if byes.len() != self.len() {
            return Err(Error::LengthMismatch {
                what: "bye costs",
                expected: self.len(),
                found: byes.len(),
            });
        }
        self.byes = Some(byes);
        Ok(self)
    }

    /// Limits of each solve; none by default. As [`set_budget`](Self::set_budget).
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.set_budget(budget);
        self
    }

    /// Limits of each solve from now on, in the place of those before: a new token for one that was cancelled, which it
    /// is for good, or another limit for the next solve alone.
    ///
    /// [`Budget::memory`] is not looked at, since the matrix of costs is kept in any case; but where sums of costs need
    /// 128 bits each solve is one of [`Blossom`], which keeps a second matrix within it.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Budget, CancelToken, Error, Session, cost};
    ///
    /// let token = CancelToken::new();
    /// let mut pool = Session::new(&cost::from_fn(40, |i, j| (i as i64 - j as i64).abs()))?
    ///     .budget(Budget::new().cancel(token.clone()));
    /// token.cancel();
    /// assert!(!pool.solve()?.is_optimal());
    ///
    /// pool.set_budget(Budget::new().cancel(CancelToken::new()));
    /// assert!(pool.solve()?.is_optimal());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// How many threads read rows: see [`Blossom::threads`].
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Called with [`Progress`] wherever a solve looks at its limits: see [`Blossom::observer`].
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Observer::new(observer));
        self
    }

    /// Number of players.
    pub fn len(&self) -> usize {
        self.costs.len()
    }

    /// Whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a player whose cost with each other one is given; `None` forbids the pair. Returns its position, which is
    /// the number of players before. With byes, its bye costs 0: see [`add_with_bye`](Session::add_with_bye).
    ///
    /// O(n) time.
    pub fn add(&mut self, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        self.add_with_bye(0, cost)
    }

    /// Adds a player, and what its bye costs; that is ignored by a pool without byes.
    pub fn add_with_bye(&mut self, bye: i64, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        // Before there is a seat: nobody is half in the pool if this panics.
        let row: Vec<Option<i64>> = (0..self.len()).map(cost).collect();
        let player = self.seat();
        if let Some(byes) = &mut self.byes {
            byes.push(bye);
        }
        for (other, cost) in row.into_iter().enumerate() {
            self.costs.set(player, other, cost);
        }
        player
    }

    /// Makes room for one more player.
    fn seat(&mut self) -> usize {
        self.origin.push(NONE);
        self.costs.push()
    }

    /// Removes a player; the last one takes its position. Returns the position that moved, if one did.
    ///
    /// O(n) time.
    ///
    /// # Panics
    /// If there is no such player.
    #[track_caller]
    pub fn remove(&mut self, player: usize) -> Option<usize> {
        let last = self.len().checked_sub(1).filter(|&last| player <= last);
        let last = last.expect("a player of the pool");
        self.costs.swap_remove(player);
        self.origin.swap_remove(player);
        if let Some(byes) = &mut self.byes {
            byes.swap_remove(player);
        }
        (player < last).then_some(last)
    }

    /// Sets the cost of a pair, both ways; `None` forbids it. The next solve takes player `i` for a new one.
    ///
    /// # Panics
    /// If there is no such player, or both are the same.
    #[track_caller]
    pub fn set_pair(&mut self, i: usize, j: usize, cost: Option<i64>) {
        assert!(
            i < self.len() && j < self.len() && i != j,
            "a pair is two different players of the pool"
        );
        self.origin[i] = NONE;
        self.costs.set(i, j, cost);
    }

    /// Sets all costs of a player, whom the next solve takes for a new one: duals that suited other costs would be paid
    /// for pair by pair.
    ///
    /// # Panics
    /// If there is no such player.
    #[track_caller]
    pub fn set_row(&mut self, player: usize, mut cost: impl FnMut(usize) -> Option<i64>) {
        assert!(player < self.len(), "a player of the pool");
        let others = (0..self.len()).filter(|&other| other != player);
        let row: Vec<(usize, Option<i64>)> = others.map(|other| (other, cost(other))).collect();
        self.origin[player] = NONE;
        for (other, cost) in row {
            self.costs.set(player, other, cost);
        }
    }

    /// Sets what the bye of a player costs.
    ///
    /// # Panics
    /// If there is no such player or the pool has no byes.
    #[track_caller]
    pub fn set_bye(&mut self, player: usize, cost: i64) {
        let byes = self.byes.as_mut().expect("a pool with byes");
        byes[player] = cost;
    }

    /// The cheapest pairing of the pool as it is now.
    ///
    /// # Errors
    /// [`Error::NoPerfectMatching`] with a witness; always, for an odd pool without byes.
    ///
    /// # Complexity
    /// One look at all pairs, and a search for each change since the last solve; from scratch where most players are
    /// new.
    pub fn solve(&mut self) -> Result<Solution<i64>, Error> {
        let objective = match &self.byes {
            Some(byes) => Objective::MinBye(byes.clone()),
            None => Objective::MinPerfect,
        };
        let mut blossom = Blossom::new().objective(objective).budget(self.budget.clone());
        blossom.observer.clone_from(&self.observer);
        if self.len() < 2 {
            self.last = None;
            return blossom.solve(&*self);
        }
        if self.byes.is_none() && self.len() % 2 == 1 && self.costs.is_complete() {
            // What the next solve goes on from is still true.
            let witness = TutteBerge::of_odd_number(self.len());
            return Err(Error::NoPerfectMatching(witness.by(SolvedBy::Dense)));
        }
        let Some((least, widths)) = self.least() else {
            // Sums of such costs need 128 bits.
            self.forget();
            return blossom.threads(self.threads).solve(&*self);
        };
        let reduced = Reduced::new(self.len(), blossom.asked(), Grid::INTEGERS, 0)?;
        let threads = self.threads;
        let solved = with_threads(threads, self.len(), || {
            if widths.is_narrow() {
                self.solve_reduced::<FromI64>(&reduced, least)
            } else {
                self.solve_reduced::<WideI64>(&reduced, least)
            }
        });
        let outcome = match solved {
            Ok(outcome) => outcome,
            Err(failure) => {
                self.forget();
                return Err(reduced.explain(failure, SolvedBy::Dense));
            }
        };
        blossom.assemble(Input::Pairs(&*self), &reduced, outcome, SolvedBy::Dense)
    }

    /// Rows are longer than there are players, so that the next ones have room: nothing else would notice.
    #[track_caller]
    fn check_pair(&self, i: usize, j: usize) {
        let players = self.len();
        assert!(i < players && j < players, "pair ({i}, {j}) of {players} players");
    }

    /// The next solve starts from nothing.
    fn forget(&mut self) {
        self.last = None;
        self.origin.fill(NONE);
    }

    /// Bye costs, where there must be a bye.
    fn present_byes(&self) -> &[i64] {
        match &self.byes {
            Some(byes) if self.len() % 2 == 1 => byes,
            _ => &[],
        }
    }

    /// Solves the pool with weights counted from `least`.
    fn solve_reduced<N>(&mut self, reduced: &Reduced<'_, i64>, least: i64) -> Result<Outcome, Failure>
    where
        N: Numbers<Weight = i64, Dual = i64>,
    {
        let scale = self.costs.scale();
        match self.last.as_ref().filter(|last| last.is_sharp()) {
            Some(last) => self.costs.coarsen(last.most(scale)),
            None => self.costs.forget_bounds(),
        }
        let n = self.len();
        let byes = self.present_byes();
        let bye_edges = byes.iter().enumerate().map(|(v, &weight)| Edge {
            u: v as u32,
            v: n as u32,
            weight,
        });
        let limits = Limits::start(&self.budget).heard_by(self.observer.as_ref());
        let rows = self.costs.rows();
        let weight = |u: usize, v: usize| self.costs.get(u, v).unwrap_or(least);
        let pairs = MatrixPairs::<N> {
            rows: &rows,
            copies: 1,
            vertices: reduced.vertices(),
            extra: bye_edges.collect(),
            links: None,
            weight: &weight,
            least,
            least_of_rows: scale.least.into(),
            down: scale.down,
            is_complete: self.costs.is_complete(),
            workers: Workers::choose(self.threads, n * n),
            check: None,
            limits: &limits,
        };
        let fresh = self.origin.iter().filter(|&&origin| origin == NONE).count();
        let warm = self.last.take().filter(|_| fresh * TOO_NEW <= n);
        let mut near = 0..0;
        let pipeline = match warm {
            Some(last) => {
                let is_settled = last.scale == scale;
                let renewed = Renewal::new(&pairs, &self.origin, last).run();
                let settled = if is_settled { renewed.settled } else { Vec::new() };
                near = renewed.near;
                Pipeline::resume(&pairs, renewed.edges, renewed.state, settled, &limits)
            }
            None => Pipeline::new(&pairs, pairs.start(), &limits, 3 * (n as u64) * (n as u64)),
        };
        let solved = pipeline.run()?;
        let outcome = solved.outcome;
        let Some(state) = solved.state else {
            self.forget();
            return Ok(outcome);
        };
        let mut settled = solved.settled;
        let mut edges = solved.edges;
        let near = match settled.first_mut().filter(|_| solved.has_kept_edges) {
            Some(settled) => self.still_near(&mut settled.nearby, &state, &mut edges, near, least),
            None => Vec::new(),
        };
        // The next search takes the first tight edge of each player that it can: let that be this pairing's.
        let mut pairs = 0;
        for at in 0..edges.len() {
            if outcome.mates[edges[at].u as usize] == edges[at].v {
                edges.swap(at, pairs);
                pairs += 1;
            }
        }
        self.last = Some(Last {
            state,
            edges,
            near,
            least,
            settled,
            scale,
        });
        self.origin = (0..n as u32).collect();
        Ok(outcome)
    }

    /// Takes the edges at `near` out, and returns those of little slack that the next solve is to have besides.
    fn still_near(
        &self,
        nearby: &mut Nearby,
        state: &Warm<i64>,
        edges: &mut Vec<Edge<i64>>,
        near: Range<usize>,
        least: i64,
    ) -> Vec<Edge<i64>> {
        let weight = |u: u32, v: u32| self.costs.get(u as usize, v as usize);
        let slack = |edge: &Edge<i64>| {
            let weight = 2 * (edge.weight - least);
            // Blossoms around both ends only add to it.
            let without = weight - state.totals()[edge.u as usize] - state.totals()[edge.v as usize];
            if without > 0 {
                without
            } else {
                state.slack(edge.u, edge.v, weight)
            }
        };
        nearby.keep(edges, near, self.len(), self.costs.scale().down, weight, slack)
    }

    /// The least weight to count from, and how wide integers must be, if all sums then fit 64 bits.
    fn least(&mut self) -> Option<(i64, Widths)> {
        self.least_if_long().or_else(|| {
            self.costs.tighten();
            self.least_if_long()
        })
    }

    fn least_if_long(&self) -> Option<(i64, Widths)> {
        let byes = || self.present_byes().iter().copied();
        let least = byes().fold(self.costs.scale().least, i64::min);
        // Without pairs, the scale still counts from where the last ones were; until it is tightened, that is a weight
        // like any other.
        let high = self.costs.range().map_or(self.costs.scale().least, |(_, high)| high);
        let greatest = byes().fold(high, i64::max);
        let widths = widths(self.len() + 1, least.into(), greatest.into());
        widths.is_long().then_some((least, widths))
    }
}

impl Cost for Session {
    type Value = i64;

    fn len(&self) -> usize {
        self.costs.len()
    }

    /// # Panics
    /// If there is no such player.
    #[track_caller]
    fn pair(&self, i: usize, j: usize) -> i64 {
        self.check_pair(i, j);
        self.costs.get(i, j).unwrap_or(0)
    }

    /// # Panics
    /// If there is no such player.
    #[track_caller]
    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.check_pair(i, j);
        i == j || self.costs.get(i, j).is_some()
    }

    fn has_forbidden(&self) -> bool {
        !self.costs.is_complete()
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}
