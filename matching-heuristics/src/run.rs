//! From a search to its answer: reads costs, picks what to do, and counts what came of it.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use matching_core::{CancelToken, Cost, CostValue};

use crate::control::{Limits, Share, Stop, Target};
use crate::engine::Engine;
use crate::engines::{self, Outcome, Setting};
use crate::error::Error;
use crate::exhaustive::{self, CostOf, Plan, Prices, Room};
use crate::grouping::{self, Grouping, Uncounted, count};
use crate::instance::{Costs, WholeCost};
use crate::layout::Layout;
use crate::pairwise::{Gains, Grid, Unread, calibrate, deal, is_calibrated};
use crate::partition::Partition;
use crate::search::Search;
use crate::start;
use crate::state::State;
use crate::whole::{Failure, InScores, Whole};

/// Moves that are looked at without a limit, for each player: by pairs, by group.
const WORK: (u64, u64) = (200_000, 2_000);
/// Moves between two looks at the clock: well below a millisecond, unless a group takes long to cost.
const STRIDE: (u64, u64) = (1 << 13, 64);
/// What trying everything counts as: a look at a known group takes 3 ns, ten swaps of pairs or a hundredth of the cost
/// of a group; to add up the pairs of a group takes some hundred swaps, more in large groups.
const PRICES: (Prices, Prices) = (
    Prices {
        group: 300,
        looks: 1,
        moves: 8,
        second: 3e9,
    },
    Prices {
        group: 1,
        looks: 64,
        moves: 1,
        second: 2e6,
    },
);
/// Swaps that take as long as adding up one pair.
const ADDED: u64 = 8;
/// Without a limit, trying everything may count as so many times the moves that a walk would look at, as among few players
/// these take so much longer than they count: by pairs in 16 bits, in 32, by group.
const WORTH: (u64, u64, u64) = (4, 10, 2);
/// A walk by group asks for a group in so many moves, at least: climbs have kept most of what they look at, the more of it
/// the fewer groups there are.
const MOVES_ASKED: u64 = 2;
/// Share of the time within which everything must have been tried, or walks begin.
const TRYING: f64 = 0.5;

/// How a search came to its end.
struct Ended {
    engine: Engine,
    work: u64,
    stop: Stop,
}

impl Ended {
    /// Cancelled, or out of time, before it began.
    fn before(setting: &Setting<'_>) -> Self {
        Self {
            engine: setting.engine,
            work: 0,
            stop: if setting.limits.is_cancelled() {
                Stop::Cancelled
            } else {
                Stop::Time
            },
        }
    }

    /// What is wrong with what was found.
    fn refused(&self, why: Uncounted) -> Error {
        let Self { work, stop, .. } = *self;
        match why {
            Uncounted::Wrong(error) => error,
            Uncounted::Forbidden(members) if stop == Stop::Exhausted => Error::AllForbidden { members, work },
            Uncounted::Forbidden(members) => Error::OnlyForbidden { members, stop, work },
        }
    }
}

/// A grouping and how it was come by.
type Found = (Vec<u32>, Ended);

