//! Running matches that are filled one by one, whatever the limit leaves to search with.

use std::time::Duration;

use matchmaking::lobby::{
    Budget, CancelToken, Engine, Error, Fill, Lobby, LobbySearch, Objective, Player, Round, Rules, ServerRule, Side,
    Stop, SymmetricMatrix, Why,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{beside_running, sizes};

/// A round in CSV: so many running matches of three against three, most with open places, and as many who wait as that makes;
/// some avoid somebody who plays.
fn crowded(matches: usize, waiting: usize, rng: &mut ChaCha8Rng) -> Round {
    let regions = [
        "EU-W", "EU-W", "EU-W", "EU-E", "EU-E", "NA-E", "NA-W", "SA", "Asia", "OCE",
    ];
    let mut text = "id,skill,region,party,avoid,match,team\n".to_owned();
    let mut playing = 0;
    for number in 0..matches {
        let region = regions[rng.random_range(0..regions.len())];
        for team in ["red", "blue"] {
            for _ in 0..rng.random_range(1..=3) {
                text += &format!(
                    "r{playing},{},{region},,,m{number},{team}\n",
                    rng.random_range(3_000..15_000)
                );
                playing += 1;
            }
        }
    }
    for player in 0..waiting {
        let region = regions[rng.random_range(0..regions.len())];
        let avoided = match rng.random_range(0..3) {
            0 => format!("r{}", rng.random_range(0..playing)),
            _ => String::new(),
        };
        text += &format!("w{player},{},{region},,{avoided},,\n", rng.random_range(3_000..15_000));
    }
    Round::read_csv(text.as_bytes()).expect("a round")
}

/// The running matches with open places that are filled, ascending.
fn filled(lobby: &Lobby, round: &Round) -> Vec<usize> {
    let filled = lobby.matches.iter().filter(|one| !one.newcomers(round).is_empty());
    filled.filter_map(|one| one.running).collect()
}

/// Whether the first match in which two answers differ is filled in the first of them, or they do not differ.
fn is_as_good(some: &[usize], others: &[usize]) -> bool {
    let differs = (0..).find(|at| some.get(*at) != others.get(*at) || some.get(*at).is_none());
    let first = |numbers: &[usize]| numbers.get(differs.unwrap_or(0)).copied().unwrap_or(usize::MAX);
    first(some) <= first(others)
}

#[test]
fn the_first_difference_counts() {
    assert!(is_as_good(&[0, 1], &[0, 2, 3]) && !is_as_good(&[0, 2, 3], &[0, 1]));
    assert!(is_as_good(&[0, 1], &[0]) && !is_as_good(&[0], &[0, 1]));
    assert!(is_as_good(&[], &[]) && is_as_good(&[4], &[4]));
}

/// Searches had a half of what was left each, the first one for all matches at once, and found nothing for any of them.
#[test]
fn running_matches_are_filled_whatever_is_left_to_search_with() -> Result<(), Error> {
    let rules = Rules::new(3).ping_limit(150.0);
    let mut sums = [0; 4];
    for seed in 0..6 {
        let round = crowded(30, 180, &mut ChaCha8Rng::seed_from_u64(seed));
        let open = (round.running().iter())
            .filter(|running| running.open(3) != [0, 0])
            .count();
        let search = LobbySearch::new(&round, &rules).fill(Fill::Possible);
        let at_once = search.clone().work(0).run()?;
        assert_eq!((at_once.stop, at_once.verify(&round, &rules)), (Stop::Work, Ok(())));
        let first = filled(&at_once, &round);
        assert_eq!(first.len() + at_once.short.len(), open);
        assert!(10 * first.len() >= 9 * open, "{seed}: {} of {open}", first.len());
        sums[0] += first.len();
        for (work, sum) in [300, 5_000, 60_000].into_iter().zip(&mut sums[1..]) {
            let lobby = search.clone().work(work).run()?;
            assert_eq!(lobby.verify(&round, &rules), Ok(()), "{seed}, {work}");
            let now = filled(&lobby, &round);
            assert!(is_as_good(&now, &first), "{seed}, {work}: {now:?} {first:?}");
            *sum += now.len();
        }
        // New matches follow, of those who are left.
        assert!(
            at_once.matches.iter().filter(|one| one.running.is_none()).count() > 5,
            "{seed}"
        );
    }
    assert!(sums.is_sorted(), "{sums:?}");
    Ok(())
}

/// First fit was for rounds in which matches run already. Without any, searches for half as many new ones each had half of what was left,
/// and half of those who could play waited.
#[test]
fn new_matches_within_limits_are_there_whatever_is_left_to_search_with() -> Result<(), Error> {
    // Islands, each of which has players for so many matches and some more.
    let sizes = [40, 33, 19, 9, 5];
    let island: Vec<usize> = (0..sizes.len()).flat_map(|at| vec![at; sizes[at]]).collect();
    let n = island.len();
    let most: usize = sizes.iter().map(|size| size / 6).sum();
    let rules = Rules::new(3).ping_limit(100.0);
    for seed in 0..4 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let players = (0..n).map(|i| Player::new(format!("p{i}"), rng.random_range(0.0..18_000.0)));
        let players = players.collect();
        let pings = SymmetricMatrix::from_fn(n, |i, j| if island[i] == island[j] { 40.0 } else { 300.0 });
        let round = Round::new(players, pings, SymmetricMatrix::from_fn(n, |_, _| true))?;
        let search = LobbySearch::new(&round, &rules).seed(seed);
        let fewer = search.clone().fill(Fill::Possible);
        let mut scores = Vec::new();
        for work in [0, 300, 20_000] {
            let lobby = fewer.clone().work(work).run()?;
            assert_eq!(lobby.verify(&round, &rules), Ok(()), "{seed}, {work}");
            assert_eq!(lobby.matches.len(), most, "{seed}, {work}");
            scores.push(lobby.breakdown.total);
        }
        // What is left goes into better ones.
        assert!(scores.is_sorted() && scores[2] > scores[0] + 0.01, "{seed}: {scores:?}");
        let at_once = fewer.clone().time(Duration::ZERO).run()?;
        assert_eq!((at_once.matches.len(), at_once.verify(&round, &rules)), (most, Ok(())));
        // All are asked for, and some cannot be.
        let all = search.work(300).run().map(|lobby| lobby.matches.len());
        assert!(matches!(all, Err(Error::OutOfReach { .. })), "{all:?}");
    }
    Ok(())
}

