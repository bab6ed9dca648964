//! What proves a bound.

use crate::duals::Duals;

/// One step of a proof. Steps are in the order of a walk through a tree: after a split comes all of the first case,
/// then all of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// By these duals no grouping of this case costs less than their total, and none that is better than the
    /// answer has a column whose reduced cost is greater than what lies between.
    Tighten(Duals),
    /// From here on a case is the list of its columns that could be in a better grouping, by the duals of the step
    /// before. Until then it is a problem of its own, and its duals are for all columns there are.
    List,
    /// The case where two units are in one column, and the case where they are not.
    Split(u16, u16),
    /// The case where a unit waits, and the case where it is in a team.
    Waits(u16),
    /// No more is said of this case. It is closed if its bound is no less than what the answer costs.
    End,
}

/// A proof that no grouping costs less than a bound: duals for the whole problem or, if they do not suffice, a tree of
/// cases, each closed by duals of its own, first for all teams there are, then for lists of them.
/// [`Solution::verify`](crate::Solution::verify) checks it against the problem, in integers, and trusts no part of the
/// solver.
///
/// For pairs it is the certificate of `matching-core`'s exact pairing.
///
/// With feature `serde` it can be kept and checked elsewhere, as a part of a [`Solution`](crate::Solution). Its parts in a file are
/// those of this version of the crate.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "crate::serial::Written", into = "crate::serial::Written")
)]
pub struct Certificate {
    pub(crate) steps: Vec<Step>,
    /// Duals of a pairing, and no steps.
    pub(crate) pairing: Option<matching_core::Certificate>,
    /// How often the steps of the grid were doubled on which this is proven: duals on other steps prove nothing.
    pub(crate) doublings: u32,
}

impl Certificate {
    /// Number of steps: 1 where duals alone prove the bound.
    pub fn len(&self) -> usize {
        self.steps.len() + usize::from(self.pairing.is_some())
    }

    /// Whether nothing is proven.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of cases that a tree of cases was split into, 0 where there is no tree.
    pub fn splits(&self) -> usize {
        let is_split = |step: &&Step| matches!(step, Step::Split(..) | Step::Waits(_));
        self.steps.iter().filter(is_split).count()
    }
}
