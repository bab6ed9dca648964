//! Eight regions of a world, between which players wander: which two should share a host, so that who leaves for the other
//! one is soon back? Mean first-passage times are a cost, and blossoms pair by it.

use std::error::Error;

use markov::passage::MeanTimes;
use markov::{Csr, Ctmc};
use matching_core::{Blossom, Cost};

const REGIONS: [&str; 8] = [
    "harbour", "market", "castle", "forest", "mines", "desert", "oasis", "tower",
];

/// Roads between two regions, and how many of the players in one take it to the other in an hour: there, and back.
const ROADS: [(usize, usize, f64, f64); 10] = [
    (0, 1, 4.0, 3.0),
    (1, 2, 3.0, 2.0),
    (2, 3, 1.0, 1.0),
    (3, 4, 2.0, 0.5),
    (4, 5, 0.2, 0.3),
    (5, 6, 2.0, 2.5),
    (6, 7, 0.1, 1.0),
    (7, 0, 0.5, 0.2),
    (1, 3, 1.0, 2.0),
    (2, 7, 0.3, 0.4),
];

fn main() -> Result<(), Box<dyn Error>> {
    let row = |region: usize| {
        let there = ROADS.iter().filter(move |road| road.0 == region);
        let back = ROADS.iter().filter(move |road| road.1 == region);
        there
            .map(|road| (road.1, road.2))
            .chain(back.map(|road| (road.0, road.3)))
    };
    let chain = Ctmc::new(&Csr::from_rows(8, (0..8).map(row)))?;

    // Mean hours from each region to each other one; there and back is the commute time.
    let times = MeanTimes::ctmc(&chain)?;
    let off = times.verify_ctmc(&chain)?;
    let commute = (&times).symmetrized();
    let pairs = Blossom::new().solve(&commute)?;
    pairs.verify(&commute)?;
    println!("hours on average, to within {off:.0e} of themselves:");
    let mut total = 0.0;
    for (a, b, hours) in pairs.pairs() {
        let (there, back) = (times.pair(a, b), times.pair(b, a));
        let (a, b) = (REGIONS[a], REGIONS[b]);
        println!("{a:>8} - {b:<8} {there:5.1} there, {back:5.1} back, {hours:5.1} in all");
        total += hours;
    }

    // The next region by number is a worse choice, also where the road is a busy one.
    let in_turn: f64 = (0..8).step_by(2).map(|region| commute.pair(region, region + 1)).sum();
    println!("{total:.1} hours for all pairs; with neighbours by number it were {in_turn:.1}");
    assert!(off < 1e-13 && total < in_turn);
    Ok(())
}
