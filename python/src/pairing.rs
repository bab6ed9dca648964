//! Pairing: what is asked, and what comes back.

use std::any::Any;

use matching_core::{
    Blossom, Bottleneck, Budget, CancelToken, Cost, Error, Objective, Precision, Solution as Pairing, Status,
    TutteBerge, verify,
};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::{self, VerifyError};
use crate::input::{self, Input, Sense, by_type};
use crate::number::{Number, Total};
use crate::packed::{Packed, by_name, unpacked};
use crate::run;
use crate::several::{self, Choice, NoChoice, Several};
use crate::sides::{self, Duals};
use crate::space;
use crate::what_if::Explains;
use crate::why_several::ExplainsSeveral;
use crate::worst::{self, Worst, WorstFirst};

/// What vertices that stay alone add, or partners that are missing.
#[derive(Debug, FromPyObject)]
pub(crate) enum Prices<'py> {
    Integers(PyReadonlyArray1<'py, i64>),
    Floats(PyReadonlyArray1<'py, f64>),
}

/// The objective, or how many partners there should be, of a number type that is not known here, behind which the typed one is.
pub(crate) type Asked = Box<dyn Any + Send + Sync>;

/// How to solve.
pub(crate) struct Way {
    pub(crate) rounded: bool,
    pub(crate) budget: Budget,
    /// As [`Blossom::threads`] has it.
    pub(crate) threads: usize,
}

/// An input of whatever number type.
pub(crate) trait Problem: Several + WorstFirst + Explains + ExplainsSeveral + Send + Sync {
    fn len(&self) -> usize;
    fn is_small(&self) -> bool;
    fn asked(&self, objective: &str, prices: Option<&Prices<'_>>, negate: bool) -> PyResult<Asked>;
    fn solve(&self, asked: &Asked, way: Way) -> PyResult<Outcome>;
    fn verify(&self, answer: &dyn Answer) -> PyResult<()>;
    fn verify_witness(&self, asked: &Asked, witness: &TutteBerge) -> PyResult<()>;
    fn verify_lack_of_pairs(&self, witness: &TutteBerge) -> PyResult<()>;
    fn pairs_at_most(&self, answer: &dyn Answer) -> PyResult<usize>;
}

/// An answer of whatever number type.
pub(crate) trait Answer: Any + Send + Sync {
    fn totals(&self) -> [Total; 2];
    fn status(&self) -> Status;
    fn work(&self) -> u64;
    fn engine(&self) -> &'static str;
    fn pairs(&self) -> Vec<(usize, usize)>;
    fn mates(&self) -> Vec<i64>;
    fn weights<'py>(&self, py: Python<'py>, negated: bool) -> Bound<'py, PyAny>;
    fn packed(&self) -> PyResult<Packed>;

    /// What so many rows, and the columns after them, are worth.
    fn duals(&self, _rows: usize, _is_negated: bool) -> Option<Duals> {
        None
    }

    fn is_worst_first(&self) -> bool {
        false
    }

    /// Where the worst pair came first, what there is to say of it.
    fn worst(&self) -> Option<Worst> {
        None
    }
}

pub(crate) enum Outcome {
    Solved(Box<dyn Answer>),
    Impossible(TutteBerge),
}

/// What an answer or an objective has to be of.
pub(crate) fn same<T: 'static, V: Number>(any: &dyn Any) -> PyResult<&T> {
    any.downcast_ref::<T>().ok_or_else(|| {
        VerifyError::new_err(format!(
            "the answer is of another number type than this input, which is of {}",
            V::NAME
        ))
    })
}

impl<V: Number> Problem for Input<V> {
    fn len(&self) -> usize {
        self.len()
    }

    fn is_small(&self) -> bool {
        self.is_small()
    }

    fn asked(&self, objective: &str, prices: Option<&Prices<'_>>, negate: bool) -> PyResult<Asked> {
        let prices = || match prices {
            Some(prices) => read_prices::<V>(prices, negate),
            None => Err(PyValueError::new_err(format!(
                "{objective} needs prices, one for each vertex"
            ))),
        };
        let objective: Objective<V> = match objective {
            "min_perfect" => Objective::MinPerfect,
            "max_perfect" => Objective::MaxPerfect,
            "max_weight" => Objective::MaxWeight,
            "max_cardinality" => Objective::MaxCardinality,
            "min_opt_out" => Objective::MinOptOut(prices()?),
            "min_bye" => Objective::MinBye(prices()?),
            other => return Err(PyValueError::new_err(format!("there is no objective {other:?}"))),
        };
        Ok(Box::new(objective))
    }

