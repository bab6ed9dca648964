//! The report as one JSON object.

use matchmaking::fairness::GroupMetrics;
use serde::Serialize;
use serde_json::value::RawValue;

use super::explain;
use super::fairness::{Baseline, Fairness};
use super::outcome::{Outcome, Wishes, Witness};
use super::report::Report;
use crate::cli::fairness::{Of, Strength};
use crate::cli::json::{Exact, literal, timed};
use crate::cli::names::Id;
use crate::cli::rematches;
use crate::cli::text::gap;

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
    /// None where nothing is proven.
    bound: Option<Exact>,
    gap: Option<f64>,
    /// Costs are integers divided by this.
    scale: Box<RawValue>,
    groups: Vec<Group<'a>>,
    waiting: Vec<Id<'a>>,
    /// Where `--rematch-cost` says what they cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    rematches: Option<rematches::Document<'a>>,
    /// Where `--fairness` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<Vec<Part>>,
    /// Where `--explain` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<explain::Document<'a>>,
    /// What the bound rests on.
    certificate: Option<Certificate>,
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
    /// What each member plays, where there are roles.
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<Vec<Option<&'a str>>>,
    cost: Box<RawValue>,
}

/// Some of the players, and how they fare by each grouping.
#[derive(Serialize)]
struct Part {
    #[serde(flatten)]
    of: Of,
    players: usize,
    groupings: Vec<Metrics>,
}

#[derive(Serialize)]
struct Metrics {
    grouping: &'static str,
    playing: usize,
    mean_rating_gap: Option<f64>,
    /// Half of what a player costs with the others of the group.
    mean_share: Option<f64>,
    mean_group_cost: Option<f64>,
}

#[derive(Serialize)]
struct Certificate {
    /// Whether a checker of its own went through it.
    verified: bool,
    kind: &'static str,
}

#[derive(Serialize)]
struct Proof<'a> {
    kind: &'static str,
    /// The parties that cannot be packed, or whose wishes are in the way.
    parties: Vec<Vec<Id<'a>>>,
    /// Players who are pinned to a group, with its number from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pinned: Vec<(Id<'a>, usize)>,
    /// The most that a group or the bench holds, where that is what is wrong; where players are too few, the least that a group
    /// has.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<usize>,
    /// Two of one party who must not be together.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<[Id<'a>; 2]>,
    /// Roles that are needed, or can be played, too often.
    #[serde(skip_serializing_if = "Option::is_none")]
    roles: Option<Vec<String>>,
    /// How many must play one of these roles, or how many players several groups need.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<usize>,
    /// For how many there is room.
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<usize>,
    /// Players whose wishes cannot all be met, or who form a group that no grouping avoids.
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<Vec<Id<'a>>>,
    /// All two of these players who must not be together.
    #[serde(skip_serializing_if = "Option::is_none")]
    forbidden: Option<Vec<[Id<'a>; 2]>>,
    /// What each of these players can play, where there are roles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    can_play: Vec<Vec<String>>,
    /// Whether none of these players can be left out: as soon as any one of them has no wishes, those of the others can be
    /// met, if nobody else has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    /// What is wrong, in words, where nothing else says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Proof<'_> {
    fn of(kind: &'static str) -> Self {
        Self {
            kind,
            parties: Vec::new(),
            pinned: Vec::new(),
            most: None,
            apart: None,
            roles: None,
            needed: None,
            room: None,
            can_play: Vec::new(),
            players: None,
            forbidden: None,
            minimal: None,
            reason: None,
        }
    }
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let ids = |players: &[usize]| players.iter().map(|&player| report.names.id(player)).collect();
    let found = report.found();
    let bound = found.and_then(|found| found.bound);
    let number = |total: i128| report.scale.number(total);
    let groups = found.map_or(&[][..], |found| &found.groups);
    Document {
        schema: SCHEMA,
        status: report.status(),
        objective: report.sense.word(),
        format: report.format,
        players: report.names.len(),
        cost: found.map(|found| number(found.total).into()),
        bound: bound.map(|bound| number(bound.total).into()),
        gap: found
            .zip(bound)
            .map(|(found, bound)| gap(number(found.total).to_f64(), number(bound.total).to_f64())),
        scale: literal(report.scale.divisor()),
        groups: groups
            .iter()
            .enumerate()
            .map(|(at, (members, cost))| Group {
                members: ids(members),
                roles: report.roles_of(at),
                cost: literal(report.scale.number(*cost)),
            })
            .collect(),
        waiting: found.map_or_else(Vec::new, |found| ids(&found.waiting)),
        rematches: (report.rematches()).map(|rematches| rematches.document(report.names)),
        fairness: report.fairness.as_ref().map(parts),
        explain: report.explained.as_ref().map(|explained| explained.document(report)),
        certificate: bound.map(|bound| Certificate {
            verified: bound.kind.is_verified(),
            kind: bound.kind.word(),
        }),
        witness: match report.outcome {
            Outcome::Infeasible(witness) => Some(proof(report, witness)),
            Outcome::Found(_) | Outcome::Unknown(_) => None,
        },
        method: report.method(),
        engine: report.engine(),
        stopped: report.stopped(),
        seed: report.seed,
        work: report.work(),
        warnings: report.warnings,
    }
}

