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
/// Rows that are read side by side.
pub(super) const ABREAST: usize = 4;
/// Entries of a comb in long rows.
const DEPTH: usize = 8;
/// Of so many entries of a row, each the least of its residue, the least few bound as many entries of the row.
const RESIDUES: usize = 32;

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

/// Lowers each minimum to its entry of a row and one addend. What is forbidden is far above all else.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2", "x86_64+sse4.2"))]
pub(super) fn lower_all(least: &mut [i32], row: &[i32], addend: i32) {
    for (least, &lane) in least.iter_mut().zip(row) {
        *least = (*least).min(lane + addend);
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

/// The least `lane + addend` of each of four rows of one length. A row by itself is waited for at each page: four are
/// under way at once.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
pub(super) fn least_sums(rows: [&[i32]; ABREAST], addends: &[i32], form: Form) -> [i32; ABREAST] {
    const HALF: usize = WIDTH / 2;
    let mut least = [[i32::MAX; HALF]; ABREAST];
    let (whole, last) = addends.as_chunks::<HALF>();
    let chunks = rows.map(|row| &row.as_chunks::<HALF>().0[..whole.len()]);
    for (at, addends) in whole.iter().enumerate() {
        for (least, row) in least.iter_mut().zip(&chunks) {
            for lane in 0..HALF {
                least[lane] = least[lane].min(form.lane(row[at][lane]).wrapping_add(addends[lane]));
            }
        }
    }
    let mut sums = [i32::MAX; ABREAST];
    for ((sum, least), row) in sums.iter_mut().zip(&least).zip(rows) {
        let ends = row[whole.len() * HALF..].iter().zip(last);
        let ends = ends.map(|(&entry, &addend)| form.lane(entry).wrapping_add(addend));
        *sum = least.iter().copied().chain(ends).fold(i32::MAX, i32::min);
    }
    sums
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

/// A row, and the entry that all are counted from, which may be one that does not count.
#[derive(Clone, Copy, Debug)]
struct Line<'r> {
    row: &'r [i32],
    addends: &'r [i32],
    form: Form,
    from: usize,
    is_skipped: bool,
}

impl Line<'_> {
    #[inline(always)]
    fn sum(self, position: usize) -> i32 {
        self.form.lane(self.row[position]).wrapping_add(self.addends[position])
    }

    #[inline(always)]
    fn counts(self, position: usize) -> bool {
        let is_allowed = self.form.lane(self.row[position]) >> self.form.up < FORBIDDEN;
        (!self.is_skipped | (position != self.from)) & is_allowed
    }

    /// The sum, and below it how far behind the first entry it stands, around the end of the row.
    #[inline(always)]
    fn key(self, position: usize) -> i64 {
        let wrap = if position < self.from { self.row.len() } else { 0 };
        i64::from(self.sum(position)) << u32::BITS | (position + wrap - self.from) as i64
    }

    fn kept(self, key: i64) -> Kept {
        let after = key as u32 as usize;
        let position = if after < self.row.len() - self.from {
            after + self.from
        } else {
            after + self.from - self.row.len()
        };
        Kept {
            position: position as u32,
            lane: self.form.lane(self.row[position]) >> self.form.up,
            sum: (key >> u32::BITS) as i32,
        }
    }
}

/// The smallest entries of `lane + addend` of one row.
#[derive(Debug, Default)]
pub(super) struct Smallest {
    minima: Vec<i32>,
    keys: Vec<i64>,
    /// What was kept.
    pub(super) entries: Vec<Kept>,
}

impl Smallest {
    /// Keeps the `wanted` least entries but the one at `skipped` and forbidden ones; fewer where there are fewer. Ties
    /// go to the positions that follow the skipped one, so that rows of equal entries do not all want the same few.
    pub(super) fn collect(&mut self, row: &[i32], addends: &[i32], form: Form, skipped: usize, wanted: usize) {
        self.collect_line(
            Line {
                row,
                addends,
                form,
                from: skipped,
                is_skipped: true,
            },
            wanted,
        );
    }

    /// Keeps the `wanted` least entries but forbidden ones; fewer where there are fewer. Of ties those from `from` on are kept,
    /// around the end.
    pub(super) fn collect_from(&mut self, row: &[i32], addends: &[i32], form: Form, from: usize, wanted: usize) {
        self.collect_line(
            Line {
                row,
                addends,
                form,
                from,
                is_skipped: false,
            },
            wanted,
        );
    }

    /// Keeps all entries below `bound` but forbidden ones.
    pub(super) fn collect_below(&mut self, row: &[i32], addends: &[i32], form: Form, bound: i32) {
        let line = Line {
            row,
            addends,
            form,
            from: 0,
            is_skipped: false,
        };
        self.entries.clear();
        keep_below(line, bound, &mut self.entries);
    }

    fn collect_line(&mut self, line: Line<'_>, wanted: usize) {
        debug_assert_eq!(line.row.len(), line.addends.len());
        if self.keys.len() <= line.row.len() {
            self.keys.resize(line.row.len() + 1, 0);
        }
        let kept = least_keys(line, wanted, &mut self.minima, &mut self.keys);
        self.entries.clear();
        self.entries.extend(self.keys[..kept].iter().map(|&key| line.kept(key)));
    }
}

/// Puts the keys of the `wanted` least entries in front of `keys`, and says how many that is.
///
/// Each residue's minimum is an entry, so that the `wanted`-th least of them bounds as many entries from above: only
/// combs with a minimum below that bound are looked at again. Which entries those are is chance, so nothing there
/// branches on them. Entries at the bound can be most of the row, where many costs are equal: no more of them are
/// looked up than are still wanted.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
fn least_keys(line: Line<'_>, wanted: usize, minima: &mut Vec<i32>, keys: &mut [i64]) -> usize {
    let len = line.row.len();
    let stretch = stretch(len);
    minima.clear();
    let mut folded = [i32::MAX; WIDTH];
    for (entries, addends) in line.row.chunks(stretch).zip(line.addends.chunks(stretch)) {
        let least = minima_of_stretch(entries, addends, line.form);
        for lane in 0..WIDTH {
            folded[lane] = folded[lane].min(least[lane]);
        }
        minima.extend_from_slice(&least);
    }
    // The minimum of one residue may be the skipped entry's.
    let bound = nth_of_residues(&folded, wanted);
    let minima = minima.as_chunks().0;
    let mut below = 0;
    for (begin, minima) in (0..).step_by(stretch).zip(minima) {
        let mut combs = bits_of(minima, |least| least < bound);
        let end = (begin + stretch).min(len);
        while combs != 0 {
            let comb = begin + combs.trailing_zeros() as usize;
            combs &= combs - 1;
            for position in (comb..end).step_by(WIDTH) {
                keys[below] = position as i64;
                below += usize::from(line.sum(position) < bound);
            }
        }
    }
    let mut count = 0;
    for at in 0..below {
        let position = keys[at] as usize;
        keys[count] = line.key(position);
        count += usize::from(line.counts(position));
    }
    if count < wanted {
        count += nearest_at(bound, line, minima, &mut keys[count..wanted.min(len)]);
    }
    if count <= RESIDUES {
        put_in_order(&mut keys[..count]);
    } else if count > wanted {
        keys[..count].select_nth_unstable(wanted);
    }
    count.min(wanted)
}

/// Appends the entries below `bound`, in no order.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+bmi1+bmi2",
    "x86_64+avx2+bmi1+bmi2+fma",
    "x86_64+sse4.2",
))]
fn keep_below(line: Line<'_>, bound: i32, kept: &mut Vec<Kept>) {
    let len = line.row.len();
    let stretch = stretch(len);
    for begin in (0..len).step_by(stretch) {
        let end = (begin + stretch).min(len);
        let least = minima_of_stretch(&line.row[begin..end], &line.addends[begin..end], line.form);
        let mut combs = bits_of(&least, |least| least < bound);
        while combs != 0 {
            let comb = begin + combs.trailing_zeros() as usize;
            combs &= combs - 1;
            for position in (comb..end).step_by(WIDTH) {
                let sum = line.sum(position);
                if sum < bound && line.counts(position) {
                    kept.push(Kept {
                        position: position as u32,
                        lane: line.form.lane(line.row[position]) >> line.form.up,
                        sum,
                    });
                }
            }
        }
    }
}

