//! Exact grouping: what is asked, and what is proven.

use std::any::Any;

use matching_core::{Budget, CancelToken};
use matching_heuristics::Groups;
use matching_lp::{Solution, Solver, Status};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};

use crate::failure::{self, NoGrouping, VerifyError};
use crate::grouping::{MadeOf, Shape, Source, read};
use crate::number::{Number, Total};
use crate::packed::{InPython, Packed, by_name, unpacked};
use crate::pairing::{Prices, read_prices};
use crate::run;

/// A role: its name, the least and the greatest number of a group who play it, and who can.
type Role = (String, usize, Option<usize>, Vec<usize>);

/// For each group the number of the role that each of its members plays, if there are roles.
type Casting = Vec<Vec<Option<usize>>>;

/// Who stays together or in place, and who can play what.
struct Wishes {
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
    roles: Vec<Role>,
}

/// Players, groups and wishes, with costs of one number type.
struct Typed<S: Source> {
    source: S,
    groups: Groups,
    wishes: Wishes,
    /// What it costs that each player waits; nothing where it is empty.
    waiting: Vec<S::Value>,
}

/// How to solve.
struct Way {
    token: CancelToken,
    /// With that token.
    budget: Budget,
    seed: u64,
    start: Option<Vec<Vec<usize>>>,
}

/// A problem of whatever number type.
trait Problem: Send + Sync {
    fn check(&self) -> PyResult<()>;
    fn solve(&self, way: Way) -> PyResult<(Box<dyn Answer>, Casting)>;
    fn verify(&self, answer: &dyn Answer) -> PyResult<()>;
    /// What of Python it holds.
    fn function(&self) -> Option<&Py<PyAny>>;
}

/// A grouping with its proof, of whatever number type.
trait Answer: Any + Send + Sync {
    fn facts(&self) -> Facts<'_>;
    fn packed(&self) -> PyResult<Packed>;
}

/// What is said of a grouping.
struct Facts<'a> {
    groups: &'a [Vec<usize>],
    bench: &'a [usize],
    cost: Total,
    bound: Total,
    gap: f64,
    status: Status,
    work: u64,
    seconds: f64,
}

impl<V: Number> Answer for Solution<V> {
    fn facts(&self) -> Facts<'_> {
        Facts {
            groups: self.groups(),
            bench: self.bench(),
            cost: self.cost().into(),
            bound: self.bound().into(),
            gap: self.gap(),
            status: self.status(),
            work: self.work(),
            seconds: self.elapsed().as_secs_f64(),
        }
    }

    fn packed(&self) -> PyResult<Packed> {
        Packed::of::<V>(self)
    }
}

impl<S: Source> Typed<S> {
    fn with_problem<T>(
        &self,
        token: &CancelToken,
        ask: impl FnOnce(&matching_lp::Problem<'_, S::Value>) -> PyResult<T>,
    ) -> PyResult<T> {
        self.source.with_problem(self.groups.clone(), token, |problem| {
            let problem = problem.and_then(|problem| self.wished(problem));
            ask(&problem.map_err(|error| failure::of_exact(&error))?)
        })
    }

    fn wished<'p>(
        &self,
        mut problem: matching_lp::Problem<'p, S::Value>,
    ) -> Result<matching_lp::Problem<'p, S::Value>, matching_lp::Error> {
        for party in &self.wishes.parties {
            problem = problem.party(party)?;
        }
        for &(player, group) in &self.wishes.pins {
            problem = problem.pin(player, group)?;
        }
        for (name, least, most, players) in &self.wishes.roles {
            problem = match *most {
                Some(most) => problem.role(name, *least..=most, players)?,
                None => problem.role(name, *least.., players)?,
            };
        }
        for (player, &cost) in self.waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost)?;
        }
        Ok(problem)
    }
}

impl<S: Source> Problem for Typed<S> {
    fn check(&self) -> PyResult<()> {
        self.with_problem(&CancelToken::new(), |_| Ok(()))
    }

    fn solve(&self, way: Way) -> PyResult<(Box<dyn Answer>, Casting)> {
        self.with_problem(&way.token, |problem| {
            let mut solver = Solver::new().budget(way.budget).seed(way.seed);
            if let Some(start) = &way.start {
                solver = solver.warm_start(start);
            }
            let solution = solver.solve(problem).map_err(|error| failure::of_exact(&error))?;
            if let Status::Unknown(reason) = solution.status() {
                return Err(NoGrouping::new_err((
                    format!("no grouping was found, and that there is none was not proven: {reason}"),
                    false,
                    Vec::<usize>::new(),
                )));
            }
            let casting = if problem.roles().is_empty() {
                Casting::new()
            } else {
                let groups = solution.groups().iter();
                groups.map(|group| problem.casting(group).unwrap_or_default()).collect()
            };
            Ok((Box::new(solution) as Box<dyn Answer>, casting))
        })
    }

    fn verify(&self, answer: &dyn Answer) -> PyResult<()> {
        let any: &dyn Any = answer;
        let solution: &Solution<S::Value> = any.downcast_ref().ok_or_else(|| {
            VerifyError::new_err(format!(
                "the answer is of another number type than this cost, which is of {}",
                S::Value::NAME
            ))
        })?;
        self.with_problem(&CancelToken::new(), |problem| {
            solution
                .verify(problem)
                .map_err(|error| VerifyError::new_err(error.to_string()))
        })
    }

    fn function(&self) -> Option<&Py<PyAny>> {
        self.source.function()
    }
}

/// What is asked, of costs of any number type.
struct Question<'py> {
    shape: Shape,
    wishes: Wishes,
    waiting: Option<Prices<'py>>,
    maximise: bool,
}

