//! The exact solve on all pairs: search on few of them, price the rest, take up what was missing, go on.

use crate::certificate::Certificate;
use crate::edge_list::Edge;
use crate::engine::{
    Dual, Effort, Failure, From, Glimpse, Limits, Numbers, Outcome, Search, Warm, odd_component_witness,
};
use crate::progress::Stage;
use crate::solution::StopReason;
use crate::witness::TutteBerge;

/// The start may visit the few edges there are so many times: what it leaves to the blossom search is dearer.
const START_VISITS: u64 = 40;
/// More missing pairs than one for so many vertices, and the few edges were not the right ones.
const TOO_MANY: usize = 4;
/// More missing pairs than so many for each vertex, and the end of an earlier solve was no start for this one.
const LOST: usize = 16;
/// One blossom for so many vertices, and growing them anew takes longer than going on with them.
const MANY_BLOSSOMS: usize = 8;
/// New starts before missing pairs are taken up however many there are.
const RESTARTS: usize = 3;
/// Searches that have visited so many edges for each pair there is cost more than one on all pairs would.
const VISITS_OF_ALL: u64 = 32;

/// Pairs offered for each vertex where the edges so far admit no perfect matching.
const ESCAPES: usize = 8;

/// The least of the ways out of the `i`-th vertex, in the order of their vertices. Of equal ones those from the `i`-th on,
/// around the end: if all vertices took the same few, a round would match no more than these.
pub(super) fn least_escapes<W: Copy + Ord>(out: &[(W, u32)], i: usize) -> impl Iterator<Item = u32> {
    let turn = i % out.len().max(1);
    let mut keys: Vec<(W, usize)> = (0..out.len())
        .map(|at| (out[at].0, (at + out.len() - turn) % out.len()))
        .collect();
    if keys.len() > ESCAPES {
        keys.select_nth_unstable(ESCAPES);
        keys.truncate(ESCAPES);
    }
    keys.into_iter()
        .map(move |(_, after)| out[(after + turn) % out.len()].1)
}

/// A pair that must become an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Violated<D> {
    pub(super) u: u32,
    pub(super) v: u32,
    pub(super) slack: D,
}

/// Few edges, and duals that leave none of their slacks negative.
#[derive(Clone, Debug)]
pub(super) struct Start<N: Numbers> {
    pub(super) edges: Vec<Edge<N::Weight>>,
    /// None: the search finds its own.
    pub(super) duals: Option<Vec<N::Dual>>,
    /// Whether no better start can be hoped for.
    pub(super) is_settled: bool,
}

impl<N: Numbers> Start<N> {
    /// Edges alone, and no other way to begin.
    pub(super) fn without_duals(edges: Vec<Edge<N::Weight>>) -> Self {
        Self {
            edges,
            duals: None,
            is_settled: true,
        }
    }
}

/// A problem with too many pairs to list them. Vertices are those of the reduced instance.
pub(super) trait Pairs<N: Numbers>: Sync {
    /// What a look at all pairs has settled for the next one, as long as all that it found became edges.
    type Settled: Default;

    /// Number of vertices.
    fn vertices(&self) -> usize;

    /// Takes a step that only one thread can take; there may be something to do for others.
    fn alone<A: Send>(&self, step: impl FnOnce() -> A + Send) -> A {
        step()
    }

    /// At most the least weight.
    fn least(&self) -> N::Weight;

    /// Exact weight of an allowed pair.
    fn weight(&self, u: u32, v: u32) -> N::Weight;

    /// Allowed pairs of negative slack, each once, in a fixed order; all those of a vertex if they are few. Empty only
    /// if there are none. Fails where their weights are too large for these integers. `search` is the one that ended in
    /// `state`: none of its edges is such a pair.
    fn violated(
        &self,
        search: &Search<'_, N>,
        state: &Warm<N::Dual>,
        settled: &mut Self::Settled,
    ) -> Result<Vec<Violated<N::Dual>>, Failure>;

    /// The start of a solve that knows nothing, where there is more than one way to begin.
    fn start_over(&self) -> Option<Start<N>>;

