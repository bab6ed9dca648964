//! `fit`, and `pair` by what it made.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use matching_core::Cost;
use matchmaking::fit::{SyntheticLog, write_csv};
use matchmaking::{ChurnModel, EngagementCost, FittedModel, Outcome, Pool};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{POOL, file, pair, pair_json, piped, run, timeless};

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/matches.csv");

/// A log that was fitted: where the model is, and the report.
struct Fitted {
    model: PathBuf,
    report: Value,
    picture: String,
    _directory: TempDir,
}

/// The shipped log, fitted once.
static FITTED: LazyLock<Fitted> = LazyLock::new(|| Fitted::from(SHIPPED));

/// A log that takes a third of the time, for what any log shows.
static SMALL: LazyLock<Small> = LazyLock::new(|| {
    let mut text = Vec::new();
    write_csv(&SyntheticLog::new(60, 1).games(SMALL_GAMES), &mut text).expect("a vector takes everything");
    let (_directory, path) = file("matches.csv", &text);
    let path = path.to_str().expect("a path in UTF-8").to_owned();
    Small {
        text: String::from_utf8(text).expect("UTF-8"),
        fitted: Fitted::from(&path),
        path,
        _directory,
    }
});

const SMALL_GAMES: usize = 600;

struct Small {
    text: String,
    path: String,
    fitted: Fitted,
    _directory: TempDir,
}

impl Fitted {
    fn from(log: &str) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let (model, picture) = (directory.path().join("model.json"), directory.path().join("fit.svg"));
        let paths = [&model, &picture].map(|path| path.to_str().expect("a path in UTF-8").to_owned());
        let run = run(&[
            "fit",
            log,
            "-o",
            &paths[0],
            "--plot",
            &paths[1],
            "--json",
            "--threads",
            "1",
        ]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        Self {
            report: run.json(),
            picture: fs::read_to_string(picture).expect("a picture"),
            model,
            _directory: directory,
        }
    }
}

fn model() -> FittedModel {
    FittedModel::read(fs::File::open(&FITTED.model).expect("a model")).expect("what fit writes can be read")
}

#[test]
fn the_shipped_log_is_what_the_generator_makes() {
    let mut generated = Vec::new();
    write_csv(&SyntheticLog::new(100, 1).games(1_500), &mut generated).expect("a vector takes everything");
    let shipped = fs::read(SHIPPED).expect("the shipped log");
    assert!(
        shipped == generated,
        "make it anew: cargo run -p matchmaking --example make_log -- 1500 --players 100 --seed 1"
    );
}

#[test]
fn the_report_has_what_the_contract_says() {
    let report = &FITTED.report;
    assert_eq!(report["schema"], "matchmaking/fit/1");
    let number = |key: &str| report[key].as_f64().unwrap_or_else(|| panic!("{key} in {report}"));
    assert_eq!(
        (number("used"), number("skipped"), number("players")),
        (1_500.0, 0.0, 100.0)
    );
    assert_eq!(number("observations") + number("censored"), 3_000.0);
    assert_eq!(number("churn_rate"), number("churned") / number("observations"));
    assert_eq!(report["auc_by_fold"].as_array().map(Vec::len), Some(5));
    assert!(
        (0.5..1.0).contains(&number("auc"))
            && number("auc_se") < 0.1
            && number("log_loss") < number("log_loss_constant")
    );
    let sum = |key: &str| {
        let rows = report[key].as_array().expect("an array");
        rows.iter()
            .map(|row| row["count"].as_f64().expect("a count"))
            .sum::<f64>()
    };
    assert_eq!(sum("calibration"), number("observations"));
    assert_eq!(sum("by_last_three") + number("short_history"), number("observations"));
    assert_eq!(report["by_last_three"].as_array().map(Vec::len), Some(27));
    let model = model();
    assert_eq!(model.horizon(), 28_800.0);
    assert_eq!(report["states"].as_u64(), Some(model.states().len() as u64));
    assert!(FITTED.picture.starts_with("<svg") && FITTED.picture.contains("Stopping"));
}

