//! Explanations for scripts. Groups are numbers from 1, as in column `pin`; null is for who waits.

use serde::Serialize;
use serde_json::value::RawValue;

use super::text::{Words, half};
use super::{Explained, Move, Refusal, Subject};
use crate::cli::group::report::Report;
use crate::cli::json::literal;
use crate::cli::names::Id;

/// An explanation.
#[derive(Serialize)]
pub(in crate::cli::group) struct Document<'a> {
    #[serde(flatten)]
    subject: Who<'a>,
    exchanges: Vec<Row<'a>>,
    /// Exchanges that were not looked at: of one party against several, or, where a limit ended it, of whatever kind.
    exchanges_left_out: u64,
    /// The limit that ended it; null where none did.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Who<'a> {
    One {
        player: Id<'a>,
        party: Vec<Id<'a>>,
        group: Option<usize>,
        /// Half of what the others of the group cost with the player; null for who waits.
        share: Option<Box<RawValue>>,
        pairs: Vec<With<'a>>,
    },
    Two {
        pair: [Id<'a>; 2],
        groups: [Option<usize>; 2],
        together: bool,
        party: bool,
        /// What the two cost together; null where they must be apart.
        cost: Option<Box<RawValue>>,
        /// Why they are together in no groups at all, where that is known.
        obstacle: Option<String>,
    },
}

/// Another member of a player's group.
#[derive(Serialize)]
struct With<'a> {
    player: Id<'a>,
    cost: Box<RawValue>,
}

#[derive(Serialize)]
struct Row<'a> {
    /// The party that was asked about.
    party: Vec<Id<'a>>,
    /// Who goes along with it, where a larger one comes.
    along: Vec<Id<'a>>,
    from: Option<usize>,
    to: Option<usize>,
    /// Who comes: nobody, one party, or several smaller ones.
    with: Vec<Id<'a>>,
    /// By how much the total changes; null where the exchange is not allowed.
    change: Option<Box<RawValue>>,
    better: Option<bool>,
    refused: Option<String>,
    /// The same for programs.
    reason: Option<&'static str>,
}

impl Explained {
    pub(in crate::cli::group) fn document<'a>(&self, report: &'a Report<'_>) -> Document<'a> {
        let ids = |players: &[usize]| players.iter().map(|&player| report.names.id(player)).collect();
        let cost = |cost: i128| literal(report.scale.number(cost));
        let number = |group: Option<usize>| group.map(|group| group + 1);
        let words = Words::of(report);
        let subject = match &self.subject {
            Subject::One {
                player,
                party,
                group,
                pairs,
            } => Who::One {
                player: report.names.id(*player),
                party: ids(party),
                group: number(*group),
                share: group.and_then(|_| half(report, pairs)).map(literal),
                pairs: pairs
                    .iter()
                    .map(|&(other, pair)| With {
                        player: report.names.id(other),
                        cost: cost(pair),
                    })
                    .collect(),
            },
            Subject::Two {
                players,
                groups,
                is_party,
                cost: pair,
                obstacle,
            } => Who::Two {
                pair: players.map(|player| report.names.id(player)),
                groups: groups.map(number),
                together: self.subject.are_together(),
                party: *is_party,
                cost: pair.map(cost),
                obstacle: obstacle.as_ref().map(|obstacle| words.obstacle(obstacle)),
            },
        };
        let row = |one: &Move| Row {
            party: ids(&one.party),
            along: ids(&one.along),
            from: number(one.from),
            to: number(one.to),
            with: ids(&one.with),
            change: one.outcome.as_ref().ok().map(|&change| cost(change)),
            better: one.outcome.as_ref().ok().map(|&change| report.sense.beats(change, 0)),
            refused: one.outcome.as_ref().err().map(|refusal| words.refusal(refusal)),
            reason: one.outcome.as_ref().err().map(Refusal::word),
        };
        Document {
            subject,
            exchanges: self.moves.iter().map(row).collect(),
            exchanges_left_out: self.left_out,
            stopped: self.stopped,
        }
    }
}

impl Refusal {
    fn word(&self) -> &'static str {
        match self {
            Self::Apart { .. } => "apart",
            Self::Pinned { .. } => "pinned",
            Self::Size { .. } => "size",
            Self::Bench { .. } => "bench",
            Self::Roles { .. } => "roles",
            Self::NotCounted { .. } => "not-counted",
        }
    }
}
