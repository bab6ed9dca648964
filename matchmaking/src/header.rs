//! The header line of CSV, and the fields below it: what readers of pools, rounds, arrivals and logs share.

use std::collections::HashSet;
use std::str;

use csv::ByteRecord;

use crate::read_error::ReadError;
use crate::records::line_of;

/// The names of a file's columns.
pub(crate) struct Header {
    line: u64,
    names: Vec<String>,
}

impl Header {
    pub(crate) fn new(record: &ByteRecord) -> Result<Self, ReadError> {
        let line = line_of(record);
        let name = |(position, field): (usize, &[u8])| {
            let not_utf8 = |_| ReadError::NotUtf8 {
                line,
                column: (position + 1).to_string(),
            };
            str::from_utf8(field)
                .map(|name| name.trim().to_owned())
                .map_err(not_utf8)
        };
        let names = record.iter().enumerate().map(name).collect::<Result<Vec<_>, _>>()?;
        // What spreadsheets write where decimals have commas: all of it would be one name, and every column missing.
        if let [one] = &names[..]
            && let Some(separator) = one.chars().find(|&letter| letter == ';' || letter == '\t')
        {
            return Err(ReadError::OtherSeparator { line, separator });
        }
        Ok(Self { line, names })
    }

    /// The line it stands on, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The names of all columns, in their order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Where the one column of this name stands, if there is any. Columns that nobody asks for may share a name, or have
    /// none.
    pub(crate) fn position(&self, name: &str) -> Result<Option<usize>, ReadError> {
        let mut found = (0..self.names.len()).filter(|&position| self.names[position] == name);
        let first = found.next();
        match (first, found.next()) {
            (Some(first), Some(second)) => Err(ReadError::DuplicateColumn {
                line: self.line,
                column: name.to_owned(),
                first: first + 1,
                second: second + 1,
            }),
            _ => Ok(first),
        }
    }

    /// The same of a column that is needed: one whose name differs by capitals alone is not meant to be another.
    pub(crate) fn needed(&self, name: &str) -> Result<Option<usize>, ReadError> {
        let position = self.position(name)?;
        let like = || self.names.iter().find(|other| other.eq_ignore_ascii_case(name));
        match position.is_none().then(like).flatten() {
            Some(found) => Err(ReadError::OtherCase {
                line: self.line,
                column: name.to_owned(),
                found: found.clone(),
            }),
            None => Ok(position),
        }
    }

    /// The names that are none of these, each once.
    pub(crate) fn unknown(&self, is_known: impl Fn(&str) -> bool) -> Vec<String> {
        // A set beside them, since a file may have a million.
        let (mut unknown, mut seen) = (Vec::new(), HashSet::new());
        for name in self.names.iter().filter(|name| !is_known(name)) {
            if seen.insert(name) {
                unknown.push(name.clone());
            }
        }
        unknown
    }

    /// That a record has as many fields as there are columns.
    pub(crate) fn check(&self, record: &ByteRecord) -> Result<(), ReadError> {
        let (line, expected, found) = (line_of(record), self.names.len(), record.len());
        if found == expected {
            Ok(())
        } else {
            Err(ReadError::WrongFieldCount { line, expected, found })
        }
    }

    /// A field without the space around it.
    pub(crate) fn text<'a>(&self, record: &'a ByteRecord, position: usize) -> Result<&'a str, ReadError> {
        let field = record.get(position).unwrap_or_default();
        str::from_utf8(field).map(str::trim).map_err(|_| ReadError::NotUtf8 {
            line: line_of(record),
            column: self.names[position].clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use csv::ByteRecord;

    use super::Header;

    /// Each once, in the order of the header.
    #[test]
    fn a_header_may_have_any_number_of_names_that_nobody_asks_for() {
        const NAMES: usize = 1_000;
        let mut names: Vec<String> = (0..NAMES).map(|i| format!("column {i}")).collect();
        names.extend(["id", "column 7", "", "column 7"].map(str::to_owned));
        let header = Header::new(&ByteRecord::from(names.clone())).expect("text");
        let unknown = header.unknown(|name| name == "id");
        names.truncate(NAMES);
        names.push(String::new());
        assert_eq!(unknown, names);
    }
}
