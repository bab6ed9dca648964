//! How good and how fast policies are on long logs: `cargo run --release -p matchmaking --example online_million --
//! ARRIVALS SEED POLICY..`. For each of the paper's six patterns: the optimum's bound and how far its games are from
//! it, and of each policy the total cost by that bound, which is at most overstated, and the CPU time of serving all
//! arrivals.

use std::error::Error;

use cpu_time::ProcessTime;
use matchmaking::online::{Account, Pattern, PolicyKind, Setting, optimum_in_windows, simulate};

/// Arrivals that are matched at once in hindsight.
const WINDOW: usize = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let count: usize = words.next().unwrap_or_else(|| "20000".to_owned()).parse()?;
    let seed: u64 = words.next().unwrap_or_else(|| "1".to_owned()).parse()?;
    let mut kinds: Vec<PolicyKind> = words.map(|word| word.parse()).collect::<Result<_, _>>()?;
    if kinds.is_empty() {
        kinds = vec![PolicyKind::DifferenceWait(4.0), PolicyKind::Slack];
    }
    let setting = Setting::new(2, 5.0, 1)?;
    let mut ratios = vec![0.0; kinds.len()];
    for pattern in Pattern::PAPER {
        let arrivals = pattern.arrivals(count, 1, seed)?;
        let start = ProcessTime::now();
        let best = optimum_in_windows(&setting, &arrivals, WINDOW)?;
        let seconds = start.elapsed().as_secs_f64();
        let account = Account::new(&setting, &arrivals, &best.games)?;
        let gap = account.total() / best.bound - 1.0;
        println!(
            "{}: optimum {:.1}, gap {gap:.1e}, {seconds:.2} s",
            pattern.name(),
            best.bound
        );
        for (kind, mean) in kinds.iter().zip(&mut ratios) {
            let policy = kind.build(&setting)?;
            let start = ProcessTime::now();
            let games = simulate(&setting, policy, &arrivals)?;
            let seconds = start.elapsed().as_secs_f64();
            let account = Account::new(&setting, &arrivals, &games)?;
            let ratio = account.total() / best.bound;
            assert!(ratio >= 1.0 - 1e-6, "nobody beats the optimum");
            *mean += ratio / Pattern::PAPER.len() as f64;
            println!(
                "  {kind}: ratio {ratio:.4}, cost per game {:.4}, {seconds:.2} s",
                account.per_game()
            );
        }
    }
    for (kind, mean) in kinds.iter().zip(&ratios) {
        println!("{kind}: mean ratio {mean:.4}");
    }
    Ok(())
}
