//! All stationary policies of small processes, in fractions.

use markov::mdp::{Action, Mdp};
use markov::{Csr, Dtmc, Rational, Scalar};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How states of a random process hang together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// Every action may lead to the first state.
    Unichain,
    /// Every state can be reached from every other one, by some actions; policies may have many closed classes.
    Communicating,
    /// Anything.
    Any,
}

pub(super) fn random(seed: u64, shape: Shape) -> Mdp<Rational> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let n = rng.random_range(1..=4);
    let mut action = |state: usize, is_first: bool| {
        // Few different costs, of any sign: many ties.
        let cost = Rational::ratio(rng.random_range(-3..=3), 1);
        if shape == Shape::Communicating && is_first {
            let moves = vec![((state + 1) % n, Rational::ratio(1, 1))];
            return Action { cost, moves };
        }
        let mut weights: Vec<(usize, i64)> = (0..rng.random_range(1..=2_usize))
            .map(|_| (rng.random_range(0..n), rng.random_range(1..=4)))
            .collect();
        if shape == Shape::Unichain {
            weights.push((0, rng.random_range(1..=2)));
        }
        let sum = weights.iter().map(|&(_, weight)| weight).sum();
        let moves = weights
            .into_iter()
            .map(|(to, weight)| (to, Rational::ratio(weight, sum)));
        Action {
            cost,
            moves: moves.collect(),
        }
    };
    let counts: Vec<usize> = (0..n).map(|state| 1 + (seed as usize >> (2 * state)) % 3).collect();
    let states = counts.iter().enumerate();
    let states: Vec<_> = states
        .map(|(state, &count)| (0..count).map(|at| action(state, at == 0)).collect())
        .collect();
    Mdp::new(states).expect("a process")
}

pub(super) fn to_floats(mdp: &Mdp<Rational>) -> Mdp<f64> {
    let action = |state, action| Action {
        cost: mdp.cost(state, action).to_float(),
        moves: mdp
            .moves(state, action)
            .map(|(to, value)| (to, value.to_float()))
            .collect(),
    };
    Mdp::new((0..mdp.len()).map(|state| (0..mdp.actions(state)).map(|at| action(state, at)).collect()))
        .expect("a process")
}

pub(super) fn policies(mdp: &Mdp<Rational>) -> Vec<Vec<usize>> {
    (0..mdp.len()).fold(vec![Vec::new()], |policies, state| {
        let with = |policy: &Vec<usize>, action| {
            let mut policy = policy.clone();
            policy.push(action);
            policy
        };
        let longer = policies
            .iter()
            .flat_map(|policy| (0..mdp.actions(state)).map(move |action| with(policy, action)));
        longer.collect()
    })
}

/// What each closed class of a policy costs per step, by its stationary distribution.
pub(super) fn gains(mdp: &Mdp<Rational>, policy: &[usize]) -> Vec<Rational> {
    let (chain, _) = mdp.chain(policy).expect("a policy of the process");
    let gain = |class: Vec<usize>| {
        let number = |state: usize| class.iter().position(|&other| other == state).expect("closed");
        let row = |&state: &usize| {
            mdp.moves(state, policy[state])
                .map(|(to, value)| (number(to), value.clone()))
                .collect::<Vec<_>>()
        };
        let within = Dtmc::new(&Csr::from_rows(class.len(), class.iter().map(row))).expect("a chain");
        let shares = within.stationary().expect("one class");
        let costs = class
            .iter()
            .zip(shares)
            .map(|(&state, share)| mdp.cost(state, policy[state]) * share);
        costs.fold(Rational::ratio(0, 1), |sum, cost| sum + cost)
    };
    chain.classes().closed().into_iter().map(gain).collect()
}

/// What a policy costs from each state, by elimination of one unknown after the other.
pub(super) fn discounted(mdp: &Mdp<Rational>, policy: &[usize], discount: &Rational) -> Vec<Rational> {
    let n = mdp.len();
    let mut rows: Vec<Vec<Rational>> = (0..n)
        .map(|state| {
            let mut row = vec![Rational::ratio(0, 1); n + 1];
            row[state] += Rational::ratio(1, 1);
            for (to, value) in mdp.moves(state, policy[state]) {
                row[to] -= value * discount;
            }
            row[n] = mdp.cost(state, policy[state]).clone();
            row
        })
        .collect();
    for pivot in 0..n {
        let by = rows[pivot][pivot].clone();
        rows[pivot].iter_mut().for_each(|value| *value /= &by);
        let done = rows[pivot].clone();
        for (at, row) in rows.iter_mut().enumerate().filter(|&(at, _)| at != pivot) {
            assert_ne!(at, pivot);
            let by = row[pivot].clone();
            row.iter_mut().zip(&done).for_each(|(value, done)| *value -= done * &by);
        }
    }
    rows.into_iter().map(|row| row[n].clone()).collect()
}
