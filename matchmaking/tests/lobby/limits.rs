//! Who must not be in a match with whom: by the fast score as by the literal one, and by searches as by trying everything.

use std::collections::HashMap;

use matchmaking::lobby::{
    Engine, Error, Fill, Flaw, Judge, LobbyCost, LobbySearch, Objective, Player, Priority, Round, Rules, ServerRule,
    SymmetricMatrix, choose, start,
};
use rand::seq::index;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fast::{agree, rules, somebody};
use crate::support::{of_parties, plain, round, sizes};
use crate::swaps::ask;

/// Limits that no party breaks, with the one on pings: each pair of players of different parties is avoided with some
/// chance, and pings have a limit above those within parties.
fn limited(round: Round, rules: Rules, (avoided, limit): (f64, f64), rng: &mut ChaCha8Rng) -> (Round, Rules, f64) {
    let pairs: Vec<(usize, usize)> = (0..round.len()).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    let is_party = |&(i, j): &(usize, usize)| round.party_of(i) == round.party_of(j);
    let within = pairs.iter().filter(|pair| is_party(pair));
    let within = within.map(|&(i, j)| f64::from(round.ping_ms(i, j))).fold(0.0, f64::max);
    let apart: Vec<(usize, usize)> = (pairs.iter())
        .filter(|pair| !is_party(pair) && rng.random_bool(avoided))
        .copied()
        .collect();
    let (round, limit) = (round.with_avoided(apart).expect("pairs of two"), limit.max(within));
    (round, rules.ping_limit(limit), limit)
}

/// Whether these may be in one match, said plainly.
fn is_within(round: &Round, limit: f64, members: &[usize]) -> bool {
    let pairs = members.iter().flat_map(|&i| members.iter().map(move |&j| (i, j)));
    let avoided: Vec<(usize, usize)> = round.avoided_pairs().collect();
    pairs
        .filter(|(i, j)| i < j)
        .all(|pair| !avoided.contains(&pair) && f64::from(round.ping_ms(pair.0, pair.1)) <= limit)
}

#[test]
fn the_fast_score_knows_the_limits() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    for (team_size, rounds) in [(1, 40), (2, 60), (3, 60), (4, 30), (5, 20), (6, 6)] {
        let mut seen = [0; 2];
        for at in 0..rounds {
            let n = 2 * team_size * 3;
            let round = of_parties(&sizes(n, team_size.min(2), &mut rng), &mut rng);
            let chances = (0.15 / (team_size * team_size) as f64, 480.0);
            let (round, rules, _) = limited(round, rules(at % 6, team_size, &mut rng), chances, &mut rng);
            let groups: Vec<Vec<usize>> = (0..12).map(|_| somebody(&round, 2 * team_size, &mut rng)).collect();
            agree(&round, &rules, &groups, &mut rng, &mut seen)?;
        }
        assert!(seen.iter().all(|&count| count >= rounds / 2), "{team_size}: {seen:?}");
    }
    Ok(())
}

/// With and without those who leave, a match may be within the limits or not: all four cases.
#[test]
fn exchanges_know_the_limits() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    for (team_size, rounds, exchanges) in [
        (1, 20, 60),
        (2, 40, 60),
        (3, 60, 60),
        (4, 30, 60),
        (5, 20, 60),
        (6, 4, 30),
        (8, 1, 8),
    ] {
        let mut seen = [0; 2];
        for at in 0..rounds {
            let n = 2 * team_size * 4;
            let alone = of_parties(&vec![1; n], &mut rng);
            let chances = (0.1 / (team_size * team_size) as f64, 490.0);
            let (round, rules, _) = limited(alone, rules(at % 6, team_size, &mut rng), chances, &mut rng);
            let cost = LobbyCost::new(&round, &rules)?;
            for _ in 0..3 {
                let members = index::sample(&mut rng, n, 2 * team_size).into_vec();
                let [forbidden, allowed] = ask(&cost, &members, exchanges, &mut rng);
                seen = [seen[0] + forbidden, seen[1] + allowed];
            }
        }
        let few = if team_size == 8 { 0 } else { rounds };
        assert!(seen.iter().all(|&count| count >= few), "{team_size}: {seen:?}");
    }
    Ok(())
}

