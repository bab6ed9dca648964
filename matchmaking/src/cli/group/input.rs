//! Opening the input and finding out what it is.

use std::io::BufRead;
use std::path::Path;

use super::args::FormatArg;
use crate::cli::failure::Failure;
use crate::cli::formats::GroupFormat;
use crate::cli::input::{Opened, is_header};

/// How the formats begin, for those whose first line shows none.
const KNOWN: &str = "a pool begins with a header like `id,rating,region`, a matrix with `n k` or `n`, an edge \
                     list with `n m`, an MDGPLIB file with `n k ss` or `n k ds`";

/// An input of known format.
pub(super) struct Input {
    /// As the command line named it; `stdin` for `-`.
    pub(super) file: String,
    pub(super) format: Format,
    pub(super) reader: Box<dyn BufRead>,
}

/// What kind of input it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Graph(GroupFormat),
}

impl Format {
    /// The word of the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Graph(GroupFormat::Matrix) => "matrix",
            Self::Graph(GroupFormat::Mdgplib) => "mdgplib",
            Self::Graph(GroupFormat::Edges) => "edges",
        }
    }
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Csv => Self::Csv,
            FormatArg::Matrix => Self::Graph(GroupFormat::Matrix),
            FormatArg::Mdgplib => Self::Graph(GroupFormat::Mdgplib),
            FormatArg::Edges => Self::Graph(GroupFormat::Edges),
        }
    }
}

/// Opens a file, or stdin for `-`, and finds out its format unless it is given.
pub(super) fn open(path: &Path, format: Option<FormatArg>) -> Result<Input, Failure> {
    let (mut opened, first) = Opened::new(path)?;
    let format = match format {
        Some(format) => format.into(),
        None => match shown_by(&first) {
            Shown::One(format) => format,
            Shown::MatrixOrEdges => matrix_or_edges(&first, opened.look()?.as_deref()),
            Shown::Nothing => return Err(opened.unknown(&first, KNOWN)),
        },
    };
    Ok(Input {
        file: opened.file.clone(),
        format,
        reader: opened.into_reader(),
    })
}

/// What a first line shows.
#[derive(Debug, PartialEq)]
enum Shown {
    One(Format),
    MatrixOrEdges,
    Nothing,
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn shown_by(line: &[u8]) -> Shown {
    let is_whole = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let mut words = words(line);
    let Some(first) = words.next() else {
        return Shown::Nothing;
    };
    if is_whole(first) {
        return match (words.next(), words.next()) {
            (None, _) => Shown::One(Format::Graph(GroupFormat::Matrix)),
            (Some(second), None) if is_whole(second) => Shown::MatrixOrEdges,
            (Some(_), Some(b"ss" | b"ds")) => Shown::One(Format::Graph(GroupFormat::Mdgplib)),
            _ => Shown::Nothing,
        };
    }
    if is_header(line) {
        Shown::One(Format::Csv)
    } else {
        Shown::Nothing
    }
}

/// Two integers begin both; rows of a matrix have as many fields as there are, edges three.
fn matrix_or_edges(first: &[u8], second: Option<&[u8]>) -> Format {
    let is_three = words(first).next() == Some(b"3");
    match second.map(|line| words(line).count()) {
        None => Format::Graph(GroupFormat::Edges),
        Some(3) if !is_three => Format::Graph(GroupFormat::Edges),
        Some(_) => Format::Graph(GroupFormat::Matrix),
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Shown, matrix_or_edges, shown_by};

    #[test]
    fn the_first_lines_tell() {
        let cases: [(&str, Option<&str>, Option<&str>); 14] = [
            ("id,rating,deviation,outcomes", None, Some("csv")),
            ("id", None, Some("csv")),
            ("name,skill", None, Some("csv")),
            ("4", Some("0 1 1 1"), Some("matrix")),
            ("4 2", Some("0 1 1 1"), Some("matrix")),
            ("4 2", Some("0 1 1"), Some("edges")),
            ("4 0", None, Some("edges")),
            ("3 3", Some("0 1 1"), Some("matrix")),
            ("30 5 ss 6 6", Some("0 1 31"), Some("mdgplib")),
            ("30 5 ds", Some("0 1 31"), Some("mdgplib")),
            ("30 5 xs 6 6", None, None),
            ("4 x", None, None),
            ("-1 2", None, None),
            ("hello", None, None),
        ];
        for (first, second, word) in cases {
            let found = match shown_by(first.as_bytes()) {
                Shown::One(format) => Some(format),
                Shown::MatrixOrEdges => Some(matrix_or_edges(first.as_bytes(), second.map(str::as_bytes))),
                Shown::Nothing => None,
            };
            assert_eq!(found.map(Format::word), word, "{first:?}");
        }
    }
}
