//! `matchmaking advise`: its contract, its answers, and everything that can be wrong with its input.

use std::fs;

use serde_json::Value;

use crate::support::{Run, check_timing, file, piped, run};

/// Teams of five, each fourth player high.
const MARKET: [&str; 5] = ["advise", "--team-size", "5", "--high-share", "1/4"];

fn advise(arguments: &[&str]) -> Vec<Value> {
    answers(&run(&[&["advise", "--json"], arguments].concat()))
}

fn answers(run: &Run) -> Vec<Value> {
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let document = run.json();
    assert_eq!(document["schema"], "matchmaking/advise/1");
    document["recommendations"].as_array().expect("an array").clone()
}

/// A figure's exact value.
fn exact<'a>(answer: &'a Value, name: &str) -> &'a str {
    let figures = answer["figures"].as_array().expect("figures");
    let figure = figures.iter().find(|figure| figure["name"] == name);
    let figure = figure.unwrap_or_else(|| panic!("no {name} in {answer}"));
    figure["value"]["exact"].as_str().expect("an exact value")
}

#[test]
fn keys_and_types_are_those_of_the_contract() {
    let run = run(&[&MARKET[..], &["--alpha", "2", "--json"]].concat());
    let first = "{\"schema\":\"matchmaking/advise/1\",\"recommendations\":[{\"rule\":\"greedy-or-patient\",\"value\":\"patient\",\
                 \"formula\":\"Theorem 3.3: ";
    assert!(
        run.stdout.starts_with(first) && run.stdout.lines().count() == 1,
        "{}",
        run.stdout
    );
    for answer in answers(&run) {
        assert!(answer["formula"].is_string() && answer["band"].is_null());
        check_verdict(&answer["verdict"]);
        for figure in answer["figures"].as_array().expect("figures") {
            assert!(figure["name"].is_string() && figure["unit"].is_string(), "{figure}");
            assert!(
                figure["value"]["float"].is_number() && figure["value"]["exact"].is_string(),
                "{figure}"
            );
            if figure["formula"].is_null() {
                assert!(figure["printed"].is_null() && figure["verdict"].is_null(), "{figure}");
            } else {
                check_verdict(&figure["verdict"]);
            }
        }
    }
}

fn check_verdict(verdict: &Value) {
    let word = verdict.as_str().expect("every formula has a verdict");
    assert!(["holds", "holds-as-read", "does-not-hold"].contains(&word), "{word}");
}

#[test]
fn the_threshold_parts_greedy_from_patient() {
    // 1 / (1 - (1/2)^10) = 1024/1023.
    for (alpha, value) in [
        ("1", "greedy"),
        ("1024/1023", "either"),
        ("1.001", "patient"),
        ("0", "greedy"),
    ] {
        let answers = advise(&[&MARKET[1..], &["--alpha", alpha]].concat());
        assert_eq!((answers.len(), &answers[0]["value"]), (1, &value.into()), "{alpha}");
        assert_eq!(exact(&answers[0], "alpha_star"), "1024/1023");
        assert_eq!(exact(&answers[0], "cost_patient"), "5");
    }
}

#[test]
fn penalties_in_minutes_grow_with_the_arrivals() {
    // Half a minute is the wait for 1/2 R arrivals.
    for (rate, value) in [("1", "greedy"), ("3", "patient")] {
        let options = ["--alpha-minutes", "0.5", "--arrivals", rate];
        let answers = advise(&[&MARKET[1..], &options].concat());
        assert_eq!(answers[0]["value"], value, "{rate}");
    }
    let answers = advise(&[&MARKET[1..], &["--alpha", "1", "--arrivals", "10"]].concat());
    assert_eq!(
        (exact(&answers[0], "wait_greedy"), exact(&answers[0], "wait_patient")),
        ("9/20", "1/2")
    );
}

#[test]
fn a_single_skill_needs_no_patience() {
    let answers = advise(&["--team-size", "2", "--high-share", "1", "--alpha", "1000000"]);
    assert_eq!(answers[0]["value"], "either");
    assert_eq!(exact(&answers[0], "cost_patient"), "3/2");
    let star = &answers[0]["figures"][1];
    assert_eq!((&star["name"], &star["printed"]), (&"alpha_star".into(), &Value::Null));
    assert!(star["value"]["float"].is_null() && star["value"]["exact"].is_null());
}

#[test]
fn equilibria_of_all_four_kinds_are_found() {
    // With n = 1 the threshold is 1 / (1 - (2q - 1)^2): 1 at q = 1/2, 25/9 at q = 9/10.
    let cases = [
        ("0.9", "0.5", "2", "greedy or patient"),
        ("0.9", "0.9", "2", "greedy"),
        ("0.5", "0.5", "2", "patient"),
        ("0.5", "0.9", "2", "none"),
    ];
    for (greedy, patient, alpha, value) in cases {
        let options = [
            "--team-size",
            "1",
            "--q-greedy",
            greedy,
            "--q-patient",
            patient,
            "--alpha",
            alpha,
        ];
        let answers = advise(&options);
        assert_eq!((answers.len(), &answers[0]["rule"]), (1, &"equilibria".into()));
        assert_eq!(answers[0]["value"], value, "{greedy} {patient}");
    }
}

