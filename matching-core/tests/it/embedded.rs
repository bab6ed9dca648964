//! Things in space: the same answers as from all pairs, through an index.

use std::sync::atomic::{AtomicU64, Ordering};

use matching_core::cost::{Embedded, Norm, Points};
use matching_core::{Blossom, Budget, Cost, Edge, Error, Objective, Status, verify};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::corrupted::{KINDS, Parts, corrupt};

/// Points of one of several shapes: spread, in tight clusters, on a line, many in one place.
fn points<const D: usize>(rng: &mut ChaCha8Rng, n: usize) -> Vec<[f64; D]> {
    let shape = rng.random_range(0..4);
    let centres: Vec<[f64; D]> = (0..3)
        .map(|_| core::array::from_fn(|_| rng.random_range(-1000.0..1000.0)))
        .collect();
    (0..n)
        .map(|i| {
            core::array::from_fn(|axis| match shape {
                0 => rng.random_range(0.0..100.0),
                1 => centres[i % 3][axis] + rng.random_range(0.0..2.0),
                2 if axis > 0 => 0.0,
                2 => rng.random_range(0.0..50.0),
                _ => f64::from(rng.random_range(0..3u8)),
            })
        })
        .collect()
}

fn compare<C: Embedded<D>, const D: usize>(cost: &C, objective: &Objective<i64>) {
    let solver = Blossom::new().objective(objective.clone());
    let (near, all) = (solver.solve_embedded(cost), solver.solve(cost));
    match (near, all) {
        (Ok(near), Ok(all)) => {
            near.verify(cost).unwrap();
            near.verify_embedded(cost).unwrap();
            all.verify_embedded(cost).unwrap();
            assert_eq!(
                (near.cost(), near.bound(), near.status()),
                (all.cost(), all.bound(), all.status())
            );
        }
        (Err(Error::NoPerfectMatching(near)), Err(Error::NoPerfectMatching(_))) => {
            verify::infeasibility(cost, objective, &near).unwrap();
        }
        (near, all) => panic!("{near:?} but {all:?}"),
    }
}

fn many<const D: usize>(seed: u64, cases: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for case in 0..cases {
        let n = rng.random_range(2..if case % 20 == 0 { 200 } else { 40 });
        let norm = [Norm::Euclidean, Norm::Manhattan, Norm::Chebyshev][case % 3];
        let scale = [1.0, 1000.0, 0.01][rng.random_range(0..3)];
        let cost = Points::new(points::<D>(&mut rng, n)).unwrap();
        let cost = cost.norm(norm).unwrap().scale(scale).unwrap();
        let mut singles = || (0..n).map(|_| rng.random_range(-5..100)).collect();
        let objective = match case % 4 {
            0 | 1 => Objective::MinPerfect,
            2 => Objective::MinBye(singles()),
            _ => Objective::MinOptOut(singles()),
        };
        match case % 5 {
            0 => {
                let density = rng.random_range(2..12);
                let is_allowed = |i: usize, j: usize| (i.min(j) * 31 + i.max(j) * 17) % 12 < density;
                compare(&(&cost).restricted(is_allowed), &objective);
            }
            _ => compare(&cost, &objective),
        }
    }
}

#[test]
fn in_one_dimension() {
    many::<1>(1, 300);
}

#[test]
fn in_the_plane() {
    many::<2>(2, 400);
}

#[test]
fn in_space() {
    many::<3>(3, 200);
}

#[test]
fn five_thousand_points_are_certified_on_all_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let points = (0..5000).map(|_| [rng.random::<f64>(), rng.random::<f64>()]).collect();
    let cost = Points::new(points).unwrap().scale(1e6).unwrap();
    let solution = Blossom::new().solve_embedded(&cost).unwrap();
    assert!(solution.is_optimal());
    solution.verify(&cost).unwrap();
    solution.verify_embedded(&cost).unwrap();
}

