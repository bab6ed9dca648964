//! Players who stay together, and must not.
//!
//! Who are in one party, or pinned to one group, play together or wait together. Where two of them must be apart they can
//! only wait; where somebody is pinned, or they are more than may wait, there is no grouping: seen at a glance, where a
//! search does not see it before it has looked at what everybody else can do.

use matching_core::CostValue;

use crate::crowd::Places;
use crate::model::Model;
use crate::problem::Problem;

/// Players who must play together, and must not.
pub(crate) struct Torn {
    /// Ascending.
    pub(crate) players: Vec<usize>,
    /// Whether it is known that there is a grouping where any one of them has no wishes, and nobody else has.
    pub(crate) is_minimal: bool,
}

impl Torn {
    /// Whether there are such players.
    pub(crate) fn is_there<V: CostValue>(problem: &Problem<'_, V>, model: &Model<'_>) -> bool {
        let bench = Places::of(problem).bench;
        units(model, bench).next().is_some()
    }

    /// Some such players, with the wishes of all, if there are any.
    ///
    /// # Complexity
    /// O(n²) looks at whether two of n players may be together.
    pub(crate) fn find<V: CostValue>(problem: &Problem<'_, V>, model: &Model<'_>) -> Option<Self> {
        let bench = Places::of(problem).bench;
        let unit = units(model, bench).next()?;
        let unit = Unit::of(problem, &model.units[unit], bench);
        // Where no party has both in it, some chain of parties is to blame, and none is looked for.
        Some(unit.few().unwrap_or_else(|| Self {
            players: unit.players.to_vec(),
            is_minimal: false,
        }))
    }
}

/// Units that must play and must not.
fn units<'m>(model: &'m Model<'_>, bench: usize) -> impl Iterator<Item = usize> + 'm {
    let must_play = move |unit: usize| model.is_pinned(unit as u16) || model.size[unit] as usize > bench;
    (0..model.len()).filter(move |&unit| !model.may_play[unit] && must_play(unit))
}

/// Players who stay together, by parties and pins.
struct Unit<'p, V: CostValue> {
    problem: &'p Problem<'p, V>,
    /// Ascending.
    players: &'p [usize],
    /// Those who are pinned, all to one group; ascending.
    pinned: Vec<usize>,
    /// Pairs kept apart, ascending, the lesser player first.
    apart: Vec<(usize, usize)>,
    /// How many may wait.
    bench: usize,
}

impl<'p, V: CostValue> Unit<'p, V> {
    fn of(problem: &'p Problem<'p, V>, players: &'p [usize], bench: usize) -> Self {
        let is_in = |player: &usize| players.binary_search(player).is_ok();
        let pinned = problem.pins().iter().map(|pin| pin.0).filter(is_in);
        let apart = problem.pairs_apart().iter().filter(|(i, j)| is_in(i) && is_in(j));
        let mut apart: Vec<(usize, usize)> = apart.map(|&(i, j)| (i.min(j), i.max(j))).collect();
        apart.sort_unstable();
        Self {
            pinned: ascending(pinned.collect()),
            problem,
            players,
            apart,
            bench,
        }
    }

    /// Two who are in one party or both pinned, and must be apart; with them, as many of the party as it takes that they
    /// cannot wait.
    fn few(&self) -> Option<Torn> {
        if let Some((i, j)) = self.pair(&self.pinned) {
            return Some(self.torn(vec![i, j]));
        }
        // Parties that share players could take more looks than all pairs of them.
        let mut looks = self.players.len().pow(2);
        let is_here = |party: &&Vec<usize>| {
            party
                .first()
                .is_some_and(|first| self.players.binary_search(first).is_ok())
        };
        for party in self.problem.parties().iter().filter(is_here) {
            looks = looks.checked_sub(party.len().pow(2))?;
            let party = ascending(party.clone());
            if let Some(pair) = self.pair(&party)
                && let Some(players) = self.kept_from_waiting(pair, &party)
            {
                return Some(self.torn(players));
            }
        }
        None
    }

