//! Markov chains and decision processes whose answers carry bounds on their errors.
//!
//! States and rates are written down once, with `f64` or with exact [`Rational`] numbers; every solver runs on both
//! where that makes sense. The module [`models`] holds the queues and the decision process of two papers on matchmaking,
//! the module [`claims`] what these papers say, and what is true.

mod chain;
mod classify;
mod elimination;
mod error;
mod lumping;
mod qbd;
mod scalar;
mod sparse;
mod states;
mod stationary;

pub mod claims;
pub mod mdp;
pub mod passage;
pub mod simulate;

pub use chain::{Ctmc, Dtmc};
pub use classify::Classes;
pub use error::Error;
pub use lumping::{Lumped, labels_of};
pub use qbd::{Qbd, QbdBlocks, QbdSolution};
pub use scalar::{Rational, Scalar};
pub use sparse::Csr;
pub use states::{Explored, Limits, StateIndex, explore};