/// The case that is cited is that of the printed conditions, and they are about two types of players and alpha >= 1.
#[test]
fn the_case_that_is_cited_is_the_one_the_paper_has() {
    let cases = [
        ("0.5", "0", "2", "patient", "there is no equilibrium if neither"),
        ("0.9", "1", "2", "greedy or patient", "if only (*) holds"),
        ("0.9", "0.5", "2", "greedy or patient", "when (*) and (**) hold"),
        ("0.5", "0.5", "2", "patient", "if only (**) holds"),
        ("0.5", "0.5", "1/2", "greedy", "if alpha < 1"),
        ("0.5", "0", "1/2", "greedy or patient", "if alpha < 1"),
    ];
    for (greedy, patient, alpha, value, case) in cases {
        let shares = ["--q-greedy", greedy, "--q-patient", patient, "--alpha", alpha];
        let answers = advise(&[&["--team-size", "1"], &shares[..]].concat());
        let answer = &answers[0];
        assert_eq!(answer["value"], value, "{answer}");
        let formula = answer["formula"].as_str().expect("a formula");
        assert!(formula.contains(case), "{answer}");
        if ["0", "1"].contains(&patient) {
            assert_eq!(answer["verdict"], "holds-as-read", "{answer}");
            assert!(
                answer["correction"]
                    .as_str()
                    .is_some_and(|text| text.contains("q_p = 0"))
            );
        }
        let figures = answer["figures"].as_array().expect("figures");
        let is_star = |figure: &Value| figure["formula"].as_str().is_some_and(|text| text.starts_with("(*"));
        assert_eq!(figures.iter().any(is_star), alpha == "2", "{answer}");
    }
}

/// Ten ratings, five of them far above.
const RATINGS: &str = "name,rating\na,1\nb,2\nc,3\nd,4\ne,5\nf,101\ng,102\nh,103\ni,104\nj,105\n";

#[test]
fn bands_of_ratings_are_answered_one_by_one() {
    let (_directory, path) = file("ratings.csv", RATINGS);
    let path = path.to_str().expect("a path");
    let base = ["--team-size", "1", "--alpha", "1.02", "--ratings", path];
    let bands = advise(&[&base[..], &["--bands", "2"]].concat());
    let of = |answer: &Value| ["from", "to", "players", "split", "high"].map(|key| answer["band"][key].as_f64());
    assert_eq!(bands.len(), 2);
    assert_eq!(of(&bands[0]), [1.0, 5.0, 5.0, 3.0, 2.0].map(Some));
    assert_eq!(of(&bands[1]), [101.0, 105.0, 5.0, 103.0, 2.0].map(Some));
    // q = 2/5: 1 / (1 - (1/5)^2) = 25/24.
    assert_eq!(
        (exact(&bands[0], "alpha_star"), &bands[0]["value"]),
        ("25/24", &"greedy".into())
    );
    assert_eq!(advise(&[&base[..], &["--band-width", "100"]].concat()).len(), 2);
    assert_eq!(advise(&[&base[..], &["--band-width", "50"]].concat()).len(), 2);
    assert_eq!(advise(&base).len(), 3);
    let split = advise(&[&base[..], &["--bands", "1", "--split", "0.9"]].concat());
    assert_eq!(of(&split[0]), [1.0, 105.0, 10.0, 104.0, 1.0].map(Some));
}

#[test]
fn rare_bands_have_less_patience() {
    let crowd: String = (0..90).map(|rating| format!("{rating}\n")).collect();
    let few: String = (0..10).map(|rating| format!("{}\n", 1000 + rating)).collect();
    let arguments = [
        "advise",
        "--json",
        "--ratings",
        "-",
        "--team-size",
        "3",
        "--alpha-minutes",
        "1",
        "--arrivals",
        "5",
        "--band-width",
        "500",
    ];
    let answers = answers(&piped(format!("rating\n{crowd}{few}"), &arguments));
    let values: Vec<&Value> = answers.iter().map(|answer| &answer["value"]).collect();
    assert_eq!(values, ["patient", "greedy"]);
    assert_eq!(
        (exact(&answers[0], "alpha"), exact(&answers[1], "alpha")),
        ("9/2", "1/2")
    );
}

