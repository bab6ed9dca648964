//! Solvers against each other, against brute force, and against what is known.

mod decisions;
mod wu;
