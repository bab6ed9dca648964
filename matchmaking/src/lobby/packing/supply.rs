//! Which parties fill up teams that some parties are sure to play in.

use super::rooms::Rooms;
use super::{Counts, players, plus};

/// Tried numbers of parties, at most; far more than rounds of people need.
const LIMIT: usize = 20_000;

/// An answer that may be missing for lack of patience.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    /// These parties, besides those that are sure, fill the teams.
    Found(Counts),
    /// None do.
    Impossible,
    /// The search came to its limit.
    Undecided,
}

/// Parties from `available` which, with all of `sure`, fill the teams exactly.
///
/// Complete up to a limit: all numbers of parties of each size that add up, from large sizes to small ones, few large
/// ones first, cut off where those chosen already do not fit or those left do not suffice.
pub(super) fn supply(sure: &Counts, available: &Counts, rooms: &Rooms) -> Supply {
    let Some(seats) = rooms.seats().checked_sub(players(sure)) else {
        return Supply::Impossible;
    };
    let mut search = Search {
        available,
        rooms,
        tried: 0,
    };
    let found = search.extend(rooms.team_size(), &mut sure.clone(), seats);
    match found {
        Some(total) => Supply::Found(std::array::from_fn(|size| total[size] - sure[size])),
        None if search.tried > LIMIT => Supply::Undecided,
        None => Supply::Impossible,
    }
}

struct Search<'a> {
    available: &'a Counts,
    rooms: &'a Rooms,
    tried: usize,
}

impl Search<'_> {
    /// All parties that play, if sizes up to `size` can fill the `seats` that `chosen` leave.
    fn extend(&mut self, size: usize, chosen: &mut Counts, seats: usize) -> Option<Counts> {
        let available = self.available[size];
        if size == 1 {
            let mut total = Counts::default();
            total[1] = seats;
            let total = plus(chosen, &total);
            return (seats <= available && self.rooms.fit(&total)).then_some(total);
        }
        let smaller: usize = (1..size).map(|size| size * self.available[size]).sum();
        let least = seats.saturating_sub(smaller).div_ceil(size);
        let before = chosen[size];
        for take in least..=available.min(seats / size) {
            self.tried += 1;
            chosen[size] = before + take;
            // More of them would not fit either.
            if self.tried > LIMIT || !self.rooms.fit(chosen) {
                break;
            }
            let found = self.extend(size - 1, chosen, seats - take * size);
            if found.is_some() {
                return found;
            }
        }
        chosen[size] = before;
        None
    }
}
