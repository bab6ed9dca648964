//! `matchmaking lobby`: who must not be in a match with whom.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::{Run, piped, run};

/// Four players in western Europe, four in Oceania, and one in Asia who has waited; of each what else stands there.
fn round(avoid: &dyn Fn(usize) -> &'static str) -> String {
    let mut text = "id,skill,region,waited,party,avoid\n".to_owned();
    for i in 0..9 {
        let (region, party) = (["EU-W", "OCE", "Asia"][i / 4], if i < 2 { "ab" } else { "" });
        let waited = u32::from(i == 8);
        writeln!(text, "p{i},{}00,{region},{waited},{party},{}", i + 1, avoid(i)).expect("texts grow");
    }
    text
}

/// Runs `lobby - --team-size 2 ARGUMENTS`.
fn lobby(input: &str, arguments: &[&str]) -> Run {
    piped(input, &[&["lobby", "-", "--team-size", "2"], arguments].concat())
}

fn players(one: &Value) -> Vec<Value> {
    let side = |key: &str| one[key].as_array().cloned().unwrap_or_default();
    [side("red"), side("blue")].concat()
}

/// The words of a text, wherever its lines end.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_ping_limit_keeps_players_apart_who_are_far_from_each_other() {
    let input = round(&|_| "");
    let free = lobby(&input, &["--json"]);
    assert_eq!(
        (free.code, &free.json()["ping_limit"]),
        (Some(0), &Value::Null),
        "{free:?}"
    );
    assert_ne!(free.json()["waiting"], json!(["p8"]), "who has waited plays");
    let limited = lobby(&input, &["--json", "--ping-limit", "100"]);
    assert_eq!((limited.code, limited.stderr.as_str()), (Some(0), ""), "{limited:?}");
    let document = limited.json();
    assert_eq!(
        (&document["ping_limit"], &document["waiting"]),
        (&json!(100.0), &json!(["p8"]))
    );
    let matches = document["matches"].as_array().expect("a list");
    assert_eq!(matches.len(), 2);
    for one in matches {
        let players = players(one);
        let is_island = |from: usize| (from..from + 4).all(|i| players.contains(&json!(format!("p{i}"))));
        assert!(is_island(0) || is_island(4), "{one}");
    }
    let text = lobby(&input, &["--ping-limit", "100"]).stdout;
    assert!(
        text.contains("matches of 2 against 2, no ping above 100 ms\n"),
        "{text}"
    );
    assert!(text.contains("1 player waits: p8\n"), "{text}");
}

#[test]
fn nobody_is_in_a_match_with_whom_either_avoids() {
    // Of the four in Europe two avoid two in Oceania, one from each side, and everybody may play with the one in Asia.
    let input = round(&|i| match i {
        2 => "p4;p5",
        6 => "p3",
        _ => "",
    });
    let run = lobby(&input, &["--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    for one in run.json()["matches"].as_array().expect("a list") {
        let players = players(one);
        for (first, second) in [("p2", "p4"), ("p2", "p5"), ("p3", "p6")] {
            let are_together = players.contains(&json!(first)) && players.contains(&json!(second));
            assert!(!are_together, "{one}");
        }
    }
    let unknown = round(&|i| if i == 3 { "p99" } else { "" });
    lobby(&unknown, &[]).refused(&["stdin: line 5, field avoid, player \"p3\": nobody has the id \"p99\""]);
}

/// A round, the size of its teams, options, and what is said then: a message, parties in the way, matches possible.
type Case<'a> = (String, [&'a str; 2], &'a [&'a str], &'a str, Value, Value);

