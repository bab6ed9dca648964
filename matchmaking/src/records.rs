//! Records of CSV, with the line that each begins at.

use std::io::{self, BufRead, BufReader, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};

use crate::ReadError;

/// The records of a CSV file, of any number of fields each, and of [`LONGEST`] bytes at most.
///
/// A line ends with LF, CRLF or CR, wherever it stands, also within quotes. A reader of the crate `csv` counts LF alone.
/// So it gets one line that ends a record at a time, and what it makes of it began where [`Lines`] says. What stands in
/// quotes stays as it is.
///
/// A file that is no CSV may have no end of a line for gigabytes: it is refused where that shows.
pub(crate) struct Records<R> {
    reader: Reader<Lines<BufReader<R>>>,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(input: R) -> Self {
        let lines = Lines {
            input: BufReader::new(input),
            read: 0,
            field: Field::Start,
            record: Extent { line: 1, bytes: 0 },
            lines: 1,
            has_ended: false,
            is_return: false,
            is_half: false,
            is_open: false,
            is_over: false,
        };
        Self {
            reader: ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(lines),
        }
    }

    /// Reads the next record, whose position then has the line it begins at, from 1. `false` at the end. Lines of
    /// spaces alone are no records, like empty ones.
    pub(crate) fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadError> {
        loop {
            let read = self.reader.read_byte_record(record);
            let Extent { line, bytes } = self.reader.get_ref().record;
            if bytes > LONGEST {
                return Err(ReadError::LongRecord { line, limit: LONGEST });
            }
            if !read.map_err(system)? {
                return Ok(false);
            }
            // Where a quote is never closed, the record ends with the file and not with a line, be there anything in it or not.
            if self.reader.get_ref().is_over {
                return Err(ReadError::OpenQuote { line });
            }
            if record.len() > 1 || !record.as_slice().trim_ascii().is_empty() {
                let mut position = self.reader.position().clone();
                position.set_line(line);
                record.set_position(Some(position));
                return Ok(true);
            }
        }
    }
}

/// Most bytes of a record: ten times what a player needs who avoids everybody in the largest pool.
pub(crate) const LONGEST: usize = 1 << 24;

/// Where the record begins that is being read, or was read last, and how much of it was read.
#[derive(Clone, Copy)]
struct Extent {
    line: u64,
    bytes: usize,
}

/// What the system says: records of bytes, of any number of fields, cannot be wrong in themselves.
fn system(error: csv::Error) -> io::Error {
    let message = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::new(io::ErrorKind::InvalidData, message),
    }
}

/// The line a record begins at, from 1.
pub(crate) fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// What the byte before was, as the crate `csv` takes it: whether a CR or a quote means anything depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    /// Between fields: a quote opens the next one.
    Start,
    /// Part of a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// A quote that closes the field, unless another follows.
    Closing,
}

impl Field {
    fn after(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Quoted, b'"') => Self::Closing,
            (Self::Start | Self::Closing, b'"') | (Self::Quoted, _) => Self::Quoted,
            (_, b',' | b'\r' | b'\n') => Self::Start,
            _ => Self::Plain,
        }
    }
}

