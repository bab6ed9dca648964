//! `matchmaking simulate online` against its contract.

use serde_json::Value;

use crate::support::{check_timing, file, run, timeless};

const SMALL: [&str; 6] = ["simulate", "online", "--arrivals", "400", "--replications", "3"];

fn simulated(arguments: &[&str]) -> Value {
    let run = run(&[&SMALL[..], &["--json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    let json = run.json();
    check_timing(&json);
    timeless(json)
}

/// With numbers of arrivals and replications of its own.
fn studied(arguments: &[&str]) -> Value {
    let run = run(&[&["simulate", "online", "--json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    timeless(run.json())
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn table_and_averages_hold_what_they_should() {
    let report = simulated(&["--policy", "ticks:1"]);
    assert_eq!(
        (report["schema"].as_str(), report["simulation"].as_str()),
        (Some("matchmaking/simulate/1"), Some("online"))
    );
    let table = report["table"].as_array().expect("rows");
    // Eight policies and the optimum on six patterns.
    assert_eq!(table.len(), 9 * 6);
    for row in table {
        let (mean, interval) = (number(&row["mean"]), &row["ci95"]);
        assert!(number(&interval[0]) <= mean && mean <= number(&interval[1]), "{row}");
        assert!(number(&row["of_optimum"]["mean"]) >= 1.0 - 1e-9, "{row}");
    }
    // The ranking of the paper's Table 3 shows in short runs already.
    let averages = report["averages"].as_array().expect("averages");
    let scaled: Vec<f64> = averages.iter().map(|row| number(&row["scaled_cost"]["mean"])).collect();
    assert!(
        scaled[0] > scaled[1] && scaled[1] > scaled[2] && scaled[1] > scaled[3],
        "{scaled:?}"
    );
    let paper: Vec<Option<f64>> = averages.iter().map(|row| row["paper"].as_f64()).collect();
    assert_eq!(paper[..4], [Some(2.04), Some(1.64), Some(1.41), Some(1.39)]);
    let printed: Vec<&Value> = report["sweeps"]
        .as_array()
        .expect("rows")
        .iter()
        .filter(|row| row["paper"].is_number())
        .collect();
    let policies: Vec<&str> = printed.iter().filter_map(|row| row["policy"].as_str()).collect();
    assert_eq!(policies, ["periodic:4", "multi-queue:6"]);
}

/// They stood beside other patterns and other waits, too.
#[test]
fn figures_of_the_paper_stand_beside_what_they_are_of() {
    let papers = |arguments: &[&str]| {
        let report = simulated(arguments);
        ["averages", "sweeps"].map(|rows| {
            let rows = report[rows].as_array().expect("rows").iter();
            rows.filter(|row| row["paper"].is_number()).count()
        })
    };
    assert_eq!(papers(&["--patterns", "0..20,0..6,10,0..2,3,1"]), [4, 2]);
    // Its Table 3 is a mean over six patterns, and its longest wait is 5.
    assert_eq!(papers(&["--patterns", "10,0..2"]), [0, 2]);
    assert_eq!(papers(&["--patterns", "10", "--tau-max", "2"]), [0, 0]);
    assert_eq!(papers(&["--tau-max", "2"]), [0, 0]);
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let one = simulated(&["--patterns", "2,0..4", "--threads", "1", "--seed", "7"]);
    assert_eq!(
        one,
        simulated(&["--patterns", "2,0..4", "--threads", "3", "--seed", "7"])
    );
    assert_ne!(one, simulated(&["--patterns", "2,0..4", "--seed", "8"]));
}

/// Seeds went by the place in the list.
#[test]
fn a_pattern_comes_out_the_same_whichever_others_are_played() {
    let of = |patterns: &str| {
        let report = simulated(&["--patterns", patterns]);
        let rows = report["table"].as_array().expect("rows").clone();
        rows.into_iter().filter(|row| row["pattern"] == "2").collect::<Vec<_>>()
    };
    let alone = of("2");
    assert_eq!(alone.len(), 8);
    assert_eq!(alone, of("0..4,2"));
}

/// Once the time is over, arrivals of replications that are not played are not drawn: here that would take days.
#[test]
fn what_is_not_played_any_more_is_not_drawn() {
    let options = ["simulate", "online", "--json", "--time-limit", "0"];
    let largest = [
        "--arrivals",
        "10000000",
        "--replications",
        "10000",
        "--floor",
        "20000000",
    ];
    let run = run(&[&options[..], &largest].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(4), ""), "{run:?}");
    assert_eq!(run.json()["replications_played"], 0);
}

#[test]
fn limits_leave_the_replications_that_were_played() {
    let options = [
        "simulate",
        "online",
        "--arrivals",
        "300",
        "--patterns",
        "3,0..6",
        "--json",
    ];
    let online = |arguments: &[&str]| run(&[&options[..], arguments].concat());
    // 32 policies with parameters and all 36, and the optimum, on 300 arrivals of two patterns.
    let of_one_each = 300 * 2 * (32 + 36 + 1);
    let limit = (4 * of_one_each - 1).to_string();
    let limited = online(&["--replications", "9", "--work-limit", &limit]);
    assert_eq!((limited.code, limited.stderr.as_str()), (Some(3), ""), "{limited:?}");
    let limited = timeless(limited.json());
    assert_eq!(
        (
            &limited["stopped"],
            &limited["replications"],
            &limited["replications_played"]
        ),
        (&"work-limit".into(), &9.into(), &3.into())
    );
    let few = timeless(online(&["--replications", "3"]).json());
    assert!(few["stopped"].is_null() && few["replications_played"].is_null());
    for key in ["table", "averages", "tests", "sweeps"] {
        assert_eq!(limited[key], few[key], "{key}");
    }
    let none = online(&["--time-limit", "0", "--floor", "1000"]);
    assert_eq!(none.code, Some(4), "{none:?}");
    let none = none.json();
    assert_eq!(
        (&none["stopped"], &none["replications_played"]),
        (&"time-limit".into(), &0.into())
    );
    assert_eq!(
        (&none["table"], &none["floors"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    // One has no spread.
    let one = online(&["--work-limit", &of_one_each.to_string()]);
    assert_eq!(
        (one.code, &one.json()["replications_played"]),
        (Some(4), &1.into()),
        "{one:?}"
    );
    let text = run(&["simulate", "online", "--time-limit", "0"]).stdout;
    assert!(text.contains("stopped by the time-limit after 0 of them"), "{text}");
    // It stood between a title and its table, or behind a title without one.
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn text_and_pictures() {
    let (_directory, path) = file("figure.svg", "");
    let path = path.to_str().expect("a path");
    let text = run(&[&SMALL[..], &["--patterns", "1,5", "--plot", path]].concat());
    assert_eq!(text.code, Some(0), "{text:?}");
    for part in [
        "cost per game",
        "Table 3",
        "A_MQ, adaptive",
        "slack less A_DW at rate 5",
    ] {
        assert!(text.stdout.contains(part), "{part:?} in {}", text.stdout);
    }
    let picture = std::fs::read_to_string(path).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("Cost per game at rate 5") && picture.contains("A_DW"));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, part) in [
        (&["--patterns", "0"][..], "is no pattern"),
        (&["--patterns", "3..5"], "is no pattern"),
        (&["--patterns", "3,0..4,3.0"], "3 appears twice"),
        (
            &["--patterns", "30", "--arrivals", "100", "--floor", "1000"],
            "1000 states are too few",
        ),
        (&["--policy", "best"], "is no policy"),
        (&["--arrivals", "5"], "100"),
        (&["--tau-max", "-1"], "positive"),
        (&["--policy", "ticks:0"], "--policy"),
        (&["--policy", "multi-queue:2000000"], "--policy"),
        (&["--tau-max", "1e-300", "--arrivals", "100"], "--tau-max"),
        (&["--patterns", "1e-320", "--arrivals", "100"], "--patterns"),
        (
            &["--patterns", "0..3", "--arrivals", "100", "--plot", "figure.svg"],
            "constant rates",
        ),
        (
            &["--patterns", "0..3", "--arrivals", "100", "--floor", "5000"],
            "constant rates",
        ),
    ] {
        run(&[&["simulate", "online"], arguments].concat()).refused(&[part]);
    }
}

/// Both were "ticks", and an object had room for one.
#[test]
fn policies_of_one_kind_are_told_apart() {
    let report = simulated(&[
        "--policy",
        "ticks:1",
        "--policy",
        "ticks:2",
        "--policy",
        "slack",
        "--patterns",
        "2",
    ]);
    let averages = report["averages"].as_array().expect("averages");
    let names: Vec<&str> = averages.iter().filter_map(|row| row["algorithm"].as_str()).collect();
    assert_eq!(names[6..], ["slack", "ticks:1", "ticks:2"]);
}

/// The best parameter was chosen and reported on the same replications: over these seeds the mean of what was reported was
/// below the cost of every parameter.
#[test]
fn parameters_are_chosen_by_other_replications() {
    let runs: Vec<Value> = (0..40)
        .map(|seed| {
            let seed = seed.to_string();
            let options = [
                "--patterns",
                "3",
                "--arrivals",
                "100",
                "--replications",
                "2",
                "--threads",
                "1",
            ];
            let run = run(&[&["simulate", "online", "--json", "--seed", &seed], &options[..]].concat());
            assert_eq!(run.code, Some(0), "{run:?}");
            run.json()
        })
        .collect();
    let mean = |rows: &str, is_wanted: &dyn Fn(&Value) -> bool| {
        let each = runs.iter().flat_map(|run| run[rows].as_array().expect("rows"));
        let found = each.filter(|row| is_wanted(row));
        found.map(|row| row["mean"].as_f64().expect("a cost")).sum::<f64>() / runs.len() as f64
    };
    for algorithm in ["A_PM", "A_MQ", "A_DW"] {
        let reported = mean("table", &|row| row["algorithm"] == algorithm);
        let parameters = runs[0]["sweeps"].as_array().expect("rows").iter();
        let parameters = parameters
            .filter(|row| row["algorithm"] == algorithm)
            .map(|row| &row["policy"]);
        let costs = parameters.map(|policy| mean("sweeps", &|row| row["policy"] == *policy));
        let least = costs.fold(f64::INFINITY, f64::min);
        assert!(reported >= least, "{algorithm}: {reported} {least}");
    }
}

/// The advice was to count times from a later moment, or in a greater unit: they follow from rates here, and nobody counts
/// them. What is written there now has an answer.
#[test]
fn the_advice_on_waits_that_are_lost_in_rounding_was_for_another_command() {
    let small = ["simulate", "online", "--arrivals", "100", "--replications", "2"];
    let with = |arguments: &[&str]| run(&[&small[..], arguments].concat());
    for (pattern, short, long) in [
        ("1e-300", "5", "1e302"),
        ("3", "1e-300", "5"),
        ("0..1e-20", "2", "1e22"),
    ] {
        let refused = with(&["--patterns", pattern, "--tau-max", short]);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        let message = refused.stderr.trim_end();
        assert!(
            message.contains("--tau-max: ") && message.lines().count() == 1,
            "{message}"
        );
        assert!(
            message.ends_with("write a longer one, or greater rates in --patterns"),
            "{message}"
        );
        assert_eq!(with(&["--patterns", pattern, "--tau-max", long]).code, Some(0));
    }
    let refused = with(&["--patterns", "1e-300", "--tau-max", "1.7976931348623157e308"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("write a shorter one, or greater rates"),
        "{refused:?}"
    );
}

/// A rate of 1e-300 was a row of 300 zeros, in each line of each table.
#[test]
fn rates_were_written_out_digit_by_digit() {
    let arguments = ["--patterns", "1e-300,0..1e300,3", "--tau-max", "1e302"];
    let small = ["simulate", "online", "--arrivals", "100", "--replications", "2"];
    let text = run(&[&small[..], &arguments].concat());
    assert_eq!(text.code, Some(0), "{text:?}");
    assert!(text.stdout.lines().all(|line| line.chars().count() < 200), "{text:?}");
    for name in ["\n1e-300 ", "\n0..1e300 ", "\n3 ", " at rate 0..1e300, "] {
        assert!(text.stdout.contains(name), "{name}: {text:?}");
    }
}

fn mean_of(report: &Value, rows: &str, policy: &str) -> f64 {
    let rows = report[rows].as_array().expect("rows");
    let row = rows.iter().find(|row| row["policy"] == policy);
    number(&row.unwrap_or_else(|| panic!("{policy} in {report}"))["mean"])
}

/// Formula (2) for `A_G` and (7) for `A_MQ`, with weights `f_d` and ranges `r_d`: where many come, `τ_max` hardly counts.
#[test]
fn games_of_any_size_by_any_criteria_cost_what_formulas_say() {
    for (players, weights, ranges) in [
        (2, &[2.0][..], &[6.0][..]),
        (2, &[19.0, 1.0], &[18.0, 1.0]),
        (3, &[1.5, 1.5], &[2.0, 2.0]),
        (4, &[1.0, 2.0, 0.5], &[1.0, 3.0, 1.0]),
    ] {
        let k = f64::from(players);
        let (rate, tau_max) = (20.0, 5.0);
        let written = |numbers: &[f64], by: &str| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(by);
        let policy = format!("multi-queue:{}", written(ranges, "x"));
        let (players, weights_text) = (players.to_string(), written(weights, ","));
        let games = [
            "--players",
            &players,
            "--weights",
            &weights_text,
            "--patterns",
            "20",
            "--arrivals",
            "4000",
        ];
        let report = studied(&[&games[..], &["--replications", "3", "--policy", &policy]].concat());
        let waits = k * (k - 1.0) / (2.0 * rate * tau_max);
        let spread = |ranges: &[f64]| {
            let each = weights.iter().zip(ranges);
            (k - 1.0) / (k + 1.0) * each.map(|(weight, ranges)| weight / ranges).sum::<f64>()
        };
        let greedy = spread(&vec![1.0; weights.len()]) + waits;
        let queues = spread(ranges) + waits * ranges.iter().product::<f64>();
        let (found, other) = (mean_of(&report, "table", "greedy"), mean_of(&report, "table", &policy));
        assert!((found / greedy - 1.0).abs() < 0.03, "{games:?}: {found} {greedy}");
        assert!((other / queues - 1.0).abs() < 0.1, "{games:?}: {other} {queues}");
        assert_eq!(
            (&report["players"], report["weights"].as_array().map(Vec::len)),
            (&Value::from(k as u64), Some(weights.len()))
        );
    }
}

#[test]
fn policies_that_do_not_serve_such_games_are_left_out() {
    let names = |report: &Value| -> Vec<String> {
        let rows = report["averages"].as_array().expect("averages").iter();
        rows.map(|row| row["algorithm"].as_str().expect("a name").to_owned())
            .collect()
    };
    let two = simulated(&["--criteria", "2", "--patterns", "3", "--policy", "ticks:1"]);
    assert_eq!(names(&two), ["A_G", "A_MQ", "A_MQ, adaptive", "ticks:1"]);
    assert_eq!(
        (&two["tests"], &two["weights"]),
        (&serde_json::json!([]), &serde_json::json!([1.0, 1.0]))
    );
    let best = mean_of(&two, "table", "optimum");
    let rows = two["table"].as_array().expect("rows");
    assert!(
        rows.iter()
            .all(|row| number(&row["mean"]) >= best && number(&row["of_optimum"]["mean"]) >= 1.0)
    );
    assert!(two["averages"][0]["mean_cost"].is_null());
    // Ten ranges of six criteria are as many queues as there may be, nearly; of seven too many.
    let many = studied(&[
        "--criteria",
        "7",
        "--patterns",
        "3",
        "--arrivals",
        "100",
        "--replications",
        "2",
    ]);
    let sweeps = many["sweeps"].as_array().expect("rows");
    assert_eq!(sweeps.last().map(|row| &row["policy"]), Some(&"multi-queue:7".into()));

    let three = simulated(&["--players", "3", "--patterns", "3,0..6"]);
    assert_eq!(
        names(&three),
        ["A_G", "A_PM", "A_MQ", "A_PM, adaptive", "A_MQ, adaptive"]
    );
    for row in three["averages"].as_array().expect("averages") {
        assert!(row["scaled_cost"].is_null() && row["of_optimum"].is_null() && number(&row["mean_cost"]["mean"]) > 0.0);
    }
    let rows = three["table"].as_array().expect("rows");
    assert!(
        rows.iter()
            .all(|row| row["of_optimum"].is_null() && row["paper"].is_null())
    );
    let text = run(&[&SMALL[..], &["--players", "3", "--criteria", "2", "--patterns", "3"]].concat());
    assert_eq!(text.code, Some(0), "{text:?}");
    assert!(
        text.stdout
            .contains("for each pattern, games of 3 by 2 criteria of weights 1.5, 1.5, longest wait 5"),
        "{text:?}"
    );
    assert!(
        text.stdout.contains("mean cost") && !text.stdout.contains("OPT"),
        "{text:?}"
    );
    // What the paper has is what there is without these options.
    let plain = simulated(&["--patterns", "3"]);
    assert_eq!(
        plain,
        simulated(&["--patterns", "3", "--players", "2", "--criteria", "1", "--weights", "2"])
    );
    let threads = |number: &str| {
        simulated(&[
            "--players",
            "3",
            "--criteria",
            "2",
            "--patterns",
            "3",
            "--threads",
            number,
        ])
    };
    assert_eq!(threads("1"), threads("3"));
    let (_directory, path) = file("figure.svg", "");
    let picture = [
        "--players",
        "3",
        "--patterns",
        "2,5",
        "--plot",
        path.to_str().expect("a path"),
    ];
    assert_eq!(run(&[&SMALL[..], &picture].concat()).code, Some(0));
    assert!(!std::fs::read_to_string(&path).expect("a picture").contains("OPT"));
}

#[test]
fn games_that_cannot_be_are_refused() {
    for (arguments, parts) in [
        (&["--players", "1"][..], &["--players"][..]),
        (&["--players", "65"], &["--players", "64"]),
        (&["--criteria", "0"], &["--criteria", "from 1 to 16"]),
        (&["--weights", "1,x"], &["--weights", "not a number"]),
        (&["--weights", "1,-2"], &["--weights", "weight 2 is -2"]),
        (
            &["--criteria", "3", "--weights", "1,2"],
            &["--weights", "2 weights where --criteria is 3"],
        ),
        (
            &["--criteria", "2", "--floor", "5000"],
            &["--floor", "2 players by 1 criterion"],
        ),
        (
            &["--players", "3", "--policy", "slack"],
            &["--policy", "slack serves games of 2 players"],
        ),
        (
            &["--policy", "multi-queue:2x3"],
            &["--policy", "as many criteria as it has numbers"],
        ),
    ] {
        run(&[&["simulate", "online"], arguments].concat()).refused(parts);
    }
}
