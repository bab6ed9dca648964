//! `pair` that is ended by a limit: what it then says is no worse than what stands beside it, and what is proven is said to be.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{pair, pair_json};

/// A pool of ratings, some of whom avoid somebody.
fn pool(n: usize, rng: &mut ChaCha8Rng) -> String {
    let mut csv = "id,rating,avoid\n".to_owned();
    for i in 0..n {
        let avoid = if rng.random_bool(0.1) {
            format!("p{}", (i + rng.random_range(1..n)) % n)
        } else {
            String::new()
        };
        csv += &format!("p{i},{},{avoid}\n", rng.random_range(600..2_400));
    }
    csv
}

/// A number of the report, as far as floats tell.
#[track_caller]
fn float(value: &Value) -> f64 {
    value["float"]
        .as_f64()
        .unwrap_or_else(|| panic!("a number, not {value}"))
}

/// Neighbours by rating, in the same report, cost a tenth of what was said to be the best that was found.
#[test]
fn nothing_beside_an_answer_is_better() {
    let rng = &mut ChaCha8Rng::seed_from_u64(51);
    let (mut stopped, mut compared) = (0, 0);
    for round in 0..40 {
        let n = [210, 211, 260, 301][round % 4];
        let csv = pool(n, rng);
        let options: &[&str] = [
            &["--objective", "min-perfect"][..],
            &["--objective", "max-perfect"],
            &["--objective", "max-weight", "--engine", "dense"],
            &["--games", "2..3", "--missing-cost", "3000"],
            &["--games", "2", "--objective", "max-perfect"],
        ][round % 5];
        let limit = rng.random_range(0..3 * n * n).to_string();
        let arguments = [&["--cost", "skill", "--json", "--work-limit", &limit][..], options].concat();
        let run = pair(&csv, &arguments);
        let document = run.json();
        if document["cost"].is_null() {
            continue;
        }
        let sign = if document["objective"] == "minimize" { 1.0 } else { -1.0 };
        let [this, others @ ..] = &document["comparison"].as_array().expect("pairings")[..] else {
            panic!("three pairings, not {document}");
        };
        assert_eq!(this["cost"], document["cost"]);
        for other in others {
            let does_as_much = ["games", "missing"].iter().all(|key| other[key] == this[key]);
            if does_as_much {
                let (this, other) = (float(&this["cost"]), float(&other["cost"]));
                assert!(sign * this <= sign * other, "{this} beside {other}: {arguments:?}");
                compared += 1;
            }
        }
        let is_proven = document["cost"]["exact"] == document["bound"]["exact"];
        assert_eq!(is_proven, document["status"] == "optimal", "{arguments:?}");
        assert_eq!(run.code, Some(if is_proven { 0 } else { 3 }));
        stopped += usize::from(!is_proven);
    }
    assert!(stopped > 10 && compared > 30, "{stopped} {compared}");
}

/// An answer that its bound proves the best was `feasible`, with a gap of nothing.
#[test]
fn a_bound_that_is_reached_is_a_proof() {
    let graph = "4 4\n0 1 5\n2 3 4\n0 2 1\n1 3 1\n";
    let options = ["--engine", "dense", "--objective", "max-weight", "--work-limit", "0"];
    let run = pair(graph, &options);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stdout.contains("optimal: no pairing weighs more (bound 9)"),
        "{}",
        run.stdout
    );
    let document = pair_json(graph, &options);
    assert_eq!(
        (&document["status"], &document["stopped"]),
        (&json!("optimal"), &Value::Null)
    );
}
