//! Several games for everybody, each against somebody else, or several partners for each vertex of a graph.

mod explain;
mod graph;
mod json;
mod lack;
mod numbers;
mod pool;
mod reason;
mod report;
mod solve;
mod text;
mod wish;

pub(super) use graph::of_graph;
pub(super) use json::{Document, Witness};
pub(super) use lack::Lack;
pub(super) use pool::of_pool;
pub(super) use report::GamesReport;
pub(super) use text::render;
pub(super) use wish::Wish;
