//! The solver's front door: options, and the way from any input to a checked kind of answer.

mod conclude;
mod objective;
mod rescue;

use core::fmt;

pub use objective::Objective;

use crate::budget::Budget;
use crate::cost::{Cost, CostValue, Embedded};
use crate::dense::{self, Insist, Task};
use crate::edge_list::{EdgeList, VERTEX_LIMIT};
use crate::engine::{Limits, Outcome};
use crate::error::Error;
use crate::input::{Input, ListCost};
use crate::instance::{Instance, Opaque};
use crate::numbers::Grid;
use crate::progress::{Observer, Progress};
use crate::reduction::Reduced;
use crate::small::{self, Attempt};
use crate::solution::{Solution, SolvedBy};

/// What to do with floating-point costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Precision {
    /// Exact where the costs fit a common binary grid in 128 bits, else [`Error::PrecisionRequired`].
    #[default]
    Exact,
    /// Round to the finest grid on which 64-bit arithmetic is safe. Cost and bound are those of the true costs, and
    /// [`Status::Feasible`](crate::Status::Feasible) says so unless nothing had to be rounded.
    Quantised,
}

/// Which engine solves. It changes speed and memory, never the cost of the answer, and [`Solution::solved_by`] says which
/// one it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Engine {
    /// For costs on all pairs: heap-free up to 200 vertices unless that takes long, or is likely to; then, and beyond,
    /// dense where at least an eighth of the pairs is allowed. For lists of edges: dense beyond 128 vertices where more
    /// than half of all pairs are listed; an engine that counts pairs where all edges cost the same
    /// ([`SolvedBy::Cardinality`]). Costs between two sides: shortest augmenting paths where an eighth of those pairs is allowed
    /// ([`SolvedBy::Assignment`]); so are costs and lists for the dense engine that turn out to have two sides, and other lists
    /// that have two where everybody may stay alone. Otherwise sparse. With a budget costs on all pairs are not given to the
    /// heap-free engine, which knows none: sparse up to 128 vertices, then dense.
    #[default]
    Auto,
    /// All edges at once, as a list.
    Sparse,
    /// Few edges first, then whatever the duals of their solution do not price out, until they price out the rest.
    Dense,
}

/// Lists of edges between so few vertices are solved as such unless the dense engine is asked for.
const SMALL: usize = 128;

/// One word: `auto`, `sparse`, `dense`.
impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Sparse => "sparse",
            Self::Dense => "dense",
        })
    }
}

impl Engine {
    /// Whether a list of edges is for the dense engine, which needs 4 n² bytes beside the list: where it is asked for, or
    /// most pairs are listed. (Of a list without edges the sparse engine says that there is nothing to search.)
    ///
    /// # Examples
    /// ```
    /// use matching_core::{EdgeList, Engine, Error};
    ///
    /// let path = EdgeList::new(200, (1..200).map(|v| (v - 1, v, 1)))?;
    /// assert!(!Engine::Auto.is_dense_for(&path) && Engine::Dense.is_dense_for(&path));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn is_dense_for<V: CostValue>(self, edges: &EdgeList<V>) -> bool {
        let (n, m) = (edges.len(), edges.edges().len());
        match self {
            // In 64 bits: a square of many vertices is more than an address on some machines.
            Self::Auto => n > SMALL && m as u64 > n as u64 * (n as u64 - 1) / 4,
            Self::Sparse => false,
            Self::Dense => true,
        }
    }
}

