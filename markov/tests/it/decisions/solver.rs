//! The solver that chooses its method, beside all policies, all methods and what is known.

use std::sync::Mutex;

use markov::mdp::{
    Action, AverageReport, CtMdp, Gain, Mdp, Method, PolicyIteration, RateAction, RelativeValueIteration, Solver,
    ValueIteration,
};
use markov::{Budget, Csr, Error, ErrorKind, Rational, Scalar, Stage, StopReason};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::average::queue;
use super::brute::{self, Shape};
use crate::budgets::{cancelled, stopped};

const SHAPES: [Shape; 3] = [Shape::Unichain, Shape::Communicating, Shape::Any];

/// The least gain of each state, over all policies.
fn least_gains(mdp: &Mdp<Rational>) -> Vec<Rational> {
    let gains = brute::policies(mdp)
        .into_iter()
        .map(|policy| brute::gains_by_state(mdp, &policy));
    let least = gains.reduce(|least, gains| least.into_iter().zip(gains).map(|(a, b)| a.min(b)).collect());
    least.expect("a policy")
}

/// A random process of some kind: one class, periods, traps, rare moves, costs of any size.
fn random(seed: u64) -> Mdp {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(1..25_usize);
    let kind = rng.random_range(0..6);
    let size = 10.0_f64.powi([0, 0, 0, -9, 7, -200][rng.random_range(0..6)]);
    let blocks = rng.random_range(1..4_usize);
    let action = |state: usize, rng: &mut ChaCha8Rng| {
        let any = rng.random_range(0..n);
        let moves = match kind {
            0 => vec![(any, 0.5), (rng.random_range(0..n), 0.25), (0, 0.25)],
            // Sure moves to and fro, of many periods.
            1 => vec![((state + rng.random_range(1..4_usize)) % n, 1.0)],
            2 => vec![((state + 1) % n, 1.0)],
            // Parts that are not left, and traps.
            3 => vec![(any / blocks * blocks, 0.5), (state / blocks * blocks, 0.5)],
            4 if rng.random_bool(0.3) => vec![(state, 1.0)],
            // Rare moves.
            5 => {
                let rare = 10.0_f64.powi(-rng.random_range(0..5));
                vec![(any, rare), (state, 1.0 - rare)]
            }
            _ => vec![(any, 0.5), (rng.random_range(0..n), 0.5)],
        };
        let cost = rng.random_range(-1.0..1.0) * size;
        Action { cost, moves }
    };
    let states = (0..n).map(|state| {
        (0..rng.random_range(1..4))
            .map(|_| action(state, &mut rng))
            .collect::<Vec<_>>()
    });
    Mdp::new(states.collect::<Vec<_>>()).expect("a process")
}

fn check_floats(exact: &[Rational], found: &AverageReport, what: &str) {
    for (state, gain) in exact.iter().enumerate() {
        let off = (found.gain(state) - gain.to_float()).abs();
        assert!(
            off <= found.error().value + 1e-15,
            "{what}: off by {off:e}, state {state}"
        );
        assert!(found.error().value < 3e-9, "{what}: {:?}", found.error());
    }
}

#[test]
fn no_policy_costs_less() {
    let (mut constant, mut by_state, mut floats_by_state) = (0, 0, 0);
    for (seed, shape) in (0..250).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
        let exact = brute::random(seed, shape);
        let floats = brute::to_floats(&exact);
        let least = least_gains(&exact);
        let what = format!("{shape:?} {seed}");
        let found = Solver::new().average(&exact).expect("gains");
        let gains: Vec<_> = (0..exact.len()).map(|state| found.gain(state).clone()).collect();
        assert_eq!(gains, least, "{what}");
        assert_eq!((found.error().value, found.error().kind), (0.0, ErrorKind::Proven));
        assert_eq!(found.verify(&exact).expect("the least").value, 0.0);
        assert_eq!(
            brute::gains_by_state(&exact, found.policy()),
            least,
            "{what}: its policy"
        );
        match found.found() {
            Gain::Constant(..) => constant += 1,
            _ => by_state += 1,
        }
        let found = Solver::new().average(&floats).expect("gains");
        found.verify(&floats).expect("its own");
        check_floats(&least, &found, &what);
        floats_by_state += usize::from(found.method() == Method::MultichainPolicyIteration);
    }
    assert!(
        constant > 600 && by_state > 20 && floats_by_state > 20,
        "{constant} {by_state} {floats_by_state}"
    );
}

