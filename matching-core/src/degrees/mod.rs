//! Several partners each: minimum-cost b-matching, by the same engine and with the same kind of proof.
//!
//! Everybody gets a number of *different* partners, as many as he should or between two numbers ([`Degrees`]). Where
//! everybody gets exactly one that is a perfect matching; where everybody gets exactly `b`, a *simple perfect b-matching*,
//! or *b-factor*; with bounds, a degree-constrained subgraph.

mod asked;
mod few;
mod gadget;
mod lift;
mod one;
mod parity;
mod potentials;
mod relax;
mod rescue;
mod solve;
#[cfg(test)]
mod tests;
mod witness;

pub(crate) use asked::{solve, solve_any};
pub(crate) use gadget::Gadget;
pub(crate) use solve::{Bounds, capped, duals_of_copies, excess};
pub use witness::DegreeWitness;
pub(crate) use witness::missing;

use crate::blossom::Blossom;
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::Edge;
use crate::error::Error;
use crate::instance::{Instance, Opaque};
use crate::solution::Status;
use crate::verify::VerifyError;

/// How many different partners each vertex gets, and what it costs to have fewer than the most.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, Degrees, Error, cost};
///
/// // Three games each tonight, never twice against the same, and as even as can be.
/// let rating = [1510_i64, 1180, 1495, 1220, 1300, 1410];
/// let gap = cost::from_symmetric_fn(6, |i, j| (rating[i] - rating[j]).abs());
/// let evening = Blossom::new().solve_degrees(&gap, &Degrees::exactly(vec![3; 6]))?;
/// assert_eq!((evening.cost(), evening.pairs().len()), (1155, 9));
/// assert_eq!(evening.partners(1).collect::<Vec<_>>(), [3, 4, 5]);
/// assert!(evening.verify(&gap).is_ok());
///
/// // Whoever cannot find an even game may play less, at 100 a game.
/// let some = Degrees::between(vec![1; 6], vec![3; 6]).missing(vec![100; 6]);
/// let evening = Blossom::new().solve_degrees(&gap, &some)?;
/// assert_eq!((evening.cost(), evening.degree(1)), (950, 2));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Degrees<V> {
    pub(crate) least: Vec<u32>,
    pub(crate) most: Vec<u32>,
    /// One price for each vertex, or none at all where missing partners cost nothing.
    pub(crate) missing: Vec<V>,
}

impl<V: CostValue> Degrees<V> {
    /// So many partners for each vertex, no more and no fewer.
    pub fn exactly(degrees: Vec<u32>) -> Self {
        Self::between(degrees.clone(), degrees)
    }

    /// At least and at most so many partners for each vertex. No vertex has more partners than it has edges: more may be
    /// allowed, and are missing then.
    pub fn between(least: Vec<u32>, most: Vec<u32>) -> Self {
        Self {
            least,
            most,
            missing: Vec::new(),
        }
    }

    /// What each partner that a vertex has fewer than the most adds to the total (when maximising: a gain where it is
    /// positive); one number per vertex. Nothing by default.
    #[must_use]
    pub fn missing(mut self, prices: Vec<V>) -> Self {
        self.missing = prices;
        self
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.least.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// The fewest partners that each vertex may have.
    pub fn least(&self) -> &[u32] {
        &self.least
    }

    /// The most partners that each vertex may have.
    pub fn most(&self) -> &[u32] {
        &self.most
    }

    pub(crate) fn bounds(&self) -> Bounds<'_> {
        Bounds {
            least: &self.least,
            most: &self.most,
        }
    }

    /// What a partner costs that a vertex has fewer than the most: 0 where nothing was said, and of a vertex that there is not.
    pub fn price(&self, vertex: usize) -> V {
        self.missing.get(vertex).copied().unwrap_or_else(V::zero)
    }

    /// Two bounds and, if at all, a price for each of so many vertices.
    pub(crate) fn check(&self, vertices: usize) -> Result<(), Error> {
        let lengths = [
            ("least degrees", self.least.len()),
            ("greatest degrees", self.most.len()),
            ("prices of missing partners", self.missing.len()),
        ];
        for (what, found) in lengths {
            if found != vertices && (found > 0 || !what.starts_with("prices")) {
                return Err(Error::LengthMismatch {
                    what,
                    expected: vertices,
                    found,
                });
            }
        }
        let bounds = || self.least.iter().zip(&self.most);
        if let Some(vertex) = bounds().position(|(least, most)| least > most) {
            return Err(Error::DegreesReversed {
                vertex,
                least: self.least[vertex],
                most: self.most[vertex],
            });
        }
        match self.missing.iter().position(|price| !price.is_number()) {
            Some(vertex) => Err(Error::PenaltyNotANumber { vertex }),
            None => Ok(()),
        }
    }
}

