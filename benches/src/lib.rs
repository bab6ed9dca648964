//! What the benchmarks and the comparisons with other solvers share: seeded instances, their files, and one way of
//! running every solver that can be linked.
//!
//! [`families`] defines every instance once, so that a figure means the same wherever it stands; [`files`] carries
//! instances to solvers in other languages; [`solvers`] turns an instance into an optimum and two times; [`scan`] is
//! the yardstick for complete graphs; [`figures`] draws the pictures of `markov`; [`groups`] are instances of grouping, [`chains`] of
//! Markov chains and decision processes;
//! `comparison` (feature `peers`) runs solvers in processes of their own, one by one.

pub mod chains;
pub mod families;
pub mod figures;
pub mod files;
pub mod groups;
pub mod scan;
pub mod solvers;

#[cfg(feature = "peers")]
pub mod comparison;

mod own;
#[cfg(feature = "peers")]
mod peers;
