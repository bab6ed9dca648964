//! What is wrong, in the words of the package.

use matching_core::Error;
use matching_heuristics::Error as GroupError;
use matching_lp::{Conflict, Error as ExactError};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

pyo3::import_exception!(pairgroup._errors, NoGrouping);
pyo3::import_exception!(pairgroup._errors, PrecisionError);
pyo3::import_exception!(pairgroup._errors, VerifyError);

/// A symmetric cost was needed.
fn asymmetric(u: usize, v: usize) -> String {
    format!(
        "the costs of ({u}, {v}) and ({v}, {u}) differ, or only one of the two is forbidden; give a symmetric matrix, such as \
         cost + cost.T"
    )
}

fn not_square(rows: usize, cols: usize) -> String {
    format!("the cost has {rows} rows and {cols} columns; give as many columns as rows")
}

fn pair_not_a_number(i: usize, j: usize) -> String {
    format!(
        "the cost of players {i} and {j} is NaN, or infinite on the side that is chosen first; give a number, or keep them \
         apart: by `forbidden`, by `apart`, or by an infinite cost on the other side"
    )
}

/// A matrix that is not square, before any engine sees it.
pub(crate) fn shape(rows: usize, cols: usize) -> PyErr {
    PyValueError::new_err(not_square(rows, cols))
}

/// Why there is no pairing, where that is no [`Error::NoPerfectMatching`]. What the library says of its own types is said
/// of those of the package.
pub(crate) fn of_pairing(error: &Error) -> PyErr {
    if let Error::PrecisionRequired { bits_needed } = error {
        return PrecisionError::new_err(format!(
            "an exact answer for these floats could need {bits_needed} bits and 126 are available; rounded=True answers \
             with a proven gap"
        ));
    }
    PyValueError::new_err(match *error {
        Error::Asymmetric { u, v } => asymmetric(u, v),
        Error::NotSquare { rows, cols } => not_square(rows, cols),
        Error::NotANumber { u, v } => format!(
            "the cost of the pair ({u}, {v}) is NaN, or infinite on the side that is chosen first; give a number, or forbid \
             the pair: by `forbidden`, by an infinite cost on the other side, or by leaving out the edge"
        ),
        // Nothing else is done to costs on the way here than to change their sign.
        Error::CostOverflow { u, v } => format!(
            "the cost of the pair ({u}, {v}) is the least integer of its type, whose sign cannot change; give a greater number"
        ),
        Error::PointsTooFarApart { cost } => {
            format!(
                "the diagonal of the box around the points would cost {cost:e}, more than 2^53; give a smaller scale"
            )
        }
        _ => error.to_string(),
    })
}

/// Why there is no assignment of so many rows to columns, which are vertices after the rows.
pub(crate) fn of_sides(error: &Error, rows: usize) -> PyErr {
    let place = |u: usize, v: usize| format!("row {} and column {}", u.min(v), u.max(v).saturating_sub(rows));
    PyValueError::new_err(match *error {
        Error::NotANumber { u, v } => format!(
            "the cost of {} is NaN, or infinite on the side that is chosen first; give a number, or forbid the pair: by \
             `forbidden`, or by an infinite cost on the other side",
            place(u, v)
        ),
        Error::CostOverflow { u, v } => format!(
            "the cost of {} is the least integer of its type, whose sign cannot change, as it does here on the way; give a greater \
             number",
            place(u, v)
        ),
        _ => return of_pairing(error),
    })
}

/// Why there is no grouping.
pub(crate) fn of_grouping(error: &GroupError) -> PyErr {
    let members = match error {
        GroupError::OnlyForbidden { members, .. } | GroupError::AllForbidden { members, .. } => members.clone(),
        _ => Vec::new(),
    };
    match *error {
        GroupError::OutOfMemory { .. } => PyMemoryError::new_err(error.to_string()),
        GroupError::AllForbidden { .. } | GroupError::PartiesDoNotFit { .. } => {
            NoGrouping::new_err((error.to_string(), true, members))
        }
        GroupError::OnlyForbidden { .. } | GroupError::PackingUnknown { .. } => {
            NoGrouping::new_err((error.to_string(), false, members))
        }
        GroupError::Asymmetric { i, j } => PyValueError::new_err(asymmetric(i, j)),
        GroupError::NotSquare { rows, cols } => PyValueError::new_err(not_square(rows, cols)),
        GroupError::PairNotANumber { i, j } => PyValueError::new_err(pair_not_a_number(i, j)),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Why there is no exact grouping.
pub(crate) fn of_exact(error: &ExactError) -> PyErr {
    match error {
        ExactError::Groups(error) => of_grouping(error),
        ExactError::OutOfMemory { .. } => PyMemoryError::new_err(error.to_string()),
        ExactError::Infeasible(conflict) => {
            let players = match conflict {
                Conflict::Players { players, .. } => players.clone(),
                _ => Vec::new(),
            };
            NoGrouping::new_err((error.to_string(), true, players))
        }
        ExactError::Asymmetric { i, j } => PyValueError::new_err(asymmetric(*i, *j)),
        ExactError::NotSquare { rows, cols } => PyValueError::new_err(not_square(*rows, *cols)),
        ExactError::PairNotANumber { i, j } => PyValueError::new_err(pair_not_a_number(*i, *j)),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// A search that would take more memory than it may.
pub(crate) fn memory_for_partners(bytes: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "a search for so many partners would take about {} GiB, of 16 that it may; ask for fewer partners, or give fewer pairs",
        bytes >> 30
    ))
}

/// Memory that is not to be had.
pub(crate) fn memory(rows: usize, cols: usize) -> PyErr {
    PyMemoryError::new_err(format!(
        "there is no memory for a copy of a matrix of {rows} x {cols} costs"
    ))
}
