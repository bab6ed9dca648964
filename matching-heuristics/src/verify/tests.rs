//! Right groupings and wrong ones, against a check that is written as the rules are said.

use std::time::Duration;

use matching_core::{Cost, CostValue, GroupCost, cost};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::VerifyError;
use crate::{Engine, Error, Grouping, Groups, Instance, Search, Stop};

/// A grouping as somebody might claim it.
fn claimed<V: CostValue>(groups: &[Vec<usize>], bench: &[usize], cost: V::Total) -> Grouping<V> {
    Grouping {
        groups: groups.to_vec(),
        bench: bench.to_vec(),
        cost,
        engine: Engine::Auto,
        seed: 0,
        work: 0,
        elapsed: Duration::ZERO,
        stop: Stop::Finished,
    }
}

/// Two groups of two to three among seven players, of whom two may wait; 0 and 1 are a party, 2 is in group 1, and
/// 3 must not be with 4.
fn instance<C: Cost<Value = i64>>(cost: &C) -> Result<Instance<'_, i64>, Error> {
    let groups = Groups::with_bounds([2..=3, 2..=3])?.with_bench(2);
    Instance::pairwise(cost, groups)?.party(&[0, 1])?.pin(2, 1)
}

#[test]
fn every_kind_of_flaw_is_found_and_named() -> Result<(), Error> {
    let gap = cost::from_symmetric_fn(7, |i, j| (10 * i.max(j) + i.min(j)) as i64);
    let gap = gap.restricted(|i, j| [i.min(j), i.max(j)] != [3, 4]);
    let instance = instance(&gap)?;
    let verdict = |groups: &[&[usize]], bench: &[usize], cost: i128| {
        let groups: Vec<Vec<usize>> = groups.iter().map(|members| members.to_vec()).collect();
        claimed::<i64>(&groups, bench, cost).verify(&instance)
    };
    let right = 10 + 30 + 31 + 42;
    assert_eq!(verdict(&[&[0, 1, 3], &[2, 4]], &[5, 6], right), Ok(()));
    assert_eq!(
        verdict(&[&[3, 0, 1], &[4, 2]], &[6, 5], right),
        Ok(()),
        "order of members"
    );
    use VerifyError::{
        BenchTooFull, Forbidden, InTwoPlaces, Missing, NoSuchPlayer, PartySplit, PinLost, WrongCost,
        WrongNumberOfGroups, WrongSize,
    };
    type Case<'a> = (&'a [&'a [usize]], &'a [usize], VerifyError, &'a str);
    let cases: [Case<'_>; 13] = [
        (
            &[&[0, 1, 3]],
            &[5, 6],
            WrongNumberOfGroups { found: 1, wanted: 2 },
            "1 groups, not 2",
        ),
        (
            &[&[0, 1, 7], &[2, 4]],
            &[5, 6],
            NoSuchPlayer {
                group: Some(0),
                player: 7,
            },
            "group 0 names player 7",
        ),
        (
            &[&[0, 1, 3], &[2, 4]],
            &[5, 99],
            NoSuchPlayer {
                group: None,
                player: 99,
            },
            "the bench names player 99",
        ),
        (
            &[&[0, 1, 3], &[2, 3]],
            &[5, 6],
            InTwoPlaces {
                player: 3,
                groups: [Some(0), Some(1)],
            },
            "both group 0 and group 1 name player 3",
        ),
        (
            &[&[0, 1, 3], &[2, 4]],
            &[5, 5],
            InTwoPlaces {
                player: 5,
                groups: [None, None],
            },
            "the bench names player 5 twice",
        ),
        (
            &[&[0, 1, 3], &[2, 4]],
            &[5],
            Missing { player: 6 },
            "player 6 is in no group",
        ),
        (
            &[&[0, 1, 3, 5], &[2, 4]],
            &[6],
            WrongSize {
                group: 0,
                members: 4,
                least: 2,
                most: 3,
            },
            "group 0 has 4 members; it must have 2 at least and 3 at most",
        ),
        (
            &[&[0, 1, 3], &[2]],
            &[4, 5, 6],
            WrongSize {
                group: 1,
                members: 1,
                least: 2,
                most: 3,
            },
            "group 1 has 1 members",
        ),
        (
            &[&[0, 1], &[2, 4]],
            &[3, 5, 6],
            BenchTooFull { waiting: 3, most: 2 },
            "3 players wait, of 2 who may",
        ),
        (
            &[&[0, 3, 5], &[1, 2]],
            &[4, 6],
            PartySplit {
                i: 0,
                j: 1,
                groups: [Some(0), Some(1)],
            },
            "players 0 and 1 must stay together; they are in group 0 and group 1",
        ),
        (
            &[&[0, 3, 5], &[2, 6]],
            &[4, 1],
            PartySplit {
                i: 0,
                j: 1,
                groups: [Some(0), None],
            },
            "in group 0 and the bench",
        ),
        (
            &[&[2, 5, 6], &[0, 1]],
            &[3, 4],
            PinLost {
                player: 2,
                group: 1,
                found: Some(0),
            },
            "player 2 is pinned to group 1, and in group 0",
        ),
        (
            &[&[3, 4, 5], &[2, 6]],
            &[0, 1],
            Forbidden { group: 0, i: 3, j: 4 },
            "players 3 and 4 must not be together, as in group 0",
        ),
    ];
    for (groups, bench, flaw, part) in cases {
        assert_eq!(verdict(groups, bench, right), Err(flaw.clone()), "{groups:?} {bench:?}");
        assert!(flaw.to_string().contains(part), "{part:?} is missing in {flaw}");
    }
    for cost in [right - 1, right + 1, 0] {
        assert_eq!(verdict(&[&[0, 1, 3], &[2, 4]], &[5, 6], cost), Err(WrongCost));
    }
    Ok(())
}

#[test]
fn costs_that_cannot_be_counted_are_named_by_their_group() -> Result<(), Error> {
    let not_counted = Err(VerifyError::NotCounted { group: 1 });
    let nan = cost::from_symmetric_fn(4, |i, j| if i + j == 5 { f64::NAN } else { 1.0 });
    let instance = Instance::pairwise(&nan, Groups::of_size(4, 2)?)?;
    let groups = [vec![0, 1], vec![2, 3]];
    assert_eq!(claimed::<f64>(&groups, &[], 2.0).verify(&instance), not_counted);
    assert_eq!(claimed::<f64>(&groups, &[], f64::NAN).verify(&instance), not_counted);
    let huge = cost::from_symmetric_fn(4, |_, _| f64::MAX);
    let instance = Instance::pairwise(&huge, Groups::of_size(4, 2)?)?;
    assert_eq!(
        claimed::<f64>(&groups, &[], f64::INFINITY).verify(&instance),
        not_counted
    );
    let wide = cost::from_symmetric_fn(4, |_, _| i128::MAX);
    let instance = Instance::pairwise(&wide, Groups::of_size(4, 2)?)?;
    assert_eq!(claimed::<i128>(&groups, &[], -2).verify(&instance), not_counted);
    let fine = cost::from_symmetric_fn(4, |_, _| 0.5);
    let instance = Instance::pairwise(&fine, Groups::of_size(4, 2)?)?;
    let wrong = claimed::<f64>(&groups, &[], f64::NAN).verify(&instance);
    assert_eq!(wrong, Err(VerifyError::WrongCost));
    Ok(())
}

/// What every set of players costs, by its bits; `None` is forbidden.
struct Table {
    players: usize,
    costs: Vec<Option<i64>>,
}

fn set_of(members: &[usize]) -> usize {
    members.iter().map(|player| 1 << player).sum()
}

impl GroupCost for Table {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.costs[set_of(members)].unwrap_or(-1)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.costs[set_of(members)].is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }
}

