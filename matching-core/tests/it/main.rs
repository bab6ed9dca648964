//! Integration tests of matching-core: the checker against certificates made by hand and corrupted answers, the solver
//! against the checker, against exhaustive search, against other solvers and against itself.

mod alone;
mod bad_input;
mod bottleneck;
mod budgets;
mod cases;
mod certificates;
mod corrupted;
mod crowds;
mod degrees;
mod dense;
mod embedded;
mod engines;
mod exhaustive;
mod explain;
mod explain_degrees;
mod floats;
mod metamorphic;
mod naive;
mod observer;
mod peers;
mod pools;
mod published;
mod refusals;
mod sampled;
#[cfg(feature = "serde")]
mod serialized;
mod session;
mod small;
mod small_lists;
mod small_pools;
mod solved_by;
mod streaming;
mod support;
mod ticks;
mod two_sided_lists;
mod two_sided_prices;
mod two_sides;
mod uniform;
mod waiting;
mod witnesses;
