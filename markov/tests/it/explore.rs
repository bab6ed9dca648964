//! Chains explored from a state.

use markov::{Error, Limits, explore};

/// A whole row was read before its size was looked at: one that never ends was read for ever.
#[test]
fn rows_are_read_no_further_than_limits() {
    let (states, transitions) = (4, 6);
    let limits = Limits { states, transitions };
    // Fails where it is read on.
    let endless = |to: fn(u32) -> u32| {
        let row = move |_: &u32| (1_u32..).inspect(|&at| assert!(at < 10)).map(move |at| (to(at), 1.0));
        explore(0, row, limits).map(|found| found.states.len())
    };
    let what = |what, limit| Err(Error::TooLarge { what, limit });
    assert_eq!(endless(|at| at), what("states", states));
    assert_eq!(endless(|at| at % 2), what("transitions", transitions));
    // Zeros lead nowhere, and were read without end.
    let zeros = |_: &u32| (0_u32..).inspect(|&at| assert!(at < 10)).map(|at| (at, 0.0));
    let found = explore(0, zeros, limits).map(|found| found.states.len());
    assert_eq!(found, what("transitions", transitions));
    let zeros = |&at: &u32| [0, 0, 0, 0, 1].map(|value| ((at + value) % 4, f64::from(value)));
    let found = explore(0, zeros, limits).map(|found| found.states.len());
    assert_eq!(found, Ok(4));
    // Nothing may be too much.
    let none = Limits { states: 0, transitions };
    let found = explore(0, |_| Vec::<(u32, f64)>::new(), none);
    assert_eq!(
        found.err(),
        Some(Error::TooLarge {
            what: "states",
            limit: 0
        })
    );
    // All of the limit may be used.
    let circle = Limits {
        states: 4,
        transitions: 4,
    };
    let found = explore(0, |&at| [((at + 1) % 4, 1.0)], circle);
    assert_eq!(found.map(|found| found.states.len()), Ok(4));
}
