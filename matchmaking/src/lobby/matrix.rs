//! One value for every two players.

/// A symmetric matrix without its diagonal: one value for every two of `len` things.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricMatrix<T> {
    len: usize,
    /// Row after row, what is left of the diagonal.
    below: Vec<T>,
}

impl<T: Copy> SymmetricMatrix<T> {
    /// The matrix of the values `value(i, j)`, asked for `j < i` only, row by row.
    pub fn from_fn(len: usize, mut value: impl FnMut(usize, usize) -> T) -> Self {
        let pairs = (0..len).flat_map(|i| (0..i).map(move |j| (i, j)));
        Self {
            len,
            below: pairs.map(|(i, j)| value(i, j)).collect(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of `i` and `j`.
    ///
    /// # Panics
    /// If `i == j` or one of the two is not below [`SymmetricMatrix::len`].
    #[track_caller]
    pub fn get(&self, i: usize, j: usize) -> T {
        assert!(i != j, "there is no value on the diagonal");
        let (low, high) = (i.min(j), i.max(j));
        self.below[high * (high - 1) / 2 + low]
    }
}

#[cfg(test)]
mod tests {
    use super::SymmetricMatrix;

    #[test]
    fn both_orders_find_the_same_value() {
        let matrix = SymmetricMatrix::from_fn(5, |i, j| 10 * i + j);
        for i in 0..5 {
            for j in (0..5).filter(|&j| j != i) {
                assert_eq!(matrix.get(i, j), 10 * i.max(j) + i.min(j));
            }
        }
        assert!(SymmetricMatrix::from_fn(0, |_, _| 1).is_empty());
    }
}
