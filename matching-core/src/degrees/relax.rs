//! Partners by the number without odd sets: the linear program whose duals tell which edges matter, and whose solution is all
//! but the answer.

use core::cmp::Reverse;
use std::collections::BinaryHeap;

use super::few::Role;
use super::potentials::Arcs;
use super::solve::Problem;
use crate::engine::Limits;

/// No dual is beyond this, nor what a path costs: sums of some of them fit 64 bits.
const LIMIT: i64 = 1 << 59;
/// Edges of a node that are opened at once, where it finds no way.
const OPENED: usize = 4;
/// Edges of a vertex that are opened in one round as they cost less than duals pay. Each calls for searches of its own, most of
/// them for nothing where many say the same: with 20 in place of 4, 2,000 players with ten partners each and costs that are
/// products of two numbers below 100 take twice as long.
const PRICED: u32 = 4;
/// Searches between two looks at the limits.
const LOOK: usize = 64;

/// A way from one node to another that is open.
#[derive(Clone, Copy, Debug)]
struct Way {
    other: u32,
    edge: u32,
    cost: i64,
}

/// What a search found out about a node; nodes without the stamp of the present search are not reached.
#[derive(Clone, Copy, Debug, Default)]
struct Label {
    stamp: u32,
    is_done: bool,
    distance: i64,
    /// The node before, and the edge between.
    before: u32,
    edge: u32,
}

/// Where a search may end, at the distance it is known for.
#[derive(Clone, Copy, Debug)]
enum Goal {
    None,
    /// A node that has too many partners, or too few.
    Uneven(u32),
    /// One more partner is missing.
    Without(u32),
    /// One less is.
    Instead(u32),
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
enum Ended {
    Done,
    Grown,
    Stuck,
}

/// Whether there is a solution with all edges.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Relaxed {
    Solved,
    /// It is not known, or there is none.
    Unknown,
}

/// Two nodes for each vertex, `2 v` and `2 v + 1`, each of which gets as many partners of the other kind as the vertex should: a
/// flow in a bipartite graph, at most one unit on each of the two arcs of an edge. Half of the sum of both arcs solves the
/// linear program of the vertices, in halves, and the sum of both duals is a price of the vertex in half units.
///
/// Shortest paths, one from each node that has too few or too many, end at the next one; duals of what they reached move as in
/// Dijkstra's algorithm, so that no arc without flow costs less than its ends pay, and none with flow more.
pub(super) struct Relaxation<'p, 'a> {
    problem: &'p Problem<'a>,
    arcs: &'p Arcs,
    roles: &'p mut [Role],
    /// Of each edge, whether the arc from its lower vertex's first node has a unit, and the one from its higher vertex's.
    flows: Vec<[bool; 2]>,
    ways: Vec<Vec<Way>>,
    duals: Vec<i64>,
    /// Partners that a node has too few; less than nothing where it has too many.
    lack: Vec<i64>,
    /// Partners that are missing for a price.
    missing: Vec<u32>,
    labels: Vec<Label>,
    stamp: u32,
    done: Vec<u32>,
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    best: i64,
    goal: Goal,
    searches: usize,
    pub(super) work: u64,
}

impl<'p, 'a> Relaxation<'p, 'a> {
    /// With these edges open and fixed, from these prices, in half units; `None` where numbers are too large.
    pub(super) fn new(problem: &'p Problem<'a>, arcs: &'p Arcs, roles: &'p mut [Role], prices: &[f64]) -> Option<Self> {
        let n = problem.most.len();
        let numbers = problem.costs.iter().chain(&problem.prices);
        let reach = numbers.map(|cost| cost.unsigned_abs()).max().unwrap_or(0);
        // A path goes from node to node.
        let longest = reach.checked_mul(2 * n as u128 + 2)?;
        if longest >= LIMIT as u128 {
            return None;
        }
        let limit = longest as f64;
        let of_prices = prices
            .iter()
            .flat_map(|price| [(price / 2.0).round().clamp(-limit, limit) as i64; 2]);
        let mut relaxation = Self {
            duals: of_prices.collect(),
            flows: vec![[false; 2]; problem.costs.len()],
            ways: vec![Vec::new(); n],
            lack: problem.most.iter().flat_map(|&most| [i64::from(most); 2]).collect(),
            missing: vec![0; 2 * n],
            labels: vec![Label::default(); 2 * n],
            stamp: 0,
            done: Vec::new(),
            queue: BinaryHeap::new(),
            best: 0,
            goal: Goal::None,
            searches: 0,
            work: 0,
            problem,
            arcs,
            roles,
        };
        relaxation.begin();
        Some(relaxation)
    }

