//! Roles that the members of a group play, and who can play what when.

use core::ops::{Bound, RangeBounds};

use crate::error::Error;

/// Roles at most: the solver looks at sets of roles.
pub(crate) const MOST_ROLES: usize = 8;

/// A role: how many of each group play it, and who can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Role {
    name: String,
    least: usize,
    most: usize,
    players: Vec<usize>,
    can_play: Vec<bool>,
}

impl Role {
    pub(crate) fn new(
        name: &str,
        wanted: &impl RangeBounds<usize>,
        players: &[usize],
        everybody: usize,
    ) -> Result<Self, Error> {
        let least = match wanted.start_bound() {
            Bound::Included(&least) => least,
            Bound::Excluded(&before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match wanted.end_bound() {
            Bound::Included(&most) => most.checked_add(1),
            Bound::Excluded(&end) => Some(end),
            Bound::Unbounded => None,
        };
        // No group is larger than everybody together.
        let end = end.unwrap_or(usize::MAX).min(least.max(everybody).saturating_add(1));
        if end <= least {
            return Err(Error::RoleBounds {
                role: name.to_owned(),
                least,
                end,
            });
        }
        let mut can_play = vec![false; everybody];
        players.iter().for_each(|&player| can_play[player] = true);
        Ok(Self {
            name: name.to_owned(),
            least,
            most: end - 1,
            players: players.to_vec(),
            can_play,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many of each group play it at least.
    pub fn least(&self) -> usize {
        self.least
    }

    /// How many of each group play it at most.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Who can play it, as they were given.
    pub fn players(&self) -> &[usize] {
        &self.players
    }

    /// Whether this player can.
    pub(crate) fn can_play(&self, player: usize) -> bool {
        self.can_play[player]
    }
}

/// What a player can do, as a set of roles, and whether he must do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Skill {
    pub(crate) roles: u16,
    /// Not for those who can do nothing, nor for those whose wishes do not count.
    pub(crate) must_play: bool,
}

impl Skill {
    pub(crate) fn of(roles: &[Role], player: usize) -> Self {
        let can = roles.iter().enumerate().filter(|(_, role)| role.can_play(player));
        let roles = can.fold(0, |set, (number, _)| set | 1 << number);
        Self {
            roles,
            must_play: roles != 0,
        }
    }

    /// Somebody who can play whatever is needed, and need not.
    pub(crate) fn anything(roles: &[Role]) -> Self {
        Self {
            roles: ((1_u32 << roles.len()) - 1) as u16,
            must_play: false,
        }
    }

    fn can_play(self, role: usize) -> bool {
        self.roles >> role & 1 == 1
    }
}

/// Roles of members, given one by one along augmenting paths.
///
/// First every role gets as many as it needs, if that is possible; then everybody who must play gets a role that has
/// room. The second takes nobody away from a role without another in his place, so both hold in the end if each of them
/// can (N. Mendelsohn, A. Dulmage, "Some generalizations of the problem of distinct representatives", Canadian Journal
/// of Mathematics 10 (1958), 230-241, doi:10.4153/CJM-1958-027-8).
pub(crate) struct Casting<'r> {
    roles: &'r [Role],
    members: Vec<Skill>,
    role_of: Vec<Option<usize>>,
    /// How many play each role.
    count: Vec<usize>,
}

impl<'r> Casting<'r> {
    pub(crate) fn new(roles: &'r [Role], members: Vec<Skill>) -> Self {
        Self {
            roles,
            role_of: vec![None; members.len()],
            count: vec![0; roles.len()],
            members,
        }
    }

    pub(crate) fn of_players(roles: &'r [Role], members: &[usize]) -> Self {
        Self::new(roles, members.iter().map(|&player| Skill::of(roles, player)).collect())
    }

    /// A role for each member, if all can be met.
    pub(crate) fn complete(mut self) -> Option<Vec<Option<usize>>> {
        (self.members.is_empty() || (self.fill() == 0 && self.seat())).then_some(self.role_of)
    }

    /// Whether all can be met once so many more are there who can play anything.
    pub(crate) fn leaves_open(mut self, more: usize) -> bool {
        self.fill() <= more && self.seat()
    }

    /// Gives every role as many as it needs; how many are missing.
    fn fill(&mut self) -> usize {
        let mut missing = 0;
        for role in 0..self.roles.len() {
            while self.count[role] < self.roles[role].least {
                if !self.find_member(role) {
                    missing += self.roles[role].least - self.count[role];
                    break;
                }
            }
        }
        missing
    }

    /// One more for a role: somebody free, or somebody of another role for whom one more is found.
    fn find_member(&mut self, start: usize) -> bool {
        // The member who would go from a role, and the role he would go to.
        let mut leaves: Vec<Option<(usize, usize)>> = vec![None; self.roles.len()];
        let mut queue = vec![start];
        let mut head = 0;
        while head < queue.len() {
            let role = queue[head];
            head += 1;
            for member in 0..self.members.len() {
                if !self.members[member].can_play(role) {
                    continue;
                }
                let Some(from) = self.role_of[member] else {
                    self.shift(member, role, &leaves, start);
                    return true;
                };
                if from != start && from != role && leaves[from].is_none() {
                    leaves[from] = Some((member, role));
                    queue.push(from);
                }
            }
        }
        false
    }

    /// Puts a member into a role, and whoever leaves that one into the next, up to `start`.
    fn shift(&mut self, mut member: usize, mut role: usize, leaves: &[Option<(usize, usize)>], start: usize) {
        loop {
            self.role_of[member] = Some(role);
            match leaves[role] {
                Some(next) if role != start => (member, role) = next,
                _ => break,
            }
        }
        self.count[start] += 1;
    }

    /// Gives everybody who must play a role with room; whether that is possible.
    fn seat(&mut self) -> bool {
        (0..self.members.len())
            .all(|member| !self.members[member].must_play || self.role_of[member].is_some() || self.find_role(member))
    }

    /// A role for a member: one with room, or one that somebody leaves for another, or that somebody leaves who need
    /// not play.
    fn find_role(&mut self, start: usize) -> bool {
        // Through whom each role is reached.
        let mut comes: Vec<Option<usize>> = vec![None; self.roles.len()];
        let mut queue = vec![start];
        let mut head = 0;
        while head < queue.len() {
            let member = queue[head];
            head += 1;
            for role in 0..self.roles.len() {
                if !self.members[member].can_play(role) || comes[role].is_some() {
                    continue;
                }
                comes[role] = Some(member);
                let there = |other: &usize| self.role_of[*other] == Some(role);
                let idle = (0..self.members.len()).find(|other| there(other) && !self.members[*other].must_play);
                if self.count[role] < self.roles[role].most || idle.is_some() {
                    match idle {
                        Some(idle) if self.count[role] >= self.roles[role].most => self.role_of[idle] = None,
                        _ => self.count[role] += 1,
                    }
                    self.move_up(role, &comes);
                    return true;
                }
                queue.extend((0..self.members.len()).filter(there));
            }
        }
        false
    }

    /// Whoever comes to this role moves, then whoever comes to the role he left.
    fn move_up(&mut self, mut role: usize, comes: &[Option<usize>]) {
        while let Some(member) = comes[role] {
            match self.role_of[member].replace(role) {
                Some(before) => role = before,
                None => break,
            }
        }
    }
}
