//! Frequencies of actions, and the policy that has them.

use super::policy::RandomPolicy;
use super::scaled::size;
use super::{Criterion, Program};
use crate::budget::{Meter, OrStopped, Stopped};
use crate::chain::Dtmc;
use crate::elimination::{FILL, Room};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::discounted::ending;
use crate::mdp::unit::Unit;
use crate::stationary::{distribution, long_run};

/// Frequencies and chances below this part of one, and of the chances of a state, are roundings of the simplex method.
pub(super) const DUST: f64 = 1e-9;
/// The policy has the frequencies if those of each state differ by no more than this part of all.
pub(super) const SAME: f64 = 1e-6;

/// A policy breaks a limit if it does by more than this part of what the limit and its terms add up to in size.
const BROKEN: f64 = 1e-6;

/// How often actions are taken: per step in the long run, or, discounted, how many times in all where the time `k`
/// steps ahead counts `discount^k` times.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Frequencies {
    pub(super) starts: Vec<usize>,
    pub(super) frequencies: Vec<f64>,
    pub(super) cost: f64,
    pub(super) policy: Option<RandomPolicy>,
}

impl Frequencies {
    /// What they cost: per step in the long run, or discounted in all.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// How often each action of a state is taken.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn of_state(&self, state: usize) -> &[f64] {
        &self.frequencies[self.starts[state]..self.starts[state + 1]]
    }

    /// The stationary policy that has these frequencies, which was checked by the chain that it makes; states that the
    /// start never leads to take any action.
    ///
    /// There always is one for discounted costs, and where all policies have one closed class. Else it may be `None`
    /// where there are limits: the frequencies are then those of several policies without chance, one of which is drawn
    /// once, at the start; limits hold to a millionth of their largest weight and all time. It is `None` as well for
    /// [`Program::average`] where no policy leads from all states to the best ones.
    pub fn policy(&self) -> Option<&RandomPolicy> {
        self.policy.as_ref()
    }

    /// From frequencies, and how often actions are taken on the way to where the process stays.
    pub(super) fn new(
        program: &Program<'_>,
        mut frequencies: Vec<f64>,
        on_the_way: &[f64],
        meter: &Meter<'_>,
    ) -> Result<Self, Error> {
        let mdp = program.mdp;
        let mut policy =
            weights(program, &frequencies, on_the_way).map(|weights| RandomPolicy::of_weights(&mdp.starts, weights));
        if let Some(found) = &policy {
            let (chain, _) = found.chain(mdp)?;
            match visits(program, &chain, meter)?.filter(|visits| is_same(program, visits, &frequencies)) {
                // State elimination is more accurate than the simplex method.
                Some(visits) => {
                    for (state, visits) in visits.iter().enumerate() {
                        for (row, chance) in mdp.rows_of(state).zip(found.chances(state)) {
                            frequencies[row] = visits * chance;
                        }
                    }
                }
                None => policy = None,
            }
        }
        let accuracy = match &policy {
            Some(_) => Accuracy::Relative,
            None => Accuracy::Absolute,
        };
        if !is_all_time(program, &frequencies) || is_any_broken(program, &frequencies, accuracy) {
            return Err(Error::LinearProgram);
        }
        let unit = Unit::of(mdp);
        let cost = unit.back(cost(mdp, unit, &frequencies).0);
        if !cost.is_finite() {
            let terms = mdp
                .costs
                .iter()
                .zip(&frequencies)
                .map(|(cost, frequency)| (cost * frequency).abs());
            let largest = terms
                .enumerate()
                .fold((0, 0.0), |most, term| if term.1 > most.1 { term } else { most });
            let state = mdp.state_of(largest.0);
            return Err(Error::NotANumber { from: state, to: state });
        }
        Ok(Self {
            starts: mdp.starts.clone(),
            cost,
            frequencies,
            policy,
        })
    }
}

/// What frequencies cost, and the sum of absolute terms, in a unit.
pub(super) fn cost(mdp: &Mdp<f64>, unit: Unit, frequencies: &[f64]) -> (f64, f64) {
    let terms = mdp.costs.iter().zip(frequencies);
    let terms = terms.map(|(cost, frequency)| unit.time(cost) * frequency);
    terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()))
}

