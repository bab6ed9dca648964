//! The least that any online policy can cost at a rate of arrivals, and what the optimum and the policies cost:
//! `cargo run --release -p matchmaking --example online_floor -- RATE [STATES [ARRIVALS]]`.

use std::error::Error;

use matchmaking::online::floor::Floor;
use matchmaking::online::{Account, Pattern, PolicyKind, Setting, optimum_in_windows, simulate};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or(default.into());
    let rate: f64 = next("3").parse()?;
    let (states, count): (usize, usize) = (next("100000").parse()?, next("200000").parse()?);

    let found = Floor::new(rate, 5.0, 2.0)?.estimate(states, count, 1)?;
    for refinement in found.cells.iter().chain(&found.ages) {
        println!(
            "{:?}: {:.5} with {} states",
            refinement.grid, refinement.cost, refinement.states
        );
    }

    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(rate).arrivals(count, 1, 2)?;
    let per_pair = |total: f64| 2.0 * total / count as f64;
    let optimum = per_pair(optimum_in_windows(&setting, &arrivals, 100_000)?.bound);
    println!("cost per two arrivals, and as a multiple of the optimum's:");
    println!("optimum   {optimum:.4}");
    let row = |name: &str, cost: f64, error: f64| {
        println!(
            "{name:9} {cost:.4} +- {error:.4}  {:.3} +- {:.3}",
            cost / optimum,
            error / optimum
        );
    };
    row("relaxed", found.relaxed, 0.0);
    row("floor", found.cost, found.error);
    row("attained", found.attained, 1.96 * found.attained_error);
    for (name, policy) in [("slack", PolicyKind::Slack), ("greedy", PolicyKind::Greedy)] {
        let games = simulate(&setting, policy.build(&setting)?, &arrivals)?;
        row(name, per_pair(Account::new(&setting, &arrivals, &games)?.total()), 0.0);
    }
    Ok(())
}
