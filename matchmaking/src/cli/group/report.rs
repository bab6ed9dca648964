//! What there is to report, before it becomes text or JSON.

use matchmaking::Pool;

use super::problem::{Scale, Sense};
use super::solve::{Ended, Outcome};
use crate::cli::Verdict;
use crate::cli::json::Spent;
use crate::cli::names::Names;

/// A finished run.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) file: &'a str,
    /// The word of the command line.
    pub(super) format: &'static str,
    pub(super) names: &'a Names<'a>,
    pub(super) pool: Option<&'a Pool>,
    pub(super) scale: Scale,
    pub(super) sense: Sense,
    pub(super) outcome: &'a Outcome,
    /// The engine that was asked for.
    pub(super) asked: &'static str,
    pub(super) seed: u64,
    pub(super) warnings: &'a [String],
    pub(super) spent: Spent,
}

impl Report<'_> {
    pub(super) fn verdict(&self) -> Verdict {
        match self.outcome {
            Outcome::Found(found) => match found.ended {
                Ended::Itself | Ended::AllTried | Ended::Target => Verdict::Solved,
                Ended::WorkLimit | Ended::TimeLimit => Verdict::StoppedWithAnswer,
            },
            Outcome::Infeasible(_) => Verdict::Infeasible,
            Outcome::Unknown(_) => Verdict::StoppedWithout,
        }
    }

    /// The contract's word for an outcome. A search proves nothing, unless it has tried all groupings.
    pub(super) fn status(&self) -> &'static str {
        match self.outcome {
            Outcome::Found(found) if found.ended == Ended::AllTried => "optimal",
            Outcome::Found(_) => "feasible",
            Outcome::Infeasible(_) => "infeasible",
            Outcome::Unknown(_) => "unknown",
        }
    }

    /// The engine that ran, or was to run.
    pub(super) fn engine(&self) -> &'static str {
        match self.outcome {
            Outcome::Found(found) => found.engine,
            _ => self.asked,
        }
    }

    /// What ended the search, if it did not end by itself.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        let Outcome::Found(found) = self.outcome else {
            return None;
        };
        match found.ended {
            Ended::Itself | Ended::AllTried => None,
            Ended::Target => Some("target"),
            Ended::WorkLimit => Some("work-limit"),
            Ended::TimeLimit => Some("time-limit"),
        }
    }
}
