//! Chains in discrete and in continuous time.

#[cfg(feature = "serde")]
mod serial;

use crate::classify::Classes;
use crate::error::Error;
use crate::scalar::{Scalar, is_rounding};
use crate::sparse::Csr;

/// A Markov chain in discrete time: probabilities of the next state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "serial::UncheckedSteps<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct Dtmc<T = f64> {
    /// Without the diagonal.
    moves: Csr<T>,
    stay: Vec<T>,
}

impl<T: Scalar> Dtmc<T> {
    /// A chain with the probabilities `P[i][j]` of going from `i` to `j`.
    ///
    /// # Errors
    /// [`Error::NoStates`], [`Error::NotSquare`], [`Error::NotANumber`], [`Error::Negative`], and [`Error::RowSum`] for
    /// rows that miss one: by more than 1e-9 where numbers are floats, at all where they are exact.
    pub fn new(probabilities: &Csr<T>) -> Result<Self, Error> {
        let stay = Self::checked_stay(probabilities)?;
        Ok(Self {
            moves: probabilities.without_diagonal(),
            stay,
        })
    }

    /// The diagonal of a matrix whose rows are checked.
    fn checked_stay(probabilities: &Csr<T>) -> Result<Vec<T>, Error> {
        check_shape(probabilities)?;
        let n = probabilities.rows();
        let mut stay = vec![T::zero(); n];
        for (state, stay) in stay.iter_mut().enumerate() {
            let mut sum = T::zero();
            for (to, value) in probabilities.row(state) {
                check_rate(state, to, value)?;
                sum += value;
                if to == state {
                    *stay = value.clone();
                }
            }
            let deficit = T::one() - sum;
            if !is_rounding(&deficit) {
                let deficit = deficit.to_float();
                return Err(Error::RowSum { state, deficit });
            }
        }
        Ok(stay)
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.stay.len()
    }

    /// Always false: a chain has states.
    pub fn is_empty(&self) -> bool {
        self.stay.is_empty()
    }

    /// Probabilities of going from one state to another one.
    pub fn moves(&self) -> &Csr<T> {
        &self.moves
    }

    /// Probability of staying, per state.
    pub fn stay(&self) -> &[T] {
        &self.stay
    }

    /// The classes of states that lead to each other.
    pub fn classes(&self) -> Classes {
        Classes::of(&self.moves)
    }

    /// The period of each closed class, in the order of [`Classes::closed`]: the chain returns to a state in multiples
    /// of it.
    pub fn periods(&self) -> Vec<usize> {
        self.classes().periods(&self.moves, |state| !self.stay[state].is_zero())
    }
}

impl<T: Scalar> TryFrom<Csr<T>> for Dtmc<T> {
    type Error = Error;

    /// As [`Dtmc::new`]; takes the matrix as it is if it has no diagonal, without a copy.
    fn try_from(probabilities: Csr<T>) -> Result<Self, Error> {
        let stay = Self::checked_stay(&probabilities)?;
        let moves = match has_diagonal(&probabilities) {
            true => probabilities.without_diagonal(),
            false => probabilities,
        };
        Ok(Self { moves, stay })
    }
}

/// A Markov chain in continuous time: rates of going from one state to another.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(
        try_from = "serial::UncheckedRates<T>",
        bound(deserialize = "T: Scalar + serde::Deserialize<'de>")
    )
)]
pub struct Ctmc<T = f64> {
    rates: Csr<T>,
}

impl<T: Scalar> Ctmc<T> {
    /// A chain with rates between different states; the diagonal is ignored, so that a generator will do as well.
    ///
    /// # Errors
    /// [`Error::NoStates`], [`Error::NotSquare`], [`Error::NotANumber`], [`Error::Negative`].
    pub fn new(rates: &Csr<T>) -> Result<Self, Error> {
        check_shape(rates)?;
        Self::of_moves(rates.without_diagonal())
    }

    fn of_moves(rates: Csr<T>) -> Result<Self, Error> {
        for state in 0..rates.rows() {
            for (to, value) in rates.row(state) {
                check_rate(state, to, value)?;
            }
        }
        Ok(Self { rates })
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.rates.rows()
    }

    /// Always false: a chain has states.
    pub fn is_empty(&self) -> bool {
        self.rates.rows() == 0
    }

    /// Rates between different states.
    pub fn rates(&self) -> &Csr<T> {
        &self.rates
    }

