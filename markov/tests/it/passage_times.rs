//! Mean times between all pairs of states: against single passages, closed forms, laws, and as costs.

use markov::passage::{Builder, MeanTimes, Passage};
use markov::{Budget, Csr, Ctmc, Dtmc, Error, Rational, Scalar, Stage, StopReason};
use matching_core::{Blossom, Cost};
use num_traits::FromPrimitive;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;

use crate::budgets::{cancelled, cancelled_within, random, stopped};

type Rows<T> = Vec<Vec<(usize, T)>>;

fn r(numerator: i64, denominator: i64) -> Rational {
    Rational::ratio(numerator, denominator)
}

fn fractions(rates: &Csr<f64>) -> Csr<Rational> {
    rates.map(|_, _, &rate| Rational::from_f64(rate).expect("a finite number"))
}

/// Rates of small fractions between some of the states; `is_closed` adds a cycle through all of them.
fn small_fractions(rng: &mut ChaCha8Rng, states: usize, is_closed: bool) -> Ctmc<Rational> {
    let mut rows: Rows<Rational> = vec![Vec::new(); states];
    for (state, row) in rows.iter_mut().enumerate() {
        if is_closed {
            row.push(((state + 1) % states, r(1, rng.random_range(1..5))));
        }
        for _ in 0..rng.random_range(0..3) {
            row.push((
                rng.random_range(0..states),
                r(rng.random_range(1..9), rng.random_range(1..7)),
            ));
        }
    }
    Ctmc::new(&Csr::from_rows(states, rows)).expect("a chain")
}

