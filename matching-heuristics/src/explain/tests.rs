//! Explanations, against exchanges that are made in a copy of the groups and given to [`Grouping::verify`].

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use matching_core::{Cost, CostValue, cost};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Exchange;
use crate::{Engine, Grouping, Groups, Instance, Stop, VerifyError};

/// Groups, a bench behind them, and rules that they keep.
#[derive(Clone, Debug)]
struct Case {
    players: usize,
    /// The bench is the last.
    places: Vec<Vec<usize>>,
    bounds: Vec<(usize, usize)>,
    bench: usize,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
    /// Pairs, or groups, which are forbidden.
    forbidden: BTreeSet<Vec<usize>>,
    salt: u64,
}

/// What a group of these costs: any number from -20 to 20.
fn price(members: &[usize], salt: u64) -> i64 {
    let mixed = members.iter().fold(salt, |sum, &player| {
        (sum ^ (player as u64 + 1))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(23)
    });
    (mixed % 41) as i64 - 20
}

impl Case {
    fn random(most: usize, rng: &mut ChaCha8Rng) -> Self {
        let players = rng.random_range(1..=most);
        let count = rng.random_range(1..=3);
        let has_bench = rng.random_range(0..3) == 0;
        let mut places = vec![Vec::new(); count + 1];
        for player in 0..players {
            places[rng.random_range(0..count + usize::from(has_bench))].push(player);
        }
        let mut parties: Vec<Vec<usize>> = Vec::new();
        let mut pins = Vec::new();
        let are_together = rng.random_range(0..3) > 0;
        for (group, members) in places.iter().enumerate() {
            for pair in members.windows(2).filter(|_| are_together) {
                if rng.random_range(0..3) == 0 {
                    parties.push(pair.iter().rev().copied().collect());
                }
            }
            for &player in members.iter().filter(|_| group < count) {
                if rng.random_range(0..8) == 0 {
                    pins.push((player, group));
                }
            }
        }
        let is_loose = rng.random_range(0..2) == 0;
        let mut room = |size: usize| match is_loose {
            true => (size - rng.random_range(0..=size.min(2)), size + rng.random_range(0..=2)),
            false => (size, size),
        };
        let bounds = places[..count].iter().map(|members| room(members.len())).collect();
        let bench = room(places[count].len()).1;
        Self {
            players,
            places,
            bounds,
            bench,
            parties,
            pins,
            forbidden: BTreeSet::new(),
            salt: rng.random(),
        }
    }

    /// Forbids some lists of players, none of which is part of a group by `is_in`.
    fn forbid(&mut self, lists: &[Vec<usize>], is_in: impl Fn(&[usize], &[usize]) -> bool, rng: &mut ChaCha8Rng) {
        let groups = &self.places[..self.bounds.len()];
        let free = lists
            .iter()
            .filter(|list| !groups.iter().any(|members| is_in(list, members)));
        let chosen = free.filter(|_| rng.random_range(0..6) == 0);
        self.forbidden = chosen.cloned().collect();
    }

