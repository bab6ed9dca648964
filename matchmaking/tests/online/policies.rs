//! Every policy gives the games that its words ask for.

use matchmaking::online::{
    Account, Arrivals, Error, MultiQueue as Queues, Pattern, PolicyKind, Ranges, Setting, optimum, simulate,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::naive::{self, DifferenceWait, Greedy, MultiQueue, Periodic, Rule, Threshold};
use crate::support::{assert_served, listed, log, play, recount};

/// Compares a policy with its words on logs with and without ties, sparse and dense.
fn compare(setting: &Setting, kind: PolicyKind, mut rule: impl Rule, seed: u64) {
    for (position, rate) in [0.2, 0.7, 2.0, 6.0].into_iter().enumerate() {
        for has_ties in [false, true] {
            let arrivals = log(150, setting.criteria(), rate, has_ties, seed * 8 + position as u64);
            let games = listed(&play(setting, kind, &arrivals));
            let expected = naive::serve(&mut rule, &arrivals);
            if let Some(first) = (0..games.len().min(expected.len())).find(|&game| games[game] != expected[game]) {
                panic!(
                    "{kind} seed {seed} rate {rate} ties {has_ties}: {:?} {:?}",
                    games[first], expected[first]
                );
            }
            assert_eq!(games.len(), expected.len());
            assert_served(setting, &arrivals, &games);
            let account = Account::new(setting, &arrivals, &play(setting, kind, &arrivals)).expect("a matching");
            let total = recount(setting, &arrivals, &games);
            assert!(
                (account.total() - total).abs() < 1e-9 * total.max(1.0),
                "{} {total}",
                account.total()
            );
        }
    }
}

#[test]
fn games_of_any_size_by_any_number_of_criteria() -> Result<(), Error> {
    for seed in 0..4 {
        for players in 2..=5 {
            for criteria in 1..=2 {
                let setting = Setting::new(players, 4.0, criteria)?;
                compare(&setting, PolicyKind::Greedy, Greedy(&setting), seed);
                for ranges in [1, 3, 6] {
                    let rule = MultiQueue(&setting, vec![ranges; criteria]);
                    compare(&setting, PolicyKind::MultiQueue(Some(ranges)), rule, seed);
                }
                if criteria == 1 {
                    for games in [1, 2, 5] {
                        let rule = Periodic(&setting, games);
                        compare(&setting, PolicyKind::Periodic(Some(games)), rule, seed);
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn games_of_two_by_one_criterion() -> Result<(), Error> {
    for seed in 0..12 {
        let setting = Setting::with_weights(2, 4.0, vec![1.5])?;
        for factor in [0.0, 1.0, 4.0, 30.0] {
            let rule = DifferenceWait(&setting, factor);
            compare(&setting, PolicyKind::DifferenceWait(factor), rule, seed);
        }
        for (base, growth) in [(0.0, 0.5), (0.4, 0.3), (0.1, 3.0)] {
            let rule = Threshold {
                setting: &setting,
                base,
                growth,
            };
            compare(&setting, PolicyKind::Threshold { base, growth }, rule, seed);
        }
    }
    Ok(())
}

/// Figure 1 of the paper: each criterion has ranges of its own.
#[test]
fn queues_by_ranges_of_each_criterion() -> Result<(), Error> {
    for seed in 0..4 {
        for players in 2..=5 {
            for ranges in [
                &[1, 1][..],
                &[3, 1],
                &[1, 4],
                &[2, 5],
                &[7, 3],
                &[2, 1, 3],
                &[1, 1, 6],
                &[4, 2, 2],
            ] {
                let weights = (0..ranges.len()).map(|criterion| 0.5 + criterion as f64);
                let setting = Setting::with_weights(players, 4.0, weights.collect())?;
                let kind = PolicyKind::MultiQueueRanges(Ranges::new(ranges)?);
                compare(&setting, kind, MultiQueue(&setting, ranges.to_vec()), seed);
            }
        }
    }
    Ok(())
}

/// One number for all criteria is a list of it.
#[test]
fn equal_ranges_are_one_number() -> Result<(), Error> {
    for (criteria, ranges) in [(1, 5), (2, 1), (2, 4), (3, 3)] {
        let setting = Setting::new(2, 4.0, criteria)?;
        for seed in 0..4 {
            let arrivals = log(300, criteria, 3.0, seed % 2 == 1, seed);
            let one = play(&setting, PolicyKind::MultiQueue(Some(ranges)), &arrivals);
            let policy = Queues::by_criterion(&setting, &vec![ranges; criteria])?;
            assert_eq!(simulate(&setting, policy, &arrivals)?, one, "{criteria} {ranges}");
            if let Ok(list) = Ranges::new(&vec![ranges; criteria]) {
                assert_eq!(play(&setting, PolicyKind::MultiQueueRanges(list), &arrivals), one);
            }
        }
    }
    Ok(())
}

/// Criteria that count more are cut finer. One number for all cost nearly twice as much as it had to.
#[test]
fn adaptive_ranges_follow_the_weight_of_each_criterion() -> Result<(), Error> {
    let arrivals = Pattern::Constant(10.0).arrivals(20_000, 2, 6)?;
    let cost = |setting: &Setting, kind| {
        Account::new(setting, &arrivals, &play(setting, kind, &arrivals)).map(|account| account.per_game())
    };
    let lists = |most: usize| (1..=most).flat_map(move |m| (1..=most).map(move |n| [m, n]));
    let setting = Setting::with_weights(2, 5.0, vec![19.0, 1.0])?;
    let mut best_equal = f64::INFINITY;
    for ranges in 1..=12 {
        best_equal = best_equal.min(cost(&setting, PolicyKind::MultiQueue(Some(ranges)))?);
    }
    let by_hand = cost(&setting, "multi-queue:18x1".parse()?)?;
    assert!((best_equal / 2.0 - 1.0).abs() < 0.03, "{best_equal}");
    assert!((by_hand / 1.08 - 1.0).abs() < 0.03, "{by_hand}");
    assert!(cost(&setting, PolicyKind::MultiQueue(None))? < 1.05 * by_hand);
    for (players, weights) in [(2, [3.0, 1.0]), (2, [0.2, 40.0]), (3, [9.0, 3.0]), (2, [1.0, 0.0])] {
        let setting = Setting::with_weights(players, 5.0, weights.to_vec())?;
        let mut best = f64::INFINITY;
        for ranges in lists(6).chain((7..=30).flat_map(|ranges| [[ranges, 1], [1, ranges]])) {
            best = best.min(cost(&setting, PolicyKind::MultiQueueRanges(Ranges::new(&ranges)?))?);
        }
        let adaptive = cost(&setting, PolicyKind::MultiQueue(None))?;
        assert!(adaptive < 1.1 * best, "{players} {weights:?}: {adaptive}, best {best}");
    }
    Ok(())
}

/// All come at once, or nearly so.
fn crowd(count: usize, seed: u64) -> Arrivals {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let values: Vec<[f64; 1]> = (0..count)
        .map(|i| match seed % 4 {
            0 => [rng.random()],
            // In order, in reverse, and some of them equal.
            1 => [i as f64 / count as f64],
            2 => [1.0 - i as f64 / count as f64],
            _ => [f64::from(rng.random_range(0..60_u8)) / 60.0],
        })
        .collect();
    let time = |i: usize| {
        if seed.is_multiple_of(3) {
            (i / 50) as f64 * 0.01
        } else {
            0.0
        }
    };
    let rows = values.iter().enumerate();
    Arrivals::new(1, rows.map(|(i, row)| (time(i), &row[..]))).expect("sorted arrivals")
}

/// `A_DW` where a crowd waits. Whoever found no partner looked at everybody, which is every other player there.
#[test]
fn crowds_are_served_by_difference_and_wait() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    for seed in 0..12 {
        let arrivals = crowd(120, seed);
        for factor in [0.5, 4.0, 30.0] {
            let games = listed(&play(&setting, PolicyKind::DifferenceWait(factor), &arrivals));
            let expected = naive::serve(&mut DifferenceWait(&setting, factor), &arrivals);
            assert_eq!(games, expected, "seed {seed}, factor {factor}");
        }
    }
    for seed in [1, 2, 4] {
        let arrivals = crowd(20_000, seed);
        let games = listed(&play(&setting, PolicyKind::DifferenceWait(4.0), &arrivals));
        assert_served(&setting, &arrivals, &games);
    }
    Ok(())
}

/// Without ties, since bisection and Newton's method round differently.
#[test]
fn slack_is_its_formula() -> Result<(), Error> {
    for (seed, rate) in [(1, 0.2), (2, 0.7), (3, 2.0), (4, 6.0), (5, 1.0), (6, 3.0)] {
        let setting = Setting::with_weights(2, 4.0, vec![[2.0, 0.5][seed as usize % 2]])?;
        let arrivals = log(400, 1, rate, false, seed);
        let games = listed(&play(&setting, PolicyKind::Slack, &arrivals));
        let expected = naive::serve(&mut naive::Slack::new(&setting), &arrivals);
        assert_served(&setting, &arrivals, &games);
        assert_eq!(games.len(), expected.len());
        for (game, other) in games.iter().zip(&expected) {
            assert!(
                game.1 == other.1 && (game.0 - other.0).abs() < 1e-6,
                "rate {rate}: {game:?} {other:?}"
            );
        }
    }
    Ok(())
}

/// The paper: the smallest parameter values make a greedy algorithm of the three others.
#[test]
fn smallest_parameters_are_greedy() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(2.0).arrivals(500, 1, 9)?;
    let greedy = play(&setting, PolicyKind::Greedy, &arrivals);
    let others = [
        PolicyKind::Periodic(Some(1)),
        PolicyKind::MultiQueue(Some(1)),
        PolicyKind::DifferenceWait(0.0),
    ];
    for kind in others {
        assert_eq!(play(&setting, kind, &arrivals), greedy, "{kind}");
    }
    Ok(())
}

/// Periods of more games than there are players to count: they end when somebody has waited long enough, or never.
#[test]
fn no_longest_wait_to_speak_of_is_no_number_too_large() -> Result<(), Error> {
    for (tau_max, times) in [(1e30, [0.0; 6]), (f64::MAX, [-f64::MAX, -1.0, 0.0, 0.0, 1.0, f64::MAX])] {
        let setting = Setting::new(2, tau_max, 1)?;
        let arrivals = Arrivals::new(1, times.iter().map(|&time| (time, &[0.5][..])))?;
        assert_served(
            &setting,
            &arrivals,
            &listed(&play(&setting, PolicyKind::Periodic(None), &arrivals)),
        );
    }
    Ok(())
}

/// The end of a wait was infinite where no float is as great, and games at such a time did not pass their check.
#[test]
fn waits_that_end_later_than_any_float_end_with_the_last_one() -> Result<(), Error> {
    for tau_max in [1.7e308, f64::MAX] {
        let setting = Setting::new(2, tau_max, 1)?;
        for times in [
            vec![-1e308, 1e308],
            vec![1e308; 3],
            vec![f64::MAX],
            vec![-1e308, 1e308, 1e308, 1.2e308],
        ] {
            let rows = times.iter().enumerate();
            let criteria: Vec<[f64; 1]> = rows.map(|(i, _)| [[0.1, 0.9, 0.5, 0.3][i]]).collect();
            let arrivals = Arrivals::new(1, times.iter().copied().zip(criteria.iter().map(|row| &row[..])))?;
            for kind in all_kinds() {
                assert_served(&setting, &arrivals, &listed(&play(&setting, kind, &arrivals)));
            }
            // Its bound would count a wait that does not fit.
            let best = optimum(&setting, &arrivals);
            assert!(matches!(best, Err(Error::CoarseTimes { .. })), "{best:?}");
        }
    }
    Ok(())
}

fn all_kinds() -> Vec<PolicyKind> {
    let names = "greedy periodic:3 periodic:auto multi-queue:4 multi-queue:auto difference-wait:3 threshold:0.2,0.5 \
                 ticks:0.7 ticks:20 slack";
    names.split_whitespace().map(|name| name.parse().expect(name)).collect()
}

#[test]
fn nobody_beats_the_optimum_and_everybody_is_served() -> Result<(), Error> {
    let setting = Setting::new(2, 4.0, 1)?;
    for seed in 0..10 {
        for rate in [0.2, 1.0, 5.0] {
            let arrivals = log(120, 1, rate, seed % 2 == 1, seed);
            let best = optimum(&setting, &arrivals)?;
            for kind in all_kinds() {
                let games = play(&setting, kind, &arrivals);
                assert_served(&setting, &arrivals, &listed(&games));
                let total = Account::new(&setting, &arrivals, &games)?.total();
                assert!(best.bound <= total + best.tolerance, "{kind} {total} {}", best.bound);
            }
        }
    }
    Ok(())
}

/// The mean of formula (5) at x = 4, and of (7) at r = 6, which the paper's simulation confirms.
#[test]
fn published_costs_at_rate_10() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(10.0).arrivals(60_000, 1, 5)?;
    for (kind, published) in [
        (PolicyKind::Periodic(Some(4)), 0.362),
        (PolicyKind::MultiQueue(Some(6)), 0.231),
    ] {
        let cost = Account::new(&setting, &arrivals, &play(&setting, kind, &arrivals))?.per_game();
        assert!((cost / published - 1.0).abs() < 0.01, "{kind} {cost}");
    }
    Ok(())
}

/// At a steady rate the adaptive ones do about as well as the best fixed ones.
#[test]
fn adaptive_parameters_follow_the_rate() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    for (rate, games, ranges) in [(3.0, 2, 3), (10.0, 4, 6)] {
        let arrivals = Pattern::Constant(rate).arrivals(20_000, 1, 6)?;
        let cost = |kind| {
            Account::new(&setting, &arrivals, &play(&setting, kind, &arrivals)).map(|account| account.per_game())
        };
        let periodic = cost(PolicyKind::Periodic(None))? / cost(PolicyKind::Periodic(Some(games)))?;
        let queues = cost(PolicyKind::MultiQueue(None))? / cost(PolicyKind::MultiQueue(Some(ranges)))?;
        assert!(
            (0.95..1.05).contains(&periodic) && (0.95..1.05).contains(&queues),
            "{periodic} {queues}"
        );
    }
    Ok(())
}

/// Formulas (6) and (9) are for weights that add up to k. With others the adaptive ones took the same parameters, and at a weight
/// of 200 cost up to four times as much as they had to.
#[test]
fn adaptive_parameters_follow_the_weights() -> Result<(), Error> {
    let arrivals = Pattern::Constant(10.0).arrivals(20_000, 1, 6)?;
    for (players, weight) in [(2, 0.1), (2, 20.0), (2, 200.0), (3, 0.2), (3, 60.0)] {
        let setting = Setting::with_weights(players, 5.0, vec![weight])?;
        let cost = |kind| {
            Account::new(&setting, &arrivals, &play(&setting, kind, &arrivals)).map(|account| account.per_game())
        };
        let kinds: [fn(Option<usize>) -> PolicyKind; 2] = [PolicyKind::Periodic, PolicyKind::MultiQueue];
        for kind in kinds {
            let mut best = f64::INFINITY;
            for parameter in 1..=45 {
                best = best.min(cost(kind(Some(parameter)))?);
            }
            let adaptive = cost(kind(None))?;
            assert!(
                adaptive < 1.1 * best,
                "{} {players} {weight}: {adaptive}, best {best}",
                kind(None)
            );
        }
    }
    // Where criteria do not count, nobody waits for others, however long he could.
    for tau_max in [5.0, f64::MAX] {
        let setting = Setting::with_weights(2, tau_max, vec![0.0])?;
        let arrivals = Pattern::Constant(10.0).arrivals(200, 1, 6)?;
        for kind in [PolicyKind::Periodic(None), PolicyKind::MultiQueue(None)] {
            let greedy = play(&setting, PolicyKind::Greedy, &arrivals);
            assert_eq!(play(&setting, kind, &arrivals), greedy, "{kind} {tau_max}");
        }
    }
    // Two criteria: what counts is the sum of their weights.
    let arrivals = Pattern::Constant(10.0).arrivals(20_000, 2, 6)?;
    let setting = Setting::with_weights(2, 5.0, vec![100.0, 100.0])?;
    let cost =
        |kind| Account::new(&setting, &arrivals, &play(&setting, kind, &arrivals)).map(|account| account.per_game());
    let mut best = f64::INFINITY;
    for ranges in 1..=25 {
        best = best.min(cost(PolicyKind::MultiQueue(Some(ranges)))?);
    }
    assert!(cost(PolicyKind::MultiQueue(None))? < 1.1 * best);
    Ok(())
}

/// Ticks: the least of what all pairings cost, where an odd one out pays for the wait so far.
#[test]
fn a_tick_is_the_best_of_all_pairings() -> Result<(), Error> {
    fn least(cost: &dyn Fn(usize, usize) -> f64, stay: &dyn Fn(usize) -> f64, left: &[usize]) -> f64 {
        let Some((&first, others)) = left.split_first() else {
            return 0.0;
        };
        let without = |other: usize| -> Vec<usize> { others.iter().copied().filter(|&i| i != other).collect() };
        let paired = others
            .iter()
            .map(|&other| cost(first, other) + least(cost, stay, &without(other)));
        let stays = (left.len() % 2 == 1).then(|| stay(first) + least(cost, &|_| f64::INFINITY, others));
        paired.chain(stays).fold(f64::INFINITY, f64::min)
    }
    for (seed, weights) in (0..200).zip([vec![2.0], vec![0.3, 0.9], vec![1e-3], vec![40.0, 0.0]].iter().cycle()) {
        let setting = Setting::with_weights(2, 10.0, weights.clone())?;
        let arrivals = log(3 + seed as usize % 5, weights.len(), 3.0, seed % 2 == 0, seed);
        let tick = arrivals.times()[0] + 8.0;
        let games = play(&setting, PolicyKind::Ticks(8.0), &arrivals);
        let difference = |i: usize, j: usize| {
            let criteria = arrivals.criteria(i).iter().zip(arrivals.criteria(j));
            weights
                .iter()
                .zip(criteria)
                .map(|(weight, (a, b))| weight * (a - b).abs())
                .sum::<f64>()
        };
        let stay = |i: usize| (tick - arrivals.times()[i]) / setting.tau_max();
        assert!(stay(arrivals.len() - 1) > 0.0, "all come before the tick");
        let found: f64 = games
            .iter()
            .map(|game| match *game.players {
                [i, j] if game.time == tick => difference(i as usize, j as usize),
                [i] => stay(i as usize),
                _ => f64::NAN,
            })
            .sum();
        let everybody: Vec<usize> = (0..arrivals.len()).collect();
        let best = least(&difference, &stay, &everybody);
        assert!((found - best).abs() < 1e-6, "seed {seed}: {found}, least {best}");
    }
    Ok(())
}

/// Who came at 0.4 came 3.0000000000000004 intervals of 0.1 after 0.1, and the third tick was skipped for everybody.
#[test]
fn whoever_comes_with_a_tick_is_paired_at_it() -> Result<(), Error> {
    let setting = Setting::new(2, 100.0, 1)?;
    for interval in [0.1, 0.2, 0.3, 0.7, 1.5] {
        for (first, ticks) in (0..100).flat_map(|first| (1..50).map(move |ticks| (first, ticks))) {
            // Times as a log has them: the floats nearest to decimals.
            let decimal = |time: f64| (time * 1e6).round() / 1e6;
            let start = f64::from(first) / 10.0;
            let tick = decimal(start + f64::from(ticks) * interval);
            let times = [start, decimal(tick - interval / 2.0), tick];
            let rows = times.into_iter().zip([&[0.1][..], &[0.9], &[0.2]]);
            let arrivals = Arrivals::new(1, rows)?;
            let games = listed(&play(&setting, PolicyKind::Ticks(interval), &arrivals));
            let (time, players) = &games[0];
            assert!(
                *players == [0, 2] && (time - tick).abs() < 1e-9,
                "{start} and {ticks} of {interval}: {games:?}"
            );
        }
    }
    Ok(())
}
