//! Bounds against the definition in fractions: of values that belong to nothing, too.

use num_traits::{FromPrimitive, Signed};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Optimality;
use crate::budget::Meter;
use crate::error::Error;
use crate::mdp::{Action, Flaw, Mdp, PolicyIteration};
use crate::scalar::{Rational, Scalar};

fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

fn prove(mdp: &Mdp<f64>, h: &[f64], policy: &[usize]) -> Result<Optimality<f64>, Error> {
    Optimality::prove(mdp, h, policy, &Meter::unlimited())
}

/// `cost + sum of p(j) (h(j) - h(i))` of floats as they stand: the least of all actions, and the largest of a policy, with
/// how much is added up at most.
fn literal(mdp: &Mdp<f64>, h: &[f64], policy: &[usize]) -> [Rational; 3] {
    let (mut lower, mut upper, mut size) = (None, None, Rational::ratio(0, 1));
    for (state, &taken) in policy.iter().enumerate() {
        for action in 0..mdp.actions(state) {
            let cost = fraction(*mdp.cost(state, action));
            let (mut sum, mut all) = (cost.clone(), cost.abs());
            for (to, &chance) in mdp.moves(state, action) {
                let part = (fraction(h[to]) - fraction(h[state])) * fraction(chance);
                all += part.abs();
                sum += part;
            }
            size = size.max(all);
            if action == taken {
                upper = upper.max(Some(sum.clone()));
            }
            lower = match lower {
                Some(lower) if lower < sum => Some(lower),
                _ => Some(sum),
            };
        }
    }
    [lower.expect("a state"), upper.expect("a state"), size]
}

/// That bounds hold, and are not wider than they would be without roundings by more than a part of what is added up, and some of
/// the least floats.
fn check(mdp: &Mdp<f64>, h: &[f64], policy: &[usize], part: f64) {
    let bounds = prove(mdp, h, policy).expect("finite");
    let [lower, upper, size] = literal(mdp, h, policy);
    let below = &lower - fraction(*bounds.lower());
    let above = fraction(*bounds.upper()) - &upper;
    let zero = Rational::ratio(0, 1);
    assert!(below >= zero && above >= zero, "{bounds:?} around {lower} {upper}");
    let least = fraction(f64::from_bits(10 * (mdp.len() as u64 + 4)));
    assert!(below + above <= size * fraction(part) + least, "{bounds:?}");
}

#[test]
fn bounds_of_floats_hold_in_fractions() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..600 {
        let len = rng.random_range(1..6);
        let powers = [1, 8, 100][round % 3];
        let number = |rng: &mut ChaCha8Rng| {
            let sign = f64::from(rng.random_range(-1..=1));
            sign * rng.random_range(0.1..1.0) * 10_f64.powi(rng.random_range(-powers..=powers))
        };
        let action = |rng: &mut ChaCha8Rng| {
            let weights: Vec<f64> = (0..len).map(|_| rng.random_range(0.01..1.0)).collect();
            let sum: f64 = weights.iter().sum();
            let moves = weights.into_iter().map(|weight| weight / sum).enumerate();
            let moves = moves.filter(|_| rng.random_bool(0.7) || len == 1).collect::<Vec<_>>();
            let left = 1.0 - moves.iter().map(|&(_, chance)| chance).sum::<f64>();
            let at = rng.random_range(0..len);
            let moves = moves.into_iter().chain((left > 0.0).then_some((at, left))).collect();
            Action {
                cost: number(rng),
                moves,
            }
        };
        let states = (0..len).map(|_| (0..rng.random_range(1..4)).map(|_| action(&mut rng)).collect());
        let states: Vec<Vec<Action>> = states.collect();
        let policy: Vec<usize> = states
            .iter()
            .map(|actions| rng.random_range(0..actions.len()))
            .collect();
        let mdp = Mdp::new(states).expect("a process");
        let h: Vec<f64> = (0..len).map(|_| number(&mut rng)).collect();
        check(&mdp, &h, &policy, 1e-14);
    }
}

/// Where numbers are so small that products lose whole digits, roundings are no part of what they are.
#[test]
fn bounds_of_the_least_floats_hold_in_fractions() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for round in 0..400 {
        let mut least = |most: u64| {
            let size = f64::from_bits(rng.random_range(0..most));
            if rng.random_bool(0.5) { -size } else { size }
        };
        let costs = [0, 3, 1 << 50][round % 3];
        let cost = least(costs + 1);
        let h = [least(4), least(4), least(200)];
        let chance = rng.random_range(0.05..0.5);
        let moves = vec![(1, chance), (2, chance / 3.0), (0, 1.0 - chance - chance / 3.0)];
        let stay = |state| {
            vec![Action {
                cost,
                moves: vec![(state, 1.0)],
            }]
        };
        let mdp = Mdp::new([vec![Action { cost, moves }], stay(1), stay(2)]).expect("a process");
        check(&mdp, &h, &[0, 0, 0], 1e-14);
    }
    // Nothing at all is known without any error.
    let free = |to| {
        vec![Action {
            cost: 0.0,
            moves: vec![(to, 1.0)],
        }]
    };
    let nothing = Mdp::new([free(1), free(0)]).expect("a process");
    let bounds = prove(&nothing, &[7.0, 7.0], &[0, 0]).expect("finite");
    assert_eq!((bounds.lower, bounds.upper), (0.0, 0.0));
}

