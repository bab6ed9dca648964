//! The search for the least limit within which everybody still finds a partner.

use std::time::Instant;

use super::within::{Limit, Sense, Within};
use crate::blossom::{Blossom, Engine, Objective};
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::edge_list::{Edge, EdgeList};
use crate::error::Error;
use crate::input::Input;
use crate::instance::Instance;
use crate::solution::{Solution, Status, StopReason};
use crate::witness::TutteBerge;

/// Where the search stands: no matching has a worst pair better than `bound`, and `pairs` have `worst`.
pub(super) struct Search<'a, V: CostValue> {
    blossom: &'a Blossom<V>,
    sense: Sense,
    /// Number of vertices.
    n: usize,
    /// How many vertices may stay unmatched.
    spare: usize,
    /// The pairs of the instance that are better than `worst`.
    edges: Vec<Edge<V>>,
    /// The worst pair of the best matching so far.
    pub(super) worst: V,
    /// That matching: its pairs.
    pub(super) pairs: Vec<Edge<V>>,
    /// The least that the worst pair can be, as far as it is known.
    pub(super) bound: V,
    /// Why there is no matching whose pairs are all better than `bound`.
    pub(super) witness: TutteBerge,
    /// What is left of the limits.
    pub(super) left: Budget,
    /// Work of all looks.
    pub(super) work: u64,
}

/// What one limit gave.
enum Look<V> {
    /// A matching within it.
    Found(Vec<Edge<V>>),
    /// There is none.
    Excluded(TutteBerge),
    /// Not known, as a limit of the budget came first.
    Stopped(StopReason),
}

impl<'a, V: CostValue> Search<'a, V> {
    /// Begins with a matching of `worst` pair, by what each vertex costs at least: of those no more than may stay unmatched
    /// can do without their best pair.
    ///
    /// # Errors
    /// What is wrong with the input.
    pub(super) fn begin(
        blossom: &'a Blossom<V>,
        input: Input<'_, V>,
        (worst, pairs): (V, Vec<Edge<V>>),
        left: &Budget,
    ) -> Result<Self, Error> {
        let start = Instant::now();
        let sense = Sense::of(&blossom.objective);
        let n = input.len();
        let within = Within {
            input,
            limit: Limit::Better(worst),
            sense,
        };
        let edges = within.to_edges()?.into_owned();
        let mut best = vec![worst; n];
        for (u, v, cost) in edges.iter() {
            best[u] = sense.best(best[u], cost);
            best[v] = sense.best(best[v], cost);
        }
        let spare = match blossom.objective {
            Objective::MinBye(_) => n % 2,
            _ => 0,
        };
        // Of `spare + 1` vertices the one whose best pair is best.
        let mut by_best = best.clone();
        let (_, &mut bound, _) = by_best.select_nth_unstable_by(spare, |&a, &b| sense.order(b, a));
        let alone = (0..n).filter(|&v| !sense.is_better(best[v], bound));
        let witness = TutteBerge::new(Vec::new(), alone.map(|v| vec![v]).collect());
        Ok(Self {
            blossom,
            sense,
            n,
            spare,
            edges: edges.into_edges(),
            worst,
            pairs,
            bound,
            witness,
            left: left.after(0, start.elapsed()),
            work: 0,
        })
    }

    /// Halves what lies between bound and worst pair until nothing does; says what stopped it before.
    ///
    /// # Errors
    /// A graph that is too large.
    pub(super) fn run(&mut self) -> Result<Option<StopReason>, Error> {
        let mut between: Vec<V> = self.edges.iter().map(|edge| edge.weight).collect();
        let mut is_first = true;
        loop {
            between.retain(|&cost| self.sense.is_better(cost, self.worst) && !self.sense.is_better(cost, self.bound));
            if between.is_empty() {
                self.bound = self.worst;
                return Ok(None);
            }
            // With random costs the bound by single vertices is mostly what can be had.
            let limit = if is_first {
                self.bound
            } else {
                self.middle(&mut between)
            };
            is_first = false;
            match self.look(limit)? {
                Look::Found(pairs) => self.improve(pairs),
                Look::Excluded(witness) => {
                    let beyond = between.iter().filter(|&&cost| self.sense.is_better(limit, cost));
                    self.bound = beyond.fold(self.worst, |bound, &cost| self.sense.best(bound, cost));
                    self.witness = witness;
                }
                Look::Stopped(reason) => return Ok(Some(reason)),
            }
        }
    }

    /// The middle one of some costs, counted as often as pairs have them.
    fn middle(&self, costs: &mut [V]) -> V {
        let middle = costs.len() / 2;
        *costs.select_nth_unstable_by(middle, |&a, &b| self.sense.order(a, b)).1
    }

    /// Takes a better matching, and forgets the pairs that it does without.
    fn improve(&mut self, pairs: Vec<Edge<V>>) {
        let worst = self.sense.worst(pairs.iter().map(|edge| edge.weight));
        self.worst = worst.unwrap_or(self.worst);
        self.edges.retain(|edge| self.sense.is_better(edge.weight, self.worst));
        self.pairs = pairs;
    }

    /// Asks whether there is a matching within a limit: one of the pairs up to it, all of which cost the same.
    fn look(&mut self, limit: V) -> Result<Look<V>, Error> {
        let start = Instant::now();
        let limit = Limit::UpTo(limit);
        let left = self.edges.iter().filter(|edge| limit.leaves(edge.weight, self.sense));
        let alike = left.map(|edge| Edge {
            u: edge.u,
            v: edge.v,
            weight: 0,
        });
        let graph = EdgeList::from_simple(self.n, alike.collect());
        let question = Blossom::<i32>::new()
            .objective(match self.spare {
                0 => Objective::MinPerfect,
                _ => Objective::MinBye(vec![0; self.n]),
            })
            .engine(Engine::Sparse)
            .threads(self.blossom.threads)
            .budget(self.left.clone());
        let answer = question.solve(&graph);
        let work = answer.as_ref().map_or(0, Solution::work);
        self.work += work;
        self.left = self.left.after(work, start.elapsed());
        match answer {
            Ok(solution) => Ok(match solution.status() {
                Status::Unknown(reason) => Look::Stopped(reason),
                _ => {
                    let is_matched = |edge: &&Edge<V>| solution.mates[edge.u as usize] == edge.v;
                    Look::Found(self.edges.iter().filter(is_matched).copied().collect())
                }
            }),
            Err(Error::NoPerfectMatching(witness)) => Ok(Look::Excluded(witness)),
            Err(error) => Err(error),
        }
    }
}
