//! All policies on all patterns, and what comes of it.

use matching_core::StopReason;
use matchmaking::eomm::statistics::Estimate;
use matchmaking::online::{Account, Arrivals, Error, Pattern, PolicyKind, Setting, optimum_within, simulate_within};
use rayon::prelude::*;

use super::args::{OnlineSimulationArgs, is_papers};
use super::floor::{FloorResult, Floors};
use crate::cli::limits::Limits;
use crate::cli::simulate::estimate;

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

fn families(args: &OnlineSimulationArgs, setting: &Setting) -> Vec<Family> {
    let is_papers = is_papers(setting)
        && args.patterns.len() == Pattern::PAPER.len()
        && Pattern::PAPER.iter().all(|pattern| args.patterns.contains(pattern));
    let family = |name: &str, members, printed: Option<f64>| Family {
        name: name.to_owned(),
        members,
        printed: printed.filter(|_| is_papers),
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
    // Those that serve such games, with the parameters that they can have.
    for family in &mut families {
        family.members.retain(|kind| kind.build(setting).is_ok());
    }
    families.retain(|family| !family.members.is_empty());
    for &kind in &args.policy {
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
    /// Unknown for games of more than two.
    best: Option<Best>,
}

/// What the best games cost that somebody could have made who knew the future.
#[derive(Clone, Copy, Debug)]
struct Best {
    cost: Cost,
    /// No games cost less in total.
    bound: f64,
}

impl Trial {
    /// Total cost of a policy by the optimum's, if that is known.
    fn ratio(&self, family: usize, member: usize) -> Option<f64> {
        Some(self.costs[family][member].total / self.best?.bound)
    }
}

/// One parameter on one pattern.
#[derive(Debug)]
pub(super) struct Point {
    pub(super) kind: PolicyKind,
    pub(super) per_game: Estimate,
    /// Total cost by the optimum's, where it is known.
    pub(super) ratio: Option<Estimate>,
    /// What the paper prints for it.
    pub(super) printed: Option<f64>,
}

/// All policies on one pattern.
#[derive(Debug)]
pub(super) struct PatternResult {
    pub(super) pattern: Pattern,
    pub(super) optimum: Option<Optimum>,
    /// By family: all parameters.
    pub(super) points: Vec<Vec<Point>>,
    /// By family: the parameter of the least cost per game in other replications. The least of the same ones would owe
    /// its figure to luck as well.
    pub(super) chosen: Vec<usize>,
    /// How much of `slack`'s total cost, in units of the optimum's, is more than that of A_DW, where both serve such games.
    pub(super) slack_less_dw: Option<Estimate>,
}

/// What policies are compared with.
#[derive(Debug)]
pub(super) struct Optimum {
    pub(super) per_game: Estimate,
    /// The bound per two arrivals.
    pub(super) per_two: Estimate,
    /// How far its games are from its bound, at most.
    pub(super) gap: f64,
}

/// A policy over all patterns.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) name: String,
    /// Mean cost per game over the patterns.
    pub(super) mean: Estimate,
    /// The same by the optimum's: Table 3.
    pub(super) averaged: Option<Estimate>,
    /// Mean over the patterns of total cost by the optimum's.
    pub(super) ratio: Option<Estimate>,
    pub(super) printed: Option<f64>,
}

/// Everything that was played.
#[derive(Debug)]
pub(super) struct Study {
    pub(super) families: Vec<Family>,
    pub(super) patterns: Vec<PatternResult>,
    pub(super) summaries: Vec<Summary>,
    pub(super) floors: Vec<FloorResult>,
    /// Replications that are done for all patterns.
    pub(super) replications: u32,
    /// What ended it, if a limit did.
    pub(super) stop: Option<StopReason>,
}

impl Study {
    /// Whether policies are compared with the optimum.
    pub(super) fn has_optimum(&self) -> bool {
        self.patterns.iter().any(|result| result.optimum.is_some())
    }
}

/// One replication of a pattern: all families with parameters on arrivals to choose by, and all on those that are reported.
struct Replication {
    rehearsal: Vec<Vec<Cost>>,
    trial: Trial,
}

/// Fewer replications have no spread.
const LEAST: u32 = 2;

/// Plays all of it, as far as limits go; replications are shared out over the threads, and each has arrivals of its own.
pub(super) fn play(args: &OnlineSimulationArgs, setting: &Setting, limits: &Limits) -> Result<Study, Error> {
    let families = families(args, setting);
    for kind in families.iter().flat_map(|family| &family.members) {
        kind.build(setting)?;
    }
    // First of all: whether so few states suffice is known before anything is played.
    let floors = match args.floor {
        Some(states) => Floors::estimated(setting, &args.patterns, states as usize, args.seed, limits)?,
        None => Floors::default(),
    };
    let player = Player {
        args,
        setting,
        families: &families,
        limits,
    };
    let affordable = player.affordable();
    let by_pattern = player.replications(affordable)?;
    let played = by_pattern.iter().map(Vec::len).min().unwrap_or(0) as u32;
    let by_work = (affordable < args.replications).then_some(StopReason::WorkLimit);
    let stop = if played < affordable { limits.over() } else { by_work };
    let (mut patterns, mut summaries) = (Vec::new(), Vec::new());
    if played >= LEAST {
        let results = args.patterns.iter().zip(&by_pattern);
        patterns.extend(results.map(|(&pattern, played)| {
            let chosen = (0..families.len()).map(|family| cheapest(played, family)).collect();
            result(pattern, (&families, setting), played, chosen, args)
        }));
        let summary = |family| summary(&families[family], family, &patterns, &by_pattern);
        summaries.extend((0..families.len()).map(summary));
    }
    Ok(Study {
        summaries,
        stop: floors.stop.or(stop),
        floors: floors.compared(&patterns),
        families,
        patterns,
        replications: played,
    })
}

/// Plays replications.
struct Player<'p> {
    args: &'p OnlineSimulationArgs,
    setting: &'p Setting,
    families: &'p [Family],
    limits: &'p Limits,
}

