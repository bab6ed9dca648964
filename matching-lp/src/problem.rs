//! What is to be grouped, and what must hold.

use core::fmt;

use matching_core::{Cost, CostValue};
use matching_heuristics::Groups;

use crate::error::Error;

/// Players are numbered in 16 bits, with some numbers to spare.
const MOST_PLAYERS: usize = 60_000;

/// A grouping problem: every player in one group, or on the bench where there is one, such that all groups together
/// cost as little as possible. A group costs the sum of its pairs; a player on the bench costs what waiting costs.
///
/// # Examples
/// ```
/// use matching_core::cost;
/// use matching_lp::{Groups, Problem, Solver};
///
/// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
/// let gap = cost::from_symmetric_fn(6, |i, j| (skill[i] - skill[j]).abs());
/// let problem = Problem::new(&gap, Groups::of_size(6, 3)?)?.party(&[0, 1])?.apart(3, 5)?;
/// let solution = Solver::new().solve(&problem)?;
/// assert_eq!(solution.groups(), [vec![0, 1, 5], vec![2, 3, 4]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Problem<'a, V: CostValue> {
    cost: &'a (dyn Cost<Value = V> + 'a),
    groups: Groups,
    parties: Vec<Vec<usize>>,
    apart: Vec<(usize, usize)>,
    waiting: Vec<V>,
}

impl<'a, V: CostValue> Problem<'a, V> {
    /// Groups of pairs' costs. Pairs that the cost forbids are in no group together.
    ///
    /// # Errors
    /// [`Error::Empty`] without players; [`Error::NotSquare`] for a cost of two different sides;
    /// [`Error::TooManyPlayers`].
    pub fn new<C: Cost<Value = V>>(cost: &'a C, groups: Groups) -> Result<Self, Error> {
        let players = cost.len();
        if cost.cols() != players {
            return Err(Error::NotSquare {
                rows: players,
                cols: cost.cols(),
            });
        }
        match players {
            0 => Err(Error::Empty),
            1..=MOST_PLAYERS => Ok(Self {
                cost,
                groups,
                parties: Vec::new(),
                apart: Vec::new(),
                waiting: vec![V::zero(); players],
            }),
            _ => Err(Error::TooManyPlayers {
                players,
                most: MOST_PLAYERS,
            }),
        }
    }

    /// These players stay together: in one group, or all on the bench. Parties that share a player are one.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::Twice`].
    pub fn party(mut self, players: &[usize]) -> Result<Self, Error> {
        for (at, &player) in players.iter().enumerate() {
            self.check(player)?;
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
        self.check(i)?;
        self.check(j)?;
        if i == j {
            return Err(Error::Twice { player: i });
        }
        self.apart.push((i, j));
        Ok(self)
    }

    /// What it costs that this player waits, where there is a bench: priority for those whose waiting costs more. Nothing
    /// unless given.
    ///
    /// # Errors
    /// [`Error::NoSuchPlayer`], [`Error::WaitingNotANumber`].
    pub fn waiting_cost(mut self, player: usize, cost: V) -> Result<Self, Error> {
        self.check(player)?;
        if !cost.is_number() {
            return Err(Error::WaitingNotANumber { player });
        }
        self.waiting[player] = cost;
        Ok(self)
    }

    fn check(&self, player: usize) -> Result<(), Error> {
        let players = self.len();
        if player < players {
            Ok(())
        } else {
            Err(Error::NoSuchPlayer { player, players })
        }
    }

    /// Number of players.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.cost.len()
    }

    /// The groups to be filled.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The parties as they were given.
    pub fn parties(&self) -> &[Vec<usize>] {
        &self.parties
    }

    /// The pairs kept apart by [`apart`](Self::apart), as they were given.
    pub fn pairs_apart(&self) -> &[(usize, usize)] {
        &self.apart
    }

    pub(crate) fn cost(&self) -> &'a (dyn Cost<Value = V> + 'a) {
        self.cost
    }

    pub(crate) fn waiting(&self) -> &[V] {
        &self.waiting
    }

    /// Most pairs and players whose costs can be in a grouping.
    pub(crate) fn pairs_at_most(&self) -> usize {
        let pairs = (0..self.groups.len())
            .map(|group| (*self.groups.bounds(group).end()).min(self.len()))
            .map(|most| most * most.saturating_sub(1) / 2);
        pairs.sum::<usize>() + self.len()
    }

    /// What this grouping costs, counted from the cost itself.
    ///
    /// # Errors
    /// [`Error::CostOverflow`] if the total does not fit.
    pub(crate) fn total(&self, groups: &[Vec<usize>], bench: &[usize]) -> Result<V::Total, Error> {
        let mut total: V::Total = num_traits::zero();
        let mut add = |value: V| match total.checked_add(value.to_total()) {
            Some(sum) if sum.is_number() => {
                total = sum;
                Ok(())
            }
            _ => Err(Error::CostOverflow),
        };
        for members in groups {
            for (at, &i) in members.iter().enumerate() {
                for &j in &members[at + 1..] {
                    add(self.cost.checked_pair(i, j).ok_or(Error::CostOverflow)?)?;
                }
            }
        }
        for &player in bench {
            add(self.waiting[player])?;
        }
        Ok(total)
    }
}

impl<V: CostValue> fmt::Debug for Problem<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problem")
            .field("len", &self.len())
            .field("groups", &self.groups)
            .field("parties", &self.parties)
            .field("apart", &self.apart)
            .finish_non_exhaustive()
    }
}
