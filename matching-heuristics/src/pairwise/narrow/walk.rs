//! A narrow annealing, and what comes of it on the wide grid.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{NarrowGrid, fill_limits};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::layout::Layout;
use crate::pairwise::Gains;
use crate::pairwise::annealing::Walk;
use crate::partition::Partition;
use crate::state::State;

/// A narrow annealing begins and ends with the gain matrix from scratch: it must look at so many swaps for each pair.
const LEAST_WORK: u64 = 200;
/// Swaps that are looked at between two counts of a grouping, for each pair inside a group: counting takes a hundredth
/// of that time.
const COUNT: u64 = 512;

/// A grouping in 16 bits, and a way to look at its swaps.
pub(in crate::pairwise) trait Narrow: Sized {
    /// See [`Walk::SLOWER`].
    const SLOWER: i32;
    /// See [`Walk::STEP`].
    const STEP: u64;

    /// Whether this way suits such groups.
    fn suits(layout: &Layout) -> bool;

    fn new(grid: Arc<NarrowGrid>, layout: &Arc<Layout>, group_of: &[u32]) -> Self;

    fn grid(&self) -> &NarrowGrid;

    /// What all swaps since the beginning have changed.
    fn total(&self) -> i64;

    /// The group of each unit that moves, put where it is.
    fn copy_to(&self, group_of: &mut [u32]);

    /// See [`Walk::stride`].
    fn stride(&self) -> usize;

    /// See [`Walk::round`]. Before a swap that makes things worse, the grouping is offered to the walk.
    fn round(walk: &mut NarrowWalk<'_, Self>, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64;
}

/// A narrow annealing of a wide state, which is left alone until the end.
pub(in crate::pairwise) struct NarrowWalk<'a, T> {
    pub(super) state: T,
    /// The best of the narrow annealing, by narrow totals.
    best: Best<i64>,
    wide: &'a mut Gains,
    /// The best grouping by wide totals, of those that were counted.
    counted: &'a mut Best<i64>,
    /// The narrow total of the last grouping that was counted, and the work before the next.
    next_count: (i64, u64),
    /// The narrow total below which a grouping is worth a count.
    worth: i64,
}

impl<'a, T: Narrow> NarrowWalk<'a, T> {
    /// From where a wide state stands, if its costs and groups allow that and the stage is worth it.
    pub(in crate::pairwise) fn of(
        wide: &'a mut Gains,
        best: &'a mut Best<i64>,
        control: &Control<'_>,
        stage: &Stage,
    ) -> Option<Self> {
        let units = wide.grid().units() as u64;
        let grid = Arc::clone(wide.grid().narrow()?);
        let (layout, group_of) = (wide.partition().shared_layout(), wide.partition().groups_of());
        if stage.left(control) < LEAST_WORK * units * units || !T::suits(&layout) {
            return None;
        }
        Some(Self {
            best: Best {
                rank: (0, 0),
                group_of: group_of.to_vec(),
            },
            state: T::new(grid, &layout, group_of),
            wide,
            counted: best,
            next_count: (0, 0),
            worth: i64::MAX,
        })
    }

    /// Goes on from where a narrow state stands, to keep the best grouping from here on or none; the wide state only
    /// counts. A grouping is counted if it may be better than one that was, of that narrow total.
    pub(in crate::pairwise) fn resumed(
        state: T,
        keeps: bool,
        counted: i64,
        wide: &'a mut Gains,
        best: &'a mut Best<i64>,
    ) -> Self {
        let mut group_of = best.group_of.clone();
        state.copy_to(&mut group_of);
        let total = if keeps { state.total() } else { i64::MIN };
        Self {
            best: Best {
                rank: (0, total),
                group_of,
            },
            next_count: (total, 0),
            worth: counted.saturating_add(NarrowGrid::slack(wide.partition().pairs() / 2)),
            state,
            wide,
            counted: best,
        }
    }

    /// The narrow state, to go on with later, and the narrow total of the best grouping that was kept, which is counted
    /// if it is worth it.
    pub(in crate::pairwise) fn paused(self) -> (T, Option<i64>) {
        let kept = Some(self.best.rank.1).filter(|&total| total > i64::MIN);
        if kept.is_some_and(|total| total < self.worth) {
            let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
            self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        }
        (self.state, kept)
    }

    /// Takes the wide state to where the walk has ended, and keeps the best grouping met; that one is counted pair by
    /// pair, which is over soon also where somebody has cancelled.
    pub(in crate::pairwise) fn conclude(self) {
        let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
        self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        let mut last = self.best.group_of;
        self.state.copy_to(&mut last);
        if self.wide.partition().groups_of() != last {
            self.wide.reset(&last);
            self.counted.offer(self.wide);
        }
    }

    /// Keeps the present grouping if it is the best.
    pub(super) fn offer(&mut self) {
        if self.state.total() < self.best.rank.1 {
            self.best.rank.1 = self.state.total();
            self.state.copy_to(&mut self.best.group_of);
        }
    }
}

impl<T: Narrow> Walk for NarrowWalk<'_, T> {
    type Limit = i16;

    const SLOWER: i32 = T::SLOWER;
    const STEP: u64 = T::STEP;

    fn stride(&self) -> usize {
        self.state.stride()
    }

    fn fill_limits(limits: &mut [i16], draws: &[f32], temperature: f32) {
        fill_limits(limits, draws, temperature);
    }

    fn temperature(&self, of_state: f64) -> f32 {
        (of_state * self.state.grid().factor()) as f32
    }

    fn round(&mut self, limits: &[i16], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        T::round(self, limits, swaps, rng)
    }

    /// A narrow total says nothing to anybody else, and a count takes its time: it is made now and then, whether
    /// anybody listens or not, so that listening changes nothing.
    fn tell(&mut self, control: &mut Control<'_>) {
        self.offer();
        let (told, at) = self.next_count;
        if self.best.rank.1 >= told.min(self.worth) || control.work() < at {
            return;
        }
        let partition = Partition::new(self.wide.partition().shared_layout(), &self.best.group_of);
        self.next_count = (self.best.rank.1, control.work() + COUNT * partition.pairs());
        self.counted.keep((0, self.wide.count(&partition)), &self.best.group_of);
        self.counted.tell(self.wide, control);
    }
}
