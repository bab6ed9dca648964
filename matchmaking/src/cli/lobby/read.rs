//! The round to search: from a file, or a synthetic one.

use std::io::Read;
use std::path::Path;

use matchmaking::lobby::{Error, Round};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::args::LobbyArgs;
use crate::beginning::Beginning;
use crate::cli::failure::Failure;
use crate::cli::input;

/// A round and what it is called.
#[derive(Debug)]
pub(super) struct Source {
    /// As the command line named it; `stdin` for `-`.
    pub(super) name: String,
    /// What it was read from: `json`, `csv` or `instance`.
    pub(super) format: &'static str,
    pub(super) round: Round,
    /// Ids as the input writes them: those of JSON may be integers.
    pub(super) ids: Vec<Value>,
}

/// The only part of a JSON round that the library does not keep: whether ids were texts.
#[derive(Default, Deserialize)]
struct Written {
    players: Vec<Map<String, Value>>,
}

impl Source {
    pub(super) fn read(args: &LobbyArgs) -> Result<Self, Failure> {
        match (&args.file, &args.instance) {
            (Some(path), _) => Self::from_file(path),
            (None, name) => Self::from_instance(name.as_deref().unwrap_or_default()),
        }
    }

    fn from_instance(name: &str) -> Result<Self, Failure> {
        let round = Round::named(name).map_err(|error| Failure::Usage {
            option: "--instance",
            problem: error.to_string(),
        })?;
        Ok(Self {
            name: name.to_owned(),
            format: "instance",
            ids: texts(&round),
            round,
        })
    }

    fn from_file(path: &Path) -> Result<Self, Failure> {
        let (name, mut reader) = input::source(path)?;
        let open = |source| Failure::Open {
            file: name.clone(),
            source,
        };
        let wrong = |source: Error| Failure::Round {
            file: name.clone(),
            source: source.into(),
        };
        let start = Beginning::of(&mut reader).map_err(open)?;
        if start.is_empty() {
            return Err(Failure::Empty {
                file: name,
                expected: "a round: JSON, or a header line `id,skill,party,region,waited` and one line for each player",
            });
        }
        let (format, round, ids) = if is_json(path, &start) {
            let text = start.whole_json(&mut reader).map_err(open)?;
            let round = Round::read_json(text.reader()).map_err(wrong)?;
            let ids = written(text.bytes(), &round);
            ("json", round, ids)
        } else {
            let round = Round::read_csv(start.reader().chain(reader)).map_err(wrong)?;
            let ids = texts(&round);
            ("csv", round, ids)
        };
        Ok(Self {
            name,
            format,
            round,
            ids,
        })
    }
}

fn is_json(path: &Path, start: &Beginning) -> bool {
    let is_named_so = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    is_named_so || start.opens_json()
}

fn texts(round: &Round) -> Vec<Value> {
    let ids = round.players().iter().map(|player| Value::from(player.id.as_str()));
    ids.collect()
}

/// Ids that are integers in the file stay integers.
fn written(json: &[u8], round: &Round) -> Vec<Value> {
    let mut ids = texts(round);
    let written: Written = serde_json::from_slice(json).unwrap_or_default();
    for (id, mut player) in ids.iter_mut().zip(written.players) {
        if let Some(number @ Value::Number(_)) = player.remove("id") {
            *id = number;
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Beginning, is_json};

    #[test]
    fn the_first_character_or_the_name_tells_json_from_csv() {
        let cases: [(&str, &str, bool); 6] = [
            ("-", " \n{\"players\": []}", true),
            ("round.csv", "{", true),
            ("round.txt", "[1]", true),
            ("round.JSON", "players", true),
            ("-", "id,skill,region\n", false),
            ("json", "id,skill,region\n", false),
        ];
        for (path, text, expected) in cases {
            let start = Beginning::of(&mut text.as_bytes()).expect("a text");
            assert_eq!(is_json(Path::new(path), &start), expected, "{path} {text}");
        }
    }
}
