//! What papers say, and what is true.
//!
//! Every numbered equation, lemma, theorem, stationary distribution and quoted number is a [`Claim`]: the printed
//! formula as code, and beside it what the chain or the process itself gives, in exact fractions wherever the chain is
//! finite. The verdict is computed from that comparison and from nothing else. Two papers are about chains and
//! processes, and their claims are here; [`Statement::judge`] serves others as well.
//!
//! With feature `serde` claims and their parts are written and not read: labels and statements are texts of this program, and a
//! verdict from a file would be one that nobody computed. A float that is not finite is no number of JSON, and `null` there.
//!
//! References: Q. Wu, "Dynamic matching with teams"; M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game
//! matchmaking".

mod curve;
mod polynomial;
#[cfg(feature = "serde")]
mod serial;
mod simulation;
mod wu;
mod xu;

pub use simulation::simulate;
pub use wu::wu;
pub use xu::xu;

use crate::scalar::{Rational, Scalar};

/// Where a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Paper {
    /// Q. Wu, "Dynamic matching with teams".
    Wu,
    /// M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking".
    Xu,
    /// C. Schlup, "Automatic game matching": its claims are in the crate `matchmaking`.
    Schlup,
    /// Z. Chen and others, "EOMM: An engagement optimized matchmaking framework": its claims are in the crate
    /// `matchmaking`.
    Eomm,
}

impl Paper {
    /// Its short name: `wu`, `xu`, `schlup` or `eomm`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wu => "wu",
            Self::Xu => "xu",
            Self::Schlup => "schlup",
            Self::Eomm => "eomm",
        }
    }
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Verdict {
    /// True as printed, at every point that was computed.
    Holds,
    /// Not true as printed word for word; true as its [`reading`](Claim::reading) says.
    HoldsAsRead,
    /// Not true.
    DoesNotHold,
}

impl Verdict {
    /// Its name: `holds`, `holds-as-read` or `does-not-hold`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsAsRead => "holds-as-read",
            Self::DoesNotHold => "does-not-hold",
        }
    }
}

/// A number, exact if it is known so.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Value {
    /// The number itself, if it is a fraction and was computed as one.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::fraction"))]
    pub exact: Option<Rational>,
    /// The nearest float.
    pub float: f64,
}

impl From<Rational> for Value {
    fn from(exact: Rational) -> Self {
        Self {
            float: exact.to_float(),
            exact: Some(exact),
        }
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Self {
        Self { exact: None, float }
    }
}

impl Value {
    /// Whether two numbers are the same: exactly, or to a relative 1e-9 where one of them is a float. What is infinite
    /// agrees with nothing else, and what is no number with nothing.
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (&self.exact, &other.exact) {
            (Some(one), Some(other)) => one == other,
            _ if self.float.is_infinite() || other.float.is_infinite() => self.float == other.float,
            _ => {
                let scale = self.float.abs().max(other.float.abs());
                (self.float - other.float).abs() <= 1e-9 * scale.max(1e-300)
            }
        }
    }
}

/// A mean of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// How many standard errors it lies above what was computed.
    pub z: f64,
}

/// One point at which a claim was put to the test.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Point {
    /// Parameters by name, as the paper calls them.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::parameters"))]
    pub at: Vec<(&'static str, Rational)>,
    /// What the printed formula gives; none where it has no value, such as a division by zero.
    pub printed: Option<Value>,
    /// What the chain or process gives.
    pub computed: Value,
    /// What the reading or the corrected form gives, where the claim has one.
    pub corrected: Option<Value>,
    /// What a simulation gives, if there was one.
    pub simulated: Option<Estimate>,
}

/// A statement of a paper, and how it fares.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Claim {
    /// The paper.
    pub paper: Paper,
    /// Its label there, such as `(7)` or `Lemma 3.1`, or a short quote.
    pub label: &'static str,
    /// What it says, in plain text.
    pub statement: &'static str,
    /// What became of it.
    pub verdict: Verdict,
    /// How it must be read to be true, if not word for word.
    pub reading: Option<&'static str>,
    /// The points, at least one.
    pub points: Vec<Point>,
    /// What is true instead, where it does not hold.
    pub corrected_form: Option<&'static str>,
}

