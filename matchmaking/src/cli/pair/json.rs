//! The report as one JSON object.

use std::collections::BTreeMap;

use matching_core::TutteBerge;
use matchmaking::Driver;
use serde::Serialize;
use serde_json::value::RawValue;

use super::explain::{Explanations, Terms, WhatIf};
use super::games;
use super::limits;
use super::report::{Baseline, Compared, PoolReport, Report, status};
use super::solve::Outcome;
use super::worst;
use crate::cli::asked::Asked;
use crate::cli::fairness::{Of, Strength};
use crate::cli::json::{Exact, literal, timed};
use crate::cli::names::Id;
use crate::cli::rematches;

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/pair/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    status: &'static str,
    objective: &'static str,
    problem: &'static str,
    format: &'static str,
    vertices: usize,
    edges: usize,
    cost: Option<Exact>,
    bound: Option<Exact>,
    gap: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_pairs: Option<usize>,
    /// Where it comes first; null without pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst: Option<Option<worst::Document<'a>>>,
    /// Costs are integers divided by this.
    scale: Box<RawValue>,
    pairs: Vec<(Id<'a>, Id<'a>, Box<RawValue>)>,
    unmatched: Vec<Id<'a>>,
    /// Where everybody should have several games.
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<games::Document<'a>>,
    certificate: Certificate,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<Witness<'a>>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pool: Option<PoolKeys<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explained<'a>>,
    engine: &'static str,
    work: Option<u64>,
    stopped: Option<&'static str>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Certificate {
    verified: bool,
    /// Null where there is no proof.
    kind: Option<&'static str>,
}

/// Why there is no answer.
#[derive(Serialize)]
#[serde(untagged)]
enum Witness<'a> {
    Pairing(OddComponents<'a>),
    Games(games::Witness<'a>),
}

#[derive(Serialize)]
pub(super) struct OddComponents<'a> {
    removed: Vec<Id<'a>>,
    odd_components: Vec<Vec<Id<'a>>>,
    deficiency: usize,
}

impl<'a> OddComponents<'a> {
    pub(super) fn new(report: &'a Report<'_>, witness: &TutteBerge) -> Self {
        let ids = |positions: &[usize]| positions.iter().map(|&position| report.names.id(position)).collect();
        Self {
            removed: ids(witness.removed()),
            odd_components: witness
                .odd_components()
                .iter()
                .map(|component| ids(component))
                .collect(),
            deficiency: witness.deficiency(),
        }
    }
}

#[derive(Serialize)]
struct PoolKeys<'a> {
    cost_model: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Model>,
    seed: u64,
    bye: Option<(Id<'a>, Box<RawValue>)>,
    /// Where `--rematch-cost` says what they cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    rematches: Option<rematches::Document<'a>>,
    /// Where the command line says who may meet whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<limits::Document<'a>>,
    comparison: Vec<Comparison>,
    /// Where `--fairness` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<Vec<Part>>,
}

#[derive(Serialize)]
struct Model {
    file: String,
    horizon: f64,
}

#[derive(Serialize)]
struct Drivers<'a> {
    id: Id<'a>,
    features: Vec<Feature<'a>>,
}

#[derive(Serialize)]
struct Feature<'a> {
    name: &'a str,
    value: f64,
    effect: f64,
}

#[derive(Serialize)]
struct Comparison {
    pairing: &'static str,
    games: usize,
    idle: usize,
    /// With several games each, which say nothing of how many players stay.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u64>,
    cost: Exact,
    /// Of the worst pair; null without games.
    worst: Option<Exact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_retained: Option<f64>,
    mean_rating_gap: Option<f64>,
}

