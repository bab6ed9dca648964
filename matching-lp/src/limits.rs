//! When to stop.

use std::sync::Arc;
use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken};

use crate::error::Error;
use crate::solution::StopReason;
use crate::terms::Terms;

/// Whether a step of the method came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// It did.
    All,
    /// A limit, or whoever was told, ended it before.
    Short,
}

/// Limits of a solve.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) time: Option<Duration>,
    pub(crate) work: Option<u64>,
    pub(crate) cancel: Option<CancelToken>,
    /// Bytes for tables of pairs.
    pub(crate) memory: Option<usize>,
}

/// Bytes for tables of pairs where nothing is said of them.
const MEMORY: u64 = 16 << 30;
/// Bytes for each two units, in either order: 9 in the model, and no more in its copy without costs, or in the search for
/// the first grouping.
const PAIR_BYTES: u64 = 18;
/// Those of the model.
const MODEL_BYTES: u64 = 9;

impl Limits {
    /// Those of a budget, and no others.
    pub(crate) fn of(budget: &Budget) -> Self {
        Self {
            time: budget.time_limit(),
            work: budget.work_limit(),
            cancel: budget.cancel_token().cloned(),
            memory: budget.memory_limit(),
        }
    }

    /// Whether tables of so many units may be made.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn check_memory(&self, units: usize) -> Result<(), Error> {
        let bytes = PAIR_BYTES.saturating_mul((units as u64).saturating_pow(2));
        let limit = self.bytes();
        if bytes > limit {
            let limit = Some(limit);
            return Err(Error::OutOfMemory { bytes, limit });
        }
        Ok(())
    }

    /// Bytes for tables of pairs.
    fn bytes(&self) -> u64 {
        self.memory.map_or(MEMORY, |memory| memory as u64)
    }

    /// Whether a model of so many units leaves room for another of so many.
    fn have_room_for_both(&self, units: usize, others: usize) -> bool {
        let others = MODEL_BYTES.saturating_mul((others as u64).saturating_pow(2));
        usize::try_from(others).is_ok_and(|others| others <= self.beside_model(units))
    }

    /// Bytes that a model of so many units leaves to a search, whose tables have a place for each unit in each group, too.
    pub(crate) fn beside_model(&self, units: usize) -> usize {
        let model = MODEL_BYTES.saturating_mul((units as u64).saturating_pow(2));
        usize::try_from(self.bytes().saturating_sub(model)).unwrap_or(usize::MAX)
    }
}

/// Work between two looks at the clock, at most, and before it is known how long work takes: what a group costs may
/// take its time.
const STRIDE: u64 = 100_000;
const FIRST_STRIDE: u64 = 256;
/// The same for steps that are not counted as work.
const UNCOUNTED: u64 = 1 << 18;
/// Time between two looks at the clock, about.
const PERIOD: Duration = Duration::from_millis(2);

