//! A pool that changes between solves.

use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use matching_core::cost::DenseMatrix;
use matching_core::{Cost, Error, Objective, Session};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::failure::{self, PrecisionError};
use crate::grid::{Cell, Digits, Moved, OnGrid};
use crate::input::{self, Input, Sense};
use crate::pairing::{Answer, Asked, Instance, Prices, Problem, Solution, Way, Witness, run_engine};
use crate::run;
use crate::session_input::{Costs, One, Reader, Row, cells};

/// Players up to which any solve ends within some milliseconds.
const FEW: usize = 200;

type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

/// What the integers of a session stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grid {
    Integers,
    /// Floats, in units of 2 to this power; none where all are 0.
    Floats(Option<i32>),
}

impl Grid {
    /// The power of two that an integer of the session counts.
    fn exponent(self) -> i32 {
        match self {
            Self::Integers | Self::Floats(None) => 0,
            Self::Floats(Some(exponent)) => exponent,
        }
    }

    /// A number that it holds, in its units.
    fn units(self, cell: Cell) -> PyResult<i64> {
        let units = cell.units(self.exponent());
        units.ok_or_else(|| {
            PyValueError::new_err("a number is not on the grid of this session, which is made to hold all")
        })
    }

    fn float(self, units: i64) -> f64 {
        Cell::float(units, self.exponent())
    }
}

/// The pool, and what it is asked for.
struct State {
    /// Answers keep what they are about: whoever changes it while there are such, changes a copy.
    session: Arc<Session>,
    /// As the session has it.
    objective: Objective<i64>,
    grid: Grid,
}

/// What a solve comes to.
enum Outcome {
    Solved(Box<matching_core::Solution<i64>>),
    Impossible(matching_core::TutteBerge),
}

/// What was solved, and what came of it.
struct Solved {
    session: Arc<Session>,
    objective: Objective<i64>,
    grid: Grid,
    outcome: Outcome,
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

    /// Whether a player's row has one entry for each of so many.
    fn check_row(&self, entries: usize) -> PyResult<()> {
        let players = self.len();
        if players == entries {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "the cost has {entries} entries; give one for each of {players} players"
        )))
    }

    /// Makes room for numbers on the grid, if they are not on it: all costs move to another one, and the next solve begins anew.
    fn admit(&mut self, cells: impl Iterator<Item = Cell>) -> PyResult<()> {
        let Grid::Floats(exponent) = self.grid else {
            return Ok(());
        };
        let mut digits = Digits::default();
        cells.for_each(|cell| digits.include(cell));
        if exponent.is_some_and(|exponent| digits.fit(exponent)) {
            return Ok(());
        }
        let from = self.grid.exponent();
        let players = self.len();
        let pairs = (0..players).flat_map(|j| (0..j).map(move |i| (i, j)));
        for (i, j) in pairs.filter(|&(i, j)| self.session.is_allowed(i, j)) {
            digits.include_units(self.session.pair(i, j), from);
        }
        for &price in self.prices().into_iter().flatten() {
            digits.include_units(price, from);
        }
        let grid = digits.grid().map_err(PrecisionError::new_err)?;
        let Some(to) = grid.filter(|&to| exponent != Some(to)) else {
            return Ok(());
        };
        let moved = Moved {
            session: &self.session,
            from,
            to,
        };
        let prices = |prices: &[i64]| prices.iter().map(|&price| moved.units(price)).collect();
        let objective = match &self.objective {
            Objective::MinBye(byes) => Objective::MinBye(prices(byes)),
            Objective::MinOptOut(penalties) => Objective::MinOptOut(prices(penalties)),
            other => other.clone(),
        };
        let session = Session::new(&moved).map_err(|error| failure::of_pairing(&error))?;
        self.session = Arc::new(priced(session, &objective)?);
        self.objective = objective;
        self.grid = Grid::Floats(Some(to));
        Ok(())
    }

    fn row(&self, row: &[Option<Cell>]) -> PyResult<Vec<Option<i64>>> {
        let units = |cell: &Option<Cell>| cell.map(|cell| self.grid.units(cell)).transpose();
        row.iter().map(units).collect()
    }

    fn units_of(&self, cells: &[Cell]) -> PyResult<Vec<i64>> {
        cells.iter().map(|&cell| self.grid.units(cell)).collect()
    }

    /// Whether rows are those of newcomers to so many players, and of two newcomers say the same.
    fn check_newcomers(&self, first: usize, rows: &[Row]) -> PyResult<()> {
        if first != self.len() {
            return Err(PyRuntimeError::new_err(
                "the session was changed meanwhile; wait until that call has returned",
            ));
        }
        let players = first + rows.len();
        if let Some(row) = rows.iter().find(|row| row.len() != players) {
            return Err(PyValueError::new_err(format!(
                "rows of newcomers have {} entries; give one for each of {first} players and {} newcomers",
                row.len(),
                rows.len()
            )));
        }
        for (at, row) in rows.iter().enumerate() {
            for (before, other) in rows[..at].iter().enumerate() {
                let (u, v) = (first + before, first + at);
                if row[u] != other[v] {
                    return Err(failure::of_pairing(&Error::Asymmetric { u, v }));
                }
            }
        }
        Ok(())
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
    fn solve(&mut self, way: Way) -> PyResult<Solved> {
        let session = Arc::make_mut(&mut self.session);
        *session = std::mem::take(session).threads(way.threads);
        session.set_budget(way.budget);
        let outcome = match session.solve() {
            Ok(solution) => Outcome::Solved(Box::new(solution)),
            Err(Error::NoPerfectMatching(witness)) => Outcome::Impossible(witness),
            Err(error) => return Err(failure::of_pairing(&error)),
        };
        Ok(Solved {
            session: Arc::clone(&self.session),
            objective: self.objective.clone(),
            grid: self.grid,
            outcome,
        })
    }
}

