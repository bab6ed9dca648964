//! How to look for groups, and when to stop.

use std::time::Duration;

use matching_heuristics::Engine;

use super::args::GroupArgs;
use crate::cli::decimal::Decimal;

/// Time limits beyond this, some thirty years, are this: clocks have an end.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// What the command line says about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) engine: Engine,
    pub(super) seed: u64,
    pub(super) target: Option<Decimal>,
    pub(super) limits: Limits,
}

impl Settings {
    pub(super) fn new(args: &GroupArgs) -> Self {
        Self {
            engine: args.engine,
            seed: args.seed,
            target: args.target,
            limits: Limits {
                work: args.work_limit,
                time: args.time_limit.map(|time| time.min(LONGEST)),
            },
        }
    }

    /// The same with other limits.
    pub(super) fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

/// Limits of a run, or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Limits {
    pub(super) work: Option<u64>,
    pub(super) time: Option<Duration>,
}

impl Limits {
    /// What is left when so much is gone.
    pub(super) fn after(self, work: u64, gone: Duration) -> Self {
        Self {
            work: self.work.map(|limit| limit.saturating_sub(work)),
            time: self.time.map(|limit| limit.saturating_sub(gone)),
        }
    }

    /// A share of them.
    pub(super) fn share(self, share: f64) -> Self {
        Self {
            work: self.work.map(|limit| (limit as f64 * share) as u64),
            time: self.time.map(|limit| limit.mul_f64(share)),
        }
    }

    /// Whether there are any.
    pub(super) fn are_set(self) -> bool {
        self != Self::default()
    }
}
