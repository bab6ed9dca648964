//! A lobby that lives on: players arrive, wait, are put into matches round after round, and come back.

mod held;
mod links;
mod rule;

use std::collections::{HashMap, HashSet};

use matching_core::Budget;

pub use held::HeldRound;
pub use links::{Links, RegionLinks, RoundLinks};
pub use rule::RoundRule;

use super::error::Error;
use super::matrix::SymmetricMatrix;
use super::packing::Fill;
use super::player::{Player, Previous, Side};
use super::round::{MAX_PLAYERS, Round, check_players};
use super::rules::Rules;
use super::search::{Lobby, LobbySearch};
use crate::error::Place;

/// Seeds of rounds that follow each other are so far apart: a search takes those next to its own.
const NEXT_SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A lobby over time.
///
/// Parties come in by [`arrive`](Self::arrive) and go by [`leave`](Self::leave). In between [`tick`](Self::tick) holds a
/// round when the [`RoundRule`] says so, at [`next_round`](Self::next_round): everybody who waits is put into matches by a
/// [`LobbySearch`], as many as parties and limits allow ([`Fill::Possible`]). Who is left over waits on, with one round
/// more waited, which [puts](super::Priority::LongestWait) them before others and widens a ping limit that
/// [grows](Rules::ping_growth). Who is in a match is no business of the service any more until they arrive again; then they
/// bring that match along as their [previous one](Player::last), for the score of variation.
///
/// Times are seconds on any clock that does not run backwards. The same calls give the same matches, as far as the
/// [budget](Self::budget) is of work.
///
/// # Examples
/// ```
/// use matchmaking::lobby::{Error, Player, RegionLinks, RoundRule, Rules, Service};
///
/// let mut service = Service::new(Rules::new(1), RoundRule::every(60.0), RegionLinks)?;
/// let player = |id: &str, skill: f64| Player {
///     region: Some("EU-W".to_owned()),
///     ..Player::new(id, skill)
/// };
/// let [ann, ben, cho] = [player("ann", 9000.0), player("ben", 9500.0), player("cho", 4000.0)];
/// service.arrive(3.0, &[ann])?;
/// service.arrive(20.0, &[cho])?;
/// service.arrive(35.0, &[ben])?;
/// assert_eq!(service.next_round(), Some(60.0));
/// let held = service.tick(60.0)?.expect("a round is due");
/// let lobby = held.lobby().expect("two can play");
/// assert_eq!((lobby.matches.len(), service.len()), (1, 1));
/// assert_eq!(held.waited(0), 57.0);
/// // Whoever waits has waited for one round.
/// assert!(service.waiting().all(|player| player.waited == 1));
/// # Ok::<(), Error>(())
/// ```
///
/// # References
/// J. van Dongen, "The Awesomenauts matchmaking algorithm", 2018, which says why there are rounds: the more players a round
/// has, the better its matches, and the longer the wait for it.
#[derive(Clone, Debug)]
pub struct Service<L> {
    rules: Rules,
    when: RoundRule,
    links: L,
    seed: u64,
    budget: Budget,
    now: f64,
    /// In the order of arrival.
    parties: Vec<Waiting>,
    /// Ids of everybody who waits.
    ids: HashSet<String>,
    /// Whether somebody has arrived since the last round.
    last_round: f64,
    rounds: u64,
    matches: u64,
    /// The last match of each player who was in one, and when it was made.
    previous: HashMap<String, (Previous, f64)>,
}

/// A party that waits.
#[derive(Clone, Debug)]
struct Waiting {
    players: Vec<Player>,
    since: f64,
    /// Whether they came after the last round.
    is_new: bool,
}

impl<L: Links> Service<L> {
    /// Nobody waits yet.
    ///
    /// # Errors
    /// Those of [`Rules::check`]; [`Error::BadInterval`] and [`Error::BadCrowd`] for a rule by which there would be no
    /// rounds.
    pub fn new(rules: Rules, when: RoundRule, links: L) -> Result<Self, Error> {
        rules.check()?;
        when.check(&rules)?;
        Ok(Self {
            rules,
            when,
            links,
            seed: 0,
            budget: Budget::new(),
            now: f64::NEG_INFINITY,
            parties: Vec::new(),
            ids: HashSet::new(),
            last_round: f64::NEG_INFINITY,
            rounds: 0,
            matches: 0,
            previous: HashMap::new(),
        })
    }