/// Exact matching by the blossom algorithm.
///
/// Minimises the total cost of a perfect matching unless [`objective`](Blossom::objective) asks for something else.
/// The answer carries its proof: [`Solution::verify`] checks it against the input. Equal input gives equal output.
///
/// # Complexity
/// Lists of edges: for n vertices and m edges O(n² m log n) time in the worst case, close to linear in m on every
/// sparse family measured, O(n + m) space; where all edges cost the same, O(n m log n) time in the worst case and
/// close to linear in m on all that was measured. Where a few per cent of the vertices stay single at prices far above all
/// other costs, time grows with the square of their number. Costs on all pairs of n vertices: 4 n² bytes, unless the
/// cost is an `i32` matrix in memory already, all of whose pairs are worth it where vertices may stay alone, or
/// [`Budget::memory`] says less, and a third of 4 n² for samples to begin with; the time of 30 to 60 looks at all pairs
/// on every family measured from 4,000 vertices on and of some hundreds on 1,000, in the worst case that of a list of
/// n (n - 1) / 2 edges. Where costs are so alike that no few pairs of each vertex will do, such a list is made of up to
/// 2²³ pairs, some 60 bytes each, if [`Budget::memory`] allows as much. Costs of r rows with c columns, r ≤ c
/// ([`Cost::two_sided`]): 4 r c bytes, and several times as many where paths have to read most rows whole; O(r² c)
/// time and O(r) looks at whole rows for each path in the worst case, the time of 2 to 25 looks at all pairs on every
/// family measured.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, EdgeList, Error, Objective};
///
/// let graph = EdgeList::new(4, [(0, 1, 4_i64), (1, 2, 1), (2, 3, 4), (3, 0, 5)])?;
/// let best = Blossom::new().solve(&graph)?;
/// assert_eq!((best.cost(), best.mate(0)), (6, Some(3)));
/// assert!(best.verify(&graph).is_ok());
///
/// // Staying alone costs 1 here, so only the cheap pair is worth it.
/// let alone = Blossom::new().objective(Objective::MinOptOut(vec![1; 4])).solve(&graph)?;
/// assert_eq!((alone.cost(), alone.mate(0), alone.mate(1)), (3, None, Some(2)));
/// # Ok::<(), Error>(())
/// ```
///
/// # References
/// J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965, doi:10.6028/jres.069B.013. V. Kolmogorov,
/// "Blossom V", 2009, doi:10.1007/s12532-009-0002-8. P. Arkhipov, V. Kolmogorov, "Blossom VI", arXiv:2604.20351.
#[derive(Clone, Debug)]
pub struct Blossom<V> {
    pub(crate) objective: Objective<V>,
    pub(crate) precision: Precision,
    pub(crate) budget: Budget,
    pub(crate) engine: Engine,
    pub(crate) threads: usize,
    pub(crate) observer: Option<Observer>,
}

impl<V: CostValue> Default for Blossom<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: CostValue> Blossom<V> {
    /// Minimum-weight perfect matching, exact, without limits.
    pub fn new() -> Self {
        Self {
            objective: Objective::MinPerfect,
            precision: Precision::Exact,
            budget: Budget::new(),
            engine: Engine::Auto,
            threads: 0,
            observer: None,
        }
    }

    /// What is asked; [`Objective::MinPerfect`] by default.
    #[must_use]
    pub fn objective(mut self, objective: Objective<V>) -> Self {
        self.objective = objective;
        self
    }

