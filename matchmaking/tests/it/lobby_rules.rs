//! `matchmaking lobby --rules`: rules from a file, options beside them, and what is wrong with either.

use matchmaking::lobby::{LobbySearch, Round, Rules};
use serde_json::{Value, json};

use crate::support::{file, piped, run, timeless};

const LIMITED: [&str; 5] = ["lobby", "--instance", "nauts-60-s1", "--work-limit", "3000"];

fn with(rules: &str, options: &[&str]) -> Value {
    let (_folder, path) = file("rules.json", rules);
    let path = path.to_str().expect("a plain path");
    let mut document = timeless(run(&[&LIMITED[..], &["--json", "--rules", path], options].concat()).json());
    document.as_object_mut().expect("an object").remove("rules");
    document
}

fn without(options: &[&str]) -> Value {
    timeless(run(&[&LIMITED[..], &["--json"], options].concat()).json())
}

/// The object that the help shows as what holds by default.
fn defaults() -> String {
    let help = run(&["lobby", "--help"]).stdout;
    let start = help.find("{\"team_size\"").expect("an example");
    let end = start + help[start..].find("\"longest-wait\"}").expect("its end");
    help[start..end].to_owned() + "\"longest-wait\"}"
}

#[test]
fn the_file_of_the_help_changes_nothing() {
    let text = defaults();
    assert_eq!(Rules::read_json(text.as_bytes()).expect("rules"), Rules::new(3));
    assert_eq!(with(&text, &[]), without(&[]));
    assert_eq!(with("{}", &[]), without(&[]));
}

#[test]
fn the_library_has_the_same_answer() {
    let text = r#"{"weights": {"premade": 9, "servers": 0}, "team_curve": {"power": {"exponent": 2}},
        "ping_range": [30, 250], "server_rule": "required", "objective": {"power": {"exponent": 0.5}}}"#;
    let found = with(text, &[]);
    let (round, rules) = (
        Round::named("nauts-60-s1").expect("a name"),
        Rules::read_json(text.as_bytes()),
    );
    let lobby = LobbySearch::new(&round, &rules.expect("rules"))
        .work(3000)
        .run()
        .expect("matches");
    assert_eq!(found["score"], json!(lobby.breakdown.total));
    assert_eq!(found["value"], json!(lobby.total.mean));
    assert_eq!(found["problem"], "power");
    assert_ne!(found["score"], without(&[])["score"]);
    let (_folder, path) = file("rules.json", text);
    let path = path.to_str().expect("a plain path");
    let text = run(&[&LIMITED[..], &["--rules", path]].concat()).stdout;
    assert!(text.contains(", mean power "), "{text}");
    let whole = run(&[&LIMITED[..], &["--json", "--rules", path]].concat()).json();
    assert_eq!(whole["rules"]["ping_range"], json!([30.0, 250.0]));
    assert_eq!(whole["rules"]["met"], json!({"changed": 0.4, "same": 0.0}));
}

#[test]
fn options_come_before_the_file() {
    let text = r#"{"team_size": 3, "weights": {"team_skill": 5, "servers": 2}, "skill_cap": 900, "skill_floor": 100,
        "ping_limit": 100, "objective": "sqrt"}"#;
    let weights = "team-skill=5,servers=7";
    let options = [
        "--team-size",
        "5",
        "--weights",
        "servers=7",
        "--skill-cap",
        "18000",
        "--skill-floor",
        "0",
        "--ping-limit",
        "900",
        "--ping-growth",
        "3",
        "--objective",
        "mean",
    ];
    let alone = [
        "--team-size",
        "5",
        "--weights",
        weights,
        "--ping-limit",
        "900",
        "--ping-growth",
        "3",
    ];
    assert_eq!(with(text, &options), without(&alone));
    // A limit of the file may grow by the option.
    let grown = with(text, &["--ping-growth", "3", "--fewer-matches"]);
    assert_eq!(
        (&grown["ping_limit"], &grown["ping_growth"]),
        (&json!(100.0), &json!(3.0))
    );
}

#[test]
fn company_counts_what_the_file_says() {
    let round = "id,skill,region,dislike\na,1,EU-W,b\nb,1,EU-W,\nc,1,EU-W,\nd,1,EU-W,\n";
    let company = |arguments: &[&str]| {
        let arguments = [&["lobby", "-", "--team-size", "2", "--json"], arguments].concat();
        piped(round, &arguments).json()["weights"]["company"].clone()
    };
    let (_folder, empty) = file("rules.json", "{}");
    let (_other, some) = file("rules.json", "{\"weights\": {\"company\": 2}}");
    let (empty, some) = (empty.to_str().expect("plain"), some.to_str().expect("plain"));
    assert_eq!(company(&[]), json!(3.0));
    assert_eq!(company(&["--rules", empty]), json!(0.0));
    assert_eq!(company(&["--rules", some]), json!(2.0));
    assert_eq!(company(&["--rules", some, "--weights", "company=5"]), json!(5.0));
}

#[test]
fn what_is_wrong_is_said() {
    let (_folder, path) = file("rules.json", "{\n\"team_sise\": 3}");
    let path = path.to_str().expect("a plain path");
    run(&[&LIMITED[..], &["--rules", path]].concat())
        .refused(&["rules.json: line 2, column 11: unknown field `team_sise`"]);
    piped("{\"skill_cap\": -1}", &[&LIMITED[..], &["--rules", "-"]].concat()).refused(&["stdin: ", "skill_cap"]);
    piped("", &["lobby", "-", "--rules", "-"]).refused(&["--rules: the round comes from stdin already"]);
    run(&[&LIMITED[..], &["--rules", "nowhere.json"]].concat()).refused(&["nowhere.json"]);
    run(&[&LIMITED[..], &["--ping-growth", "3"]].concat())
        .refused(&["--ping-growth: there is no ping limit", "--ping-limit"]);
    let (_folder, path) = file("rules.json", "{\"skill_floor\": 500}");
    let path = path.to_str().expect("a plain path");
    run(&[&LIMITED[..], &["--rules", path, "--skill-cap", "300"]].concat()).refused(&["--rules", "skill_floor"]);
    run(&[&LIMITED[..], &["--rules", path, "-o", path]].concat()).refused(&["-o", "would write over"]);
}
