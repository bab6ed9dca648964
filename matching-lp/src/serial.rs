//! Answers and proofs to files and back. Feature `serde`.
//!
//! What is read is held together by what its own type promises and no more: whether it is true of a problem,
//! [`Solution::verify`](crate::Solution::verify) says, and it takes any value that can be read. A proof writes each of
//! its cuts once, since steps have most of them in common.

use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use matching_core::CostValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::certificate::{Certificate, Step};
use crate::cut::Cut;
use crate::duals::Duals;
use crate::grid::nothing;
use crate::levels::{Level, Levels, Proof};
use crate::solution::{Solution, Status};

/// Why something that was read is no answer, whatever the problem is.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// A cost or a bound is NaN or infinite.
    NotANumber(&'static str),
    /// Groups of an answer that says that there are none.
    GroupsOfUnknown,
    /// A step names a cut that is not there.
    NoSuchCut { step: usize, cut: usize, cuts: usize },
    /// A proof has both steps and the duals of a pairing.
    TwoProofs,
    /// Not one proof for each level, or none at all.
    Proofs { levels: usize, proofs: usize },
    /// Not one weight for each cost up to the one that is proven.
    Weights { level: usize, weights: usize },
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber(name) => write!(f, "the {name} must be a finite number"),
            Self::GroupsOfUnknown => write!(
                f,
                "an answer of status Unknown must have no groups, and nobody who waits"
            ),
            Self::NoSuchCut { step, cut, cuts } => {
                write!(
                    f,
                    "step {step} of the certificate names cut {cut}, but there are {cuts}"
                )
            }
            Self::TwoProofs => write!(f, "a certificate must have steps or the duals of a pairing, not both"),
            Self::Proofs { levels, proofs } => {
                write!(
                    f,
                    "there are {proofs} proofs for {levels} levels; each level must have one"
                )
            }
            Self::Weights { level, weights } => write!(
                f,
                "the proof of level {level} has {weights} weights instead of {}",
                level + 1
            ),
        }
    }
}

/// A bound as it is written: nothing where nothing is known of floats, which is minus infinity and no number in JSON.
pub(crate) fn write_bound<T: CostValue + Serialize, S: Serializer>(
    bound: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    bound.is_number().then_some(bound).serialize(serializer)
}

/// The same as it is read. It has to be there.
fn read_bound<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// A solution as it is read.
#[derive(Deserialize)]
#[serde(rename = "Solution", bound = "T: Deserialize<'de>")]
pub(crate) struct UncheckedSolution<T> {
    groups: Vec<Vec<usize>>,
    bench: Vec<usize>,
    cost: T,
    #[serde(deserialize_with = "read_bound")]
    bound: Option<T>,
    status: Status,
    certificate: Certificate,
    pool: usize,
    work: u64,
    elapsed: Duration,
    seed: u64,
}

impl<V: CostValue> TryFrom<UncheckedSolution<V::Total>> for Solution<V> {
    type Error = Unreadable;

    fn try_from(read: UncheckedSolution<V::Total>) -> Result<Self, Unreadable> {
        let UncheckedSolution {
            groups,
            bench,
            cost,
            bound,
            status,
            certificate,
            pool,
            work,
            elapsed,
            seed,
        } = read;
        if !cost.is_number() {
            return Err(Unreadable::NotANumber("cost"));
        }
        if bound.is_some_and(|bound| !bound.is_number()) {
            return Err(Unreadable::NotANumber("bound"));
        }
        if matches!(status, Status::Unknown(_)) && !(groups.is_empty() && bench.is_empty()) {
            return Err(Unreadable::GroupsOfUnknown);
        }
        Ok(Self {
            groups,
            bench,
            cost,
            bound: bound.unwrap_or_else(nothing::<V>),
            status,
            certificate,
            pool,
            work,
            elapsed,
            seed,
        })
    }
}

/// A proof as it is written and read.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Certificate")]
pub(crate) struct Written {
    steps: Vec<WrittenStep>,
    cuts: Vec<Cut>,
    pairing: Option<matching_core::Certificate>,
    doublings: u32,
}

/// A step, with cuts by their numbers.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Step")]
enum WrittenStep {
    Tighten { rows: Vec<i64>, cuts: Vec<(usize, i64)> },
    List,
    Split(u16, u16),
    Waits(u16),
    End,
}

