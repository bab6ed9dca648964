//! The report as one JSON object.

use markov::claims::{Claim, Point};
use serde::{Serialize, Serializer};

use super::Report;
use crate::cli::json::{Exact, timed};

/// The schema's name; its number rises when a script could break.
const SCHEMA: &str = "matchmaking/verify/1";

/// All keys but the times, in the order in which they are written.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    claims: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    paper: &'static str,
    label: &'a str,
    statement: &'a str,
    verdict: &'static str,
    reading: Option<&'a str>,
    points: Vec<Tested<'a>>,
    corrected_form: Option<&'a str>,
}

#[derive(Serialize)]
struct Tested<'a> {
    at: Parameters<'a>,
    printed: Option<Exact>,
    computed: Exact,
    corrected: Option<Exact>,
    simulated: Option<Simulated>,
}

/// Exact parameters by name, in the claim's own order.
struct Parameters<'a>(&'a Point);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.at.iter().map(|(name, value)| (name, value.to_string())))
    }
}

#[derive(Serialize)]
struct Simulated {
    mean: f64,
    se: f64,
    /// Null where it is infinite: nothing was left to chance, and the values differ.
    z: f64,
}

/// The whole object and a line end.
pub(super) fn render(report: &Report) -> String {
    let document = || Document {
        schema: SCHEMA,
        claims: report.claims.iter().map(entry).collect(),
    };
    timed(document, &report.spent)
}

fn entry(claim: &Claim) -> Entry<'_> {
    Entry {
        paper: claim.paper.name(),
        label: claim.label,
        statement: claim.statement,
        verdict: claim.verdict.name(),
        reading: claim.reading,
        points: claim.points.iter().map(tested).collect(),
        corrected_form: claim.corrected_form,
    }
}

fn tested(point: &Point) -> Tested<'_> {
    Tested {
        at: Parameters(point),
        printed: point.printed.as_ref().map(Exact::from),
        computed: Exact::from(&point.computed),
        corrected: point.corrected.as_ref().map(Exact::from),
        simulated: point.simulated.map(|estimate| Simulated {
            mean: estimate.mean,
            se: estimate.standard_error,
            z: estimate.z,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::render;

    #[test]
    fn every_key_stands_in_its_place() {
        let json = render(&samples::report());
        let first =
            "{\"schema\":\"matchmaking/verify/1\",\"claims\":[{\"paper\":\"xu\",\"label\":\"(1)\",\"statement\":\"the";
        assert!(json.starts_with(first), "{json}");
        let times = "\"corrected_form\":\"k/8\"}],\"seconds\":1.5,\"timing\":{\"parse\":0.0,\"costs\":0.0,\"solve\":1.5,\"verify\":0.0,\"write\":";
        assert!(json.contains(times) && json.ends_with("}}\n"), "{json}");
        let parts = [
            "\"verdict\":\"holds-as-read\",\"reading\":\"per team\",\"points\":[{\"at\":{\"lambda2\":\"3/2\",\"lambda1\":\"1/2\"},\
             \"printed\":{\"exact\":\"2\",\"float\":2.0},\"computed\":{\"exact\":\"1/3\",",
            "\"reading\":null,\"points\":[{\"at\":{\"k\":\"1/2\"},\"printed\":null,\"computed\":{\"exact\":\"1/8\",\"float\":0.125},\
             \"corrected\":{\"exact\":\"1/8\",\"float\":0.125},\"simulated\":null}",
            "\"simulated\":{\"mean\":0.125,\"se\":0.5,\"z\":1.0}",
            "\"computed\":{\"exact\":null,\"float\":0.7071067811865476}",
        ];
        for part in parts {
            assert!(json.contains(part), "{part} is missing in {json}");
        }
    }
}
