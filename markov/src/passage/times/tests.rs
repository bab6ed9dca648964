//! What verification says of times, right ones and changed ones, against the equations in fractions.

use num_traits::{FromPrimitive, Signed};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::MeanTimes;
use crate::chain::{Ctmc, Dtmc};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};
use crate::sparse::Csr;

type Rows<T> = Vec<Vec<(usize, T)>>;

fn r(numerator: i64, denominator: i64) -> Rational {
    Rational::ratio(numerator, denominator)
}

fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

/// By how much times miss `sum of rate(i, j) (m(i) - m(j)) = 1` at most, where there is a time.
fn missed(rates: &Csr<Rational>, times: &MeanTimes<Rational>) -> Rational {
    let time = |state, column| times.time(state, column).expect("a way to the target");
    let mut worst = r(0, 1);
    for (column, &target) in times.targets().iter().enumerate() {
        for state in (0..rates.rows()).filter(|&state| state != target && times.time(state, column).is_some()) {
            let fall = rates
                .row(state)
                .map(|(to, rate)| (time(state, column) - time(to, column)) * rate);
            worst = worst.max((fall.sum::<Rational>() - r(1, 1)).abs());
        }
    }
    worst
}

/// Some of the moves between all states, each in so many parts of a tenth.
fn some_moves(rng: &mut ChaCha8Rng, states: usize) -> Csr<Rational> {
    let mut row = |_| -> Vec<(usize, Rational)> {
        let count = rng.random_range(0..=states.min(3));
        let from = rng.random_range(0..states);
        let mut moves = Vec::new();
        for by in 0..count {
            let to = (from + by * rng.random_range(1..3)) % states;
            moves.push((to, r(rng.random_range(1..4), 10)));
        }
        moves
    };
    let rows: Rows<Rational> = (0..states).map(&mut row).collect();
    Csr::from_rows(states, rows)
}

/// From which states every way leads to the target: all that can be reached before it lead there.
fn enter_for_sure(rates: &Csr<Rational>, target: usize) -> Vec<bool> {
    let n = rates.rows();
    let mut leads: Vec<Vec<bool>> = (0..n).map(|from| (0..n).map(|to| from == to).collect()).collect();
    for _ in 0..n {
        for from in (0..n).filter(|&from| from != target) {
            for (to, _) in rates.row(from) {
                let ends = leads[to].clone();
                leads[from].iter_mut().zip(ends).for_each(|(leads, end)| *leads |= end);
            }
        }
    }
    (0..n)
        .map(|from| (0..n).all(|on_the_way| !leads[from][on_the_way] || leads[on_the_way][target]))
        .collect()
}

