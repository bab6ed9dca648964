//! All costs of a pool, evaluated once: what the engine, the checker and the report read.

use matching_core::Cost;
use matching_core::cost::DenseMatrix;
use matchmaking::PoolLimits;
use rayon::prelude::*;

use super::costs::Costs;
use super::solve::Weight;

/// Rows and columns copied to the other side of the diagonal at a time: both blocks lie in the cache together.
const BLOCK: usize = 64;

/// Fewer rows than this are mirrored by one thread.
const FEW_ROWS: usize = 4 * BLOCK;

/// Whether costs are kept as they are or with the sign changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plain,
    /// Byes are something to minimise with, so a maximum with a bye is turned round.
    Negated,
}

impl Sign {
    pub(super) fn apply(self, value: i64) -> i64 {
        match self {
            Self::Plain => value,
            Self::Negated => -value,
        }
    }
}

/// Integer widths that a pool's costs are kept in.
pub(super) trait Entry: Weight {
    /// The cost in this width; callers know that it fits.
    fn of(cost: i64) -> Self;
}

impl Entry for i32 {
    fn of(cost: i64) -> Self {
        cost as Self
    }
}

impl Entry for i64 {
    fn of(cost: i64) -> Self {
        cost
    }
}

/// A symmetric matrix of costs. The diagonal reads 0.
#[derive(Debug)]
pub(super) struct Table<V>(DenseMatrix<V>);

impl<V: Entry> Table<V> {
    /// Evaluates each pair once, rows on all threads, with what limits add, and without pairs beyond them.
    pub(super) fn new(costs: &Costs<'_>, limits: &PoolLimits<'_>, sign: Sign) -> Self {
        let n = costs.len();
        let mut data = vec![V::zero(); n * n];
        data.par_chunks_mut(n.max(1)).enumerate().for_each_init(
            || vec![0; n],
            |buffer, (i, row)| {
                let (after, row) = (&mut buffer[i + 1..], &mut row[i + 1..]);
                costs.fill_after(i, after);
                if limits.has_region_cost() {
                    let slots = after.iter_mut().zip(i + 1..);
                    slots.for_each(|(slot, j)| *slot += limits.pair(i, j));
                }
                match sign {
                    Sign::Plain => row.iter_mut().zip(after).for_each(|(slot, cost)| *slot = V::of(*cost)),
                    Sign::Negated => row.iter_mut().zip(after).for_each(|(slot, cost)| *slot = V::of(-*cost)),
                }
            },
        );
        mirror(&mut data, n, 0);
        let mut matrix = DenseMatrix::square(n, data).expect("n rows of n entries");
        limits.forbidden_pairs().for_each(|(i, j)| matrix.forbid_pair(i, j));
        Self(matrix)
    }
}

/// Copies what is right of the diagonal to its left, for the square block of these rows that begins at column `first`.
///
/// The upper half of the rows holds what the lower half needs from it, and the two are written by nobody else.
fn mirror<V: Copy + Send + Sync>(rows: &mut [V], n: usize, first: usize) {
    let count = rows.len() / n.max(1);
    if count <= FEW_ROWS {
        for top in (0..count).step_by(BLOCK) {
            for left in (0..=top).step_by(BLOCK) {
                for i in top..count.min(top + BLOCK) {
                    for j in left..i.min(left + BLOCK) {
                        rows[i * n + first + j] = rows[j * n + first + i];
                    }
                }
            }
        }
        return;
    }
    let half = count / 2;
    let (upper, lower) = rows.split_at_mut(half * n);
    lower.par_chunks_mut(BLOCK * n).enumerate().for_each(|(band, rows)| {
        let column = first + half + band * BLOCK;
        for left in (0..half).step_by(BLOCK) {
            let right = half.min(left + BLOCK);
            for (i, row) in rows.chunks_mut(n).enumerate() {
                let sources = upper[left * n + column + i..].iter().step_by(n);
                let slots = &mut row[first + left..first + right];
                slots.iter_mut().zip(sources).for_each(|(slot, source)| *slot = *source);
            }
        }
    });
    rayon::join(|| mirror(upper, n, first), || mirror(lower, n, first + half));
}

impl<V: Weight> Cost for Table<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn pair(&self, i: usize, j: usize) -> V {
        self.0.pair(i, j)
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.0.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.0.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn as_rows(&self) -> Option<&[V]> {
        self.0.as_rows()
    }

    fn fill_row(&self, i: usize, out: &mut [V]) {
        self.0.fill_row(i, out);
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        self.0.allowed_row(i, out);
    }
}

#[cfg(test)]
mod tests {
    use matching_core::Cost;
    use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, PoolLimits, SkillCost, SyntheticChurn};
    use rayon::ThreadPoolBuilder;

    use super::{BLOCK, Costs, FEW_ROWS, Sign, Table};

    fn pool(n: usize) -> Pool {
        let mut players = Pool::synthetic(n, 5).players().to_vec();
        for i in (3..n).step_by(7) {
            players[i].avoid = vec![players[i - 2].id.clone()];
            players[i].region = Some("eu".to_owned());
            players[i - 1].region = Some("us".to_owned());
        }
        Pool::new(players).expect("synthetic players are valid")
    }

    #[test]
    fn a_table_holds_what_the_cost_says_whatever_the_number_of_threads() {
        let churn = SyntheticChurn::new(Horizon::EightHours, 0);
        for n in [0, 1, 2, BLOCK, BLOCK + 1, FEW_ROWS + 1, 3 * FEW_ROWS + 7] {
            let pool = pool(n);
            let engagement = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).expect("probabilities");
            let skill = SkillCost::new(&pool);
            let free = PoolLimits::new(&pool);
            let limits = free
                .clone()
                .with_gap_limit(300.0)
                .and_then(|limits| limits.with_region_cost(-7));
            let limits = limits.expect("limits that can be");
            for threads in [1, 3] {
                let workers = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
                workers.install(|| {
                    let narrow = Table::<i32>::new(&Costs::Engagement(&engagement), &free, Sign::Plain);
                    let wide = Table::<i64>::new(&Costs::Skill(skill.clone()), &free, Sign::Negated);
                    let limited = Table::<i64>::new(&Costs::Skill(skill.clone()), &limits, Sign::Plain);
                    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j) {
                        assert_eq!(i64::from(narrow.pair(i, j)), engagement.pair(i, j));
                        assert_eq!(wide.pair(i, j), -skill.pair(i, j));
                        assert_eq!(narrow.is_allowed(i, j), pool.may_meet(i, j));
                        assert_eq!(limited.pair(i, j), skill.pair(i, j) + limits.pair(i, j));
                        assert_eq!(limited.is_allowed(i, j), limits.may_meet(i, j));
                    }
                });
            }
        }
    }
}
