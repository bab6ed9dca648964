//! Parallel tempering: several groupings at once, each at a temperature of its own, that now and then change places.
//!
//! A cold one refines, a hot one wanders, and what a hot one finds moves down from temperature to temperature. Two
//! neighbours change places by Metropolis' rule for the pair, with probability `exp((1/T - 1/U) (E - F))` if `E` and
//! `F` are their totals at temperatures `T` and `U`, and surely if the colder one is worse. Between two exchanges each
//! does a fixed amount of work, so that threads make no difference to the answer. Where the coldest has no neighbour to
//! change places with after a round, it may be frozen at the end of that round: what it is worth shows only then.
//!
//! After R. H. Swendsen and J.-S. Wang, "Replica Monte Carlo simulation of spin-glasses", Physical Review Letters 57
//! (1986), doi:10.1103/PhysRevLett.57.2607.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::annealing::{climbing, finish, rate};
use super::{Outcome, Setting, Walked, alone, gather, run_all, side_by_side, urgency};
use crate::best::Best;
use crate::control::{Control, Share, Stop};
use crate::engine::Engine;
use crate::error::Error;
use crate::moves::Proposer;
use crate::replica::{Ladder, Replica};
use crate::state::{Heat, Schedule, State};

/// Least number of rounds that a budget is cut into, as far as that leaves each a useful length.
const ROUNDS: f64 = 100.0;
/// Least number of evaluations in a round.
const LEAST: f64 = 256.0;
/// Rounds without a better grouping, for each unit, before the hottest replica begins elsewhere: temperatures follow
/// from what a move costs in the mean, and one that costs far more may never be made. Large problems hardly ever come
/// that far.
const PATIENCE: u64 = 20;
/// Stream of the generator that decides on exchanges, of the first ladder; those of the others come before it, those of
/// the replicas are far below.
const EXCHANGES: u64 = u64::MAX - 2;

/// A place on the ladder of temperatures, and who stands on it.
struct Rung<'a, T: State> {
    heat: Heat,
    /// How much of a round it gets.
    share: f64,
    control: Control<'a>,
    rng: ChaCha8Rng,
    replica: T::Replica,
    best: Best<T::Score>,
}

/// Several ladders that know nothing of each other. More than one is for more threads than it has rungs.
pub(super) fn search<T: State>(setting: &Setting<'_>, state: &T, ladders: usize) -> Result<Outcome<T::Score>, Error> {
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return Ok(alone(setting, state, None));
    }
    let all = Share::all(&setting.limits, setting.start);
    // Measured once for all of them, and never where work alone is limited.
    let of_time = setting
        .limits
        .time
        .filter(|_| all.work.is_none())
        .map(|time| time.as_secs_f64() * rate(setting, state));
    let walked = side_by_side(ladders, &|number, rounds| {
        let share = all.part(1.0 / ladders as f64, 1.0 / rounds as f64);
        climb(setting, state, number, share, of_time)
    })?;
    Ok(gather(walked.into_iter().flatten().collect(), Engine::Tempering))
}

