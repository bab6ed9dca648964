//! One way to solve in every test, always checked; and seeded random graphs.

use matching_core::{Blossom, CostValue, EdgeList, Error, Instance, Objective, Solution, verify};
use rand::Rng;
use rand::seq::SliceRandom;

/// Edges as they are written down: two ends and a weight.
pub(crate) type Triple<V = i64> = (usize, usize, V);

/// Solves with the given solver and checks whatever comes out: an answer, or a witness (then `None`).
#[track_caller]
pub(crate) fn solve_with<I, V>(solver: &Blossom<V>, objective: &Objective<V>, instance: &I) -> Option<Solution<V>>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    checked(objective, instance, unchecked(solver, objective, instance))
}

/// What the given solver says: for what must be equal to something that is checked, down to the certificate.
pub(crate) fn unchecked<I, V>(solver: &Blossom<V>, objective: &Objective<V>, instance: &I) -> Result<Solution<V>, Error>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    solver.clone().objective(objective.clone()).solve(instance)
}

/// Checks what a solver said.
#[track_caller]
pub(crate) fn checked<I, V>(
    objective: &Objective<V>,
    instance: &I,
    found: Result<Solution<V>, Error>,
) -> Option<Solution<V>>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    match found {
        Ok(solution) => {
            solution
                .verify(instance)
                .unwrap_or_else(|error| panic!("answer refused ({objective:?}): {error}"));
            assert_eq!(solution.objective(), objective);
            Some(solution)
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(instance, objective, &witness)
                .unwrap_or_else(|error| panic!("witness refused ({objective:?}): {error}, {witness:?}"));
            None
        }
        Err(error) => panic!("no answer ({objective:?}): {error:?}"),
    }
}

/// Solves to proven optimality, or to a checked witness (then `None`).
#[track_caller]
pub(crate) fn solve<I, V>(objective: &Objective<V>, instance: &I) -> Option<Solution<V>>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    let solution = solve_with(&Blossom::new(), objective, instance);
    assert!(
        solution.as_ref().is_none_or(Solution::is_optimal),
        "not optimal ({objective:?})"
    );
    solution
}

/// The optimum of an integer instance, `None` if there is no such matching.
#[track_caller]
pub(crate) fn optimum(objective: &Objective<i64>, n: usize, edges: &[Triple]) -> Option<i128> {
    solve(objective, &graph(n, edges)).map(|solution| solution.cost())
}

/// A simple graph.
#[track_caller]
pub(crate) fn graph<V: CostValue>(n: usize, edges: &[Triple<V>]) -> EdgeList<V> {
    EdgeList::new(n, edges.iter().copied()).expect("a valid graph")
}

/// All six objectives, with these penalties and byes.
pub(crate) fn objectives<V: CostValue>(penalties: &[V], byes: &[V]) -> [Objective<V>; 6] {
    [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(penalties.to_vec()),
        Objective::MinBye(byes.to_vec()),
    ]
}

/// Shapes of random graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Each pair with the same probability, in percent.
    Uniform(u32),
    /// A cycle with chords.
    NearCycle,
    /// Triangles in a chain, joined at random corners.
    Triangles,
    /// A perfect matching and twice as many random edges.
    Planted,
    /// Every pair.
    Complete,
}

pub(crate) const SHAPES: [Shape; 6] = [
    Shape::Uniform(15),
    Shape::Uniform(50),
    Shape::NearCycle,
    Shape::Triangles,
    Shape::Planted,
    Shape::Complete,
];

/// Ranges of random weights; narrow ones make ties, which is where matching codes break.
pub(crate) const WEIGHTS: [(i64, i64); 6] = [(0, 0), (0, 1), (0, 3), (-10, 10), (-500, 500), (1, 1_000_000)];

/// A random simple graph.
pub(crate) fn random_graph(rng: &mut impl Rng, n: usize, shape: Shape, (low, high): (i64, i64)) -> Vec<Triple> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let random_pairs = |rng: &mut _, count: usize, pairs: &mut Vec<(usize, usize)>| {
        for _ in 0..if n < 2 { 0 } else { count } {
            let u = Rng::random_range(rng, 0..n);
            let v = (u + Rng::random_range(rng, 1..n)) % n;
            pairs.push((u, v));
        }
    };
    match shape {
        Shape::Uniform(_) | Shape::Complete => {
            let percent = if let Shape::Uniform(percent) = shape {
                percent
            } else {
                100
            };
            let all = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
            pairs.extend(all.filter(|_| rng.random_range(0..100) < percent));
        }
        Shape::NearCycle => {
            pairs.extend((0..n).map(|v| (v, (v + 1) % n)));
            random_pairs(rng, n / 4 + 1, &mut pairs);
        }
        Shape::Triangles => {
            let corner = |rng: &mut _, t: usize| 3 * t + Rng::random_range(rng, 0..3);
            for t in 0..n / 3 {
                pairs.extend([(3 * t, 3 * t + 1), (3 * t, 3 * t + 2), (3 * t + 1, 3 * t + 2)]);
                if t > 0 {
                    pairs.push((corner(rng, t - 1), corner(rng, t)));
                }
            }
            random_pairs(rng, n % 3 + n / 12, &mut pairs);
        }
        Shape::Planted => {
            let mut order: Vec<usize> = (0..n).collect();
            order.shuffle(rng);
            pairs.extend(order.chunks_exact(2).map(|pair| (pair[0], pair[1])));
            random_pairs(rng, n, &mut pairs);
        }
    }
    for pair in &mut pairs {
        *pair = (pair.0.min(pair.1), pair.0.max(pair.1));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|(u, v)| u != v);
    pairs.shuffle(rng);
    pairs
        .into_iter()
        .map(|(u, v)| (u, v, rng.random_range(low..=high)))
        .collect()
}
