//! The expected number of players that a game of two teams loses, as a cost of the group that plays it.
//!
//! # Bounds
//! Of a group whose outcome probabilities nobody knows yet: with risks `w, d, l` after a win, a draw and a loss, the chance
//! of a draw `s`, and the sums over the players `i` of a group of `2k`, a game in which team `A` is sure to win, if it is
//! not drawn, costs
//!
//! ```text
//! s Σ d_i + (1 - s) (Σ l_i + Σ over A of (w_i - l_i))
//! ```
//!
//! and every other game lies between the two in which either team is. Exactly `k` players are in `A`, so for every `μ`
//!
//! ```text
//! Σ over A of (w_i - l_i)  >=  Σ over all of min(w_i - l_i - μ, 0)  +  k μ
//! ```
//!
//! which is a number for each player, and one for the group. Those of players who are not known yet are the least there
//! are. Several `μ` are tried, and where `s` depends on ratings both ends of its range, as the bound is linear in it.

use matching_core::{GroupBound, GroupCost};

use super::churn::ChurnModel;
use super::cost::{EngagementCost, expected, on_grid};
use super::outcome::{OutcomeModel, OutcomeProbabilities};
use crate::error::Error;
use crate::lobby::MAX_TEAM_SIZE;
use crate::lobby::split::red_teams;
use crate::player::Outcome;
use crate::pool::Pool;

/// The most players of a game.
const MOST: usize = 2 * MAX_TEAM_SIZE;

/// A split that costs so much less at least than another one does so whatever rounding does to their sums.
const ROUNDING: f64 = 1e-9;

/// Shares of the players below the multipliers of bounds.
const QUANTILES: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Nobody's party.
const ALONE: u32 = u32::MAX;

/// What a game of two teams of `k` costs: the expected number of its `2k` players who stop, split as well as can be, in
/// units of 10⁻⁶ players.
///
/// As the EOMM paper says of teams in its section 6: a team is as skilled as its members are together (their ratings are
/// added up, and so are the squares of their deviations), and given the outcome of the game the risk of each member is
/// their own. With the chances of an [`OutcomeModel`] for the two teams,
///
/// `sum over the results o of P(o) (churn of the first team's members after o + churn of the others after the mirror of
/// o)`,
///
/// the least over all ways to split the group into two teams of `k`. With `k` = 1 it is [`EngagementCost`]. The pairs
/// become groups: a search of `matching-heuristics` finds good ones, and `matching-lp` proves which are the best of a few
/// players, as bounds of groups that are not complete are known here ([`GroupCost::group_bound`]). Players who avoid each
/// other are in no group together.
///
/// Ratings are added up and not averaged, so a team whose members are each 100 points ahead is ahead by `100 k`: the same
/// chances as of a player who is ahead by as much. That is the paper's.
///
/// # Examples
/// ```
/// use matching_heuristics::{Engine, Groups, Instance, Search};
/// use matchmaking::{Horizon, OutcomeModel, Pool, SyntheticChurn, TeamEngagement};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let pool = Pool::synthetic(60, 1);
/// let churn = SyntheticChurn::new(Horizon::EightHours, 0);
/// let cost = TeamEngagement::new(&pool, 3, &OutcomeModel::default(), &churn)?;
/// let instance = Instance::by_group(&cost, Groups::of_size(60, 6)?)?;
/// let grouping = Search::with(&instance, Engine::Auto).work(20_000).run()?;
/// // Who plays whom in the first of the ten games.
/// let game = cost.best_teams(&grouping.groups()[0]).expect("six who may meet");
/// assert_eq!((game.first.len(), game.second.len()), (3, 3));
/// assert!((0.0..6.0).contains(&game.expected_churn()));
/// # Ok(())
/// # }
/// ```
///
/// # Complexity
/// A group takes all `C(2k, k) / 2` splits with O(k) each, and the chances of those that may be the best one, without memory of
/// its own. There are some 100 bytes for each player, and 60 more where the chance of a draw depends on ratings.
///
/// # References
/// Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi:10.1145/3038912.3052559, section 6.
#[derive(Clone, Debug)]
pub struct TeamEngagement<'p> {
    cost: EngagementCost<'p>,
    team_size: usize,
    /// Asked once: the pool goes through all its players for it.
    has_avoided: bool,
    /// The party of each player, where parties are in one team; else nothing.
    party_of: Vec<u32>,
    /// The teams with the first player, as bits by position.
    splits: Vec<u32>,
    bounds: Vec<Bound>,
}

/// Two teams, and what becomes of them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TeamTerms {
    /// The players of the first team, ascending.
    pub first: Vec<usize>,
    /// Those of the second team, ascending.
    pub second: Vec<usize>,
    /// Chances of the first team.
    pub outcomes: OutcomeProbabilities,
    /// How many of the first team are expected to stop.
    pub first_churn: f64,
    /// How many of the second team are expected to stop.
    pub second_churn: f64,
}

