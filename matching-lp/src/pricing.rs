//! All teams whose reduced cost is small, exactly: a depth-first search for light cliques.
//!
//! The reduced cost of a team is what it costs less what its units and its class pay by their duals. A partial team
//! looks at its candidates: units that may join all its members. With `q` more to come, candidate `j` adds at least its
//! own weight `w(j)`, which is what it costs with those already there less its dual, and half of its `q - 1` least
//! costs with other candidates, since each pair among those to come is counted from both sides. The sum of the `q`
//! least of these is a bound, and who does not fit beside the `q - 1` least ones is no candidate any more. Numbers are
//! doubled for the half. Roles, and what whole groups cost at least, are looked at for every partial team (`rules.rs`).
//! Cuts cost a partial team what they count of it already, and never less later; those of whole sets have searches of
//! their own (`grounds.rs`).

mod bounds;
mod grounds;
mod leaves;
mod prices;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use prices::Prices;

use crate::cut::Tally;
use crate::limits::{Clock, Ran};
use crate::model::{Model, SCALE};
use grounds::{Ground, Grounds, NONE};
use rules::Rules;

/// What to do after a team was reported.
pub(crate) enum Next {
    /// Go on with teams of reduced cost up to this.
    UpTo(i64),
    /// Go on with teams of reduced cost up to this, as long as the first member is the same.
    UpToForFirst(i64),
    /// Stop all.
    Stop,
}

/// Whether a partial team is within a part of the ground, which it has to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Without members.
    Empty,
    /// Within this part.
    Part(u16),
    /// Out of it.
    Left,
}

impl Home {
    /// With one more member, of this part.
    #[inline]
    fn with(self, part: u16) -> Self {
        match self {
            Self::Empty if part != NONE => Self::Part(part),
            Self::Part(before) if part == before => self,
            _ => Self::Left,
        }
    }
}

/// Candidates of a partial team: the unit, and what it adds.
type Candidates = Vec<(u16, i64)>;

/// The search for light teams.
pub(crate) struct Pricing<'a> {
    model: &'a Model<'a>,
    prices: &'a Prices,
    most_players: u32,
    /// Players of the smallest and of the largest unit that may play.
    sizes: [u32; 2],
    greatest_dual: i64,
    threshold: i64,
    /// The threshold for another first member.
    base: i64,
    team: Vec<u16>,
    is_stopped: bool,
    /// Lists to be used again, by depth.
    spare: Vec<Candidates>,
    keys: Vec<(i64, u16, i64)>,
    least: Vec<i64>,
    /// Sums of the least costs of each unit with any others: of none, of one, of two and so on, `width` for each.
    sums: Vec<i64>,
    width: usize,
    scratch: Vec<i64>,
    /// `None` where teams are judged by their pairs and sizes alone.
    rules: Option<Rules<'a>>,
    /// What all teams with the members so far cost at least as a whole, beside their pairs.
    whole: i64,
    /// Cuts that are no grounds, counted for the members so far.
    tally: Tally,
    /// The part of each unit in the ground that is searched.
    part_of: Vec<u16>,
    home: Home,
}

/// What the members of a team so far come to.
#[derive(Clone, Copy)]
struct SoFar {
    players: u32,
    value: i64,
}

/// Who is told of teams, and when to stop.
struct Listener<'r, 'c> {
    clock: &'r mut Clock<'c>,
    report: &'r mut dyn FnMut(&[u16], i64) -> Next,
}

impl<'a> Pricing<'a> {
    pub(crate) fn new(model: &'a Model<'a>, prices: &'a Prices) -> Self {
        let most_players = (0..prices.size.len()).rfind(|&size| prices.size[size].is_some());
        let playing = || {
            (0..model.len())
                .filter(|&unit| model.may_play[unit])
                .map(|unit| model.size[unit])
        };
        Self {
            model,
            prices,
            most_players: most_players.unwrap_or(0) as u32,
            sizes: [playing().min().unwrap_or(1), playing().max().unwrap_or(1)],
            greatest_dual: prices.size.iter().copied().flatten().max().unwrap_or(0),
            threshold: 0,
            base: 0,
            team: Vec::new(),
            is_stopped: false,
            spare: Vec::new(),
            keys: Vec::new(),
            least: Vec::new(),
            sums: Vec::new(),
            width: 0,
            scratch: Vec::new(),
            rules: None,
            whole: 0,
            tally: Tally::new(0, &[]),
            part_of: Vec::new(),
            home: Home::Empty,
        }
    }

    /// Reports every team whose reduced cost is at most `threshold`, units in no order, with its reduced cost. Whether
    /// that is proven to be all.
    pub(crate) fn run(
        mut self,
        threshold: i64,
        clock: &mut Clock<'_>,
        report: &mut dyn FnMut(&[u16], i64) -> Next,
    ) -> Ran {
        self.threshold = threshold;
        self.base = threshold;
        let Grounds { all: grounds, rest } = Grounds::new(self.model, &self.prices.cuts);
        self.tally = Tally::new(self.model.len(), &rest);
        let playing = self.model.may_play.iter().filter(|may_play| **may_play).count();
        let most_units = (self.most_players / self.sizes[0]).min(playing as u32) as usize;
        self.find_sums(most_units, clock);
        if clock.is_over() {
            return Ran::Short;
        }
        if !self.model.is_by_pairs() {
            self.rules = Some(Rules::new(self.model));
        }
        let mut listener = Listener { clock, report };
        for ground in grounds {
            if self.search(ground, most_units, &mut listener) == Ran::Short {
                return Ran::Short;
            }
        }
        Ran::All
    }

