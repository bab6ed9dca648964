//! Claims to files. Feature `serde`.
//!
//! Words and names are those that [`Paper::name`](super::Paper::name) and [`Verdict::name`](super::Verdict::name) give,
//! and a fraction is `p/q` in lowest terms, or `p`: what a reader in another language needs no library for. That is why
//! fractions of claims are not written as those of chains, which are read again.

use serde::{Serialize, Serializer};

use crate::scalar::Rational;

/// Parameters by name, in their order.
pub(super) fn parameters<S: Serializer>(at: &[(&'static str, Rational)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(at.iter().map(|(name, value)| (name, value.to_string())))
}

/// A fraction where there is one.
pub(super) fn fraction<S: Serializer>(exact: &Option<Rational>, serializer: S) -> Result<S::Ok, S::Error> {
    exact.as_ref().map(ToString::to_string).serialize(serializer)
}
