//! Rows and columns of a matrix as two sides, and what an answer proves about each of them.

use matching_core::cost::{DenseMatrix, TwoSided};
use matching_core::{Certificate, Cost, Error, Objective, Solution};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::failure;
use crate::grid::Cell;
use crate::input::{Sense, check_mask, reserved};
use crate::number::{Number, Total};

/// A matrix of any shape; what is infinite on the side that is never chosen is forbidden. Unlike elsewhere, a row and the column of
/// its number are a pair like any other.
pub(crate) fn sides<V: Number>(
    cost: &PyReadonlyArray2<'_, V>,
    forbidden: Option<&PyReadonlyArray2<'_, bool>>,
    sense: Sense,
) -> PyResult<TwoSided<DenseMatrix<V>>> {
    let cost = cost.as_array();
    let (rows, columns) = cost.dim();
    check_mask(forbidden, rows, columns)?;
    let forbidden = forbidden.map(PyReadonlyArray2::as_array);
    let mut data = reserved(rows, columns)?;
    let mut never = Vec::new();
    for (i, row) in cost.rows().into_iter().enumerate() {
        let start = data.len();
        match row.as_slice() {
            Some(row) => data.extend_from_slice(row),
            None => data.extend(row.iter().copied()),
        }
        let row: &mut [V] = &mut data[start..];
        let has_never = !V::IS_INTEGER
            && row
                .iter()
                .fold(false, |any, value| any | value.is_never(sense.maximise));
        if has_never || forbidden.is_some() {
            let mask = forbidden.as_ref().map(|mask| mask.row(i));
            // No branch, as nothing could foretell it.
            let words = row.chunks_mut(64).enumerate().map(|(word, values)| {
                let bits = values.iter_mut().enumerate().map(|(bit, value)| {
                    let is_masked = mask.as_ref().is_some_and(|mask| mask[64 * word + bit]);
                    let is_never = is_masked | value.is_never(sense.maximise);
                    *value = if is_never { V::zero() } else { *value };
                    u64::from(is_never) << bit
                });
                bits.fold(0, |word, bit| word | bit)
            });
            never.push((i, words.collect::<Vec<u64>>()));
        }
        if sense.negate {
            for (j, value) in row.iter_mut().enumerate() {
                let negated = value.checked_neg();
                *value = negated.ok_or_else(|| failure::of_sides(&Error::CostOverflow { u: i, v: rows + j }, rows))?;
            }
        }
    }
    let mut matrix = DenseMatrix::new(rows, columns, data).map_err(|error| failure::of_pairing(&error))?;
    for (i, words) in never {
        for (at, mut word) in words.into_iter().enumerate() {
            while word != 0 {
                matrix.forbid(i, 64 * at + word.trailing_zeros() as usize);
                word &= word - 1;
            }
        }
    }
    Ok(matrix.two_sided())
}

/// What the proof of an answer says each row and each column is worth, in units of a grid.
pub(crate) struct Duals {
    rows: Vec<i128>,
    columns: Vec<i128>,
    /// A unit is 2 to this power; `None` where costs are integers, which are units themselves.
    exponent: Option<i32>,
    /// Whether the greatest total was asked for.
    is_maximum: bool,
}

impl Duals {
    /// Those of an answer whose first vertices are so many rows: `is_negated` says whether its costs have changed their sign. None of
    /// what is no proof at all.
    ///
    /// A proof may have halves, and of two copies of a vertex that differ, quarters. As costs are whole units, duals of rows can be
    /// rounded down and those of columns up: no pair then has more than it costs, and those that had all of it still do.
    pub(crate) fn of<V: Number>(solution: &Solution<V>, rows: usize, is_negated: bool) -> Option<Self> {
        let n = solution.len();
        let duals = without_sets(solution.certificate(), rows, n)?;
        // In quarters of a unit.
        let quarters = |vertex: usize| match duals.get(vertex + n) {
            Some(&copy) => duals.get(vertex)?.checked_add(copy),
            None => duals.get(vertex)?.checked_mul(2),
        };
        let down = |vertex| quarters(vertex).map(|dual| dual.div_euclid(4));
        let up = |vertex| quarters(vertex).map(|dual| -(-dual).div_euclid(4));
        let mut of_rows = (0..rows).map(down).collect::<Option<Vec<i128>>>()?;
        let mut of_columns = (rows..n).map(up).collect::<Option<Vec<i128>>>()?;
        let objective = solution.objective();
        if !matches!(objective, Objective::MaxWeight | Objective::MinOptOut(_)) {
            // Where the smaller side has partners in any case, the same may be taken from all of the one side and given to the
            // other. Those of the larger side who stay alone have the greatest duals there, which become 0.
            let (larger, smaller) = if of_rows.len() > of_columns.len() {
                (&mut of_rows, &mut of_columns)
            } else {
                (&mut of_columns, &mut of_rows)
            };
            let top = larger.iter().copied().max().unwrap_or(0);
            for dual in larger.iter_mut() {
                *dual = dual.checked_sub(top)?;
            }
            for dual in smaller.iter_mut() {
                *dual = dual.checked_add(top)?;
            }
        }
        let is_maximum = matches!(
            objective,
            Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
        );
        Some(Self {
            rows: of_rows,
            columns: of_columns,
            exponent: (!V::IS_INTEGER).then_some(solution.certificate().exponent()),
            is_maximum: is_maximum != is_negated,
        })
    }

