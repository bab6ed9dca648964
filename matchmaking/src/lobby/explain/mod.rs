//! Why somebody is where he is: what would come of his party's changing places with another one.

mod sets;

use matching_core::{Budget, StopReason};
use matching_heuristics::Stop;
use sets::Sets;

use super::judge::{Breakdown, Judge};
use super::player::Side;
use super::round::Round;
use super::rules::{Rules, ServerRule};
use super::search::Lobby;
use super::verify::{Flaw, check_limits};
use crate::clock::Clock;

/// So many exchanges of one party against several are looked at for each player of the round. That is more than there are, but
/// where a party of many members meets many players who are alone; and it takes no more than some seconds.
const MOST: u64 = 8;

/// Where a player's party is, and what its exchanges would change; see [`Lobby::explain`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Explanation {
    /// The members of the player's party, ascending; a player alone is a party of one.
    pub party: Vec<usize>,
    /// The position of its match; `None` if it waits, or [plays](Self::stays) in a running match that stays short.
    pub place: Option<usize>,
    /// Whether the party plays already: then it stays, and there are no exchanges.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "std::ops::Not::not"))]
    pub stays: bool,
    /// The exchanges with every party of as many members that is in another match, or waits where this one plays, and those of
    /// one party against several smaller ones, where the player's party is the one or among the several: the best ones first,
    /// then those that the rules do not allow. Parties of a match that comes of it make two teams.
    pub exchanges: Vec<Exchange>,
    /// How many exchanges were not looked at: of one party against several, as there are more than eight for each player of
    /// the round (those with the fewest parties were), and of whatever kind where a [limit](Lobby::explain_within) ended it. Of more than `u64::MAX` that many.
    pub left_out: u64,
    /// What ended it: [`Stop::Finished`] where no limit did.
    pub stop: Stop,
}

/// Parties with as many members together change places, one of them against one or several, and the players of their matches
/// are split anew.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Exchange {
    /// Parties of the same match, or that wait as well, that go along with the player's: none, but where several are exchanged
    /// for one larger party. Members ascend.
    pub along: Vec<Vec<usize>>,
    /// The other parties, which come: one, or several smaller ones. Members ascend.
    pub parties: Vec<Vec<usize>>,
    /// The position of their match; `None` if they wait.
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
    /// many members, with several smaller ones, or together with others with a larger one, each match that comes of it split in
    /// the best way. Those who play in a running match already change places with nobody.
    ///
    /// After a search that had time, none of those who play gains anything by it. Who waits is decided before, by
    /// [`Priority`](super::Priority), so that exchanges with those who wait may gain something.
    ///
    /// # Errors
    /// [`Flaw`] where the matches are not those of the round and the rules ([`Self::verify`]), or there is no such player.
    ///
    /// # Complexity
    /// O(n C(2k, k) k² + n²) for n players in teams of k: about a tenth of a second for 300 players in teams of five who are
    /// alone, and up to some nine times as much with parties.
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
        self.explain_within(round, rules, player, &Budget::new())
    }

    /// The same within limits: where one ends it, the exchanges so far are told ([`Explanation::stop`]), those of one party with
    /// another one first, and the others are counted ([`Explanation::left_out`]).
    ///
    /// A unit of work is an exchange; time and cancelling are looked at before each. The matches are verified before, however long
    /// that takes. What the budget says of memory does not count.
    ///
    /// # Errors
    /// As for [`explain`](Self::explain); a limit is none.
    ///
    /// # Complexity
    /// That of [`explain`](Self::explain) at most: with teams of eight, 300 players take about ten seconds.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Budget, LobbySearch, Round, Rules, Stop};
    ///
    /// let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    /// let lobby = LobbySearch::new(&round, &rules).work(2_000).run()?;
    /// let explanation = lobby.explain_within(&round, &rules, 7, &Budget::new().work(5))?;
    /// assert!(explanation.exchanges.len() <= 5 && explanation.left_out > 0);
    /// assert_eq!(explanation.stop, Stop::Work);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain_within(
        &self,
        round: &Round,
        rules: &Rules,
        player: usize,
        budget: &Budget,
    ) -> Result<Explanation, Flaw> {
        let mut meter = Meter::start(budget);
        self.verify(round, rules)?;
        if player >= round.len() {
            let players = round.len();
            return Err(Flaw::NoSuchPlayer { player, players });
        }
        let mut place_of = vec![self.matches.len(); round.len()];
        for (number, one) in self.matches.iter().enumerate() {
            one.players().into_iter().for_each(|player| place_of[player] = number);
        }
        let mut parties = vec![Vec::new(); self.matches.len() + 1];
        for (_, party) in round.parties().iter().enumerate().filter(|&(at, _)| round.waits(at)) {
            parties[place_of[party[0]]].push(party);
        }
        let exchanges = Exchanges {
            lobby: self,
            round,
            rules,
            judge: Judge::new(round, rules).map_err(Flaw::Refused)?,
            party: &round.parties()[round.party_of(player)],
            place: Some(place_of[player]).filter(|&place| place < self.matches.len()),
            parties,
        };
        if round.running_of(player).is_some() {
            return Ok(Explanation {
                party: exchanges.party.clone(),
                place: exchanges.place,
                stays: true,
                exchanges: Vec::new(),
                left_out: 0,
                stop: Stop::Finished,
            });
        }
        let (mut all, left_out) = exchanges.with_one(&mut meter);
        let (several, more) = exchanges.with_several(&mut meter);
        all.extend(several);
        all.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
        Ok(Explanation {
            party: exchanges.party.clone(),
            place: exchanges.place,
            stays: false,
            exchanges: all,
            left_out: left_out.saturating_add(more),
            stop: meter.stop,
        })
    }
}

