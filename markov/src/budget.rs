//! When solvers stop before they are done, and who is told how far they are.
//!
//! All of them count the same kind of work: entries of matrices that are touched, which for fractions are operations
//! that may take long. A [`Meter`] counts it, and looks at the clock and at the token every so many units, more often
//! where units are slow. Limits on work are compared at each count, so that they end a solve in the same place on every
//! machine and number of threads.

use core::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken};

use crate::error::Error;
use crate::scalar::Scalar;
use crate::stationary::Method;

/// Which limit ended a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum StopReason {
    /// The work was spent: the same budget ends the same solve in the same place everywhere.
    WorkLimit,
    /// The time was spent.
    TimeLimit,
    /// There was no more memory to be had.
    MemoryLimit,
    /// Somebody cancelled.
    Cancelled,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WorkLimit => "the work was spent",
            Self::TimeLimit => "the time was spent",
            Self::MemoryLimit => "the memory was spent",
            Self::Cancelled => "it was cancelled",
        })
    }
}

/// How far a solve came that its budget ended: [`Error::Stopped`].
///
/// Values of fractions are rounded to floats, their bounds outwards; an iterate beyond all floats is left out.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "crate::serial::UncheckedStopped")
)]
#[non_exhaustive]
pub struct Stopped {
    /// What ended it.
    pub reason: StopReason,
    /// Units of work that were done, or begun: more than the limit where that ended it.
    pub work: u64,
    /// Iterations that were completed.
    pub iterations: usize,
    /// The best iterate, as in [`Error::NotConverged`]: the weights of states, the bias or the values of the last policy
    /// that was evaluated, the values after a sweep, the distribution after some jumps. Empty where there is none, as
    /// within an elimination.
    pub best: Vec<f64>,
    /// The best policy so far, an action for each state; empty where none is asked for. Policy iteration can start from
    /// it.
    pub policy: Vec<usize>,
    /// Proven bounds of the answer, if that is one number of which the method has bounds, lower and upper.
    pub bounds: Option<(f64, f64)>,
    /// Proven: how far the answer may be from each number of the best iterate, if the method knows.
    pub radius: Option<f64>,
}

/// A glimpse of a running solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it was done: states, sweeps, cycles, policies or jumps, as the stage says.
    pub done: usize,
    /// How much there is to do at most, if that is known.
    pub of: Option<usize>,
    /// About how far off the values are, where the stage has an estimate or a bound of that.
    pub error: Option<f64>,
    /// Proven bounds of the answer, where that is one number and the stage has them.
    pub bounds: Option<(f64, f64)>,
    /// Units of work so far.
    pub work: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What a solver is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stage {
    /// States are eliminated.
    Elimination,
    /// Sweeps, steps or cycles of a method for stationary distributions.
    Stationary(Method),
    /// Policies are evaluated.
    Policies,
    /// Sweeps of value iteration over all actions.
    Sweeps,
    /// Jumps of a chain.
    Jumps,
}

/// Who is told of progress.
pub(crate) type Observer<'a> = dyn Fn(&Progress) + Sync + 'a;

/// What a solver was given: a budget, and who is told.
#[derive(Clone, Default)]
pub(crate) struct Control<'a> {
    pub(crate) budget: Budget,
    pub(crate) observer: Option<&'a Observer<'a>>,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Control");
        shown.field("budget", &self.budget);
        shown.field("is_observed", &self.observer.is_some()).finish()
    }
}

impl Control<'_> {
    /// The budget, whose clock runs from now on.
    pub(crate) fn start(&self) -> Meter<'_> {
        Meter::new(&self.budget, self.observer)
    }
}

/// Work between two looks at the clock at first, and at most.
const FIRST_STRIDE: u64 = 256;
const STRIDE: u64 = 1 << 15;
/// Time between two looks at the clock, about, where units take long.
const PERIOD: Duration = Duration::from_millis(2);
/// Time between two words to an observer, at least.
const PAUSE: Duration = Duration::from_millis(20);

/// That a solve is to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Halted {
    pub(crate) reason: StopReason,
    pub(crate) work: u64,
}

impl Halted {
    /// With nothing to show for it.
    pub(crate) fn bare(self) -> Stopped {
        Stopped {
            reason: self.reason,
            work: self.work,
            iterations: 0,
            best: Vec::new(),
            policy: Vec::new(),
            bounds: None,
            radius: None,
        }
    }
}

impl Stopped {
    pub(crate) fn error(self) -> Error {
        Error::Stopped(Box::new(self))
    }
}

/// What may be cut short, as a result of this crate. (No `From`: with another one for [`Error`], closures of callers would
/// no longer be known to return it.)
pub(crate) trait OrStopped<T> {
    /// # Errors
    /// [`Error::Stopped`], with nothing.
    fn or_stopped(self) -> Result<T, Error>;
}

impl<T> OrStopped<T> for Result<T, Halted> {
    fn or_stopped(self) -> Result<T, Error> {
        self.map_err(|halted| halted.bare().error())
    }
}

