//! Several contenders on one instance, taking turns, so that slow phases of a machine fall on all of them.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use super::contender::Contender;
use super::measure::{self, Measurement, Outcome};

/// How often, and how long.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Runs of each contender.
    pub repeat: usize,
    /// Wall time after which a run is killed.
    pub limit: Duration,
    /// What a run gets on top of the limit, for reading the file.
    pub reading: Duration,
    /// Resident memory in GiB at which a run is killed.
    pub memory_gib: u64,
    /// Wall time of all its runs after which a contender is not asked to repeat.
    pub patience: Duration,
}

/// Why a contender has no further runs on an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was killed after this time.
    OverLimit(Duration),
    /// It was killed at this much resident memory, in GiB.
    OverMemory(u64),
    /// It ran into a limit on a smaller instance.
    NotAsked,
    /// It said so.
    TooLarge,
    /// It crashed, or printed something else.
    Failed,
    /// There is a cheaper matching than the one it found, or none as cheap.
    Wrong,
}

/// What one contender did on one instance.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Name of the contender.
    pub name: String,
    /// Its runs, first to last.
    pub runs: Vec<Measurement>,
    /// Why there are no more, if that was not the plan.
    pub stop: Option<Stop>,
    spent: Duration,
}

impl Lane {
    fn new(contender: &Contender, is_asked: bool) -> Self {
        Self {
            name: contender.name.clone(),
            runs: Vec::new(),
            stop: (!is_asked).then_some(Stop::NotAsked),
            spent: Duration::ZERO,
        }
    }

    /// Whether larger instances of the family are out of reach.
    pub fn gives_up(&self) -> bool {
        matches!(
            self.stop,
            Some(Stop::OverLimit(_) | Stop::OverMemory(_) | Stop::NotAsked | Stop::TooLarge)
        )
    }

    fn run(&mut self, contender: &Contender, file: &Path, plan: &Plan) -> Result<(), Box<dyn Error>> {
        if self.stop.is_some() || self.spent > plan.patience {
            return Ok(());
        }
        let start = Instant::now();
        match measure::run(contender, file, plan.limit + plan.reading, plan.memory_gib)? {
            Outcome::Measured(measurement) => self.runs.push(measurement),
            Outcome::OverLimit => self.stop = Some(Stop::OverLimit(plan.limit)),
            Outcome::OverMemory => self.stop = Some(Stop::OverMemory(plan.memory_gib)),
            Outcome::TooLarge => self.stop = Some(Stop::TooLarge),
            Outcome::Failed => self.stop = Some(Stop::Failed),
        }
        self.spent += start.elapsed();
        Ok(())
    }
}

/// Runs all contenders for which `is_asked` on one instance file.
///
/// # Errors
/// If a contender cannot be started at all.
pub fn take_turns(
    contenders: &[Contender],
    is_asked: impl Fn(&str) -> bool,
    file: &Path,
    plan: &Plan,
) -> Result<Vec<Lane>, Box<dyn Error>> {
    let lane = |contender: &Contender| Lane::new(contender, is_asked(&contender.name));
    let mut lanes: Vec<Lane> = contenders.iter().map(lane).collect();
    for round in 0..plan.repeat {
        // Another one begins each round: the first may find colder caches.
        for at in (0..lanes.len()).map(|at| (at + round) % contenders.len()) {
            lanes[at].run(&contenders[at], file, plan)?;
        }
    }
    Ok(lanes)
}

/// All runs of all contenders must have found the same optimum.
///
/// # Errors
/// Who found what, where two differ.
pub fn agree(lanes: &[Lane]) -> Result<(), String> {
    let mut found = lanes
        .iter()
        .flat_map(|lane| lane.runs.iter().map(|run| (&lane.name, run.optimum)));
    let Some((reference, expected)) = found.next() else {
        return Ok(());
    };
    match found.find(|&(_, optimum)| optimum != expected) {
        Some((other, optimum)) => Err(format!("{reference} finds {expected}, {other} finds {optimum}")),
        None => Ok(()),
    }
}