/// The mark that some programs begin a file with; the crate `csv` passes over it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes of which no line ends with CRLF and the last one ends, too; but for those within quotes. What is read at once
/// holds no more than one record.
struct Lines<R> {
    input: R,
    /// Bytes given out, up to the length of a byte order mark.
    read: usize,
    field: Field,
    record: Extent,
    /// The record was read to its end.
    has_ended: bool,
    /// The line of what comes next, from 1.
    lines: u64,
    /// A CR was read, and may belong to what comes next.
    is_return: bool,
    /// A CR within quotes was given out, whose line an LF may end, too.
    is_half: bool,
    /// The line was not ended yet.
    is_open: bool,
    /// The end was told.
    is_over: bool,
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        if std::mem::take(&mut self.has_ended) {
            self.record = Extent {
                line: self.lines,
                bytes: 0,
            };
        }
        while len < out.len() && !self.has_ended {
            let next = self.input.fill_buf()?.first().copied();
            let byte = match next {
                // One without an LF stays.
                Some(byte) if self.is_return && byte != b'\n' => {
                    self.is_return = false;
                    b'\r'
                }
                Some(b'\r') if self.field != Field::Quoted => {
                    self.input.consume(1);
                    self.is_return = true;
                    continue;
                }
                Some(byte) => {
                    self.input.consume(1);
                    self.is_return = false;
                    byte
                }
                None if std::mem::take(&mut self.is_return) => b'\r',
                None if self.is_open => b'\n',
                None => break,
            };
            if BYTE_ORDER_MARK.get(self.read) == Some(&byte) {
                self.read += 1;
            } else {
                self.read = BYTE_ORDER_MARK.len();
                self.field = self.field.after(byte);
            }
            out[len] = byte;
            len += 1;
            self.count(byte);
            if self.record.bytes > LONGEST {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        self.is_over = len == 0;
        Ok(len)
    }
}

impl<R> Lines<R> {
    /// One more byte of the record, which may end a line, and the record with it.
    fn count(&mut self, byte: u8) {
        let is_quoted = self.field == Field::Quoted;
        let is_end = matches!(byte, b'\r' | b'\n');
        self.lines += u64::from(is_end && !(byte == b'\n' && self.is_half));
        self.is_half = is_quoted && byte == b'\r';
        self.is_open = !is_end;
        self.has_ended = is_end && !is_quoted;
        self.record.bytes += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines at which records begin, and their last fields.
    fn lines(text: &str) -> Vec<(u64, String)> {
        let (mut records, mut record, mut lines) = (Records::new(text.as_bytes()), ByteRecord::new(), Vec::new());
        while records.next(&mut record).expect("text") {
            let last = String::from_utf8_lossy(&record[record.len() - 1]).into_owned();
            lines.push((line_of(&record), last));
        }
        lines
    }

    fn expected(lines: &[(u64, &str)]) -> Vec<(u64, String)> {
        lines.iter().map(|&(line, field)| (line, field.to_owned())).collect()
    }

    #[test]
    fn lines_are_counted_however_they_end() {
        let text = "a,b\n1,2\n\n3,\"4\n5\"\n\n\n6,7\n";
        let found = expected(&[(1, "b"), (2, "2"), (4, "4\n5"), (8, "7")]);
        assert_eq!(lines(text), found);
        assert_eq!(lines(text.trim_end()), found);
        let quoted = expected(&[(1, "b"), (2, "2"), (4, "4\r\n5"), (8, "7")]);
        assert_eq!(lines(&text.replace('\n', "\r\n")), quoted);
        assert_eq!(lines(&text.trim_end().replace('\n', "\r\n")), quoted);
        assert_eq!(lines("\r\n\r\na"), expected(&[(3, "a")]));
        assert_eq!(lines("a,b\n  \n\t\n1,2\n \n"), expected(&[(1, "b"), (4, "2")]));
        assert_eq!(lines(""), []);
    }

    /// Only LF was counted, though a CR ends records as well.
    #[test]
    fn a_lone_cr_ends_a_line() {
        let text = "a,b\n1,2\n\n3,\"4\n5\"\n\n\n6,7\n";
        let macintosh = expected(&[(1, "b"), (2, "2"), (4, "4\r5"), (8, "7")]);
        assert_eq!(lines(&text.replace('\n', "\r")), macintosh);
        assert_eq!(lines(&text.trim_end().replace('\n', "\r")), macintosh);
        let mixed = "a,b\n\n1,2\r3,4\n5,\"6\r\n7\r8\n\r9\"\r\r\n10,11\r\r\r12,13";
        let found = expected(&[
            (1, "b"),
            (3, "2"),
            (4, "4"),
            (5, "6\r\n7\r8\n\r9"),
            (11, "11"),
            (14, "13"),
        ]);
        assert_eq!(lines(mixed), found);
        let marked = format!("\u{feff}{mixed}");
        assert_eq!(lines(&marked), found);
        assert_eq!(lines("\r\ra\r"), expected(&[(3, "a")]));
    }

    /// CRLF in quotes became LF, so that ids came out otherwise than they were written.
    #[test]
    fn what_stands_in_quotes_stays_as_it_is() {
        for quoted in ["b\rc", "b\r\nc", "b\nc", "\r\n", "b\"\"\r\n\"\"c", ",\r\n"] {
            let lines_of_it = 1 + quoted.replace("\r\n", "\n").matches(['\r', '\n']).count() as u64;
            let field = quoted.replace("\"\"", "\"");
            for (mark, end) in [("", "\r\n"), ("\u{feff}", "\r\n"), ("", "\n"), ("\u{feff}", "\n")] {
                let text = format!("{mark}\"x\"{end}y,\"{quoted}\"{end}{end}a\"\r\nd{end}z,\"{quoted}\"");
                let after = 2 + lines_of_it + 1;
                let found = [
                    (1, "x"),
                    (2, &field),
                    (after, "a\""),
                    (after + 1, "d"),
                    (after + 2, &field),
                ];
                assert_eq!(lines(&text), expected(&found), "{text:?}");
            }
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_is_refused_by_its_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("a{end}{end}b,c{end}d,\"e{end}f{end}");
            let (mut records, mut record) = (Records::new(text.as_bytes()), ByteRecord::new());
            assert_eq!(
                (records.next(&mut record), records.next(&mut record)),
                (Ok(true), Ok(true))
            );
            let refused = records.next(&mut record).expect_err("an open quote");
            assert_eq!(refused, ReadError::OpenQuote { line: 4 });
            assert!(
                refused.to_string().starts_with("line 4: a quote opens a field"),
                "{refused}"
            );
        }
    }

    /// Such a record was taken for a blank line.
    #[test]
    fn a_quote_with_nothing_behind_it_is_refused_as_well() {
        for end in ["\n", "\r\n", "\r"] {
            for (text, line) in [
                (format!("a,b{end}\""), 2),
                (format!("a,b{end}{end}\"  {end}{end}"), 3),
                (format!("a,b{end}\"\"{end}\"{end}"), 3),
            ] {
                let (mut records, mut record) = (Records::new(text.as_bytes()), ByteRecord::new());
                assert_eq!(records.next(&mut record), Ok(true));
                let refused = records.next(&mut record);
                assert_eq!(refused, Err(ReadError::OpenQuote { line }), "{text:?}");
            }
        }
        // What is closed, and what is blank at the end of the file, is none of these.
        for text in ["a,b\n\"\"", "a,b\n  ", "a,b\n\"\n \""] {
            let (mut records, mut record) = (Records::new(text.as_bytes()), ByteRecord::new());
            assert_eq!(
                (records.next(&mut record), records.next(&mut record)),
                (Ok(true), Ok(false)),
                "{text:?}"
            );
        }
    }

    /// Zero bytes without end.
    struct Zeros {
        read: usize,
    }

    impl Read for Zeros {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            assert!(self.read <= 2 * LONGEST, "enough was read to refuse it");
            out.fill(0);
            self.read += out.len();
            Ok(out.len())
        }
    }