/// Whether each column is what a passage to that target alone gives, or a passage refuses for want of a state that has no
/// time.
fn check_against_passages(chain: &Ctmc<Rational>, times: &MeanTimes<Rational>) {
    for (column, &target) in times.targets().iter().enumerate() {
        let of_column = |state| times.time(state, column);
        match Passage::ctmc(chain, &[target]) {
            Ok(passage) => {
                let known = passage.moments(1).remove(0);
                for (state, known) in known.iter().enumerate() {
                    assert_eq!(of_column(state), Some(known));
                }
            }
            Err(Error::Unreachable { .. }) => {
                assert!((0..chain.len()).any(|state| of_column(state).is_none()));
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn all_pairs_are_what_passages_to_single_states_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..60 {
        let states = 1 + round % 9;
        let chain = small_fractions(&mut rng, states, round % 3 > 0);
        let times = MeanTimes::ctmc(&chain).expect("small");
        check_against_passages(&chain, &times);
        assert_eq!(times.verify_ctmc(&chain), Ok(r(0, 1)));
        // The same by single eliminations, for all and for some targets.
        let all: Vec<usize> = (0..states).collect();
        assert_eq!(MeanTimes::ctmc_to(&chain, &all), Ok(times.clone()));
        let some = [states - 1, 0, states / 2];
        let to_some = MeanTimes::ctmc_to(&chain, &some).expect("small");
        assert_eq!(to_some.verify_ctmc(&chain), Ok(r(0, 1)));
        for state in 0..states {
            for (column, &target) in some.iter().enumerate() {
                assert_eq!(to_some.time(state, column), times.time(state, target));
            }
        }
    }
}

#[test]
fn floats_are_those_of_fractions_however_wide_the_rates() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..36 {
        let states = rng.random_range(2..14);
        // Up to 120 powers of ten apart, so that times leave the range of floats.
        let width = [0.5, 8.0, 60.0][round % 3];
        let mut rows: Rows<f64> = (0..states).map(|i| vec![((i + 1) % states, 1.0)]).collect();
        for _ in 0..2 * states {
            let rate = 10_f64.powf(rng.random_range(-width..width));
            rows[rng.random_range(0..states)].push((rng.random_range(0..states), rate));
        }
        let rates = Csr::from_rows(states, rows);
        let chain = Ctmc::new(&rates).expect("a chain");
        let exact = Ctmc::new(&fractions(&rates)).expect("a chain");
        let (times, exact) = (
            MeanTimes::ctmc(&chain).expect("small"),
            MeanTimes::ctmc(&exact).expect("small"),
        );
        let rounded = exact.rounded();
        let proven = times.verify_ctmc(&chain);
        for (i, j) in (0..states).flat_map(|i| (0..states).map(move |j| (i, j))) {
            let (time, known) = (times.pair(i, j), rounded.pair(i, j));
            assert_eq!(time.is_finite(), known.is_finite());
            if known.is_finite() {
                assert!((time - known).abs() <= 1e-13 * known, "{time} for {known}");
                let exact = exact.time(i, j).expect("one class");
                let difference = Rational::from_f64(time).expect("finite") - exact;
                let difference = if difference < r(0, 1) { -difference } else { difference };
                if let Ok(proven) = &proven {
                    assert!(difference <= Rational::from_f64(*proven).expect("finite") * exact);
                }
            }
        }
        if width < 1.0 {
            assert!(proven.expect("times of a few") < 1e-12);
        }
    }
}

/// Up at rate 2, down at rate 3.
fn birth_and_death<T: Scalar>(states: usize) -> Ctmc<T> {
    let row = |state: usize| {
        let up = (state + 1 < states).then(|| (state + 1, T::ratio(2, 1)));
        up.into_iter()
            .chain(state.checked_sub(1).map(|to| (to, T::ratio(3, 1))))
    };
    Ctmc::new(&Csr::from_rows(states, (0..states).map(row))).expect("a chain")
}

#[test]
fn birth_and_death_by_the_formula() {
    // Up from k takes the sum over l <= k of (3/2)^(k - l) / 2, a sum of such steps in all; likewise down, from the top.
    let states = 12;
    let up = |k: usize| (0..=k).fold(r(0, 1), |sum, l| sum + r(3, 2).pow((k - l) as i32) * r(1, 2));
    let down = |k: usize| (k..states).fold(r(0, 1), |sum, l| sum + r(2, 3).pow((l - k) as i32) * r(1, 3));
    let times = MeanTimes::ctmc(&birth_and_death::<Rational>(states)).expect("small");
    for (i, j) in (0..states).flat_map(|i| (0..states).map(move |j| (i, j))) {
        let known = match i < j {
            true => (i..j).fold(r(0, 1), |sum, k| sum + up(k)),
            false => (j + 1..=i).fold(r(0, 1), |sum, k| sum + down(k)),
        };
        assert_eq!(times.time(i, j), Some(&known));
    }
    // In floats, by both ways, a longer one: 1.5^400 is 3e70.
    let chain = birth_and_death::<f64>(400);
    let times = MeanTimes::ctmc(&chain).expect("fits");
    let to_ends = MeanTimes::ctmc_to(&chain, &[399, 0]).expect("fits");
    for state in 0..400 {
        for (column, end) in [(0, 399), (1, 0)] {
            let (one, other) = (times.pair(state, end), to_ends.pair(state, column));
            assert!((one - other).abs() <= 1e-12 * other, "{one} for {other}");
        }
    }
    assert!(times.pair(0, 399) > 1e70);
}

/// Steps to neighbours on a circle, by turns of a coin.
fn circle<T: Scalar>(states: usize) -> Dtmc<T> {
    let row = |at: usize| [(at + 1) % states, (at + states - 1) % states].map(|to| (to, T::ratio(1, 2)));
    Dtmc::new(&Csr::from_rows(states, (0..states).map(row))).expect("a chain")
}

#[test]
fn walks_on_a_circle_and_among_all() {
    // On a circle k (n - k) steps to one that is k away; among all n - 1.
    for n in 2..12 {
        let times = MeanTimes::dtmc(&circle::<Rational>(n)).expect("small");
        let among = (0..n).map(|at| (1..n).map(move |by| ((at + by) % n, r(1, n as i64 - 1))));
        let among = Dtmc::new(&Csr::from_rows(n, among)).expect("a chain");
        let all = MeanTimes::dtmc(&among).expect("small");
        assert_eq!(all.verify_dtmc(&among), Ok(r(0, 1)));
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let away = i.abs_diff(j);
            assert_eq!(times.time(i, j), Some(&r((away * (n - away)) as i64, 1)));
            assert_eq!(all.time(i, j), Some(&r(if i == j { 0 } else { n as i64 - 1 }, 1)));
        }
    }
    let chain = circle::<f64>(300);
    let times = MeanTimes::dtmc(&chain).expect("fits");
    assert!((times.pair(0, 150) / 22_500.0 - 1.0).abs() < 1e-12);
    assert!(times.verify_dtmc(&chain).expect("finite") < 1e-9);
}

#[test]
fn staying_counts_in_steps() {
    let rows = [vec![(0, r(2, 3)), (1, r(1, 3))], vec![(0, r(1, 5)), (1, r(4, 5))]];
    let times = MeanTimes::dtmc(&Dtmc::new(&Csr::from_rows(2, rows)).expect("a chain")).expect("small");
    assert_eq!((times.time(0, 1), times.time(1, 0)), (Some(&r(3, 1)), Some(&r(5, 1))));
}

/// Kemeny's constant: to a state that is drawn from the stationary distribution it takes the same time from everywhere.
#[test]
fn a_state_drawn_by_chance_is_as_far_from_all() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..20 {
        let chain = small_fractions(&mut rng, 7, true);
        let (times, share) = (
            MeanTimes::ctmc(&chain).expect("small"),
            chain.stationary().expect("one class"),
        );
        let constant = |i: usize| -> Rational {
            let terms = (0..7).map(|j| times.time(i, j).expect("one class") * &share[j]);
            terms.sum()
        };
        assert!((1..7).all(|i| constant(i) == constant(0)));
    }
    let chain = random(4, 200, 3);
    let (times, share) = (
        MeanTimes::ctmc(&chain).expect("fits"),
        chain.stationary().expect("one class"),
    );
    let constant = |i: usize| (0..200).map(|j| times.pair(i, j) * share[j]).sum::<f64>();
    assert!((1..200).all(|i| (constant(i) / constant(0) - 1.0).abs() < 1e-12));
}

