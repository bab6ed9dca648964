//! Graphs all of whose edges cost the same: only the number of pairs counts.
//!
//! - [`sides`]: who is beside whom;
//! - [`greedy`]: a matching to begin with;
//! - here: trees from all vertices without partners, grown side by side until no two of them meet; duals from where they
//!   end.

mod greedy;
mod sides;

use crate::alternating::{Label, NONE, Trees};
use crate::certificate::{Certificate, OddSet};
use crate::cost::CostValue;
use crate::edge_list::EdgeList;
use crate::engine::{Failure, Glimpse, Limits, Outcome};
use crate::error::Error;
use crate::progress::Stage;
use crate::reduction::Reduced;
use crate::solution::StopReason;
use sides::Sides;

/// Edges looked at between two looks at the limits.
const LOOKS: u64 = 1 << 13;

/// What edges cost and vertices that stay alone, in half units of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// The most that the ends of an edge may pay together.
    edge: i128,
    /// The most that a vertex may pay where two copies of it are linked; `None` where nobody may stay alone.
    alone: Option<i128>,
}

impl Prices {
    /// For edges that all cost the same: `None` unless vertices that stay alone do, too, and as many pairs as possible are best.
    ///
    /// # Errors
    /// A cost that the grid cannot hold.
    pub(crate) fn of<V: CostValue>(edges: &EdgeList<V>, reduced: &Reduced<'_, V>) -> Result<Option<Self>, Error> {
        let n = edges.len();
        let Some(first) = edges.edges().first() else {
            return Ok(None);
        };
        let Some(edge) = reduced.reduced_cost(first.weight)?.checked_mul(2) else {
            return Ok(None);
        };
        if !reduced.is_doubled() {
            // Of an odd number somebody stays alone, which is seen at once or has a price.
            return Ok(n.is_multiple_of(2).then_some(Self { edge, alone: None }));
        }
        let alone = reduced.unmatched_cost(0)?;
        for v in 1..n {
            if reduced.unmatched_cost(v)? != alone {
                return Ok(None);
            }
        }
        let alone = alone.checked_mul(2);
        // Each of two copies of a vertex, and with it its part of a blossom, pays as much as an edge and a link at most, and
        // whoever checks the answer takes what all of them pay from what it costs: that must be a number, too.
        let most = alone.and_then(|alone| edge.unsigned_abs().checked_add(alone.unsigned_abs()));
        let all = most.and_then(|most| most.checked_mul(4 * n as u128));
        let fits = all.is_some_and(|all| i128::try_from(all).is_ok());
        let is_worth = alone.is_some_and(|alone| fits && edge < 2 * alone);
        Ok(is_worth.then_some(Self { edge, alone }))
    }
}

/// Solves a graph whose edges all cost the same. Of two copies the mates are those of one.
pub(crate) fn solve<V: CostValue>(
    edges: &EdgeList<V>,
    prices: Prices,
    limits: &Limits<'_>,
) -> Result<Outcome, Failure> {
    let n = edges.len();
    let sides = Sides::of(n, edges.edges());
    let mut search = Search {
        trees: Trees::new(greedy::matching(&sides)),
        work: 2 * edges.edges().len() as u64,
        sides,
        free: Vec::new(),
        prices,
        limits,
    };
    let stopped = search.run();
    let Search { mut trees, work, .. } = search;
    limits.count(work);
    let is_perfect = !trees.mates.contains(&NONE);
    if stopped.is_none() && !is_perfect && prices.alone.is_none() {
        let witness = trees.witness(n);
        return Err(Failure::Infeasible { witness, work });
    }
    let certificate = if stopped.is_none() && !is_perfect {
        certificate(&mut trees, prices)
    } else {
        // Everybody pays half of an edge: a bound whatever the matching, and its cost if that is perfect.
        let vertices = if prices.alone.is_some() { 2 * n } else { n };
        let order = (0..vertices as u32).collect();
        Certificate::new(vec![prices.edge / 2; vertices], order, Vec::new(), 0)
    };
    Ok(Outcome {
        mates: trees.mates,
        certificate,
        stopped,
        work,
    })
}

