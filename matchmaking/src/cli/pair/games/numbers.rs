//! Where the numbers of games come from, and what to write so that they leave more room.

use matchmaking::{GamesWanted, Pool};

use crate::cli::failure::Failure;

/// What the command line says of everybody, and who has a number of his own.
#[derive(Debug)]
pub(in crate::cli::pair) struct Numbers {
    pub(super) everybody: GamesWanted,
    /// Whether `everybody` is about anybody.
    is_followed: bool,
    /// What column `games_wanted` says.
    own: Vec<GamesWanted>,
}

impl Numbers {
    pub(super) fn of_pool(everybody: GamesWanted, pool: &Pool) -> Self {
        let own: Vec<GamesWanted> = pool.players().iter().filter_map(|player| player.games_wanted).collect();
        Self {
            everybody,
            is_followed: own.len() < pool.len(),
            own,
        }
    }

    /// All vertices of a graph have the same number.
    pub(super) fn of_graph(everybody: GamesWanted) -> Self {
        Self {
            everybody,
            is_followed: true,
            own: Vec::new(),
        }
    }

    /// Refuses a price that can change nothing: nobody may have fewer games than the most.
    pub(super) fn check_price(&self, least: &[u32], most: &[u32]) -> Result<(), Failure> {
        if least != most {
            return Ok(());
        }
        let problem = match (self.on_line(from_none), self.in_column(from_none)) {
            (Some(line), None) => {
                let most = self.everybody.most();
                format!("nobody may have fewer games than {most}; write {line}, or another number in place of 0")
            }
            (Some(line), Some(column)) => format!(
                "nobody may have fewer games than he should; write {line}, or in column games_wanted numbers {column}"
            ),
            (None, Some(column)) => format!(
                "column games_wanted says how many games each has, and nobody may have fewer; write numbers {column} there"
            ),
            (None, None) => {
                "column games_wanted says that nobody has a game, so that none can be missing; write numbers \
                             such as 0..1 there"
                    .to_owned()
            }
        };
        Err(Failure::Usage {
            option: "--missing-cost",
            problem,
        })
    }

    /// What to write so that there are games for sure, each that is missing having a price.
    pub(super) fn at_a_price(&self) -> String {
        let line = self.on_line(from_none).map_or_else(String::new, |line| line + " ");
        let column = self.in_column(from_none).map_or_else(String::new, |column| {
            format!(", and in column games_wanted 0 as the fewest, {column}")
        });
        format!("{line}--missing-cost C{column}")
    }

    /// What to write so that each may have one game fewer; nothing where that may leave everybody without any.
    pub(super) fn one_fewer(&self) -> Option<String> {
        let is_fit = self.everybody.is_exact() && self.everybody.least() > 1;
        if self.is_followed && !is_fit {
            return None;
        }
        match (self.on_line(one_less), self.in_column(one_less)) {
            (line, None) => line,
            (Some(line), Some(column)) => Some(format!("{line}, and in column games_wanted numbers {column}")),
            (None, Some(column)) => Some(format!("in column games_wanted, numbers {column}")),
        }
    }

    /// The option, where somebody heeds it.
    fn on_line(&self, freed: fn(GamesWanted) -> GamesWanted) -> Option<String> {
        self.is_followed.then(|| format!("--games {}", freed(self.everybody)))
    }

    /// An example of what to change in the column, where there is anything.
    fn in_column(&self, freed: fn(GamesWanted) -> GamesWanted) -> Option<String> {
        let old = self.own.iter().find(|&&own| freed(own) != own)?;
        Some(format!("such as {} in place of {old}", freed(*old)))
    }
}

/// No more, and as few as one likes.
fn from_none(wanted: GamesWanted) -> GamesWanted {
    GamesWanted::between(0, wanted.most()).unwrap_or(wanted)
}

/// No more, and one fewer, if there is one.
fn one_less(wanted: GamesWanted) -> GamesWanted {
    GamesWanted::between(wanted.least().saturating_sub(1), wanted.most()).unwrap_or(wanted)
}
