//! What there is to report, before it becomes text or JSON.

use matchmaking::Pool;

use super::explain::Explained;
use super::fairness::Fairness;
use super::outcome::{Ended, Found, Method, Outcome, Unfound};
use super::problem::{Scale, Sense};
use super::roles::Role;
use crate::cli::Verdict;
use crate::cli::decimal::Decimal;
use crate::cli::json::Spent;
use crate::cli::names::Names;
use crate::cli::rematches::Rematches;

/// A finished run.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) file: &'a str,
    /// The word of the command line.
    pub(super) format: &'static str,
    pub(super) names: &'a Names<'a>,
    pub(super) pool: Option<&'a Pool>,
    /// What recent opponents cost more, where the command line says.
    pub(super) rematch_cost: Option<Decimal>,
    pub(super) scale: Scale,
    pub(super) sense: Sense,
    /// That every group must have.
    pub(super) roles: &'a [Role],
    pub(super) outcome: &'a Outcome,
    /// Where `--fairness` asks for it and there are groups.
    pub(super) fairness: Option<Fairness>,
    /// Where `--explain` asks for it and there are groups.
    pub(super) explained: Option<Explained>,
    /// The method and the engine that were asked for.
    pub(super) asked: (&'static str, &'static str),
    pub(super) seed: u64,
    pub(super) warnings: &'a [String],
    pub(super) spent: Spent,
}

impl Report<'_> {
    /// The groups, if any were found.
    pub(super) fn found(&self) -> Option<&Found> {
        match self.outcome {
            Outcome::Found(found) => Some(found),
            Outcome::Infeasible(_) | Outcome::Unknown(_) => None,
        }
    }

    /// What each member of a group plays, where there are roles.
    pub(super) fn roles_of(&self, group: usize) -> Option<Vec<Option<&str>>> {
        let played = self.found()?.roles.get(group)?.iter();
        let name = |role: &Option<usize>| role.map(|role| self.roles[role].name.as_str());
        Some(played.map(name).collect())
    }

    /// Who meets again, where that has a price.
    pub(super) fn rematches(&self) -> Option<Rematches> {
        let (pool, cost) = (self.pool?, self.rematch_cost?);
        let groups = self.found().map_or(&[][..], |found| &found.groups);
        let pairs = groups.iter().flat_map(|(members, _)| {
            let others = move |at: usize| members[..at].iter().map(move |&other| (other, members[at]));
            (0..members.len()).flat_map(others)
        });
        Some(Rematches::among(pool, cost, pairs))
    }

    pub(super) fn verdict(&self) -> Verdict {
        let explanation = self.explained.as_ref().and_then(Explained::stopped);
        match self.outcome {
            Outcome::Found(_) if explanation.is_some() => Verdict::StoppedWithAnswer,
            Outcome::Found(_) if self.stopped().is_none_or(|word| word == "target") => Verdict::Solved,
            Outcome::Found(_) => Verdict::StoppedWithAnswer,
            Outcome::Infeasible(_) => Verdict::Infeasible,
            Outcome::Unknown(_) => Verdict::StoppedWithout,
        }
    }

    /// The contract's word for an outcome.
    pub(super) fn status(&self) -> &'static str {
        match self.outcome {
            Outcome::Found(found) if found.is_optimal() => "optimal",
            Outcome::Found(_) => "feasible",
            Outcome::Infeasible(_) => "infeasible",
            Outcome::Unknown(_) => "unknown",
        }
    }

    /// The method that found the groups, or was to find them.
    pub(super) fn method(&self) -> &'static str {
        self.found().map_or(self.asked.0, |found| found.method.word())
    }

    /// The engine that found the groups, or was to find them.
    pub(super) fn engine(&self) -> &'static str {
        self.found().map_or(self.asked.1, |found| found.engine)
    }

    /// What it took, where that is known.
    pub(super) fn work(&self) -> Option<u64> {
        match self.outcome {
            Outcome::Found(found) => Some(found.work),
            Outcome::Unknown(Unfound::Forbidden { work, .. }) => Some(*work),
            Outcome::Infeasible(_) | Outcome::Unknown(_) => None,
        }
    }

    /// What one unit of the work is, for people.
    pub(super) fn work_noun(&self) -> &'static str {
        match self.found().map(|found| found.method) {
            Some(Method::Exact) => "units of work",
            Some(Method::Both) => "units of work and moves looked at",
            Some(Method::Search) | None => "moves looked at",
        }
    }

    /// What ended the run, if it did not end by itself.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        let ended = match self.outcome {
            Outcome::Found(found) => found.ended,
            Outcome::Unknown(Unfound::Stopped(ended) | Unfound::Forbidden { ended, .. }) => *ended,
            Outcome::Infeasible(_) | Outcome::Unknown(_) => return None,
        };
        match ended {
            Ended::Itself | Ended::Proven => None,
            Ended::Target => Some("target"),
            Ended::WorkLimit => Some("work-limit"),
            Ended::TimeLimit => Some("time-limit"),
            Ended::Interrupt => Some("interrupt"),
            Ended::Precision => Some("precision"),
        }
    }
}
