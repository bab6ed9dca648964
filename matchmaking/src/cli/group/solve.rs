//! One search, and the check of what it found.

use std::time::{Duration, Instant};

use matching_core::{Cost, CostValue};
use matching_heuristics::{Engine, Error, Grouping, Groups, Instance, Search, Stop};

use super::args::GroupArgs;
use super::check;
use super::problem::{Problem, Sense, Shape};
use super::watch::Watch;
use crate::cli::decimal::Decimal;
use crate::cli::failure::Failure;
use crate::cli::json::Spent;

/// A limit counts as what ended the search when this share of it was used: engines plan ahead to end just before.
const USED_UP: f64 = 0.9;

/// Time limits beyond this, some thirty years, are this: clocks have an end.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// How to search, and when to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    engine: Engine,
    work: Option<u64>,
    time: Option<Duration>,
    seed: u64,
    target: Option<Decimal>,
}

impl Settings {
    pub(super) fn new(args: &GroupArgs) -> Self {
        Self {
            engine: args.engine,
            work: args.work_limit,
            time: args.time_limit.map(|time| time.min(LONGEST)),
            seed: args.seed,
            target: args.target,
        }
    }

    /// The same settings, when so much of the time is gone.
    pub(super) fn after(self, gone: Duration) -> Self {
        Self {
            time: self.time.map(|time| time.saturating_sub(gone)),
            ..self
        }
    }

    /// Which limit ended the search, if one did.
    fn ended_by<V: CostValue>(&self, found: &Grouping<V>) -> Ended {
        let work = self.work.map(|limit| found.work() as f64 / (limit as f64).max(1.0));
        let seconds = found.elapsed().as_secs_f64();
        let time = self.time.map(|limit| seconds / limit.as_secs_f64().max(1e-9));
        let used = |share: Option<f64>| share.filter(|share| *share >= USED_UP);
        match found.stop() {
            Stop::Time => Ended::TimeLimit,
            // Without a limit, the work is what the library itself allots.
            Stop::Work if self.work.is_some() => Ended::WorkLimit,
            _ if used(time).is_some() && time >= work => Ended::TimeLimit,
            _ if used(work).is_some() => Ended::WorkLimit,
            _ => Ended::Itself,
        }
    }
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Itself,
    /// No other grouping costs less.
    AllTried,
    Target,
    WorkLimit,
    TimeLimit,
}

/// What came of a search.
#[derive(Debug)]
pub(super) enum Outcome {
    Found(Found),
    /// There is no grouping, for this reason.
    Infeasible(Witness),
    /// No grouping was found; there may be one.
    Unknown(Unfound),
}

/// A grouping, checked.
#[derive(Debug)]
pub(super) struct Found {
    /// Members, and what they cost together, in the input's sense.
    pub(super) groups: Vec<(Vec<usize>, i128)>,
    pub(super) waiting: Vec<usize>,
    pub(super) total: i128,
    pub(super) engine: &'static str,
    pub(super) work: u64,
    pub(super) ended: Ended,
    /// Whether the total is as good as the target; true without one.
    pub(super) is_on_target: bool,
}

/// Why there is no grouping.
#[derive(Debug, PartialEq)]
pub(super) enum Witness {
    TooFew { players: usize, size: usize },
    PartyTooLarge { party: Vec<usize>, most: usize },
    PartyApart { party: Vec<usize>, pair: [usize; 2] },
    PartiesDoNotFit { parties: Vec<Vec<usize>> },
}

/// Why no grouping was found.
#[derive(Debug, PartialEq)]
pub(super) enum Unfound {
    /// The best one still has a forbidden pair, in this group.
    Forbidden { members: Vec<usize> },
    /// The parties were not packed in so many steps.
    Packing { steps: u64 },
}

