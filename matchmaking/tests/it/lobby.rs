//! `matchmaking lobby`: its contract, for rounds of which matches can be made.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::fs;

use matchmaking::lobby::Round;
use serde_json::{Value, json};

use crate::support::{Run, file, piped, run, timeless};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/round.csv");

/// The round without what CSV files do not hold: pings, connections and former matches.
fn csv(round: &Round) -> String {
    let mut text = "id,skill,party,region,waited\n".to_owned();
    for player in round.players() {
        let party = player.party.as_deref().unwrap_or_default();
        let region = player.region.as_deref().unwrap_or_default();
        let (id, skill, waited) = (&player.id, player.skill, player.waited);
        writeln!(text, "{id},{skill},{party},{region},{waited}").expect("texts grow");
    }
    text
}

fn synthetic(n: usize) -> Round {
    Round::synthetic(n, 1, 3).expect("a round")
}

/// Runs `lobby - --json ARGUMENTS`.
fn lobby(input: &str, arguments: &[&str]) -> Run {
    piped(input, &[&["lobby", "-", "--json"], arguments].concat())
}

/// The result of `lobby - --json --work-limit 2000 ARGUMENTS`.
fn found(input: &str, arguments: &[&str]) -> Value {
    let run = lobby(input, &[&["--work-limit", "2000"], arguments].concat());
    // A search among very few players ends before the limit.
    assert!(matches!(run.code, Some(0 | 3)) && run.stderr.is_empty(), "{run:?}");
    run.json()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn the_shipped_round_is_what_the_generator_makes() {
    let generated = csv(&synthetic(32));
    if std::env::var_os("BLESS").is_some() {
        fs::write(SHIPPED, &generated).expect("the shipped round");
    }
    let shipped = fs::read_to_string(SHIPPED).expect("the shipped round");
    assert!(shipped == generated, "make it anew with BLESS=1");
    let run = run(&["lobby", SHIPPED, "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let document = run.json();
    assert_eq!(
        (&document["status"], &document["stopped"]),
        (&"feasible".into(), &Value::Null)
    );
    assert_eq!(
        (list(&document, "matches").len(), list(&document, "waiting").len()),
        (5, 2)
    );
}

#[test]
fn keys_stand_in_the_order_of_the_contract() {
    let run = lobby(&csv(&synthetic(14)), &["--work-limit", "500"]);
    let keys = [
        "schema",
        "status",
        "score",
        "breakdown",
        "matches",
        "red",
        "blue",
        "waiting",
        "engine",
        "seed",
        "work",
        "stopped",
        "warnings",
        "seconds",
        "timing",
        "parse",
        "costs",
        "solve",
        "verify",
        "write",
    ];
    run.in_order("lobby", &keys);
    assert_eq!(run.json()["status"], "feasible");
}

#[test]
fn everybody_has_one_place_and_parties_share_it() {
    let round = synthetic(45);
    let document = found(&csv(&round), &[]);
    let mut places = HashMap::new();
    let sides = list(&document, "matches")
        .iter()
        .flat_map(|one| [list(one, "red"), list(one, "blue")]);
    for (place, side) in sides.chain([list(&document, "waiting")]).enumerate() {
        assert!(place == 14 || side.len() == 3, "{side:?}");
        for id in side {
            let id = id.as_str().expect("ids of CSV are texts");
            assert!(places.insert(id, place).is_none(), "{id} is in two places");
        }
    }
    assert_eq!(places.len(), 45);
    for party in round.parties() {
        let shared: HashSet<usize> = party.iter().map(|&i| places[round.players()[i].id.as_str()]).collect();
        assert_eq!(shared.len(), 1, "{party:?}");
    }
}

#[test]
fn scores_are_weighted_means() {
    let input = csv(&synthetic(32));
    let names = [
        "team_skill",
        "player_skill",
        "premade",
        "enemy_ping",
        "variation",
        "servers",
        "company",
    ];
    let weights = ["--weights", "team-skill=5,servers=0", "--skill-cap", "12000"];
    let document = found(&input, &weights);
    let expected = [5.0, 2.0, 1.0, 3.0, 0.3, 0.0, 0.0];
    let given = names.map(|name| number(&document["weights"], name));
    assert_eq!((given, number(&document, "skill_cap")), (expected, 12_000.0));
    let score = |scored: &Value| {
        let parts = names
            .iter()
            .zip(expected)
            .map(|(name, weight)| weight * number(&scored["breakdown"], name));
        parts.sum::<f64>() / expected.iter().sum::<f64>()
    };
    let matches = list(&document, "matches");
    for scored in matches.iter().chain([&document]) {
        assert!((score(scored) - number(scored, "score")).abs() < 1e-9, "{scored}");
    }
    let scores: Vec<f64> = matches.iter().map(|one| number(one, "score")).collect();
    assert!((scores.iter().sum::<f64>() / 5.0 - number(&document, "score")).abs() < 1e-9);
    assert_eq!(scores.into_iter().reduce(f64::min), document["worst"].as_f64());

    let pings = "team-skill=0,player-skill=0,premade=0,variation=0,servers=0";
    let document = found(&input, &["--weights", pings]);
    assert!((number(&document, "score") - number(&document["breakdown"], "enemy_ping")).abs() < 1e-9);
    // Nobody is below a cap of one point, so all skills are equal.
    let document = found(&input, &["--skill-cap", "1"]);
    assert_eq!(number(&document["breakdown"], "player_skill"), 1.0);
    assert_eq!(number(&document, "skill_floor"), 0.0);
    // Nor is anybody above such a floor.
    let document = found(&input, &["--skill-floor", "30000", "--skill-cap", "40000"]);
    assert_eq!(number(&document["breakdown"], "player_skill"), 1.0);
    assert_eq!(number(&document, "skill_floor"), 30_000.0);
}

#[test]
fn objectives_ask_for_different_things() {
    let input = csv(&synthetic(60));
    let ask = |objective: &str| {
        let run = lobby(&input, &["--objective", objective, "--work-limit", "20000"]);
        assert_eq!(run.code, Some(3), "{run:?}");
        run.json()
    };
    let [mean, roots, worst] = ["mean", "sqrt", "min-then-mean"].map(ask);
    assert_eq!((&mean["value"], &worst["value"]), (&mean["score"], &worst["score"]));
    let matches = list(&roots, "matches");
    let root = matches.iter().map(|one| number(one, "score").sqrt()).sum::<f64>() / matches.len() as f64;
    assert!((root - number(&roots, "value")).abs() < 1e-9, "{roots}");
    assert!(
        mean["matches"] != worst["matches"] && worst["problem"] == "min-then-mean",
        "{worst}"
    );
    assert!(number(&worst, "worst") > number(&mean, "worst"), "{worst} {mean}");
}

#[test]
fn json_and_csv_of_the_same_round_are_the_same() {
    let round = synthetic(20);
    let players: Vec<Value> = (round.players().iter())
        .map(|player| {
            json!({"id": player.id, "skill": player.skill, "party": player.party, "region": player.region,
                   "waited": player.waited})
        })
        .collect();
    let from_csv = found(&csv(&round), &[]);
    let mut from_json = timeless(found(&json!({ "players": players }).to_string(), &[]));
    assert_eq!(
        (&from_json["format"], &from_csv["format"]),
        (&"json".into(), &"csv".into())
    );
    from_json["format"] = "csv".into();
    assert_eq!(from_json, timeless(from_csv));
}

#[test]
fn a_written_round_is_read_with_pings_and_history() {
    let round = Round::named("nauts-60-s1").expect("an instance");
    let mut json = Vec::new();
    round.write_json(&mut json).expect("a vector takes everything");
    let (_directory, path) = file("round.json", json);
    let path = path.to_str().expect("a plain path");
    let ask = |source: &[&str]| {
        let run = run(&[&["lobby", "--json", "--work-limit", "2000"], source].concat());
        assert_eq!(run.code, Some(3), "{run:?}");
        let mut document = timeless(run.json());
        document.as_object_mut().expect("an object").remove("format");
        document
    };
    let from_file = ask(&[path]);
    assert_eq!(from_file, ask(&["--instance", "nauts-60-s1"]));
    assert!(number(&from_file["breakdown"], "variation") < 1.0);
}

#[test]
fn ids_are_echoed_as_the_input_writes_them() {
    let players = "{\"id\": 7, \"skill\": 1}, {\"id\": \"8\", \"skill\": 2}, {\"id\": -3, \"skill\": 3}";
    let json = format!("\u{feff} {{\"players\": [{players}], \"ping_ms\": [[0,9,9],[9,0,9],[9,9,0]]}}");
    let document = found(&json, &["--team-size", "1"]);
    let one = &list(&document, "matches")[0];
    let mut ids = [list(one, "red"), list(one, "blue"), list(&document, "waiting")].concat();
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [json!("8"), json!(-3), json!(7)]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    // Where somebody else could play, one search goes on from what another has found.
    let [free, limited] = [48, 51].map(|players| csv(&synthetic(players)));
    let cases: [(&str, &[&str]); 2] = [(&free, &[]), (&limited, &["--ping-limit", "300", "--fewer-matches"])];
    let engines = ["auto", "climb", "cached-climb", "annealing", "population"];
    for (engine, (input, limits)) in engines.iter().flat_map(|engine| cases.map(|case| (*engine, case))) {
        let ask = |threads: &str| {
            let arguments = [
                "--engine",
                engine,
                "--threads",
                threads,
                "--work-limit",
                "6000",
                "--seed",
                "3",
            ];
            let run = lobby(input, &[&arguments, limits].concat());
            assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
            let end = run.stdout.find(",\"seconds\":").expect("times stand last");
            run.stdout[..end].to_owned()
        };
        let alone = ask("1");
        assert!(
            engine == "auto" || alone.contains(&format!("\"engine\":\"{engine}\",\"seed\":3,")),
            "{alone}"
        );
        assert!(alone == ask("2") && alone == ask("4"), "{engine}");
    }
}

#[test]
fn limits_of_the_command_line_end_with_code_3() {
    let input = csv(&synthetic(24));
    for (limit, value) in [("--work-limit", "0"), ("--work-limit", "900"), ("--time-limit", "0")] {
        let run = lobby(&input, &[limit, value]);
        assert_eq!(run.code, Some(3), "{limit} {value}: {run:?}");
        assert_eq!(run.json()["stopped"], limit.trim_start_matches("--"));
        assert_eq!(list(&run.json(), "matches").len(), 4);
    }
    let run = lobby(&input, &[]);
    assert_eq!((run.code, &run.json()["stopped"]), (Some(0), &Value::Null));
    // Whether the limit comes before the end is left to the clock, but the code says what the key says.
    let run = lobby(&input, &["--time-limit", "0.05"]);
    let code = if run.json()["stopped"].is_null() { 0 } else { 3 };
    assert_eq!(run.code, Some(code), "{run:?}");
}

#[test]
fn larger_teams_and_players_who_wait() {
    let run = run(&[
        "lobby",
        "--instance",
        "nauts-60-s1",
        "--team-size",
        "5",
        "--work-limit",
        "2000",
        "--json",
    ]);
    let document = run.json();
    let matches = list(&document, "matches");
    assert_eq!((matches.len(), &document["team_size"]), (6, &5.into()));
    assert!(
        matches
            .iter()
            .all(|one| list(one, "red").len() == 5 && list(one, "blue").len() == 5)
    );

    // Three against three: one of seven waits, and it is the one who never did.
    let mut input = "id,skill,region,waited\n".to_owned();
    for i in 0..7 {
        writeln!(input, "p{i},{}00,EU-W,{}", 80 + i, u32::from(i != 4)).expect("texts grow");
    }
    assert_eq!(list(&found(&input, &[]), "waiting"), [json!("p4")]);
}

#[test]
fn the_table_begins_with_the_worst_match() {
    let (_directory, path) = file("r.csv", csv(&synthetic(32)));
    let path = path.to_str().expect("a plain path");
    let text = run(&["lobby", path, "--work-limit", "2000"]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].ends_with("r.csv: 32 players, matches of 3 against 3"),
        "{text}"
    );
    let header = "match red blue score team-skill player-skill premade enemy-ping variation servers weakest rule";
    assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>().join(" "), header);
    let score = |line: &str| {
        let cell = line
            .split_whitespace()
            .find(|cell| cell.starts_with("0.") && cell.len() == 6);
        cell.map(str::to_owned)
            .unwrap_or_else(|| panic!("no score in {line:?} of {text}"))
    };
    let scores: Vec<String> = lines[4..9].iter().map(|line| score(line)).collect();
    assert!(scores.is_sorted(), "{scores:?}");
    let (mean, worst) = (score(lines[9]), &scores[0]);
    assert!(lines[9].trim_start().starts_with("mean "), "{text}");
    assert_eq!(lines[11], format!("5 matches, mean score {mean}, worst {worst}"));
    assert!(lines[12].starts_with("2 players wait: p"), "{text}");
    assert!(
        lines[13].contains("status feasible: the search was stopped by the work-limit"),
        "{text}"
    );
    assert!(
        lines[14].starts_with("engine ") && lines[14].contains(", seed 0, 20") && lines[14].contains(" moves, "),
        "{text}"
    );
    for line in &lines[4..10] {
        assert!(line.contains(" (-0."), "{line} names no weakest rule");
    }
}

/// A round of two matches of two against two as JSON; only these pairs cannot connect.
fn strict(pairs: &[(usize, usize)]) -> String {
    let players: Vec<Value> = (0..8)
        .map(|i| json!({"id": format!("p{i}"), "skill": 100 * i}))
        .collect();
    let rows = |value: &dyn Fn(usize, usize) -> Value| -> Vec<Vec<Value>> {
        (0..8).map(|i| (0..8).map(|j| value(i, j)).collect()).collect()
    };
    let pings = rows(&|i, j| json!(if i / 4 == j / 4 { 20 } else { 500 }));
    let reach = rows(&|i, j| json!(!pairs.contains(&(i, j)) && !pairs.contains(&(j, i))));
    json!({"players": players, "ping_ms": pings, "can_connect": reach}).to_string()
}

#[test]
fn whoever_can_be_the_server_is_named() {
    let pings = [
        "--team-size",
        "2",
        "--weights",
        "enemy-ping=100,servers=0",
        "--work-limit",
        "2000",
    ];
    // In the first match nobody reaches everybody, in the second only p6 and p7 do.
    let input = strict(&[(0, 1), (2, 3), (4, 5)]);
    let document = found(&input, &pings[..4]);
    for one in list(&document, "matches") {
        let is_first = [list(one, "red"), list(one, "blue")].concat().contains(&json!("p0"));
        let expected = if is_first { json!([]) } else { json!(["p6", "p7"]) };
        assert_eq!(one["hosts"], expected, "{one}");
    }
    let text = |input: &str| piped(input, &[&["lobby", "-"], &pings[..]].concat()).stdout;
    let said = text(&input);
    assert!(said.contains("nobody, so that nobody can be the server\n"), "{said}");
    assert!(said.contains(": p6, p7\n"), "{said}");
    let open = text(&strict(&[]));
    assert!(
        open.ends_with("servers: in every match anybody can connect with everybody, and so be the server\n"),
        "{open}"
    );
    let mixed = text(&strict(&[(0, 1), (2, 3)]));
    assert!(mixed.contains(": anybody\n") && mixed.contains(": nobody, "), "{mixed}");
}

#[test]
fn results_go_where_they_are_asked_for() {
    let (directory, path) = file("round.csv", csv(&synthetic(12)));
    let out = directory.path().join("matches.json");
    let [path, out] = [&path, &out].map(|path| path.to_str().expect("a plain path"));
    let run = run(&["lobby", path, "--json", "-o", out]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let written: Value = serde_json::from_str(&fs::read_to_string(out).expect("a result")).expect("JSON");
    assert_eq!(list(&written, "matches").len(), 2);
}

/// Numbers near the greatest float were written with all their 309 digits.
#[test]
fn very_great_numbers_have_exponents() {
    let input = "id,skill,region\na,1e300,EU-W\nb,-9.5e299,EU-W\nc,1,EU-W\nd,2,EU-W\n";
    let limits = ["--ping-limit", "1e308", "--ping-growth", "2.5e307"];
    let run = piped(
        input,
        &[&["lobby", "-", "--team-size", "2", "--fairness"], &limits[..]].concat(),
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    for part in [
        "no ping above 1e308 ms and 2.5e307 ms for each round waited\n",
        "\nskill 1.000000e300 ",
        "\nskill -9.500000e299 ",
        "\nskill 2 ",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
    }
    // The difference of two finite skills was infinite.
    assert!(!run.stdout.contains("inf"), "{}", run.stdout);
    assert!(
        run.stdout.lines().all(|line| line.chars().count() < 130),
        "{}",
        run.stdout
    );
}
