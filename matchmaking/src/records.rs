//! Records of CSV, with the line that each begins at.

use std::io::{self, BufRead, BufReader, Read};

use csv::{ByteRecord, Reader, ReaderBuilder};

/// The records of a CSV file, of any number of fields each.
///
/// A reader of the crate `csv` says where the record before ended, which is a line early after CRLF and after empty
/// lines. So all lines end with LF here, and lines are counted from the end of each record.
pub(crate) struct Records<R> {
    reader: Reader<Lines<BufReader<R>>>,
}

impl<R: Read> Records<R> {
    pub(crate) fn new(input: R) -> Self {
        let lines = Lines {
            input: BufReader::new(input),
            is_return: false,
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
    pub(crate) fn next(&mut self, record: &mut ByteRecord) -> csv::Result<bool> {
        loop {
            if !self.reader.read_byte_record(record)? {
                return Ok(false);
            }
            if record.len() > 1 || !record.as_slice().trim_ascii().is_empty() {
                break;
            }
        }
        let inside = record.as_slice().iter().filter(|&&byte| byte == b'\n').count() as u64;
        let mut position = self.reader.position().clone();
        // Where a quote is never closed, the record ends with the file and not with a line.
        let ends = u64::from(!self.reader.get_ref().is_over);
        let line = position.line().saturating_sub(inside + ends).max(1);
        position.set_line(line);
        record.set_position(Some(position));
        Ok(true)
    }
}

/// The line a record begins at, from 1.
pub(crate) fn line_of(record: &ByteRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// Bytes of which all lines end with LF, the last one too.
struct Lines<R> {
    input: R,
    /// A CR was read, and may belong to what comes next.
    is_return: bool,
    /// The line was not ended yet.
    is_open: bool,
    /// The end was told.
    is_over: bool,
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut len = 0;
        while len < out.len() {
            let next = self.input.fill_buf()?.first().copied();
            let byte = match next {
                // A CR that ends no line stays.
                Some(byte) if self.is_return && byte != b'\n' => {
                    self.is_return = false;
                    b'\r'
                }
                Some(b'\r') => {
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
            self.is_open = byte != b'\n';
            out[len] = byte;
            len += 1;
        }
        self.is_over = len == 0;
        Ok(len)
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
        assert_eq!(lines(&text.replace('\n', "\r\n")), found);
        assert_eq!(lines(&text.trim_end().replace('\n', "\r\n")), found);
        assert_eq!(lines("\r\n\r\na"), expected(&[(3, "a")]));
        assert_eq!(lines("a\r\n\"b\r\nc\r\n"), expected(&[(1, "a"), (2, "b\nc\n")]));
        assert_eq!(lines("a,b\n  \n\t\n1,2\n \n"), expected(&[(1, "b"), (4, "2")]));
        assert_eq!(lines(""), []);
    }

    #[test]
    fn a_return_that_ends_no_line_is_kept_in_quotes() {
        assert_eq!(lines("a,\"b\rc\"\r\nd\r\n"), expected(&[(1, "b\rc"), (2, "d")]));
    }

    #[test]
    fn long_inputs_come_through_whole() {
        let fields: Vec<String> = (0..20_000).map(|i| format!("x{i}")).collect();
        let found = lines(&fields.join("\r\n"));
        assert!(found.iter().map(|(_, field)| field).eq(&fields));
        assert!(found.iter().map(|&(line, _)| line).eq(1..=20_000));
    }
}
