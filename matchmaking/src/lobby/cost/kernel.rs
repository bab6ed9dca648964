//! All splits of one match.
//!
//! Loops count and index on purpose. Written with iterators, the same sums were ten times slower: calls into code that
//! is not compiled for the processor at hand, and loops that stay scalar.

#![expect(clippy::needless_range_loop, reason = "iterators here cost a factor of ten")]

use multiversion::multiversion;

use super::premade::PremadeLoss;
use super::tables::{BLOCKED, LINK, Person, Tables, fixed};
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
    let sum = shared.iter().fold(0, |sum, &pair| sum + (pair & !BLOCKED));
    let links = people.iter().fold(0, |sum, person| sum + person.links);
    // Each link inside the match counts at both its ends.
    if links != 2 * (sum / LINK) {
        return None;
    }
    let servers = N - blocked::<N, P>(&shared);
    if servers == 0 && tables.server_rule == ServerRule::Required {
        return None;
    }
    let split = best_split::<N, P, L>(tables, &people, &apart)?;
    let all = (sum % LINK) as i32 + tables.constant + tables.servers[servers.min(2)] + closeness(tables, &people);
    (split > tables.divided).then(|| all + split)
}

/// As `array::map`, which is a call where vector code is dispatched.
#[inline(always)]
fn each<A, B: Copy + Default, const N: usize>(from: &[A; N], value: impl Fn(&A) -> B) -> [B; N] {
    let mut all = [B::default(); N];
    for at in 0..N {
        all[at] = value(&from[at]);
    }
    all
}

#[inline(always)]
fn gather<const N: usize, const P: usize>(tables: &Tables, members: &[usize; N]) -> ([u32; P], [i32; P]) {
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
fn closeness<const N: usize>(tables: &Tables, people: &[Person; N]) -> i32 {
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
    let reds: &[[i32; L]; N] = reds.first_chunk()?;
    let splits = Splits {
        enemies,
        reds,
        apart,
        tilts: each(people, |person| person.tilt),
        parties: each(people, |person| person.party),
    };
    if tables.team_curve.is_some() {
        return Some(splits.best_curved(tables));
    }
    Some(match &tables.premade {
        PremadeLoss::Linear { .. } => splits.best_linear(|difference| difference),
        PremadeLoss::Steps(steps) => splits.best_linear(|difference| {
            let step = |at: i32, loss: i32| if difference >= at { loss } else { 0 };
            step(2, steps[0]) + step(4, steps[1]) + step(6, steps[2])
        }),
        PremadeLoss::Table(_) => splits.best_curved(tables),
    })
}

/// All splits of one match: masks of who is where, and what that decides about.
///
/// Each loop over splits has the sums over pairs and players, which are of constant length, inside: compilers then turn
/// the loop into vector code with 16 splits an instruction, or as many as there is room for.
struct Splits<'a, const N: usize, const P: usize, const L: usize> {
    enemies: &'a [[i32; L]; P],
    reds: &'a [[i32; L]; N],
    apart: &'a [i32; P],
    tilts: [i32; N],
    parties: [i32; N],
}

impl<const N: usize, const P: usize, const L: usize> Splits<'_, N, P, L> {
    /// The gain of having these enemies apart.
    #[inline(always)]
    fn gain(&self, lane: usize) -> i32 {
        let mut gain = 0;
        for at in 0..P {
            gain += self.apart[at] & self.enemies[at][lane];
        }
        gain
    }

    /// The gains of all splits, where there are too many terms for [`Self::gain`] to be unrolled; nothing otherwise.
    #[inline(always)]
    fn long_gains(&self) -> [i32; L] {
        let mut gains = [0; L];
        if P > UNROLLED {
            for at in 0..P {
                for lane in 0..L {
                    gains[lane] += self.apart[at] & self.enemies[at][lane];
                }
            }
        }
        gains
    }

    /// The difference between red and blue of something that players have, `total` together.
    #[inline(always)]
    fn difference(&self, of: &[i32; N], total: i32, lane: usize) -> i32 {
        let mut red = 0;
        for at in 0..N {
            red += of[at] & self.reds[at][lane];
        }
        2 * red - total
    }

    /// The best split where uneven teams lose their difference and unlike parties `premade` of theirs.
    #[inline(always)]
    fn best_linear(&self, premade: impl Fn(i32) -> i32) -> i32 {
        let (tilt, party) = (total(&self.tilts), total(&self.parties));
        let gains = self.long_gains();
        let mut best = i32::MIN;
        for lane in 0..L {
            let gain = if P > UNROLLED { gains[lane] } else { self.gain(lane) };
            let tilt = self.difference(&self.tilts, tilt, lane).abs();
            let party = self.difference(&self.parties, party, lane).abs();
            best = best.max(gain - tilt - premade(party));
        }
        best
    }

    /// The best split under any rules; losses that need more than arithmetic are computed for those splits only that
    /// would be the best without them.
    #[inline(always)]
    fn best_curved(&self, tables: &Tables) -> i32 {
        let (tilt, party) = (total(&self.tilts), total(&self.parties));
        let mut gains = self.long_gains();
        if P <= UNROLLED {
            for lane in 0..L {
                gains[lane] = self.gain(lane);
            }
        }
        let mut best = i32::MIN;
        for (lane, &gain) in gains.iter().enumerate() {
            if gain > best {
                let tilt = self.difference(&self.tilts, tilt, lane);
                let difference = self.difference(&self.parties, party, lane);
                let teams = ((party + difference) / 2, (party - difference) / 2);
                best = best.max(gain - team_loss::<N>(tables, tilt.abs()) - party_loss(tables, teams));
            }
        }
        best
    }
}

#[inline(always)]
fn total<const N: usize>(of: &[i32; N]) -> i32 {
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
