//! What is kept up move by move, against what a recount gives.

use std::sync::Arc;

use matching_core::{CancelToken, Cost, cost};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::scan::Portable;
use super::{Gains, Grid};
use crate::best::Best;
use crate::change::Change;
use crate::groups::Groups;
use crate::layout::Layout;
use crate::moves::Proposer;
use crate::neighbourhood;
use crate::packing::Shape;
use crate::partition::{Exchange, Partition};
use crate::state::State;

/// Players in parties of up to four, groups of several bounds, a bench, somebody pinned.
fn layout(rng: &mut ChaCha8Rng) -> Arc<Layout> {
    let bounds = [4..=4, 3..=6, 5..=5, 0..=6, 4..=6];
    let groups = Groups::with_bounds(bounds)
        .expect("bounds")
        .with_bench(rng.random_range(0..=6));
    let parties = [vec![0, 1], vec![2, 3, 4], vec![5, 6], vec![7, 8, 9, 10], vec![11, 12]];
    Arc::new(Layout::new(24, &groups, &parties, &[(0, 1), (20, 3)]).expect("a layout"))
}

fn grid(layout: &Layout, rng: &mut ChaCha8Rng) -> Arc<Grid> {
    let table: Vec<i32> = (0..layout.len * layout.len)
        .map(|_| rng.random_range(-500..500))
        .collect();
    let cost = cost::from_symmetric_fn(layout.len, |i, j| table[i.min(j) * layout.len + i.max(j)]);
    let is_forbidding: bool = rng.random();
    let restricted = cost.restricted(|i, j| !is_forbidding || (i * j) % 11 != 3);
    let grid = Grid::new(&restricted, layout, &|| false).expect("costs are numbers");
    Arc::new(grid.expect("nobody cancels"))
}

/// Every number of a state is what a new one for the same grouping has.
fn check(state: &Gains) {
    let fresh = Gains::new(
        Arc::clone(&state.grid),
        Partition::new(state.partition().shared_layout(), state.partition().groups_of()),
        CancelToken::new(),
    );
    assert_eq!(state.gains, fresh.gains);
    assert_eq!(state.own, fresh.own);
    assert_eq!(state.lanes, fresh.lanes);
    assert_eq!(state.total, fresh.total);
    assert_eq!(state.total, literal(state), "pairs one by one");
    let groups = state.partition().layout().groups() as u32;
    for group in 0..groups {
        assert_eq!(state.partition().filled(group), fresh.partition().filled(group));
        let sorted = |state: &Gains| {
            let mut members = state.partition().members(group).to_vec();
            members.sort_unstable();
            members
        };
        assert_eq!(sorted(state), sorted(&fresh));
    }
}

/// The total from the grid alone.
fn literal(state: &Gains) -> i64 {
    let partition = state.partition();
    let bench = partition.layout().bench;
    let units = (0..partition.layout().units() as u32).filter(|&unit| Some(partition.group_of(unit)) != bench);
    units
        .clone()
        .map(|x| {
            let mates = units
                .clone()
                .filter(|&y| y > x && partition.group_of(x) == partition.group_of(y));
            let pairs: i64 = mates.map(|y| i64::from(state.grid.row(x)[y as usize])).sum();
            i64::from(state.grid.inside()[x as usize]) + pairs
        })
        .sum()
}

fn total_after(state: &Gains, exchange: &Exchange) -> i64 {
    let mut partition = state.partition().clone();
    partition.apply(exchange);
    Gains::new(Arc::clone(&state.grid), partition, CancelToken::new()).total
}

#[test]
fn a_hundred_thousand_random_moves_leave_what_a_recount_gives() {
    for seed in 0..10 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let layout = layout(rng);
        let first = Partition::new(
            Arc::clone(&layout),
            &Shape::find(&layout, &|| false).expect("a packing").deal(&layout, rng),
        );
        let mut state = Gains::new(grid(&layout, rng), first, CancelToken::new());
        let proposer = Proposer::new(state.partition());
        let (mut made, mut chunks) = (0, 0);
        while made < 10_000 {
            let Some(exchange) = proposer.any(state.partition(), rng) else {
                continue;
            };
            let Some(Change { cost: change, .. }) = state.change(&exchange) else {
                continue;
            };
            let after = state.total + change;
            if made % 10 == 0 {
                assert_eq!(after, total_after(&state, &exchange), "{exchange:?}");
            }
            let is_swap = exchange.from_a.len() == 1 && exchange.from_b.len() == 1;
            chunks += u32::from(exchange.from_a.len() + exchange.from_b.len() > 2);
            if is_swap && rng.random() {
                assert_eq!(state.swap_change(exchange.from_a[0], exchange.from_b[0]), change);
                state.swap(Portable, exchange.from_a[0], exchange.from_b[0], change);
            } else {
                state.apply(&exchange);
            }
            assert_eq!(state.total, after);
            made += 1;
            if made % 100 == 0 {
                check(&state);
            }
        }
        assert!(chunks > 50, "several units moved together");
        check(&state);
    }
}

