//! Pools of players.

use serde_json::{Value, json};

use crate::support::{POOL, pair, pair_json, timeless};

/// The smallest or greatest total over all perfect pairings of an even number of players.
fn perfect(costs: &[Vec<Option<i64>>], used: u32, is_better: fn(i64, i64) -> bool) -> Option<i64> {
    let first = (0..costs.len()).find(|&v| used & 1 << v == 0);
    let Some(first) = first else { return Some(0) };
    let mut best: Option<i64> = None;
    for other in (first + 1..costs.len()).filter(|&v| used & 1 << v == 0) {
        let rest = perfect(costs, used | 1 << first | 1 << other, is_better);
        let total = costs[first][other].zip(rest).map(|(a, b)| a + b);
        best = match (best, total) {
            (Some(a), Some(b)) => Some(if is_better(b, a) { b } else { a }),
            (a, b) => a.or(b),
        };
    }
    best
}

#[test]
fn a_small_pool_is_paired_best_and_its_figures_fit_together() {
    let document = pair_json(POOL, &["--cost", "skill"]);
    let ratings: [f64; 6] = [1500.0, 1480.0, 1720.0, 1390.0, 1555.5, 1610.0];
    let gap = |i: usize, j: usize| Some((10.0 * (ratings[i] - ratings[j])).abs().round() as i64);
    let costs: Vec<Vec<Option<i64>>> = (0..6).map(|i| (0..6).map(|j| gap(i, j)).collect()).collect();
    let best = perfect(&costs, 0, |a, b| a < b).map(|best| best as f64 / 10.0);
    assert_eq!(document["cost"]["float"].as_f64(), best);
    assert_eq!(document["cost"], document["bound"]);
    assert_eq!(document["scale"], 1_000_000);
    assert_eq!(document["unmatched"], json!([]));
    assert_eq!(
        (&document["cost_model"], &document["bye"]),
        (&json!("skill"), &Value::Null)
    );
    let worst = perfect(&costs, 0, |a, b| a > b).map(|worst| worst as f64 / 10.0);
    let maximum = pair_json(POOL, &["--cost", "skill", "--objective", "max-perfect"]);
    assert_eq!(
        (maximum["cost"]["float"].as_f64(), &maximum["objective"]),
        (worst, &json!("maximize"))
    );
}

