//! Average costs of floats: sweeps, and values of policies by elimination where that is less work.
//!
//! Sweeps begin, since processes that mix take few of them, and say how far each is from the end: by how much the
//! distance of the bounds falls. Where many are missing the values of the policy at hand are looked for by elimination,
//! which may touch as many entries as the missing sweeps are worth, and not many times as many as were touched before.
//! The sweep after it is the improvement of that policy, and proves what it is worth. So policies follow each other as in
//! policy iteration as long as that goes well, and sweeps go on from the best values where it does not.

use super::Solver;
use crate::budget::{Meter, StopReason};
use crate::elimination::Room;
use crate::error::{Error, check_numbers};
use crate::mdp::Mdp;
use crate::mdp::relative::{BoundedSolution, Mark, Relative};
use crate::mdp::sweep::Extent;
use crate::mdp::unit::Unit;

/// Sweeps after which values of policies are looked for by elimination as well: most processes take few more.
const PATIENCE: usize = 16;
/// Sweeps of a periodic process do not come nearer until they are damped, which takes so many: before, eliminations may
/// take as long as the sweeps that were made.
const DAMPED: usize = 48;
/// Between so many sweeps it is measured how the distance of the bounds falls.
const PACE: usize = 8;
/// An entry of lists that an elimination changes takes as long as so many that a sweep looks at, or more, and one of a full
/// matrix as long as one.
const PRICE: u64 = 32;
/// A distance that falls by less is that of a periodic process, or of a slow one.
const CLOSER: f64 = 0.98;
/// An elimination takes as long as so many entries of sweeps for each state, whatever it changes.
const FIXED: u64 = 1000;
/// Changes for each state that come with that.
const FREE: u64 = 16;
/// Entries of the chain that is left in an elimination, at most, where that is more than a quarter more than in the beginning,
/// and changes for each entry if it is narrow.
const LIVE: u64 = 250_000;
const NARROW: u64 = 4000;
/// Changes for each of such entries that make more of them worth it.
const LONG: u64 = 256;
/// Sweeps that are missing are many if they are so many times those that were made.
const MANY: f64 = 2.0;
/// Gains that differ by this part are one, but for roundings.
const SAME: f64 = 1e-12;
/// Sweeps that are missing count as so many times those that were made, at most: early measures may be far off.
const TRUST: f64 = 128.0;
/// Policies in a row that neither prove more nor cost less than those before them.
const STREAK: usize = 4;

/// How the search for the least average cost ended.
pub(super) enum End {
    /// With bounds that are as near as they are to be, or as floats allow.
    Found(BoundedSolution, By),
    /// With a policy at the limit of sweeps, and what is known there.
    Open(Vec<usize>, Error),
    /// A policy has closed classes of which the cheapest is not reached from everywhere.
    Multichain(Vec<usize>),
}

/// What found the values that prove the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum By {
    Sweeps,
    Elimination,
}

/// The search on its way.
struct Search<'a> {
    solver: &'a Solver<'a>,
    mdp: &'a Mdp<f64>,
    meter: &'a Meter<'a>,
    relative: Relative<'a>,
    by: By,
    /// Sweeps since values were found otherwise, and how far the bounds were apart after some of them, and before.
    sweeps: usize,
    pace: [f64; 2],
    /// Units of work of eliminations, and of all else after which there may be another one.
    work: u64,
    due: u64,
    /// The last policy whose values were found.
    evaluated: Vec<u32>,
}

/// Policies in a row.
struct Row {
    /// The best values.
    best: Mark,
    /// Changes that are left for their eliminations, how many there may be in one, and how many there were.
    left: u64,
    most: u64,
    spent: u64,
    /// The least gain of its policies, and how many came after that and after the best values.
    gain: f64,
    vain: usize,
}

/// How a row of policies ended.
enum Ended {
    /// After a sweep that is the last.
    Done(Extent),
    Multichain(Vec<usize>),
    /// Sweeps are to go on.
    Open,
}

impl<'a> Solver<'a> {
    /// The policy of least average cost of a process in a unit, or a policy that shows that there may be several.
    ///
    /// # Errors
    /// As [`Solver::average`], in that unit.
    pub(super) fn search(&'a self, unit: Unit, mdp: &'a Mdp<f64>, meter: &'a Meter<'a>) -> Result<End, Error> {
        let search = Search {
            solver: self,
            mdp,
            meter,
            relative: Relative::new(&self.effort, unit, mdp, meter)?,
            by: By::Sweeps,
            sweeps: 0,
            pace: [f64::INFINITY; 2],
            work: 0,
            due: 0,
            evaluated: Vec::new(),
        };
        search.run()
    }
}

