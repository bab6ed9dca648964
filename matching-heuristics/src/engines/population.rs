//! A population of annealed groupings and their children.
//!
//! A child keeps what two parents agree on and deals the rest out at random; then it is annealed at a temperature at
//! which agreement mostly survives. Children of one generation do not know of each other, so that they may grow side by
//! side.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::annealing::finish;
use super::{Outcome, Setting, Walked, alone, gather, side_by_side, urgency};
use crate::best::Best;
use crate::control::{Share, Stop};
use crate::engine::Engine;
use crate::error::Error;
use crate::partition::Partition;
use crate::score::Score;
use crate::state::State;

/// Share of the budget for the first generation.
const FIRST: f64 = 0.5;
/// Groupings in a population.
const MEMBERS: usize = 10;
/// Generations after the first.
const GENERATIONS: usize = 5;

/// Stream of the generator that looks for temperatures; those of members are far below.
const SCOUT: u64 = u64::MAX;

/// Anneals the first generation, then lets each member have a child with another, generation after generation.
pub(crate) fn grow<T: State>(setting: &Setting<'_>, state: &T) -> Result<Outcome<T::Score>, Error> {
    let all = Share::all(&setting.limits, setting.start);
    let mut scout = setting.control(0, all);
    let schedule = state.clone().schedule(&mut scout, &mut setting.rng(SCOUT));
    if scout.is_cancelled() {
        return Ok(alone(setting, state, Some(Stop::Cancelled)));
    }
    let all = Share {
        work: all.work.map(|work| work.saturating_sub(scout.work())),
        ..all
    };
    let mut population: Vec<Best<T::Score>> = Vec::new();
    let (mut work, mut stops) = (scout.work(), Vec::new());
    for generation in 0..=GENERATIONS {
        let of_work = if generation == 0 {
            FIRST
        } else {
            (1.0 - FIRST) / GENERATIONS as f64
        };
        let done = if generation == 0 {
            0.0
        } else {
            FIRST + of_work * (generation - 1) as f64
        };
        let share = all.part(of_work, of_work / (1.0 - done));
        let parents = &population;
        let grown = side_by_side(MEMBERS, &|member, rounds| {
            // A child is a walk of its own, with its own best grouping and its own count of work.
            let walk = generation * MEMBERS + member;
            let mut rng = setting.rng((walk as u64) << 32);
            let mut control = setting.control(walk, share.part(1.0 / MEMBERS as f64, 1.0 / rounds as f64));
            if walk > 0 && control.is_over() {
                return Ok(Walked::none(state, &control));
            }
            let mut state = state.clone();
            let (from, mut heat) = match generation {
                0 if member == 0 => (None, schedule.whole()),
                0 => (Some(setting.start(member as u64)?), schedule.whole()),
                _ => {
                    let mate = other(MEMBERS, member, &mut rng);
                    let parent = Partition::new(state.partition().shared_layout(), &parents[member].group_of);
                    let child = child(&parent, &parents[mate].group_of, &mut rng);
                    (Some(child), schedule.cooling(schedule.warm))
                }
            };
            if let Some(from) = from {
                if control.is_over() {
                    return Ok(Walked::none(&state, &control));
                }
                state.reset(&from);
            }
            let mut best = Best::of(&state);
            best.tell(&state, &mut control);
            let stage = control.stage(0.98);
            state.anneal(&mut best, &mut control, &stage, &mut heat, &mut rng);
            finish(&mut state, &mut best, &mut control);
            best.tell(&state, &mut control);
            Ok(Walked {
                best,
                work: control.work(),
                stop: control.stop(),
            })
        })?;
        work += grown.iter().map(|walk| walk.work).sum::<u64>();
        stops.extend(grown.iter().filter_map(|walk| walk.stop));
        for (member, walk) in grown.into_iter().enumerate() {
            match generation {
                0 => population.push(walk.best),
                _ => settle(&mut population, member, walk.best),
            }
        }
        if stops.iter().any(|stop| matches!(stop, Stop::Cancelled | Stop::Target)) {
            break;
        }
    }
    let walked = population
        .into_iter()
        .map(|best| Walked {
            best,
            work: 0,
            stop: None,
        })
        .collect();
    let outcome = gather(walked, Engine::Population);
    // Walks may have come to their own ends, the last of them as the time did.
    let ended = if setting.limits.time.is_some_and(|time| setting.start.elapsed() >= time) {
        Stop::Time
    } else {
        Stop::Finished
    };
    Ok(Outcome {
        work,
        stop: stops
            .into_iter()
            .chain([ended])
            .min_by_key(|stop| urgency(*stop))
            .unwrap_or(ended),
        ..outcome
    })
}

/// The groups of `a`, except that units which `b` groups differently change places at random.
///
/// Groups of the two are put together greedily, by how many units they share.
fn child(a: &Partition, b: &[u32], rng: &mut ChaCha8Rng) -> Vec<u32> {
    let partner = partners(a, b);
    let layout = a.layout();
    let mut group_of = a.groups_of().to_vec();
    for class in &layout.classes {
        let loose: Vec<u32> = class
            .clone()
            .filter(|&unit| partner[a.group_of(unit) as usize] != b[unit as usize])
            .collect();
        let mut seats: Vec<u32> = loose.iter().map(|&unit| a.group_of(unit)).collect();
        seats.shuffle(rng);
        loose
            .iter()
            .zip(seats)
            .for_each(|(&unit, seat)| group_of[unit as usize] = seat);
    }
    group_of
}

/// For every group of `a` the group of `b` that it goes with.
fn partners(a: &Partition, b: &[u32]) -> Vec<u32> {
    let groups = a.layout().groups();
    let both = |(unit, &of_b): (usize, &u32)| a.group_of(unit as u32) as usize * groups + of_b as usize;
    let mut shared: Vec<usize> = b.iter().enumerate().map(both).collect();
    shared.sort_unstable();
    let mut order: Vec<&[usize]> = shared.chunk_by(|one, other| one == other).collect();
    order.sort_by_key(|units| core::cmp::Reverse(units.len()));
    let mut partner = vec![u32::MAX; groups];
    let mut is_taken = vec![false; groups];
    for (of_a, of_b) in order.into_iter().map(|units| (units[0] / groups, units[0] % groups)) {
        if partner[of_a] == u32::MAX && !is_taken[of_b] {
            partner[of_a] = of_b as u32;
            is_taken[of_b] = true;
        }
    }
    partner
}

/// Another member of a population.
fn other(len: usize, not: usize, rng: &mut ChaCha8Rng) -> usize {
    let at = rng.random_range(0..len - 1);
    if at < not { at } else { at + 1 }
}

/// A child takes its parent's place if it is better, unless somebody like it is there already.
fn settle<S: Score>(population: &mut [Best<S>], parent: usize, child: Best<S>) {
    if child.rank < population[parent].rank && population.iter().all(|member| member.rank != child.rank) {
        population[parent] = child;
    }
}
