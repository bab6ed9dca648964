//! A pool that changes between solves.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use matching_core::cost::DenseMatrix;
use matching_core::{Cost, Error, Objective, Session};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::failure;
use crate::input::{self, Input, Sense};
use crate::pairing::{Instance, Solution, Way, Witness, run_engine};
use crate::run;

/// Players up to which any solve ends within some milliseconds.
const FEW: usize = 200;

type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

/// The pool, and what it is asked for.
struct State {
    /// Answers keep what they are about: whoever changes it while there are such, changes a copy.
    session: Arc<Session>,
    /// As the session has it.
    objective: Objective<i64>,
}

/// What a solve comes to.
enum Outcome {
    Solved(Box<matching_core::Solution<i64>>),
    Impossible(matching_core::TutteBerge),
}

impl State {
    fn len(&self) -> usize {
        self.session.len()
    }

    /// The prices of players, where they have some.
    fn prices(&self) -> Option<&Vec<i64>> {
        match &self.objective {
            Objective::MinBye(prices) | Objective::MinOptOut(prices) => Some(prices),
            _ => None,
        }
    }

    fn prices_mut(&mut self) -> Option<&mut Vec<i64>> {
        match &mut self.objective {
            Objective::MinBye(prices) | Objective::MinOptOut(prices) => Some(prices),
            _ => None,
        }
    }

    fn check_player(&self, player: usize) -> PyResult<()> {
        let players = self.len();
        if player < players {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "player is {player}; there are {players}, numbered from 0"
        )))
    }

    fn check_row(&self, row: &[Option<i64>]) -> PyResult<()> {
        let (players, entries) = (self.len(), row.len());
        if players == entries {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "the cost has {entries} entries; give one for each of {players} players"
        )))
    }

    fn add(&mut self, price: i64, row: &[Option<i64>]) -> usize {
        if let Some(prices) = self.prices_mut() {
            prices.push(price);
        }
        let is_opt_out = matches!(self.objective, Objective::MinOptOut(_));
        let session = Arc::make_mut(&mut self.session);
        if is_opt_out {
            session.add_with_penalty(price, |other| row[other])
        } else {
            session.add_with_bye(price, |other| row[other])
        }
    }

    fn remove(&mut self, player: usize) -> Option<usize> {
        if let Some(prices) = self.prices_mut() {
            prices.swap_remove(player);
        }
        Arc::make_mut(&mut self.session).remove(player)
    }

    fn set_price(&mut self, player: usize, price: i64) {
        if let Some(prices) = self.prices_mut() {
            prices[player] = price;
        }
        let session = Arc::make_mut(&mut self.session);
        match self.objective {
            Objective::MinBye(_) => session.set_bye(player, price),
            Objective::MinOptOut(_) => session.set_penalty(player, price),
            _ => {}
        }
    }

    /// With what is to be solved, as it is now.
    fn solve(&mut self, way: Way) -> PyResult<(Arc<Session>, Objective<i64>, Outcome)> {
        let session = Arc::make_mut(&mut self.session);
        *session = std::mem::take(session).threads(way.threads);
        session.set_budget(way.budget);
        let outcome = match session.solve() {
            Ok(solution) => Outcome::Solved(Box::new(solution)),
            Err(Error::NoPerfectMatching(witness)) => Outcome::Impossible(witness),
            Err(error) => return Err(failure::of_pairing(&error)),
        };
        Ok((Arc::clone(&self.session), self.objective.clone(), outcome))
    }
}

/// Players who come and go, with costs of 64-bit integers.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Pool {
    state: Mutex<State>,
    sense: Sense,
}

