//! Which method suits a problem: what `--method auto` does, and why.

use matching_lp::Solver;

use super::settings::Limits;

/// Up to so many players, a party counting as one, searches try all groupings where the budget allows.
pub(super) const FEW: usize = 18;

/// Work of the exact method where nobody limits it: some ten seconds.
pub(super) const WORK: u64 = 200_000_000;

/// Units of work of the exact method in a second, roughly.
const WORK_A_SECOND: f64 = 2e7;

/// So many teams can be priced for one unit of work, seen over a whole solve: most are never looked at.
const TEAMS: f64 = 10.0;

/// An exact pairing takes no longer than so many units of work for the square of the number of players.
const PAIR_WORK: f64 = 4.0;

/// Pairs of more players than this are searched: the exact pairing's matrices grow large.
const PAIRS: usize = 4_096;

/// The part of a limit that the exact method gets; a search for better groups gets what it leaves.
pub(super) const SHARE: f64 = 0.75;

/// What decides which method is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) players: usize,
    /// Parties and single players, but those who are pinned to a group.
    pub(super) units: usize,
    /// Members of the largest group.
    pub(super) group: usize,
    /// Groups of two, nobody left over, no parties and no forbidden pairs.
    pub(super) is_pairing: bool,
}

/// Whether the exact method can be expected to come to a bound within the limits, or within its own.
pub(super) fn is_worth_proving(size: Size, limits: Limits) -> bool {
    let budget = work_of(limits);
    if size.is_pairing {
        return size.players <= PAIRS && budget >= PAIR_WORK * (size.players as f64).powi(2);
    }
    let first = Solver::first_work(size.players);
    first as f64 <= budget / 2.0 && teams(size) <= TEAMS * budget
}

/// The work that limits leave room for.
fn work_of(limits: Limits) -> f64 {
    let time = limits.time.map(|time| time.as_secs_f64() * WORK_A_SECOND);
    match (limits.work, time) {
        (None, None) => WORK as f64,
        (work, time) => work
            .map_or(f64::INFINITY, |work| work as f64)
            .min(time.unwrap_or(f64::INFINITY)),
    }
}

/// Number of teams of the largest group's size.
fn teams(size: Size) -> f64 {
    let members = size.group.min(size.players - size.group.min(size.players));
    (0..members)
        .map(|at| (size.players - at) as f64 / (at + 1) as f64)
        .product()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Size, is_worth_proving, teams};
    use crate::cli::group::settings::Limits;

    fn size(players: usize, group: usize) -> Size {
        Size {
            players,
            units: players,
            group,
            is_pairing: false,
        }
    }

    #[test]
    fn teams_are_counted() {
        assert_eq!(teams(size(6, 3)), 20.0);
        assert_eq!(teams(size(49, 6)).round(), 13_983_816.0);
        assert_eq!((teams(size(5, 5)), teams(size(5, 9))), (1.0, 1.0));
    }

    #[test]
    fn what_can_be_proven_in_time_is() {
        let none = Limits::default();
        for (players, group, is_worth) in [
            (60, 6, true),
            (120, 5, true),
            (200, 4, true),
            (60, 10, false),
            (500, 5, false),
            (10_000, 3, false),
        ] {
            assert_eq!(
                is_worth_proving(size(players, group), none),
                is_worth,
                "{players} {group}"
            );
        }
        let minutes = |minutes: u64| Limits {
            time: Some(Duration::from_secs(60 * minutes)),
            work: None,
        };
        assert!(is_worth_proving(size(500, 5), minutes(30)));
        assert!(!is_worth_proving(size(60, 20), minutes(30)));
        let little = Limits {
            work: Some(1000),
            time: None,
        };
        assert!(!is_worth_proving(size(60, 6), little));
        let pairs = Size {
            players: 1000,
            units: 1000,
            group: 2,
            is_pairing: true,
        };
        assert!(is_worth_proving(pairs, none) && !is_worth_proving(pairs, little));
    }
}
