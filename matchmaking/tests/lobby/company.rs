//! Whom players would rather not have as mates.

use matchmaking::Place;
use matchmaking::lobby::{Error, Judge, LobbyCost, LobbySearch, Round, RuleProblem, Rules, Weights, exhaustive};
use rand::seq::index;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, plain, sizes};

/// Nothing else counts.
fn company_alone() -> Weights {
    Weights {
        team_skill: 0.0,
        player_skill: 0.0,
        premade: 0.0,
        enemy_ping: 0.0,
        variation: 0.0,
        servers: 0.0,
        company: 1.0,
    }
}

#[test]
fn company_is_the_mean_over_all_pairs() -> Result<(), Error> {
    // Of the fifteen pairs three are of mates who do not get along, and two of enemies.
    let disliked = [(0, 1), (2, 0), (4, 5), (1, 4), (5, 0), (1, 0)];
    let round = plain(&[0.0; 6]).with_disliked(disliked)?;
    let (red, blue) = ([0, 1, 2], [3, 4, 5]);
    let company =
        |round: &Round, rules: &Rules| Judge::new(round, rules).map(|judge| judge.breakdown(&red, &blue).company);
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    near(company(&round, &Rules::new(3))?, 12.0 / 15.0);
    near(
        company(&round, &Rules::new(3).disliked(0.5, 0.75))?,
        (10.0 + 3.0 * 0.5 + 2.0 * 0.75) / 15.0,
    );
    // Members of one party have chosen each other.
    let party = round.with_parties(&[vec!["p0", "p1"]])?;
    near(company(&party, &Rules::new(3))?, 13.0 / 15.0);
    assert!(party.get_along(0, 1) && !party.get_along(0, 2) && party.get_along(2, 3));
    assert_eq!(party.disliked_pairs().count(), 5);
    // By default it has no weight: the same score as without.
    let total = |round: &Round| Judge::new(round, &Rules::new(3)).map(|judge| judge.breakdown(&red, &blue).total);
    assert_eq!(
        total(&party)?,
        total(&plain(&[0.0; 6]).with_parties(&[vec!["p0", "p1"]])?)?
    );
    let bad = Rules::new(3).disliked(0.0, 1.5).check();
    let problem = RuleProblem::NotAScore;
    assert_eq!(
        bad,
        Err(Error::BadRule {
            rule: "disliked",
            problem
        })
    );
    Ok(())
}

#[test]
fn mates_of_a_match_are_named() -> Result<(), Error> {
    let round = plain(&[0.0; 6]).with_disliked((1..6).map(|i| (i, 0)).chain([(4, 3)]))?;
    let rules = Rules::new(3).weights(company_alone());
    let best = Judge::new(&round, &rules)?.best(&[0, 1, 2, 3, 4, 5]).expect("a match");
    // Somebody has to be with the first player.
    assert_eq!(best.disliked(&round).len(), 2);
    assert!(best.disliked(&round).iter().all(|&(i, _)| i == 0), "{best:?}");
    assert!(best.red.contains(&3) != best.red.contains(&4));
    Ok(())
}

/// What the best of all ways to put 12 players into matches leaves of mates who do not get along, counted without any
/// score.
#[test]
fn nobody_is_with_whom_he_dislikes_where_that_is_possible() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    let mut seen = [0; 3];
    for _ in 0..30 {
        let team_size = rng.random_range(2..=3);
        let n = 4 * team_size;
        let round = of_parties(&sizes(n, 2, &mut rng), &mut rng);
        let more = rng.random_range(0..5 * n);
        let pairs = (0..more).map(|_| index::sample(&mut rng, n, 2));
        let pairs: Vec<(usize, usize)> = pairs.map(|pair| (pair.index(0), pair.index(1))).collect();
        let round = round.with_disliked(pairs)?;
        let rules = Rules::new(team_size).weights(company_alone());
        let Some(least) = least_disliked(&round, team_size) else {
            seen[2] += 1;
            continue;
        };
        let pairs_in_match = (team_size * (2 * team_size - 1)) as f64;
        let expected = 1.0 - least as f64 / (2.0 * pairs_in_match);
        let best = exhaustive(&LobbyCost::new(&round, &rules)?, 2 * team_size)?.expect("matches");
        assert!((best.cost + 2.0 * expected).abs() < 1e-6, "{least} {best:?}");
        let lobby = LobbySearch::new(&round, &rules).run()?;
        assert!((lobby.total.mean - expected).abs() < 1e-6, "{least} {lobby:?}");
        assert_eq!(lobby.verify(&round, &rules), Ok(()));
        let mates = lobby.matches.iter().map(|one| one.disliked(&round).len());
        assert_eq!(mates.sum::<usize>(), least);
        seen[usize::from(least > 0)] += 1;
    }
    assert!(seen[0] > 3 && seen[1] > 3, "{seen:?}");
    Ok(())
}