/// What may still be spent.
struct Meter<'b> {
    clock: Clock<'b>,
    left: Option<u64>,
    stop: Stop,
}

impl<'b> Meter<'b> {
    fn start(budget: &'b Budget) -> Self {
        Self {
            clock: Clock::new(budget),
            left: budget.work_limit(),
            stop: Stop::Finished,
        }
    }

    /// Whether one more exchange may be looked at, which is counted; once not, never again.
    fn goes_on(&mut self) -> bool {
        if self.stop == Stop::Finished {
            self.stop = match self.clock.over() {
                Some(StopReason::Cancelled) => Stop::Cancelled,
                Some(_) => Stop::Time,
                None if self.left == Some(0) => Stop::Work,
                None => Stop::Finished,
            };
            self.left = self.left.map(|left| left.saturating_sub(1));
        }
        self.stop == Stop::Finished
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
    /// The parties of each match, and behind them those that wait.
    parties: Vec<Vec<&'a Vec<usize>>>,
}

impl<'a> Exchanges<'a> {
    /// A place among all parties.
    fn at(&self, place: Option<usize>) -> usize {
        place.unwrap_or(self.lobby.matches.len())
    }

    /// The other places, with their parties.
    fn elsewhere(&self) -> impl Iterator<Item = (Option<usize>, &[&'a Vec<usize>])> {
        let matches = self.lobby.matches.len();
        let places = (0..=matches).map(move |at| (at < matches).then_some(at));
        let others = places.filter(|place| *place != self.place);
        others.map(|place| (place, &self.parties[self.at(place)][..]))
    }

    /// Those with one party of as many members, and how many of these were left out.
    fn with_one(&self, meter: &mut Meter<'_>) -> (Vec<Exchange>, u64) {
        let (mut found, mut left_out) = (Vec::new(), 0);
        for (place, parties) in self.elsewhere() {
            for &other in parties.iter().filter(|other| other.len() == self.party.len()) {
                match meter.goes_on() {
                    true => found.extend(self.exchange(Vec::new(), vec![other.clone()], place)),
                    false => left_out += 1,
                }
            }
        }
        (found, left_out)
    }

    /// Those of one party against several smaller ones, as many as are looked at, with how many are not: those with the fewest
    /// parties come first.
    fn with_several(&self, meter: &mut Meter<'_>) -> (Vec<Exchange>, u64) {
        let (size, most) = (self.party.len(), self.rules.team_size);
        let of = |parties: &[&'a Vec<usize>]| {
            let others = parties.iter().copied().filter(|&party| party != self.party);
            Sets::new(others.collect(), most)
        };
        let along = of(&self.parties[self.at(self.place)]);
        let places: Vec<_> = self
            .elsewhere()
            .map(|(place, parties)| (place, parties, of(parties)))
            .collect();
        let mut left = MOST.saturating_mul(self.round.len() as u64);
        let (mut found, mut left_out) = (Vec::new(), 0_u64);
        // As many of a kind as the limits allow; the others are counted.
        let mut look_at = |count: u64, look: &mut dyn FnMut(u64)| {
            let share = count.min(left);
            let taken = (0..share)
                .take_while(|_| meter.goes_on())
                .inspect(|&nth| look(nth))
                .count() as u64;
            left -= taken;
            // More than can be counted stay more than can be counted.
            left_out = left_out.saturating_add(if count == u64::MAX { count } else { count - taken });
        };
        for number in 2..=most {
            for (place, parties, sets) in &places {
                look_at(sets.count(number, size), &mut |nth| {
                    found.extend(self.exchange(Vec::new(), sets.nth(number, size, nth), *place));
                });
                for &larger in parties.iter().filter(|larger| larger.len() > size) {
                    let (number, members) = (number - 1, larger.len() - size);
                    look_at(along.count(number, members), &mut |nth| {
                        let along = along.nth(number, members, nth);
                        found.extend(self.exchange(along, vec![larger.clone()], *place));
                    });
                }
            }
        }
        (found, left_out)
    }

    /// The exchange of the party, and others along with it, for these of another place; `None` where the parties of a match that
    /// comes of it do not make two teams.
    fn exchange(&self, along: Vec<Vec<usize>>, parties: Vec<Vec<usize>>, place: Option<usize>) -> Option<Exchange> {
        let leave = [&self.party[..], &along.concat()].concat();
        let come = parties.concat();
        let sides = [(self.place, &leave, &come), (place, &come, &leave)];
        let changed = sides
            .into_iter()
            .filter_map(|(number, leave, come)| Some((number?, leave, come)));
        let changed: Vec<(usize, Vec<usize>)> = changed
            .map(|(number, leave, come)| (number, self.players(number, leave, come)))
            .collect();
        if !changed.iter().all(|(_, players)| self.makes_two_teams(players)) {
            return None;
        }
        Some(Exchange {
            outcome: self.outcome(&changed),
            along,
            parties,
            place,
        })
    }

    /// The players of a match in which some come for others.
    fn players(&self, number: usize, leave: &[usize], come: &[usize]) -> Vec<usize> {
        let mut players = self.lobby.matches[number].players();
        players.retain(|player| !leave.contains(player));
        players.extend(come);
        players
    }

    /// Whether some of the parties of these players are one team, and the others another one.
    fn makes_two_teams(&self, players: &[usize]) -> bool {
        // Bit by bit, the numbers of members that some of the parties so far have together, with those who are red already.
        let running = players.iter().find_map(|&player| self.round.running_of(player));
        let is_red = running.map_or(0, |number| self.round.running()[number].team(Side::Red).len());
        let mut sums = 1_u64 << is_red;
        for &player in players
            .iter()
            .filter(|&&player| self.round.running_of(player).is_none())
        {
            let party = &self.round.parties()[self.round.party_of(player)];
            if party[0] == player {
                sums |= sums << party.len();
            }
        }
        sums >> self.rules.team_size & 1 == 1
    }

    /// What changes with the matches that have these players now.
    fn outcome(&self, changed: &[(usize, Vec<usize>)]) -> Result<Change, Flaw> {
        let (mut mean_score, mut gain) = (0.0, 0.0);
        let objective = self.rules.chosen_objective();
        for (number, players) in changed {
            let before = self.lobby.matches[*number].breakdown.total;
            let after = self.judged(*number, players)?.total;
            mean_score += (after - before) / self.lobby.matches.len() as f64;
            gain += objective.cost(before) - objective.cost(after);
        }
        Ok(Change { mean_score, gain })
    }

    /// The scores of a match of these players, or why there is no such match.
    fn judged(&self, number: usize, players: &[usize]) -> Result<Breakdown, Flaw> {
        if let Some(best) = self.judge.best(players) {
            return Ok(best.breakdown);
        }
        check_limits(self.round, self.rules, number, players)?;
        // They make two teams: that was asked before.
        debug_assert_eq!(self.rules.server_rule, ServerRule::Required);
        Err(Flaw::NoServer { number })
    }
}
