//! Choosing sides where nobody waits forever.

use super::lobby::Moments;
use super::sides::Sides;
use crate::chain::Ctmc;
use crate::error::Error;
use crate::passage::Passage;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// What a player of a duel with two sides wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wish {
    /// Side A.
    A,
    /// Side B.
    B,
    /// Either side.
    Either,
}

/// Where lines of unlimited length are cut off: what is left out of any sum is less than this part of it.
const CUT: f64 = 1.0 / (1_u64 << 60) as f64;

/// Longer lines are refused.
const LONGEST: usize = 1_000_000;

/// [`Sides`] whose waiting players give up, each at the same rate, whatever its place in the line.
///
/// A line that grows at rate u and whose head is served at rate d (for side A: u = a, d = b + c) shrinks at rate d + nθ
/// when n wait, so that it is always stable: the number waiting is a birth-death chain whose shares are `π_n = π_0 u_n`
/// with `u_n = u^n / ((d + θ)(d + 2θ) ... (d + nθ))`.
///
/// A tagged player at place p of a line is passed by nobody. It moves up at rate d + (p - 1)θ and gives up at rate θ;
/// all waits come from that chain.
///
/// # Closed forms
/// Found here, and compared with the chains in exact fractions; Xu's paper has no players who give up. With `r_p = d +
/// pθ`:
/// - From place p, a player plays with chance `d / r_p`, and waits `p / r_p` in the mean until one or the other.
/// - Its wait, if it plays, is a sum of independent exponential times of rates `r_1, ..., r_p`.
/// - Over those who give up, `E[T; gives up] = θ E[T²] / 2`, T being the wait until one or the other.
/// - With `S = u_0 + u_1 + ...`, which is Kummer's `₁F₁(1; 1 + d/θ; u/θ)`, and `S'` for the other side,
///   `π_0 = 1 / (S + S' - 1 + c / (a + b + c + θ))`.
/// - In the mean `π_0 ((u - d) S + d) / θ` players wait in the line; θ/u of that is the share of them who give up.
///
/// # Examples
/// ```
/// use markov::models::xu::{ImpatientSides, Sides, Wish};
///
/// // Two in three want side A, nobody takes either. Players give up after ten minutes in the mean.
/// let sides = Sides::new(2.0, 1.0, 0.0)?;
/// assert!(sides.wait().is_err());
/// let fates = ImpatientSides::new(&sides, 0.1)?.fates(Wish::A)?;
/// assert!(fates.gave_up > 0.5 && fates.gave_up < 0.51);
/// # Ok::<(), markov::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ImpatientSides<T> {
    /// For side A, for side B, for either.
    rates: [T; 3],
    leave: T,
    room: [usize; 2],
    /// Nobody; 1 and more for A; 1 and more for B; one who takes either.
    shares: Vec<T>,
}

/// What becomes of the players of one kind. Shares are of all who arrive.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fates<T> {
    /// Who finds an opponent on arrival; they are part of `played`.
    pub at_once: T,
    /// Who plays.
    pub played: T,
    /// Who waits, and gives up.
    pub gave_up: T,
    /// Who finds the line full, and does not wait.
    pub turned_away: T,
    /// The wait until a game or until giving up, of those who were not turned away; none if all were.
    pub wait: Option<Moments<T>>,
    /// The wait of those who play; none if nobody does.
    pub wait_played: Option<Moments<T>>,
    /// The wait of those who give up; none if nobody does, or so few that floats cannot tell.
    pub wait_gave_up: Option<Moments<T>>,
}

impl ImpatientSides<f64> {
    /// These sides, with lines of any length, whose players give up at rate `leave`.
    ///
    /// Lines are cut off so far out that shares, mean waits and mean squares of waits change by less than 2^-58 of
    /// themselves: with `r_p = d + pθ` each of them is a sum of `u_n f(n + 1)` with `f(1) / p <= f(p) <= p³ f(1)`, and
    /// the ratio of `u_n (n + 1)³` to the term before it falls, so that a geometric series bounds what is left out.
    /// Rounding comes on top of it.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `leave` is positive and finite; [`Error::TooLarge`] for lines beyond a million;
    /// [`Error::NotANumber`] where the rates out of a state add up to more than a float holds.
    ///
    /// # Complexity
    /// O(n) for lines of n; about `u/θ + 9 √(u/θ)` where they grow without those who give up.
    pub fn new(sides: &Sides<f64>, leave: f64) -> Result<Self, Error> {
        check_rate(&leave)?;
        let [(up_a, down_a), (up_b, down_b)] = sides.tails();
        let room = [length(up_a, down_a, leave)?, length(up_b, down_b, leave)?];
        Self::with_room(sides, leave, room)
    }
}

