//! First passage: floats against fractions where numbers leave the range of floats, and limits.

use markov::passage::Passage;
use markov::{Csr, Ctmc, Dtmc, Error, Rational, Scalar};
use num_traits::FromPrimitive;

type Rows = Vec<Vec<(usize, f64)>>;

fn fractions(matrix: &Csr<f64>) -> Csr<Rational> {
    matrix.map(|_, _, &value| Rational::from_f64(value).expect("a finite number"))
}

/// Moments are those of fractions, infinite where these are beyond all floats. Returns how many are.
fn check(found: &[Vec<f64>], exact: &[Vec<Rational>]) -> usize {
    let mut infinite = 0;
    for (&value, exact) in found.iter().flatten().zip(exact.iter().flatten()) {
        let exact = exact.to_float();
        if exact.is_infinite() {
            assert_eq!(value, f64::INFINITY);
            infinite += 1;
        } else {
            assert!((value - exact).abs() <= 1e-12 * exact, "{value} for {exact}");
        }
    }
    infinite
}

#[test]
fn a_moment_is_finite_where_those_it_depends_on_are_not() {
    // From state 3 the target is near, but once in 1e40 steps the others come first, with times of 1e103.
    let rows: Rows = vec![
        vec![(1, 1.8865080355171094e-39), (0, 1.0)],
        vec![(2, 3.090668324021325e-55), (1, 1.0)],
        vec![(3, 1.2775284166854083e-49), (1, 0.5), (2, 0.5)],
        vec![(4, 6.192483699352416e-29), (2, 1.1404929461631846e-40), (3, 1.0)],
        vec![(5, 7.239917433849806e-52), (4, 1.0)],
        vec![(0, 1.2708884855279495e-58), (5, 1.0)],
    ];
    let mut rounded = Csr::from_rows(6, rows);
    let chain = Dtmc::new(&rounded).expect("a chain");
    let found = Passage::dtmc(&chain, &[4]).expect("reached").moments(3);
    // What rows miss one by counts as staying.
    rounded = chain.moves().clone();
    let moves = fractions(&rounded);
    let rows = (0..6).map(|state| {
        let stay = moves
            .row(state)
            .fold(Rational::ratio(1, 1), |stay, (_, move_to)| stay - move_to);
        let others = moves.row(state).map(|(to, value)| (to, value.clone()));
        others.chain([(state, stay)]).collect::<Vec<_>>()
    });
    let exact = Dtmc::new(&Csr::from_rows(6, rows)).expect("a chain");
    let exact = Passage::dtmc(&exact, &[4]).expect("reached").moments(3);
    assert_eq!(check(&found, &exact), 4);
    assert!(found[2][3] > 2e298 && found[2][3] < 3e298);
}

/// Up at 1, back at 1e20, for thirty states: times of 1e580 to the top.
fn steep(states: usize) -> Csr<f64> {
    let row = |i: usize| {
        [
            (i + 1 < states).then_some((i + 1, 1.0)),
            i.checked_sub(1).map(|to| (to, 1e20)),
        ]
    };
    Csr::from_rows(states, (0..states).map(|i| row(i).into_iter().flatten()))
}

#[test]
fn times_beyond_floats_are_infinite_and_others_accurate() {
    let rates = steep(30);
    let found = Passage::ctmc(&Ctmc::new(&rates).expect("a chain"), &[0, 29]).expect("reached");
    let chain = Ctmc::new(&fractions(&rates)).expect("a chain");
    let exact = Passage::ctmc(&chain, &[0, 29]).expect("reached");
    assert_eq!(check(&found.moments(2), &exact.moments(2)), 0);
    let found = Passage::ctmc(&Ctmc::new(&rates).expect("a chain"), &[29]).expect("reached");
    let exact = Passage::ctmc(&chain, &[29]).expect("reached");
    assert_eq!(check(&found.moments(1), &exact.moments(1)), 29);
    // A cost that is small enough brings totals back into the range: the time in state 28 alone is 1, in state 0 it is 1e560.
    let mut costs = vec![0.0; 30];
    costs[0] = 1e-300;
    let exact = exact.totals(
        &costs
            .iter()
            .map(|&cost| Rational::from_f64(cost).expect("finite"))
            .collect::<Vec<_>>(),
    );
    let found = found.totals(&costs).expect("costs");
    assert_eq!(check(&[found], &[exact.expect("costs")]), 0);
}

#[test]
fn rates_that_floats_cannot_hold_are_an_error() {
    let rates = Csr::from_rows(3, [vec![(1, 1e300), (2, 1e-300)], vec![(0, 1.0)], vec![]]);
    let chain = Ctmc::new(&rates).expect("a chain");
    assert_eq!(Passage::ctmc(&chain, &[2]).err(), Some(Error::PrecisionLost));
    let exact =
        Passage::ctmc(&Ctmc::new(&fractions(&rates)).expect("a chain"), &[2]).expect("fractions have no limits");
    assert!(exact.moments(1)[0][0] > Rational::ratio(0, 1));
}

#[test]
fn costs_and_fill_are_checked() {
    let chain = Ctmc::new(&steep(10)).expect("a chain");
    let passage = Passage::ctmc(&chain, &[9]).expect("reached");
    let mut costs = vec![1.0; 10];
    costs[3] = f64::NAN;
    assert_eq!(passage.totals(&costs), Err(Error::NotANumber { from: 3, to: 3 }));
    let limit = 5;
    let refused = Passage::ctmc_within(&chain, &[9], limit).err();
    assert_eq!(refused, Some(Error::TooLarge { what: "entries", limit }));
}
