//! A grouping to begin with that is far better than one at random: groups are filled one after the other.

use super::grid::Grid;
use crate::layout::Layout;
use crate::packing::Shape;

/// The group of every unit, in groups of that shape. Each group begins with whoever pays most beside all who are left,
/// and would be in the way of the others later, and goes on with whoever pays least in it. The bench, if there is one,
/// gets those whom nobody has taken. `None` if it was cancelled on the way.
///
/// Takes some three additions for each pair of units.
pub(crate) fn deal(grid: &Grid, layout: &Layout, shape: &Shape, is_cancelled: &dyn Fn() -> bool) -> Option<Vec<u32>> {
    let mut group_of: Vec<u32> = layout.pin.iter().map(|pin| pin.unwrap_or(0)).collect();
    let mut pinned = vec![Vec::new(); layout.groups()];
    for unit in layout.movable() as u32..layout.units() as u32 {
        pinned[group_of[unit as usize] as usize].push(unit);
    }
    let mut left = Left::new(grid, layout, is_cancelled)?;
    let mut paid = vec![0; grid.units()];
    for (group, pinned) in pinned.iter().enumerate() {
        paid.fill(0);
        pinned.iter().for_each(|&unit| add(&mut paid, grid.row(unit), 1));
        let mut open = shape.taken(group, layout.classes.len());
        let mut is_empty = pinned.is_empty();
        while let Some((unit, class)) = if is_empty {
            left.dearest(&open)
        } else {
            left.cheapest(&paid, &open)
        } {
            if is_cancelled() {
                return None;
            }
            group_of[unit as usize] = group as u32;
            add(&mut paid, grid.row(unit), 1);
            left.take(unit, class);
            open[class] -= 1;
            is_empty = false;
        }
    }
    Some(group_of)
}

/// Adds a row, so many times, to what units pay.
fn add(paid: &mut [i64], row: &[i32], times: i64) {
    for (paid, &cost) in paid.iter_mut().zip(row) {
        *paid += times * i64::from(cost);
    }
}

/// Units that are in no group yet.
struct Left<'a> {
    grid: &'a Grid,
    layout: &'a Layout,
    /// By class.
    units: Vec<Vec<u32>>,
    /// What each unit pays beside all that move and are left.
    beside: Vec<i64>,
}

impl<'a> Left<'a> {
    fn new(grid: &'a Grid, layout: &'a Layout, is_cancelled: &dyn Fn() -> bool) -> Option<Self> {
        let mut beside = vec![0; grid.units()];
        for unit in 0..layout.movable() as u32 {
            if is_cancelled() {
                return None;
            }
            add(&mut beside, grid.row(unit), 1);
        }
        Some(Self {
            grid,
            layout,
            units: layout.classes.iter().map(|class| class.clone().collect()).collect(),
            beside,
        })
    }

    /// Who pays most beside all the others, of the classes that are open, and the class.
    fn dearest(&self, open: &[u32]) -> Option<(u32, usize)> {
        let cost = |unit: u32| self.a_player(self.beside[unit as usize], unit);
        self.candidates(open)
            .max_by(|one, other| cost(one.0).total_cmp(&cost(other.0)))
    }

    /// Who pays least in a group.
    fn cheapest(&self, paid: &[i64], open: &[u32]) -> Option<(u32, usize)> {
        let inside = |unit: u32| i64::from(self.grid.inside()[unit as usize]);
        let cost = |unit: u32| self.a_player(paid[unit as usize] + inside(unit), unit);
        self.candidates(open)
            .min_by(|one, other| cost(one.0).total_cmp(&cost(other.0)))
    }

    fn candidates(&self, open: &[u32]) -> impl Iterator<Item = (u32, usize)> {
        let classes = self
            .units
            .iter()
            .zip(open)
            .enumerate()
            .filter(|(_, (_, open))| **open > 0);
        classes.flat_map(|(class, (units, _))| units.iter().map(move |&unit| (unit, class)))
    }

    fn a_player(&self, cost: i64, unit: u32) -> f64 {
        cost as f64 / f64::from(self.layout.size[unit as usize])
    }

    fn take(&mut self, unit: u32, class: usize) {
        self.units[class].retain(|&other| other != unit);
        add(&mut self.beside, self.grid.row(unit), -1);
    }
}

#[cfg(test)]
mod tests {
    use matching_core::cost;

    use super::*;
    use crate::groups::Groups;
    use crate::partition::Partition;

    fn dealt(layout: &Layout, cost: impl Fn(usize, usize) -> f64 + Sync) -> Vec<Vec<usize>> {
        let grid = Grid::new(&cost::from_symmetric_fn(layout.len, cost), layout, &|| false);
        let grid = grid.expect("costs are numbers").expect("nobody cancels");
        let shape = Shape::find(layout, &|| false).expect("a packing");
        let group_of = deal(&grid, layout, &shape, &|| false).expect("nobody cancels");
        Partition::new(std::sync::Arc::new(layout.clone()), &group_of).players()
    }

    #[test]
    fn on_a_line_neighbours_are_together() {
        let layout = Layout::new(60, &Groups::of_size(60, 5).expect("groups"), &[], &[]).expect("a layout");
        let place = |i: usize| (i * 37 % 60) as f64;
        for group in dealt(&layout, |i, j| (place(i) - place(j)).abs()) {
            let mut places: Vec<f64> = group.iter().map(|&player| place(player)).collect();
            places.sort_unstable_by(f64::total_cmp);
            assert_eq!(places[4] - places[0], 4.0, "{places:?}");
        }
    }

    /// Parties stay together, pinned players where they are, and whoever is far from all others waits.
    #[test]
    fn parties_pins_and_the_bench_are_kept() {
        let groups = Groups::of_size(32, 5).expect("groups");
        let layout = Layout::new(32, &groups, &[vec![3, 31], vec![8, 9, 10]], &[(20, 2), (21, 2)]).expect("a layout");
        let place = |i: usize| if i >= 30 { 1e4 } else { i as f64 };
        let found = dealt(&layout, |i, j| (place(i) - place(j)).abs());
        assert!(found[..6].iter().all(|group| group.len() == 5), "{found:?}");
        assert_eq!(found[6].len(), 2);
        let is_together =
            |one: usize, other: usize| found.iter().any(|group| group.contains(&one) && group.contains(&other));
        assert!(
            is_together(3, 31) && is_together(8, 9) && is_together(9, 10),
            "{found:?}"
        );
        assert!(found[2].contains(&20) && found[2].contains(&21), "{found:?}");
    }
}
