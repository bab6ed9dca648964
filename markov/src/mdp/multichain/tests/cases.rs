//! Single processes, each with what was wrong, or may be.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::processes::{Kind, fraction, process, to};
use super::{check_covered, of_policy, solve, solve_exactly};
use crate::error::Error;
use crate::mdp::multichain::{Ahead, Ties, best};
use crate::mdp::{Action, Mdp, PolicyIteration};

fn action(cost: f64, moves: &[(usize, f64)]) -> Action {
    let moves = moves.to_vec();
    Action { cost, moves }
}

/// From one action to the next that might be equal, gains rose by more than roundings; the first one was better for
/// certain then, and they rose again, without end.
#[test]
fn gains_do_not_rise_from_tie_to_tie() {
    let step = 2_f64.powi(-45) * 1.5;
    let trap = |state: usize| vec![to(state, 1.0 + step * state as f64)];
    let ways = (0..3).map(|state| to(state, 9.0 - state as f64)).collect();
    let mdp = Mdp::new([trap(0), trap(1), trap(2), ways]).expect("a process");
    let found = solve(&mdp);
    assert_eq!(found.gains()[3], 1.0);
    check_covered(&mdp, &found, &solve_exactly(&mdp));
    // The last one was accepted.
    let refuted = of_policy(&mdp, &[0, 0, 0, 2]).verify(&mdp);
    assert_eq!(refuted, Err(Error::NotLeast { state: 3, action: 0 }));
}

/// Of traps that cost the same but for roundings, the one on the way to which less is spent; a check cannot refuse the other
/// one, but the error says what it may cost.
#[test]
fn ties_go_by_values() {
    let unit = 2_f64.powi(-30);
    let tiny = 2_f64.powi(-46);
    let ways = vec![to(0, 9.0 * unit), to(1, 8.0 * unit)];
    let mdp = Mdp::new([vec![to(0, unit)], vec![to(1, unit * (1.0 + tiny))], ways]).expect("a process");
    let found = PolicyIteration::new()
        .start(vec![0; 3])
        .multichain(&mdp)
        .expect("gains");
    assert_eq!((found.policy(), found.verify(&mdp)), (&[0, 0, 1][..], Ok(())));
    assert!(found.error().value < 1e-9 * unit);
    let other = of_policy(&mdp, &[0; 3]);
    assert_eq!(other.verify(&mdp), Ok(()));
    let range = (0.0..1e-9 * unit).contains(&other.error().value);
    assert!(range, "nothing costs less than the first trap: {:?}", other.error());
}

/// An action costs less on the way, and leads to gains that are larger by less than roundings; another one leads from
/// there to surely smaller ones. Both were taken in turns, up to the limit.
#[test]
fn policies_do_not_come_back() {
    let rare = 2_f64.powi(-49);
    let weak = 2_f64.powi(-39);
    let mdp = Mdp::new([
        vec![to(0, 1.0)],
        vec![to(1, 2.0)],
        vec![to(3, 0.0), action(2.0, &[(0, 1.0 - weak), (1, weak)]), to(2, 1.0)],
        vec![to(0, 0.0), action(0.0, &[(1, rare), (2, 1.0 - rare)])],
    ])
    .expect("a process");
    let found = solve(&mdp);
    assert!(found.iterations() < 20, "{}", found.iterations());
    assert_eq!(found.verify(&mdp), Ok(()));
    let exact = solve_exactly(&mdp);
    check_covered(&mdp, &found, &exact);
    // The best policy was refused.
    assert_eq!(of_policy(&mdp, exact.policy()).verify(&mdp), Ok(()));
}

/// State 4 leads to where a cheap trap is met so rarely that roundings hide it; from there it can only come back. The
/// error was 1e-13.
#[test]
fn a_rare_way_that_is_taken_may_save_all() {
    let rare = 2_f64.powi(-48);
    let mdp = Mdp::new([
        vec![to(0, 1.0)],
        vec![to(1, 0.0)],
        vec![action(0.0, &[(1, rare), (4, 1.0 - rare)])],
        vec![to(2, 0.0)],
        vec![to(4, 1.0), to(0, 2.0), to(2, 2.0)],
    ])
    .expect("a process");
    let found = solve(&mdp);
    assert_eq!((found.gains()[4], found.verify(&mdp)), (1.0, Ok(())));
    let exact = solve_exactly(&mdp);
    assert_eq!(exact.gains()[4], fraction(0.0));
    check_covered(&mdp, &found, &exact);
}

