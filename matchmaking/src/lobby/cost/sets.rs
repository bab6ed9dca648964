//! Many players, or sets of players, in turn in the place of the same ones: what a climb asks about a match, all at
//! once.
//!
//! The sums of [`notes`](super::notes) again, the other way round: vector code takes 16 sets at a time and goes through
//! the splits one by one, so that who is whose enemy is the same for all of them. The integers are the same.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators here cost a factor of ten, as in the other kernels"
)]

use multiversion::multiversion;

use super::notes::Notes;
use super::premade::PremadeLoss;
use super::tables::{FLAGS, FORBIDDEN, LINK, Tables, links, opposed};
use crate::lobby::rules::ServerRule;

/// Sets at a time.
const WIDTH: usize = 16;

/// Sets in one call at most.
pub(super) const MOST: usize = 8 * WIDTH;

/// What stands for a match that may not be played: no sum of units is so low.
pub(super) const NONE: i32 = i32::MIN;

/// Writes the best legal split in units, or [`NONE`], for each set of `join` in the place of those at the positions
/// `leave`. `None`, and nothing is written, where a score is more than sums and tables of steps, or sets are large.
pub(super) fn exchanged(
    tables: &Tables,
    (members, notes): (&[usize], &[i32]),
    leave: &[usize],
    join: &[usize],
    sums: &mut [i32; MOST],
) -> Option<()> {
    let losses = match (&tables.premade, &tables.team_curve, &tables.player_curve) {
        (PremadeLoss::Linear { .. }, None, None) => None,
        (PremadeLoss::Steps(steps), None, None) => Some(*steps),
        _ => return None,
    };
    let kernel: Kernel = match (tables.team_size, leave.len()) {
        (1, 1) => one_of_1,
        (2, 1) => one_of_2,
        (2, 2) => two_of_2,
        (3, 1) => one_of_3,
        (3, 2) => two_of_3,
        (3, 3) => three_of_3,
        (4, 1) => one_of_4,
        (4, 2) => two_of_4,
        (4, 3) => three_of_4,
        (5, 1) => one_of_5,
        (5, 2) => two_of_5,
        (5, 3) => three_of_5,
        _ => return None,
    };
    kernel(tables, (members, notes), (leave, losses), join, sums)
}

/// Who leaves, and the [steps](PremadeLoss::Steps) by which unlike parties lose, if they do.
type Places<'a> = (&'a [usize], Option<[i32; 3]>);

/// How a kernel is called: as [`exchanged`] is.
type Kernel = fn(&Tables, (&[usize], &[i32]), Places<'_>, &[usize], &mut [i32; MOST]) -> Option<()>;

/// One function for each team size and number of players who leave.
macro_rules! kernels {
    ($($name:ident: $players:literal, $pairs:literal, $lanes:literal, $splits:literal, $leave:literal;)*) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+popcnt", "x86_64+avx2+popcnt"))]
        fn $name(
            tables: &Tables,
            noted: (&[usize], &[i32]),
            places: Places<'_>,
            join: &[usize],
            sums: &mut [i32; MOST],
        ) -> Option<()> {
            exchanged_of::<$players, $pairs, $lanes, $splits, $leave>(tables, noted, places, join, sums)
        }
    )*};
}
kernels! {
    one_of_1: 2, 1, 1, 1, 1;
    one_of_2: 4, 6, 4, 3, 1;
    two_of_2: 4, 6, 4, 3, 2;
    one_of_3: 6, 15, 16, 10, 1;
    two_of_3: 6, 15, 16, 10, 2;
    three_of_3: 6, 15, 16, 10, 3;
    one_of_4: 8, 28, 48, 35, 1;
    two_of_4: 8, 28, 48, 35, 2;
    three_of_4: 8, 28, 48, 35, 3;
    one_of_5: 10, 45, 128, 126, 1;
    two_of_5: 10, 45, 128, 126, 2;
    three_of_5: 10, 45, 128, 126, 3;
}

