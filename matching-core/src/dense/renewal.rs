//! What a session keeps of a solve, and how that becomes true for the pool of the next one.

use core::ops::Range;

use super::lanes::{FORBIDDEN, Smallest};
use super::levels::WIDTH;
use super::matrix::MatrixPairs;
use super::pool::Scale;
use super::rows::clamped;
use super::settled::Settled;
use crate::edge_list::Edge;
use crate::engine::{LONG_BITS, Numbers, Warm};

/// More edges than so many for each player, and all but [`WIDTH`] of each are forgotten between solves.
const EDGES_PER_VERTEX: usize = 2 * WIDTH;

/// Duals of a solve that begins with nothing stay below two to this power, as an eighth of what all it computes does.
const DUAL_BITS: u32 = LONG_BITS - 3;

/// A name that nobody has.
pub(super) const NONE: u32 = u32::MAX;

/// The end of the last solve, for the players of then.
#[derive(Clone, Debug)]
pub(super) struct Last {
    /// How many there were, and copies of them: player `v` of copy `k` is vertex `v + k players`.
    pub(super) players: usize,
    pub(super) copies: usize,
    pub(super) state: Warm<i64>,
    pub(super) edges: Vec<Edge<i64>>,
    /// Edges of little slack besides, which stay only as long as they have it.
    pub(super) near: Vec<Edge<i64>>,
    /// The least weight that duals are counted from.
    pub(super) least: i64,
    /// What all pairs were priced at last, and how lanes were counted then.
    pub(super) settled: Vec<Settled<i64>>,
    pub(super) scale: Scale,
}

impl Last {
    /// Whether lower bounds of costs are of use.
    pub(super) fn is_sharp(&self) -> bool {
        self.settled.iter().all(|settled| settled.nearby.is_sharp())
    }

    /// Whether duals are no greater than those of a solve that begins with nothing might be. From one pool to the next they
    /// may grow on, for ever.
    pub(super) fn is_bounded(&self) -> bool {
        let totals = self.state.totals();
        totals.iter().all(|total| total.unsigned_abs() >> DUAL_BITS == 0)
    }

    /// The greatest sum of duals around a vertex, in half units of lanes.
    pub(super) fn most(&self, scale: Scale) -> i32 {
        let base = scale.least.saturating_sub(self.least);
        let most = self
            .state
            .totals()
            .iter()
            .max()
            .map_or(0, |total| total.saturating_sub(base));
        clamped(-(most.saturating_neg() >> scale.down))
    }
}

/// What a solve goes on from.
pub(super) struct Renewed {
    pub(super) edges: Vec<Edge<i64>>,
    /// Those among them that are there for their little slack.
    pub(super) near: Range<usize>,
    pub(super) state: Warm<i64>,
    pub(super) settled: Vec<Settled<i64>>,
}

/// Makes the end of one solve true for the pool of the next.
pub(super) struct Renewal<'r, 'p, N: Numbers> {
    pairs: &'r MatrixPairs<'p, N>,
    origin: &'r [u32],
    last: Last,
}

