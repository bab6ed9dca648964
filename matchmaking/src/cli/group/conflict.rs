//! Who is in whose way, where there is no grouping.

use matching_core::Cost;
use matching_lp::Conflict;

use super::check;
use super::outcome::{Wishes, Witness};
use super::problem::Task;

/// What the exact solver says of a problem without a grouping, with the wishes that its players have.
pub(super) fn witness<C: Cost>(task: &Task<'_, C>, conflict: Conflict) -> Witness {
    let (players, is_minimal) = match conflict {
        Conflict::Players { players, is_minimal } => (players, is_minimal),
        Conflict::RolesShort { roles, needed, players } => return Witness::RolesShort { roles, needed, players },
        Conflict::RolesCrowded { roles, room, players } => return Witness::RolesCrowded { roles, room, players },
        // Sizes that do not add up are refused before, and costs are of pairs alone, so this is only what the solver
        // may come to say. Whose wishes are in the way it does not say then.
        other => {
            let reason = other.to_string();
            return Witness::Other { reason };
        }
    };
    let mut is_named = vec![false; task.problem.cost.len()];
    players.iter().for_each(|&player| is_named[player] = true);
    let parties = task.problem.parties.iter().map(|party| {
        let named = party.iter().copied().filter(|&player| is_named[player]);
        named.collect::<Vec<usize>>()
    });
    let pinned = task.problem.pins.iter().copied();
    let apart: Vec<[usize; 2]> = check::forbidden_pairs(&task.problem.cost, &players).collect();
    Witness::Wishes(Wishes {
        parties: parties.filter(|party| party.len() > 1).collect(),
        pinned: pinned.filter(|pin| is_named[pin.0]).collect(),
        can_play: can_play(task, &players),
        has_others: has_others(task, &is_named, apart.len()),
        apart,
        players,
        is_minimal,
    })
}

/// Whether there are wishes beyond those that the named have among themselves, so many pairs apart being theirs.
fn has_others<C: Cost>(task: &Task<'_, C>, is_named: &[bool], apart: usize) -> bool {
    let problem = task.problem;
    let is_open = |party: &Vec<usize>| party.len() > 1 && party.iter().any(|&player| !is_named[player]);
    let everybody: Vec<usize> = (0..problem.cost.len()).collect();
    // Who is not named and cannot play a role may be missed there.
    let others = is_named.iter().filter(|&&is_named| !is_named).count();
    let is_short = |players: &[usize]| players.iter().filter(|&&player| !is_named[player]).count() < others;
    problem.parties.iter().any(is_open)
        || problem.pins.iter().any(|pin| !is_named[pin.0])
        || problem.roles.iter().any(|role| is_short(&role.players))
        || check::forbidden_pairs(&problem.cost, &everybody).nth(apart).is_some()
}

/// The names of the roles that each of these can play; no lists where there are no roles.
fn can_play<C>(task: &Task<'_, C>, players: &[usize]) -> Vec<Vec<String>> {
    let roles = &task.problem.roles;
    let named = if roles.is_empty() { &[] } else { players };
    let of_player = |player: &usize| {
        let mine = roles.iter().filter(|role| role.players.contains(player));
        mine.map(|role| role.name.clone()).collect()
    };
    named.iter().map(of_player).collect()
}

/// What the problem shows without any search: a party that no group takes, or of players who must not be together.
pub(super) fn at_sight<C: Cost>(task: &Task<'_, C>) -> Option<Witness> {
    let problem = task.problem;
    let bench = *task.groups.bench().end();
    let group = (0..task.groups.len()).map(|group| *task.groups.bounds(group).end());
    let group = group.max().unwrap_or(0);
    let large = problem.parties.iter().find(|party| party.len() > group.max(bench));
    if let Some(party) = large {
        let party = party.clone();
        return Some(Witness::PartyTooLarge { party, group, bench });
    }
    problem
        .parties
        .iter()
        .filter(|party| party.len() > bench)
        .find_map(|party| {
            let pair = check::forbidden_pairs(&problem.cost, party).next()?;
            let party = party.clone();
            Some(Witness::PartyApart { party, pair })
        })
}

#[cfg(test)]
mod tests {
    use matching_core::CancelToken;
    use matching_core::cost::DenseMatrix;
    use matching_heuristics::Groups;

    use super::*;
    use crate::cli::group::problem::{Problem, Scale, Sense};
    use crate::cli::group::sizes::Shape;
    use crate::cli::group::watch::Watch;
    use crate::cli::output::Progress;

    /// Whatever the solver said that is not about wishes was told as "the wishes of all players cannot be met", which
    /// nobody had proven.
    #[test]
    fn conflicts_that_name_no_players_blame_nobody() -> Result<(), matching_heuristics::Error> {
        let groups = Groups::of_size(4, 2)?;
        let problem = Problem {
            cost: DenseMatrix::square(4, vec![0_i64; 16]).expect("4 rows of 4"),
            scale: Scale::of_decimals(0),
            sense: Sense::Minimize,
            shape: Shape::Groups(groups.clone()),
            parties: vec![vec![2, 3]],
            pins: Vec::new(),
            roles: Vec::new(),
        };
        let progress = Progress::new(true);
        let task = Task {
            problem: &problem,
            groups: &groups,
            file: "pool.csv",
            watch: &Watch::new(&progress, problem.scale, problem.sense),
            interrupt: CancelToken::new(),
        };
        for conflict in [Conflict::Unexplained, Conflict::ForbiddenGroups] {
            let reason = conflict.to_string();
            assert_eq!(witness(&task, conflict), Witness::Other { reason });
        }
        Ok(())
    }
}
