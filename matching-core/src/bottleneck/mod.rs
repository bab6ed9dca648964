//! The worst pair first: among all pairings those whose worst pair is as good as can be, and of these the best one.

mod candidates;
mod check;
mod neighbours;
mod search;
#[cfg(test)]
mod tests;
mod within;

use std::time::Instant;

use crate::blossom::{Blossom, Engine, Objective};
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::engine::Limits;
use crate::error::Error;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::solution::{Solution, Status};
use crate::witness::TutteBerge;
pub(crate) use check::check_bottleneck;
use search::Search;
use within::{Limit, Sense, Within};

/// A matching whose worst pair is as good as can be, of those the best in total, and the proofs of both: what
/// [`Blossom::solve_bottleneck`] returns.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: serde::Serialize, V::Total: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct Bottleneck<V: CostValue> {
    solution: Solution<V>,
    worst: Option<V>,
    bound: Option<V>,
    witness: Option<TutteBerge>,
    status: Status,
}

impl<V: CostValue> Bottleneck<V> {
    /// The matching. Its cost, bound and certificate are about the instance without the pairs that are worse than
    /// [`worst`](Bottleneck::worst).
    pub fn solution(&self) -> &Solution<V> {
        &self.solution
    }

    /// What the worst pair costs: the greatest cost, or the least weight when maximising. `None` without pairs: of fewer than
    /// two vertices, and where no full matching was found before a limit ([`Status::Unknown`]).
    pub fn worst(&self) -> Option<V> {
        self.worst
    }

    /// The worst pair of no matching can be better than this. The same as [`worst`](Bottleneck::worst) unless a limit ended the
    /// search for a better one.
    pub fn bound(&self) -> Option<V> {
        self.bound
    }

    /// Why there is no full matching of pairs that are all better than [`bound`](Bottleneck::bound).
    pub fn witness(&self) -> Option<&TutteBerge> {
        self.witness.as_ref()
    }

    /// How good the answer is: optimal if neither the worst pair can be better nor, with such a worst pair, the total.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether the answer is proven best.
    pub fn is_optimal(&self) -> bool {
        self.status == Status::Optimal
    }
}

impl<V: CostValue> Blossom<V> {
    /// The fairest matching, before the cheapest: the greatest cost of a pair is as low as can be (a *bottleneck* matching), and
    /// of the matchings with such a greatest cost it is the one of least total. Under [`Objective::MaxPerfect`] the least
    /// weight of a pair is as great as can be, then the total.
    ///
    /// Costs of pairs are compared and not added to find the worst pair, so that it is exact for floats of any size. A bye
    /// ([`Objective::MinBye`]) is no pair: what it costs counts in the total alone. A budget that stops it leaves the best matching
    /// found, and what is proven by then; engine, precision and threads are those of the solver, for the totals. The observer
    /// hears of these two solves as well, of each from its beginning.
    ///
    /// # Errors
    /// As [`solve`](Blossom::solve), and [`Error::ObjectiveWithBottleneck`] for objectives that leave it open who is
    /// matched.
    ///
    /// # Complexity
    /// Two solves, and between them looks at O(log m) limits for m edges, and as much work again at the bound: each look grows
    /// trees for those alone whose pairs in the best matching so far are worse than the limit, in O(m α(m, n)) each at worst, and
    /// mostly in far less. A cost on all pairs is read row by row, in O(n) space beside what the solves take; of a list the
    /// edges that are better than the worst pair of the first solve are copied.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, EdgeList, Error};
    ///
    /// let pings = EdgeList::new(4, [(0, 1, 20_i64), (2, 3, 90), (0, 2, 60), (1, 3, 65), (0, 3, 95)])?;
    /// assert_eq!(Blossom::new().solve(&pings)?.cost(), 20 + 90);
    ///
    /// // At 15 more in all nobody has more than 65.
    /// let fairest = Blossom::new().solve_bottleneck(&pings)?;
    /// assert_eq!((fairest.worst(), fairest.solution().cost()), (Some(65), 60 + 65));
    /// // Vertex 3 has no pair below that.
    /// assert_eq!(fairest.witness().expect("a proof").odd_components(), [[3]]);
    /// assert!(fairest.verify(&pings).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # References
    /// H. N. Gabow, R. E. Tarjan, "Algorithms for two bottleneck optimization problems", Journal of Algorithms 9 (1988),
    /// doi:10.1016/0196-6774(88)90031-4.
    pub fn solve_bottleneck<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<Bottleneck<V>, Error> {
        V::solve_bottleneck(self, &Opaque(instance))
    }
}

