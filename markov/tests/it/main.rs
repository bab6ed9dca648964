//! Integration tests, one module per subject.

mod lumping;
mod qbd;
mod simulate;
mod simulate_waits;