/// Rules, costs and a claim, of which some are right.
struct Claim {
    players: usize,
    bounds: Vec<(usize, usize)>,
    bench: usize,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
    pairs: Vec<Option<i64>>,
    sets: Vec<Option<i64>>,
    /// Groups, then the bench.
    places: Vec<Vec<usize>>,
    /// What is added to the right total.
    off: i64,
}

impl Claim {
    /// Rules that mostly suit some grouping, which then is mostly left as it is.
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let (players, groups) = (rng.random_range(2..=8), rng.random_range(1..=3));
        let place: Vec<usize> = (0..players).map(|_| rng.random_range(0..=groups)).collect();
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); groups + 1];
        (0..players).for_each(|player| places[place[player]].push(player));
        let rarely = |rng: &mut ChaCha8Rng| rng.random_range(0..12) == 0;
        let mut claim = Self {
            players,
            bounds: places[..groups]
                .iter()
                .map(|members| {
                    let (less, more) = (rng.random_range(0..2), rng.random_range(0..2));
                    (members.len().saturating_sub(less), members.len() + more)
                })
                .collect(),
            bench: places[groups].len() + rng.random_range(0..2),
            parties: Vec::new(),
            pins: Vec::new(),
            pairs: (0..players * players)
                .map(|_| (rng.random_range(0..60) > 0).then(|| rng.random_range(-9..9)))
                .collect(),
            sets: (0..1 << players)
                .map(|_| (rng.random_range(0..20) > 0).then(|| rng.random_range(-9..9)))
                .collect(),
            places,
            off: i64::from(rarely(rng)) * [-1, 1][rng.random_range(0..2)],
        };
        for _ in 0..rng.random_range(0..3) {
            let (one, other) = (rng.random_range(0..players), rng.random_range(0..players));
            if one != other && (place[one] == place[other] || rarely(rng)) {
                claim.parties.push(vec![one, other]);
            }
            if place[one] < groups || rarely(rng) {
                claim.pins.push((one, place[one].min(groups - 1)));
            }
        }
        if rarely(rng) {
            let (from, to) = (rng.random_range(0..=groups), rng.random_range(0..=groups));
            let player = rng.random_range(0..=players);
            match rng.random_range(0..3) {
                0 => claim.places[from].truncate(1),
                1 => claim.places[from].push(player),
                _ => {
                    let moved = claim.places[from].pop();
                    claim.places[to].extend(moved);
                }
            }
        }
        claim
    }

    fn pair(&self, i: usize, j: usize) -> Option<i64> {
        self.pairs[i.min(j) * self.players + i.max(j)]
    }

    fn by_pairs(&self, members: &[usize]) -> Option<i64> {
        let pairs = members.iter().flat_map(|&i| members.iter().map(move |&j| (i, j)));
        pairs.filter(|(i, j)| i < j).map(|(i, j)| self.pair(i, j)).sum()
    }

    /// Where a player is, every time that he is named.
    fn places_of(&self, player: usize) -> Vec<usize> {
        let named = self.places.iter().enumerate();
        named
            .flat_map(|(at, members)| members.iter().filter(|&&one| one == player).map(move |_| at))
            .collect()
    }

    /// The rules one by one, in no clever way.
    fn is_grouping(&self) -> bool {
        let groups = self.bounds.len();
        let once = (0..self.players).all(|player| self.places_of(player).len() == 1);
        let nobody_else = self.places.concat().iter().all(|&player| player < self.players);
        let sizes = (0..groups).all(|at| (self.bounds[at].0..=self.bounds[at].1).contains(&self.places[at].len()));
        let bench = self.places[groups].len() <= self.bench;
        once && nobody_else
            && sizes
            && bench
            && self
                .parties
                .iter()
                .all(|party| self.places_of(party[0]) == self.places_of(party[1]))
            && self
                .pins
                .iter()
                .all(|&(player, group)| self.places_of(player) == [group])
    }

    /// The total as claimed and whether it may be; a wrong one where nothing can be counted.
    fn total(&self, cost: impl Fn(&[usize]) -> Option<i64>) -> (i128, bool) {
        let total = self.is_grouping().then(|| {
            let groups = &self.places[..self.bounds.len()];
            groups.iter().map(|members| cost(members)).sum::<Option<i64>>()
        });
        match total.flatten() {
            Some(total) => (i128::from(total + self.off), self.off == 0),
            None => (0, false),
        }
    }

    /// The same rules for the library; `None` where it refuses them at sight.
    fn complete<'a>(&self, instance: Result<Instance<'a, i64>, Error>) -> Option<Instance<'a, i64>> {
        let with_parties = instance.and_then(|instance| instance.parties(self.parties.clone()));
        with_parties.and_then(|instance| instance.pins(self.pins.clone())).ok()
    }

    fn groups(&self) -> Groups {
        let bounds = self.bounds.iter().map(|&(least, most)| least..=most);
        Groups::with_bounds(bounds)
            .expect("bounds in order")
            .with_bench(self.bench)
    }
}

