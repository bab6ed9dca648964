//! What the chains and the process say, in fractions.

use std::collections::BTreeSet;

use super::{At, whole};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::mdp::{AverageSolution, PolicyIteration};
use crate::models::wu::{PairChain, PoolProcess, Splits, TeamPool, greedy_chain, patient_chain};
use crate::passage::Passage;
use crate::scalar::Rational;
use crate::sparse::Csr;
use crate::states::Limits;

/// The process of a point; its cap is the smallest that allows patience, unless the point names one as `M`.
pub(super) fn process(at: &At) -> Result<PoolProcess<Rational>, Error> {
    process_with(at, Splits::Fairest)
}

pub(super) fn process_with(at: &At, splits: Splits) -> Result<PoolProcess<Rational>, Error> {
    let n = at.n();
    let cap = at.count("M").max(2 * n + 1);
    let pool = TeamPool::new(n, at.q(), at.alpha(), cap)?;
    pool.splits(splits).process(Limits::default())
}

/// The best of all policies, by policy iteration in fractions.
pub(super) fn best(process: &PoolProcess<Rational>) -> Result<AverageSolution<Rational>, Error> {
    PolicyIteration::new().start(process.greedy()).average(process.mdp())
}

/// The least average cost: the bound below all policies that the values of the best one prove.
pub(super) fn least_cost(process: &PoolProcess<Rational>) -> Result<Rational, Error> {
    Ok(best(process)?.verify(process.mdp())?.lower().clone())
}

pub(super) fn greedy_cost(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    process.average_cost(&process.greedy())
}

pub(super) fn patient_cost(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    process.average_cost(&process.patient())
}

/// What the greedy policy costs beyond the best one.
pub(super) fn greedy_excess(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    Ok(process.average_cost(&process.greedy())? - least_cost(&process)?)
}

/// What the patient policy costs beyond the best one.
pub(super) fn patient_excess(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    Ok(process.average_cost(&process.patient())? - least_cost(&process)?)
}

/// Pools before the next player joins, under the patient policy of the process in the long run, each with the pools
/// after the next decision.
pub(super) fn induced_moves(at: &At) -> Result<BTreeSet<(Pool, Pool, Rational)>, Error> {
    let process = process(at)?;
    let policy = process.patient();
    let left = |state: usize| {
        let left = &process.decisions(state)[policy[state]].left;
        (left[0], left[1])
    };
    let shares = process.chain(&policy)?.stationary()?;
    let mut moves = BTreeSet::new();
    for state in (0..shares.len()).filter(|&state| shares[state] > whole(0)) {
        for (next, probability) in process.mdp().moves(state, policy[state]) {
            moves.insert((left(state), left(next), probability.clone()));
        }
    }
    Ok(moves)
}

/// High and low players.
pub(super) type Pool = (usize, usize);

/// The patient chain in the long run, from the empty pool.
pub(super) struct LongRun {
    pub(super) patient: PairChain<Rational>,
    pub(super) shares: Vec<Rational>,
}

impl LongRun {
    pub(super) fn of(at: &At) -> Result<Self, Error> {
        let patient = patient_chain(at.n(), at.q())?;
        let shares = shares_from_empty(&patient.chain)?;
        Ok(Self { patient, shares })
    }

    /// The share of time in one pool.
    pub(super) fn pool(&self, pool: Pool) -> Rational {
        let state = self.patient.states.find(&pool);
        state.map_or_else(|| whole(0), |state| self.shares[state].clone())
    }

    /// The share of time with so many players.
    pub(super) fn size(&self, size: usize) -> Rational {
        let states = self.patient.states.names().iter().zip(&self.shares);
        let of_size = states.filter(|((u, v), _)| u + v == size);
        of_size.map(|(_, share)| share.clone()).sum()
    }
}

/// Shares of time of a chain that comes back to its state 0. With players of one type there are closed classes of pools
/// that the empty one does not lead to.
fn shares_from_empty(chain: &Dtmc<Rational>) -> Result<Vec<Rational>, Error> {
    let closed = chain.classes().closed();
    let class = closed
        .into_iter()
        .find(|class| class.contains(&0))
        .ok_or(Error::NoStates)?;
    let place = |state: usize| class.binary_search(&state).ok();
    let rows = class.iter().map(|&state| {
        let moves = chain
            .moves()
            .row(state)
            .map(|(to, probability)| (to, probability.clone()));
        let moves = moves.chain([(state, chain.stay()[state].clone())]);
        moves
            .filter_map(|(to, probability)| Some((place(to)?, probability)))
            .collect::<Vec<_>>()
    });
    let within = Dtmc::new(&Csr::from_rows(class.len(), rows))?.stationary()?;
    let mut shares = vec![whole(0); chain.len()];
    for (&state, share) in class.iter().zip(within) {
        shares[state] = share;
    }
    Ok(shares)
}

/// The probability of getting from a pool of one player to `2n` players of two odd numbers, before the pool is empty.
pub(super) fn chance_of_odd(at: &At, start: Pool) -> Result<Rational, Error> {
    let PairChain { states, chain } = patient_chain(at.n(), at.q())?;
    let size = |state: usize| states.names()[state].0 + states.names()[state].1;
    let is_odd = |&state: &usize| size(state) == 2 * at.n();
    let target: Vec<usize> = (0..states.len()).filter(|state| *state == 0 || is_odd(state)).collect();
    // The expected number of steps into the target that lead there by odd numbers.
    let into_odd = |state: usize| {
        let moves = chain.moves().row(state).filter(|(to, _)| is_odd(to));
        moves.map(|(_, probability)| probability.clone()).sum::<Rational>()
    };
    let chances = Passage::dtmc(&chain, &target)?.totals(&(0..states.len()).map(into_odd).collect::<Vec<_>>())?;
    let start = states.find(&start);
    Ok(start.map_or_else(|| whole(0), |start| chances[start].clone()))
}

/// Expected total per cycle of the greedy chain, from the empty pool to the empty pool, of a cost per period by the
/// number of players who wait through it.
pub(super) fn greedy_cycle(at: &At, cost: impl Fn(usize) -> Rational) -> Result<Rational, Error> {
    let PairChain { states, chain } = greedy_chain(at.n(), at.q())?;
    let costs: Vec<Rational> = states.names().iter().map(|(u, v)| cost(u + v)).collect();
    let totals = Passage::dtmc(&chain, &[0])?.totals(&costs)?;
    let later = chain.moves().row(0).map(|(to, probability)| probability * &totals[to]);
    Ok(costs[0].clone() + later.sum::<Rational>())
}
