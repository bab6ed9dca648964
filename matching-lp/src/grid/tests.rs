//! Against exact arithmetic: costs are integers times a power of two, which 128 bits add up without loss.

use matching_core::cost;
use matching_heuristics::Groups;

use super::*;
use crate::random::draw;

/// Costs are multiples of two to minus this.
const FINE: i32 = 60;

/// A float as such a multiple.
fn fine(value: f64) -> i128 {
    let scaled = value * 2f64.powi(FINE);
    assert!(scaled.fract() == 0.0 && scaled.abs() < 1e36, "{value}");
    scaled as i128
}

/// A cost between -1 and 1, of that many binary digits after the point.
fn drawn(state: &mut u64, digits: i32) -> f64 {
    let most = 1 << digits.min(24);
    let head = draw(state, 2 * most + 1) as f64 - most as f64;
    let tail = if digits > 24 {
        draw(state, 1 << (digits - 24)) as f64
    } else {
        0.0
    };
    (head + tail / 2f64.powi((digits - 24).max(0))) / most as f64
}

/// The grid of a problem in which all players are one group, with the costs of pairs in their order.
fn of_one_group(costs: &[f64], n: usize) -> Grid {
    let table = cost::CondensedMatrix::new(n, costs.to_vec()).expect("pairs");
    let problem = Problem::new(&table, Groups::of_size(n, n).expect("one group")).expect("a problem");
    Grid::new(&problem).expect("numbers")
}

/// What the grid says of a sum of costs is no more than the sum, and it is that sum where the grid says that it is exact, which
/// it is if all costs are on it.
#[test]
fn bounds_are_bounds_of_exact_sums() {
    let mut state = 1;
    let mut exact = [0, 0];
    for round in 0..600 {
        let n = 2 + round % 6;
        let pairs = n * (n - 1) / 2;
        // Some with digits for which there is room, some with more.
        let digits = 28 + round as i32 % 20;
        let costs: Vec<f64> = (0..pairs).map(|_| drawn(&mut state, digits)).collect();
        let grid = of_one_group(&costs, n);
        for doublings in [0, 1, 5] {
            let grid = grid.coarser(doublings);
            let all_on_it = costs.iter().all(|&cost| grid.is_on_it(cost));
            assert_eq!(grid.is_exact, all_on_it, "round {round}: {grid:?}");
            exact[usize::from(grid.is_exact)] += 1;
            let units: i64 = costs.iter().map(|&cost| grid.units(cost)).sum();
            let sum: i128 = costs.iter().map(|&cost| fine(cost)).sum();
            let bound = fine(grid.lower_bound::<f64>(units, pairs));
            assert!(bound <= sum, "round {round}: {bound} {sum} {grid:?}");
            assert!(!grid.is_exact || bound == sum, "round {round}: {bound} {sum} {grid:?}");
        }
    }
    assert!(exact.iter().all(|&count| count > 100), "{exact:?}");
}

/// Costs that are all rounded up by half a step leave the bound no room.
#[test]
fn half_a_step_for_each_cost_may_be_missing() {
    // The last pair makes the steps, with digits for which there is no room.
    let costs = [0.0, 0.0, 1.0 + 2f64.powi(-52)];
    let grid = of_one_group(&costs, 3);
    assert!(!grid.is_exact);
    let step = grid.lower_bound::<f64>(1, 0);
    assert_eq!((grid.units(step), grid.units(-7.0 * step)), (1, -7));
    for terms in 1..50_usize {
        let each = (terms as f64 + 0.5) * step;
        let sum = grid.lower_bound::<f64>(grid.units(each) * terms as i64, terms);
        assert_eq!(sum, each * terms as f64);
    }
    assert_eq!(grid.lower_bound::<f64>(NOTHING, 3), f64::NEG_INFINITY);
    assert_eq!(grid.lower_bound::<i64>(NOTHING, 3), i128::MIN);
}

