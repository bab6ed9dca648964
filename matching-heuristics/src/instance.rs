//! What is to be grouped: players, groups, costs, and who must stay together or in place.

use core::fmt;
use std::sync::Arc;

use matching_core::{Cost, CostValue, GroupCost};

use crate::error::Error;
use crate::groups::Groups;
use crate::layout::Layout;
use crate::whole::InScores;

/// A grouping problem: minimise the cost of all groups together.
///
/// # Examples
/// ```
/// use matching_core::cost;
/// use matching_heuristics::{Groups, Instance, Search};
///
/// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
/// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
/// let friends = Instance::pairwise(&gap, Groups::of_size(6, 3)?)?.party(&[0, 3])?;
/// let grouping = Search::auto(&friends).work(10_000).run()?;
/// assert_eq!(grouping.groups(), [vec![0, 3, 5], vec![1, 2, 4]]);
/// # Ok::<(), matching_heuristics::Error>(())
/// ```
#[derive(Clone)]
pub struct Instance<'a, V: CostValue> {
    pub(crate) costs: Costs<'a, V>,
    groups: Groups,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
    len: usize,
    layout: Arc<Layout>,
}

/// Where costs come from.
#[derive(Clone, Copy)]
pub(crate) enum Costs<'a, V> {
    Pairs(&'a (dyn Cost<Value = V> + 'a)),
    /// As it is, for what is counted in its own numbers, and as walks ask it.
    Whole(&'a dyn WholeCost<V>, InScores<'a>),
}

/// What a cost of whole groups says in its own numbers.
pub(crate) trait WholeCost<V>: Sync {
    /// What a group costs; `None` if that does not fit the type.
    fn checked_group(&self, members: &[usize]) -> Option<V>;

    /// Whether these may be put together.
    fn is_allowed(&self, members: &[usize]) -> bool;
}

impl<V, C: GroupCost<Value = V> + Sync> WholeCost<V> for C {
    fn checked_group(&self, members: &[usize]) -> Option<V> {
        GroupCost::checked_group(self, members)
    }

    fn is_allowed(&self, members: &[usize]) -> bool {
        !self.has_forbidden_groups() || self.is_group_allowed(members)
    }
}

impl<'a, V: CostValue> Instance<'a, V> {
    /// Groups cost the sum of their pairs; results are counted in the cost's own numbers.
    ///
    /// The search works on a grid of integers. It is exact where costs are integers that are small enough. Else they
    /// are rounded so that what a party pays in a group has 26 bits: for single players in groups of `m`, to about `m /
    /// 2²⁶` of the greatest cost (seven digits for groups of five). Where pairs are forbidden, each counts as more than
    /// any move can gain, and the grid is `4 m` times as coarse, with parties so many times more as the largest has
    /// members: five or six digits for groups of five, four for groups of fifty. Where all sizes are fixed, what all
    /// pairs cost at least is left out of that if it is far more than they differ by.
    ///
    /// A search keeps 5 bytes for each two parties and single players in either order, and 4 for each of them and each group
    /// of every walk at a time ([`Search::memory`](crate::Search::memory) limits the first, and the second of one walk).
    ///
    /// References and boxes of costs are costs, so that one that is chosen when the program runs may be given as
    /// `&Box<dyn Cost<Value = V>>`.
    ///
    /// # Errors
    /// [`Error::SizesDoNotAddUp`] if the groups do not hold as many as the cost has rows; [`Error::NotSquare`] for a
    /// cost of two different sides; [`Error::Empty`] without players; [`Error::TooLarge`] beyond 2²⁴ players or groups.
    pub fn pairwise<C: Cost<Value = V>>(cost: &'a C, groups: Groups) -> Result<Self, Error> {
        let len = cost.len();
        if cost.cols() != len {
            return Err(Error::NotSquare {
                rows: len,
                cols: cost.cols(),
            });
        }
        Self::new(Costs::Pairs(cost), len, groups)
    }