    fn solve(&self, asked: &Asked, way: Way) -> PyResult<Outcome> {
        let objective: &Objective<V> = same::<_, V>(&**asked)?;
        let solver = Blossom::new()
            .objective(objective.clone())
            .precision(precision(way.rounded));
        let solver = solver.budget(way.budget).threads(way.threads);
        let solved = match self {
            Self::InSpace(cost) => cost.solve(&solver),
            _ => solver.solve(self),
        };
        match solved {
            Ok(solution) => Ok(Outcome::Solved(Box::new(solution))),
            Err(Error::NoPerfectMatching(witness)) => Ok(Outcome::Impossible(witness)),
            Err(error) => Err(match self {
                Self::Sides(cost) => failure::of_sides(&error, cost.inner().len()),
                _ => failure::of_pairing(&error),
            }),
        }
    }

    fn verify(&self, answer: &dyn Answer) -> PyResult<()> {
        if let Some(checked) = worst::verified(self, answer) {
            return checked;
        }
        let solution: &Pairing<V> = same::<_, V>(answer)?;
        let verified = match self {
            Self::InSpace(cost) => cost.verify(solution),
            _ => solution.verify(self),
        };
        verified.map_err(|error| VerifyError::new_err(error.to_string()))
    }

    fn verify_witness(&self, asked: &Asked, witness: &TutteBerge) -> PyResult<()> {
        let objective: &Objective<V> = same::<_, V>(&**asked)?;
        verify::infeasibility(self, objective, witness).map_err(|error| VerifyError::new_err(error.to_string()))
    }

    fn verify_lack_of_pairs(&self, witness: &TutteBerge) -> PyResult<()> {
        verify::witness(self, witness).map_err(|error| VerifyError::new_err(error.to_string()))
    }

    fn pairs_at_most(&self, answer: &dyn Answer) -> PyResult<usize> {
        if worst::of_kind::<V>(answer).is_some() {
            // Everybody is paired, but one of an odd number.
            return Ok(self.len() / 2);
        }
        let solution: &Pairing<V> = same::<_, V>(answer)?;
        let pairs = solution.pairs_at_most(self);
        pairs.map_err(|error| VerifyError::new_err(error.to_string()))
    }
}

pub(crate) fn read_prices<V: Number>(prices: &Prices<'_>, negate: bool) -> PyResult<Vec<V>> {
    let read = |(vertex, value): (usize, Option<V>)| {
        let value = value.and_then(|value| if negate { value.checked_neg() } else { Some(value) });
        value.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the price of vertex {vertex} does not fit the costs, which are of {}; give both of one type",
                V::NAME
            ))
        })
    };
    match prices {
        Prices::Integers(prices) => {
            let values = prices.as_array();
            values
                .iter()
                .map(|&value| V::of_integer(value))
                .enumerate()
                .map(read)
                .collect()
        }
        Prices::Floats(prices) => {
            let values = prices.as_array();
            values
                .iter()
                .map(|&value| V::of_float(value))
                .enumerate()
                .map(read)
                .collect()
        }
    }
}

impl<V: Number> Answer for Pairing<V> {
    fn totals(&self) -> [Total; 2] {
        [self.cost().into(), self.bound().into()]
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn work(&self) -> u64 {
        self.work()
    }

    fn engine(&self) -> &'static str {
        self.solved_by().name()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairs().map(|(u, v, _)| (u, v)).collect()
    }

    fn mates(&self) -> Vec<i64> {
        let mates = (0..self.len()).map(|v| self.mate(v));
        mates
            .map(|mate| mate.and_then(|mate| i64::try_from(mate).ok()).unwrap_or(-1))
            .collect()
    }

    fn weights<'py>(&self, py: Python<'py>, negated: bool) -> Bound<'py, PyAny> {
        let sign = |weight: V| if negated { weight.saturating_neg() } else { weight };
        let weights = self.pairs().map(|(_, _, weight)| sign(weight)).collect();
        PyArray1::from_vec(py, weights).into_any()
    }

    fn packed(&self) -> PyResult<Packed> {
        Packed::of::<V>(self)
    }

    fn duals(&self, rows: usize, is_negated: bool) -> Option<Duals> {
        Duals::of(self, rows, is_negated)
    }
}

