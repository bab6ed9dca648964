//! Why this pair plays, or does not, and what if.

use matching_core::{BMatching, Cost, CostValue, Degrees, EdgeList, Objective, Status};

use super::solve::{Played, solve};
use crate::cli::json::Spent;
use crate::cli::pair::explain::{Asked, Explained, Terms, WhatIf};
use crate::cli::pair::report::status;
use crate::cli::pair::solve::{Outcome, Settings, SolveError, Weight};

/// A question and its answer, to be asked again with one pair forced or forbidden.
pub(super) struct Question<'a, V: Weight> {
    pub(super) graph: Asked<'a, V>,
    pub(super) objective: &'a Objective<V>,
    pub(super) degrees: &'a Degrees<V>,
    /// With what the answer has left of the limits.
    pub(super) settings: Settings,
    pub(super) played: &'a Played<V>,
}

impl<V: Weight> Question<'_, V> {
    /// What the pair costs, and the best games with it and without it: one of the two is the answer.
    pub(super) fn explain(&self, (a, b): (usize, usize), terms: Terms) -> Result<Explained, SolveError> {
        let weight = self.graph.weight(a.min(b), a.max(b));
        let chosen = self.played.answer.as_ref().map_or(0, |answer| {
            let is_pair = |&(u, v, _): &(usize, usize, V)| (u, v) == (a.min(b), a.max(b));
            answer.pairs().filter(is_pair).count()
        });
        let is_chosen = chosen > 0;
        let as_it_is = || self.told(&self.played.outcome, 0, 0);
        let is_settled = self.played.answer.is_none();
        let forced = match weight {
            None => None,
            Some(_) if is_chosen || is_settled => Some(as_it_is()),
            Some(weight) => Some(self.forced((a, b), weight)?),
        };
        let forbidden = match weight {
            Some(_) if is_chosen => self.forbidden((a, b))?,
            _ => as_it_is(),
        };
        Ok(Explained {
            pair: (a, b),
            cost: weight.map(Into::into),
            is_chosen,
            terms,
            forced,
            forbidden,
        })
    }

    /// The best games of which the pair is one: the others are the best without it, where either of the two needs one fewer.
    fn forced(&self, (a, b): (usize, usize), weight: V) -> Result<WhatIf, SolveError> {
        let (mut least, mut most) = (self.degrees.least().to_vec(), self.degrees.most().to_vec());
        for end in [a, b] {
            least[end] = least[end].saturating_sub(1);
            match most[end].checked_sub(1) {
                Some(fewer) => most[end] = fewer,
                // Who should have no games has none with this one either.
                None => return Ok(WhatIf::none()),
            }
        }
        let outcome = self.ask((a, b), &priced(least, most, self.degrees))?;
        Ok(self.told(&outcome, 1, weight.into()))
    }

    /// The best games without the pair.
    fn forbidden(&self, pair: (usize, usize)) -> Result<WhatIf, SolveError> {
        let outcome = self.ask(pair, self.degrees)?;
        Ok(self.told(&outcome, 0, 0))
    }

    /// The question without the pair, answered and checked.
    fn ask(&self, (a, b): (usize, usize), degrees: &Degrees<V>) -> Result<Outcome, SolveError> {
        let (low, high) = (a.min(b), a.max(b));
        let spent = &mut Spent::default();
        let played = match self.graph {
            Asked::List(edges) => {
                let others = edges.iter().filter(|&(u, v, _)| (u, v) != (low, high));
                let edges = EdgeList::new(edges.len(), others).map_err(SolveError::Refused)?;
                solve(&edges, self.objective, degrees, &self.settings, spent)
            }
            Asked::Table(table) => {
                let others = table.restricted(|i, j| (i.min(j), i.max(j)) != (low, high));
                solve(&others, self.objective, degrees, &self.settings, spent)
            }
        };
        Ok(played?.outcome)
    }

    /// An outcome with so many pairs more, which cost so much.
    fn told(&self, outcome: &Outcome, more: usize, weight: i128) -> WhatIf {
        let matched = outcome.matched();
        let cost = matched.map(|matched| matched.cost + weight);
        let answer = self.played.answer.as_ref().filter(|answer| has_all(answer));
        let change = cost.zip(answer).map(|(cost, answer)| cost - answer.cost());
        WhatIf {
            status: status(outcome),
            pairs: matched.map(|matched| matched.pairs.len() + more),
            cost,
            change,
        }
    }
}

/// Whether everybody has as many partners as he should.
fn has_all<V: Weight>(answer: &BMatching<V>) -> bool {
    !matches!(answer.status(), Status::Unknown(_))
}

/// Other numbers at the same prices.
fn priced<V: CostValue>(least: Vec<u32>, most: Vec<u32>, prices: &Degrees<V>) -> Degrees<V> {
    let prices = (0..prices.len()).map(|v| prices.price(v)).collect();
    Degrees::between(least, most).missing(prices)
}
