//! Whether a grouping is one, and costs what it says: from the instance alone.
//!
//! Nothing that a search works with is looked at: no units, no grid, no kept costs. Bounds, parties, pins and costs are
//! those that the caller gave.

#[cfg(test)]
mod tests;

use core::fmt;

use matching_core::{Cost, CostValue};

use crate::grouping::Grouping;
use crate::instance::{Costs, Instance, WholeCost};

/// Why a grouping is refused. Players and groups are numbered from 0; of places, `None` is the bench.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum VerifyError {
    /// Not as many groups as the instance has.
    WrongNumberOfGroups {
        /// Groups of the answer.
        found: usize,
        /// Groups of the instance.
        wanted: usize,
    },
    /// A group names somebody who is not there.
    NoSuchPlayer {
        /// The group.
        group: Option<usize>,
        /// The number that stands there.
        player: usize,
    },
    /// A player has two places.
    InTwoPlaces {
        /// The player.
        player: usize,
        /// The places; twice the same one where it names the player twice.
        groups: [Option<usize>; 2],
    },
    /// A player is in no group, and does not wait.
    Missing {
        /// The player.
        player: usize,
    },
    /// A group has fewer or more members than it may have.
    WrongSize {
        /// The group.
        group: usize,
        /// Its members.
        members: usize,
        /// Its least number of members.
        least: usize,
        /// Its greatest number of members.
        most: usize,
    },
    /// More players wait than may.
    BenchTooFull {
        /// How many wait.
        waiting: usize,
        /// How many may.
        most: usize,
    },
    /// Two players of one party are apart.
    PartySplit {
        /// One player.
        i: usize,
        /// The other.
        j: usize,
        /// Where the two are.
        groups: [Option<usize>; 2],
    },
    /// A player is not in the group that he is pinned to.
    PinLost {
        /// The player.
        player: usize,
        /// The group that he is pinned to.
        group: usize,
        /// Where he is.
        found: Option<usize>,
    },
    /// Two players are together who must not be.
    Forbidden {
        /// Their group.
        group: usize,
        /// One player.
        i: usize,
        /// The other.
        j: usize,
    },
    /// A cost of whole groups forbids a group.
    ForbiddenGroup {
        /// The group.
        group: usize,
    },
    /// What a group costs is no finite number, or does not fit its type, or not together with the groups before it.
    NotCounted {
        /// The group.
        group: usize,
    },
    /// The groups together do not cost what the answer says.
    WrongCost,
    /// Somebody is asked about who is not there.
    UnknownPlayer {
        /// The number that was asked about.
        player: usize,
        /// Number of players.
        players: usize,
    },
}

/// A place, for a message.
fn place(group: Option<usize>) -> String {
    group.map_or_else(|| "the bench".to_owned(), |group| format!("group {group}"))
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::WrongNumberOfGroups { found, wanted } => write!(f, "there are {found} groups, not {wanted}"),
            Self::NoSuchPlayer { group, player } => {
                write!(f, "{} names player {player}, who does not exist", place(group))
            }
            Self::InTwoPlaces {
                player,
                groups: [one, other],
            } if one == other => write!(f, "{} names player {player} twice", place(one)),
            Self::InTwoPlaces {
                player,
                groups: [one, other],
            } => write!(f, "both {} and {} name player {player}", place(one), place(other)),
            Self::Missing { player } => write!(f, "player {player} is in no group, and not on the bench"),
            Self::WrongSize {
                group,
                members,
                least,
                most,
            } => write!(
                f,
                "group {group} has {members} members; it must have {least} at least and {most} at most"
            ),
            Self::BenchTooFull { waiting, most } => write!(f, "{waiting} players wait, of {most} who may"),
            Self::PartySplit {
                i,
                j,
                groups: [one, other],
            } => write!(
                f,
                "players {i} and {j} must stay together; they are in {} and {}",
                place(one),
                place(other)
            ),
            Self::PinLost { player, group, found } => {
                write!(f, "player {player} is pinned to group {group}, and in {}", place(found))
            }
            Self::Forbidden { group, i, j } => {
                write!(f, "players {i} and {j} must not be together, as in group {group}")
            }
            Self::ForbiddenGroup { group } => write!(f, "the cost forbids group {group}"),
            Self::NotCounted { group } => write!(
                f,
                "what group {group} costs, or all up to it together, is no finite number that fits its type"
            ),
            Self::WrongCost => write!(f, "the groups do not cost what the answer says"),
            Self::UnknownPlayer { player, players } => {
                write!(
                    f,
                    "there is no player {player} to ask about: there are {players}, counted from 0"
                )
            }
        }
    }
}

