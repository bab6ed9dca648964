//! Extreme input gives right answers.

use matching_core::cost::{self, Pairwise};
use matching_core::{Cost, GroupCost};
use matching_heuristics::{Engine, Error, Groups, Incumbent, Instance, Search, Stop};

use crate::errors::{all, groups};
use crate::support::{SURE, only_climbs};

#[test]
fn whole_groups_of_64_bits_are_exact_and_others_refused() {
    let huge = cost::from_symmetric_fn(6, |i, j| i64::MAX / 3 - (i * j) as i64);
    for found in all(&Instance::by_group(&Pairwise(&huge), groups(6, 3)).expect("sizes add up")) {
        let expected = 2 * 3 * i128::from(i64::MAX / 3) - (3 * 4 + 3 * 5 + 4 * 5) - 2;
        assert_eq!(found.expect("groups").cost(), expected);
    }
    let beyond = cost::from_symmetric_fn(6, |_, _| i128::from(i64::MAX));
    for found in all(&Instance::by_group(&Pairwise(&beyond), groups(6, 3)).expect("sizes add up")) {
        assert!(matches!(found, Err(Error::GroupNotANumber { .. })));
    }
    let overflowing = cost::from_symmetric_fn(6, |_, _| i64::MAX / 2);
    for found in all(&Instance::by_group(&Pairwise(&overflowing), groups(6, 3)).expect("sizes add up")) {
        assert!(matches!(found, Err(Error::GroupNotANumber { .. })));
    }
}

/// Players 0 to 11 with the same remainder by four belong together: nothing is cheaper, at any scale.
fn blocks<V: matching_core::CostValue>(low: V, high: V, is_forbidding: bool) {
    let gap = cost::from_symmetric_fn(12, |i, j| if i % 4 == j % 4 { low } else { high });
    let is_apart = |i: usize, j: usize| [[1, 2], [2, 1]].contains(&[i % 4, j % 4]);
    let restricted = gap.restricted(|i, j| !(is_forbidding && is_apart(i, j)));
    let expected = [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]];
    let whole = Pairwise(&restricted);
    for engine in SURE.into_iter().filter(|&engine| !only_climbs(engine)) {
        let exact = Instance::pairwise(&restricted, groups(12, 3)).expect("sizes add up");
        let found = Search::with(&exact, engine).work(50_000).run();
        assert_eq!(found.expect("groups").groups(), expected, "{engine:?} {low} {high}");
        // Three pairs of such integers do not fit their type.
        if V::IS_INTEGER && low.to_f64().abs().max(high.to_f64().abs()) > 1e9 {
            continue;
        }
        let exact = Instance::by_group(&whole, groups(12, 3)).expect("sizes add up");
        let found = Search::with(&exact, engine).work(50_000).run();
        assert_eq!(
            found.expect("groups").groups(),
            expected,
            "{engine:?} {low} {high} by group"
        );
    }
}

#[test]
fn costs_of_any_size_give_the_same_groups() {
    for is_forbidding in [false, true] {
        blocks(1_i32, 2, is_forbidding);
        blocks(i32::MIN, i32::MAX, is_forbidding);
        blocks(i64::MAX - 1_000_000_000_000_000, i64::MAX, is_forbidding);
        blocks(i64::MIN, i64::MAX, is_forbidding);
        blocks(-(1_i128 << 120), 1_i128 << 120, is_forbidding);
        blocks(1e300, 3e300, is_forbidding);
        blocks(1e-300, 3e-300, is_forbidding);
        blocks(1e-9, 3e-9, is_forbidding);
        blocks(-3e-20, -1e-20, is_forbidding);
        blocks(-5e306, 5e306, is_forbidding);
        blocks(1e-312, 3e-312, is_forbidding);
        blocks(f32::MIN_POSITIVE, 3.0 * f32::MIN_POSITIVE, is_forbidding);
        blocks(-1e37_f32, 1e37, is_forbidding);
    }
}

