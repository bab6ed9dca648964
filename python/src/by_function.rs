//! Costs of whole groups that a Python function computes.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use matching_core::{CancelToken, GroupCost};
use matching_heuristics::{Error, Groups, Instance};
use matching_lp::Problem;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::grouping::Source;
use crate::number::Number;

/// A function of a list of members, and who must be apart whatever it says.
pub(crate) struct Function {
    function: Py<PyAny>,
    players: usize,
    /// Square, by rows; empty where nobody is forbidden anybody.
    forbidden: Vec<bool>,
    maximise: bool,
}

impl Function {
    pub(crate) fn new(
        function: &Bound<'_, PyAny>,
        players: usize,
        forbidden: Option<&PyReadonlyArray2<'_, bool>>,
        maximise: bool,
    ) -> PyResult<Self> {
        let mask = forbidden.map(PyReadonlyArray2::as_array);
        if let Some(mask) = &mask
            && mask.dim() != (players, players)
        {
            let (height, width) = mask.dim();
            return Err(PyValueError::new_err(format!(
                "forbidden has the shape ({height}, {width}); give that of all players, ({players}, {players})"
            )));
        }
        Ok(Self {
            function: function.clone().unbind(),
            players,
            forbidden: mask.map_or_else(Vec::new, |mask| mask.iter().copied().collect()),
            maximise,
        })
    }

    fn are_apart(&self, i: usize, j: usize) -> bool {
        self.forbidden.get(i * self.players + j).copied().unwrap_or(false)
    }

    /// Calls the function. `None` forbids the group.
    fn call<V: Number>(&self, members: &[usize]) -> PyResult<Option<V>> {
        Python::attach(|py| {
            let list = PyList::new(py, members)?;
            let value = self.function.bind(py).call1((list,))?;
            self.read(&value, members)
        })
    }

    fn read<V: Number>(&self, value: &Bound<'_, PyAny>, members: &[usize]) -> PyResult<Option<V>> {
        let py = value.py();
        let never = if self.maximise {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        let is_never = |value: f64| value == never;
        let read = match V::of_python(value) {
            Ok(number) => number,
            // Of integers, infinity is none.
            Err(_) if value.extract().is_ok_and(is_never) => return Ok(None),
            Err(error) if error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py) => {
                let text = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
                let kind = if V::IS_INTEGER {
                    "an integer of at most 64 bits, as dtype=int says"
                } else {
                    "a number"
                };
                let message = format!(
                    "the cost of the group {members:?} is {text}; give {kind}, or {} to forbid the group",
                    name_of(never)
                );
                return Err(if error.is_instance_of::<PyTypeError>(py) {
                    PyTypeError::new_err(message)
                } else {
                    PyValueError::new_err(message)
                });
            }
            Err(error) => return Err(error),
        };
        if read.is_never(self.maximise) {
            return Ok(None);
        }
        let signed = if self.maximise { read.checked_neg() } else { Some(read) };
        signed.filter(|cost| cost.is_number()).map(Some).ok_or_else(|| {
            PyValueError::new_err(format!(
                "the cost of the group {members:?} is {read}; give a finite number whose sign can change, or {} to forbid the \
                 group",
                name_of(never)
            ))
        })
    }
}

fn name_of(infinity: f64) -> &'static str {
    if infinity > 0.0 { "inf" } else { "-inf" }
}

/// A function, asked on behalf of one call of the package.
struct Asking<'a, V> {
    function: &'a Function,
    /// What the function has raised first, or what is wrong with what it has returned. Nobody asks it again after that.
    failure: Mutex<Option<PyErr>>,
    has_failed: AtomicBool,
    token: &'a CancelToken,
    numbers: PhantomData<fn() -> V>,
}

impl<V: Number> GroupCost for Asking<'_, V> {
    type Value = V;

    fn len(&self) -> usize {
        self.function.players
    }

    fn group(&self, members: &[usize]) -> V {
        self.group_if_allowed(members).unwrap_or_else(V::zero)
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.group_if_allowed(members).is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        true
    }

    /// Once it has failed, or whoever asks was cancelled, every group seems forbidden: what comes of that is for nobody.
    fn group_if_allowed(&self, members: &[usize]) -> Option<V> {
        let mut pairs = members.iter().enumerate();
        if pairs.any(|(at, &i)| members[at + 1..].iter().any(|&j| self.function.are_apart(i, j))) {
            return None;
        }
        if self.has_failed.load(Ordering::Relaxed) || self.token.is_cancelled() {
            return None;
        }
        self.function.call(members).unwrap_or_else(|error| {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
            self.has_failed.store(true, Ordering::Relaxed);
            self.token.cancel();
            None
        })
    }
}

/// A function whose values are taken for such numbers.
pub(crate) struct Numbers<V> {
    function: Function,
    numbers: PhantomData<fn() -> V>,
}

impl<V> Numbers<V> {
    pub(crate) fn of(function: Function) -> Self {
        Self {
            function,
            numbers: PhantomData,
        }
    }
}

impl<V: Number> Numbers<V> {
    /// Has somebody ask the function. What it raises comes first.
    fn with_function<T>(&self, token: &CancelToken, ask: impl FnOnce(&Asking<'_, V>) -> PyResult<T>) -> PyResult<T> {
        let asking = Asking {
            function: &self.function,
            failure: Mutex::new(None),
            has_failed: AtomicBool::new(false),
            token,
            numbers: PhantomData,
        };
        let answer = ask(&asking);
        match asking.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(raised) => Err(raised),
            None => answer,
        }
    }
}

impl<V: Number> Source for Numbers<V> {
    type Value = V;

    fn with_instance<T>(
        &self,
        groups: Groups,
        token: &CancelToken,
        ask: impl FnOnce(Result<Instance<'_, V>, Error>) -> PyResult<T>,
    ) -> PyResult<T> {
        self.with_function(token, |asking| ask(Instance::by_group(asking, groups)))
    }

    fn with_problem<T>(
        &self,
        groups: Groups,
        token: &CancelToken,
        ask: impl FnOnce(Result<Problem<'_, V>, matching_lp::Error>) -> PyResult<T>,
    ) -> PyResult<T> {
        self.with_function(token, |asking| ask(Problem::by_group(asking, groups)))
    }

    fn function(&self) -> Option<&Py<PyAny>> {
        Some(&self.function.function)
    }
}
