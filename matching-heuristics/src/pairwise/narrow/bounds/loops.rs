//! What the loops of a narrow annealing ask of a processor, and the same for any.

use core::ops::Range;

use aligned_vec::AVec;
use multiversion::multiversion;

/// Slots side by side.
pub(super) const LANES: usize = 32;
/// Vectors of slots that are looked up at a time: rows are whole multiples.
pub(super) const SIDE: usize = 4;

/// The loops of a narrow annealing: for any processor, or for one. Numbers are modulo 2^16.
pub(super) trait Scanner: Copy {
    /// [`LANES`] numbers.
    type Vector: Copy;

    fn load(self, numbers: &[i16; LANES]) -> Self::Vector;

    /// The same number in all lanes.
    fn splat(self, number: i16) -> Self::Vector;

    fn add(self, one: Self::Vector, other: Self::Vector) -> Self::Vector;

    fn sub(self, one: Self::Vector, other: Self::Vector) -> Self::Vector;

    fn min(self, one: Self::Vector, other: Self::Vector) -> Self::Vector;

    fn max(self, one: Self::Vector, other: Self::Vector) -> Self::Vector;

    /// The least of all lanes, in all of them: on its way through another register it would take twice as long.
    fn least(self, numbers: Self::Vector) -> Self::Vector;

    /// A bit for each lane in which the first is less than the second.
    fn below(self, one: Self::Vector, other: Self::Vector) -> u32;

    /// Costs beside those who stand in [`LANES`] slots, of a row by units; `None` where the processor does not look
    /// them up at once.
    #[inline(always)]
    fn costs(self, _: &[u8; BANK], _: &[u16; LANES]) -> Option<Self::Vector> {
        None
    }

    /// Brings the gains of two groups to what they are after a swap between them.
    fn exchange(self, rows: Exchange<'_>);
}

/// What changes with a swap.
pub(super) struct Exchange<'a> {
    /// What each would pay in the two groups, by slots.
    pub(super) gains: [&'a mut [i16]; 2],
    /// Costs beside who comes into the first group and leaves the second, and beside who goes the other way; by units.
    pub(super) costs: [&'a [u8]; 2],
    /// Who stands where after the swap.
    pub(super) slots: &'a Slots,
    /// Room for a number for each unit and each slot; 0 where a slot is empty.
    pub(super) parted: (&'a mut [i16], &'a mut [i16]),
}

/// Who stands where.
pub(super) struct Slots {
    /// The unit in each slot; in empty ones one that there is not, with costs of 0.
    pub(super) units: AVec<u16>,
    /// Slots of each group, without empty ones.
    pub(super) of_groups: Vec<Range<usize>>,
    /// Where the numbers of units are found, where costs and the processor allow for it.
    #[cfg(target_arch = "x86_64")]
    pub(super) lookup: Option<super::vbmi::Lookup>,
}

impl Slots {
    /// Two units change places.
    #[inline(always)]
    pub(super) fn swap(&mut self, s: usize, t: usize) {
        self.units.swap(s, t);
        #[cfg(target_arch = "x86_64")]
        if let Some(lookup) = &mut self.lookup {
            let [x, y] = [s, t].map(|slot| self.units[slot]);
            lookup.place(s, y, x);
            lookup.place(t, x, y);
        }
    }
}

/// Units among which one instruction looks at most: rows of costs are whole multiples.
pub(in crate::pairwise::narrow) const BANK: usize = 128;

/// Whatever the processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Scanner for Portable {
    type Vector = [i16; LANES];

    #[inline(always)]
    fn load(self, numbers: &[i16; LANES]) -> [i16; LANES] {
        *numbers
    }

    #[inline(always)]
    fn splat(self, number: i16) -> [i16; LANES] {
        [number; LANES]
    }

    #[inline(always)]
    fn add(self, mut one: [i16; LANES], other: [i16; LANES]) -> [i16; LANES] {
        for lane in 0..LANES {
            one[lane] = one[lane].wrapping_add(other[lane]);
        }
        one
    }

    #[inline(always)]
    fn sub(self, mut one: [i16; LANES], other: [i16; LANES]) -> [i16; LANES] {
        for lane in 0..LANES {
            one[lane] = one[lane].wrapping_sub(other[lane]);
        }
        one
    }

    #[inline(always)]
    fn min(self, mut one: [i16; LANES], other: [i16; LANES]) -> [i16; LANES] {
        for lane in 0..LANES {
            one[lane] = one[lane].min(other[lane]);
        }
        one
    }

    #[inline(always)]
    fn max(self, mut one: [i16; LANES], other: [i16; LANES]) -> [i16; LANES] {
        for lane in 0..LANES {
            one[lane] = one[lane].max(other[lane]);
        }
        one
    }

    #[inline(always)]
    fn least(self, numbers: [i16; LANES]) -> [i16; LANES] {
        let mut least = i16::MAX;
        for number in numbers {
            least = least.min(number);
        }
        [least; LANES]
    }

    #[inline(always)]
    fn below(self, one: [i16; LANES], other: [i16; LANES]) -> u32 {
        let mut is_any = false;
        for lane in 0..LANES {
            is_any |= one[lane] < other[lane];
        }
        // Mostly there is none, and that is soon known.
        let mut lanes = 0;
        if is_any {
            for lane in 0..LANES {
                lanes |= u32::from(one[lane] < other[lane]) << lane;
            }
        }
        lanes
    }

    #[inline(always)]
    fn exchange(self, rows: Exchange<'_>) {
        exchange_anywhere(rows);
    }
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512cd",
    "x86_64+avx2+fma",
    "aarch64+neon"
))]
fn exchange_anywhere(rows: Exchange<'_>) {
    exchange(rows);
}

/// In three passes, as to read a vector that was just written number by number takes long.
#[inline(always)]
pub(super) fn exchange(rows: Exchange<'_>) {
    let [first, second] = rows.gains;
    let [plus, minus] = rows.costs;
    let (of_units, of_slots) = rows.parted;
    for (parted, (plus, minus)) in of_units.iter_mut().zip(plus.iter().zip(minus)) {
        *parted = i16::from(*plus) - i16::from(*minus);
    }
    for slots in &rows.slots.of_groups {
        let units = &rows.slots.units[slots.clone()];
        for (parted, &unit) in of_slots[slots.clone()].iter_mut().zip(units) {
            *parted = of_units[unit as usize];
        }
    }
    for ((first, second), parted) in first.iter_mut().zip(second).zip(of_slots) {
        *first = first.wrapping_add(*parted);
        *second = second.wrapping_sub(*parted);
    }
}
