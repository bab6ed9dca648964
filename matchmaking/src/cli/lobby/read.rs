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
    /// And those of running matches, as the first player writes them.
    pub(super) running: Vec<Value>,
}

/// The only part of a JSON round that the library does not keep: whether ids were texts.
#[derive(Default, Deserialize)]
struct Written {
    players: Vec<Map<String, Value>>,
}

impl Written {
    /// What stands there in the place of a text, if it is a number.
    fn number(&self, player: usize, path: &[&str]) -> Option<Value> {
        let (first, rest) = path.split_first()?;
        let value = self.players.get(player)?.get(*first)?;
        let value = rest.iter().try_fold(value, |value, name| value.get(name))?;
        Some(value.clone()).filter(Value::is_number)
    }
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
            running: Vec::new(),
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
        let (format, round, written) = if is_json(path, &start) {
            let text = start.whole_json(&mut reader).map_err(open)?;
            let round = Round::read_json(text.reader()).map_err(wrong)?;
            let written: Written = serde_json::from_slice(text.bytes()).unwrap_or_default();
            ("json", round, written)
        } else {
            let round = Round::read_csv(start.reader().chain(reader)).map_err(wrong)?;
            ("csv", round, Written::default())
        };
        let ids = texts(&round).into_iter().enumerate();
        let ids = ids.map(|(player, id)| written.number(player, &["id"]).unwrap_or(id));
        let running = round.running().iter().map(|running| {
            let first = running.players().min().unwrap_or(0);
            let number = written.number(first, &["playing", "match"]);
            number.unwrap_or_else(|| running.id().into())
        });
        Ok(Self {
            name,
            format,
            ids: ids.collect(),
            running: running.collect(),
            round,
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
