//! Exhaustive oracles for small instances.
