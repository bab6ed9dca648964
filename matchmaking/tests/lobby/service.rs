//! Rounds one after the other: nobody is lost, parties stay whole, and a round is what a search of it is.

use std::collections::{HashMap, HashSet};

use matchmaking::lobby::{
    Budget, Error, Fill, HeldRound, Links, LobbySearch, Player, Playing, Previous, RegionLinks, Round, RoundLinks,
    RoundRule, Rules, Service, Side,
};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn player(id: &str, skill: f64) -> Player {
    Player {
        region: Some("EU-W".to_owned()),
        ..Player::new(id, skill)
    }
}

fn ids<'a>(players: impl IntoIterator<Item = &'a Player>) -> Vec<&'a str> {
    players.into_iter().map(|player| player.id.as_str()).collect()
}

/// Everybody of a round arrives, party by party.
fn arrive<L: Links>(service: &mut Service<L>, round: &Round) -> Result<(), Error> {
    for members in round.parties() {
        let party: Vec<Player> = members.iter().map(|&i| round.players()[i].clone()).collect();
        service.arrive(0.0, &party)?;
    }
    Ok(())
}

#[test]
fn one_round_of_everybody_is_what_a_search_of_them_finds() -> Result<(), Error> {
    for (name, rules) in [
        ("nauts-60-s1", Rules::new(3)),
        ("nauts-102-s2", Rules::new(3)),
        ("nauts-102-s3", Rules::new(5)),
        ("nauts-60-s4", Rules::new(3).ping_limit(150.0).ping_growth(20.0)),
    ] {
        let round = Round::named(name)?;
        let disliked = (0..20).map(|i| (i, i + 30));
        let round = round.with_avoided([(0, 40), (7, 11)])?.with_disliked(disliked)?;
        let expected = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .seed(9)
            .work(20_000)
            .run()?;
        let mut service = Service::new(rules.clone(), RoundRule::every(60.0), RoundLinks::new(&round))?
            .seed(9)
            .budget(Budget::new().work(20_000));
        arrive(&mut service, &round)?;
        let held = service.tick(0.0)?.expect("a round is due at 0");
        let lobby = held.lobby().expect("there are matches");
        assert_eq!(
            (&lobby.matches, &lobby.waiting, lobby.total, lobby.work),
            (&expected.matches, &expected.waiting, expected.total, expected.work),
            "{name}"
        );
        assert_eq!(lobby.verify(held.round(), &rules), Ok(()));
        assert_eq!(lobby.verify(&round, &rules), Ok(()));
        let waiting: Vec<&str> = ids(lobby.waiting.iter().map(|&i| &round.players()[i]));
        assert_eq!(ids(service.waiting()), waiting, "{name}");
    }
    Ok(())
}

/// Where everybody is whom a service has seen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Waiting,
    Matched,
    Left,
}

