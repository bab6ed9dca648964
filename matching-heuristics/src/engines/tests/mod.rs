//! Every engine against brute force, and what all of them promise.

use matching_core::cost::{self, CondensedMatrix};
use matching_core::{Cost, CostValue, GroupCost};

use crate::{Engine, Error, Grouping, Groups, Instance, Search};

mod ends;
mod plan;

const ENGINES: [Engine; 9] = [
    Engine::Climb,
    Engine::CachedClimb,
    Engine::Annealing,
    Engine::Population,
    Engine::IteratedMaxima,
    Engine::Tabu,
    Engine::LateAcceptance,
    Engine::Tempering,
    Engine::ForcedSwaps,
];

/// Numbers without order, from 0 to 99.
fn noise(seed: u64, i: usize, j: usize) -> i64 {
    let mixed = (seed << 40 | (i.min(j) as u64) << 20 | i.max(j) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as i64 % 100
}

fn pairs(n: usize, seed: u64) -> impl Cost<Value = i64> {
    cost::from_symmetric_fn(n, move |i, j| noise(seed, i, j))
}

/// A cost that is no sum of pairs: the worst pair of a group counts square, and a multiple of seven comes free.
struct Uneven {
    len: usize,
    seed: u64,
}

impl GroupCost for Uneven {
    type Value = f64;

    fn len(&self) -> usize {
        self.len
    }

    fn group(&self, members: &[usize]) -> f64 {
        let all = members
            .iter()
            .flat_map(|&i| members.iter().map(move |&j| (i, j)))
            .filter(|(i, j)| i < j)
            .map(|(i, j)| noise(self.seed, i, j));
        let worst = all.clone().max().unwrap_or(0) as f64;
        let sum: i64 = all.sum();
        if sum % 7 == 0 {
            0.0
        } else {
            worst * worst / 50.0 + sum as f64
        }
    }
}

/// The least cost of all groupings within the bounds; players one after another into every group, or the bench.
fn brute_force(
    groups: &Groups,
    seat_of: &dyn Fn(usize, usize) -> bool,
    n: usize,
    cost: &dyn Fn(&[usize]) -> f64,
) -> f64 {
    fn place(
        player: usize,
        (n, groups): (usize, &Groups),
        seat_of: &dyn Fn(usize, usize) -> bool,
        cost: &dyn Fn(&[usize]) -> f64,
        seats: &mut Vec<Vec<usize>>,
        least: &mut f64,
    ) {
        if player == n {
            if (0..groups.len()).all(|group| groups.bounds(group).contains(&seats[group].len())) {
                let total = seats[..groups.len()].iter().map(|members| cost(members)).sum();
                *least = least.min(total);
            }
            return;
        }
        for group in 0..seats.len() {
            let most = if group < groups.len() {
                *groups.bounds(group).end()
            } else {
                *groups.bench().end()
            };
            if seats[group].len() < most && seat_of(player, group) {
                seats[group].push(player);
                place(player + 1, (n, groups), seat_of, cost, seats, least);
                seats[group].pop();
            }
        }
    }
    let mut least = f64::INFINITY;
    let mut seats = vec![Vec::new(); groups.len() + usize::from(*groups.bench().end() > 0)];
    place(0, (n, groups), seat_of, cost, &mut seats, &mut least);
    least
}

fn sum_of_pairs(cost: &impl Cost<Value = i64>, members: &[usize]) -> f64 {
    let mut sum = 0;
    for (at, &i) in members.iter().enumerate() {
        members[at + 1..].iter().for_each(|&j| sum += cost.pair(i, j));
    }
    sum as f64
}

fn shapes(n: usize) -> Vec<Groups> {
    let half = n / 2;
    vec![
        Groups::of_size(n, 3).expect("there are three"),
        Groups::of_size(n, half - 1).expect("there are enough"),
        Groups::balanced(n, 3).expect("there are three"),
        Groups::with_bounds([1..=n, 2..=half])
            .expect("ranges are not empty")
            .with_bench(1),
    ]
}

/// Sizes within bounds, everybody seated once.
fn assert_sound<V: CostValue>(grouping: &Grouping<V>, groups: &Groups, n: usize) {
    let mut players: Vec<usize> = grouping.groups().concat();
    players.extend(grouping.bench());
    players.sort_unstable();
    assert_eq!(players, (0..n).collect::<Vec<_>>());
    assert!(groups.bench().contains(&grouping.bench().len()));
    for (group, members) in grouping.groups().iter().enumerate() {
        assert!(groups.bounds(group).contains(&members.len()), "{grouping:?}");
    }
}

#[test]
fn reach_the_optimum_of_pairs() -> Result<(), Error> {
    for (seed, n) in [(1, 7), (2, 8), (3, 9)] {
        let cost = pairs(n, seed);
        for groups in shapes(n) {
            let least = brute_force(&groups, &|_, _| true, n, &|members| sum_of_pairs(&cost, members));
            let instance = Instance::pairwise(&cost, groups.clone())?;
            for engine in ENGINES {
                let found = Search::with(&instance, engine).work(100_000).seed(seed).run()?;
                assert_sound(&found, &groups, n);
                assert_eq!(
                    found.cost() as f64,
                    least,
                    "{} on {groups:?}, seed {seed}",
                    engine.name()
                );
                assert_eq!(found.engine(), engine);
            }
        }
    }
    Ok(())
}

#[test]
fn reach_the_optimum_of_whole_groups() -> Result<(), Error> {
    for (seed, n) in [(4, 7), (5, 8), (6, 9)] {
        let cost = Uneven { len: n, seed };
        for groups in shapes(n) {
            let least = brute_force(&groups, &|_, _| true, n, &|members| cost.group(members));
            let instance = Instance::by_group(&cost, groups.clone())?;
            for engine in ENGINES {
                let found = Search::with(&instance, engine).work(40_000).seed(seed).run()?;
                assert_sound(&found, &groups, n);
                assert!(
                    (found.cost() - least).abs() < 1e-9,
                    "{} on {groups:?}, seed {seed}: {} {least}",
                    engine.name(),
                    found.cost()
                );
            }
        }
    }
    Ok(())
}

#[test]
fn keep_parties_and_pins() -> Result<(), Error> {
    let n = 9;
    let cost = pairs(n, 11);
    let groups = Groups::with_bounds([3..=4, 2..=4])
        .expect("ranges are not empty")
        .with_bench(2);
    // Players 0 and 5 count as one who may sit anywhere; 7 sits in group 1.
    let mut least = f64::INFINITY;
    for together in 0..3 {
        let seat_of = |player, group| match player {
            0 | 5 => group == together,
            7 => group == 1,
            _ => true,
        };
        least = least.min(brute_force(&groups, &seat_of, n, &|members| {
            sum_of_pairs(&cost, members)
        }));
    }
    let instance = Instance::pairwise(&cost, groups.clone())?.party(&[0, 5])?.pin(7, 1)?;
    for engine in ENGINES {
        let found = Search::with(&instance, engine).work(100_000).run()?;
        assert_sound(&found, &groups, n);
        assert!(found.groups()[1].contains(&7));
        let holds_party = |members: &&[usize]| members.contains(&0) && members.contains(&5);
        let mut lists = found.groups().iter().map(Vec::as_slice).chain([found.bench()]);
        assert!(
            lists.any(|members| holds_party(&members)),
            "{}: {found:?}",
            engine.name()
        );
        assert_eq!(found.cost() as f64, least, "{}", engine.name());
    }
    Ok(())
}

#[test]
fn never_end_above_the_start() -> Result<(), Error> {
    let cost = pairs(40, 5);
    let instance = Instance::pairwise(&cost, Groups::of_size(40, 5)?)?;
    let start = Search::with(&instance, Engine::Annealing).work(3_000_000).run()?;
    let whole = Uneven { len: 40, seed: 8 };
    let by_group = Instance::by_group(&whole, Groups::of_size(40, 5)?)?;
    let better = Search::with(&by_group, Engine::CachedClimb).work(40_000).run()?;
    for engine in ENGINES {
        for work in [0, 1, 500, 20_000] {
            let found = Search::with(&instance, engine)
                .warm_start(start.groups())
                .work(work)
                .run()?;
            assert!(found.cost() <= start.cost(), "{} with {work}", engine.name());
            let found = Search::with(&by_group, engine)
                .warm_start(better.groups())
                .work(work)
                .run()?;
            assert!(found.cost() <= better.cost(), "{} with {work}", engine.name());
        }
    }
    Ok(())
}

#[test]
fn forbidden_pairs_are_left() -> Result<(), Error> {
    // Even players do not meet odd ones: two groups of one kind each is the only way.
    let pairs = (0..8).flat_map(|i| (i + 1..8).map(move |j| (i, j)));
    let entries: Vec<_> = pairs
        .map(|(i, j)| ((i + j) % 2 == 0).then_some(noise(2, i, j)))
        .collect();
    let cost = CondensedMatrix::from_options(8, &entries).expect("there are as many entries as pairs");
    let instance = Instance::pairwise(&cost, Groups::of_size(8, 4)?)?;
    for engine in ENGINES {
        let found = Search::with(&instance, engine).work(50_000).run()?;
        assert_eq!(found.groups(), [[0, 2, 4, 6], [1, 3, 5, 7]], "{}", engine.name());
    }
    Ok(())
}
