//! Parallel tempering: several groupings at once, each at a temperature of its own, that now and then change places.
//!
//! A cold one refines, a hot one wanders, and what a hot one finds moves down from temperature to temperature. Two
//! neighbours change places by Metropolis' rule for the pair, with probability `exp((1/T - 1/U) (E - F))` if `E` and `F`
//! are their totals at temperatures `T` and `U`, and surely if the colder one is worse. Between two exchanges each does
//! a fixed amount of work, so that threads make no difference to the answer.
//!
//! After R. H. Swendsen and J.-S. Wang, "Replica Monte Carlo simulation of spin-glasses", Physical Review Letters 57
//! (1986), doi:10.1103/PhysRevLett.57.2607.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::annealing::{finish, rate};
use super::shake::melt;
use super::{Outcome, Setting, Walked, alone, gather, side_by_side};
use crate::best::Best;
use crate::control::{Control, Share, Stop};
use crate::engine::Engine;
use crate::error::Error;
use crate::moves::Proposer;
use crate::score::Score;
use crate::state::{Heat, Schedule, State};

/// Groupings at once.
const REPLICAS: usize = 4;
/// Evaluations of one between two exchanges, for each pair of units.
const ROUND: f64 = 1.0;
/// Least number of rounds that a budget is cut into, as far as that leaves each a useful length.
const ROUNDS: f64 = 100.0;
/// Least number of evaluations in a round.
const LEAST: u64 = 256;
/// Rounds without a better grouping, for each unit, before the hottest replica begins elsewhere: temperatures follow from what a
/// move costs in the mean, and one that costs far more may never be made. Large problems hardly ever come that far.
const PATIENCE: u64 = 20;
/// Share of the budget for the rounds; the rest is for a climb from the best.
const COOKING: f64 = 0.97;
/// Stream of the generator that decides on exchanges; those of the replicas are far below.
const EXCHANGES: u64 = u64::MAX;

/// A place on the ladder of temperatures, and who stands on it.
struct Rung<'a, T: State> {
    heat: Heat,
    control: Control<'a>,
    rng: ChaCha8Rng,
    state: T,
    best: Best<T::Score>,
}

/// Rounds of walks side by side and exchanges until the budget is spent, then a climb from the best grouping.
pub(super) fn search<T: State>(setting: &Setting<'_>, state: &T) -> Result<Outcome<T::Score>, Error> {
    if Proposer::new(state.partition()).is_stuck(state.partition()) {
        return Ok(alone(setting, state, None));
    }
    let all = Share::all(&setting.limits, setting.start);
    let cooking = all.part(COOKING, COOKING);
    let mut scout = setting.control(0, all);
    let schedule = state.clone().schedule(&mut scout, &mut setting.rng(0));
    let scouted = scout.work();
    let Some(mut rungs) = ladder(setting, state, &schedule, &scout)? else {
        return Ok(alone(setting, state, Some(Stop::Cancelled)));
    };
    let length = round_length(setting, state);
    let mut rng = setting.rng(EXCHANGES);
    let patience = PATIENCE * setting.layout.units() as u64;
    let (mut rank, mut fruitless) = (least(&rungs), 0);
    for round in 0.. {
        let spent = scouted + rungs.iter().map(|rung| rung.control.work()).sum::<u64>();
        let left = cooking.work.map(|work| work.saturating_sub(spent) / REPLICAS as u64);
        if left == Some(0) {
            break;
        }
        rungs = walk(
            rungs,
            Share {
                work: Some(left.map_or(length, |left| left.min(length))),
                end: cooking.end,
            },
        )?;
        let is_over = |rung: &Rung<'_, T>| !matches!(rung.control.stop(), None | Some(Stop::Work));
        if rungs.iter().any(is_over) {
            break;
        }
        exchange(&mut rungs, round % 2, &mut rng);
        fruitless += 1;
        if least(&rungs) < rank {
            (rank, fruitless) = (least(&rungs), 0);
        } else if fruitless >= patience {
            forget(&mut rungs[0], cooking.end);
            fruitless = 0;
        }
    }
    let outcome = conclude(setting, rungs, scouted, all);
    Ok(Outcome {
        work: outcome.work + scouted,
        ..outcome
    })
}

