//! Decision processes as linear programs, with limits on what a policy may do. Feature `lp`.
//!
//! What a policy does shows in how often the process is in state `s` and takes action `a` there: frequencies `x(s, a)`,
//! of which as many flow into each state as out of it. Costs are linear in them, and so is most of what people want to
//! limit: the share of time in some states, or costs of a second kind. [`Program::solve`] finds the best frequencies
//! within the limits, and a policy that has them, which may have to draw its actions by chance. No other solver here
//! knows limits.
//!
//! [`Program::bound`] solves the dual program, whose variables are values of states and prices of limits. Both programs
//! have the same optimum, and both have that of policy iteration where there are no limits.
//!
//! With `p` the probabilities of the next state, `c` the costs, `q` the start and `d` the discount:
//!
//! | | frequencies, least `sum of c x` | values, largest |
//! | --- | --- | --- |
//! | average | `x` flows on; all `x` add up to 1 | `g` where `g + h(s) - p h <= c` |
//! | multichain | `x` flows on; `x(s) + y(s) - p y = q(s)` | `q g` where `g(s) - p g <= 0`, `g(s) + h(s) - p h <= c` |
//! | discounted | `x(s) - d p x = q(s)` | `q v` where `v(s) - d p v <= c` |
//!
//! Linear programs are for processes of some thousand actions, and as exact as the simplex method in floats: to about
//! 1e-8 of the largest cost, and of the largest weight of each limit. That is absolute: what is rarer than 1e-8 it does
//! not see, and a limit of so small a size may be broken. (Probabilities below that are refused, but for discounted
//! costs: in the long run they decide.) So the limits are compared once more with the frequencies of
//! the policy that was found, each to a millionth of what its own terms add up to.
//!
//! References: A. Manne, "Linear programming and sequential decisions", Management Science 6 (1960), 259-267,
//! doi:10.1287/mnsc.6.3.259; E. Denardo, B. Fox, "Multichain Markov renewal programs", SIAM Journal on Applied
//! Mathematics 16 (1968), 468-487, doi:10.1137/0116038; A. Hordijk, L. Kallenberg, "Constrained undiscounted stochastic
//! dynamic programming", Mathematics of Operations Research 9 (1984), 276-289, doi:10.1287/moor.9.2.276; M. Puterman,
//! "Markov Decision Processes", Wiley 1994, sections 6.9, 8.8 and 9.3, doi:10.1002/9780470316887.

mod dual;
mod frequencies;
mod policy;
mod primal;
mod scaled;
mod verify;

pub use dual::Bound;
pub use frequencies::Frequencies;
pub use policy::RandomPolicy;

use core::time::Duration;

use matching_core::Budget;

use crate::budget::Control;
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::discounted::check_discount;
use crate::mdp::flaw::Flaw;
use crate::transient::check_distribution;

/// What is to be least.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Criterion {
    Average,
    Multichain,
    Discounted(f64),
}

/// The sum over all actions of `weights` times frequencies is to be at most `most`.
#[derive(Clone, Debug)]
struct Limit {
    weights: Vec<f64>,
    most: f64,
    /// What both were multiplied by since they were given: one, or minus one for a limit from below.
    sign: f64,
}

