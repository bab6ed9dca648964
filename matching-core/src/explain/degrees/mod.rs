//! The same where everybody has several partners.

mod check;
mod what_if;

use std::time::Instant;

use super::check_sizes;
use super::rest::{Rest, Taken};
use crate::blossom::{Blossom, Objective};
use crate::budget::Budget;
use crate::cost::CostValue;
use crate::degrees::{self, BMatching, Degrees};
use crate::error::Error;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::verify::{self, Condition};
pub(crate) use check::check_degrees_explanation;
pub use what_if::DegreesWhatIf;
use what_if::{Answer, Context};

/// What there is to say about one pair where everybody has several partners: made by [`Blossom::explain_degrees`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "V: serde::Serialize, V::Total: serde::Serialize"))
)]
pub struct DegreesExplanation<V: CostValue> {
    pair: (usize, usize),
    cost: Option<V>,
    is_chosen: bool,
    forced: Option<DegreesWhatIf<V>>,
    forbidden: DegreesWhatIf<V>,
}

impl<V: CostValue> DegreesExplanation<V> {
    /// The pair, lower vertex first.
    pub fn pair(&self) -> (usize, usize) {
        self.pair
    }

    /// What the pair costs; `None` where it is forbidden or no edge.
    pub fn cost(&self) -> Option<V> {
        self.cost
    }

    /// Whether the pair is in the answer. One by which not everybody has enough partners
    /// ([`Status::Unknown`](crate::Status::Unknown)) is none.
    pub fn is_chosen(&self) -> bool {
        self.is_chosen
    }

    /// The best answer that has the pair; `None` where the pair cannot be, as it has no cost.
    pub fn forced(&self) -> Option<&DegreesWhatIf<V>> {
        self.forced.as_ref()
    }

    /// The best answer that does not have the pair.
    pub fn forbidden(&self) -> &DegreesWhatIf<V> {
        &self.forbidden
    }
}

impl<V: CostValue> Blossom<V> {
    /// What forcing or forbidding a pair would change about several partners each, which this or another `Blossom` has found:
    /// [`explain`](Blossom::explain) for [`solve_degrees`](Blossom::solve_degrees).
    ///
    /// The question is that of the answer: its [`Degrees`], the least total or the greatest. Precision, threads, observer and
    /// limits are those set here. A proven optimum answers one of the two by itself: the pair is in it, or not. What it does not
    /// answer is solved: without the pair, and without it where both its ends have one partner fewer to find (of bounds, both are
    /// one lower), within [`Budget`] for both together, but that a proof of there being no such choice takes of its time
    /// alone: its work is not told ([`DegreesWhatIf::work`]). Where that stops a solve, the answer says so
    /// ([`DegreesWhatIf::status`]) and has a bound: by the duals of that solve, or by those of the answer that was asked
    /// about, whichever says more.
    ///
    /// Where there was no answer to begin with ([`Error::NoDegrees`]) there is none with a pair forced or forbidden either, and
    /// nothing to ask.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] for an answer with another number of vertices than the instance has; what
    /// [`solve_degrees`](Blossom::solve_degrees) fails with, but for [`Error::NoDegrees`], which is an answer here. A total that
    /// leaves its type is no error but left out ([`DegreesWhatIf::cost`]).
    ///
    /// # Panics
    /// If `i` and `j` are not two different vertices of the answer.
    ///
    /// # Complexity
    /// That of one solve where the answer is proven optimal and of two at most elsewhere; O((m + c b) log m) for m edges, of which
    /// c are in the certificate, and b partners each, for the bound of a solve that was stopped.
    ///
    /// # Examples
    /// ```
    /// use matching_core::{Blossom, Degrees, Error, cost};
    ///
    /// // Three games each tonight, never twice against the same.
    /// let rating = [1510_i64, 1180, 1495, 1220, 1300, 1410];
    /// let gap = cost::from_symmetric_fn(6, |i, j| (rating[i] - rating[j]).abs());
    /// let blossom = Blossom::new();
    /// let evening = blossom.solve_degrees(&gap, &Degrees::exactly(vec![3; 6]))?;
    ///
    /// // What if 0 must not play 2? It would cost 390 more, and three games would be others.
    /// let why = blossom.explain_degrees(&gap, &evening, 0, 2)?;
    /// assert_eq!((why.cost(), why.is_chosen()), (Some(15), true));
    /// let forbidden = why.forbidden();
    /// assert_eq!((forbidden.cost(), forbidden.change()), (Some(1545), Some(390)));
    /// assert_eq!(forbidden.added().collect::<Vec<_>>(), [(0, 4, 210), (1, 2, 315), (3, 5, 190)]);
    /// assert_eq!(forbidden.dropped().collect::<Vec<_>>(), [(0, 2, 15), (1, 5, 230), (3, 4, 80)]);
    /// assert!(why.verify(&gap, &evening).is_ok());
    ///
    /// // And why does he not play 1? He might as well.
    /// let why = blossom.explain_degrees(&gap, &evening, 0, 1)?;
    /// assert_eq!(why.forced().expect("the pair is allowed").change(), Some(0));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn explain_degrees<I: Instance<Value = V> + ?Sized>(
        &self,
        instance: &I,
        answer: &BMatching<V>,
        i: usize,
        j: usize,
    ) -> Result<DegreesExplanation<V>, Error> {
        let n = answer.degrees.len();
        assert!(
            i < n && j < n && i != j,
            "a pair is two different vertices of the answer: ({i}, {j}) of {n}"
        );
        V::explain_degrees(self, &Opaque(instance), answer, (i.min(j), i.max(j)))
    }

    /// [`explain_degrees`](Blossom::explain_degrees), whatever the instance.
    pub(crate) fn explain_degrees_opaque(
        &self,
        instance: &dyn Instance<Value = V>,
        answer: &BMatching<V>,
        pair: (usize, usize),
    ) -> Result<DegreesExplanation<V>, Error> {
        Input::of(instance, |input| {
            check_sizes(input, answer.degrees.len())?;
            answer.degrees.check(input.len())?;
            let question = Question {
                blossom: self,
                instance,
                input,
                answer,
                pair,
                left: self.budget.clone(),
            };
            question.explain()
        })
    }
}

