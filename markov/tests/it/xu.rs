//! Matchmaking lobbies: what is known of them in other ways.

use markov::models::xu::{Battle, Choice, Lobby, Moments, Order, Packed, Recurrence, Rule, Sides, Together, Zones};
use markov::{Error, Limits, Rational, Scalar};

fn q(n: i64, d: i64) -> Rational {
    Rational::ratio(n, d)
}

/// Shares add up to one, and each kind's mean wait times its rate is the mean number of that kind who wait.
fn check<R: Rule + Clone>(rule: &R, arrivals: &[(u8, Rational)]) {
    let lobby = Lobby::new(rule.clone(), arrivals.to_vec()).expect("finite");
    let sum = lobby.stationary().fold(q(0, 1), |sum, (_, share)| sum + share);
    assert_eq!(sum, q(1, 1));
    for (kind, rate) in arrivals {
        let wait = lobby.wait(*kind).expect("games go on");
        assert_eq!(wait.mean.clone() * rate, lobby.waiting(*kind));
        assert!(wait.variance() > q(0, 1));
    }
}

#[test]
fn littles_law_agrees_with_tagged_parties() {
    check(&Together(5), &[(1, q(7, 3))]);
    let parties = [(1, q(2, 3)), (2, q(1, 5))];
    for order in [Order::First, Order::Last] {
        check(&Battle { size: 2, order }, &parties);
    }
    check(&Packed, &parties);
    check(&Zones, &[(1, q(1, 2)), (2, q(1, 3)), (3, q(1, 5))]);
    // Three zones, with players for one, for two and for all.
    check(
        &Zones,
        &[(1, q(1, 2)), (2, q(1, 3)), (4, q(1, 7)), (6, q(1, 4)), (7, q(1, 5))],
    );
}

#[test]
fn a_player_for_k_waits_a_mixture_of_erlang_times() {
    // E[T^2] = (1/k) sum over n < k of n (n + 1) / rate^2 = (k^2 - 1) / (3 rate^2).
    for k in 1..7_i64 {
        let lobby = Lobby::new(Together(k as usize), vec![(1, q(2, 1))]).expect("finite");
        let wait = lobby.wait(1).expect("games go on");
        assert_eq!(wait.mean, q(k - 1, 4));
        assert_eq!(wait.second, q(k * k - 1, 12));
    }
}

#[test]
fn states_of_figure_4() {
    let battle = Battle {
        size: 2,
        order: Order::First,
    };
    let lobby = Lobby::new(battle, vec![(1, q(1, 1)), (2, q(3, 1))]).expect("finite");
    assert_eq!(lobby.chain().len(), 7);
    // 0, 1, 2a, 2b, 3a, 3b: players in the lobby are 0 to 3 with a quarter of the time each.
    assert_eq!(lobby.probability(&[]), q(1, 4));
    assert_eq!(lobby.probability(&[1]), q(1, 4));
    assert_eq!(lobby.probability(&[1, 1]), q(1, 16));
    assert_eq!(lobby.probability(&[2]), q(3, 16));
    assert_eq!(lobby.probability(&[1, 1, 1]), q(1, 64));
    assert_eq!(lobby.probability(&[1, 2]) + lobby.probability(&[2, 1]), q(15, 64));
}

/// As far out as there are numbers it took seconds, and no end in fractions.
#[test]
fn shares_far_out_are_powers() {
    let q = Rational::ratio;
    let sides = Sides::new(q(1, 1), q(1, 1), q(1, 1)).expect("rates");
    let mut expected = sides.empty().expect("stable");
    for n in 0..70 {
        assert_eq!(sides.probability(n), Ok(expected.clone()));
        assert_eq!(sides.probability(-n), Ok(expected.clone()));
        expected *= q(1, 2);
    }
    let digits = sides.probability(100_000).expect("stable").denom().bits();
    assert!((100_000..100_010).contains(&digits), "{digits}");
    for (c, n) in [(1.0, i32::MIN), (1.0, i32::MAX), (1e-9, i32::MAX)] {
        let share = Sides::new(1.0, 1.0, c).expect("rates").probability(n).expect("stable");
        assert_eq!(share == 0.0, c == 1.0);
    }
}