    /// As Python has them, rows first: integers of 64 bits where they are, else of any size; floats that are nearest to them.
    pub(crate) fn told<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 2]> {
        let side = |duals: &[i128]| -> PyResult<Bound<'py, PyAny>> {
            let signed = |&dual: &i128| if self.is_maximum { -dual } else { dual };
            if let Some(exponent) = self.exponent {
                let floats = duals.iter().map(|dual| float(signed(dual), exponent));
                return Ok(PyArray1::from_iter(py, floats).into_any());
            }
            let narrow: Option<Vec<i64>> = duals.iter().map(|dual| i64::try_from(signed(dual)).ok()).collect();
            match narrow {
                Some(narrow) => Ok(PyArray1::from_vec(py, narrow).into_any()),
                None => Ok(PyList::new(py, duals.iter().map(signed))?.into_any()),
            }
        };
        Ok([side(&self.rows)?, side(&self.columns)?])
    }

    /// The bound that follows for assignments of all of the smaller side: `off` units less, as costs may be rounded.
    pub(crate) fn bound(&self, off: i128) -> Option<Total> {
        let mut all = self.rows.iter().chain(&self.columns);
        let sum = all.try_fold(-off, |sum, &dual| sum.checked_add(dual))?;
        let sum = if self.is_maximum { -sum } else { sum };
        Some(match self.exponent {
            None => Total::Integer(sum),
            // It must not become better by rounding.
            Some(exponent) if self.is_maximum => Total::Float(float(sum, exponent).next_up()),
            Some(exponent) => Total::Float(float(sum, exponent).next_down()),
        })
    }
}

/// The duals of vertices of a proof, with what its odd sets add. Most have none, but an engine that makes pairs of those who stay alone
/// may find some. Let everybody in such a set who is of the side that has more in it get the dual of the set, and everybody else in it lose
/// as much: then pairs within have what they had, those that lead out at most what they had with the set, and the sum is no less.
fn without_sets(certificate: &Certificate, rows: usize, n: usize) -> Option<Vec<i128>> {
    let mut duals = certificate.vertex_duals().to_vec();
    // The copy of a row is beside columns, as it is linked to the row.
    let is_first = |vertex: u32| (vertex as usize % n.max(1) < rows) == ((vertex as usize) < n);
    for set in certificate.odd_sets() {
        let start = set.start as usize;
        let members = certificate.order().get(start..start.checked_add(set.len as usize)?)?;
        let firsts = members.iter().filter(|&&vertex| is_first(vertex)).count();
        let has_more_firsts = 2 * firsts > members.len();
        for &vertex in members {
            let dual = duals.get_mut(vertex as usize)?;
            *dual = if is_first(vertex) == has_more_firsts {
                dual.checked_add(set.dual)?
            } else {
                dual.checked_sub(set.dual)?
            };
        }
    }
    Some(duals)
}

/// The float nearest to so many units of a grid, as far as floats have their full precision there.
fn float(units: i128, exponent: i32) -> f64 {
    match i64::try_from(units) {
        Ok(units) if units.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS => Cell::float(units, exponent),
        _ => {
            let near = units as f64;
            // What has so many bits is a whole number of what is left without the last of them.
            let shift = (i128::BITS - units.unsigned_abs().leading_zeros()).saturating_sub(62);
            let narrow = near / 2f64.powi(shift as i32);
            Cell::float(narrow as i64, exponent.saturating_add(shift as i32))
        }
    }
}
