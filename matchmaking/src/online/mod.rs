//! Games from players who arrive one by one: whom to match, and when to stop waiting for somebody better.
//!
//! The model is the paper's: games of `k` players, `D` criteria from 0 to 1, nobody waits for longer than `τ_max`, and
//! [`Setting`] says what a game costs (formula (1)). A [`Policy`] decides; [`Matchmaker`] runs it live, [`simulate`] on
//! a log, with the same games. [`Account`] recomputes what they cost from the arrivals alone. [`optimum()`] is the best
//! that could have been done by somebody who knew all arrivals in advance.
//!
//! With feature `json` results are written by `serde`, and not read: [`Games`], [`Served`], [`Account`], [`Optimum`], and
//! what the module `floor` estimates.
//!
//! # Examples
//! ```
//! use matchmaking::online::{Account, Error, Pattern, PolicyKind, Setting, optimum, simulate};
//!
//! let setting = Setting::new(2, 5.0, 1)?;
//! let arrivals = Pattern::Constant(10.0).arrivals(2_000, 1, 1)?;
//! let total = |policy: PolicyKind| {
//!     let games = simulate(&setting, policy.build(&setting)?, &arrivals)?;
//!     Ok::<_, Error>(Account::new(&setting, &arrivals, &games)?.total())
//! };
//! let best = Account::new(&setting, &arrivals, &optimum(&setting, &arrivals)?.games)?.total();
//! let (greedy, slack) = (total(PolicyKind::Greedy)?, total(PolicyKind::Slack)?);
//! assert!(best < slack && slack < 1.4 * best && 3.0 * best < greedy);
//! # Ok::<(), Error>(())
//! ```
//!
//! # References
//! C. Schlup, "Automatic Game Matching", ETH Zürich: the model, the cost formula, `A_G`, `A_PM`, `A_MQ`, `A_DW`.

mod account;
mod arrivals;
#[cfg(feature = "claims")]
pub mod claims;
mod error;
#[cfg(feature = "floor")]
pub mod floor;
mod games;
mod ids;
mod live;
mod optimum;
mod pattern;
mod policy;
mod rate;
mod read;
mod setting;
mod waiting;

pub use account::{Account, GameCost, game_cost, quantile};
pub use arrivals::{Arrival, Arrivals};
pub use error::{ArrivalProblem, Error};
pub use games::{Game, Games};
pub use ids::Overlap;
pub use live::{Matchmaker, Served, simulate, simulate_within};
pub use optimum::{Optimum, optimum, optimum_in_windows, optimum_within};
#[cfg(feature = "groups")]
pub use optimum::{group_optimum, group_optimum_within};
pub use pattern::Pattern;
pub use policy::{DifferenceWait, Greedy, MultiQueue, Periodic, Policy, PolicyKind, Ranges, Slack, Threshold, Ticks};
pub use read::Log;
pub use setting::{MAX_PLAYERS, MAX_WEIGHT, Setting};
