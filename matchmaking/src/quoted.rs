//! What an input says, as a message repeats it.

use std::borrow::Cow;

/// Characters that are repeated as they are.
const LONGEST: usize = 80;

/// Characters left of what is longer: its beginning and its end, by which it is found.
const KEPT: (usize, usize) = (48, 16);

/// Text in quotes, with escapes for what would move the cursor. What is long is cut in the middle: an id of thousands of
/// characters would hide what is wrong with it.
pub(crate) fn quoted(text: &str) -> String {
    match shortened(text) {
        Cow::Owned(short) => format!("{short:?} ({} characters)", text.chars().count()),
        Cow::Borrowed(whole) => format!("{whole:?}"),
    }
}

/// The text, or its ends where it is too long.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST, KEPT)
}

/// The text, or so many characters of its beginning and its end where it has more than `longest`.
pub(crate) fn cut(text: &str, longest: usize, (first, last): (usize, usize)) -> Cow<'_, str> {
    let length = text.chars().count();
    if length <= longest {
        return text.into();
    }
    let beginning = text.chars().take(first);
    let end = text.chars().skip(length - last);
    beginning.chain(['…']).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn long_texts_keep_their_ends() {
        assert_eq!(quoted("Ann \"A\"\n"), r#""Ann \"A\"\n""#);
        let whole = "é".repeat(80);
        assert_eq!(quoted(&whole), format!("\"{whole}\""));
        let long = format!("Ann{}Ben", "é".repeat(5000));
        let found = quoted(&long);
        assert!(
            found.starts_with("\"Anné") && found.ends_with("éBen\" (5006 characters)"),
            "{found}"
        );
        assert_eq!(found.chars().count(), 48 + 1 + 16 + 2 + " (5006 characters)".len());
    }
}
