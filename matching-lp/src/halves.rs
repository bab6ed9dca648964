//! Groups that are split in two teams, and how even these can be.

use core::cmp::Ordering;

use matching_core::{CostValue, GroupBound, GroupCost};

use crate::error::{Error, Overflow};

/// What a group costs by how unevenly its best split in two halves of the same size divides the sum of ratings.
///
/// A group of `2 k` players becomes two teams of `k`; it costs the least `|sum of one - sum of the other|` that any
/// split has. Groups of odd size are forbidden. For another weight beside other costs, multiply the ratings.
///
/// # Complexity
/// A group of `2 k` takes time in proportion to its `C(2 k, k)` splits, or to those until one is even: 126 for 5 against 5.
/// Whether it is allowed takes that of the splits until one is even enough. The bound for a group that
/// is not complete takes that of the splits of its members.
///
/// # Examples
/// ```
/// use matching_lp::{Groups, Halves, Problem, Solver};
///
/// let rating = [1500_i64, 1200, 1450, 1400, 1310, 1600, 1290, 1380];
/// let even = Halves::new(&rating)?;
/// let problem = Problem::by_group(&even, Groups::of_size(8, 4)?)?;
/// let solution = Solver::new().solve(&problem)?;
/// assert_eq!((solution.cost(), solution.is_optimal()), (30, true));
/// let split = even.split(&solution.groups()[0]).expect("a group of four");
/// let [one, other] = split.teams();
/// let sum = |team: &[usize]| team.iter().map(|&player| rating[player]).sum::<i64>();
/// assert_eq!((sum(one) - sum(other)).abs(), split.difference());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Halves<V> {
    ratings: Vec<V>,
    /// Sums of the least and of the greatest ratings: of none, of one, of two and so on.
    least: Vec<V>,
    greatest: Vec<V>,
    limit: Option<V>,
    is_free: bool,
    party_of: Vec<Option<usize>>,
    parties: usize,
    /// How far sums of floats can be off; zero for integers.
    slack: V,
}

/// A group in two teams.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Split<V> {
    teams: [Vec<usize>; 2],
    difference: V,
}

impl<V: CostValue> Split<V> {
    /// The teams, members ascending; the first one has the least player of all.
    pub fn teams(&self) -> &[Vec<usize>; 2] {
        &self.teams
    }

    /// How much the sums of ratings differ.
    pub fn difference(&self) -> V {
        self.difference
    }
}

/// The ratings of so many players together do not fit their type.
fn overflow(players: usize) -> Error {
    Error::CostOverflow(Overflow::Numbers { players })
}

impl<V: CostValue> Halves<V> {
    /// By these ratings, one for each player.
    ///
    /// # Errors
    /// [`Error::RatingNotANumber`]; [`Error::CostOverflow`] if the ratings of all players together do not fit the type.
    pub fn new(ratings: &[V]) -> Result<Self, Error> {
        let mut all = V::zero();
        for (player, &rating) in ratings.iter().enumerate() {
            if !rating.is_number() {
                return Err(Error::RatingNotANumber { player });
            }
            let size = absolute(rating).ok_or_else(|| overflow(player + 1))?;
            all = all.checked_add(size).ok_or_else(|| overflow(player + 1))?;
        }
        let twice = all.checked_add(all).filter(|sum| sum.is_number());
        let mut slack = twice.ok_or_else(|| overflow(ratings.len()))?;
        if V::IS_INTEGER {
            slack = V::zero();
        } else {
            // Each of the additions for a group rounds by less than the last digit of this sum.
            let two = V::one() + V::one();
            let mut digit = V::one();
            while V::one() + digit != V::one() {
                digit = digit / two;
            }
            slack = slack * digit * ratings.iter().fold(V::one(), |count, _| count + V::one());
        }
        let mut sorted = ratings.to_vec();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        let sums = |sorted: &mut dyn Iterator<Item = V>| -> Vec<V> {
            let mut sum = V::zero();
            let first = core::iter::once(sum);
            let sums: Vec<V> = sorted
                .map(|rating| {
                    sum = sum + rating;
                    sum
                })
                .collect();
            first.chain(sums).collect()
        };
        Ok(Self {
            least: sums(&mut sorted.iter().copied()),
            greatest: sums(&mut sorted.iter().rev().copied()),
            ratings: ratings.to_vec(),
            limit: None,
            is_free: false,
            party_of: vec![None; ratings.len()],
            parties: 0,
            slack,
        })
    }

    /// Groups whose best split has a greater difference than this are forbidden: all of them, if it is negative. Infinity
    /// forbids none.
    ///
    /// # Errors
    /// [`Error::LimitNotANumber`] for NaN and negative infinity.
    pub fn at_most(mut self, difference: V) -> Result<Self, Error> {
        if !difference.is_number() && difference.partial_cmp(&V::zero()) != Some(Ordering::Greater) {
            return Err(Error::LimitNotANumber);
        }
        self.limit = Some(difference);
        Ok(self)
    }

    /// Differences cost nothing: only [`at_most`](Self::at_most) counts.
    #[must_use]
    pub fn free(mut self) -> Self {
        self.is_free = true;
        self
    }

    /// Those of these players who are in one group are in the same half of it.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`]; [`Error::Twice`] for a player who is in a party already.
    pub fn party(mut self, players: &[usize]) -> Result<Self, Error> {
        for &player in players {
            let everybody = self.ratings.len();
            let slot = self.party_of.get_mut(player).ok_or(Error::NoSuchPlayer {
                player,
                players: everybody,
            })?;
            if slot.replace(self.parties).is_some() {
                return Err(Error::Twice { player });
            }
        }
        self.parties += 1;
        Ok(self)
    }

