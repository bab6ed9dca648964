//! What is said to be in the way of matches.

use matchmaking::lobby::{Error, Limit, LobbySearch, Player, Rules, ServerRule};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::round;

/// What an error says of limits, by the definition: those that are there, and the one that the closest match breaks.
#[test]
fn the_limit_that_is_in_the_way_is_named() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    let mut seen = Vec::new();
    for number in 0..200 {
        let players = (0..8).map(|i| Player::new(format!("p{i}"), 100.0 * f64::from(i)));
        let far: Vec<bool> = (0..64).map(|_| rng.random_bool(0.35)).collect();
        let apart: Vec<bool> = (0..64).map(|_| rng.random_bool(0.35)).collect();
        let pair = |i: usize, j: usize| 8 * i.min(j) + i.max(j);
        let ping = |i, j| if far[pair(i, j)] { 200.0 } else { 40.0 };
        let mut round = round(players.collect(), ping, |i, j| !apart[pair(i, j)]);
        let avoided: Vec<(usize, usize)> = (0..8).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
        let avoided: Vec<(usize, usize)> = avoided.into_iter().filter(|_| rng.random_bool(0.25)).collect();
        let kinds = 1 + number % 7;
        let mut rules = Rules::new(2);
        let mut asked = Vec::new();
        if kinds & 1 > 0 {
            rules = rules.ping_limit(100.0);
            asked.push(Limit::Ping);
        }
        if kinds & 2 > 0 {
            round = round.with_avoided(avoided.iter().copied())?;
            asked.push(Limit::Avoid);
        }
        if kinds & 4 > 0 {
            rules = rules.server_rule(ServerRule::Required);
            asked.push(Limit::Server);
        }
        let Err(error) = LobbySearch::new(&round, &rules).run() else {
            continue;
        };
        let Error::NoneWithinLimits {
            limits,
            closest,
            broken,
            ..
        } = &error
        else {
            continue;
        };
        assert_eq!(limits, &asked, "{number}");
        let members: Vec<usize> = (closest.iter()).map(|id| id[1..].parse().expect("a number")).collect();
        let any = |is_bad: &dyn Fn(usize, usize) -> bool| {
            members.iter().any(|&i| members.iter().any(|&j| i < j && is_bad(i, j)))
        };
        let connects = |i: usize| members.iter().all(|&j| i == j || !apart[pair(i, j)]);
        let (is_broken, word) = match broken.expect("some limit") {
            Limit::Ping => (any(&|i, j| far[pair(i, j)]), "raise the ping limit"),
            Limit::Avoid => (any(&|i, j| avoided.contains(&(i, j))), "shorten lists of `avoid`"),
            Limit::Server => (!members.iter().any(|&i| connects(i)), "allow matches without a server"),
            other => panic!("{other:?}"),
        };
        assert!(
            is_broken && asked.contains(&broken.expect("some limit")),
            "{number}: {error}"
        );
        let said = error.to_string();
        assert!(said.contains(word), "{number}: {said}");
        for (limit, word) in [
            (Limit::Ping, "ping"),
            (Limit::Avoid, "avoid"),
            (Limit::Server, "server"),
        ] {
            assert_eq!(said.contains(word), asked.contains(&limit), "{number}: {said}");
        }
        seen.extend(broken);
    }
    for limit in [Limit::Ping, Limit::Avoid, Limit::Server] {
        assert!(seen.contains(&limit), "{limit:?} was never in the way");
    }
    Ok(())
}
