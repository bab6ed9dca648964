//! Costs of extreme size: a process whose costs are multiplied by a power of two has the same answer, times that, and the
//! least floats hide nothing that is not told.

use std::sync::Mutex;

use markov::mdp::{Action, CtMdp, Mdp, PolicyIteration, RateAction, RelativeValueIteration, ValueIteration};
use markov::{Budget, Error, Progress, Rational, Scalar};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Pow, Signed};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// From costs that are some of the least floats to some of the largest.
const POWERS: [i32; 8] = [-1074, -1066, -1030, -1000, -300, 300, 900, 1000];

/// Costs as integers, and probabilities in eighths.
type Drawn = Vec<Vec<(i64, Vec<(usize, i64)>)>>;

fn drawn(rng: &mut ChaCha8Rng) -> Drawn {
    let states = rng.random_range(1..=5);
    let action = |rng: &mut ChaCha8Rng| {
        let mut left = 8;
        let mut moves = Vec::new();
        while left > 0 {
            let part = rng.random_range(1..=left);
            moves.push((rng.random_range(0..states), part));
            left -= part;
        }
        (rng.random_range(-9..=9), moves)
    };
    (0..states)
        .map(|_| (0..rng.random_range(1..=3)).map(|_| action(rng)).collect())
        .collect()
}

fn process<T: Scalar>(drawn: &Drawn, cost: impl Fn(i64) -> T) -> Mdp<T> {
    let action = |(of_action, moves): &(i64, Vec<(usize, i64)>)| Action {
        cost: cost(*of_action),
        moves: moves.iter().map(|&(to, part)| (to, T::ratio(part, 8))).collect(),
    };
    Mdp::new(drawn.iter().map(|actions| actions.iter().map(action).collect())).expect("a process")
}

/// A float of moderate size times a power of two, rounded once.
fn times(value: f64, power: i32) -> f64 {
    value * 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2)
}

fn all_times(values: &[f64], power: i32) -> Vec<f64> {
    values.iter().map(|&value| times(value, power)).collect()
}

fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

fn fraction_times(value: &Rational, power: i32) -> Rational {
    let two = Rational::from_integer(BigInt::from(2).pow(power.unsigned_abs()));
    if power < 0 { value / two } else { value * two }
}

/// Tolerances had no room for what is lost among the least floats: policy iteration went in circles on such costs, and
/// checks refused what solvers had found.
#[test]
fn average_costs_times_a_power_of_two_have_the_answer_times_that() {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    let solver = PolicyIteration::new();
    let mut solved = 0;
    for _ in 0..150 {
        let drawn = drawn(&mut rng);
        let base = solver.average(&process(&drawn, |cost| cost as f64));
        let exact = solver.average(&process(&drawn, |cost| Rational::ratio(cost, 1)));
        for power in POWERS {
            let mdp = process(&drawn, |cost| times(cost as f64, power));
            let found = solver.average(&mdp);
            let (Ok(base), Ok(exact)) = (&base, &exact) else {
                assert_eq!(found.err(), base.as_ref().err().cloned());
                continue;
            };
            let found = found.unwrap_or_else(|error| panic!("{drawn:?} {power}: {error}"));
            assert_eq!(found.policy(), base.policy(), "{drawn:?} {power}");
            assert_eq!(*found.gain(), times(*base.gain(), power), "{drawn:?} {power}");
            assert_eq!(found.bias(), all_times(base.bias(), power), "{drawn:?} {power}");
            let proven = found
                .verify(&mdp)
                .unwrap_or_else(|error| panic!("{drawn:?} {power}: {error}"));
            let gain = fraction_times(exact.gain(), power);
            assert!(fraction(*proven.lower()) <= gain && gain <= fraction(*proven.upper()));
            solved += 1;
        }
    }
    assert!(solved > 600, "{solved}");
}

