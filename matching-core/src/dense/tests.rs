use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::neighbours::Neighbours;
use super::shells::Shells;
use crate::blossom::Blossom;
use crate::cost::{Cost, Embedded, Norm, Points};
use crate::error::Error;

const NORMS: [Norm; 3] = [Norm::Euclidean, Norm::Manhattan, Norm::Chebyshev];

/// Points of one of several kinds: spread, on few places, on a line, in clusters.
fn points<const D: usize>(rng: &mut ChaCha8Rng, n: usize) -> Points<D> {
    let kind = rng.random_range(0..4);
    let centres: Vec<[f64; D]> = (0..3).map(|_| [0; D].map(|_| rng.random_range(-1e4..1e4))).collect();
    let point = |_| match kind {
        0 => [0; D].map(|_| rng.random_range(-100.0..100.0)),
        1 => [0; D].map(|_| f64::from(rng.random_range(-1..2_i8))),
        2 => [rng.random_range(-100.0..100.0); D],
        _ => centres[rng.random_range(0..3)].map(|x| x + rng.random_range(-1.0..1.0)),
    };
    let points = (0..n).map(point).collect();
    let scale = [1.0, 0.125, 77.7][rng.random_range(0..3)];
    let norm = NORMS[rng.random_range(0..3)];
    Points::new(points).unwrap().norm(norm).unwrap().scale(scale).unwrap()
}

/// A number that depends on a pair only.
fn mix(seed: u64, u: usize, v: usize) -> u64 {
    let pair = (u.min(v) as u64) << 32 | u.max(v) as u64;
    (pair ^ seed)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(29)
        .wrapping_mul(0xBF58_476D_1CE4_E5B9)
        >> 33
}

/// Any cost, with all pairs whose mix is below a share of 256 forbidden.
fn thinned<const D: usize, C: Embedded<D>>(cost: C, seed: u64, share: u64) -> impl Embedded<D> {
    cost.restricted(move |u, v| mix(seed, u, v) % 256 >= share)
}

fn check_order<T: Ord>(pairs: &[T], ends: impl Fn(&T) -> (u32, u32)) {
    assert!(pairs.iter().map(&ends).all(|(u, v)| u < v));
    assert!(
        pairs.windows(2).all(|w| ends(&w[0]) < ends(&w[1])),
        "each pair once, in order"
    );
}

fn allowed<const D: usize>(cost: &impl Embedded<D>, u: usize) -> impl Iterator<Item = usize> {
    (0..cost.len()).filter(move |&v| v != u && cost.is_allowed(u, v))
}

/// The candidates hold the k least distances of every vertex.
fn check_candidates<const D: usize>(cost: &impl Embedded<D>, k: usize) {
    let index = Neighbours::new(cost).unwrap();
    let pairs = index.candidates(k);
    check_order(&pairs, |&pair| pair);
    assert_eq!(pairs, Neighbours::new(cost).unwrap().threads(1).candidates(k));
    let distance = |u: usize, v: usize| cost.norm().distance(&cost.point(u), &cost.point(v));
    let mut found = vec![Vec::new(); cost.len()];
    for &(u, v) in &pairs {
        let (u, v) = (u as usize, v as usize);
        assert!(cost.is_allowed(u, v));
        found[u].push(distance(u, v));
        found[v].push(distance(u, v));
    }
    for (u, found) in found.iter_mut().enumerate() {
        let mut expected: Vec<f64> = allowed(cost, u).map(|v| distance(u, v)).collect();
        expected.sort_by(f64::total_cmp);
        expected.truncate(k);
        found.sort_by(f64::total_cmp);
        assert_eq!(found[..expected.len()], expected, "vertex {u}");
    }
    assert!(pairs.len() <= cost.len() * k + cost.len() / 2);
}

