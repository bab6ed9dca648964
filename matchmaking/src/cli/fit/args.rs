//! What can be said on the command line of `fit`.

use std::path::PathBuf;

use clap::Args;
use matchmaking::fit::LogColumns;

use crate::cli::args::{ANY, COUNTS, CommonArgs, whole};

/// Lengths of time, in seconds.
const UNITS: [(char, f64); 5] = [
    ('s', 1.0),
    ('m', 60.0),
    ('h', 3_600.0),
    ('d', 86_400.0),
    ('w', 604_800.0),
];

#[derive(Args, Debug)]
#[command(after_help = LOG)]
pub(crate) struct FitArgs {
    /// Log of one-on-one games, as CSV; `-` reads from stdin.
    #[arg(value_name = "MATCHES")]
    pub(super) file: PathBuf,

    /// Write the model there; `-` is stdout, where the report needs a file of its own (--report). Without it, only the
    /// report is made.
    #[arg(short, long, value_name = "MODEL")]
    pub(super) output: Option<PathBuf>,

    /// Names of the columns, where they are others: `time=end,player_a=p1,..`.
    #[arg(long, value_name = "COLUMN=NAME,..", value_parser = columns)]
    pub(super) columns: Option<LogColumns>,

    /// A player has stopped who plays no game for so long: a number and s, m, h, d or w.
    #[arg(long, value_name = "TIME", default_value = "8h", value_parser = horizon)]
    pub(super) horizon: Horizon,

    /// How uncertain the rating of an absent player becomes: rating points for the square root of a day.
    #[arg(long, value_name = "POINTS", default_value_t = 0.0, value_parser = growth)]
    pub(super) growth: f64,

    /// Seed of the folds of the cross-validation, and of the states that the model keeps.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(super) seed: u64,

    /// Write the players, as they are at the end of the log, as a pool for `pair`.
    #[arg(long, value_name = "FILE")]
    pub(super) players: Option<PathBuf>,

    /// With --players, write whom each player met in the last N games of theirs, too (column `opponents`, for `pair
    /// --rematch-cost`).
    #[arg(long, value_name = "N", value_parser = whole::<u32>(COUNTS), requires = "players")]
    pub(super) opponents: Option<u32>,

    /// Draw predicted against real chances, of winning and of stopping, as SVG.
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,

    /// Write the report to a file; `-` is stdout [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Print the report as one JSON object instead of text.
    #[arg(long)]
    pub(super) json: bool,

    /// Number of threads; 1 starts none, any number gives the same result [default: all cores].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(COUNTS))]
    pub(super) threads: Option<u32>,

    /// No progress and no warnings on stderr.
    #[arg(long)]
    pub(super) quiet: bool,
}

const LOG: &str = "\
The log has a header line with time,player_a,player_b,score_a,score_b in any order, and one game a line. Times are \
ISO 8601 (2004-08-06T18:13:50Z; also with a space in the middle; without an offset, UTC) or seconds (whatever is \
a number, also 20260301). The higher score wins, equal scores are a draw. Rows without a time, a player or a score, and games of a \
player against himself, are skipped and counted. Lines may stand in any order; games at the same time are taken in \
the order of the file.

Ratings are Glicko, one game a rating period. Churn is a logistic regression on the last ten outcomes, the game's own \
outcome, games in the last 8 hours, day, week and 30 days, and hours since and between games, with a penalty whose \
strength comes from a cross-validation by players. Games whose horizon ends beyond the end of the log are left out of \
it. Figures are of predictions for players whom the predicting regression has not seen. AUC and log loss \
are a little too good, since the strength of the penalty is chosen on the same players. Intervals of 95 % and standard \
errors of coefficients are by player: observations of one player may have to do with each other. The penalty's pull \
towards 0 is not in them.

Rows of the same two players at the same time are used, and warned of: one game that stands there twice spoils the \
ratings and the churn. So is a last game that is more than the horizon later than all others: then next to no game's \
horizon ends beyond the end of the log, which one wrong time is enough for.

`matchmaking pair POOL --model MODEL` pairs by the model. It forecasts on what it has seen of games that some \
matchmaker made, and proves no effect of making others: try it on a random half of the players.

Exit codes: 0 fitted; 2 bad input, too little of it, usage or I/O; 70 internal error.";

impl FitArgs {
    /// The report's part of it, in the form that other subcommands have.
    pub(super) fn common(&self) -> CommonArgs {
        CommonArgs {
            output: self.report.clone(),
            json: self.json,
            threads: self.threads,
            quiet: self.quiet,
        }
    }
}

/// A horizon as it was written, and its seconds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Horizon {
    pub(super) text: String,
    pub(super) seconds: f64,
}

fn horizon(text: &str) -> Result<Horizon, String> {
    let problem =
        || format!("{text:?} is no length of time; write a number above 0 and s, m, h, d or w, like 8h or 7d");
    let unit = UNITS
        .into_iter()
        .find(|&(letter, _)| text.ends_with(letter))
        .ok_or_else(problem)?;
    let number: f64 = text[..text.len() - 1].parse().map_err(|_| problem())?;
    let seconds = number * unit.1;
    // The library says what is too short or too long.
    (seconds > 0.0)
        .then(|| Horizon {
            text: text.to_owned(),
            seconds,
        })
        .ok_or_else(problem)
}

fn growth(text: &str) -> Result<f64, String> {
    let points = text
        .parse()
        .ok()
        .filter(|&points: &f64| points >= 0.0 && points.is_finite());
    points.ok_or_else(|| "not a number of rating points from 0 on".to_owned())
}

fn columns(text: &str) -> Result<LogColumns, String> {
    let mut seen: Vec<&str> = Vec::new();
    text.split(',').try_fold(LogColumns::default(), |columns, pair| {
        let (column, name) = pair
            .split_once('=')
            .ok_or_else(|| format!("{pair:?} is not of the form column=name"))?;
        let (column, name) = (column.trim(), name.trim());
        if seen.contains(&column) {
            return Err(format!("{column:?} appears twice; keep one"));
        }
        seen.push(column);
        let known = LogColumns::NAMES.join(", ");
        columns
            .renamed(column, name)
            .ok_or_else(|| format!("{column:?} is no column of a log; these are: {known}"))
    })
}

#[cfg(test)]
mod tests {
    use super::{columns, horizon};

    #[test]
    fn lengths_of_time() {
        let seconds = |text: &str| horizon(text).map(|horizon| horizon.seconds).ok();
        let cases = [
            ("8h", 28_800.0),
            ("7d", 604_800.0),
            ("1w", 604_800.0),
            ("30m", 1_800.0),
            ("0.5s", 0.5),
        ];
        for (text, expected) in cases {
            assert_eq!(seconds(text), Some(expected), "{text}");
        }
        for text in ["8", "h", "", "-1h", "0d", "NaNh", "eight h", "8é"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn columns_that_do_not_exist_are_named() {
        assert!(columns("time=end, player_a=p1").is_ok());
        assert!(columns("tme=end").is_err_and(|problem| problem.contains("\"tme\"") && problem.contains("player_b")));
        assert!(columns("time=end,time=start").is_err_and(|problem| problem.contains("twice")));
        assert!(columns("time").is_err_and(|problem| problem.contains("column=name")));
    }
}
