//! The fast score is the literal one.

use matching_core::GroupCost;
use matchmaking::lobby::{
    Curve, Error, Judge, LobbyCost, Objective, Premade, Round, Rules, ServerRule, Weights, start,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, sizes};

fn weights(rng: &mut ChaCha8Rng) -> Weights {
    let company = [0.0, 0.5, 3.0][rng.clone().random_range(0..3)];
    let mut weight = || {
        if rng.random_bool(0.2) {
            0.0
        } else {
            rng.random_range(0.0..3.0)
        }
    };
    Weights {
        team_skill: weight(),
        player_skill: weight(),
        premade: weight(),
        enemy_ping: weight(),
        variation: weight(),
        servers: 0.5 + weight(),
        company,
    }
}

/// Rules of all kinds, by number.
pub(crate) fn rules(kind: usize, team_size: usize, rng: &mut ChaCha8Rng) -> Rules {
    let rules = Rules::new(team_size)
        .weights(weights(rng))
        .met(rng.random(), rng.random())
        .disliked(rng.clone().random(), 0.7);
    let pieces = Curve::Piecewise(vec![(0.0, 1.0), (0.1, 0.9), (0.2, 0.3), (0.7, 0.3), (1.0, 0.0)]);
    let split = (vec![team_size], vec![1; team_size], 0.3);
    match kind {
        0 => Rules::new(team_size),
        1 => rules,
        2 => rules
            .team_curve(Curve::Power { exponent: 0.5 })
            .premade(Premade::Squares),
        3 => rules
            .player_curve(Curve::Log { low: 0.01, high: 0.9 })
            .server_rule(ServerRule::Required),
        4 if team_size > 1 => rules.premade(Premade::Table(vec![split])).servers([0.1, 0.2, 0.9]),
        _ => rules
            .team_curve(pieces.clone())
            .player_curve(pieces)
            .premade(Premade::Levels(
                (0..team_size).map(|level| 1.0 / (1 + level) as f64).collect(),
            )),
    }
}

/// As many players as a match has: whole parties by chance where they come out even, anybody otherwise.
pub(crate) fn somebody(round: &Round, size: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut parties = round.parties().to_vec();
    parties.shuffle(rng);
    let mut members = Vec::new();
    for party in parties {
        if members.len() + party.len() <= size {
            members.extend(party);
        }
    }
    let mut others: Vec<usize> = (0..round.len()).filter(|i| !members.contains(i)).collect();
    others.shuffle(rng);
    members.extend(others);
    members.truncate(size);
    members
}

pub(crate) fn agree(
    round: &Round,
    rules: &Rules,
    groups: &[Vec<usize>],
    rng: &mut ChaCha8Rng,
    seen: &mut [usize; 2],
) -> Result<(), Error> {
    let (cost, judge) = (LobbyCost::new(round, rules)?, Judge::new(round, rules)?);
    for members in groups {
        let (fast, literal) = (cost.score(members), judge.best(members));
        assert_eq!(fast.is_some(), literal.is_some(), "{members:?} {rules:?}");
        assert_eq!(
            cost.is_group_allowed(members),
            literal.is_some(),
            "{members:?} {rules:?}"
        );
        seen[usize::from(fast.is_some())] += 1;
        let (Some(fast), Some(literal)) = (fast, literal) else {
            continue;
        };
        let total = literal.breakdown.total;
        assert!((fast - total).abs() < 1e-6, "{members:?} {rules:?}: {fast} {total}");
        assert_eq!(cost.group(members), -fast);
        let mut shuffled = members.clone();
        for _ in 0..5 {
            shuffled.shuffle(rng);
            assert_eq!(
                cost.score(&shuffled).map(f64::to_bits),
                Some(fast.to_bits()),
                "a function of the set"
            );
        }
    }
    Ok(())
}

#[test]
fn fast_is_literal_for_one_to_eight_a_side() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for (team_size, rounds) in [(1, 60), (2, 60), (3, 120), (4, 60), (5, 36), (6, 6), (7, 2), (8, 1)] {
        let mut seen = [0; 2];
        for at in 0..rounds {
            let rules = rules(at % 6, team_size, &mut rng);
            let n = 2 * team_size * rng.random_range(2..=4);
            let sizes = sizes(n, team_size, &mut rng);
            let round = of_parties(&sizes, &mut rng);
            let sets = if team_size > 6 { 3 } else { 12 };
            let mut groups: Vec<Vec<usize>> = (0..sets).map(|_| somebody(&round, 2 * team_size, &mut rng)).collect();
            groups.extend(start(&round, &rules, 3000.0, at as u64).unwrap_or_default());
            agree(&round, &rules, &groups, &mut rng, &mut seen)?;
        }
        // Sets that may not play are met as well, where there are enough sets.
        let has_illegal = (2..=5).contains(&team_size);
        assert!(
            seen[1] >= rounds && (seen[0] > 0 || !has_illegal),
            "{team_size} {seen:?}"
        );
    }
    Ok(())
}

#[test]
fn what_is_no_match_is_not_allowed() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let round = of_parties(&[2, 1, 1, 1, 1, 1, 1], &mut rng);
    let cost = LobbyCost::new(&round, &Rules::default())?;
    let duo = round
        .parties()
        .iter()
        .find(|party| party.len() == 2)
        .expect("one of two")
        .clone();
    let alone: Vec<usize> = (0..8).filter(|i| !duo.contains(i)).collect();
    assert!(cost.is_group_allowed(&alone));
    assert!(cost.is_group_allowed(&[&duo[..], &alone[..4]].concat()));
    assert!(
        !cost.is_group_allowed(&[&duo[..1], &alone[..5]].concat()),
        "half of a party"
    );
    assert!(
        !cost.is_group_allowed(&[&alone[..5], &alone[..1]].concat()),
        "somebody twice"
    );
    assert_eq!(cost.group_if_allowed(&[&alone[..5], &alone[..1]].concat()), None);
    assert!(!cost.is_group_allowed(&alone[..5]) && !cost.is_group_allowed(&[]));
    assert_eq!(cost.score(&alone[..5]), None);
    Ok(())
}

#[test]
fn objectives_change_costs_and_not_scores() -> Result<(), Error> {
    let round = Round::named("nauts-60-s1")?;
    let rules = Rules::default();
    let members = &start(&round.subset(&(0..60).collect::<Vec<_>>()), &rules, 0.0, 0)?[3];
    let score = LobbyCost::new(&round, &rules)?.score(members).expect("a match");
    for (objective, cost) in [
        (Objective::Mean, -score),
        (Objective::Sqrt, -score.sqrt()),
        (Objective::Power { exponent: 2.0 }, -score.powf(2.0)),
        (Objective::MinThenMean { sharpness: 64.0 }, (64.0 * (1.0 - score)).exp()),
    ] {
        let costs = LobbyCost::new(&round, &rules.clone().objective(objective))?;
        assert_eq!((costs.group(members), costs.score(members)), (cost, Some(score)));
    }
    Ok(())
}
