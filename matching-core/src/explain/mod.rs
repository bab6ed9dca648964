//! Why this pair, and what if: what forcing or forbidding one pair would change.

mod check;
mod degrees;
mod rest;
mod sums;
mod what_if;

use std::time::Instant;

use crate::blossom::Blossom;
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::error::Error;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::solution::Solution;
pub(crate) use check::check_explanation;
pub(crate) use degrees::check_degrees_explanation;
pub use degrees::{DegreesExplanation, DegreesWhatIf};
use rest::{Rest, Taken};
use sums::Sums as _;
pub use what_if::WhatIf;
use what_if::{Answer, Context};

/// What there is to say about one pair beside a solution: made by [`Blossom::explain`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub struct Explanation<V: CostValue> {
    pair: (usize, usize),
    cost: Option<V>,
    is_chosen: bool,
    forced: Option<WhatIf<V>>,
    forbidden: WhatIf<V>,
}

impl<V: CostValue> Explanation<V> {
    /// The pair, lower vertex first.
    pub fn pair(&self) -> (usize, usize) {
        self.pair
    }

    /// What the pair costs; `None` where it is forbidden or no edge.
    pub fn cost(&self) -> Option<V> {
        self.cost
    }

    /// Whether the pair is in the solution. The partial matching of a solve that was stopped before a full one was found
    /// ([`Status::Unknown`](crate::Status::Unknown)) is none.
    pub fn is_chosen(&self) -> bool {
        self.is_chosen
    }

    /// The best result that has the pair; `None` where the pair cannot be, as it has no cost.
    pub fn forced(&self) -> Option<&WhatIf<V>> {
        self.forced.as_ref()
    }

    /// The best result that does not have the pair.
    pub fn forbidden(&self) -> &WhatIf<V> {
        &self.forbidden
    }
}

impl<V: CostValue> Blossom<V> {
    /// What forcing or forbidding a pair would change about a solution of an instance, which this or another `Blossom`
    /// has found.
    ///
    /// The question is that of the solution ([`Solution::objective`]); engine, precision, threads, observer and limits
    /// are those set here; the observer hears of each solve from its beginning. A proven optimum answers one of the two
    /// by itself: the pair is in it, or not. What it does not answer is solved: without the pair, and without its two
    /// vertices, within [`Budget`] for both together, but that a proof of there being no such matching takes of its time
    /// alone: its work is not told ([`WhatIf::work`]). Where that stops a solve, the answer says so ([`WhatIf::status`])
    /// and has a bound.
    ///
    /// Where there was no answer to begin with ([`Error::NoPerfectMatching`]) there is none with a pair forced or
    /// forbidden either, and nothing to ask.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for a solution with another number of vertices than the instance has; what
    /// [`solve`](Blossom::solve) fails with, but for [`Error::NoPerfectMatching`], which is an answer here. A total that
    /// leaves its type is no error but left out ([`WhatIf::cost`]).
    ///
    /// # Panics
    /// If `i` and `j` are not two different vertices of the solution.
    ///
    /// # Complexity
    /// That of one solve where the solution is proven optimal and of two at most elsewhere, and O(m) for m edges, or
    /// O(1) for a cost, to find the pair.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Error, cost};
    ///
    /// let rating = [1510_i64, 1180, 1495, 1220];
    /// let gap = cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs());
    /// let blossom = Blossom::new();
    /// let best = blossom.solve(&gap)?;
    ///
    /// // Why do 0 and 3 not play each other? It would cost 550 more.
    /// let why = blossom.explain(&gap, &best, 0, 3)?;
    /// assert_eq!((why.cost(), why.is_chosen()), (Some(290), false));
    /// let forced = why.forced().expect("the pair is allowed");
    /// assert_eq!((forced.cost(), forced.change()), (Some(605), Some(550)));
    /// assert_eq!(why.forbidden().change(), Some(0));
    /// assert!(why.verify(&gap, &best).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn explain<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        solution: &Solution<V>,
        i: usize,
        j: usize,
    ) -> Result<Explanation<V>, Error> {
        let n = solution.len();
        assert!(
            i < n && j < n && i != j,
            "a pair is two different vertices of the solution: ({i}, {j}) of {n}"
        );
        V::explain(self, &Opaque(instance), solution, (i.min(j), i.max(j)))
    }

    /// [`explain`](Blossom::explain), whatever the instance.
    pub(crate) fn explain_opaque(
        &self,
        instance: &dyn Instance<Value = V>,
        solution: &Solution<V>,
        pair: (usize, usize),
    ) -> Result<Explanation<V>, Error> {
        Input::of(instance, |input| {
            check_sizes(input, solution.len())?;
            let question = Question {
                blossom: self,
                input,
                solution,
                pair,
                left: self.budget.clone(),
            };
            question.explain()
        })
    }
}

