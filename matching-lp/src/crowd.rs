//! More players who must all be apart than there are places apart.
//!
//! Of units no two of which may be together, each group takes one and the others wait. Where more would have to wait
//! than may, there is no grouping: seen at a glance, where cases would be as many as there are groupings.

use matching_core::CostValue;

use crate::model::Model;
use crate::problem::Problem;

/// Where players can be.
struct Places {
    /// Groups that may have members.
    groups: usize,
    /// Players who may wait, so that groups that must have members have them.
    bench: usize,
    /// Whether somebody can be in each of those groups while as many wait as may.
    is_spread: bool,
}

impl Places {
    fn of<V: CostValue>(problem: &Problem<'_, V>) -> Self {
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

impl Crowd {
    /// Some such players, if they are found: crowds are grown one by one, those first who must be apart from the most
    /// others.
    ///
    /// # Complexity
    /// O(n²) looks at whether two units may be together for each crowd, over units that must be apart from as many
    /// others as there are groups.
    pub(crate) fn find<V: CostValue>(problem: &Problem<'_, V>, model: &Model<'_>) -> Option<Self> {
        if !problem.cost().has_forbidden() && problem.pairs_apart().is_empty() {
            return None;
        }
        let places = Places::of(problem);
        let is_apart = |a: usize, b: usize| a != b && !model.is_allowed(a, b);
        let mut units = suspects(model.len(), places.groups, &is_apart);
        let mut crowds: Vec<usize> = Vec::new();
        let mut waiting = 0;
        while let Some(&first) = units.first() {
            let mut crowd = vec![first];
            for &unit in &units[1..] {
                if crowd.iter().all(|&member| is_apart(member, unit)) {
                    crowd.push(unit);
                }
            }
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

/// Units that must be apart from as many others as there are groups, those first who must be from the most.
fn suspects(units: usize, groups: usize, is_apart: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let others = |unit: usize| (0..units).filter(|&other| is_apart(unit, other)).count();
    let mut suspects: Vec<(usize, usize)> = (0..units).map(|unit| (others(unit), unit)).collect();
    suspects.retain(|&(others, _)| others >= groups);
    suspects.sort_unstable_by_key(|&(others, unit)| (core::cmp::Reverse(others), unit));
    suspects.into_iter().map(|(_, unit)| unit).collect()
}
