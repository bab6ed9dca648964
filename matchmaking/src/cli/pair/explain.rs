//! Why this pair, and what if.

use matching_core::{Cost, EdgeList, Instance, Objective};
use matchmaking::PairTerms;

use super::solve::{Outcome, Settings, SolveError, Weight, solve};
use super::table::Table;
use crate::cli::failure::Failure;
use crate::cli::json::Spent;
use crate::cli::names::Names;
use crate::quoted::quoted;

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
}

impl Explained {
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

/// The two ids of `A,B`. Ids may hold commas, as long as one reading names two of them.
pub(super) fn parse_pair(text: &str, names: &Names<'_>) -> Result<(usize, usize), Failure> {
    let usage = |problem| Failure::Usage {
        option: "--explain",
        problem,
    };
    let commas = text
        .match_indices(',')
        .map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
    let mut known = commas
        .clone()
        .filter_map(|(a, b)| Some((names.position(a)?, names.position(b)?)));
    match (known.next(), known.next()) {
        (Some((a, b)), None) if a == b => Err(usage(format!("{} names the same id twice; name two", quoted(text)))),
        (Some(pair), None) => Ok(pair),
        (Some(_), Some(_)) => Err(usage(format!(
            "{} can be read as more than one pair of ids",
            quoted(text)
        ))),
        (None, _) => match commas.clone().next() {
            Some((a, b)) => {
                let unknown = if names.position(a).is_none() { a } else { b };
                Err(usage(format!("{} is no id of the input", quoted(unknown))))
            }
            None => Err(usage(format!("{} is not of the form A,B", quoted(text)))),
        },
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
    fn weight(self, u: usize, v: usize) -> Option<V> {
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
pub(super) struct Question<'a, V> {
    pub(super) graph: Asked<'a, V>,
    pub(super) objective: &'a Objective<V>,
    /// With what the answer has left of the limits.
    pub(super) settings: Settings,
    pub(super) outcome: &'a Outcome,
}

impl<V: Weight> Question<'_, V> {
    pub(super) fn explain(mut self, (a, b): (usize, usize), terms: Terms) -> Result<Explained, SolveError> {
        let (u, v) = (a.min(b), a.max(b));
        let cost = self.graph.weight(u, v).map(Into::into);
        let chosen = self
            .outcome
            .matched()
            .filter(|m| m.pairs.iter().any(|&(i, j, _)| (i, j) == (u, v)));
        // Only a proven optimum answers one of the two questions by itself.
        let is_optimal = self.outcome.matched().is_some_and(|matched| matched.stopped.is_none());
        let forced = match cost {
            None => None,
            Some(_) if is_optimal && chosen.is_some() => Some(self.what_if(self.outcome, 0, 0)),
            Some(weight) => {
                let rest = self.without_vertices(u, v)?;
                Some(self.what_if(&rest, weight, 1))
            }
        };
        let forbidden = if is_optimal && chosen.is_none() {
            self.what_if(self.outcome, 0, 0)
        } else {
            let rest = self.without_pair(u, v)?;
            self.what_if(&rest, 0, 0)
        };
        Ok(Explained {
            pair: (a, b),
            cost,
            is_chosen: chosen.is_some(),
            terms,
            forced,
            forbidden,
        })
    }

    /// An outcome, beside which so many pairs of that total weight are fixed.
    fn what_if(&self, outcome: &Outcome, weight: i128, pairs: usize) -> WhatIf {
        let before = self.outcome.matched().map(|matched| matched.cost);
        let matched = outcome.matched();
        let cost = matched.and_then(|matched| matched.cost.checked_add(weight));
        let status = super::report::status(outcome);
        let change = cost.zip(before).and_then(|(cost, before)| cost.checked_sub(before));
        WhatIf {
            status,
            pairs: matched.map(|matched| matched.pairs.len() + pairs),
            cost,
            change,
        }
    }

    /// The best result among the other vertices.
    fn without_vertices(&mut self, u: usize, v: usize) -> Result<Outcome, SolveError> {
        let keep = |costs: &[V]| {
            let kept = costs.iter().enumerate().filter(|&(w, _)| w != u && w != v);
            kept.map(|(_, &cost)| cost).collect()
        };
        let objective = match self.objective {
            Objective::MinBye(byes) => Objective::MinBye(keep(byes)),
            other => other.clone(),
        };
        let edges = match self.graph {
            Asked::Table(table) => return self.again(&table.without(u, v), &objective),
            Asked::List(edges) => edges,
        };
        // Vertices behind a removed one move up.
        let rename = |w: usize| w - usize::from(w > u) - usize::from(w > v);
        let others = triples(edges).filter(|&(i, j, _)| ![i, j].iter().any(|&w| w == u || w == v));
        let rest = EdgeList::new(edges.len() - 2, others.map(|(i, j, w)| (rename(i), rename(j), w)));
        self.again(&rest.map_err(SolveError::Refused)?, &objective)
    }

    /// The best result without a pair.
    fn without_pair(&mut self, u: usize, v: usize) -> Result<Outcome, SolveError> {
        let is_other = |i: usize, j: usize| (i.min(j), i.max(j)) != (u, v);
        match self.graph {
            Asked::Table(table) => self.again(&table.restricted(is_other), self.objective),
            Asked::List(edges) => {
                let others = triples(edges).filter(|&(i, j, _)| is_other(i, j));
                let rest = EdgeList::new(edges.len(), others).map_err(SolveError::Refused)?;
                self.again(&rest, self.objective)
            }
        }
    }

    /// Solves within what is left of the limits, and takes what it used off them.
    fn again<I: Instance<Value = V>>(&mut self, graph: &I, objective: &Objective<V>) -> Result<Outcome, SolveError> {
        let mut spent = Spent::default();
        let outcome = solve(graph, objective, self.settings, &mut spent)?;
        self.settings = self.settings.after(outcome.work().unwrap_or(0), spent.solve);
        Ok(outcome)
    }
}

fn triples<V: Weight>(edges: &EdgeList<V>) -> impl Iterator<Item = (usize, usize, V)> + '_ {
    let edges = edges.edges().iter();
    edges.map(|edge| (edge.u as usize, edge.v as usize, edge.weight))
}
