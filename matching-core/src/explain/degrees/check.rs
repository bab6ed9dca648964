//! Does an explanation follow from the input and the answer?

use super::what_if::{Answer, Context};
use super::{DegreesExplanation, DegreesWhatIf, bound_under, lowered, rest};
use crate::cost::CostValue;
use crate::degrees::{BMatching, DegreeWitness, Degrees};
use crate::explain::check_sizes;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::verify::{self, Condition, VerifyError};

impl<V: CostValue> DegreesExplanation<V> {
    /// Checks this explanation against the instance and the answer it is about: the cost of the pair, the proofs of what would
    /// be, and that all else follows from these. Of the answer itself nothing is checked but the duals that a bound rests on;
    /// that is what [`BMatching::verify`] does.
    ///
    /// # Errors
    /// The first thing found wrong. A [witness](DegreesWhatIf::witness) that says nothing proves nothing, and is refused
    /// ([`VerifyError::Deficiency`]) once all else was found right.
    ///
    /// # Complexity
    /// That of [`BMatching::verify`] for each answer that is not the one that was asked about.
    pub fn verify<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        answer: &BMatching<V>,
    ) -> Result<(), VerifyError> {
        V::check_degrees_explanation(&Opaque(instance), self, answer)
    }
}

/// [`DegreesExplanation::verify`], whatever the instance.
pub(crate) fn check_degrees_explanation<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    explanation: &DegreesExplanation<V>,
    answer: &BMatching<V>,
) -> Result<(), VerifyError> {
    Input::of(instance, |input| {
        check_sizes(input, answer.degrees.len())?;
        answer.degrees.check(input.len())?;
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
        let context = Context::new(answer, explanation.pair, cost);
        require(explanation.cost == cost, "the cost of the pair")?;
        require(explanation.is_chosen == context.is_chosen(), "whether it is chosen")?;
        let forced = explanation.forced.as_ref();
        require(forced.is_some() == cost.is_some(), "whether it can be forced")?;
        let bound =
            |what_if: &DegreesWhatIf<V>, condition| bound_under(instance, &context, what_if.answer(), condition);
        if let Some(what_if) = forced {
            let is_itself = answer.is_optimal() && context.is_chosen();
            require(!what_if.is_same() || is_itself, "what answers by itself")?;
            let degrees = lowered(&answer.degrees, (u, v));
            let barred = degrees.as_ref().err().copied();
            require(
                barred.is_none() || what_if.barred() == barred,
                "who may have no partners",
            )?;
            if let Ok(degrees) = &degrees {
                let is_asked = check_answer(input, answer, (u, v), degrees, what_if)?;
                require(is_asked, "what was asked where it is forced")?;
            }
            let bound = bound(what_if, Condition::Forced);
            let follows = context.what_if_forced(what_if.answer().clone(), bound);
            require(&follows == what_if, "what follows where it is forced")?;
        }
        let what_if = &explanation.forbidden;
        let is_itself = answer.is_optimal() && !context.is_chosen();
        require(!what_if.is_same() || is_itself, "what answers by itself")?;
        let is_asked = check_answer(input, answer, (u, v), &answer.degrees, what_if)?;
        require(is_asked, "what was asked where it is forbidden")?;
        let bound = bound(what_if, Condition::Forbidden);
        let follows = context.what_if_forbidden(what_if.answer().clone(), bound);
        require(&follows == what_if, "what follows where it is forbidden")?;
        let both = forced.into_iter().chain([what_if]);
        let is_unproven = both.filter_map(DegreesWhatIf::witness).any(says_nothing);
        if is_unproven {
            return Err(VerifyError::Deficiency { found: 0, required: 1 });
        }
        Ok(())
    })
}

fn says_nothing(witness: &DegreeWitness) -> bool {
    witness.missing() == 0
}

