//! A good grouping to begin with, by search.

use matching_core::{Cost, CostValue, GroupCost};
use matching_heuristics::{Engine, Instance, Search};

use crate::limits::{Clock, Limits};
use crate::model::Model;
use crate::problem::Problem;
use crate::warm::Warm;

/// Costs of players in steps of the grid; those of one party with each other stand at its unit.
struct PlayerCost<'m> {
    model: &'m Model<'m>,
    unit_of: Vec<usize>,
    players: usize,
}

impl Cost for PlayerCost<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.players
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        let (a, b) = (self.unit_of[i], self.unit_of[j]);
        // A unit's cost is that of its players together: here it is asked for once for each pair of them.
        let is_first = |unit: usize, player: usize| self.model.units[unit][0] == player;
        if a != b && is_first(a, i) && is_first(b, j) {
            self.model.pair(a, b)
        } else {
            0
        }
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        let (a, b) = (self.unit_of[i], self.unit_of[j]);
        if a == b {
            self.model.may_play[a]
        } else {
            self.model.is_allowed(a, b)
        }
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// Costs of teams of players, whole, with all that forbids a team.
struct TeamCost<'m> {
    pairs: PlayerCost<'m>,
}

impl GroupCost for TeamCost<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.pairs.players
    }

    fn group(&self, members: &[usize]) -> i64 {
        self.group_if_allowed(members).unwrap_or(0)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.group_if_allowed(members).is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_if_allowed(&self, members: &[usize]) -> Option<i64> {
        if members.is_empty() {
            return Some(0);
        }
        let model = self.pairs.model;
        let units = units_of(&self.pairs, members);
        for (at, &a) in units.iter().enumerate() {
            let a = usize::from(a);
            let may_join = |&b: &u16| model.is_allowed(a, usize::from(b));
            if !model.may_play[a] || !units[at + 1..].iter().all(may_join) {
                return None;
            }
        }
        if !model.quotas.as_ref().is_none_or(|quotas| quotas.are_met(&units)) {
            return None;
        }
        Some(model.pairs_cost(&units) + model.whole_cost(&units)?)
    }
}

/// Groupings that a search finds, also from one that is known, best first, as teams of units; empty if it finds none that is
/// allowed.
pub(crate) fn groupings<V: CostValue>(
    model: &Model<'_>,
    problem: &Problem<'_, V>,
    warm: Option<&Warm>,
    limits: &Limits,
    seed: u64,
    clock: &Clock<'_>,
) -> Vec<Vec<Vec<u16>>> {
    let players = model.size.iter().sum::<u32>() as usize;
    let mut unit_of = vec![0; players];
    for (unit, members) in model.units.iter().enumerate() {
        members.iter().for_each(|&player| unit_of[player] = unit);
    }
    let cost = TeamCost {
        pairs: PlayerCost {
            model,
            unit_of,
            players,
        },
    };
    let groups = problem.groups().clone();
    let instance = if model.is_by_pairs() {
        Instance::pairwise(&cost.pairs, groups)
    } else {
        Instance::by_group(&cost, groups)
    };
    let parties = model.units.iter().filter(|unit| unit.len() > 1).cloned();
    let pins = problem.pins().iter().copied();
    let Ok(instance) = instance
        .and_then(|instance| instance.parties(parties))
        .and_then(|instance| instance.pins(pins))
    else {
        return Vec::new();
    };
    // A look at a move costs two teams as a whole, where pairs cost a few additions; so does the proof.
    let (long, short, share) = if model.is_by_pairs() {
        (long_work(players), short_work(players), 1)
    } else {
        let triples = triples(players);
        (LONG_WORK * triples, SHORT_WORK * triples, WHOLE_SHARE)
    };
    let most = clock
        .work_left()
        .map_or(u64::MAX, |units| units.saturating_mul(MOVES_A_UNIT));
    let mut found: Vec<(i128, Vec<Vec<u16>>)> = Vec::new();
    for run in 0..SHORT_RUNS + 1 {
        // The first one has its packing, if nothing else, however late it is.
        if run > 0 && clock.is_late() {
            break;
        }
        let work = if run == 0 { long } else { short };
        // The others are there for other teams: by themselves, searches begin alike whatever the seed is.
        let engine = if run == 0 { Engine::Auto } else { Engine::ForcedSwaps };
        let mut search = Search::with(&instance, engine)
            .seed(seed.wrapping_add(run))
            // Where there are more groups than units, what the solve takes is not all: this search may be left out.
            .memory(limits.beside_model(model.len()))
            .work((work.min(most) / share).max(LEAST_WORK.min(work)));
        if let Some(warm) = warm.filter(|_| run == 0) {
            search = search.warm_start(warm.groups());
        }
        if let Some(cancel) = &limits.cancel {
            search = search.cancel(cancel.clone());
        }
        if let Some(left) = clock.time_left() {
            search = search.time(left / if run == 0 { LONG_SHARE } else { SHORT_SHARE });
        }
        if let Ok(grouping) = search.run() {
            let teams = grouping
                .groups()
                .iter()
                .filter(|team| !team.is_empty())
                .map(|team| units_of(&cost.pairs, team))
                .collect();
            found.push((grouping.cost(), teams));
        } else if run == 0 {
            break;
        }
    }
    found.sort_by_key(|grouping| grouping.0);
    found.into_iter().map(|grouping| grouping.1).collect()
}

