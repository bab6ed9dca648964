//! Answers that are wrong, and chains whose numbers hide it, held against fractions.

use markov::{Csr, Ctmc, Error, Rational, Scalar, Stationary};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn exact(value: f64) -> Rational {
    Rational::from_float(value).expect("finite")
}

/// A positive float of any size.
fn any_size(rng: &mut impl Rng) -> f64 {
    loop {
        let value = f64::from_bits(rng.random::<u64>() >> 1);
        if value.is_finite() && value > 0.0 {
            return value;
        }
    }
}

/// The residual in fractions.
fn residual(chain: &Ctmc, shares: &[f64]) -> Rational {
    let zero = Rational::ratio(0, 1);
    let mut balance = vec![zero.clone(); shares.len()];
    let mut all = zero.clone();
    for (from, &share) in shares.iter().enumerate() {
        for (to, &rate) in chain.rates().row(from) {
            let flow = exact(share) * exact(rate);
            balance[to] += &flow;
            balance[from] -= &flow;
            all += flow;
        }
    }
    let sum: Rational = balance.iter().map(num_traits::Signed::abs).sum();
    if all == zero { zero } else { sum / all }
}

/// Rates of states that nobody is in were multiplied by nothing, and were more than a float holds then.
#[test]
fn states_without_a_share_hide_no_flow() {
    // A state that is left at once, and two that are hardly left.
    for rate in [1e308, 1e300] {
        let rows = [vec![(1, rate)], vec![(2, 1e-10)], vec![(1, 3e-10)]];
        let chain = Ctmc::new(&Csr::from_rows(3, rows)).expect("a chain");
        let found = chain.verify_stationary(&[0.0, 0.5, 0.5]).expect("a distribution");
        assert!((found - 1.0).abs() < 1e-12, "{found}");
        let report = Stationary::new().long_run(&chain, &[1.0, 0.0, 0.0]).expect("small");
        assert!(report.residual() < 1e-14, "{}", report.residual());
        assert!(report.verify(&chain).expect("right") < 1e-13);
        let other = [vec![(1, rate)], vec![(2, 1e-10)], vec![(1, 2e-10)]];
        let other = Ctmc::new(&Csr::from_rows(3, other)).expect("a chain");
        assert!(
            matches!(report.verify(&other), Err(Error::Unbalanced { .. })),
            "{:?}",
            report.verify(&other)
        );
    }
}

/// A ring of states with rates of any size, and some moves besides.
fn ring(rng: &mut impl Rng) -> Ctmc {
    let n = rng.random_range(2..6);
    let row = |state| {
        let next = ((state + 1) % n, any_size(rng));
        let other = (rng.random_range(0..n), any_size(rng));
        [next, other]
            .into_iter()
            .take(rng.random_range(1..3))
            .collect::<Vec<_>>()
    };
    Ctmc::new(&Csr::from_rows(n, (0..n).map(row).collect::<Vec<_>>())).expect("a chain")
}

/// Shares that are nothing, ordinary, or of any size, and add up to one.
fn shares(n: usize, rng: &mut impl Rng) -> Vec<f64> {
    let share = |_| match rng.random_range(0..3) {
        0 => 0.0,
        1 => rng.random_range(0.0..1.0),
        _ => any_size(rng) * 2_f64.powi(-1023),
    };
    let mut shares: Vec<f64> = (0..n).map(share).collect();
    match shares.iter().sum::<f64>() {
        sum if sum < 1e-3 => shares[0] += 1.0 - sum,
        sum => shares.iter_mut().for_each(|share| *share /= sum),
    }
    shares
}

/// Flows are added up in a unit in which floats hold the largest of them, whatever rates and shares are.
#[test]
fn residuals_of_numbers_of_any_size_are_rounded_up() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    for round in 0..2_000 {
        let chain = ring(&mut rng);
        let shares = shares(chain.len(), &mut rng);
        let found = chain.verify_stationary(&shares).expect("a distribution");
        let known = residual(&chain, &shares);
        assert!(exact(found) >= known, "round {round}: {found} {chain:?} {shares:?}");
        assert!(
            found - known.to_float() < 2e-14,
            "round {round}: {found} {chain:?} {shares:?}"
        );
    }
}

/// Shares and rates that are both below all floats that have all digits: what flows was nothing, and so balanced.
#[test]
fn flows_below_all_floats_are_compared() {
    // The last state is alone, and has nearly all of it.
    let rows = [vec![(1, 1e-310)], vec![(0, 1e-310)], vec![]];
    let chain = Ctmc::new(&Csr::from_rows(3, rows)).expect("a chain");
    let found = |shares: &[f64; 3]| chain.verify_stationary(shares).expect("a distribution");
    assert!(found(&[2e-310, 2e-310, 1.0]) < 1e-13);
    let residual = found(&[3e-310, 1e-310, 1.0]);
    assert!((residual - 1.0).abs() < 1e-13, "{residual}");
}
