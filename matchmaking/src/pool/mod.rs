//! The players who wait for a game.

mod games;
mod limits;
mod names;
mod pins;
pub(crate) mod read;
mod synthetic;
mod unwritable;
mod write;

use std::collections::HashMap;

use crate::error::{Error, NumberProblem, Place};
use crate::player::{Activity, Player};
use crate::written::number_text;

pub use games::{GamesProblem, GamesWanted};
pub use limits::{PoolLimits, Separation};
pub use pins::PinProblem;
pub use unwritable::{FieldProblem, Unwritable};

/// Ratings, deviations and waits must not exceed this in absolute value, so that differences stay exact on every grid.
const RATING_LIMIT: f64 = 1e9;

/// A checked set of waiting players: unique ids, finite ratings, deviations and waits of 0 or more, hours since no more
/// games than have outcomes, no fewer games in a longer time than in a shorter one, known ids to avoid. Two pools are equal if their players, unknown columns and missing ones are, whatever
/// lines these stand in.
#[derive(Clone, Debug)]
pub struct Pool {
    players: Vec<Player>,
    /// Who may not meet whom, both ways, ascending.
    avoided: Vec<Vec<u32>>,
    /// Who has met whom of late, both ways, ascending.
    opponents: Vec<Vec<u32>>,
    unknown_columns: Vec<String>,
    /// What engagement asks for and the file did not have; boxed, as most pools have it all.
    missing: Option<Box<Missing>>,
    /// The line of each player, from 1, where they were read; else none at all.
    lines: Vec<u64>,
}

/// Columns that are not there.
#[derive(Clone, Debug)]
struct Missing {
    /// Line of the header.
    line: u64,
    /// One or more.
    columns: Vec<&'static str>,
}

impl PartialEq for Missing {
    fn eq(&self, other: &Self) -> bool {
        self.columns == other.columns
    }
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        (&self.players, &self.avoided, &self.unknown_columns, &self.missing)
            == (&other.players, &other.avoided, &other.unknown_columns, &other.missing)
    }
}

impl Pool {
    /// A pool of these players.
    ///
    /// # Errors
    /// What is wrong with a player, by position: [`Error::EmptyId`], [`Error::DuplicateId`], [`Error::BadNumber`],
    /// [`Error::TooManyHours`], [`Error::MoreThanLonger`], [`Error::BadPin`], [`Error::UnknownAvoid`], [`Error::AvoidsSelf`].
    pub fn new(players: Vec<Player>) -> Result<Self, Error> {
        Self::checked(players, Vec::new(), Vec::new())
    }

    /// A pool of players of another one who avoid nobody.
    #[cfg(feature = "eomm")]
    pub(crate) fn of_checked(players: Vec<Player>) -> Self {
        let nobody = vec![Vec::new(); players.len()];
        Self {
            players,
            avoided: nobody.clone(),
            opponents: nobody,
            unknown_columns: Vec::new(),
            missing: None,
            lines: Vec::new(),
        }
    }

    /// The players, in input order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Number of players.
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Position of the player with this id.
    pub fn position(&self, id: &str) -> Option<usize> {
        self.players.iter().position(|player| player.id == id)
    }

    /// Where a player stands: in which line of the file the pool was read from, or at which position of a pool made in
    /// code.
    ///
    /// # Panics
    /// If there is no such player.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::{Place, Player, Pool};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let read = Pool::read_csv("id,rating,deviation,outcomes\n\nAnn,1500,60,\n".as_bytes())?;
    /// assert_eq!(read.place(0), Place::Line(3));
    /// let made = Pool::new(vec![Player::new("Ann", 1500.0, 60.0)])?;
    /// assert_eq!(made.place(0), Place::Position(0));
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn place(&self, player: usize) -> Place {
        let len = self.len();
        assert!(player < len, "player {player} where the pool has {len}");
        Place::among(&self.lines, player)
    }

