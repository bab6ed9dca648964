//! What is to be grouped, and what must hold.

use core::fmt;

use matching_core::{Cost, CostValue, GroupCost};
use matching_heuristics::Groups;

use crate::conflict::{role_conflict, size_conflict};
use crate::crowd::Crowd;
use crate::error::{Conflict, Error, Overflow};
use crate::model::Model;
use crate::roles::Role;
use crate::torn::Torn;

/// Players are numbered in 16 bits, with some numbers to spare.
const MOST_PLAYERS: usize = 60_000;

/// A cost of whole groups that may be asked from anywhere.
pub(crate) type WholeCost<'a, V> = dyn GroupCost<Value = V> + Sync + 'a;

/// A grouping problem: every player in one group, or on the bench where there is one, such that all groups together
/// cost as little as possible. A group costs the sum of its pairs and what [`group_cost`](Self::group_cost)s say of it;
/// a player on the bench costs what waiting costs.
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
    pairs: Option<&'a (dyn Cost<Value = V> + 'a)>,
    /// Stands in where there is no cost of pairs.
    nothing: Nothing<V>,
    group_costs: Vec<&'a WholeCost<'a, V>>,
    groups: Groups,
    pub(crate) parties: Vec<Vec<usize>>,
    pub(crate) apart: Vec<(usize, usize)>,
    pub(crate) roles: Vec<Role>,
    pub(crate) pins: Vec<(usize, usize)>,
    pub(crate) waiting: Vec<V>,
}

/// Pairs that cost nothing.
#[derive(Clone, Copy, Debug)]
struct Nothing<V> {
    players: usize,
    zero: V,
}

