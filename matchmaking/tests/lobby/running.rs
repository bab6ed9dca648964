//! Matches that run already: their scores, searches of larger rounds, and answers that are wrong.

use matchmaking::Place;
use matchmaking::lobby::{
    Budget, CancelToken, Engine, Error, Fill, Flaw, Judge, Lobby, LobbyCost, LobbySearch, Objective, Playing, Round,
    Rules, ServerRule, Short, Side, Stop, SymmetricMatrix, Why, exhaustive, start,
};
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fast::{agree, rules, somebody};
use crate::support::{beside_running, sizes};
use crate::swaps::ask;

/// So many players in each team of a running match, with a place open at least.
fn open_teams(team_size: usize, rng: &mut ChaCha8Rng) -> [usize; 2] {
    loop {
        let teams = [rng.random_range(0..=team_size), rng.random_range(0..=team_size)];
        if (1..2 * team_size).contains(&(teams[0] + teams[1])) {
            return teams;
        }
    }
}

/// The players of a running match and whole parties of others as far as they go, or anybody.
fn with_newcomers(round: &Round, number: usize, size: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let running = &round.running()[number];
    let mut members: Vec<usize> = running.players().collect();
    let mut parties: Vec<&Vec<usize>> = round.parties().iter().collect();
    rand::seq::SliceRandom::shuffle(&mut parties[..], rng);
    for party in parties {
        let waits = round.running_of(party[0]).is_none();
        if waits && members.len() + party.len() <= size {
            members.extend(party);
        }
    }
    let others = (0..round.len()).filter(|player| !members.contains(player));
    let others = others.choose_multiple(rng, size - members.len());
    members.extend(others);
    members
}

/// The fast score knows who may not move, also of groups that are no matches; and so do its notes.
#[test]
fn the_fast_score_knows_who_plays_already() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    for (team_size, rounds) in [(1, 40), (2, 60), (3, 90), (4, 36), (5, 24), (6, 6), (7, 2), (8, 2)] {
        let (mut seen, mut exchanged) = ([0; 2], [0; 2]);
        for at in 0..rounds {
            let rules = rules(at % 6, team_size, &mut rng);
            let rules = if at % 4 == 0 { rules.ping_limit(470.0) } else { rules };
            let teams = [open_teams(team_size, &mut rng), open_teams(team_size, &mut rng)];
            let waiting = sizes(4 * team_size, team_size.min(3), &mut rng);
            let round = beside_running(&teams, &waiting, &mut rng);
            let size = 2 * team_size;
            let mut groups: Vec<Vec<usize>> = (0..6).map(|_| somebody(&round, size, &mut rng)).collect();
            let sets = if team_size > 6 { 3 } else { 10 };
            groups.extend((0..sets).map(|set| with_newcomers(&round, set % 2, size, &mut rng)));
            agree(&round, &rules, &groups, &mut rng, &mut seen)?;
            let cost = LobbyCost::new(&round, &rules)?;
            for group in groups.iter().rev().take(3) {
                let [forbidden, allowed] = ask(&cost, group, if team_size > 6 { 8 } else { 40 }, &mut rng);
                exchanged = [exchanged[0] + forbidden, exchanged[1] + allowed];
            }
        }
        assert!(seen.iter().all(|&count| count > rounds / 2), "{team_size}: {seen:?}");
        assert!(
            exchanged.iter().all(|&count| count > rounds / 2),
            "{team_size}: {exchanged:?}"
        );
    }
    Ok(())
}

/// Of everybody in full matches, trying all groupings is an oracle as before.
#[test]
fn all_groupings_leave_running_matches_whole() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(62);
    let mut found = 0;
    for number in 0..40 {
        let teams = open_teams(3, &mut rng);
        let waiting = sizes(12 - teams[0] - teams[1], 3, &mut rng);
        let round = beside_running(&[teams], &waiting, &mut rng);
        let rules = Rules::new(3);
        let Some(best) = exhaustive(&LobbyCost::new(&round, &rules)?, 6)? else {
            assert!(start(&round, &rules, 0.0, number).is_err(), "round {number}");
            continue;
        };
        let lobby = LobbySearch::new(&round, &rules).seed(number).run()?;
        let cost: f64 = lobby.matches.iter().map(|one| -one.breakdown.total).sum();
        assert!((cost - best.cost).abs() < 1e-6, "round {number}: {cost} {}", best.cost);
        found += 1;
    }
    assert!(found > 20, "{found}");
    Ok(())
}

