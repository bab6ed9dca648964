//! Equations (1) to (11): one queue or two.

use super::{Answer, Formula, Stated, int, pow, q};
use crate::error::Error;
use crate::models::xu::{Battle, Lobby, Moments, Order, Packed, Rule, Together};
use crate::scalar::{Rational, Scalar};

type Q = Rational;
/// The waits of single players and of teams, or of all players.
type Wait = Result<Moments<Q>, Error>;

/// The waits of players who come alone and of teams in one queue.
pub(super) fn waits(rule: impl Rule, one: &Q, two: &Q) -> Result<[Moments<Q>; 2], Error> {
    let lobby = Lobby::new(rule, vec![(1, one.clone()), (2, two.clone())])?;
    Ok([lobby.wait(1)?, lobby.wait(2)?])
}

/// The wait of any player: a team counts twice.
pub(super) fn per_player(waits: &[Moments<Q>; 2], one: &Q, two: &Q) -> Wait {
    Moments::mixed([(one.clone(), &waits[0]), (int(2) * two, &waits[1])])
}

pub(super) fn battle(order: Order, one: &Q, two: &Q) -> Wait {
    per_player(&waits(Battle { size: 2, order }, one, two)?, one, two)
}

pub(super) fn packed(one: &Q, two: &Q) -> Wait {
    per_player(&waits(Packed, one, two)?, one, two)
}

/// A queue of players who come alone and play in so many.
fn together(players: usize, rate: &Q) -> Result<Lobby<Q, Together>, Error> {
    Lobby::new(Together(players), vec![(1, rate.clone())])
}

fn wait_together(players: usize, rate: &Q) -> Wait {
    together(players, rate)?.wait(1)
}

pub(super) fn two_queues(one: &Q, two: &Q) -> Wait {
    per_player(&[wait_together(4, one)?, wait_together(2, two)?], one, two)
}

fn players(k: &Q) -> usize {
    k.to_float() as usize
}

/// Mixes of players and teams: few and many, alike and stiff.
pub(super) fn mixes() -> Vec<[Q; 2]> {
    let mixes = [
        (1, 2, 1, 4),
        (1, 1, 1, 1),
        (1, 3, 2, 1),
        (9, 10, 1, 20),
        (1, 10, 9, 20),
        (2, 5, 3, 10),
        (4, 5, 1, 10),
        (7, 3, 5, 11),
        (1, 1000, 3, 1),
        (13, 2, 1, 17),
    ];
    mixes.map(|(a, b, c, d)| [q(a, b), q(c, d)]).to_vec()
}

fn seven(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let total = a + int(2) * b;
    Ok((int(3) * a * a - a * b + int(11) * b * b) / (int(2) * pow(&total, 2) * a * b))
}

pub(super) fn seven_corrected(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let total = a + int(2) * b;
    Ok((int(8) * a * a + int(11) * a * b + int(40) * b * b) / (int(4) * pow(&total, 2) * a * b))
}

fn lemma(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    Ok(int(3) / (int(2) * (a + int(2) * b)))
}

fn nine(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let total = a + int(2) * b;
    let both = a + b;
    let first = (int(7) * a * a + a * b + int(4) * b * b) / (int(2) * a * pow(&both, 3));
    let second = (int(2) * a * pow(b, 3) + int(3) * pow(b, 4)) / (a * total * pow(&both, 4));
    Ok(first - second - pow(&lemma(x)?, 2))
}

pub(super) fn nine_corrected(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let total = a + int(2) * b;
    let top = int(11) * pow(a, 3) + int(40) * a * a * b + int(31) * a * b * b + int(8) * pow(b, 3);
    Ok(top / (int(4) * a * pow(&(a + b), 2) * pow(&total, 2)))
}

fn ten(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let both = a + b;
    let square = a * a + int(2) * a * b + int(2) * b * b;
    let top = int(5) * pow(a, 3) * b + int(7) * a * a * b * b + int(10) * a * pow(b, 3) + int(2) * pow(b, 4);
    let first = top / (int(2) * a * pow(&both, 3) * square);
    let second = (int(8) * a * a + int(7) * a * b) / (int(2) * pow(&both, 4));
    Ok(first + second - pow(&lemma(x)?, 2))
}

