//! Costs less what each row and each column costs in itself.
//!
//! Where costs are a sum of what a row and what a column costs and of far smaller differences, lanes hold the sum, and have no bits
//! left for the differences, by which partners are chosen. Who is best with whom is the same if something is taken off all of a row
//! or of a column: here what a tree of pairs says, all of which cost nothing then, and after that the least that each column, and then
//! each row, has left.

use super::super::lanes::{FORBIDDEN, LANE_BITS};
use super::super::rows::excess_bits;
use super::near::Weight;
use super::problem::{Problem, Standing, Terms};
use super::start;
use super::table::Table;
use crate::engine::{Dual, Limits};

/// Rows differ by as much in all columns, but for so many lanes at most: with more of them, lanes tell who is best with whom.
const FEW: i64 = 64;
/// Tables of such a size at a time: all of it, that of what is left, and that with its rows as columns.
const TABLES: u64 = 3;
/// How often all entries are looked at for it.
const PASSES: u64 = 2;

/// What is taken off, and what is left.
pub(super) struct Level<D> {
    /// What is left.
    pub(super) table: Table,
    /// Bits that its lanes lack.
    pub(super) down: u32,
    rows: Vec<D>,
    columns: Vec<D>,
}

impl<D: Dual> Level<D> {
    /// Of a table whose lanes lack some bits; `None` where it is not worth it, or too much for the memory, and the entries looked at.
    pub(super) fn of(problem: &Problem<'_, D>, limits: &Limits<'_>) -> (Option<Self>, u64) {
        let &Problem {
            table,
            down,
            weight,
            terms,
            workers,
        } = problem;
        let bytes = TABLES * 4 * table.entries();
        let work = PASSES * table.entries();
        let is_possible = down > 0 && bytes <= limits.memory() as u64 && limits.reached(work).is_none();
        if !is_possible || !looks_like_a_sum(table) {
            return (None, 0);
        }
        let (mut rows, tree) = of_tree(table, weight);
        let (columns, most) = of_columns(problem, &rows, &tree);
        // Prices must be told apart, too.
        let left = excess_bits(most.into().unsigned_abs()).max(bits(terms).saturating_sub(start::FAR_BITS - 1));
        // Far from a sum after all, or so far that duals might not fit: costs are below half of that.
        let bound = 2u128 << (LANE_BITS + down);
        let is_far = |&off: &D| off.into().unsigned_abs() > bound;
        if left >= down || rows.iter().chain(&columns).any(is_far) || limits.reached(work).is_some() {
            return (None, work);
        }
        let mut lanes = vec![FORBIDDEN; table.entries() as usize];
        workers.for_zipped_rows(
            (&mut lanes, table.columns()),
            &mut rows,
            Vec::new,
            |rests, row, lanes, off| {
                rests.clear();
                rests.extend(
                    table
                        .allowed(row)
                        .map(|column| (column, weight(row, column) - *off - columns[column])),
                );
                let least = rests.iter().map(|&(_, rest)| rest).min().unwrap_or(D::ZERO);
                *off += least;
                for &(column, rest) in rests.iter() {
                    lanes[column] = ((rest - least).into() >> left) as i32;
                }
            },
        );
        let level = Self {
            table: Table::new(lanes, table.columns()),
            down: left,
            rows,
            columns,
        };
        (Some(level), work)
    }

    /// What is left of a cost.
    pub(super) fn rest(&self, row: usize, column: usize, weight: D) -> D {
        weight - self.rows[row] - self.columns[column]
    }

    /// The same of what staying alone costs.
    pub(super) fn lower_terms(&self, terms: &mut Terms<D>) {
        let lower = |prices: &mut Option<Vec<D>>, off: &[D]| {
            for (price, &off) in prices.iter_mut().flatten().zip(off) {
                *price -= off;
            }
        };
        lower(&mut terms.alone, &self.rows);
        lower(&mut terms.caps, &self.columns);
    }

    /// What has been taken off is paid, too.
    pub(super) fn raise(&self, standing: &mut Standing<D>) {
        let raise = |duals: &mut [D], off: &[D]| {
            for (dual, &off) in duals.iter_mut().zip(off) {
                *dual += off;
            }
        };
        raise(&mut standing.rows, &self.rows);
        raise(&mut standing.columns, &self.columns);
    }

