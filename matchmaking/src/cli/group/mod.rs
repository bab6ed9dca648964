//! `matchmaking group`: players in groups of any size, by search.

mod args;
mod check;
mod files;
mod input;
mod json;
mod plot;
mod pool;
mod problem;
mod report;
mod solve;
mod text;
mod watch;

use std::time::Instant;

use matching_core::{Cost, CostValue, EdgeList};
use matchmaking::Pool;

use args::AbsentArg;
pub(crate) use args::GroupArgs;
use input::{Format, Input};
use pool::PoolCost;
use problem::{Problem, Scale, Sense, Shape};
use report::Report;
use solve::{Found, Outcome, Settings};
use watch::{Point, Watch};

use super::Verdict;
use super::failure::Failure;
use super::formats::{self, GroupFormat, Grouped, Weighted};
use super::json::Spent;
use super::names::Names;
use super::output::{self, Progress, Session};

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &GroupArgs) -> Result<Verdict, Failure> {
    let start = Instant::now();
    // The search works on all threads that there are.
    let Session { threads: _, progress } = Session::start(&args.common)?;
    output::check_target(args.plot.as_deref())?;
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
        ("--patience", args.patience.is_some() && !is_pool, pools),
        ("--wait-weight", args.wait_weight.is_some() && !is_pool, pools),
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
    let pool = Pool::read_csv_up_to(pool::PLAYER_LIMIT, input.reader).map_err(|source| Failure::Pool {
        file: file.clone(),
        source,
    })?;
    let shape = Shape::new(args, &file, pool.len(), &formats::Sizes::Unstated)?;
    files::check_memory(&file, pool.len(), files::SEARCH_BYTES)?;
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    let started = Instant::now();
    let (cost, scale) = PoolCost::new(&pool, args)?;
    let problem = Problem {
        cost,
        scale,
        sense: Sense::Minimize,
        shape,
        parties: pool::parties(&pool),
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
    run.answer(&problem, spent, pool::warnings(&pool))
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
    /// Makes a matrix of a graph, searches and reports.
    fn graph<V: CostValue<Total = i128>>(
        &self,
        edges: &EdgeList<V>,
        format: GroupFormat,
        scale: Scale,
        shape: Shape,
        mut spent: Spent,
    ) -> Result<Verdict, Failure> {
        files::check_memory(self.file, edges.len(), size_of::<V>() + files::SEARCH_BYTES)?;
        let started = Instant::now();
        let (sense, absent) = match format {
            GroupFormat::Mdgplib => (Sense::Maximize, AbsentArg::Zero),
            GroupFormat::Matrix => (Sense::Minimize, AbsentArg::Forbidden),
            GroupFormat::Edges => (Sense::Minimize, self.args.absent.unwrap_or(AbsentArg::Zero)),
        };
        let problem = files::problem(edges, scale, sense, shape, absent);
        spent.costs = started.elapsed();
        self.answer(&problem, spent, Vec::new())
    }

    /// Searches, draws and reports.
    fn answer<C: Cost>(
        &self,
        problem: &Problem<C>,
        mut spent: Spent,
        mut warnings: Vec<String>,
    ) -> Result<Verdict, Failure>
    where
        C::Value: CostValue<Total = i128>,
    {
        let players = problem.cost.len();
        self.progress.stage(&format!("grouping {players} players"));
        let settings = Settings::new(self.args).after(spent.costs);
        let watch = Watch::new(self.progress, problem.scale, problem.sense);
        let result = solve::solve(problem, self.file, settings, &watch, &mut spent);
        let points = watch.finish();
        let outcome = result?;
        if let Outcome::Found(Found {
            is_on_target: false, ..
        }) = &outcome
            && let Outcome::Found(Found {
                ended: solve::Ended::Target,
                ..
            }) = &outcome
        {
            warnings.push("the target was reached to about eight digits only".to_owned());
        }
        let report = Report {
            file: self.file,
            format: self.format.word(),
            names: self.names,
            pool: self.pool,
            scale: problem.scale,
            sense: problem.sense,
            outcome: &outcome,
            asked: self.args.engine.name(),
            seed: self.args.seed,
            warnings: &warnings,
            spent,
        };
        self.deliver(&report)?;
        self.draw(&report, &points)?;
        Ok(report.verdict())
    }

    /// Prints warnings and the report.
    fn deliver(&self, report: &Report<'_>) -> Result<(), Failure> {
        let common = &self.args.common;
        if !common.quiet {
            report
                .warnings
                .iter()
                .for_each(|warning| output::complain(&format!("matchmaking: warning: {warning}")));
        }
        output::deliver(common, report, json::render, text::render)
    }

    /// Draws the search, if that is asked for and something was found.
    fn draw(&self, report: &Report<'_>, points: &[Point]) -> Result<(), Failure> {
        let (Some(path), Outcome::Found(found)) = (&self.args.plot, report.outcome) else {
            return Ok(());
        };
        let end = Point {
            seconds: report.spent.solve.as_secs_f64(),
            total: report.scale.number(found.total).to_f64(),
        };
        let title = format!("{}: {}, seed {}", self.file, found.engine, self.args.seed);
        plot::draw(path, &title, points, end)
    }
}
