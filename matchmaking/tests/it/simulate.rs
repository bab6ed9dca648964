//! `matchmaking simulate eomm`: its contract, the same table for any number of threads, and what is refused.

use std::fs;

use serde_json::Value;

use crate::support::{Run, check_timing, command, file, run, timeless};

const METHODS: [&str; 4] = ["WorstMM", "SkillMM", "RandomMM", "EOMM"];

fn simulate(arguments: &[&str]) -> Value {
    let run = run(&[&["simulate", "eomm", "--json"], arguments].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// `[low, high]` about the mean.
fn interval(of: &Value) -> [f64; 2] {
    let ends = [0, 1].map(|end| number(&of["ci95"][end]));
    assert!(ends[0] <= number(&of["mean"]) && number(&of["mean"]) <= ends[1], "{of}");
    ends
}

#[test]
fn the_table_follows_the_contract_and_the_methods_stand_as_they_must() {
    let options = ["--sizes", "100,60", "--rounds", "60", "--seed", "3", "--states", "2000"];
    let document = simulate(&[&options, &["--threads", "2"][..]].concat());
    assert_eq!(document["schema"], "matchmaking/simulate/1");
    assert_eq!(
        (&document["simulation"], &document["model"]),
        (&"eomm".into(), &"8h".into())
    );
    check_timing(&document);
    let table = document["table"].as_array().expect("rows");
    assert_eq!(table.len(), 8);
    for (k, row) in table.iter().enumerate() {
        assert_eq!(row["method"], METHODS[k % 4]);
        assert_eq!(row["size"], [100, 60][k / 4]);
        assert_eq!(row["paper"].is_null(), k >= 4, "{row}");
        interval(row);
        // The paper's level: 52 of 100, by whatever method.
        let expected = &row["expected"];
        interval(expected);
        let share = number(&expected["mean"]) / number(&row["size"]);
        assert!((share - 0.52).abs() < 0.02, "{row}");
        let error = number(&row["se"]).hypot(number(&expected["se"]));
        assert!(
            (number(&row["mean"]) - number(&expected["mean"])).abs() < 4.0 * error,
            "{row}"
        );
    }
    assert_eq!(table[3]["paper"], 51.9);
    let tests = document["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), 12);
    for test in tests {
        let [low, _] = interval(&test["expected"]);
        interval(&test["sampled"]);
        if test["methods"] != serde_json::json!(["SkillMM", "RandomMM"]) {
            assert!(low > 0.0, "{test}");
        }
        let pools = ["better", "equal", "worse"].map(|key| test["pools"][key].as_u64().expect("a count"));
        assert_eq!(pools.iter().sum::<u64>(), 60);
        assert!((0.0..=1.0).contains(&number(&test["welch"]["p"])));
    }
    let again = simulate(&[&options, &["--threads", "1"][..]].concat());
    assert_eq!(timeless(document.clone()), timeless(again));
    let four = simulate(&[&options, &["--threads", "4"][..]].concat());
    assert_eq!(timeless(document), timeless(four));
}

#[test]
fn seven_days_show_table_1_from_the_population_itself() {
    let document = simulate(&["--model", "7d", "--sizes", "10", "--rounds", "2", "--states", "50000"]);
    let rows = document["churn_by_last_three"].as_array().expect("rows");
    assert_eq!(rows.len(), 27);
    let printed: Vec<&Value> = rows.iter().filter(|row| !row["paper"].is_null()).collect();
    assert_eq!(printed.len(), 10);
    let within = |room: f64| {
        let is_within = |row: &&&Value| {
            let [from, to] = [0, 1].map(|end| number(&row["paper"][end]));
            (from - room..to + room).contains(&number(&row["mean"]))
        };
        printed.iter().filter(is_within).count()
    };
    assert!(within(0.001) >= 8, "{printed:?}");
    for row in &printed {
        let [low, high] = interval(row);
        let error = (high - low) / 3.92;
        let [from, to] = [0, 1].map(|end| number(&row["paper"][end]));
        assert!(
            low < to + 0.0005 + 3.0 * error && high > from - 0.0005 - 3.0 * error,
            "{row}"
        );
    }
    let by_eight_hours = simulate(&["--sizes", "10", "--rounds", "2", "--states", "100"]);
    assert!(by_eight_hours["churn_by_last_three"][0]["paper"].is_null());
}

#[test]
fn a_model_from_a_file_is_what_pools_are_drawn_from() {
    let model = r#"{"schema": "matchmaking/model/1", "horizon": 28800,
        "rating": {"system": "glicko", "rating": 1500, "deviation": 350, "growth": 0},
        "draws": {"share": 0.2, "width": null},
        "counts": {"games": 500, "draws": 100, "players": 40, "observations": 900, "churned": 300},
        "strength": 1, "intercept": -0.7,
        "features": [{"name": "upcoming_loss", "mean": 0.4, "deviation": 0.49, "coefficient": 0.2, "error": 0.08}],
        "states": {"columns": ["rating", "deviation", "outcomes", "games_8h", "games_1d", "games_1w", "games_1m", "hours"],
                   "rows": [[1512.5, 88, "WLD", 1, 3, 3, 3, [20, 9.5, 0.3]], [1400, 70, "WW", 1, 3, 3, 3, []]]}}"#;
    let (_directory, path) = file("model.json", model);
    let path = path.to_str().expect("a path");
    let document = simulate(&["--model", path, "--sizes", "2", "--rounds", "5"]);
    assert_eq!((&document["model"], &document["states"]), (&path.into(), &2.into()));
    // Two players have one pairing.
    for row in document["table"].as_array().expect("rows") {
        assert_eq!(row["expected"]["mean"], document["table"][0]["expected"]["mean"]);
    }
    run(&["simulate", "eomm", "--model", path, "--states", "4"]).refused(&["--states", "its own"]);
    run(&["simulate", "eomm", "--model", path, "--sizes", "4"]).refused(&["4 players", "population of 2"]);
}

#[test]
fn sweeps_and_pictures() {
    let (directory, _path) = file("unused", "");
    let picture = directory.path().join("picture.svg");
    let picture = picture.to_str().expect("a path");
    let options = ["--sizes", "20", "--rounds", "40", "--states", "500", "--plot", picture];
    simulate(&options);
    let svg = fs::read_to_string(picture).expect("a picture");
    assert!(svg.starts_with("<svg") && METHODS.iter().all(|method| svg.contains(method)));
    let document = simulate(&[&options, &["--sweep", "risks"][..]].concat());
    let svg = fs::read_to_string(picture).expect("a picture");
    assert!(svg.contains("EOMM, 20 players") && !svg.contains("RandomMM"), "{svg}");
    let points = document["sweep"]["points"].as_array().expect("points");
    let gains: Vec<f64> = points
        .iter()
        .map(|point| number(&point["tests"][1]["expected"]["mean"]))
        .collect();
    // Where no result changes a risk, nothing can be gained; the more it does, the more can.
    assert_eq!((gains.len(), number(&points[0]["factor"])), (7, 0.0));
    // But for the grid of a millionth.
    assert!(gains[0] < 1e-4 && gains.is_sorted(), "{gains:?}");
    let text = run(&[
        "simulate", "eomm", "--sizes", "20", "--rounds", "4", "--sweep", "ratings",
    ])
    .stdout;
    assert!(
        text.contains("beyond chance, with ratings spread by a factor"),
        "{text}"
    );
}

#[test]
fn text_shows_the_paper_beside_the_simulation() {
    let text = run(&[
        "simulate", "eomm", "--sizes", "100,10", "--rounds", "4", "--model", "7d",
    ])
    .stdout;
    for part in [
        "mean of 4 rounds",
        "EOMM - SkillMM",
        "Welch's t",
        "\nLLL ",
        "2.6 - 2.7",
        "played in",
    ] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    // The paper's Table 2 is about eight hours.
    assert!(!text.contains("51.90"), "{text}");
    let eight_hours = run(&["simulate", "eomm", "--sizes", "100,10", "--rounds", "4"]).stdout;
    assert!(eight_hours.contains("51.90"), "{eight_hours}");
}

#[test]
fn limits_leave_what_was_played() {
    let eomm = |arguments: &[&str]| {
        let options = ["simulate", "eomm", "--sizes", "20,10", "--states", "500", "--rounds"];
        run(&[&options[..], arguments].concat())
    };
    // 500 units for a round of each size.
    let limited = eomm(&["50", "--work-limit", "3400", "--json"]);
    assert_eq!((limited.code, limited.stderr.as_str()), (Some(3), ""), "{limited:?}");
    let limited = timeless(limited.json());
    assert_eq!(
        (&limited["stopped"], &limited["rounds"]),
        (&"work-limit".into(), &50.into())
    );
    let few = timeless(eomm(&["6", "--json"]).json());
    assert_eq!(few["stopped"], Value::Null);
    assert_eq!((&limited["table"], &limited["tests"]), (&few["table"], &few["tests"]));
    assert_eq!(limited["table"][0]["rounds"], 6);
    // What the rounds leave goes to the sweep: enough for two factors, and not for a third one.
    let swept = eomm(&["6", "--sweep", "risks", "--work-limit", "10000", "--json"]);
    assert_eq!(swept.code, Some(3), "{swept:?}");
    let swept = swept.json();
    let factors = swept["sweep"]["points"].as_array().expect("points").iter();
    assert_eq!(
        factors.map(|point| number(&point["factor"])).collect::<Vec<_>>(),
        [0.0, 0.25]
    );
    assert_eq!(swept["table"], few["table"]);

    let directory = tempfile::TempDir::new().expect("a directory");
    let picture = directory.path().join("none.svg");
    let picture = picture.to_str().expect("a path");
    let none = eomm(&[
        "50",
        "--time-limit",
        "0",
        "--json",
        "--sweep",
        "risks",
        "--plot",
        picture,
    ]);
    assert_eq!(none.code, Some(4), "{none:?}");
    // Nothing said so, and a picture of another run may still be there.
    assert!(
        none.stderr
            .contains("warning: --plot draws nothing: no round was played"),
        "{none:?}"
    );
    let none = none.json();
    assert_eq!(
        (&none["stopped"], &none["table"]),
        (&"time-limit".into(), &serde_json::json!([]))
    );
    assert!(!fs::exists(picture).expect("a folder"));

    let text = eomm(&["50", "--work-limit", "3000"]).stdout;
    assert!(
        text.contains("stopped by the work-limit; rounds that were played: 6 of 20 players, 6 of 10"),
        "{text}"
    );
    let text = eomm(&["50", "--work-limit", "499"]).stdout;
    assert!(
        text.contains("stopped by the work-limit before any round was played"),
        "{text}"
    );
}

/// The rounds, which were all played, stood there as what was cut short, above a table without a row.
#[test]
fn factors_that_were_played_are_named() {
    let eomm = |work: &str| {
        let options = ["--sizes", "20", "--rounds", "5", "--sweep", "risks", "--work-limit"];
        run(&[&["simulate", "eomm"], &options[..], &[work]].concat()).stdout
    };
    let text = eomm("6000");
    let said = "\nstopped by the work-limit; factors of the sweep that were played: 0, 0.25\n\nmethod";
    assert!(text.contains(said) && text.contains("spread by a factor"), "{text}");
    let text = eomm("2000");
    let said = "\nstopped by the work-limit before any factor of the sweep was played\n\nmethod";
    assert!(text.contains(said) && !text.contains("spread by a factor"), "{text}");
    let text = eomm("1999");
    assert!(text.contains("; rounds that were played: 4 of 20 players\n"), "{text}");
}

/// A hundred states were said to be of fewer than 40 players, where a limit had left one round.
#[test]
fn one_part_of_the_states_is_no_small_population() {
    let eomm = |states: &str, limit: &[&str]| {
        let options = ["simulate", "eomm", "--sizes", "20", "--rounds", "5", "--states", states];
        run(&[&options[..], limit].concat()).stdout
    };
    let few = "20 players: the states are of fewer than 40 players, so nothing is known of other pools";
    assert!(eomm("39", &[]).contains(few));
    let text = eomm("100", &["--work-limit", "500"]);
    let one = "20 players: the rounds are of one part of the states, so nothing is known of other pools";
    assert!(text.contains(one) && !text.contains(few), "{text}");
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let eomm = |arguments: &[&str]| run(&[&["simulate", "eomm", "--states", "1000"], arguments].concat());
    eomm(&["--sizes", "101"]).refused(&["101 players", "even number of players from 2"]);
    eomm(&["--sizes", "0"]).refused(&["0 players"]);
    eomm(&["--sizes", "100,100"]).refused(&["asked for twice"]);
    eomm(&["--sizes", "many"]).refused(&["--sizes", "many"]);
    eomm(&["--rounds", "0"]).refused(&["--rounds: 0 rounds", "2 to"]);
    eomm(&["--sizes", "1002"]).refused(&["--sizes: 1002 players", "population of 1000"]);
    let model = |name: &str| run(&["simulate", "eomm", "--model", name]);
    model("9d").refused(&["9d", "8h, 7d"]);
    model("").refused(&["--model"]);
    eomm(&["--sweep", "weather"]).refused(&["--sweep", "ratings, risks"]);
    eomm(&["--sizes", "10", "--plot", "/no/such/folder/x.svg"]).refused(&["/no/such/folder/x.svg"]);
    let (_directory, path) = file("model.json", "{}");
    model(path.to_str().expect("a path")).refused(&["model.json"]);
    // A name in another encoding was no file's, as it is for `pair`.
    #[cfg(unix)]
    {
        let name: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"none\xff.json");
        let mut program = command(&["simulate", "eomm", "--model"]);
        let refused: Run = program.arg(name).output().expect("the program starts").into();
        refused.refused(&["--model: none\u{fffd}.json: No such file"]);
    }
    run(&["simulate"]).refused(&["eomm"]);
    run(&["simulate", "chess"]).refused(&["chess"]);
}

/// More states than any memory holds ended the program by a signal.
#[test]
fn too_many_states_are_refused() {
    run(&[
        "simulate",
        "eomm",
        "--sizes",
        "10",
        "--rounds",
        "2",
        "--states",
        "99999999999",
    ])
    .refused(&["--states", "20000000"]);
}
