//! Choosing sides: an infinite chain with geometric tails.

use num_traits::{One, Zero};

use super::lobby::Moments;
use crate::error::Error;
use crate::scalar::{Rational, Scalar, rational};

/// Whether a chain comes back, and in finite mean time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurrence {
    /// It comes back in finite mean time.
    Positive,
    /// It comes back for sure, in infinite mean time.
    Null,
    /// It may not come back.
    Transient,
}

/// Duels of side A against side B: players who want side A, players who want side B, and players who take either side,
/// served in the order of their arrival.
///
/// State n > 0 is that n players wait for side A, -n that n wait for side B, 1' that one waits who takes either.
#[derive(Clone, Debug, PartialEq)]
pub struct Sides<T> {
    a: T,
    b: T,
    c: T,
}

impl<T: Scalar> Sides<T> {
    /// Players arrive at these rates: for side A, for side B, and for either. Floats count to their last digit: 0.6 and 0.1
    /// are a little more than 0.7, and so keep up with it. What is to be in balance exactly needs fractions.
    ///
    /// # Errors
    /// [`Error::Parameter`] for rates below zero or not finite, or if all are zero.
    pub fn new(a: T, b: T, c: T) -> Result<Self, Error> {
        for (name, rate) in [("a", &a), ("b", &b), ("c", &c)] {
            if !rate.is_number() || *rate < T::zero() {
                let value = rate.to_float();
                let expected = "a number that is not negative";
                return Err(Error::Parameter { name, value, expected });
            }
        }
        if a.is_zero() && b.is_zero() && c.is_zero() {
            let (name, value, expected) = ("a + b + c", 0.0, "positive");
            return Err(Error::Parameter { name, value, expected });
        }
        Ok(Self { a, b, c })
    }

    /// For side A, for side B, for either.
    pub(super) fn rates(&self) -> [T; 3] {
        [self.a.clone(), self.b.clone(), self.c.clone()]
    }

    /// Rates up and down the line of those who wait for A, and the same for B.
    pub(super) fn tails(&self) -> [(T, T); 2] {
        let (a, b, c) = (self.a.clone(), self.b.clone(), self.c.clone());
        [(a.clone(), b.clone() + c.clone()), (b, a + c)]
    }

    /// The same rates as fractions. Answers come from these and are rounded once: of rates nearly in balance floats
    /// would lose the difference, and products of large or small ones are none.
    fn exact(&self) -> Sides<Rational> {
        let [a, b, c] = self.rates().map(|rate| match rate.fraction() {
            Some((numerator, denominator)) => Rational::new_raw(numerator.clone(), denominator.clone()),
            // Rates are finite.
            None => rational(rate.to_float()).unwrap_or_else(Rational::zero),
        });
        Sides { a, b, c }
    }

    /// Whether the queue empties. A line that grows at rate u and shrinks at rate d empties in finite mean time for u <
    /// d, and for sure for u = d, as a line that never starts (u = 0) does.
    pub fn recurrence(&self) -> Recurrence {
        self.exact().long_run()
    }

    /// The share of time in which nobody waits, by cut equations: state n + 1 has u/d times the time of state n.
    ///
    /// # Errors
    /// [`Error::Unstable`] unless the chain is positive recurrent.
    pub fn empty(&self) -> Result<T, Error> {
        Ok(T::from_rational(&self.exact().nobody()?))
    }