impl<V: CostValue> Cost for Nothing<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.players
    }

    fn pair(&self, _: usize, _: usize) -> V {
        self.zero
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

impl<'a, V: CostValue> Problem<'a, V> {
    /// A problem in which a group costs the sum of its pairs. Pairs that the cost forbids are in no group together.
    /// References and boxes of costs are costs, so that one that is chosen when the program runs may be given as
    /// `&Box<dyn Cost<Value = V>>`.
    ///
    /// # Errors
    /// [`Error::Empty`] without players; [`Error::NotSquare`] for a cost of two different sides;
    /// [`Error::TooManyPlayers`].
    pub fn new<C: Cost<Value = V>>(cost: &'a C, groups: Groups) -> Result<Self, Error> {
        if cost.cols() != cost.len() {
            return Err(Error::NotSquare {
                rows: cost.len(),
                cols: cost.cols(),
            });
        }
        let mut problem = Self::bare(cost.len(), groups)?;
        problem.pairs = Some(cost);
        Ok(problem)
    }

    /// Groups that cost what `cost` says of each as a whole, and nothing else: [`group_cost`](Self::group_cost) without
    /// a cost of pairs.
    ///
    /// # Errors
    /// [`Error::Empty`] without players; [`Error::TooManyPlayers`].
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_lp::{Groups, Problem, Solver};
    ///
    /// // A team costs the gap between its best player and its worst.
    /// let skill = [900_i64, 1500, 1480, 950, 1490, 920];
    /// let spread = cost::from_group_fn(6, |team| {
    ///     let skills = || team.iter().map(|&player| skill[player]);
    ///     skills().max().unwrap_or(0) - skills().min().unwrap_or(0)
    /// });
    /// let problem = Problem::by_group(&spread, Groups::of_size(6, 3)?)?;
    /// let solution = Solver::new().solve(&problem)?;
    /// assert_eq!((solution.groups(), solution.cost()), (&[vec![0, 3, 5], vec![1, 2, 4]][..], 70));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by_group<C: GroupCost<Value = V> + Sync>(cost: &'a C, groups: Groups) -> Result<Self, Error> {
        Self::bare(cost.len(), groups)?.group_cost(cost)
    }

    fn bare(players: usize, groups: Groups) -> Result<Self, Error> {
        match players {
            0 => Err(Error::Empty),
            1..=MOST_PLAYERS => Ok(Self {
                pairs: None,
                nothing: Nothing {
                    players,
                    zero: V::zero(),
                },
                group_costs: Vec::new(),
                groups,
                parties: Vec::new(),
                apart: Vec::new(),
                roles: Vec::new(),
                pins: Vec::new(),
                waiting: vec![V::zero(); players],
            }),
            _ => Err(Error::TooManyPlayers {
                players,
                most: MOST_PLAYERS,
            }),
        }
    }

    /// What a group costs as a whole, beside its pairs and other such costs; groups that it forbids are none. Nothing
    /// is asked of groups that stay empty. [`Halves`](crate::Halves), which balances two teams, is one.
    ///
    /// How far the solver gets depends on [`GroupCost::group_bound`]: where nothing is known of groups that are not
    /// complete, it looks at all groups there are.
    ///
    /// # Errors
    /// [`Error::OtherPlayers`] for a cost of more or fewer players.
    pub fn group_cost<C: GroupCost<Value = V> + Sync>(mut self, cost: &'a C) -> Result<Self, Error> {
        if cost.len() != self.len() {
            return Err(Error::OtherPlayers {
                players: self.len(),
                found: cost.len(),
            });
        }
        self.group_costs.push(cost);
        Ok(self)
    }

    /// Number of players.
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.nothing.players
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

    /// The roles, in the order they were given.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Players and the groups they are pinned to, as they were given.
    pub fn pins(&self) -> &[(usize, usize)] {
        &self.pins
    }

    /// Why there is no grouping, where numbers alone say so: of places, of players for roles, of players who must all
    /// be apart; or where players who must play together, as a party or as they are pinned, must be apart as well.
    /// Players are said to be the fewest only where that is seen, too. `None` says nothing. The solver looks at this
    /// first; here it is for whoever searches otherwise.
    ///
    /// # Errors
    /// Wishes that contradict each other at once, as from [`Solver::solve`](crate::Solver::solve);
    /// [`Error::OutOfMemory`].
    ///
    /// # Complexity
    /// O(n²) looks at whether two players may be together, after which `None` is said; no costs are read.
    ///
    /// # Examples
    /// ```
    /// use matching_core::cost;
    /// use matching_lp::{Conflict, Groups, Problem};
    ///
    /// let cost = cost::from_symmetric_fn(40, |_, _| 0_i64);
    /// let problem = Problem::new(&cost, Groups::of_size(40, 20)?)?;
    /// let problem = problem.apart(3, 5)?.apart(5, 9)?.apart(3, 9)?;
    /// let conflict = problem.conflict_at_sight()?;
    /// assert!(matches!(conflict, Some(Conflict::Players { players, .. }) if players == [3, 5, 9]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn conflict_at_sight(&self) -> Result<Option<Conflict>, Error> {
        if let Some(conflict) = size_conflict(self).or_else(|| role_conflict(self)) {
            return Ok(Some(conflict));
        }
        let model = Model::of_all_wishes(self)?;
        if let Some(Torn { players, is_minimal }) = Torn::find(self, &model) {
            return Ok(Some(Conflict::Players { players, is_minimal }));
        }
        let crowd = Crowd::find(self, &model, &|| false);
        Ok(crowd.map(|Crowd { players, is_minimal }| Conflict::Players { players, is_minimal }))
    }

    /// The cost of pairs.
    pub(crate) fn cost(&self) -> &(dyn Cost<Value = V> + '_) {
        self.pairs.unwrap_or(&self.nothing)
    }

    /// The costs of whole groups.
    pub(crate) fn group_costs(&self) -> &[&'a WholeCost<'a, V>] {
        &self.group_costs
    }

    /// What it costs that a player waits: nothing, whatever was said of it, where nobody may.
    pub(crate) fn waiting(&self, player: usize) -> V {
        match self.groups.bench().end() {
            0 => V::zero(),
            _ => self.waiting[player],
        }
    }

    /// Most pairs, players and groups whose costs can be in a grouping.
    pub(crate) fn pairs_at_most(&self) -> usize {
        let pairs = (0..self.groups.len())
            .map(|group| (*self.groups.bounds(group).end()).min(self.len()))
            .map(|most| most * most.saturating_sub(1) / 2);
        pairs.sum::<usize>() + self.len() + self.groups.len() * self.group_costs.len()
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
            _ => Err(Error::CostOverflow(Overflow::Sum)),
        };
        for members in groups {
            for (at, &i) in members.iter().enumerate() {
                for &j in &members[at + 1..] {
                    let value = self.cost().checked_pair(i, j);
                    add(value.ok_or(Error::CostOverflow(Overflow::Pair { i, j }))?)?;
                }
            }
            for cost in self.group_costs.iter().filter(|_| !members.is_empty()) {
                let overflow = || {
                    let members = members.clone();
                    Error::CostOverflow(Overflow::Group { members })
                };
                add(cost.checked_group(members).ok_or_else(overflow)?)?;
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
            .field("roles", &self.roles)
            .field("pins", &self.pins)
            .field("group_costs", &self.group_costs.len())
            .finish_non_exhaustive()
    }
}
