//! Whether matches are what they are said to be: from the round and the rules alone.

use std::fmt;

use super::error::Error;
use super::judge::{Breakdown, Judge, Match};
use super::objective::Total;
use super::player::Side;
use super::round::Round;
use super::rules::{Rules, ServerRule};
use super::running::{Running, Why};
use super::search::Lobby;
use crate::quoted::quoted;
use crate::written::number_text;

/// What is wrong with matches. Those are named by their position in [`Lobby::matches`], from 0.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Flaw {
    /// No matches can be made by these rules, or of this round. Written by `serde` as the error's text.
    Refused(#[cfg_attr(feature = "json", serde(serialize_with = "in_words"))] Error),
    /// A team has more or fewer players than the rules say.
    TeamSize {
        /// The match.
        number: usize,
    },
    /// A match, or the list of those who wait, names somebody who is not in the round.
    NoSuchPlayer {
        /// The number that stands there.
        player: usize,
        /// Number of players in the round.
        players: usize,
    },
    /// A player is in so many places instead of one.
    Places {
        /// Whose id.
        id: String,
        /// Teams that name the player, and once more if the player waits.
        places: usize,
    },
    /// Members of a party are in different places.
    Divided {
        /// Label of the party.
        party: String,
    },
    /// A player of a running match is elsewhere than in the own team.
    Moved {
        /// Whose id.
        id: String,
        /// The running match.
        running: String,
    },
    /// A match is said to go on with another running match than the one of its players, or with one where it is new, or with
    /// none.
    Running {
        /// The match.
        number: usize,
    },
    /// A running match is said to stay as it is, and there is no such one, or it has no open places; or too few players are
    /// said to wait, and they are enough.
    Short {
        /// The position in [`Lobby::short`].
        number: usize,
    },
    /// Two players are in one match, and one of them avoids the other.
    Avoided {
        /// The match.
        number: usize,
        /// Their ids.
        players: [String; 2],
    },
    /// Two players of a match have a ping above the limit of the rules.
    TooFar {
        /// The match.
        number: usize,
        /// Their ids.
        players: [String; 2],
        /// Their ping.
        ping_ms: f32,
    },
    /// Nobody of a match can be the server, and by the rules somebody must.
    NoServer {
        /// The match.
        number: usize,
    },
    /// The scores are not those of the teams.
    Scores {
        /// The match.
        number: usize,
    },
    /// The scores of the round are not those of its matches.
    Totals,
}

impl Flaw {
    /// The flaw in words, for whoever does not count matches from 0: a match is called what `name` makes of its position.
    pub fn describe(&self, name: impl Fn(usize) -> String) -> String {
        match self {
            Self::Refused(error) => format!("no matches can be made: {error}"),
            Self::TeamSize { number } => format!("{} has a team of the wrong size", name(*number)),
            Self::NoSuchPlayer { player, players } => {
                format!("there is no player at position {player}: the round has {players}, counted from 0")
            }
            Self::Places { id, places } => format!("player {} is in {places} places", quoted(id)),
            Self::Divided { party } => format!("party {} is divided", quoted(party)),
            Self::Moved { id, running } => format!(
                "player {} is not where he plays already, in match {}",
                quoted(id),
                quoted(running)
            ),
            Self::Running { number } => {
                format!("{} goes on with another running match than it says", name(*number))
            }
            Self::Short { number } => format!(
                "the running match at position {number} of those that stay short is none with open places, or enough players \
                 wait to fill it"
            ),
            Self::Avoided {
                number,
                players: [one, other],
            } => format!(
                "{} has both {} and {}, of whom one avoids the other",
                name(*number),
                quoted(one),
                quoted(other)
            ),
            Self::TooFar {
                number,
                players: [one, other],
                ping_ms,
            } => format!(
                "{} has both {} and {}, whose ping of {} ms is above the limit",
                name(*number),
                quoted(one),
                quoted(other),
                number_text(*ping_ms)
            ),
            Self::NoServer { number } => format!("{} has nobody who can be the server", name(*number)),
            Self::Scores { number } => format!("{} has other scores", name(*number)),
            Self::Totals => "the scores of all matches together are others".to_owned(),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(|number| format!("match at position {number}")))
    }
}

