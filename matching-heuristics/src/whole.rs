//! Groups of any cost: the cost of every group is kept, and a move asks for those of two groups.
//!
//! Costs are asked for again and never added up from changes, so that what is kept is what a recount gives, bit for bit.

use std::sync::{Arc, Mutex, PoisonError};

use matching_core::{CancelToken, CostValue};

use rand_chacha::ChaCha8Rng;

use crate::change::Change;
use crate::control::Control;
use crate::engines;
use crate::error::Error;
use crate::instance::WholeCost;
use crate::partition::{Exchange, Partition};
use crate::score::Score;
use crate::state::{Schedule, State};

/// Where the first bad cost is noted, for all walks of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failure {
    first: Arc<Mutex<Option<Error>>>,
    pub(crate) flag: CancelToken,
}

impl Failure {
    fn note(&self, members: &[usize]) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| Error::GroupNotANumber {
            members: members.to_vec(),
        });
        self.flag.cancel();
    }

    pub(crate) fn take(&self) -> Option<Error> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A grouping with the cost of each group.
pub(crate) struct Whole<'a, V, S> {
    cost: &'a dyn WholeCost<V>,
    partition: Partition,
    /// The cost of each group; `None` if it is forbidden.
    costs: Vec<Option<S>>,
    /// The exchange that was last looked at, and what its two groups would cost.
    last: Exchange,
    last_costs: [Option<S>; 2],
    players: Vec<usize>,
    failure: Failure,
}

impl<V, S: Clone> Clone for Whole<'_, V, S> {
    fn clone(&self) -> Self {
        Self {
            cost: self.cost,
            partition: self.partition.clone(),
            costs: self.costs.clone(),
            last: self.last.clone(),
            last_costs: self.last_costs.clone(),
            players: self.players.clone(),
            failure: self.failure.clone(),
        }
    }
}

impl<'a, V: CostValue, S: Score> Whole<'a, V, S> {
    pub(crate) fn new(cost: &'a dyn WholeCost<V>, partition: Partition, failure: Failure) -> Self {
        let mut state = Self {
            cost,
            costs: vec![None; partition.layout().groups()],
            partition,
            last: Exchange::default(),
            last_costs: [None; 2],
            players: Vec::new(),
            failure,
        };
        state.recount();
        state
    }

    fn recount(&mut self) {
        for group in 0..self.costs.len() as u32 {
            self.costs[group as usize] = self.cost_after(group, &[], &[]);
        }
        self.last = Exchange::default();
    }

    /// What a group costs once some units have left it and others have come.
    fn cost_after(&mut self, group: u32, leave: &[u32], join: &[u32]) -> Option<S> {
        let layout = self.partition.layout();
        if layout.bench == Some(group) {
            return Some(S::ZERO);
        }
        self.players.clear();
        let stay = self
            .partition
            .members(group)
            .iter()
            .filter(|unit| !leave.contains(unit));
        for &unit in stay.chain(join) {
            self.players.extend_from_slice(&layout.players[unit as usize]);
        }
        // Sums of floats depend on the order of their parts, and a climb could go round for ever.
        self.players.sort_unstable();
        let cost = S::from_cost(self.cost.group_if_allowed(&self.players)?);
        if cost.is_none() {
            self.failure.note(&self.players);
        }
        cost
    }
}

impl<V: CostValue, S: Score> State for Whole<'_, V, S> {
    type Score = S;

    fn partition(&self) -> &Partition {
        &self.partition
    }

    fn total(&self) -> S {
        self.costs.iter().flatten().fold(S::ZERO, |sum, &cost| sum + cost)
    }

    fn forbidden(&self) -> u64 {
        self.costs.iter().filter(|cost| cost.is_none()).count() as u64
    }

    fn change(&mut self, exchange: &Exchange) -> Option<Change<S>> {
        if !self.partition.allows(exchange) {
            return None;
        }
        let (a, b) = (exchange.a, exchange.b);
        let before = [self.costs[a as usize], self.costs[b as usize]];
        let after = [
            self.cost_after(a, &exchange.from_a, &exchange.from_b),
            self.cost_after(b, &exchange.from_b, &exchange.from_a),
        ];
        let forbidden = |costs: &[Option<S>; 2]| costs.iter().filter(|cost| cost.is_none()).count() as i32;
        let sum = |costs: &[Option<S>; 2]| costs.iter().flatten().fold(S::ZERO, |sum, &cost| sum + cost);
        self.last.clone_from(exchange);
        self.last_costs = after;
        Some(Change {
            forbidden: forbidden(&after) - forbidden(&before),
            cost: sum(&after) - sum(&before),
        })
    }

    fn apply(&mut self, exchange: &Exchange) {
        if self.last != *exchange {
            self.last_costs = [
                self.cost_after(exchange.a, &exchange.from_a, &exchange.from_b),
                self.cost_after(exchange.b, &exchange.from_b, &exchange.from_a),
            ];
        }
        self.partition.apply(exchange);
        [self.costs[exchange.a as usize], self.costs[exchange.b as usize]] = self.last_costs;
        self.last = Exchange::default();
    }

    fn reset(&mut self, group_of: &[u32]) {
        self.partition.reset(group_of);
        self.recount();
    }

    fn in_costs(&self, total: S) -> f64 {
        total.to_f64()
    }

    fn cooling(&self) -> f64 {
        200.0
    }

    fn schedule(&mut self, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Schedule {
        let unit = engines::unit(self, control, rng);
        Schedule {
            reach: 0.3 * unit,
            hot: 0.3 * unit,
            warm: 0.05 * unit,
            cold: 0.005 * unit,
        }
    }

    fn group_cost(&self, group: u32) -> Option<S> {
        self.costs[group as usize]
    }
}

#[cfg(test)]
mod tests;
