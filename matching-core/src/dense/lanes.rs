//! Rows of 32-bit costs, and the vector loops that all passes over a row are made of.
//!
//! A *lane* is a cost less the least one, in as many bits as leave room for duals: `(cost - least) >> down << up`.
//! Passes look for the entries of `lane + addend` that are small, where the addend of a column is its negated dual.
//! They come in *combs*: the entries `WIDTH k + l` of a stretch of the row, for `k = 0, 1, ...`, share the comb `l`, so
//! that all minima of a stretch are kept side by side and nothing is ever reduced across a vector.
//!
//! The loops are plain Rust over arrays of fixed length, which the compiler turns into vector code; `multiversion`
//! picks the widest version at run time.

use multiversion::multiversion;

/// Entries side by side: four vectors of AVX-512, eight of AVX2.
pub(super) const WIDTH: usize = 64;
/// Entries of a comb in long rows.
const DEPTH: usize = 16;

/// A lane that no dual prices in: what must not be paired.
pub(super) const FORBIDDEN: i32 = 1 << 29;
/// Lanes stay below two to this power, duals within [`DUAL_LIMIT`]: no sum of twice a lane and two duals wraps.
pub(super) const LANE_BITS: u32 = 27;
pub(super) const DUAL_LIMIT: i32 = 1 << 29;

/// How an entry becomes a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// All ones where costs are to be maximised: `!c = -c - 1`.
    pub(super) flip: i32,
    /// Least entry after the flip.
    pub(super) least: i32,
    /// Bits that are cut off.
    pub(super) down: u32,
    pub(super) up: u32,
}

impl Form {
    /// Twice the lane, as a slack has it.
    pub(super) fn doubled(self) -> Self {
        Self {
            up: self.up + 1,
            ..self
        }
    }

    #[inline(always)]
    pub(super) fn lane(self, entry: i32) -> i32 {
        (((entry ^ self.flip).wrapping_sub(self.least) as u32 >> self.down) << self.up) as i32
    }
}

/// Entries of a stretch in rows of that length.
fn stretch(len: usize) -> usize {
    WIDTH * (len / WIDTH).clamp(1, DEPTH)
}

/// The positions of a comb in a row of that length.
#[inline]
fn positions(comb: usize, len: usize) -> impl Iterator<Item = usize> {
    let stretch = stretch(len);
    let begin = comb / WIDTH * stretch;
    let end = (begin + stretch).min(len);
    (begin + comb % WIDTH..end).step_by(WIDTH)
}

/// Lowers each minimum to its entry of `lane + addend`.
#[inline(always)]
fn lower(least: &mut [i32; WIDTH], entries: &[i32; WIDTH], addends: &[i32; WIDTH], form: Form) {
    for lane in 0..WIDTH {
        least[lane] = least[lane].min(form.lane(entries[lane]).wrapping_add(addends[lane]));
    }
}

/// Minima of the combs of one stretch, which may be short.
#[inline(always)]
fn minima_of_stretch(entries: &[i32], addends: &[i32], form: Form) -> [i32; WIDTH] {
    let mut least = [i32::MAX; WIDTH];
    let ((entries, last_entries), (addends, last_addends)) = (entries.as_chunks(), addends.as_chunks());
    for (entries, addends) in entries.iter().zip(addends) {
        lower(&mut least, entries, addends, form);
    }
    for lane in 0..last_entries.len() {
        least[lane] = least[lane].min(form.lane(last_entries[lane]).wrapping_add(last_addends[lane]));
    }
    least
}

/// Writes the least `lane + addend` of every comb, and the least of all combs of one residue into `folded`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
fn comb_minima(row: &[i32], addends: &[i32], form: Form, out: &mut Vec<i32>, folded: &mut [i32; WIDTH]) {
    let stretch = stretch(row.len());
    out.clear();
    folded.fill(i32::MAX);
    for (entries, addends) in row.chunks(stretch).zip(addends.chunks(stretch)) {
        let least = minima_of_stretch(entries, addends, form);
        for lane in 0..WIDTH {
            folded[lane] = folded[lane].min(least[lane]);
        }
        out.extend_from_slice(&least);
    }
}

/// The least `lane + addend` of a row; [`i32::MAX`] for an empty one.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
pub(super) fn least_sum(row: &[i32], addends: &[i32], form: Form) -> i32 {
    let mut least = minima_of_stretch(row, addends, form);
    for lane in 1..WIDTH {
        least[0] = least[0].min(least[lane]);
    }
    least[0]
}

