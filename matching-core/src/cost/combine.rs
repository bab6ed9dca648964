//! Costs made of costs. None of them wraps or panics on overflow; see the [module documentation](super).

use core::fmt;

use num_traits::Zero;

use super::{Cost, CostValue, Embedded, Norm};
use crate::error::Error;

/// `pair(i, j) + pair(j, i)`; made by [`Cost::symmetrized`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetrized<C> {
    inner: C,
    /// Whether both directions have all pairs.
    is_square: bool,
}

impl<C: Cost> Symmetrized<C> {
    pub(super) fn new(inner: C) -> Self {
        let is_square = inner.cols() == inner.len();
        Self { inner, is_square }
    }

    /// Whether only one direction has a pair.
    fn is_one_way(&self, i: usize, j: usize) -> bool {
        !self.is_square && i.max(j) >= self.inner.len().min(self.inner.cols())
    }
}

impl<C: Cost> Cost for Symmetrized<C> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn cols(&self) -> usize {
        self.inner.cols()
    }

    fn pair(&self, i: usize, j: usize) -> C::Value {
        if self.is_one_way(i, j) {
            return C::Value::zero();
        }
        self.inner.pair(i, j).saturating_add(self.inner.pair(j, i))
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        if self.is_one_way(i, j) {
            return Some(C::Value::zero());
        }
        self.inner
            .checked_pair(i, j)?
            .checked_add(self.inner.checked_pair(j, i)?)
    }

    fn may_overflow(&self) -> bool {
        C::Value::IS_INTEGER || self.inner.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        !self.is_one_way(i, j) && self.inner.is_allowed(i, j) && self.inner.is_allowed(j, i)
    }

    fn has_forbidden(&self) -> bool {
        !self.is_square || self.inner.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn fill_row(&self, i: usize, out: &mut [C::Value]) {
        self.inner.fill_row(i, out);
        for (j, slot) in out.iter_mut().enumerate() {
            if !self.is_square {
                *slot = self.pair(i, j);
            } else if j != i {
                *slot = slot.saturating_add(self.inner.pair(j, i));
            }
        }
    }
}

/// `-pair(i, j)`; made by [`Cost::negated`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Negated<C> {
    inner: C,
}

impl<C> Negated<C> {
    pub(super) fn new(inner: C) -> Self {
        Self { inner }
    }
}

/// The methods of a wrapper whose rows, allowed pairs and symmetry are those of `self.inner`.
macro_rules! same_shape {
    () => {
        fn len(&self) -> usize {
            self.inner.len()
        }

        fn cols(&self) -> usize {
            self.inner.cols()
        }

        fn may_overflow(&self) -> bool {
            C::Value::IS_INTEGER || self.inner.may_overflow()
        }

        fn is_allowed(&self, i: usize, j: usize) -> bool {
            self.inner.is_allowed(i, j)
        }

        fn has_forbidden(&self) -> bool {
            self.inner.has_forbidden()
        }

        fn is_symmetric(&self) -> bool {
            self.inner.is_symmetric()
        }

        fn first_side(&self) -> Option<usize> {
            self.inner.first_side()
        }

        fn allowed_row(&self, i: usize, out: &mut [u64]) {
            self.inner.allowed_row(i, out);
        }
    };
}

impl<C: Cost> Cost for Negated<C> {
    type Value = C::Value;

    same_shape!();

    fn pair(&self, i: usize, j: usize) -> C::Value {
        self.inner.pair(i, j).saturating_neg()
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        self.inner.checked_pair(i, j)?.checked_neg()
    }

    fn fill_row(&self, i: usize, out: &mut [C::Value]) {
        self.inner.fill_row(i, out);
        out.iter_mut().for_each(|slot| *slot = slot.saturating_neg());
    }
}

/// `factor * pair(i, j)`; made by [`Cost::scaled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled<C: Cost> {
    inner: C,
    factor: C::Value,
}

impl<C: Cost> Scaled<C> {
    pub(super) fn new(inner: C, factor: C::Value) -> Self {
        Self { inner, factor }
    }
}

impl<C: Cost> Cost for Scaled<C> {
    type Value = C::Value;

    same_shape!();