/// [`Blossom::solve_bottleneck`], whatever the instance.
pub(crate) fn solve<V: CostValue>(
    blossom: &Blossom<V>,
    instance: &dyn Instance<Value = V>,
) -> Result<Bottleneck<V>, Error> {
    let (Objective::MinPerfect | Objective::MaxPerfect | Objective::MinBye(_)) = blossom.objective else {
        return Err(Error::ObjectiveWithBottleneck);
    };
    let start = Instant::now();
    // The total of pairs that may yet be left out is for nobody to see.
    let cheapest = blossom.solve_any(instance)?;
    let sense = Sense::of(&blossom.objective);
    let is_full = !matches!(cheapest.status, Status::Unknown(_));
    let worst = sense.worst(cheapest.pairs.iter().map(|edge| edge.weight));
    let Some(worst) = worst.filter(|_| is_full) else {
        cheapest.in_range()?;
        return Ok(Bottleneck {
            status: cheapest.status,
            solution: cheapest,
            worst: None,
            bound: None,
            witness: None,
        });
    };
    let left = blossom.budget.after(cheapest.work, start.elapsed());
    let limits = Limits::start(&left);
    Input::of(instance, |input| {
        let spare = match blossom.objective {
            Objective::MinBye(_) => input.len() % 2,
            _ => 0,
        };
        let known = (worst, cheapest.pairs.clone());
        let mut search = Search::begin(input, (sense, spare), known, &limits)?;
        let stopped = search.run()?;
        let mut solution = if search.worst == worst {
            cheapest.clone()
        } else {
            best_within(blossom, input, &cheapest, &search)?
        };
        solution.in_range()?;
        solution.work = solution.work.saturating_add(search.work);
        Ok(Bottleneck {
            status: match stopped {
                Some(reason) if solution.is_optimal() => Status::Feasible(reason),
                _ => solution.status,
            },
            // Of what was stopped the best in total may have a better worst pair than was found.
            worst: sense.worst(solution.pairs.iter().map(|edge| edge.weight)),
            solution,
            bound: Some(search.bound),
            witness: Some(search.witness),
        })
    })
}

/// The best matching without pairs that are worse than those of the search's. Where a limit comes first, the search's own, with
/// what is known of all matchings.
fn best_within<V: CostValue>(
    blossom: &Blossom<V>,
    input: Input<'_, V>,
    cheapest: &Solution<V>,
    search: &Search<'_, V>,
) -> Result<Solution<V>, Error> {
    let within = Within {
        input,
        limit: Limit::UpTo(search.worst),
        sense: Sense::of(&blossom.objective),
    };
    let few = match blossom.engine {
        Engine::Auto => within.few()?,
        Engine::Sparse | Engine::Dense => None,
    };
    let blossom = blossom.clone().budget(search.left());
    let best = match &few {
        Some(edges) => blossom.solve_any(edges),
        None => blossom.solve_any(&within),
    }?;
    let work = cheapest.work.saturating_add(best.work);
    let Status::Unknown(reason) = best.status else {
        return Ok(Solution { work, ..best });
    };
    let found = only(&blossom, input.len(), search.pairs.clone())?;
    Ok(Solution {
        bound: cheapest.bound,
        certificate: cheapest.certificate.clone(),
        status: Status::Feasible(reason),
        work,
        solved_by: best.solved_by,
        ..found
    })
}

/// The matching of these pairs, as there are no others.
fn only<V: CostValue>(blossom: &Blossom<V>, n: usize, pairs: Vec<Edge<V>>) -> Result<Solution<V>, Error> {
    let graph = EdgeList::from_simple(n, pairs);
    blossom.clone().budget(Default::default()).solve_any(&graph)
}