/// For matches of `N` players with `P` pairs, `S` splits and [`lanes`](super::tables::lanes) `L`, of whom `K` leave.
#[inline(always)]
fn exchanged_of<const N: usize, const P: usize, const L: usize, const S: usize, const K: usize>(
    tables: &Tables,
    (members, notes): (&[usize], &[i32]),
    (leave, losses): Places<'_>,
    join: &[usize],
    sums: &mut [i32; MOST],
) -> Option<()> {
    let rest = Remainder::<N, K>::new(tables, members.try_into().ok()?, leave.try_into().ok()?);
    let notes = Notes::<N, L>::read(notes)?;
    let (masks, _) = tables.masks.as_chunks::<L>();
    let reds: &[[i32; L]; N] = masks.get(P..)?.first_chunk()?;
    let (sets, _) = join.as_chunks::<K>();
    for (sets, sums) in sets.chunks(WIDTH).zip(sums.as_chunks_mut::<WIDTH>().0) {
        let new = Sets::read(tables, &rest, notes.apart, sets);
        let mut best = [i32::MIN; WIDTH];
        for split in 0..S {
            let mut sides = [0; N];
            for at in 0..N {
                sides[at] = reds[at][split];
            }
            let (gains, tilts, parties) = new.change(&rest, &sides);
            for lane in 0..WIDTH {
                let gain = notes.gains[split] + gains[lane];
                let tilt = (notes.tilts[split] + tilts[lane]).abs();
                let party = (notes.parties[split] + parties[lane]).abs();
                best[lane] = best[lane].max(gain - tilt - loss(losses, party));
            }
        }
        for lane in 0..WIDTH {
            let linked = (notes.links as u32).wrapping_add(new.links[lane]);
            let best = best[lane].wrapping_sub(opposed(linked));
            let servers = N as u32 - (new.blocked[lane] & !FORBIDDEN).count_ones();
            // Each link inside the match counts at both its ends.
            let is_match = links(linked) == 2 * (new.shared[lane] / LINK)
                && best > tables.divided
                && new.blocked[lane] & FORBIDDEN == 0
                && (servers > 0 || tables.server_rule != ServerRule::Required);
            let all = (new.shared[lane] % LINK) as i32 + tables.constant + tables.servers[servers.min(2) as usize];
            sums[lane] = if is_match { all + best } else { NONE };
        }
    }
    Some(())
}

/// What is lost by teams whose parties differ by this much.
#[inline(always)]
fn loss(steps: Option<[i32; 3]>, difference: i32) -> i32 {
    let Some(steps) = steps else {
        return difference;
    };
    let step = |at: i32, loss: i32| if difference >= at { loss } else { 0 };
    step(2, steps[0]) + step(4, steps[1]) + step(6, steps[2])
}

/// A match without those who leave it.
struct Remainder<'a, const N: usize, const K: usize> {
    members: &'a [usize; N],
    leave: [usize; K],
    /// The positions of the `N - K` players who stay, and nothing beyond.
    stay: [usize; N],
    /// What those who stay share, and who of them cannot connect with another of them, as bits; [`FORBIDDEN`] among these
    /// where two of them must not be in one match.
    shared: u32,
    blocked: u32,
}

impl<'a, const N: usize, const K: usize> Remainder<'a, N, K> {
    #[inline(always)]
    fn new(tables: &Tables, members: &'a [usize; N], leave: [usize; K]) -> Self {
        let mut leaves = [false; N];
        for at in leave {
            leaves[at] = true;
        }
        let (mut stay, mut count) = ([0; N], 0);
        for at in 0..N {
            if !leaves[at] {
                stay[count] = at;
                count += 1;
            }
        }
        let (mut shared, mut blocked) = (0, 0);
        for one in 0..N - K {
            let row = &tables.pairs[members[stay[one]] * tables.players..][..tables.players];
            for other in one + 1..N - K {
                let pair = row[members[stay[other]]];
                shared += pair.shared & !FLAGS;
                blocked |= ((pair.shared >> 31) * (1 << stay[one] | 1 << stay[other])) | (pair.shared & FORBIDDEN);
            }
        }
        Self {
            members,
            leave,
            stay,
            shared,
            blocked,
        }
    }
}

