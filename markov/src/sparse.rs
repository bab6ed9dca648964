//! Sparse matrices, row by row.

use crate::scalar::Scalar;

/// A sparse matrix in compressed rows: for each row its columns in rising order, and their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<T> {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<T>,
    width: usize,
}

impl<T: Scalar> Csr<T> {
    /// A matrix with these entries per row, as (column, value); values for the same column are added up, zeros are
    /// dropped.
    ///
    /// # Panics
    /// If a column is not below `width`, or `width` is more than `u32::MAX`.
    #[track_caller]
    pub fn from_rows<R>(width: usize, rows: impl IntoIterator<Item = R>) -> Self
    where
        R: IntoIterator<Item = (usize, T)>,
    {
        assert!(u32::try_from(width).is_ok(), "at most u32::MAX columns");
        let mut matrix = Self {
            starts: vec![0],
            columns: Vec::new(),
            values: Vec::new(),
            width,
        };
        let mut row: Vec<(u32, T)> = Vec::new();
        for entries in rows {
            row.extend(entries.into_iter().map(|(column, value)| {
                assert!(column < width, "column {column} of {width}");
                (column as u32, value)
            }));
            row.sort_by_key(|&(column, _)| column);
            matrix.push_sorted(row.drain(..));
        }
        matrix
    }

    fn push_sorted(&mut self, row: impl Iterator<Item = (u32, T)>) {
        let start = self.columns.len();
        for (column, value) in row {
            if self.columns.len() > start && self.columns.last() == Some(&column) {
                if let Some(last) = self.values.last_mut() {
                    *last += &value;
                }
            } else {
                self.columns.push(column);
                self.values.push(value);
            }
            // What adds up to zero is no entry.
        }
        let mut kept = start;
        for at in start..self.columns.len() {
            if !self.values[at].is_zero() {
                self.columns.swap(kept, at);
                self.values.swap(kept, at);
                kept += 1;
            }
        }
        self.columns.truncate(kept);
        self.values.truncate(kept);
        self.starts.push(kept);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of entries that are not zero.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns and values of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row(&self, row: usize) -> impl ExactSizeIterator<Item = (usize, &T)> + Clone {
        let range = self.starts[row]..self.starts[row + 1];
        let columns = self.columns[range.clone()].iter().map(|&column| column as usize);
        columns.zip(&self.values[range])
    }

    /// Columns of a row, and their values, as slices.
    ///
    /// # Panics
    /// If there is no such row.
    #[track_caller]
    pub fn row_slices(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Rows and columns exchanged. O(rows + width + entries).
    ///
    /// # Panics
    /// If there are more than `u32::MAX` rows.
    #[track_caller]
    pub fn transposed(&self) -> Self {
        let Links { starts, entries } = self.links();
        let value = |&(row, at): &(u32, u32)| self.values[self.starts[row as usize] + at as usize].clone();
        Self {
            starts,
            columns: entries.iter().map(|&(row, _)| row).collect(),
            values: entries.iter().map(value).collect(),
            width: self.rows(),
        }
    }

    /// For each column the rows that have an entry there, and the position of the entry within its row.
    #[track_caller]
    pub(crate) fn links(&self) -> Links {
        assert!(u32::try_from(self.rows()).is_ok(), "at most u32::MAX rows");
        let mut starts = vec![0_usize; self.width + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.width {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0_u32, 0_u32); self.columns.len()];
        for row in 0..self.rows() {
            for (at, &column) in self.row_slices(row).0.iter().enumerate() {
                let slot = &mut next[column as usize];
                entries[*slot] = (row as u32, at as u32);
                *slot += 1;
            }
        }
        Links { starts, entries }
    }

    /// The same entries with values changed one by one.
    pub fn map<U: Scalar>(&self, mut value: impl FnMut(usize, usize, &T) -> U) -> Csr<U> {
        let rows = (0..self.rows()).map(|row| {
            let entries: Vec<(usize, U)> = self
                .row(row)
                .map(|(column, old)| (column, value(row, column, old)))
                .collect();
            entries
        });
        Csr::from_rows(self.width, rows)
    }
}

/// Where the entries of the columns of a matrix stand in its rows.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    starts: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

impl Links {
    /// Row and position within it, for each entry of a column.
    pub(crate) fn list(&self, column: usize) -> impl ExactSizeIterator<Item = (u32, u32)> {
        let range = self.starts[column]..self.starts[column + 1];
        self.entries[range].iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Csr;

    #[test]
    fn duplicates_are_added_and_zeros_dropped() {
        let matrix = Csr::from_rows(3, [vec![(2, 1.0), (0, 2.0), (2, -1.0)], vec![(1, 0.5), (1, 0.25)]]);
        assert_eq!(matrix.entries(), 2);
        assert_eq!(matrix.row(0).map(|(j, &v)| (j, v)).collect::<Vec<_>>(), [(0, 2.0)]);
        assert_eq!(matrix.row(1).map(|(j, &v)| (j, v)).collect::<Vec<_>>(), [(1, 0.75)]);
        assert_eq!(matrix.transposed().transposed(), matrix);
        assert_eq!(matrix.transposed().rows(), 3);
    }
}
