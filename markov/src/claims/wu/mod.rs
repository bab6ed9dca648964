//! What Q. Wu's "Dynamic matching with teams" says.
//!
//! Printed formulas are transcribed as they stand in [`printed`]; what they are compared with comes from the chains and
//! the decision process of [`models::wu`](crate::models::wu), in fractions.
//!
//! The paper lets `q`, the probability of a high player, be anything, and some of its statements fail at the two ends,
//! where players of one type only arrive: the chain then has pools that the empty one does not lead to, and what is
//! computed starts from the empty one. Such statements hold as read for `0 < q < 1`.

mod chain;
mod costs;
mod equilibrium;
mod facts;
mod implications;
mod optimality;
mod printed;
mod steps;
#[cfg(test)]
mod tests;

use crate::claims::{Claim, Paper, Point, Remedy, Statement, Value};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

/// The claims of Wu's paper, in the order of its text.
pub fn wu() -> Vec<Claim> {
    formulas().iter().map(Formula::judge).collect()
}

/// The claim with this label.
pub(super) fn find(label: &str) -> Option<Claim> {
    formulas()
        .iter()
        .find(|formula| formula.label == label)
        .map(Formula::judge)
}

fn formulas() -> Vec<Formula> {
    let parts = [
        optimality::before_the_theorem(),
        chain::formulas(),
        steps::formulas(),
        costs::formulas(),
        optimality::theorem(),
        implications::formulas(),
        equilibrium::formulas(),
    ];
    parts.into_iter().flatten().collect()
}

/// Parameters by name.
#[derive(Clone, Debug)]
struct At(Vec<(&'static str, Rational)>);

impl At {
    fn new(values: &[(&'static str, Rational)]) -> Self {
        Self(values.to_vec())
    }

    fn with(&self, name: &'static str, value: Rational) -> Self {
        let mut values = self.0.clone();
        values.push((name, value));
        Self(values)
    }

    /// The value of a parameter; zero for one that the point does not name.
    fn get(&self, name: &str) -> Rational {
        let named = self.0.iter().find(|(other, _)| *other == name);
        named.map_or_else(|| whole(0), |(_, value)| value.clone())
    }

    fn count(&self, name: &str) -> usize {
        self.get(name).to_float() as usize
    }

    fn n(&self) -> usize {
        self.count("n")
    }

    fn q(&self) -> Rational {
        self.get("q")
    }

    fn alpha(&self) -> Rational {
        self.get("alpha")
    }

    /// Whether players of both types arrive.
    fn has_two_types(&self) -> bool {
        self.q() > whole(0) && self.q() < whole(1)
    }
}

/// A statement with its formula, what it is compared with, and where.
#[derive(Clone)]
struct Formula {
    label: &'static str,
    statement: &'static str,
    points: Vec<At>,
    /// What the paper says.
    printed: fn(&At) -> Option<Rational>,
    /// What the chain or the process says.
    computed: fn(&At) -> Result<Rational, Error>,
    remedy: Remedy,
    /// Where what is printed is true as it stands: the points that a reading is about. A remedy may be about none.
    domain: fn(&At) -> bool,
    /// What is true elsewhere.
    elsewhere: fn(&At) -> Option<Rational>,
}

impl Formula {
    fn judge(&self) -> Claim {
        let point = |at: &At| Point {
            at: at.0.clone(),
            printed: (self.printed)(at).map(Value::from),
            // A value that agrees with none, where there is no answer.
            computed: (self.computed)(at).map_or_else(|_| Value::from(f64::NAN), Value::from),
            corrected: self.remedied(at).map(Value::from),
            simulated: None,
        };
        let statement = Statement {
            paper: Paper::Wu,
            label: self.label,
            statement: self.statement,
            remedy: self.remedy,
        };
        statement.judge(self.points.iter().map(point).collect())
    }

    /// What the remedy says. Within its domain that is the printed formula itself, so that a misprint there leaves no
    /// reading under which the statement is true.
    fn remedied(&self, at: &At) -> Option<Rational> {
        match self.remedy {
            Remedy::None => None,
            _ if (self.domain)(at) => (self.printed)(at),
            _ => (self.elsewhere)(at),
        }
    }
}

/// A statement without a remedy.
fn plain(
    label: &'static str,
    statement: &'static str,
    points: Vec<At>,
    printed: fn(&At) -> Option<Rational>,
    computed: fn(&At) -> Result<Rational, Error>,
) -> Formula {
    Formula {
        label,
        statement,
        points,
        printed,
        computed,
        remedy: Remedy::None,
        domain: |_| false,
        elsewhere: |_| None,
    }
}

impl Formula {
    /// The same statement, to be read as one about these points, and what is true elsewhere.
    fn read_for(
        mut self,
        reading: &'static str,
        domain: fn(&At) -> bool,
        elsewhere: fn(&At) -> Option<Rational>,
    ) -> Self {
        self.remedy = Remedy::Reading(reading);
        self.domain = domain;
        self.elsewhere = elsewhere;
        self
    }

    /// The same statement, read as one about players of both types, and what is true of one type.
    fn read_for_two_types(self, elsewhere: fn(&At) -> Option<Rational>) -> Self {
        self.read_for(TWO_TYPES, At::has_two_types, elsewhere)
    }
}

const TWO_TYPES: &str = "for 0 < q < 1, where players of both types arrive";

fn whole(value: usize) -> Rational {
    Rational::ratio(value as i64, 1)
}

/// One for a statement that is true, zero for one that is not.
fn truth(is_true: bool) -> Rational {
    whole(usize::from(is_true))
}

/// Team sizes 1 to 4 with five shares of high players.
fn grid() -> Vec<At> {
    let shares = [(1, 2), (1, 3), (2, 5), (9, 10), (1, 7)];
    let at = |n| move |&(p, q): &(i64, i64)| At::new(&[("n", whole(n)), ("q", Rational::ratio(p, q))]);
    (1..=4)
        .flat_map(|n| shares.iter().map(at(n)).collect::<Vec<_>>())
        .collect()
}

/// The grid and its two ends, where all players are of one type.
fn full_grid() -> Vec<At> {
    let ends = (1..=4).flat_map(|n| [0, 1].map(|q| At::new(&[("n", whole(n)), ("q", whole(q))])));
    grid().into_iter().chain(ends).collect()
}

/// Each point of a list with each of these values of one more parameter.
fn each(points: &[At], name: &'static str, values: &[Rational]) -> Vec<At> {
    let with = |at: &At| {
        values
            .iter()
            .map(|value| at.with(name, value.clone()))
            .collect::<Vec<_>>()
    };
    points.iter().flat_map(with).collect()
}
