//! Annealing at the speed of vectors.
//!
//! Limits are drawn once and read from a random offset ([`Limits`]). All swaps of a random unit are looked at in turn from
//! a random one on, and the first that passes its limit is made; by bounds, all of a random group ([`Bounds`]). Neither is
//! exactly Metropolis' chain, since swaps are not drawn independently, but each unit meets each other equally often.

use core::ops::Range;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V4};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::gains::Gains;
use super::limits::{Limits, OFFSETS};
#[cfg(target_arch = "x86_64")]
use super::narrow::Few;
use super::narrow::{Bounds, Narrow, NarrowWalk, Rows};
use super::scan::{Portable, Scanner};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::moves::Proposer;
use crate::replica::Ladder;
use crate::state::{Heat, Schedule, State};

/// Far from what is [`BLOCKED`](super::scan::BLOCKED).
const MOST_LIMIT: f32 = (1 << 27) as f32;
/// Temperatures at least, as far as work allows.
const TEMPERATURES: u64 = 64;
/// Share of a stage in which it cools geometrically; in the rest it is quenched.
const SLOW: f64 = 0.9;
/// Where order begins on random costs, in units of [`schedule`].
pub(super) const HOT: f64 = 0.28;

/// Cools from one temperature to another, geometrically over most of the stage; then it is quenched.
pub(crate) fn anneal(
    state: &mut Gains,
    best: &mut Best<i64>,
    control: &mut Control<'_>,
    stage: &Stage,
    heat: &Heat,
    rng: &mut ChaCha8Rng,
) {
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if cool_narrow::<Few>(state, best, control, stage, heat, rng) {
        return;
    }
    if cool_narrow::<Bounds>(state, best, control, stage, heat, rng)
        || cool_narrow::<Rows>(state, best, control, stage, heat, rng)
    {
        return;
    }
    cool(&mut WideWalk::new(state, best), control, stage, heat, rng);
}

/// Cools in 16 bits if costs and groups allow for that in this way, their rounding is below all temperatures and the
/// stage is worth it. Whether it was.
fn cool_narrow<T: Narrow>(
    state: &mut Gains,
    best: &mut Best<i64>,
    control: &mut Control<'_>,
    stage: &Stage,
    heat: &Heat,
    rng: &mut ChaCha8Rng,
) -> bool {
    if state.grid().narrow().is_some_and(|grid| heat.to * grid.factor() < 1.0) {
        return false;
    }
    let Some(mut walk) = NarrowWalk::<T>::of(state, best, control, stage) else {
        return false;
    };
    cool(&mut walk, control, stage, heat, rng);
    walk.conclude();
    true
}

/// Whatever is cooled.
pub(super) trait Walk {
    /// What the change of a swap is held against.
    type Limit: Copy + Default;

    /// The power of a temperature with which the time that is spent about it goes, where time is what is limited.
    const SLOWER: i32;

    /// Swaps to be looked at between two changes of the temperature: a fraction of a millisecond.
    const STEP: u64;

    /// Limits in a row that are read from one offset.
    fn stride(&self) -> usize;

    /// What a swap with each of these draws must stay below. A swap that changes nothing always passes.
    fn fill_limits(limits: &mut [Self::Limit], draws: &[f32], temperature: f32);

    /// A temperature in the numbers of the walk.
    fn temperature(&self, of_state: f64) -> f32;

    /// Looks at about so many swaps. How many it were.
    fn round(&mut self, limits: &[Self::Limit], swaps: u64, rng: &mut ChaCha8Rng) -> u64;

    /// Keeps the present grouping if it is the best, and tells whoever listens.
    fn tell(&mut self, control: &mut Control<'_>);
}

fn cool<W: Walk>(walk: &mut W, control: &mut Control<'_>, stage: &Stage, heat: &Heat, rng: &mut ChaCha8Rng) {
    let mut limits = Limits::exponential(walk.stride(), rng);
    cool_with(&mut limits, walk, control, stage, heat, rng);
}

/// Goes through the temperatures of a stage.
pub(super) fn cool_with<W: Walk>(
    limits: &mut Limits<W::Limit>,
    walk: &mut W,
    control: &mut Control<'_>,
    stage: &Stage,
    heat: &Heat,
    rng: &mut ChaCha8Rng,
) {
    // Neither few temperatures nor work beyond the end, however little there is.
    let step = |control: &Control<'_>| W::STEP.min(stage.left(control) / TEMPERATURES);
    loop {
        let (work, time) = stage.parts(control);
        let done = work.max(time);
        // Where groups are many a step takes milliseconds, which the stages of several walks would add up.
        if done >= 1.0 || control.is_cancelled() && control.is_over() {
            break;
        }
        let temperature = walk.temperature(if done < SLOW {
            heat.at(work / SLOW).min(heat.in_time(time / SLOW, W::SLOWER))
        } else {
            heat.to * (1.0 - done) / (1.0 - SLOW)
        });
        let looked = walk.round(limits.at::<W>(temperature), step(control), rng);
        walk.tell(control);
        if !control.spend(looked) {
            break;
        }
    }
}

/// A grouping whose swaps are scanned.
pub(super) trait Swaps<L> {
    /// The units that a unit can change places with, and the steps in which to pick one of them to begin with.
    fn scanned(&self, x: u32) -> (Range<u32>, u32);

