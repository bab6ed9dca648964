//! What the two policies cost.

use super::facts::{greedy_cost, greedy_cycle, patient_cost, process};
use super::{At, Formula, each, full_grid, grid, plain, printed, truth, whole};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

pub(super) fn formulas() -> Vec<Formula> {
    let mut all = patient();
    all.extend(greedy());
    all.extend(comparison());
    all
}

/// The grid with three imbalance costs.
pub(super) fn with_alpha(points: &[At]) -> Vec<At> {
    each(
        points,
        "alpha",
        &[(0, 1), (2, 3), (5, 2)].map(|(p, q)| Rational::ratio(p, q)),
    )
}

/// Waiting cost per period of the patient policy, by the decision process.
fn patient_waiting(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    process.average(&process.patient(), |decision| process.pool().waiting_cost(decision))
}

/// With players of one type the patient policy never has to wait, and costs what the greedy one does.
pub(super) fn patient_cost_of_one_type(at: &At) -> Option<Rational> {
    Some(whole(at.n()) - Rational::ratio(1, 2))
}

fn patient() -> Vec<Formula> {
    vec![
        plain(
            "1/(4n) x 0 + 1/(2n) x (1 + 2 + ... + 2n - 1) + 1/(4n) x 2n",
            "The expected waiting cost per period under the patient policy is this sum.",
            full_grid(),
            |at| Some(printed::patient_waiting_sum(at.n())),
            patient_waiting,
        )
        .read_for_two_types(patient_cost_of_one_type),
        plain(
            "= n",
            "The expected waiting cost per period under the patient policy is n.",
            full_grid(),
            |at| Some(printed::patient_cost(at.n())),
            patient_waiting,
        )
        .read_for_two_types(patient_cost_of_one_type),
        plain(
            "patient policy produces no imbalance cost",
            "The expected imbalance cost per period under the patient policy is 0.",
            with_alpha(&full_grid()),
            |_| Some(whole(0)),
            |at| {
                let process = process(at)?;
                process.average(&process.patient(), |decision| process.pool().imbalance_cost(decision))
            },
        ),
        plain(
            "its total expected matching cost per period is n",
            "Waiting and imbalance together cost n per period under the patient policy, for all alpha.",
            with_alpha(&full_grid()),
            |at| Some(printed::patient_cost(at.n())),
            patient_cost,
        )
        .read_for_two_types(patient_cost_of_one_type),
    ]
}

/// Imbalance cost of the greedy policy per 2n periods, by the decision process.
fn greedy_imbalance(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    let per_period = process.average(&process.greedy(), |decision| process.pool().imbalance_cost(decision))?;
    Ok(per_period * whole(2 * at.n()))
}

fn greedy() -> Vec<Formula> {
    vec![
        plain(
            "every 2n periods the greedy policy forms a match",
            "The time between games of the greedy policy is 2n.",
            full_grid(),
            |at| Some(whole(2 * at.n())),
            |at| greedy_cycle(at, |_| whole(1)),
        ),
        plain(
            "1 + 2 + 3 + ... + 2n - 1 = n(2n - 1)",
            "The total waiting cost in these 2n periods is n(2n-1).",
            full_grid(),
            |at| Some(printed::greedy_waiting_total(at.n())),
            |at| greedy_cycle(at, whole),
        ),
        plain(
            "2n alpha sum for k = 1 to n",
            "The expected imbalance cost in these 2n periods is 2n alpha times the sum over k = 1..n of binomial(2n, 2k-1) \
             q^(2k-1) (1-q)^(2n-2k+1).",
            with_alpha(&full_grid()),
            |at| Some(printed::greedy_imbalance_sum(at.n(), &at.q(), &at.alpha())),
            greedy_imbalance,
        ),
        plain(
            "= 2n alpha (1 - (2q-1)^(2n))/2",
            "The same in closed form.",
            with_alpha(&full_grid()),
            |at| Some(printed::greedy_imbalance(at.n(), &at.q(), &at.alpha())),
            greedy_imbalance,
        ),
        plain(
            "1/(2n) (n(2n-1) + 2n alpha (1 - (2q-1)^(2n))/2)",
            "The total expected matching cost per period for the greedy policy.",
            with_alpha(&full_grid()),
            |at| Some(printed::greedy_cost_by_cycle(at.n(), &at.q(), &at.alpha())),
            greedy_cost,
        ),
        plain(
            "= n - 1/2 + alpha (1 - (2q-1)^(2n))/2",
            "The same, simplified.",
            with_alpha(&full_grid()),
            |at| Some(printed::greedy_cost(at.n(), &at.q(), &at.alpha())),
            greedy_cost,
        ),
    ]
}

/// Each point with imbalance costs about the one at which both policies cost the same, 1e-9 below and above it too.
pub(super) fn about_the_threshold(points: &[At]) -> Vec<At> {
    let near = |at: &At| {
        let even: Rational = (0..2 * at.n()).fold(whole(1), |power, _| power * (whole(1) - at.q() * whole(2)));
        let threshold = if even == whole(1) {
            whole(7)
        } else {
            whole(1) / (whole(1) - even)
        };
        let little = Rational::ratio(1, 1_000_000_000);
        let below = threshold.clone() - &little;
        each(
            core::slice::from_ref(at),
            "alpha",
            &[
                whole(0),
                below,
                threshold.clone(),
                threshold.clone() + little,
                threshold * whole(3),
            ],
        )
    };
    points.iter().flat_map(near).collect()
}

pub(super) const INFINITE_BOUND: &str = "for 0 < q < 1; for q = 0 and q = 1 with the bound 1/0 read as infinite";

/// Whether the bound of the theorem is a number.
pub(super) fn has_bound(at: &At) -> bool {
    printed::threshold(at.n(), &at.q()).is_some()
}

fn comparison() -> Vec<Formula> {
    let compare: fn(&At) -> Result<Rational, Error> = |at| Ok(truth(greedy_cost(at)? <= patient_cost(at)?));
    vec![
        plain(
            "greedy is better than patient if and only if n - 1/2 + alpha (1 - (2q-1)^(2n))/2 <= n",
            "Compared: whether the greedy policy costs no more than the patient one (1 if so).",
            about_the_threshold(&full_grid()),
            |at| {
                let greedy = printed::greedy_cost(at.n(), &at.q(), &at.alpha());
                Some(truth(greedy <= printed::patient_cost(at.n())))
            },
            compare,
        ),
        plain(
            "i.e. when alpha <= 1/(1 - (2q-1)^(2n))",
            "Compared: whether the greedy policy costs no more than the patient one (1 if so).",
            about_the_threshold(&full_grid()),
            |at| Some(truth(at.alpha() <= printed::threshold(at.n(), &at.q())?)),
            compare,
        )
        .read_for(INFINITE_BOUND, has_bound, |_| Some(whole(1))),
    ]
}

/// The grid with imbalance costs about the threshold, for theorems about the best policy.
pub(super) fn theorem_grid() -> Vec<At> {
    about_the_threshold(&grid())
}
