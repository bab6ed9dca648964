//! Few of the edges first, then whatever the duals of their solution do not confirm.

use core::cmp::Reverse;

use super::excess;
use super::gadget::{Gadget, Settled};
use super::lift::Doubts;
use super::potentials::{Arcs, Ranks, ascend};
use super::relax::{Relaxation, Relaxed};
use super::solve::Problem;
use crate::engine::Limits;
use crate::error::Error;

/// How much is opened, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    /// Partners of a vertex that are open to begin with, above and below the number that it wants, and edges beyond its most:
    /// at least one.
    pub(super) beyond: usize,
    /// All edges are open at once where their graph is no larger than so many times the one to begin with.
    pub(super) few: usize,
    /// Edges that are opened for a vertex in one round, at least one.
    pub(super) worst: u32,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            beyond: 8,
            few: 3,
            worst: 20,
        }
    }
}

/// What is known of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The search says whether it is chosen.
    Open,
    /// It is chosen, if duals confirm it.
    Fixed,
    /// It is not.
    Outside,
}

/// The edges that the search knows, and what is settled of the others.
pub(super) struct Core {
    /// Those that are open, in ascending order.
    pub(super) edges: Vec<u32>,
    /// Those that are chosen beforehand, in ascending order.
    pub(super) fixed: Vec<u32>,
    roles: Vec<Role>,
    /// Fixed edges at each vertex.
    counts: Vec<u32>,
    /// The most partners of each vertex that the search knows of; the others are missing.
    known: Vec<u32>,
    idle: Vec<u32>,
    beyond: usize,
    /// What tells how cheap the edges of a vertex are, where these are not all.
    order: Option<(Arcs, Vec<f64>)>,
    /// Prices of the vertices from which the next search begins, in half units.
    pub(super) prices: Option<Vec<i128>>,
    /// Edges that it begins with, by those prices; of all edges.
    pub(super) chosen: Option<Vec<bool>>,
}

impl Core {
    /// The edges to begin with, and the work that it took to find them.
    pub(super) fn new(problem: &Problem<'_>, limits: &Limits<'_>) -> (Self, u64) {
        let all = problem.costs.len();
        let of_edge = |&(u, v): &(u32, u32)| 1 + problem.most[u as usize] as usize + problem.most[v as usize] as usize;
        let of_all = problem.ends.iter().map(of_edge).fold(0, usize::saturating_add);
        let Opening { beyond, few, .. } = problem.opening;
        let open = |&most: &u32| (most as usize).min(beyond);
        let first = |most: &u32| (open(most) + beyond) * (2 * open(most) + 1);
        let of_few = problem.most.iter().map(first).fold(0, usize::saturating_add);
        let mut core = Self {
            edges: Vec::new(),
            fixed: Vec::new(),
            roles: vec![Role::Open; all],
            counts: vec![0; problem.most.len()],
            known: problem.most.clone(),
            idle: Vec::new(),
            beyond: usize::MAX,
            order: None,
            prices: None,
            chosen: None,
        };
        if of_all <= of_few.saturating_mul(few) {
            core.sort(problem);
            return (core, 0);
        }
        let arcs = Arcs::new(problem.most.len(), &problem.ends, &problem.costs);
        let (mut prices, mut work) = problem.pairing(limits);
        ascend(&mut prices, problem, &arcs, || limits.reached(work).is_some());
        // Far beyond what duals come to, and far within what the engine computes with.
        let reach = problem
            .costs
            .iter()
            .chain(&problem.prices)
            .map(|cost| cost.unsigned_abs())
            .max();
        let active = problem.most.iter().filter(|&&most| most > 0).count();
        let reach = i128::try_from(reach.unwrap_or(0))
            .unwrap_or(i128::MAX)
            .saturating_mul(2 * active as i128);
        core.roles.fill(Role::Outside);
        core.beyond = beyond;
        core.prices = Some(
            prices
                .iter()
                .map(|&price| (price as i128).clamp(-reach, reach))
                .collect(),
        );
        core.order = Some((arcs, prices));
        core.known.fill(0);
        if core.take(problem, limits, work) {
            work += core.relax(problem, reach, &limits.after(work));
        } else {
            core.known.clone_from(&problem.most);
        }
        core.sort(problem);
        (core, work)
    }

