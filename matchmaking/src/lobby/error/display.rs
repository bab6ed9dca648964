//! Errors in words.

use std::fmt;

use super::{Error, Limit, RuleProblem};
use crate::lobby::player::Playing;
use crate::quoted::quoted;
use crate::said::{said, said_name};
use crate::written::number_text;

impl fmt::Display for RuleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotPositive => "must be a positive finite number",
            Self::Negative => "must be a finite number of 0 or more",
            Self::NotAScore => "must lie between 0 and 1",
            Self::NotDecreasing => "must start with a score of 1 at a difference of 0 and never rise",
            Self::NotAscending => "must be two numbers, the first below the second",
            Self::AllZero => "must not all be 0",
            Self::TooLarge => "must have a finite sum; only ratios matter, so write smaller numbers",
            Self::TooSmall => "must be at least 2.3e-308; shares of less are lost in rounding",
            Self::TooShort => "must have a score for each possible difference of two teams",
            Self::NotATeam => "must name parties that fill a team",
            Self::NotBelowCap => "must be a finite number below the skill cap",
            Self::TooFarBelow => "must be nearer to the skill cap: the range between them is no finite number",
        })
    }
}

fn there_are(players: usize) -> String {
    match players {
        1 => "is 1 player".to_owned(),
        _ => format!("are {players} players"),
    }
}

/// Names one after the other, each short enough for a message.
fn listed(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| said_name(name)).collect();
    names.join(", ")
}

/// So many matches.
fn counted(matches: usize) -> String {
    format!("{matches} {}", if matches == 1 { "match" } else { "matches" })
}

/// What somebody does.
fn whereabouts(playing: Option<&Playing>) -> String {
    match playing {
        None => "waits".to_owned(),
        Some(Playing { match_id, team }) => format!("plays in match {}, team {}", quoted(match_id), team.name()),
    }
}

/// What these limits ask of matches.
fn asked(limits: &[Limit]) -> &'static str {
    let is_server_asked = limits.contains(&Limit::Server);
    match (is_server_asked, limits.len() > usize::from(is_server_asked)) {
        (true, true) => "everybody is within the limits and somebody can be the server",
        (true, false) => "somebody can be the server",
        (false, _) => "everybody is within the limits",
    }
}

