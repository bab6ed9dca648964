//! Matrix Market: `%%MatrixMarket matrix coordinate FIELD SYMMETRY`, comments `%`, a line `n n entries`, then entries
//! `i j w`, counted from 1.
//!
//! FIELD is `real`, `integer` or `pattern` (no weights: each edge weighs 1). A `symmetric` matrix holds each edge once,
//! on either side of the diagonal; a `general` one holds both (i, j) and (j, i), with the same weight. Entries on the
//! diagonal are no edges: they are counted and reported. Everything else is refused with words.

use std::io::BufRead;

use super::error::{GraphError, Problem, excerpt};
use super::lines::{Line, Lines};
use super::{Builder, Graph, VERTEX_LIMIT};
use crate::cli::decimal::Decimal;
use crate::cli::text::counted_as;

const BANNER: &str = "`%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric`";
const SIZE: &str = "`n n entries`: rows, columns and the number of entries";
const ENTRY: &str = "`i j w`: row, column and weight";
const PATTERN_ENTRY: &str = "`i j`: row and column";

struct Kind {
    has_weights: bool,
    is_integer: bool,
    is_symmetric: bool,
}

/// One entry of a `general` matrix off the diagonal.
struct Entry {
    row: u32,
    col: u32,
    line: u64,
    weight: Decimal,
}

pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Graph, GraphError> {
    let Some(banner) = lines.next()? else {
        return Err(lines.error(Problem::Empty { expected: BANNER }));
    };
    let kind = kind(banner)?;
    let Some(size) = lines.next_past_comments(Some(b"%"))? else {
        return Err(lines.error(Problem::Empty { expected: SIZE }));
    };
    let [rows, cols, entries] = size.exactly(SIZE)?;
    let len = size.vertices(rows, VERTEX_LIMIT, SIZE)?;
    if size.count(cols, SIZE)? != len as u64 {
        return Err(size.error(Problem::NotSquare {
            rows: excerpt(rows),
            cols: excerpt(cols),
        }));
    }
    let count = size.count(entries, SIZE)?;
    let mut builder = Builder::new(len, 1);
    let (mut general, mut on_diagonal) = (Vec::new(), 0_usize);
    lines.exactly((count, "entries"), Some(b"%"), |line| {
        let (row, col, text, weight) = entry(line, len, &kind)?;
        if row == col {
            on_diagonal += 1;
        } else if kind.is_symmetric {
            builder.push(line, (row, col), text, weight)?;
        } else {
            general.push(Entry {
                row,
                col,
                line: line.number,
                weight,
            });
        }
        Ok(())
    })?;
    merge_mirrors(general, &mut builder)?;
    let mut graph = builder.finish()?;
    if on_diagonal > 0 {
        graph.warnings.push(counted_as(
            on_diagonal,
            "entry on the diagonal is not used: it is no edge",
            "entries on the diagonal are not used: they are no edges",
        ));
    }
    Ok(graph)
}

fn kind(banner: Line<'_>) -> Result<Kind, GraphError> {
    let words: Vec<String> = banner
        .fields()
        .map(|field| excerpt(field).to_ascii_lowercase())
        .collect();
    let [magic, object, format, field, symmetry] = &words[..] else {
        return Err(banner.error(Problem::Header {
            expected: BANNER,
            found: excerpt(banner.text),
        }));
    };
    if magic != "%%matrixmarket" {
        return Err(banner.error(Problem::Header {
            expected: BANNER,
            found: excerpt(banner.text),
        }));
    }
    let refuse = |found: &str, accepted| {
        Err(banner.error(Problem::Unsupported {
            found: found.to_owned(),
            accepted,
        }))
    };
    if object != "matrix" {
        return refuse(object, "only `matrix` is");
    }
    if format != "coordinate" {
        return refuse(format, "only `coordinate` is: list the entries one a line");
    }
    if !["real", "integer", "pattern"].contains(&field.as_str()) {
        return refuse(field, "weights are `real`, `integer` or `pattern`");
    }
    if !["general", "symmetric"].contains(&symmetry.as_str()) {
        return refuse(
            symmetry,
            "a graph's matrix is `symmetric`, or `general` with equal mirror entries",
        );
    }
    Ok(Kind {
        has_weights: field != "pattern",
        is_integer: field == "integer",
        is_symmetric: symmetry == "symmetric",
    })
}

/// Row and column from 0, the weight as written and as a number.
fn entry<'a>(line: Line<'a>, len: usize, kind: &Kind) -> Result<(u32, u32, &'a [u8], Decimal), GraphError> {
    let (row, col, text, weight) = if kind.has_weights {
        let [row, col, text] = line.exactly(ENTRY)?;
        let weight = line.weight(text)?;
        if kind.is_integer && !is_integer(text) {
            return Err(line.error(Problem::NotAnInteger { found: excerpt(text) }));
        }
        (row, col, text, weight)
    } else {
        let [row, col] = line.exactly(PATTERN_ENTRY)?;
        (row, col, &b"1"[..], Decimal::ONE)
    };
    Ok((line.vertex(row, len, 1)?, line.vertex(col, len, 1)?, text, weight))
}

/// Whether a number is written as an integer: readers of other programs stop at a point or an exponent.
fn is_integer(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    digits.iter().all(u8::is_ascii_digit)
}

/// Makes one edge of each entry and its mirror.
fn merge_mirrors(mut entries: Vec<Entry>, builder: &mut Builder) -> Result<(), GraphError> {
    entries.sort_by_key(|entry| (entry.row.min(entry.col), entry.row.max(entry.col), entry.line));
    let mut rest = &entries[..];
    while let Some((first, others)) = rest.split_first() {
        let (row, col) = (first.row as usize + 1, first.col as usize + 1);
        let error = |line, problem| Err(GraphError { line, problem });
        let is_same = |entry: &&Entry| (entry.row, entry.col) == (first.row, first.col);
        if let Some(again) = others.first().filter(is_same) {
            return error(
                again.line,
                Problem::Parallel {
                    u: row,
                    v: col,
                    first_line: first.line,
                },
            );
        }
        let is_mirror = |entry: &&Entry| (entry.row, entry.col) == (first.col, first.row);
        let Some(mirror) = others.first().filter(is_mirror) else {
            return error(first.line, Problem::NoMirror { row, col });
        };
        if mirror.weight != first.weight {
            let problem = Problem::asymmetric(col, row, Some(mirror.weight), Some(first.weight));
            return error(mirror.line, problem);
        }
        if let Some(again) = others.get(1).filter(|entry| is_same(entry) || is_mirror(entry)) {
            let first_line = if is_same(&again) { first.line } else { mirror.line };
            let (u, v) = (again.row as usize + 1, again.col as usize + 1);
            return error(again.line, Problem::Parallel { u, v, first_line });
        }
        let text = first.weight.to_string();
        let line = Line {
            number: first.line,
            text: text.as_bytes(),
        };
        builder.push(line, (first.row, first.col), text.as_bytes(), first.weight)?;
        rest = &others[1..];
    }
    Ok(())
}
