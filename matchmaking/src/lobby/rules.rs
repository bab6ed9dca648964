//! What a good match is.

use super::curve::Curve;
use super::error::{Error, Limit, RuleProblem};
use super::objective::Objective;
use super::player::Side;
use super::premade::Premade;
use super::round::Round;

/// The most players a team can have: 6,435 ways to split a match.
pub const MAX_TEAM_SIZE: usize = 8;

/// Capped skills are rounded to `1 / SKILL_GRID` of the range from floor to cap, about 0.001 points by default, so that
/// sums and differences of them are exact.
pub(super) const SKILL_GRID: i32 = 1 << 24;

/// How much each score counts; only ratios matter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "json",
    serde(default, deny_unknown_fields, expecting = "an object of weights")
)]
pub struct Weights {
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
    /// Two players who could be the server; 0 for games with servers of their own.
    pub servers: f64,
    /// Mates who get along ([`Round::with_disliked`]).
    pub company: f64,
}

impl Default for Weights {
    /// 3, 2, 1, 3, 0.3, 1: the article gives the order only. And 0 for company, of which it knows nothing.
    fn default() -> Self {
        Self {
            team_skill: 3.0,
            player_skill: 2.0,
            premade: 1.0,
            enemy_ping: 3.0,
            variation: 0.3,
            servers: 1.0,
            company: 0.0,
        }
    }
}

impl Weights {
    /// All of them, in the order of [`Breakdown::scores`](super::Breakdown::scores).
    pub fn all(&self) -> [f64; 7] {
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

    /// The same weights with a sum of 1.
    pub(super) fn shares(&self) -> Self {
        let sum: f64 = self.all().iter().sum();
        Self {
            team_skill: self.team_skill / sum,
            player_skill: self.player_skill / sum,
            premade: self.premade / sum,
            enemy_ping: self.enemy_ping / sum,
            variation: self.variation / sum,
            servers: self.servers / sum,
            company: self.company / sum,
        }
    }
}

/// Whether a match may do without a player who can be the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ServerRule {
    /// It may, at a low score.
    Scored,
    /// It may not.
    Required,
}

/// Who plays first where not everybody can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Priority {
    /// Who waited for more rounds, then by chance; a party counts as its member who waited longest.
    LongestWait,
    /// By chance alone.
    Chance,
}

/// What a good match is: two teams, seven scores, and all numbers that the article leaves open.
///
/// Checked where they are used: [`LobbyCost::new`](super::LobbyCost::new), [`Judge::new`](super::Judge::new),
/// [`choose`](super::choose) and [`start`](super::start).
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    pub(super) team_size: usize,
    pub(super) weights: Weights,
    pub(super) skill_floor: f64,
    pub(super) skill_cap: f64,
    pub(super) team_curve: Curve,
    pub(super) player_curve: Curve,
    pub(super) premade: Premade,
    pub(super) ping_range: (f64, f64),
    pub(super) met_changed: f64,
    pub(super) met_same: f64,
    pub(super) disliked_mates: f64,
    pub(super) disliked_enemies: f64,
    pub(super) servers: [f64; 3],
    pub(super) server_rule: ServerRule,
    pub(super) ping_limit: Option<f64>,
    pub(super) ping_growth: f64,
    pub(super) priority: Priority,
    pub(super) objective: Objective,
}

impl Default for Rules {
    /// Three against three.
    fn default() -> Self {
        Self::new(3)
    }
}

impl Rules {
    /// The defaults for two teams of `team_size`, 1 to [`MAX_TEAM_SIZE`].
    pub fn new(team_size: usize) -> Self {
        Self {
            team_size,
            weights: Weights::default(),
            skill_floor: 0.0,
            skill_cap: 18_000.0,
            team_curve: Curve::Linear,
            player_curve: Curve::Linear,
            premade: Premade::for_team_size(team_size),
            ping_range: (40.0, 400.0),
            met_changed: 0.4,
            met_same: 0.0,
            disliked_mates: 0.0,
            disliked_enemies: 1.0,
            servers: [0.0, 0.5, 1.0],
            server_rule: ServerRule::Scored,
            ping_limit: None,
            ping_growth: 0.0,
            priority: Priority::LongestWait,
            objective: Objective::Mean,
        }
    }

