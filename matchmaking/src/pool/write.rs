//! Pools as CSV.

use std::io::{self, Write};

use super::Pool;
use super::read::SEPARATORS;
use super::unwritable::{FieldProblem, Unwritable};
use crate::player::Player;
use crate::records::LONGEST;

/// What a player has in a column.
type Field = fn(&Player) -> String;

/// Columns that every pool has, but for those that were missing where it was read.
const REQUIRED: usize = 4;

/// All columns in the order in which they are written.
const COLUMNS: [(&str, Field); 17] = [
    ("id", |player| player.id.clone()),
    ("rating", |player| player.rating.to_string()),
    ("deviation", |player| player.deviation.to_string()),
    ("outcomes", Player::history),
    ("hours", |player| {
        let hours: Vec<String> = player.hours.iter().map(f64::to_string).collect();
        hours.join(";")
    }),
    ("games_8h", |player| count(player.activity.games_8h)),
    ("games_1d", |player| count(player.activity.games_1d)),
    ("games_1w", |player| count(player.activity.games_1w)),
    ("games_1m", |player| count(player.activity.games_1m)),
    ("wait", |player| {
        player.wait.map(|wait| wait.to_string()).unwrap_or_default()
    }),
    ("party", |player| player.party.clone().unwrap_or_default()),
    ("region", |player| player.region.clone().unwrap_or_default()),
    ("avoid", |player| player.avoid.join(";")),
    ("opponents", |player| player.opponents.join(";")),
    ("roles", |player| player.roles.join("|")),
    ("pin", |player| count(player.pin)),
    ("games_wanted", |player| {
        let wanted = player.games_wanted.map(|wanted| wanted.to_string());
        wanted.unwrap_or_default()
    }),
];

impl Pool {
    /// Writes the pool as CSV from which [`Pool::read_csv`] makes the same players, or [`Pool::read_ratings_csv`] where it
    /// [has only ratings](Pool::has_only_ratings): then without the columns that were missing. Columns beyond the first four
    /// are written where some player has something to put there. [`Pool::unknown_columns`] are not: nothing was kept of them.
    ///
    /// # Errors
    /// Whatever the output fails with. For what CSV would not give back as it is, [`io::ErrorKind::InvalidInput`] with an
    /// [`Unwritable`] inside, before anything is written.
    pub fn write_csv(&self, mut output: impl Write) -> io::Result<()> {
        self.check_writable()?;
        let is_used = |&(position, (name, field)): &(usize, (&str, Field))| {
            let has_any = || self.players().iter().any(|player| !field(player).is_empty());
            let is_missing = self
                .missing
                .as_ref()
                .is_some_and(|missing| missing.columns.contains(&name));
            !is_missing && (position < REQUIRED || has_any())
        };
        let columns: Vec<(&str, Field)> = COLUMNS
            .into_iter()
            .enumerate()
            .filter(is_used)
            .map(|(_, column)| column)
            .collect();
        let fields = |player: &Player| record(columns.iter().map(|(_, field)| field(player)));
        let mut text = record(columns.iter().map(|&(name, _)| name))?;
        for player in self.players() {
            let line = fields(player)?;
            if line.len() > LONGEST {
                let (id, limit) = (player.id.clone(), LONGEST);
                return Err(Unwritable::LongRecord { id, limit }.into());
            }
            text.extend(line);
        }
        output.write_all(&text)?;
        output.flush()
    }

    /// That every field is read as it is written.
    fn check_writable(&self) -> Result<(), Unwritable> {
        if self.is_empty() {
            return Err(Unwritable::NoPlayers);
        }
        for player in self.players() {
            let party = player.party.iter().map(|party| ("party", party, &[][..]));
            let region = player.region.iter().map(|region| ("region", region, &[][..]));
            let avoid = player.avoid.iter().map(|id| ("avoid", id, &SEPARATORS[..]));
            let opponents = player.opponents.iter().map(|id| ("opponents", id, &SEPARATORS[..]));
            let roles = player.roles.iter().map(|role| ("roles", role, &SEPARATORS[..]));
            let id = [("id", &player.id, &[][..])].into_iter();
            let lists = avoid.chain(opponents).chain(roles);
            for (column, found, separators) in id.chain(party).chain(region).chain(lists) {
                if let Some(problem) = problem_of(found, separators) {
                    return Err(Unwritable::Field {
                        id: player.id.clone(),
                        column,
                        found: found.clone(),
                        problem,
                    });
                }
            }
        }
        Ok(())
    }
}