/// Fills `keys` with those of the entries at the bound that follow the first one, around the end of the row, and says
/// how many there are.
#[inline(always)]
fn nearest_at(bound: i32, line: Line<'_>, minima: &[[i32; WIDTH]], keys: &mut [i64]) -> usize {
    let len = line.row.len();
    let stretch = stretch(len);
    let first = line.from / stretch;
    let mut count = 0;
    // The stretch of the first entry comes twice: what follows that entry, and last what stands before it.
    for turn in 0..=minima.len() {
        let at = (first + turn) % minima.len();
        if bits_of(&minima[at], |least| least == bound) == 0 {
            continue;
        }
        let begin = at * stretch;
        let end = (begin + stretch).min(len);
        let (from, to) = match turn {
            0 => (line.from, end),
            _ if turn == minima.len() => (begin, line.from),
            _ => (begin, end),
        };
        for position in from..to {
            if line.sum(position) == bound && line.counts(position) {
                keys[count] = line.key(position);
                count += 1;
                if count == keys.len() {
                    return count;
                }
            }
        }
    }
    count
}

/// A bound that more than `nth` entries do not exceed, if there are so many: the `nth` least of the residues' minima,
/// counted from 0.
#[inline(always)]
fn nth_of_residues(minima: &[i32; WIDTH], nth: usize) -> i32 {
    if nth >= RESIDUES {
        return i32::MAX;
    }
    let mut folded = [i32::MAX; RESIDUES];
    for minima in minima.as_chunks::<RESIDUES>().0 {
        for lane in 0..RESIDUES {
            folded[lane] = folded[lane].min(minima[lane]);
        }
    }
    let mut less = [0; RESIDUES];
    for value in folded {
        for lane in 0..RESIDUES {
            less[lane] += i32::from(value < folded[lane]);
        }
    }
    let mut bound = i32::MIN;
    for lane in 0..RESIDUES {
        let is_within = less[lane] <= nth as i32;
        bound = bound.max(if is_within { folded[lane] } else { i32::MIN });
    }
    bound
}

