//! Temperatures found for one problem, where those measured on large groups and random costs do not hold.
//!
//! In small groups order comes at lower temperatures, and where costs are distances, to be small or great, it goes on
//! far below: a thousand points on a line, in fives, are still being sorted at a hundredth of the temperature at which
//! groups form.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::annealing::{self, HOT, Walk, WideWalk};
use super::gains::Gains;
use super::limits::Limits;
use super::narrow::{Bounds, Narrow};
use super::scale::is_flexible;
use crate::best::Best;
use crate::control::Control;
use crate::moves::Proposer;
use crate::state::{Schedule, State};

/// Part of the budget for a trial, at most: of the work, and of the time.
const PART: f64 = 0.125;
/// Temperatures of a trial: the first, in units of [`annealing::schedule`], each as a part of the one before, and how
/// many there are.
const LEVELS: (f64, f64, i32) = (0.5, 0.75, 24);
/// How much of the cost that a trial loses from its first temperature to its last is left where order comes, in small
/// groups and in large ones, which a quick cooling finds in order too late.
const LEFT: (f64, f64) = (0.25, 0.5);
/// How much is left where order is complete.
const LAST: f64 = 0.01;
/// Scans for each unit at one temperature, at most: where most of them end with a swap, balance is soon there.
const SCANS: usize = 4;
/// Scans at a time.
const BATCH: usize = 64;
/// Swaps that are looked at in a second, at least, where few of them are made.
const SPEED: f64 = 3e8;
/// Units whose swaps are looked at where there is no time for a trial, and how many of the cheapest of each.
const LOOKS: (usize, usize) = (200, 64);
/// Swaps of a unit that pass at the hottest and at the coldest temperature, by what they cost in a grouping that no swap
/// improves.
const PASSING: (f64, f64) = (0.3, 0.01);

/// Units up to which any cooling will do.
const FEW: usize = 24;
/// Units to a group, in the mean, below which random costs want other temperatures as well.
const SMALL: usize = 8;

/// Whether temperatures are better found for this problem alone: where groups are small, where costs have to do with
/// each other, as distances do, or where the budget is far below what it takes to come down from where nothing is in
/// order.
pub(crate) fn is_calibrated(state: &Gains, control: &Control<'_>) -> bool {
    let layout = state.partition().layout();
    let is_stuck = Proposer::new(state.partition()).is_stuck(state.partition());
    let is_small = layout.units() < SMALL * layout.groups();
    layout.units() > FEW && !is_stuck && (is_small || !affords_trial(state, control) || state.is_coherent())
}

/// Swaps that a trial looks at, at each temperature.
fn level(state: &Gains) -> u64 {
    let units = state.grid().units() as u64;
    units * units
}

/// Whether a trial leaves the most of the budget for the search.
fn affords_trial(state: &Gains, control: &Control<'_>) -> bool {
    let looks = level(state) as f64 * f64::from(LEVELS.2);
    let work = control.left() as f64;
    let time = control
        .time_left()
        .map_or(f64::INFINITY, |time| time.as_secs_f64() * SPEED);
    looks <= PART * work.min(time)
}

/// Temperatures that suit a grouping that no swap improves, which is left as it is. `None` if it was stopped on the way,
/// or if nothing costs anything.
pub(crate) fn calibrate(state: &Gains, control: &mut Control<'_>) -> Option<Schedule> {
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let (hot, cold) = if affords_trial(state, control) {
        by_trial(&mut state.clone(), control, &mut rng)?
    } else {
        by_swaps(state, control, &mut rng)?
    };
    let usual = annealing::schedule(state);
    // What is forbidden must be able to move, unless nothing is, and so must whole players where groups may grow.
    let is_settled = state.is_allowed(state.partition()) && !is_flexible(state.partition().layout());
    let reach = if is_settled { hot } else { usual.reach.max(hot) };
    Some(Schedule {
        reach,
        hot,
        warm: (hot * cold).sqrt(),
        cold,
        reheat: Some((0.85 * hot, cold)),
        is_wide: true,
    })
}

