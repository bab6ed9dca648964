//! Several games each: what there is not, what is wrong, what ends a run.

use matchmaking::Pool;
use serde_json::{Value, json};

use crate::support::{POOL, file, group, pair, pair_json, run, timeless};

const GRAPH: &str = "4 5\n0 1 3\n1 2 1.5\n2 3 4\n0 3 2.25\n0 2 1\n";

/// The first five of six players.
fn five() -> String {
    POOL.lines().take(6).map(|line| format!("{line}\n")).collect()
}

#[test]
fn odd_sums_are_told_with_what_helps() {
    let run = pair(five(), &["--games", "3"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for line in [
        "stdin: 5 players, 3 games each, min-perfect by engagement",
        "infeasible: whatever is chosen, at least 1 game that players should have is missing",
        "5 players with 3 games each add up to 15, which is odd, while every pair counts for two of them",
        "let somebody have one fewer: --games 2..3",
        "for the best games there are, at a price C for each that is missing: --games 0..3 --missing-cost C",
        "status infeasible, certificate verified (tutte-lovasz), exact on a grid of 1/1000000",
    ] {
        assert!(
            run.stdout.lines().any(|said| said == line),
            "{line:?} is missing in {}",
            run.stdout
        );
    }
    let document = pair_json(five(), &["--games", "3", "--rounds"]);
    assert_eq!(document["games"].get("rounds"), None);
    let witness =
        json!({"removed": [], "wanting": [], "odd_groups": [["Ann", "Ben", "Cho", "Dee", "Eve"]], "missing": 1});
    assert_eq!(document["witness"], witness);
    // What is advised does help.
    assert_eq!(pair(five(), &["--games", "2..3"]).code, Some(0));
    assert_eq!(pair(five(), &["--games", "0..3", "--missing-cost", "1"]).code, Some(0));
}

/// What was advised changed nothing, or was refused, where column `games_wanted` decides.
#[test]
fn advice_names_the_column_where_that_decides() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let asked = |csv: &str, options: &[&str]| pair(csv, &[&["--cost", "skill"], options].concat());
    let priced = "at a price C for each that is missing: ";

    // Everybody has a number of his own.
    let crowd = "id,rating,avoid,games_wanted\np0,6,,3\np1,31,p0;p3,1\np2,6,,3\np3,11,,3\n";
    let run = asked(crowd, &["--games", "2"]);
    let said = "--missing-cost C, and in column games_wanted 0 as the fewest, such as 0..3 in place of 3 status";
    assert!(words(&run.stdout).contains(&format!("{priced}{said}")), "{run:?}");
    let refused = "column games_wanted says how many games each has, and nobody may have fewer; write numbers such as 0..3 in place \
                   of 3 there";
    asked(crowd, &["--games", "0..2", "--missing-cost", "5"]).refused(&["--missing-cost", refused]);
    let followed = crowd.replace(",3\n", ",0..3\n").replace(",1\n", ",0..1\n");
    assert_eq!(asked(&followed, &["--games", "2", "--missing-cost", "5"]).code, Some(0));
    let none = "id,rating,games_wanted\na,1,0\nb,3,0\n";
    asked(none, &["--games", "0..2", "--missing-cost", "5"]).refused(&["nobody has a game", "such as 0..1 there"]);

    // An odd sum, and the command line is about nobody.
    let odd = "id,rating,avoid,games_wanted\np0,35,p4,3\np1,26,p3,2\np2,15,,1\np3,7,p4,2\np4,8,p2,1\n";
    let run = asked(odd, &["--games", "2"]);
    let said = "let somebody have one fewer: in column games_wanted, numbers such as 2..3 in place of 3 for";
    assert!(words(&run.stdout).contains(said), "{run:?}");
    let followed = odd
        .replace(",3\n", ",2..3\n")
        .replace(",2\n", ",1..2\n")
        .replace(",1\n", ",0..1\n");
    assert_eq!(asked(&followed, &["--games", "2"]).code, Some(0));

    // Some have numbers of their own.
    let some = "id,rating,games_wanted\na,1,\nb,3,1\nc,4,2\nd,5,\n";
    let run = asked(some, &["--games", "2"]);
    for said in [
        "let somebody have one fewer: --games 1..2, and in column games_wanted numbers such as 0..1 in place of 1 for",
        "--games 0..2 --missing-cost C, and in column games_wanted 0 as the fewest, such as 0..1 in place of 1 status",
    ] {
        assert!(words(&run.stdout).contains(said), "{run:?}");
    }
    let refused = "write --games 0..2, or in column games_wanted numbers such as 0..1 in place of 1";
    asked(some, &["--games", "2", "--missing-cost", "5"]).refused(&[refused]);
    let followed = some.replace(",1\n", ",0..1\n");
    for options in [["--games", "2"], ["--games", "0..2"]] {
        let options = [&options[..], &["--missing-cost", "5"]].concat();
        assert_eq!(asked(&followed, &options).code, Some(0), "{options:?}");
    }
    // Who may have none already is no example.
    let free = some.replace("b,3,1", "b,3,0..1").replace("c,4,2", "c,4,3");
    let run = asked(&free, &["--games", "3", "--missing-cost", "5"]);
    assert!(
        words(&run.stdout).contains("such as 0..3 in place of 3 status"),
        "{run:?}"
    );
}

/// It was said that missing games cost no more, whatever they cost.
#[test]
fn a_limit_that_leaves_no_games_is_not_told_as_a_price() {
    let asked = ["--games", "0..3", "--missing-cost", "9"];
    let run = pair(five(), &[&asked[..], &["--work-limit", "0"]].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""), "{run:?}");
    let free = pair(five(), &["--games", "0..3", "--missing-cost", "0"]);
    assert!(
        free.stderr.contains("nobody has a game, as missing ones cost no more"),
        "{free:?}"
    );
    assert_eq!(pair(five(), &asked).stderr, "");
}

