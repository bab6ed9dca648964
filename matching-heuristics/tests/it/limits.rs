//! Budgets, targets, cancelling, and who watches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use matching_core::{Budget, CancelToken, Cost as _, GroupCost, cost, cost::Pairwise};
use matching_heuristics::{Engine, Groups, Incumbent, Instance, Progress, Search, Stop};

use crate::errors::groups;
use crate::support::ENGINES;

/// Calls `visit` with the same problem by pairs and by group.
fn both(players: usize, size: usize, visit: impl Fn(&Instance<'_, i64>)) {
    let gap = cost::from_symmetric_fn(players, |i, j| ((i * 37 + j * 37) % 101 + i * j % 7) as i64);
    let groups = || Groups::of_size(players, size).expect("sizes");
    visit(&Instance::pairwise(&gap, groups()).expect("sizes add up"));
    let whole = Pairwise(&gap);
    visit(&Instance::by_group(&whole, groups()).expect("sizes add up"));
}

#[test]
fn no_time_and_no_work_still_give_groups() {
    both(31, 3, |instance| {
        for engine in ENGINES {
            let search = Search::with(instance, engine);
            let found = search.clone().time(Duration::ZERO).run().expect("groups");
            assert_eq!(found.groups().len(), 10);
            for work in [0, 1, 10, 1_000] {
                for walks in [1, 7] {
                    let found = search.clone().work(work).walks(walks).run().expect("groups");
                    assert_eq!((found.groups().len(), found.bench().len()), (10, 1));
                }
            }
        }
    });
}

/// Groupings with forbidden pairs met every target that was above the price of these, and were shown to whoever
/// watched.
#[test]
fn a_target_is_not_met_by_what_is_forbidden() {
    let is_apart = |i: usize, j: usize| (i * 31 + j * 31 + i * j * 17) % 4 == 1;
    let gap = cost::from_symmetric_fn(24, |i, j| ((i * 7 + j * 13) % 10) as i64).restricted(|i, j| !is_apart(i, j));
    let instance = Instance::pairwise(&gap, groups(24, 4)).expect("sizes add up");
    let is_broken = |groups: &[Vec<usize>]| {
        let mut pairs = groups
            .iter()
            .flat_map(|members| members.iter().flat_map(move |&i| members.iter().map(move |&j| (i, j))));
        pairs.any(|(i, j)| i < j && is_apart(i, j))
    };
    for engine in ENGINES {
        for target in [1_000, 1_000_000_000, i128::MAX] {
            let incumbent = Incumbent::new();
            let search = Search::with(&instance, engine).work(200_000).incumbent(&incumbent);
            let found = search.target(target).run().expect("a grouping is allowed");
            assert_eq!(found.stop(), Stop::Target, "{engine:?} {target}");
            assert!(found.cost() <= target && !is_broken(found.groups()), "{engine:?}");
            let (_, shown) = incumbent.get().expect("one was found");
            assert!(!is_broken(&shown[..6]), "{engine:?} {target}");
        }
    }
}

/// Totals on a grid too coarse for what costs differ by were held against the target.
#[test]
fn a_target_is_met_by_the_costs_themselves() {
    let gap = cost::from_symmetric_fn(40, |i, j| 100_000_000_000 + ((i * 37 + j * 37 + i * j) % 11) as i64);
    let instance = Instance::pairwise(&gap, Groups::with_bounds([15..=25, 15..=25]).expect("bounds")).expect("sizes");
    let cost = |target: i128| {
        let search = Search::with(&instance, Engine::CachedClimb)
            .work(100_000)
            .target(target);
        let found = search.run().expect("groups");
        (found.cost(), found.stop())
    };
    let (best, _) = cost(i128::MIN);
    for below in 0..40 {
        let target = best - below;
        let (cost, stop) = cost(target);
        assert_eq!(cost <= target, stop == Stop::Target, "{cost} {target} {stop:?}");
    }
}

/// Targets were floats, and so were the totals held against them: beyond 2^53 a few steps were no difference.
#[test]
fn a_target_is_met_to_the_last_digit() {
    let differences = |i: usize, j: usize| (i * 37 + j * 37 + i * j) as i64 % 1_000;
    let gap = cost::from_symmetric_fn(30, |i, j| (1 << 60) + differences(i, j));
    let whole = Pairwise(&gap);
    let of_pairs = Instance::pairwise(&gap, groups(30, 3)).expect("sizes add up");
    let by_group = Instance::by_group(&whole, groups(30, 3)).expect("sizes add up");
    for instance in [&of_pairs, &by_group] {
        for engine in ENGINES {
            let incumbent = Incumbent::new();
            let search = || Search::with(instance, engine).work(20_000).incumbent(&incumbent);
            let best = search().run().expect("groups").cost();
            let (_, shown) = incumbent.get().expect("groups");
            let pairs = shown
                .iter()
                .flat_map(|members| [[0, 1], [0, 2], [1, 2]].map(|[a, b]| (members[a], members[b])));
            let total: i128 = pairs.map(|(i, j)| i128::from(gap.pair(i, j))).sum();
            assert_eq!(total, best, "{engine:?}");
            for above in [-1_000, -2, -1, 0, 1, 2, 300] {
                let target = best + above;
                let found = search().target(target).run().expect("groups");
                let is_met = found.cost() <= target;
                assert_eq!(
                    (is_met, found.stop() == Stop::Target),
                    (above >= 0, above >= 0),
                    "{engine:?} {above}"
                );
            }
        }
    }
}

/// The order of groups decides what floats add up to: answers cost more than the target that they had met.
#[test]
fn a_target_is_met_by_float_sums_as_the_answer_has_them() {
    let gap = cost::from_symmetric_fn(40, |i, j| ((i * 7 + j * 13 + i * j) % 1000) as f64 * 0.1);
    let whole = Pairwise(&gap);
    let of_pairs = Instance::pairwise(&gap, groups(40, 2)).expect("sizes add up");
    let by_group = Instance::by_group(&whole, groups(40, 2)).expect("sizes add up");
    for instance in [&of_pairs, &by_group] {
        for engine in ENGINES {
            let search = || Search::with(instance, engine).work(2_000);
            for seed in 0..10 {
                let best = search().seed(seed).run().expect("groups").cost();
                for target in [best, best.next_down(), best.next_down().next_down()] {
                    let found = search().seed(seed).target(target).run().expect("groups");
                    let is_met = found.cost() <= target;
                    assert!(is_met || found.stop() != Stop::Target, "{engine:?} {seed} {target}");
                }
            }
        }
    }
}

/// One walk had met the target, and the answer was that of another one, whose total was the same on the grid and greater in
/// the caller's numbers.
#[test]
fn a_target_that_one_walk_has_met_is_met_by_the_answer_of_all() {
    let gap = cost::from_symmetric_fn(8, |i, j| (1 << 62) + (i * 5 + j * 5 + i * j) as i64 % 7);
    let bounds = Groups::with_bounds([1..=4, 1..=4, 3..=6]).expect("bounds");
    let instance = Instance::pairwise(&gap, bounds).expect("sizes add up");
    let target = Search::auto(&instance).run().expect("groups").cost() + 5;
    let mut is_met = 0;
    for engine in ENGINES {
        for (seed, walks) in (0..100).map(|round| (round, [1, 5][round as usize % 2])) {
            let search = Search::with(&instance, engine).seed(seed).walks(walks).work(3_000);
            let found = search.target(target).run().expect("groups");
            if found.stop() == Stop::Target {
                assert!(found.cost() <= target, "{engine:?} {seed} {walks}");
                assert_eq!(found.verify(&instance), Ok(()));
                is_met += 1;
            }
        }
    }
    assert!(is_met > 100, "{is_met}");
}

/// Totals beyond all floats passed for less than any target.
#[test]
fn a_total_that_is_no_number_meets_no_target() {
    struct Far;
    impl GroupCost for Far {
        type Value = f64;

        fn len(&self) -> usize {
            4
        }

        fn group(&self, members: &[usize]) -> f64 {
            match members {
                [0, 1] | [2, 3] => -1e308,
                _ => 1e307,
            }
        }
    }
    let instance = Instance::by_group(&Far, groups(4, 2)).expect("sizes add up");
    for engine in ENGINES {
        let search = Search::with(&instance, engine).warm_start(&[vec![0, 2], vec![1, 3]]);
        let found = search.target(0.0).work(1_000).run().expect("the warm start");
        assert_ne!((found.cost(), found.stop()), (2e307, Stop::Target), "{engine:?}");
    }
}

#[test]
fn no_limit_is_too_great() {
    both(12, 3, |instance| {
        for engine in ENGINES {
            for seconds in [1 << 61, 1 << 62, u64::MAX] {
                let token = CancelToken::new();
                token.cancel();
                let search = Search::with(instance, engine).time(Duration::from_secs(seconds));
                search.clone().cancel(token).run().expect("groups");
                search.work(3_000).walks(3).run().expect("groups");
            }
        }
        let found = Search::with(instance, Engine::Climb)
            .walks(usize::MAX)
            .work(1_000)
            .run();
        assert_eq!(found.expect("groups").groups().len(), 4);
    });
}

/// Several walks may each have an error: it is that of the first, whichever thread was quickest.
#[test]
fn bad_starts_are_the_same_error_for_any_number_of_threads() {
    let gap = cost::from_symmetric_fn(40, |i, j| ((i * 7 + j * 7) % 10) as i64);
    let instance = Instance::pairwise(&gap, groups(40, 5)).expect("sizes add up");
    let starts = |number: u64| {
        let mut groups: Vec<Vec<usize>> = (0..8).map(|group| (5 * group..5 * group + 5).collect()).collect();
        if number > 0 {
            groups[0][0] = match number as usize % 5 {
                0 => 100 + number as usize,
                player => player,
            };
        }
        groups
    };
    for engine in ENGINES {
        let error = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let search = Search::with(&instance, engine).work(100_000).walks(8).starts(&starts);
            pool.expect("threads").install(|| search.run().err())
        };
        let first = error(1);
        for threads in [2, 4, 4, 4, 8, 8] {
            assert_eq!(error(threads), first, "{engine:?}");
        }
    }
}

