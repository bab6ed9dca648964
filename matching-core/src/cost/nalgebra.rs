//! Matrices of the `nalgebra` crate are costs.

use ::nalgebra::{Dim, Matrix, RawStorage};

use super::{Cost, CostValue};

/// Any `nalgebra` matrix or view, its rows and columns those of the cost.
///
/// Stored by columns: to read it often by rows, copy it with [`DenseMatrix::tabulate`](super::DenseMatrix::tabulate).
///
/// # Examples
/// ```
/// use matching_core::Cost;
/// use nalgebra::matrix;
///
/// let cost = matrix![0.0, 2.5; 2.5, 0.0];
/// assert_eq!(Cost::pair(&cost, 0, 1), 2.5);
/// ```
///
/// Pairs that must not be are infinite in many a matrix. Infinity is no cost here, but easily told apart from one:
/// ```
/// use matching_core::{Blossom, Cost, Error};
/// use nalgebra::matrix;
///
/// let far = f64::INFINITY;
/// let distance = matrix![0.0, 1.0, far, 5.0; 1.0, 0.0, 3.0, 2.5; far, 3.0, 0.0, far; 5.0, 2.5, far, 0.0];
/// assert_eq!(Blossom::new().solve(&distance).err(), Some(Error::NotANumber { u: 0, v: 2 }));
/// let reachable = (&distance).restricted(|i, j| distance[(i, j)].is_finite());
/// assert_eq!(Blossom::new().solve(&reachable)?.cost(), 8.0);
/// # Ok::<(), Error>(())
/// ```
impl<V: CostValue, R: Dim, C: Dim, S: RawStorage<V, R, C> + Sync> Cost for Matrix<V, R, C, S> {
    type Value = V;

    fn len(&self) -> usize {
        self.nrows()
    }

    fn cols(&self) -> usize {
        self.ncols()
    }

    #[track_caller]
    fn pair(&self, i: usize, j: usize) -> V {
        self[(i, j)]
    }
}
