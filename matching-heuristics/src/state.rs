//! What an engine knows of a grouping: what each move would change.

use crate::partition::{Exchange, Partition};
use crate::score::Score;

/// A grouping that answers quickly what a move costs.
pub(crate) trait State: Clone + Send {
    /// The number type of totals.
    type Score: Score;

    /// The grouping.
    fn partition(&self) -> &Partition;

    /// Cost of all groups together; forbidden ones count nothing here.
    fn total(&self) -> Self::Score;

    /// How much is forbidden in it: comes before the total when two groupings are compared.
    fn forbidden(&self) -> u64 {
        0
    }

    /// What an exchange would change. `None` where sizes, pins, or something newly forbidden speak against it;
    /// [`Score::LEAST`] where something forbidden would end.
    fn change(&mut self, exchange: &Exchange) -> Option<Self::Score>;

    /// Carries an exchange out.
    fn apply(&mut self, exchange: &Exchange);

    /// Goes to another grouping, given by the group of every unit.
    fn reset(&mut self, group_of: &[u32]);

    /// A total in the cost's own numbers.
    fn in_costs(&self, total: Self::Score) -> f64;

    /// The cost of one group.
    fn group_cost(&self, group: u32) -> Self::Score;

    /// Whether a grouping with this much forbidden and that total is better.
    fn is_better_than(&self, other: &(u64, Self::Score)) -> bool {
        (self.forbidden(), self.total()) < *other
    }

    /// What makes two groupings comparable.
    fn rank(&self) -> (u64, Self::Score) {
        (self.forbidden(), self.total())
    }
}
