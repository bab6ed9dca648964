//! Matching on complete graphs without reading every pair.

// Until the solver's loop asks it.
#![allow(dead_code)]

mod kd;
pub(crate) mod neighbours;

#[cfg(test)]
mod tests;
