//! A matching to begin with.

use super::sides::Sides;
use crate::alternating::NONE;

/// Pairs whoever has one neighbour left with that one, since some best matching has the pair; if there is nobody, the next
/// vertex with the neighbour that has fewest left (R. M. Karp and M. Sipser, "Maximum matchings in sparse random graphs",
/// FOCS 1981, doi:10.1109/SFCS.1981.21). O(n + m).
pub(super) fn matching(sides: &Sides) -> Vec<u32> {
    let n = sides.len();
    let mut greedy = Greedy {
        sides,
        mates: vec![NONE; n],
        left: (0..n).map(|v| sides.of_vertex(v).len() as u32).collect(),
        last: Vec::new(),
    };
    greedy.last = (0..n as u32).filter(|&v| greedy.left[v as usize] == 1).collect();
    for v in 0..n {
        greedy.pair_last();
        greedy.pair(v);
    }
    greedy.pair_last();
    greedy.mates
}

struct Greedy<'s> {
    sides: &'s Sides,
    mates: Vec<u32>,
    /// Neighbours without partners.
    left: Vec<u32>,
    /// Vertices that had one such neighbour left when they were written down.
    last: Vec<u32>,
}

impl Greedy<'_> {
    fn pair_last(&mut self) {
        while let Some(v) = self.last.pop() {
            self.pair(v as usize);
        }
    }

    /// Pairs a vertex without a partner with the neighbour without one that has fewest such neighbours left.
    fn pair(&mut self, v: usize) {
        if self.mates[v] != NONE {
            return;
        }
        let open = self.sides.of_vertex(v).iter().map(|&u| u as usize);
        let open = open.filter(|&u| self.mates[u] == NONE);
        let Some(u) = open.min_by_key(|&u| self.left[u]) else {
            return;
        };
        (self.mates[v], self.mates[u]) = (u as u32, v as u32);
        for side in [v, u] {
            for &near in self.sides.of_vertex(side) {
                let left = &mut self.left[near as usize];
                *left -= 1;
                if *left == 1 && self.mates[near as usize] == NONE {
                    self.last.push(near);
                }
            }
        }
    }
}
