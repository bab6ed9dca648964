//! Wu's threshold: from which cost of imbalance on patience pays.

use markov::models::wu::TeamPool;
use markov::{Error, Limits};

use super::{Axis, Curve, Look, Panel, Picture, curve, steps};

/// The `alpha` at which greedy and patient games of `n` against `n` cost the same in the long run, `q` being the share
/// of high players. Both costs are those of the policies' chains. The patient policy makes no unfair game, and greedy
/// costs grow in proportion to `alpha` beyond waiting: they meet where what patience waits longer is what greed is
/// unfair.
pub(super) fn alpha(n: usize, q: f64) -> Result<f64, Error> {
    let process = TeamPool::new(n, q, 1.0, 2 * n + 1)?.process(Limits::default())?;
    let pool = process.pool();
    let (greedy, patient) = (process.greedy(), process.patient());
    let waiting = |policy: &[usize]| process.average(policy, |decision| pool.waiting_cost(decision));
    let unfairness = |policy: &[usize]| process.average(policy, |decision| pool.imbalance_cost(decision));
    Ok((waiting(&patient)? - waiting(&greedy)?) / (unfairness(&greedy)? - unfairness(&patient)?))
}

pub(super) fn threshold() -> Result<Picture, Error> {
    let line = |n: usize| -> Result<Curve, Error> {
        curve(format!("n = {n}"), Look::Line(n - 1), steps(0.04, 0.96, 46), |q| {
            alpha(n, q)
        })
    };
    Ok(Picture {
        file: "wu-threshold.svg",
        title: "Wu: the imbalance cost α* above which patient games cost less than greedy ones".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis {
                label: "q: share of high players",
                from: 0.0,
                to: 1.0,
            },
            y: Axis {
                label: "α* (waiting costs of one player for one period)",
                from: 0.8,
                to: 5.0,
            },
            curves: (1..=5).map(line).collect::<Result<_, Error>>()?,
        }],
    })
}