    /// An instance by these rules, as the caller would make it.
    fn instance<'a, V: CostValue>(
        &self,
        new: impl FnOnce(Groups) -> Result<Instance<'a, V>, crate::Error>,
    ) -> Instance<'a, V> {
        let groups = Groups::with_bounds(self.bounds.iter().map(|&(least, most)| least..=most));
        let instance = groups.and_then(|groups| new(groups.with_bench(self.bench)));
        let instance = instance.and_then(|instance| instance.parties(self.parties.clone()));
        let instance = instance.and_then(|instance| instance.pins(self.pins.clone()));
        instance.unwrap_or_else(|error| panic!("{error} of {self:?}"))
    }

    /// Who moves together, place by place: parties that share a player are one.
    fn units(&self) -> Vec<Vec<Vec<usize>>> {
        let mut leader: Vec<usize> = (0..self.players).collect();
        for _ in 0..self.players {
            for party in &self.parties {
                let least = party.iter().map(|&player| leader[player]).min().unwrap_or(0);
                party.iter().for_each(|&player| leader[player] = least);
            }
        }
        let units = self.places.iter().map(|members| {
            let mut units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            members
                .iter()
                .for_each(|&player| units.entry(leader[player]).or_default().push(player));
            units.into_values().collect()
        });
        units.collect()
    }

    fn is_pinned(&self, unit: &[usize]) -> bool {
        self.pins.iter().any(|(player, _)| unit.contains(player))
    }

    /// Groups and bench after parties have changed places.
    fn exchanged(&self, leave: &[Vec<usize>], from: usize, come: &[Vec<usize>], to: usize) -> Vec<Vec<usize>> {
        let mut places = self.places.clone();
        let (leave, come) = (leave.concat(), come.concat());
        places[from].retain(|player| !leave.contains(player));
        places[to].retain(|player| !come.contains(player));
        places[from].extend(come);
        places[to].extend(leave);
        places.iter_mut().for_each(|members| members.sort_unstable());
        places
    }

    /// What an instance says of such groups: what they cost, or what is wrong.
    fn verdict<V: CostValue<Total = i128>>(
        &self,
        instance: &Instance<'_, V>,
        places: &[Vec<usize>],
        cost_of: &dyn Fn(&[usize]) -> i128,
    ) -> Result<i128, VerifyError> {
        let (bench, groups) = places.split_last().expect("a bench");
        let cost = groups.iter().map(|members| cost_of(members)).sum();
        let claimed = Grouping::<V> {
            groups: groups.to_vec(),
            bench: bench.clone(),
            cost,
            engine: Engine::Auto,
            seed: 0,
            work: 0,
            elapsed: Duration::ZERO,
            stop: Stop::Finished,
        };
        claimed.verify(instance).map(|()| cost)
    }

    /// Every exchange of a unit: who leaves, who comes, and where they go.
    fn exchanges(&self, units: &[Vec<Vec<usize>>], from: usize, unit: &[usize]) -> Vec<Moved> {
        let set = |units: &[Vec<usize>], mask: u32| -> Vec<Vec<usize>> {
            let chosen = (0..units.len()).filter(|at| mask >> at & 1 == 1);
            chosen.map(|at| units[at].clone()).collect()
        };
        let members = |set: &[Vec<usize>]| set.iter().map(Vec::len).sum::<usize>();
        let along: Vec<Vec<usize>> = units[from].iter().filter(|other| *other != unit).cloned().collect();
        let mut all = Vec::new();
        let is_place = |to: usize| to != from && (to < self.bounds.len() || self.bench > 0);
        for to in (0..units.len()).filter(|&to| is_place(to)) {
            for (of_mine, of_theirs) in (0..1_u32 << along.len()).flat_map(|mine| {
                let theirs = 0..1_u32 << units[to].len();
                theirs.map(move |theirs| (mine, theirs))
            }) {
                let leave = [vec![unit.to_vec()], set(&along, of_mine)].concat();
                let come = set(&units[to], of_theirs);
                let is_of_two = leave.len() == 1 && come.len() <= 1;
                let is_of_several = (leave.len() == 1) != (come.len() == 1) && members(&leave) == members(&come);
                let has_pinned = leave.iter().chain(&come).any(|unit| self.is_pinned(unit));
                if is_of_two || is_of_several {
                    all.push(Moved {
                        leave,
                        come,
                        to,
                        is_listed: is_of_two || !has_pinned,
                    });
                }
            }
        }
        all
    }
}

/// An exchange of the oracle.
#[derive(Debug)]
struct Moved {
    leave: Vec<Vec<usize>>,
    come: Vec<Vec<usize>>,
    to: usize,
    /// Whether an explanation lists it: those of several without anybody who is pinned.
    is_listed: bool,
}

/// What an exchange does, whoever is named first.
type Key = (BTreeSet<Vec<usize>>, BTreeSet<Vec<usize>>, usize, usize);

fn key(leave: &[Vec<usize>], come: &[Vec<usize>], from: usize, to: usize) -> Key {
    (
        leave.iter().cloned().collect(),
        come.iter().cloned().collect(),
        from,
        to,
    )
}

