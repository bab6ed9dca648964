//! `matchmaking advise` for games of two against two, choosing sides, and two zones.

use serde_json::Value;

use crate::support::run;

fn answers(arguments: &[&str]) -> Vec<Value> {
    let run = run(&[&["advise", "--json"], arguments].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    run.json()["recommendations"].as_array().expect("an array").clone()
}

/// One queue or two, and the order of service.
fn battles(singles: &str, pairs: &str) -> [Value; 2] {
    let found = answers(&["--singles", singles, "--pairs", pairs]);
    let rules: Vec<&Value> = found.iter().map(|answer| &answer["rule"]).collect();
    assert_eq!(rules, ["one-queue-or-two", "service-order"]);
    found.try_into().expect("two answers")
}

/// Sides, and zones.
fn duels(a: &str, b: &str, free: &str) -> [Value; 2] {
    let found = answers(&["--prefer-a", a, "--prefer-b", b, "--free", free]);
    let rules: Vec<&Value> = found.iter().map(|answer| &answer["rule"]).collect();
    assert_eq!(rules, ["choosing-sides", "two-zones"]);
    found.try_into().expect("two answers")
}

fn find<'a>(answer: &'a Value, name: &str) -> Option<&'a Value> {
    let mut figures = answer["figures"].as_array().expect("figures").iter();
    figures.find(|figure| figure["name"] == name)
}

fn figure<'a>(answer: &'a Value, name: &str) -> &'a Value {
    find(answer, name).unwrap_or_else(|| panic!("no {name} in {answer}"))
}

fn check(answer: &Value, figures: &[(&str, &str)]) {
    for (name, value) in figures {
        assert_eq!(figure(answer, name)["value"]["exact"], *value, "{name}");
    }
}

#[test]
fn one_queue_is_faster_than_two() {
    let [queues, services] = battles("1", "1");
    assert_eq!(queues["value"], "one queue for all");
    check(
        &queues,
        &[
            ("wait_one_queue", "1/2"),
            ("wait_two_queues", "5/6"),
            ("two_queues_longer_by", "2/3"),
            ("variance_one_queue", "5/8"),
            ("variance_two_queues", "59/36"),
            ("wait_singles_two_queues", "3/2"),
            ("wait_pairs_two_queues", "1/2"),
        ],
    );
    assert_eq!(services["value"], "first in, first out; packing does the same");
    assert_eq!(services["verdict"], "holds");
    check(
        &services,
        &[
            ("wait_fifo", "1/2"),
            ("wait_packing", "1/2"),
            ("wait_lifo", "1/2"),
            ("variance_fifo", "5/8"),
            ("variance_packing", "5/8"),
            ("variance_lifo", "59/80"),
        ],
    );
}

#[test]
fn a_formula_that_does_not_hold_comes_with_what_is_true() {
    let [queues, services] = battles("1/2", "0.25");
    let wrong = [
        (&queues, "variance_two_queues", "47/4", "21/4"),
        (&services, "variance_lifo", "", ""),
    ];
    for (answer, name, value, printed) in wrong {
        let figure = figure(answer, name);
        assert_eq!(figure["verdict"], "does-not-hold");
        assert!(
            figure["correction"].as_str().is_some_and(|text| text.contains("l1")),
            "{figure}"
        );
        assert_ne!(figure["printed"], figure["value"]);
        if !value.is_empty() {
            assert_eq!(
                (&figure["value"]["exact"], &figure["printed"]["exact"]),
                (&value.into(), &printed.into())
            );
        }
    }
}

#[test]
fn kinds_of_a_service_order_add_up_to_all() {
    // A pair counts twice: (3/2 singles + 2 * 1/4 pairs) / 2 weighs 3/4 and 1/4.
    let [_, services] = battles("1.5", "0.25");
    let float = |name: &str| figure(&services, name)["value"]["float"].as_f64().expect("a number");
    for order in ["fifo", "packing", "lifo"] {
        let second = |kind: &str| {
            let mean = float(&format!("wait_{kind}{order}"));
            float(&format!("variance_{kind}{order}")) + mean * mean
        };
        let mean = |kind: &str| float(&format!("wait_{kind}{order}"));
        assert!((0.75 * mean("singles_") + 0.25 * mean("pairs_") - mean("")).abs() < 1e-12);
        assert!((0.75 * second("singles_") + 0.25 * second("pairs_") - second("")).abs() < 1e-12);
    }
}

