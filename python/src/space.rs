//! Points become a cost.

use matching_core::cost::{Norm, Points};
use matching_core::verify::VerifyError;
use matching_core::{Blossom, Error, Solution};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure;
use crate::input::{InSpace, Input};

impl<const D: usize> InSpace<i64> for Points<D> {
    fn solve(&self, solver: &Blossom<i64>) -> Result<Solution<i64>, Error> {
        solver.solve_embedded(self)
    }

    fn verify(&self, solution: &Solution<i64>) -> Result<(), VerifyError> {
        solution.verify_embedded(self)
    }
}

/// Points, a row for each. Axes that they do not have are 0, which no distance changes: the engine is compiled for some
/// numbers of them.
pub(crate) fn points(given: &PyReadonlyArray2<'_, f64>, norm: &str, scale: f64) -> PyResult<Input<i64>> {
    let norm = match norm {
        "euclidean" => Norm::Euclidean,
        "manhattan" => Norm::Manhattan,
        "chebyshev" => Norm::Chebyshev,
        other => return Err(PyValueError::new_err(format!("there is no norm {other:?}"))),
    };
    match given.as_array().ncols() {
        0..=1 => of_axes::<1>(given, norm, scale),
        2 => of_axes::<2>(given, norm, scale),
        3 => of_axes::<3>(given, norm, scale),
        4 => of_axes::<4>(given, norm, scale),
        5..=8 => of_axes::<8>(given, norm, scale),
        9..=16 => of_axes::<16>(given, norm, scale),
        17..=32 => of_axes::<32>(given, norm, scale),
        axes => Err(PyValueError::new_err(format!(
            "points have {axes} coordinates; there may be 32, and matrices of costs know no limit"
        ))),
    }
}

fn of_axes<const D: usize>(given: &PyReadonlyArray2<'_, f64>, norm: Norm, scale: f64) -> PyResult<Input<i64>> {
    let rows = given.as_array();
    let point = |row: numpy::ndarray::ArrayView1<'_, f64>| {
        let mut point = [0.0; D];
        point.iter_mut().zip(row).for_each(|(to, &from)| *to = from);
        point
    };
    let points =
        Points::scaled(rows.rows().into_iter().map(point).collect(), scale).and_then(|points| points.norm(norm));
    Ok(Input::InSpace(Box::new(
        points.map_err(|error| failure::of_pairing(&error))?,
    )))
}
