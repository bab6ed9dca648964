//! Who fares how, by rating and by region, and in a lobby by party.

use serde_json::{Value, json};

use crate::support::{pair, pair_json, piped};

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
        "rated 1500  ",
        "rated 1610 to 1720",
        "region us",
        "no region",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    // All four avoid each other.
    let none = "id,rating,deviation,outcomes,avoid\na,1,50,,b;c\nb,2,50,,c\nc,3,50,,\nd,4,50,,a;b;c\n";
    let report = pair_json(none, &["--fairness"]);
    assert_eq!(
        (&report["status"], &report["fairness"]),
        (&json!("infeasible"), &Value::Null)
    );
    pair("2 1\n0 1 1\n", &["--fairness"]).refused(&["--fairness", "only for CSV pools"]);
}

/// 13 players, one of whom waits.
const ROUND: &str = "\
id,skill,party,region,waited
a,1000,x,EU-W,0
b,1200,x,EU-W,1
c,1100,,EU-W,2
d,1150,,EU-E,0
e,5000,,EU-E,0
f,5100,,EU-E,3
g,5200,y,NA-E,0
h,5300,y,NA-E,0
i,5400,y,NA-E,0
j,9000,,NA-E,0
k,9100,,EU-W,0
l,9200,,EU-W,0
m,9300,,EU-W,0
";

#[test]
fn parts_of_a_lobby_come_to_what_its_matches_say() {
    let run = piped(ROUND, &["lobby", "-", "--json", "--fairness"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let report = run.json();
    let parts: Vec<&Value> = report["fairness"].as_array().expect("an array").iter().collect();
    let kinds: Vec<&str> = parts.iter().map(|part| part["by"].as_str().expect("a word")).collect();
    let expected = [&["everybody"][..], &["skill"; 5], &["region"; 3], &["party"; 3]].concat();
    assert_eq!(kinds, expected);
    let all = parts[0];
    assert_eq!((&all["players"], &all["playing"]), (&json!(13), &json!(12)));
    assert!((number(&all["mean_score"]) - number(&report["score"])).abs() < 1e-9);

    // Region by region, from the matches as they are listed.
    let region = |id: &str| {
        let line = ROUND
            .lines()
            .find(|line| line.split(',').next() == Some(id))
            .expect("a player");
        line.split(',').nth(3).expect("a region").to_owned()
    };
    for part in parts.iter().filter(|part| part["by"] == "region") {
        let name = part["region"].as_str().expect("a name");
        let (mut playing, mut scores) = (0, 0.0);
        for one in report["matches"].as_array().expect("an array") {
            for team in ["red", "blue"] {
                let ids = one[team].as_array().expect("an array").iter();
                let here = ids.filter(|id| region(id.as_str().expect("an id")) == name).count();
                playing += here;
                scores += here as f64 * number(&one["score"]);
            }
        }
        assert_eq!(part["playing"], playing);
        assert!((number(&part["mean_score"]) - scores / playing as f64).abs() < 1e-9);
    }
    let sizes = parts[9..].iter().map(|part| (&part["size"], &part["players"]));
    let expected = [(json!(1), json!(8)), (json!(2), json!(2)), (json!(3), json!(3))];
    assert!(sizes.eq(expected.iter().map(|(size, players)| (size, players))));

    let text = piped(ROUND, &["lobby", "-", "--fairness"]).stdout;
    for line in [
        "who fares how",
        "skill 1000 to 1100",
        "region NA-E",
        "alone",
        "party of 3",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    assert_eq!(piped(ROUND, &["lobby", "-", "--json"]).json()["fairness"], Value::Null);
    // Two players are no match: nothing to say about them.
    let few = piped(
        "id,skill,region\na,1,SA\nb,2,SA\n",
        &["lobby", "-", "--json", "--fairness"],
    );
    assert_eq!((few.code, &few.json()["fairness"]), (Some(1), &Value::Null));
}

/// One region was as many as there were ways to write it, though pings are those of one.
#[test]
fn a_region_is_one_however_it_is_written() {
    let round = "id,skill,region\na,1,eu-w\nb,2,OCE\nc,3,EUW\nd,4,EU-W\n";
    let report = piped(round, &["lobby", "-", "--team-size", "1", "--json", "--fairness"]).json();
    let parts = report["fairness"].as_array().expect("an array").iter();
    let regions = parts.filter(|part| part["by"] == "region");
    let named: Vec<(&Value, &Value)> = regions.map(|part| (&part["region"], &part["players"])).collect();
    assert_eq!(named, [(&json!("eu-w"), &json!(3)), (&json!("OCE"), &json!(1))]);
}
