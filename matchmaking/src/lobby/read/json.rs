//! Rounds from JSON.

use std::collections::HashSet;
use std::fmt;
use std::io::Read;

use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde_json::{Map, Value};

use super::once::{Once, twice};
use super::{Named, pings_by_region, region_of};
use crate::beginning::Beginning;
use crate::error::Place;
use crate::lobby::error::Error;
use crate::lobby::matrix::SymmetricMatrix;
use crate::lobby::player::{Player, Playing, Previous, Side};
use crate::lobby::round::{Round, check_players, symmetric};
use crate::read_error::ReadError;
use crate::said::without_place;
use crate::written::number_text;

impl Round {
    /// Reads a round:
    ///
    /// ```json
    /// {"players": [{"id": "Ann", "skill": 9000, "party": "red", "region": "EU-W", "waited": 1,
    ///               "last": {"match": "m1", "team": "blue"}, "avoid": [], "dislike": [], "playing": null}],
    ///  "ping_ms": [[0]], "can_connect": [[true]]}
    /// ```
    ///
    /// `id` and `skill` are needed; what else is missing or `null` is none, 0, or not known, and an empty `party` is
    /// none. Ids, parties and matches may be integers; teams are `"red"`, `"blue"`, or 0 and 1; connections are
    /// booleans, or 0 and 1. `avoid` lists ids of players who are never in the same match as this one
    /// ([`Round::may_meet`]), and `dislike` of players who are not wanted as mates ([`Round::with_disliked`]), whether they are
    /// there or not. `playing` says in which match and team somebody plays already, like `last`
    /// ([`Player::playing`](crate::lobby::Player::playing)). Without `ping_ms`, pings come from the regions; without `can_connect`, everybody can
    /// connect. Diagonals hold numbers and are not used.
    /// Other fields are not used either; [`Round::unknown_fields`] names them. A byte order mark is understood.
    ///
    /// # Errors
    /// The first thing that is wrong, with line and column, or with player and field; see [`Error`].
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::Round;
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = r#"{"players": [{"id": 7, "skill": 9000}, {"id": 8, "skill": 8500.5}],
    ///                "ping_ms": [[0, 31.5], [31.5, 0]]}"#;
    /// let round = Round::read_json(text.as_bytes())?;
    /// assert_eq!((round.players()[0].id.as_str(), round.ping_ms(0, 1)), ("7", 31.5));
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_json(mut input: impl Read) -> Result<Self, Error> {
        let start = Beginning::of(&mut input).and_then(|start| start.whole_json(&mut input));
        let text = start.map_err(ReadError::from)?;
        let document: Document = serde_json::from_slice(text.bytes()).map_err(|error| broken(&error, &text))?;
        let mut unknown = document.unknown;
        let read = |(i, Once(value)): (usize, Once)| read_player(value, Place::Position(i), &mut unknown);
        let players = document.players.into_iter().enumerate().map(read);
        let players: Vec<(Player, Named)> = players.collect::<Result<_, _>>()?;
        let (players, named): (Vec<Player>, Vec<Named>) = players.into_iter().unzip();
        check_players(&players)?;
        let ping_ms = match document.ping_ms {
            Some(rows) => symmetric("ping_ms", &unwrapped(rows, |ping| ping.0), &players, number_text)?,
            None => {
                let players = players.iter().enumerate();
                let regions = players.map(|(i, player)| region_of(player, Place::Position(i)));
                pings_by_region(&regions.collect::<Result<Vec<_>, _>>()?)
            }
        };
        let can_connect = match document.can_connect {
            Some(rows) => symmetric("can_connect", &unwrapped(rows, |flag| flag.0), &players, |flag| {
                flag.to_string()
            })?,
            None => SymmetricMatrix::from_fn(players.len(), |_, _| true),
        };
        let round = Self::checked(players, ping_ms, can_connect, Vec::new())?.with_unknown_fields(unknown.in_order);
        round.with_named(named)
    }
}

