//! What the questions of M. Xu, Y. Yu, C. Wu have in common: rates, some of them zero, and lobbies of those who come.

use markov::models::xu::{Lobby, Moments, Rule};
use markov::{Error, Rational, Scalar};

/// Whether anybody comes at this rate.
pub(super) fn is_some(rate: &Rational) -> bool {
    *rate > int(0)
}

/// The integer `n`.
pub(super) fn int(n: i64) -> Rational {
    Rational::ratio(n, 1)
}

/// The quotient, if there is one.
pub(super) fn over(top: Rational, bottom: Rational) -> Option<Rational> {
    (bottom != int(0)).then(|| top / bottom)
}

/// A lobby of those kinds that come at all.
pub(super) fn lobby<R: Rule>(rule: R, rates: &[(u8, Rational)]) -> Result<Lobby<Rational, R>, Error> {
    let coming = rates.iter().filter(|(_, rate)| is_some(rate));
    Lobby::new(rule, coming.cloned().collect())
}

/// The wait in a game of so many players who come alone.
pub(super) fn wait_together<R: Rule>(rule: R, rate: &Rational) -> Result<Moments<Rational>, Error> {
    lobby(rule, &[(1, rate.clone())])?.wait(1)
}
