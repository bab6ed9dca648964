//! Several costs in order: least by the first, and among those least by the second, and so on.
//!
//! Level by level, with exact scaling: once the best grouping by the costs so far is known, and what it costs by the
//! next one, a weight `W` is chosen such that one step of the former is worth more than all that could be saved of the
//! latter. Then `W * former + next` is solved like any cost. What that proves needs no trust in `W`: if `W * a + b` is
//! at least `z` for every grouping, then `b >= z - W * a` for all of those that cost no more than `a` by the former.
//!
//! What a cost can be at least is first judged by its signs, which is quick and may be far off. If that leaves later costs
//! no room, it is proven by a solve of that cost alone, for all costs so far.
//!
//! Where a limit comes before it is known what a cost can be at least, a `W` that is enough may not fit. Then a smaller
//! one is tried, and else the cost stands alone, with a `W` of 0: what is proven of all groupings is true of those,
//! too.

mod weighted;

use matching_core::CostValue;
use matching_core::verify::Number;

use crate::error::{Error, Overflow};
use crate::grid::{Grid, NOTHING};
use crate::model::Model;
use crate::problem::Problem;
use crate::solution::{Solution, Status, StopReason};
use crate::solver::Solver;
use crate::verify::{VerifyError, trivial_bound};
use weighted::Weighted;

/// What is known of one cost of several in order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Level {
    cost: i128,
    bound: i128,
    status: Status,
}

impl Level {
    /// What the grouping costs by this one. 0, which says nothing, if there is none: if the status is [`Status::Unknown`].
    pub fn cost(&self) -> i128 {
        self.cost
    }

    /// No grouping that costs as little by all the costs before costs less by this one.
    pub fn bound(&self) -> i128 {
        self.bound
    }

    /// Whether bound and cost are the same, and if not, why.
    pub fn status(&self) -> Status {
        self.status
    }
}

/// A grouping by several costs in order, and what is proven of each: what [`Solver::solve_in_order`] returns.
///
/// One that comes from a file (feature `serde`) says what whoever wrote it wanted it to say, until [`verify`](Self::verify) has
/// checked it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serial::UncheckedLevels"))]
pub struct Levels {
    pub(crate) groups: Groups,
    pub(crate) bench: Vec<usize>,
    pub(crate) levels: Vec<Level>,
    pub(crate) proofs: Vec<Proof>,
}

/// Members of each group.
type Groups = Vec<Vec<usize>>;

/// A solve of a sum of costs.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Proof {
    /// What each cost counts; none of those after the last one here, which counts once.
    pub(crate) weights: Vec<i64>,
    pub(crate) solution: Solution<i64>,
}

impl Levels {
    /// The groups, as [`Solution::groups`] has them.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Who waits, ascending.
    pub fn bench(&self) -> &[usize] {
        &self.bench
    }

    /// What is known of each cost, in order. Only of the first if no grouping was found before a limit.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether all levels are proven.
    pub fn is_optimal(&self) -> bool {
        self.levels.iter().all(|level| level.status == Status::Optimal)
    }