/// Where nobody may play with anybody, nobody had a game "as missing ones cost no more", and a price was to help.
#[test]
fn a_price_helps_nobody_who_has_no_opponent() {
    let avoided = "id,rating,avoid\nAnn,1500,Ben\nBen,1480,\n";
    let alone = "id,rating,games_wanted\nAnn,1500,\nBen,1480,0\nCho,1490,0\n";
    for (pool, price) in [(avoided, "0"), (avoided, "5"), (alone, "5")] {
        let options = ["--cost", "skill", "--games", "0..1", "--missing-cost", price];
        let none = pair(pool, &options);
        assert_eq!((none.code, none.stderr.as_str()), (Some(0), ""), "{none:?}");
        assert!(none.stdout.contains("0 games, and "), "{none:?}");
    }
}

#[test]
fn a_bound_without_an_answer_is_one_of_games() {
    // Two threes, and one of each who may meet: whoever takes the closest first leaves the two that are farthest apart.
    let threes = "id,rating,avoid\na,1000,d;e;f\nb,1050,d;e;f\nc,1001,e;f\nd,1500,\ne,1550,\nf,1501,\n";
    let edges = "6 7\n0 2 0\n3 5 0\n0 1 1\n1 2 1\n3 4 1\n4 5 1\n2 3 1\n";
    let limit = ["--work-limit", "0"];
    for (run, line) in [
        (
            pair(threes, &[&["--games", "1", "--cost", "skill"][..], &limit].concat()),
            "games",
        ),
        (pair(edges, &[&["--games", "1"][..], &limit].concat()), "pairs"),
    ] {
        assert_eq!(run.code, Some(4), "{run:?}");
        let line = format!(": no {line} can be better");
        assert!(
            run.stdout
                .lines()
                .any(|said| said.starts_with("bound ") && said.ends_with(&line)),
            "{run:?}"
        );
    }
}

