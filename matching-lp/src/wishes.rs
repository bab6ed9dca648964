//! What a problem asks for beside little cost: who stays together, who plays what, who waits.

use core::ops::RangeBounds;

use matching_core::CostValue;

use crate::error::Error;
use crate::problem::Problem;
use crate::roles::{Casting, MOST_ROLES, Role};

impl<V: CostValue> Problem<'_, V> {
    /// These players stay together: in one group, or all on the bench. Parties that share a player are one.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::Twice`].
    pub fn party(mut self, players: &[usize]) -> Result<Self, Error> {
        for (at, &player) in players.iter().enumerate() {
            self.check_player(player)?;
            if players[..at].contains(&player) {
                return Err(Error::Twice { player });
            }
        }
        if players.len() > 1 {
            self.parties.push(players.to_vec());
        }
        Ok(self)
    }

    /// These two players are not in one group. Both may wait.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::Twice`].
    pub fn apart(mut self, i: usize, j: usize) -> Result<Self, Error> {
        self.check_player(i)?;
        self.check_player(j)?;
        if i == j {
            return Err(Error::Twice { player: i });
        }
        self.apart.push((i, j));
        Ok(self)
    }

    /// What it costs that this player waits, where there is a bench: priority for those whose waiting costs more.
    /// Nothing unless given.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::WaitingNotANumber`].
    pub fn waiting_cost(mut self, player: usize, cost: V) -> Result<Self, Error> {
        self.check_player(player)?;
        if !cost.is_number() {
            return Err(Error::WaitingNotANumber { player });
        }
        self.waiting[player] = cost;
        Ok(self)
    }

    /// In every group `wanted` of its members play this role: `1..=1` for exactly one, `1..` for at least one, `..=2`
    /// for at most two. `players` are those who can.
    ///
    /// Everybody who can play some role plays exactly one of those he can; who can play none is in a group beside them.
    /// So a group is allowed if its members can be given roles such that every role is played by as many as it wants.
    /// Groups that stay empty need nobody. [`casting`](Self::casting) says who plays what in a group.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::Twice`]; [`Error::RoleBounds`] where no number is wanted;
    /// [`Error::TooManyRoles`] beyond eight.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_lp::{Groups, Problem, Solver};
    ///
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
    /// let problem = Problem::new(&gap, Groups::of_size(6, 3)?)?
    ///     .role("healer", 1..=1, &[1, 4, 5])?
    ///     .role("fighter", 1.., &[0, 1, 2, 3])?;
    /// let solution = Solver::new().solve(&problem)?;
    /// assert_eq!(solution.groups(), [[0, 3, 5], [1, 2, 4]]);
    /// // In the second group, 4 heals, so that 1, who could, fights.
    /// assert_eq!(problem.casting(&[1, 2, 4]), Some(vec![Some(1), Some(1), Some(0)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn role(mut self, name: &str, wanted: impl RangeBounds<usize>, players: &[usize]) -> Result<Self, Error> {
        for (at, &player) in players.iter().enumerate() {
            self.check_player(player)?;
            if players[..at].contains(&player) {
                return Err(Error::Twice { player });
            }
        }
        if self.roles.len() == MOST_ROLES {
            return Err(Error::TooManyRoles { most: MOST_ROLES });
        }
        self.roles.push(Role::new(name, &wanted, players, self.len())?);
        Ok(self)
    }

    /// This player, and so his party, is in this group, by its number among the groups.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`]; [`Error::NoSuchGroup`]; [`Error::PinsDisagree`] for a player who is pinned to another
    /// group too. That two of one party are pinned apart is found when the problem is solved.
    pub fn pin(mut self, player: usize, group: usize) -> Result<Self, Error> {
        self.check_player(player)?;
        let groups = self.groups().len();
        if group >= groups {
            return Err(Error::NoSuchGroup { group, groups });
        }
        match self.pins.iter().find(|pin| pin.0 == player) {
            Some(&(_, other)) if other != group => Err(Error::PinsDisagree {
                players: vec![player],
                groups: [other, group],
            }),
            Some(_) => Ok(self),
            None => {
                self.pins.push((player, group));
                Ok(self)
            }
        }
    }

    /// The number of the role that each of these players plays if they are one group, in their order, `None` for those
    /// who can play none; `None` if they cannot be given roles as these are wanted.
    ///
    /// # Panics
    /// If a player does not exist.
    pub fn casting(&self, members: &[usize]) -> Option<Vec<Option<usize>>> {
        Casting::of_players(&self.roles, members).complete()
    }

    fn check_player(&self, player: usize) -> Result<(), Error> {
        let players = self.len();
        if player < players {
            Ok(())
        } else {
            Err(Error::NoSuchPlayer { player, players })
        }
    }
}