    /// The same rules for teams of another size. What premades score stays, unless it is as [`Rules::new`] has it for the size
    /// before: then it is as for the new one.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::Rules;
    ///
    /// assert_eq!(Rules::new(3).for_team_size(5), Rules::new(5));
    /// ```
    #[must_use]
    pub fn for_team_size(mut self, team_size: usize) -> Self {
        if self.premade == Premade::for_team_size(self.team_size) {
            self.premade = Premade::for_team_size(team_size);
        }
        self.team_size = team_size;
        self
    }

    /// How much each score counts; [`Weights::default`] unless set.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Skills below this count as this; 0 points unless set. The article caps skills above only.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Judge, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let round = Round::read_csv("id,skill,region\nAnn,1200,SA\nBen,400,SA\n".as_bytes())?;
    /// let rules = Rules::new(1).skill_floor(1000.0).skill_cap(2000.0);
    /// let scores = Judge::new(&round, &rules)?.breakdown(&[0], &[1]);
    /// assert!((scores.team_skill - 0.8).abs() < 1e-6); // 1200 and 1000, of a range of 1000
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn skill_floor(mut self, points: f64) -> Self {
        self.skill_floor = points;
        self
    }

    /// Skills are kept within the [floor](Self::skill_floor) and this cap; 18,000 points unless set.
    #[must_use]
    pub fn skill_cap(mut self, points: f64) -> Self {
        self.skill_cap = points;
        self
    }

    /// From the difference between the teams' mean skills, in units of the range from floor to cap, to a score; linear
    /// unless set.
    #[must_use]
    pub fn team_curve(mut self, curve: Curve) -> Self {
        self.team_curve = curve;
        self
    }

    /// From the mean difference between players' skills, in the greatest one possible, to a score; linear unless set.
    #[must_use]
    pub fn player_curve(mut self, curve: Curve) -> Self {
        self.player_curve = curve;
        self
    }

    /// The score of two teams by their parties; `Levels([1, 0.6, 0])` for teams of up to 3 and [`Premade::Squares`] for
    /// larger ones unless set.
    #[must_use]
    pub fn premade(mut self, rule: Premade) -> Self {
        self.premade = rule;
        self
    }

    /// Pings up to the first score 1, from the second on 0, and equal ratios between them count equally; 40 and 400 ms
    /// unless set.
    #[must_use]
    pub fn ping_range(mut self, best_ms: f64, worst_ms: f64) -> Self {
        self.ping_range = (best_ms, worst_ms);
        self
    }

    /// The scores of two players who met in the previous match: now on the other side of each other (mates then,
    /// enemies now, or the reverse), and in the same relation again; 0.4 and 0 unless set. Others score 1.
    #[must_use]
    pub fn met(mut self, changed: f64, same: f64) -> Self {
        (self.met_changed, self.met_same) = (changed, same);
        self
    }

    /// The scores of two players of whom one dislikes the other ([`Round::with_disliked`]): as mates, and as enemies; 0 and 1
    /// unless set. Others score 1.
    #[must_use]
    pub fn disliked(mut self, as_mates: f64, as_enemies: f64) -> Self {
        (self.disliked_mates, self.disliked_enemies) = (as_mates, as_enemies);
        self
    }

    /// The scores of a match by how many of its players can connect with all others: none, one, or more; 0, 0.5 and 1
    /// unless set.
    #[must_use]
    pub fn servers(mut self, scores: [f64; 3]) -> Self {
        self.servers = scores;
        self
    }

