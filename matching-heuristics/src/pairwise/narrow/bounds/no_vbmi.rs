//! In place of [`vbmi`](super::vbmi) in programs compiled for processors with AVX-512 VBMI alone (`-C
//! target-cpu=native` there).
//!
//! `multiversion` makes no second copy of a function for what every function may use already, and in what is no such
//! copy the intrinsics are unsafe to call. So no `Lookup` exists, and numbers of 16 bits are looked up.

use super::loops::Exchange;

/// There is none.
#[derive(PartialEq)]
pub(super) enum Lookup {}

impl Lookup {
    /// `None`.
    pub(super) fn new(_units: &[u16], _banks: usize) -> Option<Self> {
        None
    }

    /// Never called.
    pub(super) fn place(&mut self, _slot: usize, _before: u16, _unit: u16) {
        match *self {}
    }
}

/// Never called.
pub(super) fn exchange_bytes(_rows: Exchange<'_>, lookup: &Lookup) {
    match *lookup {}
}
