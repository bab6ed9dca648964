//! A cost matrix as the passes read it: square, symmetric, 32 bits an entry.

use super::coarse::Coarse;
use super::lanes::{DUAL_LIMIT, FORBIDDEN, Form, LANE_BITS};
use super::parallel::Workers;

/// What computes rows that are not kept in memory.
pub(crate) trait RowSource: Sync {
    /// Writes row `i` as lanes, [`FORBIDDEN`] where a pair must not be and on the diagonal.
    fn fill(&self, i: usize, out: &mut [i32]);
}

/// Where rows come from.
enum Store<'a> {
    /// A matrix in memory; its diagonal is never looked at.
    Borrowed(&'a [i32]),
    /// Lanes of the first rows, and where the others come from.
    Owned(Vec<i32>, Option<&'a dyn RowSource>),
}

/// Square matrix of lanes.
pub(crate) struct Rows<'a> {
    store: Store<'a>,
    n: usize,
    /// Entries from one row in memory to the next.
    stride: usize,
    form: Form,
    /// Lower bounds of the lanes.
    coarse: Option<&'a Coarse>,
}

impl core::fmt::Debug for Rows<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rows")
            .field("n", &self.n)
            .field("form", &self.form)
            .finish_non_exhaustive()
    }
}

/// Bits that must be cut off lanes of that range.
pub(crate) fn excess_bits(range: u128) -> u32 {
    (u128::BITS - range.leading_zeros()).saturating_sub(LANE_BITS)
}

impl<'a> Rows<'a> {
    /// Rows of a matrix in memory whose entries off the diagonal lie between `least` and `most`; negated if asked for.
    pub(crate) fn borrowed(data: &'a [i32], n: usize, (least, most): (i32, i32), is_negated: bool) -> Self {
        let flip = if is_negated { -1 } else { 0 };
        let range = most.abs_diff(least);
        let down = excess_bits(range.into());
        let form = Form {
            flip,
            least: (if is_negated { most } else { least }) ^ flip,
            down,
            up: 0,
        };
        Self {
            store: Store::Borrowed(data),
            n,
            stride: n,
            form,
            coarse: None,
        }
    }

    /// Rows of lanes in memory, each `stride` entries after the one before, and lower bounds of them.
    pub(super) fn strided(data: &'a [i32], n: usize, stride: usize, coarse: Option<&'a Coarse>) -> Self {
        let form = Form {
            flip: 0,
            least: 0,
            down: 0,
            up: 0,
        };
        Self {
            store: Store::Borrowed(data),
            n,
            stride,
            form,
            coarse,
        }
    }

    /// Rows of lanes: the first ones in memory, the others from `source`.
    pub(crate) fn owned(data: Vec<i32>, n: usize, source: Option<&'a dyn RowSource>) -> Self {
        let form = Form {
            flip: 0,
            least: 0,
            down: 0,
            up: 0,
        };
        Self {
            store: Store::Owned(data, source),
            n,
            stride: n,
            form,
            coarse: None,
        }
    }

    /// The rows and columns that were picked.
    pub(super) fn sample(&self, picked: &[usize], workers: Workers) -> Rows<'static> {
        let mut data = vec![0; picked.len() * picked.len()];
        workers.for_rows(&mut data, picked.len(), Vec::new, |scratch, at, out| {
            let row = self.row(picked[at], scratch);
            for (lane, &j) in out.iter_mut().zip(picked) {
                *lane = self.form.lane(row[j]);
            }
            out[at] = FORBIDDEN;
        });
        Rows::owned(data, picked.len(), None)
    }

    /// Takes the rows that are kept; `None` where they are a matrix in memory. Those are gone from here.
    pub(super) fn take_kept(&mut self) -> Option<Vec<i32>> {
        match &mut self.store {
            Store::Borrowed(_) => None,
            Store::Owned(data, _) => Some(core::mem::take(data)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.n
    }

    /// Row `i`, to be read through the form.
    #[inline]
    pub(super) fn row<'s>(&'s self, i: usize, scratch: &'s mut Vec<i32>) -> &'s [i32] {
        match &self.store {
            Store::Borrowed(data) => &data[i * self.stride..][..self.n],
            Store::Owned(data, _) if (i + 1) * self.n <= data.len() => &data[i * self.n..][..self.n],
            Store::Owned(_, source) => {
                scratch.resize(self.n, FORBIDDEN);
                if let Some(source) = source {
                    source.fill(i, scratch);
                }
                scratch
            }
        }
    }

    pub(super) fn coarse(&self) -> Option<&Coarse> {
        self.coarse
    }

    pub(super) fn form(&self) -> Form {
        self.form
    }
}

/// A dual in half units of lanes, within what the passes can add.
pub(super) fn clamped(dual: i64) -> i32 {
    dual.clamp(-i64::from(DUAL_LIMIT), i64::from(DUAL_LIMIT)) as i32
}
