//! `matchmaking online` against its contract.

use matchmaking::online::{Account, Arrivals, Games, PolicyKind, Setting, group_optimum, optimum, simulate};
use serde_json::{Value, json};

use crate::support::{Run, file, piped, run, timeless};

const LOG: &str = "id,time,criterion\nAnn,0,0.1\nBen,1,0.9\nCho,1.5,0.2\nDee,2,0.8\nEve,20,0.5\n";

fn online(input: &str, arguments: &[&str]) -> Run {
    piped(input, &[&["online", "-"], arguments].concat())
}

fn online_json(input: &str, arguments: &[&str]) -> Value {
    let run = online(input, &[&["--json"], arguments].concat());
    assert_eq!(run.code, Some(0), "{run:?}");
    run.json()
}

#[test]
fn the_report_holds_what_the_contract_promises() {
    let report = online_json(LOG, &["--policy", "greedy", "--players", "2", "--tau-max", "5"]);
    assert_eq!(report["schema"], "matchmaking/online/1");
    assert_eq!(report["policy"], "greedy");
    assert_eq!((&report["games"], &report["bot_games"]), (&json!(3), &json!(1)));
    let number = |key: &str| report[key].as_f64().expect(key);
    // Ann with Ben: 2 x 0.8 + 1 / 5; Cho with Dee: 2 x 0.6 + 0.5 / 5; Eve with a bot: 4.
    assert!((number("criteria_cost") - (1.6 + 1.2 + 2.0)).abs() < 1e-12);
    assert!((number("waiting_cost") - (0.2 + 0.1 + 2.0)).abs() < 1e-12);
    assert!((number("total_cost") - 7.1).abs() < 1e-12 && (number("cost_per_game") - 7.1 / 3.0).abs() < 1e-12);
    assert_eq!(report["assignments"][0]["players"], json!(["Ann", "Ben"]));
    assert_eq!(
        (&report["assignments"][2]["time"], &report["assignments"][2]["bots"]),
        (&json!(25.0), &json!(1))
    );

    let best = online_json(LOG, &["--policy", "optimum"]);
    let pairs: Vec<&Value> = [0, 1].map(|game| &best["assignments"][game]["players"]).to_vec();
    assert_eq!(pairs, [&json!(["Ann", "Cho"]), &json!(["Ben", "Dee"])]);
    assert_eq!(best["status"], "optimal");
}

#[test]
fn every_policy_serves_and_threads_change_nothing() {
    let policies = "greedy periodic:2 periodic:auto multi-queue:3 multi-queue:auto difference-wait:2 threshold:0.1,0.5 \
                    ticks:1 slack optimum";
    let log: String = (0..60)
        .map(|i| format!("{},{}\n", i as f64 * 0.3, (i * 37 % 60) as f64 / 60.0))
        .collect();
    let log = format!("time,criterion\n{log}");
    let mut least = f64::INFINITY;
    for policy in policies.split_whitespace() {
        let one = timeless(online_json(&log, &["--policy", policy, "--threads", "1"]));
        assert_eq!(
            one,
            timeless(online_json(&log, &["--policy", policy, "--threads", "3"]))
        );
        let games = one["assignments"].as_array().expect("games");
        let mut players: Vec<u64> = games
            .iter()
            .flat_map(|game| game["players"].as_array().expect("players"))
            .map(|id| id.as_u64().expect("a number"))
            .collect();
        players.sort_unstable();
        assert!(players.into_iter().eq(0..60), "{policy}");
        least = least.min(one["total_cost"].as_f64().expect("a cost"));
        if policy == "optimum" {
            assert_eq!(one["total_cost"].as_f64(), Some(least));
        }
    }
    let two = "time,criterion1,criterion2\n0,0.1,0.3\n0,0.2,0.9\n1,0.3,0.3\n";
    let report = online_json(
        two,
        &["--policy", "multi-queue:2", "--players", "3", "--weights", "1,0.5"],
    );
    assert_eq!((&report["games"], &report["weights"]), (&json!(1), &json!([1.0, 0.5])));
    let report = online_json(two, &["--policy", "multi-queue:1x3", "--weights", "1,9"]);
    let games = json!([[0, 2], [1]]);
    let played: Vec<_> = report["assignments"]
        .as_array()
        .expect("games")
        .iter()
        .map(|game| &game["players"])
        .collect();
    assert_eq!((&report["policy"], json!(played)), (&json!("multi-queue:1x3"), games));
    let other = online(two, &["--policy", "multi-queue:1x3x2"]);
    other.refused(&["as many criteria as it has numbers of ranges", "2 criteria"]);
}

