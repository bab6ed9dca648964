//! `matchmaking lobby`: rounds that are wrong or of which no matches can be made, and the command line itself.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::support::{file, piped, run};

/// So many pairs and then so many players without a party.
fn pairs_and_others(pairs: usize, others: usize) -> String {
    let mut text = "id,skill,region,party\n".to_owned();
    for i in 0..2 * pairs {
        writeln!(text, "m{i},9000,EU-W,pair {}", i / 2).expect("texts grow");
    }
    (0..others).for_each(|i| writeln!(text, "s{i},9000,EU-W,").expect("texts grow"));
    text
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let head = "id,skill,region\n";
    let cases: [(String, &[&str]); 24] = [
        (
            String::new(),
            &["stdin: line 1: the file is empty; it needs a round", "`id,skill"],
        ),
        (" \n\n".into(), &["stdin: line 1: the file is empty"]),
        ("id,skill\na,1\n".into(), &["line 1: column `region` is missing"]),
        (
            head.into(),
            &["no players in the round; write one a line below the header"],
        ),
        ("{\"players\": []}".into(), &["no players in the round", "`players`"]),
        (
            format!("{head}a,1,EU-W\n  \n\t\n\nb,x,EU-W\n"),
            &["line 6, field skill, player \"b\": \"x\" is not a number"],
        ),
        (
            format!("{head}a,1,EU-W\nb\n"),
            &["line 3: 1 field where the header has 3"],
        ),
        (
            format!("{head}a,1,EU-W\n\nb,x,EU-W\n"),
            &["line 4, field skill, player \"b\": \"x\" is not a number"],
        ),
        (
            format!("{head}a,1,EU-W\na,2,EU-W\n"),
            &["line 3, field id: player \"a\"", "(line 2)"],
        ),
        (
            format!("{head}a,1,moon\n"),
            &["line 2, field region, player \"a\": \"moon\"", "EU-W, EU-E"],
        ),
        // What is wrong with a later line was said first.
        (
            format!("{head}a,1,moon\nb,x,EU-W\n"),
            &["line 2, field region, player \"a\": \"moon\""],
        ),
        (
            format!("{head}a,1,EU-W\na,2,EU-W\nb\n"),
            &["line 3, field id: player \"a\"", "(line 2)"],
        ),
        (format!("{head},x,EU-W\nb\n"), &["line 2, field id: "]),
        (format!("{head}a,1\n"), &["line 2: 2 fields where the header has 3"]),
        ("{\"players\": [}".into(), &["line 1, column 14"]),
        ("[1, 2]".into(), &["line 1, column 1", "`players`"]),
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": \"much\"}]}".into(),
            &["player at position 0, field skill, player \"a\": \"much\""],
        ),
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": 1}], \"ping_ms\": [[0, 1]]}".into(),
            &["field ping_ms, row 0", "2 entries where there is 1 player"],
        ),
        // Somebody with an empty name was spoken of.
        (
            "{\"players\": [5]}".into(),
            &["player at position 0, field players: 5 where there should be an object"],
        ),
        (
            "{\"players\": [{\"id\": 1.5, \"skill\": 1}]}".into(),
            &["player at position 0, field id: 1.5 where there should be"],
        ),
        // A type of the program's was named.
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": 1}], \"ping_ms\": [[null]]}".into(),
            &["line 1, column ", "null, expected a number of milliseconds"],
        ),
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": 1}], \"ping_ms\": 5}".into(),
            &["line 1, column ", "5`, expected "],
        ),
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": 1}, {\"id\": 2, \"skill\": 1}], \"ping_ms\": [[0, 1], [2, 0]]}"
                .into(),
            &["field ping_ms: 2 for \"2\" with \"a\" and 1 the other way round"],
        ),
        (
            "{\"players\": [{\"id\": \"a\", \"skill\": 1}]}".into(),
            &["field region, player \"a\""],
        ),
    ];
    for (input, parts) in &cases {
        piped(input, &["lobby", "-"]).refused(parts);
    }
    let (directory, path) = file("broken.json", "id,skill,region\n");
    let path = path.to_str().expect("a plain path");
    run(&["lobby", path]).refused(&["broken.json: line 1, column 1: expected value"]);
    run(&["lobby", "/nowhere/round.csv"]).refused(&["/nowhere/round.csv: "]);
    let directory = directory.path().to_str().expect("a plain path");
    run(&["lobby", directory]).refused(&["is a directory"]);
    let into = ["lobby", path, "-o", "/nowhere/out.json"];
    run(&into).refused(&["/nowhere/out.json: cannot be written"]);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let cases: [(&[&str], &str); 16] = [
        (&[], "FILE"),
        (&["-", "--instance", "nauts-60-s1"], "cannot be used with"),
        (
            &["--instance", "nauts-61-s1"],
            "--instance: \"nauts-61-s1\" is no instance",
        ),
        (&["-", "--teams", "3"], "all matches have 2 teams so far"),
        (&["-", "--team-size", "9"], "not a whole number from 1 to 8"),
        (&["-", "--team-size", "0"], "not a whole number from 1 to 8"),
        (&["-", "--weights", "luck=1"], "\"luck\" is no score"),
        (&["-", "--weights", "servers=-1"], "0 or more"),
        (
            &["-", "--weights", "servers=1e308,premade=1e308"],
            "must have a finite sum; only ratios matter, so write smaller numbers",
        ),
        (&["-", "--skill-cap", "-5"], "positive"),
        (&["-", "--skill-floor", "NaN"], "finite"),
        (
            &["-", "--skill-floor", "18000"],
            "--skill-floor: rule skill_floor must be a finite number below the skill cap",
        ),
        (&["-", "--objective", "best"], "min-then-mean"),
        (&["-", "--engine", "guess"], "cached-climb"),
        (&["-", "--time-limit=-1"], "--time-limit"),
        (&["-", "--threads", "0"], "--threads"),
    ];
    for (arguments, part) in cases {
        run(&[&["lobby"], arguments].concat()).refused(&[part]);
    }
}

