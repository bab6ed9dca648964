//! The small engine: complete graphs of few vertices, thousands of times per second, in memory that is kept.
//!
//! The primal-dual blossom algorithm (Edmonds 1965) on a full matrix, without heaps: each vertex keeps its best edge to
//! a + node, each pair of + nodes its best edge, and minima are found by looking at all of them, O(n²) for a whole tree
//! (Gabow 1974, Lawler 1976). On so few vertices that is less work than queues are.
//!
//! - [`outlook`]: whether trees are likely to stay small;
//! - [`read`]: a cost, or a list of edges, becomes a matrix of doubled weights;
//! - [`search`]: one tree at a time, [`blossoms`]: shrinking and expanding, [`forest`]: the state they share;
//! - [`finish`]: mates, certificate, witness.

mod blossoms;
mod finish;
mod forest;
mod outlook;
mod read;
mod search;

use core::fmt;

use crate::blossom::{Blossom, Engine, Objective};
use crate::cost::{Cost, CostValue};
use crate::edge_list::EdgeList;
use crate::engine::Failure;
use crate::error::Error;
use crate::input::Input;
use crate::solution::{Solution, SolvedBy};
use forest::Forest;
use outlook::Outlook;
use read::{Reading, Scope};
use search::Stuck;

/// Most vertices of an instance that is solved here. Beyond, O(n³) shows.
const MOST: usize = 200;

/// Most vertices of a list of edges that is solved here: a tree looks at whole rows of the matrix, few of whose entries
/// are edges (`DESIGN.md`, "Lists again and again").
const MOST_LISTED: usize = 32;

/// Up to so many vertices, what is not for this engine is solved as a list of edges.
const LIST: usize = 128;

/// Vertices from which on the dense engine is worth its start where trees span everything.
const FEW: usize = 72;

/// Looks at entries, for each of the matrix, beyond which they do: two are for the start, and three to four are all
/// where trees stay small. Beyond [`LIST`], where the start of the dense engine costs as much as twice that, some more.
const PATIENCE: u64 = 5;
const LARGE_PATIENCE: u64 = 8;

/// So many of some rows' best partners must be different ([`outlook`]). On engagement costs 1 to 9 are, on uniform costs,
/// points in the plane, clusters of them and ratings 24 to 32; on costs in between, 9 to 21, it depends: a try beyond
/// [`LIST`] costs as much as it may gain there.
const LEAST_PARTNERS: usize = 9;
const LARGE_LEAST_PARTNERS: usize = 22;

/// What came of an attempt.
pub(crate) enum Attempt<A> {
    Solved(A),
    /// It is not for this engine; nothing is known of the cost.
    Refused,
    /// It takes long here, or would.
    GivenUp,
}

/// Solves one instance in fresh memory, unless that takes long and another engine is likely to be faster.
pub(crate) fn solve<V: CostValue>(
    blossom: &Blossom<V>,
    cost: &dyn Cost<Value = V>,
) -> Result<Attempt<Solution<V>>, Error> {
    let n = cost.len();
    if n > MOST {
        return Ok(Attempt::GivenUp);
    }
    let refused = || if n <= LIST { Attempt::Refused } else { Attempt::GivenUp };
    if !is_made_for(blossom, cost) {
        return Ok(refused());
    }
    let (patience, partners) = if n > LIST {
        (LARGE_PATIENCE, LARGE_LEAST_PARTNERS)
    } else {
        (PATIENCE, LEAST_PARTNERS)
    };
    if n >= FEW {
        let outlook = Outlook::of(cost, blossom.objective.is_maximum(), partners);
        if !outlook.is_varied || (n > LIST && outlook.is_thin) {
            return Ok(Attempt::GivenUp);
        }
    }
    let looks = if n < FEW { u64::MAX } else { patience * (n * n) as u64 };
    let mut workspace = Workspace::new();
    Ok(match workspace.attempt(blossom, cost, looks)? {
        Attempt::Solved(()) => Attempt::Solved(workspace.solution),
        Attempt::Refused => refused(),
        Attempt::GivenUp => Attempt::GivenUp,
    })
}

/// Whether an instance is of the kind that this engine solves, unless something is wrong with the numbers.
fn is_made_for<V: CostValue, C: Cost<Value = V> + ?Sized>(blossom: &Blossom<V>, cost: &C) -> bool {
    cost.cols() == cost.len() && suits(blossom, cost.len())
}

