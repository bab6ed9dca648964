//! `matchmaking group`: players in groups of any size, with a proof or by search.

mod args;
mod check;
mod conflict;
mod exact;
mod explain;
mod fairness;
mod files;
mod input;
mod json;
mod least;
mod outcome;
mod plan;
mod plot;
mod pool;
mod problem;
mod report;
mod roles;
mod search;
mod settings;
mod sizes;
mod solve;
mod text;
mod watch;

use std::time::Instant;

use matching_core::{Cost, CostValue, EdgeList};
use matching_heuristics::Engine;
use matchmaking::Pool;

pub(crate) use args::GroupArgs;
use args::{AbsentArg, MethodArg};
use explain::Explained;
use fairness::Fairness;
use input::{Format, Input};
use outcome::{Outcome, Witness};
use plot::End;
use pool::PoolCost;
use problem::{Problem, Scale, Sense, Task};
use report::Report;
use settings::Settings;
use sizes::Shape;
use watch::{History, Watch};

use super::Verdict;
use super::asked::{self, Asked};
use super::failure::Failure;
use super::formats::{self, GroupFormat, Grouped, Weighted};
use super::interrupt;
use super::json::Spent;
use super::limits::{self, Limits};
use super::memory;
use super::names::Names;
use super::output::{self, Progress, Session};
use super::places::Files;
use super::text::printable;

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &GroupArgs) -> Result<Verdict, Failure> {
    let start = Instant::now();
    // Searches work on all threads that there are.
    let files = Files {
        read: &[("FILE", Some(&args.file))],
        report: "-o",
        others: &[("--plot", args.plot.as_deref())],
    };
    let Session { threads: _, progress } = Session::start(&args.common, &files)?;
    progress.stage("reading");
    let input = input::open(&args.file, args.format)?;
    check_options(args, input.format)?;
    match input.format {
        Format::Csv => run_pool(args, input, start, &progress),
        Format::Graph(format) => run_graph(args, input, format, start, &progress),
    }
}

/// Refuses options that the format has no use for.
fn check_options(args: &GroupArgs, format: Format) -> Result<(), Failure> {
    let is_pool = format == Format::Csv;
    let pools = "only for CSV pools; other files state what pairs cost";
    let refusals = [
        ("--rating-weight", args.rating_weight.is_some() && !is_pool, pools),
        ("--rating-cap", args.rating_cap.is_some() && !is_pool, pools),
        ("--region-cost", args.region_cost.is_some() && !is_pool, pools),
        ("--rematch-cost", args.rematch_cost.is_some() && !is_pool, pools),
        ("--patience", args.patience.is_some() && !is_pool, pools),
        (
            "--roles",
            !args.roles.is_empty() && !is_pool,
            "only for CSV pools, which say who can play what",
        ),
        (
            "--roles",
            !args.roles.is_empty() && (args.method == MethodArg::Search || args.engine != Engine::Auto),
            "searches know no roles; take --method exact or auto, and no --engine",
        ),
        ("--wait-weight", args.wait_weight.is_some() && !is_pool, pools),
        (
            "--fairness",
            args.fairness && !is_pool,
            "only for CSV pools, whose players have ratings, regions and parties",
        ),
        (
            "--engine",
            args.engine != Engine::Auto && args.method == MethodArg::Exact,
            "engines search; the exact method has none to choose from",
        ),
        (
            "--absent",
            args.absent.is_some() && format != Format::Graph(GroupFormat::Edges),
            "only for edge lists; other formats leave no pair out",
        ),
    ];
    match refusals.into_iter().find(|refusal| refusal.1) {
        Some((option, _, problem)) => Err(Failure::Usage {
            option,
            problem: problem.to_owned(),
        }),
        None => Ok(()),
    }
}

