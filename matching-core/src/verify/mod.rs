//! The independent checker.
//!
//! It reads the input, the answer and the [`Certificate`], and nothing that a solver keeps to itself. It shares no
//! arithmetic with the solvers either: costs are read here anew, sums are checked `i128`, and what does not fit is
//! refused ([`VerifyError::Overflow`]), never wrapped.
//!
//! # What is checked
//! 1. The matching: mates are symmetric, every pair is an edge of the input with the input's weight, as many vertices
//!    are matched as the objective demands, the cost is the sum it should be.
//! 2. The duals: `order` is a permutation, the odd sets are odd, laminar and of non-negative dual value, and no edge
//!    of the *reduced instance* has negative slack
//!    `2 k(u, v) - y(u) - y(v) - sum of z(S) over the sets S that contain exactly one of u, v`.
//! 3. Strong duality where the answer is said to be optimal: twice the reduced cost of the matching is
//!    `sum y + sum z`. Elsewhere, that the claimed bound follows from the duals.
//!
//! Every perfect matching crosses every odd set at least once, so 2 alone gives: twice the cost of a perfect matching
//! is at least `sum y + sum z`. With 3 the matching is therefore optimal, whoever found it and however (Edmonds 1965).
//!
//! # How costs are read
//! An instance that is a [`Cost`](crate::Cost) on all pairs is read row by row and never copied into a list of edges:
//! first all of it, for faults, then again for the slacks. Most edges are cleared by a quick comparison that can only
//! err by not clearing; what decides is the checked `i128` arithmetic. With the feature `rayon` bands of rows are read
//! on the threads of the pool that the call is made from, and the first fault in order of rows is the one reported,
//! whatever the number of threads.
//!
//! # Reduced instances
//! A certificate is about perfect matchings of least cost. The objectives are brought to that form as follows, with
//! `w` the input's weight on the grid and `n` its number of vertices; vertex `v + n` is the copy of vertex `v`.
//!
//! | objective | vertices | edges | cost of the image of a matching `M` |
//! | --- | --- | --- | --- |
//! | `MinPerfect` | `n` | `k = w` | `w(M)` |
//! | `MaxPerfect` | `n` | `k = -w` | `-w(M)` |
//! | `MaxWeight` | `2n` | both copies `k = -w`, links `(v, v + n)` of `k = 0` | `-2 w(M)` |
//! | `MaxCardinality` | `2n` | the same, links of `k = 2K`, `K = n max abs w + 1` | `-2 w(M) + 2K` per unmatched vertex |
//! | `MinOptOut(p)` | `2n` | both copies `k = w`, links of `k = 2 p(v)` | twice `w(M)` + penalties |
//! | `MinBye(b)`, odd `n` | `n + 1` | `k = w`, and `(v, n)` of `k = b(v)` | `w(M)` + bye |
//! | `MinBye(b)`, even `n` | `n` | `k = w` | `w(M)` |
//!
//! # Several partners
//! The certificate of a [`BMatching`](crate::BMatching) is about a graph that the checker makes of some of the input's edges, on
//! the grid: as many copies of each vertex as it may have partners, and two sides for each of these edges, joined to each other
//! at no cost and to all copies of their ends, one of them at the cost of the edge. (Copies that may stay alone lead to a chain
//! of triangles, at the price of a missing partner: `degrees/gadget.rs`, the one part that it has in common with the solver.)
//! Every other edge `(u, v)` must have `2 k(u, v) >= Y(u) + Y(v)`, where `Y` is the greatest dual of the copies of a vertex,
//! each with those of all sets around it; by as much as it falls short of that, it takes from the bound. What choices of edges
//! are then no better is as above.
//!
//! # Floating-point costs
//! A cost `w` lies on the certificate's grid if it is an integer multiple of `2^exponent`. If all do, everything is
//! exact and totals must be the `f64` nearest to the exact value. If some do not, `k = w / 2^exponent` rounded half to
//! even; a term is then off by half a grid unit at most, a bound is weaker by that much for each term a solution can
//! have, rounding it to an `f64` may not make it better, and no answer can be called optimal.

