//! All splits of one match.

use multiversion::multiversion;

use super::premade::PremadeLoss;
use super::tables::{BLOCKED, LANES, LINK, Person, Tables, fixed};
use crate::lobby::rules::{SKILL_GRID, ServerRule};

/// The best legal split of a match in units, or `None` if there is none.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
pub(super) fn best(tables: &Tables, members: &[usize]) -> Option<i32> {
    match tables.team_size {
        1 => best_of::<2, 1>(tables, members),
        2 => best_of::<4, 6>(tables, members),
        3 => best_of::<6, 15>(tables, members),
        4 => best_of::<8, 28>(tables, members),
        5 => best_of::<10, 45>(tables, members),
        6 => best_of::<12, 66>(tables, members),
        7 => best_of::<14, 91>(tables, members),
        8 => best_of::<16, 120>(tables, members),
        _ => None,
    }
}

/// For matches of `N` players, which have `P` pairs.
#[inline(always)]
fn best_of<const N: usize, const P: usize>(tables: &Tables, members: &[usize]) -> Option<i32> {
    let members: &[usize; N] = members.try_into().ok()?;
    let people = members.map(|i| tables.people[i]);
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
    let split = best_split::<N, P>(tables, &people, &apart);
    let all = (sum % LINK) as i32 + tables.constant + tables.servers[servers.min(2)] + closeness(tables, &people);
    (split > tables.divided).then(|| all + split)
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
fn best_split<const N: usize, const P: usize>(tables: &Tables, people: &[Person; N], apart: &[i32; P]) -> i32 {
    let tilt = people.iter().fold(0, |sum, person| sum + person.tilt);
    let party = people.iter().fold(0, |sum, person| sum + person.party);
    let mut best = [i32::MIN; LANES];
    for masks in tables.masks.chunks_exact(P + N) {
        let (enemies, reds) = masks.split_at(P);
        let mut gains = [0; LANES];
        for at in 0..P {
            add_where(&mut gains, apart[at], &enemies[at]);
        }
        // Red minus blue.
        let (mut tilts, mut parties) = ([-tilt; LANES], [-party; LANES]);
        for at in 0..N {
            add_where(&mut tilts, 2 * people[at].tilt, &reds[at]);
            add_where(&mut parties, 2 * people[at].party, &reds[at]);
        }
        lose_linear(tables, &mut gains, &tilts, &parties);
        if tables.is_linear() {
            for lane in 0..LANES {
                best[lane] = best[lane].max(gains[lane]);
            }
        } else {
            lose_curved::<N>(tables, &mut best[0], &gains, &tilts, &parties, party);
        }
    }
    best.iter().fold(i32::MIN, |best, &split| best.max(split))
}

#[inline(always)]
fn add_where(sums: &mut [i32; LANES], value: i32, mask: &[i32; LANES]) {
    for lane in 0..LANES {
        sums[lane] += value & mask[lane];
    }
}

/// Takes off the losses that are linear in differences.
#[inline(always)]
fn lose_linear(tables: &Tables, gains: &mut [i32; LANES], tilts: &[i32; LANES], parties: &[i32; LANES]) {
    if tables.team_curve.is_none() {
        for lane in 0..LANES {
            gains[lane] -= tilts[lane].abs();
        }
    }
    match &tables.premade {
        PremadeLoss::Linear { .. } => {
            for lane in 0..LANES {
                gains[lane] -= parties[lane].abs();
            }
        }
        PremadeLoss::Steps(steps) => {
            for lane in 0..LANES {
                let difference = parties[lane].abs();
                let step = |at: i32, loss: i32| -i32::from(difference >= at) & loss;
                gains[lane] -= step(2, steps[0]) + step(4, steps[1]) + step(6, steps[2]);
            }
        }
        PremadeLoss::Table(_) => {}
    }
}

/// Takes off the other losses, from those splits only that would be the best without them.
#[inline(always)]
fn lose_curved<const N: usize>(
    tables: &Tables,
    best: &mut i32,
    gains: &[i32; LANES],
    tilts: &[i32; LANES],
    parties: &[i32; LANES],
    party: i32,
) {
    for lane in 0..LANES {
        if gains[lane] <= *best {
            continue;
        }
        let mut gain = gains[lane];
        if let Some((curve, share)) = &tables.team_curve {
            let greatest = (N / 2) as f64 * f64::from(SKILL_GRID);
            gain -= fixed(share * (1.0 - curve.score(f64::from(tilts[lane].abs()) / greatest)));
        }
        if let PremadeLoss::Table(table) = &tables.premade {
            let (red, blue) = ((party + parties[lane]) / 2, (party - parties[lane]) / 2);
            gain -= table.loss(red, blue);
        }
        *best = gain.max(*best);
    }
}

impl Tables {
    /// Whether all losses are linear in differences.
    #[inline(always)]
    fn is_linear(&self) -> bool {
        self.team_curve.is_none() && !matches!(self.premade, PremadeLoss::Table(_))
    }
}
