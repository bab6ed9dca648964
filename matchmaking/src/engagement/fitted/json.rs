//! Models as JSON.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use super::feature::{SPANS, Snapshot, WIDTH, names};
use super::{FitCounts, FittedModel, ModelProblem, RatingParameters, Terms, Typical};
use crate::beginning::Beginning;
use crate::engagement::outcome::{DrawRule, DrawShare};
use crate::error::Error;
use crate::player::{Outcome, Player};
use crate::read_error::ReadError;
use crate::said::without_place;

/// The schema's name; its number rises when a reader could break.
const SCHEMA: &str = "matchmaking/model/1";

const SYSTEM: &str = "glicko";

/// The last column of a state.
const HOURS: &str = "hours";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Document {
    schema: String,
    horizon: f64,
    rating: Rating,
    draws: Draws,
    counts: Counts,
    strength: f64,
    intercept: f64,
    features: Vec<Feature>,
    states: States,
}

/// What must be looked at before the rest can be read.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Head {
    schema: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Rating {
    system: String,
    rating: f64,
    deviation: f64,
    growth: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Draws {
    share: f64,
    /// Null where the share is the same for all pairs.
    width: Option<f64>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Counts {
    games: u64,
    draws: u64,
    players: u64,
    observations: u64,
    churned: u64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct Feature {
    name: String,
    mean: f64,
    deviation: f64,
    coefficient: f64,
    error: f64,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct States {
    columns: Vec<String>,
    rows: Vec<StateRow>,
}

/// Rating, deviation, outcomes, games in each span, hours since each of the latest games.
type StateRow = (
    f64,
    f64,
    String,
    Option<u32>,
    Option<u32>,
    Option<u32>,
    Option<u32>,
    Vec<f64>,
);

impl FittedModel {
    /// Reads a model that [`FittedModel::write`] wrote. A byte order mark in front of it is understood.
    ///
    /// # Errors
    /// [`Error::Read`] where the input fails, [`Error::Model`] for what is wrong with it.
    pub fn read(mut input: impl Read) -> Result<Self, Error> {
        let start = Beginning::of(&mut input).and_then(|start| start.whole_json(&mut input));
        let text = start.map_err(ReadError::from)?;
        let head: Head = serde_json::from_slice(text.bytes()).map_err(|error| not_json(&error, &text))?;
        match head.schema {
            Some(schema) if schema == SCHEMA => {}
            found => {
                let found = found.unwrap_or_default();
                return Err(ModelProblem::Schema { found }.into());
            }
        }
        let document: Document = serde_json::from_slice(text.bytes()).map_err(|error| not_json(&error, &text))?;
        document.model().map_err(Error::from)
    }

    /// Writes the model as JSON.
    ///
    /// # Errors
    /// Whatever the output fails with.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut output, &Document::of(self))?;
        output.write_all(b"\n")
    }
}

fn not_json(error: &serde_json::Error, text: &Beginning) -> Error {
    let (line, column) = text.place(error.line(), error.column());
    let message = without_place(error);
    ModelProblem::Json { line, column, message }.into()
}

fn state_columns() -> Vec<String> {
    ["rating", "deviation", "outcomes"]
        .into_iter()
        .chain(SPANS)
        .chain([HOURS])
        .map(str::to_owned)
        .collect()
}

impl Document {
    fn of(model: &FittedModel) -> Self {
        let features = model.coefficients().into_iter().map(|term| Feature {
            name: term.name,
            mean: term.mean,
            deviation: term.deviation,
            coefficient: term.coefficient,
            error: term.error,
        });
        let draws = model.draws.share();
        let row = |player: &Player| {
            let [games_8h, games_1d, games_1w, games_1m] = Snapshot::of(player).games;
            let (rating, deviation, outcomes) = (player.rating, player.deviation, player.history());
            let hours = player.hours.clone();
            (
                rating, deviation, outcomes, games_8h, games_1d, games_1w, games_1m, hours,
            )
        };
        Self {
            schema: SCHEMA.to_owned(),
            horizon: model.horizon,
            rating: Rating {
                system: SYSTEM.to_owned(),
                rating: model.rating.rating,
                deviation: model.rating.deviation,
                growth: model.rating.growth,
            },
            draws: Draws {
                share: draws.share(),
                width: draws.width(),
            },
            counts: Counts {
                games: model.counts.games,
                draws: model.counts.draws,
                players: model.counts.players,
                observations: model.counts.observations,
                churned: model.counts.churned,
            },
            strength: model.strength,
            intercept: model.intercept,
            features: features.collect(),
            states: States {
                columns: state_columns(),
                rows: model.states.iter().map(row).collect(),
            },
        }
    }

    fn model(self) -> Result<FittedModel, ModelProblem> {
        if self.rating.system != SYSTEM {
            let name = self.rating.system;
            return Err(ModelProblem::UnknownSystem { name });
        }
        check("horizon", self.horizon, POSITIVE)?;
        check("rating.rating", self.rating.rating, FINITE)?;
        check("rating.deviation", self.rating.deviation, POSITIVE)?;
        check("rating.growth", self.rating.growth, NOT_NEGATIVE)?;
        check("strength", self.strength, NOT_NEGATIVE)?;
        check("intercept", self.intercept, FINITE)?;
        let counts = FitCounts {
            games: self.counts.games,
            draws: self.counts.draws,
            players: self.counts.players,
            observations: self.counts.observations,
            churned: self.counts.churned,
        };
        let number = |key: &str, found: u64, expected| ModelProblem::Number {
            key: key.to_owned(),
            found: found as f64,
            expected,
        };
        if counts.games == 0 {
            return Err(number("counts.games", 0, "1 or more"));
        }
        if counts.draws > counts.games {
            return Err(number("counts.draws", counts.draws, "no more than counts.games"));
        }
        let (terms, states) = (terms(self.features)?, self.states.players()?);
        Ok(FittedModel {
            horizon: self.horizon,
            rating: RatingParameters {
                rating: self.rating.rating,
                deviation: self.rating.deviation,
                growth: self.rating.growth,
            },
            draws: self.draws.rule()?,
            counts,
            strength: self.strength,
            intercept: self.intercept,
            typical: Typical::of(&states, &terms.means),
            terms,
            states,
        })
    }
}

impl Draws {
    fn rule(&self) -> Result<DrawRule, ModelProblem> {
        check("draws.share", self.share, PROBABILITY)?;
        if let Some(width) = self.width {
            check("draws.width", width, POSITIVE)?;
        }
        let share = DrawShare::new(self.share, self.width);
        Ok(share.map_or(DrawRule::Constant, DrawRule::Fitted))
    }
}

/// The coefficients by column; features that are not there have none.
fn terms(features: Vec<Feature>) -> Result<Terms, ModelProblem> {
    let names = names();
    let mut is_there = [false; WIDTH];
    let mut terms = Terms {
        means: [0.0; WIDTH],
        deviations: [0.0; WIDTH],
        coefficients: [0.0; WIDTH],
        errors: [0.0; WIDTH],
    };
    for (position, feature) in features.into_iter().enumerate() {
        let Some(column) = names.iter().position(|name| *name == feature.name) else {
            return Err(ModelProblem::UnknownFeature { name: feature.name });
        };
        if std::mem::replace(&mut is_there[column], true) {
            return Err(ModelProblem::DuplicateFeature { name: feature.name });
        }
        let at = |key: &str| format!("features[{position}].{key}");
        check(&at("mean"), feature.mean, FINITE)?;
        check(&at("deviation"), feature.deviation, NOT_NEGATIVE)?;
        check(&at("coefficient"), feature.coefficient, FINITE)?;
        check(&at("error"), feature.error, NOT_NEGATIVE)?;
        check_effect(&at("coefficient"), &feature)?;
        terms.means[column] = feature.mean;
        terms.deviations[column] = feature.deviation;
        terms.coefficients[column] = feature.coefficient;
        terms.errors[column] = feature.error;
    }
    Ok(terms)
}

impl States {
    fn players(self) -> Result<Vec<Player>, ModelProblem> {
        if self.columns != state_columns() {
            return Err(ModelProblem::StateColumns);
        }
        self.rows
            .into_iter()
            .enumerate()
            .map(|(state, row)| player(state, row))
            .collect()
    }
}

fn player(state: usize, row: StateRow) -> Result<Player, ModelProblem> {
    let (rating, deviation, outcomes, games_8h, games_1d, games_1w, games_1m, hours) = row;
    check(&format!("states.rows[{state}][0]"), rating, RATING)?;
    check(&format!("states.rows[{state}][1]"), deviation, DEVIATION)?;
    let mut player = Player::new((state + 1).to_string(), rating, deviation);
    let outcome = |found| Outcome::from_letter(found).ok_or(ModelProblem::StateOutcome { state, found });
    player.outcomes = outcomes.chars().map(outcome).collect::<Result<_, _>>()?;
    let mut before = f64::MAX;
    for &since in &hours {
        check(&format!("states.rows[{state}][7]"), since, NOT_NEGATIVE)?;
        if since > before {
            return Err(ModelProblem::Number {
                key: format!("states.rows[{state}][7]"),
                found: since,
                expected: "no more hours than since the game before",
            });
        }
        before = since;
    }
    if hours.len() > player.outcomes.len() {
        let (hours, outcomes) = (hours.len(), player.outcomes.len());
        return Err(ModelProblem::StateHours { state, hours, outcomes });
    }
    player.hours = hours;
    player.activity.games_8h = games_8h;
    player.activity.games_1d = games_1d;
    player.activity.games_1w = games_1w;
    player.activity.games_1m = games_1m;
    Ok(player)
}

/// That what a feature does to a logit is a number, whoever the player is: infinite ones of both signs add up to none.
fn check_effect(key: &str, feature: &Feature) -> Result<(), ModelProblem> {
    if feature.deviation == 0.0 {
        return Ok(());
    }
    // Values are logarithms at most, and means stand for those that are not known.
    let farthest = f64::MAX.ln() + 2.0 * feature.mean.abs();
    let effect = feature.coefficient.abs() * (farthest / feature.deviation);
    if effect <= MOST_EFFECT {
        return Ok(());
    }
    Err(ModelProblem::Number {
        key: key.to_owned(),
        found: feature.coefficient,
        expected: "small enough beside the deviation for what it adds to the logit to be a number",
    })
}

/// Most that one feature may add to a logit: far beyond any sense, and few enough sums of it are finite.
const MOST_EFFECT: f64 = 1e300;

/// A condition on a number, and the same in words.
type Condition = (fn(f64) -> bool, &'static str);

const FINITE: Condition = (f64::is_finite, "a finite number");
const POSITIVE: Condition = (|x| x > 0.0 && x.is_finite(), "a finite number above 0");
const NOT_NEGATIVE: Condition = (|x| x >= 0.0 && x.is_finite(), "a finite number of 0 or more");
const PROBABILITY: Condition = (|x| (0.0..=1.0).contains(&x), "a number from 0 to 1");
const RATING: Condition = (|x| x.abs() <= 1e9, "a number from -1e9 to 1e9");
const DEVIATION: Condition = (|x| (0.0..=1e9).contains(&x), "a number from 0 to 1e9");

fn check(key: &str, found: f64, (is_met, expected): Condition) -> Result<(), ModelProblem> {
    if is_met(found) {
        return Ok(());
    }
    let key = key.to_owned();
    Err(ModelProblem::Number { key, found, expected })
}

#[cfg(test)]
mod tests {
    use super::{DrawRule, DrawShare, FitCounts, FittedModel, Player, RatingParameters, Terms, Typical, WIDTH};
    use crate::engagement::ChurnModel;
    use crate::player::Outcome;

    /// A model with a different number everywhere.
    fn model(width: Option<f64>) -> FittedModel {
        let numbers = |factor: f64| std::array::from_fn(|column| factor * ((column + 1) as f64).sqrt());
        let mut ann = Player::new("1", 1500.0 + 1.0 / 3.0, 50.1);
        ann.outcomes = vec![Outcome::Win, Outcome::Draw, Outcome::Loss];
        ann.activity.games_1d = Some(7);
        ann.hours = vec![30.25, 2.0, 0.1];
        let states = vec![ann, Player::new("2", -3.5, 0.0)];
        FittedModel {
            horizon: 28_800.5,
            rating: RatingParameters::default(),
            draws: DrawShare::new(0.1 + 0.2, width).map_or(DrawRule::Constant, DrawRule::Fitted),
            counts: FitCounts {
                games: 10,
                draws: 3,
                players: 4,
                observations: 17,
                churned: 5,
            },
            strength: 1.0 / 3.0,
            intercept: -0.7,
            terms: Terms {
                means: numbers(0.01),
                deviations: numbers(1.1),
                coefficients: numbers(-0.003),
                errors: numbers(0.001),
            },
            typical: Typical::of(&states, &numbers(0.01)),
            states,
        }
    }

    fn written(model: &FittedModel) -> String {
        let mut bytes = Vec::new();
        model.write(&mut bytes).expect("a vector takes everything");
        String::from_utf8(bytes).expect("JSON is UTF-8")
    }

    #[test]
    fn models_come_back_to_the_last_bit() {
        for width in [None, Some(123.4)] {
            let model = model(width);
            assert_eq!(FittedModel::read(written(&model).as_bytes()), Ok(model));
        }
    }

    /// Editors and shells write one in front of what they save.
    #[test]
    fn a_byte_order_mark_is_no_part_of_a_model() {
        let model = model(None);
        let marked = format!("\u{feff}{}", written(&model));
        assert_eq!(FittedModel::read(marked.as_bytes()), Ok(model));
    }

    /// Whoever wrote the file knows of objects, and not of what a program makes of them.
    #[test]
    fn something_else_where_an_object_belongs_is_told_in_words_of_the_file() {
        let model: serde_json::Value = serde_json::from_str(&written(&model(Some(1.5)))).expect("it is JSON");
        let objects = model
            .as_object()
            .expect("an object")
            .iter()
            .filter(|field| field.1.is_object());
        let names: Vec<&String> = objects.map(|field| field.0).collect();
        assert!(names.len() >= 3, "{names:?}");
        for name in names {
            let mut changed = model.clone();
            changed[name] = serde_json::json!(7);
            let error = FittedModel::read(changed.to_string().as_bytes()).expect_err("a number is no object");
            let text = error.to_string();
            assert!(text.contains("invalid type: integer `7`, expected an object"), "{text}");
        }
    }

    #[test]
    fn the_risk_by_hand() {
        let model = model(None);
        let player = &model.states()[0];
        // Latest first: a loss, a draw, a win, then seven games that there were not; five played today.
        let mut values = [0.0; WIDTH];
        values[1] = 1.0;
        values[3] = 1.0;
        (3..10).for_each(|back| values[3 * back + 2] = 1.0);
        values[31] = 1.0; // upcoming loss
        values[35] = 1.0; // after a loss
        let mean = |column: usize| 0.01 * ((column + 1) as f64).sqrt();
        values[36] = mean(36);
        values[37] = 8f64.ln();
        // No fewer in a week or a month than in a day.
        values[38] = 8f64.ln();
        values[39] = 8f64.ln();
        // A tenth of an hour since the latest game, as a float of 32 bits, two since the one before it, thirty since
        // the first.
        let hours = [0.1_f32, 2.0, 30.25].map(f64::from);
        (0..3).for_each(|back| values[40 + back] = hours[back].ln_1p());
        values[50] = (hours[1] - hours[0]).ln_1p();
        values[51] = 28.25_f64.ln_1p();
        // Each coefficient is -0.003/1.1 of its deviation.
        let logit = -0.7 + (0..WIDTH).map(|c| -0.003 / 1.1 * (values[c] - mean(c))).sum::<f64>();
        let risk = 1.0 / (1.0 + (-logit).exp());
        assert!((model.after(player, Outcome::Loss) - risk).abs() < 1e-15);
        let [win, draw, loss] = Outcome::ALL.map(|outcome| model.after(player, outcome));
        assert!((model.idle(player) - (0.35 * win + 0.3 * draw + 0.35 * loss)).abs() < 1e-15);
        let drivers = model.drivers(player);
        assert_eq!((drivers.len(), drivers[0].name.as_str()), (53, "past3_log_hours"));
        assert!(drivers.is_sorted_by(|a, b| a.effect.abs() >= b.effect.abs()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let good = written(&model(Some(100.0)));
        let cases = [
            (
                "\"matchmaking/model/1\"",
                "\"matchmaking/model/9\"",
                "the schema is \"matchmaking/model/9\"",
            ),
            ("\"schema\":", "\"scheme\":", "the schema is \"\""),
            ("\"glicko\"", "\"elo\"", "rating system \"elo\" is unknown"),
            ("\"past2_draw\"", "\"luck\"", "feature \"luck\" is unknown"),
            (
                "\"past2_draw\"",
                "\"past1_draw\"",
                "feature \"past1_draw\" stands there twice",
            ),
            (
                "\"horizon\":28800.5",
                "\"horizon\":0",
                "horizon is 0; it must be a finite number above 0",
            ),
            ("\"width\":100.0", "\"width\":-1", "draws.width is -1"),
            ("\"share\":0.3", "\"share\":1.3", "draws.share is 1.3"),
            ("\"games\":10", "\"games\":0", "counts.games is 0"),
            (
                "\"draws\":3",
                "\"draws\":30",
                "counts.draws is 30; it must be no more than counts.games",
            ),
            ("\"WDL\"", "\"WXL\"", "states.rows[0]: 'X' among the outcomes"),
            ("[30.25,2.0,0.1]", "[30.25,2.0,-0.1]", "states.rows[0][7] is -0.1"),
            (
                "[30.25,2.0,0.1]",
                "[30.25,2.0,2.1]",
                "states.rows[0][7] is 2.1; it must be no more hours than since the game before",
            ),
            // The fourth was passed over.
            (
                "[30.25,2.0,0.1]",
                "[90.0,30.25,2.0,0.1]",
                "states.rows[0][7]: 4 hours for 3 outcomes",
            ),
            ("-3.5", "-3.5e12", "states.rows[1][0] is -3500000000000"),
            ("\"games_1w\"", "\"games_2w\"", "states.columns must be"),
            ("\"intercept\":", "\"interrupt\":", "unknown field `interrupt`"),
            ("{", "", "a model is what `matchmaking fit -o` writes"),
            // It named a type of the program's.
            (
                &good,
                "null",
                "line 1, column 4: invalid type: null, expected an object;",
            ),
        ];
        for (old, new, message) in cases {
            let bad = good.replacen(old, new, 1);
            assert_ne!(bad, good, "{old}");
            let error = FittedModel::read(bad.as_bytes()).map_err(|error| error.to_string());
            assert!(
                error.as_ref().is_err_and(|error| error.contains(message)),
                "{old}: {error:?}"
            );
        }
    }
}
