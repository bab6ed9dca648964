//! The exchanges of one unit, each judged anew.

use matching_core::CostValue;

use super::Exchange;
use super::count::{Changed, pairs_counted};
use super::meter::Meter;
use super::sets::Sets;
use crate::control::Stop;
use crate::groups::Groups;
use crate::instance::Instance;
use crate::layout::Layout;
use crate::verify::{Judged, VerifyError, check_size, named, sum};

/// So many exchanges of one party against several are looked at for each player: more than there are, but where a party
/// of many members meets many players who are alone.
const MOST: u64 = 8;

/// And no more than take about so many pairs of players, which are some seconds.
const MOST_PAIRS: u64 = 1 << 31;

/// A grouping that is asked about. Of places, the bench is the last.
pub(super) struct Asked<'a, 'i, V: CostValue> {
    instance: &'a Instance<'i, V>,
    judged: Judged<V>,
    /// Who is in each place, ascending.
    players: Vec<Vec<usize>>,
    /// The units in each place.
    units: Vec<Vec<u32>>,
    unit_of: Vec<u32>,
    /// Where each player stands first among the pins, if he does.
    pins: Vec<Option<usize>>,
}

/// Exchanges of one party against several, of one kind: the unit for sets of another place, or with sets of its own place
/// for a larger unit of another one.
struct Several {
    to: usize,
    larger: Option<u32>,
    count: u64,
}

impl<'a, 'i, V: CostValue> Asked<'a, 'i, V> {
    /// Whoever is in none of the groups waits.
    ///
    /// # Errors
    /// What is wrong with the groups.
    pub(super) fn new(instance: &'a Instance<'i, V>, groups: &[Vec<usize>]) -> Result<Self, VerifyError> {
        let mut is_named = vec![false; instance.len()];
        for &player in groups.iter().flatten() {
            // Who is not there is found below.
            is_named.iter_mut().skip(player).take(1).for_each(|is| *is = true);
        }
        let bench: Vec<usize> = (0..instance.len()).filter(|&player| !is_named[player]).collect();
        let judged = Judged::new(instance, groups, &bench)?;
        let mut players = groups.to_vec();
        players.iter_mut().for_each(|members| members.sort_unstable());
        players.push(bench);
        let layout = instance.layout();
        let mut units = vec![Vec::new(); players.len()];
        for (unit, members) in layout.players.iter().enumerate() {
            units[judged.places[members[0]]].push(unit as u32);
        }
        let mut pins = vec![None; instance.len()];
        for (at, &(player, _)) in instance.asked_pins().iter().enumerate().rev() {
            pins[player] = Some(at);
        }
        Ok(Self {
            instance,
            judged,
            players,
            units,
            unit_of: layout.unit_of(),
            pins,
        })
    }

    pub(super) fn instance(&self) -> &'a Instance<'i, V> {
        self.instance
    }

    fn layout(&self) -> &Layout {
        self.instance.layout()
    }

    fn groups(&self) -> &Groups {
        self.instance.groups()
    }

    /// The unit of a player.
    ///
    /// # Errors
    /// [`VerifyError::UnknownPlayer`].
    pub(super) fn unit_of(&self, player: usize) -> Result<u32, VerifyError> {
        let players = self.instance.len();
        let unit = self.unit_of.get(player).copied();
        unit.ok_or(VerifyError::UnknownPlayer { player, players })
    }

