//! Markov chains and decision processes whose answers say how far off they may be, in floats and in exact fractions.
//!
//! States and rates are written down once, with `f64` or with exact [`Rational`] numbers; every solver runs on both
//! where that makes sense.
//!
//! ```
//! use markov::{Ctmc, Limits, Rational, Scalar, explore, passage::Passage};
//!
//! // Players arrive one a minute, and leave in fours.
//! let rate = Rational::ratio(1, 1);
//! let queue = explore(0, |&waiting| vec![((waiting + 1) % 4, rate.clone())], Limits::default())?;
//! let chain = Ctmc::new(&queue.steps)?;
//! assert_eq!(chain.stationary()?, vec![Rational::ratio(1, 4); 4]);
//!
//! // The time from an empty queue until three players wait: mean 3 minutes.
//! assert_eq!(Passage::ctmc(&chain, &[3])?.moments(1)[0][0], Rational::ratio(3, 1));
//! # Ok::<(), markov::Error>(())
//! ```
//!
//! | you want | start with |
//! | --- | --- |
//! | a chain from a list of rates or probabilities | [`Csr::from_triplets`], [`Ctmc`], [`Dtmc`] |
//! | states with names, explored from where they start | [`explore`]; decision processes: [`mdp::Mdp::explore`], [`mdp::CtMdp::explore`] |
//! | the long-run distribution of a chain, with an error bound | [`Stationary::solve`]; exact: [`Ctmc::stationary`] |
//! | the long run of a chain with several closed classes | [`Stationary::long_run`] |
//! | where a chain is at time t | [`Transient`] |
//! | time until something happens: all moments, costs on the way | [`passage::Passage`] |
//! | states that behave alike put together | [`Ctmc::lump`], [`Lumped`] |
//! | queues with levels, without end | [`Qbd`] |
//! | the best policy: average or discounted cost | [`mdp::PolicyIteration`]; large: [`mdp::RelativeValueIteration`], [`mdp::ValueIteration`] |
//! | the best policy within limits | `mdp::program::Program`, of the feature `lp` |
//! | runs of a chain or a queue | [`simulate`] |
//! | queues and a decision process of two papers on matchmaking | [`models`] |
//! | what these papers say, and what is true | [`claims`] |
//!
//! Solvers of chains and decision processes take a [`Budget`] of time, work and memory and a [`CancelToken`]; one that is
//! spent is [`Error::Stopped`], with what there is so far and what is proven of it. Linear programs know time and the token
//! alone; simulations and the models of papers take none.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `rayon` (on by default) | sweeps over large decision processes on several threads |
//! | `lp` | `mdp::program`: decision processes as linear programs, with limits on what a policy may do |
//! | `serde` | `Serialize`, and `Deserialize` where what is read can be checked, for chains, processes and results |

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

/// The crates whose types stand in signatures of this one, as it was built with them.
#[doc(no_inline)]
pub use {matching_core, rand};

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

/// The code in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
