//! What a lobby's own check finds.

use matchmaking::lobby::{Error, Flaw, Lobby, LobbySearch, Objective, Round, Rules, ServerRule, SymmetricMatrix};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, sizes};

type Change<'a> = &'a dyn Fn(&mut Lobby);

/// Three players of a party and eleven others; two of them wait.
const ROUND: &str = "id,skill,region,party\na,1,SA,x\nb,2,SA,x\nc,3,SA,x\nd,4,SA,\ne,5,SA,\nf,6,SA,\ng,7,SA,\nh,8,SA,\n\
                     i,9,SA,\nj,10,SA,\nk,11,SA,\nl,12,SA,\nm,13,SA,\nn,14,SA,\n";

#[test]
fn every_kind_of_flaw_is_found() {
    let round = Round::read_csv(ROUND.as_bytes()).expect("a round");
    let rules = Rules::new(3);
    let right = LobbySearch::new(&round, &rules).work(500).run().expect("matches");
    let flaw = |change: Change<'_>| {
        let mut lobby = right.clone();
        change(&mut lobby);
        lobby.verify(&round, &rules).map_err(|flaw| flaw.to_string())
    };
    assert_eq!((flaw(&|_| ()), right.waiting.len()), (Ok(()), 2));
    let cases: [(Change<'_>, &str); 11] = [
        (
            &|lobby| lobby.matches[1].red.truncate(2),
            "position 1 has a team of the wrong size",
        ),
        (&|lobby| lobby.waiting.truncate(1), "is in 0 places"),
        (&|lobby| lobby.waiting[0] = lobby.waiting[1], "is in 0 places"),
        (&|lobby| lobby.waiting.push(lobby.waiting[0]), "is in 2 places"),
        (
            &|lobby| lobby.waiting[0] = 14,
            "no player at position 14: the round has 14",
        ),
        (
            &|lobby| lobby.matches[0].blue[1] = usize::MAX,
            "no player at position 18446744073709551615",
        ),
        (
            &|lobby| lobby.matches[0].breakdown.premade += 0.5,
            "position 0 has other scores",
        ),
        (
            &|lobby| lobby.matches[1].breakdown.total = f64::NAN,
            "position 1 has other scores",
        ),
        (&|lobby| lobby.breakdown.servers -= 0.5, "all matches together"),
        (&|lobby| lobby.total.worst += 1e-9, "all matches together"),
        (
            &|lobby| {
                let mut sides = lobby.matches.iter_mut().flat_map(|one| [&mut one.red, &mut one.blue]);
                let side = sides.find(|side| side.contains(&0)).expect("the party plays");
                std::mem::swap(&mut side[0], &mut lobby.waiting[0]);
            },
            "party \"x\" is divided",
        ),
    ];
    for (change, part) in cases {
        let message = flaw(change).expect_err(part);
        assert!(message.contains(part), "{part:?} is missing in {message:?}");
    }
}

#[test]
fn rules_and_rounds_of_others_are_held_against_it() -> Result<(), Error> {
    let round = Round::read_csv(ROUND.as_bytes())?;
    let rules = Rules::new(3);
    let lobby = LobbySearch::new(&round, &rules).work(500).run()?;
    let larger = lobby.verify(&round, &Rules::new(2));
    assert_eq!(larger, Err(Flaw::TeamSize { number: 0 }));
    let of_roots = lobby.verify(&round, &rules.clone().objective(Objective::Sqrt));
    assert_eq!(of_roots, Err(Flaw::Totals));
    let capped = lobby.verify(&round, &rules.clone().skill_cap(5.0));
    assert_eq!(capped, Err(Flaw::Scores { number: 0 }));
    let refused = lobby.verify(&round, &rules.clone().skill_cap(-5.0));
    assert!(
        matches!(refused, Err(Flaw::Refused(Error::BadRule { .. }))),
        "{refused:?}"
    );
    assert!(std::error::Error::source(&refused.expect_err("refused")).is_some());
    // Scores count servers, so that the check of the rule comes first.
    let alone = Round::new(
        round.players().to_vec(),
        SymmetricMatrix::from_fn(14, |i, j| round.ping_ms(i, j)),
        SymmetricMatrix::from_fn(14, |_, _| false),
    )?;
    let required = rules.server_rule(ServerRule::Required);
    let flaw = lobby.verify(&alone, &required);
    assert_eq!(flaw, Err(Flaw::NoServer { number: 0 }));
    Ok(())
}

/// Whatever the round, what a search returns passes, and does not once two players have changed places whose change
/// makes a difference.
#[test]
fn answers_of_searches_pass_until_players_change_places() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let (mut passed, mut caught) = (0, 0);
    for number in 0..150 {
        let team_size = rng.random_range(1..=4);
        let n = 2 * team_size * rng.random_range(1..=4) + rng.random_range(0..2 * team_size);
        let round = of_parties(&sizes(n, team_size, &mut rng), &mut rng);
        let rules = Rules::new(team_size);
        let Ok(mut lobby) = LobbySearch::new(&round, &rules).seed(number).work(300).run() else {
            continue;
        };
        assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
        passed += 1;
        if lobby.matches.len() > 1 {
            // Skills, pings and histories are by chance, so that other players never have the same scores.
            let (head, tail) = lobby.matches.split_at_mut(1);
            std::mem::swap(&mut head[0].red[0], &mut tail[0].blue[0]);
            assert!(lobby.verify(&round, &rules).is_err(), "round {number}");
            caught += 1;
        }
    }
    assert!(passed > 80 && caught > 40, "{passed} {caught}");
    Ok(())
}
