//! Engines that work on any cost, and what they share: starts, walks side by side, the best of all.

mod annealing;
mod climb;
mod descent;
mod forced_swaps;
mod iterated_maxima;
mod late_acceptance;
mod population;
mod shake;
mod tabu;
mod tempering;
#[cfg(test)]
mod tests;

pub(crate) use annealing::{anneal, unit};
pub(crate) use descent::descend;
pub(crate) use shake::melt;

use std::sync::{Arc, OnceLock};
#[cfg(feature = "rayon")]
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::best::Best;
use crate::control::{Control, Limits, Share, Stop};
use crate::engine::Engine;
use crate::error::Error;
use crate::layout::Layout;
use crate::packing::Shape;
use crate::score::Score;
use crate::search::Starts;
use crate::start;
use crate::state::State;

/// What every engine is told.
pub(crate) struct Setting<'a> {
    pub(crate) limits: Limits<'a>,
    pub(crate) start: Instant,
    pub(crate) seed: u64,
    /// Evaluations between two looks at the clock.
    pub(crate) stride: u64,
    pub(crate) walks: usize,
    pub(crate) engine: Engine,
    pub(crate) layout: Arc<Layout>,
    pub(crate) warm: Option<Vec<u32>>,
    /// Where all walks begin, if it is better than at random.
    pub(crate) dealt: Option<Vec<u32>>,
    pub(crate) starts: Option<&'a Starts<'a>>,
    pub(crate) packed: OnceLock<Shape>,
}

impl<'a> Setting<'a> {
    /// The generator of a stream: the seed picks the key, so that streams never overlap.
    pub(crate) fn rng(&self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(stream);
        rng
    }

    /// Moves that walks may look at, all together.
    pub(crate) fn moves(&self) -> u64 {
        self.limits.work.unwrap_or(u64::MAX)
    }

    /// The grouping with that number to start from; number 0 is the warm start if there is one.
    pub(crate) fn start(&self, number: u64) -> Result<Vec<u32>, Error> {
        if let Some(dealt) = &self.dealt {
            return Ok(dealt.clone());
        }
        match (&self.warm, self.starts) {
            (Some(warm), _) if number == 0 => Ok(warm.clone()),
            (_, Some(starts)) => start::from_groups(&self.layout, &starts(number)),
            _ => match (self.shape(), &self.warm) {
                (Ok(shape), _) => Ok(shape.deal(&self.layout, &mut self.rng(number << 32 | 1))),
                // There may be another one, but it takes too long to find: walks begin where the first does.
                (Err(Error::PackingUnknown { .. }), Some(warm)) => Ok(warm.clone()),
                (Err(error), _) => Err(error),
            },
        }
    }

    /// How parties are packed: found once, since chance has no part in it.
    pub(crate) fn shape(&self) -> Result<&Shape, Error> {
        if let Some(shape) = self.packed.get() {
            return Ok(shape);
        }
        let shape = Shape::find(&self.layout, &|| self.limits.is_cancelled())?;
        Ok(self.packed.get_or_init(|| shape))
    }

    pub(crate) fn control(&'a self, walk: usize, share: Share) -> Control<'a> {
        Control::new(&self.limits, self.start, walk, self.stride, share)
    }
}

/// What an engine returns.
pub(crate) struct Outcome<S> {
    pub(crate) best: Best<S>,
    pub(crate) work: u64,
    pub(crate) stop: Stop,
    pub(crate) engine: Engine,
}

/// The best grouping of one walk.
pub(crate) struct Walked<S> {
    pub(crate) best: Best<S>,
    pub(crate) work: u64,
    pub(crate) stop: Option<Stop>,
}

impl<S: Score> Walked<S> {
    /// A walk that was over before it began, and so knows the first grouping only.
    fn none<T: State<Score = S>>(state: &T, control: &Control<'_>) -> Self {
        Self {
            best: Best::of(state),
            work: control.work(),
            stop: control.stop(),
        }
    }
}

/// Threads that walks run on.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads().max(1);
    #[cfg(not(feature = "rayon"))]
    1
}

/// Searches from a state that stands at start number 0.
pub(crate) fn run<T: State>(setting: &Setting<'_>, state: &T) -> Result<Outcome<T::Score>, Error> {
    let engine = setting.engine;
    // It may be large: nobody who has cancelled waits for copies of it.
    if setting.limits.is_cancelled() {
        return Ok(alone(setting, state, Some(Stop::Cancelled)));
    }
    // Other walks would begin before the first one has said so.
    if setting.limits.target.is_some() && Best::of(state).meets(state, &setting.limits) {
        return Ok(alone(setting, state, Some(Stop::Target)));
    }
    if state.is_flat() {
        return Ok(alone(setting, state, None));
    }
    match engine {
        Engine::Population => population::grow(setting, state),
        Engine::Climb => several(setting, state, engine, setting.walks, &|state, control, number, _| {
            climb::restarts(setting, state, control, number, climb::climb)
        }),
        Engine::CachedClimb => several(setting, state, engine, setting.walks, &|state, control, number, _| {
            climb::restarts(setting, state, control, number, climb::climb_cached)
        }),
        Engine::IteratedMaxima => several(setting, state, engine, setting.walks, &|state, control, _, rng| {
            Ok(iterated_maxima::search(state, control, rng))
        }),
        Engine::Tabu if state.partition().layout().groups() > tabu::MOST_GROUPS => Err(Error::TooManyGroups {
            engine,
            groups: state.partition().layout().groups(),
            most: tabu::MOST_GROUPS,
        }),
        Engine::Tabu => several(setting, state, engine, setting.walks, &|state, control, _, rng| {
            Ok(tabu::search(state, control, rng))
        }),
        Engine::LateAcceptance => several(setting, state, engine, setting.walks, &|state, control, number, rng| {
            late_acceptance::search(setting, state, control, number, rng)
        }),
        Engine::Tempering => tempering::search(setting, state, setting.walks),
        Engine::ForcedSwaps => several(setting, state, engine, setting.walks, &|state, control, _, rng| {
            Ok(forced_swaps::search(state, control, rng))
        }),
        Engine::Annealing | Engine::Auto => {
            let plan = annealing::plan(setting, state, setting.walks);
            if let (Engine::Auto, Some(ladders)) = (engine, plan.ladders) {
                return tempering::search(setting, state, ladders);
            }
            several(
                setting,
                state,
                Engine::Annealing,
                plan.walks,
                &|state, control, _, rng| Ok(annealing::cool_and_climb(state, &plan, control, rng)),
            )
        }
    }
}