impl core::error::Error for VerifyError {}

impl<V: CostValue> Grouping<V> {
    /// Checks that this is a grouping of the instance's players and costs what it says: everybody is in one group or on
    /// the bench, sizes are within bounds, parties whole, pins kept, nothing forbidden is in it, and the total is that of
    /// the groups, each counted afresh. Floats must be equal to the last bit; they are summed as a search sums them, with
    /// members ascending and groups in their order.
    ///
    /// Everything comes from the instance: nothing is taken from a search. Of a cost of pairs, each pair within a group is
    /// asked for once, with the lower player first. Whether the grouping is the best one
    /// ([`is_proven_best`](Self::is_proven_best)), and what else it says of the search, is not checked.
    ///
    /// # Errors
    /// [`VerifyError`]: the first thing that is wrong.
    ///
    /// # Complexity
    /// O(n + p + Σ m²) time for n players, p members of parties and pins, and groups of m members by pairs; by group,
    /// one call of the cost for each group, two where it forbids some. O(n) space.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_heuristics::{Groups, Instance, Search, VerifyError};
    ///
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let free = Instance::pairwise(&gap, Groups::of_size(6, 3)?)?;
    /// let grouping = Search::auto(&free).run()?;
    /// assert_eq!(grouping.verify(&free), Ok(()));
    /// let friends = free.party(&[0, 1])?;
    /// let apart = VerifyError::PartySplit { i: 0, j: 1, groups: [Some(0), Some(1)] };
    /// assert_eq!(grouping.verify(&friends), Err(apart));
    /// # Ok::<(), matching_heuristics::Error>(())
    /// ```
    pub fn verify(&self, instance: &Instance<'_, V>) -> Result<(), VerifyError> {
        let judged = Judged::new(instance, &self.groups, &self.bench)?;
        if judged.total == self.cost {
            Ok(())
        } else {
            Err(VerifyError::WrongCost)
        }
    }
}

/// A grouping that is one, with what it costs.
pub(crate) struct Judged<V: CostValue> {
    /// Where everybody is; the bench comes after the last group.
    pub(crate) places: Vec<usize>,
    /// What each group costs.
    pub(crate) costs: Vec<V::Total>,
    /// What they cost together, added up in their order.
    pub(crate) total: V::Total,
}

impl<V: CostValue> Judged<V> {
    /// Of groups and a bench that anybody may have brought.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub(crate) fn new(instance: &Instance<'_, V>, groups: &[Vec<usize>], bench: &[usize]) -> Result<Self, VerifyError> {
        let places = places(instance, groups, bench)?;
        check_sizes(instance, groups, bench)?;
        check_wishes(instance, &places)?;
        let mut total: V::Total = num_traits::zero();
        let mut costs = Vec::with_capacity(groups.len());
        for (group, members) in groups.iter().enumerate() {
            let mut members = members.clone();
            members.sort_unstable();
            let cost = cost_of(instance, group, &members)?;
            total = sum(total, cost, group)?;
            costs.push(cost);
        }
        Ok(Self { places, costs, total })
    }
}

/// What a group of these players, ascending, costs.
pub(crate) fn cost_of<V: CostValue>(
    instance: &Instance<'_, V>,
    group: usize,
    members: &[usize],
) -> Result<V::Total, VerifyError> {
    match instance.costs {
        Costs::Pairs(cost) => of_pairs(cost, group, members),
        Costs::Whole(cost, _) => of_group(cost, group, members),
    }
}

/// What groups cost, with this one.
pub(crate) fn sum<T: CostValue>(total: T, cost: T, group: usize) -> Result<T, VerifyError> {
    let sum = total.checked_add(cost).filter(|sum| sum.is_number());
    sum.ok_or(VerifyError::NotCounted { group })
}

