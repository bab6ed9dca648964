//! What a reader of JSON says, as a message repeats it: names and texts of the file may stand in it as they are.

use crate::quoted::{cut, shortened};

/// Characters that are repeated.
const LONGEST: usize = 400;

/// Characters left of what is longer, at its beginning and its end.
const KEPT: (usize, usize) = (160, 200);

/// Whether a character moves the cursor, turns what follows around, or is not seen at all.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The same on one line, of a length that can be read.
pub(crate) fn said(message: &str) -> String {
    let escaped = |letter: char| {
        let is_hidden = is_hidden(letter);
        let plain = (!is_hidden).then_some(letter);
        plain
            .into_iter()
            .chain(letter.escape_default().filter(move |_| is_hidden))
    };
    cut(message, LONGEST, KEPT).chars().flat_map(escaped).collect()
}

/// The same without the line and the column that it ends with, which count from where the reader began.
#[cfg(feature = "json")]
pub(crate) fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

/// A name of the file, as a message repeats it without quotes.
pub(crate) fn said_name(name: &str) -> String {
    said(&shortened(name))
}

#[cfg(test)]
mod tests {
    use super::said;

    #[test]
    fn what_a_reader_of_json_says_is_one_short_line() {
        assert_eq!(
            said("unknown field `a\n\u{1b}[31m\"é`"),
            "unknown field `a\\n\\u{1b}[31m\"é`"
        );
        assert_eq!(said("`gnp\u{202e}exe\u{feff}`"), "`gnp\\u{202e}exe\\u{feff}`");
        let name = "x".repeat(70_000);
        let short = said(&format!("unknown field `{name}`, expected `a` at line 1"));
        assert!(short.starts_with("unknown field `xxx") && short.ends_with("x`, expected `a` at line 1"));
        assert_eq!(short.chars().count(), 160 + 1 + 200);
    }
}