/// What becomes of floats that do not fit a common grid.
pub(crate) fn precision(rounded: bool) -> Precision {
    if rounded {
        Precision::Quantised
    } else {
        Precision::Exact
    }
}

/// A status as the package calls it.
pub(crate) fn name_of(status: Status) -> &'static str {
    match status {
        Status::Optimal => "optimal",
        Status::Feasible(_) => "feasible",
        _ => "unknown",
    }
}

/// Why an answer is not proven to be the best.
pub(crate) fn reason_of(status: Status) -> Option<String> {
    match status {
        Status::Feasible(reason) | Status::Unknown(reason) => Some(reason.to_string()),
        _ => None,
    }
}

/// A matrix or a list of edges, ready to be solved.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Instance {
    pub(crate) problem: Box<dyn Problem>,
    /// Whether its costs have changed their sign.
    pub(crate) is_negated: bool,
}

#[pymethods]
impl Instance {
    /// A cost on all pairs.
    #[staticmethod]
    fn from_matrix(
        cost: &Bound<'_, PyAny>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        maximise: bool,
        negate: bool,
    ) -> PyResult<Self> {
        let sense = Sense { maximise, negate };
        let problem: PyResult<Box<dyn Problem>> = by_type!(cost, PyReadonlyArray2, |array| {
            input::matrix(&array, forbidden.as_ref(), sense)
                .map(|matrix| Box::new(Input::Matrix(matrix)) as Box<dyn Problem>)
        });
        Ok(Self {
            problem: problem?,
            is_negated: negate,
        })
    }

    /// A cost of rows with columns, which are vertices after the rows.
    #[staticmethod]
    fn from_sides(
        cost: &Bound<'_, PyAny>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        maximise: bool,
        negate: bool,
    ) -> PyResult<Self> {
        let sense = Sense { maximise, negate };
        let problem: PyResult<Box<dyn Problem>> = by_type!(cost, PyReadonlyArray2, |array| {
            sides::sides(&array, forbidden.as_ref(), sense).map(|cost| Box::new(Input::Sides(cost)) as Box<dyn Problem>)
        });
        Ok(Self {
            problem: problem?,
            is_negated: negate,
        })
    }

    /// A list of edges.
    #[staticmethod]
    fn from_edges(
        vertices: usize,
        u: PyReadonlyArray1<'_, i64>,
        v: PyReadonlyArray1<'_, i64>,
        weights: &Bound<'_, PyAny>,
        maximise: bool,
        negate: bool,
    ) -> PyResult<Self> {
        let (sense, ends) = (Sense { maximise, negate }, [&u, &v]);
        let problem: PyResult<Box<dyn Problem>> = by_type!(weights, PyReadonlyArray1, |array| {
            input::edges(vertices, ends, &array, sense).map(|list| Box::new(Input::Edges(list)) as Box<dyn Problem>)
        });
        Ok(Self {
            problem: problem?,
            is_negated: negate,
        })
    }

    /// Points, a row for each, and `scale` times their distances.
    #[staticmethod]
    fn from_points(points: PyReadonlyArray2<'_, f64>, norm: &str, scale: f64) -> PyResult<Self> {
        Ok(Self {
            problem: Box::new(space::points(&points, norm, scale)?),
            is_negated: false,
        })
    }

    fn __len__(&self) -> usize {
        self.problem.len()
    }

