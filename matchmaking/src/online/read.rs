//! Arrivals from CSV.

use std::io::Read;
use std::str;

use csv::ByteRecord;

use super::arrivals::Arrivals;
use super::error::{ArrivalProblem, Error};
use crate::error::Place;
use crate::records::{Records, line_of};

/// Arrivals as a file has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The arrivals.
    pub arrivals: Arrivals,
    /// What the column `id` says, where there is one: a player who comes back has it again.
    pub ids: Option<Vec<String>>,
    /// Columns that are not used.
    pub unknown_columns: Vec<String>,
}

impl Log {
    /// Reads a header line with `time` and one or more columns whose names begin with `criterion`, in any order, and
    /// optionally `id`; then one arrival a line, sorted by time. A byte order mark, LF or CRLF and quoted fields are
    /// understood; space around fields is ignored.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(input: impl Read) -> Result<Self, Error> {
        let (mut records, mut record) = (Records::new(input), ByteRecord::new());
        if !records.next(&mut record)? {
            return Err(Error::Empty);
        }
        let header = line_of(&record);
        let columns = Columns::from_header(&record)?;
        let mut arrivals = Arrivals::empty(columns.criteria.len())?;
        let mut ids = columns.id.map(|_| Vec::new());
        let mut values = vec![0.0; columns.criteria.len()];
        while records.next(&mut record)? {
            let line = line_of(&record);
            if record.len() != columns.names.len() {
                let (expected, found) = (columns.names.len(), record.len());
                return Err(Error::WrongFieldCount { line, expected, found });
            }
            let time = columns.number(&record, columns.time, line)?;
            for (value, &column) in values.iter_mut().zip(&columns.criteria) {
                *value = columns.number(&record, column, line)?;
            }
            columns.push(&mut arrivals, &record, line, time, &values)?;
            if let (Some(ids), Some(column)) = (&mut ids, columns.id) {
                let id = field(&record, column, line)?;
                if id.is_empty() {
                    return Err(Error::NoId { line });
                }
                ids.push(id.to_owned());
            }
        }
        if arrivals.is_empty() {
            return Err(Error::NoArrivals { line: header });
        }
        Ok(Self {
            arrivals,
            ids,
            unknown_columns: columns.unknown(),
        })
    }
}

fn field(record: &ByteRecord, column: usize, line: u64) -> Result<&str, Error> {
    let field = str::from_utf8(record.get(column).unwrap_or_default());
    field.map(str::trim).map_err(|_| Error::NotUtf8 { line })
}

/// Which column holds what.
struct Columns {
    names: Vec<String>,
    time: usize,
    criteria: Vec<usize>,
    id: Option<usize>,
}

impl Columns {
    fn from_header(header: &ByteRecord) -> Result<Self, Error> {
        let line = line_of(header);
        let mut names: Vec<String> = Vec::new();
        for column in 0..header.len() {
            let name = field(header, column, line)?;
            if names.iter().any(|known| known == name) {
                return Err(Error::DuplicateColumn {
                    line,
                    column: name.to_owned(),
                });
            }
            names.push(name.to_owned());
        }
        let position = |wanted: &str| names.iter().position(|name| name == wanted);
        let missing = |column| Error::MissingColumn { line, column };
        let time = position("time").ok_or_else(|| missing("time"))?;
        let criteria: Vec<usize> = (0..names.len())
            .filter(|&column| names[column].starts_with("criterion"))
            .collect();
        if criteria.is_empty() {
            return Err(missing("criterion"));
        }
        let id = position("id");
        Ok(Self {
            time,
            criteria,
            id,
            names,
        })
    }

    fn number(&self, record: &ByteRecord, column: usize, line: u64) -> Result<f64, Error> {
        let text = field(record, column, line)?;
        text.parse()
            .map_err(|_| self.bad(column, line, text, ArrivalProblem::NotANumber))
    }

    fn bad(&self, column: usize, line: u64, found: &str, problem: ArrivalProblem) -> Error {
        Error::BadNumber {
            place: Place::Line(line),
            column: self.names[column].clone(),
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
        Err(self.bad(column, line, field(record, column, line)?, problem))
    }

    fn unknown(&self) -> Vec<String> {
        let is_used = |column: usize| column == self.time || Some(column) == self.id || self.criteria.contains(&column);
        (0..self.names.len())
            .filter(|&column| !is_used(column))
            .map(|column| self.names[column].clone())
            .collect()
    }
}
