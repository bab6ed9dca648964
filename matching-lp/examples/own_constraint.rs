//! A league of teams with rules that no solver knows by itself: at most one goalkeeper in a team, and two teams of a
//! list that never both play.
//!
//! ```sh
//! cargo run --release -p matching-lp --features good_lp --example own_constraint
//! ```

use good_lp::{Expression, constraint};
use matching_core::cost;
use matching_lp::formulations::{Formulation, Grouping, Teams};
use matching_lp::{Groups, Problem, SetPartitioning};

const NAMES: [&str; 12] = [
    "Ada", "Ben", "Cem", "Dora", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jan", "Kim", "Lea",
];
const SKILL: [i64; 12] = [71, 70, 68, 52, 51, 49, 36, 35, 33, 18, 17, 15];
const GOALKEEPERS: [usize; 3] = [0, 1, 6];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gap = cost::from_symmetric_fn(12, |i, j| (SKILL[i] - SKILL[j]).abs());
    let problem = Problem::new(&gap, Groups::of_size(12, 4)?)?;
    let mut league = Teams::all(&SetPartitioning::new(&problem, 10_000)?);
    println!("{} teams of four are possible", league.teams().len());
    let free = league.solve()?;
    print("by skill alone", &free);

    // At most one goalkeeper in a team: teams that have two are not there.
    let keepers = |team: &[usize]| team.iter().filter(|player| GOALKEEPERS.contains(player)).count();
    let crowded = (0..league.teams().len()).filter(|&team| keepers(&league.teams()[team]) > 1);
    let crowded: Expression = crowded.map(|team| league.variable(team)).sum();
    league.add_constraint(constraint!(crowded == 0));
    let fair = league.solve()?;
    print("at most one goalkeeper each", &fair);
    assert!(fair.groups().iter().all(|team| keepers(team) <= 1));

    // The first two of these teams share a bus, so they may not both play.
    let number = |wanted: &Vec<usize>| league.teams().iter().position(|team| team == wanted);
    let (Some(a), Some(b)) = (number(&fair.groups()[0]), number(&fair.groups()[1])) else {
        return Err("a team of the answer is none of the model".into());
    };
    league.add_constraint(constraint!(league.variable(a) + league.variable(b) <= 1));
    let answer = league.solve()?;
    print("and not both of the first two of these", &answer);
    assert!(!(answer.groups().contains(&fair.groups()[0]) && answer.groups().contains(&fair.groups()[1])));

    let costs = [&free, &fair, &answer].map(total);
    println!(
        "\nsum of gaps: {costs:?}. The model as text has {} lines of LP.",
        league.to_lp().lines().count()
    );
    assert!(costs[0] <= costs[1] && costs[1] <= costs[2]);
    Ok(())
}

fn total(grouping: &Grouping) -> i64 {
    let pairs = |team: &Vec<usize>| {
        let gaps = team
            .iter()
            .flat_map(|&i| team.iter().map(move |&j| (SKILL[i] - SKILL[j]).abs()));
        gaps.sum::<i64>() / 2
    };
    grouping.groups().iter().map(pairs).sum()
}

fn print(title: &str, grouping: &Grouping) {
    println!("\n{title}: {}", total(grouping));
    for team in grouping.groups() {
        let names: Vec<&str> = team.iter().map(|&player| NAMES[player]).collect();
        println!("  {}", names.join(", "));
    }
}
