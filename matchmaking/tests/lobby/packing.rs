//! Parties stay together, and the right ones wait.

use std::cmp::Reverse;

use matching_core::GroupCost;
use matchmaking::lobby::{Error, Fill, LobbyCost, Player, Priority, Round, Rules, SymmetricMatrix, choose, start};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, plain, round, sizes};

/// Checks that these matches hold everybody once, and every party in one piece.
fn is_packing(round: &Round, rules: &Rules, matches: &[Vec<usize>]) {
    let mut everybody = matches.concat();
    everybody.sort_unstable();
    assert_eq!(everybody, (0..round.len()).collect::<Vec<_>>());
    for party in round.parties() {
        let holders = matches
            .iter()
            .filter(|members| party.iter().any(|i| members.contains(i)));
        assert_eq!(holders.count(), 1, "{party:?} {matches:?}");
    }
    assert!(matches.iter().all(|members| members.len() == rules.match_size()));
}

#[test]
fn parties_never_are_divided() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (mut packed, mut refused) = (0, 0);
    for at in 0..10_000 {
        let team_size = rng.random_range(1..=5);
        let rules = Rules::new(team_size);
        let n = rng.random_range(2 * team_size..=8 * team_size);
        let sizes = sizes(n, team_size, &mut rng);
        let round = of_parties(&sizes, &mut rng);
        match choose(&round, &rules, Fill::Every, at) {
            Ok(selection) => {
                assert_eq!(selection.playing().len(), n / (2 * team_size) * 2 * team_size);
                assert_eq!(selection.playing().len() + selection.waiting().len(), n);
                let playing = round.subset(selection.playing());
                // Who plays does so with all of the party.
                let whole = playing.parties().iter().map(Vec::len).sum::<usize>();
                assert_eq!(whole, playing.len());
                let is_cut = |i: &usize| {
                    round.parties()[round.party_of(*i)]
                        .iter()
                        .any(|j| selection.waiting().contains(j))
                };
                assert!(!selection.playing().iter().any(is_cut));
                let matches = start(&playing, &rules, if at % 2 == 0 { 0.0 } else { 6000.0 }, at)?;
                is_packing(&playing, &rules, &matches);
                let cost = LobbyCost::new(&playing, &rules)?;
                assert!(matches.iter().all(|members| cost.is_group_allowed(members)));
                packed += 1;
            }
            Err(Error::CannotPack {
                parties,
                matches,
                possible,
                ..
            }) => {
                assert!(!parties.is_empty() && possible < matches);
                let fewer = choose(&round, &rules, Fill::Possible, at);
                assert_eq!(fewer.is_ok(), possible > 0);
                if let Ok(fewer) = fewer {
                    assert_eq!(fewer.playing().len(), possible * 2 * team_size);
                    is_packing(
                        &round.subset(fewer.playing()),
                        &rules,
                        &start(&round.subset(fewer.playing()), &rules, 0.0, 0)?,
                    );
                }
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(packed > 5000 && refused > 100, "{packed} {refused}");
    Ok(())
}

/// Whether these sizes fill teams, by trying every party in every team.
fn fills(sizes: &[usize], teams: &mut Vec<usize>) -> bool {
    let Some((&first, rest)) = sizes.split_first() else {
        return teams.iter().all(|&room| room == 0);
    };
    (0..teams.len()).any(|at| {
        !teams[..at].contains(&teams[at]) && teams[at] >= first && {
            teams[at] -= first;
            let is_possible = fills(rest, teams);
            teams[at] += first;
            is_possible
        }
    })
}

#[test]
fn nobody_waits_who_could_play_instead_of_a_later_one() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut chosen = 0;
    for _ in 0..300 {
        let team_size = rng.random_range(2..=4);
        let n = rng.random_range(2 * team_size..=14);
        let sizes = sizes(n, team_size, &mut rng);
        // The later a party stands in the list, the longer it has waited.
        let mut players = Vec::new();
        for (party, &size) in sizes.iter().enumerate() {
            let label = format!("party {party}");
            let player = |i| Player {
                party: Some(label.clone()),
                waited: party as u32,
                ..Player::new(format!("p{i}"), 0.0)
            };
            players.extend((players.len()..players.len() + size).map(player).collect::<Vec<_>>());
        }
        let round = round(players, |_, _| 40.0, |_, _| true);
        let teams = 2 * (n / (2 * team_size));
        let of = |set: u32| {
            (0..sizes.len())
                .filter(|party| set >> party & 1 == 1)
                .collect::<Vec<_>>()
        };
        let is_full = |set: &u32| {
            let mut sizes: Vec<usize> = of(*set).iter().map(|&party| sizes[party]).collect();
            sizes.sort_by_key(|&size| Reverse(size));
            sizes.iter().sum::<usize>() == teams * team_size && fills(&sizes, &mut vec![team_size; teams])
        };
        // The set as a number is greatest where those who waited longest play.
        let best = (0..1_u32 << sizes.len()).rev().find(is_full);
        let found = choose(&round, &Rules::new(team_size), Fill::Every, 1);
        match best {
            Some(best) => {
                let found = found?;
                let expected: Vec<usize> = of(best)
                    .iter()
                    .flat_map(|&party| round.parties()[party].clone())
                    .collect();
                assert_eq!(found.playing(), expected, "{sizes:?} {team_size}");
                chosen += usize::from(!found.waiting().is_empty());
            }
            None => assert!(matches!(found, Err(Error::CannotPack { .. })), "{sizes:?} {team_size}"),
        }
    }
    assert!(chosen > 50, "{chosen}");
    Ok(())
}

#[test]
fn chance_decides_between_equals_and_repeats_itself() -> Result<(), Error> {
    let round = plain(&[0.0; 8]);
    let waiting = |rules: &Rules, seed| choose(&round, rules, Fill::Every, seed).map(|found| found.waiting().to_vec());
    let rules = Rules::default();
    let all: Vec<Vec<usize>> = (0..50).map(|seed| waiting(&rules, seed)).collect::<Result<_, _>>()?;
    assert!((0..8).all(|i| all.iter().any(|waiting| waiting.contains(&i))));
    assert_eq!(waiting(&rules, 7)?, all[7]);

    let players = (0..8)
        .map(|i| Player {
            waited: u32::from(i < 6),
            ..Player::new(format!("p{i}"), 0.0)
        })
        .collect();
    let patient = crate::support::round(players, |_, _| 40.0, |_, _| true);
    for seed in 0..20 {
        assert_eq!(choose(&patient, &rules, Fill::Every, seed)?.waiting(), [6, 7]);
    }
    let chance = Rules::default().priority(Priority::Chance);
    let differs = (0..20).any(|seed| choose(&patient, &chance, Fill::Every, seed).is_ok_and(|s| s.waiting() != [6, 7]));
    assert!(differs);
    Ok(())
}

#[test]
fn the_start_is_sorted_by_skill() -> Result<(), Error> {
    let skills: Vec<f64> = (0..18).map(|i| f64::from(i * 7 % 18)).collect();
    let matches = start(&plain(&skills), &Rules::default(), 0.0, 0)?;
    for (at, members) in matches.iter().enumerate() {
        let lowest = 12.0 - 6.0 * at as f64;
        assert!(
            members.iter().all(|&i| (lowest..lowest + 6.0).contains(&skills[i])),
            "{matches:?}"
        );
    }
    let spread = start(&plain(&skills), &Rules::default(), 6000.0, 1)?;
    assert_ne!(spread, matches);
    assert_eq!(spread, start(&plain(&skills), &Rules::default(), 6000.0, 1)?);
    Ok(())
}

#[test]
fn what_cannot_be_packed_is_named() -> Result<(), Error> {
    let round = Round::with_parties(
        plain(&[0.0; 6]),
        &[vec!["p0", "p1"], vec!["p2", "p3"], vec!["p4", "p5"]],
    )?;
    for error in [
        choose(&round, &Rules::default(), Fill::Possible, 0).err(),
        start(&round, &Rules::default(), 0.0, 0).err(),
    ] {
        let parties = ["party 0", "party 1", "party 2"].map(str::to_owned).to_vec();
        assert_eq!(
            error,
            Some(Error::CannotPack {
                parties,
                matches: 1,
                possible: 0,
                team_size: 3
            })
        );
    }
    let four = Round::with_parties(plain(&[0.0; 6]), &[vec!["p0", "p1", "p5", "p3"]])?;
    let error = choose(&four, &Rules::default(), Fill::Every, 0).err();
    let message = error.map(|error| error.to_string()).unwrap_or_default();
    assert!(
        message.contains("\"party 0\" has 4 members (p0, p1, p3, p5), a team has 3"),
        "{message}"
    );
    let seven = start(&plain(&[0.0; 7]), &Rules::default(), 0.0, 0);
    assert_eq!(seven, Err(Error::TooFewPlayers { players: 7, needed: 12 }));
    Ok(())
}

#[test]
fn many_players_are_no_trouble() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for team_size in [3, 5, 8] {
        let sizes = sizes(2000, team_size, &mut rng);
        let mut labels: Vec<Option<String>> = Vec::new();
        sizes
            .iter()
            .enumerate()
            .for_each(|(party, &size)| labels.extend(vec![Some(party.to_string()); size]));
        let player = |(i, party): (usize, Option<String>)| Player {
            party,
            ..Player::new(format!("p{i}"), (i * 37 % 1000) as f64)
        };
        let players: Vec<Player> = labels.into_iter().enumerate().map(player).collect();
        let (ping, connects) = (
            SymmetricMatrix::from_fn(2000, |_, _| 1.0),
            SymmetricMatrix::from_fn(2000, |_, _| true),
        );
        let round = Round::new(players, ping, connects)?;
        let rules = Rules::new(team_size);
        let selection = choose(&round, &rules, Fill::Possible, 1)?;
        assert!(selection.waiting().len() < 2000 / 10, "{}", selection.waiting().len());
        let playing = round.subset(selection.playing());
        is_packing(&playing, &rules, &start(&playing, &rules, 6000.0, 1)?);
    }
    Ok(())
}

#[test]
fn named_instances_fill_all_their_matches() -> Result<(), Error> {
    let rules = Rules::default();
    for n in [60, 102, 150, 300] {
        for seed in 1..=10 {
            let everybody = Round::named(&format!("nauts-{n}-s{seed}"))?;
            let selection = choose(&everybody, &rules, Fill::Every, 0)?;
            assert_eq!(selection.playing().len(), n, "these sizes are multiples of six");
            is_packing(&everybody, &rules, &start(&everybody, &rules, 6000.0, seed)?);
        }
    }
    Ok(())
}
