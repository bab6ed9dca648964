//! Why somebody is where he is: what would come of his party's changing places with others.

mod count;
mod exchanges;
mod meter;
mod pair;
mod sets;
#[cfg(test)]
mod tests;

use core::cmp::Ordering;

use matching_core::{Budget, CostValue};

use crate::control::Stop;
use crate::grouping::Grouping;
use crate::instance::{Costs, Instance};
use crate::verify::VerifyError;
use exchanges::Asked;
use meter::Meter;

pub use pair::{Obstacle, PairExplanation};

/// Where a player's party is, what it costs there, and what its exchanges would change; see [`Instance::explain`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: serde::Serialize, V::Total: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct Explanation<V: CostValue> {
    player: usize,
    party: Vec<usize>,
    group: Option<usize>,
    cost: V::Total,
    pairs: Vec<PairCost<V>>,
    exchanges: Vec<Exchange<V>>,
    left_out: u64,
    stop: Stop,
}

/// What a player costs with another one of his group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairCost<V> {
    /// The other player.
    pub player: usize,
    /// What the two cost; half of it is either's share.
    pub cost: V,
}

/// Parties of one place move to another one, and others may come for them. Of places, `None` is the bench.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V::Total: serde::Serialize",
        deserialize = "V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct Exchange<V: CostValue> {
    leave: Vec<Vec<usize>>,
    from: Option<usize>,
    come: Vec<Vec<usize>>,
    to: Option<usize>,
    outcome: Result<V::Total, VerifyError>,
}

impl<V: CostValue> Explanation<V> {
    /// The player.
    pub fn player(&self) -> usize {
        self.player
    }

    /// The members of the player's party, ascending; a player alone is a party of one.
    pub fn party(&self) -> &[usize] {
        &self.party
    }

    /// The group; `None` if the party waits.
    pub fn group(&self) -> Option<usize> {
        self.group
    }

    /// What the group costs; nothing if the party waits.
    pub fn cost(&self) -> V::Total {
        self.cost
    }

    /// What the player costs with each other member of the group, ascending; none where groups cost something as a whole.
    pub fn pairs(&self) -> &[PairCost<V>] {
        &self.pairs
    }

    /// All exchanges that were looked at: the best ones first, then those that are not allowed.
    pub fn exchanges(&self) -> &[Exchange<V>] {
        &self.exchanges
    }

    /// How many exchanges were not looked at: of one party against several, as there are more than eight for each player, or
    /// than take some seconds by pairs; and of whatever kind where a [limit](Instance::explain_within) ended it. Of more than `u64::MAX` that many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What ended it: [`Stop::Finished`] where no limit did.
    pub fn stop(&self) -> Stop {
        self.stop
    }
}

impl<V: CostValue> Exchange<V> {
    /// The parties that leave: first the one that was asked about, then those of its group that go along with it. Members
    /// ascend.
    pub fn leave(&self) -> &[Vec<usize>] {
        &self.leave
    }

    /// Where they leave.
    pub fn from(&self) -> Option<usize> {
        self.from
    }

    /// The parties that come for them; none where the others only move.
    pub fn come(&self) -> &[Vec<usize>] {
        &self.come
    }

    /// Where they go, and those who come are.
    pub fn to(&self) -> Option<usize> {
        self.to
    }

    /// By how much the total rises, from the cost itself; below zero, the grouping becomes better.
    ///
    /// # Errors
    /// Why it is not allowed: what [`Grouping::verify`] says of the groups that would come of it. A change that does not
    /// fit its type is as good as a group whose cost does not.
    pub fn outcome(&self) -> Result<V::Total, &VerifyError> {
        self.outcome.as_ref().copied()
    }

    /// The best come first, and what is not allowed comes last.
    fn order(&self, other: &Self) -> Ordering {
        match (&self.outcome, &other.outcome) {
            // Changes are numbers.
            (Ok(one), Ok(other)) => one.partial_cmp(other).unwrap_or(Ordering::Equal),
            (one, other) => one.is_err().cmp(&other.is_err()),
        }
    }
}

