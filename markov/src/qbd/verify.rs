//! Whether a solution is one, from the blocks alone.

use nalgebra::{DMatrix, DVector};

use super::reduction::Repeating;
use super::{Qbd, QbdSolution, scaled};
use crate::error::{Error, check_length, check_numbers};

impl QbdSolution {
    /// Checks from the chain alone that this is a distribution that is balanced as it says: no probability and no entry
    /// of `R` is negative; levels die out, since `v = (I - R)^-1 1` is positive, of which that is proven by `v - R v`;
    /// probabilities of all levels add up to one, and levels to the mean; `R` solves its equation, and the flow into each
    /// state of the boundary and of the first two levels is that out of it, which with `R` is the balance of all levels.
    /// Returns the [residual](Self::residual), recomputed.
    ///
    /// States are numbered from those of the boundary on, then come the phases of the first level, of the second, and so
    /// on.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] and [`Error::Parameter`] for a chain of another shape; [`Error::NotADistribution`] names
    /// a state whose probability is negative or no number, or says by how much the sum misses one; [`Error::Negative`]
    /// names phases with such an entry of `R`; [`Error::Unstable`] where levels are not shown to die out;
    /// [`Error::Unbalanced`] names the state of the worst balance, if that is worse than the solution says;
    /// [`Error::Parameter`] for an `R` that misses its equation by more, or another mean level.
    ///
    /// # Complexity
    /// O(m³) with `m` phases.
    ///
    /// # Examples
    /// ```
    /// use markov::{Csr, Error, Qbd, QbdBlocks};
    ///
    /// // A single server: arrivals at rate 1, services at this rate.
    /// let queue = |service| {
    ///     let rate = |value| Csr::from_rows(1, [[(0, value)]]);
    ///     Qbd::new(QbdBlocks {
    ///         levels: vec![0],
    ///         first: 1,
    ///         boundary: rate(0.0),
    ///         enter: rate(1.0),
    ///         leave: rate(service),
    ///         up: rate(1.0),
    ///         local: rate(0.0),
    ///         down: rate(service),
    ///     })
    /// };
    /// let solution = queue(2.0)?.solve()?;
    /// assert!(solution.verify(&queue(2.0)?)? < 1e-14);
    /// assert!(solution.verify(&queue(3.0)?).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify(&self, qbd: &Qbd) -> Result<f64, Error> {
        let blocks = scaled(qbd.blocks());
        let (b, m) = (blocks.levels.len(), blocks.local.rows());
        check_length("boundary states", b, self.boundary.len())?;
        check_length("phases", m, self.first_level.len())?;
        if (&self.levels, self.first) != (&blocks.levels, blocks.first) {
            return Err(Error::Parameter {
                name: "first repeating level of a solution",
                value: self.first as f64,
                expected: "that of the chain, with the same levels below",
            });
        }
        self.check_signs()?;
        let roundings = (b + m + 8) as f64 * f64::EPSILON;
        let mean = self.check_sums(roundings)?;
        let of_matrix = Repeating::new(&blocks).residual(&self.rate_matrix);
        let allowed = self.residual + roundings;
        let is_allowed = |missed: f64| missed <= allowed;
        if !is_allowed(of_matrix) {
            return Err(Error::Parameter {
                name: "residual of R",
                value: of_matrix,
                expected: "at most what the solution says",
            });
        }
        let balance = self.balance(&blocks);
        if !is_allowed(balance.residual) {
            // In the rates that were given.
            return Err(self.balance(qbd.blocks()).error());
        }
        let is_mean = (mean - self.mean_level).abs() <= (self.error + roundings) * mean.max(1.0);
        if !is_mean {
            return Err(Error::Parameter {
                name: "mean level",
                value: self.mean_level,
                expected: "that of the distribution",
            });
        }
        Ok(of_matrix.max(balance.residual))
    }

    fn check_signs(&self) -> Result<(), Error> {
        let is_share = |share: &f64| *share >= 0.0 && share.is_finite();
        let mut shares = self.boundary.iter().chain(&self.first_level);
        if let Some(state) = shares.position(|share| !is_share(share)) {
            return Err(Error::NotADistribution {
                deficit: f64::NAN,
                wrong: Some(state),
            });
        }
        let m = self.first_level.len();
        for (from, to) in (0..m).flat_map(|from| (0..m).map(move |to| (from, to))) {
            let value = self.rate_matrix[(from, to)];
            if !value.is_finite() {
                return Err(Error::NotANumber { from, to });
            }
            if value < 0.0 {
                return Err(Error::Negative { from, to, value });
            }
        }
        check_numbers(self.above.as_slice())
    }

    /// Checks `v`, and that all levels add up to one. Returns the mean level.
    fn check_sums(&self, roundings: f64) -> Result<f64, Error> {
        let m = self.first_level.len();
        let (r, v) = (&self.rate_matrix, &self.above);
        let further = r * v;
        // `v` is positive and `R v` less in each phase: no power of `R` grows.
        let mut off = 0.0_f64;
        for (visits, further) in v.iter().zip(&further) {
            let error = roundings * (visits + further);
            let once = visits - further;
            let is_less = *visits > 0.0 && once > error;
            if !is_less {
                return Err(Error::Unstable { drift: 0.0 });
            }
            off = off.max((once - 1.0).abs() + error);
        }
        // As for passage times: `v` is off by that part of itself.
        let low: f64 = self.boundary.iter().sum();
        let repeated = (&self.first_level * v).x;
        let deficit = 1.0 - (low + repeated);
        let is_whole = deficit.abs() <= roundings + off * repeated;
        if !is_whole {
            return Err(Error::NotADistribution { deficit, wrong: None });
        }
        let solved = (DMatrix::identity(m, m) - r).lu().solve(v);
        let twice: DVector<f64> = solved.ok_or(Error::PrecisionLost)?;
        let beyond = (&self.first_level * (r * twice)).x;
        let levels = self.boundary.iter().zip(&self.levels);
        let below: f64 = levels.map(|(share, &level)| share * level as f64).sum();
        Ok(below + self.first as f64 * repeated + beyond)
    }
}