#[test]
fn one_who_has_cancelled_before_gets_groups_at_once() {
    both(300, 3, |instance| {
        for engine in ENGINES {
            let token = CancelToken::new();
            token.cancel();
            let found = Search::with(instance, engine)
                .cancel(token)
                .walks(4)
                .run()
                .expect("groups");
            assert_eq!(
                (found.groups().len(), found.stop()),
                (100, Stop::Cancelled),
                "{engine:?}"
            );
            assert!(found.work() < 1_000, "{engine:?}: {}", found.work());
        }
    });
}

#[test]
fn many_parties_that_fit_at_once_are_packed_for_one_who_has_cancelled() {
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let gap = cost::from_symmetric_fn(20_000, |i, j| (i + j) as i64 % 7);
    let pairs = Pairwise(&gap);
    let instance = Instance::by_group(&pairs, groups(20_000, 2)).expect("sizes add up");
    let parties = (0..5_000).map(|party| vec![2 * party, 2 * party + 1]);
    let instance = instance.parties(parties).expect("parties");
    let found = Search::auto(&instance).cancel(cancelled).run();
    assert_eq!(found.map(|found| found.stop()), Ok(Stop::Cancelled));
}

#[test]
fn cancelling_ends_a_search_without_end() {
    both(60, 3, |instance| {
        for engine in ENGINES {
            let token = CancelToken::new();
            let found = std::thread::scope(|scope| {
                let search = Search::with(instance, engine).cancel(token.clone()).time(Duration::MAX);
                let running = scope.spawn(move || search.run());
                std::thread::sleep(Duration::from_millis(30));
                token.cancel();
                running.join().expect("no panic").expect("groups")
            });
            assert_eq!(found.stop(), Stop::Cancelled, "{engine:?}");
        }
    });
}