    /// Any cost of whole groups. Integers beyond 64 bits are refused when they are met. Groups whose cost does not fit
    /// its type ([`GroupCost::checked_group`]) are as good as forbidden where all groupings are tried; walks take the
    /// nearest value that fits, and refuse such groups in what they return.
    ///
    /// It is asked with members ascending, and with none for an empty group where bounds allow one.
    ///
    /// A cost that forbids groups keeps people apart, and allows sizes that bounds alone do not say, such as four, five
    /// or nobody: [`cost::from_group_option_fn`](matching_core::cost::from_group_option_fn) makes one of a closure.
    ///
    /// # Errors
    /// [`Error::SizesDoNotAddUp`] if the groups do not hold as many as the cost knows; [`Error::Empty`] without
    /// players; [`Error::TooLarge`] beyond 2²⁴ players or groups.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_heuristics::{Groups, Instance, Search};
    ///
    /// // A team costs the gap between its best player and its worst.
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let spread = cost::from_group_fn(6, |team| {
    ///     let skills = || team.iter().map(|&player| skill[player]);
    ///     skills().max().unwrap_or(0) - skills().min().unwrap_or(0)
    /// });
    /// let instance = Instance::by_group(&spread, Groups::of_size(6, 3)?)?;
    /// let grouping = Search::auto(&instance).seed(1).run()?;
    /// assert_eq!((grouping.groups(), grouping.cost()), (&[vec![0, 3, 5], vec![1, 2, 4]][..], 70));
    /// # Ok::<(), matching_heuristics::Error>(())
    /// ```
    pub fn by_group<C: GroupCost<Value = V> + Sync>(cost: &'a C, groups: Groups) -> Result<Self, Error> {
        let len = cost.len();
        Self::new(Costs::Whole(cost, InScores::of(cost)), len, groups)
    }

    fn new(costs: Costs<'a, V>, len: usize, groups: Groups) -> Result<Self, Error> {
        let layout = Arc::new(Layout::new(len, &groups, &[], &[])?);
        Ok(Self {
            costs,
            groups,
            parties: Vec::new(),
            pins: Vec::new(),
            len,
            layout,
        })
    }

    /// These players stay together: in one group, or on the bench.
    ///
    /// Everybody is looked at again with every call: for many parties, [`parties`](Self::parties) is the way.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::TwiceInParty`], [`Error::PartyTooLarge`] (also for parties that share a player
    /// and so are one), [`Error::PinsDisagree`], [`Error::TooManyPinned`], [`Error::PinsLeaveTooFew`].
    pub fn party(self, players: &[usize]) -> Result<Self, Error> {
        self.parties([players.to_vec()])
    }

    /// All of these parties; see [`party`](Self::party).
    ///
    /// # Errors
    /// As for [`party`](Self::party).
    pub fn parties(mut self, parties: impl IntoIterator<Item = Vec<usize>>) -> Result<Self, Error> {
        self.parties
            .extend(parties.into_iter().filter(|party| !party.is_empty()));
        self.rebuilt()
    }

    /// This player, and so his party, stays in this group. For many, [`pins`](Self::pins) is the way.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::NoSuchGroup`], [`Error::PinsDisagree`], [`Error::TooManyPinned`],
    /// [`Error::PinsLeaveTooFew`].
    pub fn pin(self, player: usize, group: usize) -> Result<Self, Error> {
        self.pins([(player, group)])
    }

    /// All of these players stay in these groups; see [`pin`](Self::pin).
    ///
    /// # Errors
    /// As for [`pin`](Self::pin).
    pub fn pins(mut self, pins: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, Error> {
        self.pins.extend(pins);
        self.rebuilt()
    }

    fn rebuilt(mut self) -> Result<Self, Error> {
        self.layout = Arc::new(Layout::new(self.len, &self.groups, &self.parties, &self.pins)?);
        Ok(self)
    }

    /// Number of players.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The groups to be filled.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    pub(crate) fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// Who must stay together, as the caller said it; nobody twice in one of them, none is empty.
    pub(crate) fn asked_parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// Who must be in which group, as the caller said it.
    pub(crate) fn asked_pins(&self) -> &[(usize, usize)] {
        &self.pins
    }
}

impl<V: CostValue> fmt::Debug for Instance<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance")
            .field("len", &self.len)
            .field("groups", &self.groups)
            .field("parties", &self.parties)
            .field("pins", &self.pins)
            .finish_non_exhaustive()
    }
}
