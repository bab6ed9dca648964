//! `--method exact`: the best groups, what proves it, and what limits leave of that.

use std::fs;

use serde_json::{Value, json};

use super::{Brute, Dice, groups, matrix_file, mdgplib_file, odd_crowds, total};
use crate::support::{file, group, group_json, run, timeless};

fn exact(input: &str, options: &[&str]) -> Value {
    group_json(input, &[&["--method", "exact"], options].concat())
}

/// That the groups are proven to be the best.
fn proven(document: &Value) {
    assert_eq!(document["status"], "optimal", "{document}");
    assert_eq!((&document["bound"], &document["gap"]), (&document["cost"], &json!(0.0)));
    assert_eq!(document["certificate"]["verified"], true, "{document}");
    assert_eq!(
        (&document["method"], &document["stopped"]),
        (&json!("exact"), &json!(null))
    );
}

#[test]
fn six_players_on_a_line() {
    // Neighbours belong together: (1 + 2 + 1) twice.
    let document = exact(
        "6 3\n0 1 2 9 10 11\n1 0 1 8 9 10\n2 1 0 7 8 9\n9 8 7 0 1 2\n10 9 8 1 0 1\n11 10 9 2 1 0\n",
        &[],
    );
    proven(&document);
    assert_eq!(
        (groups(&document), total(&document)),
        (
            vec![
                vec!["0".into(), "1".into(), "2".into()],
                vec!["3".into(), "4".into(), "5".into()]
            ],
            Some(8)
        )
    );
    assert_eq!(document["engine"], "branch-and-cut");
}

#[test]
fn what_is_proven_is_the_best_of_all_groupings() {
    let together = &|_, _| false;
    for seed in 0..4 {
        let matrix = Dice(seed).matrix(9, 1000);
        let bounds = &[(4, 4), (4, 4), (0, 1)];
        let cost = &|i: usize, j: usize| Some(matrix[i][j]);
        let best = Brute { bounds, cost, together }.least(9);
        let document = exact(&matrix_file("9 4", &matrix), &[]);
        proven(&document);
        assert_eq!(total(&document), best, "{document}");
    }
}

#[test]
fn gains_are_maximised_and_the_bound_is_above() {
    let matrix = Dice(2).matrix(9, 100);
    let bounds = &[(2, 3), (2, 5), (1, 4), (0, 0)];
    let cost = &|i: usize, j: usize| Some(-matrix[i][j]);
    let together = &|_, _| false;
    let best = Brute { bounds, cost, together }.least(9).map(|least| -least);
    let file = mdgplib_file("9 3 ds 2 3 2 5 1 4", &matrix);
    let document = exact(&file, &[]);
    proven(&document);
    assert_eq!((total(&document), &document["objective"]), (best, &json!("maximize")));
    let text = group(&file, &["--method", "exact"]).stdout;
    assert!(
        text.contains("optimal: no groups have a greater value (bound "),
        "{text}"
    );
    assert!(text.contains("certificate verified (dual values"), "{text}");

    // With little work there may be a bound, and it is on the other side.
    let large = mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &Dice(9).matrix(30, 100));
    let run = group(&large, &["--method", "exact", "--work-limit", "3000000", "--json"]);
    let document = run.json();
    assert_eq!(
        (run.code, &document["status"], &document["stopped"]),
        (Some(3), &json!("feasible"), &json!("work-limit"))
    );
    let [cost, bound] = ["cost", "bound"].map(|key| document[key]["float"].as_f64().expect("a number"));
    assert!(bound > cost, "{document}");
    assert_eq!(document["gap"].as_f64(), Some((bound - cost) / cost));
    assert_eq!(document["certificate"]["verified"], true);
    let text = group(&large, &["--method", "exact", "--work-limit", "3000000"]).stdout;
    assert!(
        text.contains("stopped by the work-limit\nthe best groups have a value of at most "),
        "{text}"
    );
}

#[test]
fn pairs_are_paired_exactly() {
    let matrix = Dice(3).matrix(40, 1000);
    let file = matrix_file("40 2", &matrix);
    let document = exact(&file, &[]);
    proven(&document);
    assert_eq!(
        (&document["engine"], &document["certificate"]["kind"]),
        (&json!("blossom"), &json!("pairing"))
    );
    let pairs = run_pair(&matrix_file("40", &matrix));
    assert_eq!(document["cost"], pairs["cost"]);
}

/// The same question to `pair`.
fn run_pair(input: &str) -> Value {
    crate::support::pair_json(input, &["--format", "matrix"])
}

/// What stands there, of a whole number.
fn number(document: &Value, key: &str) -> i64 {
    let digits = document[key]["exact"].as_str().expect("digits");
    digits.parse().expect("a whole number")
}