/// Pairs by which every vertex has as many partners as it should, and a proof that none cost less: what
/// [`Blossom::solve_degrees`] returns.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: CostValue + serde::Serialize, V::Total: serde::Serialize",
        deserialize = "V: CostValue + serde::Deserialize<'de>, V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct BMatching<V: CostValue> {
    pub(crate) pairs: Vec<Edge<V>>,
    pub(crate) degrees: Degrees<V>,
    pub(crate) is_maximum: bool,
    pub(crate) cost: V::Total,
    pub(crate) bound: V::Total,
    pub(crate) status: Status,
    pub(crate) work: u64,
    /// The edges that the certificate is about, as lower and higher vertex.
    pub(crate) core: Vec<(u32, u32)>,
    pub(crate) certificate: Certificate,
}

impl<V: CostValue> BMatching<V> {
    /// The chosen pairs in order: lower vertex, higher vertex, weight.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (usize, usize, V)> + DoubleEndedIterator + Clone + '_ {
        self.pairs
            .iter()
            .map(|edge| (edge.u as usize, edge.v as usize, edge.weight))
    }

    /// The partners of a vertex, in order; O(pairs). A vertex that there is not has none.
    pub fn partners(&self, vertex: usize) -> impl Iterator<Item = usize> + Clone + '_ {
        // Of ordered pairs those in which it is the higher one come first, in order of their lower ones.
        self.pairs().filter_map(move |(u, v, _)| match vertex {
            _ if u == vertex => Some(v),
            _ if v == vertex => Some(u),
            _ => None,
        })
    }

    /// How many partners a vertex has; O(pairs). A vertex that there is not has none.
    pub fn degree(&self, vertex: usize) -> usize {
        self.partners(vertex).count()
    }

    /// Total of the pairs and of what missing partners add, in the input's own units and sense.
    pub fn cost(&self) -> V::Total {
        self.cost
    }

    /// No answer can be better than this: a lower bound when minimising, an upper bound when maximising.
    pub fn bound(&self) -> V::Total {
        self.bound
    }

    /// How good the answer is; of one that is [unknown](Status::Unknown), vertices may have fewer partners than they should.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the answer is proven best.
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }

    /// What was asked.
    pub fn degrees(&self) -> &Degrees<V> {
        &self.degrees
    }

    /// Units of work used, as [`Solution::work`](crate::Solution::work) counts them.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// The proof: a certificate of the perfect matching that stands for the pairs, on a graph of which
    /// [`verify`](crate::verify#several-partners) says how it is made of the instance's edges. Where there are many, those are
    /// in it that were chosen or may nearly have been; its duals price the others out.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Checks this answer against its input.
    ///
    /// # Errors
    /// The first thing found wrong.
    ///
    /// # Complexity
    /// O((m + c b) log m) time for m edges, of which c are in the certificate, and b partners each; O(m + n b) space.
    pub fn verify<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<(), VerifyError> {
        V::check_b_matching(&Opaque(instance), self)
    }
}

impl<V: CostValue> Blossom<V> {
    /// Several partners for each vertex, all of them different: the pairs of least total cost by which every vertex has
    /// as many as [`Degrees`] say ([`Objective::MinPerfect`](crate::Objective::MinPerfect)), or of greatest total weight
    /// ([`Objective::MaxPerfect`](crate::Objective::MaxPerfect)).
    ///
    /// Precision, budget, threads and observer are those of the solver; the engine is the sparse one, on few of the edges first
    /// where there are many. Where everybody gets one partner or none, without a choice, it is whichever
    /// [`solve`](Blossom::solve) takes.
    ///
    /// # Errors
    /// Whatever is wrong with the input ([`Instance::to_edges`]) or with the degrees ([`Error::LengthMismatch`],
    /// [`Error::DegreesReversed`], [`Error::PenaltyNotANumber`]), numbers out of range ([`Error::Overflow`],
    /// [`Error::PrecisionRequired`], [`Error::TotalOutOfRange`], [`Error::TooLarge`]), another objective
    /// ([`Error::ObjectiveWithDegrees`]), and [`Error::NoDegrees`] with a witness where no pairs give everybody as many
    /// partners as he should have.
    ///
    /// # Complexity
    /// That of a perfect matching on a graph of up to `2 m + n b` vertices and `m (2 b + 1)` edges, for m edges and up to b
    /// partners each. Mostly 16 to some 30 edges of each vertex are open, which takes `n c (c + 8)` edges for the lesser `c` of
    /// b and 16, and what duals confirm is settled beforehand. O(m + n b) space beside that, also for a cost on all pairs.
    ///
    /// # References
    /// W. T. Tutte, "A short proof of the factor theorem for finite graphs", Canadian Journal of Mathematics 6 (1954),
    /// doi:10.4153/CJM-1954-033-3, for the graph; L. Lovász, "Subgraphs with prescribed valencies", Journal of
    /// Combinatorial Theory 8 (1970), doi:10.1016/S0021-9800(70)80033-3, for the witness.
    pub fn solve_degrees<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        degrees: &Degrees<V>,
    ) -> Result<BMatching<V>, Error> {
        V::solve_degrees(self, &Opaque(instance), degrees)
    }
}