/// A session with the prices of an objective.
fn priced(session: Session, objective: &Objective<i64>) -> PyResult<Session> {
    let session = match objective {
        Objective::MinBye(byes) => session.byes(byes.clone()),
        Objective::MinOptOut(penalties) => session.penalties(penalties.clone()),
        _ => Ok(session),
    };
    session.map_err(|error| failure::of_pairing(&error))
}

impl Solved {
    /// What was asked of the floats that integers stand for.
    fn asked_of_floats(&self, exponent: i32) -> Objective<f64> {
        let floats = |units: &[i64]| units.iter().map(|&units| Cell::float(units, exponent)).collect();
        match &self.objective {
            Objective::MinBye(byes) => Objective::MinBye(floats(byes)),
            Objective::MinOptOut(penalties) => Objective::MinOptOut(floats(penalties)),
            _ => Objective::MinPerfect,
        }
    }

    /// What was solved, as others see it.
    fn problem(&self) -> Box<dyn Problem> {
        let session = Arc::clone(&self.session);
        match self.grid {
            Grid::Integers => Box::new(Input::<i64>::Shared(session)),
            Grid::Floats(_) => {
                let exponent = self.grid.exponent();
                Box::new(Input::<f64>::Shared(Arc::new(OnGrid { session, exponent })))
            }
        }
    }

    /// The answer, a `Solution` or a `Witness` that there is none.
    fn found(self, py: Python<'_>, is_negated: bool) -> PyResult<Py<PyAny>> {
        let exponent = self.grid.exponent();
        let asked: Asked = match self.grid {
            Grid::Integers => Box::new(self.objective.clone()),
            Grid::Floats(_) => Box::new(self.asked_of_floats(exponent)),
        };
        match self.outcome {
            Outcome::Solved(solution) => {
                let answer: Box<dyn Answer> = match self.grid {
                    Grid::Integers => solution,
                    Grid::Floats(_) => {
                        let floats = solution.on_grid(exponent);
                        Box::new(floats.map_err(|error| failure::of_pairing(&error))?)
                    }
                };
                Ok(Py::new(py, Solution { answer, is_negated })?.into_any())
            }
            Outcome::Impossible(witness) => Ok(Py::new(py, Witness { witness, asked })?.into_any()),
        }
    }
}

/// A matrix of floats in units of a grid that holds its costs and some prices.
fn on_grid(floats: &DenseMatrix<f64>, prices: &[Cell]) -> PyResult<(DenseMatrix<i64>, Grid)> {
    let players = floats.len();
    let places = || (0..players).flat_map(|i| (0..players).map(move |j| (i, j)));
    let allowed = || places().filter(|&(i, j)| i != j && floats.is_allowed(i, j));
    let mut digits = Digits::default();
    prices.iter().for_each(|&price| digits.include(price));
    for (i, j) in allowed() {
        let cost = floats.pair(i, j);
        if !cost.is_finite() {
            return Err(failure::of_pairing(&Error::NotANumber { u: i, v: j }));
        }
        digits.include(Cell::of_float(cost));
    }
    let exponent = digits.grid().map_err(PrecisionError::new_err)?;
    let grid = Grid::Floats(exponent);
    let mut data = vec![0; players * players];
    for (i, j) in allowed() {
        data[i * players + j] = grid.units(Cell::of_float(floats.pair(i, j)))?;
    }
    let mut matrix = DenseMatrix::new(players, players, data).map_err(|error| failure::of_pairing(&error))?;
    for (i, j) in places().filter(|&(i, j)| !floats.is_allowed(i, j)) {
        matrix.forbid(i, j);
    }
    Ok((matrix, grid))
}

