//! From a problem to its model.

use std::sync::Arc;

use matching_core::CostValue;

use super::{Class, Model};
use crate::error::Error;
use crate::grid::{Grid, checked_pair};
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
        for i in 0..n {
            model.waiting[unit_of[i]] += grid.units(problem.waiting()[i]);
            for j in i + 1..n {
                match checked_pair(problem.cost(), i, j)? {
                    Some(value) => model.add(unit_of[i], unit_of[j], grid.units(value)),
                    None => model.forbid(unit_of[i], unit_of[j]),
                }
            }
        }
        for &(i, j) in problem.pairs_apart() {
            model.forbid(unit_of[i], unit_of[j]);
        }
        model.clear_forbidden();
        model.terms = terms(problem, grid).map(Arc::from);
        Ok(model)
    }

    /// Without costs, and with the wishes only of those players for whom `counts` holds, in the form that
    /// [`relaxed`](Self::relaxed) has. Others are in no party and no forbidden pair, are pinned nowhere, and can play
    /// any role.
    ///
    /// # Errors
    /// As for [`new`](Self::new), if the wishes contradict each other at once.
    pub(crate) fn of_wishes<V: CostValue>(problem: &Problem<'a, V>, counts: &[bool]) -> Result<Self, Error> {
        let n = problem.len();
        let (mut model, unit_of) = Self::free(problem, counts)?;
        if problem.cost().has_forbidden() {
            for i in (0..n).filter(|&i| counts[i]) {
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
        model.clear_forbidden();
        model.is_relaxed = true;
        Ok(model)
    }

    /// Units and groups, roles and pins, without costs or forbidden pairs; and the unit of each player.
    fn free<V: CostValue>(problem: &Problem<'a, V>, counts: &[bool]) -> Result<(Self, Vec<usize>), Error> {
        let n = problem.len();
        let units = merged(n, &together(problem, counts));
        let m = units.len();
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

    fn clear_forbidden(&mut self) {
        let m = self.len();
        for unit in 0..m {
            self.allowed[unit * m + unit] = false;
        }
        for (cost, is_allowed) in self.cost.iter_mut().zip(&self.allowed) {
            *cost *= i64::from(*is_allowed);
        }
    }

    fn add(&mut self, a: usize, b: usize, value: i64) {
        let m = self.units.len();
        if a == b {
            self.inside[a] += value;
        } else {
            self.cost[a * m + b] += value;
            self.cost[b * m + a] += value;
        }
    }

    fn forbid(&mut self, a: usize, b: usize) {
        let m = self.units.len();
        if a == b {
            self.may_play[a] = false;
        }
        self.allowed[a * m + b] = false;
        self.allowed[b * m + a] = false;
    }
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
