//! From any cost to rows of lanes: checks, range, and where the rows are kept.

use std::sync::{Mutex, PoisonError};

use super::lanes::{FORBIDDEN, extremes};
use super::parallel::{Aside, Workers};
use super::rows::{RowSource, Rows, excess_bits};
use crate::blossom::{Objective, Precision};
use crate::cost::{Cost, CostValue};
use crate::edge_list::{LIMIT, VERTEX_LIMIT};
use crate::engine::WIDE_BITS;
use crate::error::Error;
use crate::numbers::{Digits, Grid};

/// Stands for a pair that must not be, while entries are still plain costs.
pub(super) const MARK: i32 = i32::MAX;

/// How a cost is to be read.
#[derive(Debug)]
pub(super) struct Reading<'a, V: CostValue> {
    pub(super) objective: &'a Objective<V>,
    pub(super) precision: Precision,
    pub(super) is_negated: bool,
    pub(super) memory: usize,
    pub(super) workers: Workers,
}

/// What reading a cost tells about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) grid: Grid,
    /// Least and greatest allowed cost on the grid, before any change of sign.
    pub(super) range: (i128, i128),
    /// Allowed ordered pairs.
    pub(super) allowed: u64,
    /// Bits that lanes lack.
    pub(super) down: u32,
}

impl Facts {
    /// Ordered pairs of so many vertices.
    pub(super) fn pairs(n: usize) -> u64 {
        (n as u64) * (n as u64).saturating_sub(1)
    }

    /// Whether all pairs of so many vertices are allowed.
    pub(super) fn is_complete(&self, n: usize) -> bool {
        self.allowed == Self::pairs(n)
    }
}

/// What one row tells.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowFacts<V> {
    range: Option<(V, V)>,
    digits: Digits,
    allowed: u64,
    /// Some allowed cost is no [`narrow`](CostValue) number.
    pub(super) is_wide: bool,
    /// The first column that is wrong, and how.
    fault: Option<(usize, Fault)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    NotANumber,
    Overflow,
    Asymmetric,
    /// The same of the entry on the other side of the diagonal.
    MirrorNotANumber,
    MirrorOverflow,
}

impl Fault {
    /// In which way the mirror image of an allowed entry is not the same. What is no cost at all is said to be that,
    /// from whichever side it is met: its pair does not lack symmetry.
    pub(super) fn of_mirror<V: CostValue>(
        cost: &dyn Cost<Value = V>,
        (i, j): (usize, usize),
        value: V,
    ) -> Option<Self> {
        if !cost.is_allowed(j, i) {
            return Some(Self::Asymmetric);
        }
        match cost.checked_pair(j, i) {
            None => Some(Self::MirrorOverflow),
            Some(mirror) if !mirror.is_number() => Some(Self::MirrorNotANumber),
            Some(mirror) => (mirror != value).then_some(Self::Asymmetric),
        }
    }

    /// What is wrong with the entry of row `i` and column `j`.
    fn at(self, i: usize, j: usize) -> Error {
        match self {
            Self::NotANumber => Error::NotANumber { u: i, v: j },
            Self::Overflow => Error::CostOverflow { u: i, v: j },
            Self::MirrorNotANumber => Error::NotANumber { u: j, v: i },
            Self::MirrorOverflow => Error::CostOverflow { u: j, v: i },
            Self::Asymmetric => Error::Asymmetric {
                u: i.min(j),
                v: i.max(j),
            },
        }
    }
}

impl<V: CostValue> RowFacts<V> {
    pub(super) fn new() -> Self {
        Self {
            range: None,
            digits: Digits::default(),
            allowed: 0,
            is_wide: false,
            fault: None,
        }
    }

