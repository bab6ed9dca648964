//! Who can be in a match at all, where limits say who may be with whom.

use crate::lobby::round::Round;
use crate::lobby::rules::Rules;

/// For each party, whether there are enough others with whom it may be in a match to fill one, and its own members may;
/// those of which that does not hold do not count for others either. Those that may come to a running match are within
/// reach, and those that play already are not.
///
/// A necessary condition: those others may not be with each other. Two parties may be in one match if every two players of
/// them may.
pub(super) fn within_reach(round: &Round, rules: &Rules, comes: &[bool]) -> Vec<bool> {
    let count = round.parties().len();
    if !rules.has_limits(round) {
        return (0..count).map(|party| round.waits(party)).collect();
    }
    let mut reach = Reach::new(round, rules, comes);
    let is_out =
        |&party: &usize| !round.waits(party) || reach.is_short(party) || rules.too_far_in(round, party).is_some();
    let mut gone: Vec<usize> = (0..count).filter(is_out).collect();
    gone.iter().for_each(|&party| reach.is_in[party] = false);
    while let Some(party) = gone.pop() {
        for other in 0..count {
            if reach.is_in[other] && reach.may_meet(party, other) {
                reach.players[other] -= round.parties()[party].len();
                if reach.is_short(other) {
                    reach.is_in[other] = false;
                    gone.push(other);
                }
            }
        }
    }
    reach.is_in
}

/// Which parties may be with which, and what that leaves of the players.
struct Reach<'a> {
    /// A bit for every two parties, row by row.
    together: Vec<u64>,
    words: usize,
    /// Of each party, its players and those of all parties that it may be with and that count.
    players: Vec<usize>,
    is_in: Vec<bool>,
    /// Which parties may come to a running match.
    comes: &'a [bool],
    /// Players of a match.
    needed: usize,
}

impl<'a> Reach<'a> {
    fn new(round: &Round, rules: &Rules, comes: &'a [bool]) -> Self {
        let parties = round.parties();
        let (count, words) = (parties.len(), parties.len().div_ceil(64));
        let mut reach = Self {
            together: vec![0; count * words],
            words,
            players: parties.iter().map(Vec::len).collect(),
            is_in: vec![true; count],
            comes,
            needed: rules.match_size(),
        };
        for (a, b) in (0..count).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let mut pairs = parties[a].iter().flat_map(|&i| parties[b].iter().map(move |&j| (i, j)));
            if pairs.all(|(i, j)| rules.may_meet(round, i, j)) {
                for (one, other) in [(a, b), (b, a)] {
                    reach.together[one * words + other / 64] |= 1 << (other % 64);
                    reach.players[one] += parties[other].len();
                }
            }
        }
        reach
    }

    fn may_meet(&self, party: usize, other: usize) -> bool {
        self.together[party * self.words + other / 64] >> (other % 64) & 1 == 1
    }

    fn is_short(&self, party: usize) -> bool {
        self.players[party] < self.needed && !self.comes[party]
    }
}
