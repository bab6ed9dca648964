//! The options of `matchmaking lobby`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use matching_heuristics::Engine;
use matchmaking::lobby::{Fill, MAX_TEAM_SIZE, Objective, Rules, Weights};

use super::scores::{RULES, weights_of};
use crate::cli::args::{ANY, CommonArgs, engines, seconds, whole};
use crate::cli::failure::Failure;
use crate::cli::input;

/// How strongly the worst match comes first under `min-then-mean`.
const SHARPNESS: f64 = 64.0;

#[derive(Args, Debug)]
#[command(after_help = NOTES, group(ArgGroup::new("round").required(true).args(["file", "instance"])))]
pub(crate) struct LobbyArgs {
    /// Who waits, and who plays already: JSON or CSV; `-` reads from stdin.
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,

    /// A synthetic round instead of a file: nauts-N-sS, N of 60, 102, 150, 300, 600, 1200 players, seed S of 1 to 10.
    #[arg(long, value_name = "NAME")]
    pub(super) instance: Option<String>,

    /// What a good match is: a file of rules, JSON, or - for stdin; see below. Options given here come before what it says.
    #[arg(long, value_name = "FILE")]
    pub(super) rules: Option<PathBuf>,

    /// Teams of a match; so far all matches have two.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = teams)]
    pub(super) teams: u32,

    /// Players of a team, 1 to 8 [default: 3].
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=MAX_TEAM_SIZE as u64))]
    team_size: Option<u32>,

    /// What of the matches' scores is to be large [default: mean].
    #[arg(long, value_enum)]
    objective: Option<Aim>,

    /// How much each score counts, like `team-skill=5,servers=0`; only ratios matter, and what is left out keeps its
    /// weight [default: team-skill=3,player-skill=2,premade=1,enemy-ping=3,variation=0.3,servers=1, and company=3 where
    /// somebody dislikes another].
    #[arg(long, value_name = "NAME=W,..", value_parser = weights)]
    weights: Option<GivenWeights>,

    /// Skills are kept within --skill-floor and so many points; differences count in shares of that range [default: 18000].
    #[arg(long, value_name = "POINTS", value_parser = skill_cap)]
    skill_cap: Option<f64>,

    /// Skills below so many points count as so many [default: 0].
    #[arg(long, value_name = "POINTS", value_parser = skill_floor)]
    skill_floor: Option<f64>,

    /// No two players of a match, mates or enemies, may have a ping above so many milliseconds; who has too few others
    /// within it waits, and so does a party of which two are farther apart [default: no limit].
    #[arg(long, value_name = "MS", value_parser = ping_limit)]
    ping_limit: Option<f64>,

    /// The ping limit of two players rises by so many milliseconds for each round that the one of them has waited who has
    /// waited longer; with a limit [default: 0].
    #[arg(long, value_name = "MS", value_parser = ping_growth)]
    pub(super) ping_growth: Option<f64>,

    /// Make fewer matches, and let more players wait, where the parties, or the limits of who may be with whom, do not
    /// allow as many as there are players for.
    #[arg(long)]
    pub(super) fewer_matches: bool,

    /// Explain why the player of this id is in that match, or waits: what would come of it if the player's party changed places
    /// with another of as many members, with several smaller ones, or together with others with a larger one.
    #[arg(long, value_name = "ID")]
    pub(super) explain: Option<String>,

    /// Say how the matches are for fifths of the players by skill, for regions and for parties of each size.
    #[arg(long)]
    pub(super) fairness: bool,

    /// How matches are searched for.
    #[arg(long, value_name = "ENGINE", default_value = Engine::Auto.name(), value_parser = engines())]
    pub(super) engine: Engine,

    /// Stop after so many seconds of search, with the best matches known then; --explain has what is left of them, and a tenth as
    /// many in any case.
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(super) time_limit: Option<Duration>,

    /// Stop after so much work (moves looked at): reproducible on every machine.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(ANY))]
    pub(super) work_limit: Option<u64>,

    /// Seed of everything left to chance: the search, and who waits of those who waited equally long.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u64>(ANY))]
    pub(super) seed: u64,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// What company counts where somebody dislikes another: see DESIGN.md for what it does.
const COMPANY: f64 = 3.0;

