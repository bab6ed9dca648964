//! Scores that can be told without a computer.

use matchmaking::lobby::{
    Curve, Error, Judge, LobbyCost, LobbySearch, Objective, Player, Premade, Previous, RuleProblem, Rules, ServerRule,
    Side, Weights, start,
};

use crate::support::{plain, round};

const RED: [usize; 3] = [0, 1, 2];
const BLUE: [usize; 3] = [3, 4, 5];

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} where {expected} was expected");
}

#[test]
fn three_pros_and_three_beginners_are_as_different_as_it_gets() -> Result<(), Error> {
    let (round, rules) = (
        plain(&[20_000.0, 18_000.0, 30_000.0, 0.0, -50.0, 0.0]),
        Rules::default(),
    );
    let judge = Judge::new(&round, &rules)?;
    let uneven = judge.breakdown(&RED, &BLUE);
    assert_eq!((uneven.team_skill, uneven.player_skill), (0.0, 0.0));
    // Two pros and a beginner against two beginners and a pro: a third of the cap.
    let best = judge.best(&[0, 1, 2, 3, 4, 5]).expect("a match");
    near(best.breakdown.team_skill, 2.0 / 3.0);
    assert_eq!(best.breakdown.player_skill, 0.0);
    Ok(())
}

#[test]
fn beyond_the_cap_skills_are_equal() -> Result<(), Error> {
    let round = plain(&[18_000.0, 20_000.0, 18_000.0, 20_000.0, 18_000.0, 20_000.0]);
    let rules = Rules::default();
    let scores = Judge::new(&round, &rules)?.breakdown(&RED, &BLUE);
    assert_eq!((scores.team_skill, scores.player_skill), (1.0, 1.0));
    let uncapped = rules.skill_cap(40_000.0);
    assert!(Judge::new(&round, &uncapped)?.breakdown(&RED, &BLUE).player_skill < 1.0);
    Ok(())
}

#[test]
fn below_the_floor_skills_are_equal() -> Result<(), Error> {
    let round = plain(&[-500.0, 100.0, 1_000.0, 0.0, 999.0, 2_000.0]);
    let rules = Rules::default().skill_floor(1_000.0).skill_cap(2_000.0);
    let scores = Judge::new(&round, &rules)?.breakdown(&RED, &BLUE);
    // One of the six is at the cap, all others at the floor: a third of the range between the teams' means, and five of
    // nine parts of the greatest sum of differences.
    near(scores.team_skill, 2.0 / 3.0);
    near(scores.player_skill, 4.0 / 9.0);
    near(
        LobbyCost::new(&round, &rules)?
            .score(&[0, 1, 2, 3, 4, 5])
            .expect("a match"),
        scores.total,
    );
    Ok(())
}

/// Whole points, and a range that is a power of two: nothing is rounded.
#[test]
fn only_differences_of_skill_count_within_floor_and_cap() -> Result<(), Error> {
    let skills = [300.0, 4_000.0, 77.0, 9_000.0, -20.0, 8_191.0];
    let at = |shift: f64| -> Result<_, Error> {
        let round = plain(&skills.map(|skill| skill + shift));
        let rules = Rules::default().skill_floor(shift).skill_cap(8_192.0 + shift);
        let best = Judge::new(&round, &rules)?.best(&[0, 1, 2, 3, 4, 5]);
        Ok((best, LobbyCost::new(&round, &rules)?.score(&[0, 1, 2, 3, 4, 5])))
    };
    let unmoved = at(0.0)?;
    assert!(unmoved.0.is_some());
    for shift in [1_000.0, -3_000.0, 65_536.0] {
        assert_eq!(at(shift)?, unmoved, "{shift}");
    }
    Ok(())
}

#[test]
fn premades_are_compared() -> Result<(), Error> {
    let rules = Rules::default();
    let score = |parties: [&str; 6]| -> Result<f64, Error> {
        let player = |i: usize| Player {
            party: Some(parties[i].into()),
            ..Player::new(format!("p{i}"), 9000.0)
        };
        let round = round((0..6).map(player).collect(), |_, _| 40.0, |_, _| true);
        Ok(Judge::new(&round, &rules)?.breakdown(&RED, &BLUE).premade)
    };
    assert_eq!(score(["a", "a", "a", "b", "c", "d"])?, 0.0);
    assert_eq!(score(["a", "a", "a", "b", "b", "d"])?, 0.6);
    assert_eq!(score(["a", "e", "e", "b", "c", "d"])?, 0.6);
    assert_eq!(score(["a", "a", "e", "b", "d", "d"])?, 1.0);
    assert_eq!(score(["a", "a", "a", "b", "b", "b"])?, 1.0);
    Ok(())
}

