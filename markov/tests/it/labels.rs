//! Labels of transitions, and costs of moves, against counts by hand.

use std::collections::HashMap;

use markov::mdp::{Action, CtMdp, Mdp, PolicyIteration, RateAction};
use markov::passage::Passage;
use markov::{Csr, Ctmc, Dtmc, Error, Limits, Rational, Scalar, Transient, explore, explore_labelled};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn r(numerator: i64, denominator: i64) -> Rational {
    Rational::ratio(numerator, denominator)
}

/// A queue with one server and limited room: arrivals at 2, services at 3, each who waits gives up at 1/2.
fn queue<T: Scalar>(room: u32) -> impl Fn(&u32) -> Vec<(u32, T, &'static str)> {
    move |&waiting| {
        let mut events = vec![match waiting < room {
            true => (waiting + 1, T::ratio(2, 1), "joins"),
            false => (waiting, T::ratio(2, 1), "lost"),
        }];
        if waiting > 0 {
            events.push((waiting - 1, T::ratio(3, 1), "served"));
            events.push((waiting - 1, T::ratio(i64::from(waiting - 1), 2), "gives up"));
        }
        events
    }
}

#[test]
fn flows_of_a_queue_with_limited_room() {
    for room in 1..7_u32 {
        let found = explore_labelled(0, queue::<Rational>(room), Limits::default()).expect("small");
        let shares = Ctmc::new(&found.steps)
            .expect("a chain")
            .stationary()
            .expect("one class");
        let rate = |label| found.rate(&label, &shares).expect("a distribution");
        // By hand: shares in proportion to products of arrivals over departures.
        let mut weights = vec![r(1, 1)];
        for waiting in 1..=i64::from(room) {
            let departures = r(3, 1) + r(waiting - 1, 2);
            weights.push(weights[waiting as usize - 1].clone() * r(2, 1) / departures);
        }
        let sum: Rational = weights.iter().sum();
        let share = |waiting: usize| &weights[waiting] / &sum;
        assert_eq!(rate("lost"), r(2, 1) * share(room as usize));
        assert_eq!(rate("served"), r(3, 1) * (r(1, 1) - share(0)));
        let waiting = (1..=room as usize).map(|waiting| r(waiting as i64 - 1, 2) * share(waiting));
        assert_eq!(rate("gives up"), waiting.sum::<Rational>());
        // What comes goes.
        assert_eq!(rate("joins"), rate("served") + rate("gives up"));
        assert_eq!(rate("joins") + rate("lost"), r(2, 1));
        assert_eq!(rate("unheard of"), r(0, 1));
        let mut labels = vec!["gives up", "joins", "lost", "served"];
        labels.retain(|&label| label != "gives up" || room > 1);
        let mut met = found.labels().to_vec();
        met.sort_unstable();
        assert_eq!(met, labels);
    }
}

#[test]
fn labels_change_nothing_else() {
    let labelled = explore_labelled(0, queue::<f64>(9), Limits::default()).expect("small");
    let unlabelled = |state: &u32| queue::<f64>(9)(state).into_iter().map(|(to, rate, _)| (to, rate));
    let plain = explore(0, unlabelled, Limits::default()).expect("small");
    assert_eq!(labelled.steps, plain.steps);
    assert_eq!(labelled.states.names(), plain.states.names());
    let limits = Limits {
        states: 5,
        transitions: 1000,
    };
    let refused = explore_labelled(0, queue::<f64>(9), limits).err();
    assert_eq!(
        refused,
        Some(Error::TooLarge {
            what: "states",
            limit: 5
        })
    );
    let limits = Limits {
        states: 50,
        transitions: 6,
    };
    let refused = explore_labelled(0, queue::<f64>(9), limits).err();
    assert_eq!(
        refused,
        Some(Error::TooLarge {
            what: "transitions",
            limit: 6
        })
    );
}

#[test]
fn rates_are_those_of_a_recount() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..30 {
        let n = rng.random_range(1..9_usize);
        let mut rows: Vec<Vec<(usize, Rational, char)>> = Vec::new();
        for state in 0..n {
            let mut row = vec![((state + 1) % n, r(rng.random_range(1..5), 3), 'n')];
            for _ in 0..rng.random_range(0..6) {
                let label = char::from(b'a' + rng.random_range(0..3));
                row.push((rng.random_range(0..n), r(rng.random_range(0..5), 2), label));
            }
            rows.push(row);
        }
        let found = explore_labelled(0, |&state: &usize| rows[state].clone(), Limits::default()).expect("small");
        let weights: Vec<i64> = (0..n).map(|_| rng.random_range(1..9)).collect();
        let shares: Vec<Rational> = weights.iter().map(|&weight| r(weight, weights.iter().sum())).collect();
        let mut counts: HashMap<char, Rational> = HashMap::new();
        for (number, &state) in found.states.names().iter().enumerate() {
            for (_, rate, label) in &rows[state] {
                *counts.entry(*label).or_insert_with(|| r(0, 1)) += rate * &shares[number];
            }
            let kept: Vec<(usize, Rational, char)> = found
                .transitions(number)
                .map(|(to, rate, label)| (found.states.names()[to], rate.clone(), *label))
                .collect();
            let listed: Vec<_> = rows[state]
                .iter()
                .filter(|(_, rate, _)| *rate != r(0, 1))
                .cloned()
                .collect();
            assert_eq!(kept, listed);
        }
        for (label, count) in counts {
            assert_eq!(found.rate(&label, &shares), Ok(count));
        }
        let bad = vec![r(1, 1); n + 1];
        assert!(matches!(found.rate(&'n', &bad), Err(Error::LengthMismatch { .. })));
        let bad = vec![r(2, 1); n];
        assert!(matches!(found.rate(&'n', &bad), Err(Error::NotADistribution { .. })));
    }
}

