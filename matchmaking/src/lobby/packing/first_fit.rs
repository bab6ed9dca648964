//! Matches one after the other, each of the first parties that go.

use super::start::{kinds_of_matches, take_first};
use super::waiting::{by_priority, count};
use super::{Counts, minus, players};
use crate::lobby::judge::hosts;
use crate::lobby::round::Round;
use crate::lobby::rules::{Rules, ServerRule};

/// Looks at two parties for one match, at most: a millisecond, and far more than most matches need.
const LOOKS: usize = 50_000;

/// Matches that keep the limits, by the round's own positions.
#[derive(Clone, Default)]
pub(in crate::lobby) struct Filling {
    /// Everybody of each running match that is filled, ascending; in the order of the round.
    running: Vec<(usize, Vec<usize>)>,
    /// New matches.
    new: Vec<Vec<usize>>,
}

impl Filling {
    /// These running matches, filled.
    pub(in crate::lobby) fn of(running: Vec<(usize, Vec<usize>)>) -> Self {
        let new = Vec::new();
        Self { running, new }
    }

    pub(in crate::lobby) fn is_filled(&self, number: usize) -> bool {
        self.running
            .binary_search_by_key(&number, |(number, _)| *number)
            .is_ok()
    }

    /// Leaves the other running matches as they are.
    pub(in crate::lobby) fn keep(&mut self, running: &[usize]) {
        self.running.retain(|(number, _)| running.binary_search(number).is_ok());
    }

    /// All matches, running ones first.
    pub(in crate::lobby) fn groups(&self) -> Vec<Vec<usize>> {
        let running = self.running.iter().map(|(_, members)| members);
        running.chain(&self.new).cloned().collect()
    }
}

/// Whether parties make up a match.
enum Fit {
    Found(Vec<usize>),
    Impossible,
    /// The search came to its limit.
    Undecided,
}

/// Fills running matches in the order of the round, each with the first parties by priority that keep all limits with each other
/// and with who plays; then makes new ones in the same way.
///
/// Nobody who was taken is given up again, so that this is what there is at least, not at most. Of a match all sets of parties
/// are tried, up to a limit.
///
/// # Complexity
/// O(P R) looks at a party and a running match for P parties and R running matches, and a fixed number at most for each match
/// that is filled or made.
pub(in crate::lobby) struct FirstFit<'a> {
    round: &'a Round,
    rules: &'a Rules,
    /// The parties that wait and may be in a match, those who play first in front.
    order: Vec<usize>,
    /// Those that may be with all who play in it, of each running match with open places.
    may_come: Vec<Vec<usize>>,
}

impl<'a> FirstFit<'a> {
    /// Of a round in which teams are not too large.
    pub(in crate::lobby) fn new(round: &'a Round, rules: &'a Rules, seed: u64) -> Self {
        let mut order = by_priority(round, rules.priority, seed);
        order.retain(|&party| rules.too_far_in(round, party).is_none());
        let may_come = |number: usize| {
            let running = &round.running()[number];
            let most = running.open(rules.team_size).into_iter().max().unwrap_or(0);
            let meets_all = |&i: &usize| running.players().all(|j| rules.may_meet(round, i, j));
            let comes = |&&party: &&usize| {
                let members = &round.parties()[party];
                members.len() <= most && members.iter().all(meets_all)
            };
            order.iter().filter(comes).copied().collect()
        };
        Self {
            may_come: (0..round.running().len()).map(may_come).collect(),
            round,
            rules,
            order,
        }
    }

    /// The same matches and, of those who are left, others, until it is told to stop.
    pub(in crate::lobby) fn go_on(&self, mut filling: Filling, is_over: impl Fn() -> bool) -> Filling {
        let mut is_free = vec![true; self.round.parties().len()];
        let take = |members: &[usize], is_free: &mut [bool]| {
            members.iter().for_each(|&i| is_free[self.round.party_of(i)] = false);
        };
        filling.groups().iter().for_each(|members| take(members, &mut is_free));
        for number in 0..self.round.running().len() {
            if is_over() {
                return filling;
            }
            if let (false, Fit::Found(members)) = (filling.is_filled(number), self.fill(number, &is_free)) {
                take(&members, &mut is_free);
                let at = filling.running.partition_point(|&(other, _)| other < number);
                filling.running.insert(at, (number, members));
            }
        }
        for (at, &first) in self.order.iter().enumerate() {
            if is_over() {
                break;
            }
            if !is_free[first] {
                continue;
            }
            let others = self.order[at + 1..].iter().copied().filter(|&party| is_free[party]);
            if let Fit::Found(members) = self.begin(first, others.collect()) {
                take(&members, &mut is_free);
                filling.new.push(members);
            }
        }
        filling
    }

    /// Whether nobody who waits, whoever else needs him, fills a running match with open places.
    pub(in crate::lobby) fn is_hopeless(&self, number: usize) -> bool {
        let everybody = vec![true; self.round.parties().len()];
        let is_open = self.round.running()[number].open(self.rules.team_size) != [0, 0];
        is_open && matches!(self.fill(number, &everybody), Fit::Impossible)
    }

