//! Where teams that pay for being within a set are looked for apart from the others.
//!
//! A cut that counts only teams wholly within its set can cost much, far more than a team does. A bound for partial
//! teams that forgets this price is of no use, and one that counts it is wrong for teams with a single member
//! elsewhere. So the search is made once for each such set, among its own units, where all teams pay, and then among
//! all, for teams that leave every one of these sets. Sets may be parts of each other; where two overlap, the dearer
//! one is a ground and the other a cut like any.

use std::sync::Arc;

use crate::cut::Cut;
use crate::model::Model;

/// Grounds at most: each is a search of its own.
const MOST: usize = 40;
/// No part.
pub(super) const NONE: u16 = u16::MAX;

/// Teams within a set and not within one of its parts.
pub(super) struct Ground {
    pub(super) units: Vec<u16>,
    /// What all teams here pay.
    pub(super) price: i64,
    /// The part of each unit of the model, or `NONE`.
    pub(super) part_of: Vec<u16>,
}

/// The grounds, and the cuts that are none: as units, and the price.
pub(super) struct Grounds {
    pub(super) all: Vec<Ground>,
    pub(super) rest: Vec<(Arc<Cut>, i64)>,
}

impl Grounds {
    pub(super) fn new(model: &Model<'_>, cuts: &[(Arc<Cut>, i64)]) -> Self {
        let mut dearest: Vec<usize> = (0..cuts.len()).filter(|&at| is_whole(model, &cuts[at].0)).collect();
        dearest.sort_by_key(|&at| (cuts[at].1, at));
        let mut sets: Vec<(Vec<bool>, i64)> = Vec::new();
        let mut is_ground = vec![false; cuts.len()];
        for at in dearest {
            let (cut, dual) = &cuts[at];
            let mut is_inside = vec![false; model.len()];
            cut.units
                .iter()
                .for_each(|&(unit, _)| is_inside[usize::from(unit)] = true);
            if sets.len() < MOST && sets.iter().all(|set| is_nested(&set.0, &is_inside)) {
                sets.push((is_inside, -dual));
                is_ground[at] = true;
            }
        }
        let rest = cuts.iter().zip(&is_ground).filter(|(_, is_ground)| !**is_ground);
        // Smaller sets first, so that the first set around another is the smallest.
        let size = |set: &[bool]| set.iter().filter(|is_inside| **is_inside).count();
        sets.push((vec![true; model.len()], 0));
        sets.sort_by_key(|set| size(&set.0));
        Self {
            all: (0..sets.len()).map(|number| ground(&sets, number)).collect(),
            rest: rest.map(|(cut, _)| cut.clone()).collect(),
        }
    }
}

/// Whether a cut counts the teams within its set, once, and no others.
fn is_whole(model: &Model<'_>, cut: &Cut) -> bool {
    let is_size = |size: u32| size == cut.divisor;
    let mut classes = model.classes.iter();
    classes.all(|class| is_size(class.least) && is_size(class.most))
        && cut
            .units
            .iter()
            .all(|&(unit, weight)| weight == model.size[usize::from(unit)])
}

/// Whether two sets have nothing in common, or one is within the other.
fn is_nested(a: &[bool], b: &[bool]) -> bool {
    let some = |has: &dyn Fn(bool, bool) -> bool| a.iter().zip(b).any(|(&a, &b)| has(a, b));
    !some(&|a, b| a && b) || !some(&|a, b| a && !b) || !some(&|a, b| b && !a)
}

/// One of the sets, which are in order of their sizes, with its parts.
fn ground(sets: &[(Vec<bool>, i64)], number: usize) -> Ground {
    let (set, _) = &sets[number];
    let is_within = |inner: &[bool], outer: &[bool]| inner.iter().zip(outer).all(|(&inner, &outer)| outer || !inner);
    let mut part_of = vec![NONE; set.len()];
    // Larger parts come later, and take over what is in smaller ones.
    for (part, (inner, _)) in sets[..number].iter().enumerate() {
        if is_within(inner, set) {
            let inside = part_of.iter_mut().zip(inner).filter(|(_, is_inside)| **is_inside);
            inside.for_each(|(slot, _)| *slot = part as u16);
        }
    }
    let around = sets[number..].iter().filter(|(outer, _)| is_within(set, outer));
    Ground {
        units: (0..set.len() as u16).filter(|&unit| set[usize::from(unit)]).collect(),
        price: around.map(|(_, price)| price).sum(),
        part_of,
    }
}