impl Pool {
    /// Whoever has it changes it, or solves it; no second one waits for that, as he might be a handler of signals.
    fn lock(&self) -> PyResult<MutexGuard<'_, State>> {
        self.state.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                PyRuntimeError::new_err("the session is at work elsewhere; wait until that call has returned")
            }
            TryLockError::Poisoned(_) => PyRuntimeError::new_err("the session has failed before; make a new one"),
        })
    }

    /// Changes the pool, which may have to be copied before.
    fn change<T: Send>(&self, py: Python<'_>, change: impl FnOnce(&mut State) -> PyResult<T> + Send) -> PyResult<T> {
        run::at_once(py, || change(&mut *self.lock()?))?
    }

    fn price(&self, price: i64, player: usize) -> PyResult<i64> {
        let signed = if self.sense.negate {
            price.checked_neg()
        } else {
            Some(price)
        };
        signed.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the price of player {player} is {price}, whose sign cannot change in 64 bits"
            ))
        })
    }

    /// What a player costs with each other one; the entry of the player is not read.
    fn row(
        &self,
        cost: &PyReadonlyArray1<'_, i64>,
        forbidden: Option<&PyReadonlyArray1<'_, bool>>,
        player: Option<usize>,
    ) -> PyResult<Vec<Option<i64>>> {
        let (cost, mask) = (cost.as_array(), forbidden.map(PyReadonlyArray1::as_array));
        if let Some(mask) = &mask
            && mask.len() != cost.len()
        {
            return Err(PyValueError::new_err(format!(
                "forbidden has {} entries, and the cost {}; give as many of each",
                mask.len(),
                cost.len()
            )));
        }
        let me = player.unwrap_or(cost.len());
        let entry = |(other, &cost): (usize, &i64)| {
            if other == me || mask.as_ref().is_some_and(|mask| mask[other]) {
                return Ok(None);
            }
            self.sense.apply(cost, me, other).map(Some)
        };
        cost.iter().enumerate().map(entry).collect()
    }
}

