//! How a file begins: gigabytes of nothing take no memory, and what is no JSON is refused without reading gigabytes of it.

use std::io::{self, Read};

/// So much is read at once.
const CHUNK: u64 = 1 << 16;

/// The mark that some programs begin a file with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Blank bytes that were read and not kept: what must be known of them for the lines of what follows to be right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Blank {
    /// LF, with or without a CR in front of it.
    line_feeds: u64,
    /// CR without an LF behind it.
    returns: u64,
    /// Bytes behind the last LF.
    columns: u64,
    is_return: bool,
}

impl Blank {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == b'\n' {
                self.returns -= u64::from(self.is_return);
                self.line_feeds += 1;
                self.columns = 0;
            } else {
                self.columns += 1;
            }
            self.is_return = byte == b'\r';
            self.returns += u64::from(self.is_return);
        }
    }

    /// Lines that LF ends.
    pub(crate) fn lines(&self) -> u64 {
        self.line_feeds
    }

    /// As many ends of lines: of those that LF ends, and of those that CR does.
    pub(crate) fn reader(&self) -> impl Read + use<> {
        let ends = |byte, count| io::repeat(byte).take(count);
        // In this order: an LF would belong to a CR in front of it.
        ends(b'\n', self.line_feeds).chain(ends(b'\r', self.returns))
    }
}

/// The first bytes of a file.
#[derive(Debug, Default)]
pub(crate) struct Beginning {
    /// What stands before them.
    blank: Blank,
    /// Up to one that is not blank at least; none of a blank file.
    bytes: Vec<u8>,
}

impl Beginning {
    /// Without the mark that some programs begin a file with.
    pub(crate) fn of(input: &mut impl Read) -> io::Result<Self> {
        let mut beginning = Self::default();
        let mut is_first = true;
        loop {
            let bytes = &mut beginning.bytes;
            let read = input.by_ref().take(CHUNK).read_to_end(bytes)?;
            if std::mem::take(&mut is_first) && bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if read == 0 || !bytes.trim_ascii().is_empty() {
                return Ok(beginning);
            }
            beginning.blank.add(bytes);
            bytes.clear();
        }
    }

    /// Whether there is nothing in the file.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether an object or a list begins there.
    pub(crate) fn opens_json(&self) -> bool {
        matches!(self.bytes.trim_ascii_start().first(), Some(b'{' | b'['))
    }

    /// With the rest of the file where an object or a list begins there; else as it is, which is enough to say what is wrong
    /// with it.
    pub(crate) fn whole_json(mut self, input: &mut impl Read) -> io::Result<Self> {
        if self.opens_json() {
            input.read_to_end(&mut self.bytes)?;
        }
        Ok(self)
    }

    /// What was read, but for the blank bytes before it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The line and the column of something within these bytes, which counted from their beginning, from 1.
    pub(crate) fn place(&self, line: usize, column: usize) -> (usize, usize) {
        let before = if line <= 1 { self.blank.columns as usize } else { 0 };
        (line + self.blank.line_feeds as usize, column.max(1) + before)
    }

    /// The file from its beginning, up to here.
    pub(crate) fn reader(&self) -> impl Read {
        self.blank.reader().chain(&self.bytes[..])
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{Beginning, Blank, CHUNK};

    /// What is kept of a text, and how much of it was read.
    fn read(mut text: &[u8]) -> io::Result<(Beginning, usize)> {
        let len = text.len();
        let start = Beginning::of(&mut text)?.whole_json(&mut text)?;
        Ok((start, len - text.len()))
    }

    #[test]
    fn json_is_read_to_its_end_and_nothing_else_is() -> io::Result<()> {
        let blank = " \n".repeat(CHUNK as usize);
        for (head, lines) in [
            ("{", 1),
            ("[", 1),
            ("\u{feff}{", 1),
            (" \n {", 2),
            (&format!("{blank}{{"), 1 + CHUNK as usize),
            (&format!("\u{feff}{blank}["), 1 + CHUNK as usize),
        ] {
            let text = format!("{head}{blank}}}").into_bytes();
            let (start, len) = read(&text)?;
            let kept = start.bytes();
            assert_eq!((len, start.opens_json()), (text.len(), true), "{}", head.len());
            assert!(text.ends_with(kept) && kept.len() >= 2 + blank.len());
            let opens = kept.iter().position(|byte| b"{[".contains(byte)).expect("a brace");
            let line = 1 + kept[..opens].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(start.place(line, 1).0, lines);
        }
        for text in ["", " \n", "\u{feff}", &blank, &format!("\u{feff}{blank}")] {
            let (start, len) = read(text.as_bytes())?;
            assert!(start.is_empty() && !start.opens_json() && len == text.len());
        }
        // It was read to its end: a gigabyte of zero bytes into twice as much memory.
        for head in ["\0", "x", "1", "\u{feff}x", &format!("{blank}x")] {
            let text = format!("{head}{}", "\0".repeat(1 << 20));
            let (start, len) = read(text.as_bytes())?;
            assert!(len <= head.len() + CHUNK as usize && text.as_bytes()[..len].ends_with(start.bytes()));
            assert!(!start.opens_json() && !start.is_empty());
        }
        Ok(())
    }

    /// All of them were kept.
    #[test]
    fn blank_bytes_take_no_memory() -> io::Result<()> {
        for end in ["", "{}"] {
            let blank = io::repeat(b'\n').take(1 << 24).chain(io::repeat(b' ').take(1 << 24));
            let start = Beginning::of(&mut blank.chain(end.as_bytes()))?;
            assert!(
                start.bytes.capacity() <= 4 * CHUNK as usize,
                "{}",
                start.bytes.capacity()
            );
            assert_eq!(start.bytes().trim_ascii(), end.as_bytes());
            let column = 1 + (start.bytes.len() - end.len());
            let place = if end.is_empty() { (1, 1) } else { (1, column) };
            assert_eq!(start.place(place.0, place.1), (1 + (1 << 24), 1 + (1 << 24)));
        }
        Ok(())
    }

    #[test]
    fn ends_of_lines_are_counted_across_pieces() -> io::Result<()> {
        let text = b" \r\n\n\r\r \r\n\r";
        for cut in 0..text.len() {
            let mut blank = Blank::default();
            blank.add(&text[..cut]);
            blank.add(&text[cut..]);
            assert_eq!((blank.lines(), blank.returns, blank.columns), (3, 3, 1), "{cut}");
            let mut ends = String::new();
            blank.reader().read_to_string(&mut ends)?;
            assert_eq!(ends, "\n\n\n\r\r\r");
        }
        Ok(())
    }

    #[test]
    fn inputs_that_fail_are_errors() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::TimedOut.into())
            }
        }
        let opened = Beginning::of(&mut &b"{"[..]).expect("a text");
        assert!(Beginning::of(&mut Broken).is_err() && opened.whole_json(&mut Broken).is_err());
    }
}