/// Searches; see [`Search::run`].
pub(crate) fn run<V: CostValue>(search: &Search<'_, V>) -> Result<Grouping<V>, Error> {
    let start = Instant::now();
    if let Some(incumbent) = &search.limits.incumbent {
        incumbent.clear();
    }
    // Nothing is less than NaN, and the search would go on to its end.
    if search
        .target
        .is_some_and(|target| target.partial_cmp(&target).is_none())
    {
        return Err(Error::TargetNotANumber);
    }
    let layout = search.instance.layout();
    let warm = search.warm.as_ref();
    let warm = warm.map(|groups| start::from_groups(layout, groups)).transpose()?;
    let is_enough = |cost: V::Total| search.target.is_some_and(|target| cost <= target);
    let met = Mutex::new(None);
    // As the answer is counted, in the same order: float sums depend on it.
    let is_met = |groups: &[Vec<usize>]| {
        let mut costly = groups[..search.instance.groups().len()].to_vec();
        arrange(search, &mut costly);
        let is_met = count(search.instance, &costly).is_ok_and(is_enough);
        if is_met {
            let mut met = met.lock().unwrap_or_else(PoisonError::into_inner);
            met.get_or_insert_with(|| groups.to_vec());
        }
        is_met
    };
    let target = search.target.map(|target| Target {
        near: target.to_f64(),
        is_met: &is_met,
    });
    let unfit = RefCell::new(None);
    let (group_of, ended) = match search.instance.costs {
        Costs::Pairs(cost) => {
            let mut setting = setting(search, start, warm.clone(), (WORK.0, STRIDE.0), &CancelToken::new());
            setting.limits.target = target;
            by_pairs(search, cost, &mut setting)?
        }
        Costs::Whole(cost, asked) => {
            let end = Share::all(&search.limits, start).end;
            let failure = Failure::new(search.limits.cancel.clone(), end);
            let mut setting = setting(search, start, warm.clone(), (WORK.1, STRIDE.1), &failure.flag);
            setting.limits.target = target;
            let found = by_group(search, (cost, asked), &setting, &failure, &unfit);
            failure.take().map_or(Ok(()), Err)?;
            found?
        }
    };
    let found = match answer(search, &group_of, &ended, start) {
        // The one with the fewest forbidden groups of all has some; others may have groups whose cost does not fit.
        Err(error @ Error::AllForbidden { .. }) => Err(match unfit.take() {
            Some(members) => Error::GroupNotANumber { members },
            None => error,
        }),
        found => found,
    };
    // What walks compare is rounded: what seems to be no worse than the one that has met the target may not meet it.
    let met = met.into_inner().unwrap_or_else(PoisonError::into_inner);
    let found = match met.filter(|_| ended.stop == Stop::Target) {
        Some(groups) if !found.as_ref().is_ok_and(|found| is_enough(found.cost)) => {
            answer(search, &start::from_groups(layout, &groups)?, &ended, start)
        }
        _ => found,
    };
    let Some(warm) = warm else {
        return found;
    };
    // On a coarse grid, what looks no worse than the warm start may be worse, or forbidden even.
    match (found, answer(search, &warm, &ended, start)) {
        (Ok(found), Ok(first)) if first.cost <= found.cost => Ok(first),
        // What was tried cannot be counted, and so proves nothing.
        (Err(_), Ok(first)) => Ok(Grouping {
            stop: match first.stop {
                Stop::Exhausted => Stop::Finished,
                stop => stop,
            },
            ..first
        }),
        (found, _) => found,
    }
}

/// What engines are told.
fn setting<'a, V: CostValue>(
    search: &Search<'a, V>,
    start: Instant,
    warm: Option<Vec<u32>>,
    (work, stride): (u64, u64),
    failed: &CancelToken,
) -> Setting<'a> {
    let limits = &search.limits;
    let default_work = work * search.instance.len() as u64;
    Setting {
        limits: Limits {
            failed: failed.clone(),
            reached: CancelToken::new(),
            costly: search.instance.groups().len(),
            work: limits.work.or_else(|| limits.time.is_none().then_some(default_work)),
            ..limits.clone()
        },
        start,
        seed: search.seed,
        stride,
        walks: search.walks,
        engine: search.engine,
        layout: Arc::clone(search.instance.layout()),
        warm,
        dealt: None,
        starts: search.starts,
        packed: OnceLock::new(),
    }
}

fn by_pairs<V: CostValue>(
    search: &Search<'_, V>,
    cost: &dyn Cost<Value = V>,
    setting: &mut Setting<'_>,
) -> Result<Found, Error> {
    setting.limits.check_memory(&setting.layout)?;
    let end = Share::all(&setting.limits, setting.start).end;
    let is_over = || setting.limits.is_cancelled() || end.is_some_and(|end| Instant::now() >= end);
    let Some(grid) = Grid::new(cost, &setting.layout, &is_over)? else {
        let first = setting.start(0)?;
        check_directions(cost, &setting.layout, &first)?;
        return Ok((first, Ended::before(setting)));
    };
    let grid = Arc::new(grid);
    let first = setting.start(0)?;
    let cost_of = |members: &[usize]| match grouping::pairs(cost, members) {
        Ok(total) => Ok(Some(total)),
        Err(Uncounted::Forbidden(_)) => Ok(None),
        Err(Uncounted::Wrong(error)) => Err(error),
    };
    let prices = Prices {
        group: PRICES.0.group.max(ADDED * most_pairs(&setting.layout)),
        ..PRICES.0
    };
    let worth = if grid.is_narrow() { WORTH.0 } else { WORTH.1 };
    let unlimited = Room {
        work: setting.moves().saturating_mul(worth),
        asked: u64::MAX,
    };
    match try_all(search, setting, (prices, unlimited), &cost_of) {
        Ok(Some(found)) => return Ok(found),
        // Some group's total does not fit its type: that of a good grouping may.
        Ok(None) | Err(Error::CostOverflow) => {}
        Err(error) => return Err(error),
    }
    walk_by_pairs(setting, &first, &grid)
}

