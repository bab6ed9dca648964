//! Pools from CSV, with the place of everything that is wrong.

use std::collections::HashMap;
use std::io::Read;

use csv::ByteRecord;

use super::{GamesWanted, Missing, PinProblem, Pool, Sign, check_player, problem_of};
use crate::error::{Error, NumberProblem, Place};
use crate::header::Header;
use crate::player::{Outcome, Player};
use crate::records::{Records, line_of};

/// What separates the ids in columns `avoid` and `opponents`, the roles in column `roles` and the numbers in column `hours`.
pub(super) const SEPARATORS: [char; 2] = [';', '|'];

/// Columns a pool must have.
const REQUIRED: [&str; 2] = ["id", "rating"];

/// Columns that it must have as well, but where ratings are enough.
const OF_ENGAGEMENT: [&str; 2] = ["deviation", "outcomes"];

/// The deviation of players of whom nothing is known: the greatest that Glicko gives.
const UNKNOWN_DEVIATION: f64 = 350.0;

/// Columns a pool may have.
const OPTIONAL: [&str; 13] = [
    "hours",
    "games_8h",
    "games_1d",
    "games_1w",
    "games_1m",
    "wait",
    "party",
    "region",
    "avoid",
    "opponents",
    "roles",
    "pin",
    "games_wanted",
];

impl Pool {
    /// Reads a pool: a header line with `id,rating,deviation,outcomes` in any order, and optionally
    /// `hours,games_8h,games_1d,games_1w,games_1m,wait,party,region,avoid,opponents,roles,pin,games_wanted`; then one player
    /// a line.
    ///
    /// `outcomes` are letters W, D, L, newest last, and may be empty, as may all optional fields. `hours` are those
    /// since each of the latest games, newest last and no more than there are outcomes, and `wait` is in seconds.
    /// `avoid` and `opponents` hold ids and `roles` names of roles; all lists are separated by `;` or `|`. `pin` is the
    /// number of a group, from 1, and `games_wanted` is like `3` or `2..4`. Other columns are not used;
    /// [`Pool::unknown_columns`] names them. A byte order mark, lines that end with LF, CRLF or CR, and quoted
    /// fields are understood; space around fields is ignored. Ids are kept as written otherwise.
    ///
    /// Where no more than ratings are known, [`Pool::read_ratings_csv`] reads them.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(input: impl Read) -> Result<Self, Error> {
        Self::read_csv_up_to(usize::MAX, input)
    }

    /// As [`Pool::read_csv`], and stops reading when there are more than `limit` players.
    ///
    /// # Errors
    /// As [`Pool::read_csv`], and [`Error::TooManyPlayers`].
    pub fn read_csv_up_to(limit: usize, input: impl Read) -> Result<Self, Error> {
        Self::read(limit, input, |columns| {
            let line = columns.header.line();
            for column in columns.missing() {
                columns
                    .header
                    .needed(column)?
                    .ok_or(Error::MissingColumn { line, column })?;
            }
            Ok(())
        })
    }

    /// As [`Pool::read_csv`], of files in which columns `deviation` and `outcomes` may be missing, for costs that ask for
    /// neither: those of groups, and [`SkillCost`](crate::SkillCost). Where one is missing, players have a deviation of 350,
    /// as whom Glicko knows nothing of, and no outcomes; and [`EngagementCost`](crate::EngagementCost) refuses the pool.
    ///
    /// # Errors
    /// As [`Pool::read_csv`].
    ///
    /// # Examples
    /// ```
    /// use matchmaking::{EngagementCost, Error, Horizon, OutcomeModel, Pool, SkillCost, SyntheticChurn};
    /// use matching_core::Cost;
    ///
    /// # fn main() -> Result<(), Error> {
    /// let pool = Pool::read_ratings_csv("id,rating\nAnn,1500\nBen,1480\n".as_bytes())?;
    /// assert!(pool.has_only_ratings());
    /// assert_eq!(SkillCost::new(&pool).pair(0, 1), 20_000_000);
    /// let churn = SyntheticChurn::new(Horizon::EightHours, 0);
    /// let refused = EngagementCost::new(&pool, &OutcomeModel::default(), &churn);
    /// assert!(matches!(refused, Err(Error::MissingColumn { line: 1, column: "deviation" })));
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_ratings_csv(input: impl Read) -> Result<Self, Error> {
        Self::read_ratings_csv_up_to(usize::MAX, input)
    }

    /// As [`Pool::read_ratings_csv`], and stops reading when there are more than `limit` players.
    ///
    /// # Errors
    /// As [`Pool::read_csv_up_to`].
    pub fn read_ratings_csv_up_to(limit: usize, input: impl Read) -> Result<Self, Error> {
        Self::read(limit, input, |_| Ok(()))
    }

    /// Reads a pool whose columns are checked once the header is read.
    fn read(limit: usize, input: impl Read, check: impl Fn(&Columns) -> Result<(), Error>) -> Result<Self, Error> {
        let (mut records, mut record) = (Records::new(input), ByteRecord::new());
        if !records.next(&mut record)? {
            return Err(Error::Empty);
        }
        let columns = Columns::new(Header::new(&record)?)?;
        check(&columns)?;
        let mut players = Vec::new();
        let mut lines = Vec::new();
        let mut seen: HashMap<String, u64> = HashMap::new();
        while records.next(&mut record)? {
            let line = line_of(&record);
            if players.len() == limit {
                return Err(Error::TooManyPlayers {
                    place: Place::Line(line),
                    limit,
                });
            }
            let player = columns.player(&record)?;
            if let Some(first) = seen.insert(player.id.clone(), line) {
                let (place, first) = (Place::Line(line), Place::Line(first));
                return Err(Error::DuplicateId {
                    id: player.id,
                    place,
                    first,
                });
            }
            players.push(player);
            lines.push(line);
        }
        if players.is_empty() {
            let line = columns.header.line();
            return Err(Error::NoPlayers { line });
        }
        let mut pool = Self::checked(players, columns.unknown(), lines)?;
        let (line, missing) = (columns.header.line(), columns.missing());
        pool.missing = (!missing.is_empty()).then(|| Box::new(Missing { line, columns: missing }));
        Ok(pool)
    }
}