mod bands;
mod degrees;
mod duals;
mod error;
mod extent;
mod filter;
mod graph;
mod grid;
mod matching;
mod reduced;
mod rows;
mod space;
mod witness;

pub use degrees::degrees_witness;
pub(crate) use degrees::{Condition, bound_under, check_b_matching, check_degree_witness};
pub use error::{Number, VerifyError};
pub use space::claim_embedded;
pub(crate) use witness::check_witness;
pub use witness::{infeasibility, witness};

use crate::blossom::Objective;
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::Edge;
use crate::instance::{Instance, Opaque};
use crate::solution::{Solution, Status};
use graph::Graph;
use reduced::Reduced;

/// Everything that an answer says, in plain parts, so that answers from anywhere can be checked.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a, V: CostValue> {
    /// What was asked.
    pub objective: &'a Objective<V>,
    /// Partner of each vertex, `u32::MAX` where there is none.
    pub mates: &'a [u32],
    /// The matched pairs in order of their lower members, with their weights.
    pub pairs: &'a [Edge<V>],
    /// Total of the objective.
    pub cost: V::Total,
    /// What no answer can be better than.
    pub bound: V::Total,
    /// How good the answer is said to be.
    pub status: Status,
    /// The proof.
    pub certificate: &'a Certificate,
}

impl<'a, V: CostValue> From<&'a Solution<V>> for Claim<'a, V> {
    fn from(solution: &'a Solution<V>) -> Self {
        Self {
            objective: &solution.objective,
            mates: &solution.mates,
            pairs: &solution.pairs,
            cost: solution.cost,
            bound: solution.bound,
            status: solution.status,
            certificate: &solution.certificate,
        }
    }
}

impl<V: CostValue> Solution<V> {
    /// Checks this answer against its input: [`verify::solution`](solution).
    ///
    /// # Errors
    /// The first thing found wrong.
    pub fn verify<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<(), VerifyError> {
        solution(instance, self)
    }
}

impl<V: CostValue> Solution<V> {
    /// How many pairs a matching of this input can have at most, by the certificate, which is checked on the way.
    ///
    /// Says under [`Objective::MaxCardinality`] how many more pairs a solve that was stopped might have found: exactly none
    /// where it was not. Its [`bound`](Solution::bound) counts each of them as twice the number `n max abs w + 1` of the
    /// [table](self#reduced-instances), so it can be compared with a weight only where there cannot be more pairs. Under
    /// other objectives this is half of the number of vertices.
    ///
    /// # Errors
    /// The first thing found wrong with the certificate.
    ///
    /// # Complexity
    /// As [`verify`](Solution::verify).
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Budget, EdgeList, Objective};
    ///
    /// // Two of the three leaves of a star stay alone.
    /// let star = EdgeList::new(4, [(0, 1, 5i64), (0, 2, 7), (0, 3, 6)])?;
    /// let solver = Blossom::new().objective(Objective::MaxCardinality);
    /// let best = solver.solve(&star)?;
    /// assert_eq!((best.pairs().len(), best.pairs_at_most(&star)?), (1, 1));
    ///
    /// let stopped = solver.budget(Budget::new().work(0)).solve(&star)?;
    /// assert!((1..=2).contains(&stopped.pairs_at_most(&star)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs_at_most<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<usize, VerifyError> {
        V::pairs_at_most(&Opaque(instance), self)
    }
}