/// The same, as far as the number of vertices tells.
fn suits<V: CostValue>(blossom: &Blossom<V>, n: usize) -> bool {
    let is_odd = n % 2 == 1 && matches!(blossom.objective, Objective::MinPerfect | Objective::MaxPerfect);
    (2..=MOST).contains(&n) && !is_odd && blossom.budget.is_unlimited() && blossom.objective.check(n).is_ok()
}

/// Memory that [`Blossom::solve_with`] and [`Blossom::solve_list_with`] keep from solve to solve.
///
/// A solve allocates where it needs more room than any before it: O(n²) for n vertices. The first one under which vertices may
/// stay alone needs room for a proof of twice the size, the first with a number for each of them room for these.
///
/// # Examples
/// ```
/// use matching_core::{Blossom, Error, Workspace, cost};
///
/// let blossom = Blossom::new();
/// let mut workspace = Workspace::new();
/// let mut total = 0;
/// for round in 0..100 {
///     let rating = [1510 + round, 1180, 1495 - round, 1220];
///     let gap = cost::from_fn(4, |i, j| i64::abs(rating[i] - rating[j]));
///     let pairing = blossom.solve_with(&gap, &mut workspace)?;
///     assert!(pairing.verify(&gap).is_ok());
///     total += pairing.cost();
/// }
/// assert_eq!(total, 15_400);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Workspace<V: CostValue> {
    reading: Reading<V>,
    forest: Forest,
    solution: Solution<V>,
    /// Room for the numbers of an objective while the present one has none.
    spare: Vec<V>,
    /// The answer of another engine.
    other: Option<Solution<V>>,
}

impl<V: CostValue> fmt::Debug for Workspace<V> {
    /// No more than its name: it is room, and what was in it last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").finish_non_exhaustive()
    }
}

impl<V: CostValue> Default for Workspace<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: CostValue> Workspace<V> {
    /// A workspace without any room yet.
    pub fn new() -> Self {
        Self {
            reading: Reading::new(),
            forest: Forest::default(),
            solution: Solution::empty(),
            spare: Vec::new(),
            other: None,
        }
    }

    /// Solves what this engine is made for, in so many looks at entries.
    fn attempt<C: Cost<Value = V> + ?Sized>(
        &mut self,
        blossom: &Blossom<V>,
        cost: &C,
        most: u64,
    ) -> Result<Attempt<()>, Error> {
        if !is_made_for(blossom, cost) {
            return Ok(Attempt::Refused);
        }
        match self.reading.set_up(cost, blossom, &mut self.forest) {
            Some(read) => self.search(blossom, Input::Pairs(&cost), &read, most),
            None => Ok(Attempt::Refused),
        }
    }

    /// The same for a list of edges.
    fn attempt_list(&mut self, blossom: &Blossom<V>, edges: &EdgeList<V>) -> Result<Attempt<()>, Error> {
        if !suits(blossom, edges.len()) || edges.len() > MOST_LISTED {
            return Ok(Attempt::Refused);
        }
        match self.reading.set_up_list(edges, blossom, &mut self.forest) {
            Some(read) => self.search(blossom, Input::List(edges), &read, u64::MAX),
            None => Ok(Attempt::Refused),
        }
    }

    /// Searches on what was read, and keeps the answer.
    fn search(
        &mut self,
        blossom: &Blossom<V>,
        input: Input<'_, V>,
        scope: &Scope<'_, V>,
        most: u64,
    ) -> Result<Attempt<()>, Error> {
        match self.forest.run(most) {
            Err(Stuck) => {
                let witness = self.forest.stuck_witness();
                return Err(scope.reduced.explain(Failure::at_sight(witness), SolvedBy::Small));
            }
            Ok(false) => return Ok(Attempt::GivenUp),
            Ok(true) => {}
        }
        let solution = &mut self.solution;
        self.forest.certify(scope.least, &mut solution.certificate);
        self.forest.read_mates(&mut solution.mates);
        if let Some(folded) = &scope.folded {
            let (weights, n) = (&self.forest.weights, self.forest.n);
            let cost = |u: usize, v: usize| Some(i128::from(weights[u * n + v] / 2 + scope.least));
            let (mates, certificate) = (&mut solution.mates, &mut solution.certificate);
            scope.reduced.unfold(folded, mates, certificate, cost)?;
        }
        solution.work = self.forest.work;
        solution.solved_by = SolvedBy::Small;
        solution.pairs.clear();
        solution.pairs.reserve(input.len() / 2);
        solution.objective.assign(&blossom.objective, &mut self.spare);
        solution.conclude(input, &scope.reduced, None)?;
        Ok(Attempt::Solved(()))
    }
}

