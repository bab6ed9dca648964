//! How many games players should have, each against another opponent.

use std::fmt;
use std::str::FromStr;

use matching_core::{CostValue, Degrees};

use super::Pool;
use crate::error::Error;
use crate::quoted::quoted;

/// How many games a player should have, each against another opponent: so many, or between two numbers.
///
/// It is written as in a column `games_wanted` and on the command line: `3`, or `2..4`.
///
/// # Examples
/// ```
/// use matchmaking::{GamesProblem, GamesWanted};
///
/// let some: GamesWanted = "2..4".parse()?;
/// assert_eq!((some.least(), some.most()), (2, 4));
/// assert_eq!(GamesWanted::exactly(3).to_string(), "3");
/// assert!(matches!("4..2".parse::<GamesWanted>(), Err(GamesProblem::Reversed { least: 4, most: 2 })));
/// # Ok::<(), GamesProblem>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GamesWanted {
    least: u32,
    most: u32,
}

impl GamesWanted {
    /// So many games, no more and no fewer.
    pub fn exactly(games: u32) -> Self {
        Self {
            least: games,
            most: games,
        }
    }

    /// At least and at most so many games.
    ///
    /// # Errors
    /// [`GamesProblem::Reversed`] where the first number is greater than the second.
    pub fn between(least: u32, most: u32) -> Result<Self, GamesProblem> {
        if least > most {
            return Err(GamesProblem::Reversed { least, most });
        }
        Ok(Self { least, most })
    }

    /// The fewest games.
    pub fn least(self) -> u32 {
        self.least
    }

    /// The most games.
    pub fn most(self) -> u32 {
        self.most
    }

    /// Whether both numbers are the same.
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }
}

impl FromStr for GamesWanted {
    type Err = GamesProblem;

    fn from_str(text: &str) -> Result<Self, GamesProblem> {
        let bad = || GamesProblem::NotANumber { found: text.to_owned() };
        let number = |text: &str| {
            let digits = Some(text.trim()).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            digits.and_then(|digits| digits.parse().ok()).ok_or_else(bad)
        };
        match text.split_once("..") {
            Some((least, most)) => Self::between(number(least)?, number(most)?),
            None => number(text).map(Self::exactly),
        }
    }
}

impl fmt::Display for GamesWanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_exact() {
            true => write!(f, "{}", self.most),
            false => write!(f, "{}..{}", self.least, self.most),
        }
    }
}

/// Why players cannot have as many games as they should.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GamesProblem {
    /// What stands there is neither a number nor two numbers.
    NotANumber {
        /// What stands there.
        found: String,
    },
    /// The fewest games are more than the most.
    Reversed {
        /// The fewest.
        least: u32,
        /// The most.
        most: u32,
    },
    /// There are not as many others to play against.
    TooMany {
        /// The fewest games.
        least: u32,
        /// How many others there are.
        others: usize,
    },
}

impl fmt::Display for GamesProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber { found } => write!(
                f,
                "{} is not a number of games; write a whole number from 0 to {}, or two like 2..4",
                quoted(found),
                u32::MAX
            ),
            Self::Reversed { least, most } => write!(
                f,
                "{least}..{most} begins with the greater number; write {most}..{least}"
            ),
            Self::TooMany { others: 0, .. } => write!(f, "there is nobody else to play against"),
            Self::TooMany { least, others: 1 } => write!(
                f,
                "{least} games take as many different opponents, and there is 1 other; write 1 at most"
            ),
            Self::TooMany { least, others } => write!(
                f,
                "{least} games take as many different opponents, and there are {others} others; write {others} at most"
            ),
        }
    }
}

impl std::error::Error for GamesProblem {}