    /// Prepares [`first_swap`](Self::first_swap) for a unit.
    fn load_moves(&mut self, x: u32);

    /// The first unit of a range of which a swap with `x` costs less than its limit.
    fn first_swap(&self, x: u32, from: u32, to: u32, limits: &[L]) -> Option<u32>;

    /// Two units change places; if that makes it worse, the grouping before is kept if it is the best.
    fn swap(&mut self, x: u32, y: u32);
}

/// Where to begin.
#[derive(Clone, Copy)]
pub(super) struct Draw {
    /// Where limits are read from.
    offset: usize,
    /// Where the scan begins.
    start: u32,
}

impl Draw {
    #[inline(always)]
    pub(super) fn new(draw: u32) -> Self {
        Self {
            offset: draw as usize % OFFSETS,
            start: draw,
        }
    }
}

/// A random number below `len` from 32 random bits; the bits that matter most are the high ones.
pub(super) fn scaled(draw: u32, len: u32) -> u32 {
    ((u64::from(draw) * u64::from(len)) >> 32) as u32
}

/// Looks for a swap of a unit, from where the draw says, and makes the first that passes. How many were looked at.
#[inline(always)]
pub(super) fn swap_one<L>(swaps: &mut impl Swaps<L>, x: u32, draw: Draw, limits: &[L]) -> u64 {
    let limits = &limits[draw.offset..];
    let (range, step) = swaps.scanned(x);
    let start = range.start + step * scaled(draw.start, (range.end - range.start) / step);
    swaps.load_moves(x);
    let (found, looked) = match swaps.first_swap(x, start, range.end, limits) {
        Some(y) => (Some(y), y - start + 1),
        None => {
            let behind = range.end - start;
            let found = swaps.first_swap(x, range.start, start, &limits[behind as usize..]);
            let before = found.map_or(start - range.start, |y| y - range.start + 1);
            (found, behind + before)
        }
    };
    if let Some(y) = found {
        swaps.swap(x, y);
    }
    u64::from(looked)
}

/// An annealing on the wide grid, by all moves.
pub(super) struct WideWalk<'a> {
    state: &'a mut Gains,
    best: &'a mut Best<i64>,
    proposer: Proposer,
}

impl Walk for WideWalk<'_> {
    type Limit = i32;

    const SLOWER: i32 = 0;
    const STEP: u64 = 1 << 18;

    fn stride(&self) -> usize {
        self.state.grid().stride()
    }

    fn fill_limits(limits: &mut [i32], draws: &[f32], temperature: f32) {
        for (limit, draw) in limits.iter_mut().zip(draws) {
            *limit = (draw * temperature).min(MOST_LIMIT) as i32 + 1;
        }
    }

    fn temperature(&self, of_state: f64) -> f32 {
        of_state as f32
    }

    fn round(&mut self, limits: &[i32], swaps: u64, rng: &mut ChaCha8Rng) -> u64 {
        let scans = (swaps as usize / self.stride()).clamp(1, OFFSETS);
        #[cfg(target_arch = "x86_64")]
        if self.state.has_few_groups()
            && let Some(simd) = V4::try_new()
        {
            return simd.vectorize(Vectorized(simd, self, limits, scans, rng));
        }
        self.run(Portable, limits, scans, rng)
    }

    fn tell(&mut self, control: &mut Control<'_>) {
        self.best.offer(self.state);
        self.best.tell(self.state, control);
    }
}

/// A round on a processor of one kind.
#[cfg(target_arch = "x86_64")]
struct Vectorized<'a, 'b>(V4, &'a mut WideWalk<'b>, &'a [i32], usize, &'a mut ChaCha8Rng);

