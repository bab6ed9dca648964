//! What can be said on the command line.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum, ValueHint};
use markov::claims::Paper;
use markov::simulate::Run;
use matching_core::Engine;
use matchmaking::{GamesProblem, GamesWanted};

use super::advise::AdviseArgs;
use super::fit::FitArgs;
use super::group::GroupArgs;
use super::lobby::LobbyArgs;
use super::online::OnlineArgs;
use super::output::is_stdout;
use super::simulate::SimulateArgs;

/// Who plays whom: pairs, groups, lobbies and arrivals, exact where that is possible.
#[derive(Debug, Parser)]
#[command(name = "matchmaking", version, max_term_width = 110, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Reads a command line, with the program's name first.
    pub(crate) fn read(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let matches = with_hyphens(Self::command()).try_get_matches_from(words)?;
        Self::from_arg_matches(&matches)
    }
}

/// The same command line, where a number below 0, `-inf` and an id like `-x` are values: whoever reads them says what would be
/// right, while options of such names get the advice to write `-- -1`, which is no better. What names a file is none of
/// these: where the name was forgotten, the option behind it is not taken for one.
fn with_hyphens(command: clap::Command) -> clap::Command {
    let accept = |arg: clap::Arg| {
        let is_value = !arg.is_positional() && arg.get_action().takes_values();
        let is_file = arg.get_value_hint() == ValueHint::AnyPath;
        arg.allow_negative_numbers(is_value)
            .allow_hyphen_values(is_value && !is_file)
    };
    command.mut_args(accept).mut_subcommands(with_hyphens)
}

const EXIT_CODES: &str = "Exit codes: 0 solved; 1 infeasible, with a witness; 2 bad input, usage or I/O; \
3 stopped by a limit with an answer; 4 stopped by a limit without one; 70 internal error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Pair players, or the vertices of any weighted graph, exactly.
    Pair(Box<PairArgs>),
    /// Put players, or the vertices of any weighted graph, into groups of any size, with a proof or by search.
    Group(Box<GroupArgs>),
    /// Put everybody who waits into matches of two teams, by skill, party and ping.
    Lobby(Box<LobbyArgs>),
    /// Serve players who arrive one by one: a log, under a rule or at the least cost in hindsight.
    Online(Box<OnlineArgs>),
    /// Play simulations: how many players matchmakers keep (`eomm`), what waiting costs (`online`), and what it gains (`lobby`).
    Simulate(Box<SimulateArgs>),
    /// Learn from a log of games who stops playing, and how often games are drawn.
    Fit(Box<FitArgs>),
    /// Check what papers on matchmaking claim, equation by equation.
    Verify(VerifyArgs),
    /// Recommend rules for a game: greedy or patient, one queue or two, sides, zones.
    Advise(Box<AdviseArgs>),
}