/// What the chances of actions are in proportion to: frequencies, or where there are none, those on the way.
fn weights(program: &Program<'_>, frequencies: &[f64], on_the_way: &[f64]) -> Option<Vec<f64>> {
    let mdp = program.mdp;
    let mut weights = vec![0.0; frequencies.len()];
    let (mut visited, mut others) = (Vec::new(), Vec::new());
    for state in 0..mdp.len() {
        let rows = mdp.rows_of(state);
        let of_state = |of: &[f64]| {
            let own = of.get(rows.clone())?;
            let sum: f64 = own.iter().sum();
            // Rare states have small frequencies, all of which may count.
            let kept = own.iter().map(|&weight| if weight > DUST * sum { weight } else { 0.0 });
            (sum > DUST).then(|| kept.collect::<Vec<f64>>())
        };
        match of_state(frequencies).or_else(|| of_state(on_the_way)) {
            Some(kept) => {
                weights[rows.clone()].copy_from_slice(&kept);
                visited.push(state);
            }
            None => others.push(state),
        }
    }
    // The rest is led to what is visited, where that counts, and takes its first action elsewhere.
    let mut actions = vec![0; mdp.len()];
    if program.criterion == Criterion::Average {
        mdp.lead_to(&visited, &mut actions).ok()?;
    }
    for state in others {
        weights[mdp.starts[state] + actions[state]] = 1.0;
    }
    Some(weights)
}

/// How often the states of a chain are visited; `None` where that depends on a start that is not looked at.
///
/// # Errors
/// [`Error::Stopped`].
pub(super) fn visits(program: &Program<'_>, chain: &Dtmc<f64>, meter: &Meter<'_>) -> Result<Option<Vec<f64>>, Error> {
    let found = match program.criterion {
        Criterion::Average => distribution(chain.moves(), meter),
        Criterion::Multichain => long_run(chain.moves(), &program.start, meter),
        Criterion::Discounted(discount) => {
            let solver = ending(chain.moves(), &discount, Room::new(FILL, meter));
            solver.and_then(|solver| Ok(solver.visits(program.start.clone(), meter).or_stopped()?.rounded()))
        }
    };
    match found {
        Ok(visits) => Ok(Some(visits)),
        Err(Error::Stopped(stopped)) => Err(Stopped {
            best: Vec::new(),
            iterations: 0,
            ..*stopped
        }
        .error()),
        Err(_) => Ok(None),
    }
}

/// What frequencies add up to.
pub(super) fn all_time(program: &Program<'_>) -> f64 {
    match program.criterion {
        Criterion::Average | Criterion::Multichain => 1.0,
        Criterion::Discounted(discount) => 1.0 / (1.0 - discount),
    }
}

/// Whether frequencies add up to that: the simplex method has met equations that cannot be, but for what it does not
/// see, with no frequencies at all.
fn is_all_time(program: &Program<'_>, frequencies: &[f64]) -> bool {
    let all = all_time(program);
    (frequencies.iter().sum::<f64>() - all).abs() <= SAME * all
}

/// What frequencies are accurate to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Accuracy {
    /// A part of each, as state elimination has them.
    Relative,
    /// A part of all time, as the simplex method has them.
    Absolute,
}

/// Whether a limit is broken by more than that explains.
fn is_any_broken(program: &Program<'_>, frequencies: &[f64], accuracy: Accuracy) -> bool {
    broken(program, frequencies, accuracy).is_some()
}

/// By how much the first limit is broken that is so by more than that explains.
pub(super) fn broken(program: &Program<'_>, frequencies: &[f64], accuracy: Accuracy) -> Option<f64> {
    program.limits.iter().find_map(|limit| {
        // As parts of the largest number, so that no sum is beyond all floats, and no term below them.
        let largest = size(&limit.weights).max(limit.most.abs());
        let most = limit.most / largest;
        let (mut sum, mut terms) = (0.0, most.abs());
        for (weight, frequency) in limit.weights.iter().zip(frequencies) {
            let term = weight / largest * frequency;
            sum += term;
            terms += term.abs();
        }
        let allowed = match accuracy {
            Accuracy::Relative => BROKEN * terms,
            Accuracy::Absolute => SAME * (size(&limit.weights) / largest) * all_time(program),
        };
        Some(sum - most)
            .filter(|excess| *excess > allowed)
            .map(|excess| excess * largest)
    })
}

/// Whether the states are visited as often as the frequencies say.
fn is_same(program: &Program<'_>, visits: &[f64], frequencies: &[f64]) -> bool {
    let mut states = visits.iter().enumerate();
    states.all(|(state, visits)| {
        let frequency: f64 = frequencies[program.mdp.rows_of(state)].iter().sum();
        (visits - frequency).abs() <= SAME * all_time(program)
    })
}
