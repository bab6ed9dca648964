//! Multilevel aggregation: chains that are balanced by many small steps, such as queues side by side.
//!
//! Sweeps balance states against their neighbours quickly, and far parts of a chain against each other hardly at all. So
//! states are taken together in pairs, pairs of pairs and so on until few are left. On each level moves are weighed by
//! the present weights of the level below; there a sweep balances neighbours, a level further up what lies apart, and
//! each state gets what its pair does, in the proportion that it had. All weights stay positive.
//!
//! A pair moves as one, though what is smooth does not: what pairs say is too little by a factor of about two in each
//! direction of a grid. So they are followed somewhat further than they say, on every second level. Levels in between
//! are visited twice, for otherwise the more levels there are, the less each cycle gains. What is represented exactly is
//! then over-corrected by six tenths at most, whatever the depth at which it is found.
//!
//! References: G. Horton, S. Leutenegger, "A multi-level solution algorithm for steady-state Markov chains", ACM
//! SIGMETRICS 1994; D. Braess, "Towards algebraic multigrid for elliptic problems of second order", Computing 55 (1995),
//! 379-393 (over-correction).

use super::inflows::{Inflows, heaviest};
use super::pairs::{NONE, Pairs};
use crate::elimination::{Elimination, Room, Within};

/// Levels end where so few states are left.
const FEW: usize = 16;
/// So many may be left where hardly any more can be paired.
const MOST: usize = 128;
/// Of how many states at most, in hundredths, a level may be.
const SHRINKS: usize = 95;
/// Moves on all levels that a cycle may look at, in proportion to those of the chain.
const WORK: usize = 12;
/// How often a level is visited from those below it.
const TIMES: [usize; 2] = [1, 2];
/// How far states follow their pair.
const FURTHER: f64 = 1.6;
/// What they follow only as far as it says: weights are not near the stationary ones yet.
const NEAR: core::ops::Range<f64> = 0.5..2.0;

/// A chain taken together level by level.
#[derive(Debug)]
pub(super) struct Levels<'m> {
    /// From the chain of pairs to the one of few states.
    levels: Vec<Level<'m>>,
    cycles: usize,
    /// As after [`Levels::settle`].
    are_settled: bool,
}

/// The chain of the pairs of a finer one.
#[derive(Debug)]
struct Level<'m> {
    /// The pair of each finer state.
    of: Vec<u32>,
    /// Where each move of the finer chain counts among those of pairs.
    places: Vec<u32>,
    chain: Inflows<'m>,
    /// Weights of pairs.
    sizes: Vec<f64>,
    /// Whether floats hold all weights and rates, and each pair is left some time.
    is_whole: bool,
}

impl<'m> Levels<'m> {
    /// Levels of an irreducible chain from positive weights; `None` if it cannot be taken together to few states at
    /// little work.
    pub(super) fn find(chain: &Inflows<'m>, weight: &[f64]) -> Option<Self> {
        let mut x = weight.to_vec();
        chain.sweep(&mut x, 1.0);
        chain.sweep_back(&mut x);
        Some(Self {
            levels: build(chain, &x)?,
            cycles: 0,
            are_settled: false,
        })
    }

    /// Balances weights on all levels. Returns whether all could be: otherwise little is known of what is not.
    ///
    /// The third cycle, the fifth, the ninth and so on find pairs anew, by weights that say better which states belong
    /// together, until these are settled.
    pub(super) fn cycle(&mut self, chain: &Inflows<'m>, x: &mut [f64]) -> bool {
        if !self.are_settled
            && self.cycles > 1
            && self.cycles.is_power_of_two()
            && let Some(levels) = build(chain, x)
        {
            self.levels = levels;
        }
        self.cycles += 1;
        cycle(chain, x, &mut self.levels, 0)
    }

    /// Pairs stay what they are: how errors decay is known of these, not of others.
    pub(super) fn settle(&mut self) {
        self.are_settled = true;
    }

    /// What [`Levels::cycle`] makes of a small difference to weights `x` that are stationary.
    pub(super) fn cycle_of_difference(&self, chain: &Inflows<'_>, x: &[f64], difference: &mut [f64]) {
        let outside = vec![0.0; x.len()];
        cycle_of_difference(chain, x, (difference, &outside), &self.levels, 0);
    }
}

