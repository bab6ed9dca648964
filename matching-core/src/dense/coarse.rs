//! The costs of a pool in 16 bits: lower bounds, of which a look at all pairs reads half as many bytes.
//!
//! A pass over all pairs waits for memory, and hardly a pair that is no edge is near to becoming one. A rough look
//! tells: an entry is `(lane - base) >> down`, cut off above where no duals reach, and the duals of its row and its
//! column are rounded up. In each row, what looks small is counted, and so are the edges that do: of a row that has
//! more, the others are looked at. Those that look negative are computed from the lanes, and the small ones are noted
//! for the next solve.

use multiversion::multiversion;

/// Duals stay below two to this power, in steps of `2^(down + 1)` half units from `base` on: two of them are no more
/// than an entry that was cut off.
const DUAL_BITS: u32 = 14;
/// Duals may grow by one part in so many before all entries are computed anew, or shrink to so many bits less.
const ROOM: i32 = 4;
const SPARE: u32 = 1;
/// Entries that are looked at together.
const WIDTH: usize = 64;
/// Where more pairs of a vertex are small, lanes tell them apart faster.
const MANY: u32 = 32;

/// Entries of a row side by side, where cache lines begin.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Chunk([i16; WIDTH]);

/// What is never small.
const FAR: Chunk = Chunk([i16::MAX; WIDTH]);

/// Lower bounds of the lanes of a symmetric matrix: what is left of its diagonal.
#[derive(Clone, Debug)]
pub(super) struct Coarse {
    /// Row by row, each up to a whole chunk.
    chunks: Vec<Chunk>,
    base: i32,
    down: u32,
}

/// Chunks before row `i`.
fn first_chunk(i: usize) -> usize {
    let (block, row) = (i / WIDTH, i % WIDTH);
    WIDTH * (block * (block + 1) / 2) + row * (block + 1)
}

impl Coarse {
    /// Bounds that tell duals of up to `most` half units apart, for `n` rows of lanes of which none is less than
    /// `least`.
    pub(super) fn new<'r>(n: usize, row: impl Fn(usize) -> &'r [i32], least: i32, most: i32) -> Self {
        let mut coarse = Self {
            chunks: vec![FAR; first_chunk(n)],
            base: least,
            down: ideal_down(least, most),
        };
        for i in 0..n {
            let mut chunks = core::mem::take(&mut coarse.chunks);
            for (chunk, lanes) in chunks[first_chunk(i)..].iter_mut().zip(row(i)[..i].chunks(WIDTH)) {
                for (entry, &lane) in chunk.0.iter_mut().zip(lanes) {
                    *entry = within(coarse.steps_below(lane));
                }
            }
            coarse.chunks = chunks;
        }
        coarse
    }

    /// Whether duals of up to `most` half units can be looked at, and are told apart about as well as they might be.
    pub(super) fn suits(&self, most: i32) -> bool {
        self.holds(most) && self.down <= ideal_down(self.base, most) + SPARE
    }

    fn holds(&self, dual: i32) -> bool {
        self.steps(dual) < 1 << DUAL_BITS
    }

    /// Takes over a changed lane; says whether there is a bound for it.
    #[must_use]
    pub(super) fn set(&mut self, i: usize, j: usize, lane: i32) -> bool {
        let (i, j) = (i.max(j), i.min(j));
        let entry = within(self.steps_below(lane));
        self.chunks[first_chunk(i) + j / WIDTH].0[j % WIDTH] = entry;
        entry > i16::MIN
    }

    /// Rows come or go at the end.
    pub(super) fn resize(&mut self, n: usize) {
        self.chunks.resize(first_chunk(n), FAR);
    }

    /// Half units that are not told apart.
    pub(super) fn step(&self) -> i32 {
        1 << (self.down + 1)
    }

    fn row(&self, i: usize) -> &[Chunk] {
        &self.chunks[first_chunk(i)..][..i / WIDTH + 1]
    }

    /// A lane in steps, rounded down.
    fn steps_below(&self, lane: i32) -> i32 {
        (lane - self.base) >> self.down
    }

    /// A dual in steps, rounded up.
    fn steps(&self, dual: i32) -> i32 {
        -((self.base - dual) >> (self.down + 1))
    }

    /// A row's dual, as sums are compared with it; no sum that was cut off below is as small.
    fn own(&self, dual: i32) -> i16 {
        within(self.steps(dual)).max(-i16::MAX)
    }

    /// A column's negated dual, as sums have it.
    fn addend(&self, negated: i32) -> i16 {
        within(-self.steps(-negated))
    }
}