#[test]
fn a_total_that_does_not_fit_is_an_error() {
    let huge = cost::from_symmetric_fn(6, |_, _| i128::MAX / 2);
    for found in all(&Instance::pairwise(&huge, groups(6, 3)).expect("sizes add up")) {
        assert_eq!(found.expect_err("beyond 128 bits"), Error::CostOverflow);
    }
    let huge = cost::from_symmetric_fn(6, |_, _| f64::MAX);
    for found in all(&Instance::pairwise(&huge, groups(6, 3)).expect("sizes add up")) {
        assert_eq!(found.expect_err("beyond a float"), Error::CostOverflow);
    }
}

#[test]
fn equal_costs_and_none_at_all() {
    for value in [0_i64, 5, -5] {
        let gap = cost::from_symmetric_fn(12, |_, _| value);
        for found in all(&Instance::pairwise(&gap, groups(12, 3)).expect("sizes add up")) {
            assert_eq!(found.expect("groups").cost(), i128::from(12 * value));
        }
        for found in all(&Instance::by_group(&Pairwise(&gap), groups(12, 3)).expect("sizes add up")) {
            assert_eq!(found.expect("groups").cost(), i128::from(12 * value));
        }
    }
    // Nobody searches for what cannot be better: each swap would pass, for minutes.
    let gap = cost::from_symmetric_fn(500, |_, _| 3_i64);
    let instance = Instance::pairwise(&gap, groups(500, 5)).expect("sizes add up");
    let found = Search::auto(&instance).run().expect("groups");
    assert_eq!(
        (found.cost(), found.work(), found.stop()),
        (3 * 1000, 0, Stop::Finished)
    );
    let zero = cost::from_symmetric_fn(12, |i, j| if i < j { 0.0 } else { -0.0 });
    for found in all(&Instance::pairwise(&zero, groups(12, 3)).expect("sizes add up")) {
        assert_eq!(found.expect("groups").cost(), 0.0);
    }
}

#[test]
fn one_player_one_group_and_empty_groups() {
    let alone = cost::from_symmetric_fn(1, |_, _| f64::NAN);
    for found in all(&Instance::pairwise(&alone, groups(1, 1)).expect("sizes add up")) {
        assert_eq!(found.expect("groups").groups(), [[0]]);
    }
    let gap = cost::from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
    for found in all(&Instance::pairwise(&gap, groups(6, 6)).expect("sizes add up")) {
        assert_eq!(found.expect("groups").cost(), 35);
    }
    // Everybody may wait, or sit alone, or all together; negative costs draw them together.
    for (sign, expected) in [(1, 0), (-1, -35)] {
        let gap = cost::from_symmetric_fn(6, |i, j| sign * i.abs_diff(j) as i64);
        let any = Groups::with_bounds(vec![0..=6; 6]).expect("bounds").with_bench(6);
        for found in all(&Instance::pairwise(&gap, any.clone()).expect("sizes add up")) {
            assert_eq!(found.expect("groups").cost(), expected);
        }
        for found in all(&Instance::by_group(&Pairwise(&gap), any).expect("sizes add up")) {
            assert_eq!(found.expect("groups").cost(), expected);
        }
    }
}

#[test]
fn everything_forbidden_names_a_group() {
    let gap = cost::from_symmetric_fn(6, |_, _| 1_i64).restricted(|_, _| false);
    let whole = Pairwise(&gap);
    for instance in [
        Instance::pairwise(&gap, groups(6, 3)),
        Instance::by_group(&whole, groups(6, 3)),
    ] {
        let instance = instance.expect("sizes add up");
        for found in all(&instance) {
            let Err(Error::OnlyForbidden { members, .. } | Error::AllForbidden { members, .. }) = found else {
                panic!("{found:?}");
            };
            assert_eq!(members.len(), 3);
        }
        // All ten groupings are tried, so that is proven; climbing proves nothing.
        let proven = Search::auto(&instance).run();
        assert!(matches!(proven, Err(Error::AllForbidden { .. })), "{proven:?}");
        let climbed = Search::with(&instance, Engine::Climb).run();
        assert!(matches!(climbed, Err(Error::OnlyForbidden { .. })), "{climbed:?}");
    }
}