#[test]
fn games_of_three_in_hindsight() {
    let best = online_json(LOG, &["--policy", "optimum", "--players", "3"]);
    assert_eq!((&best["status"], &best["games"]), (&json!("optimal"), &json!(3)));
    assert!(best["bound"].as_f64() <= best["total_cost"].as_f64());
    let log: String = (0..30)
        .map(|i| format!("{},{}\n", f64::from(i) * 0.2, f64::from(i * 37 % 60) / 60.0))
        .collect();
    let run = online(
        &format!("time,criterion\n{log}"),
        &["--json", "--policy", "optimum", "--players", "3", "--work-limit", "1"],
    );
    assert_eq!((run.code, &run.json()["status"]), (Some(3), &json!("feasible")));
}

/// The solver's bound, 14.400000002 of games that cost 14.4, was printed as it came from its grid.
#[test]
fn a_bound_is_not_above_the_cost_that_it_bounds() {
    let log = "time,criterion\n0,0.1\n1,0.9\n1.5,0.2\n2,0.8\n9,0.5\n";
    for players in ["2", "3", "4"] {
        let best = online_json(log, &["--policy", "optimum", "--players", players]);
        assert_eq!(best["status"], "optimal");
        let number = |key: &str| best[key].as_f64().expect(key);
        let (bound, total) = (number("bound"), number("total_cost"));
        assert!(bound <= total && bound >= total - 1e-6, "{bound} {total}");
    }
}

/// The help had it that newcomers of one time are all placed before what is due then.
#[test]
fn what_is_due_happens_before_the_next_newcomer_of_the_same_time() {
    let log = "time,criterion\n0,0.5\n1,0.5\n1,0.5\n";
    let report = online_json(log, &["--policy", "greedy", "--players", "3", "--tau-max", "1"]);
    let games = report["assignments"].as_array().expect("games");
    let players: Vec<&Value> = games.iter().map(|game| &game["players"]).collect();
    assert_eq!(players, [&json!([0, 1]), &json!([2])]);
    let help = run(&["online", "--help"]).stdout;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "and that happens before the next newcomer of that time is placed";
    assert!(words.contains(said), "{help}");
}

/// It was read, and nobody was told that it did nothing.
#[test]
fn a_limit_of_work_is_for_the_optimum() {
    let limit = ["--work-limit", "5"];
    for policy in ["greedy", "slack"] {
        online(LOG, &[&["--policy", policy], &limit[..]].concat()).refused(&["--work-limit", "--policy optimum"]);
    }
    online(LOG, &["--policy", "slack", "--time-limit", "5"]).refused(&["--time-limit", "--policy optimum"]);
    let optimum = [&["--policy", "optimum"], &limit[..]].concat();
    let of_three = online(LOG, &[&optimum[..], &["--players", "3"]].concat());
    assert!([Some(0), Some(3)].contains(&of_three.code), "{of_three:?}");
}

/// Games of two were solved to the end whatever was said.
#[test]
fn limits_leave_games_and_a_bound() {
    let rows = (0..120).map(|i| format!("{},{}\n", f64::from(i) / 8.0, f64::from(i * 7919 % 1000) / 1000.0));
    let log = format!("time,criterion\n{}", rows.collect::<String>());
    let best = online_json(&log, &["--policy", "optimum"]);
    assert_eq!((&best["status"], &best["stopped"]), (&"optimal".into(), &Value::Null));
    let number = |report: &Value, key: &str| report[key].as_f64().expect("a number");
    for players in ["2", "3"] {
        for (limit, value, word) in [
            ("--work-limit", "300", "work-limit"),
            ("--time-limit", "0", "time-limit"),
        ] {
            let options = ["--policy", "optimum", "--players", players, limit, value, "--json"];
            let run = online(&log, &options);
            assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""), "{run:?}");
            let report = run.json();
            assert_eq!(
                (&report["status"], &report["stopped"]),
                (&"feasible".into(), &word.into())
            );
            let bound = number(&report, "bound");
            // What rounding may have moved was taken off a bound of nothing.
            assert!((0.0..number(&report, "total_cost")).contains(&bound), "{report}");
            if players == "2" {
                assert!(bound <= number(&best, "total_cost"));
                assert!(number(&report, "total_cost") >= number(&best, "bound"));
            }
            let games = report["assignments"].as_array().expect("games");
            let seated = games.iter().map(|game| game["players"].as_array().map_or(0, Vec::len));
            assert_eq!(seated.sum::<usize>(), 120);
        }
    }
    let text = online(&log, &["--policy", "optimum", "--time-limit", "0"]).stdout;
    assert!(
        text.contains("stopped by the time limit; no games cost less than the bound"),
        "{text}"
    );
}

