//! The optimum of games of three and four against all ways to form games.

use std::time::Duration;

use matching_core::{Budget, CancelToken, StopReason};
use matchmaking::online::{
    Account, Arrivals, Error, Games, PolicyKind, Setting, group_optimum, group_optimum_within, optimum,
};

use crate::support::{assert_served, listed, log, play, recount};

/// The least cost over all ways to form games of those who are left: the first plays with some of the others.
fn exhaustive(setting: &Setting, arrivals: &Arrivals, left: &[u32]) -> f64 {
    let Some((&first, others)) = left.split_first() else {
        return 0.0;
    };
    let mut best = f64::INFINITY;
    for chosen in 0_u32..1 << others.len() {
        if chosen.count_ones() as usize >= setting.players() {
            continue;
        }
        let is_chosen = |position: usize| chosen >> position & 1 == 1;
        let mut game = vec![first];
        game.extend(
            (0..others.len())
                .filter(|&position| is_chosen(position))
                .map(|position| others[position]),
        );
        let rest: Vec<u32> = (0..others.len())
            .filter(|&position| !is_chosen(position))
            .map(|position| others[position])
            .collect();
        let last = arrivals.times()[game[game.len() - 1] as usize];
        let over = arrivals.times()[first as usize] + setting.tau_max();
        if last <= over {
            let start = if game.len() == setting.players() { last } else { over };
            best = best.min(recount(setting, arrivals, &[(start, game)]) + exhaustive(setting, arrivals, &rest));
        }
    }
    best
}

#[test]
fn as_good_as_the_best_of_all_games() -> Result<(), Error> {
    for seed in 0..18 {
        let (players, criteria) = (2 + seed as usize % 3, 1 + seed as usize % 2);
        let arrivals = log(
            3 + seed as usize % 6,
            criteria,
            [0.4, 1.0, 4.0][seed as usize % 3],
            seed % 4 == 0,
            seed,
        );
        let setting = Setting::new(players, 2.0, criteria)?;
        let everybody: Vec<u32> = (0..arrivals.len() as u32).collect();
        let expected = exhaustive(&setting, &arrivals, &everybody);
        let best = group_optimum(&setting, &arrivals, 100_000_000)?;
        let games = listed(&best.games);
        assert_served(&setting, &arrivals, &games);
        let total = recount(&setting, &arrivals, &games);
        assert!(
            (total - expected).abs() < 1e-6 && (best.bound - expected).abs() < 1e-6,
            "{seed}: {total} {expected}"
        );
        if players == 2 {
            assert!((optimum(&setting, &arrivals)?.bound - expected).abs() < 1e-6);
        }
    }
    Ok(())
}

/// In floats -99 + 3.3 is less than -95.69999999999999, the time of who comes as the wait of the first ends: the game of
/// the two, with a bot, was said to start before the second came, and did not pass its check.
#[test]
fn nobody_plays_before_arriving_where_the_longest_wait_is_rounded() -> Result<(), Error> {
    let rows = [(-99.0, &[0.5][..]), (-95.699_999_999_999_99, &[0.25])];
    let arrivals = Arrivals::new(1, rows)?;
    let setting = Setting::new(3, 3.3, 1)?;
    assert!(-99.0 + setting.tau_max() < arrivals.times()[1]);
    let best = group_optimum(&setting, &arrivals, 1_000_000)?;
    let account = Account::new(&setting, &arrivals, &best.games)?;
    assert_eq!((account.bot_games, account.games.len()), (1, 1));
    assert!((account.total() - 5.0).abs() < 1e-6, "{account:?}");

    // Where no float is as great as the sum, that is said.
    let setting = Setting::new(3, 1.7e308, 1)?;
    let arrivals = Arrivals::new(1, [(1e308, &[0.5][..])])?;
    let best = group_optimum(&setting, &arrivals, 1_000_000);
    assert!(matches!(best, Err(Error::CoarseTimes { .. })), "{best:?}");
    Ok(())
}

/// Where the linear programs stop a few units short of a proof, the limit of work was blamed.
#[test]
fn no_limit_is_blamed_for_what_rounding_did() -> Result<(), Error> {
    let setting = Setting::with_weights(4, 60.0, vec![0.001, 50.0])?;
    let rows: [(f64, [f64; 2]); 8] = [
        (15.0, [0.0, 0.0]),
        (45.0, [0.0, 0.0]),
        (60.0, [0.75, 1.0]),
        (60.0, [1.0, 0.0]),
        (75.0, [0.5, 0.25]),
        (120.0, [0.25, 0.0]),
        (120.0, [0.0, 0.25]),
        (180.0, [0.5, 0.5]),
    ];
    let arrivals = Arrivals::new(2, rows.iter().map(|(time, criteria)| (*time, &criteria[..])))?;
    let best = group_optimum(&setting, &arrivals, 1_000_000_000)?;
    let total = Account::new(&setting, &arrivals, &best.games)?.total();
    let everybody: Vec<u32> = (0..8).collect();
    assert!((total - exhaustive(&setting, &arrivals, &everybody)).abs() < 1e-6);
    assert!(
        !best.out_of_work && (best.bound - total).abs() < 1e-6,
        "{total} {best:?}"
    );
    Ok(())
}