/// What is met in all cases together.
#[derive(Debug, Default)]
struct Seen {
    allowed: BTreeMap<&'static str, u64>,
    refused: BTreeMap<String, u64>,
    pairs: BTreeMap<String, u64>,
}

/// Holds all explanations of a case against exchanges that are made in copies.
fn check<V: CostValue<Total = i128>>(
    case: &Case,
    instance: &Instance<'_, V>,
    cost_of: &dyn Fn(&[usize]) -> i128,
    seen: &mut Seen,
) {
    let units = case.units();
    let count = case.bounds.len();
    let before = case
        .verdict(instance, &case.places, cost_of)
        .expect("groups that keep the rules");
    let at = |place: Option<usize>| place.unwrap_or(count);
    let keyed = |exchange: &Exchange<V>| {
        let (from, to) = (at(exchange.from()), at(exchange.to()));
        key(exchange.leave(), exchange.come(), from, to)
    };
    // What comes of every exchange of every unit.
    let mut all: BTreeMap<Key, Result<i128, VerifyError>> = BTreeMap::new();
    for (from, here) in units.iter().enumerate() {
        for unit in here {
            let mut expected = BTreeSet::new();
            for moved in case.exchanges(&units, from, unit) {
                let places = case.exchanged(&moved.leave, from, &moved.come, moved.to);
                let verdict = case.verdict(instance, &places, cost_of);
                if !moved.is_listed {
                    assert!(verdict.is_err(), "{moved:?} is allowed in {case:?}");
                    continue;
                }
                let key = key(&moved.leave, &moved.come, from, moved.to);
                all.insert(key.clone(), verdict.map(|after| after - before));
                expected.insert(key);
            }
            let explanation = instance
                .explain(&case.places[..count], unit[0])
                .expect("an explanation");
            assert_eq!(
                (explanation.party(), at(explanation.group()), explanation.left_out()),
                (&unit[..], from, 0)
            );
            let cost = if from < count { cost_of(&case.places[from]) } else { 0 };
            assert_eq!(explanation.cost(), cost);
            let found: BTreeSet<Key> = explanation.exchanges().iter().map(&keyed).collect();
            assert_eq!(found, expected, "{unit:?} of {case:?}");
            assert_eq!(found.len(), explanation.exchanges().len(), "nothing is said twice");
            for exchange in explanation.exchanges() {
                assert_eq!(exchange.leave()[0], *unit);
                let outcome = exchange.outcome().map_err(Clone::clone);
                assert_eq!(outcome, all[&keyed(exchange)], "{exchange:?} of {case:?}");
                let kind = match (exchange.leave().len(), exchange.come().len()) {
                    (1, 0) => "move",
                    (1, 1) => "swap",
                    (1, _) => "several come",
                    _ => "several leave",
                };
                match outcome {
                    Ok(_) => *seen.allowed.entry(kind).or_default() += 1,
                    Err(flaw) => {
                        let name = format!("{flaw:?}");
                        let name = name.split(' ').next().unwrap_or_default();
                        *seen.refused.entry(name.to_owned()).or_default() += 1;
                    }
                }
            }
            let is_sorted = |exchanges: &[Exchange<V>]| {
                let rank = |exchange: &Exchange<V>| exchange.outcome().map_or(i128::MAX, |change| change);
                exchanges.is_sorted_by_key(rank)
            };
            assert!(is_sorted(explanation.exchanges()));
        }
    }
    // Two players: of all of these, those that change whether they are together.
    let together = |places: &[Vec<usize>], pair: &[usize; 2]| {
        places[..count]
            .iter()
            .any(|members| pair.iter().all(|player| members.contains(player)))
    };
    let unit_of = |player: usize| units.iter().flatten().find(|unit| unit.contains(&player));
    for pair in (0..case.players).flat_map(|a| (0..case.players).map(move |b| [a, b])) {
        let explanation = instance
            .explain_pair(&case.places[..count], pair)
            .expect("an explanation");
        let are_together = together(&case.places, &pair);
        assert_eq!(explanation.are_together(), are_together, "{pair:?} of {case:?}");
        let parties = pair.map(|player| unit_of(player).expect("a unit"));
        assert_eq!(explanation.is_party(), parties[0] == parties[1]);
        let changes = |key: &Key| {
            let (leave, come): (Vec<_>, Vec<_>) = (key.0.iter().cloned().collect(), key.1.iter().cloned().collect());
            let places = case.exchanged(&leave, key.2, &come, key.3);
            let is_one = parties[0] == parties[1];
            !is_one && together(&places, &pair) != are_together && parties.iter().any(|party| key.0.contains(*party))
        };
        let expected: BTreeSet<Key> = all.keys().filter(|key| changes(key)).cloned().collect();
        let found: BTreeSet<Key> = explanation.exchanges().iter().map(&keyed).collect();
        assert_eq!(found, expected, "{pair:?} of {case:?}");
        assert_eq!(found.len(), explanation.exchanges().len());
        for exchange in explanation.exchanges() {
            assert_eq!(exchange.outcome().map_err(Clone::clone), all[&keyed(exchange)]);
        }
        if let Some(obstacle) = explanation.obstacle() {
            let is_refused = |exchange: &Exchange<V>| exchange.outcome().is_err();
            assert!(
                !are_together && explanation.exchanges().iter().all(is_refused),
                "{obstacle:?} {case:?}"
            );
        }
        let name = explanation
            .obstacle()
            .map_or("none".to_owned(), |obstacle| format!("{obstacle:?}"));
        let name = name.split(' ').next().unwrap_or_default();
        *seen.pairs.entry(name.to_owned()).or_default() += 1;
    }
}