/// Pairs, pairs of pairs and so on; nothing as well where the solve is to end.
fn build<'m>(chain: &Inflows<'m>, x: &[f64]) -> Option<Vec<Level<'m>>> {
    let mut levels: Vec<Level<'m>> = Vec::new();
    let mut left = WORK * chain.into.entries();
    let mut times = 1;
    loop {
        let (finer, x) = match levels.last() {
            Some(level) => (&level.chain, &level.sizes[..]),
            None => (chain, x),
        };
        let work = times * finer.into.entries();
        if finer.len() <= FEW {
            break;
        }
        let Some(level) = (left >= work).then(|| Level::of(finer, x)).flatten() else {
            // It stays what it is, if that is few enough to be eliminated.
            let is_end = !levels.is_empty() && finer.len() <= MOST;
            return is_end.then_some(levels);
        };
        left -= work;
        chain.meter.spend(finer.into.entries() as u64).ok()?;
        times *= TIMES[levels.len() % 2];
        levels.push(level);
    }
    (!levels.is_empty()).then_some(levels)
}

/// How often the first of the levels `above` is visited from the one at this depth: once where it has the few states
/// that are eliminated.
fn visits(depth: usize, above: &[Level<'_>]) -> usize {
    if above.is_empty() { 1 } else { TIMES[depth % 2] }
}

/// How far states at this depth follow what their pair does.
fn followed(ratio: f64, depth: usize) -> f64 {
    match depth % 2 {
        _ if !ratio.is_normal() => 1.0,
        0 if NEAR.contains(&ratio) => ratio.powf(FURTHER),
        _ => ratio,
    }
}

/// The same for small differences.
fn further(depth: usize) -> f64 {
    if depth.is_multiple_of(2) { FURTHER } else { 1.0 }
}

/// One cycle on a chain and the levels above it. Returns whether all could be balanced.
fn cycle(chain: &Inflows<'_>, x: &mut [f64], levels: &mut [Level<'_>], depth: usize) -> bool {
    let Some((level, above)) = levels.split_first_mut() else {
        return eliminate(chain, x);
    };
    chain.sweep_back(x);
    level.weigh(chain, x);
    let mut is_whole = level.is_whole;
    if is_whole {
        let mut weights = level.sizes.clone();
        for _ in 0..visits(depth, above) {
            is_whole &= cycle(&level.chain, &mut weights, above, depth + 1);
        }
        level.follow(&weights, x, depth);
    }
    chain.sweep(x, 1.0);
    is_whole
}

