//! `--method auto`: which method it takes, and what comes of both together.

use serde_json::{Value, json};

use super::{Dice, matrix_file, mdgplib_file, total};
use crate::support::{group, group_json, timeless};

fn word<'d>(document: &'d Value, key: &str) -> &'d str {
    document[key].as_str().unwrap_or_default()
}

#[test]
fn few_players_are_tried_and_more_are_proven() {
    let few = group_json(matrix_file("9 3", &Dice(4).matrix(9, 1000)), &[]);
    assert_eq!(
        (word(&few, "status"), word(&few, "method"), &few["certificate"]),
        ("optimal", "search", &json!({"verified": false, "kind": "all-tried"}))
    );
    let more = matrix_file("27 3", &Dice(4).matrix(27, 1000));
    let proven = group_json(&more, &[]);
    assert_eq!((word(&proven, "status"), word(&proven, "method")), ("optimal", "exact"));
    assert_eq!(proven["certificate"]["verified"], true);
    assert_eq!(
        group_json(&more, &["--method", "exact"])["cost"],
        proven["cost"],
        "{proven}"
    );
}

#[test]
fn too_many_players_and_too_little_work_are_searched() {
    let many = matrix_file("300 5", &Dice(7).matrix(300, 100));
    let found = group_json(&many, &["--work-limit", "200000"]);
    assert_eq!((word(&found, "status"), word(&found, "method")), ("feasible", "search"));
    assert_eq!((&found["bound"], &found["certificate"]), (&Value::Null, &Value::Null));
    let large_groups = matrix_file("48 16", &Dice(7).matrix(48, 100));
    assert_eq!(word(&group_json(&large_groups, &[]), "method"), "search");
    let more = matrix_file("27 3", &Dice(4).matrix(27, 1000));
    let hurried = group_json(&more, &["--work-limit", "1000"]);
    assert_eq!(
        (word(&hurried, "method"), word(&hurried, "stopped")),
        ("search", "work-limit")
    );
}

#[test]
fn an_engine_or_a_target_asks_for_a_search() {
    let input = matrix_file("27 3", &Dice(4).matrix(27, 1000));
    let engine = group_json(&input, &["--engine", "annealing"]);
    assert_eq!(
        (word(&engine, "method"), word(&engine, "engine")),
        ("search", "annealing")
    );
    let target = group_json(&input, &["--target", "20000"]);
    assert_eq!(
        (word(&target, "method"), word(&target, "stopped")),
        ("search", "target")
    );
}

#[test]
fn a_proof_that_is_cut_short_leaves_its_bound_to_the_search() {
    let input = mdgplib_file(&format!("48 8 ss{}", " 6 6".repeat(8)), &Dice(11).matrix(48, 1000));
    let options = ["--work-limit", "12000000"];
    let run = group(&input, &[&options[..], &["--json"]].concat());
    let document = run.json();
    assert_eq!(
        (word(&document, "method"), word(&document, "status"), run.code),
        ("exact+search", "feasible", Some(3)),
        "{document}"
    );
    let [cost, bound] = ["cost", "bound"].map(|key| document[key]["float"].as_f64().expect("a number"));
    assert!(bound >= cost, "{document}");
    // No worse than the exact method alone with its share of the work.
    let alone = group_json(&input, &["--method", "exact", "--work-limit", "9000000"]);
    assert!(total(&document) >= total(&alone) && document["bound"] == alone["bound"]);

    let by_threads = |threads: &str| {
        let options = [&options[..], &["--threads", threads]].concat();
        timeless(group_json(&input, &options)).to_string()
    };
    let one = by_threads("1");
    assert_eq!(by_threads("2"), one);
    assert_eq!(by_threads("4"), one);
}

#[test]
fn nobody_is_grouped_where_nobody_can_be() {
    // Forty players of whom two may be together.
    let input = "40 1\n0 1 5\n";
    let run = group(input, &["--size", "2", "--absent", "forbidden", "--json"]);
    let document = run.json();
    assert_eq!(
        (run.code, word(&document, "status")),
        (Some(1), "infeasible"),
        "{document}"
    );
    assert_eq!(document["witness"]["minimal"], true);
}
