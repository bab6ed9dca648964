//! What JSON reports are made of.

use std::time::{Duration, Instant};

use markov::claims::Value;
use serde::Serialize;
use serde_json::value::RawValue;

use super::decimal::Decimal;

/// A number that a claim rests on.
#[derive(Serialize)]
pub(crate) struct Exact {
    /// `p/q` in lowest terms, or `p`; none where only a float is known.
    exact: Option<String>,
    /// Null where it is not finite.
    float: f64,
}

impl From<Decimal> for Exact {
    fn from(number: Decimal) -> Self {
        Self {
            exact: Some(number.fraction()),
            float: number.to_f64(),
        }
    }
}

impl From<&Value> for Exact {
    fn from(value: &Value) -> Self {
        Self {
            exact: value.exact.as_ref().map(ToString::to_string),
            float: value.float,
        }
    }
}

/// An object, and the keys of another one after its own.
fn extended(mut object: String, others: &impl Serialize) -> String {
    object.pop();
    object.push(',');
    object.push_str(&serialized(others)[1..]);
    object
}

/// One line of JSON.
pub(crate) fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data with text keys always serializes")
}

/// A decimal as a JSON number with all its digits.
pub(crate) fn literal(number: Decimal) -> Box<RawValue> {
    RawValue::from_string(number.to_string()).expect("decimals are written as JSON writes numbers")
}

/// How long the parts of a run took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) parse: Duration,
    pub(crate) costs: Duration,
    pub(crate) solve: Duration,
    pub(crate) verify: Duration,
    /// Where something was to be explained.
    pub(crate) explain: Option<Duration>,
}

impl Spent {
    /// What `seconds` reports: costs and solve.
    pub(crate) fn seconds(&self) -> f64 {
        (self.costs + self.solve).as_secs_f64()
    }
}

/// The times, which come last: how long writing took is known only once the rest is written.
#[derive(Serialize)]
struct Times {
    seconds: f64,
    timing: Timing,
}

#[derive(Serialize)]
struct Timing {
    parse: f64,
    costs: f64,
    solve: f64,
    verify: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<f64>,
    write: f64,
}

/// One line with the keys of an object and then the times, `write` among them.
pub(crate) fn timed<D: Serialize>(document: impl FnOnce() -> D, spent: &Spent) -> String {
    let start = Instant::now();
    let json = serialized(&document());
    let times = Times {
        seconds: spent.seconds(),
        timing: Timing {
            parse: spent.parse.as_secs_f64(),
            costs: spent.costs.as_secs_f64(),
            solve: spent.solve.as_secs_f64(),
            verify: spent.verify.as_secs_f64(),
            explain: spent.explain.as_ref().map(Duration::as_secs_f64),
            write: start.elapsed().as_secs_f64(),
        },
    };
    extended(json, &times) + "\n"
}