/// The least and the greatest entry of a row.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.2"))]
pub(super) fn extremes(row: &[i32]) -> (i32, i32) {
    let (mut least, mut most) = ([i32::MAX; WIDTH], [i32::MIN; WIDTH]);
    let (entries, last) = row.as_chunks::<WIDTH>();
    for entries in entries {
        for lane in 0..WIDTH {
            least[lane] = least[lane].min(entries[lane]);
            most[lane] = most[lane].max(entries[lane]);
        }
    }
    for lane in 0..last.len() {
        least[lane] = least[lane].min(last[lane]);
        most[lane] = most[lane].max(last[lane]);
    }
    for lane in 1..WIDTH {
        least[0] = least[0].min(least[lane]);
        most[0] = most[0].max(most[lane]);
    }
    (least[0], most[0])
}

/// An entry of a row that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kept {
    pub(super) position: u32,
    pub(super) lane: i32,
    pub(super) sum: i32,
}

/// The smallest entries of `lane + addend` of one row.
#[derive(Debug)]
pub(super) struct Smallest {
    minima: Vec<i32>,
    folded: [i32; WIDTH],
    /// What was kept, in order of combs.
    pub(super) entries: Vec<Kept>,
}

impl Default for Smallest {
    fn default() -> Self {
        Self {
            minima: Vec::new(),
            folded: [i32::MAX; WIDTH],
            entries: Vec::new(),
        }
    }
}

impl Smallest {
    /// Keeps the `wanted` least entries but the one at `skipped` and forbidden ones; fewer where there are fewer.
    /// Ties go to the positions that follow the skipped one, so that rows of equal entries do not all want the same few.
    ///
    /// Each residue's minimum is an entry, so that the `wanted`-th least of them bounds as many entries from above:
    /// only combs with a minimum below that bound are looked at again.
    pub(super) fn collect(&mut self, row: &[i32], addends: &[i32], form: Form, skipped: usize, wanted: usize) {
        debug_assert_eq!(row.len(), addends.len());
        comb_minima(row, addends, form, &mut self.minima, &mut self.folded);
        // The minimum of one residue may be the skipped entry's.
        let threshold = if wanted + 1 >= WIDTH {
            i32::MAX
        } else {
            *self.folded.select_nth_unstable(wanted).1
        };
        self.entries.clear();
        for (comb, &least) in self.minima.iter().enumerate() {
            if least > threshold {
                continue;
            }
            for position in positions(comb, row.len()) {
                let lane = form.lane(row[position]);
                let sum = lane.wrapping_add(addends[position]);
                if sum <= threshold && position != skipped && lane >> form.up < FORBIDDEN {
                    self.entries.push(Kept {
                        position: position as u32,
                        lane: lane >> form.up,
                        sum,
                    });
                }
            }
        }
        if self.entries.len() > wanted {
            let after = |position: u32| {
                position
                    .wrapping_sub(skipped as u32)
                    .wrapping_add(if position < skipped as u32 { row.len() as u32 } else { 0 })
            };
            self.entries
                .select_nth_unstable_by_key(wanted, |kept| (kept.sum, after(kept.position)));
            self.entries.truncate(wanted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};

    const PLAIN: Form = Form {
        flip: 0,
        least: 0,
        down: 0,
        up: 0,
    };

    #[test]
    fn the_smallest_entries_are_kept() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut smallest = Smallest::default();
        for round in 0..3000 {
            let len = rng.random_range(1..if round % 10 == 0 { 2500 } else { 200 });
            let top = [3, 1000, 1 << 26][round % 3];
            let row: Vec<i32> = (0..len)
                .map(|_| {
                    if round % 4 == 0 && rng.random_bool(0.3) {
                        FORBIDDEN
                    } else {
                        rng.random_range(0..top)
                    }
                })
                .collect();
            let addends: Vec<i32> = (0..len).map(|_| rng.random_range(-top..top)).collect();
            let form = if round % 2 == 0 { PLAIN } else { PLAIN.doubled() };
            let (skipped, wanted) = (rng.random_range(0..len), rng.random_range(1..70));
            let mut expected: Vec<i32> = (0..len)
                .filter(|&j| j != skipped && row[j] < FORBIDDEN)
                .map(|j| form.lane(row[j]) + addends[j])
                .collect();
            expected.sort_unstable();
            expected.truncate(wanted);
            smallest.collect(&row, &addends, form, skipped, wanted);
            let mut found: Vec<i32> = smallest.entries.iter().map(|kept| kept.sum).collect();
            found.sort_unstable();
            assert_eq!(found, expected);
            let all = (0..len).map(|j| form.lane(row[j]) + addends[j]).min();
            assert_eq!(Some(least_sum(&row, &addends, form)), all);
        }
    }

    #[test]
    fn flipped_lanes_turn_the_greatest_into_the_least() {
        let form = Form {
            flip: -1,
            least: !i32::MAX,
            ..PLAIN
        };
        assert_eq!(form.lane(i32::MAX), 0);
        assert_eq!(form.lane(i32::MAX - 5), 5);
    }
}
