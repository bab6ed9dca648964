//! All splits of one match.
//!
//! Loops count and index on purpose. Written with iterators, the same sums were ten times slower: calls into code that
//! is not compiled for the processor at hand, and loops that stay scalar.

#![expect(clippy::needless_range_loop, reason = "iterators here cost a factor of ten")]

use multiversion::multiversion;

use super::premade::PremadeLoss;
use super::tables::{FLAGS, FORBIDDEN, LINK, Person, Tables, fixed, links, opposed};
use crate::lobby::rules::{SKILL_GRID, ServerRule};

/// Sums of up to so many terms are unrolled by compilers, so that the loop around them can become vector code.
const UNROLLED: usize = 45;

/// The best legal split of a match in units, or `None` if there is none.
pub(super) fn best(tables: &Tables, members: &[usize]) -> Option<i32> {
    match tables.team_size {
        1 => best_1(tables, members),
        2 => best_2(tables, members),
        3 => best_3(tables, members),
        4 => best_4(tables, members),
        5 => best_5(tables, members),
        6 => best_6(tables, members),
        7 => best_7(tables, members),
        8 => best_8(tables, members),
        _ => None,
    }
}

/// One function for each team size, so that each has the stack that it needs and no more.
macro_rules! kernels {
    ($($name:ident: $players:literal, $pairs:literal, $lanes:literal;)*) => {$(
        #[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+popcnt", "x86_64+avx2+popcnt"))]
        fn $name(tables: &Tables, members: &[usize]) -> Option<i32> {
            best_of::<$players, $pairs, $lanes>(tables, members)
        }
    )*};
}
kernels! {
    best_1: 2, 1, 1;
    best_2: 4, 6, 4;
    best_3: 6, 15, 16;
    best_4: 8, 28, 48;
    best_5: 10, 45, 128;
    best_6: 12, 66, 464;
    best_7: 14, 91, 1728;
    best_8: 16, 120, 6448;
}

/// For matches of `N` players, which have `P` pairs and [`lanes`](super::tables::lanes) `L`.
#[inline(always)]
fn best_of<const N: usize, const P: usize, const L: usize>(tables: &Tables, members: &[usize]) -> Option<i32> {
    let members: &[usize; N] = members.try_into().ok()?;
    let people = each(members, |&i| tables.people[i]);
    let (shared, apart) = gather::<N, P>(tables, members);
    let sum = shared.iter().fold(0, |sum, &pair| sum + (pair & !FLAGS));
    let linked = people.iter().fold(0, |sum, person| sum + person.links);
    // Each link inside the match counts at both its ends.
    if links(linked) != 2 * (sum / LINK) || (tables.has_limits && is_forbidden(&shared)) {
        return None;
    }
    let servers = N - blocked::<N, P>(&shared);
    if servers == 0 && tables.server_rule == ServerRule::Required {
        return None;
    }
    let split = best_split::<N, P, L>(tables, &people, &apart)? - opposed(linked);
    let all = (sum % LINK) as i32 + tables.constant + tables.servers[servers.min(2)] + closeness(tables, &people);
    (split > tables.divided).then(|| all + split)
}

/// As `array::map`, which is a call where vector code is dispatched.
#[inline(always)]
pub(super) fn each<A, B: Copy + Default, const N: usize>(from: &[A; N], value: impl Fn(&A) -> B) -> [B; N] {
    let mut all = [B::default(); N];
    for at in 0..N {
        all[at] = value(&from[at]);
    }
    all
}

#[inline(always)]
pub(super) fn gather<const N: usize, const P: usize>(tables: &Tables, members: &[usize; N]) -> ([u32; P], [i32; P]) {
    let (mut shared, mut apart) = ([0; P], [0; P]);
    let mut at = 0;
    for a in 0..N {
        let row = &tables.pairs[members[a] * tables.players..][..tables.players];
        for &b in &members[a + 1..] {
            let pair = row[b];
            (shared[at], apart[at]) = (pair.shared, pair.apart);
            at += 1;
        }
    }
    (shared, apart)
}

