//! What there is to recommend, before it becomes text or JSON.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use markov::claims::{self, Claim, Paper, Value, Verdict};

use crate::cli::json::Spent;

/// A finished run.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) recommendations: Vec<Recommendation>,
    pub(super) spent: Spent,
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
    /// What is true instead, or how it must be read, where it is not true as printed.
    pub(super) correction: Option<&'static str>,
}

/// A number that speaks for or against an answer.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: Cow<'static, str>,
    pub(super) unit: &'static str,
    /// From the chain.
    pub(super) value: Value,
    /// From the paper's formula; none where it has none.
    pub(super) printed: Option<Value>,
    pub(super) basis: Option<Basis>,
}

/// A figure without a formula beside it.
pub(super) fn figure(name: impl Into<Cow<'static, str>>, unit: &'static str, value: impl Into<Value>) -> Figure {
    Figure {
        name: name.into(),
        unit,
        value: value.into(),
        printed: None,
        basis: None,
    }
}

impl Figure {
    /// The same beside what a formula of a paper gives.
    pub(super) fn beside(mut self, printed: Option<Value>, basis: Basis) -> Self {
        self.printed = printed;
        self.basis = Some(basis);
        self
    }
}

/// Players of neighbouring ratings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Band {
    /// Lowest and highest rating in it.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) players: usize,
    /// Players rated above this are the high ones; where nobody is, those rated as high.
    pub(super) split: f64,
    /// How many these are.
    pub(super) high: usize,
}

/// A formula of a paper: the label of the claim that it is checked under, and what it says.
pub(super) type Formula = (&'static str, &'static str);

/// What became of a claim, and what is true instead.
type Finding = Option<(Verdict, Option<&'static str>)>;

/// The verdicts on the papers' claims, each found out when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    known: Mutex<HashMap<(Paper, &'static str), Finding>>,
}

impl Verdicts {
    /// A formula under its claim's label, with the verdict on that claim.
    pub(super) fn basis(&self, paper: Paper, (label, formula): Formula) -> Basis {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let earlier = known().get(&(paper, label)).copied();
        // Not under the lock: a thread that helps another one out while it computes may come here again.
        let finding = earlier.unwrap_or_else(|| claims::find(paper, label).as_ref().map(finding));
        known().insert((paper, label), finding);
        Basis {
            formula,
            verdict: finding.map(|(verdict, _)| verdict),
            correction: finding.and_then(|(_, correction)| correction),
        }
    }
}

fn finding(claim: &Claim) -> (Verdict, Option<&'static str>) {
    (claim.verdict, claim.corrected_form.or(claim.reading))
}