impl Search<'_> {
    fn run(mut self) -> Result<End, Error> {
        loop {
            let extent = self.relative.sweep()?;
            self.sweeps += 1;
            if self.is_last(extent) {
                return self.found(extent);
            }
            if self.sweeps.is_multiple_of(PACE) {
                self.pace = [extent.span(), self.pace[0]];
                if let Some(changes) = self.worth(extent) {
                    match self.policies(extent, changes)? {
                        Ended::Done(extent) => return self.found(extent),
                        Ended::Multichain(policy) => return Ok(End::Multichain(policy)),
                        Ended::Open => continue,
                    }
                }
            }
            self.relative.advance(extent);
            self.by = By::Sweeps;
        }
    }

    fn is_last(&self, extent: Extent) -> bool {
        let is_nearest = || self.sweeps.is_multiple_of(PACE) && self.relative.is_nearest(extent);
        self.relative.is_done(extent) || is_nearest() || self.relative.is_at_limit()
    }

    fn found(self, extent: Extent) -> Result<End, Error> {
        let policy = self.relative.policy().iter().map(|&action| action as usize).collect();
        match self.relative.conclude(extent) {
            Ok(found) => Ok(End::Found(found, self.by)),
            Err(error @ Error::NotConverged { .. }) => Ok(End::Open(policy, error)),
            Err(error) => Err(error),
        }
    }

    /// How many changes of eliminations the missing sweeps are worth, if these are many.
    fn worth(&self, extent: Extent) -> Option<u64> {
        let others = self.meter.work() - self.work;
        if self.sweeps < PATIENCE || others < self.due || self.relative.policy() == self.evaluated {
            return None;
        }
        let [now, before] = self.pace;
        let rate = (before / now).ln().max(f64::MIN_POSITIVE) / PACE as f64;
        let sweep = self.mdp.moves.entries() + self.mdp.moves.rows();
        let missing = self.relative.missing(extent) / rate * sweep as f64;
        let (others, fixed) = (others as f64, (FIXED * self.mdp.len() as u64) as f64);
        let is_measured = now < CLOSER * before || self.sweeps >= DAMPED;
        let most = if is_measured { TRUST * others } else { others };
        let changes = (missing.min(most) / PRICE as f64) as u64;
        (missing > fixed.max(MANY * others)).then_some(changes + FREE * self.mdp.len() as u64)
    }

    /// Policy after policy, with so many changes at most, as long as they prove more. What is known after is not less than
    /// what was before.
    fn policies(&mut self, extent: Extent, changes: u64) -> Result<Ended, Error> {
        let mut row = Row {
            best: self.relative.mark(extent),
            left: changes,
            most: changes / 2,
            spent: 0,
            gain: f64::INFINITY,
            vain: 0,
        };
        let ended = self.follow(&mut row);
        if !matches!(ended, Ok(Ended::Open)) {
            // Where the budget ended it, it is the best that is told of.
            return ended.map_err(|error| match error {
                Error::Stopped(why) => {
                    self.relative.back_to(row.best);
                    self.relative.stopped_between(&why).error()
                }
                error => error,
            });
        }
        self.relative.back_to(row.best);
        let others = self.meter.work() - self.work;
        self.due = 2 * others + PRICE * row.spent + FIXED * self.mdp.len() as u64;
        self.sweeps = 0;
        self.pace = [f64::INFINITY; 2];
        ended
    }

    fn follow(&mut self, row: &mut Row) -> Result<Ended, Error> {
        while self.relative.policy() != self.evaluated && row.vain < STREAK {
            row.vain += 1;
            match self.values(row) {
                Ok(Some(values)) => self.relative.replace(values),
                Ok(None) => break,
                Err(Error::Multichain { .. }) => {
                    let policy = self.relative.policy().iter().map(|&action| action as usize);
                    return Ok(Ended::Multichain(policy.collect()));
                }
                Err(error) => return Err(error),
            }
            let extent = self.relative.sweep()?;
            let gap = self.relative.gap(extent);
            if gap < row.best.gap {
                // What goes well may go on.
                row.left = row.left.max(row.most);
                row.best = self.relative.mark(extent);
                row.vain = 0;
                self.by = By::Elimination;
            }
            // Values may be so large that roundings hide more than was known before.
            if gap <= row.best.gap && self.is_last(extent) {
                return Ok(Ended::Done(extent));
            }
        }
        Ok(Ended::Open)
    }

    /// What the policy at hand costs from each state; nothing where that takes too much.
    fn values(&mut self, row: &mut Row) -> Result<Option<Vec<f64>>, Error> {
        let mut policy: Vec<usize> = self.relative.policy().iter().map(|&action| action as usize).collect();
        let begin = self.meter.work();
        let most = row.most.min(row.left);
        let entries = self.mdp.moves.entries() * self.mdp.len() / self.mdp.moves.rows();
        let live = most.min(LIVE).max(most / LONG) as usize;
        let room = Room::new(self.solver.fill, self.meter)
            .with_live(live.max(entries + entries / 4), NARROW)
            .with_work(most);
        let found = self.mdp.evaluate(&mut policy, room);
        let work = self.meter.work() - begin;
        self.work += work;
        // More changes than there may be are those of full matrices.
        let changes = if work > most { work / PRICE } else { work };
        row.left = row.left.saturating_sub(changes);
        row.spent += changes;
        match found {
            Ok(found) => {
                self.evaluated = self.relative.policy().to_vec();
                // The next one may take somewhat more.
                row.most = row.most.max(2 * changes);
                // Policies of one gain may follow each other for long, each with smaller values.
                if *found.gain() <= row.gain + SAME * row.gain.abs() {
                    (row.gain, row.vain) = (found.gain().min(row.gain), 0);
                }
                Ok(Some(found.bias).filter(|bias| check_numbers(bias).is_ok()))
            }
            Err(Error::TooLarge { .. } | Error::NotANumber { .. }) => Ok(None),
            Err(Error::Stopped(stopped)) if stopped.reason == StopReason::MemoryLimit => Ok(None),
            Err(error) => Err(error),
        }
    }
}
