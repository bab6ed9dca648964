//! Least average cost.

use markov::mdp::{Action, Mdp, PolicyIteration, RelativeValueIteration};
use markov::{Error, Rational, Scalar};

use super::brute::{self, Shape};
use super::pool;

fn least(mdp: &Mdp<Rational>) -> Rational {
    let gains = brute::policies(mdp)
        .into_iter()
        .flat_map(|policy| brute::gains(mdp, &policy));
    gains.min().expect("a policy")
}

#[test]
fn no_policy_is_better() {
    for seed in 0..400 {
        for shape in [Shape::Unichain, Shape::Communicating] {
            let process = brute::random(seed, shape);
            let best = PolicyIteration::new().average(&process).expect("one gain");
            assert_eq!(*best.gain(), least(&process), "seed {seed}, {shape:?}");
            assert_eq!(brute::gains(&process, best.policy()), [best.gain().clone()]);
            assert!(best.verify(&process).expect("its own process").is_exact());
        }
    }
}

/// The least number of all actions, and the largest of a policy: `cost + sum of p(j) (h(j) - h(i))`, literally.
fn literal_bounds(mdp: &Mdp<Rational>, h: &[Rational], policy: &[usize]) -> (Rational, Rational) {
    let number = |state: usize, action: usize| {
        let change = mdp
            .moves(state, action)
            .map(|(to, chance)| (&h[to] - &h[state]) * chance);
        change.fold(mdp.cost(state, action).clone(), |sum, part| sum + part)
    };
    let all = (0..mdp.len()).flat_map(|state| (0..mdp.actions(state)).map(move |action| (state, action)));
    let lower = all.map(|(state, action)| number(state, action)).min();
    let upper = policy
        .iter()
        .enumerate()
        .map(|(state, &action)| number(state, action))
        .max();
    lower.zip(upper).expect("states")
}

/// A solution of another process has bounds as well, which need not meet.
#[test]
fn bounds_are_what_they_are_said_to_be_whatever_is_verified() {
    let exact = |value: f64| Rational::from_float(value).expect("finite");
    let (mut exactly, mut apart) = (0, 0);
    for seed in 0..400 {
        for shape in [Shape::Unichain, Shape::Communicating] {
            // As many actions in each state, if there are as many states.
            let (process, other) = (brute::random(seed, shape), brute::random(seed + 3 * (1 << 12), shape));
            let best = PolicyIteration::new().average(&process).expect("one gain");
            if process.len() != other.len() {
                let refused = best.verify(&other);
                assert!(matches!(
                    refused,
                    Err(Error::LengthMismatch { .. } | Error::ActionOutOfRange { .. })
                ));
                continue;
            }
            let (lower, upper) = literal_bounds(&other, best.bias(), best.policy());
            let verdict = best.verify(&other);
            if !(&lower..=&upper).contains(&best.gain()) {
                assert!(
                    matches!(verdict, Err(Error::Parameter { name: "gain", .. })),
                    "seed {seed}"
                );
                continue;
            }
            let bounds = verdict.expect("a gain between them");
            assert_eq!((bounds.lower(), bounds.upper()), (&lower, &upper), "seed {seed}");
            assert!(lower <= least(&other));
            assert!(brute::gains(&other, best.policy()).iter().all(|gain| *gain <= upper));
            assert_eq!(bounds.is_exact(), lower == upper);
            exactly += usize::from(bounds.is_exact());
            apart += usize::from(!bounds.is_exact());
            // In floats, the same outwards.
            let best = PolicyIteration::new()
                .average(&brute::to_floats(&process))
                .expect("one gain");
            let bounds = best.verify(&brute::to_floats(&other)).expect("as many states");
            let bias: Vec<Rational> = best.bias().iter().copied().map(exact).collect();
            let (lower, upper) = literal_bounds(&other, &bias, best.policy());
            // Chances of the floats are off by a last place.
            let (below, above) = (lower.to_float() - bounds.lower(), bounds.upper() - upper.to_float());
            assert!(
                (-1e-14..1e-12).contains(&below) && (-1e-14..1e-12).contains(&above),
                "{below} {above}"
            );
        }
    }
    assert!(exactly > 5 && apart > 100, "{exactly} {apart}");
}

/// Exact arithmetic finds the way by itself as well, from any policy.
#[test]
fn every_start_leads_there() {
    for seed in 0..60 {
        let process = brute::random(seed, Shape::Communicating);
        let floats = brute::to_floats(&process);
        let gain = least(&process);
        for policy in brute::policies(&process).into_iter().take(40) {
            let solver = PolicyIteration::new().start(policy);
            assert_eq!(*solver.average(&process).expect("one gain").gain(), gain);
            let rounded = solver.average(&floats).expect("one gain");
            let bounds = rounded.verify(&floats).expect("its own process");
            assert!(*bounds.lower() <= gain.to_float() + 1e-15 && gain.to_float() - 1e-15 <= *bounds.upper());
            assert!(bounds.gap() < 1e-9, "seed {seed}");
            assert!(!bounds.is_exact(), "floats are rounded");
        }
    }
}

