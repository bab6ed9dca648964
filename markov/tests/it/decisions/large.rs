//! Processes of more states than one thread takes at a time.

use markov::mdp::{Mdp, PolicyIteration, RelativeValueIteration, ValueIteration};
use markov::{Budget, CancelToken, Csr, Error, StopReason};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::brute::{self, Shape};

fn random(states: usize) -> Mdp {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let rows: Vec<_> = (0..3 * states)
        .map(|_| [(); 2].map(|()| (rng.random_range(0..states), 0.5)))
        .collect();
    let costs = (0..3 * states).map(|_| rng.random_range(-1.0..1.0)).collect();
    let starts = (0..=states).map(|state| 3 * state).collect();
    Mdp::from_parts(starts, Csr::from_rows(states, rows), costs).expect("a process")
}

#[test]
fn threads_change_nothing() {
    let process = random(7000);
    let discounted = |threads| {
        ValueIteration::new()
            .threads(threads)
            .solve(&process, 0.97)
            .expect("values")
    };
    let average = |threads| {
        RelativeValueIteration::new()
            .threads(threads)
            .solve(&process)
            .expect("one gain")
    };
    let (values, gain) = (discounted(1), average(1));
    for threads in [2, 3] {
        assert_eq!(discounted(threads), values);
        assert_eq!(average(threads), gain);
    }
    assert_eq!(ValueIteration::new().solve(&process, 0.97).expect("values"), values);
    assert!(values.verify(&process, &0.97).expect("its own process") <= 1e-7);
}

#[test]
fn two_ways_to_the_same_gain() {
    let process = random(300);
    let exact = PolicyIteration::new().average(&process).expect("one gain");
    let found = RelativeValueIteration::new().solve(&process).expect("one gain");
    let proven = exact.verify(&process).expect("its own process");
    assert!(proven.gap() < 1e-10);
    assert!(proven.lower() <= found.bounds().upper() && found.bounds().lower() <= proven.upper());
}

#[test]
fn parts_that_do_not_fit() {
    let moves = || Csr::from_rows(2, [vec![(0, 1.0)], vec![(1, 1.0)]]);
    let costs = vec![1.0, 2.0];
    assert!(Mdp::from_parts(vec![0, 1, 2], moves(), costs.clone()).is_ok());
    assert_eq!(
        Mdp::from_parts(vec![0, 0, 2], moves(), costs.clone()).err(),
        Some(Error::NoAction { state: 0 })
    );
    // It was said that the second state has no action.
    assert_eq!(
        Mdp::from_parts(vec![0, 9, 2], moves(), costs.clone())
            .expect_err("they fall")
            .to_string(),
        "a list of first actions is 2, and must be rising from each state to the next"
    );
    assert!(matches!(
        Mdp::from_parts(vec![0, 2], moves(), costs.clone()),
        Err(Error::LengthMismatch { .. })
    ));
    assert!(matches!(
        Mdp::from_parts(vec![0, 1, 2], moves(), vec![1.0]),
        Err(Error::LengthMismatch { .. })
    ));
    assert_eq!(
        Mdp::<f64>::from_parts(Vec::new(), moves(), costs.clone()).err(),
        Some(Error::NoStates)
    );
    let short = Csr::from_rows(2, [vec![(0, 1.0)], vec![(1, 0.5)]]);
    let refused = Mdp::from_parts(vec![0, 1, 2], short, costs).err();
    assert_eq!(
        refused.expect("half a chance").to_string(),
        "action 0 of state 1: its probabilities add up to 0.5, and must add up to 1 (deficit 5e-1)"
    );
}

#[test]
fn eliminations_that_take_too_much_are_told() {
    let process = random(400);
    let short = PolicyIteration::new().fill(1000);
    let limit = Error::TooLarge {
        what: "entries",
        limit: 1000,
    };
    assert_eq!(short.discounted(&process, &0.9).err(), Some(limit.clone()));
    assert_eq!(short.average(&process).err(), Some(limit.clone()));
    assert_eq!(short.multichain(&process).err(), Some(limit.clone()));
    let enough = PolicyIteration::new().fill(200_000);
    assert_eq!(
        enough.discounted(&process, &0.9),
        PolicyIteration::new().discounted(&process, &0.9)
    );
    assert!(enough.average(&process).is_ok());
    // What was found with some room is checked with as much.
    let found = enough.multichain(&process).expect("room");
    let check = |fill, budget: Budget| found.verify_within(&process, fill, &budget);
    assert_eq!(check(200_000, Budget::new()), Ok(()));
    assert_eq!(check(1000, Budget::new()), Err(limit));
    let ended = |found: Result<(), Error>| match found {
        Err(Error::Stopped(stopped)) => stopped.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(ended(check(200_000, Budget::new().work(1000))), StopReason::WorkLimit);
    let token = CancelToken::new();
    token.cancel();
    assert_eq!(
        ended(check(200_000, Budget::new().cancel(token))),
        StopReason::Cancelled
    );
}

/// Fractions are not eliminated anew, whatever the room, and take time all the same.
#[test]
fn checks_of_fractions_have_a_budget_and_need_no_room() {
    let exact = brute::random(7, Shape::Any);
    let found = PolicyIteration::new().multichain(&exact).expect("gains");
    assert_eq!(found.verify_within(&exact, 0, &Budget::new()), Ok(()));
    for work in [0, 5] {
        let ended = found.verify_within(&exact, 0, &Budget::new().work(work));
        assert!(matches!(ended, Err(Error::Stopped(_))), "{ended:?}");
    }
}

/// An elimination of its own for each closed class looked at all states each time: with as many classes as states that
/// took the square of them.
#[test]
fn as_many_classes_as_states_are_evaluated_at_once() {
    // Pairs that take turns, or go to the first pair at a price.
    let pairs = 60_000;
    let states = 2 * pairs;
    let rows = (0..states).flat_map(|state| [vec![(state ^ 1, 1.0)], vec![(0, 1.0)]]);
    let costs = (0..states).flat_map(|state| [state as f64, 1e9]).collect();
    let starts = (0..=states).map(|state| 2 * state).collect();
    let mdp = Mdp::from_parts(starts, Csr::from_rows(states, rows), costs).expect("a process");
    let turns = PolicyIteration::new().start(vec![0; states]);
    let best = turns.average(&mdp).expect("one gain");
    assert_eq!(*best.gain(), 0.5);
    assert!(best.policy()[..2] == [0, 0] && best.policy()[2..].iter().all(|&action| action == 1));
    let best = turns.multichain(&mdp).expect("gains");
    assert!(best.gains().iter().all(|&gain| gain == 0.5));
    best.verify(&mdp).expect("the least");
    // Without the way out each pair has its own.
    let rows = (0..states).map(|state| [(state ^ 1, 1.0)]);
    let costs = (0..states).map(|state| state as f64).collect();
    let mdp = Mdp::from_parts((0..=states).collect(), Csr::from_rows(states, rows), costs).expect("a process");
    let found = PolicyIteration::new().multichain(&mdp).expect("gains");
    let gains = found.gains().iter().enumerate();
    assert!(gains.clone().all(|(state, &gain)| gain == (state & !1) as f64 + 0.5));
    let refused = PolicyIteration::new().average(&mdp).expect_err("many gains");
    assert_eq!(
        refused.to_string(),
        "a policy has 60000 closed classes, of which states 0, 2, 4, 6, 8 are members, and the cheapest cannot be \
reached from everywhere: ask for gains by state"
    );
}