#[test]
fn nobody_is_lost_and_parties_stay_whole() -> Result<(), Error> {
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let population = Round::synthetic(90, seed, 3)?;
        let rules = match seed % 3 {
            0 => Rules::new(3),
            1 => Rules::new(4).ping_limit(120.0),
            _ => Rules::new(3).ping_limit(100.0).ping_growth(40.0),
        };
        let when = match seed % 2 {
            0 => RoundRule::every(30.0),
            _ => RoundRule::wait_for_at_most(30, 100.0),
        };
        let mut service = Service::new(rules.clone(), when, RoundLinks::new(&population))?
            .seed(seed)
            .budget(Budget::new().work(2_000));
        let mut states: HashMap<String, State> = HashMap::new();
        let mut met: HashMap<String, Previous> = HashMap::new();
        let (mut rounds, mut matches, mut waited) = (0, HashSet::new(), HashMap::new());
        for step in 0..300 {
            let now = f64::from(step) * 7.0;
            let mut parties: Vec<&Vec<usize>> = population.parties().iter().collect();
            parties.shuffle(&mut rng);
            for members in parties.into_iter().take(3) {
                let party: Vec<Player> = members
                    .iter()
                    .map(|&i| Player {
                        waited: 0,
                        last: None,
                        ..population.players()[i].clone()
                    })
                    .collect();
                let id = party[0].id.clone();
                match states.get(&id) {
                    Some(State::Waiting) => {
                        assert_eq!(service.arrive(now, &party), Err(Error::WaitsAlready { id: id.clone() }));
                        if rng.random_bool(0.2) {
                            let gone = service.leave(now, &party[party.len() - 1].id)?;
                            assert_eq!(ids(&gone), ids(&party));
                            states.extend(gone.into_iter().map(|player| (player.id, State::Left)));
                        }
                    }
                    _ => {
                        assert_eq!(service.leave(now, &id), Err(Error::NotWaiting { id: id.clone() }));
                        service.arrive(now, &party)?;
                        waited.extend(party.iter().map(|player| (player.id.clone(), 0)));
                        states.extend(party.into_iter().map(|player| (player.id, State::Waiting)));
                    }
                }
            }
            if let Some(held) = service.tick(now)? {
                assert_eq!(held.number(), rounds);
                rounds += 1;
                check_round(&held, &rules, &population, (&mut states, &mut met, &mut waited));
                let count = held.lobby().map_or(0, |lobby| lobby.matches.len());
                assert!(
                    (0..count).all(|at| matches.insert(held.match_id(at))),
                    "ids of matches are unique"
                );
            }
            // Exactly those wait of whom it is thought, with their rounds.
            let mut waiting = ids(service.waiting());
            assert_eq!(waiting.len(), service.len());
            waiting.sort_unstable();
            let mut expected: Vec<&str> = states
                .iter()
                .filter(|(_, state)| **state == State::Waiting)
                .map(|(id, _)| id.as_str())
                .collect();
            expected.sort_unstable();
            assert_eq!(waiting, expected, "seed {seed}, step {step}");
            assert!(service.waiting().all(|player| player.waited == waited[&player.id]));
        }
        assert!(rounds > 15 && matches.len() > 30, "{rounds} {}", matches.len());
        let of = |id: &String| service.previous(id);
        assert!(met.iter().all(|(id, last)| of(id) == Some(last)));
        // Nothing was before what is no time.
        service.forget(f64::NAN);
        assert!(met.keys().all(|id| service.previous(id).is_some()));
        service.forget(f64::INFINITY);
        assert!(met.keys().all(|id| service.previous(id).is_none()));
    }
    Ok(())
}

type Known<'k> = (
    &'k mut HashMap<String, State>,
    &'k mut HashMap<String, Previous>,
    &'k mut HashMap<String, u32>,
);

/// A round holds everybody who waits, with their last matches; its matches have whole parties, and the others wait.
fn check_round(held: &HeldRound, rules: &Rules, population: &Round, (states, met, waited): Known<'_>) {
    let round = held.round();
    let waiting = states.values().filter(|state| **state == State::Waiting).count();
    assert_eq!(round.len(), waiting);
    for player in round.players() {
        assert_eq!(states[&player.id], State::Waiting);
        assert_eq!(player.last.as_ref(), met.get(&player.id), "{}", player.id);
    }
    for members in round.parties() {
        let party = |i: usize| {
            let at = population
                .players()
                .iter()
                .position(|player| player.id == round.players()[i].id);
            population.party_of(at.expect("all are of the population"))
        };
        let first = party(members[0]);
        assert!(members.iter().all(|&i| party(i) == first));
        assert_eq!(members.len(), population.parties()[first].len());
    }
    if let Some(lobby) = held.lobby() {
        assert_eq!(lobby.verify(round, rules), Ok(()));
        for (at, one) in lobby.matches.iter().enumerate() {
            for (team, players) in [(Side::Red, &one.red), (Side::Blue, &one.blue)] {
                for &player in players {
                    let (id, match_id) = (round.players()[player].id.clone(), held.match_id(at));
                    assert!(held.waited(player) >= 0.0);
                    states.insert(id.clone(), State::Matched);
                    met.insert(id, Previous { match_id, team });
                }
            }
        }
    }
    for (id, state) in states.iter() {
        if *state == State::Waiting {
            *waited.entry(id.clone()).or_insert(0) += 1;
        }
    }
}