/// One pair, to be asked about.
struct Question<'a, V: CostValue> {
    blossom: &'a Blossom<V>,
    input: Input<'a, V>,
    solution: &'a Solution<V>,
    /// The lower vertex first.
    pair: (usize, usize),
    /// What is left of the limits.
    left: Budget,
}

impl<V: CostValue> Question<'_, V> {
    fn explain(mut self) -> Result<Explanation<V>, Error> {
        let (u, v) = self.pair;
        let cost = self.input.weight(u, v)?;
        let context = Context::new(self.solution, self.pair, cost);
        let is_optimal = self.solution.is_optimal();
        let is_chosen = context.is_chosen();
        let forced = match cost {
            None => None,
            Some(_) if is_optimal && is_chosen => Some(Answer::Same),
            Some(_) => Some(self.answer(Taken::Vertices(u, v))?),
        };
        let forbidden = if is_optimal && !is_chosen {
            Answer::Same
        } else {
            self.answer(Taken::Pair(u, v))?
        };
        Ok(Explanation {
            pair: self.pair,
            cost,
            is_chosen,
            forced: forced.map(|answer| context.what_if_forced(answer)),
            forbidden: context.what_if_forbidden(forbidden),
        })
    }

    /// Solves the rest within what is left of the limits, and takes what it used off them.
    fn answer(&mut self, taken: Taken) -> Result<Answer<V>, Error> {
        let start = Instant::now();
        let blossom = self
            .blossom
            .clone()
            .objective(taken.objective(self.solution.objective()))
            .budget(self.left.clone());
        let rest = Rest {
            input: self.input,
            taken,
        };
        let answer = match blossom.solve_any(&rest) {
            Ok(solution) => Answer::Found(Box::new(solution)),
            Err(Error::NoPerfectMatching(witness)) => Answer::Infeasible(witness),
            Err(error) => return Err(taken.name(error)),
        };
        // Who proves that there is no answer does not say how much work it took.
        let work = if let Answer::Found(solution) = &answer {
            solution.work()
        } else {
            0
        };
        self.left = self.left.after(work, start.elapsed());
        Ok(answer)
    }
}

/// Whether an answer about so many vertices can be one to an instance.
fn check_sizes<V: CostValue>(input: Input<'_, V>, vertices: usize) -> Result<(), Error> {
    if let Input::Pairs(cost) = input
        && cost.cols() != cost.len()
    {
        return Err(Error::NotSquare {
            rows: cost.len(),
            cols: cost.cols(),
        });
    }
    if input.len() == vertices {
        return Ok(());
    }
    Err(Error::LengthMismatch {
        what: "vertices of a solution",
        expected: input.len(),
        found: vertices,
    })
}

/// Whether a solution is a matching as the objective demands it, and has the pair.
fn has_pair<V: CostValue>(solution: &Solution<V>, (u, v): (usize, usize)) -> bool {
    solution.is_full() && solution.mate(u) == Some(v)
}