impl<V: CostValue> Instance<'_, V> {
    /// Why a player is in this group, or waits: what the total would come to if his party were elsewhere, by one exchange
    /// with each other group and with the bench.
    ///
    /// The groups may come from anywhere, such as from an exact solver; whoever is in none of them waits. Of each other
    /// place, these exchanges are judged anew, from the cost itself:
    /// - the party moves there, and nobody comes for it;
    /// - it changes places with one party there;
    /// - it changes places with several smaller parties there of as many members together;
    /// - it and others of its place, as many members together, change places with one larger party there.
    ///
    /// Who is pinned is in none of several. Of the last two kinds there may be more than can be looked at
    /// ([`Explanation::left_out`]).
    ///
    /// An exchange is one step: where none is better, there may still be better groups, unless these are proven to be the
    /// best.
    ///
    /// # Errors
    /// [`VerifyError`]: what is wrong with the groups, or [`VerifyError::UnknownPlayer`].
    ///
    /// # Complexity
    /// For `e` exchanges of up to `k` players, of which there are one to nine for each player, in `g` groups of `m` members:
    /// O(e (k m + g)) time by pairs of integers of 64 bits, O(e (m² + g)) by pairs of other numbers; by group, a call of the cost
    /// for each of two groups, twice that where it forbids some, and O(e (m + g)). O(e k) space.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_heuristics::{Groups, Instance};
    ///
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let instance = Instance::pairwise(&gap, Groups::of_size(6, 3)?)?.pin(1, 1)?;
    /// let explanation = instance.explain(&[vec![0, 3, 5], vec![1, 2, 4]], 3)?;
    /// assert_eq!(explanation.group(), Some(0));
    /// assert_eq!(explanation.pairs().iter().map(|pair| pair.cost).sum::<i64>(), 50 + 30);
    /// // The best exchange is the one with player 2, and costs 2,120 more; player 1 is pinned.
    /// let best = &explanation.exchanges()[0];
    /// assert_eq!((best.come(), best.outcome()), (&[vec![2]][..], Ok(2_120)));
    /// let pinned = explanation.exchanges().iter().find(|exchange| exchange.come() == [[1]]);
    /// assert!(pinned.is_some_and(|exchange| exchange.outcome().is_err()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, groups: &[Vec<usize>], player: usize) -> Result<Explanation<V>, VerifyError> {
        self.explain_within(groups, player, &Budget::new())
    }

    /// The same within limits: where one ends it, the exchanges so far are told ([`Explanation::stop`]), those of one party with
    /// another one first, and the others are counted ([`Explanation::left_out`]).
    ///
    /// A unit of work is an exchange; time and [cancelling](matching_core::CancelToken) are looked at before each. The groups
    /// are checked and counted once before, however long that takes: as long as two exchanges with whole groups, or, of small
    /// groups, as [`Grouping::verify`]. What the budget says of memory does not count.
    ///
    /// # Errors
    /// As for [`explain`](Self::explain); a limit is none.
    ///
    /// # Complexity
    /// That of [`explain`](Self::explain) at most.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Budget, cost};
    /// use matching_heuristics::{Groups, Instance, Stop};
    ///
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let instance = Instance::pairwise(&gap, Groups::of_size(6, 3)?)?;
    /// let explanation = instance.explain_within(&[vec![0, 3, 5], vec![1, 2, 4]], 3, &Budget::new().work(3))?;
    /// assert_eq!((explanation.exchanges().len(), explanation.left_out()), (3, 1));
    /// assert_eq!(explanation.stop(), Stop::Work);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_within(
        &self,
        groups: &[Vec<usize>],
        player: usize,
        budget: &Budget,
    ) -> Result<Explanation<V>, VerifyError> {
        let mut meter = Meter::start(budget);
        let asked = Asked::new(self, groups)?;
        let unit = asked.unit_of(player)?;
        let group = asked.group_of(unit);
        let (mut exchanges, left_out) = asked.of(unit, &mut meter);
        exchanges.sort_by(Exchange::order);
        Ok(Explanation {
            player,
            party: asked.members(unit).to_vec(),
            group,
            cost: group.map_or_else(num_traits::zero, |group| asked.cost(group)),
            pairs: group.map_or_else(Vec::new, |group| self.pairs_of(player, asked.players(group))),
            exchanges,
            left_out,
            stop: meter.stop(),
        })
    }

    /// Why two players are not in one group, or are: what the total would come to by each exchange that changes it, and
    /// what forbids all of them.
    ///
    /// The exchanges are those of either player's party, as [`explain`](Self::explain) looks at them, with the place of
    /// the other one; where the two are together, with all other places. Who waits is together with nobody.
    ///
    /// # Errors
    /// As for [`explain`](Self::explain).
    ///
    /// # Complexity
    /// That of two explanations.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Cost, cost};
    /// use matching_heuristics::{Groups, Instance, Obstacle};
    ///
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let apart = gap.restricted(|i, j| i + j != 7);
    /// let instance = Instance::pairwise(&apart, Groups::of_size(6, 3)?)?;
    /// let groups = [vec![0, 3, 5], vec![1, 2, 4]];
    /// let explanation = instance.explain_pair(&groups, [3, 1])?;
    /// let cheapest = &explanation.exchanges()[0];
    /// assert_eq!((cheapest.leave(), cheapest.come()), (&[vec![3]][..], &[vec![4]][..]));
    /// // Players 3 and 4 must not be together, whatever is exchanged.
    /// let explanation = instance.explain_pair(&groups, [3, 4])?;
    /// assert_eq!(explanation.obstacle(), Some(&Obstacle::Forbidden { i: 3, j: 4 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_pair(&self, groups: &[Vec<usize>], players: [usize; 2]) -> Result<PairExplanation<V>, VerifyError> {
        self.explain_pair_within(groups, players, &Budget::new())
    }

    /// The same within limits, as [`explain_within`](Self::explain_within) takes them for the exchanges of both.
    ///
    /// # Errors
    /// As for [`explain`](Self::explain); a limit is none.
    ///
    /// # Complexity
    /// That of two explanations at most.
    pub fn explain_pair_within(
        &self,
        groups: &[Vec<usize>],
        players: [usize; 2],
        budget: &Budget,
    ) -> Result<PairExplanation<V>, VerifyError> {
        let meter = Meter::start(budget);
        PairExplanation::new(&Asked::new(self, groups)?, players, meter)
    }

    /// What a player costs with each of a group.
    fn pairs_of(&self, player: usize, members: &[usize]) -> Vec<PairCost<V>> {
        let others = members.iter().filter(|&&other| other != player);
        let others = others.map(|&other| Some((other, self.pair_cost(player, other)?)));
        others
            .flatten()
            .map(|(player, cost)| PairCost { player, cost })
            .collect()
    }

    /// What two players cost, where groups cost the sum of their pairs, and the two may be together.
    fn pair_cost(&self, i: usize, j: usize) -> Option<V> {
        let Costs::Pairs(cost) = self.costs else {
            return None;
        };
        let (i, j) = (i.min(j), i.max(j));
        let is_allowed = i != j && (!cost.has_forbidden() || cost.is_allowed(i, j));
        let pair = is_allowed.then(|| cost.checked_pair(i, j)).flatten();
        pair.filter(|pair| pair.is_number())
    }
}

impl<V: CostValue> Grouping<V> {
    /// Why a player is in this group, or waits; see [`Instance::explain`].
    ///
    /// # Errors
    /// [`VerifyError`] where this is no grouping of the instance, or does not cost what it says ([`Self::verify`]), and as
    /// for [`Instance::explain`].
    pub fn explain(&self, instance: &Instance<'_, V>, player: usize) -> Result<Explanation<V>, VerifyError> {
        self.verify(instance)?;
        instance.explain(&self.groups, player)
    }

    /// Why two players are not in one group, or are; see [`Instance::explain_pair`].
    ///
    /// # Errors
    /// As for [`explain`](Self::explain).
    pub fn explain_pair(
        &self,
        instance: &Instance<'_, V>,
        players: [usize; 2],
    ) -> Result<PairExplanation<V>, VerifyError> {
        self.verify(instance)?;
        instance.explain_pair(&self.groups, players)
    }
}
