//! What there is to recommend, before it becomes text or JSON.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use markov::claims::{self, Paper, Value, Verdict};

/// A finished run.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) recommendations: Vec<Recommendation>,
    pub(super) time: Duration,
}

/// An answer to one question about the rules of a game.
#[derive(Debug)]
pub(super) struct Recommendation {
    /// The question's name.
    pub(super) rule: &'static str,
    /// The answer.
    pub(super) value: &'static str,
    /// What decides.
    pub(super) basis: Basis,
    /// The players it is about, if not all.
    pub(super) band: Option<Band>,
    pub(super) figures: Vec<Figure>,
}

/// The formula of a paper that a number or an answer can be compared with, and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Basis {
    /// Label and formula in plain text.
    pub(super) formula: &'static str,
    /// None where the paper's statement is not among the claims.
    pub(super) verdict: Option<Verdict>,
}

/// A number that speaks for or against an answer.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// From the chain.
    pub(super) value: Value,
    /// From the paper's formula; none where it has none.
    pub(super) printed: Option<Value>,
    pub(super) basis: Option<Basis>,
}

/// Players of neighbouring ratings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    /// Lowest and highest rating in it.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) players: usize,
    /// Players rated above this are the high ones.
    pub(super) split: f64,
    /// How many these are.
    pub(super) high: usize,
}

/// The verdicts on the papers' claims, each found out when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Verdicts(Mutex<HashMap<(Paper, &'static str), Option<Verdict>>>);

impl Verdicts {
    /// A formula under its claim's label, with the verdict on that claim.
    pub(super) fn basis(&self, paper: Paper, (label, formula): (&'static str, &'static str)) -> Basis {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = known().get(&(paper, label)).copied();
        // Not under the lock: a thread that helps another one out while it computes may come here again.
        let verdict = earlier.unwrap_or_else(|| claims::find(paper, label).map(|claim| claim.verdict));
        known().insert((paper, label), verdict);
        Basis { formula, verdict }
    }
}
