//! Logs from CSV, with the place of everything that is wrong.

use std::io::Read;

use csv::ByteRecord;

use super::error::Error;
use super::log::{Builder, MatchLog};
use super::time;
use crate::header::Header;
use crate::player::Outcome;
use crate::records::{Records, line_of};

/// What the columns of a log hold.
const COLUMNS: [&str; 5] = ["time", "player_a", "player_b", "score_a", "score_b"];

/// Which column of a file holds what.
///
/// # Examples
/// ```
/// use matchmaking::fit::LogColumns;
///
/// let columns = LogColumns::default().renamed("time", "end").and_then(|columns| columns.renamed("player_a", "p1"));
/// assert!(columns.is_some());
/// assert!(LogColumns::default().renamed("tme", "end").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogColumns {
    names: [String; COLUMNS.len()],
}

impl Default for LogColumns {
    /// `time,player_a,player_b,score_a,score_b`.
    fn default() -> Self {
        Self {
            names: COLUMNS.map(str::to_owned),
        }
    }
}

impl LogColumns {
    /// What a column can hold.
    pub const NAMES: [&'static str; COLUMNS.len()] = COLUMNS;

    /// What `column` holds stands under `name` in the file. Nothing where no column holds that; see
    /// [`LogColumns::NAMES`].
    #[must_use]
    pub fn renamed(mut self, column: &str, name: &str) -> Option<Self> {
        let position = COLUMNS.iter().position(|&known| known == column)?;
        self.names[position] = name.to_owned();
        Some(self)
    }
}

impl MatchLog {
    /// Reads a log: a header line, then one game a line with a time, two players and their scores; the higher score
    /// wins, equal ones are a draw.
    ///
    /// Times are ISO 8601, with a `T` or a space in the middle, with a zone or taken as UTC; or seconds. Fields may be
    /// quoted, space around them is ignored, further columns are not used. A row without a time, a player or a score,
    /// and a game of a player against himself, is skipped and counted; a field that holds something else than it should
    /// is an error, since it may mean that the columns are not what they were said to be.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line; see [`Error`].
    pub fn read_csv(input: impl Read, columns: &LogColumns) -> Result<Self, Error> {
        let (mut records, mut record) = (Records::new(input), ByteRecord::new());
        if !records.next(&mut record)? {
            return Err(Error::Empty);
        }
        let columns = Columns::new(Header::new(&record)?, columns)?;
        let mut builder = Builder::default();
        while records.next(&mut record)? {
            columns.row(&record, &mut builder)?;
        }
        Ok(builder.finish())
    }
}

/// Where what stands.
struct Columns {
    header: Header,
    /// Positions of [`COLUMNS`].
    at: [usize; COLUMNS.len()],
}

impl Columns {
    fn new(header: Header, columns: &LogColumns) -> Result<Self, Error> {
        let line = header.line();
        let mut at = [0; COLUMNS.len()];
        for ((slot, name), column) in at.iter_mut().zip(&columns.names).zip(COLUMNS) {
            *slot = header.position(name)?.ok_or_else(|| Error::MissingColumn {
                line,
                column,
                name: name.clone(),
                header: header.names().to_vec(),
            })?;
        }
        for (second, position) in at.iter().enumerate() {
            if let Some(first) = at[..second].iter().position(|earlier| earlier == position) {
                return Err(Error::SharedColumn {
                    line,
                    name: header.names()[*position].clone(),
                    columns: [COLUMNS[first], COLUMNS[second]],
                });
            }
        }
        Ok(Self { header, at })
    }