/// One bit for each value that is so.
#[inline(always)]
fn bits_of(values: &[i32; WIDTH], is_so: impl Fn(i32) -> bool) -> u64 {
    let mut bits = 0;
    for (lane, &value) in values.iter().enumerate() {
        bits |= u64::from(is_so(value)) << lane;
    }
    bits
}

/// Sorts up to [`RESIDUES`] different keys: each goes to the place that the number of lesser ones says.
#[inline(always)]
fn put_in_order(keys: &mut [i64]) {
    let mut all = [i64::MAX; RESIDUES];
    all[..keys.len()].copy_from_slice(keys);
    let mut less = [0i64; RESIDUES];
    for &key in keys.iter() {
        for lane in 0..RESIDUES {
            less[lane] += i64::from(key < all[lane]);
        }
    }
    for (&key, &place) in all.iter().zip(&less).take(keys.len()) {
        keys[place as usize] = key;
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
            // Of equal sums those that follow the skipped entry are kept.
            let after = |j: usize| (j + len - skipped) % len;
            let mut expected: Vec<(i32, usize)> = (0..len)
                .filter(|&j| j != skipped && row[j] < FORBIDDEN)
                .map(|j| (form.lane(row[j]) + addends[j], after(j)))
                .collect();
            expected.sort_unstable();
            expected.truncate(wanted);
            smallest.collect(&row, &addends, form, skipped, wanted);
            let kept = smallest.entries.iter();
            let mut found: Vec<(i32, usize)> = kept.map(|kept| (kept.sum, after(kept.position as usize))).collect();
            found.sort_unstable();
            assert_eq!(found, expected);
            let all = (0..len).map(|j| form.lane(row[j]) + addends[j]).min();
            assert_eq!(Some(least_sum(&row, &addends, form)), all);
            let rest = |skipped: usize| &row[skipped..][..len - len.min(ABREAST - 1)];
            let sums = least_sums(
                [0, 1, 2, 3].map(|at| rest(at.min(len - 1))),
                &addends[..rest(0).len()],
                form,
            );
            for (at, sum) in sums.into_iter().enumerate() {
                assert_eq!(sum, least_sum(rest(at.min(len - 1)), &addends[..rest(0).len()], form));
            }
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
