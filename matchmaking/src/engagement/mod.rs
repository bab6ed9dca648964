//! Engagement optimised matchmaking (EOMM): what a game does to the chance that its players stay.

mod churn;
mod cost;
mod outcome;
mod rows;

pub use churn::{ChurnModel, Horizon, SyntheticChurn};
pub use cost::{EngagementCost, PairTerms};
pub use outcome::{DrawRule, OutcomeModel, OutcomeProbabilities, SkillModel};
