//! What reports for people are made of.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use markov::claims::Value;

use super::decimal::Decimal;

/// Reports are no wider than this, except where a table must be.
const WIDTH: usize = 110;

/// Appends a line.
pub(crate) fn say(out: &mut String, line: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{line}");
}

/// `1 pair`, `2 pairs`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

/// A count with the singular or the plural.
pub(crate) fn counted_as(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Whether a character moves the cursor, turns what follows around, or is not seen at all.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a character of no width joins or parts what is written with it: many emoji, and words of Persian and of Indian scripts.
fn joins(letter: char, before: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}') && !before.is_ascii()
}

/// Each character, and whether it is to be written as an escape.
fn with_hidden(text: &str) -> impl Iterator<Item = (char, bool)> {
    let before = core::iter::once(' ').chain(text.chars());
    let hidden = |(letter, before)| (letter, is_hidden(letter) && !joins(letter, before));
    text.chars().zip(before).map(hidden)
}

/// An id, or the name of a file, for people: what would move the cursor, or make two ids look the same, is written as an escape.
pub(crate) fn printable(id: &str) -> String {
    if with_hidden(id).any(|(_, is_hidden)| is_hidden) {
        id.escape_debug().to_string()
    } else {
        id.to_owned()
    }
}

/// A message that may have names of files in it: what would move the cursor is written as an escape, and all else as it is.
pub(crate) fn on_one_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for (letter, is_hidden) in with_hidden(message) {
        if is_hidden {
            line.extend(letter.escape_debug());
        } else {
            line.push(letter);
        }
    }
    line
}

/// Ids for people, one after the other: with commas where one of them has a space in it, as names of people do.
pub(crate) fn in_a_row(names: &[String]) -> String {
    let has_space = names.iter().any(|name| name.contains(char::is_whitespace));
    names.join(if has_space { ", " } else { " " })
}

/// The head of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column<'a> {
    name: &'a str,
    alignment: CellAlignment,
}

impl<'a> Column<'a> {
    /// Of words.
    pub(crate) fn left(name: &'a str) -> Self {
        let alignment = CellAlignment::Left;
        Self { name, alignment }
    }

    /// Of numbers.
    pub(crate) fn right(name: &'a str) -> Self {
        let alignment = CellAlignment::Right;
        Self { name, alignment }
    }
}

/// Rows under a header.
pub(crate) fn table(columns: &[Column<'_>], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    // A line under the header and no others: rows of a long table are read across, not boxed.
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─'));
    let mut table = Table::new();
    table
        .load_style(style)
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| column.name));
    rows.into_iter().for_each(|row| {
        table.add_row(row);
    });
    for (cells, column) in table.column_iter_mut().zip(columns) {
        cells.set_cell_alignment(column.alignment);
        cells.set_padding((0, 2));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

/// The text in lines of the report's width: `first` before the first line, as many spaces before the others. All other spaces
/// stay: ids may have several in a row, or such as are no ASCII.
pub(crate) fn wrapped(out: &mut String, first: &str, text: &str) {
    let indent = first.chars().count();
    let mut line = first.to_owned();
    let mut width = indent;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > indent && length > 0 && width + 1 + length > WIDTH {
            say(out, format_args!("{}", line.trim_end()));
            line = " ".repeat(indent);
            width = indent;
        }
        if width > indent {
            line.push(' ');
            width += 1;
        }
        line += word;
        width += length;
    }
    say(out, format_args!("{}", line.trim_end()));
}

/// The text, cut off at a word's end if it has more than so many characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = most.saturating_sub(1);
    for word in text.split_inclusive(' ') {
        let length = word.chars().count();
        if length > left {
            break;
        }
        left -= length;
        short += word;
    }
    format!("{}…", short.trim_end().trim_end_matches([',', ';', ':']))
}

/// A number with zeros appended up to so many decimals.
pub(crate) fn fixed(number: &str, decimals: u32) -> String {
    if decimals == 0 {
        return number.to_owned();
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    format!("{whole}.{fraction:0<width$}", width = decimals as usize)
}

/// A number to seven digits, and as a fraction where that is short and more exact.
pub(crate) fn number(value: &Value) -> String {
    let float = float(value.float);
    let Some(exact) = value.exact.as_ref().map(ToString::to_string) else {
        return float;
    };
    let is_rounded = Decimal::parse(float.as_bytes()).map_or(true, |decimal| decimal.fraction() != exact);
    if is_rounded && exact.len() <= 12 {
        format!("{float} = {exact}")
    } else {
        float
    }
}

/// How far a total and a bound on it are apart, as a part of the total, or of 1 where that is more.
pub(crate) fn gap(total: f64, bound: f64) -> f64 {
    (bound - total).abs() / total.abs().max(1.0)
}

/// From here on numbers have an exponent: whoever reads them counts no digits.
const LARGE: f64 = 1e15;

/// A float with so many decimals, and to seven significant digits where it is large.
pub(crate) fn rounded(value: f64, decimals: usize) -> String {
    if value.abs() < LARGE {
        format!("{value:.decimals$}")
    } else {
        float(value)
    }
}

/// A difference with its sign and so many decimals; one that rounds to nothing has the sign of nothing, `+`.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_nothing = value.is_finite() && text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte));
    if is_nothing { text.replacen('-', "+", 1) } else { text }
}

