//! What exchanges of a party would change: by making each of them, and judging and checking all matches anew.

use std::collections::BTreeSet;

use matchmaking::lobby::{
    Breakdown, Budget, CancelToken, Exchange, Fill, Flaw, Judge, Lobby, LobbySearch, Objective, Round, Rules,
    ServerRule, Stop, Weights,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, plain, sizes};

/// Who leaves the match of a player's party, and who comes.
type Sides = (Vec<usize>, Vec<usize>);

fn sides(party: &[usize], exchange: &Exchange) -> Sides {
    ([party, &exchange.along.concat()].concat(), exchange.parties.concat())
}

/// The matches after an exchange, split in the best way as a judge without limits has it; none where parties do not make two
/// teams.
fn after(lobby: &Lobby, free: &Judge<'_>, objective: Objective, (leave, come): &Sides) -> Option<Lobby> {
    let mut changed = lobby.clone();
    let exchanged = |players: &[usize]| -> Vec<usize> {
        let has_left = players.iter().any(|player| leave.contains(player));
        let joins = if has_left { come } else { leave };
        let stay = players
            .iter()
            .filter(|player| !leave.contains(player) && !come.contains(player));
        let stay: Vec<usize> = stay.copied().collect();
        match stay.len() == players.len() {
            true => stay,
            false => [&stay[..], joins].concat(),
        }
    };
    for one in &mut changed.matches {
        let before = one.players();
        let players = exchanged(&before);
        if players != before {
            *one = free.best(&players)?;
        }
    }
    changed.waiting = exchanged(&changed.waiting);
    changed.waiting.sort_unstable();
    let breakdowns: Vec<Breakdown> = changed.matches.iter().map(|one| one.breakdown).collect();
    let scores: Vec<f64> = breakdowns.iter().map(|breakdown| breakdown.total).collect();
    changed.breakdown = Breakdown::mean(&breakdowns).expect("there are matches");
    changed.total = objective.total(&scores).expect("there are matches");
    Some(changed)
}

/// All sets of some parties that fit into a team.
fn subsets<'a>(parties: &[&'a Vec<usize>], team_size: usize) -> Vec<Vec<&'a Vec<usize>>> {
    let mut sets: Vec<Vec<&Vec<usize>>> = vec![Vec::new()];
    for &party in parties {
        let with = sets.iter().map(|set| [&set[..], &[party]].concat());
        let with: Vec<_> = with.filter(|set| members(set) <= team_size).collect();
        sets.extend(with);
    }
    sets
}

fn members(set: &[&Vec<usize>]) -> usize {
    set.iter().map(|party| party.len()).sum()
}

/// Every exchange of a player's party, and others of its place, for parties of another place, by trying all sets of both:
/// those with one party on one side at least and as many members on both. They are named by who leaves and who comes.
fn by_force(round: &Round, team_size: usize, lobby: &Lobby, player: usize) -> Vec<Sides> {
    let place = |player: usize| lobby.matches.iter().position(|one| one.players().contains(&player));
    let (here, party) = (place(player), &round.parties()[round.party_of(player)]);
    let parties_at = |at: Option<usize>| -> Vec<&Vec<usize>> {
        let parties = round.parties().iter();
        parties.filter(|other| place(other[0]) == at).collect()
    };
    let along: Vec<&Vec<usize>> = parties_at(here).into_iter().filter(|&other| other != party).collect();
    let mut found = Vec::new();
    let places = (0..lobby.matches.len()).map(Some).chain([None]);
    for there in places.filter(|there| *there != here) {
        for come in subsets(&parties_at(there), team_size) {
            for with in subsets(&along, team_size) {
                let is_one = come.len() == 1 || with.is_empty();
                if is_one && members(&come) == party.len() + members(&with) {
                    let together = |set: &[&Vec<usize>]| set.iter().flat_map(|party| party.iter().copied()).collect();
                    let with: Vec<usize> = together(&with);
                    found.push(([&party[..], &with].concat(), together(&come)));
                }
            }
        }
    }
    found
}

