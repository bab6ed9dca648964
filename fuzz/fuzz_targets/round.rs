//! A round of a lobby as CSV and as JSON; what was read comes back when it is written.
#![no_main]

use fuzz::{check_message, shown};
use libfuzzer_sys::fuzz_target;
use matchmaking::lobby::Round;

fuzz_target!(|text: &[u8]| {
    for read in [Round::read_csv(text), Round::read_json(text)] {
        let round = match read {
            Ok(round) => round,
            Err(error) => {
                check_message(&error, text);
                continue;
            }
        };
        assert!(round.len() <= text.len());
        let mut written = Vec::new();
        shown(round.write_json(&mut written), "what was read cannot be written");
        let again = shown(Round::read_json(&written[..]), "what was written cannot be read");
        assert_eq!(again.players(), round.players());
        assert_eq!(again.parties(), round.parties());
        assert!(again.avoided_pairs().eq(round.avoided_pairs()));
        assert_eq!(again.running(), round.running());
        let pairs = || (0..round.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        assert!(pairs().all(|(i, j)| again.ping_ms(i, j) == round.ping_ms(i, j)));
        assert!(pairs().all(|(i, j)| again.can_connect(i, j) == round.can_connect(i, j)));
    }
});
