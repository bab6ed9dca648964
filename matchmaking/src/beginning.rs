//! How a file begins: what is no JSON is refused without reading gigabytes of it.

use std::io::{self, Read};

/// So much is read at once.
const CHUNK: u64 = 1 << 16;

/// The first bytes of a file, up to one that is not blank at least; all of a blank one.
pub(crate) fn beginning(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let from = bytes.len();
        let read = input.by_ref().take(CHUNK).read_to_end(&mut bytes)?;
        if read == 0 || !bytes[from..].trim_ascii().is_empty() {
            return Ok(bytes);
        }
    }
}

/// Without the mark that some programs begin a file with.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Whether an object or a list begins there.
pub(crate) fn opens_json(start: &[u8]) -> bool {
    matches!(without_mark(start).trim_ascii_start().first(), Some(b'{' | b'['))
}

/// All of a file that begins as `start`, where an object or a list may begin there; else `start` alone, which is enough to
/// say what is wrong with it.
pub(crate) fn rest_of_json(mut start: Vec<u8>, input: &mut impl Read) -> io::Result<Vec<u8>> {
    if opens_json(&start) || without_mark(&start).trim_ascii().is_empty() {
        input.read_to_end(&mut start)?;
    }
    Ok(start)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{CHUNK, beginning, opens_json, rest_of_json};

    /// All of it by small pieces, and how much of the input was read.
    fn read(mut text: &[u8]) -> io::Result<(Vec<u8>, usize)> {
        let len = text.len();
        let start = beginning(&mut text)?;
        let bytes = rest_of_json(start, &mut text)?;
        Ok((bytes, len - text.len()))
    }

    #[test]
    fn json_is_read_to_its_end_and_nothing_else_is() -> io::Result<()> {
        let blank = " \n".repeat(CHUNK as usize);
        for head in [
            "{",
            "[",
            "\u{feff}{",
            " \n {",
            &format!("{blank}{{"),
            &format!("\u{feff}{blank}["),
        ] {
            let text = format!("{head}{blank}}}").into_bytes();
            assert_eq!(read(&text)?, (text.clone(), text.len()), "{}", head.len());
        }
        for text in ["", " \n", "\u{feff}", &blank] {
            assert_eq!(read(text.as_bytes())?.0, text.as_bytes());
        }
        // It was read to its end: a gigabyte of zero bytes into twice as much memory.
        for head in ["\0", "x", "1", "\u{feff}x", &format!("{blank}x")] {
            let text = format!("{head}{}", "\0".repeat(1 << 20));
            let (bytes, len) = read(text.as_bytes())?;
            assert!(len <= head.len() + CHUNK as usize && bytes == text.as_bytes()[..len]);
            assert!(!opens_json(&bytes));
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
        assert!(beginning(&mut Broken).is_err() && rest_of_json(b"{".to_vec(), &mut Broken).is_err());
    }
}
