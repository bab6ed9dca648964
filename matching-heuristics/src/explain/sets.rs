//! Sets of units that together have so many members.

/// The sets of some units, by how many members they have together: counted all at once, and told one by one.
pub(super) struct Sets {
    /// Units with their sizes.
    units: Vec<(u32, usize)>,
    /// The most members that are asked for.
    most: usize,
    /// For every unit and number of members: how many sets of the units from that one on have so many; of more than
    /// `u64::MAX` that many.
    ways: Vec<u64>,
}

impl Sets {
    /// For sets of up to `most` members. What is looked at first has the largest units, and so few of them.
    pub(super) fn new(mut units: Vec<(u32, usize)>, most: usize) -> Self {
        units.sort_by_key(|&(unit, size)| (core::cmp::Reverse(size), unit));
        let mut ways = vec![0_u64; (units.len() + 1) * (most + 1)];
        // Of no units there is the empty set.
        ways[units.len() * (most + 1)] = 1;
        for (first, &(_, size)) in units.iter().enumerate().rev() {
            let (before, behind) = ways.split_at_mut((first + 1) * (most + 1));
            for members in 0..=most {
                let with = members.checked_sub(size).map_or(0, |rest| behind[rest]);
                before[first * (most + 1) + members] = behind[members].saturating_add(with);
            }
        }
        Self { units, most, ways }
    }

    fn ways(&self, first: usize, members: usize) -> u64 {
        self.ways[first * (self.most + 1) + members]
    }

    /// How many sets have so many members.
    pub(super) fn count(&self, members: usize) -> u64 {
        if members <= self.most { self.ways(0, members) } else { 0 }
    }

    /// The set that has this place among them, below [`count`](Self::count): first come those with the first unit.
    pub(super) fn nth(&self, mut members: usize, mut place: u64) -> Vec<u32> {
        let mut set = Vec::new();
        for (first, &(unit, size)) in self.units.iter().enumerate() {
            let rest = members.checked_sub(size);
            let with = rest.map_or(0, |rest| self.ways(first + 1, rest));
            match rest {
                Some(rest) if place < with => {
                    set.push(unit);
                    members = rest;
                }
                _ => place -= with,
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
        let sets = Sets::new((0..).zip(sizes).collect(), 6);
        for members in 0..=7 {
            let set = |mask: u32| (0..sizes.len()).filter(move |at| mask >> at & 1 == 1);
            let of_size = |&mask: &u32| set(mask).map(|at| sizes[at]).sum::<usize>() == members && members <= 6;
            let mut expected: Vec<Vec<u32>> = (0..1 << sizes.len())
                .filter(of_size)
                .map(|mask| set(mask).map(|at| at as u32).collect())
                .collect();
            let told = (0..sets.count(members)).map(|place| {
                let mut set = sets.nth(members, place);
                set.sort_unstable();
                set
            });
            let mut told: Vec<_> = told.collect();
            expected.sort();
            told.sort();
            assert_eq!(told, expected, "{members} members");
        }
    }

    #[test]
    fn more_sets_than_can_be_counted_are_many() {
        let sets = Sets::new((0..5_000).map(|unit| (unit, 1)).collect(), 20);
        assert_eq!((sets.count(2), sets.count(20)), (12_497_500, u64::MAX));
        assert_eq!(sets.nth(20, 40_000).len(), 20);
    }
}
