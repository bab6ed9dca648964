//! Which unit sits in which group.

use std::sync::Arc;

use crate::layout::{Few, Layout};

/// Units of two groups that change places; either side may be empty.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Exchange {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Units that leave `a` for `b`.
    pub(crate) from_a: Few,
    /// Units that leave `b` for `a`.
    pub(crate) from_b: Few,
}

impl Exchange {
    /// Two units change places.
    pub(crate) fn swap(partition: &Partition, x: u32, y: u32) -> Self {
        Self {
            a: partition.group_of(x),
            b: partition.group_of(y),
            from_a: Few::from_slice(&[x]),
            from_b: Few::from_slice(&[y]),
        }
    }

    /// One unit moves.
    pub(crate) fn insert(partition: &Partition, x: u32, b: u32) -> Self {
        Self {
            a: partition.group_of(x),
            b,
            from_a: Few::from_slice(&[x]),
            from_b: Few::new(),
        }
    }

    /// Becomes the other one: as assignment of a clone, without going through its units one by one.
    #[inline]
    pub(crate) fn copy_from(&mut self, other: &Self) {
        (self.a, self.b) = (other.a, other.b);
        self.from_a = Few::from_slice(&other.from_a);
        self.from_b = Few::from_slice(&other.from_b);
    }
}

/// A grouping of units, as lists and by unit.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    layout: Arc<Layout>,
    group_of: Vec<u32>,
    members: Vec<Vec<u32>>,
    /// Where a unit stands in the list of its group.
    place: Vec<u32>,
    /// Players in each group.
    filled: Vec<u32>,
}

impl Partition {
    /// From the group of every unit.
    pub(crate) fn new(layout: Arc<Layout>, group_of: &[u32]) -> Self {
        let groups = layout.groups();
        let mut partition = Self {
            group_of: vec![0; layout.units()],
            members: vec![Vec::new(); groups],
            place: vec![0; layout.units()],
            filled: vec![0; groups],
            layout,
        };
        partition.reset(group_of);
        partition
    }

    /// Puts every unit into its group.
    pub(crate) fn reset(&mut self, group_of: &[u32]) {
        self.members.iter_mut().for_each(Vec::clear);
        self.filled.fill(0);
        self.group_of.copy_from_slice(group_of);
        for (unit, &group) in group_of.iter().enumerate() {
            self.place[unit] = self.members[group as usize].len() as u32;
            self.members[group as usize].push(unit as u32);
            self.filled[group as usize] += self.layout.size[unit];
        }
        debug_assert!((0..self.layout.groups() as u32).all(|group| self.may_hold(group, self.filled(group))));
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn shared_layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    #[inline]
    pub(crate) fn group_of(&self, unit: u32) -> u32 {
        self.group_of[unit as usize]
    }

    pub(crate) fn groups_of(&self) -> &[u32] {
        &self.group_of
    }

    #[inline]
    pub(crate) fn members(&self, group: u32) -> &[u32] {
        &self.members[group as usize]
    }

    /// Players in a group.
    pub(crate) fn filled(&self, group: u32) -> u32 {
        self.filled[group as usize]
    }

    pub(crate) fn size(&self, unit: u32) -> u32 {
        self.layout.size[unit as usize]
    }

    /// Pairs of units in one group, in both directions.
    pub(crate) fn pairs(&self) -> u64 {
        self.members.iter().map(|members| (members.len() as u64).pow(2)).sum()
    }

    /// Whether a group may have that many players.
    pub(crate) fn may_hold(&self, group: u32, players: u32) -> bool {
        let (least, most) = self.layout.bounds[group as usize];
        (least..=most).contains(&players)
    }

    /// Whether sizes and pins allow it.
    pub(crate) fn allows(&self, exchange: &Exchange) -> bool {
        let total = |units: &[u32]| units.iter().map(|&unit| self.size(unit)).sum::<u32>();
        let (out, back) = (total(&exchange.from_a), total(&exchange.from_b));
        let stays = |unit: &u32| self.layout.pin[*unit as usize].is_some();
        self.may_hold(exchange.a, self.filled(exchange.a) + back - out)
            && self.may_hold(exchange.b, self.filled(exchange.b) + out - back)
            && !exchange.from_a.iter().chain(&exchange.from_b).any(stays)
    }

    /// Carries it out.
    pub(crate) fn apply(&mut self, exchange: &Exchange) {
        debug_assert!(self.allows(exchange), "sizes and pins forbid {exchange:?}");
        exchange.from_a.iter().for_each(|&unit| self.relocate(unit, exchange.b));
        exchange.from_b.iter().for_each(|&unit| self.relocate(unit, exchange.a));
    }

    /// Two units change places.
    #[inline]
    pub(crate) fn swap(&mut self, x: u32, y: u32) {
        debug_assert!(
            self.allows(&Exchange::swap(self, x, y)),
            "sizes and pins forbid {x} for {y}"
        );
        let (a, b) = (self.group_of(x), self.group_of(y));
        let (at, to) = (self.place[x as usize], self.place[y as usize]);
        self.members[a as usize][at as usize] = y;
        self.members[b as usize][to as usize] = x;
        self.place.swap(x as usize, y as usize);
        self.group_of.swap(x as usize, y as usize);
        let (out, back) = (self.size(x), self.size(y));
        self.filled[a as usize] = self.filled[a as usize] + back - out;
        self.filled[b as usize] = self.filled[b as usize] + out - back;
    }

    /// Moves one unit to another group.
    pub(crate) fn relocate(&mut self, unit: u32, group: u32) {
        let from = self.group_of(unit) as usize;
        let at = self.place[unit as usize] as usize;
        self.members[from].swap_remove(at);
        if let Some(&moved) = self.members[from].get(at) {
            self.place[moved as usize] = at as u32;
        }
        self.filled[from] -= self.size(unit);
        self.place[unit as usize] = self.members[group as usize].len() as u32;
        self.members[group as usize].push(unit);
        self.filled[group as usize] += self.size(unit);
        self.group_of[unit as usize] = group;
    }

    /// The players of every group, ascending; the bench last if there is one.
    pub(crate) fn players(&self) -> Vec<Vec<usize>> {
        let list = |units: &Vec<u32>| {
            let mut players: Vec<usize> = units
                .iter()
                .flat_map(|&unit| self.layout.players[unit as usize].iter().copied())
                .collect();
            players.sort_unstable();
            players
        };
        self.members.iter().map(list).collect()
    }
}
