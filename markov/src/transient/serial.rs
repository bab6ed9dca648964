//! Reports from outside. Feature `serde`.

use serde::Deserialize;

use super::TransientReport;
use crate::error::Error;
use crate::serial::{check_distribution, check_size};

/// A report as it is read.
#[derive(Deserialize)]
pub(super) struct Unchecked {
    distribution: Vec<f64>,
    total: f64,
    truncation: f64,
    rounding: f64,
    steps: usize,
}

impl TryFrom<Unchecked> for TransientReport {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self, Error> {
        let Unchecked {
            distribution,
            total,
            truncation,
            rounding,
            steps,
        } = read;
        check_distribution(&distribution)?;
        check_size("size of the total", total.abs())?;
        check_size("truncation", truncation)?;
        check_size("rounding", rounding)?;
        Ok(Self {
            distribution,
            total,
            truncation,
            rounding,
            steps,
        })
    }
}
