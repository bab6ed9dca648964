//! Numbers at the ends of what floats hold, and processes of one state.

use std::sync::Mutex;

use markov::mdp::{Action, CtMdp, Mdp, PolicyIteration, RateAction, RelativeValueIteration, ValueIteration};
use markov::{Budget, Error, Progress, Rational, Scalar};
use num_traits::FromPrimitive;

use super::brute::{self, Shape};

fn to(state: usize, cost: f64) -> Action {
    Action {
        cost,
        moves: vec![(state, 1.0)],
    }
}

/// Values beyond all floats were called converged: their changes are no numbers, and the extent of none of them is
/// small.
#[test]
fn costs_that_add_up_to_no_float_are_an_error() {
    let rising = Mdp::new([vec![to(0, f64::MAX)]]).expect("a process");
    let not = |refused: Option<Error>| assert!(matches!(refused, Some(Error::NotANumber { .. })), "{refused:?}");
    not(ValueIteration::new().solve(&rising, 0.999).err());
    not(ValueIteration::new().evaluations(0).solve(&rising, 0.5).err());
    not(PolicyIteration::new().discounted(&rising, &0.999).err());
    // One state alone costs the same on the average.
    assert_eq!(
        PolicyIteration::new().average(&rising).expect("one gain").gain(),
        &f64::MAX
    );

    // What is on the way alone is counted in another unit.
    let apart = Mdp::new([vec![to(1, f64::MAX)], vec![to(0, -f64::MAX)]]).expect("a process");
    let found = RelativeValueIteration::new().tolerance(1e290).solve(&apart);
    let bounds = found.expect("bounds").bounds().clone();
    assert!(*bounds.lower() <= 0.0 && *bounds.upper() >= 0.0 && bounds.gap() < 1e295);
    let twice = Mdp::new([vec![to(1, f64::MAX)], vec![to(0, f64::MAX)], vec![to(2, 0.0)]]).expect("a process");
    let found = PolicyIteration::new().multichain(&twice).expect("gains");
    assert_eq!(found.gains(), [f64::MAX, f64::MAX, 0.0]);
    found.verify(&twice).expect("they are");
    let level = Mdp::new([vec![to(1, 1.7e308)], vec![to(0, -1.7e308)]]).expect("a process");
    let found = PolicyIteration::new().multichain(&level).expect("gains");
    assert_eq!(found.gains(), [0.0, 0.0]);
    found.verify(&level).expect("they are");
    let pair = Mdp::new([vec![to(1, f64::MAX)], vec![to(0, f64::MAX)]]).expect("a process");
    assert_eq!(
        PolicyIteration::new().average(&pair).expect("one gain").gain(),
        &f64::MAX
    );
}

/// The same where time is what makes them too large.
#[test]
fn totals_over_time_that_are_no_floats_are_an_error() {
    let slow = |cost| {
        let action = |to, cost| RateAction {
            cost,
            rates: vec![(to, 1e-300)],
        };
        CtMdp::new([vec![action(1, cost)], vec![action(0, 0.0)]]).expect("a process")
    };
    let solver = PolicyIteration::new();
    assert!(slow(1.0).average(&solver).is_ok());
    assert!(matches!(slow(1e10).average(&solver), Err(Error::NotANumber { .. })));
    let bounds = slow(1e10).average_bounds(&RelativeValueIteration::new().tolerance(1.0));
    assert!(matches!(bounds, Err(Error::NotANumber { .. })));
    assert!(matches!(
        slow(1e10).discounted(&solver, &1e-300),
        Err(Error::NotANumber { .. })
    ));
}