#[test]
fn parties_that_cannot_be_packed_are_named() {
    // Teams of three hold one pair each; with two others, two teams are full, and the third has a pair alone.
    let input = pairs_and_others(5, 2);
    let refused = piped(&input, &["lobby", "-", "--json"]);
    assert_eq!((refused.code, refused.stderr.as_str()), (Some(1), ""), "{refused:?}");
    let document = refused.json();
    assert_eq!(document["status"], "infeasible");
    assert_eq!((&document["score"], &document["work"]), (&Value::Null, &Value::Null));
    let witness = &document["witness"];
    assert_eq!((&witness["matches"], &witness["possible"]), (&2.into(), &1.into()));
    let parties = witness["parties"].as_array().expect("an array");
    assert!(
        parties.len() == 3 && parties.iter().all(|party| party.to_string().starts_with("\"pair ")),
        "{witness}"
    );

    let text = piped(&input, &["lobby", "-"]);
    assert_eq!(text.code, Some(1));
    for part in [
        "infeasible: the parties do not fill 2 matches",
        "pair ",
        "--fewer-matches",
    ] {
        assert!(text.stdout.contains(part), "{part} is missing in {}", text.stdout);
    }

    let fewer = piped(&input, &["lobby", "-", "--json", "--fewer-matches"]);
    assert_eq!(fewer.code, Some(0), "{fewer:?}");
    let document = fewer.json();
    let len = |key: &str| document[key].as_array().map(Vec::len);
    assert_eq!((len("matches"), len("waiting")), (Some(1), Some(6)));
    assert!(document.get("witness").is_none());
}

#[test]
fn rounds_without_a_single_match_are_infeasible() {
    let four = "id,skill,region,party\na,1,SA,x\nb,1,SA,x\nc,1,SA,x\nd,1,SA,x\ne,1,SA,\nf,1,SA,\n";
    let cases = [
        (
            four.to_owned(),
            "party \"x\" has 4 members (a, b, c, d), a team has 3",
            json!(["x"]),
        ),
        (pairs_and_others(0, 5), "5 players where 6 are needed", json!([])),
        (pairs_and_others(0, 1), "1 player where 6 are needed", json!([])),
        (
            pairs_and_others(3, 0),
            "the parties do not fill 1 match of two teams of 3",
            json!(["pair 0", "pair 1", "pair 2"]),
        ),
    ];
    for (input, part, parties) in cases {
        let text = piped(&input, &["lobby", "-", "--fewer-matches"]);
        assert_eq!(text.code, Some(1), "{text:?}");
        let words = text.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(part) && !words.contains("--fewer-matches"), "{words}");
        let json = piped(&input, &["lobby", "-", "--fewer-matches", "--json"]).json();
        assert_eq!((&json["witness"]["parties"], &json["matches"]), (&parties, &json!([])));
    }
}

#[test]
fn what_is_not_used_is_reported() {
    let input = pairs_and_others(0, 6).replace("party\n", "clan\n");
    let arguments = ["lobby", "-", "--json", "--work-limit", "100"];
    let warned = piped(&input, &arguments);
    let warning = "column \"clan\" is unknown and not used";
    assert_eq!(warned.stderr, format!("matchmaking: warning: {warning}\n"));
    assert_eq!(warned.json()["warnings"], json!([warning]));
    let quiet = piped(&input, &[&arguments[..], &["--quiet"]].concat());
    assert_eq!(
        (quiet.stderr.as_str(), &quiet.json()["warnings"]),
        ("", &json!([warning]))
    );

    let json = "{\"players\": [{\"id\": 1, \"skill\": 1, \"region\": \"SA\", \"rank\": 2}, {\"id\": 2, \"skill\": 1, \
                \"region\": \"SA\"}], \"map\": 0}";
    let warned = piped(json, &[&arguments[..], &["--team-size", "1"]].concat()).json();
    let warnings = [
        "field \"map\" is unknown and not used",
        "field \"players[].rank\" is unknown and not used",
    ];
    assert_eq!(warned["warnings"], json!(warnings));
}

