//! Annealing of any cost: random moves, of which worse ones pass now and then.

use std::time::{Duration, Instant};

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::climb::climb_cached;
use super::{Setting, threads};
use crate::best::Best;
use crate::change::Change;
use crate::control::{Control, Limits, Share, Stage};
use crate::moves::Proposer;
use crate::score::Score;
use crate::state::{Heat, State};

/// Moves that are looked at to find what worse ones cost, unless that is more than a tenth of the budget.
const SAMPLES: u64 = 400;
/// Moves between two temperatures.
const STEP: u64 = 64;

/// Cools from one temperature to another, geometrically over the stage. Passes through forbidden groups at a toll.
pub(crate) fn anneal<T: State>(
    state: &mut T,
    best: &mut Best<T::Score>,
    control: &mut Control<'_>,
    stage: &Stage,
    heat: &mut Heat,
    rng: &mut ChaCha8Rng,
) {
    let proposer = Proposer::new(state.partition());
    if proposer.is_stuck(state.partition()) {
        return;
    }
    let groups = state.partition().layout().costly();
    heat.toll.learn(groups, state.rank());
    loop {
        let done = stage.done(control);
        if done >= 1.0 {
            break;
        }
        let temperature = heat.at(done);
        for made in 0..STEP {
            // A single cost may take long.
            if control.is_cancelled() || control.is_late(made) {
                break;
            }
            let limit = -(1.0 - rng.random::<f64>()).ln() * temperature;
            let Some(exchange) = proposer.any(state.partition(), rng) else {
                continue;
            };
            match state.change(&exchange) {
                Some(change) if heat.toll.apply(&change) <= T::Score::from_f64(limit) => {
                    if change > Change::NONE {
                        best.offer(state);
                    }
                    state.apply(&exchange);
                }
                _ => {}
            }
        }
        // It may have been met on the way and left again: then it is told of all the same.
        best.offer(state);
        best.tell(state, control);
        heat.toll.follow(groups, state.rank());
        if !control.spend(STEP) {
            break;
        }
    }
    best.offer(state);
}

