//! What no grouping can beat, by what each player alone has at best: known at once, before there are dual values.

use matching_core::{Cost, CostValue};

use super::outcome::{Bound, BoundKind};
use super::problem::Task;

/// A bound in the input's sense, if it can be counted.
///
/// A group costs the sum of its pairs, of which each of the two pays half. Who is in a group of `s` pays the halves of `s - 1`
/// different pairs, and so never less than those of his cheapest; parties, pins, roles and who avoids whom can only make it
/// more.
pub(super) fn bound<C: Cost>(task: &Task<'_, C>) -> Option<Bound>
where
    C::Value: CostValue<Total = i128>,
{
    let players = 0..task.problem.cost.len();
    let mut of_players = players
        .map(|player| of_player(task, player))
        .collect::<Option<Vec<i128>>>()?;
    // Whoever waits pays nothing: at best those who would pay most.
    of_players.sort_unstable_by(|a, b| b.cmp(a));
    let (fewest, most) = task.groups.bench().into_inner();
    let wait = |(at, least): &(usize, i128)| *at < fewest || *at < most && *least > 0;
    let mut playing = of_players.into_iter().enumerate().skip_while(wait);
    let doubled = playing.try_fold(0_i128, |sum, (_, least)| sum.checked_add(least))?;
    // Totals are integers, so that half a unit is as good as one.
    let least = doubled.div_euclid(2) + doubled.rem_euclid(2);
    let total = task.problem.sense.exactly(least);
    task.problem.scale.fits(total).then_some(Bound {
        total,
        kind: BoundKind::LeastCosts,
    })
}

/// The least that the pairs of a player in a group come to, as what is to be small.
fn of_player<C: Cost>(task: &Task<'_, C>, player: usize) -> Option<i128>
where
    C::Value: CostValue<Total = i128>,
{
    let (problem, groups) = (task.problem, task.groups);
    let sizes = (0..groups.len()).map(|group| groups.bounds(group));
    let fewest = sizes.clone().map(|sizes| (*sizes.start()).max(1)).min()? - 1;
    let most = sizes
        .map(|sizes| (*sizes.end()).min(problem.cost.len()))
        .max()?
        .checked_sub(1)?;
    let others = (0..problem.cost.len()).filter(|&other| other != player && problem.cost.is_allowed(player, other));
    let costs: Option<Vec<i128>> = others.map(|other| cost(task, player, other)).collect();
    let mut costs = costs?;
    if (1..costs.len()).contains(&most) {
        costs.select_nth_unstable(most - 1);
        costs.truncate(most);
    }
    costs.sort_unstable();
    let mut least: Option<i128> = None;
    let mut sum = 0_i128;
    for partners in 0..=most {
        if partners >= fewest {
            least = Some(least.map_or(sum, |least| least.min(sum)));
        }
        // Who has no more others to be with is in no larger group.
        let Some(&cost) = costs.get(partners) else { break };
        sum = sum.checked_add(cost)?;
    }
    // Whom no group can take waits.
    Some(least.unwrap_or(0))
}

/// What is to be small of a pair that may be together.
fn cost<C: Cost>(task: &Task<'_, C>, i: usize, j: usize) -> Option<i128>
where
    C::Value: CostValue<Total = i128>,
{
    let cost = task.problem.cost.checked_pair(i, j)?.to_total();
    // Half of what an integer holds, so that no sign is lost.
    (cost.unsigned_abs() < 1 << 126).then(|| task.problem.sense.exactly(cost))
}