#[test]
fn a_log_under_other_names_gives_the_same_model_on_any_number_of_threads() {
    let renamed =
        SMALL.text.replacen("time,player_a", "end,p1", 1) + "2026-03-01T00:00:00Z,player0001,player0001,1,0\n";
    let (_directory, path) = file("model.json", "");
    let path = path.to_str().expect("a path in UTF-8");
    let arguments = [
        "fit",
        "-",
        "-o",
        path,
        "--columns",
        "time=end,player_a=p1",
        "--threads",
        "3",
        "--json",
    ];
    let again = piped(renamed, &arguments);
    assert_eq!(again.code, Some(0), "{again:?}");
    let (mut one, mut other) = (timeless(SMALL.fitted.report.clone()), timeless(again.json()));
    assert_eq!(
        (&other["skipped"], &other["skipped_because"]["same_player"]),
        (&1.into(), &1.into())
    );
    for report in [&mut one, &mut other] {
        let report = report.as_object_mut().expect("an object");
        report.retain(|key, _| !["skipped", "skipped_because", "model"].contains(&key.as_str()));
    }
    assert_eq!(one, other);
    let bytes = [path.into(), SMALL.fitted.model.clone()].map(|path| fs::read(path).expect("a model"));
    assert_eq!(bytes[0], bytes[1]);
}