    /// Where chance begins: the first round has this seed, those after it others; 0 if not given.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What the search of one round may spend, as [`LobbySearch::budget`] takes it; as much as suits the round if not
    /// given. Of a limit of work the same matches come everywhere.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// A party arrives, or somebody alone: they will be in one team. Whatever label they carry, these and no others are the
    /// party. The last match that this service has made with somebody is the previous one, and where it remembers none, the
    /// one that they name. Rounds that they have waited are as they say: none for somebody whose match is over.
    ///
    /// # Errors
    /// [`Error::ClockBack`]; [`Error::NobodyArrives`] for a party of nobody; [`Error::EmptyId`], [`Error::DuplicateId`],
    /// [`Error::BadNumber`] as of a round; [`Error::WaitsAlready`] and [`Error::PlaysAlready`]; [`Error::PartyTooLarge`],
    /// [`Error::PartyAvoids`]; [`Error::TooManyPlayers`] beyond [`MAX_PLAYERS`] who wait; [`Error::BadPing`] with somebody
    /// who waits, and what [`Links::check`] says. Nobody of the party waits then.
    pub fn arrive(&mut self, now: f64, party: &[Player]) -> Result<(), Error> {
        self.check_clock(now)?;
        if party.is_empty() {
            return Err(Error::NobodyArrives);
        }
        self.check(party)?;
        let mut players = party.to_vec();
        let label = (players.len() > 1).then(|| players[0].id.clone());
        for player in &mut players {
            player.party.clone_from(&label);
            // Whoever hands in players of an earlier round has them with the match before that.
            if let Some((previous, _)) = self.previous.get(&player.id) {
                player.last = Some(previous.clone());
            }
            self.ids.insert(player.id.clone());
        }
        self.parties.push(Waiting {
            players,
            since: now,
            is_new: true,
        });
        self.now = now;
        Ok(())
    }

    /// Somebody who waits goes, and the own party with them; returns these as they waited, with their rounds. Who is in a
    /// match has left already.
    ///
    /// # Errors
    /// [`Error::ClockBack`], [`Error::NotWaiting`].
    pub fn leave(&mut self, now: f64, id: &str) -> Result<Vec<Player>, Error> {
        self.check_clock(now)?;
        let is_theirs = |party: &Waiting| party.players.iter().any(|player| player.id == id);
        let Some(position) = self.parties.iter().position(is_theirs) else {
            return Err(Error::NotWaiting { id: id.to_owned() });
        };
        self.now = now;
        let players = self.parties.remove(position).players;
        players.iter().for_each(|player| {
            self.ids.remove(&player.id);
        });
        Ok(players)
    }

    /// When the next round is due, if nobody else arrives or leaves; `None` where none is.
    pub fn next_round(&self) -> Option<f64> {
        let since = self.parties.first()?.since;
        // In the order of arrival.
        let has_news = self.parties.last().is_some_and(|party| party.is_new);
        let is_crowd = |players: &usize| has_news && self.len() >= *players;
        match self.when.players().filter(is_crowd) {
            Some(_) => Some(self.now),
            None => self.when.due(since, self.last_round),
        }
    }

    /// Sets the clock, and holds a round if one is due by then: one at most, however many a clock that comes late has
    /// missed, with everybody who waits now.
    ///
    /// # Errors
    /// [`Error::ClockBack`]; those of [`Service::hold`].
    pub fn tick(&mut self, now: f64) -> Result<Option<HeldRound>, Error> {
        self.check_clock(now)?;
        if self.next_round().is_some_and(|due| due <= now) {
            return self.hold(now).map(Some);
        }
        self.now = now;
        Ok(None)
    }

    /// Holds a round now, whatever the rule says. Where no matches can be made, all wait on, and the round says why
    /// ([`HeldRound::obstacle`]).
    ///
    /// # Errors
    /// [`Error::ClockBack`]; [`Error::NobodyWaits`]; [`Error::BadPing`] and the like where the
    /// [links](Links) say something else than when the players arrived. Everybody waits on then, as if nothing had been
    /// asked.
    pub fn hold(&mut self, now: f64) -> Result<HeldRound, Error> {
        self.check_clock(now)?;
        if self.is_empty() {
            return Err(Error::NobodyWaits);
        }
        let round = self.everybody()?;
        let seed = self.seed.wrapping_add(self.rounds.wrapping_mul(NEXT_SEED));
        let search = LobbySearch::new(&round, &self.rules)
            .fill(Fill::Possible)
            .seed(seed)
            .budget(self.budget.clone());
        let outcome = search.run();
        let waits = self
            .parties
            .iter()
            .flat_map(|party| party.players.iter().map(|_| now - party.since));
        let held = HeldRound {
            number: self.rounds,
            time: now,
            waits: waits.collect(),
            outcome,
            first_match: self.matches,
            round,
        };
        (self.now, self.last_round) = (now, now);
        self.parties.iter_mut().for_each(|party| party.is_new = false);
        self.rounds += 1;
        if let Ok(lobby) = &held.outcome {
            self.begin(&held.round, lobby, now);
        }
        for player in self.parties.iter_mut().flat_map(|party| &mut party.players) {
            player.waited = player.waited.saturating_add(1);
        }
        Ok(held)
    }