/// Checks a solver's answer against its input.
///
/// # Errors
/// The first thing found wrong.
///
/// # Complexity
/// `O((n + m) log n)` time and `O(n)` space for `n` vertices and `m` edges, however deep the odd sets are nested. A
/// cost is never copied into a list: each allowed pair is read twice if the cost is known to be
/// [symmetric](crate::Cost::is_symmetric), else four times.
///
/// # Examples
/// ```
/// use matching_core::verify::{self, Claim};
/// use matching_core::{Certificate, Edge, EdgeList, Objective, Status};
///
/// // One edge of cost 5, matched; duals 5 + 5 = 2 * 5.
/// let graph = EdgeList::new(2, [(0, 1, 5i64)])?;
/// let certificate = Certificate::new(vec![5, 5], vec![0, 1], vec![], 0);
/// let mut claim = Claim {
///     objective: &Objective::MinPerfect,
///     mates: &[1, 0],
///     pairs: &[Edge { u: 0, v: 1, weight: 5 }],
///     cost: 5,
///     bound: 5,
///     status: Status::Optimal,
///     certificate: &certificate,
/// };
/// assert!(verify::claim(&graph, &claim).is_ok());
/// claim.cost = 4;
/// assert!(verify::claim(&graph, &claim).is_err());
/// # Ok::<(), matching_core::verify::VerifyError>(())
/// ```
pub fn solution<I, V>(instance: &I, solution: &Solution<V>) -> Result<(), VerifyError>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    claim(instance, &Claim::from(solution))
}

/// Checks an answer given in parts: what [`solution`] does.
///
/// # Errors
/// The first thing found wrong.
pub fn claim<I, V>(instance: &I, claim: &Claim<'_, V>) -> Result<(), VerifyError>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    V::check_claim(&Opaque(instance), claim)
}

/// [`claim`], whatever the instance.
pub(crate) fn check_claim<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    claim: &Claim<'_, V>,
) -> Result<(), VerifyError> {
    Graph::read(instance, |graph| check(graph, claim))
}

fn check<V: CostValue>(graph: &Graph<'_, V>, claim: &Claim<'_, V>) -> Result<(), VerifyError> {
    let reduced = Reduced::new(graph, claim.objective, claim.certificate.exponent())?;
    matching::check(graph, claim)?;
    let doubled_bound = duals::check(graph, &reduced, claim.certificate)?;
    let grid_cost = matching::cost(&reduced, claim)?;
    if claim.status != Status::Optimal {
        let bound = reduced.bound(doubled_bound, claim.pairs.len())?;
        return reduced.check_bound(bound, Number::from(claim.bound));
    }
    reduced.check_exact()?;
    let primal = reduced.doubled_cost(grid_cost, claim.pairs.len())?;
    if primal != doubled_bound {
        return Err(VerifyError::Gap {
            primal,
            dual: doubled_bound,
        });
    }
    match (Number::from(claim.bound), Number::from(claim.cost)) {
        (found, required) if found == required => Ok(()),
        (found, required) => Err(VerifyError::Bound { found, required }),
    }
}

/// Checks that a certificate is a feasible dual solution of the reduced instance of an objective, and returns the
/// bound `sum y + sum z` on twice the cost of its perfect matchings, on the grid.
///
/// # Errors
/// The first thing found wrong.
pub fn certificate<I, V>(instance: &I, objective: &Objective<V>, certificate: &Certificate) -> Result<i128, VerifyError>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    V::check_certificate(&Opaque(instance), objective, certificate)
}

/// [`certificate`], whatever the instance.
pub(crate) fn check_certificate<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    objective: &Objective<V>,
    certificate: &Certificate,
) -> Result<i128, VerifyError> {
    Graph::read(instance, |graph| {
        let reduced = Reduced::new(graph, objective, certificate.exponent())?;
        duals::check(graph, &reduced, certificate)
    })
}

/// [`Solution::pairs_at_most`], whatever the instance.
pub(crate) fn pairs_at_most<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    solution: &Solution<V>,
) -> Result<usize, VerifyError> {
    Graph::read(instance, |graph| {
        let reduced = Reduced::new(graph, &solution.objective, solution.certificate.exponent())?;
        reduced.pairs_at_most(duals::check(graph, &reduced, &solution.certificate)?)
    })
}
