//! More players who must all be apart than there are places apart.
//!
//! Of units no two of which may be together, each group takes one and the others wait. Where more would have to wait
//! than may, there is no grouping: seen at a glance, where cases would be as many as there are groupings.

use matching_core::CostValue;

use crate::model::Model;
use crate::problem::Problem;

/// Where players can be.
pub(crate) struct Places {
    /// Groups that may have members.
    groups: usize,
    /// Players who may wait, so that groups that must have members have them.
    pub(crate) bench: usize,
    /// Whether somebody can be in each of those groups while as many wait as may.
    is_spread: bool,
}

impl Places {
    pub(crate) fn of<V: CostValue>(problem: &Problem<'_, V>) -> Self {
        let groups = problem.groups();
        let bounds = || {
            let all = (0..groups.len()).map(|group| groups.bounds(group));
            all.filter(|bounds| *bounds.end() > 0)
        };
        let sum = |of: &dyn Fn(usize) -> usize| {
            bounds().fold(0, |sum: usize, bounds| sum.saturating_add(of(*bounds.start())))
        };
        let players = problem.len();
        let bench = (*groups.bench().end()).min(players.saturating_sub(sum(&|least| least)));
        Self {
            groups: bounds().count(),
            bench,
            is_spread: sum(&|least| least.max(1)) <= players - bench,
        }
    }
}

/// Players who cannot all be kept apart.
pub(crate) struct Crowd {
    /// Ascending.
    pub(crate) players: Vec<usize>,
    /// Whether it is known that there is a grouping where any one of them has no wishes, and nobody else has.
    pub(crate) is_minimal: bool,
}

/// Looks at whether two units must be apart: how many are left.
struct Looks<'s> {
    left: usize,
    /// Since it was asked whether it is late.
    unasked: usize,
    is_late: &'s dyn Fn() -> bool,
}

impl<'s> Looks<'s> {
    /// So many times the square of the number of units: crowds are found by the first units that are tried, those who
    /// must be apart from the most others, or hardly ever.
    const PER_PAIR: usize = 8;
    /// At least as many, so that a few hundred units are all tried: some tens of milliseconds.
    const FEWEST: usize = 1 << 24;
    /// Between two questions whether it is late: some tens of microseconds.
    const PERIOD: usize = 1 << 16;

    fn new(units: usize, is_late: &'s dyn Fn() -> bool) -> Self {
        let most = units.saturating_mul(units).saturating_mul(Self::PER_PAIR);
        Self {
            left: most.max(Self::FEWEST),
            unasked: 0,
            is_late,
        }
    }

    /// Takes so many, if they are left and it is not late.
    fn take(&mut self, looks: usize) -> Option<()> {
        self.left = self.left.checked_sub(looks)?;
        self.unasked += looks;
        if self.unasked >= Self::PERIOD {
            self.unasked = 0;
            if (self.is_late)() {
                return None;
            }
        }
        Some(())
    }
}

impl Crowd {
    /// Some such players, if they are found: crowds are grown one by one, those first who must be apart from the most
    /// others. Nothing is said once it is late.
    ///
    /// # Complexity
    /// 8 n² looks at whether two of n units may be together, or 2^24 where that is more; what was not found by then
    /// stays unknown.
    pub(crate) fn find<V: CostValue>(
        problem: &Problem<'_, V>,
        model: &Model<'_>,
        is_late: &dyn Fn() -> bool,
    ) -> Option<Self> {
        if !problem.cost().has_forbidden() && problem.pairs_apart().is_empty() {
            return None;
        }
        let places = Places::of(problem);
        let mut looks = Looks::new(model.len(), is_late);
        let mut units = suspects(model, places.groups, &mut looks)?;
        let mut crowds: Vec<usize> = Vec::new();
        let mut waiting = 0;
        while units.len() > places.groups {
            let mut crowd = grown(model, &units, places.groups, &mut looks)?;
            if crowd.len() <= places.groups {
                units.remove(0);
                continue;
            }
            units.retain(|unit| !crowd.contains(unit));
            // The smallest of them wait, and no more of them are needed than to see that it does not work.
            crowd.sort_by_key(|&unit| model.size[unit]);
            crowd.truncate(places.groups + places.bench + 1);
            let left = &crowd[..crowd.len() - places.groups];
            waiting += left.iter().map(|&unit| model.size[unit] as usize).sum::<usize>();
            let is_only = crowds.is_empty();
            crowds.extend(crowd);
            if waiting > places.bench {
                return Some(Self::of(problem, model, &crowds, is_only && places.is_spread));
            }
        }
        None
    }