    fn pair(&self, i: usize, j: usize) -> C::Value {
        self.inner.pair(i, j).saturating_mul(self.factor)
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        self.inner.checked_pair(i, j)?.checked_mul(self.factor)
    }

    fn fill_row(&self, i: usize, out: &mut [C::Value]) {
        self.inner.fill_row(i, out);
        out.iter_mut().for_each(|slot| *slot = slot.saturating_mul(self.factor));
    }
}

/// `a.pair(i, j) + b.pair(i, j)`; made by [`Cost::plus`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plus<A, B> {
    a: A,
    b: B,
}

impl<A: Cost, B: Cost<Value = A::Value>> Plus<A, B> {
    pub(super) fn new(a: A, b: B) -> Result<Self, Error> {
        if a.len() != b.len() {
            return Err(Error::LengthMismatch {
                what: "rows of the added cost",
                expected: a.len(),
                found: b.len(),
            });
        }
        if a.cols() != b.cols() {
            return Err(Error::LengthMismatch {
                what: "columns of the added cost",
                expected: a.cols(),
                found: b.cols(),
            });
        }
        Ok(Self { a, b })
    }
}

impl<A: Cost, B: Cost<Value = A::Value>> Cost for Plus<A, B> {
    type Value = A::Value;

    fn len(&self) -> usize {
        self.a.len()
    }

    fn cols(&self) -> usize {
        self.a.cols()
    }

    fn pair(&self, i: usize, j: usize) -> A::Value {
        self.a.pair(i, j).saturating_add(self.b.pair(i, j))
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<A::Value> {
        self.a.checked_pair(i, j)?.checked_add(self.b.checked_pair(i, j)?)
    }

    fn may_overflow(&self) -> bool {
        A::Value::IS_INTEGER || self.a.may_overflow() || self.b.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.a.is_allowed(i, j) && self.b.is_allowed(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.a.has_forbidden() || self.b.has_forbidden()
    }

    fn is_symmetric(&self) -> bool {
        self.a.is_symmetric() && self.b.is_symmetric()
    }

    fn first_side(&self) -> Option<usize> {
        self.a.first_side().or_else(|| self.b.first_side())
    }
}

/// A cost with fewer allowed pairs; made by [`Cost::restricted`].
#[derive(Clone, Copy)]
pub struct Restricted<C, F> {
    inner: C,
    allow: F,
}

impl<C, F> Restricted<C, F> {
    pub(super) fn new(inner: C, allow: F) -> Self {
        Self { inner, allow }
    }
}

impl<C: fmt::Debug, F> fmt::Debug for Restricted<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restricted")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<C: Cost, F: Fn(usize, usize) -> bool + Sync> Cost for Restricted<C, F> {
    type Value = C::Value;

    fn len(&self) -> usize {
        self.inner.len()
    }

    fn cols(&self) -> usize {
        self.inner.cols()
    }

    fn pair(&self, i: usize, j: usize) -> C::Value {
        self.inner.pair(i, j)
    }

    fn checked_pair(&self, i: usize, j: usize) -> Option<C::Value> {
        self.inner.checked_pair(i, j)
    }

    fn may_overflow(&self) -> bool {
        self.inner.may_overflow()
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.inner.is_allowed(i, j) && (self.allow)(i, j)
    }

    fn has_forbidden(&self) -> bool {
        true
    }

    // Not known to be symmetric even if `inner` is: `allow` is anyone's function.

    fn first_side(&self) -> Option<usize> {
        self.inner.first_side()
    }

    fn fill_row(&self, i: usize, out: &mut [C::Value]) {
        self.inner.fill_row(i, out);
    }
}

/// Forbidding pairs makes no pair cheaper. That `allow` is symmetric is up to the caller here.
impl<const D: usize, C: Embedded<D>, F: Fn(usize, usize) -> bool + Sync> Embedded<D> for Restricted<C, F> {
    fn point(&self, i: usize) -> [f64; D] {
        self.inner.point(i)
    }

    fn norm(&self) -> Norm {
        self.inner.norm()
    }

    fn reach(&self, cost: i64) -> f64 {
        self.inner.reach(cost)
    }
}
