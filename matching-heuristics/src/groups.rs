//! How many groups there are, and of what sizes.

use core::ops::RangeInclusive;

use crate::error::Error;

/// Most players, and most groups: numbers of either fit 32 bits with much to spare, and what is kept of each fits
/// memory.
pub(crate) const LIMIT: usize = 1 << 24;

/// The groups to be filled: bounds on the members of each, and a bench for those who wait.
///
/// # Examples
/// ```
/// use matching_heuristics::Groups;
///
/// let teams = Groups::of_size(12, 3)?; // four groups of three
/// assert_eq!(teams.len(), 4);
/// let lobbies = Groups::of_size(14, 6)?; // two groups of six, two wait
/// assert_eq!((lobbies.len(), lobbies.bench()), (2, 0..=2));
/// let classes = Groups::balanced(14, 4)?; // 3, 3, 4, 4
/// assert_eq!(classes.bounds(0), 3..=4);
/// # Ok::<(), matching_heuristics::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    bounds: Vec<(usize, usize)>,
    bench: usize,
}

impl Groups {
    /// As many groups of exactly `size` as `players` fill; those left over wait on the bench.
    ///
    /// # Errors
    /// [`Error::Empty`] if `size` or `players` is 0; [`Error::GroupTooLarge`] if there are too few for one group;
    /// [`Error::TooLarge`] beyond 2²⁴ players.
    pub fn of_size(players: usize, size: usize) -> Result<Self, Error> {
        if players == 0 || size == 0 {
            return Err(Error::Empty);
        }
        let count = players / size;
        if count == 0 {
            return Err(Error::GroupTooLarge { size, players });
        }
        check_limit(players, count)?;
        Ok(Self {
            bounds: vec![(size, size); count],
            bench: players % size,
        })
    }

    /// `count` groups whose sizes differ by at most one; nobody waits.
    ///
    /// # Errors
    /// [`Error::Empty`] if `count` or `players` is 0; [`Error::TooFewPlayers`] if there are too few for one in each
    /// group; [`Error::TooLarge`] beyond 2²⁴ players.
    pub fn balanced(players: usize, count: usize) -> Result<Self, Error> {
        if players == 0 || count == 0 {
            return Err(Error::Empty);
        }
        if count > players {
            return Err(Error::TooFewPlayers { players, groups: count });
        }
        check_limit(players, count)?;
        let least = players / count;
        Ok(Self {
            bounds: vec![(least, players.div_ceil(count)); count],
            bench: 0,
        })
    }

    /// A group for each range of sizes; nobody waits.
    ///
    /// # Errors
    /// [`Error::Empty`] without groups; [`Error::BoundsCrossed`] for an empty range.
    pub fn with_bounds(bounds: impl IntoIterator<Item = RangeInclusive<usize>>) -> Result<Self, Error> {
        let bounds: Vec<(usize, usize)> = bounds.into_iter().map(|range| (*range.start(), *range.end())).collect();
        if bounds.is_empty() {
            return Err(Error::Empty);
        }
        match bounds.iter().position(|(least, most)| least > most) {
            Some(group) => Err(Error::BoundsCrossed {
                group,
                least: bounds[group].0,
                most: bounds[group].1,
            }),
            None => Ok(Self { bounds, bench: 0 }),
        }
    }

    /// Lets up to `players` wait, in no group and at no cost. The search picks whom.
    #[must_use]
    pub fn with_bench(mut self, players: usize) -> Self {
        self.bench = players;
        self
    }

    /// Number of groups; the bench is not one.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Bounds on the members of a group.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn bounds(&self, group: usize) -> RangeInclusive<usize> {
        self.bounds[group].0..=self.bounds[group].1
    }

    /// How many may wait.
    pub fn bench(&self) -> RangeInclusive<usize> {
        0..=self.bench
    }

    /// Least and greatest number of members of each group, those of the bench last if there is one.
    pub(crate) fn all_bounds(&self) -> Vec<(usize, usize)> {
        let bench = (self.bench > 0).then_some((0, self.bench));
        self.bounds.iter().copied().chain(bench).collect()
    }
}

/// Whether a search can hold so many.
pub(crate) fn check_limit(players: usize, groups: usize) -> Result<(), Error> {
    if players > LIMIT || groups > LIMIT {
        return Err(Error::TooLarge { players, groups });
    }
    Ok(())
}
