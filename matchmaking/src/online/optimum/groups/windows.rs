//! Long parts of a log, window by window.

use matching_core::StopReason;

use super::{Bracket, Left, Piece};
use crate::online::error::Error;

/// Sets of players that a window may have: so many are looked at in some hundredths of a second.
const SETS: u64 = 20_000;

/// Arrivals of a window for games of such a size: a few games at least, and no more sets of players than are soon looked at.
pub(super) fn window(size: usize, most: usize) -> usize {
    let is_short = |&len: &usize| {
        // Sets of up to so many of `len`, by binomial coefficients.
        let (mut sets, mut of_size) = (0_u64, 1_u64);
        for chosen in 1..=size.min(len) as u64 {
            of_size = of_size.saturating_mul(len as u64 + 1 - chosen) / chosen;
            sets = sets.saturating_add(of_size);
        }
        sets <= SETS
    };
    let longest = (1..=most).take_while(is_short).last().unwrap_or(1);
    longest.max(2 * size).min(most)
}

/// Windows of a part of a log, in their order.
///
/// Each is solved twice. For the bound it is on its own, and everybody may leave across an edge between two windows at a
/// price. A game with players on both sides of an edge at time `T` costs at least `(T - t) / τ_max` for each who arrived before, as it
/// starts later. Whoever of them came first waits for as long as the game goes on after `T`, too, so that there is as much
/// for those who arrived after it, at most `k - 1`: `(t - T) / τ_max / (k - 1)` for each. Across several edges, who comes between
/// two of them pays for the later one out of his own wait, and only who comes after the last one is paid for. So the least that
/// windows cost is, in all, no more than any games do.
///
/// For the games it begins with whoever was left by the window before, and players may leave for the next one where that
/// costs less than they would, at what players cost in the mean.
pub(super) struct Windows<'p, 'a> {
    piece: &'p Piece<'a>,
    window: usize,
    /// Who waits for the next window.
    left: Vec<usize>,
    games: Vec<Vec<usize>>,
    bound: i128,
    stop: Option<StopReason>,
    /// What players of games have cost so far, and how many there were.
    spent: (f64, usize),
}

impl<'p, 'a> Windows<'p, 'a> {
    pub(super) fn new(piece: &'p Piece<'a>, window: usize) -> Self {
        Self {
            piece,
            window,
            left: Vec::new(),
            games: Vec::new(),
            bound: 0,
            stop: None,
            spent: (0.0, 0),
        }
    }

    /// Solves all of them within one of so many parts of what is left; the games are of arrivals by their numbers.
    pub(super) fn solve(mut self, of_them: usize, left: &mut Left<'_, '_>) -> Result<Bracket, Error> {
        let (start, end) = (self.piece.start, self.piece.end);
        let count = (end - start).div_ceil(self.window);
        // Of the same length, but for one.
        let edges: Vec<usize> = (0..=count).map(|i| start + (end - start) * i / count).collect();
        for (at, ends) in edges.windows(2).enumerate() {
            if let Some(reason) = left.clock.over() {
                self.stop = self.stop.or(Some(reason));
                self.left.extend(ends[0]..end);
                let rest = core::mem::take(&mut self.left);
                self.games.extend(self.piece.greedy(&rest)?);
                break;
            }
            let shares = 2 * (count - at) * of_them;
            self.add_to_bound(ends[0]..ends[1], left, shares)?;
            self.play(ends[0]..ends[1], left, shares)?;
        }
        Ok(Bracket {
            games: self.games,
            bound: self.bound,
            stop: self.stop,
        })
    }

    /// What a window costs at least, on its own.
    fn add_to_bound(
        &mut self,
        players: core::ops::Range<usize>,
        left: &mut Left<'_, '_>,
        shares: usize,
    ) -> Result<(), Error> {
        let mut part = self.piece.part(players.clone().collect());
        part.open_edges(players.start > self.piece.start, players.end < self.piece.end);
        let solved = left.solve(&part, part.begin()?, shares)?;
        self.bound += solved.bound;
        self.stop = self.stop.or(solved.stop);
        for game in solved.games.iter().filter(|game| !part.leaves(game)) {
            self.spent.0 += part.cost(game) as f64;
            self.spent.1 += game.len();
        }
        Ok(())
    }