/// Whether two of the match must not be in one. Most rounds have no such pairs, and need not look.
#[inline(always)]
fn is_forbidden<const P: usize>(shared: &[u32; P]) -> bool {
    let mut flags = 0;
    for at in 0..P {
        flags |= shared[at];
    }
    flags & FORBIDDEN != 0
}

/// How many players cannot connect with somebody of the match.
#[inline(always)]
fn blocked<const N: usize, const P: usize>(shared: &[u32; P]) -> usize {
    let ends = const { ends::<N, P>() };
    let mut blocked = 0;
    for at in 0..P {
        // All bits where the topmost one is set.
        blocked |= ends[at] & (shared[at] as i32 >> 31) as u32;
    }
    blocked.count_ones() as usize
}

/// The two players of each pair, as bits.
const fn ends<const N: usize, const P: usize>() -> [u32; P] {
    let mut ends = [0; P];
    let (mut at, mut a) = (0, 0);
    while a < N {
        let mut b = a + 1;
        while b < N {
            ends[at] = 1 << a | 1 << b;
            at += 1;
            b += 1;
        }
        a += 1;
    }
    ends
}

/// The score of equal players, where it is not a sum over pairs.
#[inline(always)]
pub(super) fn closeness<const N: usize>(tables: &Tables, people: &[Person; N]) -> i32 {
    let Some((curve, share)) = &tables.player_curve else {
        return 0;
    };
    let mut sum = 0;
    for a in 0..N {
        for b in a + 1..N {
            sum += (people[a].skill - people[b].skill).abs();
        }
    }
    let greatest = (N / 2 * (N / 2)) as f64 * f64::from(SKILL_GRID);
    fixed(share * curve.score(f64::from(sum) / greatest))
}

/// What the best split is worth beyond what all splits share.
#[inline(always)]
fn best_split<const N: usize, const P: usize, const L: usize>(
    tables: &Tables,
    people: &[Person; N],
    apart: &[i32; P],
) -> Option<i32> {
    let (masks, _) = tables.masks.as_chunks::<L>();
    let (enemies, reds) = masks.split_first_chunk::<P>()?;
    let (tilts, parties) = (each(people, |person| person.tilt), each(people, |person| person.party));
    let splits = Gathered {
        enemies,
        reds: reds.first_chunk::<N>()?,
        apart,
        long_gains: long_gains(enemies, apart),
        totals: (total(&tilts), total(&parties)),
        tilts,
        parties,
    };
    let party = splits.totals.1;
    Some(best_of_splits::<N, L>(tables, &splits, party))
}

/// All splits of one match.
pub(super) trait Splits {
    /// The gain of having these enemies apart.
    fn gain(&self, lane: usize) -> i32;

    /// The difference in skill between red and blue.
    fn tilt(&self, lane: usize) -> i32;

    /// The difference between red and blue of what tells their parties apart.
    fn party(&self, lane: usize) -> i32;
}

/// The best of `L` splits; `party` is what both teams' sums of parties come to together.
#[inline(always)]
pub(super) fn best_of_splits<const N: usize, const L: usize>(tables: &Tables, splits: &impl Splits, party: i32) -> i32 {
    if tables.team_curve.is_some() {
        return best_curved::<N, L>(tables, splits, party);
    }
    match &tables.premade {
        PremadeLoss::Linear { .. } => best_linear::<L>(splits, |difference| difference),
        PremadeLoss::Steps(steps) => best_linear::<L>(splits, |difference| {
            let step = |at: i32, loss: i32| if difference >= at { loss } else { 0 };
            step(2, steps[0]) + step(4, steps[1]) + step(6, steps[2])
        }),
        PremadeLoss::Table(_) => best_curved::<N, L>(tables, splits, party),
    }
}

/// The best split where uneven teams lose their difference and unlike parties `premade` of theirs.
#[inline(always)]
fn best_linear<const L: usize>(splits: &impl Splits, premade: impl Fn(i32) -> i32) -> i32 {
    let mut best = i32::MIN;
    for lane in 0..L {
        let (tilt, party) = (splits.tilt(lane).abs(), splits.party(lane).abs());
        best = best.max(splits.gain(lane) - tilt - premade(party));
    }
    best
}

