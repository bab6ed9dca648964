//! Which pairs a solution's duals do not price out.
//!
//! With `Y(v)` the sum of the duals of all sets around `v`, the slack of a pair is `2 c - Y(u) - Y(v)`, plus twice the
//! duals of the blossoms that contain both. Rows are read in an order in which the vertices of every blossom follow one
//! another: as long as a row lies in a blossom, the addends of the others inside are without twice its dual. So one
//! vector pass over a row sees its true slacks, up to what lanes round away; those that look negative are computed
//! exactly.

use core::ops::Range;

use super::coarse::Look;
use super::lanes::{ABREAST, DUAL_LIMIT, FORBIDDEN, Form, least_sum, least_sums};
use super::parallel::Workers;
use super::pipeline::Violated;
use super::rows::Rows;
use crate::engine::{Dual, Nest};

/// Entries that are looked at one by one once one of them is suspicious.
const STRETCH: usize = 256;
/// Of the pairs of a vertex that its dual is too great for, so many are taken up at once.
const WORST: usize = 20;
/// Of the pairs of a vertex that are near to that, so many are noted.
const NEAREST: usize = 16;

/// Sums of duals around vertices, for costs less the least one.
#[derive(Clone, Debug)]
pub(super) struct Prices<D> {
    pub(super) totals: Vec<i128>,
    pub(super) nest: Nest<D>,
    /// Bits that lanes had cut off.
    pub(super) down: u32,
}

impl<D> Prices<D> {
    /// A sum of duals in half units of lanes, rounded up.
    fn in_lanes(&self, total: i128) -> i128 {
        -((-total) >> self.down)
    }

    /// Whether the passes over other rows see less of the vertex's dual than there is.
    pub(super) fn is_beyond_lanes(&self, v: usize) -> bool {
        self.in_lanes(self.totals[v]) > i128::from(DUAL_LIMIT)
    }

    /// The same negated, within what the passes can add.
    fn addend(&self, total: i128) -> i32 {
        let limit = i64::from(DUAL_LIMIT);
        // Most fit 64 bits, where this takes a third of the time.
        match i64::try_from(total).ok().and_then(i64::checked_neg) {
            Some(negated) => (negated >> self.down.min(i64::BITS - 1)).clamp(-limit, limit) as i32,
            None => -self.in_lanes(total).clamp(-i128::from(limit), i128::from(limit)) as i32,
        }
    }
}

/// Rows that are looked at side by side, in the same blossoms; short groups repeat their last row.
struct Group<'r> {
    vertices: [usize; ABREAST],
    rows: [&'r [i32]; ABREAST],
    /// The columns from which on pairs count.
    firsts: [usize; ABREAST],
    len: usize,
}

/// The sums of duals as seen from one row: without those of the blossoms that it lies in.
struct View<'p, D> {
    prices: &'p Prices<D>,
    totals: Vec<i128>,
    addends: Vec<i32>,
    form: Form,
    /// The same for lower bounds, where there are such.
    look: Option<Look<'p>>,
    /// Shells around the row, from the outside in.
    around: Vec<u32>,
}

impl<'p, D: Dual> View<'p, D> {
    fn new(rows: &'p Rows<'_>, prices: &'p Prices<D>, reach: Option<i32>) -> Self {
        let addends: Vec<i32> = prices.totals.iter().map(|&total| prices.addend(total)).collect();
        Self {
            prices,
            totals: prices.totals.clone(),
            look: reach.and_then(|reach| Look::new(rows.coarse()?, &addends, reach)),
            addends,
            form: rows.form().doubled(),
            around: Vec::new(),
        }
    }

    /// Looks from the vertex at this position of the order.
    fn turn_to(&mut self, position: usize) {
        let shells = &self.prices.nest.shells;
        while let Some(&outer) = self.around.last()
            && !shells[outer as usize].members.contains(&position)
        {
            self.around.pop();
            self.shift(outer, 1);
        }
        let common = self.around.len();
        let mut next = self.prices.nest.inner[position];
        while let Some(shell) = next.filter(|&shell| self.around[..common].last() != Some(&shell)) {
            self.around.push(shell);
            next = shells[shell as usize].parent;
        }
        self.around[common..].reverse();
        for at in common..self.around.len() {
            self.shift(self.around[at], -1);
        }
    }

    /// Adds twice the dual of a shell, times a sign, to the sums of its members.
    fn shift(&mut self, shell: u32, sign: i128) {
        let shell = &self.prices.nest.shells[shell as usize];
        let step = 2 * sign * shell.dual.into();
        for &v in &self.prices.nest.order[shell.members.clone()] {
            let total = &mut self.totals[v as usize];
            *total += step;
            let addend = self.prices.addend(*total);
            self.addends[v as usize] = addend;
            if let Some(look) = &mut self.look {
                look.set_addend(v as usize, addend);
            }
        }
    }

