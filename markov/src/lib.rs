#![doc = include_str!("../README.md")]
//!
//! # Where things are
//! States and rates are written down once, with `f64` or with exact [`Rational`] numbers; every solver runs on both
//! where that makes sense. The module [`models`] holds the queues and the decision process of two papers on
//! matchmaking, the module [`claims`] what these papers say, and what is true.

mod budget;
mod chain;
mod classify;
mod elimination;
mod error;
mod lumping;
mod qbd;
mod scalar;
#[cfg(feature = "serde")]
mod serial;
mod sparse;
mod states;
mod stationary;
mod transient;

pub mod claims;
pub mod mdp;
pub mod models;
pub mod passage;
pub mod simulate;

pub use budget::{Progress, Stage, StopReason, Stopped};
pub use chain::{Ctmc, Dtmc};
pub use classify::Classes;
pub use error::Error;
pub use lumping::{Lumped, labels_of};
pub use matching_core::{Budget, CancelToken};
pub use qbd::{Qbd, QbdBlocks, QbdSolution};
pub use scalar::{Rational, Scalar};
pub use sparse::Csr;
pub use states::{Explored, Labelled, Limits, StateIndex, explore, explore_labelled};
pub use stationary::{ErrorBound, ErrorKind, Method, Stationary, StationaryReport};
pub use transient::{SteadyState, Transient, TransientReport};