/// The finest grid on which totals keep to their bits: all costs as large as they may be leave it not much room.
#[test]
fn totals_keep_to_their_bits_and_need_them() {
    let mut state = 2;
    for round in 0..300 {
        let n = 2 + round % 9;
        let pairs = n * (n - 1) / 2;
        let cost = (1.0 + draw(&mut state, 1 << 20) as f64 / f64::from(1 << 20) + 2f64.powi(-50))
            * 2f64.powi(round as i32 - 150);
        let grid = of_one_group(&vec![cost; pairs], n);
        assert!(!grid.is_exact);
        let total = grid.units(cost).unsigned_abs() * (pairs + n) as u64;
        assert!(
            (1 << (TOTAL_BITS - 2)..1 << TOTAL_BITS).contains(&total),
            "{n} {cost}: {total}"
        );
    }
}

/// Integers keep to the bits as well, or are refused: also where there are more pairs in groups than players have.
#[test]
fn integers_that_add_up_to_too_many_bits_are_refused() {
    for (n, size) in [(2, 2), (6, 3), (7, 7), (12, 4)] {
        let terms = (n / size * (size * (size - 1) / 2) + n) as i64;
        let bits = |cost: i64| {
            let costs = cost::from_symmetric_fn(n, |_, _| cost);
            let problem = Problem::new(&costs, Groups::of_size(n, size).expect("groups")).expect("a problem");
            Grid::new(&problem).map(|grid| (grid.exponent, grid.is_exact))
        };
        // One bit is the sign's.
        let most = (1_i64 << (TOTAL_BITS - 1)) / terms;
        for cost in [most, -most, most - 1, 1, 0] {
            let fits = cost.abs() * terms < 1 << (TOTAL_BITS - 1);
            let wrong = Error::CostOverflow(Overflow::Total { bits: TOTAL_BITS + 1 });
            assert_eq!(
                bits(cost),
                if fits { Ok((0, true)) } else { Err(wrong) },
                "{n} {size} {cost}"
            );
        }
        assert!(bits(most + 1).is_err() && bits(1 << 60).is_err());
    }
}

/// A group that costs more than there was room for has room, and as much to spare as others, on the grid that is said to be
/// coarse enough, and not on one that is finer.
#[test]
fn the_grid_becomes_as_coarse_as_it_must() {
    let mut state = 3;
    for round in 0..400 {
        let scale = 2f64.powi(round - 200);
        let grid = of_one_group(&[scale * 0.7], 2);
        let most = 1 + draw(&mut state, 1 << 30) as i64;
        let cost = drawn(&mut state, 40) * 2f64.powi(draw(&mut state, 90) as i32) * scale;
        let Some(doublings) = grid.doublings(cost, most) else {
            panic!("{cost} is far below the largest float");
        };
        let size = |doublings: u32| grid.coarser(doublings).steps(cost).abs() * ROOM;
        let room = most as f64 * (1.0 + 1e-9);
        assert!(doublings >= 1 && size(doublings) <= room, "{cost} {most}: {doublings}");
        assert!(
            doublings == 1 || size(doublings - 1) * (1.0 + 2e-9) > room,
            "{cost} {most}: {doublings}"
        );
        assert_eq!(grid.coarser(doublings).doublings, doublings);
        assert_eq!(grid.coarser(1).coarser(doublings).doublings, doublings + 1);
    }
    // The largest float has room in steps of the largest size, eight of them to spare, where some thousands are left.
    let grid = of_one_group(&[1.0], 2);
    assert_eq!(grid.doublings(f64::MAX, 16), Some((COARSEST - grid.exponent) as u32));
    assert_eq!(grid.doublings(f64::MAX, 15), None);
    assert_eq!(grid.coarser(5000).exponent, COARSEST);
}

/// Rounded down is down, for costs of any size on steps of any size: far below a step, floats turned to zero on the way.
#[test]
fn what_is_far_below_a_step_is_not_on_the_grid() {
    for exponent in [-1074, -600, -40, 0, 1, 40, 100, 600, COARSEST] {
        let grid = Grid {
            exponent,
            finest: exponent,
            is_exact: true,
            doublings: 0,
        };
        for power in [-1074, -1000, -600, -60, -1, 0, 3, 500, 1000] {
            let value = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            if power - exponent > 40 {
                continue;
            }
            let (up, down) = if power >= exponent {
                let units = 1 << (power - exponent);
                (units, -units)
            } else {
                (0, -1)
            };
            let label = format!("two to {power} in steps of two to {exponent}");
            assert_eq!((grid.floor(value), grid.floor(-value)), (up, down), "{label}");
            for value in [value, -value] {
                assert_eq!(grid.is_on_it(value), power >= exponent, "{label}");
            }
        }
        assert_eq!((grid.floor(0.0), grid.floor(-0.0), grid.is_on_it(0.0)), (0, 0, true));
    }
}