#[test]
fn limits_that_allow_no_match_say_what_to_relax() {
    let (two, three) = (["--team-size", "2"], ["--team-size", "3"]);
    let cases: [Case<'_>; 4] = [
        // Islands of four fill no match of six.
        (
            round(&|_| ""),
            three,
            &["--ping-limit", "100"],
            "too few players to fill a match with any of: ab, p2, p3, p4, p5, p6, p7, p8; the others are enough for 0 of 1 \
             match; raise the ping limit",
            json!(["ab", "p2", "p3", "p4", "p5", "p6", "p7", "p8"]),
            json!(0),
        ),
        // Two of four avoid each other, and nobody else is near.
        (
            round(&|i| if i == 4 { "p5" } else { "" }),
            two,
            &["--ping-limit", "100"],
            "too few players to fill a match with any of: p4, p5, p6, p7, p8; the others are enough for 1 of 2 matches",
            json!(["p4", "p5", "p6", "p7", "p8"]),
            json!(1),
        ),
        (
            round(&|i| if i == 0 { "p1" } else { "" }),
            two,
            &[],
            "party \"ab\": one of \"p0\" and \"p1\" avoids the other",
            json!(["ab"]),
            Value::Null,
        ),
        (
            round(&|_| ""),
            two,
            &["--ping-limit", "29"],
            "party \"ab\": \"p0\" and \"p1\" have a ping of 30 ms, and no two players of a match may have more than 29 ms",
            json!(["ab"]),
            Value::Null,
        ),
    ];
    for (input, size, arguments, message, parties, possible) in cases {
        let text = piped(&input, &[&["lobby", "-"], &size[..], arguments].concat());
        assert_eq!((text.code, text.stderr.as_str()), (Some(1), ""), "{text:?}");
        let said = words(&text.stdout);
        assert!(said.contains(&words(message)), "{message:?} is missing in {said}");
        assert_eq!(
            said.contains("With --fewer-matches, who finds no place waits."),
            possible == json!(1)
        );
        let json = piped(&input, &[&["lobby", "-", "--json"], &size[..], arguments].concat()).json();
        assert_eq!(json["status"], "infeasible");
        assert_eq!(
            (&json["witness"]["parties"], &json["witness"]["possible"]),
            (&parties, &possible)
        );
    }
}

/// Who was out of reach was told to raise a ping limit that nobody had set, or to shorten lists of `avoid` that nobody had: the
/// message named both, whatever there was.
#[test]
fn out_of_reach_only_limits_that_there_are_can_be_relaxed() {
    let avoided = "id,skill,region,avoid\np0,100,SA,p1\np1,100,SA,\n";
    let far = "id,skill,region\np0,100,SA\np1,100,SA\n";
    let cases: [(&str, &[&str], &str); 3] = [
        (avoided, &[], "shorten lists of `avoid`"),
        (far, &["--ping-limit", "5"], "raise the ping limit"),
        (
            avoided,
            &["--ping-limit", "5"],
            "raise the ping limit, or shorten lists of `avoid`",
        ),
    ];
    for (input, arguments, advice) in cases {
        let run = piped(
            input,
            &[&["lobby", "-", "--json", "--team-size", "1"], arguments].concat(),
        );
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
        let message = run.json()["witness"]["message"].to_string();
        let expected = format!("any of: p0, p1; the others are enough for 0 of 1 match; {advice}\"");
        assert!(message.ends_with(&expected), "{message}");
    }
}