fn engine_of(number: u64) -> Engine {
    Engine::ALL[number as usize % Engine::ALL.len()]
}

/// Whatever the round: who plays already stays, parties stay whole, and what a search returns passes.
fn nobody_moves_who_plays(rounds: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut filled, mut short, mut refused) = (0, 0, 0);
    for number in 0..rounds {
        let team_size = rng.random_range(1..=5);
        let running = rng.random_range(1..=5);
        let teams: Vec<[usize; 2]> = (0..running)
            .map(|at| {
                if at == 3 {
                    [team_size; 2]
                } else {
                    open_teams(team_size, &mut rng)
                }
            })
            .collect();
        let waiting = sizes(rng.random_range(0..40), team_size, &mut rng);
        let round = beside_running(&teams, &waiting, &mut rng);
        let n = round.len();
        let apart: Vec<(usize, usize)> = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .filter(|&(i, j)| round.party_of(i) != round.party_of(j) && number % 3 == 0 && rng.random_bool(0.03))
            .collect();
        let round = round.with_avoided(apart).expect("pairs of two");
        let rules = Rules::new(team_size);
        let rules = match number % 5 {
            0 => rules.ping_limit(450.0).ping_growth(10.0),
            1 => rules.server_rule(ServerRule::Required),
            2 => rules.objective(Objective::MinThenMean { sharpness: 64.0 }),
            _ => rules,
        };
        let search = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .engine(engine_of(number));
        let lobby = match search.seed(number).work(800).run() {
            Ok(lobby) => lobby,
            Err(error) => {
                assert!(
                    rules != Rules::new(team_size) || round.has_avoided(),
                    "round {number}: {error}"
                );
                refused += 1;
                continue;
            }
        };
        assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
        for (i, player) in round.players().iter().enumerate() {
            let Some(Playing { match_id, team }) = &player.playing else {
                continue;
            };
            let is_it = |running: usize| round.running()[running].id() == match_id;
            let place = lobby.matches.iter().find(|one| one.running.is_some_and(is_it));
            match place {
                Some(one) => assert!(if *team == Side::Red { &one.red } else { &one.blue }.contains(&i)),
                None => assert!(lobby.short.iter().any(|short| is_it(short.running)), "round {number}"),
            }
            assert!(!lobby.waiting.contains(&i), "round {number}");
        }
        // Those that run come first, in their order.
        let order: Vec<usize> = lobby
            .matches
            .iter()
            .map(|one| one.running.unwrap_or(usize::MAX))
            .collect();
        assert!(order.is_sorted(), "round {number}: {order:?}");
        let again = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .engine(engine_of(number));
        let again = again.seed(number).work(800).run().expect("as before");
        assert_eq!(
            (again.matches, again.work),
            (lobby.matches.clone(), lobby.work),
            "round {number}"
        );
        filled += lobby
            .matches
            .iter()
            .filter(|one| !one.newcomers(&round).is_empty())
            .count();
        short += lobby.short.len();
    }
    assert!(
        filled as u64 > rounds && short as u64 > rounds / 4,
        "{filled} {short} of {rounds}"
    );
    assert!(refused < rounds / 20, "{refused} of {rounds}");
}

#[test]
fn who_plays_already_stays_whatever_the_round() {
    nobody_moves_who_plays(150, 63);
}

#[test]
#[ignore = "minutes: five thousand rounds"]
fn who_plays_already_stays_in_five_thousand_rounds() {
    nobody_moves_who_plays(5_000, 64);
}

/// Match m lacks one player in blue, n lacks two, full lacks none; five wait.
const ROUND: &str = "id,skill,region,party,match,team,avoid\n\
                     a,1,SA,,m,red,\nb,2,SA,,m,red,\nc,3,SA,,m,blue,\n\
                     d,4,SA,,n,red,\ne,5,SA,,n,blue,\n\
                     f,6,SA,,full,red,g\ng,7,SA,,full,red,\nh,8,SA,,full,blue,\ni,9,SA,,full,blue,\n\
                     j,10,SA,,,,\nk,11,SA,,,,\nl,12,SA,,,,\no,13,SA,,,,\np,14,SA,,,,\n";

