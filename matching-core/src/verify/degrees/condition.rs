//! What the proof of an answer says of those that have an edge, or do not.

use super::{Inside, Sides};
use crate::cost::CostValue;
use crate::degrees::{self, BMatching};
use crate::edge_list::EdgeList;
use crate::verify::duals::Duals;
use crate::verify::error::{Number, VerifyError};

/// What must be of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Forced,
    Forbidden,
}

/// What no choice of edges that meets the condition can be better than, by the duals of an answer to the question without it,
/// which are checked. Choosing an edge, or leaving it, adds at least the slacks of what then must be in the matching that
/// stands for the choice.
///
/// # Errors
/// What is wrong with the duals, and what cannot be counted.
pub(crate) fn bound_under<V: CostValue>(
    edges: &EdgeList<V>,
    answer: &BMatching<V>,
    (u, v): (usize, usize),
    condition: Condition,
) -> Result<V::Total, VerifyError> {
    answer.degrees.check(edges.len()).map_err(VerifyError::Input)?;
    let sides = Sides::new(edges, answer)?;
    let edge = sides.find(u, v)?;
    let inside = sides.inside(answer)?;
    let more = match inside.inside.iter().position(|&position| position == edge) {
        Some(at) => inside.slack_within(at, condition),
        None => inside.slack_beyond(edge, condition),
    };
    let doubled = inside.doubled_bound()?.checked_add(more.ok_or(VerifyError::Overflow)?);
    let bound = sides.bound(answer, doubled.ok_or(VerifyError::Overflow)?)?;
    Ok(match bound {
        Number::Integer(bound) => V::total_from(bound, || 0.0),
        Number::Float(bound) => V::total_from(0, || bound),
    })
}

impl<V: CostValue> Inside<'_, V> {
    /// What the condition adds to twice the cost, of an edge that the graph is made of: its sides are matched to copies, or to each
    /// other. `None` on overflow.
    fn slack_within(&self, at: usize, condition: Condition) -> Option<i128> {
        let duals = Duals::new(self.gadget.vertices(), &self.certificate).ok()?;
        let [low, high] = self.gadget.sides(at);
        if condition == Condition::Forbidden {
            return duals.exact_slack(low, high, 0);
        }
        let edge = &self.sides.edges.edges()[self.inside[at]];
        let at_copies = |vertex: u32, side: usize, cost: i128| {
            let copies = self.gadget.copies_of(vertex as usize);
            let slacks = copies.map(|copy| duals.exact_slack(copy, side, cost));
            // Without copies there is no such choice, of which anything is true.
            slacks.reduce(|one, other| Some(one?.min(other?))).unwrap_or(Some(0))
        };
        let cost = self.sides.costs[self.inside[at]];
        at_copies(edge.u, low, cost)?.checked_add(at_copies(edge.v, high, 0)?)
    }

    /// The same of another edge, by which the bound is lower already where duals do not price it out. `None` on overflow.
    fn slack_beyond(&self, edge: usize, condition: Condition) -> Option<i128> {
        let duals = degrees::duals_of_copies(&self.gadget, &self.certificate);
        let (u, v) = (self.sides.edges.edges()[edge].u, self.sides.edges.edges()[edge].v);
        let (Some(low), Some(high)) = (duals[u as usize], duals[v as usize]) else {
            return Some(0);
        };
        match condition {
            Condition::Forbidden => degrees::excess(self.sides.costs[edge], low, high),
            Condition::Forced => {
                let doubled = self.sides.costs[edge].checked_mul(2)?;
                Some(doubled.checked_sub(low)?.checked_sub(high)?.max(0))
            }
        }
    }
}
