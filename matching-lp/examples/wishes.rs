//! Teams with roles, and matches of two even halves, solved to proven optima: a line for each.
//!
//! ```sh
//! cargo run --release -p matching-lp --example wishes -- [what] [players] [group size] [seconds] [seed]
//! cargo run --release -p matching-lp --example wishes -- roles 60 5 60 1
//! cargo run --release -p matching-lp --example wishes -- halves 40 10 60 1
//! ```
//!
//! `pairs` groups by differences of rating and region alone. `roles` adds five roles, each played once in a team; every
//! player can play two of them. `halves` adds to that of pairs how uneven the best split of a match is, `even` has
//! nothing but that.

use std::time::{Duration, Instant};

use matching_core::cost;
use matching_lp::{Groups, Halves, Problem, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "roles".to_owned());
    let n: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let size: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let seconds: f64 = arguments.next().map_or(Ok(60.0), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Twelve uniform numbers add up to one that is nearly normal.
    let rating: Vec<i64> = (0..n)
        .map(|_| 1500 + (350.0 * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0)) as i64)
        .collect();
    let region: Vec<u32> = (0..n).map(|_| rng.random_range(0..4)).collect();
    let gap = cost::from_symmetric_fn(n, |i, j| {
        (rating[i] - rating[j]).abs() + if region[i] == region[j] { 0 } else { 150 }
    });
    let mut able: Vec<Vec<usize>> = vec![Vec::new(); 5];
    for player in 0..n {
        // The first role goes round, so that there is a grouping.
        let (first, second) = (player % 5, rng.random_range(1..5));
        able[first].push(player);
        able[(first + second) % 5].push(player);
    }
    let halves = Halves::new(&rating)?;
    let groups = Groups::of_size(n, size)?;
    let mut problem = match what.as_str() {
        "even" => Problem::by_group(&halves, groups)?,
        "halves" => Problem::new(&gap, groups)?.group_cost(&halves)?,
        _ => Problem::new(&gap, groups)?,
    };
    if what == "roles" {
        for (name, players) in ["top", "jungle", "mid", "bottom", "support"].iter().zip(&able) {
            problem = problem.role(name, 1..=1, players)?;
        }
    }
    let solution = Solver::new().time(Duration::from_secs_f64(seconds)).solve(&problem)?;
    let start = Instant::now();
    solution.verify(&problem)?;
    println!("what      n  k      LB      UB   gap %    pool  splits  seconds  verified in");
    println!(
        "{what:7} {n:3} {size:2} {:7} {:7} {:7.2} {:7} {:7} {:8.2} {:8.2}",
        solution.bound(),
        solution.cost(),
        100.0 * solution.gap(),
        solution.pool(),
        solution.certificate().splits(),
        solution.elapsed().as_secs_f64(),
        start.elapsed().as_secs_f64(),
    );
    assert!(solution.bound() <= solution.cost());
    Ok(())
}
