//! Seeded rounds to try matchmaking on.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::error::Error;
use super::matrix::SymmetricMatrix;
use super::player::{Player, Previous, Side};
use super::region::Region;
use super::round::{MAX_PLAYERS, Round};

/// Changes whenever the same size and seed give another round than before, so that figures can say what they rest on.
pub const GENERATOR_VERSION: u32 = 1;

/// Share of each region in percent, at 20:00 in western Europe.
const SHARES: [u32; 7] = [46, 22, 14, 7, 4, 4, 3];
/// Mean and standard deviation of skills, and their limits.
const SKILL: (f64, f64, f64, f64) = (9_000.0, 3_600.0, 0.0, 21_000.0);
/// Standard deviation of a member's skill around its party's.
const PARTY_SPREAD: f64 = 1_500.0;
/// Percent of parties of one and of two; the others have three.
const SOLO: u32 = 78;
const DUO: u32 = 15;
/// Chance that a member of a party is where the party is.
const SAME_REGION: f64 = 0.95;
/// Access delay in ms: least, and median and spread of the log-normal rest.
const ACCESS: (f64, f64, f64) = (8.0, 14.0, 0.7);
/// Percent of players behind an open and a moderate router; the others are behind a strict one.
const OPEN: u32 = 55;
const MODERATE: u32 = 33;
/// Chance that two routers let each other through that could, and the ping from which they never do.
const CONNECTS: f64 = 0.97;
const TOO_FAR_MS: f32 = 600.0;
/// Chance of having played in the previous round.
const PLAYED: f64 = 0.6;
/// Players of similar skill in the previous round lay within so many points.
const SKILL_BAND: f64 = 3_000.0;
/// Percent of players who have waited for one round, and for two.
const WAITED: (u32, u32) = (10, 2);

/// Sizes and seeds of the named instances.
const INSTANCE_SIZES: [usize; 6] = [60, 102, 150, 300, 600, 1200];
const INSTANCE_SEEDS: std::ops::RangeInclusive<u64> = 1..=10;

/// What a generator is for; each purpose has a stream of its own, so that a change of one leaves the others as they
/// are.
#[derive(Clone, Copy)]
enum Purpose {
    Parties,
    Skills,
    Access,
    Pings,
    Connections,
    History,
    Waiting,
}

