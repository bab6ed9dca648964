//! Exhaustive search for small instances: slow, short, and right for reasons that fit on a page.
//!
//! Dynamic programming over subsets of vertices. The lowest vertex of a set is either paired with another one of the
//! set or, where the objective allows, left alone; the rest is a smaller set. Nothing is shared with the solver but the
//! reading of the input.

use core::cmp::Ordering;

use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::edge_list::EdgeList;
use crate::engine::WIDE_BITS;
use crate::error::Error;
use crate::instance::Instance;

/// Largest number of vertices: a million sets.
pub const MAX_VERTICES: usize = 20;

/// What exhaustive search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum<V: CostValue> {
    /// Total of the objective, as [`crate::Solution::cost`].
    pub cost: V::Total,
    /// A matching that attains it: pairs of lower and higher vertex, in order.
    pub pairs: Vec<(usize, usize)>,
}

/// Number of pairs and total; which of two is better depends on the objective.
type Value<V> = (usize, <V as CostValue>::Total);

/// The best matching of at most [`MAX_VERTICES`] vertices under an objective; `None` if there is none.
///
/// Integers are summed exactly. Floats are summed in `f64`, so that totals are right to a few units in the last place.
///
/// # Errors
/// [`Error::OracleLimit`], [`Error::LengthMismatch`], [`Error::PenaltyNotANumber`], [`Error::Overflow`] where an
/// `i128` sum overflows, and whatever is wrong with the input.
///
/// # Complexity
/// O(2ⁿ n) time, O(2ⁿ) space.
///
/// # Examples
/// ```
/// use matching_core::{EdgeList, Error, Objective, oracle};
///
/// let graph = EdgeList::new(4, [(0, 1, 4_i64), (1, 2, 1), (2, 3, 4), (3, 0, 5)])?;
/// let best = oracle::solve(&graph, &Objective::MinPerfect)?.expect("a square has perfect matchings");
/// assert_eq!((best.cost, best.pairs), (6, vec![(0, 3), (1, 2)]));
/// # Ok::<(), Error>(())
/// ```
pub fn solve<I: Instance + ?Sized>(
    instance: &I,
    objective: &Objective<I::Value>,
) -> Result<Option<Optimum<I::Value>>, Error> {
    // A cost on all pairs is not read where there are too many; what is wrong with its shape goes first.
    let mut square = 0;
    instance.visit_cost(&mut |cost| square = if cost.cols() == cost.len() { cost.len() } else { 0 });
    check_size(square)?;
    let edges = instance.to_edges()?;
    check_size(edges.len())?;
    Search::new(&edges, objective)?.run()
}

fn check_size(vertices: usize) -> Result<(), Error> {
    if vertices <= MAX_VERTICES {
        return Ok(());
    }
    Err(Error::OracleLimit {
        vertices,
        limit: MAX_VERTICES,
    })
}

/// A value, and the partner of the lowest vertex that leads to it, or none.
type Choice<V> = (Value<V>, Option<usize>);

struct Search<'a, V: CostValue> {
    objective: &'a Objective<V>,
    n: usize,
    /// Weight of the edge between two vertices, row by row.
    weight: Vec<Option<V>>,
    /// Best value of a matching within each set of vertices that fulfils the objective there.
    best: Vec<Option<Value<V>>>,
}

impl<'a, V: CostValue> Search<'a, V> {
    fn new(edges: &EdgeList<V>, objective: &'a Objective<V>) -> Result<Self, Error> {
        let n = edges.len();
        objective.check(n)?;
        let mut weight = vec![None; n * n];
        for (u, v, cost) in edges.iter() {
            weight[u * n + v] = Some(cost);
            weight[v * n + u] = Some(cost);
        }
        Ok(Self {
            objective,
            n,
            weight,
            best: vec![None; 1 << n],
        })
    }

    fn run(mut self) -> Result<Option<Optimum<V>>, Error> {
        self.best[0] = Some((0, V::zero().to_total()));
        for set in 1..1usize << self.n {
            self.best[set] = self.best_choice(set)?.map(|(value, _)| value);
        }
        let full = (1 << self.n) - 1;
        let Some((_, cost)) = self.best[full] else {
            return Ok(None);
        };
        let (mut set, mut pairs) = (full, Vec::new());
        while set != 0 {
            let low = set.trailing_zeros() as usize;
            match self.best_choice(set)? {
                Some((_, Some(partner))) => {
                    pairs.push((low, partner));
                    set ^= 1 << low | 1 << partner;
                }
                _ => set ^= 1 << low,
            }
        }
        Ok(Some(Optimum { cost, pairs }))
    }

