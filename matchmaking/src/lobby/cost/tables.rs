//! What a round's matches are scored from.

use super::chains::{Chains, Link};
use super::premade::PremadeLoss;
use crate::lobby::curve::Curve;
use crate::lobby::player::Relation;
use crate::lobby::round::Round;
use crate::lobby::rules::{MAX_TEAM_SIZE, Rules, SKILL_GRID, ServerRule};
use crate::lobby::split::red_teams;

/// Scores are multiples of 1 / UNIT.
const UNIT: f64 = (1_u32 << 26) as f64;

/// Places for the masks of all splits: their number, and from teams of three on a multiple of 16, which vector code
/// likes.
pub(super) fn lanes(team_size: usize) -> usize {
    let splits = red_teams(team_size).len();
    if team_size < 3 {
        splits.next_power_of_two()
    } else {
        splits.next_multiple_of(16)
    }
}

/// One link of a party, among the bits of [`Pair::shared`]; below it there is room for any sum of shared terms, which
/// stays under two units (one from variation and company, less than two from skills, and their weights share 1).
pub(super) const LINK: u32 = 1 << 27;

/// Two players who cannot connect, the topmost bit of [`Pair::shared`]: at most 14 links stay below it.
pub(super) const BLOCKED: u32 = 1 << 31;

/// Two players who must not be in one match, another bit of [`Pair::shared`]: of each pair alone it is free, as the links
/// of one pair are one at most.
pub(super) const FORBIDDEN: u32 = 1 << 30;

/// The bits of [`Pair::shared`] that are no part of a sum.
pub(super) const FLAGS: u32 = BLOCKED | FORBIDDEN;

/// What stands above the number of links in [`Person::links`] for one player of a running match of two teams: the link
/// between these is divided in each split that keeps them apart, as it should be.
pub(super) const OPPOSED: u32 = 1 << 16;

/// What a divided link costs: two units, while the greatest difference between two splits is less than that. 14 of
/// them, and whatever else there is, fit 32 bits.
pub(super) const DIVIDED: i32 = 1 << 27;

// With all links of mates, and one of opposed teams: that one adds as much, and is taken off again.
const _: () = assert!((2 * (MAX_TEAM_SIZE as i64 - 1) + 1) * (DIVIDED as i64) + (1 << 27) <= 1 << 31);

/// `x` in units, rounded.
pub(super) fn fixed(x: f64) -> i32 {
    (x * UNIT).round() as i32
}

/// A sum of units as a score.
pub(super) fn to_score(sum: i32) -> f64 {
    // Rounding may leave the sum of all terms a few units outside.
    (f64::from(sum) / UNIT).clamp(0.0, 1.0)
}

/// What two players add to a match.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pair {
    /// In every split, as if the two were mates: variation, company and closeness in skill, then [`LINK`], [`FORBIDDEN`] and
    /// [`BLOCKED`].
    pub(super) shared: u32,
    /// What is added if they are enemies.
    pub(super) apart: i32,
}

/// What one player adds to a match.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Person {
    /// Skill, as the loss of uneven teams in units, or on its own grid if that loss is not linear.
    pub(super) tilt: i32,
    /// The player's part in what tells parties of teams apart; see [`PremadeLoss`].
    pub(super) party: i32,
    /// Skill on its own grid.
    pub(super) skill: i32,
    /// Links of the player to members of the party, or players of the same running match, and [`OPPOSED`].
    pub(super) links: u32,
}

/// Number of links in a sum of [`Person::links`].
#[inline(always)]
pub(super) fn links(sum: u32) -> u32 {
    sum % OPPOSED
}

/// What the split of a match has that keeps running teams apart, by a sum of [`Person::links`]; 0 without any.
#[inline(always)]
pub(super) fn opposed(sum: u32) -> i32 {
    // No match has players of two running ones.
    ((sum / OPPOSED) % 2) as i32 * DIVIDED
}

