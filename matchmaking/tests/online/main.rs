//! Online matching against words, exhaustion and recounts.

mod errors;
mod live;
mod naive;
mod optimum;
mod policies;
mod support;
