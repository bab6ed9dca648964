//! The solver against exhaustive search, against the exact pairing of `matching-core`, and the checker against what is
//! wrong.

mod certificate;
#[cfg(feature = "good_lp")]
mod formulations;
mod known;
mod limits;
mod messages;
mod mixtures;
mod oracle;
mod program;
mod random;
#[cfg(feature = "serde")]
mod serialized;
mod warm;
mod whole;
