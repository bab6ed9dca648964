//! The checker refuses answers that were tampered with.

use matching_core::verify::{self, Claim};
use matching_core::{Certificate, Edge, EdgeList, Objective, OddSet, Solution, Status};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, WEIGHTS, graph, objectives, random_graph, solve};

/// An answer in parts that can be changed.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) objective: Objective<i64>,
    pub(crate) mates: Vec<u32>,
    pub(crate) pairs: Vec<Edge<i64>>,
    pub(crate) cost: i128,
    pub(crate) bound: i128,
    pub(crate) duals: Vec<i128>,
    pub(crate) order: Vec<u32>,
    pub(crate) sets: Vec<OddSet>,
    pub(crate) exponent: i32,
}

impl Parts {
    pub(crate) fn new(solution: &Solution<i64>) -> Self {
        let certificate = solution.certificate();
        let mate = |v: usize| solution.mate(v).map_or(u32::MAX, |mate| mate as u32);
        let pairs = solution.pairs().map(|(u, v, weight)| Edge {
            u: u as u32,
            v: v as u32,
            weight,
        });
        Self {
            objective: solution.objective().clone(),
            mates: (0..solution.len()).map(mate).collect(),
            pairs: pairs.collect(),
            cost: solution.cost(),
            bound: solution.bound(),
            duals: certificate.vertex_duals().to_vec(),
            order: certificate.order().to_vec(),
            sets: certificate.odd_sets().to_vec(),
            exponent: certificate.exponent(),
        }
    }

    fn is_accepted(&self, graph: &EdgeList<i64>) -> bool {
        self.with_claim(|claim| verify::claim(graph, claim).is_ok())
    }

    /// Shows the parts as a claim.
    pub(crate) fn with_claim<T>(&self, look: impl FnOnce(&Claim<'_, i64>) -> T) -> T {
        let certificate = Certificate::new(self.duals.clone(), self.order.clone(), self.sets.clone(), self.exponent);
        look(&Claim {
            objective: &self.objective,
            mates: &self.mates,
            pairs: &self.pairs,
            cost: self.cost,
            bound: self.bound,
            status: Status::Optimal,
            certificate: &certificate,
        })
    }
}

/// One corruption that leaves no valid proof; `false` if the answer offers no place for it.
///
/// Every one of them changes the dual objective, the primal one, or the form. (Exchanging two vertices inside one odd
/// set, say, would leave a valid certificate, and is therefore none of them.)
pub(crate) fn corrupt(parts: &mut Parts, kind: usize, rng: &mut ChaCha8Rng) -> bool {
    let n = parts.duals.len();
    let any = |rng: &mut ChaCha8Rng, len: usize| rng.random_range(0..len);
    match kind {
        0 => parts.duals[any(rng, n)] += 1,
        1 => parts.duals[any(rng, n)] -= 1,
        2 => parts.cost += [-1, 1][any(rng, 2)],
        3 => parts.bound += [-1, 1][any(rng, 2)],
        4 => parts.exponent = [-1, 1, 7][any(rng, 3)],
        5 => parts.order.truncate(n - 1),
        6 => parts.duals.truncate(n - 1),
        7 => parts.order[any(rng, n)] = n as u32,
        8 => parts.mates.truncate(parts.mates.len() - 1),
        9 => {
            // Vertex duals of one vertex go up, of another down: same sum, broken slack or tightness.
            let (a, b) = (any(rng, n), any(rng, n));
            if a == b || n < 4 {
                return false;
            }
            let shift = i128::from(u64::MAX);
            parts.duals[a] += shift;
            parts.duals[b] -= shift;
            // An isolated vertex pair may stand this in a doubled graph, so its sum is broken too.
            parts.duals[b] += 1;
        }
        10..=14 if parts.sets.is_empty() => return false,
        10 => {
            let at = any(rng, parts.sets.len());
            parts.sets.remove(at);
        }
        11 => {
            let at = any(rng, parts.sets.len());
            parts.sets[at].dual = -parts.sets[at].dual;
        }
        12 => {
            let at = any(rng, parts.sets.len());
            parts.sets[at].dual += 1;
        }
        13 => {
            let at = any(rng, parts.sets.len());
            parts.sets[at].len += 1;
        }
        14 => {
            let at = any(rng, parts.sets.len());
            parts.sets[at].start = n as u32;
        }
        15..=17 if parts.pairs.is_empty() => return false,
        15 => {
            let at = any(rng, parts.pairs.len());
            parts.pairs[at].weight += 1;
        }
        16 => {
            let at = any(rng, parts.pairs.len());
            parts.pairs.remove(at);
        }
        _ => {
            let at = any(rng, parts.pairs.len());
            let (u, v) = (parts.pairs[at].u as usize, parts.pairs[at].v as usize);
            parts.mates[u] = u as u32;
            parts.mates[v] = u32::MAX;
        }
    }
    true
}

pub(crate) const KINDS: usize = 18;

#[test]
fn ten_thousand_of_ten_thousand_corrupted_answers_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut refused, mut kinds) = (0, [0usize; KINDS]);
    let mut round = 0usize;
    while refused < 10_000 {
        round += 1;
        let n = rng.random_range(4..=24) & !1;
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let penalties: Vec<i64> = (0..n).map(|_| rng.random_range(0..5)).collect();
        let objective = objectives(&penalties, &penalties)[round / 36 % 6].clone();
        let Some(solution) = solve(&objective, &graph) else {
            continue;
        };
        let whole = Parts::new(&solution);
        assert!(whole.is_accepted(&graph));
        for (kind, count) in kinds.iter_mut().enumerate() {
            let mut parts = whole.clone();
            if corrupt(&mut parts, kind, &mut rng) {
                assert!(!parts.is_accepted(&graph), "round {round}, kind {kind}: {parts:?}");
                refused += 1;
                *count += 1;
            }
        }
    }
    assert!(
        kinds.iter().all(|&count| count > 50),
        "every kind of corruption was tried: {kinds:?}"
    );
}
