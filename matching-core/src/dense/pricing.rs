//! Which pairs a solution's duals do not price out.
//!
//! With `Y(v)` the sum of the duals of all sets around `v`, the slack of a pair is `2 c - Y(u) - Y(v)`, plus twice the
//! duals of the blossoms that contain both. Rows are read in an order in which the vertices of every blossom follow one
//! another: as long as a row lies in a blossom, the addends of the others inside are without twice its dual. So one
//! vector pass over a row sees its true slacks, up to what lanes round away; those that look negative are computed
//! exactly.

use core::ops::Range;

use super::lanes::{ABREAST, DUAL_LIMIT, FORBIDDEN, Form, least_sum, least_sums};
use super::parallel::Workers;
use super::pipeline::Violated;
use super::rows::Rows;
use crate::engine::{Dual, Nest};

/// Entries that are looked at one by one once one of them is suspicious.
const STRETCH: usize = 256;
/// Of the pairs of a vertex that its dual is too great for, so many are taken up at once.
const WORST: usize = 20;

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
    fn is_beyond_lanes(&self, v: usize) -> bool {
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

/// The sums of duals as seen from one row: without those of the blossoms that it lies in.
struct View<'p, D> {
    prices: &'p Prices<D>,
    totals: Vec<i128>,
    addends: Vec<i32>,
    /// Shells around the row, from the outside in.
    around: Vec<u32>,
}

impl<'p, D: Dual> View<'p, D> {
    fn new(prices: &'p Prices<D>) -> Self {
        Self {
            prices,
            totals: prices.totals.clone(),
            addends: prices.totals.iter().map(|&total| prices.addend(total)).collect(),
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
            self.addends[v as usize] = self.prices.addend(*total);
        }
    }

    /// Which of these rows, read side by side, have a pair with one of the columns that may have negative slack.
    fn are_suspect(
        &self,
        vertices: [usize; ABREAST],
        rows: [&[i32]; ABREAST],
        first: usize,
        form: Form,
    ) -> [bool; ABREAST] {
        let sums = least_sums(rows.map(|row| &row[first..]), &self.addends[first..], form);
        core::array::from_fn(|at| sums[at] < self.own(vertices[at]))
    }

    /// The dual of a row in half units of lanes, not less than what the passes can hold.
    fn own(&self, i: usize) -> i32 {
        let limit = i128::from(DUAL_LIMIT);
        self.prices.in_lanes(self.prices.totals[i]).clamp(-limit, limit) as i32
    }

    /// Visits every one of these columns whose pair with this row may have negative slack.
    fn suspects(&self, row: &[i32], i: usize, columns: Range<usize>, form: Form, mut visit: impl FnMut(usize)) {
        let own = self.own(i);
        for begin in columns.clone().step_by(STRETCH) {
            let end = (begin + STRETCH).min(columns.end);
            let (entries, addends) = (&row[begin..end], &self.addends[begin..end]);
            if least_sum(entries, addends, form) >= own {
                continue;
            }
            for (at, (&entry, &addend)) in entries.iter().zip(addends).enumerate() {
                if form.lane(entry) + addend < own && begin + at != i {
                    visit(begin + at);
                }
            }
        }
    }

    /// The same for all columns of a row whose dual the passes cannot hold and has been made smaller: it is read without them, and in
    /// full because the rows of its partners do not show it either.
    fn suspects_beyond(&self, row: &[i32], i: usize, form: Form, visit: impl FnMut(usize)) {
        let own = self.prices.in_lanes(self.prices.totals[i]);
        let is_suspect = |&j: &usize| {
            let lane = form.lane(row[j]);
            j != i && lane < FORBIDDEN && 2 * i128::from(lane) < own + self.prices.in_lanes(self.totals[j])
        };
        (0..row.len()).filter(is_suspect).for_each(visit);
    }
}

/// What a look at one row has found.
#[derive(Debug)]
struct FoundInRow<D> {
    violated: Vec<Violated<D>>,
    is_open: bool,
}

impl<D> Default for FoundInRow<D> {
    fn default() -> Self {
        Self {
            violated: Vec::new(),
            is_open: false,
        }
    }
}

