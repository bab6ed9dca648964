//! Whom `--explain` names.

use super::failure::Failure;
use super::names::Names;
use crate::quoted::quoted;

/// Ids that differ in more letters are not taken for one another.
const NEAR: usize = 2;

/// Longer ids are not compared letter by letter.
const LONG: usize = 64;

/// One player of the input, or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    One(usize),
    Two([usize; 2]),
}

fn usage(problem: String) -> Failure {
    Failure::Usage {
        option: "--explain",
        problem,
    }
}

/// All ways to read `A,B`. Ids may hold commas; a space behind the one between two ids, which is no part of them, leaves one way
/// to read it as long as ids hold no such space.
fn readings(text: &str) -> impl Iterator<Item = (&str, &str)> + Clone {
    text.match_indices(',')
        .map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()))
}

/// The two ids of `A,B`, as long as one reading names two of them.
pub(crate) fn pair(text: &str, names: &Names<'_>) -> Result<(usize, usize), Failure> {
    let mut known = readings(text).filter_map(|(a, b)| Some((names.position(a)?, names.position(b)?)));
    match (known.next(), known.next()) {
        (Some((a, b)), None) if a == b => Err(usage(format!("{} names the same id twice; name two", quoted(text)))),
        (Some(pair), None) => Ok(pair),
        (Some(_), Some(_)) => Err(usage(format!(
            "{} can be read as more than one pair of ids; a space behind the comma between the two says which",
            quoted(text)
        ))),
        (None, _) => match readings(text).next() {
            Some((a, b)) => {
                let unknown = if names.position(a).is_none() { a } else { b };
                Err(unknown_id(unknown, names))
            }
            None => Err(usage(format!("{} is not of the form A,B", quoted(text)))),
        },
    }
}

/// The two ids of `A,B`, as long as one reading names two of them, or else one id: what names two means them, also where it is an
/// id as a whole.
pub(crate) fn two_or_one(text: &str, names: &Names<'_>) -> Result<Asked, Failure> {
    match (pair(text, names), names.position(text.trim())) {
        (Ok((a, b)), _) => Ok(Asked::Two([a, b])),
        (Err(_), Some(player)) if !names_two(text, names) => Ok(Asked::One(player)),
        (Err(_), None) if !text.contains(',') => Err(unknown_id(text.trim(), names)),
        (Err(failure), _) => Err(failure),
    }
}

/// Whether some reading of `A,B` names two ids, which may be the same.
fn names_two(text: &str, names: &Names<'_>) -> bool {
    readings(text).any(|(a, b)| names.position(a).is_some() && names.position(b).is_some())
}

/// One id, or the two of `A,B`. Who has all of it as his id is meant, whatever two it may be read as: he cannot be named in
/// another way, and they can, with a space or in the other order.
pub(crate) fn one_or_two(text: &str, names: &Names<'_>) -> Result<Asked, Failure> {
    match names.position(text.trim()) {
        Some(player) => Ok(Asked::One(player)),
        None if text.contains(',') => pair(text, names).map(|(a, b)| Asked::Two([a, b])),
        None => Err(unknown_id(text.trim(), names)),
    }
}

/// The position of one id among these.
pub(crate) fn among<'a>(text: &str, ids: impl ExactSizeIterator<Item = &'a str> + Clone) -> Result<usize, Failure> {
    let id = text.trim();
    let position = ids.clone().position(|other| other == id);
    position.ok_or_else(|| unknown(id, &like(id, ids)))
}

/// An id that nobody has, and what it may have been meant for.
fn unknown_id(id: &str, names: &Names<'_>) -> Failure {
    let hint = match names {
        Names::Numbers { first, len } => match len.checked_sub(1) {
            Some(others) => format!("; ids are numbers from {first} to {}", first + others),
            None => String::new(),
        },
        Names::Players(pool) => like(id, pool.players().iter().map(|player| player.id.as_str())),
    };
    unknown(id, &hint)
}

fn unknown(id: &str, hint: &str) -> Failure {
    usage(format!("{} is no id of the input{hint}", quoted(id)))
}

/// The id that is most like one that nobody has, or how many there are.
fn like<'a>(id: &str, ids: impl ExactSizeIterator<Item = &'a str>) -> String {
    let players = ids.len();
    let near = ids.filter_map(|other| Some((distance(id, other)?, other)));
    match near.min_by_key(|(distance, _)| *distance) {
        Some((_, near)) => format!("; {} is", quoted(near)),
        None => format!(", which has {players} and none that is like it"),
    }
}

/// In how many letters two ids differ, whatever their case; `None` if these are too many.
fn distance(one: &str, other: &str) -> Option<usize> {
    let letters = |id: &str| -> Option<Vec<char>> {
        let letters = id.chars().flat_map(char::to_lowercase).take(LONG + 1);
        let letters: Vec<char> = letters.collect();
        (letters.len() <= LONG).then_some(letters)
    };
    let (one, other) = (letters(one)?, letters(other)?);
    if one.len().abs_diff(other.len()) > NEAR {
        return None;
    }
    // How far the beginning so far is from each beginning of the other.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], at + 1);
        for (to, with) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != with);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(row[to] + 1).min(diagonal + 1);
        }
    }
    // Of short ids, all are near each other.
    row.last()
        .copied()
        .filter(|&distance| distance <= NEAR && 2 * distance < one.len().max(1) + 1)
}

#[cfg(test)]
mod tests {
    use super::{Asked, distance, one_or_two, two_or_one};
    use crate::cli::failure::Failure;
    use crate::cli::names::Names;

    #[test]
    fn ids_are_near_by_few_letters() {
        assert_eq!(distance("ann", "Ann"), Some(0));
        assert_eq!(distance("player-17", "player-71"), Some(2));
        assert_eq!(distance("player-17", "player17"), Some(1));
        assert_eq!((distance("ann", "ben"), distance("p1", "p2")), (None, Some(1)));
        assert_eq!((distance("a", "b"), distance("", "b")), (None, None));
        assert_eq!(distance(&"x".repeat(65), &"x".repeat(65)), None);
    }

    #[test]
    fn numbers_name_one_or_two() {
        let names = Names::Numbers { first: 0, len: 30 };
        for asked in [one_or_two, two_or_one] {
            assert!(matches!(asked(" 7 ", &names), Ok(Asked::One(7))));
            assert!(matches!(asked("7, 29", &names), Ok(Asked::Two([7, 29]))));
        }
        for (text, part) in [
            ("30", "\"30\" is no id of the input; ids are numbers from 0 to 29"),
            ("7,30", "\"30\" is no id"),
            ("7,7", "names the same id twice"),
            ("", "\"\" is no id"),
            ("1,2,3", "is no id"),
        ] {
            for asked in [one_or_two, two_or_one] {
                match asked(text, &names) {
                    Err(Failure::Usage { problem, .. }) => assert!(problem.contains(part), "{problem}"),
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
