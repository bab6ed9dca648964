//! What a stationary policy costs per step, and how much more it costs to start in one state than in another.
//!
//! A chain with one closed class returns to each state of that class. What it costs per step is what it costs between
//! two visits of such a state over the time between them, and both are expected totals of a chain that ends there:
//! state elimination gives them without subtraction.
//!
//! Reference: M. Puterman, "Markov Decision Processes", Wiley 1994, chapter 8, doi:10.1002/9780470316887.

use core::cmp::Reverse;

use crate::budget::OrStopped;
use crate::classify::Classes;
use crate::elimination::{Room, Within};
use crate::error::Error;
use crate::mdp::Mdp;
use crate::mdp::unit::lost_as_size;
use crate::scalar::Scalar;
use crate::sparse::Csr;

/// States that nothing leads out of, and one of them that all lead to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a> {
    pub(crate) states: &'a [usize],
    pub(crate) reference: usize,
}

/// A reference is rare if it is entered once in more steps than so many times the states of its group. Values of floats
/// would be differences of what adds up on such a way.
const RARE: f64 = 1e4;

/// What becomes of references that are rarely entered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rare {
    AreReplaced,
    Stay,
}

/// What an elimination shows.
enum Found<T> {
    Evaluated(Evaluated<T>),
    /// A reference for each group.
    Better(Vec<usize>),
}

/// Gain and bias of a policy.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated<T> {
    /// Of each group.
    pub(crate) gains: Vec<T>,
    /// Zero for the reference of each group, and for states that are in none.
    pub(crate) bias: Vec<T>,
    /// The sizes of what gains and bias are sums of: a float may be off by some roundings of that. Zero where numbers
    /// are exact.
    pub(crate) gain_sizes: Vec<T>,
    pub(crate) bias_sizes: Vec<T>,
}

impl<T> Evaluated<T> {
    /// The gain of the first group.
    pub(crate) fn gain(&self) -> &T {
        &self.gains[0]
    }
}

/// Closed classes, each with its first state.
pub(crate) fn groups(closed: &[Vec<usize>]) -> Vec<Group<'_>> {
    let groups = closed.iter().map(|states| Group {
        states,
        reference: states[0],
    });
    groups.collect()
}

impl<T: Scalar> Mdp<T> {
    /// Gain and bias of a policy. Where it has several closed classes, it is changed first: the cheapest class stays,
    /// and everything else is led there.
    ///
    /// # Errors
    /// [`Error::Multichain`] where that class cannot be reached from everywhere, [`Error::TooLarge`] where an elimination
    /// keeps more entries than there is room for, and [`Error::Stopped`].
    pub(crate) fn evaluate(&self, policy: &mut [usize], room: Room<'_>) -> Result<Evaluated<T>, Error> {
        let mut closed = Classes::of(&self.policy_rows(policy)).closed();
        let class = match closed.len() {
            1 => closed.swap_remove(0),
            _ => {
                let class = self.cheapest(policy, &closed, room)?;
                self.lead_to(&closed[class], policy).map_err(|()| Error::Multichain {
                    representatives: closed.iter().map(|class| class[0]).collect(),
                })?;
                closed.swap_remove(class)
            }
        };
        let all: Vec<usize> = (0..self.len()).collect();
        let group = Group {
            states: &all,
            reference: self.reference(policy, &class),
        };
        self.evaluate_groups(policy, &[group], room)
    }

    pub(crate) fn policy_rows(&self, policy: &[usize]) -> Csr<T> {
        let rows = policy.iter().enumerate().map(|(state, &action)| {
            let moves = self.moves(state, action);
            moves.map(|(to, value)| (to, value.clone())).collect::<Vec<_>>()
        });
        Csr::from_rows(self.len(), rows)
    }

    fn cheapest(&self, policy: &[usize], closed: &[Vec<usize>], room: Room<'_>) -> Result<usize, Error> {
        let gains = self.evaluate_groups(policy, &groups(closed), room)?.gains;
        let mut best = 0;
        for (at, gain) in gains.iter().enumerate() {
            if *gain < gains[best] {
                best = at;
            }
        }
        Ok(best)
    }

