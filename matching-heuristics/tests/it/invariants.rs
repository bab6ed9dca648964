//! Nobody is lost, parties never part, pins hold, sizes stay within bounds: whatever the problem, engine and budget.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use matching_core::{CancelToken, Cost, cost, cost::Pairwise};
use matching_heuristics::{Engine, Error, Incumbent, Instance, Search};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{ENGINES, Rules};

/// A search with a small budget of one kind or another.
fn hurried<'a>(search: Search<'a, i32>, kind: u8) -> Search<'a, i32> {
    let cancelled = CancelToken::new();
    cancelled.cancel();
    match kind {
        0 => search.work(1),
        1 => search.work(10),
        2 => search.work(1_000),
        3 => search.time(Duration::ZERO),
        4 => search.cancel(cancelled),
        _ => search.target(i128::MAX),
    }
}

fn check(rules: &Rules, instance: Instance<'_, i32>, kind: u8, walks: usize) -> Result<(), TestCaseError> {
    let Some(instance) = rules.complete(instance) else {
        return Ok(());
    };
    for engine in ENGINES {
        let search = Search::with(&instance, engine).walks(walks).seed(walks as u64);
        match hurried(search, kind).run() {
            Ok(found) => rules.check(&found),
            Err(Error::PartiesDoNotFit { .. }) => {}
            Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_grouping_keeps_the_rules(seed: u64, kind in 0_u8..6, walks in 1_usize..4) {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let rules = Rules::random(40, 8, rng);
        let table: Vec<i32> = (0..40 * 40).map(|_| rng.random_range(-50..50)).collect();
        let gap = cost::from_symmetric_fn(rules.players, |i, j| table[40 * i.min(j) + i.max(j)]);
        check(&rules, Instance::pairwise(&gap, rules.groups()).expect("sizes add up"), kind, walks)?;
        let whole = Pairwise(&gap);
        check(&rules, Instance::by_group(&whole, rules.groups()).expect("sizes add up"), kind, walks)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// So many players that a search begins with groups that are filled one after the other.
    #[test]
    fn large_groupings_keep_the_rules(seed: u64, kind in 0_u8..6, walks in 1_usize..3) {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let rules = loop {
            let rules = Rules::random(400, 60, rng);
            if rules.players > 300 {
                break rules;
            }
        };
        let table: Vec<i32> = (0..400 * 400).map(|_| rng.random_range(-50..50)).collect();
        let gap = cost::from_symmetric_fn(rules.players, |i, j| table[400 * i.min(j) + i.max(j)]);
        let instance = Instance::pairwise(&gap, rules.groups()).expect("sizes add up");
        let Some(instance) = rules.complete(instance) else {
            return Ok(());
        };
        for engine in [Engine::Auto, Engine::Annealing] {
            let search = Search::with(&instance, engine).walks(walks).seed(seed);
            match hurried(search, kind).run() {
                Ok(found) => rules.check(&found),
                Err(Error::PartiesDoNotFit { .. }) => {}
                Err(error) => return Err(TestCaseError::fail(format!("{error}"))),
            }
        }
    }
}

/// Searches, and checks every grouping that is told of on the way, not only the last.
fn watched(rules: &Rules, instance: &Instance<'_, i32>, engine: Engine, seed: u64) -> u32 {
    let incumbent = Incumbent::new();
    let seen = AtomicU32::new(0);
    let observer = |_: &_| {
        let (_, mut groups) = incumbent.get().expect("something was found");
        let bench = groups.split_off(rules.bounds.len()).pop().unwrap_or_default();
        rules.check_groups(&groups, &bench);
        seen.fetch_add(1, Ordering::Relaxed);
    };
    let search = Search::with(instance, engine).work(2_000).seed(seed).walks(2);
    match search.incumbent(&incumbent).observer(&observer).run() {
        Ok(found) => rules.check(&found),
        Err(Error::PartiesDoNotFit { .. } | Error::OnlyForbidden { .. } | Error::AllForbidden { .. }) => {}
        Err(error) => panic!("{error} of {rules:?}"),
    }
    seen.into_inner()
}

/// Random rounds through one engine after another; some pairs are forbidden in every other ten.
fn rounds(numbers: core::ops::Range<u64>) {
    let mut seen = 0;
    for number in numbers {
        let rng = &mut ChaCha8Rng::seed_from_u64(number);
        let rules = Rules::random(40, 8, rng);
        let table: Vec<i32> = (0..40 * 40).map(|_| rng.random_range(-50..50)).collect();
        let gap = cost::from_symmetric_fn(rules.players, |i, j| table[40 * i.min(j) + i.max(j)]);
        let gap = gap.restricted(|i, j| number % 20 < 10 || table[40 * i.min(j) + i.max(j)] % 7 != 3);
        let whole = Pairwise(&gap);
        let engine = ENGINES[number as usize % ENGINES.len()];
        for instance in [
            Instance::pairwise(&gap, rules.groups()),
            Instance::by_group(&whole, rules.groups()),
        ] {
            if let Some(instance) = rules.complete(instance.expect("sizes add up")) {
                seen += watched(&rules, &instance, engine, number);
            }
        }
    }
    assert!(seen > 1_000, "{seen} groupings on the way");
}

/// Debug builds check every single move beside: sizes stay within bounds, and pins hold.
#[test]
fn parties_stay_whole_and_sizes_within_bounds_through_the_search() {
    rounds(0..600);
}

/// Run it with `cargo test -p matching-heuristics --test it -- --ignored through_ten_thousand`.
#[test]
#[ignore = "takes minutes"]
fn parties_stay_whole_and_sizes_within_bounds_through_ten_thousand_searches() {
    rounds(10_000..20_000);
}