/// An action saves one and leads to a gain that is larger by 1e-12; falls that roundings hide lead back, some hundred
/// steps later. So 0.4 percent can be saved, and the error was 1e-12.
#[test]
fn falls_that_roundings_hide_may_pay_for_what_saves() {
    let dear = 1.0 + 2_f64.powi(-40);
    let weak = 2_f64.powi(-7);
    let mdp = Mdp::new([
        vec![to(0, 1.0)],
        vec![to(1, dear)],
        vec![to(2, dear)],
        vec![to(0, 1.0), to(4, 0.0)],
        vec![to(1, dear), action(dear, &[(3, weak), (5, 1.0 - weak)])],
        vec![to(2, dear), to(4, dear)],
    ])
    .expect("a process");
    let found = PolicyIteration::new()
        .start(vec![0; 6])
        .multichain(&mdp)
        .expect("gains");
    assert_eq!((found.gains()[3], found.verify(&mdp)), (1.0, Ok(())));
    let exact = solve_exactly(&mdp);
    assert!(exact.gains()[3] < fraction(0.997));
    check_covered(&mdp, &found, &exact);
    assert!(found.error().value < 0.1, "{:?}", found.error());
}

/// Two pairs of states that hardly ever lead to each other are one class, and cost the same in the long run: a solution
/// that said of itself that they are several was believed.
#[test]
fn what_is_one_class_is_found_in_the_process() {
    let rare = 2_f64.powi(-50);
    let pair = |state: usize, other: usize, next: usize, cost| {
        [
            vec![action(cost, &[(other, 1.0 - rare), (next, rare)])],
            vec![to(state, cost)],
        ]
    };
    let [a, b] = pair(0, 1, 2, 1.0);
    let [c, d] = pair(2, 3, 0, 2.0);
    let mdp = Mdp::new([a, b, c, d]).expect("a process");
    let right = solve(&mdp);
    assert_eq!((right.gains(), right.verify(&mdp)), (&[1.5; 4][..], Ok(())));
    let mut forged = right.clone();
    forged.found.gains = vec![1.0, 1.0, 2.0, 2.0];
    forged.found.bias = vec![0.0; 4];
    forged.found.gain_of = (0..4).collect();
    let (what, state) = ("gain", 0);
    assert_eq!(forged.verify(&mdp), Err(Error::NotOfPolicy { what, state }));
}

/// Both equations hold but for roundings, and so they do with other gains where a trap is hardly ever met.
#[test]
fn gains_that_roundings_hide_are_evaluated_anew() {
    let rare = 2_f64.powi(-50);
    let way = action(1.5, &[(0, rare / 2.0), (1, rare / 2.0), (3, 1.0 - rare)]);
    let mdp = Mdp::new([vec![to(0, 1.0)], vec![to(1, 2.0)], vec![way], vec![to(2, 1.5)]]).expect("a process");
    let right = solve(&mdp);
    assert_eq!((right.gains(), right.verify(&mdp)), (&[1.0, 2.0, 1.5, 1.5][..], Ok(())));
    let mut forged = right.clone();
    (forged.found.gains[2], forged.found.gains[3]) = (1.25, 1.25);
    forged.found.gain_of = (0..4).collect();
    let (what, state) = ("gain", 2);
    assert_eq!(forged.verify(&mdp), Err(Error::NotOfPolicy { what, state }));
    // The same of values.
    let mut forged = right.clone();
    (forged.found.bias[2], forged.found.bias[3]) = (right.bias()[2] + 1e5, right.bias()[3] + 1e5);
    let what = "value";
    assert_eq!(forged.verify(&mdp), Err(Error::NotOfPolicy { what, state }));
}

#[test]
fn sizes_and_errors_are_not_believed() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mdp = process(Kind::CostsOfAllSizes, &mut rng);
    let right = solve(&mdp);
    assert_eq!(right.verify(&mdp), Ok(()));
    let mut large = right.clone();
    large.found.gain_sizes.iter_mut().for_each(|size| *size = 1e300);
    large.found.bias_sizes.iter_mut().for_each(|size| *size = 1e300);
    assert_eq!(large.verify(&mdp), Ok(()));
    large.found.gains.iter_mut().for_each(|gain| *gain += 1.0);
    assert!(matches!(large.verify(&mdp), Err(Error::NotOfPolicy { .. })));
    // A digit that was lost is no forgery.
    let mut small = right.clone();
    small.error *= 1.0 - 1e-12;
    assert_eq!(small.verify(&mdp), Ok(()));
    small.error *= 0.99;
    let refused = small.verify(&mdp);
    assert!(
        matches!(refused, Err(Error::Parameter { name: "error", .. })),
        "{refused:?}"
    );
}