impl MadeOf for Question<'_> {
    type Made = Box<dyn Problem>;

    fn of<S: Source + 'static>(self, source: S, players: usize) -> PyResult<Self::Made> {
        let waiting = self.waiting.map(|prices| read_prices(&prices, self.maximise));
        Ok(Box::new(Typed {
            source,
            groups: self.shape.groups(players)?,
            wishes: self.wishes,
            waiting: waiting.transpose()?.unwrap_or_default(),
        }))
    }
}

/// A grouping problem that is to be solved exactly.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct ExactPartition {
    problem: Box<dyn Problem>,
    /// Whether costs have changed their sign, as the greatest total is asked for.
    is_negated: bool,
}

#[pymethods]
impl ExactPartition {
    /// Of a matrix of costs, or of a function of so many players, whose values are integers or floats.
    #[new]
    #[pyo3(signature = (cost, forbidden, *, players, integers, maximise, size, count, bounds, bench, parties, pins, roles, waiting))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn new(
        cost: &Bound<'_, PyAny>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        players: Option<usize>,
        integers: bool,
        maximise: bool,
        size: Option<usize>,
        count: Option<usize>,
        bounds: Option<Vec<(usize, usize)>>,
        bench: Option<usize>,
        parties: Vec<Vec<usize>>,
        pins: Vec<(usize, usize)>,
        roles: Vec<Role>,
        waiting: Option<Prices<'_>>,
    ) -> PyResult<Self> {
        let question = Question {
            shape: Shape {
                size,
                count,
                bounds,
                bench,
            },
            wishes: Wishes { parties, pins, roles },
            waiting,
            maximise,
        };
        let problem = read(cost, forbidden.as_ref(), players, integers, maximise, question)?;
        problem.check()?;
        Ok(Self {
            problem,
            is_negated: maximise,
        })
    }

    /// For the garbage collector: a function may hold whoever holds this.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.problem.function() {
            Some(function) => visit.call(function),
            None => Ok(()),
        }
    }

    /// Solves. With who plays which role: for each group the numbers of its members' roles, if there are any.
    #[pyo3(signature = (*, seconds=None, work=None, seed=0, start=None))]
    fn solve(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        work: Option<u64>,
        seed: u64,
        start: Option<Vec<Vec<usize>>>,
    ) -> PyResult<(Proven, Casting)> {
        let token = CancelToken::new();
        let way = Way {
            token: token.clone(),
            budget: run::budget(seconds, work)?.cancel(token.clone()),
            seed,
            start,
        };
        let (answer, casting) = self.run(py, &token, || self.problem.solve(way))??;
        let is_negated = self.is_negated;
        Ok((Proven { answer, is_negated }, casting))
    }

    /// Checks a grouping and its proof against this problem; raises `VerifyError`.
    fn verify(&self, py: Python<'_>, proven: &Proven) -> PyResult<()> {
        if self.is_negated != proven.is_negated {
            return Err(VerifyError::new_err(
                "the answer is to another question: costs have changed their sign",
            ));
        }
        self.run(py, &CancelToken::new(), || self.problem.verify(&*proven.answer))?
    }
}

impl ExactPartition {
    fn run<T: Send>(&self, py: Python<'_>, token: &CancelToken, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        if self.problem.function().is_some() {
            run::in_pool_with_python(py, 1, token, work)
        } else {
            run::in_pool(py, 1, token, work)
        }
    }
}

/// A grouping and its proof.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Proven {
    answer: Box<dyn Answer>,
    is_negated: bool,
}

/// A grouping in parts: its number type and its bytes, and whether costs have changed their sign.
type Parts<'py> = (&'static str, Bound<'py, PyBytes>, bool);

#[pymethods]
impl Proven {
    fn groups(&self) -> Vec<Vec<usize>> {
        self.answer.facts().groups.to_vec()
    }

    fn bench(&self) -> Vec<usize> {
        self.answer.facts().bench.to_vec()
    }

    #[getter]
    fn cost(&self) -> Total {
        self.signed(self.answer.facts().cost)
    }

    /// None where nothing is known.
    #[getter]
    fn bound(&self) -> Option<Total> {
        let bound = self.answer.facts().bound;
        let is_known = match bound {
            Total::Integer(bound) => bound != i128::MIN,
            Total::Float(bound) => bound.is_finite(),
        };
        is_known.then(|| self.signed(bound))
    }

    #[getter]
    fn gap(&self) -> f64 {
        if self.bound().is_none() {
            f64::INFINITY
        } else {
            self.answer.facts().gap
        }
    }

    #[getter]
    fn is_optimal(&self) -> bool {
        self.answer.facts().status == Status::Optimal
    }

    /// Why it is not proven to be the best.
    #[getter]
    fn reason(&self) -> Option<String> {
        match self.answer.facts().status {
            Status::Feasible(reason) | Status::Unknown(reason) => Some(reason.to_string()),
            _ => None,
        }
    }

    #[getter]
    fn work(&self) -> u64 {
        self.answer.facts().work
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.answer.facts().seconds
    }

    /// For `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (number, bytes): InPython<'_> = self.answer.packed()?.into_python(py);
        let restored = py.get_type::<Self>().getattr("restored")?;
        Ok((restored, (number, bytes, self.is_negated)))
    }

    /// What `__reduce__` has taken apart.
    #[staticmethod]
    fn restored(number: &str, bytes: &[u8], is_negated: bool) -> PyResult<Self> {
        let answer = by_name!(number, V => {
            unpacked::<Solution<V>>(bytes).map(|answer| Box::new(answer) as Box<dyn Answer>)
        })?;
        Ok(Self { answer, is_negated })
    }
}

impl Proven {
    fn signed(&self, total: Total) -> Total {
        if self.is_negated { total.negated() } else { total }
    }
}