#[test]
fn how_often_something_happens_on_the_way() {
    // Steps up and down by turns of a coin from 0, which holds; the top is 3: there are 12 steps on average, as many up
    // as down and three more, and holds are downs at 0.
    let coin = |&at: &i64| {
        vec![
            (at + 1, r(1, 2), "up"),
            ((at - 1).max(0), r(1, 2), if at > 0 { "down" } else { "held" }),
        ]
    };
    let bounded = |at: &i64| {
        if *at == 3 {
            vec![(3, r(1, 1), "there")]
        } else {
            coin(at)
        }
    };
    let found = explore_labelled(0, bounded, Limits::default()).expect("small");
    let chain = Dtmc::new(&found.steps).expect("a chain");
    let top = found.states.find(&3).expect("met");
    let passage = Passage::dtmc(&chain, &[top]).expect("reached");
    let count = |label| passage.totals(&found.by_state(&label)).expect("costs")[0].clone();
    // Visits of 0, 1, 2 are 6, 4 and 2.
    assert_eq!((count("up"), count("down"), count("held")), (r(6, 1), r(3, 1), r(3, 1)));

    // A Poisson process, counted until a time.
    let clock = explore_labelled((), |()| [((), 3.0, "tick")], Limits::default()).expect("small");
    let chain = Ctmc::new(&clock.steps).expect("a chain");
    let report = Transient::new()
        .accumulated(&chain, &[1.0], &clock.by_state(&"tick"), 2.0)
        .expect("short");
    assert!((report.total() - 6.0).abs() < 1e-12);
}

#[test]
fn costs_of_moves_are_expected_costs() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..20 {
        // One action a state: the cost per step is a flow by hand.
        let n = rng.random_range(2..6_usize);
        let mut moves: Vec<Vec<(usize, Rational, Rational)>> = Vec::new();
        for _ in 0..n {
            let weights: Vec<i64> = (0..n).map(|_| rng.random_range(1..6)).collect();
            let all: i64 = weights.iter().sum();
            let row = weights
                .iter()
                .enumerate()
                .map(|(to, &weight)| (to, r(weight, all), r(rng.random_range(-9..9), 4)));
            moves.push(row.collect());
        }
        let own: Vec<Rational> = (0..n).map(|_| r(rng.random_range(-5..5), 3)).collect();
        let action = |state: usize| Action::with_move_costs(own[state].clone(), moves[state].clone());
        let mdp = Mdp::new((0..n).map(|state| vec![action(state)])).expect("a process");
        let best = PolicyIteration::new().average(&mdp).expect("one class");
        let steps = moves.iter().map(|row| {
            row.iter()
                .map(|(to, chance, _)| (*to, chance.clone()))
                .collect::<Vec<_>>()
        });
        let shares = Dtmc::new(&Csr::from_rows(n, steps))
            .expect("a chain")
            .stationary()
            .expect("one class");
        let mut cost = r(0, 1);
        for state in 0..n {
            cost += &own[state] * &shares[state];
            for (_, chance, of_move) in &moves[state] {
                cost += &shares[state] * chance * of_move;
            }
        }
        assert_eq!(best.gain(), &cost);
    }
}

#[test]
fn costs_of_jumps_count_each_time() {
    // Who waits costs 1 a minute; joining costs 2 each time, being turned away 7: by hand with the shares of the queue.
    let found = explore_labelled(0, queue::<Rational>(3), Limits::default()).expect("small");
    let chain = Ctmc::new(&found.steps).expect("a chain");
    let shares = chain.stationary().expect("one class");
    let price = |label: &str| match label {
        "joins" => r(2, 1),
        "lost" => r(7, 1),
        _ => r(0, 1),
    };
    let action = |state: usize| {
        let moves = found
            .transitions(state)
            .map(|(to, rate, label)| (to, rate.clone(), price(label)));
        RateAction::with_move_costs(r(found.states.names()[state].into(), 1), moves)
    };
    let process = CtMdp::new((0..4).map(|state| vec![action(state)])).expect("a process");
    let best = process.average(&PolicyIteration::new()).expect("one class");
    let waiting: Rational = (0..4)
        .map(|state| r(found.states.names()[state].into(), 1) * &shares[state])
        .sum();
    let rate = |label| found.rate(&label, &shares).expect("a distribution");
    assert_eq!(
        best.gain(),
        &(waiting + r(2, 1) * rate("joins") + r(7, 1) * rate("lost"))
    );
    // Costs that are no number are found where all costs are.
    let bad = Action::with_move_costs(0.0, [(0, 1.0, f64::INFINITY)]);
    let refused = Mdp::new([vec![bad]]).expect_err("no finite cost").to_string();
    assert_eq!(
        refused,
        "action 0 of state 0: its cost is inf, and must be a finite number"
    );
}
