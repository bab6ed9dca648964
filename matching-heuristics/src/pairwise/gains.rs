//! A grouping and its gain matrix.

use core::ops::Range;
use std::sync::Arc;

use matching_core::CancelToken;
use rand_chacha::ChaCha8Rng;

use super::coherence::coherence;
use super::grid::Grid;
use super::narrow::{Bounds, Narrow, NarrowGrid};
use super::replica::PairReplica;
use super::scale::is_flexible;
use super::scan::{self, BLOCKED, LANES, Portable, Scanner, Stretch};
use super::{annealing, descent};
use crate::best::Best;
use crate::change::Change;
use crate::control::{Control, Stage};
use crate::partition::{Exchange, Partition};
use crate::replica::Ladder;
use crate::state::{Heat, Schedule, State};

/// Units up to which all coolings are worth the same number of evaluations a pair.
const FEW: usize = 240;
/// Units up to which a ladder of temperatures was found to do better: halfway between 480, where it does, and 960,
/// where it does not.
const MANY: usize = 680;
/// Coolings that the work must be enough for, for each ladder.
const LEAST_COOLINGS: f64 = 2.0;
/// Units to a group, in the mean, from which on a ladder of temperatures does better.
const LARGE: usize = 20;
/// [`coherence`] beyond which costs are not like the random ones on which the ladder's temperatures were measured.
const COHERENT: f64 = 0.1;

/// A grouping with what every unit pays, and would pay in every other group.
///
/// What a unit pays in a group: its pairs with the members, and the pairs inside it. On the bench it pays nothing.
#[derive(Clone, Debug)]
pub(crate) struct Gains {
    pub(super) grid: Arc<Grid>,
    partition: Partition,
    cancel: CancelToken,
    /// Whoever cancels does not wait for a matrix from scratch: what stands in it then is of no use.
    is_broken: bool,
    /// What each unit would pay in each group: a row per group.
    pub(super) gains: Vec<i32>,
    /// What each unit pays in its own group; behind the last unit so little that no swap with it passes.
    pub(super) own: Vec<i32>,
    /// The group of each unit, made up to whole vectors.
    pub(super) lanes: Vec<u32>,
    pub(super) total: i64,
    /// What the unit under scan would pay more in each group.
    moves: Vec<i32>,
    /// Temperatures that were measured on this problem.
    schedule: Option<Schedule>,
}

impl Gains {
    pub(crate) fn new(grid: Arc<Grid>, partition: Partition, cancel: CancelToken) -> Self {
        let (groups, stride) = (partition.layout().groups(), grid.stride());
        let mut state = Self {
            gains: vec![0; groups * stride],
            own: vec![-BLOCKED; stride],
            lanes: vec![0; stride],
            total: 0,
            moves: vec![0; scan::table_len(groups)],
            schedule: None,
            grid,
            partition,
            cancel,
            is_broken: false,
        };
        state.rebuild();
        state
    }

    /// With temperatures of its own from here on, as are all its copies.
    pub(crate) fn with_schedule(self, schedule: Option<Schedule>) -> Self {
        Self { schedule, ..self }
    }