/// All lists of two of the players, or all but short ones.
fn lists(players: usize, is_listed: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let set = |mask: u32| {
        (0..players)
            .filter(|player| mask >> player & 1 == 1)
            .collect::<Vec<_>>()
    };
    (0..1 << players).map(set).filter(|set| is_listed(set.len())).collect()
}

fn by_pairs(case: &mut Case, rng: &mut ChaCha8Rng) -> impl Fn(usize, usize) -> i64 + use<> {
    if rng.random() {
        let is_in = |pair: &[usize], members: &[usize]| pair.iter().all(|player| members.contains(player));
        case.forbid(&lists(case.players, |len| len == 2), is_in, rng);
    }
    let salt = case.salt;
    move |i, j| price(&[i.min(j), i.max(j)], salt)
}

/// By pairs of integers of 64 bits, of which only those are counted that change, and of 128, which are counted anew.
fn by_pairs_of<V: CostValue<Total = i128> + From<i64>>(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = Seen::default();
    for _ in 0..1_200 {
        let mut case = Case::random(8, &mut rng);
        let pair = by_pairs(&mut case, &mut rng);
        let gap = cost::from_symmetric_fn(case.players, |i, j| V::from(pair(i, j)));
        let forbidden = case.forbidden.clone();
        let gap = gap.restricted(move |i, j| !forbidden.contains(&vec![i.min(j), i.max(j)]));
        let instance = case.instance(|groups| Instance::pairwise(&gap, groups));
        let cost_of = |members: &[usize]| {
            let pairs = members.iter().flat_map(|&i| members.iter().map(move |&j| (i, j)));
            pairs.filter(|(i, j)| i < j).map(|(i, j)| i128::from(pair(i, j))).sum()
        };
        check(&case, &instance, &cost_of, &mut seen);
    }
    let kinds = ["move", "swap", "several come", "several leave"];
    assert!(kinds.iter().all(|kind| seen.allowed[kind] > 100), "{seen:?}");
    let flaws = ["WrongSize", "BenchTooFull", "PinLost", "Forbidden"];
    assert!(flaws.iter().all(|&flaw| seen.refused[flaw] > 50), "{seen:?}");
    let obstacles = ["none", "Forbidden", "Pinned", "TooLarge"];
    assert!(obstacles.iter().all(|&obstacle| seen.pairs[obstacle] > 100), "{seen:?}");
}

#[test]
fn exchanges_by_pairs_are_those_that_a_copy_would_take() {
    by_pairs_of::<i64>(1);
    by_pairs_of::<i128>(5);
}

