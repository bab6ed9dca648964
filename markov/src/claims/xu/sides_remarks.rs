//! What the text says of choosing sides beside its equations.

use super::sides::{factor, normalized, waits};
use super::{Formula, int, q, says_so, truth};
use crate::claims::Claim;
use crate::scalar::Rational;

type Q = Rational;

pub(super) fn claims() -> Vec<Claim> {
    let even: Vec<[Q; 1]> = (2..9).map(|n| [q(n, 20)]).collect();
    let by_side: Vec<[Q; 1]> = [q(1, 5), q(3, 10), q(2, 5), q(9, 20)].map(|b| [b]).to_vec();
    let say = |label, statement, computed| Formula::new(label, statement, ["lambda_B"], says_so, computed);
    /// The least and the largest wait over rates of A below that of B.
    fn range(b: &Q) -> (Q, Q) {
        let mut all: Vec<Q> = (0..=20)
            .map(|n| waits(&normalized(&(b * q(n, 20)), b))[3].clone())
            .collect();
        all.sort();
        (all[0].clone(), all[20].clone())
    }
    vec![
        say("(18) is negative", "q falls as lambda_B grows", |[b]| truth(factor(&(b + q(1, 20))) < factor(b))).judge(&even),
        say("q falls slower", "q falls slower and slower as lambda_B grows", |[b]| {
            let step = q(1, 20);
            truth(factor(&(b - &step)) - factor(b) > factor(b) - factor(&(b + &step)))
        })
        .judge(&even),
        say("hardly changes, by a tenth", "With normalized rates E[T] hardly changes with lambda_A < lambda_B: by at most a tenth", |[b]| {
            let (least, most) = range(b);
            truth(most <= least * q(11, 10))
        })
.judge(&by_side),
        say(
            "hardly changes, by a third",
            "With lambda_A < lambda_B it changes by at most a third, and for lambda_A = 0.49 it is more than twice as large",
            |[b]| {
                let (least, most) = range(b);
                let near = waits(&normalized(&q(49, 100), b))[3].clone();
                truth(most <= &least * q(4, 3) && near > least * int(2))
            },
        )
        .judge(&by_side),
        Formula::new(
            "max dominates",
            "max(A, B) dominates E[T]: with normalized rates it rises with the larger rate, from anywhere at or above the other",
            ["lambda_A", "lambda_B"],
            says_so,
            |[a, b]| truth(waits(&normalized(&(a + q(1, 50)), b))[3] > waits(&normalized(a, b))[3]),
        )
        .judge(&[
            [q(1, 5), q(1, 5)],
            [q(3, 10), q(1, 10)],
            [q(2, 5), q(2, 5)],
            [q(9, 20), q(1, 10)],
            [q(9, 20), q(2, 5)],
        ]),
        say("first helps, then hurts", "With lambda_B = 0.4, increasing lambda_A < lambda_B first reduces E[T] and then increases it", |[b]| {
            let at = |n: i64| waits(&normalized(&q(n, 100), b))[3].clone();
            let turn = (1..40).find(|&n| at(n) > at(n - 1)).unwrap_or(40);
            truth(turn > 1 && turn < 40 && (turn..40).all(|n| at(n) > at(n - 1)))
        })
        .judge(&[[q(2, 5)]]),
    ]
}
