//! Groups of any cost: the cost of every group is kept, and a move asks for those of two groups.
//!
//! Costs are asked for again and never added up from changes, so that what is kept is what a recount gives, bit for
//! bit.

mod asked;
mod failure;
mod kept;
mod looks;

use rand_chacha::ChaCha8Rng;

pub(crate) use asked::InScores;
use asked::{Answer, Asked};
pub(crate) use failure::Failure;

use crate::change::Change;
use crate::control::Control;
use crate::engines;
use crate::neighbourhood::Step;
use crate::partition::{Exchange, Partition};
use crate::replica::Plain;
use crate::score::Score;
use crate::state::{Schedule, State};
use kept::Kept;

/// A grouping with the cost of each group.
pub(crate) struct Whole<'a, S> {
    cost: &'a dyn Asked<S>,
    partition: Partition,
    /// The cost of each group; `None` if it is forbidden.
    costs: Vec<Option<S>>,
    /// The exchange that was last looked at, and what its two groups would cost.
    last: Exchange,
    last_costs: [Option<S>; 2],
    noted: Vec<Noted<S>>,
    /// What climbs have asked; nothing in a copy until it climbs.
    kept: Option<Kept<S>>,
    /// What it costs with others in turn in the place of some, and about how many of those it is asked at once.
    row: Vec<Answer<S>>,
    at_once: usize,
    /// Players, and places in a group, of the exchange at hand.
    players: Vec<usize>,
    places: Vec<usize>,
    failure: Failure,
}

/// A group as its cost wants to be asked about it, and what the cost has noted of it.
#[derive(Clone, Debug)]
struct Noted<S> {
    /// Ascending.
    players: Vec<usize>,
    notes: Vec<i32>,
    /// What no group of so many players costs less than, as far as the cost knows.
    least: Option<S>,
    /// Whether the players are those of the group as it is now, and whether the notes are about them.
    is_current: bool,
    has_been_asked: bool,
}

impl<S> Noted<S> {
    /// Nothing is known of the group.
    const NONE: Self = Self {
        players: Vec::new(),
        notes: Vec::new(),
        least: None,
        is_current: false,
        has_been_asked: false,
    };
}

impl<S: Score> Clone for Whole<'_, S> {
    fn clone(&self) -> Self {
        Self {
            cost: self.cost,
            partition: self.partition.clone(),
            costs: self.costs.clone(),
            last: self.last.clone(),
            last_costs: self.last_costs,
            noted: self.noted.clone(),
            kept: None,
            row: Vec::new(),
            at_once: self.at_once,
            players: Vec::new(),
            places: Vec::new(),
            failure: self.failure.clone(),
        }
    }
}

impl<'a, S: Score> Whole<'a, S> {
    pub(crate) fn new(cost: &'a dyn Asked<S>, partition: Partition, failure: Failure) -> Self {
        let mut state = Self {
            cost,
            costs: vec![None; partition.layout().groups()],
            noted: vec![Noted::NONE; partition.layout().groups()],
            kept: None,
            row: Vec::new(),
            at_once: 1,
            partition,
            last: Exchange::default(),
            last_costs: [None; 2],
            players: Vec::new(),
            places: Vec::new(),
            failure,
        };
        state.recount();
        state
    }

    /// Asks for the costs of all groups. Once cancelled, the others count as forbidden: then the grouping seems no
    /// better than it is, and nobody goes on from it.
    fn recount(&mut self) {
        for group in 0..self.costs.len() as u32 {
            self.noted[group as usize].is_current = false;
            self.costs[group as usize] = if self.failure.is_cancelled() {
                None
            } else {
                self.cost_after(group, &[], &[])
            };
        }
        self.last = Exchange::default();
        self.kept = None;
    }

