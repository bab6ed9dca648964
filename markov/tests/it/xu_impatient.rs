//! Sides whose players give up: against closed forms, against themselves with more room, and against a simulation.

use markov::models::xu::{Fates, ImpatientSides, Moments, Sides, Wish};
use markov::simulate::{Run, impatient_sides};
use markov::{Error, Rational, Scalar};

use crate::simulate::{agree, moments_agree};

type Q = Rational;

const WISHES: [Wish; 3] = [Wish::A, Wish::B, Wish::Either];

fn q(n: i64, d: i64) -> Q {
    Q::ratio(n, d)
}

/// The closed forms for a line with limited room, by the rates alone.
struct Line {
    up: Q,
    down: Q,
    leave: Q,
    /// `u_0, ..., u_room`.
    weights: Vec<Q>,
}

impl Line {
    fn new(up: &Q, down: Q, leave: &Q, room: i64) -> Self {
        let mut weights = vec![q(1, 1)];
        for n in 1..=room {
            let next = &weights[weights.len() - 1] * up / (&down + leave * q(n, 1));
            weights.push(next);
        }
        Self {
            up: up.clone(),
            down,
            leave: leave.clone(),
            weights,
        }
    }

    fn sum(&self) -> Q {
        self.weights.iter().sum()
    }

    fn last(&self) -> &Q {
        &self.weights[self.weights.len() - 1]
    }

    /// Sum over n of `u_n f(n)`.
    fn mean_of(&self, f: impl Fn(i64) -> Q) -> Q {
        (0..).zip(&self.weights).map(|(n, weight)| weight * f(n)).sum()
    }

    fn waiting(&self, empty: &Q) -> Q {
        let sum = self.sum();
        empty * (&self.up * (&sum - self.last()) - &self.down * (&sum - q(1, 1))) / &self.leave
    }

    /// `1 / r_1^power + ... + 1 / r_n^power`, or with `j / r_j` if it is weighted.
    fn harmonic(&self, n: i64, term: impl Fn(i64, Q) -> Q) -> Q {
        (1..=n).map(|j| term(j, &self.down + &self.leave * q(j, 1))).sum()
    }

    #[track_caller]
    fn check(&self, found: &Fates<Q>, empty: &Q, at_once: &Q) {
        let turned_away = empty * self.last();
        let gave_up = self.waiting(empty) * &self.leave / &self.up;
        let served = empty * &self.down / &self.up;
        let played = q(1, 1) - &turned_away - &gave_up;
        let first = self.waiting(empty) / &self.up;
        let second = empty * q(2, 1) / &self.up * self.mean_of(|n| self.harmonic(n, |j, r| q(j, 1) / r));
        let first_played = &served * self.mean_of(|n| self.harmonic(n, |_, r| r.recip()));
        let second_played = served
            * self.mean_of(|n| {
                let sum = self.harmonic(n, |_, r| r.recip());
                &sum * &sum + self.harmonic(n, |_, r| (&r * &r).recip())
            });
        let first_gave_up = &self.leave * &second / q(2, 1);
        let second_gave_up = &second - &second_played;
        let given = |chance: &Q, mean: Q, second: Q| {
            Some(Moments {
                mean: mean / chance,
                second: second / chance,
            })
        };
        assert_eq!(found.wait, given(&(q(1, 1) - &turned_away), first, second));
        assert_eq!(found.wait_played, given(&played, first_played, second_played));
        assert_eq!(found.wait_gave_up, given(&gave_up, first_gave_up, second_gave_up));
        let chances = [&found.at_once, &found.played, &found.gave_up, &found.turned_away];
        assert_eq!(chances, [at_once, &played, &gave_up, &turned_away]);
    }
}

/// Rates a, b, c, that of giving up, and room.
fn points() -> Vec<([Q; 4], [i64; 2])> {
    let points = [
        ([(1, 2), (1, 4), (1, 3), (1, 5)], [4, 3]),
        ([(1, 1), (1, 1), (1, 1), (1, 1)], [3, 3]),
        ([(1, 1), (1, 1), (0, 1), (1, 10)], [6, 6]),
        ([(3, 1), (1, 2), (0, 1), (2, 7)], [5, 2]),
        ([(1, 3), (5, 2), (1, 9), (3, 1)], [1, 6]),
        ([(9, 10), (1, 20), (1, 1), (1, 100)], [5, 5]),
        ([(2, 7), (3, 7), (2, 7), (1, 50)], [4, 7]),
        ([(3, 1), (5, 2), (7, 3), (11, 4)], [2, 3]),
        ([(1, 1000), (7, 1), (1, 50), (1, 3)], [3, 8]),
        ([(10, 1), (10, 1), (1, 10), (1, 2)], [7, 7]),
    ];
    let rates = |rates: [(i64, i64); 4]| rates.map(|(n, d)| q(n, d));
    points.map(|(point, room)| (rates(point), room)).to_vec()
}