#[cfg(target_arch = "x86_64")]
impl NullaryFnOnce for Vectorized<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self(simd, walk, limits, scans, rng) = self;
        walk.run(simd, limits, scans, rng)
    }
}

impl<'a> WideWalk<'a> {
    pub(super) fn new(state: &'a mut Gains, best: &'a mut Best<i64>) -> Self {
        let proposer = Proposer::new(state.partition());
        Self { state, best, proposer }
    }

    pub(super) fn state(&self) -> &Gains {
        self.state
    }

    #[inline(always)]
    fn run(&mut self, scanner: impl Scanner, limits: &[i32], scans: usize, rng: &mut ChaCha8Rng) -> u64 {
        let movable = self.state.partition().layout().movable() as u32;
        let has_others = self.proposer.has_others();
        let mut looked = 0;
        for _ in 0..scans {
            let random = rng.random::<u64>();
            let (x, draw, is_even) = (
                scaled(random as u32, movable),
                Draw::new((random >> 32) as u32),
                random & 1 == 0,
            );
            // Now before the swap, now after it: whoever waits nearly always finds a swap, and would never move from
            // there.
            if has_others && is_even {
                self.move_one(x, limits[draw.offset], rng);
            }
            looked += swap_one(&mut Scanned { scanner, walk: self }, x, draw, limits);
            if has_others && !is_even {
                self.move_one(x, limits[draw.offset], rng);
            }
        }
        looked
    }

    /// Moves a unit to another group, or against a chunk, if that passes.
    fn move_one(&mut self, x: u32, limit: i32, rng: &mut ChaCha8Rng) {
        let Some(exchange) = self.proposer.other(self.state.partition(), x, rng) else {
            return;
        };
        match self.state.change(&exchange) {
            Some(change) if change.cost < i64::from(limit) => {
                if change.cost > 0 {
                    self.best.offer(self.state);
                }
                self.state.apply(&exchange);
            }
            _ => {}
        }
    }
}

/// A walk on a processor of one kind.
struct Scanned<'a, 'b, S> {
    scanner: S,
    walk: &'a mut WideWalk<'b>,
}

impl<S: Scanner> Swaps<i32> for Scanned<'_, '_, S> {
    #[inline(always)]
    fn scanned(&self, x: u32) -> (Range<u32>, u32) {
        self.walk.state.scanned(x)
    }

    #[inline(always)]
    fn load_moves(&mut self, x: u32) {
        self.walk.state.load_moves(x);
    }

    #[inline(always)]
    fn first_swap(&self, x: u32, from: u32, to: u32, limits: &[i32]) -> Option<u32> {
        self.walk.state.first_swap(self.scanner, x, from, to, limits)
    }

    #[inline(always)]
    fn swap(&mut self, x: u32, y: u32) {
        let change = self.walk.state.swap_change(x, y);
        if change > 0 {
            self.walk.best.offer(self.walk.state);
        }
        self.walk.state.swap(self.scanner, x, y, change);
    }
}

/// Temperatures in units of the spread of a pair times the square root of the size of a group: about what the cost of a
/// player in a random group varies by. Measured on random costs, where most of the order comes between 0.28 and 0.17.
pub(super) fn schedule(state: &Gains) -> Schedule {
    let layout = state.partition().layout();
    // Groups that may grow are taken as full: what holds them together must be able to break.
    let costly = layout.costly();
    let room: f64 = layout.bounds[..costly].iter().map(|bound| f64::from(bound.1)).sum();
    let members = layout.units() as f64 / layout.len as f64 * room / costly as f64;
    // Where all cost the same, any temperature does.
    let unit = (state.grid().spread() * members.sqrt()).max(1e-9);
    Schedule {
        reach: HOT * state.grid().reach().max(state.grid().spread()) * members.sqrt(),
        hot: HOT * unit,
        warm: 0.21 * unit,
        cold: 0.17 * unit,
        reheat: Some((0.25 * unit, 0.20 * unit)),
        is_wide: false,
    }
}

/// Temperatures of a tempering and their shares of the work, by trial on random costs with [`Limits::bounded`]: the
/// hottest forgets where it began, and it is there that new valleys come from; the three others tell which of them are
/// deep.
pub(super) fn ladder(schedule: &Schedule) -> Ladder {
    let unit = schedule.hot / HOT;
    Ladder {
        rungs: [(0.265, 0.3), (0.245, 1.0), (0.22, 0.5), (0.185, 0.3)]
            .map(|(temperature, share)| (temperature * unit, share))
            .to_vec(),
        round: 33.0,
    }
}
