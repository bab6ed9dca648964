//! Random small problems with every mixture of wishes and costs against exhaustive search.

use matching_lp::{Conflict, Error, Groups, Halves, Problem, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::oracle::{Plain, Ratings, STEP, Whole};

/// A plain problem with the costs that the crate's own problem refers to.
pub(crate) struct Built<'p> {
    plain: &'p Plain,
    halves: Option<Halves<i64>>,
    second: Option<Box<Built<'p>>>,
}

impl<'p> Built<'p> {
    pub(crate) fn new(plain: &'p Plain) -> Self {
        let halves = |halves: &Ratings| {
            let made = Halves::new(&halves.ratings).expect("small numbers");
            match halves.limit {
                Some(limit) => made.at_most(limit),
                None => made,
            }
        };
        Self {
            plain,
            halves: plain.halves.as_ref().map(halves),
            second: plain.second.as_deref().map(|second| Box::new(Self::new(second))),
        }
    }

    pub(crate) fn problem(&self) -> Result<Problem<'_, i64>, Error> {
        let plain = self.plain;
        let groups = Groups::with_bounds(plain.bounds.iter().map(|&(least, most)| least..=most)).expect("not crossed");
        let groups = groups.with_bench(plain.bench);
        // A cost of pairs that are all free may as well be none.
        let is_by_group = plain.forbidden.is_empty() && plain.cost.iter().all(|&cost| cost == 0);
        let mut problem = match (&plain.whole, &self.halves) {
            (Some(whole), _) if is_by_group => Problem::by_group(whole, groups)?,
            (None, Some(halves)) if is_by_group => Problem::by_group(halves, groups)?,
            (Some(whole), _) => Problem::new(plain, groups)?.group_cost(whole)?,
            (None, Some(halves)) => Problem::new(plain, groups)?.group_cost(halves)?,
            (None, None) => Problem::new(plain, groups)?,
        };
        if let (Some(_), Some(halves)) = (&plain.whole, &self.halves) {
            problem = problem.group_cost(halves)?;
        }
        for party in &plain.parties {
            problem = problem.party(party)?;
        }
        for &(i, j) in &plain.apart {
            problem = problem.apart(i, j)?;
        }
        for (number, (least, most, players)) in plain.roles.iter().enumerate() {
            problem = problem.role(&format!("role{number}"), *least..=*most, players)?;
        }
        for &(player, group) in &plain.pins {
            problem = problem.pin(player, group)?;
        }
        for (player, &cost) in plain.waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost)?;
        }
        Ok(problem)
    }
}

/// Costs of sets, where groups of one and two at least are allowed now and then.
fn whole(rng: &mut ChaCha8Rng, players: usize, low: i64, range: i64) -> Whole {
    let rate = [0.0, 0.0, 0.1, 0.4][rng.random_range(0..4)];
    let cost = |rng: &mut ChaCha8Rng| (!rng.random_bool(rate)).then(|| rng.random_range(low..=range));
    let costs = (0..1_usize << players).map(|_| cost(rng)).collect();
    let weak = if rng.random_bool(0.5) {
        rng.random_range(0..=range)
    } else {
        0
    };
    Whole::new(costs, rng.random_bool(0.7), weak)
}

fn halves(rng: &mut ChaCha8Rng, players: usize, range: i64) -> Ratings {
    Ratings {
        ratings: (0..players).map(|_| rng.random_range(-range..=range)).collect(),
        limit: rng.random_bool(0.3).then(|| rng.random_range(0..=2 * range)),
    }
}

fn roles(rng: &mut ChaCha8Rng, players: usize, bounds: &[(usize, usize)]) -> Vec<(usize, usize, Vec<usize>)> {
    let count = rng.random_range(1..=4);
    let usual = bounds.iter().map(|bound| bound.1).max().unwrap_or(1).max(1);
    let rate = [0.3, 0.6, 0.9][rng.random_range(0..3)];
    let role = |rng: &mut ChaCha8Rng| {
        let least = rng.random_range(0..=usual.div_ceil(count).min(2));
        let most = (least + rng.random_range(0..=2)).max(1);
        let can = (0..players).filter(|_| rng.random_bool(rate)).collect();
        (least, most, can)
    };
    (0..count).map(|_| role(rng)).collect()
}

