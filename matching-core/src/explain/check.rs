//! Does an explanation follow from the input and the solution?

use super::rest::{Rest, Taken};
use super::what_if::{Answer, Context};
use super::{Explanation, WhatIf, check_sizes};
use crate::cost::CostValue;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::solution::Solution;
use crate::verify::{self, Claim, VerifyError};

impl<V: CostValue> Explanation<V> {
    /// Checks this explanation against the instance and the solution it is about: the cost of the pair, the proofs of
    /// what would be, and that all else follows from these. Of the solution itself nothing is checked; that is what
    /// [`Solution::verify`] does.
    ///
    /// # Errors
    /// The first thing found wrong. What is wrong with the proof of what would be if the pair were forced is told as of the
    /// instance without its two vertices, as [`WhatIf::witness`] names them.
    pub fn verify<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        solution: &Solution<V>,
    ) -> Result<(), VerifyError> {
        V::check_explanation(&Opaque(instance), self, solution)
    }
}

/// [`Explanation::verify`], whatever the instance.
pub(crate) fn check_explanation<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    explanation: &Explanation<V>,
    solution: &Solution<V>,
) -> Result<(), VerifyError> {
    Input::of(instance, |input| {
        check_sizes(input, solution.len())?;
        let (u, v) = explanation.pair;
        if v >= input.len() {
            return Err(VerifyError::VertexOutOfRange {
                vertex: v,
                len: input.len(),
            });
        }
        let require = |holds: bool, what| {
            if holds {
                Ok(())
            } else {
                Err(VerifyError::Explanation { u, v, what })
            }
        };
        let cost = input.weight(u, v)?;
        let context = Context::new(solution, explanation.pair, cost);
        require(explanation.cost == cost, "the cost of the pair")?;
        require(explanation.is_chosen == context.is_chosen(), "whether it is chosen")?;
        let forced = explanation.forced.as_ref();
        require(forced.is_some() == cost.is_some(), "whether it can be forced")?;
        if let Some(what_if) = forced {
            let is_itself = solution.is_optimal() && context.is_chosen();
            require(!what_if.is_same() || is_itself, "what answers by itself")?;
            check_answer(input, solution, Taken::Vertices(u, v), what_if)?;
            let follows = context.what_if_forced(what_if.answer().clone());
            require(&follows == what_if, "what follows where it is forced")?;
        }
        let what_if = &explanation.forbidden;
        let is_itself = solution.is_optimal() && !context.is_chosen();
        require(!what_if.is_same() || is_itself, "what answers by itself")?;
        check_answer(input, solution, Taken::Pair(u, v), what_if)?;
        let follows = context.what_if_forbidden(what_if.answer().clone());
        require(&follows == what_if, "what follows where it is forbidden")
    })
}

/// Checks an answer against the rest that it is about.
fn check_answer<V: CostValue>(
    input: Input<'_, V>,
    solution: &Solution<V>,
    taken: Taken,
    what_if: &WhatIf<V>,
) -> Result<(), VerifyError> {
    let rest = Rest { input, taken };
    let objective = taken.objective(solution.objective());
    let verdict = match what_if.answer() {
        Answer::Same => Ok(()),
        Answer::Found(found) => {
            // The question is whose answer it is, not what the answer says was asked.
            let claim = Claim {
                objective: &objective,
                ..Claim::from(&**found)
            };
            verify::check_claim(&rest, &claim)
        }
        Answer::Infeasible(witness) => verify::check_witness(&rest, &objective, witness),
    };
    verdict.map_err(|fault| match fault {
        VerifyError::Input(error) => VerifyError::Input(taken.name(error)),
        of_the_proof => of_the_proof,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blossom::{Blossom, Objective};
    use crate::cost::from_fn;
    use crate::solution::{Status, StopReason};

    /// An optimum of four on a line, and the same matching as a solve leaves it that was stopped.
    fn best_and_stopped<I: Instance<Value = i64>>(gap: &I) -> (Solution<i64>, Solution<i64>) {
        let best = Blossom::new().solve(gap).unwrap();
        let stopped = Solution {
            status: Status::Feasible(StopReason::WorkLimit),
            ..best.clone()
        };
        (best, stopped)
    }

    /// Forced, a chosen pair of an optimum changes nothing, and neither does one that is not chosen if it is forbidden. Of
    /// anything else the solution says nothing, whoever claims that it does.
    #[test]
    fn a_solution_answers_by_itself_what_it_proves_and_no_more() {
        let gap = from_fn(4, |i: usize, j: usize| i.abs_diff(j) as i64);
        let (best, stopped) = best_and_stopped(&gap);
        for (solution, (u, v)) in [&best, &stopped]
            .into_iter()
            .flat_map(|one| [(one, (0, 1)), (one, (0, 2))])
        {
            let honest = Blossom::new().explain(&gap, solution, u, v).unwrap();
            assert_eq!(honest.verify(&gap, solution), Ok(()));
            let context = Context::new(solution, (u, v), honest.cost);
            let forced = Explanation {
                forced: Some(context.what_if_forced(Answer::Same)),
                ..honest.clone()
            };
            let forbidden = Explanation {
                forbidden: context.what_if_forbidden(Answer::Same),
                ..honest
            };
            let (is_optimal, is_chosen) = (solution.is_optimal(), (u, v) == (0, 1));
            for (claimed, is_true) in [(forced, is_optimal && is_chosen), (forbidden, is_optimal && !is_chosen)] {
                let what = "what answers by itself";
                let refusal = Err(VerifyError::Explanation { u, v, what });
                assert_eq!(claimed.verify(&gap, solution), if is_true { Ok(()) } else { refusal });
            }
        }
    }

    /// The least that is left is no answer to who asks for the most.
    #[test]
    fn proofs_are_for_the_question_that_the_solution_answers() {
        let gap = from_fn(4, |i: usize, j: usize| i.abs_diff(j) as i64);
        let (_, least) = best_and_stopped(&gap);
        let most = Solution {
            objective: Objective::MaxPerfect,
            ..least.clone()
        };
        for (u, v) in [(0, 1), (0, 2)] {
            let of_least = Blossom::new().explain(&gap, &least, u, v).unwrap();
            assert_eq!(of_least.verify(&gap, &least), Ok(()));
            assert!(of_least.verify(&gap, &most).is_err());
            let of_most = Blossom::new().explain(&gap, &most, u, v).unwrap();
            assert_eq!(of_most.verify(&gap, &most), Ok(()));
        }
    }
}