/// Resistance between two points of a network of conductances, by Gauss-Jordan elimination of the potentials for a current
/// of one that leaves at `to`.
fn resistance(conductance: &[Vec<Rational>], from: usize, to: usize) -> Rational {
    let inner: Vec<usize> = (0..conductance.len()).filter(|&point| point != to).collect();
    let mut rows: Vec<Vec<Rational>> = Vec::new();
    for &i in &inner {
        let total: Rational = conductance[i].iter().sum();
        let entry = |&j: &usize| {
            if i == j {
                total.clone()
            } else {
                -conductance[i][j].clone()
            }
        };
        let current = r(i64::from(i == from), 1);
        rows.push(inner.iter().map(entry).chain([current]).collect());
    }
    for k in 0..rows.len() {
        let pivot = (k..rows.len()).find(|&at| rows[at][k] != r(0, 1)).expect("connected");
        rows.swap(k, pivot);
        let scale = rows[k][k].clone();
        rows[k].iter_mut().for_each(|value| *value /= &scale);
        let row = rows[k].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|&(at, _)| at != k) {
            let factor = other[k].clone();
            other
                .iter_mut()
                .zip(&row)
                .for_each(|(value, part)| *value -= &factor * part);
        }
    }
    let at = inner.iter().position(|&point| point == from).expect("not the end");
    rows[at].last().expect("a current").clone()
}

#[test]
fn commute_times_are_resistances() {
    // Steps in proportion to conductances: there and back takes twice the sum of all conductances times the resistance.
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..8 {
        let n = rng.random_range(3..8);
        let mut conductance = vec![vec![r(0, 1); n]; n];
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            if i == j + 1 || rng.random_bool(0.4) {
                let value = r(rng.random_range(1..8), rng.random_range(1..5));
                (conductance[i][j], conductance[j][i]) = (value.clone(), value);
            }
        }
        let totals: Vec<Rational> = conductance.iter().map(|row| row.iter().sum()).collect();
        let step = |i: usize| {
            conductance[i]
                .iter()
                .enumerate()
                .map(|(j, value)| (j, value / &totals[i]))
                .collect()
        };
        let rows: Rows<Rational> = (0..n).map(step).collect();
        let times = MeanTimes::dtmc(&Dtmc::new(&Csr::from_rows(n, rows)).expect("a chain")).expect("small");
        let commute = times.rounded().symmetrized();
        let twice: Rational = totals.iter().sum();
        for i in 0..n {
            for j in (0..n).filter(|&j| j != i) {
                let there_and_back = times.time(i, j).expect("connected") + times.time(j, i).expect("connected");
                assert_eq!(there_and_back, &twice * resistance(&conductance, i, j));
                assert!((commute.pair(i, j) / there_and_back.to_float() - 1.0).abs() < 1e-15);
            }
        }
    }
}

