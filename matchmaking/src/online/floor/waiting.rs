//! Who waits, on a grid.

/// Bits of a player: an age below, a cell above.
const AGE_BITS: u32 = 4;
const CELL_BITS: u32 = 6;
const BITS: u32 = AGE_BITS + CELL_BITS;
/// More cells than this do not fit.
pub(super) const MAX_CELLS: usize = (1 << CELL_BITS) - 1;
/// Older players than this do not fit.
pub(super) const MAX_AGE: usize = (1 << AGE_BITS) - 1;
/// More players than this do not fit.
pub(super) const MAX_PLAYERS: usize = (u128::BITS / BITS) as usize;

/// A player who waits: the cell that the criterion lies in, and how many ticks of the clock were waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Player {
    pub(super) cell: usize,
    pub(super) age: usize,
}

impl Player {
    /// Never zero, so that an empty place is.
    fn packed(self) -> u128 {
        ((self.cell as u128 + 1) << AGE_BITS) | self.age as u128
    }

    fn unpacked(bits: u128) -> Self {
        Self {
            cell: (bits >> AGE_BITS) as usize - 1,
            age: (bits & MAX_AGE as u128) as usize,
        }
    }
}

/// Players in rising order of their cells, at most one in each, packed into one number. A set and its mirror image,
/// which have the same future, are the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Waiting(u128);

impl Waiting {
    /// These players, in rising order of their cells, on a line of so many cells.
    pub(super) fn new(players: &[Player], cells: usize) -> Self {
        debug_assert!(players.len() <= MAX_PLAYERS && players.is_sorted_by(|a, b| a.cell < b.cell));
        let mirrored = players.iter().rev().map(|player| Player {
            cell: cells - 1 - player.cell,
            age: player.age,
        });
        let pack = |bits: u128, player: Player| (bits << BITS) | player.packed();
        Self(players.iter().copied().fold(0, pack).min(mirrored.fold(0, pack)))
    }

    /// The players, in rising order of their cells.
    pub(super) fn players(self) -> Vec<Player> {
        let places = (0..MAX_PLAYERS as u32).rev().map(|place| self.0 >> (place * BITS));
        let filled = places.map(|bits| bits & ((1 << BITS) - 1)).filter(|&bits| bits != 0);
        filled.map(Player::unpacked).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_AGE, MAX_CELLS, MAX_PLAYERS, Player, Waiting};

    #[test]
    fn a_set_and_its_mirror_image_are_one() {
        let player = |cell, age| Player { cell, age };
        let set = [player(0, 3), player(4, 0), player(5, 15)];
        let mirrored = [player(1, 15), player(2, 0), player(6, 3)];
        assert_eq!(Waiting::new(&set, 7), Waiting::new(&mirrored, 7));
        assert!([set, mirrored].contains(&Waiting::new(&set, 7).players().try_into().unwrap()));
        assert_eq!(Waiting::new(&[], 7).players(), []);
    }

    #[test]
    fn the_largest_set_fits() {
        let cells = (MAX_CELLS - MAX_PLAYERS..MAX_CELLS).map(|cell| Player { cell, age: MAX_AGE });
        let set: Vec<Player> = cells.collect();
        let back = Waiting::new(&set, MAX_CELLS).players();
        assert_eq!(Waiting::new(&back, MAX_CELLS), Waiting::new(&set, MAX_CELLS));
        assert_eq!(back.len(), MAX_PLAYERS);
    }
}
