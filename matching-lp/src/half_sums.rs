//! Duals that are known at once: what each unit costs at least, whoever is with it.
//!
//! Of every pair in a group each of the two pays half. So a unit in a group pays the pairs within it and half of those
//! with as many others as the group has, never less than with the cheapest; and as no team costs less than its members
//! pay at least, that can be their duals. A party among the others is taken for players of an even share each, of whom
//! any number may come, which is never more. Who may wait pays no more than waiting costs, which may be nothing; but
//! only so many can, so that there is a price for a place on the bench, or for a player in a group.

use core::ops::RangeInclusive;

use crate::duals::Duals;
use crate::limits::Clock;
use crate::model::{Class, Kind, Model, SCALE};
use crate::terms::UNKNOWN;

/// By what each unit costs at least. `None` if it is late, or nothing is known of what groups cost as a whole.
pub(crate) fn half_sums(model: &Model<'_>, clock: &Clock<'_>) -> Option<Duals> {
    let mut duals = Duals {
        rows: vec![0; model.rows()],
        cuts: Vec::new(),
    };
    for class in 0..model.classes.len() as u16 {
        duals.rows[model.class_row(class)] = SCALE * whole(model, class)?;
    }
    let may_have = sizes(model);
    let mut least = Vec::with_capacity(model.len());
    for unit in 0..model.len() as u16 {
        if clock.is_late() {
            return None;
        }
        least.push(half_sum(model, unit, &may_have));
    }
    charge(model, &least, &mut duals);
    Some(duals)
}

/// What a group of a class costs at least as a whole; empty ones, where there may be any, cost nothing.
fn whole(model: &Model<'_>, class: u16) -> Option<i64> {
    if model.terms.is_none() {
        return Some(0);
    }
    let sizes = players_of(model, class);
    let least = sizes
        .filter_map(|players| model.whole_bound(&[], players as usize))
        .min();
    let least = least.unwrap_or(0);
    let most = if model.must_be_filled(class) { i64::MAX } else { 0 };
    (least > UNKNOWN).then_some(least.min(most))
}

/// Numbers of players in groups of a class that are not empty.
fn players_of(model: &Model<'_>, class: u16) -> RangeInclusive<u32> {
    let Class { least, most, .. } = model.classes[usize::from(class)];
    least.max(1)..=most.min(model.size.iter().sum())
}

/// By number of players, whether any group may have so many.
fn sizes(model: &Model<'_>) -> Vec<bool> {
    let mut may_have = vec![false; model.size.iter().sum::<u32>() as usize + 1];
    for class in 0..model.classes.len() as u16 {
        players_of(model, class).for_each(|players| may_have[players as usize] = true);
    }
    may_have
}

/// What a unit pays at least in a team, in steps of duals; `None` if no team can have it.
fn half_sum(model: &Model<'_>, unit: u16, may_have: &[bool]) -> Option<i64> {
    let at = usize::from(unit);
    let home = model.home[at].map(|class| players_of(model, class));
    let fits = |players: u32| {
        may_have.get(players as usize) == Some(&true) && home.as_ref().is_none_or(|home| home.contains(&players))
    };
    let most = (0..may_have.len() as u32).rfind(|&players| fits(players))?;
    let room = most.checked_sub(model.size[at]).filter(|_| model.may_play[at])? as usize;
    let row = model.row(unit).iter().zip(model.allowed_row(unit)).enumerate();
    let mut others: Vec<(i64, i64)> = row
        .filter(|&(other, (_, is_allowed))| *is_allowed && other != at && model.may_play[other])
        .map(|(other, (cost, _))| (*cost, model.size[other].into()))
        .collect();
    let by_share = |a: &(i64, i64), b: &(i64, i64)| (a.0 * b.1).cmp(&(b.0 * a.1));
    if (1..others.len()).contains(&room) {
        others.select_nth_unstable_by(room - 1, by_share);
        others.truncate(room);
    }
    others.sort_unstable_by(by_share);
    let mut players = model.size[at];
    let mut least = fits(players).then_some(0);
    let mut sum = 0;
    for (cost, size) in others {
        for part in 1..size {
            let with = sum + (cost * SCALE).div_euclid(size) * part;
            if fits(players + part as u32) {
                least = Some(least.map_or(with, |least: i64| least.min(with)));
            }
        }
        sum += cost * SCALE;
        players += size as u32;
        if fits(players) {
            least = Some(least.map_or(sum, |least| least.min(sum)));
        }
        if players >= most {
            break;
        }
    }
    least.map(|least| model.inside[at] * SCALE + least.div_euclid(2))
}