    /// The parties of two and more, by positions, in the order of their first members.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::Pool;
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let csv = "id,rating,deviation,outcomes,party\nAnn,1500,60,,red\nBen,1480,45,,\nCho,1720,80,,red\nDee,1390,90,,blue\n";
    /// assert_eq!(Pool::read_csv(csv.as_bytes())?.parties(), [[0, 2]]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn parties(&self) -> Vec<Vec<usize>> {
        let mut positions: HashMap<&str, usize> = HashMap::new();
        let mut parties: Vec<Vec<usize>> = Vec::new();
        for (i, player) in self.players.iter().enumerate() {
            // Many services write a text that is not set as an empty one.
            let Some(party) = player.party.as_deref().filter(|party| !party.is_empty()) else {
                continue;
            };
            let at = *positions.entry(party).or_insert(parties.len());
            match parties.get_mut(at) {
                Some(members) => members.push(i),
                None => parties.push(vec![i]),
            }
        }
        parties.retain(|members| members.len() > 1);
        parties
    }

    /// Whether neither of the two players avoids the other.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn may_meet(&self, i: usize, j: usize) -> bool {
        assert!(j < self.len(), "player {j} where the pool has {}", self.len());
        self.avoided[i].is_empty() || self.avoided[i].binary_search(&(j as u32)).is_err()
    }

    /// Whether some player avoids another.
    pub fn has_avoided(&self) -> bool {
        self.avoided.iter().any(|list| !list.is_empty())
    }

    /// The pairs of players who may not meet: lower position, higher position, in order.
    pub fn avoided_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        pairs_of(&self.avoided)
    }

    /// Whether one of the two players names the other among its recent opponents.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn is_rematch(&self, i: usize, j: usize) -> bool {
        assert!(j < self.len(), "player {j} where the pool has {}", self.len());
        self.opponents[i].binary_search(&(j as u32)).is_ok()
    }

    /// The pairs of players who have met of late, by [`Player::opponents`]: lower position, higher position, in order.
    pub fn rematches(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        pairs_of(&self.opponents)
    }

    /// What a pair costs more, where recent opponents cost so much more.
    pub(crate) fn rematch_cost(&self, i: usize, j: usize, cost: i64) -> i64 {
        if cost != 0 && self.is_rematch(i, j) { cost } else { 0 }
    }

    /// The same, added to the costs of player `i` with the players from `start` on.
    pub(crate) fn add_rematches(&self, i: usize, start: usize, cost: i64, out: &mut [i64]) {
        if cost != 0 {
            let others = self.opponents[i]
                .iter()
                .filter_map(|&j| (j as usize).checked_sub(start));
            others.for_each(|at| {
                if let Some(slot) = out.get_mut(at) {
                    *slot += cost;
                }
            });
        }
    }

    /// [`matching_core::Cost::allowed_row`] of every cost of this pool.
    pub(crate) fn allowed_row(&self, i: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.len().div_ceil(64), "one bit per player");
        out.fill(u64::MAX);
        if !self.len().is_multiple_of(64) {
            out[self.len() / 64] = (1 << (self.len() % 64)) - 1;
        }
        for &j in &self.avoided[i] {
            out[j as usize / 64] &= !(1 << (j % 64));
        }
    }

    /// Columns of the input that no pool has, in input order: they were not used.
    pub fn unknown_columns(&self) -> &[String] {
        &self.unknown_columns
    }

    /// Whether it was [read](Pool::read_ratings_csv) from a file without column `deviation` or `outcomes`: then nothing is known of
    /// how sure ratings are, or of who may stop playing.
    pub fn has_only_ratings(&self) -> bool {
        self.missing.is_some()
    }

    /// That the pool has what engagement is about.
    ///
    /// # Errors
    /// [`Error::MissingColumn`].
    pub(crate) fn check_engagement(&self) -> Result<(), Error> {
        match &self.missing {
            Some(missing) => Err(Error::MissingColumn {
                line: missing.line,
                column: missing.columns[0],
            }),
            None => Ok(()),
        }
    }

    /// Checks what needs more than one field; `lines` are those of the players, or none.
    fn checked(mut players: Vec<Player>, unknown_columns: Vec<String>, lines: Vec<u64>) -> Result<Self, Error> {
        // Orders by rating part -0 from 0, and who is rated the same must tie.
        players.iter_mut().for_each(|player| player.rating += 0.0);
        let place = |player: usize| Place::among(&lines, player);
        let mut positions: HashMap<&str, usize> = HashMap::with_capacity(players.len());
        for (i, player) in players.iter().enumerate() {
            check_player(player, place(i))?;
            if let Some(first) = positions.insert(&player.id, i) {
                return Err(Error::DuplicateId {
                    id: player.id.clone(),
                    place: place(i),
                    first: place(first),
                });
            }
        }
        let mut avoided = vec![Vec::new(); players.len()];
        for (i, player) in players.iter().enumerate() {
            for other in &player.avoid {
                let Some(&j) = positions.get(other.as_str()) else {
                    let (id, avoided) = (player.id.clone(), other.clone());
                    return Err(Error::UnknownAvoid {
                        place: place(i),
                        id,
                        avoided,
                    });
                };
                if i == j {
                    return Err(Error::AvoidsSelf {
                        place: place(i),
                        id: player.id.clone(),
                    });
                }
                avoided[i].push(j as u32);
                avoided[j].push(i as u32);
            }
        }
        let mut opponents = vec![Vec::new(); players.len()];
        for (i, player) in players.iter().enumerate() {
            let others = player.opponents.iter().filter_map(|id| positions.get(id.as_str()));
            for &j in others.filter(|&&j| j != i) {
                opponents[i].push(j as u32);
                opponents[j].push(i as u32);
            }
        }
        for list in avoided.iter_mut().chain(&mut opponents) {
            list.sort_unstable();
            list.dedup();
        }
        Ok(Self {
            players,
            avoided,
            opponents,
            unknown_columns,
            missing: None,
            lines,
        })
    }
}

