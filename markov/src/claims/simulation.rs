//! Simulation as a third opinion, beside the printed and the computed values.
//!
//! The simulations play by the rules of the game and know no chain, so that a mistake in a chain shows as a large `z`.
//! Each is run once for all the claims that read something off it. Its seed is made of the seed given, the name of its
//! model and its parameters: other claims, their order and the number of threads change nothing.

mod measures;

use measures::{Model, Quantity, Who, measure};

use super::{Claim, Estimate, Point};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};
use crate::simulate::{self, BATCHES, Moments, PoolReport, Report, Run};

/// A run whose batches depend on each other is made so many times as long,
const LONGER: u64 = 4;

/// and again, so many times at most: 256 times as long as it was.
const TIMES: u32 = 4;

/// Rarer kinds of players make a run longer, until a batch has so many of them: a spread of batches that have hardly
/// any tells little.
const RAREST_PER_BATCH: f64 = 30.0;

/// Floats that differ by less, relatively, differ by rounding: costs without chance are summed up to full precision but
/// for that.
const ROUNDING: f64 = 1e-12;

/// Fills [`Point::simulated`] of all points whose computed value is something that the simulations of
/// [`crate::simulate`] measure: mean costs of Wu's policies, means and variances of Xu's waits. Other points stay as
/// they are. `z` is about what was computed, never about what is printed; it is infinite where nothing is left to
/// chance and the two differ all the same.
///
/// Each simulation lets `arrivals` players arrive, and up to 256 times as many where one kind of them is rare; and up to 256
/// times as many as that where, near critical loads, what one batch measures depends on the one before, so that its
/// standard error would be too small. Points where that is not enough stay as they are. Those of one seed are the
/// same on any number of threads and for any choice of claims.
///
/// # Errors
/// [`Error::Parameter`] for fewer `arrivals` than [`Run::new`] takes.
///
/// # Complexity
/// O(arrivals) for each of at most some 250 simulations, up to 256 times that where a kind is rare, and up to 340 times that
/// where loads are critical, on all threads of the rayon pool with the feature `rayon`.
///
/// # Examples
/// ```
/// use markov::claims::{self, Paper};
///
/// let mut claims = [claims::find(Paper::Xu, "(1)").expect("a label")];
/// claims::simulate(&mut claims, 34_000, 0)?;
/// for point in &claims[0].points {
///     assert!(point.simulated.expect("a wait").z.abs() < 4.5);
/// }
/// # Ok::<(), markov::Error>(())
/// ```
pub fn simulate(claims: &mut [Claim], arrivals: u64, seed: u64) -> Result<(), Error> {
    Run::new(arrivals, seed)?;
    let mut experiments: Vec<Experiment> = Vec::new();
    let mut readings: Vec<Reading<'_>> = Vec::new();
    for claim in claims {
        let Some((model, quantity)) = measure(claim.paper, claim.label) else {
            continue;
        };
        for point in &mut claim.points {
            let wanted = Experiment::new(model, point);
            let known = experiments.iter().position(|experiment| *experiment == wanted);
            let experiment = known.unwrap_or_else(|| {
                experiments.push(wanted);
                experiments.len() - 1
            });
            readings.push(Reading {
                experiment,
                quantity,
                point,
            });
        }
    }
    let mut wanted: Vec<Vec<Quantity>> = vec![Vec::new(); experiments.len()];
    for reading in &readings {
        wanted[reading.experiment].push(reading.quantity);
    }
    let jobs: Vec<(&Experiment, Vec<Quantity>)> = experiments.iter().zip(wanted).collect();
    let outcomes = run_all(&jobs, arrivals, seed);
    for reading in readings {
        let Ok(outcome) = &outcomes[reading.experiment] else {
            continue;
        };
        let estimate = outcome.read(reading.quantity, &experiments[reading.experiment]);
        let computed = reading.point.computed.float;
        let settled = estimate.filter(simulate::Estimate::is_settled);
        reading.point.simulated = settled.map(|estimate| against(estimate, computed));
    }
    Ok(())
}

/// What a point wants to know from an experiment.
struct Reading<'a> {
    experiment: usize,
    quantity: Quantity,
    point: &'a mut Point,
}

/// An estimate beside a computed value. What correlation of neighbouring batches is left counts as that of a chain whose
/// correlations fall geometrically: sums then have `(1 + r) / (1 - r)` times the variance.
fn against(estimate: simulate::Estimate, computed: f64) -> Estimate {
    let left = estimate.correlation.max(0.0);
    let (mean, error) = (estimate.value, estimate.error * ((1.0 + left) / (1.0 - left)).sqrt());
    let is_rounding = (mean - computed).abs() <= ROUNDING * computed.abs();
    Estimate {
        mean,
        standard_error: error,
        z: if is_rounding { 0.0 } else { (mean - computed) / error },
    }
}

/// A model with its parameters.
#[derive(Clone, Debug, PartialEq)]
struct Experiment {
    model: Model,
    parameters: Vec<Rational>,
}

/// The outcomes of all, in their order.
fn run_all(jobs: &[(&Experiment, Vec<Quantity>)], arrivals: u64, seed: u64) -> Vec<Result<Outcome, Error>> {
    let run = |(experiment, wanted): &(&Experiment, Vec<Quantity>)| experiment.settled(wanted, arrivals, seed);
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        jobs.par_iter().with_max_len(1).map(run).collect()
    }
    #[cfg(not(feature = "rayon"))]
    jobs.iter().map(run).collect()
}