#[test]
fn who_was_left_over_plays_next_and_who_met_is_parted() -> Result<(), Error> {
    let mut service = Service::new(Rules::new(1), RoundRule::every(10.0), RegionLinks)?;
    for (at, id) in ["ann", "ben", "cho"].into_iter().enumerate() {
        service.arrive(at as f64, &[player(id, 9000.0)])?;
    }
    let held = service.tick(10.0)?.expect("a round");
    let lobby = held.lobby().expect("a match");
    let left = held.round().players()[lobby.waiting[0]].id.clone();
    let mut played = ids(lobby.matches[0].players().iter().map(|&i| &held.round().players()[i]));
    // All of them are back, with one more: who was left over plays, and the two are not put together again.
    for id in &played {
        service.arrive(11.0, &[player(id, 9000.0)])?;
    }
    service.arrive(12.0, &[player("dee", 9000.0)])?;
    let held = service.tick(20.0)?.expect("a round");
    let lobby = held.lobby().expect("two matches");
    assert_eq!((lobby.matches.len(), service.len()), (2, 0));
    assert_eq!(lobby.breakdown.variation, 1.0);
    // One of three again: he has waited, they have not.
    for id in &played {
        service.arrive(25.0, &[player(id, 9000.0)])?;
    }
    service.arrive(
        25.0,
        &[Player {
            waited: 1,
            ..player(&left, 9000.0)
        }],
    )?;
    let held = service.tick(30.0)?.expect("a round");
    let plays = held.lobby().expect("a match").matches[0].players();
    assert!(ids(plays.iter().map(|&i| &held.round().players()[i])).contains(&left.as_str()));
    // What the service remembers comes before what a player names.
    let last = Previous {
        match_id: "elsewhere".to_owned(),
        team: Side::Blue,
    };
    let waits = ids(service.waiting())[0].to_owned();
    played.retain(|id| *id != waits);
    let named = |id: &str| Player {
        last: Some(last.clone()),
        ..player(id, 1.0)
    };
    service.arrive(31.0, &[named(played[0])])?;
    service.arrive(31.0, &[named("eve")])?;
    let of = |service: &Service<RegionLinks>, id: &str| {
        let found = service.waiting().find(|player| player.id == id);
        found.and_then(|player| player.last.clone())
    };
    assert_eq!(of(&service, played[0]), service.previous(played[0]).cloned());
    assert_eq!(of(&service, "eve").as_ref(), Some(&last));
    service.leave(32.0, played[0])?;
    service.forget(31.0);
    service.arrive(33.0, &[named(played[0])])?;
    assert_eq!(of(&service, played[0]).as_ref(), Some(&last));
    Ok(())
}

