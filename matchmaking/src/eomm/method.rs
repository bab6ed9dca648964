//! The four matchmakers.

use std::fmt;

/// A way to pair a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// WorstMM: the exact opposite of EOMM, the pairing that is expected to lose the most players.
    Worst,
    /// SkillMM: neighbours by rating.
    Skill,
    /// RandomMM: chance.
    Random,
    /// EOMM: the pairing that is expected to lose the fewest players.
    Engagement,
}

impl Method {
    /// All four, in the order of the paper's Table 2.
    pub const ALL: [Self; 4] = [Self::Worst, Self::Skill, Self::Random, Self::Engagement];

    /// Each two of them; the one named first is the one that the paper expects to keep more players.
    pub const CONTRASTS: [(Self, Self); 6] = [
        (Self::Engagement, Self::Skill),
        (Self::Engagement, Self::Random),
        (Self::Engagement, Self::Worst),
        (Self::Skill, Self::Random),
        (Self::Skill, Self::Worst),
        (Self::Random, Self::Worst),
    ];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Worst => "WorstMM",
            Self::Skill => "SkillMM",
            Self::Random => "RandomMM",
            Self::Engagement => "EOMM",
        }
    }

    /// Position in [`Method::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