    /// A better start, from the duals that the one before led to; `None` if there is no better way than going on.
    fn restart(&self, state: &Warm<N::Dual>) -> Option<Start<N>>;

    /// All pairs as edges, where these fit into memory.
    fn everything(&self) -> Option<Vec<Edge<N::Weight>>>;

    /// Allowed pairs that refute a witness for fewer edges; none if it holds for all pairs.
    fn escapes(&self, witness: &TutteBerge) -> Vec<(u32, u32)>;

    /// Fails where weights of such pairs are too large for these integers.
    fn check_weights(&self, _: &[(u32, u32)]) -> Result<(), Failure> {
        Ok(())
    }

    /// Lowers vertex duals for the given weights until they hold on all pairs.
    fn lower(&self, duals: &mut [i128]);

    /// Units of work that one look at all pairs is counted as.
    fn work_of_pass(&self) -> u64;
}

/// The end of a solve, and what the next one can start from.
#[derive(Debug)]
pub(super) struct Solved<N: Numbers, S> {
    pub(super) outcome: Outcome,
    pub(super) edges: Vec<Edge<N::Weight>>,
    /// `None` where a limit was reached.
    pub(super) state: Option<Warm<N::Dual>>,
    pub(super) settled: S,
    /// Whether all edges that the solve began with are still there, in their places.
    pub(super) has_kept_edges: bool,
}

/// The solve under way.
pub(super) struct Pipeline<'p, N: Numbers, P: Pairs<N>> {
    pairs: &'p P,
    limits: &'p Limits<'p>,
    edges: Vec<Edge<N::Weight>>,
    duals: Option<Vec<N::Dual>>,
    /// The duals of the first start.
    first: Option<Vec<N::Dual>>,
    state: Option<Warm<N::Dual>>,
    settled: P::Settled,
    /// Started from an earlier solve, which may have been of a very different problem.
    is_resumed: bool,
    /// Started from what no other start would better.
    is_settled: bool,
    restarts: usize,
    /// Work of all searches.
    searched: u64,
    work: u64,
    /// Work of searches that found out that their edges were too few: limits count it for those that come.
    in_vain: u64,
}

impl<'p, N: Numbers, P: Pairs<N>> Pipeline<'p, N, P> {
    pub(super) fn new(pairs: &'p P, start: Start<N>, limits: &'p Limits<'p>, work: u64) -> Self {
        Self {
            pairs,
            limits,
            edges: start.edges,
            first: start.duals.clone(),
            duals: start.duals,
            state: None,
            settled: P::Settled::default(),
            is_resumed: false,
            is_settled: start.is_settled,
            restarts: 0,
            searched: 0,
            work,
            in_vain: 0,
        }
    }

    /// Goes on from an earlier solve whose state is true for the present edges, and of which something is settled.
    pub(super) fn resume(
        pairs: &'p P,
        edges: Vec<Edge<N::Weight>>,
        state: Warm<N::Dual>,
        settled: P::Settled,
        limits: &'p Limits<'p>,
    ) -> Self {
        let start = Start::without_duals(edges);
        let mut pipeline = Self {
            settled,
            is_resumed: true,
            ..Self::new(pairs, start, limits, 0)
        };
        pipeline.start_from(state, true);
        pipeline
    }

