//! The worst pair first, then the total.

use matching_core::{Blossom, Bottleneck, Error, Objective, Status, TutteBerge};
use pyo3::prelude::*;

use crate::failure::{self, VerifyError};
use crate::input::Input;
use crate::number::{Number, Total};
use crate::packed::Packed;
use crate::pairing::{Answer, Asked, Outcome, Way, precision, same};

/// The worst pair of a matching, and why none has a better one.
pub(crate) struct Worst {
    pub(crate) cost: Total,
    /// No matching's worst pair is better than this.
    pub(crate) bound: Total,
    pub(crate) witness: TutteBerge,
}

/// What the worst pair costs, what that of any matching does at least, and of the witness of that: removed vertices, and odd
/// components.
pub(crate) type Told = (Total, Total, Vec<usize>, Vec<Vec<usize>>);

/// An input that can be asked for the best worst pair.
pub(crate) trait WorstFirst {
    fn solve_worst(&self, asked: &Asked, way: Way) -> PyResult<Outcome>;
}

impl<V: Number> WorstFirst for Input<V> {
    fn solve_worst(&self, asked: &Asked, way: Way) -> PyResult<Outcome> {
        let objective: &Objective<V> = same::<_, V>(&**asked)?;
        let solver = Blossom::new()
            .objective(objective.clone())
            .precision(precision(way.rounded));
        match solver.budget(way.budget).threads(way.threads).solve_bottleneck(self) {
            Ok(answer) => Ok(Outcome::Solved(Box::new(answer))),
            Err(Error::NoPerfectMatching(witness)) => Ok(Outcome::Impossible(witness)),
            Err(error) => Err(failure::of_pairing(&error)),
        }
    }
}

/// Checks an answer of this kind; `None` if it is of another one.
pub(crate) fn verified<V: Number>(input: &Input<V>, answer: &dyn Answer) -> Option<PyResult<()>> {
    let answer = of_kind::<V>(answer)?;
    let checked = answer.verify(input);
    Some(checked.map_err(|error| VerifyError::new_err(error.to_string())))
}

/// An answer, if it is of this kind.
pub(crate) fn of_kind<V: Number>(answer: &dyn Answer) -> Option<&Bottleneck<V>> {
    let answer: &dyn core::any::Any = answer;
    answer.downcast_ref()
}

impl<V: Number> Answer for Bottleneck<V> {
    fn totals(&self) -> [Total; 2] {
        self.solution().totals()
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn work(&self) -> u64 {
        self.solution().work()
    }

    fn engine(&self) -> &'static str {
        self.solution().engine()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        Answer::pairs(self.solution())
    }

    fn mates(&self) -> Vec<i64> {
        self.solution().mates()
    }

    fn weights<'py>(&self, py: Python<'py>, negated: bool) -> Bound<'py, PyAny> {
        self.solution().weights(py, negated)
    }

    fn packed(&self) -> PyResult<Packed> {
        Packed::of::<V>(self)
    }

    fn is_worst_first(&self) -> bool {
        true
    }

    fn worst(&self) -> Option<Worst> {
        Some(Worst {
            cost: self.worst()?.to_total().into(),
            bound: self.bound()?.to_total().into(),
            witness: self.witness()?.clone(),
        })
    }
}
