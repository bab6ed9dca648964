//! What the EOMM paper claims, and what holds.
//!
//! Sections 3 and 4 are put to the test on pools of two to eight players, in exact fractions and over all their
//! pairings; Table 2 and what section 5.4 reads off it, by arithmetic and by what independent rounds can differ by. As
//! for the other papers, verdicts are computed and never rest on simulations.

mod equal_skill;
mod pairings;
mod printed;
mod spread;
mod theory;

use markov::Rational;
use markov::claims::{Claim, Paper, Point, Remedy, Statement, Value};

use crate::fractions::{int, truth};

/// All claims, in the paper's order.
///
/// # Examples
/// ```
/// use markov::claims::Verdict;
/// use matchmaking::eomm::claims;
///
/// let found = claims::all();
/// let best = found.iter().find(|claim| claim.label == "EOMM is instead always optimal").expect("a label");
/// assert_eq!(best.verdict, Verdict::Holds);
/// ```
pub fn all() -> Vec<Claim> {
    let mut claims = theory::before_section_4();
    claims.extend(equal_skill::claims());
    claims.extend(theory::section_4());
    claims.extend(spread::claims());
    claims.extend(printed::claims());
    claims
}

/// Parameters by name.
type At = Vec<(&'static str, Rational)>;

/// The three values of a point.
struct Tested {
    at: At,
    printed: Rational,
    computed: Rational,
    corrected: Option<Rational>,
}

impl Tested {
    fn new(at: At, printed: Rational, computed: Rational) -> Self {
        Self {
            at,
            printed,
            computed,
            corrected: None,
        }
    }

    /// A point of a statement that is printed as true.
    fn truth(at: At, is_true: bool) -> Self {
        Self::new(at, int(1), truth(is_true))
    }

    /// The same, with what the remedy says.
    fn or_rather(mut self, corrected: Rational) -> Self {
        self.corrected = Some(corrected);
        self
    }
}

/// The claim that these points judge.
fn judged(label: &'static str, statement: &'static str, remedy: Remedy, points: Vec<Tested>) -> Claim {
    let point = |tested: Tested| Point {
        at: tested.at,
        printed: Some(Value::from(tested.printed)),
        computed: Value::from(tested.computed),
        corrected: tested.corrected.map(Value::from),
        simulated: None,
    };
    let statement = Statement {
        paper: Paper::Eomm,
        label,
        statement,
        remedy,
    };
    statement.judge(points.into_iter().map(point).collect())
}

#[cfg(test)]
mod tests;
