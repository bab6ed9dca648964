//! The optimum against all matchings, and brackets of it.

use std::time::Duration;

use matching_core::{Budget, CancelToken, StopReason};
use matchmaking::online::{
    Account, Arrivals, Error, Pattern, PolicyKind, Setting, optimum, optimum_in_windows, optimum_within,
};

use crate::support::{assert_served, listed, log, play, recount};

/// The least cost over all ways to pair those who are left, the first of whom plays with a bot or with somebody.
fn exhaustive(setting: &Setting, arrivals: &Arrivals, left: &[u32]) -> f64 {
    let Some((&first, others)) = left.split_first() else {
        return 0.0;
    };
    let arrival = arrivals.times()[first as usize];
    let alone = recount(setting, arrivals, &[(arrival + setting.tau_max(), vec![first])]);
    let mut best = alone + exhaustive(setting, arrivals, others);
    for (position, &other) in others.iter().enumerate() {
        let time = arrivals.times()[other as usize];
        if time <= arrival + setting.tau_max() {
            let mut rest = others.to_vec();
            rest.remove(position);
            let pair = recount(setting, arrivals, &[(time, vec![first, other])]);
            best = best.min(pair + exhaustive(setting, arrivals, &rest));
        }
    }
    best
}

#[test]
fn as_good_as_the_best_of_all_matchings() -> Result<(), Error> {
    for seed in 0..60 {
        let (count, criteria) = (1 + seed as usize % 10, 1 + seed as usize % 4);
        let rate = [0.3, 1.0, 4.0][seed as usize % 3];
        let arrivals = log(count, criteria, rate, seed % 2 == 0, seed);
        let setting = Setting::with_weights(2, 2.0, vec![[0.0, 1.0, 9.0][seed as usize % 3]; criteria])?;
        let everybody: Vec<u32> = (0..count as u32).collect();
        let expected = exhaustive(&setting, &arrivals, &everybody);
        let best = optimum(&setting, &arrivals)?;
        let games = listed(&best.games);
        assert_served(&setting, &arrivals, &games);
        let total = recount(&setting, &arrivals, &games);
        assert!(
            (total - expected).abs() < 1e-6 && (best.bound - expected).abs() < 1e-6,
            "{total} {expected}"
        );
    }
    Ok(())
}

#[test]
fn windows_bracket_the_optimum() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    for (rate, seed) in [(1.0, 1), (3.0, 2), (8.0, 3)] {
        let arrivals = Pattern::Constant(rate).arrivals(600, 1, seed)?;
        let whole = optimum(&setting, &arrivals)?;
        for window in [1, 17, 100, 250] {
            let cut = optimum_in_windows(&setting, &arrivals, window)?;
            let total = Account::new(&setting, &arrivals, &cut.games)?.total();
            assert!(cut.bound <= whole.bound + cut.tolerance && whole.bound <= total + cut.tolerance);
            // An edge costs less than a lone player does.
            let edges = 600usize.div_ceil(window);
            assert!(
                total - cut.bound <= setting.alone() * edges as f64,
                "{window} {total} {}",
                cut.bound
            );
        }
        assert_eq!(optimum_in_windows(&setting, &arrivals, 600)?, whole);
    }
    Ok(())
}

#[test]
fn only_games_of_two() -> Result<(), Error> {
    let setting = Setting::new(3, 5.0, 1)?;
    let arrivals = log(5, 1, 1.0, false, 1);
    assert!(matches!(
        optimum(&setting, &arrivals),
        Err(Error::Unsuited { policy: "optimum", .. })
    ));
    let other = Setting::new(2, 5.0, 2)?;
    assert!(matches!(optimum(&other, &arrivals), Err(Error::WrongCriteria { .. })));
    Ok(())
}

/// Times far from 0, as clocks have them.
#[test]
fn clocks_that_began_long_ago() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let near = Pattern::Constant(3.0).arrivals(300, 1, 4)?;
    // On a grid of 2^-10, so that moving loses nothing.
    let times: Vec<f64> = near
        .times()
        .iter()
        .map(|time| (time * 1024.0).round() / 1024.0)
        .collect();
    let moved = |offset: f64| {
        let rows = (0..near.len()).map(|i| (times[i] + offset, near.criteria(i)));
        Arrivals::new(1, rows)
    };
    let (near, far) = (moved(0.0)?, moved(1.7e9)?);
    let total = |arrivals: &Arrivals| {
        let best = Account::new(&setting, arrivals, &optimum(&setting, arrivals)?.games)?.total();
        let slack = Account::new(&setting, arrivals, &play(&setting, PolicyKind::Slack, arrivals))?.total();
        Ok::<_, Error>((best, slack))
    };
    let (a, b) = (total(&near)?, total(&far)?);
    assert!(
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 0.02 * a.1,
        "{a:?} {b:?}"
    );
    Ok(())
}

