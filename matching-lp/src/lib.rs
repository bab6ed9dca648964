//! Exact grouping: players into teams of any size at the least cost there is, with a proof.
//!
//! ```
//! # use matching_core::cost;
//! # use matching_lp::{Groups, Problem, Solver};
//! # let skill = [900_i64, 1500, 1480, 950, 1490, 920];
//! let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
//! let problem = Problem::new(&gap, Groups::of_size(6, 3)?)?;
//! let solution = Solver::new().solve(&problem)?;
//! assert_eq!(solution.groups(), [[0, 3, 5], [1, 2, 4]]);
//! assert!(solution.is_optimal() && solution.verify(&problem).is_ok());
//! # Ok::<(), matching_lp::Error>(())
//! ```
//!
//! Costs are written down with [`matching_core`]: a dependency of one's own, or `matching_lp::matching_core`.
//!
//! - [`Problem`]: who is grouped at what cost of pairs and of whole groups, who stays together or apart, who plays what
//!   role, who is pinned where, who may wait and at what cost.
//! - [`Halves`]: a cost of groups that are split in two even teams.
//! - [`Solver`]: limits, and the method; [`Solver::solve_in_order`] for several costs, of which the first counts first.
//! - [`Solution`]: groups, cost, bound, [`Status`], and a [`Certificate`] that [`Solution::verify`] checks.
//! - [`Error::Infeasible`]: there is no grouping, which is proven, and players who are in each other's way.
//! - [`SetPartitioning`]: the whole problem as a program of teams, in LP and MPS format, for other solvers.
//! - `formulations`, of the feature `good_lp`: models that people read, add constraints of their own to, and give to
//!   any solver that `good_lp` knows.
//!
//! Integer costs are exact from end to end. Floats are exact where their digits leave room, else rounded to a grid of
//! 40 bits a total; then no status is better than `Feasible(Rounding)`, and the bound allows for the rounding.
//!
//! Features, none of them on by default: `good_lp` and `highs` for `formulations`; `serde` for `Serialize` and `Deserialize` of
//! results, so that a proof can be kept, and checked elsewhere.
//!
//! From several hundred players on, expect a gap rather than a proof; where you need neither, use `matching-heuristics`. For
//! pairs, use `matching-core`.

mod approach;
mod ascent;
mod branching;
mod certificate;
mod classes;
mod conflict;
mod crowd;
mod cut;
mod cuts;
mod decisions;
mod dive;
mod duals;
mod error;
mod export;
#[cfg(feature = "good_lp")]
pub mod formulations;
mod generate;
mod grid;
mod half_sums;
mod halves;
mod improve;
mod levels;
mod limits;
mod master;
mod model;
mod pairs;
mod part;
mod pool;
mod pricing;
mod primal;
mod problem;
mod program;
mod quotas;
mod random;
mod roles;
mod rounding;
mod run;
#[cfg(feature = "serde")]
mod serial;
mod set_cuts;
mod solution;
mod solver;
mod terms;
mod text;
mod torn;
mod tree;
mod verify;
mod warm;
mod wishes;

/// The crates whose types stand in signatures of this one, as it was built with them.
#[cfg(feature = "good_lp")]
#[doc(no_inline)]
pub use good_lp;
/// The crates whose types stand in signatures of this one, as it was built with them.
#[doc(no_inline)]
pub use {matching_core, matching_heuristics};

pub use certificate::Certificate;
pub use error::{Conflict, Error, Overflow};
pub use export::{Column, Place, SetPartitioning, Sizes};
pub use halves::{Halves, Split};
pub use levels::{Level, Levels};
#[doc(no_inline)]
pub use matching_core::verify::Number;
#[doc(no_inline)]
pub use matching_core::{Budget, CancelToken, Cost, CostValue, GroupBound, GroupCost};
pub use matching_heuristics::{Error as GroupsError, Groups};
pub use problem::Problem;
pub use roles::Role;
pub use solution::{Solution, Status, StopReason};
pub use solver::{Progress, Solver};
pub use verify::VerifyError;

/// The code in the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