#[test]
fn bounds_of_relative_value_iteration_hold() {
    for seed in 0..200 {
        let process = brute::random(seed, Shape::Communicating);
        let found = RelativeValueIteration::new()
            .threads(1)
            .solve(&brute::to_floats(&process))
            .expect("one gain");
        let gain = least(&process).to_float();
        let bounds = found.bounds();
        assert!(
            *bounds.lower() <= gain + 1e-15 && gain - 1e-15 <= *bounds.upper(),
            "seed {seed}"
        );
        assert!(bounds.gap() < 2e-9);
        assert_eq!(
            found.solution().verify(&brute::to_floats(&process)).as_ref(),
            Ok(bounds)
        );
    }
}

/// All policies have the period 4: steps that are not damped go in circles for ever.
#[test]
fn the_pool_is_periodic() {
    let r = Rational::ratio;
    let process = pool::pool(2, 13, &r(1, 2), &r(10, 1));
    let exact = PolicyIteration::new().average(&process).expect("one gain");
    assert_eq!(*exact.gain(), r(2, 1));
    let found = RelativeValueIteration::new()
        .solve(&brute::to_floats(&process))
        .expect("one gain");
    assert!(*found.bounds().lower() <= 2.0 && 2.0 <= *found.bounds().upper());
    assert!(found.bounds().gap() < 2e-9);
}

/// What the pool costs per step is known where only fair games are started, or any, as soon as there are enough
/// players.
#[test]
fn the_pool_of_two_kinds_of_players() {
    let r = Rational::ratio;
    for (n, q) in [(2, r(1, 2)), (2, r(1, 3)), (4, r(1, 2)), (4, r(37, 100))] {
        for cap in [2 * n + 1, 3 * n, 4 * n + 1, 6 * n + 1] {
            for alpha in [r(1, 2), r(3, 1)] {
                let process = pool::pool(n, cap, &q, &alpha);
                let best = PolicyIteration::new().average(&process).expect("a policy");
                assert!(best.verify(&process).expect("its own process").is_exact());
                let fair = r(1, 1) - (r(2, 1) * &q - r(1, 1)).pow(2 * n as i32);
                let patient = r(n as i64, 1);
                let greedy = patient.clone() - r(1, 2) + alpha * fair / r(2, 1);
                assert_eq!(*best.gain(), patient.min(greedy));
            }
        }
    }
}

/// A machine of age k breaks in the next step with probability (k + 1) / 12; a new one costs 5, and 20 more if it must
/// be had at once. Replacing at age T is a renewal: expected cost over expected time.
#[test]
fn replacing_a_machine_at_the_right_age() {
    let r = Rational::ratio;
    let oldest = 11;
    let breaks = |age: usize| r(age as i64 + 1, 12);
    let run = |age: usize| Action {
        cost: breaks(age) * r(25, 1),
        moves: vec![(0, breaks(age)), ((age + 1).min(oldest), r(1, 1) - breaks(age))],
    };
    // Replacing is done before the step, which the new machine then takes.
    let replace = || {
        let Action { cost, moves } = run(0);
        Action {
            cost: cost + r(5, 1),
            moves,
        }
    };
    let machine = Mdp::new((0..=oldest).map(|age| vec![run(age), replace()])).expect("a process");
    let renewal = |limit: usize| {
        let (mut alive, mut cost, mut time) = (r(1, 1), r(0, 1), r(0, 1));
        for age in 0..limit {
            time += &alive;
            cost += &alive * breaks(age) * r(25, 1);
            alive *= r(1, 1) - breaks(age);
        }
        (cost + alive * r(5, 1)) / time
    };
    let expected = (1..=oldest + 1).map(renewal).min().expect("ages");
    let best = PolicyIteration::new().average(&machine).expect("one gain");
    assert_eq!(*best.gain(), expected);
    assert!(best.verify(&machine).expect("its own process").is_exact());
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let absorbing = |state, cost: f64| {
        vec![Action {
            cost,
            moves: vec![(state, 1.0)],
        }]
    };
    let two = Mdp::new([absorbing(0, 1.0), absorbing(1, 2.0)]).expect("a process");
    let representatives = vec![0, 1];
    let refused = PolicyIteration::new().average(&two);
    assert_eq!(refused.err(), Some(Error::Multichain { representatives }));
    let Err(Error::NotConverged {
        bounds: Some((lower, upper)),
        ..
    }) = RelativeValueIteration::new().iterations(50).solve(&two)
    else {
        panic!("the bounds cannot meet");
    };
    assert!((0.999..=1.0).contains(&lower) && (2.0..2.001).contains(&upper));
    assert!(matches!(
        PolicyIteration::new().start(vec![0, 1]).average(&two),
        Err(Error::ActionOutOfRange {
            state: 1,
            action: 1,
            actions: 1
        })
    ));
    assert!(matches!(
        RelativeValueIteration::new().threads(0).solve(&two),
        Err(Error::Parameter { name: "threads", .. })
    ));
    assert!(PolicyIteration::new().iterations(0).average(&two).is_err());
}

