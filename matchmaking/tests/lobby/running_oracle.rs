//! Few players, some of whom play already: every way to fill the open places and to make new matches, by force.
//!
//! Nothing is asked of a search, of packing or of the fast score: parties are put into teams one by one, limits are looked
//! at pair by pair, and teams are scored by the definition.

use matchmaking::lobby::{
    Error, Fill, Judge, Lobby, LobbySearch, Objective, Round, Rules, ServerRule, Side, Why, choose,
};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{beside_running, sizes};

/// What may be asked of matches, in plain words.
#[derive(Clone, Copy, Debug)]
struct Asked {
    team_size: usize,
    ping: Option<(f32, f32)>,
    server: bool,
    objective: Objective,
}

impl Asked {
    fn rules(self) -> Rules {
        let rules = Rules::new(self.team_size).objective(self.objective);
        let rules = match self.ping {
            Some((limit, growth)) => rules.ping_limit(limit.into()).ping_growth(growth.into()),
            None => rules,
        };
        rules.server_rule(if self.server {
            ServerRule::Required
        } else {
            ServerRule::Scored
        })
    }

    fn is_limited(self, round: &Round) -> bool {
        self.ping.is_some() || self.server || round.has_avoided()
    }

    /// Whether two players may be in one match, of whom one waits at least.
    fn may_meet(self, round: &Round, i: usize, j: usize) -> bool {
        let waited = round.players()[i].waited.max(round.players()[j].waited);
        let is_near = |(limit, growth): (f32, f32)| round.ping_ms(i, j) <= limit + growth * waited as f32;
        self.ping.is_none_or(is_near) && round.avoided_pairs().all(|pair| pair != (i.min(j), i.max(j)))
    }

    /// Whether these teams may play, of whom some do already.
    fn allows(self, round: &Round, teams: &[Vec<usize>; 2]) -> bool {
        let all = teams.concat();
        let is_new = |i: usize| round.players()[i].playing.is_none();
        let pairs = all.iter().flat_map(|&i| all.iter().map(move |&j| (i, j)));
        let mut asked = pairs.filter(|&(i, j)| i < j && (is_new(i) || is_new(j)));
        let hosts = |&&i: &&usize| all.iter().all(|&j| i == j || round.can_connect(i, j));
        asked.all(|(i, j)| self.may_meet(round, i, j)) && (!self.server || all.iter().find(hosts).is_some())
    }
}

/// Puts parties into teams in all ways.
struct Force<'a> {
    round: &'a Round,
    asked: Asked,
    /// Members of the parties that may play.
    parties: Vec<Vec<usize>>,
    /// Which of them have to.
    must: Vec<bool>,
    /// Two teams for each match, with those who play already.
    teams: Vec<[Vec<usize>; 2]>,
    /// Matches from this one on are new, and alike.
    running: usize,
    best: Option<f64>,
    /// Whether any way will do.
    is_enough: bool,
}

impl Force<'_> {
    fn put(&mut self, at: usize) {
        if self.is_enough && self.best.is_some() {
            return;
        }
        let size = self.asked.team_size;
        let open: usize = self.teams.iter().flatten().map(|team| size - team.len()).sum();
        let left: usize = self.parties[at..].iter().map(Vec::len).sum();
        if left < open {
            return;
        }
        if at == self.parties.len() {
            self.judge();
            return;
        }
        let party = self.parties[at].clone();
        // Of new matches without anybody, the first red team stands for all.
        let mut is_first = true;
        for number in 0..self.teams.len() {
            let is_empty = number >= self.running && self.teams[number].iter().all(Vec::is_empty);
            if is_empty && !std::mem::replace(&mut is_first, false) {
                break;
            }
            for side in 0..if is_empty { 1 } else { 2 } {
                let team = &mut self.teams[number][side];
                if team.len() + party.len() <= size {
                    team.extend(&party);
                    self.put(at + 1);
                    let team = &mut self.teams[number][side];
                    team.truncate(team.len() - party.len());
                }
            }
        }
        if !self.must[at] {
            self.put(at + 1);
        }
    }

    fn judge(&mut self) {
        if !self.teams.iter().all(|teams| self.asked.allows(self.round, teams)) {
            return;
        }
        let rules = self.asked.rules();
        let judge = Judge::new(self.round, &rules).expect("rules that make sense");
        let cost = |[red, blue]: &[Vec<usize>; 2]| self.asked.objective.cost(judge.breakdown(red, blue).total);
        let cost = self.teams.iter().map(cost).sum();
        if self.best.is_none_or(|best| cost < best) {
            self.best = Some(cost);
        }
    }
}

