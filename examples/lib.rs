//! Programs of one idea each; and here, the code in the repository's README is compiled and run.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
