//! Arrivals as CSV; what was read comes back when it is written.
#![no_main]

use std::fmt::Write;

use fuzz::{check_message, shown};
use libfuzzer_sys::fuzz_target;
use matchmaking::online::Log;

fuzz_target!(|text: &[u8]| {
    let log = match Log::read_csv(text) {
        Ok(log) => log,
        Err(error) => return check_message(&error, text),
    };
    let mut written = String::from("time");
    let write = "a text can be written to";
    for criterion in 1..=log.arrivals.dimensions() {
        write!(written, ",criterion{criterion}").expect(write);
    }
    for (id, time) in log.arrivals.times().iter().enumerate() {
        write!(written, "\n{time}").expect(write);
        for value in log.arrivals.criteria(id) {
            write!(written, ",{value}").expect(write);
        }
    }
    let again = shown(Log::read_csv(written.as_bytes()), "what was written cannot be read");
    assert_eq!(again.arrivals, log.arrivals);
});