    /// All teams of a ground.
    fn search(&mut self, ground: Ground, most_units: usize, listener: &mut Listener<'_, '_>) -> Ran {
        let Ground { units, price, part_of } = ground;
        self.part_of = part_of;
        for members in 1..=most_units {
            if !self.can_be_team(0, members) {
                continue;
            }
            let playing = units.iter().filter(|&&unit| self.model.may_play[usize::from(unit)]);
            let mut start: Candidates = playing.map(|&unit| (unit, self.alone(unit))).collect();
            self.team.clear();
            self.home = Home::Empty;
            if let Some(rules) = &mut self.rules {
                let Some(whole) = rules.start(members, self.most_players) else {
                    continue;
                };
                self.whole = whole;
                start.retain(|&(unit, _)| rules.admits(unit));
            }
            let nobody = SoFar {
                players: 0,
                value: price,
            };
            self.extend(start, members, nobody, listener);
            if self.is_stopped || listener.clock.is_over() {
                return Ran::Short;
            }
        }
        Ran::All
    }

    fn size(&self, unit: u16) -> u32 {
        self.model.size[usize::from(unit)]
    }

    /// Whether any group has room for so many players and so many more units, as far as sizes of units tell.
    #[inline]
    fn can_be_team(&self, players: u32, more: usize) -> bool {
        let [least, most] = self.sizes.map(|size| players as usize + more * size as usize);
        let sizes = &self.prices.size;
        sizes.len() > least && sizes[least..=most.min(sizes.len() - 1)].iter().any(Option::is_some)
    }

    /// What a unit adds to an empty team.
    fn alone(&self, unit: u16) -> i64 {
        self.model.inside[usize::from(unit)] * SCALE - self.prices.unit[usize::from(unit)]
    }

    #[inline]
    fn pair(&self, a: u16, b: u16) -> i64 {
        self.model.pair(usize::from(a), usize::from(b)) * SCALE
    }

    /// All ways to add `more` of the candidates to the team.
    fn extend(&mut self, mut candidates: Candidates, more: usize, so_far: SoFar, listener: &mut Listener<'_, '_>) {
        listener.clock.step(candidates.len() as u64);
        match more {
            1 => self.last(&candidates, so_far, listener),
            2 if self.rules.is_none() => self.last_two(&candidates, so_far, listener),
            _ if self.keep_promising(&mut candidates, more, so_far.value, listener.clock) => {
                self.branch(&candidates, more, so_far, listener);
            }
            _ => {}
        }
        self.spare.push(candidates);
    }

    /// One branch for each candidate as the next member, with those after it as candidates. They stand in order of
    /// their bounds, worst first, so that most branches end soon and the last ones, which do not, have few candidates.
    fn branch(&mut self, candidates: &[(u16, i64)], more: usize, so_far: SoFar, listener: &mut Listener<'_, '_>) {
        for (at, &(unit, weight)) in candidates.iter().enumerate() {
            if candidates.len() - at < more {
                break;
            }
            let players = so_far.players + self.size(unit);
            if !self.can_be_team(players, more - 1) {
                continue;
            }
            let (whole_before, home_before) = (self.whole, self.home);
            if let Some(rules) = &mut self.rules {
                self.team.push(unit);
                let whole = rules.enter(&self.team, players, more - 1, self.most_players);
                self.team.pop();
                // What is known of a partial team may take its time to say.
                if listener.clock.pass_asked() {
                    return;
                }
                match whole {
                    Some(whole) => self.whole = whole,
                    None => continue,
                }
            }
            let mut rest = self.spare.pop().unwrap_or_default();
            rest.clear();
            let model = self.model;
            rest.extend(
                candidates[at + 1..]
                    .iter()
                    .filter(|&&(other, _)| model.is_allowed(usize::from(unit), usize::from(other)))
                    .filter(|&&(other, _)| self.rules.as_ref().is_none_or(|rules| rules.admits(other)))
                    .map(|&(other, weight)| (other, weight + self.pair(unit, other))),
            );
            self.team.push(unit);
            self.home = self.home.with(self.part_of[usize::from(unit)]);
            let of_cuts = self.tally.join(unit);
            let value = so_far.value + weight + of_cuts;
            self.extend(rest, more - 1, SoFar { players, value }, listener);
            self.tally.leave(unit);
            self.home = home_before;
            self.team.pop();
            if let Some(rules) = &mut self.rules {
                rules.leave();
                self.whole = whole_before;
            }
            if self.is_stopped || listener.clock.is_over() {
                return;
            }
            if self.team.is_empty() {
                self.threshold = self.base;
            }
        }
    }
}
