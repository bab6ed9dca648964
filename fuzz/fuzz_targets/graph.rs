//! A graph file in every format: refused in words that name a line of it, or read; then its edge list is the same graph.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| fuzz::read_graphs(text, |error| fuzz::check_message(&error, text)));
