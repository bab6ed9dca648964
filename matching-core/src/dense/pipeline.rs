//! The exact solve on all pairs: search on few of them, price the rest, take up what was missing, go on.

use super::candidates::Candidates;
use super::lanes::FORBIDDEN;
use super::levels::{WIDTH, relaxed};
use super::parallel::Workers;
use super::pricing::{Prices, Violated, violated};
use super::rows::{Rows, clamped};
use crate::certificate::Certificate;
use crate::edge_list::Edge;
use crate::engine::{Dual, Effort, Failure, From, Limits, Numbers, Outcome, Search, Warm};
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// The start may visit the few edges there are so many times: what it leaves to the blossom search is dearer.
const START_VISITS: u64 = 40;
/// Pairs taken up for each vertex where the edges so far admit no perfect matching.
const ESCAPES: usize = 8;

/// A minimum-weight perfect matching problem on all pairs of a matrix, in one or two copies, and some further edges.
pub(super) struct Problem<'p, N: Numbers> {
    pub(super) rows: &'p Rows<'p>,
    /// Copies of the matrix's vertices: vertex `v` of copy `k` is `v + k n`.
    pub(super) copies: usize,
    /// Vertices in all; one more than the copies have where there is a bye.
    pub(super) vertices: usize,
    /// Edges that are no pairs of the matrix.
    pub(super) extra: Vec<Edge<N::Weight>>,
    /// What staying alone costs, in lanes, where there are two copies.
    pub(super) links: Option<Vec<i32>>,
    /// The exact weight of a pair of the matrix.
    pub(super) weight: &'p (dyn Fn(usize, usize) -> N::Weight + Sync),
    /// The least of all weights, and the least of the matrix, which is no less.
    pub(super) least: N::Weight,
    pub(super) least_of_rows: i128,
    /// Bits that lanes lack.
    pub(super) down: u32,
    /// Whether every pair is allowed.
    pub(super) is_complete: bool,
    pub(super) workers: Workers,
}

/// The solve under way; one method per step.
pub(super) struct Pipeline<'p, N: Numbers> {
    problem: &'p Problem<'p, N>,
    limits: &'p Limits<'p>,
    edges: Vec<Edge<N::Weight>>,
    /// Potentials in half units of lanes that leave no reduced cost negative.
    potentials: Vec<i64>,
}

