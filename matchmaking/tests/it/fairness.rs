//! Who fares how, by rating and by region.

use serde_json::{Value, json};

use crate::support::{pair, pair_json};

/// Seven players, one of whom sits out, of two regions and none.
const POOL: &str = "\
id,rating,deviation,outcomes,region
Ann,1500,60,WLL,eu
Ben,1480,45,LWW,us
Cho,1720,80,WWW,eu
Dee,1390,90,,us
Eve,1555,70,DDL,
Fay,1610,55,LLLLL,eu
Gil,1480,50,WL,us
";

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Each part's figures for each of the pairings, in the order of the report.
fn figures<'a>(parts: &[&'a Value], pairing: usize) -> Vec<&'a Value> {
    parts.iter().map(|part| &part["pairings"][pairing]).collect()
}

#[test]
fn parts_come_to_what_the_pairing_comes_to() {
    let report = pair_json(POOL, &["--fairness", "--seed", "3"]);
    let parts: Vec<&Value> = report["fairness"].as_array().expect("an array").iter().collect();
    let of = |by: &str| -> Vec<&Value> { parts.iter().copied().filter(|part| part["by"] == by).collect() };
    let [everybody] = of("everybody")[..] else {
        panic!("{report}");
    };
    assert_eq!(everybody["players"], 7);
    let compared = report["comparison"].as_array().expect("an array");
    assert_eq!(compared.len(), 3);
    for (number_of, pairing) in compared.iter().enumerate() {
        let all = &everybody["pairings"][number_of];
        assert_eq!(all["pairing"], pairing["pairing"]);
        assert_eq!(all["playing"], 6);
        assert!((number(&all["expected_retained"]) - number(&pairing["expected_retained"])).abs() < 1e-9);
        assert!((number(&all["mean_rating_gap"]) - number(&pairing["mean_rating_gap"])).abs() < 1e-9);
        // Two in five of those who play win by the paper's rule, whoever they are.
        assert!((number(&all["win_chance"]) - 0.4).abs() < 1e-12);
        for by in ["rating", "region"] {
            let figures = figures(&of(by), number_of);
            let sum = |key: &str| figures.iter().map(|figure| number(&figure[key])).sum::<f64>();
            assert_eq!(sum("playing"), 6.0);
            assert!((sum("expected_retained") - number(&all["expected_retained"])).abs() < 1e-9);
        }
    }
    let regions = of("region");
    let named: Vec<(&Value, &Value)> = regions.iter().map(|part| (&part["region"], &part["players"])).collect();
    let expected = [
        (json!("eu"), json!(3)),
        (json!("us"), json!(3)),
        (Value::Null, json!(1)),
    ];
    assert_eq!(named, expected.each_ref().map(|(region, players)| (region, players)));
    // Ben and Gil are rated the same.
    let bands = of("rating");
    let bands: Vec<(f64, f64, &Value)> = bands
        .iter()
        .map(|part| (number(&part["from"]), number(&part["to"]), &part["players"]))
        .collect();
    let (one, two) = (&json!(1), &json!(2));
    let expected = [
        (1390.0, 1390.0, one),
        (1480.0, 1480.0, two),
        (1500.0, 1500.0, one),
        (1555.0, 1555.0, one),
        (1610.0, 1720.0, two),
    ];
    assert_eq!(bands, expected);
}

#[test]
fn it_is_said_where_it_is_asked_and_there_is_a_pairing() {
    assert_eq!(pair_json(POOL, &[])["fairness"], Value::Null);
    assert!(!pair(POOL, &[]).stdout.contains("who fares how"));
    let text = pair(POOL, &["--fairness", "--cost", "skill"]).stdout;
    for line in [
        "who fares how",
        "everybody",
        "rated 1610 to 1720",
        "region us",
        "no region",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    // All three avoid each other.
    let none = "id,rating,deviation,outcomes,avoid\na,1,50,,b;c\nb,2,50,,c\nc,3,50,,\nd,4,50,,a;b;c\n";
    let report = pair_json(none, &["--fairness"]);
    assert_eq!(
        (&report["status"], &report["fairness"]),
        (&json!("infeasible"), &Value::Null)
    );
    pair("2 1\n0 1 1\n", &["--fairness"]).refused(&["--fairness", "only for CSV pools"]);
}