    /// Total rate out of a state; zero if it is absorbing, infinite if it is more than a float holds, which solvers
    /// refuse.
    ///
    /// # Panics
    /// If there is no such state.
    #[track_caller]
    pub fn exit_rate(&self, state: usize) -> T {
        let mut sum = T::zero();
        for (_, rate) in self.rates.row(state) {
            sum += rate;
        }
        sum
    }

    /// The classes of states that lead to each other.
    pub fn classes(&self) -> Classes {
        Classes::of(&self.rates)
    }
}

impl<T: Scalar> TryFrom<Csr<T>> for Ctmc<T> {
    type Error = Error;

    /// As [`Ctmc::new`]; takes the matrix as it is if it has no diagonal, without a copy.
    fn try_from(rates: Csr<T>) -> Result<Self, Error> {
        check_shape(&rates)?;
        let has_diagonal = has_diagonal(&rates);
        Self::of_moves(if has_diagonal { rates.without_diagonal() } else { rates })
    }
}

fn has_diagonal<T: Scalar>(matrix: &Csr<T>) -> bool {
    (0..matrix.rows()).any(|state| matrix.row_slices(state).0.contains(&(state as u32)))
}

fn check_shape<T: Scalar>(matrix: &Csr<T>) -> Result<(), Error> {
    let (rows, columns) = (matrix.rows(), matrix.width());
    if rows != columns {
        return Err(Error::NotSquare { rows, columns });
    }
    if rows == 0 {
        return Err(Error::NoStates);
    }
    Ok(())
}

/// Refuses what is no rate or probability.
pub(crate) fn check_rate<T: Scalar>(from: usize, to: usize, value: &T) -> Result<(), Error> {
    if !value.is_number() {
        return Err(Error::NotANumber { from, to });
    }
    // By comparison: the sign of -0.0 is that of negative numbers.
    if *value < T::zero() {
        let value = value.to_float();
        return Err(Error::Negative { from, to, value });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Ctmc, Dtmc};
    use crate::error::Error;
    use crate::sparse::Csr;

    #[test]
    fn minus_zero_is_zero() {
        let rows = |zero: f64| Csr::from_rows(2, [vec![(0, zero), (1, 1.0)], vec![(0, 1.0), (1, zero)]]);
        assert!(Ctmc::new(&rows(-0.0)).is_ok() && Dtmc::new(&rows(-0.0)).is_ok());
        let negative = Error::Negative {
            from: 0,
            to: 0,
            value: -1e-300,
        };
        assert_eq!(Dtmc::new(&rows(-1e-300)).err(), Some(negative));
        let start = Dtmc::new(&rows(0.0)).map(|chain| chain.after(&[-0.0, 1.0], 1));
        assert_eq!(start, Ok(Ok(vec![1.0, 0.0])));
    }

    #[test]
    fn matrices_are_taken_with_or_without_a_diagonal() {
        let rates = Csr::from_rows(2, [vec![(1, 2.0)], vec![(0, 3.0)]]);
        let generator = Csr::from_rows(2, [vec![(0, -2.0), (1, 2.0)], vec![(0, 3.0), (1, -3.0)]]);
        let chain = Ctmc::new(&rates);
        assert_eq!(Ctmc::try_from(rates), chain);
        assert_eq!(Ctmc::try_from(generator), chain);
        let negative = Csr::from_rows(2, [vec![(1, -2.0)], vec![(0, 3.0)]]);
        assert_eq!(Ctmc::new(&negative), Ctmc::try_from(negative.clone()));
        assert!(Ctmc::try_from(negative).is_err() && Ctmc::try_from(Csr::<f64>::from_rows(1, [[]; 2])).is_err());
    }

    #[test]
    fn probabilities_are_taken_with_or_without_a_diagonal() {
        let turns = Csr::from_rows(2, [[(1, 1.0)], [(0, 1.0)]]);
        let stays = Csr::from_rows(2, [vec![(0, 0.25), (1, 0.75)], vec![(0, 1.0)]]);
        let short = Csr::from_rows(2, [vec![(0, 0.25)], vec![(0, 1.0)]]);
        let wide = Csr::from_rows(3, [[(1, 1.0)], [(0, 1.0)]]);
        for matrix in [turns, stays, short, wide] {
            assert_eq!(Dtmc::try_from(matrix.clone()), Dtmc::new(&matrix));
        }
    }
}