/// The best of all ways to make so many matches, by trying all of them: the sum of scores that a judge gives who knows no
/// limits. `None` where there is no way.
struct Force<'a> {
    round: &'a Round,
    free: Judge<'a>,
    size: usize,
    limit: f64,
    /// Of sets of players, in bits.
    scores: HashMap<u32, Option<f64>>,
}

impl Force<'_> {
    fn score(&mut self, members: &[usize]) -> Option<f64> {
        let set = members.iter().map(|&i| 1 << i).sum();
        *self.scores.entry(set).or_insert_with(|| {
            let is_within = is_within(self.round, self.limit, members);
            is_within
                .then(|| self.free.best(members))
                .flatten()
                .map(|one| one.breakdown.total)
        })
    }

    /// Of those who are left, the first one plays or waits.
    fn best(&mut self, left: &[usize], matches: usize) -> Option<f64> {
        if matches == 0 {
            // A party does not wait in part: whoever is left waits with his own.
            return Some(0.0);
        }
        let (&first, others) = left.split_first()?;
        let mut best = self.best(others, matches);
        for chosen in subsets(others, self.size - 1) {
            let members = [&[first], &chosen[..]].concat();
            let Some(score) = self.score(&members) else {
                continue;
            };
            let rest: Vec<usize> = others.iter().copied().filter(|i| !chosen.contains(i)).collect();
            let sum = self.best(&rest, matches - 1).map(|sum| sum + score);
            best = [best, sum].into_iter().flatten().reduce(f64::max);
        }
        best
    }
}

/// All ways to choose so many.
fn subsets(from: &[usize], count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let Some((&first, others)) = from.split_first() else {
        return Vec::new();
    };
    let mut found = subsets(others, count);
    found.extend(subsets(others, count - 1).into_iter().map(|mut rest| {
        rest.insert(0, first);
        rest
    }));
    found
}

/// What trying all of it says.
fn by_force(round: &Round, free: &Rules, limit: f64, matches: usize) -> Result<Option<f64>, Error> {
    // Judges look at who avoids whom; this one must not.
    let unlimited = Round::new(
        round.players().to_vec(),
        SymmetricMatrix::from_fn(round.len(), |i, j| round.ping_ms(i, j)),
        SymmetricMatrix::from_fn(round.len(), |i, j| round.can_connect(i, j)),
    )?;
    let mut force = Force {
        round,
        free: Judge::new(&unlimited, free)?,
        size: free.match_size(),
        limit,
        scores: HashMap::new(),
    };
    Ok(force.best(&(0..round.len()).collect::<Vec<_>>(), matches))
}

/// Whether an error says for sure that there are no such matches.
fn is_proof(error: &Error) -> bool {
    match error {
        Error::NoneWithinLimits { is_proven, .. } => *is_proven,
        Error::OutOfReach { .. } | Error::PartyTooFar { .. } | Error::CannotPack { .. } => true,
        _ => false,
    }
}

/// Rounds in which everybody plays: the same best score, or no matches for both.
fn agrees_with_force(team_size: usize, rounds: u64, chances: (f64, f64), seed: u64) -> Result<[u64; 2], Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = [0; 2];
    for number in 0..rounds {
        let n = 4 * team_size;
        let round = of_parties(&sizes(n, team_size, &mut rng), &mut rng);
        let free = Rules::new(team_size);
        let (round, rules, limit) = limited(round, free.clone(), chances, &mut rng);
        let expected = by_force(&round, &free, limit, 2)?;
        let found = LobbySearch::new(&round, &rules).seed(number).run();
        seen[usize::from(expected.is_some())] += 1;
        match (found, expected) {
            (Ok(lobby), Some(best)) => {
                assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
                let sum: f64 = lobby.matches.iter().map(|one| one.breakdown.total).sum();
                assert!((sum - best).abs() < 2e-6, "round {number}: {sum} and {best}");
            }
            (Err(error), None) => assert!(is_proof(&error), "round {number}: {error}"),
            (found, expected) => panic!("round {number}: {found:?} where {expected:?} is the best"),
        }
    }
    Ok(seen)
}