#[test]
fn text_names_rule_answer_and_formula() {
    let run = run(&[&MARKET[..], &["--alpha", "2"]].concat());
    assert_eq!(run.code, Some(0));
    for part in [
        "greedy or patient: patient\n  Theorem 3.3: ",
        "alpha star",
        "= 1024/1023",
        "\n1 recommendation in ",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
    }
    let arguments = [
        "advise",
        "--ratings",
        "-",
        "--team-size",
        "5",
        "--alpha",
        "1",
        "--bands",
        "2",
    ];
    let banded = piped(RATINGS, &arguments).stdout;
    assert!(
        banded.starts_with("greedy or patient, by bands of rating\n"),
        "{banded}"
    );
    assert!(banded.contains("   101  105        5  greedy"), "{banded}");
    let words: Vec<&str> = banded.split_whitespace().collect();
    assert!(words.join(" ").contains("one arrival in the band itself"), "{banded}");
}

#[test]
fn a_file_gets_what_stdout_would_get() {
    let (directory, _path) = file("unused", "");
    let out = directory.path().join("out.json");
    let out = out.to_str().expect("a path");
    let arguments = [&MARKET[..], &["--alpha", "1", "--json"]].concat();
    let written = run(&[&arguments[..], &["-o", out]].concat());
    assert_eq!(
        (written.code, written.stdout.as_str(), written.stderr.as_str()),
        (Some(0), "", "")
    );
    let written: Value = serde_json::from_str(&fs::read_to_string(out).expect("written")).expect("JSON");
    assert_eq!(written["recommendations"], run(&arguments).json()["recommendations"]);
    check_timing(&written);
    run(&[&arguments[..], &["-o", "/no/such/folder/out"]].concat()).refused(&["cannot be written"]);
}

#[test]
fn questions_without_their_options_are_refused() {
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["no question was asked", "--help"]),
        (&["--team-size", "5"], &["--team-size", "answers nothing alone"]),
        (&["--arrivals", "5"], &["--arrivals", "answers nothing alone"]),
        (&["--team-size", "5", "--high-share", "0.3"], &["--alpha"]),
        (
            &["--team-size", "5", "--high-share", "0.3", "--alpha-minutes", "1"],
            &["--arrivals"],
        ),
        (
            &["--team-size", "5", "--alpha", "1", "--q-greedy", "0.3"],
            &["--q-patient"],
        ),
        (&["--high-share", "0.3", "--alpha", "1"], &["--team-size"]),
        (&["--bands", "3"], &["--ratings"]),
    ];
    for (arguments, parts) in cases {
        run(&[&["advise"], *arguments].concat()).refused(parts);
    }
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let cases: &[(&str, &str, &str)] = &[
        ("--arrivals", "-1", "greater than 0"),
        ("--arrivals", "0", "greater than 0"),
        ("--arrivals", "NaN", "not a number"),
        ("--arrivals", "inf", "not a number"),
        ("--arrivals", "1e999", "too many digits; at most 38 fit"),
        ("--high-share", "-0.1", "between 0 and 1"),
        ("--high-share", "1.01", "between 0 and 1"),
        ("--high-share", "nan", "not a number"),
        ("--high-share", "1/0", "divides by zero"),
        ("--alpha", "-1e-9", "must not be negative"),
        ("--team-size", "0", "not a whole number from 1 to 64"),
        ("--team-size", "-3", "--team-size"),
        ("--team-size", "2.5", "not a whole number"),
        ("--team-size", "1000000", "not a whole number from 1 to 64"),
        ("--bands", "0", "from 1 to 200"),
        ("--band-width", "0", "greater than 0"),
        ("--split", "2", "between 0 and 1"),
    ];
    for (option, value, part) in cases {
        run(&["advise", option, value]).refused(&[option, part]);
    }
}

#[test]
fn files_of_ratings_that_are_wrong_are_refused() {
    let cases: &[(&str, &[&str])] = &[
        ("", &["line 1", "the file is empty", "column `rating`"]),
        ("id,elo\na,1\n", &["line 1", "column `rating` is missing", "id,elo"]),
        ("rating\n", &["line 1", "no player"]),
        ("id,rating\na,1\nb,x\n", &["line 3, column rating", "\"x\""]),
        ("id,rating\na,NaN\n", &["line 2, column rating", "NaN"]),
        ("id,rating\na\n", &["line 2, column rating", "ends before"]),
    ];
    for (content, parts) in cases {
        let (_directory, path) = file("skills.csv", content);
        let path = path.to_str().expect("a path");
        let refused = run(&["advise", "--team-size", "2", "--alpha", "1", "--ratings", path]);
        refused.refused(&[&["skills.csv: "], *parts].concat());
    }
    let market = ["advise", "--team-size", "2", "--alpha", "1", "--ratings"];
    run(&[&market[..], &["/no/such/file"]].concat()).refused(&["/no/such/file"]);
    let arguments = [&market[..], &["-", "--band-width", "0.1"]].concat();
    let many: String = (0..300).map(|rating| format!("{rating}\n")).collect();
    piped(format!("rating\n{many}"), &arguments).refused(&["--band-width", "300 bands"]);
}