pub(in crate::lobby) fn broken(error: &serde_json::Error, text: &Beginning) -> Error {
    let (line, column) = text.place(error.line(), error.column());
    let message = without_place(error);
    Error::Json { line, column, message }
}

/// The parts of the file, players not looked at yet.
struct Document {
    players: Vec<Once>,
    ping_ms: Option<Vec<Vec<Ping>>>,
    can_connect: Option<Vec<Vec<Flag>>>,
    unknown: Names,
}

/// Names in the order in which they first come. A set beside them, since a file may have a million.
#[derive(Default)]
struct Names {
    in_order: Vec<String>,
    seen: HashSet<String>,
}

impl Names {
    /// Whether it is a new one.
    fn add(&mut self, name: String) -> bool {
        let is_new = self.seen.insert(name.clone());
        if is_new {
            self.in_order.push(name);
        }
        is_new
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Parts)
    }
}

struct Parts;

impl<'de> Visitor<'de> for Parts {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `players`, `ping_ms` and `can_connect`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Document, A::Error> {
        let (mut players, mut unknown) = (None, Names::default());
        // That a name was there, and what it held: null is as if it had not been.
        let (mut ping_ms, mut can_connect): (Option<Option<_>>, Option<Option<_>>) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            let is_twice = match key.as_str() {
                "players" => players.replace(map.next_value()?).is_some(),
                "ping_ms" => ping_ms.replace(map.next_value()?).is_some(),
                "can_connect" => can_connect.replace(map.next_value()?).is_some(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    !unknown.add(key.clone())
                }
            };
            if is_twice {
                return Err(twice(&key));
            }
        }
        let players = players.ok_or_else(|| A::Error::missing_field("players"))?;
        Ok(Document {
            players,
            ping_ms: ping_ms.flatten(),
            can_connect: can_connect.flatten(),
            unknown,
        })
    }
}

/// Rows of what was read by a name that messages can say.
fn unwrapped<T, U>(rows: Vec<Vec<T>>, value: impl Fn(T) -> U) -> Vec<Vec<U>> {
    let unwrap = |row: Vec<T>| row.into_iter().map(&value).collect();
    rows.into_iter().map(unwrap).collect()
}

/// A number.
struct Ping(f32);

impl<'de> Deserialize<'de> for Ping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = Ping;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of milliseconds")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Ping, E> {
                Ok(Ping(value as f32))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Ping, E> {
                Ok(Ping(value as f32))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Ping, E> {
                Ok(Ping(value as f32))
            }
        }
        deserializer.deserialize_f32(Number)
    }
}

