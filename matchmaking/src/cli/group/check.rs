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

/// Who must be with whom, and where, for players of groups that are not those that were found.
#[derive(Debug)]
pub(super) struct Changes<'a, C> {
    problem: &'a Problem<C>,
    shape: &'a Groups,
    /// The groups as they are, members ascending.
    groups: Vec<Vec<usize>>,
    /// The parties of each player.
    parties: Vec<Vec<usize>>,
    pins: Vec<Option<usize>>,
    /// How many are pinned to each group.
    pinned: Vec<usize>,
}

impl<'a, C: Cost> Changes<'a, C>
where
    C::Value: CostValue<Total = i128>,
{
    pub(super) fn new(problem: &'a Problem<C>, shape: &'a Groups, groups: &[(Vec<usize>, i128)]) -> Self {
        let mut parties = vec![Vec::new(); problem.cost.len()];
        for (number, party) in problem.parties.iter().enumerate() {
            party.iter().for_each(|&player| parties[player].push(number));
        }
        let mut pins = vec![None; problem.cost.len()];
        problem
            .pins
            .iter()
            .for_each(|&(player, group)| pins[player] = Some(group));
        let mut pinned = vec![0; shape.len()];
        pins.iter().flatten().for_each(|&group| pinned[group] += 1);
        Self {
            problem,
            shape,
            groups: groups
                .iter()
                .map(|(members, _)| {
                    let mut members = members.clone();
                    members.sort_unstable();
                    members
                })
                .collect(),
            parties,
            pins,
            pinned,
        }
    }

    /// By how much the total changes where some groups have these players, ascending; `None` if they may not, or it cannot be counted.
    /// Nobody is in two places, as whoever asks has only moved some. Only pairs that come or go are looked at.
    pub(super) fn of(&self, changed: &[(usize, Vec<usize>)]) -> Option<i128> {
        changed.iter().try_fold(0_i128, |sum, (group, members)| {
            let before = &self.groups[*group];
            let others = |some: &[usize], than: &[usize]| -> Vec<usize> {
                let is_other = |player: &usize| than.binary_search(player).is_err();
                some.iter().copied().filter(is_other).collect()
            };
            let (come, leave) = (others(members, before), others(before, members));
            let is_allowed = self.shape.bounds(*group).contains(&members.len())
                && members.iter().all(|&player| self.has_party(player, members))
                && self.has_pinned(*group, members);
            let more = is_allowed.then(|| self.pairs_of(&come, members)).flatten()?;
            sum.checked_add(more)?.checked_sub(self.pairs_of(&leave, before)?)
        })
    }

    /// What some members of a group cost with the others and among themselves; `None` if two must not be together.
    fn pairs_of(&self, some: &[usize], group: &[usize]) -> Option<i128> {
        let cost = &self.problem.cost;
        let pairs = some.iter().enumerate().flat_map(|(at, &i)| {
            let others = group.iter().filter(move |other| !some[..=at].contains(other));
            others.map(move |&j| (i, j))
        });
        let has_forbidden = cost.has_forbidden();
        pairs.into_iter().try_fold(0_i128, |sum, (i, j)| {
            let is_allowed = !has_forbidden || cost.is_allowed(i, j);
            let pair = is_allowed.then(|| cost.checked_pair(i, j)).flatten()?;
            sum.checked_add(pair.to_total())
        })
    }

    fn has_party(&self, player: usize, members: &[usize]) -> bool {
        let mut parties = self.parties[player].iter();
        let is_there = |other: &usize| members.binary_search(other).is_ok();
        parties.all(|&party| self.problem.parties[party].iter().all(is_there))
    }

    /// Whether all who are pinned to a group are there, and nobody who is pinned elsewhere.
    fn has_pinned(&self, group: usize, members: &[usize]) -> bool {
        let pins = || members.iter().filter_map(|&player| self.pins[player]);
        pins().count() == self.pinned[group] && pins().all(|pin| pin == group)
    }
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

    use super::{Changes, members};
    use crate::cli::failure::Failure;
    use crate::cli::group::problem::{Problem, Scale, Sense};
    use crate::cli::group::sizes::Shape;

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

    #[test]
    fn changed_groups_cost_what_they_cost_or_are_not_allowed() -> Result<(), Error> {
        let pair = |i: usize, j: usize| if i == j { 0 } else { 10_i64.pow((i + j) as u32 - 1) };
        let data = (0..6).flat_map(|i| (0..6).map(move |j| pair(i, j))).collect();
        let mut cost = DenseMatrix::square(6, data).expect("6 rows of 6");
        cost.forbid_pair(0, 5);
        let shape = Groups::of_size(6, 2)?;
        let problem = Problem {
            cost,
            scale: Scale::of_decimals(0),
            sense: Sense::Minimize,
            shape: Shape::Groups(shape.clone()),
            parties: vec![vec![2, 3]],
            pins: vec![(1, 0)],
            roles: Vec::new(),
        };
        let groups = [(vec![0, 1], 1), (vec![2, 3], 10_000), (vec![4, 5], 100_000_000)];
        let changes = Changes::new(&problem, &shape, &groups);
        assert_eq!(
            changes.of(&[(0, vec![1, 4]), (2, vec![0, 5])]),
            None,
            "must not be together"
        );
        let swapped = [(0, vec![1, 5]), (2, vec![0, 4])];
        assert_eq!(changes.of(&swapped), Some(100_000 + 1_000 - 1 - 100_000_000));
        assert_eq!(changes.of(&[(1, vec![4, 5]), (2, vec![2, 3])]), Some(0));
        for (wrong, why) in [
            ([(0, vec![1, 2]), (1, vec![0, 3])], "a party is torn apart"),
            ([(0, vec![4, 5]), (2, vec![0, 1])], "pinned elsewhere"),
            ([(1, vec![2, 3]), (2, vec![1, 4])], "pinned elsewhere as well"),
            ([(0, vec![0, 4]), (1, vec![2, 3])], "who is pinned is gone"),
            ([(1, vec![2, 3, 4]), (2, vec![5])], "sizes"),
        ] {
            assert_eq!(changes.of(&wrong), None, "{why}");
        }
        Ok(())
    }
}
