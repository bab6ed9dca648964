//! Theorem 3.3 and Lemma 3.1 over all policies, with proofs in fractions.

use markov::mdp::PolicyIteration;
use markov::models::wu::{PoolProcess, TeamPool};
use markov::{Limits, Rational, Scalar};

/// At imbalance costs on the threshold and 1e-9 beside it: the least cost of all policies is the smaller of the two
/// closed forms, and the policy of the theorem has it.
fn check(n: usize, cap: usize, q: &Rational) {
    let one = || Rational::ratio(1, 1);
    let tilt = q * Rational::ratio(2, 1) - one();
    let odd = one() - (0..2 * n).fold(one(), |power, _| power * &tilt);
    let little = Rational::ratio(1, 1_000_000_000);
    let threshold = one() / &odd;
    for alpha in [
        threshold.clone() - &little,
        threshold.clone(),
        threshold.clone() + &little,
    ] {
        let pool = TeamPool::new(n, q.clone(), alpha.clone(), cap).expect("a pool");
        let process: PoolProcess<Rational> = pool.process(Limits::default()).expect("a process");
        let best = PolicyIteration::new().average(process.mdp()).expect("a policy");
        let proof = best.verify(process.mdp()).expect("of this process");
        assert!(proof.is_exact(), "n {n}, cap {cap}, q {q}, alpha {alpha}");
        let patient = Rational::ratio(n as i64, 1);
        let greedy = &patient - Rational::ratio(1, 2) + &alpha * &odd / Rational::ratio(2, 1);
        assert_eq!(
            best.gain(),
            if greedy < patient { &greedy } else { &patient },
            "n {n}, cap {cap}, q {q}"
        );
        assert_eq!(process.average_cost(&process.greedy()), Ok(greedy));
        assert_eq!(process.average_cost(&process.patient()), Ok(patient));
        let at_once = process.with_fair_games_at_once().expect("the same states");
        let lemma = PolicyIteration::new().average(at_once.mdp()).expect("a policy");
        assert_eq!(lemma.gain(), best.gain());
    }
}

#[test]
fn the_theorem_holds_over_all_policies_at_all_caps() {
    for n in 1..=4 {
        for cap in 2 * n + 1..=6 * n + 1 {
            for (p, d) in [(1, 2), (1, 3), (9, 10)] {
                check(n, cap, &Rational::ratio(p, d));
            }
        }
        check(n, 4 * n + 1, &Rational::ratio(1, 7));
    }
}
