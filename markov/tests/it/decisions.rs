//! Decision processes: least average cost.

mod pool;

use markov::mdp::PolicyIteration;
use markov::{Rational, Scalar};

/// What the pool costs per step is known where only fair games are started, or any, as soon as there are enough players.
#[test]
fn the_pool_of_two_kinds_of_players() {
    let r = Rational::ratio;
    for (n, q) in [(2, r(1, 2)), (2, r(1, 3)), (4, r(1, 2)), (4, r(37, 100))] {
        for cap in [2 * n + 1, 3 * n, 4 * n + 1, 6 * n + 1] {
            for alpha in [r(1, 2), r(3, 1)] {
                let process = pool::pool(n, cap, &q, &alpha);
                let best = PolicyIteration::new().average(&process).expect("a policy");
                assert!(best.verify(&process).expect("its own process").is_exact());
                let fair = r(1, 1) - (r(2, 1) * &q - r(1, 1)).pow(2 * n as i32);
                let patient = r(n as i64, 1);
                let greedy = patient.clone() - r(1, 2) + alpha * fair / r(2, 1);
                assert_eq!(*best.gain(), patient.min(greedy));
            }
        }
    }
}