#[test]
fn searches_of_twelve_and_of_eight_agree_with_force() -> Result<(), Error> {
    for (team_size, chances, seed) in [(3, (0.03, 490.0), 33), (3, (0.0, 420.0), 34), (2, (0.1, 460.0), 35)] {
        let seen = agrees_with_force(team_size, 60, chances, seed)?;
        assert!(seen.iter().all(|&count| count >= 8), "{team_size}, {seed}: {seen:?}");
    }
    Ok(())
}

#[test]
fn searches_of_five_thousand_rounds_agree_with_force() -> Result<(), Error> {
    agrees_with_force(3, 1_000, (0.03, 490.0), 36)?;
    agrees_with_force(2, 4_000, (0.1, 460.0), 37).map(drop)
}

/// A round, rules and their limit on pings, of some without it.
type Limit = fn(Round, Rules, &mut ChaCha8Rng) -> (Round, Rules, f64);

/// Who waits is picked so that there are matches, as many as there can be.
fn waits_like_force(rounds: u64, limit: Limit, seed: u64) -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut seen, mut by_fewer) = ([0; 2], 0);
    for number in 0..rounds {
        let team_size = rng.random_range(1..=2);
        let n = 2 * team_size * rng.random_range(1..=2) + rng.random_range(1..2 * team_size + 1);
        let round = of_parties(&sizes(n, team_size, &mut rng), &mut rng);
        let free = Rules::new(team_size);
        let (round, rules, limit) = limit(round, free.clone(), &mut rng);
        let wanted = n / free.match_size();
        let most = (1..=wanted)
            .rev()
            .find_map(|matches| match by_force(&round, &free, limit, matches) {
                Ok(None) => None,
                Ok(Some(best)) => Some(Ok((matches, best))),
                Err(error) => Some(Err(error)),
            });
        let most = most.transpose()?;
        let search = LobbySearch::new(&round, &rules).seed(number);
        match (search.run(), most) {
            (Ok(lobby), Some((matches, best))) if matches == wanted => {
                assert_eq!((lobby.verify(&round, &rules), lobby.matches.len()), (Ok(()), wanted));
                let sum: f64 = lobby.matches.iter().map(|one| one.breakdown.total).sum();
                assert!(sum < best + 2e-6, "round {number}: {sum} is more than {best}");
                seen[1] += 1;
            }
            (Err(error), most) if most.is_none_or(|(matches, _)| matches < wanted) => {
                assert!(is_proof(&error), "round {number}: {error}");
                seen[0] += 1;
            }
            (found, most) => panic!("round {number}: {found:?} where {most:?} can be made"),
        }
        let fewer = search.fill(Fill::Possible).run();
        match (fewer, most) {
            (Ok(lobby), Some((matches, _))) => {
                assert_eq!(
                    (lobby.verify(&round, &rules), lobby.matches.len()),
                    (Ok(()), matches),
                    "round {number}"
                );
                by_fewer += usize::from(matches < wanted);
            }
            (Err(error), None) => assert!(is_proof(&error), "round {number}: {error}"),
            (found, most) => panic!("round {number}: {found:?} where {most:?} can be made"),
        }
    }
    assert!(
        seen.iter().all(|&count| count > 15) && by_fewer > 5,
        "{seen:?} {by_fewer}"
    );
    Ok(())
}

#[test]
fn matches_are_found_where_somebody_can_wait() -> Result<(), Error> {
    waits_like_force(120, |round, rules, rng| limited(round, rules, (0.15, 450.0), rng), 38)
}

