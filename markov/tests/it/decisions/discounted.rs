//! Least discounted cost.

use markov::mdp::{Action, Mdp, PolicyIteration, ValueIteration};
use markov::{Error, Rational, Scalar};
use matching_core::{Budget, Cost, cost};

use super::brute::{self, Shape};

pub(super) fn least(mdp: &Mdp<Rational>, discount: &Rational) -> Vec<Rational> {
    let policies = brute::policies(mdp).into_iter();
    let values = policies.map(|policy| brute::discounted(mdp, &policy, discount));
    let least = |a: Vec<Rational>, b| {
        a.into_iter()
            .zip(b)
            .map(|(a, b): (Rational, Rational)| a.min(b))
            .collect()
    };
    values.reduce(least).expect("a policy")
}

#[test]
fn no_policy_is_better_from_any_state() {
    for seed in 0..300 {
        let process = brute::random(seed, Shape::Any);
        let floats = brute::to_floats(&process);
        let discount = Rational::ratio([1, 9, 99][seed as usize % 3], [3, 10, 100][seed as usize % 3]);
        let expected = least(&process, &discount);
        let exact = PolicyIteration::new().discounted(&process, &discount).expect("values");
        assert_eq!(exact.values(), expected, "seed {seed}");
        assert_eq!(brute::discounted(&process, exact.policy(), &discount), expected);
        assert_eq!(*exact.radius(), Rational::ratio(0, 1));

        let rounded = discount.to_float();
        let found = [
            PolicyIteration::new().discounted(&floats, &rounded),
            ValueIteration::new().solve(&floats, rounded),
            ValueIteration::new()
                .evaluations(0)
                .tolerance(1e-6)
                .threads(1)
                .solve(&floats, rounded),
        ];
        for found in found {
            let found = found.expect("values");
            let of_policy = brute::discounted(&process, found.policy(), &discount);
            for (state, value) in found.values().iter().enumerate() {
                // Numbers were rounded before the solver saw them.
                let radius = found.radius() + 1e-12;
                assert!((value - expected[state].to_float()).abs() <= radius, "seed {seed}");
                assert!((value - of_policy[state].to_float()).abs() <= radius, "seed {seed}");
            }
            assert!(*found.radius() < 2e-6);
        }
    }
}

#[test]
fn a_limit_comes_with_bounds() {
    let discount = Rational::ratio(9, 10);
    let mut stopped = 0;
    for (seed, limit) in (300..400).flat_map(|seed| (1..4).map(move |limit| (seed, limit))) {
        let process = brute::random(seed, Shape::Any);
        let solver = ValueIteration::new().tolerance(1e-12).evaluations(0).iterations(limit);
        let Err(refused) = solver.solve(&brute::to_floats(&process), 0.9) else {
            continue;
        };
        let Error::NotConverged {
            iterations,
            best,
            radius: Some(radius),
            bounds: None,
        } = refused
        else {
            panic!("{refused}");
        };
        assert_eq!(iterations, limit);
        for (value, expected) in best.iter().zip(least(&process, &discount)) {
            let expected = expected.to_float();
            assert!((value - expected).abs() <= radius + 1e-12);
        }
        stopped += 1;
    }
    assert!(stopped > 20, "{stopped}");
    let floats = brute::to_floats(&brute::random(7, Shape::Any));
    for discount in [0.0, 1.0, -0.5, f64::NAN] {
        assert!(matches!(
            ValueIteration::new().solve(&floats, discount),
            Err(Error::Parameter { name: "discount", .. })
        ));
    }
}