#[test]
fn closed_forms_are_what_the_chains_with_limited_room_give() {
    let points = points();
    assert!(points.len() >= 8);
    for ([a, b, c, leave], room) in points {
        let sides = Sides::new(a.clone(), b.clone(), c.clone()).expect("rates");
        let lines = ImpatientSides::with_room(&sides, leave.clone(), room.map(|n| n as usize)).expect("finite");
        let for_a = Line::new(&a, &b + &c, &leave, room[0]);
        let for_b = Line::new(&b, &a + &c, &leave, room[1]);
        let total = &a + &b + &c;
        let either = &c / (&total + &leave);
        let empty = (for_a.sum() + for_b.sum() - q(1, 1) + &either).recip();
        assert_eq!(lines.empty(), empty);
        assert_eq!(lines.probability(Wish::A, 1), &empty * &for_a.weights[1]);
        assert_eq!(lines.probability(Wish::B, 0), &empty * (for_a.sum() + &either));
        assert_eq!(lines.waiting(Wish::A), for_a.waiting(&empty));
        assert_eq!(lines.waiting(Wish::B), for_b.waiting(&empty));
        assert_eq!(lines.waiting(Wish::Either), &empty * &either);

        let one = q(1, 1);
        let [fates_a, fates_b, fates_either] = WISHES.map(|wish| lines.fates(wish).expect("a chain"));
        for_a.check(&fates_a, &empty, &(&empty * (for_b.sum() - &one + &either)));
        for_b.check(&fates_b, &empty, &(&empty * (for_a.sum() - &one + &either)));
        let end = &total + &leave;
        assert_eq!(fates_either.gave_up, &empty * &leave / &end);
        assert_eq!(fates_either.played, &one - &fates_either.gave_up);
        assert_eq!(fates_either.wait.expect("they come in").mean, &empty / &end);
        let of_leavers = fates_either.wait_gave_up.expect("some give up");
        assert_eq!(
            (of_leavers.mean.clone(), of_leavers.variance()),
            (end.recip(), (&end * &end).recip())
        );
    }
}

/// Whether two numbers agree to a relative 1e-12.
#[track_caller]
fn close(one: f64, other: f64) {
    assert!(
        (one - other).abs() <= 1e-12 * one.abs().max(other.abs()),
        "{one} is not {other}"
    );
}

const SHAPES: [[f64; 4]; 6] = [
    [0.5, 0.4, 0.6, 1e-3],
    [2.0, 1.0, 0.0, 0.1],
    [1.0, 1.0, 0.0, 0.001],
    [1e-12, 3.0, 0.5, 0.25],
    [900.0, 1.0, 0.0, 1.0],
    [5.0, 5.0, 1e-9, 40.0],
];

#[test]
fn more_room_changes_nothing() {
    for [a, b, c, leave] in SHAPES {
        let sides = Sides::new(a, b, c).expect("rates");
        let lines = ImpatientSides::new(&sides, leave).expect("short lines");
        let more = ImpatientSides::with_room(&sides, leave, lines.room().map(|room| 2 * room)).expect("short lines");
        close(lines.empty(), more.empty());
        for wish in WISHES {
            close(lines.waiting(wish), more.waiting(wish));
            let [one, other] = [&lines, &more].map(|lines| lines.fates(wish).expect("a chain"));
            close(one.played, other.played);
            close(one.gave_up, other.gave_up);
            assert!(one.turned_away < 1e-15);
            let waits = [one.wait, one.wait_played, one.wait_gave_up];
            for (one, other) in waits
                .into_iter()
                .zip([other.wait, other.wait_played, other.wait_gave_up])
            {
                // With 900 waiting, nobody waits for the other side as far as floats can tell.
                assert_eq!(one.is_some(), other.is_some());
                for (one, other) in one.into_iter().zip(other) {
                    close(one.mean, other.mean);
                    close(one.second, other.second);
                }
            }
        }
    }
}

#[test]
fn unlimited_lines_follow_kummer_s_function() {
    for [a, b, c, leave] in SHAPES.into_iter().filter(|shape| shape[0] < 100.0) {
        let sides = Sides::new(a, b, c).expect("rates");
        let lines = ImpatientSides::new(&sides, leave).expect("short lines");
        let kummer = |up: f64, down: f64| {
            let (mut term, mut sum, mut n) = (1.0, 1.0, 1.0);
            while term > 1e-30 * sum {
                term *= (up / leave) / (down / leave + n);
                sum += term;
                n += 1.0;
            }
            sum
        };
        let (for_a, for_b) = (kummer(a, b + c), kummer(b, a + c));
        let empty = 1.0 / (for_a + for_b - 1.0 + c / (a + b + c + leave));
        close(lines.empty(), empty);
        if a > b + c {
            close(lines.waiting(Wish::A), empty * ((a - b - c) * for_a + b + c) / leave);
        }
    }
}