/// Units of work that the searches by pairs take together, where no limit cuts them short.
pub(crate) fn work(players: usize) -> u64 {
    SHORT_RUNS
        .saturating_mul(short_work(players))
        .saturating_add(long_work(players))
        / MOVES_A_UNIT
}

/// Moves looked at in the search for the best grouping, by costs of pairs.
fn long_work(players: usize) -> u64 {
    fewer_where_few(LONG_WORK, players).max(LEAST_LONG_WORK)
}

/// The same in each search for other good teams.
fn short_work(players: usize) -> u64 {
    fewer_where_few(SHORT_WORK, players).max(triples(players))
}

/// So many moves for each triple of players, and from `MANY` players down fewer, with the cube of their number: few are
/// proven so soon that the search would take most of the time, and it finds their best grouping long before.
fn fewer_where_few(moves_a_triple: u64, players: usize) -> u64 {
    let moves = moves_a_triple.saturating_mul(triples(players));
    if players < MANY {
        moves * (players as u64).pow(3) / (MANY as u64).pow(3)
    } else {
        moves
    }
}

fn triples(players: usize) -> u64 {
    (players as u64)
        .saturating_pow(2)
        .saturating_mul(players.min(SATURATED) as u64)
}

/// Moves looked at for each triple of players, in the search for the best grouping, where there are many.
const LONG_WORK: u64 = 130;
/// By costs of pairs even where players are few: enough to try all groupings of ten.
const LEAST_LONG_WORK: u64 = 130_000;
/// So many players are many: the proof takes longer than the search, and longer still from a worse grouping.
const MANY: usize = 60;
/// So many moves by pairs take as long as a unit of work: no search takes longer than the whole limit of it.
const MOVES_A_UNIT: u64 = 10;
/// How many moves by pairs take as long as one by whole teams.
const WHOLE_SHARE: u64 = 30;
/// Even of those, so many.
const LEAST_WORK: u64 = 20_000;
/// The same in searches for other good teams.
const SHORT_WORK: u64 = 5;
/// Beyond so many players, only the number of pairs counts.
const SATURATED: usize = 120;
const SHORT_RUNS: u64 = 6;
/// Each may take this part of the time that is left.
const LONG_SHARE: u32 = 10;
const SHORT_SHARE: u32 = 60;

/// The units of a team of players, ascending.
fn units_of(cost: &PlayerCost<'_>, team: &[usize]) -> Vec<u16> {
    let mut units: Vec<u16> = team.iter().map(|&player| cost.unit_of[player] as u16).collect();
    units.sort_unstable();
    units.dedup();
    units
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use matching_core::cost;
    use matching_heuristics::Groups;

    use super::*;
    use crate::grid::Grid;

    /// The search was given all memory there is, though its tables grow with groups as well, which nobody had looked at.
    #[test]
    fn a_search_that_does_not_fit_is_left_out() {
        let free = cost::from_symmetric_fn(6, |i, j| (i + j) as i64);
        let found = |groups: usize, memory: Option<usize>| {
            let groups = Groups::with_bounds(vec![0..=2; groups]).expect("groups");
            let problem = Problem::new(&free, groups).expect("a problem");
            let grid = Grid::new(&problem).expect("a grid");
            let model = Model::new(&problem, &grid).expect("a model");
            let limits = Limits {
                memory,
                ..Limits::default()
            };
            limits.check_memory(model.len()).expect("enough for tables of pairs");
            let clock = Clock::new(&limits, Instant::now());
            groupings(&model, &problem, None, &limits, 0, &clock).len()
        };
        let tables = 18 * 6 * 6;
        assert!(found(6, Some(tables)) > 0);
        assert!(found(1_000, None) > 0);
        assert_eq!(found(1_000, Some(tables)), 0);
        // Four bytes for each player in each group, and five for each two players, beside nine of the model.
        let all = 6 * (5 * 6 + 4 * 1_000) + 9 * 6 * 6;
        assert!(found(1_000, Some(all)) > 0);
        assert_eq!(found(1_000, Some(all - 1)), 0);
    }
}