/// A cost that takes a millisecond a group, and counts how often it was asked once the time was over. That begins when it
/// is asked first, after the search began: whatever holds a test up in between takes nothing from the search.
struct Slow {
    limit: Duration,
    end: OnceLock<Instant>,
    late: AtomicUsize,
}

impl Slow {
    fn new(limit: Duration) -> Self {
        Self {
            limit,
            end: OnceLock::new(),
            late: AtomicUsize::new(0),
        }
    }
}

impl GroupCost for Slow {
    type Value = i64;

    fn len(&self) -> usize {
        100
    }

    fn group(&self, members: &[usize]) -> i64 {
        let now = Instant::now();
        if now >= *self.end.get_or_init(|| now + self.limit) {
            self.late.fetch_add(1, Ordering::Relaxed);
        }
        std::thread::sleep(Duration::from_millis(1));
        members.iter().fold(7, |sum, &player| (sum * 31 + player as i64) % 1009)
    }
}

/// The same, with notes: climbs ask about many exchanges of a group in turn.
struct SlowWithNotes(Slow);

impl GroupCost for SlowWithNotes {
    type Value = i64;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.0.group(members)
    }

    fn take_notes(&self, _: &[usize], notes: &mut Vec<i32>) {
        notes.push(0);
    }
}

/// Climbs asked for all exchanges of one player, or 64 of them, before they looked at the clock.
#[test]
fn slow_costs_with_notes_are_hardly_asked_for_once_the_time_is_over() {
    let limit = Duration::from_millis(40);
    for (size, most) in [(5, 70), (50, 20)] {
        for engine in ENGINES {
            let slow = SlowWithNotes(Slow::new(limit));
            let instance = Instance::by_group(&slow, groups(100, size)).expect("sizes add up");
            let found = Search::with(&instance, engine).time(limit).run().expect("groups");
            assert_eq!(found.stop(), Stop::Time, "{engine:?}");
            let late = slow.0.late.into_inner();
            assert!(late <= most, "{engine:?}, groups of {size}: {late} costs after the end");
        }
    }
}

