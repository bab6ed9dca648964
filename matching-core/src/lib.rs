//! Who should be put together? Exact minimum-weight perfect matching in general graphs, with a proof for every answer.
//!
//! ```
//! use matching_core::{Blossom, Error, cost};
//!
//! // Four players; a pair costs the gap between their ratings.
//! let rating = [1510_i64, 1180, 1495, 1220];
//! let gap = cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs());
//!
//! let pairing = Blossom::new().solve(&gap)?;
//! assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 2, 15), (1, 3, 40)]);
//! assert_eq!(pairing.cost(), 55);
//!
//! // Do not take our word for it: the checker reads the input, the answer and its certificate, nothing else.
//! assert!(pairing.verify(&gap).is_ok());
//! # Ok::<(), Error>(())
//! ```
//!
//! # Which type for which input
//!
//! | you have | use |
//! | --- | --- |
//! | a function of two indices | [`cost::from_fn`], or [`cost::from_symmetric_fn`] where symmetry is by construction |
//! | a matrix | [`cost::DenseMatrix`], [`cost::CondensedMatrix`], or a `nalgebra` matrix |
//! | points, and costs that grow with their distance | [`cost::Points`]; [`cost::Embedded`] for more than distance |
//! | such points by the hundred thousand | [`Blossom::solve_embedded`], [`Solution::verify_embedded`] |
//! | a sparse graph | [`EdgeList`], or a `petgraph` graph through `petgraph::GraphEdges` |
//! | a cost of whole groups, for crates that form them | [`cost::from_group_fn`], [`cost::from_group_option_fn`] |
//! | a type of your own | implement [`Cost`] |
//! | a pool that changes between solves | [`Session`] |
//! | several partners for each | [`Blossom::solve_degrees`] |
//! | nobody should have a bad partner: the worst pair first, then the total | [`Blossom::solve_bottleneck`] |
//! | pairs that must not be | [`Cost::is_allowed`], [`Cost::restricted`], or leave out the edge |
//!
//! # Which objective
//!
//! [`Blossom`] minimises the cost of a perfect matching unless told otherwise: see [`Objective`] for greatest weight,
//! greatest cardinality, penalties for staying alone, and byes, and [`Degrees`] for several partners each. Where there is no perfect matching,
//! [`Error::NoPerfectMatching`] says why, by a set of vertices that anyone can check ([`TutteBerge`]).
//!
//! # Numbers
//!
//! Integer costs (`i32`, `i64`, `i128`) are exact from end to end; totals are `i128`. Floats are turned into integers
//! on a binary grid first: exactly, or with a proven gap if [`Precision::Quantised`] is asked for. What cannot be
//! computed exactly is a typed error, never a wrapped sum.
//!
//! Costs in order, the least of one and among those the least of another, are one cost in `i128`: `k * first + second`
//! with `k` above `n` times the greatest `second`, without its sign, as the sums of no two perfect matchings differ by so much.
//!
//! ```
//! use matching_core::{Blossom, Error, cost};
//!
//! // Gaps between ratings first; among pairings of equal gaps those of players who have not met.
//! let rating = [1500_i128, 1500, 1500, 1500, 1200, 1210];
//! let has_met = |i: usize, j: usize| matches!((i.min(j), i.max(j)), (0, 1) | (0, 2) | (2, 3) | (4, 5));
//! let k = 6 + 1; // Six players, and `second` is 0 or 1.
//! let both = cost::from_fn(6, |i, j| k * (rating[i] - rating[j]).abs() + i128::from(has_met(i, j)));
//! let best = Blossom::new().solve(&both)?;
//! assert_eq!((best.cost().div_euclid(k), best.cost().rem_euclid(k)), (10, 1));
//! assert_eq!(best.pairs().map(|(i, j, _)| (i, j)).collect::<Vec<_>>(), [(0, 3), (1, 2), (4, 5)]);
//! # Ok::<(), Error>(())
//! ```
//!
//! # Proofs
//!
//! Every [`Solution`] carries a [`Certificate`]; [`verify`] checks it, and [`oracle`] solves small instances
//! exhaustively.
//!
//! # Features
//!
//! | feature | adds |
//! | --- | --- |
//! | `rayon` (on by default) | work on several threads, with the same answer for any number of them |
//! | `nalgebra` | [`Cost`] for `nalgebra` matrices |
//! | `petgraph` | `petgraph::GraphEdges`: input from `petgraph` graphs |
//! | `serde` | `Serialize`, and `Deserialize` where it makes sense, for plain data |
//! | `proptest` | `strategies`: strategies for property tests |
//!
//! The design, with the invariants of the engine, is in the crate's `DESIGN.md`, in the repository.

pub mod cost;
pub mod oracle;
pub mod verify;

mod alternating;
mod assignment;
mod blossom;
mod bottleneck;
mod budget;
mod certificate;
mod compiled;
mod degrees;
mod dense;
mod edge_list;
mod engine;
mod error;
mod explain;
mod input;
mod instance;
mod numbers;
mod progress;
mod reduction;
mod small;
mod solution;
#[cfg(feature = "rayon")]
mod threads;
mod uniform;
mod witness;

pub use blossom::{
    Blossom, Engine, Objective, Precision, max_cardinality_matching, max_weight_matching, min_weight_perfect_matching,
};
pub use bottleneck::Bottleneck;
pub use budget::{Budget, CancelToken};
pub use certificate::{Certificate, OddSet};
pub use cost::{Cost, CostValue, GroupBound, GroupCost};
pub use degrees::{BMatching, DegreeWitness, Degrees};
pub use dense::Session;
pub use edge_list::{Edge, EdgeList, Parallel};
pub use error::Error;
pub use explain::{DegreesExplanation, DegreesWhatIf, Explanation, WhatIf};
pub use instance::Instance;
pub use progress::{Progress, Stage};
pub use small::Workspace;
pub use solution::{Solution, SolvedBy, Status, StopReason};
pub use witness::TutteBerge;

#[cfg(feature = "petgraph")]
pub mod petgraph;
#[cfg(feature = "proptest")]
pub mod strategies;

/// The code in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
