//! A lobby over time with a synthetic population.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow;

use matching_core::Budget;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::Error;
use super::judge::Breakdown;
use super::player::Player;
use super::round::Round;
use super::rules::Rules;
use super::service::{HeldRound, RoundLinks, RoundRule, Service};

/// Matches are this much shorter or longer than usual at most. Were all as long, those who come back would always arrive at
/// the time of a round where one length is a multiple of the other.
const SPREAD: f64 = 0.25;
/// Matches take a millisecond at least, in seconds.
const LEAST_MATCH: f64 = 1e-3;

/// The largest parties of the population, as far as teams have room.
const LARGEST_PARTY: usize = 3;

/// A lobby over time, played: parties of a [synthetic population](Round::synthetic) arrive as a Poisson process, wait,
/// play, and some come back for another match. What is left to chance by a party's name alone, when it first arrives, how
/// patient it is and whether it plays again, is the same under every [`RoundRule`], so that rules can be compared.
///
/// It ends when the last party arrives: who waits then is counted as waiting.
///
/// # Examples
/// ```
/// use matchmaking::lobby::{Error, RoundRule, Rules, Simulation};
///
/// let simulation = Simulation::new(200, 20.0).seed(1);
/// let [short, long] = [30.0, 120.0].map(|seconds| simulation.run(&Rules::new(3), RoundRule::every(seconds)));
/// let (short, long) = (short?, long?);
/// // Better matches, and longer waits.
/// assert!(short.mean_score() < long.mean_score() && short.mean_wait() < long.mean_wait());
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    players: usize,
    per_minute: f64,
    again: f64,
    match_seconds: f64,
    patience: Option<f64>,
    seed: u64,
    budget: Budget,
}

/// What came of a simulation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Played {
    /// Rounds, in order; those with too few players for a match, too.
    pub rounds: Vec<PlayedRound>,
    /// The scores of all matches, in order.
    pub matches: Vec<Breakdown>,
    /// The wait of each player of each match, in seconds; in order of the matches.
    pub waits: Vec<f64>,
    /// Players who arrived, whoever came back once more each time.
    pub arrived: usize,
    /// Players who lost patience.
    pub given_up: usize,
    /// Players who waited at the end.
    pub waiting: usize,
    /// How long it took, in seconds of its own time.
    pub seconds: f64,
    /// Whether it was played to its end.
    pub is_complete: bool,
}

/// One round of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlayedRound {
    /// When it was held.
    pub time: f64,
    /// Players who waited then.
    pub players: usize,
    /// Matches made of them.
    pub matches: usize,
    /// Moves that the search looked at.
    pub work: u64,
}

impl Simulation {
    /// So many players, of whom so many are expected to arrive a minute for the first time. Half of the parties play again
    /// after a match of about twenty minutes, nobody gives up, and the seed is 0, unless set.
    pub fn new(players: usize, per_minute: f64) -> Self {
        Self {
            players,
            per_minute,
            again: 0.5,
            match_seconds: 1200.0,
            patience: None,
            seed: 0,
            budget: Budget::new(),
        }
    }

    /// The chance that a party comes back after a match, at once when it ends.
    #[must_use]
    pub fn again(mut self, chance: f64) -> Self {
        self.again = chance;
        self
    }

    /// How long a match takes in the mean, in seconds, 0.001 or more: each between three and five quarters of it, by chance.
    #[must_use]
    pub fn match_seconds(mut self, seconds: f64) -> Self {
        self.match_seconds = seconds;
        self
    }

    /// Parties lose patience: how long one would wait at most has an exponential distribution with this mean, in seconds,
    /// drawn anew each time that it arrives.
    #[must_use]
    pub fn patience(mut self, seconds: f64) -> Self {
        self.patience = Some(seconds);
        self
    }

    /// Where chance begins: population, arrivals, and the searches.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What the search of one round may spend, as [`Service::budget`] takes it.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Plays it with rounds by this rule.
    ///
    /// # Errors
    /// [`Error::BadSimulation`]; those of [`Round::synthetic`] and [`Service::new`].
    pub fn run(&self, rules: &Rules, when: RoundRule) -> Result<Played, Error> {
        self.run_watched(rules, when, &mut |_| ControlFlow::Continue(()))
    }