    /// What is asked, to be written to between solves: its numbers stay where they are, so that a loop of
    /// [`solve_with`](Blossom::solve_with) whose penalties or bye costs change allocates nothing for them.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Error, Objective, Workspace, cost};
    ///
    /// let mut workspace = Workspace::new();
    /// let mut blossom = Blossom::new().objective(Objective::MinOptOut(Vec::new()));
    /// let mut alone = Vec::new();
    /// for place in [[0_i64, 1, 7, 9], [0, 4, 5, 9]] {
    ///     if let Objective::MinOptOut(prices) = blossom.objective_mut() {
    ///         prices.clear();
    ///         prices.extend(place.map(|at| 1 + at.min(9 - at))); // to the nearer wall
    ///     }
    ///     let distance = cost::from_symmetric_fn(4, |i, j| place[j] - place[i]);
    ///     alone.push(blossom.solve_with(&distance, &mut workspace)?.unmatched().collect::<Vec<_>>());
    /// }
    /// assert_eq!(alone, [vec![], vec![0, 3]]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn objective_mut(&mut self) -> &mut Objective<V> {
        &mut self.objective
    }

    /// What to do with floating-point costs; [`Precision::Exact`] by default.
    #[must_use]
    pub fn precision(mut self, precision: Precision) -> Self {
        self.precision = precision;
        self
    }

    /// When to stop; never by default.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Which engine solves; [`Engine::Auto`] by default. [`solve_embedded`](Blossom::solve_embedded) has one of its own.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// How many threads read rows; the answer is the same for any number. 0, the default, takes all of the rayon pool
    /// the call is made from; 1 starts none. Never more are started than there are rows, nor than four for each core.
    /// Without the feature `rayon` it is always 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Called with [`Progress`] wherever the solve looks at its limits, which it does between searches and between rounds
    /// of trees, never within; from any thread, one call at a time. It changes nothing about the answer, unless it
    /// cancels the token of the [budget](Budget::cancel): that stops the solve at this very look. A solve waits for each
    /// call, so who has much to say should not say it every time.
    ///
    /// Of a pool that the small engine solves ([`SolvedBy::Small`]) nothing is heard: it is done between two looks.
    ///
    /// # Examples
    /// ```
    /// use std::sync::{Arc, Mutex};
    /// use matching_core::{Blossom, EdgeList, Error, Stage};
    ///
    /// let trees = Arc::new(Mutex::new(Vec::new()));
    /// let seen = Arc::clone(&trees);
    /// let blossom = Blossom::new().observer(move |progress| {
    ///     if progress.stage == Stage::Search {
    ///         seen.lock().unwrap().push((progress.left, progress.bound));
    ///     }
    /// });
    /// // Two triangles and an edge between them.
    /// let (near, far) = ([(0, 1, 1_i64), (1, 2, 1), (0, 2, 1), (3, 4, 1), (4, 5, 1), (3, 5, 1)], (2, 3, 10));
    /// let graph = EdgeList::new(6, near.into_iter().chain([far]))?;
    /// let best = blossom.solve(&graph)?;
    /// // No tree is left in the end, and the bound has come up to the cost.
    /// assert_eq!(best.cost(), 12);
    /// assert_eq!(trees.lock().unwrap().last(), Some(&(Some(0), Some(12.0))));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn observer(mut self, observer: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.observer = Some(Observer::new(observer));
        self
    }

    /// Solves an instance.
    ///
    /// A solve that its budget stops returns what it has: see [`Status`](crate::Status).
    ///
    /// # Errors
    /// Whatever is wrong with the input ([`Instance::to_edges`]), with penalties or bye costs
    /// ([`Error::LengthMismatch`], [`Error::PenaltyNotANumber`]) or with the range of the costs ([`Error::Overflow`],
    /// [`Error::PrecisionRequired`], [`Error::TotalOutOfRange`], [`Error::TooLarge`]); [`Error::NoPerfectMatching`]
    /// with a witness.
    pub fn solve<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<Solution<V>, Error> {
        V::solve(self, &Opaque(instance))
    }

    /// The objective.
    pub(crate) fn asked(&self) -> &Objective<V> {
        &self.objective
    }

    /// [`solve`](Blossom::solve), whatever the instance.
    pub(crate) fn solve_opaque(&self, instance: &dyn Instance<Value = V>) -> Result<Solution<V>, Error> {
        let solution = self.solve_any(instance)?;
        solution.in_range()?;
        Ok(solution)
    }

    /// The same for a part of an answer, whose own total need be no float.
    pub(crate) fn solve_any(&self, instance: &dyn Instance<Value = V>) -> Result<Solution<V>, Error> {
        let limits = Limits::start(&self.budget).heard_by(self.observer.as_ref());
        if self.engine != Engine::Sparse {
            let mut dense = None;
            let is_cost = instance.visit_cost(&mut |cost| dense = Some(self.solve_pairs(cost, &limits)));
            if is_cost && let Some(Some(solution)) = dense.transpose()? {
                return Ok(solution);
            }
        }
        let edges = instance.to_edges()?;
        self.objective.check(edges.len())?;
        let reduce = || {
            let grid = Grid::choose(&edges, &self.objective, self.precision);
            Reduced::of_list(&edges, &self.objective, grid)
        };
        if self.engine == Engine::Auto && edges.is_uniform() {
            let reduced = reduce()?;
            if let Some(outcome) = reduced.solve_uniform(&edges, &limits)? {
                return self.assemble(Input::List(&edges), &reduced, outcome, SolvedBy::Cardinality);
            }
        }
        if self.engine.is_dense_for(&edges)
            && let Some(solution) = self.solve_dense(&ListCost::new(&edges), Input::List(&edges), &limits)?
        {
            return Ok(solution);
        }
        let reduced = reduce()?;
        if self.engine == Engine::Auto
            && let Some((outcome, solved_by)) = reduced.solve_two_sides(&edges, &limits)?
        {
            return self.assemble(Input::List(&edges), &reduced, outcome, solved_by);
        }
        let outcome = reduced.solve_list(&edges, &limits)?;
        self.assemble(Input::List(&edges), &reduced, outcome, SolvedBy::Sparse)
    }

    /// Solves a cost by the small or the dense engine; `None` where the sparse one is better.
    fn solve_pairs(&self, cost: &dyn Cost<Value = V>, limits: &Limits<'_>) -> Result<Option<Solution<V>>, Error> {
        let mut is_list = false;
        if self.engine == Engine::Auto
            && let Some(first) = cost.first_side()
        {
            match self.solve_two_sides(cost, first, limits)? {
                Attempt::Solved(solution) => return Ok(Some(solution)),
                Attempt::Refused => is_list = true,
                Attempt::GivenUp => is_list = dense::is_list_by_shape(cost.len(), first),
            }
        }
        if self.engine == Engine::Auto {
            match small::solve(self, cost)? {
                Attempt::Solved(solution) => return Ok(Some(solution)),
                Attempt::Refused => return Ok(None),
                Attempt::GivenUp => {}
            }
        }
        // All pairs of one long side and a short one may be more than there is memory for, and are not read only to find out that
        // most of them are within a side.
        if is_list {
            return Ok(None);
        }
        self.solve_dense(cost, Input::Pairs(cost), limits)
    }

    /// Solves a cost whose first vertices pair with the others only, unless another engine is better: refused where a list of its
    /// edges is.
    fn solve_two_sides(
        &self,
        cost: &dyn Cost<Value = V>,
        first: usize,
        limits: &Limits<'_>,
    ) -> Result<Attempt<Solution<V>>, Error> {
        self.objective.check(cost.len())?;
        let task = self.task(limits);
        let solve = || dense::two_sides::solve(cost, first, &task);
        Ok(match dense::with_threads(self.threads, cost.len(), solve)? {
            Attempt::Solved((reduced, outcome)) => {
                Attempt::Solved(self.assemble(Input::Pairs(cost), &reduced, outcome, SolvedBy::Assignment)?)
            }
            Attempt::Refused => Attempt::Refused,
            Attempt::GivenUp => Attempt::GivenUp,
        })
    }

    fn task<'t>(&'t self, limits: &'t Limits<'t>) -> Task<'t, V> {
        Task {
            objective: &self.objective,
            precision: self.precision,
            limits,
            threads: self.threads,
            insist: if self.engine == Engine::Dense {
                Insist::Yes
            } else {
                Insist::No
            },
        }
    }

    /// Solves a cost by the dense engine; `None` where the sparse one is better. `input` is what the cost is of: edges of a
    /// list are found in it one by one, which takes long.
    fn solve_dense(
        &self,
        cost: &dyn Cost<Value = V>,
        input: Input<'_, V>,
        limits: &Limits<'_>,
    ) -> Result<Option<Solution<V>>, Error> {
        let n = cost.len();
        if n < 2 {
            return Ok(None);
        }
        self.objective.check(n)?;
        let task = self.task(limits);
        let result = dense::with_threads(self.threads, n, || dense::solve(cost, &task))?;
        let Some((reduced, outcome, solved_by)) = result else {
            return Ok(None);
        };
        self.assemble(input, &reduced, outcome, solved_by).map(Some)
    }

    /// Reads the caller's matching off the reduced one, and states cost and bound in the caller's units.
    pub(crate) fn assemble(
        &self,
        input: Input<'_, V>,
        reduced: &Reduced<'_, V>,
        outcome: Outcome,
        solved_by: SolvedBy,
    ) -> Result<Solution<V>, Error> {
        let mut solution = Solution::empty();
        solution.mates = outcome.mates;
        solution.certificate = outcome.certificate;
        solution.work = outcome.work;
        solution.objective = self.objective.clone();
        solution.solved_by = solved_by;
        solution.conclude(input, reduced, outcome.stopped)?;
        Ok(solution)
    }
}

