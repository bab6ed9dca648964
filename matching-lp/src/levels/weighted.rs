//! Several costs as one.

use matching_core::{Cost, CostValue, GroupBound, GroupCost};

use crate::error::{Error, Overflow};
use crate::problem::Problem;

/// A sum of the costs of several problems, with weights; those without a weight count for what they forbid.
pub(super) struct Weighted<'w, 'p, V: CostValue> {
    problems: &'w [&'w Problem<'p, V>],
    weights: Vec<i64>,
}

impl<'w, 'p, V: CostValue> Weighted<'w, 'p, V> {
    pub(super) fn new(problems: &'w [&'w Problem<'p, V>], weights: &[i64]) -> Self {
        let mut weights = weights.to_vec();
        weights.resize(problems.len(), 0);
        Self { problems, weights }
    }

    /// The sum as a problem.
    pub(super) fn problem(&self) -> Result<Problem<'_, i64>, Error> {
        let first = self.problems[0];
        let mut problem = Problem::new(self, first.groups().clone())?;
        if self.problems.iter().any(|problem| !problem.group_costs().is_empty()) {
            problem = problem.group_cost(self)?;
        }
        problem.parties.clone_from(&first.parties);
        problem.apart.clone_from(&first.apart);
        problem.roles.clone_from(&first.roles);
        problem.pins.clone_from(&first.pins);
        for player in 0..first.len() {
            let waiting = self.sum(|problem| Some(problem.waiting(player)));
            problem.waiting[player] = waiting.ok_or(Error::CostOverflow(Overflow::Waiting { player }))?;
        }
        Ok(problem)
    }

    /// The problems that count, with their weights.
    fn counting(&self) -> impl Iterator<Item = (&Problem<'p, V>, i64)> {
        let all = self.problems.iter().zip(&self.weights);
        all.filter(|(_, weight)| **weight != 0)
            .map(|(problem, &weight)| (*problem, weight))
    }

    fn sum(&self, value: impl Fn(&Problem<'p, V>) -> Option<V>) -> Option<i64> {
        let mut total = 0_i64;
        for (problem, weight) in self.counting() {
            let value = i64::try_from(value(problem)?.to_integer()?).ok()?;
            total = total.checked_add(value.checked_mul(weight)?)?;
        }
        Some(total)
    }
}

impl<V: CostValue> Cost for Weighted<'_, '_, V> {
    type Value = i64;

    fn len(&self) -> usize {
        self.problems[0].len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.checked_pair(i, j).unwrap_or(i64::MAX)
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<i64> {
        self.sum(|problem| problem.cost().checked_pair(i, j))
    }

    fn may_overflow(&self) -> bool {
        true
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let allows = |problem: &&Problem<'_, V>| problem.cost().is_allowed(i, j);
        self.problems.iter().all(allows)
    }

    fn has_forbidden(&self) -> bool {
        self.problems.iter().any(|problem| problem.cost().has_forbidden())
    }

    fn is_symmetric(&self) -> bool {
        self.problems.iter().all(|problem| problem.cost().is_symmetric())
    }
}

impl<V: CostValue> GroupCost for Weighted<'_, '_, V> {
    type Value = i64;

    fn len(&self) -> usize {
        self.problems[0].len()
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.checked_group(members).unwrap_or(i64::MAX)
    }

    fn checked_group(&self, members: &[usize]) -> Option<i64> {
        let mut total = 0_i64;
        for (problem, weight) in self.counting() {
            for cost in problem.group_costs() {
                let value = i64::try_from(cost.checked_group(members)?.to_integer()?).ok()?;
                total = total.checked_add(value.checked_mul(weight)?)?;
            }
        }
        Some(total)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        let mut costs = self.problems.iter().flat_map(|problem| problem.group_costs());
        costs.all(|cost| !cost.has_forbidden_groups() || cost.is_group_allowed(members))
    }

    fn has_forbidden_groups(&self) -> bool {
        let mut costs = self.problems.iter().flat_map(|problem| problem.group_costs());
        costs.any(|cost| cost.has_forbidden_groups())
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        let mut total = Some(0_i64);
        for (problem, &weight) in self.problems.iter().zip(&self.weights) {
            for cost in problem.group_costs() {
                let bound = match cost.group_bound(members, more) {
                    GroupBound::Forbidden => return GroupBound::Forbidden,
                    _ if weight == 0 => Some(0),
                    GroupBound::AtLeast(value) => value.to_integer().and_then(|value| i64::try_from(value).ok()),
                    _ => None,
                };
                let add = |total: i64| total.checked_add(bound?.checked_mul(weight)?);
                total = total.and_then(add);
            }
        }
        total.map_or(GroupBound::Unknown, GroupBound::AtLeast)
    }
}
