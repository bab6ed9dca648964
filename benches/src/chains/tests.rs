//! What is called known is compared with exact fractions.

use markov::models::wu::patient_chain;
use markov::{Csr, Ctmc, Rational, Scalar};

use super::*;

fn assert_close(known: &[f64], exact: &[Rational]) {
    assert_eq!(known.len(), exact.len());
    for (state, (known, exact)) in known.iter().zip(exact).enumerate() {
        let off = (known / exact.to_float() - 1.0).abs();
        assert!(
            off < 1e-13,
            "state {state}: {known} for {}, off by {off:e}",
            exact.to_float()
        );
    }
}

#[test]
fn births_and_deaths_are_known() {
    // Rates rounded to 26 bits, so that fractions hold them exactly.
    let scale = f64::from(1 << 20);
    let mut rates = birth_death(40);
    for value in &mut rates.values {
        *value = (*value * scale).round().max(1.0) / scale;
    }
    let fraction = |value: f64| Rational::ratio((value * scale) as i64, 1 << 20);
    let rows = (0..40).map(|state| {
        rates
            .row(state)
            .map(|(to, rate)| (to, fraction(rate)))
            .collect::<Vec<_>>()
    });
    let exact = Ctmc::new(&Csr::from_rows(40, rows)).unwrap().stationary().unwrap();
    assert_close(&birth_death_known(&rates), &exact);
}

#[test]
fn the_patient_pool_is_known() {
    for n in [1, 2, 5] {
        let exact = patient_chain(n, Rational::ratio(3, 10))
            .unwrap()
            .chain
            .stationary()
            .unwrap();
        assert_close(&patient_pool_known(n).unwrap(), &exact);
    }
}

#[test]
fn what_is_written_is_what_is_read() {
    let file = std::env::temp_dir().join(format!("markov-problem-{}", std::process::id()));
    for problem in [
        Problem::Stationary(random_chain(30, 1)),
        Problem::Discounted(random_process(20, 0.95, 1)),
    ] {
        write(&problem, &file).unwrap();
        assert_eq!(read(&file).unwrap(), problem);
    }
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    assert!(read(&file).is_err());
    std::fs::remove_file(&file).unwrap();
}
