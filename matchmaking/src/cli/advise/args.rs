//! The options of `matchmaking advise`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use markov::{Rational, Scalar};

use crate::cli::args::{CommonArgs, whole};
use crate::cli::decimal::{Decimal, DecimalError, TOO_WIDE};

/// Larger teams are refused: no title has them, and exact fractions grow with them.
const LARGEST_TEAM: u32 = 64;

#[derive(Args, Debug)]
#[command(after_help = QUESTIONS, group = ArgGroup::new("penalty"), group = ArgGroup::new("layout"))]
pub(crate) struct AdviseArgs {
    /// Players who arrive per minute; waits are then reported in minutes as well.
    #[arg(long, value_name = "R", value_parser = positive)]
    pub(crate) arrivals: Option<Rational>,

    /// Players of one team; a game has two teams.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(LARGEST_TEAM)))]
    pub(crate) team_size: Option<u32>,

    /// What uneven teams cost each player, in the wait for one arrival; with bands, for one arrival in the player's own band.
    #[arg(long, value_name = "A", value_parser = not_negative, group = "penalty")]
    pub(crate) alpha: Option<Rational>,

    /// What uneven teams cost each player, in minutes of waiting.
    #[arg(long, value_name = "M", value_parser = not_negative, group = "penalty", requires = "arrivals")]
    pub(crate) alpha_minutes: Option<Rational>,

    /// Share of arriving players who are highly skilled.
    #[arg(long, value_name = "Q", value_parser = share, requires_all = ["team_size", "penalty"])]
    pub(crate) high_share: Option<Rational>,

    /// That share while games are formed greedily.
    #[arg(long, value_name = "QG", value_parser = share, requires_all = ["q_patient", "team_size", "penalty"])]
    pub(crate) q_greedy: Option<Rational>,

    /// That share while games are formed patiently.
    #[arg(long, value_name = "QP", value_parser = share, requires = "q_greedy")]
    pub(crate) q_patient: Option<Rational>,

    /// CSV file with a column `rating`, one player a line, for bands of skill; `-` reads from stdin.
    #[arg(long, value_name = "FILE", requires_all = ["team_size", "penalty"])]
    pub(crate) ratings: Option<PathBuf>,

    /// Number of bands, of as equal numbers of players as ties allow [default: 3].
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=200), group = "layout", requires = "ratings")]
    pub(crate) bands: Option<u32>,

    /// Width of a band in rating points; each begins at a multiple of it.
    #[arg(long, value_name = "W", value_parser = width, group = "layout", requires = "ratings")]
    pub(crate) band_width: Option<f64>,

    /// Where a band is split into low and high: at this quantile of its ratings [default: 0.5]. Who is rated above it is
    /// high; where nobody is, who is rated as high.
    #[arg(long, value_name = "P", value_parser = share, requires = "ratings")]
    pub(crate) split: Option<Rational>,

    /// Single players who arrive per minute at a game of two against two.
    #[arg(long, value_name = "L1", value_parser = not_negative, requires = "pairs")]
    pub(crate) singles: Option<Rational>,

    /// Pairs who arrive per minute there, each of two players who play on one side.
    #[arg(long, value_name = "L2", value_parser = not_negative, requires = "singles")]
    pub(crate) pairs: Option<Rational>,

    /// Players of duels who arrive per minute and want side A, or zone A.
    #[arg(long, value_name = "LA", value_parser = not_negative, requires_all = ["prefer_b", "free"])]
    pub(crate) prefer_a: Option<Rational>,

    /// Those who want side B, or zone B.
    #[arg(long, value_name = "LB", value_parser = not_negative, requires_all = ["prefer_a", "free"])]
    pub(crate) prefer_b: Option<Rational>,

    /// Those who take either side, or play in both zones.
    #[arg(long, value_name = "LC", value_parser = not_negative, requires_all = ["prefer_a", "prefer_b"])]
    pub(crate) free: Option<Rational>,

    /// Minutes after which a waiting player gives up, in the mean; the time is exponential.
    #[arg(long, value_name = "M", value_parser = positive, requires = "prefer_a")]
    pub(crate) patience: Option<Rational>,

    /// Parties of 1, 2, ..., k players who arrive per minute at a game of k against k.
    #[arg(long, value_name = "L1,...,LK", value_parser = not_negative, value_delimiter = ',')]
    pub(crate) parties: Option<Vec<Rational>>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const QUESTIONS: &str = "\
Questions, each answered when all its options are given:
  greedy or patient         --team-size --high-share and --alpha or
                            --alpha-minutes
  the same, band by band    --team-size --ratings and --alpha or
                            --alpha-minutes
  where the skill follows   --team-size --q-greedy --q-patient and --alpha or
                            --alpha-minutes
  one queue or two          --singles --pairs
  which service order       --singles --pairs
  let players choose sides  --prefer-a --prefer-b --free
  two zones                 --prefer-a --prefer-b --free
  sides, players give up    --prefer-a --prefer-b --free --patience
  can parties be served     --parties
