//! What climbs have asked about groups, kept for as long as the groups stay as they are.
//!
//! What a group costs with some units in place of others depends on nothing else: where those who come have been does
//! not matter. A climb that has made a move looks again at all moves that touch two groups; of the costs that these
//! need, those of the other groups have not changed.

use core::ops::Range;

use crate::layout::Layout;
use crate::score::Score;

/// Costs that are kept at most: 32 MB.
const MOST: usize = 1 << 22;

/// A row of costs is worth asking for at once when so large a part of it has been asked for one by one: a descent may
/// leave a group sooner.
const PART: u32 = 8;

/// Costs of groups after steps; [`Score::FORBIDDEN`] where the group would be.
#[derive(Clone, Debug)]
pub(super) struct Kept<S> {
    /// For each unit, what its group costs with each unit of the same size in its place.
    swaps: Vec<Row<S>>,
    /// For each unit, the first one of its size.
    begins: Vec<u32>,
    /// The classes of units of several players.
    parties: Vec<Range<u32>>,
    /// For each group and class of those, what the group costs with each of them in place of each set of units that are
    /// as many players, unit by unit.
    sets: Vec<Row<S>>,
    /// What the group of a unit costs with each set of another group in place of that unit: of the two that were last
    /// asked about.
    left: (u32, u32, Vec<S>),
    /// Costs for which there is room.
    room: usize,
}

/// Costs that are asked for together; none until they are.
#[derive(Clone, Debug)]
struct Row<S> {
    costs: Vec<S>,
    /// How often somebody has asked about them.
    asked: u32,
}

impl<S> Row<S> {
    const EMPTY: Self = Self {
        costs: Vec::new(),
        asked: 0,
    };

    fn forget(&mut self) {
        self.costs.clear();
        self.asked = 0;
    }

    /// Whether it should be filled now that somebody asks, if it is one of so many units.
    fn is_wanted(&mut self, units: usize) -> bool {
        self.asked = self.asked.saturating_add(1);
        self.asked > units as u32 / PART
    }
}

impl<S: Score> Kept<S> {
    /// Nothing is known yet.
    pub(super) fn new(layout: &Layout) -> Self {
        let squares = layout.classes.iter().map(|class| class.len() * class.len());
        let mut kept = Self {
            swaps: Vec::new(),
            begins: Vec::new(),
            parties: Vec::new(),
            sets: Vec::new(),
            left: (0, 0, Vec::new()),
            room: squares.sum(),
        };
        if kept.room <= MOST {
            for class in &layout.classes {
                kept.begins.extend(class.clone().map(|_| class.start));
                if layout.size[class.start as usize] > 1 {
                    kept.parties.push(class.clone());
                }
            }
            kept.swaps.resize(layout.movable(), Row::EMPTY);
            kept.sets.resize(layout.groups() * kept.parties.len(), Row::EMPTY);
        }
        kept
    }

    /// What the group of `x` costs with `y`, which is of the same size, in its place.
    #[inline]
    pub(super) fn swap(&self, x: u32, y: u32) -> Option<S> {
        let row = self.swaps.get(x as usize)?;
        row.costs.get((y - self.begins[x as usize]) as usize).copied()
    }

    /// The row of a unit, of so many of its size, to be filled if that is worth while now that somebody asks about it.
    pub(super) fn wanted_swaps(&mut self, x: u32, units: usize) -> Option<&mut Vec<S>> {
        let row = self.swaps.get_mut(x as usize)?;
        row.is_wanted(units).then_some(&mut row.costs)
    }

    /// What a group costs with `x` in place of one of its sets, of so many.
    #[inline]
    pub(super) fn set(&self, group: u32, x: u32, (at, sets): (usize, usize)) -> Option<S> {
        let (class, units) = self.class_of(x)?;
        let row = self.sets.get(group as usize * self.parties.len() + class)?;
        row.costs.get((x - units.start) as usize * sets + at).copied()
    }

    /// The costs of a group with each unit of the size of `x` in place of so many sets, to be filled if that is worth
    /// while now that somebody asks about them, and there is room.
    pub(super) fn wanted_sets(&mut self, group: u32, x: u32, sets: usize) -> Option<&mut Vec<S>> {
        let (class, units) = self.class_of(x)?;
        let row = self.sets.get_mut(group as usize * self.parties.len() + class)?;
        let more = (sets * units.len()).saturating_sub(row.costs.capacity());
        if !row.is_wanted(sets * units.len()) || self.room + more > MOST {
            return None;
        }
        self.room += more;
        row.costs.reserve_exact(sets * units.len());
        Some(&mut row.costs)
    }

    /// What the group of `x` costs with the set of another group in place of `x`, if that was asked last.
    #[inline]
    pub(super) fn left(&self, x: u32, to: u32, (at, sets): (usize, usize)) -> Option<S> {
        let (last, group, costs) = &self.left;
        let is_last = (*last, *group, costs.len()) == (x, to, sets);
        is_last.then(|| costs[at])
    }

    /// Another one to ask about, whose costs are to be filled in.
    pub(super) fn next_left(&mut self, x: u32, to: u32) -> &mut Vec<S> {
        (self.left.0, self.left.1) = (x, to);
        self.left.2.clear();
        &mut self.left.2
    }

    fn class_of(&self, x: u32) -> Option<(usize, Range<u32>)> {
        let class = self.parties.iter().position(|class| class.contains(&x))?;
        Some((class, self.parties[class].clone()))
    }

    /// Forgets what it knows of a group that has changed and has these units now.
    pub(super) fn forget(&mut self, group: u32, units: &[u32]) {
        for &unit in units {
            if let Some(row) = self.swaps.get_mut(unit as usize) {
                row.forget();
            }
        }
        let classes = self.parties.len();
        let of_group = self.sets.iter_mut().skip(group as usize * classes).take(classes);
        of_group.for_each(Row::forget);
        self.left.2.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    /// Where there is no room for a row, somebody asks about it again and again for as long as its group stays as it is: the
    /// eighth part of what a counter holds was the most, then builds that check overflow panicked, and others began anew.
    #[test]
    fn a_row_that_is_asked_about_for_ever_stays_wanted() {
        let mut row = Row::<i64>::EMPTY;
        assert_eq!([(); 4].map(|()| row.is_wanted(16)), [false, false, true, true]);
        for asked in [u32::MAX / 8, u32::MAX - 1, u32::MAX] {
            row.asked = asked;
            assert!(row.is_wanted(16) && row.is_wanted(16), "{asked}");
        }
    }
}
