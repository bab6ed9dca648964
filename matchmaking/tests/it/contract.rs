//! Exit codes, streams, limits, determinism, the order of keys.

use std::fs;
use std::process::Stdio;

use crate::support::{POOL, Run, command, file, pair, pair_json, run, timeless};

/// Two triangles joined by an edge, weights in tenths.
const GRAPH: &str = "6 7\n0 1 1\n1 2 0.5\n0 2 2\n3 4 1\n4 5 0.5\n3 5 2\n2 3 1.2\n";

#[test]
fn exit_codes() {
    assert_eq!(pair(GRAPH, &[]).code, Some(0));
    assert_eq!(pair("3 1\n0 1 1\n", &[]).code, Some(1));
    assert_eq!(pair("3 1\n0 1 x\n", &[]).code, Some(2));
    let stopped = pair(large_pool(), &["--json", "--work-limit", "50000"]);
    let status = stopped.json()["status"].as_str().map(str::to_owned);
    let code = match status.as_deref() {
        Some("feasible") => 3,
        Some("unknown") => 4,
        other => panic!("a limit of so little work does not end with {other:?}"),
    };
    assert_eq!(stopped.code, Some(code));
    assert_eq!(stopped.json()["stopped"], "work-limit");
}

fn large_pool() -> Vec<u8> {
    pool(301, 1)
}

#[test]
fn a_stopped_run_has_a_bound_on_the_right_side() {
    let best = pair_json(large_pool(), &[])["cost"]["float"]
        .as_f64()
        .expect("a number");
    for limit in ["0", "1000", "100000", "300000", "1000000"] {
        let stopped = pair_json(large_pool(), &["--work-limit", limit]);
        let bound = stopped["bound"]["float"].as_f64().expect("a bound");
        assert!(bound <= best, "{bound} {best}");
        match stopped["status"].as_str() {
            Some("feasible") => {
                assert!(stopped["cost"]["float"].as_f64().is_some_and(|cost| cost >= best));
                assert!(stopped["gap"].as_f64().is_some_and(|gap| gap > 0.0));
            }
            Some("unknown") => assert!(stopped["cost"].is_null() && stopped["gap"].is_null()),
            other => assert_eq!(other, Some("optimal")),
        }
        assert_eq!(
            timeless(pair_json(large_pool(), &["--work-limit", limit])),
            timeless(stopped)
        );
    }
    let text = pair(large_pool(), &["--time-limit", "0"]);
    assert!([Some(3), Some(4)].contains(&text.code), "{text:?}");
    assert!(text.stdout.contains("stopped by the time-limit"), "{}", text.stdout);
}

/// The bound counts pairs that may be found by a number above all weights: the gap said nothing to anybody.
#[test]
fn a_stopped_search_for_most_pairs_says_how_many_more_there_may_be() {
    let n = 301;
    let edge = |u: usize, v: usize| format!("{u} {v} {}\n", (u * 7919 + v * 104_729) % 1009);
    let edges: String = (1..n)
        .flat_map(|v| {
            let other = Some(v * v % 97).filter(|&u| v % 3 > 0 && u + 1 < v);
            [v - 1].into_iter().chain(other).map(move |u| (u, v))
        })
        .map(|(u, v)| edge(u, v))
        .collect();
    let lines = edges.lines().count();
    let graph = format!("{n} {lines}\n{edges}");
    let question = ["--objective", "max-cardinality"];
    let best = pair_json(&graph, &question);
    let most = best["pairs"].as_array().map_or(0, Vec::len);
    assert!(best.get("more_pairs").is_none() && most > 0);
    let (mut none, mut some) = (0, 0);
    for limit in (0..40).map(|step| (500 * step).to_string()) {
        let options = [&question[..], &["--work-limit", &limit]].concat();
        let stopped = pair_json(&graph, &options);
        if stopped["status"] == "optimal" {
            assert!(stopped.get("more_pairs").is_none());
            continue;
        }
        let found = stopped["pairs"].as_array().map_or(0, Vec::len);
        let more = stopped["more_pairs"].as_u64().expect("a number") as usize;
        assert!((most..=n / 2).contains(&(found + more)), "{found} {more} {most}");
        let text = pair(&graph, &options).stdout;
        if more > 0 {
            assert!(text.contains(&format!("there may be up to {more} more pair")), "{text}");
            assert!(!text.contains('%'), "{text}");
            some += 1;
        } else {
            assert!(text.contains("no pairing has more pairs; bound"), "{text}");
            none += 1;
        }
    }
    assert!(none > 0 && some > 0, "{none} {some}");
}