#[test]
fn rounds_are_held_when_the_rule_says() -> Result<(), Error> {
    let one = |when| Service::new(Rules::new(1), when, RegionLinks);
    let arrive = |service: &mut Service<RegionLinks>, now: f64, id: &str| service.arrive(now, &[player(id, 1.0)]);
    let mut service = one(RoundRule::every(60.0))?;
    assert_eq!((service.next_round(), service.tick(60.0)?.is_some()), (None, false));
    arrive(&mut service, 61.0, "ann")?;
    assert_eq!(service.next_round(), Some(120.0));
    assert!(service.tick(119.0)?.is_none());
    let held = service.tick(121.0)?.expect("late");
    assert!(matches!(
        held.obstacle(),
        Some(Error::TooFewPlayers { players: 1, needed: 2 })
    ));
    assert!(held.lobby().is_none() && held.time() == 121.0 && held.waited(0) == 60.0);
    assert_eq!(service.next_round(), Some(180.0));
    // A clock that has missed rounds holds one.
    assert!(service.tick(1000.0)?.is_some());
    assert_eq!(service.next_round(), Some(1020.0));
    assert!(service.waiting().all(|player| player.waited == 2));

    let mut service = one(RoundRule::wait_for(3))?;
    arrive(&mut service, 0.0, "ann")?;
    arrive(&mut service, 1.0, "ben")?;
    assert_eq!(service.next_round(), None);
    arrive(&mut service, 2.0, "cho")?;
    assert_eq!(service.next_round(), Some(2.0));
    assert!(service.tick(2.0)?.is_some());
    assert_eq!((service.len(), service.next_round()), (1, None));

    let mut service = one(RoundRule::wait_for_at_most(2, 60.0))?;
    arrive(&mut service, 1.0, "cho")?;
    assert_eq!(service.next_round(), Some(61.0));
    assert!(service.tick(61.0)?.is_some());
    assert_eq!(service.next_round(), Some(121.0));
    service.leave(65.0, "cho")?;
    assert_eq!(service.next_round(), None);
    let mut service = one(RoundRule::wait_for_at_most(2, 60.0))?;
    arrive(&mut service, 5.0, "ann")?;
    assert_eq!(service.next_round(), Some(65.0));
    arrive(&mut service, 6.0, "ben")?;
    assert_eq!(service.next_round(), Some(6.0));
    // Whenever it is asked for, too.
    let held = service.hold(6.5)?;
    assert_eq!((held.match_id(0).as_str(), service.is_empty()), ("m1", true));
    // Of files and their lines nobody has heard here.
    let refused = [service.hold(7.0).map(|_| ()), service.arrive(7.0, &[])];
    assert_eq!(refused, [Err(Error::NobodyWaits), Err(Error::NobodyArrives)]);
    for error in refused.iter().filter_map(|refused| refused.as_ref().err()) {
        assert!(!error.to_string().contains("line"), "{error}");
    }
    Ok(())
}

#[test]
fn as_many_who_cannot_play_are_not_asked_again_before_somebody_comes() -> Result<(), Error> {
    // Three pairs make no match of three against three.
    let mut service = Service::new(Rules::new(3), RoundRule::wait_for(6), RegionLinks)?;
    for (a, b) in [("a", "b"), ("c", "d"), ("e", "f")] {
        service.arrive(0.0, &[player(a, 1.0), player(b, 1.0)])?;
    }
    let held = service.tick(0.0)?.expect("six wait");
    assert!(matches!(held.obstacle(), Some(Error::CannotPack { .. })));
    assert_eq!((service.len(), service.next_round()), (6, None));
    // Who has gone again makes no difference.
    service.arrive(0.5, &[player("i", 1.0)])?;
    assert_eq!(service.next_round(), Some(0.5));
    service.leave(0.5, "i")?;
    assert_eq!((service.len(), service.next_round()), (6, None));
    for (at, id) in ["g", "h"].into_iter().enumerate() {
        service.arrive(1.0 + at as f64, &[player(id, 1.0)])?;
        let held = service.tick(1.0 + at as f64)?.expect("somebody came");
        assert_eq!(held.lobby().map_or(0, |lobby| lobby.matches.len()), at);
    }
    assert_eq!(ids(service.waiting()).len(), 2);
    Ok(())
}

