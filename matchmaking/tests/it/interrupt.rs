//! Ctrl-C while a search runs.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use matchmaking::Pool;
use serde_json::{Value, json};

use crate::support::{Run, command, file};

/// Longer than anybody waits for a test.
const LIMIT: &str = "1000";
const INTERRUPT: u32 = 2;
const TERMINATE: u32 = 15;
const CONTINUE: u32 = 18;
const STOP: u32 = 19;

#[test]
fn what_was_found_is_the_answer() {
    let (_directory, path) = pool(120);
    for (method, signal) in [("search", INTERRUPT), ("exact", INTERRUPT), ("auto", TERMINATE)] {
        let run = stopped("group", &path, &["--size", "5", "--method", method], &[signal]);
        assert_eq!(run.code, Some(3), "{method}: {run:?}");
        let answer = run.json();
        assert_eq!(
            (&answer["status"], &answer["stopped"]),
            (&"feasible".into(), &"interrupt".into())
        );
        assert_eq!(answer["groups"].as_array().map(Vec::len), Some(24), "{method}");
    }
    let round = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/data/round.csv");
    let run = stopped("lobby", &round, &[], &[INTERRUPT]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert_eq!(run.json()["stopped"], Value::from("interrupt"));
}

/// It was not said what had ended a search without matches.
#[test]
fn a_search_that_has_found_no_matches_says_what_ended_it() {
    // Three thirds of sixty, of each of which nobody is near another: no six are all near each other.
    let near = |i: usize, j: usize| if i % 3 == j % 3 { 200 } else { 50 };
    let players: Vec<Value> = (0..60)
        .map(|i| json!({"id": format!("p{i}"), "skill": 100 * i}))
        .collect();
    let pings: Vec<Vec<usize>> = (0..60).map(|i| (0..60).map(|j| near(i, j)).collect()).collect();
    let (_directory, path) = file("round.json", json!({"players": players, "ping_ms": pings}).to_string());
    let run = stopped("lobby", &path, &["--ping-limit", "100"], &[INTERRUPT]);
    assert_eq!(run.code, Some(4), "{run:?}");
    let answer = run.json();
    assert_eq!(
        (&answer["status"], &answer["stopped"]),
        (&"unknown".into(), &"interrupt".into())
    );
}

/// The program ended without an answer.
#[test]
fn a_pairing_that_was_stopped_is_an_answer_too() {
    let n = 12_000;
    let mut random = 1_u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    // Nearly as many on one side as on the other: many stay alone, at a price far above all weights. An edge within a side keeps
    // from both what is quick between two sides.
    let side = 48 * n / 100;
    let mut edges = BTreeSet::from([(0, 1)]);
    while edges.len() < 3 * n {
        edges.insert((below(side), side + below(n - side)));
    }
    let mut text = format!("{n} {}\n", edges.len());
    for (u, v) in edges {
        text += &format!("{u} {v} {}\n", below(1_000));
    }
    let (_directory, path) = file("graph.txt", text);
    for signal in [INTERRUPT, TERMINATE] {
        let run = stopped("pair", &path, &["--objective", "max-cardinality"], &[signal]);
        assert_eq!(run.code, Some(3), "{run:?}");
        let answer = run.json();
        assert_eq!(
            (&answer["status"], &answer["stopped"]),
            (&"feasible".into(), &"interrupt".into())
        );
        assert_eq!(answer["certificate"]["verified"], Value::from(true));
    }
}

#[test]
fn games_that_were_stopped_are_an_answer_or_none() {
    let (_directory, path) = pool(3_000);
    let run = stopped("pair", &path, &["--games", "3", "--cost", "skill"], &[INTERRUPT]);
    let answer = run.json();
    let status = match run.code {
        Some(3) => "feasible",
        Some(4) => "unknown",
        other => panic!("{other:?}: {}", run.stderr),
    };
    assert_eq!(
        (&answer["status"], &answer["stopped"]),
        (&status.into(), &"interrupt".into())
    );
    assert_eq!(answer["certificate"]["verified"], Value::from(true));
}

/// Nothing ended it, and it takes seconds for a large party in a group of hundreds.
#[test]
fn an_explanation_ends_with_what_it_has_come_to() {
    let rows = (0..400).map(|i| {
        let party = if i % 2 == 0 && i < 120 { "crowd" } else { "" };
        format!("p{i},{},50,,{party}\n", 1_000 + i % 2 * 1_000 + i % 37)
    });
    let (_directory, path) = file(
        "pool.csv",
        format!("id,rating,deviation,outcomes,party\n{}", rows.collect::<String>()),
    );
    let run = |patience| {
        let mut command = command(&["group", "--json", "--size", "200", "--method", "search"]);
        // Whatever is found first is good enough.
        command
            .arg(&path)
            .args(["--target", "1000000000000", "--explain", "p0"]);
        signalled(command, Duration::from_millis(patience), &[INTERRUPT])
    };
    // A signal that comes during the search ends that, and the explanation goes on.
    let is_ended = |run: &Run| run.json()["explain"]["stopped"] == "interrupt";
    let patience = [1_500, 300, 100, 4_000];
    let run = patience.into_iter().map(run).find(is_ended);
    let run = run.expect("it is met while it explains");
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""), "{}", run.stdout.len());
    let explain = &run.json()["explain"];
    assert!(
        explain["exchanges_left_out"].as_u64() > Some(0),
        "{}",
        explain["exchanges_left_out"]
    );
}