/// Both checkers, and what they say of an answer in parts.
fn judge<C: Embedded<D>, const D: usize>(cost: &C, parts: &Parts) -> bool {
    let by_all = parts.with_claim(|claim| verify::claim(cost, claim));
    let by_near = parts.with_claim(|claim| verify::claim_embedded(cost, claim));
    assert_eq!(by_all.is_ok(), by_near.is_ok(), "{by_all:?}, {by_near:?}: {parts:?}");
    by_all.is_ok()
}

/// Answers that were changed, and some that are still true: a dual goes up at one end of a pair, and as far down at the other.
fn judged<const D: usize>(seed: u64, cases: usize) -> [usize; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut verdicts = [0, 0];
    for case in 0..cases {
        let n = 2 * rng.random_range(1..25);
        let cost = Points::new(points::<D>(&mut rng, n)).unwrap();
        let cost = cost
            .norm([Norm::Euclidean, Norm::Manhattan, Norm::Chebyshev][case % 3])
            .unwrap();
        let cost = cost.scale([1.0, 1000.0][case % 2]).unwrap();
        let cost = (&cost).restricted(|i, j| case % 4 > 0 || (i + j) % 5 > 0);
        let mut singles = || (0..n).map(|_| rng.random_range(-5..100)).collect();
        let objective = match case % 5 {
            0 | 1 => Objective::MinPerfect,
            2 => Objective::MinBye(singles()),
            3 => Objective::MinOptOut(singles()),
            _ => Objective::MaxWeight,
        };
        let Ok(solution) = Blossom::new().objective(objective).solve_embedded(&cost) else {
            continue;
        };
        let whole = Parts::new(&solution);
        assert!(judge(&cost, &whole));
        for kind in 0..KINDS {
            let mut parts = whole.clone();
            if corrupt(&mut parts, kind, &mut rng) {
                assert!(!judge(&cost, &parts), "{kind}: {parts:?}");
            }
        }
        for &pair in &whole.pairs {
            let mut parts = whole.clone();
            let shift = [1, 7, 60, 500, 40_000][rng.random_range(0..5)];
            parts.duals[pair.u as usize] += shift;
            parts.duals[pair.v as usize] -= shift;
            verdicts[usize::from(judge(&cost, &parts))] += 1;
        }
    }
    verdicts
}

#[test]
fn answers_are_judged_as_on_all_pairs() {
    let mut all = [0, 0];
    for verdicts in [
        judged::<1>(31, 200),
        judged::<2>(32, 300),
        judged::<3>(33, 200),
        judged::<8>(34, 60),
    ] {
        all = [all[0] + verdicts[0], all[1] + verdicts[1]];
    }
    assert!(all.iter().all(|&count| count > 300), "{all:?}");
}

/// Sums of two duals were refused where they left 128 bits, though nobody may form the pair.
#[test]
fn duals_as_great_as_can_be_are_judged_as_on_all_pairs() {
    let points = Points::new((0..24).map(|i| [f64::from(i) * 100.0]).collect()).unwrap();
    let cost = (&points).restricted(|i, j| (i + j) % 2 > 0);
    let whole = Parts::new(&Blossom::new().solve_embedded(&cost).unwrap());
    let mut verdicts = [0, 0];
    for size in [1 << 62, 1 << 125, 1 << 126, (1 << 126) + 5000, i128::MAX - 5000] {
        for (sign, things) in [(1, 24), (-1, 24), (1, 10), (-1, 1)] {
            let mut parts = whole.clone();
            // Every other thing goes up, and those between as far down: no pair that is allowed sees a difference if all do.
            for (thing, dual) in parts.duals.iter_mut().take(things).enumerate() {
                *dual += if thing % 2 == 0 { sign * size } else { -sign * size };
            }
            verdicts[usize::from(judge(&cost, &parts))] += 1;
        }
    }
    assert_eq!(verdicts, [10, 10]);
}