    /// Whether costs of pairs have to do with each other, as distances do.
    pub(super) fn is_coherent(&self) -> bool {
        coherence(&self.grid, &self.cancel).abs() >= COHERENT
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The narrow grid on which temperatures of a ladder are known, if the groups allow it.
    pub(super) fn tempered(&self) -> Option<&Arc<NarrowGrid>> {
        let grid = self.grid.narrow()?;
        Bounds::suits(self.partition.layout()).then_some(grid)
    }

    /// The matrix from scratch.
    fn rebuild(&mut self) {
        let stride = self.grid.stride();
        self.lanes[..self.grid.units()].copy_from_slice(self.partition.groups_of());
        for group in 0..self.partition.layout().groups() as u32 {
            if self.has_costs(group) {
                let row = &mut self.gains[group as usize * stride..][..stride];
                row[..self.grid.units()].copy_from_slice(self.grid.inside());
                for &unit in self.partition.members(group) {
                    if self.cancel.is_cancelled() {
                        self.is_broken = true;
                        return;
                    }
                    scan::add_row(row, self.grid.row(unit), 1);
                }
            }
            self.refresh_own(group);
        }
        self.total = (0..self.grid.units() as u32).map(|unit| self.share(unit)).sum::<i64>() / 2;
        self.is_broken = false;
    }

    /// Twice what a unit adds to the total.
    fn share(&self, unit: u32) -> i64 {
        let inside = if self.has_costs(self.partition.group_of(unit)) {
            self.grid.inside()[unit as usize]
        } else {
            0
        };
        i64::from(self.own[unit as usize]) + i64::from(inside)
    }

    /// The total of another grouping, pair by pair.
    pub(super) fn count(&self, partition: &Partition) -> i64 {
        (0..partition.layout().groups() as u32)
            .filter(|&group| self.has_costs(group))
            .map(|group| {
                let members = partition.members(group);
                let inside: i64 = members.iter().map(|&x| i64::from(self.grid.inside()[x as usize])).sum();
                inside + self.between(members, members) / 2
            })
            .sum()
    }

    /// Whether a group is not the bench.
    fn has_costs(&self, group: u32) -> bool {
        self.partition.layout().bench != Some(group)
    }

    fn gain(&self, group: u32, unit: u32) -> i32 {
        self.gains[group as usize * self.grid.stride() + unit as usize]
    }

    /// Members of a group pay what the matrix says.
    fn refresh_own(&mut self, group: u32) {
        let row = &self.gains[group as usize * self.grid.stride()..];
        for &unit in self.partition.members(group) {
            self.own[unit as usize] = row[unit as usize];
        }
    }

    /// Two units change places; `change` is what that changes.
    #[inline(always)]
    pub(super) fn swap(&mut self, scanner: impl Scanner, x: u32, y: u32, change: i64) {
        let (a, b) = (self.partition.group_of(x), self.partition.group_of(y));
        let stride = self.grid.stride();
        let (plus, minus) = (self.grid.row(y), self.grid.row(x));
        if self.has_costs(a) && self.has_costs(b) {
            let (one, other, plus, minus) = if a < b {
                (a, b, plus, minus)
            } else {
                (b, a, minus, plus)
            };
            let (head, tail) = self.gains.split_at_mut(other as usize * stride);
            scanner.exchange_rows(
                &mut head[one as usize * stride..][..stride],
                &mut tail[..stride],
                plus,
                minus,
            );
        } else {
            for (group, plus, minus) in [(a, plus, minus), (b, minus, plus)] {
                if self.partition.layout().bench != Some(group) {
                    let row = &mut self.gains[group as usize * stride..][..stride];
                    scan::add_row(row, plus, 1);
                    scan::add_row(row, minus, -1);
                }
            }
        }
        self.partition.swap(x, y);
        self.lanes.swap(x as usize, y as usize);
        self.refresh_own(a);
        self.refresh_own(b);
        self.total += change;
    }

    /// What a swap of two units of different groups changes.
    #[inline(always)]
    pub(super) fn swap_change(&self, x: u32, y: u32) -> i64 {
        let (a, b) = (self.partition.group_of(x), self.partition.group_of(y));
        let moved = self.gain(b, x) - self.own[x as usize] + self.gain(a, y) - self.own[y as usize];
        i64::from(moved) - i64::from(self.sides(a, b)) * i64::from(self.grid.row(x)[y as usize])
    }

    /// How many of two groups have costs.
    fn sides(&self, a: u32, b: u32) -> i32 {
        i32::from(self.has_costs(a)) + i32::from(self.has_costs(b))
    }

    /// The units that a unit can change places with, and the steps in which to pick one of them to begin with: whole
    /// vectors, and those behind the last unit too, where all units are alike.
    #[inline(always)]
    pub(super) fn scanned(&self, x: u32) -> (Range<u32>, u32) {
        let layout = self.partition.layout();
        if layout.classes.len() == 1 && !layout.has_pins() {
            (0..self.grid.stride() as u32, LANES as u32)
        } else {
            (layout.class_of(x), 1)
        }
    }

    /// Whether the table of moves fits registers.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn has_few_groups(&self) -> bool {
        self.moves.len() == scan::FEW
    }

    /// Prepares [`first_swap`](Self::first_swap) for a unit: what it would pay more in each group.
    #[inline(always)]
    pub(super) fn load_moves(&mut self, x: u32) {
        let stride = self.grid.stride();
        let own = self.own[x as usize];
        let column = self.gains[x as usize..].iter().step_by(stride);
        self.moves
            .iter_mut()
            .zip(column)
            .for_each(|(slot, gain)| *slot = gain - own);
        self.moves[self.partition.group_of(x) as usize] = BLOCKED;
        // Swaps with the bench are looked at from there: they have one side only.
        if let Some(bench) = self.partition.layout().bench {
            self.moves[bench as usize] = BLOCKED;
        }
    }

    /// The first unit from `from` on, before `to`, whose swap with `x` changes the total by less than its limit. The
    /// moves of `x` must be loaded.
    #[inline(always)]
    pub(super) fn first_swap(&self, scanner: impl Scanner, x: u32, from: u32, to: u32, limits: &[i32]) -> Option<u32> {
        let a = self.partition.group_of(x);
        let range = from as usize..to as usize;
        let stretch = Stretch {
            groups: &self.lanes[range.clone()],
            gains: &self.gains[a as usize * self.grid.stride()..][range.clone()],
            own: &self.own[range.clone()],
            costs: &self.grid.row(x)[range],
            sides: if self.has_costs(a) { 2 } else { 1 },
        };
        scanner
            .first_below(&self.moves, stretch, limits)
            .map(|at| from + at as u32)
    }

    /// Sum over all pairs of two lists of units.
    fn between(&self, one: &[u32], other: &[u32]) -> i64 {
        one.iter()
            .flat_map(|&x| other.iter().map(move |&y| (x, y)))
            .map(|(x, y)| i64::from(self.grid.row(x)[y as usize]))
            .sum()
    }
}

impl State for Gains {
    type Score = i64;
    type Replica = PairReplica;