/// Where everybody is; the bench comes after the last group.
fn places<V: CostValue>(
    instance: &Instance<'_, V>,
    groups: &[Vec<usize>],
    bench: &[usize],
) -> Result<Vec<usize>, VerifyError> {
    let (found, wanted) = (groups.len(), instance.groups().len());
    if found != wanted {
        return Err(VerifyError::WrongNumberOfGroups { found, wanted });
    }
    let mut places = vec![None; instance.len()];
    for (at, members) in groups.iter().map(Vec::as_slice).chain([bench]).enumerate() {
        for &player in members {
            let group = named(at, wanted);
            let place = places
                .get_mut(player)
                .ok_or(VerifyError::NoSuchPlayer { group, player })?;
            if let Some(first) = place.replace(at) {
                let groups = [named(first, wanted), group];
                return Err(VerifyError::InTwoPlaces { player, groups });
            }
        }
    }
    let place = |(player, place): (usize, Option<usize>)| place.ok_or(VerifyError::Missing { player });
    places.into_iter().enumerate().map(place).collect()
}

/// Sizes of groups, and of the bench.
fn check_sizes<V: CostValue>(
    instance: &Instance<'_, V>,
    groups: &[Vec<usize>],
    bench: &[usize],
) -> Result<(), VerifyError> {
    let members = groups.iter().map(Vec::len).enumerate();
    members
        .chain([(groups.len(), bench.len())])
        .try_for_each(|(place, members)| check_size(instance, place, members))
}

/// Whether a place may have so many; the bench comes after the last group.
pub(crate) fn check_size<V: CostValue>(
    instance: &Instance<'_, V>,
    place: usize,
    members: usize,
) -> Result<(), VerifyError> {
    let groups = instance.groups();
    if place == groups.len() {
        let (waiting, most) = (members, *groups.bench().end());
        return match waiting > most {
            true => Err(VerifyError::BenchTooFull { waiting, most }),
            false => Ok(()),
        };
    }
    let bounds = groups.bounds(place);
    if bounds.contains(&members) {
        return Ok(());
    }
    let (least, most) = bounds.into_inner();
    Err(VerifyError::WrongSize {
        group: place,
        members,
        least,
        most,
    })
}

/// A place as errors name it.
pub(crate) fn named(place: usize, groups: usize) -> Option<usize> {
    (place < groups).then_some(place)
}

/// Parties and pins.
fn check_wishes<V: CostValue>(instance: &Instance<'_, V>, places: &[usize]) -> Result<(), VerifyError> {
    let named = |player: usize| named(places[player], instance.groups().len());
    for party in instance.asked_parties() {
        if let Some(&j) = party.iter().find(|&&player| places[player] != places[party[0]]) {
            let (i, groups) = (party[0], [named(party[0]), named(j)]);
            return Err(VerifyError::PartySplit { i, j, groups });
        }
    }
    let is_lost = |&&(player, group): &&(usize, usize)| places[player] != group;
    match instance.asked_pins().iter().find(is_lost) {
        Some(&(player, group)) => {
            let found = named(player);
            Err(VerifyError::PinLost { player, group, found })
        }
        None => Ok(()),
    }
}

/// What the pairs of a group cost together.
fn of_pairs<V: CostValue>(
    cost: &dyn Cost<Value = V>,
    group: usize,
    members: &[usize],
) -> Result<V::Total, VerifyError> {
    let mut total: V::Total = num_traits::zero();
    for (at, &i) in members.iter().enumerate() {
        for &j in &members[at + 1..] {
            if cost.has_forbidden() && !cost.is_allowed(i, j) {
                return Err(VerifyError::Forbidden { group, i, j });
            }
            let pair = cost.checked_pair(i, j).filter(|pair| pair.is_number());
            let sum = pair.and_then(|pair| total.checked_add(pair.to_total()));
            total = sum.ok_or(VerifyError::NotCounted { group })?;
        }
    }
    Ok(total)
}

/// What a group costs as a whole.
fn of_group<V: CostValue>(cost: &dyn WholeCost<V>, group: usize, members: &[usize]) -> Result<V::Total, VerifyError> {
    if !cost.is_allowed(members) {
        return Err(VerifyError::ForbiddenGroup { group });
    }
    let value = cost.checked_group(members).filter(|value| value.is_number());
    value.map(CostValue::to_total).ok_or(VerifyError::NotCounted { group })
}
