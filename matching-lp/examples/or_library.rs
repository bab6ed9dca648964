//! Set partitioning problems of the OR-Library, or any file in its format, through the formulation of teams that are
//! given.
//!
//! ```sh
//! cargo run --release -p matching-lp --features highs --example or_library -- highs sppnw36.txt sppaa06.txt
//! cargo run --release -p matching-lp --features good_lp --example or_library -- microlp sppnw36.txt
//! ```
//!
//! The format: rows and columns, then for every column its cost, how many rows it has, and these, from 1.

use good_lp::solvers::SolutionStatus;
use good_lp::{Solution, SolverModel};
use matching_lp::formulations::{Formulation, Teams};

fn read(text: &str) -> Result<Teams, Box<dyn std::error::Error>> {
    let mut numbers = text.split_whitespace().map(str::parse::<usize>);
    let mut next = || {
        numbers
            .next()
            .ok_or("the file ends too soon")?
            .map_err(|_| "not a whole number")
    };
    let rows = next()?;
    let columns = next()?;
    let mut teams = Vec::with_capacity(columns);
    for _ in 0..columns {
        let cost = next()? as f64;
        let count = next()?;
        let members: Result<Vec<usize>, &str> = (0..count).map(|_| Ok(next()?.wrapping_sub(1))).collect();
        teams.push((members?, cost));
    }
    Ok(Teams::given(rows, teams)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let solver = arguments.next().unwrap_or_else(|| "microlp".to_owned());
    for file in arguments {
        let teams = read(&std::fs::read_to_string(&file)?)?;
        let start = std::time::Instant::now();
        let (cost, status, count) = match solver.as_str() {
            #[cfg(feature = "highs")]
            "highs" => summary(&teams, &teams.using_highs().solve()?)?,
            "microlp" => summary(&teams, &teams.using(good_lp::microlp).solve()?)?,
            other => return Err(format!("there is no solver {other} here").into()),
        };
        let is_proven = matches!(status, SolutionStatus::Optimal);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{file}: {cost}, proven {is_proven}, {count} of {} columns, {seconds:.2} s",
            teams.teams().len()
        );
    }
    Ok(())
}

fn summary(teams: &Teams, solution: &impl Solution) -> Result<(f64, SolutionStatus, usize), matching_lp::Error> {
    let count = teams.read(solution)?.groups().len();
    Ok((teams.cost(solution).round(), solution.status(), count))
}
