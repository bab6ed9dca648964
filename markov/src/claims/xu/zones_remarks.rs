//! What the text says of two zones beside its equations.

use super::zones::{factor, wait_all};
use super::{Formula, int, is_false, q, says_so, truth};
use crate::claims::Claim;
use crate::scalar::Rational;

type Q = Rational;

pub(super) fn claims() -> Vec<Claim> {
    let shares: Vec<[Q; 1]> = (2..9).map(|n| [q(n, 10)]).collect();
    let one = ["lambda_A"];
    let two = ["lambda_A", "lambda_C"];
    let grid: Vec<[Q; 2]> = [(1, 1), (2, 2), (3, 1), (5, 2), (7, 1), (1, 5)]
        .map(|(a, c)| [q(a, 10), q(c, 10)])
        .to_vec();
    /// q where nobody is choice-free.
    fn first(a: &Q) -> Q {
        factor(&[a.clone(), int(1) - a, int(0)])
    }
    /// E[T] where experienced players become choice-free: A stands, B + C = 1 - A.
    fn mixed(a: &Q, c: &Q) -> Q {
        wait_all(&[a.clone(), int(1) - a - c, c.clone()])
    }
    vec![
        Formula::new(
            "save 75 %",
            "For A = B the first choice-free player saves 75 % of the wait",
            ["lambda_B"],
            |_| q(3, 4),
            |[b]| int(1) - factor(&[b.clone(), b.clone(), int(0)]),
        )
        .judge(&[[q(1, 2)], [int(1)], [q(7, 3)]]),
        Formula::new(
            "benefit diminishes",
            "For A = B the benefit falls as C grows",
            ["lambda_C"],
            says_so,
            |[c]| truth(factor(&[int(1), int(1), c + q(1, 10)]) > factor(&[int(1), int(1), c.clone()])),
        )
        .judge(&[0, 1, 5, 20].map(|c| [q(c, 4)])),
        Formula::new(
            "depends on A alone",
            "Without choice-free players q is a function of A/total alone",
            one,
            says_so,
            |[a]| {
                let scaled = factor(&[int(3) * a, int(3) * (int(1) - a), int(0)]);
                truth(scaled == first(a))
            },
        )
        .judge(&shares),
        Formula::new(
            "no incentive",
            "With a crowded junior zone there is no incentive for being choice-free: q is near 1 (above 1/2)",
            one,
            says_so,
            |[a]| truth(first(a) > q(1, 2)),
        )
        .corrected(
            "q = (1-A)/2 goes to 0 as A goes to 1: there the incentive is largest",
            is_false,
        )
        .judge(&shares),
        Formula::new("q increases", "q increases as A decreases", one, says_so, |[a]| {
            truth(first(&(a - q(1, 10))) > first(a))
        })
        .judge(&shares),
        Formula::new(
            "90 %",
            "For A = 0.8, B = 0.2 being choice-free saves 90 %",
            ["lambda_A", "lambda_B"],
            |_| q(9, 10),
            |[a, b]| int(1) - factor(&[a.clone(), b.clone(), int(0)]),
        )
        .judge(&[[q(4, 5), q(1, 5)]]),
        Formula::new(
            "90 % is the maximum",
            "No mix saves more than 90 %",
            one,
            says_so,
            |[a]| truth(int(1) - first(a) <= q(9, 10)),
        )
        .corrected("(1+A)/2, without a maximum below 1: 95 % for A = 0.9", |[a]| {
            truth((int(1) + a) / int(2) <= q(9, 10))
        })
        .judge(&[[q(4, 5)], [q(9, 10)], [q(99, 100)]]),
        Formula::new(
            "more choice-free, less waiting",
            "E[T] falls as experienced players become choice-free",
            two,
            says_so,
            |[a, c]| truth(mixed(a, &(c + q(1, 20))) < mixed(a, c)),
        )
        .judge(&grid),
        Formula::new(
            "marginal value decreases",
            "E[T] falls slower and slower as choice-free players come in addition",
            two,
            says_so,
            |[a, c]| {
                let at = |c: Q| wait_all(&[a.clone(), int(1) - a, c]);
                let step = q(1, 20);
                truth(at(c - &step) - at(c.clone()) > at(c.clone()) - at(c + &step))
            },
        )
        .judge(&grid),
        Formula::new(
            "marginal value, normalized",
            "With normalized rates E[T] falls slower and slower as experienced players become choice-free",
            two,
            says_so,
            |[a, c]| {
                let step = q(1, 20);
                truth(mixed(a, &(c - &step)) - mixed(a, c) > mixed(a, c) - mixed(a, &(c + &step)))
            },
        )
        .judge(&grid),
    ]
}
