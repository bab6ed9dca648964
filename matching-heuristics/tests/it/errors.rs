//! Bad input is named.

use std::time::Duration;

use matching_core::cost;
use matching_heuristics::{Budget, CancelToken, Cost, Error, GroupCost, Grouping, Groups, Instance, Search};

use crate::support::ENGINES;

pub(crate) fn groups(players: usize, size: usize) -> Groups {
    Groups::of_size(players, size).expect("sizes")
}

/// What every engine says of a problem.
pub(crate) fn all<V: matching_core::CostValue>(instance: &Instance<'_, V>) -> Vec<Result<Grouping<V>, Error>> {
    let run = |engine| Search::with(instance, engine).work(20_000).run();
    ENGINES.into_iter().map(run).collect()
}

#[test]
fn sizes_that_do_not_add_up_are_counted() {
    let gap = cost::from_symmetric_fn(7, |_, _| 0_i32);
    let error = Instance::pairwise(&gap, groups(6, 3)).expect_err("seven into six");
    assert_eq!(
        error,
        Error::SizesDoNotAddUp {
            players: 7,
            least: 6,
            most: 6
        }
    );
    let bounds = Groups::with_bounds([4..=usize::MAX, 4..=usize::MAX]).expect("bounds");
    let error = Instance::pairwise(&gap, bounds).expect_err("too few");
    assert_eq!(
        error,
        Error::SizesDoNotAddUp {
            players: 7,
            least: 8,
            most: usize::MAX
        }
    );
    // Of those who may wait it was said that the groups hold them.
    let error = Instance::pairwise(&gap, groups(3, 3).with_bench(2)).expect_err("seven into five");
    let said = "7 players, but the groups hold from 3 to 5 together with the bench";
    assert_eq!(error.to_string(), said);
    assert_eq!(Groups::of_size(2, 3), Err(Error::GroupTooLarge { size: 3, players: 2 }));
    assert_eq!(Groups::of_size(2, 0), Err(Error::Empty));
    let crowd = Groups::balanced(3, 5).expect_err("two stay empty");
    assert_eq!(crowd, Error::TooFewPlayers { players: 3, groups: 5 });
    assert!(crowd.to_string().ends_with("take 3 groups or fewer"), "{crowd}");
    assert_eq!(Groups::balanced(0, 3), Err(Error::Empty));
    assert_eq!(Groups::balanced(2, 0), Err(Error::Empty));
    assert_eq!(Groups::with_bounds([]), Err(Error::Empty));
    #[allow(clippy::reversed_empty_ranges)]
    let crossed = Groups::with_bounds([1..=2, 3..=2]);
    assert_eq!(
        crossed,
        Err(Error::BoundsCrossed {
            group: 1,
            least: 3,
            most: 2
        })
    );
    let nobody = cost::from_symmetric_fn(0, |_, _| 0_i32);
    let empty = Groups::with_bounds([0..=2]).expect("bounds");
    assert_eq!(Instance::pairwise(&nobody, empty).expect_err("nobody"), Error::Empty);
}

#[test]
fn more_than_can_be_held_is_refused_and_not_tried() {
    let error = |players, groups| Error::TooLarge { players, groups };
    assert_eq!(Groups::of_size(usize::MAX, 1), Err(error(usize::MAX, usize::MAX)));
    assert_eq!(Groups::of_size(usize::MAX, usize::MAX), Err(error(usize::MAX, 1)));
    assert_eq!(
        Groups::balanced(usize::MAX, usize::MAX),
        Err(error(usize::MAX, usize::MAX))
    );
    let most = 1 << 24;
    assert!(Groups::of_size(most, most).is_ok());
    assert_eq!(Groups::of_size(most + 1, most), Err(error(most + 1, 1)));
    let many = cost::from_symmetric_fn(usize::MAX, |_, _| 0_i32);
    let bounds = Groups::with_bounds([0..=usize::MAX, 0..=usize::MAX]).expect("bounds");
    let refused = Instance::pairwise(&many, bounds).expect_err("too many players");
    assert_eq!(refused, error(usize::MAX, 2));
}