#[test]
fn no_policy_costs_less_at_a_discount() {
    for (seed, shape) in (0..60).flat_map(|seed| SHAPES.map(|shape| (seed, shape))) {
        let exact = brute::random(seed, shape);
        for discount in [Rational::ratio(1, 2), Rational::ratio(99, 100)] {
            let values = brute::policies(&exact)
                .into_iter()
                .map(|policy| brute::discounted(&exact, &policy, &discount));
            let least = values.reduce(|least, values| least.into_iter().zip(values).map(|(a, b)| a.min(b)).collect());
            let least = least.expect("a policy");
            let found = Solver::new().discounted(&exact, &discount).expect("values");
            assert_eq!(found.values(), least, "{shape:?} {seed}");
            assert_eq!((found.error().value, found.method()), (0.0, Method::PolicyIteration));
            let floats = brute::to_floats(&exact);
            let found = Solver::new().discounted(&floats, &discount.to_float()).expect("values");
            let proven = found.verify(&floats, &discount.to_float()).expect("its own");
            assert!(proven.value < 1e-8 && found.error().value < 1e-8);
            for (value, least) in found.values().iter().zip(&least) {
                assert!((value - least.to_float()).abs() <= found.error().value + 1e-14);
            }
        }
    }
}

/// Within what each says of its error, on processes of many kinds.
#[test]
fn all_methods_agree() {
    let mut methods = [0; 3];
    let mut compared = 0;
    for seed in 0..3000 {
        let process = random(seed);
        let found = Solver::new().tolerance(1e-9).average(&process);
        let found = found.unwrap_or_else(|error| panic!("{seed}: {error}"));
        let error = found
            .verify(&process)
            .unwrap_or_else(|error| panic!("{seed}: {error}"))
            .value;
        let place = [
            Method::RelativeValueIteration,
            Method::PolicyIteration,
            Method::MultichainPolicyIteration,
        ];
        methods[place
            .iter()
            .position(|&method| method == found.method())
            .expect("one of three")] += 1;
        let other = PolicyIteration::new().multichain(&process).expect("gains");
        for (state, gain) in other.gains().iter().enumerate() {
            let off = (found.gain(state) - gain).abs();
            let slack = error + found.error().value + other.error().value;
            assert!(
                off <= slack,
                "{seed}: state {state} {off:e}, within {slack:e} by {}",
                found.method()
            );
            compared += usize::from(slack < 1e-3 * gain.abs());
        }
        if let Ok(other) = RelativeValueIteration::new().iterations(3000).solve(&process) {
            let bounds = found.bounds();
            assert!(bounds.is_none_or(|bounds| bounds.lower() <= other.bounds().upper()));
            assert!(bounds.is_none_or(|bounds| other.bounds().lower() <= bounds.upper()));
        }
        for discount in [0.9, 0.9999] {
            let found = Solver::new().discounted(&process, &discount).expect("values");
            let other = PolicyIteration::new().discounted(&process, &discount).expect("values");
            let proven = found.verify(&process, &discount).expect("its own").value;
            for (a, b) in found.values().iter().zip(other.values()) {
                let within = found.error().value.min(proven) + other.radius();
                assert!((a - b).abs() <= within, "{seed}: {a} {b} {within:e}");
            }
        }
    }
    assert!(methods.iter().all(|&count| count > 100), "{methods:?}");
    assert!(compared > 5000, "{compared}");
}