#[test]
fn costs_of_every_kind_are_read_exactly() {
    let r = Rational::ratio;
    let kernel = |_: usize, column: usize| vec![(column, r(1, 2)), (0, r(1, 2))];
    let large = cost::from_rectangular_fn(2, 2, |i, j| i128::MAX - (2 * i + j) as i128);
    let priced = Mdp::with_costs(kernel, &large).expect("a process");
    let difference = priced.mdp.cost(0, 0) - priced.mdp.cost(1, 1);
    assert_eq!(difference, r(3, 1));
    let tenth = cost::from_rectangular_fn(2, 2, |_, _| 0.1_f64);
    let priced = Mdp::with_costs(kernel, &tenth).expect("a process");
    assert_ne!(*priced.mdp.cost(0, 0), r(1, 10));
    assert_eq!(priced.mdp.cost(0, 0).to_float(), 0.1);
    // As many actions as states: a table made for matching has no diagonal.
    let square = cost::from_rectangular_fn(3, 3, |i, j| (3 * i + j) as i64).restricted(|i, j| i != 1 || j != 1);
    let all = cost::DenseMatrix::tabulate_all(&square).expect("costs that fit");
    let [direct, tabulated] = [Mdp::with_costs(kernel, &square), Mdp::with_costs(kernel, &all)];
    assert!(direct.is_ok() && direct == tabulated);
    // A cost without a diagonal was asked for it.
    let condensed = cost::CondensedMatrix::new(3, vec![1_i32, 2, 12]).expect("three pairs");
    let moves = Mdp::with_costs(|_, column| vec![(column, r(1, 1))], &condensed).expect("a process");
    assert_eq!(moves.columns, [vec![1, 2], vec![0, 2], vec![0, 1]]);
    assert_eq!(*moves.mdp.cost(2, 1), r(12, 1));
    let alone = cost::CondensedMatrix::<i32>::new(1, Vec::new()).expect("no pairs");
    assert_eq!(
        Mdp::with_costs(kernel, &alone).err(),
        Some(Error::NoAction { state: 0 })
    );
    let none = cost::from_rectangular_fn(2, 2, |_, _| 1_i32).restricted(|i, _| i == 0);
    assert_eq!(Mdp::with_costs(kernel, &none).err(), Some(Error::NoAction { state: 1 }));
    let nan = cost::from_rectangular_fn(2, 2, |i, _| if i == 1 { f64::NAN } else { 0.0 });
    let refused = Mdp::with_costs(kernel, &nan).expect_err("NaN").to_string();
    assert_eq!(
        refused,
        "action 0 (column 0 of the costs) of state 1: its cost is NaN, and must be a finite number"
    );
}

/// A tolerance in proportion to the largest value of any state took actions of states 0 and 1 for equal.
#[test]
fn a_large_value_elsewhere_hides_no_action() {
    let to = |state, cost| Action {
        cost,
        moves: vec![(state, 1.0)],
    };
    let process = Mdp::new([vec![to(1, 0.0), to(0, 1.0)], vec![to(0, 10.0)], vec![to(2, 1e16)]]).expect("a process");
    let best = PolicyIteration::new().discounted(&process, &0.9).expect("values");
    assert_eq!(best.policy(), [1, 0, 0]);
    assert!((best.values()[0] - 10.0).abs() < 1e-12, "{}", best.values()[0]);
}

/// The text gave offsets from each value for bounds of the answer: "between -18 and 18" of values near 90.
#[test]
fn the_limit_of_sweeps_says_how_far_off_values_may_be() {
    let process = Mdp::new([
        vec![Action {
            cost: 10.0,
            moves: vec![(1, 1.0)],
        }],
        vec![Action {
            cost: 6.0,
            moves: vec![(0, 1.0)],
        }],
    ])
    .expect("a process");
    let stopped = ValueIteration::new().iterations(1).evaluations(0).solve(&process, 0.9);
    let refused = stopped.expect_err("one sweep is not enough");
    let Error::NotConverged {
        radius: Some(radius),
        bounds: None,
        ..
    } = refused
    else {
        panic!("{refused:?}");
    };
    assert!((radius - 18.0).abs() < 1e-9, "{radius}");
    let text = refused.to_string();
    assert!(!text.contains("between") && text.contains("within 18"), "{text}");
}

