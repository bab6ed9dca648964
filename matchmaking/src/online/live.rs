//! The clock: arrivals and timers in order, for a live service and for simulations alike.

use matching_core::{Budget, StopReason};

use super::arrivals::{Arrival, Arrivals, check};
use super::error::Error;
use super::games::Games;
use super::policy::Policy;
use super::setting::Setting;
use crate::clock::Clock;
use crate::error::Place;

/// A policy at work.
///
/// Arrivals come in through [`arrive`](Self::arrive); in between, [`advance`](Self::advance) at
/// [`next_wake`](Self::next_wake) lets the policy do what is due. Who does not want to wait any more goes by
/// [`leave`](Self::leave). Games wait in [`take_games`](Self::take_games).
/// [`simulate`] does the same with a whole log, so that a replay gives the games that were played, if nobody has left; but
/// for who arrives within rounding (some units in the last place) of the instant at which something is due: a replay
/// counts that as the same instant, and a clock that was set to what is due has let it happen.
///
/// Order of events: what is due before an arrival happens first; a newcomer is placed before what is due at the same
/// instant, so that somebody may still be matched at exactly `τ_max`; then all that is due by then happens, before
/// anybody else arrives at that instant: who serves live does not know whether somebody will. Who leaves does so before
/// what is due at that instant.
///
/// # Examples
/// ```
/// use matchmaking::online::{Error, Matchmaker, PolicyKind, Setting};
///
/// let setting = Setting::new(2, 5.0, 1)?;
/// let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Greedy.build(&setting)?)?;
/// matchmaker.arrive(0.0, &[0.3])?;
/// matchmaker.arrive(1.5, &[0.9])?;
/// matchmaker.arrive(2.0, &[0.5])?;
/// assert_eq!(matchmaker.next_wake(), Some(7.0)); // The third player plays with a bot unless somebody comes.
/// matchmaker.advance(7.0)?;
/// let games = matchmaker.take_games();
/// let played: Vec<_> = games.iter().map(|game| (game.time, game.players.to_vec())).collect();
/// assert_eq!(played, [(1.5, vec![0, 1]), (7.0, vec![2])]);
///
/// let player = matchmaker.arrive(8.0, &[0.4])?;
/// assert!(matchmaker.leave(9.0, player)?); // Nobody came, and the player does not want to wait any more.
/// assert_eq!(matchmaker.next_wake(), None);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Matchmaker<P> {
    setting: Setting,
    policy: P,
    now: f64,
    /// Whether everything due at `now` has happened and nobody may arrive at it any more.
    is_over: bool,
    arrived: u32,
    games: Games,
}

impl<P: Policy> Matchmaker<P> {
    /// Nobody has arrived yet.
    ///
    /// # Errors
    /// [`Error::OtherSetting`] if the policy was built for another setting ([`Policy::setting`]).
    pub fn new(setting: Setting, policy: P) -> Result<Self, Error> {
        if let Some(built_for) = policy.setting().filter(|built_for| **built_for != setting) {
            let built_for = built_for.clone();
            return Err(Error::OtherSetting { built_for, setting });
        }
        Ok(Self {
            setting,
            policy,
            now: f64::NEG_INFINITY,
            is_over: false,
            arrived: 0,
            games: Games::new(),
        })
    }

    /// A player arrives; returns the player's number in the order of arrival, from 0.
    ///
    /// # Errors
    /// [`Error::BadNumber`], [`Error::WrongCriteria`]; [`Error::CoarseTimes`] as [`simulate`]; [`Error::NotSorted`] if the
    /// time lies before the last time at which somebody arrived or left, [`Error::InstantOver`] if the clock was set to
    /// it or beyond by [`advance`](Self::advance). [`Error::TooManyArrivals`] once all numbers of players are taken: 2³² - 1 of
    /// them.
    pub fn arrive(&mut self, time: f64, criteria: &[f64]) -> Result<u32, Error> {
        let place = Place::Position(self.arrived as usize);
        check(place, time, criteria, self.setting.criteria())?;
        self.setting.check_time(time)?;
        if time < self.now && !self.is_over {
            return Err(Error::NotSorted {
                place,
                time,
                previous: self.now,
            });
        }
        if self.is_over && time <= self.now {
            return Err(Error::InstantOver { now: self.now, time });
        }
        if self.arrived == u32::MAX {
            return Err(Error::TooManyArrivals { most: u32::MAX });
        }
        let id = self.arrived;
        self.place(Arrival { id, time, criteria });
        Ok(id)
    }

    /// Serves a checked arrival.
    fn place(&mut self, arrival: Arrival<'_>) {
        self.fire_before(arrival.time);
        self.now = arrival.time;
        self.is_over = false;
        self.arrived += 1;
        self.policy.on_arrival(arrival, &mut self.games);
        self.fire_until(arrival.time);
    }

    /// A player, by the number that [`arrive`](Self::arrive) returned, goes without a game, before what is due at that
    /// instant; what that makes possible for others happens. Returns whether the player still waited: whoever is in a
    /// game by then, or has left before, did not. Takes the time of an arrival.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`] for a number that nobody has, [`Error::InstantOver`] if the clock shows more than that,
    /// or `time` is NaN.
    pub fn leave(&mut self, time: f64, player: u32) -> Result<bool, Error> {
        if player >= self.arrived {
            return Err(Error::NoSuchPlayer {
                player,
                arrived: self.arrived(),
            });
        }
        if time.is_nan() || time < self.now {
            return Err(Error::InstantOver { now: self.now, time });
        }
        self.fire_before(time);
        if time > self.now {
            (self.now, self.is_over) = (time, false);
        }
        let has_waited = self.policy.on_leave(player);
        self.fire_until(time);
        Ok(has_waited)
    }

