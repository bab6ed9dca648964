//! Rules of explored processes that are wrong, or make too large a process.

use std::collections::HashSet;

use markov::mdp::{Action, Choice, CtMdp, Flaw, Mdp, RateAction, RuleError, Weight};
use markov::{Limits, Rational, Scalar};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Rule<T> = Vec<Choice<&'static str, &'static str, T>>;

/// What is wrong where the second state has these actions, in both kinds of time.
fn wrong(second: &Rule<f64>) -> [Option<RuleError<&'static str, &'static str>>; 2] {
    let rule = |state: &&'static str| match *state {
        "idle" => vec![Choice::new("go", 1.0, [("busy", 1.0)])],
        "busy" => second.clone(),
        _ => panic!("{state} is not reached"),
    };
    [
        Mdp::explore("idle", rule, Limits::default()).err(),
        CtMdp::explore("idle", rule, Limits::default()).err(),
    ]
}

#[test]
fn errors_name_state_and_action() {
    let stop = || Choice::new("stop", 0.0, [("idle", 1.0)]);
    let (state, action) = ("busy", "race");
    let both = |error: RuleError<_, _>| [Some(error.clone()), Some(error)];
    assert_eq!(wrong(&vec![stop()]), [None, None]);
    assert_eq!(wrong(&Vec::new()), both(RuleError::NoAction { state }));
    // "stop" comes first, number 0.
    let wrongly = |flaw| RuleError::Action {
        state,
        action,
        number: 1,
        flaw,
    };
    let race = |cost, moves: &[(&'static str, f64)]| vec![stop(), Choice::new("race", cost, moves.to_vec())];
    for cost in [f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(wrong(&race(cost, &[("idle", 1.0)])), both(wrongly(Flaw::Cost { cost })));
    }
    for found in wrong(&race(f64::NAN, &[("idle", 1.0)])) {
        let found = found.expect("no cost").to_string();
        assert_eq!(
            found,
            "action \"race\" (number 1) of state \"busy\": its cost is NaN, and must be a finite number"
        );
    }
    // What a wrong value leads to is not explored: there is no such state.
    let to = "nowhere";
    let weights = [Weight::Probability, Weight::Rate];
    for value in [-0.5, f64::INFINITY, -f64::MIN_POSITIVE] {
        let expected = weights.map(|weight| Some(wrongly(Flaw::Move { weight, to, value })));
        assert_eq!(wrong(&race(1.0, &[("idle", 1.5), (to, value)])), expected);
    }
    for (found, weight) in wrong(&race(1.0, &[(to, f64::NAN)])).into_iter().zip(weights) {
        let found = found.expect("no number").to_string();
        let expected = format!(
            "action \"race\" (number 1) of state \"busy\": its {weight} of leading to state \"nowhere\" is NaN, and must be \
             a finite number and not negative"
        );
        assert_eq!(found, expected);
    }
    let deficit = 0.25;
    let [short, rates] = wrong(&race(1.0, &[("idle", 0.5), ("busy", 0.25)]));
    assert_eq!((short, rates), (Some(wrongly(Flaw::ProbabilitySum { deficit })), None));
    let [_, beyond] = wrong(&race(1.0, &[("idle", 1e308), ("idle", 1e308)]));
    assert_eq!(beyond, Some(wrongly(Flaw::RateSum)));
    for (action, numbers) in [("stop", [0, 2]), ("race", [1, 2])] {
        let mut actions = race(1.0, &[("idle", 1.0)]);
        actions.push(Choice::new(action, 1.0, [("idle", 1.0)]));
        let repeated = RuleError::RepeatedAction { state, action, numbers };
        assert_eq!(wrong(&actions), both(repeated));
    }
    // Other states may have actions of the same name; minus zero is zero.
    let go = Choice::new("go", 0.0, [("idle", 1.0), ("nowhere", -0.0)]);
    assert_eq!(wrong(&vec![go]), [None, None]);
    let lost = Choice::new("stop", 0.0, [("lost", 1.0)]);
    let rule = |state: &&'static str| match *state {
        "idle" => vec![lost.clone()],
        _ => vec![Choice::new("swim", 0.0, [("idle", 1.0)])],
    };
    let lost = Mdp::explore("idle", rule, Limits::default()).expect("a process");
    let (state, action) = ("lost", "stop");
    let actions = vec!["swim"];
    let refused = lost.policy(|_| "stop").expect_err("it cannot");
    assert_eq!(
        refused.to_string(),
        "state \"lost\" has no action \"stop\"; it has \"swim\""
    );
    assert_eq!(refused, RuleError::UnknownAction { state, action, actions });
    let many = |_: &()| (0..12).map(|action| Choice::new(action, 0.0, [((), 1.0)]));
    let many = Mdp::explore((), many, Limits::default()).expect("a process");
    assert_eq!(
        many.policy(|()| 12).expect_err("there are twelve").to_string(),
        "state () has no action 12; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more"
    );
}

#[test]
fn errors_read_as_sentences() {
    let told = |second: &[Choice<&'static str, &'static str, f64>]| {
        let [steps, rates] = wrong(&second.to_vec());
        steps.or(rates).map(|error| error.to_string()).unwrap_or_default()
    };
    let race = |cost, moves: &[(&'static str, f64)]| Choice::new("race", cost, moves.to_vec());
    let place = "action \"race\" (number 0) of state \"busy\": ";
    for (second, text) in [
        (race(f64::INFINITY, &[]), "its cost is inf, and must be a finite number"),
        (
            race(0.0, &[("idle", -2.0)]),
            "its probability of leading to state \"idle\" is -2, and must be a finite number and not negative",
        ),
        (
            race(0.0, &[("idle", 0.5)]),
            "its probabilities add up to 0.5, and must add up to 1 (deficit 5e-1)",
        ),
        (
            race(0.0, &[]),
            "its probabilities add up to 0, and must add up to 1 (deficit 1e0)",
        ),
    ] {
        assert_eq!(told(&[second]), format!("{place}{text}"));
    }
    let [_, beyond] = wrong(&vec![race(
        0.0,
        &[("idle", f64::MAX), ("busy", 0.0), ("idle", f64::MAX)],
    )]);
    assert_eq!(
        beyond.expect("no float").to_string(),
        format!("{place}its rates add up to more than a float holds; use another unit of time")
    );
    assert_eq!(
        told(&[race(0.0, &[("idle", 1.0)]), race(1.0, &[("idle", 1.0)])]),
        "actions 0 and 1 of state \"busy\" are both called \"race\"; each needs a name of its own"
    );
    assert_eq!(told(&[]), "state \"busy\" has no action");
}

/// Fractions have no tolerance, floats the one of processes that are made by hand: what is taken there is taken here.
#[test]
fn the_same_sums_are_refused_as_by_hand() {
    let third = Rational::ratio(1, 3);
    let rule = |_: &()| {
        [Choice::new(
            'a',
            third.clone(),
            [((), third.clone()), ((), third.clone())],
        )]
    };
    let found = Mdp::explore((), rule, Limits::default()).err();
    let expected = RuleError::Action {
        state: (),
        action: 'a',
        number: 0,
        flaw: Flaw::ProbabilitySum { deficit: 1.0 / 3.0 },
    };
    assert_eq!(found, Some(expected));

    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..3000 {
        // Sums within a few roundings of what floats may miss one by, in parts that are listed in any order.
        let mut row: Vec<(usize, f64)> = (0..6).map(|_| (rng.random_range(0..3), rng.random())).collect();
        let sum: f64 = row.iter().map(|&(_, value)| value).sum();
        let wanted = 1.0 - 1e-9 + f64::from(rng.random_range(-4..=4)) * f64::EPSILON / 2.0;
        row.iter_mut().for_each(|(_, value)| *value *= wanted / sum);
        let mut numbers = vec![0];
        row.iter().filter(|(to, _)| *to != 0).for_each(|&(to, _)| {
            if !numbers.contains(&to) {
                numbers.push(to);
            }
        });
        let numbered = row.iter().map(|&(to, value)| {
            let number = numbers.iter().position(|&other| other == to);
            (number.expect("listed"), value)
        });
        let action = |moves| vec![Action { cost: 0.0, moves }];
        let mut states = vec![action(numbered.collect())];
        states.extend((1..numbers.len()).map(|state| action(vec![(state, 1.0)])));
        let rule = |&state: &usize| match state {
            0 => [Choice::new((), 0.0, row.clone())],
            _ => [Choice::new((), 0.0, [(state, 1.0)])],
        };
        let (by_hand, explored) = (Mdp::new(states), Mdp::explore(0, rule, Limits::default()));
        assert_eq!(by_hand.is_ok(), explored.is_ok());
        if let (Ok(by_hand), Ok(explored)) = (by_hand, explored) {
            assert_eq!(by_hand, explored.process);
            taken += 1;
        } else {
            refused += 1;
        }
    }
    assert!(taken > 300 && refused > 300, "{taken} taken, {refused} refused");
}

#[test]
fn nothing_is_read_beyond_limits() {
    let limits = Limits {
        states: 4,
        transitions: 6,
    };
    let too_large = |what, limit| Some(RuleError::TooLarge { what, limit });
    // Fails where it is read on: actions without end, which lead to new states, to old ones, or nowhere.
    let endless = |moves: fn(u32) -> Vec<(u32, f64)>| {
        let rule = move |_: &u32| {
            let read = (0_u32..).inspect(|&at| assert!(at < 10));
            read.map(move |at| Choice::new(at, 1.0, moves(at)))
        };
        CtMdp::explore(0, rule, limits).err()
    };
    assert_eq!(endless(|at| vec![(at, 1.0)]), too_large("states", 4));
    assert_eq!(endless(|at| vec![(at % 2, 1.0)]), too_large("transitions", 6));
    assert_eq!(endless(|_| Vec::new()), too_large("transitions", 6));
    // States without end, and none at all.
    let ladder = |&at: &u32| [Choice::new(at, 0.0, [(at + 1, 1.0)])];
    assert_eq!(Mdp::explore(0, ladder, limits).err(), too_large("states", 4));
    let none = Limits { states: 0, ..limits };
    assert_eq!(Mdp::explore(0, ladder, none).err(), too_large("states", 0));
    // All of the limit may be used, and zeros do not count.
    let circle = |&at: &u32| [Choice::new(at, 0.0, [((at + 1) % 4, 1.0), (at + 1, 0.0)])];
    let all = Limits {
        states: 4,
        transitions: 4,
    };
    let found = Mdp::explore(0, circle, all).map(|found| found.process.len());
    assert_eq!(found, Ok(4));
    let less = Limits { transitions: 3, ..all };
    assert_eq!(Mdp::explore(0, circle, less).err(), too_large("transitions", 3));
}

/// A state where nothing ever happens is a state of a process in continuous time, explored or not.
#[test]
fn nothing_may_happen() {
    let rule = |&state: &char| match state {
        'a' => [Choice::new((), 1.0, vec![('b', 2.0)])],
        _ => [Choice::new((), 0.0, Vec::new())],
    };
    let explored = CtMdp::explore('a', rule, Limits::default()).expect("a process");
    let action = |cost, rates| vec![RateAction { cost, rates }];
    let by_hand = CtMdp::new([action(1.0, vec![(1, 2.0)]), action(0.0, Vec::new())]).expect("a process");
    assert_eq!(explored.process, by_hand);
    let alone = CtMdp::explore('b', rule, Limits::default()).expect("a process");
    assert_eq!(*alone.process.rate(), 1.0);
    let names: HashSet<char> = explored.states.names().iter().copied().collect();
    assert_eq!(names, HashSet::from(['a', 'b']));
}