/// One ladder: rounds of walks side by side and exchanges until the budget is spent, then a climb from the best
/// grouping. What a limit in time is worth is `of_time`; ladders that come too late have nothing to tell.
fn climb<T: State>(
    setting: &Setting<'_>,
    state: &T,
    number: usize,
    all: Share,
    of_time: Option<f64>,
) -> Result<Vec<Walked<T::Score>>, Error> {
    if number > 0 && (all.work == Some(0) || all.end.is_some_and(|end| Instant::now() >= end)) {
        return Ok(Vec::new());
    }
    let work = all.work.map(|work| work as f64);
    let budget = work.or(of_time).unwrap_or(f64::INFINITY);
    let cooking = 1.0 - climbing(budget, setting.layout.units());
    let cooking = all.part(cooking, cooking);
    let mut scout = setting.control(0, all);
    let schedule = state.clone().schedule(&mut scout, &mut setting.rng(0));
    let scouted = scout.work();
    let ladder = state.ladder(&schedule);
    let Some(mut rungs) = occupied(setting, state, &schedule, (&ladder, number), all.end)? else {
        // Nobody has told of the grouping at which the first of them begins.
        if number == 0 {
            Best::of(state).tell(state, &mut scout);
        }
        let is_cancelled = setting.limits.is_cancelled();
        let stop = if is_cancelled { Stop::Cancelled } else { Stop::Time };
        return Ok(vec![Walked {
            stop: Some(stop),
            ..Walked::none(state, &scout)
        }]);
    };
    let length = round_length(setting, &ladder, budget);
    let mut rng = setting.rng(EXCHANGES - number as u64);
    let patience = PATIENCE * setting.layout.units() as u64;
    let (mut rank, mut fruitless) = (least(&rungs), 0);
    let mut round = 0;
    let ended = loop {
        let spent = scouted + rungs.iter().map(|rung| rung.control.work()).sum::<u64>();
        // For a share of 1.
        let left = cooking
            .work
            .map(|work| work.saturating_sub(spent) as f64 / ladder.shares());
        let length = left.map_or(length, |left| left.min(length));
        if length < 1.0 {
            break Stop::Work;
        }
        let is_frozen = (rungs.len() - round % 2) % 2 == 1;
        rungs = walk(rungs, length, cooking.end, is_frozen)?;
        // Work ends a round and no more.
        let stops = rungs.iter().filter_map(|rung| rung.control.stop());
        let stop = stops
            .filter(|stop| *stop != Stop::Work)
            .min_by_key(|stop| urgency(*stop));
        // Short rounds end with their work before anybody reads the clock.
        let is_late = || cooking.end.is_some_and(|end| Instant::now() >= end);
        if let Some(stop) = stop.or_else(|| is_late().then_some(Stop::Time)) {
            break stop;
        }
        exchange(&mut rungs, round % 2, &mut rng);
        fruitless += 1;
        if least(&rungs) < rank {
            (rank, fruitless) = (least(&rungs), 0);
        } else if fruitless >= patience {
            forget(&mut rungs[0], cooking.end);
            fruitless = 0;
        }
        round += 1;
    };
    Ok(conclude(rungs, scouted, all, ended))
}

/// Replicas from the hottest to the coldest, each from a start of its own; the coldest from the first. `None` if it was
/// cancelled on the way, or out of time: to count what a start costs may take long.
fn occupied<'a, T: State>(
    setting: &'a Setting<'_>,
    state: &T,
    schedule: &Schedule,
    (ladder, number): (&Ladder, usize),
    end: Option<Instant>,
) -> Result<Option<Vec<Rung<'a, T>>>, Error> {
    let nothing = Share {
        work: Some(0),
        end: None,
    };
    let first = number * ladder.rungs.len();
    let mut rungs = Vec::with_capacity(ladder.rungs.len());
    for (rung, &(temperature, share)) in ladder.rungs.iter().enumerate() {
        if setting.limits.is_cancelled() || end.is_some_and(|end| Instant::now() >= end) {
            return Ok(None);
        }
        let mut state = state.clone();
        let start = first + ladder.rungs.len() - 1 - rung;
        if start > 0 {
            state.reset(&setting.start(start as u64)?);
        }
        let mut rng = setting.rng(((first + rung) as u64) << 32);
        rungs.push(Rung {
            heat: schedule.steady(temperature),
            share,
            control: setting.control(first + rung, nothing),
            best: Best::of(&state),
            replica: state.replica(&mut rng),
            rng,
        });
    }
    Ok(Some(rungs))
}

/// Evaluations between two exchanges of a replica whose share is 1.
fn round_length(setting: &Setting<'_>, ladder: &Ladder, budget: f64) -> f64 {
    let units = setting.layout.units() as f64;
    let by_budget = budget / (ROUNDS * ladder.shares());
    (ladder.round * units * units).min(by_budget).max(LEAST)
}