#[test]
fn gains_by_state_times_a_power_of_two_have_the_answer_times_that() {
    let mut rng = ChaCha8Rng::seed_from_u64(72);
    let solver = PolicyIteration::new();
    for _ in 0..150 {
        let drawn = drawn(&mut rng);
        let base = solver
            .multichain(&process(&drawn, |cost| cost as f64))
            .expect("a solution");
        let exact = solver
            .multichain(&process(&drawn, |cost| Rational::ratio(cost, 1)))
            .expect("a solution");
        for power in POWERS {
            let mdp = process(&drawn, |cost| times(cost as f64, power));
            let found = solver
                .multichain(&mdp)
                .unwrap_or_else(|error| panic!("{drawn:?} {power}: {error}"));
            assert_eq!(found.policy(), base.policy(), "{drawn:?} {power}");
            assert_eq!(found.gains(), all_times(base.gains(), power), "{drawn:?} {power}");
            assert_eq!(found.bias(), all_times(base.bias(), power), "{drawn:?} {power}");
            found
                .verify(&mdp)
                .unwrap_or_else(|error| panic!("{drawn:?} {power}: {error}"));
            let error = fraction(found.error().value);
            for (gain, exact) in found.gains().iter().zip(exact.gains()) {
                let off = fraction(*gain) - fraction_times(exact, power);
                assert!(off.abs() <= error, "{drawn:?} {power}: {gain} {error}");
            }
        }
    }
}

#[test]
fn discounted_costs_times_a_power_of_two_have_the_answer_times_that() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let solver = PolicyIteration::new();
    for _ in 0..100 {
        let drawn = drawn(&mut rng);
        let base = solver
            .discounted(&process(&drawn, |cost| cost as f64), &0.875)
            .expect("values");
        let exact = process(&drawn, |cost| Rational::ratio(cost, 1));
        let exact = solver.discounted(&exact, &Rational::ratio(7, 8)).expect("values");
        for power in POWERS {
            let mdp = process(&drawn, |cost| times(cost as f64, power));
            let found = solver.discounted(&mdp, &0.875).expect("values");
            assert_eq!(found.policy(), base.policy(), "{drawn:?} {power}");
            assert_eq!(found.values(), all_times(base.values(), power), "{drawn:?} {power}");
            for radius in [*found.radius(), found.verify(&mdp, &0.875).expect("of the process")] {
                assert!(radius.is_finite());
                for (value, exact) in found.values().iter().zip(exact.values()) {
                    let off = fraction(*value) - fraction_times(exact, power);
                    assert!(off.abs() <= fraction(radius), "{drawn:?} {power}: {value} {radius}");
                }
                // No wider than roundings of the values, and some of the least floats.
                let largest = found.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
                assert!(radius <= largest * 1e-12 + 1e-321, "{drawn:?} {power}: {radius}");
            }
        }
    }
}