impl<T: Scalar> ImpatientSides<T> {
    /// The same where at most so many may wait for side A, and for side B; who comes later is turned away. One who
    /// takes either side always finds room. In fractions, all answers are exact.
    ///
    /// # Errors
    /// [`Error::Parameter`] unless `leave` is positive and finite; [`Error::TooLarge`] for more room than a million;
    /// [`Error::NotANumber`] where the rates out of a state add up to more than a float holds.
    pub fn with_room(sides: &Sides<T>, leave: T, room: [usize; 2]) -> Result<Self, Error> {
        check_rate(&leave)?;
        if room.iter().any(|&room| room > LONGEST) {
            return Err(too_large());
        }
        let chain = Ctmc::new(&rates_of_lines(sides, &leave, room))?;
        Ok(Self {
            rates: sides.rates(),
            leave,
            room,
            shares: chain.stationary()?,
        })
    }

    /// How many may wait for side A, and for side B.
    pub fn room(&self) -> [usize; 2] {
        self.room
    }

    /// The share of time in which nobody waits.
    pub fn empty(&self) -> T {
        self.shares[0].clone()
    }

    /// The share of time in which `count` players of a kind wait.
    ///
    /// # Examples
    /// ```
    /// use markov::models::xu::{ImpatientSides, Sides, Wish};
    /// use markov::{Rational, Scalar};
    ///
    /// // Without opponents, the number waiting is Poisson, cut off here at two: 1 : 3 : 9/2.
    /// let q = Rational::ratio;
    /// let sides = Sides::new(q(3, 1), q(0, 1), q(0, 1))?;
    /// let lines = ImpatientSides::with_room(&sides, q(1, 1), [2, 2])?;
    /// assert_eq!(lines.probability(Wish::A, 2), q(9, 17));
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn probability(&self, wish: Wish, count: usize) -> T {
        if count == 0 {
            let others = [Wish::A, Wish::B, Wish::Either]
                .into_iter()
                .filter(|&other| other != wish);
            return others
                .flat_map(|other| self.line(other))
                .fold(self.empty(), |sum, share| sum + share.clone());
        }
        self.line(wish).get(count - 1).cloned().unwrap_or_else(T::zero)
    }

    /// How many players of a kind wait in the mean.
    pub fn waiting(&self, wish: Wish) -> T {
        let counted = (1..).zip(self.line(wish));
        counted.fold(T::zero(), |sum, (count, share)| {
            sum + T::ratio(count, 1) * share.clone()
        })
    }

    /// What becomes of the players of a kind, by the chain of a tagged one; it need not be a kind that comes.
    ///
    /// # Errors
    /// Of floats those of [`Passage`]: [`Error::PrecisionLost`] where the rates of the tagged player are further apart than
    /// floats can be, and [`Error::NotANumber`] where waits are beyond all floats.
    ///
    /// # Complexity
    /// O(n) for a line of n.
    pub fn fates(&self, wish: Wish) -> Result<Fates<T>, Error> {
        let line = self.line(wish);
        // Who finds the last place taken, or an opponent, does not wait.
        let mut found = vec![self.empty()];
        found.extend(line.iter().cloned());
        let turned_away = if wish == Wish::Either { None } else { found.pop() };
        if wish == Wish::Either {
            found.truncate(1);
        }
        let others = [Wish::A, Wish::B, Wish::Either]
            .into_iter()
            .filter(|&other| other != wish);
        let mut at_once = others
            .flat_map(|other| self.line(other))
            .fold(T::zero(), |sum, share| sum + share.clone());
        if wish == Wish::Either {
            at_once += &line[0];
        }
        let tagged = self.tagged(wish, found.len().max(1))?;
        let [played, gave_up] = tagged.map(|moments| moments.map(|of_place| dot(&found, &of_place)));
        let both = |power: usize| played[power].clone() + gave_up[power].clone();
        let let_in = at_once.clone() + both(0);
        let all_played = at_once.clone() + played[0].clone();
        Ok(Fates {
            wait: given(&let_in, both(1), both(2)),
            wait_played: given(&all_played, played[1].clone(), played[2].clone()),
            wait_gave_up: given(&gave_up[0], gave_up[1].clone(), gave_up[2].clone()),
            played: all_played,
            gave_up: gave_up[0].clone(),
            at_once,
            turned_away: turned_away.unwrap_or_else(T::zero),
        })
    }

    /// The shares of time in which 1, 2, ... players of a kind wait.
    fn line(&self, wish: Wish) -> &[T] {
        let [a, b] = self.room;
        match wish {
            Wish::A => &self.shares[1..=a],
            Wish::B => &self.shares[a + 1..=a + b],
            Wish::Either => &self.shares[a + b + 1..],
        }
    }