/// Whether some of these parties fill what is open in both teams, by trying who goes where.
fn is_filled_by(round: &Round, rules: &Rules, teams: &mut [Vec<usize>; 2], parties: &[Vec<usize>]) -> bool {
    let size = rules.team_size();
    if teams.iter().all(|team| team.len() == size) {
        let all = teams.concat();
        let hosts = |i: usize| all.iter().all(|&j| i == j || round.can_connect(i, j));
        return *rules == rules.clone().server_rule(ServerRule::Scored) || all.iter().any(|&i| hosts(i));
    }
    let Some((party, others)) = parties.split_first() else {
        return false;
    };
    let all = teams.concat();
    let is_near = |i: usize, j: usize| {
        let limit = rules.ping_limit_between(round, i, j);
        limit.is_none_or(|limit| round.ping_ms(i, j) <= limit)
    };
    let may_meet = |&i: &usize, j: usize| i == j || is_near(i, j) && round.may_meet(i, j);
    let is_allowed = party.iter().all(|i| all.iter().chain(party).all(|&j| may_meet(i, j)));
    for side in 0..2 {
        if is_allowed && teams[side].len() + party.len() <= size {
            teams[side].extend(party);
            if is_filled_by(round, rules, teams, others) {
                return true;
            }
            let left = teams[side].len() - party.len();
            teams[side].truncate(left);
        }
    }
    is_filled_by(round, rules, teams, others)
}

