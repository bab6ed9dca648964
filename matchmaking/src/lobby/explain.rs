//! Why somebody is where he is: what would come of his party's changing places with another one.

use super::judge::{Breakdown, Judge, Match};
use super::round::Round;
use super::rules::{Rules, ServerRule};
use super::search::Lobby;
use super::verify::{Flaw, check_limits};

/// Where a player's party is, and what its exchanges would change; see [`Lobby::explain`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The members of the player's party, ascending; a player alone is a party of one.
    pub party: Vec<usize>,
    /// The position of its match; `None` if it waits.
    pub place: Option<usize>,
    /// The exchanges with every party of as many members that is in another match, or waits where this one plays: the best
    /// ones first, then those that the rules do not allow.
    pub exchanges: Vec<Exchange>,
}

/// Two parties of as many members change places, and the players of their matches are split anew.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Exchange {
    /// The members of the other party, ascending.
    pub party: Vec<usize>,
    /// The position of its match; `None` if it waits.
    pub place: Option<usize>,
    /// What comes of it, or why it may not be: the number of a [`Flaw`] is that of a match, with the players that it would
    /// have.
    pub outcome: Result<Change, Flaw>,
}

/// What an exchange changes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Change {
    /// By how much the mean score of all matches rises.
    pub mean_score: f64,
    /// By how much the sum of [`Objective::cost`](super::Objective::cost) falls, which is what a search looks at: above 0 the exchange is better by the
    /// rules.
    pub gain: f64,
}

impl Lobby {
    /// Why a player is in this match, or waits: what would come of it if the player's party changed places with any other of as
    /// many members, each match that comes of it split in the best way.
    ///
    /// After a search that had time, none of those who play gains anything by it. Who waits is decided before, by
    /// [`Priority`](super::Priority), so that exchanges with those who wait may gain something.
    ///
    /// # Errors
    /// [`Flaw`] where the matches are not those of the round and the rules ([`Self::verify`]), or there is no such player.
    ///
    /// # Complexity
    /// O(n C(2k, k) k²) for n players in teams of k: about a tenth of a second for 300 players in teams of five.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{LobbySearch, Round, Rules};
    ///
    /// let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    /// let lobby = LobbySearch::new(&round, &rules).run()?;
    /// let explanation = lobby.explain(&round, &rules, 7)?;
    /// assert!(explanation.party.contains(&7));
    /// let among_players = explanation.exchanges.iter().filter(|exchange| exchange.place.is_some());
    /// let gains = among_players.filter_map(|exchange| exchange.outcome.as_ref().ok());
    /// assert!(gains.map(|change| change.gain).all(|gain| gain < 1e-6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, round: &Round, rules: &Rules, player: usize) -> Result<Explanation, Flaw> {
        self.verify(round, rules)?;
        if player >= round.len() {
            let players = round.len();
            return Err(Flaw::NoSuchPlayer { player, players });
        }
        let exchanges = Exchanges {
            lobby: self,
            round,
            rules,
            judge: Judge::new(round, rules).map_err(Flaw::Refused)?,
            party: &round.parties()[round.party_of(player)],
            place: self.place(player),
        };
        let mut all = exchanges.all();
        all.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        Ok(Explanation {
            party: exchanges.party.clone(),
            place: exchanges.place,
            exchanges: all,
        })
    }

    /// The position of a player's match.
    fn place(&self, player: usize) -> Option<usize> {
        let has_player = |one: &Match| one.red.contains(&player) || one.blue.contains(&player);
        self.matches.iter().position(has_player)
    }
}

/// What an exchange is worth, for order alone.
fn gain(exchange: &Exchange) -> f64 {
    exchange
        .outcome
        .as_ref()
        .map_or(f64::NEG_INFINITY, |change| change.gain)
}

/// The exchanges of one party.
struct Exchanges<'a> {
    lobby: &'a Lobby,
    round: &'a Round,
    rules: &'a Rules,
    judge: Judge<'a>,
    party: &'a Vec<usize>,
    place: Option<usize>,
}

impl Exchanges<'_> {
    fn all(&self) -> Vec<Exchange> {
        let alike = self
            .round
            .parties()
            .iter()
            .filter(|other| other.len() == self.party.len());
        let placed = alike.map(|other| (other, self.lobby.place(other[0])));
        let elsewhere = placed.filter(|&(_, place)| place != self.place);
        let exchange = |(other, place): (&Vec<usize>, Option<usize>)| Exchange {
            party: other.clone(),
            place,
            outcome: self.outcome(other, place),
        };
        elsewhere.map(exchange).collect()
    }

    fn outcome(&self, other: &[usize], place: Option<usize>) -> Result<Change, Flaw> {
        let (mut mean_score, mut gain) = (0.0, 0.0);
        let objective = self.rules.chosen_objective();
        for (number, leaves, comes) in [(self.place, &self.party[..], other), (place, other, self.party)] {
            let Some(number) = number else { continue };
            let before = self.lobby.matches[number].breakdown.total;
            let after = self.changed(number, leaves, comes)?.total;
            mean_score += (after - before) / self.lobby.matches.len() as f64;
            gain += objective.cost(before) - objective.cost(after);
        }
        Ok(Change { mean_score, gain })
    }

    /// The scores of a match in which some come for others, or why there is no such match.
    fn changed(&self, number: usize, leaves: &[usize], comes: &[usize]) -> Result<Breakdown, Flaw> {
        let mut players = self.lobby.matches[number].players();
        players.retain(|player| !leaves.contains(player));
        players.extend(comes);
        if let Some(best) = self.judge.best(&players) {
            return Ok(best.breakdown);
        }
        check_limits(self.round, self.rules, number, &players)?;
        // Parties fit, as those who come are as many as those who leave.
        debug_assert_eq!(self.rules.server_rule, ServerRule::Required);
        Err(Flaw::NoServer { number })
    }
}
