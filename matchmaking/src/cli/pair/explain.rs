//! Why this pair, and what if.

use std::time::Instant;

use matching_core::{Blossom, Cost, EdgeList, Explanation, Instance, Objective, Solution, Status, StopReason};
use matchmaking::{Driver, PairTerms, Separation};

use super::report::INFEASIBLE;
use super::solve::{Outcome, Settings, SolveError, Solved, Weight};
use super::table::Table;
use crate::cli::asked;

/// Everything there is to say about the pairs that were asked about.
#[derive(Debug)]
pub(super) struct Explanations {
    pub(super) of: asked::Asked,
    /// Of one player, those whom he has; else the one pair.
    pub(super) pairs: Vec<Explained>,
}

impl Explanations {
    /// Asks about the pair of two, or about all pairs that one has in an answer, one after the other, within limits for all
    /// together.
    pub(super) fn of(
        of: asked::Asked,
        outcome: &Outcome,
        settings: Settings,
        explain: impl Fn((usize, usize), Settings) -> Result<Explained, SolveError>,
    ) -> Result<Self, SolveError> {
        let asked = match of {
            asked::Asked::Two([a, b]) => vec![(a, b)],
            asked::Asked::One(player) => {
                let pairs = outcome.matched().map_or(&[][..], |matched| &matched.pairs);
                let other = |&(u, v, _): &(usize, usize, i128)| match player {
                    _ if u == player => Some((player, v)),
                    _ if v == player => Some((player, u)),
                    _ => None,
                };
                let mut pairs: Vec<(usize, usize)> = pairs.iter().filter_map(other).collect();
                pairs.sort_unstable();
                pairs
            }
        };
        let (mut pairs, mut left) = (Vec::with_capacity(asked.len()), settings);
        for pair in asked {
            let start = Instant::now();
            let explained = explain(pair, left.clone())?;
            left = left.after(explained.work, start.elapsed());
            pairs.push(explained);
        }
        Ok(Self { of, pairs })
    }

    /// What ended the explanation, if something did.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        self.pairs.iter().find_map(Explained::stopped)
    }

    /// The explanation of the question with all weights negated.
    pub(super) fn negated(self) -> Self {
        let pairs = self.pairs.into_iter().map(Explained::negated).collect();
        Self { pairs, ..self }
    }
}

/// What is known of a pair before anything is asked.
#[derive(Debug)]
pub(super) struct About {
    pub(super) terms: Terms,
    /// What drives the risk of either player, the greatest effects first, where a fitted model says so.
    pub(super) drivers: Option<[Vec<Driver>; 2]>,
    /// What keeps the two apart, and whether their regions differ.
    pub(super) separations: Vec<Separation>,
    pub(super) is_across: bool,
}

impl About {
    /// Of an edge.
    pub(super) const EDGE: Self = Self {
        terms: Terms::Weight,
        drivers: None,
        separations: Vec::new(),
        is_across: false,
    };
}

/// Everything there is to say about one pair.
#[derive(Debug)]
pub(super) struct Explained {
    /// As the command line named them.
    pub(super) pair: (usize, usize),
    /// What the pair costs; `None` if it is no edge, or forbidden.
    pub(super) cost: Option<i128>,
    pub(super) is_chosen: bool,
    pub(super) about: About,
    /// The best result that contains the pair; `None` where the pair cannot be.
    pub(super) forced: Option<WhatIf>,
    /// The best result that does not.
    pub(super) forbidden: WhatIf,
    /// Work that it took, as far as it is known.
    pub(super) work: u64,
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
    /// Pairs that the answer does not have.
    pub(super) added: Vec<(usize, usize)>,
    /// Pairs that the answer alone has.
    pub(super) dropped: Vec<(usize, usize)>,
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
            added: Vec::new(),
            dropped: Vec::new(),
            stopped: None,
        }
    }

    /// The contract's word for a status, and what ended the search.
    pub(super) fn words(status: Option<Status>) -> (&'static str, Option<StopReason>) {
        match status {
            None => (INFEASIBLE, None),
            Some(Status::Optimal) => ("optimal", None),
            Some(Status::Unknown(reason)) => ("unknown", Some(reason)),
            Some(Status::Feasible(reason)) => ("feasible", Some(reason)),
            // A status this program does not know promises nothing beyond the bound.
            Some(_) => ("feasible", None),
        }
    }

    /// In the words of the report, beside the pairs of the answer.
    fn of<V: Weight>(what_if: &matching_core::WhatIf<V>, answer: &Solution<V>) -> Self {
        let (status, stopped) = Self::words(what_if.status());
        let pairs = what_if.pairs();
        let pairs: Option<Vec<_>> = pairs.map(|pairs| pairs.map(|(u, v, _)| (u, v)).collect());
        let before: Vec<(usize, usize)> = answer.pairs().map(|(u, v, _)| (u, v)).collect();
        let is_known = !matches!(answer.status(), Status::Unknown(_));
        let (added, dropped) = match &pairs {
            Some(pairs) if is_known => (without(pairs, &before), without(&before, pairs)),
            _ => Default::default(),
        };
        Self {
            status,
            pairs: pairs.as_ref().map(Vec::len),
            cost: what_if.cost(),
            change: what_if.change(),
            added,
            dropped,
            stopped,
        }
    }
}

/// The pairs that are not among others, all in order.
fn without(pairs: &[(usize, usize)], others: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let is_new = |pair: &&(usize, usize)| others.binary_search(pair).is_err();
    pairs.iter().filter(is_new).copied().collect()
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
    pub(super) fn explain(&self, (a, b): (usize, usize), about: About) -> Result<Explained, SolveError> {
        let Some(solution) = &self.solved.solution else {
            return Ok(self.explain_infeasible((a, b), about));
        };
        let explanation = match self.graph {
            Asked::List(edges) => self.ask(edges, solution, (a, b))?,
            Asked::Table(table) => self.ask(table, solution, (a, b))?,
        };
        Ok(Explained {
            pair: (a, b),
            cost: explanation.cost().map(Into::into),
            is_chosen: explanation.is_chosen(),
            about,
            forced: explanation.forced().map(|what_if| WhatIf::of(what_if, solution)),
            forbidden: WhatIf::of(explanation.forbidden(), solution),
            work: [explanation.forced(), Some(explanation.forbidden())]
                .into_iter()
                .filter_map(|what_if| what_if?.work())
                .sum(),
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
    fn explain_infeasible(&self, (a, b): (usize, usize), about: About) -> Explained {
        let cost = self.graph.weight(a.min(b), a.max(b)).map(Into::into);
        Explained {
            pair: (a, b),
            cost,
            is_chosen: false,
            about,
            forced: cost.map(|_: i128| WhatIf::none()),
            forbidden: WhatIf::none(),
            work: 0,
        }
    }
}