#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub(crate) struct PairArgs {
    /// Input file; `-` reads from stdin.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Format of the input, if it should not be found out.
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatArg>,

    /// What the pairing should be.
    #[arg(long, value_enum, default_value_t = ObjectiveArg::MinPerfect)]
    pub(crate) objective: ObjectiveArg,

    /// Cost of a pair of players; for CSV pools [default: engagement].
    #[arg(long, value_enum)]
    pub(crate) cost: Option<CostArg>,

    /// Chances and risks of players by a model that `matchmaking fit` made of a log [default: a synthetic one].
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,

    /// Cost of leaving one player of an odd CSV pool without a game, the same for everybody, in units of the cost; only
    /// under min-perfect and max-perfect [default: the churn risk without a game under engagement, 0 under skill].
    #[arg(long, value_name = "C")]
    pub(crate) bye_cost: Option<String>,

    /// What a pair of recent opponents (column `opponents`) costs more, in units of the cost: they meet again if that is
    /// the better pairing even so. Where the total is to be great, as much is taken off; for CSV pools [default: 0].
    #[arg(long, value_name = "C")]
    pub(crate) rematch_cost: Option<String>,

    /// No two players who meet have ratings more than so many points apart; who is too far from everybody has no partner, and
    /// where everybody needs one there may be no pairing; for CSV pools [default: no limit].
    #[arg(long, value_name = "R")]
    pub(crate) gap_limit: Option<String>,

    /// The gap limit of two players rises by so many points for each second (column `wait`) that the one of them has waited who has
    /// waited longer; with --gap-limit [default: 0].
    #[arg(long, value_name = "R", requires = "gap_limit")]
    pub(crate) gap_growth: Option<String>,

    /// What a pair costs more whose players are of different regions (column `region`), in units of the cost, or `forbidden` for
    /// none at all. Where the total is to be great, as much is taken off; who has no region is far from nobody; for CSV pools
    /// [default: 0].
    #[arg(long, value_name = "C|forbidden")]
    pub(crate) region_cost: Option<String>,

    /// Give everybody so many different opponents, like 3, or between two numbers, like 2..4, in place of one. A column
    /// `games_wanted` of a CSV pool has other numbers for single players; in a graph it is the number of partners of every vertex.
    #[arg(long, value_name = "N|A..B", value_parser = games)]
    pub(crate) games: Option<GamesWanted>,

    /// With --games A..B, what each game costs that somebody has fewer than B, in units of the cost; where the total is to be great,
    /// as much is taken off [default: under engagement the churn risk without a game, else 0].
    #[arg(long, value_name = "C")]
    pub(crate) missing_cost: Option<String>,

    /// Put the games of --games into rounds, in each of which everybody plays once at most; for CSV pools.
    #[arg(long)]
    pub(crate) rounds: bool,

    /// The worst pair first: of the pairings whose worst pair is as good as can be, the best in total; under min-perfect and
    /// max-perfect. A bye is no pair.
    #[arg(long, conflicts_with_all = ["games", "explain"])]
    pub(crate) worst_first: bool,

    /// Explain the pair of these two ids: what its cost is made of, what forcing or forbidding it would change, and who else would
    /// have others; or of one id each pair that it has. Where ids hold commas, a space behind the one between the two says which it is.
    #[arg(long, value_name = "A,B|A")]
    pub(crate) explain: Option<String>,

    /// Say how the pairing is for fifths of the players by rating and for regions, beside neighbours by rating and a random pairing; for
    /// CSV pools.
    #[arg(long)]
    pub(crate) fairness: bool,

    /// Which solver runs; it changes speed and memory, never the cost of the answer.
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(crate) engine: EngineArg,

    /// Stop after so many seconds, with the best answer and bound known then; what --explain solves anew has what is
    /// left of them. Costs are read, and a bound for large pools is made, however long that takes.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop after so much work (visits of the engine to arcs and trees): reproducible on every machine; what --explain solves anew
    /// has what is left of it.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(crate) work_limit: Option<u64>,

    /// Seed of everything left to chance: the churn model's personal terms and the random pairing compared with; for CSV
    /// pools [default: 0].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const FORMATS: &str = "\
Formats, found out by the first line:
  csv     a header line with id,rating,deviation,outcomes (like WLD, newest
          last) and optionally hours (since each of these games, newest last;
          older ones may be left out),
          games_8h,games_1d,games_1w,games_1m,wait,party,region,roles,avoid,
          opponents (recent ones, see --rematch-cost), games_wanted (see
          --games); lists are separated by ; or |; one player a line. With
          --cost skill, id and rating are enough
  edges   `n m`, then m lines `u v w`; vertices count from 0
  matrix  `n`, then n rows of n entries; symmetric, the diagonal is not read,
          `-` forbids a pair
  dimacs  `p edge n m`, then m lines `e u v w`; vertices count from 1
  mm      Matrix Market, coordinate, real|integer|pattern, general|symmetric;
          vertices count from 1
Weights are integers or decimals and are never rounded.

Pools are paired one on one: everybody gets a game, except one player of an odd pool, and nobody meets a player whom \
either of them avoids. With --games everybody gets several, each against somebody else; costs are those of single games, \
added up. A pool of n players takes about 5.4 n^2 bytes of memory, up to 4 n^2 more with --explain, with --worst-first or where \
somebody avoids another or may not meet him, up to 8 n^2 more where costs are beyond 32 bits, as rating differences of more than 2147 points are, and more \
again where many cost the same; by --engine sparse up to 45 n^2, with --games about 70 n^2. Waits count with --gap-growth, regions with \
--region-cost; parties and roles are read but do not change the pairing. Engagement is the expected number of players who stop playing within eight hours \
(EOMM, equation 7; Glicko, 20 % draws, a synthetic churn model whose personal terms depend on --seed), or within the \
horizon of a fitted --model and by its draws; counts of games that a player lacks are then taken as the mean of the \
model's log, with a warning. Skill is the rating difference.

