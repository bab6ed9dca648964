//! What a search that has ended changes: the path to its root is matched anew, or an odd cycle becomes a half-cycle.

use super::{FractionalStart, Side};
use crate::engine::graph::ArcId;
use crate::engine::numbers::Numbers;

/// Odd cycles, one behind the other.
#[derive(Debug, Default)]
pub(in crate::engine) struct OddCycles {
    arcs: Vec<ArcId>,
    /// Where each ends.
    ends: Vec<u32>,
}

impl OddCycles {
    pub(in crate::engine) fn iter(&self) -> impl Iterator<Item = &[ArcId]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let begin = core::mem::replace(&mut start, end as usize);
            &self.arcs[begin..end as usize]
        })
    }
}

impl<N: Numbers> FractionalStart<'_, '_, N> {
    /// Exchanges the path from the root to the tail of `arc`, and matches `arc`.
    pub(super) fn augment(&mut self, arc: ArcId) {
        let end = self.graph.head(arc);
        if self.around[end as usize].is_some() {
            self.pair_half_cycle(end);
        }
        self.mate[end as usize] = arc.reversed();
        self.side[end as usize] = Side::None;
        self.exchange_to_root(self.graph.tail(arc), arc);
    }

    /// Makes `link` the matched arc of the `+` vertex `x`, and passes its old partner on towards the root.
    fn exchange_to_root(&mut self, x: u32, link: ArcId) {
        let (mut x, mut link) = (x, link);
        loop {
            let old = core::mem::replace(&mut self.mate[x as usize], link);
            if old.is_none() {
                return;
            }
            let minus = self.graph.head(old) as usize;
            link = self.parent[minus];
            self.mate[minus] = link.reversed();
            x = self.graph.tail(link);
        }
    }

    /// Dissolves the half-cycle through `v`: all its other vertices are matched in pairs, starting after `v`.
    fn pair_half_cycle(&mut self, v: u32) {
        let mut arc = core::mem::replace(&mut self.around[v as usize], ArcId::NONE);
        loop {
            let x = self.graph.head(arc);
            if x == v {
                return;
            }
            let pair = core::mem::replace(&mut self.around[x as usize], ArcId::NONE);
            let y = self.graph.head(pair);
            self.mate[x as usize] = pair;
            self.mate[y as usize] = pair.reversed();
            self.side[x as usize] = Side::None;
            self.side[y as usize] = Side::None;
            arc = core::mem::replace(&mut self.around[y as usize], ArcId::NONE);
        }
    }

    /// The `+` grandparent of a `+` vertex that is not the root.
    fn grandparent(&self, x: u32) -> Option<u32> {
        let mate = self.mate[x as usize];
        if mate.is_none() {
            return None;
        }
        Some(self.graph.tail(self.parent[self.graph.head(mate) as usize]))
    }

    /// Turns the odd cycle that `arc` closes into a half-cycle and re-matches the path above it.
    pub(super) fn close_half_cycle(&mut self, arc: ArcId) {
        let (u, v) = (self.graph.tail(arc), self.graph.head(arc));
        let top = self.common_ancestor(u, v);
        let mut cycle = core::mem::take(&mut self.cycle);
        // Up from u to the top ...
        let mut x = u;
        while x != top {
            let out = self.mate[x as usize];
            let minus = self.graph.head(out);
            let up = self.parent[minus as usize].reversed();
            cycle.extend([(x, out), (minus, up)]);
            x = self.graph.head(up);
        }
        // ... down from the top to v, and over the closing arc back to u.
        let mut x = v;
        while x != top {
            let out = self.mate[x as usize];
            let minus = self.graph.head(out);
            let down = self.parent[minus as usize];
            let y = self.graph.tail(down);
            cycle.extend([(minus, out.reversed()), (y, down)]);
            x = y;
        }
        cycle.push((v, arc.reversed()));
        let out = self.mate[top as usize];
        if out.is_some() {
            let minus = self.graph.head(out) as usize;
            let link = self.parent[minus];
            self.mate[minus] = link.reversed();
            self.exchange_to_root(self.graph.tail(link), link);
        }
        for (x, next) in cycle.drain(..) {
            self.mate[x as usize] = ArcId::NONE;
            self.around[x as usize] = next;
        }
        self.cycle = cycle;
    }

    /// Lowest common `+` ancestor of two `+` vertices: both climb in turn, so the work is that of the shorter side.
    fn common_ancestor(&mut self, u: u32, v: u32) -> u32 {
        let mut climbed = core::mem::take(&mut self.climbed);
        climbed.extend([u, v]);
        let mut climbers = [Some(u), Some(v)];
        // Ancestor marks live in `parent` of `+` vertices, which is otherwise unused.
        let mark = ArcId::forward(0);
        for x in [u, v] {
            self.parent[x as usize] = mark;
        }
        let top = 'climb: loop {
            for climber in &mut climbers {
                let Some(x) = *climber else { continue };
                *climber = self.grandparent(x);
                let Some(y) = *climber else { continue };
                if self.parent[y as usize].is_some() {
                    break 'climb y;
                }
                self.parent[y as usize] = mark;
                climbed.push(y);
            }
        };
        for x in climbed.drain(..) {
            self.parent[x as usize] = ArcId::NONE;
        }
        self.climbed = climbed;
        top
    }

    /// Each half-cycle keeps its lowest vertex exposed; the others are matched in pairs. Returns the cycles.
    pub(super) fn round_half_cycles(&mut self) -> OddCycles {
        let mut odd_cycles = OddCycles::default();
        for v in 0..self.graph.len() as u32 {
            let first = self.around[v as usize];
            if first.is_some() {
                let next = |&arc: &ArcId| Some(self.around[self.graph.head(arc) as usize]).filter(|&arc| arc != first);
                odd_cycles.arcs.extend(core::iter::successors(Some(first), next));
                odd_cycles.ends.push(odd_cycles.arcs.len() as u32);
                self.pair_half_cycle(v);
            }
        }
        odd_cycles
    }
}