impl From<Certificate> for Written {
    fn from(certificate: Certificate) -> Self {
        let mut numbers: BTreeMap<Arc<Cut>, usize> = BTreeMap::new();
        let mut cuts: Vec<Cut> = Vec::new();
        let mut number = |cut: Arc<Cut>| {
            *numbers.entry(cut).or_insert_with_key(|cut| {
                cuts.push(Cut::clone(cut));
                cuts.len() - 1
            })
        };
        let mut step = |step: Step| match step {
            Step::Tighten(Duals { rows, cuts }) => WrittenStep::Tighten {
                rows,
                cuts: cuts.into_iter().map(|(cut, dual)| (number(cut), dual)).collect(),
            },
            Step::List => WrittenStep::List,
            Step::Split(a, b) => WrittenStep::Split(a, b),
            Step::Waits(unit) => WrittenStep::Waits(unit),
            Step::End => WrittenStep::End,
        };
        let steps = certificate.steps.into_iter().map(&mut step).collect();
        Self {
            steps,
            cuts,
            pairing: certificate.pairing,
            doublings: certificate.doublings,
        }
    }
}

impl TryFrom<Written> for Certificate {
    type Error = Unreadable;

    fn try_from(read: Written) -> Result<Self, Unreadable> {
        if read.pairing.is_some() && !read.steps.is_empty() {
            return Err(Unreadable::TwoProofs);
        }
        let all: Vec<Arc<Cut>> = read.cuts.into_iter().map(Arc::new).collect();
        let cut = |step: usize, cut: usize| {
            let cuts = all.len();
            let found = all.get(cut).map(Arc::clone);
            found.ok_or(Unreadable::NoSuchCut { step, cut, cuts })
        };
        let step = |(number, step): (usize, WrittenStep)| {
            Ok(match step {
                WrittenStep::Tighten { rows, cuts } => {
                    let cuts = cuts.into_iter();
                    let cuts = cuts.map(|(named, dual)| Ok((cut(number, named)?, dual)));
                    Step::Tighten(Duals {
                        rows,
                        cuts: cuts.collect::<Result<_, _>>()?,
                    })
                }
                WrittenStep::List => Step::List,
                WrittenStep::Split(a, b) => Step::Split(a, b),
                WrittenStep::Waits(unit) => Step::Waits(unit),
                WrittenStep::End => Step::End,
            })
        };
        Ok(Self {
            steps: read.steps.into_iter().enumerate().map(step).collect::<Result<_, _>>()?,
            pairing: read.pairing,
            doublings: read.doublings,
        })
    }
}

/// Levels as they are read.
#[derive(Deserialize)]
#[serde(rename = "Levels")]
pub(crate) struct UncheckedLevels {
    groups: Vec<Vec<usize>>,
    bench: Vec<usize>,
    levels: Vec<Level>,
    proofs: Vec<Proof>,
}

impl TryFrom<UncheckedLevels> for Levels {
    type Error = Unreadable;

    fn try_from(read: UncheckedLevels) -> Result<Self, Unreadable> {
        let UncheckedLevels {
            groups,
            bench,
            levels,
            proofs,
        } = read;
        if levels.is_empty() || levels.len() != proofs.len() {
            return Err(Unreadable::Proofs {
                levels: levels.len(),
                proofs: proofs.len(),
            });
        }
        for (level, proof) in proofs.iter().enumerate() {
            let weights = proof.weights.len();
            if weights != level + 1 {
                return Err(Unreadable::Weights { level, weights });
            }
        }
        Ok(Self {
            groups,
            bench,
            levels,
            proofs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// JSON has no words for these, other formats do.
    #[test]
    fn costs_and_bounds_that_are_no_numbers_are_refused() {
        let read = |cost: f64, bound: Option<f64>| {
            Solution::<f64>::try_from(UncheckedSolution {
                groups: vec![vec![0, 1]],
                bench: Vec::new(),
                cost,
                bound,
                status: Status::Optimal,
                certificate: Certificate::default(),
                pool: 0,
                work: 0,
                elapsed: Duration::ZERO,
                seed: 0,
            })
        };
        assert_eq!(read(1.0, None).expect("nothing known").bound(), f64::NEG_INFINITY);
        assert_eq!(read(1.0, Some(0.5)).expect("numbers").bound(), 0.5);
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let refused = |cost, bound| read(cost, bound).expect_err("no number").to_string();
            assert_eq!(refused(wrong, Some(0.5)), "the cost must be a finite number");
            assert_eq!(refused(1.0, Some(wrong)), "the bound must be a finite number");
        }
    }
}
