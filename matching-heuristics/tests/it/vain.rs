//! What is said to have ended a search, where it has found groups and where it has not.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use matching_core::{CancelToken, Cost, GroupCost, cost, cost::Pairwise};
use matching_heuristics::{Engine, Error, Instance, Search, Stop};

use crate::errors::groups;
use crate::support::ENGINES;

/// Longer than any test.
const LONG: Duration = Duration::from_secs(3_600);
/// What a search looks at beyond a limit on work, at most, with a few walks: the moves of one group's members for each.
const OVERSHOT: u64 = 4_000;

/// Calls `visit` with problems of thirty players in groups of three, by pairs and by group: first without forbidden pairs,
/// then with so many that each group has one.
fn all(visit: impl Fn(&Instance<'_, i64>)) {
    let free = cost::from_symmetric_fn(30, |i, j| ((i * 37 + j * 37) % 101 + i * j % 7) as i64);
    // Nobody may be with two others.
    let forbidden = (&free).restricted(|i, j| i / 2 == j / 2);
    let by_group = (Pairwise(&free), Pairwise(&forbidden));
    for instance in [
        Instance::pairwise(&free, groups(30, 3)),
        Instance::pairwise(&forbidden, groups(30, 3)),
        Instance::by_group(&by_group.0, groups(30, 3)),
        Instance::by_group(&by_group.1, groups(30, 3)),
    ] {
        visit(&instance.expect("sizes add up"));
    }
}

/// What ended a search, and the moves that it looked at, whatever came of it.
fn ended(search: &Search<'_, i64>) -> (Stop, u64) {
    match search.run() {
        Ok(found) => (found.stop(), found.work()),
        Err(Error::OnlyForbidden { members, stop, work }) => {
            assert_eq!(members.len(), 3);
            (stop, work)
        }
        Err(other) => panic!("{other:?}"),
    }
}

/// Engines that plan ahead said that they had come to their own end, and of a search in vain nothing was said.
#[test]
fn work_that_was_spent_is_said_to_have_ended_it() {
    all(|instance| {
        for engine in ENGINES {
            let search = Search::with(instance, engine);
            for work in [0, 1, 50, 1_000, 20_000] {
                for walks in [1, 3] {
                    let search = search.clone().work(work).walks(walks);
                    let (stop, spent) = ended(&search);
                    assert_eq!(stop, Stop::Work, "{engine:?}, {work}, {walks} walks");
                    let least = if work < 20_000 { 0 } else { work - work / 10 };
                    assert!(
                        (least..=work + OVERSHOT).contains(&spent),
                        "{engine:?}, {work}: {spent}"
                    );
                    // A limit that does not bite changes nothing.
                    let never = search.time(LONG).target(i128::from(i64::MIN));
                    assert_eq!(ended(&never).0, Stop::Work, "{engine:?}, {work}, {walks} walks");
                }
            }
        }
    });
}

#[test]
fn time_that_was_spent_is_said_to_have_ended_it() {
    all(|instance| {
        for engine in ENGINES {
            for limit in [Duration::ZERO, Duration::from_millis(3), Duration::from_millis(10)] {
                for walks in [1, 3] {
                    let search = Search::with(instance, engine).time(limit).walks(walks);
                    for search in [search.clone(), search.work(u64::MAX / 8)] {
                        assert_eq!(ended(&search).0, Stop::Time, "{engine:?}, {limit:?}, {walks} walks");
                    }
                }
            }
        }
    });
}

/// A cost that cancels a search when it is asked for the hundredth time, as late in it as that is.
struct Cancelling<'a, C> {
    cost: C,
    token: &'a CancelToken,
    asked: AtomicU64,
}

impl<C: GroupCost> GroupCost for Cancelling<'_, C> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.cost.len()
    }

    fn group(&self, members: &[usize]) -> C::Value {
        if self.asked.fetch_add(1, Ordering::Relaxed) == 100 {
            self.token.cancel();
        }
        self.cost.group(members)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.cost.is_group_allowed(members)
    }

    fn has_forbidden_groups(&self) -> bool {
        self.cost.has_forbidden_groups()
    }
}