/// Tempering counted what all its replicas cost and made 64 moves with each before it looked at the clock, late
/// acceptance made 32: six hundred and a hundred costs after the end, where the answer takes twenty.
#[test]
fn slow_costs_are_hardly_asked_for_once_the_time_is_over() {
    let limit = Duration::from_millis(40);
    for (size, most) in [(5, 70), (50, 40)] {
        for engine in ENGINES {
            let slow = Slow::new(limit);
            let instance = Instance::by_group(&slow, groups(100, size)).expect("sizes add up");
            let found = Search::with(&instance, engine).time(limit).run().expect("groups");
            assert_eq!(found.stop(), Stop::Time, "{engine:?}");
            let late = slow.late.into_inner();
            assert!(late <= most, "{engine:?}, groups of {size}: {late} costs after the end");
        }
    }
}

#[test]
fn a_target_that_anything_meets_ends_at_once() {
    both(40, 4, |instance| {
        for engine in ENGINES {
            for walks in [1, 5] {
                let search = Search::with(instance, engine).target(1_000_000_000).walks(walks);
                let found = search.work(100_000_000).run().expect("groups");
                assert_eq!(found.stop(), Stop::Target, "{engine:?}");
                assert!(found.work() < 200_000, "{engine:?} went on for {}", found.work());
            }
        }
    });
}

#[test]
fn a_target_is_met_by_the_answer() {
    both(24, 3, |instance| {
        let best = Search::auto(instance).work(400_000).run().expect("groups");
        for engine in [Engine::Annealing, Engine::Population, Engine::CachedClimb] {
            let target = best.cost() + 20;
            let found = Search::with(instance, engine)
                .target(target)
                .work(20_000_000)
                .run()
                .expect("groups");
            assert_eq!(found.stop(), Stop::Target, "{engine:?}");
            assert!(found.cost() <= target);
        }
    });
}

