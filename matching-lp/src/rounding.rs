//! From a solution of the linear program to a grouping.

use crate::classes::assigned;
use crate::model::Model;
use crate::pool::Pool;
use crate::tree::Chosen;

/// The grouping that a solution which splits no pair of units stands for, if it is one. Where columns are split, then
/// by class or waiting alone: the greater part counts.
pub(crate) fn rounded(model: &Model, pool: &Pool, solution: &[(u32, f64)]) -> Option<Chosen> {
    let mut chosen: Chosen = Vec::new();
    let mut is_covered = vec![false; model.len()];
    let mut sorted = solution.to_vec();
    sorted.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (column, value) in sorted {
        let units = pool.units(column);
        let is_new = units.iter().all(|&unit| !is_covered[usize::from(unit)]);
        if value > 1e-3 && is_new && !units.is_empty() {
            units.iter().for_each(|&unit| is_covered[usize::from(unit)] = true);
            chosen.push((pool.kind(column), units.to_vec()));
        }
    }
    if is_covered.contains(&false) {
        return None;
    }
    assigned(model, chosen)
}