/// A rating to a whole point; zero has no sign.
pub(crate) fn points(rating: f64) -> String {
    format!("{:.0}", rating.round_ties_even() + 0.0)
}

/// A float with all its digits, as somebody has written it or shorter.
pub(crate) fn whole(value: f64) -> String {
    if value == 0.0 || (1e-5..LARGE).contains(&value.abs()) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

/// A float to seven significant digits; zero has no sign.
pub(crate) fn float(value: f64) -> String {
    let value = value + 0.0;
    if value.is_infinite() {
        return if value > 0.0 { "infinite" } else { "-infinite" }.to_owned();
    }
    let size = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    if !(-5.0..15.0).contains(&size) {
        return format!("{value:.6e}");
    }
    let decimals = (6.0 - size).max(0.0) as usize;
    let digits = format!("{value:.decimals$}");
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        digits
    }
}

#[cfg(test)]
mod tests {
    use markov::{Rational, Scalar};

    use super::{float, number, on_one_line, points, rounded, shortened, signed, whole, wrapped};

    #[test]
    fn floats_have_seven_digits() {
        let cases = [
            (0.0, "0"),
            (1.5, "1.5"),
            (100.0, "100"),
            (2.0 / 3.0, "0.6666667"),
            (-1e-4, "-0.0001"),
            (-0.0, "0"),
            (123_456_789.0, "123456789"),
            (1e-9, "1.000000e-9"),
            (2e20, "2.000000e20"),
            (f64::INFINITY, "infinite"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(float(value), text);
        }
    }

    /// There was "-0".
    #[test]
    fn ratings_are_whole_points() {
        for (rating, text) in [(-0.3, "0"), (-0.0, "0"), (0.5, "0"), (-1.5, "-2"), (1499.6, "1500")] {
            assert_eq!(points(rating), text);
        }
    }

    /// Beside "+0.00" there stood "-0.00".
    #[test]
    fn nothing_has_one_sign() {
        let cases = [
            (0.0, "+0.00"),
            (-0.0, "+0.00"),
            (-0.004, "+0.00"),
            (-0.006, "-0.01"),
            (12.5, "+12.50"),
            (-30.0, "-30.00"),
        ];
        for (value, text) in cases {
            assert_eq!(signed(value, 2), text);
        }
        assert_eq!(signed(f64::NEG_INFINITY, 2), "-inf");
    }

    /// Somebody's 1e308 was written with 309 digits.
    #[test]
    fn large_floats_have_exponents() {
        let cases = [
            (0.0, "0.00", "0"),
            (-0.125, "-0.12", "-0.125"),
            (999_999_999_999_999.0, "999999999999999.00", "999999999999999"),
            (1e15, "1.000000e15", "1e15"),
            (-1.25e308, "-1.250000e308", "-1.25e308"),
            (1e-300, "0.00", "1e-300"),
            (123.456_789_012, "123.46", "123.456789012"),
            (f64::INFINITY, "infinite", "inf"),
        ];
        for (value, two_decimals, all) in cases {
            assert_eq!((rounded(value, 2).as_str(), whole(value).as_str()), (two_decimals, all));
            assert!(whole(value).parse() == Ok(value));
        }
    }

    #[test]
    fn fractions_stand_where_they_say_more() {
        let text = |p, q| number(&Rational::ratio(p, q).into());
        assert_eq!(text(2, 3), "0.6666667 = 2/3");
        assert_eq!((text(6, 3), text(3, 10)), ("2".to_owned(), "0.3".to_owned()));
        assert_eq!(text(1, 999_999_999_999), "1.000000e-12");
    }

    #[test]
    fn long_texts_are_cut_and_wrapped_between_words() {
        assert_eq!(shortened("one two", 7), "one two");
        assert_eq!(shortened("one two, three", 10), "one two…");
        assert_eq!(shortened("näher dran", 10), "näher dran");
        let mut out = String::new();
        wrapped(&mut out, "  a: ", &"word ".repeat(40));
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.len() == 2 && lines.iter().all(|line| line.chars().count() <= super::WIDTH));
        assert!(lines[0].starts_with("  a: word") && lines[1].starts_with("     word"));
        assert_eq!(out.matches("word").count(), 40);
    }

    /// Names of files cut messages in two.
    #[test]
    fn messages_are_one_line_each() {
        let message = "it's \"山\u{3000}田\" é: a\n\u{1b}[31m\u{202e}b 👩\u{200d}🚀";
        let line = "it's \"山\u{3000}田\" é: a\\n\\u{1b}[31m\\u{202e}b 👩\u{200d}🚀";
        assert_eq!(
            (on_one_line(message).as_str(), on_one_line(line).as_str()),
            (line, line)
        );
    }

    /// All white space became one space each, so that two ids looked the same, and others were none of the input.
    #[test]
    fn spaces_of_ids_stay_as_they_are() {
        let mut out = String::new();
        let ids = "a  b, a b, 山田\u{3000}太郎, c\u{a0}d";
        wrapped(&mut out, "waiting: ", ids);
        assert_eq!(out, format!("waiting: {ids}\n"));
    }
}
