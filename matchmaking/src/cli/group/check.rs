//! Whether a grouping is one, from the problem alone.

use matching_core::{Cost, CostValue};
use matching_heuristics::Groups;

use super::problem::{Problem, Task};
use crate::cli::failure::Failure;

/// Groups with what each costs, and the total.
type Priced = (Vec<(Vec<usize>, i128)>, i128);

/// What groups cost, if they are a grouping.
pub(super) fn priced<C: Cost>(task: &Task<'_, C>, groups: &[Vec<usize>], waiting: &[usize]) -> Result<Priced, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    members(task.problem, task.groups, groups, waiting)?;
    let overflow = || Failure::Search {
        file: task.file.to_owned(),
        source: matching_heuristics::Error::CostOverflow,
    };
    let priced = |members: &Vec<usize>| Some((members.clone(), task.problem.price(members)?));
    let groups: Option<Vec<(Vec<usize>, i128)>> = groups.iter().map(priced).collect();
    let groups = groups.ok_or_else(overflow)?;
    let total = groups
        .iter()
        .try_fold(0_i128, |sum, (_, cost)| sum.checked_add(*cost))
        .filter(|&total| task.problem.scale.fits(total))
        .ok_or_else(overflow)?;
    Ok((groups, total))
}

/// Everybody once, groups of the right sizes, parties whole, pins kept, nobody with whom he must not be.
pub(super) fn members<C: Cost>(
    problem: &Problem<C>,
    shape: &Groups,
    groups: &[Vec<usize>],
    waiting: &[usize],
) -> Result<(), Failure> {
    let refused = |problem| Err(Failure::Inconsistent { problem });
    if groups.len() != shape.len()
        || !shape.bench().contains(&waiting.len())
        || !groups
            .iter()
            .enumerate()
            .all(|(at, members)| shape.bounds(at).contains(&members.len()))
    {
        return refused("a group has not the size it must have");
    }
    let mut place = vec![usize::MAX; problem.cost.len()];
    for (at, members) in groups.iter().map(Vec::as_slice).chain([waiting]).enumerate() {
        for &player in members {
            match place.get_mut(player) {
                Some(place) if *place == usize::MAX => *place = at,
                _ => return refused("a player is in two groups"),
            }
        }
    }
    if place.contains(&usize::MAX) {
        return refused("a player is in no group");
    }
    if !problem
        .parties
        .iter()
        .all(|party| party.iter().all(|&player| place[player] == place[party[0]]))
    {
        return refused("a party is torn apart");
    }
    if problem.pins.iter().any(|&(player, group)| place[player] != group) {
        return refused("a player is not in the group that he is pinned to");
    }
    if groups
        .iter()
        .any(|members| forbidden_pairs(&problem.cost, members).next().is_some())
    {
        return refused("two who must not be together are");
    }
    Ok(())
}

/// All two of these who must not be together.
pub(super) fn forbidden_pairs<C: Cost>(cost: &C, members: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    let firsts = if cost.has_forbidden() { members.len() } else { 0 };
    let pairs = (0..firsts).flat_map(move |at| members[at + 1..].iter().map(move |&j| [members[at], j]));
    pairs.filter(|&[i, j]| !cost.is_allowed(i, j))
}

#[cfg(test)]
mod tests {
    use matching_core::cost::DenseMatrix;
    use matching_heuristics::{Error, Groups};

    use super::members;
    use crate::cli::failure::Failure;
    use crate::cli::group::problem::{Problem, Scale, Sense, Shape};

    #[test]
    fn what_is_no_grouping_is_refused_for_the_right_reason() -> Result<(), Error> {
        let mut cost = DenseMatrix::square(5, vec![0_i64; 25]).expect("5 rows of 5");
        cost.forbid_pair(0, 1);
        let shape = Groups::of_size(5, 2)?;
        let problem = Problem {
            cost,
            scale: Scale::of_decimals(0),
            sense: Sense::Minimize,
            shape: Shape::Groups(shape.clone()),
            parties: vec![vec![2, 3]],
            pins: Vec::new(),
            roles: Vec::new(),
        };
        let found = |problem, groups: &[Vec<usize>], waiting: &[usize]| match members(problem, &shape, groups, waiting)
        {
            Err(Failure::Inconsistent { problem }) => problem,
            _ => "fine",
        };
        let refusal = |groups: &[Vec<usize>], waiting: &[usize]| found(&problem, groups, waiting);
        assert_eq!(refusal(&[vec![2, 3], vec![0, 4]], &[1]), "fine");
        let cases = [
            (vec![vec![2, 3], vec![0, 4, 1]], vec![], "size"),
            (vec![vec![2, 3]], vec![0], "size"),
            (vec![vec![2, 3], vec![0, 3]], vec![1], "two groups"),
            (vec![vec![2, 3], vec![0, 9]], vec![1], "two groups"),
            (vec![vec![2, 0], vec![3, 4]], vec![1], "torn apart"),
            (vec![vec![2, 3], vec![0, 1]], vec![4], "must not be together"),
        ];
        for (groups, waiting, part) in cases {
            let found = refusal(&groups, &waiting);
            assert!(found.contains(part), "{groups:?}: {found}");
        }
        assert!(refusal(&[vec![2, 3], vec![0, 4]], &[]).contains("no group"));

        let pinned = Problem {
            pins: vec![(4, 1)],
            ..problem.clone()
        };
        assert_eq!(found(&pinned, &[vec![2, 3], vec![0, 4]], &[1]), "fine");
        for (groups, waiting) in [([vec![0, 4], vec![2, 3]], [1]), ([vec![2, 3], vec![0, 1]], [4])] {
            assert_eq!(refusal(&groups, &waiting) == "fine", waiting == [1]);
            assert!(found(&pinned, &groups, &waiting).contains("pinned to"), "{groups:?}");
        }
        Ok(())
    }
}
