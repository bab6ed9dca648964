//! From the caller's numbers to integers, and from what was found there to an answer in the caller's terms.

use super::few::Opening;
use super::rescue::Choice;
use super::solve::{Found, Options, Problem, capped, too_wide};
use super::witness::DegreeWitness;
use super::{BMatching, Degrees};
use crate::blossom::{Blossom, Objective};
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::engine::{Limits, WIDE_BITS};
use crate::error::Error;
use crate::instance::Instance;
use crate::numbers::{self, Digits, Grid};
use crate::solution::{Status, StopReason};

/// [`Blossom::solve_degrees`], whatever the instance.
pub(crate) fn solve<V: CostValue>(
    blossom: &Blossom<V>,
    instance: &dyn Instance<Value = V>,
    degrees: &Degrees<V>,
) -> Result<BMatching<V>, Error> {
    let answer = solve_any(blossom, instance, degrees)?;
    if answer.cost.is_number() {
        Ok(answer)
    } else {
        Err(Error::TotalOutOfRange)
    }
}

/// The same for a part of an answer, whose own total need be no float.
pub(crate) fn solve_any<V: CostValue>(
    blossom: &Blossom<V>,
    instance: &dyn Instance<Value = V>,
    degrees: &Degrees<V>,
) -> Result<BMatching<V>, Error> {
    let is_maximum = match blossom.objective {
        Objective::MinPerfect => false,
        Objective::MaxPerfect => true,
        _ => return Err(Error::ObjectiveWithDegrees),
    };
    let limits = Limits::start(&blossom.budget).heard_by(blossom.observer.as_ref());
    let edges = instance.to_edges()?;
    degrees.check(edges.len())?;
    let asked = Asked::read(&edges, degrees, is_maximum, blossom)?;
    let problem = &asked.problem;
    let found = if problem.is_pairing() {
        problem.pair_off(&limits)?
    } else {
        problem.solve(&limits)?
    };
    asked.told(found)
}

/// What was asked, in the caller's numbers and on integers.
pub(super) struct Asked<'a, V: CostValue> {
    edges: &'a EdgeList<V>,
    degrees: &'a Degrees<V>,
    is_maximum: bool,
    grid: Grid,
    pub(super) problem: Problem<'a>,
}

impl<'a, V: CostValue> Asked<'a, V> {
    pub(super) fn read(
        edges: &'a EdgeList<V>,
        degrees: &'a Degrees<V>,
        is_maximum: bool,
        blossom: &'a Blossom<V>,
    ) -> Result<Self, Error> {
        let bounds = degrees.bounds();
        let ends: Vec<(u32, u32)> = edges.edges().iter().map(|edge| (edge.u, edge.v)).collect();
        let most = capped(bounds.most, ends.iter().copied());
        if let Some(v) = (0..most.len()).find(|&v| most[v] < bounds.least[v]) {
            let nobody = (0..most.len()).filter(|&v| bounds.most[v] == 0).collect();
            return Err(Error::NoDegrees(DegreeWitness::counted(&ends, bounds, nobody, vec![v])));
        }
        let mut digits = Digits::default();
        edges.edges().iter().for_each(|edge| digits.include(edge.weight));
        degrees.missing.iter().for_each(|&price| digits.include(price));
        let copies = most.iter().fold(0usize, |sum, &most| sum.saturating_add(most as usize));
        let vertices = copies.saturating_mul(4).saturating_add(2 * edges.edges().len());
        let grid = digits.grid(vertices, &Objective::<V>::MinPerfect, blossom.precision);
        let units = |value: V| {
            let units = grid.units(value).and_then(|units| match is_maximum {
                true => units.checked_neg(),
                false => Some(units),
            });
            units.ok_or_else(|| too_wide(V::IS_INTEGER, edges.len(), grid.bits_needed, WIDE_BITS))
        };
        let problem = Problem {
            costs: edges
                .edges()
                .iter()
                .map(|edge| units(edge.weight))
                .collect::<Result<_, _>>()?,
            prices: (0..most.len())
                .map(|v| units(degrees.price(v)))
                .collect::<Result<_, _>>()?,
            asked: bounds,
            ends,
            most,
            is_integer: V::IS_INTEGER,
            opening: Opening::default(),
            options: Options {
                engine: blossom.engine,
                threads: blossom.threads,
                observer: blossom.observer.as_ref(),
            },
        };
        Ok(Self {
            edges,
            degrees,
            is_maximum,
            grid,
            problem,
        })
    }

