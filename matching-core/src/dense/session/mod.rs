//! A pool that is solved again and again while players come and go.

mod solve;

use core::fmt;

use super::pool::PoolCosts;
use super::renewal::{Last, NONE};
use crate::blossom::Objective;
use crate::budget::Budget;
use crate::cost::Cost;
use crate::error::Error;
use crate::progress::{Observer, Progress};

/// A pool of players that is solved again and again, each time from where the last solve ended.
///
/// Costs are `i64`, symmetric, and kept here: 5 bytes an entry of the matrix (13 where they reach over more than 27
/// bits), which has room for twice as many rows and columns once newcomers need some. After a few changes, a solve
/// costs about one look at all pairs and one search per change. Every answer is optimal, carries its certificate, and is
/// the answer that [`Blossom::solve`](crate::Blossom::solve) would give up to ties: the session is itself a [`Cost`], so
/// both [`Solution::verify`](crate::Solution::verify) and a solve from scratch can read it.
///
/// Everybody must be paired unless there are [`byes`](Session::byes) or [`penalties`](Session::penalties). Players are
/// known by their positions, from 0. Removing one moves the last player to its position.
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
    /// A perfect matching, with byes or with penalties: these have one number for each player.
    objective: Objective<i64>,
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
            .field("has_byes", &matches!(self.objective, Objective::MinBye(_)))
            .field("has_penalties", &matches!(self.objective, Objective::MinOptOut(_)))
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
            objective: Objective::MinPerfect,
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
            session.make_room();
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

    /// Lets one player stay alone when their number is odd, at these costs, one per player:
    /// [`Objective::MinBye`]. In the place of penalties, if there were any.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    pub fn byes(self, byes: Vec<i64>) -> Result<Self, Error> {
        self.objective(Objective::MinBye(byes))
    }

    /// Lets every player stay alone at a penalty, one per player: [`Objective::MinOptOut`]. In the place of byes, if
    /// there were any.
    ///
    /// Penalties may change between solves, all of them as well ([`set_penalty`](Self::set_penalty)): whoever stays alone
    /// may find it dearer at the next solve. What was found before is the start of that, as ever.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`].
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Error, Session, cost};
    ///
    /// // Waiting costs 30 at first, and 60 more for each tick that somebody has waited.
    /// let rating = [1510_i64, 1180, 1495, 1250];
    /// let gap = cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs());
    /// let mut queue = Session::new(&gap)?.penalties(vec![30; 4])?;
    /// let first = queue.solve()?;
    /// assert_eq!(first.pairs().collect::<Vec<_>>(), [(0, 2, 15)]);
    /// assert_eq!(first.unmatched().collect::<Vec<_>>(), [1, 3]);
    ///
    /// // The two who play leave, the last of them first; somebody rated 1400 joins those who wait.
    /// queue.remove(2);
    /// queue.remove(0);
    /// let rating = [1250_i64, 1180];
    /// queue.set_penalty(0, 90);
    /// queue.set_penalty(1, 90);
    /// queue.add_with_penalty(30, |other| Some((1400 - rating[other]).abs()));
    ///
    /// let second = queue.solve()?;
    /// assert_eq!((second.cost(), second.mate(0), second.mate(2)), (100, Some(1), None));
    /// assert!(second.verify(&queue).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn penalties(self, penalties: Vec<i64>) -> Result<Self, Error> {
        self.objective(Objective::MinOptOut(penalties))
    }

    fn objective(mut self, objective: Objective<i64>) -> Result<Self, Error> {
        objective.check(self.len())?;
        self.objective = objective;
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
    /// 128 bits each solve is one of [`Blossom`](crate::Blossom), which keeps a second matrix within it.
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

    /// How many threads read rows: see [`Blossom::threads`](crate::Blossom::threads).
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Called with [`Progress`] wherever a solve looks at its limits: see
    /// [`Blossom::observer`](crate::Blossom::observer).
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
    /// the number of players before. Its bye or penalty, in a pool with such, is 0: see
    /// [`add_with_bye`](Session::add_with_bye) and [`add_with_penalty`](Session::add_with_penalty).
    ///
    /// O(n) time.
    pub fn add(&mut self, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        self.seat(0, cost)
    }

    /// Adds a player, and what its bye costs; that is 0 in a pool with penalties, and ignored by one without either.
    pub fn add_with_bye(&mut self, bye: i64, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        let has_byes = matches!(self.objective, Objective::MinBye(_));
        self.seat(if has_byes { bye } else { 0 }, cost)
    }

    /// Adds a player, and what it costs if it stays alone; that is 0 in a pool with byes, and ignored by one without
    /// either.
    pub fn add_with_penalty(&mut self, penalty: i64, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        let has_penalties = matches!(self.objective, Objective::MinOptOut(_));
        self.seat(if has_penalties { penalty } else { 0 }, cost)
    }

    fn seat(&mut self, single: i64, cost: impl FnMut(usize) -> Option<i64>) -> usize {
        // Before there is a seat: nobody is half in the pool if this panics.
        let row: Vec<Option<i64>> = (0..self.len()).map(cost).collect();
        let player = self.make_room();
        if let Some(singles) = self.objective.singles_mut() {
            singles.push(single);
        }
        for (other, cost) in row.into_iter().enumerate() {
            self.costs.set(player, other, cost);
        }
        player
    }

    /// Makes room for one more player.
    fn make_room(&mut self) -> usize {
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
        if let Some(singles) = self.objective.singles_mut() {
            singles.swap_remove(player);
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
        match &mut self.objective {
            Objective::MinBye(byes) => byes[player] = cost,
            _ => panic!("a pool with byes"),
        }
    }

    /// Sets what a player costs who stays alone.
    ///
    /// # Panics
    /// If there is no such player or the pool has no penalties.
    #[track_caller]
    pub fn set_penalty(&mut self, player: usize, penalty: i64) {
        match &mut self.objective {
            Objective::MinOptOut(penalties) => penalties[player] = penalty,
            _ => panic!("a pool with penalties"),
        }
    }

    /// Rows are longer than there are players, so that the next ones have room: nothing else would notice.
    #[track_caller]
    fn check_pair(&self, i: usize, j: usize) {
        let players = self.len();
        assert!(i < players && j < players, "pair ({i}, {j}) of {players} players");
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
