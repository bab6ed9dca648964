//! What Python says to a session, as numbers that a grid may hold.

use matching_core::Error;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure;
use crate::grid::Cell;
use crate::input::Sense;
use crate::number::Number as _;
use crate::pairing::Prices;

/// Costs as Python gives them.
#[derive(Debug, FromPyObject)]
pub(crate) enum Costs<'py> {
    Integers(PyReadonlyArray2<'py, i64>),
    Floats(PyReadonlyArray2<'py, f64>),
}

impl Costs<'_> {
    fn dim(&self) -> (usize, usize) {
        match self {
            Self::Integers(cost) => cost.as_array().dim(),
            Self::Floats(cost) => cost.as_array().dim(),
        }
    }

    pub(crate) fn is_float(&self) -> bool {
        matches!(self, Self::Floats(_))
    }
}

/// One number, as Python gives it.
#[derive(Debug, FromPyObject)]
pub(crate) enum One {
    Integer(i64),
    Float(f64),
}

/// What a player costs with each other one, `None` where they must be apart.
pub(crate) type Row = Vec<Option<Cell>>;

/// How a session reads numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    pub(crate) sense: Sense,
    /// Whether costs and prices are floats; integers else.
    pub(crate) is_float: bool,
}

impl Reader {
    fn check_kind(self, is_float: bool) -> PyResult<()> {
        if is_float == self.is_float {
            return Ok(());
        }
        let kind = if self.is_float { "float64" } else { "int64" };
        Err(PyValueError::new_err(format!(
            "costs and prices of this session are of {kind}, from the first on"
        )))
    }

    fn price(self, price: Cell, player: usize) -> PyResult<Cell> {
        let signed = if self.sense.negate {
            price.negated()
        } else {
            Some(price)
        };
        signed.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the price of player {player} is {}, whose sign cannot change in 64 bits",
                price.mantissa
            ))
        })
    }

    fn float_price(self, price: f64, player: usize) -> PyResult<Cell> {
        if price.is_finite() {
            return self.price(Cell::of_float(price), player);
        }
        Err(PyValueError::new_err(format!(
            "the price of player {player} is {price}; give a finite number"
        )))
    }

    /// The prices of players.
    pub(crate) fn prices(self, players: impl Iterator<Item = usize>, prices: &Prices<'_>) -> PyResult<Vec<Cell>> {
        self.check_kind(matches!(prices, Prices::Floats(_)))?;
        match prices {
            Prices::Integers(prices) => {
                let prices = players.zip(prices.as_array());
                let price = |(player, &price): (usize, &i64)| self.price(Cell::of_integer(price), player);
                prices.map(price).collect()
            }
            Prices::Floats(prices) => {
                let prices = players.zip(prices.as_array());
                let price = |(player, &price): (usize, &f64)| self.float_price(price, player);
                prices.map(price).collect()
            }
        }
    }

    fn float(self, value: f64, i: usize, j: usize) -> PyResult<Option<Cell>> {
        if value.is_never(self.sense.maximise) {
            return Ok(None);
        }
        if !value.is_finite() {
            return Err(failure::of_pairing(&Error::NotANumber { u: i, v: j }));
        }
        Ok(Some(Cell::of_float(self.sense.apply(value, i, j)?)))
    }

    fn integer(self, value: i64, i: usize, j: usize) -> PyResult<Option<Cell>> {
        Ok(Some(Cell::of_integer(self.sense.apply(value, i, j)?)))
    }

    /// What two players cost.
    pub(crate) fn pair(self, cost: &One, i: usize, j: usize) -> PyResult<Option<Cell>> {
        self.check_kind(matches!(cost, One::Float(_)))?;
        match *cost {
            One::Integer(cost) => self.integer(cost, i, j),
            One::Float(cost) => self.float(cost, i, j),
        }
    }

    /// What some players cost, who are numbered from `first` on, with each one; what stands for themselves is not read.
    pub(crate) fn rows(
        self,
        first: usize,
        cost: &Costs<'_>,
        forbidden: Option<&PyReadonlyArray2<'_, bool>>,
    ) -> PyResult<Vec<Row>> {
        self.check_kind(cost.is_float())?;
        let (mask, (rows, cols)) = (forbidden.map(PyReadonlyArray2::as_array), cost.dim());
        if let Some(mask) = &mask
            && mask.dim() != (rows, cols)
        {
            let (height, width) = mask.dim();
            return Err(PyValueError::new_err(format!(
                "forbidden has the shape ({height}, {width}); give that of the cost, ({rows}, {cols})"
            )));
        }
        let is_forbidden = |at: usize, other: usize| {
            first.checked_add(at) == Some(other) || mask.as_ref().is_some_and(|mask| mask[(at, other)])
        };
        let row = |at: usize| match cost {
            Costs::Integers(cost) => {
                let row = cost.as_array();
                let entry = |other: usize| match is_forbidden(at, other) {
                    true => Ok(None),
                    false => self.integer(row[(at, other)], first + at, other),
                };
                (0..cols).map(entry).collect::<PyResult<Row>>()
            }
            Costs::Floats(cost) => {
                let row = cost.as_array();
                let entry = |other: usize| match is_forbidden(at, other) {
                    true => Ok(None),
                    false => self.float(row[(at, other)], first + at, other),
                };
                (0..cols).map(entry).collect::<PyResult<Row>>()
            }
        };
        (0..rows).map(row).collect()
    }
}

/// All numbers of some rows.
pub(crate) fn cells(rows: &[Row]) -> impl Iterator<Item = Cell> {
    rows.iter().flatten().copied().flatten()
}