    /// Units wherever duals pay for them.
    fn begin(&mut self) {
        for edge in 0..self.roles.len() {
            match self.roles[edge] {
                Role::Outside => {}
                Role::Open => self.join(edge),
                Role::Fixed => {
                    for bit in 0..2 {
                        self.set(edge, bit, true);
                    }
                }
            }
        }
        for node in 0..self.duals.len() {
            if self.cap(node) > 0 && self.duals[node] > self.price(node) {
                self.missing[node] = self.cap(node);
                self.lack[node] -= i64::from(self.cap(node));
            }
        }
    }

    /// Most partners that may be missing.
    fn cap(&self, node: usize) -> u32 {
        self.problem.most[node / 2] - self.problem.least(node / 2)
    }

    fn price(&self, node: usize) -> i64 {
        self.problem.prices[node / 2] as i64
    }

    /// The nodes of the arc of an edge from its lower vertex's first node, or from its higher vertex's.
    fn nodes(&self, edge: usize, bit: usize) -> [usize; 2] {
        let (u, v) = self.problem.ends[edge];
        let (tail, head) = if bit == 0 { (u, v) } else { (v, u) };
        [2 * tail as usize, 2 * head as usize + 1]
    }

    /// Which arc of an edge joins a node to one of another vertex.
    fn bit(node: u32, other: u32) -> usize {
        let (vertex, is_tail) = (node / 2, node.is_multiple_of(2));
        usize::from((vertex > other) == is_tail)
    }

    /// What an arc costs more than its ends pay.
    fn left(&self, edge: usize, bit: usize) -> i64 {
        let [tail, head] = self.nodes(edge, bit);
        self.problem.costs[edge] as i64 - self.duals[tail] - self.duals[head]
    }

    fn set(&mut self, edge: usize, bit: usize, has_unit: bool) {
        if core::mem::replace(&mut self.flows[edge][bit], has_unit) != has_unit {
            let step = if has_unit { -1 } else { 1 };
            self.nodes(edge, bit)
                .into_iter()
                .for_each(|node| self.lack[node] += step);
        }
    }

    /// Makes an edge open to searches, with units as duals have it.
    fn join(&mut self, edge: usize) {
        let (u, v) = self.problem.ends[edge];
        let cost = self.problem.costs[edge] as i64;
        for (tail, other) in [(u, v), (v, u)] {
            let edge = edge as u32;
            self.ways[tail as usize].push(Way { other, edge, cost });
        }
        self.roles[edge] = Role::Open;
        for bit in 0..2 {
            let left = self.left(edge, bit);
            if left != 0 {
                self.set(edge, bit, left < 0);
            }
        }
    }

    /// Solves with what is open, and opens what its duals do not confirm, until they confirm all.
    pub(super) fn solve(&mut self, limits: &Limits<'_>) -> Relaxed {
        loop {
            if self.even_out(limits) == Relaxed::Unknown {
                return Relaxed::Unknown;
            }
            let doubts = self.doubts();
            if doubts.is_empty() {
                return Relaxed::Solved;
            }
            self.open(doubts);
        }
    }

    /// Searches until nobody has too few partners or too many.
    fn even_out(&mut self, limits: &Limits<'_>) -> Relaxed {
        let mut is_even = false;
        while !is_even {
            is_even = true;
            for node in 0..self.lack.len() {
                while self.lack[node] != 0 {
                    is_even = false;
                    self.searches += 1;
                    if self.searches.is_multiple_of(LOOK) && limits.reached(self.work).is_some() {
                        return Relaxed::Unknown;
                    }
                    if self.search(node as u32) == Ended::Stuck {
                        return Relaxed::Unknown;
                    }
                }
            }
        }
        Relaxed::Solved
    }

    /// Edges that are not open, and by how much duals say otherwise.
    fn doubts(&self) -> Vec<(i64, u32)> {
        let by = |edge: usize| {
            let left = [self.left(edge, 0), self.left(edge, 1)];
            match self.roles[edge] {
                Role::Open => 0,
                Role::Outside => -left[0].min(left[1]),
                Role::Fixed => left[0].max(left[1]),
            }
        };
        let all = (0..self.roles.len()).map(|edge| (by(edge), edge as u32));
        all.filter(|&(by, _)| by > 0).collect()
    }