    /// Checks all levels against the problems, from the groups and the certificates alone.
    ///
    /// # Errors
    /// [`VerifyError`]: the first thing that is wrong.
    ///
    /// # Complexity
    /// As [`Solution::verify`] for each level.
    pub fn verify<V: CostValue>(&self, problems: &[&Problem<'_, V>]) -> Result<(), VerifyError> {
        check(problems).map_err(VerifyError::BadProblem)?;
        // Where no grouping was found there is one level, and it says so; where one was, no level does.
        let is_unknown = |status: Status| matches!(status, Status::Unknown(_));
        let is_complete = match &self.levels[..] {
            [only] if is_unknown(only.status) => true,
            levels => levels.len() == problems.len() && !levels.iter().any(|level| is_unknown(level.status)),
        };
        if !is_complete || self.proofs.len() != self.levels.len() {
            return Err(VerifyError::BoundNotProven);
        }
        for (number, proof) in self.proofs.iter().enumerate() {
            let is_sound = proof.weights.len() == number + 1
                && proof.weights[number] == 1
                && proof.weights.iter().all(|&weight| weight >= 0);
            if !is_sound {
                return Err(VerifyError::Malformed { step: 0 });
            }
            let weighted = Weighted::new(problems, &proof.weights);
            let problem = weighted.problem().map_err(VerifyError::BadProblem)?;
            proof.solution.verify(&problem)?;
        }
        if is_unknown(self.levels[0].status) || is_unknown(self.proofs[0].solution.status) {
            return self.check_unknown();
        }
        // Those of an answer that is unknown were not looked at.
        let is_this = |proof: &Proof| {
            let Solution {
                groups, bench, status, ..
            } = &proof.solution;
            !is_unknown(*status) && *groups == self.groups && *bench == self.bench
        };
        if !self.proofs.iter().any(is_this) {
            return Err(VerifyError::OtherGroups);
        }
        let costs = costs(problems, &self.groups, &self.bench).map_err(VerifyError::BadProblem)?;
        for (number, (level, proof)) in self.levels.iter().zip(&self.proofs).enumerate() {
            if level.cost != costs[number] {
                return Err(VerifyError::WrongCost {
                    claimed: Number::Integer(level.cost),
                    counted: Some(Number::Integer(costs[number])),
                });
            }
            let is_claimed = level.status == Status::Optimal;
            if bound_of(proof, &costs) < level.bound || (is_claimed && level.bound != level.cost) {
                return Err(VerifyError::BoundNotProven);
            }
        }
        Ok(())
    }
}

impl Levels {
    /// That no grouping was found is what the only proof says, too, and then there is nothing that could cost anything.
    fn check_unknown(&self) -> Result<(), VerifyError> {
        let (level, solution) = (&self.levels[0], &self.proofs[0].solution);
        if level.status != solution.status || level.bound > solution.bound {
            return Err(VerifyError::BoundNotProven);
        }
        if (&self.groups, &self.bench) != (&solution.groups, &solution.bench) {
            return Err(VerifyError::OtherGroups);
        }
        if level.cost != solution.cost {
            return Err(VerifyError::WrongCost {
                claimed: Number::Integer(level.cost),
                counted: Some(Number::Integer(solution.cost)),
            });
        }
        Ok(())
    }
}

impl Solver<'_> {
    /// Least by the first problem's costs; among those groupings, least by the second's, and so on. Parties, roles and
    /// all other wishes are those of the first; of the others, costs count, with what they forbid. Limits count for
    /// each level.
    ///
    /// # Errors
    /// As for [`solve`](Self::solve); [`Error::Empty`] without problems; [`Error::LevelsDiffer`] for another problem
    /// with other groups or players, or with wishes of its own; [`Error::LevelsNeedIntegers`] for floats;
    /// [`Error::CostOverflow`] also where the costs of all levels together do not fit 40 bits, unless a limit came
    /// first: then such a level is [`Status::Feasible`], with a bound that may be weak.
    ///
    /// # Complexity
    /// A [`solve`](Self::solve) for each level; where weights do not fit 40 bits, up to one more for each cost so far, alone.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_lp::{Groups, Problem, Solver};
    ///
    /// let region = [0, 0, 1, 1, 0, 1];
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let far = cost::from_symmetric_fn(6, |i, j| i64::from(region[i] != region[j]));
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let groups = Groups::of_size(6, 2)?;
    /// let near = Problem::new(&far, groups.clone())?;
    /// let even = Problem::new(&gap, groups)?;
    /// let solution = Solver::new().solve_in_order(&[&near, &even])?;
    /// // One pair must be of two regions. Then skills differ by 20 + 10 + 530 at least.
    /// assert_eq!(solution.groups(), [[0, 5], [1, 4], [2, 3]]);
    /// let costs: Vec<i128> = solution.levels().iter().map(|level| level.cost()).collect();
    /// assert_eq!((costs, solution.is_optimal()), (vec![1, 560], true));
    /// solution.verify(&[&near, &even])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_in_order<V: CostValue>(&self, problems: &[&Problem<'_, V>]) -> Result<Levels, Error> {
        check(problems)?;
        let mut proofs = vec![self.solve_weighted(problems, vec![1])?];
        // The best grouping so far, and what it costs by all.
        let mut best: Option<(Vec<i128>, Groups, Vec<usize>)> = None;
        loop {
            let solution = &proofs[proofs.len() - 1].solution;
            if !matches!(solution.status, Status::Unknown(_)) {
                let costs = costs(problems, &solution.groups, &solution.bench)?;
                if best
                    .as_ref()
                    .is_none_or(|best| costs[..proofs.len()] < best.0[..proofs.len()])
                {
                    best = Some((costs, solution.groups.clone(), solution.bench.clone()));
                }
            }
            match &best {
                Some((costs, _, _)) if proofs.len() < problems.len() => {
                    let proof = self.next(problems, &proofs, costs)?;
                    proofs.push(proof);
                }
                _ => break,
            }
        }
        let (costs, groups, bench) = best.unwrap_or_default();
        let level = |(number, proof): (usize, &Proof)| match costs.get(number) {
            Some(&cost) => {
                let bound = bound_of(proof, &costs).min(cost);
                let status = match proof.solution.status {
                    _ if bound == cost => Status::Optimal,
                    // Its own bound is met, but by a grouping that costs more by a level before, which was not proven.
                    Status::Optimal => first_open(&proofs),
                    Status::Feasible(reason) | Status::Unknown(reason) => Status::Feasible(reason),
                };
                Level { cost, bound, status }
            }
            None => Level {
                cost: 0,
                bound: proof.solution.bound,
                status: proof.solution.status,
            },
        };
        Ok(Levels {
            levels: proofs.iter().enumerate().map(level).collect(),
            groups,
            bench,
            proofs,
        })
    }

    /// The next level, for groupings that cost no more than `costs` by those before.
    fn next<V: CostValue>(
        &self,
        problems: &[&Problem<'_, V>],
        proofs: &[Proof],
        costs: &[i128],
    ) -> Result<Proof, Error> {
        let number = proofs.len();
        // What it costs at least, by its signs alone; if that makes numbers too large, by a proof.
        let alone = Weighted::new(problems, &only(number));
        let plain = alone.problem()?;
        let model = Model::new(&plain, &Grid::new(&plain)?)?;
        let quick = match trivial_bound(&model) {
            // Nothing is known, and a weight that makes up for it serves no level after this one.
            NOTHING => Err(overflow(number)),
            least => scaled(&proofs[number - 1].weights, costs, i128::from(least)),
        };
        let proof = match quick.and_then(|weights| self.solve_weighted(problems, weights)) {
            Err(Error::CostOverflow(_)) => self.next_by_proof(problems, proofs, costs, &plain),
            other => other,
        };
        // What a sum of costs with weights says of its own numbers helps nobody.
        proof.map_err(|error| match error {
            Error::CostOverflow(_) => overflow(number),
            other => other,
        })
    }

    /// The next level, with weights by a proof of what its cost, `alone`, is at least.
    fn next_by_proof<V: CostValue>(
        &self,
        problems: &[&Problem<'_, V>],
        proofs: &[Proof],
        costs: &[i128],
        alone: &Problem<'_, i64>,
    ) -> Result<Proof, Error> {
        let number = proofs.len();
        let former = &proofs[number - 1].weights;
        let alone = self.solve(alone)?;
        match scaled(former, costs, alone.bound).and_then(|weights| self.solve_weighted(problems, weights)) {
            Err(Error::CostOverflow(_)) => {}
            other => return other,
        }
        let solved = || proofs.iter().map(|proof| &proof.solution).chain([&alone]);
        let is_open = |solution: &Solution<i64>| solution.status != Status::Optimal;
        if !solved().any(is_open) {
            // Signs alone may have made the weights before far greater than they need be.
            let each = (1..number).map(|level| Ok(self.solve_weighted(problems, only(level))?.solution));
            let mut each = each.collect::<Result<Vec<_>, Error>>()?;
            each.push(alone.clone());
            let weights = least_weights(costs, &each);
            match weights.and_then(|weights| self.solve_weighted(problems, weights)) {
                // Costs that do not fit are one thing, bounds that a limit left weak another.
                Err(Error::CostOverflow(_)) if each.iter().any(is_open) => {}
                other => return other,
            }
        }
        // As if it could save no more than it costs now.
        let guess = scaled(former, costs, costs[number] - costs[number].abs());
        let guess = guess.and_then(|weights| self.solve_weighted(problems, weights));
        let proof = guess
            .ok()
            .filter(|proof| is_no_dearer(problems, proof, &costs[..number]));
        Ok(proof.unwrap_or(Proof {
            weights: only(number),
            solution: alone,
        }))
    }

    fn solve_weighted<V: CostValue>(&self, problems: &[&Problem<'_, V>], weights: Vec<i64>) -> Result<Proof, Error> {
        let weighted = Weighted::new(problems, &weights);
        let solution = self.solve(&weighted.problem()?)?;
        Ok(Proof { weights, solution })
    }
}

/// The costs up to this one do not fit together.
fn overflow(level: usize) -> Error {
    Error::CostOverflow(Overflow::Level { level })
}

/// Weights for one cost alone.
fn only(level: usize) -> Vec<i64> {
    let mut weights = vec![0; level + 1];
    weights[level] = 1;
    weights
}

/// So great that one step of what weighs this is worth more than a cost that is `least` at least can save.
fn outweighing(weight: i64, cost: i128, least: i128) -> Option<i64> {
    let step = cost.saturating_sub(least).max(0).saturating_add(1);
    i64::try_from(i128::from(weight).checked_mul(step)?).ok()
}

/// The weights before, as great as they have to be for one more cost, which is `least` at least.
///
/// # Errors
/// [`Error::CostOverflow`].
fn scaled(former: &[i64], costs: &[i128], least: i128) -> Result<Vec<i64>, Error> {
    let number = former.len();
    let scale = |&weight: &i64| outweighing(weight, costs[number], least).ok_or(overflow(number));
    former.iter().map(scale).chain([Ok(1)]).collect()
}

/// Weights for all costs up to one, by what each of them but the first is at least, alone.
///
/// # Errors
/// [`Error::CostOverflow`].
fn least_weights(costs: &[i128], each: &[Solution<i64>]) -> Result<Vec<i64>, Error> {
    let number = each.len();
    let mut weights = vec![1; number + 1];
    for level in (1..=number).rev() {
        let weight = outweighing(weights[level], costs[level], each[level - 1].bound);
        weights[level - 1] = weight.ok_or(overflow(number))?;
    }
    Ok(weights)
}

/// Why the first level that is not proven is not.
fn first_open(proofs: &[Proof]) -> Status {
    let reason = proofs.iter().find_map(|proof| match proof.solution.status {
        Status::Optimal => None,
        Status::Feasible(reason) | Status::Unknown(reason) => Some(reason),
    });
    Status::Feasible(reason.unwrap_or(StopReason::Numerics))
}

/// Whether the grouping of a proof costs no more than this by the levels before: if not, its weights were too small.
fn is_no_dearer<V: CostValue>(problems: &[&Problem<'_, V>], proof: &Proof, former: &[i128]) -> bool {
    let Solution {
        groups, bench, status, ..
    } = &proof.solution;
    let is_found = !matches!(status, Status::Unknown(_));
    is_found && costs(problems, groups, bench).is_ok_and(|costs| costs[..former.len()] <= *former)
}

/// What a proof says of the last of its costs, for groupings that cost no more by the others.
fn bound_of(proof: &Proof, costs: &[i128]) -> i128 {
    let former = proof.weights.iter().zip(costs).take(proof.weights.len() - 1);
    let former = former
        .map(|(&weight, &cost)| i128::from(weight).saturating_mul(cost))
        .fold(0, i128::saturating_add);
    proof.solution.bound.saturating_sub(former)
}

/// What a grouping costs by each problem.
fn costs<V: CostValue>(
    problems: &[&Problem<'_, V>],
    groups: &[Vec<usize>],
    bench: &[usize],
) -> Result<Vec<i128>, Error> {
    let total = |problem: &&Problem<'_, V>| {
        let total = problem.total(groups, bench)?;
        total.to_integer().ok_or(Error::LevelsNeedIntegers)
    };
    problems.iter().map(total).collect()
}

fn check<V: CostValue>(problems: &[&Problem<'_, V>]) -> Result<(), Error> {
    let Some((first, others)) = problems.split_first() else {
        return Err(Error::Empty);
    };
    if !V::IS_INTEGER {
        return Err(Error::LevelsNeedIntegers);
    }
    for (level, other) in (1..).zip(others) {
        let is_same = other.len() == first.len()
            && other.groups() == first.groups()
            && (other.parties.is_empty() || other.parties == first.parties)
            && (other.apart.is_empty() || other.apart == first.apart)
            && (other.roles.is_empty() || other.roles == first.roles)
            && (other.pins.is_empty() || other.pins == first.pins);
        if !is_same {
            return Err(Error::LevelsDiffer { level });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
