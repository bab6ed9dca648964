//! Samples that look like the whole.
//!
//! A random sample differs from the whole by chance, and potentials with it, on the largest scale. So vertices are
//! grouped first into small groups of similar ones, as far as their costs to a few pivots tell, and each group gives
//! one vertex: medians split the set, each time by the pivot whose costs spread most.

use super::rows::Rows;

/// Vertices whose rows describe all others.
pub(super) const PIVOTS: usize = 12;

/// About one of each `ratio` vertices, in order.
pub(super) fn sample(rows: &Rows<'_>, ratio: usize) -> Vec<usize> {
    let mut scratch = Vec::new();
    sample_by(rows.len(), ratio, |pivot, features| {
        let i = pivot * rows.len() / PIVOTS;
        let row = rows.row(i, &mut scratch);
        for (v, feature) in features.iter_mut().enumerate() {
            feature[pivot] = if v == i { 0 } else { rows.form().lane(row[v]) };
        }
    })
}

/// One of every `ratio` of `n` things, that look like all of them; `tell` writes what each costs with one pivot.
pub(super) fn sample_by(n: usize, ratio: usize, mut tell: impl FnMut(usize, &mut [[i32; PIVOTS]])) -> Vec<usize> {
    let mut features = vec![[0i32; PIVOTS]; n];
    for pivot in 0..PIVOTS {
        tell(pivot, &mut features);
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    let mut picked = Vec::with_capacity(n / ratio + 1);
    let mut parts = vec![(0, n)];
    while let Some((begin, end)) = parts.pop() {
        let members = &mut order[begin..end];
        if members.len() < 2 * ratio {
            // Any member will do; not always the first one.
            picked.push(members[(picked.len() * 7) % members.len()] as usize);
            continue;
        }
        let mut range = [(i32::MAX, i32::MIN); PIVOTS];
        for &v in members.iter() {
            for (range, &feature) in range.iter_mut().zip(&features[v as usize]) {
                *range = (range.0.min(feature), range.1.max(feature));
            }
        }
        let widest = (0..PIVOTS)
            .max_by_key(|&pivot| range[pivot].1.abs_diff(range[pivot].0))
            .unwrap_or(0);
        // Whole groups on either side.
        let half = members.len() / ratio / 2 * ratio;
        members.select_nth_unstable_by_key(half, |&v| (features[v as usize][widest], v));
        parts.push((begin, begin + half));
        parts.push((begin + half, end));
    }
    picked.sort_unstable();
    picked
}
