//! Whether there is a grouping at all, and who is in the way.

use matching_core::{CostValue, GroupBound};

use crate::branching::Branching;
use crate::crowd::Crowd;
use crate::error::{Conflict, Error};
use crate::generate::Generation;
use crate::limits::Clock;
use crate::model::{Kind, Model};
use crate::problem::Problem;
use crate::roles::Skill;
use crate::torn::Torn;
use crate::tree::Chosen;

/// What is known of a problem.
pub(crate) enum Feasibility {
    /// There is a grouping: this one.
    Found(Chosen),
    /// There is none, and that is proven.
    Impossible,
    /// A limit came first.
    Unknown,
}

/// Looks for any grouping, by the relaxed problem: the least number of units that are nowhere and groups that are not
/// filled. It is solved like any other, and an exact bound above zero is a proof.
pub(crate) fn find_grouping(model: &Model, most_columns: usize, clock: &mut Clock<'_>) -> Feasibility {
    let generation = Generation::new(model, &[], vec![0.5; model.rows()], 2.0, 1);
    let Some(duals) = generation.run(clock) else {
        return Feasibility::Unknown;
    };
    if duals.bound(model) > 0 {
        return Feasibility::Impossible;
    }
    // Only groupings that cost 0 are of interest, so anything that costs 1 is too much.
    let mut better = None;
    let mut keep = |_, chosen: &Chosen| better = Some(chosen.clone());
    let found = Branching::new(model, 1, most_columns, clock, &mut keep).run(&duals);
    match better {
        Some(chosen) => {
            let is_in = |column: &(Kind, Vec<u16>)| column.0 != Kind::Nowhere;
            Feasibility::Found(chosen.into_iter().filter(is_in).collect())
        }
        None if found.bound > 0 => Feasibility::Impossible,
        None => Feasibility::Unknown,
    }
}