/// The same for a difference, with what comes from outside.
fn cycle_of_difference(
    chain: &Inflows<'_>,
    x: &[f64],
    (difference, outside): (&mut [f64], &[f64]),
    levels: &[Level<'_>],
    depth: usize,
) {
    let Some((level, above)) = levels.split_first() else {
        return eliminate_difference(chain, x, (difference, outside));
    };
    chain.settle_back(difference, outside);
    if level.is_whole {
        let off = level.off(chain, difference, outside);
        let mut shift = vec![0.0; off.len()];
        for _ in 0..visits(depth, above) {
            cycle_of_difference(&level.chain, &level.sizes, (&mut shift, &off), above, depth + 1);
        }
        level.follow_difference(&shift, x, difference, depth);
    }
    chain.settle(difference, outside);
}

/// Weights of the few states that are left, as heavy as before; returns whether floats hold them.
fn eliminate(chain: &Inflows<'_>, x: &mut [f64]) -> bool {
    let sum: f64 = x.iter().sum();
    let room = Room::within_step(chain.meter);
    let done = Elimination::within(&chain.into.transposed(), None, None, room).ok();
    let Some(weights) = done.and_then(|done| done.weights(chain.meter).ok()) else {
        return false;
    };
    let weights = weights.values;
    let is_whole = weights.iter().all(|weight| weight.is_normal());
    for (x, weight) in x.iter_mut().zip(weights).filter(|(_, weight)| weight.is_normal()) {
        *x = sum * weight;
    }
    is_whole
}

/// What comes from outside is led through the chain until it comes to the heaviest state: to a light one it would go
/// so often round before that roundings were all that is left.
fn eliminate_difference(chain: &Inflows<'_>, x: &[f64], (difference, outside): (&mut [f64], &[f64])) {
    let heaviest = heaviest(x);
    let rates = chain.into.transposed();
    let states = (0..chain.len()).filter(|&state| state != heaviest).collect();
    let room = Room::within_step(chain.meter);
    let Ok(others) = Within::new(chain.len(), states, |state| rates.row(state), room) else {
        return;
    };
    let Ok(visits) = others.visits(|state| outside[state], chain.meter) else {
        return;
    };
    let shift = visits.rounded();
    difference[heaviest] = 0.0;
    for (&state, part) in others.states.iter().zip(shift) {
        difference[state] = part;
    }
}

impl<'m> Level<'m> {
    /// The pairs of a chain; nothing if they are hardly fewer than its states, or the solve is to end.
    fn of(finer: &Inflows<'m>, x: &[f64]) -> Option<Self> {
        let pairs = Pairs::find(finer, x);
        if finer.meter.halted().is_some() || pairs.len() * 100 > finer.len() * SHRINKS || pairs.len() < 2 {
            return None;
        }
        let (into, places) = pairs.moves(finer)?;
        let chain = Inflows {
            into,
            holding: vec![0.0; pairs.len()],
            meter: finer.meter,
        };
        let mut level = Self {
            sizes: vec![0.0; pairs.len()],
            of: pairs.of,
            places,
            chain,
            is_whole: true,
        };
        level.weigh(finer, x);
        level.is_whole.then_some(level)
    }

    /// Weighs moves by weights of the finer chain; not all of them where the solve is to end.
    fn weigh(&mut self, finer: &Inflows<'_>, x: &[f64]) {
        self.sizes.fill(0.0);
        let flows = self.chain.into.values_mut();
        flows.fill(0.0);
        let states = self
            .of
            .iter()
            .enumerate()
            .take_while(|&(state, _)| finer.goes_on(state));
        for (state, &pair) in states.filter(|(_, pair)| **pair != NONE) {
            self.sizes[pair as usize] += x[state];
            let (sources, rates) = finer.into.row_slices(state);
            let places = &self.places[finer.into.range(state)];
            for ((&place, &from), &rate) in places.iter().zip(sources).zip(rates) {
                if place != NONE {
                    flows[place as usize] += x[from as usize] * rate;
                }
            }
        }
        self.leave();
        let mut numbers = self.chain.holding.iter().chain(&self.sizes);
        self.is_whole = numbers.all(|value| value.is_normal());
    }

    /// Makes rates of flows, and times that pairs are kept.
    fn leave(&mut self) {
        let exits = &mut self.chain.holding;
        exits.fill(0.0);
        for pair in 0..exits.len() {
            let (sources, rates) = self.chain.into.row_slices_mut(pair);
            for (&from, rate) in sources.iter().zip(rates) {
                *rate /= self.sizes[from as usize];
                exits[from as usize] += *rate;
            }
        }
        exits.iter_mut().for_each(|exit| *exit = exit.recip());
    }

    /// States follow what has become of their pairs.
    fn follow(&self, weights: &[f64], x: &mut [f64], depth: usize) {
        let ratios = weights.iter().zip(&self.sizes);
        let factors: Vec<f64> = ratios.map(|(new, old)| followed(new / old, depth)).collect();
        for (x, &pair) in x.iter_mut().zip(&self.of).filter(|(_, pair)| **pair != NONE) {
            *x *= factors[pair as usize];
        }
    }

    /// The same for a difference to weights `x`.
    fn follow_difference(&self, shift: &[f64], x: &[f64], difference: &mut [f64], depth: usize) {
        for (state, part) in difference.iter_mut().enumerate() {
            let pair = self.of[state];
            if pair != NONE {
                *part += further(depth) * x[state] / self.sizes[pair as usize] * shift[pair as usize];
            }
        }
    }

    /// What pairs are off balance by, for a difference and what comes from outside.
    fn off(&self, finer: &Inflows<'_>, difference: &[f64], outside: &[f64]) -> Vec<f64> {
        let mut off = vec![0.0; self.sizes.len()];
        let states = self
            .of
            .iter()
            .enumerate()
            .take_while(|&(state, _)| finer.goes_on(state));
        for (state, &pair) in states.filter(|(_, pair)| **pair != NONE) {
            let inflow = finer.inflow(state, difference) + outside[state];
            off[pair as usize] += inflow - difference[state] / finer.holding[state];
        }
        off
    }
}

#[cfg(test)]
mod tests {
    use super::super::inflows::Inflows;
    use super::Levels;
    use crate::budget::Meter;
    use crate::sparse::Csr;

    /// Two queues side by side.
    fn queues<'m>(rooms: usize, meter: &'m Meter<'m>) -> Inflows<'m> {
        let row = |state: usize| {
            let (i, j) = (state / rooms, state % rooms);
            let joins = [
                (i + 1 < rooms).then(|| (state + rooms, 0.8)),
                (j + 1 < rooms).then(|| (state + 1, 0.9)),
            ];
            let leaves = [(i > 0).then(|| (state - rooms, 1.0)), (j > 0).then(|| (state - 1, 1.0))];
            joins.into_iter().chain(leaves).flatten().collect::<Vec<_>>()
        };
        let rates = Csr::from_rows(rooms * rooms, (0..rooms * rooms).map(row));
        let into = rates.transposed();
        Inflows::new(&rates, into, meter)
    }

    #[test]
    fn a_cycle_does_to_small_differences_what_is_said_of_them() {
        let meter = Meter::unlimited();
        let chain = queues(12, &meter);
        let mut x: Vec<f64> = vec![1.0 / 144.0; 144];
        let mut levels = Levels::find(&chain, &x).expect("pairs");
        assert!((0..60).all(|_| levels.cycle(&chain, &mut x)));
        let still = x.clone();
        let scale = 1e-6;
        let part = |state: usize| ((state * 37 % 101) as f64 - 50.0) / 50.0;
        let mut difference: Vec<f64> = still.iter().enumerate().map(|(at, x)| x * part(at)).collect();
        let mut moved: Vec<f64> = still
            .iter()
            .zip(&difference)
            .map(|(x, part)| x + scale * part)
            .collect();
        levels.cycle_of_difference(&chain, &still, &mut difference);
        assert!(levels.cycle(&chain, &mut moved));
        // All weights alike do not count.
        let share = |values: &[f64]| values.iter().sum::<f64>();
        let (whole, alike) = (share(&still), share(&difference));
        let of_moved = share(&moved) / whole;
        for ((moved, still), part) in moved.iter().zip(&still).zip(&difference) {
            let expected = part - alike / whole * still;
            let found = (moved / of_moved - still) / scale;
            assert!((found - expected).abs() <= 1e-5 * still.max(1e-3), "{found} {expected}");
        }
    }

    /// In which cycles pairs are found anew.
    fn changes<'m>(chain: &Inflows<'m>, start: &[f64], mut levels: Levels<'m>) -> Vec<usize> {
        let pairs = |levels: &Levels<'_>| levels.levels.iter().map(|level| level.of.clone()).collect::<Vec<_>>();
        let mut x = start.to_vec();
        let mut found = Vec::new();
        for cycle in 1..=10 {
            let before = pairs(&levels);
            assert!(levels.cycle(chain, &mut x));
            found.extend((pairs(&levels) != before).then_some(cycle));
        }
        found
    }

    /// Pairs were found anew after the decay of errors by cycles of theirs had been measured.
    #[test]
    fn pairs_that_are_settled_stay() {
        let meter = Meter::unlimited();
        let chain = queues(12, &meter);
        // Far from the stationary ones, so that the first pairs are not the last.
        let start: Vec<f64> = (0..144).map(|at| 10_f64.powi(at * 37 % 101 % 13)).collect();
        let levels = || Levels::find(&chain, &start).expect("pairs");
        let unsettled = changes(&chain, &start, levels());
        assert!(
            !unsettled.is_empty() && unsettled.iter().all(|cycle| [3, 5, 9].contains(cycle)),
            "{unsettled:?}"
        );
        let mut settled = levels();
        settled.settle();
        assert_eq!(changes(&chain, &start, settled), []);
    }

    #[test]
    fn what_cannot_be_paired_has_no_levels() {
        // All states lead to the first one and back.
        let star = Csr::from_rows(
            500,
            (0..500).map(|state| match state {
                0 => (1..500).map(|to| (to, 1.0)).collect(),
                _ => vec![(0, 1.0)],
            }),
        );
        let meter = Meter::unlimited();
        let chain = Inflows::new(&star, star.transposed(), &meter);
        assert!(Levels::find(&chain, &vec![0.002; 500]).is_none());
    }
}
