//! Answers that are read back.

use serde::Deserialize;

use super::{Solution, SolvedBy, Status};
use crate::blossom::Objective;
use crate::certificate::Certificate;
use crate::cost::CostValue;
use crate::edge_list::Edge;

/// A [`Solution`] as it was written, by whomever.
#[derive(Deserialize)]
#[serde(rename = "Solution", bound = "V: Deserialize<'de>, V::Total: Deserialize<'de>")]
pub(super) struct Written<V: CostValue> {
    mates: Vec<u32>,
    pairs: Vec<Edge<V>>,
    cost: V::Total,
    bound: V::Total,
    status: Status,
    objective: Objective<V>,
    certificate: Certificate,
    work: u64,
    solved_by: SolvedBy,
}

impl<V: CostValue> TryFrom<Written<V>> for Solution<V> {
    type Error = String;

    /// Pairs and mates say the same; the rest is for the checker to judge.
    fn try_from(written: Written<V>) -> Result<Self, String> {
        let mut mates = vec![u32::MAX; written.mates.len()];
        let mut before = None;
        for edge in &written.pairs {
            let (u, v) = (edge.u as usize, edge.v as usize);
            if u >= v || v >= mates.len() {
                return Err(format!(
                    "({u}, {v}) is no pair of {} vertices; the lower one comes first",
                    mates.len()
                ));
            }
            if before.replace(u).is_some_and(|before| before > u) {
                return Err(format!("pair ({u}, {v}) is out of order"));
            }
            for (vertex, mate) in [(u, edge.v), (v, edge.u)] {
                if mates[vertex] != u32::MAX {
                    return Err(format!("vertex {vertex} is in two pairs"));
                }
                mates[vertex] = mate;
            }
        }
        if let Some(vertex) = (0..mates.len()).find(|&vertex| mates[vertex] != written.mates[vertex]) {
            return Err(format!("pairs and mates say different things of vertex {vertex}"));
        }
        Ok(Self {
            mates,
            pairs: written.pairs,
            cost: written.cost,
            bound: written.bound,
            status: written.status,
            objective: written.objective,
            certificate: written.certificate,
            work: written.work,
            solved_by: written.solved_by,
        })
    }
}