/// The text of an error, whose parts are many and of many kinds.
#[cfg(feature = "json")]
fn in_words<S: serde::Serializer>(error: &Error, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

impl std::error::Error for Flaw {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(error) => Some(error),
            _ => None,
        }
    }
}

impl Lobby {
    /// Checks the matches against the round and the rules: everybody plays in one team or waits, parties are whole, teams
    /// have their size, nobody is in a match with a player whom one of the two avoids or whose ping is above the limit,
    /// somebody can be the server where the rules ask for that, and all scores are those that a [`Judge`] gives to the teams as they stand, to the last bit.
    ///
    /// Whoever plays already is in that match and team, and each running match is there once: full, or among those that stay as
    /// they are, with nobody new. The limits are asked of those who come, with each other and with those who play already.
    ///
    /// Nothing is taken from a search, and its fast score is not asked. That no other matches, and no other split of these
    /// ones, are better is not checked, nor that as many matches were made, or running ones filled, as could be.
    ///
    /// # Errors
    /// [`Flaw`]: the first thing that is wrong.
    ///
    /// # Complexity
    /// O(n k²) time for n players in teams of k, and O(n) space.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Flaw, LobbySearch, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    /// let mut lobby = LobbySearch::new(&round, &rules).work(2_000).run()?;
    /// assert_eq!(lobby.verify(&round, &rules), Ok(()));
    /// lobby.matches[4].breakdown.total += 0.1;
    /// assert_eq!(lobby.verify(&round, &rules), Err(Flaw::Scores { number: 4 }));
    /// # Ok(())
    /// # }
    /// ```
    pub fn verify(&self, round: &Round, rules: &Rules) -> Result<(), Flaw> {
        let sides: Vec<&[usize]> = (self.matches.iter())
            .flat_map(|one| [one.red.as_slice(), one.blue.as_slice()])
            .collect();
        if let Some(side) = sides.iter().position(|side| side.len() != rules.team_size()) {
            return Err(Flaw::TeamSize { number: side / 2 });
        }
        self.check_short(round, rules)?;
        let short = self.short.iter().map(|short| &round.running()[short.running]);
        let short: Vec<&[usize]> = short
            .flat_map(|running| [running.team(Side::Red), running.team(Side::Blue)])
            .collect();
        check_places(round, (&sides, &short), &self.waiting)?;
        let judge = Judge::new(round, rules).map_err(Flaw::Refused)?;
        for &player in &self.waiting {
            is_in_place(round, player, None)?;
        }
        for (number, one) in self.matches.iter().enumerate() {
            check_running(round, number, one)?;
            check_limits(round, rules, number, &one.players())?;
            check_match(&judge, (round, rules), number, one)?;
        }
        self.check_totals(rules)
    }

    /// Running matches that stay as they are have open places, and of too few who wait there are too few.
    fn check_short(&self, round: &Round, rules: &Rules) -> Result<(), Flaw> {
        for (number, short) in self.short.iter().enumerate() {
            let running = round.running().get(short.running);
            let open = running.map_or(0, |running| running.open(rules.team_size()).iter().sum());
            if open == 0 || (short.why == Why::TooFew && self.waiting.len() >= open) {
                return Err(Flaw::Short { number });
            }
        }
        Ok(())
    }

    /// What is said of all matches together.
    fn check_totals(&self, rules: &Rules) -> Result<(), Flaw> {
        let breakdowns: Vec<Breakdown> = self.matches.iter().map(|one| one.breakdown).collect();
        let scores: Vec<f64> = breakdowns.iter().map(|breakdown| breakdown.total).collect();
        let nothing = Total { mean: 0.0, worst: 0.0 };
        let total = rules.chosen_objective().total(&scores).unwrap_or(nothing);
        let breakdown = Breakdown::mean(&breakdowns).unwrap_or_default();
        if (breakdown, total) == (self.breakdown, self.total) {
            Ok(())
        } else {
            Err(Flaw::Totals)
        }
    }
}

