//! The best result under one more condition, in the caller's terms.

use crate::cost::CostValue;
use crate::edge_list::Edge;
use crate::solution::{Solution, Status};
use crate::witness::TutteBerge;

use super::has_pair;
use super::rest::Taken;
use super::sums::Sums;

/// The best result with one pair forced, or forbidden.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub struct WhatIf<V: CostValue> {
    /// `None` where there is no such matching.
    status: Option<Status>,
    /// `None` unless a full matching was found.
    pairs: Option<Vec<Edge<V>>>,
    cost: Option<V::Total>,
    bound: Option<V::Total>,
    change: Option<V::Total>,
    answer: Answer<V>,
}

/// Where it comes from.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub(super) enum Answer<V: CostValue> {
    /// The solution that was asked about.
    Same,
    /// A solution of the rest.
    Found(Box<Solution<V>>),
    /// The rest has none.
    Infeasible(TutteBerge),
}

impl<V: CostValue> WhatIf<V> {
    /// How good it is: as of a [`Solution`]. `None` where no matching meets the condition and the objective, which is
    /// proven ([`witness`](WhatIf::witness)).
    pub fn status(&self) -> Option<Status> {
        self.status
    }

    /// Whether it is proven that there is no such matching.
    pub fn is_infeasible(&self) -> bool {
        self.status.is_none()
    }

    /// The pairs of the matching, by the vertices of the whole instance: lower, higher, cost, in order of the lower
    /// ones. `None` where there is no matching, or none was found before a limit.
    pub fn pairs(&self) -> Option<impl ExactSizeIterator<Item = (usize, usize, V)> + '_> {
        let pairs = self.pairs.as_ref()?.iter();
        Some(pairs.map(|edge| (edge.u as usize, edge.v as usize, edge.weight)))
    }

    /// Total of the objective, with the pair that is forced, as [`Solution::cost`]; `None` where there are no
    /// [`pairs`](WhatIf::pairs), and where the total leaves its type.
    pub fn cost(&self) -> Option<V::Total> {
        self.cost
    }

    /// Nothing that meets the condition can be better than this, as [`Solution::bound`]; `None` where nothing does, and
    /// where the number leaves its type.
    pub fn bound(&self) -> Option<V::Total> {
        self.bound
    }

    /// By how much the total changes against the solution that was asked about: [`cost`](WhatIf::cost) less that of the
    /// solution. `None` where one of them is not known, and where the number leaves its type. Of floats it is the sum of
    /// what changes, not the difference of two rounded totals.
    ///
    /// Under [`Objective::MaxCardinality`](crate::Objective::MaxCardinality) totals are weights: compare the numbers of
    /// [`pairs`](WhatIf::pairs) first.
    pub fn change(&self) -> Option<V::Total> {
        self.change
    }

    /// Why there is no such matching: a witness of the instance without the pair, if that is forbidden. If it is forced,
    /// of the instance without its two vertices, in whose place those behind them move up.
    pub fn witness(&self) -> Option<&TutteBerge> {
        match &self.answer {
            Answer::Infeasible(witness) => Some(witness),
            Answer::Same | Answer::Found(_) => None,
        }
    }

    /// Units of work that it took: none where the solution answers by itself. Who proves that there is none does not
    /// say.
    pub fn work(&self) -> Option<u64> {
        match &self.answer {
            Answer::Same => Some(0),
            Answer::Found(solution) => Some(solution.work()),
            Answer::Infeasible(_) => None,
        }
    }

    /// Whether the solution that was asked about answers by itself.
    pub(super) fn is_same(&self) -> bool {
        matches!(self.answer, Answer::Same)
    }

    pub(super) fn answer(&self) -> &Answer<V> {
        &self.answer
    }
}

/// What all there is to say of a pair is said against.
pub(super) struct Context<'a, V: CostValue> {
    solution: &'a Solution<V>,
    /// The lower vertex first.
    pair: (usize, usize),
    /// Of the pair.
    cost: Option<V>,
}

impl<'a, V: CostValue> Context<'a, V> {
    pub(super) fn new(solution: &'a Solution<V>, pair: (usize, usize), cost: Option<V>) -> Self {
        Self { solution, pair, cost }
    }

    pub(super) fn is_chosen(&self) -> bool {
        has_pair(self.solution, self.pair)
    }

    /// What an answer about the rest without both vertices says of the whole. The pair has a cost.
    pub(super) fn what_if_forced(&self, answer: Answer<V>) -> WhatIf<V> {
        let (u, v) = self.pair;
        let fixed = self.cost.filter(|_| !matches!(answer, Answer::Same));
        self.what_if(answer, Taken::Vertices(u, v), fixed)
    }

    pub(super) fn what_if_forbidden(&self, answer: Answer<V>) -> WhatIf<V> {
        let (u, v) = self.pair;
        self.what_if(answer, Taken::Pair(u, v), None)
    }

    /// What an answer says, beside which a pair of this cost may be fixed.
    fn what_if(&self, answer: Answer<V>, taken: Taken, fixed: Option<V>) -> WhatIf<V> {
        let found = match &answer {
            Answer::Same => Some(self.solution),
            Answer::Found(solution) => Some(&**solution),
            Answer::Infeasible(_) => None,
        };
        let full = found.filter(|solution| solution.is_full());
        let is_same = matches!(answer, Answer::Same);
        let cost = full.and_then(|solution| solution.total_with(fixed));
        let change = full.and_then(|after| match is_same {
            true => Some(V::zero().to_total()),
            false => after.change_with(fixed, self.solution),
        });
        let bound = found.and_then(|solution| solution.bound_with(fixed));
        WhatIf {
            status: found.map(Solution::status),
            pairs: full.map(|solution| match fixed {
                Some(weight) => self.whole(solution, taken, weight),
                None => solution.pairs.clone(),
            }),
            cost,
            bound,
            change,
            answer,
        }
    }

    /// The pairs of the rest by the names of the whole, and the pair that is fixed.
    fn whole(&self, rest: &Solution<V>, taken: Taken, weight: V) -> Vec<Edge<V>> {
        let (u, v) = (self.pair.0 as u32, self.pair.1 as u32);
        let back = |vertex: u32| taken.back(vertex as usize) as u32;
        let mut pairs: Vec<Edge<V>> = rest
            .pairs
            .iter()
            .map(|edge| Edge {
                u: back(edge.u),
                v: back(edge.v),
                weight: edge.weight,
            })
            .collect();
        // Names keep their order.
        let at = pairs.partition_point(|edge| edge.u < u);
        pairs.insert(at, Edge { u, v, weight });
        pairs
    }
}