#[test]
fn parties_and_pins_that_cannot_be_are_named() {
    let gap = cost::from_symmetric_fn(6, |_, _| 0_i32);
    let instance = Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up");
    let party = |players: &[usize]| instance.clone().party(players).expect_err("a bad party");
    assert_eq!(party(&[0, 6]), Error::NoSuchPlayer { player: 6, players: 6 });
    assert_eq!(party(&[0, 1, 0]), Error::TwiceInParty { player: 0 });
    assert_eq!(
        party(&[5, 1, 2, 0]),
        Error::PartyTooLarge {
            party: vec![0, 1, 2, 5],
            most: 3
        }
    );
    // Parties that share a player are one.
    let overlapping = instance.clone().parties([vec![0, 1], vec![2, 3], vec![1, 2]]);
    assert_eq!(
        overlapping.expect_err("four"),
        Error::PartyTooLarge {
            party: vec![0, 1, 2, 3],
            most: 3
        }
    );
    let pin = |pins: &[(usize, usize)]| {
        let pairs = instance.clone().party(&[0, 1]).expect("a party");
        pairs.pins(pins.iter().copied()).expect_err("bad pins")
    };
    assert_eq!(pin(&[(6, 0)]), Error::NoSuchPlayer { player: 6, players: 6 });
    assert_eq!(pin(&[(0, 2)]), Error::NoSuchGroup { group: 2, groups: 2 });
    assert_eq!(
        pin(&[(0, 0), (1, 1)]),
        Error::PinsDisagree {
            party: vec![0, 1],
            groups: [0, 1]
        }
    );
    assert_eq!(
        pin(&[(3, 0), (3, 1)]),
        Error::PinsDisagree {
            party: vec![3],
            groups: [0, 1]
        }
    );
    let crowd = pin(&[(0, 1), (2, 1), (3, 1)]);
    let Error::TooManyPinned {
        group: 1,
        mut players,
        most: 3,
    } = crowd
    else {
        panic!("{crowd:?}");
    };
    players.sort_unstable();
    assert_eq!(players, [0, 1, 2, 3]);
    // Three where two would do leave one for a group of two.
    let uneven = Groups::with_bounds([2..=6, 2..=2]).expect("bounds");
    let four = cost::from_symmetric_fn(4, |_, _| 0_i32);
    let four = Instance::pairwise(&four, uneven).expect("sizes add up");
    let error = four.pins([(3, 0), (1, 0), (0, 0)]).expect_err("a group of one");
    assert_eq!(
        error,
        Error::PinsLeaveTooFew {
            players: vec![0, 1, 3],
            left: 1,
            least: 2
        }
    );
    // Nothing said, nothing asked; and the same again changes nothing.
    let same = instance
        .clone()
        .parties([vec![], vec![4]])
        .expect("parties")
        .pin(0, 1)
        .expect("a pin")
        .pin(0, 1);
    for found in all(&same.expect("the same pin")) {
        assert!(found.expect("groups").groups()[1].contains(&0));
    }
}

#[test]
fn pairs_that_are_no_numbers_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let gap = cost::from_symmetric_fn(6, |i, j| if (i.min(j), i.max(j)) == (2, 4) { bad } else { 1.0 });
        for found in all(&Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up")) {
            assert_eq!(found.expect_err("no number"), Error::PairNotANumber { i: 2, j: 4 });
        }
        // What is forbidden is never asked for.
        let restricted = gap.restricted(|i, j| (i.min(j), i.max(j)) != (2, 4));
        for found in all(&Instance::pairwise(&restricted, groups(6, 3)).expect("sizes add up")) {
            assert_eq!(found.expect("groups").cost(), 6.0);
        }
    }
}