#[test]
fn times_are_missing_where_targets_may_be() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut counts = [0; 2];
    for round in 0..200 {
        let states = 1 + round % 6;
        let moves = some_moves(&mut rng, states);
        let steps = Dtmc::new(&whole(&moves)).expect("a chain");
        let times = MeanTimes::dtmc(&steps).expect("small");
        for target in 0..states {
            let for_sure = enter_for_sure(steps.moves(), target);
            for (state, &for_sure) in for_sure.iter().enumerate() {
                assert_eq!(times.time(state, target).is_some(), for_sure, "{state} to {target}");
                // In floats there is no time either where there is none.
                let float = times.time(state, target).map_or(f64::INFINITY, Scalar::to_float);
                let rounded = times.rounded();
                assert_eq!(rounded.time(state, target).is_some(), for_sure);
                assert_eq!(rounded.times[state * states + target], float);
                counts[usize::from(for_sure)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

/// The same moves, and staying with what is left.
fn whole(moves: &Csr<Rational>) -> Csr<Rational> {
    let rows = (0..moves.rows()).map(|state| {
        let mut row: Vec<(usize, Rational)> = moves.row(state).map(|(to, chance)| (to, chance.clone())).collect();
        let others: Rational = row.iter().map(|(_, chance)| chance).sum();
        row.push((state, r(1, 1) - others));
        row
    });
    Csr::from_rows(moves.rows(), rows.collect::<Vec<_>>())
}

/// Of fractions nothing else passes as right than what is right, and what is wrong is off by no more than is said.
#[test]
fn fractions_are_as_wrong_as_is_said() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..120 {
        let states = 2 + round % 5;
        let moves = some_moves(&mut rng, states);
        let (chain, steps) = (
            Ctmc::new(&moves).expect("a chain"),
            Dtmc::new(&whole(&moves)).expect("a chain"),
        );
        for is_in_steps in [false, true] {
            let (right, rates) = match is_in_steps {
                true => (MeanTimes::dtmc(&steps), steps.moves()),
                false => (MeanTimes::ctmc(&chain), chain.rates()),
            };
            let right = right.expect("small");
            let verify = |times: &MeanTimes<Rational>| match is_in_steps {
                true => times.verify_dtmc(&steps),
                false => times.verify_ctmc(&chain),
            };
            assert_eq!((verify(&right), missed(rates, &right)), (Ok(r(0, 1)), r(0, 1)));
            let (state, target) = (rng.random_range(0..states), rng.random_range(0..states));
            let mut wrong = right.clone();
            let at = state * states + target;
            wrong.times[at] = &right.times[at] * r(rng.random_range(0..30), 10) + r(1, 100);
            let found = verify(&wrong);
            if right.time(state, target).is_none() {
                assert_eq!(found, Ok(r(0, 1)), "what is missing is no number");
                continue;
            }
            if state == target {
                let refused = matches!(
                    found,
                    Err(Error::Parameter {
                        name: "time of a target to itself",
                        ..
                    })
                );
                assert!(refused, "{found:?}");
                continue;
            }
            let off = found.expect("times of this chain");
            assert_eq!(off, missed(rates, &wrong));
            for (wrong, right) in wrong.times.iter().zip(&right.times) {
                assert!((wrong - right).abs() <= &off * right, "{wrong} {right} {off}");
            }
        }
    }
}

/// Roundings of the check itself are in what it says: it is no less than what the equations miss in fractions.
#[test]
fn floats_miss_no_more_than_is_said() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for round in 0..200 {
        let states = 2 + round % 7;
        let width = [0.1, 3.0, 7.0][round % 3];
        let mut rows: Rows<f64> = (0..states).map(|state| vec![((state + 1) % states, 1.0)]).collect();
        for _ in 0..2 * states {
            let rate = 10_f64.powf(rng.random_range(-width..width));
            rows[rng.random_range(0..states)].push((rng.random_range(0..states), rate));
        }
        let rates = Csr::from_rows(states, rows);
        let chain = Ctmc::new(&rates).expect("a chain");
        let mut times = MeanTimes::ctmc(&chain).expect("small");
        for by in [0.0, 1e-15, 1e-3] {
            let (state, target) = (rng.random_range(0..states), rng.random_range(0..states));
            times.times[state * states + target] *= 1.0 + by;
            let exact = MeanTimes {
                len: states,
                targets: times.targets.clone(),
                times: times.times.iter().map(|&time| fraction(time)).collect(),
                missed: None,
                are_finite: true,
            };
            let missed = missed(&chain.rates().map(|_, _, &rate| fraction(rate)), &exact);
            let said = fraction(times.verify_ctmc(&chain).expect("times of this chain"));
            assert!(missed <= said, "{missed} {said}");
            // Of what is added up, not much is rounded away.
            let most = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(1.0, f64::max);
            let size = most(&mut times.times.iter().copied()) * most(&mut rates_of(&chain)) * states as f64;
            assert!(said <= missed + fraction(size * 1e-14), "{said} {size}");
        }
    }
}

fn rates_of(chain: &Ctmc) -> impl Iterator<Item = f64> + '_ {
    (0..chain.len()).flat_map(|state| chain.rates().row(state).map(|(_, &rate)| rate))
}

/// Each of many terms is lost in the sum before it, and all in the same direction.
#[test]
fn roundings_of_many_terms_add_up() {
    for others in [1, 10, 100, 1000] {
        let target = others + 1;
        let least = 2f64.powi(-54);
        let mut rows: Rows<f64> = vec![(1..=others).map(|to| (to, least)).chain([(target, 0.5)]).collect()];
        rows.extend((1..=others).map(|_| vec![(target, 1.0)]));
        rows.push(Vec::new());
        let chain = Ctmc::new(&Csr::from_rows(others + 2, rows)).expect("a chain");
        let mut times = MeanTimes::ctmc_to(&chain, &[target]).expect("little fill");
        // Two units of time, if it were not for the others, where it is one less.
        times.times[0] = 2.0;
        assert!(times.times[1..=others].iter().all(|&time| time == 1.0));
        let said = times.verify_ctmc(&chain).expect("times of this chain");
        assert!(said >= others as f64 * least, "{said} for {others}");
        assert!(said < 1e-11);
    }
}

#[test]
fn times_that_are_none_are_named() {
    // A target that is entered from 0 and 1, and a trap besides that 2 may end in.
    let rows = vec![
        vec![(1, 1.0), (3, 1.0)],
        vec![(0, 1.0), (3, 1.0)],
        vec![(3, 1.0), (4, 1.0)],
        vec![(0, 1.0)],
        vec![],
    ];
    let chain = Ctmc::new(&Csr::from_rows(5, rows)).expect("a chain");
    let right = MeanTimes::ctmc_to(&chain, &[3]).expect("small");
    let with = |state: usize, time: f64| {
        let mut times = right.clone();
        times.times[state] = time;
        times.verify_ctmc(&chain)
    };
    assert!(right.verify_ctmc(&chain).expect("right") < 1e-14);
    for none in [f64::NAN, f64::INFINITY] {
        assert_eq!(with(1, none), Err(Error::NotANumber { from: 1, to: 3 }));
        assert_eq!(with(3, none), Err(Error::NotANumber { from: 3, to: 3 }));
    }
    assert_eq!(with(0, f64::MAX), Err(Error::NotANumber { from: 0, to: 3 }));
    let itself = with(3, 1e-300);
    assert!(
        matches!(itself, Err(Error::Parameter { value: 1e-300, .. })),
        "{itself:?}"
    );
    // A time to a target that may be missed is none, whatever it is.
    let mut finite = right.clone();
    finite.missed = None;
    finite.times[2] = 5.0;
    finite.times[4] = 5.0;
    assert_eq!(finite.verify_ctmc(&chain), Err(Error::Unreachable { state: 2 }));
}
