//! The cost of each pair of a pool.

use matching_core::Cost;
use matchmaking::{EngagementCost, SkillCost};

use super::explain::Terms;
use crate::cli::args::CostArg;

/// The cost that was asked for.
pub(super) enum Costs<'a> {
    Engagement(&'a EngagementCost<'a>),
    Skill(SkillCost<'a>),
}

impl Costs<'_> {
    /// Number of players.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Engagement(cost) => cost.len(),
            Self::Skill(cost) => cost.len(),
        }
    }

    /// No pair costs more, and none less than 0, but for what rematches and regions cost.
    pub(super) fn greatest(&self) -> i64 {
        match self {
            // Two players at most are lost.
            Self::Engagement(_) => 2 * EngagementCost::SCALE,
            Self::Skill(cost) => cost.greatest(),
        }
    }

    /// Writes the cost of a player with each player after it.
    pub(super) fn fill_after(&self, player: usize, out: &mut [i64]) {
        match self {
            Self::Engagement(cost) => cost.fill_after(player, out),
            Self::Skill(cost) => cost.fill_after(player, out),
        }
    }

    pub(super) fn word(&self) -> CostArg {
        match self {
            Self::Engagement(_) => CostArg::Engagement,
            Self::Skill(_) => CostArg::Skill,
        }
    }

    /// Cost of a bye where the command line gives none.
    pub(super) fn bye(&self, player: usize) -> i64 {
        match self {
            Self::Engagement(cost) => cost.bye(player),
            Self::Skill(_) => 0,
        }
    }

    pub(super) fn terms(&self, a: usize, b: usize) -> Terms {
        match self {
            Self::Engagement(cost) => Terms::Engagement(cost.terms(a, b)),
            Self::Skill(cost) => Terms::Ratings(cost.rating(a), cost.rating(b)),
        }
    }
}
