//! Live and replayed, the games are the same.

use std::time::Duration;

use matching_core::{Budget, CancelToken, StopReason};
use matchmaking::online::{
    self, Arrival, Arrivals, Error, Games, Matchmaker, Policy, PolicyKind, Setting, simulate, simulate_within,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::naive::{self, DifferenceWait, Greedy, MultiQueue, Periodic, Played, Rule, Threshold};
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
            let mut matchmaker = Matchmaker::new(setting.clone(), kind.build(&setting)?)?;
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
    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Slack.build(&setting)?)?;
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

/// A third of all leave at some moment of the longest wait, or soon after it, some at a multiple of an eighth.
fn leavers(setting: &Setting, arrivals: &Arrivals, rng: &mut ChaCha8Rng) -> Vec<(f64, u32)> {
    let last = arrivals.times().last().copied().unwrap_or_default();
    let mut leavers = Vec::new();
    for arrival in arrivals.iter() {
        let mut time = arrival.time + rng.random_range(0.0..1.2) * setting.tau_max();
        if rng.random_bool(0.3) {
            time = (time * 8.0).ceil() / 8.0;
        }
        if rng.random_bool(0.33) && time < last {
            leavers.push((time, arrival.id));
        }
    }
    leavers.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    leavers
}

/// Serves a log of which some leave; everybody else plays once and waits no longer than that, nobody who is told to
/// have waited plays, and everybody else who leaves is in a game already.
fn serve_live(setting: &Setting, kind: PolicyKind, arrivals: &Arrivals, leavers: &[(f64, u32)]) -> Played {
    let mut matchmaker = Matchmaker::new(setting.clone(), kind.build(setting).expect("a policy")).expect("its setting");
    let (mut played, mut gone) = (Played::new(), Vec::new());
    let mut leavers = leavers.iter().peekable();
    for arrival in arrivals.iter() {
        while let Some(&(time, id)) = leavers.next_if(|leaver| leaver.0 < arrival.time) {
            let has_waited = matchmaker.leave(time, id).expect("in order of time");
            if has_waited {
                gone.push(id);
                assert_eq!(matchmaker.leave(time, id), Ok(false));
            }
            played.extend(listed(&matchmaker.take_games()));
            let plays = played.iter().any(|(_, players)| players.contains(&id));
            assert_ne!(plays, has_waited, "{kind}: {id}");
        }
        matchmaker.arrive(arrival.time, arrival.criteria).expect("in order");
    }
    while let Some(wake) = matchmaker.next_wake() {
        matchmaker.advance(wake).expect("in order");
    }
    played.extend(listed(&matchmaker.take_games()));
    let mut served: Vec<u32> = played
        .iter()
        .flat_map(|(_, players)| players.clone())
        .chain(gone)
        .collect();
    served.sort_unstable();
    assert!(served.into_iter().eq(0..arrivals.len() as u32), "{kind}");
    for (start, players) in &played {
        for &player in players {
            let wait = start - arrivals.times()[player as usize];
            assert!(
                (0.0..=setting.tau_max() + 1e-9).contains(&wait),
                "{kind}: {player} waits for {wait}"
            );
        }
    }
    played
}

fn compare(setting: &Setting, kind: PolicyKind, mut rule: impl Rule, seed: u64) {
    for (rate, has_ties) in [(0.7, false), (2.0, true), (6.0, false), (6.0, true)] {
        let arrivals = log(150, setting.criteria(), rate, has_ties, seed);
        let leavers = leavers(setting, &arrivals, &mut ChaCha8Rng::seed_from_u64(seed));
        let played = serve_live(setting, kind, &arrivals, &leavers);
        let expected = naive::serve_with_leavers(&mut rule, &arrivals, &leavers);
        assert_eq!(played, expected, "{kind} seed {seed} rate {rate} ties {has_ties}");
    }
}

#[test]
fn whoever_leaves_is_in_no_game() -> Result<(), Error> {
    for seed in 0..6 {
        for players in 2..=4 {
            for criteria in 1..=2 {
                let setting = Setting::new(players, 4.0, criteria)?;
                compare(&setting, PolicyKind::Greedy, Greedy(&setting), seed);
                let rule = MultiQueue(&setting, vec![3; criteria]);
                compare(&setting, PolicyKind::MultiQueue(Some(3)), rule, seed);
                if criteria == 2 {
                    let rule = MultiQueue(&setting, vec![1, 4]);
                    compare(&setting, "multi-queue:1x4".parse()?, rule, seed);
                }
                if criteria == 1 {
                    compare(&setting, PolicyKind::Periodic(Some(2)), Periodic(&setting, 2), seed);
                }
            }
        }
        let setting = Setting::with_weights(2, 4.0, vec![1.5])?;
        for factor in [0.0, 4.0, 30.0] {
            compare(
                &setting,
                PolicyKind::DifferenceWait(factor),
                DifferenceWait(&setting, factor),
                seed,
            );
        }
        let (base, growth) = (0.1, 3.0);
        let rule = Threshold {
            setting: &setting,
            base,
            growth,
        };
        compare(&setting, PolicyKind::Threshold { base, growth }, rule, seed);
        for name in ["slack", "ticks:0.7", "periodic:auto", "multi-queue:auto"] {
            let arrivals = log(300, 1, 3.0, seed % 2 == 1, seed);
            let leavers = leavers(&setting, &arrivals, &mut ChaCha8Rng::seed_from_u64(seed));
            serve_live(&setting, name.parse()?, &arrivals, &leavers);
        }
    }
    Ok(())
}

