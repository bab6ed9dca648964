//! Pairs seven people for pair work: a closure says what a pair costs, two may not be put together, one gets a bye.

use matching_core::{Blossom, Cost, Error, Objective, cost};

fn main() -> Result<(), Error> {
    let people = ["Ada", "Ben", "Cleo", "Dan", "Eli", "Fay", "Gus"];
    let years = [12_i64, 1, 8, 2, 5, 3, 9];
    // Experience should differ by about six years: the cost is how far a pair is from that.
    let distance = cost::from_symmetric_fn(people.len(), |i, j| ((years[i] - years[j]).abs() - 6).abs());
    // Cleo and Dan worked together last week.
    let last_week = [(2, 3), (3, 2)];
    let allowed = distance.restricted(|i, j| !last_week.contains(&(i, j)));

    // Seven is odd, so one person works alone, at a cost: less for those who know their way.
    let alone = years.iter().map(|years| 14 - years).collect();
    let best = Blossom::new().objective(Objective::MinBye(alone)).solve(&allowed)?;

    for (i, j, cost) in best.pairs() {
        println!("{:<5} with {:<5} {cost} off", people[i], people[j]);
    }
    for i in best.unmatched() {
        println!("{:<5} alone", people[i]);
    }
    println!(
        "total {}; nothing cheaper exists: the bound is {}",
        best.cost(),
        best.bound()
    );

    best.verify(&allowed).expect("the certificate proves the answer");
    assert_eq!(best.cost(), best.bound());
    assert!(best.pairs().all(|(i, j, _)| !last_week.contains(&(i, j))));
    Ok(())
}
