//! Which pairs a solution's duals do not price out.
//!
//! With `Y(v)` the sum of the duals of all sets around `v`, the slack of a pair is `2 c - Y(u) - Y(v)`, plus twice the
//! duals of the blossoms that contain both. Those are never negative, so `2 c >= Y(u) + Y(v)` settles almost all pairs
//! in one vector pass; for the others the slack is computed exactly.

use super::lanes::{DUAL_LIMIT, FORBIDDEN, least_sum};
use super::parallel::Workers;
use super::pipeline::Violated;
use super::rows::Rows;

/// Entries that are looked at one by one once one of them is suspicious.
const STRETCH: usize = 256;
/// Of the pairs of a vertex that its dual is too great for, so many are taken up at once.
const WORST: usize = 20;

/// Sums of duals in half units of lanes, rounded up, as the passes need them.
#[derive(Debug)]
pub(super) struct Prices {
    /// Negated, within what the passes can add.
    addends: Vec<i32>,
    exact: Vec<i128>,
}

impl Prices {
    /// `totals` are in half units of the grid for costs less the least one; lanes had `down` bits cut off.
    pub(super) fn new(totals: impl Iterator<Item = i128>, down: u32) -> Self {
        let exact: Vec<i128> = totals.map(|total| -((-total) >> down)).collect();
        let limit = i128::from(DUAL_LIMIT);
        let addends = exact.iter().map(|&total| -total.clamp(-limit, limit) as i32).collect();
        Self { addends, exact }
    }
}

/// All pairs of negative slack, at most [`WORST`] of each row; `slack` computes it exactly. One pass over the matrix
/// right of the diagonal.
pub(super) fn violated<D: Copy + Ord + Default + Send>(
    rows: &Rows<'_>,
    prices: &Prices,
    slack: impl Fn(usize, usize) -> D + Sync + Send,
    workers: Workers,
) -> Vec<Violated<D>> {
    let n = rows.len();
    let mut found: Vec<Vec<Violated<D>>> = Vec::new();
    found.resize_with(n, Vec::new);
    workers.for_rows(&mut found, 1, Vec::new, |scratch, i, out| {
        let row = rows.row(i, scratch);
        suspects(row, i, prices, rows, |j| {
            let slack = slack(i, j);
            if slack < D::default() {
                out[0].push(Violated {
                    u: i as u32,
                    v: j as u32,
                    slack,
                });
            }
        });
        if out[0].len() > WORST {
            out[0].select_nth_unstable_by_key(WORST, |pair| (pair.slack, pair.v));
            out[0].truncate(WORST);
        }
    });
    found.into_iter().flatten().collect()
}

/// Visits every column right of the diagonal whose pair may have negative slack.
fn suspects(row: &[i32], i: usize, prices: &Prices, rows: &Rows<'_>, mut visit: impl FnMut(usize)) {
    let form = rows.form();
    let own = prices.exact[i];
    let is_suspect = |j: usize| {
        let lane = form.lane(row[j]);
        lane < FORBIDDEN && 2 * i128::from(lane) < own + prices.exact[j]
    };
    // A dual that the passes cannot hold has been made smaller: its row is read without them, and it is read in full
    // because the rows of its partners do not show it either.
    let limit = i128::from(DUAL_LIMIT);
    if own > limit {
        (0..rows.len()).filter(|&j| j != i && is_suspect(j)).for_each(visit);
        return;
    }
    for begin in (i + 1..row.len()).step_by(STRETCH) {
        let end = (begin + STRETCH).min(row.len());
        let least = least_sum(&row[begin..end], &prices.addends[begin..end], form.doubled());
        if i128::from(least) < own {
            (begin..end).filter(|&j| is_suspect(j)).for_each(&mut visit);
        }
    }
}
