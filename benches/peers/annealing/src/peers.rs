//! The annealing of two crates. Both get the change of a swap without a recount, the whole time for cooling, and some
//! more time before it to count how many steps fit.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ::argmin::core::{CostFunction, Error, Executor, IterState, State, TerminationReason};
use ::argmin::solver::simulatedannealing::{Anneal, SATempFunc, SimulatedAnnealing};
use ::localsearch::optim::{LocalSearchOptimizer, SimulatedAnnealingOptimizer};
use ::localsearch::{LocalsearchError, OptModel};
use benches::groups::GroupInstance;
use ordered_float::NotNan;
use rand::{Rng, SeedableRng};
use rand_of_localsearch::{Rng as LocalsearchRng, RngExt};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::Fault;
use crate::swaps::{Order, Swaps};

/// Steps that are run at first to see how long they take.
const TRIAL: u32 = 50_000;

/// Temperatures at the beginning and the end, in units of what a typical swap changes ([`Swaps::unit`]); geometric
/// between.
#[derive(Clone, Copy)]
pub struct Cooling {
    hot: f64,
    cold: f64,
}

impl Cooling {
    /// The best of two dozen that were tried on 240 players, mostly in one second.
    pub const LOCALSEARCH: Self = Self { hot: 0.4, cold: 0.17 };
    /// Likewise.
    pub const ARGMIN: Self = Self { hot: 0.4, cold: 0.15 };
}

impl FromStr for Cooling {
    type Err = Fault;

    fn from_str(text: &str) -> Result<Self, Fault> {
        let (hot, cold) = text.split_once(',').ok_or("two temperatures, HOT,COLD")?;
        let (hot, cold): (f64, f64) = (hot.parse()?, cold.parse()?);
        if hot.is_finite() && cold > 0.0 && hot >= cold {
            Ok(Self { hot, cold })
        } else {
            Err("temperatures HOT,COLD: positive, and the second no greater".into())
        }
    }
}

impl fmt::Display for Cooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.hot, self.cold)
    }
}

struct Model<'a>(&'a Swaps);

impl OptModel for Model<'_> {
    type ScoreType = NotNan<f64>;
    type SolutionType = Order;
    type TransitionType = ();

    fn generate_random_solution<R: LocalsearchRng>(
        &self,
        rng: &mut R,
    ) -> Result<(Order, NotNan<f64>), LocalsearchError> {
        let order = self.0.shuffled(&mut Xoshiro256PlusPlus::seed_from_u64(rng.random()));
        let cost = self.0.cost(&order);
        Ok((order, not_nan(cost)))
    }

    fn generate_trial_solution<R: LocalsearchRng>(
        &self,
        mut order: Order,
        cost: NotNan<f64>,
        rng: &mut R,
    ) -> (Order, (), NotNan<f64>) {
        let (a, b) = (rng.random_range(0..order.len()), rng.random_range(0..order.len()));
        let change = self.0.change(&order, a, b);
        order.swap(a, b);
        (order, (), cost + not_nan(change))
    }

    // One after the other: one trial a step and one thread leave nothing to share out.
    fn generate_trial_solutions<R: LocalsearchRng + Send>(
        &self,
        order: Order,
        cost: NotNan<f64>,
        rngs: &mut [R],
    ) -> Vec<(Order, (), NotNan<f64>)> {
        let each = rngs.iter_mut();
        each.map(|rng| self.generate_trial_solution(order.clone(), cost, rng))
            .collect()
    }
}

fn not_nan(whole: i64) -> NotNan<f64> {
    NotNan::new(whole as f64).expect("whole numbers are numbers")
}

/// One trial a step, temperatures changed every hundred steps as in the crate's own example.
pub fn localsearch(swaps: &Swaps, cooling: Cooling, seconds: f64, seed: u64) -> Result<f64, Fault> {
    const OFTEN: NonZero<usize> = NonZero::new(100).unwrap();
    let model = Model(swaps);
    let run = |steps: usize, factor: f64| {
        let never = usize::MAX;
        SimulatedAnnealingOptimizer::new(never, 1, never, 1.0 / (cooling.hot * swaps.unit()), factor, OFTEN)
            .with_seed(seed)
            .run(&model, None, steps, Duration::from_secs_f64(seconds))
    };
    let begun = Instant::now();
    run(TRIAL as usize, 1.0)?;
    let steps = f64::from(TRIAL) * seconds / begun.elapsed().as_secs_f64();
    let (order, _) = run(usize::MAX, (cooling.hot / cooling.cold).powf(100.0 / steps))?;
    Ok(GroupInstance::gain(swaps.cost(&order) as f64))
}

/// An order with its cost: the crate asks for the cost of what it is given, and not for that of a change.
type Priced = (Order, f64);

struct Annealed<'a> {
    swaps: &'a Swaps,
    rng: Mutex<Xoshiro256PlusPlus>,
}

impl CostFunction for Annealed<'_> {
    type Param = Priced;
    type Output = f64;

    fn cost(&self, (_, cost): &Priced) -> Result<f64, Error> {
        Ok(*cost)
    }
}

impl Anneal for Annealed<'_> {
    type Param = Priced;
    type Output = Priced;
    type Float = f64;

    fn anneal(&self, (order, cost): &Priced, _temperature: f64) -> Result<Priced, Error> {
        let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
        let (a, b) = (rng.random_range(0..order.len()), rng.random_range(0..order.len()));
        let cost = cost + self.swaps.change(order, a, b) as f64;
        let mut order = order.clone();
        order.swap(a, b);
        Ok((order, cost))
    }
}

/// One swap a step. This crate takes worse ones with probability `1 / (1 + exp(change / T))`.
pub fn argmin(swaps: &Swaps, cooling: Cooling, seconds: f64, seed: u64) -> Result<f64, Fault> {
    let run = |steps: u64, factor: f64| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let order = swaps.shuffled(&mut rng);
        let cost = swaps.cost(&order) as f64;
        let solver = SimulatedAnnealing::new_with_rng(cooling.hot * swaps.unit(), rng.clone())?
            .with_temp_func(SATempFunc::Exponential(factor));
        // The draws that choose swaps are not those that accept them.
        rng.jump();
        let begin = |state: IterState<Priced, (), (), (), (), f64>| state.param((order, cost)).max_iters(steps);
        Executor::new(Annealed { swaps, rng: rng.into() }, solver)
            .configure(begin)
            .timeout(Duration::from_secs_f64(seconds))
            .run()
    };
    let begun = Instant::now();
    run(u64::from(TRIAL), 1.0)?;
    let steps = f64::from(TRIAL) * seconds / begun.elapsed().as_secs_f64();
    let found = run(u64::MAX, (cooling.cold / cooling.hot).powf(1.0 / steps))?;
    let state = found.state();
    if state.get_termination_reason() != Some(&TerminationReason::Timeout) {
        return Err("argmin ended before its time".into());
    }
    let (order, _) = state.get_best_param().ok_or("argmin found nothing")?;
    Ok(GroupInstance::gain(swaps.cost(order) as f64))
}