/// The best split under any rules; losses that need more than arithmetic are computed for those splits only that
/// would be the best without them.
#[inline(always)]
fn best_curved<const N: usize, const L: usize>(tables: &Tables, splits: &impl Splits, party: i32) -> i32 {
    let mut gains = [0; L];
    for lane in 0..L {
        gains[lane] = splits.gain(lane);
    }
    let mut best = i32::MIN;
    for (lane, &gain) in gains.iter().enumerate() {
        if gain > best {
            let (tilt, difference) = (splits.tilt(lane), splits.party(lane));
            let teams = ((party + difference) / 2, (party - difference) / 2);
            best = best.max(gain - team_loss::<N>(tables, tilt.abs()) - party_loss(tables, teams));
        }
    }
    best
}

/// The splits of a match whose numbers have just been gathered: masks of who is where, and what that decides about.
///
/// Each loop over splits has the sums over pairs and players, which are of constant length, inside: compilers then turn
/// the loop into vector code with 16 splits an instruction, or as many as there is room for.
struct Gathered<'a, const N: usize, const P: usize, const L: usize> {
    enemies: &'a [[i32; L]; P],
    reds: &'a [[i32; L]; N],
    apart: &'a [i32; P],
    long_gains: [i32; L],
    tilts: [i32; N],
    parties: [i32; N],
    /// Of tilts and of parties.
    totals: (i32, i32),
}

impl<const N: usize, const P: usize, const L: usize> Splits for Gathered<'_, N, P, L> {
    #[inline(always)]
    fn gain(&self, lane: usize) -> i32 {
        if P > UNROLLED {
            return self.long_gains[lane];
        }
        let mut gain = 0;
        for at in 0..P {
            gain += self.apart[at] & self.enemies[at][lane];
        }
        gain
    }

    #[inline(always)]
    fn tilt(&self, lane: usize) -> i32 {
        2 * of_red(self.reds, &self.tilts, lane) - self.totals.0
    }

    #[inline(always)]
    fn party(&self, lane: usize) -> i32 {
        2 * of_red(self.reds, &self.parties, lane) - self.totals.1
    }
}

/// The gains of all splits, where there are too many terms for a sum to be unrolled; nothing otherwise.
#[inline(always)]
fn long_gains<const P: usize, const L: usize>(enemies: &[[i32; L]; P], apart: &[i32; P]) -> [i32; L] {
    let mut gains = [0; L];
    if P > UNROLLED {
        for at in 0..P {
            for lane in 0..L {
                gains[lane] += apart[at] & enemies[at][lane];
            }
        }
    }
    gains
}

/// The sum over the red team.
#[inline(always)]
pub(super) fn of_red<const N: usize, const L: usize>(reds: &[[i32; L]; N], of: &[i32; N], lane: usize) -> i32 {
    let mut red = 0;
    for at in 0..N {
        red += of[at] & reds[at][lane];
    }
    red
}

#[inline(always)]
pub(super) fn total<const N: usize>(of: &[i32; N]) -> i32 {
    let mut sum = 0;
    for at in 0..N {
        sum += of[at];
    }
    sum
}

/// What teams lose whose skills differ by this much.
fn team_loss<const N: usize>(tables: &Tables, difference: i32) -> i32 {
    match &tables.team_curve {
        None => difference,
        Some((curve, share)) => {
            let greatest = (N / 2) as f64 * f64::from(SKILL_GRID);
            fixed(share * (1.0 - curve.score(f64::from(difference) / greatest)))
        }
    }
}

/// What teams lose whose parties have these sums.
fn party_loss(tables: &Tables, (red, blue): (i32, i32)) -> i32 {
    let difference = (red - blue).abs();
    match &tables.premade {
        PremadeLoss::Linear { .. } => difference,
        PremadeLoss::Steps(steps) => {
            let reached = (difference / 2) as usize;
            steps.iter().take(reached).sum()
        }
        PremadeLoss::Table(table) => table.loss(red, blue),
    }
}
