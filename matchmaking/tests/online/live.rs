//! Live and replayed, the games are the same.

use matchmaking::online::{Error, Matchmaker, PolicyKind, Setting};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{listed, log, play};

#[test]
fn a_replay_gives_the_games_that_were_played() -> Result<(), Error> {
    let names = "greedy periodic:auto multi-queue:auto difference-wait:3 threshold:0.2,0.5 ticks:0.7 slack";
    for (name, seed) in names.split_whitespace().zip(0..) {
        let kind: PolicyKind = name.parse()?;
        for has_ties in [false, true] {
            let setting = Setting::new(2, 3.0, 1)?;
            let arrivals = log(300, 1, 1.5, has_ties, seed);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut matchmaker = Matchmaker::new(setting.clone(), kind.build(&setting)?);
            let mut played = Vec::new();
            let mut before = f64::NEG_INFINITY;
            for arrival in arrivals.iter() {
                // The loop wakes up when it should, late, or not at all.
                while let Some(wake) = matchmaker.next_wake().filter(|wake| *wake < arrival.time) {
                    match rng.random_range(0..3) {
                        0 => matchmaker.advance(wake)?,
                        1 => matchmaker.advance((wake + arrival.time) / 2.0)?,
                        _ => break,
                    }
                }
                assert!(arrival.time >= before);
                before = arrival.time;
                assert_eq!(matchmaker.arrive(arrival.time, arrival.criteria)?, arrival.id);
                played.extend(listed(&matchmaker.take_games()));
            }
            while let Some(wake) = matchmaker.next_wake() {
                matchmaker.advance(wake)?;
            }
            played.extend(listed(&matchmaker.take_games()));
            assert_eq!(played, listed(&play(&setting, kind, &arrivals)), "{name}");
        }
    }
    Ok(())
}

#[test]
fn the_clock_does_not_go_back() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Slack.build(&setting)?);
    assert_eq!(matchmaker.next_wake(), None);
    matchmaker.arrive(2.0, &[0.1])?;
    assert!(matches!(matchmaker.arrive(1.9, &[0.2]), Err(Error::NotSorted { .. })));
    matchmaker.arrive(2.0, &[0.9])?;
    matchmaker.advance(2.5)?;
    assert_eq!(
        matchmaker.arrive(2.5, &[0.2]),
        Err(Error::InstantOver { now: 2.5, time: 2.5 })
    );
    assert!(matches!(matchmaker.advance(2.4), Err(Error::InstantOver { .. })));
    assert!(matches!(matchmaker.advance(f64::NAN), Err(Error::InstantOver { .. })));
    matchmaker.arrive(2.6, &[0.2])?;
    assert_eq!(matchmaker.arrived(), 3);
    assert!(matchmaker.arrive(3.0, &[f64::NAN]).is_err() && matchmaker.arrive(f64::NAN, &[0.0]).is_err());
    assert!(matchmaker.arrive(3.0, &[0.0, 0.0]).is_err());
    Ok(())
}