/// Replicas from the hottest to the coldest, each from a start of its own; the coldest from the first. `None` if it was
/// cancelled on the way.
fn ladder<'a, T: State>(
    setting: &'a Setting<'_>,
    state: &T,
    schedule: &Schedule,
    scout: &Control<'_>,
) -> Result<Option<Vec<Rung<'a, T>>>, Error> {
    let nothing = Share {
        work: Some(0),
        end: None,
    };
    let mut rungs = Vec::with_capacity(REPLICAS);
    for number in 0..REPLICAS {
        if scout.is_cancelled() {
            return Ok(None);
        }
        let mut state = state.clone();
        let colder = REPLICAS - 1 - number;
        if colder > 0 && !scout.is_cancelled() {
            state.reset(&setting.start(colder as u64)?);
        }
        let part = number as f64 / (REPLICAS - 1) as f64;
        rungs.push(Rung {
            heat: schedule.steady(schedule.whole().at(part)),
            control: setting.control(number, nothing),
            rng: setting.rng((number as u64) << 32),
            best: Best::of(&state),
            state,
        });
    }
    Ok(Some(rungs))
}

/// Evaluations of one replica between two exchanges.
fn round_length<T: State>(setting: &Setting<'_>, state: &T) -> u64 {
    let units = setting.layout.units() as f64;
    let of_time = setting
        .limits
        .time
        .map(|time| time.as_secs_f64() * rate(setting, state));
    let budget = setting.limits.work.map(|work| work as f64).or(of_time);
    let by_budget = budget.map_or(f64::INFINITY, |budget| budget / (ROUNDS * REPLICAS as f64));
    ((ROUND * units * units).min(by_budget) as u64).max(LEAST)
}

/// Every replica walks at its temperature.
fn walk<T: State>(rungs: Vec<Rung<'_, T>>, share: Share) -> Result<Vec<Rung<'_, T>>, Error> {
    let rungs: Vec<Mutex<Rung<'_, T>>> = rungs.into_iter().map(Mutex::new).collect();
    side_by_side(REPLICAS, |number, _| {
        let mut rung = rungs[number].lock().unwrap_or_else(PoisonError::into_inner);
        let Rung {
            heat,
            control,
            rng,
            state,
            best,
        } = &mut *rung;
        control.go_on(share);
        // A stage that ends after the walk does: an annealing may do something else in the last part of its stage.
        let stage = control.stage(2.0);
        state.anneal(best, control, &stage, heat, rng);
        best.tell(state, control);
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
    melt(&mut rung.state, &mut rung.control, &mut rung.rng);
    rung.best.offer(&rung.state);
}

/// Every second pair of neighbours may change places, from the first or the second on.
fn exchange<T: State>(rungs: &mut [Rung<'_, T>], from: usize, rng: &mut ChaCha8Rng) {
    for pair in rungs[from..].chunks_exact_mut(2) {
        let [hot, cold] = pair else { continue };
        let difference = cold.state.total().to_f64() - hot.state.total().to_f64();
        let exponent = (1.0 / cold.heat.to - 1.0 / hot.heat.to) * difference;
        let draw = rng.random::<f64>();
        let passes = match hot.state.forbidden().cmp(&cold.state.forbidden()) {
            core::cmp::Ordering::Less => true,
            core::cmp::Ordering::Equal => draw < exponent.exp(),
            core::cmp::Ordering::Greater => false,
        };
        if passes {
            core::mem::swap(&mut hot.state, &mut cold.state);
        }
    }
}

/// The best of all replicas, after a climb.
fn conclude<T: State>(
    setting: &Setting<'_>,
    mut rungs: Vec<Rung<'_, T>>,
    scouted: u64,
    all: Share,
) -> Outcome<T::Score> {
    let spent = scouted + rungs.iter().map(|rung| rung.control.work()).sum::<u64>();
    let stop = rungs
        .iter()
        .filter_map(|rung| rung.control.stop())
        .find(|stop| is_urgent(*stop));
    let first = (0..REPLICAS)
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
        control, state, best, ..
    } = &mut rungs[first];
    control.go_on(Share {
        work: all.work.map(|work| work.saturating_sub(spent)),
        end: all.end,
    });
    finish(state, best, control);
    best.tell(state, control);
    let stop = stop.or(control.stop()).unwrap_or_else(|| spent_by(setting));
    let walked = rungs
        .into_iter()
        .map(|rung| Walked {
            work: rung.control.work(),
            best: rung.best,
            stop: Some(stop),
        })
        .collect();
    gather(walked, Engine::Tempering)
}

/// Whether it ends more than a round.
fn is_urgent(stop: Stop) -> bool {
    matches!(stop, Stop::Cancelled | Stop::Target)
}

/// Which of the limits was met: there always is one.
fn spent_by(setting: &Setting<'_>) -> Stop {
    match setting.limits.time {
        Some(time) if setting.limits.work.is_none() || setting.start.elapsed() >= time => Stop::Time,
        _ => Stop::Work,
    }
}
