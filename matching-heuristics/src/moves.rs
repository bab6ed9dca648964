//! Random moves.

use rand::Rng;

use crate::layout::Few;
use crate::partition::{Exchange, Partition};

/// Attempts to balance a chunk before it is given up.
const ATTEMPTS: u32 = 8;

/// Draws moves that keep all sizes within bounds: swaps of units of one size, moves of one unit, chunks.
#[derive(Clone, Debug)]
pub(crate) struct Proposer {
    /// Units that may move: they come first.
    movable: u32,
    /// Whether units have different sizes, so that several small ones may change places with a large one.
    has_chunks: bool,
    /// Whether some group may grow or shrink.
    is_flexible: bool,
}

impl Proposer {
    pub(crate) fn new(partition: &Partition) -> Self {
        let layout = partition.layout();
        Self {
            movable: layout.movable() as u32,
            has_chunks: layout.classes.len() > 1,
            is_flexible: layout.bounds.iter().any(|(least, most)| least < most),
        }
    }

    /// Whether nothing can move, ever.
    pub(crate) fn is_stuck(&self, partition: &Partition) -> bool {
        self.movable == 0 || partition.layout().groups() < 2
    }

    /// Whether there is more than swaps within a class.
    pub(crate) fn has_others(&self) -> bool {
        self.has_chunks || self.is_flexible
    }

    /// Any move; `None` if the draw led nowhere.
    pub(crate) fn any(&self, partition: &Partition, rng: &mut impl Rng) -> Option<Exchange> {
        if self.movable == 0 {
            return None;
        }
        let x = rng.random_range(0..self.movable);
        match (self.has_chunks, self.is_flexible) {
            (false, false) => self.swap(partition, x, rng),
            _ if rng.random_range(0..4) > 0 => self.swap(partition, x, rng),
            _ => self.other(partition, x, rng),
        }
    }

    /// A swap of a unit with another of its size.
    pub(crate) fn swap(&self, partition: &Partition, x: u32, rng: &mut impl Rng) -> Option<Exchange> {
        let y = rng.random_range(partition.layout().class_of(x));
        (partition.group_of(x) != partition.group_of(y)).then(|| Exchange::swap(partition, x, y))
    }

    /// A move of one unit, or a chunk against a chunk.
    pub(crate) fn other(&self, partition: &Partition, x: u32, rng: &mut impl Rng) -> Option<Exchange> {
        let b = rng.random_range(0..partition.layout().groups() as u32);
        if b == partition.group_of(x) {
            return None;
        }
        if self.is_flexible && (!self.has_chunks || rng.random()) {
            return Some(Exchange::insert(partition, x, b));
        }
        self.chunk(partition, x, b, rng)
    }

    /// A unit against units of another group, and more of either side until as many players leave as come, or bounds
    /// allow what has been drawn.
    fn chunk(&self, partition: &Partition, x: u32, b: u32, rng: &mut impl Rng) -> Option<Exchange> {
        let mut exchange = Exchange::insert(partition, x, b);
        let (mut out, mut back) = (partition.size(x), 0);
        for _ in 0..ATTEMPTS {
            let (group, side) = if back < out {
                (b, &mut exchange.from_b)
            } else {
                (exchange.a, &mut exchange.from_a)
            };
            let unit = *pick(partition.members(group), rng)?;
            if unit < self.movable && !side.contains(&unit) {
                side.push(unit);
                *if group == b { &mut back } else { &mut out } += partition.size(unit);
            }
            // Where bounds leave room, some groupings can be reached only by an exchange of unequal sides.
            if out == back || self.is_flexible && rng.random() && partition.allows(&exchange) {
                return Some(exchange);
            }
        }
        None
    }
}

/// One of a list.
pub(crate) fn pick<'a>(units: &'a [u32], rng: &mut impl Rng) -> Option<&'a u32> {
    (!units.is_empty()).then(|| &units[rng.random_range(0..units.len())])
}

/// Units that may move, of a group.
pub(crate) fn movable_of(partition: &Partition, group: u32) -> Few {
    let movable = partition.layout().movable() as u32;
    partition
        .members(group)
        .iter()
        .copied()
        .filter(|&unit| unit < movable)
        .collect()
}