/// How parts of the pool fare.
fn parts(fairness: &Fairness) -> Vec<Part> {
    let metrics = |segment: usize| {
        let of = |(baseline, metrics): &(Baseline, Vec<GroupMetrics>)| Metrics {
            grouping: baseline.word(),
            playing: metrics[segment].playing,
            mean_rating_gap: metrics[segment].mean_rating_gap,
            mean_share: metrics[segment].mean_share,
            mean_group_cost: metrics[segment].mean_group_cost,
        };
        fairness.groupings.iter().map(of).collect()
    };
    let parts = fairness.segments.iter().enumerate().map(|(number, segment)| Part {
        of: Of::new(&segment.kind, Strength::Rating),
        players: segment.players.len(),
        groupings: metrics(number),
    });
    parts.collect()
}

fn proof<'a>(report: &'a Report<'_>, witness: &Witness) -> Proof<'a> {
    let ids = |players: &[usize]| players.iter().map(|&player| report.names.id(player)).collect();
    let lists = |parties: &[Vec<usize>]| parties.iter().map(|party| ids(party)).collect();
    let seat = |&(player, group): &(usize, usize)| (report.names.id(player), group + 1);
    let seats = |pinned: &[(usize, usize)]| pinned.iter().map(seat).collect();
    let two = |pair: [usize; 2]| pair.map(|player| report.names.id(player));
    match witness {
        Witness::TooFew { groups, size, .. } => Proof {
            most: Some(*size),
            needed: (*groups > 1).then(|| groups.saturating_mul(*size)),
            ..Proof::of("too-few-players")
        },
        Witness::PartyTooLarge { party, group, bench } => Proof {
            parties: vec![ids(party)],
            most: Some(*group.max(bench)),
            ..Proof::of("party-too-large")
        },
        Witness::PartyApart { party, pair } => Proof {
            parties: vec![ids(party)],
            apart: Some(two(*pair)),
            ..Proof::of("party-must-be-apart")
        },
        Witness::PartiesDoNotFit { parties, pinned } => Proof {
            parties: lists(parties),
            pinned: seats(pinned),
            ..Proof::of("parties-do-not-fit")
        },
        Witness::RolesShort { roles, needed, players } => Proof {
            roles: Some(roles.clone()),
            needed: Some(*needed),
            players: Some(ids(players)),
            ..Proof::of("roles-short")
        },
        Witness::RolesCrowded { roles, room, players } => Proof {
            roles: Some(roles.clone()),
            room: Some(*room),
            players: Some(ids(players)),
            ..Proof::of("roles-crowded")
        },
        Witness::Wishes(Wishes {
            players,
            parties,
            pinned,
            apart,
            can_play,
            is_minimal,
            has_others: _,
        }) => Proof {
            can_play: can_play.clone(),
            parties: lists(parties),
            pinned: seats(pinned),
            players: Some(ids(players)),
            forbidden: Some(apart.iter().map(|&pair| two(pair)).collect()),
            minimal: Some(*is_minimal),
            ..Proof::of("wishes-cannot-be-met")
        },
        Witness::Other { reason } => Proof {
            reason: Some(reason.clone()),
            ..Proof::of("other")
        },
        Witness::AllForbidden { members } => Proof {
            players: Some(ids(members)),
            ..Proof::of("all-groupings-forbidden")
        },
    }
}
