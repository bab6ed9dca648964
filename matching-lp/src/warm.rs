//! A grouping to begin with, that somebody has already.

use matching_core::CostValue;

use crate::error::Error;
use crate::model::{Kind, Model};
use crate::problem::Problem;
use crate::tree::Chosen;
use crate::verify::{VerifyError, check_grouping};

/// Groups that are known to be some of the problem's.
#[derive(Clone, Debug)]
pub(crate) struct Warm {
    groups: Vec<Vec<usize>>,
    bench: Vec<usize>,
}

impl Warm {
    /// The groups of a problem in their order, those left out empty; who is in none waits, and so do those of one list more.
    ///
    /// # Errors
    /// [`Error::WarmStart`] where these are no groups of the problem.
    pub(crate) fn new<V: CostValue>(problem: &Problem<'_, V>, lists: &[Vec<usize>]) -> Result<Self, Error> {
        let (groups, bench) = lists.split_at(lists.len().min(problem.groups().len()));
        let wrong = |error| Error::WarmStart(Box::new(error));
        if bench.len() > 1 {
            return Err(wrong(VerifyError::WrongNumberOfGroups {
                found: lists.len(),
                wanted: problem.groups().len(),
            }));
        }
        let mut is_named = vec![false; problem.len()];
        for &player in lists.iter().flatten().filter(|&&player| player < problem.len()) {
            is_named[player] = true;
        }
        let mut warm = Self {
            groups: groups.to_vec(),
            bench: bench.concat(),
        };
        warm.groups.resize(problem.groups().len(), Vec::new());
        warm.bench
            .extend((0..problem.len()).filter(|&player| !is_named[player]));
        check_grouping(problem, &warm.groups, &warm.bench).map_err(wrong)?;
        Ok(warm)
    }

    /// The groups, without those who wait.
    pub(crate) fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The same in columns.
    pub(crate) fn chosen(&self, model: &Model<'_>) -> Chosen {
        let mut unit_of = vec![0; model.size.iter().sum::<u32>() as usize];
        for (unit, members) in (0_u16..).zip(&model.units) {
            members.iter().for_each(|&player| unit_of[player] = unit);
        }
        let units = |players: &[usize]| {
            let mut units: Vec<u16> = players.iter().map(|&player| unit_of[player]).collect();
            units.sort_unstable();
            units.dedup();
            units
        };
        let teams = self.groups.iter().enumerate().map(|(group, members)| {
            let class = model.class_of(group) as u16;
            let kind = if members.is_empty() { Kind::Unfilled } else { Kind::Team };
            (kind(class), units(members))
        });
        let waiting = units(&self.bench).into_iter().map(|unit| (Kind::Bench, vec![unit]));
        teams.chain(waiting).collect()
    }
}
