//! What a search returns.

use std::time::Duration;

use matching_core::CostValue;

use crate::control::Stop;
use crate::engine::Engine;
use crate::error::Error;
use crate::instance::{Costs, Instance, WholeCost};

/// Groups, what they cost, and how they were found.
///
/// What a search returns, it has counted and found out. With feature `serde` a value may also come from a file: that says
/// what whoever wrote it wanted it to say, a proof ([`is_proven_best`](Self::is_proven_best)) included.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "V::Total: serde::Serialize",
        deserialize = "V::Total: serde::Deserialize<'de>"
    ))
)]
pub struct Grouping<V: CostValue> {
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) bench: Vec<usize>,
    pub(crate) cost: V::Total,
    pub(crate) engine: Engine,
    pub(crate) seed: u64,
    pub(crate) work: u64,
    pub(crate) elapsed: Duration,
    pub(crate) stop: Stop,
}

impl<V: CostValue> Grouping<V> {
    /// The groups, in the order of their bounds; members ascending. Groups of the same bounds come in the order of
    /// their first members, unless there are pins or a warm start, whose order stays.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// Who waits, ascending.
    pub fn bench(&self) -> &[usize] {
        &self.bench
    }

    /// The sum of all groups' costs, counted afresh from the cost itself. It is the best that was found; that it is the
    /// least there is, only [`is_proven_best`](Self::is_proven_best) says.
    pub fn cost(&self) -> V::Total {
        self.cost
    }

    /// The engine that found it; [`Engine::Auto`] where all groupings were tried.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Moves that were looked at, by all walks together.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Time from the start of the search to its end.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// What ended the search.
    pub fn stop(&self) -> Stop {
        self.stop
    }

    /// Whether all groupings were tried, so that none costs less; of costs that are floats, but for rounding.
    pub fn is_proven_best(&self) -> bool {
        self.stop == Stop::Exhausted
    }
}

/// Why it is not known what groups cost.
#[derive(Debug)]
pub(crate) enum Uncounted {
    /// These players may not be one group.
    Forbidden(Vec<usize>),
    Wrong(Error),
}

impl From<Error> for Uncounted {
    fn from(error: Error) -> Self {
        Self::Wrong(error)
    }
}

/// What groups cost together, in the cost's own numbers.
///
/// # Errors
/// [`Uncounted::Forbidden`], [`Error::CostOverflow`], [`Error::PairNotANumber`], [`Error::GroupNotANumber`].
pub(crate) fn count<V: CostValue>(instance: &Instance<'_, V>, groups: &[Vec<usize>]) -> Result<V::Total, Uncounted> {
    let mut total: V::Total = num_traits::zero();
    for members in groups {
        let cost = match instance.costs {
            Costs::Pairs(cost) => pairs(cost, members)?,
            Costs::Whole(cost, _) => whole(cost, members)?,
        };
        total = total.checked_add(cost).ok_or(Error::CostOverflow)?;
    }
    if total.is_number() {
        Ok(total)
    } else {
        Err(Error::CostOverflow.into())
    }
}

/// What the pairs of a group cost together.
///
/// # Errors
/// [`Uncounted::Forbidden`], [`Error::CostOverflow`], [`Error::PairNotANumber`].
pub(crate) fn pairs<V: CostValue>(
    cost: &dyn matching_core::Cost<Value = V>,
    members: &[usize],
) -> Result<V::Total, Uncounted> {
    let mut total: V::Total = num_traits::zero();
    let (has_forbidden, may_overflow) = (cost.has_forbidden(), cost.may_overflow());
    let mut row = [num_traits::zero(); 64];
    for (at, &i) in members.iter().enumerate() {
        for others in members[at + 1..].chunks(row.len()) {
            if has_forbidden && others.iter().any(|&j| !cost.is_allowed(i, j)) {
                return Err(Uncounted::Forbidden(members.to_vec()));
            }
            let row = &mut row[..others.len()];
            if may_overflow {
                for (slot, &j) in row.iter_mut().zip(others) {
                    *slot = cost.checked_pair(i, j).ok_or(Error::CostOverflow)?;
                }
            } else {
                cost.fill_pairs(i, others, row);
            }
            for (&pair, &j) in row.iter().zip(others) {
                // Costs may not have been read before: where a search ends as soon as it begins.
                if !pair.is_number() {
                    return Err(Error::PairNotANumber { i, j }.into());
                }
                total = total.checked_add(pair.to_total()).ok_or(Error::CostOverflow)?;
            }
        }
    }
    Ok(total)
}

/// What a group costs.
///
/// # Errors
/// [`Uncounted::Forbidden`], [`Error::GroupNotANumber`].
pub(crate) fn whole<V: CostValue>(cost: &dyn WholeCost<V>, members: &[usize]) -> Result<V::Total, Uncounted> {
    if !cost.is_allowed(members) {
        return Err(Uncounted::Forbidden(members.to_vec()));
    }
    let is_of_64_bits = |value: &V| value.to_integer().is_none_or(|value| i64::try_from(value).is_ok());
    let value = cost.checked_group(members);
    let value = value.filter(|value| value.is_number() && is_of_64_bits(value));
    value.map(CostValue::to_total).ok_or_else(|| {
        let members = members.to_vec();
        Error::GroupNotANumber { members }.into()
    })
}
