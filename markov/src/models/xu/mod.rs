//! Matchmaking queues of M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking".
//!
//! A [`Lobby`] is a list of waiting parties in the order of their arrival and a [`Rule`] that says who leaves when
//! somebody arrives. Waits are those of a tagged party: it sees the stationary lobby when it comes (arrivals are
//! Poisson), and waits until a chain of (lobby, own place) lets it go. That gives all moments, where Little's law gives
//! means only.
//!
//! Choosing [`Sides`] needs infinitely many states; its tails are geometric, so that it is exact all the same. With
//! [`ImpatientSides`] players give up, which the paper does not have; [`Parties`] says for which arrivals games of k
//! against k can be stable at all.

mod impatient;
mod lobby;
mod parties;
mod proofs;
mod rules;
mod sides;
mod simplex;

pub use impatient::{Fates, ImpatientSides, Wish};
pub use lobby::{Lobby, Moments, Rule};
pub use parties::Parties;
pub use proofs::{Overload, Service, Stability};
pub use rules::{Battle, Choice, Order, Packed, Together, Zones};
pub use sides::{Recurrence, Sides};