--alpha counts arrivals: with bands of ratings, those in the band alone, so that in a band with a tenth of the players \
the same number is ten times as long a wait; --alpha-minutes is the same wait in each. --alpha-minutes asks for --arrivals as well; bands of ratings are told by --bands or by --band-width, not by both. A rate \
of 0 says that nobody comes. Numbers are decimals or fractions like 1/3 and are never rounded; figures come from the \
exact chains (with --patience, from chains in floats), beside them stands what the paper's formula gives, and what \
became of it (`matchmaking verify`).

Exit codes: 0 answered; 2 bad input, usage or I/O; 70 internal error.";

/// A decimal or a fraction of two of them, exactly.
fn number(text: &str) -> Result<Rational, String> {
    let whole = |text: &str| match Decimal::parse(text.as_bytes()) {
        Ok(decimal) => decimal
            .fraction()
            .parse::<Rational>()
            .map_err(|_| "not a number".to_owned()),
        Err(DecimalError::NotANumber) => Err("not a number; write one like 12, 0.5 or 1/3".to_owned()),
        Err(DecimalError::TooWide) => Err(TOO_WIDE.to_owned()),
    };
    let Some((numerator, denominator)) = text.split_once('/') else {
        return whole(text);
    };
    let denominator = whole(denominator)?;
    if denominator == zero() {
        return Err("divides by zero".to_owned());
    }
    Ok(whole(numerator)? / denominator)
}

fn zero() -> Rational {
    Rational::ratio(0, 1)
}

fn positive(text: &str) -> Result<Rational, String> {
    let value = number(text)?;
    if value > zero() {
        return Ok(value);
    }
    Err("must be greater than 0".to_owned())
}

fn not_negative(text: &str) -> Result<Rational, String> {
    let value = number(text)?;
    if value >= zero() {
        return Ok(value);
    }
    Err("must not be negative".to_owned())
}

fn share(text: &str) -> Result<Rational, String> {
    let value = number(text)?;
    if value >= zero() && value <= Rational::ratio(1, 1) {
        return Ok(value);
    }
    Err("must lie between 0 and 1".to_owned())
}

fn width(text: &str) -> Result<f64, String> {
    positive(text).map(|value| value.to_float())
}

#[cfg(test)]
mod tests {
    use markov::{Rational, Scalar};

    use super::{number, positive, share};

    #[test]
    fn numbers_are_exact() {
        let cases = [("0.1", 1, 10), ("1/3", 1, 3), ("1.5/0.25", 6, 1), ("-2e-3", -1, 500)];
        for (text, p, q) in cases {
            assert_eq!(number(text), Ok(Rational::ratio(p, q)), "{text}");
        }
        for text in ["", "NaN", "inf", "1/0", "1/", "/2", "1/2/3", "0x1", "1e999"] {
            assert!(number(text).is_err(), "{text}");
        }
        assert!(positive("0").is_err() && share("1").is_ok() && share("1.0000001").is_err());
    }
}
