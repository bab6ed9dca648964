//! `matchmaking lobby`: matches that run already, and their open places.

use serde_json::{Value, json};

use crate::support::{Run, piped, run};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/running.csv");

fn lobby(arguments: &[&str]) -> Run {
    run(&[&["lobby", SHIPPED], arguments].concat())
}

/// The words of a text, wherever its lines end.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn list(value: &Value) -> Vec<&str> {
    let ids = value.as_array().expect("a list").iter();
    ids.map(|id| id.as_str().expect("an id")).collect()
}

#[test]
fn open_places_are_filled_first() {
    let found = lobby(&["--json"]);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""), "{found:?}");
    let document = found.json();
    let matches = document["matches"].as_array().expect("matches");
    let running: Vec<&Value> = matches.iter().map(|one| &one["running"]).collect();
    assert_eq!(running, [&json!("m17"), &json!("m18"), &json!("m19")]);
    for (one, red, blue) in [
        (&matches[0], &["ada", "bo", "cyr"][..], &["dee", "eli"][..]),
        (&matches[1], &["fay", "gus"], &["hal", "ivy"]),
        (&matches[2], &["jon", "kim"], &["lou"]),
    ] {
        let new = list(&one["new"]);
        let mut expected: Vec<&str> = [red, blue].concat();
        expected.extend(&new);
        expected.sort_unstable();
        let mut players = [list(&one["red"]), list(&one["blue"])].concat();
        players.sort_unstable();
        assert_eq!((players, new.len()), (expected, 6 - red.len() - blue.len()));
        assert!(red.iter().all(|id| list(&one["red"]).contains(id)), "{one}");
        assert!(blue.iter().all(|id| list(&one["blue"]).contains(id)), "{one}");
    }
    // Who has waited plays, and whom somebody there avoids does not come.
    assert!(!list(&matches[0]["new"]).contains(&"ned"));
    let waiting = list(&document["waiting"]);
    assert!(waiting.len() == 4 && ["mia", "ned", "pam"].iter().all(|id| !waiting.contains(id)));
    assert_eq!(document["short"], json!([]));
}

#[test]
fn a_match_that_cannot_be_filled_stays_and_says_why() {
    let found = lobby(&["--json", "--ping-limit", "150"]);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""), "{found:?}");
    let document = found.json();
    let expected =
        json!([{"running": "m19", "red": ["jon", "kim"], "blue": ["lou"], "open": [1, 2], "reason": "limits"}]);
    assert_eq!(document["short"], expected);
    let matches = document["matches"].as_array().expect("matches");
    assert_eq!((matches.len(), &matches[2]["running"]), (3, &Value::Null));
    assert_eq!(list(&matches[2]["new"]).len(), 6);
    // Only those who wait are said to.
    assert_eq!(list(&document["waiting"]).len(), 1);

    let text = lobby(&["--ping-limit", "150", "--fairness"]);
    let said = words(&text.stdout);
    for part in [
        "22 players (12 of them in 3 matches already), matches of 3 against 3, no ping above 150 ms",
        "match running red blue score",
        "m17 ada, bo, cyr dee, eli, +",
        "+ comes new to a running match",
        "3 matches, mean score",
        "1 player waits: ",
        "match m19 stays short of 3 players: too few of those who wait are within the limits; red jon, kim; blue lou",
        "everybody 22 18",
    ] {
        assert!(said.contains(part), "{part:?} is missing in {}", text.stdout);
    }
}

