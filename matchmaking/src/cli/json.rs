//! What JSON reports are made of.

use markov::claims::Value;
use serde::Serialize;

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
pub(crate) fn extended(mut object: String, others: &impl Serialize) -> String {
    object.pop();
    object.push(',');
    object.push_str(&serialized(others)[1..]);
    object
}

/// One line of JSON.
pub(crate) fn serialized(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data with text keys always serializes")
}
