//! An instance of which only the pairs up to a limit are left.

use core::cmp::Ordering;
use std::borrow::Cow;

use crate::blossom::Objective;
use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::error::Error;
use crate::input::Input;
use crate::instance::{Instance, read_edges, visit_upper};

/// Which of two costs of pairs is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    /// The lower one.
    Least,
    /// The higher one.
    Greatest,
}

impl Sense {
    pub(super) fn of<V: CostValue>(objective: &Objective<V>) -> Self {
        if objective.is_maximum() {
            Self::Greatest
        } else {
            Self::Least
        }
    }

    pub(super) fn is_better<V: CostValue>(self, cost: V, than: V) -> bool {
        match self {
            Self::Least => cost < than,
            Self::Greatest => cost > than,
        }
    }

    /// Better ones first.
    pub(super) fn order<V: CostValue>(self, a: V, b: V) -> Ordering {
        self.is_better(b, a).cmp(&self.is_better(a, b))
    }

    /// The worst of some costs.
    pub(super) fn worst<V: CostValue>(self, costs: impl Iterator<Item = V>) -> Option<V> {
        costs.reduce(|worst, cost| if self.is_better(worst, cost) { cost } else { worst })
    }

    /// The better of two costs.
    pub(super) fn best<V: CostValue>(self, a: V, b: V) -> V {
        if self.is_better(b, a) { b } else { a }
    }
}

/// What pairs must be to be left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit<V> {
    /// As good as this, or better.
    UpTo(V),
    /// Better than this.
    Better(V),
}

impl<V: CostValue> Limit<V> {
    /// Whether a pair is left. What is no number is: whoever reads it is to say so.
    pub(super) fn leaves(self, cost: V, sense: Sense) -> bool {
        match self {
            Self::UpTo(limit) => !sense.is_better(limit, cost),
            Self::Better(limit) => sense.is_better(cost, limit) || !cost.is_number(),
        }
    }
}

/// An instance without the pairs that are worse than a limit.
#[derive(Clone, Copy)]
pub(super) struct Within<'a, V> {
    pub(super) input: Input<'a, V>,
    pub(super) limit: Limit<V>,
    pub(super) sense: Sense,
}

/// So many pairs for each vertex are few.
const FEW: usize = 16;

/// Why a list ended.
enum Unlisted {
    Many,
    Wrong(Error),
}

impl From<Error> for Unlisted {
    fn from(error: Error) -> Self {
        Self::Wrong(error)
    }
}

impl<V: CostValue> Within<'_, V> {
    /// Of a cost on all pairs a list of what is left, if that is little. No pair that is read may be wrong.
    ///
    /// # Errors
    /// What is wrong with the input.
    pub(super) fn few(&self) -> Result<Option<EdgeList<V>>, Error> {
        let Input::Pairs(cost) = self.input else {
            return Ok(None);
        };
        let (n, mut edges) = (cost.len(), Vec::new());
        let list = visit_upper(cost, |u, v, weight| {
            if self.limit.leaves(weight, self.sense) {
                if edges.len() == FEW * n {
                    return Err(Unlisted::Many);
                }
                let (u, v) = (u as u32, v as u32);
                edges.push(Edge { u, v, weight });
            }
            Ok(())
        });
        match list {
            Ok(()) => Ok(Some(EdgeList::from_simple(n, edges))),
            Err(Unlisted::Many) => Ok(None),
            Err(Unlisted::Wrong(error)) => Err(error),
        }
    }
}

impl<V: CostValue> Instance for Within<'_, V> {
    type Value = V;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<V>>, Error> {
        let edges = match self.input {
            Input::Pairs(cost) => read_edges(&PairsWithin { cost, within: *self })?,
            Input::List(edges) => {
                let left = edges.edges().iter();
                let left = left.filter(|edge| self.limit.leaves(edge.weight, self.sense));
                EdgeList::from_simple(edges.len(), left.copied().collect())
            }
        };
        Ok(Cow::Owned(edges))
    }

    fn visit_cost(&self, visit: &mut dyn FnMut(&dyn Cost<Value = V>)) -> bool {
        match self.input {
            Input::List(_) => false,
            Input::Pairs(cost) => {
                visit(&PairsWithin { cost, within: *self });
                true
            }
        }
    }
}

/// A cost on all pairs without those that are worse than a limit.
struct PairsWithin<'a, V> {
    cost: &'a dyn Cost<Value = V>,
    within: Within<'a, V>,
}

impl<V: CostValue> PairsWithin<'_, V> {
    fn leaves(&self, cost: V) -> bool {
        self.within.limit.leaves(cost, self.within.sense)
    }
}

impl<V: CostValue> Cost for PairsWithin<'_, V> {
    type Value = V;

    fn len(&self) -> usize {
        self.cost.len()
    }

    fn cols(&self) -> usize {
        self.cost.cols()
    }

    fn pair(&self, i: usize, j: usize) -> V {
        self.cost.pair(i, j)
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<V> {
        self.cost.checked_pair(i, j)
    }

    fn may_overflow(&self) -> bool {
        self.cost.may_overflow()
    }

    /// A cost that does not fit is left, so that whoever reads it says so.
    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.cost.is_allowed(i, j) && self.cost.checked_pair(i, j).is_none_or(|cost| self.leaves(cost))
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    fn is_symmetric(&self) -> bool {
        self.cost.is_symmetric()
    }

    fn first_side(&self) -> Option<usize> {
        self.cost.first_side()
    }

    fn as_rows(&self) -> Option<&[V]> {
        self.cost.as_rows()
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        self.cost.fill_row(i, out);
    }

    fn fill_pairs(&self, i: usize, columns: &[usize], out: &mut [V]) {
        self.cost.fill_pairs(i, columns, out);
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.cols().div_ceil(64), "one bit per column");
        if self.cost.has_forbidden() {
            self.cost.allowed_row(i, out);
        } else {
            out.fill(u64::MAX);
            if let Some(last) = out.last_mut().filter(|_| !self.cols().is_multiple_of(64)) {
                *last >>= 64 - self.cols() % 64;
            }
        }
        if self.cost.may_overflow() {
            for j in (0..self.cols()).filter(|&j| j != i) {
                let is_left = self.cost.checked_pair(i, j).is_none_or(|cost| self.leaves(cost));
                out[j / 64] &= !(u64::from(!is_left) << (j % 64));
            }
            return;
        }
        let mut row = vec![V::zero(); self.cols()];
        match self.cost.as_rows() {
            Some(rows) => row.copy_from_slice(&rows[i * self.cols()..][..self.cols()]),
            None => self.cost.fill_row(i, &mut row),
        }
        for (word, costs) in out.iter_mut().zip(row.chunks(64)) {
            let bits = costs
                .iter()
                .rev()
                .fold(0, |bits, &cost| bits << 1 | u64::from(self.leaves(cost)));
            *word &= bits;
        }
    }
}