/// Some of the players, and how they fare by each of the pairings compared.
#[derive(Serialize)]
struct Part {
    #[serde(flatten)]
    of: Of,
    players: usize,
    pairings: Vec<Metrics>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Metrics {
    Pairing {
        pairing: &'static str,
        playing: usize,
        mean_rating_gap: Option<f64>,
        win_chance: Option<f64>,
        expected_retained: f64,
    },
    Games {
        pairing: &'static str,
        games: usize,
        mean_rating_gap: Option<f64>,
        win_chance: Option<f64>,
        stay_chance: Option<f64>,
    },
}

/// What was asked for: a pair, or all pairs of one.
#[derive(Serialize)]
#[serde(untagged)]
enum Explained<'a> {
    Pair(Box<Explanation<'a>>),
    All(OfOne<'a>),
}

#[derive(Serialize)]
struct OfOne<'a> {
    id: Id<'a>,
    pairs: Vec<Explanation<'a>>,
    /// The limit that ended it; null where none did.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
struct Explanation<'a> {
    pair: (Id<'a>, Id<'a>),
    cost: Option<Exact>,
    chosen: bool,
    terms: Vec<BTreeMap<&'static str, Term>>,
    /// What the pair costs beyond its terms, where the two have met of late and that has a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_cost: Option<Exact>,
    /// The same where their regions differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    region_cost: Option<Exact>,
    /// Why the two may not meet, where the command line says who may.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<Vec<limits::Reason>>,
    /// Where a fitted model was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    drivers: Option<Vec<Drivers<'a>>>,
    forced: Option<Condition<'a>>,
    forbidden: Condition<'a>,
    /// The limit that ended it; null where none did.
    stopped: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Term {
    Word(&'static str),
    Number(f64),
}

#[derive(Serialize)]
struct Condition<'a> {
    status: &'static str,
    pairs: Option<usize>,
    cost: Option<Exact>,
    change: Option<Exact>,
    /// Pairs that the answer does not have, and that it alone has.
    added: Vec<(Id<'a>, Id<'a>)>,
    dropped: Vec<(Id<'a>, Id<'a>)>,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report<'_>) -> String {
    timed(|| document(report), &report.spent)
}

fn document<'a>(report: &'a Report<'_>) -> Document<'a> {
    let id = |position: usize| report.names.id(position);
    let ids = |positions: &[usize]| positions.iter().map(|&position| id(position)).collect::<Vec<_>>();
    let exact = |value: i128| Exact::from(report.number(value));
    let matched = report.outcome.matched();
    let pairs = matched.map_or(&[][..], |matched| &matched.pairs);
    let witness = match report.outcome {
        Outcome::Infeasible(witness) => Some(Witness::Pairing(OddComponents::new(report, witness))),
        Outcome::Lacking(lack) => Some(Witness::Games(games::Witness::new(report, lack))),
        Outcome::Matched(_) | Outcome::Unknown { .. } | Outcome::Unexplained(_) => None,
    };
    Document {
        schema: SCHEMA,
        status: status(report.outcome),
        objective: report.sense(),
        problem: report.objective.word(),
        format: report.format.word(),
        vertices: report.names.len(),
        edges: report.edges,
        cost: matched.map(|matched| exact(matched.cost)),
        bound: report.bound().map(exact),
        gap: report.gap(),
        more_pairs: report.more_pairs(),
        worst: report.is_worst_first.then(|| worst::Document::new(report)),
        scale: literal(report.scale()),
        pairs: pairs
            .iter()
            .map(|&(u, v, cost)| (id(u), id(v), literal(report.number(cost))))
            .collect(),
        unmatched: matched.map_or_else(Vec::new, |matched| ids(&matched.unmatched)),
        games: (report.games.as_ref()).map(|games| games::Document::new(report, games)),
        certificate: Certificate {
            verified: report.certificate().is_some(),
            kind: report.certificate(),
        },
        witness,
        pool: pool_keys(report),
        explain: report.explained.as_ref().map(|explained| explain(report, explained)),
        engine: report.outcome.engine(),
        work: report.work(),
        stopped: report.stopped(),
        warnings: report.warnings,
    }
}

fn pool_keys<'a>(report: &'a Report<'_>) -> Option<PoolKeys<'a>> {
    let pool = report.pool.as_ref()?;
    let comparison = pool.comparison.iter().map(|compared| Comparison {
        pairing: word(compared.what),
        games: compared.games,
        idle: compared.idle,
        missing: compared.missing,
        cost: report.number(compared.cost).into(),
        worst: compared.worst.map(|worst| report.number(worst).into()),
        expected_retained: compared.expected_retained,
        mean_rating_gap: compared.mean_gap,
    });
    Some(PoolKeys {
        cost_model: pool.cost.word(),
        model: pool.fitted.as_ref().map(|fitted| Model {
            file: fitted.file.display().to_string(),
            horizon: fitted.horizon,
        }),
        seed: pool.seed,
        bye: pool
            .bye
            .map(|(player, cost)| (report.names.id(player), literal(report.number(cost)))),
        rematches: (pool.rematches.as_ref()).map(|rematches| rematches.document(report.names)),
        limits: (pool.limited.as_ref()).map(|limited| limited.document(report.names)),
        comparison: comparison.collect(),
        fairness: fairness(pool),
    })
}

fn word(pairing: Baseline) -> &'static str {
    match pairing {
        Baseline::This => "this",
        Baseline::Skill => "skill",
        Baseline::Random => "random",
    }
}

/// How parts of the pool fare, where that was asked and there is a pairing.
fn fairness(pool: &PoolReport<'_>) -> Option<Vec<Part>> {
    let segments = pool.segments.as_ref().filter(|_| !pool.comparison.is_empty())?;
    let metrics = |segment: usize| {
        let of = |compared: &Compared| {
            if let Some(measured) = compared.of_games.get(segment) {
                return Metrics::Games {
                    pairing: word(compared.what),
                    games: measured.games,
                    mean_rating_gap: measured.mean_rating_gap,
                    win_chance: measured.win_chance,
                    stay_chance: measured.stay_chance,
                };
            }
            let measured = compared.metrics[segment];
            Metrics::Pairing {
                pairing: word(compared.what),
                playing: measured.playing,
                mean_rating_gap: measured.mean_rating_gap,
                win_chance: measured.win_chance,
                expected_retained: measured.expected_retained,
            }
        };
        pool.comparison.iter().map(of).collect()
    };
    let parts = segments.iter().enumerate().map(|(number, segment)| Part {
        of: Of::new(&segment.kind, Strength::Rating),
        players: segment.players.len(),
        pairings: metrics(number),
    });
    Some(parts.collect())
}

fn explain<'a>(report: &'a Report<'_>, explained: &'a Explanations) -> Explained<'a> {
    let mut pairs: Vec<Explanation<'a>> = explained.pairs.iter().map(|pair| explanation(report, pair)).collect();
    match (explained.of, pairs.len()) {
        (Asked::Two(_), 1) => Explained::Pair(Box::new(pairs.remove(0))),
        (Asked::One(player) | Asked::Two([player, _]), _) => Explained::All(OfOne {
            id: report.names.id(player),
            pairs,
            stopped: report.explanation_stopped(),
        }),
    }
}

