//! One solve under an instruction counter: `benches/instructions.sh` runs this in callgrind, which counts only what
//! happens inside [`counted_solve`]. Alone: `cargo run --release -p benches --example instructions -- grid 10000`.

use std::error::Error;

use benches::families::{self, Family};
use matching_core::{Blossom, EdgeList, Solution};

/// The part that is counted; kept out of line so that callgrind knows it by name.
#[inline(never)]
fn counted_solve(list: &EdgeList<i32>) -> Result<Solution<i32>, matching_core::Error> {
    Blossom::new().solve(list)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [family, n] = arguments.as_slice() else {
        return Err("usage: instructions FAMILY N".into());
    };
    let family = Family::by_name(family).ok_or("no such family")?;
    let list = family
        .instance(families::size(n)?, 1)
        .edge_list()
        .map_err(|error| format!("{error:?}"))?;
    let solution = counted_solve(&list).map_err(|error| format!("{error:?}"))?;
    assert!(solution.is_optimal(), "no budget, no stop");
    println!(
        "{} {n}: optimum {}, work {}",
        family.name(),
        solution.cost(),
        solution.work()
    );
    Ok(())
}