    /// The state of a class that most others lead to: without it, little is left to fill.
    fn reference(&self, policy: &[usize], class: &[usize]) -> usize {
        let mut visits = vec![0_u32; self.len()];
        for &state in class {
            for (to, _) in self.moves(state, policy[state]).filter(|&(to, _)| to != state) {
                visits[to] += 1;
            }
        }
        // The first of several: processes mostly begin with states where they often are.
        let most = class
            .iter()
            .copied()
            .max_by_key(|&state| (visits[state], Reverse(state)));
        most.unwrap_or(class[0])
    }

    /// Gain and bias on groups that have no state in common: by one elimination, as there may be as many groups as states,
    /// and by a second one where floats took states for references that are rarely entered.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where the elimination keeps more entries than there is room for, and [`Error::Stopped`].
    pub(crate) fn evaluate_groups(
        &self,
        policy: &[usize],
        groups: &[Group<'_>],
        room: Room<'_>,
    ) -> Result<Evaluated<T>, Error> {
        match self.evaluate_from(policy, groups, Rare::AreReplaced, room)? {
            Found::Evaluated(evaluated) => Ok(evaluated),
            Found::Better(references) => {
                let states = groups.iter().map(|group| group.states);
                let groups = states
                    .zip(references)
                    .map(|(states, reference)| Group { states, reference });
                match self.evaluate_from(policy, &groups.collect::<Vec<_>>(), Rare::Stay, room)? {
                    Found::Evaluated(evaluated) => Ok(evaluated),
                    Found::Better(_) => unreachable!("references stay"),
                }
            }
        }
    }

    /// As [`Mdp::evaluate_groups`], by one elimination, or better references in place of those that are rarely entered.
    fn evaluate_from(
        &self,
        policy: &[usize],
        groups: &[Group<'_>],
        rare: Rare,
        room: Room<'_>,
    ) -> Result<Found<T>, Error> {
        let others = |group: &Group<'_>| {
            let reference = group.reference;
            let states = group.states.iter().copied();
            states.filter(move |&state| state != reference).collect::<Vec<_>>()
        };
        let others = groups.iter().flat_map(others).collect();
        let others = Within::new(self.len(), others, |state| self.moves(state, policy[state]), room)?;
        let cost = |state: usize| self.cost(state, policy[state]).clone();
        let costs = others.totals(cost, room.meter).or_stopped()?;
        let times = others.totals(|_| T::one(), room.meter).or_stopped()?;
        // From the reference until it is entered again.
        let round = |reference: usize, first: T, totals: &[T]| {
            let mut sum = first;
            for (to, rate) in self.moves(reference, policy[reference]) {
                if let Some(at) = others.number[to] {
                    sum += &(rate.clone() * &totals[at]);
                }
            }
            sum
        };
        let rounds = groups.iter().map(|group| round(group.reference, T::one(), &times));
        let rounds: Vec<T> = rounds.collect();
        if !T::EXACT && rare == Rare::AreReplaced {
            let is_rare = |(group, time): (&Group<'_>, &T)| {
                !time.is_number() || time.to_float() > RARE * group.states.len() as f64
            };
            let is_rare: Vec<bool> = groups.iter().zip(&rounds).map(is_rare).collect();
            if is_rare.contains(&true) {
                return Ok(Found::Better(self.references(
                    policy,
                    groups,
                    (&is_rare, &others),
                    room,
                )?));
            }
        }
        let lost = self.lost(policy, groups);
        let size = |state: usize| match lost.get(state) {
            Some(lost) => cost(state).abs() + lost,
            None => T::zero(),
        };
        let sizes = match T::EXACT {
            true => vec![T::zero(); costs.len()],
            false => others.totals(size, room.meter).or_stopped()?,
        };

        let mut evaluated = Evaluated {
            gains: Vec::with_capacity(groups.len()),
            bias: vec![T::zero(); self.len()],
            gain_sizes: Vec::with_capacity(groups.len()),
            bias_sizes: vec![T::zero(); self.len()],
        };
        for (&Group { states, reference }, time) in groups.iter().zip(rounds) {
            let gain = round(reference, cost(reference), &costs) / &time;
            let gain_size = round(reference, size(reference), &sizes) / &time;
            for &state in states {
                let Some(at) = others.number[state] else { continue };
                room.meter.spend_exact::<T>().or_stopped()?;
                evaluated.bias[state] = costs[at].clone() - times[at].clone() * &gain;
                evaluated.bias_sizes[state] = sizes[at].clone() + times[at].clone() * &gain_size;
            }
            evaluated.gains.push(gain);
            evaluated.gain_sizes.push(gain_size);
        }
        Ok(Found::Evaluated(evaluated))
    }

    /// References of groups: in place of rare ones the states where most time is spent between two visits of them.
    fn references(
        &self,
        policy: &[usize],
        groups: &[Group<'_>],
        (is_rare, others): (&[bool], &Within<T>),
        room: Room<'_>,
    ) -> Result<Vec<usize>, Error> {
        let mut mass = vec![T::zero(); self.len()];
        for (group, _) in groups.iter().zip(is_rare).filter(|&(_, is_rare)| *is_rare) {
            for (to, rate) in self.moves(group.reference, policy[group.reference]) {
                mass[to] += rate;
            }
        }
        let visits = others
            .visits(|state| mass[state].clone(), room.meter)
            .or_stopped()?
            .rounded();
        let better = |(group, &is_rare): (&Group<'_>, &bool)| {
            let mut best = (group.reference, T::zero());
            for &state in group.states.iter().filter(|_| is_rare) {
                if let Some(time) = others.number[state].map(|at| &visits[at])
                    && *time > best.1
                {
                    best = (state, time.clone());
                }
            }
            best.0
        };
        Ok(groups.iter().zip(is_rare).map(better).collect())
    }

    /// What each state may lose where products are too small for all their digits, as a size: nothing in groups where
    /// nothing costs anything. No list where numbers are exact.
    fn lost(&self, policy: &[usize], groups: &[Group<'_>]) -> Vec<T> {
        let is_null = |group: &Group<'_>| {
            group
                .states
                .iter()
                .all(|&state| self.cost(state, policy[state]).is_zero())
        };
        if T::EXACT {
            return Vec::new();
        }
        let mut lost = vec![T::zero(); self.len()];
        for group in groups.iter().filter(|group| !is_null(group)) {
            group.states.iter().for_each(|&state| lost[state] = lost_as_size());
        }
        lost
    }

    /// Changes actions outside of a class so that every state leads to it: no action of a state that leads there
    /// already, and of the others the first one found that does.
    ///
    /// Reference: M. Haviv, M. Puterman, "An improved algorithm for solving communicating average reward Markov
    /// decision processes", Annals of Operations Research 28 (1991), 229-242, doi:10.1007/BF02055583.
    pub(crate) fn lead_to(&self, class: &[usize], policy: &mut [usize]) -> Result<(), ()> {
        let mut leads = vec![false; self.len()];
        let mut queue = class.to_vec();
        for &state in class {
            leads[state] = true;
        }
        let back = self.policy_rows(policy).transposed();
        let mut at = 0;
        while at < queue.len() {
            for (from, _) in back.row(queue[at]) {
                if !core::mem::replace(&mut leads[from], true) {
                    queue.push(from);
                }
            }
            at += 1;
        }
        let back = self.moves.transposed();
        at = 0;
        while at < queue.len() {
            for (row, _) in back.row(queue[at]) {
                let from = self.state_of(row);
                if !core::mem::replace(&mut leads[from], true) {
                    policy[from] = row - self.starts[from];
                    queue.push(from);
                }
            }
            at += 1;
        }
        if queue.len() == self.len() { Ok(()) } else { Err(()) }
    }
}
