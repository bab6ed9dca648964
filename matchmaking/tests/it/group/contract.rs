//! Exit codes, streams, limits, determinism, the order of keys.

use std::fs;
use std::time::Instant;

use serde_json::json;

use super::{Dice, groups, matrix_file, mdgplib_file, odd_crowds, total};
use crate::support::{file, group, group_json, run, timeless};

fn instance() -> String {
    mdgplib_file("30 5 ss 6 6 6 6 6 6 6 6 6 6", &Dice(9).matrix(30, 100))
}

#[test]
fn exit_codes() {
    let whole = group(instance(), &["--json", "--method", "search"]);
    assert_eq!((whole.code, &whole.json()["stopped"]), (Some(0), &json!(null)));
    assert_eq!(whole.json()["status"], "feasible");
    for engine in ["auto", "climb", "cached-climb", "annealing", "population"] {
        for limit in ["0", "1000", "100000"] {
            let options = [
                "--json",
                "--method",
                "search",
                "--work-limit",
                limit,
                "--engine",
                engine,
            ];
            let stopped = group(instance(), &options);
            let document = stopped.json();
            assert_eq!(
                (stopped.code, &document["stopped"], &document["status"]),
                (Some(3), &json!("work-limit"), &json!("feasible")),
                "{engine} {limit}"
            );
        }
    }
    let start = Instant::now();
    let late = group(
        instance(),
        &[
            "--json",
            "--time-limit",
            "0.1",
            "--work-limit",
            "18446744073709551615",
            "--method",
            "search",
        ],
    );
    assert_eq!((late.code, &late.json()["stopped"]), (Some(3), &json!("time-limit")));
    assert!(start.elapsed().as_secs_f64() >= 0.09);
    let never = group(instance(), &["--json", "--time-limit", "1e18", "--work-limit", "1000"]);
    assert_eq!(never.json()["stopped"], "work-limit");
    // Too many groupings to try them all.
    let lonely = ["--size", "2", "--absent", "forbidden", "--method", "search"];
    let alone = group(odd_crowds(), &[&lonely[..], &["--json"]].concat());
    let document = alone.json();
    assert_eq!((alone.code, &document["status"]), (Some(4), &json!("unknown")));
    assert_eq!((&document["cost"], &document["groups"]), (&json!(null), &json!([])));
    // It ended by itself, with what it allots itself.
    assert_eq!(document["stopped"], json!(null));
    assert!(document["work"].as_u64().is_some_and(|work| work > 0), "{document}");
    let text = group(odd_crowds(), &lonely).stdout;
    assert!(text.contains("unknown: no groups without a forbidden pair"), "{text}");
    assert!(text.contains("the search ended by itself"), "{text}");
    for (limit, amount) in [("work-limit", "20000"), ("time-limit", "0.05")] {
        let option = format!("--{limit}");
        let limited = [&lonely[..], &[&option, amount]].concat();
        let alone = group(odd_crowds(), &[&limited[..], &["--json"]].concat());
        assert_eq!((alone.code, &alone.json()["stopped"]), (Some(4), &json!(limit)));
        let text = group(odd_crowds(), &limited).stdout;
        assert!(text.contains(&format!("stopped by the {limit}")), "{text}");
    }
    // Which of two limits it was had to be guessed from how much of each was used.
    for engine in ["auto", "climb", "annealing", "population", "tempering", "tabu"] {
        for (limits, word) in [
            (["--work-limit", "5000", "--time-limit", "3600"], "work-limit"),
            (["--work-limit", "1000000000000", "--time-limit", "0.02"], "time-limit"),
        ] {
            let limited = [&lonely[..], &["--json", "--engine", engine], &limits].concat();
            let alone = group(odd_crowds(), &limited);
            assert_eq!(
                (alone.code, &alone.json()["stopped"]),
                (Some(4), &json!(word)),
                "{engine}"
            );
        }
    }
}

#[test]
fn a_target_ends_the_search() {
    let best = total(&group_json(instance(), &["--method", "search"])).expect("an integer");
    let within = (best - best / 10).to_string();
    let options = ["--json", "--target", &within, "--work-limit", "1000000000"];
    let reached = group(instance(), &options);
    let document = reached.json();
    assert_eq!((reached.code, &document["stopped"]), (Some(0), &json!("target")));
    assert!(total(&document).is_some_and(|total| total * 10 >= best * 9));
    assert!(document["work"].as_u64().is_some_and(|work| work < 900_000_000));
    // Out of reach: the limit ends it.
    let beyond = group(instance(), &["--json", "--target", "1000000", "--work-limit", "100000"]);
    assert_eq!(
        (beyond.code, &beyond.json()["stopped"]),
        (Some(3), &json!("work-limit"))
    );
    let small = matrix_file("9 3", &Dice(4).matrix(9, 1000));
    let least = group_json(&small, &[])["cost"]["exact"]
        .as_str()
        .map(str::to_owned)
        .expect("a total");
    // All groupings were tried, which says more than that the target was reached.
    assert_eq!(group_json(&small, &["--target", &least])["status"], "optimal");
    let engine = ["--target", &least, "--engine", "annealing"];
    assert_eq!(group_json(&small, &engine)["stopped"], "target");
}

