//! Straight down to a grouping: columns of which there is most in a solution are taken, and the program is solved again
//! for what is left.
//!
//! Once cuts have made the program's bound good, this finds better groupings than exchanges do: where the players of a
//! region do not fill its teams, who leaves it decides about all others there.

use crate::cuts::Together;
use crate::tree::Tree;

/// All columns with no less than this are taken at once.
const MUCH: f64 = 0.8;

impl Tree<'_, '_, '_> {
    /// From a solution over these columns; a better grouping is kept if there is one at the end.
    pub(crate) fn dive(&mut self, mut alive: Vec<u32>, mut solution: Vec<(u32, f64)>) {
        let mut is_taken = vec![false; self.pool.len()];
        while !self.clock.is_over() {
            let free = solution.iter().filter(|&&(column, _)| !is_taken[column as usize]);
            let Some(&(most, _)) = free.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))) else {
                return;
            };
            let much = solution.iter().filter(|column| column.1 >= MUCH).map(|column| column.0);
            let taken: Vec<u32> = much.chain([most]).collect();
            let mut is_covered = vec![false; self.model.len()];
            for column in taken {
                is_taken[column as usize] = true;
                let units = self.pool.units(column).iter();
                units.for_each(|&unit| is_covered[usize::from(unit)] = true);
            }
            let pool = &self.pool;
            let is_free = |column: u32| !pool.units(column).iter().any(|&unit| is_covered[usize::from(unit)]);
            alive.retain(|&column| is_taken[column as usize] || is_free(column));
            if !self.solve_over(&alive) || self.master.program.objective() > self.upper as f64 - 0.5 {
                return;
            }
            solution = self.master.solution();
            let together = Together::new(self.model, &self.pool, &solution);
            if together.split_pairs().next().is_none() {
                return self.keep_if_whole(&solution, &together);
            }
        }
    }
}
