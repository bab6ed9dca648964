//! The EOMM paper's case study: four matchmakers on the same pools, and who stays.
//!
//! A [`Population`] says whom waiting pools are made of: ratings, and the risk that a player stops after each result. [`Simulation`] draws pools of several sizes, lets every [`Method`] pair the same players, plays the
//! games and counts who stays: the paper's section 5.3. EOMM's pairing is the exact optimum and WorstMM's the exact
//! opposite, both checked by `matching_core::verify`.
//!
//! Each round gives two figures for each method: the number of players that equation (7) expects to stay, and a number
//! that is drawn. The first has no noise but that of the pools, and the methods share the pools, so that paired
//! differences of it tell methods apart in a hundredth of the rounds.
//!
//! With feature `json` [`Results`] are written by `serde`, and not read.
//!
//! # Examples
//! ```
//! use matchmaking::Horizon;
//! use matchmaking::eomm::{Method, Population, Simulation};
//!
//! let population = Population::of_new_players(Horizon::EightHours);
//! let results = Simulation::new().sizes(&[20]).rounds(50).seed(7).run(&population)?;
//! let pools = &results.sizes()[0];
//! let gain = pools.gain(Method::Engagement, Method::Random);
//! assert!(gain.expected.low > 0.0); // of 20 players, with 95 % confidence
//! assert_eq!(gain.pools.worse, 0); // the optimum is never beaten
//! # Ok::<(), matchmaking::eomm::Error>(())
//! ```
//!
//! # References
//! Z. Chen, S. Xue, J. Kolen, N. Aghdaie, K. A. Zaman, Y. Sun, M. Seif El-Nasr, "EOMM: An Engagement Optimized
//! Matchmaking Framework", WWW 2017, doi:10.1145/3038912.3052559.

pub mod claims;
mod error;
mod method;
mod moments;
mod population;
pub mod published;
mod results;
mod round;
#[cfg(feature = "json")]
mod serial;
mod simulation;
pub mod statistics;

pub use error::Error;
pub use method::Method;
pub use population::{AfterThree, Population};
pub use results::{Gain, MethodResult, PoolShares, Results, SizeResults};
pub use simulation::{Simulation, Step};
