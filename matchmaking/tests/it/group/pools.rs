//! Pools of players.

use serde_json::{Value, json};

use super::{Brute, groups, total};
use crate::support::{group, group_json, timeless};

const POOL: &str = "\
id,rating,deviation,outcomes,wait,party,region,avoid
Ann,1500,60,,0,,eu,
Ben,1480,45,,90,red,eu,
Cho,1720,80,,30,,us,Dee
Dee,1390,90,,,,us,
Eve,1555.5,70,,10,red,,
Fay,2610,55,,200,,eu,
Gil,1400,55,,20.25,,as,
";

/// Rating, wait, region, party of each player of [`POOL`].
const PLAYERS: [(f64, f64, &str, &str); 7] = [
    (1500.0, 0.0, "eu", ""),
    (1480.0, 90.0, "eu", "red"),
    (1720.0, 30.0, "us", ""),
    (1390.0, 0.0, "us", ""),
    (1555.5, 10.0, "", "red"),
    (2610.0, 200.0, "eu", ""),
    (1400.0, 20.25, "as", ""),
];

/// What the contract says a pair costs, in eighths: halves of quarters.
fn eighths(i: usize, j: usize) -> Option<i64> {
    let (a, b) = (PLAYERS[i], PLAYERS[j]);
    let region = if a.2.is_empty() || b.2.is_empty() || a.2 == b.2 {
        0.0
    } else {
        150.0
    };
    let wait = (60.0 - (a.1 + b.1) / 2.0).max(0.0);
    let avoids = (i.min(j), i.max(j)) == (2, 3);
    (!avoids).then_some((8.0 * ((a.0 - b.0).abs().min(800.0) + region + wait)) as i64)
}

#[test]
fn a_pool_is_grouped_best_with_whole_parties_and_kept_wishes() {
    let together = |i: usize, j: usize| !PLAYERS[i].3.is_empty() && PLAYERS[i].3 == PLAYERS[j].3;
    for (size, bounds) in [
        (3, &[(3, 3), (3, 3), (0, 1)][..]),
        (2, &[(2, 2), (2, 2), (2, 2), (0, 1)]),
    ] {
        let brute = Brute {
            bounds,
            cost: &eighths,
            together: &together,
        };
        let best = brute.least(7).map(|eighths| eighths as f64 / 8.0);
        let document = group_json(POOL, &["--size", &size.to_string()]);
        assert_eq!(document["cost"]["float"].as_f64(), best, "{document}");
        assert_eq!(document["waiting"].as_array().map(Vec::len), Some(1));
        let has = |members: &[String], id: &str| members.iter().any(|member| member == id);
        for members in groups(&document) {
            assert_eq!(has(&members, "Ben"), has(&members, "Eve"), "{members:?}");
            assert!(!(has(&members, "Cho") && has(&members, "Dee")), "{members:?}");
        }
    }
}

#[test]
fn weights_change_what_a_pair_costs() {
    let pair = "id,rating,deviation,outcomes,wait,region\na,1000,1,,10,eu\nb,2000.5,1,,30.5,us\n";
    let cost = |options: &[&str]| {
        let document = group_json(pair, &[&["--size", "2"], options].concat());
        document["cost"]["exact"].as_str().map(str::to_owned)
    };
    // 800 + 150 + 60 - 20.25.
    assert_eq!(cost(&[]).as_deref(), Some("3959/4"));
    assert_eq!(cost(&["--rating-cap", "2000"]).as_deref(), Some("4761/4"));
    assert_eq!(cost(&["--rating-weight", "0.5"]).as_deref(), Some("2359/4"));
    assert_eq!(cost(&["--region-cost", "0"]).as_deref(), Some("3359/4"));
    assert_eq!(cost(&["--patience", "20"]).as_deref(), Some("950"));
    assert_eq!(cost(&["--wait-weight", "2"]).as_deref(), Some("2059/2"));
    assert_eq!(
        cost(&[
            "--rating-weight",
            "0.000001",
            "--rating-cap",
            "1e9",
            "--region-cost",
            "0",
            "--wait-weight",
            "0"
        ])
        .as_deref(),
        Some("2001/2000000")
    );
    assert_eq!(
        cost(&["--rating-weight=0", "--region-cost=0", "--patience=0"]).as_deref(),
        Some("0")
    );
}