impl Blossom<i64> {
    /// Solves an instance of things that lie in space without reading all its pairs: 100,000 points and more.
    ///
    /// The same answer, in cost, as [`solve`](Blossom::solve) gives, and it holds on all pairs. An index of the points
    /// finds the pairs that may matter; see [`Embedded`]. This is an engine of its own ([`SolvedBy::Embedded`]), whatever
    /// [`engine`](Blossom::engine) names. Maximising asks for far pairs, which the index does not find, and is left, with
    /// fewer than two points, to [`solve`](Blossom::solve) and the engine that is named.
    ///
    /// # Errors
    /// As [`solve`](Blossom::solve), and [`Error::CoordinateOutOfRange`]. [`Error::Overflow`] comes sooner, as the
    /// index searches in 64 bits, and its duals, which grow with costs, must stay below 2⁶¹ either way. Nothing is refused that costs less
    /// than 2⁵⁸, as far as was seen; pairs that matter, and byes, are from 2⁶¹ on, and penalties of [`Objective::MinOptOut`],
    /// which are counted twice, may be at half of that.
    ///
    /// # Complexity
    /// O(n) space. Time close to that of a sparse graph for the usual points; where most pairs are forbidden, pairs
    /// are read one by one to find out what is possible.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Error, cost::Points};
    ///
    /// let points = Points::new(vec![[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [0.0, 2.0]])?;
    /// let pairing = Blossom::new().solve_embedded(&points)?;
    /// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 3, 2), (1, 2, 1)]);
    /// assert!(pairing.verify(&points).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_embedded<C: Embedded<D>, const D: usize>(&self, cost: &C) -> Result<Solution<i64>, Error> {
        let limits = Limits::start(&self.budget).heard_by(self.observer.as_ref());
        let n = cost.len();
        if n < 2 || self.objective.is_maximum() {
            return self.solve(cost);
        }
        if cost.cols() != n {
            return Err(Error::NotSquare {
                rows: n,
                cols: cost.cols(),
            });
        }
        let vertices = match self.objective {
            Objective::MinBye(_) => n.saturating_add(n % 2),
            _ if self.objective.is_doubled() => n.saturating_mul(2),
            _ => n,
        };
        if vertices >= VERTEX_LIMIT {
            return Err(Error::TooLarge { vertices, edges: 0 });
        }
        self.objective.check(n)?;
        let solve = || dense::geometry::solve(cost, &self.objective, &limits, self.threads);
        let (reduced, outcome) = dense::with_threads(self.threads, n, solve)?;
        self.assemble(Input::Pairs(&cost), &reduced, outcome, SolvedBy::Embedded)
    }
}

