//! All groupings of a few players: an oracle for searches.

use matching_core::GroupCost;

use super::error::Error;

/// The most groupings that are tried.
const LIMIT: u64 = 3_000_000;

/// Groups that everybody is in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Grouping {
    /// Each ascending, in the order of their first members.
    pub groups: Vec<Vec<usize>>,
    /// The sum of their costs.
    pub cost: f64,
}

/// The cheapest way to put everybody into allowed groups of `size`, by trying all of them; `None` if there is no way.
///
/// Of equal ones, the first in lexicographic order. 18 players can be put into groups of six, and 12 into two groups of
/// six in 462 ways.
///
/// # Errors
/// [`Error::TooFewPlayers`] if the groups cannot be full; [`Error::TooManyGroupings`] beyond 3,000,000. [`Error::Search`] for
/// a group whose cost is NaN or infinite, and for costs whose sum is.
///
/// # Examples
/// ```
/// use matching_core::cost::{self, Pairwise};
/// use matchmaking::lobby::exhaustive;
///
/// # fn main() -> Result<(), matchmaking::lobby::Error> {
/// let rating = [3.0_f64, 1.0, 4.0, 1.5];
/// let gaps = Pairwise(cost::from_fn(4, |i, j| (rating[i] - rating[j]).abs()));
/// let found = exhaustive(&gaps, 2)?.expect("everything is allowed");
/// assert_eq!((found.groups, found.cost), (vec![vec![0, 2], vec![1, 3]], 1.5));
/// # Ok(())
/// # }
/// ```
pub fn exhaustive<C: GroupCost<Value = f64> + ?Sized>(cost: &C, size: usize) -> Result<Option<Grouping>, Error> {
    let len = cost.len();
    if size == 0 || !len.is_multiple_of(size) {
        let needed = len.div_ceil(size.max(1)).max(1) * size.max(1);
        return Err(Error::TooFewPlayers { players: len, needed });
    }
    if groupings(len, size).is_none_or(|count| count > LIMIT) {
        return Err(Error::TooManyGroupings { len, limit: LIMIT });
    }
    let mut search = Search {
        cost,
        size,
        groups: Vec::new(),
        best: None,
    };
    search.group_rest(&(0..len).collect::<Vec<_>>(), 0.0)?;
    Ok(search.best)
}

/// In how many ways `len` things make groups of `size`; `None` if that is too large a number.
fn groupings(len: usize, size: usize) -> Option<u64> {
    // The first thing that is left chooses the others of its group.
    let group = |first: u64| (1..size as u64).try_fold(1_u64, |ways, k| Some(ways.checked_mul(first - k)? / k));
    (0..len / size).try_fold(1_u64, |ways, full| ways.checked_mul(group((len - full * size) as u64)?))
}

struct Search<'a, C: ?Sized> {
    cost: &'a C,
    size: usize,
    groups: Vec<Vec<usize>>,
    best: Option<Grouping>,
}

impl<C: GroupCost<Value = f64> + ?Sized> Search<'_, C> {
    fn group_rest(&mut self, left: &[usize], sum: f64) -> Result<(), Error> {
        let Some((&first, others)) = left.split_first() else {
            if !sum.is_finite() {
                return Err(Error::Search(matching_heuristics::Error::CostOverflow));
            }
            if self.best.as_ref().is_none_or(|best| sum < best.cost) {
                let groups = self.groups.clone();
                self.best = Some(Grouping { groups, cost: sum });
            }
            return Ok(());
        };
        self.fill_group(&mut vec![first], others, &mut Vec::new(), sum)
    }

    /// Adds to `group` from `left`, in all ways; `skipped` are left for later groups.
    fn fill_group(
        &mut self,
        group: &mut Vec<usize>,
        left: &[usize],
        skipped: &mut Vec<usize>,
        sum: f64,
    ) -> Result<(), Error> {
        if group.len() == self.size {
            if self.cost.is_group_allowed(group) {
                let cost = self.cost.group(group);
                if !cost.is_finite() {
                    let members = group.clone();
                    return Err(Error::Search(matching_heuristics::Error::GroupNotANumber { members }));
                }
                self.groups.push(group.clone());
                self.group_rest(&[&skipped[..], left].concat(), sum + cost)?;
                self.groups.pop();
            }
            return Ok(());
        }
        let Some((&next, rest)) = left.split_first() else {
            return Ok(());
        };
        group.push(next);
        self.fill_group(group, rest, skipped, sum)?;
        group.pop();
        skipped.push(next);
        self.fill_group(group, rest, skipped, sum)?;
        skipped.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use matching_core::cost::{self, Pairwise};

    use super::{exhaustive, groupings};
    use crate::lobby::Error;

    /// The first grouping that was tried was the best one if its cost was NaN, as nothing is less.
    #[test]
    fn costs_that_are_no_numbers_are_refused() {
        let by_first = |value: f64| Pairwise(cost::from_fn(4, move |i, j| if i + j == 1 { value } else { 1.0 }));
        for value in [f64::NAN, f64::INFINITY] {
            let members = vec![0, 1];
            let refused = matching_heuristics::Error::GroupNotANumber { members };
            assert_eq!(exhaustive(&by_first(value), 2), Err(Error::Search(refused)));
        }
        let huge = Pairwise(cost::from_fn(4, |_, _| f64::MAX));
        let overflow = Error::Search(matching_heuristics::Error::CostOverflow);
        assert_eq!(exhaustive(&huge, 2), Err(overflow));
    }

    #[test]
    fn groupings_are_counted() {
        assert_eq!(groupings(12, 6), Some(462));
        assert_eq!(groupings(18, 6), Some(6188 * 462));
        assert_eq!(groupings(10, 2), Some(9 * 7 * 5 * 3));
        assert_eq!(groupings(4, 4), Some(1));
        assert_eq!(groupings(0, 3), Some(1));
        assert_eq!(groupings(1000, 2), None);
    }
}
