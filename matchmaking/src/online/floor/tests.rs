//! The process against closed forms and simulations.

use std::time::Duration;

use matching_core::{Budget, CancelToken, StopReason};

use super::allowance::Allowance;
use super::estimate::limit;
use super::{Floor, FloorProblem, Grid};
use crate::online::{Account, Error, Pattern, PolicyKind, Setting, simulate};

const TAU_MAX: f64 = 5.0;
const WEIGHT: f64 = 2.0;

fn cost(rate: f64, cells: usize, ages: usize, waiting: usize) -> f64 {
    let floor = Floor::new(rate, TAU_MAX, WEIGHT).unwrap();
    floor.on(Grid { cells, ages, waiting }).unwrap().0
}

/// Mean cost per two arrivals, and its standard error over ten sequences.
fn simulated(rate: f64, run: impl Fn(&Setting, &crate::online::Arrivals) -> crate::online::Games) -> (f64, f64) {
    let setting = Setting::new(2, TAU_MAX, 1).unwrap();
    let costs: Vec<f64> = (0..10)
        .map(|seed| {
            let arrivals = Pattern::Constant(rate).arrivals(20_000, 1, seed).unwrap();
            let games = run(&setting, &arrivals);
            2.0 * Account::new(&setting, &arrivals, &games).unwrap().per_player()
        })
        .collect();
    let mean = costs.iter().sum::<f64>() / 10.0;
    let squares: f64 = costs.iter().map(|cost| (cost - mean).powi(2)).sum();
    (mean, (squares / 90.0).sqrt())
}

/// Where hardly anybody meets, grids cost the same up to rounding, and the one that cost least was one whose half is not
/// among them: however many states were allowed, they were too few.
#[test]
fn rare_arrivals_have_a_floor() -> Result<(), Error> {
    for rate in [2e-6, 1e-4, 2e-4, 1e-3] {
        let estimate = Floor::new(rate, 5.0, 2.0)?.estimate(20_000, 1_000, 1)?;
        let cost = estimate.cost;
        assert!(estimate.relaxed <= cost && cost <= estimate.attained + 3.0 * estimate.attained_error);
        // A lone player is served at once, without deadlines, or after the longest wait.
        assert!(
            (cost - 7.0).abs() < 1.01 + estimate.error,
            "{rate}: {cost} {}",
            estimate.error
        );
    }
    Ok(())
}

#[test]
fn in_one_cell_everybody_plays_at_once() {
    for rate in [0.7, 3.0] {
        let greedy = WEIGHT / 3.0 + 1.0 / (rate * TAU_MAX);
        let found = cost(rate, 1, 0, 3);
        assert!((found - greedy).abs() < 1e-6, "{found} {greedy}");
    }
}

