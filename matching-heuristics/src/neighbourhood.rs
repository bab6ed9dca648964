//! All moves between two groups.

use crate::layout::Few;
use crate::moves::movable_of;
use crate::partition::{Exchange, Partition};

/// Calls `visit` with every move between two groups: swaps of units of one size, one unit against several smaller ones
/// of the same size together, and moves of one unit where bounds leave room.
pub(crate) fn between(partition: &Partition, a: u32, b: u32, mut visit: impl FnMut(&Exchange)) {
    let (of_a, of_b) = (movable_of(partition, a), movable_of(partition, b));
    let mut exchange = Exchange {
        a,
        b,
        from_a: Few::from_slice(&[0]),
        from_b: Few::from_slice(&[0]),
    };
    for &x in &of_a {
        exchange.from_a[0] = x;
        for &y in of_b.iter().filter(|&&y| partition.size(y) == partition.size(x)) {
            exchange.from_b[0] = y;
            visit(&exchange);
        }
    }
    inserts(partition, [a, b], [&of_a, &of_b], &mut visit);
    if partition.layout().classes.len() > 1 {
        chunks(partition, [a, b], [&of_a, &of_b], &mut visit);
        chunks(partition, [b, a], [&of_b, &of_a], &mut visit);
    }
}

/// Single units that move either way, where sizes allow it.
fn inserts(partition: &Partition, [a, b]: [u32; 2], [of_a, of_b]: [&Few; 2], visit: &mut impl FnMut(&Exchange)) {
    let mut exchange = Exchange {
        a,
        b,
        ..Exchange::default()
    };
    let mut offer = |exchange: &Exchange| {
        if partition.allows(exchange) {
            visit(exchange);
        }
    };
    for &x in of_a {
        exchange.from_a = Few::from_slice(&[x]);
        offer(&exchange);
    }
    exchange.from_a.clear();
    for &y in of_b {
        exchange.from_b = Few::from_slice(&[y]);
        offer(&exchange);
    }
}

/// One unit of the first group against several smaller ones of the second.
fn chunks(partition: &Partition, [a, b]: [u32; 2], [of_a, of_b]: [&Few; 2], visit: &mut impl FnMut(&Exchange)) {
    for &x in of_a.iter().filter(|&&x| partition.size(x) > 1) {
        let smaller: Few = of_b
            .iter()
            .copied()
            .filter(|&y| partition.size(y) < partition.size(x))
            .collect();
        let mut exchange = Exchange {
            a,
            b,
            from_a: Few::from_slice(&[x]),
            from_b: Few::new(),
        };
        subsets(partition, &smaller, partition.size(x), &mut exchange, visit);
    }
}

/// Every subset of `units` with exactly that many players, as what comes back.
fn subsets(
    partition: &Partition,
    units: &[u32],
    players: u32,
    exchange: &mut Exchange,
    visit: &mut impl FnMut(&Exchange),
) {
    if players == 0 {
        visit(exchange);
        return;
    }
    for (at, &unit) in units.iter().enumerate() {
        if let Some(rest) = players.checked_sub(partition.size(unit)) {
            exchange.from_b.push(unit);
            subsets(partition, &units[at + 1..], rest, exchange, visit);
            exchange.from_b.pop();
        }
    }
}
