//! A player as matchmaking sees one.

use crate::pool::GamesWanted;

/// Result of a game from one player's point of view; written by `serde` as its letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub enum Outcome {
    /// Won.
    #[cfg_attr(feature = "json", serde(rename = "W"))]
    Win,
    /// Drawn.
    #[cfg_attr(feature = "json", serde(rename = "D"))]
    Draw,
    /// Lost.
    #[cfg_attr(feature = "json", serde(rename = "L"))]
    Loss,
}

impl Outcome {
    /// All three, in the order in which tables list them.
    pub const ALL: [Self; 3] = [Self::Win, Self::Draw, Self::Loss];

    /// The same game from the opponent's point of view.
    #[must_use]
    pub fn mirror(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Draw => Self::Draw,
            Self::Loss => Self::Win,
        }
    }

    /// `W`, `D` or `L`.
    pub fn letter(self) -> char {
        match self {
            Self::Win => 'W',
            Self::Draw => 'D',
            Self::Loss => 'L',
        }
    }

    /// The outcome a letter stands for.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.letter() == letter)
    }

    /// Position in [`Outcome::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// Number of games played recently, where the input knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// In the last eight hours.
    pub games_8h: Option<u32>,
    /// In the last day.
    pub games_1d: Option<u32>,
    /// In the last week.
    pub games_1w: Option<u32>,
    /// In the last month.
    pub games_1m: Option<u32>,
}

/// One waiting player. Plain data; a [`crate::Pool`] holds only players it has checked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Player {
    /// Name, unique in the pool.
    pub id: String,
    /// Skill rating on the Elo and Glicko scale.
    pub rating: f64,
    /// Rating deviation (Glicko's RD): how uncertain the rating is.
    pub deviation: f64,
    /// Results of the latest games, newest last; may be empty.
    pub outcomes: Vec<Outcome>,
    /// Hours since each of the latest games, newest last, as far back as the input knows; may be empty, and never has
    /// more than [`outcomes`](Self::outcomes).
    pub hours: Vec<f64>,
    /// How much the player has played lately.
    pub activity: Activity,
    /// Seconds the player has waited, where the input knows it. Kept for the caller; one-on-one pairing does not use
    /// it.
    pub wait: Option<f64>,
    /// Party the player waits with. Kept for the caller; one-on-one pairing does not use it.
    pub party: Option<String>,
    /// Region the player connects from. Kept for the caller; one-on-one pairing does not use it.
    pub region: Option<String>,
    /// Ids of players who must not be the opponent. It binds both ways, whoever states it.
    pub avoid: Vec<String>,
    /// Ids of recent opponents, who may be the opponent again at a price ([`EngagementCost::with_rematch_cost`],
    /// [`SkillCost::with_rematch_cost`]). It binds both ways, whoever states it; who is not in the pool is passed over.
    ///
    /// [`EngagementCost::with_rematch_cost`]: crate::EngagementCost::with_rematch_cost
    /// [`SkillCost::with_rematch_cost`]: crate::SkillCost::with_rematch_cost
    pub opponents: Vec<String>,
    /// Roles the player can play in a team. Kept for the caller; one-on-one pairing does not use it.
    pub roles: Vec<String>,
    /// Number of the group the player is in, from 1. Kept for the caller, who asks [`Pool::pins`](crate::Pool::pins);
    /// one-on-one pairing does not use it.
    pub pin: Option<u32>,
    /// How many games the player should have, if not as many as everybody. Kept for the caller, who asks
    /// [`Pool::degrees`](crate::Pool::degrees).
    pub games_wanted: Option<GamesWanted>,
}

impl Player {
    /// A player without history.
    pub fn new(id: impl Into<String>, rating: f64, deviation: f64) -> Self {
        Self {
            id: id.into(),
            rating,
            deviation,
            outcomes: Vec::new(),
            hours: Vec::new(),
            activity: Activity::default(),
            wait: None,
            party: None,
            region: None,
            avoid: Vec::new(),
            opponents: Vec::new(),
            roles: Vec::new(),
            pin: None,
            games_wanted: None,
        }
    }

    /// The latest outcomes as letters, newest last.
    pub fn history(&self) -> String {
        self.outcomes.iter().map(|outcome| outcome.letter()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn letters_and_mirrors_round_trip() {
        for (position, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(Outcome::from_letter(outcome.letter()), Some(outcome));
            assert_eq!(outcome.mirror().mirror(), outcome);
            assert_eq!(outcome.index(), position);
        }
        assert_eq!(Outcome::from_letter('w'), None);
    }
}
