//! The scores of a match, word for word.

use super::error::Error;
use super::player::{Relation, Side};
use super::round::Round;
use super::rules::{Rules, SKILL_GRID, pairs};
use super::split::red_teams;

/// The seven scores of a match, each from 0 to 1, and what they come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Breakdown {
    /// Equally skilled teams.
    pub team_skill: f64,
    /// Equally skilled players.
    pub player_skill: f64,
    /// The same parties in both teams.
    pub premade: f64,
    /// Low ping between enemies.
    pub enemy_ping: f64,
    /// Other people than in the previous match.
    pub variation: f64,
    /// Players who could be the server.
    pub servers: f64,
    /// Mates who get along.
    pub company: f64,
    /// The weighted mean of the seven.
    pub total: f64,
}

impl Breakdown {
    /// The seven scores, in the order of [`Weights::all`](super::Weights::all).
    pub fn scores(&self) -> [f64; 7] {
        [
            self.team_skill,
            self.player_skill,
            self.premade,
            self.enemy_ping,
            self.variation,
            self.servers,
            self.company,
        ]
    }

    /// The means over these matches; `None` if there are none.
    pub fn mean(matches: &[Self]) -> Option<Self> {
        let mean = |score: fn(&Self) -> f64| matches.iter().map(score).sum::<f64>() / matches.len() as f64;
        (!matches.is_empty()).then(|| Self {
            team_skill: mean(|b| b.team_skill),
            player_skill: mean(|b| b.player_skill),
            premade: mean(|b| b.premade),
            enemy_ping: mean(|b| b.enemy_ping),
            variation: mean(|b| b.variation),
            servers: mean(|b| b.servers),
            company: mean(|b| b.company),
            total: mean(|b| b.total),
        })
    }
}

/// A match, split into its teams.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Match {
    /// Players of the team with the first player in it, ascending; of a running match those of its red team.
    pub red: Vec<usize>,
    /// Players of the other team, ascending.
    pub blue: Vec<usize>,
    /// What the match is worth.
    pub breakdown: Breakdown,
    /// The match that runs already and that this one goes on with, as a position in [`Round::running`]; `None` for a new one.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub running: Option<usize>,
}

impl Match {
    /// Everybody of the match, ascending.
    pub fn players(&self) -> Vec<usize> {
        let mut players = [&self.red[..], &self.blue[..]].concat();
        players.sort_unstable();
        players
    }

    /// Those who come new to a running match, ascending; nobody for a new match, to which everybody does. Of the round that
    /// the match is of.
    ///
    /// # Panics
    /// If somebody is not in the round.
    #[track_caller]
    pub fn newcomers(&self, round: &Round) -> Vec<usize> {
        match self.running {
            None => Vec::new(),
            Some(_) => {
                let mut players = self.players();
                players.retain(|&player| round.running_of(player).is_none());
                players
            }
        }
    }

    /// The mates of whom one dislikes the other ([`Round::with_disliked`]), in pairs, ascending. Of the round that the match is of.
    ///
    /// # Panics
    /// If somebody is not in the round.
    #[track_caller]
    pub fn disliked(&self, round: &Round) -> Vec<(usize, usize)> {
        let mates = [&self.red, &self.blue].into_iter().flat_map(|team| pairs(team));
        let mut disliked: Vec<(usize, usize)> = mates.filter(|&(i, j)| !round.get_along(i, j)).collect();
        disliked.sort_unstable();
        disliked
    }

    /// Who can be the server: those who can connect with all others of the match, ascending; empty where nobody can. Of the
    /// round that the match is of.
    ///
    /// # Panics
    /// If somebody is not in the round.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Judge, Player, Round, Rules, SymmetricMatrix};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let players = (0..4).map(|i| Player::new(format!("p{i}"), 9000.0)).collect();
    /// // The first and the last cannot reach each other.
    /// let reach = SymmetricMatrix::from_fn(4, |i, j| (i, j) != (3, 0));
    /// let round = Round::new(players, SymmetricMatrix::from_fn(4, |_, _| 50.0), reach)?;
    /// let rules = Rules::new(2);
    /// let one = Judge::new(&round, &rules)?.best(&[0, 1, 2, 3]).expect("a match");
    /// assert_eq!(one.hosts(&round), [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn hosts(&self, round: &Round) -> Vec<usize> {
        let players = self.players();
        hosts(round, &players).collect()
    }
}

