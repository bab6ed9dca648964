//! The chain of the patient policy: states, steps, and in which sense it settles.

use std::collections::BTreeSet;

use num_traits::Signed;

use super::facts::{LongRun, induced_moves};
use super::{At, Formula, full_grid, grid, plain, printed, truth, whole};
use crate::claims::Remedy;
use crate::models::wu::patient_chain;
use crate::scalar::Rational;

pub(super) fn formulas() -> Vec<Formula> {
    vec![
        state_space(),
        transitions(),
        row_sums(),
        irreducible(),
        aperiodic(),
        stationary(),
    ]
}

fn state_space() -> Formula {
    plain(
        "the size of the state space of the Markov chain induced by the patient policy",
        "It is 2n(n+1). Computed: pools that the patient policy of the decision process keeps coming back to.",
        grid(),
        |at| Some(printed::states(at.n())),
        |at| {
            let moves = induced_moves(at)?;
            let pools: BTreeSet<_> = moves.iter().map(|(from, ..)| *from).collect();
            Ok(whole(pools.len()))
        },
    )
}

fn transitions() -> Formula {
    plain(
        "the transition probabilities are the following",
        "The printed transition probabilities are those of the patient policy. Compared: in how many pairs of pools they \
         differ from what the decision process does under that policy.",
        grid(),
        |_| Some(whole(0)),
        |at| {
            let induced = induced_moves(at)?;
            let patient = patient_chain(at.n(), at.q())?;
            let names = patient.states.names();
            let mut printed = BTreeSet::new();
            for (state, &from) in names.iter().enumerate() {
                let row = patient.chain.moves().row(state);
                printed.extend(row.map(|(to, probability)| (from, names[to], probability.clone())));
            }
            Ok(whole(printed.symmetric_difference(&induced).count()))
        },
    )
}

fn row_sums() -> Formula {
    plain(
        "P from (u,v)",
        "The printed transition probabilities out of each state add up to one. Computed: the sum that is farthest from one.",
        full_grid(),
        |_| Some(whole(1)),
        |at| {
            let chain = patient_chain(at.n(), at.q())?.chain;
            let sum = |state| {
                let row = chain
                    .moves()
                    .row(state)
                    .map(|(_, probability): (usize, &Rational)| probability.clone());
                row.sum::<Rational>() + &chain.stay()[state]
            };
            Ok(farthest_from_one((0..chain.len()).map(sum)))
        },
    )
}

/// One where there is none.
fn farthest_from_one(sums: impl Iterator<Item = Rational>) -> Rational {
    let distance = |sum: &Rational| (sum - whole(1)).abs();
    sums.max_by_key(distance).unwrap_or_else(|| whole(1))
}

fn irreducible() -> Formula {
    plain(
        "irreducible",
        "The chain of the patient policy is irreducible (1 if so).",
        full_grid(),
        |_| Some(whole(1)),
        |at| Ok(truth(patient_chain(at.n(), at.q())?.chain.classes().is_irreducible())),
    )
    .read_for_two_types(|_| Some(whole(0)))
}

fn aperiodic() -> Formula {
    Formula {
        remedy: Remedy::Correction(
            "The period is 2n: each step adds one player or takes 2n - 1, so that the number of players grows by one modulo \
             2n. The distribution at time t does not settle; only long-run shares of time do.",
        ),
        elsewhere: |at| Some(whole(2 * at.n())),
        ..plain(
            "aperiodic",
            "The chain of the patient policy is aperiodic: its period is 1.",
            full_grid(),
            |_| Some(whole(1)),
            |at| {
                Ok(patient_chain(at.n(), at.q())?
                    .chain
                    .periods()
                    .into_iter()
                    .max()
                    .map_or_else(|| whole(0), whole))
            },
        )
    }
}

fn stationary() -> Formula {
    plain(
        "thus there exists a stationary distribution",
        "There is a stationary distribution. Computed: the sum over states of |pi P - pi|, for the shares of time from the \
         empty pool. (It follows from irreducibility alone; the chain is not aperiodic.)",
        full_grid(),
        |_| Some(whole(0)),
        residual,
    )
}

fn residual(at: &At) -> Result<Rational, crate::error::Error> {
    let LongRun { patient, shares } = LongRun::of(at)?;
    let mut next: Vec<Rational> = shares
        .iter()
        .zip(patient.chain.stay())
        .map(|(share, stay)| share * stay)
        .collect();
    for (state, share) in shares.iter().enumerate() {
        for (to, probability) in patient.chain.moves().row(state) {
            next[to] += share * probability;
        }
    }
    let misses = next.into_iter().zip(&shares).map(|(next, share)| next - share);
    Ok(misses.map(|miss| if miss < whole(0) { -miss } else { miss }).sum())
}

#[cfg(test)]
mod tests {
    use super::{farthest_from_one, whole};
    use crate::scalar::{Rational, Scalar};

    #[test]
    fn a_sum_off_one_shows_on_either_side() {
        let farthest = |sums: &[(i64, i64)]| farthest_from_one(sums.iter().map(|&(p, q)| Rational::ratio(p, q)));
        // Half and two make one if they are multiplied.
        assert_eq!(farthest(&[(1, 1), (1, 2), (2, 1)]), whole(2));
        assert_eq!(farthest(&[(1, 1), (1, 3), (3, 2), (1, 1)]), Rational::ratio(1, 3));
        assert_eq!(farthest(&[(1, 1), (1, 1)]), whole(1));
    }
}
