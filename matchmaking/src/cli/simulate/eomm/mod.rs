//! `matchmaking simulate eomm`: four matchmakers on the same pools.

mod args;
mod json;
mod plot;
mod text;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use matching_core::StopReason;
use matchmaking::eomm::{AfterThree, Error, Method, Population, Results, Simulation, SizeResults, Step, published};
use matchmaking::{FittedModel, Horizon};

pub(crate) use args::EommArgs;
use args::{ModelArg, SweepArg};

use crate::cli::Verdict;
use crate::cli::failure::Failure;
use crate::cli::input;
use crate::cli::json::Spent;
use crate::cli::limits::{Limits, word};
use crate::cli::output::{self, Progress, Session};
use crate::cli::places::Files;

/// Factors of a sweep; 1 is the population as it is.
const FACTORS: [f64; 7] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

/// Lines that people read are not written more often than this.
const PAUSE: Duration = Duration::from_millis(200);

/// What there is to report.
#[derive(Debug)]
struct Report {
    model: String,
    /// The synthetic population's horizon; none for a fitted model, which the paper has no figures for.
    horizon: Option<Horizon>,
    /// States that pools are drawn from; none where each pool is of new players.
    states: Option<usize>,
    results: Results,
    /// What ended the rounds, or those of the sweep.
    stop: Option<StopReason>,
    after_three: Vec<AfterThree>,
    sweep: Option<Sweep>,
    /// The population counts as costs, all that is played as solving.
    spent: Spent,
}

impl Report {
    /// The word for what ended it.
    fn stopped(&self) -> Option<&'static str> {
        self.stop.map(word)
    }

    fn verdict(&self) -> Verdict {
        match self.stop {
            None => Verdict::Solved,
            Some(_) if self.results.sizes().is_empty() => Verdict::StoppedWithout,
            Some(_) => Verdict::StoppedWithAnswer,
        }
    }

    /// Whether the paper's Table 1 is about the same horizon.
    fn is_weekly(&self) -> bool {
        self.horizon == Some(Horizon::SevenDays)
    }

    /// What the paper's Table 2 has for it: that table is about eight hours.
    fn published(&self, method: Method, size: usize) -> Option<f64> {
        let is_same = self.horizon == Some(Horizon::EightHours);
        published::retained(method, size).filter(|_| is_same)
    }
}

/// The same simulation with something spread by several factors.
#[derive(Debug)]
struct Sweep {
    of: SweepArg,
    /// Those factors of which all rounds were played.
    points: Vec<(f64, Results)>,
}

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &EommArgs) -> Result<Verdict, Failure> {
    let model = match &args.model {
        ModelArg::File(path) => Some(path.as_path()),
        ModelArg::Synthetic(_) => None,
    };
    let files = Files {
        read: &[("--model", model)],
        report: "-o",
        others: &[("--plot", args.plot.as_deref())],
    };
    let Session { progress, .. } = Session::start(&args.common, &files)?;
    progress.stage("drawing the population");
    let start = Instant::now();
    let mut limits = Limits::start(args.time_limit, args.work_limit);
    let (population, seen) = populations(args)?;
    let mut spent = Spent {
        costs: start.elapsed(),
        ..Spent::default()
    };
    let start = Instant::now();
    let simulation = Simulation::new().sizes(&args.sizes).rounds(args.rounds).seed(args.seed);
    let results = play(&simulation, &limits, &population, &progress, "")?;
    limits.spend(work(&results));
    let (mut stop, mut swept) = (results.stop(), None);
    if let Some(of) = args.sweep {
        let sweep = sweep(of, &simulation, &population, &results, &mut limits, &progress)?;
        stop = stop.or(sweep.1);
        swept = Some(sweep.0);
    }
    spent.solve = start.elapsed();
    let report = Report {
        model: name(&args.model),
        horizon: match args.model {
            ModelArg::Synthetic(horizon) => Some(horizon),
            ModelArg::File(_) => None,
        },
        states: population.states(),
        results,
        after_three: seen.as_ref().unwrap_or(&population).churn_by_last_three(),
        sweep: swept,
        stop,
        spent,
    };
    // First, so that it is not lost where the picture cannot be written.
    output::deliver(&args.common, &report, json::render, text::render)?;
    match &args.plot {
        Some(_) if report.results.sizes().is_empty() => {
            output::warn(&args.common, &["--plot draws nothing: no round was played".to_owned()]);
        }
        Some(path) => plot::draw(path, &report)?,
        None => {}
    }
    Ok(report.verdict())
}