struct Search<'s> {
    trees: Trees,
    sides: Sides,
    /// Vertices without partners.
    free: Vec<u32>,
    prices: Prices,
    limits: &'s Limits<'s>,
    /// Edges looked at, from either end.
    work: u64,
}

impl Search<'_> {
    /// Lets trees grow until none meets another. Each round pairs the roots of those that do, and all begin anew.
    fn run(&mut self) -> Option<StopReason> {
        self.free = (0..self.sides.len() as u32).collect();
        let mut has_grown = true;
        while has_grown {
            let mates = &self.trees.mates;
            self.free.retain(|&v| mates[v as usize] == NONE);
            self.trees.clear();
            for &root in &self.free {
                self.trees.plant(root as usize);
            }
            match self.round() {
                Ok(pairs) => has_grown = pairs > 0,
                Err(reason) => return Some(reason),
            }
        }
        None
    }

    /// Lets all trees grow side by side; how many pairs of them have met.
    fn round(&mut self) -> Result<usize, StopReason> {
        let mut pairs = 0;
        let mut next_look = self.work;
        while let Some(u) = self.trees.first_fresh() {
            if self.work >= next_look {
                next_look = self.work + LOOKS;
                if let Some(reason) = self.limits.look(self.work, || self.glimpse(pairs)) {
                    return Err(reason);
                }
            }
            if self.trees.is_spent(u) {
                continue;
            }
            for &v in self.sides.of_vertex(u) {
                self.work += 1;
                let v = v as usize;
                if !self.trees.is_spent(v) && self.trees.take(u, v) {
                    pairs += 1;
                    break;
                }
            }
        }
        Ok(pairs)
    }

    fn glimpse(&self, pairs: usize) -> Glimpse {
        let copies = if self.prices.alone.is_some() { 2 } else { 1 };
        let vertices = (copies * self.sides.len()) as i128;
        Glimpse {
            stage: Stage::Search,
            left: Some(copies * (self.free.len() - 2 * pairs)),
            doubled_bound: (self.prices.edge / 2).checked_mul(vertices),
        }
    }
}

/// Duals for two copies, from trees that have met nobody. Who is in a blossom could stay alone: all of it together pays that.
/// The odd vertices of trees keep them from each other, and pay so much less; all others pay half of an edge (the decomposition
/// of T. Gallai and J. Edmonds; L. Lovász and M. D. Plummer, "Matching Theory", 1986, section 3.2).
fn certificate(trees: &mut Trees, prices: Prices) -> Certificate {
    let n = trees.mates.len();
    let (half, alone) = (prices.edge / 2, prices.alone.unwrap_or(0));
    let mut duals = vec![half; n];
    let mut blossoms: Vec<(u32, u32)> = Vec::new();
    let mut rest: Vec<u32> = Vec::new();
    for (v, dual) in duals.iter_mut().enumerate() {
        match trees.label(v) {
            Label::Even => blossoms.push((trees.base(v) as u32, v as u32)),
            Label::Odd => {
                *dual = prices.edge - alone;
                rest.push(v as u32);
            }
            Label::Out => rest.push(v as u32),
        }
    }
    blossoms.sort_unstable();
    let mut sets = Vec::new();
    let mut start = 0;
    for blossom in blossoms.chunk_by(|a, b| a.0 == b.0) {
        match blossom {
            [(_, v)] => duals[*v as usize] = alone,
            _ => sets.push(OddSet {
                start,
                len: blossom.len() as u32,
                dual: alone - half,
            }),
        }
        start += blossom.len() as u32;
    }
    let order: Vec<u32> = blossoms.iter().map(|&(_, v)| v).chain(rest).collect();
    let second = |set: &OddSet| OddSet {
        start: set.start + n as u32,
        ..*set
    };
    let again: Vec<OddSet> = sets.iter().map(second).collect();
    let copy = order.iter().map(|v| v + n as u32);
    Certificate::new(
        [duals.clone(), duals].concat(),
        order.iter().copied().chain(copy).collect(),
        [sets, again].concat(),
        0,
    )
}
