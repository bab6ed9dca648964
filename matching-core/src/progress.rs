//! Who is told of progress, and of what.

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// A glimpse of a running solve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// What is left of the stage at most, as far as it is known: vertices without a partner that are still looked at, or
    /// trees. Where vertices may stay unmatched, two copies of all may be matched, of which both count. It never rises within a
    /// stage, but where all pairs have costs, or vertices are points in space, each stage is come to several times.
    pub left: Option<usize>,
    /// No answer can be better than this, in the units and the sense of the input, rounded so that it stays true. It
    /// only ever becomes closer. Known while all edges of a list are searched, but for
    /// [`Objective::MaxCardinality`](crate::Objective::MaxCardinality), as it depends on the number of pairs there.
    pub bound: Option<f64>,
    /// Units of work so far; they never fall. As [`Solution::work`](crate::Solution::work) counts them, and besides the
    /// visits of relaxations, which that takes for a few looks at all pairs.
    pub work: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What a solver is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stage {
    /// Costs on all pairs: prices are looked for that tell which few pairs to begin with.
    Relaxation,
    /// Each vertex that has no partner looks for one along a shortest path.
    Start,
    /// Trees grow from those who are left, and blossoms shrink and expand.
    Search,
    /// Costs on all pairs: the search among few pairs has ended, and all pairs are looked at for better ones.
    Pricing,
}

impl Stage {
    /// One word for a report: `relaxation`, `start`, `search`, `pricing`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relaxation => "relaxation",
            Self::Start => "start",
            Self::Search => "search",
            Self::Pricing => "pricing",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Who is told of progress. Solvers own it, as they own all their options, and no type needs a lifetime for it.
#[derive(Clone)]
pub(crate) struct Observer(Arc<dyn Fn(&Progress) + Send + Sync>);

// Nothing of a solver is written where it calls, so a panic there leaves nothing half done.
impl UnwindSafe for Observer {}
impl RefUnwindSafe for Observer {}

impl Observer {
    pub(crate) fn new(observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        Self(Arc::new(observer))
    }

    pub(crate) fn hear(&self, progress: &Progress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer(..)")
    }
}