/// The nearest value that fits was taken for the cost of a pair that has none.
#[test]
fn costs_that_do_not_fit_are_refused_where_they_are_looked_at() {
    struct Beyond(Points<1>);
    impl Cost for Beyond {
        type Value = i64;
        fn len(&self) -> usize {
            self.0.len()
        }
        fn pair(&self, i: usize, j: usize) -> i64 {
            self.checked_pair(i, j).unwrap_or(i64::MIN)
        }
        fn checked_pair(&self, i: usize, j: usize) -> Option<i64> {
            i64::MIN.checked_add(self.0.pair(i, j) - 5)
        }
        fn may_overflow(&self) -> bool {
            true
        }
        fn is_symmetric(&self) -> bool {
            true
        }
    }
    impl Embedded<1> for Beyond {
        fn point(&self, i: usize) -> [f64; 1] {
            self.0.point(i)
        }
        fn norm(&self) -> Norm {
            Embedded::norm(&self.0)
        }
        fn reach(&self, _: i64) -> f64 {
            f64::INFINITY
        }
    }
    for (places, mates, duals) in [
        // Matched.
        ([0.0, 0.0, 1000.0, 1000.0], [1, 0, 3, 2], [0, 0, 0, 0]),
        // Not matched, where the duals of 0 and 1 leave no room.
        ([0.0, 0.0, 1000.0, -1000.0], [2, 3, 0, 1], [0, 0, 1990, 1990]),
    ] {
        let cost = Beyond(Points::new(places.map(|at| [at]).to_vec()).unwrap());
        let mut parts = Parts::new(&Blossom::new().solve_embedded(&cost.0).unwrap());
        parts.mates = mates.to_vec();
        parts.pairs = (0..4)
            .zip(mates)
            .filter(|&(u, v)| u < v)
            .map(|(u, v)| Edge {
                u,
                v,
                weight: cost.pair(u as usize, v as usize),
            })
            .collect();
        parts.cost = parts.pairs.iter().map(|pair| i128::from(pair.weight)).sum();
        parts.bound = parts.cost;
        parts.duals = duals.map(|above| i128::from(i64::MIN) + above).to_vec();
        parts.sets.clear();
        assert!(!judge(&cost, &parts));
    }
}

#[test]
fn nobody_and_wrong_numbers_of_things_are_judged_alike() {
    let cost = |n: usize| Points::new((0..n).map(|i| [i as f64]).collect()).unwrap();
    for n in [0, 2, 4, 6] {
        let solution = Blossom::new().solve_embedded(&cost(n)).unwrap();
        for other in 0..8 {
            let is_right = solution.verify(&cost(other)).is_ok();
            assert_eq!(solution.verify_embedded(&cost(other)).is_ok(), is_right, "{n}, {other}");
            assert_eq!(is_right, n == other);
        }
    }
}

#[test]
fn a_stopped_solve_has_a_bound() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let points = (0..300).map(|_| [rng.random::<f64>(), rng.random::<f64>()]).collect();
    let cost = Points::new(points).unwrap().scale(1e6).unwrap();
    let best = Blossom::new().solve_embedded(&cost).unwrap().cost();
    for work in [0, 1000, 3000, 10_000] {
        let solver = Blossom::new().budget(Budget::new().work(work));
        let solution = solver.solve_embedded(&cost).unwrap();
        solution.verify(&cost).unwrap();
        solution.verify_embedded(&cost).unwrap();
        assert!(solution.bound() <= best);
        if let Status::Feasible(_) = solution.status() {
            assert!(solution.cost() >= best);
        }
    }
}

