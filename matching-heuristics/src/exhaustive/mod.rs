//! All groupings there are, where they are few: the answer is then the best of all.
//!
//! Groups are filled one after another. What the groups after some place cost at least depends only on who is left for
//! them, so the least is found once for every place and every set of units that may be left there, from the last place
//! to the first: for `n` single players at most `3ⁿ` looks at a group for each place, where there are far more
//! groupings. Groups of the same bounds can change places; so those that come last are taken in the order of their
//! first units, and each begins with the first unit that is left.

mod plan;
mod table;

use matching_core::CostValue;

pub(crate) use plan::{Plan, Prices, Room};

use crate::control::Control;
use crate::error::Error;
use plan::Place;
use table::{Rank, Table};

/// Looks at groups between two looks at the clock.
const STEP: u64 = 1 << 13;

/// What a group of players costs; `None` if it is forbidden.
pub(crate) type CostOf<'a, T> = dyn Fn(&[usize]) -> Result<Option<T>, Error> + 'a;

/// The least of everything behind a place, for every set that may be left there, and how it begins.
struct Enumeration<'a, T> {
    plan: &'a Plan<'a>,
    table: Table<T>,
    /// For every set: the least from the next place on.
    behind: Vec<Rank<T>>,
    /// For every place and set: whom the place takes.
    choices: Vec<Vec<u32>>,
    looks: u64,
}

/// The group of every unit in a grouping with the fewest forbidden groups, and of those of the least cost; `None` if it
/// was stopped on the way, or totals do not fit their type.
///
/// # Errors
/// Those of `cost_of`.
pub(crate) fn enumerate<T: CostValue>(
    plan: &Plan<'_>,
    cost_of: &CostOf<'_, T>,
    control: &mut Control<'_>,
) -> Result<Option<Vec<u32>>, Error> {
    let Some(table) = Table::new(plan, cost_of, control)? else {
        return Ok(None);
    };
    let mut enumeration = Enumeration {
        plan,
        table,
        behind: vec![Rank::NONE; plan.subsets()],
        choices: Vec::new(),
        looks: 0,
    };
    // Behind the last place, nobody may be left.
    enumeration.behind[0] = Rank::zero();
    for place in plan.places.iter().rev() {
        if !enumeration.step_back(place, control) {
            return Ok(None);
        }
    }
    Ok(Some(enumeration.collect()))
}

impl<T: CostValue> Enumeration<'_, T> {
    /// Finds the least from a place on, for every set that may be left there. `false` if it was stopped.
    fn step_back(&mut self, place: &Place, control: &mut Control<'_>) -> bool {
        let sets = self.behind.len();
        // Written one by one: clearing megabytes at once would take longer than anybody who cancels should wait.
        let (mut least, mut choices) = (Vec::with_capacity(sets), Vec::with_capacity(sets));
        for set in 0..sets {
            self.looks += 1;
            let (rank, taken) = if place.left.contains(&self.plan.players[set]) {
                match self.least_of(place, set as u32) {
                    Some(found) => found,
                    None => return false,
                }
            } else {
                (Rank::NONE, 0)
            };
            least.push(rank);
            choices.push(taken);
            if self.looks >= STEP {
                self.looks = 0;
                if control.is_over() {
                    return false;
                }
            }
        }
        control.spend(place.work);
        self.behind = least;
        self.choices.push(choices);
        true
    }

    /// The best way to fill a place from the units left; `None` where a total does not fit its type.
    fn least_of(&mut self, place: &Place, set: u32) -> Option<(Rank<T>, u32)> {
        // The first unit that is left begins the next of several groups that are alike.
        let first = if place.is_ordered { set & set.wrapping_neg() } else { 0 };
        let others = set ^ first;
        self.looks += 1 << others.count_ones();
        let (mut least, mut choice) = (Rank::NONE, 0);
        let mut subset = others;
        loop {
            let taken = subset | first;
            if place.takes.contains(&self.plan.players[taken as usize]) {
                let rest = &self.behind[(set ^ taken) as usize];
                if !rest.is_none() {
                    let rank = self.table.of(place, taken).plus(rest)?;
                    // Subsets come from the last to the first: of equal ones, those with the first members.
                    if !least.is_less_than(&rank) {
                        (least, choice) = (rank, taken);
                    }
                }
            }
            if subset == 0 {
                return Some((least, choice));
            }
            subset = (subset - 1) & others;
        }
    }

    /// The grouping that was found, place by place.
    fn collect(&self) -> Vec<u32> {
        let layout = self.plan.layout;
        let mut group_of: Vec<u32> = layout.pin.iter().map(|pin| pin.unwrap_or(0)).collect();
        let mut left = self.plan.subsets() as u32 - 1;
        for (place, choices) in self.plan.places.iter().zip(self.choices.iter().rev()) {
            let taken = choices[left as usize];
            let units = (0..layout.movable()).filter(|unit| taken >> unit & 1 == 1);
            units.for_each(|unit| group_of[unit] = place.group);
            left ^= taken;
        }
        group_of
    }
}