    /// The same; shows each round, and ends with one after which it is told to.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn run_watched(
        &self,
        rules: &Rules,
        when: RoundRule,
        watch: &mut dyn FnMut(&HeldRound) -> ControlFlow<()>,
    ) -> Result<Played, Error> {
        self.check()?;
        rules.check()?;
        let population = Round::synthetic(self.players, self.seed, LARGEST_PARTY.min(rules.team_size()))?;
        let links = RoundLinks::new(&population);
        let service = Service::new(rules.clone(), when, links)?
            .seed(self.seed)
            .budget(self.budget.clone());
        let course = Course::new(self, &population, service);
        if !course.end.is_finite() {
            return Err(Error::BadSimulation {
                setting: "players a minute",
                found: self.per_minute,
                expected: "enough for all of them to arrive at a finite time",
            });
        }
        course.play(watch)
    }

    fn check(&self) -> Result<(), Error> {
        let require = |is_met: bool, setting, found, expected| match is_met {
            true => Ok(()),
            false => Err(Error::BadSimulation {
                setting,
                found,
                expected,
            }),
        };
        let positive = "a positive finite number";
        let is_positive = |number: f64| number.is_finite() && number > 0.0;
        require(
            is_positive(self.per_minute),
            "players a minute",
            self.per_minute,
            positive,
        )?;
        // The clock must move on before whoever plays comes back.
        let is_long = self.match_seconds.is_finite() && self.match_seconds >= LEAST_MATCH;
        require(
            is_long,
            "seconds of a match",
            self.match_seconds,
            "a finite number of 0.001 or more",
        )?;
        let patience = self.patience.unwrap_or(1.0);
        require(is_positive(patience), "seconds of patience", patience, positive)?;
        let is_chance = (0.0..=1.0).contains(&self.again);
        require(is_chance, "chance to play again", self.again, "a number from 0 to 1")
    }
}

impl Played {
    /// The mean score of the matches; `None` without any.
    pub fn mean_score(&self) -> Option<f64> {
        Breakdown::mean(&self.matches).map(|breakdown| breakdown.total)
    }

    /// The score of the worst match.
    pub fn worst_score(&self) -> Option<f64> {
        self.matches.iter().map(|scores| scores.total).reduce(f64::min)
    }

    /// The mean wait of those who were in a match, in seconds; `None` where nobody was.
    pub fn mean_wait(&self) -> Option<f64> {
        (!self.waits.is_empty()).then(|| self.waits.iter().sum::<f64>() / self.waits.len() as f64)
    }

    /// Moves that all searches looked at.
    pub fn work(&self) -> u64 {
        self.rounds.iter().map(|round| round.work).sum()
    }
}

/// What chance is asked for; each question of a party or a match has a stream of its own.
#[derive(Clone, Copy)]
enum Purpose {
    Arrivals,
    Patience,
    Again,
    Length,
}

/// Something that happens at a time; of equal times what was planned first comes first.
#[derive(Clone, Copy, Debug)]
struct Event {
    time: f64,
    /// Which comes first of those at one time: who arrives is there for the round, and gives up after it.
    kind: Kind,
    number: u64,
    party: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Arrive,
    /// If it waits still since it arrived for the n-th time.
    GiveUp(u32),
}

impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time.then_with(|| (self.kind, self.number).cmp(&(other.kind, other.number)))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

/// A simulation in its course.
struct Course<'s> {
    simulation: &'s Simulation,
    population: &'s Round,
    /// The party of each id.
    party_of: HashMap<&'s str, usize>,
    service: Service<RoundLinks<'s>>,
    events: BinaryHeap<Reverse<Event>>,
    planned: u64,
    /// How often each party has arrived, and whether it waits.
    visits: Vec<u32>,
    waits: Vec<bool>,
    end: f64,
    played: Played,
}

impl<'s> Course<'s> {
    fn new(simulation: &'s Simulation, population: &'s Round, service: Service<RoundLinks<'s>>) -> Self {
        let parties = population.parties().len();
        let mut course = Self {
            simulation,
            population,
            party_of: (population.players().iter().enumerate())
                .map(|(i, player)| (player.id.as_str(), population.party_of(i)))
                .collect(),
            service,
            events: BinaryHeap::new(),
            planned: 0,
            visits: vec![0; parties],
            waits: vec![false; parties],
            end: 0.0,
            played: Played {
                rounds: Vec::new(),
                matches: Vec::new(),
                waits: Vec::new(),
                arrived: 0,
                given_up: 0,
                waiting: 0,
                seconds: 0.0,
                is_complete: true,
            },
        };
        // Parties arrive, of as many players as to make up the rate.
        let rate = simulation.per_minute / 60.0 * parties as f64 / population.len() as f64;
        let mut rng = course.chance(Purpose::Arrivals, 0);
        for party in 0..parties {
            course.end += exponential(&mut rng) / rate;
            course.plan(course.end, Kind::Arrive, party);
        }
        course
    }

