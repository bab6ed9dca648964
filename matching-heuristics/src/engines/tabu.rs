//! Tabu search: the best move at every step, better or worse, except that nobody returns soon to a group he has left.
//!
//! The best moves of each two groups are kept, as in the cached climb. What a kept move changes stays true while
//! neither group changes, and nothing between them becomes tabu meanwhile, since only those who have left a group are
//! tabu for it; but a tabu may end. So with each pair goes the step at which a better move of it becomes free.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use smallvec::SmallVec;

use super::climb::{Candidate, each_between, pair, pairs};
use super::shake::{melt, shake};
use crate::best::Best;
use crate::change::Change;
use crate::control::Control;
use crate::moves::Proposer;
use crate::neighbourhood::Sets;
use crate::partition::{Exchange, Partition};
use crate::score::Score;
use crate::state::State;

/// Least number of steps for which a unit may not return.
const TENURE: u64 = 8;
/// Up to so many steps more, for each unit of a mean group.
const SPREAD: f64 = 1.0;
/// Steps without a better grouping, for each unit, before the best one is shaken.
const PATIENCE: u64 = 20;
/// Every so many shakes without a better grouping, the walk begins elsewhere: what is allowed can fall apart into
/// islands. Large problems hardly ever come that far.
const SHAKES: u32 = 8;

/// Groups, at most: some 4 GB for the best move of each two.
pub(super) const MOST_GROUPS: usize = 8_192;

/// Pairs of groups between two looks at whether it is cancelled.
const LOOKS: usize = 1 << 12;

/// Steps until the budget is spent.
pub(super) fn search<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Best<T::Score> {
    let layout = state.partition().layout();
    let patience = PATIENCE * layout.units() as u64;
    let members = layout.units().div_ceil(layout.groups());
    let mut best = Best::of(state);
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return best;
    }
    let mut tabu = Tabu::new(state);
    let (mut last_better, mut shakes) = (0, 0);
    loop {
        tabu.refresh(state, control);
        if !control.spend(0) {
            break;
        }
        if let Some(exchange) = tabu.best_move(state, &best, control) {
            tabu.make(state, &exchange, rng);
        }
        tabu.step += 1;
        if best.offer(state) {
            best.tell(state, control);
            (last_better, shakes) = (tabu.step, 0);
        } else if tabu.step - last_better > patience {
            shakes += 1;
            if shakes % SHAKES == 0 {
                melt(state, control, rng);
            } else {
                state.reset(&best.group_of);
                shake(state, (members, 1), control, rng);
            }
            tabu = Tabu::new(state);
            last_better = 0;
        }
        // Counts for something even where no move is possible, so that every search ends.
        control.spend(1);
    }
    best
}

/// A move in a third of the space: with a thousand groups half a million are kept, and whoever cancels waits until all
/// are given back.
enum Short {
    Swap { x: u32, y: u32 },
    Insert { x: u32, to: u32 },
    Other(Box<Exchange>),
}

impl Short {
    fn new(exchange: Exchange) -> Self {
        match (&*exchange.from_a, &*exchange.from_b) {
            (&[x], &[y]) => Self::Swap { x, y },
            (&[x], &[]) => Self::Insert { x, to: exchange.b },
            _ => Self::Other(Box::new(exchange)),
        }
    }

    /// The move again, while nobody in it has moved.
    fn exchange(&self, partition: &Partition) -> Exchange {
        match self {
            Self::Swap { x, y } => Exchange::swap(partition, *x, *y),
            Self::Insert { x, to } => Exchange::insert(partition, *x, *to),
            Self::Other(exchange) => Exchange::clone(exchange),
        }
    }
}

/// A move, and what it changes.
type Move<S> = (Change<S>, Short);

/// The moves of two groups, as far as they matter.
struct Kept<S> {
    /// The best of those that are free.
    free: Option<Move<S>>,
    /// The best of those that are tabu, if it is better.
    barred: Option<Move<S>>,
    /// The step at which one that is better than the best free one becomes free.
    until: u64,
}

/// What is kept of each two groups, and who may not go where.
struct Tabu<S> {
    step: u64,
    groups: usize,
    kept: Vec<Kept<S>>,
    /// For every unit the groups that it has left of late, each with the step from which on it may return.
    returns: Vec<SmallVec<[(u32, u64); 2]>>,
    sets: Sets,
    /// Greatest number of steps by which a tabu may be longer than the least.
    spread: u64,
}

impl<S: Score> Tabu<S> {
    fn new<T: State<Score = S>>(state: &T) -> Self {
        let layout = state.partition().layout();
        let groups = layout.groups();
        Self {
            step: 0,
            groups,
            // Grows as it is filled: all of it at once would take longer than anybody who cancels should wait.
            kept: Vec::with_capacity(pairs(groups)),
            returns: vec![SmallVec::new(); layout.units()],
            sets: Sets::default(),
            spread: (SPREAD * layout.units() as f64 / groups as f64).ceil() as u64,
        }
    }