    /// They were read to their end, and took several times as much memory: a gigabyte of zero bytes six.
    #[test]
    fn records_without_end_are_refused_by_their_line() {
        for (start, line) in [("", 1), ("\u{feff}a,b\r\n\r\n1,\"2\n3\"\n\n", 6), ("a,b\n1,\"", 2)] {
            let (mut records, mut record) = (
                Records::new(start.as_bytes().chain(Zeros { read: 0 })),
                ByteRecord::new(),
            );
            let refused = loop {
                match records.next(&mut record) {
                    Ok(is_one) => assert!(is_one),
                    Err(error) => break error,
                }
            };
            assert_eq!(refused, ReadError::LongRecord { line, limit: LONGEST });
        }
        // As long as may be, twice.
        let long = "x".repeat(LONGEST - 1);
        let found = lines(&format!("{long}\n{long}"));
        assert!(found.iter().all(|(_, field)| *field == long) && found.len() == 2);
        assert_eq!((found[0].0, found[1].0), (1, 2));
    }

    #[test]
    fn long_inputs_come_through_whole() {
        let fields: Vec<String> = (0..20_000).map(|i| format!("x{i}")).collect();
        let found = lines(&fields.join("\r\n"));
        assert!(found.iter().map(|(_, field)| field).eq(&fields));
        assert!(found.iter().map(|&(line, _)| line).eq(1..=20_000));
    }
}
