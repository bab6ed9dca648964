//! How long a search goes on once it is cancelled, on one thread: every engine, by pairs and by group, from its first
//! moment on. By the wall, which on a busy machine says how long others ran meanwhile, and in processor time, which the
//! system may know of another thread only up to its last tick (4 ms on many Linux machines): it is at most what is
//! said.
//!
//! `cargo run --release -p matching-heuristics --example cancel_latency -- 2000 [ENGINE...]`

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use matching_core::cost::{self, Pairwise};
use matching_core::{CancelToken, CostValue};
use matching_heuristics::{Engine, Groups, Instance, Search, Stop};

/// When it is cancelled, in milliseconds from the start: costs are read, parties packed, temperatures looked for.
const MOMENTS: [u64; 10] = [0, 2, 5, 9, 17, 25, 40, 70, 150, 300];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let players: usize = std::env::args().nth(1).map_or(Ok(2_000), |players| players.parse())?;
    let table: Vec<i64> = (0..players * players).map(|at| (at * 7_919 % 10_007) as i64).collect();
    let gap = cost::from_symmetric_fn(players, |i, j| table[i.min(j) * players + i.max(j)]);
    let sum = Pairwise(&gap);
    let named: Vec<Engine> = std::env::args()
        .skip(2)
        .filter_map(|name| Engine::from_name(&name))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for engine in if named.is_empty() { Engine::ALL.to_vec() } else { named } {
        for (kind, is_by_group) in [("pairs", false), ("whole", true)] {
            let (mut longest, mut wall) = ((Duration::ZERO, 0, 0, 0), Duration::ZERO);
            for size in [2, 5, 20, players / 2] {
                let groups = Groups::of_size(players, size)?;
                let instance = if is_by_group {
                    Instance::by_group(&sum, groups)?
                } else {
                    Instance::pairwise(&gap, groups)?
                };
                for (walks, moment) in [1, 4]
                    .into_iter()
                    .flat_map(|walks| MOMENTS.map(|moment| (walks, moment)))
                {
                    let search = Search::with(&instance, engine).walks(walks);
                    let took = latency(&search, moment, &pool)?;
                    longest = longest.max((took.processor, size, walks, moment));
                    wall = wall.max(took.wall);
                }
            }
            let (latency, size, walks, moment) = longest;
            println!(
                "{:15} {kind}  at most {latency:8.2?} (groups of {size}, {walks} walks, after {moment} ms), wall at most {wall:8.2?}",
                engine.name()
            );
        }
    }
    Ok(())
}

/// The time between a cancellation and the answer.
struct Took {
    /// Of the processor, in this whole program: whoever cancels does nothing else.
    processor: Duration,
    wall: Duration,
}

fn latency<V: CostValue>(
    search: &Search<'_, V>,
    moment: u64,
    pool: &rayon::ThreadPool,
) -> Result<Took, Box<dyn std::error::Error>> {
    let token = CancelToken::new();
    let search = search.clone().cancel(token.clone()).time(Duration::from_secs(60));
    let (stop, took) = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let found = pool.install(|| search.run());
            found.map(|found| (found.stop(), ProcessTime::now(), Instant::now()))
        });
        std::thread::sleep(Duration::from_millis(moment));
        let cancelled = (ProcessTime::now(), Instant::now());
        token.cancel();
        let (stop, processor, wall) = running.join().expect("no panic")?;
        let took = Took {
            processor: processor.duration_since(cancelled.0),
            wall: wall.saturating_duration_since(cancelled.1),
        };
        Ok::<_, matching_heuristics::Error>((stop, took))
    })?;
    assert_eq!(stop, Stop::Cancelled);
    Ok(took)
}
