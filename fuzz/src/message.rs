//! What the message of an error must be like.

use std::fmt::Display;

/// Longest message: file names, numbers and texts of the input are cut to a length that can be read.
const LONGEST: usize = 8_000;

/// That the message of a refused input can be shown, and that the lines it names are in the input.
///
/// # Panics
/// Where it cannot, or they are not.
pub fn check_message(error: &impl Display, input: &[u8]) {
    let message = error.to_string();
    assert!(!message.trim().is_empty(), "an error says nothing");
    assert!(message.len() <= LONGEST, "{} bytes: {message}", message.len());
    let control = message.chars().find(|letter| letter.is_control());
    assert!(control.is_none(), "{control:?} in {message:?}");
    // CR, LF, and both together end a line; what is missing would stand on the line after the last.
    let most = 2 + input.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count();
    if let Some(line) = first_line(&message) {
        assert!(
            (1..=most).contains(&line),
            "line {line}, and there are {most} at most: {message}"
        );
    }
}

/// The line that the message is about, where it begins with one.
fn first_line(message: &str) -> Option<usize> {
    let number = message.strip_prefix("line ")?;
    let end = number.find(|letter: char| !letter.is_ascii_digit())?;
    number[..end].parse().ok()
}

/// A value, or a panic with what the input was refused for.
///
/// # Panics
/// If it was.
pub fn shown<T, E: Display>(result: Result<T, E>, what: &str) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}
