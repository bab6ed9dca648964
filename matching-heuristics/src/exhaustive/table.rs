//! What every group costs that a place may take.

use matching_core::CostValue;

use super::plan::{Place, Plan, Row};
use super::{CostOf, STEP};
use crate::control::Control;
use crate::error::Error;

/// Forbidden groups, and the cost of the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank<T> {
    forbidden: u32,
    /// None where there is no way.
    total: Option<T>,
}

impl<T: CostValue> Rank<T> {
    /// There is no way.
    pub(super) const NONE: Self = Self {
        forbidden: u32::MAX,
        total: None,
    };

    /// Nothing, at no cost.
    pub(super) fn zero() -> Self {
        Self {
            forbidden: 0,
            total: Some(num_traits::zero()),
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.total.is_none()
    }

    /// Both together; `None` if that does not fit the type.
    pub(super) fn plus(&self, other: &Self) -> Option<Self> {
        let total = self.total?.checked_add(other.total?)?;
        total.is_number().then_some(Self {
            forbidden: self.forbidden + other.forbidden,
            total: Some(total),
        })
    }

    pub(super) fn is_less_than(&self, other: &Self) -> bool {
        (self.forbidden, self.total) < (other.forbidden, other.total)
    }
}

/// The cost of every set of units, for groups with nobody pinned and for each that has somebody.
pub(super) struct Table<T> {
    rows: Vec<Vec<Rank<T>>>,
}

impl<T: CostValue> Table<T> {
    /// Asks for every group once. `None` if it was stopped on the way.
    ///
    /// # Errors
    /// Those of `cost_of`.
    pub(super) fn new(
        plan: &Plan<'_>,
        cost_of: &CostOf<'_, T>,
        control: &mut Control<'_>,
    ) -> Result<Option<Self>, Error> {
        let mut rows = Vec::new();
        for row in &plan.rows {
            let mut costs = Vec::with_capacity(plan.subsets());
            for set in 0..plan.subsets() {
                // Most sets may be asked for nowhere: then it is they that take the time.
                let is_time = (set as u64).is_multiple_of(STEP);
                if row.may_take(plan.players[set]) {
                    costs.push(Self::ask(plan, row, set, cost_of)?);
                    if !control.spend(plan.price) {
                        return Ok(None);
                    }
                } else if is_time && control.is_over() {
                    return Ok(None);
                } else {
                    costs.push(Rank::NONE);
                }
            }
            rows.push(costs);
        }
        Ok(Some(Self { rows }))
    }

    fn ask(plan: &Plan<'_>, row: &Row, set: usize, cost_of: &CostOf<'_, T>) -> Result<Rank<T>, Error> {
        let units = plan.layout.players.iter().take(plan.layout.movable()).enumerate();
        let mut members: Vec<usize> = units
            .filter(|(unit, _)| set >> unit & 1 == 1)
            .flat_map(|(_, players)| players.iter().copied())
            .chain(row.pinned.iter().copied())
            .collect();
        members.sort_unstable();
        Ok(match cost_of(&members)? {
            Some(cost) => Rank {
                forbidden: 0,
                total: Some(cost),
            },
            None => Rank {
                forbidden: 1,
                total: Some(num_traits::zero()),
            },
        })
    }

    /// What a place costs with those units in it.
    #[inline]
    pub(super) fn of(&self, place: &Place, set: u32) -> Rank<T> {
        place.row.map_or_else(Rank::zero, |row| self.rows[row][set as usize])
    }
}
