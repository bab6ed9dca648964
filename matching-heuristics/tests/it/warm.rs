//! Groups to begin with.

use matching_core::{Cost, cost};
use matching_heuristics::{Engine, Error, Groups, Instance, Search, Stop};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::ENGINES;

fn random_groups(players: usize, size: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..players).collect();
    order.shuffle(rng);
    order.chunks(size).map(<[usize]>::to_vec).collect()
}

#[test]
fn the_answer_is_never_worse_than_what_it_began_with() {
    for seed in 0..60 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        // Nearly all the same: a grid of eight digits does not see the difference.
        let table: Vec<f64> = (0..144)
            .map(|_| 1e6 + rng.random::<f64>() * [1e-6, 1e3][seed as usize % 2])
            .collect();
        let gap = cost::from_symmetric_fn(12, |i, j| table[i.min(j) * 12 + i.max(j)]);
        let instance = Instance::pairwise(&gap, Groups::of_size(12, 3).expect("sizes")).expect("sizes add up");
        let warm = random_groups(12, 3, rng);
        let start: f64 = warm
            .iter()
            .map(|group| {
                let mut group = group.clone();
                group.sort_unstable();
                gap.pair(group[0], group[1]) + gap.pair(group[0], group[2]) + gap.pair(group[1], group[2])
            })
            .sum();
        for engine in ENGINES {
            for work in [1, 100, 20_000] {
                let found = Search::with(&instance, engine)
                    .warm_start(&warm)
                    .work(work)
                    .seed(seed)
                    .run()
                    .expect("groups");
                assert!(found.cost() <= start * (1.0 + 1e-15), "{engine:?} {work}");
            }
        }
    }
}

#[test]
fn an_allowed_start_is_never_lost_to_a_forbidden_answer() {
    // Only what it starts with is allowed: every other grouping has a forbidden pair, and yet costs far less.
    let gap = cost::from_symmetric_fn(12, |i, j| if i / 3 == j / 3 { 0_i64 } else { -1_000 });
    let apart = gap.restricted(|i, j| i / 3 == j / 3);
    let instance = Instance::pairwise(&apart, Groups::of_size(12, 3).expect("sizes")).expect("sizes add up");
    let warm: Vec<Vec<usize>> = (0..4).map(|group| (3 * group..3 * group + 3).collect()).collect();
    for engine in ENGINES {
        let found = Search::with(&instance, engine)
            .warm_start(&warm)
            .work(5_000)
            .run()
            .expect("the start is allowed");
        // From another start, the same groups may come in another order.
        let mut groups = found.groups().to_vec();
        groups.sort_unstable();
        assert_eq!(groups, warm, "{}", engine.name());
    }
}

#[test]
fn a_start_that_reaches_the_target_is_the_answer() {
    let gap = cost::from_symmetric_fn(30, |i, j| (i / 3).abs_diff(j / 3) as i64);
    let instance = Instance::pairwise(&gap, Groups::of_size(30, 3).expect("sizes")).expect("sizes add up");
    let warm: Vec<Vec<usize>> = (0..10).map(|group| (3 * group..3 * group + 3).collect()).collect();
    for engine in ENGINES {
        for walks in [1, 3] {
            let search = Search::with(&instance, engine).warm_start(&warm).target(0).walks(walks);
            let found = search.work(50_000_000).run().expect("groups");
            assert_eq!((found.groups(), found.stop()), (&warm[..], Stop::Target), "{engine:?}");
            assert!(found.work() < 50_000, "{engine:?} went on for {}", found.work());
        }
    }
}