#[test]
fn pairs_that_differ_by_direction_are_named() {
    let gap = cost::from_fn(6, |i, j| i64::from((i, j) == (5, 3)));
    for found in all(&Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up")) {
        assert_eq!(found.expect_err("asymmetric"), Error::Asymmetric { i: 3, j: 5 });
    }
    let allowed = cost::from_fn(6, |_, _| 0_i64).restricted(|i, j| (i, j) != (1, 0));
    for found in all(&Instance::pairwise(&allowed, groups(6, 3)).expect("sizes add up")) {
        assert_eq!(found.expect_err("asymmetric"), Error::Asymmetric { i: 0, j: 1 });
    }
    // Adding both directions would not help.
    for bad in [f64::NAN, f64::INFINITY] {
        let half = cost::from_fn(6, |i, j| if (i, j) == (4, 2) { bad } else { 1.0 });
        for found in all(&Instance::pairwise(&half, groups(6, 3)).expect("sizes add up")) {
            assert_eq!(found.expect_err("no number"), Error::PairNotANumber { i: 4, j: 2 });
        }
    }
    // It was said that they cost something else.
    assert_eq!(
        Error::Asymmetric { i: 0, j: 1 }.to_string(),
        "players 0 and 1 cost something else than 1 and 0, or only one of the two is allowed; symmetrized() adds both directions"
    );
    let oblong = cost::from_rectangular_fn(6, 4, |_, _| 0_i64);
    let error = Instance::pairwise(&oblong, groups(6, 3)).expect_err("not square");
    assert_eq!(error, Error::NotSquare { rows: 6, cols: 4 });
}

/// Out of time or cancelled before costs were read, a search said of a pair that is no number that the total does not
/// fit, and answered with pairs that differ by direction.
#[test]
fn bad_pairs_of_an_answer_are_named_however_early_it_comes() {
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let all = |instance: &Instance<'_, f64>| {
        let early = |engine| {
            let search = Search::with(instance, engine);
            let threes = [vec![0, 1, 2], vec![3, 4, 5]];
            [
                search.clone().time(Duration::ZERO).run(),
                search.clone().cancel(cancelled.clone()).run(),
                search.cancel(cancelled.clone()).warm_start(&threes).run(),
            ]
        };
        ENGINES
            .into_iter()
            .flat_map(early)
            .map(|found| found.expect_err("bad"))
            .collect::<Vec<_>>()
    };
    for bad in [f64::NAN, f64::INFINITY] {
        let gap = cost::from_symmetric_fn(6, |_, _| bad);
        for error in all(&Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up")) {
            assert!(matches!(error, Error::PairNotANumber { i, j } if i < j), "{error}");
        }
        let gap = cost::from_fn(6, |_, _| bad);
        for error in all(&Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up")) {
            assert!(matches!(error, Error::PairNotANumber { i, j } if i < j), "{error}");
        }
    }
    let gap = cost::from_fn(6, |i, j| (7 * i + j) as f64);
    for error in all(&Instance::pairwise(&gap, groups(6, 3)).expect("sizes add up")) {
        assert!(matches!(error, Error::Asymmetric { i, j } if i < j), "{error}");
    }
    let allowed = cost::from_fn(6, |_, _| 0.0).restricted(|i, j| i < j);
    for error in all(&Instance::pairwise(&allowed, groups(6, 3)).expect("sizes add up")) {
        assert!(matches!(error, Error::Asymmetric { i, j } if i < j), "{error}");
    }
}

/// A number for every group but those with 0, 4 and 7.
struct BadLate(f64);

impl GroupCost for BadLate {
    type Value = f64;

    fn len(&self) -> usize {
        9
    }

    fn group(&self, members: &[usize]) -> f64 {
        if [0, 4, 7].iter().all(|player| members.contains(player)) {
            self.0
        } else {
            // The more of them the better, so that every search comes to it.
            -(members
                .iter()
                .filter(|player| [0, 4, 7].contains(player))
                .count()
                .pow(3) as f64)
        }
    }
}

