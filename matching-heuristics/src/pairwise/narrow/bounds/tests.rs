//! What is kept up in 16 bits, against 64 bits from the rows alone.

use std::sync::Arc;

use aligned_vec::avec;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::loops::{LANES, Portable, Scanner};
use super::places::{Even, Search, Uneven};
#[cfg(target_arch = "x86_64")]
use super::vbmi;
use super::{Bounds, NarrowGrid, OFFSETS, Round, Swap};
use crate::layout::Layout;
use crate::packing::Shape;
use crate::pairwise::narrow::tests::{extreme, layout, wide};
use crate::pairwise::narrow::walk::Narrow;

/// Costs of seven bits that stay as they are, of which a quarter are the least and a quarter the greatest.
fn small(rng: &mut ChaCha8Rng) -> i64 {
    match rng.random_range(0..4) {
        0 => 0,
        1 => 127,
        _ => rng.random_range(0..=127),
    }
}

fn narrow(layout: &Layout, draw: impl Fn(&mut ChaCha8Rng) -> i64, rng: &mut ChaCha8Rng) -> Bounds {
    let grid = wide(layout, draw, rng);
    let shape = Shape::find(layout, &|| false).expect("a packing");
    Bounds::standing(
        Arc::clone(grid.narrow().expect("swaps alone")),
        layout,
        &shape.deal(layout, rng),
    )
}

/// All that there may be: groups of one and of more than a hundred, of several sizes, few and many of them, of whole
/// vectors and just beyond, pinned players, and a group in which all are.
fn layouts() -> Vec<Layout> {
    let mut layouts: Vec<Layout> = [
        (2, 3),
        (2, 40),
        (3, 1),
        (3, 120),
        (5, 32),
        (5, 33),
        (16, 5),
        (20, 12),
        (63, 2),
    ]
    .map(|(groups, size)| layout(&vec![size; groups], &[]))
    .into();
    layouts.push(layout(&[1, 130, 64, 2, 65, 31], &[]));
    layouts.push(layout(&[4, 40, 7, 32, 3], &[(0, 1), (4, 0), (50, 1), (85, 4)]));
    layouts.push(layout(&[2, 9, 5, 9], &[(0, 0), (7, 0), (24, 1)]));
    layouts
}

/// The group of each unit.
fn group_of(state: &Bounds, layout: &Layout) -> Vec<u32> {
    let mut group_of: Vec<u32> = layout.pin.iter().map(|pin| pin.unwrap_or(u32::MAX)).collect();
    state.copy_to(&mut group_of);
    group_of
}

/// What a unit pays in a group, from the rows alone.
fn pays(grid: &NarrowGrid, group_of: &[u32], unit: u32, group: usize) -> i64 {
    let costs = group_of.iter().enumerate().filter(|&(_, &of)| of as usize == group);
    costs
        .map(|(mate, _)| i64::from(grid.row(mate as u32)[unit as usize]))
        .sum()
}

/// The total of all pairs but those between pinned players, which no swap changes, from the rows alone.
fn literal(grid: &NarrowGrid, group_of: &[u32], movable: usize) -> i64 {
    let twice = (0..movable as u32).map(|unit| {
        let mates = (0..group_of.len()).filter(|&mate| group_of[mate] == group_of[unit as usize]);
        mates
            .map(|mate| i64::from(grid.row(mate as u32)[unit as usize]) * if mate < movable { 1 } else { 2 })
            .sum::<i64>()
    });
    twice.sum::<i64>() / 2
}

/// Everything that is kept up is what it is from scratch.
fn check(state: &Bounds, layout: &Layout) {
    let group_of = group_of(state, layout);
    let mut seen = vec![false; layout.movable()];
    for slots in &state.slots.of_groups {
        for slot in slots.clone() {
            let unit = u32::from(state.slots.units[slot]);
            assert!(
                !core::mem::replace(&mut seen[unit as usize], true),
                "everybody stands in one slot"
            );
            assert_eq!(state.most[slot], state.grid.most(unit));
            for to in 0..layout.groups() {
                let gain = state.gains[to * state.stride + slot];
                assert_eq!(gain, pays(&state.grid, &group_of, unit, to) as i16);
            }
        }
    }
    let stands = |slot: &usize| state.slots.of_groups.iter().any(|slots| slots.contains(slot));
    for slot in (0..state.most.len()).filter(|slot| !stands(slot)) {
        assert_eq!(usize::from(state.slots.units[slot]), layout.units());
        for to in 0..layout.groups() {
            let is_blocked = state.vectors() == Some(1) && slot / LANES == to;
            let gain = if is_blocked { -super::BLOCKED } else { 0 };
            assert_eq!(state.gains[to * state.stride + slot], gain);
        }
    }
    assert!(seen.iter().all(|&seen| seen));
    #[cfg(target_arch = "x86_64")]
    if let Some(lookup) = &state.slots.lookup {
        let afresh = vbmi::Lookup::new(&state.slots.units, state.grid.stride() / super::BANK);
        assert!(afresh.is_some_and(|afresh| afresh == *lookup));
    }
}