Exit codes: 0 solved; 1 infeasible, with a witness; 2 bad input, usage or I/O; 3 stopped by a limit with an answer, as what --explain \
solves anew may be; 4 stopped by a limit without one; 70 internal error.";

#[derive(Args, Debug)]
#[command(after_help = VERDICTS)]
pub(crate) struct VerifyArgs {
    /// Whose claims.
    #[arg(value_enum, value_name = "PAPER", default_value_t = PaperArg::All)]
    pub(crate) paper: PaperArg,

    /// Simulate what a claim is about as well, where that can be done, with so many arrivals per point [default: no
    /// simulation].
    #[arg(long, value_name = "N", value_parser = arrivals)]
    pub(crate) simulate: Option<u64>,

    /// Seed of the simulations [default: 0].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const VERDICTS: &str = "\
Each claim's printed formula is evaluated beside the chain or the decision process that it is about, in exact \
fractions where that is finite:
  holds           the printed values are right at every point
  holds-as-read   they are right if the claim is read as the report says
  does-not-hold   they are wrong at some point; where there is a corrected
                  form, its values stand beside them
Verdicts never rest on simulations; these show how many standard errors (z) their means lie above the computed \
values.

Papers:
  wu      Q. Wu, Dynamic matching with teams
  xu      M. Xu, Y. Yu, C. Wu, Rule designs for optimal online game matchmaking
  schlup  C. Schlup, Automatic game matching
  eomm    Z. Chen and others, EOMM: An engagement optimized matchmaking
          framework

Exit codes: 0 whatever the verdicts; 2 bad usage or I/O; 70 internal error.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PaperArg {
    /// Dynamic matching with teams.
    Wu,
    /// Rule designs for optimal online game matchmaking.
    Xu,
    /// Automatic game matching.
    Schlup,
    /// An engagement optimized matchmaking framework.
    Eomm,
    /// All of them.
    All,
}

impl PaperArg {
    /// The papers that are meant.
    pub(crate) fn papers(self) -> &'static [Paper] {
        match self {
            Self::Wu => &[Paper::Wu],
            Self::Xu => &[Paper::Xu],
            Self::Schlup => &[Paper::Schlup],
            Self::Eomm => &[Paper::Eomm],
            Self::All => &[Paper::Wu, Paper::Xu, Paper::Schlup, Paper::Eomm],
        }
    }
}

/// Options that every subcommand has.
#[derive(Args, Debug)]
pub(crate) struct CommonArgs {
    /// Write the result to a file; `-` is stdout [default: stdout].
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Number of threads; 1 starts none, any number gives the same result [default: all cores].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(COUNTS))]
    pub(crate) threads: Option<u32>,

    /// No progress and no warnings on stderr (JSON holds the warnings anyway).
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl CommonArgs {
    /// The file that the result goes to; none for stdout.
    pub(crate) fn target(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_stdout(path))
    }
}

/// Whole numbers of a range, and a message that says which; the standard library's is about digits.
pub(crate) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number: u64| T::try_from(number).ok());
        number.ok_or_else(|| format!("not a whole number from {} to {}", range.start(), range.end()))
    }
}

/// How many games everybody should have: some, at least for some.
fn games(text: &str) -> Result<GamesWanted, String> {
    let games: GamesWanted = text.parse().map_err(|problem: GamesProblem| problem.to_string())?;
    if games.most() == 0 {
        return Err("nobody would play; write 1 or more, or two numbers like 0..3".to_owned());
    }
    Ok(games)
}

/// Any whole number.
pub(crate) const ANY: RangeInclusive<u64> = 0..=u64::MAX;

/// Whole numbers that count something.
pub(crate) const COUNTS: RangeInclusive<u64> = 1..=u32::MAX as u64;

