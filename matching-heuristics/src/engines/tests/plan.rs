//! What a budget is divided into.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use matching_core::CancelToken;

use super::pairs;
use crate::control::Limits;
use crate::engines::Setting;
use crate::engines::annealing::{Plan, plan};
use crate::layout::Layout;
use crate::packing::Shape;
use crate::pairwise::{Gains, Grid};
use crate::partition::Partition;
use crate::state::State;
use crate::{Engine, Groups};

/// For groups of one size by pairs, a budget in coolings, and walks that were asked for.
fn planned(players: usize, size: usize, coolings: f64, walks: usize) -> Plan {
    let layout = Layout::new(players, &Groups::of_size(players, size).expect("groups"), &[], &[]);
    let layout = Arc::new(layout.expect("a layout"));
    let grid = Grid::new(&pairs(players, 1), &layout, &|| false).expect("costs are numbers");
    let setting = |work| Setting {
        limits: Limits {
            work: Some(work),
            ..Limits::default()
        },
        start: Instant::now(),
        seed: 1,
        stride: 1 << 13,
        walks,
        engine: Engine::Auto,
        layout: Arc::clone(&layout),
        warm: None,
        dealt: None,
        starts: None,
        packed: OnceLock::new(),
    };
    let rng = &mut setting(0).rng(0);
    let shape = Shape::find(&layout, &|| false).expect("a packing");
    let first = Partition::new(Arc::clone(&layout), &shape.deal(&layout, rng));
    let state = Gains::new(Arc::new(grid.expect("nobody cancels")), first, CancelToken::new());
    let work = coolings * state.cooling() * (players * players) as f64;
    plan(&setting(work as u64), &state, walks)
}

#[test]
fn large_groupings_with_time_get_a_ladder() {
    assert_eq!(planned(260, 20, 2.1, 1).ladders, Some(1));
    assert_eq!(planned(260, 20, 4.2, 2).ladders, Some(2));
    assert_eq!(planned(260, 20, 1.9, 1).ladders, None);
    assert_eq!(planned(260, 20, 3.9, 2).ladders, None);
    assert_eq!(planned(600, 24, 2.1, 1).ladders, Some(1));
    // Small groups, few players and many.
    assert_eq!(planned(260, 13, 9.0, 1).ladders, None);
    assert_eq!(planned(240, 20, 9.0, 1).ladders, None);
    assert_eq!(planned(720, 24, 9.0, 1).ladders, None);
}

#[test]
fn a_budget_is_worth_so_many_walks() {
    let of = |coolings| {
        let plan = planned(120, 12, coolings, 1);
        (plan.walks, plan.is_reheated)
    };
    assert_eq!(of(0.7), (1, false));
    assert_eq!(of(0.9), (1, true));
    assert_eq!(of(5.5), (5, true));
    assert_eq!(of(1e3), (32, true));
    assert_eq!(planned(120, 12, 2.0, 3).walks, 3);
}
