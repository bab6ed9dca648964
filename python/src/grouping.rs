//! Grouping: what is searched, and what is found.

use std::any::Any;

use matching_core::cost::DenseMatrix;
use matching_core::{Budget, CancelToken, Cost};
use matching_heuristics::{Error, Grouping, Groups, Instance, Search, VerifyError as GroupingError};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pyo3::{PyTraverseError, PyVisit};

use crate::by_function::{Function, Numbers};
use crate::explain::{Explained, OfPair, OfPlayer};
use crate::failure::{self, VerifyError};
use crate::input::{self, Sense, by_type};
use crate::number::{Number, Total};
use crate::packed::{Packed, by_name, unpacked};
use crate::run;

/// Where costs of one number type come from.
pub(crate) trait Source: Send + Sync {
    type Value: Number;

    /// Does something with an instance of these costs. Who cancels the token has what is done end soon, and so does the
    /// source, where it fails: then that is the error.
    fn with_instance<T>(
        &self,
        groups: Groups,
        token: &CancelToken,
        ask: impl FnOnce(Result<Instance<'_, Self::Value>, Error>) -> PyResult<T>,
    ) -> PyResult<T>;

    /// The same with a problem for the exact solver.
    fn with_problem<T>(
        &self,
        groups: Groups,
        token: &CancelToken,
        ask: impl FnOnce(Result<matching_lp::Problem<'_, Self::Value>, matching_lp::Error>) -> PyResult<T>,
    ) -> PyResult<T>;

    /// What of Python it holds.
    fn function(&self) -> Option<&Py<PyAny>>;
}

impl<V: Number> Source for DenseMatrix<V> {
    type Value = V;

    fn with_instance<T>(
        &self,
        groups: Groups,
        _: &CancelToken,
        ask: impl FnOnce(Result<Instance<'_, V>, Error>) -> PyResult<T>,
    ) -> PyResult<T> {
        ask(Instance::pairwise(self, groups))
    }

    fn with_problem<T>(
        &self,
        groups: Groups,
        _: &CancelToken,
        ask: impl FnOnce(Result<matching_lp::Problem<'_, V>, matching_lp::Error>) -> PyResult<T>,
    ) -> PyResult<T> {
        ask(matching_lp::Problem::new(self, groups))
    }

    fn function(&self) -> Option<&Py<PyAny>> {
        None
    }
}

/// Players, groups and wishes, with costs of one number type.
struct Typed<S> {
    source: S,
    groups: Groups,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
}

/// How to search.
struct Way {
    token: CancelToken,
    /// With that token.
    budget: Budget,
    seed: u64,
    walks: usize,
    start: Option<Vec<Vec<usize>>>,
}

/// What is made of costs of whatever number type.
pub(crate) trait MadeOf {
    type Made;

    fn of<S: Source + 'static>(self, source: S, players: usize) -> PyResult<Self::Made>;
}

/// Reads a matrix of costs, or a function of so many players, whose values are integers or floats.
pub(crate) fn read<M: MadeOf>(
    cost: &Bound<'_, PyAny>,
    forbidden: Option<&PyReadonlyArray2<'_, bool>>,
    players: Option<usize>,
    integers: bool,
    maximise: bool,
    make: M,
) -> PyResult<M::Made> {
    if let Some(players) = players {
        let function = Function::new(cost, players, forbidden, maximise)?;
        if integers {
            make.of(Numbers::<i64>::of(function), players)
        } else {
            make.of(Numbers::<f64>::of(function), players)
        }
    } else {
        let sense = Sense {
            maximise,
            negate: maximise,
        };
        by_type!(cost, PyReadonlyArray2, |array| {
            let cost = input::matrix(&array, forbidden, sense)?;
            let players = cost.len();
            make.of(cost, players)
        })
    }
}

/// What groups there are to be, and who stays together, or in place.
struct Question {
    shape: Shape,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
}

impl MadeOf for Question {
    type Made = Box<dyn Problem>;

    fn of<S: Source + 'static>(self, source: S, players: usize) -> PyResult<Self::Made> {
        Ok(Box::new(Typed {
            source,
            groups: self.shape.groups(players)?,
            parties: self.parties,
            pins: self.pins,
        }))
    }
}

/// A problem of whatever number type.
trait Problem: Send + Sync {
    fn check(&self) -> PyResult<()>;
    /// A search up to a total that is good enough, to be begun later.
    fn search<'a>(&'a self, way: Way, target: Option<&Bound<'_, PyAny>>, negate: bool) -> PyResult<Box<Begun<'a>>>;
    fn verify(&self, answer: &dyn Answer) -> PyResult<()>;
    /// Of one player, or of two; costs change their sign where they have done so before.
    fn explain(
        &self,
        answer: &dyn Answer,
        player: usize,
        other: Option<usize>,
        limits: (&CancelToken, &Budget),
        is_negated: bool,
    ) -> PyResult<Explained>;
    /// What of Python it holds.
    fn function(&self) -> Option<&Py<PyAny>>;
}

type Begun<'a> = dyn FnOnce() -> PyResult<Box<dyn Answer>> + Send + 'a;

/// A grouping of whatever number type.
trait Answer: Any + Send + Sync {
    fn facts(&self) -> Facts<'_>;
    fn packed(&self) -> PyResult<Packed>;
}

/// What is said of a grouping.
struct Facts<'a> {
    groups: &'a [Vec<usize>],
    bench: &'a [usize],
    cost: Total,
    is_proven: bool,
    engine: &'static str,
    stop: String,
    work: u64,
    seconds: f64,
}

impl<V: Number> Answer for Grouping<V> {
    fn facts(&self) -> Facts<'_> {
        Facts {
            groups: self.groups(),
            bench: self.bench(),
            cost: self.cost().into(),
            is_proven: self.is_proven_best(),
            engine: self.engine().name(),
            stop: self.stop().to_string(),
            work: self.work(),
            seconds: self.elapsed().as_secs_f64(),
        }
    }

    fn packed(&self) -> PyResult<Packed> {
        Packed::of::<V>(self)
    }
}

impl<S: Source> Typed<S> {
    fn with_instance<T>(
        &self,
        token: &CancelToken,
        ask: impl FnOnce(&Instance<'_, S::Value>) -> PyResult<T>,
    ) -> PyResult<T> {
        self.source.with_instance(self.groups.clone(), token, |instance| {
            let instance = instance.and_then(|instance| instance.parties(self.parties.iter().cloned()));
            let instance = instance.and_then(|instance| instance.pins(self.pins.iter().copied()));
            ask(&instance.map_err(|error| failure::of_grouping(&error))?)
        })
    }

    /// An answer, which has to be of this number type.
    fn same<'a>(&self, answer: &'a dyn Answer) -> PyResult<&'a Grouping<S::Value>> {
        let any: &dyn Any = answer;
        any.downcast_ref().ok_or_else(|| {
            VerifyError::new_err(format!(
                "the answer is of another number type than this cost, which is of {}",
                S::Value::NAME
            ))
        })
    }
}

