//! Groups that cost the sum of their pairs.
//!
//! The gain matrix holds, for every group and unit, what the unit would pay in that group. A swap is then known from
//! four numbers, and one that is carried out changes two rows of the matrix.

mod annealing;
mod calibration;
mod coherence;
mod descent;
mod gains;
mod greedy;
mod grid;
mod limits;
mod narrow;
mod replica;
mod scale;
mod scan;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod wide;

pub(crate) use calibration::{calibrate, is_calibrated};
pub(crate) use gains::Gains;
pub(crate) use greedy::deal;
pub(crate) use grid::Grid;
pub(crate) use scale::Unread;