#[test]
fn keys_stand_in_the_order_of_the_contract() {
    let keys = [
        "schema",
        "status",
        "objective",
        "cost",
        "bound",
        "pairs",
        "unmatched",
        "certificate",
        "engine",
        "seconds",
        "timing",
        "parse",
        "costs",
        "solve",
        "verify",
        "write",
    ];
    for input in [GRAPH, POOL, "3 1\n0 1 1\n"] {
        pair(input, &["--json"]).in_order("pair", &keys);
    }
}

#[test]
fn numbers_are_exact() {
    let document = pair_json(GRAPH, &[]);
    assert_eq!(document["cost"]["exact"], "27/10");
    assert_eq!(document["cost"]["float"], 2.7);
    assert_eq!(
        (&document["scale"], &document["objective"]),
        (&10.into(), &"minimize".into())
    );
    let large = pair(
        "2 1\n0 1 9007199254740993.000000000000001\n",
        &["--json", "--objective", "max-weight"],
    );
    assert!(
        large.stdout.contains("[[0,1,9007199254740993.000000000000001]]"),
        "{}",
        large.stdout
    );
    assert!(
        large
            .stdout
            .contains("\"exact\":\"9007199254740993000000000000001/1000000000000000\"")
    );
    assert_eq!(large.json()["objective"], "maximize");
    let beyond = pair("2 1\n0 1 -170141183460469231731687303\n", &["--json"]);
    assert!(
        beyond.stdout.contains("\"exact\":\"-170141183460469231731687303\""),
        "{}",
        beyond.stdout
    );
    pair("4 2\n0 1 170141183460469231731687303715884105727\n2 3 1\n", &[]).refused(&["bits"]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for input in [large_pool(), POOL.into(), GRAPH.into()] {
        let one = timeless(pair_json(&input, &["--threads", "1"]));
        for threads in ["2", "4", "100000"] {
            assert_eq!(timeless(pair_json(&input, &["--threads", threads])), one);
        }
        let text = |threads| without_times(&pair(&input, &["--threads", threads]).stdout);
        assert_eq!(text("1"), text("4"));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_where_rows_are_shared_out() {
    let pool = pool(700, 4);
    for options in [&["--cost", "skill"][..], &["--objective", "max-weight"], &[]] {
        let by_threads = |threads| timeless(pair_json(&pool, &[options, &["--threads", threads]].concat()));
        let one = by_threads("1");
        assert_eq!(one["engine"], "dense");
        assert_eq!(by_threads("2"), one);
        assert_eq!(by_threads("4"), one);
    }
}

#[test]
fn both_engines_find_the_same_cost() {
    for n in [300, 299] {
        let pool = pool(n, 3);
        for objective in ["min-perfect", "max-perfect", "max-weight", "max-cardinality"] {
            for cost in ["engagement", "skill"] {
                let by_engine = |engine| {
                    let document = pair_json(&pool, &["--engine", engine, "--objective", objective, "--cost", cost]);
                    assert_eq!(document["status"], "optimal", "{n} {objective} {cost} {engine}");
                    (
                        document["engine"].clone(),
                        document["cost"].clone(),
                        document["edges"].clone(),
                    )
                };
                let (sparse, dense) = (by_engine("sparse"), by_engine("dense"));
                assert_eq!((&sparse.0, &dense.0), (&"sparse".into(), &"dense".into()));
                assert_eq!((&sparse.1, &sparse.2), (&dense.1, &dense.2), "{n} {objective} {cost}");
                assert_eq!(by_engine("auto"), dense);
            }
        }
    }
}

#[test]
fn the_engine_named_is_the_one_that_solves() {
    for (engine, of_graph, of_pool) in [
        ("auto", "sparse", "small"),
        ("sparse", "sparse", "sparse"),
        ("dense", "dense", "dense"),
    ] {
        for (input, expected) in [(GRAPH, of_graph), (POOL, of_pool)] {
            assert_eq!(pair_json(input, &["--engine", engine])["engine"], expected);
        }
    }
    // A full matrix of more than 200 rows, and the same as edges.
    let n = 210;
    let weight = |u: usize, v: usize| (u.min(v) * 7919 + u.max(v) * 104_729) % 1009;
    let row = |u: usize| (0..n).map(|v| weight(u, v).to_string()).collect::<Vec<_>>().join(" ");
    let matrix = format!("{n}\n{}\n", (0..n).map(row).collect::<Vec<_>>().join("\n"));
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let lines: String = pairs
        .iter()
        .map(|&(u, v)| format!("{u} {v} {}\n", weight(u, v)))
        .collect();
    let edges = format!("{n} {}\n{lines}", pairs.len());
    let of_matrix = pair_json(&matrix, &[]);
    assert_eq!(
        (&of_matrix["engine"], &of_matrix["status"]),
        (&"dense".into(), &"optimal".into())
    );
    for (input, engine) in [(&matrix, "sparse"), (&edges, "auto"), (&edges, "sparse")] {
        assert_eq!(pair_json(input, &["--engine", engine])["cost"], of_matrix["cost"]);
    }
}

/// The program worked out the name by a rule of its own: `small` for all pools of up to 200 players, also for those that
/// the small engine hands on to the dense one at once, or refuses because of a limit.
#[test]
fn the_engine_named_is_not_the_one_that_handed_the_pool_on() {
    let crowded = pool(150, 1);
    for (cost, expected) in [("engagement", "dense"), ("skill", "small")] {
        assert_eq!(pair_json(&crowded, &["--cost", cost])["engine"], expected);
        let text = pair(&crowded, &["--cost", cost]).stdout;
        assert!(text.contains(&format!("\nengine {expected}, ")), "{text}");
    }
    let limited = ["--work-limit", "1000000000"];
    for (players, expected) in [(20, "sparse"), (150, "dense")] {
        assert_eq!(pair_json(pool(players, 1), &limited)["engine"], expected);
    }
    // Who proved that there is no answer.
    for (engine, expected) in [("auto", "cardinality"), ("sparse", "sparse"), ("dense", "dense")] {
        let star = pair_json("4 3\n0 1 1\n0 2 1\n0 3 1\n", &["--engine", engine]);
        assert_eq!(
            (&star["engine"], &star["status"]),
            (&expected.into(), &"infeasible".into())
        );
    }
}

#[test]
fn wishes_bind_both_engines() {
    let mut players = matchmaking::Pool::synthetic(200, 6).players().to_vec();
    let ids: Vec<String> = players.iter().map(|player| player.id.clone()).collect();
    // Neighbours by rating, whom skill would pair, avoid each other.
    let mut order: Vec<usize> = (0..200).collect();
    order.sort_by(|&i, &j| players[i].rating.total_cmp(&players[j].rating));
    for pair in order.windows(2) {
        players[pair[0]].avoid.push(ids[pair[1]].clone());
    }
    let pool = matchmaking::Pool::new(players).expect("a valid pool");
    let mut csv = Vec::new();
    pool.write_csv(&mut csv).expect("a vector takes everything");
    let by_engine = |engine| pair_json(&csv, &["--cost", "skill", "--engine", engine]);
    let dense = by_engine("dense");
    assert_eq!(
        (&dense["edges"], &dense["engine"]),
        (&(199 * 100 - 199).into(), &"dense".into())
    );
    assert_eq!(dense["cost"], by_engine("sparse")["cost"]);
    for pair in dense["pairs"].as_array().expect("an array") {
        let [i, j] = [0, 1].map(|end| pool.position(pair[end].as_str().expect("an id")).expect("a player"));
        assert!(pool.may_meet(i, j));
    }
}

#[test]
fn costs_beyond_32_bits_are_paired_as_well() {
    let mut csv = String::from("id,rating,deviation,outcomes\n");
    for i in 0..200_i64 {
        csv += &format!("p{i},{}.5,50,\n", (i * 7919 % 1009) * 900_000);
    }
    for objective in ["min-perfect", "max-perfect"] {
        let by_engine = |engine| pair_json(&csv, &["--cost", "skill", "--objective", objective, "--engine", engine]);
        let (sparse, dense) = (by_engine("sparse"), by_engine("dense"));
        assert_eq!((&dense["status"], &dense["cost"]), (&"optimal".into(), &sparse["cost"]));
    }
    let odd = format!("{csv}q,0,50,\n");
    let bye = pair_json(
        &odd,
        &["--cost", "skill", "--bye-cost", "1000000000", "--explain", "q,p1"],
    );
    assert_eq!(bye["bye"][1], 1_000_000_000);
    assert_eq!(bye["explain"]["forced"]["status"], "optimal");
}

#[cfg(target_os = "linux")]
#[test]
fn inputs_whose_costs_do_not_fit_are_refused_before_they_are_allocated() {
    let limited = |input: &[u8], options: &str| within(300_000, input, options);
    let pool = pool(10_000, 1);
    let players = "10000 vertices";
    limited(&pool, "").refused(&[players, "533333333 bytes of memory"]);
    limited(&pool, "--engine sparse").refused(&[players, "4400000000 bytes of memory"]);
    limited(&pool, "--explain A,B").refused(&["--explain"]);
    limited(&pool, "--bye-cost 1e9").refused(&[players, "1333333333 bytes of memory"]);
    limited(b"20000 1\n0 1 5\n", "--engine dense").refused(&["20000 vertices", "2133333333 bytes of memory"]);
    limited(b"2000000 1\n0 1 5\n", "--objective max-weight")
        .refused(&["1 pairs of 2000000 vertices", "bytes of memory"]);
    let sparse = limited(b"20000 1\n0 1 5\n", "--objective max-weight");
    assert_eq!(sparse.code, Some(0), "{sparse:?}");
}

/// The matrix was counted and what the engine samples of it was not: what fitted without it ended with an abort, code 134.
#[cfg(target_os = "linux")]
#[test]
fn what_the_engine_samples_of_a_matrix_is_counted_as_well() {
    let pool = pool(5_000, 1);
    // 100 MB of costs, and 33 MB of samples of them.
    within(140_000, &pool, "").refused(&["5000 vertices", "133333333 bytes of memory"]);
    let paired = within(180_000, &pool, "");
    assert_eq!(paired.code, Some(0), "{paired:?}");
}

/// Of a matrix that is used in place the engine makes a copy where some pairs are better left alone, which was not counted: code 134.
#[cfg(target_os = "linux")]
#[test]
fn rows_for_pairs_of_no_use_are_counted_as_well() {
    let met = |player| if player == 0 { "1" } else { "" };
    let players = (0..5_000).map(|player| format!("{player},{},{}\n", 1_000 + player % 1_000, met(player)));
    let pool = "id,rating,opponents\n".to_owned() + &players.collect::<String>();
    let options = "--cost skill --objective max-weight --rematch-cost 1000";
    // 100 MB of costs, as much for the copy, and 33 MB of samples.
    within(200_000, pool.as_bytes(), options).refused(&["5000 vertices", "233333333 bytes of memory"]);
}

/// A run of `pair` on so many KiB of memory, by one thread.
#[cfg(target_os = "linux")]
fn within(kibibytes: u64, input: &[u8], options: &str) -> Run {
    let (_directory, path) = file("input", input);
    let program = command(&[]).get_program().to_owned();
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" pair \"$1\" --threads 1 {options}");
    let arguments = [program.as_os_str(), path.as_os_str()];
    let mut shell = std::process::Command::new("sh");
    let shell = shell.args(["-c", &script]).args(arguments);
    shell.output().expect("a shell").into()
}

fn pool(n: usize, seed: u64) -> Vec<u8> {
    let mut csv = Vec::new();
    matchmaking::Pool::synthetic(n, seed)
        .write_csv(&mut csv)
        .expect("a vector takes everything");
    csv
}

/// Text without its last line, which holds the time.
fn without_times(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[..lines.len() - 1].join("\n")
}

#[test]
fn the_seed_decides_what_is_left_to_chance() {
    let by_seed = |seed: &str| timeless(pair_json(POOL, &["--seed", seed]));
    assert_eq!(by_seed("0"), timeless(pair_json(POOL, &[])));
    assert_ne!(by_seed("0")["cost"], by_seed("1")["cost"]);
    // Graphs leave nothing to chance, which nobody was told.
    let graph = pair_json(GRAPH, &["--seed", "1"]);
    assert_eq!(
        graph["warnings"][0],
        "--seed changes nothing: nothing about a graph is left to chance"
    );
    assert_eq!(graph["cost"], pair_json(GRAPH, &[])["cost"]);
    assert_eq!(by_seed("18446744073709551615")["seed"].as_u64(), Some(u64::MAX));
}

#[test]
fn a_file_gets_what_stdout_would_get() {
    let (directory, path) = file("graph", GRAPH);
    let out = directory.path().join("out.json");
    let (path, out) = (path.to_str().unwrap(), out.to_str().unwrap());
    let run_to_file = run(&["pair", path, "--json", "-o", out]);
    assert_eq!(
        (
            run_to_file.code,
            run_to_file.stdout.as_str(),
            run_to_file.stderr.as_str()
        ),
        (Some(0), "", "")
    );
    let written = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    assert_eq!(timeless(written), timeless(run(&["pair", path, "--json"]).json()));
    let dash = run(&["pair", path, "--json", "-o", "-"]);
    assert_eq!(timeless(dash.json()), timeless(run(&["pair", path, "--json"]).json()));
    run(&["pair", path, "-o", directory.path().to_str().unwrap()]).refused(&["directory"]);
    run(&["pair", path, "-o", "/no/such/folder/out"]).refused(&["/no/such/folder/out", "cannot be written"]);
}

#[test]
fn an_infeasible_graph_is_reported_to_a_file_as_well() {
    let (directory, path) = file("graph", "3 1\n0 1 1\n");
    let out = directory.path().join("out.txt");
    let run = run(&["pair", path.to_str().unwrap(), "--output", out.to_str().unwrap()]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(fs::read_to_string(out).unwrap().contains("infeasible"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_a_reader_who_leaves_is_none() {
    let (_directory, path) = file("graph", GRAPH);
    let path = path.to_str().unwrap();
    run(&["pair", path, "-o", "/dev/full"]).refused(&["/dev/full", "cannot be written"]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for words in [&["pair", path][..], &["--help"], &["pair", "--help"], &["--version"]] {
        let full = full.try_clone().unwrap();
        let output = command(words).stdout(full).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(
            told.contains("stdout") && told.contains("cannot be written"),
            "{words:?}: {told}"
        );
    }

    let (_directory, pool) = file("pool.csv", large_pool());
    let mut child = command(&["pair", pool.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn nothing_is_said_on_stderr_where_nobody_watches() {
    for arguments in [&[][..], &["--json"]] {
        assert_eq!(pair(large_pool(), arguments).stderr, "");
    }
}

#[test]
fn only_what_exists_is_offered() {
    run(&["pair", "x", "--engine", "quick"]).refused(&["quick", "auto", "sparse", "dense"]);
    for command in ["simulate", "generate"] {
        run(&[command, "x"]).refused(&["unrecognized subcommand"]);
    }
    run(&[]).refused(&["Usage"]);
    assert_eq!(run(&["--help"]).code, Some(0));
    let help = run(&["pair", "--help"]);
    assert!(
        help.code == Some(0) && help.stdout.contains("Matrix Market"),
        "{help:?}"
    );
    assert!(run(&["--version"]).stdout.starts_with("matchmaking "));
}

#[test]
fn options_are_checked() {
    for (option, value) in [
        ("--threads", "0"),
        ("--threads", "many"),
        ("--time-limit", "-1"),
        ("--time-limit", "nan"),
        ("--work-limit", "-5"),
        ("--seed", "x"),
        ("--objective", "best"),
        ("--format", "xml"),
    ] {
        run(&["pair", "x", &format!("{option}={value}")]).refused(&[option]);
    }
    // The messages were about digits, and `1e30` was no number of seconds.
    for (option, value, message) in [
        ("--threads", "0", "not a whole number from 1 to 4294967295"),
        ("--seed", "1e3", "not a whole number from 0 to 18446744073709551615"),
        ("--work-limit", "18446744073709551616", "not a whole number from 0 to"),
        ("--time-limit", "1e30", "at most 1e18 seconds"),
        ("--time-limit", "soon", "not a number of seconds from 0 on"),
        // The advice was to write `-- -1`, which names no file either.
        ("--time-limit", "-1", "not a number of seconds from 0 on"),
        ("--seed", "-1", "not a whole number from 0 to 18446744073709551615"),
    ] {
        run(&["pair", "x", &format!("{option}={value}")]).refused(&[option, message]);
        run(&["pair", "x", option, value]).refused(&[option, message]);
    }
    // What begins with a letter was another option, `-i` here, and what would be right was not said.
    for (arguments, message) in [
        (
            &["pair", "x", "--time-limit", "-inf"][..],
            "not a number of seconds from 0 on",
        ),
        (&["pair", "x", "--seed", "-x"], "not a whole number from 0 to"),
        (&["pair", "x", "--games", "-NaN"], "is not a number of games"),
        (&["lobby", "x", "--team-size", "-inf"], "not a whole number from 1 to 8"),
        (&["online", "x", "--policy", "-x"], "is no policy"),
        (
            &["online", "x", "--policy", "slack", "--players", "-1"],
            "not a whole number from 2 to 64",
        ),
        (
            &["simulate", "online", "--patterns", "-inf"],
            "is no pattern of arrivals",
        ),
        (
            &["simulate", "eomm", "--rounds", "-1"],
            "not a whole number from 2 to 16777216",
        ),
        (
            &["simulate", "eomm", "--sizes", "-inf"],
            "not an even number from 2 to 10000",
        ),
        (&["fit", "x", "--growth", "-inf"], "--growth"),
        (&["verify", "--simulate", "-1"], "not a whole number from 3400 on"),
        (&["verify", "--simulate", "3399"], "at least 3400"),
        (&["verify", "--seed", "-x"], "not a whole number from 0 to"),
    ] {
        let refused = run(arguments);
        refused.refused(&[&format!("invalid value '{}'", arguments[arguments.len() - 1]), message]);
    }
    // But no file is called like an option.
    for command in [&["pair", "x"][..], &["simulate", "eomm"]] {
        run(&[command, &["--model", "--json"]].concat()).refused(&["a value is required for '--model"]);
    }
    run(&["group", "x", "--size", "-2"]).refused(&["--size", "not a whole number from 1 to"]);
    run(&["simulate", "online", "--arrivals", "-2"]).refused(&["--arrivals", "-2"]);
    pair(GRAPH, &["--cost", "skill"]).refused(&["--cost", "only for CSV pools"]);
    pair(GRAPH, &["--bye-cost", "1"]).refused(&["--bye-cost", "only for CSV pools"]);
    pair(POOL, &["--bye-cost", "x"]).refused(&["--bye-cost", "\"x\" is not a number; write one like 0.25"]);
    pair(POOL, &["--bye-cost", "0.1234567"]).refused(&["more than 6 decimals"]);
    for cost in ["1e30", "1e308"] {
        pair(POOL, &["--bye-cost", cost]).refused(&[cost, "too large"]);
    }
    pair(POOL, &["--bye-cost", "1e-310"]).refused(&["1e-310", "6 decimals"]);
}