pub(crate) fn read() -> Round {
    Round::read_csv(ROUND.as_bytes()).expect("a round")
}

#[test]
fn every_kind_of_forgery_is_found() -> Result<(), Error> {
    let (round, rules) = (read(), Rules::new(2));
    let right = LobbySearch::new(&round, &rules).work(500).run()?;
    assert_eq!(right.verify(&round, &rules), Ok(()));
    let runs: Vec<Option<usize>> = right.matches.iter().map(|one| one.running).collect();
    assert_eq!(
        (runs, right.short.len(), right.waiting.len()),
        (vec![Some(0), Some(1), Some(2)], 0, 2)
    );
    type Change<'a> = &'a dyn Fn(&mut Lobby);
    let swap_teams = |one: &mut matchmaking::lobby::Match| std::mem::swap(&mut one.red, &mut one.blue);
    let exchange = |lobby: &mut Lobby, one: usize, other: usize| {
        let teams = lobby.matches.iter_mut().flat_map(|one| [&mut one.red, &mut one.blue]);
        for player in teams.chain([&mut lobby.waiting]).flatten() {
            *player = match *player {
                player if player == one => other,
                player if player == other => one,
                player => player,
            };
        }
    };
    let waits = right.waiting[0];
    let short = |running| {
        let mut lobby = right.clone();
        lobby.short = LobbySearch::new(&round.subset(&[0, 1, 2]), &rules)
            .run()
            .expect("kept")
            .short;
        lobby.short[0].running = running;
        lobby.short
    };
    let cases: [(Change<'_>, &str); 12] = [
        (
            &|lobby| swap_teams(&mut lobby.matches[0]),
            "is not where he plays already, in match \"m\"",
        ),
        (
            &|lobby| swap_teams(&mut lobby.matches[2]),
            "is not where he plays already, in match \"full\"",
        ),
        (
            &|lobby| exchange(lobby, 0, 3),
            "\"d\" is not where he plays already, in match \"n\"",
        ),
        (&|lobby| exchange(lobby, 0, 2), "\"c\" is not where he plays already"),
        (
            &|lobby| exchange(lobby, 0, waits),
            "\"a\" is not where he plays already",
        ),
        (
            &|lobby| lobby.matches[0].running = None,
            "\"a\" is not where he plays already",
        ),
        (
            &|lobby| lobby.matches[0].running = Some(1),
            "\"a\" is not where he plays already",
        ),
        (
            &|lobby| lobby.matches[0].running = Some(7),
            "\"a\" is not where he plays already",
        ),
        (&|lobby| lobby.short = short(2), "is none with open places"),
        (&|lobby| lobby.short = short(9), "is none with open places"),
        (
            &|lobby| lobby.short = short(0),
            "is none with open places, or enough players wait",
        ),
        (
            &|lobby| {
                lobby.short = short(0);
                lobby.short[0].why = Why::Parties;
            },
            "is in 2 places",
        ),
    ];
    for (change, part) in cases {
        let mut lobby = right.clone();
        change(&mut lobby);
        let flaw = lobby.verify(&round, &rules).expect_err(part).to_string();
        assert!(flaw.contains(part), "{part:?} is missing in {flaw:?}");
    }
    // A running match that is nowhere.
    let mut lobby = right.clone();
    lobby.matches.remove(2);
    assert!(matches!(
        lobby.verify(&round, &rules),
        Err(Flaw::Places { places: 0, .. })
    ));
    // A new match that says it goes on with one that runs.
    let text = format!("{ROUND}q,1,SA,,,,\nr,1,SA,,,,\n");
    let more = Round::read_csv(text.as_bytes())?;
    let mut lobby = LobbySearch::new(&more, &rules).work(500).run()?;
    assert_eq!(lobby.matches[3].running, None);
    lobby.matches[3].running = Some(0);
    assert_eq!(lobby.verify(&more, &rules), Err(Flaw::Running { number: 3 }));
    Ok(())
}

/// Limits hold for those who come, with each other and with those who are there; not among these.
#[test]
fn limits_are_for_those_who_come() -> Result<(), Error> {
    let round = read();
    // f and g avoid each other and play all the same; of those who wait only o may come to a.
    let at = |id: &str| {
        round
            .players()
            .iter()
            .position(|player| player.id == id)
            .expect("an id")
    };
    let round = round
        .clone()
        .with_avoided([at("j"), at("k"), at("l"), at("p")].map(|other| (at("a"), other)))?;
    let rules = Rules::new(2);
    let lobby = LobbySearch::new(&round, &rules).run()?;
    assert_eq!(lobby.verify(&round, &rules), Ok(()));
    assert_eq!(lobby.matches[0].newcomers(&round), [at("o")]);
    assert_eq!(lobby.matches[0].blue, [at("c"), at("o")]);
    assert!(lobby.matches.iter().any(|one| one.players().contains(&at("f"))));
    // And if o may not, either, the match stays as it is, and the others go on.
    let round = round.with_avoided([(at("a"), at("o"))])?;
    let lobby = LobbySearch::new(&round, &rules).run()?;
    let [
        Short {
            running: 0,
            why: Why::Limits,
            ..
        },
    ] = lobby.short[..]
    else {
        panic!("{:?}", lobby.short);
    };
    assert_eq!(lobby.matches.len(), 2);
    assert_eq!(lobby.verify(&round, &rules), Ok(()));
    Ok(())
}

/// Two may come to the first match and only one of these to the second: they take turns, and where both want the same one the
/// first in the round has him.
#[test]
fn running_matches_do_not_take_what_others_need() -> Result<(), Error> {
    let text = "id,skill,region,match,team\na,1,EU-W,m,red\nb,2,OCE,n,red\nc,1,NA-E,,\nd,1,EU-E,,\n";
    let round = Round::read_csv(text.as_bytes())?;
    // a may play with c (95 ms) and d (55 ms), b (280 ms and more) with nobody; b avoids nobody once the limit is away.
    let rules = Rules::new(1).ping_limit(100.0);
    let lobby = LobbySearch::new(&round, &rules).run()?;
    assert_eq!((lobby.matches.len(), lobby.short.len(), lobby.waiting.len()), (1, 1, 1));
    assert_eq!((lobby.short[0].running, lobby.short[0].why), (1, Why::Limits));
    let round = round.with_avoided([(1, 3)])?;
    let rules = Rules::new(1);
    let lobby = LobbySearch::new(&round, &rules).run()?;
    let teams: Vec<(&[usize], &[usize])> = lobby.matches.iter().map(|one| (&one.red[..], &one.blue[..])).collect();
    assert_eq!(teams, [(&[0][..], &[3][..]), (&[1], &[2])]);
    let round = round.with_avoided([(0, 3)])?;
    let lobby = LobbySearch::new(&round, &rules).run()?;
    assert_eq!(
        (lobby.matches[0].running, lobby.matches[0].players()),
        (Some(0), vec![0, 2])
    );
    assert_eq!((lobby.short[0].running, lobby.short[0].why), (1, Why::Limits));
    Ok(())
}

/// Each of the matches could be filled, and there are enough players who may come; but no two pairs of them go together. Only a
/// search finds that out, and the first match of the round has the pair.
#[test]
fn the_first_of_two_matches_that_cannot_both_be_filled_is() -> Result<(), Error> {
    let text = "id,skill,region,match,team\na,1,SA,m,red\nb,2,SA,m,blue\nc,3,SA,n,red\nd,4,SA,n,blue\n\
                e,5,SA,,\nf,6,SA,,\ng,7,SA,,\nh,8,SA,,\n";
    // Of e, f, g and h only f may be with others.
    let round = Round::read_csv(text.as_bytes())?.with_avoided([(4, 6), (4, 7), (6, 7)])?;
    let rules = Rules::new(2);
    for fill in [Fill::Every, Fill::Possible] {
        let lobby = LobbySearch::new(&round, &rules).fill(fill).run()?;
        assert_eq!(lobby.verify(&round, &rules), Ok(()));
        assert_eq!((lobby.matches.len(), lobby.matches[0].running), (1, Some(0)));
        assert!(lobby.matches[0].players().contains(&5));
        assert_eq!((lobby.short[0].running, lobby.short[0].why), (1, Why::Limits));
    }
    Ok(())
}

/// It was said that there are too few for a new match beside a running one of which it turns out that nobody can fill it.
#[test]
fn new_matches_are_of_those_whom_the_filled_ones_leave() -> Result<(), Error> {
    // The two who may come to A avoid each other. Without A, three fill B, and one who is in nobody's reach and two others wait:
    // too few for a new match.
    let text = "id,skill,region,avoid,match,team\nada,1,SA,cho;dee;zoe,A,red\nbob,1,SA,,A,red\n\
                eve,1,SA,vic;zoe,B,red\numa,1,SA,vic,,\nvic,1,SA,,,\ncho,1,SA,,,\ndee,1,SA,,,\n\
                yan,1,SA,ada;bob;eve;uma;vic;cho;dee;zoe,,\nzoe,1,SA,,,\n";
    let (round, rules) = (Round::read_csv(text.as_bytes())?, Rules::new(2));
    for fill in [Fill::Every, Fill::Possible] {
        let lobby = LobbySearch::new(&round, &rules).fill(fill).run()?;
        lobby.verify(&round, &rules).expect("matches that keep the rules");
        assert_eq!((lobby.matches.len(), lobby.matches[0].running), (1, Some(1)));
        assert_eq!((lobby.short[0].running, lobby.short[0].why), (0, Why::Limits));
        assert_eq!(lobby.waiting, [4, 7, 8], "{fill:?}");
    }
    Ok(())
}

/// Running matches alone, full or not, are a round.
#[test]
fn nobody_has_to_wait_for_matches_to_run() -> Result<(), Error> {
    let (round, rules) = (read(), Rules::new(2));
    let running = round.subset(&(0..9).collect::<Vec<usize>>());
    let lobby = LobbySearch::new(&running, &rules).run()?;
    assert_eq!(lobby.verify(&running, &rules), Ok(()));
    assert_eq!((lobby.matches.len(), lobby.waiting.len(), lobby.work), (1, 0, 0));
    let whys: Vec<Why> = lobby.short.iter().map(|short| short.why).collect();
    assert_eq!(whys, [Why::TooFew; 2]);
    let judge = Judge::new(&running, &rules)?;
    assert_eq!(lobby.matches[0].breakdown, judge.breakdown(&[5, 6], &[7, 8]));
    // Nobody can be the server of a match that runs all the same.
    let alone = Round::new(
        running.players().to_vec(),
        SymmetricMatrix::from_fn(9, |_, _| 10.0),
        SymmetricMatrix::from_fn(9, |_, _| false),
    )?;
    let required = rules.server_rule(ServerRule::Required);
    let lobby = LobbySearch::new(&alone, &required).run()?;
    assert_eq!((lobby.matches.len(), lobby.verify(&alone, &required)), (1, Ok(())));
    Ok(())
}

#[test]
fn a_team_with_too_many_is_refused_by_name() {
    let round = read();
    let refused = LobbySearch::new(&round, &Rules::new(1))
        .run()
        .map(|lobby| lobby.matches);
    let message = refused.expect_err("two in red").to_string();
    let parts = "line 3, field team, player \"b\": team red of match \"m\" has 2 players, and a team has 1";
    assert!(message.contains(parts), "{message}");
    // Where a part of the round has a line, it is that of the file; without a file, there is none.
    let some = round.subset(&[1, 4]);
    assert_eq!((some.place(0), some.place(1)), (Place::Line(3), Place::Line(6)));
    let mut written = Vec::new();
    round.write_json(&mut written).expect("a vector takes everything");
    let again = Round::read_json(&written[..]).expect("a round");
    assert_eq!((again.place(1), &again), (Place::Position(1), &round));
    assert!(matches!(
        Judge::new(&round, &Rules::new(1)),
        Err(Error::TeamTooLarge {
            players: 2,
            team_size: 1,
            ..
        })
    ));
}

#[test]
fn whoever_plays_already_has_no_exchanges_and_newcomers_have() -> Result<(), Box<dyn std::error::Error>> {
    let (round, rules) = (read(), Rules::new(2));
    let lobby = LobbySearch::new(&round, &rules).run()?;
    let stays = lobby.explain(&round, &rules, 0)?;
    assert!(stays.stays && stays.exchanges.is_empty() && stays.place == Some(0));
    let new = lobby.matches[0].newcomers(&round)[0];
    let explained = lobby.explain(&round, &rules, new)?;
    assert!(!explained.stays && !explained.exchanges.is_empty());
    for exchange in &explained.exchanges {
        let others = exchange.parties.concat();
        assert!(
            others.iter().all(|&other| round.running_of(other).is_none()),
            "{exchange:?}"
        );
        let Ok(change) = exchange.outcome else { continue };
        // Said by the definition, of the matches as they would be.
        let judge = Judge::new(&round, &rules)?;
        let changed = |number: usize, leave: &[usize], come: &[usize]| {
            let mut players = lobby.matches[number].players();
            players.retain(|player| !leave.contains(player));
            players.extend(come);
            judge.best(&players).map_or(f64::NAN, |best| {
                best.breakdown.total - lobby.matches[number].breakdown.total
            })
        };
        let mut leave = explained.party.clone();
        leave.extend(exchange.along.concat());
        let there = exchange.place.map_or(0.0, |number| changed(number, &others, &leave));
        let gain = (changed(0, &leave, &others) + there) / lobby.matches.len() as f64;
        assert!((gain - change.mean_score).abs() < 1e-12, "{exchange:?}");
    }
    Ok(())
}

/// Whatever is left to search with, nobody plays where he must not, and it does not take one search for each match.
#[test]
fn little_work_is_enough_to_leave_matches_as_they_are() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(66);
    let mut not_found = 0;
    for number in 0..40 {
        let teams: Vec<[usize; 2]> = (0..8).map(|_| [2, 1]).collect();
        let round = beside_running(&teams, &sizes(30, 2, &mut rng), &mut rng);
        let n = round.len();
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let apart = pairs.filter(|&(i, j)| round.party_of(i) != round.party_of(j) && rng.random_bool(0.25));
        let apart: Vec<(usize, usize)> = apart.collect();
        let round = round.with_avoided(apart)?;
        let rules = Rules::new(3);
        for work in [0, 50, 2_000] {
            let search = LobbySearch::new(&round, &rules)
                .fill(Fill::Possible)
                .engine(engine_of(number));
            let lobby = search.seed(number).work(work).run()?;
            assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
            // A few searches follow each other, and each engine ends what it is at.
            assert!(lobby.work <= work + 5_000, "round {number}: {} of {work}", lobby.work);
            not_found += lobby.short.iter().filter(|short| short.why == Why::NotFound).count();
        }
    }
    assert!(not_found > 40, "{not_found}");
    Ok(())
}

