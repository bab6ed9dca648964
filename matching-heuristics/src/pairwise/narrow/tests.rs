//! What the narrow grid is, and what both ways of looking at swaps are tested on.

use matching_core::cost;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::NarrowGrid;
use crate::groups::Groups;
use crate::layout::Layout;
use crate::pairwise::Grid;

/// Groups of these sizes, and players who are pinned to a group.
pub(super) fn layout(sizes: &[usize], pins: &[(usize, usize)]) -> Layout {
    let groups = Groups::with_bounds(sizes.iter().map(|&size| size..=size)).expect("bounds");
    Layout::new(sizes.iter().sum(), &groups, &[], pins).expect("a layout")
}

/// Costs of which a quarter are the least and a quarter the greatest, so that changes are as large as they can be.
pub(super) fn extreme(rng: &mut ChaCha8Rng) -> i64 {
    match rng.random_range(0..4) {
        0 => -1_000_000,
        1 => 1_000_000,
        _ => rng.random_range(-1_000_000..=1_000_000),
    }
}

pub(super) fn wide(layout: &Layout, draw: impl Fn(&mut ChaCha8Rng) -> i64, rng: &mut ChaCha8Rng) -> Grid {
    let n = layout.len;
    let table: Vec<i64> = (0..n * n).map(|_| draw(rng)).collect();
    let cost = cost::from_symmetric_fn(n, |i, j| table[i.min(j) * n + i.max(j)]);
    Grid::new(&cost, layout, &|| false)
        .expect("costs are numbers")
        .expect("nobody cancels")
}

#[test]
fn small_integers_stay_as_they_are() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let layout = layout(&[5; 10], &[]);
    let grid = wide(&layout, |rng| rng.random_range(500..600), rng);
    let narrow = grid.narrow().expect("swaps alone");
    assert_eq!(narrow.factor(), 1.0);
    let least = (0..50).flat_map(|i| &grid.row(i)[..i as usize]).min().expect("pairs");
    for i in 0..50 {
        for j in (0..50).filter(|&j| j != i) {
            assert_eq!(i32::from(narrow.row(i)[j as usize]), grid.row(i)[j as usize] - least);
        }
    }
}

/// Seven bits where swaps take long, if they are enough for how costs spread.
#[test]
fn costs_have_as_few_steps_as_suit_them() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let even = |rng: &mut ChaCha8Rng| rng.random_range(0..1_000_000);
    // A middle half of a tenth of the range.
    let peaked = |rng: &mut ChaCha8Rng| match rng.random_range(0..10) {
        0 => rng.random_range(0..1_000_000),
        _ => rng.random_range(400_000..600_000),
    };
    let few_steps = |sizes: &[usize], draw: &dyn Fn(&mut ChaCha8Rng) -> i64, rng: &mut ChaCha8Rng| {
        let grid = wide(&layout(sizes, &[]), draw, rng);
        grid.narrow().expect("swaps alone").is_small()
    };
    assert!(few_steps(&[20; 15], &even, rng));
    assert!(!few_steps(&[20; 15], &peaked, rng));
    assert!(!few_steps(&[20; 12], &even, rng));
    assert!(!few_steps(&[5; 60], &even, rng));
}

/// What is not counted on the wide grid cannot be the best there, and what may be is no wide field.
#[test]
fn rounding_tells_groupings_apart_by_less_than_is_allowed_for() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let grid = wide(&layout(&[12; 6], &[]), |rng| rng.random_range(0..1_000_000), rng);
    let narrow = grid.narrow().expect("swaps alone");
    let mut group_of: Vec<u32> = (0..72).map(|unit| unit % 6).collect();
    let rounded = (0..300).map(|_| {
        group_of.shuffle(rng);
        let together = (0..72).flat_map(|i| (0..i).map(move |j| (i, j)));
        let wide = together.filter(|&(i, j)| group_of[i] == group_of[j]);
        let wide: i64 = wide.map(|(i, j)| i64::from(grid.row(i as u32)[j])).sum();
        narrow.total(&group_of) as f64 - wide as f64 * narrow.factor()
    });
    let rounded = Vec::from_iter(rounded);
    let most = rounded.iter().copied().fold(f64::MIN, f64::max);
    let range = most - rounded.iter().copied().fold(f64::MAX, f64::min);
    let slack = NarrowGrid::slack(6 * 12 * 11 / 2) as f64;
    assert!(range < slack && slack < 4.0 * range, "{range} of {slack}");
}

#[test]
fn limits_are_rounded_down() {
    let draws: Vec<f32> = (0..100).map(|at| at as f32 * 0.37).collect();
    for temperature in [0.0, 0.9, 3.0, 71.5, 1e6] {
        let mut limits = [0; 100];
        super::fill_limits(&mut limits, &draws, temperature);
        for (limit, draw) in limits.iter().zip(&draws) {
            let most = (draw * temperature).min(super::MOST_LIMIT);
            // What is a whole number already may be counted as the one before.
            let is_whole = most > 0.0 && most.fract() == 0.0;
            let is_next = *limit == most as i16 + 1;
            assert!(is_next || is_whole && *limit == most as i16, "{most}: {limit}");
        }
    }
}

#[test]
fn what_needs_more_than_swaps_has_no_narrow_grid() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let cases = [
        (Groups::of_size(20, 5).expect("groups"), vec![]),
        (Groups::with_bounds(vec![3..=6; 4]).expect("bounds"), vec![]),
        (
            Groups::with_bounds(vec![4..=4; 4]).expect("bounds").with_bench(4),
            vec![],
        ),
        (Groups::of_size(20, 5).expect("groups"), vec![vec![0, 1]]),
        (
            Groups::of_size(20, 5).expect("groups"),
            (0..10).map(|i| vec![i, 19 - i]).collect(),
        ),
    ];
    let has_grid = cases.map(|(groups, parties)| {
        let layout = Layout::new(20, &groups, &parties, &[]);
        layout.is_ok_and(|layout| wide(&layout, extreme, rng).narrow().is_some())
    });
    assert_eq!(has_grid, [true, false, false, false, true]);
}

#[test]
fn where_little_would_be_left_of_the_costs_there_is_no_narrow_grid() {
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    let layout = layout(&[5; 10], &[]);
    let rare = |rng: &mut ChaCha8Rng| match rng.random_range(0..500) {
        0 => 10_000_000,
        _ => rng.random_range(0..100),
    };
    assert!(wide(&layout, rare, rng).narrow().is_none());
}
