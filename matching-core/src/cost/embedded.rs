//! Costs that grow with a distance.

use super::Cost;

/// How the differences along the axes make a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Norm {
    /// √(Σ dₐ²), the straight line.
    #[default]
    Euclidean,
    /// Σ |dₐ|: every axis counts by itself.
    Manhattan,
    /// max |dₐ|: only the widest axis counts.
    Chebyshev,
}

impl Norm {
    /// The length of a difference whose coordinates are not negative.
    ///
    /// Every step is an operation whose rounded result does not fall when an operand grows, so a vector that is
    /// nowhere longer has no greater *computed* length. What prunes by boxes relies on that.
    #[inline]
    pub(crate) fn length<const D: usize>(self, difference: &[f64; D]) -> f64 {
        match self {
            Self::Euclidean => difference.iter().fold(0.0, |sum: f64, d| sum + d * d).sqrt(),
            Self::Manhattan => difference.iter().sum(),
            Self::Chebyshev => difference.iter().fold(0.0, |most: f64, &d| most.max(d)),
        }
    }

    /// The distance between two points, the same to the last bit for both orders.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost::Norm;
    ///
    /// let (a, b) = ([1.0, 2.0], [4.0, -2.0]);
    /// assert_eq!(Norm::Euclidean.distance(&a, &b), 5.0);
    /// assert_eq!(Norm::Manhattan.distance(&a, &b), 7.0);
    /// assert_eq!(Norm::Chebyshev.distance(&a, &b), 4.0);
    /// ```
    #[inline]
    pub fn distance<const D: usize>(self, a: &[f64; D], b: &[f64; D]) -> f64 {
        let mut difference = [0.0; D];
        for axis in 0..D {
            difference[axis] = (a[axis] - b[axis]).abs();
        }
        self.length(&difference)
    }
}

/// A symmetric cost of things that lie in space, where a low cost means a small distance.
///
/// That is all an index of the points needs in order to find the pairs that matter without reading every pair. The
/// cost may depend on anything else too; only [`reach`](Embedded::reach) ties it to the space, and the tighter that
/// bound, the fewer pairs are read. [`Points`](super::Points) is the cost that depends on the distance alone.
///
/// The same contract as for [`Cost::is_symmetric`] holds: `pair` and `is_allowed` are symmetric by construction.
///
/// # Examples
/// The gap between two ratings, and 150 more between regions, as points on the line of ratings:
/// ```
/// use matching_core::Cost;
/// use matching_core::cost::{Embedded, Norm};
///
/// struct Pool {
///     rating: Vec<i64>,
///     region: Vec<u8>,
/// }
///
/// impl Cost for Pool {
///     type Value = i64;
///
///     fn len(&self) -> usize {
///         self.rating.len()
///     }
///
///     fn pair(&self, i: usize, j: usize) -> i64 {
///         let far = self.region[i] != self.region[j];
///         (self.rating[i] - self.rating[j]).abs() + if far { 150 } else { 0 }
///     }
///
///     fn is_symmetric(&self) -> bool {
///         true
///     }
/// }
///
/// impl Embedded<1> for Pool {
///     fn point(&self, i: usize) -> [f64; 1] {
///         [self.rating[i] as f64]
///     }
///
///     fn norm(&self) -> Norm {
///         Norm::Manhattan
///     }
///
///     // Nothing costs less than the gap between the ratings.
///     fn reach(&self, cost: i64) -> f64 {
///         cost as f64
///     }
/// }
///
/// let pool = Pool { rating: vec![1510, 1180, 1495], region: vec![0, 0, 1] };
/// assert_eq!(pool.pair(0, 2), 165);
/// ```
/// With the region on axes of its own the bound is exact: see [`Points`](super::Points#examples).
///
/// Solvers rely on what the methods promise, as they do with a [`Cost`]: where it does not hold they may panic, or answer wrongly.
pub trait Embedded<const D: usize>: Cost<Value = i64> {
    /// Where thing `i` lies: coordinates between -1e150 and 1e150, the same at every call.
    fn point(&self, i: usize) -> [f64; D];

    /// How distances between the points are measured.
    fn norm(&self) -> Norm;

    /// A distance that no allowed pair exceeds whose cost is at most `cost`; negative if there is no such pair.
    ///
    /// It must hold for the true distance between the `f64`s that [`point`](Embedded::point) returns, so round up
    /// where the bound is not exact. The rounding errors of distances that a solver computes are its own business.
    /// It must not fall when `cost` grows. `f64::INFINITY` is always right, and makes a solver read every pair.
    fn reach(&self, cost: i64) -> f64;
}