/// One pair, to be asked about.
struct Question<'a, V: CostValue> {
    blossom: &'a Blossom<V>,
    instance: &'a dyn Instance<Value = V>,
    input: Input<'a, V>,
    answer: &'a BMatching<V>,
    /// The lower vertex first.
    pair: (usize, usize),
    /// What is left of the limits.
    left: Budget,
}

impl<V: CostValue> Question<'_, V> {
    fn explain(mut self) -> Result<DegreesExplanation<V>, Error> {
        let (u, v) = self.pair;
        let cost = self.input.weight(u, v)?;
        let context = Context::new(self.answer, self.pair, cost);
        let is_optimal = self.answer.is_optimal();
        let is_chosen = context.is_chosen();
        let forced = match cost {
            None => None,
            Some(_) if is_optimal && is_chosen => Some(Answer::Same),
            Some(_) => Some(match lowered(&self.answer.degrees, self.pair) {
                Ok(degrees) => self.answer(&degrees)?,
                Err(barred) => Answer::Barred(barred),
            }),
        };
        let forbidden = if is_optimal && !is_chosen {
            Answer::Same
        } else {
            self.answer(&self.answer.degrees)?
        };
        let bound = |answer: &Answer<V>, condition| bound_under(self.instance, &context, answer, condition);
        Ok(DegreesExplanation {
            pair: self.pair,
            cost,
            is_chosen,
            forced: forced.map(|answer| {
                let bound = bound(&answer, Condition::Forced);
                context.what_if_forced(answer, bound)
            }),
            forbidden: {
                let bound = bound(&forbidden, Condition::Forbidden);
                context.what_if_forbidden(forbidden, bound)
            },
        })
    }

    /// Solves the instance without the pair within what is left of the limits, and takes what it used off them.
    fn answer(&mut self, degrees: &Degrees<V>) -> Result<Answer<V>, Error> {
        let start = Instant::now();
        let objective = match self.answer.is_maximum {
            true => Objective::MaxPerfect,
            false => Objective::MinPerfect,
        };
        let blossom = self.blossom.clone().objective(objective).budget(self.left.clone());
        let answer = match degrees::solve_any(&blossom, &rest(self.input, self.pair), degrees) {
            Ok(found) => Answer::Found(Box::new(found)),
            Err(Error::NoDegrees(witness)) => Answer::Infeasible(witness),
            Err(error) => return Err(error),
        };
        // Who proves that there is no answer does not say how much work it took.
        let work = if let Answer::Found(found) = &answer {
            found.work()
        } else {
            0
        };
        self.left = self.left.after(work, start.elapsed());
        Ok(answer)
    }
}

/// What is left to choose from, whether the pair is forced or forbidden.
fn rest<V: CostValue>(input: Input<'_, V>, (u, v): (usize, usize)) -> Rest<'_, V> {
    let taken = Taken::Pair(u, v);
    Rest { input, taken }
}

/// How many partners there should be beside a pair that is forced, or who of the two may have none.
fn lowered<V: CostValue>(degrees: &Degrees<V>, (u, v): (usize, usize)) -> Result<Degrees<V>, usize> {
    let mut lowered = degrees.clone();
    for end in [u, v] {
        lowered.least[end] = lowered.least[end].saturating_sub(1);
        lowered.most[end] = lowered.most[end].checked_sub(1).ok_or(end)?;
    }
    Ok(lowered)
}

/// What the duals of the answer that was asked about say of a solve that was stopped, if anything.
fn bound_under<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    context: &Context<'_, V>,
    answer: &Answer<V>,
    condition: Condition,
) -> Option<V::Total> {
    let Answer::Found(found) = answer else { return None };
    if found.is_optimal() {
        return None;
    }
    let edges = instance.to_edges().ok()?;
    let bound = verify::bound_under(&edges, context.answer(), context.pair(), condition).ok();
    bound.filter(|bound| bound.is_number())
}
