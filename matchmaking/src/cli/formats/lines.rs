//! Lines with their numbers, and the fields on them.

use std::io::{BufRead, Read};

use super::error::{GraphError, Problem, excerpt};
use crate::cli::decimal::Decimal;
use crate::records::LONGEST;

/// The lines of a file that are not blank.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            number: 0,
        }
    }

    /// The next line that is not blank.
    pub(crate) fn next(&mut self) -> Result<Option<Line<'_>>, GraphError> {
        loop {
            self.buffer.clear();
            self.number += 1;
            let read = self
                .reader
                .by_ref()
                .take(LONGEST as u64)
                .read_until(b'\n', &mut self.buffer);
            let failed = |error: std::io::Error| {
                self.error(Problem::Read {
                    message: error.to_string(),
                })
            };
            if read.map_err(failed)? == 0 {
                return Ok(None);
            }
            if self.buffer.len() == LONGEST && !self.buffer.ends_with(b"\n") {
                return Err(self.error(Problem::LongLine { limit: LONGEST }));
            }
            // Borrowed anew below: a borrow that may be returned would last through the loop.
            if !self.buffer.trim_ascii().is_empty() {
                return Ok(Some(Line {
                    number: self.number,
                    text: self.buffer.trim_ascii(),
                }));
            }
        }
    }

    /// The next line that does not begin with `mark`, which opens a comment where there are any.
    pub(crate) fn next_past_comments(&mut self, mark: Option<&[u8]>) -> Result<Option<Line<'_>>, GraphError> {
        loop {
            if self.next()?.is_none() {
                return Ok(None);
            }
            let text = self.buffer.trim_ascii();
            let opens = |mark: &[u8]| {
                let first = text.split(u8::is_ascii_whitespace).next();
                first.is_some_and(|first| first == mark || (mark == b"%" && first.starts_with(mark)))
            };
            if !mark.is_some_and(opens) {
                return Ok(Some(Line {
                    number: self.number,
                    text: self.buffer.trim_ascii(),
                }));
            }
        }
    }

    /// So many lines, each handed to `take`, and none behind them; `what` they are, in the plural. Lines that begin
    /// with `mark` are passed over.
    pub(crate) fn exactly(
        &mut self,
        (expected, what): (u64, &'static str),
        mark: Option<&[u8]>,
        mut take: impl FnMut(Line<'_>) -> Result<(), GraphError>,
    ) -> Result<(), GraphError> {
        for found in 0..expected {
            let Some(line) = self.next_past_comments(mark)? else {
                return Err(self.error(Problem::CutOff { expected, found, what }));
            };
            take(line)?;
        }
        self.next_past_comments(mark)?.map_or(Ok(()), |line| {
            let found = excerpt(line.text);
            Err(line.error(Problem::Trailing { expected, what, found }))
        })
    }

    /// That something is wrong on the line last read.
    pub(crate) fn error(&self, problem: Problem) -> GraphError {
        GraphError {
            line: self.number,
            problem,
        }
    }
}

/// One line, without the space around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) number: u64,
    pub(crate) text: &'a [u8],
}

impl<'a> Line<'a> {
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        self.text
            .split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
    }

    /// Exactly so many fields.
    pub(crate) fn exactly<const N: usize>(&self, expected: &'static str) -> Result<[&'a [u8]; N], GraphError> {
        let mut found = [&[] as &[u8]; N];
        let mut fields = self.fields();
        let count = found
            .iter_mut()
            .zip(&mut fields)
            .map(|(slot, field)| *slot = field)
            .count()
            + fields.count();
        if count == N {
            return Ok(found);
        }
        let shown = self.fields().count();
        Err(self.error(Problem::Fields {
            expected: expected.to_owned(),
            found: shown,
        }))
    }

    pub(crate) fn error(&self, problem: Problem) -> GraphError {
        GraphError {
            line: self.number,
            problem,
        }
    }

    /// A weight.
    pub(crate) fn weight(&self, field: &[u8]) -> Result<Decimal, GraphError> {
        Decimal::parse(field).map_err(|cause| self.error(Problem::weight(field, cause)))
    }

    /// A count such as the number of edges.
    pub(crate) fn count(&self, field: &[u8], expected: &'static str) -> Result<u64, GraphError> {
        let header = || {
            self.error(Problem::Header {
                expected,
                found: excerpt(self.text),
            })
        };
        whole(field).ok_or_else(header)
    }

    /// The number of vertices.
    pub(crate) fn vertices(&self, field: &[u8], limit: usize, expected: &'static str) -> Result<usize, GraphError> {
        if field.is_empty() || !field.iter().all(u8::is_ascii_digit) {
            return Err(self.error(Problem::Header {
                expected,
                found: excerpt(self.text),
            }));
        }
        let too_many = || {
            self.error(Problem::TooManyVertices {
                found: excerpt(field),
                limit,
            })
        };
        let count = whole(field).and_then(|count| usize::try_from(count).ok());
        count.filter(|&count| count <= limit).ok_or_else(too_many)
    }

    /// A vertex of a graph with `len` vertices, as an index from 0; the file counts from `first`.
    pub(crate) fn vertex(&self, field: &[u8], len: usize, first: usize) -> Result<u32, GraphError> {
        let Some(vertex) = whole(field) else {
            return Err(self.error(Problem::Vertex { found: excerpt(field) }));
        };
        let index = vertex.checked_sub(first as u64).filter(|&index| index < len as u64);
        index
            .map(|index| index as u32)
            .ok_or_else(|| self.error(Problem::OutOfRange { vertex, len, first }))
    }
}

/// Digits alone.
fn whole(field: &[u8]) -> Option<u64> {
    if !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}
