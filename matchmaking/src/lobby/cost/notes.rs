//! Swaps: what is kept of a match, so that one player in place of another costs a fraction of a new match.
//!
//! Of a match are kept, for each split, the gain of its enemies and the differences of skills and parties. A player who
//! takes another's place changes each of them by a sum over the players who stay, and all of them are integers: the
//! result is the one that the whole match would have, bit for bit.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators here cost a factor of ten, as in the other kernel"
)]

use multiversion::multiversion;

use super::kernel::{Splits, best_of_splits, closeness, each, gather, of_red, total};
use super::tables::{FLAGS, FORBIDDEN, LINK, Pair, Tables, links, opposed};
use crate::lobby::rules::ServerRule;

/// Writes down what [`swapped`] needs of a match; nothing if this is none.
pub(super) fn take(tables: &Tables, members: &[usize], notes: &mut Vec<i32>) {
    notes.clear();
    match tables.team_size {
        1 => take_1(tables, members, notes),
        2 => take_2(tables, members, notes),
        3 => take_3(tables, members, notes),
        4 => take_4(tables, members, notes),
        5 => take_5(tables, members, notes),
        6 => take_6(tables, members, notes),
        7 => take_7(tables, members, notes),
        8 => take_8(tables, members, notes),
        _ => None,
    };
}

/// The best legal split in units once `joins` has taken the place of `members[at]`, or `None` if there is none.
pub(super) fn swapped(tables: &Tables, members: &[usize], notes: &[i32], at: usize, joins: usize) -> Option<i32> {
    match tables.team_size {
        1 => swapped_1(tables, members, notes, (at, joins)),
        2 => swapped_2(tables, members, notes, (at, joins)),
        3 => swapped_3(tables, members, notes, (at, joins)),
        4 => swapped_4(tables, members, notes, (at, joins)),
        5 => swapped_5(tables, members, notes, (at, joins)),
        6 => swapped_6(tables, members, notes, (at, joins)),
        7 => swapped_7(tables, members, notes, (at, joins)),
        8 => swapped_8(tables, members, notes, (at, joins)),
        _ => None,
    }
}

/// Two functions for each team size.
macro_rules! kernels {
    ($($take:ident, $swapped:ident: $players:literal, $pairs:literal, $lanes:literal;)*) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+popcnt", "x86_64+avx2+popcnt"))]
        fn $take(tables: &Tables, members: &[usize], notes: &mut Vec<i32>) -> Option<()> {
            take_of::<$players, $pairs, $lanes>(tables, members, notes)
        }

        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+popcnt", "x86_64+avx2+popcnt"))]
        fn $swapped(tables: &Tables, members: &[usize], notes: &[i32], swap: (usize, usize)) -> Option<i32> {
            swapped_of::<$players, $pairs, $lanes>(tables, members, notes, swap)
        }
    )*};
}
kernels! {
    take_1, swapped_1: 2, 1, 1;
    take_2, swapped_2: 4, 6, 4;
    take_3, swapped_3: 6, 15, 16;
    take_4, swapped_4: 8, 28, 48;
    take_5, swapped_5: 10, 45, 128;
    take_6, swapped_6: 12, 66, 464;
    take_7, swapped_7: 14, 91, 1728;
    take_8, swapped_8: 16, 120, 6448;
}

/// The notes of a match, in the order in which they are written.
pub(super) struct Notes<'a, const N: usize, const L: usize> {
    /// For each split the gain of its enemies, and the differences of skills and parties.
    pub(super) gains: &'a [i32; L],
    pub(super) tilts: &'a [i32; L],
    pub(super) parties: &'a [i32; L],
    /// Sums over all players of links to members of their parties, and of what tells parties apart.
    pub(super) links: i32,
    party: i32,
    /// What each player adds with each other one if they are enemies; 0 on the diagonal.
    pub(super) apart: &'a [[i32; N]; N],
    /// What the pairs of the match share, without those of this player.
    pub(super) shared_without: &'a [i32; N],
    /// Who cannot connect with somebody else than this player, as bits; and [`FORBIDDEN`], where two others must not be in
    /// one match.
    pub(super) blocked_without: &'a [i32; N],
}

