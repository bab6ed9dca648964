//! All rules on the same arrivals, and what comes of it.

use std::ops::ControlFlow;

use matching_core::StopReason;
use matchmaking::eomm::statistics::Estimate;
use matchmaking::lobby::{Breakdown, Played, RoundRule, Rules, Simulation};
use rayon::prelude::*;

use super::args::LobbySimulationArgs;
use crate::cli::failure::Failure;
use crate::cli::limits::Limits;
use crate::cli::output::Progress;
use crate::cli::simulate::estimate;

/// Fewer replications have no spread.
const LEAST: usize = 2;

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Study {
    /// By rule; nothing where fewer than two replications are done.
    pub(super) rows: Vec<Row>,
    /// Each rule by the one before it.
    pub(super) differences: Vec<Difference>,
    pub(super) replications: usize,
    pub(super) work: u64,
    /// What ended it, if a limit did.
    pub(super) stop: Option<StopReason>,
}

/// One rule, over all replications.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) when: RoundRule,
    pub(super) rounds: usize,
    pub(super) round_players: Option<Estimate>,
    pub(super) matches: usize,
    /// Of matches, the mean over those replications that have some.
    pub(super) score: Option<Estimate>,
    pub(super) breakdown: Option<Breakdown>,
    pub(super) worst: Option<f64>,
    pub(super) wait: Option<Estimate>,
    /// What 95 % of the waits do not exceed.
    pub(super) long_wait: Option<f64>,
    pub(super) arrived: usize,
    pub(super) matched: usize,
    pub(super) waiting: usize,
    pub(super) given_up: usize,
}

/// What the second rule has more than the first.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) rules: [RoundRule; 2],
    pub(super) score: Estimate,
    pub(super) wait: Estimate,
}

/// Plays replications, each with all rules, as far as limits go; these are the first ones, so that they are those of a shorter
/// run.
pub(super) fn play(
    args: &LobbySimulationArgs,
    (rules, whens): (&Rules, &[RoundRule]),
    limits: &Limits,
    progress: &Progress,
) -> Result<Study, Failure> {
    let mut done: Vec<Vec<Played>> = Vec::new();
    let (mut work, mut stop) = (0_u64, None);
    let threads = rayon::current_num_threads().max(1) as u64;
    let wanted = u64::from(args.replications);
    'all: for from in (0..wanted).step_by(threads as usize) {
        let numbers = from..(from + threads).min(wanted);
        let pieces: Vec<(u64, RoundRule)> = numbers
            .clone()
            .flat_map(|number| whens.iter().map(move |&when| (number, when)))
            .collect();
        let played = pieces
            .into_par_iter()
            .map(|(number, when)| one(args, (rules, when), number, limits));
        let played: Vec<Option<Played>> = played.collect::<Result<_, Failure>>()?;
        for replication in played.chunks(whens.len()) {
            let Some(replication) = replication.iter().cloned().collect::<Option<Vec<Played>>>() else {
                stop = limits.over().or(Some(StopReason::WorkLimit));
                break 'all;
            };
            let with = work.saturating_add(replication.iter().map(Played::work).sum());
            if limits.work().is_some_and(|limit| with > limit) {
                stop = Some(StopReason::WorkLimit);
                break 'all;
            }
            work = with;
            done.push(replication);
        }
        progress.update(&format!("{} of {wanted} replications", done.len()));
    }
    progress.end_updates();
    let (mut rows, mut differences) = (Vec::new(), Vec::new());
    if done.len() >= LEAST {
        rows.extend((0..whens.len()).map(|at| row(whens[at], &of_rule(&done, at))));
        differences.extend((1..whens.len()).filter_map(|at| difference(whens, at, &done)));
    }
    Ok(Study {
        rows,
        differences,
        replications: done.len(),
        work,
        stop,
    })
}