#[test]
fn targets_are_compared_to_the_last_digit() {
    let input = "4 2\n0 1000000000.2 1000000000.3 1000000000.4\n1000000000.2 0 1000000000.4 1000000000.3\n\
                 1000000000.3 1000000000.4 0 1000000000.2\n1000000000.4 1000000000.3 1000000000.2 0\n";
    let limits = ["--json", "--engine", "annealing", "--work-limit", "100000"];
    for (target, code, stopped) in [("2000000000.39", 3, "work-limit"), ("2000000000.4", 0, "target")] {
        let run = group(input, &[&["--target", target], &limits[..]].concat());
        assert_eq!(
            (run.code, &run.json()["stopped"]),
            (Some(code), &json!(stopped)),
            "{run:?}"
        );
        assert_eq!(run.json()["cost"]["float"], 2_000_000_000.4, "{run:?}");
    }
}

/// Totals and targets were compared as floats, which have fewer digits.
#[test]
fn targets_are_compared_to_the_last_digit_also_beyond_that_of_floats() {
    let edges = "2 1\n0 1 100000000000000001\n";
    let gains = "2 1 ss 2 2\n0 1 100000000000000001\n";
    for (input, target, stopped) in [
        (edges, "100000000000000000", json!(null)),
        (edges, "100000000000000000.9", json!(null)),
        (edges, "100000000000000001", json!("target")),
        (edges, "100000000000000001.5", json!("target")),
        (edges, "1e38", json!("target")),
        (gains, "100000000000000002", json!(null)),
        (gains, "100000000000000001", json!("target")),
        (gains, "-1e38", json!("target")),
    ] {
        let engine = ["--size", "2", "--engine", "tabu", "--target", target];
        let document = group_json(input, &engine);
        assert_eq!(document["stopped"], stopped, "{target}: {document}");
    }
}

/// Groups that cost a little more than the target ended the search, where far better ones were one swap away.
#[test]
fn what_floats_take_for_the_target_does_not_end_a_search() {
    let square = "4 6\n0 1 100000000000000005\n2 3 100000000000000005\n0 2 50000000000000000\n1 3 50000000000000000\n\
                  0 3 200000000000000000\n1 2 200000000000000000\n";
    for engine in ["climb", "tabu", "annealing"] {
        for seed in ["0", "1", "2", "3", "4", "5", "6", "7"] {
            let options = [
                "--size",
                "2",
                "--engine",
                engine,
                "--seed",
                seed,
                "--target",
                "200000000000000000",
            ];
            let document = group_json(square, &options);
            assert_eq!(
                (&document["stopped"], &document["cost"]["exact"]),
                (&json!("target"), &json!("100000000000000000")),
                "{engine} {seed}: {document}"
            );
        }
    }
}

#[test]
fn keys_stand_in_the_order_of_the_contract() {
    let keys = [
        "schema",
        "status",
        "objective",
        "cost",
        "bound",
        "gap",
        "groups",
        "method",
        "engine",
        "seed",
        "work",
        "seconds",
        "timing",
        "parse",
        "costs",
        "solve",
        "verify",
        "write",
    ];
    for input in [instance(), "4 5\n0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n".to_owned()] {
        let json = group(input, &["--json"]).stdout;
        assert!(
            json.starts_with("{\"schema\":\"matchmaking/group/1\",\"status\":"),
            "{json}"
        );
        assert_eq!(json.lines().count(), 1);
        let after = |key: &str| json.match_indices(&format!("\"{key}\":")).last().map(|found| found.0);
        let positions: Vec<Option<usize>> = keys
            .iter()
            .map(|&key| {
                if key == "cost" {
                    json.find("\"cost\":")
                } else {
                    after(key)
                }
            })
            .collect();
        assert!(
            positions.iter().all(Option::is_some) && positions.is_sorted(),
            "{positions:?} {json}"
        );
    }
    let document = group_json(instance(), &["--seed", "18446744073709551615", "--method", "search"]);
    assert_eq!((&document["bound"], &document["gap"]), (&json!(null), &json!(null)));
    assert_eq!(
        (&document["method"], document["seed"].as_u64()),
        (&json!("search"), Some(u64::MAX))
    );
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let input = mdgplib_file("24 4 ss 6 6 6 6 6 6 6 6", &Dice(11).matrix(24, 1000));
    // So many moves are worth several coolings.
    for (engine, work) in [
        ("auto", "17000000"),
        ("annealing", "500000"),
        ("cached-climb", "500000"),
        ("population", "1000000"),
    ] {
        let by_threads = |threads: &str| {
            let options = ["--work-limit", work, "--engine", engine, "--threads", threads];
            timeless(group_json(&input, &options)).to_string()
        };
        let one = by_threads("1");
        assert_eq!(by_threads("2"), one, "{engine}");
        assert_eq!(by_threads("4"), one, "{engine}");
    }
    let text = |threads| {
        let text = group(&input, &["--threads", threads, "--method", "search"]).stdout;
        let (rest, _) = text.rsplit_once(", ").expect("a footer");
        rest.to_owned()
    };
    assert_eq!(text("1"), text("4"));
}