#[test]
fn little_work_gives_a_bracket() -> Result<(), Error> {
    let setting = Setting::new(3, 2.0, 1)?;
    let arrivals = log(24, 1, 5.0, false, 2);
    let (brief, long) = (
        group_optimum(&setting, &arrivals, 0)?,
        group_optimum(&setting, &arrivals, 50_000_000)?,
    );
    let total = |games: &Games| Account::new(&setting, &arrivals, games).map(|account| account.total());
    assert!(brief.out_of_work, "{brief:?}");
    assert!(brief.bound <= long.bound + long.tolerance && long.bound <= total(&long.games)? + long.tolerance);
    assert!(total(&long.games)? <= total(&brief.games)? + long.tolerance);
    for kind in [
        PolicyKind::Greedy,
        PolicyKind::MultiQueue(Some(2)),
        PolicyKind::Periodic(None),
    ] {
        assert!(
            long.bound <= total(&play(&setting, kind, &arrivals))? + long.tolerance,
            "{kind}"
        );
    }
    Ok(())
}

/// The grid was as fine for any log, so that totals of more than 1,024 arrivals without a pause did not fit: they were refused, unless a
/// limit came before the solver saw that.
#[test]
fn long_logs_without_a_pause_have_a_bracket() -> Result<(), Error> {
    let setting = Setting::new(3, 2.000_02, 1)?;
    let early = log(1_100, 1, 50.0, false, 4);
    // Far from 0, where times are multiples of 2⁻¹⁵, whoever plays with bots waits for longer than that.
    let shifted = early.times().iter().map(|time| time + 2.5e11);
    let rows = shifted.enumerate().map(|(i, time)| (time, early.criteria(i)));
    for arrivals in [Arrivals::new(1, rows)?, early.clone()] {
        let found = group_optimum(&setting, &arrivals, 1_000)?;
        assert_eq!(found.stop, Some(StopReason::WorkLimit));
        let total = Account::new(&setting, &arrivals, &found.games)?.total();
        let greedy = play(&setting, PolicyKind::Greedy, &arrivals);
        let least = total.min(Account::new(&setting, &arrivals, &greedy)?.total());
        assert!(
            found.bound <= least + found.tolerance && found.tolerance < 1e-5 * total,
            "{total} {}",
            found.bound
        );
    }
    Ok(())
}

/// By parts of games all games could be full ones: whoever had to play with bots was found out by trying for hours.
#[test]
fn who_must_play_with_bots_is_known_at_once() -> Result<(), Error> {
    for (players, arrivals) in [(3, 20), (3, 40), (4, 30), (6, 20)] {
        let arrivals = log(arrivals, 1, 3.0, false, 1);
        let setting = Setting::new(players, 5.0, 1)?;
        let best = group_optimum(&setting, &arrivals, 50_000_000)?;
        let total = Account::new(&setting, &arrivals, &best.games)?.total();
        assert_eq!(best.stop, None);
        assert!((best.bound - total).abs() < 1e-6, "{players}: {total} {}", best.bound);
    }
    Ok(())
}

/// Nothing was known of them, and they had the games of the greedy policy.
#[test]
fn long_logs_are_played_in_windows() -> Result<(), Error> {
    let setting = Setting::new(4, 5.0, 1)?;
    let arrivals = log(300, 1, 6.0, false, 3);
    let greedy = play(&setting, PolicyKind::Greedy, &arrivals);
    let greedy = Account::new(&setting, &arrivals, &greedy)?.total();
    let found = group_optimum(&setting, &arrivals, 100_000_000)?;
    let games = listed(&found.games);
    assert_served(&setting, &arrivals, &games);
    let total = recount(&setting, &arrivals, &games);
    assert!(
        total < 0.5 * greedy && found.bound > 0.25 * total,
        "{} {total} {greedy}",
        found.bound
    );
    assert_eq!(found, group_optimum(&setting, &arrivals, 100_000_000)?);
    Ok(())
}

#[test]
fn a_budget_counts_work_by_part_and_time_for_all() -> Result<(), Error> {
    let arrivals = log(24, 1, 2.0, false, 5);
    let setting = Setting::new(3, 2.0, 1)?;
    for work in [0, 3_000, 1 << 40] {
        let within = group_optimum_within(&setting, &arrivals, &Budget::new().work(work))?;
        assert_eq!(within, group_optimum(&setting, &arrivals, work)?);
        assert_eq!(within.out_of_work, within.stop == Some(StopReason::WorkLimit));
    }
    let token = CancelToken::new();
    token.cancel();
    for (budget, reason) in [
        (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
        (Budget::new().cancel(token), StopReason::Cancelled),
    ] {
        let found = group_optimum_within(&setting, &arrivals, &budget)?;
        assert_eq!((found.stop, found.bound, found.out_of_work), (Some(reason), 0.0, false));
        assert_eq!(found.games, play(&setting, PolicyKind::Greedy, &arrivals));
    }
    let day = Budget::new().time(Duration::from_secs(86_400));
    let found = group_optimum_within(&setting, &arrivals, &day)?;
    assert_eq!(
        (found.stop, found.games),
        (None, group_optimum(&setting, &arrivals, 1 << 40)?.games)
    );
    Ok(())
}
