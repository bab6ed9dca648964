//! `matchmaking simulate lobby` against its contract.

use serde_json::Value;

use crate::support::{check_timing, file, piped, run, timeless};

const SMALL: [&str; 10] = [
    "simulate",
    "lobby",
    "--players",
    "240",
    "--replications",
    "3",
    "--match-minutes",
    "4",
    "--round-work",
    "4000",
];

fn simulated(arguments: &[&str]) -> Value {
    let run = run(&[&SMALL[..], &["--json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    let json = run.json();
    check_timing(&json);
    timeless(json)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

fn rows(report: &Value) -> &Vec<Value> {
    report["table"].as_array().expect("rows")
}

#[test]
fn longer_intervals_have_better_matches_and_longer_waits() {
    let report = simulated(&["--every", "30,60,180"]);
    assert_eq!(
        (report["schema"].as_str(), report["simulation"].as_str()),
        (Some("matchmaking/simulate/1"), Some("lobby"))
    );
    let rows = rows(&report);
    let rules: Vec<&str> = rows.iter().filter_map(|row| row["rule"].as_str()).collect();
    assert_eq!(rules, ["every 30 s", "every 60 s", "every 180 s"]);
    for row in rows {
        let count = |key: &str| number(&row[key]);
        // Everybody who has arrived is somewhere.
        assert_eq!(
            count("arrived"),
            count("matched") + count("waiting") + count("given_up")
        );
        assert_eq!(count("matched"), 6.0 * count("matches"));
        assert!(count("worst") < count("mean") && row["given_up"] == 0, "{row}");
        assert!(number(&row["ci95"][0]) <= count("mean") && count("mean") <= number(&row["ci95"][1]));
        // The mean is the weighted one of the six scores, by the default weights.
        let weights = [
            ("team-skill", 3.0),
            ("player-skill", 2.0),
            ("premade", 1.0),
            ("enemy-ping", 3.0),
            ("variation", 0.3),
            ("servers", 1.0),
        ];
        let mean: f64 = weights
            .iter()
            .map(|(name, weight)| weight * number(&row["scores"][name]))
            .sum();
        assert!((mean / 10.3 - count("mean")).abs() < 1e-9, "{row}");
        assert!(count("wait_percentile_95") >= number(&row["wait"]["mean"]));
    }
    for pair in rows.windows(2) {
        for key in ["players_per_round", "mean"] {
            assert!(number(&pair[0][key]) < number(&pair[1][key]), "{key} {pair:?}");
        }
        assert!(number(&pair[0]["wait"]["mean"]) < number(&pair[1]["wait"]["mean"]));
        assert!(number(&pair[0]["rounds"]) > number(&pair[1]["rounds"]));
    }
    let tests = report["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 2);
    for (test, pair) in tests.iter().zip(rows.windows(2)) {
        let difference = number(&pair[1]["mean"]) - number(&pair[0]["mean"]);
        assert!((number(&test["score"]["mean"]) - difference).abs() < 1e-12, "{test}");
    }
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let options = ["--every", "45", "--wait-for", "40", "--patience", "120"];
    let with = |more: &[&str]| simulated(&[&options[..], more].concat());
    let one = with(&["--threads", "1", "--seed", "7"]);
    assert_eq!(one, with(&["--threads", "2", "--seed", "7"]));
    assert_eq!(one, with(&["--threads", "3", "--seed", "7"]));
    assert_ne!(one, with(&["--threads", "1", "--seed", "8"]));
    let rules: Vec<&str> = rows(&one).iter().filter_map(|row| row["rule"].as_str()).collect();
    assert_eq!(rules, ["every 45 s", "40 waiting"]);
    assert!(rows(&one).iter().all(|row| number(&row["given_up"]) > 0.0), "{one}");
    // A row is the same whatever stands beside it.
    let alone = simulated(&["--every", "45", "--patience", "120", "--seed", "7"]);
    assert_eq!(rows(&alone)[0], rows(&one)[0]);
}

#[test]
fn limits_leave_the_first_replications() {
    let of = |limits: &[&str]| run(&[&SMALL[..], &["--json", "--every", "60,120"], limits].concat());
    let whole = of(&[]);
    let spent = number(&whole.json()["work"]);
    let cut = of(&["--work-limit", &format!("{}", spent as u64 - 1)]);
    assert_eq!(cut.code, Some(3), "{cut:?}");
    let report = cut.json();
    assert_eq!(
        (report["stopped"].as_str(), &report["replications_played"]),
        (Some("work-limit"), &2.into())
    );
    let two = of(&["--replications", "2"]);
    assert_eq!(two.code, Some(2), "--replications is there twice: {two:?}");
    let mut shorter: Vec<&str> = SMALL.to_vec();
    shorter[5] = "2";
    shorter.extend(["--json", "--every", "60,120"]);
    assert_eq!(run(&shorter).json()["table"], report["table"]);
    let exact = of(&["--work-limit", &format!("{}", spent as u64)]);
    assert_eq!(
        (exact.code, &timeless(exact.json())),
        (Some(0), &timeless(whole.json()))
    );
    for limits in [["--work-limit", "0"], ["--work-limit", "4000"], ["--time-limit", "0"]] {
        let none = of(&limits);
        assert_eq!(
            (none.code, &none.json()["table"]),
            (Some(4), &Value::Array(Vec::new())),
            "{none:?}"
        );
    }
}

#[test]
fn people_read_a_table() {
    let options = ["--every", "60,120", "--patience", "300", "--seed", "2"];
    let text = run(&[&SMALL[..], &options].concat());
    assert_eq!((text.code, text.stderr.as_str()), (Some(0), ""), "{text:?}");
    let lines: Vec<&str> = text.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "3 replications of 240 players, 30 a minute, 3v3, matches of 4 min, 0.5 play again, patience 300 s, seed 2"
    );
    let head: Vec<&str> = lines[2]
        .split("  ")
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect();
    let scores = [
        "team-skill",
        "player-skill",
        "premade",
        "enemy-ping",
        "variation",
        "servers",
    ];
    let expected = [
        &["rounds", "held", "players in one", "matches", "score"][..],
        &scores,
        &["worst", "mean wait", "95 %", "still wait", "gave up"],
    ];
    assert_eq!(head, expected.concat());
    assert!(lines[4].starts_with("every 60 s ") && lines[5].starts_with("every 120 s "));
    assert!(
        lines[7].starts_with("every 120 s instead of every 60 s: score +0.0"),
        "{}",
        lines[7]
    );
    let file = file("table.txt", "");
    let out = file.1.to_str().expect("a path");
    let written = run(&[&SMALL[..], &options, &["-o", out]].concat());
    assert_eq!((written.code, written.stdout.as_str()), (Some(0), ""));
}

/// As the article has it: as soon as so many wait, and after a while anyway.
#[test]
fn a_crowd_is_waited_for_so_long_and_no_longer() {
    let report = simulated(&["--wait-for", "24,240", "--at-latest", "60", "--every", "60"]);
    let [every, crowd, never] = &rows(&report)[..] else {
        panic!("{report}")
    };
    assert_eq!(crowd["rule"], "24 waiting or after 60 s");
    let keys = |row: &Value| ["every", "wait_for", "at_latest"].map(|key| row[key].as_f64());
    assert_eq!(keys(crowd), [None, Some(24.0), Some(60.0)]);
    assert_eq!(keys(every), [Some(60.0), None, None]);
    assert!(number(&crowd["rounds"]) > number(&every["rounds"]));
    assert!(number(&crowd["wait"]["mean"]) < number(&every["wait"]["mean"]));
    // So many never wait: a round a minute is all there is.
    assert!(number(&never["rounds"]) <= number(&every["rounds"]) + 3.0, "{report}");
    assert!(number(&never["mean"]) > number(&crowd["mean"]));
    run(&["simulate", "lobby", "--at-latest", "60"]).refused(&["--wait-for"]);
}

/// Rounds in which nobody can play have no scores, and that is no error.
#[test]
fn too_few_for_any_match_is_told_by_dashes() {
    let few = [
        "simulate",
        "lobby",
        "--players",
        "4",
        "--every",
        "60",
        "--replications",
        "2",
    ];
    let text = run(&few);
    assert_eq!(text.code, Some(0), "{text:?}");
    assert!(
        text.stdout
            .lines()
            .any(|line| line.starts_with("every 60 s") && line.contains("  - "))
    );
    let report = run(&[&few[..], &["--json"]].concat()).json();
    let row = &rows(&report)[0];
    assert!(
        row["mean"].is_null() && row["wait"].is_null() && row["scores"].is_null(),
        "{row}"
    );
    assert_eq!(
        (&row["matched"], &row["arrived"], &row["waiting"]),
        (&0.into(), &8.into(), &8.into())
    );
}

#[test]
fn rules_of_matches_come_from_a_file() {
    let rules = r#"{"team_size": 2, "weights": {"servers": 0}, "ping_limit": 200}"#;
    let (_directory, path) = file("rules.json", rules);
    let path = path.to_str().expect("a path");
    let from_file = simulated(&["--every", "60", "--rules", path]);
    assert_eq!(from_file["team_size"], 2);
    let row = &rows(&from_file)[0];
    assert_eq!(number(&row["matched"]), 4.0 * number(&row["matches"]));
    let other = simulated(&["--every", "60", "--rules", path, "--team-size", "3"]);
    assert_eq!(other["team_size"], 3);
    let arguments = [&SMALL[..], &["--json", "--every", "60", "--rules", "-"]].concat();
    assert_eq!(timeless(piped(rules, &arguments).json()), from_file);
    let wrong = piped("{\"team\": 2}", &arguments);
    wrong.refused(&["stdin: line 1, column", "unknown field `team`"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |arguments: &[&str], parts: &[&str]| {
        run(&[&["simulate", "lobby"], arguments].concat()).refused(parts);
    };
    refused(
        &["--every", "0"],
        &["--every", "not a number of seconds from 1 to 86400"],
    );
    refused(&["--every", "60,60"], &["--every: 60 appears twice; keep one"]);
    refused(&["--wait-for", "60,60"], &["--wait-for: 60 appears twice; keep one"]);
    refused(
        &["--wait-for", "1"],
        &["--wait-for", "not a whole number from 2 to 5000"],
    );
    refused(
        &["--wait-for", "5"],
        &["--wait-for: 5 players make no match, which has 6; ask for as many or more"],
    );
    refused(&["--players", "5001"], &["--players", "from 1 to 5000"]);
    refused(
        &["--arrivals", "0"],
        &["--arrivals", "not a number from 0.001 to 1000000"],
    );
    refused(&["--again", "1.1"], &["--again", "not a number from 0 to 1"]);
    refused(&["--again", "NaN"], &["--again", "not a number from 0 to 1"]);
    refused(
        &["--match-minutes", "-1"],
        &["--match-minutes", "not a number from 0.001"],
    );
    refused(&["--patience", "x"], &["--patience", "not a number from 0.001"]);
    refused(&["--replications", "1"], &["--replications", "from 2 to 10000"]);
    refused(&["--round-work", "0"], &["--round-work", "from 1 to"]);
    refused(&["--rules", "/nowhere.json"], &["/nowhere.json"]);
}
