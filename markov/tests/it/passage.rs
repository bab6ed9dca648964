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
    // A cost that is small enough brings totals back into the range: the time in state 28 alone is 1, in state 0 it is
    // 1e560.
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

/// The chain with these rows in floats, and in fractions that are the same numbers.
fn both(rows: &Rows) -> (Dtmc, Dtmc<Rational>) {
    let matrix = Csr::from_rows(rows.len(), rows.clone());
    let exact = Dtmc::new(&fractions(&matrix)).expect("rows of one");
    (Dtmc::new(&matrix).expect("a chain"), exact)
}

/// The costs of a moment came from those below by the expansion of `(T - 1)^k`, whose terms are of both signs: of
/// moments to which few steps count, which are small beside its terms, 5e-13 were lost at the 10th, 3e-9 at the 20th,
/// and 5e-6 at the 40th.
#[test]
fn high_moments_of_few_steps_were_lost_in_terms_of_both_signs() {
    let rare = 0.5_f64.powi(20);
    let geometric: Rows = vec![vec![(0, rare), (1, 1.0 - rare)], vec![(1, 1.0)]];
    // Mostly straight on, rarely staying or back.
    let winding: Rows = vec![
        vec![(0, rare), (1, 0.5), (2, 0.5 - rare)],
        vec![(0, rare * rare), (2, 0.25), (3, 0.75 - rare * rare)],
        vec![(1, rare), (2, 2.0 * rare), (3, 1.0 - 3.0 * rare)],
        vec![(3, 1.0)],
    ];
    for (rows, target) in [(geometric, 1), (winding, 3)] {
        let (chain, exact) = both(&rows);
        let found = Passage::dtmc(&chain, &[target]).expect("reached").moments(40);
        let exact = Passage::dtmc(&exact, &[target]).expect("reached").moments(40);
        for (value, exact) in found.iter().flatten().zip(exact.iter().flatten()) {
            let exact = exact.to_float();
            assert!((value - exact).abs() <= 1e-14 * exact, "{value} for {exact}");
        }
    }
    // As rounded numbers stand: their sum is one but for a rounding, which is 1e-11 of the rare one.
    let stay = 1e-6;
    let rows = Csr::from_rows(2, [vec![(0, stay), (1, 1.0 - stay)], vec![(1, 1.0)]]);
    let passage = Passage::dtmc(&Dtmc::new(&rows).expect("a chain"), &[1]).expect("reached");
    let found = passage.moments(40)[39][0];
    let term = |steps: i32| f64::from(steps).powi(40) * stay.powi(steps - 1) * (1.0 - stay);
    let expected: f64 = (1..60).rev().map(term).sum();
    assert!((found / expected - 1.0).abs() < 1e-13, "{found} for {expected}");
}

#[test]
fn moments_in_fractions_are_those_of_rising_factorials() {
    // `E[T (T + 1) ... (T + k - 1)] / k!` is the total of the one for k - 1: no power of a sum is expanded.
    let ratio = Rational::ratio;
    let rows = [
        vec![(0, ratio(1, 3)), (1, ratio(1, 6)), (2, ratio(1, 2))],
        vec![(0, ratio(1, 5)), (2, ratio(4, 5))],
        vec![(1, ratio(1, 7)), (2, ratio(2, 7)), (3, ratio(4, 7))],
        vec![(3, ratio(1, 1))],
    ];
    let chain = Dtmc::new(&Csr::from_rows(4, rows)).expect("a chain");
    let passage = Passage::dtmc(&chain, &[3]).expect("reached");
    let moments = passage.moments(6);
    // Of `T (T + 1) ... (T + k - 1)`, the factor of each power.
    let mut factors = vec![ratio(1, 1)];
    let mut rising = vec![ratio(1, 1); 4];
    for k in 1..=6 {
        rising = passage.totals(&rising).expect("costs");
        rising.iter_mut().for_each(|value| *value *= ratio(k, 1));
        factors.push(ratio(0, 1));
        for power in (0..factors.len()).rev() {
            let below = power.checked_sub(1).map_or(ratio(0, 1), |below| factors[below].clone());
            factors[power] = &factors[power] * ratio(k - 1, 1) + below;
        }
        for state in 0..3 {
            let powers = factors.iter().skip(1).zip(&moments);
            let sum: Rational = powers.map(|(factor, moment)| factor * &moment[state]).sum();
            assert_eq!(sum, rising[state], "{k}");
        }
    }
}

/// Binomials beyond all floats, of both signs, added up to no number.
#[test]
fn moments_of_so_high_an_order_that_binomials_are_no_floats() {
    let rows: Rows = vec![vec![(1, 1.0)], vec![(2, 1.0)], vec![(2, 1.0)]];
    let (chain, _) = both(&rows);
    let moments = Passage::dtmc(&chain, &[2]).expect("reached").moments(1100);
    assert_eq!(moments[1099], [f64::INFINITY, 1.0, 0.0]);
    assert!((moments[999][0] / 2_f64.powi(1000) - 1.0).abs() < 1e-12);
}
