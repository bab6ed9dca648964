//! Rules as JSON.

use core::fmt;
use core::marker::PhantomData;
use std::io::Read;

use serde::de::value::MapAccessDeserializer;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::curve::Curve;
use super::error::Error;
use super::objective::Objective;
use super::premade::Premade;
use super::read::broken;
use super::rules::{Priority, Rules, ServerRule, Weights};
use crate::beginning::Beginning;
use crate::read_error::ReadError;

/// Everything that rules say, by the names of the settings; what is left out is as [`Rules::new`] has it.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object of rules")]
struct Written {
    team_size: usize,
    #[serde(deserialize_with = "object")]
    weights: Weights,
    skill_floor: f64,
    skill_cap: f64,
    team_curve: Curve,
    player_curve: Curve,
    /// By the size of a team.
    premade: Option<Premade>,
    ping_range: (f64, f64),
    #[serde(deserialize_with = "object")]
    met: Met,
    #[serde(deserialize_with = "object")]
    disliked: Disliked,
    servers: [f64; 3],
    server_rule: ServerRule,
    ping_limit: Option<f64>,
    ping_growth: f64,
    priority: Priority,
    objective: Objective,
}

/// Scores of two who met in the match before.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Met {
    changed: f64,
    same: f64,
}

/// Scores of two of whom one dislikes the other.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Disliked {
    mates: f64,
    enemies: f64,
}

/// Settings with names of their own.
trait Named {
    const EXPECTED: &'static str;
}

impl Named for Weights {
    const EXPECTED: &'static str = "an object of weights";
}

impl Named for Met {
    const EXPECTED: &'static str = "an object with `changed` and `same`";
}

impl Named for Disliked {
    const EXPECTED: &'static str = "an object with `mates` and `enemies`";
}

/// Reads an object. A list would be taken for its settings in order, which nobody can tell from looking at it.
fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Named,
{
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de> + Named> de::Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(T::EXPECTED)
        }

        fn visit_map<A: de::MapAccess<'de>>(self, settings: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(settings))
        }
    }

    deserializer.deserialize_map(Object(PhantomData))
}

/// What is wrong, without the words that only those know who wrote the reader.
fn wrong(error: &serde_json::Error, text: &Beginning) -> Error {
    let broken = broken(error, text);
    let Error::Json { line, column, message } = broken else {
        return broken;
    };
    let message = match message.as_str() {
        "invalid type: unit variant, expected struct variant"
        | "invalid type: unit variant, expected newtype variant" => {
            "a name alone, where numbers belong to it: expected an object like {\"power\": {\"exponent\": 2}}"
                .to_owned()
        }
        _ => message
            .replace("expected usize", "expected a whole number")
            .replace("expected f64", "expected a number"),
    };
    Error::Json { line, column, message }
}

impl Default for Written {
    fn default() -> Self {
        let mut written = Self::from(&Rules::default());
        written.premade = None;
        written
    }
}

impl Default for Met {
    fn default() -> Self {
        Written::default().met
    }
}

impl Default for Disliked {
    fn default() -> Self {
        Written::default().disliked
    }
}

impl From<&Rules> for Written {
    fn from(rules: &Rules) -> Self {
        Self {
            team_size: rules.team_size,
            weights: rules.weights,
            skill_floor: rules.skill_floor,
            skill_cap: rules.skill_cap,
            team_curve: rules.team_curve.clone(),
            player_curve: rules.player_curve.clone(),
            premade: Some(rules.premade.clone()),
            ping_range: rules.ping_range,
            met: Met {
                changed: rules.met_changed,
                same: rules.met_same,
            },
            disliked: Disliked {
                mates: rules.disliked_mates,
                enemies: rules.disliked_enemies,
            },
            servers: rules.servers,
            server_rule: rules.server_rule,
            ping_limit: rules.ping_limit,
            ping_growth: rules.ping_growth,
            priority: rules.priority,
            objective: rules.objective,
        }
    }
}