/// The cheapest way to pair everybody: [`Blossom::solve`] with default options.
///
/// # Errors
/// As [`Blossom::solve`]; an odd number of vertices has no perfect matching.
///
/// # Examples
/// ```
/// use matching_core::{Error, cost, min_weight_perfect_matching};
///
/// let rating = [1510_i64, 1180, 1495, 1220];
/// let pairing = min_weight_perfect_matching(&cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs()))?;
/// assert_eq!(pairing.pairs().collect::<Vec<_>>(), [(0, 2, 15), (1, 3, 40)]);
/// # Ok::<(), Error>(())
/// ```
pub fn min_weight_perfect_matching<I: Instance + ?Sized>(instance: &I) -> Result<Solution<I::Value>, Error> {
    Blossom::new().solve(instance)
}

/// The matching of greatest weight, perfect or not: [`Blossom::solve`] under [`Objective::MaxWeight`].
///
/// Of parallel edges [`EdgeList::new`] keeps the cheapest, whatever is asked later: make the list by
/// [`EdgeList::with_parallel`] with [`Parallel::KeepDearest`](crate::Parallel::KeepDearest).
///
/// # Errors
/// As [`Blossom::solve`]; there always is such a matching.
///
/// # Examples
/// ```
/// use matching_core::{EdgeList, Error, Parallel, max_weight_matching};
///
/// let twice = [(0, 1, 1_i64), (0, 1, 9)];
/// let dearest = EdgeList::with_parallel(2, twice, Parallel::KeepDearest)?;
/// assert_eq!(max_weight_matching(&dearest)?.cost(), 9);
/// assert_eq!(max_weight_matching(&EdgeList::new(2, twice)?)?.cost(), 1);
/// # Ok::<(), Error>(())
/// ```
pub fn max_weight_matching<I: Instance + ?Sized>(instance: &I) -> Result<Solution<I::Value>, Error> {
    Blossom::new().objective(Objective::MaxWeight).solve(instance)
}

