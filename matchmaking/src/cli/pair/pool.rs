//! Pools of players: costs from models, a bye in odd pools, other pairings to compare with.

use std::collections::HashSet;
use std::num::NonZero;
use std::thread;
use std::time::Instant;

use matching_core::{EdgeList, Objective};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SkillCost, SyntheticChurn};

use super::costs::Costs;
use super::explain::{Explained, Question, parse_pair};
use super::report::{Baseline, Compared, Names, PoolReport, Report};
use super::solve::{Clock, Outcome, SolveError, Weight, solve};
use super::{deliver, limits};
use crate::cli::Verdict;
use crate::cli::args::{CostArg, ObjectiveArg, PairArgs};
use crate::cli::decimal::Decimal;
use crate::cli::failure::Failure;
use crate::cli::input::{Format, Input};
use crate::cli::output::Progress;

/// More players than this have more pairs than a list of edges should hold in memory.
const PLAYER_LIMIT: usize = 5_000;

/// Both costs are integers in millionths.
const DECIMALS: u32 = 6;

/// Reads a pool, pairs it, and reports.
pub(super) fn run(args: &PairArgs, input: Input, start: Instant, progress: &Progress) -> Result<Verdict, Failure> {
    let file = input.file;
    let refused = |source| Failure::Pool {
        file: file.clone(),
        source,
    };
    let pool = Pool::read_csv_up_to(PLAYER_LIMIT, input.reader).map_err(refused)?;
    let names = Names::Players(&pool);
    let explain = args
        .explain
        .as_deref()
        .map(|text| parse_pair(text, &names))
        .transpose()?;
    let fixed_bye = args.bye_cost.as_deref().map(bye_cost).transpose()?;
    let mut clock = Clock {
        parse: start.elapsed(),
        ..Clock::default()
    };

    let started = Instant::now();
    progress.stage(&format!("evaluating the pairs of {} players", pool.len()));
    let churn = SyntheticChurn::new(Horizon::EightHours, args.common.seed);
    let engagement = EngagementCost::new(&pool, &OutcomeModel::default(), &churn).map_err(refused)?;
    let costs = match args.cost.unwrap_or(CostArg::Engagement) {
        CostArg::Engagement => Costs::Engagement(&engagement),
        CostArg::Skill => Costs::Skill(SkillCost::new(&pool)),
    };
    let byes: Vec<i64> = (0..pool.len())
        .map(|i| fixed_bye.unwrap_or_else(|| costs.bye(i)))
        .collect();
    let edges = costs.edges(threads(args)).map_err(|source| Failure::Solver {
        file: file.clone(),
        source,
    })?;
    clock.costs = started.elapsed();

    progress.stage(&format!(
        "pairing {} players by {} pairs",
        pool.len(),
        edges.edges().len()
    ));
    let limits = limits(args).after(clock.costs);
    let asked = Asked::new(args.objective, &edges, &byes);
    let answer = asked.and_then(|asked| {
        let outcome = solve(asked.graph(&edges), &asked.objective, limits, &mut clock)?;
        let started = Instant::now();
        let explained = explain.map(|(a, b)| {
            progress.stage("explaining");
            let question = Question {
                graph: asked.graph(&edges),
                objective: &asked.objective,
                limits,
                outcome: &outcome,
            };
            question.explain((a, b), costs.terms(a, b))
        });
        let explained = explained
            .transpose()?
            .map(|explained| asked.restore_explained(explained));
        clock.explain = started.elapsed();
        Ok((asked.restore(outcome), explained))
    });
    let (outcome, explained) = answer.map_err(|error| error.in_file(&file))?;

    let context = Context {
        pool: &pool,
        costs: &costs,
        byes: &byes,
        engagement: &engagement,
        seed: args.common.seed,
    };
    let report = Report {
        file: &file,
        format: Format::Csv,
        objective: args.objective,
        decimals: DECIMALS,
        names: &names,
        edges: edges.edges().len(),
        outcome: &outcome,
        explained,
        pool: Some(context.report(args, &outcome)),
        warnings: &warnings(&pool),
        clock,
    };
    deliver(args, &report)
}

fn threads(args: &PairArgs) -> usize {
    let all = || thread::available_parallelism().map_or(1, NonZero::get);
    args.common.threads.map_or_else(all, |threads| threads as usize)
}

/// `--bye-cost` on the grid.
fn bye_cost(text: &str) -> Result<i64, Failure> {
    let usage = |problem| Failure::Usage {
        option: "--bye-cost",
        problem,
    };
    let decimal = Decimal::parse(text.trim().as_bytes()).map_err(|_| usage(format!("{text:?} is not a number")))?;
    if decimal.decimals() > DECIMALS {
        return Err(usage(format!(
            "{text:?} has more than {DECIMALS} decimals, and costs are in millionths"
        )));
    }
    let fits = |&value: &i64| value.unsigned_abs() < 1 << 60;
    let value = decimal.on_grid(DECIMALS).and_then(i64::from_wide).filter(fits);
    value.ok_or_else(|| usage(format!("{text:?} is too large")))
}