/// Bits to cut off so that duals from `least` to `most` half units, and some more, keep within their bits.
fn ideal_down(least: i32, most: i32) -> u32 {
    let reach = most.saturating_sub(least).max(0);
    let reach = reach.saturating_add(reach / ROOM);
    (i32::BITS - reach.leading_zeros()).saturating_sub(DUAL_BITS + 1)
}

fn within(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// A look at one row after the other, without their edges.
#[derive(Debug)]
pub(super) struct Look<'p> {
    coarse: &'p Coarse,
    /// One for each column.
    addends: Vec<Chunk>,
    /// Slacks of fewer half units are small.
    reach: i32,
    /// Which row each column was an edge of last.
    is_edge_of: Vec<u32>,
    found: Vec<(u32, u64)>,
}

impl<'p> Look<'p> {
    /// `None` if the columns' duals are too great. `addends` are these negated.
    pub(super) fn new(coarse: &'p Coarse, addends: &[i32], reach: i32) -> Option<Self> {
        if !addends.iter().all(|&addend| coarse.holds(-addend)) {
            return None;
        }
        let mut look = Self {
            coarse,
            addends: vec![FAR; addends.len() / WIDTH + 1],
            reach,
            is_edge_of: vec![u32::MAX; addends.len()],
            found: Vec::new(),
        };
        for (column, &addend) in addends.iter().enumerate() {
            look.set_addend(column, addend);
        }
        Some(look)
    }

    /// Takes over a smaller dual.
    pub(super) fn set_addend(&mut self, column: usize, addend: i32) {
        self.addends[column / WIDTH].0[column % WIDTH] = self.coarse.addend(addend);
    }

    /// Visits the columns left of the diagonal of row `i`, whose dual is `own`, of which the slack is small, but for
    /// its `edges`, and says whether it may be negative. `false` and no visit if they are many.
    pub(super) fn small(
        &mut self,
        i: usize,
        own: i32,
        edges: impl Iterator<Item = usize>,
        mut visit: impl FnMut(usize, bool),
    ) -> bool {
        let row = self.coarse.row(i);
        // Nothing that was cut off is below.
        let limit = self.coarse.own(own.saturating_add(self.reach)).min(1 << DUAL_BITS);
        let mut count = count_below(row, &self.addends, limit);
        if count == 0 {
            return true;
        }
        let (addends, is_edge_of) = (&self.addends, &mut self.is_edge_of);
        for column in edges {
            if column < i && is_edge_of[column] != i as u32 {
                is_edge_of[column] = i as u32;
                let (chunk, lane) = (column / WIDTH, column % WIDTH);
                let sum = row[chunk].0[lane].saturating_add(addends[chunk].0[lane]);
                count -= u32::from(sum < limit);
            }
        }
        if count == 0 {
            return true;
        }
        if count > MANY {
            return false;
        }
        let negative = self.coarse.own(own);
        find_below(row, addends, limit, &mut self.found);
        for &(chunk, lanes) in &self.found {
            let mut lanes = lanes;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let column = chunk as usize * WIDTH + lane;
                if is_edge_of[column] != i as u32 {
                    let sum = row[chunk as usize].0[lane].saturating_add(addends[chunk as usize].0[lane]);
                    visit(column, sum < negative);
                }
            }
        }
        true
    }
}

/// How many sums of an entry and its addend are below the limit.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
fn count_below(row: &[Chunk], addends: &[Chunk], limit: i16) -> u32 {
    let addends = &addends[..row.len()];
    let mut counts = [0i16; WIDTH];
    for at in 0..row.len() {
        for (lane, count) in counts.iter_mut().enumerate() {
            *count += i16::from(row[at].0[lane].saturating_add(addends[at].0[lane]) < limit);
        }
    }
    counts.iter().map(|&count| count as u32).sum()
}

