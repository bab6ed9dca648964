//! Who must stay together, who must stay where: players as units that move as one.

use core::ops::Range;

use crate::error::Error;
use crate::groups::{Groups, check_limit};

/// A few units.
pub(crate) type Few = smallvec::SmallVec<[u32; 6]>;

/// Units (parties, and single players) and the groups they are put into. The bench is the last group, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Players of each unit, ascending. Units that may move come first, by size, so that those which can change places
    /// stand side by side; pinned ones come last.
    pub(crate) players: Vec<Vec<usize>>,
    /// Where the units of one size begin and end, for those that may move.
    pub(crate) classes: Vec<Range<u32>>,
    /// Number of players of each unit.
    pub(crate) size: Vec<u32>,
    /// The group that a unit may not leave.
    pub(crate) pin: Vec<Option<u32>>,
    /// Least and greatest number of players of each group.
    pub(crate) bounds: Vec<(u32, u32)>,
    /// The group that costs nothing.
    pub(crate) bench: Option<u32>,
    /// Number of players.
    pub(crate) len: usize,
}

impl Layout {
    /// Units from parties (which may overlap: together is together) and pins.
    pub(crate) fn new(
        len: usize,
        groups: &Groups,
        parties: &[Vec<usize>],
        pins: &[(usize, usize)],
    ) -> Result<Self, Error> {
        check_limit(len, groups.len())?;
        let bounds = groups.all_bounds();
        check_sizes(len, &bounds)?;
        let players = units(len, parties)?;
        // A party that no group can hold may still wait.
        let most = bounds.iter().map(|bound| bound.1).max().unwrap_or(0);
        if let Some(party) = players.iter().find(|party| party.len() > most) {
            return Err(Error::PartyTooLarge {
                party: party.clone(),
                most,
            });
        }
        let pin = pinned(len, groups.len(), &players, pins)?;
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by_key(|&unit| (pin[unit].is_some(), players[unit].len(), unit));
        let players: Vec<Vec<usize>> = order.iter().map(|&unit| players[unit].clone()).collect();
        let pin: Vec<Option<u32>> = order.iter().map(|&unit| pin[unit]).collect();
        let layout = Self {
            size: players.iter().map(|unit| unit.len() as u32).collect(),
            classes: classes(&players, &pin),
            players,
            pin,
            bench: (bounds.len() > groups.len()).then_some(groups.len() as u32),
            bounds: bounds
                .iter()
                .map(|&(least, most)| (least as u32, most.min(len) as u32))
                .collect(),
            len,
        };
        layout.check_pins()?;
        Ok(layout)
    }

    /// Number of units.
    pub(crate) fn units(&self) -> usize {
        self.players.len()
    }

    /// Number of groups, the bench among them.
    pub(crate) fn groups(&self) -> usize {
        self.bounds.len()
    }

    /// Number of groups that cost something: all but the bench, which is the last.
    pub(crate) fn costly(&self) -> usize {
        self.bench.map_or(self.groups(), |bench| bench as usize)
    }

    /// Whether somebody is pinned.
    pub(crate) fn has_pins(&self) -> bool {
        self.movable() < self.units()
    }

    /// Units that may move; they come first.
    pub(crate) fn movable(&self) -> usize {
        self.classes.last().map_or(0, |class| class.end as usize)
    }

    /// The units that a movable unit can change places with, whatever the sizes of their groups; itself among them.
    pub(crate) fn class_of(&self, unit: u32) -> Range<u32> {
        let at = self.classes.partition_point(|class| class.end <= unit);
        self.classes[at].clone()
    }

    /// The unit of every player.
    pub(crate) fn unit_of(&self) -> Vec<u32> {
        let mut unit_of = vec![0; self.len];
        for (unit, members) in self.players.iter().enumerate() {
            members.iter().for_each(|&player| unit_of[player] = unit as u32);
        }
        unit_of
    }

    /// Players who are pinned, with their parties, ascending.
    pub(crate) fn pinned_players(&self) -> Vec<usize> {
        let mut players = self.players[self.movable()..].concat();
        players.sort_unstable();
        players
    }