/// Groups a pool of players.
fn run_pool(args: &GroupArgs, input: Input, start: Instant, progress: &Progress) -> Result<Verdict, Failure> {
    let file = input.file;
    let refused = |source| Failure::Pool {
        file: file.clone(),
        source,
    };
    let pool = Pool::read_ratings_csv_up_to(pool::PLAYER_LIMIT, input.reader).map_err(refused)?;
    let shape = Shape::new(args, &file, pool.len(), &formats::Sizes::Unstated)?;
    memory::check_pairs(&file, pool.len(), files::SEARCH_BYTES)?;
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    let started = Instant::now();
    let (cost, scale) = PoolCost::new(&pool, args)?;
    let pins = match &shape {
        Shape::Groups(groups) => pool.pins(groups).map_err(refused)?,
        Shape::TooFew { .. } => Vec::new(),
    };
    let problem = Problem {
        cost,
        scale,
        sense: Sense::Minimize,
        shape,
        parties: pool.parties(),
        pins,
        roles: roles::of_pool(&pool, &args.roles)?,
    };
    spent.costs = started.elapsed();
    let run = Run {
        args,
        file: &file,
        format: input.format,
        names: &Names::Players(&pool),
        pool: Some(&pool),
        progress,
    };
    let mut warnings = pool::warnings(&pool, args);
    warnings.extend(roles::warnings(&pool, &problem.roles));
    run.answer(&problem, spent, &warnings)
}

/// Groups the vertices of a graph.
fn run_graph(
    args: &GroupArgs,
    input: Input,
    format: GroupFormat,
    start: Instant,
    progress: &Progress,
) -> Result<Verdict, Failure> {
    let file = input.file;
    let Grouped { graph, sizes } = formats::read_grouped(format, input.reader).map_err(|source| Failure::Graph {
        file: file.clone(),
        source,
    })?;
    let len = match &graph.edges {
        Weighted::Narrow(edges) => edges.len(),
        Weighted::Wide(edges) => edges.len(),
    };
    let shape = Shape::new(args, &file, len, &sizes)?;
    let spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    let first = graph.first;
    let run = Run {
        args,
        file: &file,
        format: input.format,
        names: &Names::Numbers { first, len },
        pool: None,
        progress,
    };
    let scale = Scale::of_decimals(graph.decimals);
    match &graph.edges {
        Weighted::Narrow(edges) => run.graph(edges, format, scale, shape, spent),
        Weighted::Wide(edges) => run.graph(edges, format, scale, shape, spent),
    }
}

/// An input to be grouped.
struct Run<'a> {
    args: &'a GroupArgs,
    file: &'a str,
    format: Format,
    names: &'a Names<'a>,
    pool: Option<&'a Pool>,
    progress: &'a Progress,
}

