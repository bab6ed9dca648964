//! Two cases for one: a unit that waits or plays, two units together or apart.

use super::{Aim, Case, Tree};
use crate::certificate::Step;
use crate::cuts::Together;
use crate::model::Kind;

impl Tree<'_, '_, '_> {
    /// The parts of a case are open; `false` if there are none.
    #[must_use]
    pub(super) fn branch(
        &mut self,
        case: &Case,
        solution: &[(u32, f64)],
        together: &Together,
        open: &mut Vec<Case>,
    ) -> bool {
        let waits = self.split_waiting(solution);
        // A share near one half tells most in both cases; one near 1 comes to a whole solution soon.
        let share = match self.aim {
            Aim::Proof => 0.55,
            Aim::Better { .. } | Aim::Dive => 1.0,
        };
        let pairs = together.split_pairs();
        let pair = pairs.min_by(|a, b| (a.2 - share).abs().total_cmp(&(b.2 - share).abs()));
        let pool = &self.pool;
        let parts = match (waits, pair) {
            (Some(unit), _) => {
                let is_there = |column: u32| pool.units(column).contains(&unit);
                let waits = |column: u32| pool.kind(column) == Kind::Bench;
                let step = Step::Waits(unit);
                Some((
                    step,
                    self.parts(&case.alive, |column| is_there(column).then(|| waits(column))),
                ))
            }
            (None, Some((a, b, _))) => {
                let (a, b) = (a as u16, b as u16);
                let has = |column: u32| [a, b].map(|unit| pool.units(column).contains(&unit));
                let together = |column: u32| match has(column) {
                    [false, false] => None,
                    [has_one, has_other] => Some(has_one == has_other),
                };
                Some((Step::Split(a, b), self.parts(&case.alive, together)))
            }
            _ => None,
        };
        // Where both parts are not less than the case, nothing is gained by them.
        let is_less = |parts: &[Vec<u32>; 2]| parts.iter().all(|part| part.len() < case.alive.len());
        let Some((step, [first, second])) = parts.filter(|(_, parts)| is_less(parts)) else {
            return false;
        };
        self.steps.push(step);
        for alive in [second, first] {
            open.push(Case {
                alive,
                bound: case.bound,
                depth: case.depth + 1,
            });
        }
        true
    }

    /// Columns for the first part of a case, for the second, or for both.
    fn parts(&self, alive: &[u32], is_first: impl Fn(u32) -> Option<bool>) -> [Vec<u32>; 2] {
        [true, false].map(|part| {
            let is_in = |column: &u32| is_first(*column).is_none_or(|first| first == part);
            alive.iter().copied().filter(is_in).collect()
        })
    }

    /// A unit that waits in part.
    fn split_waiting(&self, solution: &[(u32, f64)]) -> Option<u16> {
        solution
            .iter()
            .filter(|&&(column, value)| self.pool.kind(column) == Kind::Bench && value < 1.0 - 1e-3 && value > 1e-3)
            .min_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()))
            .map(|&(column, _)| self.pool.units(column)[0])
    }
}