    /// The share of time in state `n`: `n > 0` wait for side A, or `-n > 0` for side B.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn probability(&self, n: i32) -> Result<T, Error> {
        let exact = self.exact();
        let [for_a, for_b] = exact.tails();
        let (up, down) = if n > 0 { for_a } else { for_b };
        let mut share = T::from_rational(&exact.nobody()?);
        if n != 0 {
            share *= &num_traits::pow(T::from_rational(&(up / down)), n.unsigned_abs() as usize);
        }
        Ok(share)
    }

    /// The share of time in which somebody waits who takes either side.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn probability_either(&self) -> Result<T, Error> {
        let exact = self.exact();
        Ok(T::from_rational(&(exact.nobody()? * &exact.c / exact.total())))
    }

    /// The wait of a player for side A. Moments beyond the range of floats are infinite, here and below.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn wait_a(&self) -> Result<Moments<T>, Error> {
        let exact = self.exact();
        let [(up, down), _] = exact.tails();
        Ok(rounded(&exact.in_line(&up, &down)?))
    }

    /// The wait of a player for side B.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn wait_b(&self) -> Result<Moments<T>, Error> {
        let exact = self.exact();
        let [_, (up, down)] = exact.tails();
        Ok(rounded(&exact.in_line(&up, &down)?))
    }

    /// The wait of a player who takes either side: until the next arrival, if nobody waits.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn wait_either(&self) -> Result<Moments<T>, Error> {
        Ok(rounded(&self.exact().until_next()?))
    }

    /// The wait of any player.
    ///
    /// # Errors
    /// As [`Sides::empty`].
    pub fn wait(&self) -> Result<Moments<T>, Error> {
        let exact = self.exact();
        let [(up_a, down_a), (up_b, down_b)] = exact.tails();
        let (a, b) = (exact.in_line(&up_a, &down_a)?, exact.in_line(&up_b, &down_b)?);
        let either = exact.until_next()?;
        let parts = exact.rates().into_iter().zip([&a, &b, &either]);
        Ok(rounded(&Moments::mixed(parts)?))
    }
}

/// What the answers are, by themselves.
impl Sides<Rational> {
    fn total(&self) -> Rational {
        &self.a + &self.b + &self.c
    }

    fn long_run(&self) -> Recurrence {
        let mut all = Recurrence::Positive;
        for (up, down) in self.tails() {
            if up > down {
                return Recurrence::Transient;
            }
            if up == down && !up.is_zero() {
                all = Recurrence::Null;
            }
        }
        all
    }

    /// The share of time in which nobody waits: in its units, u/d + (u/d)^2 + ... = u / (d - u) of a line.
    fn nobody(&self) -> Result<Rational, Error> {
        self.check()?;
        let mut sum = Rational::one() + &self.c / self.total();
        for (up, down) in self.tails().into_iter().filter(|(up, _)| !up.is_zero()) {
            sum += &up / (down - &up);
        }
        Ok(Rational::one() / sum)
    }

    /// Place p of a line moves up at rate d, so that its moments are `m_k(p) = m_k(p - 1) + (k / d) m_{k-1}(p)`. Their
    /// sums `S_k = sum over n >= 0 of r^n m_k(n + 1)` with `r = u/d` therefore are `S_k = r S_k + (k / d) S_{k-1}`,
    /// from `S_0 = 1 / (1 - r)`; who finds n in line, with probability `r^n` times that of nobody, gets place n + 1.
    fn in_line(&self, up: &Rational, down: &Rational) -> Result<Moments<Rational>, Error> {
        let empty = self.nobody()?;
        let room = down - up;
        let mean = empty * down / (&room * &room);
        let second = Rational::ratio(2, 1) * &mean / room;
        Ok(Moments { mean, second })
    }

    fn until_next(&self) -> Result<Moments<Rational>, Error> {
        let mean = self.nobody()? / self.total();
        let second = Rational::ratio(2, 1) * &mean / self.total();
        Ok(Moments { mean, second })
    }

    fn check(&self) -> Result<(), Error> {
        if self.long_run() == Recurrence::Positive {
            return Ok(());
        }
        let drifts = self.tails().map(|(up, down)| (up - down).to_float());
        let drift = drifts[0].max(drifts[1]);
        Err(Error::Unstable { drift })
    }
}

fn rounded<T: Scalar>(moments: &Moments<Rational>) -> Moments<T> {
    Moments {
        mean: T::from_rational(&moments.mean),
        second: T::from_rational(&moments.second),
    }
}
