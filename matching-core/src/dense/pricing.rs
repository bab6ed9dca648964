//! Which pairs a solution's duals do not price out.
//!
//! With `Y(v)` the sum of the duals of all sets around `v`, the slack of a pair is `2 c - Y(u) - Y(v)`, plus twice the
//! duals of the blossoms that contain both. Rows are read in an order in which the vertices of every blossom follow one
//! another: as long as a row lies in a blossom, the addends of the others inside are without twice its dual. So one
//! vector pass over a row sees its true slacks, up to what lanes round away; those that look negative are computed
//! exactly.

use super::lanes::{DUAL_LIMIT, FORBIDDEN, least_sum};
use super::parallel::Workers;
use super::pipeline::Violated;
use super::rows::Rows;
use crate::engine::{Dual, Nest};

/// Entries that are looked at one by one once one of them is suspicious.
const STRETCH: usize = 256;
/// Of the pairs of a vertex that its dual is too great for, so many are taken up at once.
const WORST: usize = 20;

/// Sums of duals around vertices, for costs less the least one.
#[derive(Debug)]
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
        let limit = i128::from(DUAL_LIMIT);
        -self.in_lanes(total).clamp(-limit, limit) as i32
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

    /// Visits every column from this one on whose pair with this row may have negative slack.
    fn suspects(&self, row: &[i32], i: usize, first: usize, rows: &Rows<'_>, mut visit: impl FnMut(usize)) {
        let own = self.prices.in_lanes(self.prices.totals[i]);
        let mut visit = |j: usize| {
            if j != i {
                visit(j);
            }
        };
        // A dual that the passes cannot hold has been made smaller: its row is read without them, and it is read in
        // full because the rows of its partners do not show it either.
        if self.prices.is_beyond_lanes(i) {
            let is_suspect = |j: usize| {
                let lane = rows.form().lane(row[j]);
                lane < FORBIDDEN && 2 * i128::from(lane) < own + self.prices.in_lanes(self.totals[j])
            };
            (0..rows.len()).filter(|&j| is_suspect(j)).for_each(visit);
            return;
        }
        let form = rows.form().doubled();
        let own = own.max(-i128::from(DUAL_LIMIT)) as i32;
        for begin in (first..row.len()).step_by(STRETCH) {
            let end = (begin + STRETCH).min(row.len());
            let (entries, addends) = (&row[begin..end], &self.addends[begin..end]);
            if least_sum(entries, addends, form) >= own {
                continue;
            }
            for (at, (&entry, &addend)) in entries.iter().zip(addends).enumerate() {
                if form.lane(entry) + addend < own {
                    visit(begin + at);
                }
            }
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
    let mut found: Vec<(Vec<Violated<D>>, bool)> = Vec::new();
    found.resize_with(positions.len(), Default::default);
    let scratch = || (View::new(prices), Vec::new());
    workers.for_rows(&mut found, 1, scratch, |(view, scratch), at, out| {
        let i = prices.nest.order[positions[at]] as usize;
        let (out, is_open) = &mut out[0];
        view.turn_to(positions[at]);
        let row = rows.row(i, scratch);
        let first = if reopened.is_some() { 0 } else { i + 1 };
        view.suspects(row, i, first, rows, |j| {
            let slack = slack(i, j);
            if slack < D::ZERO {
                out.push(Violated {
                    u: i as u32,
                    v: j as u32,
                    slack,
                });
            }
        });
        *is_open = prices.is_beyond_lanes(i) || out.len() > WORST;
        if out.len() > WORST {
            out.select_nth_unstable_by_key(WORST, |pair| (pair.slack, pair.v));
            out.truncate(WORST);
        }
    });
    let mut is_open = vec![false; rows.len()];
    for (&position, &(_, is_row_open)) in positions.iter().zip(&found) {
        is_open[prices.nest.order[position] as usize] = is_row_open;
    }
    Found {
        violated: found.into_iter().flat_map(|(pairs, _)| pairs).collect(),
        is_open,
    }
}
