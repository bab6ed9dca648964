//! Ctrl-C while something is searched for: what was found so far is the answer.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use matching_core::CancelToken;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell adds to the number of the signal that ended a program, to make its exit code.
const ENDED_BY_SIGNAL: i32 = 128;

/// From now on an interrupt, or a request to end, cancels this token; the next one ends the program at once. Where the program
/// itself cancels the token, that counts as none.
pub(crate) fn listen() -> CancelToken {
    let (asked, cancelled) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    for signal in [SIGINT, SIGTERM] {
        // Where it cannot be listened to, it ends the program as it did before.
        let _ = heed(signal, &asked, &cancelled);
    }
    CancelToken::from(cancelled)
}

fn heed(signal: i32, asked: &Arc<AtomicBool>, cancelled: &Arc<AtomicBool>) -> io::Result<()> {
    // Handlers run in this order: the first signal must find the flag not set yet.
    flag::register_conditional_shutdown(signal, ENDED_BY_SIGNAL + signal, Arc::clone(asked))?;
    flag::register(signal, Arc::clone(asked))?;
    flag::register(signal, Arc::clone(cancelled))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use signal_hook::consts::SIGTERM;
    use signal_hook::low_level::raise;

    use super::listen;

    /// A search that had reached its target had cancelled its token, and what came after it ended with the program.
    #[test]
    fn what_the_program_cancels_itself_counts_as_no_signal() {
        let [search, explanation] = [listen(), listen()];
        search.cancel();
        raise(SIGTERM).expect("a signal");
        assert!(explanation.is_cancelled());
    }
}