/// Why a text would be read as something else.
fn problem_of(text: &str, separators: &[char]) -> Option<FieldProblem> {
    if text.is_empty() {
        Some(FieldProblem::Empty)
    } else if text.trim() != text {
        Some(FieldProblem::OuterSpace)
    } else {
        text.contains(separators).then_some(FieldProblem::Separator)
    }
}

/// One record as CSV has it.
fn record<T: AsRef<[u8]>>(fields: impl Iterator<Item = T>) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields)?;
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn count(number: Option<u32>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;

    use super::{FieldProblem, Pool, Unwritable};
    use crate::GamesWanted;
    use crate::player::{Activity, Outcome, Player};

    fn written(pool: &Pool) -> Result<Vec<u8>, Unwritable> {
        let mut bytes = Vec::new();
        match pool.write_csv(&mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => {
                assert!(bytes.is_empty(), "nothing is written of what cannot be read");
                let inside = error.into_inner().map(|inside| inside.downcast());
                let unwritable = inside
                    .expect("a vector takes everything")
                    .expect("nothing else is wrong");
                Err(*unwritable)
            }
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let text = "id,rating,deviation,outcomes,hours,games_1d,wait,avoid,opponents,roles,pin,games_wanted\n\"A, nn\",1500.25,50,WLD,30;2.5;0.1,3,7.5,Ben,Cho;Ben,tank|healer,12,2..4\nBen,1400,60,,,,,,,,,3\n";
        let pool = Pool::read_csv(text.as_bytes()).expect("a good pool");
        let mut written = Vec::new();
        pool.write_csv(&mut written).expect("a vector takes everything");
        assert_eq!(String::from_utf8(written).as_deref(), Ok(text));
    }

    /// It was written all the same, and read as something else.
    #[test]
    fn what_would_be_read_otherwise_is_refused_by_player_and_column() {
        let refusal = |change: fn(&mut [Player; 2])| {
            let mut players = [Player::new("Ann", 1500.0, 50.0), Player::new("Ben", 1400.0, 60.0)];
            change(&mut players);
            match written(&Pool::new(players.to_vec()).expect("good players")) {
                Err(Unwritable::Field {
                    id, column, problem, ..
                }) => Some((id, column, problem)),
                _ => None,
            }
        };
        let of = |id: &str, column, problem| Some((id.to_owned(), column, problem));
        let semicolon = refusal(|[ann, ben]| {
            ben.id = "B;n".into();
            ann.avoid = vec!["B;n".into()];
        });
        assert_eq!(semicolon, of("Ann", "avoid", FieldProblem::Separator));
        let bar = refusal(|[ann, _]| ann.opponents = vec!["C|o".into()]);
        assert_eq!(bar, of("Ann", "opponents", FieldProblem::Separator));
        assert_eq!(refusal(|[_, ben]| ben.id = "B;n|".into()), None);
        let id = refusal(|[_, ben]| ben.id = " Ben".into());
        assert_eq!(id, of(" Ben", "id", FieldProblem::OuterSpace));
        let party = refusal(|[ann, _]| ann.party = Some(String::new()));
        assert_eq!(party, of("Ann", "party", FieldProblem::Empty));
        let region = refusal(|[ann, _]| ann.region = Some("eu ".into()));
        assert_eq!(region, of("Ann", "region", FieldProblem::OuterSpace));
        let role = refusal(|[_, ben]| ben.roles = vec!["tank".into(), "a|b".into()]);
        assert_eq!(role, of("Ben", "roles", FieldProblem::Separator));

        let none = Pool::new(Vec::new()).expect("no player is wrong");
        assert_eq!(written(&none), Err(Unwritable::NoPlayers));
        let mut long = Player::new("Ann", 1500.0, 50.0);
        long.region = Some("x".repeat(super::LONGEST));
        let long = written(&Pool::new(vec![long]).expect("a good player"));
        assert!(matches!(long, Err(Unwritable::LongRecord { .. })));
    }

    /// Short texts with all that CSV and lists set store by.
    fn text() -> impl Strategy<Value = String> {
        "[ab \"',;|\r\n\u{feff}\u{a0}é]{0,3}"
    }

    fn player() -> impl Strategy<Value = Player> {
        let number = || prop_oneof![Just(0.0), -1e9..1e9, (0_u32..9).prop_map(|k| f64::from(k) / 4.0)];
        let outcomes = vec((0_usize..3).prop_map(|k| Outcome::ALL[k]), 0..4);
        let activity = (vec(any::<u32>(), 4), vec(any::<bool>(), 4)).prop_map(|(mut games, known)| {
            // A longer time has all games of a shorter one.
            games.sort_unstable();
            let known = |at: usize| known[at].then_some(games[at]);
            (known(0), known(1), known(2), known(3))
        });
        let names = (
            text(),
            option::of(text()),
            option::of(text()),
            vec(text(), 0..3),
            option::of(1..=u32::MAX),
            option::of((any::<u32>(), any::<u32>())),
        );
        let times = (vec(0.0..1e300, 4), 0_usize..4, option::of(0.0..1e9));
        (names, (number(), number()), outcomes, activity, times).prop_map(
            |(
                (id, party, region, roles, pin, wanted),
                (rating, deviation),
                outcomes,
                games,
                (mut hours, known, wait),
            )| {
                let mut player = Player::new(id, rating, f64::abs(deviation));
                hours.sort_by(|one, other| f64::total_cmp(other, one));
                hours.truncate(known.min(outcomes.len()));
                (player.outcomes, player.hours, player.wait) = (outcomes, hours, wait);
                (player.party, player.region, player.roles, player.pin) = (party, region, roles, pin);
                let wanted = wanted.map(|(one, other)| GamesWanted::between(one.min(other), one.max(other)));
                player.games_wanted = wanted.map(|wanted| wanted.expect("in order"));
                player.activity = Activity {
                    games_8h: games.0,
                    games_1d: games.1,
                    games_1w: games.2,
                    games_1m: games.3,
                };
                player
            },
        )
    }

    /// Players with ids of their own, some of whom avoid others or have met them.
    fn pool() -> impl Strategy<Value = Pool> {
        let pairs = || vec((0_usize..5, 0_usize..5), 0..4);
        let all = (vec(player(), 0..5), pairs(), pairs());
        all.prop_filter_map("players that no pool takes", |(mut players, avoid, met)| {
            for (i, j) in met {
                if i < players.len() && j < players.len() {
                    let id = players[j].id.clone();
                    players[i].opponents.push(id);
                }
            }
            for (i, j) in avoid {
                if i < players.len() && j < players.len() && i != j {
                    let id = players[j].id.clone();
                    players[i].avoid.push(id);
                }
            }
            Pool::new(players).ok()
        })
    }

    proptest! {
        #[test]
        fn pools_come_back_or_are_refused(pool in pool()) {
            match written(&pool) {
                Ok(bytes) => prop_assert_eq!(Pool::read_csv(&bytes[..]), Ok(pool)),
                Err(refusal) => {
                    let is_plain = |text: &String| !text.is_empty() && text.trim() == text;
                    let is_item = |text: &String| is_plain(text) && !text.contains([';', '|']);
                    let is_fine = |player: &Player| {
                        is_plain(&player.id)
                            && player.party.iter().chain(&player.region).all(is_plain)
                            && player.avoid.iter().chain(&player.opponents).chain(&player.roles).all(is_item)
                    };
                    prop_assert!(pool.is_empty() || !pool.players().iter().all(is_fine), "{}", refusal);
                }
            }
        }
    }
}
