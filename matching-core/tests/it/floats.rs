//! Floating-point costs: exact where they share a grid, a proven gap where they do not.

use matching_core::cost::DenseMatrix;
use matching_core::verify::{self, Claim, Number, VerifyError};
use matching_core::{
    Blossom, Budget, CancelToken, Certificate, CostValue, Degrees, EdgeList, Engine, Error, Objective, Precision,
    Status, StopReason, cost, oracle,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, Triple, graph, objectives, random_graph, solve_with};

/// How the weights of a series are drawn.
const KINDS: usize = 7;

fn draw(rng: &mut ChaCha8Rng, kind: usize) -> f64 {
    match kind {
        0 => rng.random_range(-1.0..1.0),
        1 => rng.random_range(0..100) as f64 / 10.0,
        2 => rng.random_range(-8..8) as f64 / 4.0,
        3 => 10f64.powi(rng.random_range(-12..12)) * rng.random_range(-1.0..1.0),
        4 => f64::from_bits(rng.random_range(0..1 << 20)),
        5 => 2f64.powi(rng.random_range(-300..300)),
        _ => rng.random_range(0.9..1.0) * f64::MAX / 1024.0,
    }
}

/// A random instance of an objective, with penalties or byes of the same kind.
fn instance(rng: &mut ChaCha8Rng, round: usize) -> (EdgeList<f64>, Objective<f64>) {
    let n = rng.random_range(2..=12);
    let kind = round % KINDS;
    let edges: Vec<Triple<f64>> = random_graph(rng, n, SHAPES[round / KINDS % 6], (0, 0))
        .into_iter()
        .map(|(u, v, _)| (u, v, draw(rng, kind)))
        .collect();
    let singles: Vec<f64> = (0..n).map(|_| draw(rng, kind)).collect();
    (
        graph(n, &edges),
        objectives(&singles, &singles)[round / KINDS / 6 % 6].clone(),
    )
}

/// Sum of absolute values that a total can have, for tolerances.
fn scale(edges: &EdgeList<f64>, objective: &Objective<f64>) -> f64 {
    let singles: &[f64] = match objective {
        Objective::MinOptOut(costs) | Objective::MinBye(costs) => costs,
        _ => &[],
    };
    edges
        .edges()
        .iter()
        .map(|edge| edge.weight.abs())
        .chain(singles.iter().map(|cost| cost.abs()))
        .fold(0.0, f64::max)
        * edges.len() as f64
}

#[test]
fn exact_answers_are_optimal_and_refusals_say_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let (mut exact, mut refused) = (0, 0);
    for round in 0..6_000 {
        let (edges, objective) = instance(&mut rng, round);
        let best = oracle::solve(&edges, &objective).expect("small enough");
        match Blossom::new().objective(objective.clone()).solve(&edges) {
            Ok(solution) => {
                assert_eq!(solution.verify(&edges), Ok(()), "{objective:?} {edges:?}");
                assert_eq!(solution.status(), Status::Optimal);
                let tolerance = scale(&edges, &objective) * f64::EPSILON * 16.0;
                assert!(
                    (solution.cost() - best.expect("feasible").cost).abs() <= tolerance,
                    "{edges:?}"
                );
                exact += 1;
            }
            Err(Error::PrecisionRequired { .. }) => refused += 1,
            Err(Error::NoPerfectMatching(_)) => assert_eq!(best, None),
            Err(error) => panic!("{error}: {objective:?} {edges:?}"),
        }
    }
    assert!(exact > 3_000 && refused > 300, "{exact} exact, {refused} refused");
}

#[test]
fn quantised_answers_lie_within_their_gap() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    let solver = Blossom::new().precision(Precision::Quantised);
    let mut rounded = 0;
    for round in 0..6_000 {
        let (edges, objective) = instance(&mut rng, round);
        let best = oracle::solve(&edges, &objective).expect("small enough");
        let Some(solution) = solve_with(&solver, &objective, &edges) else {
            assert_eq!(best, None);
            continue;
        };
        let (best, scale) = (best.expect("feasible").cost, scale(&edges, &objective));
        let sign = match objective {
            Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality => -1.0,
            _ => 1.0,
        };
        // What the oracle rounds when it adds.
        let noise = scale * f64::EPSILON * 16.0;
        let (cost, bound) = (sign * solution.cost(), sign * solution.bound());
        assert!(
            bound <= sign * best + noise && sign * best <= cost + noise,
            "{bound} {best} {cost} {edges:?}"
        );
        assert!(
            cost - bound <= scale * 1e-9,
            "a wide gap: {bound} {cost} {objective:?} {edges:?}"
        );
        match solution.status() {
            Status::Optimal => {}
            Status::Feasible(StopReason::Rounding) => rounded += 1,
            status => panic!("{status:?}"),
        }
    }
    assert!(rounded > 1_000, "{rounded}");
}

