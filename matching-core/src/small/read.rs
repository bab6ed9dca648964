//! A cost, or a list of edges, becomes a matrix of doubled 64-bit weights.

use super::forest::Forest;
use crate::blossom::Blossom;
use crate::cost::{Cost, CostValue};
use crate::edge_list::{Edge, EdgeList};
use crate::engine::widths;
use crate::numbers::{Digits, Grid};
use crate::reduction::Reduced;

/// Room for what is read of a cost.
#[derive(Clone, Debug)]
pub(super) struct Reading<V> {
    /// All costs row by row, unless they lie in memory like that already.
    values: Vec<V>,
    /// Allowed columns, so many words a row; no words where all pairs are allowed.
    allowed: Vec<u64>,
    /// Edges of the reduced instance that are no pairs of the cost.
    extra: Vec<Edge<i128>>,
    /// What each vertex costs alone, where two that are alone are a pair; else empty.
    alone: Vec<i64>,
}

/// The allowed pairs of a cost.
#[derive(Clone, Copy, Debug)]
struct Allowed<'a> {
    n: usize,
    /// The words of all rows, or none where all pairs are allowed.
    words: &'a [u64],
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
            values: Vec::new(),
            allowed: Vec::new(),
            extra: Vec::new(),
            alone: Vec::new(),
        }
    }

    /// Reads a cost and sets the search up. `None` where something is wrong with the cost, or it does not fit 64 bits.
    pub(super) fn set_up<'b, C: Cost<Value = V> + ?Sized>(
        &mut self,
        cost: &C,
        blossom: &'b Blossom<V>,
        forest: &mut Forest,
    ) -> Option<Scope<'b, V>> {
        let n = cost.len();
        self.read_allowed(cost);
        let allowed = Allowed {
            n,
            words: &self.allowed,
        };
        // A matrix in memory is read where it lies: new memory would cost more than the rest of reading.
        let values = match cost.as_rows().filter(|rows| rows.len() == n * n) {
            Some(rows) => rows,
            None => {
                copy_values(&mut self.values, cost, allowed)?;
                &self.values
            }
        };
        let facts = check(values, allowed, cost.is_symmetric())?;
        let scope = Scope::new(n, facts, blossom, &mut self.extra, &mut self.alone)?;
        let mut writer = scope.writer(n, &self.alone, forest);
        let mut is_fine = true;
        for i in 0..n {
            let row = &values[i * n..][..n];
            allowed.for_right(i, |j| is_fine &= writer.write(i, j, row[j]).is_some());
        }
        writer.write_extra(&self.extra);
        scope.finish(forest, !self.allowed.is_empty());
        is_fine.then_some(scope)
    }

    /// Reads a list of edges, as [`set_up`](Self::set_up) reads a cost.
    pub(super) fn set_up_list<'b>(
        &mut self,
        edges: &EdgeList<V>,
        blossom: &'b Blossom<V>,
        forest: &mut Forest,
    ) -> Option<Scope<'b, V>> {
        let mut facts = None;
        edges.edges().iter().for_each(|edge| include(&mut facts, edge.weight));
        let scope = Scope::new(edges.len(), facts?, blossom, &mut self.extra, &mut self.alone)?;
        let mut writer = scope.writer(edges.len(), &self.alone, forest);
        for edge in edges.edges() {
            writer.write(edge.u as usize, edge.v as usize, edge.weight)?;
        }
        writer.write_extra(&self.extra);
        scope.finish(forest, true);
        Some(scope)
    }

    fn read_allowed<C: Cost<Value = V> + ?Sized>(&mut self, cost: &C) {
        let n = cost.len();
        let words = if cost.has_forbidden() { n.div_ceil(64) } else { 0 };
        self.allowed.clear();
        self.allowed.resize(n * words, 0);
        for (i, row) in self.allowed.chunks_exact_mut(words.max(1)).enumerate() {
            cost.allowed_row(i, row);
        }
    }
}

