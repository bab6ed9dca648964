//! Answers in floats against exact ones that were computed independently, on random chains and decision processes.
//!
//! `cargo run --release -p markov --example against_exact -- [cases] [seed]`
//!
//! Ends with exit code 1 where a proven bound or an interval does not hold the exact answer.

mod suite;

use std::process::ExitCode;
use std::time::Instant;

use suite::Answer;

/// Failures that are described.
const SHOWN: usize = 5;
const ANSWERS: [Answer; 5] = [
    Answer::Proven,
    Answer::Estimated,
    Answer::Missed,
    Answer::NotConverged,
    Answer::Refused,
];

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let cases = arguments.first().map_or(1000, |&cases| cases as usize);
    let seed = arguments.get(1).copied().unwrap_or(1);
    let clock = Instant::now();
    let mut tally = suite::run(cases, seed);
    for (kind, count) in &tally.cases {
        println!("{count:>7} {kind}");
    }
    println!(
        "\n{:<42}{:>9}{:>11}{:>9}{:>15}{:>9}",
        "", "proven", "estimated", "missed", "not converged", "refused"
    );
    for (what, counts) in &tally.answers {
        let [a, b, c, d, e] = ANSWERS.map(|answer| counts.get(&answer).copied().unwrap_or(0));
        println!("{what:<42}{a:>9}{b:>11}{c:>9}{d:>15}{e:>9}");
    }
    println!("\nestimated bound over true error, 1 in 100 below, median, 1 in 100 above:");
    for (what, ratios) in &mut tally.ratios {
        ratios.sort_by(f64::total_cmp);
        let [low, middle, high] = [1, 50, 99].map(|percent| ratios[(ratios.len() - 1) * percent / 100]);
        println!("{what:<42}{low:>9.2}{middle:>11.1}{high:>15.1}");
    }
    println!(
        "\n{cases} cases, seed {seed}, {:.1} s: {} wrong",
        clock.elapsed().as_secs_f64(),
        tally.failures.len()
    );
    for failure in tally.failures.iter().take(SHOWN) {
        println!("{failure}");
    }
    if tally.failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
