//! What staying alone costs between two sides: prices of all heights, far apart, and byes.

use matching_core::cost::DenseMatrix;
use matching_core::{Blossom, Cost, Engine, Objective, SolvedBy, oracle};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{solve, solve_with};
use crate::two_sides::table;

/// Prices far beyond all costs, so that columns differ by more than the bits of a lane; some pairs are forbidden.
#[test]
fn prices_may_be_far_beyond_all_costs() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for case in 0..3_000 {
        let (rows, cols) = (rng.random_range(1..4), rng.random_range(11..16));
        let unit = 1_i64 << rng.random_range(0..40);
        let mut table = DenseMatrix::new(
            rows,
            cols,
            (0..rows * cols).map(|_| rng.random_range(0..=unit)).collect(),
        )
        .unwrap();
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            if rng.random_bool(0.4) {
                table.forbid(i, j);
            }
        }
        let sides = table.two_sided();
        let most = rng.random_range(1..200) * unit;
        let prices = (0..rows + cols).map(|_| rng.random_range(-most..=most)).collect();
        let objective = Objective::MinOptOut(prices);
        let best = oracle::solve(&sides, &objective).expect("few vertices");
        let found = solve(&objective, &sides).map(|found| found.cost());
        assert_eq!(found, best.map(|best| best.cost), "{case}");
    }
}

/// Prices of all heights, on tables at which duals come from samples: nothing is left to other engines.
#[test]
fn samples_have_prices_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for case in 0..96 {
        let kind = [2, 3, 4, 5, 6, 7, 1, 12][case % 8];
        let rows = rng.random_range(66..170);
        let sizes = match case / 8 % 3 {
            0 => (rows, rows),
            1 => (rows + rows / 4, rows),
            _ => (66, 3 * 66),
        };
        let sides = table(kind, sizes, &mut rng).two_sided();
        let most = [40, 10_000, 90_000, 10_000_000][case / 24];
        let is_one = rng.random_bool(0.3);
        let prices = (0..sides.len()).map(|_| {
            if is_one {
                most
            } else {
                rng.random_range(-most / 10..most)
            }
        });
        let objective = Objective::MinOptOut(prices.collect());
        let found = solve(&objective, &sides).expect("all may stay alone");
        assert_eq!(found.solved_by(), SolvedBy::Assignment, "{case}");
        let lists = Blossom::new().engine(Engine::Sparse);
        let expected = solve_with(&lists, &objective, &sides).expect("all may stay alone");
        assert_eq!(found.cost(), expected.cost(), "{case}");
    }
}

/// Costs that are sums of far more bits than a lane has, and of small differences: those are what decides.
#[test]
fn sums_of_many_bits_leave_what_is_small() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for case in 0..72 {
        let rows = rng.random_range(66..140);
        let cols = [rows, rows + 1, rows + 40][case % 3];
        let noise = [1, 3, 1_000][case / 3 % 3];
        let mut side = |count| -> Vec<i64> { (0..count).map(|_| rng.random_range(-(1 << 44)..1 << 44)).collect() };
        let (of_rows, of_columns, prices) = (side(rows), side(cols), side(rows + cols));
        let data = of_rows
            .iter()
            .flat_map(|row| of_columns.iter().map(move |column| row + column));
        let data = data.map(|sum| sum + rng.random_range(0..noise)).collect();
        let mut table = DenseMatrix::new(rows, cols, data).expect("as many entries as that");
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            if case % 2 == 1 && rng.random_bool(0.4) {
                table.forbid(i, j);
            }
        }
        let sides = table.two_sided();
        let mut objectives = vec![
            Objective::MaxWeight,
            Objective::MaxCardinality,
            Objective::MinOptOut(prices.clone()),
        ];
        if rows == cols {
            objectives.extend([Objective::MinPerfect, Objective::MaxPerfect]);
        } else if cols == rows + 1 {
            objectives.push(Objective::MinBye(prices));
        }
        for objective in objectives {
            let found = solve(&objective, &sides).expect("there is one");
            assert_eq!(found.solved_by(), SolvedBy::Assignment, "{case} {objective:?}");
            let lists = Blossom::new().engine(Engine::Sparse);
            let expected = solve_with(&lists, &objective, &sides).expect("there is one");
            assert_eq!(found.cost(), expected.cost(), "{case} {objective:?}");
        }
    }
}

