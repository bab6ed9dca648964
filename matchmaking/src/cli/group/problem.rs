//! What is asked, whatever the input was.

use matching_core::{CancelToken, Cost, CostValue};
use matching_heuristics::Groups;

use super::plan::Size;
use super::roles::Role;
use super::sizes::Shape;
use super::watch::Watch;
use crate::cli::decimal::Decimal;

/// Whether totals are to be small or great.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sense {
    Minimize,
    Maximize,
}

impl Sense {
    /// The word of reports.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Minimize => "minimize",
            Self::Maximize => "maximize",
        }
    }

    /// A total that is seen while it is searched for, as the input counts it.
    pub(super) fn apply(self, value: f64) -> f64 {
        match self {
            Self::Minimize => value,
            Self::Maximize => -value,
        }
    }

    /// A total as the search counts it, or back, without rounding.
    pub(super) fn exactly(self, value: i128) -> i128 {
        match self {
            Self::Minimize => value,
            Self::Maximize => -value,
        }
    }

    /// Whether the first of two totals is the better one.
    pub(super) fn beats(self, total: i128, other: i128) -> bool {
        match self {
            Self::Minimize => total < other,
            Self::Maximize => total > other,
        }
    }
}

/// What the integers of a cost stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// A cost of 1 is `unit / 10^decimals`; `unit` divides `10^decimals`.
    pub(super) unit: i128,
    pub(super) decimals: u32,
}

impl Scale {
    /// Units of `10^-decimals`.
    pub(super) fn of_decimals(decimals: u32) -> Self {
        Self { unit: 1, decimals }
    }

    /// Whether the number that an integer of the grid stands for can be written.
    pub(super) fn fits(self, value: i128) -> bool {
        value.checked_mul(self.unit).is_some()
    }

    /// An integer of the grid as the number it stands for.
    pub(super) fn number(self, value: i128) -> Decimal {
        Decimal::new(value * self.unit, self.decimals)
    }

    /// Costs are integers divided by this.
    pub(super) fn divisor(self) -> Decimal {
        Decimal::new(10i128.pow(self.decimals) / self.unit, 0)
    }

    /// The greatest integer of the grid that stands for no more than a number, or for none that can be written.
    pub(super) fn floor(self, number: Decimal) -> i128 {
        number.floor_on_grid(self.decimals).div_euclid(self.unit)
    }
}

/// A grouping problem. Players are numbers from 0.
#[derive(Clone, Debug)]
pub(super) struct Problem<C> {
    /// Of pairs, in the input's own sense.
    pub(super) cost: C,
    pub(super) scale: Scale,
    pub(super) sense: Sense,
    pub(super) shape: Shape,
    /// Of two and more.
    pub(super) parties: Vec<Vec<usize>>,
    /// Players who are in a certain group, with its number from 0.
    pub(super) pins: Vec<(usize, usize)>,
    /// That every group must have.
    pub(super) roles: Vec<Role>,
}

impl<C: Cost> Problem<C>
where
    C::Value: CostValue<Total = i128>,
{
    /// What a group costs, if it can be counted.
    pub(super) fn price(&self, members: &[usize]) -> Option<i128> {
        let later = members.iter().enumerate().map(|(at, &i)| (i, &members[at + 1..]));
        later
            .flat_map(|(i, others)| others.iter().map(move |&j| (i, j)))
            .try_fold(0_i128, |sum, (i, j)| {
                sum.checked_add(self.cost.checked_pair(i, j)?.to_total())
            })
    }
}

/// A problem whose numbers of players add up, and whoever watches it being solved.
pub(super) struct Task<'a, C> {
    pub(super) problem: &'a Problem<C>,
    pub(super) groups: &'a Groups,
    pub(super) file: &'a str,
    pub(super) watch: &'a Watch<'a>,
    /// Cancelled when nobody wants to wait any longer.
    pub(super) interrupt: CancelToken,
}

impl<C: Cost> Task<'_, C> {
    /// The greatest total, as the search counts them, that is as good as a target.
    pub(super) fn target(&self, target: Option<Decimal>) -> Option<i128> {
        let target = target.map(|target| match self.problem.sense {
            Sense::Minimize => target,
            Sense::Maximize => target.negated(),
        });
        target.map(|target| self.problem.scale.floor(target))
    }

    /// No grouping has more pairs of players in one group than this.
    pub(super) fn pairs_at_most(&self) -> i128 {
        let len = self.problem.cost.len();
        let pairs = |players: usize| players as i128 * (players as i128 - 1) / 2;
        let most = |group: usize| pairs(len.min(*self.groups.bounds(group).end()));
        (0..self.groups.len()).map(most).sum::<i128>().min(pairs(len))
    }

    /// Whether it is about pairs, with nobody left over, no parties, no pins and no roles.
    pub(super) fn is_pairing(&self) -> bool {
        let is_two = (0..self.groups.len()).all(|group| self.groups.bounds(group) == (2..=2));
        let Problem {
            parties, pins, roles, ..
        } = self.problem;
        let is_free = parties.is_empty() && pins.is_empty() && roles.is_empty();
        is_two && is_free && *self.groups.bench().end() == 0
    }

    /// Parties and single players who may be in several groups.
    fn units(&self) -> usize {
        let Problem {
            cost, parties, pins, ..
        } = self.problem;
        let mut has_seat = vec![false; cost.len()];
        pins.iter().for_each(|&(player, _)| has_seat[player] = true);
        let has_some = |party: &&Vec<usize>| party.iter().any(|&player| has_seat[player]);
        let seated: Vec<usize> = parties.iter().filter(has_some).flatten().copied().collect();
        seated.into_iter().for_each(|player| has_seat[player] = true);
        let merged: usize = parties
            .iter()
            .filter(|party| !has_seat[party[0]])
            .map(|party| party.len() - 1)
            .sum();
        has_seat.iter().filter(|&&has_seat| !has_seat).count() - merged
    }

    /// What decides which method suits it.
    pub(super) fn size(&self) -> Size {
        let most = (0..self.groups.len()).map(|group| *self.groups.bounds(group).end());
        Size {
            players: self.problem.cost.len(),
            units: self.units(),
            group: most.max().unwrap_or(0),
            is_pairing: self.is_pairing() && !self.problem.cost.has_forbidden(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;
    use crate::cli::decimal::Decimal;

    #[test]
    fn numbers_go_to_the_grid_and_back() {
        let halves = Scale { unit: 5, decimals: 1 };
        assert_eq!(halves.number(-3).to_string(), "-1.5");
        assert_eq!(halves.divisor().to_string(), "2");
        let floor = |text: &str| Decimal::parse(text.as_bytes()).map(|number| halves.floor(number));
        assert_eq!((floor("1.5"), floor("-2")), (Ok(3), Ok(-4)));
        assert_eq!((floor("0.25"), floor("-0.25"), floor("0.99")), (Ok(0), Ok(-1), Ok(1)));
    }
}