/// The same state once more.
fn copy(state: &Bounds, layout: &Layout) -> Bounds {
    let mut copy = Bounds::standing(Arc::clone(&state.grid), layout, &group_of(state, layout));
    copy.gains.copy_from_slice(&state.gains);
    copy.most.copy_from_slice(&state.most);
    copy.slots.units.copy_from_slice(&state.slots.units);
    #[cfg(target_arch = "x86_64")]
    copy.look_up();
    copy.total = state.total;
    copy
}

/// The next swap that passes, by looking at each by itself.
fn literal_next(state: &Bounds, group_of: &[u32], mut round: Round, limits: &[i16]) -> Option<(Swap, usize)> {
    while round.left > 0 {
        let (a, b) = (round.group, round.other);
        let places = state.slots.of_groups[a].clone().enumerate().skip(round.from);
        for (place, slot) in places {
            let x = u32::from(state.slots.units[slot]);
            let limit = i64::from(limits[round.offset() + place]);
            let slots = &state.slots.of_groups[b];
            for first in slots.clone().step_by(LANES) {
                for lane in 0..LANES {
                    let partner = first + (lane + round.turn() as usize) % LANES;
                    if !slots.contains(&partner) {
                        continue;
                    }
                    let y = u32::from(state.slots.units[partner]);
                    let moved = |unit, from, to| {
                        pays(&state.grid, group_of, unit, to) - pays(&state.grid, group_of, unit, from)
                    };
                    let change = moved(x, a, b) + moved(y, b, a) - 2 * i64::from(state.grid.row(x)[y as usize]);
                    if change < limit {
                        let swap = Swap {
                            groups: [a, b],
                            slots: [slot, partner],
                            change: change as i16,
                        };
                        return Some((swap, place + 1));
                    }
                }
            }
        }
        round.go_on(state.slots.of_groups.len());
    }
    None
}

/// What a loop finds and leaves behind. What is compiled for groups of a width finds the same.
fn by(scanner: impl Scanner, state: &mut Bounds, round: &mut Round, limits: &[i16]) -> Option<Swap> {
    let mut even = *round;
    let found_even = match state.vectors() {
        Some(1) => Even::<1>.next_swap(scanner, state, &mut even, limits),
        Some(2) => Even::<2>.next_swap(scanner, state, &mut even, limits),
        _ => Uneven.next_swap(scanner, state, &mut even, limits),
    };
    let found = Uneven.next_swap(scanner, state, round, limits);
    assert_eq!((found_even, even.from, even.left), (found, round.from, round.left));
    if let Some(swap) = found {
        state.swap(scanner, swap);
    }
    found
}

/// Makes the next swap that passes by every loop that this processor has: all must find what looking at each by itself
/// finds, and leave the same behind.
fn step(state: &mut Bounds, layout: &Layout, round: &mut Round, limits: &[i16]) -> Option<Swap> {
    let expected = literal_next(state, &group_of(state, layout), *round, limits);
    #[cfg(target_arch = "x86_64")]
    let before = (copy(state, layout), *round);
    let found = by(Portable, state, round, limits);
    assert_eq!(found, expected.map(|(swap, _)| swap));
    if let Some((_, from)) = expected {
        assert_eq!(round.from, from);
    }
    #[cfg(target_arch = "x86_64")]
    {
        let compare = |name, other: Option<Swap>, left: &Bounds| {
            assert_eq!(other, found, "{name}");
            assert_eq!(*left.gains, *state.gains, "{name}");
            assert_eq!(*left.most, *state.most, "{name}");
            assert_eq!(*left.slots.units, *state.slots.units, "{name}");
            assert_eq!(left.total, state.total, "{name}");
        };
        if let Some(simd) = pulp::x86::V3::try_new() {
            let (mut left, mut round) = (copy(&before.0, layout), before.1);
            compare("AVX2", by(simd, &mut left, &mut round, limits), &left);
        }
        if let Some(simd) = pulp::x86::V4::try_new() {
            let (mut left, mut round) = (copy(&before.0, layout), before.1);
            compare("AVX-512", by(simd, &mut left, &mut round, limits), &left);
        }
    }
    found
}

