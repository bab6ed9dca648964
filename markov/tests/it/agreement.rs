//! Answers in floats against independent exact ones; `examples/against_exact` runs more of them.

#[path = "../../examples/against_exact/suite/mod.rs"]
mod suite;

#[test]
fn proven_bounds_hold_the_exact_answers() {
    let tally = suite::run(330, 7);
    assert!(tally.failures.is_empty(), "{:#?}", tally.failures);
    assert!(tally.cases.len() == 20 && tally.cases.values().all(|&count| count >= 16));
    for what in [
        "stationary, elimination",
        "average, policy iteration",
        "average, relative value iteration",
        "discounted, value iteration",
    ] {
        let proven = tally.answers[what].get(&suite::Answer::Proven).copied();
        assert!(proven >= Some(80), "{what}: {proven:?}");
    }
}