    fn open(&mut self, mut doubts: Vec<(i64, u32)>) {
        doubts.sort_unstable_by_key(|&(by, edge)| (Reverse(by), edge));
        let mut counts = vec![0u32; self.ways.len()];
        for (_, edge) in doubts {
            let (u, v) = self.problem.ends[edge as usize];
            if counts[u as usize] < PRICED || counts[v as usize] < PRICED {
                counts[u as usize] += 1;
                counts[v as usize] += 1;
                self.join(edge as usize);
            }
        }
    }

    /// A shortest path from a node that has too few partners, or too many.
    fn search(&mut self, root: u32) -> Ended {
        // Nodes that want one more partner than they have at present are on this side; those on the other one less.
        let wants = self.lack[root as usize] > 0;
        let side = if wants { root % 2 } else { 1 - root % 2 };
        self.stamp += 1;
        self.done.clear();
        self.queue.clear();
        (self.best, self.goal) = (i64::MAX, Goal::None);
        self.reach(root, 0, root, 0);
        while let Some(Reverse((distance, node))) = self.queue.pop() {
            if distance >= self.best {
                break;
            }
            let label = &mut self.labels[node as usize];
            if label.is_done || label.distance < distance {
                continue;
            }
            label.is_done = true;
            self.done.push(node);
            self.end_at(node, distance, side);
            self.scan(root, node, distance, side);
        }
        if matches!(self.goal, Goal::None) {
            return self.grow(side);
        }
        self.exchange(root);
        if self.shift(side) { Ended::Done } else { Ended::Stuck }
    }

    fn reach(&mut self, node: u32, distance: i64, before: u32, edge: u32) {
        let label = &mut self.labels[node as usize];
        if label.stamp == self.stamp && label.distance <= distance {
            return;
        }
        *label = Label {
            stamp: self.stamp,
            is_done: false,
            distance,
            before,
            edge,
        };
        self.queue.push(Reverse((distance, node)));
    }

    /// A partner that is missing, or no longer is, ends the path.
    fn end_at(&mut self, node: u32, distance: i64, side: u32) {
        let at = node as usize;
        let (left, missing) = (self.price(at) - self.duals[at], self.missing[at]);
        let (end, goal) = if node % 2 == side {
            (distance + left, Goal::Without(node))
        } else {
            (distance - left, Goal::Instead(node))
        };
        let is_possible = if node % 2 == side {
            missing < self.cap(at)
        } else {
            missing > 0
        };
        if is_possible && end < self.best {
            (self.best, self.goal) = (end, goal);
        }
    }

    fn scan(&mut self, root: u32, node: u32, distance: i64, side: u32) {
        let wants = node % 2 == side;
        let ways = core::mem::take(&mut self.ways[node as usize / 2]);
        self.work += ways.len() as u64;
        let own = self.duals[node as usize];
        for way in &ways {
            if self.flows[way.edge as usize][Self::bit(node, way.other)] == wants {
                continue;
            }
            let other = 2 * way.other + 1 - node % 2;
            let left = way.cost - own - self.duals[other as usize];
            let distance = if wants { distance + left } else { distance - left };
            if distance < self.best {
                self.reach(other, distance, node, way.edge);
                let lack = self.lack[other as usize];
                if other != root && if wants { lack > 0 } else { lack < 0 } {
                    (self.best, self.goal) = (distance, Goal::Uneven(other));
                }
            }
        }
        self.ways[node as usize / 2] = ways;
    }

    /// Moves the duals of all that was reached before the end; says whether they are within the limit.
    fn shift(&mut self, side: u32) -> bool {
        let mut is_within = true;
        for &node in &self.done {
            let step = self.best - self.labels[node as usize].distance;
            if step > 0 {
                let dual = &mut self.duals[node as usize];
                *dual += if node % 2 == side { step } else { -step };
                is_within &= dual.abs() < LIMIT;
            }
        }
        is_within
    }

    /// Exchanges units along the path.
    fn exchange(&mut self, root: u32) {
        let mut node = match self.goal {
            Goal::None => return,
            Goal::Uneven(node) => node,
            Goal::Without(node) => {
                self.missing[node as usize] += 1;
                self.lack[node as usize] -= 1;
                node
            }
            Goal::Instead(node) => {
                self.missing[node as usize] -= 1;
                self.lack[node as usize] += 1;
                node
            }
        };
        while node != root {
            let Label { before, edge, .. } = self.labels[node as usize];
            let bit = Self::bit(node, before / 2);
            let has_unit = self.flows[edge as usize][bit];
            self.set(edge as usize, bit, !has_unit);
            node = before;
        }
    }

