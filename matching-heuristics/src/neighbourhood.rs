//! All moves between two groups: swaps of units of one size, one unit against several smaller ones of the same size together
//! (the first [`SETS`] tried), and moves of one unit where bounds leave room.

use crate::layout::Few;
use crate::partition::{Exchange, Partition};

/// Sets of smaller units that are tried against one unit: there may be far more than can ever be looked at.
const SETS: u32 = 1_000;

/// Calls `visit` with every move between two groups, for tests of all of them.
#[cfg(test)]
pub(crate) fn between(partition: &Partition, a: u32, b: u32, mut visit: impl FnMut(&Exchange)) {
    use crate::moves::movable_of;
    let (of_a, of_b) = (movable_of(partition, a), movable_of(partition, b));
    for &x in &of_a {
        for &y in of_b.iter().filter(|&&y| partition.size(y) == partition.size(x)) {
            visit(&Exchange::swap(partition, x, y));
        }
        others(partition, x, (b, &of_b), &mut visit);
    }
    for &y in &of_b {
        others(partition, y, (a, &of_a), &mut visit);
    }
}

/// A unit that moves to another group, where sizes allow it, and one that changes places with several smaller ones.
pub(crate) fn others(partition: &Partition, x: u32, (b, of_b): (u32, &Few), visit: &mut impl FnMut(&Exchange)) {
    let mut exchange = Exchange::insert(partition, x, b);
    if partition.allows(&exchange) {
        visit(&exchange);
    }
    let size = partition.size(x);
    if size > 1 {
        let smaller: Few = of_b.iter().copied().filter(|&y| partition.size(y) < size).collect();
        subsets(partition, (&smaller, size), &mut exchange, &mut SETS.clone(), visit);
    }
}

/// Every subset of `units` with exactly that many players, as what comes back, as long as tries are left.
fn subsets(
    partition: &Partition,
    (units, players): (&[u32], u32),
    exchange: &mut Exchange,
    tries: &mut u32,
    visit: &mut impl FnMut(&Exchange),
) {
    if players == 0 {
        visit(exchange);
        return;
    }
    for (at, &unit) in units.iter().enumerate() {
        if *tries == 0 {
            return;
        }
        if let Some(rest) = players.checked_sub(partition.size(unit)) {
            *tries -= 1;
            exchange.from_b.push(unit);
            subsets(partition, (&units[at + 1..], rest), exchange, tries, visit);
            exchange.from_b.pop();
        }
    }
}
