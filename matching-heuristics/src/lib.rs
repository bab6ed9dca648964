//! Groups of little cost, by search: teams, lobbies, classes, any partition into groups of given sizes.
//!
//! ```
//! use matching_core::cost;
//! use matching_heuristics::{Groups, Instance, Search};
//!
//! let skill = [900_i64, 1500, 1480, 950, 1490, 920];
//! let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
//! let instance = Instance::pairwise(&gap, Groups::of_size(6, 3)?)?;
//! assert_eq!(Search::auto(&instance).run()?.groups(), [[0, 3, 5], [1, 2, 4]]);
//! # Ok::<(), matching_heuristics::Error>(())
//! ```
//!
//! Costs are written down with [`matching_core`]: a dependency of one's own, or `matching_heuristics::matching_core`.
//!
//! - [`Instance`]: who is grouped, at what cost: a sum over pairs ([`Instance::pairwise`]) or any cost of a whole group
//!   ([`Instance::by_group`]); who stays together, and who stays where.
//! - [`Groups`]: how many groups, of what sizes, and how many may wait.
//! - [`Search`]: the engine and its limits, in time or in reproducible work.
//! - [`Grouping`]: what was found; [`Grouping::verify`] checks it against the instance, [`Grouping::explain`] says why
//!   somebody is where he is.
//!
//! Where so few players are grouped that [`Engine::Auto`] tries all groupings, the answer is the best there is, and
//! [`Grouping::is_proven_best`] says so. Beyond, nothing proves that; what is found in one second (120 players)
//! to ten (240 to 960) is within 0.21 % of the best answers known to us, as the README measures.

mod best;
mod change;
mod control;
mod engine;
mod engines;
mod error;
mod exhaustive;
mod explain;
mod grouping;
mod groups;
mod instance;
mod layout;
mod moves;
mod neighbourhood;
mod packing;
mod pairwise;
mod partition;
mod progress;
mod replica;
mod run;
mod score;
mod search;
mod start;
mod state;
mod verify;
mod whole;

/// The crate whose types stand in signatures of this one, as it was built with it.
#[doc(no_inline)]
pub use matching_core;

pub use control::Stop;
pub use engine::Engine;
pub use error::Error;
pub use explain::{Exchange, Explanation, Obstacle, PairCost, PairExplanation};
pub use grouping::Grouping;
pub use groups::Groups;
pub use instance::Instance;
#[doc(no_inline)]
pub use matching_core::{Budget, CancelToken, Cost, CostValue, GroupBound, GroupCost};
pub use progress::{BestSoFar, Incumbent, Progress};
pub use search::Search;
pub use verify::VerifyError;

/// The code in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