/// What the limit left cost no more than the bound, and was said to be optimal and to be stopped by the limit.
#[test]
fn what_is_optimal_was_not_stopped() {
    let log = "time,criterion\n2.5,0.93\n2.5,0.5\n3.1,1\n3.9,0.91\n";
    let mut codes = Vec::new();
    for limit in 0..4 {
        let options = ["--policy", "optimum", "--tau-max", "2.5", "--json", "--work-limit"];
        let run = online(log, &[&options[..], &[&limit.to_string()]].concat());
        let report = run.json();
        let expected: (Value, Value) = match run.code {
            Some(0) => ("optimal".into(), Value::Null),
            _ => ("feasible".into(), "work-limit".into()),
        };
        assert_eq!(
            (&report["status"], &report["stopped"]),
            (&expected.0, &expected.1),
            "{run:?}"
        );
        codes.push(run.code);
    }
    assert!(codes.contains(&Some(0)) && codes.contains(&Some(3)), "{codes:?}");
}

/// They were written with hundreds of zeros.
#[test]
fn very_small_and_very_great_numbers_have_exponents() {
    online(LOG, &["--policy", "optimum", "--tau-max", "1e-300"]).refused(&["a longest wait of 1e-300 is lost"]);
    let policy = |name: &str| online_json(LOG, &["--policy", name])["policy"].clone();
    for name in ["difference-wait:1e300", "threshold:0.25,1e-9", "ticks:4"] {
        assert_eq!(policy(name), name);
    }
}

