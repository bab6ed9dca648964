//! Why two are a pair, or are not: what it would change if they were forced, and if they were forbidden.

use std::any::Any;

use matching_core::{Blossom, Explanation, Solution as Pairing, WhatIf};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::{self, VerifyError};
use crate::input::Input;
use crate::number::{Number, Total};
use crate::pairing::{Answer, Instance, Solution, Way, name_of, precision, reason_of, run_engine, same};
use crate::run;

/// What a [`Problem`](crate::pairing::Problem) does about single pairs of an answer.
pub(crate) trait Explains {
    /// The pair is two different vertices of the answer.
    fn explain(&self, answer: &dyn Answer, pair: (usize, usize), way: Way) -> PyResult<Box<dyn Reason>>;
    fn verify_reason(&self, answer: &dyn Answer, reason: &dyn Reason) -> PyResult<()>;
}

/// An explanation of whatever number type.
pub(crate) trait Reason: Any + Send + Sync {
    fn told(&self, is_negated: bool) -> Told;
}

impl<V: Number> Explains for Input<V> {
    fn explain(&self, answer: &dyn Answer, (u, v): (usize, usize), way: Way) -> PyResult<Box<dyn Reason>> {
        let solution: &Pairing<V> = same::<_, V>(answer)?;
        let solver = Blossom::new().precision(precision(way.rounded));
        let explanation = solver
            .budget(way.budget)
            .threads(way.threads)
            .explain(self, solution, u, v);
        let explanation = explanation.map_err(|error| failure::of_pairing(&error))?;
        Ok(Box::new(explanation))
    }

    fn verify_reason(&self, answer: &dyn Answer, reason: &dyn Reason) -> PyResult<()> {
        let solution: &Pairing<V> = same::<_, V>(answer)?;
        let explanation: &Explanation<V> = same::<_, V>(reason)?;
        explanation
            .verify(self, solution)
            .map_err(|error| VerifyError::new_err(error.to_string()))
    }
}

/// All that is said of a pair.
#[derive(Debug, IntoPyObject)]
pub(crate) struct Told {
    cost: Option<Total>,
    is_chosen: bool,
    forced: Option<ToldWhatIf>,
    forbidden: ToldWhatIf,
}

/// The best there is under one more condition.
#[derive(Debug, IntoPyObject)]
struct ToldWhatIf {
    status: &'static str,
    reason: Option<String>,
    pairs: Option<Vec<(usize, usize)>>,
    cost: Option<Total>,
    bound: Option<Total>,
    change: Option<Total>,
    work: Option<u64>,
    removed: Vec<usize>,
    odd_components: Vec<Vec<usize>>,
}

impl<V: Number> Reason for Explanation<V> {
    fn told(&self, is_negated: bool) -> Told {
        let signed = |total: Total| if is_negated { total.negated() } else { total };
        let (u, v) = self.pair();
        // Behind vertices that are taken out, the others have moved up.
        let back = |vertex: usize| {
            let vertex = vertex + usize::from(vertex >= u);
            vertex + usize::from(vertex >= v)
        };
        let forced = self.forced();
        Told {
            cost: self.cost().map(|cost| signed(cost.to_total().into())),
            is_chosen: self.is_chosen(),
            forced: forced.map(|what_if| ToldWhatIf::of(what_if, signed, back)),
            forbidden: ToldWhatIf::of(self.forbidden(), signed, |vertex| vertex),
        }
    }
}

impl ToldWhatIf {
    /// Totals in the sense of whoever asks, and vertices of the witness as the whole instance has them.
    fn of<V: Number>(what_if: &WhatIf<V>, signed: impl Fn(Total) -> Total, back: impl Fn(usize) -> usize) -> Self {
        let total = |total: Option<V::Total>| total.map(|total| signed(total.into()));
        let named = |vertices: &[usize]| vertices.iter().map(|&vertex| back(vertex)).collect();
        let witness = what_if.witness();
        Self {
            status: what_if.status().map_or("infeasible", name_of),
            reason: what_if.status().and_then(reason_of),
            pairs: what_if.pairs().map(|pairs| pairs.map(|(u, v, _)| (u, v)).collect()),
            cost: total(what_if.cost()),
            bound: total(what_if.bound()),
            change: total(what_if.change()),
            work: what_if.work(),
            removed: witness.map_or_else(Vec::new, |witness| named(witness.removed())),
            odd_components: witness.map_or_else(Vec::new, |witness| {
                witness.odd_components().iter().map(|part| named(part)).collect()
            }),
        }
    }
}

/// An explanation of one pair, with the proofs.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Why {
    reason: Box<dyn Reason>,
    is_negated: bool,
}

#[pymethods]
impl Why {
    /// Asks about a pair of an answer to this instance.
    #[new]
    #[pyo3(signature = (instance, solution, u, v, *, seconds=None, work=None, threads=0, rounded=false))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn new(
        py: Python<'_>,
        instance: &Instance,
        solution: &Solution,
        u: usize,
        v: usize,
        seconds: Option<f64>,
        work: Option<u64>,
        threads: usize,
        rounded: bool,
    ) -> PyResult<Self> {
        instance.check_sign(solution)?;
        let len = instance.problem.len();
        if u >= len || v >= len || u == v {
            return Err(PyValueError::new_err(format!(
                "({u}, {v}) is no pair of {len} vertices; give two different ones, numbered from 0"
            )));
        }
        let problem = &*instance.problem;
        let budget = run::budget(seconds, work)?;
        let explain = |way| problem.explain(&*solution.answer, (u, v), way);
        Ok(Self {
            reason: run_engine(py, problem.is_small(), (threads, rounded), budget, explain)?,
            is_negated: instance.is_negated,
        })
    }

    fn told(&self) -> Told {
        self.reason.told(self.is_negated)
    }

    /// Checks it against the instance and the answer that it is about; raises `VerifyError`.
    fn verify(&self, py: Python<'_>, instance: &Instance, solution: &Solution) -> PyResult<()> {
        instance.check_sign(solution)?;
        instance.check(py, || instance.problem.verify_reason(&*solution.answer, &*self.reason))
    }
}
