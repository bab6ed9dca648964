//! Online matching against words, exhaustion and recounts.

mod errors;
#[cfg(feature = "groups")]
mod groups;
mod live;
mod naive;
mod optimum;
mod policies;
#[cfg(feature = "json")]
mod serialized;
mod support;
