//! Whom players avoid, and whom they would rather not have as mates.

use std::collections::HashMap;

use super::error::Error;
use super::read::Named;
use super::round::Round;

/// Some pairs of the players of a round, whoever of the two they came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ties {
    /// Of each player the others, ascending; empty if there are no pairs.
    of: Vec<Vec<u32>>,
}

impl Ties {
    /// These pairs, too, of players below `players`.
    pub(super) fn add(&mut self, pairs: &[(usize, usize)], players: usize) {
        if pairs.is_empty() {
            return;
        }
        self.of.resize(players, Vec::new());
        for &(i, j) in pairs {
            self.of[i].push(j as u32);
            self.of[j].push(i as u32);
        }
        for others in &mut self.of {
            others.sort_unstable();
            others.dedup();
        }
    }

    /// Those among `keep`, by their positions there; `players` are numbered.
    pub(super) fn among(&self, keep: &[usize], players: usize) -> Self {
        if self.is_empty() {
            return Self::default();
        }
        let mut position = vec![None; players];
        for (at, &i) in keep.iter().enumerate() {
            position[i] = Some(at as u32);
        }
        let of = |&i: &usize| {
            let mut others: Vec<u32> = self.of[i].iter().filter_map(|&j| position[j as usize]).collect();
            others.sort_unstable();
            others
        };
        let of: Vec<Vec<u32>> = keep.iter().map(of).collect();
        if of.iter().all(Vec::is_empty) {
            return Self::default();
        }
        Self { of }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn has(&self, i: usize, j: usize) -> bool {
        let others = self.of.get(i);
        others.is_some_and(|others| others.binary_search(&(j as u32)).is_ok())
    }

    /// The later ones of a player's.
    pub(super) fn after(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let others = self.of.get(i).map_or(&[][..], Vec::as_slice);
        others.iter().map(|&j| j as usize).filter(move |&j| j > i)
    }
}

impl Round {
    /// The same round in which these pairs, too, are never in one match, on whichever side: one of the two avoids the
    /// other.
    ///
    /// # Errors
    /// [`Error::AvoidsSelf`] for a pair of one player.
    ///
    /// # Panics
    /// If somebody is not below [`Round::len`].
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Judge, Round, Rules};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = "id,skill,region\nAnn,1,SA\nBen,2,SA\nCho,3,SA\n";
    /// let round = Round::read_csv(text.as_bytes())?.with_avoided([(2, 0)])?;
    /// assert!(!round.may_meet(0, 2) && round.may_meet(0, 1));
    /// let rules = Rules::new(1);
    /// let judge = Judge::new(&round, &rules)?;
    /// assert!(judge.best(&[0, 2]).is_none() && judge.best(&[0, 1]).is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn with_avoided(mut self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, Error> {
        let pairs = self.pairs("avoid", pairs)?;
        self.avoided.add(&pairs, self.len());
        Ok(self)
    }

    /// The same round in which these pairs, too, would rather not be mates: one of the two dislikes the other. A wish and
    /// no limit; it counts by [`Weights::company`](super::Weights::company), which is 0 unless set. Members of one party have
    /// chosen each other, and do not count.
    ///
    /// # Errors
    /// [`Error::AvoidsSelf`] for a pair of one player.
    ///
    /// # Panics
    /// If somebody is not below [`Round::len`].
    ///
    /// # Examples
    /// ```
    /// use matchmaking::lobby::{Judge, Round, Rules, Weights};
    ///
    /// # fn main() -> Result<(), matchmaking::lobby::Error> {
    /// let text = "id,skill,region\nAnn,4,SA\nBen,3,SA\nCho,2,SA\nDee,1,SA\n";
    /// let round = Round::read_csv(text.as_bytes())?.with_disliked([(0, 3)])?;
    /// let best = |company| {
    ///     let rules = Rules::new(2).skill_cap(4.0).weights(Weights { company, ..Weights::default() });
    ///     Judge::new(&round, &rules).map(|judge| judge.best(&[0, 1, 2, 3]).expect("a match").red)
    /// };
    /// assert_eq!(best(0.0)?, [0, 3]); // the fairest teams
    /// assert_eq!(best(9.0)?, [0, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn with_disliked(mut self, pairs: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, Error> {
        let pairs = self.pairs("dislike", pairs)?;
        self.disliked.add(&pairs, self.len());
        Ok(self)
    }

    /// Checks that these are pairs of two players each.
    #[track_caller]
    fn pairs(
        &self,
        field: &'static str,
        pairs: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Vec<(usize, usize)>, Error> {
        let players = self.len();
        let pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        for &(i, j) in &pairs {
            assert!(i < players && j < players, "players are numbered below {players}");
            if i == j {
                let (place, id) = (self.place(i), self.players()[i].id.clone());
                return Err(Error::AvoidsSelf { place, id, field });
            }
        }
        Ok(pairs)
    }

    /// The same round with the ids that players name.
    pub(super) fn with_named(self, named: Vec<Named>) -> Result<Self, Error> {
        let positions: HashMap<&str, usize> = match named.iter().all(Named::is_empty) {
            true => HashMap::new(),
            false => (self.players().iter().enumerate())
                .map(|(i, player)| (player.id.as_str(), i))
                .collect(),
        };
        let (mut avoided, mut disliked) = (Vec::new(), Vec::new());
        for (i, named) in named.into_iter().enumerate() {
            let (place, id) = (|| self.place(i), || self.players()[i].id.clone());
            let other = |field, other: &str| match positions.get(other) {
                Some(&j) if j == i => Err(Error::AvoidsSelf {
                    place: place(),
                    id: id(),
                    field,
                }),
                known => Ok(known.copied()),
            };
            for name in named.avoid {
                let Some(j) = other("avoid", &name)? else {
                    let (place, id, avoided) = (place(), id(), name);
                    return Err(Error::UnknownAvoid { place, id, avoided });
                };
                avoided.push((i, j));
            }
            for name in named.dislike {
                // Whoever is disliked need not be there: such lists are kept for longer than one round.
                disliked.extend(other("dislike", &name)?.map(|j| (i, j)));
            }
        }
        self.with_avoided(avoided)?.with_disliked(disliked)
    }

    /// Whether neither of two players avoids the other.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn may_meet(&self, i: usize, j: usize) -> bool {
        self.check_pair(i, j);
        !self.avoided.has(i, j)
    }

    /// Whether neither of two players dislikes the other; members of one party do not.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn get_along(&self, i: usize, j: usize) -> bool {
        self.check_pair(i, j);
        !self.disliked.has(i, j) || self.party_of(i) == self.party_of(j)
    }

    #[track_caller]
    fn check_pair(&self, i: usize, j: usize) {
        let (len, most) = (self.len(), i.max(j));
        assert!(most < len, "player {most} where the round has {len}");
    }

    /// Whether some player avoids another.
    pub fn has_avoided(&self) -> bool {
        !self.avoided.is_empty()
    }

    /// Whether some two players do not [get along](Self::get_along): one dislikes the other, who is of another party.
    pub fn has_disliked(&self) -> bool {
        self.disliked_pairs().any(|(i, j)| !self.get_along(i, j))
    }

    /// The pairs of players of whom one avoids the other: lower position, higher position, in order.
    pub fn avoided_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(move |i| self.avoided_pairs_of(i).map(move |j| (i, j)))
    }

    /// The pairs of players of whom one dislikes the other, members of one party as well: lower position, higher position,
    /// in order.
    pub fn disliked_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(move |i| self.disliked_pairs_of(i).map(move |j| (i, j)))
    }

    /// The later ones of those who must not be in one match with a player.
    pub(super) fn avoided_pairs_of(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        self.avoided.after(i)
    }

    /// The later ones of those who would rather not be a player's mates.
    pub(super) fn disliked_pairs_of(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        self.disliked.after(i)
    }
}