/// What a random move that makes things worse costs, in the mean over a random walk: about one grouping alone, its few
/// moves may say nothing. The state comes back to where it was, unless it is cancelled.
pub(crate) fn unit<T: State>(state: &mut T, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> f64 {
    let home = state.partition().groups_of().to_vec();
    let samples = SAMPLES.min(control.left() / 10);
    if samples == 0 || control.is_over() {
        return 1.0;
    }
    // Groups that are forbidden say nothing of costs: they are avoided, unless there is nowhere else to go.
    let found = mean_rise(state, samples, &|change| change.forbidden <= 0, control, rng)
        .or_else(|| mean_rise(state, samples, &|_| true, control, rng));
    // Whoever has cancelled does not wait for it, and nobody goes on from here.
    if !control.is_cancelled() {
        state.reset(&home);
    }
    found.unwrap_or(1.0)
}

/// The mean of what worse moves cost, over a random walk by those moves that may be made; `None` if none costs
/// anything.
fn mean_rise<T: State>(
    state: &mut T,
    samples: u64,
    may_be_made: &dyn Fn(&Change<T::Score>) -> bool,
    control: &mut Control<'_>,
    rng: &mut ChaCha8Rng,
) -> Option<f64> {
    let proposer = Proposer::new(state.partition());
    let (mut mean, mut count) = (0.0, 0_u32);
    for _ in 0..samples {
        if !control.spend(1) {
            break;
        }
        let Some(exchange) = proposer.any(state.partition(), rng) else {
            continue;
        };
        let Some(change) = state.change(&exchange) else {
            continue;
        };
        if change.forbidden == 0 && change.cost > T::Score::ZERO {
            // A running mean: the sum of large costs may be beyond a float.
            count += 1;
            mean += (change.cost.to_f64().min(f64::MAX) - mean) / f64::from(count);
        }
        if may_be_made(&change) {
            state.apply(&exchange);
        }
    }
    (count > 0).then_some(mean)
}

/// Stream of the generator for measuring the speed; those of walks are far below.
const RATE: u64 = u64::MAX - 1;
/// Beyond it, coolings become longer again.
const MOST_COOLINGS: usize = 32;
/// Share of a walk that is left for the climb at its end, at most.
const CLIMB: f64 = 0.05;
/// What such a climb takes at most, in evaluations of a long annealing for each pair of units: by pairs it was 50 (120
/// players) to 500 (2,000), most of which are for the gains of where it begins.
const CLIMBED: f64 = 1_000.0;
/// Share of a walk in which it cools for the first time, where it is heated again.
const FIRST: f64 = 0.1;
/// How often it is.
const REHEATS: u32 = 10;

/// Share of what a cooling is worth from which on it is better to heat a grouping again than to cool it more slowly.
const REHEATED: f64 = 0.8;

/// Threads that a ladder makes use of.
const LADDER: usize = 4;

/// How a budget is divided.
pub(crate) struct Plan {
    /// Walks: longer coolings end better, but beyond [`State::cooling`] several of them find the best of all more often
    /// than one.
    pub(crate) walks: usize,
    /// Whether each heats its best grouping again.
    pub(crate) is_reheated: bool,
    /// Ladders of temperatures that find better groupings than walks, if they do.
    pub(crate) ladders: Option<usize>,
    /// See [`climbing`].
    pub(crate) climb: f64,
}

/// How much of so many evaluations is left for a climb at the end.
pub(super) fn climbing(work: f64, units: usize) -> f64 {
    (CLIMBED * (units * units) as f64 / work).min(CLIMB)
}

/// How the budget is best divided, into `least` walks or more.
pub(crate) fn plan<T: State>(setting: &Setting<'_>, state: &T, least: usize) -> Plan {
    let units = setting.layout.units() as f64;
    let work = setting.limits.work.map_or(f64::INFINITY, |work| work as f64);
    let of_time = setting
        .limits
        .time
        .map(|time| time.as_secs_f64() * rate(setting, state) * threads() as f64);
    let work = of_time.map_or(work, |of_time| work.min(of_time));
    let coolings = work / (state.cooling() * units * units);
    let walks = (coolings as usize).clamp(1, MOST_COOLINGS).max(least);
    let ladders = of_time.map_or(1, |_| threads().div_ceil(LADDER)).max(least);
    let is_tempered = state.is_tempered(coolings / ladders as f64);
    Plan {
        ladders: is_tempered.then_some(ladders),
        walks,
        is_reheated: coolings / walks as f64 >= REHEATED,
        climb: climbing(work / walks as f64, setting.layout.units()),
    }
}

/// Share of the time in which the speed of a search is measured, and the most that is needed.
const MEASURED: (f64, Duration) = (0.02, Duration::from_millis(20));

/// Evaluations in a second, from a short annealing of a grouping that another one has put in order: looking at swaps
/// takes longer the more of them pass. Never asked for where work alone is limited, since no two runs give the same.
pub(super) fn rate<T: State>(setting: &Setting<'_>, state: &T) -> f64 {
    let begin = Instant::now();
    let is_late = |time| begin.saturating_duration_since(setting.start) >= time;
    if setting.limits.is_cancelled() || setting.limits.time.is_some_and(is_late) {
        return 1.0;
    }
    let mut state = state.clone();
    let limit = setting
        .limits
        .time
        .map_or(MEASURED.1, |time| time.mul_f64(MEASURED.0).min(MEASURED.1));
    // Nobody is told of what is found here: it is not kept.
    let limits = Limits {
        cancel: setting.limits.cancel.clone(),
        ..Limits::default()
    };
    let end = Share {
        work: None,
        end: Some(begin + limit),
    };
    let mut control = Control::new(&limits, begin, 0, setting.stride, end);
    let mut rng = setting.rng(RATE);
    let schedule = state.schedule(&mut control, &mut rng);
    let mut best = Best::of(&state);
    let stage = control.stage(0.5);
    let mut heat = schedule.cooling(schedule.warm);
    state.anneal(&mut best, &mut control, &stage, &mut heat, &mut rng);
    let (ordered, work) = (Instant::now(), control.work());
    let stage = control.stage(1.0);
    let mut heat = schedule.reheated().unwrap_or(heat);
    state.anneal(&mut best, &mut control, &stage, &mut heat, &mut rng);
    (control.work() - work) as f64 / ordered.elapsed().as_secs_f64().max(1e-9)
}

/// Cools, over and over from where the best grouping begins to melt if that was planned and the schedule knows where
/// that is, and climbs from the best one met.
pub(crate) fn cool_and_climb<T: State>(
    state: &mut T,
    plan: &Plan,
    control: &mut Control<'_>,
    rng: &mut ChaCha8Rng,
) -> Best<T::Score> {
    let mut best = Best::of(state);
    let schedule = state.schedule(control, rng);
    let reheated = schedule.reheated().filter(|_| plan.is_reheated);
    let mut stage = control.stage(if reheated.is_some() { FIRST } else { 1.0 - plan.climb });
    state.anneal(&mut best, control, &stage, &mut schedule.whole(), rng);
    if let Some(mut heat) = reheated {
        for left in (1..=REHEATS).rev() {
            if control.is_over() {
                break;
            }
            state.reset(&best.group_of);
            let each = (1.0 - FIRST - plan.climb) / f64::from(REHEATS);
            stage = control.stage(each / (each * f64::from(left) + plan.climb));
            state.anneal(&mut best, control, &stage, &mut heat, rng);
        }
    }
    control.note_end(&stage);
    finish(state, &mut best, control);
    best
}

/// Climbs from the best grouping, unless it is over: whoever cancels waits for what happens here.
pub(crate) fn finish<T: State>(state: &mut T, best: &mut Best<T::Score>, control: &mut Control<'_>) {
    if control.is_over() {
        return;
    }
    state.reset(&best.group_of);
    climb_cached(state, control);
    best.offer(state);
}