    /// What a group costs once some units have left it and others have come.
    fn cost_after(&mut self, group: u32, leave: &[u32], join: &[u32]) -> Option<S> {
        let layout = self.partition.layout();
        if layout.bench == Some(group) {
            return Some(S::ZERO);
        }
        self.refresh(group);
        let layout = self.partition.layout();
        let leaves = |player: &usize| leave.iter().any(|&unit| layout.players[unit as usize].contains(player));
        self.players.clear();
        let stay = self.noted[group as usize]
            .players
            .iter()
            .filter(|player| !leaves(player));
        self.players.extend(stay);
        // Sums of floats depend on the order of their parts, and a climb could go round for ever.
        for &player in join.iter().flat_map(|&unit| &layout.players[unit as usize]) {
            self.players.push(player);
            let mut at = self.players.len() - 1;
            while at > 0 && self.players[at - 1] > player {
                self.players.swap(at - 1, at);
                at -= 1;
            }
        }
        let answer = self.cost.group_if_allowed(&self.players);
        answer.or_note(|| self.failure.note(&self.players))
    }

    /// What the two groups of an exchange cost once it is made.
    fn costs_after(&mut self, exchange: &Exchange) -> [Option<S>; 2] {
        let (a, b) = (exchange.a, exchange.b);
        let (from_a, from_b) = (&exchange.from_a[..], &exchange.from_b[..]);
        let layout = self.partition.layout();
        // By far the most frequent exchange, and the cheapest.
        if let (&[x], &[y]) = (from_a, from_b)
            && let (&[x], &[y]) = (&layout.players[x as usize][..], &layout.players[y as usize][..])
            && self.has_notes(a)
            && self.has_notes(b)
        {
            let places = [self.place(a, x), self.place(b, y)];
            return [
                places[0].and_then(|at| self.cost_exchanged(a, &[at], &[y])),
                places[1].and_then(|at| self.cost_exchanged(b, &[at], &[x])),
            ];
        }
        let players = |units: &[u32]| units.iter().map(|&unit| self.partition.size(unit)).sum::<u32>();
        let is_even = players(from_a) == players(from_b);
        [(a, from_a, from_b), (b, from_b, from_a)].map(|(group, leave, join)| {
            // As in a recount: the cost of a large group may take as long as anybody who cancels should wait.
            if self.failure.is_cancelled() {
                None
            } else if is_even && self.has_notes(group) {
                self.cost_of_units(group, leave, join)
            } else {
                self.cost_after(group, leave, join)
            }
        })
    }

    /// What changes if two groups come to cost this.
    #[inline]
    fn changed(&self, (a, b): (u32, u32), after: &[Option<S>; 2]) -> Change<S> {
        let before = [self.costs[a as usize], self.costs[b as usize]];
        let forbidden = |costs: &[Option<S>; 2]| costs.iter().filter(|cost| cost.is_none()).count() as i32;
        let sum = |costs: &[Option<S>; 2]| costs.iter().flatten().fold(S::ZERO, |sum, &cost| sum + cost);
        Change {
            forbidden: forbidden(after) - forbidden(&before),
            cost: sum(after) - sum(&before),
        }
    }

    /// Whether the cost has noted something about a group that makes exchanges cheap.
    fn has_notes(&mut self, group: u32) -> bool {
        if self.partition.layout().bench == Some(group) {
            return false;
        }
        self.refresh(group);
        let noted = &mut self.noted[group as usize];
        if !noted.has_been_asked {
            noted.has_been_asked = true;
            self.cost.take_notes(&noted.players, &mut noted.notes);
            noted.least = self.cost.at_least(noted.players.len());
        }
        !noted.notes.is_empty()
    }

    /// Lists the players of a group anew if they have changed.
    #[inline]
    fn refresh(&mut self, group: u32) {
        let noted = &mut self.noted[group as usize];
        if !noted.is_current {
            let layout = self.partition.layout();
            let units = self.partition.members(group).iter();
            (noted.is_current, noted.has_been_asked) = (true, false);
            noted.players.clear();
            noted.notes.clear();
            let players = units.flat_map(|&unit| &layout.players[unit as usize]);
            noted.players.extend(players);
            noted.players.sort_unstable();
        }
    }

