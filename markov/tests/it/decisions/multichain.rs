//! Least average cost where it depends on the state.

use markov::mdp::{Action, Mdp, PolicyIteration};
use markov::{Error, ErrorKind, Rational, Scalar};

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
        assert_eq!(best.verify(&process), Ok(()));
        let floats = brute::to_floats(&process);
        let found = PolicyIteration::new().multichain(&floats).expect("gains");
        for (found, expected) in found.gains().iter().zip(&expected) {
            assert!((found - expected.to_float()).abs() < 1e-9, "seed {seed}");
        }
        assert_eq!(found.verify(&floats), Ok(()));
        differing += usize::from(expected.iter().any(|gain| *gain != expected[0]));
    }
    assert!(differing > 20, "{differing}");
}

/// It was `Ok(false)`, which `?` lets pass.
#[test]
fn what_is_wrong_with_a_solution_is_an_error() {
    fn check<T: Scalar>() {
        let to = |state, cost| Action {
            cost: T::ratio(cost, 1),
            moves: vec![(state, T::one())],
        };
        // From state 0 one of two traps is chosen; the others are this one with one number changed.
        let process = |first: [Action<T>; 2], last| {
            Mdp::new([first.to_vec(), vec![to(1, 3)], vec![to(2, last)]]).expect("a process")
        };
        let traps = process([to(1, 0), to(2, 9)], 1);
        let best = PolicyIteration::new().multichain(&traps).expect("gains");
        assert_eq!((best.policy(), best.verify(&traps)), (&[1, 0, 0][..], Ok(())));
        let refuted = |other: &Mdp<T>| best.verify(other).expect_err("it is of another process");
        let cheaper = process([to(2, 0), to(2, 9)], 1);
        assert_eq!(refuted(&cheaper), Error::NotLeast { state: 0, action: 0 });
        let (what, state) = ("value", 2);
        let dearer = process([to(1, 0), to(2, 9)], 2);
        assert_eq!(refuted(&dearer), Error::NotOfPolicy { what, state });
        let (what, state) = ("gain", 0);
        let elsewhere = process([to(1, 0), to(1, 9)], 1);
        assert_eq!(refuted(&elsewhere), Error::NotOfPolicy { what, state });
    }
    check::<f64>();
    check::<Rational>();
}

/// From each of two states, stay at some cost, or go to the other one once in `2^40` steps.
fn nearly_apart<T: Scalar>() -> Mdp<T> {
    let weak = 1_i64 << 40;
    let stay = |state, cost| Action {
        cost: T::ratio(cost, 1),
        moves: vec![(state, T::ratio(weak - 1, weak)), (1 - state, T::ratio(1, weak))],
    };
    Mdp::new([vec![stay(0, 3), stay(0, 2)], vec![stay(1, 7), stay(1, 8)]]).expect("a process")
}

#[test]
fn values_much_larger_than_costs_hide_no_action() {
    // Values differ by about 1e12, actions by 1. From the dearest policy on, since the first one is the best otherwise.
    let dearest = PolicyIteration::new().start(vec![0, 1]);
    let exact = dearest.multichain(&nearly_apart::<Rational>()).expect("gains");
    assert_eq!((exact.policy(), exact.gains()[0].to_float()), (&[1, 0][..], 4.5));
    assert_eq!((exact.error().value, exact.error().kind), (0.0, ErrorKind::Proven));
    let process = nearly_apart::<f64>();
    let found = dearest.multichain(&process).expect("gains");
    assert_eq!(found.policy(), [1, 0]);
    assert_eq!(found.verify(&process), Ok(()));
    let off = found.gains().iter().map(|gain| (gain - 4.5).abs()).fold(0.0, f64::max);
    assert_eq!(found.error().kind, ErrorKind::Estimated);
    assert!(
        off <= found.error().value && found.error().value < 1e-9,
        "{off} {:?}",
        found.error()
    );
}

#[test]
fn a_rare_way_to_a_cheaper_class_is_taken() {
    // Stay in state 0 at 1 a step for ever, or leave for state 1, at 0 a step, once in 2^45 steps.
    let rare = 0.5_f64.powi(45);
    let action = |cost, moves: &[(usize, f64)]| Action {
        cost,
        moves: moves.to_vec(),
    };
    let process = Mdp::new([
        vec![action(1.0, &[(0, 1.0)]), action(1.0, &[(0, 1.0 - rare), (1, rare)])],
        vec![action(0.0, &[(1, 1.0)])],
    ])
    .expect("a process");
    let found = PolicyIteration::new().multichain(&process).expect("gains");
    assert_eq!((found.policy(), found.gains()), (&[1, 0][..], &[0.0, 0.0][..]));
}

/// Costs 1 a step in states 0, 2 and 3, and none in state 1, where an action of state 0 leads once in `2^46` times, and
/// to state 2 else. Another one leads to `next`; from state 2 each of `back` can be chosen.
fn rare_way<T: Scalar>(next: usize, back: &[usize]) -> Mdp<T> {
    let number = |number| T::ratio(number, 1);
    let weak = 1_i64 << 46;
    let to = |state, cost| Action {
        cost: number(cost),
        moves: vec![(state, number(1))],
    };
    let rare = Action {
        cost: number(1),
        moves: vec![(1, T::ratio(1, weak)), (2, T::ratio(weak - 1, weak))],
    };
    let back = back.iter().map(|&state| to(state, 1)).collect();
    Mdp::new([vec![to(next, 1), rare], vec![to(1, 0)], back, vec![to(3, 1)]]).expect("a process")
}

/// What roundings of gains might hide was looked for in states of one class as well, whose gains are the same: an
/// action that saves everything in the end counted as neutral, and the error as 1e-13.
#[test]
fn a_rare_way_out_of_a_class_is_taken() {
    let exact = PolicyIteration::new()
        .multichain(&rare_way::<Rational>(2, &[0]))
        .expect("gains");
    let found = PolicyIteration::new()
        .multichain(&rare_way::<f64>(2, &[0]))
        .expect("gains");
    assert_eq!(
        (found.policy(), found.gains()),
        (exact.policy(), &[0.0, 0.0, 0.0, 1.0][..])
    );
    assert!(
        exact
            .gains()
            .iter()
            .zip(found.gains())
            .all(|(exact, gain)| exact.to_float() == *gain)
    );
}

/// Where states are left, gains are as good as their roundings, and an action that lowers them by less at each visit is
/// not seen. Taken at each of very many visits it saves all costs, and the error was 1e-13.
#[test]
fn what_rare_ways_may_save_is_in_the_error() {
    let process = rare_way::<f64>(3, &[3, 0]);
    let exact = PolicyIteration::new()
        .multichain(&rare_way::<Rational>(3, &[3, 0]))
        .expect("gains");
    assert_eq!(exact.gains()[0].to_float(), 0.0);
    let found = PolicyIteration::new().multichain(&process).expect("gains");
    for (gain, least) in found.gains().iter().zip(exact.gains()) {
        let off = (gain - least.to_float()).abs();
        assert!(off <= found.error().value, "{off} {:?}", found.error());
    }
}