/// Looks at the pairs of a grouping in both directions, where nobody has before and they may differ: whoever counts it
/// reads each pair once.
fn check_directions<V: CostValue>(
    cost: &dyn Cost<Value = V>,
    layout: &Arc<Layout>,
    group_of: &[u32],
) -> Result<(), Error> {
    if cost.is_symmetric() {
        return Ok(());
    }
    let unread = Unread::new(cost);
    let groups = Partition::new(Arc::clone(layout), group_of).players();
    for members in &groups[..layout.costly()] {
        for (at, &i) in members.iter().enumerate() {
            members[at + 1..]
                .iter()
                .try_for_each(|&j| unread.read(i, j).map(drop))?;
        }
    }
    Ok(())
}

/// Searches by pairs. Not generic, so that engines are compiled once and not for every type of cost.
fn walk_by_pairs(setting: &mut Setting<'_>, first: &[u32], grid: &Arc<Grid>) -> Result<Found, Error> {
    if setting.limits.is_cancelled() {
        return Ok((first.to_vec(), Ended::before(setting)));
    }
    let cancel = setting.limits.cancel.clone().unwrap_or_default();
    let first = Partition::new(Arc::clone(&setting.layout), first);
    let state = Gains::new(Arc::clone(grid), first, cancel);
    let (state, spent) = prepare(setting, state)?;
    let (group_of, ended) = walk(setting, &state)?;
    let work = ended.work + spent;
    Ok((group_of, Ended { work, ..ended }))
}

/// For annealing, where it is worth it: temperatures by trial, and a start that is better than one at random. With what
/// that took of the budget.
fn prepare(setting: &mut Setting<'_>, mut state: Gains) -> Result<(Gains, u64), Error> {
    let share = Share::all(&setting.limits, setting.start);
    let mut control = setting.control(0, share);
    let is_annealed = matches!(setting.engine, Engine::Auto | Engine::Annealing);
    if !is_annealed || state.is_flat() || !is_calibrated(&state, &control) {
        return Ok((state, 0));
    }
    let is_over = || setting.limits.is_cancelled() || share.end.is_some_and(|end| Instant::now() >= end);
    let is_free = setting.warm.is_none() && setting.starts.is_none();
    if is_free && let Some(group_of) = deal(state.grid(), &setting.layout, setting.shape()?, &is_over) {
        state.reset(&group_of);
    }
    let mut settled = state.clone();
    let schedule = settled
        .descend(&mut control)
        .then(|| calibrate(&settled, &mut control))
        .flatten();
    if is_free {
        state = settled;
    }
    let spent = control.work();
    setting.dealt = is_free.then(|| state.partition().groups_of().to_vec());
    setting.limits.work = setting.limits.work.map(|work| work.saturating_sub(spent));
    Ok((state.with_schedule(schedule), spent))
}

/// Pairs of the largest group.
fn most_pairs(layout: &Layout) -> u64 {
    let most = layout.bounds[..layout.costly()].iter().map(|bound| u64::from(bound.1));
    most.max().map_or(0, |most| most * most.saturating_sub(1) / 2)
}

