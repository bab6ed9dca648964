//! Costs of whole groups, in steps of the grid, for a model that knows no number types.

use core::fmt;
use std::sync::OnceLock;

use matching_core::{CostValue, GroupBound};

use crate::error::{Error, Overflow};
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

    /// What was wrong with the first cost that was no number, did not fit, or was beyond the grid. Its group counts as
    /// forbidden, so that nothing is proven then.
    fn fault(&self) -> Option<Fault>;

    /// How much coarser the grid must be for what these groups cost, where some of that was taken for less.
    fn taken_for_less(&self, groups: &[Vec<usize>]) -> Option<u32>;
}

/// Why costs of whole groups cannot be told.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// There is no telling.
    Error(Error),
    /// On a grid so many times two coarser they can be told: the one there is was chosen before this group was seen.
    Grid {
        /// On how many times two it is.
        doublings: u32,
        /// What else there is to say.
        error: Error,
    },
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Error(error) | Fault::Grid { error, .. } => error,
        }
    }
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
    fault: OnceLock<Fault>,
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
        fault: OnceLock::new(),
    }))
}

/// The grid, inexact where costs of these groups were rounded.
pub(crate) fn grid_of(terms: Option<&dyn Terms>, grid: Grid, groups: &[Vec<usize>]) -> Grid {
    let mut filled = groups.iter().filter(|members| !members.is_empty());
    match terms {
        Some(terms) if !filled.all(|members| terms.is_on_grid(members)) => grid.inexact(),
        _ => grid,
    }
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
        match cost.checked_group(members) {
            Some(value) => value,
            None => {
                let members = members.to_vec();
                return Err(Error::CostOverflow(Overflow::Group { members }));
            }
        }
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
    fn checked_cost(&self, members: &[usize]) -> Result<Option<i64>, Fault> {
        let mut total = 0;
        for cost in &self.costs {
            let Some(value) = checked_group(*cost, members)? else {
                return Ok(None);
            };
            let units = self.grid.floor(value);
            if units < -self.most || (V::IS_INTEGER && units > self.most) {
                return Err(self.beyond(value, members));
            }
            // Rounding down is right in any case; whoever pays so much is told that it was rounded.
            total += units.min(self.most);
        }
        Ok(Some(total))
    }

    /// A group that costs more or less than the grid has room for.
    fn beyond(&self, value: V, members: &[usize]) -> Fault {
        let error = Error::CostOverflow(Overflow::Share {
            members: members.to_vec(),
            cost: value.to_integer().unwrap_or(value.to_f64() as i128),
            most: self.most.into(),
        });
        match self.grid.doublings(value.to_f64(), self.most) {
            Some(doublings) if !V::IS_INTEGER => Fault::Grid { doublings, error },
            _ => Fault::Error(error),
        }
    }
}

impl<V: CostValue> Terms for Sum<'_, V> {
    fn cost(&self, members: &[usize]) -> Option<i64> {
        self.checked_cost(members).unwrap_or_else(|fault| {
            // The first one counts; who asks for groups goes on without this one, and finds the fault in the end.
            let _ = self.fault.set(fault);
            None
        })
    }

    fn bound(&self, members: &[usize], more: usize) -> Option<i64> {
        let mut total: i64 = 0;
        let mut is_known = true;
        for cost in &self.costs {
            let least = match cost.group_bound(members, more) {
                GroupBound::Forbidden => return None,
                GroupBound::AtLeast(value) if value.is_number() => self.grid.floor(value).clamp(UNKNOWN, self.most),
                _ => UNKNOWN,
            };
            // What another one costs at least makes up for nothing here.
            is_known &= least > UNKNOWN;
            total = (total + least).max(2 * UNKNOWN);
        }
        Some(if is_known { total.max(UNKNOWN) } else { UNKNOWN })
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

    fn fault(&self) -> Option<Fault> {
        self.fault.get().cloned()
    }

    fn taken_for_less(&self, groups: &[Vec<usize>]) -> Option<u32> {
        let filled = groups.iter().filter(|members| !members.is_empty());
        let values = filled.flat_map(|members| self.costs.iter().map(|cost| cost.group(members)));
        let dear = values.filter(|&value| !V::IS_INTEGER && self.grid.floor(value) > self.most);
        let doublings = dear.map(|value| self.grid.doublings(value.to_f64(), self.most));
        doublings.flatten().max()
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