#[test]
fn the_report_for_people_goes_where_it_is_asked_for() {
    let (_directory, report) = file("report.txt", "");
    let path = report.to_str().expect("a path in UTF-8");
    let (_folder, pool) = file("pool.csv", "");
    let pool_path = pool.to_str().expect("a path in UTF-8");
    let run = run(&[
        "fit",
        &SMALL.path,
        "--horizon",
        "480m",
        "--report",
        path,
        "--players",
        pool_path,
    ]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    let text = fs::read_to_string(report).expect("a report");
    for part in [
        "600 games of 60 players, horizon 480m",
        "AUC 0.",
        "95 % by player",
        "standard errors are by player",
        "the strength of the penalty was chosen on the same players",
        "upcoming_loss_after_loss",
        "WWW",
        "draws: ",
    ] {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
    let players = Pool::read_csv(fs::File::open(pool).expect("a pool")).expect("what fit writes can be read");
    assert_eq!((players.len(), players.players()[0].id.as_str()), (60, "player0024"));
}

/// From a log to pairs in which hardly anybody meets whom he has just met.
#[test]
fn recent_opponents_of_a_log_can_be_kept_apart() {
    let (_folder, pool) = file("pool.csv", "");
    let path = pool.to_str().expect("a path in UTF-8");
    let fitted = run(&["fit", &SMALL.path, "--players", path, "--opponents", "12", "--json"]);
    assert_eq!(fitted.code, Some(0), "{fitted:?}");
    let players = Pool::read_csv(fs::File::open(&pool).expect("a pool")).expect("what fit writes can be read");
    for player in players.players() {
        // Rows are in the order of time: the two players follow it.
        let games = SMALL
            .text
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect::<Vec<_>>());
        let met = games.filter_map(|row| match (row[1], row[2]) {
            (one, other) if one == player.id => Some(other.to_owned()),
            (one, other) if other == player.id => Some(one.to_owned()),
            _ => None,
        });
        let all: Vec<String> = met.collect();
        let mut last: Vec<String> = Vec::new();
        for other in all.into_iter().rev().take(12) {
            if !last.contains(&other) {
                last.push(other);
            }
        }
        assert_eq!(player.opponents, last, "{}", player.id);
    }
    let met = |price: &str| {
        let run = run(&["pair", path, "--json", "--rematch-cost", price]);
        run.json()["rematches"]["pairs"].as_array().expect("pairs").len()
    };
    assert!(met("0") > 0 && met("1") == 0, "{} and {}", met("0"), met("1"));
    run(&["fit", SHIPPED, "--opponents", "2"]).refused(&["--players"]);
    run(&["fit", SHIPPED, "--players", path, "--opponents", "0"]).refused(&["--opponents", "0"]);
}

/// Copies of rows were used without a word, and so was a late time that left no game to be judged later.
#[test]
fn rows_that_spoil_a_fit_are_warned_of() {
    let text = &SMALL.text;
    let rows: Vec<&str> = text.lines().collect();
    let copied = [&rows[..], &rows[1..11]].concat().join("\n");
    let run = piped(copied.clone(), &["fit", "-"]);
    let parts = [
        "10 rows of the same two players at the same time",
        "the first on line 602 (see line 2)",
        "remove the copies",
    ];
    for part in parts {
        assert!(run.stderr.contains(part), "{part:?} is missing in {}", run.stderr);
    }
    assert!(run.code == Some(0) && run.stdout.contains("610 games") && run.stdout.contains("repeated: 10 rows"));
    let quiet = piped(copied, &["fit", "-", "--quiet", "--json"]);
    assert_eq!(quiet.stderr, "");
    // JSON had no word of it.
    let warnings = quiet.json()["warnings"].clone();
    assert!(
        warnings.to_string().contains("the first on line 602 (see line 2)"),
        "{warnings}"
    );
    assert_eq!(SMALL.fitted.report["warnings"], serde_json::json!([]));
    // A day without hyphens was one in 1970, without a word.
    let compact = piped(format!("{text}20260417,player0001,player0002,1,0\n"), &["fit", "-"]);
    for part in [
        "the time on line 602 is a number where the first game has a date",
        "numbers are seconds since 1970, and so is 20260417: write all times in one form",
    ] {
        assert!(compact.stderr.contains(part), "{}", compact.stderr);
    }
    let late = piped(
        format!("{text}2031-01-01T00:00:00Z,player0001,player0002,1,0\n"),
        &["fit", "-"],
    );
    assert!(
        late.code == Some(0) && late.stderr.contains("hours later than all before it"),
        "{}",
        late.stderr
    );
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let header = "time,player_a,player_b,score_a,score_b\n";
    piped(format!("{header}1,Ann,Ben,1,2\n"), &["fit", "-"]).refused(&["stdin: too little", "200 are needed"]);
    piped(format!("{header}soon,Ann,Ben,1,2\n"), &["fit", "-"]).refused(&["stdin: line 2, column time", "ISO 8601"]);
    let missing =
        "stdin: line 1: column \"time\" is missing among \"a,b\"; name the one that holds time, by --columns time=NAME";
    piped("a,b\n", &["fit", "-"]).refused(&[missing]);
    for horizon in ["8", "-1h"] {
        piped(header, &["fit", "-", "--horizon", horizon]).refused(&["--horizon", "like 8h or 7d"]);
    }
    for long in ["1e9w", "1e300d", "1e-320s"] {
        piped(format!("{header}1,Ann,Ben,1,2\n"), &["fit", "-", "--horizon", long])
            .refused(&["--horizon", "no more than a hundred years"]);
    }
    // It was said to have to be above 0, which it is.
    for short in ["1e-7s", "1e-300s"] {
        piped(format!("{header}1,Ann,Ben,1,2\n"), &["fit", "-", "--horizon", short])
            .refused(&["--horizon", "at least a microsecond"]);
    }
    piped(header, &["fit", "-", "--columns", "when=end"]).refused(&["\"when\" is no column of a log"]);
    run(&["fit", "no/such/log.csv"]).refused(&["no/such/log.csv"]);
    run(&["fit", SHIPPED, "-o", "no/such/folder/model.json"]).refused(&["no/such/folder/model.json"]);
}

#[test]
fn pools_are_paired_by_the_model() {
    let path = FITTED.model.to_str().expect("a path in UTF-8");
    let document = pair_json(POOL, &["--model", path, "--explain", "Ann,Cho"]);
    let (model, pool) = (model(), Pool::read_csv(POOL.as_bytes()).expect("a pool"));
    let cost = EngagementCost::new(&pool, &model.outcome_model(), &model).expect("probabilities");
    for row in document["pairs"].as_array().expect("pairs") {
        let at = |side: usize| pool.position(row[side].as_str().expect("an id")).expect("a player");
        let expected = cost.pair(at(0), at(1)) as f64 / 1e6;
        assert!((row[2].as_f64().expect("a cost") - expected).abs() < 1e-9, "{row}");
    }
    assert_eq!(document["model"]["horizon"], 28_800.0);
    // The pool has no counts of games.
    let warnings = document["warnings"].to_string();
    assert!(
        warnings.contains("\\\"games_8h\\\" is unknown for 6 of 6 players"),
        "{warnings}"
    );
    assert!(warnings.contains("nobody has 10 outcomes"), "{warnings}");
    // Outcomes and risks are the model's, and drivers add up to the logit.
    let explain = &document["explain"];
    let terms = explain["terms"].as_array().expect("terms");
    let ann = &pool.players()[0];
    for (term, outcome) in terms.iter().zip(Outcome::ALL) {
        assert_eq!(term["churn_a"].as_f64(), Some(model.after(ann, outcome)));
    }
    let features = explain["drivers"][0]["features"].as_array().expect("features");
    let state: f64 = features
        .iter()
        .map(|feature| feature["effect"].as_f64().expect("a number"))
        .sum();
    let all = model.coefficients();
    let upcoming = all
        .iter()
        .filter(|term| term.name.starts_with("upcoming") && term.deviation > 0.0);
    let at_a_win: f64 = upcoming
        .map(|term| -term.coefficient * term.mean / term.deviation)
        .sum();
    let risk = model.after(ann, Outcome::Win);
    let logit = (risk / (1.0 - risk)).ln();
    assert!((model.intercept() + state + at_a_win - logit).abs() < 1e-9);
    let text = pair(POOL, &["--model", path, "--explain", "Ann,Cho"]);
    assert!(text.stdout.contains("what drives the risk of Cho"), "{}", text.stdout);
    assert!(
        text.stderr.contains("players of its log with as many outcomes"),
        "{}",
        text.stderr
    );
}

#[test]
fn models_that_do_not_fit_the_question_are_refused() {
    let path = FITTED.model.to_str().expect("a path in UTF-8");
    pair("2 1\n0 1 1\n", &["--model", path]).refused(&["--model", "only for CSV pools"]);
    pair(POOL, &["--model", "-"]).refused(&["--model", "stdin"]);
    pair(POOL, &["--model", SHIPPED]).refused(&["matches.csv", "a model is what `matchmaking fit -o` writes"]);
    pair(POOL, &["--model", "no/such/model.json"]).refused(&["no/such/model.json"]);
}

/// It gave NaN for players, and the pool's file was blamed, or none.
#[test]
fn a_model_that_gives_no_number_is_refused_by_its_file() {
    let text = fs::read_to_string(&FITTED.model).expect("a model");
    let mut model: Value = serde_json::from_str(&text).expect("JSON");
    for (position, coefficient) in [(0, 1e308), (1, -1e308)] {
        let feature = &mut model["features"][position];
        feature["mean"] = (-1e308).into();
        feature["deviation"] = 1e-300.into();
        feature["coefficient"] = coefficient.into();
    }
    let (_directory, path) = file("wild.json", model.to_string());
    let path = path.to_str().expect("a path in UTF-8");
    let said = ["wild.json: features[0].coefficient is 1e308; it must be small enough"];
    pair(POOL, &["--model", path]).refused(&said);
    run(&["simulate", "eomm", "--model", path, "--sizes", "10", "--rounds", "10"]).refused(&said);
}

/// The picture took the place of the model, which was said to be written.
#[test]
fn two_outputs_to_one_file_are_refused() {
    let (_directory, path) = file("both", "");
    let path = path.to_str().expect("a path in UTF-8");
    run(&["fit", SHIPPED, "-o", path, "--plot", path]).refused(&["--plot", "-o writes to the same file"]);
    run(&["fit", SHIPPED, "--players", path, "--plot", path]).refused(&["--plot", "--players"]);
}

/// The report took the place of the model; and a file under another name was another file.
#[test]
fn the_report_and_other_names_of_a_file_count_as_well() {
    let (directory, old) = file("old", "");
    let name = |name: &str| {
        directory
            .path()
            .join(name)
            .to_str()
            .expect("a path in UTF-8")
            .to_owned()
    };
    let (old, new, other) = (old.to_str().expect("a path in UTF-8"), name("new"), name("./new"));
    let same = "writes to the same file";
    run(&["fit", SHIPPED, "-o", old, "--report", old]).refused(&["-o", "--report", same]);
    run(&["fit", SHIPPED, "-o", &new, "--report", &other]).refused(&["-o", "--report", same]);
    run(&["group", "x", "-o", &new, "--plot", &other]).refused(&["--plot", "-o", same]);
    run(&["simulate", "eomm", "-o", &new, "--plot", &other]).refused(&["--plot", "-o", same]);
    run(&["simulate", "online", "-o", &new, "--plot", &other]).refused(&["--plot", "-o", same]);
    #[cfg(unix)]
    {
        let link = name("link");
        std::os::unix::fs::symlink(old, &link).expect("a link");
        run(&["fit", SHIPPED, "-o", old, "--players", &link]).refused(&["--players", "-o", same]);
    }
    assert!(fs::read(old).is_ok_and(|content| content.is_empty()) && fs::metadata(new).is_err());
}

/// `-o -` wrote a file of that name.
#[test]
fn the_model_can_go_to_stdout_if_the_report_does_not() {
    let (_directory, report) = file("report.json", "");
    let path = report.to_str().expect("a path in UTF-8");
    let run_to_stdout = run(&["fit", &SMALL.path, "-o", "-", "--report", path, "--threads", "1"]);
    assert_eq!((run_to_stdout.code, run_to_stdout.stderr.as_str()), (Some(0), ""));
    let model = fs::read_to_string(&SMALL.fitted.model).expect("a model");
    assert!(run_to_stdout.stdout == model, "{:.100}", run_to_stdout.stdout);
    let said = fs::read_to_string(path).expect("a report");
    assert!(said.contains("model written to stdout with "), "{said}");
    let both = "the report goes to stdout as well";
    run(&["fit", SHIPPED, "-o", "-"]).refused(&["-o", both, "--report"]);
    run(&["fit", SHIPPED, "--players", "-", "--report", "-"]).refused(&["--players", both, "--report"]);
    run(&["fit", SHIPPED, "-o", "-", "--players", "-", "--report", path])
        .refused(&["--players", "-o writes to stdout"]);
    run(&["group", "x", "--plot", "-"]).refused(&["--plot", both, "by -o"]);
}

/// Folds went by the players' first lines, so that a log from last to first had another AUC and another model.
#[test]
fn lines_may_stand_in_any_order() {
    let (header, rows) = SMALL.text.split_once('\n').expect("a header");
    let backwards: Vec<&str> = std::iter::once(header).chain(rows.lines().rev()).collect();
    let (_directory, path) = file("model.json", "");
    let path = path.to_str().expect("a path in UTF-8");
    let run = piped(backwards.join("\n"), &["fit", "-", "-o", path, "--json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let (mut one, mut other) = (timeless(SMALL.fitted.report.clone()), timeless(run.json()));
    assert_eq!(other["moved"], SMALL_GAMES - 1);
    for report in [&mut one, &mut other] {
        let report = report.as_object_mut().expect("an object");
        report.retain(|key, _| !["moved", "model"].contains(&key.as_str()));
    }
    assert_eq!(one, other);
    assert!(fs::read(path).expect("a model") == fs::read(&SMALL.fitted.model).expect("a model"));
}
