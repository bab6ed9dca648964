//! A quick look at many edges at once, which says "surely no fault" or nothing at all.
//!
//! It may be wrong in one direction only: what it clears has no negative slack. What it does not clear is decided by
//! the exact, checked arithmetic of [`duals`](super::duals). The slack of an edge of cost `k` is `2 k - Y_u - Y_v` or
//! more, with `Y_v` the sum of the duals of vertex `v` and of the sets around it. So an edge is clear if
//! `2 k >= Y_u + Y_v`, where `k` is the weight on the grid, negated if a maximum is asked for.

use multiversion::multiversion;

use super::error::Number;
use super::grid::{from_grid, to_grid};
use super::reduced::Reduced;
use crate::cost::CostValue;

/// Edges that are cleared together.
pub(super) const BLOCK: usize = 64;

/// Integers up to this size can be doubled and added in pairs within 64 bits.
const INTEGER_LIMIT: u128 = 1 << 61;

/// Integers up to this size can be added in pairs as floats without rounding, also if all are times a power of two.
const WHOLE_LIMIT: u128 = 1 << 52;

pub(super) struct Filter {
    bounds: Bounds,
    is_maximum: bool,
}

/// What each vertex adds to the load of its edges, or more.
enum Bounds {
    /// `Y` itself. No sum can overflow: neither `Y` nor a weight is beyond [`INTEGER_LIMIT`].
    Integers(Vec<i64>),
    /// `Y * 2^(exponent - 1)`, exactly, and so that sums of two are exact: then `w >= load` is the condition.
    Floats(Vec<f64>),
    /// The same rounded up, so that `load` is too low by the rounding of one sum at most. If `w > load`, then `w` is
    /// at least the next float above, and that is no less than the exact sum.
    RoundedFloats(Vec<f64>),
    /// Too large for a quick look: nothing is ever clear.
    None,
}

impl Filter {
    /// A filter for the vertices of a reduced instance with these values of `Y`.
    pub(super) fn new<V: CostValue>(reduced: &Reduced<'_, V>, totals: &[i128]) -> Self {
        Self {
            bounds: if V::IS_INTEGER {
                Bounds::integers(reduced.largest(), totals)
            } else {
                Bounds::floats(reduced.is_exact(), reduced.exponent(), totals)
            },
            is_maximum: reduced.is_maximum(),
        }
    }

    /// How many of these weights, from the first on, are surely clear: all, or a multiple of [`BLOCK`]. They are of
    /// edges from vertex `u` of the reduced instance to vertex `first` and those after it.
    pub(super) fn clear<V: CostValue>(&self, u: usize, first: usize, weights: &[V]) -> usize {
        let is_maximum = self.is_maximum;
        match (&self.bounds, weights) {
            // Edges of lists come alone: not worth choosing vector code for.
            (Bounds::Integers(y), [weight]) => usize::from(is_integer_clear(*weight, y[u] + y[first], is_maximum)),
            (Bounds::Integers(y), _) => clear_integers(weights, y[u], &y[first..], is_maximum),
            (Bounds::Floats(y), _) => clear_floats(weights, y[u], &y[first..], is_maximum, Tight::Clear),
            (Bounds::RoundedFloats(y), _) => clear_floats(weights, y[u], &y[first..], is_maximum, Tight::Unclear),
            (Bounds::None, _) => 0,
        }
    }
}

impl Bounds {
    fn integers(largest: i128, totals: &[i128]) -> Self {
        let is_small = |integer: &i128| integer.unsigned_abs() <= INTEGER_LIMIT;
        if is_small(&largest) && totals.iter().all(is_small) {
            Self::Integers(totals.iter().map(|&y| y as i64).collect())
        } else {
            Self::None
        }
    }

    fn floats(is_exact: bool, exponent: i32, totals: &[i128]) -> Self {
        let Some(exponent) = exponent.checked_sub(1) else {
            return Self::None;
        };
        let exact = |&y: &i128| {
            let float = from_grid(y, exponent);
            let is_same = y.unsigned_abs() <= WHOLE_LIMIT && to_grid(Number::Float(float), exponent) == Some((y, true));
            is_same.then_some(float)
        };
        if is_exact && let Some(bounds) = totals.iter().map(exact).collect() {
            return Self::Floats(bounds);
        }
        // Rounding a weight to the grid takes at most half a unit of it, one of the duals' units: more than made up
        // for by one at each end. The nearest float may be too low, the next one is not.
        let above = |&y: &i128| y.checked_add(1).map(|y| from_grid(y, exponent).next_up());
        totals
            .iter()
            .map(above)
            .collect::<Option<_>>()
            .map_or(Self::None, Self::RoundedFloats)
    }
}

/// Whether weights equal to their load are clear.
#[derive(Clone, Copy, PartialEq)]
enum Tight {
    Clear,
    Unclear,
}

/// Leading weights whose blocks are clear by this measure of a weight and the other end.
#[inline(always)]
fn clear_blocks<V: Copy, Y: Copy>(weights: &[V], others: &[Y], is_clear: impl Fn(V, Y) -> bool) -> usize {
    let blocks = weights.chunks(BLOCK).zip(others.chunks(BLOCK));
    // Every edge of a block is looked at: without a way out, several are done at a time.
    let is_block_clear = |(weights, others): (&[V], &[Y])| {
        let edges = weights.iter().zip(others);
        edges.fold(true, |all, (&weight, &other)| all & is_clear(weight, other))
    };
    let clear = blocks.take_while(|&block| is_block_clear(block)).count();
    weights.len().min(clear * BLOCK)
}

#[inline(always)]
fn is_integer_clear<V: CostValue>(weight: V, load: i64, is_maximum: bool) -> bool {
    let twice = 2 * weight.to_integer().unwrap_or(0) as i64;
    (if is_maximum { -twice } else { twice }) >= load
}

#[multiversion(targets("x86_64+avx2"))]
fn clear_integers<V: CostValue>(weights: &[V], own: i64, others: &[i64], is_maximum: bool) -> usize {
    clear_blocks(weights, others, |weight: V, other| {
        is_integer_clear(weight, own + other, is_maximum)
    })
}

#[multiversion(targets("x86_64+avx2"))]
fn clear_floats<V: CostValue>(weights: &[V], own: f64, others: &[f64], is_maximum: bool, tight: Tight) -> usize {
    clear_blocks(weights, others, |weight: V, other| {
        let (weight, load) = (weight.to_f64(), own + other);
        let cost = if is_maximum { -weight } else { weight };
        (cost > load) | ((tight == Tight::Clear) & (cost == load))
    })
}
