//! What is solved, and by whom.

use benches::chains::{self, Problem};
use markov::Error;

const SEED: u64 = 1;
/// What birth-death chains and pools are small enough for a dense peer.
const SMALL_CHAIN: usize = 1_000;
const TEAM_SIZES: [usize; 3] = [20, 60, 200];
const DISCOUNTS: [f64; 2] = [0.95, 0.99];

/// One problem to generate.
pub(crate) enum Task {
    BirthDeath(usize),
    PatientPool(usize),
    RandomChain(usize),
    RandomProcess(usize, f64),
}

/// A problem, and its answer where one is known otherwise.
pub(crate) struct Instance {
    pub(crate) problem: Problem,
    pub(crate) known: Option<Vec<f64>>,
}

impl Task {
    /// All problems for these numbers of states; pools have sizes of their own.
    pub(crate) fn all(sizes: &[usize]) -> Vec<Self> {
        let mut all = vec![Self::BirthDeath(SMALL_CHAIN)];
        all.extend(sizes.iter().copied().map(Self::BirthDeath));
        all.extend(TEAM_SIZES.map(Self::PatientPool));
        all.extend(sizes.iter().copied().map(Self::RandomChain));
        for &size in sizes {
            all.extend(DISCOUNTS.map(|discount| Self::RandomProcess(size, discount)));
        }
        all
    }

    pub(crate) fn family(&self) -> &'static str {
        match self {
            Self::BirthDeath(_) => "birth-death",
            Self::PatientPool(_) => "patient-pool",
            Self::RandomChain(_) => "random",
            Self::RandomProcess(..) => "discounted",
        }
    }

    /// Family, parameters and number of states.
    pub(crate) fn name(&self, instance: &Instance) -> String {
        let family = self.family();
        match (self, &instance.problem) {
            (Self::PatientPool(n), Problem::Stationary(rates)) => format!("{family} n = {n}, {} states", rates.len()),
            (Self::RandomProcess(states, discount), _) => format!("{family} {discount}, {states} states"),
            (Self::BirthDeath(size) | Self::RandomChain(size) | Self::PatientPool(size), _) => {
                format!("{family}, {size} states")
            }
        }
    }

    /// Methods of the Python script.
    pub(crate) fn peers(&self) -> &'static [&'static str] {
        match self {
            Self::RandomProcess(..) => &[
                "quantecon-modified-policy-iteration",
                "quantecon-value-iteration",
                "stormpy-value-iteration",
            ],
            _ => &[
                "scipy-splu",
                "scipy-splu-reduced",
                "scipy-power",
                "quantecon-gth",
                "stormpy-lu",
                "stormpy-gmres",
                "stormpy-iteration",
            ],
        }
    }

    pub(crate) fn instance(&self) -> Result<Instance, Error> {
        Ok(match *self {
            Self::BirthDeath(states) => {
                let rates = chains::birth_death(states);
                let known = Some(chains::birth_death_known(&rates));
                let problem = Problem::Stationary(rates);
                Instance { problem, known }
            }
            Self::PatientPool(n) => Instance {
                problem: Problem::Stationary(chains::patient_pool(n)?),
                known: Some(chains::patient_pool_known(n)?),
            },
            Self::RandomChain(states) => Instance {
                problem: Problem::Stationary(chains::random_chain(states, SEED)),
                known: None,
            },
            Self::RandomProcess(states, discount) => Instance {
                problem: Problem::Discounted(chains::random_process(states, discount, SEED)),
                known: None,
            },
        })
    }
}
