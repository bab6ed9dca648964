//! Decodes a surface code: which qubits flipped, if these checks fired? Checks are paired with each other, or with an edge
//! of the code, by the fewest flips; all room is kept from shot to shot.

use std::collections::VecDeque;

use matching_core::{Blossom, Error, Objective, Workspace, cost};

/// Qubits from edge to edge: so many flips in a row go unseen.
const DISTANCE: usize = 7;
/// The edges of the code, numbered after its checks.
const LEFT: usize = DISTANCE * (DISTANCE - 1);
const RIGHT: usize = LEFT + 1;

/// Each qubit stands between two checks, which fire if it flips, or between a check and an edge.
fn qubits() -> Vec<(usize, usize)> {
    let check = |row: usize, column: usize| row * (DISTANCE - 1) + column;
    let mut qubits = Vec::new();
    for (row, column) in (0..DISTANCE).flat_map(|row| (0..DISTANCE).map(move |column| (row, column))) {
        let is_last = column == DISTANCE - 1;
        let after = if is_last { RIGHT } else { check(row, column) };
        qubits.push((column.checked_sub(1).map_or(LEFT, |column| check(row, column)), after));
        if row > 0 && !is_last {
            qubits.push((check(row - 1, column), after));
        }
    }
    qubits
}

/// The fewest flips that make this check fire and another one, by number, or this one alone, by the edge they end at.
fn flips_from(start: usize, qubits: &[(usize, usize)]) -> Vec<i64> {
    let mut flips = vec![i64::MAX; RIGHT + 1];
    flips[start] = 0;
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for &(u, v) in qubits.iter().filter(|&&(u, v)| at < LEFT && (u == at || v == at)) {
            let next = u + v - at;
            if flips[next] == i64::MAX {
                flips[next] = flips[at] + 1;
                queue.push_back(next);
            }
        }
    }
    flips
}

fn main() -> Result<(), Error> {
    let qubits = qubits();
    let flips: Vec<Vec<i64>> = (0..LEFT).map(|check| flips_from(check, &qubits)).collect();
    let mut state = 1_u64;
    let mut has_flipped = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % 100 < 6
    };
    let mut workspace = Workspace::new();
    let mut blossom = Blossom::new().objective(Objective::MinOptOut(Vec::new()));
    let (shots, mut fired, mut wrong, mut wrong_by_edges) = (2_000, Vec::new(), 0, 0);
    for _ in 0..shots {
        let mut parity = [false; RIGHT + 1];
        for &(u, v) in qubits.iter().filter(|_| has_flipped()) {
            parity[u] ^= true;
            parity[v] ^= true;
        }
        fired.clear();
        fired.extend((0..LEFT).filter(|&check| parity[check]));
        if let Objective::MinOptOut(prices) = blossom.objective_mut() {
            prices.clear();
            prices.extend(fired.iter().map(|&check| flips[check][LEFT].min(flips[check][RIGHT])));
        }
        let apart = cost::from_symmetric_fn(fired.len(), |i, j| flips[fired[i]][fired[j]]);
        let best = blossom.solve_with(&apart, &mut workspace)?;
        best.verify(&apart).expect("no fewer flips explain what fired");
        // What was flipped and what is flipped back end at the left edge an even number of times, or the code is wrong.
        let goes_left = |i: &usize| flips[fired[*i]][LEFT] <= flips[fired[*i]][RIGHT];
        let is_wrong = |ends: usize| u32::from((ends % 2 == 1) != parity[LEFT]);
        wrong += is_wrong(best.unmatched().filter(goes_left).count());
        wrong_by_edges += is_wrong((0..fired.len()).filter(goes_left).count());
    }
    println!("{shots} shots, 6 of 100 qubits flipped: {wrong} decoded wrongly, {wrong_by_edges} by the nearest edge");
    assert!(20 * wrong < shots && 5 * wrong < wrong_by_edges);
    Ok(())
}
