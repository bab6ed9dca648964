//! All teams of small reduced cost, for the checker.
//!
//! Units are taken in order of their numbers. What a unit adds at least is its cost with the members there are, less
//! its dual, and half of its least costs with any units at all: sums of these, least first, bound what is to come.

use super::rules::Rules;
use super::zones::{Standing, Zone, zones};
use crate::duals::Duals;
use crate::model::{Model, SCALE};

/// A partial team.
struct Part {
    players: u32,
    value: i128,
    /// Units after the last member that may join, each with what it adds.
    free: Vec<(u16, i128)>,
    /// The next of them to be tried.
    next: usize,
    standing: Standing,
}

/// The search.
pub(super) struct LightTeams<'l> {
    model: &'l Model<'l>,
    duals: &'l Duals,
    /// For each unit, twice the half of the sums of its least costs: of none, of one, of two others, and so on.
    halves: Vec<Vec<i128>>,
    most_players: u32,
    /// Players of the smallest and of the largest unit.
    sizes: [u32; 2],
    greatest: i128,
    rules: Rules<'l>,
}

impl<'l> LightTeams<'l> {
    pub(super) fn new(model: &'l Model<'l>, duals: &'l Duals) -> Self {
        let most_players = model.classes.iter().map(|class| class.most).max().unwrap_or(0);
        let class_dual = |class: u16| i128::from(duals.rows[model.class_row(class)]);
        let halves = (0..model.len())
            .map(|unit| least_sums(model, unit, most_players as usize))
            .collect();
        Self {
            model,
            duals,
            halves,
            most_players,
            sizes: [
                model.size.iter().copied().min().unwrap_or(1).max(1),
                model.size.iter().copied().max().unwrap_or(1),
            ],
            rules: Rules::new(model),
            greatest: (0..model.classes.len() as u16).map(class_dual).max().unwrap_or(0),
        }
    }

    /// Reports every team, ascending, with each class whose groups it fits, that has a reduced cost of at most `limit`,
    /// and perhaps others.
    pub(super) fn run(&self, limit: i128, report: &mut dyn FnMut(&[u16], u16)) {
        let room = limit + self.greatest;
        let smallest = self.sizes[0];
        for zone in zones(self.model, self.duals) {
            let units = zone.units.iter().copied();
            let start: Vec<(u16, i128)> = units
                .filter(|&unit| self.model.may_play[usize::from(unit)])
                .map(|unit| (unit, self.alone(unit)))
                .collect();
            let most = (self.most_players / smallest) as usize;
            for members in (1..=most).filter(|&members| self.leads_to_a_size(0, members)) {
                self.search(start.clone(), members, room - zone.price, &zone, report);
            }
        }
    }

    fn alone(&self, unit: u16) -> i128 {
        let unit = usize::from(unit);
        i128::from(self.model.inside[unit]) * i128::from(SCALE) - i128::from(self.duals.rows[unit])
    }

    /// Depth first over teams of `members` units, with a stack of partial teams. Teams within a smaller zone are left
    /// out.
    fn search(
        &self,
        start: Vec<(u16, i128)>,
        members: usize,
        room: i128,
        zone: &Zone,
        report: &mut dyn FnMut(&[u16], u16),
    ) {
        let Some(whole) = self.rules.least(&[], 0, members) else {
            return;
        };
        let mut stack = vec![Part {
            players: 0,
            value: 0,
            free: self.promising(start, members, 2 * (room - whole)),
            next: 0,
            standing: Standing::Nowhere,
        }];
        let mut team: Vec<u16> = Vec::new();
        while let Some(part) = stack.last_mut() {
            let Some(&(unit, added)) = part.free.get(part.next) else {
                stack.pop();
                team.pop();
                continue;
            };
            part.next += 1;
            let players = part.players + self.model.size[usize::from(unit)];
            let value = part.value + added;
            let more = members - team.len() - 1;
            // Nothing is asked about teams of a size that no group has.
            if !self.leads_to_a_size(players, more) {
                continue;
            }
            team.push(unit);
            // Nor about a team that pins leave without a group.
            let is_asked = more > 0 || self.model.terms.is_none() || self.classes_of(&team, players).next().is_some();
            let whole = is_asked.then(|| self.rules.least(&team, players, more)).flatten();
            team.pop();
            let Some(whole) = whole else {
                continue;
            };
            let value_at_least = value + whole;
            let standing = part.standing.after(zone.inner[usize::from(unit)]);
            if more == 0 {
                if value_at_least <= room && standing == Standing::Across {
                    team.push(unit);
                    self.report(&team, players, report);
                    team.pop();
                }
                continue;
            }
            let free: Vec<(u16, i128)> = part.free[part.next..]
                .iter()
                .filter(|(other, _)| self.model.is_allowed(usize::from(unit), usize::from(*other)))
                .map(|&(other, added)| {
                    let pair = self.model.pair(usize::from(unit), usize::from(other));
                    (other, added + i128::from(pair) * i128::from(SCALE))
                })
                .collect();
            let left = 2 * (room - value_at_least);
            let mut free = self.promising(free, more, left);
            if let Standing::Within(inner) = standing {
                free = self.leaving(free, more, left, &zone.inner, inner);
            }
            if free.len() >= more {
                team.push(unit);
                stack.push(Part {
                    players,
                    value,
                    free,
                    next: 0,
                    standing,
                });
            }
        }
    }