/// One party kept everybody from playing, whom nobody else had to do with.
#[test]
fn a_party_beyond_the_limit_waits_if_others_are_enough() {
    let round = |others: usize| {
        let mut text = "id,skill,region,party\na,100,EU-W,ab\nb,200,OCE,ab\n".to_owned();
        (0..others).for_each(|i| writeln!(text, "p{i},{i}00,EU-W,").expect("texts grow"));
        text
    };
    let run = lobby(&round(8), &["--json", "--ping-limit", "100"]);
    let why = "party \"ab\" waits: two of its members have a ping above --ping-limit";
    let warned = format!("matchmaking: warning: {why}\n");
    assert_eq!((run.code, &run.stderr), (Some(0), &warned));
    let document = run.json();
    assert_eq!(
        (&document["waiting"], &document["warnings"]),
        (&json!(["a", "b"]), &json!([why]))
    );
    let free = lobby(&round(8), &["--json", "--ping-limit", "280"]);
    assert_eq!((free.code, free.stderr.as_str()), (Some(0), ""), "{free:?}");
    let few = lobby(&round(6), &["--ping-limit", "100"]);
    assert_eq!((few.code, few.stderr.as_str()), (Some(1), ""), "{few:?}");
    let said = words(&few.stdout);
    for part in [
        "party \"ab\": \"a\" and \"b\" have a ping of 280 ms",
        "or make 1 match without it",
        "With --fewer-matches, who finds no place waits.",
    ] {
        assert!(said.contains(part), "{part:?} is missing in {said}");
    }
    let witness = &lobby(&round(6), &["--json", "--ping-limit", "100"]).json()["witness"];
    assert_eq!((&witness["parties"], &witness["possible"]), (&json!(["ab"]), &json!(1)));
    let fewer = lobby(&round(6), &["--json", "--ping-limit", "100", "--fewer-matches"]);
    assert_eq!(fewer.code, Some(0), "{fewer:?}");
    let waiting = fewer.json()["waiting"].as_array().cloned().expect("a list");
    assert!(
        waiting.len() == 4 && waiting.contains(&json!("a")) && waiting.contains(&json!("b")),
        "{waiting:?}"
    );
}