/// Parties were refused, and with them everybody, where two members were too far from each other.
#[test]
fn parties_too_far_apart_wait_as_force_has_it() -> Result<(), Error> {
    let limit = 350.0;
    waits_like_force(120, |round, rules, _| (round, rules.ping_limit(350.0), 350.0), 39)?;
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    let is_far = |round: &Round, party: &Vec<usize>| !is_within(round, limit, party);
    let of_twelve = |_| of_parties(&sizes(12, 2, &mut rng), &mut rng);
    let far = (0..20).map(of_twelve);
    let far = far.filter(|round| round.parties().iter().any(|party| is_far(round, party)));
    assert!(far.count() > 10, "such parties are not rare");
    Ok(())
}

/// Two who have waited for longest are a party, 300 ms from each other; everybody else is near.
fn far_friends(others: usize) -> Round {
    let friend = |i: usize| Player {
        party: (i < 2).then(|| "x".to_owned()),
        waited: if i < 2 { 9 } else { 0 },
        ..Player::new(format!("p{i}"), 1_000.0 * i as f64)
    };
    let ping = |i: usize, j: usize| if i.max(j) == 1 { 300.0 } else { 40.0 };
    round((0..others + 2).map(friend).collect(), ping, |_, _| true)
}

#[test]
fn a_party_that_is_too_far_apart_itself_waits() -> Result<(), Error> {
    let rules = Rules::new(2).ping_limit(100.0);
    let round = far_friends(8);
    let selection = choose(&round, &rules, Fill::Every, 0)?;
    assert_eq!(
        (selection.waiting(), selection.out_of_reach()),
        (&[0, 1][..], &[0, 1][..])
    );
    let lobby = LobbySearch::new(&round, &rules).run()?;
    assert_eq!((lobby.matches.len(), &lobby.waiting[..]), (2, &[0, 1][..]));
    assert_eq!(lobby.verify(&round, &rules), Ok(()));
    // Where it is needed for a match, it is in the way.
    let few = far_friends(7);
    let error = LobbySearch::new(&few, &rules).run().expect_err("seven are one match");
    let Error::PartyTooFar { party, possible: 1, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(party, "x");
    let text = error.to_string();
    let end = "than 100 ms; divide the party, or raise the limit, or make 1 match without it";
    assert!(text.ends_with(end), "{text}");
    // Great numbers were written with all their digits.
    let far = crate::support::round(
        few.players().to_vec(),
        |i: usize, j: usize| if i.max(j) == 1 { 3e38 } else { 40.0 },
        |_, _| true,
    );
    let rules_of_far = Rules::new(2).ping_limit(1e30);
    let error = LobbySearch::new(&far, &rules_of_far).run().expect_err("the same");
    let text = error.to_string();
    let pings = "have a ping of 3e38 ms, and no two players of a match may have more than 1e30 ms; divide";
    assert!(text.contains(pings), "{text}");
    let (number, players) = (0, ["a", "b"].map(str::to_owned));
    let flaw = Flaw::TooFar {
        number,
        players,
        ping_ms: f32::MAX,
    };
    assert!(
        flaw.to_string()
            .ends_with("whose ping of 3.4028235e38 ms is above the limit"),
        "{flaw}"
    );
    let fewer = LobbySearch::new(&few, &rules).fill(Fill::Possible).run()?;
    assert_eq!((fewer.matches.len(), fewer.waiting.len()), (1, 5));
    assert!(fewer.waiting.starts_with(&[0, 1]));
    assert_eq!(fewer.verify(&few, &rules), Ok(()));
    // Without the limit it plays before all others.
    let free = choose(&few, &Rules::new(2), Fill::Every, 0)?;
    assert!(free.playing().starts_with(&[0, 1]));
    Ok(())
}

/// Pings are kept in 32 bits, where 100.3 is a little more: it was above a limit of 100.3.
#[test]
fn a_ping_at_the_limit_is_within_it_whatever_its_digits() -> Result<(), Error> {
    for ms in [100.3_f32, 0.1, 62.7, 1e-40] {
        let round = round(
            (0..2).map(|i| Player::new(format!("p{i}"), 1.0)).collect(),
            |_, _| ms,
            |_, _| true,
        );
        let digits: f64 = ms.to_string().parse().expect("a number");
        let rules = Rules::new(1).ping_limit(digits);
        let lobby = LobbySearch::new(&round, &rules).run()?;
        assert_eq!((lobby.matches.len(), lobby.verify(&round, &rules)), (1, Ok(())), "{ms}");
        let lower = Rules::new(1).ping_limit(f64::from(ms.next_down()));
        assert!(LobbySearch::new(&round, &lower).run().is_err(), "{ms}");
        assert!(lobby.verify(&round, &lower).is_err(), "{ms}");
    }
    Ok(())
}

/// Limits were blamed alone.
#[test]
fn where_somebody_must_be_the_server_that_is_said() -> Result<(), Error> {
    let players = || (0..4).map(|i| Player::new(format!("p{i}"), 1.0)).collect();
    let round = round(players(), |_, _| 40.0, |_, _| false);
    let rules = Rules::new(2).ping_limit(100.0);
    assert!(LobbySearch::new(&round, &rules).run().is_ok());
    let required = rules.server_rule(ServerRule::Required);
    let error = LobbySearch::new(&round, &required).run().expect_err("no server");
    assert_eq!(
        error.to_string(),
        "there is no match in which everybody is within the limits and somebody can be the server (the closest put together: \
         p0, p1, p2, p3, none of whom can be the server); raise the ping limit, or allow matches without a server"
    );
    // Without another limit it is the only one, and was an error of a search that spoke of forbidden groups.
    let required = Rules::new(2).server_rule(ServerRule::Required);
    let error = LobbySearch::new(&round, &required).run().expect_err("no server");
    assert_eq!(
        error.to_string(),
        "there is no match in which somebody can be the server (the closest put together: p0, p1, p2, p3, none of whom can be \
         the server); allow matches without a server"
    );
    Ok(())
}

/// What was spent on those who were chosen, in vain, was not counted.
#[test]
fn work_in_vain_is_work() -> Result<(), Error> {
    // Islands of eight, eight and five, who have waited: of these one must wait, and none is chosen to.
    let island = |i: usize| i.min(16) / 8;
    let players = (0..21).map(|i| Player {
        waited: u32::from(i > 15),
        ..Player::new(format!("p{i}"), 500.0 * i as f64)
    });
    let ping = |i: usize, j: usize| if island(i) == island(j) { 30.0 } else { 200.0 };
    let round = round(players.collect(), ping, |_, _| true);
    let rules = Rules::new(2).ping_limit(100.0);
    assert!(choose(&round, &rules, Fill::Every, 0)?.waiting()[0] < 16);
    for fill in [Fill::Every, Fill::Possible] {
        let search = LobbySearch::new(&round, &rules).fill(fill).engine(Engine::Climb);
        let lobby = search.work(40_000).run()?;
        assert_eq!((lobby.matches.len(), lobby.verify(&round, &rules)), (5, Ok(())));
        assert!(lobby.waiting[0] > 15);
        // The second search has the other half, or half of it, and a third one goes on with what is left.
        let share = lobby.work as f64 / 40_000.0;
        assert!((0.9..1.1).contains(&share), "{fill:?}: {}", lobby.work);
    }
    Ok(())
}

/// Two islands of four and one player far from everybody, who has waited for longest.
fn islands(ping: f32) -> Round {
    let mut players: Vec<Player> = (0..9)
        .map(|i| Player::new(format!("p{i}"), 100.0 * f64::from(i)))
        .collect();
    players[8].waited = 9;
    round(
        players,
        |i, j| if i.max(j) < 8 && i / 4 == j / 4 { 30.0 } else { ping },
        |_, _| true,
    )
}

#[test]
fn who_is_far_from_everybody_waits_whatever_the_priority() -> Result<(), Error> {
    let round = islands(200.0);
    let free = Rules::new(2);
    assert_eq!(choose(&round, &free, Fill::Every, 0)?.out_of_reach(), [0; 0]);
    assert!(choose(&round, &free, Fill::Every, 0)?.playing().contains(&8));
    let rules = free.clone().ping_limit(199.5);
    let selection = choose(&round, &rules, Fill::Every, 0)?;
    assert_eq!((selection.waiting(), selection.out_of_reach()), (&[8][..], &[8][..]));
    let lobby = LobbySearch::new(&round, &rules).run()?;
    assert_eq!(lobby.waiting, [8]);
    // At the limit is within it.
    let at_limit = choose(&round, &free.clone().ping_limit(200.0), Fill::Every, 0)?;
    assert_eq!(at_limit.out_of_reach(), [0; 0]);
    // Matches of six cannot be filled by islands of four; nobody is then in reach of a match.
    let larger = LobbySearch::new(&round, &Rules::new(3).ping_limit(100.0)).run();
    let Err(Error::OutOfReach {
        parties,
        matches: 1,
        possible: 0,
        limits,
    }) = larger
    else {
        panic!("{larger:?}");
    };
    assert_eq!(limits, [matchmaking::lobby::Limit::Ping]);
    assert_eq!(parties.len(), 9);
    // Where somebody is missing on an island, only one match can be made there.
    let seven = round.subset(&[0, 1, 2, 4, 5, 6, 7, 8]);
    let every = LobbySearch::new(&seven, &rules).run();
    assert!(
        matches!(&every, Err(Error::OutOfReach { parties, matches: 2, possible: 1, .. }) if parties == &["p0", "p1", "p2", "p8"]),
        "{every:?}"
    );
    let fewer = LobbySearch::new(&seven, &rules).fill(Fill::Possible).run()?;
    assert_eq!((fewer.matches.len(), &fewer.waiting[..]), (1, &[0, 1, 2, 7][..]));
    Ok(())
}

/// The limits are kept with every objective, also where the search goes in two steps.
#[test]
fn objectives_keep_the_limits() -> Result<(), Error> {
    let named = Round::named("nauts-60-s2")?;
    let parties = named.parties().to_vec();
    let party_of = |i: usize| parties.iter().position(|party| party.contains(&i));
    let pairs = (0..60).map(|i| (i, (7 * i + 11) % 60));
    let apart: Vec<(usize, usize)> = pairs.filter(|&(i, j)| i != j && party_of(i) != party_of(j)).collect();
    let round = named.with_avoided(apart)?;
    for objective in [
        Objective::Mean,
        Objective::Sqrt,
        Objective::MinThenMean { sharpness: 64.0 },
    ] {
        let rules = Rules::new(3)
            .objective(objective)
            .ping_limit(250.0)
            .priority(Priority::Chance);
        let lobby = LobbySearch::new(&round, &rules).fill(Fill::Possible).seed(1).run()?;
        assert_eq!(lobby.verify(&round, &rules), Ok(()));
        assert!(lobby.matches.len() > 6, "{} matches", lobby.matches.len());
        for one in &lobby.matches {
            assert!(is_within(&round, 250.0, &one.players()), "{one:?}");
        }
    }
    Ok(())
}

#[test]
fn parties_that_contradict_themselves_are_refused() -> Result<(), Error> {
    let players = |party: [Option<&str>; 4]| {
        let player = |i: usize| Player {
            party: party[i].map(str::to_owned),
            ..Player::new(format!("p{i}"), 1.0)
        };
        (0..4).map(player).collect::<Vec<_>>()
    };
    let friends = round(
        players([Some("x"), None, Some("x"), None]),
        |i, j| (10 * i + j) as f32,
        |_, _| true,
    );
    let rules = Rules::new(2);
    let apart = friends.clone().with_avoided([(2, 0)])?;
    let avoids = || Error::PartyAvoids {
        party: "x".into(),
        players: ["p0".into(), "p2".into()],
    };
    let limited = rules.clone().ping_limit(19.5);
    let too_far = Error::PartyTooFar {
        party: "x".into(),
        players: ["p0".into(), "p2".into()],
        ping_ms: 20.0,
        limit_ms: 19.5,
        possible: 0,
    };
    for (round, rules, error, part) in [
        (&apart, &rules, avoids(), "one of \"p0\" and \"p2\" avoids the other"),
        (
            &friends,
            &limited,
            too_far,
            "a ping of 20 ms, and no two players of a match may have more than 19.5 ms",
        ),
    ] {
        assert!(error.to_string().contains(part), "{error}");
        assert_eq!(start(round, rules, 0.0, 0).err(), Some(error.clone()));
        assert_eq!(choose(round, rules, Fill::Possible, 0).err(), Some(error.clone()));
        assert_eq!(LobbySearch::new(round, rules).run().err(), Some(error));
    }
    assert_eq!(Judge::new(&apart, &rules).err(), Some(avoids()));
    assert_eq!(LobbyCost::new(&apart, &rules).err(), Some(avoids()));
    // Others could play without the party that is too far apart: it is in no match.
    let everybody = [0, 1, 2, 3];
    assert!(Judge::new(&friends, &rules)?.best(&everybody).is_some());
    assert_eq!(Judge::new(&friends, &limited)?.best(&everybody), None);
    assert_eq!(LobbyCost::new(&friends, &limited)?.score(&everybody), None);
    for limit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(rules.clone().ping_limit(limit).check().is_err(), "{limit}");
    }
    Ok(())
}