/// What would allow more of so many matches than these limits do: of one match there are no fewer.
fn to_relax(limits: &[Limit], matches: usize) -> String {
    let mut advice: Vec<_> = limits
        .iter()
        .map(|limit| match limit {
            Limit::Avoid => "shorten lists of `avoid`",
            Limit::Ping => "raise the ping limit",
            Limit::Server => "allow matches without a server",
        })
        .collect();
    if matches > 1 || advice.is_empty() {
        advice.push("make fewer matches");
    }
    match advice.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{}, or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(source) => write!(f, "{source}"),
            Self::Json { line, column, message } => {
                write!(f, "line {line}, column {column}: {}", said(message))
            }
            Self::Empty => write!(
                f,
                "line 1: the file is empty; it needs a header line `id,skill,party,region,waited`"
            ),
            Self::MissingColumn { line, column } => {
                write!(
                    f,
                    "line {line}: column `{column}` is missing; a round needs id, skill and region"
                )
            }
            Self::MissingField { place, field } => write!(f, "{place}: field `{field}` is missing"),
            Self::BadField {
                place,
                id,
                field,
                found,
                expected,
            } => {
                write!(f, "{place}, field {field}")?;
                // Before the id was read, the place is all there is.
                if !id.is_empty() {
                    write!(f, ", player {}", quoted(id))?;
                }
                write!(f, ": {found} where there should be {expected}")
            }
            Self::NoPlayers => write!(
                f,
                "there are no players in the round; write one a line below the header, or, in JSON, one after the other into \
                 `players`"
            ),
            Self::EmptyId { place } => write!(f, "{place}, field id: the id is empty; every player needs one"),
            Self::DuplicateId { id, place, first } => {
                write!(
                    f,
                    "{place}, field id: player {id} is there already ({first}); ids must be unique",
                    id = quoted(id)
                )
            }
            Self::BadNumber {
                place,
                id,
                field,
                found,
                problem,
            } => {
                write!(
                    f,
                    "{place}, field {field}, player {id}: {found} {problem}",
                    id = quoted(id),
                    found = quoted(found)
                )
            }
            Self::UnknownRegion { place, id, found: None } => {
                write!(
                    f,
                    "{place}, field region, player {id}: pings come from regions, and this one is missing",
                    id = quoted(id)
                )
            }
            Self::UnknownRegion {
                place,
                id,
                found: Some(found),
            } => write!(
                f,
                "{place}, field region, player {id}: {found} is none of EU-W, EU-E, NA-E, NA-W, SA, Asia, OCE",
                id = quoted(id),
                found = quoted(found)
            ),
            Self::WrongShape {
                matrix,
                row: None,
                expected,
                found,
            } => {
                let noun = if *found == 1 { "row" } else { "rows" };
                let players = there_are(*expected);
                write!(f, "field {matrix}: {found} {noun} where there {players}")
            }
            Self::WrongShape {
                matrix,
                row: Some(row),
                expected,
                found,
            } => {
                let noun = if *found == 1 { "entry" } else { "entries" };
                let players = there_are(*expected);
                write!(
                    f,
                    "field {matrix}, row {row} (from 0): {found} {noun} where there {players}"
                )
            }
            Self::BadPing { first, second, found } => write!(
                f,
                "field ping_ms, players {first} and {second}: {found} is no ping; write milliseconds of 0 or more",
                first = quoted(first),
                second = quoted(second),
                found = number_text(*found)
            ),
            Self::Asymmetric {
                matrix,
                first,
                second,
                found,
                other,
            } => write!(
                f,
                "field {matrix}: {found} for {first} with {second} and {other} the other way round; write one value twice",
                first = quoted(first),
                second = quoted(second)
            ),
            Self::UnknownAvoid { place, id, avoided } => write!(
                f,
                "{place}, field avoid, player {id}: nobody has the id {avoided}; write ids of the round, in CSV separated by \
                 `;` or `|`",
                id = quoted(id),
                avoided = quoted(avoided)
            ),
            Self::AvoidsSelf { place, id, field } => write!(
                f,
                "{place}, field {field}, player {id}: the player's own id; name other players",
                id = quoted(id)
            ),
            Self::HalfPlaying { place, id, missing } => {
                let (there, example) = match *missing {
                    "team" => ("match", "red or blue"),
                    _ => ("team", "the match that the player plays already"),
                };
                write!(
                    f,
                    "{place}, field {missing}, player {id}: there is a {there} and no {missing}; write {example}, or leave \
                     both empty for somebody who waits",
                    id = quoted(id)
                )
            }
            Self::NoMatchId { place, id } => write!(
                f,
                "{place}, field playing.match, player {id}: the match that the player plays already has an empty id; write the \
                 one that all its players have",
                id = quoted(id)
            ),
            Self::PlaysAndWaits {
                place,
                id,
                match_id,
                waited,
            } => write!(
                f,
                "{place}, field waited, player {id}: {waited} where the player plays in match {match_id} already; write 0, or \
                 leave match and team empty for somebody who waits",
                id = quoted(id),
                match_id = quoted(match_id)
            ),
            Self::PartyTorn {
                place,
                party,
                players: [first, id],
                playing,
            } => {
                let [others, own] = [0, 1].map(|at| whereabouts(playing[at].as_ref()));
                write!(
                    f,
                    "{place}, field party, player {id}: {own} while {first} of the same party {party} {others}; write the same \
                     match and team for both, or another party",
                    id = quoted(id),
                    first = quoted(first),
                    party = quoted(party)
                )
            }
            Self::TeamTooLarge {
                match_id,
                team,
                players,
                team_size,
                place,
                id,
            } => write!(
                f,
                "{place}, field team, player {id}: team {} of match {match_id} has {players} players, and a team has \
                 {team_size}; take players off it, or make teams larger",
                team.name(),
                id = quoted(id),
                match_id = quoted(match_id)
            ),
            Self::UnknownMember { party, id } => {
                write!(
                    f,
                    "party {party} (from 0): nobody in the round has the id {id}",
                    id = quoted(id)
                )
            }
            Self::InTwoParties {
                id,
                parties: (first, second),
            } => {
                write!(
                    f,
                    "player {id} is listed in party {first} and in party {second} (from 0)",
                    id = quoted(id)
                )
            }
            Self::NobodyArrives => write!(f, "a party of nobody cannot arrive; give one player or more"),
            Self::NobodyWaits => write!(f, "nobody waits, so no round can be held; let somebody arrive before"),
            Self::WaitsAlready { id } => write!(
                f,
                "player {id} waits already; whoever arrives anew leaves first",
                id = quoted(id)
            ),
            Self::PlaysAlready { id, match_id } => write!(
                f,
                "player {id} plays in match {match_id}; leave `playing` empty for somebody who arrives to wait",
                id = quoted(id),
                match_id = quoted(match_id)
            ),
            Self::NotWaiting { id } => write!(
                f,
                "player {id} does not wait: not arrived, left already, or in a match",
                id = quoted(id)
            ),
            Self::NotInRound { id } => write!(
                f,
                "player {id} is not in the round that says what lies between players",
                id = quoted(id)
            ),
            Self::ClockBack { now, time } => write!(
                f,
                "the time {} where the clock shows {}; give finite times in order",
                number_text(*time),
                number_text(*now)
            ),
            Self::BadInterval { found } => write!(
                f,
                "a round every {} seconds; write a positive finite number",
                number_text(*found)
            ),
            Self::BadCrowd { found, least, most } => write!(
                f,
                "a round once {found} players wait; write {least}, as many as a match has, to {most}"
            ),
            Self::BadSimulation {
                setting,
                found,
                expected,
            } => write!(f, "{setting}: {} where there should be {expected}", number_text(*found)),
            Self::PartyTooLarge {
                party,
                members,
                team_size,
            } => write!(
                f,
                "party {party} has {} members ({}), a team has {team_size}; make it smaller or the teams larger",
                members.len(),
                listed(members),
                party = quoted(party)
            ),
            Self::PartyAvoids {
                party,
                players: [one, other],
            } => write!(
                f,
                "party {party}: one of {one} and {other} avoids the other, and they cannot be in one match; divide the \
                 party, or take one off the other's list",
                party = quoted(party),
                one = quoted(one),
                other = quoted(other)
            ),
            Self::PartyTooFar {
                party,
                players: [one, other],
                ping_ms,
                limit_ms,
                possible,
            } => {
                write!(
                    f,
                    "party {party}: {one} and {other} have a ping of {ping_ms} ms, and no two players of a match may have \
                     more than {limit_ms} ms; divide the party, or raise the limit",
                    party = quoted(party),
                    one = quoted(one),
                    other = quoted(other),
                    ping_ms = number_text(*ping_ms),
                    limit_ms = number_text(*limit_ms)
                )?;
                match possible {
                    0 => Ok(()),
                    1 => write!(f, ", or make 1 match without it"),
                    _ => write!(f, ", or make {possible} matches at most without it"),
                }
            }
            Self::OutOfReach {
                parties,
                matches,
                possible,
                limits,
            } => {
                write!(
                    f,
                    "within the limits there are too few players to fill a match with any of: {}; the others are enough for \
                     {possible} of {}; ",
                    listed(parties),
                    counted(*matches)
                )?;
                f.write_str(&to_relax(limits, *matches))
            }
            Self::NoneWithinLimits {
                matches,
                limits,
                closest,
                broken,
                is_proven,
                ..
            } => {
                let asked = asked(limits);
                match (is_proven, matches) {
                    (true, 1) => write!(f, "there is no match in which {asked}")?,
                    (true, _) => write!(f, "there are no {matches} matches in which {asked}")?,
                    (false, 1) => write!(f, "no match was found in which {asked}; there may be one")?,
                    (false, _) => write!(f, "no {matches} matches were found in which {asked}; there may be some")?,
                }
                let why = match broken {
                    Some(Limit::Avoid) => ", one of whom avoids another",
                    Some(Limit::Ping) => ", two of whom have a ping above their limit",
                    Some(Limit::Server) => ", none of whom can be the server",
                    None => "",
                };
                if !closest.is_empty() {
                    write!(f, " (the closest put together: {}{why})", listed(closest))?;
                }
                f.write_str("; ")?;
                f.write_str(&to_relax(limits, *matches))
            }
            Self::TooFewPlayers { players, needed } => {
                let noun = if *players == 1 { "player" } else { "players" };
                write!(f, "{players} {noun} where {needed} are needed")
            }
            Self::TooManyPlayers { players, limit } => {
                write!(
                    f,
                    "{players} players where tables of all pairs are made for {limit} at most; split the round"
                )
            }
            Self::BadTeamSize { found, limit } => write!(f, "teams of {found}; a team has 1 to {limit} players"),
            Self::BadRule { rule, problem } => write!(f, "rule {rule} {problem}"),
            Self::CannotPack {
                parties,
                matches,
                possible,
                team_size,
            } => write!(
                f,
                "the parties do not fill {} of two teams of {team_size} without dividing one; {possible} \
                 can be made, and there is no place for: {}",
                counted(*matches),
                listed(parties)
            ),
            Self::PackingUndecided { matches } => {
                write!(
                    f,
                    "could not find out whether the parties fill {}; ask for fewer",
                    counted(*matches)
                )
            }
            Self::Search(error) => write!(f, "the search for matches: {error}"),
            Self::UnknownInstance { name } => {
                write!(
                    f,
                    "{name} is no instance; names are nauts-N-sS, N of 60, 102, 150, 300, 600, 1200 and S of 1 to 10",
                    name = quoted(name)
                )
            }
            Self::TooManyGroupings { len, limit } => {
                write!(
                    f,
                    "{len} players can be grouped in more than {limit} ways, too many to try all"
                )
            }
        }
    }
}