/// However many fields are unknown, the warnings of them can be read.
#[test]
fn many_that_are_not_used_are_counted() {
    for (unknown, last) in [
        (20, "field \"mood19\" is unknown and not used"),
        (21, "1 other field is unknown and not used"),
        (1_000, "980 other fields are unknown and not used"),
    ] {
        let fields: String = (0..unknown).map(|i| format!("\"mood{i}\": {i}, ")).collect();
        let players = "{\"id\": 1, \"skill\": 1, \"region\": \"SA\"}, {\"id\": 2, \"skill\": 1, \"region\": \"SA\"}";
        let arguments = ["lobby", "-", "--json", "--work-limit", "100", "--team-size", "1"];
        let report = piped(format!("{{{fields}\"players\": [{players}]}}"), &arguments).json();
        let warnings = report["warnings"].as_array().expect("a list");
        assert_eq!(
            (warnings.len(), &warnings[19]),
            (unknown.min(21), &json!("field \"mood19\" is unknown and not used"))
        );
        assert_eq!(warnings.last(), Some(&json!(last)));
    }
}

#[test]
fn the_help_says_how_to_use_it() {
    let help = run(&["lobby", "--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    let parts = [
        "--team-size",
        "--instance",
        "--weights",
        "--objective",
        "--skill-cap",
        "--fewer-matches",
        "--time-limit",
        "--work-limit",
        "--seed",
        "--threads",
        "\"ping_ms\"",
        "id,skill,region",
        "2,000 moves",
        "Exit codes: 0 solved",
        "3 stopped by --time-limit, --work-limit or Ctrl-C",
    ];
    // Wherever lines end.
    let words = help.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in parts {
        assert!(words.contains(part), "{part} is missing in {}", help.stdout);
    }
    assert!(run(&["--help"]).stdout.contains("lobby"));
}

/// Names and texts of the file went to the terminal as they were, however long, and with what moves its cursor.
#[test]
fn what_json_holds_is_repeated_short_and_on_one_line() {
    let long = "x".repeat(70_000);
    for text in [
        format!("{{\"players\": [], \"ping_ms\": \"{long}\"}}"),
        format!("{{\"players\": [{{\"{long}\": 1, \"{long}\": 1}}]}}"),
        "{\"players\": [{\"\\u001b[31m\\nid\": 1, \"\\u001b[31m\\nid\": 1}]}".to_owned(),
    ] {
        let run = piped(text, &["lobby", "-"]);
        run.refused(&["stdin: line 1, column "]);
        assert!(run.stderr.len() < 600, "{} bytes", run.stderr.len());
        assert!(!run.stderr.trim_end().contains(char::is_control), "{}", run.stderr);
    }
}

/// The greatest number was refused for what it is.
#[test]
fn waits_beyond_the_greatest_are_told_what_that_is() {
    let round = |waited: &str| {
        format!("{{\"players\": [{{\"id\": 1, \"skill\": 5, \"region\": \"SA\", \"waited\": {waited}}}]}}")
    };
    for waited in ["4294967296", "-1", "0.5"] {
        piped(round(waited), &["lobby", "-"]).refused(&["waited", "a whole number from 0 to 4294967295"]);
    }
}

/// The whole message was escaped once more, its own quotes included, where a name needed it.
#[test]
fn names_in_the_way_are_escaped_once() {
    let round = "id,skill,region,party\n\"a\nb\",1,SA,\"p\n1\"\n\u{1b}[31mred,2,SA,\"p\n1\"\n";
    let message = r#"party "p\n1" has 2 members (a\nb, \u{1b}[31mred), a team has 1"#;
    let text = piped(round, &["lobby", "-", "--team-size", "1"]);
    assert_eq!(text.code, Some(1));
    assert!(text.stdout.contains(message), "{text:?}");
    let json = piped(round, &["lobby", "-", "--team-size", "1", "--json"]).json();
    let said = json["witness"]["message"].as_str();
    assert!(said.is_some_and(|said| said.contains(message)), "{json}");
}

/// Whatever is called *.json was read to its end before it was looked at.
#[test]
fn json_that_is_none_is_refused_by_its_beginning() {
    let (_directory, path) = file("zeros.json", vec![0; 1 << 20]);
    let path = path.to_str().expect("a path of text");
    run(&["lobby", path]).refused(&["zeros.json: line 1, column 1: expected value"]);
    run(&["simulate", "eomm", "--model", path]).refused(&["zeros.json: line 1, column 1: expected value"]);
}

/// A file was all that was asked for, as if there were no other way.
#[test]
fn a_round_comes_from_a_file_or_by_name() {
    run(&["lobby"]).refused(&["<FILE|--instance <NAME>>"]);
    run(&["lobby", "round.csv", "--instance", "nauts-60-s1"]).refused(&["cannot be used with"]);
}
