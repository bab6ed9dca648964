//! Somebody who waits for a match, or plays one already.

/// One of the two teams of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first team.
    Red,
    /// The second team.
    Blue,
}

impl Side {
    /// `red` or `blue`, as rounds are written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
        }
    }
}

/// The match somebody played last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Previous {
    /// Its id; two players met there if theirs are equal.
    pub match_id: String,
    /// The player's team.
    pub team: Side,
}

/// The match somebody plays already, and never leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playing {
    /// Its id; who names the same one is in the same match.
    pub match_id: String,
    /// The player's team.
    pub team: Side,
}

/// How two players met in the previous match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Mates,
    Enemies,
}

/// A player of a round: somebody who waits, or plays already.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Unique within a round, not empty.
    pub id: String,
    /// Skill points, before the cap of the rules; finite.
    pub skill: f64,
    /// Label of the party; players with the same label play together. `None` plays alone, and so does an empty label.
    pub party: Option<String>,
    /// Where the player is, as the input names it.
    pub region: Option<String>,
    /// Rounds waited so far; 0 for somebody who plays already.
    pub waited: u32,
    /// The match played last, if it was in the previous round.
    pub last: Option<Previous>,
    /// The match that runs already with the player in it; `None` for those who wait.
    pub playing: Option<Playing>,
}

impl Player {
    /// A player who waits, without a party, region and history.
    pub fn new(id: impl Into<String>, skill: f64) -> Self {
        Self {
            id: id.into(),
            skill,
            party: None,
            region: None,
            waited: 0,
            last: None,
            playing: None,
        }
    }

    /// The label of the party, if there is one. Many services write a text that is not set as an empty one.
    pub(super) fn party_label(&self) -> Option<&str> {
        self.party.as_deref().filter(|label| !label.is_empty())
    }

    /// How the two met in the previous match, if they did.
    pub(super) fn met(&self, other: &Self) -> Option<Relation> {
        let (own, others) = (self.last.as_ref()?, other.last.as_ref()?);
        let relation = if own.team == others.team {
            Relation::Mates
        } else {
            Relation::Enemies
        };
        (own.match_id == others.match_id).then_some(relation)
    }
}