    /// Who plays in these running matches, and who may come to one of them; ascending.
    pub(in crate::lobby) fn who_may_come(&self, running: &[usize]) -> Vec<usize> {
        let parties = running.iter().flat_map(|&number| &self.may_come[number]);
        let come = parties.flat_map(|&party| self.round.parties()[party].iter().copied());
        let play = running
            .iter()
            .flat_map(|&number| self.round.running()[number].players());
        let mut players: Vec<usize> = come.chain(play).collect();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// These running matches as they are filled and the last one, which is not, with parties whose sizes fill it, whether they may be with
    /// each other or not; of those who may come to one of these matches. `None` where too few are left.
    pub(in crate::lobby) fn with_anybody(&self, filling: &Filling, running: &[usize]) -> Option<Vec<Vec<usize>>> {
        let (&last, before) = running.split_last()?;
        let is_before = |(number, _): &&(usize, Vec<usize>)| before.binary_search(number).is_ok();
        let filled = filling.running.iter().filter(is_before);
        let mut groups: Vec<Vec<usize>> = filled.map(|(_, members)| members.clone()).collect();
        let mut is_free = vec![false; self.round.parties().len()];
        let may_come = running.iter().flat_map(|&number| &self.may_come[number]);
        may_come.for_each(|&party| is_free[party] = true);
        groups
            .iter()
            .flatten()
            .for_each(|&i| is_free[self.round.party_of(i)] = false);
        // Those that may be with all who play there come first.
        let mut parties = Vec::new();
        for &party in self.may_come[last].iter().chain(&self.order) {
            if std::mem::replace(&mut is_free[party], false) {
                parties.push(party);
            }
        }
        let there = count(self.round, &parties);
        let kinds = kinds_of_matches(self.round.running()[last].open(self.rules.team_size));
        let kinds: Vec<&Counts> = kinds.iter().filter(|kind| minus(&there, kind).is_some()).collect();
        if kinds.is_empty() {
            return None;
        }
        let (taken, _) = take_first(self.round, &parties, kinds);
        let come = taken
            .iter()
            .flat_map(|&party| self.round.parties()[party].iter().copied());
        groups.push(self.round.running()[last].players().chain(come).collect());
        Some(groups)
    }

    /// A running match with free parties.
    fn fill(&self, number: usize, is_free: &[bool]) -> Fit {
        let running = &self.round.running()[number];
        let open = running.open(self.rules.team_size);
        if open == [0, 0] {
            return Fit::Impossible;
        }
        let free = self.may_come[number].iter().copied().filter(|&party| is_free[party]);
        self.fit(running.players().collect(), open, &free.collect::<Vec<usize>>())
    }

    /// A new match with this party and some of the others.
    fn begin(&self, first: usize, mut others: Vec<usize>) -> Fit {
        others.retain(|&party| self.may_meet(first, party));
        // The team does not matter, as both are open.
        let members = self.round.parties()[first].clone();
        let team_size = self.rules.team_size;
        self.fit(
            members,
            [team_size - self.round.parties()[first].len(), team_size],
            &others,
        )
    }

    /// Whether some of these parties, of whom each may be with the members, fill the open places.
    fn fit(&self, members: Vec<usize>, open: [usize; 2], parties: &[usize]) -> Fit {
        let kinds = kinds_of_matches(open);
        let mut match_ = OneMatch {
            all: self,
            members,
            looks: 0,
        };
        if match_.extend(parties, &kinds.iter().collect::<Vec<_>>(), Counts::default()) {
            match_.members.sort_unstable();
            Fit::Found(match_.members)
        } else if match_.looks > LOOKS {
            Fit::Undecided
        } else {
            Fit::Impossible
        }
    }

    fn may_meet(&self, party: usize, other: usize) -> bool {
        let [some, others] = [party, other].map(|party| &self.round.parties()[party]);
        let mut pairs = some.iter().flat_map(|&i| others.iter().map(move |&j| (i, j)));
        pairs.all(|(i, j)| self.rules.may_meet(self.round, i, j))
    }
}

/// A match on the way to be filled.
struct OneMatch<'a> {
    all: &'a FirstFit<'a>,
    members: Vec<usize>,
    /// At two parties so far.
    looks: usize,
}

impl OneMatch<'_> {
    /// Whether some of these parties make up what is missing, where so many of each size are taken and one of the kinds is to
    /// come of it; they are members then. Each party may be with all members.
    fn extend(&mut self, parties: &[usize], kinds: &[&Counts], taken: Counts) -> bool {
        let FirstFit { round, rules, .. } = *self.all;
        let missing = kinds.first().map_or(0, |kind| players(kind) - players(&taken));
        if missing == 0 {
            let is_asked = rules.server_rule == ServerRule::Required;
            return !is_asked || hosts(round, &self.members).next().is_some();
        }
        for (at, &party) in parties.iter().enumerate() {
            let members = &round.parties()[party];
            let mut taken = taken;
            taken[members.len()] += 1;
            let is_open = |kind: &&&Counts| minus(kind, &taken).is_some();
            let kinds: Vec<&Counts> = kinds.iter().filter(is_open).copied().collect();
            if kinds.is_empty() {
                continue;
            }
            let rest = if members.len() == missing {
                &[][..]
            } else {
                &parties[at + 1..]
            };
            self.looks += 1 + rest.len();
            if self.looks > LOOKS {
                return false;
            }
            let rest: Vec<usize> = rest
                .iter()
                .copied()
                .filter(|&other| self.all.may_meet(party, other))
                .collect();
            let left: usize = rest.iter().map(|&party| round.parties()[party].len()).sum();
            if left + members.len() < missing {
                continue;
            }
            self.members.extend(members);
            if self.extend(&rest, &kinds, taken) {
                return true;
            }
            self.members.truncate(self.members.len() - members.len());
            if self.looks > LOOKS {
                return false;
            }
        }
        false
    }
}