    /// Solves it: a `Solution`, or a `Witness` that there is none.
    #[pyo3(signature = (objective, prices=None, *, worst_first=false, seconds=None, work=None, threads=0, rounded=false))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn solve(
        &self,
        py: Python<'_>,
        objective: &str,
        prices: Option<Prices<'_>>,
        worst_first: bool,
        seconds: Option<f64>,
        work: Option<u64>,
        threads: usize,
        rounded: bool,
    ) -> PyResult<Py<PyAny>> {
        let asked = self.problem.asked(objective, prices.as_ref(), self.is_negated)?;
        let budget = run::budget(seconds, work)?;
        let run = |way| {
            if worst_first {
                self.problem.solve_worst(&asked, way)
            } else {
                self.problem.solve(&asked, way)
            }
        };
        let outcome = run_engine(py, self.problem.is_small(), (threads, rounded), budget, run)?;
        match outcome {
            Outcome::Solved(answer) => {
                let is_negated = self.is_negated;
                Ok(Py::new(py, Solution { answer, is_negated })?.into_any())
            }
            Outcome::Impossible(witness) => Ok(Py::new(py, Witness { witness, asked })?.into_any()),
        }
    }

    /// Checks an answer against this input; raises `VerifyError`.
    fn verify(&self, py: Python<'_>, solution: &Solution) -> PyResult<()> {
        self.check_sign(solution)?;
        self.check(py, || self.problem.verify(&*solution.answer))
    }

    /// Checks against this input that there is no answer; raises `VerifyError`.
    fn verify_witness(&self, py: Python<'_>, witness: &Witness) -> PyResult<()> {
        self.check(py, || self.problem.verify_witness(&witness.asked, &witness.witness))
    }

    /// Checks against this input that those who want partners have no others than some, and so not enough; raises `VerifyError`.
    fn verify_lack_of_pairs(&self, py: Python<'_>, wanting: Vec<usize>, available: Vec<usize>) -> PyResult<()> {
        let witness = TutteBerge::new(available, wanting.into_iter().map(|vertex| vec![vertex]).collect());
        self.check(py, || self.problem.verify_lack_of_pairs(&witness))
    }

    /// Several partners for each: a `Choice`, or a `NoChoice` that says why there is none.
    #[pyo3(signature = (least, most, missing=None, *, maximise=false, seconds=None, work=None, threads=0, rounded=false))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn solve_several(
        &self,
        py: Python<'_>,
        least: PyReadonlyArray1<'_, u32>,
        most: PyReadonlyArray1<'_, u32>,
        missing: Option<Prices<'_>>,
        maximise: bool,
        seconds: Option<f64>,
        work: Option<u64>,
        threads: usize,
        rounded: bool,
    ) -> PyResult<Py<PyAny>> {
        if self.is_negated {
            return Err(PyValueError::new_err(
                "costs have changed their sign, which several partners for each need not; give them as they are",
            ));
        }
        let bounds = [least, most];
        let degrees = self.problem.degrees(&bounds, missing.as_ref())?;
        let budget = run::budget(seconds, work)?;
        let run = |way| self.problem.solve_several(&degrees, maximise, way);
        match run_engine(py, self.problem.are_few(&bounds), (threads, rounded), budget, run)? {
            several::Outcome::Solved(answer) => Ok(Py::new(py, Choice { answer })?.into_any()),
            several::Outcome::Impossible(lack) => Ok(Py::new(py, NoChoice { lack, degrees })?.into_any()),
        }
    }

    /// Checks several partners for each against this input; raises `VerifyError`.
    fn verify_several(&self, py: Python<'_>, choice: &Choice) -> PyResult<()> {
        self.check(py, || self.problem.verify_several(&*choice.answer))
    }

    /// Checks against this input that there are not as many partners for everybody; raises `VerifyError`.
    fn verify_no_choice(&self, py: Python<'_>, none: &NoChoice) -> PyResult<()> {
        self.check(py, || self.problem.verify_lack(&none.degrees, &none.lack))
    }

    /// How many pairs an answer to this input can have at most, by the proof of that one.
    fn pairs_at_most(&self, py: Python<'_>, solution: &Solution) -> PyResult<usize> {
        self.check(py, || self.problem.pairs_at_most(&*solution.answer))
    }
}

/// Solves what is small at once, and all else on so many threads, within a budget that signals end.
pub(crate) fn run_engine<T: Send>(
    py: Python<'_>,
    is_small: bool,
    (threads, rounded): (usize, bool),
    budget: Budget,
    solve: impl FnOnce(Way) -> PyResult<T> + Send,
) -> PyResult<T> {
    let way = |budget, threads| Way {
        rounded,
        budget,
        threads,
    };
    if is_small {
        return run::at_once(py, || solve(way(budget, 1)))?;
    }
    let token = CancelToken::new();
    // All threads of the pool in which it runs.
    let way = way(budget.cancel(token.clone()), 0);
    run::in_pool(py, threads, &token, || solve(way))?
}

