//! Greedy or patient: Q. Wu's two policies for games of two teams and two levels of skill.
//!
//! A pool of 2n players with an odd number of high ones makes an uneven game. The greedy policy plays it; the patient
//! one waits for one more player, and then plays an even game without one of the 2n + 1. Only the size of the pool and
//! whether its number of high players is odd matter, so both policies are chains of about 4n states.

use markov::claims::Value;
use markov::{Dtmc, Error, Limits, Rational, Scalar, explore};

/// What to do with 2n players who cannot be split evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    Greedy,
    Patient,
}

/// A policy in the long run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Averages {
    /// Players who wait between two arrivals, and so, by Little's law, the mean wait of a player in arrivals.
    pub(super) waiting: Rational,
    /// Share of games with uneven teams.
    pub(super) uneven: Rational,
}

impl Averages {
    /// Cost per arrival if uneven teams cost each player `alpha`.
    pub(super) fn cost(&self, alpha: &Rational) -> Rational {
        self.waiting.clone() + alpha * &self.uneven
    }
}

/// A pool right before an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pool {
    players: u32,
    is_odd: bool,
}

const EMPTY: Pool = Pool {
    players: 0,
    is_odd: false,
};

/// The pool after a player has joined it, and whether an uneven game is formed then.
fn arrival(policy: Policy, team: u32, pool: Pool, is_high: bool) -> (Pool, bool) {
    let (full, joined) = (2 * team, pool.players + 1);
    if joined > full {
        // The game takes players so that its number of high ones becomes even: one of the newcomer's other kind stays.
        let left = Pool {
            players: 1,
            is_odd: !is_high,
        };
        return (left, false);
    }
    let is_odd = pool.is_odd != is_high;
    match policy {
        _ if joined < full => (
            Pool {
                players: joined,
                is_odd,
            },
            false,
        ),
        Policy::Patient if is_odd => (Pool { players: full, is_odd }, false),
        _ => (EMPTY, is_odd),
    }
}

/// The policy's averages for teams of `team` players, when a share `q` of arrivals is high.
pub(super) fn averages(policy: Policy, team: u32, q: &Rational) -> Result<Averages, Error> {
    let one = Rational::ratio(1, 1);
    let kinds = [(true, q.clone()), (false, one - q)];
    let moves = |pool: &Pool| {
        let pool = *pool;
        kinds
            .clone()
            .map(|(is_high, chance)| (arrival(policy, team, pool, is_high).0, chance))
    };
    let chain = explore(EMPTY, moves, Limits::default())?;
    let shares = Dtmc::new(&chain.steps)?.stationary()?;
    let mut waiting = Rational::ratio(0, 1);
    let mut uneven = Rational::ratio(0, 1);
    for (&pool, share) in chain.states.names().iter().zip(&shares) {
        waiting += share * &Rational::ratio(pool.players.into(), 1);
        for (is_high, chance) in &kinds {
            if arrival(policy, team, pool, *is_high).1 {
                uneven += share * chance;
            }
        }
    }
    // One game in 2n arrivals.
    let uneven = uneven * Rational::ratio(i64::from(2 * team), 1);
    Ok(Averages { waiting, uneven })
}

/// The penalty at which both policies cost the same; infinite where they do the same.
pub(super) fn threshold(greedy: &Averages, patient: &Averages) -> Value {
    let saved = greedy.uneven.clone() - &patient.uneven;
    if saved == Rational::ratio(0, 1) {
        return f64::INFINITY.into();
    }
    ((patient.waiting.clone() - &greedy.waiting) / saved).into()
}

/// The paper's formulas.
pub(super) mod printed {
    use super::{Policy, Rational, Scalar, Value};

    /// `1 - (2q - 1)^(2n)`.
    fn odd_share_twice(team: u32, q: &Rational) -> Rational {
        let one = Rational::ratio(1, 1);
        let lean = Rational::ratio(2, 1) * q - &one;
        one - lean.pow(2 * team as i32)
    }

    /// Theorem 3.3: `1 / (1 - (2q - 1)^(2n))`.
    pub(in super::super) fn threshold(team: u32, q: &Rational) -> Option<Value> {
        let share = odd_share_twice(team, q);
        (share != Rational::ratio(0, 1)).then(|| share.recip().into())
    }

    /// Section 3: `n - 1/2 + alpha (1 - (2q - 1)^(2n)) / 2` greedily, `n` patiently.
    pub(in super::super) fn cost(policy: Policy, team: u32, q: &Rational, alpha: &Rational) -> Rational {
        let n = Rational::ratio(team.into(), 1);
        let half = Rational::ratio(1, 2);
        match policy {
            Policy::Greedy => n - &half + alpha * odd_share_twice(team, q) * half,
            Policy::Patient => n,
        }
    }
}

#[cfg(test)]
mod tests {
    use markov::models::wu::{greedy_chain, patient_chain};
    use markov::{Rational, Scalar};

    use super::{Policy, averages, printed, threshold};

    #[test]
    fn pools_by_size_and_parity_wait_as_pools_by_high_and_low_players() {
        for team in [1_u32, 2, 4] {
            for (p, q) in [(1, 2), (1, 7), (9, 10)] {
                let q = Rational::ratio(p, q);
                let (n, of_q) = (team as usize, q.clone());
                let full = [greedy_chain(n, of_q.clone()), patient_chain(n, of_q)];
                for (policy, full) in [Policy::Greedy, Policy::Patient].into_iter().zip(full) {
                    let full = full.expect("a chain");
                    let shares = full.chain.stationary().expect("one closed class");
                    let sizes = full
                        .states
                        .names()
                        .iter()
                        .map(|&(u, v)| Rational::ratio((u + v) as i64, 1));
                    let waiting = sizes
                        .zip(shares)
                        .fold(Rational::ratio(0, 1), |sum, (size, share)| sum + size * share);
                    assert_eq!(averages(policy, team, &q).expect("one closed class").waiting, waiting);
                }
            }
        }
    }

    #[test]
    fn the_chains_give_what_is_printed_where_both_skills_arrive() {
        let alpha = Rational::ratio(7, 5);
        for team in [1, 2, 3, 5] {
            for (p, q) in [(1, 2), (1, 3), (9, 10)] {
                let q = Rational::ratio(p, q);
                let [greedy, patient] = [Policy::Greedy, Policy::Patient].map(|policy| {
                    let averages = averages(policy, team, &q).expect("one closed class");
                    assert_eq!(averages.cost(&alpha), printed::cost(policy, team, &q, &alpha));
                    averages
                });
                assert_eq!(Some(threshold(&greedy, &patient)), printed::threshold(team, &q));
            }
        }
    }

    #[test]
    fn one_skill_alone_never_waits() {
        for q in [0, 1] {
            let q = Rational::ratio(q, 1);
            let [greedy, patient] =
                [Policy::Greedy, Policy::Patient].map(|policy| averages(policy, 3, &q).expect("one closed class"));
            assert_eq!(greedy, patient);
            assert_eq!(greedy.waiting, Rational::ratio(5, 2));
            assert_eq!(
                (threshold(&greedy, &patient).float, printed::threshold(3, &q)),
                (f64::INFINITY, None)
            );
        }
    }
}