#[test]
fn one_kind_alone_needs_no_second_queue() {
    for (singles, pairs, wait) in [("1", "0", "3/2"), ("0", "1", "1/2")] {
        let [queues, services] = battles(singles, pairs);
        assert!(
            queues["value"]
                .as_str()
                .is_some_and(|value| value.starts_with("either"))
        );
        assert!(services["value"].as_str().is_some_and(|value| value.starts_with("any")));
        check(&queues, &[("wait_one_queue", wait), ("wait_two_queues", wait)]);
        assert_eq!(figure(&queues, "wait_one_queue")["printed"]["exact"], wait);
        assert!(figure(&queues, "wait_two_queues")["printed"].is_null());
        assert_eq!(find(&services, "wait_singles_fifo").is_some(), singles == "1");
        assert_eq!(find(&services, "wait_pairs_lifo").is_some(), pairs == "1");
        let variances = [
            (&queues, "variance_one_queue"),
            (&queues, "variance_two_queues"),
            (&services, "variance_fifo"),
            (&services, "variance_packing"),
            (&services, "variance_lifo"),
        ];
        // Their corrected forms are about both kinds as well.
        for figure in variances.map(|(answer, name)| figure(answer, name)) {
            assert!(
                figure["printed"].is_null() && figure["correction"].is_null(),
                "{figure}"
            );
            assert!(
                figure["formula"]
                    .as_str()
                    .is_some_and(|text| text.contains(" for l1, l2 > 0: ")),
                "{figure}"
            );
        }
    }
}

#[test]
fn sides_can_be_chosen_where_enough_players_take_either() {
    let [sides, _] = duels("1", "1", "1");
    assert!(
        sides["value"]
            .as_str()
            .is_some_and(|value| value.starts_with("they can"))
    );
    check(
        &sides,
        &[
            ("free_must_exceed", "0"),
            ("wait_without_choosing", "1/6"),
            ("wait_a", "3/5"),
            ("wait_b", "3/5"),
            ("wait_free", "1/10"),
            ("wait_all", "13/30"),
            ("times_as_long", "13/5"),
        ],
    );
    let [sides, _] = duels("0", "0", "1");
    assert!(
        sides["value"]
            .as_str()
            .is_some_and(|value| value.contains("no difference"))
    );
}

#[test]
fn sides_that_grow_without_end_are_refused() {
    for (a, b, free, value) in [
        ("3", "1", "1", "no: the line for side A would grow without end"),
        ("1", "3.5", "1", "no: the line for side B would grow without end"),
        ("2", "1", "1", "no: the mean wait would be infinite"),
        ("1/3", "1/3", "0", "no: the mean wait would be infinite"),
    ] {
        let [sides, zones] = duels(a, b, free);
        assert_eq!(sides["value"], value, "{a} {b} {free}");
        assert!(find(&sides, "wait_all").is_none() && find(&sides, "wait_without_choosing").is_some());
        assert!(figure(&zones, "wait_all")["value"]["exact"].is_string());
    }
}

#[test]
fn playing_in_both_zones_saves_most_of_the_wait() {
    let [_, zones] = duels("1", "1", "0");
    assert!(zones["value"].as_str().is_some_and(|value| value.starts_with("invite")));
    check(
        &zones,
        &[
            ("both_against_b", "1/4"),
            ("both_against_a", "1/4"),
            ("both_saves", "3/4"),
        ],
    );
    for (a, b, saved, formula) in [
        ("0.8", "0.2", "9/10", "no incentive"),
        ("0.9", "0.1", "19/20", "90 % is the maximum"),
    ] {
        let [_, zones] = duels(a, b, "0");
        let figure = figure(&zones, "both_saves");
        assert_eq!(
            (&figure["value"]["exact"], &figure["verdict"]),
            (&saved.into(), &"does-not-hold".into())
        );
        assert!(
            figure["formula"].as_str().is_some_and(|text| text.starts_with(formula)),
            "{figure}"
        );
        assert!(figure["correction"].is_string());
    }
}

/// Players were to be invited to both zones also where nobody would wait less for it.
#[test]
fn who_waits_less_in_both_zones_must_be_there_to_be_invited() {
    let alone =
        "there is nobody to invite to both zones: only in a zone that nobody plays in alone would anybody wait longer";
    for (a, b, free, value) in [
        ("1", "0", "1", alone),
        ("0", "1", "1", alone),
        ("0", "2", "0", alone),
        ("0", "0", "1", "it makes no difference how many zones a player takes"),
        (
            "1",
            "0.1",
            "1",
            "invite players to play in both zones: who does waits less",
        ),
    ] {
        let [_, zones] = duels(a, b, free);
        assert_eq!(zones["value"], value, "{a} {b} {free}: {zones}");
    }
}

