//! Matches to begin a search with.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::teams::fill;
use super::waiting::{cannot_pack, count};
use super::{Counts, minus, plus};
use crate::lobby::error::Error;
use crate::lobby::premade::partitions;
use crate::lobby::round::Round;
use crate::lobby::rules::Rules;

/// Puts everybody into matches by skill: the best parties into the first match, the next ones into the second.
///
/// The article's start, for any team size and with parties: these are sorted by their mean skill, and each match takes
/// the first ones that leave it and all later matches exactly packable. `spread` times a normal variate is added to the
/// mean skills; 0 asks for no chance at all, and about 6,000 for starts that differ enough to search from each of them.
/// Members of a match are ascending. Whom players of other parties avoid, and pings to them, are not looked at: a search
/// goes on from here.
///
/// # Errors
/// [`Error::BadTeamSize`], [`Error::BadRule`], [`Error::PartyTooLarge`], [`Error::PartyAvoids`], [`Error::PartyTooFar`],
/// [`Error::TooFewPlayers`] where players do not
/// fill whole matches or `spread` is no number of 0 or more ([`Error::BadRule`]), [`Error::CannotPack`] naming the
/// parties. [`choose`](super::choose) chooses players for whom this succeeds.
///
/// # Examples
/// ```
/// use matchmaking::lobby::{Player, Round, Rules, SymmetricMatrix, start};
///
/// # fn main() -> Result<(), matchmaking::lobby::Error> {
/// let players = (0..4).map(|i| Player::new(format!("p{i}"), [900.0, 1500.0, 1000.0, 1400.0][i])).collect();
/// let round = Round::new(players, SymmetricMatrix::from_fn(4, |_, _| 50.0), SymmetricMatrix::from_fn(4, |_, _| true))?;
/// assert_eq!(start(&round, &Rules::new(1), 0.0, 0)?, [[1, 3], [0, 2]]);
/// # Ok(())
/// # }
/// ```
pub fn start(round: &Round, rules: &Rules, spread: f64, seed: u64) -> Result<Vec<Vec<usize>>, Error> {
    rules.check_for(round)?;
    rules.check_distances(round, 0)?;
    check_spread(spread)?;
    let (size, team_size) = (rules.match_size(), rules.team_size);
    let matches = round.len() / size;
    if !round.len().is_multiple_of(size) {
        let (players, needed) = (round.len(), size * (matches + 1));
        return Err(Error::TooFewPlayers { players, needed });
    }
    let mut waiting = by_skill(round, spread, seed);
    let mut left = count(round, &waiting);
    let kinds = kinds_of_matches(team_size);
    let mut found = Vec::with_capacity(matches);
    for at in 0..matches {
        let teams_after = 2 * (matches - at - 1);
        let is_open = |kind: &&Counts| minus(&left, kind).is_some_and(|rest| fill(&rest, teams_after, team_size));
        let open: Vec<&Counts> = kinds.iter().filter(is_open).collect();
        if open.is_empty() {
            return Err(cannot_pack(round, &waiting, matches, at, team_size));
        }
        let (taken, rest) = take_first(round, &waiting, open);
        left = count(round, &rest);
        waiting = rest;
        let mut members: Vec<usize> = taken.iter().flat_map(|&party| round.parties()[party].clone()).collect();
        members.sort_unstable();
        found.push(members);
    }
    Ok(found)
}

/// Whether skills can be disturbed so much.
pub(in crate::lobby) fn check_spread(spread: f64) -> Result<(), Error> {
    if spread.is_finite() && spread >= 0.0 {
        return Ok(());
    }
    let (rule, problem) = ("spread", crate::lobby::RuleProblem::Negative);
    Err(Error::BadRule { rule, problem })
}

/// All parties, the best first.
fn by_skill(round: &Round, spread: f64, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut mean_skill = |members: &Vec<usize>| {
        let sum: f64 = members
            .iter()
            .map(|&i| round.players()[i].skill / members.len() as f64)
            .sum();
        let noise: f64 = StandardNormal.sample(&mut rng);
        sum + spread * noise
    };
    let skills: Vec<f64> = round.parties().iter().map(&mut mean_skill).collect();
    let mut parties: Vec<usize> = (0..skills.len()).collect();
    parties.sort_by(|&a, &b| skills[b].total_cmp(&skills[a]));
    parties
}

/// The parties of one match, the first ones that make up one of these kinds, and those that are left.
fn take_first(round: &Round, parties: &[usize], mut kinds: Vec<&Counts>) -> (Vec<usize>, Vec<usize>) {
    let mut taken_sizes = Counts::default();
    let (mut taken, mut rest) = (Vec::new(), Vec::new());
    for &party in parties {
        let size = round.parties()[party].len();
        if kinds.iter().any(|kind| kind[size] > taken_sizes[size]) {
            taken_sizes[size] += 1;
            kinds.retain(|kind| minus(kind, &taken_sizes).is_some());
            taken.push(party);
        } else {
            rest.push(party);
        }
    }
    (taken, rest)
}

/// The numbers of parties of each size that two full teams can have.
fn kinds_of_matches(team_size: usize) -> Vec<Counts> {
    let teams: Vec<Counts> = (partitions(team_size).iter())
        .map(|sizes| {
            let mut counts = Counts::default();
            sizes.iter().for_each(|&size| counts[size] += 1);
            counts
        })
        .collect();
    let mut kinds: Vec<Counts> = teams
        .iter()
        .flat_map(|a| teams.iter().map(move |b| plus(a, b)))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::kinds_of_matches;

    #[test]
    fn a_match_of_three_against_three_has_six_kinds() {
        let kinds = kinds_of_matches(3);
        assert_eq!(kinds.len(), 6);
        assert!(kinds.iter().all(|kind| kind[2] != 3), "never three parties of two");
        assert_eq!(kinds_of_matches(1).len(), 1);
    }
}
