//! Reports from outside. Feature `serde`.

use serde::Deserialize;

use super::report::{ErrorBound, ErrorKind, StationaryReport};
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

/// A bound or an estimate as it is read.
#[derive(Deserialize)]
pub(super) struct UncheckedError {
    value: f64,
    kind: ErrorKind,
}

impl TryFrom<UncheckedError> for ErrorBound {
    type Error = Error;

    fn try_from(read: UncheckedError) -> Result<Self, Error> {
        let UncheckedError { value, kind } = read;
        check_size("error", value)?;
        Ok(Self { value, kind })
    }
}