    /// The answer in the caller's terms.
    pub(super) fn told(&self, found: Found) -> Result<BMatching<V>, Error> {
        let problem = &self.problem;
        let choice = match found.stopped {
            Some(_) => problem.completed(found.chosen),
            None => Choice::of(problem, found.chosen),
        };
        let Choice { chosen, counts } = choice;
        let is_full = counts
            .iter()
            .zip(&self.degrees.least)
            .all(|(count, least)| count >= least);
        if !is_full {
            // Fixed numbers that add up to an odd sum are no matter of time.
            let witness = problem.witnessed(Vec::new(), Vec::new());
            if witness.missing() > 0 {
                return Err(Error::NoDegrees(witness));
            }
        }
        let chosen = problem.in_order(chosen);
        let pairs: Vec<Edge<V>> = chosen.iter().map(|&edge| self.edges.edges()[edge as usize]).collect();
        let status = match found.stopped {
            Some(reason) if is_full => Status::Feasible(reason),
            Some(reason) => Status::Unknown(reason),
            None if self.grid.is_exact => Status::Optimal,
            None => Status::Feasible(StopReason::Rounding),
        };
        let missing = |v: usize| self.degrees.most[v] - counts[v];
        let units = chosen
            .iter()
            .try_fold(0i128, |sum, &edge| sum.checked_add(problem.costs[edge as usize]));
        let units = (0..counts.len()).try_fold(units, |sum, v| {
            let missing = problem.prices[v].checked_mul(i128::from(missing(v)));
            Some(sum.zip(missing).and_then(|(sum, missing)| sum.checked_add(missing)))
        });
        let overflow = || problem.too_wide(128, WIDE_BITS);
        let sign = if self.is_maximum { -1 } else { 1 };
        let units = units.flatten().and_then(|units| units.checked_mul(sign));
        let units = units.ok_or_else(overflow)?;
        let cost = V::total_from(units, || {
            if self.grid.is_exact {
                return numbers::nearest_float(units, self.grid.exponent);
            }
            let lacking = |v: usize, scale: f64| self.degrees.price(v).to_f64() * scale * f64::from(missing(v));
            numbers::ranged_sum(|scale| {
                let weights = pairs.iter().map(move |edge| edge.weight.to_f64() * scale);
                weights.chain((0..counts.len()).map(move |v| lacking(v, scale)))
            })
        });
        let bound = found
            .doubled_bound
            .and_then(|bound| self.bound(bound))
            .ok_or_else(overflow)?;
        Ok(BMatching {
            pairs,
            degrees: self.degrees.clone(),
            is_maximum: self.is_maximum,
            cost,
            bound,
            status,
            work: found.work,
            core: found.core,
            certificate: Certificate {
                exponent: self.grid.exponent,
                ..found.certificate
            },
        })
    }

    /// The best bound on the total that follows from one on twice what copies cost.
    fn bound(&self, doubled: i128) -> Option<V::Total> {
        let mut doubled = doubled;
        let mut terms = 0i128;
        for (v, &price) in self.problem.prices.iter().enumerate() {
            // Partners that nobody is there for are missing in any case.
            let lacking = i128::from(self.degrees.most[v] - self.problem.most[v]);
            doubled = doubled.checked_add(price.checked_mul(lacking.checked_mul(2)?)?)?;
            terms += i128::from(self.degrees.most[v]);
        }
        if self.grid.is_exact {
            let whole = doubled.checked_add(1)?.div_euclid(2);
            let whole = if self.is_maximum { whole.checked_neg()? } else { whole };
            return Some(V::total_from(whole, || {
                numbers::nearest_float(whole, self.grid.exponent)
            }));
        }
        // Each term, pair or missing partner, is off by half a unit at most, and there are no more than all degrees.
        let doubled = doubled.checked_sub(terms)?;
        Some(V::total_from(0, || {
            let exponent = self.grid.exponent.saturating_sub(1);
            if self.is_maximum {
                numbers::nearest_float(-doubled, exponent).next_up()
            } else {
                numbers::nearest_float(doubled, exponent).next_down()
            }
        }))
    }
}
