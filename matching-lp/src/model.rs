//! The problem as integers: parties contracted to units, groups of the same bounds to classes.
//!
//! A grouping is a set of columns. A team is a column for a class; a unit on the bench is one too. Every unit is in
//! exactly one column, every class has as many teams as it has groups, and the bench holds no more players than it has room
//! for. These are the rows, and each has a dual: what the unit pays, what a team of the class pays beside its units, what a
//! place on the bench costs.

use matching_core::CostValue;

use crate::error::Error;
use crate::grid::{Grid, checked_pair};
use crate::problem::Problem;

/// Duals are integers in steps of `2^-SCALE_BITS` of a step of the costs' grid.
pub(crate) const SCALE_BITS: u32 = 14;
/// Steps of a dual in a step of costs.
pub(crate) const SCALE: i64 = 1 << SCALE_BITS;

/// Groups that have the same bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) least: u32,
    pub(crate) most: u32,
    pub(crate) count: u32,
}

/// What a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A team in a class of groups.
    Team(u16),
    /// A unit that waits.
    Bench,
    /// In a relaxed model: a unit that is nowhere.
    Nowhere,
    /// A group of this class that is empty: where its bounds allow that, or in a relaxed model.
    Unfilled(u16),
}

/// The problem as integers.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The players of each unit, ascending.
    pub(crate) units: Vec<Vec<usize>>,
    pub(crate) size: Vec<u32>,
    /// Costs between units, row by row, zero where they may not meet.
    pub(crate) cost: Vec<i64>,
    /// What the pairs inside each unit cost.
    pub(crate) inside: Vec<i64>,
    pub(crate) allowed: Vec<bool>,
    /// Whether the members of a unit may be in a team at all.
    pub(crate) may_play: Vec<bool>,
    pub(crate) classes: Vec<Class>,
    /// Players that may wait.
    pub(crate) bench: u32,
    pub(crate) waiting: Vec<i64>,
    /// Whether units may be nowhere and groups unfilled, at a cost of one each: to find out whether there is a grouping.
    pub(crate) is_relaxed: bool,
}

impl Model {
    pub(crate) fn new<V: CostValue>(problem: &Problem<'_, V>, grid: &Grid) -> Result<Self, Error> {
        let n = problem.len();
        let (mut model, unit_of) = Self::free(problem, problem.parties());
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
        Ok(model)
    }

    /// Without costs, and with the parties and forbidden pairs only of those players for whom `counts` holds, in the form that
    /// [`relaxed`](Self::relaxed) has.
    pub(crate) fn of_wishes<V: CostValue>(problem: &Problem<'_, V>, counts: &[bool]) -> Self {
        let n = problem.len();
        let parties: Vec<Vec<usize>> = problem
            .parties()
            .iter()
            .map(|party| {
                party
                    .iter()
                    .copied()
                    .filter(|&player| counts[player])
                    .collect::<Vec<_>>()
            })
            .filter(|party| party.len() > 1)
            .collect();
        let (mut model, unit_of) = Self::free(problem, &parties);
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
        model
    }