fn ten_corrected(x: &[Q; 2]) -> Answer {
    let [a, b] = x;
    let total = a + int(2) * b;
    let square = a * a + int(2) * a * b + int(2) * b * b;
    let coefficients = [11, 85, 241, 343, 264, 102, 16];
    let mut top = int(0);
    for (power, coefficient) in coefficients.into_iter().enumerate() {
        top += int(coefficient) * pow(a, 6 - power) * pow(b, power);
    }
    Ok(top / (int(4) * a * pow(&(a + b), 3) * pow(&total, 2) * square))
}

const RATES: [&str; 2] = ["lambda_1", "lambda_2"];
const NINE: &str = "(11 l1^3 + 40 l1^2 l2 + 31 l1 l2^2 + 8 l2^3) / (4 l1 (l1+l2)^2 (l1+2 l2)^2)";
const TEN: &str = "(11 l1^6 + 85 l1^5 l2 + 241 l1^4 l2^2 + 343 l1^3 l2^3 + 264 l1^2 l2^4 + 102 l1 l2^5 + 16 l2^6) \
                   / (4 l1 (l1+l2)^3 (l1+2 l2)^2 (l1^2 + 2 l1 l2 + 2 l2^2))";

pub(super) fn claims() -> Vec<Stated> {
    let sizes: Vec<[Q; 2]> = (1..=8).map(|k| [int(k), q(k + 2, 3)]).collect();
    let states: Vec<[Q; 2]> = (1..=4).flat_map(|k| (0..k).map(move |n| [int(k), int(n)])).collect();
    let mixes = mixes();
    let kinds = |label, statement, printed, computed| Formula::new(label, statement, RATES, printed, computed);
    vec![
        Formula::new(
            "(1)",
            "Lemma 1: in a k-player game E[T] = (k-1)/(2 lambda)",
            ["k", "lambda"],
            |[k, rate]| Ok((k - int(1)) / (int(2) * rate)),
            |[k, rate]| Ok(wait_together(players(k), rate)?.mean),
        )
        .at(&sizes),
        Formula::new(
            "(2)",
            "In a k-player game pi_n = 1/k",
            ["k", "n"],
            |[k, _]| Ok(int(1) / k),
            |[k, n]| Ok(together(players(k), &q(5, 3))?.probability(&vec![1; players(n)])),
        )
        .at(&states),
        kinds(
            "(3)",
            "Lemma 2: E[T] = 3/(2 lambda_total) with any mechanism, here first in, first out",
            lemma,
            |[a, b]| Ok(battle(Order::First, a, b)?.mean),
        )
        .at(&mixes),
        kinds(
            "(4)",
            "Two queues: E[T_1] = 3/(2 lambda_1)",
            |[a, _]| Ok(q(3, 2) / a),
            |[a, _]| Ok(wait_together(4, a)?.mean),
        )
        .at(&mixes),
        kinds(
            "(5)",
            "Two queues: E[T_2] = 1/(2 lambda_2)",
            |[_, b]| Ok(q(1, 2) / b),
            |[_, b]| Ok(wait_together(2, b)?.mean),
        )
        .at(&mixes),
        kinds(
            "(6)",
            "Two queues: E[T] = 5/(2 lambda_total)",
            |[a, b]| Ok(q(5, 2) / (a + int(2) * b)),
            |[a, b]| Ok(two_queues(a, b)?.mean),
        )
        .at(&mixes),
        kinds(
            "(7)",
            "Two queues: Var[T] = (3 l1^2 - l1 l2 + 11 l2^2) / (2 l_total^2 l1 l2)",
            seven,
            |[a, b]| Ok(two_queues(a, b)?.variance()),
        )
        .corrected(
            "(8 l1^2 + 11 l1 l2 + 40 l2^2) / (4 l_total^2 l1 l2); the printed form is the mean of the two variances less E[T]^2",
            seven_corrected,
        )
        .at(&mixes),
        kinds("(8) FIFO", "FIFO: E[T] = 3/(2 lambda_total)", lemma, |[a, b]| {
            Ok(battle(Order::First, a, b)?.mean)
        })
        .at(&mixes),
        kinds("(8) packing", "Packing: E[T] = 3/(2 lambda_total)", lemma, |[a, b]| {
            Ok(packed(a, b)?.mean)
        })
        .at(&mixes),
        kinds("(8) LIFO", "LIFO: E[T] = 3/(2 lambda_total)", lemma, |[a, b]| {
            Ok(battle(Order::Last, a, b)?.mean)
        })
        .at(&mixes),
        kinds(
            "(9) FIFO",
            "FIFO: Var[T] = (7 l1^2 + l1 l2 + 4 l2^2) / (2 l1 (l1+l2)^3) - (2 l1 l2^3 + 3 l2^4) / (l1 l_total (l1+l2)^4) - E[T]^2",
            nine,
            |[a, b]| Ok(battle(Order::First, a, b)?.variance()),
        )
        .corrected(NINE, nine_corrected)
        .at(&mixes),
        kinds(
            "(9) packing",
            "Packing: Var[T] = (7 l1^2 + l1 l2 + 4 l2^2) / (2 l1 (l1+l2)^3) - (2 l1 l2^3 + 3 l2^4) / (l1 l_total (l1+l2)^4) - E[T]^2",
            nine,
            |[a, b]| Ok(packed(a, b)?.variance()),
        )
        .corrected(NINE, nine_corrected)
        .at(&mixes),
        kinds(
            "(10)",
            "LIFO: Var[T] = (5 l1^3 l2 + 7 l1^2 l2^2 + 10 l1 l2^3 + 2 l2^4) / (2 l1 (l1+l2)^3 (l1^2 + 2 l1 l2 + 2 l2^2)) \
             + (8 l1^2 + 7 l1 l2) / (2 (l1+l2)^4) - E[T]^2",
            ten,
            |[a, b]| Ok(battle(Order::Last, a, b)?.variance()),
        )
        .corrected(TEN, ten_corrected)
        .at(&mixes),
    ]
}

