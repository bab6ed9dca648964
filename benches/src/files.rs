//! Instance files: a plain one for other solvers, and the DIMACS matching format.
//!
//! Plain: a line `n m`, then `m` lines `u v weight` with vertices from 0. DIMACS: comment lines `c ...`, a line
//! `p edge n m`, then lines `e u v weight` with vertices from 1. Reading accepts both.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use crate::families::Instance;

/// How to write an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `n m`, then `u v weight`, from 0.
    Plain,
    /// `p edge n m`, then `e u v weight`, from 1.
    Dimacs,
}

/// Writes an instance to a stream.
///
/// # Errors
/// Those of the stream.
pub fn write(instance: &Instance, format: Format, out: &mut impl Write) -> io::Result<()> {
    let (n, m) = (instance.vertices, instance.edges.len());
    match format {
        Format::Plain => writeln!(out, "{n} {m}")?,
        Format::Dimacs => writeln!(out, "p edge {n} {m}")?,
    }
    for &(u, v, weight) in &instance.edges {
        match format {
            Format::Plain => writeln!(out, "{u} {v} {weight}")?,
            Format::Dimacs => writeln!(out, "e {} {} {weight}", u + 1, v + 1)?,
        }
    }
    out.flush()
}

/// Writes an instance to a file.
///
/// # Errors
/// Those of the file system.
pub fn write_file(instance: &Instance, format: Format, path: &Path) -> io::Result<()> {
    write(
        instance,
        format,
        &mut BufWriter::with_capacity(1 << 20, File::create(path)?),
    )
}

/// Reads an instance in either format. Parallel edges and loops are kept: refusing them is the solver's work.
///
/// # Errors
/// Those of the stream, and [`io::ErrorKind::InvalidData`] with the number of the line that is not understood.
pub fn read(input: &mut impl BufRead) -> io::Result<Instance> {
    let mut header: Option<(usize, usize)> = None;
    let mut edges = Vec::new();
    let mut line = String::new();
    let mut number = 0;
    while {
        line.clear();
        input.read_line(&mut line)?
    } > 0
    {
        number += 1;
        let bad = || io::Error::new(io::ErrorKind::InvalidData, format!("line {number} is not understood"));
        let mut words = line.split_ascii_whitespace().peekable();
        let first = match words.peek() {
            None | Some(&"c") => continue,
            Some(&"p") => {
                words.nth(1);
                0
            }
            Some(&"e") => {
                words.next();
                1
            }
            Some(_) => 0,
        };
        let body = [words.next(), words.next(), words.next(), words.next()];
        match (header, body) {
            (None, [Some(n), Some(m), None, None]) => {
                let (n, m) = (n.parse().map_err(|_| bad())?, m.parse().map_err(|_| bad())?);
                header = Some((n, m));
                edges.reserve_exact(m);
            }
            (Some(_), [Some(u), Some(v), Some(weight), None]) => {
                let vertex = |text: &str| {
                    text.parse::<u32>()
                        .ok()
                        .and_then(|id| id.checked_sub(first))
                        .ok_or_else(bad)
                };
                edges.push((vertex(u)?, vertex(v)?, weight.parse().map_err(|_| bad())?));
            }
            _ => return Err(bad()),
        }
    }
    match header {
        Some((vertices, m)) if m == edges.len() => Ok(Instance { vertices, edges }),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no header, or not as many edges as it says",
        )),
    }
}

/// Reads an instance from a file in either format.
///
/// # Errors
/// As [`read`].
pub fn read_file(path: &Path) -> io::Result<Instance> {
    read(&mut BufReader::with_capacity(1 << 20, File::open(path)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::Family;

    #[test]
    fn what_is_written_is_what_is_read() {
        let instance = Family::Grid.instance(16, 1);
        for format in [Format::Plain, Format::Dimacs] {
            let mut text = Vec::new();
            write(&instance, format, &mut text).unwrap();
            assert_eq!(read(&mut text.as_slice()).unwrap(), instance);
        }
    }

    #[test]
    fn dimacs_has_comments_and_counts_from_one() {
        let text = "c two edges\np edge 4 2\n\ne 1 2 -7\nc between\ne 3 4 5\n";
        let expected = Instance {
            vertices: 4,
            edges: vec![(0, 1, -7), (2, 3, 5)],
        };
        assert_eq!(read(&mut text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn what_is_wrong_is_named_by_its_line() {
        for (text, message) in [
            ("2 1\n0 1\n", "line 2 is not understood"),
            ("2 1\n0 1 x\n", "line 2 is not understood"),
            ("p edge 2 1\ne 0 1 3\n", "line 2 is not understood"),
            ("2 1 9\n", "line 1 is not understood"),
            ("2 2\n0 1 3\n", "no header, or not as many edges as it says"),
            ("", "no header, or not as many edges as it says"),
        ] {
            assert_eq!(read(&mut text.as_bytes()).unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
