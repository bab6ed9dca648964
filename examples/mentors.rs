//! Four mentors for six beginners: two sides, as many pairs as can be, and of those the best.

use matching_core::{Blossom, Cost, Error, Objective, cost};

fn main() -> Result<(), Error> {
    let mentors = ["Ada", "Ben", "Cleo", "Dan"];
    let beginners = ["Eli", "Fay", "Gus", "Hal", "Ida", "Joe"];
    // How much a beginner would learn from a mentor; Ben and Fay have no evening in common.
    let learns = [
        [9_i64, 7, 8, 2, 3, 1],
        [8, 9, 7, 1, 2, 2],
        [9, 8, 6, 4, 4, 3],
        [7, 6, 7, 3, 5, 2],
    ];
    let gain = cost::from_rectangular_fn(mentors.len(), beginners.len(), |i, j| learns[i][j]);
    let sides = gain.restricted(|i, j| (i, j) != (1, 1)).two_sided();

    // Mentors are the first vertices, beginners those behind them.
    let best = Blossom::new().objective(Objective::MaxCardinality).solve(&sides)?;
    for (i, v, gain) in best.pairs() {
        println!("{:<5} with {:<4} {gain}", mentors[i], beginners[v - mentors.len()]);
    }
    println!(
        "together {}; no other pairs give more: the bound is {}",
        best.cost(),
        best.bound()
    );

    best.verify(&sides).expect("the certificate proves the answer");
    assert_eq!((best.pairs().count(), best.cost(), best.bound()), (4, 29, 29));
    Ok(())
}