#[test]
fn who_cancels_is_said_to_have_ended_it() {
    all(|instance| {
        for engine in ENGINES {
            let token = CancelToken::new();
            token.cancel();
            let search = Search::with(instance, engine).cancel(token);
            for search in [
                search.clone(),
                search.clone().work(0),
                search.clone().time(Duration::ZERO),
                search.walks(3).work(1_000).time(LONG),
            ] {
                assert_eq!(ended(&search).0, Stop::Cancelled, "{engine:?}");
            }
        }
    });
    let free = cost::from_symmetric_fn(30, |i, j| ((i * 37 + j * 37) % 101 + i * j % 7) as i64);
    // The last six may be with nobody.
    let forbidden = (&free).restricted(|i, j| i < 24 && j < 24);
    for engine in ENGINES {
        let token = CancelToken::new();
        let cost = Cancelling {
            cost: Pairwise(&forbidden),
            token: &token,
            asked: AtomicU64::new(0),
        };
        let instance = Instance::by_group(&cost, groups(30, 3)).expect("sizes add up");
        let search = Search::with(&instance, engine).work(100_000).time(LONG).walks(3);
        assert_eq!(ended(&search.cancel(token.clone())).0, Stop::Cancelled, "{engine:?}");
    }
}

/// A target that anything meets is met by nothing forbidden.
#[test]
fn a_target_ends_no_search_in_vain() {
    let free = cost::from_symmetric_fn(30, |i, j| ((i * 7 + j * 13) % 10) as i64);
    let forbidden = (&free).restricted(|i, j| i / 2 == j / 2);
    let whole = Pairwise(&forbidden);
    for instance in [
        Instance::pairwise(&forbidden, groups(30, 3)),
        Instance::by_group(&whole, groups(30, 3)),
    ] {
        let instance = instance.expect("sizes add up");
        for engine in ENGINES {
            for target in [i128::from(i64::MIN), 0, i128::MAX] {
                let search = Search::with(&instance, engine).target(target);
                assert_eq!(ended(&search.clone().work(2_000)).0, Stop::Work, "{engine:?} {target}");
                let late = search.time(Duration::from_millis(2));
                assert_eq!(ended(&late).0, Stop::Time, "{engine:?} {target}");
            }
        }
    }
}

/// Where nobody can move, that is what ends it; where all groupings are tried, that proves something. Without limits, work
/// does.
#[test]
fn its_own_end_is_none_of_a_limit() {
    let cost = cost::from_symmetric_fn(6, |i, j| (i + j) as i64).restricted(|i, j| i / 2 == j / 2);
    let whole = Pairwise(&cost);
    for instance in [
        Instance::pairwise(&cost, groups(6, 3)),
        Instance::by_group(&whole, groups(6, 3)),
    ] {
        let instance = instance.expect("sizes add up");
        let auto = Search::auto(&instance).run();
        let Err(Error::AllForbidden { work, .. }) = auto else {
            panic!("{auto:?}");
        };
        assert!(work > 0);
        // Its own amount is work, too.
        for engine in ENGINES.into_iter().filter(|&engine| engine != Engine::Auto) {
            assert_eq!(ended(&Search::with(&instance, engine)).0, Stop::Work, "{engine:?}");
        }
        let pinned = instance.pins((0..6).map(|player| (player, player % 2))).expect("pins");
        for engine in ENGINES.into_iter().filter(|&engine| engine != Engine::Auto) {
            for search in [
                Search::with(&pinned, engine),
                Search::with(&pinned, engine).work(1_000).time(LONG).walks(3),
            ] {
                assert_eq!(ended(&search).0, Stop::Finished, "{engine:?}");
            }
        }
    }
}

#[test]
fn an_error_says_what_ended_the_search() {
    let cost = cost::from_symmetric_fn(9, |i, j| (i + j) as i64).restricted(|i, j| i / 2 == j / 2);
    let instance = Instance::pairwise(&cost, groups(9, 3)).expect("sizes add up");
    let text = |search: Search<'_, i64>| search.run().map(|found| found.stop()).unwrap_err().to_string();
    let search = Search::with(&instance, Engine::Climb);
    let late = text(search.clone().time(Duration::ZERO));
    let begin = "no grouping without forbidden pairs or groups was found after 0 moves, when the time was spent; the best \
                 one has group [";
    assert!(late.starts_with(begin), "{late}");
    assert!(text(search.work(500)).contains(" moves, when the work was spent; "));
}