/// As many arrivals as a simulation can work with.
fn arrivals(text: &str) -> Result<u64, String> {
    let arrivals = text.parse().map_err(|_| "not a whole number from 3400 on".to_owned())?;
    Run::new(arrivals, 0).map_err(|error| error.to_string())?;
    Ok(arrivals)
}

/// Longer than anything runs, and short enough for all clocks.
const LONGEST: f64 = 1e18;

/// A limit in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().unwrap_or(f64::NAN);
    if seconds > LONGEST {
        return Err(format!(
            "at most {LONGEST:e} seconds; leave the option out for no limit"
        ));
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a number of seconds from 0 on; write one like 1.5".to_owned())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Csv,
    Edges,
    Matrix,
    Dimacs,
    Mm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    /// Everybody paired, least total cost.
    MinPerfect,
    /// Everybody paired, greatest total weight.
    MaxPerfect,
    /// Any pairing, greatest total weight.
    MaxWeight,
    /// As many pairs as possible; of those pairings, the one of greatest total weight.
    MaxCardinality,
}

impl ObjectiveArg {
    /// The word of the command line and of reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::MinPerfect => "min-perfect",
            Self::MaxPerfect => "max-perfect",
            Self::MaxWeight => "max-weight",
            Self::MaxCardinality => "max-cardinality",
        }
    }

    /// Whether everybody must be paired, except one of an odd pool.
    pub(crate) fn is_perfect(self) -> bool {
        match self {
            Self::MinPerfect | Self::MaxPerfect => true,
            Self::MaxWeight | Self::MaxCardinality => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostArg {
    /// Expected number of players who stop playing.
    Engagement,
    /// Rating difference.
    Skill,
}

impl CostArg {
    /// The word of the command line and of reports.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Engagement => "engagement",
            Self::Skill => "skill",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineArg {
    /// For up to 200 players of a CSV pool `small`, a search without queues that hands on to `dense` what takes it
    /// long, or is likely to; beyond, `dense` where most may be paired with each other, else `sparse`; `cardinality` counts
    /// the edges of a graph that all weigh the same, and `assignment` is for pairs between two sides only. The report names the one that solved.
    Auto,
    /// The blossom algorithm on a list of all edges.
    Sparse,
    /// The blossom algorithm on few edges of a matrix of all costs, until no other can improve the answer.
    Dense,
}

impl EngineArg {
    /// The library's name for it.
    pub(crate) fn engine(self) -> Engine {
        match self {
            Self::Auto => Engine::Auto,
            Self::Sparse => Engine::Sparse,
            Self::Dense => Engine::Dense,
        }
    }
}

/// The engines of a search, by name.
pub(super) fn engines() -> impl TypedValueParser<Value = matching_heuristics::Engine> {
    use matching_heuristics::Engine;
    PossibleValuesParser::new(Engine::ALL.map(Engine::name)).map(|name| Engine::from_name(&name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{ANY, COUNTS, Cli, seconds, whole};

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn whole_numbers_have_limits_that_are_told() {
        let counts = whole::<u32>(COUNTS);
        assert_eq!((counts("1"), counts("4294967295")), (Ok(1), Ok(u32::MAX)));
        for text in ["", "0", "-1", "1.5", "1e3", "x", "4294967296", "99999999999999999999"] {
            assert_eq!(
                counts(text),
                Err("not a whole number from 1 to 4294967295".to_owned()),
                "{text}"
            );
        }
        assert_eq!(whole::<u64>(ANY)("18446744073709551615"), Ok(u64::MAX));
        assert!(whole::<u8>(ANY)("256").is_err());
    }

    /// `1e30` was said to be no number of seconds from 0 on.
    #[test]
    fn seconds_have_an_end() {
        assert_eq!(seconds("1.5").map(|limit| limit.as_millis()), Ok(1500));
        assert!(seconds("9e17").is_ok());
        for (text, message) in [
            ("1e30", "at most 1e18"),
            ("inf", "at most 1e18"),
            ("-1", "from 0 on"),
            ("NaN", "from 0 on"),
            ("soon", "from 0 on"),
        ] {
            assert!(seconds(text).is_err_and(|problem| problem.contains(message)), "{text}");
        }
    }
}