/// What a round has.
struct Oracle<'a> {
    round: &'a Round,
    asked: Asked,
    /// Parties that wait, as positions.
    waiting: Vec<usize>,
}

impl<'a> Oracle<'a> {
    fn new(round: &'a Round, asked: Asked) -> Self {
        let waits = |&party: &usize| round.players()[round.parties()[party][0]].playing.is_none();
        Self {
            round,
            asked,
            waiting: (0..round.parties().len()).filter(waits).collect(),
        }
    }

    /// The least cost of these running matches, filled, and so many new ones, of these parties, of whom some have to play.
    fn best(
        &self,
        (filled, new): (&[usize], usize),
        parties: &[usize],
        must: &[usize],
        is_enough: bool,
    ) -> Option<f64> {
        let of = |number: usize| [Side::Red, Side::Blue].map(|side| self.round.running()[number].team(side).to_vec());
        let mut teams: Vec<[Vec<usize>; 2]> = filled.iter().map(|&number| of(number)).collect();
        teams.resize(filled.len() + new, [Vec::new(), Vec::new()]);
        let mut force = Force {
            round: self.round,
            asked: self.asked,
            parties: parties
                .iter()
                .map(|&party| self.round.parties()[party].clone())
                .collect(),
            must: parties.iter().map(|party| must.contains(party)).collect(),
            teams,
            running: filled.len(),
            best: None,
            is_enough,
        };
        force.put(0);
        force.best
    }

    fn is_possible(&self, filled: &[usize], new: usize) -> bool {
        self.best((filled, new), &self.waiting, &[], true).is_some()
    }

    fn open(&self, number: usize) -> usize {
        let team = |side| self.asked.team_size - self.round.running()[number].team(side).len();
        team(Side::Red) + team(Side::Blue)
    }

    /// The running matches that can be filled, each beside those before it.
    fn filled(&self) -> Vec<usize> {
        let mut filled = Vec::new();
        for number in (0..self.round.running().len()).filter(|&number| self.open(number) > 0) {
            filled.push(number);
            if !self.is_possible(&filled, 0) {
                filled.pop();
            }
        }
        filled
    }

    /// The running matches of an answer that some who wait fill; what is said of the others to be beyond limits or sizes is so
    /// beside those before them.
    fn check_short(&self, lobby: &Lobby) -> Vec<usize> {
        let runs = lobby.matches.iter().filter_map(|one| one.running);
        let filled: Vec<usize> = runs.filter(|&running| self.open(running) > 0).collect();
        for short in &lobby.short {
            let before = filled.iter().copied().filter(|&other| other < short.running);
            let with_it: Vec<usize> = before.chain([short.running]).collect();
            let is_possible = self.is_possible(&with_it, 0);
            assert!(
                !is_possible || short.why == Why::NotFound,
                "{short:?} beside {filled:?}"
            );
        }
        filled
    }

    /// How many new matches there are for those who are left, where as many as that have to be, or fewer will do.
    fn new_matches(&self, filled: &[usize], fill: Fill) -> Option<usize> {
        let players: usize = self
            .waiting
            .iter()
            .map(|&party| self.round.parties()[party].len())
            .sum();
        let open: usize = filled.iter().map(|&number| self.open(number)).sum();
        let wanted = (players - open) / (2 * self.asked.team_size);
        match fill {
            Fill::Every => self.is_possible(filled, wanted).then_some(wanted),
            _ => (0..=wanted).rev().find(|&new| self.is_possible(filled, new)),
        }
    }
}

/// The sum that a search minimises, without the matches that were full before.
fn cost_of(lobby: &Lobby, round: &Round, asked: Asked) -> f64 {
    let is_searched = |one: &&matchmaking::lobby::Match| one.running.is_none() || !one.newcomers(round).is_empty();
    let searched = lobby.matches.iter().filter(is_searched);
    searched.map(|one| asked.objective.cost(one.breakdown.total)).sum()
}