impl Player<'_> {
    /// Replications of each pattern that the limit on work has room for, no more than were asked for.
    fn affordable(&self) -> u32 {
        let members = || self.families.iter().map(|family| family.members.len());
        let served = members().filter(|&members| members > 1).chain(members()).sum::<usize>();
        let served = served + usize::from(self.has_optimum());
        let of_one_each = u64::from(self.args.arrivals) * (served * self.args.patterns.len()) as u64;
        let limit = self.limits.work().map_or(u64::MAX, |work| work / of_one_each.max(1));
        limit.min(self.args.replications.into()) as u32
    }

    /// So many replications of each pattern, or as many of each as were done in time: the first ones, so that they are
    /// those of a shorter run.
    fn replications(&self, count: u32) -> Result<Vec<Vec<Replication>>, Error> {
        let patterns = 0..self.args.patterns.len();
        let each = (0..u64::from(count)).flat_map(|number| patterns.clone().map(move |pattern| (pattern, number)));
        let play = |(pattern, number): (usize, u64)| {
            let played = self.replication(self.args.patterns[pattern], number)?;
            Ok(played.map(|played| (number, pattern, played)))
        };
        let each: Vec<(usize, u64)> = each.collect();
        // Threads take what comes next, so that at any time there are about as many of each pattern.
        let played = each.into_iter().par_bridge().map(play);
        let mut played: Vec<(u64, usize, Replication)> =
            played.filter_map(Result::transpose).collect::<Result<_, Error>>()?;
        played.sort_unstable_by_key(|&(number, pattern, _)| (number, pattern));
        let mut by_pattern: Vec<Vec<Replication>> = patterns.map(|_| Vec::new()).collect();
        for (number, pattern, replication) in played {
            // One that is missing leaves those after it out.
            if by_pattern[pattern].len() as u64 == number {
                by_pattern[pattern].push(replication);
            }
        }
        let complete = by_pattern.iter().map(Vec::len).min().unwrap_or(0);
        by_pattern.iter_mut().for_each(|played| played.truncate(complete));
        Ok(by_pattern)
    }

    /// One of a pattern, if there is time for it.
    fn replication(&self, pattern: Pattern, number: u64) -> Result<Option<Replication>, Error> {
        let arrivals = |name: &str| {
            let seed = seed(self.args.seed, name, number);
            pattern.arrivals(self.args.arrivals as usize, self.setting.criteria(), seed)
        };
        // Before its arrivals are drawn: there may be millions of replications to come.
        if self.limits.over().is_some() {
            return Ok(None);
        }
        let name = pattern.name();
        let to_choose_by = arrivals(&format!("{name} {CHOICE}"))?;
        let Some(rehearsal) = self.all_costs(&to_choose_by, |family| family.members.len() > 1)? else {
            return Ok(None);
        };
        let trial = self.trial(&arrivals(&name)?)?;
        Ok(trial.map(|trial| Replication { rehearsal, trial }))
    }

    fn trial(&self, arrivals: &Arrivals) -> Result<Option<Trial>, Error> {
        let best = if self.has_optimum() {
            let best = optimum_within(self.setting, arrivals, WINDOW, &self.limits.budget_of_time())?;
            if best.stop.is_some() {
                return Ok(None);
            }
            let account = Account::new(self.setting, arrivals, &best.games)?;
            Some(Best {
                cost: Cost::of(&account),
                bound: best.bound,
            })
        } else {
            None
        };
        let costs = self.all_costs(arrivals, |_| true)?;
        Ok(costs.map(|costs| Trial { costs, best }))
    }

    /// Whether so many arrivals can be matched in hindsight.
    fn has_optimum(&self) -> bool {
        self.setting.players() == 2
    }

    /// Costs by family and member; none of families that are not asked for, and none at all without the time.
    fn all_costs(
        &self,
        arrivals: &Arrivals,
        is_asked_for: impl Fn(&Family) -> bool,
    ) -> Result<Option<Vec<Vec<Cost>>>, Error> {
        let cost = |kind: &PolicyKind| {
            let (policy, budget) = (kind.build(self.setting)?, self.limits.budget_of_time());
            let served = simulate_within(self.setting, policy, arrivals, &budget)?;
            if served.stop.is_some() {
                return Ok(None);
            }
            Account::new(self.setting, arrivals, &served.games).map(|account| Some(Cost::of(&account)))
        };
        let of_family = |family: &Family| match is_asked_for(family) {
            true => family.members.iter().map(cost).collect(),
            false => Ok(Some(Vec::new())),
        };
        self.families.iter().map(of_family).collect()
    }
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