/// Where all gains are zero, they are made up of roundings, which are no reason to change an action.
#[test]
fn gains_of_nothing_are_equal() {
    for seed in 0..400 {
        let process = brute::to_floats(&brute::random(seed, Shape::Any));
        let height = |state: usize| ((state * state + 3) as f64).sqrt();
        let states = (0..process.len()).map(|state| {
            let action = |action: usize| {
                let moves: Vec<_> = process.moves(state, action).map(|(to, &chance)| (to, chance)).collect();
                let ahead: f64 = moves.iter().map(|&(to, chance)| chance * height(to)).sum();
                let cost = height(state) - ahead;
                Action { cost, moves }
            };
            (0..process.actions(state)).map(action).collect()
        });
        let level = Mdp::new(states).expect("a process");
        let best = PolicyIteration::new().multichain(&level).expect("gains");
        assert_eq!(best.verify(&level), Ok(()), "seed {seed}");
        assert!(best.iterations() <= 2, "seed {seed}: {}", best.iterations());
        assert!(best.gains().iter().all(|gain| gain.abs() < 1e-14));
    }
}

#[test]
fn one_state_is_enough() {
    let r = Rational::ratio;
    let only = |cost: Rational| Action {
        cost,
        moves: vec![(0, r(1, 1))],
    };
    let one = Mdp::new([vec![only(r(7, 3)), only(r(2, 1))]]).expect("a process");
    let solver = PolicyIteration::new();
    assert_eq!(*solver.average(&one).expect("one gain").gain(), r(2, 1));
    assert_eq!(solver.multichain(&one).expect("gains").gains(), [r(2, 1)]);
    assert_eq!(solver.discounted(&one, &r(1, 2)).expect("values").values(), [r(4, 1)]);
    let floats = brute::to_floats(&one);
    let found = RelativeValueIteration::new().solve(&floats).expect("one gain");
    assert!((found.solution().gain() - 2.0).abs() < 1e-9);
    // Nothing ever happens: no rates at all.
    let still = CtMdp::new([vec![RateAction {
        cost: 3.0,
        rates: Vec::new(),
    }]])
    .expect("a process");
    assert_eq!(still.average(&solver).expect("one gain").gain(), &3.0);
    let values = still.discounted(&solver, &0.5).expect("values");
    assert!((values.values()[0] - 6.0).abs() <= *values.radius());
    assert!(matches!(
        still.discounted(&solver, &1e-20),
        Err(Error::Parameter { name: "interest", .. })
    ));
}

/// Bounds that are no numbers were given out as proven.
#[test]
fn bounds_next_to_the_largest_float_hold() {
    let far = |cost: f64, moves: &[(usize, f64)]| Action {
        cost,
        moves: moves.to_vec(),
    };
    let mdp = Mdp::new([
        vec![
            far(1.517071191535613e308, &[(1, 1.0)]),
            far(3.614236684358109e307, &[(0, 1.0)]),
            far(-1.529947938855088e308, &[(1, 1.0)]),
        ],
        vec![
            far(8.762056087808121e307, &[(1, 0.7578125), (1, 0.2421875)]),
            far(-2.8638246682924834e307, &[(0, 0.9375), (0, 0.0625)]),
        ],
    ])
    .expect("a process");
    let exact = |cost: f64| Rational::from_f64(cost).expect("a finite number");
    let action = |state, action| Action {
        cost: exact(*mdp.cost(state, action)),
        moves: mdp
            .moves(state, action)
            .map(|(to, &chance)| (to, exact(chance)))
            .collect(),
    };
    let actions = |state| (0..mdp.actions(state)).map(|at| action(state, at)).collect();
    let fractions = Mdp::new((0..2).map(actions)).expect("a process");
    let gain = PolicyIteration::new()
        .average(&fractions)
        .expect("one gain")
        .gain()
        .clone();
    for iterations in [2, 300] {
        let found = RelativeValueIteration::new()
            .iterations(iterations)
            .tolerance(1e297)
            .threads(1)
            .solve(&mdp);
        let (lower, upper) = match (found, iterations) {
            (Err(Error::NotConverged { bounds, .. }), 2) => bounds.expect("proven"),
            (Ok(found), _) => (*found.bounds().lower(), *found.bounds().upper()),
            other => panic!("{other:?}"),
        };
        assert!(exact(lower) <= gain && gain <= exact(upper));
    }
}