#[test]
fn the_seed_decides_what_is_left_to_chance() {
    let sizes = [" 10"; 24].concat();
    let input = mdgplib_file(&format!("120 12 ss{sizes}"), &Dice(9).matrix(120, 1000));
    let options = ["--method", "search", "--work-limit", "3000000"];
    let by_seed = |seed: &str| groups(&group_json(&input, &[&options[..], &["--seed", seed]].concat()));
    assert_eq!(by_seed("0"), groups(&group_json(&input, &options)));
    assert_ne!(by_seed("0"), by_seed("1"));
}

#[test]
fn a_file_gets_what_stdout_would_get() {
    let (directory, path) = file("instance", instance());
    let out = directory.path().join("out.json");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let to_file = run(&["group", path, "--json", "--method", "search", "-o", out]);
    assert_eq!(
        (to_file.code, to_file.stdout.as_str(), to_file.stderr.as_str()),
        (Some(0), "", "")
    );
    let written = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(
        timeless(written),
        timeless(run(&["group", path, "--json", "--method", "search"]).json())
    );
    run(&["group", path, "-o", "/no/such/folder/out"]).refused(&["/no/such/folder/out", "cannot be written"]);
    run(&["group", path, "--plot", "/no/such/folder/x.svg"]).refused(&["/no/such/folder/x.svg", "cannot be written"]);
}

#[test]
fn a_picture_shows_the_search() {
    let (directory, path) = file("a<b>.txt", instance());
    let picture = directory.path().join("picture.svg");
    let (path, picture) = (path.to_str().unwrap(), picture.to_str().unwrap());
    let run = run(&["group", path, "--json", "--method", "search", "--plot", picture]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let svg = fs::read_to_string(picture).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("<polyline") && svg.contains("best groups so far"), "{svg}");
    assert!(!svg.contains("no groups can beat this"), "{svg}");
    assert!(svg.contains("a&lt;b&gt;.txt") && !svg.contains("a<b>"), "{svg}");
}

#[test]
fn the_text_says_what_there_is_to_know() {
    let input = "4 2\n0 1.5 5 5\n1.5 0 5 5\n5 5 0 2\n5 5 2 0\n";
    let text = group(input, &["--seed", "7"]).stdout;
    let (rest, seconds) = text.trim_end().rsplit_once(", ").expect("a footer");
    assert!(seconds.ends_with(" s"), "{text}");
    let (rest, work) = rest.rsplit_once(", ").expect("the work");
    assert!(work.ends_with(" moves looked at"), "{text}");
    assert_eq!(
        rest,
        "stdin: 4 players, least cost\n\n\
         group  cost  members\n\
         ──────────────────────\n    \
             1   1.5  0 1\n    \
             2   2.0  2 3\n\n\
         2 groups, total cost 3.5\n\
         optimal: all groupings were tried\n\
         method search, engine auto, seed 7"
    );
    let proven = group_json(input, &[]);
    assert_eq!(
        (&proven["status"], &proven["bound"], &proven["gap"]),
        (&"optimal".into(), &proven["cost"], &0.0.into())
    );
    let searched = group(input, &["--engine", "annealing"]).stdout;
    let ending = "feasible: the search ended by itself; better groups are not ruled out";
    assert!(searched.contains(ending), "{searched}");
    let stopped = group(instance(), &["--work-limit", "1000"]).stdout;
    assert!(
        stopped.contains("total value ") && stopped.contains("stopped by the work-limit"),
        "{stopped}"
    );
}

#[test]
fn only_what_exists_is_offered() {
    run(&["group", "x", "--method", "best"]).refused(&["exact", "auto", "search"]);
    let exact = ["--method", "exact", "--engine", "climb"];
    group(instance(), &exact).refused(&["--engine", "the exact method has none"]);
    run(&["group", "x", "--engine", "quick"]).refused(&["quick", "annealing", "population"]);
    let help = run(&["group", "--help"]);
    assert!(help.code == Some(0) && help.stdout.contains("mdgplib"), "{help:?}");
}