/// Checks an answer against the rest that it is about; whether it is one to this question.
fn check_answer<V: CostValue>(
    input: Input<'_, V>,
    answer: &BMatching<V>,
    pair: (usize, usize),
    degrees: &Degrees<V>,
    what_if: &DegreesWhatIf<V>,
) -> Result<bool, VerifyError> {
    let rest = rest(input, pair);
    match what_if.answer() {
        Answer::Same => Ok(true),
        Answer::Found(found) => {
            verify::check_b_matching(&rest, found)?;
            Ok(found.degrees == *degrees && found.is_maximum == answer.is_maximum)
        }
        Answer::Infeasible(witness) if says_nothing(witness) => Ok(true),
        Answer::Infeasible(witness) => {
            verify::check_degree_witness(&rest, degrees, witness)?;
            Ok(true)
        }
        // Both may have partners.
        Answer::Barred(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blossom::Blossom;
    use crate::budget::Budget;
    use crate::cost::from_symmetric_fn;
    use crate::solution::{Status, StopReason};

    fn refused(what: &'static str, (u, v): (usize, usize)) -> Result<(), VerifyError> {
        Err(VerifyError::Explanation { u, v, what })
    }

    /// Forced, a chosen pair of an optimum changes nothing, and neither does one that is not chosen if it is forbidden. Of
    /// anything else the answer says nothing, whoever claims that it does.
    #[test]
    fn an_answer_answers_by_itself_what_it_proves_and_no_more() {
        let gap = from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
        let degrees = Degrees::exactly(vec![2; 6]);
        let best = Blossom::new().solve_degrees(&gap, &degrees).unwrap();
        let stopped = BMatching {
            status: Status::Feasible(StopReason::WorkLimit),
            ..best.clone()
        };
        assert!(best.partners(0).eq([1, 2]));
        for (answer, (u, v)) in [&best, &stopped]
            .into_iter()
            .flat_map(|one| [(one, (0, 1)), (one, (0, 5))])
        {
            let honest = Blossom::new().explain_degrees(&gap, answer, u, v).unwrap();
            assert_eq!(honest.verify(&gap, answer), Ok(()));
            let context = Context::new(answer, (u, v), honest.cost);
            let forced = DegreesExplanation {
                forced: Some(context.what_if_forced(Answer::Same, None)),
                ..honest.clone()
            };
            let forbidden = DegreesExplanation {
                forbidden: context.what_if_forbidden(Answer::Same, None),
                ..honest
            };
            let (is_optimal, is_chosen) = (answer.is_optimal(), (u, v) == (0, 1));
            for (claimed, is_true) in [(forced, is_optimal && is_chosen), (forbidden, is_optimal && !is_chosen)] {
                let refusal = refused("what answers by itself", (u, v));
                assert_eq!(claimed.verify(&gap, answer), if is_true { Ok(()) } else { refusal });
            }
        }
    }

    /// An answer to another question, however good, is none to this one; and a bound must follow from something.
    #[test]
    fn proofs_are_for_the_question_that_is_asked() {
        let gap = from_symmetric_fn(6, |i, j| i.abs_diff(j) as i64);
        let degrees = Degrees::exactly(vec![2; 6]);
        let best = Blossom::new().solve_degrees(&gap, &degrees).unwrap();
        let pair = (0, 5);
        let honest = Blossom::new().explain_degrees(&gap, &best, 0, 5).unwrap();
        let context = Context::new(&best, pair, honest.cost);
        let claimed = |answer: Answer<i64>, bound| DegreesExplanation {
            forced: Some(context.what_if_forced(answer, bound)),
            ..honest.clone()
        };
        // The best of the rest where both still need as many as before: what is told of it counts one too many.
        let rest = rest(Input::Pairs(&gap), pair);
        let unchanged = Blossom::new().solve_degrees(&rest, &degrees).unwrap();
        let other = claimed(Answer::Found(Box::new(unchanged)), None);
        let refusal = refused("what was asked where it is forced", pair);
        assert_eq!(other.verify(&gap, &best), refusal);
        // Both may have partners.
        assert_eq!(claimed(Answer::Barred(0), None).verify(&gap, &best), refusal);
        let none = Blossom::new().budget(Budget::new().work(0));
        let vague = none.explain_degrees(&gap, &best, 0, 5).unwrap();
        let Answer::Found(found) = vague.forced().unwrap().answer().clone() else {
            panic!("{vague:?}");
        };
        let bound = vague.forced().unwrap().bound();
        assert_eq!(claimed(Answer::Found(found.clone()), bound).verify(&gap, &best), Ok(()));
        let better = claimed(Answer::Found(found), bound.map(|bound| bound + 1));
        let refusal = refused("what follows where it is forced", pair);
        assert_eq!(better.verify(&gap, &best), refusal);
    }

    /// Who may have no partners is told, and nobody else is.
    #[test]
    fn who_may_have_no_partners_is_told() {
        let gap = from_symmetric_fn(4, |i, j| i.abs_diff(j) as i64);
        let degrees = Degrees::between(vec![0, 1, 1, 0], vec![0, 2, 2, 0]);
        let best = Blossom::new().solve_degrees(&gap, &degrees).unwrap();
        let honest = Blossom::new().explain_degrees(&gap, &best, 0, 1).unwrap();
        assert_eq!(honest.forced().unwrap().barred(), Some(0));
        assert_eq!(honest.verify(&gap, &best), Ok(()));
        let context = Context::new(&best, (0, 1), honest.cost);
        let claimed = DegreesExplanation {
            forced: Some(context.what_if_forced(Answer::Barred(1), None)),
            ..honest
        };
        let refusal = refused("who may have no partners", (0, 1));
        assert_eq!(claimed.verify(&gap, &best), refusal);
    }
}