#[cfg(test)]
mod tests {
    use super::{Qbd, QbdSolution};
    use crate::error::Error;
    use crate::qbd::QbdBlocks;
    use crate::sparse::Csr;

    /// Two phases: arrivals are frequent in one and rare in the other.
    fn queue(service: f64) -> Qbd {
        let diagonal = |a: f64, b: f64| Csr::from_rows(2, [vec![(0, a)], vec![(1, b)]]);
        let turns = Csr::from_rows(2, [vec![(1, 0.3)], vec![(0, 0.2)]]);
        Qbd::new(QbdBlocks {
            levels: vec![0, 0],
            first: 1,
            boundary: turns.clone(),
            enter: diagonal(1.5, 0.1),
            leave: diagonal(service, service),
            up: diagonal(1.5, 0.1),
            local: turns,
            down: diagonal(service, service),
        })
        .expect("a chain")
    }

    #[test]
    fn each_flaw_is_found() {
        let chain = queue(1.2);
        let right = chain.solve().expect("stable");
        assert!(right.verify(&chain).expect("right") <= right.residual() + 1e-15);
        let flawed = |change: &dyn Fn(&mut QbdSolution)| {
            let mut solution = right.clone();
            change(&mut solution);
            solution.verify(&chain).expect_err("a flaw")
        };
        let negative = flawed(&|solution| solution.boundary[1] = -1e-9);
        assert!(matches!(negative, Error::NotADistribution { wrong: Some(1), .. }));
        let none = flawed(&|solution| solution.first_level[1] = f64::NAN);
        assert!(matches!(none, Error::NotADistribution { wrong: Some(3), .. }));
        let more = flawed(&|solution| solution.boundary[0] += 1e-9);
        assert!(matches!(more, Error::NotADistribution { wrong: None, .. }));
        let moved = flawed(&|solution| {
            solution.boundary[0] += 1e-9;
            solution.boundary[1] -= 1e-9;
        });
        assert!(matches!(moved, Error::Unbalanced { .. }), "{moved:?}");
        let matrix = flawed(&|solution| solution.rate_matrix[(1, 0)] = -1e-3);
        assert!(matches!(matrix, Error::Negative { from: 1, to: 0, .. }));
        let matrix = flawed(&|solution| solution.rate_matrix[(1, 0)] = f64::INFINITY);
        assert_eq!(matrix, Error::NotANumber { from: 1, to: 0 });
        let large = flawed(&|solution| solution.rate_matrix *= 3.0);
        assert!(matches!(large, Error::Unstable { .. }));
        // What follows from `R` fits it, but not the chain.
        let other = flawed(&|solution| {
            let wrong = queue(1.2001).solve().expect("stable");
            *solution = QbdSolution {
                residual: solution.residual,
                ..wrong
            };
        });
        assert!(
            matches!(
                other,
                Error::Parameter {
                    name: "residual of R",
                    ..
                }
            ),
            "{other:?}"
        );
        let mean = flawed(&|solution| solution.mean_level += 1e-6);
        assert!(matches!(mean, Error::Parameter { name: "mean level", .. }));
        let shape = flawed(&|solution| solution.first = 2);
        assert!(matches!(shape, Error::Parameter { .. }));
        let shape = flawed(&|solution| solution.boundary.push(0.0));
        assert!(matches!(shape, Error::LengthMismatch { .. }));
    }

    /// What is balanced is so in any proportion: that it adds up to one is seen by the sum alone, also where few ever wait.
    #[test]
    fn shares_that_miss_one_are_refused_however_few_wait() {
        for service in [1.2, 1e6] {
            let chain = queue(service);
            let mut solution = chain.solve().expect("stable");
            solution.verify(&chain).expect("right");
            let shares = solution.boundary.iter_mut().chain(&mut solution.first_level);
            shares.for_each(|share| *share *= 1.0 + 1e-12);
            match solution.verify(&chain) {
                Err(Error::NotADistribution { deficit, wrong: None }) => assert!((deficit + 1e-12).abs() < 1e-13),
                other => panic!("{service}: {other:?}"),
            }
        }
    }
}
