//! `A_DW`: pairs that a better partner may still part.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::Policy;
use super::kind::{at_least_zero, pairs_on_a_line};
use super::line::{Line, Spot};
use crate::online::arrivals::Arrival;
use crate::online::error::Error;
use crate::online::games::Games;
use crate::online::setting::Setting;
use crate::online::waiting::Waiting;

/// The difference-wait algorithm `A_DW`, for games of two by one criterion.
///
/// Players are matched for a while; a couple of difference `q` becomes a game `f q` after its earlier player arrived,
/// at the latest after `τ_max`. Before that a newcomer may part it: he takes, of the free player and everybody whose
/// difference to him is less than the one to their partner, the one of the least difference (of equal ones whoever
/// arrived first). Whoever is left alone looks for a partner by the same rule. A player who is free after `τ_max` plays
/// with a bot. Of couples due at the same time, the one of the least difference comes first.
///
/// # Complexity
/// O(log n) time per look for a partner with n who wait, plus the neighbours looked at, nearest first: until the `m`-th is
/// farther away than the partner found, or than the `m`-th greatest difference of a couple. O(n) space.
#[derive(Clone, Debug)]
pub struct DifferenceWait {
    setting: Setting,
    /// `f_wait`, time per unit of difference.
    factor: f64,
    /// Each player's partner, if any.
    line: Line<Option<Spot>>,
    /// Where each player stands and when they arrived.
    waiting: Waiting<(Spot, f64)>,
    free: Option<Spot>,
    due: BinaryHeap<Reverse<Due>>,
    differences: Differences,
}

/// All couples by their differences.
#[derive(Clone, Debug, Default)]
struct Differences(BTreeMap<(u64, u32), [Spot; 2]>);

impl Differences {
    /// Bits of floats that are not negative are in the order of the floats; of two players one id is enough.
    fn key(one: Spot, other: Spot) -> (u64, u32) {
        (one.distance(other).to_bits(), one.id.min(other.id))
    }

    fn add(&mut self, one: Spot, other: Spot) {
        self.0.insert(Self::key(one, other), [one, other]);
    }

    fn remove(&mut self, one: Spot, other: Spot) {
        self.0.remove(&Self::key(one, other));
    }

    /// The couples, those farthest apart first.
    fn widest_first(&self) -> impl Iterator<Item = [Spot; 2]> + '_ {
        self.0.values().rev().copied()
    }
}

/// A couple and when it becomes a game.
#[derive(Clone, Copy, Debug)]
struct Due {
    time: f64,
    difference: f64,
    first: Spot,
    second: Spot,
}

impl Due {
    fn key(&self) -> (f64, f64, u32, u32) {
        (self.time, self.difference, self.first.id, self.second.id)
    }
}

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let (a, b) = (self.key(), other.key());
        a.0.total_cmp(&b.0)
            .then(a.1.total_cmp(&b.1))
            .then((a.2, a.3).cmp(&(b.2, b.3)))
    }
}

impl DifferenceWait {
    /// With `factor` units of time per unit of difference, `f_wait`.
    ///
    /// # Errors
    /// [`Error::Unsuited`] unless games have two players and one criterion, [`Error::BadParameter`] unless the factor
    /// is finite and 0 or more.
    pub fn new(setting: &Setting, factor: f64) -> Result<Self, Error> {
        pairs_on_a_line("difference-wait", setting)?;
        at_least_zero("difference-wait", factor)?;
        Ok(Self {
            setting: setting.clone(),
            factor,
            line: Line::new(),
            waiting: Waiting::new(),
            free: None,
            due: BinaryHeap::new(),
            differences: Differences::default(),
        })
    }