/// `true`, `false`, 1 or 0.
struct Flag(bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Flag;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false, 1 or 0")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Flag, E> {
                Ok(Flag(value))
            }

            fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Flag, E> {
                match value {
                    0 => Ok(Flag(false)),
                    1 => Ok(Flag(true)),
                    _ => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The fields of a player.
const FIELDS: [&str; 9] = [
    "id", "skill", "party", "region", "waited", "last", "avoid", "dislike", "playing",
];

/// A player from an object, and the ids that the player names; fields that no player has are added to `unknown`, once
/// each.
fn read_player(value: Value, place: Place, unknown: &mut Names) -> Result<(Player, Named), Error> {
    let Value::Object(object) = value else {
        return Err(bad(
            place,
            "",
            "players",
            &value,
            "an object like {\"id\": \"Ann\", \"skill\": 9000}",
        ));
    };
    for key in object.keys().filter(|key| !FIELDS.contains(&key.as_str())) {
        unknown.add(format!("players[].{key}"));
    }
    let missing = |field| Error::MissingField { place, field };
    let id = label(&object, place, "", "id")?.ok_or_else(|| missing("id"))?;
    let skill = field(&object, "skill").ok_or_else(|| missing("skill"))?;
    let skill = skill
        .as_f64()
        .ok_or_else(|| bad(place, &id, "skill", skill, "a number"))?;
    let waited = field(&object, "waited").map_or(Ok(0), |waited| {
        let count = waited.as_u64().and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| bad(place, &id, "waited", waited, "a whole number from 0 to 4294967295"))
    })?;
    let region = match field(&object, "region") {
        None => None,
        Some(Value::String(region)) => Some(region.clone()),
        Some(other) => return Err(bad(place, &id, "region", other, "a text like \"EU-W\"")),
    };
    let party = label(&object, place, &id, "party")?;
    let mut team = |names: &Teams| {
        let value = field(&object, names.field);
        value
            .map(|value| read_team(value, names, (place, &id), unknown))
            .transpose()
    };
    let last = team(&LAST)?.map(|(match_id, team)| Previous { match_id, team });
    let playing = team(&PLAYING)?.map(|(match_id, team)| Playing { match_id, team });
    let ids = |name| field(&object, name).map_or(Ok(Vec::new()), |list| read_ids(list, name, (place, &id)));
    let (avoid, dislike) = (ids("avoid")?, ids("dislike")?);
    let player = Player {
        id,
        skill,
        party,
        region,
        waited,
        last,
        playing,
    };
    Ok((player, Named { avoid, dislike }))
}

/// A list of ids.
fn read_ids(value: &Value, name: &'static str, (place, id): (Place, &str)) -> Result<Vec<String>, Error> {
    let wrong = || bad(place, id, name, value, "a list of ids like [\"Ben\", \"Cho\"]");
    let ids = value.as_array().ok_or_else(wrong)?.iter();
    ids.map(|other| as_label(other).ok_or_else(wrong)).collect()
}

/// The fields of a match and a team in it.
struct Teams {
    field: &'static str,
    match_id: &'static str,
    team: &'static str,
    expected: &'static str,
}

const LAST: Teams = Teams {
    field: "last",
    match_id: "last.match",
    team: "last.team",
    expected: "an object like {\"match\": \"m1\", \"team\": \"red\"}",
};

const PLAYING: Teams = Teams {
    field: "playing",
    match_id: "playing.match",
    team: "playing.team",
    expected: "an object like {\"match\": \"m1\", \"team\": \"red\"}, or null for somebody who waits",
};

fn read_team(
    value: &Value,
    names: &Teams,
    (place, id): (Place, &str),
    unknown: &mut Names,
) -> Result<(String, Side), Error> {
    let whole = || bad(place, id, names.field, value, names.expected);
    let object = value.as_object().ok_or_else(whole)?;
    let match_id = field(object, "match").ok_or_else(whole)?;
    let match_id = as_label(match_id).ok_or_else(|| bad(place, id, names.match_id, match_id, LABEL))?;
    let team = field(object, "team").ok_or_else(whole)?;
    for key in object.keys().filter(|key| !["match", "team"].contains(&key.as_str())) {
        unknown.add(format!("players[].{}.{key}", names.field));
    }
    let is = |text: &str, number: u64| team.as_str() == Some(text) || team.as_u64() == Some(number);
    match (is("red", 0), is("blue", 1)) {
        (true, _) => Ok((match_id, Side::Red)),
        (_, true) => Ok((match_id, Side::Blue)),
        _ => Err(bad(place, id, names.team, team, "\"red\" or \"blue\"")),
    }
}

/// A field that is there and not null.
fn field<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// What an id, a party or a match is written as.
const LABEL: &str = "a text or a whole number";

/// A text or an integer, as a text.
fn label(object: &Map<String, Value>, place: Place, id: &str, name: &'static str) -> Result<Option<String>, Error> {
    let text = |value| as_label(value).ok_or_else(|| bad(place, id, name, value, LABEL));
    field(object, name).map(text).transpose()
}

/// A text or an integer, as a text; `None` of anything else.
fn as_label(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

fn bad(place: Place, id: &str, field: &'static str, found: &Value, expected: &'static str) -> Error {
    let (id, found) = (id.to_owned(), found.to_string());
    Error::BadField {
        place,
        id,
        field,
        found,
        expected,
    }
}