/// The least and the largest steps there are lead to floats all the same.
#[test]
fn bounds_on_the_least_and_the_largest_steps() {
    let grid = |exponent| Grid {
        exponent,
        finest: exponent,
        is_exact: true,
        doublings: 0,
    };
    assert_eq!(grid(-1074).lower_bound::<f64>(3, 7), f64::from_bits(3));
    assert_eq!(grid(-1073).lower_bound::<f64>(-3, 7), -f64::from_bits(6));
    assert_eq!(grid(COARSEST).lower_bound::<f64>(-1, 7), -2f64.powi(COARSEST));
    assert_eq!(grid(COARSEST).lower_bound::<f64>(-2, 7), f64::NEG_INFINITY);
    assert_eq!(grid(COARSEST).inexact().lower_bound::<f64>(2, 2), 2f64.powi(COARSEST));
}

/// Whole groups that all cost the same have eight times the room that they need, of each cost.
#[test]
fn costs_of_whole_groups_have_room_to_spare() {
    for (players, size, bench) in [(6, 2, 0), (6, 3, 0), (7, 7, 0), (12, 4, 1), (20, 2, 1)] {
        for digits in [0, 50] {
            let each = 3.0 + 2f64.powi(-digits);
            let cost = cost::from_group_fn(players, |_: &[usize]| each);
            let groups = Groups::of_size(players, size).expect("groups");
            let count = groups.len();
            let groups = if bench > 0 {
                Groups::with_bounds(vec![size..=size; count - 1])
                    .expect("groups")
                    .with_bench(size)
            } else {
                groups
            };
            let count = groups.len();
            for costs in 1..4 {
                let mut problem = Problem::by_group(&cost, groups.clone()).expect("a problem");
                for _ in 1..costs {
                    problem = problem.group_cost(&cost).expect("a cost");
                }
                let grid = Grid::new(&problem).expect("numbers");
                let total = grid.steps(each) * 8.0 * (count * costs) as f64;
                assert!(
                    total < 2f64.powi(TOTAL_BITS as i32 - 1),
                    "{players} {size} {costs}: {total}"
                );
                assert_eq!(grid.is_exact, digits == 0);
                assert!(
                    grid.is_exact || total >= 2f64.powi(TOTAL_BITS as i32 - 2),
                    "{players} {size} {costs}: {total}"
                );
            }
        }
    }
}

/// Costs from two sides, where they may differ, and where they say that they do not.
#[test]
fn pairs_are_the_same_from_both_sides() {
    let table = |odd: (usize, usize), is_value: bool| {
        let entries = (0..9).map(|at| (at / 3, at % 3)).map(|pair| match pair == odd {
            true if is_value => Some(5_i64),
            true => None,
            false => Some(1),
        });
        cost::DenseMatrix::from_options(3, 3, &entries.collect::<Vec<_>>()).expect("a table")
    };
    for odd in [(0, 1), (1, 0), (1, 2), (2, 1)] {
        let (i, j) = (odd.0.min(odd.1), odd.0.max(odd.1));
        for is_value in [false, true] {
            let table = table(odd, is_value);
            let found = Pairs::of(&table).checked(i, j);
            assert_eq!(found, Err(Error::Asymmetric { i, j }), "{odd:?} {is_value}");
            assert_eq!(Pairs::of(&table).checked(0, 2), Ok(Some(1)));
        }
    }
    let mut both = table((0, 1), false);
    both.forbid(1, 0);
    assert_eq!(Pairs::of(&both).checked(0, 1), Ok(None));
    // One that says that it is symmetric is taken at its word, and asked once.
    let symmetric = cost::from_symmetric_fn(3, |i, j| if i < j { 1_i64 } else { 7 });
    assert_eq!(Pairs::of(&symmetric).checked(0, 1), Ok(Some(1)));
}