#[test]
fn every_loop_finds_the_swaps_that_looking_at_each_by_itself_finds() {
    let draws: [fn(&mut ChaCha8Rng) -> i64; 2] = [extreme, small];
    for (number, layout) in layouts().iter().enumerate() {
        let rng = &mut ChaCha8Rng::seed_from_u64(number as u64);
        let mut state = narrow(layout, draws[number % 2], rng);
        let first = literal(&state.grid, &group_of(&state, layout), layout.movable());
        let longest = Narrow::stride(&state);
        let (mut passed, mut uphill, mut made) = (0, 0, 0);
        // Cold, so that it is good at first and most is ruled out, then hotter, so that all ends of the range are seen.
        for temperature in [1.0, 60.0, 500.0, 4_000.0, 60.0_f64] {
            let limits: Vec<i16> = (0..OFFSETS + longest)
                .map(|_| (-rng.random::<f64>().ln() * temperature).min(8192.0) as i16 + 1)
                .collect();
            for _ in 0..12 {
                let groups = layout.groups();
                let group = rng.random_range(0..groups);
                let mut round = Round::new(group, groups, [rng.random(), rng.random()]);
                assert!(round.other != group && round.left == groups - 1);
                // However hot it is, a few swaps of each round are enough.
                for _ in 0..6 {
                    let Some(swap) = step(&mut state, layout, &mut round, &limits) else {
                        break;
                    };
                    passed += 1;
                    uphill += u32::from(swap.change > 0);
                    made += i64::from(swap.change);
                }
            }
            check(&state, layout);
            let now = literal(&state.grid, &group_of(&state, layout), layout.movable());
            assert_eq!((now, state.total), (first + made, made));
        }
        // Groups of one cost nothing, whoever is in them.
        let is_flat = layout.groups() == layout.units();
        assert!(
            passed > 30 && (uphill > 10 || is_flat),
            "{number}: {passed} swaps passed"
        );
    }
}

/// A processor takes the fastest way that it has; here all that it could take, also of more banks than there are
/// registers for, beside what an exchange is: whoever stands in a slot pays more beside who comes, and less beside who goes.
#[cfg(target_arch = "x86_64")]
#[test]
fn every_exchange_leaves_the_same_behind() {
    use super::loops::{Exchange, exchange};
    let larger = [(20, 24), (9, 70), (40, 30)].map(|(groups, size)| layout(&vec![size; groups], &[]));
    for (number, layout) in layouts().into_iter().chain(larger).enumerate() {
        let rng = &mut ChaCha8Rng::seed_from_u64(number as u64);
        for state in [narrow(&layout, extreme, rng), narrow(&layout, small, rng)] {
            compare_exchanges(state, &layout, rng);
        }
    }

    fn compare_exchanges(mut state: Bounds, layout: &Layout, rng: &mut ChaCha8Rng) {
        let stride = state.most.len();
        for _ in 0..20 {
            let costs = [(); 2].map(|()| rng.random_range(0..layout.units() as u32));
            let before: Vec<i16> = (0..2 * stride).map(|_| rng.random()).collect();
            let mut by = |exchange: &dyn Fn(Exchange<'_>)| {
                let mut gains = avec![0; 2 * stride];
                gains.copy_from_slice(&before);
                let (first, second) = gains.split_at_mut(stride);
                exchange(Exchange {
                    gains: [first, second],
                    costs: costs.map(|unit| state.grid.row(unit)),
                    slots: &state.slots,
                    parted: (&mut state.parted.0, &mut state.parted.1),
                });
                gains.to_vec()
            };
            let expected = by(&|rows: Exchange<'_>| {
                let [first, second] = rows.gains;
                for slot in rows.slots.of_groups.iter().cloned().flatten() {
                    let [comes, goes] = rows
                        .costs
                        .map(|costs| i16::from(costs[rows.slots.units[slot] as usize]));
                    first[slot] = first[slot].wrapping_add(comes).wrapping_sub(goes);
                    second[slot] = second[slot].wrapping_sub(comes).wrapping_add(goes);
                }
            });
            assert_eq!(by(&exchange), expected);
            assert_eq!(by(&|rows| Portable.exchange(rows)), expected);
            if let Some(simd) = pulp::x86::V4::try_new() {
                assert_eq!(by(&|rows| super::avx512::exchange_vectors(simd, rows)), expected);
            }
            if let Some(lookup) = &state.slots.lookup {
                assert_eq!(by(&|rows| vbmi::exchange_bytes(rows, lookup)), expected);
            }
        }
    }
}