#[test]
fn a_group_with_a_forbidden_pair_is_never_preferred_for_its_size() {
    // All like each other much, but for one pair: six of seven sit together, one alone.
    let gap =
        cost::from_symmetric_fn(7, |i, j| -1_000 - (i * j) as i64).restricted(|i, j| i.min(j) != 0 || i.max(j) != 1);
    let free = Groups::with_bounds([0..=7, 0..=7]).expect("bounds");
    for found in all(&Instance::pairwise(&gap, free).expect("sizes add up")) {
        assert_eq!(found.expect("groups").groups().iter().map(Vec::len).max(), Some(6));
    }
}

#[test]
fn one_huge_party_against_many_singles_comes_to_an_end() {
    // Ways to pick 15 of 45 singles: more than can ever be looked at.
    let gap = cost::from_symmetric_fn(60, |i, j| ((i * j) % 17) as i64);
    let instance = Instance::pairwise(&gap, groups(60, 30)).expect("sizes add up");
    let instance = instance.party(&(0..15).collect::<Vec<_>>()).expect("a party");
    for found in all(&instance) {
        assert_eq!(found.expect("groups").groups().len(), 2);
    }
}

#[test]
fn a_party_of_two_hundred_thousand_is_read_at_once() {
    let nothing = cost::from_symmetric_fn(200_000, |_, _| 0_i64);
    let instance = Instance::pairwise(&nothing, groups(200_000, 200_000)).expect("sizes add up");
    let mut party: Vec<usize> = (0..200_000).collect();
    instance.clone().party(&party).expect("one group holds it");
    party[199_999] = 7;
    let error = instance.party(&party).expect_err("twice");
    assert_eq!(error, Error::TwiceInParty { player: 7 });
}

/// Groups of players with the same last digit are allowed, at a price that all pay alike.
struct Clans {
    price: i64,
}

impl GroupCost for Clans {
    type Value = i64;

    fn len(&self) -> usize {
        30
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.price + members[0] as i64
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        members.iter().all(|player| player % 10 == members[0] % 10)
    }
}

/// Where forbidden groups counted as free, no walk entered one that is allowed.
#[test]
fn what_all_groups_cost_is_no_reason_to_have_fewer_that_are_allowed() {
    for price in [-1_000_000_000_000, 0, 1_000_000_000_000] {
        let clans = Clans { price };
        let instance = Instance::by_group(&clans, groups(30, 3)).expect("sizes add up");
        for engine in Engine::ALL {
            // One takes longer than the others.
            let is_slow = engine == Engine::LateAcceptance;
            let work = if is_slow { 1_000_000 } else { 200_000 };
            let found = Search::with(&instance, engine).work(work).run();
            let cost = found.map(|found| found.cost());
            assert_eq!(cost, Ok(i128::from(10 * price + 45)), "{engine:?} {price}");
        }
    }
}

/// Swaps of parties change more pairs than swaps of players, and what is forbidden must cost more than all of them.
#[test]
fn no_party_is_worth_a_forbidden_pair() {
    let attracts = |i: usize, j: usize| i / 10 != j / 10 && i / 20 == j / 20;
    let gap = cost::from_symmetric_fn(80, |i, j| -i64::from(attracts(i, j)));
    let gap = gap.restricted(|i, j| !(attracts(i, j) && i % 10 == 0 && j % 10 == 0));
    let parties = (0..8).map(|party| 10 * party..10 * party + 10);
    let instance = Instance::pairwise(&gap, groups(80, 20)).expect("sizes add up");
    let instance = instance.parties(parties.map(Vec::from_iter)).expect("parties");
    for found in all(&instance) {
        assert_eq!(found.expect("there are groups").cost(), 0);
    }
}

#[test]
fn what_all_pairs_cost_takes_no_digits_from_what_they_differ_by() {
    let differences = |i: usize, j: usize| (i * j * 7919 + i + j + 999) as i64 % 1000;
    let groups_at = |common: i64| {
        let gap = cost::from_symmetric_fn(60, move |i, j| common + differences(i, j));
        let instance = Instance::pairwise(&gap, groups(60, 6)).expect("sizes add up");
        let found = Search::auto(&instance).work(200_000).run().expect("groups");
        (found.groups().to_vec(), found.cost() - i128::from(common) * 10 * 15)
    };
    // So that the least difference is what is taken off.
    assert!((0..60).any(|i| (0..i).any(|j| differences(i, j) == 0)));
    for common in [
        1_000_000,
        1_000_000_000_000,
        -1_000_000_000_000,
        1 << 60,
        -(1 << 60),
        i64::MAX - 999,
        i64::MIN,
    ] {
        assert_eq!(groups_at(common), groups_at(0));
    }
}

