//! Opening the input and finding out what it is.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::args::FormatArg;
use super::failure::Failure;
use super::formats::{GraphFormat, excerpt};
use crate::beginning::Blank;

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
    /// The lines that were looked at, each with what is blank before it, so that line numbers stay right.
    start: Vec<(Blank, Vec<u8>)>,
    rest: BufReader<Box<dyn Read>>,
    is_begun: bool,
}

impl Opened {
    /// Opens a file, or stdin for `-`, and looks at its first line that is not blank.
    pub(crate) fn new(path: &Path) -> Result<(Self, Vec<u8>), Failure> {
        let (file, reader) = source(path)?;
        let mut opened = Self::of(file, reader);
        match opened.look()? {
            Some(first) => Ok((opened, first)),
            None => Err(Failure::Empty {
                file: opened.file,
                expected: "a pool with a header line like `id,rating` or `id,rating,deviation,outcomes`, or a graph",
            }),
        }
    }

    fn of(file: String, reader: Box<dyn Read>) -> Self {
        Self {
            file,
            start: Vec::new(),
            rest: BufReader::with_capacity(1 << 16, reader),
            is_begun: false,
        }
    }

    /// The next line that is not blank, or its first 64 KiB, without the space around it.
    pub(crate) fn look(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let mut blank = Blank::default();
        let mut line = Vec::new();
        loop {
            let read = self
                .rest
                .by_ref()
                .take(LONGEST_HEADER)
                .read_until(b'\n', &mut line)
                .map_err(|source| Failure::Open {
                    file: self.file.clone(),
                    source,
                })?;
            if !std::mem::replace(&mut self.is_begun, true) && line.starts_with(b"\xef\xbb\xbf") {
                line.drain(..3);
            }
            let shown = line.trim_ascii().to_vec();
            if !shown.is_empty() {
                self.start.push((blank, line));
                return Ok(Some(shown));
            }
            if read == 0 {
                self.start.push((blank, line));
                return Ok(None);
            }
            blank.add(&line);
            line.clear();
        }
    }

    /// That no format fits the first line that is not blank.
    pub(crate) fn unknown(&self, first: &[u8], known: &'static str) -> Failure {
        let blank = self.start.first().map_or(0, |(blank, _)| blank.lines());
        let (file, line) = (self.file.clone(), 1 + blank);
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
        let lines = self.start.into_iter().rev();
        lines.fold(Box::new(self.rest), |rest: Box<dyn BufRead>, (blank, line)| {
            let blank = BufReader::new(blank.reader());
            Box::new(blank.chain(Cursor::new(line)).chain(rest))
        })
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
    is_header(line).then_some(Format::Csv)
}

/// Whether a line is the header of a pool. One without `id` is, too, and one that separates its names otherwise: the reader says
/// what is missing, or wrong.
pub(crate) fn is_header(line: &[u8]) -> bool {
    let is_id = |name: &[u8]| [&b"id"[..], b"\"id\""].contains(&name.trim_ascii());
    line.contains(&b',') || line.split(|byte| b";\t".contains(byte)).any(is_id)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{Opened, detect};

    /// All blank lines were kept.
    #[test]
    fn blank_lines_take_no_memory_and_count() {
        const MANY: u64 = 1 << 24;
        let blank = || io::repeat(b'\n').take(MANY);
        let text = blank()
            .chain(&b" 4 2\n"[..])
            .chain(io::repeat(b' ').take(MANY))
            .chain(blank())
            .chain(&b"0 1 7\nrest"[..]);
        let mut opened = Opened::of("text".to_owned(), Box::new(text));
        let mut looked = || opened.look().expect("a text");
        assert_eq!(looked(), Some(b"4 2".to_vec()));
        assert_eq!(looked(), Some(b"0 1 7".to_vec()));
        let kept: usize = opened.start.iter().map(|(_, line)| line.capacity()).sum();
        assert!(kept <= 1 << 18, "{kept}");
        let mut whole = Vec::new();
        opened.into_reader().read_to_end(&mut whole).expect("a text");
        let lines: Vec<(usize, &[u8])> = whole
            .split(|&byte| byte == b'\n')
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
            .collect();
        let many = MANY as usize;
        let expected: [(usize, &[u8]); 3] = [(many, b" 4 2"), (2 * many + 1, b"0 1 7"), (2 * many + 2, b"rest")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn nothing_is_found_in_what_is_blank() {
        for text in ["", "\u{feff}", " \r\n\r", "\u{feff}\n"] {
            let mut opened = Opened::of("text".to_owned(), Box::new(text.as_bytes()));
            assert!(opened.look().expect("a text").is_none(), "{text:?}");
        }
    }

    #[test]
    fn the_first_line_tells() {
        let cases: [(&str, Option<&str>); 18] = [
            ("id,rating,deviation,outcomes\r\n", Some("csv")),
            ("rating;id", Some("csv")),
            ("\"id\"\trating", Some("csv")),
            ("source\ttarget", None),
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