    /// Units and groups, without costs or forbidden pairs; and the unit of each player.
    fn free<V: CostValue>(problem: &Problem<'_, V>, parties: &[Vec<usize>]) -> (Self, Vec<usize>) {
        let n = problem.len();
        let units = merged(n, parties);
        let m = units.len();
        let mut unit_of = vec![0; n];
        for (unit, players) in units.iter().enumerate() {
            players.iter().for_each(|&player| unit_of[player] = unit);
        }
        let model = Self {
            size: units.iter().map(|players| players.len() as u32).collect(),
            cost: vec![0; m * m],
            inside: vec![0; m],
            allowed: vec![true; m * m],
            may_play: vec![true; m],
            classes: classes(problem),
            bench: (*problem.groups().bench().end()).min(n) as u32,
            waiting: vec![0; m],
            is_relaxed: false,
            units,
        };
        (model, unit_of)
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

    /// The same rows without costs, where every unit that is nowhere and every group that is not filled costs one: a
    /// grouping exists if, and only if, the least cost is 0.
    pub(crate) fn relaxed(&self) -> Self {
        let mut model = self.clone();
        model.cost.fill(0);
        model.inside.fill(0);
        model.waiting.fill(0);
        model.is_relaxed = true;
        model
    }

    /// Number of units.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Rows: units, classes, the bench.
    pub(crate) fn rows(&self) -> usize {
        self.len() + self.classes.len() + 1
    }

    pub(crate) fn class_row(&self, class: u16) -> usize {
        self.len() + usize::from(class)
    }

    pub(crate) fn bench_row(&self) -> usize {
        self.rows() - 1
    }

    /// The right-hand side of a row.
    pub(crate) fn room(&self, row: usize) -> u32 {
        match row.checked_sub(self.len()) {
            None => 1,
            Some(class) if class < self.classes.len() => self.classes[class].count,
            Some(_) => self.bench,
        }
    }

    /// Whether a row holds in any case once the others do, so that its dual can be 0.
    pub(crate) fn is_implied(&self, row: usize) -> bool {
        if self.is_relaxed || row < self.len() {
            return false;
        }
        let fewest: u32 = self.classes.iter().map(|class| class.least * class.count).sum();
        let players: u32 = self.size.iter().sum();
        if row == self.bench_row() {
            players <= fewest + self.bench
        } else {
            self.classes.len() == 1 && self.bench == 0 && self.classes[0].least == self.classes[0].most
        }
    }

    #[inline]
    pub(crate) fn pair(&self, a: usize, b: usize) -> i64 {
        self.cost[a * self.units.len() + b]
    }

    /// Costs of a unit with every other, zero where they may not meet.
    #[inline]
    pub(crate) fn row(&self, unit: u16) -> &[i64] {
        &self.cost[usize::from(unit) * self.units.len()..][..self.units.len()]
    }

    /// With whom a unit may meet.
    #[inline]
    pub(crate) fn allowed_row(&self, unit: u16) -> &[bool] {
        &self.allowed[usize::from(unit) * self.units.len()..][..self.units.len()]
    }

    #[inline]
    pub(crate) fn is_allowed(&self, a: usize, b: usize) -> bool {
        self.allowed[a * self.units.len() + b]
    }

    /// What a team of these units costs.
    pub(crate) fn team_cost(&self, units: &[u16]) -> i64 {
        let mut total = 0;
        for (at, &a) in units.iter().enumerate() {
            total += self.inside[usize::from(a)];
            for &b in &units[at + 1..] {
                total += self.pair(usize::from(a), usize::from(b));
            }
        }
        total
    }

    /// What a column costs.
    pub(crate) fn column_cost(&self, kind: Kind, units: &[u16]) -> i64 {
        match kind {
            Kind::Team(_) => self.team_cost(units),
            Kind::Bench => self.waiting[usize::from(units[0])],
            Kind::Nowhere => 1,
            Kind::Unfilled(class) => i64::from(self.classes[usize::from(class)].least > 0),
        }
    }

    /// All columns that are not teams.
    pub(crate) fn other_columns(&self) -> Vec<(Kind, Vec<u16>)> {
        let each = || (0..self.len() as u16).map(|unit| vec![unit]);
        let mut columns = Vec::new();
        if self.bench > 0 {
            let fits = |units: &Vec<u16>| self.size[usize::from(units[0])] <= self.bench;
            columns.extend(each().filter(fits).map(|units| (Kind::Bench, units)));
        }
        if self.is_relaxed {
            columns.extend(each().map(|units| (Kind::Nowhere, units)));
        }
        for (number, class) in self.classes.iter().enumerate() {
            if self.is_relaxed || class.least == 0 {
                columns.push((Kind::Unfilled(number as u16), Vec::new()));
            }
        }
        columns
    }

    /// The class of groups with these bounds.
    pub(crate) fn class_of(&self, bounds: &core::ops::RangeInclusive<usize>) -> usize {
        let players = self.size.iter().sum::<u32>() as usize;
        let wanted = (*bounds.start(), (*bounds.end()).min(players));
        let is_it = |class: &Class| (class.least as usize, class.most as usize) == wanted;
        self.classes.iter().position(is_it).unwrap_or(self.classes.len() - 1)
    }

    /// Number of players in these units.
    pub(crate) fn players_in(&self, units: &[u16]) -> u32 {
        units.iter().map(|&unit| self.size[usize::from(unit)]).sum()
    }
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

/// The distinct bounds of groups, ascending.
fn classes<V: CostValue>(problem: &Problem<'_, V>) -> Vec<Class> {
    let n = problem.len();
    let mut bounds: Vec<(usize, usize)> = (0..problem.groups().len())
        .map(|group| problem.groups().bounds(group))
        .map(|bounds| (*bounds.start(), (*bounds.end()).min(n)))
        .collect();
    bounds.sort_unstable();
    let mut classes: Vec<Class> = Vec::new();
    for (least, most) in bounds {
        let (least, most) = (least as u32, most as u32);
        match classes.last_mut() {
            Some(last) if (last.least, last.most) == (least, most) => last.count += 1,
            _ => classes.push(Class { least, most, count: 1 }),
        }
    }
    classes
}