#[test]
fn three_parties_of_two_make_no_match() -> Result<(), Error> {
    let player = |i: usize| Player {
        party: Some(format!("duo {}", i % 3)),
        ..Player::new(format!("p{i}"), 9000.0)
    };
    let round = round((0..6).map(player).collect(), |_, _| 40.0, |_, _| true);
    let rules = Rules::default();
    let everybody = [0, 1, 2, 3, 4, 5];
    assert_eq!(Judge::new(&round, &rules)?.best(&everybody), None);
    assert_eq!(LobbyCost::new(&round, &rules)?.score(&everybody), None);
    Ok(())
}

#[test]
fn servers_are_counted() -> Result<(), Error> {
    let everybody = [0, 1, 2, 3, 4, 5];
    // The first players cannot connect with each other; the others can with everybody.
    for (strict, servers, score) in [(0, 6, 1.0), (2, 4, 1.0), (4, 2, 1.0), (5, 1, 0.5), (6, 0, 0.0)] {
        let players = (0..6).map(|i| Player::new(format!("p{i}"), 9000.0)).collect();
        let round = round(players, |_, _| 40.0, |i, j| i >= strict || j >= strict);
        let rules = Rules::default();
        let judge = Judge::new(&round, &rules)?;
        assert_eq!(judge.servers(&everybody), servers);
        assert_eq!(judge.breakdown(&RED, &BLUE).servers, score);
        let found = judge.best(&everybody).expect("a match").hosts(&round);
        assert_eq!(found, (strict..6).collect::<Vec<_>>());
        let required = Rules::default().server_rule(ServerRule::Required);
        let is_match = servers > 0;
        assert_eq!(Judge::new(&round, &required)?.best(&everybody).is_some(), is_match);
        assert_eq!(LobbyCost::new(&round, &required)?.score(&everybody).is_some(), is_match);
    }
    Ok(())
}

#[test]
fn only_the_ping_with_enemies_counts() -> Result<(), Error> {
    let players = (0..6).map(|i| Player::new(format!("p{i}"), 9000.0)).collect();
    let round = round(
        players,
        |i, j| {
            if (i < 3) == (j < 3) {
                1000.0
            } else {
                40.0 * 10_f32.sqrt()
            }
        },
        |_, _| true,
    );
    let rules = Rules::default();
    let judge = Judge::new(&round, &rules)?;
    near(judge.breakdown(&RED, &BLUE).enemy_ping, 0.5);
    near(judge.breakdown(&[0, 1, 3], &[2, 4, 5]).enemy_ping, 0.5 * 5.0 / 9.0);
    let steep = Rules::default().ping_range(10.0, 20.0);
    assert_eq!(Judge::new(&round, &steep)?.breakdown(&RED, &BLUE).enemy_ping, 0.0);
    Ok(())
}

#[test]
fn meeting_again_costs_and_changing_sides_costs_less() -> Result<(), Error> {
    let team = |i: usize| if i < 3 { Side::Red } else { Side::Blue };
    let player = |i: usize| Player {
        last: Some(Previous {
            match_id: "m".into(),
            team: team(i),
        }),
        ..Player::new(format!("p{i}"), 9000.0)
    };
    let round = round((0..6).map(player).collect(), |_, _| 40.0, |_, _| true);
    let rules = Rules::default();
    let judge = Judge::new(&round, &rules)?;
    assert_eq!(judge.breakdown(&RED, &BLUE).variation, 0.0);
    // One of each side changed: 2 + 2 mates became enemies, 2 + 2 enemies mates.
    near(judge.breakdown(&[0, 1, 5], &[2, 3, 4]).variation, 0.4 * 8.0 / 15.0);
    Ok(())
}

#[test]
fn a_match_by_hand() -> Result<(), Error> {
    // Teams 3000 apart on average; differences of pairs: 9 of 3000, 6 of 0.
    let round = plain(&[6000.0, 6000.0, 6000.0, 9000.0, 9000.0, 9000.0]);
    let rules = Rules::default().weights(Weights {
        premade: 0.0,
        ..Weights::default()
    });
    let scores = Judge::new(&round, &rules)?.breakdown(&RED, &BLUE);
    near(scores.team_skill, 1.0 - 3.0 / 18.0);
    near(scores.player_skill, 1.0 - 3.0 / 18.0);
    assert_eq!(
        (scores.premade, scores.enemy_ping, scores.variation, scores.servers),
        (1.0, 1.0, 1.0, 1.0)
    );
    near(
        scores.total,
        (3.0 * 5.0 / 6.0 + 2.0 * 5.0 / 6.0 + 3.0 + 0.3 + 1.0) / 9.3,
    );
    let curved = rules.team_curve(Curve::Power { exponent: 2.0 });
    near(
        Judge::new(&round, &curved)?.breakdown(&RED, &BLUE).team_skill,
        1.0 - 1.0 / 36.0,
    );
    Ok(())
}