    /// `E[T^k; plays]` and `E[T^k; gives up]` for k = 0, 1, 2, from each of so many places of a line: with `h(x)` the
    /// chance of an end from state x, `E[T; end]` is the expected total of `h` on the way, and `E[T²; end]` twice that
    /// of `E[T; end]`.
    fn tagged(&self, wish: Wish, places: usize) -> Result<[[Vec<T>; 3]; 2], Error> {
        let [a, b, c] = self.rates.clone();
        let serve = match wish {
            Wish::A => b + c,
            Wish::B => a + c,
            Wish::Either => a + b + c,
        };
        let (plays, gives_up) = (places, places + 1);
        let row = |place: usize| -> Vec<(usize, T)> {
            if place >= places {
                return Vec::new();
            }
            let ahead = self.leave.clone() * T::ratio(place as i64, 1);
            let next = if place == 0 { plays } else { place - 1 };
            vec![(next, serve.clone() + ahead), (gives_up, self.leave.clone())]
        };
        let chain = Ctmc::new(&Csr::from_rows(places + 2, (0..places + 2).map(row)))?;
        let passage = Passage::ctmc(&chain, &[plays, gives_up])?;
        let mut served = vec![T::zero(); places + 2];
        served[0] = serve;
        let moments = |end: &[T]| -> Result<[Vec<T>; 3], Error> {
            let chance = passage.totals(end)?;
            let first = passage.totals(&chance)?;
            let twice: Vec<T> = first.iter().map(|first| T::ratio(2, 1) * first.clone()).collect();
            let second = passage.totals(&twice)?;
            Ok([chance, first, second])
        };
        Ok([moments(&served)?, moments(&vec![self.leave.clone(); places + 2])?])
    }
}

/// The rates between the states in the order of [`ImpatientSides::shares`].
fn rates_of_lines<T: Scalar>(sides: &Sides<T>, leave: &T, room: [usize; 2]) -> Csr<T> {
    let [a, b, c] = sides.rates();
    let either = room[0] + room[1] + 1;
    let mut rows: Vec<Vec<(usize, T)>> = vec![Vec::new(); either + 1];
    let mut join = |from: usize, to: usize, rate: T| rows[from].push((to, rate));
    let mut first = 1;
    for ((up, down), room) in sides.tails().into_iter().zip(room) {
        for place in 0..room {
            let before = if place == 0 { 0 } else { first + place - 1 };
            let leaving = leave.clone() * T::ratio(place as i64 + 1, 1);
            join(before, first + place, up.clone());
            join(first + place, before, down.clone() + leaving);
        }
        first += room;
    }
    join(0, either, c.clone());
    join(either, 0, a + b + c + leave.clone());
    Csr::from_rows(either + 1, rows)
}

/// Where a line may be cut off; see [`ImpatientSides::new`].
fn length(up: f64, down: f64, leave: f64) -> Result<usize, Error> {
    const HUGE: f64 = 1e200;
    if up == 0.0 {
        return Ok(1);
    }
    // `share` is that of n waiting, `kept` the sum of `share / (n + 1)` before it, both in units of that of one waiting
    // until they get too large.
    let (mut share, mut kept) = (1.0, 0.0);
    for waiting in 1..=LONGEST {
        let n = waiting as f64;
        let growth = up / (down + (n + 1.0) * leave);
        let ratio = growth * ((n + 2.0) / (n + 1.0)).powi(3);
        if ratio < 1.0 && share * (n + 1.0).powi(3) / (1.0 - ratio) <= CUT * kept {
            return Ok(waiting);
        }
        kept += share / (n + 1.0);
        share *= growth;
        if share > HUGE {
            share /= HUGE;
            kept /= HUGE;
        }
    }
    Err(too_large())
}

fn too_large() -> Error {
    Error::TooLarge {
        what: "states",
        limit: LONGEST,
    }
}

fn check_rate<T: Scalar>(leave: &T) -> Result<(), Error> {
    if leave.is_number() && *leave > T::zero() {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "leave",
        value: leave.to_float(),
        expected: "positive and finite",
    })
}

fn dot<T: Scalar>(weights: &[T], values: &[T]) -> T {
    let products = weights.iter().zip(values);
    products.fold(T::zero(), |sum, (weight, value)| sum + weight.clone() * value.clone())
}

/// Moments given something of this probability.
fn given<T: Scalar>(chance: &T, first: T, second: T) -> Option<Moments<T>> {
    let is_possible = !chance.is_zero();
    is_possible.then(|| Moments {
        mean: first / chance.clone(),
        second: second / chance.clone(),
    })
}