/// Costs that are too small for all their digits lose more than a share of themselves.
#[test]
fn proofs_allow_for_underflow() {
    for bits in [1_u64, 2, 3, 7, 13, 100] {
        let cost = f64::from_bits(bits);
        let mdp = Mdp::new([vec![to(0, cost)]]).expect("a process");
        // What costs add up to, in steps of the least float.
        for (discount, factor) in [(0.9, 10.0), (0.5, 2.0), (0.75, 4.0)] {
            let found = PolicyIteration::new().discounted(&mdp, &discount).expect("a policy");
            let exact = bits as f64 * factor;
            let steps = |value: f64| value.to_bits() as f64;
            assert!(
                (steps(found.values()[0]) - exact).abs() <= steps(*found.radius()),
                "{cost} {discount}"
            );
        }
        let two = Mdp::new([vec![to(1, cost)], vec![to(0, 0.0)]]).expect("a process");
        let average = PolicyIteration::new().average(&two).expect("one gain");
        let proven = average.verify(&two).expect("a policy of this process");
        let half = bits as f64 / 2.0;
        let steps = |value: f64| (value.abs().to_bits() as f64).copysign(value);
        assert!(
            steps(*proven.lower()) <= half && half <= steps(*proven.upper()),
            "{cost} {proven:?}"
        );
    }
}

/// Products of so small numbers lose whole digits, which are no part of what they are.
#[test]
fn the_radius_holds_where_floats_have_few_digits() {
    let r = |value: f64| Rational::from_float(value).expect("a number");
    let tiny = f64::from_bits(1);
    let mut count = 0;
    for (costs, discount) in (1_u32..40).flat_map(|costs| [0.3, 0.7, 0.9, 0.999_999].map(|discount| (costs, discount)))
    {
        let costs = [f64::from(costs) * tiny, f64::from(costs * 7 % 11) * -tiny];
        let mdp = Mdp::new(costs.map(|cost| {
            vec![Action {
                cost,
                moves: vec![(0, 0.3), (1, 0.7)],
            }]
        }));
        let mdp = mdp.expect("a process");
        let exact = Mdp::new(costs.map(|cost| {
            let stays = Rational::ratio(1, 1) - r(0.7);
            vec![Action {
                cost: r(cost),
                moves: vec![(0, stays), (1, r(0.7))],
            }]
        }));
        let known = PolicyIteration::new()
            .discounted(&exact.expect("a process"), &r(discount))
            .expect("values");
        let solver = ValueIteration::new();
        let small = solver.clone().tolerance(tiny);
        let few = small.clone().iterations(3).solve(&mdp, discount);
        let stopped = small.budget(Budget::new().work(100)).solve(&mdp, discount);
        let found = [
            solver
                .solve(&mdp, discount)
                .map(|found| (found.values().to_vec(), *found.radius())),
            few.map(|found| (found.values().to_vec(), *found.radius())),
            stopped.map(|found| (found.values().to_vec(), *found.radius())),
        ];
        for found in found {
            let (best, radius) = match found {
                Ok(found) => found,
                Err(Error::NotConverged { best, radius, .. }) => (best, radius.expect("proven")),
                Err(Error::Stopped(stopped)) => (stopped.best, stopped.radius.expect("proven")),
                Err(error) => panic!("{error}"),
            };
            for (value, known) in best.iter().zip(known.values()) {
                let off = (r(*value) - known).to_float().abs();
                assert!(
                    off <= radius,
                    "{costs:?} {discount}: {value:e} is off by {off:e}, not {radius:e}"
                );
            }
            count += 1;
        }
    }
    assert!(count > 300);
}

