//! Tests of the public interface, one file a subject.

mod decisions;
mod stationary;
mod transient;
mod wu;