/// Cools quickly, and looks between which temperatures cost falls.
fn by_trial(state: &mut Gains, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Option<(f64, f64)> {
    let unit = annealing::schedule(state).hot / HOT;
    let mut limits = Limits::exponential(state.grid().stride(), rng);
    let mut best = Best::of(state);
    let mut walk = WideWalk::new(state, &mut best);
    let mut curve: Vec<(f64, f64)> = Vec::new();
    for at in 0..LEVELS.2 {
        let temperature = LEVELS.0 * LEVELS.1.powi(at) * unit;
        curve.push((
            temperature,
            mean_total(&mut walk, &mut limits, temperature, control, rng)?,
        ));
    }
    let (first, last) = (curve[0].1, curve[curve.len() - 1].1);
    let above = |part: f64| {
        let at = curve
            .iter()
            .rposition(|&(_, total)| total - last > part * (first - last))?;
        Some(curve[at].0)
    };
    let is_large = Bounds::suits(walk.state().partition().layout());
    Some((above(if is_large { LEFT.1 } else { LEFT.0 })?, above(LAST)?))
}

/// The mean cost at one temperature, over the second half of a walk. `None` if it was stopped.
fn mean_total(
    walk: &mut WideWalk<'_>,
    limits: &mut Limits<i32>,
    temperature: f64,
    control: &mut Control<'_>,
    rng: &mut ChaCha8Rng,
) -> Option<f64> {
    let (units, stride) = (walk.state().grid().units(), walk.stride());
    let temperature = walk.temperature(temperature);
    let most = level(walk.state());
    let (mut looked, mut scans) = (0, 0);
    let (mut sum, mut count) = (0.0, 0.0);
    while looked < most && scans < SCANS * units {
        let now = walk.round(limits.at::<WideWalk<'_>>(temperature), (BATCH * stride) as u64, rng);
        if !control.spend(now) {
            return None;
        }
        looked += now;
        scans += BATCH;
        if 2 * looked > most || 2 * scans > SCANS * units {
            sum += walk.state().total as f64;
            count += 1.0;
        }
    }
    Some(sum / count)
}

/// By what swaps cost where none improves: between the temperatures at which some pass and hardly any.
fn by_swaps(state: &Gains, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Option<(f64, f64)> {
    let layout = state.partition().layout();
    let movable = layout.movable() as u32;
    let mut changes = Vec::new();
    for _ in 0..LOOKS.0 {
        let x = rng.random_range(0..movable);
        let others = layout
            .class_of(x)
            .filter(|&y| state.partition().group_of(y) != state.partition().group_of(x));
        let mut of_unit: Vec<i64> = others.map(|y| state.swap_change(x, y).max(0)).collect();
        if of_unit.len() > LOOKS.1 {
            of_unit.select_nth_unstable(LOOKS.1);
            of_unit.truncate(LOOKS.1);
        }
        changes.extend(of_unit.into_iter().map(|change| change as f64));
        if !control.spend(u64::from(movable)) {
            return None;
        }
    }
    let passing =
        |temperature: f64| changes.iter().map(|change| (-change / temperature).exp()).sum::<f64>() / LOOKS.0 as f64;
    let most = changes.iter().copied().fold(0.0, f64::max);
    (most > 0.0).then(|| {
        (
            temperature_of(PASSING.0, most, &passing),
            temperature_of(PASSING.1, most, &passing),
        )
    })
}

/// The temperature at which so many pass, by halving; within a millionth and a hundred times of what costs most.
fn temperature_of(wanted: f64, most: f64, passing: &dyn Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-6 * most, 100.0 * most);
    for _ in 0..30 {
        let middle = (low * high).sqrt();
        if passing(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use matching_core::{CancelToken, cost};

    use super::*;
    use crate::control::{Limits as Budget, Share};
    use crate::groups::Groups;
    use crate::layout::Layout;
    use crate::packing::Shape;
    use crate::pairwise::{Grid, deal};
    use crate::partition::Partition;

    /// Groups of so many units of one size, filled one after the other.
    fn dealt(units: usize, size: usize, cost: impl Fn(usize, usize) -> f64 + Sync) -> Gains {
        let layout = Layout::new(units, &Groups::of_size(units, size).expect("groups"), &[], &[]).expect("a layout");
        let grid = Grid::new(&cost::from_symmetric_fn(units, cost), &layout, &|| false);
        let grid = Arc::new(grid.expect("costs are numbers").expect("nobody cancels"));
        let shape = Shape::find(&layout, &|| false).expect("a packing");
        let group_of = deal(&grid, &layout, &shape, &|| false).expect("nobody cancels");
        Gains::new(grid, Partition::new(Arc::new(layout), &group_of), CancelToken::new())
    }

    /// What is done with a budget of so much work.
    fn with_budget<R>(work: u64, act: impl FnOnce(&mut Control<'_>) -> R) -> R {
        let budget = Budget::default();
        let share = Share {
            work: Some(work),
            end: None,
        };
        act(&mut Control::new(&budget, Instant::now(), 0, 1 << 13, share))
    }

    /// Temperatures in the cost's own numbers, of 300 units in fives and a budget.
    fn found(work: u64, cost: impl Fn(usize, usize) -> f64 + Sync) -> Option<(f64, f64)> {
        let mut state = dealt(300, 5, cost);
        let schedule = with_budget(work, |control| {
            assert!(state.descend(control) && is_calibrated(&state, control));
            calibrate(&state, control)
        })?;
        assert!(schedule.reach == schedule.hot && schedule.hot >= schedule.cold);
        let step = state.in_costs(1) - state.in_costs(0);
        Some((schedule.hot * step, schedule.cold * step))
    }

    fn noise(i: usize, j: usize) -> f64 {
        let (i, j) = (i.min(j) as u64, i.max(j) as u64);
        let mixed = (i << 20 | j).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) as f64
    }

    /// Players who are to differ as much as they can were annealed at temperatures of random costs, at which most of what
    /// is looked at is made.
    #[test]
    fn distances_want_temperatures_of_their_own_in_groups_of_any_size() {
        let apart = |i: usize, j: usize| (noise(i, 1000) - noise(j, 1000)).hypot(noise(i, 2000) - noise(j, 2000));
        let is_calibrated = |state: &Gains, work| with_budget(work, |control| is_calibrated(state, control));
        for size in [3, 10, 30] {
            assert!(is_calibrated(&dealt(120, size, apart), 1 << 40));
            assert!(is_calibrated(&dealt(120, size, |i, j| -apart(i, j)), 1 << 40));
            assert!(is_calibrated(&dealt(120, size, noise), 1 << 20), "little budget");
            assert_eq!(is_calibrated(&dealt(120, size, noise), 1 << 40), size < 8);
            assert!(!is_calibrated(&dealt(24, size.min(12), apart), 1 << 40), "few units");
        }
    }

    /// By trial and by swaps: a thousand times the cost is a thousand times the temperature, and what all pairs pay makes
    /// no difference.
    #[test]
    fn temperatures_follow_the_costs() {
        for work in [300_000, 100_000_000] {
            let (hot, cold) = found(work, noise).expect("temperatures");
            let (other_hot, other_cold) = found(work, |i, j| 1e3 * noise(i, j) + 1e9).expect("temperatures");
            assert!((other_hot / hot / 1e3 - 1.0).abs() < 0.1, "{work}: {hot}, {other_hot}");
            assert!(
                (other_cold / cold / 1e3 - 1.0).abs() < 0.5,
                "{work}: {cold}, {other_cold}"
            );
        }
    }

    /// On a line it is not over where among random costs it is; spreads are alike.
    #[test]
    fn points_on_a_line_are_sorted_in_the_cold() {
        let line = |i: usize, j: usize| (noise(i, 1000) - noise(j, 1000)).abs();
        for work in [300_000, 100_000_000] {
            let (hot, cold) = found(work, line).expect("temperatures");
            let (noise_hot, noise_cold) = found(work, noise).expect("temperatures");
            assert!(
                hot < 0.8 * noise_hot && cold < 0.5 * noise_cold,
                "{work}: {hot} {cold} {noise_hot} {noise_cold}"
            );
        }
    }

    #[test]
    fn where_nothing_costs_anything_there_are_none() {
        assert_eq!(found(300_000, |_, _| 7.0), None);
        assert_eq!(found(100_000_000, |_, _| 7.0), None);
    }
}