/// What the pool holds that the pairing does not use.
fn warnings(pool: &Pool) -> Vec<String> {
    let mut warnings: Vec<String> = pool
        .unknown_columns()
        .iter()
        .map(|column| format!("column {column:?} is unknown and not used"))
        .collect();
    let mut parties = HashSet::new();
    let mut in_party = pool.players().iter().filter_map(|player| player.party.as_deref());
    if in_party.any(|party| !parties.insert(party)) {
        let advice = "list ids under `avoid` to keep players apart";
        warnings.push(format!(
            "column \"party\" does not change one-on-one pairing: members may meet; {advice}"
        ));
    }
    let regions: HashSet<&str> = pool
        .players()
        .iter()
        .filter_map(|player| player.region.as_deref())
        .collect();
    if regions.len() > 1 {
        warnings.push("column \"region\" does not change one-on-one pairing: players of all regions may meet".into());
    }
    warnings
}

/// The question as the engine is asked it.
struct Asked {
    objective: Objective<i64>,
    /// The graph with all weights negated: byes are something to minimise with, so a maximum with a bye is turned round.
    negated: Option<EdgeList<i64>>,
}

impl Asked {
    fn new(objective: ObjectiveArg, edges: &EdgeList<i64>, byes: &[i64]) -> Result<Self, SolveError> {
        let is_odd = byes.len() % 2 == 1;
        let (objective, negated) = match objective {
            ObjectiveArg::MinPerfect if is_odd => (Objective::MinBye(byes.to_vec()), None),
            ObjectiveArg::MinPerfect => (Objective::MinPerfect, None),
            ObjectiveArg::MaxPerfect if is_odd => {
                let byes = byes.iter().map(|cost| -cost).collect();
                (
                    Objective::MinBye(byes),
                    Some(edges.negated().map_err(SolveError::Refused)?),
                )
            }
            ObjectiveArg::MaxPerfect => (Objective::MaxPerfect, None),
            ObjectiveArg::MaxWeight => (Objective::MaxWeight, None),
            ObjectiveArg::MaxCardinality => (Objective::MaxCardinality, None),
        };
        Ok(Self { objective, negated })
    }

    fn graph<'a>(&'a self, edges: &'a EdgeList<i64>) -> &'a EdgeList<i64> {
        self.negated.as_ref().unwrap_or(edges)
    }

    /// The engine's answer in the sense that was asked for.
    fn restore(&self, outcome: Outcome) -> Outcome {
        if self.negated.is_some() {
            outcome.negated()
        } else {
            outcome
        }
    }

    fn restore_explained(&self, explained: Explained) -> Explained {
        if self.negated.is_some() {
            explained.negated()
        } else {
            explained
        }
    }
}

/// What a pool's report is made from.
struct Context<'a> {
    pool: &'a Pool,
    costs: &'a Costs<'a>,
    byes: &'a [i64],
    engagement: &'a EngagementCost<'a>,
    seed: u64,
}

impl<'a> Context<'a> {
    fn report(&self, args: &PairArgs, outcome: &Outcome) -> PoolReport<'a> {
        let is_perfect = matches!(args.objective, ObjectiveArg::MinPerfect | ObjectiveArg::MaxPerfect);
        let matched = outcome.matched();
        let sits_out = matched
            .and_then(|matched| matched.unmatched.first())
            .filter(|_| is_perfect);
        let comparison = matched.map_or_else(Vec::new, |matched| {
            let pairs = matched.pairs.iter().map(|&(i, j, _)| (i, j)).collect();
            let found = Pairing::new(pairs, matched.unmatched.clone());
            vec![
                self.compared(Baseline::This, &found),
                self.compared(Baseline::Skill, &Pairing::by_rating(self.pool)),
                self.compared(Baseline::Random, &Pairing::random(self.pool, self.seed)),
            ]
        });
        PoolReport {
            cost: self.costs.word(),
            engagement: self.engagement,
            seed: self.seed,
            bye: sits_out.map(|&player| (player, i128::from(self.byes[player]))),
            comparison,
        }
    }

    fn compared(&self, what: Baseline, pairing: &Pairing) -> Compared {
        let cost = self.costs.cost();
        let games = pairing.pairs().iter().map(|&(i, j)| i128::from(cost.pair(i, j)));
        let byes = pairing.unmatched().iter().map(|&i| i128::from(self.byes[i]));
        let rating = |i: usize| self.pool.players()[i].rating;
        let gaps: f64 = pairing
            .pairs()
            .iter()
            .map(|&(i, j)| (rating(i) - rating(j)).abs())
            .sum();
        let count = pairing.pairs().len();
        Compared {
            what,
            games: count,
            idle: pairing.unmatched().len(),
            cost: games.chain(byes).sum(),
            expected_retained: self.engagement.expected_retained(pairing),
            mean_gap: (count > 0).then(|| gaps / count as f64),
        }
    }
}
