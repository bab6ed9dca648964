//! Reports from outside. Feature `serde`.

use serde::Deserialize;

use super::report::{ErrorBound, StationaryReport};
use super::solver::Method;
use crate::error::Error;
use crate::serial::{check_distribution, check_size};

/// A report as it is read.
#[derive(Deserialize)]
pub(super) struct Unchecked {
    distribution: Vec<f64>,
    residual: f64,
    error: ErrorBound,
    method: Method,
    iterations: usize,
}

impl TryFrom<Unchecked> for StationaryReport {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self, Error> {
        let Unchecked {
            distribution,
            residual,
            error,
            method,
            iterations,
        } = read;
        check_distribution(&distribution)?;
        check_size("residual", residual)?;
        check_size("error", error.value)?;
        if method == Method::Auto {
            return Err(Error::Parameter {
                name: "method of a report",
                value: f64::NAN,
                expected: "the one that found it, not Auto",
            });
        }
        Ok(Self {
            distribution,
            residual,
            error,
            method,
            iterations,
        })
    }
}