impl TeamTerms {
    /// How many of all are expected to stop.
    pub fn expected_churn(&self) -> f64 {
        self.first_churn + self.second_churn
    }
}

/// What players cost at least, by one chance of a draw: for each multiplier one way to count.
#[derive(Clone, Debug)]
struct Bound {
    counts: Vec<Count>,
}

/// A bound of a group is `group` and what it has for each of its players.
#[derive(Clone, Debug)]
struct Count {
    group: f64,
    players: Vec<f64>,
    /// All players, the cheapest first.
    order: Vec<u32>,
}

/// What splits are judged by, of the players of a group in the pool's order.
struct Members {
    len: usize,
    ratings: [f64; MOST],
    /// Squares of deviations.
    variances: [f64; MOST],
    risks: [[f64; 3]; MOST],
    /// Those of parties of two and more, as bits by position.
    parties: [u32; MOST],
    /// How many these are.
    party_count: usize,
}

/// What a team is together.
#[derive(Clone, Copy, Default)]
struct Team {
    rating: f64,
    variance: f64,
    /// Sums of the risks after each of [`Outcome::ALL`].
    risks: [f64; 3],
}

impl<'p> TeamEngagement<'p> {
    /// The cost of each game of two teams of this size.
    ///
    /// # Errors
    /// [`Error::TeamSize`] unless it is 1 to [`MAX_TEAM_SIZE`]; those of [`EngagementCost::new`].
    pub fn new(
        pool: &'p Pool,
        team_size: usize,
        outcomes: &OutcomeModel,
        model: &(impl ChurnModel + ?Sized),
    ) -> Result<Self, Error> {
        if !(1..=MAX_TEAM_SIZE).contains(&team_size) {
            let (found, limit) = (team_size, MAX_TEAM_SIZE);
            return Err(Error::TeamSize { found, limit });
        }
        let cost = EngagementCost::new(pool, outcomes, model)?;
        let share = outcomes.draw_share();
        let draws = match outcomes.constant_draw() {
            Some(draw) => vec![draw],
            None => vec![0.0, share],
        };
        let bound = |draw| Bound::new(cost.risks(), team_size, draw);
        Ok(Self {
            bounds: draws.into_iter().map(bound).collect(),
            cost,
            team_size,
            has_avoided: pool.has_avoided(),
            party_of: Vec::new(),
            splits: red_teams(team_size),
        })
    }

    /// The same, where those of a [party](Pool::parties) who are in a group are in one team of it; a group of which no two
    /// such teams can be made is not allowed. That all of a party are in one group is for the search to be told.
    #[must_use]
    pub fn with_whole_parties(mut self) -> Self {
        self.party_of = vec![ALONE; self.pool().len()];
        for (party, members) in self.pool().parties().iter().enumerate() {
            members.iter().for_each(|&player| self.party_of[player] = party as u32);
        }
        self
    }

