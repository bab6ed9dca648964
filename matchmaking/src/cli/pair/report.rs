//! What there is to report, before it becomes text or JSON.

use std::path::Path;

use matching_core::StopReason;
use matchmaking::EngagementCost;
use matchmaking::fairness::{GamesMetrics, PairingMetrics, Segment};

use super::explain::{Explained, Explanations};
use super::games::GamesReport;
use super::limits::Limited;
use super::solve::Outcome;
use crate::cli::Verdict;
use crate::cli::args::{CostArg, ObjectiveArg};
use crate::cli::decimal::Decimal;
use crate::cli::input::Format;
use crate::cli::json::Spent;
use crate::cli::names::Names;
use crate::cli::rematches::Rematches;

/// A finished run.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) file: &'a str,
    pub(super) format: Format,
    pub(super) objective: ObjectiveArg,
    /// Numbers are integers in units of `10^-decimals`.
    pub(super) decimals: u32,
    pub(super) names: &'a Names<'a>,
    pub(super) edges: usize,
    pub(super) outcome: &'a Outcome,
    pub(super) explained: Option<Explanations>,
    pub(super) pool: Option<PoolReport<'a>>,
    /// Whether the worst pair comes first.
    pub(super) is_worst_first: bool,
    /// Where everybody should have several games.
    pub(super) games: Option<GamesReport>,
    pub(super) warnings: &'a [String],
    pub(super) spent: Spent,
}

/// What there is to say about a pool beyond its pairing.
#[derive(Debug)]
pub(super) struct PoolReport<'a> {
    pub(super) cost: CostArg,
    /// Unknown where there are only ratings.
    pub(super) engagement: Option<&'a EngagementCost<'a>>,
    /// Where chances and risks come from a fitted model.
    pub(super) fitted: Option<Fitted<'a>>,
    pub(super) seed: u64,
    /// Whether the command line says what a bye costs.
    pub(super) is_bye_fixed: bool,
    /// Who meets again, where the command line says what that costs.
    pub(super) rematches: Option<Rematches>,
    /// Who may meet whom, where the command line says.
    pub(super) limited: Option<Limited>,
    /// Cost of the bye, in an odd pool under a perfect objective.
    pub(super) bye: Option<(usize, i128)>,
    /// The pairing found, and others of the same pool to compare with.
    pub(super) comparison: Vec<Compared>,
    /// Parts of the pool, where it was asked how they measured.
    pub(super) segments: Option<Vec<Segment>>,
}

impl PoolReport<'_> {
    /// Who may meet whom, behind what is asked for.
    pub(super) fn limits(&self) -> String {
        self.limited.as_ref().map_or_else(String::new, Limited::headline)
    }

    /// Whether a pair may cost more than its rating gap, or than players who stop.
    pub(super) fn has_prices(&self) -> bool {
        self.rematches.is_some() || self.limited.as_ref().is_some_and(Limited::has_price)
    }
}

/// A fitted model.
#[derive(Debug)]
pub(super) struct Fitted<'a> {
    pub(super) file: &'a Path,
    /// Seconds.
    pub(super) horizon: f64,
}

/// One pairing of the pool in a few figures.
#[derive(Debug)]
pub(super) struct Compared {
    pub(super) what: Baseline,
    pub(super) games: usize,
    pub(super) idle: usize,
    /// Games that players have fewer than the most, where they may have several.
    pub(super) missing: Option<u64>,
    /// Total by the cost that was asked for; under a perfect objective, with a bye for everybody who has no game.
    pub(super) cost: i128,
    /// Of the worst pair; `None` without games.
    pub(super) worst: Option<i128>,
    /// Unknown where players may have several games, or there are only ratings.
    pub(super) expected_retained: Option<f64>,
    /// Mean rating difference of a game; `None` without games.
    pub(super) mean_gap: Option<f64>,
    /// How each of the segments fares, where that was asked.
    pub(super) metrics: Vec<PairingMetrics>,
    /// The same where players may have several games.
    pub(super) of_games: Vec<GamesMetrics>,
}

/// Which pairing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Baseline {
    This,
    Skill,
    Random,
}

/// The contract's word for Ctrl-C.
pub(super) const INTERRUPT: &str = "interrupt";

/// The contract's word for a question that has no answer.
pub(super) const INFEASIBLE: &str = "infeasible";

/// The contract's word for an outcome.
pub(super) fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Matched(matched) if matched.stopped.is_none() => "optimal",
        Outcome::Matched(_) => "feasible",
        Outcome::Unknown { .. } | Outcome::Unexplained(_) => "unknown",
        Outcome::Infeasible(_) | Outcome::Lacking(_) => INFEASIBLE,
    }
}

