//! What is asked of a matching, and what vertices that stay alone add to it.

use crate::cost::CostValue;
use crate::error::Error;

/// What is asked of a matching.
///
/// An objective that maximises chooses among the edges that a list has. [`EdgeList::new`](crate::EdgeList::new) keeps the
/// cheapest of parallel ones whatever is asked later: [`EdgeList::with_parallel`](crate::EdgeList::with_parallel) with
/// [`Parallel::KeepDearest`](crate::Parallel::KeepDearest) keeps the dearest.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Objective<V> {
    /// Every vertex matched, least total cost.
    #[default]
    MinPerfect,
    /// Every vertex matched, greatest total weight.
    MaxPerfect,
    /// Any matching, greatest total weight.
    MaxWeight,
    /// As many pairs as possible, and of those matchings the one of greatest total weight.
    MaxCardinality,
    /// Any matching, least total of pair costs plus the penalty of each unmatched vertex (one entry per vertex).
    MinOptOut(Vec<V>),
    /// Even number of vertices: [`Objective::MinPerfect`]. Odd: exactly one vertex stays unmatched, least total of
    /// pair costs plus that vertex's bye cost (one entry per vertex).
    ///
    /// Where somebody must not have the bye, no number says so. Then the bye is one more vertex, whose pairs with them are
    /// forbidden:
    /// ```
    /// use matching_core::{Blossom, Cost, Error, cost};
    ///
    /// // Five players; whoever plays alone should have few points, and nobody does so twice.
    /// let points = [3_i64, 3, 2, 1, 0];
    /// let had_bye = [false, false, true, false, true];
    /// let round = cost::from_symmetric_fn(6, |i, j| match j {
    ///     5 => 20 * points[i],
    ///     _ => 10 * (points[i] - points[j]).pow(2),
    /// });
    /// let round = round.restricted(|i, j| i.max(j) < 5 || !had_bye[i.min(j)]);
    /// let best = Blossom::new().solve(&round)?;
    /// assert_eq!(best.pairs().collect::<Vec<_>>(), [(0, 1, 0), (2, 4, 40), (3, 5, 20)]);
    /// # Ok::<(), Error>(())
    /// ```
    MinBye(Vec<V>),
}

impl<V: CostValue> Objective<V> {
    /// Whether the greatest weight is asked for.
    pub(crate) fn is_maximum(&self) -> bool {
        matches!(self, Self::MaxPerfect | Self::MaxWeight | Self::MaxCardinality)
    }

    /// Whether its reduced instance has two copies of each vertex.
    pub(crate) fn is_doubled(&self) -> bool {
        matches!(self, Self::MaxWeight | Self::MaxCardinality | Self::MinOptOut(_))
    }

    /// Whether vertices stay unmatched only where nobody is left for them.
    pub(crate) fn must_pair(&self) -> bool {
        !matches!(self, Self::MaxWeight | Self::MinOptOut(_))
    }

    /// Whether a pair is better than both of its vertices alone.
    pub(crate) fn is_worth(&self, u: usize, v: usize, weight: V) -> bool {
        match self {
            Self::MaxWeight => weight > V::zero(),
            Self::MinOptOut(costs) => {
                let alone = costs[u].to_total().checked_add(costs[v].to_total());
                alone.is_some_and(|alone| weight.to_total() < alone)
            }
            _ => true,
        }
    }

    /// What each unmatched vertex adds to the total, if the objective says so; empty otherwise.
    pub(crate) fn singles(&self) -> &[V] {
        match self {
            Self::MinOptOut(costs) | Self::MinBye(costs) => costs,
            _ => &[],
        }
    }

    /// The same, to be changed, if the objective has such numbers.
    pub(crate) fn singles_mut(&mut self) -> Option<&mut Vec<V>> {
        match self {
            Self::MinOptOut(costs) | Self::MinBye(costs) => Some(costs),
            _ => None,
        }
    }

    /// What a vertex adds to the total if it is unmatched, one of `n`. Byes of an even number are no part of any answer.
    pub(crate) fn single(&self, v: usize, n: usize) -> Option<V> {
        let counts = !matches!(self, Self::MinBye(_)) || n % 2 == 1;
        self.singles().get(v).copied().filter(|_| counts)
    }

    /// Becomes a copy of `source`. The room for its numbers is kept, in `spare` while there are none.
    pub(crate) fn assign(&mut self, source: &Self, spare: &mut Vec<V>) {
        let mut room = match core::mem::replace(self, Self::MinPerfect) {
            Self::MinOptOut(costs) | Self::MinBye(costs) => costs,
            _ => core::mem::take(spare),
        };
        *self = match source {
            Self::MinOptOut(costs) => {
                room.clone_from(costs);
                Self::MinOptOut(room)
            }
            Self::MinBye(costs) => {
                room.clone_from(costs);
                Self::MinBye(room)
            }
            plain => {
                *spare = room;
                plain.clone()
            }
        };
    }

    /// One number per vertex, where numbers are needed.
    pub(crate) fn check(&self, vertices: usize) -> Result<(), Error> {
        let what = match self {
            Self::MinOptOut(_) => "opt-out penalties",
            Self::MinBye(_) => "bye costs",
            _ => return Ok(()),
        };
        let singles = self.singles();
        if singles.len() != vertices {
            return Err(Error::LengthMismatch {
                what,
                expected: vertices,
                found: singles.len(),
            });
        }
        match singles.iter().position(|cost| !cost.is_number()) {
            Some(vertex) => Err(Error::PenaltyNotANumber { vertex }),
            None => Ok(()),
        }
    }
}