impl<S: Source> Problem for Typed<S> {
    fn check(&self) -> PyResult<()> {
        self.with_instance(&CancelToken::new(), |_| Ok(()))
    }

    fn search<'a>(&'a self, way: Way, target: Option<&Bound<'_, PyAny>>, negate: bool) -> PyResult<Box<Begun<'a>>> {
        let target = target.map(S::Value::total_of).transpose()?;
        let target = target.map(|target| if negate { -target } else { target });
        Ok(Box::new(move || {
            self.with_instance(&way.token, |instance| {
                let mut search = Search::auto(instance)
                    .budget(way.budget.clone())
                    .seed(way.seed)
                    .walks(way.walks);
                if let Some(target) = target {
                    search = search.target(target);
                }
                if let Some(start) = &way.start {
                    search = search.warm_start(start);
                }
                let grouping = search.run().map_err(|error| failure::of_grouping(&error))?;
                Ok(Box::new(grouping) as Box<dyn Answer>)
            })
        }))
    }

    fn verify(&self, answer: &dyn Answer) -> PyResult<()> {
        let grouping = self.same(answer)?;
        self.with_instance(&CancelToken::new(), |instance| {
            grouping
                .verify(instance)
                .map_err(|error| VerifyError::new_err(error.to_string()))
        })
    }

    fn explain(
        &self,
        answer: &dyn Answer,
        player: usize,
        other: Option<usize>,
        (token, budget): (&CancelToken, &Budget),
        is_negated: bool,
    ) -> PyResult<Explained> {
        let grouping = self.same(answer)?;
        self.with_instance(token, |instance| {
            let explained = grouping.verify(instance).and_then(|()| match other {
                None => {
                    let explanation = instance.explain_within(grouping.groups(), player, budget)?;
                    Ok(Explained::Player(OfPlayer::new(&explanation, is_negated)))
                }
                Some(other) => {
                    let explanation = instance.explain_pair_within(grouping.groups(), [player, other], budget)?;
                    Ok(Explained::Pair(OfPair::new(&explanation, is_negated)))
                }
            });
            explained.map_err(|error| match error {
                GroupingError::UnknownPlayer { .. } => PyValueError::new_err(error.to_string()),
                _ => VerifyError::new_err(error.to_string()),
            })
        })
    }

    fn function(&self) -> Option<&Py<PyAny>> {
        self.source.function()
    }
}

/// What groups there are, as the caller says it: by their size, their number, or the bounds of each.
pub(crate) struct Shape {
    pub(crate) size: Option<usize>,
    pub(crate) count: Option<usize>,
    pub(crate) bounds: Option<Vec<(usize, usize)>>,
    pub(crate) bench: Option<usize>,
}

