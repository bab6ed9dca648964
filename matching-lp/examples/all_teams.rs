//! One random problem, by a route: the solver, or the formulation of all teams by `microlp` or HiGHS; or the program of
//! all teams as an MPS file. Prints what the answer costs and whether it is proven.
//!
//! ```sh
//! cargo run --release -p matching-lp --features good_lp --example all_teams -- CLASS PLAYERS SIZE SEED ROUTE
//! cargo run --release -p matching-lp --features good_lp --example all_teams -- uniform 24 4 1 solver
//! ```
//!
//! Classes: `uniform`, costs from 0 to 999; `rating`, differences of ratings from 800 to 2,200, and 150 more between
//! four regions. Routes: `solver`, `microlp`, `highs` (with that feature), or a file that ends in `.mps`.

use matching_core::cost::CondensedMatrix;
use matching_lp::formulations::{Formulation, Grouping, Teams};
use matching_lp::{Groups, Problem, SetPartitioning, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MOST_TEAMS: usize = 1_000_000;

fn costs(class: &str, n: usize, rng: &mut ChaCha8Rng) -> Vec<i64> {
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
    if class == "uniform" {
        return pairs.map(|_| rng.random_range(0..1000)).collect();
    }
    let players: Vec<(i64, u32)> = (0..n)
        .map(|_| (rng.random_range(800..=2200), rng.random_range(0..4)))
        .collect();
    let far = |i: usize, j: usize| 150 * i64::from(players[i].1 != players[j].1);
    pairs
        .map(|(i, j)| (players[i].0 - players[j].0).abs() + far(i, j))
        .collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [class, n, k, seed, route] = arguments.as_slice() else {
        return Err("all_teams CLASS PLAYERS SIZE SEED ROUTE".into());
    };
    let (n, k): (usize, usize) = (n.parse()?, k.parse()?);
    let matrix = CondensedMatrix::new(n, costs(class, n, &mut ChaCha8Rng::seed_from_u64(seed.parse()?)))?;
    let problem = Problem::new(&matrix, Groups::of_size(n, k)?)?;
    let all = || SetPartitioning::new(&problem, MOST_TEAMS);
    match route.as_str() {
        "solver" => {}
        "microlp" => return report(&Teams::all(&all()?).solve()?, &matrix),
        #[cfg(feature = "highs")]
        "highs" => {
            use good_lp::SolverModel;
            let teams = Teams::all(&all()?);
            return report(&teams.read(&teams.using_highs().solve()?)?, &matrix);
        }
        file if file.ends_with(".mps") => return Ok(std::fs::write(file, all()?.to_mps())?),
        other => return Err(format!("{other} is no route").into()),
    }
    let solution = Solver::new().solve(&problem)?;
    solution.verify(&problem)?;
    let status = if solution.is_optimal() { "proven" } else { "open" };
    println!("{} {status} {}", solution.cost(), solution.pool());
    Ok(())
}

/// What the groups cost, recomputed; nothing proves it.
fn report(grouping: &Grouping, cost: &CondensedMatrix<i64>) -> Result<(), Box<dyn std::error::Error>> {
    use matching_core::Cost;
    let groups = grouping.groups().iter();
    let pairs = groups.flat_map(|group| group.iter().flat_map(|&i| group.iter().map(move |&j| (i, j))));
    let total: i64 = pairs.filter(|(i, j)| i < j).map(|(i, j)| cost.pair(i, j)).sum();
    println!("{total} optimal 0");
    Ok(())
}
