//! Where a chain is in the long run.

use crate::chain::{Ctmc, Dtmc};
use crate::classify::Classes;
use crate::elimination::Elimination;
use crate::error::Error;
use crate::scalar::Scalar;
use crate::sparse::Csr;

impl<T: Scalar> Ctmc<T> {
    /// The stationary distribution, by state; zero for transient states.
    ///
    /// # Errors
    /// [`Error::Reducible`] where there is more than one.
    pub fn stationary(&self) -> Result<Vec<T>, Error> {
        distribution(self.rates(), &self.classes())
    }
}

impl<T: Scalar> Dtmc<T> {
    /// The stationary distribution, by state; zero for transient states. Where the chain is periodic, it is the long-run
    /// share of time.
    ///
    /// # Errors
    /// [`Error::Reducible`] where there is more than one.
    pub fn stationary(&self) -> Result<Vec<T>, Error> {
        distribution(self.moves(), &self.classes())
    }
}

fn distribution<T: Scalar>(rates: &Csr<T>, classes: &Classes) -> Result<Vec<T>, Error> {
    let mut closed = classes.closed();
    let Some(class) = closed.pop().filter(|_| closed.is_empty()) else {
        return Err(Error::Reducible {
            classes: classes.closed(),
        });
    };
    let mut number = vec![None; rates.rows()];
    for (at, &state) in class.iter().enumerate() {
        number[state] = Some(at);
    }
    let rows = class.iter().map(|&state| {
        let row = rates
            .row(state)
            .filter_map(|(to, rate)| Some((number[to]?, rate.clone())));
        row.collect::<Vec<_>>()
    });
    let within = Csr::from_rows(class.len(), rows);
    let solver = Elimination::new(&within, None, Some(0), usize::MAX).unwrap_or_else(|| unreachable!("no limit"));
    let weights = solver.weights();
    let mut sum = T::zero();
    for weight in &weights {
        sum += weight;
    }
    let mut all = vec![T::zero(); rates.rows()];
    for (&state, mut weight) in class.iter().zip(weights) {
        weight /= &sum;
        all[state] = weight;
    }
    Ok(all)
}