impl Run<'_> {
    /// Makes a matrix of a graph, solves and reports.
    fn graph<V: CostValue<Total = i128>>(
        &self,
        edges: &EdgeList<V>,
        format: GroupFormat,
        scale: Scale,
        shape: Shape,
        mut spent: Spent,
    ) -> Result<Verdict, Failure> {
        memory::check_pairs(self.file, edges.len(), size_of::<V>() + files::SEARCH_BYTES)?;
        let started = Instant::now();
        let (sense, absent) = match format {
            GroupFormat::Mdgplib => (Sense::Maximize, AbsentArg::Zero),
            GroupFormat::Matrix => (Sense::Minimize, AbsentArg::Forbidden),
            GroupFormat::Edges => (Sense::Minimize, self.args.absent.unwrap_or(AbsentArg::Zero)),
        };
        let problem = files::problem(edges, scale, sense, shape, absent);
        spent.costs = started.elapsed();
        self.answer(&problem, spent, &[])
    }

    /// Solves, reports and draws.
    fn answer<C: Cost>(&self, problem: &Problem<C>, mut spent: Spent, warnings: &[String]) -> Result<Verdict, Failure>
    where
        C::Value: CostValue<Total = i128>,
    {
        let asked = self.args.explain.as_deref();
        let asked = asked.map(|text| asked::one_or_two(text, self.names)).transpose()?;
        let watch = Watch::new(self.progress, problem.scale, problem.sense);
        let result = self.solved(problem, asked, &watch, &mut spent);
        let history = watch.finish();
        let (outcome, explained) = result?;
        let mut warnings = warnings.to_vec();
        if self.args.plot.is_some() && !matches!(outcome, Outcome::Found(_)) {
            warnings.push("--plot draws nothing: there are no groups whose total could be shown".to_owned());
        }
        let pool = self.pool.filter(|_| self.args.fairness);
        let report = Report {
            file: self.file,
            format: self.format.word(),
            names: self.names,
            pool: self.pool,
            rematch_cost: self.args.rematch_cost,
            scale: problem.scale,
            sense: problem.sense,
            roles: &problem.roles,
            outcome: &outcome,
            fairness: pool.and_then(|pool| Fairness::of(pool, problem, &outcome, self.args.seed)),
            explained,
            asked: (self.args.method.word(), self.args.engine.name()),
            seed: self.args.seed,
            warnings: &warnings,
            spent,
        };
        self.deliver(&report)?;
        self.draw(&report, &history)?;
        Ok(report.verdict())
    }

    /// Looks for groups by the method asked for, and explains whom it is asked about.
    fn solved<C: Cost>(
        &self,
        problem: &Problem<C>,
        asked: Option<Asked>,
        watch: &Watch<'_>,
        spent: &mut Spent,
    ) -> Result<(Outcome, Option<Explained>), Failure>
    where
        C::Value: CostValue<Total = i128>,
    {
        let players = problem.cost.len();
        let groups = match &problem.shape {
            Shape::Groups(groups) => groups,
            &Shape::TooFew { groups, size } => {
                let witness = Witness::TooFew { players, groups, size };
                return Ok((Outcome::Infeasible(witness), None));
            }
        };
        if self.args.method == MethodArg::Exact {
            memory::check_pairs(self.file, players, files::EXACT_BYTES)?;
        }
        self.progress.stage(&format!("grouping {players} players"));
        let task = Task {
            problem,
            groups,
            file: self.file,
            watch,
            interrupt: interrupt::listen(),
        };
        let settings = Settings::new(self.args);
        let settings = settings.within(settings.limits.after(0, spent.costs));
        let outcome = solve::solve(&task, self.args.method, settings, spent)?;
        let (Some(asked), Outcome::Found(found)) = (asked, &outcome) else {
            return Ok((outcome, None));
        };
        self.progress.stage("explaining");
        let started = Instant::now();
        // Whoever has ended the search with Ctrl-C is told of what it has found; the next one ends the program.
        let gone = spent.costs + spent.solve + spent.verify;
        let limits = Limits::start(limits::to_explain(self.args.time_limit, gone), None);
        let explained = explain::explain(&task, found, asked, &limits)?;
        spent.explain = Some(started.elapsed());
        Ok((outcome, Some(explained)))
    }

    /// Prints warnings and the report.
    fn deliver(&self, report: &Report<'_>) -> Result<(), Failure> {
        let common = &self.args.common;
        output::warn(common, report.warnings);
        output::deliver(common, report, json::render, text::render)
    }

    /// Draws the solve, if that is asked for and something was found.
    fn draw(&self, report: &Report<'_>, history: &History) -> Result<(), Failure> {
        let (Some(path), Some(found)) = (&self.args.plot, report.found()) else {
            return Ok(());
        };
        let number = |total: i128| report.scale.number(total).to_f64();
        let end = End {
            seconds: report.spent.solve.as_secs_f64(),
            total: number(found.total),
            bound: found.bound.map(|bound| number(bound.total)),
        };
        let (method, seed) = (found.method.word(), self.args.seed);
        let title = format!("{}: {method}, {}, seed {seed}", printable(self.file), found.engine);
        plot::draw(path, &title, history, end)
    }
}
