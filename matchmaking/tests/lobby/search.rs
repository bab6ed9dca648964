//! Searches of many random rounds: what they find, and what they must never do.

use matchmaking::lobby::{
    Budget, CancelToken, Engine, Error, GroupCost, Incumbent, Lobby, LobbyCost, LobbySearch, Objective, Progress,
    Round, RuleProblem, Rules, SearchError, ServerRule, Stop, exhaustive, start,
};
use matchmaking::matching_core::cost;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fast::rules;
use crate::support::{of_parties, sizes};

/// The sum that a search minimises.
fn cost_of(lobby: &Lobby, cost: &LobbyCost) -> f64 {
    let members = |one: &matchmaking::lobby::Match| [&one.red[..], &one.blue[..]].concat();
    lobby.matches.iter().map(|one| cost.group(&members(one))).sum()
}

/// Two matches of all kinds of parties and rules, by search and by trying all groupings.
fn searches_find_the_best_of_all(rounds: u64, work: u64, seed: u64) -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut infeasible = 0;
    for number in 0..rounds {
        let mut rules = match number % 3 {
            0 => Rules::default(),
            1 => rules(rng.random_range(0..6), 3, &mut rng),
            _ => Rules::default().server_rule(ServerRule::Required),
        };
        if rng.random_bool(0.2) {
            rules = rules.objective(Objective::MinThenMean { sharpness: 64.0 });
        }
        let round = of_parties(&sizes(12, 3, &mut rng), &mut rng);
        let cost = LobbyCost::new(&round, &rules)?;
        let found = LobbySearch::new(&round, &rules).seed(number).work(work).run();
        let Some(best) = exhaustive(&cost, 6)? else {
            assert!(found.is_err(), "round {number} has no grouping");
            infeasible += 1;
            continue;
        };
        // Two terms: their sum does not depend on the order.
        assert_eq!(cost_of(&found?, &cost), best.cost, "round {number}");
    }
    assert!(
        infeasible < rounds / 2,
        "{infeasible} of {rounds} rounds were infeasible"
    );
    Ok(())
}

#[test]
fn rounds_of_twelve_reach_the_optimum() -> Result<(), Error> {
    searches_find_the_best_of_all(60, 30_000, 11)
}

/// The worst score, in the mean over rounds.
fn mean_worst(rounds: &[Round], objective: Objective, work: u64) -> Result<f64, Error> {
    let rules = Rules::new(3).objective(objective);
    let worst = |round| Ok(LobbySearch::new(round, &rules).work(work).run()?.total.worst);
    let worst: Vec<f64> = rounds.iter().map(worst).collect::<Result<_, Error>>()?;
    Ok(worst.iter().sum::<f64>() / rounds.len() as f64)
}

/// Annealing was led by the worst match of its start, and left the others to chance: 0.7166 for `sqrt`'s 0.7429 over ten
/// rounds of 60 players by 5,000 moves, 0.6721 for 0.7435 over ten of 300 by 30,000.
#[test]
fn who_asks_for_the_worst_score_gets_a_better_one_by_short_searches() -> Result<(), Error> {
    for (names, work) in [
        (["nauts-60-s1", "nauts-60-s2", "nauts-60-s3", "nauts-60-s4"], 5_000),
        (["nauts-150-s1", "nauts-150-s2", "nauts-150-s3", "nauts-150-s4"], 20_000),
    ] {
        let rounds: Vec<Round> = names.into_iter().map(Round::named).collect::<Result<_, _>>()?;
        let sharp = mean_worst(&rounds, Objective::MinThenMean { sharpness: 64.0 }, work)?;
        let roots = mean_worst(&rounds, Objective::Sqrt, work)?;
        assert!(sharp > roots, "{names:?}: {sharp} and {roots}");
    }
    Ok(())
}

/// Starts that are all alike lead a climb to one place.
#[test]
fn spread_makes_starts_differ() -> Result<(), Error> {
    let rules = Rules::new(3);
    let mut gains = 0;
    for seed in 1..=4 {
        let round = Round::synthetic(24, seed, 2)?;
        let search = LobbySearch::new(&round, &rules).engine(Engine::Climb).work(100_000);
        let found = |search: LobbySearch<'_>| Ok::<_, Error>(search.run()?.total.mean);
        let (by_default, wide, none) = (
            found(search.clone())?,
            found(search.clone().spread(6_000.0))?,
            found(search.clone().spread(0.0))?,
        );
        assert_eq!(by_default, wide, "{seed}");
        assert!(wide >= none, "{seed}: {wide} and {none}");
        gains += usize::from(wide > none);
    }
    assert!(gains > 1, "only {gains} of four");
    let round = Round::named("nauts-60-s1")?;
    for spread in [-1.0, f64::NAN, f64::INFINITY] {
        let refused = LobbySearch::new(&round, &rules).spread(spread).run().err();
        let (rule, problem) = ("spread", RuleProblem::Negative);
        assert_eq!(refused, Some(Error::BadRule { rule, problem }));
    }
    Ok(())
}

/// Both steps share the limit.
#[test]
fn two_steps_take_no_more_work_than_one() -> Result<(), Error> {
    let round = Round::named("nauts-60-s1")?;
    let rules = Rules::new(3).objective(Objective::MinThenMean { sharpness: 64.0 });
    for work in [0, 1_000, 20_000] {
        let lobby = LobbySearch::new(&round, &rules).work(work).run()?;
        // Engines end what they are at.
        assert!(lobby.work <= work + 500, "{work}: {}", lobby.work);
    }
    let named = LobbySearch::new(&round, &rules).engine(Engine::Annealing).work(1_000);
    assert_eq!(named.run()?.engine, Engine::Annealing);
    Ok(())
}