impl Experiment {
    /// The experiment with the parameters of a point.
    fn new(model: Model, point: &Point) -> Self {
        let get = |&name: &&str| {
            let named = point.at.iter().find(|(other, _)| *other == name);
            named.map_or_else(|| Rational::ratio(0, 1), |(_, value)| value.clone())
        };
        let parameters = model.parameters().iter().map(get).collect();
        Self { model, parameters }
    }

    /// A parameter by its place; zero beyond the last.
    fn float(&self, place: usize) -> f64 {
        self.parameters.get(place).map_or(0.0, Scalar::to_float)
    }

    fn count(&self, place: usize) -> usize {
        self.float(place) as usize
    }

    /// A run of so many arrivals, or of more if batches depend on each other in what is wanted.
    ///
    /// # Errors
    /// [`Error::Parameter`] where some kind is so rare that a run would have no end.
    fn settled(&self, wanted: &[Quantity], arrivals: u64, seed: u64) -> Result<Outcome, Error> {
        let least = self.least_arrivals();
        if least > arrivals.saturating_mul(LONGER.pow(TIMES)) {
            let (name, value, expected) = ("arrivals", arrivals as f64, "enough to meet the rarest players");
            return Err(Error::Parameter { name, value, expected });
        }
        let mut arrivals = arrivals.max(least);
        let mut outcome = self.run(arrivals, seed)?;
        for _ in 0..TIMES {
            let is_settled = |&quantity: &Quantity| {
                let estimate = outcome.read(quantity, self);
                estimate.is_none_or(|estimate| estimate.is_settled())
            };
            if wanted.iter().all(is_settled) {
                break;
            }
            arrivals = arrivals.saturating_mul(LONGER);
            outcome = self.run(arrivals, seed)?;
        }
        Ok(outcome)
    }

    fn run(&self, arrivals: u64, seed: u64) -> Result<Outcome, Error> {
        let run = Run::new(arrivals, self.seed(seed))?;
        let [x, y, z] = [0, 1, 2].map(|place| self.float(place));
        Ok(match self.model {
            Model::Pool(policy) => Outcome::Pool(simulate::pool(self.count(0), y, z, policy, run)?),
            Model::Together => Outcome::Queue(simulate::k_player_queue(self.count(0), y, run)?),
            Model::TwoQueues => Outcome::Queue(simulate::two_queues(x, y, run)?),
            Model::Battle(order) => Outcome::Queue(simulate::two_v_two(x, y, order, run)?),
            Model::Sides => Outcome::Queue(simulate::sides(x, y, z, run)?),
            Model::Zones => Outcome::Queue(simulate::two_zones(x, y, z, run)?),
        })
    }

    /// So many arrivals bring enough players of the rarest kind into a batch.
    fn least_arrivals(&self) -> u64 {
        let rates = match self.model {
            Model::Pool(_) => vec![self.float(1), 1.0 - self.float(1)],
            Model::Together => vec![self.float(1)],
            _ => self.parameters.iter().map(Scalar::to_float).collect(),
        };
        let total: f64 = rates.iter().sum();
        let rarest = rates.into_iter().filter(|&rate| rate > 0.0).fold(total, f64::min);
        // Casts of what is too large, or not a number, end at the ends of the integers.
        (RAREST_PER_BATCH * (BATCHES as f64 + 1.0) * total / rarest).ceil() as u64
    }

    /// The seed of this experiment: Fowler, Noll and Vo's hash (FNV-1a) of everything that makes it what it is.
    fn seed(&self, seed: u64) -> u64 {
        let mut text = format!("{seed} {}", self.model.name());
        for parameter in &self.parameters {
            text += &format!(" {parameter}");
        }
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
    }
}

/// What a simulation gives.
#[derive(Clone, Debug)]
enum Outcome {
    Pool(PoolReport),
    Queue(Report),
}

impl Outcome {
    /// A quantity of it; `None` where nobody left, or where it measures no such thing.
    fn read(&self, quantity: Quantity, experiment: &Experiment) -> Option<simulate::Estimate> {
        match self {
            Self::Pool(report) => {
                let cycle = 2.0 * experiment.float(0);
                let times = |estimate: simulate::Estimate| simulate::Estimate {
                    value: cycle * estimate.value,
                    error: cycle * estimate.error,
                    ..estimate
                };
                match quantity {
                    Quantity::Cost => Some(report.cost),
                    Quantity::Waiting => Some(report.waiting_cost),
                    Quantity::WaitingOfCycle => Some(times(report.waiting_cost)),
                    Quantity::Imbalance => Some(report.imbalance_cost),
                    Quantity::ImbalanceOfCycle => Some(times(report.imbalance_cost)),
                    Quantity::Mean(_) | Quantity::Variance(_) => None,
                }
            }
            Self::Queue(report) => {
                let moments = |who| -> Option<Moments> {
                    match who {
                        Who::All => report.all(),
                        Who::Class(class) => report.class(class),
                    }
                };
                match quantity {
                    Quantity::Mean(who) => Some(moments(who)?.mean),
                    Quantity::Variance(who) => Some(moments(who)?.variance),
                    _ => None,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