#[test]
fn narrow_floats_solve_as_wide_ones() {
    fn cost<V: CostValue>(objective: &Objective<V>, edges: &EdgeList<V>) -> Option<V::Total> {
        solve_with(&Blossom::new(), objective, edges).map(|solution| solution.cost())
    }
    let mut rng = ChaCha8Rng::seed_from_u64(47);
    for round in 0..600 {
        let n = rng.random_range(2..=20);
        let narrow: Vec<Triple<f32>> = random_graph(&mut rng, n, SHAPES[round % 6], (0, 0))
            .into_iter()
            .map(|(u, v, _)| (u, v, rng.random_range(-1.0f32..1.0)))
            .collect();
        let wide: Vec<Triple<f64>> = narrow.iter().map(|&(u, v, weight)| (u, v, f64::from(weight))).collect();
        let (narrow, wide) = (graph(n, &narrow), graph(n, &wide));
        assert_eq!(cost(&Objective::MaxWeight, &narrow), cost(&Objective::MaxWeight, &wide));
        assert_eq!(
            cost(&Objective::MinPerfect, &narrow),
            cost(&Objective::MinPerfect, &wide)
        );
    }
}

#[test]
fn the_oracle_refuses_penalties_that_are_no_numbers() {
    // It checked how many there are, and nothing else.
    let pair = EdgeList::new(2, [(0, 1, 1.0)]).unwrap();
    for objective in [
        Objective::MinOptOut(vec![0.0, f64::NAN]),
        Objective::MinBye(vec![0.0, f64::INFINITY]),
    ] {
        let found = oracle::solve(&pair, &objective);
        assert_eq!(found, Err(Error::PenaltyNotANumber { vertex: 1 }));
    }
}

#[test]
fn byes_that_nobody_takes_do_not_change_the_answer() {
    // The grid had to hold the byes of an even number of vertices too.
    let square = [(0, 1, 9.0), (2, 3, 9.0), (0, 2, 1.0), (1, 3, 1.0)];
    for precision in [Precision::Exact, Precision::Quantised] {
        for bye in [1e300, 1e-300] {
            let solver = Blossom::new().precision(precision);
            let solution = solver
                .objective(Objective::MinBye(vec![bye; 4]))
                .solve(&graph(4, &square));
            let solution = solution.unwrap();
            solution.verify(&graph(4, &square)).unwrap();
            assert_eq!((solution.cost(), solution.status()), (2.0, Status::Optimal), "{bye}");
        }
    }
}

/// What is left over of an even number pays no bye: those numbers are not on the grid of the costs.
#[test]
fn byes_of_an_even_number_count_for_nothing_when_stopped_either() {
    let token = CancelToken::new();
    token.cancel();
    for (edges, byes) in [
        (vec![(1, 2, 0.75)], vec![1.0, -0.375, 0.5, 0.875]),
        (vec![(0, 1, 1e-30), (1, 2, 1.0), (1, 3, 1.0)], vec![1e30; 4]),
        (
            vec![(0, 2, 1.2e-38), (0, 3, 1e-45), (2, 3, -0.0)],
            vec![1.2e-38, 3.4e38, -0.0, -3.4e38],
        ),
    ] {
        let list = graph(4, &edges);
        for (engine, precision) in [
            (Engine::Dense, Precision::Exact),
            (Engine::Sparse, Precision::Exact),
            (Engine::Dense, Precision::Quantised),
        ] {
            let solver = Blossom::new()
                .engine(engine)
                .precision(precision)
                .objective(Objective::MinBye(byes.clone()))
                .budget(Budget::new().cancel(token.clone()));
            let solution = match solver.solve(&list) {
                Ok(solution) => solution,
                Err(Error::NoPerfectMatching(_)) => continue,
                Err(Error::PrecisionRequired { .. }) if precision == Precision::Exact => continue,
                Err(error) => panic!("{error} {edges:?}"),
            };
            assert_eq!(solution.verify(&list), Ok(()), "{edges:?} {engine:?}");
        }
    }
}