    pub(super) fn members(&self, unit: u32) -> &'a [usize] {
        &self.instance.layout().players[unit as usize]
    }

    fn size(&self, unit: u32) -> usize {
        self.members(unit).len()
    }

    fn place_of(&self, unit: u32) -> usize {
        self.judged.places[self.members(unit)[0]]
    }

    /// The group of a unit; `None` if it waits.
    pub(super) fn group_of(&self, unit: u32) -> Option<usize> {
        named(self.place_of(unit), self.groups().len())
    }

    /// Who is in a group, ascending.
    pub(super) fn players(&self, group: usize) -> &[usize] {
        &self.players[group]
    }

    /// What a group costs.
    pub(super) fn cost(&self, group: usize) -> V::Total {
        self.judged.costs[group]
    }

    /// The other places, the bench if somebody may wait.
    fn elsewhere(&self, unit: u32) -> impl Iterator<Item = usize> {
        let (from, groups) = (self.place_of(unit), self.groups());
        let bench = (*groups.bench().end() > 0).then_some(groups.len());
        (0..groups.len()).chain(bench).filter(move |&place| place != from)
    }

    fn is_movable(&self, unit: u32) -> bool {
        (unit as usize) < self.layout().movable()
    }

    /// Units of a place that may move, but one, with their sizes, below one.
    fn others(&self, place: usize, but: u32, below: usize) -> Vec<(u32, usize)> {
        let others = self.units[place].iter().copied();
        let others = others.filter(|&unit| unit != but && self.is_movable(unit));
        others
            .map(|unit| (unit, self.size(unit)))
            .filter(|&(_, size)| size < below)
            .collect()
    }

    /// All exchanges of a unit, as far as the meter goes, with how many were left out.
    pub(super) fn of(&self, unit: u32, meter: &mut Meter) -> (Vec<Exchange<V>>, u64) {
        let mut found = Vec::new();
        let mut left_out = 0_u64;
        for to in self.elsewhere(unit) {
            let others = self.units[to].iter().map(core::slice::from_ref);
            for come in core::iter::once(&[][..]).chain(others) {
                match meter.goes_on() {
                    true => found.push(self.exchange(&[unit], come, to)),
                    false => left_out += 1,
                }
            }
        }
        if self.is_movable(unit) {
            let more = self.with_several(unit, &mut found, meter);
            left_out = left_out.saturating_add(more);
        }
        (found, left_out)
    }

    /// Those of one party against several. Where not all are looked at, few of a kind go before a share of many.
    fn with_several(&self, unit: u32, found: &mut Vec<Exchange<V>>, meter: &mut Meter) -> u64 {
        let size = self.size(unit);
        let smaller = |to: usize| Sets::new(self.others(to, unit, size), size);
        let larger = |to: usize| {
            let others = self.units[to].iter().copied();
            others.filter(|&other| self.is_movable(other) && self.size(other) > size)
        };
        let more = |other: u32| self.size(other) - size;
        let most = self.elsewhere(unit).flat_map(larger).map(more).max().unwrap_or(0);
        let along = Sets::new(self.others(self.place_of(unit), unit, most + 1), most);
        let mut kinds = Vec::new();
        for to in self.elsewhere(unit) {
            let count = smaller(to).count(size);
            kinds.push(Several {
                to,
                larger: None,
                count,
            });
            kinds.extend(larger(to).map(|other| {
                let count = along.count(more(other));
                let larger = Some(other);
                Several { to, larger, count }
            }));
        }
        kinds.sort_by_key(|kind| kind.count);
        let (mut left, mut left_out) = (self.most_several(size + most), 0_u64);
        for (at, kind) in kinds.iter().enumerate() {
            let share = kind.count.min(left / (kinds.len() - at) as u64);
            let mut taken = 0;
            match kind.larger {
                _ if share == 0 || meter.stop() != Stop::Finished => {}
                None => {
                    let sets = smaller(kind.to);
                    while taken < share && meter.goes_on() {
                        let set = sets.nth(size, taken);
                        found.push(self.exchange(&[unit], &set, kind.to));
                        taken += 1;
                    }
                }
                Some(other) => {
                    while taken < share && meter.goes_on() {
                        let set = along.nth(more(other), taken);
                        found.push(self.exchange(&[&[unit][..], &set].concat(), &[other], kind.to));
                        taken += 1;
                    }
                }
            }
            left -= taken;
            // More than can be counted stay more than can be counted.
            let rest = match kind.count {
                u64::MAX => u64::MAX,
                count => count - taken,
            };
            left_out = left_out.saturating_add(rest);
        }
        left_out
    }

    /// How many of those are looked at, of exchanges of so many players.
    fn most_several(&self, players: usize) -> u64 {
        let largest = self.players.iter().map(Vec::len).max().unwrap_or(0);
        let by_players = MOST.saturating_mul(self.instance.len() as u64);
        by_players.min(MOST_PAIRS / pairs_counted::<V>(players, largest)).max(1)
    }

    /// Units leave the place of the first one for others of another place.
    fn exchange(&self, leave: &[u32], come: &[u32], to: usize) -> Exchange<V> {
        let from = self.place_of(leave[0]);
        let parties = |units: &[u32]| units.iter().map(|&unit| self.members(unit).to_vec()).collect();
        let groups = self.groups().len();
        Exchange {
            outcome: self.outcome((leave, from), (come, to)),
            leave: parties(leave),
            come: parties(come),
            from: named(from, groups),
            to: named(to, groups),
        }
    }

    /// By how much the total rises, or the first thing that is wrong: looked for in the order in which
    /// [`Grouping::verify`](crate::Grouping::verify) does.
    fn outcome(&self, (leave, from): (&[u32], usize), (come, to): (&[u32], usize)) -> Result<V::Total, VerifyError> {
        let players = |units: &[u32]| {
            let mut players: Vec<usize> = units.iter().flat_map(|&unit| self.members(unit)).copied().collect();
            players.sort_unstable();
            players
        };
        let (leave, come) = (players(leave), players(come));
        let mut sides = [(from, &leave, &come), (to, &come, &leave)];
        sides.sort_by_key(|side| side.0);
        for (place, leave, come) in sides {
            check_size(
                self.instance,
                place,
                self.players[place].len() - leave.len() + come.len(),
            )?;
        }
        self.check_pins([(&leave, to), (&come, from)])?;
        let zero: V::Total = num_traits::zero();
        let (mut change, mut total) = (zero, zero);
        for (group, &before) in self.judged.costs.iter().enumerate() {
            let mut after = before;
            if let Some((_, leave, come)) = sides.iter().find(|side| side.0 == group) {
                let changed = Changed {
                    group,
                    before: &self.players[group],
                    cost: before,
                    leave,
                    come,
                };
                let more;
                (after, more) = changed.count(self.instance)?;
                change = sum(change, more, group)?;
            }
            total = sum(total, after, group)?;
        }
        Ok(change)
    }

    /// Whether anybody is pinned of those who would have another place.
    fn check_pins(&self, moved: [(&Vec<usize>, usize); 2]) -> Result<(), VerifyError> {
        let moved = moved
            .iter()
            .flat_map(|&(players, place)| players.iter().map(move |&player| (player, place)));
        let pinned = moved.filter_map(|(player, place)| Some((self.pins[player]?, place)));
        match pinned.min() {
            Some((first, place)) => {
                let (player, group) = self.instance.asked_pins()[first];
                let found = named(place, self.groups().len());
                Err(VerifyError::PinLost { player, group, found })
            }
            None => Ok(()),
        }
    }
}
