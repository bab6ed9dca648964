//! `matchmaking verify`: its contract, for whatever the verdicts are.

use std::collections::HashSet;
use std::fs;
use std::sync::LazyLock;

use serde_json::Value;

use crate::support::{check_timing, file, run};

const VERDICTS: [&str; 3] = ["holds", "holds-as-read", "does-not-hold"];

/// Nothing was said of options that came to nothing.
#[test]
fn options_that_change_nothing_are_warned_of() {
    for (options, said) in [
        (
            &["eomm", "--simulate", "5000", "--seed", "7"][..],
            "--simulate changes nothing: there is no simulation of these claims",
        ),
        (&["eomm", "--seed", "7"], "--seed changes nothing without --simulate"),
    ] {
        let run = run(&[&["verify"], options].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(run.stderr, format!("matchmaking: warning: {said}\n"));
    }
}

/// The claims of all papers, which is whose are meant where none is named; asked for once.
fn all_claims() -> &'static [Value] {
    static CLAIMS: LazyLock<Vec<Value>> = LazyLock::new(|| {
        let run = run(&["verify", "--json"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
        assert!(
            run.stdout
                .starts_with("{\"schema\":\"matchmaking/verify/1\",\"claims\":[{\"paper\":\"")
        );
        run.json()["claims"].as_array().expect("an array").clone()
    });
    &CLAIMS
}

/// Those of one paper, which stand together.
fn claims_of(paper: &str) -> &'static [Value] {
    let is_of = |claim: &Value| claim["paper"] == paper;
    let start = all_claims().iter().position(is_of).expect("claims");
    let count = all_claims().iter().filter(|claim| is_of(claim)).count();
    &all_claims()[start..start + count]
}

fn keys(value: &Value) -> HashSet<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

/// `{"exact": "p/q" | null, "float": x}`, the two telling the same.
fn check_number(number: &Value) {
    assert_eq!(keys(number), HashSet::from(["exact", "float"]));
    if let Some(text) = number["exact"].as_str() {
        let float = number["float"].as_f64().unwrap_or_else(|| panic!("{number}"));
        let (p, q) = text.split_once('/').unwrap_or((text, "1"));
        let parts = [p, q].map(|part| part.parse::<f64>().expect("an integer"));
        let quotient = parts[0] / parts[1];
        // Integers beyond the range of floats divide to NaN.
        assert!(
            quotient.is_nan() || (quotient - float).abs() <= 1e-12 * float.abs(),
            "{number}"
        );
    } else {
        assert!(number["exact"].is_null());
    }
}

fn check_point(point: &Value) {
    assert_eq!(
        keys(point),
        HashSet::from(["at", "printed", "computed", "corrected", "simulated"])
    );
    assert!(
        point["at"]
            .as_object()
            .expect("an object")
            .values()
            .all(Value::is_string)
    );
    check_number(&point["computed"]);
    for optional in ["printed", "corrected"] {
        if !point[optional].is_null() {
            check_number(&point[optional]);
        }
    }
    if !point["simulated"].is_null() {
        assert_eq!(keys(&point["simulated"]), HashSet::from(["mean", "se", "z"]));
    }
}

#[test]
fn every_claim_has_the_shape_of_the_contract() {
    let mut labels = HashSet::new();
    for claim in all_claims() {
        let expected = [
            "paper",
            "label",
            "statement",
            "verdict",
            "reading",
            "points",
            "corrected_form",
        ];
        assert_eq!(keys(claim), HashSet::from(expected));
        let paper = claim["paper"].as_str().expect("a paper");
        assert!(["wu", "xu", "schlup", "eomm"].contains(&paper), "{paper}");
        let label = claim["label"].as_str().expect("a label");
        assert!(labels.insert((paper, label)), "{label} appears twice");
        assert!(
            claim["statement"].as_str().is_some_and(|text| !text.is_empty()),
            "{label}"
        );
        let verdict = claim["verdict"].as_str().expect("a verdict");
        assert!(VERDICTS.contains(&verdict), "{verdict}");
        assert_eq!(claim["reading"].is_string(), verdict == "holds-as-read", "{label}");
        assert!(
            verdict == "does-not-hold" || claim["corrected_form"].is_null(),
            "{label}"
        );
        let points = claim["points"].as_array().expect("an array");
        assert!(!points.is_empty(), "{label}");
        points.iter().for_each(check_point);
    }
}

#[test]
fn verdicts_follow_from_the_points() {
    for claim in all_claims() {
        let agrees =
            |point: &Value, with: &str| match (point[with]["exact"].as_str(), point["computed"]["exact"].as_str()) {
                (Some(one), Some(other)) => one == other,
                _ => match (point[with]["float"].as_f64(), point["computed"]["float"].as_f64()) {
                    (Some(one), Some(other)) => (one - other).abs() <= 1e-9 * one.abs().max(other.abs()),
                    _ => false,
                },
            };
        let points = claim["points"].as_array().expect("an array");
        let all = |with: &str| points.iter().all(|point| agrees(point, with));
        assert_eq!(claim["verdict"] == "holds", all("printed"), "{}", claim["label"]);
        if claim["verdict"] != "holds" && !(claim["reading"].is_null() && claim["corrected_form"].is_null()) {
            assert!(all("corrected"), "{}", claim["label"]);
        }
    }
}

#[test]
fn text_counts_the_verdicts_and_shows_what_does_not_hold() {
    let (text, claims) = (run(&["verify", "all"]).stdout, all_claims());
    let count = |verdict: &str| claims.iter().filter(|claim| claim["verdict"] == verdict).count();
    let counts = VERDICTS
        .map(|verdict| {
            assert!(count(verdict) > 0, "{verdict}");
            format!("{} {verdict}", count(verdict))
        })
        .join(", ");
    let line = format!("\n{} claims: {counts}\n", claims.len());
    assert!(text.contains(&line), "{line} is missing in {text}");
    for claim in claims {
        let (paper, label) = (
            claim["paper"].as_str().expect("text"),
            claim["label"].as_str().expect("text"),
        );
        let heading = format!("\n{paper} {label} does not hold\n");
        assert_eq!(
            text.contains(&heading),
            claim["verdict"] == "does-not-hold",
            "{heading}"
        );
    }
}

#[test]
fn a_file_gets_what_stdout_would_get_on_any_number_of_threads() {
    let (directory, _path) = file("unused", "");
    let out = directory.path().join("out.json");
    let out = out.to_str().expect("a path");
    let written = run(&["verify", "wu", "--json", "--quiet", "--threads", "1", "-o", out]);
    assert_eq!(
        (written.code, written.stdout.as_str(), written.stderr.as_str()),
        (Some(0), "", "")
    );
    let written: Value = serde_json::from_str(&fs::read_to_string(out).expect("written")).expect("JSON");
    check_timing(&written);
    let written = written["claims"].as_array().map(Vec::as_slice);
    assert_eq!(written, Some(claims_of("wu")));
    // Papers have an order.
    let mut papers: Vec<&Value> = all_claims().iter().map(|claim| &claim["paper"]).collect();
    papers.dedup();
    assert_eq!(papers, ["wu", "xu", "schlup", "eomm"]);
}

#[test]
fn simulations_stand_beside_the_computed_values() {
    let simulate = |threads: &str, seed: &str| -> Vec<Value> {
        let found = run(&[
            "verify",
            "xu",
            "--json",
            "--simulate",
            "34000",
            "--threads",
            threads,
            "--seed",
            seed,
        ]);
        assert_eq!((found.code, found.stderr.as_str()), (Some(0), ""), "{found:?}");
        found.json()["claims"].as_array().expect("an array").clone()
    };
    let claims = simulate("1", "5");
    assert_eq!(claims, simulate("2", "5"));
    assert_ne!(claims, simulate("2", "6"));
    let mut count = 0;
    for claim in &claims {
        let points = claim["points"].as_array().expect("an array");
        let label = claim["label"].as_str().expect("a label");
        points.iter().for_each(check_point);
        for point in points.iter().filter(|point| !point["simulated"].is_null()) {
            let get = |key: &str| point["simulated"][key].as_f64().expect("a number");
            let computed = point["computed"]["float"].as_f64().expect("a number");
            let off = get("mean") - computed;
            // Where nothing is random the two differ by roundings alone, which count as nothing.
            let z = if off.abs() <= 1e-12 * computed.abs() {
                0.0
            } else {
                off / get("se")
            };
            assert!((z - get("z")).abs() < 1e-6 && z.abs() <= 4.5, "{label} {point}");
            count += 1;
        }
        if ["(7)", "(9) FIFO", "(9) packing", "(10)"].contains(&label) {
            assert!(points.iter().all(|point| !point["simulated"].is_null()), "{label}");
        }
    }
    assert!(count > 200, "{count}");
    // Nothing else changes.
    let mut without = claims;
    for point in without
        .iter_mut()
        .flat_map(|claim| claim["points"].as_array_mut().expect("an array"))
    {
        point["simulated"] = Value::Null;
    }
    assert!(claims_of("xu") == without);
}

#[test]
fn text_tells_how_far_simulations_are_off() {
    let text = run(&["verify", "xu", "--simulate", "3400"]).stdout;
    assert!(text.contains("\nsimulated at "), "{text}");
    assert!(
        text.contains(" points: greatest |z| ") && text.contains("simulated\n"),
        "{text}"
    );
    assert!(!run(&["verify", "xu"]).stdout.contains("simulated"));
}

#[test]
fn bad_usage_is_refused() {
    run(&["verify", "--simulate", "3399"]).refused(&["--simulate", "at least 3400"]);
    run(&["verify", "--simulate=-1"]).refused(&["--simulate"]);
    run(&["verify", "--simulate", "many"]).refused(&["--simulate", "not a whole number"]);
    run(&["verify", "--simulate", "4000", "--seed", "x"]).refused(&["--seed"]);
    run(&["verify", "schlup-2"]).refused(&["schlup-2", "wu, xu, schlup, eomm, all"]);
    run(&["verify", "wu", "xu"]).refused(&["unexpected argument"]);
    run(&["verify", "--threads", "0"]).refused(&["--threads"]);
    run(&["verify", "-o", "/no/such/folder/out"]).refused(&["/no/such/folder/out", "cannot be written"]);
}
