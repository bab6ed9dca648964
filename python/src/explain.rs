//! Why a player is where he is, and why two are together or apart, as plain data.

use matching_heuristics::{Exchange, Explanation, Obstacle, PairExplanation};
use pyo3::prelude::*;

use crate::number::{Number, Total};

/// What was asked about.
#[derive(Debug, IntoPyObject)]
pub(crate) enum Explained {
    Player(OfPlayer),
    Pair(OfPair),
}

/// An explanation of one player, of whatever number type.
#[derive(Debug, IntoPyObject)]
pub(crate) struct OfPlayer {
    party: Vec<usize>,
    group: Option<usize>,
    cost: Total,
    pairs: Vec<(usize, Total)>,
    exchanges: Vec<Exchanged>,
    left_out: u64,
    stop: String,
}

/// An explanation of two players, of whatever number type.
#[derive(Debug, IntoPyObject)]
pub(crate) struct OfPair {
    groups: (Option<usize>, Option<usize>),
    is_party: bool,
    cost: Option<Total>,
    obstacle: Option<String>,
    exchanges: Vec<Exchanged>,
    left_out: u64,
    stop: String,
}

/// One exchange: with how much the total rises, or why it is not allowed.
#[derive(Debug, IntoPyObject)]
struct Exchanged {
    leave: Vec<Vec<usize>>,
    origin: Option<usize>,
    come: Vec<Vec<usize>>,
    to: Option<usize>,
    change: Option<Total>,
    reason: Option<String>,
}

/// A total in the sense of whoever asks, where costs have changed their sign.
fn signed(total: Total, is_negated: bool) -> Total {
    if is_negated { total.negated() } else { total }
}

fn exchanged<V: Number>(exchanges: &[Exchange<V>], is_negated: bool) -> Vec<Exchanged> {
    let exchanged = |exchange: &Exchange<V>| {
        let outcome = exchange.outcome();
        Exchanged {
            leave: exchange.leave().to_vec(),
            origin: exchange.from(),
            come: exchange.come().to_vec(),
            to: exchange.to(),
            change: outcome.ok().map(|change| signed(change.into(), is_negated)),
            reason: outcome.err().map(ToString::to_string),
        }
    };
    exchanges.iter().map(exchanged).collect()
}

impl OfPlayer {
    pub(crate) fn new<V: Number>(explanation: &Explanation<V>, is_negated: bool) -> Self {
        let pairs = explanation.pairs().iter();
        Self {
            party: explanation.party().to_vec(),
            group: explanation.group(),
            cost: signed(explanation.cost().into(), is_negated),
            pairs: pairs
                .map(|pair| (pair.player, signed(pair.cost.to_total().into(), is_negated)))
                .collect(),
            exchanges: exchanged(explanation.exchanges(), is_negated),
            left_out: explanation.left_out(),
            stop: explanation.stop().to_string(),
        }
    }
}

impl OfPair {
    pub(crate) fn new<V: Number>(explanation: &PairExplanation<V>, is_negated: bool) -> Self {
        let cost = explanation.cost();
        Self {
            groups: explanation.groups().into(),
            is_party: explanation.is_party(),
            cost: cost.map(|cost| signed(cost.to_total().into(), is_negated)),
            obstacle: explanation.obstacle().map(in_words),
            exchanges: exchanged(explanation.exchanges(), is_negated),
            left_out: explanation.left_out(),
            stop: explanation.stop().to_string(),
        }
    }
}

/// Why two are together in no grouping at all.
fn in_words(obstacle: &Obstacle) -> String {
    match *obstacle {
        Obstacle::Forbidden { i, j } => format!("players {i} and {j} must not be together"),
        Obstacle::Pinned { groups: [one, other] } => {
            format!("the first one is pinned to group {one}, the other one to group {other}")
        }
        Obstacle::TooLarge { members, most } => {
            format!("their parties have {members} members, and a group that may hold both has at most {most}")
        }
        // The library may come to know of more.
        ref other => format!("{other:?}"),
    }
}