    /// Includes a row from column `first` on.
    pub(super) fn include_row(
        &mut self,
        first: usize,
        values: &[V],
        is_allowed: impl Fn(usize) -> bool,
        is_full: bool,
    ) {
        if V::IS_INTEGER && is_full && !values.is_empty() {
            let least = values
                .iter()
                .fold(values[0], |least, &value| if value < least { value } else { least });
            let most = values
                .iter()
                .fold(values[0], |most, &value| if value > most { value } else { most });
            self.include(first, least);
            self.include(first, most);
            self.allowed = values.len() as u64;
        } else {
            for (j, &value) in (first..).zip(values) {
                if is_allowed(j) {
                    self.include(j, value);
                }
            }
        }
        self.is_wide |= self
            .range
            .is_some_and(|(least, most)| least.narrow().is_none() || most.narrow().is_none());
    }

    fn include(&mut self, j: usize, value: V) {
        if !value.is_number() {
            self.blame(j, Fault::NotANumber);
            return;
        }
        self.allowed += 1;
        self.range = Some(match self.range {
            None => (value, value),
            Some((least, most)) => (
                if value < least { value } else { least },
                if value > most { value } else { most },
            ),
        });
        if !V::IS_INTEGER {
            self.digits.include(value);
        }
    }

    pub(super) fn blame(&mut self, j: usize, fault: Fault) {
        if self.fault.is_none() {
            self.fault = Some((j, fault));
        }
    }
}

/// Refuses what is no square cost of a size that can be handled.
pub(super) fn check_shape<V: CostValue>(cost: &dyn Cost<Value = V>) -> Result<(), Error> {
    let (rows, cols) = (cost.len(), cost.cols());
    if rows != cols {
        return Err(Error::NotSquare { rows, cols });
    }
    let pairs = rows.saturating_mul(rows.saturating_sub(1)) / 2;
    if rows >= VERTEX_LIMIT || (!cost.has_forbidden() && pairs >= LIMIT) {
        return Err(Error::TooLarge {
            vertices: rows,
            edges: if rows >= VERTEX_LIMIT { 0 } else { pairs },
        });
    }
    Ok(())
}

/// The comparison of a matrix with its transpose, in parts that can be done in any order.
#[derive(Debug)]
pub(super) struct Unchecked<'a> {
    data: &'a [i32],
    n: usize,
    /// The first pair found so far whose costs differ.
    fault: Mutex<Option<(usize, usize)>>,
}

/// A part of the comparison is so many rows ...
const BAND: usize = 64;
/// ... and so many columns: small enough for others to wait until it is done.
const PART: usize = 4 * BAND;

impl<'a> Unchecked<'a> {
    fn new(data: &'a [i32], n: usize) -> Self {
        let fault = Mutex::new(None);
        Self { data, n, fault }
    }

    pub(super) fn parts(&self) -> usize {
        self.n.div_ceil(BAND) * self.n.div_ceil(PART)
    }

    /// Compares one part right of the diagonal with its mirror image.
    pub(super) fn check(&self, part: usize) {
        let across = self.n.div_ceil(PART);
        let (top, left) = (part / across * BAND, part % across * PART);
        let rows = top..(top + BAND).min(self.n);
        for left in (left.max(top)..(left + PART).min(self.n)).step_by(BAND) {
            let columns = left..(left + BAND).min(self.n);
            for i in rows.clone() {
                let columns = columns.start.max(i + 1)..columns.end;
                if !columns.is_empty() && differs(self.data, self.n, i, columns.clone()) {
                    self.blame(i, columns);
                }
            }
        }
    }

    /// Notes the first of these pairs whose costs differ, if none before it is known.
    fn blame(&self, i: usize, mut columns: core::ops::Range<usize>) {
        let fault = columns
            .find(|&j| self.data[i * self.n + j] != self.data[j * self.n + i])
            .map(|j| (i, j));
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        *first = [*first, fault].into_iter().flatten().min();
    }

    /// Fails with the first pair whose costs were found to differ.
    pub(super) fn verdict(&self) -> Result<(), Error> {
        match *self.fault.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((u, v)) => Err(Error::Asymmetric { u, v }),
            None => Ok(()),
        }
    }
}