/// How a round is scored.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) players: usize,
    pub(super) team_size: usize,
    /// Row by row, both halves.
    pub(super) pairs: Vec<Pair>,
    pub(super) people: Vec<Person>,
    /// For each two positions where the splits make them enemies, then for each position where it is red; all bits or
    /// none, one number for each split.
    pub(super) masks: Vec<i32>,
    /// What is the same for all matches.
    pub(super) constant: i32,
    /// What a match is worth with no, one, or more servers.
    pub(super) servers: [i32; 3],
    pub(super) server_rule: ServerRule,
    /// Whether there is a [`FORBIDDEN`] pair, perhaps.
    pub(super) has_limits: bool,
    /// The curve of uneven teams, and its weight; `None` if linear.
    pub(super) team_curve: Option<(Curve, f64)>,
    /// The curve of different players, and its weight; `None` if linear and part of [`Pair::shared`].
    pub(super) player_curve: Option<(Curve, f64)>,
    pub(super) premade: PremadeLoss,
    /// A split worth this or less, before what all splits share, divides a party.
    pub(super) divided: i32,
    /// Who belongs together.
    chains: Chains,
}

impl Tables {
    /// The tables of a round that the rules have been checked for.
    pub(super) fn new(round: &Round, rules: &Rules) -> Self {
        let shares = rules.weights.shares();
        let squared = (rules.team_size * rules.team_size) as f64;
        let pairs_in_match = (rules.team_size * (2 * rules.team_size - 1)) as f64;
        let is_linear = |curve: &Curve| *curve == Curve::Linear;
        // Closeness of two players is offset so that it never is negative; the constant takes the offsets back.
        let closeness = if is_linear(&rules.player_curve) {
            shares.player_skill * (1.0 - pairs_in_match / squared)
        } else {
            0.0
        };
        let curved = |curve: &Curve, share: f64| (!is_linear(curve)).then(|| (curve.clone(), share));
        let chains = Chains::new(round);
        let by_pairs = shares.variation + shares.company;
        let least = shares.team_skill + shares.premade + by_pairs;
        let most = shares.enemy_ping + by_pairs;
        let premade = PremadeLoss::new(rules, shares.premade);
        Self {
            players: round.len(),
            team_size: rules.team_size,
            pairs: pairs(round, rules, &chains),
            people: (0..round.len())
                .map(|i| person(round, rules, &premade, (i, &chains)))
                .collect(),
            masks: masks(rules.team_size),
            constant: fixed(shares.team_skill + shares.premade + closeness),
            servers: rules.servers.map(|score| fixed(shares.servers * score)),
            server_rule: rules.server_rule,
            has_limits: rules.has_limits(round) || !round.running().is_empty(),
            team_curve: curved(&rules.team_curve, shares.team_skill),
            player_curve: curved(&rules.player_curve, shares.player_skill),
            premade,
            divided: fixed((most - least) / 2.0) - DIVIDED / 2,
            chains,
        }
    }

    /// Whether these players may play a match.
    pub(super) fn is_match(&self, members: &[usize]) -> bool {
        if members.len() != 2 * self.team_size {
            return false;
        }
        let is_complete = members.iter().all(|&i| {
            let next = self.chains.next[i] as usize;
            next == i || members.contains(&next)
        });
        // Bit `s` says whether some of the parties, with the red team of a running match, make up `s` players.
        let reachable = self.chains.sums(members);
        is_complete
            && reachable >> self.team_size & 1 == 1
            && is_distinct(members)
            && (self.server_rule == ServerRule::Scored || self.has_server(members))
            && !(self.has_limits && self.has_forbidden(members))
    }

    /// Whether two of these must not be in one match.
    fn has_forbidden(&self, members: &[usize]) -> bool {
        let is_forbidden = |i: usize, j: usize| self.pairs[i * self.players + j].shared & FORBIDDEN != 0;
        let later = |(at, &i): (usize, &usize)| members[at + 1..].iter().any(|&j| is_forbidden(i, j));
        members.iter().enumerate().any(later)
    }

    fn has_server(&self, members: &[usize]) -> bool {
        let reaches = |i: usize, j: usize| i == j || self.pairs[i * self.players + j].shared & BLOCKED == 0;
        members.iter().any(|&i| members.iter().all(|&j| reaches(i, j)))
    }
}