/// Bounds are as far apart as two floats can be, and the gain lies between them.
#[test]
fn a_gain_lies_between_any_bounds() {
    let apart = Mdp::new([vec![to(1, 1.7e308)], vec![to(0, -1.7e308)]]).expect("a process");
    let solver = RelativeValueIteration::new().tolerance(f64::INFINITY);
    let found = solver.solve(&apart).expect("anything will do");
    let bounds = found.bounds();
    assert!((*bounds.lower()..=*bounds.upper()).contains(found.solution().gain()));
}

/// What is beyond all floats is not given as an iterate of which something is proven.
#[test]
fn no_radius_is_infinite() {
    let process = Mdp::new([
        vec![to(0, -1.0), to(1, -1.6e308)],
        vec![to(0, -1.5e308), to(1, 1.5e308)],
        vec![to(2, 1.5e308)],
    ]);
    let process = process.expect("a process");
    for limit in 0..120 {
        let budget = || Budget::new().work(limit);
        let once = (limit as usize).clamp(1, 20);
        for evaluations in [0, 1, 20] {
            let sweeps = ValueIteration::new().tolerance(1e-9).evaluations(evaluations);
            for found in [
                sweeps.clone().budget(budget()).solve(&process, 0.9),
                sweeps.iterations(once).solve(&process, 0.9),
            ] {
                only_numbers(found);
            }
        }
        let sweeps = RelativeValueIteration::new().budget(budget());
        only_numbers(sweeps.solve(&process));
        only_numbers(PolicyIteration::new().budget(budget()).discounted(&process, &0.5));
        only_numbers(PolicyIteration::new().budget(budget()).average(&process));
    }
}

#[track_caller]
fn only_numbers<S>(found: Result<S, Error>) {
    let (best, bounds, radius) = match found {
        Err(Error::Stopped(stopped)) => (stopped.best, stopped.bounds, stopped.radius),
        Err(Error::NotConverged {
            best, bounds, radius, ..
        }) => (best, bounds, radius),
        _ => return,
    };
    let bounds = bounds.into_iter().flat_map(|(lower, upper)| [lower, upper]);
    let numbers = best.iter().copied().chain(bounds).chain(radius);
    assert!(numbers.clone().all(f64::is_finite), "{:?}", numbers.collect::<Vec<_>>());
}

/// Where differences are beyond all floats nothing can be proven, which is no reason to give up.
#[test]
fn a_budget_changes_nothing_where_nothing_can_be_proven() {
    let apart = Mdp::new([
        vec![to(0, 0.0)],
        vec![to(0, 8e307)],
        vec![to(0, -8e307), to(1, 1.7e308)],
    ]);
    let apart = apart.expect("a process");
    let free = PolicyIteration::new();
    let limited = free.clone().budget(Budget::new().work(1 << 40));
    assert_eq!(free.average(&apart).expect("one gain").policy(), [0, 0, 0]);
    assert_eq!(free.average(&apart), limited.average(&apart));
    assert_eq!(free.discounted(&apart, &0.9), limited.discounted(&apart, &0.9));
    assert_eq!(free.multichain(&apart), limited.multichain(&apart));
}

/// Fractions are looked for in floats first, of which nothing that is proven is told: these may be other numbers.
#[test]
fn bounds_of_rounded_numbers_are_not_told() {
    let tiny = (0..400).fold(Rational::ratio(1, 1), |product, _| product / Rational::ratio(10, 1));
    let process = Mdp::new([vec![Action {
        cost: tiny,
        moves: vec![(0, Rational::ratio(1, 1))],
    }]]);
    let process = process.expect("a process");
    let told = Mutex::new(Vec::new());
    let observer = |progress: &Progress| told.lock().expect("one thread").extend(progress.bounds);
    let solver = PolicyIteration::new().observer(&observer);
    let found = solver.average(&process).expect("one gain");
    let told = told.lock().expect("one thread");
    assert!(!told.is_empty());
    let exact = |float: f64| Rational::from_float(float).expect("a number");
    for &(lower, upper) in told.iter() {
        assert!(
            exact(lower) <= *found.gain() && *found.gain() <= exact(upper),
            "{lower:e} {upper:e}"
        );
    }
}
