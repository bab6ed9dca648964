//! All policies on all patterns, and what comes of it.

use matchmaking::eomm::statistics::{Estimate, Sample};
use matchmaking::online::{Account, Arrivals, Error, Pattern, PolicyKind, Setting, optimum_in_windows, simulate};
use rayon::prelude::*;

use super::args::OnlineSimulationArgs;
use super::floor::{FloorResult, Floors};

/// Arrivals that are matched at once in hindsight.
const WINDOW: usize = 20_000;

/// What makes replications that parameters are chosen by others than those that are reported.
const CHOICE: &str = "to choose by";

/// Parameters of the policies that have one.
const COUNTS: std::ops::RangeInclusive<usize> = 1..=10;
const FACTORS: [f64; 12] = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];

/// A policy with all its parameters, and what the paper's Table 3 says of it.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) name: String,
    pub(super) members: Vec<PolicyKind>,
    pub(super) printed: Option<f64>,
}

fn families(more: &[PolicyKind]) -> Vec<Family> {
    let family = |name: &str, members, printed| Family {
        name: name.to_owned(),
        members,
        printed,
    };
    let mut families = vec![
        family("A_G", vec![PolicyKind::Greedy], Some(2.04)),
        family(
            "A_PM",
            COUNTS.map(|games| PolicyKind::Periodic(Some(games))).collect(),
            Some(1.64),
        ),
        family(
            "A_MQ",
            COUNTS.map(|ranges| PolicyKind::MultiQueue(Some(ranges))).collect(),
            Some(1.41),
        ),
        family("A_DW", FACTORS.map(PolicyKind::DifferenceWait).to_vec(), Some(1.39)),
        family("A_PM, adaptive", vec![PolicyKind::Periodic(None)], None),
        family("A_MQ, adaptive", vec![PolicyKind::MultiQueue(None)], None),
        family("slack", vec![PolicyKind::Slack], None),
    ];
    for &kind in more {
        let name = kind.to_string();
        if families.iter().all(|family| family.name != name) {
            families.push(family(&name, vec![kind], None));
        }
    }
    families
}

/// What one policy's games cost.
#[derive(Clone, Copy, Debug)]
struct Cost {
    per_game: f64,
    total: f64,
}

impl Cost {
    fn of(account: &Account) -> Self {
        Self {
            per_game: account.per_game(),
            total: account.total(),
        }
    }
}

/// All policies on the same arrivals.
#[derive(Debug)]
struct Trial {
    /// By family and member.
    costs: Vec<Vec<Cost>>,
    best: Cost,
    /// No games cost less in total.
    bound: f64,
}

/// One parameter on one pattern.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) kind: PolicyKind,
    pub(super) per_game: Estimate,
    /// Total cost by the optimum's.
    pub(super) ratio: Estimate,
    /// What the paper prints for it.
    pub(super) printed: Option<f64>,
}

/// All policies on one pattern.
#[derive(Debug)]
pub(super) struct PatternResult {
    pub(super) pattern: Pattern,
    pub(super) optimum: Estimate,
    /// The optimum's bound per two arrivals.
    pub(super) optimum_per_two: Estimate,
    /// By family: all parameters.
    pub(super) points: Vec<Vec<Point>>,
    /// By family: the parameter of the least cost per game in other replications. The least of the same ones would owe
    /// its figure to luck as well.
    pub(super) chosen: Vec<usize>,
    /// How much of `slack`'s total cost, in units of the optimum's, is more than that of A_DW.
    pub(super) slack_less_dw: Estimate,
    /// How far the optimum's games are from its bound, at most.
    pub(super) gap: f64,
}

/// A policy over all patterns.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) name: String,
    /// Mean cost per game over the patterns, by the optimum's: Table 3.
    pub(super) averaged: Estimate,
    /// Mean over the patterns of total cost by the optimum's.
    pub(super) ratio: Estimate,
    pub(super) printed: Option<f64>,
}

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) families: Vec<Family>,
    pub(super) patterns: Vec<PatternResult>,
    pub(super) summaries: Vec<Summary>,
    pub(super) floors: Vec<FloorResult>,
}

