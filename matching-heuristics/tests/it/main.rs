//! What the documentation promises, held against literal enumeration and against bad input.

mod apart;
mod determinism;
mod errors;
mod exhaustive;
mod explained;
mod extremes;
mod feasibility;
mod invariants;
mod limits;
mod many;
mod support;
mod vain;
mod warm;