    /// The players.
    pub fn pool(&self) -> &'p Pool {
        self.cost.pool()
    }

    /// Players of a team.
    pub fn team_size(&self) -> usize {
        self.team_size
    }

    /// The split of these players that loses fewest; of equal ones the first, in the order of those who are with the first
    /// player. `None` if the group is not allowed: others than two teams' players, somebody twice, somebody whom another
    /// avoids, parties that cannot be whole.
    ///
    /// # Panics
    /// If somebody is not in the pool.
    #[track_caller]
    pub fn best_teams(&self, members: &[usize]) -> Option<TeamTerms> {
        let (sorted, len) = self.sorted(members)?;
        let members = &sorted[..len];
        self.best(members).map(|(split, _)| {
            let of = |color: u32| {
                let is_there = |&(at, _): &(usize, &usize)| split >> at & 1 == color;
                members
                    .iter()
                    .enumerate()
                    .filter(is_there)
                    .map(|(_, &player)| player)
                    .collect::<Vec<_>>()
            };
            self.terms(&of(1), &of(0))
        })
    }

    /// What becomes of two teams, whatever they are: of any sizes, also unequal ones, and whoever avoids whom. Sums are in
    /// the order of the pool.
    ///
    /// # Panics
    /// If somebody is not in the pool.
    #[track_caller]
    pub fn terms(&self, first: &[usize], second: &[usize]) -> TeamTerms {
        let [first, second] = [first, second].map(|team| {
            let mut team = team.to_vec();
            team.sort_unstable();
            team
        });
        let team = |players: &[usize]| {
            let mut team = Team::default();
            players.iter().for_each(|&player| {
                let deviation = self.pool().players()[player].deviation;
                team.add(
                    self.pool().players()[player].rating,
                    deviation * deviation,
                    &self.cost.risks()[player],
                );
            });
            team
        };
        let teams = [team(&first), team(&second)];
        let outcomes = self.outcomes(&teams);
        TeamTerms {
            first_churn: expected(&outcomes, &teams[0].risks),
            second_churn: expected(&outcomes.mirror(), &teams[1].risks),
            first,
            second,
            outcomes,
        }
    }

    /// Expected number of players who stay after games of these groups, each split as well as can be; whoever is in none
    /// counts with the idle risk. `None` if a group is not allowed, or somebody is in two.
    ///
    /// # Panics
    /// If somebody is not in the pool.
    #[track_caller]
    pub fn expected_retained(&self, groups: &[Vec<usize>]) -> Option<f64> {
        let mut waits = vec![true; self.pool().len()];
        let mut lost = 0.0;
        for group in groups {
            lost += self.best_teams(group)?.expected_churn();
            if !group.iter().all(|&player| std::mem::take(&mut waits[player])) {
                return None;
            }
        }
        let idle = (0..waits.len())
            .filter(|&player| waits[player])
            .map(|player| self.cost.idle(player));
        Some(self.pool().len() as f64 - lost - idle.sum::<f64>())
    }

    fn outcomes(&self, teams: &[Team; 2]) -> OutcomeProbabilities {
        let [one, other] = teams.map(|team| (team.rating, team.variance.sqrt()));
        self.cost.outcome_model().probabilities(one, other)
    }

    /// The members in the order of the pool, if they are two teams' players who may meet.
    fn sorted(&self, members: &[usize]) -> Option<([usize; MOST], usize)> {
        let len = 2 * self.team_size;
        if members.len() != len {
            return None;
        }
        let mut sorted = [0; MOST];
        sorted[..len].copy_from_slice(members);
        sorted[..len].sort_unstable();
        self.may_meet(&sorted[..len]).then_some((sorted, len))
    }

    /// Whether nobody of these, who are sorted, is there twice or avoids another.
    fn may_meet(&self, members: &[usize]) -> bool {
        members.windows(2).all(|pair| pair[0] < pair[1])
            && (!self.has_avoided
                || (1..members.len()).all(|at| {
                    let player = members[at];
                    members[..at].iter().all(|&other| self.pool().may_meet(other, player))
                }))
    }

    /// The best split of sorted members, as bits by position, and what it loses.
    fn best(&self, members: &[usize]) -> Option<(u32, f64)> {
        let members = self.members(members);
        let draw = self.cost.outcome_model().constant_draw();
        let mut best: Option<(u32, f64)> = None;
        for &split in &self.splits {
            if !members.is_whole(split) {
                continue;
            }
            let teams = members.teams(split);
            if let Some((_, churn)) = best
                && least(&teams, draw) > churn + ROUNDING
            {
                continue;
            }
            let outcomes = self.outcomes(&teams);
            let churn = expected(&outcomes, &teams[0].risks) + expected(&outcomes.mirror(), &teams[1].risks);
            if best.is_none_or(|(_, least)| churn < least) {
                best = Some((split, churn));
            }
        }
        best
    }

    fn members(&self, players: &[usize]) -> Members {
        let mut members = Members {
            len: players.len(),
            ratings: [0.0; MOST],
            variances: [0.0; MOST],
            risks: [[0.0; 3]; MOST],
            parties: [0; MOST],
            party_count: 0,
        };
        for (at, &player) in players.iter().enumerate() {
            let known = &self.pool().players()[player];
            members.ratings[at] = known.rating;
            members.variances[at] = known.deviation * known.deviation;
            members.risks[at] = self.cost.risks()[player];
        }
        if self.party_of.is_empty() {
            return members;
        }
        for (at, &player) in players.iter().enumerate() {
            let party = self.party_of[player];
            let is_first = players[..at].iter().all(|&other| self.party_of[other] != party);
            if party == ALONE || !is_first {
                continue;
            }
            let later = (at..players.len()).filter(|&other| self.party_of[players[other]] == party);
            members.parties[members.party_count] = later.fold(0, |bits, other| bits | 1 << other);
            members.party_count += 1;
        }
        members
    }

    /// What the sorted members of a game cost.
    fn price(&self, members: &[usize]) -> Option<i64> {
        self.best(members).map(|(_, churn)| on_grid(churn))
    }
}

impl Members {
    /// Whether a split leaves all parties whole.
    fn is_whole(&self, split: u32) -> bool {
        self.parties[..self.party_count]
            .iter()
            .all(|&party| party & split == 0 || party & split == party)
    }