    /// The first two of these who must be apart.
    fn pair(&self, players: &[usize]) -> Option<(usize, usize)> {
        let cost = self.problem.cost();
        let is_forbidden = |i: usize, j: usize| cost.has_forbidden() && !cost.is_allowed(i, j);
        let must_part = |i: usize, j: usize| is_forbidden(i, j) || self.apart.binary_search(&(i, j)).is_ok();
        let others = |at: usize| players[at + 1..].iter();
        let mut pairs = players
            .iter()
            .enumerate()
            .flat_map(|(at, &i)| others(at).map(move |&j| (i, j)));
        pairs.find(|&(i, j)| must_part(i, j))
    }

    /// This pair of a party, and others of it until they cannot wait; `None` if all of it can.
    fn kept_from_waiting(&self, (i, j): (usize, usize), party: &[usize]) -> Option<Vec<usize>> {
        let is_pinned = |player: &usize| self.pinned.binary_search(player).is_ok();
        let mut players = vec![i, j];
        if players.len() > self.bench || players.iter().any(is_pinned) {
            return Some(players);
        }
        if let Some(&pinned) = party.iter().find(|player| is_pinned(player)) {
            players.push(pinned);
            return Some(players);
        }
        let others = party.iter().copied().filter(|&player| player != i && player != j);
        players.extend(others.take(self.bench + 1 - players.len()));
        (players.len() > self.bench).then_some(players)
    }

    /// Such a conflict, and whether there is a grouping when any one of these has no wishes.
    fn torn(&self, players: Vec<usize>) -> Torn {
        let is_minimal = match players[..] {
            [i, j] => self.can_be_alone(i) && self.can_be_alone(j),
            // So many are left as may wait, and while they do the others play.
            _ => {
                let is_pinned = |player: &usize| self.pinned.binary_search(player).is_ok();
                !players.iter().any(is_pinned) && self.can_all_have(self.needed())
            }
        };
        Torn {
            is_minimal,
            players: ascending(players),
        }
    }

    /// Members of a group who must play a role.
    fn needed(&self) -> usize {
        let roles = self.problem.roles().iter();
        roles.fold(0, |sum: usize, role| sum.saturating_add(role.least()))
    }

    /// Whether it is seen that there is a grouping if nobody but this player has wishes: he has none but to be somewhere and
    /// to play something, for which every group has room.
    fn can_be_alone(&self, player: usize) -> bool {
        let roles = self.problem.roles();
        let is_pinned = self.pinned.binary_search(&player).is_ok();
        let mut his = roles.iter().filter(|role| role.can_play(player)).peekable();
        // Who can play nothing need not.
        let can_play = his.peek().is_none() || his.clone().any(|role| role.most() > 0);
        // He is one of those who must, or comes on top of them.
        let on_top = !roles.is_empty() && !his.any(|role| role.least() > 0);
        let each = self.needed().saturating_add(usize::from(on_top));
        can_play && (roles.is_empty() && !is_pinned || self.can_all_have(each.max(1)))
    }

    /// Whether all groups that may have members can have so many at least while as many wait as may.
    fn can_all_have(&self, each: usize) -> bool {
        let groups = self.problem.groups();
        let bounds = (0..groups.len()).map(|group| groups.bounds(group));
        let mut filled = bounds.filter(|bounds| *bounds.end() > 0);
        let sum = filled.try_fold(0_usize, |sum, bounds| {
            let least = each.max(*bounds.start());
            (least <= *bounds.end()).then(|| sum.saturating_add(least))
        });
        sum.is_some_and(|sum| sum <= self.problem.len() - self.bench)
    }
}

/// Each of these once, in their order.
fn ascending(mut players: Vec<usize>) -> Vec<usize> {
    players.sort_unstable();
    players.dedup();
    players
}
