//! Ten thousand points, fifty million pairs: an index finds the few that matter, and the proof holds for all of them.

use matching_core::cost::{Norm, Points};
use matching_core::{Blossom, Error};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Rating on one axis, a region on axes of its own: a game between two regions costs 150 more.
    let players: Vec<[f64; 4]> = (0..10_000_u32)
        .map(|k| {
            let rating = f64::from(1000 + k.wrapping_mul(2_654_435_761) % 1000);
            let region = (k.wrapping_mul(40_503) >> 5) % 3;
            let mut at = [rating, 0.0, 0.0, 0.0];
            at[1 + region as usize] = 75.0;
            at
        })
        .collect();
    let cost = Points::new(players)?.norm(Norm::Manhattan)?;

    let pairing = Blossom::new().solve_embedded(&cost)?;
    let across = pairing.pairs().filter(|&(_, _, cost)| cost >= 150).count();
    println!(
        "{} pairs, total cost {}, {across} across regions",
        pairing.pairs().len(),
        pairing.cost()
    );

    pairing.verify(&cost)?;
    let far = Points::new(vec![[0.0], [f64::NAN]]);
    assert_eq!(far.err(), Some(Error::CoordinateOutOfRange { point: 1, axis: 0 }));
    assert!(pairing.is_optimal());
    Ok(())
}