    /// The two teams, each summed up in the order of its members.
    fn teams(&self, split: u32) -> [Team; 2] {
        let mut teams = [Team::default(); 2];
        for at in 0..self.len {
            let team = &mut teams[1 - (split >> at & 1) as usize];
            team.add(self.ratings[at], self.variances[at], &self.risks[at]);
        }
        teams
    }
}

impl Team {
    fn add(&mut self, rating: f64, variance: f64, risks: &[f64; 3]) {
        self.rating += rating;
        self.variance += variance;
        for (sum, risk) in self.risks.iter_mut().zip(risks) {
            *sum += risk;
        }
    }
}

/// What two teams lose at least, whatever their chances to win: that takes no roots and powers.
fn least(teams: &[Team; 2], draw: Option<f64>) -> f64 {
    let sum = |outcome: Outcome| teams[0].risks[outcome.index()] + teams[1].risks[outcome.mirror().index()];
    let decided = sum(Outcome::Win).min(sum(Outcome::Loss));
    match draw {
        Some(draw) => draw * sum(Outcome::Draw) + (1.0 - draw) * decided,
        None => decided.min(sum(Outcome::Draw)),
    }
}

impl Bound {
    fn new(risks: &[[f64; 3]], team_size: usize, draw: f64) -> Self {
        let mut gains: Vec<f64> = risks.iter().map(|[win, _, loss]| win - loss).collect();
        gains.sort_unstable_by(f64::total_cmp);
        let most = gains.len().saturating_sub(1) as f64;
        let multipliers = QUANTILES.map(|share| gains.get((share * most) as usize).copied().unwrap_or(0.0));
        let count = |multiplier: f64| {
            let of =
                |[win, even, loss]: &[f64; 3]| draw * even + (1.0 - draw) * (loss + (win - loss - multiplier).min(0.0));
            let players: Vec<f64> = risks.iter().map(of).collect();
            let mut order: Vec<u32> = (0..players.len() as u32).collect();
            order.sort_by(|&a, &b| players[a as usize].total_cmp(&players[b as usize]));
            Count {
                group: (1.0 - draw) * team_size as f64 * multiplier,
                players,
                order,
            }
        };
        Self {
            counts: multipliers.map(count).to_vec(),
        }
    }

    /// What every group of these and so many others loses at least; infinite where there are not so many.
    fn of(&self, members: &[usize], more: usize) -> f64 {
        let of = |count: &Count| {
            let known: f64 = members.iter().map(|&player| count.players[player]).sum();
            let others = count.order.iter().map(|&player| player as usize);
            let mut others = others.filter(|player| !members.contains(player));
            let added = (0..more).map(|_| others.next().map_or(f64::INFINITY, |player| count.players[player]));
            count.group + known + added.sum::<f64>()
        };
        self.counts.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }
}

impl GroupCost for TeamEngagement<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.pool().len()
    }

    /// A group that is not allowed costs all its members.
    fn group(&self, members: &[usize]) -> i64 {
        let all = EngagementCost::SCALE * members.len() as i64;
        self.group_if_allowed(members).unwrap_or(all)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        let Some((sorted, len)) = self.sorted(members) else {
            return false;
        };
        if self.party_of.is_empty() {
            return true;
        }
        let members = self.members(&sorted[..len]);
        self.splits.iter().any(|&split| members.is_whole(split))
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_if_allowed(&self, members: &[usize]) -> Option<i64> {
        let (sorted, len) = self.sorted(members)?;
        self.price(&sorted[..len])
    }

    fn group_if_exchanged(&self, members: &[usize], _: &[i32], leave: &[usize], join: &[usize]) -> Option<i64> {
        if members.len() != 2 * self.team_size {
            return None;
        }
        // As the sums are in the order of the pool whoever was there first, they are those of the new group, bit for bit.
        let mut exchanged = [0; MOST];
        let exchanged = &mut exchanged[..members.len()];
        exchanged.copy_from_slice(members);
        for (&at, &player) in leave.iter().zip(join) {
            exchanged[at] = player;
        }
        exchanged.sort_unstable();
        self.may_meet(exchanged).then(|| self.price(exchanged))?
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        if members.len() + more != 2 * self.team_size {
            return GroupBound::Forbidden;
        }
        let mut sorted = [0; MOST];
        let sorted = &mut sorted[..members.len()];
        sorted.copy_from_slice(members);
        sorted.sort_unstable();
        let bounds = self.bounds.iter().map(|bound| bound.of(sorted, more));
        let least = bounds.fold(f64::INFINITY, f64::min);
        if least.is_infinite() || !self.may_meet(sorted) {
            return GroupBound::Forbidden;
        }
        // Below by more than what costs are rounded by, and sums.
        GroupBound::AtLeast((least * EngagementCost::SCALE as f64).floor() as i64 - 1)
    }
}
