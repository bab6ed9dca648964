//! The score of a match, fast enough for millions of matches a second.
//!
//! # Numbers
//! Everything that adds up is an integer of 2⁻²⁶: a term of two players, of one player, of a match. Integer sums do not
//! depend on their order, so the value of a match is a function of the set of its players, to the last bit. Each term
//! is off by at most 2⁻²⁷; 3v3 sums up to 35 of them and 5v5 102, so that a score differs from
//! [`Judge`](super::Judge)'s by less than 2.7e-7 and 7.7e-7 where curves are linear. Skills are on a grid of their own
//! that both evaluations share.
//!
//! # One match
//! With `team` what two players add when they are mates and `cross` what they add as enemies, a split is worth
//!
//! ```text
//! sum over all pairs of team  +  sum over pairs of enemies of (cross - team)  -  losses of teams and parties  +  what all splits share
//! ```
//!
//! The pairs of `team` and `cross - team` are gathered once. Then 16 splits at a time: each pair's number is added
//! where a mask says that the split makes the two enemies (`kernel.rs`). The members of a party are a chain of links; a
//! link's `cross - team` is so low that no split through it can be the best one, and the sum of `team` counts the
//! links, so that a match without all members of a party shows. Two who must not be in one match have a bit of their
//! own, which is left out of the sum; where any pair of a match has it, there is no match. The players of a running match
//! are a chain as well (`chains.rs`): its red team, then its blue one, and the link between the two gains what others lose
//! where it is cut. A split is worth that much less, so that one that moves somebody is as bad as one that divides a party.
//!
//! # One swap
//! With the gain of every split kept, a player in place of another changes it by a sum over the players who stay
//! (`notes.rs`). The integers are the same, so the value is that of the whole match, bit for bit.

mod chains;
mod kernel;
mod notes;
mod premade;
mod sets;
mod tables;

use matching_core::{GroupBound, GroupCost};

use super::error::Error;
use super::objective::Objective;
use super::round::Round;
use super::rules::{MAX_TEAM_SIZE, Rules};
use tables::Tables;

/// The cost of a match: minus the score of its best legal split, or what the objective of the rules makes of it.
///
/// A group is allowed if it is one match: `2 * team_size` distinct players, all members of their parties among them,
/// with a split that divides no party and, where the rules ask for that, a player who can be the server, and nobody with
/// a player whom one of the two avoids or whose ping is above the limit. The cost of another group is unspecified. A sum
/// over groups is minus the number of matches times the total score of the round.
///
/// Bit-equal for the same members in any order. Reads only, so that threads can share it.
///
/// # Complexity
/// Made in O(n²) time and 8 n² bytes, 200 MB at the limit of 5,000 players. An evaluation for teams of k takes O(C(2k,
/// k) k²) additions, 16 or more of them an instruction where the processor has AVX-512, without allocating.
#[derive(Clone, Debug)]
pub struct LobbyCost {
    tables: Tables,
    objective: Objective,
}

impl LobbyCost {
    /// The costs of this round's matches.
    ///
    /// # Errors
    /// [`Error::BadTeamSize`], [`Error::BadRule`], [`Error::PartyTooLarge`], [`Error::PartyAvoids`], [`Error::TooFewPlayers`].
    pub fn new(round: &Round, rules: &Rules) -> Result<Self, Error> {
        rules.check_for(round)?;
        let (tables, objective) = (Tables::new(round, rules), rules.objective);
        Ok(Self { tables, objective })
    }

    /// Takes the same scores by another objective, which is valid.
    pub(super) fn set_objective(&mut self, objective: Objective) {
        self.objective = objective;
    }

    /// The cost of a match by the sum of its units.
    #[inline]
    fn cost(&self, sum: i32) -> f64 {
        self.objective.cost(tables::to_score(sum))
    }

    /// The units of a match once those at some places have left it and as many others have come.
    fn sum_exchanged(&self, members: &[usize], leave: &[usize], join: &[usize]) -> Option<i32> {
        let mut all = [0; 2 * MAX_TEAM_SIZE];
        let exchanged = all.get_mut(..members.len())?;
        exchanged.copy_from_slice(members);
        for (&at, &player) in leave.iter().zip(join) {
            exchanged[at] = player;
        }
        kernel::best(&self.tables, exchanged)
    }

    /// Players in a match.
    pub fn match_size(&self) -> usize {
        2 * self.tables.team_size
    }

    /// The score of the best legal split of these distinct players, from 0 to 1; `None` if they may not play a match.
    /// One call answers what [`GroupCost::is_group_allowed`] and [`GroupCost::group`] answer in two.
    ///
    /// # Panics
    /// If somebody is not in the round.
    pub fn score(&self, members: &[usize]) -> Option<f64> {
        kernel::best(&self.tables, members).map(tables::to_score)
    }
}

impl GroupCost for LobbyCost {
    type Value = f64;

    fn len(&self) -> usize {
        self.tables.players
    }

    fn group(&self, members: &[usize]) -> f64 {
        self.objective.cost(self.score(members).unwrap_or(0.0))
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.tables.is_match(members)
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    fn group_if_allowed(&self, members: &[usize]) -> Option<f64> {
        // The kernel takes for granted that nobody comes twice.
        let score = tables::is_distinct(members).then(|| self.score(members))?;
        score.map(|score| self.objective.cost(score))
    }

    fn take_notes(&self, members: &[usize], notes: &mut Vec<i32>) {
        notes::take(&self.tables, members, notes);
    }

    // Walks call it by a function with as many arguments: a call within that call takes a fortieth of a search.
    #[inline]
    fn group_if_exchanged(&self, members: &[usize], notes: &[i32], leave: &[usize], join: &[usize]) -> Option<f64> {
        let sum = match (leave, join) {
            (&[at], &[joins]) => notes::swapped(&self.tables, members, notes, at, joins)?,
            _ => self.sum_exchanged(members, leave, join)?,
        };
        Some(self.cost(sum))
    }

    fn groups_if_exchanged(
        &self,
        members: &[usize],
        notes: &[i32],
        leave: &[usize],
        join: &[usize],
        costs: &mut Vec<Option<f64>>,
    ) {
        costs.clear();
        let mut sums = [sets::NONE; sets::MOST];
        for join in join.chunks(sets::MOST * leave.len()) {
            let count = join.len() / leave.len();
            if sets::exchanged(&self.tables, (members, notes), leave, join, &mut sums).is_some() {
                let cost = |&sum: &i32| (sum != sets::NONE).then(|| self.cost(sum));
                costs.extend(sums[..count].iter().map(cost));
            } else {
                let one_by_one = join.chunks_exact(leave.len());
                costs.extend(one_by_one.map(|join| self.group_if_exchanged(members, notes, leave, join)));
            }
        }
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<f64> {
        if members.len() + more == self.match_size() {
            GroupBound::AtLeast(self.objective.cost(1.0))
        } else {
            GroupBound::Forbidden
        }
    }
}
