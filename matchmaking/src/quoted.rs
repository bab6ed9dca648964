//! What an input says, as a message repeats it.

/// Characters that are repeated as they are.
const LONGEST: usize = 80;

/// Characters left of what is longer: its beginning and its end, by which it is found.
const KEPT: (usize, usize) = (48, 16);

/// Text in quotes, with escapes for what would move the cursor. What is long is cut in the middle: an id of thousands of
/// characters would hide what is wrong with it.
pub(crate) fn quoted(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return format!("{text:?}");
    }
    let (first, last) = KEPT;
    let first: String = text.chars().take(first).collect();
    let last: String = text.chars().skip(length - last).collect();
    format!("{:?} ({length} characters)", format!("{first}…{last}"))
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
