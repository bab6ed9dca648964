//! What a look at some rows of a pool tells of it.
//!
//! Where most vertices have the same few best partners, as where costs are products of two players' traits, few can have
//! theirs, and every tree spans everything. Where most pairs are forbidden, a list of the others is shorter.

use crate::cost::{Cost, CostValue};

/// Rows that are looked at.
const ROWS: usize = 32;

/// Fewer allowed pairs than one in so many are few.
const LEAST_DENSITY: usize = 8;

/// What is to be expected of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outlook {
    /// As many rows as was asked for have different best partners.
    pub(super) is_varied: bool,
    /// Most pairs are forbidden.
    pub(super) is_thin: bool,
}

impl Outlook {
    /// That of a cost which is minimised or maximised. It is varied if there are so many best partners of [`ROWS`] rows.
    pub(super) fn of<V: CostValue, C: Cost<Value = V> + ?Sized>(cost: &C, is_maximum: bool, least: usize) -> Self {
        let n = cost.len();
        let mut row = vec![V::zero(); n];
        let mut words = vec![u64::MAX; if cost.has_forbidden() { n.div_ceil(64) } else { 0 }];
        let mut is_partner = vec![false; n];
        let (mut partners, mut allowed, mut columns) = (0, 0, 0);
        for sample in 0..ROWS {
            // What is left cannot tip the balance, or need not.
            if partners == least || partners + (ROWS - sample) < least {
                break;
            }
            let i = sample * n / ROWS;
            cost.fill_row(i, &mut row);
            columns += n;
            if words.is_empty() {
                allowed += n;
            } else {
                cost.allowed_row(i, &mut words);
                allowed += words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
            }
            if let Some(best) = best_partner(i, &row, &words, is_maximum) {
                partners += usize::from(!is_partner[best]);
                is_partner[best] = true;
            }
        }
        Self {
            is_varied: partners >= least,
            is_thin: allowed * LEAST_DENSITY < columns,
        }
    }
}

/// The best partner of a row, of equals the first to the right, around the end: where all pairs are alike, rows have
/// different ones. No words of allowed columns: all of them.
fn best_partner<V: CostValue>(i: usize, row: &[V], allowed: &[u64], is_maximum: bool) -> Option<usize> {
    let (left, right) = (&row[..i], &row[i + 1..]);
    if allowed.is_empty() {
        let best = extreme(right.iter().chain(left).copied(), is_maximum)?;
        let at = |part: &[V]| part.iter().position(|&value| value == best);
        return at(right).map(|at| i + 1 + at).or_else(|| at(left));
    }
    let columns = || (i + 1..row.len()).chain(0..i);
    let columns = || columns().filter(|&j| allowed[j / 64] >> (j % 64) & 1 == 1);
    let best = extreme(columns().map(|j| row[j]), is_maximum)?;
    columns().find(|&j| row[j] == best)
}

/// The least or the greatest of some values.
fn extreme<V: CostValue>(values: impl Iterator<Item = V>, is_maximum: bool) -> Option<V> {
    if is_maximum {
        values.reduce(|best, value| if value > best { value } else { best })
    } else {
        values.reduce(|best, value| if value < best { value } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost;

    #[test]
    fn a_crowd_wants_the_same_few() {
        let n = 100;
        let is_crowded = |cost: &dyn Cost<Value = i64>, is_maximum| {
            let [few, many] = [9, 22].map(|least| Outlook::of(cost, is_maximum, least).is_varied);
            assert_eq!(few, many);
            !few
        };
        let trait_of = |i: usize| ((i * 37) % n) as i64;
        let products = cost::from_fn(n, |i, j| trait_of(i) * trait_of(j));
        assert!(is_crowded(&products, false) && is_crowded(&products, true));
        let gaps = cost::from_fn(n, |i, j| (trait_of(i) - trait_of(j)).abs());
        assert!(!is_crowded(&gaps, false));
        // The players farthest off are the same for all.
        assert!(is_crowded(&gaps, true));
        // All pairs are alike: nobody need want the same.
        assert!(!is_crowded(&cost::from_fn(n, |_, _| 1), false));
        // Only one partner is allowed to most.
        let star = cost::from_fn(n, |_, _| 1).restricted(|i, j| i == 0 || j == 0);
        assert!(is_crowded(&star, false));
    }

    #[test]
    fn thin_is_less_than_an_eighth() {
        let near = |most: usize| cost::from_fn(200, |_, _| 1_i64).restricted(move |i, j| i.abs_diff(j) <= most);
        assert!(Outlook::of(&near(10), false, 20).is_thin);
        assert!(!Outlook::of(&near(20), false, 20).is_thin);
        assert!(!Outlook::of(&cost::from_fn(200, |_, _| 1_i64), false, 20).is_thin);
    }
}
