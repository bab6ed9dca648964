//! What must be so of any pool, its decisions and its costs.

use std::collections::BTreeSet;

use markov::models::wu::{Decision, PoolProcess, SkillType, Splits, TeamPool, greedy_chain, patient_chain};
use markov::{Error, Limits, Rational, Scalar};

fn process(n: usize, cap: usize, splits: Splits) -> PoolProcess<Rational> {
    let pool = TeamPool::new(n, Rational::ratio(1, 3), Rational::ratio(5, 2), cap).expect("a pool");
    pool.splits(splits).process(Limits::default()).expect("a process")
}

#[test]
fn decisions_conserve_players_and_respect_the_cap() {
    for (n, cap) in [(1, 2), (1, 6), (2, 4), (2, 9), (3, 13)] {
        let process = process(n, cap, Splits::All);
        // All pools of 1 to cap players.
        assert_eq!(process.states().len(), (cap + 1) * (cap + 2) / 2 - 1);
        for (state, pool) in process.states().names().iter().enumerate() {
            let size: usize = pool.iter().sum();
            assert!(process.decisions(state).iter().all(|decision| {
                decision.left.iter().sum::<usize>() + 2 * n * decision.games == size
                    && decision.left.iter().zip(pool).all(|(left, all)| left <= all)
            }));
            let may_wait = process.decisions(state).iter().any(|decision| decision.games == 0);
            assert_eq!(may_wait, size < cap);
            let most = process.decisions(state).iter().map(|decision| decision.games).max();
            assert_eq!(most, Some(size / (2 * n)));
        }
    }
}

#[test]
fn splits_of_a_game() {
    let pool = TeamPool::new(3, 0.5, 1.0, 6).expect("a pool");
    // Four high and two low players: 2 to 2, or 3 to 1; three and three: 2 to 1, or 3 to 0.
    assert_eq!(pool.imbalances(&[4, 2]), Ok(vec![0, 2]));
    assert_eq!(pool.imbalances(&[3, 3]), Ok(vec![1, 3]));
    assert_eq!(pool.imbalances(&[6, 0]), Ok(vec![0]));
    assert_eq!(pool.imbalances(&[3, 2]), Ok(vec![]));
    // The fairest process has one decision for each pool that can be left.
    for state in 0..process(2, 9, Splits::Fairest).states().len() {
        let process = process(2, 9, Splits::Fairest);
        let decisions = process.decisions(state);
        assert!((1..decisions.len()).all(|at| decisions[..at].iter().all(|other| other.left != decisions[at].left)));
    }
}

/// Sums of skills, type by type, beside all splits of players into two teams one by one.
#[test]
fn splits_of_many_types() {
    for seed in 0..60_u32 {
        let skills = [7, -3, 0, i32::MAX, 7].map(|skill: i32| skill.wrapping_mul(1 + (seed % 4) as i32));
        let types = skills.map(|skill| SkillType {
            skill,
            probability: 0.2,
            waiting_cost: 1.0,
        });
        let pool = TeamPool::with_types(4, types.to_vec(), 1.0, 8).expect("a pool");
        let players: Vec<usize> = (0..5).map(|kind| (seed >> kind) as usize % 3).collect();
        let list: Vec<i64> = (0..5)
            .flat_map(|kind| vec![i64::from(skills[kind]); players[kind]])
            .collect();
        let teams = (0..1_u32 << list.len()).filter(|team| 2 * team.count_ones() as usize == list.len());
        let imbalance = |team: u32| {
            let signed = list
                .iter()
                .enumerate()
                .map(|(at, skill)| if team >> at & 1 == 1 { *skill } else { -skill });
            signed.sum::<i64>().unsigned_abs()
        };
        let expected: BTreeSet<u64> = teams.map(imbalance).collect();
        assert_eq!(
            pool.imbalances(&players),
            Ok(expected.into_iter().collect()),
            "{players:?}"
        );
    }
}

/// Counts were added up, pools listed and teams chosen before anything was compared with a limit.
#[test]
fn sizes_are_looked_at_first() {
    for n in [1001, 1_000_000, usize::MAX] {
        for chain in [patient_chain(n, 0.5), greedy_chain(n, 0.5)] {
            assert!(matches!(chain, Err(Error::Parameter { name: "n", .. })), "{n}");
        }
    }
    let pool = TeamPool::new(2, 0.5, 1.0, 5).expect("a pool");
    assert!(matches!(
        pool.imbalances(&[usize::MAX, 1]),
        Err(Error::Parameter {
            name: "number of players",
            ..
        })
    ));
    assert!(matches!(
        pool.imbalances(&[4]),
        Err(Error::LengthMismatch {
            expected: 2,
            found: 1,
            ..
        })
    ));
    let many = |types: usize| {
        let kind = |at: usize| SkillType {
            skill: 1 << at.min(30),
            probability: if at < 30 { 1.0 / 30.0 } else { 0.0 },
            waiting_cost: 1.0,
        };
        TeamPool::with_types(30, (0..types).map(kind).collect(), 1.0, 60)
    };
    assert!(matches!(
        many(1001),
        Err(Error::Parameter {
            name: "number of types",
            ..
        })
    ));
    let pool = many(1000).expect("a pool");
    assert!(matches!(
        pool.process(Limits::default()),
        Err(Error::TooLarge {
            what: "states",
            limit: 10_000_000
        })
    ));
    // Those who never come play no game that would have to be listed: three types of them have thousands already.
    let mut rare: Vec<_> = pool.types()[500..].to_vec();
    rare[0].probability = 1.0;
    let rare = TeamPool::with_types(30, rare, 1.0, 2000).expect("a pool");
    let process = rare.process(Limits::default()).expect("a process");
    assert_eq!(process.states().len(), 2000);
    let endless = TeamPool::new(1, 0.5, 1.0, usize::MAX).expect("a pool");
    assert!(matches!(
        endless.process(Limits::default()),
        Err(Error::TooLarge { what: "states", .. })
    ));
}