/// Players who come and go.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Pool {
    state: Mutex<State>,
    reader: Reader,
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
}

#[pymethods]
impl Pool {
    /// `kind` says what prices are: `alone`, `bye`, or nothing, where there are none. Costs and prices are of one type, which is that
    /// of all that come later.
    #[new]
    #[pyo3(signature = (cost, forbidden, *, maximise, kind, prices))]
    fn new(
        py: Python<'_>,
        cost: Costs<'_>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        maximise: bool,
        kind: Option<&str>,
        prices: Option<Prices<'_>>,
    ) -> PyResult<Self> {
        let sense = Sense {
            maximise,
            negate: maximise,
        };
        let reader = Reader {
            sense,
            is_float: cost.is_float(),
        };
        let prices = prices.map_or(Ok(Vec::new()), |prices| reader.prices(0.., &prices))?;
        let (matrix, grid): (DenseMatrix<i64>, Grid) = match &cost {
            Costs::Integers(cost) => (input::matrix(cost, forbidden.as_ref(), sense)?, Grid::Integers),
            Costs::Floats(cost) => {
                let floats: DenseMatrix<f64> = input::matrix(cost, forbidden.as_ref(), sense)?;
                run::at_once(py, || on_grid(&floats, &prices))??
            }
        };
        let prices = prices.into_iter().map(|price| grid.units(price));
        let prices = prices.collect::<PyResult<Vec<i64>>>()?;
        let session = run::at_once(py, || Session::new(&matrix))?;
        let session = session.map_err(|error| failure::of_pairing(&error))?;
        let objective = match kind {
            None => Objective::MinPerfect,
            Some("alone") => Objective::MinOptOut(prices),
            Some("bye") => Objective::MinBye(prices),
            Some(other) => return Err(PyValueError::new_err(format!("there are no prices {other:?}"))),
        };
        let session = Arc::new(priced(session, &objective)?);
        let state = Mutex::new(State {
            session,
            objective,
            grid,
        });
        Ok(Self { state, reader })
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.len())
    }

    /// Adds players, one for each row: what they cost with all who are there and with each other. Returns the number of the first.
    #[pyo3(signature = (cost, forbidden=None, prices=None))]
    fn add(
        &self,
        py: Python<'_>,
        cost: Costs<'_>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
        prices: Option<Prices<'_>>,
    ) -> PyResult<usize> {
        let first = self.lock()?.len();
        let rows = self.reader.rows(first, &cost, forbidden.as_ref())?;
        let prices = prices.map_or(Ok(Vec::new()), |prices| self.reader.prices(first.., &prices))?;
        self.change(py, |state| {
            state.check_newcomers(first, &rows)?;
            if !prices.is_empty() && prices.len() != rows.len() {
                let (found, players) = (prices.len(), rows.len());
                return Err(PyValueError::new_err(format!(
                    "{found} prices were given for {players} players"
                )));
            }
            state.admit(cells(&rows).chain(prices.iter().copied()))?;
            let prices = state.units_of(&prices)?;
            let rows = rows.iter().map(|row| state.row(row)).collect::<PyResult<Vec<_>>>()?;
            for (at, row) in rows.iter().enumerate() {
                state.add(prices.get(at).copied().unwrap_or(0), row);
            }
            Ok(first)
        })
    }

    /// Removes a player; returns the number of the one who takes its place.
    fn remove(&self, py: Python<'_>, player: usize) -> PyResult<Option<usize>> {
        self.change(py, |state| {
            state.check_player(player)?;
            Ok(state.remove(player))
        })
    }

    /// Sets all costs of a player, in the one row of a matrix.
    #[pyo3(signature = (player, cost, forbidden=None))]
    fn set_row(
        &self,
        py: Python<'_>,
        player: usize,
        cost: Costs<'_>,
        forbidden: Option<PyReadonlyArray2<'_, bool>>,
    ) -> PyResult<()> {
        let rows = self.reader.rows(player, &cost, forbidden.as_ref())?;
        let [row] = &rows[..] else {
            let count = rows.len();
            return Err(PyValueError::new_err(format!("{count} rows were given for one player")));
        };
        self.change(py, |state| {
            state.check_player(player)?;
            state.check_row(row.len())?;
            state.admit(cells(&rows))?;
            let row = state.row(row)?;
            Arc::make_mut(&mut state.session).set_row(player, |other| row[other]);
            Ok(())
        })
    }

    /// Sets the cost of a pair, or forbids it.
    #[pyo3(signature = (i, j, cost))]
    fn set_pair(&self, py: Python<'_>, i: usize, j: usize, cost: Option<One>) -> PyResult<()> {
        let cost = cost.map_or(Ok(None), |cost| self.reader.pair(&cost, i, j))?;
        self.change(py, |state| {
            state.check_player(i)?;
            state.check_player(j)?;
            if i == j {
                return Err(PyValueError::new_err(format!(
                    "the pair is ({i}, {j}); give two different players"
                )));
            }
            state.admit(cost.into_iter())?;
            let units = cost.map(|cost| state.grid.units(cost)).transpose()?;
            Arc::make_mut(&mut state.session).set_pair(i, j, units);
            Ok(())
        })
    }

    /// Sets the prices of some players: all of them, or none where one of them is wrong.
    fn set_prices(&self, py: Python<'_>, players: PyReadonlyArray1<'_, i64>, prices: Prices<'_>) -> PyResult<()> {
        let players: Vec<usize> = players
            .as_array()
            .iter()
            .map(|&player| usize::try_from(player).unwrap_or(usize::MAX))
            .collect();
        let prices = self.reader.prices(players.iter().copied(), &prices)?;
        self.change(py, |state| {
            players.iter().try_for_each(|&player| state.check_player(player))?;
            state.admit(prices.iter().copied())?;
            let prices = state.units_of(&prices)?;
            let both = players.iter().zip(prices);
            both.for_each(|(&player, price)| state.set_price(player, price));
            Ok(())
        })
    }

    /// The prices of all players, where they have some.
    fn prices<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let state = self.lock()?;
        let Some(prices) = state.prices() else { return Ok(None) };
        let signed = prices.iter().map(|&price| self.signed(price));
        Ok(Some(match state.grid {
            Grid::Integers => PyArray1::from_vec(py, signed.collect()).into_any(),
            Grid::Floats(_) => {
                let floats = signed.map(|price| state.grid.float(price)).collect();
                PyArray1::<f64>::from_vec(py, floats).into_any()
            }
        }))
    }

    /// All costs, 0 for those of forbidden pairs and the diagonal, and which pairs are forbidden.
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Matrix<'py, bool>)> {
        let (session, grid) = {
            let state = self.lock()?;
            (Arc::clone(&state.session), state.grid)
        };
        let players = session.len();
        let places = || (0..players).flat_map(|i| (0..players).map(move |j| (i, j)));
        let cost = |(i, j): (usize, usize)| self.signed(if i == j { 0 } else { session.pair(i, j) });
        let shape = [players, players];
        let costs = match grid {
            Grid::Integers => {
                let costs: Vec<i64> = run::at_once(py, || places().map(cost).collect())?;
                PyArray1::from_vec(py, costs).reshape(shape)?.into_any()
            }
            Grid::Floats(_) => {
                let float = |place| grid.float(cost(place));
                let costs: Vec<f64> = run::at_once(py, || places().map(float).collect())?;
                PyArray1::from_vec(py, costs).reshape(shape)?.into_any()
            }
        };
        let forbidden: Vec<bool> = run::at_once(py, || places().map(|(i, j)| !session.is_allowed(i, j)).collect())?;
        Ok((costs, PyArray1::from_vec(py, forbidden).reshape(shape)?))
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
        let solved = run_engine(py, is_small, (threads, false), budget, solve)?;
        let is_negated = self.reader.sense.negate;
        let instance = Instance {
            problem: solved.problem(),
            is_negated,
        };
        Ok((instance, solved.found(py, is_negated)?))
    }
}

impl Pool {
    /// A number of the session in the sense of whoever asks.
    fn signed(&self, units: i64) -> i64 {
        if self.reader.sense.negate { -units } else { units }
    }
}