    /// Everybody who waits, in the order of arrival.
    pub fn waiting(&self) -> impl Iterator<Item = &Player> + '_ {
        self.parties.iter().flat_map(|party| &party.players)
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The last match that this service has made with a player, as long as it is not forgotten.
    pub fn previous(&self, id: &str) -> Option<&Previous> {
        self.previous.get(id).map(|(previous, _)| previous)
    }

    /// Forgets matches that were made before this time, so that memory does not grow for ever. Who waits knows the own one
    /// all the same.
    pub fn forget(&mut self, before: f64) {
        // No match was made before what is no time.
        self.previous.retain(|_, (_, made)| before.is_nan() || *made >= before);
    }

    /// The players of these matches wait no more, and remember them.
    fn begin(&mut self, round: &Round, lobby: &Lobby, now: f64) {
        for (number, one) in (self.matches..).zip(&lobby.matches) {
            for (team, players) in [(Side::Red, &one.red), (Side::Blue, &one.blue)] {
                for &player in players {
                    let (id, match_id) = (&round.players()[player].id, held::match_id(number));
                    self.ids.remove(id);
                    self.previous.insert(id.clone(), (Previous { match_id, team }, now));
                }
            }
        }
        self.matches += lobby.matches.len() as u64;
        // Matches have whole parties.
        let ids = &self.ids;
        self.parties.retain(|party| ids.contains(&party.players[0].id));
    }

    /// A round of all who wait.
    fn everybody(&self) -> Result<Round, Error> {
        let players: Vec<Player> = self.waiting().cloned().collect();
        let pings = SymmetricMatrix::from_fn(players.len(), |i, j| self.links.ping_ms(&players[j], &players[i]));
        let connections =
            SymmetricMatrix::from_fn(players.len(), |i, j| self.links.can_connect(&players[j], &players[i]));
        let pairs = || (0..players.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
        let avoided = pairs().filter(|&(j, i)| !self.links.may_meet(&players[j], &players[i]));
        let disliked = pairs().filter(|&(j, i)| !self.links.get_along(&players[j], &players[i]));
        let (avoided, disliked): (Vec<_>, Vec<_>) = (avoided.collect(), disliked.collect());
        Round::new(players, pings, connections)?
            .with_avoided(avoided)?
            .with_disliked(disliked)
    }

    fn check_clock(&self, time: f64) -> Result<(), Error> {
        match time.is_finite() && time >= self.now {
            true => Ok(()),
            false => Err(Error::ClockBack { now: self.now, time }),
        }
    }

    /// Whether a party can wait beside those who do.
    fn check(&self, party: &[Player]) -> Result<(), Error> {
        check_players(party)?;
        let team_size = self.rules.team_size();
        if party.len() > team_size {
            return Err(Error::PartyTooLarge {
                party: party[0].id.clone(),
                members: party.iter().map(|player| player.id.clone()).collect(),
                team_size,
            });
        }
        let players = self.len() + party.len();
        if players > MAX_PLAYERS {
            let limit = MAX_PLAYERS;
            return Err(Error::TooManyPlayers { players, limit });
        }
        for (i, player) in party.iter().enumerate() {
            let id = || player.id.clone();
            if self.ids.contains(&player.id) {
                return Err(Error::WaitsAlready { id: id() });
            }
            if let Some(playing) = &player.playing {
                let (id, match_id) = (id(), playing.match_id.clone());
                return Err(Error::PlaysAlready { id, match_id });
            }
            self.links.check(player).map_err(|error| at_position(error, i))?;
            for other in self.waiting().chain(&party[..i]) {
                let found = self.links.ping_ms(other, player);
                if !found.is_finite() || found < 0.0 {
                    let (first, second) = (other.id.clone(), id());
                    return Err(Error::BadPing { first, second, found });
                }
            }
            if let Some(mate) = party[..i].iter().find(|mate| !self.links.may_meet(mate, player)) {
                let (party, players) = (party[0].id.clone(), [mate.id.clone(), id()]);
                return Err(Error::PartyAvoids { party, players });
            }
        }
        Ok(())
    }
}

/// What links say of a player is said of the position in the party, which they do not know.
fn at_position(error: Error, position: usize) -> Error {
    match error {
        Error::UnknownRegion { id, found, .. } => Error::UnknownRegion {
            place: Place::Position(position),
            id,
            found,
        },
        other => other,
    }
}