#[test]
fn a_search_with_nothing_to_move_comes_to_its_own_end() {
    let gap = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let one = Instance::pairwise(&gap, Groups::of_size(6, 6).expect("sizes")).expect("sizes add up");
    let halves = Groups::of_size(6, 3).expect("sizes");
    let pins = (0..6).map(|player| (player, player % 2));
    let pinned = Instance::pairwise(&gap, halves)
        .expect("sizes add up")
        .pins(pins)
        .expect("pins");
    // A party of two and one of one: sizes of two groups never change, and nobody else is there.
    let mixed = Groups::with_bounds([4..=4, 2..=2]).expect("bounds");
    let mixed = Instance::pairwise(&gap, mixed).expect("sizes add up");
    let mixed = mixed.parties([vec![0, 1, 2, 3], vec![4, 5]]).expect("parties");
    for instance in [one, pinned, mixed] {
        for engine in ENGINES {
            let found = Search::with(&instance, engine).work(10_000).run().expect("groups");
            let sum: usize = found.groups().iter().map(Vec::len).sum();
            assert_eq!(sum, 6);
        }
    }
}

#[test]
fn every_walk_tells_of_lower_costs_and_later_work_alone() {
    both(60, 5, |instance| {
        for engine in ENGINES {
            let seen = Mutex::new(Vec::new());
            let observer = |progress: &Progress| {
                let told = (progress.walk, progress.work, progress.cost);
                seen.lock().expect("no panic").push(told);
            };
            let search = Search::with(instance, engine).work(200_000).walks(2);
            search.observer(&observer).run().expect("groups");
            let mut seen = seen.into_inner().expect("no panic");
            // Walks take turns; what each has told stays in order.
            seen.sort_by_key(|told| told.0);
            for walk in seen.chunk_by(|one, other| one.0 == other.0) {
                for told in walk.windows(2) {
                    assert!(told[1].2 < told[0].2 && told[1].1 >= told[0].1, "{engine:?}: {told:?}");
                }
            }
        }
    });
}

#[test]
fn observers_see_costs_fall_and_the_incumbent_holds_the_last() {
    both(30, 3, |instance| {
        for engine in ENGINES {
            let seen = Mutex::new(Vec::new());
            let calls = AtomicUsize::new(0);
            let observer = |progress: &Progress| {
                calls.fetch_add(1, Ordering::Relaxed);
                seen.lock().expect("no panic").push(progress.cost);
            };
            let incumbent = Incumbent::new();
            let search = Search::with(instance, engine)
                .work(200_000)
                .observer(&observer)
                .incumbent(&incumbent);
            let found = search.run().expect("groups");
            let least = seen
                .lock()
                .expect("no panic")
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min);
            let (cost, groups) = incumbent.get().expect("something was found");
            assert_eq!((least, cost), (found.cost() as f64, found.cost() as f64), "{engine:?}");
            assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 30);
            assert!(calls.load(Ordering::Relaxed) > 0);
        }
    });
}

/// A tempering that was out of time, or cancelled, before its first round told nobody of what it returned.
#[test]
fn the_first_grouping_is_shown_however_little_time_there_is() {
    let slow = Slow::new(Duration::ZERO);
    let instance = Instance::by_group(&slow, groups(100, 50)).expect("sizes add up");
    for engine in ENGINES {
        let incumbent = Incumbent::new();
        let search = Search::with(&instance, engine).time(Duration::from_micros(100));
        let found = search.incumbent(&incumbent).run().expect("groups");
        let shown = incumbent.get().map(|(cost, _)| cost);
        assert_eq!(shown, Some(found.cost() as f64), "{engine:?}");
    }
}

#[test]
fn the_incumbent_is_that_of_the_search_that_runs() {
    let near = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    let far = cost::from_symmetric_fn(6, |i, j| 1_000 + i.abs_diff(j) as i64);
    let threes = Instance::pairwise(&near, Groups::of_size(6, 3).expect("sizes")).expect("sizes add up");
    let pairs = Instance::pairwise(&far, Groups::of_size(6, 2).expect("sizes")).expect("sizes add up");
    let seen = Incumbent::new();
    for engine in ENGINES {
        Search::with(&threes, engine).incumbent(&seen).run().expect("groups");
        assert_eq!(seen.get().map(|(cost, _)| cost), Some(8.0), "{engine:?}");
        Search::with(&pairs, engine).incumbent(&seen).run().expect("groups");
        assert_eq!(seen.get().map(|(cost, _)| cost), Some(3_003.0), "{engine:?}");
    }
    let bad = Search::auto(&pairs).warm_start(&[vec![0, 0]]).incumbent(&seen).run();
    assert!(bad.is_err());
    assert_eq!(seen.get(), None);
}

