//! States with names, and chains explored from where they start.

mod labels;

use core::hash::Hash;
use std::collections::HashMap;

use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

pub use labels::{Labelled, explore_labelled};

/// A numbering of named states, in the order in which they were met.
#[derive(Clone, Debug)]
pub struct StateIndex<S> {
    names: Vec<S>,
    numbers: HashMap<S, usize>,
}

impl<S: Clone + Eq + Hash> Default for StateIndex<S> {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl<S: Clone + Eq + Hash> StateIndex<S> {
    /// Of one state.
    pub(crate) fn of(first: S) -> Self {
        Self {
            names: vec![first.clone()],
            numbers: HashMap::from([(first, 0)]),
        }
    }

    /// The number of a state, a new one if it was not met before.
    pub fn number(&mut self, state: &S) -> usize {
        if let Some(&number) = self.numbers.get(state) {
            return number;
        }
        let number = self.names.len();
        self.names.push(state.clone());
        self.numbers.insert(state.clone(), number);
        number
    }

    /// The number of a state that was met.
    pub fn find(&self, state: &S) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    /// The names of all states, by number.
    pub fn names(&self) -> &[S] {
        &self.names
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether no state was met.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// How large an explored chain, or an explored decision process, may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// States.
    pub states: usize,
    /// Transitions as they are listed, before those between the same two states are added up. Zeros are none, and
    /// each state may list as many of them besides.
    pub transitions: usize,
}

impl Default for Limits {
    /// Ten million states, a hundred million transitions.
    fn default() -> Self {
        Self {
            states: 10_000_000,
            transitions: 100_000_000,
        }
    }
}

impl Limits {
    fn check(&self, states: usize, transitions: usize) -> Result<(), Error> {
        match self.passed(states, transitions) {
            Some((what, limit)) => Err(Error::TooLarge { what, limit }),
            None => Ok(()),
        }
    }

    /// The limit that these numbers pass, and what it is of.
    pub(crate) fn passed(&self, states: usize, transitions: usize) -> Option<(&'static str, usize)> {
        let counts = [
            ("states", states, self.states),
            ("transitions", transitions, self.transitions),
        ];
        let passed = counts.into_iter().find(|&(_, count, limit)| count > limit);
        passed.map(|(what, _, limit)| (what, limit))
    }
}

/// A chain that was explored: its named states, and the value of each transition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explored<S, T> {
    /// The states; the first one is where the exploration began.
    pub states: StateIndex<S>,
    /// Rates or probabilities, whichever the steps were given as.
    pub steps: Csr<T>,
}

/// Explores a chain breadth-first from a state: `steps` lists the states that a state leads to, with rates or
/// probabilities, added up if one is listed more than once.
///
/// # Errors
/// [`Error::TooLarge`], as soon as a limit is passed: what a state leads to is read no further.
///
/// # Examples
/// ```
/// use markov::{Ctmc, Limits, explore};
///
/// // Players arrive one a minute, and leave in fours.
/// let queue = explore(0, |&waiting| vec![((waiting + 1) % 4, 1.0)], Limits::default())?;
/// assert_eq!(Ctmc::new(&queue.steps)?.len(), 4);
/// # Ok::<(), markov::Error>(())
/// ```
pub fn explore<S, T, I>(start: S, mut steps: impl FnMut(&S) -> I, limits: Limits) -> Result<Explored<S, T>, Error>
where
    S: Clone + Eq + Hash,
    T: Scalar,
    I: IntoIterator<Item = (S, T)>,
{
    let unlabelled = |state: &S| steps(state).into_iter().map(|(to, value)| (to, value, ()));
    let mut rows: Vec<Vec<(usize, T)>> = Vec::new();
    let states = breadth_first(start, unlabelled, limits, |row| {
        rows.push(row.into_iter().map(|(to, value, ())| (to, value)).collect());
    })?;
    let steps = Csr::from_rows(states.len(), rows);
    Ok(Explored { states, steps })
}

/// Lists what each state leads to, in the order in which they are met.
fn breadth_first<S, T, L, I>(
    start: S,
    mut steps: impl FnMut(&S) -> I,
    limits: Limits,
    mut found: impl FnMut(Vec<(usize, T, L)>),
) -> Result<StateIndex<S>, Error>
where
    S: Clone + Eq + Hash,
    T: Scalar,
    I: IntoIterator<Item = (S, T, L)>,
{
    let mut states = StateIndex::of(start);
    let (mut rows, mut transitions) = (0, 0);
    limits.check(states.len(), transitions)?;
    while rows < states.len() {
        let state = states.names()[rows].clone();
        let (mut row, mut zeros) = (Vec::new(), 0);
        // A row may be longer than all that is allowed, or never end.
        for (to, value, label) in steps(&state) {
            // They are no transitions, and may never end either.
            if value.is_zero() {
                zeros += 1;
                limits.check(states.len(), zeros)?;
                continue;
            }
            row.push((states.number(&to), value, label));
            transitions += 1;
            limits.check(states.len(), transitions)?;
        }
        found(row);
        rows += 1;
    }
    Ok(states)
}