/// The tolerance of a sum near the greatest float was infinite.
#[test]
fn a_cost_near_the_greatest_float_is_checked() {
    let edges = graph::<f64>(2, &[]);
    let objective = Objective::MinOptOut(vec![f64::MAX, 5e-324]);
    let certificate = Certificate::new(vec![1 << 53, 0, 1 << 53, 0], vec![0, 1, 2, 3], vec![], 972);
    for cost in [-f64::MAX, 0.0, f64::INFINITY, f64::NAN] {
        let claim = Claim {
            objective: &objective,
            mates: &[u32::MAX; 2],
            pairs: &[],
            cost,
            bound: -f64::MAX,
            status: Status::Feasible(StopReason::Rounding),
            certificate: &certificate,
        };
        assert!(
            matches!(verify::claim(&edges, &claim), Err(VerifyError::Cost { .. })),
            "{cost}"
        );
    }
}

/// Terms too far apart for integers of 128 bits: what is said of the total is true within `2^-52` of their absolute sum for
/// each of them, and nothing far beyond that is.
#[test]
fn totals_too_wide_to_be_added_up_are_taken_within_last_places() {
    let verdict = |weights: &[f64], cost: f64| {
        let n = 2 * weights.len();
        let edges = weights
            .iter()
            .enumerate()
            .map(|(pair, &weight)| (2 * pair, 2 * pair + 1, weight));
        let graph = EdgeList::new(n, edges).unwrap();
        let mates: Vec<u32> = (0..n as u32).map(|v| v ^ 1).collect();
        // On a grid of 2^1000 no weight is beyond 2^24 units.
        let certificate = Certificate::new(vec![-(1 << 25); n], (0..n as u32).collect(), vec![], 1000);
        let claim = Claim {
            objective: &Objective::MinPerfect,
            mates: &mates,
            pairs: graph.edges(),
            cost,
            bound: f64::NEG_INFINITY,
            status: Status::Feasible(StopReason::Rounding),
            certificate: &certificate,
        };
        verify::claim(&graph, &claim)
    };
    // The second one leaves the range on the way.
    for (weights, total) in [
        (&[1e200, 1.0][..], 1e200),
        (&[f64::MAX, f64::MAX, -f64::MAX, 1.0], f64::MAX),
    ] {
        for near in [total, total.next_down()] {
            assert_eq!(verdict(weights, near), Ok(()), "{near} for {weights:?}");
        }
        for far in [0.0, total * (1.0 - 1e-14), -total, f64::INFINITY, f64::NAN] {
            let refusal = verdict(weights, far).expect_err("far off");
            let VerifyError::Cost {
                required: Number::Float(required),
                ..
            } = refusal
            else {
                panic!("{refusal:?} for {far}");
            };
            assert!((required / total - 1.0).abs() < 1e-15, "{required} for {total}");
        }
    }
}

/// Edges are first looked at in floats. Where sums of duals are rounded there, or duals vanish, an edge that carries too much
/// by a little may not pass.
#[test]
fn an_edge_that_carries_too_much_is_found_where_floats_round() {
    let (three, far) = (3 * (1_i128 << 53), 1_i128 << 83);
    for (units, exponent, duals) in [
        // Each dual is a float, and the sum of both lies between two.
        (three / 2, 1, [(1 << 54) - 2, (1 << 53) + 4]),
        // One dual is rounded down by half of a last place, and the sum by another half.
        (far / 2, 1, [far - 3 * (1 << 29) - 1, (1 << 31) - 2]),
        // Half of the least float is none.
        (0, -1074, [1, 1]),
    ] {
        let weight = units as f64 * 2f64.powi(exponent);
        let edge = EdgeList::new(2, [(0, 1, weight)]).unwrap();
        let certificate = Certificate::new(duals.to_vec(), vec![0, 1], vec![], exponent);
        let slack = 2 * units - duals[0] - duals[1];
        assert!(slack < 0);
        assert_eq!(
            verify::certificate(&edge, &Objective::MinPerfect, &certificate),
            Err(VerifyError::Slack { u: 0, v: 1, slack })
        );
    }
}