#[test]
fn nobody_has_to_wait_and_none_come_new() {
    let full = "id,skill,region,match,team\na,1,SA,m,red\nb,2,SA,m,blue\n";
    let found = piped(full, &["lobby", "-", "--team-size", "1"]);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""), "{found:?}");
    let said = words(&found.stdout);
    assert!(
        said.contains("1 match, mean score") && said.contains("nobody waits"),
        "{said}"
    );
    assert!(!said.contains("comes new"), "{said}");
    let lone = "id,skill,region,match,team\na,1,SA,m,red\n";
    let found = piped(lone, &["lobby", "-", "--team-size", "1", "--json"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    let document = found.json();
    assert_eq!(
        (&document["matches"], &document["short"][0]["reason"]),
        (&json!([]), &json!("too-few"))
    );
}

/// Numbers became texts.
#[test]
fn ids_of_matches_are_echoed_as_they_were_written() {
    let text = r#"{"players": [
        {"id": 1, "skill": 1, "playing": {"match": 17, "team": "red"}},
        {"id": 2, "skill": 1, "playing": {"match": "018", "team": "red"}},
        {"id": "3", "skill": 1, "playing": {"match": "17", "team": "blue"}}], "ping_ms": [[0, 9, 9], [9, 0, 9], [9, 9, 0]]}"#;
    let found = piped(text, &["lobby", "-", "--team-size", "1", "--json"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    let document = found.json();
    let one = &document["matches"][0];
    assert_eq!((&one["running"], &one["blue"]), (&json!(17), &json!(["3"])));
    assert_eq!(document["short"][0]["running"], json!("018"));
}

/// A table of nothing had scores of 0, a weakest rule, and servers.
#[test]
fn where_no_match_is_full_there_are_no_scores() {
    let text = "id,skill,region,match,team\na,1,SA,m,red\nb,2,SA,,\n";
    let options = ["lobby", "-", "--team-size", "2", "--explain", "b"];
    let found = piped(text, &[&options[..], &["--json"]].concat());
    assert_eq!(found.code, Some(0), "{found:?}");
    let document = found.json();
    for key in ["score", "worst", "value", "breakdown"] {
        assert!(document[key].is_null(), "{key}: {document}");
    }
    let found = piped(text, &options);
    let said = words(&found.stdout);
    for part in [
        "no match is full",
        "1 player waits: b",
        "match m stays short of 3 players: too few players wait; red a; blue nobody",
        "b, a party of one, waits.",
    ] {
        assert!(said.contains(part), "{part:?} is missing in {}", found.stdout);
    }
    for part in ["mean", "0.0000", "weakest", "server", "these matches"] {
        assert!(!said.contains(part), "{part:?} is in {}", found.stdout);
    }
}

/// It was said to wait.
#[test]
fn a_party_that_plays_already_is_not_said_to_be_too_far_apart_to_play() {
    let text =
        "id,skill,region,party,match,team\na,1,EU-W,duo,m,red\nb,2,OCE,duo,m,red\nc,3,EU-W,,m,blue\nd,4,OCE,,m,blue\n";
    let options = ["lobby", "-", "--team-size", "2", "--ping-limit", "100"];
    let found = piped(text, &options);
    assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""), "{found:?}");
    // One that waits is.
    let found = piped(text.replace(",duo,m,red", ",duo,,"), &options);
    assert!(found.stderr.contains("party \"duo\" waits"), "{found:?}");
}

#[test]
fn who_plays_already_is_explained_as_staying() {
    let found = lobby(&["--json", "--explain", "dee"]);
    let explain = &found.json()["explain"];
    assert_eq!(
        (&explain["stays"], &explain["match"], &explain["exchanges"]),
        (&json!(true), &json!(1), &json!([]))
    );
    let said = words(&lobby(&["--explain", "dee"]).stdout);
    let expected = "dee, a party of 2 (dee, eli), plays in a running match already (match 1 of the table), and changes places \
                    with nobody.";
    assert!(said.contains(expected), "{said}");
    let said = words(&lobby(&["--explain", "mia"]).stdout);
    assert!(said.contains("mia, a party of one, plays in match"), "{said}");
    assert!(!said.contains("with jon"), "{said}");
}

#[test]
fn what_is_wrong_with_running_matches_is_refused_in_its_line() {
    for (rows, parts) in [
        (
            "b,1,SA,0,m,up\n",
            &["line 3, field team, player \"b\"", "red or blue"][..],
        ),
        (
            "b,1,SA,0,m,\n",
            &["line 3, field team, player \"b\"", "write red or blue"],
        ),
        ("b,1,SA,3,m,red\n", &["line 3, field waited, player \"b\"", "write 0"]),
        (
            "b,1,SA,0,m,red\n",
            &[
                "line 3, field team, player \"b\"",
                "team red of match \"m\" has 2 players",
                "a team has 1",
            ],
        ),
    ] {
        let text = format!("id,skill,region,waited,match,team\na,1,SA,0,m,red\n{rows}");
        piped(&text, &["lobby", "-", "--team-size", "1"]).refused(parts);
    }
}