/// Why a problem without any grouping has none.
pub(crate) fn explain<V: CostValue>(
    problem: &Problem<'_, V>,
    model: &Model<'_>,
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Conflict {
    if model.terms.as_ref().is_some_and(|terms| terms.forbids()) {
        // Numbers add up, and nothing else is wished for.
        if !has_wishes(problem).contains(&true) {
            return Conflict::ForbiddenGroups;
        }
        match is_impossible(problem, &vec![true; problem.len()], most_columns, clock) {
            Some(true) => {}
            Some(false) => return Conflict::ForbiddenGroups,
            // Either may be to blame, and what is left of the limits does not say more.
            None => return Conflict::Unexplained,
        }
    }
    players_in_the_way(problem, has_wishes(problem), most_columns, clock)
}

/// Players who must play together and must not, by a look at each unit.
pub(crate) fn torn_conflict<V: CostValue>(
    problem: &Problem<'_, V>,
    model: &Model<'_>,
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Option<Conflict> {
    let Torn { players, is_minimal } = Torn::find(problem, model)?;
    Some(conflict_of(problem, players, is_minimal, most_columns, clock))
}

/// More players who must all be apart than there are places for, by numbers alone.
pub(crate) fn crowd_conflict<V: CostValue>(
    problem: &Problem<'_, V>,
    model: &Model<'_>,
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Option<Conflict> {
    let Crowd { players, is_minimal } = Crowd::find(problem, model, &|| clock.is_late())?;
    Some(conflict_of(problem, players, is_minimal, most_columns, clock))
}

/// Players whose wishes cannot all be met; where it is not known that none of them can be left out, that is tried.
fn conflict_of<V: CostValue>(
    problem: &Problem<'_, V>,
    players: Vec<usize>,
    is_minimal: bool,
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Conflict {
    if is_minimal {
        return Conflict::Players { players, is_minimal };
    }
    let mut counts = vec![false; problem.len()];
    players.iter().for_each(|&player| counts[player] = true);
    players_in_the_way(problem, counts, most_columns, clock)
}

/// Looks at numbers of players that [`sizes_are_forbidden`] takes at most: a second or so.
const MOST_SIZE_LOOKS: usize = 1 << 30;

/// Whether costs of whole groups forbid so many sizes that groups of the others cannot hold everybody who must play:
/// where each group is of two halves, an odd number of players. Neither a linear program nor cuts see that, and cases
/// would be as many as groupings. `false` says nothing, and nothing is said once it is late.
pub(crate) fn sizes_are_forbidden<V: CostValue>(problem: &Problem<'_, V>, is_late: &dyn Fn() -> bool) -> bool {
    let (n, groups) = (problem.len(), problem.groups());
    let bounds = || (0..groups.len()).map(|group| groups.bounds(group));
    let sizes = || bounds().map(|bounds| *bounds.start()..=n.min(*bounds.end()));
    let looks = sizes().fold(0_usize, |sum, sizes| {
        sum.saturating_add(sizes.count().saturating_mul(n))
    });
    if problem.group_costs().is_empty() || looks > MOST_SIZE_LOOKS {
        return false;
    }
    let is_forbidden = |size: usize| {
        let mut costs = problem.group_costs().iter();
        // Nobody is asked about groups that stay empty.
        size > 0 && costs.any(|cost| matches!(cost.group_bound(&[], size), GroupBound::Forbidden))
    };
    let mut asked: Vec<Option<bool>> = vec![None; n + 1];
    // Whether groups up to some one can hold exactly so many players.
    let mut held = vec![false; n + 1];
    held[0] = true;
    for sizes in sizes() {
        if is_late() {
            return false;
        }
        let mut with = vec![false; n + 1];
        for size in sizes {
            if !*asked[size].get_or_insert_with(|| is_forbidden(size)) {
                for (with, held) in with[size..].iter_mut().zip(&held) {
                    *with |= held;
                }
            }
        }
        held = with;
    }
    let waiting = n.min(*groups.bench().end());
    !held[n - waiting..].contains(&true)
}

/// Whether there is no grouping with the wishes of some players alone; `None` if a limit came first, or memory was
/// refused.
fn is_impossible<V: CostValue>(
    problem: &Problem<'_, V>,
    counts: &[bool],
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Option<bool> {
    // Who leaves a party is a unit of his own, so that there may be more of them than in the problem's model.
    let units = |counts: &[bool]| Model::units_of(problem, counts);
    if !clock.has_room_for_both(units(&vec![true; problem.len()]), units(counts)) {
        return None;
    }
    let model = match Model::of_wishes(problem, counts, &|| clock.is_late()) {
        Ok(model) => model?,
        Err(error) => return is_contradiction(&error).then_some(true),
    };
    if Torn::is_there(problem, &model) || Crowd::find(problem, &model, &|| clock.is_late()).is_some() {
        return Some(true);
    }
    match find_grouping(&model, most_columns, clock) {
        Feasibility::Impossible => Some(true),
        Feasibility::Found(_) => Some(false),
        Feasibility::Unknown => None,
    }
}

/// Whether wishes contradict each other, by what reading them says: that there is no memory for them proves nothing.
fn is_contradiction(error: &Error) -> bool {
    matches!(
        error,
        Error::PartyTooLarge { .. } | Error::PinsDisagree { .. } | Error::TooManyPinned { .. }
    )
}

/// A small set of players whose wishes cannot all be met, some of those who count, whose wishes cannot be: leaves out
/// one after the other as long as what is left is still impossible, and keeps all who are left once the clock is over.
/// Wishes are read anew for each, which counts as work, pair by pair: crowds are found without any.
fn players_in_the_way<V: CostValue>(
    problem: &Problem<'_, V>,
    mut counts: Vec<bool>,
    most_columns: usize,
    clock: &mut Clock<'_>,
) -> Conflict {
    let n = problem.len();
    let mut is_minimal = true;
    for player in 0..n {
        if counts[player] {
            clock.step(n as u64 * n as u64 / 2);
            clock.look();
            if clock.is_over() {
                is_minimal = false;
                break;
            }
            counts[player] = false;
            match is_impossible(problem, &counts, most_columns, clock) {
                Some(true) => {}
                Some(false) => counts[player] = true,
                None => {
                    counts[player] = true;
                    is_minimal = false;
                }
            }
        }
    }
    let players: Vec<usize> = (0..n).filter(|&player| counts[player]).collect();
    // Nobody's wishes are in the way. Numbers of places add up, so it is what roles want of every group.
    if players.is_empty() {
        let roles = problem.roles().iter();
        let needed = roles.fold(0_usize, |sum, role| sum.saturating_add(role.least()));
        return Conflict::RolesDoNotFit { needed };
    }
    Conflict::Players { players, is_minimal }
}

/// More or fewer players than groups and bench have places.
pub(crate) fn size_conflict<V: CostValue>(problem: &Problem<'_, V>) -> Option<Conflict> {
    let groups = problem.groups();
    let players = problem.len();
    let sum = |end: fn(&core::ops::RangeInclusive<usize>) -> usize| {
        (0..groups.len()).fold(0_usize, |sum, group| sum.saturating_add(end(&groups.bounds(group))))
    };
    let least = sum(|bounds| *bounds.start());
    let most = sum(|bounds| *bounds.end()).saturating_add(*groups.bench().end());
    let fits = least <= players && players <= most;
    (!fits).then_some(Conflict::Sizes { players, least, most })
}

/// Roles that too few or too many players can play, judging by numbers alone.
pub(crate) fn role_conflict<V: CostValue>(problem: &Problem<'_, V>) -> Option<Conflict> {
    let (roles, groups) = (problem.roles(), problem.groups());
    let bounds = || (0..groups.len()).map(|group| groups.bounds(group));
    let pinned = |group: usize| problem.pins().iter().any(|pin| pin.1 == group);
    let filled = bounds()
        .zip(0..)
        .filter(|(bounds, group)| *bounds.start() > 0 || pinned(*group))
        .count();
    let bench = *groups.bench().end();
    // Few roles before many, so that the ones named are to the point.
    let mut sets: Vec<u16> = (1..(1_u32 << roles.len())).map(|set| set as u16).collect();
    sets.sort_by_key(|set| set.count_ones());
    let skills: Vec<Skill> = (0..problem.len()).map(|player| Skill::of(roles, player)).collect();
    for set in sets {
        let inside = || roles.iter().enumerate().filter(move |(role, _)| set >> role & 1 == 1);
        let names = || inside().map(|(_, role)| role.name().to_owned()).collect();
        let who = |counts: &dyn Fn(&Skill) -> bool| -> Vec<usize> {
            let players = (0..problem.len()).filter(|&player| counts(&skills[player]));
            players.collect()
        };
        let able = who(&|skill| skill.roles & set != 0);
        let needed = inside().fold(0_usize, |sum, (_, role)| sum.saturating_add(role.least()));
        let needed = needed.saturating_mul(filled);
        if able.len() < needed {
            return Some(Conflict::RolesShort {
                roles: names(),
                needed,
                players: able,
            });
        }
        let bound = who(&|skill| skill.must_play && skill.roles & !set == 0);
        let most = inside().fold(0_usize, |sum, (_, role)| sum.saturating_add(role.most()));
        let rooms = bounds().map(|bounds| most.min(*bounds.end()));
        let room = rooms.fold(bench, usize::saturating_add);
        if bound.len() > room {
            return Some(Conflict::RolesCrowded {
                roles: names(),
                room,
                players: bound,
            });
        }
    }
    None
}

/// Who is in a party or in a forbidden pair, is pinned, or cannot play any role that he likes.
fn has_wishes<V: CostValue>(problem: &Problem<'_, V>) -> Vec<bool> {
    let n = problem.len();
    let mut has = vec![false; n];
    for &player in problem.parties().iter().flatten() {
        has[player] = true;
    }
    if !problem.roles().is_empty() {
        has.fill(true);
    }
    for &(player, _) in problem.pins() {
        has[player] = true;
    }
    for &(i, j) in problem.pairs_apart() {
        (has[i], has[j]) = (true, true);
    }
    if problem.cost().has_forbidden() {
        for i in 0..n {
            for j in i + 1..n {
                if !problem.cost().is_allowed(i, j) {
                    (has[i], has[j]) = (true, true);
                }
            }
        }
    }
    has
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every error of reading wishes was taken for wishes that contradict each other, memory that was refused among them.
    #[test]
    fn refused_memory_is_no_contradiction() {
        let players = vec![0, 1];
        for limit in [None, Some(1)] {
            assert!(!is_contradiction(&Error::OutOfMemory { bytes: 9, limit }));
        }
        assert!(is_contradiction(&Error::PartyTooLarge {
            party: players.clone(),
            most: 1
        }));
        assert!(is_contradiction(&Error::PinsDisagree {
            players: players.clone(),
            groups: [0, 1]
        }));
        assert!(is_contradiction(&Error::TooManyPinned {
            group: 0,
            players,
            most: 1
        }));
    }
}
