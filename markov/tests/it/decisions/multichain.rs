//! Least average cost where it depends on the state.

use markov::mdp::PolicyIteration;
use markov::{Rational, Scalar};

use super::brute::{self, Shape};

#[test]
fn no_policy_is_better_from_any_state() {
    let mut differing = 0;
    for seed in 0..400 {
        let process = brute::random(seed, Shape::Any);
        let policies = brute::policies(&process).into_iter();
        let gains = policies.map(|policy| brute::gains_by_state(&process, &policy));
        let least = |a: Vec<Rational>, b| {
            a.into_iter()
                .zip(b)
                .map(|(a, b): (Rational, Rational)| a.min(b))
                .collect()
        };
        let expected: Vec<Rational> = gains.reduce(least).expect("a policy");
        let best = PolicyIteration::new().multichain(&process).expect("gains");
        assert_eq!(best.gains(), expected, "seed {seed}");
        assert_eq!(brute::gains_by_state(&process, best.policy()), expected);
        assert_eq!(best.verify(&process), Ok(true));
        let floats = brute::to_floats(&process);
        let found = PolicyIteration::new().multichain(&floats).expect("gains");
        for (found, expected) in found.gains().iter().zip(&expected) {
            assert!((found - expected.to_float()).abs() < 1e-9, "seed {seed}");
        }
        assert_eq!(found.verify(&floats), Ok(true));
        differing += usize::from(expected.iter().any(|gain| *gain != expected[0]));
    }
    assert!(differing > 20, "{differing}");
}