    /// Solves the linear program without odd sets: with its prices few edges are in doubt, and its solution is a matching of
    /// nearly all. Returns the work that it took. No price may be beyond the reach.
    fn relax(&mut self, problem: &Problem<'_>, reach: i128, limits: &Limits<'_>) -> u64 {
        let Some((arcs, given)) = &mut self.order else { return 0 };
        let mut roles = self.roles.clone();
        let Some(mut relaxation) = Relaxation::new(problem, arcs, &mut roles, given) else {
            return 0;
        };
        let relaxed = relaxation.solve(limits);
        let (work, prices) = (relaxation.work, relaxation.prices());
        if relaxed == Relaxed::Unknown || prices.iter().any(|price| price.unsigned_abs() > reach.unsigned_abs()) {
            return work;
        }
        let chosen = relaxation.rounded();
        let flows = relaxation.into_flows();
        *given = prices.iter().map(|&price| price as f64).collect();
        self.roles.fill(Role::Outside);
        self.known.fill(0);
        if !self.take(problem, limits, work) {
            self.known.clone_from(&problem.most);
        }
        let mut counts = vec![[0u32; 2]; problem.most.len()];
        for (edge, flow) in flows.into_iter().enumerate() {
            let is_settled = match self.roles[edge] {
                Role::Open => true,
                Role::Fixed => flow == [true; 2],
                Role::Outside => flow == [false; 2],
            };
            if !is_settled {
                self.roles[edge] = Role::Open;
            }
            let (u, v) = problem.ends[edge];
            for (bit, (tail, head)) in [(u, v), (v, u)].into_iter().enumerate() {
                counts[tail as usize][0] += u32::from(flow[bit]);
                counts[head as usize][1] += u32::from(flow[bit]);
            }
        }
        for (known, count) in self.known.iter_mut().zip(counts) {
            *known = count[0].max(count[1]).max(*known);
        }
        (self.prices, self.chosen) = (Some(prices), Some(chosen));
        work
    }

    /// Opens what is neither far below nor far beyond what each vertex wants. What both ends want by far is fixed, unless it
    /// is open. Says whether it got there within the limits.
    fn take(&mut self, problem: &Problem<'_>, limits: &Limits<'_>, work: u64) -> bool {
        let Some((arcs, prices)) = &self.order else { return true };
        let mut wanted_by = vec![0u8; self.roles.len()];
        let mut is_near = vec![false; self.roles.len()];
        let mut known = Vec::with_capacity(problem.most.len());
        let mut ranks = Ranks::new();
        for (v, &most) in problem.most.iter().enumerate() {
            if limits.reached(work).is_some() {
                return false;
            }
            let wanted = ranks.read(v, problem, arcs, prices);
            let reach = wanted.saturating_add(self.beyond).min(most as usize);
            known.push(reach as u32);
            let [low, near] = ranks.split(wanted.saturating_sub(self.beyond), reach.saturating_add(self.beyond));
            low.iter().for_each(|&(.., edge)| wanted_by[edge as usize] += 1);
            near.iter().for_each(|&(.., edge)| is_near[edge as usize] = true);
        }
        for (known, reach) in self.known.iter_mut().zip(known) {
            *known = reach.max(*known);
        }
        for (edge, role) in self.roles.iter_mut().enumerate() {
            *role = match (*role, wanted_by[edge]) {
                (Role::Outside | Role::Fixed, 2) => Role::Fixed,
                (Role::Outside, 0) if !is_near[edge] => Role::Outside,
                _ => Role::Open,
            };
        }
        true
    }

    /// Whether nothing is settled.
    pub(super) fn is_whole(&self) -> bool {
        self.edges.len() == self.roles.len() && self.idle.iter().all(|&idle| idle == 0)
    }

    /// Opens more at each vertex: what there is leaves somebody without partners.
    pub(super) fn grow(&mut self, problem: &Problem<'_>, limits: &Limits<'_>, work: u64) {
        let size = |core: &Self| {
            (
                core.edges.len(),
                core.known.iter().map(|&known| u64::from(known)).sum::<u64>(),
            )
        };
        let before = size(self);
        while size(self) == before && !self.is_whole() {
            self.beyond = self.beyond.saturating_mul(4);
            if !self.take(problem, limits, work) {
                return;
            }
            self.sort(problem);
        }
    }

    /// Edges that are taken to be left out.
    pub(super) fn outside(&self) -> impl Iterator<Item = u32> {
        let roles = self.roles.iter().zip(0u32..);
        roles.filter(|&(&role, _)| role == Role::Outside).map(|(_, edge)| edge)
    }

    /// Opens these edges.
    pub(super) fn open_all(&mut self, problem: &Problem<'_>, edges: &[u32]) {
        edges.iter().for_each(|&edge| self.roles[edge as usize] = Role::Open);
        self.sort(problem);
    }

