//! A round that was held.

use crate::lobby::error::Error;
use crate::lobby::round::Round;
use crate::lobby::search::Lobby;

/// A round that a [`Service`](super::Service) has held: who waited, and what was made of them.
#[derive(Clone, Debug)]
pub struct HeldRound {
    pub(super) number: u64,
    pub(super) time: f64,
    pub(super) round: Round,
    pub(super) waits: Vec<f64>,
    pub(super) outcome: Result<Lobby, Error>,
    /// Number of its first match.
    pub(super) first_match: u64,
}

impl HeldRound {
    /// Its number among the rounds of the service, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// When it was held.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Who waited then, in the order of arrival, with the rounds waited before this one and the previous matches. Who
    /// arrived together is a party, with the id of the first one as its label.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The matches, whose players are positions in [`HeldRound::round`]; `None` where there could be none.
    pub fn lobby(&self) -> Option<&Lobby> {
        self.outcome.as_ref().ok()
    }

    /// Why there are no matches, if there are none: too few players, parties that do not fit, limits of who may be with
    /// whom.
    pub fn obstacle(&self) -> Option<&Error> {
        self.outcome.as_ref().err()
    }

    /// How long a player has waited, in seconds since arrival.
    ///
    /// # Panics
    /// If there is no such player in the round.
    #[track_caller]
    pub fn waited(&self, player: usize) -> f64 {
        let len = self.round.len();
        assert!(player < len, "player {player} where the round has {len}");
        self.waits[player]
    }

    /// The id of a match by its position among those of the lobby, as players who come back from it name it
    /// ([`Previous::match_id`](crate::lobby::Previous::match_id)): `m1`, `m2` and so on, from the first round on.
    ///
    /// # Panics
    /// If there is no such match.
    #[track_caller]
    pub fn match_id(&self, position: usize) -> String {
        let matches = self.lobby().map_or(0, |lobby| lobby.matches.len());
        assert!(position < matches, "match {position} where the round has {matches}");
        match_id(self.first_match + position as u64)
    }
}

/// The id of a match by its number among all of a service.
pub(super) fn match_id(number: u64) -> String {
    format!("m{}", number + 1)
}
