//! Problems as files that programs in other languages read without parsing.
//!
//! All numbers are little-endian. Four unsigned words of 64 bits: 0 for a chain or 1 for a process, states, rows,
//! entries; the discount as a float of 64 bits, 0 for a chain; where each row starts (64 bits, one more than rows),
//! columns (32 bits), values (64 bits); and for a process where the actions of each state start (64 bits, one more than
//! states) and the costs (64 bits). Answers are floats of 64 bits, one per state.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use super::{Problem, Process, Rows};

/// Writes a problem.
///
/// # Errors
/// Those of the file system.
pub fn write(problem: &Problem, path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let (kind, states, rows, discount) = match problem {
        Problem::Stationary(rates) => (0, rates.len(), rates, 0.0),
        Problem::Discounted(process) => (1, process.actions.len() - 1, &process.moves, process.discount),
    };
    for word in [kind, states as u64, rows.len() as u64, rows.columns.len() as u64] {
        out.write_all(&word.to_le_bytes())?;
    }
    out.write_all(&discount.to_le_bytes())?;
    for start in &rows.starts {
        out.write_all(&start.to_le_bytes())?;
    }
    for column in &rows.columns {
        out.write_all(&column.to_le_bytes())?;
    }
    floats(&mut out, &rows.values)?;
    if let Problem::Discounted(process) = problem {
        for start in &process.actions {
            out.write_all(&start.to_le_bytes())?;
        }
        floats(&mut out, &process.costs)?;
    }
    out.flush()
}

/// Reads a problem.
///
/// # Errors
/// Those of the file system, and [`ErrorKind::InvalidData`] for a file that is shorter or longer than it says.
pub fn read(path: &Path) -> io::Result<Problem> {
    let bytes = fs::read(path)?;
    let mut rest = &bytes[..];
    let [kind, states, rows, entries] = <[u64; 4]>::try_from(words(&mut rest, 4)?).map_err(|_| too_short())?;
    let discount = take(&mut rest, 1, f64::from_le_bytes)?;
    let rows = Rows {
        starts: words(&mut rest, rows as usize + 1)?,
        columns: take(&mut rest, entries as usize, u32::from_le_bytes)?,
        values: take(&mut rest, entries as usize, f64::from_le_bytes)?,
    };
    let problem = if kind == 0 {
        Problem::Stationary(rows)
    } else {
        Problem::Discounted(Process {
            discount: discount[0],
            actions: words(&mut rest, states as usize + 1)?,
            costs: take(&mut rest, rows.len(), f64::from_le_bytes)?,
            moves: rows,
        })
    };
    if rest.is_empty() { Ok(problem) } else { Err(too_short()) }
}

/// Writes an answer.
///
/// # Errors
/// Those of the file system.
pub fn write_floats(values: &[f64], path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    floats(&mut out, values)?;
    out.flush()
}

/// Reads an answer.
///
/// # Errors
/// Those of the file system.
pub fn read_floats(path: &Path) -> io::Result<Vec<f64>> {
    let bytes = fs::read(path)?;
    take(&mut &bytes[..], bytes.len() / size_of::<f64>(), f64::from_le_bytes)
}

fn floats(out: &mut impl Write, values: &[f64]) -> io::Result<()> {
    values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}

fn words(rest: &mut &[u8], count: usize) -> io::Result<Vec<u64>> {
    take(rest, count, u64::from_le_bytes)
}

/// So many numbers of `WIDTH` bytes from the front.
fn take<const WIDTH: usize, T>(rest: &mut &[u8], count: usize, number: fn([u8; WIDTH]) -> T) -> io::Result<Vec<T>> {
    let (front, back) = rest
        .split_at_checked(count.saturating_mul(WIDTH))
        .ok_or_else(too_short)?;
    *rest = back;
    let chunks = front.chunks_exact(WIDTH).filter_map(|chunk| chunk.try_into().ok());
    Ok(chunks.map(number).collect())
}

fn too_short() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "the file is not as long as it says")
}