impl<'a, const N: usize, const L: usize> Notes<'a, N, L> {
    #[inline(always)]
    pub(super) fn read(notes: &'a [i32]) -> Option<Self> {
        let (gains, rest) = notes.split_first_chunk()?;
        let (tilts, rest) = rest.split_first_chunk()?;
        let (parties, rest) = rest.split_first_chunk()?;
        let &[links, party, ref rest @ ..] = rest else {
            return None;
        };
        let (rows, _) = rest.as_chunks::<N>();
        let (apart, rows) = rows.split_first_chunk()?;
        let [shared_without, blocked_without] = rows else {
            return None;
        };
        Some(Self {
            gains,
            tilts,
            parties,
            links,
            party,
            apart,
            shared_without,
            blocked_without,
        })
    }
}

#[inline(always)]
fn take_of<const N: usize, const P: usize, const L: usize>(
    tables: &Tables,
    members: &[usize],
    notes: &mut Vec<i32>,
) -> Option<()> {
    let members: &[usize; N] = members.try_into().ok()?;
    let people = each(members, |&i| tables.people[i]);
    let (shared, apart) = gather::<N, P>(tables, members);
    let (masks, _) = tables.masks.as_chunks::<L>();
    let (enemies, reds) = masks.split_first_chunk::<P>()?;
    let reds: &[[i32; L]; N] = reds.first_chunk()?;

    notes.resize(3 * L, 0);
    let (gains, rest) = notes.split_first_chunk_mut::<L>()?;
    let (tilts, rest) = rest.split_first_chunk_mut::<L>()?;
    let parties: &mut [i32; L] = rest.first_chunk_mut()?;
    for at in 0..P {
        for lane in 0..L {
            gains[lane] += apart[at] & enemies[at][lane];
        }
    }
    let (tilt, party) = (
        each(&people, |person| person.tilt),
        each(&people, |person| person.party),
    );
    let totals = (total(&tilt), total(&party));
    for lane in 0..L {
        tilts[lane] = 2 * of_red(reds, &tilt, lane) - totals.0;
        parties[lane] = 2 * of_red(reds, &party, lane) - totals.1;
    }

    let mut pairs = [[Pair::default(); N]; N];
    let mut at = 0;
    for a in 0..N {
        for b in a + 1..N {
            let (shared, apart) = (shared[at], apart[at]);
            (pairs[a][b], pairs[b][a]) = (Pair { shared, apart }, Pair { shared, apart });
            at += 1;
        }
    }
    let (shared_without, blocked_without) = without(&pairs);
    notes.extend([total(&each(&people, |person| person.links as i32)), totals.1]);
    notes.extend(pairs.as_flattened().iter().map(|pair| pair.apart));
    notes.extend(shared_without);
    notes.extend(blocked_without);
    Some(())
}

/// For each player, what the pairs of the others share, and who of the others cannot connect with another of them, or
/// whether two of them must not be in one match.
#[inline(always)]
fn without<const N: usize>(pairs: &[[Pair; N]; N]) -> ([i32; N], [i32; N]) {
    let (mut sum, mut rows, mut blocked) = (0, [0; N], [0; N]);
    let (mut forbidden, mut all_forbidden) = ([0; N], 0);
    for a in 0..N {
        for b in 0..N {
            rows[a] += (pairs[a][b].shared & !FLAGS) as i32;
            blocked[a] |= ((pairs[a][b].shared >> 31) as i32) << b;
            forbidden[a] += u32::from(pairs[a][b].shared & FORBIDDEN != 0);
        }
    }
    for a in 0..N {
        all_forbidden += forbidden[a];
        for b in a + 1..N {
            sum += (pairs[a][b].shared & !FLAGS) as i32;
        }
    }
    let (mut shares, mut blocks) = ([0; N], [0; N]);
    for left in 0..N {
        shares[left] = sum - rows[left];
        for other in 0..N {
            let is_blocked = other != left && blocked[other] & !(1 << left) != 0;
            blocks[left] |= i32::from(is_blocked) << other;
        }
        // Every pair counts at both its ends.
        if all_forbidden > 2 * forbidden[left] {
            blocks[left] |= FORBIDDEN as i32;
        }
    }
    (shares, blocks)
}