fn stream(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// The position of a draw from shares in percent; what is left falls to the last position.
fn draw(rng: &mut ChaCha8Rng, percent: &[u32]) -> usize {
    let drawn = rng.random_range(0..100);
    let mut sum = 0;
    let is_below = |share: &u32| {
        sum += share;
        drawn < sum
    };
    percent.iter().position(is_below).unwrap_or(percent.len())
}

impl Round {
    /// A round of `n` synthetic players in parties of at most `largest_party`; the same numbers give the same round.
    ///
    /// - regions: mostly Europe, as in the evening there; a party is in one region but for 1 member in 20;
    /// - 78 % of parties are single players, 15 % pairs, 7 % trios (as far as `largest_party` and `n` allow);
    /// - skill of a party N(9000, 3600²) within 0 and 21,000, members N(skill of the party, 1500²), whole points;
    /// - ping: round trip of the regions times 0.9 to 1.15, and half of both access delays `8 + 14 exp(0.7 N)`, whole
    ///   ms;
    /// - routers open, moderate or strict 55 : 33 : 12; two connect unless they are strict and more than open, or 600
    ///   ms apart; of those who could, 97 % do;
    /// - 6 of 10 were in the previous round, in matches of six of one region and similar skill;
    /// - one in ten has waited for a round, one in fifty for two.
    ///
    /// # Errors
    /// [`Error::NoPlayers`], [`Error::TooManyPlayers`]; [`Error::BadTeamSize`] if `largest_party` is 0.
    pub fn synthetic(n: usize, seed: u64, largest_party: usize) -> Result<Self, Error> {
        if n > MAX_PLAYERS {
            let (players, limit) = (n, MAX_PLAYERS);
            return Err(Error::TooManyPlayers { players, limit });
        }
        if largest_party == 0 {
            let (found, limit) = (0, super::MAX_TEAM_SIZE);
            return Err(Error::BadTeamSize { found, limit });
        }
        let (mut players, regions) = population(n, seed, largest_party);
        remember(&mut players, &regions, seed);
        let ping_ms = pings(&regions, seed);
        let can_connect = connections(&ping_ms, seed);
        Self::new(players, ping_ms, can_connect)
    }

    /// The instance `nauts-N-sS`: `N` of 60, 102, 150, 300, 600, 1200 players, seed `S` of 1 to 10, parties of up to
    /// three.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`].
    pub fn named(name: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownInstance { name: name.to_owned() };
        let instances = INSTANCE_SIZES
            .into_iter()
            .flat_map(|n| INSTANCE_SEEDS.map(move |seed| (n, seed)));
        let mut found = instances.filter(|(n, seed)| name == format!("nauts-{n}-s{seed}"));
        let (n, seed) = found.next().ok_or_else(unknown)?;
        Self::synthetic(n, seed, 3)
    }
}

/// Players without a history, and their regions.
fn population(n: usize, seed: u64, largest_party: usize) -> (Vec<Player>, Vec<Region>) {
    let (mut shapes, mut skills) = (stream(seed, Purpose::Parties), stream(seed, Purpose::Skills));
    let mut waiting = stream(seed, Purpose::Waiting);
    let region = |rng: &mut ChaCha8Rng| Region::ALL[draw(rng, &SHARES[..SHARES.len() - 1])];
    let (mut players, mut regions) = (Vec::with_capacity(n), Vec::with_capacity(n));
    let mut parties = 0;
    while players.len() < n {
        let size = (1 + draw(&mut shapes, &[SOLO, DUO]))
            .min(largest_party)
            .min(n - players.len());
        let home = region(&mut shapes);
        let base = SKILL.0 + SKILL.1 * normal(&mut skills);
        parties += usize::from(size > 1);
        for member in 0..size {
            let is_home = member == 0 || shapes.random_bool(SAME_REGION);
            let place = if is_home { home } else { region(&mut shapes) };
            let spread = if size == 1 { 0.0 } else { PARTY_SPREAD };
            let skill = base + spread * normal(&mut skills);
            let mut player = Player::new(format!("p{}", players.len() + 1), skill.clamp(SKILL.2, SKILL.3).round());
            player.party = (size > 1).then(|| format!("party {parties}"));
            player.region = Some(place.name().to_owned());
            player.waited = [1, 2, 0][draw(&mut waiting, &[WAITED.0, WAITED.1])];
            players.push(player);
            regions.push(place);
        }
    }
    (players, regions)
}

/// Gives players a match in the previous round.
fn remember(players: &mut [Player], regions: &[Region], seed: u64) {
    let mut rng = stream(seed, Purpose::History);
    let mut played: Vec<usize> = (0..players.len()).filter(|_| rng.random_bool(PLAYED)).collect();
    let band = |i: usize| (players[i].skill / SKILL_BAND) as u32;
    played.sort_by_key(|&i| (regions[i], band(i)));
    for (number, six) in played.chunks_exact(6).enumerate() {
        for (at, &i) in six.iter().enumerate() {
            let (match_id, team) = (format!("m{}", number + 1), [Side::Red, Side::Blue][at % 2]);
            players[i].last = Some(Previous { match_id, team });
        }
    }
}

fn pings(regions: &[Region], seed: u64) -> SymmetricMatrix<f32> {
    let mut rng = stream(seed, Purpose::Access);
    let access: Vec<f64> = regions
        .iter()
        .map(|_| ACCESS.0 + ACCESS.1 * (ACCESS.2 * normal(&mut rng)).exp())
        .collect();
    let mut rng = stream(seed, Purpose::Pings);
    SymmetricMatrix::from_fn(regions.len(), |i, j| {
        let round_trip = f64::from(regions[i].round_trip_ms(regions[j]));
        let way = round_trip * (0.90 + 0.25 * rng.random::<f64>());
        (way + access[i] / 2.0 + access[j] / 2.0).round() as f32
    })
}

fn connections(ping_ms: &SymmetricMatrix<f32>, seed: u64) -> SymmetricMatrix<bool> {
    let mut rng = stream(seed, Purpose::Connections);
    let strictness: Vec<usize> = (0..ping_ms.len()).map(|_| draw(&mut rng, &[OPEN, MODERATE])).collect();
    SymmetricMatrix::from_fn(ping_ms.len(), |i, j| {
        let is_lucky = rng.random_bool(CONNECTS);
        is_lucky && strictness[i] + strictness[j] < 3 && ping_ms.get(i, j) < TOO_FAR_MS
    })
}

#[cfg(test)]
mod tests {
    use super::{GENERATOR_VERSION, Round};
    use crate::lobby::{Error, Side};

    /// FNV-1a over everything a round holds.
    fn checksum(round: &Round) -> u64 {
        let mut text = String::new();
        for (i, player) in round.players().iter().enumerate() {
            let last = player
                .last
                .as_ref()
                .map(|last| (last.match_id.as_str(), last.team == Side::Red));
            text += &format!(
                "{} {} {:?} {:?} {} {last:?}",
                player.id, player.skill, player.party, player.region, player.waited
            );
            (0..i).for_each(|j| text += &format!(" {} {}", round.ping_ms(i, j), round.can_connect(i, j)));
        }
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }

    /// A change here changes every published figure: raise the version, and say so where the figures are.
    #[test]
    fn named_instances_stay_as_they_are() -> Result<(), Error> {
        assert_eq!(GENERATOR_VERSION, 1);
        let sums = ["nauts-60-s1", "nauts-102-s1", "nauts-102-s10", "nauts-300-s4"]
            .map(|name| Round::named(name).map(|r| checksum(&r)));
        assert_eq!(
            sums,
            [
                Ok(8_887_404_105_096_729_490),
                Ok(742_318_477_151_990_321),
                Ok(8_444_926_455_585_353_360),
                Ok(1_825_912_351_024_844_566)
            ]
        );
        Ok(())
    }

    #[test]
    fn the_population_has_the_documented_shape() -> Result<(), Error> {
        let round = Round::synthetic(3000, 1, 3)?;
        let share = |count: usize, of: usize| count as f64 / of as f64;
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.03, "{found} {expected}");
        let of_size = |size: usize| round.parties().iter().filter(|party| party.len() == size).count();
        near(share(of_size(1), round.parties().len()), 0.78);
        near(share(of_size(3), round.parties().len()), 0.07);
        let players = round.players();
        near(
            share(
                players.iter().filter(|p| p.region.as_deref() == Some("EU-W")).count(),
                3000,
            ),
            0.46,
        );
        near(share(players.iter().filter(|p| p.last.is_some()).count(), 3000), 0.6);
        near(share(players.iter().filter(|p| p.skill > 9000.0).count(), 3000), 0.5);
        near(
            share(players.iter().filter(|p| p.skill > 18_000.0).count(), 3000),
            0.006,
        );
        let pairs: Vec<(usize, usize)> = (0..300).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
        // Open with everybody, moderate with moderate: 1 - 0.12² - 2 · 0.33 · 0.12 of the pairs could.
        near(
            share(
                pairs.iter().filter(|&&(i, j)| round.can_connect(i, j)).count(),
                pairs.len(),
            ),
            0.97 * 0.9064,
        );
        assert!(
            pairs
                .iter()
                .all(|&(i, j)| (30.0..1000.0).contains(&round.ping_ms(i, j)))
        );
        Ok(())
    }

    #[test]
    fn sizes_and_names_have_limits() {
        assert!(matches!(Round::synthetic(0, 1, 3), Err(Error::NoPlayers)));
        assert!(matches!(
            Round::synthetic(5001, 1, 3),
            Err(Error::TooManyPlayers { players: 5001, .. })
        ));
        assert!(Round::synthetic(5, 1, 0).is_err());
        for name in ["nauts-61-s1", "nauts-60-s0", "nauts-60-s01", "nauts-60-s11", ""] {
            assert!(
                matches!(Round::named(name), Err(Error::UnknownInstance { .. })),
                "{name}"
            );
        }
        let alone = Round::synthetic(50, 1, 1).map(|round| round.parties().len());
        assert_eq!(alone, Ok(50));
    }
}
