//! A cost of groups as walks ask it: in the numbers that they compare. So engines are compiled for two kinds of those,
//! here, and not for every type of cost wherever it is used.

use matching_core::{CostValue, GroupBound, GroupCost};

use crate::score::Score;

/// What a cost says of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Answer<S> {
    Forbidden,
    Costs(S),
    /// No number, or one of more than 64 bits.
    NotANumber,
}

impl<S: Score> Answer<S> {
    fn of<V: CostValue>(cost: Option<V>) -> Self {
        match cost.map(S::from_cost) {
            None => Self::Forbidden,
            Some(Some(cost)) => Self::Costs(cost),
            Some(None) => Self::NotANumber,
        }
    }

    /// The cost; `None` if the group is forbidden, or if it costs no number, which is to be noted.
    #[inline]
    pub(super) fn or_note(self, note: impl FnOnce()) -> Option<S> {
        match self {
            Self::Costs(cost) => Some(cost),
            Self::Forbidden => None,
            Self::NotANumber => {
                note();
                None
            }
        }
    }
}

/// A [`matching_core::GroupCost`], whose methods these are.
pub(crate) trait Asked<S>: Sync {
    fn group_if_allowed(&self, members: &[usize]) -> Answer<S>;

    /// What no group of so many costs less than, as far as the cost knows.
    fn at_least(&self, members: usize) -> Option<S>;

    fn take_notes(&self, members: &[usize], notes: &mut Vec<i32>);

    fn group_if_exchanged(&self, members: &[usize], notes: &[i32], leave: &[usize], join: &[usize]) -> Answer<S>;

    fn groups_if_exchanged(
        &self,
        members: &[usize],
        notes: &[i32],
        leave: &[usize],
        join: &[usize],
        answers: &mut Vec<Answer<S>>,
    );
}

impl<S: Score, C: GroupCost + Sync> Asked<S> for C {
    fn group_if_allowed(&self, members: &[usize]) -> Answer<S> {
        Answer::of(GroupCost::group_if_allowed(self, members))
    }

    fn at_least(&self, members: usize) -> Option<S> {
        match self.group_bound(&[], members) {
            GroupBound::AtLeast(bound) => S::from_cost(bound),
            _ => None,
        }
    }

    fn take_notes(&self, members: &[usize], notes: &mut Vec<i32>) {
        GroupCost::take_notes(self, members, notes);
    }

    fn group_if_exchanged(&self, members: &[usize], notes: &[i32], leave: &[usize], join: &[usize]) -> Answer<S> {
        Answer::of(GroupCost::group_if_exchanged(self, members, notes, leave, join))
    }

    fn groups_if_exchanged(
        &self,
        members: &[usize],
        notes: &[i32],
        leave: &[usize],
        join: &[usize],
        answers: &mut Vec<Answer<S>>,
    ) {
        let mut costs = Vec::with_capacity(join.len() / leave.len().max(1));
        GroupCost::groups_if_exchanged(self, members, notes, leave, join, &mut costs);
        answers.clear();
        answers.extend(costs.into_iter().map(Answer::of));
    }
}

/// A cost in the numbers that suit it.
#[derive(Clone, Copy)]
pub(crate) enum InScores<'a> {
    Integers(&'a dyn Asked<i128>),
    Floats(&'a dyn Asked<f64>),
}

impl<'a> InScores<'a> {
    pub(crate) fn of<C: GroupCost + Sync>(cost: &'a C) -> Self {
        if C::Value::IS_INTEGER {
            Self::Integers(cost)
        } else {
            Self::Floats(cost)
        }
    }
}