#[cfg(feature = "lp")]
#[test]
fn the_least_cost_is_that_of_the_linear_program() {
    use markov::mdp::program::Program;
    for seed in 0..150 {
        for shape in [Shape::Unichain, Shape::Communicating] {
            let process = brute::to_floats(&brute::random(seed, shape));
            let found = Solver::new().average(&process).expect("one gain");
            let program = Program::average(&process).solve().expect("frequencies");
            assert!((program.cost() - found.gain(0)).abs() < 1e-6, "{seed}");
        }
    }
}

/// With as much work sweeps alone are nowhere near.
#[test]
fn slow_processes_change_over_to_policies() {
    for (rooms, load) in [(400, 0.9), (2000, 0.95), (300, 2.5)] {
        let process = queue(rooms, load);
        let found = Solver::new().average(&process).expect("one gain");
        assert_eq!(found.method(), Method::PolicyIteration);
        assert!(found.verify(&process).expect("its own").value < 1e-9);
        let same = Budget::new().work(found.work());
        let sweeps = stopped(RelativeValueIteration::new().budget(same).solve(&process));
        let (lower, upper) = sweeps.bounds.expect("some sweeps");
        assert!(upper - lower > 1e-4, "{rooms}: {}", upper - lower);
        assert!(lower <= *found.gain(0) && *found.gain(0) <= upper);
    }
}

/// Sweeps that round as much as they change went on until their limit.
#[test]
fn tolerances_that_floats_do_not_hold_end_all_the_same() {
    let process = queue(1000, 0.9);
    let discount = 0.99999;
    let sweeps = ValueIteration::new().iterations(300).solve(&process, discount);
    assert!(matches!(sweeps, Err(Error::NotConverged { .. })), "{sweeps:?}");
    let found = Solver::new().discounted(&process, &discount).expect("values");
    let error = found.error().value;
    assert!(error > 1e-9 && error < 1e-4, "{error:e}");
    let exact = PolicyIteration::new().discounted(&process, &discount).expect("values");
    for (a, b) in found.values().iter().zip(exact.values()) {
        assert!((a - b).abs() <= error + exact.radius());
    }
    let times = |by: f64| {
        let actions = |state| (0..process.actions(state)).map(move |action| (state, action));
        let action = |(state, action)| Action {
            cost: by * process.cost(state, action),
            moves: process.moves(state, action).map(|(to, chance)| (to, *chance)).collect(),
        };
        Mdp::new((0..process.len()).map(|state| actions(state).map(action).collect())).expect("a process")
    };
    let large = times(1e12);
    let found = Solver::new().average(&large).expect("one gain");
    let error = found.verify(&large).expect("its own").value;
    assert!(error > 1e-9 && error < 1e3, "{error:e}");
}

