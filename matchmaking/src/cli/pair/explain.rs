//! Why this pair, and what if.

use matching_core::{Blossom, Cost, EdgeList, Explanation, Instance, Objective, Solution, Status, StopReason};
use matchmaking::PairTerms;

use super::report::INFEASIBLE;
use super::solve::{Settings, SolveError, Solved, Weight};
use super::table::Table;

/// Everything there is to say about one pair.
#[derive(Debug)]
pub(super) struct Explained {
    /// As the command line named them.
    pub(super) pair: (usize, usize),
    /// What the pair costs; `None` if it is no edge, or forbidden.
    pub(super) cost: Option<i128>,
    pub(super) is_chosen: bool,
    pub(super) terms: Terms,
    /// The best result that contains the pair; `None` where the pair cannot be.
    pub(super) forced: Option<WhatIf>,
    /// The best result that does not.
    pub(super) forbidden: WhatIf,
}

/// What the cost of a pair is made of.
#[derive(Debug)]
pub(super) enum Terms {
    /// The weight that the input gives.
    Weight,
    /// The rating difference.
    Ratings(f64, f64),
    /// Chances times churn risks.
    Engagement(PairTerms),
}

/// What changes under one more condition.
#[derive(Debug)]
pub(super) struct WhatIf {
    pub(super) status: &'static str,
    /// Number of pairs; `None` where there is no answer.
    pub(super) pairs: Option<usize>,
    pub(super) cost: Option<i128>,
    /// By how much the total changes.
    pub(super) change: Option<i128>,
    /// What ended the search for it, if something did.
    pub(super) stopped: Option<StopReason>,
}

impl WhatIf {
    /// That there is no answer.
    pub(super) fn none() -> Self {
        Self {
            status: INFEASIBLE,
            pairs: None,
            cost: None,
            change: None,
            stopped: None,
        }
    }

    /// In the words of the report.
    fn of<V: Weight>(what_if: &matching_core::WhatIf<V>) -> Self {
        Self {
            status: match what_if.status() {
                None => INFEASIBLE,
                Some(Status::Optimal) => "optimal",
                Some(Status::Unknown(_)) => "unknown",
                // A status this program does not know promises nothing beyond the bound.
                Some(_) => "feasible",
            },
            pairs: what_if.pairs().map(|pairs| pairs.len()),
            cost: what_if.cost(),
            change: what_if.change(),
            stopped: match what_if.status() {
                Some(Status::Feasible(reason) | Status::Unknown(reason)) => Some(reason),
                _ => None,
            },
        }
    }
}

impl Explained {
    /// What ended the explanation, if something did: of the two results one is the answer, and the other was searched for.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        let searched = if self.is_chosen {
            Some(&self.forbidden)
        } else {
            self.forced.as_ref()
        };
        searched?.stopped
    }

    /// The explanation of the question with all weights negated.
    pub(super) fn negated(self) -> Self {
        let negated = |number: Option<i128>| number.map(|number| -number);
        let turn = |what_if: WhatIf| WhatIf {
            cost: negated(what_if.cost),
            change: negated(what_if.change),
            ..what_if
        };
        Self {
            cost: negated(self.cost),
            forced: self.forced.map(turn),
            forbidden: turn(self.forbidden),
            ..self
        }
    }
}

/// What was asked about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'a, V> {
    List(&'a EdgeList<V>),
    Table(&'a Table<V>),
}

impl<V: Weight> Asked<'_, V> {
    /// What a pair costs, if it may be formed.
    pub(super) fn weight(self, u: usize, v: usize) -> Option<V> {
        match self {
            Self::List(edges) => {
                let ends = (u as u32, v as u32);
                let edge = edges.edges().iter().find(|edge| (edge.u, edge.v) == ends);
                edge.map(|edge| edge.weight)
            }
            Self::Table(table) => table.is_allowed(u, v).then(|| table.pair(u, v)),
        }
    }
}

/// A question and its answer, to be asked again with one pair forced or forbidden.
pub(super) struct Question<'a, V: Weight> {
    pub(super) graph: Asked<'a, V>,
    pub(super) objective: &'a Objective<V>,
    /// With what the answer has left of the limits.
    pub(super) settings: Settings,
    pub(super) solved: &'a Solved<V>,
}

impl<V: Weight> Question<'_, V> {
    pub(super) fn explain(&self, (a, b): (usize, usize), terms: Terms) -> Result<Explained, SolveError> {
        let Some(solution) = &self.solved.solution else {
            return Ok(self.explain_infeasible((a, b), terms));
        };
        let explanation = match self.graph {
            Asked::List(edges) => self.ask(edges, solution, (a, b))?,
            Asked::Table(table) => self.ask(table, solution, (a, b))?,
        };
        Ok(Explained {
            pair: (a, b),
            cost: explanation.cost().map(Into::into),
            is_chosen: explanation.is_chosen(),
            terms,
            forced: explanation.forced().map(WhatIf::of),
            forbidden: WhatIf::of(explanation.forbidden()),
        })
    }

    /// Asks, and checks the answer.
    fn ask<I: Instance<Value = V>>(
        &self,
        graph: &I,
        solution: &Solution<V>,
        (a, b): (usize, usize),
    ) -> Result<Explanation<V>, SolveError> {
        let ask = |blossom: &Blossom<V>| blossom.explain(graph, solution, a, b);
        let explanation = self.settings.ask(self.objective, ask);
        let explanation = explanation.map_err(SolveError::Refused)?;
        explanation.verify(graph, solution).map_err(SolveError::Unverified)?;
        Ok(explanation)
    }

    /// Where no answer meets the objective, none does so with one more condition.
    fn explain_infeasible(&self, (a, b): (usize, usize), terms: Terms) -> Explained {
        let cost = self.graph.weight(a.min(b), a.max(b)).map(Into::into);
        Explained {
            pair: (a, b),
            cost,
            is_chosen: false,
            terms,
            forced: cost.map(|_: i128| WhatIf::none()),
            forbidden: WhatIf::none(),
        }
    }
}