    fn partition(&self) -> &Partition {
        &self.partition
    }

    fn total(&self) -> i64 {
        self.total
    }

    /// What was broken off is never the best.
    fn forbidden(&self) -> u64 {
        u64::from(self.is_broken)
    }

    fn change(&mut self, exchange: &Exchange) -> Option<Change<i64>> {
        if !self.partition.allows(exchange) {
            return None;
        }
        let Exchange { a, b, from_a, from_b } = exchange;
        if let ([x], [y]) = (&from_a[..], &from_b[..]) {
            return Some(Change::of_cost(self.swap_change(*x, *y)));
        }
        let joins = |group: u32, unit: &u32| i64::from(self.gain(group, *unit)) - i64::from(self.own[*unit as usize]);
        let moved = from_a.iter().map(|x| joins(*b, x)).sum::<i64>() + from_b.iter().map(|y| joins(*a, y)).sum::<i64>();
        // Pairs that move together were taken off twice, and pairs that part were never there.
        let together = (self.between(from_a, from_a) + self.between(from_b, from_b)) / 2;
        let apart = self.between(from_a, from_b);
        let between = i64::from(self.sides(*a, *b)) * (together - apart);
        Some(Change::of_cost(moved + between))
    }

    fn apply(&mut self, exchange: &Exchange) {
        let Exchange { a, b, from_a, from_b } = exchange;
        let change = self.change(exchange).map_or(0, |change| change.cost);
        if let ([x], [y]) = (&from_a[..], &from_b[..]) {
            return self.swap(Portable, *x, *y, change);
        }
        let stride = self.grid.stride();
        for (group, leave, join) in [(*a, from_a, from_b), (*b, from_b, from_a)] {
            if self.has_costs(group) {
                let row = &mut self.gains[group as usize * stride..][..stride];
                leave
                    .iter()
                    .for_each(|&unit| scan::add_row(row, self.grid.row(unit), -1));
                join.iter().for_each(|&unit| scan::add_row(row, self.grid.row(unit), 1));
            }
        }
        self.partition.apply(exchange);
        for &unit in from_a.iter().chain(from_b) {
            self.lanes[unit as usize] = self.partition.group_of(unit);
        }
        self.refresh_own(*a);
        self.refresh_own(*b);
        self.total += change;
    }

    fn reset(&mut self, group_of: &[u32]) {
        self.partition.reset(group_of);
        self.rebuild();
    }

    fn in_costs(&self, total: i64) -> f64 {
        self.grid.in_costs(total)
    }

    fn rounding(&self) -> f64 {
        self.grid.rounding(self.total)
    }

    /// What is forbidden has a price here, and no count.
    fn is_allowed(&self, partition: &Partition) -> bool {
        let mut groups = (0..partition.layout().costly() as u32).map(|group| partition.members(group));
        groups.all(|members| self.grid.are_allowed(members))
    }

    /// Units of one size that all pay each other the same, in groups whose sizes are given, all of which have costs.
    fn is_flat(&self) -> bool {
        let layout = self.partition.layout();
        let is_rigid = layout.bench.is_none() && !is_flexible(layout);
        is_rigid && self.grid.reach() == 0.0
    }

    fn replica(self, rng: &mut ChaCha8Rng) -> PairReplica {
        PairReplica::new(self, rng)
    }

    fn ladder(&self, schedule: &Schedule) -> Ladder {
        match self.tempered() {
            Some(_) => annealing::ladder(schedule),
            None => Ladder::even(schedule),
        }
    }

    /// Measured on random costs: on 120 and 240 players several coolings, heated again, find the best grouping known as
    /// often or more so, and in groups of a dozen they end better. On 480 players the ladder is as good by one cooling
    /// and ahead by two; on 960 it is behind by a third of one and still by twelve.
    fn is_tempered(&self, coolings: f64) -> bool {
        let (units, groups) = (self.grid.units(), self.partition.layout().groups());
        // What takes longest comes last.
        coolings >= LEAST_COOLINGS
            && (FEW + 1..=MANY).contains(&units)
            && units >= LARGE * groups
            && self.tempered().is_some()
            && !self.is_coherent()
    }

    fn cooling(&self) -> f64 {
        let large = (self.grid.units() as f64 / FEW as f64).max(1.0);
        62_500.0 * large * large
    }

    fn schedule(&mut self, _: &mut Control<'_>, _: &mut ChaCha8Rng) -> Schedule {
        self.schedule.unwrap_or_else(|| annealing::schedule(self))
    }

    fn anneal(
        &mut self,
        best: &mut Best<i64>,
        control: &mut Control<'_>,
        stage: &Stage,
        heat: &mut Heat,
        rng: &mut ChaCha8Rng,
    ) {
        annealing::anneal(self, best, control, stage, heat, rng);
    }

    fn descend(&mut self, control: &mut Control<'_>) -> bool {
        descent::descend(self, control)
    }

    fn group_cost(&self, group: u32) -> Option<i64> {
        let members = self.partition.members(group).iter();
        Some(members.map(|&unit| self.share(unit)).sum::<i64>() / 2)
    }
}