/// Everybody has one place, a side or the bench, and parties share theirs.
fn check_places(round: &Round, (sides, short): (&[&[usize]], &[&[usize]]), bench: &[usize]) -> Result<(), Flaw> {
    let players = round.len();
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); players];
    for (place, members) in sides.iter().chain(short).copied().chain([bench]).enumerate() {
        for &player in members {
            let missing = Flaw::NoSuchPlayer { player, players };
            places.get_mut(player).ok_or(missing)?.push(place);
        }
    }
    if let Some(player) = places.iter().position(|places| places.len() != 1) {
        return Err(Flaw::Places {
            id: round.players()[player].id.clone(),
            places: places[player].len(),
        });
    }
    let is_divided = |members: &Vec<usize>| members.iter().any(|&member| places[member] != places[members[0]]);
    match round.parties().iter().position(is_divided) {
        Some(party) => Err(Flaw::Divided {
            party: round.party_label(party).to_owned(),
        }),
        None => Ok(()),
    }
}

/// The player waits, or plays in this running match and team already, if he does.
fn is_in_place(round: &Round, player: usize, place: Option<(usize, Side)>) -> Result<(), Flaw> {
    let Some(number) = round.running_of(player) else {
        return Ok(());
    };
    let running = &round.running()[number];
    let is_there = |(match_of, side)| match_of == number && running.team(side).contains(&player);
    if place.is_some_and(is_there) {
        return Ok(());
    }
    Err(Flaw::Moved {
        id: round.players()[player].id.clone(),
        running: running.id().to_owned(),
    })
}

/// A match goes on with the running match that it says, and with all its players in their teams; a new one has nobody who
/// plays already.
fn check_running(round: &Round, number: usize, one: &Match) -> Result<(), Flaw> {
    for (side, team) in [(Side::Red, &one.red), (Side::Blue, &one.blue)] {
        for &player in team {
            is_in_place(round, player, one.running.map(|running| (running, side)))?;
        }
    }
    let Some(running) = one.running else { return Ok(()) };
    let is_it = |running: &Running| {
        let is_in = |(side, team): (Side, &Vec<usize>)| running.team(side).iter().all(|player| team.contains(player));
        is_in((Side::Red, &one.red)) && is_in((Side::Blue, &one.blue))
    };
    match round.running().get(running) {
        Some(running) if is_it(running) => Ok(()),
        _ => Err(Flaw::Running { number }),
    }
}

/// No two of a match avoid each other or are too far apart, but for those who play together already.
pub(super) fn check_limits(round: &Round, rules: &Rules, number: usize, players: &[usize]) -> Result<(), Flaw> {
    for (at, &i) in players.iter().enumerate() {
        for &j in players[at + 1..].iter().filter(|&&j| !round.play_together(i, j)) {
            let ids = || [i, j].map(|i| round.players()[i].id.clone());
            if !round.may_meet(i, j) {
                return Err(Flaw::Avoided { number, players: ids() });
            }
            if rules.is_too_far(round, i, j) {
                return Err(Flaw::TooFar {
                    number,
                    players: ids(),
                    ping_ms: round.ping_ms(i, j),
                });
            }
        }
    }
    Ok(())
}

/// What the rules ask of one match whose players are known to be right.
fn check_match(judge: &Judge<'_>, (round, rules): (&Round, &Rules), number: usize, one: &Match) -> Result<(), Flaw> {
    // A running match to which nobody comes is as it is.
    let is_kept = one.running.is_some() && one.newcomers(round).is_empty();
    if rules.server_rule == ServerRule::Required && !is_kept && judge.servers(&one.players()) == 0 {
        return Err(Flaw::NoServer { number });
    }
    if judge.breakdown(&one.red, &one.blue) != one.breakdown {
        return Err(Flaw::Scores { number });
    }
    Ok(())
}
