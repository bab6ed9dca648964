//! Totals of an answer and of a pair beside it.

use crate::cost::CostValue;
use crate::degrees::BMatching;
use crate::numbers;
use crate::solution::{Solution, Status};

/// An answer as what adds up to its total.
pub(super) trait Sums<V: CostValue> {
    fn cost(&self) -> V::Total;
    fn bound(&self) -> V::Total;
    fn status(&self) -> Status;
    fn is_maximum(&self) -> bool;

    /// All that adds up to the total, as floats, times a power of two.
    fn terms(&self, scale: f64) -> Vec<f64>;

    /// Whether it is more than a part of an answer.
    fn is_full(&self) -> bool {
        !matches!(self.status(), Status::Unknown(_))
    }

    /// The total with a pair beside it; `None` if it leaves its type.
    fn total_with(&self, fixed: Option<V>) -> Option<V::Total> {
        match fixed {
            None => Some(self.cost()).filter(|cost| cost.is_number()),
            Some(weight) if V::IS_INTEGER => self.cost().checked_add(weight.to_total()),
            Some(weight) => float_total::<V>(|scale| {
                let mut terms = self.terms(scale);
                terms.push(weight.to_f64() * scale);
                terms
            }),
        }
    }

    /// The total with a pair beside it, less that of another answer; `None` if that is only a part of one, and if the number
    /// leaves its type.
    fn change_with(&self, fixed: Option<V>, before: &Self) -> Option<V::Total> {
        if !before.is_full() {
            return None;
        }
        if V::IS_INTEGER {
            let after = self.total_with(fixed)?.to_integer()?;
            let difference = after.checked_sub(before.cost().to_integer()?)?;
            return Some(V::total_from(difference, || 0.0));
        }
        float_total::<V>(|scale| {
            let mut all = self.terms(scale);
            all.extend(fixed.map(|weight| weight.to_f64() * scale));
            all.extend(before.terms(scale).iter().map(|term| -term));
            all
        })
    }

    /// What no answer with the pair beside it can be better than; `None` if it leaves its type.
    fn bound_with(&self, fixed: Option<V>) -> Option<V::Total> {
        if self.status() == Status::Optimal {
            return self.total_with(fixed);
        }
        let Some(weight) = fixed else {
            return Some(self.bound()).filter(|bound| bound.is_number());
        };
        if V::IS_INTEGER {
            return self.bound().checked_add(weight.to_total());
        }
        // Both may have been rounded, the bound and the sum: a bound must not become better by that.
        let worse = |value: f64| {
            if self.is_maximum() {
                value.next_up()
            } else {
                value.next_down()
            }
        };
        let sum = V::total_from(0, || worse(worse(self.bound().to_f64()) + weight.to_f64()));
        Some(sum).filter(|sum| sum.is_number())
    }
}

/// The sum of floats, which are asked for times a power of two, as a total, if it is a number.
fn float_total<V: CostValue>(scaled: impl Fn(f64) -> Vec<f64>) -> Option<V::Total> {
    let sum = V::total_from(0, || numbers::ranged_sum(|scale| scaled(scale).into_iter()));
    Some(sum).filter(|sum| sum.is_number())
}

impl<V: CostValue> Sums<V> for Solution<V> {
    fn cost(&self) -> V::Total {
        self.cost
    }

    fn bound(&self) -> V::Total {
        self.bound
    }

    fn status(&self) -> Status {
        self.status
    }

    fn is_maximum(&self) -> bool {
        self.objective.is_maximum()
    }

    /// The pairs, and what each vertex that stays unmatched adds.
    fn terms(&self, scale: f64) -> Vec<f64> {
        let n = self.mates.len();
        let unmatched = (0..n).filter(|&w| self.mates[w] == u32::MAX);
        let singles = unmatched.filter_map(|w| self.objective.single(w, n));
        let pairs = self.pairs.iter().map(|edge| edge.weight);
        pairs.chain(singles).map(|term| term.to_f64() * scale).collect()
    }
}

impl<V: CostValue> Sums<V> for BMatching<V> {
    fn cost(&self) -> V::Total {
        self.cost
    }

    fn bound(&self) -> V::Total {
        self.bound
    }

    fn status(&self) -> Status {
        self.status
    }

    fn is_maximum(&self) -> bool {
        self.is_maximum
    }

    /// The pairs, and what missing partners add, of which each product is two floats without loss: what it comes to rounded, and
    /// the rest.
    fn terms(&self, scale: f64) -> Vec<f64> {
        let mut counts = vec![0u32; self.degrees.len()];
        for vertex in self.pairs.iter().flat_map(|edge| [edge.u, edge.v]) {
            // Of an answer from elsewhere nothing has been checked.
            if let Some(count) = counts.get_mut(vertex as usize) {
                *count += 1;
            }
        }
        let lacking = counts.iter().enumerate().flat_map(|(v, &count)| {
            let missing = f64::from(self.degrees.most[v].saturating_sub(count));
            let price = self.degrees.price(v).to_f64() * scale;
            let product = price * missing;
            [product, price.mul_add(missing, -product)]
        });
        let pairs = self.pairs.iter().map(|edge| edge.weight.to_f64() * scale);
        pairs.chain(lacking.filter(|&term| term != 0.0)).collect()
    }
}
