//! Results to files. Feature `json`.
//!
//! They are written and not read: sums over rounds stay with whoever played them, and a file has what they say, which is
//! what [`SizeResults`]' methods do. Ends of intervals that are infinite are no numbers of JSON, and `null` there.

use serde::{Serialize, Serializer};

use super::method::Method;
use super::results::{Gain, MethodResult, SizeResults};

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[derive(Serialize)]
#[serde(rename = "SizeResults")]
struct Written {
    size: usize,
    rounds: u64,
    /// None for pools of new players.
    parts: Option<usize>,
    /// In the order of [`Method::ALL`].
    methods: Vec<OfMethod>,
    /// In the order of [`Method::CONTRASTS`].
    gains: Vec<OfContrast>,
}

#[derive(Serialize)]
struct OfMethod {
    method: Method,
    #[serde(flatten)]
    result: MethodResult,
}

#[derive(Serialize)]
struct OfContrast {
    one: Method,
    other: Method,
    #[serde(flatten)]
    gain: Gain,
}

impl Serialize for SizeResults {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let of_method = |method| OfMethod {
            method,
            result: self.method(method),
        };
        let of_contrast = |(one, other)| OfContrast {
            one,
            other,
            gain: self.gain(one, other),
        };
        Written {
            size: self.size(),
            rounds: self.rounds(),
            parts: self.parts(),
            methods: Method::ALL.map(of_method).into(),
            gains: Method::CONTRASTS.map(of_contrast).into(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::engagement::Horizon;
    use crate::eomm::{Method, Population, Simulation};

    #[test]
    fn a_file_says_what_the_methods_do() {
        let population = Population::synthetic(200, Horizon::EightHours, 1).expect("probabilities");
        let simulation = Simulation::new().sizes(&[20, 6]).rounds(8).seed(3);
        let results = simulation.run(&population).expect("results");
        let text = serde_json::to_value(&results).expect("plain data");
        assert_eq!((&text["rounds"], &text["seed"]), (&Value::from(8), &Value::from(3)));
        assert_eq!(text["stop"], Value::Null);
        for (written, pools) in text["sizes"].as_array().into_iter().flatten().zip(results.sizes()) {
            assert_eq!(
                (&written["size"], &written["rounds"]),
                (&pools.size().into(), &8.into())
            );
            assert_eq!(written["parts"], Value::from(pools.parts()));
            for (written, method) in written["methods"].as_array().into_iter().flatten().zip(Method::ALL) {
                let result = pools.method(method);
                assert_eq!(written["method"], method.name());
                assert_eq!(written["expected"]["mean"], result.expected.mean);
                assert_eq!(written["sampled"]["standard_error"], result.sampled.standard_error);
            }
            let gains = written["gains"].as_array().expect("six of them");
            assert_eq!(gains.len(), Method::CONTRASTS.len());
            for (written, (one, other)) in gains.iter().zip(Method::CONTRASTS) {
                let gain = pools.gain(one, other);
                assert_eq!(
                    (&written["one"], &written["other"]),
                    (&one.name().into(), &other.name().into())
                );
                assert_eq!(written["expected"]["low"], gain.expected.low);
                assert_eq!(written["welch"]["p"], gain.welch.p);
                assert_eq!(written["pools"]["better"], gain.pools.better);
            }
        }
        assert_eq!(text["sizes"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn what_is_infinite_is_null() {
        let population = Population::synthetic(39, Horizon::EightHours, 1).expect("probabilities");
        let results = Simulation::new()
            .sizes(&[20])
            .rounds(4)
            .run(&population)
            .expect("results");
        let text = serde_json::to_value(results).expect("plain data");
        let expected = &text["sizes"][0]["methods"][0]["expected"];
        assert!(expected["mean"].is_number() && expected["low"].is_null(), "{text}");
    }
}
