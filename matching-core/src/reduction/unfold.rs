//! From the duals of one copy of a graph to those of two.
//!
//! Where vertices may stay alone, two of them that do can be called a pair that costs what both pay. So one copy of the
//! graph will do, all of whose pairs are there and cost `c(u, v) <= p(u) + p(v)`; where its number of vertices is odd, one
//! more joins it, which costs `p(v)` beside `v` (and whatever is the same for all, which is taken off its dual again). What
//! it lacks is the links of the two copies, on which a certificate ([`super`]) has to hold as well: `e(v) <= 2 p(v)`, where
//! `e` is the dual of a vertex and of all sets around it. Let `q = e - 2 p`. Duals of the one copy become such duals, whose
//! sum is no less:
//!
//! - *An odd set is its complement.* If the vertices are even in number, both are odd and the same edges leave them, so a
//!   dual can be moved from one to the other. Of no use is the vertex that was added: whatever set holds it is turned
//!   around.
//! - *At most one part is too dear.* If no set holds both `u` and `v`, the sum of their `e` is what the edge between them
//!   carries, so `q(u) + q(v) <= 2 (c(u, v) - p(u) - p(v)) <= 0`. Let `a` have the greatest `q`, and let it be positive: beyond
//!   the outermost set of `a` each `q` is at most `-q(a)`.
//! - *Even.* What is moved from that set to its complement makes all inside cheaper and all outside dearer by as much,
//!   until `a` is no longer too dear, or the set has nothing left; then the same holds of the next set around `a`, and of `a`
//!   itself in the end.
//! - *Odd.* The added vertex, of dual `y`, is in no set, so `q(v) <= -y`. If `y >= 0`, it is the dual of the set of all
//!   others. Else the same sets as above are made cheaper, by `q(a)` in all, without anything becoming dearer; to leave `y` out
//!   is worth no less.
//!
//! Nothing of this asks for an optimum: duals of a search that was stopped become duals as good.

use core::cmp::Reverse;

use super::Reduced;
use crate::certificate::{Certificate, OddSet};
use crate::cost::CostValue;
use crate::error::Error;

impl<V: CostValue> Reduced<'_, V> {
    /// Makes an answer for two copies of one for one copy, `folded`. The second copy has no mates, nor has a vertex that
    /// stays alone, or whose pair costs no less than both of its vertices alone.
    ///
    /// # Errors
    /// Duals beyond 128 bits.
    pub(crate) fn unfold(
        &self,
        folded: &Self,
        mates: &mut Vec<u32>,
        certificate: &mut Certificate,
        cost: impl Fn(usize, usize) -> Option<i128>,
    ) -> Result<(), Error> {
        let n = self.n;
        mates.truncate(n);
        for v in 0..n {
            let mate = mates[v] as usize;
            if mate < v {
                continue;
            }
            let alone = || {
                self.unmatched_cost(v)
                    .ok()?
                    .checked_add(self.unmatched_cost(mate).ok()?)
            };
            if mate >= n {
                mates[v] = u32::MAX;
            } else if cost(v, mate).is_none_or(|cost| alone().is_some_and(|alone| cost >= alone)) {
                (mates[v], mates[mate]) = (u32::MAX, u32::MAX);
            }
        }
        self.unfold_duals(folded, certificate).ok_or_else(|| self.too_wide(129))
    }

    /// `None` where a number leaves `i128`.
    fn unfold_duals(&self, folded: &Self, certificate: &mut Certificate) -> Option<()> {
        let n = self.n;
        // A laminar family of both copies, for a workspace to ask for room but once.
        certificate.vertex_duals.reserve(n);
        certificate.order.reserve(n);
        certificate.sets.reserve((n + 4).saturating_sub(certificate.sets.len()));
        let added = match n % 2 {
            1 => {
                // What the edges of the added vertex cost more than they should.
                let surplus = folded.added_cost().ok()?.checked_add(folded.cardinality)?;
                let surplus = surplus.checked_sub(self.cardinality)?.checked_mul(2)?;
                Some(certificate.take_out(n)?.checked_sub(surplus)?)
            }
            _ => None,
        };
        let dearest = self.dearest(certificate)?;
        match (added, dearest) {
            (Some(dual), _) if dual >= 0 => certificate.surround(dual)?,
            (Some(_), Some((vertex, by))) => certificate.relieve(vertex, by)?,
            (None, Some((vertex, by))) => certificate.turn_around(vertex, by)?,
            _ => {}
        }
        certificate.tidy();
        certificate.copy();
        Some(())
    }

    /// The vertex that is dearer than its link by most, and by how much, if one is.
    fn dearest(&self, certificate: &mut Certificate) -> Option<Option<(usize, i128)>> {
        let n = self.n;
        certificate.append_effective_duals();
        let mut dearest = None;
        for v in 0..n {
            let link = self.unmatched_cost(v).ok()?.checked_mul(2)?;
            let over = certificate.vertex_duals[n + v].checked_sub(link)?;
            if over > dearest.map_or(0, |(_, most)| most) {
                dearest = Some((v, over));
            }
        }
        certificate.vertex_duals.truncate(n);
        Some(dearest)
    }
}