/// What is said before anything is looked at holds for all groups: sizes that differ, costs below zero, some who wait or must
/// not be together, and odd sums of halves.
#[test]
fn the_bound_of_players_alone_is_never_better_than_the_best_groups() {
    let (mut proven, mut exact) = (0, 0);
    for seed in 1..40 {
        let mut dice = Dice(seed);
        let mut matrix = dice.matrix(8, 19);
        matrix.iter_mut().flatten().for_each(|cost| *cost -= 4);
        let sizes = ["8 2 ss 4 4 4 4", "8 3 ds 2 3 1 4 2 3", "8 3 ds 1 8 0 5 2 2"][seed as usize % 3];
        // Two of eight wait where groups have three.
        let rows = matrix.iter().enumerate().map(|(i, row)| {
            let one = |(j, cost): (usize, &i64)| match (i + 3 * j).min(j + 3 * i) % 9 == 7 {
                true => "-".to_owned(),
                false => cost.to_string(),
            };
            row.iter().enumerate().map(one).collect::<Vec<_>>().join(" ") + "\n"
        });
        let rows: String = rows.collect();
        for input in [
            mdgplib_file(sizes, &matrix),
            format!("8 3\n{rows}"),
            format!("8 4\n{rows}"),
        ] {
            let run = |options: &[&str]| group(&input, &[&["--method", "exact", "--json"], options].concat()).json();
            let (best, early) = (run(&[]), run(&["--work-limit", "0"]));
            assert_eq!(best["status"], "optimal", "{best}");
            let (total, bound) = (number(&best, "cost"), number(&early, "bound"));
            let is_maximum = best["objective"] == "maximize";
            assert!(
                if is_maximum { total <= bound } else { bound <= total },
                "{input} {early}"
            );
            if early["certificate"] == json!({"verified": true, "kind": "duals"}) {
                proven += 1;
                exact += usize::from(total == bound);
            }
        }
    }
    assert!(proven > 50 && exact < proven, "{proven} {exact}");
}

/// Dual values that a limit ends early may say less than those by which players alone pay half of what they cost at best.
#[test]
fn some_work_leaves_no_worse_a_bound_than_none() {
    let shipped = include_str!("../../../../examples/data/parties.csv");
    let early = |work| {
        let options = ["--size", "6", "--method", "exact", "--work-limit", work, "--json"];
        let run = group(shipped, &options);
        assert_eq!(run.code, Some(3), "{run:?}");
        run.json()
    };
    let alone = early("0");
    for work in ["1000", "10000", "100000"] {
        let document = early(work);
        let [before, bound] = [&alone, &document].map(|document| document["bound"]["float"].as_f64());
        assert!(bound >= before && before > Some(0.0), "{alone} {document}");
        // It rests on what it says that it rests on.
        assert_eq!(document["certificate"], alone["certificate"], "{document}");
    }
}

#[test]
fn limits_leave_what_is_known() {
    let input = mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &Dice(9).matrix(30, 100));
    // The first dual values: what each player alone has at best.
    let run = group(&input, &["--method", "exact", "--work-limit", "0", "--json"]);
    let document = run.json();
    assert_eq!(
        (run.code, &document["status"], &document["stopped"]),
        (Some(3), &json!("feasible"), &json!("work-limit"))
    );
    assert_eq!(
        document["certificate"],
        json!({"verified": true, "kind": "duals"}),
        "{document}"
    );
    let best = group_json(&input, &["--method", "exact"]);
    let bound = number(&document, "bound");
    assert!(number(&best, "cost") <= bound, "{best} {document}");
    assert_eq!(best["status"], "optimal");
    let text = group(&input, &["--method", "exact", "--work-limit", "0"]).stdout;
    let said = format!("feasible: stopped by the work-limit\nthe best groups have a value of at most {bound} (gap ");
    assert!(
        text.contains(&said) && text.contains("; certificate verified\n"),
        "{text}"
    );
    let late = group(&input, &["--method", "exact", "--time-limit", "0.01", "--json"]);
    assert_eq!((late.code, &late.json()["stopped"]), (Some(3), &json!("time-limit")));
    // Before there are any, what each player gains from others at most says something.
    let at_once = group(&input, &["--method", "exact", "--time-limit", "0", "--json"]);
    let document = at_once.json();
    assert_eq!(
        document["certificate"],
        json!({"verified": false, "kind": "least-costs"}),
        "{document}"
    );
    assert!(number(&document, "bound") >= number(&best, "cost"), "{best} {document}");
    // No groups at all within the limit: unknown, and not infeasible.
    let crowds = odd_crowds();
    let lonely = ["--size", "2", "--absent", "forbidden", "--method", "exact"];
    let limited = [&lonely[..], &["--work-limit", "0", "--json"]].concat();
    let nothing = group(&crowds, &limited);
    let document = nothing.json();
    assert_eq!(
        (nothing.code, &document["status"], &document["stopped"]),
        (Some(4), &json!("unknown"), &json!("work-limit"))
    );
    let text = group(&crowds, &[&lonely[..], &["--work-limit", "0"]].concat()).stdout;
    assert!(
        text.contains("unknown: no groups were found; stopped by the work-limit"),
        "{text}"
    );
}