impl Instance {
    /// Whether an answer can be one to this instance.
    pub(crate) fn check_sign(&self, solution: &Solution) -> PyResult<()> {
        if self.is_negated == solution.is_negated {
            return Ok(());
        }
        Err(VerifyError::new_err(
            "the answer is to another question: costs have changed their sign",
        ))
    }

    /// Does what the checker does; there is no way to stop it, but it takes no longer than a few looks at all pairs.
    pub(crate) fn check<T: Send>(&self, py: Python<'_>, check: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
        if self.problem.is_small() {
            run::at_once(py, check)?
        } else {
            run::in_pool(py, 0, &CancelToken::new(), check)?
        }
    }
}

/// A matching in parts: its number type, its bytes, whether the worst pair came first, whether costs have changed their sign.
type Parts<'py> = (&'static str, Bound<'py, PyBytes>, bool, bool);

/// A matching with its proof.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Solution {
    pub(crate) answer: Box<dyn Answer>,
    pub(crate) is_negated: bool,
}

impl Solution {
    fn total(&self, which: usize) -> Total {
        let total = self.answer.totals()[which];
        if self.is_negated { total.negated() } else { total }
    }
}

#[pymethods]
impl Solution {
    #[getter]
    fn cost(&self) -> Total {
        self.total(0)
    }

    #[getter]
    fn bound(&self) -> Total {
        self.total(1)
    }

    /// `optimal`, `feasible` or `unknown`.
    #[getter]
    fn status(&self) -> &'static str {
        name_of(self.answer.status())
    }

    /// Why it is not optimal.
    #[getter]
    fn reason(&self) -> Option<String> {
        reason_of(self.answer.status())
    }

    #[getter]
    fn work(&self) -> u64 {
        self.answer.work()
    }

    #[getter]
    fn engine(&self) -> &'static str {
        self.answer.engine()
    }

    fn pairs(&self) -> Vec<(usize, usize)> {
        self.answer.pairs()
    }

    fn mates<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.answer.mates())
    }

    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.answer.weights(py, self.is_negated)
    }

    /// What so many rows, and the columns after them, are worth.
    fn duals<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
        let duals = self.answer.duals(rows, self.is_negated);
        duals.map(|duals| duals.told(py)).transpose()
    }

    /// What assignments of all of the smaller side cost at least, less so many units, or most.
    fn bound_of_all(&self, rows: usize, off: u32) -> Option<Total> {
        let duals = self.answer.duals(rows, self.is_negated)?;
        duals.bound(i128::from(off))
    }

    /// For `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (number, bytes) = self.answer.packed()?.into_python(py);
        let is_worst_first = self.answer.is_worst_first();
        let restored = py.get_type::<Self>().getattr("restored")?;
        Ok((restored, (number, bytes, is_worst_first, self.is_negated)))
    }

    /// What `__reduce__` has taken apart.
    #[staticmethod]
    fn restored(number: &str, bytes: &[u8], is_worst_first: bool, is_negated: bool) -> PyResult<Self> {
        let answer = by_name!(number, V => {
            if is_worst_first {
                unpacked::<Bottleneck<V>>(bytes).map(|answer| Box::new(answer) as Box<dyn Answer>)
            } else {
                unpacked::<Pairing<V>>(bytes).map(|answer| Box::new(answer) as Box<dyn Answer>)
            }
        })?;
        Ok(Self { answer, is_negated })
    }

    /// Where the worst pair came first, what there is to say of it.
    fn worst(&self) -> Option<worst::Told> {
        let sign = |total: Total| if self.is_negated { total.negated() } else { total };
        self.answer.worst().map(|worst| {
            let (removed, components) = (worst.witness.removed(), worst.witness.odd_components());
            (
                sign(worst.cost),
                sign(worst.bound),
                removed.to_vec(),
                components.to_vec(),
            )
        })
    }
}

/// Why there is no answer.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Witness {
    pub(crate) witness: TutteBerge,
    pub(crate) asked: Asked,
}

#[pymethods]
impl Witness {
    #[getter]
    fn removed(&self) -> Vec<usize> {
        self.witness.removed().to_vec()
    }

    #[getter]
    fn odd_components(&self) -> Vec<Vec<usize>> {
        self.witness.odd_components().to_vec()
    }

    #[getter]
    fn deficiency(&self) -> usize {
        self.witness.deficiency()
    }
}