#[test]
fn what_may_be_missed_is_not_allowed() {
    // 0 -> 1 <-> 2, and 3 -> 4, which is a trap, or 3 -> 1; 5 alone.
    let rows = vec![
        vec![(1, 1.0)],
        vec![(2, 1.0)],
        vec![(1, 2.0)],
        vec![(4, 1.0), (1, 1.0)],
        vec![],
        vec![],
    ];
    let chain = Ctmc::new(&Csr::from_rows(6, rows)).expect("a chain");
    let times = MeanTimes::ctmc(&chain).expect("small");
    let known = [(0, 1, 1.0), (0, 2, 2.0), (1, 2, 1.0), (2, 1, 0.5)];
    for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
        let time = known
            .iter()
            .find(|&&(from, to, _)| (from, to) == (i, j))
            .map(|known| known.2);
        let time = if i == j { Some(0.0) } else { time };
        assert_eq!(times.time(i, j).copied(), time, "{i} to {j}");
        assert_eq!(times.is_allowed(i, j), time.is_some());
        assert_eq!(times.pair(i, j), time.unwrap_or(f64::INFINITY));
    }
    assert!(times.has_forbidden() && times.len() == 6 && times.cols() == 6);
    assert_eq!(times.verify_ctmc(&chain).map(|error| error < 1e-14), Ok(true));
    assert_eq!(MeanTimes::ctmc_to(&chain, &[0, 1, 2, 3, 4, 5]), Ok(times.clone()));
    // There and back exists between 1 and 2 alone: the others cannot be paired.
    assert!(Blossom::new().solve(&times.symmetrized()).is_err());
    let to_one = MeanTimes::ctmc_to(&chain, &[1]).expect("small");
    assert_eq!((Cost::len(&to_one), to_one.cols(), to_one.pair(2, 0)), (6, 1, 0.5));
    assert!(!to_one.is_allowed(3, 0) && to_one.is_allowed(0, 0) && to_one.is_allowed(1, 0));
}

#[test]
fn a_cost_of_no_forbidden_pairs_says_so() {
    let times = MeanTimes::ctmc(&random(7, 30, 3)).expect("small");
    assert!(!times.has_forbidden());
    let mut row = vec![0.0; 30];
    times.fill_row(4, &mut row);
    assert!((0..30).all(|j| row[j] == times.pair(4, j) && times.is_allowed(4, j)));
    assert_eq!(times.as_rows().map(|rows| &rows[120..150]), Some(&row[..]));
    let pairs = Blossom::new().solve(&times.symmetrized()).expect("thirty states");
    assert_eq!(pairs.pairs().len(), 15);
}

#[test]
fn verification_finds_another_chain() {
    let chain = random(8, 12, 3);
    let times = MeanTimes::ctmc(&chain).expect("small");
    assert!(times.verify_ctmc(&chain).expect("the same") < 1e-12);
    for state in 0..12 {
        let rates = chain
            .rates()
            .map(|from, _, rate| if from == state { 2.0 * rate } else { *rate });
        let other = Ctmc::new(&rates).expect("a chain");
        assert!(times.verify_ctmc(&other).expect("finite") > 0.1);
        // Without any way out of a state all others may be missed.
        let cut = chain
            .rates()
            .map(|from, _, rate| if from == state { 0.0 } else { *rate });
        let cut = Ctmc::new(&cut).expect("a chain");
        let missed = times.verify_ctmc(&cut);
        assert!(matches!(missed, Err(Error::Unreachable { .. })), "{missed:?}");
        let of_cut = MeanTimes::ctmc(&cut).expect("small");
        let refused = of_cut.verify_ctmc(&chain);
        assert!(matches!(refused, Err(Error::NotANumber { .. })), "{refused:?}");
    }
    let exact = Ctmc::new(&fractions(chain.rates())).expect("a chain");
    let doubled = Ctmc::new(&exact.rates().map(|_, _, rate| rate * r(2, 1))).expect("a chain");
    let times = MeanTimes::ctmc(&exact).expect("small");
    assert_eq!(times.verify_ctmc(&exact), Ok(r(0, 1)));
    assert_eq!(times.verify_ctmc(&doubled), Ok(r(1, 1)));
    let short = random(8, 11, 3);
    assert!(matches!(
        MeanTimes::ctmc(&short).expect("small").verify_ctmc(&chain),
        Err(Error::LengthMismatch { .. })
    ));
}