    /// Makes lists and numbers of what is known.
    fn sort(&mut self, problem: &Problem<'_>) {
        let list = |of: Role| {
            let roles = self.roles.iter().zip(0u32..);
            roles.filter(|&(&role, _)| role == of).map(|(_, edge)| edge).collect()
        };
        (self.edges, self.fixed) = (list(Role::Open), list(Role::Fixed));
        self.counts.fill(0);
        for &edge in &self.fixed {
            let (u, v) = problem.ends[edge as usize];
            self.counts[u as usize] += 1;
            self.counts[v as usize] += 1;
        }
        let idle = problem.most.iter().zip(&self.known).map(|(most, known)| most - known);
        self.idle = idle.collect();
    }

    /// Both ends of the open edges, and of the fixed ones after them.
    pub(super) fn ends(&self, problem: &Problem<'_>) -> Vec<(u32, u32)> {
        let all = self.edges.iter().chain(&self.fixed);
        all.map(|&edge| problem.ends[edge as usize]).collect()
    }

    /// The graph of what is open, of whose edges the ends are given.
    pub(super) fn gadget<'a>(&'a self, problem: &'a Problem<'_>, ends: &'a [(u32, u32)]) -> Result<Gadget<'a>, Error> {
        let settled = Settled {
            fixed: &self.counts,
            idle: &self.idle,
        };
        Gadget::with_settled(problem.asked.least, &problem.most, &ends[..self.edges.len()], settled)?.listed()
    }

    /// The fewest and the most partners by open edges.
    pub(super) fn bounds(&self, problem: &Problem<'_>) -> (Vec<u32>, Vec<u32>) {
        let least = problem.asked.least.iter().zip(&self.counts);
        let most = self.known.iter().zip(&self.counts);
        (
            least.map(|(least, count)| least.saturating_sub(*count)).collect(),
            most.map(|(known, count)| known - count).collect(),
        )
    }

    /// Edges outside that duals do not price out, and by how much they exceed them; `None` for more than can be told.
    pub(super) fn violated(&self, problem: &Problem<'_>, duals: &[Option<i128>]) -> Vec<(Option<i128>, u32)> {
        let excess = |edge: u32| {
            let (u, v) = problem.ends[edge as usize];
            let by = excess(problem.costs[edge as usize], duals[u as usize]?, duals[v as usize]?);
            (by != Some(0)).then_some((by, edge))
        };
        self.outside().filter_map(excess).collect()
    }

    /// Opens what duals do not confirm, the worst first, up to some for each vertex. The next search begins from
    /// these prices, or again from the solution of the linear program, whose prices hold for all edges.
    pub(super) fn open(&mut self, problem: &Problem<'_>, mut doubts: Doubts, prices: Vec<i128>) {
        let (idle, taken) = (core::mem::take(&mut doubts.idle), core::mem::take(&mut doubts.taken));
        let mut edges: Vec<(Option<i128>, u32)> = doubts.into_edges().collect();
        edges.sort_unstable_by_key(|&(by, edge)| (Reverse(by.unwrap_or(i128::MAX)), edge));
        let worst = problem.opening.worst;
        let mut counts = vec![0u32; problem.most.len()];
        for (_, edge) in edges {
            let (u, v) = problem.ends[edge as usize];
            if counts[u as usize] < worst || counts[v as usize] < worst {
                counts[u as usize] += 1;
                counts[v as usize] += 1;
                self.roles[edge as usize] = Role::Open;
            }
        }
        for v in idle {
            let known = &mut self.known[v as usize];
            *known = known.saturating_add(worst).min(problem.most[v as usize]);
        }
        for v in taken {
            // Those that its neighbours would pay least for.
            let Some((arcs, _)) = &self.order else { continue };
            let arcs = arcs.of(v as usize).iter();
            let mut fixed: Vec<(i128, u32)> = arcs
                .filter(|&&(_, edge)| self.roles[edge as usize] == Role::Fixed)
                .map(|&(other, edge)| {
                    let cost = problem.costs[edge as usize].saturating_mul(2);
                    (cost.saturating_sub(prices[other as usize]), edge)
                })
                .collect();
            fixed.sort_unstable_by_key(|&(left, edge)| (Reverse(left), edge));
            for (_, edge) in fixed.into_iter().take(worst as usize) {
                self.roles[edge as usize] = Role::Open;
            }
        }
        if self.chosen.is_none() {
            self.prices = Some(prices);
        }
        self.sort(problem);
    }
}