/// That a sum with what a pair costs otherwise, which is below 2^51, is exact in 64 bits, and those of pools in 128.
pub(crate) fn checked_rematch_cost(cost: i64) -> Result<i64, Error> {
    let is_exact = cost.unsigned_abs() < 1 << 60;
    is_exact.then_some(cost).ok_or(Error::RematchCost { found: cost })
}

/// The pairs that lists for each player name both ways: lower position, higher position, in order.
fn pairs_of(lists: &[Vec<u32>]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let later = |i: usize| lists[i].iter().map(|&j| j as usize).filter(move |&j| j > i);
    (0..lists.len()).flat_map(move |i| later(i).map(move |j| (i, j)))
}

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Any,
    NotNegative,
}

/// What is wrong with a rating, a deviation or a wait.
fn problem_of(value: f64, sign: Sign) -> Option<NumberProblem> {
    let limit = RATING_LIMIT;
    if value.is_nan() {
        Some(NumberProblem::NotANumber)
    } else if value.is_infinite() {
        Some(NumberProblem::Infinite)
    } else if value < 0.0 && sign == Sign::NotNegative {
        Some(NumberProblem::Negative)
    } else if value.abs() > limit && sign == Sign::Any {
        Some(NumberProblem::OutOfRange { limit })
    } else {
        (value > limit).then_some(NumberProblem::TooLarge { limit })
    }
}

fn check_player(player: &Player, place: Place) -> Result<(), Error> {
    if player.id.is_empty() {
        return Err(Error::EmptyId { place });
    }
    let numbers = [
        ("rating", player.rating, Sign::Any),
        ("deviation", player.deviation, Sign::NotNegative),
        ("wait", player.wait.unwrap_or(0.0), Sign::NotNegative),
    ];
    for (column, value, sign) in numbers {
        if let Some(problem) = problem_of(value, sign) {
            return Err(bad_number(player, place, column, value, problem));
        }
    }
    for (position, &hours) in player.hours.iter().enumerate() {
        let problem = if hours.is_nan() {
            NumberProblem::NotANumber
        } else if hours.is_infinite() {
            NumberProblem::Infinite
        } else if hours < 0.0 {
            NumberProblem::Negative
        } else if position > 0 && hours > player.hours[position - 1] {
            NumberProblem::OutOfOrder
        } else {
            continue;
        };
        return Err(bad_number(player, place, "hours", hours, problem));
    }
    let (hours, outcomes) = (player.hours.len(), player.outcomes.len());
    if hours > outcomes {
        let id = player.id.clone();
        return Err(Error::TooManyHours {
            place,
            id,
            hours,
            outcomes,
        });
    }
    check_activity(player, place)?;
    pins::check(player, place)
}