/// Those of these players who can connect with all others of them.
pub(super) fn hosts<'a>(round: &'a Round, members: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
    let reaches_all = move |&i: &usize| members.iter().all(|&j| i == j || round.can_connect(i, j));
    members.iter().copied().filter(reaches_all)
}

/// Scores matches, slowly and in plain words; [`LobbyCost`](super::LobbyCost) gives the same totals fast.
#[derive(Clone, Copy, Debug)]
pub struct Judge<'a> {
    round: &'a Round,
    rules: &'a Rules,
}

impl<'a> Judge<'a> {
    /// A judge of this round's matches.
    ///
    /// # Errors
    /// [`Error::BadTeamSize`], [`Error::BadRule`], [`Error::PartyTooLarge`], [`Error::PartyAvoids`], [`Error::TooFewPlayers`].
    pub fn new(round: &'a Round, rules: &'a Rules) -> Result<Self, Error> {
        rules.check_for(round)?;
        Ok(Self { round, rules })
    }

    /// The scores of these two teams. They are judged as they are, even if they divide a party.
    ///
    /// # Panics
    /// If a team is not of the rules' size, or names somebody who is not in the round, or anybody twice.
    #[track_caller]
    pub fn breakdown(&self, red: &[usize], blue: &[usize]) -> Breakdown {
        let size = self.rules.team_size;
        assert!(red.len() == size && blue.len() == size, "teams of {size}");
        let everybody = [red, blue].concat();
        let scores = Breakdown {
            team_skill: self.team_skill(red, blue),
            player_skill: self.player_skill(&everybody),
            premade: self.premade(red, blue),
            enemy_ping: self.enemy_ping(red, blue),
            variation: self.variation(red, blue),
            servers: self.rules.servers[self.servers(&everybody).min(2)],
            company: self.company(red, blue),
            total: 0.0,
        };
        let shares = self.rules.weights.shares().all();
        let weighted = shares.iter().zip(scores.scores()).map(|(share, score)| share * score);
        let total = weighted.sum();
        Breakdown { total, ..scores }
    }

    /// The best legal split of these players; of equal ones, the first in the order of the red teams. `None` if there
    /// is none: a party would be divided between teams or matches, somebody avoids another or is beyond the ping limit of
    /// the rules, nobody can be the server and somebody must, or this is not a match of distinct players.
    ///
    /// With players of a running match it goes on with that one: all its players have to be among these, and each stays in the
    /// own team. Who avoids whom, and the ping limit, hold for those who come, and not between those who play already.
    ///
    /// # Panics
    /// If somebody is not in the round.
    ///
    /// # Complexity
    /// O(C(2k, k) k²) for teams of k.
    pub fn best(&self, members: &[usize]) -> Option<Match> {
        let mut members = members.to_vec();
        members.sort_unstable();
        let is_set = members.len() == self.rules.match_size() && members.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_set || (self.rules.server_rule == super::ServerRule::Required && self.servers(&members) == 0) {
            return None;
        }
        if pairs(&members).any(|(i, j)| !self.rules.may_meet(self.round, i, j)) {
            return None;
        }
        let number = members.iter().find_map(|&player| self.round.running_of(player));
        let running = number.map(|number| &self.round.running()[number]);
        let mut best: Option<Match> = None;
        for reds in red_teams(self.rules.team_size) {
            let side = |color: u32| {
                let is_there = |&at: &usize| reds >> at & 1 == color;
                (0..members.len())
                    .filter(is_there)
                    .map(|at| members[at])
                    .collect::<Vec<_>>()
            };
            let (red, blue) = (side(1), side(0));
            if !self.is_whole(&red) || !self.is_whole(&blue) {
                continue;
            }
            // That all who play are in their teams says that they are all there, too.
            let teams = match running {
                Some(running) => running.in_place(red, blue),
                None => Some([red, blue]),
            };
            let Some([red, blue]) = teams else { continue };
            let breakdown = self.breakdown(&red, &blue);
            if best.as_ref().is_none_or(|best| breakdown.total > best.breakdown.total) {
                best = Some(Match {
                    red,
                    blue,
                    breakdown,
                    running: number,
                });
            }
        }
        best
    }

