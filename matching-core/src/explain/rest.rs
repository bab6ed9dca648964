//! What is left to decide once a pair is forbidden, or forced: the instance without the pair, or without both vertices.

use std::borrow::Cow;

use crate::blossom::Objective;
use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::error::Error;
use crate::input::Input;
use crate::instance::{Instance, read_edges};

/// What is taken out of an instance, the lower vertex first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// The pair: it is forbidden.
    Pair(usize, usize),
    /// Both vertices: they have each other. Those behind them move up.
    Vertices(usize, usize),
}

impl Taken {
    /// Number of vertices that are left of `n`.
    fn left(self, n: usize) -> usize {
        match self {
            Self::Pair(..) => n,
            Self::Vertices(..) => n.saturating_sub(2),
        }
    }

    /// What the whole instance calls a vertex of the rest.
    pub(super) fn back(self, vertex: usize) -> usize {
        match self {
            Self::Pair(..) => vertex,
            Self::Vertices(u, v) => {
                let vertex = vertex + usize::from(vertex >= u);
                vertex + usize::from(vertex >= v)
            }
        }
    }

    /// What the rest calls a vertex that is in it.
    fn forth(self, vertex: usize) -> usize {
        match self {
            Self::Pair(..) => vertex,
            Self::Vertices(u, v) => vertex - usize::from(vertex > u) - usize::from(vertex > v),
        }
    }

    /// Whether a pair is still there.
    fn leaves(self, a: usize, b: usize) -> bool {
        match self {
            Self::Pair(u, v) => (a.min(b), a.max(b)) != (u, v),
            Self::Vertices(u, v) => ![a, b].iter().any(|&w| w == u || w == v),
        }
    }

    /// The question as it is asked of the rest.
    pub(super) fn objective<V: CostValue>(self, objective: &Objective<V>) -> Objective<V> {
        let Self::Vertices(u, v) = self else {
            return objective.clone();
        };
        let keep = |costs: &[V]| {
            let kept = costs.iter().enumerate().filter(|&(w, _)| w != u && w != v);
            kept.map(|(_, &cost)| cost).collect()
        };
        match objective {
            Objective::MinOptOut(costs) => Objective::MinOptOut(keep(costs)),
            Objective::MinBye(costs) => Objective::MinBye(keep(costs)),
            plain => plain.clone(),
        }
    }

    /// An error about the rest in the caller's terms.
    pub(super) fn name(self, error: Error) -> Error {
        let back = |vertex| self.back(vertex);
        match error {
            Error::NotANumber { u, v } => Error::NotANumber { u: back(u), v: back(v) },
            Error::CostOverflow { u, v } => Error::CostOverflow { u: back(u), v: back(v) },
            Error::Asymmetric { u, v } => Error::Asymmetric { u: back(u), v: back(v) },
            other => other,
        }
    }
}

/// An instance of which something is taken out.
pub(super) struct Rest<'a, V> {
    pub(super) input: Input<'a, V>,
    pub(super) taken: Taken,
}

impl<V: CostValue> Instance for Rest<'_, V> {
    type Value = V;

    fn to_edges(&self) -> Result<Cow<'_, EdgeList<V>>, Error> {
        let taken = self.taken;
        let edges = match self.input {
            Input::Pairs(cost) => read_edges(&RestOfPairs { cost, taken })?,
            Input::List(edges) => {
                let left = edges.edges().iter();
                let left = left.filter(|edge| taken.leaves(edge.u as usize, edge.v as usize));
                let named = left.map(|edge| Edge {
                    u: taken.forth(edge.u as usize) as u32,
                    v: taken.forth(edge.v as usize) as u32,
                    weight: edge.weight,
                });
                EdgeList::from_simple(taken.left(edges.len()), named.collect())
            }
        };
        Ok(Cow::Owned(edges))
    }

    fn visit_cost(&self, visit: &mut dyn FnMut(&dyn Cost<Value = V>)) -> bool {
        match self.input {
            Input::List(_) => false,
            Input::Pairs(cost) => {
                visit(&RestOfPairs {
                    cost,
                    taken: self.taken,
                });
                true
            }
        }
    }
}

/// A cost on all pairs of which something is taken out.
struct RestOfPairs<'a, V> {
    cost: &'a dyn Cost<Value = V>,
    taken: Taken,
}