    /// Nothing ends the paths: opens what leads out of all that they have reached.
    fn grow(&mut self, side: u32) -> Ended {
        let mut found = Vec::new();
        let mut nearby: Vec<(i64, u32)> = Vec::new();
        let is_reached = |label: &Label| label.stamp == self.stamp;
        for &node in &self.done {
            let sought = if node % 2 == side { Role::Outside } else { Role::Fixed };
            nearby.clear();
            for &(other, edge) in self.arcs.of(node as usize / 2) {
                let beyond = 2 * other + 1 - node % 2;
                if self.roles[edge as usize] == sought && !is_reached(&self.labels[beyond as usize]) {
                    let left = self.left(edge as usize, Self::bit(node, other));
                    nearby.push((if sought == Role::Outside { left } else { -left }, edge));
                }
            }
            nearby.sort_unstable();
            found.extend(nearby.iter().take(OPENED).map(|&(_, edge)| edge));
        }
        self.work += found.len() as u64;
        for edge in found.iter().map(|&edge| edge as usize) {
            if self.roles[edge] != Role::Open {
                self.join(edge);
            }
        }
        if found.is_empty() { Ended::Stuck } else { Ended::Grown }
    }

    /// Prices of the vertices, in half units.
    pub(super) fn prices(&self) -> Vec<i128> {
        let pairs = self.duals.chunks_exact(2);
        pairs.map(|pair| i128::from(pair[0]) + i128::from(pair[1])).collect()
    }

    /// A choice of edges that follows the solution: whatever is one or nothing there, and every other one of those that are half.
    /// Somebody may have one partner too few by that, on a closed walk of an odd number of halves.
    pub(super) fn rounded(&self) -> Vec<bool> {
        let mut is_chosen: Vec<bool> = self.flows.iter().map(|flow| flow[0] && flow[1]).collect();
        let mut halves: Vec<Vec<u32>> = vec![Vec::new(); self.ways.len()];
        // Where more lead out of a vertex than into it an open walk begins.
        let mut odds = vec![0i64; self.ways.len()];
        for (edge, flow) in self.flows.iter().enumerate() {
            if flow[0] != flow[1] {
                let [tail, head] = self.nodes(edge, usize::from(flow[1])).map(|node| node / 2);
                halves[tail].push(edge as u32);
                odds[tail] += 1;
                odds[head] -= 1;
            }
        }
        let open = |v: &usize| odds[*v] > 0;
        let starts = (0..odds.len())
            .filter(open)
            .flat_map(|v| core::iter::repeat_n(v, odds[v] as usize));
        for start in starts.chain(0..odds.len()) {
            loop {
                let walk = self.walk(start, &mut halves);
                if walk.is_empty() {
                    break;
                }
                let is_open = walk.last().is_some_and(|&edge| self.head(edge) != start);
                // The first of a closed walk of an odd number has the last beside it.
                let first = usize::from(!is_open && walk.len() % 2 == 1);
                walk.iter()
                    .enumerate()
                    .for_each(|(at, &edge)| is_chosen[edge as usize] = at % 2 == first);
                if is_open {
                    break;
                }
            }
        }
        is_chosen
    }

    /// The vertex that the one arc of an edge with a unit leads to.
    fn head(&self, edge: u32) -> usize {
        self.nodes(edge as usize, usize::from(self.flows[edge as usize][1]))[1] / 2
    }

    /// Follows arcs that were not gone along before for as long as there are any.
    fn walk(&self, start: usize, halves: &mut [Vec<u32>]) -> Vec<u32> {
        let mut walk = Vec::new();
        let mut vertex = start;
        while let Some(edge) = halves[vertex].pop() {
            walk.push(edge);
            vertex = self.head(edge);
        }
        walk
    }

