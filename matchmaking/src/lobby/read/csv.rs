//! Rounds from CSV.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord};

use super::pings_by_region;
use crate::error::{NumberProblem, Place};
use crate::lobby::error::Error;
use crate::lobby::matrix::SymmetricMatrix;
use crate::lobby::player::Player;
use crate::lobby::round::{MAX_PLAYERS, Round, check_players};

/// The columns of a round.
const COLUMNS: [&str; 5] = ["id", "skill", "party", "region", "waited"];

impl Round {
    /// Reads a round: a header line with `id,skill,region` in any order and optionally `party,waited`, then one player
    /// a line. Pings come from the regions ([`Region::round_trip_ms`](crate::lobby::Region::round_trip_ms)), and
    /// everybody can connect with everybody.
    ///
    /// Players with the same `party` play together; an empty one is none. Other columns are not used;
    /// [`Round::unknown_fields`] names them. Space around fields is ignored.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(mut input: impl Read) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        input.read_to_end(&mut bytes).map_err(|error| Error::Read {
            kind: error.kind(),
            message: error.to_string(),
        })?;
        let text = Text(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes));
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(text.0);
        let mut records = reader.records();
        let header = records
            .next()
            .ok_or(Error::Empty)?
            .map_err(|error| text.broken(&error))?;
        let columns = Columns::new(&header)?;
        let (mut players, mut lines) = (Vec::new(), Vec::new());
        for record in records {
            let record = match record {
                // Lines of spaces alone are no records.
                Err(error) if text.is_blank(&error) => continue,
                record => record.map_err(|error| text.broken(&error))?,
            };
            if players.len() == MAX_PLAYERS {
                let (players, limit) = (MAX_PLAYERS + 1, MAX_PLAYERS);
                return Err(Error::TooManyPlayers { players, limit });
            }
            let line = text.line(record.position());
            players.push(columns.player(&record, Place::Line(line))?);
            lines.push(line);
        }
        let place = |i: usize| Place::Line(lines[i]);
        check_players(&players, &place)?;
        let ping_ms = pings_by_region(&players, &place)?;
        let can_connect = SymmetricMatrix::from_fn(players.len(), |_, _| true);
        Ok(Self::checked(players, ping_ms, can_connect)?.with_unknown_fields(columns.unknown))
    }
}

/// The bytes of a file.
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    /// The line of a record. The reader's position is where the record before ended; blank lines may follow there.
    fn line(&self, position: Option<&csv::Position>) -> u64 {
        let line = position.map_or(1, csv::Position::line);
        let blank = self.rest(position).iter().take_while(|&byte| is_end(byte));
        line + blank.filter(|&&byte| byte == b'\n').count() as u64
    }

    /// What follows a position.
    fn rest(&self, position: Option<&csv::Position>) -> &[u8] {
        let at = usize::try_from(position.map_or(0, csv::Position::byte)).ok();
        at.and_then(|at| self.0.get(at..)).unwrap_or_default()
    }

    /// Whether an error is about a line of spaces alone, which reads as one field.
    fn is_blank(&self, error: &csv::Error) -> bool {
        let record = self.rest(error.position()).iter().skip_while(|&byte| is_end(byte));
        matches!(error.kind(), csv::ErrorKind::UnequalLengths { len: 1, .. })
            && record.take_while(|&byte| !is_end(byte)).all(u8::is_ascii_whitespace)
    }

    fn broken(&self, error: &csv::Error) -> Error {
        let message = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} fields where the header has {expected_len}")
            }
            csv::ErrorKind::Utf8 { .. } => "not UTF-8; save the file as UTF-8".to_owned(),
            _ => error.to_string(),
        };
        let line = self.line(error.position());
        Error::BadLine { line, message }
    }
}

fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Where each of [`COLUMNS`] stands.
struct Columns {
    positions: [Option<usize>; COLUMNS.len()],
    unknown: Vec<String>,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, Error> {
        let names: Vec<&str> = header.iter().collect();
        if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            let column = names[twice].to_owned();
            return Err(Error::DuplicateColumn { column });
        }
        let positions = COLUMNS.map(|column| names.iter().position(|&name| name == column));
        for column in ["id", "skill", "region"] {
            if !names.contains(&column) {
                return Err(Error::MissingColumn { column });
            }
        }
        let unknown = names
            .iter()
            .filter(|name| !COLUMNS.contains(name))
            .map(|&name| name.to_owned());
        Ok(Self {
            positions,
            unknown: unknown.collect(),
        })
    }

    fn player(&self, record: &StringRecord, place: Place) -> Result<Player, Error> {
        let [id, skill, party, region, waited] = self.positions.map(|position| {
            let field = position.and_then(|position| record.get(position));
            field.filter(|field| !field.is_empty())
        });
        let mut player = Player::new(id.unwrap_or_default(), 0.0);
        let bad = |field, found: &str, problem| Error::BadNumber {
            place,
            id: id.unwrap_or_default().to_owned(),
            field,
            found: found.to_owned(),
            problem,
        };
        let skill = skill.unwrap_or_default();
        player.skill = skill
            .parse()
            .map_err(|_| bad("skill", skill, NumberProblem::NotANumber))?;
        if let Some(waited) = waited {
            player.waited = waited
                .parse()
                .map_err(|_| bad("waited", waited, NumberProblem::NotACount))?;
        }
        [player.party, player.region] = [party, region].map(|text| text.map(str::to_owned));
        Ok(player)
    }
}