#[test]
fn a_target_ends_it() {
    let input = mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &Dice(9).matrix(30, 100));
    let run = group(&input, &["--method", "exact", "--target", "4000", "--json"]);
    let document = run.json();
    assert_eq!(
        (run.code, &document["stopped"]),
        (Some(0), &json!("target")),
        "{document}"
    );
    assert!(total(&document).is_some_and(|total| total >= 4000));
}

#[test]
fn costs_of_more_digits_than_are_counted_with_have_a_bound_all_the_same() {
    // Differences in the seventeenth digit: the bound is on a coarser grid.
    let close = "4 2\n0 9007199254740993.1 9007199254740993.2 9007199254740993.3\n\
                 9007199254740993.1 0 9007199254740993.3 9007199254740993.2\n\
                 9007199254740993.2 9007199254740993.3 0 9007199254740993.1\n\
                 9007199254740993.3 9007199254740993.2 9007199254740993.1 0\n";
    for input in [
        close.to_owned(),
        close.replace("9007199254740993", "90071992547409930000000"),
    ] {
        let run = group(input, &["--method", "exact", "--json"]);
        let document = run.json();
        assert_eq!(
            (run.code, &document["status"], &document["stopped"]),
            (Some(3), &json!("feasible"), &json!("precision")),
            "{document}"
        );
        let [cost, bound] = ["cost", "bound"].map(|key| document[key]["float"].as_f64().expect("a number"));
        assert!(bound <= cost && (cost - bound) / cost < 1e-9, "{document}");
        assert!(document["gap"].as_f64().is_some_and(|gap| gap < 1e-9));
    }
}

/// Costs were rounded down to what the solver counts with, and their total was compared with the target: it was said to
/// be reached where no groups are as good as it.
#[test]
fn targets_are_compared_with_what_groups_cost_and_not_with_coarser_costs() {
    let digits = "6 15\n\
                     0 1 574.49878379630\n\
                     0 2 373.22069858730\n\
                     0 3 987.02906162014\n\
                     0 4 446.62288974726\n\
                     0 5 719.43296769239\n\
                     1 2 667.85626125310\n\
                     1 3 816.98959893775\n\
                     1 4 488.95216908960\n\
                     1 5 562.23289832471\n\
                     2 3 272.05317221932\n\
                     2 4 213.69288240239\n\
                     2 5 992.11125805530\n\
                     3 4 892.54496438017\n\
                     3 5 908.27020404115\n\
                     4 5 790.99747613583\n";
    // The best groups cost 3234.45566881528.
    for (target, code, stopped) in [
        ("3234.45566881428", 3, "precision"),
        ("3234.455668815279", 3, "precision"),
        ("3234.45566881528", 0, "target"),
        ("3234.456", 0, "target"),
    ] {
        let options = ["--format", "edges", "--size", "3", "--method", "exact", "--json"];
        let run = group(digits, &[&options[..], &["--target", target]].concat());
        let document = run.json();
        assert_eq!(
            (run.code, &document["stopped"]),
            (Some(code), &json!(stopped)),
            "{target}: {document}"
        );
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let input = mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &Dice(11).matrix(30, 1000));
    let by_threads = |threads: &str| {
        let options = ["--work-limit", "2000000", "--threads", threads];
        timeless(exact(&input, &options)).to_string()
    };
    let one = by_threads("1");
    assert_eq!(by_threads("2"), one);
    assert_eq!(by_threads("4"), one);
}

#[test]
fn a_picture_shows_how_the_gap_closes() {
    let (directory, path) = file("matrix.txt", matrix_file("12 3", &Dice(5).matrix(12, 100)));
    let picture = directory.path().join("picture.svg");
    let (path, picture) = (path.to_str().unwrap(), picture.to_str().unwrap());
    let run = run(&["group", path, "--method", "exact", "--plot", picture]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let svg = fs::read_to_string(picture).unwrap();
    assert!(
        svg.contains("best groups so far") && svg.contains("no groups can beat this"),
        "{svg}"
    );
    assert!(svg.contains("matrix.txt: exact, branch-and-cut, seed 0"), "{svg}");
}

#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let exact = ["--method", "exact"];
    group("3 3\n0 1 2\n1 0 3\n2 4 0\n", &exact).refused(&["line 4", "entry (2, 1) is 4"]);
    group("4 1\n0 1 abc\n", &["--size", "2", "--method", "exact"]).refused(&["line 2", "\"abc\" is no weight"]);
    let pool = "id,rating,deviation,outcomes,wait\na,1,1,,\nb,1,1,,long\n";
    group(pool, &["--size", "2", "--method", "exact"]).refused(&["line 3", "column wait", "\"b\""]);
}

/// Each cost fits, and their sum came out negative, with its certificate verified.
#[test]
fn a_total_that_does_not_fit_is_refused() {
    let most = "9".repeat(38);
    let pairs = [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)];
    let edges: String = pairs.map(|(i, j)| format!("{i} {j} {most}\n")).concat();
    for size in ["2", "4"] {
        for method in ["exact", "auto", "search"] {
            let run = group(format!("4 6\n{edges}"), &["--size", size, "--method", method]);
            run.refused(&["the total cost does not fit"]);
        }
    }
}
