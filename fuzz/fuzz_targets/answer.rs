//! A graph and an answer to it as JSON, from anywhere: what the checker accepts is as good as exhaustive search finds.
#![no_main]

use libfuzzer_sys::fuzz_target;
use matching_core::verify::{self, Claim};
use matching_core::{Certificate, Edge, EdgeList, Error, Objective, Status, TutteBerge, oracle};
use serde::Deserialize;

/// Larger graphs are checked, and not searched.
const MOST: usize = 10;

#[derive(Deserialize)]
struct Answer {
    graph: EdgeList<i64>,
    objective: Kind,
    mates: Vec<u32>,
    cost: i128,
    bound: i128,
    status: Status,
    certificate: Certificate,
    witness: Option<TutteBerge>,
}

#[derive(Deserialize)]
enum Kind {
    MinPerfect,
    MaxPerfect,
    MaxWeight,
    MaxCardinality,
    MinOptOut(Vec<i64>),
    MinBye(Vec<i64>),
}

impl From<Kind> for Objective<i64> {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::MinPerfect => Self::MinPerfect,
            Kind::MaxPerfect => Self::MaxPerfect,
            Kind::MaxWeight => Self::MaxWeight,
            Kind::MaxCardinality => Self::MaxCardinality,
            Kind::MinOptOut(numbers) => Self::MinOptOut(numbers),
            Kind::MinBye(numbers) => Self::MinBye(numbers),
        }
    }
}

/// The pairs that mates are, as the graph has them.
fn pairs(graph: &EdgeList<i64>, mates: &[u32]) -> Vec<Edge<i64>> {
    let is_pair = |edge: &&Edge<i64>| edge.u < edge.v && mates.get(edge.u as usize) == Some(&edge.v);
    let mut pairs: Vec<Edge<i64>> = graph.edges().iter().filter(is_pair).copied().collect();
    pairs.sort_by_key(|edge| edge.u);
    pairs
}

fuzz_target!(|text: &[u8]| {
    let Ok(answer) = serde_json::from_slice::<Answer>(text) else {
        return;
    };
    let (graph, objective) = (answer.graph, Objective::from(answer.objective));
    let best = || (graph.len() <= MOST).then(|| oracle::solve(&graph, &objective));
    if let Some(witness) = &answer.witness {
        let is_accepted = verify::infeasibility(&graph, &objective, witness).is_ok();
        // What solves it finds none either.
        assert!(
            !is_accepted || !matches!(best(), Some(Ok(Some(_)))),
            "{witness:?} of {graph:?}"
        );
        let _ = verify::witness(&graph, witness);
    }
    let claim = Claim {
        objective: &objective,
        mates: &answer.mates,
        pairs: &pairs(&graph, &answer.mates),
        cost: answer.cost,
        bound: answer.bound,
        status: answer.status,
        certificate: &answer.certificate,
    };
    let _ = verify::certificate(&graph, &objective, &answer.certificate);
    if verify::claim(&graph, &claim).is_err() {
        return;
    }
    let is_least = matches!(
        objective,
        Objective::MinPerfect | Objective::MinOptOut(_) | Objective::MinBye(_)
    );
    match best() {
        None | Some(Err(Error::Overflow { .. })) => {}
        Some(Err(error)) => panic!("{error}: {claim:?} of {graph:?}"),
        // Nothing was claimed of it but a bound.
        Some(Ok(_)) if matches!(answer.status, Status::Unknown(_)) => {}
        Some(Ok(None)) => panic!("there is no answer: {claim:?} of {graph:?}"),
        Some(Ok(Some(best))) => {
            assert!(
                answer.status != Status::Optimal || answer.cost == best.cost,
                "{claim:?} of {graph:?}"
            );
            // A bound under most pairs is of answers with as many.
            let is_bound = if is_least {
                answer.bound <= best.cost
            } else {
                answer.bound >= best.cost
            };
            let counts_pairs = objective == Objective::MaxCardinality && claim.pairs.len() < best.pairs.len();
            assert!(is_bound || counts_pairs, "{claim:?} of {graph:?}");
        }
    }
});