impl Shape {
    pub(crate) fn groups(self, players: usize) -> PyResult<Groups> {
        let groups = match (self.size, self.count, self.bounds) {
            (Some(size), None, None) => Groups::of_size(players, size),
            (None, Some(count), None) => Groups::balanced(players, count),
            (None, None, Some(bounds)) => Groups::with_bounds(bounds.into_iter().map(|(least, most)| least..=most)),
            _ => return Err(PyValueError::new_err("give one of size, count and bounds")),
        };
        let groups = groups.map_err(|error: Error| failure::of_grouping(&error))?;
        Ok(match self.bench {
            Some(players) => groups.with_bench(players),
            None => groups,
        })
    }
}

/// A grouping problem.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Partition {
    problem: Box<dyn Problem>,
    /// Whether costs have changed their sign, as the greatest total is asked for.
    is_negated: bool,
}

#[pymethods]
impl Partition {
    /// Of a matrix of costs, or of a function of so many players, whose values are integers or floats.
    #[new]
    #[pyo3(signature = (cost, forbidden, *, players, integers, maximise, size, count, bounds, bench, parties, pins))]
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
    ) -> PyResult<Self> {
        let shape = Shape {
            size,
            count,
            bounds,
            bench,
        };
        let question = Question { shape, parties, pins };
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

    /// Searches.
    #[pyo3(signature = (*, seconds=None, work=None, seed=0, threads=0, walks=1, target=None, start=None))]
    #[allow(clippy::too_many_arguments, reason = "they have names where it is called")]
    fn search(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        work: Option<u64>,
        seed: u64,
        threads: usize,
        walks: usize,
        target: Option<&Bound<'_, PyAny>>,
        start: Option<Vec<Vec<usize>>>,
    ) -> PyResult<Found> {
        let token = CancelToken::new();
        let budget = run::budget(seconds, work)?.cancel(token.clone());
        let way = Way {
            token: token.clone(),
            budget,
            seed,
            walks,
            start,
        };
        let search = self.problem.search(way, target, self.is_negated)?;
        let is_negated = self.is_negated;
        let answer = self.run(py, threads, &token, search)??;
        Ok(Found { answer, is_negated })
    }

    /// Checks a grouping against this problem; raises `VerifyError`.
    fn verify(&self, py: Python<'_>, found: &Found) -> PyResult<()> {
        if self.is_negated != found.is_negated {
            return Err(VerifyError::new_err(
                "the answer is to another question: costs have changed their sign",
            ));
        }
        run::at_once(py, || self.problem.verify(&*found.answer))?
    }

    /// Why a player is where he is, or why two are together or apart, in a grouping that is checked before.
    #[pyo3(signature = (found, player, other=None, *, seconds=None, work=None))]
    fn explain(
        &self,
        py: Python<'_>,
        found: &Found,
        player: usize,
        other: Option<usize>,
        seconds: Option<f64>,
        work: Option<u64>,
    ) -> PyResult<Explained> {
        let token = CancelToken::new();
        let budget = run::budget(seconds, work)?.cancel(token.clone());
        let explain = || {
            self.problem
                .explain(&*found.answer, player, other, (&token, &budget), self.is_negated)
        };
        self.run(py, 1, &token, explain)?
    }
}

impl Partition {
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        threads: usize,
        token: &CancelToken,
        work: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        if self.problem.function().is_some() {
            run::in_pool_with_python(py, threads, token, work)
        } else {
            run::in_pool(py, threads, token, work)
        }
    }
}

/// A grouping in parts: its number type, its bytes, whether costs have changed their sign.
type Parts<'py> = (&'static str, Bound<'py, PyBytes>, bool);

/// A grouping.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Found {
    answer: Box<dyn Answer>,
    is_negated: bool,
}

#[pymethods]
impl Found {
    fn groups(&self) -> Vec<Vec<usize>> {
        self.answer.facts().groups.to_vec()
    }

    fn bench(&self) -> Vec<usize> {
        self.answer.facts().bench.to_vec()
    }

    #[getter]
    fn cost(&self) -> Total {
        let cost = self.answer.facts().cost;
        if self.is_negated { cost.negated() } else { cost }
    }

    #[getter]
    fn is_proven(&self) -> bool {
        self.answer.facts().is_proven
    }

    #[getter]
    fn engine(&self) -> &'static str {
        self.answer.facts().engine
    }

    #[getter]
    fn stop(&self) -> String {
        self.answer.facts().stop
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
        let (number, bytes) = self.answer.packed()?.into_python(py);
        let restored = py.get_type::<Self>().getattr("restored")?;
        Ok((restored, (number, bytes, self.is_negated)))
    }

    /// What `__reduce__` has taken apart.
    #[staticmethod]
    fn restored(number: &str, bytes: &[u8], is_negated: bool) -> PyResult<Self> {
        let answer = by_name!(number, V => {
            unpacked::<Grouping<V>>(bytes).map(|answer| Box::new(answer) as Box<dyn Answer>)
        })?;
        Ok(Self { answer, is_negated })
    }
}
