//! Random chains.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Rates to other states, by state.
pub(crate) type Rates = Vec<Vec<(usize, f64)>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ordinary,
    Dense,
    Sparse,
    Periodic,
    Reducible,
    TransientStates,
    Absorbing,
    NearlyDecomposable,
    BadlyScaled,
    Tiny,
}

pub(crate) const KINDS: [Kind; 10] = [
    Kind::Ordinary,
    Kind::Dense,
    Kind::Sparse,
    Kind::Periodic,
    Kind::Reducible,
    Kind::TransientStates,
    Kind::Absorbing,
    Kind::NearlyDecomposable,
    Kind::BadlyScaled,
    Kind::Tiny,
];

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ordinary => "chain, ordinary",
            Self::Dense => "chain, dense",
            Self::Sparse => "chain, sparse",
            Self::Periodic => "chain, periodic",
            Self::Reducible => "chain, reducible",
            Self::TransientStates => "chain, transient states",
            Self::Absorbing => "chain, absorbing",
            Self::NearlyDecomposable => "chain, nearly decomposable",
            Self::BadlyScaled => "chain, badly scaled",
            Self::Tiny => "chain, tiny",
        }
    }
}

fn usual(rng: &mut ChaCha8Rng) -> f64 {
    rng.random_range(0.01..10.0)
}

fn wide(rng: &mut ChaCha8Rng) -> f64 {
    10_f64.powf(rng.random_range(-30.0..30.0))
}

pub(crate) fn random(kind: Kind, rng: &mut ChaCha8Rng) -> Rates {
    match kind {
        Kind::Ordinary => cycle(rng, 0..8, usual),
        Kind::BadlyScaled => cycle(rng, 0..7, wide),
        Kind::Dense => {
            // Sixteen states and more are finished as a full matrix.
            let n = if rng.random_bool(0.05) {
                18
            } else {
                rng.random_range(3..8)
            };
            (0..n)
                .map(|i| (0..n).filter(|&j| j != i).map(|j| (j, usual(rng))).collect())
                .collect()
        }
        Kind::Sparse => {
            let n = rng.random_range(4..11);
            let mut rates = vec![Vec::new(); n];
            for child in 1..n {
                let parent = rng.random_range(child.saturating_sub(3)..child);
                rates[child].push((parent, usual(rng)));
                rates[parent].push((child, usual(rng)));
            }
            rates
        }
        Kind::Periodic => {
            let (period, size) = (rng.random_range(2..5), rng.random_range(1..4));
            let next = |i: usize| (i / size + 1) % period * size;
            let row = |i: usize, rng: &mut ChaCha8Rng| (next(i)..next(i) + size).map(|j| (j, usual(rng))).collect();
            (0..period * size).map(|i| row(i, rng)).collect()
        }
        Kind::Reducible => blocks(rng, 0.0),
        Kind::NearlyDecomposable => {
            let coupling = 10_f64.powf(rng.random_range(-12.0..-3.0));
            blocks(rng, coupling)
        }
        Kind::TransientStates => {
            let mut rates = cycle(rng, 0..4, usual);
            append_transient(&mut rates, rng);
            rates
        }
        Kind::Absorbing => {
            let mut rates = vec![Vec::new(); rng.random_range(1..4)];
            append_transient(&mut rates, rng);
            rates
        }
        Kind::Tiny => {
            let n = rng.random_range(1..4);
            let row = |i: usize, rng: &mut ChaCha8Rng| {
                let others = (0..n).filter(|&j| j != i && rng.random_bool(0.6)).collect::<Vec<_>>();
                others.into_iter().map(|j| (j, usual(rng))).collect()
            };
            (0..n).map(|i| row(i, rng)).collect()
        }
    }
}

/// A cycle through all states, and random moves.
fn cycle(rng: &mut ChaCha8Rng, moves: core::ops::Range<usize>, rate: fn(&mut ChaCha8Rng) -> f64) -> Rates {
    let n = rng.random_range(2..8);
    let mut rates: Rates = (0..n).map(|i| vec![((i + 1) % n, rate(rng))]).collect();
    for _ in 0..rng.random_range(moves) {
        let (from, to) = (rng.random_range(0..n), rng.random_range(0..n));
        if to != from && rates[from].iter().all(|&(other, _)| other != to) {
            rates[from].push((to, rate(rng)));
        }
    }
    rates
}

/// Two or three groups of states, with transient states in front of them if they are not coupled, and else a ring of
/// weak moves.
fn blocks(rng: &mut ChaCha8Rng, coupling: f64) -> Rates {
    let mut rates: Rates = Vec::new();
    let mut firsts = Vec::new();
    for _ in 0..rng.random_range(2..4) {
        let first = rates.len();
        firsts.push(first);
        let block = cycle(rng, 0..4, usual);
        let moved = |row: Vec<(usize, f64)>| row.into_iter().map(|(to, rate)| (to + first, rate)).collect();
        rates.extend(block.into_iter().take(4).map(moved).collect::<Rates>());
        // A block that was cut short leads back to its start.
        let n = rates.len();
        for (i, row) in rates.iter_mut().enumerate().skip(first) {
            row.retain(|&(to, _)| to < n);
            if row.is_empty() && i != first {
                row.push((first, 1.0));
            }
        }
    }
    if coupling == 0.0 {
        append_transient(&mut rates, rng);
        return rates;
    }
    for (at, &first) in firsts.iter().enumerate() {
        let next = firsts[(at + 1) % firsts.len()];
        rates[first].push((next, coupling * usual(rng)));
    }
    rates
}

/// States that lead to each other or to what is there, at first or at last.
fn append_transient(rates: &mut Rates, rng: &mut ChaCha8Rng) {
    let first = rates.len();
    for state in first..first + rng.random_range(1..5) {
        rates.push(vec![(rng.random_range(0..state), usual(rng))]);
    }
    for _ in 0..6 {
        let (from, to) = (rng.random_range(first..rates.len()), rng.random_range(0..rates.len()));
        if to != from && rates[from].iter().all(|&(other, _)| other != to) {
            let weak = if rng.random_bool(0.2) { 1e-9 } else { 1.0 };
            rates[from].push((to, weak * usual(rng)));
        }
    }
}