impl<'p, N: Numbers> Pipeline<'p, N> {
    pub(super) fn new(problem: &'p Problem<'p, N>, limits: &'p Limits<'p>) -> Self {
        Self {
            problem,
            limits,
            edges: Vec::new(),
            potentials: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Result<Outcome, Failure> {
        let t0 = std::time::Instant::now();
        self.choose_candidates();
        let dbg = std::env::var("DBG").is_ok();
        if dbg {
            eprintln!("candidates {:?} m {}", t0.elapsed(), self.edges.len());
        }
        let start = self.start_duals();
        let mut warm: Option<Warm<N::Dual>> = None;
        // Arc visits of the searches, and entries of the matrix that were read.
        let mut work = 3 * self.entries();
        loop {
            let from = warm.as_ref().map_or(From::Duals(&start), From::Warm);
            let effort = Effort {
                visits: Some(START_VISITS),
                ..Effort::default()
            };
            let n = self.problem.vertices;
            let search = match Search::<N>::run(n, &self.edges, self.problem.least, from, effort, self.limits) {
                Ok(search) => search,
                Err(Failure::Infeasible(witness)) => {
                    let escapes = self.escapes(&witness);
                    if escapes.is_empty() {
                        return Err(Failure::Infeasible(witness));
                    }
                    self.edges.extend(escapes);
                    warm = None;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            work += search.work();
            if let Some(reason) = search.stopped.or_else(|| self.limits.reached(work)) {
                return Ok(self.give_up(search, reason, work));
            }
            let mut state = search.warm();
            let t1 = std::time::Instant::now();
            let missing = self.price(&state);
            if dbg {
                eprintln!(
                    "  searched by {:?}, priced in {:?}, missing {} blossoms {}",
                    t0.elapsed(),
                    t1.elapsed(),
                    missing.len(),
                    state.blossom_count()
                );
            }
            work += self.problem.copies as u64 * self.entries() / 2;
            if missing.is_empty() {
                return Ok(Outcome {
                    certificate: search.certificate(),
                    stopped: None,
                    work,
                    mates: search.into_mates(),
                });
            }
            drop(search);
            self.take_up(&missing, &mut state);
            warm = Some(state);
        }
    }

    /// Entries of the matrix.
    fn entries(&self) -> u64 {
        let n = self.problem.rows.len() as u64;
        n * n
    }

    /// The pairs that look cheapest, and a perfect matching where that is no question.
    fn choose_candidates(&mut self) {
        let Problem { rows, workers, .. } = *self.problem;
        let n = rows.len();
        self.potentials = relaxed(rows, self.problem.links.as_deref(), workers, self.limits);
        let candidates = Candidates::collect(rows, &self.potentials, WIDTH.min(n - 1), workers);
        candidates.lower(&mut self.potentials);
        let mut pairs: Vec<(u32, u32, i32)> = candidates.pairs().collect();
        if self.problem.is_complete && self.problem.copies == 1 {
            let mut scratch = Vec::new();
            for u in (0..n - n % 2).step_by(2) {
                let known = candidates.has(u, u + 1);
                if !known {
                    let lane = rows.form().lane(rows.row(u, &mut scratch)[u + 1]);
                    pairs.push((u as u32, u as u32 + 1, lane));
                }
            }
        }
        self.edges
            .reserve(pairs.len() * self.problem.copies + self.problem.extra.len());
        for copy in 0..self.problem.copies {
            let shift = (copy * n) as u32;
            for &(u, v, _) in &pairs {
                self.edges.push(Edge {
                    u: u + shift,
                    v: v + shift,
                    weight: (self.problem.weight)(u as usize, v as usize),
                });
            }
        }
        self.edges.extend_from_slice(&self.problem.extra);
    }

    /// Duals for the first search: the potentials, lowered where a further edge asks for it.
    fn start_duals(&self) -> Vec<N::Dual> {
        let problem = self.problem;
        let base = problem.least_of_rows - problem.least.into();
        let widened = |potential: i64| -> i128 { (i128::from(potential) << problem.down) + base };
        let mut duals: Vec<i128> = Vec::with_capacity(problem.vertices);
        for _ in 0..problem.copies {
            duals.extend(self.potentials.iter().map(|&potential| widened(potential)));
        }
        duals.resize(problem.vertices, i128::MAX);
        for edge in &problem.extra {
            let room = edge.weight.into() - problem.least.into();
            let (u, v) = (edge.u as usize, edge.v as usize);
            if duals[v] == i128::MAX || edge.v as usize == problem.copies * problem.rows.len() {
                // The vertex of the byes takes what the dearest leaves.
                duals[v] = duals[v].min(2 * room - duals[u]);
            } else {
                duals[u] = duals[u].min(room);
                duals[v] = duals[v].min(room);
            }
        }
        duals.into_iter().map(N::Dual::from_i128).collect()
    }

    /// Pairs outside the edges whose slack is negative, in every copy.
    fn price(&self, state: &Warm<N::Dual>) -> Vec<Violated<N::Dual>> {
        let problem = self.problem;
        let n = problem.rows.len();
        let base = problem.least_of_rows - problem.least.into();
        let mut all = Vec::new();
        for copy in 0..problem.copies {
            let totals = &state.totals()[copy * n..][..n];
            let prices = Prices::new(
                totals.iter().map(|&total| {
                    let total: i128 = total.into();
                    total - base
                }),
                problem.down,
            );
            let slack = |u: usize, v: usize| {
                let weight = N::doubled(N::shifted((problem.weight)(u, v), problem.least));
                state.slack((u + copy * n) as u32, (v + copy * n) as u32, weight)
            };
            let found = violated(problem.rows, &prices, slack, problem.workers);
            all.extend(found.into_iter().map(|pair| Violated {
                u: pair.u.min(pair.v) + (copy * n) as u32,
                v: pair.u.max(pair.v) + (copy * n) as u32,
                slack: pair.slack,
            }));
        }
        all.sort_unstable_by_key(|pair| (pair.slack, pair.u, pair.v));
        all.dedup_by_key(|pair| (pair.u, pair.v));
        all
    }

    /// Makes edges of pairs and mends the state, so that no slack is negative.
    fn take_up(&mut self, missing: &[Violated<N::Dual>], state: &mut Warm<N::Dual>) {
        let n = self.problem.rows.len();
        for pair in missing {
            let (u, v) = (pair.u as usize % n, pair.v as usize % n);
            let weight = (self.problem.weight)(u, v);
            state.admit(pair.u, pair.v, N::doubled(N::shifted(weight, self.problem.least)));
            self.edges.push(Edge {
                u: pair.u,
                v: pair.v,
                weight,
            });
        }
    }

    /// Pairs that join an odd component of a witness to what it may not reach, the cheapest of each vertex.
    fn escapes(&self, witness: &TutteBerge) -> Vec<Edge<N::Weight>> {
        let problem = self.problem;
        let n = problem.rows.len();
        let mut part = vec![usize::MAX; problem.vertices];
        for (name, component) in witness.odd_components().iter().enumerate() {
            component.iter().for_each(|&v| part[v] = name);
        }
        let removed = usize::MAX - 1;
        witness.removed().iter().for_each(|&v| part[v] = removed);
        let mut scratch = Vec::new();
        let mut found: Vec<(u32, u32)> = Vec::new();
        for u in (0..problem.copies * n).filter(|&u| part[u] < removed) {
            let (copy, i) = (u / n, u % n);
            let row = problem.rows.row(i, &mut scratch);
            let mut out: Vec<(i32, u32)> = (0..n)
                .filter(|&j| j != i && part[copy * n + j] != part[u] && part[copy * n + j] != removed)
                .map(|j| (problem.rows.form().lane(row[j]), (copy * n + j) as u32))
                .filter(|&(lane, _)| lane < FORBIDDEN)
                .collect();
            if out.len() > ESCAPES {
                out.select_nth_unstable(ESCAPES);
                out.truncate(ESCAPES);
            }
            found.extend(out.iter().map(|&(_, v)| (v.min(u as u32), v.max(u as u32))));
        }
        found.sort_unstable();
        found.dedup();
        found
            .into_iter()
            .map(|(u, v)| Edge {
                u,
                v,
                weight: (problem.weight)(u as usize % n, v as usize % n),
            })
            .collect()
    }

    /// What there is when a limit is reached: the matching so far, and a bound that holds for all pairs.
    fn give_up(&self, search: Search<'_, N>, reason: StopReason, work: u64) -> Outcome {
        let problem = self.problem;
        let n = problem.rows.len();
        let base = problem.least_of_rows - problem.least.into();
        // Without blossoms, duals hold on the pairs that were edges; one more pass lowers them until they hold on all.
        let mut duals: Vec<i128> = search.certificate().vertex_duals().to_vec();
        let least: i128 = problem.least.into();
        for copy in 0..problem.copies {
            let part = &mut duals[copy * n..][..n];
            let mut potentials: Vec<i64> = part
                .iter()
                .map(|&dual| {
                    i64::from(clamped(
                        ((dual - least - base) >> problem.down).clamp(i64::MIN.into(), i64::MAX.into()) as i64,
                    ))
                })
                .collect();
            let candidates = Candidates::collect(problem.rows, &potentials, 1, problem.workers);
            candidates.lower(&mut potentials);
            for (dual, potential) in part.iter_mut().zip(potentials) {
                *dual = (*dual).min((i128::from(potential) << problem.down) + base + least);
            }
        }
        let order = (0..problem.vertices as u32).collect();
        Outcome {
            certificate: Certificate::new(duals, order, Vec::new(), 0),
            stopped: Some(reason),
            work,
            mates: search.into_mates(),
        }
    }
}
