//! A log of games as CSV, and what is learnt of it; the model comes back when it is written.
#![no_main]

use fuzz::{check_message, shown};
use libfuzzer_sys::fuzz_target;
use matchmaking::FittedModel;
use matchmaking::fit::{Fit, LogColumns, MatchLog};

/// Eight hours, in seconds.
const HORIZON: f64 = 28_800.0;

fuzz_target!(|text: &[u8]| {
    let log = match MatchLog::read_csv(text, &LogColumns::default()) {
        Ok(log) => log,
        Err(error) => return check_message(&error, text),
    };
    let fitted = match Fit::new(HORIZON).threads(1).run(&log) {
        Ok(fitted) => fitted,
        Err(error) => return check_message(&error, text),
    };
    let mut written = Vec::new();
    shown(fitted.model.write(&mut written), "what was learnt cannot be written");
    let again = shown(FittedModel::read(&written[..]), "what was written cannot be read");
    let mut twice = Vec::new();
    shown(again.write(&mut twice), "what was read cannot be written");
    assert_eq!(twice, written);
});
