//! M. Xu, Y. Yu, C. Wu, "Rule designs for optimal online game matchmaking", statement by statement.
//!
//! What is computed comes from the models of [`crate::models::xu`] alone, per player: waits are those of tagged parties in
//! their chains. Of players who choose sides the means (13) to (15), the shares of time and what (31) to (33) say of
//! waits come from the closed forms of [`Sides`](crate::models::xu::Sides), which are derived there, and which tests
//! compare with the chain cut off where next to nobody waits: of these the claims say that the paper's formulas are the
//! same.

mod figures;
mod queues;
mod remarks;
mod sides;
mod sides_remarks;
mod transforms;
mod zones;
mod zones_remarks;

#[cfg(test)]
mod tests;

use super::{Claim, Paper, Point, Remedy, Statement, Value};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

/// All claims of the paper, in its order by subject: one queue or two, choosing sides, two zones; last the chains of its
/// figures.
///
/// # Complexity
/// A second or so: exact fractions, small chains.
pub fn xu() -> Vec<Claim> {
    stated().map(Stated::judge).collect()
}

/// The claim with this label.
pub(super) fn find(label: &str) -> Option<Claim> {
    stated()
        .find(|stated| stated.statement.label == label)
        .map(Stated::judge)
}

fn stated() -> impl Iterator<Item = Stated> {
    let parts = [
        queues::claims(),
        remarks::claims(),
        sides::claims(),
        transforms::claims(),
        sides_remarks::claims(),
        zones::claims(),
        zones_remarks::claims(),
        figures::claims(),
    ];
    parts.into_iter().flatten()
}

/// A claim, judged when that is asked for: some take long.
struct Stated {
    statement: Statement,
    points: Box<dyn FnOnce() -> Vec<Point>>,
}

impl Stated {
    fn new(statement: Statement, points: impl FnOnce() -> Vec<Point> + 'static) -> Self {
        Self {
            statement,
            points: Box::new(points),
        }
    }

    fn judge(self) -> Claim {
        self.statement.judge((self.points)())
    }
}

/// What a formula gives, or why it gives nothing.
type Answer = Result<Rational, Error>;

/// A formula of the paper in `N` parameters, and what there is to compare it with.
#[derive(Clone)]
struct Formula<const N: usize> {
    label: &'static str,
    statement: &'static str,
    names: [&'static str; N],
    /// As the paper prints it.
    printed: fn(&[Rational; N]) -> Answer,
    /// By the chain.
    computed: fn(&[Rational; N]) -> Answer,
    remedy: Remedy,
    /// What the remedy says; unused where there is none.
    corrected: fn(&[Rational; N]) -> Answer,
}

impl<const N: usize> Formula<N> {
    /// A formula without a remedy.
    fn new(
        label: &'static str,
        statement: &'static str,
        names: [&'static str; N],
        printed: fn(&[Rational; N]) -> Answer,
        computed: fn(&[Rational; N]) -> Answer,
    ) -> Self {
        Self {
            label,
            statement,
            names,
            printed,
            computed,
            remedy: Remedy::None,
            corrected: printed,
        }
    }

    /// The same with what is true instead.
    fn corrected(mut self, text: &'static str, form: fn(&[Rational; N]) -> Answer) -> Self {
        self.remedy = Remedy::Correction(text);
        self.corrected = form;
        self
    }

    /// The same with how it must be read.
    fn read_as(mut self, text: &'static str, form: fn(&[Rational; N]) -> Answer) -> Self {
        self.remedy = Remedy::Reading(text);
        self.corrected = form;
        self
    }

    /// The claim, by these points.
    fn at(self, points: &[[Rational; N]]) -> Stated {
        let statement = Statement {
            paper: Paper::Xu,
            label: self.label,
            statement: self.statement,
            remedy: self.remedy,
        };
        let points = points.to_vec();
        Stated::new(statement, move || points.iter().map(|x| self.point(x)).collect())
    }

    fn point(&self, x: &[Rational; N]) -> Point {
        let has_remedy = !matches!(self.remedy, Remedy::None);
        Point {
            at: self.names.into_iter().zip(x.iter().cloned()).collect(),
            printed: (self.printed)(x).ok().map(Value::from),
            // A value that agrees with none, where there is no answer.
            computed: (self.computed)(x).map_or_else(|_| Value::from(f64::NAN), Value::from),
            corrected: (self.corrected)(x).ok().filter(|_| has_remedy).map(Value::from),
            simulated: None,
        }
    }
}

/// The fraction `n / d`.
fn q(n: i64, d: i64) -> Rational {
    Rational::ratio(n, d)
}

/// The integer `n`.
fn int(n: i64) -> Rational {
    q(n, 1)
}

fn pow(x: &Rational, n: usize) -> Rational {
    num_traits::pow(x.clone(), n)
}

/// 1 for true, 0 for false: statements without a formula are about this.
fn truth(is_true: bool) -> Answer {
    Ok(int(i64::from(is_true)))
}

/// What a statement without a formula says: that it is true.
fn says_so<const N: usize>(_: &[Rational; N]) -> Answer {
    Ok(int(1))
}

/// The statement is false instead.
fn is_false<const N: usize>(_: &[Rational; N]) -> Answer {
    Ok(int(0))
}
