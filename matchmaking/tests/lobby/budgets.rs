//! What searches that follow each other spend, and what ended them.

use std::time::Duration;

use matchmaking::lobby::{CancelToken, Engine, Error, Fill, LobbySearch, Objective, Player, Round, Rules, Stop};

use crate::support::round;

/// What an engine may be at when the limit comes: it asks about all exchanges of one party at once, here up to a thousand.
const OVERSHOT: u64 = 1_200;

/// Half of the limit was kept for a search that never came.
#[test]
fn matches_that_are_found_at_once_are_searched_on_from() -> Result<(), Error> {
    let round = Round::synthetic(63, 5, 2)?;
    for objective in [Objective::Mean, Objective::MinThenMean { sharpness: 64.0 }] {
        let rules = Rules::new(3).ping_limit(450.0).objective(objective);
        for engine in [Engine::Auto, Engine::Climb, Engine::Tabu] {
            let search = LobbySearch::new(&round, &rules).engine(engine).fill(Fill::Possible);
            let lobby = search.work(20_000).run()?;
            assert_eq!((lobby.matches.len(), lobby.verify(&round, &rules)), (10, Ok(())));
            assert!((18_000..20_500).contains(&lobby.work), "{engine:?}: {}", lobby.work);
        }
    }
    Ok(())
}

/// Each of several searches took some moves more than it was to, and a small limit was taken four times over.
#[test]
fn searches_that_follow_each_other_keep_their_limit_together() -> Result<(), Error> {
    let round = Round::named("nauts-102-s1")?;
    let rules = Rules::new(3).ping_limit(150.0);
    for engine in [Engine::Auto, Engine::Climb, Engine::CachedClimb, Engine::Tabu] {
        for work in [0, 1, 10, 100, 1_000, 5_000] {
            let search = LobbySearch::new(&round, &rules).engine(engine).work(work);
            let lobby = search.fill(Fill::Possible).run()?;
            assert_eq!(lobby.verify(&round, &rules), Ok(()));
            assert!(lobby.work <= work + OVERSHOT, "{engine:?} {work}: {}", lobby.work);
        }
    }
    Ok(())
}

/// A limit that ended a search without matches was not told.
#[test]
fn what_ended_a_search_in_vain_is_told() -> Result<(), Error> {
    // Five of a match at least are of every third, who are enough for four matches of ten; but everybody has enough others.
    let players = (0..60).map(|i| Player::new(format!("p{i}"), 100.0 * f64::from(i)));
    let ping = |i: usize, j: usize| if (i * j).is_multiple_of(3) { 30.0 } else { 200.0 };
    let round = round(players.collect(), ping, |_, _| true);
    let rules = Rules::new(3).ping_limit(100.0);
    let search = || LobbySearch::new(&round, &rules).engine(Engine::Climb);
    let ended = |search: LobbySearch<'_>| match search.run() {
        Err(Error::NoneWithinLimits {
            is_proven: false,
            stop,
            work,
            ..
        }) => (stop, work),
        other => panic!("{other:?}"),
    };
    let (stop, work) = ended(search().work(3_000));
    assert_eq!(stop, Stop::Work);
    assert!((3_000..3_000 + OVERSHOT).contains(&work), "{work}");
    assert_eq!(ended(search().work(0)), (Stop::Work, 0));
    assert_eq!(ended(search().time(Duration::ZERO)).0, Stop::Time);
    assert_eq!(ended(search().time(Duration::from_millis(20))).0, Stop::Time);
    assert_eq!(ended(search().time(Duration::from_secs(600)).work(500)).0, Stop::Work);
    assert_eq!(ended(search()).0, Stop::Work, "its own amount");
    let never = Duration::from_secs(3_600);
    for engine in Engine::ALL {
        let search = || LobbySearch::new(&round, &rules).engine(engine);
        let (stop, work) = ended(search().work(3_000).time(never));
        assert_eq!(stop, Stop::Work, "{engine:?}");
        // Each of sixty members of a population has an overshoot of its own.
        assert!((2_700..3_000 + 4 * OVERSHOT).contains(&work), "{engine:?}: {work}");
        let short = search().time(Duration::from_millis(20)).work(u64::MAX / 8);
        assert_eq!(ended(short).0, Stop::Time, "{engine:?}");
        let token = CancelToken::new();
        std::thread::scope(|scope| {
            let running = scope.spawn(|| ended(search().time(never).cancel(token.clone())));
            std::thread::sleep(Duration::from_millis(20));
            token.cancel();
            assert_eq!(running.join().expect("no panic").0, Stop::Cancelled, "{engine:?}");
        });
        assert_eq!(ended(search().work(0).cancel(token)).0, Stop::Cancelled, "{engine:?}");
    }
    // Of two steps the second one was left out where the first had found nothing, and half of the limit with it.
    let sharp = rules.clone().objective(Objective::MinThenMean { sharpness: 64.0 });
    let (stop, work) = ended(LobbySearch::new(&round, &sharp).work(3_000));
    assert_eq!(stop, Stop::Work);
    assert!((2_900..3_000 + OVERSHOT).contains(&work), "{work}");
    Ok(())
}