#[pymethods]
impl Pool {
    /// `kind` says what prices are: `alone`, `bye`, or nothing, where there are none.
    #[new]
    #[pyo3(signature = (cost, forbidden, *, maximise, kind, prices))]
    fn new(
        py: Python<'_>,
        cost: PyReadonlyArray2<'_, i64>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        maximise: bool,
        kind: Option<&str>,
        prices: Option<PyReadonlyArray1<'_, i64>>,
    ) -> PyResult<Self> {
        let sense = Sense {
            maximise,
            negate: maximise,
        };
        let matrix: DenseMatrix<i64> = input::matrix(&cost, forbidden.as_ref(), sense)?;
        let session = run::at_once(py, || Session::new(&matrix))?;
        let session = session.map_err(|error| failure::of_pairing(&error))?;
        let mut pool = Self {
            state: Mutex::new(State {
                session: Arc::new(Session::empty()),
                objective: Objective::MinPerfect,
            }),
            sense,
        };
        let prices = prices.map_or_else(Vec::new, |prices| prices.as_array().to_vec());
        let prices = prices.into_iter().enumerate();
        let prices: Vec<i64> = prices
            .map(|(player, price)| pool.price(price, player))
            .collect::<PyResult<_>>()?;
        let (session, objective) = match kind {
            None => (Ok(session), Objective::MinPerfect),
            Some("alone") => (session.penalties(prices.clone()), Objective::MinOptOut(prices)),
            Some("bye") => (session.byes(prices.clone()), Objective::MinBye(prices)),
            Some(other) => return Err(PyValueError::new_err(format!("there are no prices {other:?}"))),
        };
        let session = Arc::new(session.map_err(|error| failure::of_pairing(&error))?);
        pool.state = Mutex::new(State { session, objective });
        Ok(pool)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.len())
    }

    /// Adds a player; returns its number.
    #[pyo3(signature = (cost, forbidden=None, price=0))]
    fn add(
        &self,
        py: Python<'_>,
        cost: PyReadonlyArray1<'_, i64>,
        forbidden: Option<PyReadonlyArray1<'_, bool>>,
        price: i64,
    ) -> PyResult<usize> {
        let row = self.row(&cost, forbidden.as_ref(), None)?;
        let price = self.price(price, row.len())?;
        self.change(py, |state| {
            state.check_row(&row)?;
            Ok(state.add(price, &row))
        })
    }

    /// Removes a player; returns the number of the one who takes its place.
    fn remove(&self, py: Python<'_>, player: usize) -> PyResult<Option<usize>> {
        self.change(py, |state| {
            state.check_player(player)?;
            Ok(state.remove(player))
        })
    }

    /// Sets all costs of a player.
    #[pyo3(signature = (player, cost, forbidden=None))]
    fn set_row(
        &self,
        py: Python<'_>,
        player: usize,
        cost: PyReadonlyArray1<'_, i64>,
        forbidden: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let row = self.row(&cost, forbidden.as_ref(), Some(player))?;
        self.change(py, |state| {
            state.check_player(player)?;
            state.check_row(&row)?;
            Arc::make_mut(&mut state.session).set_row(player, |other| row[other]);
            Ok(())
        })
    }

    /// Sets the cost of a pair, or forbids it.
    #[pyo3(signature = (i, j, cost))]
    fn set_pair(&self, py: Python<'_>, i: usize, j: usize, cost: Option<i64>) -> PyResult<()> {
        let cost = cost.map(|cost| self.sense.apply(cost, i, j)).transpose()?;
        self.change(py, |state| {
            state.check_player(i)?;
            state.check_player(j)?;
            if i == j {
                return Err(PyValueError::new_err(format!(
                    "the pair is ({i}, {j}); give two different players"
                )));
            }
            Arc::make_mut(&mut state.session).set_pair(i, j, cost);
            Ok(())
        })
    }

    /// Sets the prices of some players: all of them, or none where one of them is wrong.
    fn set_prices(
        &self,
        py: Python<'_>,
        players: PyReadonlyArray1<'_, i64>,
        prices: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<()> {
        let (players, prices) = (players.as_array(), prices.as_array());
        let both = players.iter().zip(&prices).map(|(&player, &price)| {
            let player = usize::try_from(player).unwrap_or(usize::MAX);
            Ok((player, self.price(price, player)?))
        });
        let both: Vec<(usize, i64)> = both.collect::<PyResult<_>>()?;
        self.change(py, |state| {
            both.iter().try_for_each(|&(player, _)| state.check_player(player))?;
            both.iter().for_each(|&(player, price)| state.set_price(player, price));
            Ok(())
        })
    }

    /// The prices of all players, where they have some.
    fn prices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
        let state = self.lock()?;
        let signed = |&price: &i64| if self.sense.negate { -price } else { price };
        let prices = state.prices().map(|prices| prices.iter().map(signed).collect());
        Ok(prices.map(|prices| PyArray1::from_vec(py, prices)))
    }

    /// All costs, 0 for those of forbidden pairs and the diagonal, and which pairs are forbidden.
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<(Matrix<'py, i64>, Matrix<'py, bool>)> {
        let session = Arc::clone(&self.lock()?.session);
        let players = session.len();
        let (costs, forbidden) = run::at_once(py, || {
            let places = || (0..players).flat_map(|i| (0..players).map(move |j| (i, j)));
            let cost = |(i, j): (usize, usize)| {
                let cost = if i == j { 0 } else { session.pair(i, j) };
                if self.sense.negate { -cost } else { cost }
            };
            let costs: Vec<i64> = places().map(cost).collect();
            let forbidden: Vec<bool> = places().map(|(i, j)| !session.is_allowed(i, j)).collect();
            (costs, forbidden)
        })?;
        let shape = [players, players];
        Ok((
            PyArray1::from_vec(py, costs).reshape(shape)?,
            PyArray1::from_vec(py, forbidden).reshape(shape)?,
        ))
    }

    /// Solves it: what was solved, and a `Solution`, or a `Witness` that there is none.
    #[pyo3(signature = (*, seconds=None, work=None, threads=0))]
    fn solve(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        work: Option<u64>,
        threads: usize,
    ) -> PyResult<(Instance, Py<PyAny>)> {
        let budget = run::budget(seconds, work)?;
        let is_small = self.lock()?.len() <= FEW;
        let solve = |way| self.lock()?.solve(way);
        let (session, objective, outcome) = run_engine(py, is_small, (threads, false), budget, solve)?;
        let is_negated = self.sense.negate;
        let instance = Instance {
            problem: Box::new(Input::Shared(session)),
            is_negated,
        };
        let found = match outcome {
            Outcome::Solved(answer) => Py::new(py, Solution { answer, is_negated })?.into_any(),
            Outcome::Impossible(witness) => {
                let asked = Box::new(objective);
                Py::new(py, Witness { witness, asked })?.into_any()
            }
        };
        Ok((instance, found))
    }
}
