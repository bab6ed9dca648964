//! Processes in continuous time.

use markov::mdp::{CtMdp, PolicyIteration, RateAction, RelativeValueIteration, Solver};
use markov::{Budget, Csr, Ctmc, Error, Rational, Scalar};
use num_traits::Signed;

/// A queue of at most three: arrivals at rate 2, each waiting costs 3 per unit of time, and service runs at rate 1 for
/// nothing, at 3 for 2, or at 5 for 7.
const SPEEDS: [(i64, i64); 3] = [(1, 0), (3, 2), (5, 7)];

fn rates(waiting: usize, speed: usize) -> Vec<(usize, Rational)> {
    let r = |number| Rational::ratio(number, 1);
    let arrival = (waiting < 3).then(|| (waiting + 1, r(2)));
    let service = (waiting > 0).then(|| (waiting - 1, r(SPEEDS[speed].0)));
    arrival.into_iter().chain(service).collect()
}

fn cost(waiting: usize, speed: usize) -> Rational {
    Rational::ratio(3 * waiting as i64 + SPEEDS[speed].1, 1)
}

#[test]
fn the_best_speeds_of_a_server() {
    let action = |waiting, speed| RateAction {
        cost: cost(waiting, speed),
        rates: rates(waiting, speed),
    };
    let queue =
        CtMdp::new((0..4).map(|waiting| (0..3).map(|speed| action(waiting, speed)).collect())).expect("a process");
    let (chain, costs) = queue.chain(&[2, 1, 0, 2]).expect("a policy");
    let rows = [0, 1, 2, 3].map(|waiting| rates(waiting, [2, 1, 0, 2][waiting]));
    assert_eq!(chain, Ctmc::new(&Csr::from_rows(4, rows)).expect("a chain"));
    assert_eq!(costs, [0, 1, 2, 3].map(|waiting| cost(waiting, [2, 1, 0, 2][waiting])));
    assert_eq!((queue.actions(1), queue.action(1, 2)), (3, &action(1, 2)));
    let gain = |policy: &[usize]| {
        let chain = Ctmc::new(&Csr::from_rows(
            4,
            (0..4).map(|waiting| rates(waiting, policy[waiting])),
        ))
        .expect("a chain");
        let shares = chain.stationary().expect("one class").into_iter().enumerate();
        shares.fold(Rational::ratio(0, 1), |sum, (waiting, share)| {
            sum + share * cost(waiting, policy[waiting])
        })
    };
    let policies = (0..81).map(|code| [code % 3, code / 3 % 3, code / 9 % 3, code / 27]);
    let expected = policies.map(|policy| gain(&policy)).min().expect("policies");
    let best = queue.average(&PolicyIteration::new()).expect("one gain");
    assert_eq!(*best.gain(), expected);
    assert_eq!(gain(best.policy()), expected);
    assert!(queue.verify(&best).expect("its own process").is_exact());
    // The cost of waiting one unit of time in state 0 is the gain and what the next state costs more.
    let bias = best.bias();
    let left = cost(0, best.policy()[0]) - best.gain() + Rational::ratio(2, 1) * (&bias[1] - &bias[0]);
    assert_eq!(left, Rational::ratio(0, 1));

    let float = |waiting, speed| RateAction {
        cost: cost(waiting, speed).to_float(),
        rates: rates(waiting, speed)
            .into_iter()
            .map(|(to, rate)| (to, rate.to_float()))
            .collect(),
    };
    let floats =
        CtMdp::new((0..4).map(|waiting| (0..3).map(|speed| float(waiting, speed)).collect())).expect("a process");
    let bounds = floats.average_bounds(&RelativeValueIteration::new()).expect("one gain");
    let (lower, upper) = (*bounds.bounds().lower(), *bounds.bounds().upper());
    assert!(lower <= expected.to_float() && expected.to_float() <= upper && upper - lower < 2e-9);
}

/// Cost 1 per unit of time until an event at rate 2, with interest 1: 1 / (1 + 2).
#[test]
fn interest() {
    let r = |number| Rational::ratio(number, 1);
    let once = CtMdp::new([
        vec![RateAction {
            cost: r(1),
            rates: vec![(1, r(2))],
        }],
        vec![RateAction {
            cost: r(0),
            rates: vec![(0, r(0)), (1, r(9))],
        }],
    ])
    .expect("a process");
    assert_eq!(*once.rate(), r(2));
    let values = once.discounted(&PolicyIteration::new(), &r(1)).expect("values");
    assert_eq!(values.values(), [Rational::ratio(1, 3), r(0)]);
}

