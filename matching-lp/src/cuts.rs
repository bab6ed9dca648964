//! Subset-row cuts that a solution violates.

use crate::model::{Kind, Model};
use crate::pool::Pool;

/// Least violation that counts.
const LEAST: f64 = 0.03;
/// Shares nearer to nothing or to all than this are that. Right-hand sides are disturbed by some 10^-5, which may add
/// up.
const WHOLE: f64 = 1e-3;

/// How often units are together in a solution of the linear program.
pub(crate) struct Together {
    units: usize,
    share: Vec<f64>,
    /// Columns of each unit, with their shares.
    columns: Vec<Vec<(u32, f64)>>,
}

impl Together {
    pub(crate) fn new(model: &Model, pool: &Pool, solution: &[(u32, f64)]) -> Self {
        let units = model.len();
        let mut share = vec![0.0; units * units];
        let mut columns = vec![Vec::new(); units];
        for &(column, value) in solution {
            let is_team = matches!(pool.kind(column), Kind::Team(_));
            for &a in pool.units(column) {
                if is_team {
                    columns[usize::from(a)].push((column, value));
                }
                for &b in pool.units(column) {
                    share[usize::from(a) * units + usize::from(b)] += value;
                }
            }
        }
        Self { units, share, columns }
    }

    #[inline]
    pub(crate) fn share(&self, a: usize, b: usize) -> f64 {
        self.share[a * self.units + b]
    }

    /// Pairs that are together in part, and how much.
    pub(crate) fn split_pairs(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.units).flat_map(move |a| {
            (a + 1..self.units)
                .map(move |b| (a, b, self.share(a, b)))
                .filter(|&(_, _, share)| share > WHOLE && share < 1.0 - WHOLE)
        })
    }

    /// Triples of units of which columns with two or three of them add up to more than one, most violated first, at
    /// most `most` of them and not too many of one unit.
    pub(crate) fn violated(&self, pool: &Pool, most: usize) -> Vec<[u16; 3]> {
        let mut found: Vec<(f64, [u16; 3])> = Vec::new();
        let near: Vec<Vec<usize>> = (0..self.units)
            .map(|a| (a + 1..self.units).filter(|&b| self.share(a, b) > 1e-5).collect())
            .collect();
        for (a, others) in near.iter().enumerate() {
            for (at, &b) in others.iter().enumerate() {
                for &c in &others[at + 1..] {
                    let pairs = self.share(a, b) + self.share(a, c) + self.share(b, c);
                    if pairs > 1.0 + LEAST && self.share(b, c) > 1e-5 {
                        let all: f64 = self.columns[a]
                            .iter()
                            .filter(|&&(column, _)| {
                                let units = pool.units(column);
                                units.contains(&(b as u16)) && units.contains(&(c as u16))
                            })
                            .map(|&(_, value)| value)
                            .sum();
                        let excess = pairs - 2.0 * all - 1.0;
                        if excess > LEAST {
                            found.push((excess, [a as u16, b as u16, c as u16]));
                        }
                    }
                }
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut used = vec![0; self.units];
        let mut chosen = Vec::new();
        for (_, triple) in found {
            if chosen.len() < most && triple.iter().all(|&unit| used[usize::from(unit)] < 4) {
                triple.iter().for_each(|&unit| used[usize::from(unit)] += 1);
                chosen.push(triple);
            }
        }
        chosen
    }
}