#[test]
fn what_was_known_holds_wherever_it_is_stopped() {
    let process = queue(150, 0.9);
    let full = Solver::new().average(&process).expect("one gain");
    let gain = *full.gain(0);
    let (mut proven, mut best) = (0, f64::INFINITY);
    for part in 0..60 {
        let limit = full.work() * part / 60;
        let known = stopped(Solver::new().budget(Budget::new().work(limit)).average(&process));
        assert_eq!(known.reason, StopReason::WorkLimit);
        assert!(known.work >= limit);
        if let Some((lower, upper)) = known.bounds {
            assert!(lower <= gain && gain <= upper, "{part}: {lower} {upper}");
            assert_eq!((known.best.len(), known.policy.len()), (150, 150));
            // Nothing that was known is lost.
            assert!(upper - lower <= best, "{part}");
            (proven, best) = (proven + 1, upper - lower);
        }
    }
    assert!(proven > 40, "{proven}");
    let again = Solver::new()
        .budget(Budget::new().work(full.work()))
        .average(&process)
        .expect("enough");
    assert_eq!((again.gain(0), again.policy()), (full.gain(0), full.policy()));
    let values = stopped(
        Solver::new()
            .budget(Budget::new().work(30_000))
            .discounted(&process, &0.999),
    );
    assert!(values.radius.is_some() && values.best.len() == 150);

    let exact = brute::random(5, Shape::Any);
    assert_eq!(
        stopped(Solver::new().budget(cancelled()).average(&exact)).reason,
        StopReason::Cancelled
    );
    assert_eq!(
        stopped(Solver::new().budget(cancelled()).average(&process)).reason,
        StopReason::Cancelled
    );
    let half = Rational::ratio(1, 2);
    assert_eq!(
        stopped(Solver::new().budget(cancelled()).discounted(&exact, &half)).work,
        0
    );
    // Without memory for an elimination sweeps go on.
    let none = Solver::new().tolerance(1e-3).budget(Budget::new().memory(0));
    let found = none.average(&process).expect("one gain");
    assert_eq!(found.method(), Method::RelativeValueIteration);
}

#[test]
fn observers_see_all_stages() {
    let seen = Mutex::new(Vec::new());
    let note = |progress: &markov::Progress| seen.lock().expect("no panic").push(progress.stage);
    let process = queue(20_000, 0.95);
    let found = Solver::new().observer(&note).average(&process).expect("one gain");
    assert_eq!(found.method(), Method::PolicyIteration);
    let seen = seen.lock().expect("no panic");
    assert!(
        seen.contains(&Stage::Sweeps) && seen.contains(&Stage::Elimination),
        "{seen:?}"
    );
}

#[test]
fn settings_are_checked_and_other_processes_refused() {
    let process = queue(10, 0.5);
    for tolerance in [0.0, -1.0, f64::NAN] {
        let refused = Solver::new().tolerance(tolerance).average(&process);
        assert!(matches!(refused, Err(Error::Parameter { name: "tolerance", .. })));
    }
    assert!(matches!(
        Solver::new().threads(0).average(&process),
        Err(Error::Parameter { name: "threads", .. })
    ));
    for discount in [0.0, 1.0, f64::NAN] {
        assert!(matches!(
            Solver::new().discounted(&process, &discount),
            Err(Error::Parameter { name: "discount", .. })
        ));
    }
    let found = Solver::new().average(&process).expect("one gain");
    assert!(found.verify(&queue(11, 0.5)).is_err());
    assert!(found.verify(&queue(10, 0.9)).is_err(), "another gain");
    let values = Solver::new().discounted(&process, &0.5).expect("values");
    assert!(values.verify(&queue(10, 0.9), &0.5).is_err());
    // One state, one action.
    let idle = Mdp::new([vec![Action {
        cost: 7.0,
        moves: vec![(0, 1.0)],
    }]])
    .expect("a process");
    let found = Solver::new().average(&idle).expect("a gain");
    assert_eq!((found.gain(0), found.policy()), (&7.0, &[0][..]));
    assert!(std::panic::catch_unwind(|| *found.gain(1)).is_err());
}

#[test]
fn too_little_room_leaves_it_to_sweeps() {
    let process = queue(60, 0.9);
    let found = Solver::new().fill(1).average(&process).expect("one gain");
    assert_eq!(found.method(), Method::RelativeValueIteration);
    let with = Solver::new().average(&process).expect("one gain");
    assert!((with.gain(0) - found.gain(0)).abs() <= with.error().value + found.error().value);
}