#[test]
fn exchanges_by_groups_are_those_that_a_copy_would_take() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut seen = Seen::default();
    for _ in 0..2_000 {
        let mut case = Case::random(8, &mut rng);
        if rng.random() {
            case.forbid(
                &lists(case.players, |_| true),
                |list, members| list == members,
                &mut rng,
            );
        }
        let (salt, forbidden) = (case.salt, case.forbidden.clone());
        let whole = cost::from_group_option_fn(case.players, move |members: &[usize]| {
            (!forbidden.contains(members)).then(|| price(members, salt))
        });
        let instance = case.instance(|groups| Instance::by_group(&whole, groups));
        let cost_of = |members: &[usize]| i128::from(price(members, salt));
        check(&case, &instance, &cost_of, &mut seen);
    }
    let kinds = ["move", "swap", "several come", "several leave"];
    assert!(kinds.iter().all(|kind| seen.allowed[kind] > 100), "{seen:?}");
    assert!(seen.refused["ForbiddenGroup"] > 100, "{seen:?}");
}

/// What is said to be in the way of two players is so in all groupings.
#[test]
fn no_grouping_has_two_together_whom_something_keeps_apart() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut apart = 0;
    for _ in 0..250 {
        let mut case = Case::random(6, &mut rng);
        let pair = by_pairs(&mut case, &mut rng);
        let gap = cost::from_symmetric_fn(case.players, &pair);
        let forbidden = case.forbidden.clone();
        let gap = gap.restricted(move |i, j| !forbidden.contains(&vec![i.min(j), i.max(j)]));
        let instance = case.instance(|groups| Instance::pairwise(&gap, groups));
        let groups = case.bounds.len();
        let pairs = (0..case.players).flat_map(|a| (0..a).map(move |b| [a, b]));
        let kept_apart: Vec<[usize; 2]> = pairs
            .filter(|&pair| {
                let explanation = instance.explain_pair(&case.places[..groups], pair);
                explanation.expect("an explanation").obstacle().is_some()
            })
            .collect();
        apart += kept_apart.len();
        for number in 0..(groups + 1).pow(case.players as u32) {
            let mut places = vec![Vec::new(); groups + 1];
            let mut rest = number;
            for player in 0..case.players {
                places[rest % (groups + 1)].push(player);
                rest /= groups + 1;
            }
            let has = |[a, b]: &[usize; 2]| {
                let members = |members: &&Vec<usize>| members.contains(a) && members.contains(b);
                places[..groups].iter().find(members).is_some()
            };
            if let Some(pair) = kept_apart.iter().find(|pair| has(pair)) {
                let verdict = case.verdict(&instance, &places, &|_| 0);
                let is_refused = matches!(verdict, Err(ref flaw) if *flaw != VerifyError::WrongCost);
                assert!(is_refused, "{pair:?} are together in {places:?} of {case:?}");
            }
        }
    }
    assert!(apart > 150, "{apart}");
}

#[test]
fn what_cannot_be_counted_is_not_allowed() {
    // All pairs across cost more than fits together.
    let wide = cost::from_symmetric_fn(4, |i, j| if (i < 2) == (j < 2) { 0 } else { i128::MAX / 2 + 1 });
    let instance = Instance::pairwise(&wide, Groups::of_size(4, 2).expect("groups")).expect("an instance");
    let explanation = instance.explain(&[vec![0, 1], vec![2, 3]], 0).expect("an explanation");
    let outcomes: Vec<_> = explanation.exchanges().iter().map(Exchange::outcome).collect();
    let not_counted = VerifyError::NotCounted { group: 1 };
    assert_eq!(
        outcomes.iter().filter(|outcome| **outcome == Err(&not_counted)).count(),
        2
    );
    // Sums fit, and the change does not.
    let far = cost::from_symmetric_fn(4, |i, j| match (i < 2) == (j < 2) {
        true => i128::MIN / 2,
        false => i128::MAX / 2,
    });
    let instance = Instance::pairwise(&far, Groups::of_size(4, 2).expect("groups")).expect("an instance");
    let explanation = instance.explain(&[vec![0, 1], vec![2, 3]], 0).expect("an explanation");
    assert!(
        explanation
            .exchanges()
            .iter()
            .all(|exchange| exchange.outcome().is_err())
    );
    let nan = cost::from_symmetric_fn(4, |i, j| if i + j == 3 { f64::NAN } else { 0.5 });
    let instance = Instance::pairwise(&nan, Groups::of_size(4, 2).expect("groups")).expect("an instance");
    let explanation = instance.explain(&[vec![0, 1], vec![2, 3]], 0).expect("an explanation");
    let by_2 = explanation.exchanges().iter().find(|exchange| exchange.come() == [[3]]);
    assert_eq!(by_2.map(Exchange::outcome), Some(Ok(0.0)));
    let by_3 = explanation.exchanges().iter().find(|exchange| exchange.come() == [[2]]);
    assert_eq!(
        by_3.map(Exchange::outcome),
        Some(Err(&VerifyError::NotCounted { group: 0 }))
    );
}

