//! Small linear programmes in exact fractions, with proofs of what they find.
//!
//! A dense tableau, artificial variables first, Bland's rule: no tolerance, no cycling, and for a dozen of rows and
//! some hundred columns no need for more. References: R. Bland, "New finite pivoting rules for the simplex method",
//! Mathematics of Operations Research 2 (1977), 103-107, doi:10.1287/moor.2.2.103; J. Farkas, "Theorie der einfachen
//! Ungleichungen", 1902.

use core::cmp::Ordering;

use num_traits::{One, Signed, Zero};

use crate::scalar::Rational;

/// What became of a programme: values `x >= 0` of greatest gain with `sum of x_j column_j = right`, where `right >= 0`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Best {
    /// There are none: prices `y` with `y · column_j <= 0` for all j and `y · right > 0`.
    Impossible(Vec<Rational>),
    /// There are some, but the columns do not span the space: prices `y != 0` with `y · column_j = 0` for all j.
    Dependent(Vec<Rational>),
    /// The gain has no limit.
    Unbounded,
    /// The best ones, and prices `y` with `y · column_j <= -gain_j` for all j and `y · right = -gain`.
    Optimal {
        values: Vec<Rational>,
        prices: Vec<Rational>,
    },
}

pub(super) fn maximise(columns: &[Vec<Rational>], right: &[Rational], gains: &[Rational]) -> Best {
    let mut tableau = Tableau::new(columns, right);
    let real = columns.len();
    let artificial: Vec<Rational> = (0..real + right.len()).map(|at| int(at >= real)).collect();
    // Bounded, since costs are not negative.
    tableau.minimise(&artificial);
    if !tableau.cost(&artificial).is_zero() {
        return Best::Impossible(tableau.prices(&artificial));
    }
    if let Some(prices) = tableau.expel_artificial() {
        return Best::Dependent(prices);
    }
    let mut costs = vec![Rational::zero(); real + right.len()];
    for (cost, gain) in costs.iter_mut().zip(gains) {
        *cost = -gain;
    }
    if !tableau.minimise(&costs) {
        return Best::Unbounded;
    }
    Best::Optimal {
        values: tableau.values(),
        prices: tableau.prices(&costs),
    }
}

fn int(is_one: bool) -> Rational {
    if is_one { Rational::one() } else { Rational::zero() }
}

/// `B⁻¹ (columns, identity, right)` for the basis B: one row for each basic variable. The artificial variables follow
/// the real ones, so that their columns hold `B⁻¹` itself.
struct Tableau {
    rows: Vec<Vec<Rational>>,
    basis: Vec<usize>,
    real: usize,
}

impl Tableau {
    fn new(columns: &[Vec<Rational>], right: &[Rational]) -> Self {
        let (real, height) = (columns.len(), right.len());
        let row = |at: usize| {
            let mut row: Vec<Rational> = columns.iter().map(|column| column[at].clone()).collect();
            row.extend((0..height).map(|other| int(other == at)));
            row.push(right[at].clone());
            row
        };
        Self {
            rows: (0..height).map(row).collect(),
            basis: (real..real + height).collect(),
            real,
        }
    }

    /// The value of the basic variable of a row.
    fn value(&self, row: usize) -> &Rational {
        &self.rows[row][self.real + self.rows.len()]
    }

    /// Moves to a basis of least cost; whether there is one. Artificial variables never come back.
    fn minimise(&mut self, costs: &[Rational]) -> bool {
        loop {
            let entering = (0..self.real).find(|&column| self.reduced_cost(costs, column).is_negative());
            let Some(column) = entering else {
                return true;
            };
            let Some(row) = self.leaving(column) else {
                return false;
            };
            self.pivot(row, column);
        }
    }

    fn reduced_cost(&self, costs: &[Rational], column: usize) -> Rational {
        let mut reduced = costs[column].clone();
        for (row, &basic) in self.rows.iter().zip(&self.basis) {
            if !costs[basic].is_zero() {
                reduced -= &costs[basic] * &row[column];
            }
        }
        reduced
    }