#[test]
fn weights_are_checked() {
    for (option, value) in [
        ("--rating-weight", "-1"),
        ("--rating-cap", "x"),
        ("--region-cost", "0.0000001"),
        ("--patience", "1e10"),
        ("--wait-weight", "1000001"),
        ("--size", "0"),
        ("--target", "cheap"),
    ] {
        group(POOL, &[&format!("{option}={value}")]).refused(&[option]);
    }
    let graph = "2 1\n0 1 5\n";
    for option in [
        "--rating-weight",
        "--rating-cap",
        "--region-cost",
        "--patience",
        "--wait-weight",
    ] {
        group(graph, &["--size", "2", option, "1"]).refused(&[option, "only for CSV pools"]);
    }
}

#[test]
fn players_left_over_wait() {
    let document = group_json(POOL, &["--size", "5"]);
    assert_eq!(
        (groups(&document).len(), document["waiting"].as_array().map(Vec::len)),
        (1, Some(2))
    );
    let text = group(POOL, &["--size", "5"]).stdout;
    assert!(text.contains("\nwaiting: "), "{text}");
    let all = group_json(POOL, &["--size", "2"]);
    assert_eq!(all["waiting"], json!(["Fay"]));
}

fn witness(input: &str, size: &str) -> Value {
    let run = group(input, &["--size", size, "--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let document = run.json();
    assert_eq!(
        (
            &document["status"],
            &document["cost"],
            &document["groups"],
            &document["work"]
        ),
        (&json!("infeasible"), &Value::Null, &json!([]), &Value::Null)
    );
    document["witness"].clone()
}

#[test]
fn what_cannot_be_is_proven() {
    let header = "id,rating,deviation,outcomes,party,avoid\n";
    let trio = format!("{header}a,1,1,,x,\nb,1,1,,x,\nc,1,1,,x,\nd,1,1,,,\n");
    assert_eq!(
        witness(&trio, "2"),
        json!({"kind": "party-too-large", "parties": [["a", "b", "c"]], "most": 2})
    );
    let text = group(&trio, &["--size", "2"]).stdout;
    assert!(
        text.contains("a party of 3 members; a group has at most 2:\n  a b c\n"),
        "{text}"
    );
    // Three pairs do not go into two groups of three.
    let pairs = format!("{header}a,1,1,,x,\nb,1,1,,x,\nc,1,1,,y,\nd,1,1,,y,\ne,1,1,,z,\nf,1,1,,z,\n");
    assert_eq!(
        witness(&pairs, "3"),
        json!({"kind": "parties-do-not-fit", "parties": [["a", "b"], ["c", "d"], ["e", "f"]]})
    );
    let enemies = format!("{header}a,1,1,,x,b\nb,1,1,,x,\nc,1,1,,,\nd,1,1,,,\n");
    assert_eq!(
        witness(&enemies, "2"),
        json!({"kind": "party-must-be-apart", "parties": [["a", "b"]], "apart": ["a", "b"]})
    );
    assert_eq!(
        witness(&enemies, "5"),
        json!({"kind": "too-few-players", "parties": [], "most": 5})
    );
    assert!(
        group(&enemies, &["--size", "5"])
            .stdout
            .contains("4 players, and a group has 5")
    );
}

#[test]
fn a_party_that_must_be_apart_may_wait() {
    let header = "id,rating,deviation,outcomes,party,avoid\n";
    let input = format!("{header}a,1,1,,x,b\nb,1,1,,x,\nc,1,1,,,\nd,1,1,,,\ne,1,1,,,\n");
    let document = group_json(input, &["--size", "3"]);
    assert_eq!(
        (&document["waiting"], groups(&document)),
        (&json!(["a", "b"]), vec![vec!["c".into(), "d".into(), "e".into()]])
    );
}

/// Nothing was said of them, though they change nothing. What is known of past games is there for models.
#[test]
fn roles_that_nobody_asks_for_are_reported() {
    let input = "id,rating,deviation,outcomes,hours,games_1w,roles\na,1,1,W,5,3,tank\nb,1,1,,,,\n";
    let warnings = |options: &[&str]| group_json(input, &[&["--size", "2"], options].concat())["warnings"].clone();
    let roles = "column \"roles\" changes nothing without --roles";
    assert_eq!(warnings(&[]), json!([roles]));
    assert_eq!(warnings(&["--roles", "tank=0-"]), json!([]));
}

#[test]
fn unknown_columns_are_reported_and_ids_come_back_as_written() {
    let input = "id,rating,deviation,outcomes,mood\n\"a, b\",1,1,,x\nÅsa→,1,1,,y\n";
    let run = group(input, &["--size", "2", "--json"]);
    assert!(run.stderr.contains("column \"mood\" is unknown"), "{}", run.stderr);
    assert_eq!(groups(&run.json()), [["a, b", "Åsa→"]]);
    assert_eq!(total(&run.json()), Some(60));
    let quiet = group(input, &["--size", "2", "--json", "--quiet"]);
    assert_eq!(
        (quiet.stderr.as_str(), timeless(quiet.json())),
        ("", timeless(run.json()))
    );
}

/// Everybody but the party has met of late whoever the groups without a price put beside him.
#[test]
fn recent_opponents_cost_what_the_command_line_says() {
    let mut lines = POOL.lines();
    let header = lines.next().expect("a header");
    let met = [(0, 3), (0, 6), (2, 5), (3, 6), (1, 4)];
    let named = |i: usize| {
        let others = met.iter().filter(|pair| pair.0 == i);
        others
            .map(|pair| ["Ann", "Ben", "Cho", "Dee", "Eve", "Fay", "Gil"][pair.1])
            .collect::<Vec<_>>()
            .join("|")
    };
    let rows: String = lines
        .enumerate()
        .map(|(i, line)| format!("{line},{}\n", named(i)))
        .collect();
    let csv = format!("{header},opponents\n{rows}");
    let together = |i: usize, j: usize| !PLAYERS[i].3.is_empty() && PLAYERS[i].3 == PLAYERS[j].3;
    let mut seen = Vec::new();
    for price in ["0.125", "30", "4000"] {
        let price_eighths = (8.0 * price.parse::<f64>().expect("a number")) as i64;
        let cost = |i: usize, j: usize| {
            let more = if met.contains(&(i.min(j), i.max(j))) {
                price_eighths
            } else {
                0
            };
            eighths(i, j).map(|cost| cost + more)
        };
        let brute = Brute {
            bounds: &[(2, 2), (2, 2), (2, 2), (0, 1)],
            cost: &cost,
            together: &together,
        };
        let best = brute.least(7).map(|eighths| eighths as f64 / 8.0);
        for method in ["exact", "search"] {
            let document = group_json(&csv, &["--size", "2", "--method", method, "--rematch-cost", price]);
            assert_eq!(document["cost"]["float"].as_f64(), best, "{price} {method} {document}");
            assert_eq!(document["warnings"], json!([]));
            let again = document["rematches"]["pairs"].as_array().expect("pairs");
            let is_met = |group: &&Vec<String>| {
                let position = |id: &String| csv.lines().skip(1).position(|line| line.starts_with(&format!("{id},")));
                let [one, other] = [&group[0], &group[1]].map(|id| position(id).expect("a player"));
                met.contains(&(one.min(other), one.max(other)))
            };
            assert_eq!(
                again.len(),
                groups(&document).iter().filter(is_met).count(),
                "{document}"
            );
            seen.push(again.len());
        }
    }
    // The party has met for certain, and a high price keeps the others apart.
    assert_eq!((seen.iter().min(), seen.last()), (Some(&1), Some(&1)));
    assert!(seen[0] > 1, "{seen:?}");
    let text = group(&csv, &["--size", "2", "--rematch-cost", "4000"]).stdout;
    assert!(
        text.contains("\n1 pair of recent opponents meets again, each at 4000 more cost: Ben and Eve\n"),
        "{text}"
    );
    let free = group_json(&csv, &["--size", "2"]);
    assert!(
        free["warnings"][0].to_string().contains("without --rematch-cost"),
        "{free}"
    );
    assert_eq!(free.get("rematches"), None);
    group("2 1\n0 1 5\n", &["--size", "2", "--rematch-cost", "1"]).refused(&["--rematch-cost", "only for CSV pools"]);
    group(&csv, &["--size", "2", "--rematch-cost", "-1"]).refused(&["--rematch-cost", "-1"]);
}

/// Names of people have spaces in them: of `Ann Lee Bo Li Cho Wu` nobody knows who is meant.
#[test]
fn ids_with_spaces_are_told_apart() {
    let pool =
        "id,rating,roles\nAnn Lee,1,\nBo Li,2,tank\nCho Wu,3,\nDee,11,\nEve,12,tank\nFay,13,\nGus Ray,30,\nHal,31,\n";
    let text = group(pool, &["--size", "3"]).stdout;
    let lines = |text: &str, end: &str| text.lines().filter(|line| line.ends_with(end)).count();
    for end in ["  Ann Lee, Bo Li, Cho Wu", "  Dee Eve Fay", "waiting: Gus Ray, Hal"] {
        assert_eq!(lines(&text, end), 1, "{end} {text}");
    }
    let cast = group(pool, &["--size", "3", "--roles", "tank=1"]).stdout;
    assert_eq!(lines(&cast, "  Ann Lee, Bo Li (tank), Cho Wu"), 1, "{cast}");
    assert_eq!(lines(&cast, "  Dee Eve (tank) Fay"), 1, "{cast}");
}
