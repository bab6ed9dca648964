//! From a problem to its model.

use core::hint::black_box;
use core::ops::Range;
use std::sync::Arc;

use matching_core::CostValue;

use super::{Class, Model};
use crate::error::Error;
use crate::grid::{Grid, Pairs};
use crate::problem::Problem;
use crate::quotas::Quotas;
use crate::roles::Skill;
use crate::terms::terms;

impl<'a> Model<'a> {
    /// # Errors
    /// What reading costs can say; [`Error::PartyTooLarge`], [`Error::PinsDisagree`], [`Error::TooManyPinned`].
    pub(crate) fn new<V: CostValue>(problem: &Problem<'a, V>, grid: &Grid) -> Result<Self, Error> {
        let n = problem.len();
        let (mut model, unit_of) = Self::free(problem, &vec![true; n])?;
        let pairs = Pairs::of(problem.cost());
        for i in 0..n {
            let waiting = grid.units(problem.waiting(i));
            model.waiting[unit_of[i]] += waiting;
            model.below_zero += waiting.min(0);
            for j in i + 1..n {
                let Some(value) = pairs.checked(i, j)? else {
                    model.forbid(unit_of[i], unit_of[j]);
                    continue;
                };
                let units = grid.units(value);
                model.add(unit_of[i], unit_of[j], units);
                model.below_zero += units.min(0);
            }
        }
        for &(i, j) in problem.pairs_apart() {
            model.forbid(unit_of[i], unit_of[j]);
        }
        model.complete(&|| false);
        model.terms = terms(problem, grid).map(Arc::from);
        Ok(model)
    }

