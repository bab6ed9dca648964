//! Decision processes against brute force over all policies, and against what is known.

mod average;
mod brute;
mod budgets;
mod continuous;
mod discounted;
mod explore;
mod extremes;
mod flaws;
mod large;
mod multichain;
mod pool;
#[cfg(feature = "lp")]
mod program;
mod rules;
mod solver;
mod sums;
mod units;
