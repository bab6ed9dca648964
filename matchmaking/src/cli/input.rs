//! Opening the input and finding out what it is.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::args::FormatArg;
use super::failure::Failure;
use super::formats::{GraphFormat, excerpt};

/// A first line longer than this is no header.
const LONGEST_HEADER: u64 = 64 * 1024;

/// An input of known format.
pub(crate) struct Input {
    /// As the command line named it; `stdin` for `-`.
    pub(crate) file: String,
    pub(crate) format: Format,
    pub(crate) reader: Box<dyn BufRead>,
}

/// What kind of input it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Graph(GraphFormat),
}

impl Format {
    /// The word of the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Graph(GraphFormat::Edges) => "edges",
            Self::Graph(GraphFormat::Matrix) => "matrix",
            Self::Graph(GraphFormat::Dimacs) => "dimacs",
            Self::Graph(GraphFormat::MatrixMarket) => "mm",
        }
    }
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Self {
        match format {
            FormatArg::Csv => Self::Csv,
            FormatArg::Edges => Self::Graph(GraphFormat::Edges),
            FormatArg::Matrix => Self::Graph(GraphFormat::Matrix),
            FormatArg::Dimacs => Self::Graph(GraphFormat::Dimacs),
            FormatArg::Mm => Self::Graph(GraphFormat::MatrixMarket),
        }
    }
}

/// A file, or stdin for `-`, under the name that messages use.
pub(crate) fn source(path: &Path) -> Result<(String, Box<dyn Read>), Failure> {
    if path == Path::new("-") {
        return Ok(("stdin".to_owned(), Box::new(io::stdin())));
    }
    let file = path.display().to_string();
    // A directory can be opened; it is reading that fails, with a message that helps nobody.
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Failure::Directory { file });
    }
    match File::open(path) {
        Ok(opened) => Ok((file, Box::new(opened))),
        Err(source) => Err(Failure::Open { file, source }),
    }
}

/// How the formats of `pair` begin, for those whose first line shows none.
const KNOWN: &str = "a pool begins with a header like `id,rating,deviation,outcomes`, an edge list with `n m`, a matrix \
                     with `n`, DIMACS with `p edge n m`, Matrix Market with `%%MatrixMarket`";

/// Opens a file, or stdin for `-`, and finds out its format unless it is given.
pub(crate) fn open(path: &Path, format: Option<FormatArg>) -> Result<Input, Failure> {
    let (opened, first) = Opened::new(path)?;
    let format = match format {
        Some(format) => format.into(),
        None => detect(&first).ok_or_else(|| opened.unknown(&first, KNOWN))?,
    };
    Ok(Input {
        file: opened.file.clone(),
        format,
        reader: opened.into_reader(),
    })
}

/// An input whose first lines were looked at.
pub(crate) struct Opened {
    /// As the command line named it; `stdin` for `-`.
    pub(crate) file: String,
    /// What was read so far, blank lines included, so that line numbers stay right.
    start: Vec<u8>,
    rest: BufReader<Box<dyn Read>>,
}

impl Opened {
    /// Opens a file, or stdin for `-`, and looks at its first line that is not blank.
    pub(crate) fn new(path: &Path) -> Result<(Self, Vec<u8>), Failure> {
        let (file, reader) = source(path)?;
        let mut opened = Self {
            file,
            start: Vec::new(),
            rest: BufReader::with_capacity(1 << 16, reader),
        };
        match opened.look()? {
            Some(first) => Ok((opened, first)),
            None => Err(Failure::Empty { file: opened.file }),
        }
    }

    /// The next line that is not blank, or its first 64 KiB, without the space around it.
    pub(crate) fn look(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            let from = self.start.len();
            let read = self
                .rest
                .by_ref()
                .take(LONGEST_HEADER)
                .read_until(b'\n', &mut self.start)
                .map_err(|source| Failure::Open {
                    file: self.file.clone(),
                    source,
                })?;
            if from == 0 && self.start.starts_with(b"\xef\xbb\xbf") {
                self.start.drain(..3);
            }
            let line = self.start[from..].trim_ascii();
            if !line.is_empty() {
                return Ok(Some(line.to_vec()));
            }
            if read == 0 {
                return Ok(None);
            }
        }
    }

    /// That no format fits the first line that is not blank.
    pub(crate) fn unknown(&self, first: &[u8], known: &'static str) -> Failure {
        let blank = self.start.iter().take_while(|byte| byte.is_ascii_whitespace());
        let (file, line) = (
            self.file.clone(),
            1 + blank.filter(|&&byte| byte == b'\n').count() as u64,
        );
        // A long line may be cut within a character.
        if std::str::from_utf8(first).is_err_and(|error| error.error_len().is_some()) {
            return Failure::NotUtf8 { file, line };
        }
        Failure::UnknownFormat {
            file,
            line,
            found: excerpt(first),
            known,
        }
    }

    /// The whole input, from its beginning.
    pub(crate) fn into_reader(self) -> Box<dyn BufRead> {
        Box::new(Cursor::new(self.start).chain(self.rest))
    }
}

/// The format that a first line shows.
fn detect(line: &[u8]) -> Option<Format> {
    let line = line.trim_ascii();
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let first = words.next()?;
    if first.eq_ignore_ascii_case(b"%%MatrixMarket") {
        return Some(Format::Graph(GraphFormat::MatrixMarket));
    }
    if first == b"c" || first == b"p" {
        return Some(Format::Graph(GraphFormat::Dimacs));
    }
    let is_whole = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    if is_whole(first) {
        return match (words.next(), words.next()) {
            (None, _) => Some(Format::Graph(GraphFormat::Matrix)),
            (Some(second), None) if is_whole(second) => Some(Format::Graph(GraphFormat::Edges)),
            _ => None,
        };
    }
    // A header without `id` is a pool as well: its reader says what is missing.
    let is_header = line.contains(&b',') || line == b"id" || line == b"\"id\"";
    is_header.then_some(Format::Csv)
}

#[cfg(test)]
mod tests {
    use super::detect;

    #[test]
    fn the_first_line_tells() {
        let cases: [(&str, Option<&str>); 15] = [
            ("id,rating,deviation,outcomes\r\n", Some("csv")),
            ("rating,\"id\"", Some("csv")),
            ("id", Some("csv")),
            ("name,skill", Some("csv")),
            ("%%MatrixMarket matrix coordinate real general", Some("mm")),
            ("%%matrixmarket matrix", Some("mm")),
            ("c a comment, with a comma", Some("dimacs")),
            ("p edge 3 2", Some("dimacs")),
            ("  4 3 ", Some("edges")),
            ("4", Some("matrix")),
            ("4 3 2", None),
            ("4 x", None),
            ("-1 2", None),
            ("hello", None),
            ("", None),
        ];
        for (line, word) in cases {
            assert_eq!(detect(line.as_bytes()).map(super::Format::word), word, "{line:?}");
        }
    }
}
