//! Answers in which numbers were changed.

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use serde_json::Value;

/// Numbers at which a checker may lose something.
const EXTREMES: [i64; 8] = [
    i64::MIN,
    i64::MIN / 2,
    i64::MIN / 4,
    i64::MAX,
    i64::MAX / 2,
    1 << 56,
    0,
    -1,
];

/// Numbers and truths, in order.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| leaves(value, found)),
        Value::Object(values) => values.values_mut().for_each(|value| leaves(value, found)),
        Value::Number(_) | Value::Bool(_) => found.push(value),
        _ => {}
    }
}

/// Changes a few numbers or truths: a little, to one that stands elsewhere, or to an extreme.
///
/// # Errors
/// Where there are too few bytes.
pub fn forge(data: &mut Unstructured<'_>, value: &mut Value) -> Result<()> {
    for _ in 0..data.int_in_range(1..=6)? {
        let mut found = Vec::new();
        leaves(value, &mut found);
        let other = found[data.choose_index(found.len())?].clone();
        let at = data.choose_index(found.len())?;
        let step: i8 = data.arbitrary()?;
        *found[at] = match (&*found[at], step) {
            (Value::Bool(is), _) => Value::from(!is),
            (_, 100..) => other,
            (Value::Number(_), ..-110) => Value::from(*data.choose(&EXTREMES)?),
            (Value::Number(old), _) => match old.as_i64() {
                Some(old) => Value::from(old.saturating_add(i64::from(step % 8))),
                None => Value::from(old.as_f64().unwrap_or(0.0) + f64::from(step % 8)),
            },
            (other, _) => other.clone(),
        };
    }
    Ok(())
}
