//! Matches to begin a search with.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::rooms::Rooms;
use super::waiting::{cannot_pack, count};
use super::{Counts, minus, plus};
use crate::lobby::error::Error;
use crate::lobby::premade::partitions;
use crate::lobby::round::Round;
use crate::lobby::rules::Rules;

/// Puts everybody into matches by skill: the best parties into the first match, the next ones into the second. Running matches
/// come first, each with parties whose skill is near to that of those who play there.
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
    let (running, none) = (round.running(), Rooms::none(team_size));
    let at_least = size * running.len();
    let matches = round.len().max(at_least).div_ceil(size);
    if round.len() != size * matches {
        let (players, needed) = (round.len(), size * matches);
        return Err(Error::TooFewPlayers { players, needed });
    }
    let skills = mean_skills(round, spread, seed);
    let waiting: Vec<usize> = (0..skills.len()).filter(|&party| round.waits(party)).collect();
    let mut rest = Rest {
        left: count(round, &waiting),
        waiting,
        round,
    };
    let cannot = |rest: Rest<'_>, at| cannot_pack(round, &rest.waiting, matches, at, team_size);
    let mut found = Vec::with_capacity(matches);
    for (at, one) in running.iter().enumerate() {
        let after = running[at + 1..].iter().fold(none, |rooms, one| rooms.and_running(one));
        let playing: Vec<usize> = one.players().collect();
        let mean = mean_skill(round, &playing);
        rest.sort_by(|party| (skills[party] - mean).abs());
        let kinds = kinds_of_matches(one.open(team_size));
        match rest.take(&kinds, &after.and_new(matches - running.len()), playing) {
            Some(members) => found.push(members),
            None => return Err(cannot(rest, at)),
        }
    }
    rest.sort_by(|party| -skills[party]);
    let kinds = kinds_of_matches([team_size; 2]);
    for at in running.len()..matches {
        match rest.take(&kinds, &none.and_new(matches - at - 1), Vec::new()) {
            Some(members) => found.push(members),
            None => return Err(cannot(rest, at)),
        }
    }
    Ok(found)
}

/// Parties that are in no match yet.
struct Rest<'a> {
    round: &'a Round,
    waiting: Vec<usize>,
    /// Their number by size.
    left: Counts,
}

impl Rest<'_> {
    /// Those with the least values first; of equal ones the first in the round.
    fn sort_by(&mut self, value: impl Fn(usize) -> f64) {
        self.waiting
            .sort_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
    }

    /// The members, with the first parties that make up one of these kinds and leave the teams that come after packable;
    /// `None` where no kind does.
    fn take(&mut self, kinds: &[Counts], after: &Rooms, mut members: Vec<usize>) -> Option<Vec<usize>> {
        let is_open = |kind: &&Counts| minus(&self.left, kind).is_some_and(|rest| after.fill(&rest));
        let open: Vec<&Counts> = kinds.iter().filter(is_open).collect();
        if open.is_empty() {
            return None;
        }
        let (taken, rest) = take_first(self.round, &self.waiting, open);
        self.left = count(self.round, &rest);
        self.waiting = rest;
        members.extend(taken.iter().flat_map(|&party| &self.round.parties()[party]));
        members.sort_unstable();
        Some(members)
    }
}

/// Whether skills can be disturbed so much.
pub(in crate::lobby) fn check_spread(spread: f64) -> Result<(), Error> {
    if spread.is_finite() && spread >= 0.0 {
        return Ok(());
    }
    let (rule, problem) = ("spread", crate::lobby::RuleProblem::Negative);
    Err(Error::BadRule { rule, problem })
}

/// The mean skill of each party, disturbed.
fn mean_skills(round: &Round, spread: f64, seed: u64) -> Vec<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let disturbed = |members: &Vec<usize>| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        mean_skill(round, members) + spread * noise
    };
    round.parties().iter().map(disturbed).collect()
}

fn mean_skill(round: &Round, members: &[usize]) -> f64 {
    let share = |&i: &usize| round.players()[i].skill / members.len() as f64;
    members.iter().map(share).sum()
}

/// The parties of one match, the first ones that make up one of these kinds, and those that are left.
pub(super) fn take_first(round: &Round, parties: &[usize], mut kinds: Vec<&Counts>) -> (Vec<usize>, Vec<usize>) {
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

/// The numbers of parties of each size that fill so many open places of two teams.
pub(super) fn kinds_of_matches(open: [usize; 2]) -> Vec<Counts> {
    let kind = |sizes: &Vec<usize>| {
        let mut counts = Counts::default();
        sizes.iter().for_each(|&size| counts[size] += 1);
        counts
    };
    let [red, blue] = open.map(|places| partitions(places).iter().map(kind).collect::<Vec<Counts>>());
    let mut kinds: Vec<Counts> = red.iter().flat_map(|a| blue.iter().map(move |b| plus(a, b))).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}

#[cfg(test)]
mod tests {
    use super::kinds_of_matches;

    #[test]
    fn a_match_of_three_against_three_has_six_kinds() {
        let kinds = kinds_of_matches([3, 3]);
        assert_eq!(kinds.len(), 6);
        assert!(kinds.iter().all(|kind| kind[2] != 3), "never three parties of two");
        assert_eq!(kinds_of_matches([1, 1]).len(), 1);
        // One place here and two there: a party of two, or all alone.
        assert_eq!(kinds_of_matches([1, 2]).len(), 2);
        assert_eq!(kinds_of_matches([0, 0]), [[0; 9]]);
    }
}
