//! Rounds from CSV.

use std::collections::HashMap;
use std::io::Read;

use csv::ByteRecord;

use super::{Named, pings_by_region, region_of};
use crate::error::{NumberProblem, Place};
use crate::header::Header;
use crate::lobby::error::Error;
use crate::lobby::matrix::SymmetricMatrix;
use crate::lobby::player::{Player, Playing, Side};
use crate::lobby::round::{MAX_PLAYERS, Round, problem_of};
use crate::quoted::quoted;
use crate::records::{Records, line_of};

/// The columns of a round.
const COLUMNS: [&str; 9] = [
    "id", "skill", "party", "region", "waited", "avoid", "dislike", "match", "team",
];

/// What separates the ids in columns `avoid` and `dislike`, as in pools.
const SEPARATORS: [char; 2] = [';', '|'];

/// Those that every round needs.
const REQUIRED: [&str; 3] = ["id", "skill", "region"];

impl Round {
    /// Reads a round: a header line with `id,skill,region` in any order and optionally `party,waited,avoid,dislike,match,team`, then one
    /// player a line. Pings come from the regions ([`Region::round_trip_ms`](crate::lobby::Region::round_trip_ms)), and
    /// everybody can connect with everybody.
    ///
    /// Players with the same `party` play together; an empty one is none. `avoid` holds ids, separated by `;` or `|`, of
    /// players who are never in the same match as this one ([`Round::may_meet`]), and `dislike` of players who are not wanted as
    /// mates ([`Round::with_disliked`]), whether they are there or not. `match` and `team` (`red` or
    /// `blue`, or 0 and 1) say where somebody plays already ([`Player::playing`]); both are empty for those who wait. Other columns
    /// are not used; [`Round::unknown_fields`] names them. Space around fields is ignored.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(input: impl Read) -> Result<Self, Error> {
        let (mut records, mut record) = (Records::new(input), ByteRecord::new());
        if !records.next(&mut record)? {
            return Err(Error::Empty);
        }
        let columns = Columns::new(Header::new(&record)?)?;
        let (mut players, mut regions) = (Vec::new(), Vec::new());
        let (mut named, mut lines) = (Vec::new(), Vec::new());
        let mut seen: HashMap<String, u64> = HashMap::new();
        while records.next(&mut record)? {
            if players.len() == MAX_PLAYERS {
                let (players, limit) = (MAX_PLAYERS + 1, MAX_PLAYERS);
                return Err(Error::TooManyPlayers { players, limit });
            }
            let ((player, names), line) = (columns.player(&record)?, line_of(&record));
            if let Some(first) = seen.insert(player.id.clone(), line) {
                let (id, place, first) = (player.id, Place::Line(line), Place::Line(first));
                return Err(Error::DuplicateId { id, place, first });
            }
            regions.push(region_of(&player, Place::Line(line))?);
            players.push(player);
            named.push(names);
            lines.push(line);
        }
        if players.is_empty() {
            return Err(Error::NoPlayers);
        }
        let ping_ms = pings_by_region(&regions);
        let can_connect = SymmetricMatrix::from_fn(players.len(), |_, _| true);
        let round = Self::checked(players, ping_ms, can_connect, lines)?.with_unknown_fields(columns.unknown());
        round.with_named(named)
    }
}

/// The header: what stands where.
struct Columns {
    header: Header,
    /// Where each of [`COLUMNS`] stands.
    positions: [Option<usize>; COLUMNS.len()],
}

impl Columns {
    fn new(header: Header) -> Result<Self, Error> {
        let mut positions = [None; COLUMNS.len()];
        for (slot, column) in positions.iter_mut().zip(COLUMNS) {
            *slot = if REQUIRED.contains(&column) {
                let line = header.line();
                let needed = header.needed(column)?;
                Some(needed.ok_or(Error::MissingColumn { line, column })?)
            } else {
                header.position(column)?
            };
        }
        Ok(Self { header, positions })
    }

    /// Columns that no round has.
    fn unknown(&self) -> Vec<String> {
        self.header.unknown(|name| COLUMNS.contains(&name))
    }

    /// A player, and the ids that the player names.
    fn player(&self, record: &ByteRecord) -> Result<(Player, Named), Error> {
        let line = line_of(record);
        self.header.check(record)?;
        // The other columns must be text as well: half a character is a damaged file.
        let fields = (0..record.len()).map(|position| self.header.text(record, position));
        let fields: Vec<&str> = fields.collect::<Result<_, _>>()?;
        let [id, skill, party, region, waited, avoid, dislike, match_id, team] = self.positions.map(|position| {
            position
                .map(|position| fields[position])
                .filter(|field| !field.is_empty())
        });
        let Some(id) = id else {
            return Err(Error::EmptyId {
                place: Place::Line(line),
            });
        };
        let mut player = Player::new(id, 0.0);
        let bad = |field, found: &str, problem| Error::BadNumber {
            place: Place::Line(line),
            id: id.to_owned(),
            field,
            found: found.to_owned(),
            problem,
        };
        let skill = skill.unwrap_or_default();
        player.skill = skill.parse().unwrap_or(f64::NAN);
        // Said of what stands there: `1e400` and not `inf`.
        if let Some(problem) = problem_of(player.skill) {
            return Err(bad("skill", skill, problem));
        }
        if let Some(waited) = waited {
            player.waited = waited
                .parse()
                .map_err(|_| bad("waited", waited, NumberProblem::NotACount))?;
        }
        player.playing = playing(match_id, team, Place::Line(line), id)?;
        [player.party, player.region] = [party, region].map(|text| text.map(str::to_owned));
        let [avoid, dislike] = [avoid, dislike].map(ids);
        Ok((player, Named { avoid, dislike }))
    }
}

/// The ids of a list.
fn ids(list: Option<&str>) -> Vec<String> {
    let ids = list.unwrap_or_default().split(SEPARATORS).map(str::trim);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// Where somebody plays already, by two fields that are both there or both empty.
fn playing(match_id: Option<&str>, team: Option<&str>, place: Place, id: &str) -> Result<Option<Playing>, Error> {
    let half = |missing| Error::HalfPlaying {
        place,
        id: id.to_owned(),
        missing,
    };
    let (match_id, team) = match (match_id, team) {
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(half("team")),
        (None, Some(_)) => return Err(half("match")),
        (Some(match_id), Some(team)) => (match_id.to_owned(), team),
    };
    let team = match team {
        "red" | "0" => Side::Red,
        "blue" | "1" => Side::Blue,
        other => {
            return Err(Error::BadField {
                place,
                id: id.to_owned(),
                field: "team",
                found: quoted(other),
                expected: "red or blue",
            });
        }
    };
    Ok(Some(Playing { match_id, team }))
}