/// A random problem; `most` players, and four in ten with costs or wishes beyond pairs.
pub(crate) fn random(rng: &mut ChaCha8Rng, most: usize) -> Plain {
    let players = rng.random_range(1..=most);
    let range = [1, 3, 10, 1000][rng.random_range(0..4)];
    let low = if rng.random_bool(0.3) { -range } else { 0 };
    let is_free = rng.random_bool(0.2);
    let pair = |rng: &mut ChaCha8Rng| if is_free { 0 } else { rng.random_range(low..=range) };
    let cost = (0..players * players).map(|_| pair(rng)).collect();
    let has_halves = rng.random_bool(0.2);
    let count = rng.random_range(1..=players.min(5));
    let bench = if rng.random_bool(0.4) {
        rng.random_range(0..=players / 2)
    } else {
        0
    };
    // Sizes that add up, then looser.
    let playing = players - rng.random_range(0..=bench.min(players - count));
    let mut bounds: Vec<(usize, usize)> = (0..count)
        .map(|group| playing / count + usize::from(group < playing % count))
        .map(|size| (size, size))
        .collect();
    if rng.random_bool(if has_halves { 0.9 } else { 0.5 }) {
        for bound in &mut bounds {
            bound.0 -= rng.random_range(0..=bound.0.min(2));
            bound.1 += rng.random_range(0..=2);
        }
    }
    let mut pairs = |rate: f64| -> Vec<(usize, usize)> {
        let all = (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j)));
        all.filter(|_| rng.random_bool(rate)).collect()
    };
    let few = 1.0 / players as f64;
    let apart = pairs([0.0, few, 0.3][players % 3]);
    let forbidden = pairs([0.0, 0.0, few, 0.4][players % 4]);
    let parties = pairs([0.0, 0.3 * few, few][(players + 1) % 3]);
    let mut plain = Plain {
        players,
        cost,
        bench,
        waiting: (0..players).map(|_| rng.random_range(low..=range)).collect(),
        parties: parties.into_iter().map(|(i, j)| vec![i, j]).collect(),
        apart,
        forbidden,
        ..Plain::default()
    };
    if rng.random_bool(0.4) {
        plain.roles = roles(rng, players, &bounds);
    }
    if rng.random_bool(0.25) {
        let pinned = (0..players).filter(|_| rng.random_bool(0.2));
        let pinned: Vec<usize> = pinned.collect();
        plain.pins = pinned
            .into_iter()
            .map(|player| (player, rng.random_range(0..count)))
            .collect();
    }
    plain.bounds = bounds;
    plain.whole = rng.random_bool(0.3).then(|| whole(rng, players, low, range));
    plain.halves = has_halves.then(|| halves(rng, players, range));
    plain
}

/// The same wishes with other costs, to count where the first are equal.
fn second(rng: &mut ChaCha8Rng, first: &Plain) -> Plain {
    let range = [1, 20, 500][rng.random_range(0..3)];
    let low = if rng.random_bool(0.3) { -range } else { 0 };
    let n = first.players;
    Plain {
        players: n,
        cost: (0..n * n).map(|_| rng.random_range(low..=range)).collect(),
        bounds: first.bounds.clone(),
        bench: first.bench,
        waiting: (0..n).map(|_| rng.random_range(low..=range)).collect(),
        whole: rng.random_bool(0.2).then(|| whole(rng, n, low, range)),
        halves: rng.random_bool(0.1).then(|| halves(rng, n, range)),
        ..Plain::default()
    }
}

/// What is left of the wishes when only those of some players count, and no group is forbidden as a whole.
fn only_of(plain: &Plain, players: &[usize]) -> Plain {
    let both = |pairs: &[(usize, usize)]| -> Vec<(usize, usize)> {
        let is_in = |(i, j): &(usize, usize)| players.contains(i) && players.contains(j);
        pairs.iter().copied().filter(is_in).collect()
    };
    let parties = plain.parties.iter().map(|party| {
        let kept: Vec<usize> = party
            .iter()
            .copied()
            .filter(|player| players.contains(player))
            .collect();
        kept
    });
    Plain {
        apart: both(&plain.apart),
        forbidden: both(&plain.forbidden),
        parties: parties.filter(|party| !party.is_empty()).collect(),
        pins: plain
            .pins
            .iter()
            .copied()
            .filter(|pin| players.contains(&pin.0))
            .collect(),
        jokers: (0..plain.players).filter(|player| !players.contains(player)).collect(),
        whole: None,
        halves: None,
        ..plain.clone()
    }
}

/// What a conflict says must be true, and as little as it can be.
fn check_conflict(plain: &Plain, conflict: Conflict, label: &str) {
    let roles_of = |names: &[String]| -> Vec<usize> {
        let number = |name: &String| name.trim_start_matches("role").parse().expect("a number");
        names.iter().map(number).collect()
    };
    match conflict {
        Conflict::Players { players, is_minimal } => {
            assert_eq!(only_of(plain, &players).least(), None, "{label}: {players:?} {plain:?}");
            assert!(is_minimal, "{label}");
            for &left_out in &players {
                let others: Vec<usize> = players.iter().copied().filter(|&player| player != left_out).collect();
                assert!(
                    only_of(plain, &others).least().is_some(),
                    "{label}: {left_out} of {players:?} {plain:?}"
                );
            }
        }
        Conflict::Sizes { least, most, .. } => assert!(plain.players < least || plain.players > most),
        Conflict::ForbiddenGroups => {
            let everybody: Vec<usize> = (0..plain.players).collect();
            assert!(only_of(plain, &everybody).least().is_some(), "{label}: {plain:?}");
        }
        Conflict::RolesShort { roles, needed, players } => {
            let roles = roles_of(&roles);
            let can = |&player: &usize| roles.iter().any(|&role| plain.roles[role].2.contains(&player));
            let able: Vec<usize> = (0..plain.players).filter(can).collect();
            let is_filled = |group: &usize| plain.bounds[*group].0 > 0 || plain.pins.iter().any(|pin| pin.1 == *group);
            let filled = (0..plain.bounds.len()).filter(is_filled).count();
            let each: usize = roles.iter().map(|&role| plain.roles[role].0).sum();
            assert_eq!((able, each * filled), (players.clone(), needed), "{label}: {plain:?}");
            assert!(players.len() < needed, "{label}");
        }
        Conflict::RolesCrowded { roles, room, players } => {
            let roles = roles_of(&roles);
            assert!(players.len() > room, "{label}");
            for (number, role) in plain.roles.iter().enumerate() {
                let is_free = |player: &usize| !role.2.contains(player) || roles.contains(&number);
                assert!(players.iter().all(is_free), "{label}");
            }
        }
        other => panic!("{label}: {other}"),
    }
}