/// Work that rounds took.
fn work(results: &Results) -> u64 {
    let units = |pools: &SizeResults| pools.rounds().saturating_mul((pools.size() as u64).pow(2));
    results.sizes().iter().map(units).sum()
}

/// Whom pools are made of; and whom Table 1 is of, where these are new players.
fn populations(args: &EommArgs) -> Result<(Population, Option<Population>), Failure> {
    match &args.model {
        ModelArg::Synthetic(horizon) => {
            let states = args.states.unwrap_or(Population::STATES);
            let states = Population::synthetic(states, *horizon, args.seed).map_err(refused)?;
            Ok(match args.states {
                Some(_) => (states, None),
                None => (Population::of_new_players(*horizon), Some(states)),
            })
        }
        ModelArg::File(_) if args.states.is_some() => Err(Failure::Usage {
            option: "--states",
            problem: "a fitted model has its own states; leave one of the two out".to_owned(),
        }),
        ModelArg::File(path) => {
            let (file, reader) = input::source(path).map_err(|failure| match failure {
                Failure::Open { file, source } => Failure::NoModel { file, source },
                other => other,
            })?;
            let model = FittedModel::read(reader).map_err(|source| Failure::Model { file, source })?;
            Ok((Population::of_model(&model).map_err(refused)?, None))
        }
    }
}

fn name(model: &ModelArg) -> String {
    match model {
        ModelArg::Synthetic(Horizon::SevenDays) => "7d".to_owned(),
        ModelArg::Synthetic(_) => "8h".to_owned(),
        ModelArg::File(path) => path.display().to_string(),
    }
}

/// The option that an error is about, if there is one.
fn refused(source: Error) -> Failure {
    let option = match source {
        Error::Size { .. } | Error::SizeTwice { .. } | Error::NoSizes | Error::TooFewStates { .. } => "--sizes",
        Error::Rounds { .. } => "--rounds",
        source => {
            return Failure::Simulation {
                source: Box::new(source),
            };
        }
    };
    let problem = source.to_string();
    Failure::Usage { option, problem }
}

/// Plays all rounds that limits leave, and says how long it will take.
fn play(
    simulation: &Simulation,
    limits: &Limits,
    population: &Population,
    progress: &Progress,
    what: &str,
) -> Result<Results, Failure> {
    let start = Instant::now();
    let shown = Mutex::new(Duration::ZERO);
    let watch = |step: Step| {
        let elapsed = start.elapsed();
        // Whoever finds somebody else here leaves the line to them.
        if let Ok(mut shown) = shown.try_lock()
            && elapsed >= *shown + PAUSE
        {
            *shown = elapsed;
            progress.update(&line(step, elapsed, what));
        }
    };
    let results = simulation
        .clone()
        .budget(limits.budget())
        .run_watched(population, &watch)
        .map_err(refused);
    progress.end_updates();
    results
}

/// How it stands.
fn line(step: Step, elapsed: Duration, what: &str) -> String {
    let left = elapsed.as_secs_f64() * (1.0 / step.share.max(1e-9) - 1.0);
    format!(
        "{what}{} of {} rounds, {:.0} % of the work, about {left:.0} s left",
        step.rounds,
        step.of,
        100.0 * step.share
    )
}

/// The same with each factor, as far as limits go, and what ended it; the population as it is has been played already.
/// Where its rounds were cut short, so is the first factor at once.
fn sweep(
    of: SweepArg,
    simulation: &Simulation,
    population: &Population,
    results: &Results,
    limits: &mut Limits,
    progress: &Progress,
) -> Result<(Sweep, Option<StopReason>), Failure> {
    let mut points = Vec::new();
    for factor in FACTORS {
        if factor == 1.0 {
            points.push((factor, results.clone()));
            continue;
        }
        let spread = match of {
            SweepArg::Ratings => population.with_rating_spread(factor),
            SweepArg::Risks => population.with_risk_spread(factor),
        };
        let what = format!("{} spread by {factor}: ", of.word());
        let played = play(simulation, limits, &spread.map_err(refused)?, progress, &what)?;
        if played.stop().is_some() {
            return Ok((Sweep { of, points }, played.stop()));
        }
        limits.spend(work(&played));
        points.push((factor, played));
    }
    Ok((Sweep { of, points }, None))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use matchmaking::eomm::Step;

    use super::line;

    #[test]
    fn the_time_left_goes_by_the_work_done() {
        let step = Step {
            rounds: 30,
            of: 200,
            share: 0.25,
        };
        let line = line(step, Duration::from_secs(10), "x: ");
        assert_eq!(line, "x: 30 of 200 rounds, 25 % of the work, about 30 s left");
    }
}
