//! A lobby over time with a synthetic population: what goes in comes out, and chance is the seed's alone.

use std::collections::HashMap;
use std::ops::ControlFlow;

use matchmaking::lobby::{Budget, Error, Played, RoundRule, Rules, Simulation};

fn small(seed: u64) -> Simulation {
    Simulation::new(240, 24.0)
        .match_seconds(300.0)
        .seed(seed)
        .budget(Budget::new().work(3_000))
}

fn in_pool<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(run)
}

#[test]
fn everybody_who_arrives_is_matched_or_waits_or_has_left() -> Result<(), Error> {
    for (seed, patience) in [(1, None), (2, Some(60.0)), (3, Some(400.0))] {
        for when in [
            RoundRule::every(40.0),
            RoundRule::wait_for(40),
            RoundRule::wait_for_at_most(24, 90.0),
        ] {
            for rules in [Rules::new(3), Rules::new(5).ping_limit(150.0)] {
                let simulation = match patience {
                    Some(seconds) => small(seed).patience(seconds),
                    None => small(seed),
                };
                let mut back = HashMap::new();
                let played = simulation.run_watched(&rules, when, &mut |held| {
                    let round = held.round();
                    if let Some(lobby) = held.lobby() {
                        assert_eq!(lobby.verify(round, &rules), Ok(()));
                        for (at, one) in lobby.matches.iter().enumerate() {
                            for player in one.players() {
                                let played = back.insert(round.players()[player].id.clone(), held.match_id(at));
                                let last = round.players()[player].last.as_ref();
                                assert_eq!(last.map(|last| &last.match_id), played.as_ref());
                            }
                        }
                    }
                    ControlFlow::Continue(())
                })?;
                let in_matches = played.matches.len() * rules.match_size();
                assert_eq!(played.waits.len(), in_matches);
                assert_eq!(played.arrived, in_matches + played.given_up + played.waiting, "{when}");
                assert_eq!(played.given_up > 0, patience.is_some());
                assert!(played.is_complete && played.arrived >= 240);
                assert!(played.arrived > 240 || patience.is_some(), "some come back");
                if let (Some(seconds), Some(_)) = (when.seconds(), when.players()) {
                    let times = played.rounds.windows(2).map(|pair| pair[1].time - pair[0].time);
                    let longest = times.fold(0.0, f64::max);
                    // Nobody waits between rounds only where nobody is there.
                    assert!(longest < 2.0 * seconds, "{longest}");
                    let first = played.rounds[0].matches * rules.match_size();
                    assert!(played.waits[..first].iter().all(|&wait| wait <= seconds));
                }
                let made: usize = played.rounds.iter().map(|round| round.matches).sum();
                assert_eq!(made, played.matches.len());
                if let (Some(seconds), None) = (when.seconds(), when.players()) {
                    let is_multiple = |time: f64| (time / seconds).round() * seconds == time;
                    assert!(played.rounds.iter().all(|round| is_multiple(round.time)));
                    // Nobody of the first round but has waited for less than an interval, without anybody left over before.
                    let first = played.rounds[0].matches * rules.match_size();
                    assert!(
                        played.waits[..first]
                            .iter()
                            .all(|&wait| (0.0..=seconds).contains(&wait))
                    );
                }
            }
        }
    }
    Ok(())
}

#[test]
fn one_seed_is_one_result_on_any_number_of_threads() -> Result<(), Error> {
    let play = |seed| small(seed).patience(300.0).run(&Rules::new(3), RoundRule::every(60.0));
    let one: Played = in_pool(1, || play(5))?;
    assert_eq!(in_pool(2, || play(5))?, one);
    assert_ne!(play(6)?, one);
    Ok(())
}

/// Whoever waits longer between rounds has more players in each, better matches and longer waits.
#[test]
fn longer_intervals_have_larger_rounds() -> Result<(), Error> {
    let mut before: Option<(f64, f64, f64)> = None;
    for seconds in [30.0, 90.0, 270.0] {
        let played = Simulation::new(500, 30.0)
            .budget(Budget::new().work(20_000))
            .run(&Rules::new(3), RoundRule::every(seconds))?;
        let players: usize = played.rounds.iter().map(|round| round.players).sum();
        let now = (
            players as f64 / played.rounds.len() as f64,
            played.mean_score().expect("matches"),
            played.mean_wait().expect("waits"),
        );
        if let Some(before) = before {
            assert!(
                before.0 < now.0 && before.1 < now.1 && before.2 < now.2,
                "{before:?} {now:?}"
            );
        }
        before = Some(now);
    }
    Ok(())
}

/// Who arrives when, and for the first time, does not depend on the rule.
#[test]
fn rules_are_compared_on_the_same_arrivals() -> Result<(), Error> {
    let alone = Simulation::new(300, 30.0).again(0.0);
    let [one, other] = [20.0, 200.0].map(|seconds| {
        let played = alone.run(&Rules::new(2), RoundRule::every(seconds));
        played.map(|played| (played.arrived, played.seconds))
    });
    assert_eq!(one?.0, 300);
    let (one, other) = (alone.run(&Rules::new(2), RoundRule::every(20.0))?, other?);
    assert_eq!((one.arrived, one.seconds), other);
    // As many as expected: 300 of them at 30 a minute.
    assert!((one.seconds / 600.0 - 1.0).abs() < 0.2, "{}", one.seconds);
    Ok(())
}

#[test]
fn it_ends_where_it_is_told_to() -> Result<(), Error> {
    let mut rounds = 0;
    let played = small(1).run_watched(&Rules::new(3), RoundRule::every(60.0), &mut |_| {
        rounds += 1;
        match rounds {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    })?;
    assert_eq!(
        (played.rounds.len(), played.is_complete, played.seconds),
        (3, false, 180.0)
    );
    let whole = small(1).run(&Rules::new(3), RoundRule::every(60.0))?;
    assert_eq!(played.rounds, whole.rounds[..3]);
    assert_eq!(played.matches, whole.matches[..played.matches.len()]);
    Ok(())
}

#[test]
fn numbers_that_make_no_sense_are_told() {
    let run = |simulation: Simulation| simulation.run(&Rules::new(3), RoundRule::every(60.0));
    let cases = [
        (
            Simulation::new(10, 0.0),
            "players a minute: 0 where there should be a positive finite number",
        ),
        (Simulation::new(10, f64::NAN), "players a minute: NaN"),
        (
            Simulation::new(10, f64::MIN_POSITIVE),
            "where there should be enough for all of them to arrive at a finite time",
        ),
        (
            small(0).again(1.5),
            "chance to play again: 1.5 where there should be a number from 0 to 1",
        ),
        (small(0).match_seconds(-1.0), "seconds of a match: -1"),
        // Of which the clock would not move on, while players come back again and again.
        (small(0).match_seconds(1e-300), "a finite number of 0.001 or more"),
        (small(0).patience(0.0), "seconds of patience: 0"),
        (Simulation::new(0, 1.0), "there are no players"),
        (Simulation::new(5001, 1.0), "5001 players"),
    ];
    for (simulation, text) in cases {
        let error = run(simulation).expect_err(text).to_string();
        assert!(error.contains(text), "{text}: {error}");
    }
    assert!(small(0).run(&Rules::new(9), RoundRule::every(60.0)).is_err());
    assert!(small(0).run(&Rules::new(3), RoundRule::wait_for(5)).is_err());
}