/// Everybody has enough others, and yet there is no match.
#[test]
fn where_all_ways_were_tried_in_vain_that_is_said() {
    let mut input = "id,skill,region,avoid\n".to_owned();
    // Two threes; each may be with the two others of the own three, and with one of the other three.
    for i in 0..6 {
        let apart: Vec<String> = (0..6)
            .filter(|j| j / 3 != i / 3 && j % 3 != i % 3)
            .map(|j| format!("p{j}"))
            .collect();
        writeln!(input, "p{i},100,SA,{}", apart.join("|")).expect("texts grow");
    }
    let run = lobby(&input, &["--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
    let document = run.json();
    assert_eq!(
        (&document["status"], &document["matches"]),
        (&json!("infeasible"), &json!([]))
    );
    let message = document["witness"]["message"].as_str().expect("a text");
    assert!(
        message.starts_with("there is no match in which everybody is within the limits (the closest put together: p"),
        "{message}"
    );
    // It was said to raise a ping limit that nobody had set, and to make fewer matches than one.
    assert!(
        message.ends_with("one of whom avoids another); shorten lists of `avoid`"),
        "{message}"
    );
    // Without a proof, nobody knows.
    let stopped = lobby(&input, &["--work-limit", "1", "--engine", "climb", "--json"]);
    assert_eq!(
        (stopped.code, &stopped.json()["status"]),
        (Some(4), &json!("unknown")),
        "{stopped:?}"
    );
    // A limit that ended a search in vain was not told, nor what the search had done.
    assert_eq!(stopped.json()["stopped"], "work-limit");
    let work = stopped.json()["work"].as_u64().expect("a number");
    assert!((1..200).contains(&work), "{work}");
    let limited = |arguments: &[&str]| lobby(&input, &[&["--engine", "climb"], arguments].concat());
    let late = limited(&["--time-limit", "0.02", "--json"]);
    assert_eq!((late.code, &late.json()["stopped"]), (Some(4), &json!("time-limit")));
    let text = limited(&["--work-limit", "1"]).stdout;
    assert!(text.ends_with("The search was stopped by the work-limit.\n"), "{text}");
    // To make fewer matches was advised, and not how.
    let hint = "\nWith --fewer-matches, as many are made as are found, and the others wait.\n";
    assert!(text.contains(hint), "{text}");
    assert!(!limited(&["--work-limit", "1", "--fewer-matches"]).stdout.contains(hint));
    // Its own amount of work is nobody's limit.
    let free = limited(&["--json"]);
    assert_eq!(
        (free.code, &free.json()["stopped"]),
        (Some(4), &Value::Null),
        "{free:?}"
    );
    assert!(free.json()["work"].as_u64() > Some(1_000), "{free:?}");
    // What a search took was said to be costs.
    let timing = &stopped.json()["timing"];
    assert_eq!(timing["costs"], json!(0.0), "{timing}");
    assert_eq!(timing["solve"], stopped.json()["seconds"]);
    let message = stopped.json()["witness"]["message"].to_string();
    assert!(
        message.contains("no match was found in which everybody is within the limits; there may be one"),
        "{message}"
    );
}

/// A match was promised to who makes fewer, and there is none.
#[test]
fn how_many_matches_limits_allow_is_not_promised() {
    let mut input = "id,skill,region,avoid\n".to_owned();
    // As above, and two more whom everybody avoids.
    for i in 0..8 {
        let apart: Vec<String> = (0..6)
            .filter(|j| *j != i && (i > 5 || j / 3 != i / 3 && j % 3 != i % 3))
            .map(|j| format!("p{j}"))
            .collect();
        writeln!(input, "p{i},100,SA,{}", apart.join("|")).expect("texts grow");
    }
    let every = lobby(&input, &[]);
    assert_eq!((every.code, every.stderr.as_str()), (Some(1), ""), "{every:?}");
    let said = words(&every.stdout);
    for part in [
        "the others are enough for 1 of 2 matches",
        "With --fewer-matches, who finds no place waits. How many matches there are within the limits, a search has to \
         find out.",
    ] {
        assert!(said.contains(part), "{part:?} is missing in {said}");
    }
    let fewer = lobby(&input, &["--fewer-matches"]);
    assert_eq!(fewer.code, Some(1), "{fewer:?}");
    assert!(
        words(&fewer.stdout).contains("infeasible: there is no match in which"),
        "{fewer:?}"
    );
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    for limit in ["0", "-5", "NaN", "inf", "far"] {
        run(&["lobby", "--instance", "nauts-60-s1", "--ping-limit", limit]).refused(&["--ping-limit"]);
    }
    let help = run(&["lobby", "--help"]).stdout;
    for part in ["--ping-limit", "party,waited,avoid", "\"avoid\": [..]"] {
        assert!(words(&help).contains(part), "{part} is missing in {help}");
    }
}

/// The one in Asia has waited for a round; the others are near each other.
#[test]
fn a_limit_that_grows_lets_who_has_waited_play() {
    let input = round(&|_| "").replace("p8,900,Asia,1", "p8,900,Asia,4");
    assert!(input.contains("Asia,4"), "{input}");
    let waiting = |arguments: &[&str]| {
        let run = lobby(&input, &[&["--json", "--ping-limit", "100"], arguments].concat());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        run.json()
    };
    let fixed = waiting(&[]);
    assert_eq!((&fixed["waiting"], fixed.get("ping_growth")), (&json!(["p8"]), None));
    let grown = waiting(&["--ping-growth", "62.5"]);
    assert_eq!(grown["ping_growth"], json!(62.5));
    assert_ne!(grown["waiting"], json!(["p8"]), "who has waited longest plays");
    assert_eq!(waiting(&["--ping-growth", "1"])["waiting"], json!(["p8"]));

    let text = lobby(&input, &["--ping-limit", "100", "--ping-growth", "62.5"]).stdout;
    assert!(
        text.contains(", no ping above 100 ms and 62.5 ms for each round waited\n"),
        "{text}"
    );
    lobby(&input, &["--ping-growth", "5"]).refused(&["--ping-limit"]);
    for growth in ["-1", "NaN", "inf", "x"] {
        lobby(&input, &["--ping-limit", "100", "--ping-growth", growth]).refused(&["--ping-growth", growth]);
    }
}
