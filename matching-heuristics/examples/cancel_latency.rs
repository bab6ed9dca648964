//! How long a search goes on once it is cancelled: every engine, several moments.
//!
//! `cargo run --release -p matching-heuristics --example cancel_latency -- 2000`

use std::time::{Duration, Instant};

use matching_core::{CancelToken, cost};
use matching_heuristics::{Engine, Groups, Incumbent, Instance, Search, Stop};

const ENGINES: [Engine; 4] = [
    Engine::Climb,
    Engine::CachedClimb,
    Engine::Annealing,
    Engine::Population,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let players: usize = std::env::args().nth(1).map_or(Ok(2_000), |players| players.parse())?;
    let table: Vec<i32> = (0..players * players).map(|at| (at * 7_919 % 10_007) as i32).collect();
    let gap = cost::from_symmetric_fn(players, |i, j| table[i.min(j) * players + i.max(j)]);
    for size in [2, 5, 20, players / 2] {
        let instance = Instance::pairwise(&gap, Groups::of_size(players, size)?)?;
        for engine in ENGINES {
            for walks in [1, 4] {
                let (median, longest) = latencies(&instance, engine, walks)?;
                println!(
                    "groups of {size:4}  {:13}  {walks} walks  median {median:?}, at most {longest:?}",
                    engine.name()
                );
            }
        }
    }
    Ok(())
}

/// The median and the longest time between a cancellation and the answer, over moments spread over the run. Each begins
/// once costs are read.
fn latencies(
    instance: &Instance<'_, i32>,
    engine: Engine,
    walks: usize,
) -> Result<(Duration, Duration), Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for millis in [3, 17, 40, 71, 150, 270, 410] {
        let (token, incumbent) = (CancelToken::new(), Incumbent::new());
        let search = Search::with(instance, engine)
            .walks(walks)
            .cancel(token.clone())
            .incumbent(&incumbent);
        let latency = std::thread::scope(|scope| {
            let running = scope.spawn(|| search.time(Duration::from_secs(60)).run());
            while incumbent.get().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(millis));
            let cancelled = Instant::now();
            token.cancel();
            let found = running.join().expect("no panic")?;
            assert_eq!(found.stop(), Stop::Cancelled);
            Ok::<_, matching_heuristics::Error>(cancelled.elapsed())
        })?;
        all.push(latency);
    }
    all.sort_unstable();
    Ok((all[all.len() / 2], all[all.len() - 1]))
}
