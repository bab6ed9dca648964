//! What lies between two players who may never have been in one round.

use std::collections::HashMap;

use crate::error::Place;
use crate::lobby::error::Error;
use crate::lobby::player::Player;
use crate::lobby::region::Region;
use crate::lobby::round::Round;

/// What lies between every two players whom a [`Service`](super::Service) may see: asked once for each two of a round, and of
/// somebody who arrives with everybody who waits. The same for both orders, and the same whenever it is asked.
pub trait Links {
    /// Whether it knows a player; asked when one arrives.
    ///
    /// # Errors
    /// What is wrong with the player.
    fn check(&self, _player: &Player) -> Result<(), Error> {
        Ok(())
    }

    /// Their ping in milliseconds, finite and not below 0.
    fn ping_ms(&self, one: &Player, other: &Player) -> f32;

    /// Whether they can connect; all can unless it says otherwise.
    fn can_connect(&self, _one: &Player, _other: &Player) -> bool {
        true
    }

    /// Whether they may be in one match: neither avoids the other. All may unless it says otherwise.
    fn may_meet(&self, _one: &Player, _other: &Player) -> bool {
        true
    }

    /// Whether neither dislikes the other as a mate. All get along unless it says otherwise.
    fn get_along(&self, _one: &Player, _other: &Player) -> bool {
        true
    }
}

impl<L: Links + ?Sized> Links for &L {
    fn check(&self, player: &Player) -> Result<(), Error> {
        (**self).check(player)
    }

    fn ping_ms(&self, one: &Player, other: &Player) -> f32 {
        (**self).ping_ms(one, other)
    }

    fn can_connect(&self, one: &Player, other: &Player) -> bool {
        (**self).can_connect(one, other)
    }

    fn may_meet(&self, one: &Player, other: &Player) -> bool {
        (**self).may_meet(one, other)
    }

    fn get_along(&self, one: &Player, other: &Player) -> bool {
        (**self).get_along(one, other)
    }
}

/// Pings from the table of regions ([`Region::round_trip_ms`]), and everybody can connect with everybody: as of rounds from
/// CSV. Players without a region of the table are refused with [`Error::UnknownRegion`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionLinks;

impl RegionLinks {
    fn region(player: &Player) -> Option<Region> {
        player.region.as_deref().and_then(Region::from_name)
    }
}

impl Links for RegionLinks {
    fn check(&self, player: &Player) -> Result<(), Error> {
        match Self::region(player) {
            Some(_) => Ok(()),
            None => Err(Error::UnknownRegion {
                place: Place::Position(0),
                id: player.id.clone(),
                found: player.region.clone(),
            }),
        }
    }

    fn ping_ms(&self, one: &Player, other: &Player) -> f32 {
        let regions = Self::region(one).zip(Self::region(other));
        regions.map_or(f32::NAN, |(one, other)| one.round_trip_ms(other))
    }
}

/// What lies between the players of a round, whom it knows by their ids; others are refused with [`Error::NotInRound`].
#[derive(Clone, Debug)]
pub struct RoundLinks<'r> {
    round: &'r Round,
    positions: HashMap<&'r str, usize>,
}

impl<'r> RoundLinks<'r> {
    /// Of everybody in this round.
    pub fn new(round: &'r Round) -> Self {
        let players = round.players().iter().enumerate();
        Self {
            round,
            positions: players.map(|(i, player)| (player.id.as_str(), i)).collect(),
        }
    }

    /// The positions of two different players, if both are there.
    fn both(&self, one: &Player, other: &Player) -> Option<(usize, usize)> {
        let position = |player: &Player| self.positions.get(player.id.as_str()).copied();
        position(one).zip(position(other)).filter(|(i, j)| i != j)
    }
}

impl Links for RoundLinks<'_> {
    fn check(&self, player: &Player) -> Result<(), Error> {
        match self.positions.contains_key(player.id.as_str()) {
            true => Ok(()),
            false => Err(Error::NotInRound { id: player.id.clone() }),
        }
    }

    fn ping_ms(&self, one: &Player, other: &Player) -> f32 {
        self.both(one, other)
            .map_or(f32::NAN, |(i, j)| self.round.ping_ms(i, j))
    }

    fn can_connect(&self, one: &Player, other: &Player) -> bool {
        self.both(one, other).is_some_and(|(i, j)| self.round.can_connect(i, j))
    }

    fn may_meet(&self, one: &Player, other: &Player) -> bool {
        self.both(one, other).is_some_and(|(i, j)| self.round.may_meet(i, j))
    }

    fn get_along(&self, one: &Player, other: &Player) -> bool {
        self.both(one, other).is_some_and(|(i, j)| self.round.get_along(i, j))
    }
}