    /// Whether so many players and so many more units can be as many as a group has, judged by the sizes of units.
    fn leads_to_a_size(&self, players: u32, more: usize) -> bool {
        let [least, most] = self.sizes.map(|size| players as usize + more * size as usize);
        let mut classes = self.model.classes.iter();
        classes.any(|class| class.least as usize <= most && least <= class.most as usize)
    }

    /// Twice the least that a unit adds, with so many to come.
    fn key(&self, &(unit, added): &(u16, i128), more: usize) -> i128 {
        2 * added + self.halves[usize::from(unit)][more - 1]
    }

    /// Those elsewhere, and those within `zone` that fit beside one elsewhere.
    fn leaving(
        &self,
        free: Vec<(u16, i128)>,
        more: usize,
        room: i128,
        inner: &[Option<u16>],
        zone: u16,
    ) -> Vec<(u16, i128)> {
        let is_elsewhere = |unit: u16| inner[usize::from(unit)] != Some(zone);
        let elsewhere = free.iter().filter(|candidate| is_elsewhere(candidate.0));
        let Some(least_elsewhere) = elsewhere.map(|candidate| self.key(candidate, more)).min() else {
            return Vec::new();
        };
        let mut keys: Vec<i128> = free.iter().map(|candidate| self.key(candidate, more)).collect();
        let others = more.saturating_sub(2).min(keys.len() - 1);
        keys.select_nth_unstable(others);
        let others: i128 = keys[..others].iter().sum();
        let fits = |candidate: &(u16, i128)| {
            let fits_beside = more > 1 && self.key(candidate, more) + least_elsewhere + others <= room;
            is_elsewhere(candidate.0) || fits_beside
        };
        free.into_iter().filter(fits).collect()
    }

    /// Those that fit beside the least of the others.
    fn promising(&self, free: Vec<(u16, i128)>, more: usize, room: i128) -> Vec<(u16, i128)> {
        let key = |candidate: &(u16, i128)| self.key(candidate, more);
        let mut keys: Vec<i128> = free.iter().map(key).collect();
        if keys.len() < more {
            return Vec::new();
        }
        keys.select_nth_unstable(more - 1);
        let least: i128 = keys[..more].iter().sum();
        let greatest_of_least = keys[more - 1];
        // Beside one that is not among the least stand all of these but the greatest.
        let fits = |candidate: &(u16, i128)| {
            let key = key(candidate);
            least - greatest_of_least + key.max(greatest_of_least) <= room
        };
        free.into_iter().filter(fits).collect()
    }

    fn report(&self, team: &[u16], players: u32, report: &mut dyn FnMut(&[u16], u16)) {
        self.classes_of(team, players).for_each(|class| report(team, class));
    }

    /// The classes whose groups a team of so many players fits.
    fn classes_of<'t>(&'t self, team: &'t [u16], players: u32) -> impl Iterator<Item = u16> + 't {
        let owners = || self.model.classes.iter().filter_map(|class| class.owner);
        let classes = (0_u16..).zip(&self.model.classes);
        let fitting = classes.filter(move |(_, class)| {
            let is_its = match class.owner {
                Some(owner) => team.contains(&owner),
                None => !owners().any(|owner| team.contains(&owner)),
            };
            is_its && (class.least..=class.most).contains(&players)
        });
        fitting.map(|(number, _)| number)
    }
}

/// Sums of the least costs of a unit with others, in steps of duals: of 0, 1, 2 and more others. Doubled and halved.
fn least_sums(model: &Model, unit: usize, most: usize) -> Vec<i128> {
    let mut costs: Vec<i64> = (0..model.len())
        .filter(|&other| model.is_allowed(unit, other))
        .map(|other| model.pair(unit, other))
        .collect();
    costs.sort_unstable();
    let mut sums = vec![0];
    let mut sum = 0;
    for at in 0..most {
        // Beyond the last other there is no team at all; any number will do that is not too large.
        sum += costs.get(at).map_or(0, |&cost| i128::from(cost) * i128::from(SCALE));
        sums.push(sum);
    }
    sums
}
