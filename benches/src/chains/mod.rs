//! Markov chains and decision processes to solve, each seeded and defined once, as plain arrays that any solver can
//! take.

mod files;

pub use files::{read, read_floats, write, write_floats};

use markov::mdp::Mdp;
use markov::models::wu::patient_chain;
use markov::{Csr, Ctmc, Error};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Moves out of each state of a random chain.
const MOVES: usize = 10;
/// Actions of each state of a random process, and successors of each action.
const ACTIONS: usize = 4;
const SUCCESSORS: usize = 5;
/// Probability of a high player in the patient pool.
const HIGH: f64 = 0.3;

/// The rows of a sparse matrix one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Where each row starts, and the number of all entries.
    pub starts: Vec<u64>,
    /// Column of each entry.
    pub columns: Vec<u32>,
    /// Value of each entry.
    pub values: Vec<f64>,
}

impl Rows {
    fn collect<R: IntoIterator<Item = (usize, f64)>>(rows: impl IntoIterator<Item = R>) -> Self {
        let mut all = Self {
            starts: vec![0],
            ..Self::default()
        };
        for row in rows {
            for (column, value) in row {
                all.columns.push(column as u32);
                all.values.push(value);
            }
            all.starts.push(all.columns.len() as u64);
        }
        all
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        let columns = self.columns[range.clone()].iter();
        columns
            .map(|&column| column as usize)
            .zip(self.values[range].iter().copied())
    }

    fn matrix(&self, width: usize) -> Csr<f64> {
        Csr::from_rows(width, (0..self.len()).map(|row| self.row(row)))
    }
}

/// What is to be solved.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The stationary distribution of a chain in continuous time, given by its rates between different states.
    Stationary(Rows),
    /// The least discounted costs of a process.
    Discounted(Process),
}

/// A decision process with costs to be minimised.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    /// How much a cost counts one step ahead.
    pub discount: f64,
    /// First action of each state, and the number of all actions.
    pub actions: Vec<u64>,
    /// Probabilities of the next state, a row per action.
    pub moves: Rows,
    /// Cost of each action.
    pub costs: Vec<f64>,
}

impl Process {
    /// The process as the solver takes it.
    ///
    /// # Errors
    /// As [`Mdp::from_parts`].
    pub fn build(&self) -> Result<Mdp, Error> {
        let starts: Vec<usize> = self.actions.iter().map(|&start| start as usize).collect();
        Mdp::from_parts(starts, self.moves.matrix(self.actions.len() - 1), self.costs.clone())
    }
}

/// The chain with these rates, as the solver takes it.
///
/// # Errors
/// As [`Ctmc::new`].
pub fn chain(rates: &Rows) -> Result<Ctmc, Error> {
    Ctmc::try_from(rates.matrix(rates.len()))
}

/// Births and deaths at rates over six orders of magnitude.
pub fn birth_death(states: usize) -> Rows {
    let up = |i: usize| 10_f64.powf(3.0 * (i as f64).sin());
    let down = |i: usize| 10_f64.powf(3.0 * (1.7 * i as f64).cos());
    Rows::collect((0..states).map(|i| {
        let death = i.checked_sub(1).map(|to| (to, down(i)));
        death.into_iter().chain((i + 1 < states).then(|| (i + 1, up(i))))
    }))
}

/// The stationary distribution of [`birth_death`] from products of ratios in twice the precision.
pub fn birth_death_known(rates: &Rows) -> Vec<f64> {
    let rate = |from, to| {
        rates
            .row(from)
            .find(|&(column, _)| column == to)
            .map_or(0.0, |(_, rate)| rate)
    };
    let mut weights = vec![(1.0, 0.0)];
    for state in 1..rates.len() {
        let flow = product(weights[state - 1], rate(state - 1, state));
        weights.push(ratio(flow, rate(state, state - 1)));
    }
    let sum: f64 = weights.iter().map(|weight| weight.0).sum();
    weights.iter().map(|weight| weight.0 / sum).collect()
}

/// A number of twice the precision, as a sum, times a float.
fn product((high, low): (f64, f64), factor: f64) -> (f64, f64) {
    let first = high * factor;
    let second = high.mul_add(factor, -first) + low * factor;
    (first + second, second - ((first + second) - first))
}

fn ratio((high, low): (f64, f64), divisor: f64) -> (f64, f64) {
    let first = high / divisor;
    let second = ((-first).mul_add(divisor, high) + low) / divisor;
    (first + second, second - ((first + second) - first))
}

/// The pool of players of two kinds who wait for balanced games of teams of `n`, one step per unit of time.
///
/// # Errors
/// As [`patient_chain`].
pub fn patient_pool(n: usize) -> Result<Rows, Error> {
    let pool = patient_chain(n, HIGH)?.chain;
    let moves = pool.moves();
    let row = |state| moves.row(state).map(|(to, &probability)| (to, probability));
    Ok(Rows::collect((0..pool.len()).map(row)))
}

/// The stationary distribution of [`patient_pool`] in closed form.
///
/// A pool of `k` players is as likely as any other size. Half of the time it began empty, and then `k` independent
/// players have joined; else it began with one player left, who is of the kind with the other one's probability.
///
/// # Errors
/// As [`patient_chain`].
pub fn patient_pool_known(n: usize) -> Result<Vec<f64>, Error> {
    let mut by_size = vec![(vec![1.0], vec![0.5, 0.5])];
    // Binomial probabilities of numbers of high players, by size; all terms are positive.
    let mut begun_with_one = vec![HIGH, 1.0 - HIGH];
    let mut begun_empty = joined(&[1.0]);
    for _ in 1..=2 * n {
        let next = (joined(&begun_empty), joined(&begun_with_one));
        by_size.push((begun_empty, begun_with_one));
        (begun_empty, begun_with_one) = next;
    }
    let states = patient_chain(n, HIGH)?.states;
    let per_size = 0.5 / n as f64;
    let known = states.names().iter().map(|&(high, low)| {
        let (empty, one) = &by_size[high + low];
        match high + low {
            0 => 0.5 * per_size,
            _ => 0.5 * per_size * (empty[high] + one[high]),
        }
    });
    Ok(known.collect())
}

/// Probabilities of the number of high players once another player has joined.
fn joined(counts: &[f64]) -> Vec<f64> {
    let mut next = vec![0.0; counts.len() + 1];
    for (high, probability) in counts.iter().enumerate() {
        next[high] += (1.0 - HIGH) * probability;
        next[high + 1] += HIGH * probability;
    }
    next
}

/// Ten moves out of each state at random rates, one of them to the next state, so that all states are one class.
pub fn random_chain(states: usize, seed: u64) -> Rows {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Rows::collect((0..states).map(|state| {
        let row: [(usize, f64); MOVES] = core::array::from_fn(|at| {
            let step = if at == 0 { 1 } else { rng.random_range(1..states) };
            ((state + step) % states, rng.random_range(0.01..1.0))
        });
        row
    }))
}

/// Four actions in each state, five successors each, all at random.
pub fn random_process(states: usize, discount: f64, seed: u64) -> Process {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let moves = Rows::collect((0..states * ACTIONS).map(|_| {
        let weights: [f64; SUCCESSORS] = core::array::from_fn(|_| rng.random_range(0.01..1.0));
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| (rng.random_range(0..states), weight / sum))
    }));
    Process {
        discount,
        actions: (0..=states).map(|state| (state * ACTIONS) as u64).collect(),
        moves,
        costs: (0..states * ACTIONS).map(|_| rng.random()).collect(),
    }
}

#[cfg(test)]
mod tests;