fn cost(lobby: &Lobby, objective: Objective) -> f64 {
    let costs = lobby.matches.iter().map(|one| objective.cost(one.breakdown.total));
    costs.sum()
}

/// Explains each player of a round, and makes all exchanges. How many were allowed, how many were not, those with several
/// parties on the one side and on the other, and how often some were left out.
fn check(round: &Round, rules: &Rules, free: &Rules, lobby: &Lobby) -> Result<[usize; 5], Flaw> {
    let mut seen = [0; 5];
    let objective = rules.chosen_objective();
    let unlimited = Round::new(
        round.players().to_vec(),
        matchmaking::lobby::SymmetricMatrix::from_fn(round.len(), |i, j| round.ping_ms(i, j)),
        matchmaking::lobby::SymmetricMatrix::from_fn(round.len(), |i, j| round.can_connect(i, j)),
    );
    let unlimited = unlimited.and_then(|unlimited| unlimited.with_disliked(round.disliked_pairs()));
    let unlimited = unlimited.expect("a valid round");
    let judge = Judge::new(&unlimited, free).expect("good rules");
    for player in 0..round.len() {
        let explanation = lobby.explain(round, rules, player)?;
        assert_eq!(explanation.party, round.parties()[round.party_of(player)]);
        let place = |player: usize| lobby.matches.iter().position(|one| one.players().contains(&player));
        assert_eq!(explanation.place, place(player));
        let sorted = |(mut leave, mut come): Sides| {
            leave.sort_unstable();
            come.sort_unstable();
            (leave, come)
        };
        let team_size = lobby.matches[0].red.len();
        let all = by_force(round, team_size, lobby, player);
        let (of_all, is_alike) = (all.len(), |sides: &&Sides| {
            let is_one = |side: &[usize]| side.len() == round.parties()[round.party_of(side[0])].len();
            is_one(&sides.0) && is_one(&sides.1)
        });
        let alike = all.iter().filter(is_alike).count();
        let of_two_teams = all
            .into_iter()
            .filter(|sides| after(lobby, &judge, objective, sides).is_some());
        let expected: BTreeSet<Sides> = of_two_teams.map(sorted).collect();
        let found = explanation.exchanges.iter();
        let found: Vec<Sides> = found
            .map(|exchange| sorted(sides(&explanation.party, exchange)))
            .collect();
        let different: BTreeSet<Sides> = found.iter().cloned().collect();
        assert_eq!(different.len(), found.len(), "none twice");
        match explanation.left_out {
            0 => assert_eq!(different, expected),
            some => {
                assert!(different.is_subset(&expected));
                assert_eq!((of_all - alike) as u64, 8 * round.len() as u64 + some);
                seen[4] += 1;
            }
        }
        let mut last = f64::INFINITY;
        for exchange in &explanation.exchanges {
            let sides = sides(&explanation.party, exchange);
            for &player in &sides.1 {
                assert_eq!(exchange.place, place(player));
            }
            seen[2] += usize::from(exchange.parties.len() > 1);
            seen[3] += usize::from(!exchange.along.is_empty());
            let changed = after(lobby, &judge, objective, &sides).expect("parties make two teams");
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
    let mut seen = [[0; 5]; 4];
    for number in 0..60 {
        let team_size = rng.random_range(1..=3);
        let n = 2 * team_size * rng.random_range(2..=4) + rng.random_range(0..2 * team_size);
        let round = of_parties(&sizes(n, team_size, &mut rng), &mut rng);
        let objective = [
            Objective::Mean,
            Objective::Sqrt,
            Objective::MinThenMean { sharpness: 20.0 },
        ][number % 3];
        let weights = Weights {
            company: 2.0,
            ..Weights::default()
        };
        let free = Rules::new(team_size).objective(objective).weights(weights);
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
            let found = check(&round, &rules, &free, &lobby)?;
            seen[kind]
                .iter_mut()
                .zip(found)
                .for_each(|(seen, found)| *seen += found);
        }
    }
    assert_eq!(seen[0][1], 0, "nothing is forbidden without limits");
    assert!(seen.iter().all(|[allowed, ..]| *allowed > 200), "{seen:?}");
    assert!(seen[1..].iter().all(|[_, refused, ..]| *refused > 20), "{seen:?}");
    assert!(
        seen.iter().all(|[.., many, along, _]| *many > 50 && *along > 50),
        "{seen:?}"
    );
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

/// There may be more sets of smaller parties than anybody waits for.
#[test]
fn exchanges_with_too_many_sets_are_counted() -> Result<(), Box<dyn std::error::Error>> {
    // Eight play, four of them a party; of the 43 others two are a party, and each waits.
    let sizes = [&[4, 1, 1, 1, 1, 2][..], &[1; 41]].concat();
    let n = sizes.iter().sum::<usize>();
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let round = of_parties(&sizes, &mut rng);
    let rules = Rules::new(4);
    let judge = Judge::new(&round, &rules)?;
    let of_size = |size: usize| round.parties().iter().filter(move |party| party.len() == size);
    let four = of_size(4).next().expect("a party of four");
    let alone: Vec<usize> = of_size(1).take(4).flatten().copied().collect();
    let players = [&four[..], &alone].concat();
    let only = judge.best(&players).expect("two teams");
    let mut lobby = LobbySearch::new(&round, &rules).work(0).run()?;
    lobby.matches = vec![only];
    lobby.waiting = (0..n).filter(|player| !players.contains(player)).collect();
    lobby.breakdown = lobby.matches[0].breakdown;
    lobby.total = Objective::Mean.total(&[lobby.breakdown.total]).expect("a match");
    assert_eq!(lobby.verify(&round, &rules), Ok(()));
    let found = lobby.explain(&round, &rules, four[0])?;
    // Four of 41, or two of them with the party.
    let all = 41 * 40 * 39 * 38 / 24 + 41 * 40 / 2;
    let most = 8 * n;
    assert_eq!((found.exchanges.len(), found.left_out), (most, (all - most) as u64));
    // With three parties there are more than are looked at, and none of four is.
    assert!(found.exchanges.iter().all(|exchange| exchange.parties.len() == 3));
    Ok(())
}

/// With teams of eight it went on for seconds, whoever cancelled.
#[test]
fn limits_end_an_explanation_with_what_there_is() -> Result<(), Box<dyn std::error::Error>> {
    let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    let lobby = LobbySearch::new(&round, &rules).work(500).run()?;
    for player in [0, 7, 23] {
        let all = lobby.explain(&round, &rules, player)?;
        assert_eq!(all.stop, Stop::Finished);
        let within = |budget: Budget| lobby.explain_within(&round, &rules, player, &budget);
        let none = within(Budget::new().work(0))?;
        assert_eq!((none.stop, none.exchanges.len()), (Stop::Work, 0));
        // So many are looked at, some of which are no exchanges, as they do not make two teams.
        let looked_at = none.left_out - all.left_out;
        assert!(looked_at >= all.exchanges.len() as u64);
        let mut before = 0;
        for work in (0..=looked_at).step_by(7).chain([looked_at, looked_at + 1]) {
            let some = within(Budget::new().work(work))?;
            let is_whole = work >= looked_at;
            assert_eq!(some.stop, if is_whole { Stop::Finished } else { Stop::Work });
            assert_eq!(some.left_out, all.left_out + looked_at.saturating_sub(work));
            let in_order = all
                .exchanges
                .iter()
                .filter(|exchange| some.exchanges.contains(exchange));
            assert!(in_order.eq(&some.exchanges) && some.exchanges.len() >= before);
            assert_eq!((&some.party, some.place), (&all.party, all.place));
            assert!(!is_whole || some == all);
            before = some.exchanges.len();
        }
        let token = CancelToken::new();
        token.cancel();
        let cancelled = within(Budget::new().cancel(token))?;
        assert_eq!(
            (cancelled.stop, cancelled.exchanges.len(), cancelled.left_out),
            (Stop::Cancelled, 0, none.left_out)
        );
        let late = within(Budget::new().time(std::time::Duration::ZERO))?;
        assert_eq!((late.stop, late.left_out), (Stop::Time, none.left_out));
    }
    Ok(())
}
