//! Games of one against one, with sides to choose, whose players do not wait forever.

use std::collections::VecDeque;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::Run;
use super::estimate::{BATCHES, Estimate};
use super::queue::{Arrivals, Leavers, Report};
use super::random::exponential;
use crate::error::Error;

/// Players for side A are kind 0, for side B kind 1.
const FREE: usize = 2;
const KINDS: usize = 3;
/// Those who play, by kind, then those who give up.
const PLAYERS: &[u8] = &[1; 2 * KINDS];

/// What became of simulated players who may give up.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpatientReport {
    fates: Report,
    /// By kind, then by batch: players times time, and time.
    waiting: [Vec<(f64, f64)>; KINDS],
}

impl ImpatientReport {
    /// Waits, by class: side A, side B and choice-free of those who play, and then, as classes 3, 4 and 5, of those who
    /// give up.
    pub fn fates(&self) -> &Report {
        &self.fates
    }

    /// How many players of a kind wait in the mean over time: 0 for side A, 1 for side B, 2 for choice-free ones;
    /// `None` for others.
    pub fn waiting(&self, kind: usize) -> Option<Estimate> {
        Estimate::ratio(self.waiting.get(kind)?)
    }
}

/// As [`sides`](fn@super::sides), but each player has brought some patience, an exponential time with mean `1 / leave`,
/// and goes home when that has passed without a game. A batch should last many times `1 / leave`: what the first one,
/// which is left out, has not settled, and what batches share, is in no error.
///
/// # Complexity
/// O(w) per arrival with `w` players waiting.
///
/// # Errors
/// [`Error::Parameter`] for rates that are negative, not finite, or all zero, and unless `leave` is positive and
/// finite.
///
/// # Examples
/// ```
/// use markov::simulate::{Run, impatient_sides};
///
/// // Nobody wants side B: all go home in the end, after a minute in the mean.
/// let report = impatient_sides(3.0, 0.0, 0.0, 1.0, Run::new(100_000, 4)?)?;
/// assert!(report.fates().class(0).is_none());
/// assert!(report.fates().class(3).expect("players left").mean.z(1.0).abs() < 4.5);
/// # Ok::<(), markov::Error>(())
/// ```
pub fn impatient_sides(a: f64, b: f64, free: f64, leave: f64, run: Run) -> Result<ImpatientReport, Error> {
    if !(leave > 0.0 && leave.is_finite()) {
        return Err(Error::Parameter {
            name: "leave",
            value: leave,
            expected: "positive and finite",
        });
    }
    let mut arrivals = Arrivals::new(&[("a", a), ("b", b), ("free", free)], run.seed())?;
    let mut patience = ChaCha8Rng::seed_from_u64(run.seed());
    patience.set_stream(1);
    let mut room = WaitingRoom::default();
    let mut leavers = Leavers::none(2 * KINDS);
    let mut fates = Report::new(run, PLAYERS);
    let mut waiting: [Vec<(f64, f64)>; KINDS] = Default::default();
    for batch in 0..=BATCHES {
        let start = room.now;
        for _ in 0..run.per_batch() {
            let (now, kind) = arrivals.next();
            room.pass_time_until(now, &mut leavers);
            room.arrive(kind, exponential(&mut patience) / leave, &mut leavers);
        }
        let sums = core::mem::take(&mut room.player_times);
        if batch > 0 {
            for (batches, sum) in waiting.iter_mut().zip(sums) {
                batches.push((sum, room.now - start));
            }
        }
        fates.close_batch(&mut leavers, batch == 0);
    }
    Ok(ImpatientReport { fates, waiting })
}

/// Somebody who waits.
#[derive(Clone, Copy, Debug)]
struct Player {
    since: f64,
    until: f64,
}

#[derive(Clone, Debug, Default)]
struct WaitingRoom {
    now: f64,
    /// By kind, in the order of arrival.
    players: [VecDeque<Player>; KINDS],
    /// By kind: what all players have waited so far.
    player_times: [f64; KINDS],
}

impl WaitingRoom {
    /// Sends home whose patience ends before that time.
    fn pass_time_until(&mut self, now: f64, leavers: &mut Leavers) {
        for (kind, players) in self.players.iter_mut().enumerate() {
            for player in players.iter().filter(|player| player.until <= now) {
                leavers.leave(KINDS + kind, player.until - player.since);
            }
            for player in &*players {
                self.player_times[kind] += player.until.min(now) - self.now;
            }
            players.retain(|player| player.until > now);
        }
        self.now = now;
    }

    /// Somebody comes, and plays who has waited longest of those that fit, or waits.
    fn arrive(&mut self, kind: usize, patience: f64, leavers: &mut Leavers) {
        let now = self.now;
        let fits = |other: usize| other == FREE || kind == FREE || other != kind;
        let lines = self.players.iter_mut().enumerate().filter(|(other, _)| fits(*other));
        let longest = lines
            .filter(|(_, line)| !line.is_empty())
            .min_by(|(_, one), (_, other)| {
                let since = |line: &VecDeque<Player>| line.front().map_or(now, |player| player.since);
                since(one).total_cmp(&since(other))
            });
        if let Some((other, opponent)) = longest.and_then(|(other, line)| Some((other, line.pop_front()?))) {
            leavers.leave(other, now - opponent.since);
            leavers.leave(kind, 0.0);
            return;
        }
        let until = now + patience;
        self.players[kind].push_back(Player { since: now, until });
    }
}
