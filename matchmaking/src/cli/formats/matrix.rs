//! Full matrices: `n`, then n rows of n entries; symmetric, the diagonal is not read, `-` forbids a pair.
//!
//! Rows and columns are counted from 0.

use std::io::BufRead;

use super::error::{GraphError, Problem};
use super::lines::{Line, Lines};
use super::{Builder, Graph, Grouped, ROW_LIMIT, Sizes};
use crate::cli::decimal::Decimal;

const HEADER: &str = "`n`: the number of rows and columns";

const SIZED_HEADER: &str = "`n k` or `n`: the number of rows and columns, and the number of members of a group";

/// Stands for a forbidden pair among the positions of the upper triangle's entries.
const FORBIDDEN: u32 = u32::MAX;

pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Graph, GraphError> {
    let Some(header) = lines.next()? else {
        return Err(lines.error(Problem::Empty { expected: HEADER }));
    };
    let [n] = header.exactly(HEADER)?;
    let len = header.vertices(n, ROW_LIMIT, HEADER)?;
    rows(lines, len)
}

/// The same with the number of members of a group behind `n`, or without.
pub(super) fn read_grouped<R: BufRead>(lines: &mut Lines<R>) -> Result<Grouped, GraphError> {
    let Some(header) = lines.next()? else {
        return Err(lines.error(Problem::Empty { expected: SIZED_HEADER }));
    };
    let (len, sizes) = sized(header)?;
    let graph = rows(lines, len)?;
    Ok(Grouped { graph, sizes })
}

/// The number of rows, and of members of a group.
fn sized(header: Line<'_>) -> Result<(usize, Sizes), GraphError> {
    let mut fields = header.fields();
    let len = header.vertices(fields.next().unwrap_or_default(), ROW_LIMIT, SIZED_HEADER)?;
    match (fields.next(), fields.next()) {
        (None, _) => Ok((len, Sizes::Unstated)),
        (Some(k), None) => match header.vertices(k, ROW_LIMIT, SIZED_HEADER)? {
            0 => Err(header.error(Problem::NoSize)),
            size => Ok((len, Sizes::Each(size))),
        },
        (Some(_), Some(_)) => Err(header.error(Problem::Fields {
            expected: SIZED_HEADER.to_owned(),
            found: header.fields().count(),
        })),
    }
}

/// The rows behind the header.
fn rows<R: BufRead>(lines: &mut Lines<R>, len: usize) -> Result<Graph, GraphError> {
    let mut upper = Upper {
        len,
        builder: Builder::new(len, 0),
        rows: Vec::new(),
    };
    lines.exactly((len as u64, "rows"), None, |line| upper.row(line))?;
    upper.builder.finish()
}

/// The entries above the diagonal, to compare those below it with.
struct Upper {
    len: usize,
    builder: Builder,
    /// For each row read so far, which edge each entry right of the diagonal is.
    rows: Vec<Vec<u32>>,
}

impl Upper {
    /// The next row.
    fn row(&mut self, line: Line<'_>) -> Result<(), GraphError> {
        let row = self.rows.len();
        let mut positions = Vec::new();
        let mut found = 0;
        for (col, field) in line.fields().enumerate() {
            found += 1;
            if col >= self.len || col == row {
                continue;
            }
            let entry = if field == b"-" { None } else { Some(line.weight(field)?) };
            if col < row {
                let there = self.above(col, row);
                if entry != there {
                    return Err(line.error(Problem::asymmetric(row, col, entry, there)));
                }
            } else {
                positions.push(self.push(line, (row, col), field, entry)?);
            }
        }
        if found != self.len {
            let expected = format!("{} entries, one per column", self.len);
            return Err(line.error(Problem::Fields { expected, found }));
        }
        self.rows.push(positions);
        Ok(())
    }

    fn push(
        &mut self,
        line: Line<'_>,
        (row, col): (usize, usize),
        field: &[u8],
        entry: Option<Decimal>,
    ) -> Result<u32, GraphError> {
        let Some(weight) = entry else { return Ok(FORBIDDEN) };
        let position = self.builder.ends.len() as u32;
        self.builder.push(line, (row as u32, col as u32), field, weight)?;
        Ok(position)
    }

    /// The entry of an earlier row.
    fn above(&self, row: usize, col: usize) -> Option<Decimal> {
        let position = self.rows[row][col - row - 1];
        (position != FORBIDDEN).then(|| self.builder.weights.get(position as usize))
    }
}
