//! Rounds from files, with the place of everything that is wrong.

mod csv;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "json")]
mod once;

use super::error::Error;
use super::matrix::SymmetricMatrix;
use super::player::Player;
use super::region::Region;
use crate::error::Place;

/// Pings by the table of regions; `place` says where the player at a position stands.
fn pings_by_region(players: &[Player], place: &dyn Fn(usize) -> Place) -> Result<SymmetricMatrix<f32>, Error> {
    let region = |(i, player): (usize, &Player)| {
        let found = player.region.as_deref();
        found.and_then(Region::from_name).ok_or_else(|| Error::UnknownRegion {
            place: place(i),
            id: player.id.clone(),
            found: found.map(str::to_owned),
        })
    };
    let regions: Vec<Region> = players.iter().enumerate().map(region).collect::<Result<_, _>>()?;
    let ping = |i: usize, j: usize| regions[i].round_trip_ms(regions[j]);
    Ok(SymmetricMatrix::from_fn(players.len(), ping))
}
