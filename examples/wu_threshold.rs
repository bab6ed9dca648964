//! Match an uneven game now, or wait for one more player? Wu's threshold, confirmed by policy iteration over all
//! policies in exact fractions.

use markov::{Error, Limits, Rational, Scalar, mdp::PolicyIteration, models::wu::TeamPool};

fn main() -> Result<(), Error> {
    let team_size = 2;
    let cap = 4 * team_size + 1;
    // One player in three is a strong one; the formula says 1 / (1 - (2q - 1)^(2n)).
    let q = Rational::ratio(1, 3);
    let threshold = Rational::ratio(81, 80);
    println!("teams of {team_size}, one strong player in three");
    println!("{:>12} {:>14} {:>10}", "alpha", "cost per step", "certified");
    for (numerator, denominator) in [(1, 2), (1, 1), (81, 80), (2, 1), (5, 1)] {
        let alpha = Rational::ratio(numerator, denominator);
        let process = TeamPool::new(team_size, q.clone(), alpha.clone(), cap)?.process(Limits::default())?;
        let solution = PolicyIteration::new().average(process.mdp())?;
        let is_proven = solution.verify(process.mdp())?.is_exact();
        println!("{alpha:>12} {:>14} {:>10}", solution.gain().to_string(), is_proven);
        assert!(is_proven);

        let greedy = Rational::ratio(3, 2) + alpha.clone() / (Rational::ratio(2, 1) * threshold.clone());
        let patient = Rational::ratio(2, 1);
        let best = if alpha <= threshold { greedy } else { patient };
        assert_eq!(*solution.gain(), best);
    }
    println!("greedy is best up to alpha = {threshold}, patience from there on");
    Ok(())
}