#[test]
fn every_move_between_two_groups_changes_what_it_says() {
    for seed in 0..6 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let layout = layout(rng);
        let first = Partition::new(
            Arc::clone(&layout),
            &Shape::find(&layout, &|| false).expect("a packing").deal(&layout, rng),
        );
        let mut state = Gains::new(grid(&layout, rng), first, CancelToken::new());
        let groups = layout.groups() as u32;
        for (a, b) in (0..groups)
            .flat_map(|a| (0..groups).map(move |b| (a, b)))
            .filter(|(a, b)| a != b)
        {
            let mut moves = Vec::new();
            neighbourhood::between(state.partition(), a, b, |exchange| moves.push(exchange.clone()));
            for exchange in moves {
                let change = state.change(&exchange).expect("all moves are allowed").cost;
                assert_eq!(state.total + change, total_after(&state, &exchange), "{exchange:?}");
            }
        }
    }
}

#[test]
fn the_scan_finds_the_first_swap_below_its_limit() {
    for seed in 0..20 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let layout = if seed % 2 == 0 {
            layout(rng)
        } else {
            // Long enough for whole vectors, and enough groups for each size of table.
            let count = [3, 20, 50, 100, 130][seed as usize / 2 % 5];
            let groups = Groups::with_bounds(vec![2..=2; count])
                .expect("bounds")
                .with_bench(2 * count);
            Arc::new(Layout::new(4 * count, &groups, &[], &[]).expect("a layout"))
        };
        let first = Partition::new(
            Arc::clone(&layout),
            &Shape::find(&layout, &|| false).expect("a packing").deal(&layout, rng),
        );
        let mut state = Gains::new(grid(&layout, rng), first, CancelToken::new());
        for _ in 0..2_000 {
            let x = rng.random_range(0..layout.movable() as u32);
            let class = layout.class_of(x);
            let limits: Vec<i32> = class.clone().map(|_| rng.random_range(-3000..500)).collect();
            state.load_moves(x);
            let found = state.first_swap(Portable, x, class.start, class.end, &limits);
            #[cfg(target_arch = "x86_64")]
            if state.has_few_groups()
                && let Some(simd) = pulp::x86::V4::try_new()
            {
                assert_eq!(state.first_swap(simd, x, class.start, class.end, &limits), found);
            }
            let partition = state.partition();
            // Swaps with the bench are looked at from the bench.
            let is_open =
                |y: u32| partition.group_of(y) != partition.group_of(x) && Some(partition.group_of(y)) != layout.bench;
            let expected = class
                .clone()
                .zip(&limits)
                .find(|&(y, &limit)| is_open(y) && state.swap_change(x, y) < i64::from(limit))
                .map(|(y, _)| y);
            assert_eq!(found, expected);
            if let Some(y) = found {
                let change = state.swap_change(x, y);
                state.swap(Portable, x, y, change);
            }
        }
        check(&state);
    }
}

#[test]
fn a_matrix_that_was_broken_off_is_never_the_best() {
    let rng = &mut ChaCha8Rng::seed_from_u64(3);
    let layout = layout(rng);
    let shape = Shape::find(&layout, &|| false).expect("a packing");
    let (first, other) = (shape.deal(&layout, rng), shape.deal(&layout, rng));
    let token = CancelToken::new();
    let mut state = Gains::new(
        grid(&layout, rng),
        Partition::new(Arc::clone(&layout), &first),
        token.clone(),
    );
    let mut best = Best::of(&state);
    best.rank.1 = i64::MAX;
    token.cancel();
    state.reset(&other);
    assert!(!best.offer(&state), "its total means nothing");
    assert_eq!(best.group_of, first);
    assert_eq!(state.partition().groups_of(), other);
}
