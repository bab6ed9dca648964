//! What parts of the players are called in reports.

use matchmaking::fairness::SegmentKind;
use serde::Serialize;

use super::text::{float, printable, rounded};

/// What the players of a part have in common, as JSON has it.
#[derive(Serialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub(crate) enum Of {
    Everybody,
    Rating { from: f64, to: f64 },
    Skill { from: f64, to: f64 },
    Region { region: Option<String> },
    Party { size: usize },
}

/// From one number to another, or one alone.
fn span(from: f64, to: f64) -> String {
    if from == to {
        points(from)
    } else {
        format!("{} to {}", points(from), points(to))
    }
}

/// Whole points, but where a few are all there is.
fn points(number: f64) -> String {
    if number.abs() < 100.0 {
        float((1e3 * number).round() / 1e3)
    } else {
        rounded(number, 0)
    }
}

/// What decides about fifths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    Rating,
    Skill,
}

impl Of {
    pub(crate) fn new(of: &SegmentKind, strength: Strength) -> Self {
        match (of, strength) {
            (&SegmentKind::Rating(from, to), Strength::Rating) => Self::Rating { from, to },
            (&SegmentKind::Rating(from, to), Strength::Skill) => Self::Skill { from, to },
            (SegmentKind::Region(region), _) => Self::Region { region: region.clone() },
            (&SegmentKind::Party(size), _) => Self::Party { size },
            _ => Self::Everybody,
        }
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Everybody => "everybody".to_owned(),
            Self::Rating { from, to } => format!("rated {}", span(*from, *to)),
            Self::Skill { from, to } => format!("skill {}", span(*from, *to)),
            Self::Region { region: Some(region) } => format!("region {}", printable(region)),
            Self::Region { region: None } => "no region".to_owned(),
            Self::Party { size: 1 } => "alone".to_owned(),
            Self::Party { size } => format!("party of {size}"),
        }
    }
}