/// An instance of six players in two groups of two; two wait, 0 and 1 together, 5 in group 1.
fn with_errors(warm: &[Vec<usize>]) -> Vec<Error> {
    let gap = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let bounded = Groups::with_bounds([2..=2, 1..=2]).expect("bounds").with_bench(2);
    let instance = Instance::pairwise(&gap, bounded).expect("sizes add up");
    let instance = instance.party(&[0, 1]).expect("a party").pin(5, 1).expect("a pin");
    let starts = |_: u64| warm.to_vec();
    let mut errors: Vec<Error> = ENGINES
        .iter()
        .map(|&engine| {
            Search::with(&instance, engine)
                .warm_start(warm)
                .work(100)
                .run()
                .expect_err("a bad start")
        })
        .collect();
    errors.extend(ENGINES.iter().map(|&engine| {
        Search::with(&instance, engine)
            .starts(&starts)
            .walks(2)
            .work(1_000)
            .run()
            .expect_err("a bad start")
    }));
    errors
}

#[test]
fn starts_that_do_not_fit_are_named() {
    let all = |warm: &[&[usize]], expected: &Error| {
        let warm: Vec<Vec<usize>> = warm.iter().map(|group| group.to_vec()).collect();
        for error in with_errors(&warm) {
            assert_eq!(&error, expected, "{warm:?}");
        }
    };
    all(&[&[0, 2], &[1, 5]], &Error::WarmStart { player: 1 });
    all(&[&[0, 1], &[5, 5]], &Error::WarmStart { player: 5 });
    all(&[&[0, 1], &[2, 3]], &Error::WarmStart { player: 5 });
    all(&[&[0, 1], &[7]], &Error::NoSuchPlayer { player: 7, players: 6 });
    all(
        &[&[0, 1], &[5], &[2], &[3]],
        &Error::NoSuchGroup { group: 3, groups: 3 },
    );
    all(&[&[2], &[5, 3]], &Error::WarmStartSizes { group: 0, members: 1 });
    all(&[&[0, 1], &[5]], &Error::WarmStartSizes { group: 2, members: 3 });
    all(&[], &Error::WarmStart { player: 5 });
}

#[test]
fn who_is_missing_without_a_bench_is_named() {
    let gap = cost::from_symmetric_fn(4, |i, j| i.abs_diff(j) as i64);
    let instance = Instance::pairwise(&gap, Groups::of_size(4, 2).expect("sizes")).expect("sizes add up");
    let error = Search::auto(&instance)
        .warm_start(&[vec![0, 1], vec![2]])
        .run()
        .expect_err("3 is missing");
    assert_eq!(error, Error::WarmStart { player: 3 });
}

#[test]
fn a_bad_start_of_a_later_number_is_an_error_too() {
    let gap = cost::from_symmetric_fn(8, |i, j| i.abs_diff(j) as i64);
    let instance = Instance::pairwise(&gap, Groups::of_size(8, 2).expect("sizes")).expect("sizes add up");
    let starts = |number: u64| match number {
        0 => vec![vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7]],
        _ => vec![vec![0, 0], vec![usize::MAX]],
    };
    for engine in [Engine::Climb, Engine::CachedClimb, Engine::Population] {
        let found = Search::with(&instance, engine).starts(&starts).work(100_000).run();
        assert_eq!(
            found.expect_err("a bad start"),
            Error::WarmStart { player: 0 },
            "{engine:?}"
        );
    }
}

/// Players on a line, of whom neighbours belong together, in random order: what hardly any work finds is no worse.
#[test]
fn a_line_is_cut_into_groups_at_once() {
    let rng = &mut ChaCha8Rng::seed_from_u64(5);
    for (players, size) in [(600, 5), (300, 3), (400, 20)] {
        let mut places: Vec<i64> = (0..players as i64).map(|place| 10 * place).collect();
        places.shuffle(rng);
        let gap = cost::from_symmetric_fn(players, |i, j| (places[i] - places[j]).abs());
        let groups = Groups::of_size(players, size).expect("groups");
        let instance = Instance::pairwise(&gap, groups).expect("an instance");
        // All pairs of `size` neighbours.
        let size = size as i64;
        let neighbours = players as i64 / size * 10 * (size - 1) * size * (size + 1) / 6;
        let found = Search::auto(&instance).work(1_000).run().expect("a grouping");
        assert_eq!(
            found.cost(),
            i128::from(neighbours),
            "{players} players in groups of {size}"
        );
    }
}
