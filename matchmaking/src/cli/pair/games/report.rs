//! What there is to report beyond the pairs.

use matchmaking::Rounds;

use super::numbers::Numbers;
use crate::cli::failure::Failure;
use crate::cli::pair::solve::Outcome;

/// How many games each has of those that he should have, or how many partners a vertex.
#[derive(Debug)]
pub(in crate::cli::pair) struct GamesReport {
    pub(super) numbers: Numbers,
    pub(super) least: Vec<u32>,
    pub(super) most: Vec<u32>,
    /// What a missing game adds to the total, for each.
    pub(super) prices: Vec<i128>,
    /// The opponents of each, in order; nobody where there is no answer.
    pub(super) opponents: Vec<Vec<usize>>,
    /// When they are played, where that was asked and there are any.
    pub(super) rounds: Option<Rounds>,
}

impl GamesReport {
    pub(super) fn new(numbers: Numbers, (least, most): (&[u32], &[u32]), prices: Vec<i128>, outcome: &Outcome) -> Self {
        let mut opponents = vec![Vec::new(); least.len()];
        let pairs = outcome.matched().map_or(&[][..], |matched| &matched.pairs);
        // By lower and then higher vertex, so that those of each come in order.
        for &(u, v, _) in pairs {
            opponents[u].push(v);
            opponents[v].push(u);
        }
        Self {
            numbers,
            least: least.to_vec(),
            most: most.to_vec(),
            prices,
            opponents,
            rounds: None,
        }
    }

    /// The same in rounds, which are checked.
    pub(super) fn in_rounds(self, outcome: &Outcome) -> Result<Self, Failure> {
        let Some(matched) = outcome.matched() else {
            return Ok(self);
        };
        let games: Vec<(usize, usize)> = matched.pairs.iter().map(|&(i, j, _)| (i, j)).collect();
        let rounds = Rounds::new(self.most.len(), &games);
        rounds
            .verify(self.most.len(), &games)
            .map_err(|problem| Failure::Unverified { source: problem.into() })?;
        Ok(Self {
            rounds: Some(rounds),
            ..self
        })
    }

    /// Whom each player meets in each round.
    pub(super) fn timetable(&self) -> Vec<Vec<Option<usize>>> {
        let rounds = self.rounds.as_ref().map_or(&[][..], Rounds::rounds);
        let mut timetable = vec![vec![None; rounds.len()]; self.most.len()];
        for (round, games) in rounds.iter().enumerate() {
            for &(i, j) in games {
                timetable[i][round] = Some(j);
                timetable[j][round] = Some(i);
            }
        }
        timetable
    }

    /// How many games a player has fewer than the most.
    pub(super) fn missing_of(&self, player: usize) -> u64 {
        (self.most[player] as u64).saturating_sub(self.opponents[player].len() as u64)
    }

    /// All of these.
    pub(super) fn missing(&self) -> u64 {
        (0..self.most.len()).map(|player| self.missing_of(player)).sum()
    }

    /// What they add to the total.
    pub(super) fn missing_total(&self) -> i128 {
        let of = |player: usize| self.prices[player] * i128::from(self.missing_of(player));
        (0..self.most.len()).map(of).sum()
    }

    /// Whether missing games cost anything.
    pub(super) fn is_priced(&self) -> bool {
        let priced = |player: usize| self.prices[player] != 0 && self.least[player] < self.most[player];
        (0..self.most.len()).any(priced)
    }

    /// How many games a player should have.
    pub(super) fn wanted(&self, player: usize) -> (u32, u32) {
        (self.least[player], self.most[player])
    }

    /// How many have another number than everybody.
    pub(super) fn others(&self) -> usize {
        let usual = (self.numbers.everybody.least(), self.numbers.everybody.most());
        (0..self.most.len())
            .filter(|&player| self.wanted(player) != usual)
            .count()
    }
}
