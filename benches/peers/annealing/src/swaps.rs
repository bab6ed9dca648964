//! Groupings of one size as a list of players, and what swapping two of them changes.

use std::iter;

use benches::groups::{GroupInstance, SCALE};
use matching_core::Cost;
use rand::Rng;
use rand::seq::SliceRandom;

/// Players in order of their groups.
pub type Order = Vec<u32>;

/// The standard deviation of a gain that is uniform on 0 to 100, in thousandths as costs are.
const SPREAD: f64 = 28.87 * SCALE;

/// An instance as the peers want it: one move is a swap, and its change is counted from the members of both groups.
pub struct Swaps {
    players: usize,
    size: usize,
    /// Row by row, both halves, minus gains in thousandths: half the memory of the instance's own numbers.
    costs: Vec<i32>,
}

impl Swaps {
    /// # Errors
    /// If groups have other than one size, or a cost does not fit.
    pub fn new(problem: &GroupInstance) -> Result<Self, crate::Fault> {
        let players = problem.players();
        let size = players / problem.sizes.len();
        if problem.sizes.iter().any(|bounds| *bounds != (size..=size)) {
            return Err(format!("{}: groups of one size are needed", problem.name).into());
        }
        let mut costs = vec![0; players * players];
        for (i, row) in costs.chunks_exact_mut(players).enumerate() {
            for (j, cost) in row.iter_mut().enumerate().filter(|&(j, _)| j != i) {
                *cost = i32::try_from(problem.cost.pair(i, j))?;
            }
        }
        Ok(Self { players, size, costs })
    }

    /// What a typical swap changes: temperatures are stated in it.
    pub fn unit(&self) -> f64 {
        SPREAD * (self.size as f64).sqrt()
    }

    pub fn shuffled(&self, rng: &mut impl Rng) -> Order {
        let mut order: Order = (0..self.players as u32).collect();
        order.shuffle(rng);
        order
    }

    /// The cost of all groups, in thousandths.
    pub fn cost(&self, order: &Order) -> i64 {
        let costs = order.chunks(self.size).flat_map(|group| {
            let pairs = (1..group.len()).flat_map(|at| iter::repeat(group[at]).zip(&group[..at]));
            pairs.map(|(i, &j)| i64::from(self.row(i)[j as usize]))
        });
        costs.sum()
    }

    /// What swapping the players at two places changes.
    pub fn change(&self, order: &Order, a: usize, b: usize) -> i64 {
        let (group_a, group_b) = (self.group_of(order, a), self.group_of(order, b));
        if a / self.size == b / self.size {
            return 0;
        }
        let (of_x, of_y) = (self.row(order[a]), self.row(order[b]));
        // What `y` costs more than `x` among these players; both among themselves are counted once in each sum.
        let dearer = |group: &[u32]| {
            let each = group
                .iter()
                .map(|&i| i64::from(of_y[i as usize]) - i64::from(of_x[i as usize]));
            each.sum::<i64>()
        };
        let both = i64::from(of_x[order[b] as usize]);
        dearer(group_a) - dearer(group_b) - 2 * both
    }

    fn group_of<'a>(&self, order: &'a Order, place: usize) -> &'a [u32] {
        let start = place / self.size * self.size;
        &order[start..start + self.size]
    }

    fn row(&self, player: u32) -> &[i32] {
        &self.costs[player as usize * self.players..][..self.players]
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn changes_are_differences_of_costs() {
        let swaps = Swaps::new(&GroupInstance::random(120, 1).unwrap()).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut order = swaps.shuffled(&mut rng);
        for _ in 0..1000 {
            let (a, b) = (rng.random_range(0..120), rng.random_range(0..120));
            let (before, change) = (swaps.cost(&order), swaps.change(&order, a, b));
            order.swap(a, b);
            assert_eq!(swaps.cost(&order), before + change, "{a} with {b}");
        }
    }
}
