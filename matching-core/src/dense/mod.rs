//! Matching on complete graphs without reading every pair.

// Until the solver's loop asks it.
#![allow(dead_code)]

pub(crate) mod neighbours;
mod tree;

#[cfg(test)]
mod tests;