#[test]
fn a_zone_that_nobody_plays_in_has_no_end_of_waiting() {
    let [_, zones] = duels("0", "2", "0");
    let wait = &figure(&zones, "wait_a_only")["value"];
    assert!(wait["exact"].is_null() && wait["float"].is_null(), "{wait}");
    check(
        &zones,
        &[
            ("wait_b_only", "1/4"),
            ("wait_both", "1/4"),
            ("wait_all", "1/4"),
            ("both_against_a", "0"),
        ],
    );
}

#[test]
fn what_holds_is_what_the_chains_give_and_what_does_not_differs() {
    let mixes: [&[&str]; 4] = [
        &["--singles", "0.3", "--pairs", "5/7"],
        &["--singles", "20", "--pairs", "1e-2"],
        &["--prefer-a", "1/3", "--prefer-b", "0.5", "--free", "2"],
        &["--prefer-a", "0", "--prefer-b", "0.5", "--free", "2/3"],
    ];
    for mix in mixes {
        let mut compared = 0;
        for figure in answers(mix)
            .iter()
            .flat_map(|answer| answer["figures"].as_array().expect("figures"))
        {
            // In whole percents.
            if figure["printed"].is_null() || figure["name"] == "two_queues_longer_by" {
                continue;
            }
            let is_same = figure["printed"]["exact"] == figure["value"]["exact"];
            assert_eq!(is_same, figure["verdict"] == "holds", "{mix:?} {figure}");
            compared += 1;
        }
        assert!(compared > 8, "{mix:?}");
    }
}

#[test]
fn twice_the_players_wait_half_as_long() {
    let waits = |rates: [&str; 3]| {
        let found = duels(rates[0], rates[1], rates[2]);
        [(0, "wait_all"), (1, "wait_all"), (1, "wait_both")]
            .map(|(at, name): (usize, _)| figure(&found[at], name)["value"]["float"].as_f64().expect("a number"))
    };
    let (once, twice) = (waits(["0.3", "0.4", "0.5"]), waits(["0.6", "4/5", "1"]));
    for (once, twice) in once.into_iter().zip(twice) {
        assert!((once - 2.0 * twice).abs() < 1e-12, "{once} {twice}");
    }
}

#[test]
fn questions_of_both_papers_are_answered_together() {
    let arguments = [
        "--team-size",
        "2",
        "--high-share",
        "0.5",
        "--alpha",
        "1",
        "--singles",
        "1",
        "--pairs",
        "2",
    ];
    let found = answers(&arguments);
    let rules: Vec<&Value> = found.iter().map(|answer| &answer["rule"]).collect();
    assert_eq!(rules, ["greedy-or-patient", "one-queue-or-two", "service-order"]);
}

#[test]
fn text_says_what_is_true_where_a_formula_is_not() {
    let run = run(&["advise", "--singles", "1", "--pairs", "1"]);
    assert_eq!(run.code, Some(0));
    for part in [
        "one queue or two: one queue for all\n  67 % more: ",
        "service order: first in, first out; packing does the same\n",
        "1.638889 = 59/36",
        "does-not-hold",
        "(7): Var[T] with two queues, but: (8 l1^2 + 11 l1 l2 + 40 l2^2) / (4 l_total^2 l1 l2)",
        "\n2 recommendations in ",
    ] {
        assert!(run.stdout.contains(part), "{part:?} is missing in {}", run.stdout);
    }
}

/// "Two queues make players wait 67 % longer (holds)" stood beside a 0 that is as true: the claim is about both kinds.
#[test]
fn a_claim_about_both_kinds_says_so() {
    for rates in [["--singles", "1", "--pairs", "0"], ["--singles", "0", "--pairs", "1"]] {
        let run = run(&[&["advise"], &rates[..]].concat());
        let claim = "67 % more: where single players and pairs both come, two queues make players wait 67 % longer";
        let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            words.contains(claim) && words.contains("FIFO outperforms LIFO: where both come,"),
            "{}",
            run.stdout
        );
    }
}

/// The error was "more states than the limit" and no more.
#[test]
fn what_makes_lines_too_long_is_named() {
    let rates = ["--prefer-a", "3", "--prefer-b", "1", "--free", "1"];
    let run = run(&[&["advise"], &rates[..], &["--patience", "1e9"]].concat());
    run.refused(&[
        "--patience",
        "more states than the limit",
        "a smaller --patience",
        "--prefer-a",
    ]);
}

