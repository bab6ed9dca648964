//! Points in space.

use super::{Cost, Embedded, Norm};
use crate::error::Error;

/// The greatest cost of a pair: integers up to here are exact in `f64`.
const MOST: f64 = (1_u64 << 53) as f64;

/// Coordinates stay below this in magnitude, so that sums of squares of their differences are finite.
pub(crate) const COORDINATE_LIMIT: f64 = 1e150;

/// Above every relative error of a distance (D + 2 roundings of 2⁻⁵³), and of dividing by the scale.
pub(crate) const RELATIVE_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

/// Above every absolute error of a distance: squares of differences below 1e-154 are lost to underflow.
pub(crate) const ABSOLUTE_ERROR: f64 = 1e-150;

/// `scale` times the distance between points in D dimensions, rounded to the nearest integer, halves upwards.
///
/// The distance is Euclidean and the scale 1 unless told otherwise. A scale of 1000 keeps three digits of the
/// distance. All pairs are allowed; [`Cost::restricted`] forbids some. Euclidean distances are computed in `f64`, where squares of
/// differences below 1e-154 are lost: where points lie that near, multiply their coordinates, and not the scale.
///
/// # Examples
/// ```
/// use matching_core::cost::{Norm, Points};
/// use matching_core::{Blossom, Error};
///
/// let corners = Points::new(vec![[0.0, 0.0], [3.0, 1.0], [0.0, 1.0], [3.0, 0.5]])?.scale(100.0)?;
/// assert_eq!(Blossom::new().solve(&corners)?.cost(), 100 + 50);
///
/// // The gap between two ratings, and 150 more between regions: an axis for each region, 75 on one's own.
/// let player = |rating: f64, region: usize| {
///     let mut point = [rating, 0.0, 0.0, 0.0];
///     point[1 + region] = 75.0;
///     point
/// };
/// let pool = vec![player(1510.0, 0), player(1180.0, 2), player(1495.0, 1), player(1220.0, 2)];
/// let pool = Points::new(pool)?.norm(Norm::Manhattan)?;
/// let pairing = Blossom::new().solve(&pool)?;
/// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 2, 15 + 150), (1, 3, 40)]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Points<const D: usize> {
    points: Vec<[f64; D]>,
    /// Per axis, the greatest difference between two points.
    extent: [f64; D],
    norm: Norm,
    scale: f64,
}

impl<const D: usize> Points<D> {
    /// The Euclidean distances between `points`, rounded.
    ///
    /// # Errors
    /// [`Error::CoordinateOutOfRange`] if a coordinate is NaN or beyond ±1e150; [`Error::PointsTooFarApart`] if the
    /// diagonal of the box around all points costs more than 2⁵³ ([`scaled`](Points::scaled) takes such points).
    ///
    /// # Complexity
    /// O(n D) time; the points are kept as they are.
    pub fn new(points: Vec<[f64; D]>) -> Result<Self, Error> {
        Self::scaled(points, 1.0)
    }

    /// `scale` times the Euclidean distances between `points`, rounded. They may lie too far apart for a scale of 1.
    ///
    /// # Errors
    /// [`Error::ScaleOutOfRange`] unless `scale` is a positive finite number; else those of [`new`](Points::new).
    ///
    /// # Complexity
    /// That of [`new`](Points::new).
    pub fn scaled(points: Vec<[f64; D]>, scale: f64) -> Result<Self, Error> {
        let mut extent = [0.0; D];
        for (axis, width) in extent.iter_mut().enumerate() {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for point in &points {
                low = low.min(point[axis]);
                high = high.max(point[axis]);
            }
            *width = (high - low).max(0.0);
        }
        check_coordinates(&points)?;
        Self {
            points,
            extent,
            norm: Norm::default(),
            scale: 1.0,
        }
        .scale(scale)
    }

    /// Measures distances by `norm`.
    ///
    /// # Errors
    /// [`Error::PointsTooFarApart`], as for [`new`](Points::new).
    pub fn norm(self, norm: Norm) -> Result<Self, Error> {
        Self { norm, ..self }.checked()
    }

    /// Multiplies distances by `scale` before they are rounded, instead of the scale before.
    ///
    /// # Errors
    /// [`Error::ScaleOutOfRange`] unless `scale` is a positive finite number; [`Error::PointsTooFarApart`], as for
    /// [`new`](Points::new).
    pub fn scale(self, scale: f64) -> Result<Self, Error> {
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(Error::ScaleOutOfRange { scale });
        }
        Self { scale, ..self }.checked()
    }

    /// The points, in the order they were given.
    pub fn as_slice(&self) -> &[[f64; D]] {
        &self.points
    }

    /// No two points differ by more than `extent` on any axis, and neither lengths nor products fall when an operand
    /// grows, rounding included: no pair costs more than this diagonal.
    fn checked(self) -> Result<Self, Error> {
        let cost = self.scale * self.norm.length(&self.extent);
        if cost <= MOST {
            Ok(self)
        } else {
            Err(Error::PointsTooFarApart { cost })
        }
    }
}

/// Checks that distances between `points` can be computed.
pub(crate) fn check_coordinates<const D: usize>(points: &[[f64; D]]) -> Result<(), Error> {
    for (point, coordinates) in points.iter().enumerate() {
        if let Some(axis) = coordinates
            .iter()
            .position(|x| x.is_nan() || x.abs() > COORDINATE_LIMIT)
        {
            return Err(Error::CoordinateOutOfRange { point, axis });
        }
    }
    Ok(())
}

