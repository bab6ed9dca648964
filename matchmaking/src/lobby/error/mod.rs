//! What can be wrong with a round or with rules.

mod display;

use matching_heuristics::Stop;

use crate::error::{NumberProblem, Place};
use crate::lobby::player::{Playing, Side};
use crate::read_error::ReadError;

/// What limits who may be in one match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// Who avoids whom: [`Round::with_avoided`](super::Round::with_avoided).
    Avoid,
    /// [`Rules::ping_limit`](super::Rules::ping_limit).
    Ping,
    /// Somebody must be able to be the server, and not everybody can connect with everybody:
    /// [`ServerRule::Required`](super::ServerRule::Required).
    Server,
}

/// What is wrong with a setting of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleProblem {
    /// Must be a positive finite number.
    NotPositive,
    /// Must be a finite number of 0 or more.
    Negative,
    /// Must lie between 0 and 1.
    NotAScore,
    /// The scores must start at 1 and never rise.
    NotDecreasing,
    /// The first number must be below the second.
    NotAscending,
    /// One weight at least must be positive.
    AllZero,
    /// The sum must be finite.
    TooLarge,
    /// Shares of a number so small are lost in rounding.
    TooSmall,
    /// There must be one score for each possible difference of two teams.
    TooShort,
    /// These parties do not make up a team.
    NotATeam,
    /// Must be a finite number below the cap.
    NotBelowCap,
    /// The range from there to the cap must be finite.
    TooFarBelow,
}