/// Only processors with AVX-512 walk so, and only among as few units.
#[cfg(target_arch = "x86_64")]
#[test]
fn few_units_are_those_that_leave_place_for_nobody() {
    use super::few::Few;
    let has_vectors = pulp::x86::V4::try_new().is_some();
    let few = layout(&[16, 16, 16, 16, 16, 16, 16, 15], &[]);
    assert_eq!(Few::suits(&few), has_vectors, "127 units");
    assert!(!Few::suits(&layout(&[16; 8], &[])), "no place for nobody");
    assert!(!Few::suits(&layout(&[16, 16, 17], &[])), "more than a group has slots");
}

/// Among few units several groups are looked at ahead: the same swaps in the same order, and all that is kept up is the
/// same. Only processors with AVX-512 do so.
#[cfg(target_arch = "x86_64")]
#[test]
fn few_units_walk_as_many_do() {
    use super::few::Few;
    let Some(simd) = pulp::x86::V4::try_new() else {
        eprintln!("not tested: this processor has no AVX-512");
        return;
    };
    let pins = [(0, 1), (4, 0), (40, 1), (41, 1), (70, 4)];
    let layouts = [
        layout(&[12; 10], &[]),
        layout(&[16; 7], &[]),
        layout(&[7; 16], &[]),
        layout(&[1; 16], &[]),
        layout(&[1, 16, 2, 9, 15], &[]),
        layout(&[16, 14, 15, 16, 13], &pins),
        layout(&[2, 16], &[(0, 0), (1, 0)]),
        layout(&[16, 16, 16, 16, 16, 16, 16, 15], &[]),
    ];
    for (number, layout) in layouts.iter().enumerate() {
        let rng = &mut ChaCha8Rng::seed_from_u64(number as u64);
        let mut many = narrow(layout, extreme, rng);
        let mut few = Few::standing(Arc::clone(&many.grid), layout, &group_of(&many, layout));
        let mut passed = 0;
        for temperature in [1.0, 60.0, 500.0, 4_000.0, 60.0, 1.0_f64] {
            let limits: Vec<i16> = (0..OFFSETS + LANES)
                .map(|_| (-rng.random::<f64>().ln() * temperature).min(8192.0) as i16 + 1)
                .collect();
            for _ in 0..200 {
                let groups = layout.groups();
                let mut round = Round::new(rng.random_range(0..groups), groups, [rng.random(), rng.random()]);
                let mut same = round;
                // Where all costs are the same everything passes, round and round.
                for _ in 0..50 {
                    let expected = Uneven.next_swap(Portable, &many, &mut round, &limits);
                    let found = few.next_swap(simd, &mut same, &limits);
                    let in_groups = expected.map(|swap| Swap {
                        slots: [0, 1].map(|at| swap.slots[at] - many.slots.of_groups[swap.groups[at]].start),
                        ..swap
                    });
                    assert_eq!((found, same.left), (in_groups, round.left), "{number}");
                    let (Some(found), Some(expected)) = (found, expected) else {
                        break;
                    };
                    assert_eq!(same.from, round.from);
                    few.swap(simd, found);
                    many.swap(Portable, expected);
                    passed += 1;
                }
            }
            let mut of_few = group_of(&many, layout);
            of_few[..layout.movable()].fill(u32::MAX);
            few.copy_to(&mut of_few);
            assert_eq!((of_few, few.total()), (group_of(&many, layout), many.total));
        }
        assert!(
            passed > 1_000 || layout.movable() < 20,
            "{number}: {passed} swaps passed"
        );
    }
}

#[test]
fn a_round_meets_every_other_group_once() {
    for groups in [2, 3, 20] {
        for group in 0..groups {
            for draw in [0, 1 << 31, u32::MAX] {
                let mut round = Round::new(group, groups, [draw, draw]);
                let mut met = vec![group];
                while round.left > 0 {
                    assert!(round.offset() < OFFSETS && round.turn() < LANES as u32);
                    met.push(round.other);
                    round.go_on(groups);
                }
                met.sort_unstable();
                assert_eq!(met, Vec::from_iter(0..groups));
            }
        }
    }
}