    /// Takes one line: a game, or something to skip.
    fn row(&self, record: &ByteRecord, builder: &mut Builder) -> Result<(), Error> {
        let line = line_of(record);
        self.header.check(record)?;
        let column = |which: usize| self.header.names()[self.at[which]].clone();
        let mut fields = [""; COLUMNS.len()];
        for (slot, position) in fields.iter_mut().zip(self.at) {
            *slot = self.header.text(record, position)?;
        }
        let [moment, a, b, score_a, score_b] = fields;
        let skipped = &mut builder.skipped;
        if moment.is_empty() {
            skipped.no_time += 1;
            return Ok(());
        }
        let time = time::parse(moment).ok_or_else(|| Error::BadTime {
            line,
            column: column(0),
            found: moment.to_owned(),
        })?;
        let score = |text: &str, which: usize| {
            let number = if text.is_empty() {
                Ok(f64::NAN)
            } else {
                text.parse::<f64>()
            };
            number
                .ok()
                .filter(|score| !score.is_infinite())
                .ok_or_else(|| Error::BadScore {
                    line,
                    column: column(which),
                    found: text.to_owned(),
                })
        };
        let (score_a, score_b) = (score(score_a, 3)?, score(score_b, 4)?);
        if a.is_empty() || b.is_empty() {
            skipped.no_player += 1;
        } else if a == b {
            skipped.same_player += 1;
        } else if score_a.is_nan() || score_b.is_nan() {
            skipped.no_score += 1;
        } else {
            let outcome = if score_a > score_b {
                Outcome::Win
            } else if score_a < score_b {
                Outcome::Loss
            } else {
                Outcome::Draw
            };
            builder.form(line, moment);
            builder.game(line, time, [a, b], outcome);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::OtherForm;
    use super::{Error, LogColumns, MatchLog, Outcome};
    use crate::ReadError;
    use crate::engagement::fit::{LoggedGame, Repeated, Skipped};

    const HEADER: &str = "time,player_a,player_b,score_a,score_b\n";

    fn read(rows: &str) -> Result<MatchLog, Error> {
        MatchLog::read_csv(format!("{HEADER}{rows}").as_bytes(), &LogColumns::default())
    }

    /// A day without hyphens is a number of seconds, and put a game into 1970 without a word.
    #[test]
    fn times_in_two_forms_are_found() -> Result<(), Error> {
        let form = |rows: &str| {
            let log = read(rows)?;
            let form = log.other_form().cloned();
            Ok::<_, Error>(form.map(|OtherForm { line, number }| (line, number)))
        };
        let number = || "20260302".to_owned();
        let [day, compact] = ["2026-03-01,Ann,Ben,1,0\n", "20260302,Ann,Ben,1,0\n"];
        assert_eq!(form(&[day, day, compact, day, compact].concat())?, Some((4, number())));
        assert_eq!(form(&[compact, day].concat())?, Some((3, number())));
        // What is skipped says nothing.
        assert_eq!(form(&[day, "5,Ann,Ann,1,0\n", ",Ann,Ben,1,0\n", day].concat())?, None);
        assert_eq!(form(&[compact, compact].concat())?, None);
        Ok(())
    }

    #[test]
    fn rows_are_games_or_are_counted() -> Result<(), Error> {
        let log = read(
            "\u{20}5 ,Ann,\"Ben, B.\",3,1\n3,Cho,Ann,1,1\n,Ann,Cho,1,2\n6,,Cho,1,2\n7,Ann,Ann,1,2\n8,Ann,Cho,,2\n9,Ann,Cho,1,nan\n\
             5,Cho,Ann,0.5,0.75\n",
        )?;
        let expected = Skipped {
            no_time: 1,
            no_player: 1,
            same_player: 1,
            no_score: 2,
        };
        assert_eq!((log.skipped(), log.skipped().total() + log.len() as u64), (expected, 8));
        assert_eq!(log.players(), ["Ann", "Cho", "Ben, B."]);
        // In the order of time; at equal times, in the order of the file.
        let games: Vec<_> = log.games.iter().map(|g| (g.time, g.players, g.outcome)).collect();
        assert_eq!(
            games,
            [
                (3_000_000, [1, 0], Outcome::Draw),
                (5_000_000, [0, 2], Outcome::Win),
                (5_000_000, [1, 0], Outcome::Loss)
            ]
        );
        assert_eq!((log.moved(), log.span()), (1, 2.0));
        Ok(())
    }

    #[test]
    fn rows_that_stand_twice_are_counted() -> Result<(), Error> {
        let log = read("5,Ann,Ben,1,0\n5,Ann,Cho,1,0\n7,Ann,Ben,1,0\n7,Ben,Ann,0,1\n5,Ben,Ann,1,0\n5,Ann,Ben,1,0\n")?;
        let expected = Repeated {
            rows: 3,
            line: 5,
            of: 4,
        };
        assert_eq!((log.repeated(), log.len(), log.last_gap()), (Some(expected), 6, 2.0));
        assert_eq!(read("5,Ann,Ben,1,0\n5,Ann,Cho,1,0\n6,Ann,Ben,1,0\n")?.repeated(), None);
        assert_eq!((read("")?.last_gap(), read("5,Ann,Ben,1,0\n")?.last_gap()), (0.0, 0.0));
        Ok(())
    }

    #[test]
    fn columns_can_have_other_names() -> Result<(), Error> {
        let pairs = [
            ("time", "end"),
            ("player_a", "p1"),
            ("player_b", "p2"),
            ("score_a", "s1"),
            ("score_b", "s2"),
        ];
        let columns = pairs
            .into_iter()
            .try_fold(LogColumns::default(), |columns, (column, name)| {
                columns.renamed(column, name)
            })
            .expect("names of columns");
        let text = "\u{feff}p1,p2,s1,s2,end,variant\r\nAnn,Ben,4,8,2004-08-06 18:13:50,Slayer\r\n";
        let log = MatchLog::read_csv(text.as_bytes(), &columns)?;
        let same = MatchLog::from_games([LoggedGame {
            time: 1_091_816_030.0,
            player_a: "Ann".into(),
            player_b: "Ben".into(),
            outcome: Outcome::Loss,
        }])?;
        assert_eq!(log, same);
        Ok(())
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cases = [
            ("soon,Ann,Ben,1,2\n", "line 2, column time: \"soon\" is no time"),
            ("1091816030000,Ann,Ben,1,2\n", "not milliseconds"),
            (
                "1,Ann,Ben,1,2\n2,Ann,Ben,one,2\n",
                "line 3, column score_a: \"one\" is no score",
            ),
            ("1,Ann,Ben,1,inf\n", "column score_b: \"inf\" is no score"),
            ("1,Ann,Ben,1\n", "line 2: 4 fields where the header has 5"),
        ];
        for (rows, message) in cases {
            let error = read(rows).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.contains(message)), "{error:?}");
        }
        let bytes = [HEADER.as_bytes(), b"1,Ann,B\xff,1,2\n"].concat();
        let broken = MatchLog::read_csv(&bytes[..], &LogColumns::default());
        assert!(matches!(broken, Err(Error::Read(ReadError::NotUtf8 { line: 2, .. }))));
        let headers = [
            ("", "line 1: the file is empty"),
            (
                "when,player_a,player_b,score_a,score_b\n",
                "line 1: column \"time\" is missing among \"when,player_a,player_b,score_a,score_b\"; name the one that holds time",
            ),
            (
                "time,time,player_a,player_b,score_a,score_b\n",
                "\"time\" appears twice, as columns 1 and 2",
            ),
        ];
        for (header, message) in headers {
            let error =
                MatchLog::read_csv(header.as_bytes(), &LogColumns::default()).map_err(|error| error.to_string());
            // Who calls the library has no options of a program.
            let is_told = |error: &String| error.contains(message) && !error.contains("--");
            assert!(error.as_ref().is_err_and(is_told), "{error:?}");
        }
        let alone = LoggedGame {
            time: 0.0,
            player_a: "Ann".into(),
            player_b: "Ann".into(),
            outcome: Outcome::Win,
        };
        assert_eq!(MatchLog::from_games([alone]), Err(Error::BadGame { position: 0 }));
    }
}
