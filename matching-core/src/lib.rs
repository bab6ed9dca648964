//! Exact minimum-weight perfect matching in general graphs, with a certificate for every answer.

pub mod cost;
pub mod oracle;
pub mod verify;

mod blossom;
mod budget;
mod certificate;
mod edge_list;
mod engine;
mod error;
mod instance;
mod numbers;
mod reduction;
mod solution;
mod witness;

pub use blossom::{
    Blossom, Objective, Precision, max_cardinality_matching, max_weight_matching, min_weight_perfect_matching,
};
pub use budget::{Budget, CancelToken};
pub use certificate::{Certificate, OddSet};
pub use cost::{Cost, CostValue, GroupCost};
pub use edge_list::{Edge, EdgeList, Parallel};
pub use error::Error;
pub use instance::Instance;
pub use solution::{Solution, Status, StopReason};
pub use witness::TutteBerge;

#[cfg(feature = "proptest")]
pub mod strategies;
