//! Processes explored by names against the same ones with numbers by hand.

use std::collections::{BTreeMap, BTreeSet};

use markov::mdp::{Action, Choice, CtMdp, Mdp, Named, PolicyIteration, RateAction};
use markov::models::wu::TeamPool;
use markov::{Error, Limits, Rational, Scalar};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::brute::{self, Shape};
use super::pool;

fn r(number: i64) -> Rational {
    Rational::ratio(number, 1)
}

#[test]
fn a_queue_with_a_door_and_speeds() {
    // Room for five: arrivals at 2 may be refused at a price of 4 each, services run at 1 for nothing or at 3 for 5.
    type Moves = Vec<(i64, Rational, Rational)>;
    let actions = |waiting: i64| {
        let mut all: Vec<((bool, bool), Rational, Moves)> = Vec::new();
        for (admits, fast) in [(true, false), (true, true), (false, false), (false, true)] {
            if (admits && waiting == 5) || (fast && waiting == 0) {
                continue;
            }
            let mut moves = vec![match admits {
                true => (waiting + 1, r(2), r(0)),
                false => (waiting, r(2), r(4)),
            }];
            if waiting > 0 {
                moves.push((waiting - 1, r(if fast { 3 } else { 1 }), r(0)));
            }
            all.push(((admits, fast), r(waiting + if fast { 5 } else { 0 }), moves));
        }
        all
    };
    let rule = |waiting: &i64| {
        let named = |(name, cost, moves)| Choice::with_move_costs(name, cost, moves);
        actions(*waiting).into_iter().map(named)
    };
    let by_name = CtMdp::explore(0, rule, Limits::default()).expect("a process");
    let by_hand = CtMdp::new((0..6).map(|waiting| {
        let numbered = actions(waiting).into_iter().map(|(_, cost, moves)| {
            let moves = moves.into_iter().map(|(to, rate, cost)| (to as usize, rate, cost));
            RateAction::with_move_costs(cost, moves)
        });
        numbered.collect()
    }))
    .expect("a process");
    assert_eq!(by_name.states.names(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(by_name.process, by_hand);
    let solver = PolicyIteration::new();
    let best = by_name.process.average(&solver).expect("one gain");
    let expected = by_hand.average(&solver).expect("one gain");
    assert_eq!((best.gain(), best.policy()), (expected.gain(), expected.policy()));
    for waiting in 0..6 {
        let action = expected.policy()[waiting as usize];
        let taken = by_name.action(best.policy(), &waiting);
        assert_eq!(taken, Some(&actions(waiting)[action].0));
        assert_eq!(
            by_name.entry(best.bias(), &waiting),
            Some(&expected.bias()[waiting as usize])
        );
        let names: Vec<_> = by_name.actions(waiting as usize).copied().collect();
        assert_eq!(
            names,
            actions(waiting).into_iter().map(|(name, ..)| name).collect::<Vec<_>>()
        );
    }
    // From the far end the same queue has other numbers, and the same answers.
    let back = CtMdp::explore(5, rule, Limits::default()).expect("a process");
    assert_eq!(back.states.names()[0], 5);
    let other = back.process.average(&solver).expect("one gain");
    assert_eq!(other.gain(), best.gain());
    for waiting in 0..6 {
        assert_eq!(
            back.action(other.policy(), &waiting),
            by_name.action(best.policy(), &waiting)
        );
    }
}

#[test]
fn a_machine_that_wears() {
    let moves = |wear: u32| {
        [
            (wear, Rational::ratio(3, 5)),
            ((wear + 1).min(7), Rational::ratio(2, 5)),
        ]
    };
    let cost = |wear: u32| r(i64::from(wear * wear));
    let rule = |&wear: &u32| {
        [
            Choice::new("keep", cost(wear), moves(wear)),
            Choice::new("replace", r(30), [(0, r(1))]),
        ]
    };
    let by_name = Mdp::explore(0, rule, Limits::default()).expect("a process");
    let by_hand = Mdp::new((0..8).map(|wear| {
        let keep = Action {
            cost: cost(wear),
            moves: moves(wear).map(|(to, chance)| (to as usize, chance)).into(),
        };
        let replace = Action {
            cost: r(30),
            moves: vec![(0, r(1))],
        };
        vec![keep, replace]
    }))
    .expect("a process");
    assert_eq!(by_name.process, by_hand);
    let limit = by_name
        .policy(|&wear| if wear < 3 { "keep" } else { "replace" })
        .expect("actions");
    assert_eq!(limit, [0, 0, 0, 1, 1, 1, 1, 1]);
    let best = PolicyIteration::new().average(&by_name.process).expect("one gain");
    assert_eq!(best.policy(), limit);
    let decisions: Vec<_> = by_name.decisions(&limit).expect("a policy").collect();
    assert_eq!((decisions[2], decisions[3]), ((&2, &"keep"), (&3, &"replace")));
    // What there is not is not read.
    assert_eq!(
        (by_name.action(&limit, &9), by_name.entry(best.bias(), &9)),
        (None, None)
    );
    assert_eq!((by_name.action(&[2], &0), by_name.action(&[], &0)), (None, None));
    let short = by_name.decisions(&[0]).err();
    assert!(matches!(
        short,
        Some(Error::LengthMismatch {
            expected: 8,
            found: 1,
            ..
        })
    ));
    let beyond = by_name.decisions(&[0, 0, 2, 0, 0, 0, 0, 0]).err();
    let (state, action, actions) = (2, 2, 2);
    assert_eq!(beyond, Some(Error::ActionOutOfRange { state, action, actions }));
}

/// Wu's pool by a rule that is stated here, against the crate's model, and against the pool with numbers by hand.
#[test]
fn dynamic_matching() {
    let chance = Rational::ratio(2, 5);
    for (n, cap, alpha) in [(1, 4, r(2)), (2, 6, Rational::ratio(3, 2)), (2, 7, r(9))] {
        // Who is left, and how many games were unfair, by any way to form games.
        let rule = |&(high, low): &(usize, usize)| {
            let mut found = BTreeSet::from([(high, low, 0)]);
            let mut open = vec![(high, low, 0)];
            while let Some((high, low, unfair)) = open.pop() {
                for h in 0..=(2 * n).min(high) {
                    let next = (high - h, (low + h).wrapping_sub(2 * n), unfair + h % 2);
                    if 2 * n - h <= low && found.insert(next) {
                        open.push(next);
                    }
                }
            }
            found.retain(|&(u, v, _)| u + v < cap);
            let (chance, alpha) = (&chance, &alpha);
            found.into_iter().map(move |(u, v, unfair)| {
                let cost = r((u + v) as i64) + alpha * r((2 * n * unfair) as i64);
                let joins = [((u + 1, v), chance.clone()), ((u, v + 1), r(1) - chance)];
                Choice::new((u, v, unfair), cost, joins)
            })
        };
        let explored = Mdp::explore((1, 0), rule, Limits::default()).expect("a process");
        let solver = PolicyIteration::new();
        let best = solver.average(&explored.process).expect("one gain");

        let model = TeamPool::new(n, chance.clone(), alpha.clone(), cap).expect("a pool");
        let model = model.process(Limits::default()).expect("a process");
        let expected = solver.average(model.mdp()).expect("one gain");
        assert_eq!(best.gain(), expected.gain());
        assert_eq!(explored.states.len(), model.states().len());
        for (number, (&state, &action)) in explored.decisions(best.policy()).expect("a policy").enumerate() {
            let other = model.states().find(&vec![state.0, state.1]).expect("the same states");
            // Values differ by one constant.
            let from_first = |bias: &[Rational], at: usize, first: usize| &bias[at] - &bias[first];
            let first = model.states().find(&vec![1, 0]).expect("the same states");
            assert_eq!(
                from_first(best.bias(), number, 0),
                from_first(expected.bias(), other, first)
            );
            // Fewer decisions there: the fairest of those that leave the same players.
            assert!(model.decisions(other).len() <= explored.process.actions(number));
            let (u, v, unfair) = action;
            let same = model.decisions(other).iter();
            let mut same = same.filter(|decision| decision.left == [u, v] && decision.imbalance == unfair as u64);
            assert!(same.next().is_some(), "{action:?} in {state:?}");
        }
        let by_hand = pool::pool(n, cap, &chance, &alpha);
        assert_eq!(solver.average(&by_hand).expect("one gain").gain(), best.gain());
        let numbers = |&(high, low): &(usize, usize)| (high + low) * (high + low + 1) / 2 - 1 + high;
        assert_same(&explored, &by_hand, |state| numbers(state));
        same_values(&explored, &by_hand, numbers);
    }
}

/// The explored process is the other one, whose states have these numbers, as far as it goes.
fn assert_same<S, A>(explored: &Named<Mdp<Rational>, S, A>, by_hand: &Mdp<Rational>, number: impl Fn(&S) -> usize)
where
    S: Clone + Eq + core::hash::Hash,
{
    let numbers: Vec<usize> = explored.states.names().iter().map(number).collect();
    for (state, &other) in numbers.iter().enumerate() {
        assert_eq!(explored.process.actions(state), by_hand.actions(other));
        for action in 0..by_hand.actions(other) {
            assert_eq!(explored.process.cost(state, action), by_hand.cost(other, action));
            let moves = explored.process.moves(state, action);
            let moves: BTreeMap<usize, &Rational> = moves.map(|(to, chance)| (numbers[to], chance)).collect();
            assert_eq!(moves, by_hand.moves(other, action).collect::<BTreeMap<_, _>>());
        }
    }
}

/// Discounted values and gains are those of the other process.
fn same_values<S, A>(explored: &Named<Mdp<Rational>, S, A>, by_hand: &Mdp<Rational>, number: impl Fn(&S) -> usize)
where
    S: Clone + Eq + core::hash::Hash,
    A: Clone + Eq + core::hash::Hash,
{
    let (solver, discount) = (PolicyIteration::new(), Rational::ratio(9, 10));
    let values = solver.discounted(&explored.process, &discount).expect("values");
    let expected = solver.discounted(by_hand, &discount).expect("values");
    let gains = solver.multichain(&explored.process).expect("gains");
    let expected_gains = solver.multichain(by_hand).expect("gains");
    for state in explored.states.names() {
        let other = number(state);
        assert_eq!(explored.entry(values.values(), state), Some(&expected.values()[other]));
        assert_eq!(
            explored.entry(gains.gains(), state),
            Some(&expected_gains.gains()[other])
        );
    }
}

/// States in the order in which a search finds them, by a second search: in rounds, with no numbers.
fn order(mdp: &Mdp<Rational>, start: usize, listed: impl Fn(usize, usize) -> Vec<usize>) -> Vec<usize> {
    let mut order = vec![start];
    let mut round = vec![start];
    while !round.is_empty() {
        let mut next = Vec::new();
        for &state in &round {
            for to in (0..mdp.actions(state)).flat_map(|action| listed(state, action)) {
                if !order.contains(&to) {
                    order.push(to);
                    next.push(to);
                }
            }
        }
        round = next;
    }
    order
}

#[test]
fn random_processes_with_other_names() {
    let mut left_out = 0;
    for seed in 0..300 {
        let shape = [Shape::Unichain, Shape::Communicating, Shape::Any][seed as usize % 3];
        let by_hand = brute::random(seed, shape);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut names: Vec<String> = (0..by_hand.len()).map(|state| format!("state {state}")).collect();
        names.shuffle(&mut rng);
        let number = |name: &String| names.iter().position(|other| other == name).expect("a name");
        // Moves in any order, in parts, and with zeros that lead nowhere.
        let mut listed = BTreeMap::new();
        for state in 0..by_hand.len() {
            for action in 0..by_hand.actions(state) {
                let mut moves = Vec::new();
                for (to, chance) in by_hand.moves(state, action) {
                    let part = Rational::ratio(rng.random_range(1..4), 4) * chance;
                    moves.push((names[to].clone(), chance - &part));
                    moves.push((names[to].clone(), part));
                }
                moves.push((names[rng.random_range(0..names.len())].clone(), r(0)));
                moves.shuffle(&mut rng);
                listed.insert((state, action), moves);
            }
        }
        let rule = |name: &String| {
            let state = number(name);
            let choice = |action: usize| {
                let cost = by_hand.cost(state, action).clone();
                Choice::new(char::from(b'a' + action as u8), cost, listed[&(state, action)].clone())
            };
            (0..by_hand.actions(state)).map(choice).collect::<Vec<_>>()
        };
        let start = rng.random_range(0..names.len());
        let explored = Mdp::explore(names[start].clone(), rule, Limits::default()).expect("a process");
        let expected = order(&by_hand, start, |state, action| {
            let moves = listed[&(state, action)].iter().filter(|(_, chance)| *chance != r(0));
            moves.map(|(name, _)| number(name)).collect()
        });
        assert_eq!(explored.states.names().iter().map(number).collect::<Vec<_>>(), expected);
        left_out += by_hand.len() - expected.len();
        assert_same(&explored, &by_hand, number);
        same_values(&explored, &by_hand, number);
        // The policy by names is a best one where it came from, whatever is done in the states that are left out.
        let discount = Rational::ratio(9, 10);
        let best = PolicyIteration::new()
            .discounted(&explored.process, &discount)
            .expect("values");
        let mut policy = vec![0; by_hand.len()];
        for (name, &action) in explored.decisions(best.policy()).expect("a policy") {
            policy[number(name)] = (action as u8 - b'a') as usize;
        }
        let values = brute::discounted(&by_hand, &policy, &discount);
        for (name, value) in explored.states.names().iter().zip(best.values()) {
            assert_eq!(*value, values[number(name)], "{name} of {seed}");
        }
        let again = explored.policy(|name| *explored.action(best.policy(), name).expect("met"));
        assert_eq!(again.as_deref(), Ok(best.policy()));
    }
    assert!(left_out > 30, "{left_out} states were out of reach");
}

#[test]
fn random_rates_with_other_names() {
    for seed in 0..100 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = rng.random_range(1..6_usize);
        let mut states: Vec<Vec<RateAction<Rational>>> = Vec::new();
        for _ in 0..n {
            let mut action = || {
                // Rates to the state itself, and two to one state, change nothing.
                let mut rates = vec![(0, Rational::ratio(rng.random_range(1..4), 3))];
                for _ in 0..rng.random_range(0..3) {
                    rates.push((rng.random_range(0..n), r(rng.random_range(1..5))));
                }
                let cost = r(rng.random_range(-4..5));
                RateAction { cost, rates }
            };
            states.push(vec![action(), action()]);
        }
        let by_hand = CtMdp::new(states.clone()).expect("a process");
        // A name is a number backwards, and every one of them is different.
        let name = |state: usize| 100 - 7 * state as i32;
        let rule = |of: &i32| {
            let actions = states[((100 - of) / 7) as usize].iter().enumerate();
            let named = |(at, action): (usize, &RateAction<Rational>)| {
                let moves = action.rates.iter().map(|(to, rate)| (name(*to), rate.clone()));
                Choice::new(at, action.cost.clone(), moves)
            };
            actions.map(named).collect::<Vec<_>>()
        };
        let start = rng.random_range(0..n);
        let explored = CtMdp::explore(name(start), rule, Limits::default()).expect("a process");
        let solver = PolicyIteration::new();
        // Each action may lead to state 0, so that gains do not depend on what is left out.
        let best = explored.process.average(&solver).expect("one gain");
        let expected = by_hand.average(&solver).expect("one gain");
        assert_eq!(best.gain(), expected.gain());
        assert!(explored.process.verify(&best).expect("its own process").is_exact());
        let values = explored.process.discounted(&solver, &r(1)).expect("values");
        let expected = by_hand.discounted(&solver, &r(1)).expect("values");
        for state in 0..n {
            if let Some(value) = explored.entry(values.values(), &name(state)) {
                assert_eq!(*value, expected.values()[state]);
            }
        }
        let (chain, costs) = explored.process.chain(best.policy()).expect("a policy");
        let shares = chain.stationary().expect("one class");
        let mean: Rational = shares.iter().zip(&costs).map(|(share, cost)| share * cost).sum();
        assert_eq!(*best.gain(), mean);
    }
}
