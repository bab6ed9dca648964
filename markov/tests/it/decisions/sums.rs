//! Rows of probabilities that miss one: what they miss counts as staying.

use markov::mdp::{Action, Mdp, PolicyIteration, RelativeValueIteration, ValueIteration};
use markov::{Rational, Scalar};
use num_traits::FromPrimitive;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Process<T> = Vec<Vec<Action<T>>>;

fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

/// The same process, its rows made to add up to one.
fn whole(process: &Process<f64>) -> Mdp<Rational> {
    let action = |state: usize, action: &Action| {
        let others = action.moves.iter().filter(|&&(to, _)| to != state);
        let mut moves: Vec<_> = others.map(|&(to, chance)| (to, fraction(chance))).collect();
        let away: Rational = moves.iter().map(|(_, chance)| chance).sum();
        moves.push((state, Rational::ratio(1, 1) - away));
        let cost = fraction(action.cost);
        Action { cost, moves }
    };
    let states = process.iter().enumerate();
    let states = states.map(|(state, actions)| actions.iter().map(|of| action(state, of)).collect());
    Mdp::new(states).expect("a process")
}

/// That proven bounds of the average cost hold the exact one, by both solvers.
fn check_average(process: &Process<f64>) {
    let exact = PolicyIteration::new().average(&whole(process)).expect("one gain");
    let floats = Mdp::new(process.clone()).expect("a process");
    let best = PolicyIteration::new().average(&floats).expect("one gain");
    let bounds = [
        best.verify(&floats).expect("its process"),
        RelativeValueIteration::new()
            .solve(&floats)
            .expect("one gain")
            .bounds()
            .clone(),
    ];
    for bounds in &bounds {
        let (lower, upper) = (fraction(*bounds.lower()), fraction(*bounds.upper()));
        let gain = exact.gain();
        assert!(lower <= *gain && *gain <= upper, "{bounds:?} of {gain} in {process:?}");
    }
    assert!(bounds.iter().all(|bounds| bounds.gap() < 1e-8), "{bounds:?}");
}

/// The same of discounted costs from each state.
fn check_discounted(process: &Process<f64>, discount: f64) {
    let exact = PolicyIteration::new().discounted(&whole(process), &fraction(discount));
    let exact = exact.expect("values");
    let floats = Mdp::new(process.clone()).expect("a process");
    for found in [
        PolicyIteration::new().discounted(&floats, &discount),
        ValueIteration::new().solve(&floats, discount),
        ValueIteration::new().evaluations(0).solve(&floats, discount),
    ] {
        let found = found.expect("values");
        let radius = found
            .verify(&floats, &discount)
            .expect("its process")
            .min(*found.radius());
        for (value, exact) in found.values().iter().zip(exact.values()) {
            let off = (fraction(*value) - exact).to_float().abs();
            assert!(off <= radius, "{off} from {exact} is not within {radius}: {process:?}");
        }
        assert!(radius < 1e-7, "{radius}");
    }
}

/// Value iteration swept rows as they were given, and policies were evaluated as if what they miss one by was staying.
/// Bounds allowed for the one against rows divided by their sums, not for the other: the gain was 5e-7 outside of an
/// interval 5e-10 wide, and values of the two solvers differed by 36,000 times what both were said to be off by.
#[test]
fn rows_that_miss_one_were_read_in_two_ways() {
    let action = |cost, moves: &[(usize, f64)]| {
        let moves = moves.to_vec();
        vec![Action { cost, moves }]
    };
    check_average(&vec![
        action(-3000.0, &[(1, 1.0 - 9e-10)]),
        action(-1000.0, &[(2, 0.5), (1, 0.5)]),
        action(3000.0, &[(0, 0.5), (2, 0.5)]),
    ]);
    check_discounted(&vec![action(1e6, &[(1, 1.0 - 9e-10)]), action(0.0, &[(1, 1.0)])], 0.8);
}

#[test]
fn bounds_hold_whatever_rows_miss_one_by() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..200 {
        let len = rng.random_range(2..6);
        let mut action = |state: usize| {
            // Staying makes up for what the others have too much.
            let mut weights: Vec<f64> = (0..len).map(|_| rng.random_range(0.01..1.0)).collect();
            weights[state] += 0.1;
            let sum = weights.iter().sum::<f64>() * (1.0 + rng.random_range(-9e-10..9e-10));
            Action {
                cost: rng.random_range(-10.0..10.0),
                moves: weights.into_iter().map(|weight| weight / sum).enumerate().collect(),
            }
        };
        let process: Process<f64> = (0..len).map(|state| (0..3).map(|_| action(state)).collect()).collect();
        check_average(&process);
        for discount in [0.3, 0.9, 0.99] {
            check_discounted(&process, discount);
        }
    }
}