/// A tolerance in proportion to the largest value of any state took actions of states 0 and 1 for equal, as state 2 is
/// left once in 1e9 steps of cost 1e4: the gain was 5.
#[test]
fn a_large_value_elsewhere_hides_no_action() {
    let action = |cost, moves: &[(usize, f64)]| Action {
        cost,
        moves: moves.to_vec(),
    };
    let rare = 1e-9;
    let process = Mdp::new([
        vec![action(0.0, &[(1, 1.0)]), action(1.0, &[(0, 1.0)])],
        vec![action(10.0, &[(0, 1.0)])],
        vec![action(1e4, &[(2, 1.0 - rare), (0, rare)])],
    ])
    .expect("a process");
    let best = PolicyIteration::new().average(&process).expect("one gain");
    assert_eq!((best.gain(), best.policy()), (&1.0, &[1, 0, 0][..]));
}

/// Values are finite, and what they are sums of is beyond all floats: that is computed in another unit.
#[test]
fn sums_beyond_all_floats_are_counted_in_another_unit() {
    let to = |state, cost| Action {
        cost,
        moves: vec![(state, 1.0)],
    };
    let level = Mdp::new([
        vec![to(1, 1e308)],
        vec![to(2, -1e308)],
        vec![to(3, 1e308)],
        vec![to(0, -1e308), to(0, -1e307)],
    ])
    .expect("a process");
    let found = PolicyIteration::new().average(&level).expect("one gain");
    assert_eq!((*found.gain(), found.policy()), (0.0, &[0; 4][..]));
    let bounds = found.verify(&level).expect("a proof");
    assert!(*bounds.lower() <= 0.0 && *bounds.upper() >= 0.0 && bounds.gap() < 1e295);
}

/// The number of the action was added to that of the first one of the state, and wrapped to that of another state.
#[test]
#[should_panic(expected = "state 1 has no action 18446744073709551615")]
#[cfg(target_pointer_width = "64")]
fn no_state_has_the_last_number_as_an_action() {
    let stay = |state| Action {
        cost: 0.0,
        moves: vec![(state, 1.0)],
    };
    let mdp = Mdp::new([vec![stay(0)], vec![stay(1)]]).expect("a process");
    let _ = mdp.cost(1, usize::MAX);
}

/// A queue whose door may be closed and whose server may be fast.
pub(super) fn queue(rooms: usize, load: f64) -> Mdp {
    let rate = load + 2.0;
    let states = (0..rooms).map(|waiting| {
        let actions = [(true, 1.0), (true, 2.0), (false, 1.0), (false, 2.0)].map(|(is_open, speed)| {
            let up = if is_open && waiting + 1 < rooms {
                load / rate
            } else {
                0.0
            };
            let down = if waiting > 0 { speed / rate } else { 0.0 };
            let lost = if up == 0.0 { 8.0 * load / rate } else { 0.0 };
            let steps = [
                (waiting + 1, up),
                (waiting.wrapping_sub(1), down),
                (waiting, 1.0 - up - down),
            ];
            Action {
                cost: 0.1 * waiting as f64 + speed - 1.0 + lost,
                moves: steps.into_iter().filter(|&(_, chance)| chance > 0.0).collect(),
            }
        });
        actions.to_vec()
    });
    Mdp::new(states).expect("a process")
}

/// Gains and bias are differences to a state of reference. It was the last of those that most others lead to, here one
/// where hardly ever anybody waits: the bounds of the policy of least cost were 3e32 apart.
#[test]
fn states_that_are_rarely_entered_are_no_references() {
    let process = queue(1000, 0.9);
    let found = PolicyIteration::new().average(&process).expect("one gain");
    let bounds = found.verify(&process).expect("its own");
    assert!(bounds.gap() < 1e-6, "{:e}", bounds.gap());
    let by_state = PolicyIteration::new().multichain(&process).expect("one gain");
    assert!((by_state.gains()[999] - found.gain()).abs() < 1e-6);
    // From everywhere to states of which the first is rarely entered, whose values floats do not hold.
    let action = |cost, moves: &[(usize, f64)]| {
        vec![Action {
            cost,
            moves: moves.to_vec(),
        }]
    };
    let rare = 2.0_f64.powi(-60);
    let states = [
        action(1.0, &[(1, 1.0)]),
        action(2.0, &[(2, 0.5), (0, rare), (1, 0.5 - rare)]),
        action(5.0, &[(1, 1.0)]),
    ];
    let process = Mdp::new(states).expect("a process");
    let found = PolicyIteration::new().multichain(&process).expect("a gain");
    assert!((found.gains()[0] - 3.0).abs() < 1e-14, "two thirds at 2, a third at 5");
    assert!(
        (found.bias()[2] - found.bias()[1] - 2.0).abs() < 1e-14,
        "{:?}",
        found.bias()
    );
}