/// Reads a cost. The rows borrow from it, or from `stream` where they are not kept. Where reading does not show whether
/// costs are symmetric, that is left to check.
pub(super) fn read<'a, V: CostValue>(
    cost: &'a dyn Cost<Value = V>,
    reading: &Reading<'_, V>,
    stream: &'a mut Option<Stream<'a, V>>,
) -> Result<(Rows<'a>, Facts, Option<Unchecked<'a>>), Error> {
    check_shape(cost)?;
    let n = cost.len();
    if let Some(data) = cost.as_rows().and_then(V::as_narrow)
        && !cost.has_forbidden()
        && !cost.may_overflow()
    {
        let (rows, facts) = borrow(data, n, reading);
        let unchecked = (!cost.is_symmetric()).then(|| Unchecked::new(data, n));
        return Ok((rows, facts, unchecked));
    }
    let fits = (n * n).saturating_mul(4) <= reading.memory;
    if V::IS_INTEGER
        && fits
        && let Some((rows, facts)) = read_narrow(cost, reading)?
    {
        return Ok((rows, facts, None));
    }
    let (rows, facts) = read_wide(cost, reading, stream)?;
    Ok((rows, facts, None))
}

/// A matrix that is used where it lies. What is right of the diagonal tells its range: it is refused if the rest is not
/// the same.
fn borrow<'a, V: CostValue>(data: &'a [i32], n: usize, reading: &Reading<'_, V>) -> (Rows<'a>, Facts) {
    let mut parts = vec![(i32::MAX, i32::MIN); n];
    reading.workers.for_rows(
        &mut parts,
        1,
        || (),
        |(), i, out| {
            out[0] = extremes(&data[i * n..][i + 1..n]);
        },
    );
    let merge = |(a, b): (i32, i32), (c, d): (i32, i32)| (a.min(c), b.max(d));
    let (least, most) = parts.into_iter().reduce(merge).unwrap_or((0, 0));
    let facts = Facts {
        grid: Grid::INTEGERS,
        range: (least.into(), most.into()),
        allowed: (n * n - n) as u64,
        down: excess_bits(most.abs_diff(least).into()),
    };
    (Rows::borrowed(data, n, (least, most), reading.is_negated), facts)
}

/// Integers of 32 bits are kept as they are read, in one pass; `None` if there are others.
fn read_narrow<V: CostValue>(
    cost: &dyn Cost<Value = V>,
    reading: &Reading<'_, V>,
) -> Result<Option<(Rows<'static>, Facts)>, Error> {
    let n = cost.len();
    // A pair that is symmetric by construction is computed once.
    let is_symmetric = cost.is_symmetric();
    let mut slots: Vec<RowFacts<V>> = vec![RowFacts::new(); n];
    let mut data = vec![MARK; n * n];
    reading.workers.for_zipped_rows(
        (&mut data, n),
        &mut slots,
        || Buffers::new(n),
        |buffers, i, row, facts| {
            *facts = RowFacts::new();
            let first = if is_symmetric { i + 1 } else { 0 };
            buffers.visit(cost, i, first, |j, value| match value {
                Err(fault) => facts.blame(j, fault),
                Ok(value) => {
                    facts.include(j, value);
                    match value.narrow() {
                        Some(narrow) => row[j] = narrow,
                        None => facts.is_wide = true,
                    }
                }
            });
        },
    );
    let facts = gather(&slots, n, reading)?;
    if slots.iter().any(|row| row.is_wide) {
        return Ok(None);
    }
    if is_symmetric {
        mirror(&mut data, n);
    } else {
        check_symmetry(&data, n, reading.workers)?;
    }
    let facts = Facts {
        allowed: facts.allowed * if is_symmetric { 2 } else { 1 },
        ..facts
    };
    narrow_to_lanes(&mut data, n, &facts, reading);
    Ok(Some((Rows::owned(data, n, None), facts)))
}

