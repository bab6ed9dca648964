//! What exchanges of a party would change: by making each of them, and judging and checking all matches anew.

use matchmaking::lobby::{
    Breakdown, Exchange, Fill, Flaw, Judge, Lobby, LobbySearch, Objective, Round, Rules, ServerRule,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, plain, sizes};

/// The matches after an exchange, split in the best way as a judge without limits has it.
fn after(lobby: &Lobby, free: &Judge<'_>, objective: Objective, party: &[usize], exchange: &Exchange) -> Lobby {
    let mut changed = lobby.clone();
    let renamed = |player: usize| {
        let swap = |from: &[usize], to: &[usize]| from.iter().position(|&i| i == player).map(|at| to[at]);
        swap(party, &exchange.party)
            .or_else(|| swap(&exchange.party, party))
            .unwrap_or(player)
    };
    for one in &mut changed.matches {
        let before = one.players();
        let players: Vec<usize> = before.iter().map(|&player| renamed(player)).collect();
        if players != before {
            *one = free.best(&players).expect("parties of as many members fit");
        }
    }
    changed.waiting.iter_mut().for_each(|player| *player = renamed(*player));
    changed.waiting.sort_unstable();
    let breakdowns: Vec<Breakdown> = changed.matches.iter().map(|one| one.breakdown).collect();
    let scores: Vec<f64> = breakdowns.iter().map(|breakdown| breakdown.total).collect();
    changed.breakdown = Breakdown::mean(&breakdowns).expect("there are matches");
    changed.total = objective.total(&scores).expect("there are matches");
    changed
}

fn cost(lobby: &Lobby, objective: Objective) -> f64 {
    let costs = lobby.matches.iter().map(|one| objective.cost(one.breakdown.total));
    costs.sum()
}

/// Explains each player of a round, and makes all exchanges. How many were allowed, and how many were not.
fn check(round: &Round, rules: &Rules, free: &Rules, lobby: &Lobby) -> Result<[usize; 2], Flaw> {
    let mut seen = [0; 2];
    let objective = rules.chosen_objective();
    let unlimited = Round::new(
        round.players().to_vec(),
        matchmaking::lobby::SymmetricMatrix::from_fn(round.len(), |i, j| round.ping_ms(i, j)),
        matchmaking::lobby::SymmetricMatrix::from_fn(round.len(), |i, j| round.can_connect(i, j)),
    );
    let unlimited = unlimited.expect("a valid round");
    let judge = Judge::new(&unlimited, free).expect("good rules");
    for player in 0..round.len() {
        let explanation = lobby.explain(round, rules, player)?;
        assert_eq!(explanation.party, round.parties()[round.party_of(player)]);
        let place = |player: usize| lobby.matches.iter().position(|one| one.players().contains(&player));
        assert_eq!(explanation.place, place(player));
        let is_alike = |party: &&Vec<usize>| party.len() == explanation.party.len();
        let elsewhere = |party: &&Vec<usize>| place(party[0]) != explanation.place;
        let mut expected: Vec<&Vec<usize>> = round.parties().iter().filter(is_alike).filter(elsewhere).collect();
        let mut found: Vec<&Vec<usize>> = explanation.exchanges.iter().map(|exchange| &exchange.party).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
        let mut last = f64::INFINITY;
        for exchange in &explanation.exchanges {
            assert_eq!(exchange.place, place(exchange.party[0]));
            let changed = after(lobby, &judge, objective, &explanation.party, exchange);
            match &exchange.outcome {
                Ok(change) => {
                    assert_eq!(changed.verify(round, rules), Ok(()));
                    let risen = changed.breakdown.total - lobby.breakdown.total;
                    assert!((change.mean_score - risen).abs() < 1e-12, "{change:?} {risen}");
                    let fallen = cost(lobby, objective) - cost(&changed, objective);
                    assert!(
                        (change.gain - fallen).abs() < 1e-9 * (1.0 + fallen.abs()),
                        "{change:?} {fallen}"
                    );
                    assert!(change.gain <= last);
                    last = change.gain;
                    seen[0] += 1;
                }
                Err(flaw) => {
                    let refused = changed.verify(round, rules).expect_err("it was said not to be allowed");
                    // Which of two matches, and of several pairs, is named first is another matter.
                    assert_eq!(
                        std::mem::discriminant(&refused),
                        std::mem::discriminant(flaw),
                        "{refused} {flaw}"
                    );
                    assert!(matches!(
                        flaw,
                        Flaw::Avoided { .. } | Flaw::TooFar { .. } | Flaw::NoServer { .. }
                    ));
                    last = f64::NEG_INFINITY;
                    seen[1] += 1;
                }
            }
        }
    }
    Ok(seen)
}

