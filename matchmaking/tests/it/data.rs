//! The shipped pools.

use matchmaking::Pool;

use crate::support::run;

const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/pool.csv");
const PARTIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/parties.csv");

#[test]
fn the_shipped_pool_is_what_the_generator_makes() {
    let mut generated = Vec::new();
    Pool::synthetic(500, 1)
        .write_csv(&mut generated)
        .expect("a vector takes everything");
    let shipped = std::fs::read(SHIPPED).expect("the shipped pool");
    assert!(
        shipped == generated,
        "make it anew: cargo run -p matchmaking --example make_pool -- 500 --seed 1"
    );
}

#[test]
fn the_shipped_pool_is_paired_with_a_proof() {
    let run = run(&["pair", SHIPPED, "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let document = run.json();
    assert_eq!(
        (&document["status"], &document["edges"]),
        (&"optimal".into(), &124_750.into())
    );
    assert_eq!(document["pairs"].as_array().map(Vec::len), Some(250));
}

#[test]
fn the_shipped_pool_with_parties_is_grouped() {
    let run = run(&["group", PARTIES, "--size", "6", "--json", "--fairness"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let document = run.json();
    // As the README says: it was not while all first searches for the exact method began alike.
    assert_eq!(document["status"], "optimal");
    assert_eq!(document["groups"].as_array().map(Vec::len), Some(8));
    assert_eq!(document["waiting"].as_array().map(Vec::len), Some(2));
    let shares = document["fairness"][0]["groupings"]
        .as_array()
        .expect("groupings")
        .iter();
    let shares = shares.map(|grouping| format!("{:.1}", grouping["mean_share"].as_f64().expect("a number")));
    assert_eq!(shares.collect::<Vec<_>>(), ["431.7", "469.2", "1270.7"]);
}