#[test]
fn in_one_cell_a_newcomer_is_due_after_as_many_ticks_as_there_are_ages() {
    for (rate, ages) in [(0.5, 1), (0.5, 6), (2.0, 3)] {
        let ticks = ages as f64 / TAU_MAX;
        let alone = (ticks / (rate + ticks)).powi(ages as i32);
        let wait = (1.0 - alone) / rate;
        let of_a_game = (1.0 - alone) * WEIGHT / 3.0 + alone * (WEIGHT + 1.0) + wait / TAU_MAX;
        let expected = 2.0 * of_a_game / (2.0 - alone);
        let found = cost(rate, 1, ages, 3);
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
}

#[test]
fn a_criterion_without_weight_is_not_waited_for() {
    let floor = Floor::new(3.0, TAU_MAX, 0.0).unwrap();
    let grid = Grid {
        cells: 6,
        ages: 0,
        waiting: 4,
    };
    assert!((floor.on(grid).unwrap().0 - 1.0 / (3.0 * TAU_MAX)).abs() < 1e-6);
}

/// At this rate hardly anybody waits for `τ_max`.
#[test]
fn the_rule_of_a_grid_costs_in_a_simulation_what_its_process_says() {
    let floor = Floor::new(10.0, TAU_MAX, WEIGHT).unwrap();
    let grid = Grid {
        cells: 10,
        ages: 0,
        waiting: 8,
    };
    let policy = floor.policy(grid).unwrap();
    let (mean, error) = simulated(10.0, |setting, arrivals| {
        simulate(setting, policy.clone(), arrivals).unwrap()
    });
    let expected = floor.on(grid).unwrap().0;
    assert!(
        (mean - expected).abs() < 4.0 * error + 2e-3,
        "{mean} {error} {expected}"
    );
}

#[test]
fn finer_cells_cost_less_deadlines_more_and_a_limit_of_those_who_wait_as_well() {
    assert!(cost(3.0, 12, 0, 5) < cost(3.0, 6, 0, 5));
    assert!(cost(3.0, 6, 0, 5) < cost(3.0, 6, 4, 4));
    assert!(cost(3.0, 6, 0, 5) < cost(3.0, 6, 0, 2));
}

#[test]
fn no_policy_costs_less_than_the_floor() {
    let floor = Floor::new(1.0, TAU_MAX, WEIGHT).unwrap();
    let found = floor.estimate(60_000, 20_000, 1).unwrap();
    let (slack, error) = simulated(1.0, |setting, arrivals| {
        simulate(setting, PolicyKind::Slack.build(setting).unwrap(), arrivals).unwrap()
    });
    assert!(found.cost - found.error < slack + 3.0 * error, "{found:?} {slack}");
    assert!(found.cost - found.error < found.attained + 3.0 * found.attained_error);
    assert!(found.relaxed < found.cost);
}

#[test]
fn polynomials_are_followed_to_zero() {
    let at = |x: f64| (x, 3.0 - 2.0 * x + 5.0 * x * x);
    assert!((limit(&[at(0.5), at(0.25), at(0.2)]) - 3.0).abs() < 1e-12);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (rate, tau_max, weight) in [
        (0.0, 5.0, 2.0),
        (f64::NAN, 5.0, 2.0),
        (1.0, -1.0, 2.0),
        (1.0, 5.0, f64::INFINITY),
    ] {
        assert!(matches!(
            Floor::new(rate, tau_max, weight),
            Err(Error::Floor(FloorProblem::Model { .. }))
        ));
    }
    let floor = Floor::new(1.0, TAU_MAX, WEIGHT).unwrap();
    let grid = |cells, ages, waiting| Grid { cells, ages, waiting };
    for grid in [
        grid(0, 0, 1),
        grid(64, 0, 1),
        grid(4, 15, 1),
        grid(4, 0, 0),
        grid(4, 0, 12),
    ] {
        assert_eq!(floor.on(grid), Err(FloorProblem::Grid { grid }.into()));
    }
    assert!(floor.policy(grid(4, 2, 2)).is_err());
    assert!(floor.estimate(10, 10_000, 0).is_err() && floor.estimate(1_000, 10, 0).is_err());
}

/// Grids that were solved are not lost where somebody cancels while their rule is simulated.
#[test]
fn the_simulation_is_cut_short_with_what_it_says_by_then() {
    let floor = Floor::new(1.0, TAU_MAX, WEIGHT).unwrap();
    let policy = floor
        .policy(Grid {
            cells: 6,
            ages: 0,
            waiting: 3,
        })
        .unwrap();
    let (free, token) = (Budget::new(), CancelToken::new());
    let cancelled = Budget::new().cancel(token.clone());
    let batches = |budget: &Budget| {
        let mut allowance = Allowance::new(budget);
        let costs = floor.attained(&policy, 2_000, 1, &mut allowance).unwrap();
        (costs, allowance.stop)
    };
    let (all, stop) = batches(&free);
    assert_eq!((all.len(), stop), (20, None));
    assert_eq!(batches(&cancelled), (all.clone(), None));
    token.cancel();
    let (some, stop) = batches(&cancelled);
    assert_eq!((&some[..], stop), (&all[..5], Some(StopReason::Cancelled)));
    // Work is not counted here.
    assert_eq!(batches(&Budget::new().work(0)), (all, None));
}

/// What a budget leaves is what fewer states would, and true.
#[test]
fn a_budget_ends_the_refining() {
    let floor = Floor::new(1.0, TAU_MAX, WEIGHT).unwrap();
    let whole = floor.estimate(20_000, 2_000, 1).unwrap();
    assert_eq!(whole.stop, None);
    let within = |budget: &Budget| floor.estimate_within(20_000, 2_000, 1, budget);
    let stopped = |reason| Err(Error::Floor(FloorProblem::Stopped { reason }));
    assert_eq!(within(&Budget::new().work(1 << 50)), Ok(whole.clone()));
    assert_eq!(within(&Budget::new().work(1_000)), stopped(StopReason::WorkLimit));
    assert_eq!(
        within(&Budget::new().time(Duration::ZERO)),
        stopped(StopReason::TimeLimit)
    );
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(within(&Budget::new().cancel(token)), stopped(StopReason::Cancelled));
    let (mut some, mut before, mut is_whole) = (0, 0, false);
    for work in (16..40).map(|bits| 1_u64 << bits) {
        let budget = Budget::new().work(work);
        let Ok(found) = within(&budget) else { continue };
        assert_eq!(within(&budget).as_ref(), Ok(&found));
        // The first grids are those that there are without a limit.
        assert!(
            found.cells.len() >= before && whole.cells.starts_with(&found.cells),
            "{work}"
        );
        assert!(
            (found.cost - whole.cost).abs() <= found.error + whole.error,
            "{work} {found:?}"
        );
        before = found.cells.len();
        some += usize::from(found.stop == Some(StopReason::WorkLimit));
        if found.stop.is_none() {
            assert_eq!(found, whole);
            // Nor does a greater limit bite.
            is_whole = true;
            break;
        }
    }
    assert!(
        is_whole && some > 0,
        "a limit between the first two grids and all of them, please"
    );
}

/// Costs per step were known as closely whatever the rate, and of many ticks between two arrivals each step costs next to
/// nothing: at a rate of 1e-8 a grid cost 6 instead of 8, and the estimate was 6 as well, up to 3e-8.
#[test]
fn ticks_between_rare_arrivals_hide_no_cost() -> Result<(), Error> {
    let grid = Grid {
        cells: 3,
        ages: 2,
        waiting: 3,
    };
    for rate in [1e-3, 1e-5, 1e-8, 1e-10, 1e-12, 1e-20, 1e-100] {
        // Each waits and plays with a bot, for 4. Who is met is met within some 5 of the arrivals at most.
        let floor = Floor::new(rate, TAU_MAX, WEIGHT)?;
        let possible = 8.0 - 100.0 * rate..=8.0 + 1e-6;
        match floor.on(grid) {
            Ok((cost, _)) => assert!(possible.contains(&cost), "{rate}: {cost}"),
            Err(error) => {
                let is_far = matches!(&error, Error::Floor(FloorProblem::Chain { .. }));
                assert!(is_far && rate < 1e-4, "{rate}: {error}");
            }
        }
        if let Ok(estimate) = floor.estimate(3_000, 1_000, 1) {
            assert!(
                estimate.cost + estimate.error > *possible.start(),
                "{rate}: {estimate:?}"
            );
        }
    }
    Ok(())
}