    /// The row whose variable is the first to reach zero when that of the column rises; of several, the variable of
    /// least number.
    fn leaving(&self, column: usize) -> Option<usize> {
        let rows = (0..self.rows.len()).filter(|&row| self.rows[row][column].is_positive());
        rows.min_by(|&one, &other| {
            let time = |row: usize| self.value(row) / &self.rows[row][column];
            match time(one).cmp(&time(other)) {
                Ordering::Equal => self.basis[one].cmp(&self.basis[other]),
                order => order,
            }
        })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let mut chosen = core::mem::take(&mut self.rows[row]);
        let scale = chosen[column].clone();
        for entry in &mut chosen {
            *entry /= &scale;
        }
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column].clone();
            if factor.is_zero() {
                continue;
            }
            for (entry, by) in other.iter_mut().zip(&chosen) {
                if !by.is_zero() {
                    *entry -= &factor * by;
                }
            }
        }
        self.rows[row] = chosen;
        self.basis[row] = column;
    }

    /// Takes artificial variables, all zero by now, out of the basis; prices of a row from which none can go.
    fn expel_artificial(&mut self) -> Option<Vec<Rational>> {
        for row in 0..self.rows.len() {
            if self.basis[row] < self.real {
                continue;
            }
            match (0..self.real).find(|&column| !self.rows[row][column].is_zero()) {
                Some(column) => self.pivot(row, column),
                None => return Some(self.inverse(row).to_vec()),
            }
        }
        None
    }

    /// A row of `B⁻¹`.
    fn inverse(&self, row: usize) -> &[Rational] {
        &self.rows[row][self.real..self.real + self.rows.len()]
    }

    fn cost(&self, costs: &[Rational]) -> Rational {
        let basics = self.basis.iter().enumerate();
        basics.fold(Rational::zero(), |sum, (row, &basic)| {
            sum + &costs[basic] * self.value(row)
        })
    }

    /// `(costs of the basis) B⁻¹`.
    fn prices(&self, costs: &[Rational]) -> Vec<Rational> {
        let mut prices = vec![Rational::zero(); self.rows.len()];
        for (row, &basic) in self.basis.iter().enumerate() {
            for (price, entry) in prices.iter_mut().zip(self.inverse(row)) {
                *price += &costs[basic] * entry;
            }
        }
        prices
    }

    fn values(&self) -> Vec<Rational> {
        let mut values = vec![Rational::zero(); self.real];
        for (row, &basic) in self.basis.iter().enumerate().filter(|&(_, &basic)| basic < self.real) {
            values[basic] = self.value(row).clone();
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::{Best, maximise};
    use crate::scalar::{Rational, Scalar};

    fn vector<const N: usize>(entries: [i64; N]) -> Vec<Rational> {
        entries.map(|entry| Rational::ratio(entry, 1)).to_vec()
    }

    #[test]
    fn a_textbook_programme_with_its_prices() {
        // 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18 and slacks: 36 at (2, 6).
        let columns = [[1, 0, 3], [0, 2, 2], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(vector);
        let best = maximise(&columns, &vector([4, 12, 18]), &vector([3, 5, 0, 0, 0]));
        let Best::Optimal { values, prices } = best else {
            panic!("{best:?}")
        };
        assert_eq!(values[..2], vector([2, 6]));
        assert_eq!(prices, [0, -3, -2].map(|price| Rational::ratio(price, 2)));
    }

    #[test]
    fn what_has_no_solution_has_prices_that_say_so() {
        // x (1, 1) = (1, 2).
        let columns = [vector([1, 1])];
        let found = maximise(&columns, &vector([1, 2]), &vector([0]));
        let Best::Impossible(prices) = found else {
            panic!("{found:?}")
        };
        assert!(&prices[0] + &prices[1] <= Rational::ratio(0, 1));
        assert!(&prices[0] + Rational::ratio(2, 1) * &prices[1] > Rational::ratio(0, 1));
    }

    #[test]
    fn columns_in_a_plane_and_gains_without_limit_are_told() {
        let line = [vector([1, 1])];
        let Best::Dependent(prices) = maximise(&line, &vector([2, 2]), &vector([1])) else {
            panic!("one column spans no plane")
        };
        assert_eq!(&prices[0] + &prices[1], Rational::ratio(0, 1));
        assert_ne!(prices[0], Rational::ratio(0, 1));
        let columns = [vector([1]), vector([-1])];
        assert_eq!(maximise(&columns, &vector([1]), &vector([0, 1])), Best::Unbounded);
    }
}