impl<'r, 'p, N> Renewal<'r, 'p, N>
where
    N: Numbers<Weight = i64, Dual = i64>,
{
    pub(super) fn new(pairs: &'r MatrixPairs<'p, N>, origin: &'r [u32], last: Last) -> Self {
        Self { pairs, origin, last }
    }

    pub(super) fn run(mut self) -> Renewed {
        let names = self.rename();
        let settled = core::mem::take(&mut self.last.settled).into_iter();
        // What is settled of a copy is settled of its players.
        let settled = settled.map(|settled| settled.renamed(&names[..self.last.players], self.origin.len()));
        let settled = settled.collect();
        let mut edges = renamed(core::mem::take(&mut self.last.edges), &names);
        self.forget_edges(&mut edges);
        self.lower_to_links();
        for copy in 0..self.pairs.copies {
            self.seat_newcomers(copy, &mut edges);
        }
        if self.pairs.copies == 1 {
            self.seat_bye(&mut edges);
        } else {
            // Before pairs that are as tight: those who were alone.
            edges.splice(0..0, self.pairs.extra.iter().copied());
        }
        let begin = edges.len();
        edges.extend(renamed(core::mem::take(&mut self.last.near), &names));
        let near = begin..edges.len();
        Renewed {
            edges,
            near,
            state: self.last.state,
            settled,
        }
    }

    /// Present names of the vertices of the last solve; those of players who left, and the bye, are released first.
    fn rename(&mut self) -> Vec<u32> {
        let last_least = self.last.least;
        let mut names = vec![NONE; self.last.state.totals().len()];
        for (player, &origin) in self.origin.iter().enumerate().filter(|&(_, &origin)| origin != NONE) {
            for copy in 0..self.last.copies {
                names[origin as usize + copy * self.last.players] = (player + copy * self.origin.len()) as u32;
            }
        }
        if self.last.copies == 2 {
            self.take_links(&names);
        }
        let state = &mut self.last.state;
        for (v, _) in names.iter().enumerate().filter(|&(_, &name)| name == NONE) {
            state.release(v as u32);
        }
        state.rename(&names, self.pairs.vertices);
        state.shift(last_least - self.pairs.least);
        names
    }

    /// Takes the links out of the last edges. Nothing rests on those that cost something else now.
    fn take_links(&mut self, names: &[u32]) {
        let Self { pairs, last, .. } = self;
        let (players, least, state) = (last.players as u32, last.least, &mut last.state);
        last.edges.retain(|link| {
            if link.v - link.u != players {
                return true;
            }
            let name = names[link.u as usize];
            if name != NONE
                && pairs.extra[name as usize].weight != link.weight
                && state.slack(link.u, link.v, 2 * (link.weight - least)) == 0
            {
                state.release(link.u);
            }
            false
        });
    }

    /// Lowers the duals of players for whom it has become cheaper to stay alone, in both copies alike.
    fn lower_to_links(&mut self) {
        if self.pairs.copies == 1 {
            return;
        }
        let state = &mut self.last.state;
        for link in &self.pairs.extra {
            let (u, v) = (link.u, link.v);
            let weight = 2 * (link.weight - self.pairs.least);
            if state.slack(u, v, weight) >= 0 {
                continue;
            }
            state.release(u);
            state.release(v);
            let lack = state.slack(u, v, weight).min(0);
            let [first, second] = [u, v].map(|end| state.totals()[end as usize]);
            state.set_dual(u, first + lack / 2);
            state.set_dual(v, second + (lack - lack / 2));
        }
    }

    /// Edges that are not among the few of least slack of either end have served their time.
    fn forget_edges(&self, edges: &mut Vec<Edge<i64>>) {
        if edges.len() <= EDGES_PER_VERTEX * self.pairs.vertices {
            return;
        }
        let state = &self.last.state;
        let slack = |edge: &Edge<i64>| state.slack(edge.u, edge.v, 2 * (edge.weight - self.pairs.least));
        let slacks: Vec<i64> = edges.iter().map(slack).collect();
        let mut least = vec![[i64::MAX; WIDTH]; self.pairs.vertices];
        for (edge, &slack) in edges.iter().zip(&slacks) {
            for end in [edge.u, edge.v] {
                let least = &mut least[end as usize];
                if slack < least[WIDTH - 1] {
                    let place = least.partition_point(|&other| other <= slack);
                    least[place..].rotate_right(1);
                    least[place] = slack;
                }
            }
        }
        // What the state rests on has slack zero and stays.
        let mut slacks = slacks.into_iter();
        edges.retain(|edge| {
            let limit = least[edge.u as usize][WIDTH - 1].max(least[edge.v as usize][WIDTH - 1]);
            slacks.next().is_none_or(|slack| slack <= limit.max(0))
        });
    }

    /// Each new player takes the greatest dual that its pairs allow in a copy, and its most promising pairs become edges.
    fn seat_newcomers(&mut self, copy: usize, edges: &mut Vec<Edge<i64>>) {
        let rows = self.pairs.rows;
        let n = rows.len();
        let newcomers: Vec<usize> = (0..n).filter(|&player| self.origin[player] == NONE).collect();
        let base = self.pairs.least_of_rows as i64 - self.pairs.least;
        let lowered = |total: i64| -clamped(-((base - total) >> self.pairs.down));
        // Those not seated yet stand in nobody's way.
        let mut addends: Vec<i32> = self.last.state.totals()[copy * n..][..n]
            .iter()
            .map(|&total| lowered(total))
            .collect();
        for &player in &newcomers {
            addends[player] = FORBIDDEN;
        }
        let (mut smallest, mut scratch) = (Smallest::default(), Vec::new());
        let form = rows.form().doubled();
        let shift = (copy * n) as u32;
        for &player in &newcomers {
            smallest.collect(rows.row(player, &mut scratch), &addends, form, player, WIDTH);
            let least = smallest.entries.iter().map(|kept| kept.sum).min().unwrap_or(0);
            let dual = (i64::from(least) << self.pairs.down) + base;
            let dual = dual.min(self.room_alone(player));
            self.last.state.set_dual(player as u32 + shift, dual);
            addends[player] = lowered(dual);
            for kept in &smallest.entries {
                let (u, v) = (kept.position.min(player as u32), kept.position.max(player as u32));
                let weight = (self.pairs.weight)(u as usize, v as usize);
                let (u, v) = (u + shift, v + shift);
                self.last.state.admit(u, v, 2 * (weight - self.pairs.least));
                edges.push(Edge { u, v, weight });
            }
        }
    }

    /// The greatest dual that leaves the other copy as much, where the player can stay alone.
    fn room_alone(&self, player: usize) -> i64 {
        match self.pairs.copies {
            1 => i64::MAX,
            _ => self.pairs.extra[player].weight - self.pairs.least,
        }
    }

    /// The vertex that an odd pool's lone player is matched to.
    fn seat_bye(&mut self, edges: &mut Vec<Edge<i64>>) {
        let n = self.pairs.rows.len();
        if self.pairs.vertices == n {
            return;
        }
        let totals = self.last.state.totals();
        let room = self.pairs.extra.iter();
        let room = room.map(|edge| 2 * (edge.weight - self.pairs.least) - totals[edge.u as usize]);
        if let Some(dual) = room.min() {
            self.last.state.set_dual(n as u32, dual);
        }
        edges.extend_from_slice(&self.pairs.extra);
    }
}

/// The edges whose ends are still there, by their present names.
fn renamed(edges: Vec<Edge<i64>>, names: &[u32]) -> Vec<Edge<i64>> {
    let renamed = edges.into_iter().map(|edge| {
        let (u, v) = (names[edge.u as usize], names[edge.v as usize]);
        Edge {
            u: u.min(v),
            v: u.max(v),
            ..edge
        }
    });
    renamed.filter(|edge| edge.v != NONE).collect()
}
