//! What is kept up in 16 bits, against 64 bits from the rows alone.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::loops::{LANES, Portable, Scanner};
use super::{NarrowGrid, Rows};
use crate::layout::Layout;
use crate::packing::Shape;
use crate::pairwise::narrow::tests::{self, extreme, wide};
use crate::partition::Partition;

fn layout(groups: usize, members: usize, pins: &[(usize, usize)]) -> Arc<Layout> {
    Arc::new(tests::layout(&vec![members; groups], pins))
}

fn narrow(layout: &Arc<Layout>, rng: &mut ChaCha8Rng) -> Rows {
    let grid = wide(layout, extreme, rng);
    let shape = Shape::find(layout, &|| false).expect("a packing");
    let first = Partition::new(Arc::clone(layout), &shape.deal(layout, rng));
    Rows::standing(Arc::clone(grid.narrow().expect("swaps alone")), first)
}

/// The total from the rows alone.
fn literal(grid: &NarrowGrid, partition: &Partition) -> i64 {
    let groups = 0..partition.layout().groups() as u32;
    let pairs = groups.flat_map(|group| {
        let members = partition.members(group);
        members.iter().flat_map(|&x| members.iter().map(move |&y| (x, y)))
    });
    pairs
        .filter(|(x, y)| x < y)
        .map(|(x, y)| i64::from(grid.row(x)[y as usize]))
        .sum()
}

fn check(state: &Rows) {
    let partition = Partition::new(state.partition.shared_layout(), state.partition.groups_of());
    let fresh = Rows::standing(Arc::clone(&state.grid), partition);
    assert_eq!(*state.gains, *fresh.gains);
    assert_eq!(*state.own, *fresh.own);
    assert_eq!(*state.lanes, *fresh.lanes);
}

/// A swap by every loop that this processor has: all must leave the same behind.
fn swap(state: &mut Rows, x: u32, y: u32, change: i64) {
    fn by(state: &Rows, scanner: impl Scanner, x: u32, y: u32, change: i64) -> Rows {
        let partition = Partition::new(state.partition.shared_layout(), state.partition.groups_of());
        let mut fresh = Rows::standing(Arc::clone(&state.grid), partition);
        fresh.swap(scanner, x, y, change);
        fresh
    }
    #[cfg(target_arch = "x86_64")]
    let others = [
        pulp::x86::V3::try_new().map(|simd| by(state, simd, x, y, change)),
        pulp::x86::V4::try_new().map(|simd| by(state, simd, x, y, change)),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let others = [Some(by(state, Portable, x, y, change))];
    let group = state.partition.group_of(x);
    state.swap(Portable, x, y, change);
    for unit in 0..state.partition.layout().movable() {
        let joins = state.gain(group, unit as u32).wrapping_sub(state.own[unit]);
        assert_eq!(state.joins[unit], joins);
    }
    for other in others.iter().flatten() {
        assert_eq!(*state.gains, *other.gains);
        assert_eq!(*state.own, *other.own);
        assert_eq!(*state.lanes, *other.lanes);
        assert_eq!(*state.joins, *other.joins);
    }
}

#[test]
fn swaps_change_what_they_say_and_leave_what_a_recount_gives() {
    for (groups, members) in [(2, 40), (5, 7), (20, 12), (63, 2), (3, 1), (3, 120)] {
        let rng = &mut ChaCha8Rng::seed_from_u64(groups as u64);
        let layout = layout(groups, members, &[]);
        let mut state = narrow(&layout, rng);
        let first = literal(&state.grid, &state.partition);
        for made in 0..3_000 {
            let (x, y) = (
                rng.random_range(0..layout.len as u32),
                rng.random_range(0..layout.len as u32),
            );
            if state.partition.group_of(x) == state.partition.group_of(y) {
                continue;
            }
            // Downhill first, then uphill, so that both ends of the range are seen.
            let change = state.change(x, y);
            if (change > 0) == (made < 1_500) {
                continue;
            }
            let before = literal(&state.grid, &state.partition);
            swap(&mut state, x, y, change);
            assert_eq!(literal(&state.grid, &state.partition), before + change);
        }
        assert_eq!(literal(&state.grid, &state.partition), first + state.total);
        check(&state);
    }
}

/// What the scans find, which all must agree upon.
fn found(state: &Rows, x: u32, from: u32, to: u32, limits: &[i16]) -> Option<u32> {
    fn by(state: &Rows, scanner: impl Scanner, x: u32, from: u32, to: u32, limits: &[i16]) -> Option<u32> {
        state.first_swap(scanner, x, from, to, limits)
    }
    let found = by(state, Portable, x, from, to, limits);
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(simd) = pulp::x86::V3::try_new() {
            assert_eq!(by(state, simd, x, from, to, limits), found, "AVX2");
        }
        if let Some(simd) = pulp::x86::V4::try_new() {
            assert_eq!(by(state, simd, x, from, to, limits), found, "AVX-512");
        }
    }
    found
}

#[test]
fn every_scan_finds_the_first_swap_below_its_limit() {
    for (groups, members) in [(2, 3), (3, 50), (16, 5), (31, 4), (32, 4), (33, 4), (48, 3), (63, 3)] {
        for pins in [&[][..], &[(0, 1), (4, 0)]] {
            let rng = &mut ChaCha8Rng::seed_from_u64(groups as u64);
            let layout = layout(groups, members, pins);
            let mut state = narrow(&layout, rng);
            let mut passed = 0;
            for _ in 0..1_000 {
                let x = rng.random_range(0..layout.movable() as u32);
                let stride = state.grid.stride() as u32;
                let from = LANES as u32 * rng.random_range(0..stride / LANES as u32);
                let limits: Vec<i16> = (from..stride).map(|_| rng.random_range(-12_000..3_000)).collect();
                state.load_joins(state.partition.group_of(x));
                state.load_moves(x);
                let found = found(&state, x, from, stride, &limits);
                let is_open =
                    |y: u32| y < layout.movable() as u32 && state.partition.group_of(y) != state.partition.group_of(x);
                let expected = (from..stride)
                    .zip(&limits)
                    .find(|&(y, &limit)| is_open(y) && state.change(x, y) < i64::from(limit))
                    .map(|(y, _)| y);
                assert_eq!(found, expected);
                if let Some(y) = found {
                    passed += 1;
                    let change = state.change(x, y);
                    swap(&mut state, x, y, change);
                }
            }
            assert!(passed > 10, "{groups} groups of {members}: {passed} swaps passed");
            check(&state);
        }
    }
}