#[test]
fn traps_among_many_states_have_gains_by_state() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (parts, size) = (30, 20);
    let n = parts * size + 50;
    let rows: Vec<Vec<(usize, f64)>> = (0..2 * n)
        .map(|row| {
            let part = row / 2 / size * size;
            let from = if part < parts * size { part..part + size } else { 0..n };
            (0..4).map(|_| (rng.random_range(from.clone()), 0.25)).collect()
        })
        .collect();
    let costs: Vec<f64> = (0..2 * n).map(|_| rng.random_range(0.0..1.0)).collect();
    let starts = (0..=n).map(|state| 2 * state).collect();
    let process = Mdp::from_parts(starts, Csr::from_rows(n, rows), costs).expect("a process");
    let found = Solver::new().average(&process).expect("gains");
    let by_hand = PolicyIteration::new().multichain(&process).expect("gains");
    assert_eq!(found.method(), Method::MultichainPolicyIteration);
    assert!(found.bounds().is_none());
    for state in 0..n {
        assert!((found.gain(state) - by_hand.gains()[state]).abs() < 1e-9);
    }
    assert!(found.verify(&process).expect("its own").value < 1e-8);
    assert!(matches!(
        PolicyIteration::new().average(&process),
        Err(Error::Multichain { .. })
    ));
}

#[test]
fn continuous_time_has_the_same_answers() {
    fn machine<T: Scalar>(slow: i64) -> CtMdp<T> {
        let r = |number| T::ratio(number, 1);
        let states = [
            vec![RateAction {
                cost: r(0),
                rates: vec![(1, r(1))],
            }],
            vec![
                RateAction {
                    cost: r(9),
                    rates: vec![(0, r(4))],
                },
                RateAction {
                    cost: r(slow),
                    rates: vec![(0, r(2))],
                },
            ],
            // Who is here may stay for ever.
            vec![
                RateAction {
                    cost: r(5),
                    rates: vec![(2, r(7))],
                },
                RateAction {
                    cost: r(50),
                    rates: vec![(0, r(1))],
                },
            ],
        ];
        CtMdp::new(states).expect("a process")
    }
    let exact = machine::<Rational>(3);
    let found = Solver::new().average_ctmdp(&exact).expect("a gain");
    let by_hand = exact.average(&PolicyIteration::new()).expect("a gain");
    assert_eq!((found.gain(2), found.policy()), (by_hand.gain(), by_hand.policy()));
    assert_eq!(found.bias(), by_hand.bias());
    assert_eq!(found.verify_ctmdp(&exact).expect("the least").value, 0.0);
    let floats = machine::<f64>(3);
    let near = Solver::new().average_ctmdp(&floats).expect("a gain");
    assert!((near.gain(0) - found.gain(0).to_float()).abs() <= near.error().value);
    assert!(near.verify_ctmdp(&floats).expect("its own").value < 3e-9);
    // Its policy costs 10 there.
    let elsewhere = near.verify_ctmdp(&machine(30));
    assert!(elsewhere.is_err() || elsewhere.is_ok_and(|error| error.value > 5.0));
    for interest in [1, 1000] {
        let interest = Rational::ratio(1, interest);
        let found = Solver::new().discounted_ctmdp(&exact, &interest).expect("values");
        let by_hand = exact.discounted(&PolicyIteration::new(), &interest).expect("values");
        assert_eq!((found.values(), found.policy()), (by_hand.values(), by_hand.policy()));
        let near = Solver::new()
            .discounted_ctmdp(&floats, &interest.to_float())
            .expect("values");
        assert!(near.error().value < 1e-7);
        for (near, exact) in near.values().iter().zip(found.values()) {
            assert!((near - exact.to_float()).abs() < 1e-7);
        }
    }
    // Once staying is cheaper than the rest, gains depend on the state.
    let states = [(0, 8.0), (1, 2.0)].map(|(state, cost)| {
        vec![RateAction {
            cost,
            rates: vec![(state, 3.0)],
        }]
    });
    let apart = CtMdp::new(states).expect("a process");
    let found = Solver::new().average_ctmdp(&apart).expect("gains");
    assert_eq!([found.gain(0), found.gain(1)], [&8.0, &2.0]);
    found.verify_ctmdp(&apart).expect("its own");
}