/// Which column holds what.
struct Columns {
    header: Header,
    /// Position of each name of [`REQUIRED`].
    required: [usize; REQUIRED.len()],
    /// Position of each name of [`OF_ENGAGEMENT`], where the input has it.
    of_engagement: [Option<usize>; OF_ENGAGEMENT.len()],
    /// Position of each name of [`OPTIONAL`], where the input has it.
    optional: [Option<usize>; OPTIONAL.len()],
}

impl Columns {
    fn new(header: Header) -> Result<Self, Error> {
        let line = header.line();
        let (mut required, mut optional) = ([0; REQUIRED.len()], [None; OPTIONAL.len()]);
        let mut of_engagement = [None; OF_ENGAGEMENT.len()];
        for (slot, column) in required.iter_mut().zip(REQUIRED) {
            *slot = header.needed(column)?.ok_or(Error::MissingColumn { line, column })?;
        }
        for (slot, column) in of_engagement.iter_mut().zip(OF_ENGAGEMENT) {
            *slot = header.position(column)?;
        }
        for (slot, column) in optional.iter_mut().zip(OPTIONAL) {
            *slot = header.position(column)?;
        }
        Ok(Self {
            header,
            required,
            of_engagement,
            optional,
        })
    }

    /// Those of [`OF_ENGAGEMENT`] that the input does not have.
    fn missing(&self) -> Vec<&'static str> {
        let columns = self.of_engagement.iter().zip(OF_ENGAGEMENT);
        columns
            .filter(|(slot, _)| slot.is_none())
            .map(|(_, column)| column)
            .collect()
    }

    /// Columns that no pool has.
    fn unknown(&self) -> Vec<String> {
        let known = [&REQUIRED[..], &OF_ENGAGEMENT, &OPTIONAL].concat();
        let is_known = |name: &str| known.contains(&name);
        self.header.unknown(is_known)
    }

    fn player(&self, record: &ByteRecord) -> Result<Player, Error> {
        self.header.check(record)?;
        let row = Row {
            columns: self,
            record,
            line: line_of(record),
        };
        let ([id, rating], [deviation, outcomes]) = (self.required, self.of_engagement);
        let id = row.text(id)?;
        let mut player = Player::new(id, 0.0, 0.0);
        if id.is_empty() {
            return Err(Error::EmptyId { place: row.place() });
        }
        player.rating = row.number(id, "rating", rating, Sign::Any)?;
        player.deviation = match deviation {
            Some(position) => row.number(id, "deviation", position, Sign::NotNegative)?,
            None => UNKNOWN_DEVIATION,
        };
        let [
            hours,
            games_8h,
            games_1d,
            games_1w,
            games_1m,
            wait,
            party,
            region,
            avoid,
            opponents,
            roles,
            pin,
            games_wanted,
        ] = self.optional;
        player.wait = row.optional_number(id, "wait", wait, Sign::NotNegative)?;
        player.hours = row.numbers(id, "hours", hours)?;
        player.outcomes = match outcomes {
            Some(position) => row.outcomes(id, position)?,
            None => {
                // Of which games these are the hours is not known.
                player.hours.clear();
                Vec::new()
            }
        };
        check_player(&player, row.place())?;
        player.activity.games_8h = row.count(id, "games_8h", games_8h)?;
        player.activity.games_1d = row.count(id, "games_1d", games_1d)?;
        player.activity.games_1w = row.count(id, "games_1w", games_1w)?;
        player.activity.games_1m = row.count(id, "games_1m", games_1m)?;
        player.party = row.optional_text(party)?.map(str::to_owned);
        player.region = row.optional_text(region)?.map(str::to_owned);
        player.avoid = row.list(avoid)?;
        player.opponents = row.list(opponents)?;
        player.roles = row.list(roles)?;
        player.pin = row.pin(id, pin)?;
        player.games_wanted = row.games(id, games_wanted)?;
        // The other columns must be text as well: half a character is a damaged file.
        (0..record.len()).try_for_each(|position| row.text(position).map(|_| ()))?;
        Ok(player)
    }
}

