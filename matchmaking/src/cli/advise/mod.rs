//! `matchmaking advise`: rules for a game, by exact chains, beside what the papers that they come from say.

mod args;
mod battles;
mod duels;
mod json;
mod parties;
mod patience;
mod policy;
mod ratings;
mod report;
mod text;
mod wu;
mod xu;

use std::path::Path;
use std::time::Instant;

use markov::{Error, Rational, Scalar};

use super::Verdict;
use super::failure::Failure;
use super::input;
use super::json::Spent;
use super::output::{self, Session};
use super::places::Files;
pub(crate) use args::AdviseArgs;
use ratings::Layout;
pub(crate) use ratings::RatingsError;
use report::{Band, Recommendation, Report, Verdicts};
use xu::is_some;

/// Bands unless something else is asked for.
const BANDS: u32 = 3;

/// Bands of fixed width may be no more than this.
const MOST_BANDS: usize = 200;

/// Parties are no larger than teams, and these are no larger for [`markov::models::xu::Parties`].
const LARGEST_PARTY: usize = 20;

/// Runs the subcommand and writes its report.
pub(super) fn run(args: &AdviseArgs) -> Result<Verdict, Failure> {
    let common = &args.common;
    check_questions(args)?;
    let Session { progress, .. } = Session::start(common, &Files::read(&[("--ratings", args.ratings.as_deref())]))?;
    let start = Instant::now();
    let bands = match &args.ratings {
        Some(path) => {
            progress.stage("reading");
            bands(args, path)?
        }
        None => Vec::new(),
    };
    let mut spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };
    let start = Instant::now();
    progress.stage("computing");
    let verdicts = Verdicts::default();
    let recommendations = recommend(args, &bands, &verdicts)?;
    spent.solve = start.elapsed();
    let report = Report { recommendations, spent };
    output::deliver(common, &report, json::render, text::render)?;
    Ok(Verdict::Solved)
}

/// The answers to all questions.
fn recommend(args: &AdviseArgs, bands: &[Band], verdicts: &Verdicts) -> Result<Vec<Recommendation>, Failure> {
    let failed = |source| Failure::Chain { source };
    let mut all = policy::recommend(args, bands, verdicts).map_err(failed)?;
    all.extend(battles::recommend(args, verdicts).map_err(failed)?);
    all.extend(duels::recommend(args, verdicts).map_err(failed)?);
    all.extend(patience::recommend(args).map_err(too_patient)?);
    all.extend(parties::recommend(args).map_err(failed)?);
    Ok(all)
}

/// Which options make the chain of players who give up so large, where that is what is wrong.
fn too_patient(source: Error) -> Failure {
    match source {
        Error::TooLarge { .. } => Failure::Usage {
            option: "--patience",
            problem: format!(
                "lines get so long that their chain has {source}; take a smaller --patience, or smaller rates of \
                 --prefer-a, --prefer-b and --free"
            ),
        },
        source => Failure::Chain { source },
    }
}

/// What the command line's own rules cannot say: some question must be asked, no option may be there for nothing, and
/// somebody must come.
fn check_questions(args: &AdviseArgs) -> Result<(), Failure> {
    let usage = |option, problem: &str| {
        let problem = problem.to_owned();
        Err(Failure::Usage { option, problem })
    };
    let asks_wu = args.high_share.is_some() || args.ratings.is_some() || args.q_greedy.is_some();
    let is_penalty = args.alpha.is_some() || args.alpha_minutes.is_some();
    let of_wu = [
        ("--team-size", args.team_size.is_some()),
        ("--alpha", is_penalty),
        ("--arrivals", args.arrivals.is_some()),
    ];
    if let Some((option, _)) = of_wu.iter().find(|(_, is_given)| *is_given && !asks_wu) {
        let problem = "answers nothing alone; add --high-share, --ratings, or --q-greedy and --q-patient";
        return usage(option, problem);
    }
    let is_nobody = |rates: &[&Option<Rational>]| {
        rates
            .iter()
            .all(|rate| rate.as_ref().is_some_and(|rate| !is_some(rate)))
    };
    if is_nobody(&[&args.singles, &args.pairs]) {
        return usage(
            "--singles",
            "this and --pairs are both 0, so nobody comes; give one of them a rate above 0",
        );
    }
    if is_nobody(&[&args.prefer_a, &args.prefer_b, &args.free]) {
        let problem = "this, --prefer-b and --free are all 0, so nobody comes; give one of them a rate above 0";
        return usage("--prefer-a", problem);
    }
    if let Some(rates) = &args.parties {
        if rates.len() > LARGEST_PARTY {
            return usage("--parties", "takes a rate for each size of a party, at most 20");
        }
        if !rates.iter().any(is_some) {
            return usage(
                "--parties",
                "all rates are 0, so nobody comes; give one size a rate above 0",
            );
        }
    }
    if asks_wu || args.singles.is_some() || args.prefer_a.is_some() || args.parties.is_some() {
        return Ok(());
    }
    let problem = "no question was asked; try --team-size 5 --high-share 0.3 --alpha 2, or see --help for the options of each \
                   question";
    usage("advise", problem)
}

fn bands(args: &AdviseArgs, path: &Path) -> Result<Vec<Band>, Failure> {
    let (file, reader) = input::source(path)?;
    let ratings = ratings::read(reader).map_err(|source| Failure::Ratings { file, source })?;
    let layout = match args.band_width {
        Some(width) => Layout::Width(width),
        None => Layout::Count(args.bands.unwrap_or(BANDS) as usize),
    };
    let split = args.split.clone().unwrap_or_else(|| Rational::ratio(1, 2));
    let bands = ratings::bands(&ratings, layout, &split);
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
