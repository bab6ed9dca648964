//! Several games for the players of a pool, beside those of pairings without optimisation.

use std::time::Instant;

use matching_core::{Cost, Degrees, Objective};
use matchmaking::fairness::Segment;
use matchmaking::{PoolLimits, opponents_at_random_within, opponents_by_rating_within};

use super::GamesReport;
use super::explain::Question;
use super::numbers::Numbers;
use super::solve::solve;
use super::wish::Wish;
use crate::cli::Verdict;
use crate::cli::args::{CostArg, ObjectiveArg};
use crate::cli::failure::Failure;
use crate::cli::input::Format;
use crate::cli::json::Spent;
use crate::cli::memory;
use crate::cli::pair::deliver;
use crate::cli::pair::explain::{Asked, Explanations};
use crate::cli::pair::pool::{DECIMALS, Run};
use crate::cli::pair::prices;
use crate::cli::pair::report::{Baseline, Compared, Report};
use crate::cli::pair::solve::{Matched, Outcome, SolveError};
use crate::cli::pair::table::{Sign, Table};

/// Evaluates the costs, finds the games and reports.
pub(in crate::cli::pair) fn of_pool(run: &Run<'_>, wish: Wish, mut spent: Spent) -> Result<Verdict, Failure> {
    let numbers = Numbers::of_pool(wish.everybody, run.pool);
    let degrees = degrees(run, &numbers)?;
    let n = run.pool.len();
    let edges = n * n.saturating_sub(1) / 2 - run.forbidden;
    memory::check_degrees(run.file, n, edges, wish.everybody.most() as usize)?;
    let table = Table::<i64>::new(run.costs, run.limits, Sign::Plain);
    let objective = match run.args.objective {
        ObjectiveArg::MaxPerfect => Objective::MaxPerfect,
        _ => Objective::MinPerfect,
    };
    spent.costs = run.started.elapsed();

    run.progress
        .stage(&format!("finding games for {n} players among {edges} pairs"));
    let settings = run.settings.after(0, spent.costs).attended(run.progress);
    let failed = |error: SolveError| error.in_file(run.file);
    let solved = &mut solve(&table, &objective, &degrees, &settings, &mut spent).map_err(failed)?;
    if let Outcome::Matched(matched) = &mut solved.outcome {
        or_baseline(run, matched, &degrees, &table);
    }
    let (solved, outcome) = (&*solved, &solved.outcome);
    let explaining = Instant::now();
    let explain = |asked| {
        let left = settings.after(outcome.work().unwrap_or(0), spent.solve);
        Explanations::of(asked, outcome, left, |pair, settings| {
            let question = Question {
                graph: Asked::Table(&table),
                objective: &objective,
                settings,
                solved,
            };
            question.explain(pair, run.about(pair))
        })
    };
    let explained = run.explain.map(explain).transpose().map_err(failed)?;
    spent.explain = explained.as_ref().map(|_| explaining.elapsed());

    let bounds = (degrees.least(), degrees.most());
    let prices = (0..n).map(|player| degrees.price(player).into()).collect();
    let mut games = GamesReport::new(numbers, bounds, prices, outcome);
    if run.args.rounds {
        games = games.in_rounds(outcome)?;
    }
    let mut warnings = run.warnings();
    // Where a limit came first, that is why.
    let has_none = outcome
        .matched()
        .is_some_and(|matched| matched.pairs.is_empty() && matched.stopped.is_none());
    if has_none && can_play(run.limits, degrees.most()) {
        warnings.push(
            "nobody has a game, as missing ones cost no more; say by --missing-cost what they should cost".to_owned(),
        );
    }
    let mut pool = run.report_without_comparison(outcome);
    pool.segments = run.args.fairness.then(|| Segment::of_pool(run.pool));
    let segments = pool.segments.as_deref().unwrap_or_default();
    pool.comparison = comparison(run, outcome, (&games, segments), &table);
    let report = Report {
        file: run.file,
        format: Format::Csv,
        objective: run.args.objective,
        decimals: DECIMALS,
        names: run.names,
        edges,
        outcome,
        explained,
        pool: Some(pool),
        is_worst_first: false,
        games: Some(games),
        warnings: &warnings,
        spent,
    };
    deliver(run.args, &report)
}

/// Whether any two may meet who may have a game.
fn can_play(limits: &PoolLimits<'_>, most: &[u32]) -> bool {
    let those: Vec<usize> = (0..limits.len()).filter(|&player| most[player] > 0).collect();
    let mut pairs = (0..those.len()).flat_map(|at| those[..at].iter().map(move |&i| (i, at)));
    pairs.any(|(i, at)| limits.may_meet(i, those[at]))
}

