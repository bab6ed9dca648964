//! Is no worst pair better, and with such a worst pair no total?

use super::Bottleneck;
use super::within::{Limit, Sense, Within};
use crate::blossom::Objective;
use crate::cost::CostValue;
use crate::input::Input;
use crate::instance::{Instance, Opaque};
use crate::solution::Status;
use crate::verify::{self, Claim, Number, VerifyError};

impl<V: CostValue> Bottleneck<V> {
    /// Checks this answer against its input: that the matching is one, has the worst pair that it says and, by its certificate,
    /// the best total of those without worse pairs; and that there is none of better pairs alone, by the witness.
    ///
    /// # Errors
    /// The first thing found wrong; what is wrong with matching and certificate as of the instance without pairs worse than
    /// [`worst`](Bottleneck::worst), what is wrong with the witness as of that without pairs no better than
    /// [`bound`](Bottleneck::bound).
    ///
    /// # Complexity
    /// That of [`Solution::verify`](crate::Solution::verify), twice.
    pub fn verify<I: Instance<Value = V> + ?Sized>(&self, instance: &I) -> Result<(), VerifyError> {
        V::check_bottleneck(&Opaque(instance), self)
    }
}

/// [`Bottleneck::verify`], whatever the instance.
pub(crate) fn check_bottleneck<V: CostValue>(
    instance: &dyn Instance<Value = V>,
    answer: &Bottleneck<V>,
) -> Result<(), VerifyError> {
    let (solution, objective) = (&answer.solution, &answer.solution.objective);
    let require = |holds: bool, what| {
        if holds {
            Ok(())
        } else {
            Err(VerifyError::Bottleneck { what })
        }
    };
    let is_for_all = matches!(
        objective,
        Objective::MinPerfect | Objective::MaxPerfect | Objective::MinBye(_)
    );
    require(is_for_all, "an objective that leaves it open who is matched")?;
    let sense = Sense::of(objective);
    let pairs = solution.pairs.iter().map(|edge| edge.weight);
    let (Some(worst), Some(bound), Some(witness)) = (answer.worst, answer.bound, &answer.witness) else {
        let is_silent = answer.worst.is_none() && answer.bound.is_none() && answer.witness.is_none();
        require(is_silent, "a worst pair without a bound, or a bound without a proof")?;
        let has_none = pairs.len() == 0 || matches!(solution.status, Status::Unknown(_));
        require(has_none, "no worst pair where there are pairs")?;
        require(answer.status == solution.status, "a status that does not follow")?;
        return verify::check_claim(instance, &Claim::from(solution));
    };
    let found = sense.worst(pairs);
    if found != Some(worst) {
        return Err(VerifyError::WorstPair {
            found: Number::from(worst.to_total()),
            required: found.map(|cost| Number::from(cost.to_total())),
        });
    }
    let is_proven = solution.is_optimal() && bound == worst;
    let follows = match answer.status {
        Status::Optimal => is_proven,
        Status::Feasible(_) => !is_proven && !matches!(solution.status, Status::Unknown(_)),
        Status::Unknown(_) => false,
    };
    require(follows, "a status that does not follow")?;
    Input::of(instance, |input| {
        let within = |limit| Within { input, limit, sense };
        verify::check_claim(&within(Limit::UpTo(worst)), &Claim::from(solution))?;
        verify::check_witness(&within(Limit::Better(bound)), objective, witness)
    })
}