    /// Looks again at all pairs of groups that have changed, or where a tabu has ended that matters.
    fn refresh<T: State<Score = S>>(&mut self, state: &mut T, control: &mut Control<'_>) {
        for b in 0..self.groups as u32 {
            if control.is_cancelled() {
                break;
            }
            for a in 0..b {
                if self.kept.get(pair(a, b)).is_some_and(|kept| kept.until > self.step) {
                    continue;
                }
                let Some(found) = self.look(state, (a, b), control) else {
                    return;
                };
                match self.kept.get_mut(pair(a, b)) {
                    Some(kept) => *kept = found,
                    None => self.kept.push(found),
                }
            }
        }
    }

    /// The best moves between two groups; `None` if it was stopped on the way.
    fn look<T: State<Score = S>>(
        &mut self,
        state: &mut T,
        groups: (u32, u32),
        control: &mut Control<'_>,
    ) -> Option<Kept<S>> {
        let mut sets = core::mem::take(&mut self.sets);
        let mut free: Option<Candidate<S>> = None;
        let mut barred: Vec<(Candidate<S>, u64)> = Vec::new();
        let is_whole = each_between(state, groups, &mut sets, control, &mut |state, step| {
            let Some(change) = state.look(&step, free.as_ref().map(|(least, _)| least)) else {
                return;
            };
            let exchange = step.exchange(state.partition());
            match self.free_from(&exchange) {
                from if from > self.step => barred.push(((change, exchange), from)),
                _ => free = Some((change, exchange)),
            }
        });
        self.sets = sets;
        let is_better = |change: Change<S>| free.as_ref().is_none_or(|(least, _)| change < *least);
        barred.retain(|((change, _), _)| is_better(*change));
        let until = barred.iter().map(|(_, from)| *from).min().unwrap_or(u64::MAX);
        let least = barred
            .into_iter()
            .reduce(|one, other| if other.0.0 < one.0.0 { other } else { one });
        let short = |(change, exchange): Candidate<S>| (change, Short::new(exchange));
        is_whole.then(|| Kept {
            barred: least.map(|(candidate, _)| short(candidate)),
            until,
            free: free.map(short),
        })
    }

    /// The step from which on nobody in a move is tabu.
    fn free_from(&self, exchange: &Exchange) -> u64 {
        let returns = |unit: &u32, group: u32| {
            let left = self.returns[*unit as usize].iter().find(|left| left.0 == group);
            left.map_or(0, |left| left.1)
        };
        let one = exchange.from_a.iter().map(|unit| returns(unit, exchange.b));
        let other = exchange.from_b.iter().map(|unit| returns(unit, exchange.a));
        one.chain(other).max().unwrap_or(0)
    }

    /// The best of all moves that are free, or lead to something better than all before.
    fn best_move<T: State<Score = S>>(&self, state: &T, best: &Best<S>, control: &Control<'_>) -> Option<Exchange> {
        let (forbidden, total) = state.rank();
        let is_record = |(change, _): &&Move<S>| {
            let forbidden = forbidden.saturating_add_signed(i64::from(change.forbidden));
            (forbidden, total + change.cost) < best.rank
        };
        // With a thousand groups there are half a million pairs: a tenth of a second, which nobody who cancels should
        // wait.
        let parts = self.kept.chunks(LOOKS).take_while(|_| !control.is_cancelled());
        let least = parts.filter_map(|part| {
            let free = part.iter().filter_map(|kept| kept.free.as_ref());
            let barred = part.iter().filter_map(|kept| kept.barred.as_ref());
            free.chain(barred.filter(is_record)).reduce(better)
        });
        least.reduce(better).map(|(_, short)| short.exchange(state.partition()))
    }

    /// Makes a move; those who left a group may not return for a while, and pairs with either group are stale.
    fn make<T: State<Score = S>>(&mut self, state: &mut T, exchange: &Exchange, rng: &mut ChaCha8Rng) {
        state.apply(exchange);
        let Exchange { a, b, from_a, from_b } = exchange;
        for (units, left) in [(from_a, *a), (from_b, *b)] {
            for &unit in units {
                let tenure = TENURE + rng.random_range(0..=self.spread);
                let returns = &mut self.returns[unit as usize];
                returns.retain(|(group, from)| *from > self.step && *group != left);
                returns.push((left, self.step + 1 + tenure));
            }
        }
        for group in 0..self.groups as u32 {
            for changed in [*a, *b] {
                if group != changed {
                    self.kept[pair(group.min(changed), group.max(changed))].until = 0;
                }
            }
        }
    }
}

/// The first among equals.
fn better<'a, S: Score>(one: &'a Move<S>, other: &'a Move<S>) -> &'a Move<S> {
    if other.0 < one.0 { other } else { one }
}
