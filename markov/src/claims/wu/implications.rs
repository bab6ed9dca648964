//! What the theorem is said to imply.

use super::costs::patient_cost_of_one_type;
use super::facts::{greedy_cost, patient_cost, process};
use super::optimality::some_alphas;
use super::{At, Formula, each, full_grid, grid, plain, truth, whole};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

/// What the patient policy costs beyond the greedy one: how appealing the greedy one is.
fn appeal(at: &At) -> Result<Rational, Error> {
    Ok(patient_cost(at)? - greedy_cost(at)?)
}

/// The same point with one more player per team.
fn larger(at: &At) -> At {
    At::new(&[("n", whole(at.n() + 1)), ("q", at.q()), ("alpha", at.alpha())])
}

/// The same point with `q` halfway to 1/2.
fn balanced(at: &At) -> At {
    let q = (at.q() + Rational::ratio(1, 2)) / whole(2);
    At::new(&[("n", whole(at.n())), ("q", q), ("alpha", at.alpha())])
}

pub(super) fn formulas() -> Vec<Formula> {
    let unbalanced = |points: Vec<At>| -> Vec<At> {
        let points: Vec<At> = points
            .into_iter()
            .filter(|at| at.q() != Rational::ratio(1, 2))
            .collect();
        each(
            &points,
            "alpha",
            &[(1, 2), (1, 1), (5, 2)].map(|(p, q)| Rational::ratio(p, q)),
        )
    };
    let of_greedy = |at: &At| {
        let process = process(at)?;
        process.average(&process.greedy(), |decision| process.pool().waiting_cost(decision))
    };
    vec![
        plain(
            "when alpha is small, greedy is more appealing",
            "What greedy saves over patient is less for alpha + 1/3 than for alpha (1 if so).",
            some_alphas(&grid()),
            |_| Some(whole(1)),
            |at| {
                let more = at.alpha() + Rational::ratio(1, 3);
                let more = At::new(&[("n", whole(at.n())), ("q", at.q()), ("alpha", more)]);
                Ok(truth(appeal(&more)? < appeal(at)?))
            },
        ),
        plain(
            "greedy is more likely to beat patient when q is away from 1/2",
            "What greedy saves over patient is more at q than halfway from q to 1/2 (1 if so).",
            unbalanced(grid()),
            |_| Some(whole(1)),
            |at| Ok(truth(appeal(at)? > appeal(&balanced(at))?)),
        ),
        plain(
            "the total waiting cost is independent of q: greedy",
            "Printed: the waiting cost per period at q = 1/2; computed: at q.",
            full_grid(),
            |at| {
                let middle = At::new(&[("n", whole(at.n())), ("q", Rational::ratio(1, 2))]);
                let process = process(&middle).ok()?;
                process
                    .average(&process.greedy(), |decision| process.pool().waiting_cost(decision))
                    .ok()
            },
            of_greedy,
        ),
        plain(
            "the total waiting cost is independent of q: patient",
            "Printed: the waiting cost per period at q = 1/2; computed: at q.",
            full_grid(),
            |at| patient_cost(&At::new(&[("n", whole(at.n())), ("q", Rational::ratio(1, 2))])).ok(),
            patient_cost,
        )
        .read_for_two_types(patient_cost_of_one_type),
        plain(
            "less likely to create an imbalanced matching when q moves away from 1/2",
            "Games of the greedy policy are imbalanced less often at q than halfway from q to 1/2 (1 if so).",
            unbalanced(grid())
                .into_iter()
                .filter(|at| at.alpha() == whole(1))
                .collect(),
            |_| Some(whole(1)),
            |at| {
                let imbalance = |at: &At| -> Result<Rational, Error> {
                    let process = process(at)?;
                    process.average(&process.greedy(), |decision| whole(decision.imbalance as usize))
                };
                Ok(truth(imbalance(at)? < imbalance(&balanced(at))?))
            },
        ),
        plain(
            "if q is not 1/2, then the greedy policy becomes less appealing as n grows large",
            "What greedy saves over patient is less for n + 1 than for n (1 if so).",
            unbalanced(full_grid()),
            |_| Some(whole(1)),
            |at| Ok(truth(appeal(&larger(at))? < appeal(at)?)),
        )
        .read_for("for q other than 0, 1/2 and 1", At::has_two_types, |_| Some(whole(0))),
        plain(
            "as the team size grows and the market becomes more balanced, greedy policies become less appealing",
            "What greedy saves over patient is less for n + 1, halfway from q to 1/2, than for n and q (1 if so).",
            unbalanced(grid()),
            |_| Some(whole(1)),
            |at| Ok(truth(appeal(&larger(&balanced(at)))? < appeal(at)?)),
        ),
    ]
}