#[test]
fn who_leaves_must_have_come_and_not_leave_in_the_past() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Greedy.build(&setting)?)?;
    let nobody = Error::NoSuchPlayer { player: 0, arrived: 0 };
    assert_eq!(matchmaker.leave(1.0, 0), Err(nobody));
    matchmaker.arrive(2.0, &[0.1])?;
    assert_eq!(
        matchmaker.leave(1.0, 0),
        Err(Error::InstantOver { now: 2.0, time: 1.0 })
    );
    assert!(matchmaker.leave(f64::NAN, 0).is_err());
    let error = matchmaker.leave(3.0, 7).expect_err("one has come");
    assert!(error.to_string().contains("numbers 0 to 0"), "{error}");
    // Before the game with a bot that is due at that instant, and after it.
    assert_eq!(matchmaker.leave(7.0, 0), Ok(true));
    assert_eq!((matchmaker.next_wake(), matchmaker.take_games().len()), (None, 0));
    matchmaker.arrive(7.0, &[0.3])?;
    assert_eq!(matchmaker.leave(12.5, 1), Ok(false));
    assert_eq!(listed(&matchmaker.take_games()), [(12.0, vec![1])]);
    // Whoever left does not count for a full game.
    matchmaker.arrive(13.0, &[0.3])?;
    matchmaker.leave(13.0, 2)?;
    matchmaker.arrive(13.0, &[0.4])?;
    assert!(matchmaker.take_games().is_empty());
    Ok(())
}

/// Beside an infinite time nothing lay before anything, and whoever left then had still waited.
#[test]
fn by_the_end_of_time_everybody_has_played() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Greedy.build(&setting)?)?;
    matchmaker.arrive(2.0, &[0.1])?;
    assert_eq!(matchmaker.leave(f64::INFINITY, 0), Ok(false));
    assert_eq!(listed(&matchmaker.take_games()), [(7.0, vec![0])]);
    Ok(())
}

#[test]
fn a_limit_on_work_serves_the_beginning_of_a_log() -> Result<(), Error> {
    let setting = Setting::new(2, 3.0, 1)?;
    let arrivals = log(300, 1, 1.5, true, 5);
    for name in ["greedy", "difference-wait:3", "ticks:0.7", "slack"] {
        let kind: PolicyKind = name.parse()?;
        let within = |budget: &Budget| simulate_within(&setting, kind.build(&setting)?, &arrivals, budget);
        for work in [0, 1, 17, 299] {
            let some = within(&Budget::new().work(work))?;
            let mut matchmaker = Matchmaker::new(setting.clone(), kind.build(&setting)?)?;
            for arrival in arrivals.iter().take(work as usize) {
                matchmaker.arrive(arrival.time, arrival.criteria)?;
            }
            assert_eq!(some.games, matchmaker.take_games(), "{name} {work}");
            assert_eq!(some.stop, Some(StopReason::WorkLimit));
        }
        let all = simulate(&setting, kind.build(&setting)?, &arrivals)?;
        for budget in [Budget::new().work(300), Budget::new().time(Duration::from_secs(86_400))] {
            let served = within(&budget)?;
            assert_eq!((&served.games, served.stop), (&all, None), "{name}");
        }
        let none = within(&Budget::new().time(Duration::ZERO))?;
        assert_eq!((none.games.len(), none.stop), (0, Some(StopReason::TimeLimit)));
    }
    Ok(())
}

/// Greedy, until it sees some player, or wakes up so often.
#[derive(Debug)]
struct Impatient {
    greedy: online::Greedy,
    token: CancelToken,
    player: u32,
    wakes: usize,
}

impl Policy for Impatient {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        if arrival.id == self.player {
            self.token.cancel();
        }
        self.greedy.on_arrival(arrival, games);
    }

    fn on_leave(&mut self, player: u32) -> bool {
        self.greedy.on_leave(player)
    }

    fn next_timer(&mut self) -> Option<f64> {
        // At the end somebody always waits a little longer.
        self.greedy.next_timer().map(|time| time + self.wakes as f64)
    }

    fn on_timer(&mut self, _: f64, _: &mut Games) {
        self.wakes += 1;
        if self.wakes == 40 {
            self.token.cancel();
        }
        assert!(self.wakes < 100, "nobody looks at the token");
    }
}

#[test]
fn who_cancels_is_heard_while_a_policy_is_at_work() -> Result<(), Error> {
    let setting = Setting::new(2, 1e9, 1)?;
    let arrivals = log(1_001, 1, 1.0, false, 6);
    for (player, games) in [(500, 250..=260), (u32::MAX, 500..=500)] {
        let token = CancelToken::new();
        let policy = Impatient {
            greedy: online::Greedy::new(&setting),
            token: token.clone(),
            player,
            wakes: 0,
        };
        let served = simulate_within(&setting, policy, &arrivals, &Budget::new().cancel(token))?;
        assert_eq!(served.stop, Some(StopReason::Cancelled));
        assert!(games.contains(&served.games.len()), "{}", served.games.len());
    }
    Ok(())
}