/// The fewest pairs of mates who do not get along, by all ways to fill four teams; `None` if parties do not fit.
fn least_disliked(round: &Round, team_size: usize) -> Option<usize> {
    fn fill(round: &Round, party: usize, teams: &mut [Vec<usize>; 4], room: usize) -> Option<usize> {
        let Some(members) = round.parties().get(party) else {
            let disliked = |team: &Vec<usize>| {
                let pairs = (0..room).flat_map(|a| (0..a).map(move |b| (a, b)));
                pairs.filter(|&(a, b)| !round.get_along(team[a], team[b])).count()
            };
            return Some(teams.iter().map(disliked).sum());
        };
        let mut least = None;
        for at in 0..4 {
            if teams[at].len() + members.len() <= room {
                teams[at].extend(members);
                let found = fill(round, party + 1, teams, room);
                least = [least, found].into_iter().flatten().min();
                let kept = teams[at].len() - members.len();
                teams[at].truncate(kept);
            }
        }
        least
    }
    fill(round, 0, &mut Default::default(), team_size)
}

#[test]
fn a_part_of_a_round_keeps_its_dislikes() -> Result<(), Error> {
    let round = plain(&[0.0; 6]).with_disliked([(0, 5), (3, 1), (1, 3)])?;
    let part = round.subset(&[5, 3, 0]);
    assert_eq!(part.disliked_pairs().collect::<Vec<_>>(), [(0, 2)]);
    assert!(!part.get_along(2, 0) && part.get_along(1, 0));
    assert!(!round.subset(&[0, 1, 2]).has_disliked() && round.has_disliked());
    let own = round.with_disliked([(2, 2)]).expect_err("the player's own");
    assert_eq!(
        own.to_string(),
        "player at position 2, field dislike, player \"p2\": the player's own id; name other players"
    );
    Ok(())
}

#[test]
fn dislikes_are_read_and_written() -> Result<(), Error> {
    let of_csv = Round::read_csv(
        "id,skill,region,dislike,avoid\nAnn,1,SA,Cho; Zoe|,\nBen,2,SA,,Cho\nCho,3,SA,Ann;Ben,\n".as_bytes(),
    )?;
    let of_json = Round::read_json(
        r#"{"players": [{"id": "Ann", "skill": 1, "region": "SA", "dislike": ["Cho", "Zoe"]},
                        {"id": "Ben", "skill": 2, "region": "SA", "avoid": ["Cho"], "dislike": null},
                        {"id": "Cho", "skill": 3, "region": "SA", "dislike": ["Ann", "Ben"]}]}"#
            .as_bytes(),
    )?;
    assert_eq!(of_csv, of_json);
    assert!(of_csv.unknown_fields().is_empty());
    // Zoe is not there, and may be another time.
    assert_eq!(of_csv.disliked_pairs().collect::<Vec<_>>(), [(0, 2), (1, 2)]);
    assert_eq!(of_csv.avoided_pairs().collect::<Vec<_>>(), [(1, 2)]);
    let mut bytes = Vec::new();
    of_csv.write_json(&mut bytes).expect("a vector takes everything");
    assert_eq!(Round::read_json(&bytes[..])?, of_csv);
    let own = Round::read_csv("id,skill,region,dislike\nAnn,1,SA,\nBen,1,SA,Ben\n".as_bytes());
    let (place, id) = (Place::Line(3), "Ben".to_owned());
    let field = "dislike";
    assert_eq!(own.err(), Some(Error::AvoidsSelf { place, id, field }));
    let text =
        Round::read_json(r#"{"players": [{"id": "Ann", "skill": 1, "region": "SA", "dislike": "Ben"}]}"#.as_bytes());
    let message = text.expect_err("no list").to_string();
    assert!(
        message.contains("field dislike") && message.contains("a list of ids"),
        "{message}"
    );
    Ok(())
}
