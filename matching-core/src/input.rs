//! What a solve reads: a list of edges, or a cost on all pairs.

use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::error::Error;
use crate::instance::Instance;

/// So many pairs are sorted where they lie, without further room.
const FEW: usize = 16;

/// The input of a solve, for reading the answer off it.
#[derive(Clone, Copy)]
pub(crate) enum Input<'a, V> {
    List(&'a EdgeList<V>),
    Pairs(&'a dyn Cost<Value = V>),
}

impl<V: CostValue> Input<'_, V> {
    /// Shows an instance as what it is: a cost on all pairs, or a list of its edges.
    pub(crate) fn of<T, E: From<Error>>(
        instance: &dyn Instance<Value = V>,
        look: impl Fn(Input<'_, V>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut answer = None;
        instance.visit_cost(&mut |cost| answer = Some(look(Input::Pairs(cost))));
        match answer {
            Some(answer) => answer,
            None => look(Input::List(&*instance.to_edges()?)),
        }
    }

    /// What a pair costs, lower vertex first; `None` if it is forbidden, or no edge.
    ///
    /// # Errors
    /// A cost that is no number, or does not fit.
    pub(crate) fn weight(&self, u: usize, v: usize) -> Result<Option<V>, Error> {
        let weight = match self {
            Self::List(edges) => {
                let ends = (u as u32, v as u32);
                let edge = edges.edges().iter().find(|edge| (edge.u, edge.v) == ends);
                edge.map(|edge| edge.weight)
            }
            Self::Pairs(cost) if !cost.is_allowed(u, v) => None,
            Self::Pairs(cost) => Some(cost.checked_pair(u, v).ok_or(Error::CostOverflow { u, v })?),
        };
        match weight {
            Some(weight) if !weight.is_number() => Err(Error::NotANumber { u, v }),
            weight => Ok(weight),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(edges) => edges.len(),
            Self::Pairs(cost) => cost.len(),
        }
    }

    /// Writes the matched edges in order of their lower ends.
    pub(crate) fn matched(&self, mates: &[u32], pairs: &mut Vec<Edge<V>>) {
        pairs.clear();
        match self {
            Self::List(edges) => {
                let is_matched = |edge: &&Edge<V>| mates[edge.u as usize] == edge.v;
                pairs.reserve(mates.len() / 2);
                pairs.extend(edges.edges().iter().filter(is_matched));
                if pairs.len() <= FEW {
                    pairs.sort_unstable_by_key(|edge| edge.u);
                } else if !pairs.is_sorted_by_key(|edge| edge.u) {
                    put_in_order(mates, pairs);
                }
            }
            Self::Pairs(cost) => {
                let lower = (0..mates.len()).filter(|&u| mates[u] != u32::MAX && mates[u] as usize > u);
                pairs.extend(lower.map(|u| Edge {
                    u: u as u32,
                    v: mates[u],
                    weight: cost.pair(u, mates[u] as usize),
                }));
            }
        }
    }
}

/// Puts the matched edges in order of their lower ends, each in the place that the partners tell.
fn put_in_order<V: CostValue>(mates: &[u32], pairs: &mut [Edge<V>]) {
    let mut places = vec![0; mates.len()];
    let lower = (0..mates.len()).filter(|&u| mates[u] != u32::MAX && mates[u] as usize > u);
    for (place, u) in lower.enumerate() {
        places[u] = place as u32;
    }
    // A copy to read from: every place is written.
    let found: Vec<Edge<V>> = pairs.to_vec();
    for edge in found {
        pairs[places[edge.u as usize] as usize] = edge;
    }
}

/// A list of edges as a cost on all pairs: what is no edge is forbidden.
#[derive(Debug)]
pub(crate) struct ListCost<V> {
    first: Vec<usize>,
    /// The neighbours of each vertex, in order, with weights.
    arcs: Vec<(u32, V)>,
}

impl<V: CostValue> ListCost<V> {
    pub(crate) fn new(edges: &EdgeList<V>) -> Self {
        let n = edges.len();
        let mut first = vec![0usize; n + 1];
        for edge in edges.edges() {
            first[edge.u as usize + 1] += 1;
            first[edge.v as usize + 1] += 1;
        }
        for v in 0..n {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, V::zero()); 2 * edges.edges().len()];
        for edge in edges.edges() {
            for (tail, head) in [(edge.u, edge.v), (edge.v, edge.u)] {
                arcs[next[tail as usize]] = (head, edge.weight);
                next[tail as usize] += 1;
            }
        }
        for v in 0..n {
            arcs[first[v]..first[v + 1]].sort_unstable_by_key(|&(head, _)| head);
        }
        Self { first, arcs }
    }

    fn row(&self, i: usize) -> &[(u32, V)] {
        &self.arcs[self.first[i]..self.first[i + 1]]
    }

    fn find(&self, i: usize, j: usize) -> Option<V> {
        let row = self.row(i);
        let at = row.binary_search_by_key(&(j as u32), |&(head, _)| head).ok()?;
        Some(row[at].1)
    }
}

impl<V: CostValue> Cost for ListCost<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn pair(&self, i: usize, j: usize) -> V {
        self.find(i, j).unwrap_or(V::zero())
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.find(i, j).is_some()
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        for &(head, weight) in self.row(i) {
            out[head as usize] = weight;
        }
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        out.fill(0);
        for &(head, _) in self.row(i) {
            out[head as usize / 64] |= 1 << (head % 64);
        }
    }
}