    /// Visits every pair of a group's rows with columns from their first ones on that may have negative slack, as a
    /// place in the group and a column.
    fn suspects(&self, group: &Group<'_>, mut visit: impl FnMut(usize, usize)) {
        // The columns that all rows need begin behind the last of them.
        let shared = group.firsts.into_iter().max().unwrap_or(0);
        let sums = least_sums(group.rows.map(|row| &row[shared..]), &self.addends[shared..], self.form);
        for (at, &sum) in sums.iter().enumerate().take(group.len) {
            let (i, row) = (group.vertices[at], group.rows[at]);
            if self.prices.is_beyond_lanes(i) {
                self.suspects_beyond(row, i, |j| visit(at, j));
            } else {
                let end = if sum < self.own(i) { row.len() } else { shared };
                self.suspects_in_row(row, i, group.firsts[at]..end, |j| visit(at, j));
            }
        }
    }

    /// Visits every pair of row `i` with columns before it that may have negative slack, by a look at lower bounds
    /// without its `edges`; other pairs of small slack are noted.
    fn suspects_by_bounds(
        &mut self,
        i: usize,
        row: &[i32],
        edges: impl Iterator<Item = usize>,
        found: &mut FoundInRow<D>,
        mut visit: impl FnMut(&mut FoundInRow<D>, usize),
    ) {
        if self.prices.is_beyond_lanes(i) {
            // Lower bounds hold no more of the dual than lanes do.
            self.suspects_beyond(row, i, |j| visit(found, j));
            return;
        }
        let own = self.own(i);
        let Some(look) = &mut self.look else {
            return;
        };
        let is_sharp = look.small(i, own, edges, |j, is_suspect| {
            if is_suspect && self.form.lane(row[j]) + self.addends[j] < own {
                visit(found, j);
            } else if found.near.len() < NEAREST {
                found.near.push(j as u32);
            }
        });
        if !is_sharp {
            found.is_blurred = true;
            self.suspects_in_row(row, i, 0..i, |j| visit(found, j));
        }
    }

    /// The dual of a row in half units of lanes, not less than what the passes can hold.
    fn own(&self, i: usize) -> i32 {
        let limit = i128::from(DUAL_LIMIT);
        self.prices.in_lanes(self.prices.totals[i]).clamp(-limit, limit) as i32
    }

    /// Visits every one of these columns whose pair with this row may have negative slack.
    fn suspects_in_row(&self, row: &[i32], i: usize, columns: Range<usize>, mut visit: impl FnMut(usize)) {
        let (own, form) = (self.own(i), self.form);
        for begin in columns.clone().step_by(STRETCH) {
            let end = (begin + STRETCH).min(columns.end);
            let (entries, addends) = (&row[begin..end], &self.addends[begin..end]);
            if least_sum(entries, addends, form) >= own {
                continue;
            }
            for (at, (&entry, &addend)) in entries.iter().zip(addends).enumerate() {
                // What stands on the diagonal is no lane, and its sum may wrap.
                if begin + at != i && form.lane(entry) + addend < own {
                    visit(begin + at);
                }
            }
        }
    }

    /// The same for all columns of a row whose dual the passes cannot hold and has been made smaller: it is read
    /// without them, and in full because the rows of its partners do not show it either.
    fn suspects_beyond(&self, row: &[i32], i: usize, visit: impl FnMut(usize)) {
        let own = self.prices.in_lanes(self.prices.totals[i]);
        let is_suspect = |&j: &usize| {
            let doubled = self.form.lane(row[j]);
            j != i && doubled < 2 * FORBIDDEN && i128::from(doubled) < own + self.prices.in_lanes(self.totals[j])
        };
        (0..row.len()).filter(is_suspect).for_each(visit);
    }
}

/// What a look at one row has found.
#[derive(Debug)]
struct FoundInRow<D> {
    violated: Vec<Violated<D>>,
    is_open: bool,
    /// Other ends of pairs of small slack.
    near: Vec<u32>,
    /// The lower bounds told nothing.
    is_blurred: bool,
}

impl<D> Default for FoundInRow<D> {
    fn default() -> Self {
        Self {
            violated: Vec::new(),
            is_open: false,
            near: Vec::new(),
            is_blurred: false,
        }
    }
}

impl<D: Dual> FoundInRow<D> {
    /// Keeps the worst pairs.
    fn close(&mut self) {
        self.is_open = self.violated.len() > WORST;
        if self.is_open {
            self.violated
                .select_nth_unstable_by_key(WORST, |pair| (pair.slack, pair.v));
            self.violated.truncate(WORST);
        }
    }
}

/// What a look at pairs has found.
#[derive(Debug)]
pub(super) struct Found<D> {
    pub(super) violated: Vec<Violated<D>>,
    /// Vertices with more pairs of negative slack than are told.
    pub(super) is_open: Vec<bool>,
    /// Pairs that are no edges, of slack less than asked for, or not much more; none where there are no lower bounds.
    pub(super) near: Vec<(u32, u32)>,
    /// Rows that lower bounds told nothing of.
    pub(super) blurred: usize,
}

impl<D: Dual> Found<D> {
    /// Whether a pair of negative slack is told, or would be by the next look.
    pub(super) fn knows(&self, u: usize, v: usize) -> bool {
        let ends = (u.min(v) as u32, u.max(v) as u32);
        let is_told = |pair: &Violated<D>| (pair.u.min(pair.v), pair.u.max(pair.v)) == ends;
        self.is_open[u] || self.is_open[v] || self.violated.iter().any(is_told)
    }
}