#[test]
fn checks_find_who_must_not_meet() -> Result<(), Error> {
    let free = plain(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    let rules = Rules::new(2);
    let lobby = LobbySearch::new(&free, &rules).run()?;
    let players = lobby.matches[0].players();
    let apart = free.clone().with_avoided([(players[3], players[1])])?;
    let names = [players[1], players[3]].map(|i| format!("p{i}"));
    let flaw = Flaw::Avoided {
        number: 0,
        players: names,
    };
    assert!(flaw.to_string().contains("avoids the other"), "{flaw}");
    assert_eq!(lobby.verify(&apart, &rules), Err(flaw));
    let close = lobby.verify(&free, &rules.clone().ping_limit(39.0));
    let names = [players[0], players[1]].map(|i| format!("p{i}"));
    let flaw = Flaw::TooFar {
        number: 0,
        players: names,
        ping_ms: 40.0,
    };
    assert!(
        flaw.to_string().contains("whose ping of 40 ms is above the limit"),
        "{flaw}"
    );
    assert_eq!(close, Err(flaw));
    assert_eq!(lobby.verify(&free, &rules.ping_limit(40.0)), Ok(()));
    Ok(())
}

#[test]
fn players_of_a_part_avoid_whom_they_did() -> Result<(), Error> {
    let round = plain(&[0.0; 6]).with_avoided([(0, 5), (3, 1), (1, 3)])?;
    assert_eq!(round.avoided_pairs().collect::<Vec<_>>(), [(0, 5), (1, 3)]);
    let part = round.subset(&[5, 3, 0]);
    assert_eq!(part.avoided_pairs().collect::<Vec<_>>(), [(0, 2)]);
    assert!(!part.may_meet(2, 0) && part.may_meet(1, 0));
    assert!(!round.subset(&[0, 1, 2]).has_avoided());
    let own = round.with_avoided([(2, 2)]).expect_err("the player's own");
    assert_eq!(
        own.to_string(),
        "player at position 2, field avoid, player \"p2\": the player's own id; name other players"
    );
    Ok(())
}

/// Rounds of single players in which those beyond their limit avoid each other, and there is no limit: the same matches,
/// player by player, or the same way of having none.
#[test]
fn limits_that_grow_with_waiting_are_those_of_the_players_who_wait() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(46);
    let mut seen = [0; 3];
    for number in 0..150 {
        let team_size = rng.random_range(1..=3);
        let n = 2 * team_size * rng.random_range(2..=4) + rng.random_range(0..3);
        let round = of_parties(&vec![1; n], &mut rng);
        let (limit, growth) = (
            f64::from(rng.random_range(150..400)),
            f64::from(rng.random_range(0..100)),
        );
        let rules = Rules::new(team_size).ping_limit(limit).ping_growth(growth);
        // Of one match there are no fewer.
        let advice = |matches| match matches {
            1 => "raise the ping limit",
            _ => "raise the ping limit, or make fewer matches",
        };
        let waited = |i: usize| f64::from(round.players()[i].waited);
        let of_two = |i: usize, j: usize| limit + growth * waited(i).max(waited(j));
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let apart: Vec<(usize, usize)> = pairs
            .filter(|&(i, j)| f64::from(round.ping_ms(i, j)) > of_two(i, j))
            .collect();
        let fixed = Rules::new(team_size);
        let avoiding = round.clone().with_avoided(apart.iter().copied())?;
        let search = |round, rules| {
            LobbySearch::new(round, rules)
                .seed(number)
                .fill(Fill::Possible)
                .work(20_000)
                .run()
        };
        match (search(&round, &rules), search(&avoiding, &fixed)) {
            (Ok(lobby), Ok(expected)) => {
                assert_eq!((&lobby.matches, &lobby.waiting), (&expected.matches, &expected.waiting));
                assert_eq!(lobby.verify(&round, &rules), Ok(()));
                let meets = |one: &matchmaking::lobby::Match| {
                    let players = one.players();
                    let pairs = players.iter().flat_map(|&i| players.iter().map(move |&j| (i, j)));
                    pairs
                        .filter(|(i, j)| i != j && f64::from(round.ping_ms(*i, *j)) > limit)
                        .count()
                };
                // Without growth some of these would be too far from each other.
                let far: usize = lobby.matches.iter().map(meets).sum();
                seen[usize::from(far > 0)] += 1;
                let strict = Rules::new(team_size).ping_limit(limit);
                assert_eq!(lobby.verify(&round, &strict).is_err(), far > 0);
            }
            (Err(error), Err(expected)) => {
                // The same is in the way by another name.
                let (said, expected) = (error.to_string(), expected.to_string());
                if let Error::NoneWithinLimits { matches, .. } = error {
                    assert!(said.ends_with(&format!(
                        "two of whom have a ping above their limit); {}",
                        advice(matches)
                    )));
                    let renamed = said.replace(
                        "two of whom have a ping above their limit",
                        "one of whom avoids another",
                    );
                    assert_eq!(
                        renamed.replace("raise the ping limit", "shorten lists of `avoid`"),
                        expected
                    );
                } else if let Error::OutOfReach { limits, matches, .. } = error {
                    assert_eq!(limits, [matchmaking::lobby::Limit::Ping]);
                    assert!(said.ends_with(&format!("; {}", advice(matches))), "{said}");
                    assert_eq!(
                        said.replace("raise the ping limit", "shorten lists of `avoid`"),
                        expected,
                        "round {number}"
                    );
                } else {
                    assert_eq!(said, expected, "round {number}");
                }
                seen[2] += 1;
            }
            (found, expected) => panic!("round {number}: {found:?} where {expected:?} was expected"),
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    Ok(())
}

/// Whoever is not there could be met.
#[test]
#[should_panic(expected = "player 3 where the round has 3")]
fn nobody_meets_who_is_not_there() {
    plain(&[1.0, 2.0, 3.0]).may_meet(0, 3);
}
