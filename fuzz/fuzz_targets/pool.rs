//! A pool of players as CSV; what was read comes back when it is written, unless CSV cannot hold it.
#![no_main]

use fuzz::{check_message, shown};
use libfuzzer_sys::fuzz_target;
use matchmaking::Pool;

fuzz_target!(|text: &[u8]| {
    let pool = match Pool::read_csv(text) {
        Ok(pool) => pool,
        Err(error) => return check_message(&error, text),
    };
    assert!(pool.len() <= text.len());
    let mut written = Vec::new();
    shown(pool.write_csv(&mut written), "what was read cannot be written");
    let again = shown(Pool::read_csv(&written[..]), "what was written cannot be read");
    assert_eq!(again.players(), pool.players());
});
