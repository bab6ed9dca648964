//! Rounds from files, with the place of everything that is wrong.

mod csv;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod once;

#[cfg(feature = "json")]
pub(super) use json::broken;

use super::error::Error;
use super::matrix::SymmetricMatrix;
use super::player::Player;
use super::region::Region;
use crate::error::Place;

/// The ids that a player names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// Of those never to be met.
    pub(super) avoid: Vec<String>,
    /// Of those not wanted as mates.
    pub(super) dislike: Vec<String>,
}

impl Named {
    pub(super) fn is_empty(&self) -> bool {
        self.avoid.is_empty() && self.dislike.is_empty()
    }
}

/// The region of a player who stands there.
fn region_of(player: &Player, place: Place) -> Result<Region, Error> {
    let found = player.region.as_deref();
    found.and_then(Region::from_name).ok_or_else(|| Error::UnknownRegion {
        place,
        id: player.id.clone(),
        found: found.map(str::to_owned),
    })
}

/// Pings by the table of regions.
fn pings_by_region(regions: &[Region]) -> SymmetricMatrix<f32> {
    SymmetricMatrix::from_fn(regions.len(), |i, j| regions[i].round_trip_ms(regions[j]))
}