/// What is left open nobody who waits fills: by force, in rounds with everything that limits who may be with whom. And no match is said
/// to be within nobody's limits that somebody fills.
#[test]
fn nobody_waits_who_fills_a_match_that_is_left() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(81);
    let (mut short, mut taken, mut hopeless) = (0, 0, 0);
    for number in 0..150 {
        let team_size = 1 + number % 4;
        let teams: Vec<[usize; 2]> = (0..4)
            .map(|_| [rng.random_range(1..=team_size), rng.random_range(0..team_size)])
            .collect();
        let waiting = sizes(3 * team_size, team_size.min(3), &mut rng);
        let round = beside_running(&teams, &waiting, &mut rng);
        let pairs = (0..round.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let apart = pairs.filter(|&(i, j)| round.party_of(i) != round.party_of(j) && rng.random_bool(0.1));
        let apart: Vec<(usize, usize)> = apart.collect();
        let round = round.with_avoided(apart)?;
        let rules = Rules::new(team_size).ping_limit(460.0).ping_growth(15.0);
        let rules = if number % 3 == 0 {
            rules.server_rule(ServerRule::Required)
        } else {
            rules
        };
        let search = LobbySearch::new(&round, &rules)
            .fill(Fill::Possible)
            .seed(number as u64);
        let lobby = search.work(0).run()?;
        assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
        let parties = |is_in: &dyn Fn(usize) -> bool| -> Vec<Vec<usize>> {
            let parties = round
                .parties()
                .iter()
                .filter(|party| round.running_of(party[0]).is_none());
            parties.filter(|party| is_in(party[0])).cloned().collect()
        };
        let waiting = parties(&|player| lobby.waiting.contains(&player));
        for one in &lobby.short {
            let running = &round.running()[one.running];
            let mut teams = [Side::Red, Side::Blue].map(|side| running.team(side).to_vec());
            assert!(
                !is_filled_by(&round, &rules, &mut teams.clone(), &waiting),
                "round {number}: {one:?}"
            );
            short += 1;
            // Nothing can be proven of it beside others without a search: it is of it alone.
            if one.why == Why::Limits && one.running == 0 {
                assert!(
                    !is_filled_by(&round, &rules, &mut teams, &parties(&|_| true)),
                    "round {number}"
                );
                hopeless += 1;
            }
        }
        taken += filled(&lobby, &round).len();
    }
    assert!(short > 100 && taken > 100 && hopeless > 5, "{short} {taken} {hopeless}");
    Ok(())
}

/// With more to search with the answer is no worse: not in which matches are filled, and beside these not in how many there are.
#[test]
fn an_answer_is_no_worse_than_where_it_began() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(82);
    let (mut more, mut fewer) = (0, 0);
    for number in 0..60 {
        let teams: Vec<[usize; 2]> = (0..6).map(|_| [rng.random_range(0..2), 2]).collect();
        let round = beside_running(&teams, &sizes(16, 2, &mut rng), &mut rng);
        let pairs = (0..round.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let apart = pairs.filter(|&(i, j)| round.party_of(i) != round.party_of(j) && rng.random_bool(0.25));
        let apart: Vec<(usize, usize)> = apart.collect();
        let round = round.with_avoided(apart)?;
        let objective = [Objective::Mean, Objective::MinThenMean { sharpness: 64.0 }][number % 2];
        let rules = Rules::new(2).objective(objective);
        let engine = Engine::ALL[number % Engine::ALL.len()];
        let search = || LobbySearch::new(&round, &rules).fill(Fill::Possible).engine(engine);
        let first = search().work(0).run()?;
        let lobby = search().work(6_000).run()?;
        assert_eq!(lobby.verify(&round, &rules), Ok(()), "round {number}");
        let (before, now) = (filled(&first, &round), filled(&lobby, &round));
        assert!(is_as_good(&now, &before), "round {number}: {now:?} {before:?}");
        if now == before {
            assert!(lobby.matches.len() >= first.matches.len(), "round {number}");
        } else {
            more += 1;
        }
        // One that is found has those behind it filled again at once, also where no more is left to search with.
        let lobby_of_little = search().work(2_500).run()?;
        let little = filled(&lobby_of_little, &round);
        assert!(is_as_good(&little, &before), "round {number}: {little:?} {before:?}");
        fewer += usize::from(little.len() < before.len());
        if number % 6 == 0 {
            let threads = |count: usize| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(count)
                    .build()
                    .expect("threads")
            };
            for count in [1, 3] {
                let again = threads(count).install(|| search().work(6_000).run())?;
                assert_eq!(
                    (&again.matches, again.work),
                    (&lobby.matches, lobby.work),
                    "round {number}, {count}"
                );
            }
        }
        // Whoever cancels has no less than that, and is told so.
        let token = CancelToken::new();
        token.cancel();
        let cut = search().budget(Budget::new().cancel(token)).run()?;
        assert_eq!(
            (cut.stop, cut.verify(&round, &rules)),
            (Stop::Cancelled, Ok(())),
            "round {number}"
        );
    }
    // In these rounds nobody who comes to an earlier match costs another one.
    assert!(more > 3 && fewer == 0, "{more} {fewer}");
    Ok(())
}

/// Where there have to be as many new matches as can be, what is filled is no answer.
#[test]
fn matches_that_have_to_be_are_not_left_out() {
    let rules = Rules::new(3).ping_limit(150.0);
    let round = crowded(30, 180, &mut ChaCha8Rng::seed_from_u64(0));
    let found = LobbySearch::new(&round, &rules).work(20_000).run();
    let Err(Error::NoneWithinLimits { is_proven: false, .. }) = found else {
        panic!("{:?}", found.map(|lobby| lobby.matches.len()));
    };
}