/// Sums of thousands of roundings are within the few that are allowed for.
#[test]
fn long_ways_are_verified() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for len in [30, 300, 1500] {
        let last = len - 1;
        let states = (0..len).map(|state| {
            if state == 0 || state == last {
                return vec![to(state, rng.random_range(0.0..1.0))];
            }
            let mut way = || {
                let up = rng.random_range(0.1..0.9);
                let far = rng.random_range(0..len);
                let moves = [(state + 1, up * 0.99), (state - 1, (1.0 - up) * 0.99), (far, 0.01)];
                action(rng.random_range(-5.0..5.0), &moves[..if len < 1000 { 3 } else { 2 }])
            };
            let mut ways = vec![way(), way()];
            for way in &mut ways {
                let left = 1.0 - way.moves.iter().map(|&(_, chance)| chance).sum::<f64>();
                way.moves.push((state, left.max(0.0)));
            }
            ways
        });
        let mdp = Mdp::new(states.collect::<Vec<_>>()).expect("a process");
        let found = solve(&mdp);
        assert_eq!(found.verify(&mdp), Ok(()), "{len}");
        let start = (0..len).map(|state| mdp.actions(state) - 1).collect();
        let other = PolicyIteration::new().start(start).multichain(&mdp).expect("gains");
        for (gain, other) in found.gains().iter().zip(other.gains()) {
            assert!(
                (gain - other).abs() <= found.error().value.min(1e-9),
                "{len} {gain} {other}"
            );
        }
    }
}

/// Roundings count as often as a move is made.
#[test]
fn rare_moves_hide_nothing() {
    let rare = 2_f64.powi(-60);
    let out = action(1.0, &[(0, 1.0), (1, rare)]);
    let mdp = Mdp::new([vec![to(0, 1.0), out], vec![to(1, 0.0)]]).expect("a process");
    let found = solve(&mdp);
    assert_eq!((found.gains(), found.policy()), (&[0.0; 2][..], &[1, 0][..]));

    // Values differ by 1e15, and actions by one.
    let rare = 2_f64.powi(-50);
    let stay = |state: usize, cost| action(cost, &[(state, 1.0 - rare), (1 - state, rare)]);
    let mdp = Mdp::new([vec![stay(0, 3.0), stay(0, 2.0)], vec![stay(1, 7.0), stay(1, 8.0)]]).expect("a process");
    let found = PolicyIteration::new()
        .start(vec![0, 1])
        .multichain(&mdp)
        .expect("gains");
    assert_eq!((found.policy(), found.verify(&mdp)), (&[1, 0][..], Ok(())));
    assert_eq!(found.gains(), [4.5; 2]);
}

/// What a state costs by itself is rounded even if hardly anything comes from elsewhere, and costs are small.
#[test]
fn small_costs_are_verified() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let rare = 2_f64.powi(-20);
    for _ in 0..100 {
        let mut cost = || rng.random_range(0.0..1e-9);
        let first = action(cost(), &[(0, 1.0 - rare), (1, rare)]);
        let mdp = Mdp::new([vec![first], vec![to(0, cost())]]).expect("a process");
        assert_eq!(solve(&mdp).verify(&mdp), Ok(()), "{mdp:?}");
    }
}

/// Sizes of what is added up, in roundings, by hand.
#[test]
fn roundings_count_by_the_sizes_of_sums() {
    let rounding = 2_f64.powi(-46);
    // A cost and a gain of one, and a gain of each of two states.
    let traps = Mdp::new([vec![to(0, 1.0)], vec![to(1, 0.0)]]).expect("a process");
    assert_eq!(solve(&traps).error().value, (2.0 + 2.0) * rounding);
    // Values 0, 99, 148 and -148 of sizes 0, 101, 152 and 148. The last action costs as much as the one taken.
    let ways = vec![to(0, -147.0), to(2, -295.0)];
    let mdp = Mdp::new([vec![to(0, 1.0)], vec![to(0, 100.0)], vec![to(1, 50.0)], ways]).expect("a process");
    let found = of_policy(&mdp, &[0; 4]);
    assert_eq!(
        (found.bias(), found.verify(&mdp)),
        (&[0.0, 99.0, 148.0, -148.0][..], Ok(()))
    );
    assert_eq!(found.error().value, (152.0 + 148.0 + 295.0 + 1.0 + 4.0) * rounding);
}

