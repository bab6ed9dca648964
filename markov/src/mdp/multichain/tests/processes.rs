//! Random processes that are hard for floats, and the same ones in fractions.

use num_traits::FromPrimitive;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::mdp::{Action, Mdp};
use crate::scalar::{Rational, Scalar};

/// What makes a process hard for floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// Few different numbers, so that many actions are equally good.
    Ties,
    /// Costs that differ by little more, or less, than roundings.
    NearlyEqual,
    /// Costs between 1e-12 and 1e12.
    CostsOfAllSizes,
    /// Moves that are hardly ever made.
    Rare,
    /// Traps of nearly equal costs, and ways between them, some of them rare.
    Traps,
    /// Two traps, and ways of which roundings hide where they lead.
    Hidden,
    /// Each action is of one of the others.
    Anything,
}

pub(super) const KINDS: [Kind; 7] = [
    Kind::Ties,
    Kind::NearlyEqual,
    Kind::CostsOfAllSizes,
    Kind::Rare,
    Kind::Traps,
    Kind::Hidden,
    Kind::Anything,
];

pub(super) fn process(kind: Kind, rng: &mut ChaCha8Rng) -> Mdp<f64> {
    let n = rng.random_range(2..=5);
    let traps = match kind {
        Kind::Traps => rng.random_range(2..=n),
        Kind::Hidden => 2,
        _ => 0,
    };
    let states = (0..n).map(|state| {
        if state < traps {
            let cost = match kind {
                Kind::Hidden if state == 0 || rng.random() => f64::from(rng.random_range(0..3)),
                _ => 1.0 + cost(Kind::NearlyEqual, rng),
            };
            return vec![to(state, cost)];
        }
        let count = rng.random_range(1..=3);
        (0..count).map(|_| action(kind, n, rng)).collect()
    });
    Mdp::new(states.collect::<Vec<_>>()).expect("a process")
}

pub(super) fn to(state: usize, cost: f64) -> Action {
    let moves = vec![(state, 1.0)];
    Action { cost, moves }
}

fn cost(kind: Kind, rng: &mut ChaCha8Rng) -> f64 {
    match kind {
        Kind::NearlyEqual => f64::from(rng.random_range(0..4)) * 2_f64.powi(-rng.random_range(0..52)),
        Kind::CostsOfAllSizes => {
            let size = 10_f64.powf(rng.random_range(-12.0..12.0));
            if rng.random() { size } else { -size }
        }
        Kind::Hidden => f64::from(rng.random_range(0..3)),
        _ => f64::from(rng.random_range(-2..3)),
    }
}

/// Probabilities add up to one in floats, too.
fn action(kind: Kind, n: usize, rng: &mut ChaCha8Rng) -> Action {
    if kind == Kind::Anything {
        return action(KINDS[rng.random_range(0..KINDS.len() - 1)], n, rng);
    }
    let cost = match kind {
        Kind::NearlyEqual => 1.0 + cost(kind, rng),
        _ => cost(kind, rng),
    };
    let mut any = || rng.random_range(0..n);
    let (a, b, c) = (any(), any(), any());
    let moves = match kind {
        Kind::Hidden => {
            let weak = 2_f64.powi(-rng.random_range(36..=52));
            match rng.random() {
                true => vec![(a, 1.0)],
                false => vec![(a, 1.0 - weak), (b, weak)],
            }
        }
        Kind::Rare | Kind::Traps => {
            let weak = 2_f64.powi(-rng.random_range(1..52));
            match rng.random_range(0..4) {
                0 => vec![(a, 1.0)],
                1 => vec![(a, 0.5), (b, 0.5)],
                2 => vec![(a, 1.0 - weak), (b, weak)],
                _ => vec![(a, 1.0 - weak), (b, weak / 2.0), (c, weak / 2.0)],
            }
        }
        _ => {
            let part = f64::from(rng.random_range(0..=4)) / 4.0;
            vec![(a, part), (b, 1.0 - part)]
        }
    };
    Action { cost, moves }
}

pub(super) fn fraction(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

/// The same process in fractions.
pub(super) fn exactly(mdp: &Mdp<f64>) -> Mdp<Rational> {
    let action = |state: usize, action: usize| {
        let others = mdp.moves(state, action).filter(|&(to, _)| to != state);
        let mut moves: Vec<_> = others.map(|(to, &chance)| (to, fraction(chance))).collect();
        let away: Rational = moves.iter().map(|(_, chance)| chance).sum();
        moves.push((state, Rational::ratio(1, 1) - away));
        let cost = fraction(*mdp.cost(state, action));
        Action { cost, moves }
    };
    let states = (0..mdp.len()).map(|state| (0..mdp.actions(state)).map(|at| action(state, at)).collect());
    Mdp::new(states.collect::<Vec<_>>()).expect("a process")
}
