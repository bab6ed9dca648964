//! Chains from outside. Feature `serde`.

use serde::Deserialize;

use super::{Ctmc, Dtmc, check_rate, check_shape};
use crate::error::{Error, check_length};
use crate::scalar::{Scalar, is_rounding};
use crate::serial::numbers;
use crate::sparse::Csr;

/// A chain in continuous time as it is read.
#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedRates<T> {
    rates: Csr<T>,
}

impl<T: Scalar> TryFrom<UncheckedRates<T>> for Ctmc<T> {
    type Error = Error;

    fn try_from(read: UncheckedRates<T>) -> Result<Self, Error> {
        Self::try_from(read.rates)
    }
}

/// A chain in discrete time as it is read.
#[derive(Deserialize)]
#[serde(bound = "T: Scalar + Deserialize<'de>")]
pub(super) struct UncheckedSteps<T> {
    moves: Csr<T>,
    #[serde(deserialize_with = "numbers")]
    stay: Vec<T>,
}

impl<T: Scalar> TryFrom<UncheckedSteps<T>> for Dtmc<T> {
    type Error = Error;

    fn try_from(read: UncheckedSteps<T>) -> Result<Self, Error> {
        let UncheckedSteps { moves, stay } = read;
        check_shape(&moves)?;
        check_length("probabilities of staying", moves.rows(), stay.len())?;
        for (state, stay) in stay.iter().enumerate() {
            check_rate(state, state, stay)?;
            for (to, value) in moves.row(state) {
                check_rate(state, to, value)?;
                if to == state {
                    let (name, value) = ("move from a state to itself", value.to_float());
                    let expected = "a probability of staying";
                    return Err(Error::Parameter { name, value, expected });
                }
            }
            // In the order in which a new chain adds them up, so that what was one is one again.
            let others = |is_before: bool| moves.row(state).filter(move |&(to, _)| (to < state) == is_before);
            let mut sum = T::zero();
            others(true).for_each(|(_, value)| sum += value);
            sum += stay;
            others(false).for_each(|(_, value)| sum += value);
            let deficit = T::one() - sum;
            if !is_rounding(&deficit) {
                let deficit = deficit.to_float();
                return Err(Error::RowSum { state, deficit });
            }
        }
        Ok(Self { moves, stay })
    }
}