impl<V: CostValue> Blossom<V> {
    /// Solves one of many small instances in memory that is kept: as [`solve`](Blossom::solve) does, without
    /// allocating once the workspace has seen an instance as large.
    ///
    /// The answer lives in the workspace until its next solve. Made for 2 to 200 vertices, and 64-bit arithmetic;
    /// whatever else is asked for is handed to [`solve`](Blossom::solve), which allocates: other sizes, costs on a
    /// wider range or a finer grid, limits ([`Budget`](crate::Budget)), an [`Engine`] other than [`Engine::Auto`].
    /// Errors may allocate too. Penalties or bye costs that change are written in place
    /// ([`objective_mut`](Blossom::objective_mut)). Pools of a hundred players and more whose costs make trees span everything, as products
    /// of two players' traits do, are solved faster with [`Engine::Dense`].
    ///
    /// # Errors
    /// As [`solve`](Blossom::solve). The workspace remains good for further solves.
    ///
    /// # Complexity
    /// O(n³) time and O(n²) space for n vertices.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Error, Objective, Workspace, cost};
    ///
    /// let gap = cost::from_fn(5, |i, j| (i as i64 - j as i64).pow(2));
    /// let mut workspace = Workspace::new();
    /// let bye = Blossom::new().objective(Objective::MinBye(vec![0, 1, 2, 3, 4]));
    /// let pairing = bye.solve_with(&gap, &mut workspace)?;
    /// assert_eq!((pairing.cost(), pairing.mate(0)), (2, None));
    /// assert!(pairing.verify(&gap).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # References
    /// J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965, doi:10.6028/jres.069B.013. E. Lawler,
    /// "Combinatorial Optimization: Networks and Matroids", 1976.
    pub fn solve_with<'w, C: Cost<Value = V> + ?Sized>(
        &self,
        cost: &C,
        workspace: &'w mut Workspace<V>,
    ) -> Result<&'w Solution<V>, Error> {
        if self.engine == Engine::Auto
            && let Attempt::Solved(()) = workspace.attempt(self, cost, u64::MAX)?
        {
            return workspace.solution.in_range();
        }
        Ok(workspace.other.insert(self.solve(cost)?))
    }

    /// Solves one of many small lists of edges in memory that is kept: as [`solve`](Blossom::solve) does, without
    /// allocating once the workspace has seen an instance as large.
    ///
    /// The answer lives in the workspace until its next solve. Made for 2 to 32 vertices; larger lists, and whatever
    /// else [`solve_with`](Blossom::solve_with) is not made for, are handed to [`solve`](Blossom::solve), which allocates
    /// but is faster there. Weights that change are written in place ([`EdgeList::set_weight`]), as penalties and bye
    /// costs are ([`objective_mut`](Blossom::objective_mut)).
    ///
    /// # Errors
    /// As [`solve`](Blossom::solve). The workspace remains good for further solves. Errors may allocate.
    ///
    /// # Complexity
    /// O(n³) time and O(n²) space for n vertices; beyond, as [`solve`](Blossom::solve).
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, EdgeList, Error, Workspace};
    ///
    /// let mut square = EdgeList::new(4, [(0, 1, 4_i64), (1, 2, 1), (2, 3, 4), (3, 0, 5)])?;
    /// let (blossom, mut workspace) = (Blossom::new(), Workspace::new());
    /// let mut costs = Vec::new();
    /// for weight in [5, 6, 7, 8] {
    ///     square.set_weight(3, weight)?;
    ///     let pairing = blossom.solve_list_with(&square, &mut workspace)?;
    ///     assert!(pairing.verify(&square).is_ok());
    ///     costs.push(pairing.cost());
    /// }
    /// assert_eq!(costs, [6, 7, 8, 8]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn solve_list_with<'w>(
        &self,
        edges: &EdgeList<V>,
        workspace: &'w mut Workspace<V>,
    ) -> Result<&'w Solution<V>, Error> {
        if self.engine == Engine::Auto
            && let Attempt::Solved(()) = workspace.attempt_list(self, edges)?
        {
            return workspace.solution.in_range();
        }
        Ok(workspace.other.insert(self.solve(edges)?))
    }
}
