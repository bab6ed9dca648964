//! A command line, one word a line: refused in words, or read.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(message) = fuzz::parse(std::iter::once("matchmaking").chain(text.lines())) {
        assert!(!message.is_empty());
    }
});