/// Narrow costs, and [`MARK`] where there is no pair, become lanes, in rows of that width.
pub(super) fn narrow_to_lanes<V: CostValue>(data: &mut [i32], width: usize, facts: &Facts, reading: &Reading<'_, V>) {
    let (least, most) = (facts.range.0 as i32, facts.range.1 as i32);
    let flip = if reading.is_negated { -1 } else { 0 };
    let base = (if reading.is_negated { most } else { least }) ^ flip;
    let down = facts.down;
    reading.workers.for_rows(
        data,
        width.max(1),
        || (),
        |(), _, row| {
            for entry in row {
                let lane = ((*entry ^ flip).wrapping_sub(base) as u32 >> down) as i32;
                *entry = if *entry == MARK { FORBIDDEN } else { lane };
            }
        },
    );
}

/// The least cost of `n` vertices after the change of sign, if any.
///
/// # Errors
/// Rows are filled with the differences to it, of either sign: all of them must exist, not only the one of the cost at this end.
pub(super) fn least_of<V: CostValue>(n: usize, facts: &Facts, is_negated: bool) -> Result<i128, Error> {
    let (low, high) = facts.range;
    let least = if is_negated {
        low.checked_neg().and(high.checked_neg())
    } else {
        Some(low)
    };
    let least = least.filter(|_| high.checked_sub(low).is_some());
    least.ok_or(too_wide::<V>(n, 129))
}

/// Everything else takes two passes: the range first, then the lanes, as many rows of them as may be kept.
fn read_wide<'a, V: CostValue>(
    cost: &'a dyn Cost<Value = V>,
    reading: &Reading<'_, V>,
    stream: &'a mut Option<Stream<'a, V>>,
) -> Result<(Rows<'a>, Facts), Error> {
    let n = cost.len();
    let is_symmetric = cost.is_symmetric();
    let mut slots: Vec<RowFacts<V>> = vec![RowFacts::new(); n];
    reading.workers.for_rows(
        &mut slots,
        1,
        || Buffers::new(n),
        |buffers, i, out| {
            let facts = &mut out[0];
            *facts = RowFacts::new();
            buffers.visit(cost, i, 0, |j, value| match value {
                Err(fault) => facts.blame(j, fault),
                Ok(value) => {
                    facts.include(j, value);
                    if !is_symmetric
                        && value.is_number()
                        && let Some(fault) = Fault::of_mirror(cost, (i, j), value)
                    {
                        facts.blame(j, fault);
                    }
                }
            });
        },
    );
    let facts = gather(&slots, n, reading)?;
    let least = least_of::<V>(n, &facts, reading.is_negated)?;
    let source = stream.insert(Stream {
        cost,
        grid: facts.grid,
        is_negated: reading.is_negated,
        least,
        down: facts.down,
    });
    let kept = (reading.memory / (4 * n.max(1))).min(n);
    let mut data = vec![0; kept * n];
    reading
        .workers
        .for_rows(&mut data, n.max(1), || (), |(), i, row| source.fill(i, row));
    let source = (kept < n).then_some(source as &dyn RowSource);
    Ok((Rows::owned(data, n, source), facts))
}

/// The facts of all rows, or what is wrong with the first row that is wrong.
pub(super) fn gather<V: CostValue>(slots: &[RowFacts<V>], n: usize, reading: &Reading<'_, V>) -> Result<Facts, Error> {
    let mut all = RowFacts::<V>::new();
    for (i, row) in slots.iter().enumerate() {
        if let Some((j, fault)) = row.fault {
            return Err(fault.at(i, j));
        }
        if let Some((least, most)) = row.range {
            all.include(0, least);
            all.include(0, most);
        }
        all.digits = all.digits.merge(row.digits);
    }
    let grid = all.digits.grid(n, reading.objective, reading.precision);
    let zero = V::zero();
    let (least, most) = all.range.unwrap_or((zero, zero));
    let units = |value: V| grid.units(value).ok_or_else(|| too_wide::<V>(n, grid.bits_needed));
    let range = (units(least)?, units(most)?);
    Ok(Facts {
        grid,
        range,
        allowed: slots.iter().map(|row| row.allowed).sum(),
        down: excess_bits(range.1.abs_diff(range.0)),
    })
}