/// Why there is no round, no score, or no way to put the parties into matches.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    Read(ReadError),
    /// The input is not JSON of a round.
    Json {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser expected.
        message: String,
    },
    /// The header line of a CSV file is missing.
    Empty,
    /// A column that every round needs is missing.
    MissingColumn {
        /// Line of the header, from 1.
        line: u64,
        /// Its name.
        column: &'static str,
    },
    /// A player lacks a field.
    MissingField {
        /// Where.
        place: Place,
        /// Name of the field.
        field: &'static str,
    },
    /// A field holds something else than it should.
    BadField {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Name of the field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// There is nobody in the round.
    NoPlayers,
    /// A player has no id.
    EmptyId {
        /// Where.
        place: Place,
    },
    /// Two players have the same id.
    DuplicateId {
        /// The id.
        id: String,
        /// Where it is used again.
        place: Place,
        /// Where it was used first.
        first: Place,
    },
    /// A number makes no sense.
    BadNumber {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// Name of the field.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What is wrong with it.
        problem: NumberProblem,
    },
    /// A region is not in the table that gives pings.
    UnknownRegion {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// What stands there; `None` if nothing.
        found: Option<String>,
    },
    /// A matrix does not have one row and one column for each player.
    WrongShape {
        /// Name of the matrix.
        matrix: &'static str,
        /// The row, from 0; `None` if the number of rows is wrong.
        row: Option<usize>,
        /// Entries needed.
        expected: usize,
        /// Entries found.
        found: usize,
    },
    /// A ping is negative, infinite or not a number.
    BadPing {
        /// Whose.
        first: String,
        /// With whom.
        second: String,
        /// The ping.
        found: f32,
    },
    /// A matrix says one thing of two players and another of the two in the other order.
    Asymmetric {
        /// Name of the matrix.
        matrix: &'static str,
        /// Whose row.
        first: String,
        /// Whose column.
        second: String,
        /// What stands there.
        found: String,
        /// What stands there in the other order.
        other: String,
    },
    /// A player avoids somebody who is not in the round.
    UnknownAvoid {
        /// Where.
        place: Place,
        /// Who avoids.
        id: String,
        /// Who is avoided.
        avoided: String,
    },
    /// A player avoids or dislikes the player's own id.
    AvoidsSelf {
        /// Where.
        place: Place,
        /// Who.
        id: String,
        /// `avoid` or `dislike`.
        field: &'static str,
    },
    /// A player has a match without a team, or a team without a match.
    HalfPlaying {
        /// Where.
        place: Place,
        /// Whose.
        id: String,
        /// The field that is missing.
        missing: &'static str,
    },
    /// Somebody plays already in a match without an id.
    NoMatchId {
        /// Where.
        place: Place,
        /// Who.
        id: String,
    },
    /// Somebody plays already and has waited.
    PlaysAndWaits {
        /// Where.
        place: Place,
        /// Who.
        id: String,
        /// The match.
        match_id: String,
        /// Rounds waited.
        waited: u32,
    },
    /// Members of a party are in different teams, or some play already and others wait.
    PartyTorn {
        /// Where the second of the two stands.
        place: Place,
        /// Label of the party.
        party: String,
        /// Ids of its first member, and of the first one who is elsewhere.
        players: [String; 2],
        /// Where the two play; `None` for one who waits.
        playing: Box<[Option<Playing>; 2]>,
    },
    /// A team of a running match has more players than the rules say.
    TeamTooLarge {
        /// Id of the match.
        match_id: String,
        /// The team.
        team: Side,
        /// Players who are in it.
        players: usize,
        /// Players a team has.
        team_size: usize,
        /// Where the first one stands who is too many.
        place: Place,
        /// Whose id that is.
        id: String,
    },
    /// A list of party members names somebody who is not in the round.
    UnknownMember {
        /// Position of the list, from 0.
        party: usize,
        /// The name.
        id: String,
    },
    /// Somebody is listed twice among the parties.
    InTwoParties {
        /// Who.
        id: String,
        /// Positions of the lists, from 0.
        parties: (usize, usize),
    },
    /// A party of nobody arrives.
    NobodyArrives,
    /// A round is to be held, and nobody waits.
    NobodyWaits,
    /// Somebody arrives who waits already.
    WaitsAlready {
        /// Who.
        id: String,
    },
    /// Somebody arrives who plays.
    PlaysAlready {
        /// Who.
        id: String,
        /// The match.
        match_id: String,
    },
    /// Somebody is to leave who does not wait.
    NotWaiting {
        /// Who.
        id: String,
    },
    /// Somebody arrives of whom the round that says what lies between players knows nothing.
    NotInRound {
        /// Who.
        id: String,
    },
    /// A time is before one that was there already, or is no finite number.
    ClockBack {
        /// What the clock shows.
        now: f64,
        /// The time.
        time: f64,
    },
    /// Rounds cannot be held at multiples of so many seconds.
    BadInterval {
        /// The seconds.
        found: f64,
    },
    /// Rounds cannot be held once so many players wait.
    BadCrowd {
        /// The players.
        found: usize,
        /// As many as a match has.
        least: usize,
        /// As many as a round has.
        most: usize,
    },
    /// A number of a simulation makes no sense.
    BadSimulation {
        /// Its name.
        setting: &'static str,
        /// What it is.
        found: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A party does not fit into a team.
    PartyTooLarge {
        /// Label of the party.
        party: String,
        /// Ids of its members.
        members: Vec<String>,
        /// Players a team has.
        team_size: usize,
    },
    /// Two members of a party must not be in the same match, as one avoids the other.
    PartyAvoids {
        /// Label of the party.
        party: String,
        /// Ids of the two.
        players: [String; 2],
    },
    /// Two members of a party must not be in the same match, as their ping is above the limit of the rules, and so not all
    /// can play who have to.
    PartyTooFar {
        /// Label of the party.
        party: String,
        /// Ids of the two.
        players: [String; 2],
        /// Their ping.
        ping_ms: f32,
        /// The limit.
        limit_ms: f64,
        /// Those who can be in a match are enough for so many at most; 0 where everybody has to be in one.
        possible: usize,
    },
    /// Within the limits (who avoids whom, and the ping limit) some parties can be in no match, and the others do not fill as
    /// many matches as there have to be.
    OutOfReach {
        /// Labels of these parties.
        parties: Vec<String>,
        /// Number of matches asked for.
        matches: usize,
        /// The others are enough for so many matches at most.
        possible: usize,
        /// Those of these two limits that there are.
        limits: Vec<Limit>,
    },
    /// No matches were found that keep all limits.
    NoneWithinLimits {
        /// Number of matches asked for, with running ones that are to be filled.
        matches: usize,
        /// The limits that there are.
        limits: Vec<Limit>,
        /// Ids of the players of a match that breaks one of them, in the best matches found; none where it is only open whether
        /// a running match can be filled, and so how many new ones there must be.
        closest: Vec<String>,
        /// The one that it breaks; the first of several.
        broken: Option<Limit>,
        /// Whether there are none: all choices of who plays, and all ways to put them into so many matches, were tried.
        is_proven: bool,
        /// What ended the last search that has found none and did not come to its own end; [`Stop::Exhausted`] where there are
        /// none.
        stop: Stop,
        /// Moves looked at by all searches together.
        work: u64,
    },
    /// There are fewer players than one match needs, or than fill whole matches where that is asked.
    TooFewPlayers {
        /// Number of players.
        players: usize,
        /// Number of players needed.
        needed: usize,
    },
    /// There are more players than tables of all pairs are made for.
    TooManyPlayers {
        /// Number of players.
        players: usize,
        /// The most.
        limit: usize,
    },
    /// No team has this size.
    BadTeamSize {
        /// The size.
        found: usize,
        /// The greatest one.
        limit: usize,
    },
    /// A setting of the rules makes no sense.
    BadRule {
        /// Name of the setting.
        rule: &'static str,
        /// What is wrong with it.
        problem: RuleProblem,
    },
    /// The parties cannot be put into so many matches without dividing one.
    CannotPack {
        /// Labels of parties that find no place when as many matches are made as possible.
        parties: Vec<String>,
        /// Number of matches asked for.
        matches: usize,
        /// Number of matches possible.
        possible: usize,
        /// Players a team has.
        team_size: usize,
    },
    /// Whether the parties can be put into so many matches was not found out within the search's limit.
    PackingUndecided {
        /// Number of matches asked for.
        matches: usize,
    },
    /// The search found no matches.
    Search(matching_heuristics::Error),
    /// There is no instance of this name.
    UnknownInstance {
        /// The name.
        name: String,
    },
    /// Too many groupings to try them all.
    TooManyGroupings {
        /// Number of things to group.
        len: usize,
        /// The most groupings that are tried.
        limit: u64,
    },
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(source) => Some(source),
            Self::Search(source) => Some(source),
            _ => None,
        }
    }
}

impl From<ReadError> for Error {
    fn from(source: ReadError) -> Self {
        Self::Read(source)
    }
}
