//! Square lattices. Both round `n` to the square of the nearest even side.

use super::{Instance, generator, uniform_weight};

/// A square grid with weights uniform in `1..=1_000_000`; vertices row by row.
pub fn grid(n: usize, seed: u64) -> Instance {
    let side = even_side(n, 2);
    let mut rng = generator(seed);
    let mut edges = Vec::with_capacity(2 * side * side);
    for row in 0..side {
        for column in 0..side {
            let here = (row * side + column) as u32;
            if column + 1 < side {
                edges.push((here, here + 1, uniform_weight(&mut rng)));
            }
            if row + 1 < side {
                edges.push((here, here + side as u32, uniform_weight(&mut rng)));
            }
        }
    }
    Instance {
        vertices: side * side,
        edges,
    }
}

/// A square grid whose opposite sides are joined, with weights uniform in `1..=1_000_000`; side at least 4.
pub fn torus(n: usize, seed: u64) -> Instance {
    let side = even_side(n, 4);
    let mut rng = generator(seed);
    let mut edges = Vec::with_capacity(2 * side * side);
    for row in 0..side {
        for column in 0..side {
            let here = (row * side + column) as u32;
            let right = (row * side + (column + 1) % side) as u32;
            let below = ((row + 1) % side * side + column) as u32;
            edges.push((here, right, uniform_weight(&mut rng)));
            edges.push((here, below, uniform_weight(&mut rng)));
        }
    }
    Instance {
        vertices: side * side,
        edges,
    }
}

/// The even number whose square is nearest to `n`, at least `least`.
fn even_side(n: usize, least: usize) -> usize {
    (2 * ((n as f64).sqrt() / 2.0).round() as usize).max(least)
}