/// Sets of players who come, each beside those who stay; made up to a full width by sets of nobody.
struct Sets<const N: usize, const K: usize> {
    /// By how much more each who comes adds as an enemy of each who stays than the one who leaves did; of the others
    /// who come beside the last ones.
    changes: [[[i32; WIDTH]; N]; K],
    /// By how much more skill, and more of what tells parties apart.
    tilts: [[i32; WIDTH]; K],
    parties: [[i32; WIDTH]; K],
    /// More links to members of parties, and what all pairs of the match share.
    links: [u32; WIDTH],
    shared: [u32; WIDTH],
    /// Who cannot connect with somebody of the match, as bits, and [`FORBIDDEN`].
    blocked: [u32; WIDTH],
}

impl<const N: usize, const K: usize> Sets<N, K> {
    #[inline(always)]
    fn read(tables: &Tables, rest: &Remainder<'_, N, K>, apart: &[[i32; N]; N], sets: &[[usize; K]]) -> Self {
        let mut new = Self {
            changes: [[[0; WIDTH]; N]; K],
            tilts: [[0; WIDTH]; K],
            parties: [[0; WIDTH]; K],
            links: [0; WIDTH],
            shared: [rest.shared; WIDTH],
            blocked: [rest.blocked; WIDTH],
        };
        for lane in 0..sets.len().min(WIDTH) {
            let set = &sets[lane];
            for one in 0..K {
                let at = rest.leave[one];
                let (leaves, joins) = (&tables.people[rest.members[at]], &tables.people[set[one]]);
                new.tilts[one][lane] = joins.tilt - leaves.tilt;
                new.parties[one][lane] = joins.party - leaves.party;
                new.links[lane] = new.links[lane].wrapping_add(joins.links.wrapping_sub(leaves.links));
                let row = &tables.pairs[set[one] * tables.players..][..tables.players];
                for other in 0..N - K {
                    let to = rest.stay[other];
                    let pair = row[rest.members[to]];
                    new.changes[one][other][lane] = pair.apart - apart[at][to];
                    new.shared[lane] += pair.shared & !FLAGS;
                    new.blocked[lane] |= ((pair.shared >> 31) * (1 << at | 1 << to)) | (pair.shared & FORBIDDEN);
                }
                for other in one + 1..K {
                    let to = rest.leave[other];
                    let pair = row[set[other]];
                    new.changes[one][N - K + other][lane] = pair.apart - apart[at][to];
                    new.shared[lane] += pair.shared & !FLAGS;
                    new.blocked[lane] |= ((pair.shared >> 31) * (1 << at | 1 << to)) | (pair.shared & FORBIDDEN);
                }
            }
        }
        new
    }

    /// The changes of gains and of the differences between red and blue in skill and parties, in a split with these
    /// players red.
    #[inline(always)]
    fn change(&self, rest: &Remainder<'_, N, K>, sides: &[i32; N]) -> ([i32; WIDTH], [i32; WIDTH], [i32; WIDTH]) {
        let (mut gains, mut tilts, mut parties) = ([0; WIDTH], [0; WIDTH], [0; WIDTH]);
        for one in 0..K {
            let side = sides[rest.leave[one]];
            for other in 0..N - K {
                let is_enemy = sides[rest.stay[other]] ^ side;
                for lane in 0..WIDTH {
                    gains[lane] += self.changes[one][other][lane] & is_enemy;
                }
            }
            for other in one + 1..K {
                let is_enemy = sides[rest.leave[other]] ^ side;
                for lane in 0..WIDTH {
                    gains[lane] += self.changes[one][N - K + other][lane] & is_enemy;
                }
            }
            // Red adds, blue takes away.
            let signed = |change: i32| (change ^ !side) - !side;
            for lane in 0..WIDTH {
                tilts[lane] += signed(self.tilts[one][lane]);
                parties[lane] += signed(self.parties[one][lane]);
            }
        }
        (gains, tilts, parties)
    }
}
