//! Queues of single players and of teams of two.
//!
//! Reference: M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking", 2018, sections II and III.

use super::Run;
use super::queue::{Arrivals, Leavers, Report};
use crate::error::Error;

const SINGLE: usize = 0;
const TEAM: usize = 1;
/// Players per arrival: a single is one, a team two.
const PLAYERS: &[u8] = &[1, 2];

/// Who plays when three singles wait and a team arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// The two singles that came first.
    Fifo,
    /// Any two singles that wait are packed into a team at once, and teams play in the order in which they were
    /// complete.
    Packing,
    /// The two singles that came last.
    Lifo,
}

/// Players arrive one by one, and as soon as `k` wait they start a game. One class.
///
/// # Errors
/// [`Error::Parameter`] for `k = 0` and rates that are not positive and finite.
///
/// # Examples
/// ```
/// use markov::simulate::{Run, k_player_queue};
///
/// let report = k_player_queue(4, 1.0, Run::new(100_000, 7)?)?;
/// let wait = report.all().expect("players left").mean;
/// assert!(wait.z(1.5).abs() < 4.5);
/// # Ok::<(), markov::Error>(())
/// ```
pub fn k_player_queue(k: usize, rate: f64, run: Run) -> Result<Report, Error> {
    if k == 0 {
        let (name, value, expected) = ("k", 0.0, "at least 1");
        return Err(Error::Parameter { name, value, expected });
    }
    let arrivals = Arrivals::new(&[("rate", rate)], run.seed())?;
    let mut waiting = Waiting::default();
    Ok(arrivals.run(run, &[1], |now, class, leavers| {
        waiting.0.push(now);
        waiting.play_if(k, class, now, leavers);
    }))
}

/// Four singles play with each other, and two teams play with each other, in two queues that do not meet. Classes:
/// singles, teams.
///
/// # Errors
/// [`Error::Parameter`] for rates that are negative, not finite, or all zero.
pub fn two_queues(singles: f64, teams: f64, run: Run) -> Result<Report, Error> {
    let arrivals = Arrivals::new(&[("singles", singles), ("teams", teams)], run.seed())?;
    let mut queues = [Waiting::default(), Waiting::default()];
    Ok(arrivals.run(run, PLAYERS, |now, class, leavers| {
        queues[class].0.push(now);
        queues[class].play_if([4, 2][class], class, now, leavers);
    }))
}

/// One queue for singles and teams: a game of two against two starts as soon as four players wait that can be put into
/// two teams without breaking one up. Classes: singles, teams.
///
/// # Errors
/// [`Error::Parameter`] for rates that are negative, not finite, or all zero.
pub fn two_v_two(singles: f64, teams: f64, order: Order, run: Run) -> Result<Report, Error> {
    let arrivals = Arrivals::new(&[("singles", singles), ("teams", teams)], run.seed())?;
    if order == Order::Packing {
        let mut packs = Packs::default();
        return Ok(arrivals.run(run, PLAYERS, |now, class, leavers| packs.arrive(now, class, leavers)));
    }
    let mut queue = Central::default();
    Ok(arrivals.run(run, PLAYERS, |now, class, leavers| {
        queue.waiting[class].0.push(now);
        queue.play(now, order, leavers);
    }))
}

/// When those who wait arrived, in that order.
#[derive(Clone, Debug, Default)]
struct Waiting(Vec<f64>);

impl Waiting {
    /// All leave, if there are so many.
    fn play_if(&mut self, count: usize, class: usize, now: f64, leavers: &mut Leavers) {
        if self.0.len() == count {
            self.take(0, count, class, now, leavers);
        }
    }

    /// So many leave, the first of them being the one at this place.
    fn take(&mut self, first: usize, count: usize, class: usize, now: f64, leavers: &mut Leavers) {
        for since in self.0.drain(first..first + count) {
            leavers.leave(class, now - since);
        }
    }
}

/// The central queue, first or last in first out.
#[derive(Clone, Debug, Default)]
struct Central {
    waiting: [Waiting; 2],
}

impl Central {
    fn play(&mut self, now: f64, order: Order, leavers: &mut Leavers) {
        let (singles, teams) = (self.waiting[SINGLE].0.len(), self.waiting[TEAM].0.len());
        if singles + 2 * teams < 4 {
            return;
        }
        // Two teams play each other; one plays two singles; without one, four singles play.
        let playing = if teams >= 2 { 2 } else { teams };
        let fill = 4 - 2 * playing;
        let first = if order == Order::Lifo { singles - fill } else { 0 };
        self.waiting[TEAM].take(0, playing, TEAM, now, leavers);
        self.waiting[SINGLE].take(first, fill, SINGLE, now, leavers);
    }
}

/// The queue that packs singles: each pack is a team, or two singles, with the times of arrival.
#[derive(Clone, Debug, Default)]
struct Packs {
    loose: Option<f64>,
    /// A complete pack that waits: its class, and when its members arrived.
    ready: Option<(usize, [f64; 2])>,
}

impl Packs {
    fn arrive(&mut self, now: f64, class: usize, leavers: &mut Leavers) {
        let pack = if class == TEAM {
            (TEAM, [now; 2])
        } else if let Some(first) = self.loose.take() {
            (SINGLE, [first, now])
        } else {
            self.loose = Some(now);
            return;
        };
        match self.ready.take() {
            None => self.ready = Some(pack),
            Some(other) => {
                for (class, since) in [other, pack] {
                    // A team is one arrival, however many players it counts for.
                    let arrivals = if class == TEAM { 1 } else { 2 };
                    for since in &since[..arrivals] {
                        leavers.leave(class, now - since);
                    }
                }
            }
        }
    }
}
