//! Teams of five by skill and distance, friends together, one captain pinned to each of two teams.

use std::error::Error;

use matching_core::cost;
use matching_heuristics::{Groups, Instance, Search};

fn main() -> Result<(), Box<dyn Error>> {
    // Sixty players on a line of cities, with ratings that have nothing to do with it.
    let city = |player: usize| (player * 7 % 60) as i64 / 10;
    let rating = |player: usize| 1000 + (player * 37 % 61) as i64 * 15;
    let strangeness = cost::from_symmetric_fn(60, |i, j| {
        (rating(i) - rating(j)).abs() + 40 * (city(i) - city(j)).abs()
    });

    let friends = [vec![0, 31, 44], vec![5, 6], vec![17, 58]];
    let instance = Instance::pairwise(&strangeness, Groups::of_size(60, 5)?)?
        .parties(friends.clone())?
        .pins([(10, 0), (20, 1)])?;
    let teams = Search::auto(&instance).work(5_000_000).seed(1).run()?;

    let team_of = |player: usize| teams.groups().iter().position(|team| team.contains(&player));
    for party in &friends {
        assert!(party.iter().all(|&friend| team_of(friend) == team_of(party[0])));
    }
    assert_eq!((team_of(10), team_of(20)), (Some(0), Some(1)));
    assert!(teams.groups().iter().all(|team| team.len() == 5));

    // In the order in which they come, the same players cost several times as much.
    let as_they_come: i64 = (0..60)
        .flat_map(|i| {
            (i + 1..i / 5 * 5 + 5).map(move |j| (rating(i) - rating(j)).abs() + 40 * (city(i) - city(j)).abs())
        })
        .sum();
    println!(
        "as they come {as_they_come}, found {} after {} moves",
        teams.cost(),
        teams.work()
    );
    for team in teams.groups() {
        println!("{team:?}");
    }
    assert!(3 * teams.cost() < i128::from(as_they_come));
    Ok(())
}
