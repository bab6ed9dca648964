//! Rules by which players who wait are put into games, one per file.

mod difference_wait;
mod greedy;
mod kind;
mod line;
mod multi_queue;
mod periodic;
mod ranges;
mod slack;
mod threshold;
mod ticks;
mod window;

use std::fmt::Debug;

use super::arrivals::Arrival;
use super::games::Games;
use super::setting::Setting;

pub use difference_wait::DifferenceWait;
pub use greedy::Greedy;
pub(super) use kind::NAMES;
pub use kind::PolicyKind;
pub use multi_queue::MultiQueue;
pub use periodic::Periodic;
pub use ranges::Ranges;
pub use slack::Slack;
pub use threshold::Threshold;
pub use ticks::Ticks;

/// A rule that forms games as players arrive and time goes by.
///
/// It learns of nobody before the arrival. [`Matchmaker`](super::Matchmaker) calls it in order of time; everybody must
/// be in a game at the latest `τ_max` after arriving, unless they leave before.
pub trait Policy: Debug + Send {
    /// Somebody arrives, numbered in the order of arrival.
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games);

    /// Somebody goes without a game; whether they still waited. What that makes possible for others is announced by
    /// [`next_timer`](Self::next_timer), as due already if it is.
    fn on_leave(&mut self, id: u32) -> bool;

    /// When something is to be done next, unless somebody arrives or leaves before; `None` if nobody waits.
    fn next_timer(&mut self) -> Option<f64>;

    /// What [`next_timer`](Self::next_timer) announced is due. Afterwards it announces something else: each call forms
    /// a game or moves the timer.
    fn on_timer(&mut self, now: f64, games: &mut Games);

    /// The setting that this was built for, the only one whose games it forms; `None`, unless a policy says otherwise, for
    /// one that serves any.
    fn setting(&self) -> Option<&Setting> {
        None
    }
}

impl<P: Policy + ?Sized> Policy for Box<P> {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        (**self).on_arrival(arrival, games);
    }

    fn on_leave(&mut self, id: u32) -> bool {
        (**self).on_leave(id)
    }

    fn next_timer(&mut self) -> Option<f64> {
        (**self).next_timer()
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        (**self).on_timer(now, games);
    }

    fn setting(&self) -> Option<&Setting> {
        (**self).setting()
    }
}