impl Certificate {
    /// Takes the last vertex out, of an even number, after turning around all sets that hold it; its dual.
    fn take_out(&mut self, vertex: usize) -> Option<i128> {
        let len = self.order.len();
        let place = self.place_of(vertex);
        for at in 0..self.sets.len() {
            let set = self.sets[at];
            if set.holds(place) {
                self.sets[at] = set.complement(len);
            }
        }
        // It goes to the end of the order, and from there.
        self.rotate(place + 1);
        self.order.pop();
        let mut dual = self.vertex_duals.pop()?;
        let others = len - 1;
        for at in 0..self.sets.len() {
            let set = &mut self.sets[at];
            if set.len as usize == others {
                dual = dual.checked_add(core::mem::take(&mut set.dual))?;
            }
        }
        self.fold_singles()?;
        self.tidy();
        Some(dual)
    }

    /// Adds the set of all vertices.
    fn surround(&mut self, dual: i128) -> Option<()> {
        let len = self.order.len() as u32;
        self.sets.push(OddSet { start: 0, len, dual });
        self.fold_singles()
    }

    /// Makes a vertex cheaper, by the sets around it first, from the outside in.
    fn relieve(&mut self, vertex: usize, mut by: i128) -> Option<()> {
        let place = self.place_of(vertex);
        for set in self.sets.iter_mut().filter(|set| set.holds(place)) {
            let part = by.min(set.dual);
            set.dual -= part;
            by -= part;
        }
        self.vertex_duals[vertex] = self.vertex_duals[vertex].checked_sub(by)?;
        Some(())
    }

    /// The same, where complements get what sets lose.
    fn turn_around(&mut self, vertex: usize, mut by: i128) -> Option<()> {
        let len = self.order.len();
        let place = self.place_of(vertex);
        let mut start = place;
        for at in 0..self.sets.len() {
            let set = self.sets[at];
            if !set.holds(place) {
                continue;
            }
            let part = by.min(set.dual);
            by -= part;
            let complement = OddSet {
                dual: part,
                ..set.complement(len)
            };
            if part == set.dual {
                self.sets[at] = complement;
            } else {
                // This set and those inside stay where they are.
                self.sets[at].dual -= part;
                self.sets.push(complement);
                start = set.start as usize;
                break;
            }
        }
        if by > 0 {
            self.vertex_duals[vertex] = self.vertex_duals[vertex].checked_sub(by)?;
            let single = OddSet {
                start: place as u32,
                len: 1,
                dual: by,
            };
            self.sets.push(single.complement(len));
        }
        self.rotate(start);
        self.fold_singles()
    }

    /// Where a vertex stands in the order.
    fn place_of(&self, vertex: usize) -> usize {
        let found = self.order.iter().position(|&other| other as usize == vertex);
        debug_assert!(found.is_some(), "the order is one of all vertices");
        found.unwrap_or(0)
    }

    /// Begins the order, which is as good as a circle, at another place.
    fn rotate(&mut self, place: usize) {
        let len = self.order.len();
        let place = place % len;
        self.order.rotate_left(place);
        for set in &mut self.sets {
            set.start = ((set.start as usize + len - place) % len) as u32;
        }
    }

    /// Leaves out what has no dual, counts what is the same as one, and puts each set before the sets inside it.
    fn tidy(&mut self) {
        self.sets.retain(|set| set.dual > 0);
        self.sets.sort_unstable_by_key(|set| (set.start, Reverse(set.len)));
        self.sets.dedup_by(|next, kept| {
            let is_same = (next.start, next.len) == (kept.start, kept.len);
            if is_same {
                kept.dual = kept.dual.saturating_add(next.dual);
            }
            is_same
        });
    }

    /// A set of one vertex is the vertex.
    fn fold_singles(&mut self) -> Option<()> {
        for set in self.sets.iter_mut().filter(|set| set.len == 1) {
            let dual = &mut self.vertex_duals[self.order[set.start as usize] as usize];
            *dual = dual.checked_add(core::mem::take(&mut set.dual))?;
        }
        Some(())
    }

    /// The dual of each vertex and of all sets around it, behind the duals of vertices.
    fn append_effective_duals(&mut self) {
        let n = self.vertex_duals.len();
        self.vertex_duals.extend_from_within(..);
        for set in &self.sets {
            for &v in &self.order[set.start as usize..][..set.len as usize] {
                let dual = &mut self.vertex_duals[n + v as usize];
                *dual = dual.saturating_add(set.dual);
            }
        }
    }

    /// Adds a second copy of all vertices and sets.
    fn copy(&mut self) {
        let n = self.order.len() as u32;
        self.vertex_duals.extend_from_within(..);
        self.order.extend_from_within(..);
        self.order[n as usize..].iter_mut().for_each(|v| *v += n);
        let sets = self.sets.len();
        self.sets.extend_from_within(..);
        self.sets[sets..].iter_mut().for_each(|set| set.start += n);
    }
}

impl OddSet {
    /// Whether a place in the order of all vertices, a circle, is in the set.
    fn holds(&self, place: usize) -> bool {
        (self.start as usize..(self.start + self.len) as usize).contains(&place)
    }

