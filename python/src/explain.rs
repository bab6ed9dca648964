//! Why a player is where he is, as plain data.

use matching_heuristics::{Exchange, Explanation};
use pyo3::prelude::*;

use crate::number::{Number, Total};

/// An explanation of whatever number type.
#[derive(Debug, IntoPyObject)]
pub(crate) struct Explained {
    party: Vec<usize>,
    group: Option<usize>,
    cost: Total,
    pairs: Vec<(usize, Total)>,
    exchanges: Vec<Exchanged>,
    left_out: u64,
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

impl Explained {
    /// In the sense of whoever asks, where costs have changed their sign.
    pub(crate) fn new<V: Number>(explanation: &Explanation<V>, is_negated: bool) -> Self {
        let signed = |total: Total| if is_negated { total.negated() } else { total };
        let exchanged = |exchange: &Exchange<V>| {
            let outcome = exchange.outcome();
            Exchanged {
                leave: exchange.leave().to_vec(),
                origin: exchange.from(),
                come: exchange.come().to_vec(),
                to: exchange.to(),
                change: outcome.ok().map(|change| signed(change.into())),
                reason: outcome.err().map(ToString::to_string),
            }
        };
        let pairs = explanation.pairs().iter();
        Self {
            party: explanation.party().to_vec(),
            group: explanation.group(),
            cost: signed(explanation.cost().into()),
            pairs: pairs
                .map(|pair| (pair.player, signed(pair.cost.to_total().into())))
                .collect(),
            exchanges: explanation.exchanges().iter().map(exchanged).collect(),
            left_out: explanation.left_out(),
        }
    }
}