impl Pool {
    /// How many different opponents each player should have: what column `games_wanted` says
    /// ([`Player::games_wanted`](crate::Player::games_wanted)), else as many as everybody. For
    /// [`Blossom::solve_degrees`](matching_core::Blossom::solve_degrees).
    ///
    /// # Errors
    /// [`Error::BadGames`] for the first player who should have more games than there are others, and
    /// [`Error::TooManyGames`] where everybody should. More may be allowed, and are missing then.
    ///
    /// # Examples
    /// ```
    /// use matching_core::Blossom;
    /// use matchmaking::{GamesWanted, Pool, SkillCost};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // Two games each, but Cho and Dee leave after one.
    /// let csv = "id,rating,deviation,outcomes,games_wanted\nAnn,1500,60,,\nBen,1480,45,,\nCho,1720,80,,1\nDee,1390,90,,1\n";
    /// let pool = Pool::read_csv(csv.as_bytes())?;
    /// let degrees = pool.degrees(GamesWanted::exactly(2))?;
    /// assert_eq!((degrees.least(), degrees.most()), (&[2, 2, 1, 1][..], &[2, 2, 1, 1][..]));
    ///
    /// let games = Blossom::new().solve_degrees(&SkillCost::new(&pool), &degrees)?;
    /// assert_eq!(games.partners(3).collect::<Vec<_>>(), [1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn degrees<V: CostValue>(&self, everybody: GamesWanted) -> Result<Degrees<V>, Error> {
        let others = self.len().saturating_sub(1);
        let too_many = |wanted: GamesWanted| {
            let least = wanted.least;
            (least as usize > others).then_some(GamesProblem::TooMany { least, others })
        };
        let (mut least, mut most) = (Vec::with_capacity(self.len()), Vec::with_capacity(self.len()));
        for (player, own) in self.players().iter().map(|player| player.games_wanted).enumerate() {
            let wanted = own.unwrap_or(everybody);
            if let Some(problem) = too_many(wanted) {
                return Err(match own {
                    Some(_) => Error::BadGames {
                        place: self.place(player),
                        id: self.players()[player].id.clone(),
                        problem,
                    },
                    None => Error::TooManyGames { problem },
                });
            }
            least.push(wanted.least);
            most.push(wanted.most);
        }
        Ok(Degrees::between(least, most))
    }
}

#[cfg(test)]
mod tests {
    use super::{GamesProblem, GamesWanted, Pool};
    use crate::error::{Error, Place};
    use crate::player::Player;

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for text in ["0", "3", "2..4", "0..4294967295"] {
            assert_eq!(
                text.parse().map(|wanted: GamesWanted| wanted.to_string()).as_deref(),
                Ok(text)
            );
        }
        assert_eq!(" 2 .. 2 ".parse(), Ok(GamesWanted::exactly(2)));
        for text in [
            "",
            "x",
            "-1",
            "+3",
            "1.5",
            "..",
            "2..",
            "..3",
            "2...4",
            "2..x",
            "4294967296",
            "NaN",
            "1..2..3",
            "1e1",
        ] {
            let found = text.to_owned();
            assert_eq!(text.parse::<GamesWanted>(), Err(GamesProblem::NotANumber { found }));
        }
        assert_eq!(
            "4..2".parse::<GamesWanted>().map_err(|problem| problem.to_string()),
            Err("4..2 begins with the greater number; write 2..4".to_owned())
        );
    }

    #[test]
    fn more_games_than_others_are_refused_by_player() {
        let mut players = ["Ann", "Ben", "Cho"].map(|id| Player::new(id, 1500.0, 50.0));
        players[1].games_wanted = Some("2..9".parse().expect("two numbers"));
        let pool = Pool::new(players.to_vec()).expect("a pool");
        let degrees = pool.degrees::<i64>(GamesWanted::exactly(1)).expect("enough others");
        assert_eq!((degrees.least(), degrees.most()), (&[1, 2, 1][..], &[1, 9, 1][..]));
        let problem = |least| GamesProblem::TooMany { least, others: 2 };
        assert_eq!(
            pool.degrees::<i64>(GamesWanted::exactly(4)).err(),
            Some(Error::TooManyGames { problem: problem(4) })
        );
        players[1].games_wanted = Some(GamesWanted::exactly(3));
        let pool = Pool::new(players.to_vec()).expect("a pool");
        let error = pool.degrees::<i64>(GamesWanted::exactly(1)).expect_err("too many");
        let (place, id) = (Place::Position(1), "Ben".to_owned());
        assert_eq!(
            error,
            Error::BadGames {
                place,
                id,
                problem: problem(3)
            }
        );
        assert_eq!(
            error.to_string(),
            "player at position 1, column games_wanted, player \"Ben\": 3 games take as many different opponents, and there \
             are 2 others; write 2 at most"
        );
        let nobody = Pool::new(Vec::new()).expect("nobody is wrong");
        assert!(nobody.degrees::<i64>(GamesWanted::exactly(3)).is_ok());
    }
}
