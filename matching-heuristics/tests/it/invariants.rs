//! Nobody is lost, parties never part, pins hold, sizes stay within bounds: whatever the problem, engine and budget.

use std::time::Duration;

use matching_core::{CancelToken, cost, cost::Pairwise};
use matching_heuristics::{Error, Instance, Search};
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
        _ => search.target(f64::INFINITY),
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