/// Solves one problem and compares; whether there was a grouping.
fn check(plain: &Plain, label: &str) -> bool {
    let built = Built::new(plain);
    let problem = built.problem().expect("well formed");
    match (Solver::new().solve(&problem), plain.least()) {
        (Ok(solution), Some(least)) => {
            assert_eq!(solution.cost(), least, "{label}: {plain:?}");
            assert!(solution.is_optimal(), "{label}: {:?} {plain:?}", solution.status());
            assert_eq!(solution.bound(), solution.cost());
            solution
                .verify(&problem)
                .unwrap_or_else(|error| panic!("{label}: {error} {plain:?}"));
            true
        }
        (Err(Error::Infeasible(conflict)), None) => {
            check_conflict(plain, conflict, label);
            false
        }
        (Err(Error::PartyTooLarge { party, most }), None) => {
            assert!(party.len() > most, "{label}: {party:?} {most}");
            false
        }
        (
            Err(Error::PinsDisagree {
                groups: [one, other], ..
            }),
            None,
        ) => one != other,
        (Err(Error::TooManyPinned { players, most, .. }), None) => {
            assert!(players.len() > most, "{label}: {players:?} {most}");
            false
        }
        (result, least) => panic!("{label}: {result:?} but {least:?} for {plain:?}"),
    }
}

/// Two costs in order; whether there was a grouping.
fn check_in_order(plain: &Plain, label: &str) -> bool {
    let built = Built::new(plain);
    let first = built.problem().expect("well formed");
    let second = built
        .second
        .as_ref()
        .expect("two costs")
        .problem()
        .expect("well formed");
    let problems = [&first, &second];
    match (Solver::new().solve_in_order(&problems), plain.least()) {
        (Ok(solution), Some(least)) => {
            let costs: Vec<i128> = solution.levels().iter().map(|level| level.cost()).collect();
            assert_eq!(costs[0] * STEP + costs[1], least, "{label}: {costs:?} {plain:?}");
            assert!(solution.is_optimal(), "{label}: {:?} {plain:?}", solution.levels());
            assert!(solution.levels().iter().all(|level| level.bound() == level.cost()));
            solution
                .verify(&problems)
                .unwrap_or_else(|error| panic!("{label}: {error} {plain:?}"));
            true
        }
        (Err(Error::Infeasible(_)), None) => false,
        (Err(Error::PartyTooLarge { .. } | Error::PinsDisagree { .. } | Error::TooManyPinned { .. }), None) => false,
        (result, least) => panic!("{label}: {result:?} but {least:?} for {plain:?}"),
    }
}

fn check_many(seeds: core::ops::Range<u64>, most: usize) {
    let count = seeds.end - seeds.start;
    let mut solved = 0;
    let mut mixtures = [0; 6];
    for seed in seeds {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut plain = random(&mut rng, most);
        let label = format!("seed {seed}");
        let is_solved = if rng.random_bool(0.2) {
            plain.second = Some(Box::new(second(&mut rng, &plain)));
            check_in_order(&plain, &label)
        } else {
            check(&plain, &label)
        };
        solved += u64::from(is_solved);
        let has = [
            !plain.roles.is_empty(),
            !plain.pins.is_empty(),
            plain.whole.is_some(),
            plain.halves.is_some(),
            plain.second.is_some(),
            !plain.roles.is_empty() && plain.whole.is_some() && plain.bench > 0,
        ];
        for (count, has) in mixtures.iter_mut().zip(has) {
            *count += u64::from(has && is_solved);
        }
    }
    assert!(solved > count / 3 && solved < count, "{solved} of {count}");
    assert!(mixtures.iter().all(|&mixture| mixture > count / 200), "{mixtures:?}");
}

#[test]
fn small_problems_are_solved_as_by_trying_all() {
    check_many(0..400, 8);
}

#[test]
#[ignore = "some minutes"]
fn many_small_problems_are_solved_as_by_trying_all() {
    let first = std::env::var("FIRST_SEED").map_or(0, |text| text.parse().expect("a number"));
    check_many(first..first + 20_000, 9);
}