    /// All that has been taken off; `None` if that is too much for a number.
    pub(super) fn total(&self) -> Option<i128> {
        let mut all = self.rows.iter().chain(&self.columns);
        all.try_fold(0i128, |sum, &off| sum.checked_add(off.into()))
    }
}

/// How many bits the highest prices have.
fn bits<D: Dual>(terms: &Terms<D>) -> u32 {
    let prices = terms.alone.iter().chain(&terms.caps).flatten();
    let highest = prices.map(|&price| price.into().unsigned_abs()).max();
    highest.map_or(0, |highest| u128::BITS - highest.leading_zeros())
}

/// Whether some rows differ from each other by much the same in all columns.
fn looks_like_a_sum(table: &Table) -> bool {
    let rows: Vec<&[i32]> = start::some_rows(table).collect();
    rows.windows(2).all(|pair| {
        let both = pair[0]
            .iter()
            .zip(pair[1])
            .filter(|(one, other)| **one.max(other) < FORBIDDEN);
        let (least, greatest) = both.fold((i32::MAX, i32::MIN), |(least, greatest), (one, other)| {
            (least.min(one - other), greatest.max(one - other))
        });
        i64::from(greatest) - i64::from(least) <= FEW
    })
}

/// What rows and columns cost by a tree of pairs, or several where the table is in parts.
fn of_tree<D: Dual>(table: &Table, weight: Weight<'_, D>) -> (Vec<D>, Vec<D>) {
    let mut rows = vec![None; table.rows()];
    let mut columns = vec![None; table.columns()];
    let mut unknown_rows: Vec<usize> = (0..table.rows()).rev().collect();
    let mut unknown_columns: Vec<usize> = (0..table.columns()).collect();
    let (mut new_rows, mut new_columns) = (Vec::new(), Vec::new());
    while let Some(root) = unknown_rows.pop() {
        rows[root] = Some(D::ZERO);
        new_rows.push((root, D::ZERO));
        while !new_rows.is_empty() || !new_columns.is_empty() {
            while let Some((row, cost)) = new_rows.pop() {
                let rest = |column: usize| table.is_allowed(row, column).then(|| weight(row, column) - cost);
                reach(&mut unknown_columns, rest, &mut columns, &mut new_columns);
            }
            while let Some((column, cost)) = new_columns.pop() {
                let rest = |row: usize| table.is_allowed(row, column).then(|| weight(row, column) - cost);
                reach(&mut unknown_rows, rest, &mut rows, &mut new_rows);
            }
        }
    }
    let known = |costs: Vec<Option<D>>| costs.into_iter().map(|cost| cost.unwrap_or(D::ZERO)).collect();
    (known(rows), known(columns))
}

/// Those of one side that make a pair with somebody of the other, whose cost is known.
fn reach<D: Dual>(
    unknown: &mut Vec<usize>,
    rest: impl Fn(usize) -> Option<D>,
    costs: &mut [Option<D>],
    new: &mut Vec<(usize, D)>,
) {
    unknown.retain(|&at| {
        costs[at] = rest(at);
        new.extend(costs[at].map(|cost| (at, cost)));
        costs[at].is_none()
    });
}