#[test]
fn who_has_too_few_opponents_is_named() {
    let head = "id,rating,deviation,outcomes,avoid,games_wanted\n";
    let one = format!("{head}Ann,1500,60,,Ben;Cho,\nBen,1480,45,,,\nCho,1720,80,,,\nDee,1390,90,,,\nEve,1400,50,,,1\n");
    let run = pair(one, &["--games", "3"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for line in [
        "stdin: 5 players, 3 games each (1 player has another number), min-perfect by engagement",
        "Ann needs at least 3 games, and can have at most",
        "  2 in all",
    ] {
        assert!(
            run.stdout.lines().any(|said| said == line),
            "{line:?} is missing in {}",
            run.stdout
        );
    }
    // All others want to meet Cho, who has two games.
    let star = format!(
        "{head}Ann,1500,60,,Ben;Dee,1\nBen,1480,45,,Dee,1\nCho,1720,80,,,2\nDee,1390,90,,Eve,1\nEve,1400,80,,Ann;Ben,1\n"
    );
    let run = pair(star, &["--games", "2"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    for line in [
        "Ann Ben Dee Eve need at least 4 games, and can have at most",
        "  2 with Cho, all that may be had there",
    ] {
        assert!(
            run.stdout.lines().any(|said| said == line),
            "{line:?} is missing in {}",
            run.stdout
        );
    }
    // Two regions of three who avoid each other.
    let avoid = |other: &str| (0..3).map(|i| format!("{other}{i}")).collect::<Vec<_>>().join("|");
    let row = |own: &str, other: &str, i: usize| format!("{own}{i},150{i},60,,{},\n", avoid(other));
    let six: String = (0..3).map(|i| row("a", "b", i) + &row("b", "a", i)).collect();
    let run = pair(format!("{head}{six}"), &["--games", "1"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let said = "3 players with 1 game each add up to 3, which is odd, while every pair counts for two of them, and nobody else";
    assert!(
        run.stdout.contains(said) && run.stdout.contains("2 games that players should have are missing"),
        "{run:?}"
    );
    let run = pair("4 3\n0 1 1\n0 2 1\n0 3 1\n", &["--games", "1"]);
    assert!(
        run.stdout
            .contains("\n1 2 3 need at least 3 partners, and can have at most\n"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("\n  1 with 0, all that may be had there\n"),
        "{run:?}"
    );
}

#[test]
fn bad_numbers_of_games_are_refused_on_the_command_line() {
    for (games, parts) in [
        ("0", &["--games", "nobody would play"][..]),
        ("0..0", &["nobody would play"]),
        ("-1", &["\"-1\" is not a number of games", "two like 2..4"]),
        ("1.5", &["not a number of games"]),
        ("NaN", &["not a number of games"]),
        ("", &["not a number of games"]),
        ("4..2", &["4..2 begins with the greater number; write 2..4"]),
        (
            "6",
            &["--games: 6 games take as many different opponents, and there are 5 others; write 5 at most"],
        ),
        ("4294967295", &["and there are 5 others"]),
        ("6..9", &["6 games take as many different opponents"]),
    ] {
        pair(POOL, &["--games", games]).refused(parts);
    }
    pair(GRAPH, &["--games", "4"]).refused(&["--games: 4 games", "3 others"]);
    pair("2 1\n0 1 1\n", &["--games", "2"]).refused(&["--games: 2 games", "there is 1 other; write 1 at most"]);
    let alone = "id,rating,deviation,outcomes\nAnn,1,1,\n";
    pair(alone, &["--games", "1"]).refused(&["--games: there is nobody else to play against"]);
    assert_eq!(
        pair_json(alone, &["--games", "0..1", "--missing-cost", "2"])["cost"]["exact"],
        "2"
    );
    // No more than there are, however many may be.
    assert_eq!(pair(POOL, &["--games", "2..4294967295"]).code, Some(0));
    assert_eq!(pair("0 0\n", &["--games", "3"]).code, Some(0));
}

#[test]
fn what_does_not_go_with_games_says_what_does() {
    let games = ["--games", "0..3"];
    for (options, parts) in [
        (
            &["--objective", "max-weight"][..],
            &["--objective", "--objective max-perfect --games 0..3"][..],
        ),
        (
            &["--objective", "max-cardinality"],
            &["--games 0..3", "--missing-cost above all weights"],
        ),
        (&["--bye-cost", "1"], &["--bye-cost", "by --missing-cost"]),
        (&["--engine", "dense"], &["--engine", "auto or sparse"]),
        (&["--missing-cost", "NaN"], &["--missing-cost", "not a number"]),
        (&["--missing-cost", "1e-9"], &["--missing-cost", "more than 6 decimals"]),
        (&["--missing-cost", "1e40"], &["--missing-cost", "too large"]),
        (&["--missing-cost", "1e13"], &["--missing-cost", "below 10^12"]),
    ] {
        pair(POOL, &[&games[..], options].concat()).refused(parts);
    }
    pair(GRAPH, &["--games", "2", "--rounds"]).refused(&["--rounds: only for CSV pools"]);
    for input in [POOL, GRAPH] {
        pair(input, &["--rounds"]).refused(&["--rounds: only with --games"]);
    }
    let exact = ["--games", "3", "--missing-cost", "1"];
    let advice = "--missing-cost: nobody may have fewer games than 3; write --games 0..3";
    pair(POOL, &exact).refused(&[advice]);
    pair(GRAPH, &exact).refused(&[advice]);
    pair(POOL, &["--missing-cost", "1"]).refused(&["--missing-cost: only with --games"]);
    pair(GRAPH, &["--missing-cost", "1"]).refused(&["--missing-cost: only with --games"]);
    for price in ["x", "inf", "1e-39"] {
        pair(GRAPH, &["--games", "0..2", "--missing-cost", price]).refused(&["--missing-cost"]);
    }
    let wide = "2 1\n0 1 170141183460469231731687303715884\n";
    pair(wide, &["--games", "0..1", "--missing-cost", "1e-9"]).refused(&["--missing-cost", "too many digits together"]);
    pair(GRAPH, &["--games", "2", "--bye-cost", "1"]).refused(&["--bye-cost"]);
    assert_eq!(pair(POOL, &["--games", "2", "--engine", "sparse"]).code, Some(0));
}

#[test]
fn wrong_fields_are_refused_by_line_and_player() {
    let pool =
        |field: &str| format!("id,rating,deviation,outcomes,games_wanted\nAnn,1,1,,\nBen,1,1,,{field}\nCho,1,1,,\n");
    let of_ben = "line 3, column games_wanted, player \"Ben\": ";
    for (field, said) in [
        ("x", "\"x\" is not a number of games"),
        ("-1", "\"-1\" is not a number of games"),
        ("NaN", "\"NaN\" is not a number of games"),
        ("2..", "\"2..\" is not a number of games"),
        ("2..1", "2..1 begins with the greater number; write 1..2"),
    ] {
        for options in [&[][..], &["--games", "2"]] {
            pair(pool(field), options).refused(&[of_ben, said]);
        }
        group(pool(field), &["--size", "3"]).refused(&[of_ben, said]);
    }
    let said = "3 games take as many different opponents, and there are 2 others";
    pair(pool("3"), &["--games", "1..2"]).refused(&[of_ben, said]);
    // It is about nothing without --games, and none for whom it says so.
    let warned = pair(pool("3"), &[]);
    assert_eq!(warned.code, Some(0));
    assert!(
        warned
            .stderr
            .contains("\"games_wanted\" changes nothing without --games"),
        "{warned:?}"
    );
    let grouped = group(pool("3"), &["--size", "3"]);
    assert!(
        grouped.stderr.contains("\"games_wanted\" does not change groups"),
        "{grouped:?}"
    );
    let none = pair_json(pool("0"), &["--games", "1"]);
    assert_eq!(
        (&none["pairs"][0][0], &none["unmatched"]),
        (&json!("Ann"), &json!(["Ben"]))
    );
    assert_eq!(none["warnings"], json!([]));
}

#[test]
fn games_that_nobody_wants_are_warned_of() {
    let free = pair(POOL, &["--games", "0..3", "--cost", "skill"]);
    assert_eq!(free.code, Some(0));
    assert!(free.stderr.contains("say by --missing-cost"), "{free:?}");
    let priced = pair(POOL, &["--games", "0..3", "--cost", "skill", "--missing-cost", "50"]);
    assert!(!priced.stderr.contains("--missing-cost"), "{priced:?}");
}

#[test]
fn limits_leave_answers_or_bounds() {
    let mut csv = Vec::new();
    Pool::synthetic(301, 1)
        .write_csv(&mut csv)
        .expect("a vector takes everything");
    let question = ["--games", "2..4"];
    let best = pair_json(&csv, &question)["cost"]["float"].as_f64().expect("a number");
    let mut codes = [0; 5];
    for limit in ["0", "1000", "20000", "100000", "300000", "1000000", "100000000"] {
        let options = [&question[..], &["--json", "--work-limit", limit]].concat();
        let run = pair(&csv, &options);
        let stopped = run.json();
        let code = run.code.expect("a code");
        codes[code as usize] += 1;
        let bound = stopped["bound"]["float"].as_f64().expect("a bound");
        assert!(bound <= best, "{bound} {best}");
        match code {
            0 => assert_eq!(stopped["status"], "optimal"),
            3 => {
                assert_eq!(
                    (&stopped["status"], &stopped["stopped"]),
                    (&"feasible".into(), &"work-limit".into())
                );
                assert!(stopped["cost"]["float"].as_f64().is_some_and(|cost| cost >= best));
                let each = stopped["games"]["each"].as_array().expect("everybody").iter();
                let counts = each.map(|one| one["opponents"].as_array().map_or(0, Vec::len));
                assert!(counts.into_iter().all(|count| (2..=4).contains(&count)));
            }
            4 => {
                assert_eq!(
                    (&stopped["status"], &stopped["cost"]),
                    (&"unknown".into(), &Value::Null)
                );
                assert_eq!(stopped["pairs"], json!([]));
            }
            other => panic!("{other}"),
        }
        assert_eq!(timeless(pair(&csv, &options).json()), timeless(stopped));
    }
    assert!(codes[0] > 0 && codes[3] > 0, "{codes:?}");
    let text = pair(&csv, &[&question[..], &["--time-limit", "0"]].concat());
    assert!([Some(3), Some(4)].contains(&text.code), "{text:?}");
    assert!(text.stdout.contains("stopped by the time-limit"), "{}", text.stdout);
}

/// Two centres, of whose few places all leaves need one.
fn stars(leaves: usize) -> String {
    let lines = (2..leaves + 2).map(|leaf| format!("0 {leaf} 1\n1 {leaf} 1\n"));
    format!("{} {}\n{}", leaves + 2, 2 * leaves, lines.collect::<String>())
}

/// That there is no answer was known, and why was not: no proof was checked, and so nothing is said to be infeasible.
#[test]
fn no_answer_without_a_reason_is_no_answer() {
    let question = ["--games", "1..2"];
    let known = pair_json(stars(1000), &question);
    assert_eq!(
        (&known["status"], &known["witness"]["removed"]),
        (&json!("infeasible"), &json!([0, 1]))
    );
    let mut unknown = 0;
    for limit in ["0", "3000", "10000", "30000", "100000", "300000", "1000000"] {
        let run = pair(
            stars(1000),
            &[&question[..], &["--json", "--work-limit", limit]].concat(),
        );
        let document = run.json();
        let verified = &document["certificate"]["verified"];
        match run.code {
            Some(1) => assert_eq!((&document["status"], verified), (&json!("infeasible"), &json!(true))),
            Some(4) => {
                assert_eq!(
                    (&document["status"], &document["stopped"]),
                    (&json!("unknown"), &json!("work-limit"))
                );
                unknown += u32::from(verified == false);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(unknown > 0, "a search for a reason was stopped");
    // Where so many have a choice of numbers it is not begun.
    let run = pair(stars(5000), &question);
    assert_eq!(run.code, Some(4), "{run:?}");
    assert!(
        run.stdout
            .contains("where so many have a choice of numbers, it would take too long to find"),
        "{run:?}"
    );
    assert!(
        run.stdout.contains("status unknown, no certificate, exact on integers"),
        "{run:?}"
    );
    let document = pair_json(stars(5000), &question);
    assert_eq!(document["certificate"], json!({"verified": false, "kind": null}));
    assert_eq!((&document["stopped"], &document["bound"]), (&Value::Null, &Value::Null));
}

#[test]
fn files_are_written_and_odd_names_are_kept() {
    let (directory, path) = file("pool.csv", POOL.replace("Ann", "\"A,\t\nnn\""));
    let (path, out) = (path.to_str().expect("UTF-8"), directory.path().join("out"));
    let options = ["pair", path, "--games", "3", "--explain", "Cho,A,\t\nnn"];
    let printed = run(&options);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("A,\\t\\nnn"), "{}", printed.stdout);
    let written = run(&[&options[..], &["-o", out.to_str().expect("UTF-8")]].concat());
    assert_eq!((written.code, written.stdout.as_str()), (Some(0), ""));
    let text = std::fs::read_to_string(out).expect("a report");
    let without_times = |text: &str| text.rsplit_once(", ").map(|(text, _)| text.to_owned());
    assert_eq!(without_times(&text), without_times(&printed.stdout));
}