    /// All other places of a circle.
    fn complement(self, circle: usize) -> Self {
        let circle = circle as u32;
        Self {
            start: (self.start + self.len) % circle,
            len: circle - self.len,
            dual: self.dual,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::blossom::Objective;
    use crate::numbers::Grid;

    /// What an edge carries.
    fn load(certificate: &Certificate, u: usize, v: usize) -> i128 {
        let inside = |set: &OddSet, v: usize| certificate.members(set).contains(&(v as u32));
        let around = certificate.odd_sets().iter();
        let separating = around.filter(|set| inside(set, u) != inside(set, v));
        let duals = certificate.vertex_duals();
        duals[u] + duals[v] + separating.map(|set| set.dual).sum::<i128>()
    }

    /// Odd sets of a range of the order, each before those inside it; some have no dual.
    fn nest(rng: &mut ChaCha8Rng, range: core::ops::Range<u32>, sets: &mut Vec<OddSet>) {
        let mut start = range.start;
        while range.end - start >= 3 {
            let len = (rng.random_range(3..=range.end - start) - 1) | 1;
            if len < range.len() as u32 {
                let dual = rng.random_range(0..=6);
                sets.push(OddSet { start, len, dual });
                nest(rng, start..start + len, sets);
            }
            start += len + rng.random_range(0..=1);
            if start > range.end {
                break;
            }
        }
    }

    /// Duals of one copy, whatever they are, hold on two, prove as much, and no edge carries more than before.
    #[test]
    fn any_duals_of_one_copy_become_duals_of_two() {
        let mut rng = ChaCha8Rng::seed_from_u64(211);
        let (mut turned, mut relieved, mut surrounded) = (0, 0, 0);
        for case in 0..20_000 {
            let n: usize = rng.random_range(2..=11);
            let len = n.next_multiple_of(2);
            let mut order: Vec<u32> = (0..len as u32).collect();
            for at in 1..len {
                order.swap(at, rng.random_range(0..=at));
            }
            let mut sets = Vec::new();
            nest(&mut rng, 0..len as u32, &mut sets);
            let duals = (0..len).map(|_| rng.random_range(-9..=9)).collect();
            let folded_duals = Certificate::new(duals, order, sets, 0);
            // Prices as low as all edges allow, raised at one of two ends.
            let mut prices: Vec<i64> = (0..n).map(|_| rng.random_range(-20..=5)).collect();
            for u in 0..n {
                for v in u + 1..len {
                    let load = load(&folded_duals, u, v);
                    if v == n {
                        let least = load.div_euclid(2) + load.rem_euclid(2);
                        prices[u] = prices[u].max(least as i64);
                        continue;
                    }
                    let lack = load - 2 * i128::from(prices[u] + prices[v]);
                    let raised = if rng.random_bool(0.5) { u } else { v };
                    prices[raised] += (lack.max(0) + 1) as i64 / 2;
                }
            }
            let objective = Objective::MinOptOut(prices.clone());
            let reduced = Reduced::new(n, &objective, Grid::INTEGERS, 1).unwrap();
            let folded = reduced.folded().unwrap();
            let mut certificate = folded_duals.clone();
            if n % 2 == 1 {
                certificate.vertex_duals[n] += 2 * folded.added_cost().unwrap();
            }
            assert_eq!(reduced.unfold_duals(&folded, &mut certificate), Some(()), "case {case}");

            for set in certificate.odd_sets() {
                assert!(set.len % 2 == 1 && set.len >= 3 && set.dual > 0, "case {case}: {set:?}");
            }
            for (at, set) in certificate.odd_sets().iter().enumerate() {
                for inner in &certificate.odd_sets()[at + 1..] {
                    let is_inside = set.start <= inner.start && inner.start + inner.len <= set.start + set.len;
                    let is_beside = set.start + set.len <= inner.start || inner.start + inner.len <= set.start;
                    assert!(is_inside || is_beside, "case {case}: {set:?} {inner:?}");
                }
            }
            for (u, &price) in prices.iter().enumerate() {
                let link = load(&certificate, u, u + n);
                assert!(link <= 4 * i128::from(price), "case {case}: link of {u}");
                for v in u + 1..n {
                    let before = load(&folded_duals, u, v);
                    for copy in [0, n] {
                        assert!(load(&certificate, u + copy, v + copy) <= before, "case {case}: {u} {v}");
                    }
                }
            }
            let (before, after) = (folded_duals.doubled_bound(), certificate.doubled_bound());
            assert!(after >= before.map(|bound| 2 * bound), "case {case}");
            let all = certificate.odd_sets().iter().any(|set| set.len as usize == n);
            match (n % 2, all) {
                (1, true) => surrounded += 1,
                (1, false) => relieved += 1,
                _ => turned += i32::from(certificate.odd_sets().len() != 2 * folded_duals.odd_sets().len()),
            }
        }
        assert!(
            turned > 1000 && relieved > 1000 && surrounded > 1000,
            "{turned} {relieved} {surrounded}"
        );
    }
}
