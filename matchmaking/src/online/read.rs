//! Arrivals from CSV.

use std::collections::HashSet;
use std::io::Read;

use csv::ByteRecord;

use super::arrivals::Arrivals;
use super::error::{ArrivalProblem, Error};
use crate::error::Place;
use crate::header::Header;
use crate::records::{Records, line_of};

/// Arrivals as a file has them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Log {
    /// The arrivals.
    pub arrivals: Arrivals,
    /// What the column `id` says, where there is one: a player who comes back has it again.
    pub ids: Option<Vec<String>>,
    /// The line of each arrival, from 1.
    pub lines: Vec<u64>,
    /// Columns that are not used.
    pub unknown_columns: Vec<String>,
}

impl Log {
    /// Reads a header line with `time` and one or more columns whose names begin with `criterion`, in any order, and
    /// optionally `id`; then one arrival a line, sorted by time. Criteria come in the order of the numbers that end their
    /// names, of which none is 1; those numbers are 1, 2 and so on, or begin with 0. Those that end
    /// otherwise come last, in the order of the file. A byte order mark, lines that end with LF, CRLF or CR, and quoted
    /// fields are understood; space around fields is ignored.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(input: impl Read) -> Result<Self, Error> {
        let (mut records, mut record) = (Records::new(input), ByteRecord::new());
        if !records.next(&mut record)? {
            return Err(Error::Empty);
        }
        let columns = Columns::new(Header::new(&record)?)?;
        let mut arrivals = Arrivals::empty(columns.criteria.len())?;
        let (mut ids, mut lines) = (columns.id.map(|_| Vec::new()), Vec::new());
        let mut values = vec![0.0; columns.criteria.len()];
        while records.next(&mut record)? {
            let line = line_of(&record);
            columns.header.check(&record)?;
            let time = columns.number(&record, columns.time, line)?;
            for (value, &column) in values.iter_mut().zip(&columns.criteria) {
                *value = columns.number(&record, column, line)?;
            }
            columns.push(&mut arrivals, &record, line, time, &values)?;
            lines.push(line);
            if let (Some(ids), Some(column)) = (&mut ids, columns.id) {
                let id = columns.header.text(&record, column)?;
                if id.is_empty() {
                    return Err(Error::NoId { line });
                }
                ids.push(id.to_owned());
            }
        }
        if arrivals.is_empty() {
            let line = columns.header.line();
            return Err(Error::NoArrivals { line });
        }
        Ok(Self {
            arrivals,
            ids,
            lines,
            unknown_columns: columns.unknown(),
        })
    }
}

/// What the names of criteria begin with.
const CRITERION: &str = "criterion";

/// The number of a criterion, by its name, if it has one.
fn number_of(name: &str) -> Option<u64> {
    match name.strip_prefix(CRITERION)? {
        "" => Some(1),
        number => number.parse().ok(),
    }
}

/// That criteria in order have the numbers 1, 2 and so on, or 0, 1 and so on: where one is left out its column is, too, and where
/// one is there twice nobody knows which of the two is meant.
fn check_numbers(header: &Header, criteria: &[usize]) -> Result<(), Error> {
    let names = criteria.iter().map(|&column| &header.names()[column]);
    let mut next = None;
    for (name, number) in names.map_while(|name| Some((name, number_of(name)?))) {
        let expected = next.unwrap_or(number.min(1));
        if number != expected {
            return Err(Error::CriteriaOutOfStep {
                line: header.line(),
                column: name.clone(),
                expected,
            });
        }
        next = Some(expected + 1);
    }
    Ok(())
}

/// Which column holds what.
struct Columns {
    header: Header,
    time: usize,
    /// In the order of their numbers.
    criteria: Vec<usize>,
    id: Option<usize>,
}

impl Columns {
    fn new(header: Header) -> Result<Self, Error> {
        let line = header.line();
        let missing = |column| Error::MissingColumn { line, column };
        let time = header.needed("time")?.ok_or_else(|| missing("time"))?;
        let (mut criteria, mut seen) = (Vec::new(), HashSet::new());
        for (column, name) in header.names().iter().enumerate() {
            if name.starts_with(CRITERION) {
                if !seen.insert(name) {
                    // It says where the two are.
                    header.position(name)?;
                }
                criteria.push(column);
            }
        }
        if criteria.is_empty() {
            header.needed(CRITERION)?;
            return Err(missing(CRITERION));
        }
        criteria.sort_by_key(|&column| number_of(&header.names()[column]).unwrap_or(u64::MAX));
        check_numbers(&header, &criteria)?;
        let id = header.position("id")?;
        Ok(Self {
            header,
            time,
            criteria,
            id,
        })
    }

    fn number(&self, record: &ByteRecord, column: usize, line: u64) -> Result<f64, Error> {
        let text = self.header.text(record, column)?;
        text.parse()
            .map_err(|_| self.bad(column, line, text, ArrivalProblem::NotANumber))
    }

    fn bad(&self, column: usize, line: u64, found: &str, problem: ArrivalProblem) -> Error {
        Error::BadNumber {
            place: Place::Line(line),
            column: self.header.names()[column].clone(),
            found: found.to_owned(),
            problem,
        }
    }

    /// Adds an arrival; what is wrong with it is said by the names that the file gives its columns.
    fn push(
        &self,
        arrivals: &mut Arrivals,
        record: &ByteRecord,
        line: u64,
        time: f64,
        values: &[f64],
    ) -> Result<(), Error> {
        let Err(error) = arrivals.push(Place::Line(line), time, values) else {
            return Ok(());
        };
        let Error::BadNumber { column, problem, .. } = error else {
            return Err(error);
        };
        let position = values.iter().position(|value| !(0.0..=1.0).contains(value));
        let column = match position.filter(|_| column != "time") {
            Some(position) => self.criteria[position],
            None => self.time,
        };
        Err(self.bad(column, line, self.header.text(record, column)?, problem))
    }

    fn unknown(&self) -> Vec<String> {
        let is_used = |name: &str| name == "time" || name == "id" || name.starts_with(CRITERION);
        self.header.unknown(is_used)
    }
}