/// Where sums of an entry and its addend are below the limit: chunks, and a bit for each entry.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2", "x86_64+sse4.2"))]
fn find_below(row: &[Chunk], addends: &[Chunk], limit: i16, found: &mut Vec<(u32, u64)>) {
    let addends = &addends[..row.len()];
    found.clear();
    for at in 0..row.len() {
        let mut least = i16::MAX;
        for lane in 0..WIDTH {
            least = least.min(row[at].0[lane].saturating_add(addends[at].0[lane]));
        }
        if least < limit {
            let mut lanes = 0;
            for lane in 0..WIDTH {
                lanes |= u64::from(row[at].0[lane].saturating_add(addends[at].0[lane]) < limit) << lane;
            }
            found.push((at as u32, lanes));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::lanes::{DUAL_LIMIT, FORBIDDEN, LANE_BITS};
    use rand::{Rng, SeedableRng};

    /// A symmetric matrix of lanes that changes, its bounds, and duals.
    struct Pool {
        rows: Vec<Vec<i32>>,
        duals: Vec<i32>,
        coarse: Coarse,
    }

    impl Pool {
        fn new(rng: &mut impl Rng, n: usize) -> Self {
            let top = 1 << rng.random_range(1..=LANE_BITS);
            let least = rng.random_range(0..top);
            let mut rows = vec![vec![FORBIDDEN; n]; n];
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let is_forbidden = rng.random_bool(0.1);
                let lane = if is_forbidden {
                    FORBIDDEN
                } else {
                    rng.random_range(least..top)
                };
                (rows[i][j], rows[j][i]) = (lane, lane);
            }
            let most = rng.random_range(least..=top);
            let mut duals: Vec<i32> = (0..n).map(|_| rng.random_range(least - (top - least)..=most)).collect();
            let coarse = Coarse::new(n, |i| rows[i].as_slice(), least, most);
            assert!(coarse.suits(most));
            // As great as they may become before there are other bounds.
            for dual in duals.iter_mut().take(rng.random_range(0..5)) {
                *dual = least + (((1 << DUAL_BITS) - 1) << (coarse.down + 1));
                assert!(coarse.holds(*dual) && !coarse.holds(*dual + 1));
            }
            Self { rows, duals, coarse }
        }

        fn slack(&self, i: usize, j: usize) -> i64 {
            2 * i64::from(self.rows[i][j]) - i64::from(self.duals[i]) - i64::from(self.duals[j])
        }

        /// Everything small is visited, and nothing that is far from it.
        fn check(&self, rng: &mut impl Rng) {
            let step = i64::from(self.coarse.step());
            let reach = self.coarse.step() * rng.random_range(0..4);
            let addends: Vec<i32> = self.duals.iter().map(|&dual| -dual).collect();
            let mut look = Look::new(&self.coarse, &addends, reach).expect("no dual is too great");
            for i in 0..self.rows.len() {
                let edges: Vec<usize> = (0..i).filter(|_| rng.random_bool(0.2)).collect();
                // An edge may be there twice.
                let twice = edges.iter().chain(&edges).copied();
                let mut visited = vec![None; i];
                let is_told = look.small(i, self.duals[i], twice, |j, is_negative| visited[j] = Some(is_negative));
                let small = |j: &usize| self.slack(i, *j) < i64::from(reach) + 2 * step;
                let count = (0..i).filter(|j| !edges.contains(j)).filter(small).count();
                assert!(is_told || count > MANY as usize, "{count} of row {i} are not many");
                for j in (0..i).filter(|_| is_told) {
                    let (slack, visited) = (self.slack(i, j), visited[j]);
                    if edges.contains(&j) || slack >= i64::from(reach) + 2 * step {
                        assert_eq!(visited, None, "pair {i}, {j} of slack {slack}");
                    } else if slack < 0 {
                        assert_eq!(visited, Some(true), "pair {i}, {j} of slack {slack}");
                    } else if slack < i64::from(reach) {
                        assert!(visited.is_some(), "pair {i}, {j} of slack {slack}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_small_is_found() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for round in 0..300 {
            let n = rng.random_range(1..if round % 10 == 0 { 400 } else { 150 });
            let mut pool = Pool::new(&mut rng, n);
            pool.check(&mut rng);
            // Costs change, and vertices come and go.
            let least = pool.coarse.base;
            for _ in 0..n {
                let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
                let lane = rng.random_range(least..=least + (1 << 20)).min((1 << LANE_BITS) - 1);
                if i != j {
                    (pool.rows[i][j], pool.rows[j][i]) = (lane, lane);
                    assert!(pool.coarse.set(i, j, lane));
                }
            }
            let fewer = rng.random_range(1..=n);
            pool.coarse.resize(fewer);
            pool.duals.truncate(fewer);
            pool.rows.truncate(fewer);
            pool.check(&mut rng);
        }
    }

    #[test]
    fn bounds_that_fit_nothing_are_refused() {
        let lanes = [vec![FORBIDDEN, 5], vec![5, FORBIDDEN]];
        let mut coarse = Coarse::new(2, |i| lanes[i].as_slice(), 5, 20);
        assert!(Look::new(&coarse, &[-20, -20], 0).is_some());
        assert!(Look::new(&coarse, &[-DUAL_LIMIT, 0], 0).is_none());
        assert!(!coarse.suits(DUAL_LIMIT));
        // Far below what the bounds were made for.
        assert!(!coarse.set(1, 0, -(1 << 20)));
        // Duals that have become much smaller are not told apart.
        assert!(!Coarse::new(2, |i| lanes[i].as_slice(), 5, 1 << 27).suits(20));
    }
}
