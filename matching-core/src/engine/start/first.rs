//! Duals and partners before any search: by the least arcs of each vertex, and by bidding.

use super::FractionalStart;
use crate::engine::graph::ArcId;
use crate::engine::numbers::{Dual, Numbers};
use crate::witness::TutteBerge;

/// Turns of bidding that an unmatched vertex begins: more find ever fewer partners that are free.
const BIDS: usize = 4;

impl<N: Numbers> FractionalStart<'_, '_, N> {
    /// Every vertex takes half of the least doubled weight around it, so that no slack is negative.
    pub(super) fn set_least_duals(&mut self) -> Result<(), TutteBerge> {
        for v in 0..self.graph.len() as u32 {
            let Some(least) = self.graph.arcs(v).iter().map(|arc| arc.weight).min() else {
                return Err(TutteBerge::new(Vec::new(), vec![vec![v as usize]]));
            };
            self.duals[v as usize] = N::single(least);
        }
        self.work += 2 * self.graph.edge_count() as u64;
        Ok(())
    }

    /// Raises each unmatched vertex by its least slack and matches it along a tight edge where the other end is free.
    pub(super) fn match_greedily(&mut self) {
        for v in 0..self.graph.len() as u32 {
            if self.mate[v as usize].is_some() || self.graph.arcs(v).is_empty() {
                continue;
            }
            let (least, partner) = self.least_arc(v);
            self.duals[v as usize] = least;
            if partner.is_some() {
                self.mate[v as usize] = partner;
                self.mate[self.graph.head(partner) as usize] = partner.reversed();
            }
        }
        self.work += 2 * self.graph.edge_count() as u64;
    }

    /// What a vertex's dual may rise to, and the first arc to a free vertex that is tight then.
    fn least_arc(&self, v: u32) -> (N::Dual, ArcId) {
        let dual = self.duals[v as usize];
        let mut least = N::Dual::MAX;
        let mut partner = ArcId::NONE;
        for arc in self.graph.arcs(v) {
            let free = self.mate[arc.head as usize].is_none();
            let reduced = N::doubled(arc.weight) - self.duals[arc.head as usize];
            if reduced < least || (reduced == least && free && partner.is_none()) {
                least = reduced;
                partner = if free { arc.id } else { ArcId::NONE };
                // No slack is negative: nothing is less.
                if free && least == dual {
                    break;
                }
            }
        }
        (least, partner)
    }

    /// Lets each unmatched vertex bid for its best partner, up to where its second best is as good. Whoever was matched
    /// there bids next, and so on for a few turns: a turn looks at one vertex's arcs and needs no queue.
    pub(super) fn bid(&mut self) {
        for root in 0..self.graph.len() as u32 {
            let mut bidder = Some(root).filter(|&root| self.is_exposed(root));
            for _ in 0..BIDS {
                bidder = bidder.and_then(|bidder| self.outbid(bidder));
            }
        }
    }

    /// Matches an exposed vertex to its best partner unless the second best is as good. Returns who lost that partner.
    fn outbid(&mut self, u: u32) -> Option<u32> {
        let (mut least, mut second) = (N::Dual::MAX, N::Dual::MAX);
        let mut best = ArcId::NONE;
        let arcs = self.graph.arcs(u);
        self.work += arcs.len() as u64;
        for arc in arcs {
            let reduced = N::doubled(arc.weight) - self.duals[arc.head as usize];
            if reduced < least {
                (least, second) = (reduced, least);
                best = arc.id;
            } else if reduced < second {
                second = reduced;
            }
        }
        if second == N::Dual::MAX {
            return None;
        }
        let v = self.graph.head(best);
        let rival = self.mate[v as usize];
        if rival.is_none() {
            self.duals[u as usize] = least;
        } else if second > least {
            self.duals[u as usize] = second;
            self.duals[v as usize] -= second - least;
        } else {
            return None;
        }
        self.mate[u as usize] = best;
        self.mate[v as usize] = best.reversed();
        if rival.is_none() {
            return None;
        }
        let loser = self.graph.head(rival);
        self.mate[loser as usize] = ArcId::NONE;
        Some(loser)
    }
}