impl<V: CostValue> Cost for RestOfPairs<'_, V> {
    type Value = V;

    fn len(&self) -> usize {
        self.taken.left(self.cost.len())
    }

    fn cols(&self) -> usize {
        self.taken.left(self.cost.cols())
    }

    fn pair(&self, i: usize, j: usize) -> V {
        self.cost.pair(self.taken.back(i), self.taken.back(j))
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<V> {
        self.cost.checked_pair(self.taken.back(i), self.taken.back(j))
    }

    fn may_overflow(&self) -> bool {
        self.cost.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let (i, j) = (self.taken.back(i), self.taken.back(j));
        self.taken.leaves(i, j) && self.cost.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        matches!(self.taken, Taken::Pair(..)) || self.cost.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        self.cost.is_symmetric()
    }

    fn first_side(&self) -> Option<usize> {
        let first = self.cost.first_side()?;
        Some(match self.taken {
            Taken::Pair(..) => first,
            Taken::Vertices(u, v) => first - usize::from(u < first) - usize::from(v < first),
        })
    }

    fn as_rows(&self) -> Option<&[V]> {
        match self.taken {
            Taken::Pair(..) => self.cost.as_rows(),
            Taken::Vertices(..) => None,
        }
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        let Taken::Vertices(u, v) = self.taken else {
            return self.cost.fill_row(i, out);
        };
        let mut whole = vec![V::zero(); self.cost.cols()];
        self.cost.fill_row(self.taken.back(i), &mut whole);
        out[..u].copy_from_slice(&whole[..u]);
        out[u..v - 1].copy_from_slice(&whole[u + 1..v]);
        out[v - 1..].copy_from_slice(&whole[v + 1..]);
    }

    fn fill_pairs(&self, i: usize, columns: &[usize], out: &mut [V]) {
        let Taken::Vertices(..) = self.taken else {
            return self.cost.fill_pairs(i, columns, out);
        };
        let columns: Vec<usize> = columns.iter().map(|&j| self.taken.back(j)).collect();
        self.cost.fill_pairs(self.taken.back(i), &columns, out);
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        match self.taken {
            Taken::Pair(u, v) => {
                self.cost.allowed_row(i, out);
                for (row, column) in [(u, v), (v, u)] {
                    if i == row {
                        out[column / 64] &= !(1 << (column % 64));
                    }
                }
            }
            Taken::Vertices(..) => {
                let mut whole = vec![0; self.cost.cols().div_ceil(64)];
                self.cost.allowed_row(self.taken.back(i), &mut whole);
                out.fill(0);
                for j in 0..self.cols() {
                    let at = self.taken.back(j);
                    out[j / 64] |= (whole[at / 64] >> (at % 64) & 1) << (j % 64);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Rest, RestOfPairs, Taken};
    use crate::cost::{Cost, DenseMatrix, from_fn};
    use crate::edge_list::EdgeList;
    use crate::input::Input;
    use crate::instance::Instance;

    fn matrix(n: usize) -> DenseMatrix<i64> {
        let data = (0..n * n).map(|at| ((at / n).min(at % n) * n + (at / n).max(at % n)) as i64);
        let mut matrix = DenseMatrix::square(n, data.collect()).unwrap();
        for i in (0..n - 2).step_by(3) {
            matrix.forbid_pair(i, i + 2);
        }
        matrix
    }

    /// What is left, pair by pair, and what all methods that read rows say of it.
    fn check(whole: &dyn Cost<Value = i64>, taken: Taken) {
        let rest = RestOfPairs { cost: whole, taken };
        let n = rest.len();
        let kept: Vec<usize> = match taken {
            Taken::Pair(..) => (0..whole.len()).collect(),
            Taken::Vertices(u, v) => (0..whole.len()).filter(|&w| w != u && w != v).collect(),
        };
        assert_eq!((n, rest.cols()), (kept.len(), kept.len()));
        let all: Vec<usize> = (0..n).collect();
        for i in 0..n {
            let (mut row, mut some, mut bits) = (vec![0; n], vec![0; n], vec![u64::MAX; n.div_ceil(64)]);
            rest.fill_row(i, &mut row);
            rest.fill_pairs(i, &all, &mut some);
            rest.allowed_row(i, &mut bits);
            for j in all.iter().copied().filter(|&j| j != i) {
                let (a, b) = (kept[i], kept[j]);
                let is_taken = taken == Taken::Pair(a.min(b), a.max(b));
                let is_allowed = whole.is_allowed(a, b) && !is_taken;
                assert_eq!(rest.is_allowed(i, j), is_allowed, "{taken:?}: ({i}, {j})");
                assert_eq!(bits[j / 64] >> (j % 64) & 1 == 1, is_allowed, "{taken:?}: ({i}, {j})");
                assert!(is_allowed || rest.has_forbidden());
                if is_allowed {
                    let cost = whole.pair(a, b);
                    assert_eq!((row[j], some[j], rest.pair(i, j)), (cost, cost, cost));
                    assert_eq!(rest.checked_pair(i, j), Some(cost));
                    assert!(rest.as_rows().is_none_or(|rows| rows[i * n + j] == cost));
                }
            }
            // Bits past the last column are zero.
            assert!((n..64 * bits.len()).all(|j| bits[j / 64] >> (j % 64) & 1 == 0));
        }
        let edges = whole.to_edges().unwrap();
        let of_list = Rest {
            input: Input::List(&edges),
            taken,
        };
        let of_pairs = Rest {
            input: Input::Pairs(whole),
            taken,
        };
        assert_eq!(of_list.to_edges().unwrap(), of_pairs.to_edges().unwrap());
    }

    #[test]
    fn a_rest_is_what_is_left() {
        for n in [3, 5, 64, 66, 70, 130] {
            let dense = matrix(n);
            let function = from_fn(n, |i, j| (i * j) as i64);
            for (u, v) in [(0, 1), (0, n - 1), (n - 2, n - 1), (n / 3, n / 3 + 1), (1, n / 2 + 1)] {
                for taken in [Taken::Pair(u, v), Taken::Vertices(u, v)] {
                    check(&dense, taken);
                    check(&function, taken);
                }
            }
        }
    }

    #[test]
    fn names_lead_there_and_back() {
        let taken = Taken::Vertices(2, 5);
        let kept = [0, 1, 3, 4, 6, 7];
        for (vertex, &name) in kept.iter().enumerate() {
            assert_eq!((taken.back(vertex), taken.forth(name)), (name, vertex));
        }
        let list = EdgeList::new(2, [(0, 1, 5)]).unwrap();
        let rest = Rest {
            input: Input::List(&list),
            taken: Taken::Vertices(0, 1),
        };
        assert!(rest.to_edges().unwrap().is_empty());
    }
}
