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
use crate::state::{Schedule, State};

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
    let nursery = Nursery {
        setting,
        state,
        schedule,
        all: Share {
            work: all.work.map(|work| work.saturating_sub(scout.work())),
            ..all
        },
    };
    let mut population: Vec<Best<T::Score>> = Vec::new();
    let (mut work, mut stops) = (scout.work(), Vec::new());
    for generation in 0..=GENERATIONS {
        let share = nursery.share(generation);
        let parents = &population;
        let grown = side_by_side(MEMBERS, &|member, rounds| {
            let share = share.part(1.0 / MEMBERS as f64, 1.0 / rounds as f64);
            nursery.raise((generation, member), parents, share)
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
    Ok(ended(population, work, stops))
}

/// What generations have in common.
struct Nursery<'a, 'b, T> {
    setting: &'a Setting<'b>,
    state: &'a T,
    schedule: Schedule,
    /// The budget of all generations together.
    all: Share,
}

impl<T: State> Nursery<'_, '_, T> {
    /// A generation's share of the budget.
    fn share(&self, generation: usize) -> Share {
        let later = (1.0 - FIRST) / GENERATIONS as f64;
        let (of_work, done) = match generation {
            0 => (FIRST, 0.0),
            _ => (later, FIRST + later * (generation - 1) as f64),
        };
        self.all.part(of_work, of_work / (1.0 - done))
    }

    /// Anneals one member of a generation: a walk of its own, with its own best grouping and its own count of work.
    fn raise(
        &self,
        (generation, member): (usize, usize),
        parents: &[Best<T::Score>],
        share: Share,
    ) -> Result<Walked<T::Score>, Error> {
        let walk = generation * MEMBERS + member;
        let mut rng = self.setting.rng((walk as u64) << 32);
        let mut control = self.setting.control(walk, share);
        if walk > 0 && control.is_over() {
            return Ok(Walked::none(self.state, &control));
        }
        let mut state = self.state.clone();
        let (from, mut heat) = match generation {
            0 if member == 0 => (None, self.schedule.whole()),
            0 => (Some(self.setting.start(member as u64)?), self.schedule.whole()),
            _ => {
                let mate = other(MEMBERS, member, &mut rng);
                let parent = Partition::new(state.partition().shared_layout(), &parents[member].group_of);
                let child = child(&parent, &parents[mate].group_of, &mut rng);
                (Some(child), self.schedule.cooling(self.schedule.warm))
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
        control.note_end(&stage);
        finish(&mut state, &mut best, &mut control);
        best.tell(&state, &mut control);
        Ok(Walked {
            best,
            work: control.work(),
            stop: control.stop(),
        })
    }
}

/// The best of the last generation, and what ended it.
fn ended<S: Score>(population: Vec<Best<S>>, work: u64, stops: Vec<Stop>) -> Outcome<S> {
    let walked = population
        .into_iter()
        .map(|best| Walked {
            best,
            work: 0,
            stop: None,
        })
        .collect();
    let outcome = gather(walked, Engine::Population);
    let stop = stops.into_iter().min_by_key(|stop| urgency(*stop));
    Outcome {
        work,
        stop: stop.unwrap_or(outcome.stop),
        ..outcome
    }
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