#[test]
fn wrong_groups_and_strangers_are_refused() {
    let gap = cost::from_symmetric_fn(4, |i, j| (i + j) as i64);
    let instance = Instance::pairwise(&gap, Groups::of_size(4, 2).expect("groups")).expect("an instance");
    let groups = [vec![3, 0], vec![2, 1]];
    let explanation = instance.explain(&groups, 3).expect("an explanation");
    assert_eq!(
        (explanation.player(), explanation.group(), explanation.cost()),
        (3, Some(0), 3)
    );
    assert_eq!(
        explanation
            .pairs()
            .iter()
            .map(|pair| (pair.player, pair.cost))
            .collect::<Vec<_>>(),
        [(0, 3)]
    );
    let stranger = VerifyError::UnknownPlayer { player: 4, players: 4 };
    assert_eq!(instance.explain(&groups, 4), Err(stranger.clone()));
    assert!(stranger.to_string().contains("no player 4"), "{stranger}");
    assert_eq!(instance.explain_pair(&groups, [0, 4]), Err(stranger));
    let too_few = VerifyError::WrongSize {
        group: 1,
        members: 1,
        least: 2,
        most: 2,
    };
    assert_eq!(instance.explain(&[vec![0, 1], vec![2]], 0), Err(too_few));
    let unknown = VerifyError::NoSuchPlayer {
        group: Some(1),
        player: 9,
    };
    assert_eq!(instance.explain(&[vec![0, 1], vec![2, 9]], 0), Err(unknown));
    // One and the same player: nothing is to be exchanged.
    let same = instance.explain_pair(&groups, [1, 1]).expect("an explanation");
    assert!(same.is_party() && same.are_together() && same.exchanges().is_empty() && same.cost().is_none());
}

/// Where there are more exchanges of several than are looked at, each kind gets its share, and the others are counted.
#[test]
fn of_too_many_exchanges_some_are_left_out_and_counted() {
    // A party of four, and two groups with twelve who are alone: 495 sets of four each.
    let gap = cost::from_symmetric_fn(28, |i, j| (i * j % 7) as i64);
    let groups = Groups::with_bounds([4..=4, 12..=12, 12..=12]).expect("groups");
    let instance = Instance::pairwise(&gap, groups).and_then(|instance| instance.party(&[0, 1, 2, 3]));
    let instance = instance.expect("an instance");
    let places = [(0..4).collect(), (4..16).collect(), (16..28).collect::<Vec<_>>()];
    let of = |player| instance.explain(&places, player).expect("an explanation");
    let explanation = of(2);
    let several: Vec<_> = explanation
        .exchanges()
        .iter()
        .filter(|exchange| exchange.come().len() > 1)
        .collect();
    assert_eq!((several.len(), explanation.left_out()), (8 * 28, 990 - 8 * 28));
    for group in [1, 2] {
        let to = several.iter().filter(|exchange| exchange.to() == Some(group));
        assert_eq!(to.count(), 4 * 28);
    }
    // From the other side, three of eleven go along.
    let explanation = of(5);
    let several = explanation
        .exchanges()
        .iter()
        .filter(|exchange| exchange.leave().len() > 1);
    assert_eq!((several.count(), explanation.left_out()), (165, 0));
}