/// A limit that leaves it open whether a running match can be filled leaves it open how many new ones there must be.
#[test]
fn too_few_new_matches_are_no_proof_while_it_is_open_which_are_filled() -> Result<(), Error> {
    // Who may come to B is not the one who has waited longest, and comes to A; then nobody is left for a new match.
    let text = "id,skill,region,waited,avoid,match,team\nada,1000,SA,,,A,red\nbob,1000,SA,,vic,B,red\n\
                uma,1000,SA,1,,,\nvic,1000,SA,,,,\nyan,1000,SA,,ada;bob;uma;vic,,\n";
    let (round, rules) = (Round::read_csv(text.as_bytes())?, Rules::new(1));
    let search = LobbySearch::new(&round, &rules);
    let lobby = search.clone().run()?;
    assert_eq!((lobby.matches.len(), &lobby.waiting[..]), (2, &[4][..]));
    let Err(Error::NoneWithinLimits {
        is_proven: false,
        stop: Stop::Work,
        closest,
        ..
    }) = search.work(0).run()
    else {
        panic!("it was said that there are too few");
    };
    assert!(closest.is_empty());
    Ok(())
}

#[test]
fn a_cancelled_search_leaves_running_matches_alone() {
    let round = read().with_avoided([(0, 9)]).expect("two players");
    let token = CancelToken::new();
    token.cancel();
    let rules = Rules::new(2);
    let search = LobbySearch::new(&round, &rules).budget(Budget::new().cancel(token));
    match search.run() {
        Ok(lobby) => assert_eq!(lobby.verify(&round, &rules), Ok(())),
        Err(Error::NoneWithinLimits { is_proven, .. }) => assert!(!is_proven),
        Err(other) => panic!("{other}"),
    }
}
