//! Sparse matrices, row by row.

#[cfg(feature = "serde")]
mod serial;

use crate::error::Error;
use crate::scalar::Scalar;

/// Rows of at most so many entries are sorted by counting.
const SHORT: usize = 16;

/// A sparse matrix in compressed rows: for each row its columns in rising order, and their values.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "serial::Unchecked<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
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
            matrix.push_row(&mut row);
        }
        matrix
    }

    /// As [`from_rows`](Self::from_rows), for entries that somebody else made.
    ///
    /// # Errors
    /// [`Error::EntryOutOfRange`] for a column that is not below `width`; [`Error::TooLarge`] for more than `u32::MAX`
    /// columns. Values are whatever they are: those who read the matrix refuse what is no number.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Error};
    ///
    /// assert_eq!(Csr::try_from_rows(2, [vec![(1, 0.5), (1, 0.5)]])?, Csr::from_rows(2, [[(1, 1.0)]]));
    /// let beyond = Csr::try_from_rows(2, [vec![], vec![(2, 1.0)]]);
    /// assert_eq!(beyond, Err(Error::EntryOutOfRange { row: 1, column: 2, rows: 2, columns: 2 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_from_rows<R>(width: usize, rows: impl IntoIterator<Item = R>) -> Result<Self, Error>
    where
        R: IntoIterator<Item = (usize, T)>,
    {
        check_size("columns", width)?;
        let mut matrix = Self::from_rows::<[(usize, T); 0]>(width, []);
        let mut kept: Vec<(u32, T)> = Vec::new();
        for (row, entries) in rows.into_iter().enumerate() {
            for (column, value) in entries {
                if column >= width {
                    return Err(Error::EntryOutOfRange {
                        row,
                        column,
                        rows: row + 1,
                        columns: width,
                    });
                }
                kept.push((column as u32, value));
            }
            matrix.push_row(&mut kept);
        }
        Ok(matrix)
    }

    /// A matrix of so many rows and columns with these entries, as (row, column, value), in any order. Values for the
    /// same row and column are added up in the order in which they come, zeros are dropped.
    ///
    /// # Errors
    /// [`Error::EntryOutOfRange`]; [`Error::TooLarge`] for more than `u32::MAX` rows or columns. Values are whatever
    /// they are, as for [`try_from_rows`](Self::try_from_rows).
    ///
    /// # Complexity
    /// O(rows + m log m) for m entries, which are kept until all are there.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Ctmc};
    ///
    /// let rates = Csr::from_triplets(2, 2, [(1, 0, 3.0), (0, 1, 1.5), (0, 1, 0.5)])?;
    /// assert_eq!(Ctmc::try_from(rates)?.exit_rate(0), 2.0);
    /// # Ok::<(), markov::Error>(())
    /// ```
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize, T)>,
    ) -> Result<Self, Error> {
        check_size("rows", rows)?;
        check_size("columns", columns)?;
        let mut kept: Vec<(u32, u32, T)> = Vec::new();
        for (row, column, value) in entries {
            if row >= rows || column >= columns {
                return Err(Error::EntryOutOfRange {
                    row,
                    column,
                    rows,
                    columns,
                });
            }
            kept.push((row as u32, column as u32, value));
        }
        // Stable, so that values for the same place are added up in the order in which they came.
        kept.sort_by_key(|&(row, ..)| row);
        let mut matrix = Self::from_rows::<[(usize, T); 0]>(columns, []);
        let (mut kept, mut row) = (kept.into_iter().peekable(), Vec::new());
        for at in 0..rows {
            while let Some((_, column, value)) = kept.next_if(|&(row, ..)| row as usize == at) {
                row.push((column, value));
            }
            matrix.push_row(&mut row);
        }
        Ok(matrix)
    }

    /// Adds a row to a matrix that becomes as wide with it as said, and no narrower: as rows of
    /// [`from_rows`](Self::from_rows).
    #[track_caller]
    pub(crate) fn add_row(&mut self, width: usize, entries: Vec<(usize, T)>) {
        assert!(
            self.width <= width && u32::try_from(width).is_ok(),
            "at most u32::MAX columns"
        );
        self.width = width;
        let column = |(column, value)| {
            assert!(column < width, "column {column} of {width}");
            (column as u32, value)
        };
        self.push_row(&mut entries.into_iter().map(column).collect());
    }

    /// Adds a row with these entries, which it takes.
    fn push_row(&mut self, row: &mut Vec<(u32, T)>) {
        let rises = |pair: &[(u32, T)]| pair[0].0 <= pair[1].0;
        match row.len() {
            _ if row.windows(2).all(rises) => self.push_sorted(row.drain(..)),
            len @ 0..=SHORT => {
                let order = order_of_short(row);
                let taken = |at: &u8| {
                    let (column, value) = &mut row[*at as usize];
                    (*column, core::mem::replace(value, T::zero()))
                };
                self.push_sorted(order[..len].iter().map(taken));
                row.clear();
            }
            _ => {
                // Stable, so that values for the same column are added up in the order in which they came.
                row.sort_by_key(|&(column, _)| column);
                self.push_sorted(row.drain(..));
            }
        }
    }

    fn push_sorted(&mut self, row: impl Iterator<Item = (u32, T)>) {
        let start = self.columns.len();
        let mut has_zero = false;
        for (column, value) in row {
            match self.values.last_mut() {
                Some(last) if self.columns.len() > start && self.columns.last() == Some(&column) => {
                    *last += &value;
                    has_zero |= last.is_zero();
                }
                _ => {
                    has_zero |= value.is_zero();
                    self.columns.push(column);
                    self.values.push(value);
                }
            }
        }
        // What adds up to zero is no entry.
        if has_zero {
            self.drop_zeros(start);
        }
        self.starts.push(self.columns.len());
    }

    /// Drops entries of value zero from a position on.
    fn drop_zeros(&mut self, start: usize) {
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
    }

    /// The entries without those on the diagonal.
    pub(crate) fn without_diagonal(&self) -> Self {
        let mut rest = Self {
            starts: Vec::with_capacity(self.starts.len()),
            columns: Vec::with_capacity(self.entries()),
            values: Vec::with_capacity(self.entries()),
            width: self.width,
        };
        rest.starts.push(0);
        for row in 0..self.rows() {
            let (columns, values) = self.row_slices(row);
            // Columns rise: the diagonal parts them in two.
            let below = columns.partition_point(|&column| (column as usize) < row);
            let has_diagonal = columns.get(below).is_some_and(|&column| column as usize == row);
            let above = below + usize::from(has_diagonal);
            for part in [0..below, above..columns.len()] {
                rest.columns.extend_from_slice(&columns[part.clone()]);
                rest.values.extend_from_slice(&values[part]);
            }
            rest.starts.push(rest.columns.len());
        }
        rest
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

    /// Where the entries of a row stand among those of all rows, as in [`Csr::values_mut`].
    #[track_caller]
    pub(crate) fn range(&self, row: usize) -> core::ops::Range<usize> {
        self.starts[row]..self.starts[row + 1]
    }

    /// Columns of a row, and their values to be changed.
    #[track_caller]
    pub(crate) fn row_slices_mut(&mut self, row: usize) -> (&[u32], &mut [T]) {
        let range = self.range(row);
        (&self.columns[range.clone()], &mut self.values[range])
    }

    /// The values of all entries, row by row.
    pub(crate) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Rows and columns exchanged. O(rows + width + entries).
    ///
    /// # Panics
    /// If there are more than `u32::MAX` rows.
    #[track_caller]
    pub fn transposed(&self) -> Self {
        let starts = self.starts_of_columns();
        let mut next = starts.clone();
        let mut columns = vec![0; self.entries()];
        let mut values = vec![T::zero(); self.entries()];
        for row in 0..self.rows() {
            let (to, from) = self.row_slices(row);
            for (&column, value) in to.iter().zip(from) {
                let slot = &mut next[column as usize];
                columns[*slot] = row as u32;
                values[*slot].clone_from(value);
                *slot += 1;
            }
        }
        Self {
            starts,
            columns,
            values,
            width: self.rows(),
        }
    }

    /// Where the entries of each column start if they are put one column after the other.
    #[track_caller]
    pub(crate) fn starts_of_columns(&self) -> Vec<usize> {
        assert!(u32::try_from(self.rows()).is_ok(), "at most u32::MAX rows");
        let mut starts = vec![0_usize; self.width + 1];
        for &column in &self.columns {
            starts[column as usize + 1] += 1;
        }
        for column in 0..self.width {
            starts[column + 1] += starts[column];
        }
        starts
    }

    /// For each column the rows that have an entry there, and the position of the entry within its row.
    #[track_caller]
    pub(crate) fn links(&self) -> Links {
        let starts = self.starts_of_columns();
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
    ///
    /// # Examples
    /// Exact rates, rounded to floats, for solvers that have none but these:
    /// ```
    /// use markov::{Csr, Ctmc, Rational, Scalar, Stationary};
    ///
    /// let exact = Csr::from_rows(2, [[(1, Rational::ratio(1, 3))], [(0, Rational::ratio(2, 1))]]);
    /// let floats = exact.map(|_, _, rate| rate.to_float());
    /// let report = Stationary::new().solve(&Ctmc::new(&floats)?)?;
    /// assert!((report.distribution()[1] - 1.0 / 7.0).abs() < 1e-15);
    /// # Ok::<(), markov::Error>(())
    /// ```
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

/// Refuses more rows or columns than are counted.
fn check_size(what: &'static str, size: usize) -> Result<(), Error> {
    match u32::try_from(size) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::TooLarge {
            what,
            limit: u32::MAX as usize,
        }),
    }
}