fn by_group<V: CostValue>(
    search: &Search<'_, V>,
    (cost, asked): (&dyn WholeCost<V>, InScores<'_>),
    setting: &Setting<'_>,
    failure: &Failure,
    unfit: &RefCell<Option<Vec<usize>>>,
) -> Result<Found, Error> {
    let first = setting.start(0)?;
    let cost_of = |members: &[usize]| match grouping::whole(cost, members) {
        Ok(total) => Ok(Some(total)),
        Err(Uncounted::Forbidden(_)) => Ok(None),
        // Its cost does not fit the type, and no answer that has it could be counted.
        Err(_) if cost.checked_group(members).is_none() => {
            unfit.borrow_mut().get_or_insert_with(|| members.to_vec());
            Ok(None)
        }
        Err(Uncounted::Wrong(error)) => Err(error),
    };
    let moves = setting.moves();
    let unlimited = Room {
        work: moves.saturating_mul(WORTH.2),
        asked: moves / MOVES_ASKED,
    };
    if let Some(found) = try_all(search, setting, (PRICES.1, unlimited), &cost_of)? {
        return Ok(found);
    }
    walk_by_group(setting, &first, asked, failure)
}

/// Searches by group. Not generic either.
fn walk_by_group(setting: &Setting<'_>, first: &[u32], asked: InScores<'_>, failure: &Failure) -> Result<Found, Error> {
    if setting.limits.is_cancelled() {
        return Ok((first.to_vec(), Ended::before(setting)));
    }
    let first = Partition::new(Arc::clone(&setting.layout), first);
    match asked {
        InScores::Integers(cost) => walk(setting, &Whole::new(cost, first, failure.clone())),
        InScores::Floats(cost) => walk(setting, &Whole::new(cost, first, failure.clone())),
    }
}

/// The best of all groupings, where it is left to the search how to find it and the budget is enough to try all; without
/// a limit, where it takes no more than this room.
fn try_all<V: CostValue>(
    search: &Search<'_, V>,
    setting: &Setting<'_>,
    (prices, unlimited): (Prices, Room),
    cost_of: &CostOf<'_, V::Total>,
) -> Result<Option<Found>, Error> {
    if setting.engine != Engine::Auto {
        return Ok(None);
    }
    let of_time = setting
        .limits
        .time
        .map(|time| time.as_secs_f64() * TRYING * prices.second);
    let most = setting.moves();
    let room = if search.limits.work.is_none() && of_time.is_none() {
        unlimited
    } else {
        Room {
            work: of_time.map_or(most, |of_time| most.min(of_time as u64)),
            asked: u64::MAX,
        }
    };
    let Some(plan) = Plan::new(&setting.layout, prices, room) else {
        return Ok(None);
    };
    let share = Share {
        work: None,
        ..Share::all(&setting.limits, setting.start).part(1.0, TRYING)
    };
    let mut control = setting.control(0, share);
    let Some(group_of) = exhaustive::enumerate(&plan, cost_of, &mut control)? else {
        return Ok(None);
    };
    let groups = Partition::new(Arc::clone(&setting.layout), &group_of).players();
    if let Ok(cost) = count(search.instance, &groups[..search.instance.groups().len()]) {
        control.tell(0, cost.to_f64(), 0.0, || groups.clone());
    }
    let ended = Ended {
        engine: Engine::Auto,
        work: control.work(),
        stop: Stop::Exhausted,
    };
    Ok(Some((group_of, ended)))
}

/// The best grouping of an engine, from where a state stands.
fn walk<T: State>(setting: &Setting<'_>, state: &T) -> Result<Found, Error> {
    let Outcome {
        best,
        work,
        stop,
        engine,
    } = engines::run(setting, state)?;
    Ok((best.group_of, Ended { engine, work, stop }))
}

/// A grouping by players, counted afresh.
fn answer<V: CostValue>(
    search: &Search<'_, V>,
    group_of: &[u32],
    ended: &Ended,
    start: Instant,
) -> Result<Grouping<V>, Error> {
    let layout = search.instance.layout();
    let mut groups = Partition::new(Arc::clone(layout), group_of).players();
    let bench = groups
        .split_off(search.instance.groups().len())
        .pop()
        .unwrap_or_default();
    arrange(search, &mut groups);
    Ok(Grouping {
        cost: count(search.instance, &groups).map_err(|why| ended.refused(why))?,
        groups,
        bench,
        engine: ended.engine,
        seed: search.seed,
        work: ended.work,
        elapsed: start.elapsed(),
        stop: ended.stop,
    })
}

/// Puts groups in order where nothing says which of them is which.
fn arrange<V: CostValue>(search: &Search<'_, V>, groups: &mut [Vec<usize>]) {
    let layout = search.instance.layout();
    if search.warm.is_none() && !layout.has_pins() {
        sort_alike(groups, layout);
    }
}

/// Groups of the same bounds by their first member: which of them is which means nothing.
fn sort_alike(groups: &mut [Vec<usize>], layout: &Layout) {
    let mut places: Vec<usize> = (0..groups.len()).collect();
    places.sort_by_key(|&place| layout.bounds[place]);
    for places in places.chunk_by(|&one, &other| layout.bounds[one] == layout.bounds[other]) {
        let mut alike: Vec<Vec<usize>> = places
            .iter()
            .map(|&place| core::mem::take(&mut groups[place]))
            .collect();
        alike.sort_unstable();
        places
            .iter()
            .zip(alike)
            .for_each(|(&place, group)| groups[place] = group);
    }
}