impl<D: Dual> FoundInRow<D> {
    /// Keeps the worst pairs.
    fn close(&mut self, is_beyond_lanes: bool) {
        self.is_open = is_beyond_lanes || self.violated.len() > WORST;
        if self.violated.len() > WORST {
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
    /// Vertices with more pairs of negative slack than are told, and those whose other pairs do not show in others' rows.
    pub(super) is_open: Vec<bool>,
}

impl<D: Dual> Found<D> {
    /// Whether the other look saw nothing where this one did not.
    pub(super) fn is_all_of(&self, other: &Self) -> bool {
        let ends = |pair: &Violated<D>| (pair.u.min(pair.v), pair.u.max(pair.v));
        let is_open = |pair: &Violated<D>| self.is_open[pair.u as usize] || self.is_open[pair.v as usize];
        let is_told = |pair: &Violated<D>| self.violated.iter().any(|own| ends(own) == ends(pair));
        other.violated.iter().all(|pair| is_told(pair) || is_open(pair))
    }
}

/// All pairs of negative slack, or those with a vertex at one of the positions `reopened`; at most [`WORST`] of each row. `slack` computes
/// it exactly. One pass over the matrix right of the diagonal, or over the rows of these vertices.
pub(super) fn violated<D: Dual + Send + Sync>(
    rows: &Rows<'_>,
    prices: &Prices<D>,
    reopened: Option<&[usize]>,
    slack: impl Fn(usize, usize) -> D + Sync + Send,
    workers: Workers,
) -> Found<D> {
    let positions = match reopened {
        Some(positions) => positions.to_vec(),
        None => (0..rows.len()).collect(),
    };
    let groups = groups(&positions, prices);
    let mut found: Vec<[FoundInRow<D>; ABREAST]> = Vec::new();
    found.resize_with(groups.len(), Default::default);
    let scratch = || (View::new(prices), [const { Vec::new() }; ABREAST]);
    let form = rows.form();
    workers.for_rows(&mut found, 1, scratch, |(view, scratch), at, found| {
        let group = &positions[groups[at].clone()];
        let vertex = |at: usize| prices.nest.order[group[at.min(group.len() - 1)]] as usize;
        let vertices: [usize; ABREAST] = core::array::from_fn(vertex);
        view.turn_to(group[0]);
        let mut scratch = scratch.iter_mut().zip(vertices).take(group.len());
        let read: [&[i32]; ABREAST] = core::array::from_fn(|_| match scratch.next() {
            Some((scratch, i)) => rows.row(i, scratch),
            None => &[],
        });
        // Where all pairs are priced, each is at its first vertex; columns that all rows of a group need begin behind the last of them.
        let first = |i: usize| if reopened.is_some() { 0 } else { i + 1 };
        let shared = vertices.map(first).into_iter().max().unwrap_or(0);
        let are_suspect = if group.len() == ABREAST {
            view.are_suspect(vertices, read, shared, form.doubled())
        } else {
            [true; ABREAST]
        };
        for (at, found) in found[0].iter_mut().enumerate().take(group.len()) {
            let (i, row) = (vertices[at], read[at]);
            let price = |j: usize| {
                let slack = slack(i, j);
                if slack < D::ZERO {
                    found.violated.push(Violated {
                        u: i as u32,
                        v: j as u32,
                        slack,
                    });
                }
            };
            if prices.is_beyond_lanes(i) {
                view.suspects_beyond(row, i, form, price);
            } else {
                let end = if are_suspect[at] { row.len() } else { shared };
                view.suspects(row, i, first(i)..end, form.doubled(), price);
            }
            found.close(prices.is_beyond_lanes(i));
        }
    });
    let mut all = Found {
        violated: Vec::new(),
        is_open: vec![false; rows.len()],
    };
    for (group, found) in groups.iter().zip(found) {
        for (&position, found) in positions[group.clone()].iter().zip(found) {
            all.violated.extend(found.violated);
            all.is_open[prices.nest.order[position] as usize] = found.is_open;
        }
    }
    all
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