/// Searches, and checks the answer against the problem.
pub(super) fn solve<C: Cost>(
    problem: &Problem<C>,
    file: &str,
    settings: Settings,
    watch: &Watch<'_>,
    spent: &mut Spent,
) -> Result<Outcome, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let groups = match &problem.shape {
        Shape::Groups(groups) => groups,
        Shape::TooFew { size } => {
            let (players, size) = (problem.cost.len(), *size);
            return Ok(Outcome::Infeasible(Witness::TooFew { players, size }));
        }
    };
    if let Some(witness) = apart(problem, groups) {
        return Ok(Outcome::Infeasible(witness));
    }
    let start = Instant::now();
    let target = settings
        .target
        .map(|target| problem.sense.apply(problem.scale.units(target)));
    let result = match problem.sense {
        Sense::Minimize => search(&problem.cost, groups, &problem.parties, settings, target, watch),
        Sense::Maximize => search(
            &(&problem.cost).negated(),
            groups,
            &problem.parties,
            settings,
            target,
            watch,
        ),
    };
    spent.solve += start.elapsed();
    let grouping = match result {
        Ok(grouping) => grouping,
        Err(error) => return refused(error, file),
    };
    let start = Instant::now();
    let found = checked(problem, groups, settings, target, &grouping)?;
    spent.verify += start.elapsed();
    Ok(Outcome::Found(found))
}

/// One search for little cost.
fn search<C: Cost>(
    cost: &C,
    groups: &Groups,
    parties: &[Vec<usize>],
    settings: Settings,
    target: Option<f64>,
    watch: &Watch<'_>,
) -> Result<Grouping<C::Value>, Error> {
    let instance = Instance::pairwise(cost, groups.clone())?.parties(parties.iter().cloned())?;
    let see = |progress: &matching_heuristics::Progress| watch.see(progress);
    let mut search = Search::with(&instance, settings.engine)
        .seed(settings.seed)
        .observer(&see);
    if let Some(work) = settings.work {
        search = search.work(work);
    }
    if let Some(time) = settings.time {
        search = search.time(time);
    }
    if let Some(target) = target {
        search = search.target(target);
    }
    search.run()
}

/// A party of players who must not be together, and which is too large to wait.
fn apart<C: Cost>(problem: &Problem<C>, groups: &Groups) -> Option<Witness> {
    let cost = &problem.cost;
    if !cost.has_forbidden() {
        return None;
    }
    problem
        .parties
        .iter()
        .filter(|party| !groups.bench().contains(&party.len()))
        .find_map(|party| {
            let pair = check::forbidden_pair(cost, party)?;
            let party = party.clone();
            Some(Witness::PartyApart { party, pair })
        })
}

/// What an error says about the problem, if it is not the input that is wrong.
fn refused(error: Error, file: &str) -> Result<Outcome, Failure> {
    match error {
        Error::PartyTooLarge { party, most } => Ok(Outcome::Infeasible(Witness::PartyTooLarge { party, most })),
        Error::PartiesDoNotFit { parties } => Ok(Outcome::Infeasible(Witness::PartiesDoNotFit { parties })),
        Error::OnlyForbidden { members } => Ok(Outcome::Unknown(Unfound::Forbidden { members })),
        Error::PackingUnknown { steps } => Ok(Outcome::Unknown(Unfound::Packing { steps })),
        source => Err(Failure::Search {
            file: file.to_owned(),
            source,
        }),
    }
}

/// The grouping in the input's sense, if it is what it says it is.
fn checked<C: Cost>(
    problem: &Problem<C>,
    groups: &Groups,
    settings: Settings,
    target: Option<f64>,
    grouping: &Grouping<C::Value>,
) -> Result<Found, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    check::members(problem, groups, grouping.groups(), grouping.bench())?;
    let priced: Vec<(Vec<usize>, i128)> = grouping
        .groups()
        .iter()
        .map(|members| (members.clone(), problem.price(members)))
        .collect();
    let total: i128 = priced.iter().map(|(_, cost)| cost).sum();
    let counted = match problem.sense {
        Sense::Minimize => grouping.cost(),
        Sense::Maximize => -grouping.cost(),
    };
    if counted != total {
        return Err(Failure::Inconsistent {
            problem: "the total is not that of the groups",
        });
    }
    let is_on_target = target.is_none_or(|target| problem.sense.apply(total as f64) <= target);
    let is_at_target = target.is_some() && (is_on_target || grouping.stop() == Stop::Target);
    Ok(Found {
        groups: priced,
        waiting: grouping.bench().to_vec(),
        total,
        engine: grouping.engine().name(),
        work: grouping.work(),
        ended: if is_at_target {
            Ended::Target
        } else if grouping.is_proven_best() {
            Ended::AllTried
        } else {
            settings.ended_by(grouping)
        },
        is_on_target,
    })
}