    pub(super) fn run(mut self) -> Result<Solved<N, P::Settled>, Failure> {
        if self.pairs.vertices() % 2 == 1 {
            return Err(self.explain_odd());
        }
        self.limits.count(self.work);
        loop {
            let edges = core::mem::take(&mut self.edges);
            let search = match self.search(&edges) {
                Ok(search) => search,
                Err(Failure::Infeasible { witness, work }) => {
                    self.add_work(work);
                    self.in_vain += work;
                    let escapes = self.pairs.escapes(&witness);
                    if escapes.is_empty() {
                        return Err(Failure::Infeasible {
                            witness,
                            work: self.work,
                        });
                    }
                    self.pairs.check_weights(&escapes)?;
                    self.edges = edges;
                    self.add_escapes(&escapes);
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            self.add_work(search.work());
            self.searched += search.work();
            if let Some(reason) = search.stopped.or_else(|| self.look()) {
                let outcome = self.give_up(search, reason);
                return Ok(Solved {
                    outcome,
                    edges,
                    state: None,
                    settled: P::Settled::default(),
                    has_kept_edges: false,
                });
            }
            let state = search.warm();
            let missing = self.pairs.violated(&search, &state, &mut self.settled)?;
            self.add_work(self.pairs.work_of_pass());
            if missing.is_empty() {
                let outcome = Outcome {
                    certificate: search.certificate(),
                    stopped: None,
                    work: self.work,
                    mates: search.into_mates(),
                };
                return Ok(Solved {
                    outcome,
                    edges,
                    state: Some(state),
                    settled: self.settled,
                    has_kept_edges: self.is_resumed,
                });
            }
            drop(search);
            self.edges = edges;
            self.mend(&missing, state);
        }
    }

    fn add_work(&mut self, work: u64) {
        self.work += work;
        self.limits.count(work);
    }

    /// The limit that is reached, if one is, before a look at all pairs.
    fn look(&self) -> Option<StopReason> {
        // What was done is counted already.
        self.limits.tell(0, || Glimpse {
            stage: Stage::Pricing,
            left: None,
            doubled_bound: None,
        });
        self.limits.reached(self.work)
    }

    /// An odd number of vertices: some component is odd.
    fn explain_odd(mut self) -> Failure {
        loop {
            let witness = odd_component_witness(self.pairs.vertices(), &self.edges);
            let escapes = self.pairs.escapes(&witness);
            if escapes.is_empty() {
                return Failure::at_sight(witness);
            }
            self.add_escapes(&escapes);
        }
    }

    fn search<'e>(&self, edges: &'e [Edge<N::Weight>]) -> Result<Search<'e, N>, Failure> {
        let from = match (&self.state, &self.duals) {
            (Some(state), _) => From::Warm(state),
            (None, Some(duals)) => From::Duals(duals),
            (None, None) => From::Nothing,
        };
        let effort = Effort {
            visits: self.duals.is_some().then_some(START_VISITS),
            ..Effort::default()
        };
        debug_assert!(
            edges.iter().all(|edge| self.slack(edge) >= N::Dual::ZERO),
            "a search starts where no edge lacks anything"
        );
        let (n, least) = (self.pairs.vertices(), self.pairs.least());
        let limits = self.limits.after(self.in_vain);
        self.pairs.alone(|| Search::run(n, edges, least, from, effort, &limits))
    }

    /// Slack of an edge where the next search starts.
    fn slack(&self, edge: &Edge<N::Weight>) -> N::Dual {
        let weight = N::doubled(N::shifted(edge.weight, self.pairs.least()));
        match (&self.state, &self.duals) {
            (Some(state), _) => state.slack(edge.u, edge.v, weight),
            (None, Some(duals)) => weight - duals[edge.u as usize] - duals[edge.v as usize],
            (None, None) => weight,
        }
    }

    /// Starts anew where far too much was missing, else takes it up.
    fn mend(&mut self, missing: &[Violated<N::Dual>], mut state: Warm<N::Dual>) {
        if let Some(start) = self.start_anew(missing.len(), &state) {
            self.add_work(2 * self.pairs.work_of_pass());
            (self.edges, self.duals, self.state) = (start.edges, start.duals, None);
            self.is_settled = start.is_settled;
            self.settled = P::Settled::default();
            return;
        }
        if let Some(edges) = self.take_all(missing.len()) {
            (self.edges, self.duals, self.state) = (edges, None, None);
            return;
        }
        let least = self.pairs.least();
        for pair in missing {
            let weight = self.pairs.weight(pair.u, pair.v);
            state.admit(pair.u, pair.v, N::doubled(N::shifted(weight, least)));
            self.edges.push(Edge {
                u: pair.u,
                v: pair.v,
                weight,
            });
        }
        self.start_from(state, missing.len() > self.pairs.vertices() / TOO_MANY);
    }

