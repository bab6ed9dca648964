//! Costs of whole groups, in steps of the grid, for a model that knows no number types.

use core::fmt;
use std::sync::OnceLock;

use matching_core::{CostValue, GroupBound};

use crate::error::Error;
use crate::grid::{Grid, TOTAL_BITS};
use crate::problem::{Problem, WholeCost};

/// What a group costs beside its pairs. Costs are rounded down, so that what is proven of them is true of the costs
/// themselves.
pub(crate) trait Terms: fmt::Debug + Send + Sync {
    /// What these players, ascending, cost as a group; `None` if they must not be one.
    fn cost(&self, members: &[usize]) -> Option<i64>;

    /// Groups of these players and exactly `more` others cost no less; [`UNKNOWN`] if that is not known, `None` if there
    /// is no such group.
    fn bound(&self, members: &[usize], more: usize) -> Option<i64>;

    /// Whether these players, ascending, may be a group.
    fn is_allowed(&self, members: &[usize]) -> bool;

    /// Whether there may be groups that are forbidden.
    fn forbids(&self) -> bool;

    /// Whether the cost of these players as a group was not rounded, or taken for less because it is so great.
    fn is_on_grid(&self, members: &[usize]) -> bool;

    /// What was wrong with the first cost that was no number, or did not fit.
    fn error(&self) -> Option<Error>;
}

/// Less than any sum of costs and duals, so that no search leaves a group out for it; with the bits of duals it still fits
/// 64.
pub(crate) const UNKNOWN: i64 = -(1 << (TOTAL_BITS + 6));

/// The sum of several costs.
struct Sum<'a, V> {
    costs: Vec<&'a WholeCost<'a, V>>,
    grid: Grid,
    /// No group may cost more, or less than this negated, by any of the costs.
    most: i64,
    error: OnceLock<Error>,
}

/// The costs of whole groups of a problem, `None` if it has none.
pub(crate) fn terms<'a, V: CostValue>(problem: &Problem<'a, V>, grid: &Grid) -> Option<Box<dyn Terms + 'a>> {
    let costs = problem.group_costs().to_vec();
    if costs.is_empty() {
        return None;
    }
    let filled = problem.groups().len().min(problem.len());
    let most = (1_i64 << TOTAL_BITS) / (filled * costs.len()).max(1) as i64;
    Some(Box::new(Sum {
        costs,
        grid: *grid,
        most,
        error: OnceLock::new(),
    }))
}

/// A cost of a group, if it is allowed.
///
/// # Errors
/// [`Error::GroupNotANumber`], [`Error::CostOverflow`].
pub(crate) fn checked_group<V: CostValue>(cost: &WholeCost<'_, V>, members: &[usize]) -> Result<Option<V>, Error> {
    // Floats say all in one call; integers must say that they did not overflow.
    let value = if V::IS_INTEGER {
        if cost.has_forbidden_groups() && !cost.is_group_allowed(members) {
            return Ok(None);
        }
        cost.checked_group(members).ok_or(Error::CostOverflow)?
    } else {
        match cost.group_if_allowed(members) {
            Some(value) => value,
            None => return Ok(None),
        }
    };
    if value.is_number() {
        Ok(Some(value))
    } else {
        Err(Error::GroupNotANumber {
            members: members.to_vec(),
        })
    }
}

impl<V: CostValue> Sum<'_, V> {
    fn checked_cost(&self, members: &[usize]) -> Result<Option<i64>, Error> {
        let mut total = 0;
        for cost in &self.costs {
            let Some(value) = checked_group(*cost, members)? else {
                return Ok(None);
            };
            let units = self.grid.floor(value);
            if units < -self.most || (V::IS_INTEGER && units > self.most) {
                return Err(Error::CostOverflow);
            }
            // Rounding down is right in any case; whoever pays so much is told that it was rounded.
            total += units.min(self.most);
        }
        Ok(Some(total))
    }
}

impl<V: CostValue> Terms for Sum<'_, V> {
    fn cost(&self, members: &[usize]) -> Option<i64> {
        self.checked_cost(members).unwrap_or_else(|error| {
            // The first one counts; who asks for groups goes on without this one, and finds the error in the end.
            let _ = self.error.set(error);
            None
        })
    }

    fn bound(&self, members: &[usize], more: usize) -> Option<i64> {
        let mut total: i64 = 0;
        for cost in &self.costs {
            total += match cost.group_bound(members, more) {
                GroupBound::Forbidden => return None,
                GroupBound::AtLeast(value) if value.is_number() => self.grid.floor(value).clamp(UNKNOWN, self.most),
                _ => UNKNOWN,
            };
            total = total.max(2 * UNKNOWN);
        }
        Some(total.max(UNKNOWN))
    }

    fn is_allowed(&self, members: &[usize]) -> bool {
        let allows = |cost: &&WholeCost<'_, V>| !cost.has_forbidden_groups() || cost.is_group_allowed(members);
        self.costs.iter().all(allows)
    }

    fn forbids(&self) -> bool {
        self.costs.iter().any(|cost| cost.has_forbidden_groups())
    }

    fn is_on_grid(&self, members: &[usize]) -> bool {
        let is_whole = |cost: &&WholeCost<'_, V>| {
            let value = cost.group(members);
            self.grid.is_on_it(value) && self.grid.floor(value) <= self.most
        };
        self.costs.iter().all(is_whole)
    }

    fn error(&self) -> Option<Error> {
        self.error.get().cloned()
    }
}

impl<V> fmt::Debug for Sum<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sum")
            .field("costs", &self.costs.len())
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use matching_core::GroupCost;
    use matching_heuristics::Groups;

    use super::*;

    /// Whoever is with both of the first two pays 2^40 and more.
    struct Dear(usize);

    impl GroupCost for Dear {
        type Value = f64;

        fn len(&self) -> usize {
            self.0
        }

        fn group(&self, members: &[usize]) -> f64 {
            if members.starts_with(&[0, 1]) {
                2f64.powi(40) + members[2] as f64
            } else {
                (members.iter().sum::<usize>() % 2) as f64
            }
        }
    }

    /// A grid is chosen by what some groups cost. Where none of those is dear, what dear ones cost is taken for less,
    /// and groupings that pay it were called optimal.
    #[test]
    fn a_cost_too_great_for_the_grid_is_not_on_it() {
        let mut missed = 0;
        for players in (60..300).step_by(30) {
            let cost = Dear(players);
            let groups = Groups::of_size(players, 3).expect("groups");
            let problem = Problem::by_group(&cost, groups).expect("a problem");
            let grid = Grid::new(&problem).expect("a grid");
            let terms = terms(&problem, &grid).expect("whole costs");
            if grid.is_exact {
                assert!(terms.is_on_grid(&[0, 2, 3]));
                missed += 1;
                assert_eq!(terms.cost(&[0, 1, 2]), terms.cost(&[0, 1, 3]));
                assert!(!terms.is_on_grid(&[0, 1, 2]));
            }
        }
        assert!(missed > 3, "{missed}");
    }
}
