//! Matchmaking queues of M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking".
//!
//! A [`Lobby`] is a list of waiting parties in the order of their arrival and a [`Rule`] that says who leaves when
//! somebody arrives. Waits are those of a tagged party: it sees the stationary lobby when it comes (arrivals are Poisson),
//! and waits until a chain of (lobby, own place) lets it go. That gives all moments, where Little's law gives means only.
//!
//! Choosing [`Sides`] needs infinitely many states; its tails are geometric, so that it is exact all the same.

mod lobby;
mod rules;
mod sides;

pub use lobby::{Lobby, Moments, Rule};
pub use rules::{Battle, Choice, Order, Packed, Together, Zones};
pub use sides::{Recurrence, Sides};
