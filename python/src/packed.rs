//! Answers on their way to other processes, with their proofs; the input stays behind.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::number::Number;

/// The number type and the bytes, as Python has them.
pub(crate) type InPython<'py> = (&'static str, Bound<'py, PyBytes>);

/// An answer of some number type, as bytes.
pub(crate) struct Packed {
    pub(crate) number: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl Packed {
    pub(crate) fn of<V: Number>(answer: &impl Serialize) -> PyResult<Self> {
        let bytes = postcard::to_allocvec(answer);
        Ok(Self {
            number: V::NAME,
            bytes: bytes.map_err(|error| PyValueError::new_err(format!("the answer cannot be written: {error}")))?,
        })
    }

    pub(crate) fn into_python(self, py: Python<'_>) -> InPython<'_> {
        (self.number, PyBytes::new(py, &self.bytes))
    }
}

/// What [`Packed::of`] has made bytes of.
pub(crate) fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    postcard::from_bytes(bytes).map_err(|error| PyValueError::new_err(format!("these bytes are no answer: {error}")))
}

/// Does something with `$V` as the number type of that name.
macro_rules! by_name {
    ($name:expr, $V:ident => $make:expr) => {
        match $name {
            "int32" => {
                type $V = i32;
                $make
            }
            "int64" => {
                type $V = i64;
                $make
            }
            "float32" => {
                type $V = f32;
                $make
            }
            "float64" => {
                type $V = f64;
                $make
            }
            other => Err(pyo3::exceptions::PyValueError::new_err(format!(
                "{other:?} is no number type of costs"
            ))),
        }
    };
}
pub(crate) use by_name;