/// Games for everybody and a true bound, wherever a limit comes; with more work never a lower bound.
#[test]
fn a_budget_leaves_games_and_a_bound() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(6.0).arrivals(400, 1, 4)?;
    let whole = optimum(&setting, &arrivals)?;
    let best = Account::new(&setting, &arrivals, &whole.games)?.total();
    let greedy = listed(&play(&setting, PolicyKind::Greedy, &arrivals));
    let greedy = recount(&setting, &arrivals, &greedy);
    for window in [60, usize::MAX] {
        let (mut bounds, mut stopped) = (Vec::new(), 0);
        for work in (0..24).map(|bits| (1_u64 << bits) - 1) {
            let found = optimum_within(&setting, &arrivals, window, &Budget::new().work(work))?;
            assert_served(&setting, &arrivals, &listed(&found.games));
            let total = recount(&setting, &arrivals, &listed(&found.games));
            assert!(
                found.bound <= best + found.tolerance && best <= total + found.tolerance,
                "{work}"
            );
            assert!(total <= greedy + 1e-9, "{work} {total} {greedy}");
            assert_eq!(found.out_of_work, found.stop.is_some());
            assert!([None, Some(StopReason::WorkLimit)].contains(&found.stop));
            assert_eq!(
                optimum_within(&setting, &arrivals, window, &Budget::new().work(work))?,
                found
            );
            stopped += usize::from(found.stop.is_some());
            bounds.push(found.bound);
        }
        assert!(bounds.is_sorted(), "{bounds:?}");
        assert!((2..23).contains(&stopped), "{stopped}");
        let unlimited = optimum_in_windows(&setting, &arrivals, window)?;
        assert_eq!(
            optimum_within(&setting, &arrivals, window, &Budget::new().work(1 << 40))?,
            unlimited
        );
    }
    Ok(())
}

/// Just enough work is enough: it was taken for a limit that was reached, also where nobody was left to match.
#[test]
fn what_is_done_by_then_was_not_stopped() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(10.0).arrivals(80, 1, 1)?;
    let within = |work| optimum_within(&setting, &arrivals, usize::MAX, &Budget::new().work(work));
    let best = within(1 << 40)?;
    let (mut short, mut enough) = (0, 1 << 40);
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if within(middle)?.stop.is_none() {
            enough = middle;
        } else {
            short = middle;
        }
    }
    assert!(enough > 100);
    assert_eq!(within(enough)?, best);
    let before = within(short)?;
    assert_eq!(before.stop, Some(StopReason::WorkLimit));
    assert!(before.games != best.games || before.bound < best.bound);
    let (nobody, token) = (Arrivals::new(1, [])?, CancelToken::new());
    token.cancel();
    for budget in [
        Budget::new().work(0),
        Budget::new().time(Duration::ZERO),
        Budget::new().cancel(token),
    ] {
        let found = optimum_within(&setting, &nobody, usize::MAX, &budget)?;
        assert_eq!((found.stop, found.out_of_work, found.games.len()), (None, false, 0));
    }
    Ok(())
}

#[test]
fn who_has_no_time_or_is_stopped_gets_the_greedy_games() -> Result<(), Error> {
    let setting = Setting::new(2, 5.0, 1)?;
    let arrivals = Pattern::Constant(6.0).arrivals(100, 1, 4)?;
    let token = CancelToken::new();
    token.cancel();
    for (budget, reason) in [
        (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
        (Budget::new().cancel(token), StopReason::Cancelled),
    ] {
        let found = optimum_within(&setting, &arrivals, 30, &budget)?;
        assert_eq!((found.stop, found.bound, found.out_of_work), (Some(reason), 0.0, false));
        assert_eq!(found.games, play(&setting, PolicyKind::Greedy, &arrivals));
    }
    Ok(())
}