    /// Units of both arcs of each edge.
    pub(super) fn into_flows(self) -> Vec<[bool; 2]> {
        self.flows
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::blossom::Blossom;
    use crate::budget::Budget;
    use crate::degrees::Degrees;
    use crate::degrees::asked::Asked;
    use crate::edge_list::EdgeList;

    /// Solves from prices and roles that have nothing to do with the instance, and looks at whatever there is to see of a best
    /// solution: numbers of partners, and that duals and units agree. Says how many are one partner short once it was rounded.
    fn check(graph: &EdgeList<i64>, degrees: &Degrees<i64>, rng: &mut ChaCha8Rng) -> Option<usize> {
        let blossom = Blossom::new();
        let asked = Asked::read(graph, degrees, false, &blossom).ok()?;
        let problem = &asked.problem;
        let arcs = Arcs::new(graph.len(), &problem.ends, &problem.costs);
        let role = |_| [Role::Outside, Role::Outside, Role::Open, Role::Fixed][rng.random_range(0..4)];
        let mut roles: Vec<Role> = (0..problem.costs.len()).map(role).collect();
        let prices: Vec<f64> = (0..graph.len()).map(|_| rng.random_range(-50.0..50.0)).collect();
        let mut relaxation = Relaxation::new(problem, &arcs, &mut roles, &prices).expect("small numbers");
        let budget = Budget::new();
        if relaxation.solve(&Limits::start(&budget)) == Relaxed::Unknown {
            return None;
        }
        let mut counts = vec![0i64; 2 * graph.len()];
        let mut doubled = 0;
        for edge in 0..problem.costs.len() {
            for bit in 0..2 {
                let left = relaxation.left(edge, bit);
                if relaxation.flows[edge][bit] {
                    assert!(left <= 0);
                    relaxation
                        .nodes(edge, bit)
                        .into_iter()
                        .for_each(|node| counts[node] += 1);
                    doubled += problem.costs[edge];
                } else {
                    assert!(left >= 0);
                }
            }
        }
        for (node, &count) in counts.iter().enumerate() {
            let missing = relaxation.missing[node];
            assert_eq!(count + i64::from(missing), i64::from(problem.most[node / 2]));
            let left = relaxation.price(node) - relaxation.duals[node];
            assert!(missing <= relaxation.cap(node));
            assert!(missing == 0 || left <= 0);
            assert!(missing == relaxation.cap(node) || left >= 0);
            doubled += problem.prices[node / 2] * i128::from(missing);
        }
        let rounded = relaxation.rounded();
        let mut counts = vec![0u32; graph.len()];
        let mut total = 0;
        for (edge, &(u, v)) in problem.ends.iter().enumerate().filter(|&(edge, _)| rounded[edge]) {
            counts[u as usize] += 1;
            counts[v as usize] += 1;
            total += problem.costs[edge];
        }
        let mut short = 0;
        for (v, &count) in counts.iter().enumerate() {
            assert!(count <= problem.most[v] && count + 1 >= problem.least(v));
            total += problem.prices[v] * i128::from(problem.most[v] - count);
            short += usize::from(count < problem.least(v));
        }
        // What is rounded costs as much as halves do, where nobody is short.
        assert!(
            short > 0 || relaxation.is_short(&counts) || 2 * total == doubled,
            "{total} {doubled}"
        );
        Some(short)
    }

    impl Relaxation<'_, '_> {
        /// Whether somebody lacks a partner that would not be missing in either of the two flows.
        fn is_short(&self, counts: &[u32]) -> bool {
            counts.iter().enumerate().any(|(v, &count)| {
                let missing = self.missing[2 * v].max(self.missing[2 * v + 1]);
                count + missing < self.problem.most[v]
            })
        }
    }

    #[test]
    fn units_and_duals_agree_and_between_two_sides_nothing_is_half() {
        let rng = &mut ChaCha8Rng::seed_from_u64(41);
        let (mut solved, mut short) = (0, 0);
        for round in 0..4_000 {
            let n = rng.random_range(2..14);
            let weights = [1, 3, 30, 1_000][round % 4];
            let is_bipartite = round % 3 == 0;
            let density = rng.random_range(0.3..1.0);
            let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
            let pairs: Vec<_> = pairs.filter(|(u, v)| !is_bipartite || (u + v) % 2 == 1).collect();
            let edges = pairs.into_iter().filter(|_| rng.random_bool(density));
            let edges: Vec<(usize, usize)> = edges.collect();
            let edges = edges
                .into_iter()
                .map(|(u, v)| (u, v, rng.random_range(-weights..=weights)));
            let graph = EdgeList::new(n, edges.collect::<Vec<_>>()).expect("edges");
            let most: Vec<u32> = (0..n).map(|_| rng.random_range(0..4)).collect();
            let least = most
                .iter()
                .map(|&most| if round % 2 == 0 { 0 } else { rng.random_range(0..=most) });
            let least = if round % 5 == 0 { most.clone() } else { least.collect() };
            let prices = (0..n).map(|_| rng.random_range(-weights..=weights)).collect();
            let degrees = Degrees::between(least, most).missing(prices);
            if let Some(found) = check(&graph, &degrees, rng) {
                solved += 1;
                short += found;
                assert!(!is_bipartite || found == 0);
            }
        }
        assert!(solved > 1_000 && short > 50, "{solved} {short}");
    }
}
