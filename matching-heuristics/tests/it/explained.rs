//! Explanations within limits, beside those without.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken, cost};
use matching_heuristics::{Exchange, Groups, Instance, Stop};

/// Parties of four, three, two and one in three groups and on a bench: sets of those who are alone are many.
fn places() -> ([Vec<usize>; 3], [Vec<usize>; 3]) {
    let parties = [vec![0, 1, 2, 3], vec![4, 5, 6], vec![13, 14]];
    let groups = [(0..10).collect(), (10..20).collect(), (20..30).collect()];
    (groups, parties)
}

fn groups_of(bench: usize) -> Groups {
    let groups = Groups::with_bounds([9..=11, 9..=11, 9..=11]).expect("groups");
    groups.with_bench(bench)
}

#[test]
fn work_ends_an_explanation_after_so_many_exchanges_and_the_others_are_counted() {
    let (groups, parties) = places();
    let gap = cost::from_symmetric_fn(34, |i, j| (i * j % 17) as i64);
    let whole = cost::from_group_fn(34, |members| members.iter().map(|&i| (i * i % 23) as i64).sum());
    for instance in [
        Instance::pairwise(&gap, groups_of(6)),
        Instance::by_group(&whole, groups_of(6)),
    ] {
        let instance = instance
            .and_then(|instance| instance.parties(parties.clone()))
            .expect("an instance");
        // Of the party of four, one who is alone, and one who waits.
        for player in [2, 9, 31] {
            let all = instance.explain(&groups, player).expect("an explanation");
            assert_eq!(all.stop(), Stop::Finished);
            let (looked_at, left_out) = (all.exchanges().len(), all.left_out());
            let mut before: Vec<Exchange<i64>> = Vec::new();
            for work in 0..looked_at + 2 {
                let budget = Budget::new().work(work as u64);
                let some = instance
                    .explain_within(&groups, player, &budget)
                    .expect("an explanation");
                let found = some.exchanges();
                assert_eq!(found.len(), work.min(looked_at));
                assert_eq!(some.left_out(), left_out + (looked_at - found.len()) as u64);
                let stop = if work < looked_at { Stop::Work } else { Stop::Finished };
                assert_eq!(some.stop(), stop, "{work} of {looked_at}");
                // One more than with one unit less, in the order of all.
                assert!(before.iter().all(|exchange| found.contains(exchange)));
                let in_order: Vec<_> = all
                    .exchanges()
                    .iter()
                    .filter(|exchange| found.contains(exchange))
                    .collect();
                assert!(in_order.into_iter().eq(found));
                assert_eq!(
                    (some.party(), some.group(), some.cost()),
                    (all.party(), all.group(), all.cost())
                );
                before = found.to_vec();
            }
            assert_eq!(before, all.exchanges());
        }
        for pair in [[2, 12], [9, 8], [31, 14], [0, 1]] {
            let all = instance.explain_pair(&groups, pair).expect("an explanation");
            assert_eq!(all.stop(), Stop::Finished);
            for work in [0, 1, 40, 200, 100_000] {
                let budget = Budget::new().work(work);
                let some = instance
                    .explain_pair_within(&groups, pair, &budget)
                    .expect("an explanation");
                let is_part = some
                    .exchanges()
                    .iter()
                    .all(|exchange| all.exchanges().contains(exchange));
                assert!(is_part && some.left_out() >= all.left_out());
                assert_eq!((some.obstacle(), some.cost()), (all.obstacle(), all.cost()));
                assert_eq!(some.stop() == Stop::Finished, some.left_out() == all.left_out());
                assert!(some.stop() == Stop::Work || some == all);
            }
        }
    }
}

/// It went on to the end, for seconds by groups of hundreds.
#[test]
fn who_cancels_and_a_clock_end_an_explanation_before_the_next_exchange() {
    let (groups, _) = places();
    let (token, asked) = (CancelToken::new(), AtomicU32::new(0));
    let cancelled = token.clone();
    // Cancelled while the fifth exchange is looked at: three groups are counted before, and two for each.
    let whole = cost::from_group_fn(34, move |members| {
        if asked.fetch_add(1, Ordering::Relaxed) + 1 == 3 + 2 * 5 {
            cancelled.cancel();
        }
        members.len() as i64
    });
    let groups_of_ten = Groups::with_bounds([9..=11, 9..=11, 9..=11])
        .expect("groups")
        .with_bench(4);
    let instance = Instance::by_group(&whole, groups_of_ten).expect("an instance");
    let budget = Budget::new().cancel(token);
    let some = instance.explain_within(&groups, 0, &budget).expect("an explanation");
    // One moves, or changes places with each of ten, in two other groups and with four who wait.
    assert_eq!(
        (some.stop(), some.exchanges().len(), some.left_out()),
        (Stop::Cancelled, 5, 11 + 11 + 5 - 5)
    );
    let none = instance
        .explain_pair_within(&groups, [0, 11], &budget)
        .expect("an explanation");
    assert_eq!((none.stop(), none.exchanges().len()), (Stop::Cancelled, 0));
    assert!(none.left_out() > 0);

    let slow = cost::from_group_fn(34, |members| {
        std::thread::sleep(Duration::from_millis(1));
        members.len() as i64
    });
    let instance = Instance::by_group(&slow, groups_of(4)).expect("an instance");
    let begun = Instant::now();
    let budget = Budget::new().time(Duration::from_millis(10));
    let some = instance.explain_within(&groups, 0, &budget).expect("an explanation");
    assert!(
        some.stop() == Stop::Time && some.left_out() > 10,
        "{:?}",
        begun.elapsed()
    );
    let all = instance
        .explain_within(&groups, 0, &Budget::new().time(Duration::MAX))
        .expect("an explanation");
    assert_eq!(
        (all.stop(), all.left_out(), all.exchanges().len()),
        (Stop::Finished, 0, 27)
    );
}

/// As many as were looked at were taken from the greatest number that there is.
#[test]
fn more_exchanges_than_can_be_counted_are_not_counted() {
    let gap = cost::from_symmetric_fn(200, |i, j| (i * j % 17) as i64);
    let instance = Instance::pairwise(&gap, Groups::of_size(200, 100).expect("groups"));
    let instance = instance.and_then(|instance| instance.party(&(0..50).collect::<Vec<_>>()));
    let instance = instance.expect("an instance");
    let groups = [(0..100).collect(), (100..200).collect::<Vec<_>>()];
    let explanation = instance.explain(&groups, 0).expect("an explanation");
    let several = explanation
        .exchanges()
        .iter()
        .filter(|exchange| exchange.come().len() > 1);
    assert_eq!((several.count(), explanation.left_out()), (8 * 200, u64::MAX));
}