/// Falls that roundings hide, by hand: of an action that leads to a smaller and a larger gain, and where gains that are
/// equal but for roundings can be exchanged, too.
#[test]
fn falls_count_by_what_roundings_hide() {
    let rounding = 2_f64.powi(-46);
    let trap = |state: usize, cost| vec![to(state, cost)];
    let error = |unit: f64, more: Vec<Vec<Action>>| {
        let either = action(2.0, &[(0, 0.5), (1, 0.5)]);
        let level = vec![to(2, 2.0), to(2, 5.0)];
        let mut states = vec![trap(0, 1.0), trap(1, 3.0), level, vec![to(2, 2.0), either]];
        states.extend(more);
        states.iter_mut().flatten().for_each(|action| action.cost *= unit);
        let mdp = Mdp::new(states).expect("a process");
        let found = solve(&mdp);
        assert_eq!((found.gains()[3], found.verify(&mdp)), (2.0 * unit, Ok(())));
        found.error().value / (rounding * unit)
    };
    // The fall is 4 in a change of 1, the way down is 1; 8 of values; and gains of four states.
    assert_eq!(error(1.0, Vec::new()), 2.0 * 4.0 + 8.0 + 4.0 * 3.0);
    for (unit, cost) in [(1.0, 2.0), (1e-9, 2.0 + 2_f64.powi(-49)), (1.0, 2.0 - 2_f64.powi(-49))] {
        let twice = error(unit, vec![trap(4, cost), vec![to(2, 2.0), to(4, cost)]]);
        // Nearly: the last gain may be a smaller one by as little as that.
        assert!((twice - (2.0 * 8.0 + 8.0 + 6.0 * 3.0)).abs() < 0.1, "{twice}");
    }
    // A rare way that the policy takes, and nothing that comes back to it.
    let rare = 2_f64.powi(-48);
    let way = vec![action(1.0, &[(0, 1.0 - rare), (1, rare)])];
    let mdp = Mdp::new([trap(0, 1.0), trap(1, 0.0), way]).expect("a process");
    assert!(solve(&mdp).error().value < 1e-12);
}

fn ahead(gain: f64, gain_error: f64, value: f64, value_error: f64) -> Ahead<f64> {
    Ahead {
        gain,
        gain_error,
        value,
        value_error,
    }
}

#[test]
fn the_best_action_is_as_good_as_floats_tell() {
    let taken = || ahead(0.0, 0.0, 4.0, 0.5);
    let of = |others: Vec<Ahead<f64>>, ties| {
        let mut actions = vec![taken()];
        actions.extend(others);
        best(&actions, 0, ties)
    };
    let both = |others: fn() -> Vec<Ahead<f64>>| [of(others(), Ties::Equal), of(others(), Ties::Rises)];
    // Larger gains are never better, smaller ones always are.
    assert_eq!(both(|| vec![ahead(1.0, 0.5, 0.0, 0.0)]), [0, 0]);
    assert_eq!(both(|| vec![ahead(-1.0, 0.5, 9.0, 0.0)]), [1, 1]);
    // What may be smaller is no smaller one; equal gains go by values, with what both are off by.
    assert_eq!(both(|| vec![ahead(-1.0, 1.0, 9.0, 0.0)]), [0, 0]);
    assert_eq!(both(|| vec![ahead(-1.0, 1.0, 3.25, 0.0)]), [1, 1]);
    assert_eq!(both(|| vec![ahead(0.0, 0.0, 3.5, 0.0)]), [0, 0]);
    assert_eq!(both(|| vec![ahead(0.0, 0.0, 3.25, 0.25)]), [0, 0]);
    assert_eq!(both(|| vec![ahead(0.0, 0.0, 3.0, 0.25)]), [1, 1]);
    // Gains that may be larger or smaller are equal, or larger.
    assert_eq!(both(|| vec![ahead(0.5, 0.5, 0.0, 0.0)]), [1, 0]);
    assert_eq!(both(|| vec![ahead(-0.5, 0.75, 0.0, 0.0)]), [1, 0]);
    // Of several, the one that costs least; of equal ones the first.
    let several = || {
        vec![
            ahead(0.0, 0.0, 2.0, 0.0),
            ahead(0.0, 0.0, 1.0, 0.0),
            ahead(0.0, 0.0, 1.0, 0.0),
        ]
    };
    assert_eq!(both(several), [2, 2]);
    // Of those with smaller gains, too; what may be equal to the least of them is compared with it alone.
    let smaller = || {
        vec![
            ahead(-2.0, 0.0, 5.0, 0.0),
            ahead(-3.0, 0.0, 5.0, 0.0),
            ahead(-3.0, 0.0, 5.0, 0.0),
        ]
    };
    assert_eq!(both(smaller), [2, 2]);
    let steps = || {
        vec![
            ahead(-3.0, 0.5, 7.0, 0.0),
            ahead(-2.0, 0.5, 6.0, 0.0),
            ahead(-1.0, 0.5, 5.0, 0.0),
        ]
    };
    assert_eq!(both(steps), [2, 1]);
    // The action taken stays where it is one of several.
    let actions = [ahead(0.0, 0.0, 4.0, 0.0), taken(), ahead(0.0, 0.0, 4.0, 0.0)];
    assert_eq!(best(&actions, 1, Ties::Equal), 1);
}
