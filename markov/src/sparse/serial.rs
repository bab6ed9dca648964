//! Matrices from outside. Feature `serde`.

use serde::Deserialize;

use super::Csr;
use crate::error::{Error, check_length};
use crate::scalar::Scalar;
use crate::serial::{check_starts, numbers};

/// A matrix as it is read.
#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct Unchecked<T> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    #[serde(deserialize_with = "numbers")]
    values: Vec<T>,
    width: usize,
}

impl<T: Scalar> TryFrom<Unchecked<T>> for Csr<T> {
    type Error = Error;

    fn try_from(read: Unchecked<T>) -> Result<Self, Error> {
        let Unchecked {
            starts,
            columns,
            values,
            width,
        } = read;
        check_length("values of a matrix", columns.len(), values.len())?;
        check_starts(&starts, columns.len(), 0)?;
        let refused = |name, value, expected| Err(Error::Parameter { name, value, expected });
        if u32::try_from(width).is_err() || u32::try_from(starts.len()).is_err() {
            return refused("number of columns or rows", width as f64, "at most u32::MAX");
        }
        for row in starts.windows(2) {
            let columns = &columns[row[0]..row[1]];
            if let Some(&column) = columns.iter().find(|&&column| column as usize >= width) {
                return refused("column", f64::from(column), "one of the matrix");
            }
            if let Some(pair) = columns.windows(2).find(|pair| pair[0] >= pair[1]) {
                return refused("column", f64::from(pair[1]), "above the one before it in its row");
            }
        }
        if values.iter().any(T::is_zero) {
            return refused("entry", 0.0, "not zero");
        }
        Ok(Self {
            starts,
            columns,
            values,
            width,
        })
    }
}