impl From<Written> for Rules {
    fn from(written: Written) -> Self {
        let rules = Self::new(written.team_size)
            .weights(written.weights)
            .skill_floor(written.skill_floor)
            .skill_cap(written.skill_cap)
            .team_curve(written.team_curve)
            .player_curve(written.player_curve)
            .ping_range(written.ping_range.0, written.ping_range.1)
            .met(written.met.changed, written.met.same)
            .disliked(written.disliked.mates, written.disliked.enemies)
            .servers(written.servers)
            .server_rule(written.server_rule)
            .ping_growth(written.ping_growth)
            .priority(written.priority)
            .objective(written.objective);
        let rules = match written.premade {
            Some(premade) => rules.premade(premade),
            None => rules,
        };
        match written.ping_limit {
            Some(limit) => rules.ping_limit(limit),
            None => rules,
        }
    }
}

/// All settings by name, as [`Rules::read_json`] reads them.
impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::from(self).serialize(serializer)
    }
}

/// As [`Rules::read_json`] reads them; checked.
impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rules = Self::from(Written::deserialize(deserializer)?);
        rules.check().map_err(de::Error::custom)?;
        Ok(rules)
    }
}

impl Rules {
    /// Reads rules from JSON (feature `json`): one object, by the names of the settings. What is left out is as [`Rules::new`] has
    /// it. Scores and weights are numbers, a [`Curve`] is `"linear"`, `{"power": {"exponent": 2}}`,
    /// `{"log": {"low": 0.01, "high": 1}}` or `{"piecewise": [[0, 1], [0.2, 0.7], [1, 0]]}`, [`Premade`] is `"squares"`,
    /// `{"levels": [1, 0.6, 0]}` or `{"table": [[[3], [2, 1], 0.5]]}`, an [`Objective`] is `"mean"`, `"sqrt"`,
    /// `{"power": {"exponent": 0.5}}` or `{"min-then-mean": {"sharpness": 64}}`, a [`ServerRule`] `"scored"` or `"required"`, a
    /// [`Priority`] `"longest-wait"` or `"chance"`. `serde` writes rules, too, all of them.
    ///
    /// # Errors
    /// [`Error::Read`]; [`Error::Json`] with line and column of what is no rule, is there twice or is of another type;
    /// [`Error::BadTeamSize`] and [`Error::BadRule`] as [`Rules::check`].
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Curve, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = r#"{"team_size": 5, "team_curve": {"power": {"exponent": 2}}, "ping_range": [30, 250]}"#;
    /// let rules = Rules::new(5).team_curve(Curve::Power { exponent: 2.0 }).ping_range(30.0, 250.0);
    /// assert_eq!(Rules::read_json(text.as_bytes())?, rules);
    /// let wrong = Rules::read_json(r#"{"team_sise": 5}"#.as_bytes()).unwrap_err();
    /// assert!(wrong.to_string().starts_with("line 1, column 12: unknown field `team_sise`, expected one of `team_size`"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_json(mut input: impl Read) -> Result<Self, Error> {
        let start = Beginning::of(&mut input).and_then(|start| start.whole_json(&mut input));
        let text = start.map_err(ReadError::from)?;
        let rules = text.bytes().trim_ascii_start();
        // A list would be taken for the settings in order.
        if !rules.starts_with(b"{") {
            let blank = &text.bytes()[..text.bytes().len() - rules.len()];
            let lines: Vec<&[u8]> = blank.split(|&byte| byte == b'\n').collect();
            let (line, column) = text.place(lines.len(), 1 + lines.last().map_or(0, |line| line.len()));
            let message = "expected rules, an object like {\"team_size\": 3, \"weights\": {\"servers\": 0}}".to_owned();
            return Err(Error::Json { line, column, message });
        }
        let written: Written = serde_json::from_slice(text.bytes()).map_err(|error| wrong(&error, &text))?;
        let rules = Self::from(written);
        rules.check()?;
        Ok(rules)
    }
}
