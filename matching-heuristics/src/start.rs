//! Where a search begins: a random packing, or groups that somebody has already.

use crate::error::Error;
use crate::layout::Layout;

/// The group of every unit in given groups: as many lists as groups, and whoever is in none waits on the bench.
///
/// # Errors
/// [`Error::WarmStart`] for a player who is missing, twice, or not where his party or pin wants him;
/// [`Error::WarmStartSizes`] for a group outside its bounds.
pub(crate) fn from_groups(layout: &Layout, groups: &[Vec<usize>]) -> Result<Vec<u32>, Error> {
    let mut group_of: Vec<Option<u32>> = vec![None; layout.len];
    for (group, members) in groups.iter().enumerate() {
        if group >= layout.groups() {
            return Err(Error::NoSuchGroup {
                group,
                groups: layout.groups(),
            });
        }
        for &player in members {
            match group_of.get_mut(player) {
                None => {
                    return Err(Error::NoSuchPlayer {
                        player,
                        players: layout.len,
                    });
                }
                Some(Some(_)) => return Err(Error::WarmStart { player }),
                Some(seat) => *seat = Some(group as u32),
            }
        }
    }
    let seated = |player: usize| group_of[player].or(layout.bench).ok_or(Error::WarmStart { player });
    let mut units = Vec::with_capacity(layout.units());
    let mut filled = vec![0_u32; layout.groups()];
    for (unit, players) in layout.players.iter().enumerate() {
        let group = seated(players[0])?;
        for &player in players {
            if seated(player)? != group || layout.pin[unit].is_some_and(|pin| pin != group) {
                return Err(Error::WarmStart { player });
            }
        }
        filled[group as usize] += layout.size[unit];
        units.push(group);
    }
    let is_within = |group: usize| (layout.bounds[group].0..=layout.bounds[group].1).contains(&filled[group]);
    match (0..layout.groups()).find(|&group| !is_within(group)) {
        Some(group) => Err(Error::WarmStartSizes {
            group,
            members: filled[group] as usize,
        }),
        None => Ok(units),
    }
}