/// Plays all of it; replications are shared out over the threads, and each has arrivals of its own.
pub(super) fn play(args: &OnlineSimulationArgs) -> Result<Study, Error> {
    let setting = Setting::new(2, args.tau_max, 1)?;
    let families = families(&args.policy);
    for kind in families.iter().flat_map(|family| &family.members) {
        kind.build(&setting)?;
    }
    // First of all: whether so few states suffice is known before anything is played.
    let floors = match args.floor {
        Some(states) => Floors::estimated(&setting, &args.patterns, states as usize, args.seed)?,
        None => Floors::default(),
    };
    let each: Vec<(usize, u64)> = (0..args.patterns.len())
        .flat_map(|pattern| (0..u64::from(args.replications)).map(move |replication| (pattern, replication)))
        .collect();
    let arrivals = |pattern: Pattern, name: &str, replication| {
        let seed = seed(args.seed, name, replication);
        pattern.arrivals(args.arrivals as usize, 1, seed)
    };
    let rehearse = |&(pattern, replication): &(usize, u64)| {
        let pattern = args.patterns[pattern];
        let arrivals = arrivals(pattern, &format!("{} {CHOICE}", pattern.name()), replication)?;
        all_costs(&setting, &families, &arrivals, |family| family.members.len() > 1)
    };
    let rehearsals: Vec<Vec<Vec<Cost>>> = each.par_iter().map(rehearse).collect::<Result<_, _>>()?;
    let play = |&(pattern, replication): &(usize, u64)| {
        let pattern = args.patterns[pattern];
        trial(&setting, &families, &arrivals(pattern, &pattern.name(), replication)?)
    };
    let trials: Vec<Trial> = each.par_iter().map(play).collect::<Result<_, _>>()?;
    let rehearsed = rehearsals.chunks(args.replications as usize);
    let by_pattern: Vec<&[Trial]> = trials.chunks(args.replications as usize).collect();
    let patterns: Vec<PatternResult> = args
        .patterns
        .iter()
        .zip(&by_pattern)
        .zip(rehearsed)
        .map(|((&pattern, trials), rehearsed)| {
            let chosen = (0..families.len()).map(|family| cheapest(rehearsed, family)).collect();
            result(pattern, &families, trials, chosen, args.arrivals)
        })
        .collect();
    let summaries = (0..families.len()).map(|family| summary(&families[family], family, &patterns, &by_pattern));
    Ok(Study {
        summaries: summaries.collect(),
        floors: floors.compared(&patterns),
        families,
        patterns,
    })
}

/// Seeds that differ in all of the three; the odd constants spread them over all 64 bits. They go by the pattern's name:
/// what comes of a pattern does not depend on which others are played.
fn seed(seed: u64, pattern: &str, replication: u64) -> u64 {
    // FNV-1a, which is the same everywhere and in every version.
    let name = pattern.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let mixed = seed
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(name)
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed.wrapping_add(replication)
}

fn trial(setting: &Setting, families: &[Family], arrivals: &Arrivals) -> Result<Trial, Error> {
    let best = optimum_in_windows(setting, arrivals, WINDOW)?;
    Ok(Trial {
        costs: all_costs(setting, families, arrivals, |_| true)?,
        best: Cost::of(&Account::new(setting, arrivals, &best.games)?),
        bound: best.bound,
    })
}

/// Costs by family and member; none of families that are not asked for.
fn all_costs(
    setting: &Setting,
    families: &[Family],
    arrivals: &Arrivals,
    is_asked_for: impl Fn(&Family) -> bool,
) -> Result<Vec<Vec<Cost>>, Error> {
    let cost = |kind: &PolicyKind| {
        let games = simulate(setting, kind.build(setting)?, arrivals)?;
        Account::new(setting, arrivals, &games).map(|account| Cost::of(&account))
    };
    let of_family = |family: &Family| match is_asked_for(family) {
        true => family.members.iter().map(cost).collect(),
        false => Ok(Vec::new()),
    };
    families.iter().map(of_family).collect()
}

