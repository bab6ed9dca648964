//! Games as they form.

/// One game: when it starts and who plays; bots fill the places that are left.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Game<'a> {
    /// When it starts.
    pub time: f64,
    /// Who plays, by position in the order of arrival; ascending.
    pub players: &'a [u32],
}

/// Games in the order in which they formed.
///
/// With feature `json` they are written as a list of [`Game`]s.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Games {
    times: Vec<f64>,
    /// Where in `players` the game after this one begins.
    ends: Vec<usize>,
    players: Vec<u32>,
}

impl Games {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A game of these players, who start now.
    pub fn push(&mut self, time: f64, players: impl IntoIterator<Item = u32>) {
        let start = self.players.len();
        self.players.extend(players);
        self.players[start..].sort_unstable();
        self.times.push(time);
        self.ends.push(self.players.len());
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Game<'_>> + '_ {
        (0..self.len()).map(|game| {
            let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
            Game {
                time: self.times[game],
                players: &self.players[start..self.ends[game]],
            }
        })
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Games {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