    fn chance(&self, purpose: Purpose, number: u64) -> ChaCha8Rng {
        // The population is drawn from the streams of small numbers.
        let mut rng = ChaCha8Rng::seed_from_u64(self.simulation.seed);
        rng.set_stream((purpose as u64 + 1) << 56 | number);
        rng
    }

    /// Chance for the n-th visit of a party.
    fn of_visit(&self, purpose: Purpose, party: usize) -> ChaCha8Rng {
        self.chance(purpose, (party as u64) << 32 | u64::from(self.visits[party]))
    }

    fn plan(&mut self, time: f64, kind: Kind, party: usize) {
        let number = self.planned;
        self.planned += 1;
        self.events.push(Reverse(Event {
            time,
            kind,
            number,
            party,
        }));
    }

    fn play(mut self, watch: &mut dyn FnMut(&HeldRound) -> ControlFlow<()>) -> Result<Played, Error> {
        let mut flow = ControlFlow::Continue(());
        let mut now = 0.0;
        while flow.is_continue() {
            let next = self.events.peek().map(|Reverse(event)| *event);
            let next = next.filter(|event| event.time <= self.end);
            let due = self.service.next_round().filter(|&due| due <= self.end);
            let is_round = match (due, next) {
                (Some(due), Some(event)) => due < event.time || due == event.time && event.kind != Kind::Arrive,
                (due, _) => due.is_some(),
            };
            if is_round {
                let due = due.unwrap_or(now);
                now = due;
                if let Some(held) = self.service.tick(due)? {
                    self.take(&held);
                    flow = watch(&held);
                }
            } else if let Some(event) = next {
                now = event.time;
                self.events.pop();
                self.happen(event)?;
            } else {
                break;
            }
        }
        self.played.is_complete = flow.is_continue();
        self.played.seconds = if self.played.is_complete { self.end } else { now };
        self.played.waiting = self.service.len();
        Ok(self.played)
    }

    fn happen(&mut self, event: Event) -> Result<(), Error> {
        let Event { time, party, .. } = event;
        match event.kind {
            Kind::Arrive => {
                self.visits[party] += 1;
                self.waits[party] = true;
                let members = &self.population.parties()[party];
                let comes = |&i: &usize| Player {
                    // What the population says of rounds before is not of this service.
                    waited: 0,
                    last: None,
                    ..self.population.players()[i].clone()
                };
                let players: Vec<Player> = members.iter().map(comes).collect();
                self.service.arrive(time, &players)?;
                self.played.arrived += players.len();
                if let Some(mean) = self.simulation.patience {
                    let patience = mean * exponential(&mut self.of_visit(Purpose::Patience, party));
                    self.plan(time + patience, Kind::GiveUp(self.visits[party]), party);
                }
            }
            Kind::GiveUp(visit) => {
                if self.waits[party] && self.visits[party] == visit {
                    self.waits[party] = false;
                    let first = self.population.parties()[party][0];
                    let gone = self.service.leave(time, &self.population.players()[first].id)?;
                    self.played.given_up += gone.len();
                }
            }
        }
        Ok(())
    }

    /// What a round has come to, and who of its matches will be back.
    fn take(&mut self, held: &HeldRound) {
        let matches = held.lobby().map_or(&[][..], |lobby| &lobby.matches);
        self.played.rounds.push(PlayedRound {
            time: held.time(),
            players: held.round().len(),
            matches: matches.len(),
            work: held.lobby().map_or(0, |lobby| lobby.work),
        });
        for one in matches {
            let number = self.played.matches.len() as u64;
            let factor = 1.0 + SPREAD * (2.0 * self.chance(Purpose::Length, number).random::<f64>() - 1.0);
            let ends = held.time() + self.simulation.match_seconds * factor;
            self.played.matches.push(one.breakdown);
            for player in one.players() {
                self.played.waits.push(held.waited(player));
                let members = &held.round().parties()[held.round().party_of(player)];
                if members[0] == player {
                    self.goes(&held.round().players()[player].id, ends);
                }
            }
        }
    }

    /// The party of a player is in a match that ends then.
    fn goes(&mut self, id: &str, ends: f64) {
        let Some(&party) = self.party_of.get(id) else { return };
        self.waits[party] = false;
        if self.of_visit(Purpose::Again, party).random_bool(self.simulation.again) {
            self.plan(ends, Kind::Arrive, party);
        }
    }
}

/// Exponential with mean 1.
fn exponential(rng: &mut ChaCha8Rng) -> f64 {
    let uniform: f64 = rng.random();
    -(1.0 - uniform).ln()
}