/// Positions of the entries of a short row by rising columns, in the order in which they came where columns are the
/// same.
///
/// Each entry counts those that go before it. Which of two columns is smaller no processor can guess, and to be wrong
/// costs as much as ten comparisons: there are no branches here.
fn order_of_short<T>(row: &[(u32, T)]) -> [u8; SHORT] {
    let mut before = [0_u8; SHORT];
    for (later, (column, _)) in row.iter().enumerate() {
        for (earlier, (other, _)) in row[..later].iter().enumerate() {
            let is_before = u8::from(column < other);
            before[earlier] += is_before;
            before[later] += 1 - is_before;
        }
    }
    let mut order = [0; SHORT];
    for at in 0..row.len() {
        order[before[at] as usize % SHORT] = at as u8;
    }
    order
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
    use crate::error::Error;

    #[test]
    fn entries_of_others_are_looked_at() {
        let rows = || {
            [
                vec![(2, 0.1), (0, 2.0), (2, 0.2), (2, 0.3)],
                vec![],
                vec![(1, 0.5), (1, -0.5)],
            ]
        };
        let matrix = Csr::from_rows(3, rows());
        assert_eq!(Csr::try_from_rows(3, rows()), Ok(matrix.clone()));
        // Some order of the places, each of which keeps the order of its values: roundings tell.
        let entries = [
            (2, 1, 0.5),
            (0, 2, 0.1),
            (0, 2, 0.2),
            (0, 0, 2.0),
            (0, 2, 0.3),
            (2, 1, -0.5),
        ];
        assert_eq!(Csr::from_triplets(3, 3, entries), Ok(matrix));
        let none: [(usize, usize, f64); 0] = [];
        assert_eq!(
            Csr::from_triplets(4, 2, none).map(|matrix| (matrix.rows(), matrix.width())),
            Ok((4, 2))
        );
        let beyond = |row, column| {
            let (rows, columns) = (2, 3);
            Err(Error::EntryOutOfRange {
                row,
                column,
                rows,
                columns,
            })
        };
        assert_eq!(Csr::from_triplets(2, 3, [(1, 2, 1.0), (2, 0, 1.0)]), beyond(2, 0));
        assert_eq!(Csr::from_triplets(2, 3, [(1, 3, 1.0)]), beyond(1, 3));
        assert_eq!(
            Csr::try_from_rows(3, [vec![], vec![(usize::MAX, 1.0)]]),
            beyond(1, usize::MAX)
        );
        let limit = u32::MAX as usize;
        let too_large = |what| Err(Error::TooLarge { what, limit });
        assert_eq!(Csr::<f64>::try_from_rows(limit + 1, [[]; 0]), too_large("columns"));
        assert_eq!(Csr::from_triplets(1, usize::MAX, none), too_large("columns"));
        assert_eq!(Csr::from_triplets(usize::MAX, 1, none), too_large("rows"));
    }

    #[test]
    fn duplicates_are_added_and_zeros_dropped() {
        let matrix = Csr::from_rows(3, [vec![(2, 1.0), (0, 2.0), (2, -1.0)], vec![(1, 0.5), (1, 0.25)]]);
        assert_eq!(matrix.entries(), 2);
        assert_eq!(matrix.row(0).map(|(j, &v)| (j, v)).collect::<Vec<_>>(), [(0, 2.0)]);
        assert_eq!(matrix.row(1).map(|(j, &v)| (j, v)).collect::<Vec<_>>(), [(1, 0.75)]);
        assert_eq!(matrix.transposed().transposed(), matrix);
        assert_eq!(matrix.transposed().rows(), 3);
    }

    #[test]
    fn rows_of_any_length_are_sorted_and_the_same_columns_added_up_as_they_came() {
        for len in [2, 3, 10, 16, 17, 60] {
            // Columns come back after seven entries; roundings tell in which order they were added up.
            let column = |at: usize| (len - at) * 5 % 7;
            let row: Vec<(usize, f64)> = (0..len).map(|at| (column(at), (at as f64 + 0.1).recip())).collect();
            let mut expected = [0.0; 7];
            row.iter().for_each(|&(column, value)| expected[column] += value);
            let matrix = Csr::from_rows(7, [row]);
            let (columns, values) = matrix.row_slices(0);
            assert!(columns.windows(2).all(|pair| pair[0] < pair[1]), "{len}");
            for (&column, value) in columns.iter().zip(values) {
                assert_eq!(*value, expected[column as usize], "{len}");
            }
            assert_eq!(columns.len(), len.min(7));
        }
    }

    #[test]
    fn the_diagonal_goes_and_nothing_else() {
        let rows = [vec![(0, 1.0), (2, 2.0)], vec![(0, 3.0), (2, 4.0)], vec![(2, 5.0)]];
        let rest = Csr::from_rows(3, rows).without_diagonal();
        assert_eq!(
            rest,
            Csr::from_rows(3, [vec![(2, 2.0)], vec![(0, 3.0), (2, 4.0)], vec![]])
        );
    }
}