/// A budget whose clock runs, and what was used of it.
///
/// One thread counts; others may ask whether they are to stop.
pub(crate) struct Meter<'a> {
    start: Instant,
    end: Option<Instant>,
    cancel: Option<&'a CancelToken>,
    most_work: u64,
    pub(crate) memory: usize,
    observer: Option<&'a Observer<'a>>,
    work: AtomicU64,
    next_look: AtomicU64,
    stride: AtomicU64,
    /// Nanoseconds from the start, and work, when the clock was looked at last.
    last_time: AtomicU64,
    last_work: AtomicU64,
    /// Nanoseconds from the start before which the observer is not told again, and whether these are over.
    next_word: AtomicU64,
    is_word_due: AtomicBool,
    /// Why it is over, by the position of the reason in `REASONS`.
    over: AtomicU8,
}

const REASONS: [StopReason; 3] = [StopReason::WorkLimit, StopReason::TimeLimit, StopReason::Cancelled];
const GOES_ON: u8 = u8::MAX;

impl<'a> Meter<'a> {
    /// A budget whose clock runs from now on.
    pub(crate) fn new(budget: &'a Budget, observer: Option<&'a Observer<'a>>) -> Self {
        let start = Instant::now();
        let meter = Self {
            start,
            // A time beyond what the clock can say never comes.
            end: budget.time_limit().and_then(|time| start.checked_add(time)),
            cancel: budget.cancel_token(),
            most_work: budget.work_limit().unwrap_or(u64::MAX),
            memory: budget.memory_limit().unwrap_or(usize::MAX),
            observer,
            work: AtomicU64::new(0),
            next_look: AtomicU64::new(u64::MAX),
            stride: AtomicU64::new(FIRST_STRIDE),
            last_time: AtomicU64::new(0),
            last_work: AtomicU64::new(0),
            next_word: AtomicU64::new(0),
            is_word_due: AtomicBool::new(observer.is_some()),
            over: AtomicU8::new(GOES_ON),
        };
        meter.plan(0);
        meter
    }