#[test]
fn sides_agree_with_the_chain_cut_off_far_out() {
    let (a, b, c) = (0.5, 0.4, 0.6);
    let sides = Sides::new(a, b, c).expect("rates");
    let arrivals = vec![(1, a), (2, b), (3, c)];
    let cut = Lobby::with_capacity(Choice, arrivals, 60, Limits::default()).expect("finite");
    assert!((cut.probability(&[]) - sides.empty().expect("stable")).abs() < 1e-12);
    assert!((cut.probability(&[1, 1]) - sides.probability(2).expect("stable")).abs() < 1e-12);
    let waits = [sides.wait_a(), sides.wait_b(), sides.wait_either()];
    for (kind, wait) in [1, 2, 3].into_iter().zip(waits) {
        let (tagged, exact) = (cut.wait(kind).expect("games go on"), wait.expect("stable"));
        assert!((tagged.mean - exact.mean).abs() < 1e-9 * exact.mean, "{kind}");
        assert!((tagged.second - exact.second).abs() < 1e-9 * exact.second, "{kind}");
    }
}

#[test]
fn sides_without_balance_are_unstable() {
    let sides = Sides::new(q(1, 1), q(1, 3), q(1, 3)).expect("rates");
    assert_eq!(sides.recurrence(), Recurrence::Transient);
    assert!(matches!(sides.wait(), Err(Error::Unstable { drift }) if (drift - 1.0 / 3.0).abs() < 1e-12));
    let null = Sides::new(q(1, 1), q(2, 3), q(1, 3)).expect("rates");
    assert_eq!(null.recurrence(), Recurrence::Null);
    assert!(Sides::new(-1.0, 1.0, 1.0).is_err());
    assert!(Sides::new(0.0, 0.0, 0.0).is_err());
}

/// The same rates as fractions.
fn exactly(rates: [f64; 3]) -> Sides<Rational> {
    let [a, b, c] = rates.map(|rate| Rational::from_float(rate).expect("a number"));
    Sides::new(a, b, c).expect("rates")
}

#[test]
fn sides_of_rates_as_far_apart_as_floats_are_those_of_fractions() {
    let near = |found: f64, exact: &Rational| {
        let exact = exact.to_float();
        assert!(
            found == exact || (found / exact - 1.0).abs() < 1e-15,
            "{found} and {exact}"
        );
    };
    for rates in [
        [1.0, 1.0, 1e-17],
        [1.0, 1e-20, 1.0],
        [1e-200, 3e-200, 4e-200],
        [1e200, 3e200, 4e200],
        [1e308, 1e308, 1.5e308],
        [1.0, 1.0, 1e-310],
        [1e300, 1e-300, 1.001e300],
        [1.0, 1.0 - 1e-12, 2e-12],
    ] {
        let (sides, exact) = (Sides::new(rates[0], rates[1], rates[2]).expect("rates"), exactly(rates));
        assert_eq!(sides.recurrence(), Recurrence::Positive, "{rates:?}");
        near(sides.empty().expect("stable"), &exact.empty().expect("stable"));
        near(
            sides.probability_either().expect("stable"),
            &exact.probability_either().expect("stable"),
        );
        for (found, exact) in [
            (sides.wait_a(), exact.wait_a()),
            (sides.wait_b(), exact.wait_b()),
            (sides.wait_either(), exact.wait_either()),
            (sides.wait(), exact.wait()),
        ] {
            let (found, exact) = (found.expect("stable"), exact.expect("stable"));
            near(found.mean, &exact.mean);
            near(found.second, &exact.second);
        }
    }
    // Too little by less than what adding up rates rounds away.
    let sides = Sides::new(1.0 + f64::EPSILON, 1.0, 1e-17).expect("rates");
    assert_eq!(sides.recurrence(), Recurrence::Transient);
    let drift = f64::EPSILON - 1e-17;
    assert_eq!(sides.wait(), Err(Error::Unstable { drift }));
}

#[test]
fn teams_of_two_never_fill_a_side_of_three() {
    let battle = Battle {
        size: 3,
        order: Order::First,
    };
    let limits = Limits {
        states: 50,
        ..Limits::default()
    };
    let lobby = Lobby::with_capacity(battle, vec![(2, 1.0)], usize::MAX, limits);
    assert!(matches!(lobby, Err(Error::TooLarge { .. })));
    // Players who come alone complete them: 2 + 1 against 2 + 1.
    assert_eq!(battle.matched(&[2, 2, 2, 1, 1]), [0, 1, 3, 4]);
    let last = Battle {
        order: Order::Last,
        ..battle
    };
    assert_eq!(last.matched(&[2, 2, 2, 1, 1]), [1, 2, 3, 4]);
}

