//! When to replace a machine that wears: a decision process solved exactly, and as a caller of floats sees it.

use markov::mdp::{Action, Mdp, PolicyIteration, RelativeValueIteration};
use markov::{Error, Rational, Scalar};

/// Wear grows by one with probability 2/5 a week; running costs grow with its square, a new machine costs 30.
fn machine<T: Scalar>(worst: usize) -> Result<Mdp<T>, Error> {
    let wears = |wear: usize| (wear + 1).min(worst);
    Mdp::new((0..=worst).map(|wear| {
        let keep = Action {
            cost: T::ratio((wear * wear) as i64, 1),
            moves: vec![(wear, T::ratio(3, 5)), (wears(wear), T::ratio(2, 5))],
        };
        let replace = Action {
            cost: T::ratio(30, 1),
            moves: vec![(0, T::one())],
        };
        vec![keep, replace]
    }))
}

fn main() -> Result<(), Error> {
    let exact = machine::<Rational>(12)?;
    let solution = PolicyIteration::new().average(&exact)?;
    assert!(solution.verify(&exact)?.is_exact());
    let replaced_at = solution.policy().iter().position(|&action| action == 1);
    println!(
        "replace at wear {}: {} = {:.6} a week, proven",
        replaced_at.unwrap_or(usize::MAX),
        solution.gain(),
        solution.gain().to_float()
    );

    let floats = machine::<f64>(12)?;
    let bounded = RelativeValueIteration::new().solve(&floats)?;
    let bounds = bounded.bounds();
    println!("in floats: between {:.9} and {:.9}", bounds.lower(), bounds.upper());
    assert!(*bounds.lower() <= solution.gain().to_float() && solution.gain().to_float() <= *bounds.upper());
    assert_eq!(replaced_at, Some(3));
    Ok(())
}