/// The nearest integer to `x`, halves upwards, for 0 ≤ `x` ≤ 2⁵³; without the library call that `f64::round` is on
/// processors that lack the instruction.
fn round(x: f64) -> i64 {
    let floor = x as i64;
    floor + i64::from(x - floor as f64 >= 0.5)
}

impl<const D: usize> Cost for Points<D> {
    type Value = i64;

    fn len(&self) -> usize {
        self.points.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        round(self.scale * self.norm.distance(&self.points[i], &self.points[j]))
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl<const D: usize> Embedded<D> for Points<D> {
    fn point(&self, i: usize) -> [f64; D] {
        self.points[i]
    }

    fn norm(&self) -> Norm {
        self.norm
    }

    fn reach(&self, cost: i64) -> f64 {
        if cost < 0 {
            return f64::NEG_INFINITY;
        }
        // `scale * distance`, as computed, is below cost + 1/2.
        (cost as f64 + 0.5) / self.scale * (1.0 + RELATIVE_ERROR) + ABSOLUTE_ERROR
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    const NORMS: [Norm; 3] = [Norm::Euclidean, Norm::Manhattan, Norm::Chebyshev];

    #[test]
    fn costs_are_rounded_scaled_distances() {
        let points = Points::new(vec![[0.0, 0.0], [3.0, -4.0], [0.25, 0.0]]).unwrap();
        assert_eq!((points.pair(0, 1), points.pair(0, 2), points.pair(1, 1)), (5, 0, 0));
        let tenfold = points.clone().scale(10.0).unwrap();
        assert_eq!((tenfold.pair(1, 0), tenfold.pair(0, 2)), (50, 3), "2.5 rounds up");
        let manhattan = points.clone().norm(Norm::Manhattan).unwrap();
        assert_eq!(manhattan.pair(0, 1), 7);
        assert_eq!(points.norm(Norm::Chebyshev).unwrap().pair(0, 1), 4);
        assert_eq!(
            Points::<2>::new(Vec::new()).unwrap().scale(1e300).unwrap().len(),
            0,
            "no pairs, no range"
        );
        assert_eq!(Points::new(vec![[]; 3]).unwrap().pair(0, 2), 0);
    }

    #[test]
    fn rounding_is_that_of_the_library() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..10_000 {
            let x = rng.random_range(0.0..1e6_f64) * 2_f64.powi(rng.random_range(-40..30));
            assert_eq!(round(x), x.round() as i64, "{x}");
        }
        for x in [0.0, 0.49999999999999994, 0.5, 1.5, 2.5, MOST - 1.0, MOST] {
            assert_eq!(round(x), x.round() as i64, "{x}");
        }
    }

    #[test]
    fn refused_input_is_named() {
        let at = |x: f64| Points::new(vec![[0.0, 1.0], [2.0, x]]).err();
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e151, -1e151] {
            assert_eq!(at(bad), Some(Error::CoordinateOutOfRange { point: 1, axis: 1 }));
        }
        assert!(matches!(at(1e17), Some(Error::PointsTooFarApart { cost }) if cost == 1e17));
        let far = |x: f64| Points::new(vec![[0.0], [x]]);
        assert_eq!(far(MOST).unwrap().pair(0, 1), 1 << 53);
        assert_eq!(far(MOST + 2.0), Err(Error::PointsTooFarApart { cost: MOST + 2.0 }));
        assert_eq!(far(1e150), Err(Error::PointsTooFarApart { cost: 1e150 }));
        let near = Points::new(vec![[1e15, 0.0], [0.0, 1e15]]).unwrap();
        assert!(matches!(near.clone().scale(8.0), Err(Error::PointsTooFarApart { .. })));
        assert!(near.clone().scale(6.0).unwrap().norm(Norm::Manhattan).is_err());
        for scale in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(near.clone().scale(scale), Err(Error::ScaleOutOfRange { scale }));
        }
        assert!(near.scale(f64::NAN).is_err());
        let light_years = vec![[0.0], [4e16]];
        assert!(Points::new(light_years.clone()).is_err());
        assert_eq!(
            Points::scaled(light_years.clone(), 1e-3).unwrap().pair(0, 1),
            40_000_000_000_000
        );
        assert_eq!(
            Points::scaled(light_years, 0.0),
            Err(Error::ScaleOutOfRange { scale: 0.0 })
        );
    }

    #[test]
    fn pairs_are_symmetric_and_within_reach() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for round in 0..600 {
            let size = 2_f64.powi(rng.random_range(-520..300));
            let points: Vec<[f64; 3]> = (0..8)
                .map(|_| [0; 3].map(|_| size * f64::from(rng.random_range(-9..9_i8)) / 7.0))
                .collect();
            let scale = rng.random_range(0.1..1e6) / size.max(1e-300);
            // Small enough for scale 1 first: coordinates up to 2^53 differ by little.
            let Ok(points) = Points::new(points) else { continue };
            let Ok(points) = points.norm(NORMS[round % 3]).and_then(|points| points.scale(scale)) else {
                continue;
            };
            for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
                let cost = points.pair(i, j);
                assert_eq!(cost, points.pair(j, i));
                let distance = points.norm.distance(&points.points[i], &points.points[j]);
                assert!(distance <= points.reach(cost), "{distance} for {cost}");
                // Tight: the bound for less excludes it, rounding errors of the bound apart.
                assert!(distance * (1.0 + 1e-9) >= points.reach(cost - 1) || cost > 1 << 28 || size < 1e-140);
            }
            assert!(points.reach(-1) < 0.0);
        }
    }
}
