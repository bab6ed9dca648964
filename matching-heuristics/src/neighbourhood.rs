//! All moves between two groups: swaps of units of one size, one unit against several smaller ones of the same size
//! together (the first [`SETS`] tried), and moves of one unit where bounds leave room.

use crate::layout::Few;
#[cfg(test)]
use crate::moves::movable_of;
use crate::partition::{Exchange, Partition};

/// Sets of smaller units that are tried against one unit: there may be far more than can ever be looked at.
const SETS: u32 = 1_000;

/// A move as climbs come across it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'a> {
    /// Two units of one size change places; both may move.
    Swap { x: u32, y: u32 },
    /// One unit moves to another group.
    Insert { x: u32, to: u32 },
    /// One unit changes places with one of the sets of another group that are as many players: those [`Sets::of`] it.
    Against {
        x: u32,
        to: u32,
        sets: &'a [Few],
        at: usize,
    },
}

impl Step<'_> {
    /// The move as any other.
    pub(crate) fn exchange(&self, partition: &Partition) -> Exchange {
        match *self {
            Self::Swap { x, y } => Exchange::swap(partition, x, y),
            Self::Insert { x, to } => Exchange::insert(partition, x, to),
            Self::Against { x, to, sets, at } => Exchange {
                from_b: Few::from_slice(&sets[at]),
                ..Exchange::insert(partition, x, to)
            },
        }
    }
}

/// The sets of units of a group that together are as many players as one larger unit: found once for each size.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets {
    /// Sizes met so far, each with the end of its sets; they begin where those before it end.
    sizes: Vec<(u32, usize)>,
    /// The units of each set.
    sets: Vec<Few>,
}

impl Sets {
    /// Forgets them: another group follows.
    pub(crate) fn clear(&mut self) {
        self.sizes.clear();
        self.sets.clear();
    }

    /// All sets, at least two units each, of these units of a group that have exactly that many players.
    pub(crate) fn of(&mut self, partition: &Partition, units: &Few, players: u32) -> &[Few] {
        if players == 1 {
            return &[];
        }
        let at = self.sizes.iter().position(|(size, _)| *size == players);
        let at = at.unwrap_or_else(|| {
            let smaller: Few = units.iter().copied().filter(|&y| partition.size(y) < players).collect();
            subsets(
                partition,
                (&smaller, players),
                &mut Few::new(),
                &mut SETS.clone(),
                &mut self.sets,
            );
            self.sizes.push((players, self.sets.len()));
            self.sizes.len() - 1
        });
        let begin = at.checked_sub(1).map_or(0, |before| self.sizes[before].1);
        &self.sets[begin..self.sizes[at].1]
    }
}

/// Every subset of `units` with exactly that many players besides those of `set`, as long as tries are left.
fn subsets(
    partition: &Partition,
    (units, players): (&[u32], u32),
    set: &mut Few,
    tries: &mut u32,
    found: &mut Vec<Few>,
) {
    if players == 0 {
        found.push(Few::from_slice(set));
        return;
    }
    for (at, &unit) in units.iter().enumerate() {
        if *tries == 0 {
            return;
        }
        if let Some(rest) = players.checked_sub(partition.size(unit)) {
            *tries -= 1;
            set.push(unit);
            subsets(partition, (&units[at + 1..], rest), set, tries, found);
            set.pop();
        }
    }
}

/// Calls `visit` with every move between two groups, for tests of all of them.
#[cfg(test)]
pub(crate) fn between(partition: &Partition, a: u32, b: u32, mut visit: impl FnMut(&Exchange)) {
    let (of_a, of_b) = (movable_of(partition, a), movable_of(partition, b));
    for &x in &of_a {
        for &y in of_b.iter().filter(|&&y| partition.size(y) == partition.size(x)) {
            visit(&Exchange::swap(partition, x, y));
        }
    }
    for (units, (to, others)) in [(&of_a, (b, &of_b)), (&of_b, (a, &of_a))] {
        let mut sets = Sets::default();
        for &unit in units {
            let mut exchange = Exchange::insert(partition, unit, to);
            if partition.allows(&exchange) {
                visit(&exchange);
            }
            for set in sets.of(partition, others, partition.size(unit)) {
                exchange.from_b = set.clone();
                visit(&exchange);
            }
        }
    }
}
