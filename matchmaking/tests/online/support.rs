//! Logs to try things on, and a second way to count costs.

use matchmaking::online::{Arrivals, Games, PolicyKind, Setting, simulate};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random arrivals; with ties, times and criteria are multiples of an eighth and of a quarter.
pub(crate) fn log(count: usize, criteria: usize, rate: f64, has_ties: bool, seed: u64) -> Arrivals {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut time = rng.random_range(-3.0..3.0);
    let mut rows: Vec<(f64, Vec<f64>)> = Vec::new();
    for _ in 0..count {
        time += -f64::ln(1.0 - rng.random::<f64>()) / rate;
        let values = (0..criteria).map(|_| rng.random::<f64>());
        let row = if has_ties {
            let values = values.map(|value| (value * 4.0).round() / 4.0).collect();
            ((time * 8.0).round() / 8.0, values)
        } else {
            (time, values.collect())
        };
        rows.push(row);
    }
    let borrowed = rows.iter().map(|(time, values)| (*time, values.as_slice()));
    Arrivals::new(criteria, borrowed).expect("sorted arrivals")
}

pub(crate) fn play(setting: &Setting, kind: PolicyKind, arrivals: &Arrivals) -> Games {
    let policy = kind.build(setting).expect("a policy for this setting");
    simulate(setting, policy, arrivals).expect("as many criteria as weights")
}

/// Starts and players of all games.
pub(crate) fn listed(games: &Games) -> Vec<(f64, Vec<u32>)> {
    games.iter().map(|game| (game.time, game.players.to_vec())).collect()
}

/// Formula (1), word for word, over a list of games.
pub(crate) fn recount(setting: &Setting, arrivals: &Arrivals, games: &[(f64, Vec<u32>)]) -> f64 {
    let mut total = 0.0;
    for (start, players) in games {
        for (d, f_d) in setting.weights().iter().enumerate() {
            let gamma: Vec<f64> = players.iter().map(|&p| arrivals.criteria(p as usize)[d]).collect();
            let largest = gamma.iter().copied().fold(0.0, f64::max);
            let smallest = gamma.iter().copied().fold(1.0, f64::min);
            let q_d = if players.len() < setting.players() {
                1.0
            } else {
                largest - smallest
            };
            total += f_d * q_d;
        }
        for &p in players {
            total += (start - arrivals.times()[p as usize]) / setting.tau_max();
        }
        for _ in players.len()..setting.players() {
            total += 1.0;
        }
    }
    total
}

/// Everybody plays once, and nobody waits too long.
pub(crate) fn assert_served(setting: &Setting, arrivals: &Arrivals, games: &[(f64, Vec<u32>)]) {
    let mut players: Vec<u32> = games.iter().flat_map(|game| game.1.clone()).collect();
    players.sort_unstable();
    assert!(players.iter().copied().eq(0..arrivals.len() as u32), "{players:?}");
    for (start, players) in games {
        assert!((1..=setting.players()).contains(&players.len()));
        for &player in players {
            let wait = start - arrivals.times()[player as usize];
            assert!(
                wait >= 0.0 && wait <= setting.tau_max() + 1e-9,
                "{player} waits for {wait}"
            );
        }
    }
}