/// One line of the file.
struct Row<'a> {
    columns: &'a Columns,
    record: &'a ByteRecord,
    line: u64,
}

impl<'a> Row<'a> {
    fn place(&self) -> Place {
        Place::Line(self.line)
    }

    fn text(&self, position: usize) -> Result<&'a str, Error> {
        Ok(self.columns.header.text(self.record, position)?)
    }

    /// What stands between separators, without what is empty.
    fn list(&self, position: Option<usize>) -> Result<Vec<String>, Error> {
        let text = self.optional_text(position)?.unwrap_or_default();
        let parts = text.split(SEPARATORS).map(str::trim);
        Ok(parts.filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }

    fn optional_text(&self, position: Option<usize>) -> Result<Option<&'a str>, Error> {
        let text = position.map(|position| self.text(position)).transpose()?;
        Ok(text.filter(|text| !text.is_empty()))
    }

    /// What is wrong with it is said of what stands there: `1e400` and not `inf`.
    fn number(&self, id: &str, column: &'static str, position: usize, sign: Sign) -> Result<f64, Error> {
        let found = self.text(position)?;
        let value = found.parse().unwrap_or(f64::NAN);
        match problem_of(value, sign) {
            Some(problem) => Err(self.bad(id, column, found, problem)),
            None => Ok(value),
        }
    }

    fn optional_number(
        &self,
        id: &str,
        column: &'static str,
        position: Option<usize>,
        sign: Sign,
    ) -> Result<Option<f64>, Error> {
        match position {
            Some(position) if !self.text(position)?.is_empty() => self.number(id, column, position, sign).map(Some),
            _ => Ok(None),
        }
    }

    /// Numbers between separators: which is whose goes by their order, so that none may be left out.
    fn numbers(&self, id: &str, column: &'static str, position: Option<usize>) -> Result<Vec<f64>, Error> {
        let Some(text) = self.optional_text(position)? else {
            return Ok(Vec::new());
        };
        let number = |found: &str| {
            let bad = |_| self.bad(id, column, found, NumberProblem::NotANumber);
            found.parse().map_err(bad)
        };
        text.split(SEPARATORS).map(str::trim).map(number).collect()
    }

    fn count(&self, id: &str, column: &'static str, position: Option<usize>) -> Result<Option<u32>, Error> {
        let Some(found) = self.optional_text(position)? else {
            return Ok(None);
        };
        found
            .parse()
            .map(Some)
            .map_err(|_| self.bad(id, column, found, NumberProblem::NotACount))
    }

    fn pin(&self, id: &str, position: Option<usize>) -> Result<Option<u32>, Error> {
        let Some(found) = self.optional_text(position)? else {
            return Ok(None);
        };
        let group = found.parse().ok().filter(|&group: &u32| group > 0);
        let bad = || Error::BadPin {
            place: self.place(),
            id: id.to_owned(),
            problem: Box::new(PinProblem::NotAGroup {
                found: found.to_owned(),
            }),
        };
        group.map(Some).ok_or_else(bad)
    }

    fn games(&self, id: &str, position: Option<usize>) -> Result<Option<GamesWanted>, Error> {
        let found = self.optional_text(position)?;
        found.map(str::parse).transpose().map_err(|problem| Error::BadGames {
            place: self.place(),
            id: id.to_owned(),
            problem,
        })
    }

    fn outcomes(&self, id: &str, position: usize) -> Result<Vec<Outcome>, Error> {
        let letters = self.text(position)?.chars().enumerate();
        let bad = |position, found| Error::BadOutcome {
            place: self.place(),
            id: id.to_owned(),
            position,
            found,
        };
        letters
            .map(|(i, letter)| Outcome::from_letter(letter).ok_or_else(|| bad(i + 1, letter)))
            .collect()
    }

    fn bad(&self, id: &str, column: &'static str, found: &str, problem: NumberProblem) -> Error {
        Error::BadNumber {
            place: self.place(),
            id: id.to_owned(),
            column,
            found: found.to_owned(),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, NumberProblem, Outcome, Place, Pool};
    use crate::ReadError;

    fn read(text: &str) -> Result<Pool, Error> {
        Pool::read_csv(text.as_bytes())
    }

    /// What is missing is not made up where the pool is written and read again.
    #[test]
    fn pools_of_ratings_come_back_as_they_were() -> Result<(), Box<dyn std::error::Error>> {
        for (text, missing) in [
            ("id,rating,deviation,outcomes\nAnn,1500,60,WL\nBen,1480.5,45,\n", ""),
            ("id,rating,deviation\nAnn,1500,60\nBen,1480.5,45\n", "outcomes"),
            ("id,rating,outcomes,hours\nAnn,1500,WL,3;1\nBen,1480.5,,\n", "deviation"),
            ("id,rating,hours,wait\nAnn,1500,1,7\nBen,1480.5,,\n", "deviation"),
            ("rating,id\n1500,Ann\n1480.5,Ben\n", "deviation"),
        ] {
            let pool = Pool::read_ratings_csv(text.as_bytes())?;
            assert_eq!(pool.has_only_ratings(), !missing.is_empty());
            assert_eq!((pool.players()[1].rating, pool.len()), (1480.5, 2));
            match read(text) {
                Ok(whole) => assert_eq!(whole, pool),
                Err(error) => assert!(matches!(error, Error::MissingColumn { line: 1, column } if column == missing)),
            }
            let mut written = Vec::new();
            pool.write_csv(&mut written)?;
            assert_eq!(Pool::read_ratings_csv(&written[..])?, pool, "{text}");
        }
        Ok(())
    }

    #[test]
    fn every_column_arrives_where_it_belongs() -> Result<(), Error> {
        let text = "\u{feff}outcomes,id,deviation,rating,games_8h,games_1d,games_1w,games_1m,party,region,avoid,mood,wait\r\n\
                    WLD, Ann ,50,1500.5,1,2,3,4,red,eu,Ben;,happy,7.5\r\n,Ben,0,-3,,,,,,,,,\r\n";
        let pool = read(text)?;
        let ann = &pool.players()[0];
        assert_eq!((ann.id.as_str(), ann.rating, ann.deviation), ("Ann", 1500.5, 50.0));
        assert_eq!(ann.outcomes, [Outcome::Win, Outcome::Loss, Outcome::Draw]);
        assert_eq!((ann.activity.games_8h, ann.activity.games_1m), (Some(1), Some(4)));
        assert_eq!((ann.party.as_deref(), ann.region.as_deref()), (Some("red"), Some("eu")));
        assert_eq!(ann.wait, Some(7.5));
        assert!(!pool.may_meet(1, 0));
        let ben = &pool.players()[1];
        assert_eq!(
            (
                ben.outcomes.len(),
                ben.activity.games_1d,
                ben.party.as_deref(),
                ben.wait
            ),
            (0, None, None, None)
        );
        assert_eq!(pool.unknown_columns(), ["mood"]);
        Ok(())
    }

    #[test]
    fn headers_are_checked() {
        assert_eq!(read(""), Err(Error::Empty));
        assert_eq!(read("\u{feff}"), Err(Error::Empty));
        assert_eq!(
            read("id,rating,deviation,outcomes\n"),
            Err(Error::NoPlayers { line: 1 })
        );
        assert_eq!(
            read("id,rating,outcomes\n"),
            Err(Error::MissingColumn {
                line: 1,
                column: "deviation"
            })
        );
        let twice = ReadError::DuplicateColumn {
            line: 1,
            column: "id".into(),
            first: 1,
            second: 3,
        };
        assert_eq!(read("id,rating,id,outcomes\n"), Err(twice.into()));
        for (header, column, found) in [
            ("Id,RATING\n", "id", "Id"),
            ("id,rating,Deviation,outcomes\n", "deviation", "Deviation"),
        ] {
            let (column, found) = (column.to_owned(), found.to_owned());
            let other = ReadError::OtherCase { line: 1, column, found };
            assert_eq!(read(header), Err(other.into()));
        }
    }

    #[test]
    fn every_error_names_its_line_and_player() {
        let read_rows = |rows: &str| read(&format!("id,rating,deviation,outcomes,games_8h,avoid,wait\n{rows}"));
        let cases = [
            (
                "Ann,abc,50,,,,",
                "line 2, column rating, player \"Ann\": \"abc\" is not a number",
            ),
            (
                "Ann,NaN,50,,,,",
                "line 2, column rating, player \"Ann\": \"NaN\" is not a number",
            ),
            ("Ann,inf,50,,,,", "is infinite"),
            (
                "Ann,1e12,50,,,,",
                "is out of range; it must lie between -1000000000 and 1000000000",
            ),
            (
                "Ann,1500,1e12,,,,",
                "is too large; it must lie between 0 and 1000000000",
            ),
            (
                "Ann,1500,-1,,,,",
                "line 2, column deviation, player \"Ann\": \"-1\" is negative",
            ),
            (
                "Ann,1500,50,,,,-1",
                "line 2, column wait, player \"Ann\": \"-1\" is negative",
            ),
            (
                "Ann,1500,50,,,,soon",
                "column wait, player \"Ann\": \"soon\" is not a number",
            ),
            (
                "Ann,1500,50,WLX,,,",
                "line 2, column outcomes, player \"Ann\": 'X' at position 3",
            ),
            (
                "Ann,1500,50,,-2,,",
                "column games_8h, player \"Ann\": \"-2\" is not a count",
            ),
            (
                "Ann,1500,50,,,,\nBen,1500",
                "line 3: 2 fields where the header has 7; the line is cut off",
            ),
            ("Ann,1500,50,,,,,", "8 fields where the header has 7; a comma too many"),
            (
                "Ann,1500,50,,,,\nAnn,1500,50,,,,",
                "line 3, column id: player \"Ann\" is there already (line 2)",
            ),
            (",1500,50,,,,", "line 2, column id: the id is empty"),
            (
                "Ann,1500,50,,,Bob,",
                "line 2, column avoid, player \"Ann\": nobody has the id \"Bob\"",
            ),
            ("Ann,1500,50,,,Ann,", "the player's own id"),
        ];
        for (rows, message) in cases {
            let error = read_rows(rows).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(message), "{rows:?}: {error}");
        }
    }

    #[test]
    fn broken_utf8_names_the_column() {
        let bytes = b"id,rating,deviation,outcomes,note\nAnn,1500,50,W,ok\nBen,1500,50,W,\xff\n";
        let error = Pool::read_csv(&bytes[..]);
        assert_eq!(
            error,
            Err(Error::Read(ReadError::NotUtf8 {
                line: 3,
                column: "note".into()
            }))
        );
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let text = "id,rating,deviation,outcomes\nAnn,1,1,\nBen,1,1,\nCho,nonsense\n";
        let error = Pool::read_csv_up_to(2, text.as_bytes());
        assert_eq!(
            error,
            Err(Error::TooManyPlayers {
                place: Place::Line(4),
                limit: 2
            })
        );
        let bad = NumberProblem::NotACount.to_string();
        assert!(bad.contains("whole number"));
    }
}
