//! Chains whose transitions have labels, and how often each label happens.

use core::hash::Hash;

use super::{Limits, StateIndex, breadth_first};
use crate::error::{Error, check_length, check_numbers};
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// A chain that was explored, and the label of each of its transitions: what happens there, such as that a game begins or
/// somebody gives up.
///
/// Labels may be on transitions from a state to itself, which change nothing and still happen, such as that somebody is
/// turned away. Transitions between the same two states keep their labels apart.
#[derive(Clone, Debug)]
pub struct Labelled<S, T, L> {
    /// The states; the first one is where the exploration began.
    pub states: StateIndex<S>,
    /// Rates or probabilities, whichever the steps were given as, of all labels together.
    pub steps: Csr<T>,
    labels: StateIndex<L>,
    /// For each state, where its transitions begin, and how many there are in all.
    starts: Vec<usize>,
    /// The state that a transition leads to, and its label, both by number, and its value.
    transitions: Vec<(u32, u32, T)>,
}

impl<S, T: Scalar, L: Clone + Eq + Hash> Labelled<S, T, L> {
    /// The labels, in the order in which they were met.
    pub fn labels(&self) -> &[L] {
        self.labels.names()
    }

    /// The transitions out of a state as they were listed: the number of the state they lead to, the rate or probability,
    /// and the label.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn transitions(&self, state: usize) -> impl ExactSizeIterator<Item = (usize, &T, &L)> + Clone {
        let range = self.starts[state]..self.starts[state + 1];
        self.transitions[range]
            .iter()
            .map(|(to, label, value)| (*to as usize, value, &self.labels.names()[*label as usize]))
    }

    /// How often a label happens in each state: the sum of the rates, or probabilities, of its transitions; zero where
    /// there are none. As costs these numbers count: [`Passage::totals`](crate::passage::Passage::totals) says how often
    /// it happens until a state is entered, [`Transient::accumulated`](crate::Transient::accumulated) until a time.
    pub fn by_state(&self, label: &L) -> Vec<T> {
        let number = self.labels.find(label);
        let rate = |state: usize| {
            let mut sum = T::zero();
            for (_, of, value) in &self.transitions[self.starts[state]..self.starts[state + 1]] {
                if Some(*of as usize) == number {
                    sum += value;
                }
            }
            sum
        };
        (0..self.starts.len() - 1).map(rate).collect()
    }

    /// How often a label happens on average, per unit of time or per step, where the chain is in each state for these
    /// shares of time, such as those of its stationary distribution. Zero for a label that was never met. Exact for
    /// exact shares and rates.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`]; [`Error::NotADistribution`] for shares of which one is negative or no number, or which
    /// miss one, by more than 1e-9 for floats; [`Error::NotANumber`] for a state where the rates of the label add up to
    /// more than a float holds.
    ///
    /// # Complexity
    /// O(states + transitions).
    pub fn rate(&self, label: &L, shares: &[T]) -> Result<T, Error> {
        check_length("shares of states", self.starts.len() - 1, shares.len())?;
        crate::transient::check_distribution(shares, shares.len())?;
        let by_state = self.by_state(label);
        check_numbers(&by_state)?;
        let mut sum = T::zero();
        for (mut rate, share) in by_state.into_iter().zip(shares) {
            rate *= share;
            sum += &rate;
        }
        Ok(sum)
    }
}

/// As [`explore`](super::explore), and each transition has a label, which is kept.
///
/// # Errors
/// As [`explore`](super::explore).
///
/// # Examples
/// ```
/// use markov::{Ctmc, Limits, Rational, Scalar, explore_labelled};
///
/// #[derive(Clone, PartialEq, Eq, Hash)]
/// enum Event { Joins, Lost, Served }
///
/// // A queue with room for two: arrivals at rate 1, services at rate 2; who finds it full is lost.
/// let r = |value| Rational::ratio(value, 1);
/// let events = |&waiting: &u32| {
///     let arrival = if waiting < 2 { (waiting + 1, r(1), Event::Joins) } else { (waiting, r(1), Event::Lost) };
///     let service = waiting.checked_sub(1).map(|left| (left, r(2), Event::Served));
///     service.into_iter().chain([arrival])
/// };
/// let queue = explore_labelled(0, events, Limits::default())?;
/// let shares = Ctmc::new(&queue.steps)?.stationary()?;
/// // It is full for a seventh of the time.
/// assert_eq!(queue.rate(&Event::Lost, &shares)?, Rational::ratio(1, 7));
/// assert_eq!(queue.rate(&Event::Served, &shares)?, Rational::ratio(6, 7));
/// # Ok::<(), markov::Error>(())
/// ```
pub fn explore_labelled<S, T, L, I>(
    start: S,
    steps: impl FnMut(&S) -> I,
    limits: Limits,
) -> Result<Labelled<S, T, L>, Error>
where
    S: Clone + Eq + Hash,
    T: Scalar,
    L: Clone + Eq + Hash,
    I: IntoIterator<Item = (S, T, L)>,
{
    let mut labels = StateIndex::default();
    let mut starts = vec![0];
    let mut transitions: Vec<(u32, u32, T)> = Vec::new();
    let states = breadth_first(start, steps, limits, |row| {
        let numbered = row
            .into_iter()
            .map(|(to, value, label)| (to as u32, labels.number(&label) as u32, value));
        transitions.extend(numbered);
        starts.push(transitions.len());
    })?;
    let row = |range: &[usize]| {
        let row = &transitions[range[0]..range[1]];
        row.iter().map(|(to, _, value)| (*to as usize, value.clone()))
    };
    let steps = Csr::from_rows(states.len(), starts.windows(2).map(row));
    Ok(Labelled {
        states,
        steps,
        labels,
        starts,
        transitions,
    })
}