    /// Whether a match needs a player who can connect with all others; scored only, unless set.
    #[must_use]
    pub fn server_rule(mut self, rule: ServerRule) -> Self {
        self.server_rule = rule;
        self
    }

    /// No two players of a match, mates or enemies, may have a ping above this; none unless set. It may grow with waiting
    /// ([`Self::ping_growth`]). Whom players avoid
    /// ([`Round::with_avoided`]) is the other limit of what may be put together. A party of which two are farther apart can
    /// be in no match, and waits. The limit is rounded as pings are, to 32 bits.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Fill, LobbySearch, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3).ping_limit(150.0));
    /// let lobby = LobbySearch::new(&round, &rules).fill(Fill::Possible).run()?;
    /// let players = lobby.matches[0].players();
    /// assert!(players.iter().all(|&i| players.iter().all(|&j| i == j || round.ping_ms(i, j) <= 150.0)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn ping_limit(mut self, ms: f64) -> Self {
        self.ping_limit = Some(ms);
        self
    }

    /// The ping limit rises by so many milliseconds for each round that the one of two players has waited who has waited
    /// longer; 0 unless set, and without a limit of no effect. So whoever is far from everybody waits, but not for ever:
    /// others accept a worse ping beside him, and none beside each other.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = "id,skill,region,waited\nann,1000,EU-W,0\nben,1000,EU-W,0\ncho,1000,Asia,3\n";
    /// let round = Round::read_csv(text.as_bytes())?;
    /// let rules = Rules::new(1).ping_limit(80.0).ping_growth(50.0);
    /// assert_eq!(rules.ping_limit_between(&round, 0, 1), Some(80.0));
    /// assert_eq!(rules.ping_limit_between(&round, 0, 2), Some(230.0));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn ping_growth(mut self, ms: f64) -> Self {
        self.ping_growth = ms;
        self
    }

    /// Who plays first; who waited longest, unless set.
    #[must_use]
    pub fn priority(mut self, priority: Priority) -> Self {
        self.priority = priority;
        self
    }

    /// What of the match scores is to be large; their mean unless set.
    #[must_use]
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// How much each score counts.
    pub fn chosen_weights(&self) -> Weights {
        self.weights
    }

    /// The floor and the cap of skills, points.
    pub fn skill_range(&self) -> (f64, f64) {
        (self.skill_floor, self.skill_cap)
    }

    /// The ping limit of players who have not waited, and by how much it grows with each round, milliseconds; `None` without a limit.
    pub fn chosen_ping_limit(&self) -> Option<(f64, f64)> {
        self.ping_limit.map(|limit| (limit, self.ping_growth))
    }

    /// Players in a team.
    pub fn team_size(&self) -> usize {
        self.team_size
    }

    /// Players in a match.
    pub fn match_size(&self) -> usize {
        2 * self.team_size
    }

    /// How the scores of matches are put together.
    pub fn chosen_objective(&self) -> Objective {
        self.objective
    }

    /// The skill within floor and cap, in units of their difference by `SKILL_GRID`.
    pub(super) fn capped(&self, skill: f64) -> i32 {
        let kept = skill.clamp(self.skill_floor, self.skill_cap);
        let share = ((kept - self.skill_floor) / (self.skill_cap - self.skill_floor)).clamp(0.0, 1.0);
        (share * f64::from(SKILL_GRID)).round() as i32
    }

    /// Whether anything limits who may be put together, beside parties and servers.
    pub(super) fn has_limits(&self, round: &Round) -> bool {
        self.ping_limit.is_some() || round.has_avoided()
    }

    /// Everything that limits who may be in one match, beside parties.
    pub(super) fn limits(&self, round: &Round) -> Vec<Limit> {
        let everybody_connects = || (0..round.len()).all(|i| (0..i).all(|j| round.can_connect(i, j)));
        let is_server_asked = self.server_rule == ServerRule::Required && !everybody_connects();
        [
            (Limit::Ping, self.ping_limit.is_some()),
            (Limit::Avoid, round.has_avoided()),
            (Limit::Server, is_server_asked),
        ]
        .into_iter()
        .filter_map(|(limit, is_there)| is_there.then_some(limit))
        .collect()
    }

    /// Whether two different players may be in one match: those who play together already, and of others those within the
    /// limits of whom one waits at least.
    pub(super) fn may_meet(&self, round: &Round, i: usize, j: usize) -> bool {
        if !round.running().is_empty() && round.running_of(i).is_some() && round.running_of(j).is_some() {
            return round.play_together(i, j);
        }
        !self.is_too_far(round, i, j) && round.may_meet(i, j)
    }

    /// The greatest ping that two players of a match may have, if there is one: the limit, and what it has grown by as one
    /// of the two has waited. Rounded as pings are, so that a ping that is written like the limit is within it.
    ///
    /// # Panics
    /// If `i` or `j` is not a player of the round.
    #[track_caller]
    pub fn ping_limit_between(&self, round: &Round, i: usize, j: usize) -> Option<f32> {
        self.limit_ms(round, i, j).map(|limit| limit as f32)
    }

    #[track_caller]
    fn limit_ms(&self, round: &Round, i: usize, j: usize) -> Option<f64> {
        let [one, other] = [i, j].map(|i| round.players()[i].waited);
        self.ping_limit
            .map(|limit| limit + self.ping_growth * f64::from(one.max(other)))
    }

    /// Whether the ping of two different players is above their limit.
    pub(super) fn is_too_far(&self, round: &Round, i: usize, j: usize) -> bool {
        (self.ping_limit_between(round, i, j)).is_some_and(|limit| round.ping_ms(i, j) > limit)
    }

    /// The first two members of a party that waits whose ping is above the limit.
    pub(super) fn too_far_in(&self, round: &Round, party: usize) -> Option<(usize, usize)> {
        if !round.waits(party) {
            return None;
        }
        pairs(&round.parties()[party]).find(|&(i, j)| self.is_too_far(round, i, j))
    }

    /// The score of a ping.
    pub(super) fn ping_score(&self, ms: f32) -> f64 {
        let (low, high) = self.ping_range;
        Curve::Log { low, high }.score(f64::from(ms))
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// [`Error::BadTeamSize`], [`Error::BadRule`].
    pub fn check(&self) -> Result<(), Error> {
        if !(1..=MAX_TEAM_SIZE).contains(&self.team_size) {
            let (found, limit) = (self.team_size, MAX_TEAM_SIZE);
            return Err(Error::BadTeamSize { found, limit });
        }
        let require = |is_met: bool, rule, problem| {
            if is_met {
                Ok(())
            } else {
                Err(Error::BadRule { rule, problem })
            }
        };
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        let is_score = |score: &f64| (0.0..=1.0).contains(score);
        let weights = self.weights.all();
        let sum: f64 = weights.iter().sum();
        require(weights.iter().all(is_weight), "weights", RuleProblem::Negative)?;
        require(sum.is_finite(), "weights", RuleProblem::TooLarge)?;
        // A sum below the least normal number would make shares of it meaningless.
        require(sum > 0.0, "weights", RuleProblem::AllZero)?;
        require(!sum.is_subnormal(), "weights", RuleProblem::TooSmall)?;
        require(
            self.skill_cap > 0.0 && self.skill_cap.is_finite(),
            "skill_cap",
            RuleProblem::NotPositive,
        )?;
        require(!self.skill_cap.is_subnormal(), "skill_cap", RuleProblem::TooSmall)?;
        let range = self.skill_cap - self.skill_floor;
        require(
            self.skill_floor.is_finite() && range > 0.0,
            "skill_floor",
            RuleProblem::NotBelowCap,
        )?;
        require(range.is_finite(), "skill_floor", RuleProblem::TooFarBelow)?;
        require(!range.is_subnormal(), "skill_floor", RuleProblem::NotBelowCap)?;
        let (low, high) = self.ping_range;
        require(
            low > 0.0 && low < high && high.is_finite(),
            "ping_range",
            RuleProblem::NotAscending,
        )?;
        require(
            self.ping_limit.is_none_or(|limit| limit > 0.0 && limit.is_finite()),
            "ping_limit",
            RuleProblem::NotPositive,
        )?;
        let grows = self.ping_growth.is_finite() && self.ping_growth >= 0.0;
        require(grows, "ping_growth", RuleProblem::Negative)?;
        require(
            [self.met_changed, self.met_same].iter().all(is_score),
            "met",
            RuleProblem::NotAScore,
        )?;
        require(
            [self.disliked_mates, self.disliked_enemies].iter().all(is_score),
            "disliked",
            RuleProblem::NotAScore,
        )?;
        require(self.servers.iter().all(is_score), "servers", RuleProblem::NotAScore)?;
        self.team_curve.check("team_curve")?;
        self.player_curve.check("player_curve")?;
        self.premade.check(self.team_size)?;
        self.objective.check()
    }

    /// Checks the settings, and that a match can be made of this round at all, or runs already.
    pub(super) fn check_for(&self, round: &Round) -> Result<(), Error> {
        self.check()?;
        self.check_running(round)?;
        if let Some(party) = (0..round.parties().len()).find(|&party| round.parties()[party].len() > self.team_size) {
            let members = round.parties()[party].iter();
            return Err(Error::PartyTooLarge {
                party: round.party_label(party).to_owned(),
                members: members.map(|&i| round.players()[i].id.clone()).collect(),
                team_size: self.team_size,
            });
        }
        self.check_avoided(round)?;
        let (players, needed) = (round.len(), self.match_size());
        if players < needed && round.running().is_empty() {
            return Err(Error::TooFewPlayers { players, needed });
        }
        Ok(())
    }

    /// Whether the teams of running matches are none too large.
    fn check_running(&self, round: &Round) -> Result<(), Error> {
        for one in round.running() {
            for team in [Side::Red, Side::Blue] {
                let players = one.team(team);
                if let Some(&player) = players.get(self.team_size) {
                    return Err(Error::TeamTooLarge {
                        match_id: one.id().to_owned(),
                        team,
                        players: players.len(),
                        team_size: self.team_size,
                        place: round.place(player),
                        id: round.players()[player].id.clone(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether nobody avoids a member of the own party, of those that wait.
    fn check_avoided(&self, round: &Round) -> Result<(), Error> {
        if !round.has_avoided() {
            return Ok(());
        }
        for (party, members) in round.parties().iter().enumerate() {
            let torn = pairs(members).find(|&(i, j)| !round.may_meet(i, j));
            if let Some((i, j)) = torn.filter(|_| round.waits(party)) {
                return Err(Error::PartyAvoids {
                    party: round.party_label(party).to_owned(),
                    players: [i, j].map(|i| round.players()[i].id.clone()),
                });
            }
        }
        Ok(())
    }

    /// Whether every party can be in a match, as far as the pings of its members go; `possible` is the number of matches
    /// that the error tells of.
    pub(super) fn check_distances(&self, round: &Round, possible: usize) -> Result<(), Error> {
        let far = |party| Some((party, self.too_far_in(round, party)?));
        match (0..round.parties().len()).find_map(far) {
            None => Ok(()),
            Some((party, (i, j))) => Err(Error::PartyTooFar {
                party: round.party_label(party).to_owned(),
                players: [i, j].map(|i| round.players()[i].id.clone()),
                ping_ms: round.ping_ms(i, j),
                limit_ms: self.limit_ms(round, i, j).unwrap_or(f64::INFINITY),
                possible,
            }),
        }
    }
}

/// Every two of these.
pub(super) fn pairs(members: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let later = move |at: usize| members[at + 1..].iter().map(move |&j| (members[at], j));
    (0..members.len()).flat_map(later)
}