    /// The best partner for somebody who has none, by the rule of the algorithm.
    ///
    /// Neighbours are asked from the nearest on, and couples from the widest on, in turn. Whoever was not asked when a
    /// neighbour is as far away as a couple's two are from each other is at least as far away, and in no wider couple: nobody
    /// of them would come. Neighbours alone would all have to be asked by whoever finds no partner.
    fn partner_for(&self, single: Spot) -> Option<Spot> {
        let mut best = self.free.map(|free| (single.distance(free), free));
        let mut couples = self.differences.widest_first();
        for (other, partner) in self.line.around(single) {
            let distance = single.distance(other);
            let Some([one, its]) = couples.next() else { break };
            if distance >= one.distance(its) || best.is_some_and(|(least, _)| distance > least) {
                break;
            }
            let asked = [
                Some((one, its)),
                Some((its, one)),
                partner.map(|partner| (other, partner)),
            ];
            for (other, partner) in asked.into_iter().flatten() {
                let distance = single.distance(other);
                let is_better = best.is_none_or(|(least, found)| (distance, other.id) < (least, found.id));
                if distance < other.distance(partner) && is_better {
                    best = Some((distance, other));
                }
            }
        }
        best.map(|(_, other)| other)
    }

    /// Finds a partner for somebody who waits and has none, and for whoever is parted by that, and so on.
    ///
    /// Each round but the last replaces a couple by one with a smaller difference, so there is a last one.
    fn settle(&mut self, mut single: Spot) {
        while let Some(partner) = self.partner_for(single) {
            let left = self.line.get(partner).flatten();
            if let Some(left) = left {
                self.part(partner, left);
            }
            self.couple(single, partner);
            let Some(left) = left else {
                self.free = None;
                return;
            };
            single = left;
        }
        self.free = Some(single);
    }

    fn set_partner(&mut self, player: Spot, partner: Option<Spot>) {
        if let Some(note) = self.line.get_mut(player) {
            *note = partner;
        }
    }

    fn part(&mut self, a: Spot, b: Spot) {
        self.set_partner(a, None);
        self.set_partner(b, None);
        self.differences.remove(a, b);
    }

    fn couple(&mut self, a: Spot, b: Spot) {
        self.set_partner(a, Some(b));
        self.set_partner(b, Some(a));
        self.differences.add(a, b);
        let (first, second) = if a.id < b.id { (a, b) } else { (b, a) };
        let Some(&(_, arrival)) = self.waiting.get(first.id) else {
            return;
        };
        let difference = a.distance(b);
        let time = (arrival + (self.factor * difference).min(self.setting.tau_max())).min(f64::MAX);
        self.due.push(Reverse(Due {
            time,
            difference,
            first,
            second,
        }));
    }

    /// The next couple that is still one.
    fn next_couple(&mut self) -> Option<Due> {
        while let Some(Reverse(due)) = self.due.peek() {
            if self.line.get(due.first).flatten() == Some(due.second) {
                return Some(*due);
            }
            self.due.pop();
        }
        None
    }

    fn deadline_of_free(&self) -> Option<f64> {
        let (_, arrival) = self.waiting.get(self.free?.id)?;
        Some(arrival + self.setting.tau_max())
    }

    fn take_out(&mut self, spot: Spot) {
        self.line.remove(spot);
        self.waiting.remove(spot.id);
    }
}

impl Policy for DifferenceWait {
    fn on_arrival(&mut self, arrival: Arrival<'_>, _: &mut Games) {
        let spot = Spot::new(arrival.criteria[0], arrival.id);
        self.waiting.insert(arrival.id, (spot, arrival.time));
        self.line.insert(spot, None);
        self.settle(spot);
    }

    /// Whoever was to play with the one who leaves looks for somebody else.
    fn on_leave(&mut self, id: u32) -> bool {
        let Some(&(spot, _)) = self.waiting.get(id) else {
            return false;
        };
        let partner = self.line.get(spot).flatten();
        if let Some(partner) = partner {
            self.part(spot, partner);
        }
        self.take_out(spot);
        if let Some(partner) = partner {
            self.settle(partner);
        } else {
            self.free = None;
        }
        true
    }

    fn next_timer(&mut self) -> Option<f64> {
        let couple = self.next_couple().map(|due| due.time);
        let free = self.deadline_of_free();
        match (couple, free) {
            (Some(couple), Some(free)) => Some(couple.min(free)),
            (couple, free) => couple.or(free),
        }
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        let couple = self.next_couple().filter(|due| due.time <= now);
        if let Some(Due { first, second, .. }) = couple {
            self.part(first, second);
            self.take_out(first);
            self.take_out(second);
            games.push(now, [first.id, second.id]);
        } else if let Some(free) = self.free.take() {
            self.take_out(free);
            games.push(now, [free.id]);
        }
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