#[test]
fn exchanges_change_what_making_them_changes() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(51);
    let mut seen = [[0; 2]; 4];
    for number in 0..60 {
        let team_size = rng.random_range(1..=3);
        let n = 2 * team_size * rng.random_range(2..=4) + rng.random_range(0..2 * team_size);
        let round = of_parties(&sizes(n, team_size, &mut rng), &mut rng);
        let objective = [
            Objective::Mean,
            Objective::Sqrt,
            Objective::MinThenMean { sharpness: 20.0 },
        ][number % 3];
        let free = Rules::new(team_size).objective(objective);
        let kind = number % 4;
        let (round, rules) = match kind {
            1 => (round, free.clone().ping_limit(480.0)),
            2 => (round, free.clone().server_rule(ServerRule::Required)),
            3 => {
                let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
                let others: Vec<_> = pairs.filter(|&(i, j)| round.party_of(i) != round.party_of(j)).collect();
                let apart = others.into_iter().filter(|_| rng.random_bool(0.05)).collect::<Vec<_>>();
                (round.with_avoided(apart)?, free.clone())
            }
            _ => (round, free.clone()),
        };
        // Not the best matches, so that there is something to gain.
        let search = LobbySearch::new(&round, &rules)
            .seed(number as u64)
            .fill(Fill::Possible)
            .work(200);
        if let Ok(lobby) = search.run() {
            let [allowed, refused] = check(&round, &rules, &free, &lobby)?;
            seen[kind] = [seen[kind][0] + allowed, seen[kind][1] + refused];
        }
    }
    assert_eq!(seen[0][1], 0, "nothing is forbidden without limits");
    assert!(seen.iter().all(|[allowed, _]| *allowed > 200), "{seen:?}");
    assert!(seen[1..].iter().all(|[_, refused]| *refused > 20), "{seen:?}");
    Ok(())
}

/// Twelve players have their best matches, so that no exchange is better.
#[test]
fn nothing_is_gained_where_matches_are_the_best() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let rules = Rules::new(3);
    for _ in 0..20 {
        let round = of_parties(&sizes(12, 3, &mut rng), &mut rng);
        let Ok(lobby) = LobbySearch::new(&round, &rules).run() else {
            continue;
        };
        for player in 0..12 {
            for exchange in lobby.explain(&round, &rules, player)?.exchanges {
                assert!(exchange.outcome?.gain < 2e-6);
            }
        }
    }
    Ok(())
}

#[test]
fn matches_of_another_round_and_players_who_are_not_there_are_refused() -> Result<(), Box<dyn std::error::Error>> {
    let (round, rules) = (plain(&[1.0, 2.0, 3.0, 4.0]), Rules::new(1));
    let mut lobby = LobbySearch::new(&round, &rules).run()?;
    let (player, players) = (4, 4);
    assert_eq!(
        lobby.explain(&round, &rules, 4),
        Err(Flaw::NoSuchPlayer { player, players })
    );
    assert!(lobby.explain(&plain(&[1.0, 2.0]), &rules, 0).is_err());
    lobby.matches[1].breakdown.total += 0.5;
    assert_eq!(lobby.explain(&round, &rules, 0), Err(Flaw::Scores { number: 1 }));
    Ok(())
}
