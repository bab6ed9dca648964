//! Lobbies: everybody who waits is put into matches of two teams at once, new ones and open places of those that run, as well as
//! it goes for all together.
//!
//! A [`Round`] holds the [`Player`]s, their parties, the ping and the connection of every two of them. [`Rules`] say
//! what a good match is: seven scores from 0 to 1 ([`Breakdown`]), put together by [`Weights`]. Two evaluations give the
//! same score: [`Judge`] computes it word for word, with all its parts, and [`LobbyCost`] computes it fast, as a
//! [`matching_core::GroupCost`] that any search over groups can minimise.
//!
//! [`LobbySearch`] does it all:
//!
//! 1. [`choose`] says who plays and who waits, where the players do not fill whole matches;
//! 2. [`start`] puts parties of similar skill together, exactly packed into matches;
//! 3. a search of `matching-heuristics` improves that by the values of [`LobbyCost`];
//! 4. [`Judge::best`] splits each match into teams and explains its score.
//!
//! [`Lobby::verify`] checks what came of it, from the round and the rules alone.
//!
//! Somebody may [play already](Player::playing), in a match that runs, and then stays there in the same team. Its open places
//! are filled before new matches are made: the whole match, or it stays as it is ([`Running`], [`Short`]).
//!
//! One round is not the end of it: a [`Service`] holds one after the other, of players who arrive, wait and come back, and a
//! [`Simulation`] plays that with a synthetic population.
//!
//! # Scores
//! For teams of `k`, skills kept within floor and cap and counted from the floor, `0..=R`:
//!
//! | score | value |
//! | --- | --- |
//! | equal teams | curve of `|mean skill of red - mean skill of blue| / R` |
//! | equal players | curve of the sum of skill differences of all pairs, divided by the greatest one, `k² R` |
//! | premades | the same parties in both teams 1, less the more they differ ([`Premade`]) |
//! | enemy ping | mean over pairs of enemies of `1 - ln(ms / P0) / ln(P1 / P0)` within 0 and 1 |
//! | variation | mean over all pairs: did not meet in the previous match 1, met otherwise 0.4, met likewise 0 |
//! | servers | nobody, one or more players can connect with everybody: 0, 0.5, 1 |
//! | company | mean over all pairs: mates of whom one dislikes the other 0, all others 1 ([`Round::with_disliked`]) |
//!
//! Parties never are divided, neither between matches nor between teams. All ways to split a match into teams are
//! tried: `C(2k, k) / 2` of them.
//!
//! With feature `json` a [`Lobby`] is written by `serde`, with its matches and scores, and not read; players are positions in the
//! round. So are an [`Explanation`], with its exchanges (`Ok` with a [`Change`], or `Err` with a [`Flaw`]), and a [`Flaw`] itself.
//! A [`Round`] is written and read, and so are [`Rules`].
//!
//! # Examples
//! ```
//! use matching_core::GroupCost;
//! use matchmaking::lobby::{Fill, Judge, LobbyCost, Round, Rules, choose, start};
//!
//! # fn main() -> Result<(), matchmaking::lobby::Error> {
//! let everybody = Round::named("nauts-102-s1")?;
//! let rules = Rules::new(3);
//! let selection = choose(&everybody, &rules, Fill::Every, 0)?;
//! let round = everybody.subset(selection.playing());
//!
//! let cost = LobbyCost::new(&round, &rules)?;
//! let judge = Judge::new(&round, &rules)?;
//! let matches = start(&round, &rules, 0.0, 0)?;
//! assert_eq!(matches.len(), 17);
//! for members in &matches {
//!     assert!(cost.is_group_allowed(members));
//!     let split = judge.best(members).expect("a packed match has a legal split");
//!     assert!((cost.group(members) + split.breakdown.total).abs() < 1e-6);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # References
//! J. van Dongen, "The Awesomenauts matchmaking algorithm", 2018: the scores, all splits by force, best swaps from a
//! start sorted by skill. What the article leaves open is a documented choice here, and a setting of [`Rules`].

mod beside;
mod cost;
mod curve;
mod error;
mod exhaustive;
mod explain;
mod judge;
mod matrix;
mod objective;
mod packing;
mod picking;
mod player;
mod premade;
mod read;
mod region;
mod round;
mod rules;
mod running;
mod search;
mod service;
mod simulation;
mod spend;
pub(crate) mod split;
mod synthetic;
mod verify;
mod wishes;
#[cfg(feature = "json")]
mod write;
#[cfg(feature = "json")]
mod written_rules;

#[doc(no_inline)]
pub use matching_core::{Budget, CancelToken, GroupBound, GroupCost};
#[doc(no_inline)]
pub use matching_heuristics::{BestSoFar, Engine, Error as SearchError, Incumbent, Progress, Stop};

pub use cost::LobbyCost;
pub use curve::Curve;
pub use error::{Error, Limit, RuleProblem};
pub use exhaustive::{Grouping, exhaustive};
pub use explain::{Change, Exchange, Explanation};
pub use judge::{Breakdown, Judge, Match};
pub use matrix::SymmetricMatrix;
pub use objective::{Objective, Total};
pub use packing::{Fill, Selection, choose, start};
pub use player::{Player, Playing, Previous, Side};
pub use premade::Premade;
pub use region::Region;
pub use round::{MAX_PLAYERS, MAX_SKILL, Round};
pub use rules::{MAX_TEAM_SIZE, Priority, Rules, ServerRule, Weights};
pub use running::{Running, Short, Why};
pub use search::{Lobby, LobbySearch};
pub use service::{HeldRound, Links, RegionLinks, RoundLinks, RoundRule, Service};
pub use simulation::{Played, PlayedRound, Simulation};
pub use synthetic::GENERATOR_VERSION;
pub use verify::Flaw;
