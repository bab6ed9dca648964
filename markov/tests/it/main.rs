//! Tests of the public interface, one file a subject.

mod agreement;
mod budgets;
mod cone;
mod decisions;
mod explore;
mod labels;
mod lumping;
mod passage;
mod passage_times;
mod qbd;
#[cfg(feature = "serde")]
mod serial;
mod simulate;
mod simulate_waits;
mod starts;
mod stationary;
mod stationary_classes;
mod stationary_extremes;
mod stationary_forged;
mod stationary_levels;
mod transient;
mod verify;
mod wu;
mod xu;
mod xu_impatient;
mod xu_parties;
