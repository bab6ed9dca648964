//! Several games each, for scripts.

use serde::Serialize;
use serde_json::value::RawValue;

use super::lack::Lack;
use super::report::GamesReport;
use crate::cli::json::{Exact, literal};
use crate::cli::names::Id;
use crate::cli::pair::report::Report;

/// What everybody should have, and has; the same words for players and vertices.
#[derive(Serialize)]
pub(in crate::cli::pair) struct Document<'a> {
    least: u32,
    most: u32,
    /// Games that all together have fewer than the most; null without an answer.
    missing: Option<u64>,
    /// What these add to the total.
    missing_cost: Option<Exact>,
    each: Vec<Player<'a>>,
    /// Where that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounds: Option<Rounds<'a>>,
}

#[derive(Serialize)]
struct Player<'a> {
    id: Id<'a>,
    least: u32,
    most: u32,
    /// What each missing game adds to the total.
    missing_cost: Box<RawValue>,
    opponents: Vec<Id<'a>>,
}

/// When games are played.
#[derive(Serialize)]
struct Rounds<'a> {
    count: usize,
    /// No fewer rounds could do.
    at_least: usize,
    /// Who has more games among them than fit into fewer, where it takes one more than anybody has games.
    overfull: Vec<Id<'a>>,
    games: Vec<Vec<(Id<'a>, Id<'a>)>>,
}

/// Why there is no answer.
#[derive(Serialize)]
pub(in crate::cli::pair) struct Witness<'a> {
    removed: Vec<Id<'a>>,
    wanting: Vec<Id<'a>>,
    odd_groups: Vec<Vec<Id<'a>>>,
    missing: u64,
}

impl<'a> Document<'a> {
    pub(in crate::cli::pair) fn new(report: &'a Report<'_>, games: &'a GamesReport) -> Self {
        let has_answer = report.outcome.matched().is_some();
        let player = |player: usize| {
            let (least, most) = games.wanted(player);
            Player {
                id: report.names.id(player),
                least,
                most,
                missing_cost: literal(report.number(games.prices[player])),
                opponents: games.opponents[player]
                    .iter()
                    .map(|&other| report.names.id(other))
                    .collect(),
            }
        };
        let pair = |&(i, j): &(usize, usize)| (report.names.id(i), report.names.id(j));
        Self {
            least: games.numbers.everybody.least(),
            most: games.numbers.everybody.most(),
            missing: has_answer.then(|| games.missing()),
            missing_cost: has_answer.then(|| report.number(games.missing_total()).into()),
            each: (0..games.most.len()).map(player).collect(),
            rounds: games.rounds.as_ref().map(|rounds| Rounds {
                count: rounds.len(),
                at_least: rounds.at_least(),
                overfull: rounds
                    .overfull()
                    .iter()
                    .map(|&player| report.names.id(player))
                    .collect(),
                games: rounds
                    .rounds()
                    .iter()
                    .map(|games| games.iter().map(pair).collect())
                    .collect(),
            }),
        }
    }
}

impl<'a> Witness<'a> {
    pub(in crate::cli::pair) fn new(report: &'a Report<'_>, lack: &Lack) -> Self {
        let ids = |of: &[usize]| of.iter().map(|&v| report.names.id(v)).collect::<Vec<_>>();
        Self {
            removed: ids(&lack.removed),
            wanting: ids(&lack.wanting),
            odd_groups: lack.odd_groups.iter().map(|group| ids(group)).collect(),
            missing: lack.missing,
        }
    }
}