    /// The best way to treat the lowest vertex of a set: its value, and the partner or none.
    fn best_choice(&self, set: usize) -> Result<Option<Choice<V>>, Error> {
        let low = set.trailing_zeros() as usize;
        let mut best: Option<Choice<V>> = None;
        let mut offer = |value: Value<V>, partner| {
            if best.as_ref().is_none_or(|(held, _)| self.is_better(&value, held)) {
                best = Some((value, partner));
            }
        };
        let rest = set ^ (1 << low);
        if let (Some(alone), Some((pairs, total))) = (self.alone(low, set), self.best[rest]) {
            offer((pairs, self.add(total, alone)?), None);
        }
        for partner in (low + 1..self.n).filter(|partner| rest >> partner & 1 == 1) {
            let Some(weight) = self.weight[low * self.n + partner] else {
                continue;
            };
            if let Some((pairs, total)) = self.best[rest ^ (1 << partner)] {
                offer((pairs + 1, self.add(total, weight)?), Some(partner));
            }
        }
        Ok(best)
    }

    /// What it costs to leave the lowest vertex of a set alone, if that is allowed. Only the full set and what is left
    /// of it decide about a bye: an odd set still has it to give, an even one has not.
    fn alone(&self, v: usize, set: usize) -> Option<V> {
        match self.objective {
            Objective::MinPerfect | Objective::MaxPerfect => None,
            Objective::MaxWeight | Objective::MaxCardinality => Some(V::zero()),
            Objective::MinOptOut(penalty) => Some(penalty[v]),
            Objective::MinBye(bye) => (set.count_ones() % 2 == 1).then(|| bye[v]),
        }
    }

    fn add(&self, total: V::Total, term: V) -> Result<V::Total, Error> {
        total.checked_add(term.to_total()).ok_or(Error::Overflow {
            vertices: self.n,
            bits_needed: 128,
            available: WIDE_BITS,
        })
    }

    fn is_better(&self, new: &Value<V>, held: &Value<V>) -> bool {
        let is_greater = new.1.partial_cmp(&held.1) == Some(Ordering::Greater);
        let is_less = new.1.partial_cmp(&held.1) == Some(Ordering::Less);
        match self.objective {
            Objective::MaxPerfect | Objective::MaxWeight => is_greater,
            Objective::MaxCardinality => new.0 > held.0 || (new.0 == held.0 && is_greater),
            Objective::MinPerfect | Objective::MinOptOut(_) | Objective::MinBye(_) => is_less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_four_by_hand() {
        let path = EdgeList::new(4, [(0, 1, 2_i64), (1, 2, 5), (2, 3, 2)]).unwrap();
        let cost = |objective| solve(&path, &objective).unwrap().map(|best| best.cost);
        assert_eq!(cost(Objective::MinPerfect), Some(4));
        assert_eq!(cost(Objective::MaxWeight), Some(5));
        assert_eq!(cost(Objective::MaxCardinality), Some(4));
        assert_eq!(cost(Objective::MinOptOut(vec![0, 1, 1, 0])), Some(2));
        let star = EdgeList::new(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1)]).unwrap();
        assert_eq!(solve(&star, &Objective::MinPerfect), Ok(None));
        assert_eq!(
            solve(&star, &Objective::MaxCardinality).unwrap().unwrap().pairs.len(),
            1
        );
    }

    #[test]
    fn an_odd_set_has_one_bye_to_give() {
        let triangle = EdgeList::new(3, [(0, 1, 3_i64), (1, 2, 4), (0, 2, 5)]).unwrap();
        let best = solve(&triangle, &Objective::MinBye(vec![9, 6, 9])).unwrap().unwrap();
        assert_eq!((best.cost, best.pairs), (11, vec![(0, 2)]));
    }

    #[test]
    fn costs_of_too_many_things_are_not_read() {
        let unread = crate::cost::from_fn(1_000_000, |_, _| -> i64 { panic!("read") });
        let refused = Err(Error::OracleLimit {
            vertices: 1_000_000,
            limit: 20,
        });
        assert_eq!(solve(&unread, &Objective::MaxWeight), refused);
        let flat = crate::cost::from_rectangular_fn(30, 2, |_, _| 0);
        assert_eq!(
            solve(&flat, &Objective::MaxWeight),
            Err(Error::NotSquare { rows: 30, cols: 2 })
        );
    }

    #[test]
    fn too_many_vertices_are_refused() {
        let graph = EdgeList::new(21, [(0, 1, 1)]).unwrap();
        assert_eq!(
            solve(&graph, &Objective::MaxWeight),
            Err(Error::OracleLimit {
                vertices: 21,
                limit: 20
            })
        );
    }
}
