//! Random decision processes.

use markov::mdp::{Action, Mdp};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ordinary,
    Ties,
    Periodic,
    Multichain,
    NearlyDecomposable,
    CostsOfAllSizes,
    Inexact,
    Tiny,
    LeastFloats,
    LargestFloats,
}

pub(crate) const KINDS: [Kind; 10] = [
    Kind::Ordinary,
    Kind::Ties,
    Kind::Periodic,
    Kind::Multichain,
    Kind::NearlyDecomposable,
    Kind::CostsOfAllSizes,
    Kind::Inexact,
    Kind::Tiny,
    Kind::LeastFloats,
    Kind::LargestFloats,
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "process, ordinary",
            Self::Ties => "process, ties",
            Self::Periodic => "process, periodic",
            Self::Multichain => "process, multichain",
            Self::NearlyDecomposable => "process, nearly decomposable",
            Self::CostsOfAllSizes => "process, costs of all sizes",
            Self::Inexact => "process, inexact probabilities",
            Self::Tiny => "process, tiny",
            Self::LeastFloats => "process, costs near the least float",
            Self::LargestFloats => "process, costs near the largest float",
        }
    }
}

/// Actions by state.
pub(crate) type Process = Vec<Vec<Action>>;

pub(crate) fn random(kind: Kind, rng: &mut ChaCha8Rng) -> Process {
    let n = match kind {
        Kind::Tiny => rng.random_range(1..3),
        _ => rng.random_range(2..5),
    };
    let row = |state: usize, rng: &mut ChaCha8Rng| {
        let count = rng.random_range(1..if n > 3 { 3 } else { 4 });
        (0..count).map(|_| action(kind, n, state, rng)).collect()
    };
    (0..n).map(|state| row(state, rng)).collect()
}

fn action(kind: Kind, n: usize, state: usize, rng: &mut ChaCha8Rng) -> Action {
    let cost = match kind {
        Kind::Ties | Kind::Periodic => f64::from(rng.random_range(-1..2)),
        Kind::CostsOfAllSizes => {
            let size = 10_f64.powf(rng.random_range(-30.0..30.0));
            if rng.random() { size } else { -size }
        }
        Kind::LeastFloats => rng.random_range(-5.0..10.0) * f64::MIN_POSITIVE * 2.0_f64.powi(rng.random_range(-50..2)),
        Kind::LargestFloats => rng.random_range(-5.0..10.0) * 2.0_f64.powi(990),
        _ => rng.random_range(-5.0..10.0),
    };
    let moves = match kind {
        Kind::Periodic => vec![((state + 1) % n, 1.0)],
        Kind::Ties => shares(n, 2, rng),
        Kind::Multichain if rng.random_bool(0.4) => vec![(state, 1.0)],
        Kind::Multichain => shares(n, 2, rng),
        Kind::NearlyDecomposable => {
            // Exact in floats: one less a power of two.
            let weak = 2_f64.powi(-rng.random_range(10..41));
            vec![(state, 1.0 - weak), ((state + 1) % n, weak)]
        }
        Kind::Inexact => {
            let off = if rng.random() {
                1.0
            } else {
                1.0 + rng.random_range(-9e-10..9e-10)
            };
            let weights: Vec<f64> = (0..n).map(|_| rng.random_range(0.01..1.0)).collect();
            let sum = weights.iter().sum::<f64>() * off;
            weights.into_iter().map(|weight| weight / sum).enumerate().collect()
        }
        _ => shares(n, 10, rng),
    };
    Action { cost, moves }
}

/// `2^bits` equal shares thrown upon the states, so that floats add up to one exactly.
fn shares(n: usize, bits: u32, rng: &mut ChaCha8Rng) -> Vec<(usize, f64)> {
    let all = 1_u32 << bits;
    let mut left = all;
    let mut moves = Vec::new();
    for _ in 0..rng.random_range(0..n) {
        let part = rng.random_range(0..=left);
        moves.push((rng.random_range(0..n), f64::from(part) / f64::from(all)));
        left -= part;
    }
    moves.push((rng.random_range(0..n), f64::from(left) / f64::from(all)));
    moves
}

/// The process as the crate takes it.
pub(crate) fn floats(process: &Process) -> Mdp {
    Mdp::new(process.iter().cloned()).expect("a process")
}