/// How often both said yes, and no.
fn compare(seed: u64, seen: &mut [usize; 2]) {
    let claim = Claim::random(&mut ChaCha8Rng::seed_from_u64(seed));
    let (bench, groups) = claim.places.split_last().expect("the bench is there");
    let mut held = |instance: Option<Instance<'_, i64>>, (total, is_right): (i128, bool)| {
        let Some(instance) = instance else {
            return;
        };
        let verdict = claimed::<i64>(groups, bench, total).verify(&instance);
        assert_eq!(verdict.is_ok(), is_right, "seed {seed}: {verdict:?}");
        seen[usize::from(is_right)] += 1;
    };
    let cost = cost::from_symmetric_fn(claim.players, |i, j| claim.pair(i, j).unwrap_or(-1));
    let cost = cost.restricted(|i, j| claim.pair(i, j).is_some());
    let by_pairs = claim.total(|members| claim.by_pairs(members));
    held(claim.complete(Instance::pairwise(&cost, claim.groups())), by_pairs);
    let (players, costs) = (claim.players, claim.sets.clone());
    let table = Table { players, costs };
    let by_group = claim.total(|members| claim.sets[set_of(members)]);
    held(claim.complete(Instance::by_group(&table, claim.groups())), by_group);
}

#[test]
fn verdicts_are_those_of_the_rules_one_by_one() {
    let mut seen = [0; 2];
    (0..20_000).for_each(|seed| compare(seed, &mut seen));
    assert!(seen.iter().all(|&count| count > 8_000), "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// What a search returns is right, whatever it was asked; and is not once anything of it is changed.
    #[test]
    fn answers_of_searches_are_right_until_they_are_changed(seed: u64, work in 1_u64..2_000) {
        let claim = Claim::random(&mut ChaCha8Rng::seed_from_u64(seed));
        let cost = cost::from_symmetric_fn(claim.players, |i, j| claim.pair(i, j).unwrap_or(-1));
        let cost = cost.restricted(|i, j| claim.pair(i, j).is_some());
        let Some(instance) = claim.complete(Instance::pairwise(&cost, claim.groups())) else {
            return Ok(());
        };
        let Ok(found) = Search::auto(&instance).work(work).seed(seed).run() else {
            return Ok(());
        };
        prop_assert_eq!(found.verify(&instance), Ok(()));
        let changed = |change: &dyn Fn(&mut Grouping<i64>)| {
            let mut wrong = found.clone();
            change(&mut wrong);
            wrong.verify(&instance)
        };
        prop_assert_eq!(changed(&|wrong| wrong.cost += 1), Err(VerifyError::WrongCost));
        let full = found.groups.iter().position(|members| !members.is_empty());
        if let Some(group) = full {
            prop_assert!(changed(&|wrong| wrong.groups[group].truncate(found.groups[group].len() - 1)).is_err());
            let twice = found.groups[group][0];
            prop_assert!(changed(&|wrong| wrong.bench.push(twice)).is_err());
            prop_assert!(changed(&|wrong| wrong.groups[group][0] = claim.players).is_err());
        }
        prop_assert!(changed(&|wrong| wrong.groups.push(Vec::new())).is_err());
    }
}
