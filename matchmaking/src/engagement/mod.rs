//! Engagement optimised matchmaking (EOMM): what a game does to the chance that its players stay.

mod churn;
mod cost;
#[cfg(feature = "fit")]
pub mod fit;
mod fitted;
mod outcome;
mod rows;
mod teams;

pub use churn::{ChurnModel, Horizon, SyntheticChurn};
pub use cost::{EngagementCost, PairTerms};
pub use fitted::{Coefficient, Driver, FitCounts, FittedModel, MEMORY, ModelProblem, RatingParameters};
pub use outcome::{DrawRule, DrawShare, OutcomeModel, OutcomeProbabilities, SkillModel};
pub use teams::{TeamEngagement, TeamTerms};