#[test]
fn engagement_is_the_default_and_beats_what_it_is_compared_with() {
    let document = pair_json(POOL, &[]);
    assert_eq!(
        timeless(document.clone()),
        timeless(pair_json(POOL, &["--cost", "engagement"]))
    );
    let rows = document["comparison"].as_array().expect("an array");
    let words: Vec<&str> = rows.iter().filter_map(|row| row["pairing"].as_str()).collect();
    assert_eq!(words, ["this", "skill", "random"]);
    let cost = |row: &Value| row["cost"]["float"].as_f64().expect("a number");
    let stay = |row: &Value| row["expected_retained"].as_f64().expect("a number");
    assert_eq!(rows[0]["cost"], document["cost"]);
    for row in rows {
        assert!(cost(&rows[0]) <= cost(row));
        // Costs are rounded to millionths, a few of them.
        assert!((stay(row) - (6.0 - cost(row))).abs() < 1e-5, "{row}");
    }
    let sum: f64 = document["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|pair| pair[2].as_f64())
        .sum();
    assert!((sum - cost(&rows[0])).abs() < 1e-9);
}

#[test]
fn an_odd_pool_gives_one_player_an_exact_bye() {
    let odd = format!("{POOL}Gil,1999,50,\n");
    let document = pair_json(&odd, &["--cost", "skill"]);
    assert_eq!(document["status"], "optimal");
    // Neighbours pair up; without Gil, 279 points away from the next, the rest is cheapest.
    assert_eq!(
        (&document["unmatched"], &document["bye"]),
        (&json!(["Gil"]), &json!(["Gil", 0]))
    );
    let with_cost = pair_json(&odd, &["--cost", "skill", "--bye-cost", "12.5"]);
    let total = |document: &Value| document["cost"]["float"].as_f64().expect("a number");
    assert_eq!(total(&with_cost), total(&document) + 12.5);
    let engagement = pair_json(&odd, &[]);
    assert_eq!(engagement["unmatched"].as_array().map(Vec::len), Some(1));
    let bye = engagement["bye"][1].as_f64().expect("a number");
    assert!(bye > 0.0 && bye < 1.0);
    let of_even = pair_json(POOL, &["--bye-cost", "12.5"]);
    assert_eq!(of_even["cost"], pair_json(POOL, &[])["cost"]);
    let warnings = of_even["warnings"].to_string();
    assert!(warnings.contains("--bye-cost changes nothing"), "{warnings}");
    let negative = pair_json(&odd, &["--cost", "skill", "--bye-cost", "-3"]);
    assert_eq!(total(&negative), total(&document) - 3.0);
}

#[test]
fn the_worst_pairing_of_an_odd_pool_has_a_bye_too() {
    let odd = "id,rating,deviation,outcomes\na,0,1,\nb,1,1,\nc,5,1,\n";
    let document = pair_json(
        odd,
        &["--cost", "skill", "--objective", "max-perfect", "--bye-cost", "0.5"],
    );
    assert_eq!(document["pairs"], json!([["a", "c", 5]]));
    assert_eq!(
        (&document["unmatched"], &document["bye"]),
        (&json!(["b"]), &json!(["b", 0.5]))
    );
    assert_eq!(
        (&document["cost"]["exact"], &document["bound"]["exact"]),
        (&json!("11/2"), &json!("11/2"))
    );
    assert_eq!(document["objective"], "maximize");
}

/// The total of this pairing was 4, and -1 where it was compared with others: byes counted there alone, and changed
/// nothing else.
#[test]
fn byes_are_for_perfect_objectives() {
    let odd = "id,rating,deviation,outcomes\na,1,50,W\nb,5,50,W\nc,2,50,W\n";
    for objective in ["max-weight", "max-cardinality"] {
        let asked = ["--objective", objective];
        pair(odd, &[&asked[..], &["--cost", "skill", "--bye-cost", "-5"]].concat()).refused(&[
            "--bye-cost",
            objective,
            "min-perfect",
        ]);
        for cost in ["skill", "engagement"] {
            let document = pair_json(odd, &[&asked[..], &["--cost", cost]].concat());
            assert_eq!(
                document["comparison"][0]["cost"], document["cost"],
                "{objective} {cost}"
            );
        }
    }
    for objective in ["min-perfect", "max-perfect"] {
        let document = pair_json(odd, &["--objective", objective, "--bye-cost", "-5"]);
        assert_eq!(document["comparison"][0]["cost"], document["cost"], "{objective}");
    }
}

/// "Total rating gap" stood above a total with the price of a bye in it.
#[test]
fn totals_with_a_bye_are_called_totals() {
    let odd = format!("{POOL}Gil,1999,50,\n");
    let text = |arguments: &[&str]| pair(&odd, arguments).stdout;
    assert!(text(&["--cost", "skill"]).contains("  total rating gap\n"));
    assert!(text(&["--cost", "skill", "--bye-cost", "7"]).contains("expected to stay  total cost\n"));
    assert!(text(&["--bye-cost", "7", "--objective", "max-perfect"]).contains("expected to stay  total weight\n"));
    assert!(text(&[]).contains("  expected to stop\n"));
    assert!(text(&["--objective", "max-weight"]).contains("expected to stay  total weight\n"));
}

#[test]
fn one_player_sits_out_and_two_play() {
    let one = pair_json("id,rating,deviation,outcomes\na,0,1,\n", &["--bye-cost", "2"]);
    assert_eq!((&one["pairs"], &one["unmatched"]), (&json!([]), &json!(["a"])));
    assert_eq!(one["cost"]["exact"], "2");
    let two = pair_json(
        "id,rating,deviation,outcomes\na,0,1,\nb,0,1,\n",
        &["--objective", "max-cardinality"],
    );
    assert_eq!(two["pairs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn players_who_avoid_each_other_do_not_meet() {
    let pool = "id,rating,deviation,outcomes,avoid\na,1500,50,,b|d\nb,1500,50,,\nc,1600,50,,\nd,1600,50,,\n";
    let document = pair_json(pool, &["--cost", "skill"]);
    assert_eq!(document["pairs"], json!([["a", "c", 100], ["b", "d", 100]]));
    assert_eq!(document["edges"], 4);
}

#[test]
fn wishes_that_cannot_all_be_met_are_proven_to_be_too_many() {
    let pool = "id,rating,deviation,outcomes,avoid\nAnn,1,1,,Ben;Cho\nBen,1,1,,Cho\nCho,1,1,,\nDee,1,1,,\n";
    let run = pair(pool, &["--json"]);
    assert_eq!(run.code, Some(1));
    let document = run.json();
    assert_eq!(
        (&document["status"], &document["certificate"]["kind"]),
        (&json!("infeasible"), &json!("tutte-berge"))
    );
    assert_eq!(document["witness"]["removed"], json!(["Dee"]));
    let alone = document["witness"]["odd_components"].as_array().expect("an array");
    assert!(
        alone.len() > 1
            && alone
                .iter()
                .all(|group| [json!(["Ann"]), json!(["Ben"]), json!(["Cho"])].contains(group))
    );
    assert_eq!(
        (&document["cost"], &document["bound"], &document["pairs"]),
        (&Value::Null, &Value::Null, &json!([]))
    );
    let text = pair(pool, &[]).stdout;
    assert!(
        text.contains("infeasible") && text.contains("Dee") && text.contains("certificate verified"),
        "{text}"
    );
    let most = pair_json(pool, &["--objective", "max-cardinality"]);
    assert_eq!(
        (
            most["pairs"].as_array().map(Vec::len),
            most["unmatched"].as_array().map(Vec::len)
        ),
        (Some(1), Some(2))
    );
}

#[test]
fn what_is_not_used_is_reported() {
    let pool = "id,rating,deviation,outcomes,mood,party,region,wait\na,1,1,,x,red,eu,\nb,1,1,,y,red,us,9\n";
    let run = pair(pool, &["--json"]);
    for part in [
        "column \"mood\" is unknown",
        "column \"party\"",
        "column \"region\"",
        "column \"wait\"",
    ] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert_eq!(run.json()["warnings"].as_array().map(Vec::len), Some(4));
    let quiet = pair(pool, &["--json", "--quiet"]);
    assert_eq!(
        (quiet.stderr.as_str(), &quiet.json()["warnings"]),
        ("", &run.json()["warnings"])
    );
}

/// Nothing was said of them, though they change nothing. What is known of past games is there for models.
#[test]
fn roles_that_nobody_asks_for_are_reported() {
    let pool = "id,rating,deviation,outcomes,hours,games_8h,games_1d,roles\na,1,1,W,5,,3,\nb,1,1,,,,,tank\n";
    let warnings = pair_json(pool, &[])["warnings"].clone();
    assert_eq!(warnings, json!(["column \"roles\" does not change one-on-one pairing"]));
    // Nothing stands there.
    let empty = "id,rating,deviation,outcomes,hours,games_8h,roles\na,1,1,W,,,\nb,1,1,,,,\n";
    assert_eq!(pair_json(empty, &[])["warnings"], json!([]));
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_change_nothing() {
    let windows = format!("\u{feff}{}", POOL.replace('\n', "\r\n"));
    assert_eq!(timeless(pair_json(&windows, &[])), timeless(pair_json(POOL, &[])));
    let graph = "4 2\n0 1 1\n2 3 1\n";
    let windows = format!("\u{feff}{}", graph.replace('\n', "\r\n"));
    assert_eq!(timeless(pair_json(&windows, &[])), timeless(pair_json(graph, &[])));
}

#[test]
fn ids_come_back_as_they_were_written() {
    let pool = "id,rating,deviation,outcomes\n\"a, \"\"b\"\"\",1,1,\nÅsa→,1,1,\n\"two\nlines\",9,1,\n007,9,1,\n";
    let document = pair_json(pool, &["--cost", "skill"]);
    assert_eq!(
        document["pairs"],
        json!([["a, \"b\"", "Åsa→", 0], ["two\nlines", "007", 0]])
    );
    let text = pair(pool, &["--cost", "skill"]).stdout;
    assert!(text.contains("two\\nlines"), "{text}");
}