#[test]
fn sweeps_over_costs_times_a_power_of_two_have_the_answer_times_that() {
    let mut rng = ChaCha8Rng::seed_from_u64(74);
    let (mut done, mut cut) = (0, 0);
    for _ in 0..40 {
        let drawn = drawn(&mut rng);
        let plain = process(&drawn, |cost| cost as f64);
        let tolerance = 2.0_f64.powi(-30);
        let average = |mdp: &Mdp, tolerance| {
            let solver = RelativeValueIteration::new().threads(1).iterations(400);
            solver.tolerance(tolerance).solve(mdp)
        };
        let discounted = |mdp: &Mdp, tolerance| {
            let solver = ValueIteration::new().threads(1).iterations(400);
            solver.tolerance(tolerance).solve(mdp, 0.875)
        };
        let (base, values) = (
            average(&plain, tolerance),
            discounted(&plain, tolerance).expect("values"),
        );
        for power in [-1040, -1030, -1000, -300, 300, 900, 1000] {
            let mdp = process(&drawn, |cost| times(cost as f64, power));
            let scaled = times(tolerance, power);
            let found = discounted(&mdp, scaled).expect("values");
            assert_eq!(
                (found.policy(), found.iterations()),
                (values.policy(), values.iterations())
            );
            assert_eq!(found.values(), all_times(values.values(), power));
            assert!(*found.radius() >= times(*values.radius(), power));
            assert!(*found.radius() <= 1.001 * times(*values.radius(), power) + 1e-321);
            match (average(&mdp, scaled), &base) {
                (Ok(found), Ok(base)) => {
                    let (here, there) = (found.solution(), base.solution());
                    assert_eq!((here.policy(), here.iterations()), (there.policy(), there.iterations()));
                    assert_eq!(here.bias(), all_times(there.bias(), power));
                    let (lower, upper) = (found.bounds().lower(), found.bounds().upper());
                    assert!(*lower <= times(*base.bounds().lower(), power));
                    assert!(*upper >= times(*base.bounds().upper(), power));
                    assert!(upper - lower <= 1.001 * times(base.bounds().gap(), power) + 1e-321);
                    assert!((lower..=upper).contains(&here.gain()));
                    done += 1;
                }
                (
                    Err(Error::NotConverged { best, bounds, .. }),
                    Err(Error::NotConverged {
                        best: of_base,
                        bounds: around,
                        ..
                    }),
                ) => {
                    assert_eq!(best, all_times(of_base, power));
                    let (here, there) = (bounds.expect("proven"), around.expect("proven"));
                    assert!(here.0 <= times(there.0, power) && here.1 >= times(there.1, power));
                    cut += 1;
                }
                (found, base) => panic!("{drawn:?} {power}: {found:?} {base:?}"),
            }
        }
    }
    assert!(done > 100 && cut > 5, "{done} {cut}");
}

/// In continuous time all of it is divided by rates.
#[test]
fn costs_over_time_times_a_power_of_two_have_the_answer_times_that() {
    let mut rng = ChaCha8Rng::seed_from_u64(75);
    let solver = PolicyIteration::new();
    for _ in 0..60 {
        let drawn = drawn(&mut rng);
        let in_time = |power| {
            let action = |(cost, moves): &(i64, Vec<(usize, i64)>)| RateAction {
                cost: times(*cost as f64, power),
                rates: moves.iter().map(|&(to, part)| (to, part as f64)).collect(),
            };
            CtMdp::new(drawn.iter().map(|actions| actions.iter().map(action).collect())).expect("a process")
        };
        let Ok(base) = in_time(0).average(&solver) else {
            continue;
        };
        for power in [-1060, -300, 300, 1000] {
            let process = in_time(power);
            let found = process.average(&solver).expect("one gain");
            assert_eq!(found.policy(), base.policy(), "{drawn:?} {power}");
            assert_eq!(*found.gain(), times(*base.gain(), power), "{drawn:?} {power}");
            let proven = process
                .verify(&found)
                .unwrap_or_else(|error| panic!("{drawn:?} {power}: {error}"));
            assert!((proven.lower()..=proven.upper()).contains(&found.gain()));
        }
    }
}

/// Some of the largest costs there are, and in another part of the process some of the least: no power of two is right for
/// both, and what is said of either must be true.
#[test]
fn costs_of_all_sizes_are_checked() {
    let mut rng = ChaCha8Rng::seed_from_u64(76);
    let solver = PolicyIteration::new();
    for round in 0..200 {
        let parts: Vec<Drawn> = (0..3).map(|_| drawn(&mut rng)).collect();
        let powers: [i32; 3] = [
            [1000, -1074, 0],
            [-1074, -1060, -900],
            [0, -1074, -1022],
            [1000, 900, -1050],
        ][round % 4];
        let mut joined: Vec<Vec<Action>> = Vec::new();
        let mut exact: Vec<Vec<Action<Rational>>> = Vec::new();
        for (part, power) in parts.iter().zip(powers) {
            let first = joined.len();
            for actions in part {
                let moves = |moves: &[(usize, i64)]| -> Vec<(usize, i64)> {
                    moves.iter().map(|&(to, part)| (first + to, part)).collect()
                };
                joined.push(
                    actions
                        .iter()
                        .map(|(cost, to)| Action {
                            cost: times(*cost as f64, power),
                            moves: moves(to)
                                .into_iter()
                                .map(|(to, part)| (to, part as f64 / 8.0))
                                .collect(),
                        })
                        .collect(),
                );
                exact.push(
                    actions
                        .iter()
                        .map(|(cost, to)| Action {
                            cost: fraction_times(&Rational::ratio(*cost, 1), power),
                            moves: moves(to)
                                .into_iter()
                                .map(|(to, part)| (to, Rational::ratio(part, 8)))
                                .collect(),
                        })
                        .collect(),
                );
            }
        }
        let mdp = Mdp::new(joined).expect("a process");
        let exact = solver
            .multichain(&Mdp::new(exact).expect("a process"))
            .expect("a solution");
        let found = solver
            .multichain(&mdp)
            .unwrap_or_else(|error| panic!("{round}: {error}"));
        found
            .verify(&mdp)
            .unwrap_or_else(|error| panic!("{round} {mdp:?}: {error}"));
        let error = fraction(found.error().value);
        for (gain, exact) in found.gains().iter().zip(exact.gains()) {
            assert!((fraction(*gain) - exact).abs() <= error, "{round}: {gain}");
        }
    }
}