/// One replication under one rule; nothing where there is no time for it.
fn one(
    args: &LobbySimulationArgs,
    (rules, when): (&Rules, RoundRule),
    number: u64,
    limits: &Limits,
) -> Result<Option<Played>, Failure> {
    if limits.over().is_some() {
        return Ok(None);
    }
    let budget = limits.budget_of_interrupt();
    let budget = match args.round_work {
        Some(moves) => budget.work(moves),
        None => budget,
    };
    let simulation = Simulation::new(args.players, args.arrivals)
        .again(args.again)
        .match_seconds(60.0 * args.match_minutes)
        .seed(seed(args.seed, number))
        .budget(budget);
    let simulation = match args.patience {
        Some(seconds) => simulation.patience(seconds),
        None => simulation,
    };
    let (mut flaw, mut work) = (None, 0);
    let played = simulation.run_watched(rules, when, &mut |held| {
        if let Some(lobby) = held.lobby() {
            flaw = lobby.verify(held.round(), rules).err();
            work += lobby.work;
        }
        let is_too_much = limits.work().is_some_and(|limit| work > limit);
        match flaw.is_some() || is_too_much || limits.over().is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    if let Some(flaw) = flaw {
        return Err(Failure::Unverified { source: Box::new(flaw) });
    }
    match played {
        Ok(played) => Ok(Some(played).filter(|played| played.is_complete)),
        Err(source) => Err(Failure::Lobby {
            source: Box::new(source),
        }),
    }
}

/// Seeds that differ in both.
fn seed(seed: u64, replication: u64) -> u64 {
    seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(replication)
}

fn of_rule(done: &[Vec<Played>], at: usize) -> Vec<&Played> {
    done.iter().map(|replication| &replication[at]).collect()
}

/// Mean and interval of what is known, if something is.
fn known(values: impl Iterator<Item = Option<f64>>) -> Option<Estimate> {
    let values: Vec<f64> = values.flatten().collect();
    (!values.is_empty()).then(|| estimate(values.iter().copied()))
}

fn row(when: RoundRule, played: &[&Played]) -> Row {
    let each = || played.iter().copied();
    let breakdowns: Vec<Breakdown> = each().filter_map(|one| Breakdown::mean(&one.matches)).collect();
    let mut waits: Vec<f64> = each().flat_map(|one| one.waits.iter().copied()).collect();
    waits.sort_unstable_by(f64::total_cmp);
    let round_players = |one: &Played| {
        let players: usize = one.rounds.iter().map(|round| round.players).sum();
        (!one.rounds.is_empty()).then(|| players as f64 / one.rounds.len() as f64)
    };
    Row {
        when,
        rounds: each().map(|one| one.rounds.len()).sum(),
        round_players: known(each().map(round_players)),
        matches: each().map(|one| one.matches.len()).sum(),
        score: known(each().map(Played::mean_score)),
        breakdown: Breakdown::mean(&breakdowns),
        worst: each().filter_map(Played::worst_score).reduce(f64::min),
        wait: known(each().map(Played::mean_wait)),
        // The least of them that 95 % do not exceed.
        long_wait: (waits.len() * 19).div_ceil(20).checked_sub(1).map(|at| waits[at]),
        arrived: each().map(|one| one.arrived).sum(),
        matched: waits.len(),
        waiting: each().map(|one| one.waiting).sum(),
        given_up: each().map(|one| one.given_up).sum(),
    }
}

/// Replication by replication, if all have matches.
fn difference(whens: &[RoundRule], at: usize, done: &[Vec<Played>]) -> Option<Difference> {
    let of = |value: fn(&Played) -> Option<f64>| {
        let less = |replication: &Vec<Played>| Some(value(&replication[at])? - value(&replication[at - 1])?);
        let values: Option<Vec<f64>> = done.iter().map(less).collect();
        values.map(|values| estimate(values.iter().copied()))
    };
    Some(Difference {
        rules: [whens[at - 1], whens[at]],
        score: of(Played::mean_score)?,
        wait: of(Played::mean_wait)?,
    })
}