    /// Without costs, and with the wishes only of those players for whom `counts` holds, in the form that
    /// [`relaxed`](Self::relaxed) has. Others are in no party and no forbidden pair, are pinned nowhere, and can play
    /// any role. `None` if it was late on the way.
    ///
    /// # Errors
    /// As for [`new`](Self::new), if the wishes contradict each other at once; [`Error::OutOfMemory`].
    pub(crate) fn of_wishes<V: CostValue>(
        problem: &Problem<'a, V>,
        counts: &[bool],
        is_late: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, Error> {
        let n = problem.len();
        let (mut model, unit_of) = Self::free(problem, counts)?;
        if problem.cost().has_forbidden() {
            for i in (0..n).filter(|&i| counts[i]) {
                if is_late() {
                    return Ok(None);
                }
                for j in (i + 1..n).filter(|&j| counts[j]) {
                    if !problem.cost().is_allowed(i, j) {
                        model.forbid(unit_of[i], unit_of[j]);
                    }
                }
            }
        }
        for &(i, j) in problem.pairs_apart() {
            if counts[i] && counts[j] {
                model.forbid(unit_of[i], unit_of[j]);
            }
        }
        model.is_relaxed = true;
        Ok(model.complete(is_late).then_some(model))
    }

    /// The same with the wishes of all, however long that takes.
    ///
    /// # Errors
    /// As for [`of_wishes`](Self::of_wishes).
    pub(crate) fn of_all_wishes<V: CostValue>(problem: &Problem<'a, V>) -> Result<Self, Error> {
        let model = Self::of_wishes(problem, &vec![true; problem.len()], &|| false)?;
        Ok(model.unwrap_or_else(|| unreachable!("it is never late")))
    }

    /// Number of units: of those who stay together, and of everybody else alone, where the wishes only of those players
    /// count for whom `counts` holds.
    pub(crate) fn units_of<V: CostValue>(problem: &Problem<'a, V>, counts: &[bool]) -> usize {
        merged(problem.len(), &together(problem, counts)).len()
    }

    /// Units and groups, roles and pins, without costs or forbidden pairs; and the unit of each player. Pairs of units
    /// are [complete](Self::complete) once all are read.
    fn free<V: CostValue>(problem: &Problem<'a, V>, counts: &[bool]) -> Result<(Self, Vec<usize>), Error> {
        let n = problem.len();
        let units = merged(n, &together(problem, counts));
        let m = units.len();
        check_room(m)?;
        let mut unit_of = vec![0; n];
        for (unit, players) in units.iter().enumerate() {
            players.iter().for_each(|&player| unit_of[player] = unit);
        }
        let pinned = pinned_groups(problem, counts, &units, &unit_of)?;
        let (classes, class_of_group) = classes(problem, &pinned);
        let roles = problem.roles().to_vec();
        let skill = |player: usize| match counts[player] {
            true => Skill::of(&roles, player),
            false => Skill::anything(&roles),
        };
        let skills: Vec<Skill> = (0..n).map(skill).collect();
        let of_units = units
            .iter()
            .map(|players| players.iter().map(|&player| skills[player]).collect());
        let mut model = Self {
            quotas: Quotas::new(&roles, of_units),
            size: units.iter().map(|players| players.len() as u32).collect(),
            cost: vec![0; m * m],
            inside: vec![0; m],
            allowed: vec![true; m * m],
            may_play: vec![true; m],
            home: pinned
                .iter()
                .map(|group| group.map(|group| class_of_group[group]))
                .collect(),
            classes,
            class_of_group,
            roles,
            skills,
            terms: None,
            bench: (*problem.groups().bench().end()).min(n) as u32,
            waiting: vec![0; m],
            below_zero: 0,
            is_relaxed: false,
            units,
        };
        model.check_party_sizes()?;
        let homes: Vec<usize> = (0..m).filter(|&unit| model.home[unit].is_some()).collect();
        for (at, &a) in homes.iter().enumerate() {
            homes[at + 1..].iter().for_each(|&b| model.forbid(a, b));
        }
        Ok((model, unit_of))
    }

    fn check_party_sizes(&self) -> Result<(), Error> {
        let largest = self.classes.iter().map(|class| class.most).max().unwrap_or(0);
        let most = largest.max(self.bench);
        match self.size.iter().position(|&size| size > most) {
            Some(unit) => Err(Error::PartyTooLarge {
                party: self.units[unit].clone(),
                most: most as usize,
            }),
            None => Ok(()),
        }
    }

    /// Copies what stands right of the diagonal to the left of it, and nobody meets himself or pays for a pair that is
    /// forbidden. Square by square: a column at a time, each entry would wait for memory of its own, which for 10,000
    /// players took two thirds of the time until the search began. `false` if it was late on the way.
    fn complete(&mut self, is_late: &dyn Fn() -> bool) -> bool {
        let m = self.len();
        for unit in 0..m {
            self.allowed[unit * m + unit] = false;
        }
        for (rows, columns) in squares(m) {
            // Once for each row of squares.
            if rows.start == columns.start && is_late() {
                return false;
            }
            for a in rows {
                for b in columns.clone().filter(|&b| b > a) {
                    let (place, mirrored) = (a * m + b, b * m + a);
                    let is_allowed = self.allowed[place];
                    self.cost[place] *= i64::from(is_allowed);
                    self.cost[mirrored] = self.cost[place];
                    self.allowed[mirrored] = is_allowed;
                }
            }
        }
        true
    }

    /// Where a pair of different units stands until all are read.
    fn place(&self, a: usize, b: usize) -> usize {
        a.min(b) * self.units.len() + a.max(b)
    }

    fn add(&mut self, a: usize, b: usize, value: i64) {
        if a == b {
            self.inside[a] += value;
        } else {
            let place = self.place(a, b);
            self.cost[place] += value;
        }
    }

    fn forbid(&mut self, a: usize, b: usize) {
        if a == b {
            self.may_play[a] = false;
        }
        let place = self.place(a, b);
        self.allowed[place] = false;
    }
}

/// Whether there is memory for costs of all pairs of units, and for which of them are allowed.
///
/// It is asked for and given back: tables that the system hands out cleared cost less than to clear them here.
///
/// # Errors
/// [`Error::OutOfMemory`].
fn check_room(units: usize) -> Result<(), Error> {
    let of_pair = (size_of::<i64>() + size_of::<bool>()) as u64;
    let bytes = of_pair.saturating_mul((units as u64).saturating_pow(2));
    let is_there = |bytes: usize| {
        let mut trial = Vec::<u8>::new();
        let trial = trial.try_reserve_exact(bytes).map(|()| trial);
        // Or the compiler sees that nobody uses it, and asks for nothing.
        black_box(trial).is_ok()
    };
    if usize::try_from(bytes).is_ok_and(is_there) {
        return Ok(());
    }
    Err(Error::OutOfMemory { bytes, limit: None })
}

/// Units on a side of the squares in which pairs are copied: two of them are in the nearest cache.
const SIDE: usize = 32;

/// Squares on and right of the diagonal, as rows and columns.
fn squares(units: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let side = move |start: usize| start..(start + SIDE).min(units);
    let starts = (0..units).step_by(SIDE);
    starts.flat_map(move |row| (row..units).step_by(SIDE).map(move |column| (side(row), side(column))))
}

/// The parties, and those who are pinned to the same group, of players whose wishes count.
fn together<V: CostValue>(problem: &Problem<'_, V>, counts: &[bool]) -> Vec<Vec<usize>> {
    let mut pinned: Vec<Vec<usize>> = vec![Vec::new(); problem.groups().len()];
    for &(player, group) in problem.pins() {
        pinned[group].push(player);
    }
    let all = problem.parties().iter().chain(&pinned);
    let counted = all.map(|players| players.iter().copied().filter(|&player| counts[player]).collect());
    counted.filter(|players: &Vec<usize>| players.len() > 1).collect()
}

/// The group that each unit is pinned to.
fn pinned_groups<V: CostValue>(
    problem: &Problem<'_, V>,
    counts: &[bool],
    units: &[Vec<usize>],
    unit_of: &[usize],
) -> Result<Vec<Option<usize>>, Error> {
    let mut pinned: Vec<Option<usize>> = vec![None; units.len()];
    for &(player, group) in problem.pins().iter().filter(|pin| counts[pin.0]) {
        let unit = unit_of[player];
        let most = *problem.groups().bounds(group).end();
        match pinned[unit].replace(group) {
            Some(other) if other != group => {
                return Err(Error::PinsDisagree {
                    players: units[unit].clone(),
                    groups: [other, group],
                });
            }
            _ if units[unit].len() > most => {
                return Err(Error::TooManyPinned {
                    group,
                    players: units[unit].clone(),
                    most,
                });
            }
            _ => {}
        }
    }
    Ok(pinned)
}

/// Parties that share players merged, and everybody else a unit alone; in the order of first members.
fn merged(n: usize, parties: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..n).collect();
    for party in parties {
        for &player in &party[1..] {
            let (a, b) = (find(&mut root, party[0]), find(&mut root, player));
            root[a.max(b)] = a.min(b);
        }
    }
    let mut units: Vec<Vec<usize>> = vec![Vec::new(); n];
    for player in 0..n {
        let first = find(&mut root, player);
        units[first].push(player);
    }
    units.retain(|players| !players.is_empty());
    units
}

