//! Many players or many groups: nothing goes through all of the one for each of the other.

use std::time::Duration;

use matching_core::GroupCost;
use matching_heuristics::{Groups, Instance, Search};

use crate::errors::groups;

/// The square of how many there are, for so many players.
struct Squares(usize);

impl GroupCost for Squares {
    type Value = i64;

    fn len(&self) -> usize {
        self.0
    }

    fn group(&self, members: &[usize]) -> i64 {
        (members.len() as i64).pow(2)
    }
}

/// To find out whether there are few groupings, all players were gone through for each group: minutes.
#[test]
fn a_few_may_move_beside_a_hundred_thousand_groups() {
    let cost = Squares(200_000);
    let instance = Instance::by_group(&cost, groups(cost.0, 2)).expect("sizes add up");
    let instance = instance.pins((4..cost.0).map(|player| (player, player / 2)));
    let search = Search::auto(&instance.expect("pins"))
        .time(Duration::from_millis(10))
        .run();
    let found = search.expect("groups");
    assert_eq!((&found.groups()[2][..], found.cost()), (&[4, 5][..], 400_000));
}

/// How many may be left for the last groups did not fit 32 bits, and for each group all numbers of players were gone
/// through.
#[test]
fn two_large_parties_among_many_groups_that_hold_anybody() {
    let cost = Squares(1 << 18);
    let bounds = Groups::with_bounds(vec![0..=usize::MAX; 1 << 15]).expect("bounds");
    let instance = Instance::by_group(&cost, bounds).expect("sizes add up");
    let half = 1 << 17;
    let instance = instance.parties([(0..half).collect(), (half..2 * half).collect()]);
    let found = Search::auto(&instance.expect("parties")).run().expect("groups");
    assert!(found.is_proven_best());
    assert_eq!(found.cost(), 2 << 34);
}

/// Groups were put in order by going through all of them for each pair of bounds that some have.
#[test]
fn many_groups_of_different_bounds() {
    let cost = Squares(100_000);
    let bounds = Groups::with_bounds((0..cost.0).map(|group| 0..=group + 1)).expect("bounds");
    let instance = Instance::by_group(&cost, bounds).expect("sizes add up");
    let found = Search::auto(&instance).work(10).run().expect("groups");
    let sizes = found.groups().iter().map(Vec::len);
    assert!(sizes.clone().sum::<usize>() == cost.0 && sizes.enumerate().all(|(group, size)| size <= group + 1));
}