/// What columns cost, so that nothing that is left is less than nothing; and the most that is left of any cost.
fn of_columns<D: Dual>(problem: &Problem<'_, D>, rows: &[D], tree: &[D]) -> (Vec<D>, D) {
    let &Problem {
        table, weight, workers, ..
    } = problem;
    let mut extremes = vec![(D::ZERO, D::ZERO); table.columns()];
    workers.for_rows(
        &mut extremes,
        1,
        || (),
        |(), column, extremes| {
            let allowed = (0..table.rows()).filter(|&row| table.is_allowed(row, column));
            let mut costs = allowed.map(|row| weight(row, column) - rows[row] - tree[column]);
            if let Some(first) = costs.next() {
                extremes[0] = costs.fold((first, first), |(least, most), cost| (least.min(cost), most.max(cost)));
            }
        },
    );
    let most = extremes.iter().map(|&(least, most)| most - least).max();
    let columns = extremes.into_iter().zip(tree).map(|((least, _), &tree)| tree + least);
    (columns.collect(), most.unwrap_or(D::ZERO))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::super::super::parallel::Workers;
    use super::*;
    use crate::budget::Budget;

    /// Costs of so many rows and columns that lack the bits that are too many; `None` where there is no pair.
    struct Costs {
        of_pairs: Vec<Option<i64>>,
        columns: usize,
    }

    impl Costs {
        fn new(rows: usize, columns: usize, mut pair: impl FnMut(usize, usize) -> Option<i64>) -> Self {
            let pairs = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let of_pairs: Vec<Option<i64>> = pairs.map(|(row, column)| pair(row, column)).collect();
            let least = of_pairs.iter().flatten().min().copied().unwrap_or(0);
            let of_pairs = of_pairs.into_iter().map(|cost| cost.map(|cost| cost - least)).collect();
            Self { of_pairs, columns }
        }

        fn level(&self) -> Option<Level<i64>> {
            let most = self.of_pairs.iter().flatten().max().copied().unwrap_or(0);
            let down = excess_bits(most.unsigned_abs().into());
            let lanes = self
                .of_pairs
                .iter()
                .map(|cost| cost.map_or(FORBIDDEN, |cost| (cost >> down) as i32));
            let problem = Problem {
                table: &Table::new(lanes.collect(), self.columns),
                down,
                weight: &|row, column| self.of_pairs[row * self.columns + column].expect("only pairs are asked for"),
                terms: &Terms {
                    alone: None,
                    caps: None,
                    has_bye: false,
                },
                workers: Workers::choose(1, 1),
            };
            Level::of(&problem, &Limits::start(&Budget::new())).0
        }
    }

    #[test]
    fn what_is_left_of_sums_is_small_and_exact() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for case in 0..300 {
            let (height, width) = (rng.random_range(1..20), rng.random_range(1..20));
            let mut sides = |count: usize| -> Vec<i64> { (0..count).map(|_| rng.random_range(0..1 << 45)).collect() };
            let (rows, columns) = (sides(height), sides(width));
            let density = [1.0, 0.5, 0.15][case % 3];
            let noise = 1 << (case % 10);
            let costs = Costs::new(height, width, |row, column| {
                let is_pair = rng.random_bool(density);
                is_pair.then(|| rows[row] + columns[column] + rng.random_range(0..noise))
            });
            let Some(level) = costs.level() else {
                // Few pairs, or costs that are alike.
                assert!(density < 1.0 || height * width < 8, "{case}");
                continue;
            };
            assert_eq!(level.down, 0);
            for row in 0..height {
                for column in 0..width {
                    let lane = level.table.row(row)[column];
                    let Some(cost) = costs.of_pairs[row * width + column] else {
                        assert_eq!(lane, FORBIDDEN);
                        continue;
                    };
                    assert_eq!(level.rest(row, column, cost), i64::from(lane));
                    assert!((0..=4 * (height + width) as i64 * noise).contains(&i64::from(lane)));
                    assert_eq!(cost, level.rows[row] + level.columns[column] + i64::from(lane));
                }
            }
            assert_eq!(
                level.total(),
                Some(
                    level
                        .rows
                        .iter()
                        .chain(&level.columns)
                        .map(|&off| i128::from(off))
                        .sum()
                )
            );
        }
    }

    #[test]
    fn other_costs_are_left_alone() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let differ = Costs::new(30, 30, |_, _| Some(rng.random_range(0..1 << 45)));
        let products = Costs::new(30, 30, |row, column| Some((row * column) as i64).map(|cost| cost << 30));
        let few_bits = Costs::new(30, 30, |row, column| Some((row + column) as i64));
        // Alike but in one row, which is not among those that are looked at.
        let one = Costs::new(33, 30, |row, column| {
            Some(if row == 1 {
                (column as i64 * 7 % 30) << 40
            } else {
                (row + column) as i64
            })
        });
        for costs in [differ, products, few_bits, one] {
            assert!(costs.level().is_none());
        }
    }
}
