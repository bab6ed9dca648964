//! Sets of units within which all teams pay for a cut, for the checker.
//!
//! Which cuts have a zone decides how long the search takes and nothing else: every team is looked for in the smallest
//! zone that holds it, and its reduced cost is computed from all cuts in the end.

use crate::cut::Cut;
use crate::duals::Duals;
use crate::model::Model;

/// Most zones: each takes a search.
const MOST: usize = 50;

/// A set of units.
pub(super) struct Zone {
    pub(super) units: Vec<u16>,
    /// What every team here pays less, by this zone and those around it.
    pub(super) price: i128,
    /// For each unit of the problem the largest zone within this one that holds it.
    pub(super) inner: Vec<Option<u16>>,
}

/// Where a partial team stands to the zones within the one that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Nowhere,
    /// All members are in this one; somebody from elsewhere has to come.
    Within(u16),
    Across,
}

impl Standing {
    pub(super) fn after(self, inner: Option<u16>) -> Self {
        match (self, inner) {
            (Self::Nowhere, Some(zone)) => Self::Within(zone),
            (Self::Within(before), Some(zone)) if before == zone => self,
            _ => Self::Across,
        }
    }
}

/// All zones; the last one is everybody.
pub(super) fn zones(model: &Model<'_>, duals: &Duals) -> Vec<Zone> {
    let mut cuts: Vec<&(std::sync::Arc<Cut>, i64)> = duals
        .cuts
        .iter()
        .filter(|(cut, _)| counts_whole_teams(model, cut))
        .collect();
    cuts.sort_by_key(|(_, dual)| *dual);
    let mut sets: Vec<(Vec<u16>, i128)> = Vec::new();
    for (cut, dual) in cuts {
        let set: Vec<u16> = cut.units.iter().map(|unit| unit.0).collect();
        let is_apart = |other: &Vec<u16>| {
            let common = common(&set, other);
            common == 0 || common == set.len() || common == other.len()
        };
        if sets.len() < MOST && sets.iter().all(|(other, _)| is_apart(other)) {
            sets.push((set, -i128::from(*dual)));
        }
    }
    sets.push(((0..model.len() as u16).collect(), 0));
    sets.sort_by_key(|(set, _)| set.len());
    let zone = |number: usize| {
        let set = &sets[number].0;
        let mut inner = vec![None; model.len()];
        for (smaller, (units, _)) in sets[..number].iter().enumerate() {
            if common(units, set) == units.len() {
                units
                    .iter()
                    .for_each(|&unit| inner[usize::from(unit)] = Some(smaller as u16));
            }
        }
        let around = sets[number..]
            .iter()
            .filter(|(other, _)| common(set, other) == set.len());
        Zone {
            units: set.clone(),
            price: around.map(|(_, price)| price).sum(),
            inner,
        }
    };
    (0..sets.len()).map(zone).collect()
}

/// Whether a cut counts each team within its units once, and no team that has others: all teams have as many players as
/// it divides by.
fn counts_whole_teams(model: &Model<'_>, cut: &Cut) -> bool {
    let weighs_its_size = |&(unit, weight): &(u16, u32)| weight == model.size[usize::from(unit)];
    cut.units.iter().all(weighs_its_size)
        && model
            .classes
            .iter()
            .all(|class| (class.least, class.most) == (cut.divisor, cut.divisor))
}

/// How many units two ascending lists have in common.
fn common(a: &[u16], b: &[u16]) -> usize {
    a.iter().filter(|unit| b.binary_search(unit).is_ok()).count()
}
