//! Arrays become costs and lists of edges. They are copied: Python may write to them while an engine reads.

use std::sync::Arc;

use matching_core::cost::{DenseMatrix, TwoSided};
use matching_core::verify::VerifyError;
use matching_core::{Blossom, Cost, CostValue, EdgeList, Error, Instance, Parallel, Solution};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::failure;
use crate::number::Number;

/// Calls `read` with the array as one of the number types that costs may have.
macro_rules! by_type {
    ($array:expr, $kind:ident, $read:expr) => {{
        let array = $array;
        if let Ok(array) = array.extract::<$kind<'_, i32>>() {
            Ok($read(array)?)
        } else if let Ok(array) = array.extract::<$kind<'_, i64>>() {
            Ok($read(array)?)
        } else if let Ok(array) = array.extract::<$kind<'_, f32>>() {
            Ok($read(array)?)
        } else if let Ok(array) = array.extract::<$kind<'_, f64>>() {
            Ok($read(array)?)
        } else {
            Err(crate::input::wrong_array(array))
        }
    }};
}
pub(crate) use by_type;

/// An array that is of no type that costs may have.
pub(crate) fn wrong_array(array: &Bound<'_, PyAny>) -> PyErr {
    let kind = array
        .getattr("dtype")
        .map_or_else(|_| array.get_type().to_string(), |dtype| dtype.to_string());
    PyTypeError::new_err(format!(
        "costs are {kind}, or not in an array of the right dimensions; give int32, int64, float32 or float64"
    ))
}

/// How costs are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sense {
    /// Whether the greatest total is asked for: it says which infinity forbids, and which of parallel edges counts.
    pub(crate) maximise: bool,
    /// Whether all costs change their sign on the way.
    pub(crate) negate: bool,
}

impl Sense {
    pub(crate) fn apply<V: CostValue>(self, value: V, u: usize, v: usize) -> PyResult<V> {
        if !self.negate {
            return Ok(value);
        }
        let negated = value.checked_neg();
        negated.ok_or_else(|| failure::of_pairing(&Error::CostOverflow { u, v }))
    }
}

/// What is matched.
pub(crate) enum Input<V> {
    Matrix(DenseMatrix<V>),
    /// Rows with columns.
    Sides(TwoSided<DenseMatrix<V>>),
    Edges(EdgeList<V>),
    /// A cost that others have as well.
    Shared(Arc<dyn Cost<Value = V> + Send + Sync>),
    /// Things in space.
    InSpace(Box<dyn InSpace<V>>),
}

/// A cost by distances, which need not all be read to solve it.
pub(crate) trait InSpace<V: CostValue>: Cost<Value = V> + Send + Sync {
    fn solve(&self, solver: &Blossom<V>) -> Result<Solution<V>, Error>;

    fn verify(&self, solution: &Solution<V>) -> Result<(), VerifyError>;
}

impl<V: CostValue> Instance for Input<V> {
    type Value = V;

    fn to_edges(&self) -> Result<std::borrow::Cow<'_, EdgeList<V>>, Error> {
        match self {
            Self::Matrix(cost) => cost.to_edges(),
            Self::Sides(cost) => cost.to_edges(),
            Self::Edges(edges) => edges.to_edges(),
            Self::Shared(cost) => cost.to_edges(),
            Self::InSpace(cost) => cost.to_edges(),
        }
    }

    fn visit_cost(&self, visit: &mut dyn FnMut(&dyn Cost<Value = V>)) -> bool {
        match self {
            Self::Matrix(cost) => cost.visit_cost(visit),
            Self::Sides(cost) => cost.visit_cost(visit),
            Self::Edges(edges) => edges.visit_cost(visit),
            Self::Shared(cost) => cost.visit_cost(visit),
            Self::InSpace(cost) => cost.visit_cost(visit),
        }
    }
}

impl<V: CostValue> Input<V> {
    /// Number of vertices.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Matrix(cost) => cost.len(),
            Self::Sides(cost) => cost.len(),
            Self::Edges(edges) => edges.len(),
            Self::Shared(cost) => cost.len(),
            Self::InSpace(cost) => cost.len(),
        }
    }

    /// Whether any solve of it ends within some milliseconds.
    pub(crate) fn is_small(&self) -> bool {
        match self {
            // As many as the library solves without looking at limits, if it is given none.
            Self::Matrix(cost) => cost.len() <= 200,
            Self::Sides(cost) => cost.len() <= 300,
            Self::Shared(cost) => cost.len() <= 200,
            Self::InSpace(cost) => cost.len() <= 200,
            Self::Edges(edges) => edges.len() <= 2_000 && edges.edges().len() <= 2_000,
        }
    }
}

