//! Integration tests of matching-core: the checker against hand-made and corrupted answers, the solver against the
//! checker, against oracles, against another solver and against published cases.

mod exhaustive;
mod small;
#[allow(dead_code)]
mod support;