/// A table with a column of 301 digits.
#[test]
fn waits_that_are_long_are_no_long_numbers() {
    let run = online(
        "time,criterion\n1,0.1\n1e300,0.5\n1.5e300,0.2\n2e300,0.9\n",
        &["--policy", "greedy", "--tau-max", "1e300"],
    );
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(
        run.stdout.contains("wait of a player    0.0000  0.0000  1.000000e300"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.lines().all(|line| line.chars().count() < 100),
        "{}",
        run.stdout
    );
}

#[test]
fn text_and_files() {
    let (_directory, path) = file("arrivals.csv", LOG);
    let path = path.to_str().expect("a path");
    let text = run(&["online", path, "--policy", "slack"]);
    assert_eq!(text.code, Some(0), "{text:?}");
    for part in [
        "5 arrivals, games of 2 under slack",
        "Eve",
        "cost per game",
        "wait of a player",
    ] {
        assert!(text.stdout.contains(part), "{part:?} in {}", text.stdout);
    }
    let noted = online(&LOG.replace("id", "name"), &["--policy", "slack", "--json"]);
    assert!(
        noted.stderr.contains("column \"name\" is unknown and not used"),
        "{noted:?}"
    );
    assert_eq!(noted.json()["assignments"][0]["players"][0], 0);
}

/// A game of a player with himself was served without a word.
#[test]
fn who_returns_plays_others() {
    let log = |rows: &str| format!("time,criterion,id\n{rows}");
    let twice = online(&log("0,1,a\n1,1,a\n"), &["--policy", "greedy"]);
    twice.refused(&[
        "line 3, column id",
        "\"a\" returns before the game of line 2",
        "against himself",
    ]);
    let best = online(&log("0,1,a\n1,1,a\n"), &["--policy", "optimum"]);
    best.refused(&["line 3, column id", "line 2"]);
    // Between two games, and before the first of them.
    let later = online(&log("0,1,a\n1,1,b\n2,1,a\n3,1,b\n"), &["--policy", "greedy"]);
    assert_eq!((later.code, later.stderr.as_str()), (Some(0), ""));
    let early = online(
        &log("0,1,a\n1,1,a\n2,1,b\n3,1,c\n"),
        &["--policy", "greedy", "--players", "3"],
    );
    early.refused(&["line 3, column id"]);
    let early = online(
        &log("0,0,a\n0.1,1,a\n0.2,0,b\n0.3,1,c\n"),
        &["--policy", "optimum", "--json"],
    );
    let said = "1 arrival of players who still wait for a game, the first on line 3 (see line 2): each is served like somebody else";
    assert_eq!(early.json()["warnings"], json!([said]), "{early:?}");
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    for (input, parts) in [
        ("time,criterion\n2,0.5\n1,0.5\n", ["stdin: line 3", "sort the arrivals"]),
        (
            "time,criterion\n2,1.5\n",
            ["stdin: line 2, column criterion", "outside [0, 1]"],
        ),
        (
            "time,criterion\n2,NaN\n",
            ["stdin: line 2, column criterion", "not a number"],
        ),
        ("", ["stdin: line 1", "empty"]),
    ] {
        online(input, &["--policy", "greedy"]).refused(&parts);
    }
    for (arguments, part) in [
        (&["--policy", "best"][..], "is no policy"),
        (&["--policy", "greedy", "--players", "1"], "2 to 64 players"),
        (&["--policy", "greedy", "--tau-max", "0"], "positive"),
        (&["--policy", "greedy", "--tau-max", "NaN"], "positive"),
        (
            &["--policy", "greedy", "--weights", "1,2"],
            "2 weights where the file has 1",
        ),
        (&["--policy", "greedy", "--weights", "-1"], "0 or more"),
        (&["--policy", "slack", "--players", "3"], "games of 2 players"),
    ] {
        online(LOG, arguments).refused(&[part]);
    }
}

/// Rounding lost the longest wait beside such times, and a cost too great for the solver's grid was no cost: both
/// called wrong games optimal.
#[test]
fn numbers_that_rounding_would_lose_are_refused() {
    let late = "time,criterion\n1700000000000000000,0.1\n1700000000000000001,0.9\n1700000003000000000,0.2\n";
    online(late, &["--policy", "optimum"]).refused(&["1.700000003e18", "longest wait of 5"]);
    online(LOG, &["--policy", "optimum", "--weights", "1e300"]).refused(&["--weights", "1e100"]);
    let seconds = "time,criterion\n1700000000,0.1\n1700000000.1,0.9\n1700000003,0.2\n";
    let report = online_json(seconds, &["--policy", "optimum", "--tau-max", "0.3"]);
    assert_eq!(report["status"], "optimal");
}

/// Ticks at which nobody could be paired were gone through one by one, and none moved a time as great as this.
#[test]
fn ticks_too_short_to_be_counted_end() {
    let late = "time,criterion\n1e17,0.1\n1.00001e17,0.2\n";
    let report = online_json(late, &["--policy", "ticks:1", "--tau-max", "1e10"]);
    assert_eq!((&report["games"], &report["bot_games"]), (&json!(2), &json!(2)));
    let report = online_json(LOG, &["--policy", "ticks:1e-17"]);
    assert_eq!(report["games"], 3);
    // So many ticks were infinitely many, and nobody was paired until the end of a wait.
    let shorter = online_json(LOG, &["--policy", "ticks:1e-310"]);
    assert_eq!(
        (&shorter["games"], &shorter["assignments"]),
        (&report["games"], &report["assignments"])
    );
}

/// 3.408 + 1 is less than 4.408 in floats: whoever waited for exactly the longest wait got a bot, and a proof with it.
#[test]
fn somebody_may_come_at_the_very_end_of_a_wait() {
    let setting = Setting::new(2, 1.0, 1).expect("a setting");
    for thousandths in (0..20_000).step_by(7) {
        // Far from zero too, as in logs of Unix times.
        for begin in [0, 1_600_000_000] {
            let time = |second: u32| format!("{}.{:03}", begin + second + thousandths / 1000, thousandths % 1000);
            let times = [0, 1].map(|second| time(second).parse::<f64>().expect("a number"));
            let arrivals = Arrivals::new(1, times.map(|time| (time, &[0.5][..]))).expect("a log");
            let total = |games: &Games| Account::new(&setting, &arrivals, games).expect("games").total();
            let best = optimum(&setting, &arrivals).expect("games");
            assert!((total(&best.games) - 1.0).abs() < 1e-6, "{times:?}");
            let best = group_optimum(&setting, &arrivals, 1_000_000).expect("games");
            assert!((total(&best.games) - 1.0).abs() < 1e-6, "{times:?}");
            for policy in ["greedy", "slack", "periodic:1", "multi-queue:1"] {
                let kind: PolicyKind = policy.parse().expect("a policy");
                let games = simulate(&setting, kind.build(&setting).expect("a policy"), &arrivals).expect("games");
                assert!((total(&games) - 1.0).abs() < 1e-6, "{policy} {times:?}");
            }
        }
    }
}
