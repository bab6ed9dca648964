//! Potentials of all vertices, from samples of them.
//!
//! Half of the vertices, well chosen, is a smaller problem with much the same potentials. Its relaxation without odd
//! sets is solved first, in the same way; a vertex outside the sample then takes the greatest potential that the pairs
//! with the sample allow. On the pairs that look cheapest with these, the relaxation is solved for all vertices. Every
//! level reads its matrix twice, and a level's matrix is a quarter of that above it.
//!
//! Potentials decide which pairs are looked at first and nothing else.

use super::candidates::Candidates;
use super::lanes::{FORBIDDEN, least_sum};
use super::parallel::{Aside, Workers};
use super::rows::{Rows, clamped};
use super::strata;
use crate::edge_list::Edge;
use crate::engine::{self, Effort, FromI32, Limits, RelaxedDuals};

/// One vertex of so many is in the sample. A quarter would be cheaper, but its potentials are not close enough where
/// costs are near a product of two numbers.
const RATIO: usize = 2;
/// Problems up to this size are solved with all pairs.
const BASE: usize = 64;
/// Candidates of each vertex.
pub(super) const WIDTH: usize = 15;

/// Rounds of the relaxation on more and more pairs.
const ROUNDS: usize = 8;
/// A round was enough if it left no more than one vertex of so many without a match, or with a dual too great.
const FEW: usize = 20;
/// Times the relaxation may visit all its pairs.
const VISITS: u64 = 10;

/// What staying alone costs, in lanes, where that is possible.
pub(super) type Links<'l> = Option<&'l [i32]>;

/// Something else to do while one thread is busy and the others have nothing to do.
pub(super) type Beside<'b> = Option<&'b Aside<'b>>;

/// Potentials for all vertices, in half units of lanes, possibly too great on some pairs outside the sample.
fn extended(rows: &Rows<'_>, links: Links<'_>, workers: Workers, limits: &Limits<'_>, beside: Beside<'_>) -> Vec<i64> {
    let n = rows.len();
    if n <= BASE {
        return vec![0; n];
    }
    let picked = workers.beside(beside, || strata::sample(rows, RATIO));
    let sample = rows.sample(&picked, workers);
    let picked_links: Option<Vec<i32>> = links.map(|links| picked.iter().map(|&v| links[v]).collect());
    let below = relaxed(&sample, picked_links.as_deref(), workers, limits, beside).potentials;

    let mut addends = vec![FORBIDDEN; n];
    for (&v, &potential) in picked.iter().zip(&below) {
        addends[v] = -clamped(potential);
    }
    let form = rows.form().doubled();
    let mut potentials = vec![0i64; n];
    workers.for_rows(&mut potentials, 1, Vec::new, |scratch, i, out| {
        // Those of the sample are known.
        if addends[i] == FORBIDDEN {
            let row = rows.row(i, scratch);
            let before = least_sum(&row[..i], &addends[..i], form);
            // What stands on the diagonal is no lane.
            let behind = least_sum(&row[i + 1..], &addends[i + 1..], form);
            out[0] = i64::from(before.min(behind));
        }
    });
    for (&v, &potential) in picked.iter().zip(&below) {
        potentials[v] = potential;
    }
    potentials
}

/// Potentials that leave no reduced cost negative, and the pairs of least reduced cost.
#[derive(Debug)]
pub(super) struct Relaxed {
    pub(super) potentials: Vec<i64>,
    pub(super) candidates: Candidates,
    /// Whether all pairs have been looked at with these potentials, and hardly any would have them change.
    pub(super) is_settled: bool,
}

/// Potentials of the relaxation without odd sets.
pub(super) fn relaxed(
    rows: &Rows<'_>,
    links: Links<'_>,
    workers: Workers,
    limits: &Limits<'_>,
    beside: Beside<'_>,
) -> Relaxed {
    let potentials = extended(rows, links, workers, limits, beside);
    relax(rows, potentials, links, workers, limits, beside)
}

/// Solves the relaxation on the pairs that look cheapest, and on more and more pairs where it turns out that those were
/// not enough: two passes, and one more for each such round.
pub(super) fn relax(
    rows: &Rows<'_>,
    mut potentials: Vec<i64>,
    links: Links<'_>,
    workers: Workers,
    limits: &Limits<'_>,
    beside: Beside<'_>,
) -> Relaxed {
    let n = rows.len();
    let width = if n <= BASE { n - 1 } else { WIDTH.min(n - 1) };
    let is_few = |count: usize| count <= n / FEW;
    let mut pairs: Vec<(u32, u32, i32)> = Vec::new();
    let mut left = n;
    let mut is_stopped = false;
    for round in 0.. {
        let candidates = Candidates::collect(rows, &potentials, width, workers);
        let lacking = candidates.lower(&mut potentials);
        let relaxed = Relaxed {
            potentials,
            candidates,
            is_settled: is_few(lacking) && is_few(left),
        };
        // Where a limit was reached, many are left however many pairs there are.
        if round == ROUNDS || is_stopped || relaxed.is_settled {
            return relaxed;
        }
        let known = pairs.len();
        pairs.extend(relaxed.candidates.pairs(workers, beside));
        if round > 0 {
            pairs.sort_unstable();
            pairs.dedup();
            if pairs.len() == known {
                return relaxed;
            }
        }
        let solved = workers.beside(beside, || relax_on(&pairs, relaxed.potentials, links, limits));
        (potentials, left, is_stopped) = (solved.duals, solved.left, solved.stopped.is_some());
    }
    unreachable!("the last round returns")
}

/// Solves the relaxation on given pairs from feasible potentials.
fn relax_on(
    pairs: &[(u32, u32, i32)],
    mut potentials: Vec<i64>,
    links: Links<'_>,
    limits: &Limits<'_>,
) -> RelaxedDuals<i64> {
    let n = potentials.len();
    for (potential, &link) in potentials.iter_mut().zip(links.unwrap_or_default()) {
        *potential = (*potential).min(link.into());
    }
    // Pairs that cost something else the other way round are refused later: until then, nothing may break.
    for &(u, v, lane) in pairs {
        let lack = (2 * i64::from(lane) - potentials[u as usize] - potentials[v as usize]).min(0);
        potentials[u as usize] += lack;
    }
    let copies: u32 = if links.is_some() { 2 } else { 1 };
    let edge = |u, v, weight| Edge { u, v, weight };
    let mut edges: Vec<Edge<i32>> = Vec::with_capacity(copies as usize * pairs.len() + n);
    for copy in 0..copies {
        let shift = copy * n as u32;
        edges.extend(pairs.iter().map(|&(u, v, lane)| edge(u + shift, v + shift, lane)));
    }
    for (v, &link) in links.unwrap_or_default().iter().enumerate() {
        edges.push(edge(v as u32, (v + n) as u32, link));
    }
    let least = edges.iter().map(|edge| edge.weight).min().unwrap_or(0).min(0);
    let start = potentials.iter().cycle().take(n * copies as usize);
    let start: Vec<i64> = start.map(|&potential| potential - i64::from(least)).collect();
    let effort = Effort {
        visits: Some(VISITS),
        ..Effort::default()
    };
    let solved = engine::relax::<FromI32>(start.len(), &edges, least, &start, effort, limits);
    let mean = |v: usize| {
        let sum: i64 = (0..copies as usize).map(|copy| solved.duals[v + copy * n]).sum();
        sum.div_euclid(i64::from(copies)) + i64::from(least)
    };
    RelaxedDuals {
        duals: (0..n).map(mean).collect(),
        ..solved
    }
}