/// What is known where a budget ends a solve is told as it is outside of the unit, too, and so is what observers hear.
#[test]
fn what_is_known_of_stopped_solves_holds_for_costs_of_any_size() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let mut known = [0; 4];
    for _ in 0..25 {
        let drawn = drawn(&mut rng);
        let exact = process(&drawn, |cost| Rational::ratio(cost, 1));
        let gain = PolicyIteration::new().average(&exact);
        let values = PolicyIteration::new()
            .discounted(&exact, &Rational::ratio(7, 8))
            .expect("values");
        for power in [-1066, -1000, 0, 1000] {
            let mdp = process(&drawn, |cost| times(cost as f64, power));
            for work in [3, 10, 20, 40, 80, 160, 320] {
                let budget = Budget::new().work(work);
                let heard = Mutex::new(Vec::new());
                let observer = |progress: &Progress| heard.lock().expect("one thread").push(*progress);
                let solver = PolicyIteration::new().budget(budget.clone()).observer(&observer);
                let sweeps = RelativeValueIteration::new().threads(1).tolerance(1e-300);
                let sweeps = sweeps.budget(budget.clone()).observer(&observer);
                if let Ok(gain) = &gain {
                    let gain = fraction_times(gain.gain(), power);
                    let mut check = |(lower, upper): (f64, f64), at: usize| {
                        assert!(
                            fraction(lower) <= gain && gain <= fraction(upper),
                            "{drawn:?} {power} {work}"
                        );
                        known[at] += 1;
                    };
                    for found in [solver.average(&mdp).err(), sweeps.solve(&mdp).err()] {
                        if let Some(Error::Stopped(stopped)) = found {
                            stopped.bounds.into_iter().for_each(|bounds| check(bounds, 0));
                        }
                    }
                    let words = core::mem::take(&mut *heard.lock().expect("one thread"));
                    let bounds = words.iter().filter_map(|word| word.bounds);
                    bounds.for_each(|bounds| check(bounds, 1));
                }
                heard.lock().expect("one thread").clear();
                let close = |found: &[f64], radius: f64| {
                    let pairs = found.iter().zip(values.values());
                    let off = pairs.map(|(value, exact)| (fraction(*value) - fraction_times(exact, power)).abs());
                    off.into_iter().all(|off| off <= fraction(radius))
                };
                let iteration = ValueIteration::new().threads(1).tolerance(1e-300).budget(budget);
                for found in [
                    solver.discounted(&mdp, &0.875).err(),
                    iteration.solve(&mdp, 0.875).err(),
                ] {
                    let Some(Error::Stopped(stopped)) = found else { continue };
                    if let Some(radius) = stopped.radius.filter(|_| !stopped.best.is_empty()) {
                        assert!(close(&stopped.best, radius), "{drawn:?} {power} {work}");
                        known[2] += 1;
                    }
                }
                known[3] += heard.lock().expect("one thread").len();
            }
        }
    }
    assert!(known.iter().all(|&count| count > 100), "{known:?}");
}
