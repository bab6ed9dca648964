//! `matchmaking lobby --explain`.

use serde_json::{Value, json};

use crate::support::{Run, piped, run};

/// Ids are numbers, two are a party, and one waits, as all others have done before: who avoids one of the weaker match.
const ROUND: &str = r#"{"players": [
    {"id": 1, "skill": 1000, "region": "EU-W", "waited": 1, "party": "x"},
    {"id": 2, "skill": 1500, "region": "EU-W", "waited": 1, "party": "x"},
    {"id": 3, "skill": 9000, "region": "EU-W", "waited": 1}, {"id": 4, "skill": 9100, "region": "EU-W", "waited": 1},
    {"id": 5, "skill": 1100, "region": "EU-W", "waited": 1}, {"id": 6, "skill": 1400, "region": "EU-W", "avoid": [3]},
    {"id": 7, "skill": 9050, "region": "EU-W", "waited": 1}, {"id": 8, "skill": 9020, "region": "EU-W", "waited": 1},
    {"id": 9, "skill": 9030, "region": "EU-W", "waited": 1}]}"#;

fn lobby(arguments: &[&str]) -> Run {
    piped(ROUND, &[&["lobby", "-", "--team-size", "2"], arguments].concat())
}

fn explained(id: &str) -> (Value, Value) {
    let run = lobby(&["--json", "--explain", id]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let document = run.json();
    assert!(document["timing"]["explain"].is_f64(), "{document}");
    (document["explain"].clone(), document)
}

fn players(one: &Value) -> Vec<Value> {
    let side = |key: &str| one[key].as_array().cloned().unwrap_or_default();
    [side("red"), side("blue")].concat()
}

#[test]
fn a_player_learns_what_other_places_would_come_to() {
    let (explain, document) = explained("5");
    let matches = document["matches"].as_array().expect("matches");
    // From 1, as in the text.
    let place = |id: &Value| {
        matches
            .iter()
            .position(|one| players(one).contains(id))
            .map(|at| at + 1)
    };
    assert_eq!((&explain["player"], &explain["party"]), (&json!(5), &json!([5])));
    assert_eq!(explain["match"].as_u64().map(|at| at as usize), place(&json!(5)));
    let exchanges = explain["exchanges"].as_array().expect("exchanges");
    // The four strong ones of the other match, and who waits.
    assert_eq!(exchanges.len(), 5);
    for exchange in exchanges {
        let other = &exchange["with"][0];
        assert_eq!(
            exchange["match"].as_u64().map(|at| at as usize),
            place(other),
            "{exchange}"
        );
        assert_ne!(place(other), place(&json!(5)));
        // In the place of the fifth he would meet the third.
        if other == &json!(6) {
            let refused = exchange["refused"].as_str().expect("a reason");
            assert!(refused.contains("of whom one avoids the other"), "{refused}");
            assert_eq!(
                (&exchange["mean_score"], &exchange["better"]),
                (&Value::Null, &Value::Null)
            );
        } else {
            assert!(
                exchange["mean_score"].as_f64().is_some_and(|change| change < 0.0),
                "{exchange}"
            );
            assert_eq!(
                (&exchange["better"], &exchange["refused"]),
                (&json!(false), &Value::Null)
            );
        }
    }
    let scores: Vec<f64> = exchanges
        .iter()
        .filter_map(|exchange| exchange["mean_score"].as_f64())
        .collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
    assert_eq!(lobby(&["--json"]).json().get("explain"), None);
}

/// It was named by its position from 0, where all others of the report count from 1: as the match before it, or as none.
#[test]
fn the_match_of_a_refused_exchange_counts_from_one_as_all_others_do() {
    for (id, other) in [("5", 6), ("6", 5)] {
        let (explain, document) = explained(id);
        let matches = document["matches"].as_array().expect("matches");
        let of_three = matches.iter().position(|one| players(one).contains(&json!(3)));
        let place = of_three.expect("the third plays") + 1;
        let exchanges = explain["exchanges"].as_array().expect("exchanges");
        let refused = exchanges.iter().find(|exchange| exchange["with"] == json!([other]));
        let refused = refused
            .and_then(|exchange| exchange["refused"].as_str())
            .expect("a reason");
        assert!(refused.starts_with(&format!("match {place} has both \"")), "{refused}");
    }
}

#[test]
fn a_party_may_change_places_with_several() {
    // The two of the party, and any two of the four strong ones, who have nobody with them.
    let (explain, _) = explained("2");
    let exchanges = explain["exchanges"].as_array().expect("exchanges");
    assert_eq!((exchanges.len(), &explain["exchanges_left_out"]), (6, &json!(0)));
    for exchange in exchanges {
        assert_eq!(exchange["with"].as_array().map(Vec::len), Some(2), "{exchange}");
        assert_eq!(exchange["along"], json!([]));
    }
    let (explain, _) = explained("4");
    let exchanges = explain["exchanges"].as_array().expect("exchanges");
    let along: Vec<&Value> = exchanges
        .iter()
        .filter(|exchange| exchange["along"] != json!([]))
        .collect();
    assert_eq!(along.len(), 3);
    assert!(along.iter().all(|exchange| exchange["with"] == json!([1, 2])));
    let text = lobby(&["--explain", "4"]).stdout;
    assert!(text.contains("\n1, 2 (along with "), "{text}");
    assert!(text.contains("3 of one party against several"), "{text}");
}

#[test]
fn people_read_where_a_player_is_and_what_comes_closest() {
    let text = lobby(&["--explain", "5"]).stdout;
    assert!(text.contains("\n\n5, a party of one, plays in match "), "{text}");
    let verdict = "5 exchanges with a party of as many members, 1 of which the limits do not allow: none makes the matches better.";
    assert!(
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains(verdict),
        "{text}"
    );
    let of_two = lobby(&["--explain", "2"]).stdout;
    assert!(of_two.contains("2, a party of 2 (1, 2), plays in match "), "{of_two}");
    assert!(
        of_two.contains("6 exchanges of one party against several: none"),
        "{of_two}"
    );
    let (_, document) = explained("5");
    let waiting = document["waiting"][0].to_string();
    let text = lobby(&["--explain", &waiting]).stdout;
    assert!(
        text.contains(&format!("\n\n{waiting}, a party of one, waits.\n")),
        "{text}"
    );
}

#[test]
fn who_is_not_there_is_refused_before_the_search() {
    lobby(&["--explain", "10"]).refused(&["--explain", "\"10\" is no id of the input; \"1\" is"]);
    lobby(&["--explain", "somebody"]).refused(&[
        "\"somebody\" is no id of the input, which has ",
        " and none that is like it",
    ]);
    lobby(&["--explain", ""]).refused(&["--explain"]);
    // Without matches there is nothing to explain.
    let none = run(&[
        "lobby",
        "--instance",
        "nauts-60-s1",
        "--ping-limit",
        "0.5",
        "--explain",
        "p1",
        "--json",
    ]);
    assert_eq!((none.code, none.json().get("explain")), (Some(1), None), "{none:?}");
}