/// The first grouping, where there is nothing to search or somebody has cancelled.
fn alone<T: State>(setting: &Setting<'_>, state: &T, stop: Option<Stop>) -> Outcome<T::Score> {
    let mut control = setting.control(0, Share::all(&setting.limits, setting.start));
    let best = Best::of(state);
    best.tell(state, &mut control);
    let engine = match setting.engine {
        Engine::Auto => Engine::Annealing,
        engine => engine,
    };
    let only = Walked { best, work: 0, stop };
    gather(vec![only], engine)
}

/// What an engine does with the state, the budget, the number and the generator of one walk.
type Walk<'a, T> =
    dyn Fn(&mut T, &mut Control<'_>, u64, &mut ChaCha8Rng) -> Result<Best<<T as State>::Score>, Error> + Sync + 'a;

/// Several walks, each with its own start, generator and part of the budget.
fn several<T: State>(
    setting: &Setting<'_>,
    state: &T,
    engine: Engine,
    count: usize,
    walk: &Walk<'_, T>,
) -> Result<Outcome<T::Score>, Error> {
    let all = Share::all(&setting.limits, setting.start);
    let walked = side_by_side(count, &|number, rounds| {
        let share = all.part(1.0 / count as f64, 1.0 / rounds as f64);
        let mut control = setting.control(number, share);
        if number == 0 {
            Best::of(state).tell(state, &mut control);
        }
        if control.is_over() {
            return Ok(Walked::none(state, &control));
        }
        let mut state = state.clone();
        if number > 0 {
            if control.is_over() {
                return Ok(Walked::none(&state, &control));
            }
            state.reset(&setting.start(number as u64)?);
            Best::of(&state).tell(&state, &mut control);
        }
        let mut rng = setting.rng((number as u64) << 32);
        let best = walk(&mut state, &mut control, number as u64, &mut rng)?;
        best.tell(&state, &mut control);
        Ok(Walked {
            best,
            work: control.work(),
            stop: control.stop(),
        })
    })?;
    Ok(gather(walked, engine))
}

/// The best of several walks, the first among equals.
fn gather<S: Score>(walked: Vec<Walked<S>>, engine: Engine) -> Outcome<S> {
    let work = walked.iter().map(|walk| walk.work).sum();
    let stop = walked
        .iter()
        .filter_map(|walk| walk.stop)
        .min_by_key(|stop| urgency(*stop))
        .unwrap_or(Stop::Finished);
    let best = walked
        .into_iter()
        .map(|walk| walk.best)
        .reduce(|mut best, other| {
            best.join(other);
            best
        })
        .expect("there is at least one walk");
    Outcome {
        best,
        work,
        stop,
        engine,
    }
}

/// Which of several reasons is the one to report.
fn urgency(stop: Stop) -> u8 {
    match stop {
        Stop::Cancelled => 0,
        Stop::Target => 1,
        Stop::Time => 2,
        Stop::Work => 3,
        Stop::Finished => 4,
        Stop::Exhausted => 5,
    }
}

/// What is to be done of several tasks: their number, and how many of them must share a thread with this one, itself
/// and those that come later included.
type Task<'a, R> = dyn Fn(usize, usize) -> Result<R, Error> + Sync + 'a;

/// Runs numbered tasks on the threads there are.
fn side_by_side<R: Send + Sync>(count: usize, task: &Task<'_, R>) -> Result<Vec<R>, Error> {
    let results: Vec<OnceLock<R>> = (0..count).map(|_| OnceLock::new()).collect();
    run_all(count, &|number, rounds| {
        let result = task(number, rounds)?;
        results[number].get_or_init(|| result);
        Ok(())
    })?;
    Ok(results.into_iter().filter_map(OnceLock::into_inner).collect())
}

/// The same for tasks that leave their results somewhere: what there is of threads is compiled once for all of them.
///
/// The error is that of the first task that has one, by number, whichever came first.
fn run_all(count: usize, task: &Task<'_, ()>) -> Result<(), Error> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let threads = threads();
        if threads > 1 && count > 1 {
            let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
            (0..count).into_par_iter().with_max_len(1).for_each(|number| {
                let first = || failed.lock().unwrap_or_else(PoisonError::into_inner);
                // Those that come before it may have one of their own.
                if first().as_ref().is_some_and(|(failed, _)| *failed < number) {
                    return;
                }
                if let Err(error) = task(number, (count - number).div_ceil(threads)) {
                    let mut first = first();
                    if first.as_ref().is_none_or(|(failed, _)| number < *failed) {
                        *first = Some((number, error));
                    }
                }
            });
            let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
            return failed.map_or(Ok(()), |(_, error)| Err(error));
        }
    }
    (0..count).try_for_each(|number| task(number, count - number))
}
