//! Ctrl-C ends the fuzzer, and not the run that it makes.

use matching_core::CancelToken;

/// A token that nothing cancels.
pub(crate) fn listen() -> CancelToken {
    CancelToken::new()
}