    /// Sets the clock: all that is due until then happens, at the times at which it is due.
    ///
    /// # Errors
    /// [`Error::InstantOver`] if the clock shows more than that, or `time` is NaN.
    pub fn advance(&mut self, time: f64) -> Result<(), Error> {
        if time.is_nan() || time < self.now {
            return Err(Error::InstantOver { now: self.now, time });
        }
        self.fire_until(time);
        self.now = time;
        self.is_over = true;
        Ok(())
    }

    fn fire_before(&mut self, time: f64) {
        while let Some(due) = self.next_wake()
            && self.setting.is_before(due, time)
        {
            self.fire(due);
        }
    }

    fn fire_until(&mut self, time: f64) {
        while let Some(due) = self.next_wake().filter(|due| *due <= time) {
            self.fire(due);
        }
    }

    fn fire(&mut self, due: f64) {
        self.now = due;
        self.policy.on_timer(due, &mut self.games);
    }

    /// When the policy wants to be woken up, unless somebody arrives before.
    pub fn next_wake(&mut self) -> Option<f64> {
        // What was due in the past is due now. Times may be so great that a wait ends later than any float.
        let due = self.policy.next_timer()?;
        Some(due.max(self.now).min(f64::MAX))
    }

    /// What is formed since the last call.
    pub fn take_games(&mut self) -> Games {
        std::mem::take(&mut self.games)
    }

    /// How many players have arrived.
    pub fn arrived(&self) -> usize {
        self.arrived as usize
    }
}

/// Serves a whole log; after the last arrival the clock runs until nobody waits.
///
/// # Errors
/// [`Error::WrongCriteria`] if the arrivals have another number of criteria than the setting; [`Error::CoarseTimes`]
/// where times are so great, and the longest wait so short, that waits are lost in rounding; [`Error::OtherSetting`] if the
/// policy was built for another setting.
pub fn simulate<P: Policy>(setting: &Setting, policy: P, arrivals: &Arrivals) -> Result<Games, Error> {
    Ok(simulate_within(setting, policy, arrivals, &Budget::new())?.games)
}

/// What a policy did with a log, or with the beginning of one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Served {
    /// The games that were formed; whoever still waited when a limit ended it is in none.
    pub games: Games,
    /// What ended it before everybody was served, if a limit did.
    pub stop: Option<StopReason>,
}

/// Arrivals, and afterwards wakes of the policy, between two looks at the clock.
const STRIDE: usize = 16;

/// As [`simulate`], within a budget. An arrival is a unit of work, so that such a limit serves the beginning of a log, and
/// the same one everywhere. The clock and the token are looked at every few arrivals; memory is not limited.
///
/// # Errors
/// As [`simulate`].
///
/// # Examples
/// ```
/// use matching_core::{Budget, StopReason};
/// use matchmaking::online::{Pattern, PolicyKind, Setting, simulate, simulate_within};
///
/// let setting = Setting::new(2, 5.0, 1)?;
/// let arrivals = Pattern::Constant(10.0).arrivals(1_000, 1, 1)?;
/// let greedy = || PolicyKind::Greedy.build(&setting);
/// let all = simulate(&setting, greedy()?, &arrivals)?;
/// let some = simulate_within(&setting, greedy()?, &arrivals, &Budget::new().work(100))?;
/// assert_eq!((all.len(), some.games.len(), some.stop), (500, 50, Some(StopReason::WorkLimit)));
/// # Ok::<(), matchmaking::online::Error>(())
/// ```
pub fn simulate_within<P: Policy>(
    setting: &Setting,
    policy: P,
    arrivals: &Arrivals,
    budget: &Budget,
) -> Result<Served, Error> {
    setting.check(arrivals)?;
    let clock = Clock::new(budget);
    let work = budget.work_limit().unwrap_or(u64::MAX);
    let mut matchmaker = Matchmaker::new(setting.clone(), policy)?;
    let is_over = |steps: usize| steps.is_multiple_of(STRIDE).then(|| clock.over()).flatten();
    let mut stop = None;
    for (place, arrival) in arrivals.iter().enumerate() {
        let by_work = (place as u64 >= work).then_some(StopReason::WorkLimit);
        stop = by_work.or_else(|| is_over(place));
        if stop.is_some() {
            break;
        }
        matchmaker.place(arrival);
    }
    let mut wakes = 0;
    while stop.is_none()
        && let Some(due) = matchmaker.next_wake()
    {
        stop = is_over(wakes);
        if stop.is_none() {
            matchmaker.fire(due);
        }
        wakes += 1;
    }
    Ok(Served {
        games: matchmaker.take_games(),
        stop,
    })
}

#[cfg(test)]
mod tests {
    use super::Matchmaker;
    use crate::online::{Error, PolicyKind, Setting};

    /// The number after the last one was 0 again, and the next player was taken for the first.
    #[test]
    fn no_number_is_given_twice() -> Result<(), Error> {
        let setting = Setting::new(2, 5.0, 1)?;
        let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Greedy.build(&setting)?)?;
        matchmaker.arrived = u32::MAX - 1;
        assert_eq!(matchmaker.arrive(0.0, &[0.5]), Ok(u32::MAX - 1));
        let full = matchmaker.arrive(1.0, &[0.5]).expect_err("no number is left");
        assert_eq!(full, Error::TooManyArrivals { most: u32::MAX });
        assert!(full.to_string().contains("4294967295"), "{full}");
        // Nobody has come, and whoever waits goes on.
        assert_eq!(
            (matchmaker.arrived(), matchmaker.next_wake()),
            (u32::MAX as usize, Some(5.0))
        );
        assert_eq!(matchmaker.leave(1.0, u32::MAX - 1), Ok(true));
        Ok(())
    }
}