#[test]
fn limits_are_kept() {
    let chain = random(9, 40, 3);
    let too_large = |limit| Some(Error::TooLarge { what: "entries", limit });
    assert_eq!(Builder::new().fill(1599).times_ctmc(&chain).err(), too_large(1599));
    assert_eq!(
        Builder::new().fill(119).times_ctmc_to(&chain, &[1, 2, 3]).err(),
        too_large(119)
    );
    let times = Builder::new().fill(1600).times_ctmc(&chain).expect("room");
    assert_eq!(Ok(&times), MeanTimes::ctmc(&chain).as_ref());
    // A matrix of 10^10 numbers is refused, and not begun.
    let large = birth_and_death::<f64>(100_000);
    assert_eq!(MeanTimes::ctmc(&large).err(), too_large(50_000_000));
    let ends = MeanTimes::ctmc_to(&birth_and_death::<f64>(10_000), &[0, 1]).expect("little fill");
    assert!(ends.pair(9_999, 0) > 9_000.0);
    let missing = MeanTimes::ctmc_to(&chain, &[0, 40]).err();
    assert_eq!(missing, Some(Error::StateOutOfRange { state: 40, len: 40 }));

    let reason = |budget: Budget| stopped(Builder::new().budget(budget).times_ctmc(&chain)).reason;
    assert_eq!(reason(cancelled()), StopReason::Cancelled);
    assert_eq!(reason(Budget::new().memory(50_000)), StopReason::MemoryLimit);
    let memory = Builder::new().budget(Budget::new().memory(51_200)).times_ctmc(&chain);
    assert_eq!(memory, Ok(times.clone()));
    // By single targets it is the result that takes most: 80,000 bytes.
    let line = birth_and_death::<f64>(100);
    let all: Vec<usize> = (0..100).collect();
    let to_all = |memory| {
        Builder::new()
            .budget(Budget::new().memory(memory))
            .times_ctmc_to(&line, &all)
    };
    assert_eq!(stopped(to_all(79_999)).reason, StopReason::MemoryLimit);
    assert!(to_all(80_000).is_ok());
    assert_eq!(
        stopped(Builder::new().budget(cancelled()).times_ctmc_to(&chain, &[3])).reason,
        StopReason::Cancelled
    );
    // Wherever the work ends: the same is found, or it is said.
    for work in [0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        match Builder::new().budget(Budget::new().work(work)).times_ctmc(&chain) {
            Ok(found) => assert_eq!(found, times),
            Err(Error::Stopped(stopped)) => {
                assert!(stopped.reason == StopReason::WorkLimit && stopped.work > work && work < 1_000_000);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn somebody_is_told_and_may_cancel() {
    let told = Mutex::new(Vec::new());
    let observer = |progress: &markov::Progress| told.lock().expect("one thread").push(*progress);
    let chain = random(10, 60, 3);
    Builder::new().observer(&observer).times_ctmc(&chain).expect("small");
    let told = told.into_inner().expect("one thread");
    assert!(!told.is_empty());
    assert!(
        told.iter()
            .all(|word| word.stage == Stage::Elimination && word.of == Some(60) && word.done < 60)
    );
    // Fractions whose digits grow, which take long.
    let chain = Ctmc::new(&fractions(random(11, 150, 6).rates())).expect("a chain");
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        Builder::new().budget(budget).observer(observer).times_ctmc(&chain)
    });
    assert!(stopped.best.is_empty());
}

#[cfg(feature = "serde")]
#[test]
fn times_are_written() {
    let chain = Ctmc::new(&Csr::from_rows(3, [vec![(1, 2.0)], vec![(0, 4.0)], vec![(0, 1.0)]])).expect("a chain");
    let times = MeanTimes::ctmc(&chain).expect("small");
    let text = serde_json::to_string(&times).expect("numbers");
    assert_eq!(
        text,
        r#"{"targets":[0,1,2],"times":[[0.0,0.5,null],[0.25,0.0,null],[1.0,1.5,0.0]]}"#
    );
}