#[test]
fn endless_patience_is_the_paper_s_model() {
    let sides = Sides::new(0.5, 0.4, 0.6).expect("rates");
    let patient = ImpatientSides::new(&sides, 1e-9).expect("short lines");
    let waits = [sides.wait_a(), sides.wait_b(), sides.wait_either()];
    for (wish, wait) in WISHES.into_iter().zip(waits) {
        let (wait, fates) = (wait.expect("stable"), patient.fates(wish).expect("a chain"));
        let played = fates.wait_played.expect("they play");
        assert!((played.mean / wait.mean - 1.0).abs() < 1e-7);
        assert!((played.second / wait.second - 1.0).abs() < 1e-7);
        assert!(fates.gave_up < 1e-8);
    }
}

#[test]
fn simulated_players_who_bring_their_patience_fare_the_same() -> Result<(), Error> {
    let shapes = [
        ([1.0, 1.0, 0.0, 0.1], 21),
        ([2.0, 1.0, 0.0, 0.5], 22),
        ([0.5, 0.3, 0.2, 0.2], 23),
        ([0.3, 0.3, 0.4, 1.5], 24),
    ];
    for ([a, b, c, leave], seed) in shapes {
        let lines = ImpatientSides::new(&Sides::new(a, b, c)?, leave)?;
        let report = impatient_sides(a, b, c, leave, Run::new(1_000_000, seed)?)?;
        let fates = report.fates();
        for (kind, (wish, rate)) in WISHES.into_iter().zip([a, b, c]).enumerate() {
            if rate == 0.0 {
                assert!(fates.of(&[kind, kind + 3]).is_none());
                continue;
            }
            let what = format!("{wish:?} of {a} {b} {c}, {leave}");
            let exact = lines.fates(wish)?;
            let both = [kind, kind + 3];
            agree(&what, fates.share(&both[1..], &both).expect("they come"), exact.gave_up);
            agree(&what, report.waiting(kind).expect("a kind"), lines.waiting(wish));
            let simulated = [fates.of(&both), fates.class(kind), fates.class(kind + 3)];
            for (simulated, exact) in simulated
                .into_iter()
                .zip([exact.wait, exact.wait_played, exact.wait_gave_up])
            {
                let exact = exact.expect("all of it happens");
                moments_agree(&what, simulated, exact.mean, exact.second);
            }
        }
        assert_eq!(report.waiting(3), None);
    }
    Ok(())
}

#[test]
fn rates_that_make_no_sense_are_refused() {
    let sides = Sides::new(1.0, 1.0, 1.0).expect("rates");
    for leave in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            ImpatientSides::new(&sides, leave),
            Err(Error::Parameter { name: "leave", .. })
        ));
        let run = Run::new(3_400, 1).expect("long enough");
        assert!(matches!(
            impatient_sides(1.0, 1.0, 1.0, leave, run),
            Err(Error::Parameter { name: "leave", .. })
        ));
    }
    let crowd = Sides::new(2.0, 1.0, 0.0).expect("rates");
    assert!(matches!(ImpatientSides::new(&crowd, 1e-9), Err(Error::TooLarge { .. })));
    assert!(matches!(
        ImpatientSides::with_room(&sides, 1.0, [1, 2_000_000]),
        Err(Error::TooLarge { .. })
    ));
}

/// Chains of all could be built, and the documentation had no errors then.
#[test]
fn rates_too_far_apart_for_a_tagged_player_are_told() {
    for (either, leave) in [(0.5, f64::from_bits(1)), (1e300, 1e-300)] {
        let sides = Sides::new(0.25, 0.25, either).expect("rates");
        let lines = ImpatientSides::new(&sides, leave).expect("short lines");
        assert!(lines.empty() > 0.0);
        for wish in [Wish::A, Wish::B] {
            assert_eq!(lines.fates(wish), Err(Error::PrecisionLost));
        }
    }
}

#[test]
fn without_room_nobody_waits() {
    let sides = Sides::new(q(1, 1), q(2, 1), q(0, 1)).expect("rates");
    let lines = ImpatientSides::with_room(&sides, q(1, 1), [0, 1]).expect("finite");
    let fates = lines.fates(Wish::A).expect("a chain");
    // B waits for half of the time: it comes at rate 2, and goes at rate 1 + 1.
    assert_eq!((fates.played.clone(), fates.turned_away), (q(1, 2), q(1, 2)));
    assert_eq!(
        (fates.at_once, fates.gave_up, fates.wait_gave_up),
        (fates.played, q(0, 1), None)
    );
    assert_eq!(fates.wait.expect("some come in").mean, q(0, 1));
}