/// The error spoke of a discount of 1, or 0, which the caller knows nothing of.
#[test]
fn interest_that_no_float_discount_shows_is_named() {
    let once = |rate| {
        let action = |to| {
            vec![RateAction {
                cost: 1.0,
                rates: vec![(to, rate)],
            }]
        };
        CtMdp::new([action(1), action(0)]).expect("a process")
    };
    for (rate, interest) in [
        (1.0, 1e-20),
        (1e-300, 1e300),
        (1e308, 1e308),
        (1.0, -1.0),
        (1.0, f64::NAN),
    ] {
        let found = once(rate).discounted(&PolicyIteration::new(), &interest);
        match found {
            Err(Error::Parameter {
                name: "interest",
                value,
                ..
            }) => {
                assert_eq!(value.to_bits(), interest.to_bits());
            }
            other => panic!("{rate} {interest}: {other:?}"),
        }
    }
    let found = once(1.0).discounted(&PolicyIteration::new(), &1e-15).expect("values");
    assert!((found.values()[0] - 1e15).abs() <= 0.2 * 1e15, "{found:?}");
    assert!((found.values()[0] - 1e15).abs() <= *found.radius(), "{found:?}");
}

/// The radius was that of the process in discrete time. With little interest its discount is nearly one, and what it misses one
/// by may be rounding by half, and so may values, of which the radius said nothing.
#[test]
fn what_is_rounded_on_the_way_to_steps_is_within_the_radius() {
    let exact = |value: f64| Rational::from_float(value).expect("a number");
    for (interest, fast) in [(0.3, 0.7), (1e-9, 0.7), (3e-14, 0.1), (0.7, 1e14), (1e7, 0.1)] {
        let action = |cost: f64, rates: Vec<(usize, f64)>| RateAction { cost, rates };
        // The best actions cost the same everywhere, so that little is rounded in discrete time.
        let states = || {
            [
                vec![
                    action(8.3, vec![(1, fast), (2, 0.3), (1, 0.2)]),
                    action(9.1, vec![(1, 0.3)]),
                ],
                vec![action(8.7, vec![(0, 0.3)]), action(8.3, vec![(0, 0.9), (2, 0.1)])],
                vec![action(8.3, vec![])],
            ]
        };
        let in_fractions = |action: RateAction| RateAction {
            cost: exact(action.cost),
            rates: action.rates.iter().map(|&(to, rate)| (to, exact(rate))).collect(),
        };
        let fractions = states().map(|actions| actions.into_iter().map(in_fractions).collect());
        let fractions = CtMdp::new(fractions).expect("a process");
        let least = fractions
            .discounted(&PolicyIteration::new(), &exact(interest))
            .expect("values");
        assert_eq!(*least.radius(), exact(0.0));
        let check = |values: &[f64], radius: f64| {
            for (value, least) in values.iter().zip(least.values()) {
                let off = (exact(*value) - least).abs();
                assert!(off <= exact(radius), "{value:e} with {radius:e}, {interest} {fast}");
            }
        };
        let process = CtMdp::new(states()).expect("a process");
        let found = process.discounted(&PolicyIteration::new(), &interest).expect("values");
        check(found.values(), *found.radius());
        let mut told = 0;
        for work in 0..300 {
            let solver = PolicyIteration::new().budget(Budget::new().work(work));
            if let Err(Error::Stopped(stopped)) = process.discounted(&solver, &interest)
                && let Some(radius) = stopped.radius
            {
                check(&stopped.best, radius);
                told += 1;
            }
        }
        assert!(told > 0);
    }
}

/// The quotient of both rates is no float, so that the slow move vanished: two closed classes were found where there is
/// one.
#[test]
fn rates_too_far_apart_are_told() {
    let action = |to, rate| {
        vec![RateAction {
            cost: 1.0,
            rates: vec![(to, rate)],
        }]
    };
    for slow in [1e-24, 1e-12] {
        let process = CtMdp::new([action(1, slow), action(0, 1e300)]).expect("a process");
        let solver = PolicyIteration::new();
        let told = |refused: Option<Error>| refused.expect("too slow").to_string();
        let expected = format!(
            "action 0 of state 0: its rate of leading to state 1 is {slow:e}, and too small for floats beside the largest \
             rate out of a state, which is 1e300; use fractions"
        );
        assert_eq!(told(process.average(&solver).err()), expected);
        assert_eq!(told(process.discounted(&solver, &1.0).err()), expected);
        let bounds = process.average_bounds(&RelativeValueIteration::new());
        assert_eq!(told(bounds.err()), expected);
    }
    let process = CtMdp::new([action(1, 1e-5), action(0, 1e300)]).expect("a process");
    assert!(process.average(&PolicyIteration::new()).is_ok());
}

