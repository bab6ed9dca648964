//! Rules as JSON: what is written is read back, what is left out is as it is by default, and what is wrong is said.

use matchmaking::lobby::{Curve, Objective, Premade, Priority, Rules, ServerRule, Weights};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(text: &str) -> Rules {
    Rules::read_json(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn a_curve(rng: &mut ChaCha8Rng) -> Curve {
    match rng.random_range(0..4) {
        0 => Curve::Linear,
        1 => Curve::Power {
            exponent: rng.random_range(0.1..3.0),
        },
        2 => Curve::Log {
            low: rng.random_range(0.01..0.1),
            high: rng.random_range(0.2..1.0),
        },
        _ => Curve::Piecewise(vec![(0.0, 1.0), (rng.random_range(0.1..0.4), 0.7), (0.9, 0.1)]),
    }
}

fn some_rules(rng: &mut ChaCha8Rng) -> Rules {
    let size = rng.random_range(1..=8);
    let mut rules = Rules::new(size)
        .weights(Weights {
            team_skill: rng.random(),
            company: rng.random(),
            ..Weights::default()
        })
        .skill_floor(rng.random_range(-1e3..1e3))
        .skill_cap(rng.random_range(2e3..1e5))
        .team_curve(a_curve(rng))
        .player_curve(a_curve(rng))
        .ping_range(rng.random_range(1.0..50.0), rng.random_range(60.0..900.0))
        .met(rng.random(), rng.random())
        .disliked(rng.random(), rng.random())
        .servers([rng.random(), rng.random(), rng.random()])
        .ping_growth(rng.random_range(0.0..9.0));
    if rng.random() {
        rules = rules.server_rule(ServerRule::Required).priority(Priority::Chance);
    }
    if rng.random() {
        rules = rules.ping_limit(rng.random_range(10.0..500.0));
    }
    rules = match rng.random_range(0..4) {
        0 => rules,
        1 => rules.premade(Premade::Squares),
        2 => rules.premade(Premade::Levels(
            (0..size).map(|d| 1.0 - d as f64 / size as f64).collect(),
        )),
        _ => rules.premade(Premade::Table(vec![(vec![size], vec![1; size], 1.0)])),
    };
    rules.objective(match rng.random_range(0..4) {
        0 => Objective::Mean,
        1 => Objective::Sqrt,
        2 => Objective::Power {
            exponent: rng.random_range(0.1..2.0),
        },
        _ => Objective::MinThenMean {
            sharpness: rng.random_range(1.0..500.0),
        },
    })
}

#[test]
fn what_is_written_is_read() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..500 {
        let rules = some_rules(&mut rng);
        let text = serde_json::to_string(&rules).expect("plain data");
        assert_eq!(read(&text), rules, "{text}");
        assert_eq!(serde_json::from_str::<Rules>(&text).expect("the same"), rules);
    }
}

#[test]
fn what_is_left_out_is_as_it_is_by_default() {
    assert_eq!(read("{}"), Rules::new(3));
    assert_eq!(read("\u{feff} \n{\"team_size\": 5}"), Rules::new(5));
    assert_eq!(
        read(r#"{"premade": null, "ping_limit": null, "weights": {}, "met": {}}"#),
        Rules::new(3)
    );
    assert_eq!(
        read(r#"{"weights": {"servers": 0}, "met": {"same": 0.1}, "disliked": {"enemies": 0.5}}"#),
        Rules::new(3)
            .weights(Weights {
                servers: 0.0,
                ..Weights::default()
            })
            .met(0.4, 0.1)
            .disliked(0.0, 0.5)
    );
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases = [
        ("", "line 1, column 1: expected rules, an object like"),
        ("\n\n [3]", "line 3, column 2: expected rules, an object like"),
        ("3", "line 1, column 1: expected rules"),
        ("{\"team_size\": 3,}", "line 1, column 17: trailing comma"),
        ("{\"team_size\": 3", "line 1, column 15: EOF"),
        ("{\"team_size\": 3} x", "line 1, column 18: trailing characters"),
        ("{\"team_size\": -3}", "line 1, column 16: invalid value"),
        ("{\"team_size\": 9}", "9"),
        (
            "{\"team_size\": 3,\n \"team_size\": 4}",
            "line 2, column 12: duplicate field `team_size`",
        ),
        (
            "{\"weight\": {}}",
            "unknown field `weight`, expected one of `team_size`, `weights`",
        ),
        (
            "{\"weights\": {\"team-skill\": 1}}",
            "unknown field `team-skill`, expected one of `team_skill`",
        ),
        (
            "{\"weights\": 3}",
            "invalid type: integer `3`, expected an object of weights",
        ),
        // In order, as it were.
        (
            "{\"weights\": [3, 2, 1, 3, 0.3, 1, 0]}",
            "line 1, column 12: invalid type: sequence, expected an object of weights",
        ),
        ("{\"met\": [0.4, 0]}", "expected an object with `changed` and `same`"),
        (
            "{\"disliked\": [0, 1]}",
            "expected an object with `mates` and `enemies`",
        ),
        (
            "{\"objective\": \"min-then-mean\"}",
            "line 1, column 30: a name alone, where numbers belong to it: expected an object like",
        ),
        ("{\"premade\": \"levels\"}", "a name alone, where numbers belong to it"),
        (
            "{\"team_size\": \"3\"}",
            "invalid type: string \"3\", expected a whole number",
        ),
        ("{\"skill_cap\": null}", "invalid type: null, expected a number"),
        ("{\"weights\": {\"servers\": -1}}", "weights"),
        (
            "{\"team_curve\": \"square\"}",
            "unknown variant `square`, expected one of `linear`, `power`, `log`, `piecewise`",
        ),
        ("{\"team_curve\": {\"power\": {\"exponent\": 0}}}", "team_curve"),
        (
            "{\"team_curve\": {\"power\": {\"exponent\": 1, \"low\": 2}}}",
            "unknown field `low`",
        ),
        ("{\"player_curve\": {\"piecewise\": [[0, 0.5]]}}", "player_curve"),
        ("{\"premade\": {\"table\": [[[3], [2], 0.5]]}}", "premade"),
        ("{\"ping_range\": [40]}", "invalid length 1"),
        ("{\"ping_range\": [400, 40]}", "ping_range"),
        ("{\"servers\": [0, 1, 2]}", "servers"),
        ("{\"server_rule\": \"needed\"}", "expected `scored` or `required`"),
        ("{\"priority\": \"LongestWait\"}", "expected `longest-wait` or `chance`"),
        (
            "{\"objective\": {\"min-then-mean\": {\"sharpness\": 501}}}",
            "objective",
        ),
        ("{\"skill_cap\": 1e999}", "line 1, column 19: number out of range"),
        ("{\"skill_floor\": 20000}", "skill_floor"),
    ];
    for (text, expected) in cases {
        let error = Rules::read_json(text.as_bytes()).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn another_size_has_its_own_premades_unless_they_were_given() {
    for (before, after) in [(3, 5), (5, 3), (1, 8), (3, 2)] {
        assert_eq!(Rules::new(before).for_team_size(after), Rules::new(after));
        let given = Premade::Levels(vec![1.0; 8]);
        let rules = Rules::new(before).premade(given.clone()).for_team_size(after);
        assert_eq!(rules, Rules::new(after).premade(given));
    }
}
