//! Pairs points by the matrix of their distances: a nalgebra matrix is a cost as it stands.

use matching_core::{Blossom, Error, oracle};
use nalgebra::{DMatrix, Point2};

fn main() -> Result<(), Error> {
    let points: Vec<Point2<f64>> = (0..12)
        .map(|i| Point2::new(f64::from(i * 37 % 101), f64::from(i * i * 53 % 97)))
        .collect();
    let distances = DMatrix::from_fn(points.len(), points.len(), |i, j| {
        nalgebra::distance(&points[i], &points[j])
    });

    let best = Blossom::new().solve(&distances)?;
    for (i, j, distance) in best.pairs() {
        println!(
            "({:>3}, {:>2}) - ({:>3}, {:>2})  {distance:6.2}",
            points[i].x, points[i].y, points[j].x, points[j].y
        );
    }
    println!(
        "total {:.3}, exact in binary arithmetic: bound {:.3}",
        best.cost(),
        best.bound()
    );

    best.verify(&distances).expect("the certificate proves the answer");
    // Twelve points are few enough to try everything.
    let all = oracle::solve(&distances, best.objective())?.expect("complete graphs have perfect matchings");
    assert!((all.cost - best.cost()).abs() < 1e-9);
    Ok(())
}