/// Along a path of arrivals, the paper's sum over games and players is the sum of what the decisions cost.
#[test]
fn costs_add_up_as_in_the_paper() {
    let (n, alpha) = (2, Rational::ratio(5, 2));
    let process = process(n, 9, Splits::Fairest);
    for policy in [process.greedy(), process.patient()] {
        // Waiting players by arrival time, those who left as (arrival, departure).
        let (mut waiting, mut gone): ([Vec<i64>; 2], Vec<(i64, i64)>) = ([Vec::new(), Vec::new()], Vec::new());
        let (mut imbalances, mut by_decisions) = (0, Rational::ratio(0, 1));
        let horizon = 200_i64;
        for t in 1..=horizon {
            // Low or high, without a pattern.
            let kind = (t * t / 3 + t / 5) as usize % 2;
            waiting[kind].push(t);
            let pool = vec![waiting[0].len(), waiting[1].len()];
            let state = process.states().find(&pool).expect("a pool of the process");
            let decision: &Decision = &process.decisions(state)[policy[state]];
            for (kind, &left) in decision.left.iter().enumerate() {
                let players = waiting[kind].len() - left;
                gone.extend(waiting[kind].drain(..players).map(|arrival| (arrival, t)));
            }
            imbalances += decision.imbalance as i64;
            by_decisions += process.pool().imbalance_cost(decision);
            // Up to the horizon, and not through the period after it.
            if t < horizon {
                by_decisions += process.pool().waiting_cost(decision);
            }
        }
        let left = waiting.iter().flatten().map(|&arrival| (arrival, horizon));
        let waited: i64 = gone
            .iter()
            .copied()
            .chain(left)
            .map(|(arrival, departure)| departure - arrival)
            .sum();
        let printed = alpha.clone() * Rational::ratio(imbalances * 2 * n as i64, 1) + Rational::ratio(waited, 1);
        assert_eq!(by_decisions, printed);
    }
}

#[test]
fn printed_chains_cost_what_policies_cost() {
    for n in 1..=4 {
        let process = process(n, 2 * n + 1, Splits::Fairest);
        let q = Rational::ratio(1, 3);
        let chains = [patient_chain(n, q.clone()), greedy_chain(n, q)].map(|chain| chain.expect("a chain"));
        for (pair, policy) in chains.into_iter().zip([process.patient(), process.greedy()]) {
            let shares = pair.chain.stationary().expect("one class");
            let sizes = pair
                .states
                .names()
                .iter()
                .map(|(u, v)| Rational::ratio((u + v) as i64, 1));
            let waiting: Rational = shares.iter().zip(sizes).map(|(share, size)| share * size).sum();
            let same = process.average(&policy, |decision| process.pool().waiting_cost(decision));
            assert_eq!(Ok(waiting), same);
            assert_eq!(pair.chain.periods(), [2 * n]);
        }
    }
}

#[test]
fn wrong_parameters_are_named() {
    let name = |result: Result<TeamPool<f64>, Error>| match result {
        Err(Error::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(TeamPool::new(0, 0.5, 1.0, 3)), "team_size");
    assert_eq!(name(TeamPool::new(2, 0.5, 1.0, 3)), "cap");
    assert_eq!(name(TeamPool::new(2, 0.5, -1.0, 5)), "alpha");
    assert_eq!(name(TeamPool::new(2, f64::NAN, 1.0, 5)), "probability");
    assert_eq!(name(TeamPool::new(2, 1.5, 1.0, 5)), "probability");
    assert_eq!(
        name(TeamPool::with_types(2, Vec::new(), 1.0, 5)),
        "sum of probabilities"
    );
    let pool = TeamPool::new(2, 0.5, 1.0, 9).expect("a pool");
    assert!(matches!(
        pool.clone().waiting_costs(&[1.0]),
        Err(Error::LengthMismatch { .. })
    ));
    assert_eq!(name(pool.clone().waiting_costs(&[1.0, f64::INFINITY])), "waiting_cost");
    let limits = Limits {
        states: 5,
        ..Limits::default()
    };
    assert!(matches!(
        pool.process(limits),
        Err(Error::TooLarge {
            what: "states",
            limit: 5
        })
    ));
    assert!(matches!(patient_chain(0, 0.5), Err(Error::Parameter { name: "n", .. })));
    assert!(matches!(greedy_chain(2, -0.5), Err(Error::Parameter { name: "q", .. })));
}