/// Likewise, of teams of seven.
#[test]
fn an_explanation_of_matches_ends_with_what_it_has_come_to() {
    let run = |patience| {
        let mut command = command(&["lobby", "--json", "--instance", "nauts-102-s1", "--fewer-matches"]);
        command.args(["--team-size", "7", "--work-limit", "1", "--explain", "p1"]);
        signalled(command, Duration::from_millis(patience), &[INTERRUPT])
    };
    let is_ended = |run: &Run| run.json()["explain"]["stopped"] == "interrupt";
    let run = [1_000, 300, 100, 4_000].into_iter().map(run).find(is_ended);
    let run = run.expect("it is met while it explains");
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""), "{run:?}");
    let left_out = run.json()["explain"]["exchanges_left_out"].as_u64();
    assert!(left_out > Some(0), "{run:?}");
}

#[test]
fn the_second_one_ends_the_program() {
    let (_directory, path) = pool(120);
    // Held still, it finds both when it goes on.
    let signals = [STOP, INTERRUPT, TERMINATE, CONTINUE];
    let run = stopped("group", &path, &["--size", "5"], &signals);
    assert!(matches!(run.code, Some(130 | 143)), "{run:?}");
    assert_eq!(run.stdout, "");
}

/// Rounds that are done when somebody asks for the end are reported.
#[test]
fn rounds_that_are_done_are_reported() {
    let run = |patience| {
        let mut command = command(&["simulate", "eomm", "--json", "--threads", "2", "--rounds", "9000000"]);
        command.args(["--sizes", "10,6", "--states", "1000"]);
        signalled(command, Duration::from_millis(patience), &[INTERRUPT])
    };
    // On a slow machine no round may be done so soon, which is another answer.
    let patience = [50, 500, 5000];
    let run = patience.into_iter().map(run).find(|run| run.code != Some(4));
    let run = run.expect("a round is done in five seconds");
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""), "{run:?}");
    let report = run.json();
    assert_eq!(
        (&report["stopped"], &report["rounds"]),
        (&"interrupt".into(), &9_000_000.into())
    );
    for row in report["table"].as_array().expect("rows") {
        let rounds = row["rounds"].as_u64().expect("a count");
        assert!(0 < rounds && rounds < 9_000_000, "{row}");
    }
}

/// Runs a subcommand on a file, and sends it signals as soon as it listens to them.
fn stopped(subcommand: &str, file: &Path, options: &[&str], signals: &[u32]) -> Run {
    let mut command = command(&[subcommand, "--json", "--time-limit", LIMIT, "--threads", "1"]);
    command.arg(file).args(options);
    // It says so a moment before it knows what to do about them.
    signalled(command, Duration::from_millis(50), signals)
}

/// Runs a command, and sends it signals so long after it listens to them.
fn signalled(mut command: Command, patience: Duration, signals: &[u32]) -> Run {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    while !listens(&child) {
        thread::sleep(Duration::from_millis(5));
    }
    thread::sleep(patience);
    for signal in signals {
        let mut kill = Command::new("kill");
        let _ = kill.args([format!("-{signal}"), child.id().to_string()]).status();
    }
    child.wait_with_output().expect("the program ends").into()
}

/// Whether a program handles both signals.
fn listens(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("the program runs");
    assert!(!status.contains("\nState:\tZ"), "the program ended before it listened");
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    [INTERRUPT, TERMINATE]
        .iter()
        .all(|signal| caught.is_some_and(|caught| caught >> (signal - 1) & 1 == 1))
}

fn pool(players: usize) -> (tempfile::TempDir, std::path::PathBuf) {
    let mut csv = Vec::new();
    Pool::synthetic(players, 1)
        .write_csv(&mut csv)
        .expect("a vector takes everything");
    file("pool.csv", csv)
}
