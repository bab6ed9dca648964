//! Two players: what would put them together, or apart.

use matching_core::CostValue;

use super::exchanges::Asked;
use super::meter::Meter;
use super::{Costs, Exchange};
use crate::control::Stop;
use crate::verify::VerifyError;

/// Whether two players are in one group, and what exchanges would change that; see
/// [`Instance::explain_pair`](crate::Instance::explain_pair).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V: serde::Serialize, V::Total: serde::Serialize",
        deserialize = "V: serde::Deserialize<'de>, V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct PairExplanation<V: CostValue> {
    players: [usize; 2],
    groups: [Option<usize>; 2],
    is_party: bool,
    cost: Option<V>,
    obstacle: Option<Obstacle>,
    exchanges: Vec<Exchange<V>>,
    left_out: u64,
    stop: Stop,
}

/// Why two players are in one group in no grouping at all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Obstacle {
    /// These two of their parties must not be together.
    Forbidden {
        /// One of the first player's party.
        i: usize,
        /// One of the other's.
        j: usize,
    },
    /// Their parties are pinned to different groups.
    Pinned {
        /// The groups.
        groups: [usize; 2],
    },
    /// Their parties have more members than any group that may hold both.
    TooLarge {
        /// Members of both parties.
        members: usize,
        /// The most that such a group holds.
        most: usize,
    },
}

impl<V: CostValue> PairExplanation<V> {
    /// Of two players of a grouping.
    pub(super) fn new(asked: &Asked<'_, '_, V>, players: [usize; 2], mut meter: Meter) -> Result<Self, VerifyError> {
        let [a, b] = [asked.unit_of(players[0])?, asked.unit_of(players[1])?];
        let groups = [asked.group_of(a), asked.group_of(b)];
        let is_party = a == b;
        let mut explanation = Self {
            players,
            groups,
            is_party,
            cost: asked.pair_cost(players),
            obstacle: if is_party { None } else { asked.obstacle([a, b]) },
            exchanges: Vec::new(),
            left_out: 0,
            stop: Stop::Finished,
        };
        if is_party {
            return Ok(explanation);
        }
        for (unit, other, at) in [(a, b, 0), (b, a, 1)] {
            let (exchanges, left_out) = asked.of(unit, &mut meter);
            let (mine, others) = (asked.members(unit), asked.members(other));
            // One that both leave by is met with the first.
            let is_new = |exchange: &Exchange<V>| at == 0 || !exchange.leave.iter().any(|party| party == others);
            let changes = |exchange: &Exchange<V>| {
                let place = exchange.place_of(others).unwrap_or(groups[1 - at]);
                let is_together = exchange.to.is_some() && place == exchange.to;
                is_together != explanation.are_together()
            };
            debug_assert!(exchanges.iter().all(|exchange| exchange.leave[0] == mine));
            let found = exchanges
                .into_iter()
                .filter(|exchange| is_new(exchange) && changes(exchange));
            let found: Vec<_> = found.collect();
            explanation.exchanges.extend(found);
            explanation.left_out = explanation.left_out.saturating_add(left_out);
        }
        explanation.exchanges.sort_by(Exchange::order);
        explanation.stop = meter.stop();
        Ok(explanation)
    }

    /// The players.
    pub fn players(&self) -> [usize; 2] {
        self.players
    }

    /// Their groups; `None` for who waits.
    pub fn groups(&self) -> [Option<usize>; 2] {
        self.groups
    }

    /// Whether they are in one group.
    pub fn are_together(&self) -> bool {
        self.groups[0].is_some() && self.groups[0] == self.groups[1]
    }

    /// Whether they are of one party, and so always in one place.
    pub fn is_party(&self) -> bool {
        self.is_party
    }

    /// What the two cost together; `None` if they must be apart, or groups cost something as a whole.
    pub fn cost(&self) -> Option<V> {
        self.cost
    }

    /// What keeps the two apart in whatever grouping, where that is to be seen: of a cost of whole groups, what it forbids
    /// is not.
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.obstacle.as_ref()
    }

    /// The exchanges that put them into one group, or take one of them out of it: the best ones first, then those that are
    /// not allowed.
    pub fn exchanges(&self) -> &[Exchange<V>] {
        &self.exchanges
    }

    /// How many exchanges were not looked at, whether they would change that or not: as of
    /// [`Explanation::left_out`](crate::Explanation::left_out).
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// What ended it: [`Stop::Finished`] where no limit did.
    pub fn stop(&self) -> Stop {
        self.stop
    }
}

impl<V: CostValue> Exchange<V> {
    /// Where it brings a party; `None` if it leaves the party where it is.
    fn place_of(&self, party: &[usize]) -> Option<Option<usize>> {
        let has = |parties: &[Vec<usize>]| parties.iter().any(|other| other == party);
        match (has(&self.leave), has(&self.come)) {
            (true, _) => Some(self.to),
            (_, true) => Some(self.from),
            _ => None,
        }
    }
}

impl<V: CostValue> Asked<'_, '_, V> {
    /// What two different players cost.
    fn pair_cost(&self, [i, j]: [usize; 2]) -> Option<V> {
        self.instance().pair_cost(i, j)
    }

    /// What is in the way of two units in one group.
    fn obstacle(&self, units: [u32; 2]) -> Option<Obstacle> {
        let (layout, groups) = (self.instance().layout(), self.instance().groups());
        let [mine, others] = units.map(|unit| self.members(unit));
        if let Costs::Pairs(cost) = self.instance().costs
            && cost.has_forbidden()
        {
            let pairs = mine.iter().flat_map(|&i| others.iter().map(move |&j| (i, j)));
            let mut apart = pairs.filter(|&(i, j)| !cost.is_allowed(i.min(j), i.max(j)));
            if let Some((i, j)) = apart.next() {
                return Some(Obstacle::Forbidden { i, j });
            }
        }
        let pins = units.map(|unit| layout.pin[unit as usize].map(|group| group as usize));
        let pin = match pins {
            [Some(one), Some(other)] if one != other => return Some(Obstacle::Pinned { groups: [one, other] }),
            [one, other] => one.or(other),
        };
        let most = (0..groups.len()).filter(|&group| pin.is_none_or(|pin| pin == group));
        let most = most.map(|group| *groups.bounds(group).end()).max().unwrap_or(0);
        let members = mine.len() + others.len();
        (members > most).then_some(Obstacle::TooLarge { members, most })
    }
}