#[test]
fn who_cannot_play_is_named() {
    // Alone among teams of two: no second player ever comes.
    let battle = Battle {
        size: 2,
        order: Order::First,
    };
    let lobby = Lobby::new(battle, vec![(2, q(1, 1))]).expect("finite");
    assert!(matches!(lobby.wait(1), Err(Error::Unreachable { .. })));
}

/// It listed ever longer lobbies until memory ran out; and looked at rates after that.
#[test]
fn lobbies_without_end_are_given_up() {
    let limits = Limits {
        states: usize::MAX,
        transitions: 20_000,
    };
    let lobby = |rates: [f64; 2]| {
        let arrivals = vec![(1, rates[0]), (2, rates[1])];
        Lobby::with_capacity(Choice, arrivals, usize::MAX, limits).map(|_| ())
    };
    assert!(matches!(lobby([1.0, 1.0]), Err(Error::TooLarge { limit: 20_000, .. })));
    assert!(matches!(
        lobby([-1.0, 1.0]),
        Err(Error::Negative { from: 0, to: 1, .. })
    ));
    assert!(matches!(lobby([1.0, f64::NAN]), Err(Error::NotANumber { .. })));
}

/// Matches these places once two parties are there, and three once party 9 is.
struct Places(Vec<usize>);

impl Rule for Places {
    fn matched(&self, parties: &[u8]) -> Vec<usize> {
        match parties.len() {
            _ if parties.contains(&9) => vec![0, 0],
            2 => self.0.clone(),
            _ => Vec::new(),
        }
    }
}

/// More places than parties were subtracted from the places there are.
#[test]
fn rules_that_match_who_is_not_there_are_refused() {
    let lobby = |places: &[usize]| Lobby::new(Places(places.to_vec()), vec![(1, 1.0)]);
    let parties = 2;
    for (places, place) in [
        (&[0, 2][..], 2),
        (&[1, 1], 1),
        (&[0, 1, 0], 0),
        (&[usize::MAX], usize::MAX),
        (&[1, 0, 1, 2, 3, 4], 1),
    ] {
        let error = lobby(places).err();
        assert_eq!(error, Some(Error::WrongPlace { place, parties }), "{places:?}");
    }
    // The order does not count, as it did not.
    let pairs = lobby(&[1, 0]).expect("a lobby");
    assert_eq!(pairs.chain().len(), 2);
    assert!((pairs.wait(1).expect("a wait").mean - 0.5).abs() < 1e-12);
    // Another kind than those that arrive: alone, it is matched twice.
    let refused = |parties| Some(Error::WrongPlace { place: 0, parties });
    assert_eq!(pairs.wait(9).err(), refused(1));
}

/// It was a division by zero: a panic of fractions, no number of floats.
#[test]
fn a_mixture_of_nothing_is_refused() {
    let wait = Moments {
        mean: q(2, 1),
        second: q(6, 1),
    };
    let nothing = |wrong| Some(Error::NotADistribution { deficit: 1.0, wrong });
    assert_eq!(Moments::<Rational>::mixed([]).err(), nothing(None));
    assert_eq!(
        Moments::mixed([(q(0, 1), &wait), (q(0, 1), &wait)]).err(),
        nothing(None)
    );
    assert_eq!(
        Moments::mixed([(q(1, 1), &wait), (q(-1, 1), &wait)]).err(),
        nothing(Some(1))
    );
    let floats = Moments { mean: 2.0, second: 6.0 };
    assert_eq!(Moments::mixed([(f64::NAN, &floats)]).err(), nothing(Some(0)));
    assert_eq!(Moments::mixed([(0.25, &floats), (0.0, &floats)]), Ok(floats.clone()));
    let endless = Moments {
        mean: 1e200,
        second: f64::INFINITY,
    };
    assert_eq!(Moments::mixed([(0.25, &floats), (0.0, &endless)]), Ok(floats.clone()));
}