/// The least player of the same unit, halving paths on the way.
fn find(root: &mut [usize], mut player: usize) -> usize {
    while root[player] != player {
        root[player] = root[root[player]];
        player = root[player];
    }
    player
}

/// The distinct bounds of groups, ascending, those with somebody pinned each for itself; and the class of each group.
fn classes<V: CostValue>(problem: &Problem<'_, V>, pinned: &[Option<usize>]) -> (Vec<Class>, Vec<u16>) {
    let n = problem.len();
    let mut owner_of: Vec<Option<u16>> = vec![None; problem.groups().len()];
    for (unit, group) in pinned.iter().enumerate() {
        if let Some(group) = group {
            owner_of[*group] = Some(unit as u16);
        }
    }
    let mut groups: Vec<(usize, usize, Option<u16>, usize)> = (0..problem.groups().len())
        .map(|group| (problem.groups().bounds(group), group))
        .map(|(bounds, group)| (*bounds.start(), (*bounds.end()).min(n), owner_of[group], group))
        .collect();
    groups.sort_unstable();
    let mut classes: Vec<Class> = Vec::new();
    let mut class_of_group = vec![0; groups.len()];
    for (least, most, owner, group) in groups {
        let (least, most) = (least as u32, most as u32);
        match classes.last_mut() {
            Some(last) if (last.least, last.most, last.owner) == (least, most, None) && owner.is_none() => {
                last.count += 1;
            }
            _ => classes.push(Class {
                least,
                most,
                count: 1,
                owner,
            }),
        }
        class_of_group[group] = (classes.len() - 1) as u16;
    }
    (classes, class_of_group)
}

#[cfg(test)]
mod tests {
    use matching_core::cost;
    use matching_heuristics::Groups;

    use super::*;

    #[test]
    fn tables_that_no_memory_holds_are_refused() {
        assert_eq!(check_room(1_000), Ok(()));
        let bytes = 9 << 60;
        assert_eq!(check_room(1 << 30), Err(Error::OutOfMemory { bytes, limit: None }));
    }

    /// Sums over players, for parties whose members stand among others, on more units than a square has rows.
    #[test]
    fn pairs_of_units_are_the_sums_of_their_players() {
        let n = 3 * SIDE + 5;
        let of = |i: usize, j: usize| (7 * i.min(j) + 11 * i.max(j) + i * j) as i64 % 101 - 30;
        let is_apart = |i: usize, j: usize| i.abs_diff(j) % 13 == 5;
        let all = cost::from_symmetric_fn(n, of);
        let costs = matching_core::Cost::restricted(&all, |i, j| !is_apart(i, j));
        let mut problem = Problem::new(&costs, Groups::of_size(n, n).expect("a group")).expect("a problem");
        for party in [vec![0, n - 1], vec![40, 3, 70], vec![60, 59], vec![5, 90, 4]] {
            problem = problem.party(&party).expect("players");
        }
        problem = problem.apart(1, 80).expect("players");
        let model = Model::new(&problem, &Grid::new(&problem).expect("a grid")).expect("a model");
        assert_eq!(model.len(), n - 6);
        for (a, first) in model.units.iter().enumerate() {
            for (b, second) in model.units.iter().enumerate().filter(|&(b, _)| a != b) {
                let pairs = || first.iter().flat_map(|&i| second.iter().map(move |&j| (i, j)));
                let is_allowed = pairs().all(|(i, j)| !is_apart(i, j) && [i.min(j), i.max(j)] != [1, 80]);
                let sum: i64 = pairs().map(|(i, j)| of(i, j)).sum();
                assert_eq!(model.is_allowed(a, b), is_allowed, "{a} and {b}");
                assert_eq!(model.pair(a, b), if is_allowed { sum } else { 0 }, "{a} and {b}");
            }
            let inside = first
                .iter()
                .enumerate()
                .flat_map(|(at, &i)| first[at + 1..].iter().map(move |&j| (i, j)));
            assert_eq!(model.may_play[a], inside.clone().all(|(i, j)| !is_apart(i, j)));
            assert!(!model.is_allowed(a, a));
        }
    }
}