/// The shares of time under a policy are those of the uniformized process, and its costs by them are the gain.
#[test]
fn the_chain_of_a_policy_has_the_shares_of_the_process_in_steps() {
    let action = |cost, rates: &[(usize, i64)]| RateAction {
        cost: Rational::ratio(cost, 1),
        rates: rates.iter().map(|&(to, rate)| (to, Rational::ratio(rate, 3))).collect(),
    };
    // Rates to the state itself, and two to one state, change nothing.
    let process = CtMdp::new([
        vec![action(4, &[(1, 2), (0, 5)]), action(6, &[(2, 1), (2, 3)])],
        vec![action(0, &[(2, 7)])],
        vec![
            action(-3, &[(0, 1), (1, 1)]),
            action(9, &[(0, 8)]),
            action(1, &[(1, 2)]),
        ],
    ])
    .expect("a process");
    for policy in (0..6).map(|code| [code % 2, 0, code / 2]) {
        let (chain, costs) = process.chain(&policy).expect("a policy");
        let (steps, same) = process
            .uniformized()
            .and_then(|steps| steps.chain(&policy))
            .expect("a policy");
        let shares = chain.stationary().expect("one closed class");
        assert_eq!(shares, steps.stationary().expect("one closed class"), "{policy:?}");
        assert_eq!(costs, same);
        let alone = (0..3).map(|state| vec![process.action(state, policy[state]).clone()]);
        let gain = CtMdp::new(alone)
            .and_then(|one| one.average(&PolicyIteration::new()))
            .expect("one gain");
        let mean: Rational = shares.iter().zip(&costs).map(|(share, cost)| share * cost).sum();
        assert_eq!(*gain.gain(), mean, "{policy:?}");
        assert!(gain.bias().contains(&Rational::ratio(0, 1)));
    }
    let short = Error::LengthMismatch {
        what: "actions of a policy",
        expected: 3,
        found: 2,
    };
    assert_eq!(process.chain(&[0, 0]), Err(short));
    let missing = Error::ActionOutOfRange {
        state: 1,
        action: 1,
        actions: 1,
    };
    assert_eq!(process.chain(&[0, 1, 2]), Err(missing));
}

/// A bias in time is a rounded one, times the rate not the one in steps again: by rates far apart it proved bounds that the gain,
/// the middle of those before, was beyond.
#[test]
fn what_is_found_is_verified_whatever_the_rates() {
    let action = |cost: f64, rates: &[(usize, f64)]| {
        vec![RateAction {
            cost,
            rates: rates.to_vec(),
        }]
    };
    let mut verified = [0; 3];
    for fast in (0..40).map(|step| 1.3_f64.powi(step)) {
        for slow in (0..44).map(|step| 1e-3 / 1.3_f64.powi(step)) {
            let process = CtMdp::new([action(-2.0, &[]), action(0.1, &[(2, fast)]), action(0.1, &[(0, slow)])]);
            let process = process.expect("a process");
            let report = Solver::new().average_ctmdp(&process).expect("one recurrent class");
            report.verify_ctmdp(&process).expect("it is right");
            let bounds = report.bounds().expect("the same gain everywhere");
            assert!(
                *bounds.lower() <= -2.0 && *bounds.upper() >= -2.0,
                "{fast} {slow} {bounds:?}"
            );
            assert!((bounds.lower()..=bounds.upper()).contains(&report.gain(0)));
            verified[0] += 1;
            if let Ok(found) = process.average(&PolicyIteration::new()) {
                process.verify(&found).expect("it is right");
                verified[1] += 1;
            }
            if let Ok(found) = process.average_bounds(&RelativeValueIteration::new().tolerance(3.0)) {
                process.verify(found.solution()).expect("it is right");
                verified[2] += 1;
            }
        }
    }
    assert_eq!(verified, [1760; 3]);
}
