//! The report as one JSON object.

use serde::Serialize;
use serde_json::value::RawValue;

use super::report::Report;
use super::solve::{Ended, Outcome, Witness};
use crate::cli::json::{Exact, literal, timed};
use crate::cli::names::Id;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/group/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    status: &'static str,
    objective: &'static str,
    format: &'static str,
    players: usize,
    cost: Option<Exact>,
    /// A search knows none.
    bound: Option<Exact>,
    gap: Option<f64>,
    /// Costs are integers divided by this.
    scale: Box<RawValue>,
    groups: Vec<Group<'a>>,
    waiting: Vec<Id<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Proof<'a>>,
    method: &'static str,
    engine: &'static str,
    stopped: Option<&'static str>,
    seed: u64,
    work: Option<u64>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Group<'a> {
    members: Vec<Id<'a>>,
    cost: Box<RawValue>,
}

#[derive(Serialize)]
struct Proof<'a> {
    kind: &'static str,
    /// The parties that cannot be packed.
    parties: Vec<Vec<Id<'a>>>,
    /// The most that a group holds, where that is what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<usize>,
    /// Two of one party who must not be together.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<[Id<'a>; 2]>,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let ids = |players: &[usize]| players.iter().map(|&player| report.names.id(player)).collect();
    let found = match report.outcome {
        Outcome::Found(found) => Some(found),
        Outcome::Infeasible(_) | Outcome::Unknown(_) => None,
    };
    let proven = found.filter(|found| found.ended == Ended::AllTried);
    let groups = found.map_or(&[][..], |found| &found.groups);
    Document {
        schema: SCHEMA,
        status: report.status(),
        objective: report.sense.word(),
        format: report.format,
        players: report.names.len(),
        cost: found.map(|found| report.scale.number(found.total).into()),
        bound: proven.map(|found| report.scale.number(found.total).into()),
        gap: proven.map(|_| 0.0),
        scale: literal(report.scale.divisor()),
        groups: groups
            .iter()
            .map(|(members, cost)| Group {
                members: ids(members),
                cost: literal(report.scale.number(*cost)),
            })
            .collect(),
        waiting: found.map_or_else(Vec::new, |found| ids(&found.waiting)),
        witness: match report.outcome {
            Outcome::Infeasible(witness) => Some(proof(report, witness)),
            Outcome::Found(_) | Outcome::Unknown(_) => None,
        },
        method: "search",
        engine: report.engine(),
        stopped: report.stopped(),
        seed: report.seed,
        work: found.map(|found| found.work),
        warnings: report.warnings,
    }
}

fn proof<'a>(report: &'a Report<'_>, witness: &Witness) -> Proof<'a> {
    let ids = |players: &[usize]| players.iter().map(|&player| report.names.id(player)).collect();
    let (kind, parties, most, apart) = match witness {
        Witness::TooFew { size, .. } => ("too-few-players", vec![], Some(*size), None),
        Witness::PartyTooLarge { party, most } => ("party-too-large", vec![ids(party)], Some(*most), None),
        Witness::PartyApart { party, pair } => {
            let pair = pair.map(|player| report.names.id(player));
            ("party-must-be-apart", vec![ids(party)], None, Some(pair))
        }
        Witness::PartiesDoNotFit { parties } => {
            let parties = parties.iter().map(|party| ids(party)).collect();
            ("parties-do-not-fit", parties, None, None)
        }
    };
    Proof {
        kind,
        parties,
        most,
        apart,
    }
}