/// A question about all pairs.
pub(super) struct Pricing<'q, D> {
    pub(super) rows: &'q Rows<'q>,
    pub(super) prices: &'q Prices<D>,
    /// Only pairs with a vertex at one of these positions are asked for.
    pub(super) reopened: Option<&'q [usize]>,
    /// Slacks less than so many half units of lanes are near to being negative; without it, lower bounds are not looked
    /// at. They serve where all pairs are asked for.
    pub(super) reach: Option<i32>,
    pub(super) workers: Workers,
}

impl<D: Dual + Send + Sync> Pricing<'_, D> {
    /// The pairs of negative slack, at most [`WORST`] of each row. `slack` computes it exactly, `edges` are the other
    /// ends of edges of a vertex, whose slacks are not negative. One pass over the matrix right of the diagonal, over
    /// its bounds left of it, or over the rows asked for.
    pub(super) fn violated<E: Iterator<Item = usize>>(
        &self,
        slack: impl Fn(usize, usize) -> D + Sync + Send,
        edges: impl Fn(usize) -> E + Sync + Send,
    ) -> Found<D> {
        let (rows, prices) = (self.rows, self.prices);
        let positions = match self.reopened {
            Some(positions) => positions.to_vec(),
            None => (0..rows.len()).collect(),
        };
        let groups = groups(&positions, prices);
        let mut found: Vec<[FoundInRow<D>; ABREAST]> = Vec::new();
        found.resize_with(groups.len(), Default::default);
        let scratch = || (View::new(rows, prices, self.reach), [const { Vec::new() }; ABREAST]);
        self.workers
            .for_rows(&mut found, 1, scratch, |(view, scratch), at, found| {
                let group = &positions[groups[at].clone()];
                view.turn_to(group[0]);
                let group = self.group(group, scratch);
                let found = &mut found[0];
                let price = |found: &mut FoundInRow<D>, i: usize, j: usize| {
                    let slack = slack(i, j);
                    if slack < D::ZERO {
                        let (u, v) = (i as u32, j as u32);
                        found.violated.push(Violated { u, v, slack });
                    }
                };
                if view.look.is_some() {
                    // Bounds are left of the diagonal.
                    for at in 0..group.len {
                        let i = group.vertices[at];
                        let price = |found: &mut FoundInRow<D>, j| price(found, i, j);
                        view.suspects_by_bounds(i, group.rows[at], edges(i), &mut found[at], price);
                    }
                } else {
                    view.suspects(&group, |at, j| price(&mut found[at], group.vertices[at], j));
                }
                found.iter_mut().for_each(FoundInRow::close);
            });
        self.gather(&positions, &groups, found)
    }

    /// The rows of vertices at these positions.
    fn group<'r>(&'r self, positions: &[usize], scratch: &'r mut [Vec<i32>; ABREAST]) -> Group<'r> {
        let last = positions.len() - 1;
        let vertices = core::array::from_fn(|at| self.prices.nest.order[positions[at.min(last)]] as usize);
        let mut rows: [&[i32]; ABREAST] = [&[]; ABREAST];
        for ((row, scratch), i) in rows.iter_mut().zip(scratch).zip(vertices).take(positions.len()) {
            *row = self.rows.row(i, scratch);
        }
        let repeated = rows[last];
        rows[last..].fill(repeated);
        Group {
            vertices,
            rows,
            // Where all pairs are priced, each is at its first vertex.
            firsts: vertices.map(|i| if self.reopened.is_some() { 0 } else { i + 1 }),
            len: positions.len(),
        }
    }

    /// What was found in all rows.
    fn gather(&self, positions: &[usize], groups: &[Range<usize>], found: Vec<[FoundInRow<D>; ABREAST]>) -> Found<D> {
        let mut all = Found {
            violated: Vec::new(),
            is_open: vec![false; self.rows.len()],
            near: Vec::new(),
            blurred: 0,
        };
        for (group, found) in groups.iter().zip(found) {
            for (&position, found) in positions[group.clone()].iter().zip(found) {
                let v = self.prices.nest.order[position];
                all.violated.extend(found.violated);
                all.is_open[v as usize] = found.is_open;
                all.near.extend(found.near.iter().map(|&w| (v.min(w), v.max(w))));
                all.blurred += usize::from(found.is_blurred);
            }
        }
        all
    }
}

/// Stretches of positions, as many as can be read side by side, that lie in the same blossoms.
fn groups<D>(positions: &[usize], prices: &Prices<D>) -> Vec<Range<usize>> {
    let inner = |at: usize| prices.nest.inner[positions[at]];
    let mut groups = Vec::with_capacity(positions.len());
    let mut begin = 0;
    while begin < positions.len() {
        let mut end = begin + 1;
        while end < positions.len() && end < begin + ABREAST && inner(end) == inner(begin) {
            end += 1;
        }
        groups.push(begin..end);
        begin = end;
    }
    groups
}