/// The member of least cost per game; the only one, where nothing was played.
fn cheapest(played: &[Replication], family: usize) -> usize {
    let rehearsed = || played.iter().map(|replication| &replication.rehearsal[family]);
    let members = rehearsed().next().map_or(0, Vec::len);
    let cost = |member: usize| rehearsed().map(|costs| costs[member].per_game).sum::<f64>();
    (0..members).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(0)
}

/// The same of values that are known of all, or of none.
fn estimate_of_known(values: impl Iterator<Item = Option<f64>>) -> Option<Estimate> {
    let values: Option<Vec<f64>> = values.collect();
    values.map(|values| estimate(values.iter().copied()))
}

fn result(
    pattern: Pattern,
    (families, setting): (&[Family], &Setting),
    played: &[Replication],
    chosen: Vec<usize>,
    args: &OnlineSimulationArgs,
) -> PatternResult {
    let trials: Vec<&Trial> = played.iter().map(|replication| &replication.trial).collect();
    let point = |family: usize, member: usize| {
        let kind = families[family].members[member];
        Point {
            kind,
            per_game: estimate(trials.iter().map(|trial| trial.costs[family][member].per_game)),
            ratio: estimate_of_known(trials.iter().map(|trial| trial.ratio(family, member))),
            printed: printed(pattern, kind).filter(|_| is_papers(setting)),
        }
    };
    let points: Vec<Vec<Point>> = (0..families.len())
        .map(|family| {
            (0..families[family].members.len())
                .map(|member| point(family, member))
                .collect()
        })
        .collect();
    let of = |name: &str| families.iter().position(|family| family.name == name);
    let slack_less_dw = of("slack").zip(of("A_DW")).and_then(|(slack, dw)| {
        let ratio = |trial: &Trial, family: usize| trial.ratio(family, chosen[family]);
        let difference = |trial: &&Trial| Some(ratio(trial, slack)? - ratio(trial, dw)?);
        estimate_of_known(trials.iter().map(difference))
    });
    PatternResult {
        pattern,
        optimum: optimum(&trials, args),
        slack_less_dw,
        points,
        chosen,
    }
}

/// What policies are compared with, if it is known.
fn optimum(trials: &[&Trial], args: &OnlineSimulationArgs) -> Option<Optimum> {
    let bests: Option<Vec<Best>> = trials.iter().map(|trial| trial.best).collect();
    let bests = bests?;
    let bounds = bests.iter().map(|best| 2.0 * best.bound / f64::from(args.arrivals));
    Some(Optimum {
        per_game: estimate(bests.iter().map(|best| best.cost.per_game)),
        per_two: estimate(bounds),
        gap: bests
            .iter()
            .map(|best| best.cost.total / best.bound - 1.0)
            .fold(0.0, f64::max),
    })
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
fn summary(family: &Family, position: usize, patterns: &[PatternResult], played: &[Vec<Replication>]) -> Summary {
    let replications = 0..played.first().map_or(0, Vec::len);
    let over_patterns = |replication: usize, value: &dyn Fn(&Trial, usize) -> Option<f64>| {
        let values = patterns
            .iter()
            .zip(played)
            .map(|(result, played)| value(&played[replication].trial, result.chosen[position]));
        Some(values.sum::<Option<f64>>()? / patterns.len() as f64)
    };
    let mean = |replication: usize| {
        over_patterns(replication, &|trial, member| {
            Some(trial.costs[position][member].per_game)
        })
    };
    let averaged = |replication: usize| {
        let best = over_patterns(replication, &|trial, _| Some(trial.best?.cost.per_game))?;
        Some(mean(replication)? / best)
    };
    let ratio = |replication| over_patterns(replication, &|trial, member| trial.ratio(position, member));
    Summary {
        name: family.name.clone(),
        mean: estimate(replications.clone().filter_map(mean)),
        averaged: estimate_of_known(replications.clone().map(averaged)),
        ratio: estimate_of_known(replications.map(ratio)),
        printed: family.printed,
    }
}