#[test]
fn a_group_that_is_no_number_is_named_when_it_is_met() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let cost = BadLate(bad);
        let instance = Instance::by_group(&cost, groups(9, 3)).expect("sizes add up");
        for found in all(&instance) {
            assert_eq!(
                found.expect_err("no number"),
                Error::GroupNotANumber { members: vec![0, 4, 7] }
            );
        }
    }
}

#[test]
fn all_that_is_built_may_go_to_other_threads() {
    fn may<T: Send + Sync>() {}
    may::<Instance<'_, i64>>();
    may::<Instance<'_, f32>>();
    may::<Search<'_, i64>>();
    may::<Search<'_, f64>>();
    may::<Grouping<i64>>();
    may::<Groups>();
    may::<matching_heuristics::Incumbent>();
    may::<Error>();
}

#[test]
fn a_cost_may_be_chosen_at_run_time() {
    let gap = || cost::from_symmetric_fn(6, |i, j| (i as i64 - j as i64).abs());
    let pairs: Box<dyn Cost<Value = i64>> = Box::new(gap());
    let whole: Box<dyn GroupCost<Value = i64> + Sync> = Box::new(cost::Pairwise(gap()));
    let borrowed = &*pairs;
    for instance in [
        Instance::pairwise(&pairs, groups(6, 3)).expect("sizes add up"),
        Instance::pairwise(&borrowed, groups(6, 3)).expect("sizes add up"),
        Instance::by_group(&whole, groups(6, 3)).expect("sizes add up"),
    ] {
        assert_eq!(Search::auto(&instance).run().map(|found| found.cost()), Ok(8));
    }
}

/// 450 gigabytes were asked for, and the program was aborted.
#[test]
fn tables_of_pairs_have_a_limit() {
    let flat = |players| cost::from_symmetric_fn(players, |_, _| 1_i64);
    let crowd = flat(300_000);
    let instance = Instance::pairwise(&crowd, groups(300_000, 5)).expect("sizes add up");
    let (bytes, limit) = (300_000 * (5 * 300_000 + 4 * 60_000), Some(1 << 34));
    let error = Search::auto(&instance).run().expect_err("too many");
    assert_eq!(error, Error::OutOfMemory { bytes, limit });
    assert_eq!(
        error.to_string(),
        "tables of all pairs take 522000000000 bytes where 17179869184 may be taken; allow more, or give the cost by group"
    );
    let few = flat(6);
    let alone = Instance::pairwise(&few, groups(6, 3)).expect("sizes add up");
    // Who stays together counts as one.
    let party = alone.clone().party(&[0, 1, 2]).expect("a party");
    for (instance, units) in [(&alone, 6), (&party, 4)] {
        let bytes = units * (5 * units + 4 * 2);
        for search in [
            Search::auto(instance).memory(bytes),
            Search::auto(instance).budget(Budget::new().memory(bytes)),
        ] {
            assert_eq!(search.run().map(|found| found.cost()), Ok(6));
        }
        let refused = Error::OutOfMemory {
            bytes: bytes as u64,
            limit: Some(bytes as u64 - 1),
        };
        assert_eq!(Search::auto(instance).memory(bytes - 1).run(), Err(refused));
    }
    let whole = cost::Pairwise(&few);
    let by_group = Instance::by_group(&whole, groups(6, 3)).expect("sizes add up");
    assert_eq!(Search::auto(&by_group).memory(0).run().map(|found| found.cost()), Ok(6));
}

/// No total is at most NaN: the search went on to its end as if there were no target.
#[test]
fn a_target_is_a_number() {
    let flat = cost::from_symmetric_fn(6, |_, _| 1.0);
    let instance = Instance::pairwise(&flat, groups(6, 3)).expect("sizes add up");
    let error = Search::auto(&instance).target(f64::NAN).run().expect_err("NaN");
    assert_eq!(error, Error::TargetNotANumber);
    assert!(error.to_string().contains("the target is not a number"), "{error}");
    for target in [f64::NEG_INFINITY, 0.0, f64::INFINITY] {
        assert_eq!(
            Search::auto(&instance).target(target).run().map(|found| found.cost()),
            Ok(6.0)
        );
    }
}