/// A decision process as a linear program, to which limits can be added.
///
/// # Examples
/// ```
/// use markov::mdp::{Action, Mdp, program::Program};
///
/// // A machine earns 10 a day and breaks with probability 1/10. A slow repair costs nothing and takes two days on average, a
/// // fast one is done next day and costs 12: too much, by costs alone.
/// let machine = Mdp::new([
///     vec![Action { cost: -10.0, moves: vec![(0, 0.9), (1, 0.1)] }],
///     vec![
///         Action { cost: 0.0, moves: vec![(0, 0.5), (1, 0.5)] },
///         Action { cost: 12.0, moves: vec![(0, 1.0)] },
///     ],
/// ])?;
/// let free = Program::average(&machine).solve()?;
/// assert_eq!(free.policy().and_then(|policy| policy.actions()), Some(vec![0, 0]));
///
/// // But it must not be broken on more than one day in eight: two repairs in five are fast ones then.
/// let is_broken = |state, _action| if state == 1 { 1.0 } else { 0.0 };
/// let program = Program::average(&machine).at_most(1.0 / 8.0, is_broken);
/// let best = program.solve()?;
/// assert!((best.cost() - -8.15).abs() < 1e-6);
/// let policy = best.policy().expect("one class");
/// assert!((policy.chances(1)[1] - 0.4).abs() < 1e-6);
///
/// // No policy within the limit is better, and a slightly higher limit would save 4.4 times as much a day.
/// let bound = program.bound()?;
/// assert!((bound.cost() - best.cost()).abs() < 1e-6);
/// assert!((bound.prices()[0] - 4.4).abs() < 1e-6);
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program<'a> {
    mdp: &'a Mdp<f64>,
    criterion: Criterion,
    start: Vec<f64>,
    limits: Vec<Limit>,
    time_limit: Option<Duration>,
    control: Control<'static>,
}

/// What the simplex method takes for nothing, beside a sum of 1.
const SEEN: f64 = 1e-8;

impl<'a> Program<'a> {
    /// Least average cost per step, where each state can be reached from each other one, or all policies have one
    /// closed class. Of other processes it is the least cost from the best start. Does not look at the start.
    pub fn average(mdp: &'a Mdp<f64>) -> Self {
        Self::new(mdp, Criterion::Average)
    }

    /// Least average cost per step from a start, whatever policies of the process look like.
    pub fn multichain(mdp: &'a Mdp<f64>) -> Self {
        Self::new(mdp, Criterion::Multichain)
    }

    /// Least discounted cost from a start: a cost `k` steps ahead counts `discount^k` times.
    pub fn discounted(mdp: &'a Mdp<f64>, discount: f64) -> Self {
        Self::new(mdp, Criterion::Discounted(discount))
    }

    fn new(mdp: &'a Mdp<f64>, criterion: Criterion) -> Self {
        Self {
            mdp,
            criterion,
            start: vec![1.0 / mdp.len() as f64; mdp.len()],
            limits: Vec::new(),
            time_limit: None,
            control: Control::default(),
        }
    }

    /// The distribution of the first state; all states have the same chance unless it is given.
    #[must_use]
    pub fn start(mut self, start: Vec<f64>) -> Self {
        self.start = start;
        self
    }

    /// One more limit: the mean of `weight(state, action)` per step in the long run, or its discounted total, is to be
    /// at most `limit`. A weight of one on some states limits the share of time in them. What a policy
    /// may do beyond a limit is a matter of rounding: see [`solve`](Self::solve).
    #[must_use]
    pub fn at_most(self, limit: f64, weight: impl FnMut(usize, usize) -> f64) -> Self {
        self.limited(1.0, limit, weight)
    }

    /// As [`at_most`](Self::at_most), from below.
    #[must_use]
    pub fn at_least(self, limit: f64, weight: impl FnMut(usize, usize) -> f64) -> Self {
        self.limited(-1.0, limit, weight)
    }

    fn limited(mut self, sign: f64, limit: f64, mut weight: impl FnMut(usize, usize) -> f64) -> Self {
        let mdp = self.mdp;
        let actions = (0..mdp.len()).flat_map(|state| (0..mdp.actions(state)).map(move |action| (state, action)));
        let weights = actions.map(|(state, action)| sign * weight(state, action)).collect();
        let most = sign * limit;
        self.limits.push(Limit { weights, most, sign });
        self
    }

