use std::sync::Arc;
use std::time::{Duration, Instant};

use matching_core::CostValue;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::best::Best;
use crate::control::{Control, Limits};
use crate::error::Error;
use crate::instance::{Costs, Instance};
use crate::packing;
use crate::pairwise::{Gains, Grid, anneal};
use crate::partition::Partition;
use crate::state::State;

pub fn probe<V: CostValue>(instance: &Instance<'_, V>, time: f64, seed: u64, hot: f64, cold: f64, cycles: usize, hot2: f64) -> Result<(f64, u64), Error> {
    let Costs::Pairs(cost) = instance.costs else { return Err(Error::Empty) };
    let grid = Arc::new(Grid::new(cost, instance.layout())?);
    let start = Instant::now();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let group_of = packing::pack(instance.layout(), &mut rng)?;
    let mut state = Gains::new(grid, Partition::new(Arc::clone(instance.layout()), &group_of));
    let limits = Limits { time: Some(Duration::from_secs_f64(time)), ..Limits::default() };
    let mut control = Control::new(&limits, start, 0, 1 << 16);
    let mut best = Best::of(&state);
    for cycle in 0..cycles {
        let stage = control.share(1.0 / (cycles - cycle) as f64);
        if cycle > 0 { state.reset(&best.group_of); }
        anneal(&mut state, &mut best, &mut control, &stage, (if cycle == 0 { hot } else { hot2 }, cold), &mut rng);
    }
    Ok((state.in_costs(best.rank.1), control.work()))
}
