//! `matchmaking advise`: rules for a game, by exact chains, beside what the paper that they come from says.

mod args;
mod json;
mod policy;
mod ratings;
mod report;
mod text;
mod wu;

use std::path::Path;
use std::time::Instant;

use super::Verdict;
use super::failure::Failure;
use super::input;
use super::output::{self, Progress};
use super::threads::Threads;
pub(crate) use args::AdviseArgs;
use ratings::Layout;
pub(crate) use ratings::RatingsError;
use report::{Band, Report, Verdicts};

/// Bands unless something else is asked for.
const BANDS: u32 = 3;

/// Bands of fixed width may be no more than this.
const MOST_BANDS: usize = 200;

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &AdviseArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    output::check_target(common.output.as_deref())?;
    check_questions(args)?;
    Threads::start(common.threads)?;
    let progress = Progress::new(common.quiet);
    let bands = match &args.ratings {
        Some(path) => {
            progress.stage("reading");
            bands(args, path)?
        }
        None => Vec::new(),
    };
    let start = Instant::now();
    progress.stage("computing");
    let verdicts = Verdicts::default();
    let recommendations = policy::recommend(args, &bands, &verdicts).map_err(|source| Failure::Chain { source })?;
    let report = Report {
        recommendations,
        time: start.elapsed(),
    };
    let content = if common.json {
        json::render(&report)
    } else {
        text::render(&report)
    };
    output::write(common.output.as_deref(), content.as_bytes())?;
    Ok(Verdict::Solved)
}

/// What the command line's own rules cannot say: some question must be asked, and no option may be there for nothing.
fn check_questions(args: &AdviseArgs) -> Result<(), Failure> {
    let asks_wu = args.high_share.is_some() || args.ratings.is_some() || args.q_greedy.is_some();
    if asks_wu {
        return Ok(());
    }
    let is_penalty = args.alpha.is_some() || args.alpha_minutes.is_some();
    let idle = [
        ("--team-size", args.team_size.is_some()),
        ("--alpha", is_penalty),
        ("--arrivals", args.arrivals.is_some()),
    ];
    let problem = match idle.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            return Err(Failure::Usage {
                option,
                problem: "answers nothing alone; add --high-share, --ratings, or --q-greedy and --q-patient".to_owned(),
            });
        }
        None => {
            "no question was asked; try --team-size 5 --high-share 0.3 --alpha 2, or see --help for the options of each \
                 question"
        }
    };
    Err(Failure::Usage {
        option: "advise",
        problem: problem.to_owned(),
    })
}

fn bands(args: &AdviseArgs, path: &Path) -> Result<Vec<Band>, Failure> {
    let (file, reader) = input::source(path)?;
    let ratings = ratings::read(reader).map_err(|source| Failure::Ratings { file, source })?;
    let layout = match args.band_width {
        Some(width) => Layout::Width(width),
        None => Layout::Count(args.bands.unwrap_or(BANDS) as usize),
    };
    let bands = ratings::bands(&ratings, layout, args.split.unwrap_or(0.5));
    if bands.len() > MOST_BANDS {
        return Err(Failure::Usage {
            option: "--band-width",
            problem: format!(
                "makes {} bands, and at most {MOST_BANDS} are answered; choose a greater width",
                bands.len()
            ),
        });
    }
    Ok(bands)
}