    /// How long the simplex method alone may take; no limit unless it is given, so that the same program has the same
    /// answer on every machine. (Where it takes more than ten seconds, roundings may differ.) Such methods are known to go in
    /// circles at times: one that has taken far more pivots than it needs, 200 for each variable and row and 100,000
    /// besides, is given up as [`Error::LinearProgram`]. A century or more is none.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Limits of each solve, as far as the simplex method knows any. Its time is the smaller one of this and
    /// [`time_limit`](Self::time_limit), and the end of either is [`Error::Stopped`]. The token is
    /// looked at once a second or so in it, which may change roundings where it takes as long, and every few milliseconds in
    /// the elimination that follows; the limit on work counts entries that this touches, and the one on memory is for this
    /// alone: what the simplex method does and takes is not counted.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.control.budget = budget;
        self
    }

    /// The best frequencies within the limits.
    ///
    /// # Errors
    /// [`Error::Infeasible`] where no policy is within all limits; [`Error::Parameter`] for a discount that is not
    /// between 0 and 1, both excluded, and for a limit that is not finite; [`Error::Action`] for a weight that is not and,
    /// but for discounted costs, for a probability below 1e-8, which decides in the long run and is not seen;
    /// [`Error::NotANumber`] where the cost is more than a float holds;
    /// [`Error::LengthMismatch`] and [`Error::NotADistribution`] for the start; [`Error::LinearProgram`] where the
    /// simplex method gives up, and where the policy that it found breaks a limit, by more than a
    /// millionth of what the terms of the limit add up to in size: costs, limits, weights and probabilities of very
    /// different sizes may bring that about. Whether any policy is within the limits is not known then;
    /// [`Error::Stopped`], with nothing, where the [budget](Self::budget) is spent or the
    /// [limit of time](Self::time_limit) reached.
    ///
    /// # Complexity
    /// That of the simplex method, with a variable per action and a row per state, twice as many of both for
    /// [`multichain`](Self::multichain); and an elimination of all states.
    pub fn solve(&self) -> Result<Frequencies, Error> {
        let meter = self.control.start();
        self.check()?;
        primal::solve(self, &meter)
    }

    /// What no policy within the limits can cost less than, by the dual program: to within what the simplex method
    /// sees, also where [`solve`](Self::solve) finds a limit broken.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    ///
    /// # Complexity
    /// That of the simplex method, with a variable per state and limit, and a row per action; twice as many of both for
    /// [`multichain`](Self::multichain).
    pub fn bound(&self) -> Result<Bound, Error> {
        let meter = self.control.start();
        self.check()?;
        dual::solve(self, &meter)
    }

    fn check(&self) -> Result<(), Error> {
        if let Criterion::Discounted(discount) = &self.criterion {
            check_discount(discount)?;
        }
        check_distribution(&self.start, self.mdp.len())?;
        self.check_chances()?;
        for (at, limit) in self.limits.iter().enumerate() {
            if !limit.most.is_finite() {
                return Err(Error::Parameter {
                    name: "limit",
                    value: limit.sign * limit.most,
                    expected: "finite",
                });
            }
            let mut weights = limit.weights.iter().enumerate();
            if let Some((row, &weight)) = weights.find(|(_, weight)| !weight.is_finite()) {
                let state = self.mdp.state_of(row);
                let flaw = Flaw::LimitWeight {
                    limit: at,
                    weight: limit.sign * weight,
                };
                return Err(flaw.at(state, row - self.mdp.starts[state]));
            }
        }
        Ok(())
    }

    /// In the long run a chance decides where the process stays, however small it is; at a discount it counts for what it
    /// is.
    fn check_chances(&self) -> Result<(), Error> {
        if matches!(self.criterion, Criterion::Discounted(_)) {
            return Ok(());
        }
        let mdp = self.mdp;
        let rows = (0..mdp.len()).flat_map(|state| (0..mdp.actions(state)).map(move |action| (state, action)));
        // How often a process stays where it is follows from how often it leaves.
        let mut chances = rows.flat_map(|(state, action)| {
            let moves = mdp.moves(state, action).filter(move |&(to, _)| to != state);
            moves.map(move |(to, &chance)| (state, action, to, chance))
        });
        match chances.find(|&(.., chance)| chance > 0.0 && chance < SEEN) {
            Some((state, action, to, value)) => Err(Flaw::Unseen { to, value, least: SEEN }.at(state, action)),
            None => Ok(()),
        }
    }
}
