//! How climbs look at moves: by costs that are kept, many of which are asked for at once, and not further than they
//! must.

use std::time::{Duration, Instant};

use super::Whole;
use super::kept::Kept;
use crate::change::Change;
use crate::layout::Few;
use crate::neighbourhood::Step;
use crate::score::Score;
use crate::state::State;

/// Exchanges that a cost is asked about at once, at most: between two looks at whether it is cancelled.
const AT_ONCE: usize = 64;
/// It is asked about fewer as long as what it is asked takes longer than this: then the clock is looked at as well.
const QUICK: Duration = Duration::from_micros(50);

impl<S: Score> Whole<'_, S> {
    /// What a step changes, if that is less than `most`.
    #[inline]
    pub(super) fn look_at(&mut self, step: &Step<'_>, most: Option<&Change<S>>) -> Option<Change<S>> {
        let change = match *step {
            Step::Swap { x, y } => self.swapped(x, y),
            Step::Against { x, to, sets, at } => self.exchanged((x, to), (sets, at), most)?,
            Step::Insert { .. } => None,
        };
        let change = match change {
            Some(change) => change,
            // Nothing is known that would make it cheaper.
            None => self.change(&step.exchange(&self.partition))?,
        };
        most.is_none_or(|most| change < *most).then_some(change)
    }

    /// What a swap changes; `None` if nothing is kept about it.
    #[inline]
    fn swapped(&mut self, x: u32, y: u32) -> Option<Change<S>> {
        let after = [self.cost_with(x, y)?, self.cost_with(y, x)?];
        let groups = (self.partition.group_of(x), self.partition.group_of(y));
        Some(self.changed(groups, &after))
    }

    /// What the group of `x` costs with `y` in its place; `None` if it has no notes.
    #[inline]
    fn cost_with(&mut self, x: u32, y: u32) -> Option<Option<S>> {
        match self.kept.as_ref().and_then(|kept| kept.swap(x, y)) {
            Some(cost) => Some(allowed(cost)),
            None => self.cost_asked(x, y),
        }
    }

    /// The same, where it is not kept yet.
    #[inline(never)]
    fn cost_asked(&mut self, x: u32, y: u32) -> Option<Option<S>> {
        let group = self.partition.group_of(x);
        if !self.has_notes(group) {
            return None;
        }
        let mut kept = self.take_kept();
        let units = self.partition.layout().class_of(x).len();
        if let Some(row) = kept.wanted_swaps(x, units) {
            self.costs_with_class(group, &[x], x, row);
        }
        let cost = kept.swap(x, y);
        self.kept = Some(kept);
        Some(cost.map_or_else(|| self.cost_of_units(group, &[x], &[y]), allowed))
    }

    /// What an exchange of `x` for one of the sets of a group changes. `None` if that cannot be less than `most`; in
    /// it, `None` if nothing is known that would make it cheaper.
    fn exchanged(
        &mut self,
        (x, to): (u32, u32),
        (sets, at): (&[Few], usize),
        most: Option<&Change<S>>,
    ) -> Option<Option<Change<S>>> {
        let from = self.partition.group_of(x);
        let joined = match self.kept.as_ref().and_then(|kept| kept.set(to, x, (at, sets.len()))) {
            Some(cost) => allowed(cost),
            None if self.has_notes(to) => self.joined_asked((x, to), (sets, at)),
            None => return Some(None),
        };
        if !self.has_notes(from) {
            return Some(None);
        }
        // What the group of `x` costs at least may say enough.
        if let (Some(most), Some(least)) = (most, self.noted[from as usize].least)
            && self.changed((from, to), &[Some(least), joined]) >= *most
        {
            return None;
        }
        let left = self.left((from, x, to), (sets, at));
        Some(Some(self.changed((from, to), &[left, joined])))
    }

    /// What a group with notes costs with `x` in place of one of its sets, where it is not kept yet.
    #[inline(never)]
    fn joined_asked(&mut self, (x, to): (u32, u32), (sets, at): (&[Few], usize)) -> Option<S> {
        let mut kept = self.take_kept();
        if let Some(costs) = kept.wanted_sets(to, x, sets.len()) {
            self.costs_with_sets((x, to), sets, costs);
        }
        let cost = kept.set(to, x, (at, sets.len()));
        self.kept = Some(kept);
        cost.map_or_else(|| self.cost_of_units(to, &sets[at], &[x]), allowed)
    }

    /// What a group with notes costs with one of the sets of another group in place of `x`. A climb asks about them one
    /// after another.
    #[inline]
    fn left(&mut self, (from, x, to): (u32, u32, u32), (sets, at): (&[Few], usize)) -> Option<S> {
        match self.kept.as_ref().and_then(|kept| kept.left(x, to, (at, sets.len()))) {
            Some(cost) => allowed(cost),
            None => self.left_asked((from, x, to), (sets, at)),
        }
    }

    /// The same, where it was not asked last.
    #[inline(never)]
    fn left_asked(&mut self, (from, x, to): (u32, u32, u32), (sets, at): (&[Few], usize)) -> Option<S> {
        let mut kept = self.take_kept();
        let joins = sets.iter().map(|set| &set[..]);
        self.costs_in_turn(from, &[x], joins, kept.next_left(x, to));
        let cost = kept.left(x, to, (at, sets.len()));
        self.kept = Some(kept);
        cost.map_or_else(|| self.cost_of_units(from, &[x], &sets[at]), allowed)
    }

    fn take_kept(&mut self) -> Kept<S> {
        let kept = self.kept.take();
        kept.unwrap_or_else(|| Kept::new(self.partition.layout()))
    }

    /// Fills in what a group costs with each unit of the size of `x` in place of each of its sets, unit by unit;
    /// nothing if it is cancelled on the way, or out of time.
    fn costs_with_sets(&mut self, (x, group): (u32, u32), sets: &[Few], costs: &mut Vec<S>) {
        let units = self.partition.layout().class_of(x).len();
        costs.resize(units * sets.len(), S::FORBIDDEN);
        let mut of_set = Vec::with_capacity(units);
        for (at, set) in sets.iter().enumerate() {
            of_set.clear();
            self.costs_with_class(group, set, x, &mut of_set);
            if of_set.is_empty() {
                costs.clear();
                return;
            }
            for (unit, &cost) in of_set.iter().enumerate() {
                costs[unit * sets.len() + at] = cost;
            }
        }
    }

    /// Fills in what a group costs with each unit of the size of `x` in place of some of its units, nothing if it is
    /// cancelled on the way, or out of time; nobody asks about those that are in it already.
    fn costs_with_class(&mut self, group: u32, leave: &[u32], x: u32, costs: &mut Vec<S>) {
        let layout = self.partition.shared_layout();
        let class = layout.class_of(x);
        let mut others = Vec::with_capacity(class.len());
        others.extend(class.clone().filter(|&y| self.partition.group_of(y) != group));
        self.costs_in_turn(group, leave, others.iter().map(core::slice::from_ref), costs);
        if costs.len() < others.len() {
            costs.clear();
            return;
        }
        // From the back, each goes where it belongs.
        costs.resize(class.len(), S::FORBIDDEN);
        for (from, &y) in others.iter().enumerate().rev() {
            costs.swap(from, (y - class.start) as usize);
        }
    }

    /// Fills in what a group with notes costs once some units have left it and, in turn, others have come, as many
    /// players; not all of it if it is cancelled on the way, or out of time.
    fn costs_in_turn<'u>(
        &mut self,
        group: u32,
        leave: &[u32],
        joins: impl Iterator<Item = &'u [u32]>,
        costs: &mut Vec<S>,
    ) {
        let layout = self.partition.layout();
        let players_of = |units: &'u [u32]| units.iter().flat_map(|&unit| &layout.players[unit as usize]);
        let mut places = core::mem::take(&mut self.places);
        let mut players = core::mem::take(&mut self.players);
        places.clear();
        places.extend(
            (leave.iter().flat_map(|&unit| &layout.players[unit as usize]))
                .filter_map(|&player| self.place(group, player)),
        );
        players.clear();
        players.extend(joins.flat_map(players_of));
        let (each, mut rest) = (places.len().max(1), &players[..]);
        while !rest.is_empty() && !self.failure.is_cancelled() {
            let (part, others) = rest.split_at(rest.len().min(self.at_once * each));
            // Reading the clock would take a good part of the time of a quick cost.
            let asked = (self.at_once < AT_ONCE).then(Instant::now);
            let noted = &self.noted[group as usize];
            self.cost
                .groups_if_exchanged(&noted.players, &noted.notes, &places, part, &mut self.row);
            for (answer, join) in self.row.iter().zip(part.chunks(each)) {
                let cost = answer.or_note(|| self.note_exchanged(group, &places, join));
                costs.push(cost.unwrap_or(S::FORBIDDEN));
            }
            if asked.is_some_and(|asked| self.is_late(asked)) {
                break;
            }
            rest = others;
        }
        (self.places, self.players) = (places, players);
    }

    /// Whether the time is over, once a cost has answered what it was asked then; sees how long it took.
    fn is_late(&mut self, asked: Instant) -> bool {
        let now = Instant::now();
        if now.saturating_duration_since(asked) < QUICK {
            self.at_once *= 2;
        }
        self.failure.is_late(now)
    }
}

/// A kept cost; `None` if the group is forbidden.
#[inline]
fn allowed<S: Score>(cost: S) -> Option<S> {
    (cost < S::FORBIDDEN).then_some(cost)
}
