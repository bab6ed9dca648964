//! Decision processes against brute force over all policies, and against what is known.

mod average;
mod brute;
mod continuous;
mod discounted;
mod large;
mod pool;
