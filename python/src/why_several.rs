//! Why two are partners where everybody has several, or are not.

use std::any::Any;

use matching_core::{BMatching, Blossom, Degrees, DegreesExplanation, DegreesWhatIf, EdgeList, Instance as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::{self, VerifyError};
use crate::input::Input;
use crate::lack::Lack;
use crate::number::{Number, Total};
use crate::pairing::{Instance, Way, name_of, precision, reason_of, run_engine, same};
use crate::run;
use crate::several::{Answer, Choice};

/// What a [`Problem`](crate::pairing::Problem) does about single pairs of an answer.
pub(crate) trait ExplainsSeveral {
    /// Whether any answer ends at once.
    fn is_quick(&self, answer: &dyn Answer) -> PyResult<bool>;
    /// The pair is two different vertices of the answer, the lower one first.
    fn explain_several(&self, answer: &dyn Answer, pair: (usize, usize), way: Way) -> PyResult<Box<dyn Reason>>;
    fn verify_several_reason(&self, answer: &dyn Answer, reason: &dyn Reason) -> PyResult<()>;
}

/// An explanation of whatever number type.
pub(crate) trait Reason: Any + Send + Sync {
    fn told(&self) -> Told;
}

/// An explanation, and why there is no answer with the pair, or without it, in plain terms.
struct Explained<V: Number> {
    explanation: DegreesExplanation<V>,
    forced: Option<Lack>,
    forbidden: Option<Lack>,
}

/// What is left without a pair, and how many partners there should be there if it is forced.
struct Rest<V: Number> {
    edges: EdgeList<V>,
    lowered: Degrees<V>,
}

impl<V: Number> Rest<V> {
    fn new(input: &Input<V>, degrees: &Degrees<V>, (u, v): (usize, usize)) -> PyResult<Self> {
        let edges = input.to_edges().map_err(|error| failure::of_pairing(&error))?;
        let others = edges.iter().filter(|&(one, other, _)| (one, other) != (u, v));
        let (mut least, mut most) = (degrees.least().to_vec(), degrees.most().to_vec());
        for end in [u, v] {
            (least[end], most[end]) = (least[end].saturating_sub(1), most[end].saturating_sub(1));
        }
        Ok(Self {
            edges: EdgeList::new(edges.len(), others).map_err(|error| failure::of_pairing(&error))?,
            lowered: Degrees::between(least, most),
        })
    }
}

/// Checks a reason that there is none, if there is such a reason.
fn verify_lack<V: Number>(lack: Option<&Lack>, edges: &EdgeList<V>, degrees: &Degrees<V>) -> PyResult<()> {
    let checked = lack.map_or(Ok(()), |lack| lack.verify(edges, degrees));
    checked.map_err(|error| VerifyError::new_err(error.to_string()))
}

impl<V: Number> ExplainsSeveral for Input<V> {
    fn is_quick(&self, answer: &dyn Answer) -> PyResult<bool> {
        let answer: &BMatching<V> = same::<_, V>(answer)?;
        Ok(self.has_few(answer.degrees().most().iter().copied()))
    }

    fn explain_several(&self, answer: &dyn Answer, (u, v): (usize, usize), way: Way) -> PyResult<Box<dyn Reason>> {
        let answer: &BMatching<V> = same::<_, V>(answer)?;
        let solver = Blossom::new().precision(precision(way.rounded));
        let explanation = solver
            .budget(way.budget)
            .threads(way.threads)
            .explain_degrees(self, answer, u, v);
        let explanation = explanation.map_err(|error| failure::of_pairing(&error))?;
        let witness = |what_if: Option<&DegreesWhatIf<V>>| what_if.and_then(DegreesWhatIf::witness).cloned();
        let (forced, forbidden) = (witness(explanation.forced()), witness(Some(explanation.forbidden())));
        let (forced, forbidden) = if forced.is_some() || forbidden.is_some() {
            let rest = Rest::new(self, answer.degrees(), (u, v))?;
            (
                forced.map(|witness| Lack::of(&rest.edges, &rest.lowered, &witness)),
                forbidden.map(|witness| Lack::of(&rest.edges, answer.degrees(), &witness)),
            )
        } else {
            (None, None)
        };
        Ok(Box::new(Explained {
            explanation,
            forced,
            forbidden,
        }))
    }

    fn verify_several_reason(&self, answer: &dyn Answer, reason: &dyn Reason) -> PyResult<()> {
        let answer: &BMatching<V> = same::<_, V>(answer)?;
        let explained: &Explained<V> = same::<_, V>(reason)?;
        let explanation = &explained.explanation;
        explanation
            .verify(self, answer)
            .map_err(|error| VerifyError::new_err(error.to_string()))?;
        if explained.forced.is_none() && explained.forbidden.is_none() {
            return Ok(());
        }
        let rest = Rest::new(self, answer.degrees(), explanation.pair())?;
        verify_lack(explained.forced.as_ref(), &rest.edges, &rest.lowered)?;
        verify_lack(explained.forbidden.as_ref(), &rest.edges, answer.degrees())
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
    added: Vec<(usize, usize)>,
    dropped: Vec<(usize, usize)>,
    cost: Option<Total>,
    bound: Option<Total>,
    change: Option<Total>,
    work: Option<u64>,
    removed: Vec<usize>,
    wanting: Vec<usize>,
    odd_components: Vec<Vec<usize>>,
    missing: u64,
    barred: Option<usize>,
}

impl<V: Number> Reason for Explained<V> {
    fn told(&self) -> Told {
        let explanation = &self.explanation;
        let forced = explanation.forced();
        Told {
            cost: explanation.cost().map(|cost| cost.to_total().into()),
            is_chosen: explanation.is_chosen(),
            forced: forced.map(|what_if| ToldWhatIf::of(what_if, self.forced.as_ref())),
            forbidden: ToldWhatIf::of(explanation.forbidden(), self.forbidden.as_ref()),
        }
    }
}

impl ToldWhatIf {
    fn of<V: Number>(what_if: &DegreesWhatIf<V>, lack: Option<&Lack>) -> Self {
        let total = |total: Option<V::Total>| total.map(Into::into);
        let lack = lack.cloned().unwrap_or_default();
        Self {
            status: what_if.status().map_or("infeasible", name_of),
            reason: what_if.status().and_then(reason_of),
            pairs: what_if.pairs().map(|pairs| pairs.map(|(u, v, _)| (u, v)).collect()),
            added: what_if.added().map(|(u, v, _)| (u, v)).collect(),
            dropped: what_if.dropped().map(|(u, v, _)| (u, v)).collect(),
            cost: total(what_if.cost()),
            bound: total(what_if.bound()),
            change: total(what_if.change()),
            work: what_if.work(),
            removed: lack.removed,
            wanting: lack.wanting,
            odd_components: lack.odd_components,
            missing: lack.missing,
            barred: what_if.barred(),
        }
    }
}

/// An explanation of one pair, with the proofs.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct WhySeveral {
    reason: Box<dyn Reason>,
}

#[pymethods]
impl WhySeveral {
    /// Asks about a pair of an answer to this instance.
    #[new]
    #[pyo3(signature = (instance, choice, u, v, *, seconds=None, work=None, threads=0, rounded=false))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn new(
        py: Python<'_>,
        instance: &Instance,
        choice: &Choice,
        u: usize,
        v: usize,
        seconds: Option<f64>,
        work: Option<u64>,
        threads: usize,
        rounded: bool,
    ) -> PyResult<Self> {
        let (problem, answer) = (&*instance.problem, &*choice.answer);
        let len = problem.len();
        if u >= v || v >= len {
            return Err(PyValueError::new_err(format!(
                "({u}, {v}) is no pair of {len} vertices; give two different ones, numbered from 0, the lower one first"
            )));
        }
        let budget = run::budget(seconds, work)?;
        let explain = |way| problem.explain_several(answer, (u, v), way);
        Ok(Self {
            reason: run_engine(py, problem.is_quick(answer)?, (threads, rounded), budget, explain)?,
        })
    }

    fn told(&self) -> Told {
        self.reason.told()
    }

    /// Checks it against the instance and the answer that it is about; raises `VerifyError`.
    fn verify(&self, py: Python<'_>, instance: &Instance, choice: &Choice) -> PyResult<()> {
        let problem = &*instance.problem;
        instance.check(py, || problem.verify_several_reason(&*choice.answer, &*self.reason))
    }
}