/// The answer holds the `per_vertex` least negative slacks of every vertex, and nothing that is not violated.
fn check_violated<const D: usize>(cost: &impl Embedded<D>, totals: &[i64], seed: u64, per_vertex: usize) {
    // Some pairs are in a blossom together: their slack is more than the totals say, and perhaps than is known.
    let shells = Shells::at_random(
        &mut ChaCha8Rng::seed_from_u64(seed),
        cost.len() * (seed % 3).min(1) as usize,
    );
    let slack_of = |u: usize, v: usize, c: i64| {
        assert!(u < v && c == cost.pair(u, v));
        let together = mix(!seed, u, v) % 512;
        let around = if shells.is_empty() {
            0
        } else {
            2 * shells.around_both(u, v) as i64
        };
        2 * c - totals[u] - totals[v] + around + if together < 256 { 0 } else { together as i64 }
    };
    let index = Neighbours::new(cost).unwrap();
    let pairs = index.violated(totals, &shells, &slack_of, per_vertex);
    check_order(&pairs, |&(u, v, _)| (u, v));
    let index = index.threads(1);
    assert_eq!(pairs, index.violated(totals, &shells, &slack_of, per_vertex));
    let mut found = vec![Vec::new(); cost.len()];
    for &(u, v, slack) in &pairs {
        let (u, v) = (u as usize, v as usize);
        assert!(cost.is_allowed(u, v) && slack < 0 && slack == slack_of(u, v, cost.pair(u, v)));
        found[u].push(slack);
        found[v].push(slack);
    }
    for (u, found) in found.iter_mut().enumerate() {
        let slack = |v: usize| slack_of(u.min(v), u.max(v), cost.pair(u, v));
        let mut expected: Vec<i64> = allowed(cost, u).map(slack).filter(|&slack| slack < 0).collect();
        expected.sort_unstable();
        expected.truncate(per_vertex);
        found.sort_unstable();
        assert_eq!(found[..expected.len()], expected, "vertex {u}");
    }
    assert!(pairs.len() <= cost.len() * per_vertex);
}

/// Half units of about the distance to the nearest neighbour, some negative, some far too large.
fn totals<const D: usize>(rng: &mut ChaCha8Rng, cost: &impl Embedded<D>) -> Vec<i64> {
    let factor = rng.random_range(0.5..1.6);
    let near = |u: usize| (0..cost.len()).filter(|&v| v != u).map(|v| cost.pair(u, v)).min();
    (0..cost.len())
        .map(|u| match rng.random_range(0..20) {
            0 => -rng.random_range(0..200),
            1 => rng.random_range(0..100_000),
            _ => (near(u).unwrap_or(0) as f64 * factor) as i64 + rng.random_range(-1..3),
        })
        .collect()
}

fn check_random<const D: usize>(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for round in 0..800 {
        let n = rng.random_range(0..70);
        let cost = points::<D>(&mut rng, n);
        let share = if round % 3 == 0 { 0 } else { rng.random_range(0..256) };
        let cost = thinned(cost, round, share);
        check_candidates(&cost, rng.random_range(0..12));
        let totals = totals(&mut rng, &cost);
        check_violated(&cost, &totals, round, rng.random_range(1..25));
    }
}

#[test]
fn small_instances_in_one_dimension() {
    check_random::<1>(1);
}

#[test]
fn small_instances_in_the_plane() {
    check_random::<2>(2);
}

#[test]
fn small_instances_in_space() {
    check_random::<3>(3);
}

#[test]
fn small_instances_without_any_dimension() {
    check_random::<0>(4);
}

/// |rating difference| / 10 + 150 between regions - 20, on the line of ratings.
struct Pool {
    players: Vec<(i64, u8)>,
}

impl Cost for Pool {
    type Value = i64;

