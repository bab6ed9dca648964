//! The best grouping of a walk.

use crate::control::{Control, Limits};
use crate::partition::Partition;
use crate::score::Score;
use crate::state::State;

/// The best grouping so far, and where it ranks.
#[derive(Clone, Debug)]
pub(crate) struct Best<S> {
    pub(crate) rank: (u64, S),
    pub(crate) group_of: Vec<u32>,
}

impl<S: Score> Best<S> {
    /// The present grouping.
    pub(crate) fn of<T: State<Score = S>>(state: &T) -> Self {
        Self {
            rank: state.rank(),
            group_of: state.partition().groups_of().to_vec(),
        }
    }

    /// Keeps the present grouping if it is better.
    #[inline]
    pub(crate) fn offer<T: State<Score = S>>(&mut self, state: &T) -> bool {
        let is_better = state.is_better_than(&self.rank);
        if is_better {
            self.keep(state.rank(), state.partition().groups_of());
        }
        is_better
    }

    /// Keeps a grouping if it is better.
    pub(crate) fn keep(&mut self, rank: (u64, S), group_of: &[u32]) {
        if rank < self.rank {
            self.rank = rank;
            self.group_of.copy_from_slice(group_of);
        }
    }

    /// Keeps the better of two.
    pub(crate) fn join(&mut self, other: Self) {
        if other.rank < self.rank {
            *self = other;
        }
    }

    /// Whether it is as good as was asked for.
    pub(crate) fn meets<T: State<Score = S>>(&self, state: &T, limits: &Limits<'_>) -> bool {
        let partition = || Partition::new(state.partition().shared_layout(), &self.group_of);
        let cost = state.in_costs(self.rank.1);
        self.rank.0 == 0
            && limits.are_met(cost, state.rounding(), &|| partition().players())
            && state.is_allowed(&partition())
    }

    /// Tells the world, where nothing forbidden is in it.
    pub(crate) fn tell<T: State<Score = S>>(&self, state: &T, control: &mut Control<'_>) {
        let order = self.rank.1.order();
        if self.rank.0 > 0 || !control.is_news(order) {
            return;
        }
        let partition = Partition::new(state.partition().shared_layout(), &self.group_of);
        if state.is_allowed(&partition) {
            let cost = state.in_costs(self.rank.1);
            control.tell(order, cost, state.rounding(), || partition.players());
        }
    }
}