#[test]
fn bounds_of_who_is_stopped_hold_for_costs_at_both_ends_of_their_type() {
    // What a pair lacks was cut off at 64 bits, and so were sums of duals at 61: duals were lowered too little.
    struct Ends(Vec<Vec<i64>>);
    impl Cost for Ends {
        type Value = i64;
        fn len(&self) -> usize {
            self.0.len()
        }
        fn pair(&self, i: usize, j: usize) -> i64 {
            self.0[i.max(j)][i.min(j)]
        }
        fn is_symmetric(&self) -> bool {
            true
        }
    }
    impl Embedded<1> for Ends {
        fn point(&self, i: usize) -> [f64; 1] {
            [i as f64]
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, _: i64) -> f64 {
            f64::INFINITY
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for case in 0..300 {
        let n = 2 * rng.random_range(5..15);
        let few = rng.random_range(0.0..0.2);
        let low = i64::MIN >> (case % 6);
        let mut draw = |_| {
            let end = if rng.random_bool(few) { low } else { i64::MAX - 9 };
            end + rng.random_range(0..9)
        };
        let cost = Ends((0..n).map(|i| (0..i).map(&mut draw).collect()).collect());
        let best = Blossom::new().solve(&cost).unwrap().cost();
        for work in [0, 10, 100] {
            let solver = Blossom::new().budget(Budget::new().work(work));
            let Ok(solution) = solver.solve_embedded(&cost) else {
                continue;
            };
            solution.verify(&cost).unwrap();
            assert!(solution.bound() <= best, "{case}: {} is above {best}", solution.bound());
        }
    }
}

#[test]
fn penalties_whose_double_leaves_64_bits_are_no_other_penalties() {
    // Twice a penalty was narrowed to 64 bits before its width was checked.
    let points = [
        [0.0, 0.0],
        [3.0, 9.0],
        [700.0, 1.0],
        [40.0, 500.0],
        [6.0, 6.0],
        [90.0, 2.0],
    ];
    let cost = Points::new(points.to_vec()).unwrap();
    let near = (1 << 60) - 1;
    for penalty in [
        1 << 40,
        near,
        -near,
        -(1 << 60),
        1 << 61,
        1 << 62,
        i64::MAX,
        -(1 << 61),
        -(1 << 62),
        i64::MIN,
    ] {
        let solver = Blossom::new().objective(Objective::MinOptOut(vec![penalty; 6]));
        let all = solver.solve(&cost).unwrap();
        match solver.solve_embedded(&cost) {
            Ok(near) => {
                near.verify(&cost).unwrap();
                assert_eq!(near.cost(), all.cost(), "{penalty}");
            }
            Err(error) => {
                let counted_twice = 2 * i128::from(penalty).unsigned_abs();
                assert!(
                    counted_twice >= 1 << 61 && matches!(error, Error::Overflow { .. }),
                    "{penalty}: {error}"
                );
                let text = error.to_string();
                assert!(text.contains("64 bits; 62 are available"), "{penalty}: {text}");
            }
        }
    }
}

#[test]
fn a_pair_that_only_a_witness_brings_up_may_cost_too_much() {
    // Two crowds of eleven, far apart. Two may cross over, and no list of near neighbours has them as a pair.
    struct Crowds(i64);
    impl Cost for Crowds {
        type Value = i64;
        fn len(&self) -> usize {
            22
        }
        fn pair(&self, i: usize, j: usize) -> i64 {
            if (i < 11) == (j < 11) { 1 } else { self.0 }
        }
        fn has_forbidden(&self) -> bool {
            true
        }
        fn is_allowed(&self, i: usize, j: usize) -> bool {
            (i < 11) == (j < 11) || (i.min(j), i.max(j)) == (0, 21)
        }
    }
    impl Embedded<1> for Crowds {
        fn point(&self, i: usize) -> [f64; 1] {
            [if i < 11 { i as f64 } else { 1e6 + i as f64 }]
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, cost: i64) -> f64 {
            if cost < 1 {
                -1.0
            } else if cost < self.0 {
                10.0
            } else {
                f64::INFINITY
            }
        }
    }
    for bridge in [100, 1 << 40, 1 << 58, 1 << 60, 1 << 61, 1 << 62, i64::MAX] {
        let cost = Crowds(bridge);
        match Blossom::new().solve_embedded(&cost) {
            Ok(solution) => {
                solution.verify(&cost).unwrap();
                assert_eq!(solution.cost(), 10 + i128::from(bridge));
            }
            Err(error) => assert!(
                bridge >= 1 << 60 && matches!(error, Error::Overflow { .. }),
                "{bridge}: {error}"
            ),
        }
    }
}

/// Points, and how many pairs were asked for.
struct Counted<const D: usize>(Points<D>, AtomicU64);

impl<const D: usize> Cost for Counted<D> {
    type Value = i64;
    fn len(&self) -> usize {
        self.0.len()
    }
    fn pair(&self, i: usize, j: usize) -> i64 {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.pair(i, j)
    }
    fn is_symmetric(&self) -> bool {
        true
    }
}

impl<const D: usize> Embedded<D> for Counted<D> {
    fn point(&self, i: usize) -> [f64; D] {
        self.0.point(i)
    }
    fn norm(&self) -> Norm {
        Embedded::norm(&self.0)
    }
    fn reach(&self, cost: i64) -> f64 {
        self.0.reach(cost)
    }
}

/// Pairs that are asked for, by point, and the answer.
fn asked<const D: usize>(points: Vec<[f64; D]>, objective: Objective<i64>) -> (u64, Result<i128, Error>) {
    let n = points.len() as u64;
    let cost = Counted(Points::new(points).unwrap(), AtomicU64::new(0));
    let found = Blossom::new().objective(objective).solve_embedded(&cost);
    let asked = cost.1.load(Ordering::Relaxed) / n;
    (asked, found.map(|found| found.cost()))
}

/// That an odd number has no partner left was found out pair by pair, if points were apart from each other.
#[test]
fn an_odd_number_of_points_is_seen_without_asking() {
    let two_crowds = |n: usize| (0..n).map(|i| [if i % 2 == 0 { 0.0 } else { 1e6 }, (i % 97) as f64]);
    let (asked, found) = asked(two_crowds(2_001).collect(), Objective::MinPerfect);
    assert!(matches!(found, Err(Error::NoPerfectMatching(_))), "{found:?}");
    assert!(asked <= 20, "{asked} pairs asked for by point");
}

/// A wide blossom of great dual made suspects of all pairs inside, each of which was asked for.
#[test]
fn heaps_of_equal_points_do_not_ask_for_all_pairs() {
    let n = 2_001;
    let heap = |at: f64| vec![[at, 0.0]; n];
    let (one, found) = asked(heap(0.0), Objective::MinOptOut(vec![3; n]));
    assert_eq!(found, Ok(3));
    assert!(one <= 200, "{one} pairs asked for by point");
    let (two, found) = asked([heap(0.0), heap(1_000.0)].concat(), Objective::MinPerfect);
    assert_eq!(found, Ok(1_000));
    assert!(two <= 200, "{two} pairs asked for by point");
}

/// The message said that fewer than 2^29 vertices were needed of 2^28.
#[test]
fn what_is_too_large_is_the_graph_that_is_searched() {
    struct Many(usize);
    impl Cost for Many {
        type Value = i64;
        fn len(&self) -> usize {
            self.0
        }
        fn pair(&self, _: usize, _: usize) -> i64 {
            unreachable!("nobody gets as far")
        }
    }
    impl Embedded<1> for Many {
        fn point(&self, _: usize) -> [f64; 1] {
            unreachable!("nobody gets as far")
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, _: i64) -> f64 {
            f64::INFINITY
        }
    }
    for (n, objective) in [
        (1 << 28, Objective::MinOptOut(Vec::new())),
        (1 << 29, Objective::MinPerfect),
        ((1 << 29) - 1, Objective::MinBye(Vec::new())),
    ] {
        let found = Blossom::new().objective(objective).solve_embedded(&Many(n));
        let vertices = 1 << 29;
        assert_eq!(found.err(), Some(Error::TooLarge { vertices, edges: 0 }), "{n}");
    }
}