/// A round of some running matches and others who wait, with limits or without.
fn case(rng: &mut ChaCha8Rng) -> (Round, Asked) {
    let team_size = rng.random_range(1..=3);
    let running = rng.random_range(1..=2);
    let teams: Vec<[usize; 2]> = (0..running)
        .map(|_| {
            let mut team = || rng.random_range(team_size / 2..=team_size);
            let teams = [team(), team()];
            if teams == [0, 0] { [1, 0] } else { teams }
        })
        .collect();
    let waiting = rng.random_range(0..=if team_size == 1 { 6 } else { 8 });
    let sizes = sizes(waiting, team_size, rng);
    let round = beside_running(&teams, &sizes, rng);
    let asked = Asked {
        team_size,
        ping: rng.random_bool(0.4).then(|| {
            (
                rng.random_range(200.0..480.0_f32).round(),
                *[0.0, 20.0].choose(rng).expect("two"),
            )
        }),
        server: rng.random_bool(0.3),
        objective: match rng.random_range(0..4) {
            0 => Objective::MinThenMean { sharpness: 64.0 },
            1 => Objective::Sqrt,
            _ => Objective::Mean,
        },
    };
    if rng.random_bool(0.5) {
        return (round, asked);
    }
    let n = round.len();
    let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
    let is_apart = |&(i, j): &(usize, usize)| {
        // Those who play together may well avoid each other.
        (round.party_of(i) != round.party_of(j) || round.players()[i].playing.is_some()) && rng.random_bool(0.12)
    };
    let avoided: Vec<(usize, usize)> = pairs.filter(is_apart).collect();
    (round.clone().with_avoided(avoided).expect("pairs of two"), asked)
}

/// The search's answer is the best of all, running matches are filled as far as they can be, and nothing is said to be
/// impossible that is not.
fn searches_find_the_best_of_all(rounds: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let [mut at_once_ones, mut possible_ones] = [0; 2];
    let [
        mut filled_ones,
        mut short_ones,
        mut new_ones,
        mut without,
        mut limited,
        mut kept,
        mut again,
    ] = [0; 7];
    for number in 0..rounds {
        let (round, asked) = case(&mut rng);
        let (rules, oracle) = (asked.rules(), Oracle::new(&round, asked));
        let fill = if rng.random() { Fill::Every } else { Fill::Possible };
        let filled = oracle.filled();
        let found = LobbySearch::new(&round, &rules).fill(fill).seed(number).run();
        let Some(new) = oracle.new_matches(&filled, fill) else {
            assert!(
                matches!(
                    found,
                    Err(Error::CannotPack { .. }
                        | Error::OutOfReach { .. }
                        | Error::PartyTooFar { .. }
                        | Error::NoneWithinLimits { .. })
                ),
                "round {number}: {found:?}"
            );
            without += 1;
            continue;
        };
        let lobby = found.unwrap_or_else(|error| panic!("round {number}, {asked:?}: {error}"));
        assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
        assert_eq!(oracle.check_short(&lobby), filled, "round {number}, {asked:?}");
        // Without a search the first that can be filled is, and what is said of others holds.
        let at_once = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .seed(number)
            .work(0);
        if let (Ok(lobby), true) = (at_once.run(), asked.is_limited(&round)) {
            assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
            let now = oracle.check_short(&lobby);
            assert_eq!(now.first(), filled.first(), "round {number}, {asked:?}");
            at_once_ones += now.len();
            possible_ones += filled.len();
        }
        let found_new = lobby.matches.iter().filter(|one| one.running.is_none()).count();
        assert_eq!(found_new, new, "round {number}, {asked:?}");
        for short in &lobby.short {
            // Sizes that do not go are said to be that, and limits are not blamed for them.
            let free = Asked {
                ping: None,
                server: false,
                ..asked
            };
            let is_free = short.why == Why::Limits && asked.is_limited(&round);
            assert!(
                is_free || short.why != Why::Limits,
                "round {number}: {short:?} {free:?}"
            );
            assert_ne!(short.why, Why::NotFound, "round {number}: all can be tried");
        }

        // Who was chosen by priority plays if there are matches of those; else the best of anybody count.
        let playing = (lobby.matches.iter())
            .flat_map(|one| one.players())
            .collect::<Vec<usize>>();
        let plays = |&party: &usize| playing.contains(&round.parties()[party][0]);
        let who: Vec<usize> = oracle.waiting.iter().copied().filter(plays).collect();
        let selection = choose(&round, &rules, fill, number).expect("there are matches");
        let is_chosen = |&party: &usize| selection.playing().contains(&round.parties()[party][0]);
        let first: Vec<usize> = oracle.waiting.iter().copied().filter(is_chosen).collect();
        let goal = (&filled[..], new);
        let expected = if selection.filled() == filled {
            let of_first = oracle.best(goal, &first, &first, false);
            of_first.or_else(|| oracle.best(goal, &oracle.waiting, &[], false))
        } else {
            // Somebody else was chosen once a search had found out that one of these stays as it is.
            again += 1;
            oracle.best(goal, &who, &who, false)
        };
        let (cost, expected) = (cost_of(&lobby, &round, asked), expected.expect("there are matches"));
        let tolerance = 1e-6
            * (1.0 + expected.abs())
            * if matches!(asked.objective, Objective::MinThenMean { .. }) {
                64.0
            } else {
                2.0
            };
        assert!(
            (cost - expected).abs() < tolerance,
            "round {number}, {asked:?}: {cost} {expected}"
        );
        filled_ones += filled.len();
        short_ones += lobby.short.len();
        new_ones += new;
        limited += usize::from(asked.is_limited(&round));
        kept += (0..round.running().len())
            .filter(|&running| oracle.open(running) == 0)
            .count();
    }
    // Hardly any needs a search.
    assert!(possible_ones > rounds as usize / 8, "{possible_ones} of {rounds}");
    assert!(
        20 * at_once_ones >= 19 * possible_ones,
        "{at_once_ones} of {possible_ones}"
    );
    let least = rounds as usize / 8;
    let seen = [filled_ones, short_ones, new_ones, limited];
    assert!((1..rounds as usize / 4).contains(&again), "{again} of {rounds}");
    assert!(seen.iter().all(|&count| count > least), "{seen:?} of {rounds}");
    assert!(
        without > rounds as usize / 50 && kept > rounds as usize / 20,
        "{without} {kept} of {rounds}"
    );
}