/// Whoever wanted to cancel a search had to depend on the crates of its types as well.
#[test]
fn all_that_a_search_takes_and_gives_comes_with_it() -> Result<(), Error> {
    let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    let (token, best) = (CancelToken::new(), Incumbent::new());
    let stop = |progress: &Progress| {
        if progress.work > 0 {
            token.cancel();
        }
    };
    let search = LobbySearch::new(&round, &rules).engine(Engine::Climb).incumbent(&best);
    let lobby = search.cancel(token.clone()).observer(&stop).run()?;
    assert_eq!(lobby.stop, Stop::Cancelled);
    assert_eq!(best.get().map(|(_, groups)| groups.len()), Some(10));
    let nothing = cost::Pairwise(cost::from_fn(4, |_, _| f64::NAN));
    let members = vec![0, 1];
    let refused = SearchError::GroupNotANumber { members };
    assert_eq!(exhaustive(&nothing, 2), Err(Error::Search(refused)));
    Ok(())
}

#[test]
fn a_budget_is_all_the_limits() -> Result<(), Error> {
    let (round, rules) = (Round::named("nauts-60-s1")?, Rules::new(3));
    let token = CancelToken::new();
    token.cancel();
    let search = || LobbySearch::new(&round, &rules).engine(Engine::Climb).work(0);
    let cancelled = search().budget(Budget::new().cancel(token)).run()?;
    assert_eq!(cancelled.stop, Stop::Cancelled);
    let late = search().budget(Budget::new().time(std::time::Duration::ZERO)).run()?;
    assert_eq!(late.stop, Stop::Time);
    let (one, other) = (
        search().budget(Budget::new().work(1_500)).run()?,
        search().work(1_500).run()?,
    );
    assert_eq!((one.work, one.matches), (other.work, other.matches));
    Ok(())
}

/// A search, a matchmaker's parts and what they give may be kept by a service of many threads.
#[test]
fn all_that_is_built_may_go_to_other_threads() {
    fn may<T: Send + Sync>() {}
    may::<LobbySearch<'_>>();
    may::<Lobby>();
    may::<LobbyCost>();
    may::<Rules>();
    may::<Round>();
    may::<matchmaking::lobby::Judge<'_>>();
    may::<Error>();
    may::<matchmaking::Pool>();
    may::<matchmaking::EngagementCost<'_>>();
    may::<matchmaking::online::Matchmaker<matchmaking::online::Slack>>();
    may::<matchmaking::online::Arrivals>();
    may::<matchmaking::online::Error>();
}

#[test]
#[ignore = "many minutes: two thousand rounds"]
fn two_thousand_rounds_of_twelve_reach_the_optimum() -> Result<(), Error> {
    // With 30,000 moves, one cooling, one round of the first thousand ends beside the optimum.
    searches_find_the_best_of_all(2_000, 400_000, 12)
}

/// Everybody plays once or waits, and members of a party are in one team, or wait together.
fn assert_whole(round: &Round, lobby: &Lobby, team_size: usize) {
    let mut team_of = vec![None; round.len()];
    let teams = lobby.matches.iter().flat_map(|one| [&one.red, &one.blue]);
    let places = teams.chain([&lobby.waiting]).enumerate();
    for (team, players) in places {
        assert!(players.len() == team_size || team == 2 * lobby.matches.len());
        for &player in players {
            assert_eq!(team_of[player].replace(team), None, "player {player} is in two places");
        }
    }
    assert!(team_of.iter().all(Option::is_some), "somebody is nowhere");
    for party in round.parties() {
        assert!(
            party.iter().all(|&i| team_of[i] == team_of[party[0]]),
            "{party:?} is divided"
        );
    }
}

/// Random rounds of all team sizes and engines, with a small budget.
fn parties_stay_together(rounds: u64, seed: u64) -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut played, mut with_parties) = (0, 0);
    for number in 0..rounds {
        let team_size = rng.random_range(2..=5);
        let players = 2 * team_size * rng.random_range(1..=5) + rng.random_range(0..2 * team_size);
        let round = of_parties(&sizes(players, team_size, &mut rng), &mut rng);
        let rules = Rules::new(team_size);
        let engine = Engine::ALL[rng.random_range(0..Engine::ALL.len())];
        let search = LobbySearch::new(&round, &rules).engine(engine).seed(number).work(600);
        match search.run() {
            Ok(lobby) => {
                assert_whole(&round, &lobby, team_size);
                assert_eq!(lobby.seed, number);
                played += 1;
                with_parties += u64::from(round.parties().len() < round.len());
            }
            // Parties that fill no match: then there is no start either.
            Err(Error::CannotPack { .. } | Error::TooFewPlayers { .. }) => {
                assert!(start(&round, &rules, 0.0, 0).is_err(), "round {number}");
            }
            Err(other) => return Err(other),
        }
    }
    assert!(
        played > rounds * 2 / 3 && with_parties > rounds / 2,
        "{played} {with_parties} of {rounds}"
    );
    Ok(())
}

#[test]
fn no_search_divides_a_party() -> Result<(), Error> {
    parties_stay_together(300, 13)
}

#[test]
#[ignore = "minutes: ten thousand rounds"]
fn no_search_of_ten_thousand_rounds_divides_a_party() -> Result<(), Error> {
    parties_stay_together(10_000, 14)
}