    fn len(&self) -> usize {
        self.players.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        let ((a, here), (b, there)) = (self.players[i], self.players[j]);
        (a - b).abs() / 10 + 150 * i64::from(here != there) - 20
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl Embedded<1> for Pool {
    fn point(&self, i: usize) -> [f64; 1] {
        [self.players[i].0 as f64]
    }

    fn norm(&self) -> Norm {
        Norm::Manhattan
    }

    fn reach(&self, cost: i64) -> f64 {
        cost.saturating_add(20).saturating_mul(10).saturating_add(9) as f64
    }
}

#[test]
fn costs_of_more_than_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for round in 0..500 {
        let n = rng.random_range(0..60);
        let players = (0..n)
            .map(|_| (rng.random_range(0..3000), rng.random_range(0..3)))
            .collect();
        let cost = thinned(Pool { players }, round, 40);
        check_candidates(&cost, 5);
        let totals: Vec<i64> = (0..n).map(|_| rng.random_range(-60..200)).collect();
        check_violated(&cost, &totals, round, rng.random_range(1..9));
    }
}

#[test]
fn totals_and_costs_at_the_ends_of_their_types() {
    struct Far;
    impl Cost for Far {
        type Value = i64;
        fn len(&self) -> usize {
            40
        }
        fn pair(&self, i: usize, j: usize) -> i64 {
            i64::MAX / 4 - (i as i64 - j as i64).abs()
        }
    }
    impl Embedded<1> for Far {
        fn point(&self, i: usize) -> [f64; 1] {
            [if i.is_multiple_of(2) { 1e150 } else { -1e150 }]
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, cost: i64) -> f64 {
            if cost < 0 { f64::NEG_INFINITY } else { f64::NAN }
        }
    }
    let index = Neighbours::new(&Far).unwrap();
    let slack = |_: usize, _: usize, c: i64| 2 * c - i64::MAX;
    assert_eq!(
        index.violated(&[i64::MAX; 40], &Shells::default(), &slack, 50).len(),
        40 * 39 / 2
    );
    assert!(
        index
            .violated(&[i64::MIN; 40], &Shells::default(), &slack, 50)
            .is_empty()
    );
}

/// A reach of `-0.0` was taken for none, and the least cost for more than some pairs cost.
#[test]
fn no_distance_is_a_distance_whatever_its_sign() {
    struct Together([i64; 12]);
    impl Cost for Together {
        type Value = i64;
        fn len(&self) -> usize {
            12
        }
        fn pair(&self, i: usize, j: usize) -> i64 {
            match (self.0[i] - self.0[j]).abs() {
                0 => -((i * j % 7) as i64 * 100),
                gap => 1000 * gap,
            }
        }
    }
    impl Embedded<1> for Together {
        fn point(&self, i: usize) -> [f64; 1] {
            [self.0[i] as f64]
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, cost: i64) -> f64 {
            (cost as f64 / 1000.0).trunc()
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..300 {
        let cost = Together(core::array::from_fn(|_| rng.random_range(0..5)));
        let (near, any) = (Blossom::new().solve_embedded(&cost), Blossom::new().solve(&cost));
        let near = near.unwrap();
        near.verify(&cost).unwrap();
        assert_eq!(near.cost(), any.unwrap().cost());
    }
}

#[test]
fn coordinates_that_are_no_numbers_are_refused() {
    struct Lost(f64);
    impl Cost for Lost {
        type Value = i64;
        fn len(&self) -> usize {
            3
        }
        fn pair(&self, _: usize, _: usize) -> i64 {
            0
        }
    }
    impl Embedded<2> for Lost {
        fn point(&self, i: usize) -> [f64; 2] {
            [0.0, if i == 2 { self.0 } else { 1.0 }]
        }
        fn norm(&self) -> Norm {
            Norm::Euclidean
        }
        fn reach(&self, _: i64) -> f64 {
            f64::INFINITY
        }
    }
    for lost in [f64::NAN, f64::INFINITY, 1e151] {
        let error = Neighbours::new(&Lost(lost)).err();
        assert_eq!(error, Some(Error::CoordinateOutOfRange { point: 2, axis: 1 }));
    }
}

/// Every vertex in exactly one of the pairs.
fn is_perfect(n: usize, pairs: &[(u32, u32)]) -> bool {
    let mut times = vec![0; n];
    for &(u, v) in pairs {
        times[u as usize] += 1;
        times[v as usize] += 1;
    }
    times.iter().all(|&times| times == 1)
}

#[test]
fn many_equal_points_cost_no_more_than_others() {
    const N: usize = 10_000;
    let line = (0..N).map(|i| [5.0, (i * 7919 % N) as f64, -1.0]).collect();
    for (points, violated) in [
        (vec![[1.0, 2.0, 3.0]; N], 0..10 * N + 1),
        (line, 10 * N / 2..10 * N + 1),
    ] {
        for norm in NORMS {
            let cost = Points::new(points.clone()).unwrap().norm(norm).unwrap();
            let index = Neighbours::new(&cost).unwrap();
            assert!(is_perfect(N, &index.candidates(0)));
            assert!((N / 2 * 10..=N * 10 + N / 2).contains(&index.candidates(10).len()));
            let slack_of = |_: usize, _: usize, c: i64| 2 * c - 40;
            let found = index.violated(&[20; N], &Shells::default(), &slack_of, 10);
            assert!(!found.is_empty() && violated.contains(&found.len()), "{}", found.len());
            assert!(
                index
                    .violated(&[-1; N], &Shells::default(), &|_, _, c| 2 * c + 2, 10)
                    .is_empty()
            );
        }
    }
}

#[test]
fn candidates_always_allow_a_perfect_matching() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for n in (0..300).step_by(2) {
        assert!(is_perfect(
            n,
            &Neighbours::new(&points::<2>(&mut rng, n)).unwrap().candidates(0)
        ));
    }
}