    /// Goes on with the blossoms and the matching of a state, or with its duals alone: those of vertices leave no
    /// edge's slack negative without blossoms either. Where most of the matching is gone and blossoms are few, the
    /// linear start finds it anew faster than all trees at once would.
    fn start_from(&mut self, state: Warm<N::Dual>, is_torn: bool) {
        let is_nested = state.blossoms() * MANY_BLOSSOMS > self.pairs.vertices();
        (self.duals, self.state) = if is_nested || !is_torn {
            (None, Some(state))
        } else {
            (Some(state.vertex_duals()), None)
        };
    }

    /// All pairs, where far too many were missing again and again. Few pairs of each vertex are no picture of the whole
    /// where hundreds cost the same, and searches among wrong ones are long.
    fn take_all(&self, missing: usize) -> Option<Vec<Edge<N::Weight>>> {
        let is_lost =
            missing > self.pairs.vertices() / TOO_MANY && self.searched > VISITS_OF_ALL * self.pairs.work_of_pass();
        if is_lost && !self.is_resumed {
            self.pairs.everything()
        } else {
            None
        }
    }

    /// A start with better edges, if far too many were missing.
    fn start_anew(&mut self, missing: usize, state: &Warm<N::Dual>) -> Option<Start<N>> {
        let n = self.pairs.vertices();
        if self.is_resumed {
            let is_lost = missing / LOST > n;
            self.is_resumed = !is_lost;
            return if is_lost { self.pairs.start_over() } else { None };
        }
        if missing <= n / TOO_MANY || self.is_settled || self.restarts == RESTARTS {
            return None;
        }
        self.restarts += 1;
        self.pairs.restart(state)
    }

    /// Adds pairs without which there is no perfect matching, and lowers what they ask for: the duals that the search
    /// starts from were only right for the edges that it had.
    fn add_escapes(&mut self, escapes: &[(u32, u32)]) {
        let least = self.pairs.least();
        for &(u, v) in escapes {
            let weight = self.pairs.weight(u, v);
            if let Some(state) = &mut self.state {
                state.admit(u, v, N::doubled(N::shifted(weight, least)));
            } else if let Some(duals) = &mut self.duals {
                let doubled = N::doubled(N::shifted(weight, least));
                let lack = doubled - duals[u as usize] - duals[v as usize];
                duals[u as usize] += lack.min(N::Dual::ZERO);
            }
            self.edges.push(Edge { u, v, weight });
        }
    }

    /// What there is when a limit is reached: the matching so far, and a bound that holds for all pairs, the best of three: by
    /// the duals where the search is, by those that it began with, and by the least weight alone.
    fn give_up(&self, search: Search<'_, N>, reason: StopReason) -> Outcome {
        let sum = |duals: &[i128]| duals.iter().fold(0i128, |sum, &dual| sum.saturating_add(dual));
        // Without blossoms, duals hold on the pairs that were edges.
        let mut present = search.certificate().vertex_duals().to_vec();
        let least = vec![self.pairs.least().into(); present.len()];
        let first = self.first_duals().filter(|first| *first != present);
        self.pairs.lower(&mut present);
        // Another look at all pairs is for nothing where even before it they are no better.
        let mut first = first.filter(|first| sum(first) > sum(&present));
        if let Some(first) = &mut first {
            self.pairs.lower(first);
        }
        let all = [Some(present), first, Some(least)].into_iter().flatten();
        let duals = all.max_by_key(|duals| sum(duals)).unwrap_or_default();
        let order = (0..duals.len() as u32).collect();
        Outcome {
            certificate: Certificate::new(duals, order, Vec::new(), 0),
            stopped: Some(reason),
            work: self.work,
            mates: search.into_mates(),
        }
    }

    /// The duals that the first start came with, for the given weights.
    fn first_duals(&self) -> Option<Vec<i128>> {
        let least: i128 = self.pairs.least().into();
        let first = self.first.as_ref()?;
        Some(first.iter().map(|&dual| dual.into() + least).collect())
    }
}