/// Everything that is wrong has a name, and leaves the service as it was.
#[test]
fn what_is_wrong_is_told() -> Result<(), Error> {
    #[derive(Debug)]
    struct Far;
    impl Links for Far {
        fn ping_ms(&self, _: &Player, other: &Player) -> f32 {
            if other.id == "far" { f32::NAN } else { 30.0 }
        }
        fn may_meet(&self, one: &Player, other: &Player) -> bool {
            [&one.id, &other.id] != ["cat", "dog"]
        }
    }
    let rules = || Rules::new(2);
    for (seconds, text) in [(0.0, "every 0 seconds"), (f64::NAN, "every NaN"), (-3.0, "every -3")] {
        let error = Service::new(rules(), RoundRule::every(seconds), Far).expect_err("no interval");
        assert!(error.to_string().contains(text), "{error}");
    }
    let few = Service::new(rules(), RoundRule::wait_for(3), Far).expect_err("too few");
    assert_eq!(
        few.to_string(),
        "a round once 3 players wait; write 4, as many as a match has, to 5000"
    );
    let mut service = Service::new(rules(), RoundRule::every(1.0), Far)?;
    service.arrive(5.0, &[player("ann", 1.0)])?;
    let playing = Playing {
        match_id: "m9".to_owned(),
        team: Side::Red,
    };
    let busy = Player {
        playing: Some(playing),
        ..player("ben", 1.0)
    };
    let party = |ids: &[&str]| ids.iter().map(|id| player(id, 1.0)).collect::<Vec<_>>();
    let cases = [
        (
            4.0,
            party(&["ben"]),
            "the time 4 where the clock shows 5; give finite times in order",
        ),
        (f64::NAN, party(&["ben"]), "the time NaN"),
        (
            6.0,
            party(&[]),
            "a party of nobody cannot arrive; give one player or more",
        ),
        (6.0, party(&[""]), "position 0, field id: the id is empty"),
        (6.0, party(&["ben", "ben"]), "player \"ben\" is there already"),
        (
            6.0,
            party(&["ben", "ann"]),
            "player \"ann\" waits already; whoever arrives anew leaves first",
        ),
        (
            6.0,
            party(&["b", "c", "d"]),
            "party \"b\" has 3 members (b, c, d), a team has 2",
        ),
        (6.0, party(&["far"]), "players \"ann\" and \"far\": NaN is no ping"),
        (
            6.0,
            party(&["cat", "dog"]),
            "party \"cat\": one of \"cat\" and \"dog\" avoids the other",
        ),
        (6.0, vec![busy], "player \"ben\" plays in match \"m9\""),
        (
            6.0,
            vec![player("ben", f64::NAN)],
            "player \"ben\": \"NaN\" is not a number",
        ),
    ];
    for (now, party, text) in cases {
        let error = service.arrive(now, &party).expect_err(text).to_string();
        assert!(error.contains(text), "{text}: {error}");
        assert_eq!(ids(service.waiting()), ["ann"]);
    }
    let error = service.leave(6.0, "ben").expect_err("not there").to_string();
    assert_eq!(
        error,
        "player \"ben\" does not wait: not arrived, left already, or in a match"
    );
    assert!(service.tick(4.0).is_err() && service.hold(f64::INFINITY).is_err());
    // The clock still shows 5.
    service.arrive(5.0, &[player("ben", 1.0)])?;

    let mut service = Service::new(rules(), RoundRule::every(1.0), RegionLinks)?;
    let lost = Player::new("lost", 1.0);
    assert!(matches!(
        service.arrive(0.0, &[lost]),
        Err(Error::UnknownRegion { found: None, .. })
    ));
    let second = [player("ann", 1.0), Player::new("lost", 1.0)];
    assert_eq!(
        service.arrive(0.0, &second).expect_err("no region").to_string(),
        "player at position 1, field region, player \"lost\": pings come from regions, and this one is missing"
    );
    let round = Round::synthetic(6, 1, 1)?;
    let mut service = Service::new(rules(), RoundRule::every(1.0), RoundLinks::new(&round))?;
    let error = service.arrive(0.0, &[player("who", 1.0)]).expect_err("a stranger");
    assert_eq!(error, Error::NotInRound { id: "who".to_owned() });
    Ok(())
}
