//! Sets of parties that together have so many members.

/// The sets of some parties, by how many parties they have and how many members these have together: counted all at once, and
/// told one by one.
pub(super) struct Sets<'a> {
    parties: Vec<&'a Vec<usize>>,
    /// The most members that are asked for, and so the most parties.
    most: usize,
    /// For every party, number of parties and number of members: how many such sets there are of the parties from that one on.
    ways: Vec<u64>,
}

impl<'a> Sets<'a> {
    /// Of parties without an empty one, for sets of up to `most` members.
    pub(super) fn new(parties: Vec<&'a Vec<usize>>, most: usize) -> Self {
        let mut sets = Self {
            ways: vec![0; (parties.len() + 1) * (most + 1) * (most + 1)],
            parties,
            most,
        };
        // Of no parties there is the empty set.
        let last = sets.at(sets.parties.len(), 0, 0);
        sets.ways[last] = 1;
        for first in (0..sets.parties.len()).rev() {
            for number in 0..=most {
                for members in 0..=most {
                    let with = sets.with(first, number, members);
                    let without = sets.ways[sets.at(first + 1, number, members)];
                    let at = sets.at(first, number, members);
                    sets.ways[at] = without.saturating_add(with);
                }
            }
        }
        sets
    }

    fn at(&self, first: usize, number: usize, members: usize) -> usize {
        (first * (self.most + 1) + number) * (self.most + 1) + members
    }

    /// Sets of parties from the first one on that have it.
    fn with(&self, first: usize, number: usize, members: usize) -> u64 {
        let rest = members.checked_sub(self.parties[first].len());
        let rest = rest.filter(|_| number > 0);
        rest.map_or(0, |rest| self.ways[self.at(first + 1, number - 1, rest)])
    }

    /// How many sets of so many parties have so many members; of more than `u64::MAX` that many.
    pub(super) fn count(&self, number: usize, members: usize) -> u64 {
        match number.max(members) <= self.most {
            true => self.ways[self.at(0, number, members)],
            false => 0,
        }
    }

    /// The set that has this place among them, below [`count`](Self::count): first come those with the first party.
    pub(super) fn nth(&self, mut number: usize, mut members: usize, mut place: u64) -> Vec<Vec<usize>> {
        let mut set = Vec::with_capacity(number);
        for (first, &party) in self.parties.iter().enumerate() {
            if number == 0 {
                break;
            }
            let with = self.with(first, number, members);
            if place < with {
                set.push(party.clone());
                number -= 1;
                members -= party.len();
            } else {
                place -= with;
            }
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::Sets;

    /// Every set is told once, and no other one: as masks have them.
    #[test]
    fn sets_are_those_of_all_masks() {
        let sizes = [1, 2, 1, 3, 1, 2, 5, 1, 4];
        let parties: Vec<Vec<usize>> = (0..).zip(sizes).map(|(i, size)| vec![i; size]).collect();
        let sets = Sets::new(parties.iter().collect(), 5);
        for number in 0..=6 {
            for members in 0..=6 {
                let mut expected: Vec<Vec<Vec<usize>>> = Vec::new();
                for mask in 0..1 << parties.len() {
                    let is_in = |&at: &usize| mask >> at & 1 == 1;
                    let set: Vec<Vec<usize>> = (0..parties.len()).filter(is_in).map(|at| parties[at].clone()).collect();
                    if number.max(members) <= 5
                        && set.len() == number
                        && set.iter().map(Vec::len).sum::<usize>() == members
                    {
                        expected.push(set);
                    }
                }
                let count = sets.count(number, members);
                let mut found: Vec<_> = (0..count).map(|place| sets.nth(number, members, place)).collect();
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{number} parties of {members}");
            }
        }
    }

    #[test]
    fn more_sets_than_can_be_counted_are_many() {
        let parties = vec![vec![0]; 5_000];
        let sets = Sets::new(parties.iter().collect(), 20);
        assert_eq!((sets.count(2, 2), sets.count(20, 20)), (12_497_500, u64::MAX));
        assert_eq!(sets.nth(20, 20, 40_000).len(), 20);
    }
}
