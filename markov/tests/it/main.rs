//! Tests of the public interface, one file a subject.

mod stationary;
mod transient;