/// That no longer time has fewer games.
fn check_activity(player: &Player, place: Place) -> Result<(), Error> {
    let Activity {
        games_8h,
        games_1d,
        games_1w,
        games_1m,
    } = player.activity;
    let named = [
        ("games_8h", games_8h),
        ("games_1d", games_1d),
        ("games_1w", games_1w),
        ("games_1m", games_1m),
    ];
    let mut shorter: Option<(&'static str, u32)> = None;
    for (column, games) in named {
        let Some(games) = games else { continue };
        if let Some(shorter) = shorter.filter(|&(_, more)| more > games) {
            return Err(Error::MoreThanLonger {
                place,
                id: player.id.clone(),
                shorter,
                longer: (column, games),
            });
        }
        shorter = Some((column, games));
    }
    Ok(())
}

fn bad_number(player: &Player, place: Place, column: &'static str, value: f64, problem: NumberProblem) -> Error {
    Error::BadNumber {
        place,
        id: player.id.clone(),
        column,
        found: number_text(value),
        problem,
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use crate::error::{Error, NumberProblem, Place};
    use crate::player::Player;

    #[test]
    fn avoiding_binds_both_ways() -> Result<(), Error> {
        let mut ann = Player::new("Ann", 1500.0, 50.0);
        ann.avoid = vec!["Cho".into(), "Cho".into()];
        let others = ["Ben", "Cho"].map(|id| Player::new(id, 1500.0, 50.0));
        let pool = Pool::new([vec![ann], others.to_vec()].concat())?;
        assert!(!pool.may_meet(0, 2) && !pool.may_meet(2, 0));
        assert!(pool.may_meet(0, 1) && pool.may_meet(1, 2));
        assert!(pool.has_avoided());
        assert_eq!(pool.avoided_pairs().collect::<Vec<_>>(), [(0, 2)]);
        Ok(())
    }

    /// By whoever names whom; names that are nobody else's are passed over.
    #[test]
    fn opponents_have_met_both_ways() -> Result<(), Error> {
        let mut players = ["Ann", "Ben", "Cho"].map(|id| Player::new(id, 1500.0, 50.0));
        players[2].opponents = ["Ann", "Dan", "Cho", "Ann"].map(str::to_owned).to_vec();
        let pool = Pool::new(players.to_vec())?;
        let met = |i, j| pool.is_rematch(i, j);
        assert!(met(0, 2) && met(2, 0));
        assert!(!met(0, 1) && !met(1, 0) && !met(1, 2) && !met(2, 2));
        assert_eq!(pool.rematches().collect::<Vec<_>>(), [(0, 2)]);
        assert!(pool.may_meet(0, 2) && !pool.has_avoided());
        Ok(())
    }

    /// Whoever is not there could be met.
    #[test]
    #[should_panic(expected = "player 10000 where the pool has 3")]
    fn nobody_meets_who_is_not_there() {
        Pool::synthetic(3, 1).may_meet(0, 10_000);
    }

    #[test]
    fn allowed_rows_are_what_pairs_are() -> Result<(), Error> {
        for n in [1, 63, 64, 65, 130] {
            let mut players = Pool::synthetic(n, 1).players().to_vec();
            for i in (0..n).step_by(3).filter(|&i| i != n / 2) {
                players[i].avoid = vec![players[n / 2].id.clone()];
            }
            let pool = Pool::new(players)?;
            let mut row = vec![0; n.div_ceil(64)];
            for i in 0..n {
                pool.allowed_row(i, &mut row);
                let is_set = |j: usize| row[j / 64] >> (j % 64) & 1 == 1;
                assert!((0..n).all(|j| is_set(j) == pool.may_meet(i, j)));
                assert!((n..64 * row.len()).all(|j| !is_set(j)));
            }
        }
        Ok(())
    }

    #[test]
    fn players_made_in_code_are_checked_too() {
        let bad = Pool::new(vec![Player::new("Ann", f64::NAN, 50.0)]);
        let (place, id, found) = (Place::Position(0), "Ann".to_owned(), "NaN".to_owned());
        let problem = NumberProblem::NotANumber;
        assert_eq!(
            bad,
            Err(Error::BadNumber {
                place,
                id,
                column: "rating",
                found,
                problem
            })
        );
        let twice = Pool::new(vec![Player::new("Ann", 1.0, 1.0), Player::new("Ann", 2.0, 1.0)]);
        assert!(matches!(
            twice,
            Err(Error::DuplicateId {
                place: Place::Position(1),
                ..
            })
        ));
    }
}