    /// Where a player stands among those of a group.
    #[inline]
    fn place(&self, group: u32, player: usize) -> Option<usize> {
        let players = &self.noted[group as usize].players;
        players.iter().position(|&other| other == player)
    }

    /// What a group with notes costs once some units have left it and others, as many players, have come.
    fn cost_of_units(&mut self, group: u32, leave: &[u32], join: &[u32]) -> Option<S> {
        let mut places = core::mem::take(&mut self.places);
        places.clear();
        self.players.clear();
        let players_of = &self.partition.layout().players;
        for &unit in leave {
            for &player in &players_of[unit as usize] {
                places.extend(self.place(group, player));
            }
        }
        for &unit in join {
            self.players.extend_from_slice(&players_of[unit as usize]);
        }
        let cost = self.cost_exchanged(group, &places, &self.players);
        self.places = places;
        cost
    }

    /// What a group with notes costs once the players at some places have left it and others have come.
    fn cost_exchanged(&self, group: u32, leave: &[usize], join: &[usize]) -> Option<S> {
        let Noted { players, notes, .. } = &self.noted[group as usize];
        let answer = self.cost.group_if_exchanged(players, notes, leave, join);
        answer.or_note(|| self.note_exchanged(group, leave, join))
    }

    /// Notes that a group costs no number once the players at some places have left it and others have come.
    fn note_exchanged(&self, group: u32, leave: &[usize], join: &[usize]) {
        let mut members = self.noted[group as usize].players.clone();
        leave.iter().zip(join).for_each(|(&at, &player)| members[at] = player);
        members.sort_unstable();
        self.failure.note(&members);
    }
}

impl<S: Score> State for Whole<'_, S> {
    type Score = S;
    type Replica = Plain<Self>;

    fn partition(&self) -> &Partition {
        &self.partition
    }

    fn total(&self) -> S {
        self.costs.iter().flatten().fold(S::ZERO, |sum, &cost| sum + cost)
    }

    fn forbidden(&self) -> u64 {
        self.costs.iter().filter(|cost| cost.is_none()).count() as u64
    }

    fn change(&mut self, exchange: &Exchange) -> Option<Change<S>> {
        if !self.partition.allows(exchange) {
            return None;
        }
        let after = self.costs_after(exchange);
        self.last.copy_from(exchange);
        self.last_costs = after;
        Some(self.changed((exchange.a, exchange.b), &after))
    }

    fn look(&mut self, step: &Step<'_>, most: Option<&Change<S>>) -> Option<Change<S>> {
        self.look_at(step, most)
    }

    fn apply(&mut self, exchange: &Exchange) {
        if self.last != *exchange {
            self.last_costs = self.costs_after(exchange);
        }
        self.partition.apply(exchange);
        [self.costs[exchange.a as usize], self.costs[exchange.b as usize]] = self.last_costs;
        for group in [exchange.a, exchange.b] {
            self.noted[group as usize].is_current = false;
            if let Some(kept) = &mut self.kept {
                kept.forget(group, self.partition.members(group));
            }
        }
        self.last = Exchange::default();
    }

    fn reset(&mut self, group_of: &[u32]) {
        self.partition.reset(group_of);
        self.recount();
    }

    fn replica(self, _: &mut ChaCha8Rng) -> Plain<Self> {
        Plain(self)
    }

    fn in_costs(&self, total: S) -> f64 {
        total.to_f64()
    }

    fn cooling(&self) -> f64 {
        200.0
    }

    fn schedule(&mut self, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Schedule {
        let unit = engines::unit(self, control, rng);
        Schedule {
            reach: 0.3 * unit,
            hot: 0.3 * unit,
            warm: 0.05 * unit,
            cold: 0.005 * unit,
            reheat: None,
            is_wide: false,
        }
    }

    fn group_cost(&self, group: u32) -> Option<S> {
        self.costs[group as usize]
    }
}

#[cfg(test)]
mod tests;