/// Costs of `n` vertices that ask for more bits than there are.
fn too_wide<V: CostValue>(n: usize, bits_needed: u32) -> Error {
    if V::IS_INTEGER {
        Error::Overflow {
            vertices: n,
            bits_needed,
            available: WIDE_BITS,
        }
    } else {
        Error::PrecisionRequired { bits_needed }
    }
}

/// Room for one row of a cost.
struct Buffers<V> {
    values: Vec<V>,
    allowed: Vec<u64>,
}

impl<V: CostValue> Buffers<V> {
    fn new(n: usize) -> Self {
        Self {
            values: vec![V::zero(); n],
            allowed: vec![u64::MAX; n.div_ceil(64)],
        }
    }

    /// Visits the allowed entries of row `i` from column `first` on, without the diagonal.
    fn visit(
        &mut self,
        cost: &dyn Cost<Value = V>,
        i: usize,
        first: usize,
        mut visit: impl FnMut(usize, Result<V, Fault>),
    ) {
        if cost.has_forbidden() {
            cost.allowed_row(i, &mut self.allowed);
        }
        let by_row = first == 0 && !cost.may_overflow();
        if by_row {
            cost.fill_row(i, &mut self.values);
        }
        for j in first..self.values.len() {
            if j == i || self.allowed[j / 64] >> (j % 64) & 1 == 0 {
                continue;
            }
            let value = if by_row {
                Some(self.values[j])
            } else {
                cost.checked_pair(i, j)
            };
            visit(j, value.ok_or(Fault::Overflow));
        }
    }
}

/// Rows that are computed again whenever they are read.
pub(super) struct Stream<'a, V> {
    cost: &'a dyn Cost<Value = V>,
    grid: Grid,
    is_negated: bool,
    least: i128,
    down: u32,
}

impl<V: CostValue> RowSource for Stream<'_, V> {
    fn fill(&self, i: usize, out: &mut [i32]) {
        out.fill(FORBIDDEN);
        Buffers::new(out.len()).visit(self.cost, i, 0, |j, value| {
            // The first pass saw that every allowed cost is a number on the grid.
            if let Some(units) = value.ok().and_then(|value| self.grid.units(value)) {
                let units = if self.is_negated { -units } else { units };
                out[j] = ((units - self.least) >> self.down) as i32;
            }
        });
    }
}

/// Copies what is right of the diagonal to its left, block by block.
fn mirror(data: &mut [i32], n: usize) {
    const BLOCK: usize = 64;
    for top in (0..n).step_by(BLOCK) {
        for left in (top..n).step_by(BLOCK) {
            for i in top..(top + BLOCK).min(n) {
                for j in left.max(i + 1)..(left + BLOCK).min(n) {
                    data[j * n + i] = data[i * n + j];
                }
            }
        }
    }
}

/// Compares a matrix with its transpose.
fn check_symmetry(data: &[i32], n: usize, workers: Workers) -> Result<(), Error> {
    let unchecked = Unchecked::new(data, n);
    let part = |part: usize| unchecked.check(part);
    workers.finish(&Aside::new(unchecked.parts(), &part));
    unchecked.verdict()
}

/// Whether part of a row differs from the same part of the column.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn differs(data: &[i32], n: usize, i: usize, columns: core::ops::Range<usize>) -> bool {
    let row = &data[i * n..][columns.clone()];
    let column = &data[columns.start * n + i..];
    let mut all = 0;
    for j in 0..row.len() {
        all |= row[j] ^ column[j * n];
    }
    all != 0
}