    /// Games of a window and of who was left before.
    fn play(&mut self, players: core::ops::Range<usize>, left: &mut Left<'_, '_>, shares: usize) -> Result<(), Error> {
        let mut here = core::mem::take(&mut self.left);
        here.extend(players.clone());
        let mut part = self.piece.part(here);
        if players.end < self.piece.end {
            let mean = match self.spent {
                (_, 0) => 0.0,
                (cost, players) => cost / players as f64,
            };
            part.open_end(players.end, mean, self.window);
        }
        let solved = left.solve(&part, part.begin()?, shares)?;
        self.stop = self.stop.or(solved.stop);
        for game in solved.games {
            let of_arrivals = game.iter().map(|&i| part.players[i]);
            if part.leaves(&game) {
                self.left.extend(of_arrivals);
            } else {
                self.games.push(of_arrivals.collect());
            }
        }
        self.left.sort_unstable();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use matching_core::Budget;

    use super::*;
    use crate::clock::Clock;
    use crate::online::{Account, Arrivals, Games, Pattern, Setting};

    #[test]
    fn windows_have_no_more_sets_than_said() {
        let lengths: Vec<usize> = [2, 3, 4, 6, 10, 64].iter().map(|&size| window(size, 250)).collect();
        assert_eq!(lengths, [199, 49, 26, 16, 20, 128]);
    }

    /// The whole log at once is the oracle, with full games, games with bots and some of both across the edges.
    #[test]
    fn windows_bracket_the_optimum() -> Result<(), Error> {
        let (mut tight, mut near) = (0, 0);
        for seed in 0..60 {
            let setting = Setting::new(2 + seed as usize % 3, [0.7, 2.0, 5.0][seed as usize / 3 % 3], 1)?;
            let arrivals = Pattern::Constant([1.0, 4.0][seed as usize % 2]).arrivals(12, 1, seed)?;
            let piece = Piece {
                setting: &setting,
                arrivals: &arrivals,
                start: 0,
                end: arrivals.len(),
            };
            let budget = Budget::new();
            let clock = Clock::new(&budget);
            let mut left = Left {
                clock: &clock,
                work: None,
            };
            let best = piece.solve(&mut left)?;
            assert_eq!(best.stop, None);
            let optimum = piece.cost(&best.games);
            for window in [2, 5] {
                let found = Windows::new(&piece, window).solve(1, &mut left)?;
                let mut games = Games::new();
                for (time, players) in found.games.iter().map(|game| piece.game(game)) {
                    games.push(time, players);
                }
                let total = Account::new(&setting, &arrivals, &games)?.total();
                let unit = setting.alone() / (1 << 30) as f64;
                let bound = found.bound as f64 * unit;
                assert!(bound <= optimum + 12.0 * unit, "{seed}, {window}: {bound} {optimum}");
                assert!(optimum <= total + 12.0 * unit, "{seed}, {window}: {optimum} {total}");
                tight += usize::from(bound > 0.8 * optimum);
                near += usize::from(total < 1.05 * optimum);
            }
        }
        assert!(tight > 8 && near > 30, "{tight} {near}");
        Ok(())
    }

    /// One who came before an edge, and all others a while after it: nobody may pay more than his share.
    #[test]
    fn prices_of_leaving_may_be_all_that_a_game_costs() -> Result<(), Error> {
        let setting = Setting::new(3, 5.0, 1)?;
        let (one, other) = (&[1.0][..], &[0.0][..]);
        let first = [(0.0, one); 3].into_iter().chain([(0.0, other)]);
        let rows = first.chain([(0.01, one); 3]).chain([(1.01, other); 2]);
        let arrivals = Arrivals::new(1, rows)?;
        let piece = Piece {
            setting: &setting,
            arrivals: &arrivals,
            start: 0,
            end: 9,
        };
        let budget = Budget::new();
        let clock = Clock::new(&budget);
        let mut left = Left {
            clock: &clock,
            work: None,
        };
        let found = Windows::new(&piece, 5).solve(1, &mut left)?;
        let bound = found.bound as f64 * setting.alone() / (1 << 30) as f64;
        assert!((bound - 1.01 / 5.0).abs() < 1e-6, "{bound}");
        assert!(
            (piece.cost(&found.games) - 1.01 / 5.0).abs() < 1e-6,
            "{:?}",
            found.games
        );
        Ok(())
    }

    #[test]
    fn who_is_left_when_time_is_over_plays_all_the_same() -> Result<(), Error> {
        let setting = Setting::new(3, 5.0, 1)?;
        let arrivals: Arrivals = Pattern::Constant(3.0).arrivals(40, 1, 1)?;
        let piece = Piece {
            setting: &setting,
            arrivals: &arrivals,
            start: 0,
            end: 40,
        };
        let budget = Budget::new().time(std::time::Duration::ZERO);
        let clock = Clock::new(&budget);
        let mut left = Left {
            clock: &clock,
            work: None,
        };
        let found = Windows::new(&piece, 10).solve(1, &mut left)?;
        assert_eq!((found.bound, found.stop), (0, Some(StopReason::TimeLimit)));
        assert_eq!(found.games.iter().map(Vec::len).sum::<usize>(), 40);
        Ok(())
    }
}
