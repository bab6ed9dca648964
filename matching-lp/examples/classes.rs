//! Three classes of random problems, solved to proven optima: a line for each with size, bounds, pool and seconds.
//!
//! ```sh
//! cargo run --release -p matching-lp --example classes -- [players] [group sizes] [seconds] [classes] [seed]
//! cargo run --release -p matching-lp --example classes -- 60 3,4,5,6 60 rating,plane,uniform 1
//! cargo run --release -p matching-lp --example classes -- 30 6 60 RanInt_n030_ss_01.txt
//! ```
//!
//! A class that ends in `.txt` is a file in the format of MDGPLIB, with gains of pairs; costs are these, negated.

use std::time::{Duration, Instant};

use matching_core::cost::CondensedMatrix;
use matching_lp::{Groups, Problem, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Costs of all pairs `i < j`, row by row.
fn costs(class: &str, n: usize, rng: &mut ChaCha8Rng) -> Vec<i64> {
    let pairs = |n: usize| (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
    match class {
        "uniform" => pairs(n).map(|_| rng.random_range(0..1000)).collect(),
        "plane" => {
            let at: Vec<[f64; 2]> = (0..n)
                .map(|_| [rng.random_range(0.0..1000.0), rng.random_range(0.0..1000.0)])
                .collect();
            let distance = |i: usize, j: usize| (at[i][0] - at[j][0]).hypot(at[i][1] - at[j][1]);
            pairs(n).map(|(i, j)| distance(i, j).round() as i64).collect()
        }
        _ => {
            // Twelve uniform numbers add up to one that is nearly normal.
            let rating: Vec<f64> = (0..n)
                .map(|_| 1500.0 + 350.0 * ((0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0))
                .collect();
            let region: Vec<u32> = (0..n).map(|_| rng.random_range(0..4)).collect();
            let wait: Vec<i64> = (0..n).map(|_| rng.random_range(0..=120)).collect();
            let cost = |(i, j): (usize, usize)| {
                let skill = ((rating[i] - rating[j]).abs().round() as i64).min(800);
                let travel = if region[i] == region[j] { 0 } else { 150 };
                skill + travel + (60 - (wait[i] + wait[j]) / 2).max(0)
            };
            pairs(n).map(cost).collect()
        }
    }
}

/// The third number of each line `i j gain`, pairs in order; after a line that says how many players and groups.
fn negated_gains(text: &str) -> Result<Vec<i64>, Box<dyn std::error::Error>> {
    let gains = text.lines().skip(1).filter_map(|line| line.split_whitespace().nth(2));
    gains.map(|gain| Ok(-(gain.parse::<f64>()? as i64))).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: usize = arguments.next().map_or(Ok(24), |text| text.parse())?;
    let sizes = arguments.next().unwrap_or_else(|| "3,4".to_owned());
    let seconds: f64 = arguments.next().map_or(Ok(60.0), |text| text.parse())?;
    let classes = arguments.next().unwrap_or_else(|| "rating,plane,uniform".to_owned());
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    println!("class     n  k      LB      UB   gap %    pool  splits  seconds  verified in");
    for class in classes.split(',') {
        for size in sizes.split(',') {
            let k: usize = size.parse()?;
            let mut rng = ChaCha8Rng::seed_from_u64(seed * 1000 + k as u64);
            let data = match class.ends_with(".txt") {
                true => negated_gains(&std::fs::read_to_string(class)?)?,
                false => costs(class, n, &mut rng),
            };
            let matrix = CondensedMatrix::new(n, data)?;
            let problem = Problem::new(&matrix, Groups::of_size(n, k)?)?;
            let solution = Solver::new().time(Duration::from_secs_f64(seconds)).solve(&problem)?;
            let start = Instant::now();
            solution.verify(&problem)?;
            println!(
                "{class:7} {n:3} {k:2} {:7} {:7} {:7.2} {:7} {:7} {:8.2} {:8.2}",
                solution.bound(),
                solution.cost(),
                100.0 * solution.gap(),
                solution.pool(),
                solution.certificate().splits(),
                solution.elapsed().as_secs_f64(),
                start.elapsed().as_secs_f64(),
            );
        }
    }
    Ok(())
}