    /// Neither limits nor an observer.
    pub(crate) fn unlimited() -> Meter<'static> {
        static NONE: std::sync::LazyLock<Budget> = std::sync::LazyLock::new(Budget::new);
        Meter::new(&NONE, None)
    }

    /// Whether anything may end it.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_timed() || self.most_work < u64::MAX || self.memory < usize::MAX
    }

    /// Whether somebody may cancel.
    #[cfg(feature = "lp")]
    pub(crate) fn is_cancellable(&self) -> bool {
        self.cancel.is_some()
    }

    /// Whether the clock or the token are of interest.
    fn is_timed(&self) -> bool {
        self.end.is_some() || self.cancel.is_some() || self.observer.is_some()
    }

    /// Counts work.
    ///
    /// # Errors
    /// [`Halted`] once the solve is to end.
    #[inline]
    pub(crate) fn spend(&self, units: u64) -> Result<(), Halted> {
        let work = self.work.load(Relaxed).saturating_add(units);
        self.work.store(work, Relaxed);
        if work < self.next_look.load(Relaxed) {
            return Ok(());
        }
        self.look()
    }

    /// Counts one operation on fractions, and looks at clock and token, as it may take longer than all before it; nothing
    /// where numbers are floats, which are counted by the row.
    ///
    /// # Errors
    /// As [`Meter::spend`].
    #[inline]
    pub(crate) fn spend_exact<T: Scalar>(&self) -> Result<(), Halted> {
        if T::EXACT { self.spend_long() } else { Ok(()) }
    }

    /// Counts one operation of which others say nothing about how long it takes, and looks at clock and token.
    ///
    /// # Errors
    /// As [`Meter::spend`].
    #[inline]
    pub(crate) fn spend_long(&self) -> Result<(), Halted> {
        self.spend(1)?;
        if self.is_interrupted() { self.look() } else { Ok(()) }
    }

    /// Units of work so far.
    pub(crate) fn work(&self) -> u64 {
        self.work.load(Relaxed)
    }

    /// Looks at all limits, without any work.
    ///
    /// # Errors
    /// [`Halted`] once the solve is to end.
    #[cold]
    pub(crate) fn look(&self) -> Result<(), Halted> {
        let work = self.work.load(Relaxed);
        if work > self.most_work {
            self.stop(StopReason::WorkLimit);
        }
        self.is_interrupted();
        if let Some(halted) = self.halted() {
            return Err(halted);
        }
        if self.is_timed() {
            self.pace(work);
        }
        self.plan(work);
        Ok(())
    }

    /// When to look again.
    fn plan(&self, work: u64) {
        let of_clock = match self.is_timed() {
            true => work.saturating_add(self.stride.load(Relaxed)),
            false => u64::MAX,
        };
        self.next_look
            .store(of_clock.min(self.most_work.saturating_add(1)), Relaxed);
    }

    /// As much work until the next look as a period has room for if it goes on as it went, and not many times as much as
    /// before.
    fn pace(&self, work: u64) {
        let now = self.nanoseconds();
        let time = now.saturating_sub(self.last_time.swap(now, Relaxed)).max(1);
        let done = work - self.last_work.swap(work, Relaxed);
        if done > 0 {
            let per_period = done as f64 * PERIOD.as_nanos() as f64 / time as f64;
            let most = STRIDE.min(8 * self.stride.load(Relaxed));
            self.stride.store((per_period as u64).clamp(1, most), Relaxed);
        }
        if self.observer.is_some() && now >= self.next_word.load(Relaxed) {
            self.is_word_due.store(true, Relaxed);
        }
    }

    fn nanoseconds(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    /// Whether the time is over or somebody has cancelled, or the solve is to end anyway, by a fresh look. From any
    /// thread; quick enough to be asked after some thousand entries.
    #[inline]
    pub(crate) fn is_interrupted(&self) -> bool {
        if !self.is_timed() {
            return self.over.load(Relaxed) != GOES_ON;
        }
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            self.stop(StopReason::Cancelled);
        } else if self.end.is_some_and(|end| Instant::now() >= end) {
            self.stop(StopReason::TimeLimit);
        }
        self.over.load(Relaxed) != GOES_ON
    }

    /// Ends the solve, unless it is to end already.
    fn stop(&self, reason: StopReason) {
        let at = REASONS.iter().position(|&other| other == reason).unwrap_or(0) as u8;
        let _ = self.over.compare_exchange(GOES_ON, at, Relaxed, Relaxed);
        self.next_look.store(0, Relaxed);
    }

    /// Why it is to end, if that was found.
    pub(crate) fn halted(&self) -> Option<Halted> {
        let over = self.over.load(Relaxed);
        let reason = *REASONS.get(usize::from(over))?;
        Some(self.halted_by(reason))
    }

    /// That it is to end for a reason.
    pub(crate) fn halted_by(&self, reason: StopReason) -> Halted {
        Halted {
            reason,
            work: self.work.load(Relaxed),
        }
    }

    /// Refuses more memory than there may be.
    ///
    /// # Errors
    /// [`Halted`] by its limit; other ways that take less may still be tried.
    #[inline]
    pub(crate) fn hold(&self, bytes: impl FnOnce() -> usize) -> Result<(), Halted> {
        if self.memory == usize::MAX || bytes() <= self.memory {
            return Ok(());
        }
        Err(self.halted_by(StopReason::MemoryLimit))
    }

    /// Tells the observer of something that is rare.
    pub(crate) fn tell_at_once(&self, told: impl FnOnce() -> Told) {
        if self.observer.is_some() {
            self.tell_now(told());
        }
    }

    /// Tells the observer, if that is due.
    #[inline]
    pub(crate) fn tell(&self, told: impl FnOnce() -> Told) {
        if self.is_word_due.load(Relaxed) {
            self.tell_now(told());
        }
    }

    #[cold]
    fn tell_now(&self, told: Told) {
        self.is_word_due.store(false, Relaxed);
        let Some(observer) = self.observer else {
            return;
        };
        let elapsed = self.start.elapsed();
        observer(&Progress {
            stage: told.stage,
            done: told.done,
            of: told.of,
            error: told.error.filter(|error| error.is_finite()),
            bounds: told.bounds,
            work: self.work.load(Relaxed),
            elapsed,
        });
        self.next_word.store((elapsed + PAUSE).as_nanos() as u64, Relaxed);
    }

    /// Time that is left, if it is limited.
    #[cfg(feature = "lp")]
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Meter");
        shown.field("work", &self.work).field("over", &self.halted());
        shown.finish_non_exhaustive()
    }
}

/// What an observer is told by a stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    pub(crate) stage: Stage,
    pub(crate) done: usize,
    pub(crate) of: Option<usize>,
    pub(crate) error: Option<f64>,
    pub(crate) bounds: Option<(f64, f64)>,
}

impl Told {
    /// That so much was done of a stage.
    pub(crate) fn of(stage: Stage, done: usize) -> Self {
        Self {
            stage,
            done,
            of: None,
            error: None,
            bounds: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Halted, Meter, StopReason};
    use crate::scalar::Rational;
    use matching_core::{Budget, CancelToken};

    /// The clock was looked at after so many operations as had taken two milliseconds before, of floats or of short
    /// fractions. Those of long ones took up to 39 seconds then, in a solve that had a tenth of one.
    #[test]
    fn each_operation_on_fractions_may_be_the_last_one() {
        let token = CancelToken::new();
        let budget = Budget::new().cancel(token.clone());
        let meter = Meter::new(&budget, None);
        assert_eq!(meter.spend(2), Ok(()));
        assert_eq!(meter.spend_exact::<Rational>(), Ok(()));
        token.cancel();
        assert_eq!(meter.spend_exact::<f64>(), Ok(()), "nothing was done");
        let (reason, work) = (StopReason::Cancelled, 4);
        assert_eq!(meter.spend_exact::<Rational>(), Err(Halted { reason, work }));
    }
}
