//! Cuts: what every grouping meets and solutions of the linear program need not.

use std::sync::Arc;

use crate::model::Model;

/// No grouping has more of a cut than `most`, where a column counts as often as the divisor goes into the weights of
/// its units.
///
/// Every unit is in one column, so all columns together have no more than the sum of the weights; divided, and rounded
/// down for each column and then for all, that is the cut (rank one, by V. Chvátal, "Edmonds polytopes and a hierarchy
/// of combinatorial problems", Discrete Mathematics 4 (1973), 305-337, doi:10.1016/0012-365X(73)90167-2). Three units
/// and 2: of the columns with two or three of them there is one at most (subset-row inequalities: M. Jepsen, B.
/// Petersen, S. Spoorendonk, D. Pisinger, Operations Research 56 (2008), 497-511, doi:10.1287/opre.1070.0449). The
/// players of a region and the size of teams: no more teams within the region than it has players for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Cut {
    /// Units, ascending, and their weights.
    pub(crate) units: Vec<(u16, u32)>,
    pub(crate) divisor: u32,
}

impl Cut {
    /// One of all columns with two or three of these units at most.
    pub(crate) fn of_three(mut triple: [u16; 3]) -> Self {
        triple.sort_unstable();
        Self {
            units: triple.map(|unit| (unit, 1)).to_vec(),
            divisor: 2,
        }
    }

    /// Units weigh as many as they have players.
    pub(crate) fn of_players(model: &Model<'_>, units: &[u16], divisor: u32) -> Self {
        let weighed = |&unit: &u16| (unit, model.size[usize::from(unit)]);
        let mut units: Vec<(u16, u32)> = units.iter().map(weighed).collect();
        units.sort_unstable();
        Self { units, divisor }
    }

    /// The cut of a problem where units have other numbers, or several have one, or some are not there.
    pub(crate) fn mapped(&self, number: impl Fn(u16) -> Option<u16>) -> Self {
        let numbers = self.units.iter();
        let mut units: Vec<(u16, u32)> = numbers
            .filter_map(|&(unit, weight)| Some((number(unit)?, weight)))
            .collect();
        units.sort_unstable();
        units.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            first.1 += if is_same { later.1 } else { 0 };
            is_same
        });
        Self {
            units,
            divisor: self.divisor,
        }
    }

    /// No grouping has more.
    pub(crate) fn most(&self) -> i64 {
        let weights: i64 = self.units.iter().map(|unit| i64::from(unit.1)).sum();
        weights / i64::from(self.divisor)
    }

    /// The weight of each of `units` units, zero outside.
    pub(crate) fn weights(&self, units: usize) -> Vec<u32> {
        let mut weights = vec![0; units];
        self.units
            .iter()
            .for_each(|&(unit, weight)| weights[usize::from(unit)] = weight);
        weights
    }

    /// How often a column counts, by the weights of all units.
    #[inline]
    pub(crate) fn times(&self, weights: &[u32], column: &[u16]) -> u32 {
        let inside: u32 = column.iter().map(|&unit| weights[usize::from(unit)]).sum();
        inside / self.divisor
    }
}

/// What cuts cost a team that grows and shrinks, unit by unit.
pub(crate) struct Tally {
    /// The cuts of each unit, by number, and its weight there.
    of_unit: Vec<Vec<(u32, u32)>>,
    divisor: Vec<u32>,
    /// What a column pays less each time it counts.
    price: Vec<i64>,
    /// Weights of the units there are.
    inside: Vec<u32>,
}

impl Tally {
    /// For no units yet, by the duals of these cuts.
    pub(crate) fn new(units: usize, cuts: &[(Arc<Cut>, i64)]) -> Self {
        let mut of_unit = vec![Vec::new(); units];
        for (number, (cut, _)) in cuts.iter().enumerate() {
            for &(unit, weight) in &cut.units {
                of_unit[usize::from(unit)].push((number as u32, weight));
            }
        }
        Self {
            of_unit,
            divisor: cuts.iter().map(|(cut, _)| cut.divisor).collect(),
            price: cuts.iter().map(|(_, dual)| -dual).collect(),
            inside: vec![0; cuts.len()],
        }
    }

    /// What the cuts cost more with this unit.
    #[inline]
    pub(crate) fn join(&mut self, unit: u16) -> i64 {
        let mut added = 0;
        for &(cut, weight) in &self.of_unit[usize::from(unit)] {
            let (cut, inside) = (cut as usize, &mut self.inside[cut as usize]);
            let before = *inside / self.divisor[cut];
            *inside += weight;
            let times = *inside / self.divisor[cut] - before;
            if times > 0 {
                added += self.price[cut] * i64::from(times);
            }
        }
        added
    }

    /// The unit leaves.
    #[inline]
    pub(crate) fn leave(&mut self, unit: u16) {
        for &(cut, weight) in &self.of_unit[usize::from(unit)] {
            self.inside[cut as usize] -= weight;
        }
    }

    /// What the cuts cost more with these units, who do not stay.
    #[inline]
    pub(crate) fn of_more<const MORE: usize>(&mut self, units: [u16; MORE]) -> i64 {
        if self.price.is_empty() {
            return 0;
        }
        let added = units.iter().map(|&unit| self.join(unit)).sum();
        units.iter().for_each(|&unit| self.leave(unit));
        added
    }

    /// What the cuts cost these units.
    pub(crate) fn of(&mut self, column: &[u16]) -> i64 {
        let added = column.iter().map(|&unit| self.join(unit)).sum();
        column.iter().for_each(|&unit| self.leave(unit));
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All ways to put units 0 to 6 in columns, each a set of bits.
    fn partitions(units: u16, columns: &mut Vec<Vec<u16>>, each: &mut dyn FnMut(&[Vec<u16>])) {
        let Some(unit) = units.checked_sub(1) else {
            return each(columns);
        };
        for at in 0..=columns.len() {
            if at == columns.len() {
                columns.push(Vec::new());
            }
            columns[at].push(unit);
            partitions(unit, columns, each);
            columns[at].pop();
            if columns[at].is_empty() {
                columns.pop();
            }
        }
    }

    #[test]
    fn no_partition_has_more_of_a_cut_than_it_says() {
        let cuts = [
            (vec![(0, 1), (1, 1), (2, 1)], 2, 1),
            (vec![(0, 1), (1, 1), (2, 1), (4, 1), (6, 1)], 2, 2),
            (vec![(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)], 3, 1),
            (vec![(1, 3), (2, 1), (5, 2), (6, 2)], 4, 2),
        ];
        for (units, divisor, most) in cuts {
            let cut = Cut { units, divisor };
            assert_eq!(cut.most(), most);
            let weights = cut.weights(7);
            let mut greatest = 0;
            partitions(7, &mut Vec::new(), &mut |columns| {
                let times = columns.iter().map(|column| cut.times(&weights, column));
                greatest = greatest.max(times.sum());
            });
            assert_eq!(i64::from(greatest), most, "{cut:?}");
        }
    }
}