    /// The players of these units. Whoever leaves a single crowd of one player more than there are places leaves a
    /// grouping, if its members wish for nothing else.
    fn of<V: CostValue>(problem: &Problem<'_, V>, model: &Model<'_>, units: &[usize], is_tight: bool) -> Self {
        let is_free = problem.pins().is_empty() && problem.roles().is_empty();
        let mut players: Vec<usize> = units
            .iter()
            .flat_map(|&unit| model.units[unit].iter().copied())
            .collect();
        players.sort_unstable();
        Self {
            is_minimal: is_tight && is_free && players.len() == units.len(),
            players,
        }
    }
}

/// Units that must be apart from as many others as there are groups, those first who must be from the most; `None`
/// where looks ran out.
fn suspects(model: &Model<'_>, groups: usize, looks: &mut Looks<'_>) -> Option<Vec<usize>> {
    let mut suspects: Vec<(usize, usize)> = Vec::new();
    for unit in 0..model.len() {
        looks.take(model.len())?;
        let may_meet = model.allowed_row(unit as u16).iter();
        // Nobody meets himself, and nobody must be apart from himself.
        let others = may_meet.filter(|&&may_meet| !may_meet).count() - 1;
        if others >= groups {
            suspects.push((others, unit));
        }
    }
    suspects.sort_unstable_by_key(|&(others, unit)| (core::cmp::Reverse(others), unit));
    Some(suspects.into_iter().map(|(_, unit)| unit).collect())
}

/// The first of these units, and in their order all who must be apart from everybody taken before; given up where there
/// will be no more than there are groups. `None` where looks ran out.
fn grown(model: &Model<'_>, units: &[usize], groups: usize, looks: &mut Looks<'_>) -> Option<Vec<usize>> {
    let mut crowd = Vec::new();
    let mut open = units.to_vec();
    while let Some(&unit) = open.first().filter(|_| crowd.len() + open.len() > groups) {
        looks.take(open.len())?;
        crowd.push(unit);
        let may_meet = model.allowed_row(unit as u16);
        open.retain(|&other| other != unit && !may_meet[other]);
    }
    Some(crowd)
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use matching_core::{Cost, cost};
    use matching_heuristics::Groups;

    use super::*;

    /// Players in a circle, who may be with the next three alone, in groups of two: of four in a row one may be taken, so
    /// that crowds are half as large as they would have to be. Each unit was tried, in time that grew with the cube.
    #[test]
    fn no_more_looks_are_taken_than_is_said() {
        let n = 2000;
        let free = cost::from_symmetric_fn(n, |_, _| 0_i64);
        let costs = Cost::restricted(&free, |i, j| (1..=3).contains(&i.abs_diff(j).min(n - i.abs_diff(j))));
        let problem = Problem::new(&costs, Groups::of_size(n, 2).expect("pairs")).expect("a problem");
        let model = Model::of_all_wishes(&problem).expect("a model");
        let asked = Cell::new(0);
        let is_late = || {
            asked.set(asked.get() + 1);
            false
        };
        assert!(Crowd::find(&problem, &model, &is_late).is_none());
        assert!(
            asked.get() * Looks::PERIOD <= Looks::PER_PAIR * n * n,
            "{}",
            asked.get()
        );
        assert!(asked.get() > 0);
    }

    #[test]
    fn nothing_is_said_once_it_is_late() {
        let n = 600;
        let free = cost::from_symmetric_fn(n, |_, _| 0_i64);
        let costs = Cost::restricted(&free, |i, j| i > n / 2 || j > n / 2);
        let problem = Problem::new(&costs, Groups::of_size(n, 2).expect("pairs")).expect("a problem");
        let model = Model::of_all_wishes(&problem).expect("a model");
        let crowd = Crowd::find(&problem, &model, &|| false).expect("more than groups");
        assert!(crowd.is_minimal && crowd.players.into_iter().eq(0..=n / 2));
        assert!(Crowd::find(&problem, &model, &|| true).is_none());
    }
}
