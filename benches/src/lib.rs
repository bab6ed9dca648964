//! What the benchmarks and the comparisons with other solvers share: seeded instances and their files.
//!
//! [`families`] defines every instance once, so that a figure means the same wherever it stands; [`files`] carries
//! instances to solvers in other languages.

pub mod families;
pub mod files;