/// Of the matchings with most pairs the one of greatest weight: [`Blossom::solve`] under
/// [`Objective::MaxCardinality`].
///
/// Of parallel edges [`EdgeList::new`] keeps the cheapest, whatever is asked later: make the list by
/// [`EdgeList::with_parallel`] with [`Parallel::KeepDearest`](crate::Parallel::KeepDearest).
///
/// # Errors
/// As [`Blossom::solve`]; there always is such a matching.
pub fn max_cardinality_matching<I: Instance + ?Sized>(instance: &I) -> Result<Solution<I::Value>, Error> {
    Blossom::new().objective(Objective::MaxCardinality).solve(instance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost;
    use crate::solution::{Status, StopReason};

    fn path(weights: &[i64]) -> EdgeList<i64> {
        EdgeList::new(
            weights.len() + 1,
            weights.iter().enumerate().map(|(v, &weight)| (v, v + 1, weight)),
        )
        .unwrap()
    }

    #[test]
    fn objectives_differ_as_they_should() {
        let path = path(&[2, 5, 2]);
        let cost = |objective| {
            let solution = Blossom::new().objective(objective).solve(&path).unwrap();
            solution.verify(&path).unwrap();
            solution.cost()
        };
        assert_eq!(cost(Objective::MinPerfect), 4);
        assert_eq!(cost(Objective::MaxPerfect), 4);
        assert_eq!(cost(Objective::MaxWeight), 5);
        assert_eq!(cost(Objective::MaxCardinality), 4);
        assert_eq!(cost(Objective::MinOptOut(vec![0, 3, 3, 0])), 4);
        assert_eq!(cost(Objective::MinOptOut(vec![0, 1, 1, 0])), 2);
    }

    #[test]
    fn the_least_and_greatest_weights_are_right_or_refused() {
        let graph = path(&[i64::MAX, i64::MIN, i64::MAX]);
        for objective in [
            Objective::MinPerfect,
            Objective::MaxPerfect,
            Objective::MaxWeight,
            Objective::MaxCardinality,
        ] {
            let solution = Blossom::new().objective(objective).solve(&graph).unwrap();
            solution.verify(&graph).unwrap();
            assert_eq!(solution.cost(), 2 * i128::from(i64::MAX), "beyond i64 and exact");
        }
        let graph = EdgeList::new(2, [(0, 1, i128::MIN)]).unwrap();
        assert!(matches!(Blossom::new().solve(&graph), Err(Error::Overflow { .. })));
    }

    #[test]
    fn a_bye_goes_where_it_is_cheapest() {
        let triangle = EdgeList::new(3, [(0, 1, 3_i64), (1, 2, 4), (0, 2, 5)]).unwrap();
        let solution = Blossom::new()
            .objective(Objective::MinBye(vec![9, 6, 9]))
            .solve(&triangle)
            .unwrap();
        solution.verify(&triangle).unwrap();
        assert_eq!(
            (solution.cost(), solution.unmatched().collect::<Vec<_>>()),
            (11, vec![1])
        );
        let short = Blossom::new().objective(Objective::MinBye(vec![9])).solve(&triangle);
        assert!(matches!(
            short,
            Err(Error::LengthMismatch {
                expected: 3,
                found: 1,
                ..
            })
        ));
    }

    #[test]
    fn floats_are_exact_or_refused_or_quantised_with_a_gap() {
        let exact = EdgeList::new(4, [(0, 1, 0.1), (2, 3, 0.2), (0, 2, 0.15), (1, 3, 0.151)]).unwrap();
        let solution = Blossom::new().solve(&exact).unwrap();
        solution.verify(&exact).unwrap();
        assert!(solution.is_optimal());
        let wide = EdgeList::new(4, [(0, 1, 1e-40), (2, 3, 1e30), (0, 2, 1e30), (1, 3, 3e-40)]).unwrap();
        assert!(matches!(
            Blossom::new().solve(&wide),
            Err(Error::PrecisionRequired { .. })
        ));
        let solution = Blossom::new().precision(Precision::Quantised).solve(&wide).unwrap();
        solution.verify(&wide).unwrap();
        assert_eq!(solution.status(), Status::Feasible(StopReason::Rounding));
        assert!(solution.bound() <= solution.cost() && solution.cost() - solution.bound() < 1e16);
    }

    #[test]
    fn what_is_asked_unless_it_is_said() {
        let graph = path(&[4, 1, 4]);
        let default = Blossom::new().objective(Objective::default()).solve(&graph);
        assert_eq!(default, Blossom::new().solve(&graph));
        let engines = [Engine::default(), Engine::Sparse, Engine::Dense].map(|engine| engine.to_string());
        assert_eq!(engines, ["auto", "sparse", "dense"]);
        assert_eq!(format!("{:>6}|", Engine::Auto), "  auto|");
    }

    #[test]
    fn a_stopped_solve_keeps_what_it_has() {
        let graph = cost::from_symmetric_fn(60, |i, j| (i * 7919 + j * 104_729) as i64 % 1009);
        let solution = Blossom::new().budget(Budget::new().work(1)).solve(&graph).unwrap();
        solution.verify(&graph).unwrap();
        assert_eq!(solution.status(), Status::Feasible(StopReason::WorkLimit));
        assert!(solution.bound() <= Blossom::new().solve(&graph).unwrap().cost());
    }

    #[test]
    fn infeasible_graphs_come_with_a_witness() {
        let star = EdgeList::new(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1)]).unwrap();
        let Err(Error::NoPerfectMatching(witness)) = Blossom::new().solve(&star) else {
            panic!("a star has none")
        };
        crate::verify::witness(&star, &witness).unwrap();
        let star = EdgeList::new(5, [(0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 4, 1)]).unwrap();
        let objective = Objective::MinBye(vec![1; 5]);
        let Err(Error::NoPerfectMatching(witness)) = Blossom::new().objective(objective.clone()).solve(&star) else {
            panic!("one bye is not enough")
        };
        crate::verify::infeasibility(&star, &objective, &witness).unwrap();
    }
}
