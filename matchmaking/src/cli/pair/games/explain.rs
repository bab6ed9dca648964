//! Why this pair plays, or does not, and what if.

use matching_core::{Cost, CostValue, Degrees, EdgeList, Objective};

use super::solve::solve;
use crate::cli::json::Spent;
use crate::cli::pair::explain::{Asked, Explained, Terms, WhatIf};
use crate::cli::pair::report::{reason, status};
use crate::cli::pair::solve::{Outcome, Settings, SolveError, Weight};

/// A question and its answer, to be asked again with one pair forced or forbidden.
pub(super) struct Question<'a, V: Weight> {
    pub(super) graph: Asked<'a, V>,
    pub(super) objective: &'a Objective<V>,
    pub(super) degrees: &'a Degrees<V>,
    /// With what the answer has left of the limits.
    pub(super) settings: Settings,
    pub(super) outcome: &'a Outcome,
}

impl<V: Weight> Question<'_, V> {
    /// What the pair costs, and the best games with it and without it: one of the two is the answer.
    pub(super) fn explain(&self, (a, b): (usize, usize), terms: Terms) -> Result<Explained, SolveError> {
        let weight = self.graph.weight(a.min(b), a.max(b));
        // Pairs of which not everybody has enough are no answer.
        let pairs = self.outcome.matched().map_or(&[][..], |matched| &matched.pairs);
        let is_chosen = pairs.iter().any(|&(u, v, _)| (u, v) == (a.min(b), a.max(b)));
        // What ended the search for the answer is said of that.
        let as_it_is = || WhatIf {
            stopped: None,
            ..self.told(self.outcome, 0, 0)
        };
        let is_settled = matches!(self.outcome, Outcome::Lacking(_) | Outcome::Unexplained(_));
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
        match self.graph {
            Asked::List(edges) => {
                let others = edges.iter().filter(|&(u, v, _)| (u, v) != (low, high));
                let edges = EdgeList::new(edges.len(), others).map_err(SolveError::Refused)?;
                solve(&edges, self.objective, degrees, &self.settings, spent)
            }
            Asked::Table(table) => {
                let others = table.restricted(|i, j| (i.min(j), i.max(j)) != (low, high));
                solve(&others, self.objective, degrees, &self.settings, spent)
            }
        }
    }

    /// An outcome with so many pairs more, which cost so much.
    fn told(&self, outcome: &Outcome, more: usize, weight: i128) -> WhatIf {
        let matched = outcome.matched();
        let cost = matched.map(|matched| matched.cost + weight);
        let answer = self.outcome.matched();
        let change = cost.zip(answer).map(|(cost, answer)| cost - answer.cost);
        WhatIf {
            status: status(outcome),
            pairs: matched.map(|matched| matched.pairs.len() + more),
            cost,
            change,
            stopped: reason(outcome),
        }
    }
}

/// Other numbers at the same prices.
fn priced<V: CostValue>(least: Vec<u32>, most: Vec<u32>, prices: &Degrees<V>) -> Degrees<V> {
    let prices = (0..prices.len()).map(|v| prices.price(v)).collect();
    Degrees::between(least, most).missing(prices)
}