/// On a line, and on a grid whose moves are sure, sweeps were many thousand: what is far away is known only after as many
/// sweeps as it has steps, and then by halves.
#[test]
fn processes_that_hardly_mix_take_few_sweeps() {
    // Up or down, at a price that is less often paid where it goes up more surely.
    let line = |states: usize| {
        let action = |state: usize, up: f64, cost: f64| Action {
            cost,
            moves: vec![((state + 1).min(states - 1), up), (state.saturating_sub(1), 1.0 - up)],
        };
        let at = |state: usize| state as f64 / states as f64;
        let state = |state| vec![action(state, 0.5, at(state)), action(state, 0.375, at(state) + 0.0625)];
        Mdp::new((0..states).map(state)).expect("a process")
    };
    // A torus of which each state leads where one likes.
    let torus = |side: usize| {
        let state = |state: usize| {
            let (row, column) = (state / side, state % side);
            let around = |at: usize, by: usize| (at + by) % side;
            let to = [
                around(row, 1) * side + column,
                around(row, side - 1) * side + column,
                row * side + around(column, 1),
                row * side + around(column, side - 1),
            ];
            let cost = |at: usize| ((state * 31 + at * 17) * 7_919 % 1_009) as f64 / 1_009.0;
            let actions = to.into_iter().enumerate();
            let actions = actions.map(|(at, to)| Action {
                cost: cost(at),
                moves: vec![(to, 1.0)],
            });
            actions.collect()
        };
        Mdp::new((0..side * side).map(state)).expect("a process")
    };
    for (process, exactly) in [(line(24), true), (line(400), false), (torus(40), false)] {
        let discount = 0.9999;
        let solver = ValueIteration::new().tolerance(1e-6);
        let found = solver.solve(&process, discount).expect("values");
        assert!(found.iterations() < 120, "{}", found.iterations());
        assert!(*found.radius() < 2e-6 && found.verify(&process, &discount).is_ok());
        for threads in [1, 3] {
            assert_eq!(
                solver.clone().threads(threads).solve(&process, discount).as_ref(),
                Ok(&found)
            );
        }
        let by_policies = PolicyIteration::new().discounted(&process, &discount).expect("values");
        for (value, other) in found.values().iter().zip(by_policies.values()) {
            assert!((value - other).abs() <= found.radius() + by_policies.radius());
        }
        // As without eliminations, though that takes hundreds.
        let sweeps = solver.clone().evaluations(0).iterations(1_000_000);
        if exactly {
            let exact = in_fractions(&process);
            let best = PolicyIteration::new().discounted(&exact, &Rational::from_float(discount).expect("a number"));
            for (value, exact) in found.values().iter().zip(best.expect("values").values()) {
                assert!((value - exact.to_float()).abs() <= *found.radius());
            }
            let slow = sweeps.solve(&process, discount).expect("values");
            assert!(slow.iterations() > 500, "{}", slow.iterations());
        }
        // Wherever it ends, the radius holds.
        for limit in [20_u64, 40, 80, 160] {
            let work = limit * 4 * process.len() as u64;
            let stopped = solver
                .clone()
                .budget(Budget::new().work(work))
                .solve(&process, discount);
            let Err(Error::Stopped(stopped)) = stopped else {
                continue;
            };
            let radius = stopped.radius.expect("proven");
            for (value, other) in stopped.best.iter().zip(by_policies.values()) {
                assert!((value - other).abs() <= radius + by_policies.radius());
            }
        }
    }
}

fn in_fractions(process: &Mdp) -> Mdp<Rational> {
    let exact = |value: &f64| Rational::from_float(*value).expect("a number");
    let action = |state, action| Action {
        cost: exact(process.cost(state, action)),
        moves: process
            .moves(state, action)
            .map(|(to, chance)| (to, exact(chance)))
            .collect(),
    };
    let states = (0..process.len()).map(|state| (0..process.actions(state)).map(|at| action(state, at)).collect());
    Mdp::new(states).expect("a process")
}
