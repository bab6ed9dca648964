//! Whether frequencies are those of a policy within the limits, from the program alone.

use super::frequencies::{Accuracy, DUST, SAME, all_time, broken, cost, visits};
use super::{Criterion, Frequencies, Program};
use crate::budget::Meter;
use crate::error::{Error, check_length};
use crate::mdp::unit::Unit;

impl Frequencies {
    /// Checks from the program alone that these are frequencies: none is negative, they add up to all time, as much
    /// flows into each state as out of it, limits hold, the cost is theirs, and the policy has them, if there is one. All
    /// of that to a millionth of all time, as the simplex method has them, and to a billionth for signs. Returns the
    /// largest difference of a state, as a part of all time. That no others cost less is what [`Program::bound`] says. Of a
    /// [`multichain`](Program::multichain) program without a policy in its answer the start is not looked at: whether it
    /// leads to these classes in these shares, frequencies alone do not say.
    ///
    /// # Errors
    /// As [`Program::solve`] for the program itself; [`Error::LengthMismatch`] where states have other actions;
    /// [`Error::NotADistribution`] names a state with a frequency that is negative or no number, or says by what part of
    /// all time the sum is off; [`Error::Unbalanced`] names a state that is entered and left at different rates;
    /// [`Error::Parameter`] for a limit that is broken, and a cost that is not theirs; [`Error::OutOfBound`] names a state
    /// that the policy visits at another rate.
    ///
    /// # Complexity
    /// O(entries), and an elimination of all states where there is a policy.
    ///
    /// # Examples
    /// ```
    /// use markov::{Error, mdp::{Action, Mdp, program::Program}};
    ///
    /// let machine = |breaks| Mdp::new([
    ///     vec![Action { cost: -10.0, moves: vec![(0, 1.0 - breaks), (1, breaks)] }],
    ///     vec![Action { cost: 0.0, moves: vec![(0, 1.0)] }],
    /// ]);
    /// let (often, rarely) = (machine(0.1)?, machine(0.01)?);
    /// let found = Program::average(&often).solve()?;
    /// assert!(found.verify(&Program::average(&often))? < 1e-9);
    /// let other = found.verify(&Program::average(&rarely));
    /// assert!(matches!(other, Err(Error::Unbalanced { state: 0, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn verify(&self, program: &Program<'_>) -> Result<f64, Error> {
        program.check()?;
        let mdp = program.mdp;
        check_length("frequencies", mdp.costs.len(), self.frequencies.len())?;
        check_length("states", mdp.len(), self.starts.len() - 1)?;
        for state in 0..mdp.len() {
            check_length("frequencies of a state", mdp.actions(state), self.of_state(state).len())?;
        }
        let all = all_time(program);
        let is_none = |value: &f64| !value.is_finite() || *value < -DUST * all;
        let wrong = self.frequencies.iter().position(is_none).map(|row| mdp.state_of(row));
        let deficit = 1.0 - self.frequencies.iter().sum::<f64>() / all;
        if wrong.is_some() || deficit.abs() > SAME {
            return Err(Error::NotADistribution { deficit, wrong });
        }
        let off = self.check_balance(program)?;
        let accuracy = match &self.policy {
            Some(_) => Accuracy::Relative,
            None => Accuracy::Absolute,
        };
        if let Some(value) = broken(program, &self.frequencies, accuracy) {
            return Err(Error::Parameter {
                name: "excess over a limit",
                value,
                expected: "0, but for roundings",
            });
        }
        self.check_cost(program)?;
        self.check_policy(program)?;
        Ok(off)
    }

    /// What flows into states, and out of them, to others.
    fn check_balance(&self, program: &Program<'_>) -> Result<f64, Error> {
        let (mdp, all) = (program.mdp, all_time(program));
        let discount = match program.criterion {
            Criterion::Discounted(discount) => discount,
            Criterion::Average | Criterion::Multichain => 1.0,
        };
        let (mut inflows, mut outflows) = (vec![0.0; mdp.len()], vec![0.0; mdp.len()]);
        for state in 0..mdp.len() {
            // What is discounted leaves for good, and what starts comes from nowhere.
            if discount < 1.0 {
                inflows[state] += program.start[state];
            }
            for (row, frequency) in mdp.rows_of(state).zip(self.of_state(state)) {
                outflows[state] += (1.0 - discount) * frequency;
                for (to, chance) in mdp.moves.row(row).filter(|&(to, _)| to != state) {
                    let flow = discount * frequency * chance;
                    outflows[state] += flow;
                    inflows[to] += flow;
                }
            }
        }
        let mut worst = 0;
        let difference = |state: usize| (inflows[state] - outflows[state]).abs();
        for state in 0..mdp.len() {
            if difference(state) > difference(worst) {
                worst = state;
            }
        }
        match difference(worst) > SAME * all {
            true => Err(Error::Unbalanced {
                state: worst,
                inflow: inflows[worst],
                outflow: outflows[worst],
            }),
            false => Ok(difference(worst) / all),
        }
    }

    fn check_cost(&self, program: &Program<'_>) -> Result<(), Error> {
        let unit = Unit::of(program.mdp);
        let (sum, size) = cost(program.mdp, unit, &self.frequencies);
        let hidden = (self.frequencies.len() + 8) as f64 * f64::EPSILON * size + unit.grain::<f64>();
        if (sum - unit.time(&self.cost)).abs() <= hidden {
            return Ok(());
        }
        Err(Error::Parameter {
            name: "cost of frequencies",
            value: self.cost,
            expected: "the sum of costs times frequencies",
        })
    }

    fn check_policy(&self, program: &Program<'_>) -> Result<(), Error> {
        let Some(policy) = &self.policy else {
            return Ok(());
        };
        let (mdp, all) = (program.mdp, all_time(program));
        let (chain, _) = policy.chain(mdp)?;
        let bound = SAME * all;
        // Where there is no answer at all the policy has none of these frequencies.
        let visits = visits(program, &chain, &Meter::unlimited())?.unwrap_or_else(|| vec![f64::INFINITY; mdp.len()]);
        for (state, visits) in visits.iter().enumerate() {
            for (&frequency, chance) in self.of_state(state).iter().zip(policy.chances(state)) {
                let error = (visits * chance - frequency).abs();
                if error > bound {
                    return Err(Error::OutOfBound { state, error, bound });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Frequencies, Program};
    use crate::error::Error;
    use crate::mdp::{Action, Mdp};

    fn machine() -> Mdp {
        let action = |cost, moves: &[(usize, f64)]| Action {
            cost,
            moves: moves.to_vec(),
        };
        Mdp::new([
            vec![action(-10.0, &[(0, 0.9), (1, 0.1)])],
            vec![action(0.0, &[(0, 0.5), (1, 0.5)]), action(12.0, &[(0, 1.0)])],
        ])
        .expect("a process")
    }

    fn flaw(program: &Program<'_>, right: &Frequencies, change: impl Fn(&mut Frequencies)) -> Error {
        let mut found = right.clone();
        change(&mut found);
        found.verify(program).expect_err("a flaw")
    }

    #[test]
    fn each_flaw_is_found() {
        let machine = machine();
        let is_broken = |state, _| if state == 1 { 1.0 } else { 0.0 };
        for program in [
            Program::average(&machine),
            Program::multichain(&machine).start(vec![1.0, 0.0]),
            Program::discounted(&machine, 0.9),
        ] {
            let free = program.solve().expect("frequencies");
            assert!(free.verify(&program).expect("right") < 1e-9);
            let limited = program.clone().at_most(11.0, is_broken);
            free.verify(&limited).expect("within the limit");
            let limited = program.clone().at_most(0.1, is_broken);
            let broken = free.verify(&limited);
            assert!(
                matches!(
                    broken,
                    Err(Error::Parameter {
                        name: "excess over a limit",
                        ..
                    })
                ),
                "{broken:?}"
            );

            let negative = flaw(&program, &free, |found| found.frequencies[2] = -1e-3);
            assert!(matches!(negative, Error::NotADistribution { wrong: Some(1), .. }));
            let none = flaw(&program, &free, |found| found.frequencies[0] = f64::NAN);
            assert!(matches!(none, Error::NotADistribution { wrong: Some(0), .. }));
            let more = flaw(&program, &free, |found| found.frequencies[0] *= 1.001);
            assert!(matches!(more, Error::NotADistribution { wrong: None, .. }));
            let moved = flaw(&program, &free, |found| {
                found.frequencies[0] -= 0.01;
                found.frequencies[1] += 0.01;
            });
            assert!(matches!(moved, Error::Unbalanced { .. }), "{moved:?}");
            let cost = flaw(&program, &free, |found| found.cost += 1e-6);
            assert!(matches!(
                cost,
                Error::Parameter {
                    name: "cost of frequencies",
                    ..
                }
            ));
            // Other frequencies, that flow as they should, and a policy that does not have them.
            let fast = program.clone().at_least(0.05, |state, action| (state * action) as f64);
            let fast = fast.solve().expect("frequencies");
            let other = flaw(&program, &fast, |found| found.policy.clone_from(&free.policy));
            assert!(matches!(other, Error::OutOfBound { .. }), "{other:?}");
            let fewer = Mdp::new([vec![Action {
                cost: 0.0,
                moves: vec![(0, 1.0)],
            }]])
            .expect("a process");
            assert!(matches!(
                free.verify(&Program::average(&fewer)),
                Err(Error::LengthMismatch { .. })
            ));
        }
    }
}