#[cfg(test)]
mod tests {
    use super::{RATES, lemma, mixes, nine, nine_corrected, pow, seven, ten, two_queues, wait_together};
    use crate::claims::Verdict;
    use crate::claims::xu::{Formula, int, q};
    use crate::models::xu::Order;

    #[test]
    fn a_wrong_digit_or_sign_in_a_formula_is_seen() {
        let true_form = Formula::new("", "", RATES, nine_corrected, |[a, b]| {
            Ok(super::battle(Order::First, a, b)?.variance())
        });
        assert_eq!(true_form.clone().at(&mixes()).judge().verdict, Verdict::Holds);
        let mut mutated = true_form;
        mutated.printed = |x| Ok(nine_corrected(x)? + lemma(x)? * q(1, 1_000_000_000));
        assert_eq!(mutated.at(&mixes()).judge().verdict, Verdict::DoesNotHold);
        let six = |sign: fn(&[_; 2]) -> _| Formula::new("", "", RATES, sign, |[a, b]| Ok(two_queues(a, b)?.mean));
        let plus = six(|[a, b]| Ok(q(5, 2) / (a + int(2) * b)));
        let minus = six(|[a, b]| Ok(q(5, 2) / (a - int(2) * b + q(1, 7))));
        assert_eq!(plus.at(&mixes()).judge().verdict, Verdict::Holds);
        assert_eq!(minus.at(&mixes()).judge().verdict, Verdict::DoesNotHold);
    }

    /// No verdict tells whether a formula that does not hold is still the printed one. What it is instead does, for
    /// (7).
    #[test]
    fn the_printed_variance_of_two_queues_is_the_mean_of_both_less_a_square() {
        for [a, b] in mixes() {
            let (one, two) = (
                wait_together(4, &a).expect("a queue"),
                wait_together(2, &b).expect("a queue"),
            );
            let total = &a + int(2) * &b;
            // Players alike: a team counts twice.
            let mean = (&a * one.variance() + int(2) * &b * two.variance()) / total;
            let all = two_queues(&a, &b).expect("two queues").mean;
            assert_eq!(seven(&[a, b]), Ok(mean - pow(&all, 2)));
        }
    }

    /// By hand from the paper.
    #[test]
    fn the_other_printed_variances_are_the_printed_ones() {
        let by_hand = [
            ([1, 1], q(19, 48), q(83, 160)),
            ([2, 1], q(847, 5184), q(1175, 5184)),
            ([1, 2], q(1741, 8100), q(27_323, 105_300)),
        ];
        for (rates, as_nine, as_ten) in by_hand {
            let rates = rates.map(int);
            assert_eq!((nine(&rates), ten(&rates)), (Ok(as_nine), Ok(as_ten)), "{rates:?}");
        }
    }
}