#[test]
fn rules_are_checked() {
    let round = plain(&[0.0; 6]);
    let zero = Weights {
        team_skill: 0.0,
        player_skill: 0.0,
        premade: 0.0,
        enemy_ping: 0.0,
        variation: 0.0,
        servers: 0.0,
        company: 0.0,
    };
    let tiny = Weights {
        team_skill: 1e-310,
        ..zero
    };
    let negative = Weights {
        team_skill: -1.0,
        ..Weights::default()
    };
    let cases = [
        (Rules::default().weights(zero), "weights", RuleProblem::AllZero),
        (Rules::default().weights(negative), "weights", RuleProblem::Negative),
        // They were said to be all 0, and not positive.
        (Rules::default().weights(tiny), "weights", RuleProblem::TooSmall),
        (Rules::default().skill_cap(1e-310), "skill_cap", RuleProblem::TooSmall),
        (
            Rules::default().skill_cap(f64::NAN),
            "skill_cap",
            RuleProblem::NotPositive,
        ),
        (
            Rules::default().skill_floor(18_000.0),
            "skill_floor",
            RuleProblem::NotBelowCap,
        ),
        (
            Rules::default().skill_floor(f64::NAN),
            "skill_floor",
            RuleProblem::NotBelowCap,
        ),
        (
            Rules::default().skill_floor(f64::NEG_INFINITY),
            "skill_floor",
            RuleProblem::NotBelowCap,
        ),
        (
            Rules::default().skill_floor(-1e308).skill_cap(1e308),
            "skill_floor",
            RuleProblem::TooFarBelow,
        ),
        (
            Rules::default().ping_range(400.0, 40.0),
            "ping_range",
            RuleProblem::NotAscending,
        ),
        (Rules::default().met(1.5, 0.0), "met", RuleProblem::NotAScore),
        (
            Rules::default().servers([0.0, f64::NAN, 1.0]),
            "servers",
            RuleProblem::NotAScore,
        ),
        (
            Rules::default().premade(Premade::Levels(vec![1.0])),
            "premade",
            RuleProblem::TooShort,
        ),
        (
            Rules::default().player_curve(Curve::Power { exponent: -1.0 }),
            "player_curve",
            RuleProblem::NotDecreasing,
        ),
        (
            Rules::default().objective(Objective::Power { exponent: 0.0 }),
            "objective",
            RuleProblem::NotPositive,
        ),
    ];
    for (rules, rule, problem) in cases {
        assert_eq!(
            LobbyCost::new(&round, &rules).err(),
            Some(Error::BadRule { rule, problem })
        );
        assert_eq!(Judge::new(&round, &rules).err(), Some(Error::BadRule { rule, problem }));
    }
    for size in [0, 9, usize::MAX] {
        assert!(matches!(Rules::new(size).check(), Err(Error::BadTeamSize { .. })));
    }
    assert_eq!(
        LobbyCost::new(&plain(&[0.0; 5]), &Rules::default()).err(),
        Some(Error::TooFewPlayers { players: 5, needed: 6 })
    );
}

/// The message was about a diagonal.
#[test]
#[should_panic(expected = "player 0 is kept twice")]
fn nobody_is_kept_twice() {
    let _ = plain(&[900.0; 6]).subset(&[0, 1, 0]);
}

#[test]
#[should_panic(expected = "player 6 where the round has 6")]
fn nobody_is_kept_who_is_not_there() {
    let _ = plain(&[900.0; 6]).subset(&[0, 6]);
}

#[test]
fn a_round_without_players_has_no_matches() {
    let (nobody, rules) = (plain(&[900.0; 6]).subset(&[]), Rules::default());
    assert!(nobody.is_empty() && nobody.parties().is_empty());
    let needed = rules.match_size();
    let none = Error::TooFewPlayers { players: 0, needed };
    assert_eq!(Judge::new(&nobody, &rules).err(), Some(none.clone()));
    assert_eq!(LobbyCost::new(&nobody, &rules).err(), Some(none.clone()));
    assert_eq!(start(&nobody, &rules, 0.0, 0).err(), Some(none.clone()));
    assert_eq!(LobbySearch::new(&nobody, &rules).run().err(), Some(none));
}
