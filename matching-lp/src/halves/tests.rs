//! Splits and bounds against all halves.

use super::*;
use crate::random::draw;

fn members(set: u32) -> Vec<usize> {
    (0..10).filter(|&player| set >> player & 1 == 1).collect()
}

/// The least difference by all splits; `None` if parties allow none.
fn by_trying_all(ratings: &[i64], party: &[usize], set: u32) -> Option<i64> {
    let sum = |set: u32| -> i64 { members(set).iter().map(|&player| ratings[player]).sum() };
    let whole: u32 = party
        .iter()
        .filter(|&&player| set >> player & 1 == 1)
        .fold(0, |set, player| set | 1 << player);
    let halves = (0..=set).filter(|half| half & !set == 0 && 2 * half.count_ones() == set.count_ones());
    let halves = halves.filter(|half| half & whole == 0 || half & whole == whole);
    halves.map(|half| (sum(half) - sum(set & !half)).abs()).min()
}

#[test]
fn the_best_split_is_found_and_bounds_hold() {
    let mut state = 3;
    let mut tight = 0;
    for round in 0..60 {
        let range = [5, 100, 3000][round % 3];
        let ratings: Vec<i64> = (0..10).map(|_| draw(&mut state, range) as i64 - 50).collect();
        let party: Vec<usize> = if round.is_multiple_of(2) { vec![] } else { vec![1, 4, 7] };
        let limit = draw(&mut state, range) as i64;
        let plain = Halves::new(&ratings)
            .expect("numbers")
            .party(&party)
            .expect("known players");
        let limited = plain.clone().at_most(limit).expect("a number");
        let floats: Vec<f64> = ratings.iter().map(|&rating| rating as f64 / 3.0).collect();
        let floats = Halves::new(&floats)
            .expect("numbers")
            .party(&party)
            .expect("known players");
        for _ in 0..20 {
            let set = draw(&mut state, 1 << 10) as u32;
            let size = set.count_ones() as usize;
            let players = members(set);
            let known = if size.is_multiple_of(2) {
                by_trying_all(&ratings, &party, set)
            } else {
                None
            };
            assert_eq!(plain.group_if_allowed(&players), known.or((size == 0).then_some(0)));
            assert_eq!(
                limited.is_group_allowed(&players),
                size == 0 || known.is_some_and(|known| known <= limit)
            );
            if let Some(split) = plain.split(&players) {
                assert_eq!(Some(split.difference()), known);
                let sum = |team: &[usize]| -> i64 { team.iter().map(|&player| ratings[player]).sum() };
                let [one, other] = split.teams();
                assert_eq!((sum(one) - sum(other)).abs(), split.difference());
                assert!(one.len() == other.len() && one.iter().chain(other).all(|player| players.contains(player)));
            }
            for more in 0..=3_usize.min(10 - size) {
                let all = (0..1_u32 << 10).filter(|&all| all & set == set && all.count_ones() as usize == size + more);
                let best = all
                    .clone()
                    .filter_map(|all| plain.group_if_allowed(&members(all)))
                    .min();
                match plain.group_bound(&players, more) {
                    GroupBound::AtLeast(bound) => {
                        assert!(best.is_none_or(|best| bound <= best), "{players:?} {more}");
                        tight += usize::from(bound > 0);
                    }
                    _ => assert_eq!(best, None),
                }
                let best = all
                    .clone()
                    .filter_map(|all| limited.group_if_allowed(&members(all)))
                    .min();
                match limited.group_bound(&players, more) {
                    GroupBound::AtLeast(bound) => assert!(best.is_none_or(|best| bound <= best)),
                    _ => assert_eq!(best, None),
                }
                let best = all
                    .filter_map(|all| floats.group_if_allowed(&members(all)))
                    .fold(f64::MAX, f64::min);
                if let GroupBound::AtLeast(bound) = floats.group_bound(&players, more) {
                    assert!(bound <= best, "{bound} {best}");
                }
            }
        }
    }
    assert!(tight > 200, "{tight}");
}

#[test]
fn ratings_that_are_no_numbers_are_refused() {
    let error = Halves::new(&[1.0, f64::NAN]).expect_err("not a number");
    assert_eq!(error, Error::RatingNotANumber { player: 1 });
    assert_eq!(error.to_string(), "the rating of player 1 is not a finite number");
    assert_eq!(Halves::new(&[i64::MAX, 1]).expect_err("too large"), overflow(2));
    assert_eq!(Halves::new(&[i64::MIN, 1]).expect_err("too large"), overflow(1));
}
