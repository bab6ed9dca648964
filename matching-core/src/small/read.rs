//! A cost becomes a matrix of doubled 64-bit weights.

use super::forest::Forest;
use crate::blossom::Blossom;
use crate::cost::{Cost, CostValue};
use crate::edge_list::Edge;
use crate::engine::widths;
use crate::error::Error;
use crate::numbers::Digits;
use crate::reduction::Reduced;

/// A cost as it was read: what lies above the diagonal.
#[derive(Clone, Debug)]
pub(super) struct Reading<V> {
    n: usize,
    values: Vec<V>,
    /// Allowed columns, so many words a row; no words where all pairs are allowed.
    allowed: Vec<u64>,
    words: usize,
    /// Links and byes of the reduced instance.
    extra: Vec<Edge<i128>>,
}

/// What reading tells.
#[derive(Clone, Copy, Debug)]
struct Facts<V> {
    least: V,
    greatest: V,
    digits: Digits,
}

impl<V: CostValue> Reading<V> {
    pub(super) fn new() -> Self {
        Self {
            n: 0,
            values: Vec::new(),
            allowed: Vec::new(),
            words: 0,
            extra: Vec::new(),
        }
    }

    /// Reads a cost and sets the search up; the reduced instance and its least weight, or `None` where something is
    /// wrong with the cost, or it does not fit 64 bits.
    pub(super) fn set_up<'b, C: Cost<Value = V> + ?Sized>(
        &mut self,
        cost: &C,
        blossom: &'b Blossom<V>,
        forest: &mut Forest,
    ) -> Option<(Reduced<'b, V>, i64)> {
        let facts = self.read(cost)?;
        let objective = &blossom.objective;
        let grid = facts.digits.grid(self.n, objective, blossom.precision);
        let (low, high) = (grid.units(facts.least)?, grid.units(facts.greatest)?);
        let largest = low.unsigned_abs().max(high.unsigned_abs());
        let reduced = Reduced::new(self.n, objective, grid, largest).ok()?;
        self.extra.clear();
        self.extra.reserve(self.n);
        let extra = &mut self.extra;
        reduced
            .visit_extra(|u, v, weight| extra.push(Edge { u, v, weight }))
            .ok()?;
        let (a, b) = (
            reduced.reduced_cost(facts.least).ok()?,
            reduced.reduced_cost(facts.greatest).ok()?,
        );
        let weights = || self.extra.iter().map(|edge| edge.weight);
        let least = weights().fold(a.min(b), i128::min);
        let greatest = weights().fold(a.max(b), i128::max);
        if !widths(reduced.vertices(), least, greatest).is_long() {
            return None;
        }
        let least = i64::try_from(least).ok()?;
        self.write(&reduced, least, forest).ok()?;
        Some((reduced, least))
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.words == 0 || self.allowed[i * self.words + j / 64] >> (j % 64) & 1 == 1
    }

    /// `None` where something is wrong, or no pair is allowed.
    fn read<C: Cost<Value = V> + ?Sized>(&mut self, cost: &C) -> Option<Facts<V>> {
        let n = cost.len();
        self.n = n;
        self.words = if cost.has_forbidden() { n.div_ceil(64) } else { 0 };
        self.allowed.clear();
        self.allowed.resize(n * self.words, 0);
        for (i, row) in self.allowed.chunks_exact_mut(self.words.max(1)).enumerate() {
            cost.allowed_row(i, row);
        }
        self.values.clear();
        self.values.resize(n * n, V::zero());
        let is_symmetric = cost.is_symmetric();
        if is_symmetric || cost.may_overflow() {
            for i in 0..n {
                for j in if is_symmetric { i + 1 } else { 0 }..n {
                    if i != j && self.is_allowed(i, j) {
                        self.values[i * n + j] = cost.checked_pair(i, j)?;
                    }
                }
            }
        } else {
            for (i, row) in self.values.chunks_exact_mut(n).enumerate() {
                cost.fill_row(i, row);
            }
        }
        self.check(is_symmetric)
    }

    fn check(&self, is_symmetric: bool) -> Option<Facts<V>> {
        let n = self.n;
        let mut facts: Option<Facts<V>> = None;
        let mut digits = Digits::default();
        for i in 0..n {
            for j in i + 1..n {
                let is_allowed = self.is_allowed(i, j);
                let value = self.values[i * n + j];
                if !is_symmetric {
                    let is_same = is_allowed == self.is_allowed(j, i);
                    if !is_same || (is_allowed && self.values[j * n + i] != value) {
                        return None;
                    }
                }
                if !is_allowed {
                    continue;
                }
                if !value.is_number() {
                    return None;
                }
                if !V::IS_INTEGER {
                    digits.include(value);
                }
                let facts = facts.get_or_insert(Facts {
                    least: value,
                    greatest: value,
                    digits,
                });
                if value < facts.least {
                    facts.least = value;
                }
                if value > facts.greatest {
                    facts.greatest = value;
                }
            }
        }
        facts.map(|facts| Facts { digits, ..facts })
    }

    /// Weights are doubled after the least one is taken off. All of them fit.
    fn write(&self, reduced: &Reduced<'_, V>, least: i64, forest: &mut Forest) -> Result<(), Error> {
        let (n, vertices) = (self.n, reduced.vertices());
        forest.reset(vertices);
        let doubled = |cost: i128| 2 * (cost as i64 - least);
        let copy = if reduced.is_doubled() { n * vertices + n } else { 0 };
        for i in 0..n {
            for j in i + 1..n {
                if self.is_allowed(i, j) {
                    let weight = doubled(reduced.reduced_cost(self.values[i * n + j])?);
                    for entry in [i * vertices + j, j * vertices + i] {
                        forest.weights[entry] = weight;
                        forest.weights[entry + copy] = weight;
                    }
                }
            }
        }
        for edge in &self.extra {
            let (u, v) = (edge.u as usize, edge.v as usize);
            forest.weights[u * vertices + v] = doubled(edge.weight);
            forest.weights[v * vertices + u] = doubled(edge.weight);
        }
        Ok(())
    }
}