/// Who pays what, where some may wait: the price of a place is what the last one who can have it would save for each of
/// its players.
fn charge(model: &Model<'_>, least: &[Option<i64>], duals: &mut Duals) {
    let mut waits: Vec<Option<i64>> = vec![None; model.len()];
    for (kind, units) in model.other_columns() {
        if kind == Kind::Bench {
            waits[usize::from(units[0])] = Some(model.column_cost(kind, &units) * SCALE);
        }
    }
    let everybody: i64 = model.size.iter().map(|&size| i64::from(size)).sum();
    let all = |of: fn(&Class) -> u32| -> i64 {
        let players = |class: &Class| i64::from(of(class)) * i64::from(class.count);
        model.classes.iter().map(players).sum()
    };
    // Who cannot wait must play, and the other way round.
    let (fewest, most) = (
        everybody - all(|class| class.most),
        everybody - all(|class| class.least),
    );
    let is_short = most < i64::from(model.bench);
    let price = price(model, least, &waits, (fewest, most.min(model.bench.into())));
    // A place costs that much, or a player less in a group does, of which all pay and groups get as much back.
    let (of_all, of_class): (i64, fn(&Class) -> u32) = match price {
        0.. if is_short => (price, |class| class.least),
        0.. => (0, |_| 0),
        _ => (price, |class| class.most),
    };
    if of_all == 0 {
        duals.rows[model.bench_row()] = -price;
    }
    for (unit, (least, waits)) in least.iter().zip(&waits).enumerate() {
        let size = i64::from(model.size[unit]);
        let waits = waits.map(|waits| waits + price * size);
        let pays = least.iter().chain(&waits).min();
        duals.rows[unit] = pays.map_or(0, |pays| pays - of_all * size);
    }
    for class in 0..model.classes.len() as u16 {
        let players = of_class(&model.classes[usize::from(class)]);
        duals.rows[model.class_row(class)] += of_all * i64::from(players);
    }
}

/// What waiting saves for each player, at the last of those who save most and fill the places there are; below zero
/// where more must wait than save anything.
fn price(model: &Model<'_>, least: &[Option<i64>], waits: &[Option<i64>], (fewest, most): (i64, i64)) -> i64 {
    let saved = |unit: usize| {
        let (least, waits) = least[unit].zip(waits[unit])?;
        let size = i64::from(model.size[unit]);
        // Rounded up: whoever saves as much pays no more than in a team.
        Some((
            (least - waits).div_euclid(size) + i64::from((least - waits).rem_euclid(size) > 0),
            size,
        ))
    };
    let mut saved: Vec<(i64, i64)> = (0..model.len()).filter_map(saved).collect();
    saved.sort_unstable_by(|a, b| b.cmp(a));
    // Whom no team can have waits at any price.
    let mut waiting: i64 = (0..model.len())
        .filter(|&unit| least[unit].is_none() && waits[unit].is_some())
        .map(|unit| i64::from(model.size[unit]))
        .sum();
    for (each, size) in saved {
        if each <= 0 && waiting >= fewest {
            return 0;
        }
        waiting += size;
        if waiting >= if each > 0 { most } else { fewest } {
            return each;
        }
    }
    0
}
