//! The pool of team games, and what the paper on it says.

mod extensions;
mod pool;
mod theorem;
mod verdicts;