/// How many games each player should have, and what missing ones add to the total.
fn degrees(run: &Run<'_>, numbers: &Numbers) -> Result<Degrees<i64>, Failure> {
    let degrees = run.pool.degrees(numbers.everybody).map_err(|source| match source {
        matchmaking::Error::TooManyGames { problem } => Failure::Usage {
            option: "--games",
            problem: problem.to_string(),
        },
        source => Failure::Pool {
            file: run.file.to_owned(),
            source,
        },
    })?;
    let Some(text) = &run.args.missing_cost else {
        // As a bye: who has no game may stop as well.
        return Ok(match run.costs.word() {
            CostArg::Engagement => degrees.missing((0..run.pool.len()).map(|player| run.costs.bye(player)).collect()),
            CostArg::Skill => degrees,
        });
    };
    let price = prices::on_grid("--missing-cost", text)?;
    numbers.check_price(degrees.least(), degrees.most())?;
    // A price makes a total worse: where it is to be great, it is taken off.
    let price = match run.args.objective {
        ObjectiveArg::MaxPerfect => -price,
        _ => price,
    };
    Ok(degrees.missing(vec![price; run.pool.len()]))
}

/// The best games at hand: where a limit left some that are worse than as many by neighbours in rating, or by chance, it is
/// those. What is explained is the solver's own.
fn or_baseline(run: &Run<'_>, matched: &mut Matched, degrees: &Degrees<i64>, table: &Table<i64>) {
    if matched.stopped.is_none() || run.explain.is_some() {
        return;
    }
    let n = run.pool.len();
    let counted = |pairs: &mut dyn Iterator<Item = (usize, usize)>| {
        let mut counts = vec![0u32; n];
        pairs.for_each(|(i, j)| (counts[i], counts[j]) = (counts[i] + 1, counts[j] + 1));
        counts
    };
    let counts = counted(&mut matched.pairs.iter().map(|&(i, j, _)| (i, j)));
    let seed = run.args.seed.unwrap_or(0);
    for pairs in [
        opponents_by_rating_within(run.limits, &counts),
        opponents_at_random_within(run.limits, &counts, seed),
    ] {
        let has = counted(&mut pairs.iter().copied());
        if has.iter().zip(degrees.least()).any(|(has, least)| has < least) {
            continue;
        }
        let pairs: Vec<_> = pairs
            .iter()
            .map(|&(i, j)| (i, j, i128::from(table.pair(i, j))))
            .collect();
        let missing = |i: usize| i128::from(degrees.most()[i] - has[i]) * i128::from(degrees.price(i));
        let cost = pairs.iter().map(|pair| pair.2).chain((0..n).map(missing)).sum();
        let idle = (0..n).filter(|&i| has[i] == 0).collect();
        matched.or(pairs, idle, cost, run.args.objective == ObjectiveArg::MaxPerfect);
    }
}

/// These games, and as many for each player by neighbours in rating and by chance, as far as these find opponents.
fn comparison(
    run: &Run<'_>,
    outcome: &Outcome,
    (games, segments): (&GamesReport, &[Segment]),
    table: &Table<i64>,
) -> Vec<Compared> {
    let Some(matched) = outcome.matched() else {
        return Vec::new();
    };
    let counts: Vec<u32> = games.opponents.iter().map(|those| those.len() as u32).collect();
    let seed = run.args.seed.unwrap_or(0);
    let found = matched.pairs.iter().map(|&(i, j, _)| (i, j)).collect::<Vec<_>>();
    let rating = |i: usize| run.pool.players()[i].rating;
    let compared = |what, pairs: &[(usize, usize)]| {
        let mut has = vec![0u32; counts.len()];
        pairs
            .iter()
            .for_each(|&(i, j)| (has[i], has[j]) = (has[i] + 1, has[j] + 1));
        let missing = |i: usize| i128::from(games.most[i] - has[i]);
        let all = 0..counts.len();
        let of_each = pairs.iter().map(|&(i, j)| i128::from(table.pair(i, j)));
        let of_pairs: i128 = of_each.clone().sum();
        let of_missing: i128 = all.clone().map(|i| missing(i) * games.prices[i]).sum();
        let gaps: f64 = pairs.iter().map(|&(i, j)| (rating(i) - rating(j)).abs()).sum();
        Compared {
            what,
            games: pairs.len(),
            idle: has.iter().filter(|&&has| has == 0).count(),
            missing: Some(all.map(|i| missing(i) as u64).sum()),
            cost: of_pairs + of_missing,
            worst: match run.args.objective {
                ObjectiveArg::MaxPerfect => of_each.min(),
                _ => of_each.max(),
            },
            expected_retained: None,
            mean_gap: (!pairs.is_empty()).then(|| gaps / pairs.len() as f64),
            metrics: Vec::new(),
            of_games: (run.engagement).map_or_else(Vec::new, |cost| cost.games_by_segment(pairs, segments)),
        }
    };
    vec![
        compared(Baseline::This, &found),
        compared(Baseline::Skill, &opponents_by_rating_within(run.limits, &counts)),
        compared(Baseline::Random, &opponents_at_random_within(run.limits, &counts, seed)),
    ]
}