const NOTES: &str = "\
Formats, found out by the first character (a file called *.json is JSON whatever it begins with):
  JSON  {\"players\": [{\"id\", \"skill\", \"party\", \"region\", \"waited\", \"last\":
        {\"match\", \"team\"}, \"avoid\": [..], \"dislike\": [..], \"playing\": {\"match\",
        \"team\"}}], \"ping_ms\": [[..]], \"can_connect\": [[..]]}; only id and skill are
        needed, and region where there is no ping_ms
  CSV   a header line with id,skill,region and optionally party,waited,avoid,dislike
        (ids separated by ; or |),match,team (red or blue); one player a line
Regions are EU-W, EU-E, NA-E, NA-W, SA, Asia, OCE. Without ping_ms, pings come from a table of regions; without \
can_connect, everybody can connect. Parties are never divided. Who waited longest plays first.

Who has a match and a team in CSV, or `playing` in JSON, plays already: he stays in that match and team. Open places of running \
matches are filled before new matches are made, under the same rules: each match whole, or not at all, in the order of the file. \
Those that stay short are named with the reason, and have no scores.

Nobody is in a match, on whichever side, with a player whom either of them avoids, nor with one whose ping is above \
--ping-limit. Who has too few others to fill a match within these limits waits, and so does a party whose own pings are \
above it, which is said. Of the rest, who waited longest plays first, if matches within the limits are found of those, by half of the \
time or work that is given where others could play, too; else the search picks who waits. What is left then goes into better \
matches of the same players.

Scores, each from 0 to 1; a match's score is their weighted mean:
  team-skill    equally skilled teams
  player-skill  equally skilled players
  premade       the same parties in both teams
  enemy-ping    low ping between enemies
  variation     other people than in the match before
  servers       two players who can connect with everybody
  company       mates of whom neither dislikes the other; of no weight where nobody does

--rules FILE holds an object of whatever differs from the defaults, all of which are
  {\"team_size\": 3, \"objective\": \"mean\", \"skill_floor\": 0, \"skill_cap\": 18000,
   \"weights\": {\"team_skill\": 3, \"player_skill\": 2, \"premade\": 1, \"enemy_ping\": 3,
               \"variation\": 0.3, \"servers\": 1, \"company\": 0},
   \"team_curve\": \"linear\", \"player_curve\": \"linear\",
   \"premade\": {\"levels\": [1, 0.6, 0]}, \"ping_range\": [40, 400],
   \"met\": {\"changed\": 0.4, \"same\": 0}, \"disliked\": {\"mates\": 0, \"enemies\": 1},
   \"servers\": [0, 0.5, 1], \"server_rule\": \"scored\", \"ping_limit\": null,
   \"ping_growth\": 0, \"priority\": \"longest-wait\"}
A curve, from the difference in shares of the greatest one to a score, may be {\"power\": {\"exponent\": 2}}, {\"log\": {\"low\": \
0.01, \"high\": 1}} or {\"piecewise\": [[0, 1], [0.2, 0.7], [1, 0]]}; premade \"squares\", as from four players a team on, or a table \
like {\"table\": [[[3], [2, 1], 0.5]]}, by the sizes of parties; pings score 1 to 0 within ping_range; met is the score of two who met in the match \
before, now in another relation or in the same; servers the scores of none, one and more who can be the server, of whom \"required\" asks for one; \
priority may be \"chance\", with which nobody plays first because he waited; objective may be \"sqrt\", {\"power\": {\"exponent\": 0.5}} or \
{\"min-then-mean\": {\"sharpness\": 64}}. With a file company counts what it says, \
or nothing, whoever dislikes whom.

Who can connect with everybody is said of every match (`hosts` in JSON): anybody of them can be the server.

Whom a player dislikes is not wanted as a mate, and may be an enemy: a wish that counts beside the other scores, where `avoid` is \
kept at any price. Nobody of those ids need be there, and members of one party are taken to get along. Mates of whom one dislikes the other are named under the table.

A search without a limit looks at 2,000 moves for each player who plays: 0.1 s for 100 players, 1 s for 600, on one \
core of a small server; three times as many or so where it is limited who may be with whom. A round has up to 5,000 \
players. A search with a limit plans its work by it, and may end by itself before. Nothing proves that \
matches are the best, so the status is `feasible`. Ctrl-C ends the search, or the explanation, and what was found so far is the answer; \
pressed again, it ends the program.

Exit codes: 0 solved: the search ended by itself; 1 infeasible: the parties do not fill the matches, and those that \
find no place are named, or there are no matches within the limits; 2 bad input, usage or I/O; 3 stopped by --time-limit, --work-limit or Ctrl-C, as the explanation may be, with matches; \
4 not found out whether the parties fill the matches, or whether there are any within the limits; 70 internal error.";

/// What of the scores is to be large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Aim {
    /// Their mean.
    Mean,
    /// The mean of their square roots: lifting a bad match counts more.
    Sqrt,
    /// Nearly the worst score: a sum in which the worst ones count by far the most. Without --engine, half of the search
    /// goes into a sum in which they count less, from which it is found sooner.
    MinThenMean,
}

impl Aim {
    fn objective(self) -> Objective {
        match self {
            Self::Mean => Objective::Mean,
            Self::Sqrt => Objective::Sqrt,
            Self::MinThenMean => Objective::MinThenMean { sharpness: SHARPNESS },
        }
    }
}

impl LobbyArgs {
    /// The rules of the file that --rules names, if it names one.
    pub(super) fn read_rules(&self) -> Result<Option<Rules>, Failure> {
        let Some(path) = &self.rules else {
            return Ok(None);
        };
        if [Some(path), self.file.as_ref()]
            .iter()
            .all(|path| path.is_some_and(|path| path.as_os_str() == "-"))
        {
            return Err(Failure::Usage {
                option: "--rules",
                problem: "the round comes from stdin already; name a file".to_owned(),
            });
        }
        rules_of(path).map(Some)
    }

    /// The rules asked for, from those of the file, by whether somebody dislikes another; each option was checked when it was
    /// read, alone.
    pub(super) fn rules(&self, file: Option<&Rules>, has_disliked: bool) -> Result<Rules, Failure> {
        let mut rules = match (file, self.team_size) {
            (Some(rules), None) => rules.clone(),
            (Some(rules), Some(size)) => rules.clone().for_team_size(size as usize),
            (None, size) => Rules::new(size.unwrap_or(3) as usize).weights(default_weights(has_disliked)),
        };
        if let Some(given) = self.weights {
            rules = rules.clone().weights(given.or(rules.chosen_weights()));
        }
        if let Some(points) = self.skill_floor {
            rules = rules.skill_floor(points);
        }
        if let Some(points) = self.skill_cap {
            rules = rules.skill_cap(points);
        }
        if let Some(aim) = self.objective {
            rules = rules.objective(aim.objective());
        }
        if let Some(limit) = self.ping_limit {
            rules = rules.ping_limit(limit);
        }
        if let Some(growth) = self.ping_growth {
            if rules.chosen_ping_limit().is_none() {
                return Err(Failure::Usage {
                    option: "--ping-growth",
                    problem: "there is no ping limit to grow; give one by --ping-limit".to_owned(),
                });
            }
            rules = rules.ping_growth(growth);
        }
        match rules.check() {
            Ok(()) => Ok(rules),
            // What is wrong alone was said of the option or the file.
            Err(error) => Err(Failure::Usage {
                option: if self.rules.is_some() {
                    "--rules"
                } else {
                    "--skill-floor"
                },
                problem: error.to_string(),
            }),
        }
    }

    pub(super) fn fill(&self) -> Fill {
        if self.fewer_matches {
            Fill::Possible
        } else {
            Fill::Every
        }
    }
}

/// The rules of a file.
pub(in crate::cli) fn rules_of(path: &Path) -> Result<Rules, Failure> {
    let (file, reader) = input::source(path)?;
    Rules::read_json(reader).map_err(|source| Failure::Round {
        file,
        source: Box::new(source),
    })
}

fn teams(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(2) => Ok(2),
        Ok(_) => Err("all matches have 2 teams so far".to_owned()),
        Err(_) => Err("not a number of teams".to_owned()),
    }
}

fn skill_cap(text: &str) -> Result<f64, String> {
    let points = text.parse().map_err(|_| "not a number of points".to_owned())?;
    checked(&Rules::default().skill_cap(points)).map(|()| points)
}

fn skill_floor(text: &str) -> Result<f64, String> {
    let points: f64 = text.parse().map_err(|_| "not a number of points".to_owned())?;
    // Below which cap, only both options together say.
    match points.is_finite() {
        true => Ok(points),
        false => Err("must be a finite number".to_owned()),
    }
}

fn ping_limit(text: &str) -> Result<f64, String> {
    let ms = text.parse().map_err(|_| "not a number of milliseconds".to_owned())?;
    checked(&Rules::default().ping_limit(ms)).map(|()| ms)
}

fn ping_growth(text: &str) -> Result<f64, String> {
    let ms = text.parse().map_err(|_| "not a number of milliseconds".to_owned())?;
    checked(&Rules::default().ping_growth(ms)).map(|()| ms)
}

/// What the scores count of which the command line says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GivenWeights([Option<f64>; RULES.len()]);

impl GivenWeights {
    /// With the others as they are.
    fn or(self, weights: Weights) -> Weights {
        let mut all = weights.all();
        for (weight, given) in all.iter_mut().zip(self.0) {
            *weight = given.unwrap_or(*weight);
        }
        weights_of(all)
    }
}

/// What the scores count where nobody says so, by whether somebody dislikes another.
fn default_weights(has_disliked: bool) -> Weights {
    Weights {
        company: if has_disliked { COMPANY } else { 0.0 },
        ..Weights::default()
    }
}

/// `name=weight` for some of the scores.
fn weights(text: &str) -> Result<GivenWeights, String> {
    let mut given = [None; RULES.len()];
    for part in text.split(',') {
        let (name, weight) = part
            .split_once('=')
            .ok_or_else(|| format!("{part:?} is not like team-skill=3"))?;
        let (name, weight) = (name.trim(), weight.trim());
        let rule = RULES.iter().position(|rule| *rule == name);
        let rule = rule.ok_or_else(|| format!("{name:?} is no score; there are {}", RULES.join(", ")))?;
        let weight: f64 = weight
            .parse()
            .map_err(|_| format!("{weight:?}, the weight of {name}, is not a number"))?;
        if given[rule].replace(weight).is_some() {
            return Err(format!("{name} appears twice"));
        }
    }
    let given = GivenWeights(given);
    // Whoever dislikes whom.
    for has_disliked in [false, true] {
        checked(&Rules::default().weights(given.or(default_weights(has_disliked))))?;
    }
    Ok(given)
}

fn checked(rules: &Rules) -> Result<(), String> {
    rules.check().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use matchmaking::lobby::Weights;

    use super::{COMPANY, default_weights, ping_limit, skill_cap, skill_floor, weights};

    #[test]
    fn weights_that_are_left_out_keep_their_value() {
        let expected = Weights {
            player_skill: 0.5,
            servers: 0.0,
            ..Weights::default()
        };
        let given = weights("servers=0, player-skill = 0.5").map(|given| given.or(default_weights(false)));
        assert_eq!(given, Ok(expected));
        let company =
            |text: &str| weights(text).map(|given| [false, true].map(|is| given.or(default_weights(is)).company));
        assert_eq!(company("servers=0"), Ok([0.0, COMPANY]));
        assert_eq!(
            (company("company=0"), company("company=7")),
            (Ok([0.0; 2]), Ok([7.0; 2]))
        );
    }

    #[test]
    fn weights_that_make_no_sense_are_refused_in_words() {
        let cases = [
            ("", "like team-skill=3"),
            ("team-skill", "like team-skill=3"),
            (
                "luck=1",
                "\"luck\" is no score; there are team-skill, player-skill, premade",
            ),
            ("servers=much", "\"much\", the weight of servers, is not a number"),
            ("servers=1,servers=1", "servers appears twice"),
            ("servers=-1", "0 or more"),
            ("servers=NaN", "0 or more"),
            ("servers=inf", "0 or more"),
            (
                "team-skill=0,player-skill=0,premade=0,enemy-ping=0,variation=0,servers=0",
                "not all be 0",
            ),
        ];
        for (text, part) in cases {
            let message = weights(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
        assert!(skill_cap("0").is_err() && skill_cap("-1").is_err() && skill_cap("x").is_err());
        assert_eq!(skill_cap("2500.5"), Ok(2500.5));
        assert_eq!((skill_floor("-2500.5"), skill_floor("0")), (Ok(-2500.5), Ok(0.0)));
        assert!(skill_floor("NaN").is_err() && skill_floor("-inf").is_err() && skill_floor("x").is_err());
        assert_eq!(ping_limit("62.5"), Ok(62.5));
        for text in ["0", "-1", "NaN", "inf", "x", ""] {
            assert!(ping_limit(text).is_err(), "{text}");
        }
    }
}
