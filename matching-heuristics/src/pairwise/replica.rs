//! A grouping on a ladder of temperatures, in 16 bits where that is possible.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::annealing::cool_with;
use super::gains::Gains;
use super::limits::Limits;
use super::narrow::{Bounds, Narrow, NarrowWalk};
use crate::best::Best;
use crate::control::{Control, Stage};
use crate::replica::{Plain, Replica};
use crate::state::{Heat, State};

/// A replica of a tempering by pairs.
pub(crate) struct PairReplica {
    wide: Plain<Gains>,
    /// What walks in place of the wide state, which then only counts.
    narrow: Option<Standing>,
    /// The least total of a narrow grouping that was kept, in steps of the narrow grid.
    least: i64,
}

/// A narrow grouping, kept from one stretch to the next, since they are short.
struct Standing {
    state: Bounds,
    /// The total of the grouping in which it began, in steps of the narrow grid.
    base: i64,
    limits: Limits<i16>,
}

impl PairReplica {
    pub(super) fn new(wide: Gains, rng: &mut ChaCha8Rng) -> Self {
        let narrow = wide.tempered().map(|grid| {
            let (layout, group_of) = (wide.partition().shared_layout(), wide.partition().groups_of());
            let state = Bounds::new(Arc::clone(grid), &layout, group_of);
            Standing {
                base: grid.total(group_of),
                limits: Limits::bounded(state.stride(), rng),
                state,
            }
        });
        Self {
            wide: Plain(wide),
            narrow,
            least: i64::MAX,
        }
    }
}

impl Replica for PairReplica {
    type State = Gains;

    fn walk(
        &mut self,
        is_frozen: bool,
        best: &mut Best<i64>,
        control: &mut Control<'_>,
        stage: &Stage,
        heat: &mut Heat,
        rng: &mut ChaCha8Rng,
    ) {
        let Some(Standing {
            state,
            base,
            mut limits,
        }) = self.narrow.take()
        else {
            return self.wide.walk(is_frozen, best, control, stage, heat, rng);
        };
        let counted = self.least.saturating_sub(base);
        let mut walk = NarrowWalk::resumed(state, is_frozen, counted, &mut self.wide.0, best);
        cool_with(&mut limits, &mut walk, control, stage, heat, rng);
        let (state, kept) = walk.paused();
        self.least = kept.map_or(self.least, |total| self.least.min(base + total));
        self.narrow = Some(Standing { state, base, limits });
    }

    fn energy(&self) -> (u64, f64) {
        match &self.narrow {
            Some(Standing { state, base, .. }) => (0, (base + state.total()) as f64 / state.grid().factor()),
            None => self.wide.energy(),
        }
    }

    fn trade(&mut self, other: &mut Self) {
        match (&mut self.narrow, &mut other.narrow) {
            // Limits stay where they are, as temperatures do.
            (Some(one), Some(other)) => {
                core::mem::swap(&mut one.state, &mut other.state);
                core::mem::swap(&mut one.base, &mut other.base);
            }
            _ => self.wide.trade(&mut other.wide),
        }
    }

    /// By random moves it would not come further than by its walk, which goes through everything where it is hottest.
    fn forget(&mut self, best: &mut Best<i64>, control: &mut Control<'_>, rng: &mut ChaCha8Rng) {
        if self.narrow.is_none() {
            self.wide.forget(best, control, rng);
        }
    }

    fn state(&mut self) -> &mut Gains {
        &mut self.wide.0
    }
}

#[cfg(test)]
mod tests {
    use matching_core::{CancelToken, cost};
    use rand::{Rng, SeedableRng};

    use super::*;
    use crate::control::{Limits as Budget, Share};
    use crate::groups::Groups;
    use crate::layout::Layout;
    use crate::packing::Shape;
    use crate::pairwise::Grid;
    use crate::partition::Partition;