#[test]
fn open_places_are_filled_as_force_says() {
    searches_find_the_best_of_all(250, 71);
}

#[test]
#[ignore = "minutes: five thousand rounds"]
fn open_places_of_five_thousand_rounds_are_filled_as_force_says() {
    searches_find_the_best_of_all(5_000, 72);
}

/// Without limits, whoever has waited longer plays first, and nobody who plays already stands before him.
#[test]
fn who_waited_longest_fills_the_places() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut waits = 0;
    for number in 0..150 {
        let (round, asked) = case(&mut rng);
        // Each party has waited for another number of rounds.
        let mut players = round.players().to_vec();
        let mut order: Vec<usize> = Oracle::new(&round, asked).waiting;
        rand::seq::SliceRandom::shuffle(&mut order[..], &mut rng);
        for (at, &party) in order.iter().enumerate() {
            let longest = round.parties()[party][0];
            round.parties()[party].iter().for_each(|&i| players[i].waited = 0);
            players[longest].waited = (order.len() - at) as u32;
        }
        let n = round.len();
        let pings = matchmaking::lobby::SymmetricMatrix::from_fn(n, |i, j| round.ping_ms(i, j));
        let reach = matchmaking::lobby::SymmetricMatrix::from_fn(n, |_, _| true);
        let round = Round::new(players, pings, reach).expect("a round");
        let asked = Asked {
            ping: None,
            server: false,
            ..asked
        };
        let (rules, oracle) = (asked.rules(), Oracle::new(&round, asked));
        let filled = oracle.filled();
        let new = oracle.new_matches(&filled, Fill::Possible).expect("none will do");
        let mut must: Vec<usize> = Vec::new();
        for &party in &order {
            must.push(party);
            if oracle.best((&filled, new), &oracle.waiting, &must, true).is_none() {
                must.pop();
            }
        }
        let selection = choose(&round, &rules, Fill::Possible, number).expect("a selection");
        let mut expected: Vec<usize> = must.iter().flat_map(|&party| round.parties()[party].clone()).collect();
        for &running in &filled {
            expected.extend(round.running()[running].players());
        }
        expected.sort_unstable();
        assert_eq!(selection.playing(), expected, "round {number}");
        assert_eq!(selection.filled(), filled, "round {number}");
        let lobby = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .seed(number)
            .run()
            .expect("matches");
        assert_eq!(lobby.waiting, selection.waiting(), "round {number}");
        waits += usize::from(!lobby.waiting.is_empty() && !filled.is_empty());
    }
    assert!(waits > 30, "{waits}");
}
