//! What the formats accept, and how sizes are found.

use serde_json::json;

use super::{Dice, groups, matrix_file, mdgplib_file, total};
use crate::support::{file, group, group_json, run, timeless};

/// Six players on a line: neighbours belong together.
const LINE: &str = "\
0 1 2 9 10 11
1 0 1 8 9 10
2 1 0 7 8 9
9 8 7 0 1 2
10 9 8 1 0 1
11 10 9 2 1 0
";

#[test]
fn a_matrix_says_how_large_groups_are_or_the_command_line_does() {
    let stated = group_json(format!("6 3\n{LINE}"), &[]);
    assert_eq!(groups(&stated), [["0", "1", "2"], ["3", "4", "5"]]);
    assert_eq!((&stated["format"], total(&stated)), (&json!("matrix"), Some(8)));
    assert_eq!(stated["groups"][0], json!({"members": [0, 1, 2], "cost": 4}));
    let asked = group_json(format!("6\n{LINE}"), &["--size", "3"]);
    assert_eq!(timeless(asked), timeless(stated.clone()));
    let both = group_json(format!("6 3\n{LINE}"), &["--size", "3"]);
    assert_eq!(timeless(both), timeless(stated));
}

#[test]
fn sizes_that_are_missing_or_disagree_are_refused() {
    group(format!("6\n{LINE}"), &[]).refused(&["--size", "stdin does not say"]);
    group("4 1\n0 1 5\n", &[]).refused(&["--size", "does not say"]);
    group(format!("6 3\n{LINE}"), &["--size", "2"]).refused(&["--size: 2", "says 3"]);
    let instance = mdgplib_file("6 2 ss 3 3 3 3", &Dice(1).matrix(6, 9));
    group(&instance, &["--size", "2"]).refused(&["--size: 2", "group of 3 to 3"]);
    assert_eq!(group(&instance, &["--size", "3"]).code, Some(0));
    let different = mdgplib_file("6 2 ds 3 3 2 4", &Dice(1).matrix(6, 9));
    group(different, &["--size", "3"]).refused(&["group of 2 to 4"]);
}

#[test]
fn decimals_are_exact() {
    let document = group_json(
        "4 2\n0 .1 5 5\n.1 0 5 5\n5 5 0 9007199254740993.2\n5 5 9007199254740993.2 0\n",
        &[],
    );
    assert_eq!(groups(&document), [["0", "2"], ["1", "3"]]);
    let close = group_json("2 2\n0 9007199254740993.2\n9007199254740993.2 0\n", &[]);
    assert_eq!(close["cost"]["exact"], "45035996273704966/5");
    let run = group("2 2\n0 9007199254740993.25\n9007199254740993.25 0\n", &["--json"]);
    assert!(run.stdout.contains("\"cost\":9007199254740993.25}"), "{}", run.stdout);
    assert_eq!(run.json()["scale"], 100);
    let wide = group(
        "2 2\n0 170141183460469231731687303\n170141183460469231731687303 0\n",
        &["--json"],
    );
    assert_eq!(wide.json()["cost"]["exact"], "170141183460469231731687303");
}

#[test]
fn pairs_that_an_edge_list_leaves_out_cost_nothing_or_are_forbidden() {
    let input = "4 3\n0 1 5\n2 3 7\n0 2 -1\n";
    let zero = group_json(input, &["--size", "2"]);
    assert_eq!((&zero["format"], total(&zero)), (&json!("edges"), Some(-1)));
    assert_eq!(
        timeless(group_json(input, &["--size", "2", "--absent", "zero"])),
        timeless(zero)
    );
    let forbidden = group_json(input, &["--size", "2", "--absent", "forbidden"]);
    assert_eq!(
        (groups(&forbidden), total(&forbidden)),
        (
            vec![vec!["0".into(), "1".into()], vec!["2".into(), "3".into()]],
            Some(12)
        )
    );
    group(format!("6 3\n{LINE}"), &["--absent", "zero"]).refused(&["--absent", "only for edge lists"]);
}

#[test]
fn two_numbers_begin_a_matrix_or_an_edge_list() {
    // Rows of three fields: a matrix of three, whatever follows; else edges.
    let three = "3 3\n0 1 2\n1 0 5\n2 5 0\n";
    assert_eq!(group_json(three, &[])["format"], "matrix");
    let edges = group_json("3 3\n0 1 2\n1 2 5\n0 2 7\n", &["--format", "edges", "--size", "3"]);
    assert_eq!(total(&edges), Some(14));
    assert_eq!(group_json("5 0\n", &["--size", "2"])["format"], "edges");
    assert_eq!(group_json("\n4 1\n\n0 1 5\n", &["--size", "2"])["format"], "edges");
    group("4 4\n0 1 5\n", &["--format", "matrix"]).refused(&["line 2", "3 fields", "4 entries"]);
}

#[test]
fn space_and_line_ends_do_not_matter() {
    let matrix = Dice(6).matrix(8, 9);
    let plain = matrix_file("8 4", &matrix);
    let windows = format!("\u{feff}\r\n{}", plain.replace('\n', "\r\n").replace(' ', "\t"));
    assert_eq!(timeless(group_json(windows, &[])), timeless(group_json(&plain, &[])));
    let (_directory, path) = file("matrix.txt", plain.trim_end());
    let from_file = run(&["group", path.to_str().unwrap(), "--json"]);
    assert_eq!(timeless(from_file.json()), timeless(group_json(&plain, &[])));
}

#[test]
fn groups_of_one_and_of_all() {
    let one = group_json(format!("6 1\n{LINE}"), &[]);
    assert_eq!((groups(&one).len(), total(&one)), (6, Some(0)));
    let all = group_json(format!("6 6\n{LINE}"), &[]);
    assert_eq!((groups(&all).len(), total(&all)), (1, Some(89)));
}