impl Allowed<'_> {
    fn contains(self, i: usize, j: usize) -> bool {
        let words = self.n.div_ceil(64);
        self.words.is_empty() || self.words[i * words + j / 64] >> (j % 64) & 1 == 1
    }

    /// Whether every row that a row allows allows it in turn.
    fn is_symmetric(self) -> bool {
        let (mut right, mut left) = (0, 0);
        let mut is_mirrored = true;
        for i in 0..self.n {
            self.for_right(i, |j| {
                right += 1;
                is_mirrored &= self.contains(j, i);
            });
            left += self.count_left(i);
        }
        // As many on either side, and all of the right ones are mirrored: so are the left ones.
        is_mirrored && right == left
    }

    /// How many columns left of the diagonal a row allows.
    fn count_left(self, i: usize) -> u32 {
        if self.words.is_empty() {
            return i as u32;
        }
        let row = &self.words[i * self.n.div_ceil(64)..][..=i / 64];
        let whole = row[..i / 64].iter().map(|word| word.count_ones());
        let last = row[i / 64] & !(u64::MAX << (i % 64));
        whole.sum::<u32>() + last.count_ones()
    }

    /// Visits the columns right of the diagonal that a row allows. Which they are cannot be foreseen, so forbidden ones
    /// are skipped without a branch for each.
    #[inline]
    fn for_right(self, i: usize, mut visit: impl FnMut(usize)) {
        let (n, first) = (self.n, i + 1);
        if self.words.is_empty() {
            (first..n).for_each(visit);
            return;
        }
        let words = n.div_ceil(64);
        for (at, &word) in self.words[i * words..][..words].iter().enumerate().skip(first / 64) {
            let mut bits = if at == first / 64 {
                word & u64::MAX << (first % 64)
            } else {
                word
            };
            while bits != 0 {
                let j = at * 64 + bits.trailing_zeros() as usize;
                if j < n {
                    visit(j);
                }
                bits &= bits - 1;
            }
        }
    }
}

/// Copies a cost row by row; `None` where a cost does not fit its type.
fn copy_values<V: CostValue, C: Cost<Value = V> + ?Sized>(
    values: &mut Vec<V>,
    cost: &C,
    allowed: Allowed<'_>,
) -> Option<()> {
    let n = allowed.n;
    values.clear();
    values.resize(n * n, V::zero());
    let is_symmetric = cost.is_symmetric();
    if is_symmetric || cost.may_overflow() {
        for i in 0..n {
            for j in if is_symmetric { i + 1 } else { 0 }..n {
                if i != j && allowed.contains(i, j) {
                    values[i * n + j] = cost.checked_pair(i, j)?;
                }
            }
        }
    } else {
        for (i, row) in values.chunks_exact_mut(n).enumerate() {
            cost.fill_row(i, row);
        }
    }
    Some(())
}

/// `None` where something is wrong, or no pair is allowed.
fn check<V: CostValue>(values: &[V], allowed: Allowed<'_>, is_symmetric: bool) -> Option<Facts<V>> {
    let n = allowed.n;
    if !is_symmetric && !allowed.is_symmetric() {
        return None;
    }
    let mut facts: Option<Facts<V>> = None;
    let mut is_fine = true;
    for i in 0..n {
        let row = &values[i * n..][..n];
        allowed.for_right(i, |j| {
            let value = row[j];
            // NaN differs from itself.
            is_fine &= value.is_number() && (is_symmetric || values[j * n + i] == value);
            include(&mut facts, value);
        });
    }
    facts.filter(|_| is_fine)
}

/// Takes a cost into account.
fn include<V: CostValue>(facts: &mut Option<Facts<V>>, value: V) {
    let facts = facts.get_or_insert(Facts {
        least: value,
        greatest: value,
        digits: Digits::default(),
    });
    facts.least = if value < facts.least { value } else { facts.least };
    facts.greatest = if value > facts.greatest { value } else { facts.greatest };
    if !V::IS_INTEGER {
        facts.digits.include(value);
    }
}

/// The reduced instance of what was read, and how far its weights reach.
#[derive(Debug)]
pub(super) struct Scope<'b, V: CostValue> {
    pub(super) reduced: Reduced<'b, V>,
    /// What is solved in its place, if anything is.
    pub(super) folded: Option<Reduced<'b, V>>,
    pub(super) least: i64,
    greatest: i128,
}

