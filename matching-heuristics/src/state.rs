//! What an engine knows of a grouping: what each move would change.

use rand_chacha::ChaCha8Rng;

use crate::best::Best;
use crate::control::{Control, Stage};
use crate::engines;
use crate::partition::{Exchange, Partition};
use crate::score::Score;

/// Temperatures of an annealing, in the numbers of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Where a random grouping begins.
    pub(crate) hot: f64,
    /// Where one begins that is good already: most of it survives.
    pub(crate) warm: f64,
    /// Where hardly anything moves.
    pub(crate) cold: f64,
}

/// A grouping that answers quickly what a move costs.
pub(crate) trait State: Clone + Send + Sync {
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
    #[allow(dead_code)] // For engines that single out costly groups.
    fn group_cost(&self, group: u32) -> Self::Score;

    /// Evaluations to be expected in a second, roughly.
    fn rate(&self) -> f64;

    /// Temperatures that suit this problem.
    fn schedule(&mut self, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Schedule;

    /// Cools from one temperature to another over the stage. Ends at the end of the stage, or when `control` says so, with
    /// the best grouping on the way in `best`.
    fn anneal(
        &mut self,
        best: &mut Best<Self::Score>,
        control: &mut Control<'_>,
        stage: &Stage,
        (hot, cold): (f64, f64),
        rng: &mut ChaCha8Rng,
    ) {
        engines::anneal(self, best, control, stage, (hot, cold), rng);
    }

    /// Whether a grouping with this much forbidden and that total is better.
    fn is_better_than(&self, other: &(u64, Self::Score)) -> bool {
        (self.forbidden(), self.total()) < *other
    }

    /// What makes two groupings comparable.
    fn rank(&self) -> (u64, Self::Score) {
        (self.forbidden(), self.total())
    }
}
