//! Pairs of little slack, as further edges of the next solve.
//!
//! After a change in a pool, the pairs that turn out to be missing are mostly those that lacked least slack at the end
//! of the solve before. Where they are edges from the start, most solves need one search instead of two. They stay
//! edges as long as their slack is little; how little it must be follows from how many there are and whether pairs were
//! missing all the same.

use core::ops::Range;
use std::collections::HashSet;

use crate::edge_list::Edge;

/// Steps of the lower bounds within which pairs are near at first.
const FIRST_REACH: i32 = 8;
/// Where nothing was missing, the reach becomes less by one part in so many.
const DECLINE: i32 = 16;
/// Where something was, it grows by such a part, and becomes less by it where too many pairs are near.
const GROWTH: i32 = 4;
/// One vertex for so many of which lower bounds tell nothing, and they are of no use.
const SHARP: usize = 8;

/// Which pairs are near, and which were found to be so.
#[derive(Clone, Debug, Default)]
pub(super) struct Nearby {
    pairs: Vec<(u32, u32)>,
    /// Slack in half units of lanes; none yet.
    reach: Option<i32>,
    /// Half units that lower bounds do not tell apart.
    step: i32,
    /// Too many pairs are alike for lower bounds to tell which.
    is_blurred: bool,
}

impl Nearby {
    /// Whether lower bounds are of use.
    pub(super) fn is_sharp(&self) -> bool {
        !self.is_blurred
    }

    /// The same before anything is found: pairs are called by names that change.
    pub(super) fn without_pairs(mut self) -> Self {
        self.pairs.clear();
        self
    }

    /// Within how many half units of lanes pairs are near, where lower bounds do not tell `step` of them apart.
    pub(super) fn reach(&mut self, step: i32) -> i32 {
        self.step = step;
        *self.reach.get_or_insert(FIRST_REACH * step)
    }

    /// Takes over what a look at all pairs of `n` vertices found; lower bounds told nothing about so many of these.
    pub(super) fn note(&mut self, pairs: Vec<(u32, u32)>, blurred: usize, n: usize) {
        if blurred * SHARP <= n {
            self.pairs = pairs;
        } else if let Some(reach) = &mut self.reach {
            self.is_blurred = *reach == 0;
            *reach /= GROWTH;
        }
    }

    /// Takes the edges at `near` out, which were there for their little slack, and returns those that still have
    /// little, together with the pairs found since, at most `limit`. What has none stays among the edges, as the
    /// solution may rest on it. Behind those at `near` are the edges that were missing.
    ///
    /// `slack` is counted in units of which a half unit of lanes has `2^down`, and may fall short where it is positive.
    pub(super) fn keep(
        &mut self,
        edges: &mut Vec<Edge<i64>>,
        near: Range<usize>,
        limit: usize,
        down: u32,
        weight: impl Fn(u32, u32) -> Option<i64>,
        slack: impl Fn(&Edge<i64>) -> i64,
    ) -> Vec<Edge<i64>> {
        let missing: HashSet<(u32, u32)> = edges[near.end..].iter().map(|edge| (edge.u, edge.v)).collect();
        let before: Vec<_> = edges.drain(near).collect();
        let reach = i64::from(self.reach.unwrap_or(0)) << down;
        let mut kept = Vec::with_capacity(before.len() + self.pairs.len());
        for edge in before {
            match slack(&edge) {
                slack if slack <= 0 => edges.push(edge),
                slack if slack < reach => kept.push(edge),
                _ => {}
            }
        }
        let found = self.pairs.drain(..).filter(|pair| !missing.contains(pair));
        kept.extend(found.filter_map(|(u, v)| weight(u, v).map(|weight| Edge { u, v, weight })));
        // Where a great many were missing, no pairs near at hand could have helped.
        self.adapt(kept.len() > limit, (1..limit / 8).contains(&missing.len()));
        kept.truncate(limit);
        kept
    }

    fn adapt(&mut self, are_many: bool, is_missing: bool) {
        if let Some(reach) = &mut self.reach {
            if are_many {
                *reach -= *reach / GROWTH;
            } else if is_missing {
                *reach = reach.saturating_add((*reach / GROWTH).max(self.step));
            } else {
                *reach -= *reach / DECLINE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(v: u32) -> Edge<i64> {
        Edge {
            u: 0,
            v,
            weight: v.into(),
        }
    }

    /// Keeps what is near of edges from 0 whose slack is the other end less 3; those to 1 and 2 are there for good,
    /// those from `missing` on were missing.
    fn keep(nearby: &mut Nearby, missing: usize, limit: usize) -> (Vec<u32>, Vec<u32>) {
        let mut edges: Vec<_> = (1..=12).map(edge).collect();
        let slack = |edge: &Edge<i64>| edge.weight - 3;
        let weight = |_, v: u32| (v != 40).then_some(v.into());
        let near = nearby.keep(&mut edges, 2..missing, limit, 0, weight, slack);
        let ends = |edges: &[Edge<i64>]| edges.iter().map(|edge| edge.v).collect();
        (ends(&edges), ends(&near))
    }

    #[test]
    fn little_slack_stays_near_and_none_stays_for_good() {
        let mut nearby = Nearby::default();
        assert_eq!(nearby.reach(1), FIRST_REACH);
        // 12 was missing and is an edge; 40 must not be one.
        nearby.note(vec![(0, 12), (0, 40), (0, 50)], 0, 100);
        let (edges, near) = keep(&mut nearby, 11, 100);
        assert_eq!(edges, [1, 2, 12, 3]);
        assert_eq!(near, [4, 5, 6, 7, 8, 9, 10, 50]);
        assert_eq!(nearby.reach(1), FIRST_REACH + FIRST_REACH / GROWTH, "one was missing");
        let (_, near) = keep(&mut nearby, 12, 5);
        assert_eq!(near, [4, 5, 6, 7, 8]);
        assert!(
            nearby.reach(1) < FIRST_REACH + FIRST_REACH / GROWTH,
            "they were too many"
        );
    }

    #[test]
    fn names_that_change_are_forgotten() {
        let mut nearby = Nearby::default();
        nearby.reach(1);
        nearby.note(vec![(0, 50)], 0, 100);
        let mut nearby = nearby.without_pairs();
        assert!(!keep(&mut nearby, 12, 100).1.contains(&50));
    }

    #[test]
    fn bounds_that_tell_nothing_are_given_up() {
        let mut nearby = Nearby::default();
        for _ in 0..3 {
            assert!(nearby.is_sharp());
            nearby.reach(1);
            nearby.note(Vec::new(), 50, 100);
        }
        assert!(!nearby.is_sharp());
    }
}