/// Each of many terms is lost in the sum before it, and all in the same direction.
#[test]
fn roundings_of_many_terms_add_up() {
    for others in [1, 10, 100, 1000] {
        for sign in [1.0, -1.0] {
            let least = 2f64.powi(-54);
            let mut moves = vec![(1, 0.5)];
            moves.extend((0..others).map(|other| (2 + other, least)));
            moves.push((0, 0.5 - others as f64 * least));
            let stay = |state| {
                vec![Action {
                    cost: 0.0,
                    moves: vec![(state, 1.0)],
                }]
            };
            let first = vec![Action { cost: 0.0, moves }];
            let states = [first].into_iter().chain((1..others + 2).map(stay));
            let mdp = Mdp::new(states.collect::<Vec<_>>()).expect("a process");
            let h: Vec<f64> = (0..others + 2)
                .map(|state| sign * f64::from([0_u8, 2, 1][state.min(2)]))
                .collect();
            check(&mdp, &h, &vec![0; others + 2], 1e-11);
        }
    }
}

/// A number that the largest float is a bound of has another bound that is no float.
#[test]
fn one_bound_beyond_all_floats_is_an_error() {
    for cost in [f64::MAX, -f64::MAX] {
        let mdp = Mdp::new([vec![Action {
            cost,
            moves: vec![(0, 1.0)],
        }]])
        .expect("a process");
        assert_eq!(prove(&mdp, &[0.0], &[0]), Err(Flaw::Total.at(0, 0)));
    }
}

#[test]
fn floats_of_exact_bounds_are_rounded_outwards() {
    let r = Rational::ratio;
    let large = Rational::from_integer(num_bigint::BigInt::from(10).pow(400));
    let fractions = [
        (0, 1),
        (1, 3),
        (-1, 3),
        (1, 10),
        (-1, 10),
        (7, 2),
        (1 << 62, 3),
        (i64::MAX, 1),
        (1, i64::MAX),
    ];
    let fractions = fractions.map(|(numerator, denominator)| r(numerator, denominator));
    for exact in fractions
        .into_iter()
        .chain([large.clone(), -large.clone(), r(1, 1) / &large, r(-1, 1) / large])
    {
        let both = Optimality {
            lower: exact.clone(),
            upper: exact.clone(),
        };
        let (lower, upper) = both.floats();
        let is_below = lower == f64::NEG_INFINITY || fraction(lower) <= exact;
        let is_above = upper == f64::INFINITY || exact <= fraction(upper);
        assert!(is_below && is_above, "{lower} {exact} {upper}");
        // Two floats at most between them.
        assert!(lower.next_up().next_up() >= upper.next_down(), "{lower} {upper}");
    }
    let floats = Optimality { lower: 0.1, upper: 0.7 };
    assert_eq!(floats.floats(), (0.1, 0.7));
}

/// What an error says at the limit of iterations holds of the process, in both kinds of numbers.
#[test]
fn bounds_at_the_limit_hold() {
    // A third and two thirds a step; the first policy takes what costs least at once.
    let action = |cost: (i64, i64), to| Action {
        cost: Rational::ratio(cost.0, cost.1),
        moves: vec![(to, Rational::ratio(1, 1))],
    };
    let states = [
        vec![action((0, 1), 1), action((1, 3), 0)],
        vec![action((2, 1), 0), action((3, 1), 1)],
    ];
    let mdp = Mdp::new(states).expect("a process");
    let limit = PolicyIteration::new().iterations(1);
    let bounds = |error: Error| match error {
        Error::NotConverged {
            bounds: Some((lower, upper)),
            ..
        } => (fraction(lower), fraction(upper)),
        other => panic!("{other}"),
    };
    let found = bounds(limit.average(&mdp).expect_err("a better policy"));
    let known = [limit.average(&mdp.to_floats()).expect_err("a better policy")].map(bounds);
    for (lower, upper) in known.into_iter().chain([found]) {
        // The first policy costs one a step.
        assert!(
            lower <= Rational::ratio(1, 3) && upper >= Rational::ratio(1, 1),
            "{lower} {upper}"
        );
        assert!(
            lower > Rational::ratio(-10, 1) && upper < Rational::ratio(10, 1),
            "{lower} {upper}"
        );
    }
}
