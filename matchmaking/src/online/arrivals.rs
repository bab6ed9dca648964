//! Who arrives, when, and with which criteria.

use super::error::{ArrivalProblem, Error};
use crate::error::Place;
use crate::written::number_text;

/// One arrival.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival<'a> {
    /// Position in the order of arrival, from 0.
    pub id: u32,
    /// When.
    pub time: f64,
    /// Value of each criterion, from 0 to 1.
    pub criteria: &'a [f64],
}

/// Arrivals in order of time. Equal times are allowed; those arrivals are served in the order in which they stand here.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrivals {
    dimensions: usize,
    times: Vec<f64>,
    /// Criteria of all arrivals, one after the other.
    criteria: Vec<f64>,
}

impl Arrivals {
    /// Checked arrivals from a list of times and criteria.
    ///
    /// # Errors
    /// [`Error::NoCriteria`] for `dimensions` 0, [`Error::WrongCriteria`], [`Error::BadNumber`], [`Error::NotSorted`],
    /// each naming the position; [`Error::TooManyArrivals`] beyond 2³² - 1.
    pub fn new<'a>(dimensions: usize, arrivals: impl IntoIterator<Item = (f64, &'a [f64])>) -> Result<Self, Error> {
        let mut checked = Self::empty(dimensions)?;
        for (position, (time, criteria)) in arrivals.into_iter().enumerate() {
            checked.push(Place::Position(position), time, criteria)?;
        }
        Ok(checked)
    }

    /// Nobody yet.
    pub(super) fn empty(dimensions: usize) -> Result<Self, Error> {
        if dimensions == 0 {
            return Err(Error::NoCriteria);
        }
        Ok(Self {
            dimensions,
            times: Vec::new(),
            criteria: Vec::new(),
        })
    }

    /// One more, later than all others or at the same time.
    pub(super) fn push(&mut self, place: Place, time: f64, criteria: &[f64]) -> Result<(), Error> {
        check(place, time, criteria, self.dimensions)?;
        // Players are numbered in 32 bits.
        if self.len() >= u32::MAX as usize {
            return Err(Error::TooManyArrivals { most: u32::MAX });
        }
        if let Some(&previous) = self.times.last()
            && time < previous
        {
            return Err(Error::NotSorted { place, time, previous });
        }
        self.times.push(time);
        self.criteria.extend_from_slice(criteria);
        Ok(())
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether nobody arrives.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Criteria per arrival, `D`.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// When each of them arrives.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Criteria of an arrival.
    ///
    /// # Panics
    /// If there is no such arrival.
    #[track_caller]
    pub fn criteria(&self, id: usize) -> &[f64] {
        &self.criteria[id * self.dimensions..][..self.dimensions]
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Arrival<'_>> + '_ {
        let criteria = self.criteria.chunks_exact(self.dimensions);
        let numbered = self.times.iter().zip(criteria).enumerate();
        numbered.map(|(id, (&time, criteria))| Arrival {
            id: id as u32,
            time,
            criteria,
        })
    }
}

/// What an arrival must be, whenever it comes.
pub(super) fn check(place: Place, time: f64, criteria: &[f64], dimensions: usize) -> Result<(), Error> {
    if criteria.len() != dimensions {
        let (expected, found) = (dimensions, criteria.len());
        return Err(Error::WrongCriteria { place, expected, found });
    }
    let bad = |column: String, found: f64, problem| Error::BadNumber {
        place,
        column,
        found: number_text(found),
        problem,
    };
    if !time.is_finite() {
        let problem = if time.is_nan() {
            ArrivalProblem::NotANumber
        } else {
            ArrivalProblem::Infinite
        };
        return Err(bad("time".to_owned(), time, problem));
    }
    match criteria.iter().position(|value| !(0.0..=1.0).contains(value)) {
        None => Ok(()),
        Some(position) => {
            let value = criteria[position];
            let problem = if value.is_nan() {
                ArrivalProblem::NotANumber
            } else {
                ArrivalProblem::OutsideUnit
            };
            Err(bad(criterion_name(position, dimensions), value, problem))
        }
    }
}

/// What a criterion is called where there is no header.
fn criterion_name(position: usize, dimensions: usize) -> String {
    if dimensions == 1 {
        "criterion".to_owned()
    } else {
        format!("criterion{}", position + 1)
    }
}
