//! What errors of processes with numbered states say: which state, which action, which number, and what it may be.

use markov::mdp::{Action, CtMdp, Flaw, Mdp, PolicyIteration, RateAction, Weight};
use markov::{Csr, Error, Rational, Scalar};
use matching_core::{Cost, cost};

/// Three states, of which the second has these numbers in its last action.
fn steps<T: Scalar>(cost: T, moves: &[(usize, T)]) -> Vec<Vec<Action<T>>> {
    let to = |state| Action {
        cost: T::one(),
        moves: vec![(state, T::one())],
    };
    let moves = moves.to_vec();
    vec![vec![to(1)], vec![to(0), to(2), Action { cost, moves }], vec![to(0)]]
}

fn in_time(cost: f64, moves: &[(usize, f64)]) -> Vec<Vec<RateAction>> {
    let actions = steps(cost, moves).into_iter();
    let rates = |action: Action| RateAction {
        cost: action.cost,
        rates: action.moves,
    };
    actions.map(|state| state.into_iter().map(rates).collect()).collect()
}

/// The same by parts, which fit together.
fn parts(cost: f64, moves: &[(usize, f64)]) -> Result<Mdp, Error> {
    let states = steps(cost, moves);
    let actions = || states.iter().flatten();
    let rows = Csr::from_rows(3, actions().map(|action| action.moves.iter().copied()));
    Mdp::from_parts(vec![0, 1, 4, 5], rows, actions().map(|action| action.cost).collect())
}

fn told<P: std::fmt::Debug>(made: Result<P, Error>) -> String {
    made.expect_err("a flaw").to_string()
}

/// Errors named the state alone, of which any action could be the wrong one.
#[test]
fn errors_name_state_action_and_number() {
    let nan = f64::NAN;
    for (cost, moves, of_steps) in [
        (
            nan,
            [(0, 0.5), (2, 0.5)],
            "its cost is NaN, and must be a finite number",
        ),
        (
            f64::NEG_INFINITY,
            [(0, 0.5), (2, 0.5)],
            "its cost is -inf, and must be a finite number",
        ),
        (
            0.0,
            [(0, 1.25), (2, -0.25)],
            "its probability of leading to state 2 is -0.25, and must be a finite number and not negative",
        ),
        (
            0.0,
            [(0, nan), (2, 0.5)],
            "its probability of leading to state 0 is NaN, and must be a finite number and not negative",
        ),
        (
            0.0,
            [(1, f64::INFINITY), (2, 0.5)],
            "its probability of leading to state 1 is inf, and must be a finite number and not negative",
        ),
        (
            0.0,
            [(0, 0.5), (2, 0.25)],
            "its probabilities add up to 0.75, and must add up to 1 (deficit 2.5e-1)",
        ),
        (
            0.0,
            [(0, 1.0), (2, 1e300)],
            "its probabilities add up to 1e300, and must add up to 1 (deficit -1e300)",
        ),
    ] {
        let expected = format!("action 2 of state 1: {of_steps}");
        assert_eq!(told(Mdp::new(steps(cost, &moves))), expected);
        assert_eq!(told(parts(cost, &moves)), expected);
        if of_steps.starts_with("its probabilities") {
            assert!(CtMdp::new(in_time(cost, &moves)).is_ok());
        } else {
            let of_rates = expected.replace("probability", "rate");
            assert_eq!(told(CtMdp::new(in_time(cost, &moves))), of_rates);
        }
    }
    let beyond = [(0, 0.5), (3, 0.5)];
    let expected = "action 2 of state 1: it leads to state 3, which does not exist: there are 3 states, counted from 0";
    assert_eq!(told(Mdp::new(steps(0.0, &beyond))), expected);
    assert_eq!(told(CtMdp::new(in_time(0.0, &beyond))), expected);
    // Each is a float, their sum is none.
    let fast = [(0, f64::MAX), (2, f64::MAX)];
    let expected = "action 2 of state 1: its rates add up to more than a float holds; use another unit of time";
    assert_eq!(told(CtMdp::new(in_time(0.0, &fast))), expected);
    // Two that are right in sum are wrong one by one.
    let parted = [(0, 2.0), (0, -1.0)];
    let flaw = Flaw::Move {
        weight: Weight::Probability,
        to: 0,
        value: -1.0,
    };
    let found = Mdp::new(steps(0.0, &parted));
    assert!(
        matches!(&found, Err(Error::Action { place, flaw: told })
            if (place.state, place.action, place.column) == (1, 2, None) && *told == flaw),
        "{found:?}"
    );
    // Fractions are refused for any deficit.
    let r = Rational::ratio;
    let short = [(0, r(1, 2)), (2, r(1, 4))];
    assert_eq!(
        told(Mdp::new(steps(r(0, 1), &short))),
        "action 2 of state 1: its probabilities add up to 0.75, and must add up to 1 (deficit 2.5e-1)"
    );
}

/// The number of an action is not that of the column that it is where columns are not allowed before it.
#[test]
fn errors_of_prices_name_the_column() {
    let kernel = |_: usize, column: usize| vec![(column % 2, if column == 3 { 0.5 } else { 1.0 })];
    let allowed = |state: usize, column: usize| state == 0 || column != 1;
    let prices = |wrong: f64| {
        let price = move |state: usize, column: usize| if (state, column) == (1, 2) { wrong } else { 1.0 };
        cost::from_rectangular_fn(2, 3, price).restricted(allowed)
    };
    assert!(Mdp::with_costs(kernel, &prices(1.0)).is_ok());
    assert_eq!(
        told(Mdp::with_costs(kernel, &prices(f64::NAN))),
        "action 1 (column 2 of the costs) of state 1: its cost is NaN, and must be a finite number"
    );
    let wide = cost::from_rectangular_fn(2, 4, |_, _| 1_i32).restricted(allowed);
    assert_eq!(
        told(Mdp::with_costs(
            kernel,
            &wide.restricted(|state, column| state == 1 || column < 3)
        )),
        "action 2 (column 3 of the costs) of state 1: its probabilities add up to 0.5, and must add up to 1 (deficit 5e-1)"
    );
    let huge = cost::from_rectangular_fn(2, 3, |_, column| if column == 2 { i32::MAX } else { 1 });
    assert_eq!(
        told(Mdp::<f64>::with_costs(kernel, &huge.restricted(allowed).scaled(2))),
        "action 2 (column 2 of the costs) of state 0: its cost is more than the type of the costs holds; take a wider \
         type, or smaller costs"
    );
}

/// A bound that is no float is one of some action.
#[test]
fn errors_of_proofs_name_the_action() {
    let stay = |cost| Action {
        cost,
        moves: vec![(0, 1.0)],
    };
    let mdp = Mdp::new([vec![stay(1.0), stay(f64::MAX)]]).expect("a process");
    let found = PolicyIteration::new().average(&mdp).expect("one gain");
    assert_eq!(
        told(found.verify(&mdp)),
        "action 1 of state 0: its cost and the values of the states that it leads to add up to no finite number; use \
         costs or values of another size"
    );
}
