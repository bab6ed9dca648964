//! Which limit to look at next.

use super::within::Sense;
use crate::cost::CostValue;
use crate::error::Error;
use crate::input::Input;
use crate::instance::visit_pairs;

/// So many costs are kept at most.
const KEPT: usize = 1 << 13;

/// Costs of pairs that may be the worst one: all of them, or evenly chosen ones.
pub(super) struct Candidates<V> {
    sense: Sense,
    costs: Vec<V>,
}

impl<V: CostValue> Candidates<V> {
    pub(super) fn new(sense: Sense) -> Self {
        let costs = Vec::new();
        Self { sense, costs }
    }

    /// A cost no better than `bound` and better than `worst`, about as many of which are better as are worse; the bound if
    /// there is none.
    ///
    /// # Errors
    /// What is wrong with the input.
    pub(super) fn middle(&mut self, input: Input<'_, V>, bound: V, worst: V) -> Result<V, Error> {
        let sense = self.sense;
        let is_between = |cost: V| sense.is_better(cost, worst) && !sense.is_better(cost, bound);
        self.costs.retain(|&cost| is_between(cost));
        if self.costs.is_empty() {
            self.costs = sample(input, is_between)?;
        }
        let middle = self.costs.len() / 2;
        if self.costs.is_empty() {
            return Ok(bound);
        }
        let order = |a: &V, b: &V| sense.order(*a, *b);
        Ok(*self.costs.select_nth_unstable_by(middle, order).1)
    }
}

/// Costs that are wanted: every one, every second one, or so on.
fn sample<V: CostValue>(input: Input<'_, V>, is_wanted: impl Fn(V) -> bool) -> Result<Vec<V>, Error> {
    let (mut costs, mut every, mut count) = (Vec::new(), 1usize, 0usize);
    visit_pairs(input, |_, _, cost| {
        if !is_wanted(cost) {
            return;
        }
        if count.is_multiple_of(every) {
            costs.push(cost);
        }
        count += 1;
        if costs.len() == KEPT {
            let mut at = 0usize;
            costs.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            every *= 2;
        }
    })?;
    Ok(costs)
}