/// What is left of the limits. Work is counted in candidates looked at and columns and rows of a linear program times
/// its pivots, so that a limit on it means the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct Clock<'a> {
    limits: &'a Limits,
    end: Option<Instant>,
    work: u64,
    next_look: u64,
    /// When it was looked at last, by how much work was done then, and how much may be done before the next time.
    last_look: (Instant, u64),
    stride: u64,
    /// Steps since then that are not counted as work, and how many there may be before the next time.
    uncounted: u64,
    most_uncounted: u64,
    over: Option<StopReason>,
    /// Work at which a part that was given only so much is over.
    cap: u64,
    /// Costs of whole groups: once one of them cannot be told, all that follows is for nothing.
    terms: Option<Arc<dyn Terms + 'a>>,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(limits: &'a Limits, start: Instant) -> Self {
        Self {
            limits,
            // A time beyond what the clock can say never comes.
            end: limits.time.and_then(|time| start.checked_add(time)),
            work: 0,
            next_look: 0,
            last_look: (start, 0),
            stride: FIRST_STRIDE,
            uncounted: 0,
            most_uncounted: FIRST_STRIDE,
            over: None,
            cap: u64::MAX,
            terms: None,
        }
    }

    /// Is over as well when one of these costs cannot be told.
    pub(crate) fn with_terms(self, terms: Option<Arc<dyn Terms + 'a>>) -> Self {
        Self { terms, ..self }
    }

    /// Counts work.
    #[inline]
    pub(crate) fn step(&mut self, work: u64) {
        self.work += work;
        if self.work >= self.next_look {
            self.look();
        }
    }

    /// Notes steps that are not counted as work, and yet take time where there are many; whether it is over.
    #[inline]
    pub(crate) fn pass(&mut self, steps: usize) -> bool {
        self.uncounted += steps as u64;
        if self.uncounted >= self.most_uncounted {
            self.look();
        }
        self.is_over()
    }

    /// Notes that a cost of a whole group was asked, or what is known of a partial one; whether it is over. Each may take a
    /// thousand times as long as the one before, so that how many there may be between two looks is not to be guessed.
    #[inline]
    pub(crate) fn pass_asked(&mut self) -> bool {
        if self.terms.is_some() && self.last_look.0.elapsed() >= PERIOD {
            self.look();
        }
        self.pass(1)
    }

    /// Runs a part that is over after so much work at the latest; what comes after it is not.
    pub(crate) fn within<R>(&mut self, work: u64, part: impl FnOnce(&mut Self) -> R) -> R {
        let cap = self.cap;
        self.cap = cap.min(self.work.saturating_add(work));
        self.next_look = self.next_look.min(self.cap);
        let result = part(self);
        if self.work >= self.cap && self.cap < cap && self.over == Some(StopReason::WorkLimit) {
            self.over = None;
        }
        self.cap = cap;
        self.look();
        result
    }

    /// Finds out whether it is over, which is not known before the next stride otherwise.
    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        self.pace(now);
        self.next_look = self.work + self.stride;
        if self.over.is_some() {
            return;
        }
        let limit = self.limits.work.map_or(self.cap, |limit| limit.min(self.cap));
        self.next_look = self.next_look.min(limit.max(self.work + 1));
        if self.work >= limit {
            self.over = Some(StopReason::WorkLimit);
        }
        if self.terms.as_ref().is_some_and(|terms| terms.fault().is_some()) {
            self.over = Some(StopReason::Numerics);
        } else if self.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled) {
            self.over = Some(StopReason::Cancelled);
        } else if self.end.is_some_and(|end| now >= end) {
            self.over = Some(StopReason::TimeLimit);
        }
    }

    /// Looks again after what was done in the time of a period, if work goes on as it went.
    fn pace(&mut self, now: Instant) {
        let (last, work) = self.last_look;
        let (time, done) = (now.saturating_duration_since(last), self.work - work);
        let per_period = |done: u64| (done as f64 * PERIOD.as_secs_f64() / time.as_secs_f64().max(1e-9)) as u64;
        if done > 0 {
            self.stride = per_period(done).clamp(1, STRIDE);
        }
        if self.uncounted > 0 {
            self.most_uncounted = per_period(self.uncounted).clamp(1, UNCOUNTED);
        }
        self.uncounted = 0;
        self.last_look = (now, self.work);
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.is_some()
    }

    pub(crate) fn over(&self) -> Option<StopReason> {
        self.over
    }

    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Whether a solve is to end, by a fresh look that leaves the work as it is.
    pub(crate) fn is_late(&self) -> bool {
        self.limits.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
            || self.time_left().is_some_and(|left| left.is_zero())
    }

    /// Whether the limit on memory leaves room for tables of so many units beside those of so many.
    pub(crate) fn has_room_for_both(&self, units: usize, others: usize) -> bool {
        self.limits.have_room_for_both(units, others)
    }

    /// Work that the limit leaves, if there is one.
    pub(crate) fn work_left(&self) -> Option<u64> {
        Some(self.limits.work?.saturating_sub(self.work))
    }

    /// Time that is left, if there is a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }
}