fn explanation<'a>(report: &'a Report<'_>, explained: &'a super::explain::Explained) -> Explanation<'a> {
    let (a, b) = explained.pair;
    let exact = |value: i128| Exact::from(report.number(value));
    let ids = |pairs: &[(usize, usize)]| {
        let ids = |&(u, v): &(usize, usize)| (report.names.id(u), report.names.id(v));
        pairs.iter().map(ids).collect()
    };
    let condition = |what_if: &WhatIf| Condition {
        status: what_if.status,
        pairs: what_if.pairs,
        cost: what_if.cost.map(exact),
        change: what_if.change.map(exact),
        added: ids(&what_if.added),
        dropped: ids(&what_if.dropped),
    };
    let terms = match &explained.about.terms {
        Terms::Weight => Vec::new(),
        Terms::Ratings(first, second) => {
            vec![BTreeMap::from([
                ("rating_a", Term::Number(*first)),
                ("rating_b", Term::Number(*second)),
            ])]
        }
        Terms::Engagement(terms) => {
            let rows = super::text::outcome_rows(terms);
            let entries = rows.into_iter().map(|row| {
                BTreeMap::from([
                    ("outcome", Term::Word(row.word)),
                    ("probability", Term::Number(row.probability)),
                    ("churn_a", Term::Number(row.churn_first)),
                    ("churn_b", Term::Number(row.churn_second)),
                    ("term", Term::Number(row.term)),
                ])
            });
            entries.collect()
        }
    };
    let limited = report.pool.as_ref().and_then(|pool| pool.limited.as_ref());
    Explanation {
        pair: (report.names.id(a), report.names.id(b)),
        cost: explained.cost.map(exact),
        chosen: explained.is_chosen,
        terms,
        rematch_cost: report.rematch_cost(explained).map(Exact::from),
        region_cost: report.region_cost(explained).map(Exact::from),
        apart: limited.map(|_| explained.about.separations.iter().map(limits::Reason::new).collect()),
        drivers: drivers(report, explained),
        forced: explained.forced.as_ref().map(condition),
        forbidden: condition(&explained.forbidden),
        stopped: report.stopped_for(explained),
    }
}

/// What drives the risk of the two, where a fitted model says so.
fn drivers<'a>(report: &'a Report<'_>, explained: &'a super::explain::Explained) -> Option<Vec<Drivers<'a>>> {
    let ((a, b), both) = (explained.pair, explained.about.drivers.as_ref()?);
    let of = |(player, drivers): (usize, &'a Vec<Driver>)| Drivers {
        id: report.names.id(player),
        features: drivers
            .iter()
            .map(|driver| Feature {
                name: &driver.name,
                value: driver.value,
                effect: driver.effect,
            })
            .collect(),
    };
    Some([a, b].into_iter().zip(both).map(of).collect())
}