    fn check_pins(&self) -> Result<(), Error> {
        let mut pinned: Vec<Vec<usize>> = vec![Vec::new(); self.groups()];
        for (players, pin) in self.players.iter().zip(&self.pin) {
            if let Some(group) = *pin {
                pinned[group as usize].extend_from_slice(players);
            }
        }
        let mut crowd = Vec::new();
        let mut others = 0;
        for (group, (players, &(least, most))) in pinned.into_iter().zip(&self.bounds).enumerate() {
            if players.len() > most as usize {
                return Err(Error::TooManyPinned {
                    group,
                    players,
                    most: most as usize,
                });
            }
            if players.len() > least as usize {
                crowd.extend(players);
            } else {
                others += least as usize;
            }
        }
        // Without pins, least numbers have been added up already.
        let left = self.len - crowd.len();
        if left < others {
            crowd.sort_unstable();
            return Err(Error::PinsLeaveTooFew {
                players: crowd,
                left,
                least: others,
            });
        }
        Ok(())
    }
}

/// The group to which each unit is pinned, by its players.
fn pinned(
    len: usize,
    groups: usize,
    players: &[Vec<usize>],
    pins: &[(usize, usize)],
) -> Result<Vec<Option<u32>>, Error> {
    let mut unit_of = vec![0; len];
    for (unit, members) in players.iter().enumerate() {
        members.iter().for_each(|&player| unit_of[player] = unit);
    }
    let mut pin = vec![None; players.len()];
    for &(player, group) in pins {
        check_player(player, len)?;
        if group >= groups {
            return Err(Error::NoSuchGroup { group, groups });
        }
        let unit = unit_of[player];
        match pin[unit].replace(group as u32) {
            Some(other) if other != group as u32 => {
                return Err(Error::PinsDisagree {
                    party: players[unit].clone(),
                    groups: [other as usize, group],
                });
            }
            _ => {}
        }
    }
    Ok(pin)
}

/// Stretches of one size among the units that may move.
fn classes(players: &[Vec<usize>], pin: &[Option<u32>]) -> Vec<Range<u32>> {
    let movable = pin.iter().take_while(|pin| pin.is_none()).count();
    let mut classes: Vec<Range<u32>> = Vec::new();
    for stretch in players[..movable].chunk_by(|one, other| one.len() == other.len()) {
        let begin = classes.last().map_or(0, |class| class.end);
        classes.push(begin..begin + stretch.len() as u32);
    }
    classes
}

fn check_sizes(players: usize, bounds: &[(usize, usize)]) -> Result<(), Error> {
    if players == 0 || bounds.is_empty() {
        return Err(Error::Empty);
    }
    let least = bounds.iter().fold(0_usize, |sum, bound| sum.saturating_add(bound.0));
    let most = bounds.iter().fold(0_usize, |sum, bound| sum.saturating_add(bound.1));
    if players < least || most < players {
        return Err(Error::SizesDoNotAddUp { players, least, most });
    }
    Ok(())
}

fn check_player(player: usize, players: usize) -> Result<(), Error> {
    if player < players {
        Ok(())
    } else {
        Err(Error::NoSuchPlayer { player, players })
    }
}

/// Players who belong together, each list ascending, in order of their first player.
fn units(len: usize, parties: &[Vec<usize>]) -> Result<Vec<Vec<usize>>, Error> {
    let mut first: Vec<usize> = (0..len).collect();
    fn root(first: &mut [usize], mut at: usize) -> usize {
        while first[at] != at {
            first[at] = first[first[at]];
            at = first[at];
        }
        at
    }
    // The party that has last named each player.
    let mut named_by = vec![usize::MAX; len];
    for (at, party) in parties.iter().enumerate() {
        for &player in party {
            check_player(player, len)?;
            if core::mem::replace(&mut named_by[player], at) == at {
                return Err(Error::TwiceInParty { player });
            }
            let (one, other) = (root(&mut first, party[0]), root(&mut first, player));
            first[one.max(other)] = one.min(other);
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); len];
    for player in 0..len {
        let leader = root(&mut first, player);
        members[leader].push(player);
    }
    members.retain(|unit| !unit.is_empty());
    Ok(members)
}