/// Whether nobody comes twice.
pub(super) fn is_distinct(members: &[usize]) -> bool {
    // Mostly their last bits differ already.
    let last_bits = members.iter().fold(0_u64, |bits, &i| bits | 1 << (i % 64));
    let is_twice = |(at, i): (usize, &usize)| members[..at].contains(i);
    last_bits.count_ones() as usize == members.len() || !members.iter().enumerate().any(is_twice)
}

fn person(round: &Round, rules: &Rules, premade: &PremadeLoss, (i, chains): (usize, &Chains)) -> Person {
    let party = &round.parties()[round.party_of(i)];
    let skill = rules.capped(round.players()[i].skill);
    let share = rules.weights.shares().team_skill / rules.team_size as f64;
    Person {
        tilt: match rules.team_curve {
            Curve::Linear => fixed(share * f64::from(skill) / f64::from(SKILL_GRID)),
            _ => skill,
        },
        party: premade.part(party.len()),
        skill,
        links: chains.links(i),
    }
}

fn pairs(round: &Round, rules: &Rules, chains: &Chains) -> Vec<Pair> {
    let n = round.len();
    let shares = rules.weights.shares();
    let size = rules.team_size;
    let (all, enemies) = ((size * (2 * size - 1)) as f64, (size * size) as f64);
    let skills: Vec<f64> = (round.players().iter())
        .map(|player| f64::from(rules.capped(player.skill)) / f64::from(SKILL_GRID))
        .collect();
    let pair = |i: usize, j: usize| {
        let (as_mates, as_enemies) = match round.players()[i].met(&round.players()[j]) {
            None => (1.0, 1.0),
            Some(Relation::Mates) => (rules.met_same, rules.met_changed),
            Some(Relation::Enemies) => (rules.met_changed, rules.met_same),
        };
        let (disliked_mates, disliked_enemies) = match round.get_along(i, j) {
            true => (1.0, 1.0),
            false => (rules.disliked_mates, rules.disliked_enemies),
        };
        // Of every two in the mean of all pairs.
        let by_pairs = |met: f64, disliked: f64| (shares.variation * met + shares.company * disliked) / all;
        let closeness = match rules.player_curve {
            Curve::Linear => (1.0 - (skills[i] - skills[j]).abs()) / enemies,
            _ => 0.0,
        };
        let shared = fixed(by_pairs(as_mates, disliked_mates) + shares.player_skill * closeness);
        let ping = rules.ping_score(round.ping_ms(i, j));
        let apart = by_pairs(as_enemies - as_mates, disliked_enemies - disliked_mates);
        let apart = fixed(shares.enemy_ping * ping / enemies + apart);
        let link = chains.link(i, j);
        let flag = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        let flags = flag(link.is_some(), LINK)
            | flag(!round.can_connect(i, j), BLOCKED)
            | flag(!rules.may_meet(round, i, j), FORBIDDEN);
        Pair {
            shared: shared as u32 | flags,
            apart: match link {
                None => apart,
                Some(Link::Mates) => apart - DIVIDED,
                Some(Link::Enemies) => apart + DIVIDED,
            },
        }
    };
    let mut pairs = vec![Pair::default(); n * n];
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let pair = pair(i, j);
        pairs[i * n + j] = pair;
        pairs[j * n + i] = pair;
    }
    pairs
}

fn masks(team_size: usize) -> Vec<i32> {
    let size = 2 * team_size;
    let mut splits = red_teams(team_size);
    // The last split fills the places that are left: it cannot change the best one.
    let last = splits[splits.len() - 1];
    splits.resize(lanes(team_size), last);
    let mask = |is_set: bool| -i32::from(is_set);
    let side = |red: u32, at: usize| red >> at & 1;
    let mut masks = Vec::with_capacity((size + team_size * (size - 1)) * splits.len());
    for (a, b) in (0..size).flat_map(|a| (a + 1..size).map(move |b| (a, b))) {
        masks.extend(splits.iter().map(|&red| mask(side(red, a) != side(red, b))));
    }
    for at in 0..size {
        masks.extend(splits.iter().map(|&red| mask(side(red, at) == 1)));
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::lanes;

    #[test]
    fn kernels_have_these_many_lanes() {
        let all: Vec<usize> = (1..=8).map(lanes).collect();
        assert_eq!(all, [1, 4, 16, 48, 128, 464, 1728, 6448]);
    }
}