#[test]
fn groups_whose_cost_does_not_fit_are_no_part_of_a_proof() {
    // Two pairs that are cheap together, one of which is too much for its type, and four that are not.
    for (far, best) in [(i32::MAX, 2_400_000_000), (i32::MIN, 2_400_000_000)] {
        let gap = cost::from_symmetric_fn(4, |i, j| match (i.min(j), i.max(j)) {
            (0, 1) => far,
            (2, 3) => 0,
            _ => 600_000_000,
        });
        let twice = gap.scaled(2);
        let pairs = Pairwise(&twice);
        let instance = Instance::by_group(&pairs, groups(4, 2)).expect("sizes add up");
        let found = Search::auto(&instance).run().expect("groups that fit");
        assert!(found.is_proven_best());
        assert_eq!(found.cost(), best);
        let walk = Search::with(&instance, Engine::Annealing).work(10_000).run();
        assert!(walk.is_err_and(|error| matches!(error, Error::GroupNotANumber { .. })));
    }
}

/// Groups whose cost does not fit counted as forbidden, and where they were in the way of all that is allowed, nothing was
/// said to be.
#[test]
fn what_does_not_fit_is_not_called_forbidden() {
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        let gap = cost::from_symmetric_fn(4, |_, _| 1_i64 << 62).restricted(|i, j| (i.min(j), i.max(j)) != (a, b));
        let pairs = Pairwise(&gap);
        let sizes = Groups::with_bounds([3..=3, 1..=1]).expect("bounds");
        let instance = Instance::by_group(&pairs, sizes).expect("sizes add up");
        let error = Search::auto(&instance).run().expect_err("no three have a cost");
        let is_told = matches!(&error, Error::GroupNotANumber { members } if members.len() == 3);
        assert!(is_told, "{a} and {b} are apart: {error}");
    }
}

#[test]
fn floats_that_overflow_end_no_walk_in_a_panic() {
    struct Huge;
    impl GroupCost for Huge {
        type Value = f64;

        fn len(&self) -> usize {
            30
        }

        fn group(&self, members: &[usize]) -> f64 {
            if members.iter().sum::<usize>().is_multiple_of(2) {
                1.7e308
            } else {
                -1.7e308
            }
        }
    }
    let instance = Instance::by_group(&Huge, groups(30, 3)).expect("sizes add up");
    for engine in Engine::ALL {
        let found = Search::with(&instance, engine).work(20_000).run();
        // Ten such costs have a total, or none, by their order; only as many of either sign have one, and that is 0.
        let found = match found {
            Err(error) => {
                assert_eq!(error, Error::CostOverflow, "{engine:?}");
                continue;
            }
            Ok(found) => found,
        };
        let signs: f64 = found.groups().iter().map(|members| Huge.group(members).signum()).sum();
        assert_eq!((found.cost(), signs), (0.0, 0.0), "{engine:?} {found:?}");
        let mut players = found.groups().concat();
        players.sort_unstable();
        assert!(players.into_iter().eq(0..30), "{engine:?} {found:?}");
    }
}

/// Rounded to the grid, such a total was infinite, and less its rounding no number, which no target is met by.
#[test]
fn targets_near_the_greatest_float_are_met() {
    for greatest in [f64::MAX, f64::MIN] {
        let cost = cost::from_symmetric_fn(3, |i, j| if i + j == 1 { greatest } else { 0.0 });
        let instance = Instance::pairwise(&cost, groups(3, 3)).expect("sizes add up");
        for engine in Engine::ALL.into_iter().filter(|&engine| engine != Engine::Auto) {
            let seen = Incumbent::new();
            let search = Search::with(&instance, engine).work(100).incumbent(&seen);
            let found = search.target(greatest).run().expect("one group");
            assert_eq!((found.cost(), found.stop()), (greatest, Stop::Target), "{engine:?}");
            let shown = seen.best().expect("one group").cost();
            assert!(shown.is_finite(), "{engine:?} {shown}");
        }
    }
}