#[test]
fn a_budget_is_all_the_limits() {
    let cost = cost::from_symmetric_fn(60, |i, j| ((i * j) % 17) as i64);
    let instance = Instance::pairwise(&cost, groups(60, 5)).expect("sizes add up");
    let token = CancelToken::new();
    token.cancel();
    let search = || Search::with(&instance, Engine::Climb).work(500);
    let stop = |search: Search<'_, i64>| search.run().map(|found| found.stop()).expect("groups");
    assert_eq!(stop(search().budget(Budget::new().cancel(token))), Stop::Cancelled);
    assert_eq!(stop(search().budget(Budget::new().time(Duration::ZERO))), Stop::Time);
    let found = search().budget(Budget::new().work(2_000)).run().expect("groups");
    assert_eq!(found.work(), search().work(2_000).run().expect("groups").work());
    // What was given before counts no more.
    let free = search().budget(Budget::new()).run().expect("groups");
    assert!(free.work() > 10_000, "{}", free.work());
}

#[test]
fn who_waits_is_told_from_who_plays() {
    let cost = cost::from_symmetric_fn(8, |i, j| (i as i64 - j as i64).abs());
    for (groups, waiting) in [(groups(8, 3), 2), (groups(8, 4), 0), (groups(8, 4).with_bench(1), 0)] {
        let bench = groups.bench();
        let instance = Instance::pairwise(&cost, groups).expect("sizes add up");
        let seen = Incumbent::new();
        assert_eq!(seen.best(), None);
        let found = Search::auto(&instance).incumbent(&seen).run().expect("groups");
        let best = seen.best().expect("one was found");
        assert_eq!((best.groups().len(), best.bench().len()), (2, waiting));
        assert_eq!((best.bench(), best.cost()), (found.bench(), found.cost() as f64));
        let mut groups = best.groups().to_vec();
        groups.sort_unstable();
        assert_eq!(groups, found.groups());
        // One list more where somebody may wait.
        let lists = seen.get().map(|(_, lists)| lists.len());
        assert_eq!(lists, Some(if bench == (0..=0) { 2 } else { 3 }));
    }
}

/// The bench was looked for behind as many lists as the search has groups that began last: a panic where another one is
/// better, and has fewer.
#[test]
fn an_incumbent_of_two_searches_tells_groups_from_the_bench() {
    let gap = cost::from_symmetric_fn(6, |i, j| (i as i64 - j as i64).abs());
    let far = cost::from_symmetric_fn(6, |i, j| 1_000 * (i as i64 - j as i64).abs());
    let threes = Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up");
    let pairs = Instance::pairwise(&far, groups(6, 2)).expect("sizes add up");
    let (seen, told) = (Incumbent::new(), AtomicUsize::new(0));
    let other = |_: &Progress| {
        if told.fetch_add(1, Ordering::Relaxed) == 0 {
            let found = Search::with(&pairs, Engine::Climb).incumbent(&seen).run();
            assert_eq!(found.map(|found| found.groups().len()), Ok(3));
            assert_eq!(seen.best().map(|best| best.groups().len()), Some(3));
        }
    };
    let start = |_| vec![vec![0, 2, 4], vec![1, 3, 5]];
    let search = Search::with(&threes, Engine::Climb).starts(&start).observer(&other);
    let found = search.incumbent(&seen).run().expect("groups");
    let best = seen.best().expect("one was found");
    let shown = (best.groups().len(), best.bench().len(), best.cost());
    assert_eq!((shown, found.cost()), ((2, 0, 8.0), 8));
}
