//! The inverse of a basis from scratch.

use super::Simplex;

impl Simplex {
    /// The inverse, values and duals from scratch, by Gauss and Jordan with row exchanges.
    pub(super) fn invert(&mut self) {
        let m = self.rows;
        let mut matrix = vec![0.0; m * m];
        for (place, &column) in self.basis.iter().enumerate() {
            for &(row, entry) in &self.columns[column as usize].entries {
                matrix[row as usize * m + place] += entry;
            }
        }
        let mut inverse = vec![0.0; m * m];
        (0..m).for_each(|at| inverse[at * m + at] = 1.0);
        for at in 0..m {
            let best = (at..m)
                .max_by(|&a, &b| matrix[a * m + at].abs().total_cmp(&matrix[b * m + at].abs()))
                .unwrap_or(at);
            if matrix[best * m + at].abs() < 1e-11 {
                self.start_again();
                return;
            }
            if best != at {
                for column in 0..m {
                    matrix.swap(at * m + column, best * m + column);
                    inverse.swap(at * m + column, best * m + column);
                }
            }
            let factor = 1.0 / matrix[at * m + at];
            matrix[at * m..][..m].iter_mut().for_each(|entry| *entry *= factor);
            inverse[at * m..][..m].iter_mut().for_each(|entry| *entry *= factor);
            let pivot_row = matrix[at * m..][..m].to_vec();
            let inverse_row = inverse[at * m..][..m].to_vec();
            for row in (0..m).filter(|&row| row != at) {
                let entry = matrix[row * m + at];
                if entry != 0.0 {
                    for (slot, pivot) in matrix[row * m + at..][..m - at].iter_mut().zip(&pivot_row[at..]) {
                        *slot -= entry * pivot;
                    }
                    for (slot, pivot) in inverse[row * m..][..m].iter_mut().zip(&inverse_row) {
                        *slot -= entry * pivot;
                    }
                }
            }
        }
        self.inverse = inverse;
        for place in 0..m {
            let row = &self.inverse[place * m..][..m];
            self.value[place] = row.iter().zip(&self.right).map(|(entry, right)| entry * right).sum();
        }
        self.pivots_since_inversion = 0;
        self.find_duals();
    }

    /// A basis of elastic columns: after a basis that has no inverse in floats.
    fn start_again(&mut self) {
        let m = self.rows;
        self.columns.iter_mut().for_each(|column| column.is_basic = false);
        self.inverse = vec![0.0; m * m];
        let elastic: Vec<u32> = (0..self.columns.len() as u32)
            .filter(|&number| {
                let entries = &self.columns[number as usize].entries;
                entries.len() == 1 && entries[0].1 == 1.0
            })
            .collect();
        for number in elastic {
            let row = self.columns[number as usize].entries[0].0 as usize;
            self.basis[row] = number;
        }
        for row in 0..m {
            self.columns[self.basis[row] as usize].is_basic = true;
            self.inverse[row * m + row] = 1.0;
            self.value[row] = self.right[row];
        }
        self.pivots_since_inversion = 0;
        self.find_duals();
    }
}