    fn state(players: usize, pins: &[(usize, usize)], rng: &mut ChaCha8Rng) -> Gains {
        let layout = Layout::new(players, &Groups::of_size(players, 12).expect("groups"), &[], pins);
        let layout = Arc::new(layout.expect("a layout"));
        let table: Vec<i64> = (0..players * players).map(|_| rng.random_range(0..100_000)).collect();
        let cost = cost::from_symmetric_fn(players, |i, j| table[i.min(j) * players + i.max(j)]);
        let grid = Grid::new(&cost, &layout, &|| false).expect("costs are numbers");
        let shape = Shape::find(&layout, &|| false).expect("a packing");
        let first = Partition::new(Arc::clone(&layout), &shape.deal(&layout, rng));
        Gains::new(Arc::new(grid.expect("nobody cancels")), first, CancelToken::new())
    }

    /// Where a replica stands, and what the narrow grid says of it pair by pair.
    fn literal(replica: &PairReplica) -> (Vec<u32>, f64) {
        let standing = replica.narrow.as_ref().expect("swaps alone");
        let mut group_of = replica.wide.0.partition().groups_of().to_vec();
        standing.state.copy_to(&mut group_of);
        let grid = standing.state.grid();
        let pairs = (0..group_of.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let together = pairs.filter(|&(i, j)| group_of[i] == group_of[j]);
        let steps: i64 = together.map(|(i, j)| i64::from(grid.row(i as u32)[j])).sum();
        (group_of, steps as f64 / grid.factor())
    }

    /// Pinned players or none: the energy is that of the grouping through walks and trades, a walk that is not frozen
    /// leaves the best alone, and one that is keeps it at what the wide grid counts.
    #[test]
    fn energies_are_those_of_the_groupings() {
        for pins in [&[][..], &[(0, 1), (40, 2), (41, 2)]] {
            let rng = &mut ChaCha8Rng::seed_from_u64(7);
            let wide = state(48, pins, rng);
            let mut best = Best::of(&wide);
            let heat = |temperature: f64| crate::state::Schedule {
                reach: temperature,
                hot: temperature,
                warm: temperature,
                cold: temperature,
                reheat: None,
                is_wide: false,
            };
            let spread = wide.grid().spread();
            let mut replicas = [
                PairReplica::new(wide.clone(), rng),
                PairReplica::new(state(48, pins, &mut ChaCha8Rng::seed_from_u64(7)), rng),
            ];
            let budget = Budget::default();
            let share = Share {
                work: Some(1 << 20),
                end: None,
            };
            let mut control = Control::new(&budget, std::time::Instant::now(), 0, 1 << 13, share);
            for round in 0..12 {
                let is_frozen = round % 3 == 2;
                for (replica, temperature) in replicas.iter_mut().zip([1.0, 0.6]) {
                    let before = best.rank;
                    let schedule = heat(temperature * spread);
                    let stage = control.stage(0.05);
                    let mut heat = schedule.steady(schedule.hot);
                    replica.walk(is_frozen, &mut best, &mut control, &stage, &mut heat, rng);
                    assert!(is_frozen && best.rank <= before || best.rank == before);
                    assert_eq!(replica.energy(), (0, literal(replica).1));
                }
                let stood = replicas.each_ref().map(literal);
                let [one, other] = &mut replicas;
                one.trade(other);
                assert_eq!(replicas.each_ref().map(literal), [stood[1].clone(), stood[0].clone()]);
                replicas
                    .iter()
                    .for_each(|replica| assert_eq!(replica.energy().1, literal(replica).1));
            }
            let counted = Partition::new(wide.partition().shared_layout(), &best.group_of);
            assert_eq!(best.rank, (0, wide.count(&counted)));
            assert!(best.rank < wide.rank(), "two frozen walks found nothing");
            assert!(pins.iter().all(|&(player, group)| {
                let unit = wide.partition().layout().unit_of()[player];
                best.group_of[unit as usize] == group as u32
            }));
        }
    }
}
