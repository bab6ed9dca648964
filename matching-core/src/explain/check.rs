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
        check_sizes(input, solution)?;
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