/// A square matrix; what is infinite on the side that is never chosen is forbidden. The diagonal is not read.
pub(crate) fn matrix<V: Number>(
    cost: &PyReadonlyArray2<'_, V>,
    forbidden: Option<&PyReadonlyArray2<'_, bool>>,
    sense: Sense,
) -> PyResult<DenseMatrix<V>> {
    let cost = cost.as_array();
    let (rows, cols) = cost.dim();
    if rows != cols {
        return Err(failure::shape(rows, cols));
    }
    check_mask(forbidden, rows, cols)?;
    let forbidden = forbidden.map(PyReadonlyArray2::as_array);
    let is_forbidden = |i: usize, j: usize| forbidden.as_ref().is_some_and(|mask| mask[(i, j)]);
    let is_never = |i: usize, j: usize| i != j && (is_forbidden(i, j) || cost[(i, j)].is_never(sense.maximise));
    let mut data: Vec<V> = reserved(rows, cols)?;
    let mut has_never = false;
    for (i, row) in cost.rows().into_iter().enumerate() {
        data.extend(row.iter().copied());
        let row = &mut data[i * cols..];
        row[i] = V::zero();
        if forbidden.is_none() && V::IS_INTEGER && !sense.negate {
            continue;
        }
        for (j, value) in row.iter_mut().enumerate() {
            if is_never(i, j) {
                has_never = true;
                *value = V::zero();
            } else {
                *value = sense.apply(*value, i, j)?;
            }
        }
    }
    let mut matrix = DenseMatrix::new(rows, cols, data).map_err(|error| failure::of_pairing(&error))?;
    if has_never {
        let places = (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j)));
        for (i, j) in places.filter(|&(i, j)| is_never(i, j)) {
            matrix.forbid(i, j);
        }
    }
    Ok(matrix)
}

/// Room for a copy of a matrix.
pub(crate) fn reserved<V>(rows: usize, cols: usize) -> PyResult<Vec<V>> {
    let mut data = Vec::new();
    let room = data.try_reserve_exact(rows.saturating_mul(cols));
    room.map_err(|_| failure::memory(rows, cols))?;
    Ok(data)
}

/// Refuses what says of another number of rows or columns which pairs are forbidden.
pub(crate) fn check_mask(forbidden: Option<&PyReadonlyArray2<'_, bool>>, rows: usize, cols: usize) -> PyResult<()> {
    match forbidden.map(|mask| mask.as_array().dim()) {
        Some((height, width)) if (height, width) != (rows, cols) => Err(PyValueError::new_err(format!(
            "forbidden has the shape ({height}, {width}); give that of the cost, ({rows}, {cols})"
        ))),
        _ => Ok(()),
    }
}

/// A list of edges; of parallel ones that stays which is better.
pub(crate) fn edges<V: Number>(
    vertices: usize,
    ends: [&PyReadonlyArray1<'_, i64>; 2],
    weights: &PyReadonlyArray1<'_, V>,
    sense: Sense,
) -> PyResult<EdgeList<V>> {
    let ([u, v], weights) = (ends.map(PyReadonlyArray1::as_array), weights.as_array());
    if u.len() != v.len() || u.len() != weights.len() {
        let (first, second, third) = (u.len(), v.len(), weights.len());
        return Err(PyValueError::new_err(format!(
            "there are {first} first ends, {second} second ends and {third} weights; give one of each for every edge"
        )));
    }
    let mut list = Vec::with_capacity(weights.len());
    for (edge, ((&u, &v), &weight)) in u.iter().zip(v).zip(weights).enumerate() {
        let vertex = |end: i64| {
            usize::try_from(end).map_err(|_| {
                PyValueError::new_err(format!(
                    "edge {edge} (counted from 0) names vertex {end}; vertices are numbered from 0"
                ))
            })
        };
        let (u, v) = (vertex(u)?, vertex(v)?);
        list.push((u, v, sense.apply(weight, u, v)?));
    }
    let parallel = if sense.maximise == sense.negate {
        Parallel::KeepCheapest
    } else {
        Parallel::KeepDearest
    };
    EdgeList::with_parallel(vertices, list, parallel).map_err(|error| failure::of_pairing(&error))
}
