//! What the text says of one queue and two beside its equations.

use super::queues::{battle, mixes, nine_corrected, packed, seven_corrected, two_queues, waits};
use super::{Formula, int, is_false, q, says_so, truth};
use crate::claims::{Claim, Paper, Point, Remedy, Statement};
use crate::models::xu::{Battle, Lobby, Order, Packed};
use crate::scalar::{Rational, Scalar};

type Q = Rational;

const RATES: [&str; 2] = ["lambda_1", "lambda_2"];

/// A mix with a total rate of one.
fn normalized(one: &Q) -> [Q; 2] {
    [one.clone(), (int(1) - one) / int(2)]
}

/// Where a function of a fraction has its least value, found by halving where it turns; its numbers are exact, so that
/// differences over tiny steps have the right sign.
fn minimiser(f: impl Fn(&Q) -> Q) -> f64 {
    let (mut low, mut high) = (q(1, 10), q(9, 10));
    let step = q(1, 1 << 40);
    for _ in 0..40 {
        let middle = (&low + &high) / int(2);
        if f(&(&middle + &step)) > f(&(&middle - &step)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    low.to_float()
}

/// The mean wait where nobody comes alone.
fn teams_alone(two: &Q) -> Q {
    let order = Order::First;
    let lobby = Lobby::new(Battle { size: 2, order }, vec![(2, two.clone())]);
    let wait = lobby.and_then(|lobby| lobby.wait(2));
    wait.unwrap_or_else(|_| unreachable!("teams play teams")).mean
}

/// (11): the least variance with two queues.
fn eleven() -> Claim {
    let point = Point {
        at: Vec::new(),
        printed: Some((2.0 * 33.0_f64.sqrt() - 11.0).into()),
        computed: minimiser(|one| {
            let [a, b] = normalized(one);
            two_queues(&a, &b).variance()
        })
        .into(),
        corrected: Some((5.0 - 2.0 * 5.0_f64.sqrt()).into()),
        simulated: None,
    };
    let statement = Statement {
        paper: Paper::Xu,
        label: "(11)",
        statement: "With two queues Var[T] is least at lambda_1/lambda_total = 2 sqrt(33) - 11 = 0.489",
        remedy: Remedy::Correction("least at 5 - 2 sqrt(5) = 0.528; 2 sqrt(33) - 11 minimises (7) as printed"),
    };
    statement.judge(vec![point])
}

pub(super) fn claims() -> Vec<Claim> {
    let mixes = mixes();
    let normal: Vec<[Q; 2]> = (1..20).map(|n| normalized(&q(n, 20))).collect();
    let say = |label, statement, computed| Formula::new(label, statement, RATES, says_so, computed);
    let alone: Vec<[Q; 1]> = [q(1, 3), int(1), q(7, 2)].map(|rate| [rate]).to_vec();
    vec![
        Formula::new(
            "67 % more",
            "Two queues make players wait 67 % longer than one, in whole percents",
            RATES,
            |_| int(67),
            |[a, b]| (int(100) * (two_queues(a, b).mean / battle(Order::First, a, b).mean - int(1))).round(),
        )
        .judge(&mixes),
        Formula::new(
            "lambda_1 = 0",
            "With teams alone the battle is a 2-player game: E[T] = 1/(2 lambda_2), and not (3)",
            ["lambda_2"],
            |[b]| q(1, 2) / b,
            |[b]| teams_alone(b),
        )
        .judge(&alone),
        say(
            "packing is FIFO",
            "Packing is equivalent to FIFO, kind by kind",
            |[a, b]| {
                let order = Order::First;
                truth(waits(Packed, a, b) == waits(Battle { size: 2, order }, a, b))
            },
        )
        .judge(&mixes),
        say("FIFO outperforms LIFO", "FIFO has the smaller variance", |[a, b]| {
            truth(battle(Order::First, a, b).variance() < battle(Order::Last, a, b).variance())
        })
        .judge(&mixes),
        say(
            "single queues outperform",
            "All mechanisms with a single queue have a smaller variance than two queues",
            |[a, b]| {
                let two = two_queues(a, b).variance();
                let single = [battle(Order::First, a, b), battle(Order::Last, a, b), packed(a, b)];
                truth(single.iter().all(|wait| wait.variance() < two))
            },
        )
        .judge(&normal),
        say(
            "do not differ much",
            "FIFO's and LIFO's variances do not differ much: by at most a fifth",
            |[a, b]| {
                let ratio = battle(Order::Last, a, b).variance() / battle(Order::First, a, b).variance();
                truth(ratio <= q(6, 5))
            },
        )
        .judge(&normal),
        eleven(),
        Formula::new(
            "Var 2Q at 0.489",
            "The least variance with two queues stands at 0.489: a step of 0.01 to the right makes it larger",
            ["lambda_1"],
            says_so,
            |[one]| {
                let at = |one: &Q| {
                    let [a, b] = normalized(one);
                    two_queues(&a, &b).variance()
                };
                truth(at(&(one + q(1, 100))) > at(one))
            },
        )
        .corrected("it makes it smaller: the least is at 0.528", is_false)
        .judge(&[[q(489, 1000)]]),
        Formula::new(
            "FIFO against 2Q",
            "One FIFO queue beats two, by corrected forms: their difference is what the chains give",
            RATES,
            |x| seven_corrected(x) - nine_corrected(x),
            |[a, b]| two_queues(a, b).variance() - battle(Order::First, a, b).variance(),
        )
        .judge(&mixes),
    ]
}
