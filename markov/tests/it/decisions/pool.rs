//! The pool of two kinds of players from which teams are formed: one player arrives per step, high with probability q,
//! and any games may be started with the players there, at a cost of alpha per player where the number of high ones is
//! odd.

use std::collections::BTreeMap;

use markov::mdp::{Action, Mdp};
use markov::{Rational, Scalar};

/// The process with states (high, low) right after an arrival, at most `cap` players.
pub(super) fn pool(n: usize, cap: usize, q: &Rational, alpha: &Rational) -> Mdp<Rational> {
    let sizes = (1..=cap).flat_map(|size| (0..=size).map(move |high| (high, size - high)));
    let states: Vec<(usize, usize)> = sizes.collect();
    let number: BTreeMap<(usize, usize), usize> = states.iter().copied().zip(0..).collect();
    let actions = |&(high, low): &(usize, usize)| {
        let mut left = BTreeMap::new();
        games(n, high, low, 0, &mut left);
        let kept = left.into_iter().filter(|&((u, v, _), ())| u + v < cap);
        kept.map(|((u, v, unfair), ())| Action {
            cost: Rational::ratio((u + v) as i64, 1) + alpha * Rational::ratio((2 * n * unfair) as i64, 1),
            moves: vec![
                (number[&(u + 1, v)], q.clone()),
                (number[&(u, v + 1)], Rational::ratio(1, 1) - q),
            ],
        })
        .collect()
    };
    Mdp::new(states.iter().map(actions)).expect("a process")
}

/// All ways to start any number of games: who is left, and how many games are unfair.
fn games(n: usize, high: usize, low: usize, unfair: usize, left: &mut BTreeMap<(usize, usize, usize), ()>) {
    if left.insert((high, low, unfair), ()).is_some() || high + low < 2 * n {
        return;
    }
    for h in (2 * n).saturating_sub(low)..=high.min(2 * n) {
        games(n, high - h, low + h - 2 * n, unfair + h % 2, left);
    }
}