/// A bound on true costs need not be a float. The nearest one was accepted where it lies above: no answer was said to be
/// better than a number that the best one is below.
#[test]
fn a_bound_that_rounding_made_better_is_refused() {
    // Five pairs that must be; on a grid of 2, each weight is rounded up by half a unit.
    let (n, weight, best) = (10, 1_801_439_850_948_199.0, 9_007_199_254_740_995_i128);
    let is_accepted = |sign: f64, objective: Objective<f64>, bound: f64| {
        let edges = (0..n).step_by(2).map(|u| (u, u + 1, sign * weight));
        let graph = EdgeList::new(n, edges).unwrap();
        let pairs: Vec<_> = graph.edges().to_vec();
        let mates: Vec<u32> = (0..n as u32).map(|v| v ^ 1).collect();
        let certificate = Certificate::new(vec![900_719_925_474_100; n], (0..n as u32).collect(), Vec::new(), 1);
        let claim = Claim {
            objective: &objective,
            mates: &mates,
            pairs: &pairs,
            cost: sign * best as f64,
            bound,
            status: Status::Feasible(StopReason::Rounding),
            certificate: &certificate,
        };
        verify::claim(&graph, &claim).is_ok()
    };
    let nearest = best as f64;
    assert!(nearest as i128 > best);
    for (sign, objective) in [(1.0, Objective::MinPerfect), (-1.0, Objective::MaxPerfect)] {
        assert!(!is_accepted(sign, objective.clone(), sign * nearest));
        assert!(is_accepted(sign, objective, sign * nearest.next_down()));
    }
}

/// The solver added up exactly as far as 126 bits go and the checker as far as 127 do, which refused what lies between.
#[test]
fn costs_at_the_end_of_exact_sums_are_verified() {
    for exponent in 120..132 {
        for sign in [1.0, -1.0] {
            // The last of them decides whether the sum is rounded up.
            let high = sign * (2f64.powi(exponent) + 2f64.powi(exponent - 51));
            let half = sign * 2f64.powi(exponent - 53);
            let terms = [high, half, sign];
            for first in 0..3 {
                let weight = |pair: usize| terms[(first + pair) % 3];
                let edges: Vec<Triple<f64>> = (0..3).map(|pair| (2 * pair, 2 * pair + 1, weight(pair))).collect();
                let edges = graph(6, &edges);
                for objective in [Objective::MinPerfect, Objective::MaxPerfect] {
                    let solver = Blossom::new().precision(Precision::Quantised).objective(objective);
                    let solution = solver.solve(&edges).unwrap();
                    assert_eq!(solution.verify(&edges), Ok(()), "{edges:?}");
                    if exponent < 127 {
                        assert_eq!(solution.cost(), high + 2.0 * half, "{edges:?}");
                    }
                }
            }
        }
    }
}

/// Where differences of costs left 128 bits, the dense engine said that integers did not fit, which names no way out.
#[test]
fn floats_that_need_too_many_bits_are_refused_as_such_by_every_engine() {
    let far = 1.5 * 2f64.powi(126);
    let list = graph(
        4,
        &[
            (0, 1, far),
            (2, 3, 1.0),
            (0, 2, -far),
            (1, 3, 1.0),
            (0, 3, 0.0),
            (1, 2, 0.0),
        ],
    );
    let weight = |i: usize, j: usize| {
        list.iter()
            .find(|edge| (edge.0, edge.1) == (i, j))
            .map_or(0.0, |edge| edge.2)
    };
    let matrix = cost::from_symmetric_fn(4, weight);
    for engine in [Engine::Sparse, Engine::Auto, Engine::Dense] {
        let solver = Blossom::new().engine(engine);
        for found in [solver.solve(&list), solver.solve(&matrix)] {
            assert!(
                matches!(found, Err(Error::PrecisionRequired { .. })),
                "{engine:?}: {found:?}"
            );
        }
    }
}

/// It was told of the first cost that does not fit, whichever that was, and without room for sums.
#[test]
fn the_bits_that_are_needed_are_those_of_all_costs() {
    let far = [(0, 1, 1.0), (2, 3, f64::MAX), (0, 2, f64::from_bits(1)), (1, 3, 1.0)];
    let mut turned = far;
    turned.reverse();
    // From 2^-1074 to below 2^1024, and 8 (4 + 2) 3 as many.
    let refusal = Err(Error::PrecisionRequired { bits_needed: 2098 + 8 });
    for edges in [far, turned] {
        let list = EdgeList::new(4, edges).unwrap();
        let mut matrix = DenseMatrix::square(4, vec![1.0; 16]).unwrap();
        for (u, v, weight) in edges {
            matrix.set_pair(u, v, weight);
        }
        for engine in [Engine::Auto, Engine::Sparse, Engine::Dense] {
            let solver = Blossom::new().engine(engine);
            assert_eq!(solver.solve(&list).map(|found| found.cost()), refusal, "{engine}");
            assert_eq!(solver.solve(&matrix).map(|found| found.cost()), refusal, "{engine}");
        }
        let found = Blossom::new().solve_degrees(&list, &Degrees::exactly(vec![2; 4]));
        let Err(Error::PrecisionRequired { bits_needed }) = found else {
            panic!("{found:?}")
        };
        assert!(bits_needed > 2098);
    }
}