/// The member of least cost per game; the only one, where nothing was played.
fn cheapest(rehearsed: &[Vec<Vec<Cost>>], family: usize) -> usize {
    let members = rehearsed.first().map_or(0, |costs| costs[family].len());
    let cost = |member: usize| {
        rehearsed
            .iter()
            .map(|costs| costs[family][member].per_game)
            .sum::<f64>()
    };
    (0..members).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(0)
}

/// Mean and interval over replications.
fn estimate(values: impl Iterator<Item = f64> + Clone) -> Estimate {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
    Sample {
        count: count as u64,
        mean,
        variance: squares / (count - 1.0),
    }
    .estimate()
}

fn result(pattern: Pattern, families: &[Family], trials: &[Trial], chosen: Vec<usize>, arrivals: u32) -> PatternResult {
    let point = |family: usize, member: usize| {
        let kind = families[family].members[member];
        Point {
            kind,
            per_game: estimate(trials.iter().map(|trial| trial.costs[family][member].per_game)),
            ratio: estimate(
                trials
                    .iter()
                    .map(|trial| trial.costs[family][member].total / trial.bound),
            ),
            printed: printed(pattern, kind),
        }
    };
    let points: Vec<Vec<Point>> = (0..families.len())
        .map(|family| {
            (0..families[family].members.len())
                .map(|member| point(family, member))
                .collect()
        })
        .collect();
    let of = |name: &str| {
        families
            .iter()
            .position(|family| family.name == name)
            .unwrap_or_default()
    };
    let (slack, dw) = (of("slack"), of("A_DW"));
    let total = |trial: &Trial, family: usize| trial.costs[family][chosen[family]].total / trial.bound;
    PatternResult {
        pattern,
        optimum: estimate(trials.iter().map(|trial| trial.best.per_game)),
        optimum_per_two: estimate(trials.iter().map(|trial| 2.0 * trial.bound / f64::from(arrivals))),
        slack_less_dw: estimate(trials.iter().map(|trial| total(trial, slack) - total(trial, dw))),
        gap: trials
            .iter()
            .map(|trial| trial.best.total / trial.bound - 1.0)
            .fold(0.0, f64::max),
        points,
        chosen,
    }
}

/// The two costs that section 5.2 of the paper prints.
fn printed(pattern: Pattern, kind: PolicyKind) -> Option<f64> {
    match (pattern, kind) {
        (Pattern::Constant(10.0), PolicyKind::Periodic(Some(4))) => Some(0.362),
        (Pattern::Constant(10.0), PolicyKind::MultiQueue(Some(6))) => Some(0.231),
        _ => None,
    }
}

/// A family with its best parameters, over all patterns; replication by replication.
fn summary(family: &Family, position: usize, patterns: &[PatternResult], trials: &[&[Trial]]) -> Summary {
    let replications = 0..trials.first().map_or(0, |trials| trials.len());
    let over_patterns = |replication: usize, value: &dyn Fn(&Trial, usize) -> f64| {
        let values = patterns
            .iter()
            .zip(trials)
            .map(|(result, trials)| value(&trials[replication], result.chosen[position]));
        values.sum::<f64>() / patterns.len() as f64
    };
    let averaged = |replication: usize| {
        let cost = over_patterns(replication, &|trial, member| trial.costs[position][member].per_game);
        cost / over_patterns(replication, &|trial, _| trial.best.per_game)
    };
    let ratio = |replication| {
        over_patterns(replication, &|trial, member| {
            trial.costs[position][member].total / trial.bound
        })
    };
    Summary {
        name: family.name.clone(),
        averaged: estimate(replications.clone().map(averaged)),
        ratio: estimate(replications.map(ratio)),
        printed: family.printed,
    }
}
