//! How long it takes to find the best policies of large random processes: 4 actions a state, 5 successors each.
//!
//! `cargo run --release -p markov --example speed_mdp -- [largest number of states] [threads]`

use std::time::Instant;

use markov::mdp::{Mdp, RelativeValueIteration, ValueIteration};
use markov::{Csr, Error};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ACTIONS: usize = 4;
const SUCCESSORS: usize = 5;

fn random(states: usize) -> Result<Mdp, Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let rows = (0..states * ACTIONS).map(|_| {
        let weights: [f64; SUCCESSORS] = core::array::from_fn(|_| rng.random_range(0.01..1.0));
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| (rng.random_range(0..states), weight / sum))
    });
    let moves = Csr::from_rows(states, rows);
    let costs = (0..states * ACTIONS).map(|_| rng.random()).collect();
    let starts = (0..=states).map(|state| state * ACTIONS).collect();
    Mdp::from_parts(starts, moves, costs)
}

fn main() -> Result<(), Error> {
    let arguments: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let largest = arguments.first().copied().unwrap_or(1_000_000);
    let threads = arguments.get(1).copied().unwrap_or(1);
    for states in [10_000, 100_000, 1_000_000]
        .into_iter()
        .filter(|&states| states <= largest)
    {
        let process = random(states)?;
        for discount in [0.95, 0.99] {
            let clock = Instant::now();
            let best = ValueIteration::new().threads(threads).solve(&process, discount)?;
            let (time, sweeps) = (clock.elapsed(), best.iterations());
            println!(
                "{states:>7} states, discount {discount}: {time:>9.1?}, {sweeps} sweeps, {:.1e}",
                best.radius()
            );
            let proven = best.verify(&process, &discount)?;
            assert!(
                proven <= 2.0 * best.radius() / (1.0 - discount),
                "the values are what they are said to be"
            );
        }
        let clock = Instant::now();
        let best = RelativeValueIteration::new().threads(threads).solve(&process)?;
        let (time, sweeps) = (clock.elapsed(), best.solution().iterations());
        println!(
            "{states:>7} states, average:       {time:>9.1?}, {sweeps} sweeps, {:.1e}",
            best.bounds().gap()
        );
    }
    Ok(())
}