/// Every replica walks at its temperature; the coldest may be frozen at the end.
fn walk<T: State>(
    rungs: Vec<Rung<'_, T>>,
    length: f64,
    end: Option<Instant>,
    is_frozen: bool,
) -> Result<Vec<Rung<'_, T>>, Error> {
    let coldest = rungs.len() - 1;
    let rungs: Vec<Mutex<Rung<'_, T>>> = rungs.into_iter().map(Mutex::new).collect();
    run_all(rungs.len(), &|number, _| {
        let mut rung = rungs[number].lock().unwrap_or_else(PoisonError::into_inner);
        let Rung {
            heat,
            share,
            control,
            rng,
            replica,
            best,
        } = &mut *rung;
        control.go_on(Share {
            work: Some((length * *share).ceil() as u64),
            end,
        });
        // Others may have walked on this thread meanwhile, and a single move may take long.
        if !control.is_over() {
            // An annealing may freeze in the last part of its stage, so others get one that ends after the walk does.
            let is_frozen = is_frozen && number == coldest;
            let stage = control.stage(if is_frozen { 1.0 } else { 2.0 }).by_work();
            replica.walk(is_frozen, best, control, &stage, heat, rng);
        }
        best.tell(replica.state(), control);
        // An annealing may find its time over before it looks at anything.
        control.is_over();
        Ok(())
    })?;
    Ok(rungs
        .into_iter()
        .map(|rung| rung.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect())
}

/// The rank of the best grouping that any of them has met.
fn least<T: State>(rungs: &[Rung<'_, T>]) -> (u64, T::Score) {
    let mut least = rungs[0].best.rank;
    for rung in rungs {
        if rung.best.rank < least {
            least = rung.best.rank;
        }
    }
    least
}

/// A replica goes to a random grouping.
fn forget<T: State>(rung: &mut Rung<'_, T>, end: Option<Instant>) {
    rung.control.go_on(Share { work: None, end });
    rung.replica.forget(&mut rung.best, &mut rung.control, &mut rung.rng);
}

/// Every second pair of neighbours may change places, from the first or the second on.
fn exchange<T: State>(rungs: &mut [Rung<'_, T>], from: usize, rng: &mut ChaCha8Rng) {
    for pair in rungs[from..].chunks_exact_mut(2) {
        let [hot, cold] = pair else { continue };
        let ((fewer, high), (more, low)) = (hot.replica.energy(), cold.replica.energy());
        let exponent = (1.0 / cold.heat.to - 1.0 / hot.heat.to) * (low - high);
        let draw = rng.random::<f64>();
        let passes = match fewer.cmp(&more) {
            core::cmp::Ordering::Less => true,
            core::cmp::Ordering::Equal => draw < exponent.exp(),
            core::cmp::Ordering::Greater => false,
        };
        if passes {
            hot.replica.trade(&mut cold.replica);
        }
    }
}

/// The best of all replicas, after a climb from it, whatever has ended the rounds.
fn conclude<T: State>(mut rungs: Vec<Rung<'_, T>>, scouted: u64, all: Share, ended: Stop) -> Vec<Walked<T::Score>> {
    let spent = scouted + rungs.iter().map(|rung| rung.control.work()).sum::<u64>();
    let first = (0..rungs.len())
        .rev()
        .reduce(|one, other| {
            if rungs[other].best.rank < rungs[one].best.rank {
                other
            } else {
                one
            }
        })
        .unwrap_or(0);
    let Rung {
        control, replica, best, ..
    } = &mut rungs[first];
    let state = replica.state();
    control.go_on(Share {
        work: all.work.map(|work| work.saturating_sub(spent)),
        end: all.end,
    });
    finish(state, best, control);
    best.tell(state, control);
    let stop = match ended {
        Stop::Cancelled | Stop::Target => ended,
        // The climb may have reached the target.
        _ => control.stop().unwrap_or(ended),
    };
    let walked = rungs
        .into_iter()
        .zip(core::iter::once(scouted).chain(core::iter::repeat(0)));
    let walked = walked.map(|(rung, scouted)| Walked {
        work: rung.control.work() + scouted,
        best: rung.best,
        stop: Some(stop),
    });
    walked.collect()
}
