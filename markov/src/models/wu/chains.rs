//! The chains that two policies induce, as the paper prints them: pools of `u` high and `v` low players before the next
//! one joins.

use super::{MOST_PLAYERS, parameter};
use crate::chain::Dtmc;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;
use crate::states::StateIndex;

/// A chain whose states are pools of high and low players.
#[derive(Clone, Debug)]
pub struct PairChain<T = f64> {
    /// The pools `(u, v)`; state 0 is the empty one.
    pub states: StateIndex<(usize, usize)>,
    /// Probabilities of the next pool.
    pub chain: Dtmc<T>,
}

/// The chain of the patient policy on `u + v <= 2n - 1`, and `u + v = 2n` with both odd, word for word as the paper
/// gives its transition probabilities.
///
/// # Errors
/// [`Error::Parameter`] for `n` of zero or more than 1000 (two million pools), and `q` outside of [0, 1].
///
/// # Examples
/// ```
/// use markov::models::wu::patient_chain;
///
/// let patient = patient_chain(2, 0.25)?;
/// assert_eq!(patient.states.len(), 2 * 2 * 3);
/// assert_eq!(patient.chain.periods(), [4]);
/// # Ok::<(), markov::Error>(())
/// ```
pub fn patient_chain<T: Scalar>(n: usize, q: T) -> Result<PairChain<T>, Error> {
    let (high, low) = checked(n, q)?;
    let both_odd = (0..n).map(|k| (2 * k + 1, 2 * n - 2 * k - 1));
    build(smaller_pools(n).chain(both_odd), |(u, v)| {
        if u + v == 2 * n {
            return [((0, 1), high.clone()), ((1, 0), low.clone())];
        }
        let is_full = u + v == 2 * n - 1;
        // With one more high player both numbers are even if u is odd, and a fair game empties the pool.
        let with_high = if is_full && u % 2 == 1 { (0, 0) } else { (u + 1, v) };
        let with_low = if is_full && u % 2 == 0 { (0, 0) } else { (u, v + 1) };
        [(with_high, high.clone()), (with_low, low.clone())]
    })
}

/// The chain of the greedy policy on `u + v <= 2n - 1`: the player who makes `2n` empties the pool.
///
/// # Errors
/// As [`patient_chain`].
pub fn greedy_chain<T: Scalar>(n: usize, q: T) -> Result<PairChain<T>, Error> {
    let (high, low) = checked(n, q)?;
    build(smaller_pools(n), |(u, v)| {
        let is_full = u + v == 2 * n - 1;
        let with_high = if is_full { (0, 0) } else { (u + 1, v) };
        let with_low = if is_full { (0, 0) } else { (u, v + 1) };
        [(with_high, high.clone()), (with_low, low.clone())]
    })
}

/// Pools of fewer than `2n` players, in order of their size.
fn smaller_pools(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..2 * n).flat_map(|size| (0..=size).map(move |u| (u, size - u)))
}

fn checked<T: Scalar>(n: usize, q: T) -> Result<(T, T), Error> {
    if n == 0 || n > MOST_PLAYERS {
        return Err(parameter("n", n as f64, "from 1 to 1000"));
    }
    if !q.is_number() || q < T::zero() || q > T::one() {
        return Err(parameter("q", q.to_float(), "from 0 to 1"));
    }
    let low = T::one() - q.clone();
    Ok((q, low))
}

fn build<T: Scalar>(
    pools: impl Iterator<Item = (usize, usize)>,
    moves: impl Fn((usize, usize)) -> [((usize, usize), T); 2],
) -> Result<PairChain<T>, Error> {
    let mut states = StateIndex::default();
    for pool in pools {
        states.number(&pool);
    }
    let mut rows = Vec::with_capacity(states.len());
    for &pool in states.names() {
        let mut row = Vec::with_capacity(2);
        for (next, probability) in moves(pool) {
            let len = states.len();
            row.push((
                states.find(&next).ok_or(Error::StateOutOfRange { state: len, len })?,
                probability,
            ));
        }
        rows.push(row);
    }
    let chain = Dtmc::new(&Csr::from_rows(states.len(), rows))?;
    Ok(PairChain { states, chain })
}
