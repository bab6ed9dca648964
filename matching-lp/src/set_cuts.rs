//! Cuts of whole sets that a solution violates: no more teams within a set of players than it has players for.
//!
//! What makes a set violate its cut is that few columns cross its border and that its players do not fill teams, which
//! is how odd sets violate the inequalities of matchings. So sets are grown from every unit, each time by the unit that
//! is together with those in it most (as H. Nagamochi, T. Ibaraki, "Computing edge-connectivity in multigraphs and
//! capacitated graphs", SIAM Journal on Discrete Mathematics 5 (1992), 54-66, doi:10.1137/0405004, find least cuts of
//! graphs), and judged at every size, for every divisor.

use crate::cut::Cut;
use crate::model::{Kind, Model};
use crate::pool::Pool;

/// Least violation that counts.
const LEAST: f64 = 0.05;
/// Divisors at most: teams of more players have cuts for their own sizes alone.
const MOST_DIVISORS: u32 = 8;
/// Units of a set at most.
const MOST_UNITS: usize = 400;
/// Cuts of one round that a unit is in.
const PER_UNIT: u32 = 4;

/// A team in the solution.
struct Team {
    units: Vec<u16>,
    share: f64,
}

/// A solution, and the divisors that sets are judged by.
pub(crate) struct SetCuts<'s> {
    model: &'s Model<'s>,
    teams: Vec<Team>,
    /// Teams of each unit.
    of_unit: Vec<Vec<u32>>,
    divisors: Vec<u32>,
}

/// A set that is grown.
struct Growth {
    units: Vec<u16>,
    players: u32,
    /// Units outside that are together with some inside.
    near: Vec<u16>,
    /// How much the units outside are together with those inside; nothing for those inside.
    together: Vec<f64>,
    is_inside: Vec<bool>,
    /// Players of each team that are inside.
    inside: Vec<u32>,
    /// For each divisor, how often teams count.
    counted: Vec<f64>,
    /// For each divisor, the greatest violation, and of how many units.
    best: Vec<(f64, usize)>,
}

impl<'s> SetCuts<'s> {
    pub(crate) fn new(model: &'s Model<'s>, pool: &Pool, solution: &[(u32, f64)]) -> Self {
        let mut teams = Vec::new();
        let mut of_unit = vec![Vec::new(); model.len()];
        for &(column, share) in solution {
            if !matches!(pool.kind(column), Kind::Team(_)) {
                continue;
            }
            let units = pool.units(column).to_vec();
            units
                .iter()
                .for_each(|&unit| of_unit[usize::from(unit)].push(teams.len() as u32));
            teams.push(Team { units, share });
        }
        let sizes = || model.classes.iter().flat_map(|class| [class.least, class.most]);
        let greatest = sizes().max().unwrap_or(0);
        let mut divisors: Vec<u32> = (2..=greatest.min(MOST_DIVISORS)).chain(sizes()).collect();
        divisors.sort_unstable();
        divisors.dedup();
        divisors.retain(|&divisor| divisor >= 2);
        Self {
            model,
            teams,
            of_unit,
            divisors,
        }
    }

    /// Most violated first, at most `most` of them and not too many of one unit.
    pub(crate) fn violated(&self, most: usize) -> Vec<Cut> {
        let mut found: Vec<(f64, Cut)> = Vec::new();
        for unit in 0..self.model.len() as u16 {
            let growth = self.grow(unit);
            for (&divisor, &(violation, units)) in self.divisors.iter().zip(&growth.best) {
                if violation > LEAST {
                    let cut = Cut::of_players(self.model, &growth.units[..units], divisor);
                    found.push((violation, cut));
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        found.dedup_by(|a, b| a.1 == b.1);
        let mut used = vec![0; self.model.len()];
        let mut chosen: Vec<Cut> = Vec::new();
        for (_, cut) in found {
            let has_room = |&(unit, _): &(u16, u32)| used[usize::from(unit)] < PER_UNIT;
            if chosen.len() < most && cut.units.iter().all(has_room) {
                cut.units.iter().for_each(|&(unit, _)| used[usize::from(unit)] += 1);
                chosen.push(cut);
            }
        }
        chosen
    }

    /// The sets around a unit, nearest first.
    fn grow(&self, start: u16) -> Growth {
        let units = self.model.len();
        let mut growth = Growth {
            units: Vec::new(),
            players: 0,
            near: Vec::new(),
            together: vec![0.0; units],
            is_inside: vec![false; units],
            inside: vec![0; self.teams.len()],
            counted: vec![0.0; self.divisors.len()],
            best: vec![(0.0, 0); self.divisors.len()],
        };
        let mut next = Some(start);
        while let Some(unit) = next {
            self.take_in(&mut growth, unit);
            if growth.units.len() >= MOST_UNITS.min(units / 2 + 1) {
                break;
            }
            growth.near.retain(|&unit| !growth.is_inside[usize::from(unit)]);
            let nearest = growth.near.iter().copied().max_by(|&a, &b| {
                let together = |unit: u16| growth.together[usize::from(unit)];
                together(a).total_cmp(&together(b)).then(b.cmp(&a))
            });
            next = nearest;
        }
        growth
    }

    fn take_in(&self, growth: &mut Growth, unit: u16) {
        let size = self.model.size[usize::from(unit)];
        growth.units.push(unit);
        growth.players += size;
        growth.is_inside[usize::from(unit)] = true;
        for &number in &self.of_unit[usize::from(unit)] {
            let team = &self.teams[number as usize];
            let before = growth.inside[number as usize];
            growth.inside[number as usize] += size;
            for (counted, divisor) in growth.counted.iter_mut().zip(&self.divisors) {
                *counted += team.share * f64::from((before + size) / divisor - before / divisor);
            }
            for &other in &team.units {
                if growth.together[usize::from(other)] == 0.0 {
                    growth.near.push(other);
                }
                growth.together[usize::from(other)] += team.share;
            }
        }
        for ((best, counted), divisor) in growth.best.iter_mut().zip(&growth.counted).zip(&self.divisors) {
            let violation = counted - f64::from(growth.players / divisor);
            // Three units by two are found elsewhere, all of them.
            if violation > best.0 + 1e-9 && growth.units.len() > 3 {
                *best = (violation, growth.units.len());
            }
        }
    }
}
