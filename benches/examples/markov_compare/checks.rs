//! How good an answer is, computed from the problem alone and alike for everyone.

use benches::chains::{Problem, Process, Rows};

/// What is seen of an answer.
pub(crate) struct Quality {
    /// Of a distribution: what flows in and out of states differs by, added up, in proportion to all flow. Of values:
    /// what they change by at most in one more step.
    pub(crate) residual: f64,
    /// Largest relative error of an entry, where the answer is known.
    pub(crate) error: Option<f64>,
    /// Negative entries of a distribution.
    pub(crate) negative: Option<usize>,
}

pub(crate) fn quality(problem: &Problem, known: Option<&[f64]>, answer: &[f64]) -> Quality {
    match problem {
        Problem::Stationary(rates) => Quality {
            residual: imbalance(rates, answer),
            error: known.map(|known| relative_error(known, answer)),
            negative: Some(answer.iter().filter(|&&x| x < 0.0).count()),
        },
        Problem::Discounted(process) => Quality {
            residual: change(process, answer),
            error: None,
            negative: None,
        },
    }
}

fn imbalance(rates: &Rows, x: &[f64]) -> f64 {
    let mut balance = vec![0.0; x.len()];
    let mut all = 0.0;
    for (state, weight) in x.iter().enumerate() {
        for (to, rate) in rates.row(state) {
            let flow = weight * rate;
            balance[to] += flow;
            balance[state] -= flow;
            all += flow.abs();
        }
    }
    balance.iter().map(|flow| flow.abs()).sum::<f64>() / all
}

/// Over entries that are normal floats, below which nothing is promised of relative errors.
fn relative_error(known: &[f64], answer: &[f64]) -> f64 {
    let pairs = known.iter().zip(answer).filter(|(known, _)| known.is_normal());
    let errors = pairs.map(|(known, found)| (found / known - 1.0).abs());
    // Not a number counts as wrong, which `max` would skip.
    errors.fold(
        0.0,
        |most, error| if error.is_nan() { f64::INFINITY } else { error.max(most) },
    )
}

fn change(process: &Process, values: &[f64]) -> f64 {
    let mut most = 0.0_f64;
    for (pair, value) in process.actions.windows(2).zip(values) {
        let cost = |action: usize| {
            let ahead: f64 = process.moves.row(action).map(|(to, p)| p * values[to]).sum();
            process.costs[action] + process.discount * ahead
        };
        let least = (pair[0] as usize..pair[1] as usize)
            .map(cost)
            .fold(f64::INFINITY, f64::min);
        most = most.max((least - value).abs());
    }
    most
}