    /// A running match as it is; `None` where a team has open places.
    pub(super) fn running(&self, number: usize) -> Option<Match> {
        let running = &self.round.running()[number];
        let [red, blue] = [Side::Red, Side::Blue].map(|side| running.team(side).to_vec());
        let is_full = running.open(self.rules.team_size) == [0, 0];
        is_full.then(|| Match {
            breakdown: self.breakdown(&red, &blue),
            red,
            blue,
            running: Some(number),
        })
    }

    /// How many of these players can connect with all others of them; [`Match::hosts`] says who.
    ///
    /// # Panics
    /// If somebody is not in the round.
    pub fn servers(&self, members: &[usize]) -> usize {
        hosts(self.round, members).count()
    }

    /// Whether all members of the team's parties are in the team.
    fn is_whole(&self, team: &[usize]) -> bool {
        let party = |&i: &usize| &self.round.parties()[self.round.party_of(i)];
        team.iter().flat_map(party).all(|member| team.contains(member))
    }

    /// The skill within its cap, from 0 to 1.
    fn skill(&self, player: usize) -> f64 {
        f64::from(self.rules.capped(self.round.players()[player].skill)) / f64::from(SKILL_GRID)
    }

    fn team_skill(&self, red: &[usize], blue: &[usize]) -> f64 {
        let mean = |team: &[usize]| team.iter().map(|&i| self.skill(i)).sum::<f64>() / team.len() as f64;
        self.rules.team_curve.score((mean(red) - mean(blue)).abs())
    }

    fn player_skill(&self, everybody: &[usize]) -> f64 {
        let differences = pairs(everybody).map(|(i, j)| (self.skill(i) - self.skill(j)).abs());
        // The sum is greatest where one half is at the cap and the other at 0.
        let greatest = (self.rules.team_size * self.rules.team_size) as f64;
        self.rules.player_curve.score(differences.sum::<f64>() / greatest)
    }

    fn premade(&self, red: &[usize], blue: &[usize]) -> f64 {
        let sizes = |team: &[usize]| {
            let mut parties: Vec<usize> = team.iter().map(|&i| self.round.party_of(i)).collect();
            parties.sort_unstable();
            let mut sizes: Vec<usize> = parties.chunk_by(|a, b| a == b).map(<[usize]>::len).collect();
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            sizes
        };
        self.rules
            .premade
            .score(self.rules.team_size, &sizes(red), &sizes(blue))
    }

    fn enemy_ping(&self, red: &[usize], blue: &[usize]) -> f64 {
        let enemies = red.iter().flat_map(|&i| blue.iter().map(move |&j| (i, j)));
        let sum: f64 = enemies
            .map(|(i, j)| self.rules.ping_score(self.round.ping_ms(i, j)))
            .sum();
        sum / (red.len() * blue.len()) as f64
    }

    fn variation(&self, red: &[usize], blue: &[usize]) -> f64 {
        mean_of_pairs(red, blue, |(i, j), now| {
            match self.round.players()[i].met(&self.round.players()[j]) {
                None => 1.0,
                Some(then) if then == now => self.rules.met_same,
                Some(_) => self.rules.met_changed,
            }
        })
    }

    fn company(&self, red: &[usize], blue: &[usize]) -> f64 {
        mean_of_pairs(red, blue, |(i, j), now| match now {
            _ if self.round.get_along(i, j) => 1.0,
            Relation::Mates => self.rules.disliked_mates,
            Relation::Enemies => self.rules.disliked_enemies,
        })
    }
}

/// The mean over every two of a match, by what they are to each other.
fn mean_of_pairs(red: &[usize], blue: &[usize], value: impl Fn((usize, usize), Relation) -> f64) -> f64 {
    let everybody = [red, blue].concat();
    let of = |(i, j): (usize, usize)| {
        let now = if red.contains(&i) == red.contains(&j) {
            Relation::Mates
        } else {
            Relation::Enemies
        };
        value((i, j), now)
    };
    let values: Vec<f64> = pairs(&everybody).map(of).collect();
    values.iter().sum::<f64>() / values.len() as f64
}