/// A statement before it is put to the test.
#[derive(Clone, Copy, Debug)]
pub struct Statement {
    /// The paper.
    pub paper: Paper,
    /// Its label there.
    pub label: &'static str,
    /// What it says, in plain text.
    pub statement: &'static str,
    /// What the corrected values of its points are.
    pub remedy: Remedy,
}

/// What the corrected values of a statement's points are.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Remedy {
    /// There are none.
    None,
    /// What the statement says if it is read like this.
    Reading(&'static str),
    /// Something else that is true, found by us and not published.
    Correction(&'static str),
}

impl Statement {
    /// The verdict: by the printed values if they agree with the computed ones everywhere, else by a reading if its do.
    pub fn judge(self, points: Vec<Point>) -> Claim {
        let agrees = |value: &Option<Value>, point: &Point| {
            value.as_ref().is_some_and(|value| value.agrees_with(&point.computed))
        };
        let all = |value: fn(&Point) -> &Option<Value>| {
            !points.is_empty() && points.iter().all(|point| agrees(value(point), point))
        };
        let is_printed_right = all(|point| &point.printed);
        let is_corrected_right = all(|point| &point.corrected);
        let (verdict, reading, corrected_form) = match self.remedy {
            _ if is_printed_right => (Verdict::Holds, None, None),
            Remedy::Reading(text) if is_corrected_right => (Verdict::HoldsAsRead, Some(text), None),
            Remedy::Correction(text) if is_corrected_right => (Verdict::DoesNotHold, None, Some(text)),
            _ => (Verdict::DoesNotHold, None, None),
        };
        Claim {
            paper: self.paper,
            label: self.label,
            statement: self.statement,
            verdict,
            reading,
            points,
            corrected_form,
        }
    }
}

/// All claims of these papers, in this order; those of papers that other crates are about are not known here.
pub fn all(papers: &[Paper]) -> Vec<Claim> {
    let of = |paper: &Paper| match paper {
        Paper::Wu => wu(),
        Paper::Xu => xu(),
        Paper::Schlup | Paper::Eomm => Vec::new(),
    };
    papers.iter().flat_map(of).collect()
}

/// The claim of a paper with this label; only this one is computed.
pub fn find(paper: Paper, label: &str) -> Option<Claim> {
    match paper {
        Paper::Wu => wu::find(label),
        Paper::Xu => xu::find(label),
        Paper::Schlup | Paper::Eomm => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::{Claim, Paper, Value, all};
    use crate::scalar::{Rational, Scalar};

    /// All claims, computed once for all tests of them: that takes seconds.
    pub(super) static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| all(&[Paper::Wu, Paper::Xu]));

    /// Those of Xu alone.
    pub(super) fn of_xu() -> Vec<Claim> {
        let claims = CLAIMS.iter().filter(|claim| claim.paper == Paper::Xu);
        claims.cloned().collect()
    }

    /// The difference to a float that is infinite was compared with a part of that, and found small.
    #[test]
    fn what_is_infinite_agrees_with_nothing_else() {
        let third = Rational::ratio(1, 3);
        let values: [Value; 6] = [f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 1.0, 0.0, 1.0 / 3.0].map(Value::from);
        for (at, one) in values.iter().enumerate() {
            for (place, other) in values.iter().enumerate() {
                assert_eq!(one.agrees_with(other), at == place, "{one:?} {other:?}");
            }
            assert_eq!(one.agrees_with(&third.clone().into()), at == 5);
            assert!(!one.agrees_with(&f64::NAN.into()) && !Value::from(f64::NAN).agrees_with(one));
        }
        assert!(Value::from(1.0 + 9e-10).agrees_with(&1.0.into()) && !Value::from(1.0 + 2e-9).agrees_with(&1.0.into()));
        assert!(!Value::from(Rational::ratio(333_333_333_333, 1_000_000_000_000)).agrees_with(&third.into()));
    }
}