/// What ended the search for an outcome, if something did.
pub(super) fn reason(outcome: &Outcome) -> Option<StopReason> {
    match outcome {
        Outcome::Matched(matched) => matched.stopped,
        Outcome::Unknown { reason, .. } => Some(*reason),
        Outcome::Unexplained(reason) => *reason,
        Outcome::Infeasible(_) | Outcome::Lacking(_) => None,
    }
}

/// The contract's word for what ended something.
fn word(reason: StopReason) -> &'static str {
    match reason {
        StopReason::WorkLimit => "work-limit",
        StopReason::TimeLimit => "time-limit",
        StopReason::Cancelled => INTERRUPT,
        _ => "other",
    }
}

impl Report<'_> {
    pub(super) fn verdict(&self) -> Verdict {
        match self.outcome {
            Outcome::Matched(_) if self.stopped().or(self.explanation_stopped()).is_none() => Verdict::Solved,
            Outcome::Matched(_) => Verdict::StoppedWithAnswer,
            Outcome::Unknown { .. } | Outcome::Unexplained(_) => Verdict::StoppedWithout,
            Outcome::Infeasible(_) | Outcome::Lacking(_) => Verdict::Infeasible,
        }
    }

    /// An integer of the grid as the number it stands for.
    pub(super) fn number(&self, value: i128) -> Decimal {
        Decimal::new(value, self.decimals)
    }

    /// Costs are integers divided by this.
    pub(super) fn scale(&self) -> Decimal {
        Decimal::new(10i128.pow(self.decimals), 0)
    }

    /// `minimize` or `maximize`.
    pub(super) fn sense(&self) -> &'static str {
        if self.objective == ObjectiveArg::MinPerfect {
            "minimize"
        } else {
            "maximize"
        }
    }

    pub(super) fn bound(&self) -> Option<i128> {
        match self.outcome {
            Outcome::Matched(matched) => Some(matched.bound),
            Outcome::Unknown { bound, .. } => Some(*bound),
            Outcome::Infeasible(_) | Outcome::Lacking(_) | Outcome::Unexplained(_) => None,
        }
    }

    pub(super) fn work(&self) -> Option<u64> {
        self.outcome.work()
    }

    /// What stopped the engine.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        reason(self.outcome).map(word)
    }

    /// What stopped the explanation.
    pub(super) fn explanation_stopped(&self) -> Option<&'static str> {
        self.explained.as_ref().and_then(Explanations::stopped).map(word)
    }

    /// What stopped the explanation of one pair.
    pub(super) fn stopped_for(&self, explained: &Explained) -> Option<&'static str> {
        explained.stopped().map(word)
    }

    /// What a pair that is explained costs beyond its terms, where the two have met of late and that has a price.
    pub(super) fn rematch_cost(&self, explained: &Explained) -> Option<Decimal> {
        let Names::Players(pool) = self.names else {
            return None;
        };
        let (a, b) = explained.pair;
        let rematches = self.pool.as_ref()?.rematches.as_ref()?;
        (explained.cost.is_some() && pool.is_rematch(a, b)).then_some(rematches.cost)
    }

    /// The same where their regions differ.
    pub(super) fn region_cost(&self, explained: &Explained) -> Option<Decimal> {
        let cost = self.pool.as_ref()?.limited.as_ref()?.region_cost()?;
        (explained.cost.is_some() && explained.about.is_across).then_some(cost)
    }

    /// What kind of proof was checked; none where there is no proof.
    pub(super) fn certificate(&self) -> Option<&'static str> {
        match self.outcome {
            Outcome::Infeasible(_) => Some("tutte-berge"),
            Outcome::Lacking(_) => Some("tutte-lovasz"),
            Outcome::Matched(_) | Outcome::Unknown { .. } => Some("dual"),
            Outcome::Unexplained(_) => None,
        }
    }

    /// How many more pairs there may be, where a limit ended the search for as many as possible.
    pub(super) fn more_pairs(&self) -> Option<usize> {
        self.outcome.matched()?.more_pairs
    }

    /// `|bound - cost| / max(1, |cost|)`, costs in units of the input. Where there may be more pairs the bound counts them
    /// by a number that is more than all costs.
    pub(super) fn gap(&self) -> Option<f64> {
        let matched = self.outcome.matched()?;
        let difference = self.number(matched.bound.checked_sub(matched.cost)?).to_f64().abs();
        Some(difference / self.number(matched.cost).to_f64().abs().max(1.0))
    }
}