    /// The best split of a group; `None` for a group that is forbidden.
    ///
    /// # Panics
    /// If a player does not exist.
    pub fn split(&self, members: &[usize]) -> Option<Split<V>> {
        let mut members = members.to_vec();
        members.sort_unstable();
        let mut best: Option<(V, Vec<bool>)> = None;
        self.splits(&members, members.len() / 2, &mut |sides, difference, _| {
            let difference = absolute(difference).unwrap_or(difference);
            if best.as_ref().is_none_or(|best| difference < best.0) {
                best = Some((difference, sides.to_vec()));
            }
            // There is no better one than an even one.
            difference > V::zero()
        });
        let (difference, sides) = best.filter(|best| members.len().is_multiple_of(2) && self.is_even_enough(best.0))?;
        let team = |side: bool| {
            let on_side = members.iter().zip(&sides).filter(|member| *member.1 == side);
            on_side.map(|(&player, _)| player).collect()
        };
        Some(Split {
            teams: [team(false), team(true)],
            difference,
        })
    }

    fn is_even_enough(&self, difference: V) -> bool {
        self.limit.is_none_or(|limit| difference <= limit)
    }

    /// All ways to put members on two sides, no more than `half` on each and no party on both: the sides, the
    /// difference of the sums, and how many are on the first. The first member is on the first side. Ends when `look`
    /// says `false`.
    fn splits(&self, members: &[usize], half: usize, look: &mut dyn FnMut(&[bool], V, usize) -> bool) {
        let mut sides: Vec<bool> = Vec::with_capacity(members.len());
        // The difference and the number on the first side, after each member.
        let mut sums: Vec<(V, usize)> = vec![(V::zero(), 0)];
        let is_split = |sides: &[bool], side: bool, party: Option<usize>| {
            let mates = members.iter().zip(sides).filter(|mate| self.party_of[*mate.0] == party);
            party.is_some() && mates.into_iter().any(|mate| *mate.1 != side)
        };
        let mut next = Some(false);
        loop {
            let placed = sides.len();
            let (sum, first) = sums[placed];
            if placed == members.len() && next == Some(false) {
                if !look(&sides, sum, first) {
                    return;
                }
                next = None;
            }
            match next {
                Some(side) => {
                    let member = members[placed];
                    let count = if side { placed - first } else { first };
                    if count < half && !is_split(&sides, side, self.party_of[member]) {
                        let rating = self.ratings[member];
                        let sum = if side { sum - rating } else { sum + rating };
                        sums.push((sum, first + usize::from(!side)));
                        sides.push(side);
                        next = Some(false);
                    } else {
                        next = (!side && placed > 0).then_some(true);
                    }
                }
                None => {
                    sums.pop();
                    match sides.pop() {
                        // The other side would be the same split again for the first member.
                        Some(side) => next = (!side && !sides.is_empty()).then_some(true),
                        None => return,
                    }
                }
            }
        }
    }

    /// No split of a group of these members and `more` others has a smaller difference; `None` if there is no split.
    fn least_difference(&self, members: &[usize], more: usize) -> Option<V> {
        let half = (members.len() + more) / 2;
        let mut least: Option<V> = None;
        self.splits(members, half, &mut |sides, difference, first| {
            let (to_first, to_second) = (half - first, half - (sides.len() - first));
            let low = difference + self.least[to_first] - self.greatest[to_second];
            let high = difference + self.greatest[to_first] - self.least[to_second];
            let near = if low > V::zero() {
                low
            } else if high < V::zero() {
                V::zero() - high
            } else {
                V::zero()
            };
            if least.is_none_or(|least| near < least) {
                least = Some(near);
            }
            near > V::zero()
        });
        least
    }
}

/// `None` for the least number of an integer type.
fn absolute<V: CostValue>(value: V) -> Option<V> {
    if value < V::zero() {
        value.checked_neg()
    } else {
        Some(value)
    }
}

impl<V: CostValue> GroupCost for Halves<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.ratings.len()
    }

    fn group(&self, members: &[usize]) -> V {
        self.group_if_allowed(members).unwrap_or_else(V::zero)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        let mut is_allowed = members.is_empty();
        if members.len().is_multiple_of(2) {
            // One that is even enough says all.
            self.splits(members, members.len() / 2, &mut |_, difference, _| {
                is_allowed |= self.is_even_enough(absolute(difference).unwrap_or(difference));
                !is_allowed
            });
        }
        is_allowed
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_if_allowed(&self, members: &[usize]) -> Option<V> {
        if members.is_empty() {
            return Some(V::zero());
        }
        let split = self.split(members)?;
        Some(if self.is_free { V::zero() } else { split.difference })
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<V> {
        let size = members.len() + more;
        if size > self.ratings.len() || !size.is_multiple_of(2) {
            return GroupBound::Forbidden;
        }
        let mut members = members.to_vec();
        members.sort_unstable();
        let Some(least) = self.least_difference(&members, more) else {
            return GroupBound::Forbidden;
        };
        let least = if least > self.slack {
            least - self.slack
        } else {
            V::zero()
        };
        if !self.is_even_enough(least) {
            return GroupBound::Forbidden;
        }
        GroupBound::AtLeast(if self.is_free { V::zero() } else { least })
    }
}

#[cfg(test)]
mod tests;
