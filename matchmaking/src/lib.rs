//! Who should play whom: the domain of online matchmaking on top of the exact engines.
//!
//! A [`Pool`] of waiting players comes from CSV ([`Pool::read_csv`]) or from the seeded generator
//! ([`Pool::synthetic`]). An [`OutcomeModel`] says how likely each result of a game is, a [`ChurnModel`] how likely a
//! player stops playing after it, and [`EngagementCost`] puts the two together into the edge weight of the EOMM paper:
//! the expected number of players that a game loses. It is a [`matching_core::Cost`], so [`matching_core::Blossom`]
//! finds the pairing that keeps the most players, with a proof.
//!
//! # Examples
//! Is this pair worth more than that one?
//! ```
//! use matching_core::Cost;
//! use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, SyntheticChurn};
//!
//! # fn main() -> Result<(), matchmaking::Error> {
//! let csv = "id,rating,deviation,outcomes\nAnn,1500,60,WLL\nBen,1480,45,LWW\nCho,1720,80,WWW\nDee,1390,90,\n";
//! let pool = Pool::read_csv(csv.as_bytes())?;
//! let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &SyntheticChurn::new(Horizon::EightHours, 0))?;
//!
//! let terms = cost.terms(0, 1); // Ann against Ben
//! assert!((terms.outcomes.total() - 1.0).abs() < 1e-12);
//! assert_eq!(cost.pair(0, 1), cost.pair(1, 0));
//! assert_eq!(cost.pair(0, 1), (terms.expected_churn() * 1e6).round() as i64);
//! # Ok(())
//! # }
//! ```
//!
//! The best pairing of a pool, proven and checked:
//! ```
//! use matching_core::Blossom;
//! use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pool = Pool::synthetic(100, 1);
//! let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &SyntheticChurn::new(Horizon::EightHours, 0))?;
//! let solution = Blossom::new().solve(&cost)?;
//! assert!(solution.is_optimal());
//! solution.verify(&cost)?;
//!
//! let found = Pairing::new(solution.pairs().map(|(i, j, _)| (i, j)).collect(), vec![]);
//! assert!(cost.expected_retained(&found) > cost.expected_retained(&Pairing::by_rating(&pool)));
//! # Ok(())
//! # }
//! ```
//!
//! The synthetic churn model makes way for one's own by [`FittedModel`], which the module `fit` (feature `fit`) makes
//! of a log of games.
//!
//! How a pairing is for the weak and the strong, here and there: see [`fairness`]. Games of teams, everybody at once: see [`lobby`]. Players who arrive one by one: [`online`]. The EOMM paper's simulation: the
//! module `eomm` (feature `eomm`).
//!
//! # The program
//! The crate's binary, `matchmaking`, answers such questions on the command line: `matchmaking pair FILE` pairs a CSV
//! pool or matches any weighted graph, `matchmaking group FILE` puts players into groups of any size. `matchmaking pair
//! --help` describes formats and options. Feature `cli`, on by default, builds it; the library alone needs none of its
//! dependencies.
//!
//! # References
//! Z. Chen, S. Xue, J. Kolen, N. Aghdaie, K. A. Zaman, Y. Sun, M. Seif El-Nasr, "EOMM: An Engagement Optimized
//! Matchmaking Framework", WWW 2017, doi:10.1145/3038912.3052559.

mod baseline;
#[cfg(feature = "json")]
#[allow(dead_code, reason = "the program has some of it to itself")]
mod beginning;
mod clock;
mod engagement;
#[cfg(feature = "eomm")]
pub mod eomm;
mod error;
pub mod fairness;
#[cfg(any(feature = "claims", feature = "eomm"))]
mod fractions;
mod header;
pub mod lobby;
pub mod online;
mod player;
mod pool;
mod quoted;
mod read_error;
mod records;
mod rounds;
mod said;
mod skill;
mod written;

/// The crates whose types stand in signatures of this one, as it was built with them.
#[cfg(any(feature = "claims", feature = "eomm", feature = "floor"))]
#[doc(no_inline)]
pub use markov;
/// The crates whose types stand in signatures of this one, as it was built with them.
#[cfg(feature = "groups")]
#[doc(no_inline)]
pub use matching_lp;
/// The crates whose types stand in signatures of this one, as it was built with them.
#[doc(no_inline)]
pub use {matching_core, matching_heuristics};

pub use baseline::{
    Pairing, opponents_at_random, opponents_at_random_within, opponents_by_rating, opponents_by_rating_within,
};
#[cfg(feature = "fit")]
pub use engagement::fit;
pub use engagement::{
    ChurnModel, Coefficient, DrawRule, DrawShare, Driver, EngagementCost, FitCounts, FittedModel, Horizon, MEMORY,
    ModelProblem, OutcomeModel, OutcomeProbabilities, PairTerms, RatingParameters, SkillModel, SyntheticChurn,
    TeamEngagement, TeamTerms,
};
pub use error::{Error, NumberProblem, Place};
pub use player::{Activity, Outcome, Player};
pub use pool::{FieldProblem, GamesProblem, GamesWanted, PinProblem, Pool, PoolLimits, Separation, Unwritable};
pub use read_error::ReadError;
pub use rounds::{Rounds, RoundsProblem};
pub use skill::SkillCost;

/// The code in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