impl<'b, V: CostValue> Scope<'b, V> {
    /// `None` where it does not fit 64 bits. Edges that are no pairs are noted in `extra`, what vertices cost alone in
    /// `alone` if that is to be known.
    fn new(
        n: usize,
        facts: Facts<V>,
        blossom: &'b Blossom<V>,
        extra: &mut Vec<Edge<i128>>,
        alone: &mut Vec<i64>,
    ) -> Option<Self> {
        let objective = &blossom.objective;
        let grid = facts.digits.grid(n, objective, blossom.precision);
        let (low, high) = (grid.units(facts.least)?, grid.units(facts.greatest)?);
        let largest = low.unsigned_abs().max(high.unsigned_abs());
        let reduced = Reduced::new(n, objective, grid, largest).ok()?;
        let folded = reduced.folded();
        let solved = folded.as_ref().unwrap_or(&reduced);
        extra.clear();
        extra.reserve(n);
        solved
            .visit_extra(|u, v, weight| extra.push(Edge { u, v, weight }))
            .ok()?;
        alone.clear();
        if folded.is_some() {
            alone.reserve(n);
            for v in 0..n {
                alone.push(i64::try_from(reduced.unmatched_cost(v).ok()?).ok()?);
            }
        }
        let (a, b) = (
            reduced.reduced_cost(facts.least).ok()?,
            reduced.reduced_cost(facts.greatest).ok()?,
        );
        let pairs_alone = || alone.iter().map(|&alone| 2 * i128::from(alone));
        let weights = || extra.iter().map(|edge| edge.weight).chain(pairs_alone());
        let least = weights().fold(a.min(b), i128::min);
        let greatest = weights().fold(a.max(b), i128::max);
        if !widths(solved.vertices(), least, greatest).is_long() {
            return None;
        }
        let least = i64::try_from(least).ok()?;
        Some(Self {
            reduced,
            folded,
            least,
            greatest,
        })
    }

    /// What writes the weights, none of which are there yet but those of vertices that stay alone.
    fn writer<'w>(&self, n: usize, alone: &'w [i64], forest: &'w mut Forest) -> Writer<'w> {
        let vertices = self.folded.as_ref().unwrap_or(&self.reduced).vertices();
        forest.reset(vertices);
        let mut writer = Writer {
            forest,
            vertices,
            grid: self.reduced.grid(),
            sign: if self.reduced.is_maximum() { -1 } else { 1 },
            least: self.least,
            alone,
        };
        if !alone.is_empty() {
            (0..n).for_each(|i| (i + 1..n).for_each(|j| writer.put(i, j, alone[i] + alone[j])));
        }
        writer
    }

    /// Tells the search what it has to know of the weights.
    fn finish(&self, forest: &mut Forest, has_forbidden: bool) {
        forest.has_forbidden = has_forbidden && self.folded.is_none();
        forest.out_of_reach = 4 * (self.greatest - i128::from(self.least)).max(1) as i64;
    }
}

/// Weights are doubled after the least one is taken off. All of them fit, so costs are negated here: by
/// [`Reduced::reduced_cost`], which would say what does not fit, a solve of 100 vertices takes 4 % more instructions.
struct Writer<'w> {
    forest: &'w mut Forest,
    vertices: usize,
    grid: Grid,
    sign: i64,
    least: i64,
    /// What each vertex costs alone, where no pair costs more than that.
    alone: &'w [i64],
}

impl Writer<'_> {
    /// `None` if the cost is not on the grid.
    #[inline]
    fn write<V: CostValue>(&mut self, i: usize, j: usize, cost: V) -> Option<()> {
        let cost = self.sign * self.grid.units(cost)? as i64;
        match self.alone {
            [] => self.put(i, j, cost),
            alone => self.put(i, j, cost.min(alone[i] + alone[j])),
        }
        Some(())
    }

    /// Links and byes.
    fn write_extra(&mut self, extra: &[Edge<i128>]) {
        for edge in extra {
            self.put(edge.u as usize, edge.v as usize, edge.weight as i64);
        }
    }

    #[inline]
    fn put(&mut self, i: usize, j: usize, cost: i64) {
        let weight = 2 * (cost - self.least);
        self.forest.weights[i * self.vertices + j] = weight;
        self.forest.weights[j * self.vertices + i] = weight;
    }
}
