//! Players of a log who arrive more than once.

use std::collections::HashMap;

use super::error::Error;
use super::games::Games;
use super::read::Log;

/// Arrivals of players who, under some policy, still wait for the game of an arrival before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overlap {
    /// So many arrivals; each is served like one of somebody else.
    pub arrivals: usize,
    /// Line of the first of them in the file.
    pub line: u64,
    /// Line of the arrival whose game has not begun by then.
    pub of: u64,
}

impl Log {
    /// Looks at who returns, by the ids of the log, in games in which every arrival is once
    /// ([`Account::new`](super::Account::new)). Whoever returns after his game is one more player; who does so before it is
    /// served twice, which the answer says.
    ///
    /// # Errors
    /// [`Error::MeetsHimself`] where a game has two players of the same id.
    pub fn overlap(&self, games: &Games) -> Result<Option<Overlap>, Error> {
        let Some(ids) = &self.ids else { return Ok(None) };
        let mut starts = vec![f64::NEG_INFINITY; ids.len()];
        for game in games.iter() {
            let mut first = HashMap::with_capacity(game.players.len());
            for player in game.players.iter().map(|&player| player as usize) {
                starts[player] = game.time;
                if let Some(of) = first.insert(ids[player].as_str(), player) {
                    return Err(Error::MeetsHimself {
                        line: self.lines[player],
                        of: self.lines[of],
                        id: ids[player].clone(),
                    });
                }
            }
        }
        // Of each player the arrival whose game begins last.
        let mut waiting: HashMap<&str, usize> = HashMap::with_capacity(ids.len());
        let mut overlap: Option<Overlap> = None;
        for (player, id) in ids.iter().enumerate() {
            let of = waiting.entry(id.as_str()).or_insert(player);
            if starts[*of] > self.arrivals.times()[player] && *of != player {
                let (line, of) = (self.lines[player], self.lines[*of]);
                let overlap = overlap.get_or_insert(Overlap { arrivals: 0, line, of });
                overlap.arrivals += 1;
            }
            if starts[player] > starts[*of] {
                *of = player;
            }
        }
        Ok(overlap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> Log {
        let text = "time,criterion,id\n0,0,a\n1,0,b\n\n2,0,a\n3,0,c\n4,0,b\n";
        Log::read_csv(text.as_bytes()).expect("a good log")
    }

    fn games(of: &[(f64, [u32; 2])]) -> Games {
        let mut games = Games::new();
        of.iter().for_each(|&(time, players)| games.push(time, players));
        games
    }

    #[test]
    fn who_returns_after_his_game_is_one_more_player() {
        let games = games(&[(2.0, [0, 1]), (3.0, [2, 3])]);
        assert_eq!(log().overlap(&games), Ok(None));
    }

    #[test]
    fn who_returns_before_his_game_is_served_twice() {
        let games = games(&[(4.5, [0, 3]), (5.0, [1, 2])]);
        let overlap = Overlap {
            arrivals: 2,
            line: 5,
            of: 2,
        };
        assert_eq!(log().overlap(&games), Ok(Some(overlap)));
    }

    #[test]
    fn nobody_meets_himself() {
        let error = log().overlap(&games(&[(2.0, [0, 2])])).expect_err("the same player");
        let said = "line 5, column id: \"a\" returns before the game of line 2 has begun, and would play against himself; \
                    write different ids for different players, or leave the column out";
        assert_eq!(error.to_string(), said);
    }
}
