//! An answer in integers as one in floats.

use super::Solution;
use crate::blossom::Objective;
use crate::edge_list::Edge;
use crate::error::Error;
use crate::numbers;

/// The least float is 2 to this power, and all are multiples of it.
const FINEST: i64 = f64::MIN_EXP as i64 - f64::MANTISSA_DIGITS as i64;

impl Solution<i64> {
    /// The same answer, and its proof, where costs are floats: each is an integer of this one times 2 to the power of `exponent`.
    ///
    /// For those who keep floats as integers of a grid, as in a [`Session`](crate::Session), whose costs are `i64`. The total
    /// is the float nearest to the exact one.
    ///
    /// # Errors
    /// [`Error::NoFloat`] for a cost, a penalty or a bye that is no `f64`, and [`Error::TotalOutOfRange`].
    ///
    /// # Complexity
    /// O(n) for n vertices, and the size of the certificate.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, EdgeList, Error};
    ///
    /// // In quarters.
    /// let quarters = EdgeList::new(4, [(0, 1, 5_i64), (1, 2, 2), (2, 3, 6), (0, 3, 10)])?;
    /// let floats = Blossom::new().solve(&quarters)?.on_grid(-2)?;
    /// assert_eq!((floats.cost(), floats.is_optimal()), (2.75, true));
    /// let edges = EdgeList::new(4, [(0, 1, 1.25), (1, 2, 0.5), (2, 3, 1.5), (0, 3, 2.5)])?;
    /// assert!(floats.verify(&edges).is_ok());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn on_grid(&self, exponent: i32) -> Result<Solution<f64>, Error> {
        let float = |units: i64| {
            let value = numbers::nearest_float(units.into(), exponent);
            let zeros = units.trailing_zeros().min(63);
            let digits = u64::BITS - (units.unsigned_abs() >> zeros).leading_zeros();
            let is_exact = digits <= f64::MANTISSA_DIGITS && i64::from(exponent) + i64::from(zeros) >= FINEST;
            let value = Some(value).filter(|value| units == 0 || is_exact && value.is_finite());
            value.ok_or(Error::NoFloat { units, exponent })
        };
        let floats = |units: &[i64]| units.iter().map(|&units| float(units)).collect::<Result<_, _>>();
        let total = |units: i128| {
            let total = numbers::nearest_float(units, exponent);
            total.is_finite().then_some(total).ok_or(Error::TotalOutOfRange)
        };
        let named = |edge: &Edge<i64>| {
            Ok(Edge {
                u: edge.u,
                v: edge.v,
                weight: float(edge.weight)?,
            })
        };
        let mut certificate = self.certificate.clone();
        certificate.exponent = exponent;
        Ok(Solution {
            mates: self.mates.clone(),
            pairs: self.pairs.iter().map(named).collect::<Result<_, _>>()?,
            cost: total(self.cost)?,
            // As of a solve of the floats, whose bound may be beyond all of them.
            bound: numbers::nearest_float(self.bound, exponent),
            status: self.status,
            objective: match &self.objective {
                Objective::MinPerfect => Objective::MinPerfect,
                Objective::MaxPerfect => Objective::MaxPerfect,
                Objective::MaxWeight => Objective::MaxWeight,
                Objective::MaxCardinality => Objective::MaxCardinality,
                Objective::MinOptOut(prices) => Objective::MinOptOut(floats(prices)?),
                Objective::MinBye(prices) => Objective::MinBye(floats(prices)?),
            },
            certificate,
            work: self.work,
            solved_by: self.solved_by,
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::blossom::Blossom;
    use crate::budget::Budget;
    use crate::cost::CondensedMatrix;
    use crate::dense::Session;
    use crate::edge_list::EdgeList;

    /// Under every objective, stopped or not: what is true of integers is true of the floats that they stand for, and it is what
    /// a solve of these says.
    #[test]
    fn an_answer_is_one_of_the_floats_that_integers_stand_for() {
        let rng = &mut ChaCha8Rng::seed_from_u64(103);
        let mut found = 0;
        for round in 0..600 {
            let n = rng.random_range(1..12);
            let exponent = [-1, 0, 7, -52, -1074][round % 5];
            let reach = [5, 1000, 1 << 50][round % 3];
            let mut edges = Vec::new();
            for (u, v) in (0..n).flat_map(|v| (0..v).map(move |u| (u, v))) {
                if rng.random_bool(0.7) {
                    edges.push((u, v, rng.random_range(-reach..=reach)));
                }
            }
            let float = |units: i64| numbers::nearest_float(units.into(), exponent);
            let floats = edges.iter().map(|&(u, v, units)| (u, v, float(units)));
            let floats = EdgeList::new(n, floats).unwrap();
            let edges = EdgeList::new(n, edges).unwrap();
            let prices: Vec<i64> = (0..n).map(|_| rng.random_range(-reach..=reach)).collect();
            let priced: Vec<f64> = prices.iter().map(|&price| float(price)).collect();
            let objectives = [
                (Objective::MinPerfect, Objective::MinPerfect),
                (Objective::MaxPerfect, Objective::MaxPerfect),
                (Objective::MaxWeight, Objective::MaxWeight),
                (Objective::MaxCardinality, Objective::MaxCardinality),
                (
                    Objective::MinOptOut(prices.clone()),
                    Objective::MinOptOut(priced.clone()),
                ),
                (Objective::MinBye(prices.clone()), Objective::MinBye(priced.clone())),
            ];
            for (of_integers, of_floats) in objectives {
                let budget = match round % 4 {
                    0 => Budget::new().work(rng.random_range(0..40)),
                    _ => Budget::new(),
                };
                let solver = Blossom::new().objective(of_integers).budget(budget);
                let Ok(answer) = solver.solve(&edges) else { continue };
                let moved = answer.on_grid(exponent).unwrap();
                moved.verify(&floats).unwrap();
                assert_eq!((moved.status(), moved.objective()), (answer.status(), &of_floats));
                if answer.is_optimal() {
                    let again = Blossom::new().objective(of_floats).solve(&floats).unwrap();
                    assert_eq!(moved.cost(), again.cost());
                    found += 1;
                }
            }
        }
        assert!(found > 1_000, "{found}");
    }

    /// It was refused as if the total were.
    #[test]
    fn a_bound_may_be_beyond_all_floats() {
        let (unit, costs) = (2f64.powi(1023), [0_i64, 1, -1]);
        let units = CondensedMatrix::new(3, costs.to_vec()).unwrap();
        let floats = CondensedMatrix::new(3, costs.map(|cost| cost as f64 * unit).to_vec()).unwrap();
        let pool = Session::new(&units).unwrap().penalties(vec![0, 0, -1]).unwrap();
        let stopped = pool.budget(Budget::new().work(0)).solve().unwrap();
        stopped.verify(&units).unwrap();
        let moved = stopped.on_grid(1023).unwrap();
        assert_eq!((moved.cost(), moved.bound()), (-unit, f64::NEG_INFINITY));
        moved.verify(&floats).unwrap();
    }

    #[test]
    fn what_is_no_float_is_refused() {
        let edges = |weight| EdgeList::new(4, [(0, 1, weight), (2, 3, weight)]).unwrap();
        let solve = |weight| Blossom::new().solve(&edges(weight)).unwrap();
        let refused =
            |units, exponent| assert_eq!(solve(units).on_grid(exponent), Err(Error::NoFloat { units, exponent }));
        refused((1 << 53) + 1, 0);
        assert_eq!(solve(i64::MIN).on_grid(-63).unwrap().cost(), -2.0);
        assert_eq!(solve(1).on_grid(1023), Err(Error::TotalOutOfRange));
        refused(1, 1024);
        refused(1, -1075);
        refused(3, -1075);
        assert_eq!(solve(1).on_grid(-1074).unwrap().cost(), f64::from_bits(2));
        assert_eq!(solve(0).on_grid(i32::MAX).unwrap().cost(), 0.0);
    }
}