#[inline(always)]
fn swapped_of<const N: usize, const P: usize, const L: usize>(
    tables: &Tables,
    members: &[usize],
    notes: &[i32],
    (at, joins): (usize, usize),
) -> Option<i32> {
    let members: &[usize; N] = members.try_into().ok()?;
    let notes = Notes::<N, L>::read(notes)?;
    let (left, joined) = (tables.people[members[at]], tables.people[joins]);
    let row = &tables.pairs[joins * tables.players..][..tables.players];
    let mut pairs = each(members, |&i| row[i]);
    pairs[at] = Pair::default();

    let (mut sum, mut blocked, mut flags) = (notes.shared_without[at] as u32, 0, notes.blocked_without[at] as u32);
    for other in 0..N {
        sum += pairs[other].shared & !FLAGS;
        blocked |= (pairs[other].shared >> 31) << other;
        flags |= pairs[other].shared & FORBIDDEN;
    }
    // Each link inside the match counts at both its ends.
    let linked = notes.links as u32 - left.links + joined.links;
    if links(linked) != 2 * (sum / LINK) || flags & FORBIDDEN != 0 {
        return None;
    }
    let is_blocked = u32::from(blocked != 0) << at;
    let blocked = blocked | is_blocked | flags;
    let servers = N - blocked.count_ones() as usize;
    if servers == 0 && tables.server_rule == ServerRule::Required {
        return None;
    }
    let mut changes = [0; N];
    for other in 0..N {
        changes[other] = pairs[other].apart - notes.apart[at][other];
    }
    let (masks, _) = tables.masks.as_chunks::<L>();
    let reds: &[[i32; L]; N] = masks.get(P..)?.first_chunk()?;
    let splits = Swapped {
        sides: &reds[at],
        reds,
        all_changes: total(&changes),
        changes,
        tilt: joined.tilt - left.tilt,
        party: joined.party - left.party,
        notes,
    };
    let split = best_of_splits::<N, L>(tables, &splits, splits.notes.party + splits.party) - opposed(linked);
    let closeness = if tables.player_curve.is_some() {
        let mut people = each(members, |&i| tables.people[i]);
        people[at] = joined;
        closeness(tables, &people)
    } else {
        0
    };
    let all = (sum % LINK) as i32 + tables.constant + tables.servers[servers.min(2)] + closeness;
    (split > tables.divided).then(|| all + split)
}

/// The splits of a match after a swap.
struct Swapped<'a, const N: usize, const L: usize> {
    notes: Notes<'a, N, L>,
    reds: &'a [[i32; L]; N],
    /// Where the place is red that has a new player.
    sides: &'a [i32; L],
    /// What each of the others adds more if the new player is an enemy.
    changes: [i32; N],
    all_changes: i32,
    /// By how much the new player has more skill, and more of what tells parties apart.
    tilt: i32,
    party: i32,
}

impl<const N: usize, const L: usize> Swapped<'_, N, L> {
    /// `change` on the side of the new player, and `-change` if that is blue.
    #[inline(always)]
    fn signed(&self, change: i32, lane: usize) -> i32 {
        ((2 * change) & self.sides[lane]) - change
    }
}

impl<const N: usize, const L: usize> Splits for Swapped<'_, N, L> {
    #[inline(always)]
    fn gain(&self, lane: usize) -> i32 {
        let (red, side) = (of_red(self.reds, &self.changes, lane), self.sides[lane]);
        // The new player's enemies are the red ones, or all but those. Summed first: gains may be near the end of 32
        // bits.
        let change = (red ^ side) - side + (self.all_changes & side);
        self.notes.gains[lane] + change
    }

    #[inline(always)]
    fn tilt(&self, lane: usize) -> i32 {
        self.notes.tilts[lane] + self.signed(self.tilt, lane)
    }

    #[inline(always)]
    fn party(&self, lane: usize) -> i32 {
        self.notes.parties[lane] + self.signed(self.party, lane)
    }
}