/// Prices far above all costs, and far apart, among few allowed pairs.
#[test]
fn prices_far_apart_hide_no_pair() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for case in 0..60 {
        let (rows, cols) = (60, 60 + case % 3);
        let data = (0..rows * cols)
            .map(|_| rng.random_range(-(1 << 30)..1 << 30))
            .collect();
        let mut table = DenseMatrix::<i64>::new(rows, cols, data).expect("as many entries as that");
        for (i, j) in (0..rows).flat_map(|i| (0..cols).map(move |j| (i, j))) {
            if rng.random_bool(0.8) {
                table.forbid(i, j);
            }
        }
        let sides = table.two_sided();
        let prices = (0..rows + cols).map(|_| rng.random_range(0..1 << 33)).collect();
        let objective = Objective::MinOptOut(prices);
        let found = solve(&objective, &sides).expect("all may stay alone");
        let lists = Blossom::new().engine(Engine::Sparse);
        let expected = solve_with(&lists, &objective, &sides).expect("all may stay alone");
        assert_eq!(found.cost(), expected.cost(), "{case}");
        assert_eq!(found.solved_by(), SolvedBy::Assignment);
    }
}

/// One vertex of the larger side has the bye, whatever it costs, and both who has it and why nobody can are proven.
#[test]
fn a_bye_is_found_by_paths_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let mut byes = [0, 0];
    for case in 0..80 {
        let rows = rng.random_range(60..200);
        let (rows, cols) = if case % 2 == 0 {
            (rows, rows + 1)
        } else {
            (rows + 1, rows)
        };
        let sides = table(case, (rows, cols), &mut rng).two_sided();
        let most = [40, 100_000, 1 << 40][case / 2 % 3];
        let prices: Vec<i64> = (0..rows + cols).map(|_| rng.random_range(-most / 10..most)).collect();
        let objective = Objective::MinBye(prices);
        let found = solve(&objective, &sides);
        let lists = Blossom::new().engine(Engine::Sparse);
        let expected = solve_with(&lists, &objective, &sides);
        assert_eq!(
            found.as_ref().map(|found| found.cost()),
            expected.map(|expected| expected.cost()),
            "{case}"
        );
        let Some(found) = found else { continue };
        assert_eq!(found.solved_by(), SolvedBy::Assignment, "{case}");
        let alone: Vec<usize> = found.unmatched().collect();
        assert!(alone.len() == 1 && (alone[0] < rows) == (rows > cols), "{alone:?}");
        byes[case % 2] += 1;
    }
    assert!(byes.iter().all(|&byes| byes > 30), "{byes:?}");
    // A row that has no column is not the one who may stay alone.
    for spare in [1, 2, 3] {
        let mut table = table(0, (70, 70 + spare), &mut rng);
        (0..70 + spare).for_each(|column| table.forbid(7, column));
        let sides = table.two_sided();
        let objective = Objective::MinBye(vec![0; sides.len()]);
        assert_eq!(solve(&objective, &sides), None, "{spare}");
    }
}

/// Prices of which a few, or all, differ far more than costs do.
#[test]
fn prices_far_apart_take_few_looks() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for case in 0..24 {
        let kind = [0, 2, 5, 6][case % 4];
        let sizes = [(300, 300), (300, 400), (300, 301)][case / 4 % 3];
        let sides = table(kind, sizes, &mut rng).two_sided();
        let price = |_| match case / 12 {
            0 => rng.random_range(0..1 << 45),
            _ if rng.random_bool(0.05) => 1 << 45,
            _ => rng.random_range(0..1_000_000),
        };
        let prices: Vec<i64> = (0..sides.len()).map(price).collect();
        for objective in [Objective::MinOptOut(prices.clone()), Objective::MinBye(prices)] {
            if matches!(objective, Objective::MinBye(_)) && sizes != (300, 301) {
                continue;
            }
            let found = solve(&objective, &sides).expect("all pairs are allowed");
            let entries = (sizes.0 * sizes.1) as u64;
            assert!(found.work() < 128 * entries, "{case}: {} looks", found.work());
        }
    }
}

#[test]
fn sums_of_many_bits_take_few_looks() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let side = 300;
    let mut sums = || -> Vec<i64> { (0..side).map(|_| rng.random_range(0..1 << 44)).collect() };
    let (rows, columns) = (sums(), sums());
    let data = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| row + column));
    let data = data.map(|sum| sum + rng.random_range(0..100)).collect();
    let sides = DenseMatrix::new(side, side, data)
        .expect("as many entries as that")
        .two_sided();
    let found = solve(&Objective::MinPerfect, &sides).expect("all pairs are allowed");
    let looks = found.work() / (side * side) as u64;
    // Without what is left of them some 120.
    assert!(looks < 20, "{looks}");
}