#[test]
fn questions_without_their_rates_are_refused() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["--singles", "1"], &["--pairs"]),
        (&["--pairs", "1"], &["--singles"]),
        (&["--prefer-a", "1", "--prefer-b", "1"], &["--free"]),
        (&["--free", "1"], &["--prefer-a", "--prefer-b"]),
        (
            &["--singles", "0", "--pairs", "0.0"],
            &["--singles", "--pairs", "nobody comes"],
        ),
        (
            &["--prefer-a", "0", "--prefer-b", "0", "--free", "0"],
            &["--prefer-a", "--prefer-b", "--free", "nobody comes"],
        ),
        (
            &["--singles", "1", "--pairs", "1", "--team-size", "2"],
            &["--team-size", "answers nothing alone"],
        ),
        (
            &["--singles", "-1", "--pairs", "1"],
            &["--singles", "must not be negative"],
        ),
        (&["--pairs", "NaN", "--singles", "1"], &["--pairs", "not a number"]),
        (
            &["--free", "1/0", "--prefer-a", "1", "--prefer-b", "1"],
            &["--free", "divides by zero"],
        ),
        (&["--prefer-a", "-1/2"], &["--prefer-a", "must not be negative"]),
    ];
    for (arguments, parts) in cases {
        run(&[&["advise"], *arguments].concat()).refused(parts);
    }
}

#[test]
fn players_who_give_up_keep_lines_short() {
    let options = ["--prefer-a", "2", "--prefer-b", "1", "--free", "0", "--patience"];
    let short = answers(&[&options[..], &["10"]].concat());
    let rules: Vec<&Value> = short.iter().map(|answer| &answer["rule"]).collect();
    assert_eq!(rules, ["choosing-sides", "two-zones", "sides-with-patience"]);
    let answer = &short[2];
    assert!(
        answer["value"]
            .as_str()
            .is_some_and(|value| value.starts_with("only at the price of players"))
    );
    assert_eq!(answer["verdict"], Value::Null);
    let float = |answer: &Value, name: &str| figure(answer, name)["value"]["float"].as_f64().expect("a number");
    // One in two of A has nobody to play with; of all, nearly one in three.
    assert!((float(answer, "give_up_a") - 0.5).abs() < 0.01);
    assert!((float(answer, "give_up_all") - 1.0 / 3.0).abs() < 0.01);
    assert!(float(answer, "give_up_without_choosing") < 0.02);
    assert!(find(answer, "give_up_free").is_none());
    // Waiting players give up at 1/10 a minute each, as many as give up of two a minute.
    assert!((0.1 * float(answer, "waiting_for_a") - 2.0 * float(answer, "give_up_a")).abs() < 1e-12);

    let balanced = answers(&[
        "--prefer-a",
        "1",
        "--prefer-b",
        "1",
        "--free",
        "1/2",
        "--patience",
        "1e6",
    ]);
    let (endless, patient) = (&balanced[0], &balanced[2]);
    assert!(
        patient["value"]
            .as_str()
            .is_some_and(|value| value.starts_with("they can"))
    );
    let [one, other] = [(endless, "wait_a"), (patient, "wait_played_a")].map(|(answer, name)| float(answer, name));
    assert!((one / other - 1.0).abs() < 1e-4, "{one}, {other}");
}

#[test]
fn parties_are_served_or_not_with_reasons() {
    let ask = |rates: &str| answers(&["--parties", rates]).pop().expect("an answer");
    let yes = ask("5/2,2,1");
    assert!(yes["value"].as_str().is_some_and(|value| value.starts_with("yes")));
    check(&yes, &[("party_of_2_may_rise_by", "1/2")]);
    assert_eq!(figure(&yes, "party_of_1_may_rise_by")["value"]["exact"], Value::Null);
    let no = ask("1,2,1");
    assert!(
        no["value"]
            .as_str()
            .is_some_and(|value| value.contains("grow without end"))
    );
    check(
        &no,
        &[
            ("weight_grows_by", "1"),
            ("weight_of_party_of_1", "-1"),
            ("weight_of_party_of_2", "1"),
        ],
    );
    let border = ask("2,2,0");
    assert!(
        border["value"]
            .as_str()
            .is_some_and(|value| value.starts_with("no: at the border"))
    );
    assert!(find(&border, "weight_of_party_of_3").is_none());
}

#[test]
fn patience_and_parties_that_make_no_sense_are_refused() {
    let many = ["1"; 21].join(",");
    let cases: &[(&[&str], &[&str])] = &[
        (&["--patience", "1"], &["--prefer-a"]),
        (
            &["--prefer-a", "1", "--prefer-b", "1", "--free", "1", "--patience", "0"],
            &["--patience", "greater than 0"],
        ),
        (&["--parties", "1,x"], &["--parties", "not a number"]),
        (&["--parties", "1,-1"], &["--parties", "must not be negative"]),
        (&["--parties", "0,0"], &["--parties", "nobody comes"]),
        (&["--parties", &many], &["--parties", "at most 20"]),
    ];
    for (arguments, parts) in cases {
        run(&[&["advise"], *arguments].concat()).refused(parts);
    }
}
